"""Programs that a model writes: Python in a sandbox whose only way out is the tools it may call."""

from __future__ import annotations

import atexit
import difflib
import functools
import json
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from core.agent.tools.jsonable import DEEPEST
from core.errors import RaybenchError

if TYPE_CHECKING:
    from pydantic_monty import AsyncFunctionSnapshot, AsyncFutureSnapshot, AsyncNameLookupSnapshot, AsyncSnapshot

BYTES_EACH = 64
"""What a number or a list takes at least, in our memory."""
Outside = Callable[..., Awaitable[Any]]
"""A function of ours that a program may call; what it raises is raised in the program."""


class ProgramError(RaybenchError):
    """A program that cannot be read, failed, or went beyond a limit; the text says where and why."""


@dataclass(frozen=True)
class Limits:
    """What a program may use: seconds of its own, bytes of memory, calls, and characters of what it tells."""

    seconds: float = 2.0
    memory: int = 64_000_000
    calls: int = 40
    characters: int = 6_000


@dataclass(frozen=True)
class ProgramResult:
    """What a program printed, and the value of its last expression, as texts within the limit; ``calls`` is how often it called out."""

    printed: str
    value: str
    calls: int

    def __str__(self) -> str:
        return "\n".join(text for text in (self.printed.rstrip("\n"), self.value) if text) or "(nothing was printed, and there is no value)"


async def run_code(code: str, functions: Mapping[str, Outside], limits: Limits = Limits()) -> ProgramResult:
    """Run a program. It sees no file, no network and no clock to wait on; ``functions`` are all that it can reach.

    The functions are awaited here, one after the other; the time they take is not the program's, and theirs to limit.
    Cancelling ends the sandbox. Raises ProgramError.
    """
    import pydantic_monty as monty

    try:
        code.encode()
    except UnicodeEncodeError:
        raise ProgramError("The program holds half a character (a lone surrogate). Write it again.") from None
    run = _Run(dict(functions), limits)
    sandbox: monty.ResourceLimits = {
        "max_feed_duration_secs": limits.seconds,
        "max_memory": limits.memory,
        "max_suspensions": 4 * limits.calls + 100,
    }
    try:
        async with (
            monty.AsyncMonty(max_processes=1, request_timeout=limits.seconds + 5) as pool,
            pool.checkout(limits=sandbox, os_policy={"sleep": "zero"}, script_name="program.py") as session,
        ):
            snapshot = await session.feed_start(code, print_callback=run.hear)
            while not isinstance(snapshot, monty.MontyComplete):
                snapshot = await run.answer(snapshot)
            return ProgramResult(run.printed, _text(snapshot.output, limits.characters), run.calls)
    except monty.MontySyntaxError as error:
        raise ProgramError(f"The program cannot be read. {_where(error)}") from None
    except monty.MontyRuntimeError as error:
        _settle_at_exit()
        told = _capped(f"The program failed. {_where(error)}", limits.characters)
        raise ProgramError("\n".join(t for t in (run.printed.rstrip("\n"), told) if t)) from None
    except monty.MontyCrashedError as error:
        _settle_at_exit()
        why = "it took too long" if error.timed_out else "it broke the sandbox"
        raise ProgramError(f"The program was ended: {why}. Write a simpler one.") from None
    except monty.MontyError as error:
        raise ProgramError(f"The program was ended: {error}") from None
    except FileNotFoundError as error:
        raise ProgramError(f"The sandbox for programs is not installed whole ({error}). Install pydantic-monty again.") from None


@functools.cache
def _settle_at_exit() -> None:
    """Wait a moment before this process ends: a thread of a sandbox that was terminated tells of it late, and aborts the process where
    Python is gone by then."""
    atexit.register(time.sleep, 0.2)


