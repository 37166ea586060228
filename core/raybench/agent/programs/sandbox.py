"""A sandbox process for one program, driven from a thread of its own."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from pydantic_monty import MontySession, ResourceLimits

T = TypeVar("T")


class Sandbox:
    """A worker process with a session; an asynchronous context manager.

    The calls of a session block, so they are made in a thread that Python joins before it is
    finalised. The asynchronous calls of pydantic-monty are made by threads of its runtime, which
    Python does not know: they wake the event loop before they let go of the interpreter, and abort
    the process (SIGABRT) if it is finalised by then, for Python 3.11 ends such threads by unwinding
    them.
    """

    session: MontySession

    def __init__(self, limits: ResourceLimits, request_timeout: float) -> None:
        self._limits, self._request_timeout = limits, request_timeout
        self._thread = ThreadPoolExecutor(1, "program")
        self._open = ExitStack()
        self._process: int | None = None

    async def __aenter__(self) -> Sandbox:
        try:
            self.session = await self.blocking(self._start)
        except BaseException:
            self._close()
            raise
        return self

    async def __aexit__(self, *raised: object) -> None:
        self._close()

    async def blocking(self, call: Callable[[], T]) -> T:
        """The result of a call of the session. If it is cancelled, the process is ended, and with
        it the call.
        """
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, call)
        except asyncio.CancelledError:
            self._kill()
            raise

    def _start(self) -> MontySession:
        import pydantic_monty as monty

        pool = self._open.enter_context(
            monty.Monty(max_processes=1, request_timeout=self._request_timeout)
        )
        session = self._open.enter_context(
            pool.checkout(
                limits=self._limits, os_policy={"sleep": "zero"}, script_name="program.py"
            )
        )
        self._process = session.worker_pid  # known only between calls
        return session

    def _kill(self) -> None:
        if self._process is not None:
            with contextlib.suppress(OSError):
                os.kill(self._process, getattr(signal, "SIGKILL", signal.SIGTERM))

    def _close(self) -> None:
        """End the process in its thread, after a running call; nobody waits for it before the
        program ends.
        """
        self._thread.submit(self._open.close)
        self._thread.shutdown(wait=False)
