"""Runs a blocking function in a daemon thread and awaits its result."""

from __future__ import annotations

import asyncio
import contextvars
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

T = TypeVar("T")


class Ended(RuntimeError):
    """A function raised SystemExit, KeyboardInterrupt or StopIteration, which must not end the calling thread."""

    def __init__(self, error: BaseException) -> None:
        super().__init__(f"it raised {type(error).__name__}{f': {error}' if str(error) else ''}")


async def in_thread(function: Callable[[], T]) -> T:
    """The result or the exception of the function. Cancelling ends the wait; the thread runs on and its result is dropped.

    A thread of its own and no pool: a pool waits for its threads when the program ends, and a tool may never return.
    """
    future: Future[T] = Future()
    context = contextvars.copy_context()

    def run() -> None:
        try:
            result = context.run(function)
        except BaseException as error:
            if not future.cancelled():
                future.set_exception(error if isinstance(error, Exception) and not isinstance(error, StopIteration) else Ended(error))
        else:
            if not future.cancelled():
                future.set_result(result)

    threading.Thread(target=run, daemon=True, name="tool").start()
    return await asyncio.wrap_future(future)
