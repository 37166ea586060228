"""The loop of a trace, compiled: any number of threads take chunks of the queue until all light has ended.

The queue is processed in sweeps: each ray advances by one segment, in order, including the children that are appended meanwhile; then the
next sweep starts with the rays still alive. The part of a sweep that is in the queue when it starts is a generation, and is divided into
chunks. A thread finds the hits of its chunk's rays, waits until all earlier chunks have reserved the indices of their children, reserves
its own, and writes the rows. So the rows are the same for any number of threads.
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
from core.trace.kernels.rays import ALIVE, DX, DY, OBJECT, PARENT, Batch, Emitted, Offsets, P, Queue, S, X, Y, copy_ray, emit, gather
from core.trace.kernels.state import (
    ABORTED,
    AGAIN,
    AT_WORK,
    CHUNKS,
    CODE,
    COMPACTED,
    COUNT,
    CREATED,
    DONE,
    END,
    ENTRIES,
    FINISHED,
    FIRST_ROW,
    FULL,
    GO,
    GROW,
    HIGH,
    KEPT,
    LARGE,
    LAST_HIT,
    LIMIT,
    LINE,
    LOCK,
    LOW,
    MEMORY,
    NEW_POINTS,
    NEXT,
    NUMBER,
    POLL,
    RAY_BYTES,
    ROW,
    ROW_BYTES,
    ROWS,
    SLOT,
    STOP,
    STOPPED,
    SURVIVORS,
    TAKEN,
    TURN,
    UNTIL,
    WAIT,
    WANTED,
)
from core.trace.tables.bvh import Hierarchy
from core.trace.tables.tables import Tables

STILL_ALIVE = int(Status.ALIVE)

SECTION = 1 << 16
"""The most rays of a generation that are in progress at once: room for the most children they can have is made beforehand."""
LEAST_SECTION = 64
"""A trace ends when memory suffices for fewer rays than this."""
POINT_BYTES = 16
SLICE = 4_096
"""Queue entries that are compacted at a time, while the lock is held."""
WAIT_TRIES = 2_000
"""How often a thread tries to take a chunk before it returns WAIT."""


@entry
def add_sums(state: NDArray[np.int64], sums: NDArray[np.float64]) -> None:
    """Add the sums of all chunks, in order, to the trace's sums in row 0."""
    for i in range(1, state[CHUNKS] + 1):
        if sums[0, ILL_POWER] == 0.0:
            sums[0, ILL_A], sums[0, ILL_B] = sums[i, ILL_A], sums[i, ILL_B]
        for j in range(ILL_A):
            sums[0, j] += sums[i, j]
        for j in range(SUMS_SIZE):
            sums[i, j] = 0.0
    state[CHUNKS] = 0


@rare
def compact(q: Queue, state: NDArray[np.int64]) -> bool:
    """Move the live rays of a slice of the queue to its front, in order; True after the last slice."""
    kept, end = state[KEPT], min(state[ENTRIES], state[COMPACTED] + SLICE)
    for i in range(state[COMPACTED], end):
        if q.mark[i, ALIVE]:
            if kept != i:
                copy_ray(q, i, q, kept)
            kept += 1
    state[KEPT], state[COMPACTED] = kept, end
    if end < state[ENTRIES]:
        return False
    state[ENTRIES], state[KEPT], state[COMPACTED] = kept, 0, 0
    return True


@rare
def any_alive(q: Queue, n: int) -> bool:
    return bool(np.any(q.mark[:n, ALIVE]))


