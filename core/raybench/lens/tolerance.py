"""Tolerances of a lens: the changes of its quantities if parameters deviate, one at a time and all
at once, after the compensators were adjusted as in assembly.

Deviations keep the rotational symmetry: radii, distances, indices, conic constants. Tilts and
decentred surfaces are not parameters of a prescription.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from raybench.arrays import Floats
from raybench.errors import RaybenchError
from raybench.lens.aberrations import nanometres_per_unit
from raybench.lens.design import (
    LensDesign,
    Variable,
    parameter_number,
    with_parameters,
    without_links_and_variables,
)
from raybench.lens.glass import AIR
from raybench.lens.merit import Stop, improve, merit_value
from raybench.lens.operands import InvalidMerit, Operand, trace_lenses
from raybench.study.experiment import check_random_seed
from raybench.study.tolerance import MOST_SAMPLES, Yield

STEPS = 20
"""Steps of the adjustment of compensators."""


@dataclass(frozen=True)
class LensDeviation:
    """A parameter with a uniformly distributed deviation of up to ± ``by``."""

    parameter: str
    by: float


@dataclass(frozen=True)
class ManufacturingQuality:
    """Typical deviations in manufacture: of radii relative to the radius, of distances in mm, and
    of indices.
    """

    radius: float
    distance: float
    index: float


COMMERCIAL = ManufacturingQuality(2e-3, 0.1, 1e-3)
PRECISION = ManufacturingQuality(1e-3, 0.05, 5e-4)
"""Usual classes of manufacture, as makers of lenses publish them."""


def usual_deviations(
    design: LensDesign, quality: ManufacturingQuality = COMMERCIAL
) -> tuple[LensDeviation, ...]:
    """The deviations of all radii and glasses, and of all distances except the last, for a quality
    of manufacture.
    """
    system = design.system
    unit = quality.distance * 1e6 / nanometres_per_unit(system.unit)
    found = []
    for i, surface in enumerate(system.surfaces, 1):
        if math.isfinite(surface.radius):
            found.append(LensDeviation(f"r{i}", abs(surface.radius) * quality.radius))
        if i < len(system.surfaces):
            found.append(LensDeviation(f"t{i}", unit))
        if not surface.is_mirror and surface.glass != AIR:
            found.append(LensDeviation(f"n{i}", quality.index))
    return tuple(found)


@dataclass(frozen=True)
class LensTolerances:
    """The result of a tolerance study. The quantities are the merit, followed by the ``limits``.

    Attributes:
        deviations: The deviating parameters.
        limits: The quantities that are limited.
        compensators: The parameters that are adjusted.
        nominal: The quantities without deviations, (quantities,).
        low, high: The quantities at the lower and upper end of each deviation alone, (deviations,
            quantities).
        samples: The quantities if all parameters deviate at random, (samples, quantities); NaN if
            no light reaches the image.
        adjusted: The values of the compensators in each sample, (samples, compensators).
    """

    deviations: tuple[LensDeviation, ...]
    limits: tuple[Operand, ...]
    compensators: tuple[str, ...]
    nominal: Floats
    low: Floats
    high: Floats
    samples: Floats
    adjusted: Floats

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the quantities."""
        return ("merit", *(o.text for o in self.limits))

    @property
    def root_sum_square(self) -> Floats:
        """For each quantity, the root of the sum of the squares of the larger change by each
        deviation, (quantities,).
        """
        changes = np.fmax(np.abs(self.low - self.nominal), np.abs(self.high - self.nominal))
        total: Floats = np.sqrt((changes**2).sum(axis=0))
        return total

    @property
    def yields(self) -> tuple[Yield, ...]:
        """The number of samples within each limit, and within all limits."""
        if not self.limits or not len(self.samples):
            return ()
        columns = zip(self.limits, self.samples.T[1:], strict=True)
        within = np.array([(o.least <= column) & (column <= o.most) for o, column in columns])
        count = len(self.samples)
        each = [
            Yield(name, int(row.sum()), count)
            for name, row in zip(self.names[1:], within, strict=True)
        ]
        return (*each, Yield("all limits", int(within.all(axis=0).sum()), count))


