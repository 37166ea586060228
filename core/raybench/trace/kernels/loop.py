"""The compiled loop of a trace. It takes batches of rays from the queue until no ray is left.

The queue is processed in sweeps: each ray advances by one segment, in order, including the children
that are appended meanwhile; then the next sweep starts with the rays still alive. The part of a
sweep that is in the queue when it starts is a generation. Where a generation is large, threads
share it (`raybench.trace.kernels.team`), and the rows are the same.
"""

import numpy as np

from raybench.arrays import Floats, Integers
from raybench.trace.codes import Status
from raybench.trace.columns import Columns
from raybench.trace.compilation.jit import ZERO, entry, inner, load_shared, rare, whole
from raybench.trace.kernels import kernel, rays
from raybench.trace.kernels.batch import (
    find_batch_hits,
    part_of_batch,
    rays_fit,
    reserve_places,
    write_batch,
)
from raybench.trace.kernels.rays import Batch, Emitted, Queue
from raybench.trace.kernels.team import BUFFERS, CALLED, Team, reserve_helpers, share_range
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


@entry
def add_chunk_sums(state: Integers, sums: Floats) -> None:
    """Add the sums of all chunks, in order, to the sums of the trace in row 0."""
    for i in range(1, state[rays.CHUNKS] + 1):
        if sums[0, kernel.ILL_POWER] == 0.0:
            sums[0, kernel.ILL_A] = sums[i, kernel.ILL_A]
            sums[0, kernel.ILL_B] = sums[i, kernel.ILL_B]
        for j in range(kernel.ILL_A):
            sums[0, j] += sums[i, j]
        sums[0, kernel.REACH] = max(sums[0, kernel.REACH], sums[i, kernel.REACH])
        for j in range(kernel.SUMS_SIZE):
            sums[i, j] = 0.0
    state[rays.CHUNKS] = 0


@rare
def compact_queue(q: Queue, state: Integers) -> bool:
    """Move the live rays of a part of the queue to its front, in order. Returns True after the last
    part.
    """
    kept, end = state[rays.KEPT], min(state[rays.ENTRIES], state[rays.COMPACTED] + SLICE)
    for i in range(state[rays.COMPACTED], end):
        if q.mark[i, rays.ALIVE]:
            if kept != i:
                rays.copy_ray(q, i, q, kept)
            kept += 1
    state[rays.KEPT], state[rays.COMPACTED] = kept, end
    if end < state[rays.ENTRIES]:
        return False
    state[rays.ENTRIES], state[rays.KEPT], state[rays.COMPACTED] = kept, 0, 0
    return True


@rare
def has_live_rays(q: Queue, first_rays: int) -> bool:
    return bool(np.any(q.mark[:first_rays, rays.ALIVE]))


@rare
def release_rays_for_processing(
    most_children: int, ray_room: int, row_room: int, state: Integers, limit: int
) -> int:
    """Release the next rays of a generation for processing, as many as memory allows, with room for
    ``ray_room`` rays and ``row_room`` rows. Returns AGAIN, or a code for what is short.
    """
    used = (
        state[rays.WRITTEN] * state[rays.ROW_BYTES]
        + state[rays.ENTRIES] * state[rays.RAY_BYTES]
        + state[rays.LINE] * POINT_BYTES
    )
    fitting = (state[rays.MEMORY] - used) // (
        state[rays.ROW_BYTES] + most_children * state[rays.RAY_BYTES]
    )
    if state[rays.HIGH] == state[rays.UNTIL]:  # the next generation: all rays now in the queue
        state[rays.UNTIL] = state[rays.ENTRIES]
    size = min(state[rays.UNTIL] - state[rays.HIGH], SECTION)
    if fitting < min(size, LEAST_SECTION):
        return rays.FULL
    size = min(size, fitting)
    state[rays.ROOM] = max(state[rays.ROOM], state[rays.ENTRIES] + size * most_children)
    room = state[rays.WRITTEN] + min(limit - state[rays.ROWS], size)
    state[rays.ROW_ROOM] = max(state[rays.ROW_ROOM], room)
    if room > row_room or state[rays.ROOM] > ray_room:
        state[rays.WANTED] = size
        return rays.GROW
    state[rays.HIGH] += size
    return rays.AGAIN


