"""The protocol of the public CodinGame arena for this game; docs/codingame.md tells what was assumed of it.

protocol   turns and commands as text, both ways
player     our agents as a bot of that arena
bot        a bot of that arena as one of our agents: `codingame:./bot`
"""

from __future__ import annotations

from quiltwork.programs.codingame.bot import CodinGameBot as CodinGameBot
from quiltwork.programs.codingame.player import play as play

__all__ = ["CodinGameBot", "play"]
