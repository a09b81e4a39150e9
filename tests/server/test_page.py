"""The page's files: nothing from outside, nothing inline but the import map, every word in every language."""

from __future__ import annotations

import json
import re
from hashlib import sha256
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from quiltwork.agents.levels import Level, load_levels
from quiltwork.analysis import hint
from quiltwork.editions import Confidence, available_editions
from quiltwork.messages import MESSAGES_FOLDER, languages
from quiltwork.position import Position
from quiltwork.server.engine import thought_of
from quiltwork.server.page import WEB

OWN = sorted(
    p for p in WEB.rglob("*") if p.suffix in (".js", ".css", ".html", ".json") and "vendor" not in p.parts
)


def test_vendored_files_are_the_published_ones() -> None:
    lines = (WEB / "vendor" / "CHECKSUMS").read_text().split("\n")
    found = {name: digest for digest, name in (line.split() for line in lines if line)}
    assert set(found) == {path.name for path in (WEB / "vendor").glob("*.mjs")}
    for name, digest in found.items():
        assert sha256((WEB / "vendor" / name).read_bytes()).hexdigest() == digest


@pytest.mark.parametrize("path", OWN, ids=lambda path: path.name)
def test_no_file_of_the_page_names_an_address_outside(path: Path) -> None:
    text = path.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
    assert not re.findall(r"(?:https?:)?//[a-z0-9.-]+\.[a-z]{2,}", text)


def test_the_policy_allows_only_the_own_files(client: TestClient) -> None:
    policy = client.get("/").headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; script-src 'self' 'sha256-")
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert client.get("/js/main.js").headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    ("path", "ruled"),
    [
        ("/", True),
        ("/offline.html", True),
        ("/img/icon.svg", True),
        ("/sw.js", True),
        ("/nowhere", False),
        ("/js/main.js", False),
        ("/css/base.css", False),
        ("/messages/en.json", False),
    ],
)
def test_documents_and_workers_have_policies_and_what_they_load_has_none(
    client: TestClient, path: str, ruled: bool
) -> None:
    headers = client.get(path).headers
    assert ("content-security-policy" in headers) is ruled
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"


def test_every_file_that_the_page_loads_is_there(client: TestClient) -> None:
    page = client.get("/").text
    for address in re.findall(r"(?:href|src)=\"([^\"]+)\"", page):
        assert client.get(f"/{address}").status_code == 200, address
    for script in WEB.glob("js/*.js"):
        for name in re.findall(r"from \"\./([a-z.]+)\"", script.read_text(encoding="utf-8")):
            assert (WEB / "js" / name).exists(), f"{script.name} imports {name}"


def test_every_module_is_fetched_at_once() -> None:
    page = (WEB / "index.html").read_text(encoding="utf-8")
    fetched = set(re.findall(r"(?:modulepreload\" href|module\" src)=\"js/([a-z]+\.js)\"", page))
    # Pages that are seldom opened, in folders of their own, are fetched when they are.
    assert fetched == {path.name for path in WEB.glob("js/*.js")}


def test_a_file_is_sent_again_only_when_it_has_changed(client: TestClient) -> None:
    first = client.get("/js/main.js")
    assert first.headers["content-type"].startswith("text/javascript")
    assert first.headers["content-encoding"] == "gzip"
    assert first.content == (WEB / "js" / "main.js").read_bytes()
    tag = first.headers["etag"]
    again = client.get("/js/main.js", headers={"If-None-Match": tag})
    assert (again.status_code, again.content) == (304, b"")
    assert client.get("/css/base.css").headers["etag"] != tag
    plain = client.get("/js/main.js", headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert plain.headers["vary"] == first.headers["vary"] == "Accept-Encoding"
    assert plain.content == first.content


def test_files_are_only_read(client: TestClient) -> None:
    refused = client.post("/js/main.js")
    assert (refused.status_code, refused.headers["allow"]) == (405, "GET, HEAD")


@pytest.mark.parametrize("path", ["/../server/app.py", "/..%2fserver/app.py", "/js/../../server/app.py"])
def test_only_the_page_s_files_are_served(client: TestClient, path: str) -> None:
    assert client.get(path).status_code == 404


def test_every_message_that_the_page_asks_for_is_in_the_catalog() -> None:
    messages = _messages("en")
    for script in WEB.glob("js/**/*.js"):
        for key in re.findall(r"\bt\(\"([a-z_.0-9]+)\"", script.read_text(encoding="utf-8")):
            assert key in messages, f"{script.name}: {key}"


def test_every_part_of_a_hint_is_in_the_catalogs() -> None:
    keys = set(re.findall(r"Part\(\s*\"(\w+)\"", Path(hint.__file__).read_text(encoding="utf-8")))
    assert {"take_at", "income", "chance"} <= keys
    for language in languages():
        assert {f"hint.{key}" for key in keys} <= _messages(language).keys(), language


def test_the_opponents_go_up_in_level_and_have_faces() -> None:
    opponents = load_levels()
    assert [o.level for o in opponents.all.values()] == list(range(1, 11))
    faces = (WEB / "js" / "faces.js").read_text(encoding="utf-8")
    for identifier in opponents.all:
        assert f"  {identifier}: () =>" in faces
    assert opponents.default in opponents.all
    assert opponents.hint in opponents.all


def test_an_opponent_may_have_other_limits_in_an_edition() -> None:
    opponents = load_levels().all.values()
    assert {edition for o in opponents for edition in o.simulations_in} <= set(available_editions())
    some = Level("x", "X", 9, "", "net", 1.0, 340, {"express": 1500})
    thoughts = [thought_of(Position.initial(edition, deal=1), some) for edition in ("patchwork", "express")]
    assert [thought.simulations for thought in thoughts] == [340, 1500]


def _messages(language: str) -> dict[str, object]:
    found: dict[str, object] = json.loads((MESSAGES_FOLDER / f"{language}.json").read_text(encoding="utf-8"))
    return found


def _names(text: object) -> set[str]:
    """The parameters that a message wants; nouns of the theme may differ between languages."""
    return set(re.findall(r"\{(\w+)[:}]", json.dumps(text)))


def test_every_degree_of_confidence_has_its_sentence() -> None:
    messages = _messages("en")
    assert {f"rules.source.{confidence.value}" for confidence in Confidence} <= set(messages)
