"""The `compiled` decorator: Numba with a disk cache that notices every change of the sources.

Numba's own cache does not notice a change in a function of another file. Here the cache lies in a folder
named by a hash of all sources of the decorated function's package and of this one, so that neither
contributors nor upgrades run stale rules.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

import numba
from platformdirs import user_cache_path

F = TypeVar("F", bound=Callable[..., object])
RULES_FOLDER = Path(__file__).parent


def compiled(function: F) -> F:
    """Compiles a function without the interpreter lock; with NUMBA_DISABLE_JIT=1 it stays plain Python."""
    if numba.config.DISABLE_JIT:
        return function
    return _compile(function, inline=False)


def compiled_inline(function: F) -> F:
    """The same for a small function of the hot path, which is inlined into its callers."""
    if numba.config.DISABLE_JIT:
        return function
    return _compile(function, inline=True)


def _compile(function: F, inline: bool) -> F:
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(cache_folder(Path(function.__code__.co_filename).parent))  # type: ignore[attr-defined]
    try:
        flags = {"forceinline": True} if inline else {}
        return numba.njit(cache=True, nogil=True, boundscheck=False, **flags)(function)  # type: ignore[no-any-return]
    finally:
        numba.config.CACHE_DIR = before


@lru_cache(maxsize=16)
def cache_folder(package: Path) -> Path:
    """The folder for the compiled code of a package that stands on the rules."""
    digest = hashlib.sha256(numba.__version__.encode())
    for folder in dict.fromkeys((RULES_FOLDER, package)):
        for source in sorted(folder.glob("*.py")):
            digest.update(source.name.encode() + b"\0" + source.read_bytes())
    root = Path(os.environ.get("QUILTWORK_CACHE_DIR") or user_cache_path("quiltwork"))
    return root / "compiled" / f"{package.name}-{digest.hexdigest()[:16]}"
