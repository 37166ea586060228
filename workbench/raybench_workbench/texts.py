"""Texts for widgets: counts, the progress of a trace, and texts in which Qt would otherwise
interpret HTML or keyboard shortcuts. The module does not import Qt.
"""

import html
import math
import re

from raybench.trace.run.progress import TraceProgress
from raybench_workbench.translation import tr, with_decimal_sign

_LONG_WORD = re.compile(r"\S{25,}")

_PIECE_LENGTH = 16
"""Characters of a piece of a long word."""

ZERO_WIDTH_SPACE = "\u200b"


def literal_tool_tip(text: str) -> str:
    """The text for a tool tip or message box that shows ``text`` literally. Otherwise Qt would
    render tags in it as HTML and load pictures.
    """
    return f"<p style='white-space: pre-wrap'>{html.escape(text)}</p>" if "<" in text else text


def literal_label_text(text: str) -> str:
    """The text for a menu entry or button that shows ``text`` literally. Otherwise Qt would take
    ``&`` as the mark of a shortcut.
    """
    return text.replace("&", "&&")


def breakable_text(text: str) -> str:
    """The text with possible line breaks within long words, since a label breaks lines only between
    words.
    """
    return _LONG_WORD.sub(
        lambda m: ZERO_WIDTH_SPACE.join(
            m[0][i : i + _PIECE_LENGTH] for i in range(0, len(m[0]), _PIECE_LENGTH)
        ),
        text,
    )


def grouped_digits(number: int) -> str:
    """A whole number with thin spaces between groups of three digits."""
    return f"{number:,}".replace(",", "\u2009")


def number_with_error(value: float, error: float, digits: int) -> str:
    """A number with its standard error, such as ``1.23 ± 0.02``, rounded to the first digit of the
    error, in the language of the window. If the error is negligible, the number alone with
    ``digits`` digits.
    """
    size = abs(value)
    if not NEGLIGIBLE_ERROR * size < error < math.inf:
        return with_decimal_sign(f"{value:.{digits}g}")
    power = math.floor(math.log10(size)) if size and not 1e-2 <= size < 1e6 else 0
    place = math.floor(math.log10(error)) - power
    numbers = (round(number / 10.0**power, -place) for number in (value, error))
    text = with_decimal_sign(" ± ".join(f"{number:.{max(0, -place)}f}" for number in numbers))
    return f"({text})e{power}" if power else text


STOP_TIP = tr("Stop tracing and keep the rays traced so far.")
"""The tool tip of a running trace."""

NEGLIGIBLE_ERROR = 1e-4
"""The part of a value below which its error is not written."""
MIN_WRITTEN_SHARE = 1e-4
"""The smallest fraction of the power that is written as a number."""


def progress_words(progress: TraceProgress) -> str:
    """The progress of a trace in words: the number of segments, the limit if it will be reached
    first, and the fraction of light still to be traced.
    """
    segments = grouped_digits(progress.segments)
    if progress.segments / max(progress.limit, 1) > 1.0 - progress.alive:
        segments += tr(" of at most {count}", count=grouped_digits(progress.limit))
    return tr(
        "{segments} segments, {percent} of the light on its way",
        segments=segments,
        percent=_percent_text(progress.alive),
    )


def _percent_text(part: float) -> str:
    """A fraction as a percentage with two digits."""
    if 0.0 < part < MIN_WRITTEN_SHARE:
        return tr("below {number:g} %", number=100 * MIN_WRITTEN_SHARE)
    return f"{100 * part:.0f} %" if part >= 0.0995 else f"{100 * part:.2g} %"
