"""A bot for `quiltwork match` in 20 lines: buys what covers most for its price and time.

quiltwork match "cmd:python examples/my_bot.py" random --edition express --games 20
"""

import json
import sys

from quiltwork import Move, Position, TakePatch


def choose(position: Position) -> str:
    """The best move by a rule of thumb; its notation is all that a bot needs to answer."""

    def worth(move: Move) -> float:
        if not isinstance(move, TakePatch):
            return 0.5
        patch = position.edition.patches[move.patch]
        return (2 * len(patch.cells) + 5 * patch.income - patch.buttons) / max(1, patch.time)

    return str(max(position.legal_moves(), key=worth))


for line in sys.stdin:
    request = json.loads(line)
    move = choose(Position.parse(request["position"]))
    print(json.dumps({"id": request["id"], "moves": [{"move": move}]}), flush=True)
