"""The background picture of a scene: a file next to the document's file, with its position, scale
and opacity.
"""

import math
from dataclasses import MISSING, asdict, dataclass
from typing import Any, Self

from raybench.errors import RaybenchError, elide_text, short_repr
from raybench.kinds.fields import described_field, number
from raybench.scene.codec import record_from_json


class InvalidBackground(RaybenchError):
    """The description of a background picture is invalid."""


@dataclass(frozen=True)
class Background:
    """A background picture: ``file`` is the name of a picture in the folder of the document. The
    upper left corner of the picture is at ``x``, ``y``; a pixel is ``scale`` scene units wide;
    ``opacity`` is from 0 to 1. Raises InvalidBackground.
    """

    file: str = described_field("text", MISSING, "File")
    x: float = number(0.0, "x")
    y: float = number(0.0, "y")
    scale: float = number(1.0, "Scale")
    opacity: float = number(1.0, "Opacity")

    def __post_init__(self) -> None:
        if (
            not self.file
            or self.file != self.file.strip()
            or any(c in self.file for c in "/\\:\0")
            or self.file in (".", "..")
        ):
            raise InvalidBackground(
                f"{short_repr(elide_text(self.file, 60))} is not the name of a picture beside the"
                " document. Copy the picture there."
            )
        if (
            not all(math.isfinite(v) for v in (self.x, self.y))
            or not 0 < self.scale < math.inf
            or not 0 <= self.opacity <= 1
        ):
            raise InvalidBackground(
                "A background needs finite x and y, a scale above 0, and an opacity from 0 to 1."
            )

    @classmethod
    def from_json(cls, data: Any) -> Self:
        """Decode a background from JSON. Raises InvalidBackground."""
        return record_from_json(cls, data, "A background", InvalidBackground)

    def to_json(self) -> dict[str, Any]:
        """Encode the background as JSON."""
        return asdict(self)
