"""Saved views of a document: a part of the scene, and the coloring of its rays."""

from dataclasses import asdict, dataclass
from typing import Any, Self

from raybench.errors import RaybenchError
from raybench.kinds.fields import coordinate, string
from raybench.kinds.object import LARGEST, is_usable
from raybench.scene.codec import record_from_json

MOST = 200
"""Maximum number of saved views of a document."""


class InvalidView(RaybenchError):
    """A saved view is described wrongly."""


@dataclass(frozen=True)
class SavedView:
    """The visible rectangle in scene units, and the name of a coloring of rays, empty for the
    scene's own. Raises InvalidView.
    """

    x: float = coordinate("x")
    y: float = coordinate("y")
    width: float = coordinate("Width")
    height: float = coordinate("Height")
    coloring: str = string("", "Colouring")

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
        return record_from_json(cls, data, "A view", InvalidView)

    def to_json(self) -> dict[str, Any]:
        """Encode it."""
        return asdict(self)
