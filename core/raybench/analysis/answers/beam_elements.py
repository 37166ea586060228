"""Answer elements that describe bundles of rays at an object."""

from collections.abc import Sequence
from itertools import groupby
from typing import Literal

import numpy as np

from raybench.analysis.answers.path_notes import bundle_share_note
from raybench.analysis.answers.record import Degrees, Integer, Positive, Record, ratio
from raybench.analysis.geometry.straight import Rows
from raybench.analysis.measures.bound import (
    COMPARABLE,
    Bound,
    BoundMeasure,
    beam_value,
)
from raybench.analysis.measures.light import Light
from raybench.analysis.measures.measure import convert_where_possible
from raybench.analysis.measures.selections import ObjectBeam
from raybench.analysis.rays.leaving_light import ArrivingBundle, LeavingBundle
from raybench.analysis.scene.objects import list_names
from raybench.errors import list_choices, name_in_sentence
from raybench.trace.codes import Interaction
from raybench.trace.results.branches import transmitted_mask

MOST_NAMED_SOURCES = 3
"""Maximum number of sources named for one bundle."""
MOST_LISTED_INTERACTIONS = 6
"""Maximum number of different interactions listed in sequence."""


class Beam(Record, tag="beam"):
    source: str | None
    wavelength: float | None
    order: Integer | None
    after: str | None
    direction: Degrees | None
    deviation: Degrees | None
    width: float | None
    divergence: Degrees | None
    vergence: float | None
    form: Literal["converging", "diverging", "parallel"] | None
    x: float | None
    y: float | None
    rays: Positive
    power: float
    share: float | None


def beam_record(light: Light, index: int, bundle: LeavingBundle | ArrivingBundle) -> Beam:
    """The record of a bundle that arrives at or leaves the object ``index``: origin, direction,
    width, vergence, position and power. All values equal those of the measures with the same names.
    """
    leaving = bundle if isinstance(bundle, LeavingBundle) else None
    beam = ObjectBeam(light, index, bundle)
    converging = beam_value(beam, "vergence") if leaving else None
    several = len(bundle.rows) > 1
    divergence = beam_value(beam, "divergence") if several else None
    return Beam(
        source=source_names(light, bundle.rows),
        wavelength=common_wavelength(light, bundle.rows),
        order=light.grating_order(int(bundle.rows[0])),
        after=interactions_text(light, leaving) if leaving else None,
        direction=beam_value(beam, "direction"),
        deviation=beam_value(beam, "deviation") if leaving else None,
        width=beam_value(beam, "beam_width") if several else None,
        divergence=divergence,
        vergence=converging,
        form=(
            None
            if converging is None
            else "converging"
            if converging > 0
            else "diverging"
            if converging < 0
            else "parallel"
            if not divergence  # rays in several directions may meet nowhere
            else None
        ),
        x=beam_value(beam, "beam_x"),
        y=beam_value(beam, "beam_y"),
        rays=len(bundle.rows),
        power=bundle.power,
        share=ratio(bundle.power, light.emitted()),
    ).link_to_rays(bundle.rows)


def bundle_note(light: Light, measure: Bound, unit: str = "") -> str:
    """A note for a measure of one bundle: which part of the light the bundle is, and the values of
    other bundles if they differ. Empty if the measure uses all light.

    Values are given in ``unit``; an empty ``unit`` selects the unit of the measure.
    """
    if not isinstance(measure, BoundMeasure):
        parts = [(part, bundle_note(light, part, unit)) for part in measure.parts]
        return "; ".join(
            f"{part.expression} {note}" if isinstance(part, BoundMeasure) else note
            for part, note in parts
            if note
        )
    if measure.measure.takes is None:
        return _two_sources_note(light, measure) or _beam_crossing_note(light, measure)
    share, found = bundle_share_note(light, measure), measure.bundles_with_other_values(light)
    if found is None:
        return share
    taken, others = found
    titles = _bundle_titles(light, [taken, *(bundle for bundle, _ in others[:MOST_NAMED_SOURCES])])
    values = [
        convert_where_possible(m, measure.unit, unit, light.length_unit).number for _, m in others
    ]
    others_text = "; ".join(
        f"of {title} it is {value}" for title, value in zip(titles[1:], values, strict=False)
    )
    first = f"of {titles[0]}{share.replace('of', ', with', 1)}; {others_text}"
    return first + (
        f"; {len(others) - MOST_NAMED_SOURCES} more differ"
        if len(others) > MOST_NAMED_SOURCES
        else ""
    )


