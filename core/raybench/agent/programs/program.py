"""Runs Python programs of a model in a sandbox. A program can call tools, but nothing else outside
of the sandbox.
"""

from __future__ import annotations

import asyncio
import contextlib
import difflib
import json
import os
import signal
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from raybench.errors import RaybenchError
from raybench.schema.json_values import BYTES_EACH, fits_memory_size
from raybench.system.extras import reinstall_remedy

if TYPE_CHECKING:
    from pydantic_monty import (
        FunctionSnapshot,
        FutureSnapshot,
        MontySession,
        NameLookupSnapshot,
        ResourceLimits,
        SyncSnapshot,
    )

T = TypeVar("T")
Outside = Callable[..., Awaitable[Any]]
"""A host function that a program can call; its exceptions are raised in the program."""
Resumption = Callable[[], "SyncSnapshot"]
"""Resumes a program until it waits again; blocks meanwhile."""


class Sandbox:
    """A worker process that runs programs in a session; an asynchronous context manager.

    The session's blocking calls are made in a thread that Python joins at exit. The asynchronous
    calls of pydantic-monty are not used: their threads are unknown to Python, and abort the process
    (SIGABRT) if the interpreter is finalised while they hold it (Python 3.11).
    """

    session: MontySession

    def __init__(self, limits: ResourceLimits, request_timeout: float) -> None:
        self._limits, self._request_timeout = limits, request_timeout
        self._thread = ThreadPoolExecutor(1, "program")
        self._open = ExitStack()
        self._process: int | None = None

    async def __aenter__(self) -> Sandbox:
        try:
            self.session = await self.run_blocking(self._start_process)
        except BaseException:
            self._close_process()
            raise
        return self

    async def __aexit__(self, *raised: object) -> None:
        self._close_process()

    async def run_blocking(self, call: Callable[[], T]) -> T:
        """Call a function of the session in a thread, and return its result. Cancelling ends the
        worker process, and so the call.
        """
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, call)
        except asyncio.CancelledError:
            if self._process is not None:
                with contextlib.suppress(OSError):
                    os.kill(self._process, getattr(signal, "SIGKILL", signal.SIGTERM))
            raise

    def _start_process(self) -> MontySession:
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

    def _close_process(self) -> None:
        """End the worker process in a separate thread, after a running call. Only the exit of the
        program waits for it.
        """
        self._thread.submit(self._open.close)
        self._thread.shutdown(wait=False)


class ProgramError(RaybenchError):
    """A program has a syntax error, failed, or exceeded a limit; the message says where and why."""


@dataclass(frozen=True)
class ProgramLimits:
    """The limits of a program: run time in seconds without its calls, memory in bytes, number of
    calls, and characters of output.
    """

    seconds: float = 2.0
    memory: int = 64_000_000
    calls: int = 40
    characters: int = 6_000


@dataclass(frozen=True)
class ProgramResult:
    """The printed output of a program and the value of its last expression, both as text of limited
    length. ``calls`` is the number of tool calls.
    """

    printed: str
    value: str
    calls: int

    def __str__(self) -> str:
        return (
            "\n".join(text for text in (self.printed.rstrip("\n"), self.value) if text)
            or "(nothing was printed, and there is no value)"
        )


async def run_code(
    code: str, functions: Mapping[str, Outside], limits: ProgramLimits = ProgramLimits()
) -> ProgramResult:
    """Run a program in the sandbox, without files, network and sleep. ``functions`` are the only
    outside functions that it can call.

    The functions are awaited one after the other; their time does not count towards the time limit.
    Cancelling ends the sandbox. Raises ProgramError.
    """
    import pydantic_monty as monty

    try:
        code.encode()
    except UnicodeEncodeError:
        raise ProgramError(
            "The program holds half a character (a lone surrogate). Write it again."
        ) from None
    run = _RunningProgram(dict(functions), limits)
    sandbox_limits: ResourceLimits = {
        "max_feed_duration_secs": limits.seconds,
        "max_memory": limits.memory,
        "max_suspensions": 4 * limits.calls + 100,
    }
    try:
        async with Sandbox(sandbox_limits, request_timeout=limits.seconds + 5) as sandbox:
            snapshot = await sandbox.run_blocking(
                partial(sandbox.session.feed_start, code, print_callback=run.collect_output)
            )
            while not isinstance(snapshot, monty.MontyComplete):
                snapshot = await sandbox.run_blocking(await run.make_resumption(snapshot))
            return ProgramResult(
                run.printed, _value_text(snapshot.output, limits.characters), run.calls
            )
    except monty.MontySyntaxError as error:
        raise ProgramError(f"The program cannot be read. {_error_with_line(error)}") from None
    except monty.MontyRuntimeError as error:
        why = _truncate_text(f"The program failed. {_error_with_line(error)}", limits.characters)
        raise run.make_error(why) from None
    except monty.MontyCrashedError as error:
        why = "it took too long" if error.timed_out else "it broke the sandbox"
        raise run.make_error(f"The program was ended: {why}. Write a simpler one.") from None
    except monty.MontyError as error:
        raise run.make_error(f"The program was ended: {error}") from None
    except FileNotFoundError as error:
        raise ProgramError(
            f"The sandbox for programs is incomplete ({error}). {reinstall_remedy('pydantic-monty again')}"
        ) from None


