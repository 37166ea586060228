"""What all commands share at the terminal: output without control characters, errors, and tracing
with progress, stopped by Ctrl-C.
"""

from __future__ import annotations

import codecs
import json
import logging
import os
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from raybench.errors import RaybenchError, error_message, escape_hidden_in_lines
from raybench.system.files import NO_NAME
from raybench.system.interrupt import raises_interrupt
from raybench.trace.limits import DEFAULT_LIMIT
from raybench_workbench.texts import progress_words

if TYPE_CHECKING:
    from raybench.files.shared import Shared
    from raybench.scene.document import Document
    from raybench.session import Session
    from raybench.trace.results.result import TraceResult
    from raybench.trace.run.progress import Progress


def make_folder(path: Path, option: str) -> None:
    """Make a folder that was given with an option, unless it exists. Raises RaybenchError if that
    is impossible.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else NO_NAME
        raise RaybenchError(
            f"{path}: this cannot be a folder to write to ({reason}). Give another one with"
            f" {option}."
        ) from None


ESCAPES = "raybench.escapes"
"""The name of an error handler for encoding."""


def _encode_as_escapes(error: UnicodeError) -> tuple[str, int]:
    """JSON's escapes for characters that an encoding does not have, so that printed JSON stays
    JSON.
    """
    assert isinstance(error, UnicodeEncodeError)
    return (
        "".join(json.dumps(character)[1:-1] for character in error.object[error.start : error.end]),
        error.end,
    )


codecs.register_error(ESCAPES, _encode_as_escapes)


class ReadableStream:
    """A stream of text that passes on line breaks and tabs, and writes other control and hidden
    characters as escapes.
    """

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def write(self, text: str) -> int:
        escaped = escape_hidden_in_lines(text)
        encoding = self.stream.encoding or "utf-8"
        if not encoding.lower().startswith("utf"):
            escaped = escaped.encode(encoding, ESCAPES).decode(encoding)
        self.stream.write(escaped)
        return len(text)

    def writelines(self, texts: Iterable[str]) -> None:
        self.write("".join(texts))

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


def open_missing_streams() -> None:
    """Open the standard streams that this process was started without on the null device.

    The next file to be opened would otherwise have the number of such a stream, and what a library
    prints would be written to it.
    """
    while (descriptor := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(descriptor, True)
    os.close(descriptor)
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - open as long as the process runs
            setattr(sys, f"__{name}__", getattr(sys, name))


def make_output_readable() -> None:
    """Pass all output of this process through `ReadableStream`, except that of streams that
    replaced its own.
    """
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is not None and stream is getattr(sys, f"__{name}__"):
            setattr(sys, name, ReadableStream(stream))


def write_control_sequence(sequence: str) -> None:
    """Send a control sequence of the program's own to the terminal."""
    stream = getattr(sys.stderr, "stream", sys.stderr)
    stream.write(sequence)
    stream.flush()


class LogLine(logging.Formatter):
    """Formats a log record as one line. A record with an error names the place where the error was
    raised.
    """

    def format(self, record: logging.LogRecord) -> str:
        text = record.getMessage()
        error = record.exc_info[1] if record.exc_info else None
        if error is not None:
            frames = traceback.extract_tb(error.__traceback__)
            place = f"{frames[-1].filename}, line {frames[-1].lineno}; " if frames else ""
            what = f"{type(error).__name__}: {error_message(error)}".strip().rstrip(":")
            text += f" {what} ({place}--debug prints the traceback)"
            _told.add(" ".join(what.split()))
            _told.add(" ".join(error_message(error).split()))
        return f"raybench: {' '.join(text.split())}"


_told: set[str] = set()
"""The errors that the log has told on stderr, with their places."""


def start_line_logging(whole: bool) -> None:
    """Log to stderr, one line for each record or, if ``whole``, with tracebacks."""
    _told.clear()
    if logging.lastResort is not None:
        logging.lastResort.setFormatter(None if whole else LogLine())


def print_error(text: str) -> None:
    """Print the error that ends a command as one line on stderr, with its place, unless the log has
    printed it.
    """
    line = " ".join(text.split())
    if line not in _told:
        print(f"raybench: {line}", file=sys.stderr)


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
    return shared, _trace_scene(shared, max_segments, threads)


def _trace_scene(shared: Shared, max_segments: int, threads: int | None = None) -> TraceResult:
    from raybench.trace.trace import trace

    compile_in_background()
    interactive = sys.stderr.isatty()
    with reraise_interrupt() as interrupted:
        result = trace(
            shared.document,
            threads=threads,
            max_segments=max_segments,
            stop=interrupted,  # polling lets Python handle Ctrl-C while kernels run
            progress=_progress_printer(shared.name) if interactive else None,
        )
    if interactive:
        write_control_sequence(CLEAR_LINE)
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
        session.result = _trace_scene(shared, max_segments)
    except RaybenchError as error:
        if needed:
            raise
        print(f"{scene}: the scene could not be traced. {error}", file=sys.stderr)
    return session


def print_idle_objects(scene: str, document: Document) -> None:
    """Print on stderr which objects of a scene have no effect, such as those of an unknown kind."""
    from raybench.scene.problems.table import idle_objects_text

    if idle := idle_objects_text(document.scene, document.disabled):
        print(f"{scene}: {idle}", file=sys.stderr)


def print_unwritten_parts(document: Document, path: Path) -> None:
    """Print on stderr which parts of a document a written file does not contain, if any."""
    from raybench.files.document_file import lost_contents

    if lost := lost_contents(document, path):
        print(f"{path}: {lost}.", file=sys.stderr)


def print_if_partial(scene: str, result: TraceResult) -> None:
    """Print on stderr that an answer about a trace may be partial, if the trace is."""
    from raybench.trace.codes import Completion

    if result.completion is not Completion.COMPLETE:
        print(
            f"{scene}: the trace is partial ({result.completion.text}), so the answer may be, too.",
            file=sys.stderr,
        )


def load_compiled() -> None:
    """Load the kernels after their compilation; if they cannot be stored, they stay Python
    functions.
    """
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


def _progress_printer(name: str) -> Callable[[Progress], None]:
    """A progress callback that prints the progress of a trace that takes longer than a second."""
    start, last_printed = time.monotonic(), [0.0]

    def report(progress: Progress) -> None:
        now = time.monotonic()
        if now - start > 1 and now - last_printed[0] > 0.2:
            last_printed[0] = now
            print(f"{name}: {progress_words(progress)} (Ctrl-C stops)", end="", file=sys.stderr)
            write_control_sequence(CLEAR_LINE)

    return report
