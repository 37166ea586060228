"""Kinds of path: by which objects, and by which interactions there, the light goes that a measure
looks at. Where it is another one, the physics has changed, not only the numbers.
"""

from itertools import groupby

import numpy as np

from raybench.analysis.geometry.straight import Rows
from raybench.analysis.measures.bound import Bound, BoundMeasure, Combination
from raybench.analysis.measures.light import Light
from raybench.analysis.paths.paths import path_steps
from raybench.analysis.rays.incidence import transmitted_mask
from raybench.errors import RaybenchError
from raybench.trace.codes import Interaction

COMPARABLE = 0.5
"""Share of the power of the strongest kind from which on another one counts as well."""
WEAK = 0.1
"""Share of what is emitted below which a power comes by no path that is worth keeping."""
MOST_FOLLOWED = 16
"""Sequences of surfaces that are put into words, the strongest."""
COUNTED = 3
"""Repetitions of an interaction that are told apart; more are "several", as in a light guide."""
PASSING = (Interaction.REFRACT.word, Interaction.LENS.word)
"""Interactions that are not counted: light goes on, and bodies in contact have one surface less."""
STRAIGHT = "straight from the source"

Kinds = tuple[tuple[str, ...], ...]
"""For each measure of an expression the kinds of path of its light, the strongest first."""


def kinds_of_path(bound: Bound, light: Light) -> Kinds:
    """The kinds of path of the light that a measure looks at, or each measure in an expression:
    words such as ``Prism: refract, tir, refract``, those with at least `COMPARABLE` of the
    strongest one's power. None without light, and for a measure that is not about rays.

    Which edges of an object light meets, how many it is refracted at one after the other, and
    detectors that it passes make no difference.
    """
    if isinstance(bound, Combination):
        return tuple(kinds for part in bound.parts for kinds in kinds_of_path(part, light))
    rows = _rows_looked_at(bound, light)
    power = light.result.total_power[rows]
    if not power.sum() > 0:
        return ((),)
    classes = light.cached(
        ("kinds of path",), lambda: light.result.lineage.classes(path_steps(light.result))
    )[rows]
    found, first, which = np.unique(classes, return_index=True, return_inverse=True)
    powers = np.bincount(which, power, minlength=len(found))
    by_kind: dict[str, float] = {}
    for i in np.argsort(-powers, kind="stable")[:MOST_FOLLOWED].tolist():
        kind = _kind_in_words(light, int(rows[first[i]]))
        by_kind[kind] = by_kind.get(kind, 0.0) + float(powers[i])
    strongest = max(by_kind.values())
    if bound.of_power and strongest < WEAK * light.emitted():
        return ((),)
    ranked = sorted(by_kind, key=lambda kind: -by_kind[kind])
    return (tuple(kind for kind in ranked if by_kind[kind] >= COMPARABLE * strongest),)


def is_same_path(reference: Kinds, now: Kinds) -> bool:
    """Whether the strongest kind of path of each measure in one scene is among those in another;
    where one of them has none, there is nothing to compare.
    """
    return all(
        not old or not new or old[0] in new for old, new in zip(reference, now, strict=False)
    )


def path_in_words(kinds: Kinds) -> str:
    """The strongest kind of path, of several measures each different one; empty without any."""
    return " and ".join(dict.fromkeys(kind[0] for kind in kinds if kind))


def _rows_looked_at(bound: BoundMeasure, light: Light) -> Rows:
    """The segments that a value is about, the last on each path only."""
    measure, rows = bound.measure, None
    try:
        if measure.takes is not None:
            index, *of = bound.indices(light)
            return light.strongest(measure.takes, index, *of).rows  # type: ignore[arg-type]
        rows = bound.rays(light)
    except RaybenchError:  # the measure is undefined
        pass
    if rows is None or not len(rows):
        return np.empty(0, np.int64)
    mask = np.zeros(len(light.result), bool)
    mask[rows] = True
    return np.flatnonzero(mask & ~light.result.lineage.above(mask))


def _kind_in_words(light: Light, row: int) -> str:
    """The kind of path to a segment, such as ``Lens: refract > Mirror: reflect``."""
    result = light.result
    path = [
        r
        for r in result.lineage.path(row)[1:]
        if result.interaction[r] not in (Interaction.DETECT, Interaction.GRIN)
    ]
    places: list[tuple[int, str]] = []
    for r in path:
        word = Interaction(int(result.interaction[r])).word
        if result.interaction[r] == Interaction.SPLIT:
            through = transmitted_mask(result, np.array([r]))[0]
            word += " transmitted" if through else " reflected"
        elif result.interaction[r] == Interaction.DIFFRACT:
            word += f" order {light.order(r)}"
        places.append((int(result.hit[result.parent[r]]), word))
    texts = []
    for index, steps in groupby(places, key=lambda place: place[0]):
        runs = [(word, len(list(same))) for word, same in groupby(word for _, word in steps)]
        words = [
            word if n == 1 or word in PASSING else f"{n if n <= COUNTED else 'several'} {word}"
            for word, n in runs
        ]
        title = light.things[index].title if index >= 0 else "unknown"
        texts.append(f"{title}: {', '.join(words)}")
    return " > ".join(texts) or STRAIGHT
