"""What moves cost, by the net's judgement: the tool that says where agents lose their games."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from quiltwork.agents import Limits
from quiltwork.arena import Pairing, play_match
from quiltwork.arena.storage import MatchFolder

TOOL = Path(__file__).parents[2] / "tools" / "losses.py"
FEW = (Limits(simulations=60), Limits(simulations=60))
ROW = re.compile(r"\| `(\w+)` \| first \| (\d+) \| (\d+) \| (-?[\d.]+) % ")


def losses(folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(TOOL), str(folder), "--games", "4", "--simulations", "60", "--workers", "1"]
    return subprocess.run(command, capture_output=True, text=True)


def test_who_plays_at_random_loses_most_of_its_win_by_what_it_does(tmp_path: Path) -> None:
    folder = tmp_path / "match"
    play_match(Pairing("net", "random", "express", FEW), 4, folder=MatchFolder(folder))
    told = losses(folder)
    assert told.returncode == 0, told.stderr
    found = {
        agent: (int(moves), int(others), float(win)) for agent, moves, others, win in ROW.findall(told.stdout)
    }
    assert set(found) == {"net", "random"}
    for moves, others, _ in found.values():
        assert 0 < others < moves
    assert found["random"][2] > 20 > abs(found["net"][2])


def test_a_folder_without_games_is_refused_in_a_sentence(tmp_path: Path) -> None:
    told = losses(tmp_path)
    assert told.returncode == 2
    assert f"{tmp_path} is not the folder of a match" in told.stderr
    assert "Traceback" not in told.stderr
