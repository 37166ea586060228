"""The merit of a lens, and its improvement by damped least squares.

A merit is a list of operands: quantities of a prescription with targets and weights. An operand may be
many numbers, such as the heights of all rays; each is a residual of its own, so that the search sees how
every ray moves. Variables are numbers of surfaces between bounds; links and solves are put into force
before each evaluation.
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
from raybench.lens.prescription import InvalidPrescription, Prescription
from raybench.lens.seidel import seidel_sums
from raybench.lens.sequential import trace_fields

PUPIL = np.linspace(-1.0, 1.0, 9)
"""Relative pupil heights of the rays of operands."""
MISSED = 10.0
"""The residual of a ray that does not arrive, in the unit of its operand."""
DAMPING = 1e-3
"""First damping of the search, relative to the curvature of the merit."""


class InvalidMerit(RaybenchError):
    """A merit cannot be used; the message names the operand or variable and the remedy."""


@dataclass(frozen=True)
class Variable:
    """A number of a surface that may be changed: ``curvature``, ``thickness``, ``conic``, or a
    coefficient ``aspheric 4``, of y⁴, and so on. ``surface`` is its index.
    """

    surface: int
    quantity: str
    low: float = -math.inf
    high: float = math.inf


@dataclass(frozen=True)
class Pickup:
    """A link: a number of a surface is ``factor`` times that of another surface, plus ``offset``."""

    surface: int
    quantity: str
    source: int
    factor: float = 1.0
    offset: float = 0.0


@dataclass(frozen=True)
class Operand:
    """A quantity of `OPERANDS` with its target and weight. ``least`` and ``most`` make it a bound
    instead: it counts only where it is outside. ``at`` chooses a surface or a field by its index, where
    the quantity has one; None means all.
    """

    quantity: str
    target: float = 0.0
    weight: float = 1.0
    at: int | None = None
    least: float = -math.inf
    most: float = math.inf

    def __post_init__(self) -> None:
        if self.quantity not in OPERANDS:
            raise InvalidMerit(
                f"There is no operand {in_quotes(self.quantity, 40)}. There are"
                f" {', '.join(OPERANDS)}."
            )
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
            values = np.atleast_1d(OPERANDS[self.quantity](system, self.at))
        except IndexError:
            raise InvalidMerit(
                f"The operand {self.quantity} has no number {self.at} in this lens. Count from 0."
            ) from None
        missed = ~np.isfinite(values)
        if math.isfinite(self.least) or math.isfinite(self.most):
            values = np.minimum(values - self.least, 0) + np.maximum(values - self.most, 0)
        else:
            values = values - self.target
        # the sum of squares of a list counts as one quantity's
        return np.where(missed, MISSED, values) * math.sqrt(self.weight / len(values))


def get_quantity(system: Prescription, surface: int, quantity: str) -> float:
    """A number of a surface, by the name that a `Variable` has. Raises InvalidMerit."""
    if not 0 <= surface < len(system.surfaces):
        raise InvalidMerit(
            f"The lens has no surface of the index {surface}. Choose one from 0 to"
            f" {len(system.surfaces) - 1}."
        )
    row = system.surfaces[surface]
    if (power := _aspheric_power(quantity)) is not None:
        return row.aspheric[power] if power < len(row.aspheric) else 0.0
    if quantity not in {"curvature", "thickness", "conic"}:
        raise InvalidMerit(
            f"A surface has no {quantity}. Use curvature, thickness, conic, or aspheric 4, 6 and so"
            " on."
        )
    return float(getattr(row, quantity))


def with_quantity(system: Prescription, surface: int, quantity: str, value: float) -> Prescription:
    """The prescription with another number in a surface. Raises InvalidMerit."""
    get_quantity(system, surface, quantity)
    if (power := _aspheric_power(quantity)) is not None:
        old = system.surfaces[surface].aspheric
        terms = [*old, *[0.0] * (power + 1 - len(old))]
        terms[power] = value
        return system.with_surface(surface, aspheric=tuple(terms))
    if quantity == "curvature":
        return system.with_surface(surface, radius=1 / value if value else math.inf)
    return system.with_surface(surface, **{quantity: value})


def _aspheric_power(quantity: str) -> int | None:
    """The place of ``aspheric 4`` in the coefficients; None for another quantity."""
    name, _, power = quantity.partition(" ")
    if name != "aspheric" or not power.isdigit() or int(power) % 2 or not 2 <= int(power) <= 20:
        return None
    return int(power) // 2 - 1


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


@dataclass(frozen=True)
class Merit:
    """What a lens should be: operands, what may change, and what follows from it.

    ``is_refocused`` keeps the image at the paraxial focus by the last thickness.
    """

    operands: tuple[Operand, ...]
    variables: tuple[Variable, ...]
    pickups: tuple[Pickup, ...] = ()
    is_refocused: bool = False

    def __post_init__(self) -> None:
        if not sum(o.weight for o in self.operands) > 0:
            raise InvalidMerit("A merit needs an operand with a weight above 0.")

    def with_links(self, system: Prescription) -> Prescription:
        """The system with its links and solves in force."""
        for link in self.pickups:
            value = link.factor * get_quantity(system, link.source, link.quantity) + link.offset
            system = with_quantity(system, link.surface, link.quantity, value)
        if self.is_refocused:
            image = first_order(system).image
            if not math.isfinite(image):
                raise InvalidPrescription("The lens has no paraxial focus.")
            system = system.with_surface(len(system.surfaces) - 1, thickness=image)
        return system

    def residuals(self, system: Prescription) -> Floats:
        """The weighted residuals of all operands."""
        return np.concatenate([o.residuals(system) for o in self.operands])

    def value(self, system: Prescription) -> float:
        """The merit: the root of the mean of the weighted squares. 0 is perfect."""
        square = sum(float((o.residuals(system) ** 2).sum()) for o in self.operands)
        return math.sqrt(square / sum(o.weight for o in self.operands))


@dataclass(frozen=True)
class Improved:
    """The best lens that a search has found, its merit and that of the start, the number of evaluations,
    and the merit after each step.
    """

    system: Prescription
    merit: float
    first_merit: float
    evaluations: int
    history: tuple[float, ...]


def improve(
    system: Prescription,
    merit: Merit,
    *,
    steps: int = 200,
    stop: Callable[[], bool] = lambda: False,
    progress: Callable[[float, Prescription], None] = lambda merit, system: None,
) -> Improved:
    """Improve a lens by damped least squares (Levenberg and Marquardt; Kidger, Fundamental Optical
    Design, chapter 8), within the bounds of its variables, until no step helps, ``steps`` are taken or
    ``stop`` says so. The best lens so far is kept.

    Each variable is scaled by its effect on the merit. A lens whose surfaces cannot be traced counts as
    no improvement. Raises InvalidMerit without variables.
    """
    if not merit.variables:
        raise InvalidMerit("A search needs at least one variable.")
    low, high = (np.array([getattr(v, side) for v in merit.variables]) for side in ("low", "high"))
    if (low > high).any():
        raise InvalidMerit("The lower bound of a variable is above its upper bound.")
    evaluations = 0

    def lens_at(x: Floats) -> Prescription:
        out = system
        for variable, value in zip(merit.variables, x, strict=True):
            out = with_quantity(out, variable.surface, variable.quantity, float(value))
        return merit.with_links(out)

    def residuals_at(x: Floats) -> Floats | None:
        nonlocal evaluations
        evaluations += 1
        try:
            with np.errstate(all="ignore"):
                return merit.residuals(lens_at(x))
        except (InvalidPrescription, ZeroDivisionError, OverflowError):
            return None

    x = np.array([get_quantity(system, v.surface, v.quantity) for v in merit.variables])
    x = np.clip(x, low, high)
    r = residuals_at(x)
    if r is None:
        raise InvalidMerit("The first lens cannot be traced. Change its surfaces first.")
    total = sum(o.weight for o in merit.operands)
    history, damping, best = [_merit(r, total)], DAMPING, lens_at(x)
    span = max(abs(system.length), 2 * first_order(best).stop_semi_diameter)
    sizes = np.array([_step_size(v, span) for v in merit.variables])
    for _ in range(steps):
        if stop():
            break
        jacobian = np.empty((len(r), len(x)))
        for j, size in enumerate(sizes):
            step = size if x[j] + size <= high[j] else -size
            moved = x.copy()
            moved[j] += step
            there = residuals_at(moved)
            jacobian[:, j] = 0.0 if there is None else (there - r) / step
        gradient, square = jacobian.T @ r, jacobian.T @ jacobian
        # a variable at its bound that would leave it stays where it is
        held = ((x <= low) & (gradient > 0)) | ((x >= high) & (gradient < 0))
        free = np.flatnonzero(~held & (np.diag(square) > 0))
        if not len(free):
            break
        helped = False
        for _ in range(12):
            if stop():
                break
            scale = np.diag(square)[free]
            damped = square[np.ix_(free, free)] + np.diag(damping * scale)
            new = x.copy()
            new[free] -= np.linalg.solve(damped, gradient[free])
            new = np.clip(new, low, high)
            there = residuals_at(new)
            if there is not None and there @ there < r @ r:
                gain = 1 - math.sqrt((there @ there) / (r @ r))
                x, r, damping, helped = new, there, damping / 5, True
                break
            damping *= 6
        if not helped:
            break
        best = lens_at(x)
        history.append(_merit(r, total))
        progress(history[-1], best)
        if gain < 1e-7:
            break
    return Improved(best, history[-1], history[0], evaluations, tuple(history))


def _merit(residuals: Floats, total_weight: float) -> float:
    return math.sqrt(float(residuals @ residuals) / total_weight)


def _step_size(variable: Variable, span: float) -> float:
    """The step of a variable for derivatives, by the size of the system."""
    power = _aspheric_power(variable.quantity)
    if power is not None:
        return 1e-6 / span ** (2 * power + 1)
    return {"curvature": 1e-7 / span, "thickness": 1e-6 * span}.get(variable.quantity, 1e-6)
