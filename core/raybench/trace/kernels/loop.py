"""The loop of a trace, compiled: batches of the queue are taken until all light has ended.

The queue is processed in sweeps: each ray advances by one segment, in order, including the children
that are appended meanwhile; then the next sweep starts with the rays still alive. The part of a
sweep that is in the queue when it starts is a generation. A batch is searched (what its rays hit,
and how many children they have), then written, at places that depend on all earlier batches. So
where a generation is large, threads search and write batches by turns
(`raybench.trace.run.sharing`), and the rows are the same.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from raybench.trace.codes import Status
from raybench.trace.columns import Columns
from raybench.trace.compilation.jit import ONE, ZERO, entry, inner, rare
from raybench.trace.kernels.kernel import (
    ILL_A,
    ILL_B,
    ILL_POWER,
    SUMS_SIZE,
    find_hits,
    interact,
    plan,
)
from raybench.trace.kernels.medium import locate
from raybench.trace.kernels.rays import (
    AGAIN,
    ALIVE,
    CHILDREN,
    CHUNKS,
    COMPACTED,
    COUNT,
    CREATED,
    DONE,
    DX,
    DY,
    END,
    ENTRIES,
    FIRST_OTHER,
    FIRST_ROW,
    FIRST_SAME,
    FULL,
    GO,
    GOING_ON,
    GROW,
    HIGH,
    KEPT,
    LARGE,
    LAST_HIT,
    LIMIT,
    LINE,
    LOW,
    MEMORY,
    NEW_POINTS,
    NEXT,
    OBJECT,
    PARENT,
    POINTS,
    POLL,
    RAY_BYTES,
    ROOM,
    ROW_BYTES,
    ROWS,
    STOP,
    STOPPED,
    SURVIVORS,
    UNTIL,
    WANTED,
    WHOLE,
    Batch,
    Emitted,
    Offsets,
    P,
    Queue,
    S,
    X,
    Y,
    copy_ray,
    emit,
    gather,
    rays_of,
)
from raybench.trace.tables.bvh import Hierarchy
from raybench.trace.tables.tables import Tables

STILL_ALIVE = int(Status.ALIVE)

SECTION = 1 << 16
"""The most rays of a generation that are in progress at once: room for the most children they can
have is made beforehand.
"""
LEAST_SECTION = 64
"""A trace ends when memory suffices for fewer rays than this."""
POINT_BYTES = 16
SLICE = 4_096
"""Queue entries that are compacted at a time, between polls."""
NO_OBJECT: int = np.int64(-2)  # type: ignore[assignment]
"""Differs from every object and from -1, that of a ray that hits nothing."""


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
    """Release the next rays of a generation for processing, as many as memory allows: AGAIN, or the
    code of the shortage.
    """
    used = (
        state[ROWS] * state[ROW_BYTES]
        + state[ENTRIES] * state[RAY_BYTES]
        + state[LINE] * POINT_BYTES
    )
    fitting = (state[MEMORY] - used) // (state[ROW_BYTES] + t.most_children * state[RAY_BYTES])
    if state[HIGH] == state[UNTIL]:  # the next generation: all rays now in the queue
        state[UNTIL] = state[ENTRIES]
    size = min(state[UNTIL] - state[HIGH], SECTION)
    if fitting < min(size, LEAST_SECTION):
        return FULL
    size = min(size, fitting)
    state[ROOM] = max(state[ROOM], state[ENTRIES] + size * t.most_children)
    if min(limit, state[ROWS] + size) > len(c.status) or state[ROOM] > len(q.serial):
        state[WANTED] = size
        return GROW
    state[HIGH] += size
    return AGAIN


@rare
def take_chunk(
    t: Tables,
    q: Queue,
    c: Columns,
    b: Batch,
    state: NDArray[np.int64],
    sums: NDArray[np.float64],
    limit: int,
) -> int:
    """Assign the next range of the queue to the batch: GO, or the code of the reason why there is
    none.
    """
    if state[ROWS] >= limit:
        return LIMIT if any_alive(q, state[ENTRIES]) else DONE
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
        b.chunk[LOW], b.chunk[END] = low, high
        return GO
    add_sums(state, sums)
    if state[HIGH] < state[ENTRIES]:
        return open_section(t, q, c, state, limit)
    if state[SURVIVORS] == 0:
        return DONE
    # dead entries are skipped until they are the majority
    if (state[COMPACTED] > 0 or 2 * state[SURVIVORS] < state[ENTRIES]) and not compact(q, state):
        return AGAIN
    state[NEXT], state[HIGH], state[UNTIL], state[LAST_HIT] = 0, 0, 0, -1
    state[FIRST_ROW], state[SURVIVORS] = state[ROWS], 0
    return AGAIN


@entry
def search(
    t: Tables,
    h: Hierarchy,
    loose: NDArray[np.int64],
    e: Emitted,
    q: Queue,
    b: Batch,
    state: NDArray[np.int64],
    low: int,
    high: int,
) -> None:
    """Find what the live rays in a range of the queue hit, and count their children; for the first
    ray both if the ray before it hit the same object and if not, which may not be known yet.
    """
    chunk, copied = b.chunk, len(t.graded) > 0
    chunk[LOW], chunk[END] = low, high
    b = rays_of(q, low, high, b, copied)
    if state[FIRST_ROW] == 0 and low < len(e.chosen):  # the first rows are those of the source rays
        emit(e, low, high, b)
        chunk[COUNT] = high - low
        for i in range(high - low if copied else 0):
            locate(t, b.inside[i], b.ray[i, X], b.ray[i, Y], b.ray[i, DX], b.ray[i, DY])
    else:
        chunk[COUNT] = gather(q, low, high, b, copied)
    chunk[WHOLE] = chunk[COUNT]
    chunk[POINTS] = find_hits(t, h, loose, b, state)
    chunk[CHILDREN], chunk[FIRST_SAME], chunk[FIRST_OTHER] = 0, 0, 0
    if chunk[COUNT] > 0:
        first = b.hit[b.entry[0], OBJECT]
        chunk[CHILDREN] = plan(t, h, loose, b, ONE, chunk[COUNT], first)
        chunk[FIRST_OTHER] = plan(t, h, loose, b, ZERO, ONE, NO_OBJECT)
        chunk[FIRST_SAME] = plan(t, h, loose, b, ZERO, ONE, first)


@entry
def write(
    t: Tables, h: Hierarchy, loose: NDArray[np.int64], e: Emitted, q: Queue, c: Columns, b: Batch, sums: NDArray[np.float64],
    last_hit: int, to: Offsets, far: float,
) -> None:  # fmt: skip
    """Write the rows of a batch that was searched, and its children. ``last_hit`` is the object
    that the ray before its first one hit.
    """
    chunk = b.chunk
    chunk[GOING_ON] = 0
    if chunk[COUNT] == 0:
        return
    b = rays_of(q, chunk[LOW], chunk[END], b, len(t.graded) > 0)
    if last_hit != b.hit[b.entry[0], OBJECT]:
        plan(t, h, loose, b, ZERO, ONE, last_hit)
    interact(
        t,
        h,
        loose,
        b,
        q,
        c,
        sums,
        chunk[COUNT],
        to,
        far,
        to.first_row == 0 and chunk[LOW] < len(e.chosen),
    )
    going_on = 0
    for i in range(chunk[COUNT]):
        going_on += int(b.mark[b.entry[i], ALIVE])
    chunk[GOING_ON] = going_on


@inner
def process_chunk(
    t: Tables, h: Hierarchy, loose: NDArray[np.int64], e: Emitted, q: Queue, c: Columns, b: Batch, state: NDArray[np.int64],
    sums: NDArray[np.float64], far: float,
) -> int:  # fmt: skip
    """Advance the rays of the batch's range by one segment: GO; STOPPED after a part of them; GROW
    if the polyline has no room.
    """
    chunk = b.chunk
    search(t, h, loose, e, q, b, state, chunk[LOW], chunk[END])
    count = chunk[COUNT]
    if state[LINE] + chunk[POINTS] > len(c.polyline):
        state[NEW_POINTS], state[WANTED] = chunk[POINTS], state[HIGH] - chunk[LOW]
        return GROW
    if count > 0:
        size = len(b.at)
        to = Offsets(
            state[ROWS],
            state[FIRST_ROW],
            state[ENTRIES],
            state[CREATED],
            state[LINE],
            state[CHUNKS] + 1,
            chunk[LOW],
            size,
        )
        last_hit = state[LAST_HIT]
        same = last_hit == b.hit[b.entry[0], OBJECT]
        children = chunk[CHILDREN] + (chunk[FIRST_SAME] if same else chunk[FIRST_OTHER])
        last = b.hit[b.entry[count - 1], OBJECT]
        write(t, h, loose, e, q, c, b, sums, last_hit, to, far)
        state[ROWS] += count
        state[ENTRIES] += children
        state[CREATED] += children
        state[LINE] += chunk[POINTS]
        state[SURVIVORS] += chunk[GOING_ON]
        state[LAST_HIT] = last
        state[CHUNKS] += 1
    if count < chunk[WHOLE]:
        state[NEXT] = b.at[count]
        return STOPPED
    state[NEXT] = chunk[END]
    return GO


@entry
def advance(
    t: Tables, h: Hierarchy, loose: NDArray[np.int64], e: Emitted, q: Queue, c: Columns, b: Batch, state: NDArray[np.int64],
    sums: NDArray[np.float64], limit: int, poll: int, large: int, far: float,
) -> int:  # fmt: skip
    """Trace until no ray is alive or the caller must act; returns one of the codes.

    Returns POLL after about ``poll`` rays, and LARGE where ``large`` rays are waiting and the limit
    is not near.
    """
    handled = 0
    while handled < poll:
        if state[STOP] != 0:
            return STOPPED
        if large <= state[HIGH] - state[NEXT] <= limit - state[ROWS] and state[NEXT] < state[HIGH]:
            return LARGE
        code = take_chunk(t, q, c, b, state, sums, limit)
        if code == GO:
            code = process_chunk(t, h, loose, e, q, c, b, state, sums, far)
            if code != GO:
                return code
            handled += b.chunk[COUNT]
        elif code == AGAIN:
            handled += SLICE if state[COMPACTED] > 0 else 0
        else:
            return code
    return POLL


@entry
def finish(
    e: Emitted, q: Queue, c: Columns, state: NDArray[np.int64], low: int, high: int
) -> float:
    """At the end of a trace: set the status ALIVE of the parent rows of live rays in a range of the
    queue; returns the rays' power.
    """
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
