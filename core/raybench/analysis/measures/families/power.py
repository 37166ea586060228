"""Measures of the power balance of a whole trace: emitted + resampled + gained = escaped + absorbed
+ truncated + alive; and of the light that comes back to its source.
"""

import numpy as np

from raybench.analysis.geometry.straight import Floats, Rows, distance_to_each, distinct_integers
from raybench.analysis.measures.families.detector import power
from raybench.analysis.measures.light import Light
from raybench.analysis.measures.measure import Measure, Parameter, Role, Undefined, Unit
from raybench.analysis.paths.paths import crossed_without_meeting
from raybench.analysis.rays.energy import absorbed_inside
from raybench.kinds.aspects.outlines import Edge
from raybench.kinds.sources import Beam
from raybench.scene.changes.placing import centre_of
from raybench.shapes.shape import Line
from raybench.trace.codes import Flag, Interaction, Status

OBJECT = Parameter("object", Role.SYSTEM, optional=True)
THROUGH = Parameter("object", Role.SYSTEM)
SOURCE = Parameter("source", Role.SOURCE, optional=True)


def emitted(light: Light, source: int | None = None) -> float:
    """Power emitted by all sources or by the given one."""
    return light.emitted(source)


def escaped(light: Light, source: int | None = None) -> float:
    """Power that leaves the scene without meeting another object."""
    if source is None:
        return light.result.ledger.escaped
    return _ended_power(light, Status.ESCAPED, None, source)


def escaping_share(light: Light, source: int | None = None) -> float:
    """Power that leaves the scene as a fraction of the power emitted by all sources or by the given
    one.
    """
    return light.share(escaped(light, source), source)


def absorbed(light: Light, index: int | None = None, source: int | None = None) -> float:
    """Power absorbed by an object: where light ends at it, and on the way through a body. Without
    one, by all surfaces and media, including light that ends at ill-defined points.
    """
    if index is None:
        return light.without_noise(light.result.ledger.absorbed, Unit.POWER)
    total = _ended_power(light, Status.ABSORBED, index, source)
    for member in light.members(index):
        rows, lost = _lost_inside(light, member)
        inside = lost if source is None else lost[light.result.source[rows] == source]
        total += light.without_noise(float(inside.sum()), Unit.POWER)
    return total


def _lost_inside(light: Light, index: int) -> tuple[Rows, Floats]:
    """The segments inside a body, and the power that each loses on its way."""
    return light.cached(
        ("absorption", index),
        lambda: absorbed_inside(light.result, light.scene, index, light.disabled, light.unit),
    )


def reflected(light: Light, index: int, source: int | None = None) -> float:
    """Power that an object reflects: where it arrives, and inside a body where a partial reflection
    turns light back.
    """
    return light.leaving(index, source, transmitted=False)


def transmitted(light: Light, index: int, source: int | None = None) -> float:
    """Power that goes through an object: past its surface, opening or filter, or out of its body in
    any direction, unless a partial reflection inside turned it back.
    """
    return light.leaving(index, source, transmitted=True) + _passing_power(light, index, source)


def transmittance(light: Light, index: int, source: int | None = None) -> float:
    """Part of the power that arrives at an object from outside, at its opening or its filter too,
    that it transmits.
    """
    through = light.leaving(index, source, transmitted=True, from_outside=True) + _passing_power(
        light, index, source
    )
    return through / _arriving_power(light, index, source)


def reflectance(light: Light, index: int, source: int | None = None) -> float:
    """Part of the power that arrives at an object from outside, at its opening or its filter too,
    that it reflects.
    """
    return light.leaving(index, source, transmitted=False, from_outside=True) / _arriving_power(
        light, index, source
    )


def truncated(light: Light) -> float:
    """Power of light that became too weak to be traced."""
    return light.result.ledger.truncated


def resampled(light: Light) -> float:
    """Power added where one weak reflection is traced in place of several."""
    return light.result.ledger.resampled


