"""The state of a trace that its threads share, and of a thread's chunk: what the elements of two arrays of integers mean."""

from __future__ import annotations

GO, DONE, LIMIT, GROW, FULL, STOPPED, POLL, LARGE, WAIT, AGAIN = range(10)
"""Return codes of `advance`. DONE: no ray is alive. LIMIT: the limit on rows is reached. GROW: the arrays are full, enlarge them.
FULL: memory is exhausted. STOPPED: the caller asked to stop. POLL: time to poll for a stop and report progress. LARGE: call helper threads.
WAIT: no chunk is free, peers are still working. GO (a chunk was taken) and AGAIN (try once more) are never returned."""

# the state of a trace, shared by its threads: elements are written while holding the LOCK, or by the thread whose chunk has the TURN
LOCK, TURN, AT_WORK, CODE = 0, 8, 16, 17
NEXT, HIGH, ENTRIES, STOP, ROWS, CREATED, LAST_HIT, TAKEN, CHUNKS, FINISHED, FIRST_ROW, SURVIVORS, KEPT, COMPACTED = range(24, 38)
LINE, NEW_POINTS, ABORTED, MEMORY, ROW_BYTES, RAY_BYTES, WANTED, UNTIL, STATE_SIZE = range(38, 47)
# `Batch.chunk`: its range of the queue, its number, its row in the sums, the number of its rays, its first row, and the number
# of points logged
LOW, END, NUMBER, SLOT, COUNT, ROW, LOGGED, CHUNK_SIZE = range(8)