@rare
def open_section(t: Tables, q: Queue, c: Columns, state: NDArray[np.int64], limit: int) -> int:
    """Release the next rays of a generation for processing, as many as memory allows: AGAIN, or the code of the shortage."""
    used = state[ROWS] * state[ROW_BYTES] + state[ENTRIES] * state[RAY_BYTES] + state[LINE] * POINT_BYTES
    fitting = (state[MEMORY] - used) // (state[ROW_BYTES] + t.most_children * state[RAY_BYTES])
    if state[HIGH] == state[UNTIL]:  # the next generation: all rays now in the queue
        state[UNTIL] = state[ENTRIES]
    size = min(state[UNTIL] - state[HIGH], SECTION)
    if fitting < min(size, LEAST_SECTION):
        state[CODE] = FULL
        return FULL
    size = min(size, fitting)
    if min(limit, state[ROWS] + size) > len(c.status) or state[ENTRIES] + size * t.most_children > len(q.serial):
        state[CODE], state[WANTED] = GROW, size
        return GROW
    state[HIGH] += size
    return AGAIN


@rare
def take_chunk(t: Tables, q: Queue, c: Columns, b: Batch, state: NDArray[np.int64], sums: NDArray[np.float64], limit: int) -> int:
    """Assign the next chunk to the batch, with the lock held: GO, or the code of the reason why there is none."""
    if state[STOP] != 0:
        return STOPPED
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
        b.chunk[LOW], b.chunk[END], b.chunk[COUNT], b.chunk[ROW] = low, high, count, state[ROWS]
        state[CHUNKS] += 1
        b.chunk[NUMBER], b.chunk[SLOT] = state[TAKEN], state[CHUNKS]
        state[NEXT] = high
        state[ROWS] += count
        state[TAKEN] += 1
        state[AT_WORK] += 1
        return GO
    if state[AT_WORK] > 0:
        return WAIT
    add_sums(state, sums)
    state[FINISHED] = state[ROWS]
    if state[HIGH] < state[ENTRIES]:
        return open_section(t, q, c, state, limit)
    if state[SURVIVORS] == 0:
        state[CODE] = DONE
        return DONE
    # dead entries are skipped until they are the majority
    if (state[COMPACTED] > 0 or 2 * state[SURVIVORS] < state[ENTRIES]) and not compact(q, state):
        return AGAIN
    state[NEXT], state[HIGH], state[UNTIL], state[LAST_HIT] = 0, 0, 0, -1
    state[FIRST_ROW], state[SURVIVORS] = state[ROWS], 0
    return AGAIN


@inner
def release(state: NDArray[np.int64], low: int, row: int, number: int, chunks: int) -> None:
    """Release the queue from index ``low`` on, with the rows, the chunks and the sums that were to follow, and so all later chunks."""
    lock(state, LOCK)
    state[NEXT], state[ROWS], state[TAKEN], state[CHUNKS] = low, row, number, chunks
    store(state, ABORTED, 1)
    unlock(state, LOCK)


@inner
def reserve(
    t: Tables, h: Hierarchy, loose: NDArray[np.int64], c: Columns, b: Batch, state: NDArray[np.int64], children: int, points: int
) -> bool:
    """Reserve the indices of a chunk's children and points; the chunk must have the turn. False if the polyline is full: then this chunk
    and all later ones are released again."""
    chunk = b.chunk
    children += plan(t, h, loose, b, ZERO, ONE, state[LAST_HIT])
    if state[LINE] + points > len(c.polyline):
        release(state, chunk[LOW], chunk[ROW], chunk[NUMBER], chunk[SLOT] - 1)
        state[NEW_POINTS], state[CODE], state[WANTED] = points, GROW, state[HIGH] - chunk[LOW]
        return False
    state[ENTRIES] += children
    state[CREATED] += children
    state[LINE] += points
    state[LAST_HIT] = b.hit[chunk[COUNT] - 1, OBJECT]
    return True


