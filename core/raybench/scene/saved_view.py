"""Saved views of a document: a part of the scene, and the coloring of its rays."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Self

from raybench.errors import RaybenchError, short_repr
from raybench.kinds.object import LARGEST, is_usable

MOST = 200
"""Maximum number of saved views of a document."""


class InvalidView(RaybenchError):
    """A saved view is described wrongly."""


@dataclass(frozen=True, slots=True)
class SavedView:
    """The visible rectangle in scene units, and the name of a coloring of rays, empty for the
    scene's own. Raises InvalidView.
    """

    x: float
    y: float
    width: float
    height: float
    coloring: str = ""

    def __post_init__(self) -> None:
        if not all(map(is_usable, self.camera)) or not (self.width > 0 and self.height > 0):
            raise InvalidView(
                f"A view needs x, y, a width and a height of at most {LARGEST:g}, the width and the"
                " height above 0."
            )

    @property
    def camera(self) -> tuple[float, float, float, float]:
        """The rectangle: x, y, width, height."""
        return self.x, self.y, self.width, self.height

    @classmethod
    def from_json(cls, data: Any) -> Self:
        """Decode it. Raises InvalidView."""
        if not isinstance(data, Mapping) or not isinstance(data.get("coloring", ""), str):
            raise InvalidView("A view has x, y, width, height, and perhaps the name of a coloring.")
        x, y, width, height = (
            _read_number(data.get(name)) for name in ("x", "y", "width", "height")
        )
        return cls(x, y, width, height, data.get("coloring", ""))

    def to_json(self) -> dict[str, Any]:
        """Encode it."""
        return asdict(self)


def _read_number(value: Any) -> float:
    try:
        if isinstance(value, int | float) and not isinstance(value, bool):
            return float(value)
    except OverflowError:
        pass
    raise InvalidView(f"x, y, width and height of a view are numbers, not {short_repr(value)}.")
