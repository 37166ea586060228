"""What all commands do at the terminal: printing without control characters, reporting errors, and
tracing with progress, which Ctrl-C stops.
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
from raybench.system.interrupt import ctrl_c_raises_interrupt
from raybench.trace.limits import DEFAULT_LIMIT
from raybench_workbench.texts import progress_words

if TYPE_CHECKING:
    from raybench.files.shared import SharedContent
    from raybench.scene.document import Document
    from raybench.session import Session
    from raybench.trace.results.result import TraceResult
    from raybench.trace.run.progress import TraceProgress


def make_folder(path: Path, option: str) -> None:
    """Make the folder that an option names, if it does not exist. Raises RaybenchError if that is
    impossible.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else NO_NAME
        raise RaybenchError(
            f"{path}: this cannot be a folder to write to ({reason}). Give another one with"
            f" {option}."
        ) from None


ESCAPES_HANDLER = "raybench.escapes"
"""The name of an error handler for encoding."""


def _encode_as_escapes(error: UnicodeError) -> tuple[str, int]:
    """Encode characters that an output encoding lacks as JSON escapes, so that printed JSON stays
    valid.
    """
    assert isinstance(error, UnicodeEncodeError)
    return (
        "".join(json.dumps(character)[1:-1] for character in error.object[error.start : error.end]),
        error.end,
    )


codecs.register_error(ESCAPES_HANDLER, _encode_as_escapes)


class ReadableStream:
    """A text stream that writes control characters and hidden characters as escapes, except line
    breaks and tabs.
    """

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def write(self, text: str) -> int:
        escaped = escape_hidden_in_lines(text)
        encoding = self.stream.encoding or "utf-8"
        if not encoding.lower().startswith("utf"):
            escaped = escaped.encode(encoding, ESCAPES_HANDLER).decode(encoding)
        self.stream.write(escaped)
        return len(text)

    def writelines(self, texts: Iterable[str]) -> None:
        self.write("".join(texts))

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


