"""A bot for the tests: `python bots.py KIND` speaks the analysis protocol well, or badly in one way."""

from __future__ import annotations

import json
import sys
import time


def main(kind: str) -> None:
    if kind == "crash":
        sys.exit(3)
    for line in sys.stdin:
        request = json.loads(line)
        if request.get("cancel"):
            print(json.dumps({"id": request["id"], "moves": [{"move": "+", "visits": 7}]}), flush=True)
            continue
        special = request["position"].split()[1].endswith("s")
        reply = {"id": request["id"], "moves": [{"move": "s@-" if special else "+"}]}
        match kind:
            case "garbage":
                print("hello, I am a bot", flush=True)
            case "list":
                print("[1, 2, 3]", flush=True)
            case "illegal":
                reply["moves"] = [{"move": "9z@a1"}]
            case "empty":
                reply["moves"] = []
            case "refuse":
                reply = {"id": request["id"], "error": "I do not like this", "field": "position"}
            case "hang":
                time.sleep(600)
            case "flood":
                sys.stdout.write("x" * 3_000_000)
                sys.stdout.flush()
            case "chatter":
                for _ in range(20_000):
                    print(json.dumps({**reply, "partial": True}), flush=True)
            case "complain":
                print("thinking hard", file=sys.stderr, flush=True)
                raise ValueError("I cannot go on")
            case "lines":
                second = (
                    "2a@a1" if "2a@a1" in request.get("only", []) else request["position"].split()[5][:2] + "@a1"
                )
                reply["moves"] = [
                    {"move": "+", "win": 0.75, "points": 3.5, "line": ["+1", "+2", "nonsense"]},
                    {"move": "nonsense"},
                    {"move": second, "win": "high"},
                ]
                reply["simulations"] = 42
            case "endless":
                if request["limits"].get("infinite"):
                    print(json.dumps({**reply, "partial": True}), flush=True)
                    continue
            case "late":
                print(json.dumps({"id": "another", "moves": []}), flush=True)
                print(json.dumps({**reply, "partial": True}), flush=True)
        print(json.dumps(reply), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
