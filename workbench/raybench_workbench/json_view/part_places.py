"""Where the parts of the displayed text are in the editor, also while the text is typed in."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from raybench.files.scene_text.layout import Part, SceneText
from raybench_workbench.json_view.editor import in_units


@dataclass(frozen=True, eq=False)
class PartPlaces:
    """The parts, and the positions in the editor of their starts (n,) and ends (n,), in ascending
    order.
    """

    parts: tuple[Part, ...]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]

    @classmethod
    def of(cls, text: SceneText) -> Self:
        """The places of the parts of a text that the editor shows as it is."""
        units = in_units(text.text)
        starts, ends = [units(p.start) for p in text.parts], [units(p.end) for p in text.parts]
        return cls(text.parts, np.array(starts, np.int64), np.array(ends, np.int64))

    def after_edit(self, at: int, removed: int, added: int) -> PartPlaces:
        """The places after some characters at a position were replaced by others."""
        behind, shift = at + removed, added - removed
        return PartPlaces(
            self.parts,
            self.starts + shift * (self.starts >= behind),
            self.ends + shift * (self.ends >= behind),
        )

    def of_objects(self, keys: Collection[int]) -> list[tuple[int, int]]:
        """Start and end of each object with one of these keys."""
        places = zip(self.parts, self.starts.tolist(), self.ends.tolist(), strict=True)
        return [(start, end) for p, start, end in places if p.entry == "objs" and p.owner in keys]

    def objects_between(self, first: int, last: int) -> set[int]:
        """The keys of the objects that meet a range of positions."""
        met = slice(
            int(np.searchsorted(self.ends, first)), int(np.searchsorted(self.starts, last, "right"))
        )
        return {p.owner for p in self.parts[met] if p.entry == "objs" and isinstance(p.owner, int)}

    def of_module(self, name: str) -> int | None:
        """Where the definition of a module starts; None for a name that none has."""
        places = zip(self.parts, self.starts.tolist(), strict=True)
        return next(
            (start for p, start in places if p.entry == "modules" and p.owner == name), None
        )


NO_PLACES = PartPlaces((), np.zeros(0, np.int64), np.zeros(0, np.int64))
