"""Kinds of path. The kind of a path is the sequence of objects that light meets and of its
interactions there. If it differs between two scenes, the values of a measure belong to different
light and cannot be compared.
"""

import math
from itertools import groupby

import numpy as np

from raybench.analysis.geometry.straight import Rows, distinct_integers
from raybench.analysis.measures.bound import Bound, BoundMeasure
from raybench.analysis.measures.light import Light
from raybench.analysis.measures.principal_path import (
    END,
    PrincipalPath,
    common_path_of_segments,
    principal_rows,
)
from raybench.analysis.paths.principal import SHARE_DIGITS
from raybench.errors import RaybenchError
from raybench.trace.codes import Interaction
from raybench.trace.keep import RowsNotKept
from raybench.trace.results.path_keys import path_keys
from raybench.trace.results.result import TraceResult

COMPARABLE = 0.5
"""Share of the power of the strongest kind from which on another one counts as well."""
WEAK = 0.1
"""Share of what is emitted below which a power comes by no path that is worth keeping."""
EVEN_SHARES = np.sort(np.arange(500) * (math.sqrt(5) / 2 - 0.5) % 1.0)
"""Of more rays so many are followed, in proportion to their power: those at these shares of all
power, added up in the order of the trace. They are multiples of the golden ratio, which spread
evenly over whatever repeats along the rays.
"""
MOST_FOLLOWED = 8
"""Sequences of surfaces that are put into words, the strongest."""
MOST_REPETITIONS = 3
"""Repetitions of an interaction that are told apart; more are "several", as in a light guide."""
PASSING_INTERACTIONS = (Interaction.REFRACT.word, Interaction.LENS.word, Interaction.POLARIZE.word)
"""Interactions that are not counted: light goes on, and bodies in contact have one surface less."""
STRAIGHT = "straight from the source"

Kinds = tuple[tuple[str, ...], ...]
"""For each measure of an expression the kinds of path of its light, the strongest first."""
KindsByKey = dict[tuple[tuple[str, ...], int], str]
"""The kinds of paths that are known, by the names of the objects and the `path_keys` of the paths.
"""


def kinds_of_path(bound: Bound, light: Light, known: KindsByKey) -> Kinds:
    """For each measure of an expression, the kinds of path of its light, such as ``Prism: refract,
    tir, refract``. A power has all kinds with at least `COMPARABLE` of the power of the strongest
    kind; another measure has the kind of its principal path. Empty without light, or if the measure
    does not use rays.

    Edges, the number of consecutive refractions at one object, and detectors do not distinguish
    kinds.

    New kinds are added to the cache ``known``. Raises RowsNotKept if a path is not in the cache and
    the trace no longer has its rows.
    """
    if not isinstance(bound, BoundMeasure):
        return tuple(kinds for part in bound.parts for kinds in kinds_of_path(part, light, known))
    try:
        if bound.is_power and bound.measure.takes is None:
            return (_path_kinds_of_power(bound, light, known),)
        several = [rows[:1] for rows, _, _ in principal_rows(light, bound)]
        return tuple(
            tuple(
                _path_kind_by_key(light, rows, number, known)
                for number in path_keys(light.result, rows, ends=False).tolist()
            )
            for rows in several
        )
    except RaybenchError:  # the measure is undefined
        return ((),)


def is_same_path(reference: Kinds, current: Kinds) -> bool:
    """Whether, for each measure, the strongest kind of path in the reference scene also occurs in
    the current scene. A measure without a path in one of the scenes counts as having the same path.
    """
    return all(
        not old or not new or old[0] in new for old, new in zip(reference, current, strict=False)
    )


def strongest_path_words(kinds: Kinds) -> str:
    """The strongest kind of path of each measure as text, without repetitions; empty without
    paths.
    """
    return " and ".join(dict.fromkeys(kind[0] for kind in kinds if kind))


