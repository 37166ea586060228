"""Deviations: how far a parameter may be from where it should be, and how it is distributed."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from raybench.errors import RaybenchError, in_quotes
from raybench.scene.changes.quantity import InvalidQuantity, quantity
from raybench.scene.document import Document
from raybench.study.terms.parameter import LONGEST, Parameter, check_value, read_parameter

DISTRIBUTIONS = ("uniform", "normal")
CUT = 2.0
"""A normal distribution is cut off at this many standard deviations, where the stated deviation
lies.
"""
_DEVIATION = re.compile(r"(.+)(?:±|\+-|\+/-)\s*(.+?)(?:\s+(\w+))?\s*", re.DOTALL)
_SHARE = re.compile(r"(\d+\.?\d*|\.\d+)\s*%")


class InvalidDeviation(RaybenchError):
    """A text describes no deviation of a parameter."""


@dataclass(frozen=True)
class Deviation:
    """A parameter, its nominal value, the largest deviation to both sides, in its unit, and its
    distribution.

    ``uniform`` is within the deviation; ``normal`` has half of it as standard deviation and is cut
    off at the deviation.
    """

    parameter: Parameter
    nominal: float
    by: float
    distribution: str = "uniform"

    def samples(self, count: int, random: np.random.Generator) -> NDArray[np.float64]:
        """Random values of the parameter, (count,)."""
        if self.distribution == "uniform":
            return self.nominal + self.by * random.uniform(-1.0, 1.0, count)
        drawn = random.standard_normal(count)
        while (outside := np.abs(drawn) > CUT).any():
            drawn[outside] = random.standard_normal(int(outside.sum()))
        return self.nominal + self.by / CUT * drawn

    @property
    def standard_deviation(self) -> float:
        """The standard deviation of its distribution."""
        if self.distribution == "uniform":
            return self.by / math.sqrt(3)
        density, mass = (
            math.exp(-(CUT**2) / 2) / math.sqrt(2 * math.pi),
            math.erf(CUT / math.sqrt(2)),
        )
        return (
            self.by / CUT * math.sqrt(1 - 2 * CUT * density / mass)
        )  # of a normal distribution cut off on both sides


def read_deviation(text: str, document: Document) -> Deviation:
    """The deviation that a text such as ``Lens.x±0.1``, ``Lens.x ± 0.1 mm normal``,
    ``Prism.angle+-0.5`` or ``Lens.focalLength±1%`` (of its value) describes.

    Raises InvalidDeviation, InvalidParameter, UnknownName, or ChangeRefused where an end cannot be
    set.
    """
    found = _DEVIATION.fullmatch(text) if len(text) <= LONGEST else None
    if found is None:
        raise InvalidDeviation(
            f"{in_quotes(text, 80)} is not a deviation. Write a parameter and how far it may be"
            " off, such as Lens.x±0.1."
        )
    parameter = read_parameter(found[1], document)
    size, distribution = found[2], "uniform"
    if found[3] in DISTRIBUTIONS:
        distribution = found[3]
    elif found[3]:
        size = f"{size} {found[3]}"  # a unit
    nominal = parameter.value_in(document)
    try:
        if share := _SHARE.fullmatch(size):
            by = _share(text, parameter, nominal, share[1], document)
        else:
            by = quantity(size, parameter.unit, document.unit)
    except InvalidQuantity as error:
        known = f"; the distribution is one of {', '.join(DISTRIBUTIONS)}" if found[3] else ""
        raise InvalidDeviation(f"{parameter.text} {error}{known}.") from None
    if not 0 < by < math.inf:
        raise InvalidDeviation(
            f"{parameter.text}: a deviation is a finite number above 0, not {by:g}."
        )
    for value in (nominal - by, nominal + by):
        check_value(parameter, value, document)
    return Deviation(parameter, nominal, by, distribution)


def _share(
    text: str, parameter: Parameter, nominal: float, percent: str, document: Document
) -> float:
    """The deviation that is a share of the nominal value. Raises InvalidDeviation where that is 0."""
    if nominal == 0:
        why = "is counted from 0" if parameter.is_motion else "is 0"
        unit = parameter.unit_text(document)
        how = f"in {unit}" if unit else "as a number"
        raise InvalidDeviation(
            f"{text.strip()}: {parameter.text} {why}. Give its deviation {how}, not in %."
        )
    return abs(nominal) * float(percent) / 100


def sample_table(deviations: Sequence[Deviation], count: int, seed: int) -> NDArray[np.float64]:
    """Random values of the parameters, (count, parameters).

    Each parameter has a random stream of its own, so that its samples do not depend on the other
    parameters or on ``count``.
    """
    streams = np.random.default_rng(seed).spawn(len(deviations))
    columns = [d.samples(count, stream) for d, stream in zip(deviations, streams, strict=True)]
    return np.stack(columns, axis=1) if columns else np.empty((count, 0))
