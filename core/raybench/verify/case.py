"""A closed form with the scene that shows it, and what this machine computes for it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable

from raybench.errors import RaybenchError

SCENES = files("raybench_resources").joinpath("verify")
"""The scenes of all cases, as files that can be opened."""


class IncompleteCase(TypeError):
    """A case lacks a part, or has no scene; a programming error."""


class NoSuchCase(RaybenchError):
    """There is no case of a name."""


@dataclass(frozen=True)
class Case:
    """One closed form: in the scene ``scene``, the measure ``measure`` has the value ``exact``.

    ``formula`` is what was evaluated for ``exact``, and ``source`` where it is derived. The
    computed value may differ by ``tolerance`` (in the measure's unit): the rounding errors of
    double precision, or what a formula of first order neglects. Raises IncompleteCase.
    """

    scene: str
    claim: str
    measure: str
    exact: float
    formula: str
    source: str
    tolerance: float = 1e-9

    def __post_init__(self) -> None:
        for part in ("scene", "claim", "measure", "formula", "source"):
            if not getattr(self, part):
                raise IncompleteCase(f"The case {self.scene or self.claim!r} has no {part}.")
        if not (math.isfinite(self.exact) and 0 < self.tolerance < math.inf):
            raise IncompleteCase(
                f"The case {self.scene!r} has no finite exact value with a tolerance above 0."
            )
        if not self.path.is_file():
            raise IncompleteCase(f"The case {self.scene!r} has no scene {self.path}.")

    @property
    def path(self) -> Traversable:
        return SCENES.joinpath(f"{self.scene}.json")


@dataclass(frozen=True)
class Outcome:
    """What was computed for a case; ``computed`` is NaN if its measure is undefined, for
    ``reason``.
    """

    case: Case
    computed: float
    unit: str
    segments: int
    reason: str = ""

    @property
    def error(self) -> float:
        """Computed minus exact; an angle's difference is in (-180, 180]."""
        difference = self.computed - self.case.exact
        return (
            difference - 360 * math.ceil(difference / 360 - 0.5)
            if self.unit == "deg" and math.isfinite(difference)
            else difference
        )

    @property
    def holds(self) -> bool:
        return abs(self.error) <= self.case.tolerance