def _path_kinds_of_power(bound: BoundMeasure, light: Light, known: KindsByKey) -> tuple[str, ...]:
    rows = bound.measured_rows(light)
    if rows is None or not len(rows):
        return ()
    result = light.result
    last = _rows_without_descendants(result, rows)
    power = result.total_power[last]
    if len(last) > len(EVEN_SHARES):
        summed = power.cumsum()
        last = last[summed.searchsorted(EVEN_SHARES * summed[-1], side="right")]
        power = np.full(len(last), summed[-1] / len(EVEN_SHARES))
    numbers, first, which = np.unique(
        path_keys(result, last, ends=False), return_index=True, return_inverse=True
    )
    by_path = np.bincount(which, power)
    most, least = float(by_path.max()) or 1.0, WEAK * light.emitted()
    paths = zip(first.tolist(), numbers.tolist(), by_path.tolist(), strict=True)
    followed = sorted(paths, key=lambda path: (-round(path[2] / most, SHARE_DIGITS), path[0]))
    followed = followed[:MOST_FOLLOWED]
    left = sum(own for _, _, own in followed)
    if not left > 0 or left < least:
        return ()
    by_kind: dict[str, float] = {}
    for at, number, own in followed:
        kind = _path_kind_by_key(light, last[at : at + 1], number, known)
        by_kind[kind] = by_kind.get(kind, 0.0) + own
        left -= own
        *_, next_most, most = sorted((0.0, *by_kind.values()))
        if most >= least and next_most + left < COMPARABLE * most:
            break  # no other kind can count
    strongest = max(by_kind.values())
    if strongest < least:
        return ()
    ranked = sorted(by_kind, key=lambda kind: -by_kind[kind])
    return tuple(kind for kind in ranked if by_kind[kind] >= COMPARABLE * strongest)


def _rows_without_descendants(result: TraceResult, rows: Rows) -> Rows:
    """The segments among ``rows``, ascending, that have no descendants among them. Raises
    RowsNotKept if the trace does not have the necessary rows.
    """
    if result.kept is not None:
        met = result.hit[rows]
        if met.max() >= 0:
            ends = set((np.flatnonzero(np.bincount(met + 1)) - 1).tolist()) - {-1}
            if not ends <= {*result.kept.keep.objects} or result.kept.have_met(rows, ends).any():
                raise RowsNotKept
        return rows if (rows[1:] > rows[:-1]).all() else distinct_integers(rows)
    mask = np.zeros(len(result) + 1, bool)  # the last one for the parent -1
    mask[rows] = True
    if mask[result.parent].any():
        mask[:-1] &= ~result.lineage.ancestors_mask(mask[:-1])
    return np.flatnonzero(mask)


def _path_kind_by_key(light: Light, row: Rows, path_key: int, known: KindsByKey) -> str:
    """The kind of the path with the key ``path_key``, to the start or the end of the segment
    ``row`` (1,). The result is cached in ``known``.
    """
    key = light.result.object_names, path_key
    if key not in known:
        path = common_path_of_segments(light, row, 1.0, to_start=True)
        known[key] = "" if path is None else _path_kind_words(path, light)
    return known[key]


def _path_kind_words(path: PrincipalPath, light: Light) -> str:
    """The kind of a path as text, such as ``Lens: refract > Mirror: reflect``."""
    places: list[tuple[int | str, str]] = []
    for key, _edge, way, branch in path.steps:
        if way in (END, Interaction.GRIN):
            continue
        word = Interaction(way).word
        if way == Interaction.SPLIT:
            word += " transmitted" if branch == 1 else " reflected"
        elif way == Interaction.DIFFRACT:
            word += f" order {branch}"
        places.append((key, word))
    texts = []
    for key, steps in groupby(places, key=lambda place: place[0]):
        runs = [(word, len(list(same))) for word, same in groupby(word for _, word in steps)]
        words = [
            word
            if n == 1 or word in PASSING_INTERACTIONS
            else f"{n if n <= MOST_REPETITIONS else 'several'} {word}"
            for word, n in runs
        ]
        texts.append(
            f"{light.measurable_objects[light.index_by_key[key]].title}: {', '.join(words)}"
        )
    return " > ".join(texts) or STRAIGHT
