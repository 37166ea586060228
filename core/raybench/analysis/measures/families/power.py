"""Measures of the power balance of a trace, emitted + resampled + gained = escaped + absorbed +
truncated + alive; and of the light that returns to its source.
"""

import numpy as np

from raybench.analysis.geometry.straight import (
    Floats,
    Rows,
    distances_from_points,
    distinct_integers,
)
from raybench.analysis.measures.light import Light
from raybench.analysis.measures.measure import (
    SOURCE,
    Family,
    Parameter,
    Role,
    RowsNeeded,
    Undefined,
    Unit,
)
from raybench.analysis.measures.selections import SelectedRays
from raybench.analysis.paths.paths import segments_passing_unaffected
from raybench.analysis.rays.energy import power_absorbed_by_object
from raybench.kinds.aspects.outlines import Edge
from raybench.kinds.sources import Beam
from raybench.scene.changes.placing import object_centre
from raybench.shapes.shape import Line
from raybench.trace.codes import Flag, Interaction, Status

OBJECT = Parameter("object", Role.SYSTEM, optional=True)
THROUGH = Parameter("object", Role.SYSTEM)
BALANCE: Family = Family("Where power goes")


def _rows_ending(
    light: Light, status: Status, index: int | None = None, source: int | None = None
) -> Rows:
    """The segments that end with a status, at the object ``index`` or, if it is None, anywhere."""
    rows = light.result.rows if index is None else light.rows_meeting_object(index)
    ending = rows[np.flatnonzero(light.result.status[rows] == status)]
    return light.rows_of_source(ending, source)


def _emitted_rows(light: Light, source: int | None = None) -> Rows:
    return light.rows_of_source(light.result.lineage.roots(), source)


@BALANCE.measure(
    Unit.POWER,
    "emitted power [of {source}]",
    "How much power is emitted?",
    parameters=(SOURCE,),
    rays=_emitted_rows,
    needs=RowsNeeded.NONE,
)
def emitted(light: Light, source: int | None = None) -> float:
    """Power emitted by all sources or by the given one."""
    return light.emitted(source)


def _escaping_rows(light: Light, source: int | None = None) -> Rows:
    return _rows_ending(light, Status.ESCAPED, None, source)


@BALANCE.measure(
    Unit.POWER,
    "power [from {source}] that escapes",
    "How much power escapes?",
    parameters=(SOURCE,),
    rays=_escaping_rows,
    needs=RowsNeeded.ESCAPING,
)
def escaped(light: Light, source: int | None = None) -> float:
    """Power that leaves the scene without meeting another object."""
    if source is None:
        return light.result.ledger.escaped
    return float(light.result.total_arriving_power[_escaping_rows(light, source)].sum())


@BALANCE.measure(
    Unit.ONE,
    "share of the emitted power [of {source}] that escapes",
    "What share of the light escapes?",
    parameters=(SOURCE,),
    rays=_escaping_rows,
    share=True,
    needs=RowsNeeded.ESCAPING,
)
def escaping_share(light: Light, source: int | None = None) -> float:
    """Power that leaves the scene as a fraction of the power emitted by all sources or by the given
    one.
    """
    return light.share(escaped(light, source), source)


def _rows_losing_power(light: Light, index: int) -> tuple[Rows, Floats]:
    """The segments that lose power to the medium of a body or to its coated and painted edges, and
    the power that each segment loses.
    """
    return light.cached_value(
        ("absorption", index),
        lambda: power_absorbed_by_object(
            light.result, light.scene, index, light.disabled, light.length_unit
        ),
    )


def _absorbed_rows(light: Light, index: int | None = None, source: int | None = None) -> Rows:
    """The segments that are absorbed at an object, and the segments that lose power inside it.
    Without an object, those of all objects.
    """
    members = range(len(light.scene.optical)) if index is None else light.members(index)
    inside = [
        light.rows_of_source(_rows_losing_power(light, member)[0], source) for member in members
    ]
    return np.concatenate([_rows_ending(light, Status.ABSORBED, index, source), *inside])


@BALANCE.measure(
    Unit.POWER,
    "power that is absorbed [by {object} [of the light from {source}]]",
    "How much power is absorbed [by {object}] [light lost blocked]?",
    parameters=(OBJECT, SOURCE),
    rays=_absorbed_rows,
    needs=RowsNeeded.SUMS,
)
def absorbed(light: Light, index: int | None = None, source: int | None = None) -> float:
    """Power absorbed by an object: light that ends at it, and losses in its medium and at its
    coated and painted edges. Without an object, by all surfaces and media, including light that
    ends at ill-defined points.
    """
    if index is None:
        return light.remove_rounding_noise(light.result.ledger.absorbed, Unit.POWER)
    ending = _rows_ending(light, Status.ABSORBED, index, source)
    total = float(light.result.total_arriving_power[ending].sum())
    for member in light.members(index):
        rows, lost = _rows_losing_power(light, member)
        inside = lost if source is None else lost[light.result.source[rows] == source]
        total += light.remove_rounding_noise(float(inside.sum()), Unit.POWER)
    return total


