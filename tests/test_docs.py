"""The pages keep their promises: links lead somewhere, and the example edition is as the page says."""

from __future__ import annotations

import ast
import inspect
import io
import re
import shutil
from functools import cached_property
from importlib import import_module
from itertools import pairwise
from pathlib import Path

import pytest

import quiltwork
from quiltwork import envs
from quiltwork.cli.main import COMMANDS, command_parser, main

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


def test_every_command_of_the_readme_exists() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    rows = re.findall(r"^\| (`.*?) \|", readme, re.MULTILINE)
    named = [name.removeprefix("quiltwork").strip() for row in rows for name in re.findall(r"`([^`]+)`", row)]
    assert len(named) > 20
    for name in filter(None, named):
        if name.startswith("."):
            import_module(f"quiltwork{name}")
            continue
        command, *action = name.split()
        assert command in COMMANDS
        assert set(action) <= set(command_parser(command).format_help().replace(",", " ").split())
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    makes = re.findall(r"(?:`|^    )make ([a-z-]+)", readme, re.MULTILINE)
    assert {"play", "test", "setup"} <= set(makes) <= set(targets)


def test_the_example_edition_is_fine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert EXAMPLE is not None
    monkeypatch.chdir(tmp_path)
    Path("ring.toml").write_text(EXAMPLE[1])
    assert main(["edition", "check", "ring.toml"]) == 0
    assert main(["new", "--edition", "ring.toml", "--deal", "1"]) == 0
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


PROGRAMS = [
    pytest.param(code, id=f"{page.name}-{number}")
    for page in PAGES
    for number, code in enumerate(
        re.findall(r"^```python\n(.*?)^```$", page.read_text(), re.MULTILINE | re.DOTALL)
    )
    if not code.startswith(">>>")
]


@pytest.mark.parametrize("code", PROGRAMS)
def test_every_program_on_a_page_runs(
    code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin", io.StringIO())
    shutil.copy(ROOT / "tests/data/express.quilt", "games.quilt")
    exec(compile(code, "the page", "exec"), {"__name__": "__main__"})
    assert capsys.readouterr().err == ""


PAGE_WORDS = 2000
LINE_COLUMNS = 400


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_can_be_read_in_one_sitting(page: Path) -> None:
    text = page.read_text("utf-8")
    assert [number for number, line in enumerate(text.splitlines(), 1) if len(line) > LINE_COLUMNS] == []
    if page.name != "CHANGELOG.md":
        # Reference tables and code are looked up, not read.
        read = re.sub(r"^```.*?^```|^\|.*?$|^ {4}.*?$", "", text, flags=re.MULTILINE | re.DOTALL)
        assert len(read.split()) <= PAGE_WORDS


PUBLIC = {
    name: getattr(module, name)
    for module in (quiltwork, envs)
    for name in module.__all__
    if not name.startswith("_") and not name.endswith("_VERSION")
}


@pytest.mark.parametrize("name", PUBLIC)
def test_every_public_name_says_what_it_is(name: str) -> None:
    public = PUBLIC[name]
    named = {name: public}
    if inspect.isclass(public):
        named |= {f"{name}.{part}": value for part, value in vars(public).items() if is_told(part, value)}
    # A dataclass without a docstring gets its signature as one.
    silent = [path for path, value in named.items() if not value.__doc__ or value.__doc__.startswith(f"{name}(")]
    assert silent == []


@pytest.mark.parametrize("name", [name for name in PUBLIC if inspect.isclass(PUBLIC[name])])
def test_every_public_field_says_what_it_is(name: str) -> None:
    assert silent_fields(PUBLIC[name]) == []


def silent_fields(public: type) -> list[str]:
    """The fields of a class, or of its `__init__`, without a text below them."""
    (body,) = ast.parse(inspect.getsource(public)).body
    assert isinstance(body, ast.ClassDef)
    making = [part for part in body.body if isinstance(part, ast.FunctionDef) and part.name == "__init__"]
    fields: dict[str, bool] = {}
    for statements, prefix in ((body.body, ""), *((each.body, "self.") for each in making)):
        for statement, below in pairwise([*statements, ast.Pass()]):
            if isinstance(statement, (ast.AnnAssign, ast.Assign)):
                targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
                name = ast.unparse(targets[0])
                field = name.removeprefix(prefix)
                if name.startswith(prefix) and field.isidentifier() and not field.startswith("_"):
                    told = isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant)
                    fields[field] = fields.get(field, False) or told
    return [field for field, told in fields.items() if not told]


def is_told(part: str, value: object) -> bool:
    """Whether a part of a class is public and has a docstring of its own."""
    return not part.startswith("_") and (
        isinstance(value, (property, cached_property, classmethod, staticmethod)) or inspect.isfunction(value)
    )


def test_the_page_of_versions_is_true() -> None:
    page = (ROOT / "docs/versions.md").read_text()
    rows = re.findall(r"^\|[^|]*\| ([\d.]+) \|.*?`quiltwork\.([\w.]+)` \|", page, re.MULTILINE)
    assert len(rows) == 6
    for version, path in rows:
        module, _, name = f"quiltwork.{path}".rpartition(".")
        assert str(getattr(import_module(module), name)) == version
