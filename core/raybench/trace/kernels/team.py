"""Threads that share rays of the queue, in compiled code.

One thread advances the trace (`raybench.trace.kernels.loop`). Where many rays wait, it divides a
range of them into parts, which it and its helpers search. The positions of the results are assigned
in the order of the parts, whoever searched them; so the rows are the same as those of one thread.

A processor reads slowly what another one has written. So a thread takes those parts first whose
places in the queue were its own in the last sweep, and numbers of different threads lie in
different lines of the cache.
"""

from typing import NamedTuple

import numpy as np

from raybench.arrays import Floats, Integers
from raybench.trace.columns import Columns
from raybench.trace.compilation.jit import (
    ONE,
    ZERO,
    entry,
    inner,
    load_shared,
    rare,
    replace_shared,
    store_shared,
    wait_briefly,
    yield_processor,
)
from raybench.trace.kernels import rays
from raybench.trace.kernels.batch import (
    find_batch_hits,
    part_of_batch,
    rays_fit,
    reserve_places,
    write_batch,
)
from raybench.trace.kernels.rays import Batch, Emitted, Queue
from raybench.trace.tables.tables import Tables

LINE = 16
"""Integers of two lines of the cache, which processors load together."""
# `Team.range`: the part whose results get the next positions; in other lines the range of the queue,
# the rays of a part, the number of parts and of threads, and why the range ended early
TURN, LOW, END, LENGTH, PARTS, WORKERS, REASON = 0, *range(LINE, LINE + 6)
# ... whether helpers are to end, how often one looks for work before it ends, and whether some were
# called of which none has ended since
CLOSED, PATIENCE, CALLED, RANGE_SIZE = 2 * LINE, 2 * LINE + 1, 3 * LINE, 4 * LINE
# A helper's line in `Team.helpers`: its state, its number in the range, the rays that go on, and the
# parts in its buffers
STATE, NUMBER, GOING_ON, HELD = range(4)
# states of helpers
ABSENT, WAITING, RESERVED, ASKED, WORKING = range(5)
BUFFERS = 8
"""Parts that a thread has searched at most before they get positions."""
PARTS_EACH = 4
"""Parts for each thread where they are not larger than a buffer: so many that none waits long for
another.
"""
MOST_PARTS = 1 << 14
"""More than a section of a generation has, of the smallest buffers."""
MOST_LOOKS = 2_000
"""How often a thread looks in vain at what others have to finish before it lets other threads use
its processor, for which they may wait.
"""
NOTHING: int = np.int64(-1)  # type: ignore[assignment]
OVER: int = np.int64(1 << 60)  # type: ignore[assignment]
"""The turn that no part has: no more results get positions."""


class Team(NamedTuple):
    """What the threads of a trace share: ``range`` (RANGE_SIZE,), ``helpers`` (threads * LINE,),
    of which the first line is that of the thread that advances the trace, and for each part whether
    a thread has ``taken`` it.
    """

    range: Integers
    helpers: Integers
    taken: Integers


def new_team(threads: int, patience: int) -> Team:
    """A team of so many threads, of which no helper is there yet. A helper looks for work
    ``patience`` times, less than a microsecond apart, before it ends.
    """
    shared = np.zeros(RANGE_SIZE, np.int64)
    shared[PATIENCE] = patience
    return Team(shared, np.zeros(threads * LINE, np.int64), np.zeros(MOST_PARTS, np.int64))


