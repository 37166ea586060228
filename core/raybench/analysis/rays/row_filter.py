"""Filters of rays typed as text, such as ``power > 0.1, Screen, reflect``: all conditions must
hold.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from raybench.analysis.geometry.straight import Mask, Rows
from raybench.errors import RaybenchError, elided
from raybench.trace.columns import COLUMNS, Column
from raybench.trace.results.ray_set import RaySet
from raybench.trace.results.result import TraceResult

COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    "<=": operator.le,
    ">=": operator.ge,
    "<": operator.lt,
    ">": operator.gt,
    "=": operator.eq,
}
QUANTITIES: dict[str, Column] = {
    c.csv: c for c in COLUMNS.values() if c.csv and c.value in (int, float)
}
"""The numbers that can be compared, by their names in CSV files."""
_NO_SETS: Mapping[str, RaySet] = MappingProxyType({})
_SIGN = re.compile("[<>=]")
_COMPARISON = re.compile(r"([^<>=]+?)\s*(<=|>=|<|>|=)\s*(\S+)")


class InvalidRowFilter(RaybenchError):
    """A condition cannot be read."""


def filtered_rows(result: TraceResult, text: str, sets: Mapping[str, RaySet] = _NO_SETS) -> Rows:
    """The rows that fulfil all conditions of a text, ascending; all rows for an empty text.

    A condition is a comparison of a quantity with a number, or a part of the name of the source or
    of the object that is hit, of the interaction or of the status, or the name of one of the
    ``sets``, such as R1. Raises InvalidRowFilter.
    """
    mask: Mask = np.ones(len(result), bool)
    for condition in filter(None, (part.strip() for part in text.split(","))):
        comparison = _COMPARISON.fullmatch(condition)
        if (rays := sets.get(condition.upper())) is not None:
            if rays.revision != result.revision:
                raise InvalidRowFilter(
                    f"{condition} is of an earlier state of the scene. Ask again."
                )
            mask &= np.isin(np.arange(len(result)), rays.rows)
        else:
            mask &= (
                _compared(result, *comparison.groups()) if comparison else _named(result, condition)
            )
    return np.flatnonzero(mask)


def _compared(result: TraceResult, name: str, sign: str, number: str) -> Mask:
    column = QUANTITIES.get(" ".join(name.lower().split()))
    if column is None:
        raise InvalidRowFilter(
            f"'{elided(name, 40)}' is not a quantity of rays. Quantities: {', '.join(QUANTITIES)}."
        )
    try:
        value = float(number)
    except ValueError:
        raise InvalidRowFilter(
            f"'{elided(number, 40)}' is not a number. Write such as {name} {sign} 0.1."
        ) from None
    mask: Mask = COMPARISONS[sign](column.numbers(result), value)
    return mask


def _named(result: TraceResult, word: str) -> Mask:
    """The rows with a word in one of their texts; each text is read once, not once per ray."""
    given, word, mask = word, word.lower(), np.zeros(len(result), bool)
    names = np.array([word in name.lower() for name in result.object_names] + [False])
    if _SIGN.search(word) and not names.any():
        raise InvalidRowFilter(
            f"'{elided(given, 40)}' is not a condition. Write such as power > 0.1."
        )
    mask |= names[result.source] | names[result.hit]
    for name in ("interaction", "status"):
        vocabulary = COLUMNS[name].vocabulary
        assert vocabulary is not None
        codes = [int(w) for w in vocabulary if word in w.word.lower()]
        mask |= np.isin(getattr(result, name), codes)
    return mask
