"""The loop of a trace, compiled: any number of threads take chunks of the queue until all light has ended.

The queue's rays are processed in order, in sweeps: each goes one segment further, then its children do, which stand behind all others;
then those that are still alive begin anew. Part of a sweep whose rays are known when it begins is a generation, and is cut into chunks
(``share`` in names). A thread finds what its chunk's rays meet, waits until all chunks before have reserved the indices of their children,
reserves its own, and writes the rows. So the rows are the same for any number of threads.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.trace.codes import Status
from core.trace.columns import Columns
from core.trace.compilation.atomics import load, lock, rest, store, unlock
from core.trace.compilation.jit import ONE, ZERO, entry, inner, rare
from core.trace.kernels.kernel import ILL_A, ILL_B, ILL_POWER, SUMS_SIZE, find_hits, interact, plan
from core.trace.kernels.medium import locate
from core.trace.kernels.rays import ALIVE, DX, DY, OBJECT, PARENT, Batch, Emitted, P, Places, Queue, S, X, Y, copy_ray, emit, gather
from core.trace.tables.bvh import Hierarchy
from core.trace.tables.tables import Tables

STILL_ALIVE = int(Status.ALIVE)

GO, DONE, LIMIT, GROW, FULL, LEAVE, POLL, LARGE, WAIT, AGAIN = range(10)
"""Return codes of `advance`. DONE: all light has ended. LIMIT: the limit on rows is reached. GROW: the arrays are full, enlarge them.
FULL: memory is exhausted. LEAVE: the caller asked to stop. POLL: time to poll for a stop and report progress. LARGE: call helper threads.
WAIT: no chunk is free, peers are still working. GO (a chunk was taken) and AGAIN (try once more) are never returned."""

# the state of a trace, shared by its threads: elements are written by who holds the LOCK, or whose chunk is the next in TURN
LOCK, TURN, AT_WORK, CODE = 0, 8, 16, 17
NEXT, HIGH, ENTRIES, STOP, ROWS, PLACES, LAST_HIT, TAKEN, SHARES, FINISHED, FIRST_ROW, SURVIVORS, KEPT, SWEPT = range(24, 38)
LINE, NEW_POINTS, ABORTED, PEAK, MEMORY, ROW_BYTES, RAY_BYTES, WANTED, UNTIL, STATE_SIZE = range(38, 48)
# a thread's chunk: its range of the queue, its number, its row in the sums, the number of its rays, and its first row
LOW, END, NUMBER, SLOT, COUNT, ROW, SHARE_SIZE = range(7)

SECTION = 1 << 16
"""The most rays of a generation that are begun before all of them are done: arrays for the most children they may have are made before."""
LEAST_SECTION = 64
"""A trace ends where memory suffices for fewer rays than this."""
POINT_BYTES = 16
SLICE = 4_096
"""Entries that are swept at once."""
PATIENCE = 2_000
"""How often a thread tries to take a chunk before it returns WAIT."""


@entry
def add_up(state: NDArray[np.int64], sums: NDArray[np.float64]) -> None:
    """Add the sums of all chunks of a generation to those of the trace, in row 0, in order."""
    for i in range(1, state[SHARES] + 1):
        if sums[0, ILL_POWER] == 0.0:
            sums[0, ILL_A], sums[0, ILL_B] = sums[i, ILL_A], sums[i, ILL_B]
        for j in range(ILL_A):
            sums[0, j] += sums[i, j]
        for j in range(SUMS_SIZE):
            sums[i, j] = 0.0
    state[SHARES] = 0


@rare
def sweep(q: Queue, state: NDArray[np.int64]) -> bool:
    """Move the live rays of a slice of the queue to the front, in order; True after the last slice."""
    kept, end = state[KEPT], min(state[ENTRIES], state[SWEPT] + SLICE)
    for i in range(state[SWEPT], end):
        if q.mark[i, ALIVE]:
            if kept != i:
                copy_ray(q, i, q, kept)
            kept += 1
    state[KEPT], state[SWEPT] = kept, end
    if end < state[ENTRIES]:
        return False
    state[ENTRIES], state[KEPT], state[SWEPT] = kept, 0, 0
    return True


@rare
def any_alive(q: Queue, n: int) -> bool:
    return bool(np.any(q.mark[:n, ALIVE]))


@rare
def open_section(t: Tables, q: Queue, c: Columns, state: NDArray[np.int64], limit: int) -> int:
    """Release the next rays of a generation to be processed, as many as there is memory for: AGAIN, or the code of what is lacking."""
    taken = state[ROWS] * state[ROW_BYTES] + state[ENTRIES] * state[RAY_BYTES] + state[LINE] * POINT_BYTES
    fitting = (state[MEMORY] - taken) // (state[ROW_BYTES] + t.most_children * state[RAY_BYTES])
    if state[HIGH] == state[UNTIL]:  # a generation ends where it ended when it began
        state[UNTIL] = state[ENTRIES]
    size = min(state[UNTIL] - state[HIGH], SECTION)
    if fitting < min(size, LEAST_SECTION):
        state[CODE] = FULL
        return FULL
    size = min(size, fitting)
    if min(limit, state[ROWS] + size) > len(c.status) or state[ENTRIES] + size * t.most_children > len(q.place):
        state[CODE], state[WANTED] = GROW, size
        return GROW
    state[HIGH] += size
    return AGAIN


@rare
def hand_out(t: Tables, q: Queue, c: Columns, b: Batch, state: NDArray[np.int64], sums: NDArray[np.float64], limit: int) -> int:
    """Take the next chunk into the batch, with the lock held: GO, or the code of why there is none."""
    if state[STOP] != 0:
        return LEAVE
    if state[CODE] != GO:
        return int(state[CODE])
    if state[ROWS] >= limit:
        if state[AT_WORK] > 0:
            return WAIT
        state[CODE] = LIMIT if any_alive(q, state[ENTRIES]) else DONE
        return int(state[CODE])
    while state[NEXT] < state[HIGH]:
        low = high = state[NEXT]
        end, most = min(low + len(b.at), state[HIGH]), limit - state[ROWS]
        count = 0
        while high < end and count < most:
            count += int(q.mark[high, ALIVE])
            high += 1
        if count == 0:
            state[NEXT] = high
            continue
        b.share[LOW], b.share[END], b.share[COUNT], b.share[ROW] = low, high, count, state[ROWS]
        state[SHARES] += 1
        b.share[NUMBER], b.share[SLOT] = state[TAKEN], state[SHARES]
        state[NEXT] = high
        state[ROWS] += count
        state[TAKEN] += 1
        state[AT_WORK] += 1
        return GO
    if state[AT_WORK] > 0:
        return WAIT
    add_up(state, sums)
    state[FINISHED], state[PEAK] = state[ROWS], max(state[PEAK], state[ENTRIES])
    if state[HIGH] < state[ENTRIES]:
        return open_section(t, q, c, state, limit)
    if state[SURVIVORS] == 0:
        state[CODE] = DONE
        return DONE
    # dead entries are passed over until they are the most
    if (state[SWEPT] > 0 or 2 * state[SURVIVORS] < state[ENTRIES]) and not sweep(q, state):
        return AGAIN
    state[NEXT], state[HIGH], state[UNTIL], state[LAST_HIT] = 0, 0, 0, -1
    state[FIRST_ROW], state[SURVIVORS] = state[ROWS], 0
    return AGAIN


@inner
def settle(
    t: Tables, h: Hierarchy, loose: NDArray[np.int64], c: Columns, b: Batch, state: NDArray[np.int64], children: int, points: int
) -> bool:
    """In its turn: reserve the indices of a chunk's children and points. False where the polyline is full: then the chunk is put back, with
    all that were taken after it."""
    share = b.share
    children += plan(t, h, loose, b, ZERO, ONE, state[LAST_HIT])
    if state[LINE] + points > len(c.polyline):
        lock(state, LOCK)
        state[NEXT], state[ROWS], state[TAKEN], state[SHARES] = share[LOW], share[ROW], share[NUMBER], share[SLOT] - 1
        state[NEW_POINTS], state[CODE], state[WANTED] = points, GROW, state[HIGH] - share[LOW]
        store(state, ABORTED, 1)
        unlock(state, LOCK)
        return False
    state[ENTRIES] += children
    state[PLACES] += children
    state[LINE] += points
    state[LAST_HIT] = b.met[share[COUNT] - 1, OBJECT]
    return True


@inner
def work_on(
    t: Tables, h: Hierarchy, loose: NDArray[np.int64], e: Emitted, q: Queue, c: Columns, b: Batch, state: NDArray[np.int64],
    sums: NDArray[np.float64], far: float,
) -> None:  # fmt: skip
    """Take the rays of a chunk one segment further."""
    share = b.share
    count, new = share[COUNT], share[ROW] < len(e.chosen)
    if new:  # the first rows are those of the rays from the sources
        emit(e, share[LOW], share[END], b)
        for i in range(count if len(t.graded) > 0 else 0):
            locate(t, b.inside[i], b.ray[i, X], b.ray[i, Y], b.ray[i, DX], b.ray[i, DY])
    else:
        gather(q, share[LOW], share[END], b)
    points = find_hits(t, h, loose, b, count)
    # what the entry before the first hit is known when the chunk before has been planned
    children = plan(t, h, loose, b, ONE, count, b.met[0, OBJECT])
    tries = 0
    while load(state, TURN) != share[NUMBER]:
        if load(state, ABORTED) != 0:
            share[COUNT] = 0
            return
        tries += 1
        rest(tries)
    to = Places(share[ROW], state[FIRST_ROW], state[ENTRIES], state[PLACES], state[LINE], share[SLOT])
    if not settle(t, h, loose, c, b, state, children, points):
        share[COUNT] = 0
        return
    store(state, TURN, share[NUMBER] + 1)
    interact(t, h, loose, b, q, c, sums, count, to, far, new)


@inner
def is_worth_sharing(state: NDArray[np.int64], batch: int, large: int) -> bool:
    """Whether enough rays lie ahead to call other threads; an eighth of the rows so far is taken as a forecast."""
    ahead = state[HIGH] - state[NEXT]
    return bool(ahead >= 2 * batch and ahead + state[ROWS] // 8 >= large)


@entry
def advance(
    t: Tables, h: Hierarchy, loose: NDArray[np.int64], e: Emitted, q: Queue, c: Columns, b: Batch, state: NDArray[np.int64],
    sums: NDArray[np.float64], limit: int, poll: int, large: int, far: float,
) -> int:  # fmt: skip
    """Trace, together with other threads in the same function, until all light has ended or the caller must act; returns one of the codes.

    ``b`` is the thread's own, all else is shared. Returns POLL after about ``poll`` rays, and LARGE where about ``large`` rays lie ahead.
    """
    share, handled, idle = b.share, 0, 0
    while True:
        lock(state, LOCK)
        if share[COUNT] > 0:
            state[AT_WORK] -= 1
            for i in range(share[COUNT]):
                state[SURVIVORS] += b.mark[i, ALIVE]
            share[COUNT] = 0
        if handled >= poll and state[CODE] == GO and state[STOP] == 0:
            code = POLL
        elif is_worth_sharing(state, len(b.at), large):
            code = LARGE
        else:
            code = hand_out(t, q, c, b, state, sums, limit)
        unlock(state, LOCK)
        if code == GO:
            handled, idle = handled + share[COUNT], 0
            work_on(t, h, loose, e, q, c, b, state, sums, far)
        elif code == AGAIN:
            handled += SLICE
        elif code == WAIT and idle < PATIENCE:
            tries = 0
            while load(state, AT_WORK) != 0 and tries < 100:
                tries += 1
            idle += 1
            rest(tries * idle)
        else:
            return code


@entry
def leave(e: Emitted, q: Queue, c: Columns, state: NDArray[np.int64], low: int, high: int) -> float:
    """At the end: give the rows whose light has not gone on, of a range of the queue, the status ALIVE; returns the power of that light."""
    waiting = 0.0
    begun = state[NEXT] if state[FIRST_ROW] == 0 else len(e.chosen)
    for i in range(low, high):
        if begun <= i < len(e.chosen):
            waiting += e.power[e.chosen[i]]
        elif q.mark[i, ALIVE] and not state[KEPT] <= i < state[SWEPT]:
            waiting += q.ray[i, S] + q.ray[i, P]
            if q.tag[i, PARENT] >= 0:
                c.status[q.tag[i, PARENT]] = STILL_ALIVE
    return waiting
