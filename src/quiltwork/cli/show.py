"""Draw a position, or the final position of each record of a file; or a whole game.

quiltwork show game.quilt --film strip.svg
quiltwork show game.quilt --animation game.webp
"""

from __future__ import annotations

import argparse
from pathlib import Path

from quiltwork.cli.arguments import (
    add_color,
    add_json,
    add_position,
    print_json,
    read_position,
    read_text,
    wants_color,
    whole,
)
from quiltwork.errors import QuiltworkError
from quiltwork.game import Game
from quiltwork.move import Player
from quiltwork.notation.positions import parse_lines
from quiltwork.position import Position


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_position(parser)
    parser.add_argument("--svg", metavar="FILE", help="write a picture instead (- for standard output)")
    parser.add_argument("--film", metavar="FILE", help="write a game as a film strip (SVG; - for standard output)")
    parser.add_argument(
        "--animation", metavar="FILE", help="write a game as an animated picture, .webp or .gif (extra `pictures`)"
    )
    parser.add_argument("--size", type=whole(1, 20_000), metavar="N", help="the width of the picture in pixels")
    parser.add_argument("--theme", help="draw in another theme than the edition's")
    parser.add_argument("--dark", action="store_true", help="the dark colours of the theme, in pictures")
    add_color(parser)
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    given = " ".join(options.position)
    if options.film or options.animation:
        _draw_game(Game.parse(read_text(given)), options)
        return 0
    positions = _positions(given)
    if options.svg:
        if len(positions) != 1:
            raise QuiltworkError(f"--svg draws one position, {len(positions)} were given")
        _write(options.svg, positions[0].svg(size=options.size, theme=options.theme, dark=options.dark))
        return 0
    if options.json:
        print_json([_parts(position) for position in positions])
        return 0
    from quiltwork.render.text import position_text
    from quiltwork.themes import load_theme, theme_of

    colour = wants_color(options)
    for position in positions:
        theme = load_theme(options.theme) if options.theme else theme_of(position.edition)
        outcome = position.outcome()
        winner = outcome.winner if outcome else None
        print(position_text(position.setup, theme, colour=colour, winner=winner))
    return 0


def _draw_game(game: Game, options: argparse.Namespace) -> None:
    if options.film:
        _write(options.film, game.film_strip(size=options.size, theme=options.theme, dark=options.dark))
    if options.animation:
        path = Path(options.animation)
        form = path.suffix.removeprefix(".").lower()
        picture = game.animation(form, size=options.size or 880, theme=options.theme, dark=options.dark)
        path.write_bytes(picture)


def _write(name: str, picture: str) -> None:
    if name == "-":
        print(picture)
    else:
        Path(name).write_text(picture, encoding="utf-8")


def _positions(given: str) -> list[Position]:
    if given != "-" and len(given.split()) == 1 and len(given) < 256 and not Path(given).exists():
        raise QuiltworkError(f"{given}: no such file; a position has six fields, as `quiltwork new` prints it")
    if given != "-" and (len(given) > 4096 or not Path(given).exists()):
        return [read_position(given)]
    text = read_text(given)
    if text.lstrip().startswith("[") or Path(given).suffix == ".quilt":
        return [game.end.position for game in Game.parse_many(text)]
    positions = [Position.from_setup(setup) for _, setup, _ in parse_lines(text)]
    if not positions:
        raise QuiltworkError(f"{given}: there is no position")
    return positions


def _parts(position: Position) -> dict[str, object]:
    outcome = position.outcome()
    return {
        "position": position.text,
        "edition": position.edition.name,
        "phase": position.phase.name.lower(),
        "turn": position.turn,
        "players": [
            {
                "space": state.space,
                "buttons": state.buttons,
                "income": state.income,
                "empty_spaces": state.empty_spaces,
                "placements": [str(placed) for placed in state.placements],
                "score": position.score(player).total,
            }
            for player, state in zip(Player, position.players, strict=True)
        ],
        "tile": position.tile,
        "choices": [patch.code for patch in position.choices()],
        "circle": [patch.code for patch in position.circle],
        "reserve": [patch.code for patch in position.reserve],
        "winner": outcome.winner if outcome else None,
    }
