"""Queries on the properties of rays (power, polarisation, wavelength, interactions), as functions
from a result to matching rows; and rays by their ids, ``r<revision>-<row>``.
"""

import math
import re
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from raybench.analysis.geometry.straight import Mask
from raybench.analysis.rays.ranges import check_range, excludes_bound
from raybench.analysis.rays.ray_filter import ROUNDING
from raybench.errors import RaybenchError, elided, list_choices
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
    """The segments whose wavelength is between two bounds in nm, included unless `excludes_bound`; none
    in a scene without colours.
    """
    check_range(low, high, ("min_wavelength", "max_wavelength"), "nm")
    nm = result.wavelength
    tolerance = ROUNDING * np.nan_to_num(nm)
    below, above = (
        (-1 if excludes_bound(low, math.inf) else 1),
        (-1 if excludes_bound(high, -math.inf) else 1),
    )
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
            + f"Give one or more of {list_choices(kind.words(), 'and')}."
        )
    return np.isin(column, np.array(codes, np.uint8))


_ID = re.compile(r"r(\d{1,18})-(\d{1,18})")


class UnknownRay(RaybenchError):
    """There is no ray with an id in the active trace."""


def is_ray_id(text: str) -> bool:
    """Whether a text has the form of a ray id; case and surrounding whitespace are ignored."""
    return _ID.fullmatch(text.strip().lower()) is not None


def row_of(result: TraceResult, ray_id: str) -> int:
    """The row of a ray. Raises UnknownRay if the id is malformed, of another revision, or beyond
    the last row.
    """
    match = _ID.fullmatch(str(ray_id).strip().lower())
    if match is None:
        example = result.segment_id(0) if len(result) else "r1-0"
        raise UnknownRay(
            f"'{elided(str(ray_id), 60)}' is not a ray's id. Give one as answers show it, such as"
            f" {example}."
        )
    revision, row = int(match[1]), int(match[2])
    if revision != result.revision:
        raise UnknownRay(
            f"{match[0]} was ray {row} of revision {revision}; the active trace is of revision"
            f" {result.revision}, where that number may be another ray. Repeat the query, and use"
            " the ids of the new answer."
        )
    if row >= len(result):
        last = (
            f"They run from {result.segment_id(0)} to {result.segment_id(len(result) - 1)}."
            if len(result)
            else "It has no rays."
        )
        raise UnknownRay(f"There is no ray {match[0]} in this trace. {last}")
    return row


def rows_among(result: TraceResult, texts: Iterable[str]) -> list[int]:
    """The rows of those texts that are ids of rays of a trace, ascending, each once."""
    ids = (
        match
        for text in texts
        if (match := _ID.fullmatch(text)) is not None and int(match[1]) == result.revision
    )
    return sorted({row for match in ids if (row := int(match[2])) < len(result)})
