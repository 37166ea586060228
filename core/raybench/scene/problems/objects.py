"""Checks of a single object. They depend on this object only, so their findings are cached until
the object changes.
"""

import math
import re
from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from raybench.errors import in_quotes
from raybench.kinds.aspects.outlines import is_closed, is_free_of_self_intersections
from raybench.kinds.detectors import OLD_READINGS, Detector
from raybench.kinds.fields import Field, described_fields
from raybench.kinds.glasses import GlassBody
from raybench.kinds.lenses import SphericalLens
from raybench.kinds.object import SceneObject, has_usable_numbers
from raybench.kinds.outline import object_edges, object_fault, object_remarks
from raybench.kinds.sources import Source
from raybench.kinds.unread import UnreadObject
from raybench.phrase import Phrase
from raybench.scene.changes import Delete, LabelEdge, Replace, Set
from raybench.scene.codec import object_to_json
from raybench.scene.labels import duplicate_labels
from raybench.scene.problems.problem import Finding, Remedy

Floats = NDArray[np.float64]
MOST_POINTS = 800
"""Points of an outline whose sides are compared in pairs; longer ones are left to shapely."""
MENDED_RIM = 0.02
"""Thickness of the rim of a mended lens, relative to its aperture."""
MENDED_RADIUS = 1.02
"""Radius of a mended lens, relative to the smallest that reaches from rim to rim."""


def find_unreadable_object(obj: SceneObject) -> Iterator[Finding]:
    if isinstance(obj, UnreadObject):
        yield (
            Phrase(
                "{object} is kept but has no effect: {reason}",
                object=obj.reference,
                reason=obj.reason,
            ),
            Remedy(Phrase("Delete it"), (Delete(obj.key),)),
        )


def find_object_without_effect(obj: SceneObject) -> Iterator[Finding]:
    if isinstance(obj, UnreadObject):
        return
    if fault := object_fault(obj):
        yield (
            Phrase("{object} {fault}", object=obj.reference, fault=fault),
            _lens_remedy(obj)
            or _replace_number_remedy(obj, fault)
            or Remedy(Phrase("Delete it"), (Delete(obj.key),)),
        )


def find_unphysical_values(obj: SceneObject) -> Iterator[Finding]:
    if not isinstance(obj, UnreadObject) and not object_fault(obj):
        for text in object_remarks(obj):
            problem = Phrase("{object} {fault}", object=obj.reference, fault=text)
            yield problem, _replace_number_remedy(obj, text)


def find_unknown_properties(obj: SceneObject) -> Iterator[Finding]:
    if isinstance(obj, UnreadObject):
        return
    known = {f.json_name for f in described_fields(type(obj))} | {"type", "notDone"}
    if isinstance(obj, Detector):
        known |= OLD_READINGS
    for k in obj.read:
        if k not in known:
            data = {name: value for name, value in object_to_json(obj).items() if name != k}
            remedy = Remedy(
                Phrase("Remove {name}", name=in_quotes(k, 40)), (Replace(obj.key, data),)
            )
            yield (
                Phrase(
                    "{object}: unknown property {name} is kept but has no effect.",
                    object=obj.reference,
                    name=in_quotes(k),
                ),
                remedy,
            )


def find_values_out_of_range(obj: SceneObject) -> Iterator[Finding]:
    """Find numbers outside the limits that forms and changes allow. A file may contain such
    numbers.
    """
    if isinstance(obj, UnreadObject) or object_fault(obj):
        return
    for f in _numeric_fields(obj):
        value, limit = getattr(obj, f.name), _nearest_limit(obj, f)
        if limit is not None and f.json_name not in " ".join(object_remarks(obj)):
            bound = (
                Phrase("at least {limit:g}", limit=limit)
                if value < limit
                else Phrase("at most {limit:g}", limit=limit)
            )
            yield (
                Phrase(
                    "{object}: {field} is {value:g}, out of its range. Give {bound}.",
                    object=obj.reference,
                    field=f.json_name,
                    value=value,
                    bound=bound,
                ),
                _set_value_remedy(obj, f, limit),
            )


def _numeric_fields(obj: SceneObject) -> Iterator[Field]:
    return (
        f
        for f in described_fields(type(obj))
        if f.about.kind == "number" and getattr(obj, f.name) is not None
    )


def _nearest_limit(obj: SceneObject, f: Field) -> float | None:
    """The limit that is nearest to an out-of-range number of a field; None if the number is in
    range.
    """
    value, low, high = getattr(obj, f.name), f.about.low, f.about.high
    return (
        low
        if low is not None and value < low
        else high
        if high is not None and value > high
        else None
    )


def _set_value_remedy(obj: SceneObject, f: Field, value: float) -> Remedy:
    return Remedy(Phrase("Set {value:g}", value=value), (Set(obj.key, {f.json_name: value}),))


def _replace_number_remedy(obj: SceneObject, problem: str) -> Remedy | None:
    """The remedy that replaces the number named in ``problem`` by a valid value: the nearest value
    in range, the negated value, or the default. None if none of them removes the problem.
    """
    for f in _numeric_fields(obj):
        named = re.compile(rf"\b{f.json_name}\b")
        for value in (
            (_nearest_limit(obj, f), -getattr(obj, f.name), f.default)
            if named.search(problem)
            else ()
        ):
            if value is not None and has_usable_numbers(value):
                mended = obj.with_fields({f.name: value})
                still = any(
                    named.search(text) for text in (object_fault(mended), *object_remarks(mended))
                )
                if (
                    not still
                    and _nearest_limit(mended, f) is None
                    and not any(find_source_without_power(mended))
                ):
                    return _set_value_remedy(obj, f, value)
    return None


