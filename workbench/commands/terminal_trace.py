"""Tracing for a command: with progress for whoever watches a terminal, and stopped by Ctrl-C."""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from workbench.terminal_output import control_terminal

if TYPE_CHECKING:
    from core.files.shared import Shared
    from core.session import Session
    from core.trace.results.result import TraceResult

WIPE = "\x1b[K\r"
"""Clears the rest of a terminal's line and goes back to its start."""


def load_and_trace(scene: str, max_segments: int | None, threads: int | None = None) -> tuple[Shared, TraceResult]:
    """A scene that somebody named, and its trace. Raises SceneFileError if it cannot be read, KeyboardInterrupt after Ctrl-C."""
    from core.files.shared import read_shared

    shared = read_shared(scene)
    document = shared.document
    compile_once()
    with unswallowed_interrupt():
        from core.trace.trace import DEFAULT_LIMIT, load_kernels, trace

        load_kernels()
    person = sys.stderr.isatty()
    result = trace(
        document.scene,
        threads=threads,
        max_segments=max_segments or DEFAULT_LIMIT,
        disabled=document.disabled,
        revision=document.revision,
        progress=_progress(shared.name) if person else None,
    )
    if person:
        control_terminal(WIPE)
    return shared, result


def traced_session(scene: str, max_segments: int | None = None) -> Session:
    """A session on a scene that somebody named, traced."""
    from core.session import Session

    shared, result = load_and_trace(scene, max_segments)
    session = Session.of_shared(shared)
    session.result = result
    return session


def compile_once() -> None:
    """Compile the kernels if that was never done, and say so; say too if the next start will have to do it again."""
    from core.trace.compilation.compile_kernels import compile_here, kernels_ready
    from core.trace.compilation.kernel_cache import cache_problem

    if not kernels_ready():
        before = cache_problem()
        print(before or "Compiling the tracing kernels; only the first start does this.", file=sys.stderr)
        compile_here(lambda text, share: None)
        if cache_problem() != before:
            print(cache_problem(), file=sys.stderr)


@contextmanager
def unswallowed_interrupt() -> Iterator[None]:
    """Raises KeyboardInterrupt at the end of what loads libraries, if one of them swallowed it.

    Where Ctrl-C comes while a compiler calls back into Python, Python drops the KeyboardInterrupt that it raised there.
    """
    pressed = False

    def press(number: int, frame: object) -> None:
        nonlocal pressed
        pressed = True
        raise KeyboardInterrupt

    before = signal.getsignal(signal.SIGINT)
    if before is not signal.default_int_handler:  # ignored, or somebody else's
        yield
        return
    signal.signal(signal.SIGINT, press)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if pressed:
        raise KeyboardInterrupt


def _progress(name: str) -> Callable[[int], None]:
    """Tells a person at a terminal, how far a trace of over a second is."""
    begun, told = time.monotonic(), [0.0]

    def tell(segments: int) -> None:
        now = time.monotonic()
        if now - begun > 1 and now - told[0] > 0.2:
            told[0] = now
            print(f"{name}: {segments:,} segments so far (Ctrl-C stops)", end="", file=sys.stderr)
            control_terminal(WIPE)

    return tell
