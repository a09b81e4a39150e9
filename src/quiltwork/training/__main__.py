"""`python -m quiltwork.training CONFIG FOLDER [--resume FOLDER]`; `--export FILE` writes a net as ONNX."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from quiltwork.errors import QuiltworkError


def main(arguments: list[str] | None = None) -> int:
    """Trains a net; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m quiltwork.training", description="Trains a net by self-play.")
    parser.add_argument("config", type=Path, help="the settings, a TOML file")
    parser.add_argument("folder", type=Path, help="where checkpoints and the log go")
    parser.add_argument("--export", type=Path, metavar="FILE", help="only write the folder's net as ONNX")
    parser.add_argument("--net", default="average.pt", help="the file of the net to export")
    parser.add_argument("--resume", type=Path, help="the folder of a checkpoint to continue from")
    given = parser.parse_args(arguments)
    try:
        import torch  # noqa: F401
    except ImportError:
        print("Training needs torch: pip install 'quiltwork[train]'", file=sys.stderr)
        return 1
    from quiltwork.training.config import read_config
    from quiltwork.training.export import export_checkpoint
    from quiltwork.training.rivals import search_rival
    from quiltwork.training.run import Run

    try:
        if given.export:
            export_checkpoint(given.folder, given.net, given.export)
            return 0
        config = read_config(given.config)
        measured = config.evaluation.rival_games > 0
        rivals = {"search": search_rival(config.evaluation.rival_simulations)} if measured else {}
        Run(config, given.folder, given.resume, rivals).play()
    except QuiltworkError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
