"""Queries on the properties of rays (power, polarisation, wavelength, interactions), as functions
from a result to matching rows.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from raybench.analysis.geometry.straight import Mask
from raybench.analysis.rays.ranges import check_range, excludes
from raybench.analysis.rays.ray_filter import ROUNDING
from raybench.errors import RaybenchError, choices
from raybench.optics.polarization import degree_of_polarization
from raybench.trace.codes import Interaction, Status, Word
from raybench.trace.results.ray_set import RaySet
from raybench.trace.results.result import TraceResult


class UnknownWord(RaybenchError):
    """A word is not the name of an interaction or a status."""


def rays_by_polarization(result: TraceResult, low: float, high: float) -> RaySet:
    """The segments whose degree of polarisation is between two bounds, both included."""
    check_range(low, high, ("min_dop", "max_dop"), "degree of polarisation", most=1.0)
    dop = degree_of_polarization(result.power)
    return result.ray_set(
        (dop >= low) & (dop <= high), f"rays with a degree of polarisation from {low:g} to {high:g}"
    )


def rays_by_power(result: TraceResult, low: float, high: float = math.inf) -> RaySet:
    """The segments whose power at the start, the sum of both polarisations, is between two bounds,
    both included.
    """
    check_range(
        low, high, ("min_power", "max_power"), "power, relative to the brightness of sources"
    )
    power = result.total_power
    return result.ray_set(
        (power >= low) & (power <= high), f"rays with a power from {low:g} to {high:g}"
    )


def rays_by_wavelength(result: TraceResult, low: float, high: float) -> RaySet:
    """The segments whose wavelength is between two bounds in nm, included unless `excludes`; none
    in a scene without colours.
    """
    check_range(low, high, ("min_wavelength", "max_wavelength"), "nm")
    nm = result.wavelength
    tolerance = ROUNDING * np.nan_to_num(nm)
    below, above = (-1 if excludes(low, math.inf) else 1), (-1 if excludes(high, -math.inf) else 1)
    return result.ray_set(
        (nm >= low - below * tolerance) & (nm <= high + above * tolerance),
        f"rays of {low:g} nm to {high:g} nm",
    )


def rays_by_interaction(result: TraceResult, *words: str) -> RaySet:
    """The segments that start with one of the named interactions
    (`raybench.trace.codes.Interaction`), such as ``tir``. Raises UnknownWord.
    """
    return result.ray_set(
        _with_codes(result.interaction, Interaction, words, "interaction"),
        f"rays from {' or '.join(words)}",
    )


def rays_by_status(result: TraceResult, *words: str) -> RaySet:
    """The segments that end with one of the named statuses (`raybench.trace.codes.Status`), such as
    ``escaped``. Raises UnknownWord.
    """
    return result.ray_set(
        _with_codes(result.status, Status, words, "status"), f"rays that end {' or '.join(words)}"
    )


def _with_codes(
    column: NDArray[np.uint8], kind: type[Word], words: Sequence[str], what: str
) -> Mask:
    codes = [kind.parse(word) for word in words]
    unknown = [word for word, code in zip(words, codes, strict=True) if code is None]
    if unknown or not words:
        raise UnknownWord(
            (f"No {what} {unknown[0]!r}. " if unknown else "")
            + f"Give one or more of {choices(kind.words(), 'and')}."
        )
    return np.isin(column, np.array(codes, np.uint8))
