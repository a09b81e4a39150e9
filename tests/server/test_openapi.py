"""The REST part keeps what its OpenAPI says, whatever it is asked."""

from __future__ import annotations

import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from starlette.testclient import TestClient

from quiltwork.server.app import create_app
from quiltwork.server.settings import Settings
from server.conftest import bearer, create

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import schemathesis
    from schemathesis.checks import not_a_server_error
    from schemathesis.core.result import Ok
    from schemathesis.specs.openapi.checks import (
        content_type_conformance,
        response_schema_conformance,
        status_code_conformance,
    )

FAST = Settings(computer_pace=0.0, engine_warm_up=False, requests_per_second=1e6, games_per_minute=1e6)
CHECKS = (not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance)


def test_every_answer_is_described(tmp_path: Path) -> None:
    app = create_app(replace(FAST, database_url=f"sqlite:///{tmp_path / 'games.sqlite3'}"))
    schema = schemathesis.openapi.from_asgi("/api/openapi.json", app)
    operations = [found.ok() for found in schema.get_all_operations() if isinstance(found, Ok)]
    assert len(operations) == 33
    for operation in operations:

        @settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
        @given(case=operation.as_strategy())
        def keeps_to_it(case: schemathesis.Case[Any]) -> None:
            case.call_and_validate(checks=list(CHECKS))

        keeps_to_it()


def test_a_seat_s_paths_are_for_its_token_only(client: TestClient) -> None:
    made = create(client)
    for path in ("/api/game", "/api/game/history", "/api/game/record", "/api/game/quilt.svg"):
        assert client.get(path, headers=bearer(made["token"])).status_code == 200
        assert client.get(path, headers=bearer("forged")).json()["code"] == "unknown-token"
