"""Saved views of a document: the visible part of the scene, and the colouring of its rays."""

from dataclasses import asdict, dataclass
from typing import Any, Self

from raybench.errors import RaybenchError
from raybench.kinds.fields import coordinate, string
from raybench.kinds.object import MAX_NUMBER, has_usable_numbers
from raybench.scene.codec import record_from_json

MAX_SAVED_VIEWS = 200
"""Maximum number of saved views of a document."""


class InvalidView(RaybenchError):
    """The description of a saved view is invalid."""


@dataclass(frozen=True)
class SavedView:
    """A saved view: the visible rectangle in scene units, and the name of a colouring of rays,
    which is empty for the scene's own colours. Raises InvalidView.
    """

    x: float = coordinate("x")
    y: float = coordinate("y")
    width: float = coordinate("Width")
    height: float = coordinate("Height")
    coloring: str = string("", "Colouring")

    def __post_init__(self) -> None:
        if not all(map(has_usable_numbers, self.camera)) or not (
            self.width > 0 and self.height > 0
        ):
            raise InvalidView(
                f"A view needs x, y, a width and a height of at most {MAX_NUMBER:g}, the width and"
                " the height above 0."
            )

    @property
    def camera(self) -> tuple[float, float, float, float]:
        """The visible rectangle: x, y, width and height in scene units."""
        return self.x, self.y, self.width, self.height

    @classmethod
    def from_json(cls, data: Any) -> Self:
        """Decode a saved view from JSON. Raises InvalidView."""
        return record_from_json(cls, data, "A view", InvalidView)

    def to_json(self) -> dict[str, Any]:
        """Encode the saved view as JSON."""
        return asdict(self)
