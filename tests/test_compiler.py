"""The folder of compiled code is named by everything that was compiled into it."""

from __future__ import annotations

from pathlib import Path

from quiltwork.rules.compiler import RULES_FOLDER, _sources, cache_folder

HOME = RULES_FOLDER.parent


def test_compiled_code_of_other_packages_counts() -> None:
    found = set(_sources(HOME / "training"))
    assert HOME / "agents" / "engine" / "tree.py" in found, "lessons.py imports it as a module"
    assert HOME / "agents" / "engine" / "policy.py" in found, "and tree.py calls this"
    assert RULES_FOLDER / "steps.py" in found
    assert HOME / "edition.py" not in found, "it is not compiled: a change there must not compile anything anew"


def test_a_change_of_the_package_changes_the_folder(tmp_path: Path) -> None:
    source = tmp_path / "own.py"
    source.write_text("a = 1\n")
    before = cache_folder(tmp_path)
    cache_folder.cache_clear()
    source.write_text("a = 2\n")
    assert cache_folder(tmp_path) != before
    cache_folder.cache_clear()