def open_missing_streams() -> None:
    """Open the null device for each standard stream that this process was started without.

    Otherwise the next opened file would get the number of that stream, and printed text would be
    written to it.
    """
    while (descriptor := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(descriptor, True)
    os.close(descriptor)
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - open as long as the process runs
            setattr(sys, f"__{name}__", getattr(sys, name))


def make_output_readable() -> None:
    """Make this process print through `ReadableStream`, except to streams that already replaced its
    standard ones.
    """
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is not None and stream is getattr(sys, f"__{name}__"):
            setattr(sys, name, ReadableStream(stream))


def write_control_sequence(sequence: str) -> None:
    """Send a control sequence of the program itself to the terminal, without escaping it."""
    stream = getattr(sys.stderr, "stream", sys.stderr)
    stream.write(sequence)
    stream.flush()


class OneLineFormatter(logging.Formatter):
    """Formats a log record as one line. An error is followed by the place in the code that raised
    it.
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
    """Log to stderr with one line per record or, if ``whole`` is set, with complete tracebacks."""
    _told.clear()
    if logging.lastResort is not None:
        logging.lastResort.setFormatter(None if whole else OneLineFormatter())


def print_error(text: str) -> None:
    """Print the error that ends a command as one line on stderr, unless it was already logged."""
    line = " ".join(text.split())
    if line not in _told:
        print(f"raybench: {line}", file=sys.stderr)


CLEAR_LINE = "\x1b[K\r"
"""Escape sequence that clears the rest of the line and returns to its start."""


def load_and_trace(
    scene: str, max_segments: int = DEFAULT_LIMIT, threads: int | None = None
) -> tuple[SharedContent, TraceResult]:
    """Load and trace a scene that is named as on the command line. Raises SceneFileError if it
    cannot be read, and KeyboardInterrupt on Ctrl-C.
    """
    from raybench.files.shared import read_shared

    shared = read_shared(scene)
    print_notes(shared)
    return shared, _trace_scene(shared, max_segments, threads)


def print_notes(shared: SharedContent) -> None:
    """Print on stderr what was not imported exactly from a lens file."""
    for note in shared.notes:
        print(f"{shared.name}: {note}", file=sys.stderr)


def _trace_scene(
    shared: SharedContent, max_segments: int, threads: int | None = None
) -> TraceResult:
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
    """A session with a scene, named as on the command line, and its trace.

    If the scene cannot be traced: raises RaybenchError if the trace is ``needed``, else prints the
    reason and returns a session without a result.
    """
    from raybench.files.shared import read_shared
    from raybench.session import Session

    shared = read_shared(scene)
    print_notes(shared)
    session = Session.from_shared(shared)
    try:
        session.result = _trace_scene(shared, max_segments)
    except RaybenchError as error:
        if needed:
            raise
        print(f"{scene}: the scene could not be traced. {error}", file=sys.stderr)
    return session


def print_idle_objects(scene: str, document: Document) -> None:
    """Print on stderr which objects of a scene have no effect, such as those of an unknown kind."""
    from raybench.scene.problems.table import objects_without_effect_text

    if idle := objects_without_effect_text(document.scene, document.disabled):
        print(f"{scene}: {idle}", file=sys.stderr)


def print_unwritten_parts(document: Document, path: Path) -> None:
    """Print on stderr what a written file leaves out of a document, a sentence a line."""
    from raybench.files.document_file import SUFFIX, list_omitted_contents

    if left_out := list_omitted_contents(document, path):
        print(
            f"{path} is a plain scene; a {SUFFIX} file keeps everything:",
            *left_out,
            sep="\n  ",
            file=sys.stderr,
        )


def print_if_partial(scene: str, result: TraceResult) -> None:
    """Print a warning on stderr if the trace is partial, because answers about it may be
    incomplete.
    """
    from raybench.trace.codes import Completion

    if result.completion is not Completion.COMPLETE:
        print(
            f"{scene}: the trace is partial ({result.completion.text}), so the answer may be, too.",
            file=sys.stderr,
        )


def load_compiled_kernels() -> None:
    """Load the compiled kernels, and compile them first if necessary. If the compiled code cannot
    be stored, the kernels stay Python functions.
    """
    from raybench.trace.compilation.loading import are_kernels_ready
    from raybench.trace.trace import load_kernels

    compile_kernels_once()
    if are_kernels_ready():
        with reraise_interrupt():
            load_kernels()


def compile_kernels_once() -> None:
    """Compile the kernels and wait, unless they are already compiled."""
    waiting = compile_in_background()
    if waiting is not None:
        waiting.join()


@cache
def compile_in_background() -> threading.Thread | None:
    """Start the compilation of the kernels in a process that continues if this one ends. Returns a
    thread that waits for it; None if the kernels are already compiled, or cannot be compiled.

    Prints once why the compilation takes long, or that it will at the next start.
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
    """Raise KeyboardInterrupt at the end of the block if Ctrl-C was pressed and the exception was
    lost. Yields a function that returns whether it was pressed.

    Python drops a KeyboardInterrupt raised in a callback of the compiler, which happens while
    libraries are loaded.
    """
    pressed = False

    def handle_interrupt(number: int, frame: object) -> None:
        nonlocal pressed
        pressed = True
        raise KeyboardInterrupt

    if not ctrl_c_raises_interrupt():
        yield lambda: False
        return
    before = signal.signal(signal.SIGINT, handle_interrupt)
    try:
        yield lambda: pressed
    finally:
        signal.signal(signal.SIGINT, before)
    if pressed:
        raise KeyboardInterrupt


def _progress_printer(name: str) -> Callable[[TraceProgress], None]:
    """A callback that prints the progress of a trace that takes longer than a second."""
    start, last_printed = time.monotonic(), [0.0]

    def report(progress: TraceProgress) -> None:
        now = time.monotonic()
        if now - start > 1 and now - last_printed[0] > 0.2:
            last_printed[0] = now
            print(f"{name}: {progress_words(progress)} (Ctrl-C stops)", end="", file=sys.stderr)
            write_control_sequence(CLEAR_LINE)

    return report
