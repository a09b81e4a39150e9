"""The `compiled` decorator: Numba with a disk cache that notices every change of the sources.

Numba's own cache does not notice a change in a function of another file. Here the cache lies in a folder
named by a hash of all sources that the decorated function may call: those of its package, of this one, and the
compiled modules that they import, so that neither contributors nor upgrades run stale rules.
"""

from __future__ import annotations

import hashlib
import inspect
import os
import re
import sys
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from llvmlite.binding import get_host_cpu_name
from numba import config
from platformdirs import user_cache_path

F = TypeVar("F", bound=Callable[..., object])
RULES_FOLDER = Path(__file__).parent
HOME = RULES_FOLDER.parent.parent
_IMPORTS = re.compile(r"^from (quiltwork[\w.]*) import (\([^)]*\)|.*)", re.MULTILINE)
_WORDS = re.compile(r"\w+")
PLAIN: bool = bool(config.DISABLE_JIT)  # type: ignore[attr-defined]
"""whether the kernel runs as plain Python, for debugging and coverage (NUMBA_DISABLE_JIT=1)"""


def compiled(function: F) -> F:
    """Compiles a function without the interpreter lock; with NUMBA_DISABLE_JIT=1 it stays plain Python."""
    return _compile(function, inline=False)


def compiled_inline(function: F) -> F:
    """The same for a small function of the hot path, which is inlined into its callers."""
    return _compile(function, inline=True)


def _compile(function: F, inline: bool) -> F:
    if PLAIN:
        return function
    settings: Any = config
    before = settings.CACHE_DIR
    settings.CACHE_DIR = str(cache_folder(Path(inspect.getfile(function)).parent))
    try:
        decorate: Any = numba.njit(cache=True, nogil=True, boundscheck=False, forceinline=inline)
        return cast(F, decorate(function))
    finally:
        settings.CACHE_DIR = before


@lru_cache(maxsize=16)
def cache_folder(package: Path) -> Path:
    """The folder for the compiled code of a package that stands on the rules."""
    digest = hashlib.sha256(numba.__version__.encode())
    for source, text in sorted(_sources(package).items()):
        digest.update(source.name.encode() + b"\0" + text)
    root = Path(os.environ.get("QUILTWORK_CACHE_DIR") or user_cache_path("quiltwork"))
    return root / "compiled" / f"{package.name}-{digest.hexdigest()[:16]}"


def complete_mark(package: Path, part: str = "all") -> Path:
    """The file that says that a part of a package is compiled, just as Numba will look for it here.

    Numba also looks at where a source lies and when it was changed, and at the Python and the processor.
    """
    digest = hashlib.sha256(f"{sys.version_info} {get_host_cpu_name()}".encode())
    for source in sorted(_sources(package)):
        about = source.stat()
        digest.update(f"{source} {about.st_mtime_ns} {about.st_size}\n".encode())
    return cache_folder(package) / f"{part}-{digest.hexdigest()[:16]}.complete"


def _sources(package: Path) -> dict[Path, bytes]:
    """The sources of a package and of the rules, and the compiled modules that they import, wherever they are."""
    found: dict[Path, bytes] = {}
    waiting = [*RULES_FOLDER.glob("*.py"), *package.glob("*.py")]
    while waiting:
        source = waiting.pop()
        if source not in found:
            found[source] = source.read_bytes()
            waiting += [file for file in _imported(found[source]) if b"rules.compiler import" in file.read_bytes()]
    return found


def _imported(text: bytes) -> Iterator[Path]:
    """The files of this project that a source imports, or imports from."""
    for module, names in _IMPORTS.findall(text.decode()):
        home = HOME / module.replace(".", "/")
        for file in (home.with_suffix(".py"), *(home / f"{name}.py" for name in _WORDS.findall(names))):
            if file.is_file():
                yield file
