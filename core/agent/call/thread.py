"""Running a blocking function beside the event loop, in a thread that never keeps the program alive."""

from __future__ import annotations

import asyncio
import contextvars
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

T = TypeVar("T")


class Ended(RuntimeError):
    """A function wanted to end its thread or the program, with sys.exit() for example, or ended an iteration that nobody began."""

    def __init__(self, error: BaseException) -> None:
        super().__init__(f"it raised {type(error).__name__}{f': {error}' if str(error) else ''}")


async def in_thread(function: Callable[[], T]) -> T:
    """What the function returns or raises. Cancelling stops the waiting; the thread runs on to its end, unheard.

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
