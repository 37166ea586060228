"""Runs functions that may block in daemon threads, and awaits their results."""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future, InvalidStateError
from typing import Any, TypeVar

from raybench.errors import error_text

T = TypeVar("T")


class Ended(RuntimeError):
    """A function raised SystemExit, KeyboardInterrupt or StopIteration, which must not end the
    calling thread.
    """

    def __init__(self, error: BaseException) -> None:
        super().__init__(f"it raised {error_text(error)}")
        self.__traceback__ = error.__traceback__  # the log names the place


async def in_thread(function: Callable[[], T]) -> T:
    """The result or the exception of the function. Cancelling ends the wait; the thread runs on and
    its result is dropped.

    A thread of its own and no pool: a pool waits for its threads when the program ends, and a tool
    may never return.
    """
    future: Future[T] = Future()
    context = contextvars.copy_context()

    def run() -> None:
        with contextlib.suppress(
            InvalidStateError
        ):  # the future was cancelled: nobody waits any more
            try:
                result = context.run(function)
            except BaseException as error:
                future.set_exception(
                    error
                    if isinstance(error, Exception) and not isinstance(error, StopIteration)
                    else Ended(error)
                )
            else:
                future.set_result(result)

    threading.Thread(target=run, daemon=True, name="tool").start()
    return await asyncio.wrap_future(future)


async def in_own_loop(work: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """The result or the exception of a coroutine that runs in an event loop and a thread of its
    own.

    Whatever blocks there, such as ``time.sleep``, blocks nothing else. Cancelling ends the wait and
    cancels the coroutine.
    """
    tasks: list[tuple[asyncio.AbstractEventLoop, asyncio.Task[T]]] = []
    stopped = threading.Event()

    async def main() -> T:
        task = asyncio.current_task()
        assert task is not None
        tasks.append((asyncio.get_running_loop(), task))
        if stopped.is_set():
            raise asyncio.CancelledError
        return await work()

    try:
        return await in_thread(lambda: asyncio.run(main()))
    finally:
        stopped.set()
        for loop, task in tasks:
            with contextlib.suppress(RuntimeError):  # the loop is closed: the coroutine has ended
                loop.call_soon_threadsafe(task.cancel)