@inner
def threads_worth_sharing(team: Team, state: Integers, waiting: int) -> int:
    """How many threads are to share so many waiting rays, of those that the trace may have. More
    would wait for each other longer than they work.
    """
    worth: int = waiting // (2 * state[rays.LEAST_SHARED])
    return min(len(team.helpers) // LINE, max(2, worth))


@rare
def count_waiting_helpers(team: Team) -> int:
    count = ZERO
    for helper in range(LINE, len(team.helpers), LINE):
        count += 1 if load_shared(team.helpers, helper + STATE) == WAITING else 0
    return count


@rare
def reserve_helpers(team: Team, threads: int) -> int:
    """Reserve helpers that wait for work, so many that there are at most ``threads`` with this one.
    Returns the number of threads.
    """
    workers = ONE
    for helper in range(LINE, len(team.helpers), LINE):
        if workers == threads:
            break
        if load_shared(team.helpers, helper + STATE) == WAITING and replace_shared(
            team.helpers, helper + STATE, WAITING, RESERVED
        ):
            team.helpers[helper + NUMBER], team.helpers[helper + GOING_ON] = workers, 0
            workers += 1
    return workers


@rare
def share_range(
    t: Tables, e: Emitted, q: Queue, c: Columns, b: Batch, team: Team, state: Integers, sums: Floats,
    workers: int, end: int, far: float,
) -> int:  # fmt: skip
    """Advance the waiting rays up to ``end`` by one segment, with the helpers that are reserved.
    Returns GO; STOPPED if only some were advanced; GROW if the arrays of points are too small.
    """
    low, shared, helpers = state[rays.NEXT], team.range, team.helpers
    length = state[rays.SLOT]
    while 2 * length <= len(b.at) // BUFFERS and end - low >= 2 * length * workers * PARTS_EACH:
        length *= 2
    parts = -(-(end - low) // length)
    shared[LOW], shared[END], shared[LENGTH] = low, end, length
    shared[PARTS], shared[WORKERS], shared[REASON] = parts, workers, rays.GO
    for part in range(parts):
        team.taken[part] = 0
    store_shared(shared, TURN, ZERO)
    for helper in range(LINE, len(helpers), LINE):
        if load_shared(helpers, helper + STATE) == RESERVED:
            store_shared(helpers, helper + STATE, ASKED)
    helpers[NUMBER] = 0
    survivors = advance_parts(t, e, q, c, b, team, state, sums, ZERO, far)
    for helper in range(LINE, len(helpers), LINE):
        found, looks = load_shared(helpers, helper + STATE), ZERO
        while found == WORKING or (
            found == ASKED and not replace_shared(helpers, helper + STATE, ASKED, WAITING)
        ):
            looks = wait_for_others(looks)
            found = load_shared(helpers, helper + STATE)
        survivors += helpers[helper + GOING_ON]
        helpers[helper + GOING_ON] = 0
    state[rays.SURVIVORS] += survivors
    turn = load_shared(shared, TURN)
    if turn == OVER:
        return shared[REASON]  # type: ignore[no-any-return]
    state[rays.NEXT] = min(end, low + turn * length)
    return rays.GO if turn == parts else rays.STOPPED


@entry
def help_advance(
    t: Tables, e: Emitted, q: Queue, c: Columns, b: Batch, team: Team, state: Integers, sums: Floats,
    worker: int, far: float,
) -> None:  # fmt: skip
    """Help to advance rays, until there is no work for a while or the team is closed."""
    at, looks = worker * LINE + STATE, ZERO
    store_shared(team.helpers, at, WAITING)
    while True:
        if load_shared(team.helpers, at) == ASKED and replace_shared(
            team.helpers, at, ASKED, WORKING
        ):
            going_on = advance_parts(t, e, q, c, b, team, state, sums, worker * LINE, far)
            team.helpers[worker * LINE + GOING_ON] = going_on
            store_shared(team.helpers, at, WAITING)
            looks = ZERO
        elif looks < team.range[PATIENCE] and load_shared(team.range, CLOSED) == 0:
            looks = wait_for_others(looks)
        elif replace_shared(team.helpers, at, WAITING, ABSENT):
            break
    store_shared(team.range, CALLED, ZERO)


@rare
def advance_parts(
    t: Tables, e: Emitted, q: Queue, c: Columns, b: Batch, team: Team, state: Integers, sums: Floats,
    line: int, far: float,
) -> int:  # fmt: skip
    """Search and write parts of the range until none is left, as the thread whose numbers begin at
    ``line`` of `Team.helpers`. Returns the number of rays that go on.

    If the trace is to stop, or lacks room, parts without positions are dropped: nothing of them is
    written yet.
    """
    shared, held = team.range, team.helpers[line + HELD : line + HELD + BUFFERS]
    low, end, length, parts = shared[LOW], shared[END], shared[LENGTH], shared[PARTS]
    workers = shared[WORKERS]
    own = (team.helpers[line + NUMBER] - low // length) % workers
    free, going_on, looks = BUFFERS, ZERO, ZERO
    for buffer in range(BUFFERS):
        held[buffer] = NOTHING
    while True:
        turn = load_shared(shared, TURN)
        if turn >= parts or load_shared(state, rays.STOP) != 0:
            return going_on
        buffer = find_buffer(held, turn)
        if buffer >= 0:
            part = part_of_batch(b, buffer, length, BUFFERS)
            count, whole, last_hit = (
                part.chunk[rays.COUNT],
                part.chunk[rays.WHOLE],
                state[rays.LAST_HIT],
            )
            if not rays_fit(c, part, state):
                state[rays.NEXT], shared[REASON] = part.chunk[rays.LOW], rays.GROW
                store_shared(shared, TURN, OVER)
                return going_on
            to = reserve_places(part, state)
            if count < whole:
                state[rays.NEXT], shared[REASON] = part.at[count], rays.STOPPED
            store_shared(shared, TURN, OVER if count < whole else turn + 1)
            write_batch(t, e, q, c, part, sums, last_hit, to, far)
            going_on += part.chunk[rays.GOING_ON]
            held[buffer] = NOTHING
            free += 1
            continue
        number = NOTHING
        if free > 0:
            while own < parts and team.taken[own] != 0:
                own += workers
            number = own if own < parts and free > 1 else first_free_part(team, turn, parts)
        if number >= 0 and replace_shared(team.taken, number, ZERO, ONE):
            buffer = find_buffer(held, NOTHING)
            held[buffer] = number
            free -= 1
            at = low + number * length
            part = part_of_batch(b, buffer, length, BUFFERS)
            find_batch_hits(t, e, q, part, state, at, min(end, at + length))
        elif number < 0:
            looks = wait_for_others(looks)
            continue
        looks = ZERO


@inner
def wait_for_others(looks: int) -> int:
    """Wait a moment, after ``looks`` in vain at what others have to finish. Returns one more."""
    if looks < MOST_LOOKS:
        wait_briefly()
    else:
        yield_processor()
    return looks + 1


@inner
def find_buffer(held: Integers, number: int) -> int:
    """The buffer that holds a part, or -1."""
    for buffer in range(BUFFERS):
        if held[buffer] == number:
            return buffer
    return -1


@inner
def first_free_part(team: Team, turn: int, parts: int) -> int:
    """The first part from ``turn`` on that no thread has taken, for which the others may have to
    wait; -1 if there is none.
    """
    for number in range(turn, parts):
        if load_shared(team.taken, number) == 0:
            return number
    return NOTHING