def _passing_power(light: Light, index: int, source: int | None) -> float:
    return float(light.result.total_power[light.passing_rows(index, source)].sum())


def _share_of_arriving(light: Light, index: int, source: int | None, power: float) -> float:
    """``power`` as a fraction of the power that arrives at an object, including light that passes
    its opening or filter.
    """
    arriving = float(light.result.total_arriving_power[light.arriving_rows(index, source)].sum())
    arriving += _passing_power(light, index, source)
    if not arriving > 0:
        raise Undefined(f"No light{light.source_phrase(source)} arrives at {light.title(index)}.")
    return power / arriving


def _leaving_power(
    light: Light,
    index: int,
    source: int | None,
    *,
    transmitted: bool,
    from_outside: bool = False,
) -> float:
    """The power of the bundles that leave an object by transmission or by reflection.
    ``from_outside`` excludes the light of sources inside a body.
    """
    bundles = light.bundles_by_transmission(index, source, transmitted=transmitted)
    excluded = np.zeros(len(bundles), bool)
    if from_outside:
        arrived = np.array([b.arriving[0] for b in bundles], np.int64)
        excluded = light.start_inside_mask(index, arrived)
    return sum(b.power for b, out in zip(bundles, excluded.tolist(), strict=True) if not out)


def _reflected_rows(light: Light, index: int, source: int | None = None) -> Rows:
    bundles = light.bundles_by_transmission(index, source, transmitted=False)
    return np.concatenate([np.empty(0, np.int64), *(b.rows for b in bundles)])


@BALANCE.measure(
    Unit.POWER,
    "power [from {source}] that {object} reflects",
    "How much power does {object:acting} reflect?",
    "How much light is lost by reflection at {object:acting} [fresnel power]?",
    parameters=(THROUGH, SOURCE),
    rays=_reflected_rows,
)
def reflected(light: Light, index: int, source: int | None = None) -> float:
    """Power that an object reflects: where light arrives, and inside a body where a partial
    reflection turns light back.
    """
    return _leaving_power(light, index, source, transmitted=False)


def _transmitted_rows(light: Light, index: int, source: int | None = None) -> Rows:
    bundles = light.bundles_by_transmission(index, source, transmitted=True)
    return np.concatenate([light.passing_rows(index, source), *(b.rows for b in bundles)])


@BALANCE.measure(
    Unit.POWER,
    "power [from {source}] that goes through {object}",
    "How much power goes through {object}?",
    "How much power passes {object:lens}?",
    parameters=(THROUGH, SOURCE),
    rays=_transmitted_rows,
)
def transmitted(light: Light, index: int, source: int | None = None) -> float:
    """Power that goes through an object: past its surface, opening or filter, or out of its body in
    any direction, unless a partial reflection inside turned it back.
    """
    through = _leaving_power(light, index, source, transmitted=True)
    return through + _passing_power(light, index, source)


@BALANCE.measure(
    Unit.ONE,
    "transmittance of {object} [for the light from {source}]",
    "What is the transmittance of {object}?",
    "What share of the light does {object} transmit?",
    parameters=(THROUGH, SOURCE),
    rays=_transmitted_rows,
    share=True,
)
def transmittance(light: Light, index: int, source: int | None = None) -> float:
    """Fraction transmitted of the power that arrives at an object from outside, at its opening or
    its filter too.
    """
    through = _leaving_power(light, index, source, transmitted=True, from_outside=True)
    through += _passing_power(light, index, source)
    return _share_of_arriving(light, index, source, through)


@BALANCE.measure(
    Unit.ONE,
    "reflectance of {object} [for the light from {source}]",
    "What is the reflectance of {object:acting}?",
    "What share of the light does {object:acting} reflect?",
    parameters=(THROUGH, SOURCE),
    rays=_reflected_rows,
    share=True,
)
def reflectance(light: Light, index: int, source: int | None = None) -> float:
    """Fraction reflected of the power that arrives at an object from outside, at its opening or its
    filter too.
    """
    back = _leaving_power(light, index, source, transmitted=False, from_outside=True)
    return _share_of_arriving(light, index, source, back)


def _blocked_rows(light: Light, index: int, target: int, source: int | None = None) -> Rows:
    """The segments that arrive at the object ``index`` before their light met the object
    ``target``.
    """
    before, rows = np.zeros(len(light.result), bool), light.arriving_rows(index, source)
    before[light.arriving_rows(target)] = True
    return rows[~light.result.lineage.are_descendants(before, rows)]


