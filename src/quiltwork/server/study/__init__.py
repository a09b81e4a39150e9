"""Study: reviews of finished games, an analysis board and a coach, bounded and behind every live game.

`pool.py` owns the processes that think, at the lowest priority of the system; `reviews.py` runs one review a
visitor at a time and keeps what it found; `board.py` reads, plays and writes variations; `api.py` is the door.
"""

from quiltwork.server.study.desk import Study

__all__ = ["Study"]
