"""What is tracked stays light and readable: games, checkpoints and logs are no sources."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
CHECKOUT_BYTES = 6_000_000
FILE_BYTES = 500_000
MAY_BE_LARGE = ("docs/images/", "tests/browser/vendor/")
PAGE_COLUMNS = 120


@pytest.fixture(scope="module")
def sizes() -> dict[str, int]:
    """The bytes of each tracked file."""
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("this is no git checkout")
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    paths = [path for path in listed.stdout.split("\0") if path and (ROOT / path).is_file()]
    return {path: (ROOT / path).stat().st_size for path in paths}


def test_a_checkout_is_light(sizes: dict[str, int]) -> None:
    assert sum(sizes.values()) < CHECKOUT_BYTES


def test_no_tracked_file_is_large(sizes: dict[str, int]) -> None:
    large = {path for path, size in sizes.items() if size > FILE_BYTES}
    assert {path for path in large if not path.startswith(MAY_BE_LARGE)} == set()


def test_the_shipped_weights_exist_once(sizes: dict[str, int]) -> None:
    assert [path for path in sizes if path.endswith((".npz", ".pt"))] == ["src/quiltwork/agents/net/quiltwork.npz"]


def test_lines_of_the_page_fit_on_a_screen() -> None:
    page = ROOT / "src/quiltwork/web"
    written = [*(page / "js").rglob("*.js"), *(page / "css").glob("*.css"), *page.glob("*.html")]
    lines = [
        (path.name, number, line)
        for path in written
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
    ]
    assert [f"{name}:{number}" for name, number, line in lines if len(line) > PAGE_COLUMNS] == []
