"""The ranges of the sliders for numbers of a document."""

from dataclasses import asdict, dataclass
from typing import Any, Self

from raybench.errors import RaybenchError
from raybench.kinds.fields import coordinate
from raybench.kinds.object import MAX_NUMBER, has_usable_numbers
from raybench.scene.codec import record_from_json

MOST_SLIDERS = 200
"""Maximum number of sliders of a document."""


class InvalidSlider(RaybenchError):
    """The description of a slider is invalid."""


@dataclass(frozen=True)
class SliderRange:
    """The values at the left and right end of a slider. Raises InvalidSlider."""

    low: float = coordinate("Low")
    high: float = coordinate("High")

    def __post_init__(self) -> None:
        if not has_usable_numbers((self.low, self.high)) or self.low > self.high:
            raise InvalidSlider(
                f"A slider needs low and high of at most {MAX_NUMBER:g}, low not above high."
            )

    @classmethod
    def from_json(cls, data: Any) -> Self:
        """Decode the range from JSON. Raises InvalidSlider."""
        return record_from_json(cls, data, "A slider", InvalidSlider)

    def to_json(self) -> dict[str, Any]:
        """Encode the range as JSON."""
        return asdict(self)
