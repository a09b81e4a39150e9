"""Play in the terminal: two people, or a person and the computer.

An unfinished game is kept after every move and waits for the next time.
"""

from __future__ import annotations

import argparse
import os
import secrets
import shutil
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from quiltwork.edition import DEFAULT_EDITION, load_edition
from quiltwork.errors import QuiltworkError
from quiltwork.game import Game
from quiltwork.move import Move, Player
from quiltwork.position import Position


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--edition", help=f"a built-in id or a .toml file (default: {DEFAULT_EDITION})")
    parser.add_argument("--seed", type=int, metavar="N", help="deal number: the same number gives the same circle")
    parser.add_argument("--load", metavar="FILE", help="go on with a saved record")
    parser.add_argument("--new", action="store_true", help="begin a new game even if an unfinished one waits")
    parser.add_argument("--theme", help="draw in another theme than the edition's")
    parser.add_argument("--player1", metavar="NAME", default="Player 1", help="name of the start player")
    parser.add_argument("--player2", metavar="NAME", default="Player 2")
    parser.add_argument(
        "--against",
        metavar="AGENT",
        help="play the computer: random, casual, greedy, planner, search, net, strongest, cmd:PROGRAM",
    )
    parser.add_argument("--seat", type=int, choices=(1, 2), default=1, help="your seat against the computer")
    parser.add_argument("--seconds", type=float, default=1.0, metavar="S", help="the computer's time a move (1)")
    parser.add_argument("--quick", action="store_true", help="play moves without asking once more")


def run(options: argparse.Namespace) -> int:
    from quiltwork.agents import agent_of
    from quiltwork.terminal import storage
    from quiltwork.terminal.session import Session
    from quiltwork.theme import load_theme, theme_of

    interactive = sys.stdin.isatty()
    if interactive:
        # Gives the prompt a history and editing, where there is one.
        with suppress(ImportError):
            import readline  # noqa: F401
    if options.against:
        # An agent that does not exist is told before anything is asked.
        agent_of(options.against).close()
    game = _game(options, storage.kept())
    opponent = _opponent(options, game)
    names = _names(options, game, opponent)
    computer = Player(options.seat).opponent
    session = Session(
        game,
        load_theme(options.theme) if options.theme else theme_of(game.edition),
        ask=input,
        tell=print,
        rng=secrets.SystemRandom(),
        names=names,
        thinkers={computer: _thinker(opponent, options.seconds)} if opponent else {},
        hint=_hint,
        colour=sys.stdout.isatty() and not os.environ.get("NO_COLOR"),
        width=max(60, shutil.get_terminal_size((96, 24)).columns),
        confirm=not options.quick,
    )
    session.run()
    return 0


def _game(options: argparse.Namespace, kept: Game | None) -> Game:
    from quiltwork.terminal import storage

    if options.load:
        if options.edition or options.seed is not None:
            raise QuiltworkError("--load takes the edition and the deal from the record")
        return storage.read(Path(options.load))
    fresh = options.new or options.edition or options.seed is not None
    edition = load_edition(options.edition or DEFAULT_EDITION)
    if kept is not None and not fresh:
        moves = len(kept.end.line())
        print(f"An unfinished game of {kept.edition.title} waits, {moves} moves played.")
        try:
            if input("Go on with it? [Enter = yes, n = new game] ").strip().lower() not in ("n", "no"):
                return kept
        except EOFError:
            return kept
    deal = secrets.randbelow(10**6) if options.seed is None else options.seed
    print(f"{edition.title}, deal {deal}.")
    return Game.new(edition, deal=deal)


def _opponent(options: argparse.Namespace, game: Game) -> str | None:
    """The agent to play against: as asked for, or as the unfinished game remembers."""
    if options.against:
        game.tags["Opponent"] = f"{options.against} {options.seat}"
    agent, _, seat = game.tags.get("Opponent", "").partition(" ")
    if seat in ("1", "2"):
        options.seat = int(seat)
    return agent or None


def _names(options: argparse.Namespace, game: Game, opponent: str | None) -> tuple[str, str]:
    names = [options.player1, options.player2]
    if opponent:
        names[2 - options.seat] = opponent.capitalize()
    for tag, name in zip(("Player1", "Player2"), names, strict=True):
        game.tags.setdefault(tag, name)
    return game.tags["Player1"], game.tags["Player2"]


def _thinker(spec: str, seconds: float) -> Callable[[Position], Move]:
    from quiltwork.agents import Limits, agent_of

    agent = agent_of(spec)
    limits = Limits(seconds=seconds)
    return lambda position: agent.think(position, limits).best.move


def _hint(position: Position) -> str:
    from quiltwork.agents import Limits, agent_of
    from quiltwork.analysis.hint import hint_of

    return str(hint_of(position, agent_of("strongest").think(position, Limits(seconds=1.0))))
