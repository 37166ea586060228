"""Queries on properties of rays, such as power, polarization, wavelength and interaction, and on
ray ids ``r<revision>-<row>``.
"""

import math
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from raybench.analysis.geometry.straight import Floats, Mask
from raybench.analysis.rays.columns import COLUMNS
from raybench.analysis.rays.ranges import check_range_bounds, is_excluded_rounded_bound
from raybench.analysis.rays.ray_filter import ROUNDING
from raybench.errors import RaybenchError, elide_text, list_choices
from raybench.trace.results.result import TraceResult


class UnknownWord(RaybenchError):
    """A word is not the name of an interaction or a status."""


@dataclass(frozen=True)
class Quantity:
    """A quantity of rays with values from 0 to ``most``: its name and unit for sentences, its
    ``meaning`` for error messages, and the relative ``tolerance`` with which bounds are compared.
    """

    values: Callable[[TraceResult], Floats]
    name: str
    meaning: str
    most: float = math.inf
    unit: str = ""
    tolerance: float = 0.0


QUANTITIES = {
    "power": Quantity(
        lambda result: result.total_power, "power", "power, relative to the brightness of sources"
    ),
    "wavelength": Quantity(
        lambda result: result.wavelength, "wavelength", "nm", unit=" nm", tolerance=ROUNDING
    ),
    "dop": Quantity(
        lambda result: result.degree_of_polarization,
        "degree of polarization",
        "degree of polarisation",
        most=1.0,
    ),
}


def rays_in_range(result: TraceResult, quantity: str, low: float, high: float = math.inf) -> Mask:
    """Mask (n,) of the segments whose quantity, one of the `QUANTITIES`, is between two bounds.
    Bounds are included unless `is_excluded_rounded_bound` is true for them. Segments without a
    wavelength are in no range of wavelengths.
    """
    about = QUANTITIES[quantity]
    check_range_bounds(
        low, high, (f"min_{quantity}", f"max_{quantity}"), about.meaning, most=about.most
    )
    values = about.values(result)
    slack = about.tolerance * np.nan_to_num(values)
    below = -slack if is_excluded_rounded_bound(low, math.inf) else slack
    above = -slack if is_excluded_rounded_bound(high, -math.inf) else slack
    mask: Mask = (values >= low - below) & (values <= high + above)
    return mask


def rays_with_word(result: TraceResult, column: str, word: str) -> Mask:
    """Mask (n,) of the segments with a value, such as ``tir``, in the column ``interaction`` or
    ``status``. Raises UnknownWord.
    """
    vocabulary = COLUMNS[column].vocabulary
    assert vocabulary is not None
    code = vocabulary.parse(word)
    if code is None:
        raise UnknownWord(
            f"No {column} {word!r}. Give one or more of {list_choices(vocabulary.words(), 'and')}."
        )
    mask: Mask = getattr(result, column) == code
    return mask


_ID = re.compile(r"r(\d{1,18})-(\d{1,18})")


class UnknownRay(RaybenchError):
    """The active trace has no ray with this id."""


def is_ray_id(text: str) -> bool:
    """Whether a text has the form of a ray id. Upper case and surrounding whitespace are
    accepted.
    """
    return _ID.fullmatch(text.strip().lower()) is not None


def row_of_ray(result: TraceResult, ray_id: str) -> int:
    """The row of the ray with an id. Raises UnknownRay if the id is malformed, belongs to another
    revision, or is beyond the last row.
    """
    match = _ID.fullmatch(str(ray_id).strip().lower())
    if match is None:
        example = result.segment_id(0) if len(result) else "r1-0"
        raise UnknownRay(
            f"'{elide_text(str(ray_id), 60)}' is not a ray's id. Give one as answers show it, such as"
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


def rows_of_ray_ids(result: TraceResult, texts: Iterable[str]) -> list[int]:
    """The rows, ascending and distinct, of the ray ids among some texts. Other texts are
    ignored.
    """
    ids = (
        match
        for text in texts
        if (match := _ID.fullmatch(text)) is not None and int(match[1]) == result.revision
    )
    return sorted({row for match in ids if (row := int(match[2])) < len(result)})