@dataclass
class _RunningProgram:
    """The state of a program while it runs in the sandbox."""

    functions: dict[str, Outside]
    limits: ProgramLimits
    printed: str = ""
    calls: int = 0
    pending: dict[int, Any] = field(default_factory=dict)
    """Results of calls that the program awaits, by call id."""

    def collect_output(self, _stream: str, text: str) -> None:
        """Append printed text to the output, up to the limit."""
        if len(self.printed) <= self.limits.characters:
            self.printed = _truncate_text(self.printed + text, self.limits.characters)

    def make_error(self, why: str) -> ProgramError:
        """The error of a program that was ended: its output so far, and the reason ``why``."""
        return ProgramError("\n".join(t for t in (self.printed.rstrip("\n"), why) if t))

    async def make_resumption(
        self, snapshot: FunctionSnapshot | NameLookupSnapshot | FutureSnapshot
    ) -> Resumption:
        """Make the function that resumes a program paused at a name, a call or an ``await``."""
        import pydantic_monty as monty

        if isinstance(snapshot, monty.NameLookupSnapshot):
            if snapshot.variable_name not in self.functions or snapshot.object_id is not None:
                return snapshot.resume

            def placeholder() -> None:
                """Stands for an outside function; the sandbox needs only its name."""

            placeholder.__name__ = snapshot.variable_name
            return partial(snapshot.resume, value=placeholder)
        if isinstance(snapshot, monty.FutureSnapshot):
            awaited = {i: self.pending.pop(i) for i in snapshot.pending_call_ids}
            return partial(snapshot.resume, awaited)
        if snapshot.is_os_function:
            return snapshot.resume_not_handled
        answer = await self._call_function(
            str(snapshot.function_name), snapshot.args, snapshot.kwargs
        )
        if not snapshot.allow_eager_await:
            return partial(snapshot.resume, answer)
        # ``await tool()``: a tool is a plain function, but may be written like this too
        self.pending[snapshot.call_id] = answer
        return partial(snapshot.resume, {"future": ...})

    async def _call_function(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Call an outside function. Returns its result, or the exception to raise in the
        program.
        """
        from pydantic_core import to_jsonable_python

        if name not in self.functions:
            near = difflib.get_close_matches(name, self.functions, 3, 0.5)
            tools = ", ".join(self.functions) or "(none)"
            hint = f"Did you mean {', '.join(near)}?" if near else f"Tools: {tools}."
            return _error_outcome("NameError", f"name '{name}' is not defined. {hint}")
        if self.calls >= self.limits.calls:
            most = f"a program may call at most {self.limits.calls} tools. Do it in several."
            return _error_outcome("RuntimeError", most)
        self.calls += 1
        if not fits_memory_size([args, kwargs], self.limits.memory):
            less = f"{name}() was given too much: give less, and nest it less deeply."
            return _error_outcome("ValueError", less)
        try:
            value = await self.functions[name](*args, **kwargs)
            return {"return_value": to_jsonable_python(value, fallback=str)}
        except Exception as error:
            kinds = (TypeError, ValueError, TimeoutError)
            kind = next((k for k in kinds if isinstance(error, k)), RuntimeError)
            return _error_outcome(kind.__name__, str(error))


def _error_outcome(exception: str, message: str) -> dict[str, str]:
    return {"exc_type": exception, "message": message}


def _value_text(value: Any, most: int) -> str:
    """The value of the last expression as text of at most ``most`` characters; empty for None. The
    rest of a long value is not converted.
    """
    if value is None or isinstance(value, str):
        return _truncate_text(value or "", most)
    written = ""
    try:
        for part in json.JSONEncoder(ensure_ascii=False).iterencode(value):
            written += part
            if len(written) > most:
                break
        return _truncate_text(written, most)
    except (TypeError, ValueError, RecursionError):  # not JSON, such as a set
        if fits_memory_size(value, BYTES_EACH * most):
            return _truncate_text(repr(value), most)
    return f"(a {type(value).__name__} that is too large: print parts of it)"


def _truncate_text(text: str, most: int) -> str:
    return (
        text if len(text) <= most else f"{text[:most]}\n[cut after {most} characters: print less]"
    )


def _error_with_line(error: Any) -> str:
    """The message of an error in a program, with the line number."""
    frames = error.traceback()
    line = f"Line {frames[-1].line}: " if frames else ""
    return f"{line}{error.display('type-msg')}"
