"""Operands of a merit: quantities of a prescription with targets and weights. An operand may be many
numbers, such as the heights of all rays; each is a residual of its own, so that a search sees how every
ray moves.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from raybench.arrays import Floats
from raybench.errors import RaybenchError, in_quotes
from raybench.lens.aberrations import (
    axial_colour,
    chief_height,
    distortion,
    field_curvature,
    lateral_colour,
    opd_fan,
)
from raybench.lens.clearance import edge_thicknesses
from raybench.lens.paraxial import first_order
from raybench.lens.prescription import Prescription
from raybench.lens.seidel import seidel_sums
from raybench.lens.sequential import trace_fields

PUPIL = np.linspace(-1.0, 1.0, 9)
"""Relative pupil heights of the rays of operands."""
MISSED = 10.0
"""The residual of a ray that does not arrive, in the unit of its operand."""


class InvalidMerit(RaybenchError):
    """A merit cannot be used; the message names the operand or variable and the remedy."""


@dataclass(frozen=True)
class Operand:
    """A quantity of `OPERANDS` with its target and weight. ``least`` and ``most`` make it a bound
    instead: it counts only where it is outside. ``at`` chooses a surface or a field, where the quantity
    has one, and ``configuration`` a state of the lens, both counted from 1; None means all.
    """

    quantity: str
    target: float = 0.0
    weight: float = 1.0
    at: int | None = None
    least: float = -math.inf
    most: float = math.inf
    configuration: int | None = None

    def __post_init__(self) -> None:
        if self.quantity not in OPERANDS:
            raise InvalidMerit(
                f"There is no operand {in_quotes(self.quantity, 40)}. There are"
                f" {', '.join(OPERANDS)}."
            )
        for number in (self.at, self.configuration):
            if number is not None and number < 1:
                raise InvalidMerit(f"The operand {self.quantity} counts from 1, not {number}.")
        if not 0 <= self.weight < math.inf:
            raise InvalidMerit(
                f"The weight {self.weight:g} of {self.quantity} is negative or infinite. Give 0 or"
                " more."
            )

    def residuals(self, system: Prescription) -> Floats:
        """The weighted differences from the target or from the bounds. Raises InvalidMerit for a
        surface or field that the lens does not have.
        """
        try:
            at = None if self.at is None else self.at - 1
            values = np.atleast_1d(OPERANDS[self.quantity](system, at))
        except IndexError:
            raise InvalidMerit(
                f"The operand {self.quantity} has no number {self.at} in this lens."
            ) from None
        missed = ~np.isfinite(values)
        if math.isfinite(self.least) or math.isfinite(self.most):
            values = np.minimum(values - self.least, 0) + np.maximum(values - self.most, 0)
        else:
            values = values - self.target
        # the sum of squares of a list counts as one quantity's
        return np.where(missed, MISSED, values) * math.sqrt(self.weight / len(values))


def _ray_heights(system: Prescription, at: int | None) -> Floats:
    """Heights of all rays at the image, from the primary chief ray of their field."""
    fan = trace_fields(system, PUPIL, clipped=False)
    shape = (len(system.fields), len(system.wavelengths), len(PUPIL))
    heights = fan.y[-1].reshape(shape)
    chief = heights[:, system.primary, len(PUPIL) // 2]
    weights = np.sqrt(
        np.outer([f.weight for f in system.fields], [w.weight for w in system.wavelengths])
    )
    off = (heights - chief[:, None, None]) * weights[:, :, None]
    chosen: Floats = off if at is None else off[at]
    return chosen.ravel()


def _path_differences(system: Prescription, at: int | None) -> Floats:
    fields = system.fields if at is None else (system.fields[at],)
    return np.concatenate([opd_fan(system, f, count=len(PUPIL))[1] for f in fields])


def _by_field(
    measure: Callable[[Prescription, int], float],
) -> Callable[[Prescription, int | None], Floats]:
    """A quantity of every field, or of one."""

    def of_fields(system: Prescription, at: int | None) -> Floats:
        chosen = range(len(system.fields)) if at is None else (at,)
        return np.array([measure(system, i) for i in chosen])

    return of_fields


def _of_surfaces(values: Sequence[float] | Floats, at: int | None) -> Floats:
    return np.asarray(values, dtype=float) if at is None else np.array([values[at]])


OPERANDS: dict[str, Callable[[Prescription, int | None], Floats | float]] = {
    "ray heights": _ray_heights,
    "path differences": _path_differences,
    "focal length": lambda s, _: first_order(s).focal_length,
    "back focus": lambda s, _: first_order(s).back_focus,
    "image distance": lambda s, _: s.surfaces[-1].thickness,
    "magnification": lambda s, _: first_order(s).magnification,
    "length": lambda s, _: s.vertices[-1],
    "centre thickness": lambda s, at: _of_surfaces([abs(r.thickness) for r in s.surfaces[:-1]], at),
    "edge thickness": lambda s, at: _of_surfaces(edge_thicknesses(s), at),
    "chief height": _by_field(lambda s, i: chief_height(s, s.fields[i], s.primary_wavelength)),
    "distortion": _by_field(lambda s, i: distortion(s, s.fields[i])),
    "tangential field": _by_field(lambda s, i: field_curvature(s, s.fields[i])[0]),
    "sagittal field": _by_field(lambda s, i: field_curvature(s, s.fields[i])[1]),
    "axial colour": lambda s, _: np.ptp(list(axial_colour(s).values())),
    "lateral colour": _by_field(lambda s, i: float(np.ptp(list(lateral_colour(s, s.fields[i]).values())))),
    "spherical": lambda s, _: seidel_sums(s).spherical.sum(),
    "coma": lambda s, _: seidel_sums(s).coma.sum(),
    "astigmatism": lambda s, _: seidel_sums(s).astigmatism.sum(),
    "petzval": lambda s, _: seidel_sums(s).petzval.sum(),
}  # fmt: skip
"""The quantities of operands: numbers of a prescription, of all surfaces or fields or of one. Colours are
ranges over the wavelengths.
"""
