"""Tracing for a command, with progress on a terminal, and stopped by Ctrl-C."""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING

from raybench.errors import RaybenchError
from raybench.system.interrupt import raises_interrupt
from raybench.trace.limits import DEFAULT_LIMIT
from raybench_workbench.commands.terminal_output import control_terminal
from raybench_workbench.texts import progress_words

if TYPE_CHECKING:
    from raybench.files.shared import Shared
    from raybench.scene.document import Document
    from raybench.session import Session
    from raybench.trace.results.result import TraceResult
    from raybench.trace.run.progress import Progress

CLEAR_LINE = "\x1b[K\r"
"""Escape sequence that clears the rest of the line and returns to its start."""


def load_and_trace(
    scene: str, max_segments: int = DEFAULT_LIMIT, threads: int | None = None
) -> tuple[Shared, TraceResult]:
    """Load a scene, named as on the command line, and trace it. Raises SceneFileError if it cannot
    be read, KeyboardInterrupt on Ctrl-C.
    """
    from raybench.files.shared import read_shared

    shared = read_shared(scene)
    return shared, _traced(shared, max_segments, threads)


def _traced(shared: Shared, max_segments: int, threads: int | None = None) -> TraceResult:
    from raybench.trace.trace import trace

    compile_in_background()
    interactive = sys.stderr.isatty()
    with reraise_interrupt() as interrupted:
        result = trace(
            shared.document,
            threads=threads,
            max_segments=max_segments,
            stop=interrupted,  # polling lets Python handle Ctrl-C while kernels run
            progress=_progress(shared.name) if interactive else None,
        )
    if interactive:
        control_terminal(CLEAR_LINE)
    return result


def traced_session(scene: str, max_segments: int = DEFAULT_LIMIT, needed: bool = True) -> Session:
    """A session with a traced scene, named as on the command line.

    If the scene cannot be traced, raises RaybenchError; if the trace is not ``needed``, prints why,
    and the session has no result.
    """
    from raybench.files.shared import read_shared
    from raybench.session import Session

    shared = read_shared(scene)
    session = Session.of_shared(shared)
    try:
        session.result = _traced(shared, max_segments)
    except RaybenchError as error:
        if needed:
            raise
        print(f"{scene}: the scene could not be traced. {error}", file=sys.stderr)
    return session


def print_idle(scene: str, document: Document) -> None:
    """Print on stderr which objects of a scene have no effect, such as those of an unknown kind, if
    there are any.
    """
    from raybench.scene.problems.idle import idle_objects

    if idle := idle_objects(document.scene, document.disabled):
        print(f"{scene}: {idle}", file=sys.stderr)


def print_if_partial(scene: str, result: TraceResult) -> None:
    """Print on stderr that an answer about a trace may be partial, if the trace is."""
    from raybench.trace.codes import Completion

    if result.completion is not Completion.COMPLETE:
        print(
            f"{scene}: the trace is partial ({result.completion.text}), so the answer may be, too.",
            file=sys.stderr,
        )


def load_compiled() -> None:
    """Load the kernels, once they are compiled; without a place to keep them they stay Python."""
    from raybench.trace.compilation.loading import kernels_ready
    from raybench.trace.trace import load_kernels

    compile_once()
    if kernels_ready():
        with reraise_interrupt():
            load_kernels()


def compile_once() -> None:
    """Wait for the kernels to be compiled if they are not yet."""
    waiting = compile_in_background()
    if waiting is not None:
        waiting.join()


@cache
def compile_in_background() -> threading.Thread | None:
    """A thread that waits for the kernels to be compiled, which goes on if this process ends; None
    if they are compiled, or cannot be.

    Prints once why this takes long, or why it will at the next start.
    """
    from raybench.trace.compilation import loading
    from raybench.trace.compilation.kernel_cache import kernel_problem

    waiting = loading.compile_in_background()
    if problem := kernel_problem():
        print(problem, file=sys.stderr)
    elif waiting is not None:
        print(
            "Compiling the tracing kernels, for about a minute; only the first start does this.",
            file=sys.stderr,
        )
    return waiting


@contextmanager
def reraise_interrupt() -> Iterator[Callable[[], bool]]:
    """Raise KeyboardInterrupt at the end of the block if Ctrl-C was pressed but the exception was
    lost; yields whether it was pressed.

    Python drops a KeyboardInterrupt raised in a callback from the compiler, which happens while
    libraries are loaded.
    """
    pressed = False

    def press(number: int, frame: object) -> None:
        nonlocal pressed
        pressed = True
        raise KeyboardInterrupt

    if not raises_interrupt():
        yield lambda: False
        return
    before = signal.signal(signal.SIGINT, press)
    try:
        yield lambda: pressed
    finally:
        signal.signal(signal.SIGINT, before)
    if pressed:
        raise KeyboardInterrupt


def _progress(name: str) -> Callable[[Progress], None]:
    """A progress callback that prints the progress of a trace that takes longer than a second."""
    start, last_printed = time.monotonic(), [0.0]

    def report(progress: Progress) -> None:
        now = time.monotonic()
        if now - start > 1 and now - last_printed[0] > 0.2:
            last_printed[0] = now
            print(f"{name}: {progress_words(progress)} (Ctrl-C stops)", end="", file=sys.stderr)
            control_terminal(CLEAR_LINE)

    return report
