"""Files of records are read one record at a time, and moves only when they are asked for."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from quiltwork import Game, NotationError
from quiltwork.cli.main import main
from quiltwork.record_stream import stream_records

DATA = Path(__file__).parent / "data"
EDITIONS = ("express", "halloween", "patchwork", "patchwork-2014", "stack-and-stuff")
TEXTS = [(DATA / f"{name}.quilt").read_text() for name in EDITIONS]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "all.quilt"
    path.write_text("\n".join(TEXTS))
    return path


def test_records_come_with_their_tags_line_and_game(file: Path) -> None:
    with file.open() as lines:
        records = list(stream_records(lines))
    assert [record.tags["Edition"] for record in records] == list(EDITIONS)
    assert [record.game().text for record in records] == [Game.parse(text).text for text in TEXTS]
    content = file.read_text().splitlines()
    assert all(content[record.line - 1].startswith("[Edition") for record in records)


def test_only_one_record_is_read_ahead() -> None:
    def endless() -> Iterator[str]:
        while True:
            yield from TEXTS[0].splitlines(keepends=True)
            yield "\n"

    records = list(islice(stream_records(endless()), 1000))
    assert {record.text.strip() for record in records} == {TEXTS[0].strip()}


def test_moves_are_not_looked_at_for_tags_and_errors_have_the_line_of_the_file() -> None:
    bad = TEXTS[0].replace("5k@b1", "5k@b9")
    first, second = stream_records(io.StringIO(f"{TEXTS[0]}\n{bad}"))
    assert second.tags == first.tags
    with pytest.raises(NotationError) as caught:
        second.game()
    expected = next(n for n, line in enumerate(f"{TEXTS[0]}\n{bad}".splitlines(), 1) if "5k@b9" in line)
    assert caught.value.line == expected


def test_a_tag_within_a_comment_begins_no_record() -> None:
    text = '[Edition "express"]\n[Deal "7"]\n\n{ a long\n[Edition "comment"]\n} 1: +1\n\n[Edition "express"]\n[Deal "8"]\n'
    records = list(stream_records(io.StringIO(text)))
    assert [record.tags["Deal"] for record in records] == ["7", "8"]
    assert len(records[0].game().moves) == 1


def test_odd_tags_are_read_as_the_reader_of_records_does() -> None:
    text = '\ufeff[ Edition  "express" ][Deal "7"]\n[Player1 "Ada \\"A\\" L"]\n\n'
    (record,) = stream_records(io.StringIO(text))
    assert record.tags == {"Edition": "express", "Deal": "7", "Player1": 'Ada "A" L'}
    (wrong,) = stream_records(io.StringIO('[Edition "express\n'))
    with pytest.raises(NotationError, match="line 1"):
        _ = wrong.tags


@pytest.mark.parametrize(
    ("conditions", "editions"),
    [
        ([], EDITIONS),
        (["--edition", "express"], ["express"]),
        (["--bought", "5k"], ["express", "stack-and-stuff"]),
        (["--player", "nobody"], []),
        (["--winner", "*"], []),
        (["--min-moves", "1000"], []),
        (["--max-moves", "1000"], EDITIONS),
        (["--edition", "express", "--position", str(Game.parse(TEXTS[0]).start.text)], ["express"]),
    ],
)
def test_filter_prints_what_meets_the_conditions(
    file: Path, conditions: list[str], editions: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["filter", str(file), "--json", *conditions]) == 0
    out = capsys.readouterr().out.splitlines()
    assert [json.loads(line)["tags"]["Edition"] for line in out] == list(editions)
    assert main(["filter", str(file), "--count", *conditions]) == 0
    assert capsys.readouterr().out == f"{len(editions)}\n"


def test_filter_prints_records_that_can_be_read_again(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["filter", str(file), "--max-moves", "1000"]) == 0
    games = list(Game.parse_many(capsys.readouterr().out))
    assert [game.edition.name for game in games] == list(EDITIONS)


def test_filter_reports_a_wrong_record_and_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "some.quilt"
    path.write_text(TEXTS[0].replace("5k@b1", "5k@b9") + "\n" + TEXTS[1])
    assert main(["filter", str(path), "--count", "--min-moves", "1"]) == 1
    captured = capsys.readouterr()
    assert (captured.out, "the board ends at g7" in captured.err) == ("1\n", True)
    assert main(["filter", str(tmp_path / "none.quilt")]) == 1
    assert "none.quilt: No such file" in capsys.readouterr().err


@pytest.mark.parametrize("wrong", ["games.quilt", Path("games.quilt")])
def test_a_name_is_no_open_file(wrong: Any) -> None:
    with pytest.raises(TypeError, match="open the file first"):
        stream_records(wrong)
