"""The kind of a path: the objects that light meets and its interactions there. If it differs
between two scenes, a measure is about different light, not only a different number.
"""

from itertools import groupby

import numpy as np

from raybench.analysis.measures.bound import Bound, BoundMeasure
from raybench.analysis.measures.light import Light
from raybench.analysis.measures.principal_path import (
    END,
    PrincipalPath,
    common_path_of_segments,
    principal_paths,
)
from raybench.analysis.paths.principal import light_by_path
from raybench.errors import RaybenchError
from raybench.trace.codes import Interaction

COMPARABLE = 0.5
"""Share of the power of the strongest kind from which on another one counts as well."""
WEAK = 0.1
"""Share of what is emitted below which a power comes by no path that is worth keeping."""
FAINT = 0.1
"""Share of the mean power of a ray below which a ray is left out. Such rays carry at most this share
of all power, but are the most and go the longest ways.
"""
MOST_FOLLOWED = 8
"""Sequences of surfaces that are put into words, the strongest."""
COUNTED = 3
"""Repetitions of an interaction that are told apart; more are "several", as in a light guide."""
PASSING = (Interaction.REFRACT.word, Interaction.LENS.word, Interaction.POLARIZE.word)
"""Interactions that are not counted: light goes on, and bodies in contact have one surface less."""
STRAIGHT = "straight from the source"

Kinds = tuple[tuple[str, ...], ...]
"""For each measure of an expression the kinds of path of its light, the strongest first."""


def kinds_of_path(bound: Bound, light: Light) -> Kinds:
    """The kinds of path of the light behind each measure of an expression, such as ``Prism:
    refract, tir, refract``. For a power, all kinds with at least `COMPARABLE` of the power of the
    strongest; for another measure, that of its principal path. Empty if there is no light or the
    measure is not about rays.

    Which edges of an object light meets, how many it is refracted at one after the other, and
    detectors that it passes make no difference.
    """
    if not isinstance(bound, BoundMeasure):
        return tuple(kinds for part in bound.parts for kinds in kinds_of_path(part, light))
    try:
        if bound.is_power and bound.measure.takes is None:
            return (_path_kinds_of_power(bound, light),)
        return tuple(
            () if path is None else (_path_kind_words(path, light),)
            for path in principal_paths(light, bound)
        )
    except RaybenchError:  # the measure is undefined
        return ((),)


def is_same_path(reference: Kinds, now: Kinds) -> bool:
    """Whether, for each measure, the strongest kind of path in one scene also occurs in another
    scene. If a measure has no path in one of them, it counts as the same.
    """
    return all(
        not old or not new or old[0] in new for old, new in zip(reference, now, strict=False)
    )


def strongest_path_words(kinds: Kinds) -> str:
    """The strongest kind of path of each measure as text, without repetitions; empty if there is
    none.
    """
    return " and ".join(dict.fromkeys(kind[0] for kind in kinds if kind))


def _path_kinds_of_power(bound: BoundMeasure, light: Light) -> tuple[str, ...]:
    rows = bound.measured_rows(light)
    if rows is None or not len(rows):
        return ()
    result = light.result
    mask = np.zeros(len(result) + 1, bool)  # the last one for the parent -1
    mask[rows] = True
    if mask[result.parent].any():
        mask[:-1] &= ~result.lineage.ancestors_mask(mask[:-1])
    last = np.flatnonzero(mask)
    power = result.total_power[last]
    last = last[power >= FAINT * power.mean()]
    paths = light_by_path(result, last, result.total_power[last], ends=False)
    by_kind: dict[str, float] = {}
    powers, least = paths.power[:MOST_FOLLOWED], WEAK * light.emitted()
    total = float(powers.sum())
    if not total > 0 or total < least:
        return ()
    for rank, power in enumerate(powers.tolist()):
        path = common_path_of_segments(light, paths.rows_of_rank(rank), paths.share, to_start=True)
        kind = "" if path is None else _path_kind_words(path, light)
        by_kind[kind] = by_kind.get(kind, 0.0) + power
        if (most := max(by_kind.values())) >= least and total - most < COMPARABLE * most:
            break  # all others together do not count
    strongest = max(by_kind.values())
    if strongest < least:
        return ()
    ranked = sorted(by_kind, key=lambda kind: -by_kind[kind])
    return tuple(kind for kind in ranked if by_kind[kind] >= COMPARABLE * strongest)


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
            word if n == 1 or word in PASSING else f"{n if n <= COUNTED else 'several'} {word}"
            for word, n in runs
        ]
        texts.append(f"{light.things[light.index_by_key[key]].title}: {', '.join(words)}")
    return " > ".join(texts) or STRAIGHT
