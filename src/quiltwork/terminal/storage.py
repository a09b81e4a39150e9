"""The unfinished game of the terminal: kept after every move, so that nothing is ever lost."""

from __future__ import annotations

import os
from pathlib import Path

from platformdirs import user_data_path

from quiltwork.errors import QuiltworkError
from quiltwork.game import Game


def kept_file() -> Path:
    """Where the unfinished game is kept."""
    root = os.environ.get("QUILTWORK_DATA_DIR")
    return (Path(root) if root else user_data_path("quiltwork")) / "terminal.quilt"


def keep(game: Game) -> None:
    """Keeps the game as it is now."""
    write(game, kept_file())


def kept() -> Game | None:
    """The unfinished game, if there is one that can be read."""
    try:
        game = read(kept_file())
    except QuiltworkError:
        return None
    return None if is_finished(game) else game


def is_finished(game: Game) -> bool:
    """Whether the game was played to its end or given up."""
    return game.end.position.turn is None or "Termination" in game.tags


def write(game: Game, path: Path) -> None:
    """Writes a record; the old file stays whole until the new one is."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_name(path.name + ".new")
        draft.write_text(game.text, encoding="utf-8")
        draft.replace(path)
    except OSError as error:
        raise QuiltworkError(f"{path}: {error.strerror or 'cannot be written'}") from None


def read(path: Path) -> Game:
    """Reads the one game of a file."""
    try:
        return Game.parse(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise QuiltworkError(f"{path}: {error.strerror or 'cannot be read'}") from None
    except UnicodeDecodeError:
        raise QuiltworkError(f"{path}: is not UTF-8 text") from None
