"""The sheet on which a document's figures are drawn: its page and scale, and the texts of its title
block and caption.
"""

import math
import re
from dataclasses import asdict, dataclass
from typing import Any, Self

from raybench.errors import RaybenchError, elide_text, list_choices, short_repr
from raybench.kinds.fields import METRES, number, string
from raybench.scene.pages import PAGES

FIT, ROUND = "fit", "round"
"""The scales at which the figure fits: the largest one, and the largest of 1:1, 1:2, 1:5 and so on.
"""
MAX_MARGIN, MAX_TEXT_LENGTH = 40.0, 2000
"""The widest margin in millimetres, and the maximum number of characters of a text."""
_RATIO = re.compile(r"\s*(\d+(?:\.\d+)?)\s*:\s*(\d+(?:\.\d+)?)\s*")


class InvalidSheet(RaybenchError):
    """The description of a sheet is invalid."""


@dataclass(frozen=True)
class Sheet:
    """A sheet: its page (a key of `PAGES`), the scale of its figure (`FIT`, `ROUND` or a text such
    as ``1:2``), its margin in millimetres, and its texts. Raises InvalidSheet.
    """

    page: str = string("a4", "Page")
    scale: str = string(ROUND, "Scale")
    margin: float = number(10.0, "Margin")
    title: str = string("", "Title")
    author: str = string("", "Author")
    caption: str = string("", "Caption")

    def __post_init__(self) -> None:
        if self.page not in PAGES:
            raise InvalidSheet(
                f"There is no page {short_repr(elide_text(self.page, 40))}; there are"
                f" {list_choices(PAGES, 'and')}."
            )
        if not 0 <= self.margin <= MAX_MARGIN:
            raise InvalidSheet(f"The margin of a sheet is from 0 to {MAX_MARGIN:g} mm.")
        if any(len(text) > MAX_TEXT_LENGTH for text in (self.title, self.author, self.caption)):
            raise InvalidSheet(f"A text of a sheet has at most {MAX_TEXT_LENGTH} characters.")
        if self.scale not in (FIT, ROUND):
            read_ratio(self.scale)

    @classmethod
    def from_json(cls, data: Any) -> Self:
        """Decode a sheet from JSON. Raises InvalidSheet."""
        from raybench.scene.codec import record_from_json  # the command line needs the pages alone

        return record_from_json(cls, data, "A sheet", InvalidSheet)

    def to_json(self) -> dict[str, Any]:
        """Encode the sheet as JSON."""
        return asdict(self)


def read_ratio(text: str) -> float:
    """Read a scale such as ``1:2``: the length on paper divided by the real length. Raises
    InvalidSheet.
    """
    match = _RATIO.fullmatch(text)
    ratio = float(match[1]) / float(match[2]) if match and float(match[2]) else 0.0
    if not 1e-9 <= ratio <= 1e9:
        raise InvalidSheet(
            f"{short_repr(elide_text(text, 40))} is no scale. Write {FIT}, {ROUND} or such as 1:2."
        )
    return ratio


def ratio_text(ratio: float) -> str:
    """The text of a scale, such as ``1 : 2``, with three digits."""
    return f"{_format_number(ratio)} : 1" if ratio > 1 else f"1 : {_format_number(1 / ratio)}"


def _format_number(number: float) -> str:
    digits = max(0, 2 - math.floor(math.log10(number)))
    return f"{round(number, digits):.12g}"


def millimetres_in(unit: str) -> float:
    """The length of a unit in millimetres."""
    return float(METRES[unit] / METRES["mm"])
