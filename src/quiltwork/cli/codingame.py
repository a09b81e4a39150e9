"""Play one game as a bot of the public CodinGame arena: turns on the input, commands on the output.

To run a bot that was written for that arena against our agents:
quiltwork match codingame:./bot search --edition patchwork-2014
"""

from __future__ import annotations

import argparse
import sys

from quiltwork.agents import warm
from quiltwork.agents.agent import Limits
from quiltwork.agents.registry import agent_of
from quiltwork.errors import QuiltworkError
from quiltwork.programs.codingame.player import play

MARGIN_MS = 40
"""milliseconds of each turn kept back for reading, writing and a busy machine"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--agent", default="strongest", metavar="A", help="who chooses the moves (strongest)")
    parser.add_argument(
        "--turn-ms",
        type=int,
        default=100,
        metavar="N",
        help=f"the arena's limit a turn; {MARGIN_MS} are kept back (100)",
    )
    parser.add_argument("--simulations", type=int, metavar="N", help="think this much at most")


def run(options: argparse.Namespace) -> int:
    if options.turn_ms <= MARGIN_MS:
        raise QuiltworkError(f"--turn-ms must be more than {MARGIN_MS}, not {options.turn_ms}")
    limits = Limits((options.turn_ms - MARGIN_MS) / 1000, options.simulations)
    agent = agent_of(options.agent)
    warm.ready_for(options.agent)
    try:
        play(agent, limits, sys.stdin, sys.stdout)
    finally:
        agent.close()
    return 0
