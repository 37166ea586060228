"""The lifetime of a call."""

from __future__ import annotations

import asyncio
import contextlib
import gc

import pytest

from raybench.agent.call.scope import CallScope


def test_a_call_that_fails_as_it_is_stopped_leaves_no_message_of_asyncio(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def fails_when_stopped() -> None:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            raise ValueError("stopped in the middle") from None

    async def main() -> None:
        call = asyncio.ensure_future(CallScope().run_with_timeout(60, fails_when_stopped()))
        await asyncio.sleep(0.01)
        call.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await call
        del call
        gc.collect()

    asyncio.run(main())
    gc.collect()
    assert not caplog.records