def gained(light: Light) -> float:
    """Net power added by gratings and custom surfaces that emit more or less than they receive."""
    return light.without_noise(light.result.ledger.gained, Unit.POWER)


def alive(light: Light) -> float:
    """Power of light that was not traced to its end because the trace was stopped or reached a
    limit.
    """
    return light.result.ledger.alive


def _arriving_power(light: Light, index: int, source: int | None) -> float:
    arriving = power(light, index, source) + _passing_power(light, index, source)
    if not arriving > 0:
        raise Undefined(f"No light{light.whose(source)} arrives at {light.title(index)}.")
    return arriving


def _passing_power(light: Light, index: int, source: int | None) -> float:
    """Power of the light that an object does not act on; see `Light.passing`."""
    return float(light.result.total_power[light.passing(index, source)].sum())


def _ended_power(light: Light, status: Status, index: int | None, source: int | None) -> float:
    return float(
        light.result.total_arriving_power[_ending_segments(light, status, index, source)].sum()
    )


def _ending_segments(light: Light, status: Status, index: int | None, source: int | None) -> Rows:
    """The segments that end at an object, or anywhere, with a status."""
    return np.flatnonzero(light.met(index, source) & (light.result.status == status))


def _emitted_rays(light: Light, source: int | None = None) -> Rows:
    return light.of_source(light.result.lineage.roots(), source)


def _escaping_segments(light: Light, source: int | None = None) -> Rows:
    return _ending_segments(light, Status.ESCAPED, None, source)


def _absorbed_rays(light: Light, index: int | None = None, source: int | None = None) -> Rows:
    """The segments that end at an object or anywhere, and those that lose power on their way
    through bodies.
    """
    members = range(len(light.scene.optical)) if index is None else light.members(index)
    inside = [light.of_source(_lost_inside(light, member)[0], source) for member in members]
    return np.concatenate([_ending_segments(light, Status.ABSORBED, index, source), *inside])


def _reflected_rays(light: Light, index: int, source: int | None = None) -> Rows:
    return np.concatenate(
        [np.empty(0, np.int64), *light.leaving_rows(index, source, transmitted=False)]
    )


def _transmitted_rays(light: Light, index: int, source: int | None = None) -> Rows:
    return np.concatenate(
        [light.passing(index, source), *light.leaving_rows(index, source, transmitted=True)]
    )


def _resampled_rays(light: Light) -> Rows:
    return np.flatnonzero((light.result.flags & Flag.RESAMPLED) != 0)


def _truncated_rays(light: Light) -> Rows:
    """The segments after which nothing was strong enough to follow; that of which only a part is
    too weak, goes on.
    """
    return _ending_segments(light, Status.TRUNCATED, None, None)


def _changed_rays(light: Light) -> Rows:
    return np.flatnonzero(
        np.isin(light.result.interaction, (Interaction.DIFFRACT, Interaction.CUSTOM))
    )


def _alive_rays(light: Light) -> Rows:
    return np.flatnonzero(light.result.status == Status.ALIVE)


