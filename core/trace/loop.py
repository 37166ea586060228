"""The loop of a trace, compiled: generation after generation, sweep after sweep, until all light has ended.

Step 3 is here, which goes in order: the children's places. The other steps are those of `core.trace.kernel`.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from core.trace.bvh import Hierarchy, Walk
from core.trace.codes import Status
from core.trace.jit import entry, inner
from core.trace.kernel import Columns, find_hits, interact, plan
from core.trace.ray_path import GONE, PLACE, POINTS
from core.trace.surfaces import ABSORBED, ALIVE, CHILD, GAINED, ILL_DEFINED, LOST, OBJECT, OTHER, PARENT, RATIO, Entries, P, S
from core.trace.tables import GLASS, Tables

STILL_ALIVE = int(Status.ALIVE)

DONE, GROW, POLL, LARGE, LIMIT = range(5)
"""Why `advance` came back: all light has ended; the arrays are full; it is time to look around; a generation is worth sharing; limit."""

# the state of a trace between calls of `advance`
ENTRIES, LOW, HIGH, ROWS, NEXT_PLACE, LAST_HIT, FOUND, PLANNED, ILL_A, ILL_B, WRITTEN, LINE, NEW_POINTS, KEPT, SWEPT, STATE_SIZE = range(16)
ALL_LOST, RESAMPLED_POWER, CHANGED, ILL_POWER, FADED, WAITING, SUMS_SIZE = range(7)


@inner
def tally(t: Tables, e: Entries, low: int, high: int, state: NDArray[np.int64], sums: NDArray[np.float64]) -> int:
    """Step 3: give the children their places; returns how many there are."""
    met, reach, ray, flags = e.met, e.reach, e.ray, t.flags
    begin, total = state[ENTRIES], 0
    graded, points = len(t.graded) > 0, 0
    for i in range(low, high):
        count, obj = met[i, CHILD], met[i, OBJECT]
        met[i, CHILD] = begin + total if count else -1
        total += count
        sums[ALL_LOST] += reach[i, LOST]
        if reach[i, GAINED] != 0.0:
            sums[RESAMPLED_POWER if flags[obj] & GLASS else CHANGED] += reach[i, GAINED]
        reach[i, LOST] = 0.0
        if graded and e.path[i, POINTS] > 0.0:
            e.path[i, PLACE] = state[LINE] + points
            points += int(e.path[i, POINTS])
        if met[i, OTHER] >= 0 or math.isnan(reach[i, RATIO]):
            if sums[ILL_POWER] == 0.0:
                state[ILL_A], state[ILL_B] = obj, met[i, OTHER]
            sums[ILL_POWER] += ray[i, S] + ray[i, P]
    state[NEW_POINTS] = points
    return total


@inner
def copy_entry(e: Entries, i: int, to: int) -> None:
    for j in range(6):
        e.ray[to, j] = e.ray[i, j]
    for j in range(5):
        e.tag[to, j] = e.tag[i, j]
    for j in range(3):
        e.mark[to, j] = e.mark[i, j]
    for j in range(e.inside.shape[1]):
        e.inside[to, j] = e.inside[i, j]
    e.wavelength[to], e.place[to] = e.wavelength[i], e.place[i]


@inner
def next_sweep(e: Entries, state: NDArray[np.int64], most: int) -> bool:
    """Keep the entries that are alive, in order, and make them the next generation; looks at ``most`` of them and says whether that were
    all."""
    kept, end = state[KEPT], min(state[ENTRIES], state[SWEPT] + most)
    for i in range(state[SWEPT], end):
        if e.mark[i, ALIVE]:
            if kept != i:
                copy_entry(e, i, kept)
            kept += 1
    if end < state[ENTRIES]:
        state[KEPT], state[SWEPT] = kept, end
        return False
    state[ENTRIES], state[LOW], state[HIGH], state[LAST_HIT], state[KEPT], state[SWEPT] = kept, 0, kept, -1, 0, 0
    return True


@entry
def leave(e: Entries, c: Columns, state: NDArray[np.int64], sums: NDArray[np.float64]) -> None:
    """At the end: say of the rows whose light still waits to go on that it is alive, and add up its power."""
    for i in range(state[ENTRIES]):
        if e.mark[i, ALIVE] and not state[KEPT] <= i < state[SWEPT]:
            sums[WAITING] += e.ray[i, S] + e.ray[i, P]
            if e.tag[i, PARENT] >= 0:
                c.status[e.tag[i, PARENT]] = STILL_ALIVE


@entry
def advance(
    t: Tables, h: Hierarchy, loose: NDArray[np.int64], e: Entries, c: Columns, walk: Walk, state: NDArray[np.int64],
    sums: NDArray[np.float64], limit: int, block: int, poll: int, large: int, far: float,
) -> int:  # fmt: skip
    """Trace until all light has ended or something is wanted of the caller; says what (DONE, GROW, POLL, LARGE, LIMIT).

    At LARGE the caller has to do steps 1 and 2, or step 4, of the present block (`FOUND` and `PLANNED` in the state say which).
    Entries are a queue, so a generation may be done in blocks of at most ``block`` entries. POLL is after ``poll`` rows.
    """
    until = state[ROWS] + poll
    while True:
        low, high = state[LOW], state[HIGH]
        if low == high:
            if not next_sweep(e, state, 16 * block):
                return POLL
            low, high = state[LOW], state[HIGH]
            if low == high:
                return DONE
        if high - low > block and state[PLANNED] == 0 and state[FOUND] == 0:
            high = low + block
            state[HIGH] = high
        if state[ROWS] + (high - low) > limit:
            high = low + limit - state[ROWS]
            state[HIGH] = high
        size = high - low
        if state[PLANNED] == 0:
            if state[ROWS] + size > len(c.status) or state[ENTRIES] + size * t.most_children > len(e.place):
                return GROW
            if state[FOUND] == 0:
                if state[ROWS] >= until:
                    return POLL
                if size >= large:
                    return LARGE
                find_hits(t, h, loose, e, walk, low, high)
                plan(t, e, low, high, state[LAST_HIT])
            children = tally(t, e, low, high, state, sums)
            state[FOUND], state[PLANNED] = 0, children + 1
        if state[WRITTEN] == 0:
            if state[LINE] + state[NEW_POINTS] > len(c.polyline):
                return GROW
            if size >= large:
                return LARGE
            interact(t, h, loose, e, c, low, high, low, state[ROWS], state[NEXT_PLACE], state[ENTRIES], far)
        for i in range(low, high):
            sums[ALL_LOST] += e.reach[i, LOST]
            if len(t.graded) > 0 and e.path[i, POINTS] > 0.0:
                # a row that is absorbed at its end counts as a whole
                status = c.status[state[ROWS] + i - low]
                if status != ABSORBED and status != ILL_DEFINED:
                    sums[FADED] += e.path[i, GONE]
        children = state[PLANNED] - 1
        state[PLANNED], state[WRITTEN] = 0, 0
        state[LINE] += state[NEW_POINTS]
        state[LAST_HIT] = e.met[high - 1, OBJECT]
        state[ROWS] += size
        state[NEXT_PLACE] += children
        state[ENTRIES] += children
        state[LOW], state[HIGH] = high, state[ENTRIES]
        if state[ROWS] >= limit:
            return LIMIT if np.any(e.mark[: state[ENTRIES], ALIVE]) else DONE
