"""A session without a window is traced on demand."""

from __future__ import annotations

import asyncio

import numpy as np
from tests.benchmarks.scenes import prism

from raybench.agent.call.open_document import OpenDocument
from raybench.scene.changes import Move
from raybench.scene.document import Document
from raybench.session import Session
from raybench.trace.columns import STORED
from raybench.trace.results.result import TraceResult
from raybench.trace.trace import trace


def test_a_trace_after_an_edit_reuses_what_was_not_edited() -> None:
    session = Session(Document(scene=prism(50)))
    first = asyncio.run(OpenDocument(session).context()).result
    rays = session.memory.left.rays
    assert rays is not None
    glass = next(o for o in session.document.scene.objects if o.type == "Glass")
    session.apply(Move(glass.key, 1, 0))
    second = asyncio.run(OpenDocument(session).context()).result
    assert session.memory.left.rays is rays
    assert session.memory.left.compiled is not None
    assert session.memory.left.compiled.optical == session.document.scene.optical
    assert second is not first
    alone = trace(session.document.scene)
    for name in STORED:
        np.testing.assert_array_equal(getattr(second, name), getattr(alone, name), err_msg=name)


def test_calls_at_the_same_time_wait_for_one_trace() -> None:
    session = Session(Document(scene=prism(50)))
    opened = OpenDocument(session)

    async def traced() -> list[TraceResult]:
        stopped = asyncio.ensure_future(opened.context())
        others = [asyncio.ensure_future(opened.context()) for _ in range(3)]
        await asyncio.sleep(0)
        stopped.cancel()
        return [context.result for context in await asyncio.gather(*others)]

    first, *others = asyncio.run(traced())
    assert all(result is first for result in others)
    assert session.result is first
