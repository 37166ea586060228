"""The style of an object's text or line: colour, width and dashes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

WIDEST_LINE = 100
"""The largest width of a line, and of its dashes, in pixels."""
OWN_COLOR = (
    'Red, green, blue and opacity from 0 to 1, such as {"color": {"r": 1, "g": 0.5, "b": 0, "a":'
    " 1}}."
)
OWN_STYLE = OWN_COLOR[:-2] + ', "width": 2, "dash": [6, 4]}; width and dashes are in pixels.'


@dataclass(frozen=True)
class OwnStyle:
    """The style of an object's text or line: red, green, blue and opacity, each from 0 to 1; line
    width and dashes in pixels. None leaves a value to the program.
    """

    color: tuple[float, float, float, float] | None = None
    width: float | None = None
    dash: tuple[float, ...] = ()

    @classmethod
    def from_json(cls, data: Any) -> OwnStyle:
        """Read a style from the JSON of a file. Entries of a wrong form are ignored."""
        given = data if isinstance(data, Mapping) else {}
        color, dash = given.get("color"), given.get("dash")
        parts = (
            [color.get(part, 1.0 if part == "a" else None) for part in "rgba"]
            if isinstance(color, Mapping)
            else []
        )
        return cls(
            (
                (float(parts[0]), float(parts[1]), float(parts[2]), float(parts[3]))
                if parts and all(map(_is_unit_fraction, parts))
                else None
            ),
            float(given["width"]) if _is_length(given.get("width")) else None,
            (
                tuple(map(float, dash))
                if isinstance(dash, list | tuple) and all(map(_is_length, dash))
                else ()
            ),
        )

    def json_entries(self) -> dict[str, Any]:
        """The entries of the style that are set, as JSON that `from_json` reads."""
        color = (
            {"color": dict(zip("rgba", self.color, strict=True))} if self.color is not None else {}
        )
        width = {"width": self.width} if self.width is not None else {}
        return color | width | ({"dash": list(self.dash)} if self.dash else {})


def is_readable_style(data: Any) -> bool:
    """Whether `OwnStyle.from_json` can read every known entry of the value, so that none is
    ignored.
    """
    if not isinstance(data, Mapping):
        return data is None
    given = {key for key in ("color", "width", "dash") if data.get(key) not in (None, [], ())}
    return given <= OwnStyle.from_json(data).json_entries().keys()


def _is_unit_fraction(value: Any) -> bool:
    return _is_number(value) and 0 <= value <= 1


def _is_length(value: Any) -> bool:
    return _is_number(value) and 0 < value <= WIDEST_LINE


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
