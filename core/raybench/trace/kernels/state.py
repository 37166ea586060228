"""The state of a trace, and of a batch: what the elements of two arrays of integers mean."""

from __future__ import annotations

GO, DONE, LIMIT, GROW, FULL, STOPPED, POLL, LARGE, AGAIN = range(9)
"""Return codes of `advance`. DONE: no ray is alive. LIMIT: the limit on rows is reached. GROW: the
arrays are full, enlarge them. FULL: memory is exhausted. STOPPED: the caller asked to stop. POLL:
time to poll for a stop and report progress. LARGE: enough rays are waiting to share them among
threads. GO (a chunk was taken) and AGAIN (try once more) are never returned.
"""

# the state of a trace: the next ray in the queue, the end of the rays that are open, and that of
# the generation ...
(
    NEXT,
    HIGH,
    UNTIL,
    ENTRIES,
    ROWS,
    CREATED,
    LAST_HIT,
    CHUNKS,
    FIRST_ROW,
    SURVIVORS,
    KEPT,
    COMPACTED,
) = range(12)
LINE, NEW_POINTS, WANTED, MEMORY, ROW_BYTES, RAY_BYTES, STOP, ROOM, STATE_SIZE = range(12, 21)
# `Batch.chunk`: its range of the queue, how many live rays that has and how many of them were
# searched, the number of points logged, of points, of children of all rays but the first, of the
# first one's children if the ray before it hit the same object or another, and of rays that go on
LOW, END, WHOLE, COUNT, LOGGED, POINTS, CHILDREN, FIRST_SAME, FIRST_OTHER, GOING_ON, CHUNK_SIZE = (
    range(11)
)
