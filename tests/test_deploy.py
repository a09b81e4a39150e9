"""The files in `deploy/` name options, packages and files that there are."""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path

import pytest

from quiltwork.cli import serve
from quiltwork.server.metrics import COUNTERS, GAUGES, HISTOGRAMS

ROOT = Path(__file__).parents[1]
DEPLOY = ROOT / "deploy"
FILES = sorted(path for path in DEPLOY.rglob("*") if path.is_file())


def options_of_serve() -> set[str]:
    parser = argparse.ArgumentParser()
    serve.add_arguments(parser)
    return {option for action in parser._actions for option in action.option_strings}


@pytest.mark.parametrize("file", FILES, ids=lambda path: path.name)
def test_every_option_of_a_server_is_one_that_it_has(file: Path) -> None:
    lines = [
        line
        for line in file.read_text(encoding="utf-8").splitlines()
        if "quiltwork serve" in line or line.lstrip().startswith("- --") or '"serve"' in line
    ]
    named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", " ".join(lines)))
    assert named <= options_of_serve()


def test_a_container_is_made_of_files_that_are_here() -> None:
    text = (DEPLOY / "Containerfile").read_text(encoding="utf-8")
    copied = [words.split()[:-1] for words in re.findall(r"^COPY (.*)$", text, re.MULTILINE)]
    for name in (name for names in copied for name in names):
        assert (ROOT / name).exists(), name
    assert "psycopg==" in (ROOT / "requirements" / "postgres.txt").read_text(encoding="utf-8")


def test_the_services_name_one_another() -> None:
    compose = (DEPLOY / "compose.yaml").read_text(encoding="utf-8")
    services = set(re.findall(r"^  ([a-z0-9-]+):$", compose.partition("\nservices:\n")[2], re.MULTILINE))
    assert set(re.findall(r"(web-\d+):8765", (DEPLOY / "Caddyfile").read_text(encoding="utf-8"))) <= services
    assert set(re.findall(r"@([a-z]+)/quiltwork", compose)) <= services


def test_the_dashboard_shows_every_metric_and_no_other() -> None:
    dashboard = json.loads((DEPLOY / "dashboard.json").read_text(encoding="utf-8"))
    asked = " ".join(target["expr"] for panel in dashboard["panels"] for target in panel["targets"])
    shown = {name.removesuffix("_bucket") for name in re.findall(r"quiltwork_([a-z_]+)", asked)}
    assert shown == {*COUNTERS, *GAUGES, *HISTOGRAMS}
