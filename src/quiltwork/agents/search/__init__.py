"""One tree search: `search` evaluates its leaves by playouts, `net` by the net. Begin with `mcts.py`."""
