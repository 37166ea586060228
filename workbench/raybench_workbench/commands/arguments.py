"""Arguments that several commands take: what a scene may be, numbers, sizes, themes, folders to
write to.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from raybench.errors import RaybenchError
from raybench.system.files import NO_NAME
from raybench.trace.limits import DEFAULT_LIMIT
from raybench_workbench.export import LARGEST, SMALLEST

SOURCES = (
    "a .json scene, a .raybench document, a link to a scene, a text file that holds a link or"
    " pasted JSON, or an example (example:rainbow)"
)
THEMES = ("light", "dark", "paper")
"""As `raybench_workbench.theme.THEMES`, which needs Qt."""


def add_limit_option(parser: argparse.ArgumentParser, what: str = "the trace") -> None:
    """The option that ends traces early."""
    parser.add_argument(
        "--max-segments",
        type=positive,
        default=DEFAULT_LIMIT,
        metavar="N",
        help=f"stop {what} after N segments",
    )


def positive(text: str) -> int:
    """A whole number above 0."""
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number above 0")
    return number


def size(text: str) -> tuple[int, int]:
    """A size in pixels, such as 1280x800."""
    width, _, height = text.partition("x")
    if not (width.isdecimal() and height.isdecimal()):
        raise argparse.ArgumentTypeError(f"'{text}' is not a size such as 1280x800")
    if not all(SMALLEST <= int(pixels) <= LARGEST for pixels in (width, height)):
        raise argparse.ArgumentTypeError(
            f"'{text}' is outside of {SMALLEST}x{SMALLEST} to {LARGEST}x{LARGEST}"
        )
    return int(width), int(height)


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
