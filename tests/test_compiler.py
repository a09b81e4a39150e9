"""The folder of compiled code is named by everything that was compiled into it."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from quiltwork.rules import warm
from quiltwork.rules.compiler import PLAIN, RULES_FOLDER, _sources, cache_folder, complete_mark

HOME = RULES_FOLDER.parent


def test_compiled_code_of_other_packages_counts() -> None:
    found = set(_sources(HOME / "training"))
    assert HOME / "agents" / "search" / "mcts.py" in found, "lessons.py imports it"
    assert HOME / "agents" / "net" / "forward.py" in found, "and mcts.py calls this"
    assert RULES_FOLDER / "steps.py" in found
    assert HOME / "editions" / "edition.py" not in found, (
        "it is not compiled: a change there must not compile anything anew"
    )


def test_a_change_of_the_package_changes_the_folder(tmp_path: Path) -> None:
    source = tmp_path / "own.py"
    source.write_text("a = 1\n")
    before = cache_folder(tmp_path)
    cache_folder.cache_clear()
    source.write_text("a = 2\n")
    assert cache_folder(tmp_path) != before
    cache_folder.cache_clear()


def test_a_copy_of_the_sources_is_not_taken_for_compiled(tmp_path: Path) -> None:
    """Numba looks for compiled code by the place and the time of a source, so a second environment is cold."""
    marks = set()
    for place in ("one", "two"):
        source = tmp_path / place / "own" / "own.py"
        source.parent.mkdir(parents=True)
        source.write_text("a = 1\n")
        os.utime(source, (1, 1))
        marks.add(complete_mark(source.parent).name)
        os.utime(source, (2, 2))
        marks.add(complete_mark(source.parent).name)
    assert len(marks) == 4


@pytest.mark.skipif(PLAIN, reason="nothing is compiled")
def test_compiling_is_told_and_done_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    taken: list[str] = []
    for _ in range(2):
        warm.compile_once("a test", tmp_path / "new" / "mark", lambda: [lambda: taken.append("step")])
    assert taken == ["step"]
    assert capsys.readouterr().err == "quiltwork: compiling a test, once ...\n"


@pytest.mark.skipif(PLAIN or sys.platform == "win32", reason="nothing is compiled, or there are no such locks")
def test_of_several_that_start_at_once_one_compiles(tmp_path: Path) -> None:
    taken: list[str] = []

    def step() -> None:
        time.sleep(0.3)
        taken.append("step")

    def start() -> None:
        warm.compile_once("a test", tmp_path / "new" / "mark", lambda: [step])

    threads = [threading.Thread(target=start) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert taken == ["step"]


HOLDS = """
import sys, time
from pathlib import Path
from quiltwork.rules import warm
with warm.in_turn(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(600)
"""


@pytest.mark.skipif(PLAIN or sys.platform == "win32", reason="nothing is compiled, or there are no such locks")
def test_who_dies_while_compiling_holds_up_nobody(tmp_path: Path) -> None:
    taken: list[str] = []
    mark = tmp_path / "mark"
    command = [sys.executable, "-c", HOLDS, str(mark)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        steps = [lambda: taken.append("step")]
        waiting = threading.Thread(target=warm.compile_once, args=("a test", mark, lambda: steps))
        waiting.start()
        waiting.join(0.5)
        assert (waiting.is_alive(), taken) == (True, [])
        holder.kill()
        waiting.join(30)
    assert taken == ["step"]