@BALANCE.measure(
    Unit.POWER,
    "power [from {source}] that {object} takes from {target}",
    "How much light does {object} block from {target} [take away shade shadow]?",
    parameters=(THROUGH, Parameter("target", Role.SYSTEM), SOURCE),
    rays=_blocked_rows,
)
def blocked(light: Light, index: int, target: int, source: int | None = None) -> float:
    """Power that an object takes from another object, its target: the power that arrives at the
    target if the object is disabled, minus the power that arrives now; negative where the object
    sends more there.
    """
    if set(light.members(index)) & set(light.members(target)):
        raise Undefined(f"{light.title(index)} takes no light from itself. Name another target.")
    with_it, without = (
        float(each.result.total_arriving_power[each.arriving_rows(target, source)].sum())
        for each in (light, light.with_object_disabled(index))
    )
    return light.remove_rounding_noise(without - with_it, Unit.POWER)


@BALANCE.measure(
    Unit.POWER,
    "power of the rays that were too weak to follow",
    "How much power is too weak to follow?",
    "How much power is truncated?",
    # not those of which only a part is too weak, which go on
    rays=lambda light: _rows_ending(light, Status.TRUNCATED),
    needs=RowsNeeded.SUMS,
)
def truncated(light: Light) -> float:
    """Power of light that became too weak to be traced."""
    return light.result.ledger.truncated


@BALANCE.measure(
    Unit.POWER,
    "power added where one weak reflection is traced in place of several",
    "How much power is resampled?",
    rays=lambda light: np.flatnonzero((light.result.flags & Flag.RESAMPLED) != 0),
    needs=RowsNeeded.SUMS,
)
def resampled(light: Light) -> float:
    """Power added where one weak reflection is traced in place of several weak reflections."""
    return light.result.ledger.resampled


def _rows_changing_power(light: Light) -> Rows:
    changing = (Interaction.DIFFRACT, Interaction.CUSTOM)
    return np.flatnonzero(np.isin(light.result.interaction, changing))


@BALANCE.measure(
    Unit.POWER,
    "net power added by gratings and custom surfaces",
    "How much power is gained?",
    rays=_rows_changing_power,
    needs=RowsNeeded.SUMS,
)
def gained(light: Light) -> float:
    """Net power added by gratings and custom surfaces that emit more or less than they receive."""
    return light.remove_rounding_noise(light.result.ledger.gained, Unit.POWER)


@BALANCE.measure(
    Unit.POWER,
    "power of the rays that were not traced to their end",
    "How much power was not traced to its end?",
    rays=lambda light: np.flatnonzero(light.result.status == Status.ALIVE),
    needs=RowsNeeded.SUMS,
)
def alive(light: Light) -> float:
    """Power of light that was not traced to its end because the trace was stopped or reached a
    limit.
    """
    return light.result.ledger.alive


NEAR = 1e-6
"""Distance from a point source within which light passes it, relative to the size of the area in
which rays start.
"""


def _returning_rows(light: Light, source: int) -> SelectedRays:
    """The segments of a source's light that come back to the place where the source emits it."""
    obj, result = light.scene.optical[source], light.result
    if isinstance(obj, Beam):
        rows, _ = segments_passing_unaffected(result, obj, [Edge(0, Line(obj.p1, obj.p2))], False)
    else:
        p1, p2, row_of_piece = result.straight_pieces
        size = float(np.ptp(p1, axis=0).max()) if len(p1) else 0.0
        off = distances_from_points(np.array(object_centre(obj)), p1, p2)
        rows = distinct_integers(row_of_piece[off <= NEAR * max(1e-300, size)])
    return SelectedRays(light, light.rows_of_source(rows[result.parent[rows] >= 0], source), source)


RETURNING: Family = Family(
    "Light that comes back", (Parameter("source", Role.SOURCE, noun="source"),), _returning_rows
)


@RETURNING.measure(
    Unit.POWER,
    "power that comes back to {source}",
    "How much power comes back to {source}?",
    "How much light returns to {source} [power]?",
)
def returned(returning: SelectedRays) -> float:
    """Power of a source's own light that comes back to it: through the line of a beam, or through
    the point where other light starts; light that comes back twice counts twice.
    """
    return returning.power


@RETURNING.measure(
    Unit.ONE,
    "share of its power that comes back to {source}",
    "What share of the power comes back to {source}?",
    share=True,
)
def returned_share(returning: SelectedRays) -> float:
    """Power of a source's own light that comes back to it as a fraction of what it emits."""
    return returning.light.share(returning.power, returning.source)
