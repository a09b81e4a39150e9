"""The examples run, and the documentation of the observation is that of the code."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from quiltwork import Position, load_edition
from quiltwork.agents import Limits, agent_of
from quiltwork.envs import observation_tables

ROOT = Path(__file__).parents[2]


def test_the_tables_of_the_page_are_those_of_the_code() -> None:
    page = (ROOT / "docs" / observation_tables.PAGE).read_text(encoding="utf-8")
    assert observation_tables.with_tables(page, observation_tables.tables(load_edition("patchwork"))) == page


@pytest.mark.parametrize(
    ("name", "drawn"),
    [
        (observation_tables.PICTURE, observation_tables.planes_svg),
        (observation_tables.MASK_PICTURE, observation_tables.mask_svg),
    ],
)
def test_the_pictures_of_the_page_are_those_of_the_code(name: str, drawn: object) -> None:
    assert callable(drawn)
    assert (ROOT / "docs" / name).read_text(encoding="utf-8") == drawn(load_edition("patchwork"))


def test_the_bot_of_20_lines_plays_legal_moves() -> None:
    bot = agent_of(f"cmd:{sys.executable} {ROOT / 'examples' / 'my_bot.py'}")
    try:
        position = Position.initial("patchwork", deal=4)
        for _ in range(10):
            position = position.play(bot.think(position, Limits()).best.move)
    finally:
        bot.close()
    assert sum(len(state.placements) for state in position.players) > 3


def test_openspiels_mcts_plays_against_our_agents() -> None:
    pytest.importorskip("pyspiel", reason="the example needs the extra 'openspiel'")
    command = [sys.executable, str(ROOT / "examples" / "openspiel_mcts.py"), "--agent", "random", "--games", "1"]
    run = subprocess.run([*command, "--simulations", "5"], capture_output=True, text=True, check=True, timeout=120)
    assert run.stdout.startswith("deal 0, seat 1: ")
    assert "of 1 against random" in run.stdout


@pytest.mark.parametrize(
    ("library", "example", "last"),
    [
        ("torch", "alphazero.py", r"won \d+\.\d% of 2 games against greedy"),
        ("torch", "ppo_self_play.py", r"won \d+\.\d% of 4 games against random"),
        ("jax", "jax_policy.py", r"round 1: \d+ moves at most, .*"),
    ],
)
def test_the_examples_that_learn_run_for_seconds(library: str, example: str, last: str) -> None:
    pytest.importorskip(
        library, reason=f"examples/{example} needs {library}: pip install {library}, then it is run here"
    )
    command = [sys.executable, str(ROOT / "examples" / example), "--smoke"]
    run = subprocess.run(command, capture_output=True, text=True, check=True, timeout=240)
    assert re.fullmatch(last, run.stdout.splitlines()[-1])


def test_without_jax_its_example_says_what_to_install() -> None:
    program = "import sys, runpy; sys.modules['jax'] = None; runpy.run_path(sys.argv[1])"
    example = str(ROOT / "examples" / "jax_policy.py")
    run = subprocess.run([sys.executable, "-c", program, example], capture_output=True, text=True, timeout=120)
    assert run.stderr == "this example needs JAX: pip install jax\n"


@pytest.mark.parametrize(
    ("library", "module", "extra"),
    [
        ("pettingzoo", "quiltwork.envs.quiltwork_v0", "rl"),
        ("gymnasium", "quiltwork.envs.gym", "rl"),
        ("pyspiel", "quiltwork.envs.openspiel", "openspiel"),
    ],
)
def test_without_its_library_an_adapter_says_what_to_install(library: str, module: str, extra: str) -> None:
    program = f"import sys; sys.modules[{library!r}] = None; import {module}"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert run.stderr.splitlines()[-1].endswith(f"needs the extra '{extra}': pip install 'quiltwork[{extra}]'")


def test_the_environments_import_none_of_their_extras() -> None:
    program = (
        "import sys, quiltwork.envs, quiltwork.programs.codingame; "
        "print([name for name in ('gymnasium', 'pettingzoo', 'pyspiel', 'torch') if name in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=120)
    assert run.stdout.strip() == "[]"
