"""A part of the values that a form edits: how it is read and where it is written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from raybench.kinds.fields import Field


@dataclass(frozen=True)
class Part:
    """A part of a value: ``get`` reads it, and ``path`` is where it is written in the value's JSON,
    after ``encode`` has converted it.
    """

    label: str
    get: Callable[[Any], Any]
    path: str
    unit: str = ""
    tip: str = ""
    low: float | None = None
    high: float | None = None
    encode: Callable[[Any], Any] = lambda value: value

    @classmethod
    def of(cls, f: Field, get: Callable[[Any], Any] | None = None) -> Part:
        """The part of a field of an object, which ``get`` reads if the form's values are not the
        objects that have the field.
        """
        return cls(
            f.about.label,
            get or (lambda o: getattr(o, f.name)),
            f.json_name,
            f.about.unit,
            f.about.help,
            f.about.low,
            f.about.high,
        )

    def values(self, value: Any) -> dict[str, Any]:
        """The change that sets the part to a row's value, as a mapping from path to JSON."""
        return {self.path: self.encode(value)}

    def inner(
        self, label: str, step: str, get: Callable[[Any], Any], unit: str | None = None
    ) -> Part:
        """A part of this part: ``get`` reads it from this one, ``step`` extends the path, such as
        ``.x`` or ``[2]``.
        """
        return Part(
            label,
            lambda o: get(self.get(o)),
            self.path + step,
            self.unit if unit is None else unit,
            self.tip,
        )

    def item(self, i: int, label: str) -> Part:
        """The part's i-th item; the part must be a tuple."""
        return self.inner(label, f"[{i}]", lambda items: items[i])
