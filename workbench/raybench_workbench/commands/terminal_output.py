"""The output of commands: control characters in it, and characters that the terminal lacks, are
written as escapes.
"""

from __future__ import annotations

import codecs
import json
import logging
import os
import sys
import traceback
from collections.abc import Iterable
from typing import Any, TextIO

from raybench.errors import text_of
from raybench.hidden_characters import escaped_lines

ESCAPES = "raybench.escapes"
"""The name of an error handler for encoding."""


def _as_escapes(error: UnicodeError) -> tuple[str, int]:
    """JSON's escapes for characters that an encoding does not have, so that printed JSON stays
    JSON.
    """
    assert isinstance(error, UnicodeEncodeError)
    return (
        "".join(json.dumps(character)[1:-1] for character in error.object[error.start : error.end]),
        error.end,
    )


codecs.register_error(ESCAPES, _as_escapes)


class ReadableStream:
    """A stream of text that passes on line breaks and tabs, and writes other control and hidden
    characters as escapes.
    """

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def write(self, text: str) -> int:
        escaped = escaped_lines(text)
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


def control_terminal(sequence: str) -> None:
    """Send a control sequence of the program's own to the terminal."""
    stream = getattr(sys.stderr, "stream", sys.stderr)
    stream.write(sequence)
    stream.flush()


class LogLine(logging.Formatter):
    """Formats a record as one line. An error is named with the place where it was raised."""

    def format(self, record: logging.LogRecord) -> str:
        text = record.getMessage()
        error = record.exc_info[1] if record.exc_info else None
        if error is not None:
            frames = traceback.extract_tb(error.__traceback__)
            place = f"{frames[-1].filename}, line {frames[-1].lineno}; " if frames else ""
            what = f"{type(error).__name__}: {text_of(error)}".strip().rstrip(":")
            text += f" {what} ({place}--debug prints the traceback)"
            _told.add(" ".join(what.split()))
            _told.add(" ".join(text_of(error).split()))
        return f"raybench: {' '.join(text.split())}"


_told: set[str] = set()
"""The errors that the log has told on stderr, with their places."""


def log_in_lines(whole: bool) -> None:
    """Log to stderr, one line for each record or, if ``whole``, with tracebacks."""
    _told.clear()
    if logging.lastResort is not None:
        logging.lastResort.setFormatter(None if whole else LogLine())


def print_error(text: str) -> None:
    """Print an error that ends a command as one line on stderr, unless the log has told it, with
    its place.
    """
    line = " ".join(text.split())
    if line not in _told:
        print(f"raybench: {line}", file=sys.stderr)
