"""`python -m quiltwork.training CONFIG FOLDER [--resume FROM]`; `--export FILE` writes a net for the agent."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from quiltwork.arena.cluster import LOCAL
from quiltwork.errors import QuiltworkError


def main(arguments: list[str] | None = None) -> int:
    """Trains a net; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m quiltwork.training", description="Trains a net by self-play.")
    parser.add_argument("config", type=Path, help="the settings, a TOML file")
    parser.add_argument("folder", type=Path, help="where checkpoints and the log go")
    parser.add_argument(
        "--resume", type=Path, metavar="FROM", help="continue from a checkpoint, or from weights (.npz)"
    )
    parser.add_argument("--export", type=Path, metavar="FILE", help="only write the folder's best net (.npz)")
    parser.add_argument(
        "--ray", nargs="?", const=LOCAL, metavar="ADDRESS", help="play on the machines of a Ray cluster"
    )
    given = parser.parse_args(arguments)
    try:
        import torch  # noqa: F401
    except ImportError:
        print("Training needs torch: pip install 'quiltwork[train]'", file=sys.stderr)
        return 1
    from quiltwork.training.config import read_config
    from quiltwork.training.run import Run, export

    try:
        if given.export:
            export(given.folder, given.export)
        else:
            Run(read_config(given.config), given.folder, given.resume, given.ray).play()
    except QuiltworkError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