def find_duplicate_labels(obj: SceneObject, labels: Mapping[int, str]) -> Iterator[Finding]:
    """Find labels that two edges of an object share, which a file may contain. Such a label cannot
    be used to refer to an edge.
    """
    for label in duplicate_labels(labels):
        last = max(index for index, text in labels.items() if text == label)
        remedy = Remedy(Phrase("Remove one"), (LabelEdge(obj.key, str(last), ""),))
        yield (
            (
                Phrase(
                    "{object} has two edges labelled {name}, so that the label refers to neither. Change"
                    " one.",
                    object=obj.reference,
                    name=in_quotes(label),
                )
            ),
            remedy,
        )


def find_source_without_power(obj: SceneObject) -> Iterator[Finding]:
    if isinstance(obj, Source) and getattr(obj, "brightness", 1.0) == 0:
        yield (
            Phrase("{object} emits nothing: its power is 0. Give it power.", object=obj.reference),
            Remedy(Phrase("Set 1"), (Set(obj.key, {"brightness": 1}),)),
        )


def find_self_crossing_outline(obj: SceneObject) -> Iterator[Finding]:
    """Find a glass body whose sides cross each other. Beyond the crossing, inside and outside are
    exchanged.
    """
    if not isinstance(obj, GlassBody) or object_fault(obj):
        return
    edges = object_edges(obj)
    if len(edges) < 2 or not is_closed(edges):
        return
    points = np.array([p for e in edges for p in e.shape.points()[:-1]])
    crosses = (
        not is_free_of_self_intersections(edges)
        if len(points) > MOST_POINTS
        else polygon_sides_cross(points)
    )
    if not crosses:
        return
    if isinstance(obj, SphericalLens):
        yield (
            (
                Phrase(
                    "{object} is too thin for its aperture: its surfaces cross at the rim. Make it"
                    " thicker.",
                    object=obj.reference,
                )
            ),
            _lens_remedy(obj),
        )
    else:
        yield (
            (
                Phrase(
                    "{object} crosses itself: where its sides cross, inside and outside change places."
                    " Move its points.",
                    object=obj.reference,
                )
            ),
            None,
        )


def polygon_sides_cross(points: Floats) -> bool:
    """Whether two sides of a closed polygon cross at points inside both sides. Sides that only
    touch do not cross.
    """
    ab = np.roll(points, -1, axis=0) - points
    size = float(np.abs(points - points[0]).max()) or 1.0
    # on which side of each side (row) each point (column) lies; 0 within rounding
    (dx, dy), (x, y) = ab.T, points.T
    beside = dx[:, None] * (y - y[:, None]) - dy[:, None] * (x - x[:, None])
    beside = np.where(np.abs(beside) < 1e-9 * size * size, 0.0, np.sign(beside))
    straddled = beside * np.roll(beside, -1, axis=1) < 0
    return bool((straddled & straddled.T).any())


def _lens_remedy(obj: SceneObject) -> Remedy | None:
    """The remedy that changes the radii of a lens so that its surfaces reach the rim, and its
    thickness so that they do not cross. None if the lens is not given by radii, or is correct.
    """
    numbers = _lens_aperture_thickness_radii(obj) if isinstance(obj, SphericalLens) else None
    if numbers is None or numbers[0] == 0:
        return None
    aperture, *given = numbers
    least, reach = aperture / 2, _round_up_to_digits(MENDED_RADIUS * aperture / 2)
    r1, r2 = (math.copysign(reach, r) if abs(r) < least else r for r in given[1:])
    needed = (
        max(_arc_sagitta(r1, aperture) - _arc_sagitta(r2, aperture), 0.0) + MENDED_RIM * aperture
    )
    thickness = max(given[0], _round_up_to_digits(needed))
    values = {
        f"params.{name}": value
        for name, value, old in zip(("d", "r1", "r2"), (thickness, r1, r2), given, strict=True)
        if value != old
    }
    if not values or not math.isfinite(thickness):
        return None
    same = [r1, r2] == given[1:]
    text = (
        Phrase("Make it {thickness:g} thick", thickness=thickness)
        if same
        else Phrase("Make the radii {reach:g}", reach=reach)
    )
    return Remedy(text, (Set(obj.key, values),))


def _lens_aperture_thickness_radii(lens: SphericalLens) -> tuple[float, float, float, float] | None:
    """The aperture, thickness and radii of a lens; None if it is not defined by these numbers."""
    if lens.path is not None or lens.def_by != "DR1R2" or lens.p1 is None or lens.p2 is None:
        return None
    try:
        d, r1, r2 = (
            math.inf if lens.params[n] is None else float(lens.params[n])  # type: ignore[index]
            for n in ("d", "r1", "r2")
        )
    except (KeyError, TypeError, ValueError, OverflowError):
        return None
    return math.dist(lens.p1, lens.p2), d, r1, r2


def _arc_sagitta(radius: float, aperture: float) -> float:
    """The depth of an arc across the aperture; the radius if the arc does not reach across."""
    size, half = abs(radius), aperture / 2
    if size <= half:
        return radius
    return math.copysign(
        half * half / (size + math.sqrt((size - half) * (size + half))), radius
    )  # exact also for large radii


def _round_up_to_digits(value: float) -> float:
    """The value rounded up to three significant digits."""
    if value == 0 or not math.isfinite(value):
        return value
    step = 10.0 ** (math.floor(math.log10(abs(value))) - 2)
    return float(f"{math.ceil(value / step - 1e-9) * step:.10g}")