@inner
def take_next_chunk(
    t: Tables,
    q: Queue,
    c: Columns,
    b: Batch,
    state: Integers,
    sums: Floats,
    limit: int,
) -> int:
    """Assign the next range of the queue to the batch. Returns GO, or a code for the reason why
    there is no range.
    """
    if state[rays.ROWS] >= limit:
        return rays.LIMIT if has_live_rays(q, state[rays.ENTRIES]) else rays.DONE
    if state[rays.NEXT] < state[rays.HIGH]:
        low = high = state[rays.NEXT]
        end, most = min(low + len(b.at), state[rays.HIGH]), limit - state[rays.ROWS]
        if end - low <= most:  # whichever of them are alive
            high = end
        count = 0
        while high < end and count < most:
            count += int(q.mark[high, rays.ALIVE])
            high += 1
        b.chunk[rays.LOW], b.chunk[rays.END] = low, high
        return rays.GO
    add_chunk_sums(state, sums)
    if state[rays.HIGH] < state[rays.ENTRIES]:
        return release_rays_for_processing(
            t.most_children, len(q.serial), len(c.status), state, limit
        )
    if state[rays.SURVIVORS] == 0:
        return rays.DONE
    # dead entries are skipped until they are the majority
    if (
        state[rays.COMPACTED] > 0 or 2 * state[rays.SURVIVORS] < state[rays.ENTRIES]
    ) and not compact_queue(q, state):
        return rays.AGAIN
    state[rays.NEXT] = 0
    state[rays.HIGH] = 0
    state[rays.UNTIL] = 0
    state[rays.LAST_HIT] = -1
    state[rays.FIRST_ROW], state[rays.SURVIVORS] = state[rays.ROWS], 0
    return rays.AGAIN


@inner
def process_chunk(
    t: Tables,
    e: Emitted,
    q: Queue,
    c: Columns,
    b: Batch,
    state: Integers,
    sums: Floats,
    far: float,
) -> int:
    """Advance the rays in the range of a batch by one segment. Returns GO; STOPPED if only some
    were advanced; GROW if the array of polyline points is too small.
    """
    chunk = b.chunk
    find_batch_hits(t, e, q, b, state, chunk[rays.LOW], chunk[rays.END])
    if not rays_fit(c, b, state):
        return rays.GROW
    last_hit = state[rays.LAST_HIT]
    write_batch(t, e, q, c, b, sums, last_hit, reserve_places(b, state), far)
    state[rays.SURVIVORS] += chunk[rays.GOING_ON]
    if chunk[rays.COUNT] < chunk[rays.WHOLE]:
        state[rays.NEXT] = b.at[chunk[rays.COUNT]]
        return rays.STOPPED
    state[rays.NEXT] = chunk[rays.END]
    return rays.GO


@entry
def advance_trace(
    t: Tables, e: Emitted, q: Queue, c: Columns, b: Batch, team: Team, state: Integers, sums: Floats,
    limit: int, poll: int, large: int, far: float,
) -> int:  # fmt: skip
    """Trace until no ray is alive, or until the caller has to act. Returns one of the codes.

    Returns POLL after about ``poll`` rays, and LARGE where ``large`` rays are waiting and no helper
    was called. Helpers that wait share generations of `rays.LEAST_SHARED` rays or more, unless the
    limit is near.
    """
    handled = 0
    alone = part_of_batch(b, ZERO, state[rays.BATCH], BUFFERS)
    while handled < poll:
        if state[rays.STOP] != 0:
            return rays.STOPPED
        low, waiting = state[rays.NEXT], state[rays.HIGH] - state[rays.NEXT]
        if state[rays.LEAST_SHARED] <= waiting <= limit - state[rays.ROWS]:
            size = max(state[rays.LEAST_SHARED], poll - handled)
            size = min(waiting, -(-size // state[rays.BATCH]) * state[rays.BATCH])
            workers = reserve_helpers(team)
            if workers > 1:
                code = share_range(t, e, q, c, b, team, state, sums, workers, low + size, far)
                if code != rays.GO:
                    return code
                handled += size
                continue
            if waiting >= large and load_shared(team.range, CALLED) == 0:
                return rays.LARGE
        code = take_next_chunk(t, q, c, alone, state, sums, limit)
        if code == rays.GO:
            code = process_chunk(t, e, q, c, alone, state, sums, far)
            if code != rays.GO:
                return code
            handled += alone.chunk[rays.COUNT]
        elif code == rays.AGAIN:
            handled += SLICE if state[rays.COMPACTED] > 0 else 0
        else:
            return code
    return rays.POLL


@entry
def mark_unfinished_rays(
    e: Emitted, q: Queue, c: Columns, state: Integers, low: int, high: int
) -> float:
    """End a trace: for the live rays in a range of the queue, set the status ALIVE in their
    parents' rows. Returns the power of these rays.
    """
    power = 0.0
    started = state[rays.NEXT] if state[rays.FIRST_ROW] == 0 else len(e.chosen)
    for i in range(low, high):
        if started <= i < len(e.chosen):
            power += e.power[e.chosen[i]]
        elif q.mark[i, rays.ALIVE] and not state[rays.KEPT] <= i < state[rays.COMPACTED]:
            power += q.ray[i, rays.S] + q.ray[i, rays.P]
            parent = whole(q.tag[i, rays.PARENT])
            if parent >= 0:
                c.status[parent] = STILL_ALIVE
    return power
