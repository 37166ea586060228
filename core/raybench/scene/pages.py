"""The page formats of sheets."""

from collections.abc import Mapping
from typing import NamedTuple


class Page(NamedTuple):
    """A page format: its title, and its width and height in millimetres. A ``slide`` has a headline
    instead of a frame and a title block.
    """

    title: str
    width: float
    height: float
    is_slide: bool = False


PAGES: Mapping[str, Page] = {
    "a4": Page("A4 landscape", 297.0, 210.0),
    "a4-portrait": Page("A4 portrait", 210.0, 297.0),
    "a3": Page("A3 landscape", 420.0, 297.0),
    "a3-portrait": Page("A3 portrait", 297.0, 420.0),
    "letter": Page("Letter landscape", 279.4, 215.9),
    "letter-portrait": Page("Letter portrait", 215.9, 279.4),
    "slide": Page("Slide 16:9", 254.0, 142.875, is_slide=True),
}
"""The page formats by name."""
