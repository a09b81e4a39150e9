"""The weights of a net as a file: one array for each layer, as the compiled net has them."""

from __future__ import annotations

import os
import zipfile
from functools import lru_cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

import numpy as np

from quiltwork.agents.net.features import FEATURES_VERSION
from quiltwork.agents.net.forward import NET
from quiltwork.errors import QuiltworkError

Net = np.ndarray[Any, Any]
DEFAULT = "quiltwork"
"""the net in the package"""
NO_NET: Net = np.zeros(1, NET)
NO_NET.flags.writeable = False


def save_net(net: Net, path: Path) -> None:
    """Writes a net, whole or not at all."""
    arrays = {name: net[name][0] for name in NET.names or ()}
    part = path.with_name(path.name + ".part")
    with part.open("wb") as file:
        np.savez_compressed(file, version=np.array(FEATURES_VERSION), **arrays)
    os.replace(part, path)


def load_net(name: str = DEFAULT) -> Net:
    """A net by the name of one in the package, or from a file; raises QuiltworkError where there is none."""
    if name.endswith(".npz"):
        return _read(Path(name))
    return _in_package(name)


@lru_cache(maxsize=4)
def _in_package(name: str) -> Net:
    file = files("quiltwork.agents.net") / f"{name}.npz"
    if not name.isidentifier() or not file.is_file():
        raise QuiltworkError(f"net {name!r}: no such weights; give the path of a .npz file, or {DEFAULT}")
    with as_file(file) as path:
        return _read(path)


@lru_cache(maxsize=1)
def load_placement_windows() -> np.ndarray[Any, Any]:
    """What each kind of 3x3 window adds to the cost of a quilt."""
    with as_file(files("quiltwork.agents.net") / "placement_windows.npy") as path:
        table: np.ndarray[Any, Any] = np.load(path, allow_pickle=False)
    return table


def _read(path: Path) -> Net:
    net = np.zeros(1, NET)
    try:
        with np.load(path, allow_pickle=False) as arrays:
            version = int(arrays["version"])
            if version != FEATURES_VERSION:
                raise QuiltworkError(
                    f"{path}: the net is for features of version {version}, not {FEATURES_VERSION}"
                )
            for layer in NET.names or ():
                net[layer][0] = arrays[layer]
    except OSError as error:
        raise QuiltworkError(f"{path}: {error.strerror or error}") from None
    except (KeyError, ValueError, TypeError, zipfile.BadZipFile) as error:
        raise QuiltworkError(f"{path}: these are no weights of a net ({error})") from None
    net.flags.writeable = False
    return net
