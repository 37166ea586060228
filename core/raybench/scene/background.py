"""A picture behind a scene: a file beside the document's, its place, scale and opacity."""

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Self

from raybench.errors import RaybenchError, elided, short_repr


class InvalidBackground(RaybenchError):
    """A background picture is described wrongly."""


@dataclass(frozen=True, slots=True)
class Background:
    """``file`` is the name of a picture in the folder of the document. Its upper left corner is at
    ``x``, ``y``; a pixel is ``scale`` scene units wide; ``opacity`` is from 0 to 1. Raises
    InvalidBackground.
    """

    file: str
    x: float = 0.0
    y: float = 0.0
    scale: float = 1.0
    opacity: float = 1.0

    def __post_init__(self) -> None:
        if (
            not self.file
            or self.file != self.file.strip()
            or any(c in self.file for c in "/\\:\0")
            or self.file in (".", "..")
        ):
            raise InvalidBackground(
                f"{short_repr(elided(self.file, 60))} is not the name of a picture beside the"
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
        """Decode it. Raises InvalidBackground."""
        known = {"file": str, "x": float, "y": float, "scale": float, "opacity": float}
        if not isinstance(data, Mapping) or "file" not in data or not set(data) <= set(known):
            raise InvalidBackground(
                f"A background has 'file' and perhaps {', '.join(n for n in known if n != 'file')}."
            )
        for name, kind in known.items():
            value = data.get(name, kind())
            if isinstance(value, bool) or not isinstance(
                value, (str,) if kind is str else (int, float)
            ):
                raise InvalidBackground(
                    f"'{name}' of a background is {short_repr(value)}; give a"
                    f" {'text' if kind is str else 'number'}."
                )
        try:
            return cls(**{name: known[name](value) for name, value in data.items()})
        except OverflowError:
            raise InvalidBackground("A number of a background is too large.") from None

    def to_json(self) -> dict[str, Any]:
        """Encode it."""
        return asdict(self)