@dataclass
class _Run:
    """A program at work."""

    functions: dict[str, Outside]
    limits: Limits
    printed: str = ""
    calls: int = 0
    pending: dict[int, Any] = field(default_factory=dict)
    """Answers to calls that the program awaits."""

    def hear(self, _stream: str, text: str) -> None:
        """What the program prints; what is beyond the limit is not kept."""
        if len(self.printed) <= self.limits.characters:
            self.printed = _capped(self.printed + text, self.limits.characters)

    async def answer(self, snapshot: AsyncFunctionSnapshot | AsyncNameLookupSnapshot | AsyncFutureSnapshot) -> AsyncSnapshot:
        """Give a program that waits what it waits for."""
        import pydantic_monty as monty

        if isinstance(snapshot, monty.AsyncNameLookupSnapshot):
            return await self._name(snapshot)
        if isinstance(snapshot, monty.AsyncFutureSnapshot):
            return await snapshot.resume({i: self.pending.pop(i) for i in snapshot.pending_call_ids})
        if snapshot.is_os_function:
            return await snapshot.resume_not_handled()
        return await self._call(snapshot)

    async def _name(self, snapshot: AsyncNameLookupSnapshot) -> AsyncSnapshot:
        name = snapshot.variable_name
        if name not in self.functions or snapshot.object_id is not None:
            return await snapshot.resume()

        def named() -> None:
            """Stands for the function in the sandbox, which only needs its name."""

        named.__name__ = name
        return await snapshot.resume(value=named)

    async def _call(self, snapshot: AsyncFunctionSnapshot) -> AsyncSnapshot:
        answer = await self._outcome(str(snapshot.function_name), snapshot.args, snapshot.kwargs)
        if snapshot.allow_eager_await:  # ``await tool()``: a tool is a plain function, but may be written like this too
            self.pending[snapshot.call_id] = answer
            return await snapshot.resume({"future": ...})
        return await snapshot.resume(answer)

    async def _outcome(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if name not in self.functions:
            near = difflib.get_close_matches(name, self.functions, 3, 0.5)
            hint = f"Did you mean {', '.join(near)}?" if near else f"Tools: {', '.join(self.functions) or '(none)'}."
            return {"exc_type": "NameError", "message": f"name '{name}' is not defined. {hint}"}
        if self.calls >= self.limits.calls:
            return {"exc_type": "RuntimeError", "message": f"a program may call at most {self.limits.calls} tools. Do it in several."}
        self.calls += 1
        if not _within([args, kwargs], self.limits.memory):
            return {"exc_type": "ValueError", "message": f"{name}() was given too much: give less, and nest it less deeply."}
        try:
            return {"return_value": _plain(await self.functions[name](*args, **kwargs))}
        except Exception as error:
            kind = next(k for k in (TypeError, ValueError, TimeoutError, Exception) if isinstance(error, k))
            return {"exc_type": "RuntimeError" if kind is Exception else kind.__name__, "message": str(error)}


def _plain(value: Any) -> Any:
    """A result as values that the sandbox can hold."""
    from pydantic_core import to_jsonable_python

    return to_jsonable_python(value, fallback=str)


def _within(value: Any, memory: int) -> bool:
    """Whether a value takes no more than this when it is written out, and nests at most `DEEPEST` deep.

    In the sandbox a list may stand in another one twice, and that one again: a few bytes there that are billions here.
    """
    waiting = [(value, 0)]
    while waiting:
        item, depth = waiting.pop()
        memory -= BYTES_EACH + (len(item) if isinstance(item, str | bytes) else item.bit_length() // 8 if isinstance(item, int) else 0)
        inner = (*item, *item.values()) if isinstance(item, Mapping) else item if isinstance(item, list | tuple | set | frozenset) else ()
        if memory - BYTES_EACH * len(inner) < 0 or depth > DEEPEST:
            return False
        waiting.extend((each, depth + 1) for each in inner)
    return True


def _text(value: Any, most: int) -> str:
    """The value of the last expression, cut; nothing for None. Written only as far as it is told."""
    if value is None or isinstance(value, str):
        return _capped(value or "", most)
    written = ""
    try:
        for part in json.JSONEncoder(ensure_ascii=False).iterencode(value):
            written += part
            if len(written) > most:
                break
        return _capped(written, most)
    except (TypeError, ValueError, RecursionError):  # no JSON, such as a set
        if _within(value, BYTES_EACH * most):
            return _capped(repr(value), most)
    return f"(a {type(value).__name__} that is too large to tell: print parts of it)"


def _capped(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]}\n[cut after {most} characters: print less]"


def _where(error: Any) -> str:
    """An error of the sandbox with the line of the program it arose in."""
    frames = error.traceback()
    line = f"Line {frames[-1].line}: " if frames else ""
    return f"{line}{error.display('type-msg')}"
