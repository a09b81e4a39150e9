"""The pages keep their promises: links lead somewhere, and the example edition is as the page says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from quiltwork.cli.main import main

ROOT = Path(__file__).parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
EXAMPLE = re.search(
    r"```toml\n(format = 1\nid = \"ring\".*?)```", (ROOT / "docs/editions.md").read_text(), re.DOTALL
)


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as they are made where it is shown."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_leads_somewhere(page: Path) -> None:
    links = [link for link in re.findall(r"\]\(([^)\s]+)\)", page.read_text()) if "://" not in link]
    broken = []
    for link in links:
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if not target.exists() or (anchor and anchor not in anchors(target)):
            broken.append(link)
    assert broken == []


def test_the_example_edition_is_fine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert EXAMPLE is not None
    monkeypatch.chdir(tmp_path)
    Path("ring.toml").write_text(EXAMPLE[1])
    assert main(["edition", "check", "ring.toml"]) == 0
    assert main(["new", "--edition", "ring.toml", "--seed", "1"]) == 0
    printed = capsys.readouterr().out.splitlines()
    page = [line.strip() for line in (ROOT / "docs/editions.md").read_text().splitlines()]
    assert len(printed) == 2
    assert [line for line in printed if line not in page] == []
    slips = EXAMPLE[1].replace("##/##", "##/#").replace("choices", "choice")
    Path("slips.toml").write_text(slips.replace("start_buttons = 4", "start_buttons = '4'"))
    assert main(["edition", "check", "slips.toml"]) == 1
    complaints = [line.strip() for line in capsys.readouterr().err.splitlines()]
    assert len(complaints) == 5
    assert [line for line in complaints if line not in page] == []
