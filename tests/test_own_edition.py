"""Edition files of one's own at the limits: marks, buttons and themes."""

from __future__ import annotations

from pathlib import Path

import pytest

from quiltwork import EditionError, Game, NotationError, load_edition
from quiltwork.cli.main import main
from quiltwork.editions import EDITIONS_FOLDER

PATCHWORK = (EDITIONS_FOLDER / "patchwork.toml").read_text(encoding="utf-8")


def changed(folder: Path, old: str, new: str) -> str:
    """The path of an edition that differs from `patchwork` in one place."""
    assert PATCHWORK.count(old) == 1
    path = folder / "own.toml"
    path.write_text(PATCHWORK.replace(old, new), encoding="utf-8")
    return str(path)


def problems(path: str) -> tuple[str, ...]:
    with pytest.raises(EditionError) as caught:
        load_edition(path)
    return caught.value.problems


def test_a_wrong_last_space_is_one_problem(tmp_path: Path) -> None:
    path = changed(tmp_path, "last_space = 53", "last_space = 99")
    assert problems(path) == ("[time_board] last_space should be a whole number from 1 to 63, is 99",)


def test_more_buttons_than_a_position_can_hold_are_refused(tmp_path: Path) -> None:
    # 5 at the start, 53 for advancing, and at each of 9 marks 12 patches of 99 and 10 of 1
    path = tmp_path / "own.toml"
    path.write_text(PATCHWORK.replace("income = 3", "income = 99").replace("income = 2", "income = 99"))
    assert problems(str(path)) == ("a player could come to have 10,840 buttons; 9,999 are possible at most",)


def test_a_theme_that_is_not_there_is_found_by_the_check(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = changed(tmp_path, 'theme = "patchwork"', 'theme = "nonesuch"')
    assert main(["edition", "check", path]) == 1
    assert capsys.readouterr().err.startswith("quiltwork: theme 'nonesuch': unknown; built in are ")


@pytest.mark.parametrize("deal", ["x", "²", "-1", "", "9" * 5000])
def test_a_deal_that_is_no_number_is_named(deal: str) -> None:
    with pytest.raises(NotationError, match=r"^record, line 1, column 1: Deal should be a deal number, is "):
        Game.parse(f'[Edition "patchwork"]\n[Deal "{deal}"]\n\n+1')
