"""The game server: REST and websockets over the rules, and the page that is played on."""

from __future__ import annotations

from quiltwork.server.run import run as run
from quiltwork.server.settings import Settings as Settings

__all__ = ["Settings", "run"]
