"""Notes for values that use only the light on one path: the share of that light, and the values for
all light.
"""

from collections.abc import Sequence

import numpy as np

from raybench.analysis.answers.words import count_with_noun
from raybench.analysis.measures.bound import EQUAL_VALUES, Bound, BoundMeasure, Combination
from raybench.analysis.measures.light import Light
from raybench.analysis.measures.measure import convert_where_possible
from raybench.analysis.paths.principal import LightByPath
from raybench.errors import elide_text, one_line
from raybench.phrase import Phrase

MOST_PATTERN_CHARACTERS = 120
"""Characters of the pattern of a path."""
WHOLE_SHARE = 0.9995
"""Part of the light from which on it needs no word."""


def path_share_note(light: Light, *measures: Bound, unit: str = "") -> str:
    """A note for measures of the light on one path: its share, the other paths, and the values for
    all light in ``unit``, such as ``of 54 % of the light; the rest: 46 % by Lamp → Screen; of all
    light it is 12.3 mm``. Empty if the measures use all light.
    """
    if len(measures) == 1 and isinstance(measures[0], Combination):
        parts = [(part, path_share_note(light, part, unit=unit)) for part in measures[0].parts]
        return "; ".join(
            note if isinstance(part, Combination) else f"{part.expression} {note}"
            for part, note in parts
            if note
        )
    bounds = [bound for bound in measures if isinstance(bound, BoundMeasure)]
    found = next(((b, paths) for b in bounds if (paths := b.light_by_path(light))), None)
    if found is None:
        return ""
    notes = [_one_path_share_note(light, paths) for paths in found[1] if paths.share < WHOLE_SHARE]
    if not notes:
        return ""
    return "; ".join([" and ".join(notes), *_values_with_all_light(light, bounds, unit)])


def percent_of_light(share: float) -> str:
    """A share of the light as text in percent, such as ``54 %``."""
    return Phrase("{percent:.3g} %", percent=100 * share)


def bundle_share_note(light: Light, bound: BoundMeasure) -> str:
    """A note with the share of the light at an object that follows the path of the measured bundle.
    Empty if the share is 100 %, or if the measure uses no bundle.
    """
    takes = bound.measure.takes
    if takes is None or bound.all_light:
        return ""
    share = bound.evaluate(light).share
    return f"of {percent_of_light(share)} of the light that {takes.value} it" * (
        share < WHOLE_SHARE
    )


def _one_path_share_note(light: Light, paths: LightByPath) -> str:
    """A note with the share of the light on the principal path, and on each other path."""
    power = paths.power / paths.power.sum()
    rows = paths.rows_of_rank(1)
    sources = set(light.result.source[rows].tolist())
    pattern = elide_text(
        one_line(light.path_writer.path_pattern(int(rows[0]), sources)), MOST_PATTERN_CHARACTERS
    )
    rest = f"{percent_of_light(float(power[1]))} by {pattern}"
    if len(power) > 2:
        others = count_with_noun(len(power) - 2, "other path")
        rest += f", {percent_of_light(float(power[2:].sum()))} by {others}"
    return f"of {percent_of_light(paths.share)} of the light; the rest: {rest}"


def _values_with_all_light(light: Light, bounds: Sequence[BoundMeasure], unit: str) -> list[str]:
    """Texts that state the values of the measures for all light; empty if no value changes."""
    pairs = [(b.evaluate(light), b.with_all_light.evaluate(light)) for b in bounds]
    if all(
        np.isclose(one.value, whole.value, rtol=EQUAL_VALUES, atol=EQUAL_VALUES, equal_nan=True)
        for one, whole in pairs
    ):
        return []
    shown = [
        convert_where_possible(whole, bound.unit, unit, light.length_unit).number
        for bound, (_, whole) in zip(bounds, pairs, strict=True)
    ]
    if len(shown) == 1:
        return [f"of all light it is {shown[0]}"]
    listed = (f"{one.expression} {value}" for (one, _), value in zip(pairs, shown, strict=True))
    return [f"of all light {', '.join(listed)}"]