@inner
def process_chunk(
    t: Tables, h: Hierarchy, loose: NDArray[np.int64], e: Emitted, q: Queue, c: Columns, b: Batch, state: NDArray[np.int64],
    sums: NDArray[np.float64], far: float,
) -> None:  # fmt: skip
    """Advance the rays of a chunk by one segment."""
    chunk = b.chunk
    count, new = chunk[COUNT], chunk[ROW] < len(e.chosen)
    if new:  # the first rows are those of the source rays
        emit(e, chunk[LOW], chunk[END], b)
        for i in range(count if len(t.graded) > 0 else 0):
            locate(t, b.inside[i], b.ray[i, X], b.ray[i, Y], b.ray[i, DX], b.ray[i, DY])
    else:
        gather(q, chunk[LOW], chunk[END], b)
    points = find_hits(t, h, loose, b, state)
    whole, count = count, chunk[COUNT]
    # what the ray before the first one hit is known only when the preceding chunk has reserved: `reserve` plans the first ray
    children = plan(t, h, loose, b, ONE, count, b.hit[0, OBJECT])
    tries = 0
    while load(state, TURN) != chunk[NUMBER]:
        if load(state, ABORTED) != 0:
            chunk[COUNT] = 0
            return
        tries += 1
        rest(tries)
    to = Offsets(chunk[ROW], state[FIRST_ROW], state[ENTRIES], state[CREATED], state[LINE], chunk[SLOT])
    if not reserve(t, h, loose, c, b, state, children, points):
        chunk[COUNT] = 0
        return
    if count < whole:  # the trace is to stop
        release(state, b.at[count], chunk[ROW] + count, chunk[NUMBER] + 1, chunk[SLOT])
    else:
        store(state, TURN, chunk[NUMBER] + 1)
    interact(t, h, loose, b, q, c, sums, count, to, far, new)


@inner
def is_worth_sharing(state: NDArray[np.int64], batch: int, large: int) -> bool:
    """Whether enough rays are waiting to start helper threads; an eighth of the rows so far is added as a forecast."""
    ahead = state[HIGH] - state[NEXT]
    return bool(ahead >= 2 * batch and ahead + state[ROWS] // 8 >= large)


@entry
def advance(
    t: Tables, h: Hierarchy, loose: NDArray[np.int64], e: Emitted, q: Queue, c: Columns, b: Batch, state: NDArray[np.int64],
    sums: NDArray[np.float64], limit: int, poll: int, large: int, far: float,
) -> int:  # fmt: skip
    """Trace, concurrently with other threads in this function, until no ray is alive or the caller must act; returns one of the codes.

    ``b`` belongs to this thread, all else is shared. Returns POLL after about ``poll`` rays, and LARGE if about ``large`` rays are waiting.
    """
    chunk, handled, idle = b.chunk, 0, 0
    while True:
        lock(state, LOCK)
        if chunk[COUNT] > 0:
            state[AT_WORK] -= 1
            for i in range(chunk[COUNT]):
                state[SURVIVORS] += b.mark[i, ALIVE]
            chunk[COUNT] = 0
        if handled >= poll and state[CODE] == GO and state[STOP] == 0:
            code = POLL
        elif is_worth_sharing(state, len(b.at), large):
            code = LARGE
        else:
            code = take_chunk(t, q, c, b, state, sums, limit)
        unlock(state, LOCK)
        if code == GO:
            handled, idle = handled + chunk[COUNT], 0
            process_chunk(t, h, loose, e, q, c, b, state, sums, far)
        elif code == AGAIN:
            handled += SLICE
        elif code == WAIT and idle < WAIT_TRIES:
            tries = 0
            while load(state, AT_WORK) != 0 and tries < 100:
                tries += 1
            idle += 1
            rest(tries * idle)
        else:
            return code


@entry
def finish(e: Emitted, q: Queue, c: Columns, state: NDArray[np.int64], low: int, high: int) -> float:
    """At the end of a trace: set the status ALIVE of the parent rows of live rays in a range of the queue; returns the rays' power."""
    power = 0.0
    started = state[NEXT] if state[FIRST_ROW] == 0 else len(e.chosen)
    for i in range(low, high):
        if started <= i < len(e.chosen):
            power += e.power[e.chosen[i]]
        elif q.mark[i, ALIVE] and not state[KEPT] <= i < state[COMPACTED]:
            power += q.ray[i, S] + q.ray[i, P]
            if q.tag[i, PARENT] >= 0:
                c.status[q.tag[i, PARENT]] = STILL_ALIVE
    return power