MEASURES = (
    Measure(
        emitted,
        Unit.POWER,
        (SOURCE,),
        quantity="emitted power [of {source}]",
        rays=_emitted_rays,
        questions=("How much power is emitted?",),
    ),
    Measure(
        escaped,
        Unit.POWER,
        (SOURCE,),
        quantity="power [from {source}] that escapes",
        rays=_escaping_segments,
        questions=("How much power escapes?",),
    ),
    Measure(
        escaping_share,
        Unit.ONE,
        (SOURCE,),
        share=True,
        quantity="share of the emitted power [of {source}] that escapes",
        rays=_escaping_segments,
        questions=("What share of the light escapes?",),
    ),
    Measure(
        absorbed,
        Unit.POWER,
        (OBJECT, SOURCE),
        quantity="power that is absorbed [by {object} [of the light from {source}]]",
        rays=_absorbed_rays,
        questions=("How much power is absorbed [by {object}]?",),
    ),
    Measure(
        reflected,
        Unit.POWER,
        (THROUGH, SOURCE),
        quantity="power [from {source}] that {object} reflects",
        rays=_reflected_rays,
        questions=("How much power does {object} reflect?",),
    ),
    Measure(
        transmitted,
        Unit.POWER,
        (THROUGH, SOURCE),
        quantity="power [from {source}] that goes through {object}",
        rays=_transmitted_rays,
        questions=("How much power goes through {object}?",),
    ),
    Measure(
        transmittance,
        Unit.ONE,
        (THROUGH, SOURCE),
        share=True,
        quantity="transmittance of {object} [for the light from {source}]",
        rays=_transmitted_rays,
        questions=(
            "What is the transmittance of {object}?",
            "What share of the light does {object} transmit?",
        ),
    ),
    Measure(
        reflectance,
        Unit.ONE,
        (THROUGH, SOURCE),
        share=True,
        quantity="reflectance of {object} [for the light from {source}]",
        rays=_reflected_rays,
        questions=(
            "What is the reflectance of {object}?",
            "What share of the light does {object} reflect?",
        ),
    ),
    Measure(
        truncated,
        Unit.POWER,
        (),
        quantity="power of the rays that were too weak to follow",
        rays=_truncated_rays,
        questions=(
            "How much power is too weak to follow?",
            "How much power is truncated?",
        ),
    ),
    Measure(
        resampled,
        Unit.POWER,
        (),
        quantity="power added where one weak reflection is traced in place of several",
        rays=_resampled_rays,
        questions=("How much power is resampled?",),
    ),
    Measure(
        gained,
        Unit.POWER,
        (),
        quantity="net power added by gratings and custom surfaces",
        rays=_changed_rays,
        questions=("How much power is gained?",),
    ),
    Measure(
        alive,
        Unit.POWER,
        (),
        quantity="power of the rays that were not traced to their end",
        rays=_alive_rays,
        questions=("How much power was not traced to its end?",),
    ),
)


OWN_SOURCE = Parameter("source", Role.SOURCE, noun="source")
NEAR = 1e-6
"""Distance from a point source within which light passes it, relative to the size of the area in
which rays start.
"""


def returned(light: Light, source: int) -> float:
    """Power of a source's own light that comes back to it: through the line of a beam, or through
    the point where other light starts; light that comes back twice counts twice.
    """
    return float(light.result.total_power[_returning_segments(light, source)].sum())


def returned_share(light: Light, source: int) -> float:
    """Power of a source's own light that comes back to it as a fraction of what it emits."""
    return light.share(returned(light, source), source)


def _returning_segments(light: Light, source: int) -> Rows:
    """The segments that pass the place where their source emits."""
    obj, result = light.scene.optical[source], light.result
    if isinstance(obj, Beam):
        rows, _ = crossed_without_meeting(result, obj, [Edge(0, Line(obj.p1, obj.p2))], False)
    else:
        p1, p2, row_of_piece = result.straight_pieces
        at = np.array(centre_of(obj))
        size = float(np.ptp(p1, axis=0).max()) if len(p1) else 0.0
        rows = distinct_integers(
            row_of_piece[distance_to_each(at, p1, p2) <= NEAR * max(1e-300, size)]
        )
    return light.of_source(rows[result.parent[rows] >= 0], source)


RETURNING = (
    Measure(
        returned,
        Unit.POWER,
        (OWN_SOURCE,),
        quantity="power that comes back to {source}",
        rays=_returning_segments,
        questions=("How much power comes back to {source}?",),
    ),
    Measure(
        returned_share,
        Unit.ONE,
        (OWN_SOURCE,),
        share=True,
        quantity="share of its power that comes back to {source}",
        rays=_returning_segments,
        questions=("What share of the power comes back to {source}?",),
    ),
)