def tolerance_lens(
    design: LensDesign,
    deviations: Sequence[LensDeviation],
    *,
    limits: Sequence[Operand] = (),
    compensators: Sequence[str] = (),
    samples: int = 200,
    seed: int = 0,
    stop: Stop = lambda: False,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> LensTolerances:
    """Study the tolerances of a lens. Its links are removed, since surfaces deviate independently.

    ``limits`` are operands with bounds; if a quantity has several values, the one nearest to a
    bound or farthest beyond it counts. ``compensators``, such as the last distance, are adjusted at
    every point for the smallest merit of the design (by default that of the ray heights). A
    parameter with values in configurations deviates by the same amount in all of them. Each
    deviation has its own sequence of random numbers from ``seed``. ``progress`` is called with the
    number of computed lenses and the total; if ``stop`` returns True, there are fewer samples.

    Raises InvalidPrescription for unknown parameters, InvalidSeed, InvalidMerit for an invalid
    number of samples, and the errors of `improve`.
    """
    if not deviations:
        raise InvalidMerit("Nothing deviates. Give at least one parameter, such as r1.")
    if not 0 <= samples <= MOST_SAMPLES:
        raise InvalidMerit(f"{samples} samples; give 0 to {MOST_SAMPLES}.")
    check_random_seed(seed)
    operands = design.operands or (Operand("ray heights"),)
    plain = replace(without_links_and_variables(design), operands=operands)
    for name in (*(d.parameter for d in deviations), *compensators):
        parameter_number(plain, name)
    streams = np.random.default_rng(seed).spawn(len(deviations))
    drawn = [s.uniform(-d.by, d.by, samples) for s, d in zip(streams, deviations, strict=True)]
    ends = 1 + 2 * len(deviations)

    def points() -> Iterator[Mapping[str, float]]:
        for sign in (-1, 1):
            yield from ({d.parameter: sign * d.by} for d in deviations)
        for row in zip(*drawn, strict=True):
            yield {d.parameter: float(v) for d, v in zip(deviations, row, strict=True)}

    merit_value(
        replace(plain, operands=(*operands, *limits))
    )  # raises for a limit of what is not there
    rows = [_evaluate_changed_lens(plain, {}, limits, compensators)]
    for point in points():
        if stop() and len(rows) >= ends:
            break
        try:
            rows.append(_evaluate_changed_lens(plain, point, limits, compensators))
        except (RaybenchError, ArithmeticError):
            rows.append(([math.nan] * (1 + len(limits)), [math.nan] * len(compensators)))
        progress(len(rows), ends + samples)
    quantities = np.array([row for row, _ in rows])
    low, high = quantities[1:ends].reshape(2, len(deviations), -1)
    return LensTolerances(
        tuple(deviations),
        tuple(limits),
        tuple(compensators),
        quantities[0],
        low,
        high,
        quantities[ends:],
        np.array([row for _, row in rows[ends:]]).reshape(len(rows) - ends, len(compensators)),
    )


def _evaluate_changed_lens(
    design: LensDesign,
    changes: Mapping[str, float],
    limits: Sequence[Operand],
    compensators: Sequence[str],
) -> tuple[list[float], list[float]]:
    """The quantities of a lens with changed parameters, and the values of its compensators after
    their adjustment. Raises the errors of `improve`.
    """
    lens = with_changes(design, changes)
    if compensators:
        varied = [
            own for name in compensators for own in _configured_names(design, name) or (name,)
        ]
        lens = improve(replace(lens, variables=tuple(map(Variable, varied))), steps=STEPS).design
    traced = trace_lenses(lens.systems)
    values = [
        _value_nearest_to_bound(
            limit,
            np.concatenate(
                [
                    limit.values(each)
                    for k, each in enumerate(traced, 1)
                    if limit.configuration in (None, k)
                ]
            ),
        )
        for limit in limits
    ]
    adjusted = [parameter_number(lens, c) for c in compensators]
    return [merit_value(lens, traced), *values], adjusted


def with_changes(design: LensDesign, changes: Mapping[str, float]) -> LensDesign:
    """The design with amounts added to its parameters, in all configurations alike."""
    values = {
        own: parameter_number(design, own) + by
        for name, by in changes.items()
        for own in (name, *_configured_names(design, name))
    }
    return with_parameters(design, values)


def _configured_names(design: LensDesign, name: str) -> tuple[str, ...]:
    """The names of a parameter's values in the configurations, such as ``t3_2``."""
    return tuple(
        f"{name}_{k}"
        for k, each in enumerate(design.configurations, 1)
        if name in dict(each.values)
    )


def _value_nearest_to_bound(limit: Operand, values: Floats) -> float:
    """The value that is nearest to a bound or farthest beyond it."""
    if math.isfinite(limit.least) and not math.isfinite(limit.most):
        return float(values.min())
    return float(values.max())
