"""Operands of a merit: quantities of a prescription with targets and weights. An operand may have
many values, such as the heights of all rays. Each value is a residual, so that an optimisation
takes each ray into account.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from raybench.arrays import Floats
from raybench.errors import RaybenchError, in_quotes
from raybench.kinds.fields import LENGTH
from raybench.lens.aberrations import (
    axial_colour,
    chief_height,
    diffraction_mtf,
    distortion,
    field_curvature,
    lateral_colour,
    opd_fan,
    spot,
    wavefront,
)
from raybench.lens.clearance import clear_semi_diameters, edge_thicknesses
from raybench.lens.paraxial import FirstOrder, first_order
from raybench.lens.prescription import Field, InvalidPrescription, Prescription
from raybench.lens.seidel import seidel_sums
from raybench.lens.sequential import Fan, trace_systems

PUPIL_HEIGHTS = np.linspace(-1.0, 1.0, 9)
"""Relative pupil heights of the rays of operands."""
WAVES = "waves"
"""The unit of wavefronts, wavelengths."""
MISSED_RESIDUAL = 10.0
"""The residual of a ray that does not arrive, in the unit of its operand."""


class InvalidMerit(RaybenchError):
    """A merit cannot be computed; the message names the operand or variable and the remedy."""


@dataclass(frozen=True)
class TracedLens:
    """A prescription with the traces that its operands share: first-order data, and the rays of all
    fields and wavelengths at the pupil heights `PUPIL_HEIGHTS`, which semi-diameters do not block.
    """

    system: Prescription
    first: FirstOrder
    rays: Fan


def trace_lenses(systems: Sequence[Prescription]) -> tuple[TracedLens, ...]:
    """Trace systems that differ only in their numbers and media, all at once. Raises
    InvalidPrescription.
    """
    firsts = [first_order(system) for system in systems]
    fans = trace_systems(systems, PUPIL_HEIGHTS, firsts=firsts, clipped=False)
    return tuple(map(TracedLens, systems, firsts, fans))


@dataclass(frozen=True)
class Operand:
    """A quantity of `OPERANDS` with its target and weight. ``least`` and ``most`` are bounds
    instead of a target: only values outside the bounds count. ``at`` selects a surface or a field,
    if the quantity has one, and ``configuration`` a configuration of the lens, both counted from 1;
    None means all. ``frequency`` is the spatial frequency of a modulation, in lines per unit of
    length.
    """

    quantity: str
    target: float = 0.0
    weight: float = 1.0
    at: int | None = None
    least: float = -math.inf
    most: float = math.inf
    configuration: int | None = None
    frequency: float = 0.0

    def __post_init__(self) -> None:
        if self.quantity not in OPERANDS:
            raise InvalidMerit(
                f"There is no operand {in_quotes(self.quantity, 40)}. There are"
                f" {', '.join(OPERANDS)}."
            )
        for number in (self.at, self.configuration):
            if number is not None and number < 1:
                raise InvalidMerit(f"The operand {self.quantity} counts from 1, not {number}.")
        if not math.isfinite(self.target) or math.isnan(self.least) or math.isnan(self.most):
            raise InvalidMerit(f"The target or a bound of {self.quantity} is no number.")
        if not 0 <= self.frequency < math.inf:
            raise InvalidMerit(f"The frequency {self.frequency:g} is not positive and finite.")
        if not 0 <= self.weight < math.inf:
            raise InvalidMerit(
                f"The weight {self.weight:g} of {self.quantity} is negative or infinite. Give 0 or"
                " more."
            )

    @property
    def text(self) -> str:
        """The quantity with its surface or field as text, such as ``rms spot of field 2``."""
        of = OPERANDS[self.quantity].selects
        return f"{self.quantity} of {of} {self.at}" if self.at and of else self.quantity

    def values(self, lens: TracedLens) -> Floats:
        """The values of the quantity; NaN where a ray is lost. Raises InvalidMerit if the lens
        lacks the surface or field, or if the quantity is undefined.
        """
        try:
            found = np.atleast_1d(OPERANDS[self.quantity].measure(lens, self))
        except IndexError:
            raise InvalidMerit(
                f"The operand {self.quantity} has no number {self.at} in this lens."
            ) from None
        if not len(found):
            raise InvalidMerit(f"A lens of one surface has no {self.quantity}. Delete the operand.")
        return found

    def residuals(self, lens: TracedLens) -> Floats:
        """The weighted differences of the values from the target or the bounds. Raises
        InvalidMerit.
        """
        values = self.values(lens)
        if math.isfinite(self.least) or math.isfinite(self.most):
            off = np.minimum(values - self.least, 0) + np.maximum(values - self.most, 0)
        else:
            off = values - self.target
        # the sum of squares of a list counts as one quantity's
        return np.where(np.isfinite(values), off, MISSED_RESIDUAL) * math.sqrt(
            self.weight / len(values)
        )


Measure = Callable[[TracedLens, Operand], Floats | float]


@dataclass(frozen=True)
class LensQuantity:
    """A quantity of a lens: the function that computes it, what ``at`` selects (``field``,
    ``surface`` or nothing), and its unit in terms of `LENGTH`.
    """

    measure: Measure
    selects: str = ""
    unit: str = LENGTH


def _chosen_values(values: Sequence[float] | Floats, operand: Operand) -> Floats:
    """The values of all surfaces or fields, or of the one that the operand selects."""
    found = np.asarray(values, dtype=float)
    chosen: Floats = found if operand.at is None else found[operand.at - 1]
    return chosen


def _field_quantity(
    measure: Callable[[Prescription, Field, Operand], float], unit: str = LENGTH
) -> LensQuantity:
    """A quantity with a value for each field; NaN where no light reaches the image."""

    def value(lens: TracedLens, field: Field, operand: Operand) -> float:
        try:
            return measure(lens.system, field, operand)
        except InvalidPrescription:
            return math.nan

    def of_fields(lens: TracedLens, operand: Operand) -> Floats:
        fields = lens.system.fields
        chosen = fields if operand.at is None else (fields[operand.at - 1],)
        return np.array([value(lens, field, operand) for field in chosen])

    return LensQuantity(of_fields, "field", unit)


def _surface_quantity(measure: Callable[[TracedLens], Sequence[float]]) -> LensQuantity:
    return LensQuantity(lambda lens, operand: _chosen_values(measure(lens), operand), "surface")


def _first_order_quantity(name: str, unit: str = LENGTH) -> LensQuantity:
    def of_first_order(lens: TracedLens, operand: Operand) -> float:
        value: float = getattr(lens.first, name)
        return value

    return LensQuantity(of_first_order, unit=unit)


def _seidel_quantity(name: str) -> LensQuantity:
    def of_sums(lens: TracedLens, operand: Operand) -> float:
        """The sum over all surfaces, or the contribution of one."""
        return float(_chosen_values(getattr(seidel_sums(lens.system), name), operand).sum())

    return LensQuantity(of_sums, "surface")


def _ray_heights(lens: TracedLens, operand: Operand) -> Floats:
    """The heights of all rays at the image, relative to the chief ray of their field at the primary
    wavelength.
    """
    system = lens.system
    shape = (len(system.fields), len(system.wavelengths), len(PUPIL_HEIGHTS))
    heights = lens.rays.y[-1].reshape(shape)
    chief = heights[:, system.primary, len(PUPIL_HEIGHTS) // 2]
    weights = np.sqrt(
        np.outer([f.weight for f in system.fields], [w.weight for w in system.wavelengths])
    )
    return _chosen_values((heights - chief[:, None, None]) * weights[:, :, None], operand).ravel()


def _path_differences(lens: TracedLens, operand: Operand) -> Floats:
    fields = lens.system.fields
    chosen = fields if operand.at is None else (fields[operand.at - 1],)
    return np.concatenate([opd_fan(lens.system, f, count=len(PUPIL_HEIGHTS))[1] for f in chosen])


def _clear_semi_diameters(lens: TracedLens) -> tuple[float, ...]:
    return clear_semi_diameters(lens.system, lens.rays)


OPERANDS: dict[str, LensQuantity] = {
    "ray heights": LensQuantity(_ray_heights, "field"),
    "path differences": LensQuantity(_path_differences, "field", WAVES),
    "rms spot": _field_quantity(lambda s, f, _: spot(s, f).rms),
    "rms wavefront": _field_quantity(lambda s, f, _: wavefront(s, f).rms, WAVES),
    "mtf": _field_quantity(lambda s, f, o: float(diffraction_mtf(s, f, np.array([o.frequency]))[0]), ""),
    "focal length": _first_order_quantity("focal_length"),
    "power": LensQuantity(lambda lens, _: 1 / lens.first.focal_length, unit=f"1/{LENGTH}"),
    "back focus": _first_order_quantity("back_focus"),
    "f-number": _first_order_quantity("f_number", ""),
    "magnification": _first_order_quantity("magnification", ""),
    "entrance pupil": _first_order_quantity("entrance_pupil"),
    "exit pupil": _first_order_quantity("exit_pupil"),
    "image distance": LensQuantity(lambda lens, _: lens.system.surfaces[-1].thickness),
    "total length": LensQuantity(lambda lens, _: lens.system.vertices[-1]),
    "centre thickness": _surface_quantity(lambda lens: [abs(s.thickness) for s in lens.system.surfaces[:-1]]),
    "edge thickness": _surface_quantity(lambda lens: edge_thicknesses(lens.system, _clear_semi_diameters(lens))),
    "semi-diameter": _surface_quantity(_clear_semi_diameters),
    "chief height": _field_quantity(lambda s, f, _: chief_height(s, f, s.primary_wavelength)),
    "distortion": _field_quantity(lambda s, f, _: distortion(s, f), ""),
    "tangential field": _field_quantity(lambda s, f, _: field_curvature(s, f)[0]),
    "sagittal field": _field_quantity(lambda s, f, _: field_curvature(s, f)[1]),
    "axial colour": LensQuantity(lambda lens, _: float(np.ptp(list(axial_colour(lens.system).values())))),
    "lateral colour": _field_quantity(lambda s, f, _: float(np.ptp(list(lateral_colour(s, f).values())))),
    "spherical": _seidel_quantity("spherical"),
    "coma": _seidel_quantity("coma"),
    "astigmatism": _seidel_quantity("astigmatism"),
    "petzval": _seidel_quantity("petzval"),
    "seidel distortion": _seidel_quantity("distortion"),
}  # fmt: skip
"""The quantities of operands, of all surfaces or fields or of one. Colours are ranges over the
wavelengths; ``power`` is 1/focal length, which is finite for plates; ``total length`` is from the
first vertex to the image; the Seidel sums are those of all surfaces, or the contribution of one;
``mtf`` is by diffraction at the primary wavelength.
"""
