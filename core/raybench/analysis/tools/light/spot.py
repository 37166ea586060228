"""The tool that measures spots."""

from collections.abc import Sequence

import numpy as np

from raybench.analysis.answers.answer import Answer
from raybench.analysis.answers.beam_elements import bundle_note
from raybench.analysis.answers.measured_sentence import rays_note
from raybench.analysis.answers.page import LazySequence
from raybench.analysis.answers.record import MeasureNames, Record, Root
from raybench.analysis.answers.words import value_in_words
from raybench.analysis.context import require_context
from raybench.analysis.geometry.straight import distinct_integers
from raybench.analysis.measures.bound import (
    bind_measure,
    can_be_argument,
    measured_value,
    values_by_measure,
)
from raybench.analysis.measures.light import Light
from raybench.analysis.measures.measure import Role
from raybench.analysis.scene.objects import System, source_named
from raybench.analysis.tools.tool import AnalysisTool
from raybench.kinds.blockers import Blocker
from raybench.kinds.detectors import Detector
from raybench.kinds.object import SceneObject

ON_A_LINE = (
    "power",
    "share",
    "rays",
    "centroid",
    "centroid_x",
    "centroid_y",
    "rms",
    "width",
    "defocus",
    "least_rms",
    "least_x",
    "least_y",
)
"""The measures of the light on a detector or a straight blocker."""
OF_A_BUNDLE = (
    "beam_power",
    "beam_rays",
    "beam_x",
    "beam_y",
    "beam_width",
    "focus",
    "focus_x",
    "focus_y",
    "spot_rms",
    "spot_width",
)
"""The measures of the strongest bundle that leaves any other object."""
WHERE_IT_ARRIVES = ("rms", "width")
"""The measures of the light on an object that is one straight line, besides those of the bundle
that leaves it.
"""


class Spot(Record, tag="spot"):
    """The measures of a spot: of the light on a straight object, or of the strongest bundle that
    leaves another object.
    """

    source: str | None
    measures: MeasureNames = (*OF_A_BUNDLE, *ON_A_LINE)
    reason: str | None
    note: str | None


class Spots(Root, tag="spots"):
    spot: Sequence[Spot]
    object: str
    of: str
    count: int


def spot(object_name: str, source_name: str = "") -> Answer:
    """Measure the spot of light on a detector or blocker, or of the beam after any other object,
    and where it would be smallest.

    On a detector or straight blocker: centroid, rms and full width along it from its first end;
    centroid_x and centroid_y are the point of the centroid;
    defocus is the distance along the beam to where the RMS width would be least (negative before
    the object), at the point least_x, least_y, with least_rms. Of another object: the strongest
    bundle that leaves it, its width there, and its best focus (least RMS width) at the distance
    focus from the last surface, and rms and width on a flat mirror or an ideal lens. RMS is
    weighted by power; it is the σ of which ISO 11146 takes four for a width. share is a part of the
    emitted power.

    Args:
        object_name: Name of a detector, blocker, lens or any other object that light meets, or of a
            group of objects, taken as one.
        source_name: Name of a source to consider alone; empty for all.

    Returns:
        Root spots: the spot of all light, then that of each source, as the measures of the same
        names; reason: why a value is missing; note that a spot is of one ray, or of a path that
        does not carry all of the light, with what else arrives.

    Raises:
        RuntimeError: If set_context() has not been called.
        ValueError: If a name doesn't match; the message lists the existing names.
    """
    context = require_context()
    light = Light.from_context(context)
    index, obj = light.find_optical_object(object_name)
    straight = isinstance(obj, Detector | Blocker) and obj.p1 != obj.p2
    rows = light.arriving_rows(index)
    if not straight:
        rows = distinct_integers(*(b.rows for b in light.bundles(index)))
    present = [i for i in np.unique(light.result.source[rows]).tolist() if i >= 0]
    if source_name:
        present = [source_named(context.scene, source_name)[0]]
        rows = light.rows_of_source(rows, present[0])
    chosen: list[SceneObject | None] = [context.scene.optical[i] for i in present]
    if len(present) != 1:
        chosen.insert(0, None)  # the light of all sources
    names: tuple[str, ...] = ON_A_LINE if straight else OF_A_BUNDLE
    if not straight and can_be_argument(obj, Role.LINE):
        names += WHERE_IT_ARRIVES
    spots = LazySequence.map_each(lambda source: _spot_record(light, names, obj, source), chosen)
    root = Spots(
        spot=spots,
        object=obj.title,
        of="light that arrives" if straight else "strongest bundle that leaves",
        count=len(spots),
    )
    note = (
        spots[0].note or ""
        if straight
        else bundle_note(light, bind_measure("focus", obj, chosen[0]))
    )
    words = _spot_sentence(obj.title, spots[0], straight, context.unit)
    if source_name:
        words = f"Of the light from {value_in_words(source_name)}: {words}"
    return Answer(root, f"{words} ({note})" if note else words, context.result.ray_set(rows))


def _spot_record(
    light: Light, names: tuple[str, ...], obj: SceneObject | System, source: SceneObject | None
) -> Spot:
    values = values_by_measure(light, names, obj, source)
    missing = [name for name, value in values.items() if value is None]
    reasons = dict.fromkeys(measured_value(light, name, obj, source).reason for name in missing)
    note = (
        rays_note(light, *(bind_measure(name, obj, source) for name in ("rms", "width")))
        if names is ON_A_LINE
        else ""
    )
    return Spot(
        source=source.title if source is not None else None,
        **values,
        reason=" ".join(reasons) or None,
        note=note or None,
    )


def _spot_sentence(name: str, spot: Spot, straight: bool, unit: str) -> str:
    facts, name = spot.attributes, value_in_words(name)

    def size_text(rms: str, width: str) -> str:
        return f"RMS {value_in_words(facts[rms])} {unit}, full width {value_in_words(facts[width])} {unit}"

    def place_text(distance: float, what: str) -> str:
        return (
            f"{value_in_words(abs(distance))} {unit} {'before' if distance < 0 else 'after'} {what}"
        )

    here = "" if facts.get("rms") is None else f"{size_text('rms', 'width')} on {name}"
    if not straight:
        on, the, no = (f"{here}; ", "the", "no") if here else ("", "The", "No")
        if facts["focus"] is None:
            return f"{on}{no} smallest spot after {name}: {facts['reason']}".rstrip(".")
        where = place_text(facts["focus"], name)
        return f"{on}{the} smallest spot is {where}: {size_text('spot_rms', 'spot_width')}"
    if not here:
        return str(facts["reason"]).rstrip(".")
    if facts["defocus"] is None:
        return f"{here}; nowhere smaller: {facts['reason']}".rstrip(".")
    where = place_text(facts["defocus"], "it") if facts["defocus"] else "there"
    return f"{here}; smallest {where}: RMS {value_in_words(facts['least_rms'])} {unit}"


TOOL = AnalysisTool(
    function=spot,
    asks="spot of the light at {object_name}",
    questions=(
        "How large is the spot on {object_name}?",
        "Show the spot diagram at {object_name} [plot draw].",
        "How large is the spot of {object_name:lens}?",
    ),
    fits=True,
    offered="usually",
    brief=(
        "Measure the spot on a detector or blocker, or after any other object: centroid, rms, "
        "width, and where it would be smallest."
    ),
)