def _two_sources_note(light: Light, measure: BoundMeasure) -> str:
    """A note for an angle between the beams of two sources. Empty unless one source sends several
    beams out of the object.
    """
    if measure.measure.name != "angular_separation":
        return ""
    index, *sources, order = measure.argument_indices(light)
    assert isinstance(index, int)
    bundles = [
        [
            b
            for b in light.bundles(index, source)
            if order in (None, light.grating_order(int(b.rows[0])))
        ]
        for source in sources
        if isinstance(source, int)
    ]
    if any(not b for b in bundles) or all(len(b) == 1 for b in bundles):
        return ""
    ways = dict.fromkeys(
        interactions_text(light, max(b, key=lambda one: one.power)) for b in bundles
    )
    return f"of light that leaves by {' and by '.join(ways)}; beams_xml lists all"


def _beam_crossing_note(light: Light, measure: BoundMeasure) -> str:
    """A note for the point where two beams cross. Empty unless several beams leave one of the
    objects.
    """
    if not measure.measure.name.startswith("crossing_"):
        return ""
    titles = []
    for index in measure.argument_indices(light):
        assert isinstance(index, int)
        bundles = light.bundles(index)
        if sum(b.power >= COMPARABLE * bundles[0].power for b in bundles) > 1:
            titles.append(light.measurable_objects[index].title)
    return (
        f"of the strongest of several beams that leave {list_choices(titles, 'and')}; beams_xml"
        " lists all"
        if titles
        else ""
    )


def _bundle_titles(light: Light, bundles: Sequence[LeavingBundle | ArrivingBundle]) -> list[str]:
    """A distinct title for each bundle: the names of its sources and, where several bundles share
    these, wavelength, order, interactions, origin, power or direction.
    """
    facts = [
        (
            source_names(light, b.rows) or "unknown light",
            "" if (nm := common_wavelength(light, b.rows)) is None else f"{nm:g} nm",
            "" if (order := light.grating_order(int(b.rows[0]))) is None else f"order {order}",
            interactions_text(light, b) if isinstance(b, LeavingBundle) else "",
            _previous_object_name(light, b),
            f"power {b.power:.4g}",
            (
                ""
                if (angle := beam_value(ObjectBeam(light, 0, b), "direction")) is None
                else f"towards {angle:.4g}°"
            ),
        )
        for b in bundles
    ]
    kept: list[int] = []
    for k in range(len(facts[0])):
        if (
            len({tuple(f[i] for i in kept) for f in facts}) < len(facts)
            and len({f[k] for f in facts}) > 1
        ):
            kept.append(k)
    return [", ".join(f[i] for i in kept if f[i]) or f"bundle {i}" for i, f in enumerate(facts, 1)]


def _previous_object_name(light: Light, bundle: LeavingBundle | ArrivingBundle) -> str:
    """The name of the object that a bundle met last before this one; the name of its source if
    there was none.
    """
    row = int((bundle.arriving if isinstance(bundle, LeavingBundle) else bundle.rows)[0])
    parent = int(light.result.parent[row])
    index = int(light.result.hit[parent] if parent >= 0 else light.result.source[row])
    return f"light from {name_in_sentence(light.scene.optical[index].title)}" if index >= 0 else ""


def source_names(light: Light, rows: Rows) -> str | None:
    """The names of the sources of the segments ``rows``; None if they are unknown."""
    indices = np.unique(light.result.source[rows]).tolist()
    return (
        list_names([light.scene.optical[i].title for i in indices if i >= 0], MOST_NAMED_SOURCES)
        if max(indices) >= 0
        else None
    )


def common_wavelength(light: Light, rows: Rows) -> float | None:
    """The wavelength in nm of the segments ``rows``; None if they have several wavelengths or
    none.
    """
    colours = light.result.wavelength[rows]
    return float(colours[0]) if (colours == colours[0]).all() else None


def interactions_text(light: Light, bundle: LeavingBundle) -> str:
    """The interactions of a bundle with the object, in order, as text such as ``refract, 2 tir,
    refract`` or ``split reflected``.
    """
    result, path = light.result, light.result.lineage.path(int(bundle.rows[0]))
    arrived = int(bundle.arriving[0])
    inside = np.array(path[path.index(arrived) + 1 :] or [path[-1]])
    words = [Interaction(i).word for i in result.interaction[inside].tolist()]
    for k in np.flatnonzero(result.interaction[inside] == Interaction.SPLIT).tolist():
        words[k] += (
            " transmitted" if transmitted_mask(result, inside[k : k + 1])[0] else " reflected"
        )
    runs = [(word, len(list(group))) for word, group in groupby(words)]
    words = [f"{count} {word}" if count > 1 else word for word, count in runs]
    return ", ".join(
        words
        if len(words) <= MOST_LISTED_INTERACTIONS
        else [*words[: MOST_LISTED_INTERACTIONS - 1], "...", words[-1]]
    )
