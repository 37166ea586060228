"""Tools that describe the scene, the edges of glasses and mirrors, and which body is inside
which.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from raybench.analysis.answers.answer import Answer, ElementList
from raybench.analysis.answers.page import DEFAULT_LIMIT, LazySequence
from raybench.analysis.answers.record import ABSENT, Degrees, Record, Root, Share
from raybench.analysis.answers.words import count_with_noun, value_in_words
from raybench.analysis.context import TracedScene, require_context
from raybench.analysis.geometry.edge_curve import ShapeKind
from raybench.analysis.scene.edges import EdgeFacts, area, edge_table, perimeter
from raybench.analysis.scene.interfaces import (
    EdgeInterval,
    Interface,
    edge_parts_by_media,
    glass_interfaces,
)
from raybench.analysis.scene.objects import (
    System,
    list_names,
    object_as_traced,
    object_or_system_named,
)
from raybench.analysis.scene.surroundings import BodyNesting, body_nesting
from raybench.analysis.tools.tool import AnalysisTool, Wavelength
from raybench.errors import RaybenchError, in_quotes, list_first_texts, short_repr, with_article
from raybench.kinds.aspects.outlines import edges_bounding_box
from raybench.kinds.fields import described_fields, label_in_sentence
from raybench.kinds.glasses import GlassBody
from raybench.kinds.module_instance import ModuleObj
from raybench.kinds.object import SceneObject
from raybench.kinds.outline import object_edges, object_fault
from raybench.kinds.unread import UnreadObject
from raybench.optics.colour import GREEN
from raybench.optics.interface import is_number
from raybench.scene.document import Document
from raybench.scene.labels import labelled_edges
from raybench.scene.materials import current_material
from raybench.scene.names import UnknownName, glass_named
from raybench.scene.treatments import EdgeTreatment

ROUNDING = 1e-12
"""Rounding error of a coordinate of a box, relative to the largest."""
AXES = "x right, y down; angles counter-clockwise on screen"
MOST_NAMED_OBJECTS = 8
"""Maximum number of objects named in a sentence."""
MOST_LABELS = 40
"""Maximum number of labels of edges in an attribute."""
_DESCRIBED_KINDS = frozenset({"number", "flag", "choice", "text", "point", "coordinate"})
_SETTINGS = ("mode", "color_mode", "simulate_colors", "length_scale", "max_ray_depth")


class Property(Record, tag="property"):
    name: str
    value: Any
    unit: str | None
    label: str


class ObjectDescription(Record):
    """A described object. Bodies and mirrors have index, size, edge labels and bounding box. A body
    inside other bodies also has their names and its effective index, the product of all their
    indices.
    """

    name: str
    type: str
    disabled: bool | None
    no_effect: str | None
    n: float = ABSENT
    material: str = ABSENT
    inside: str | None = ABSENT
    overlaps: str | None = ABSENT
    effective_n: float | None = ABSENT
    area: float = ABSENT
    perimeter: float = ABSENT
    edges: str = ABSENT
    sides: str | None = ABSENT
    left: float = ABSENT
    top: float = ABSENT
    right: float = ABSENT
    bottom: float = ABSENT


class ListedObject(ObjectDescription, tag="object"):
    property: Sequence[Property]
    part_of_object: str | None


class ScenePart(Record, tag="part"):
    """Several objects that are made from one description, such as a lens system, and this
    description in words.
    """

    name: str
    preset: str
    data: str
    objects: int


class SettingsRecord(Record):
    ray_density: float
    mode: str
    color_mode: str
    simulate_colors: bool
    length_scale: float
    max_ray_depth: float


class TraceExtent(Record):
    segments: int
    completion: str


class TouchingBodies(Record, tag="interface"):
    first: str
    first_edge: str
    second: str
    second_edge: str
    length: float
    share_of_first_edge: Share
    x1: float
    y1: float
    x2: float
    y2: float
    normal_x: float
    normal_y: float
    n_first: float
    n_second: float


class SceneDescription(Root, tag="scene"):
    settings: SettingsRecord
    trace: TraceExtent
    part: Sequence[ScenePart]
    object: Sequence[ListedObject]
    interface: Sequence[TouchingBodies]
    edges_not_examined: int | None
    name: str | None
    objects: int
    wavelength: float
    axes: str


class SurfaceContact(Record, tag="touches"):
    object: str
    edge: str


class EdgePart(Record, tag="part"):
    """A part of an edge with the same media on each side."""

    touches: Sequence[SurfaceContact]
    touches_left: int | None
    length: float
    share: Share
    x1: float
    y1: float
    x2: float
    y2: float
    n_inside: float
    n_outside: float
    outside: str


class EdgeDescription(Record, tag="edge"):
    part: Sequence[EdgePart]
    parts_left: int | None
    index: int
    label: str
    long_label: str
    user_label: str | None
    coating: str = ABSENT
    finish: str = ABSENT
    sides: str | None
    kind: ShapeKind
    endless: bool | None
    length: float
    x1: float
    y1: float
    x2: float
    y2: float
    mid_x: float
    mid_y: float
    normal_x: float
    normal_y: float
    normal_angle: Degrees
    radius: float | None
    centre_x: float | None
    centre_y: float | None
    bulge: Literal["convex", "concave"] | None


class ObjectWithEdges(ObjectDescription, tag="object"):
    edge: Sequence[EdgeDescription]
    edges_left: int | None


class Edges(Root, tag="edges"):
    object: Sequence[ObjectWithEdges] | ElementList
    count: int
    wavelength: float
    axes: str


def describe_edges(
    object_name: str = "", wavelength: Wavelength = GREEN, tolerance: float = 0.0
) -> Answer:
    """Describe the edges of a glass, mirror or group, or of all: labels, shape and radius of
    curvature, ends, length, outward normal, and the media on both sides.

    Args:
        object_name: Name of a glass, a mirror or a group in the scene; empty for all glasses and
            mirrors.
        wavelength: Wavelength in nm for refractive indices; used only if the scene simulates
            colours.
        tolerance: Maximum distance, in scene units, of surfaces that count as touching; 0 for the
            tolerance of the tracer.

    Returns:
        Root edges: an object element for each, in it an edge element for each edge, and in that a
        part element for each part with the same media on both sides. For one object limit and
        offset count its edges; of several, each lists its first ones, and edges_left counts the
        others.

    Raises:
        RuntimeError: If set_context() has not been called.
        ValueError: If object_name doesn't match; the message lists the existing names.
    """
    context = require_context()
    if object_name:
        thing = object_or_system_named(context.scene, context.groups, object_name)
        members = (
            [context.scene.optical[i] for i in thing.members]
            if isinstance(thing, System)
            else [thing]
        )
        chosen = [o for o in members if o.has_edge_table] or members[:1]
        if not chosen[0].has_edge_table:
            titles = list_names(
                [o.title for o in context.scene.expanded_objects if o.has_edge_table]
            )
            raise UnknownName(
                f"{in_quotes(object_name)} is {with_article(chosen[0].noun)}, which has no edge. Objects"
                f" with edges: {titles}"
            )
    else:
        chosen = [o for o in context.scene.expanded_objects if o.has_edge_table]

    def records_with_edges(objects: Sequence[SceneObject]) -> list[ObjectWithEdges]:
        parts: dict[tuple[int, int], list[EdgeInterval]] = {}
        for s in edge_parts_by_media(context.scene, objects, **options):
            parts.setdefault((s.body.key, s.edge.index), []).append(s)
        nested = _nested_objects(context, wavelength, objects)
        tables = [
            (o, edge_table(object_as_traced(o, context.scene), context.user_labels(o)))
            for o in objects
        ]
        return [
            ObjectWithEdges(
                edge=[
                    _edge_record(
                        e,
                        parts.get((o.key, e.index), []),
                        context.treatments.at_edge(o.key, e.index),
                    )
                    for e in edges[:most]
                ],
                edges_left=_count_beyond_limit(edges, most),
                **_object_attributes(context, o, wavelength, nested.get(o.key)),
            )
            for o, edges in tables
        ]

    options, alone = _interface_options(context, wavelength, tolerance), len(chosen) == 1
    most = None if alone else DEFAULT_LIMIT
    described = LazySequence(records_with_edges, chosen)
    root = Edges(
        object=ElementList("object", described, inner=alone),
        count=len(described),
        wavelength=wavelength,
        axes=AXES,
    )
    of = value_in_words(object_name) if object_name else count_with_noun(len(chosen), "object")
    return Answer(
        root,
        f"{count_with_noun(sum(len(object_edges(object_as_traced(o, context.scene))) for o in chosen), 'edge')} of"
        f" {of}",
        details=frozenset({"part"}),
    )


EDGES = AnalysisTool(
    function=describe_edges,
    asks="edges of {object_name|all glasses and mirrors}",
    questions=(
        "What are the edges of {object_name:edged}?",
        "Which edges does {object_name:edged} have [surfaces labels]?",
        "What are the radii of curvature of {object_name:edged} [radius curved strongly]?",
    ),
    fits=True,
    needs_light=False,
)


NESTED_IN_WORDS = 3
"""Maximum number of nested bodies named in the sentence."""


class NestedBody(Record, tag="body"):
    name: str
    n: float | None
    inside: str | None
    overlaps: str | None
    effective_n: float | None


class Nesting(Root, tag="nesting"):
    body: Sequence[NestedBody]
    nested: int
    not_examined: int | None
    wavelength: float
    count: int


def nested_bodies(wavelength: Wavelength = GREEN, glass_name: str = "") -> Answer:
    """List which bodies are inside which, and their effective refractive index: where bodies
    overlap, indices are multiplied.

    Args:
        wavelength: Wavelength in nm for the indices; used only if the scene simulates colours.
        glass_name: Name of a glass to list only the bodies inside it; empty for all bodies.

    Returns:
        Root nesting: for each body its own index n, the bodies around all of it (inside, outermost
        first), those it shares a part with (overlaps), and its effective_n. Nested bodies come
        first; an index that varies is omitted. not_examined counts the bodies that were omitted, as
        too many overlap.

    Raises:
        RuntimeError: If set_context() has not been called.
        ValueError: If glass_name doesn't match any object (the message lists the existing names),
            or the wavelength is invalid.
    """
    context = require_context()
    around = glass_named(context.scene, glass_name) if glass_name else None
    examined = body_nesting(context.scene, context.disabled, wavelength)
    not_examined = sum(
        isinstance(o, GlassBody) and o.key not in context.disabled
        for o in context.scene.expanded_objects
    ) - len(examined)
    bodies = [b for b in examined if around is None or around in b.inside]
    found = sorted(bodies, key=lambda b: (not b.inside, not b.overlapping))
    listing = [
        NestedBody(
            name=b.body.title,
            n=b.index,
            inside=titles_or_none(b.inside),
            overlaps=titles_or_none(b.overlapping),
            effective_n=b.effective_index,
        )
        for b in found
    ]
    nested = [b for b in found if b.inside]
    root = Nesting(
        body=listing,
        nested=len(nested),
        not_examined=not_examined or None,
        wavelength=wavelength,
        count=len(listing),
    )
    words = [_nested_body_text(b) for b in nested[:NESTED_IN_WORDS]]
    more = (
        [f"{len(nested) - NESTED_IN_WORDS} more bodies are nested"]
        if len(nested) > NESTED_IN_WORDS
        else []
    )
    if not_examined:
        more.append(f"too many overlap: {count_with_noun(not_examined, 'body')} not examined")
    none = "No body is inside " + ("another" if around is None else value_in_words(around.title))
    return Answer(
        root, "; ".join(words + more) or none, complete_sentence=not nested and not not_examined
    )


def _nested_body_text(nested: BodyNesting) -> str:
    index = (
        f": effective index {value_in_words(nested.effective_index)}"
        if nested.effective_index is not None
        else ""
    )
    return f"{value_in_words(nested.body.title)} is inside {value_in_words(titles_or_none(nested.inside))}{index}"


NESTED_BODIES = AnalysisTool(
    function=nested_bodies,
    asks="bodies inside bodies",
    questions=("Which bodies are inside which [nested other]?",),
    fits=True,
    needs_light=False,
)


def describe_scene(wavelength: Wavelength = GREEN, tolerance: float = 0.0) -> Answer:
    """Describe the scene: its settings, every object with its properties, size and refractive
    index, and which bodies touch.

    Start here: the other tools take the names in this answer.

    Args:
        wavelength: Wavelength in nm for refractive indices; used only if the scene simulates
            colours.
        tolerance: Maximum distance, in scene units, of surfaces that count as touching; 0 for the
            tolerance of the tracer.

    Returns:
        Root scene.

    Raises:
        RuntimeError: If set_context() has not been called.
        ValueError: If the wavelength or the tolerance is invalid.
    """
    context = require_context()
    scene, result = context.scene, context.result
    document = context.state
    parts = (
        {document.part_name(p): p for p in document.parts if len(p.present_objects) > 1}
        if isinstance(document, Document)
        else {}
    )
    settings = {name: getattr(scene.settings, name) for name in _SETTINGS}
    touching = glass_interfaces(scene, **_interface_options(context, wavelength, tolerance))

    def object_records(some: Sequence[tuple[SceneObject, str | None]]) -> list[ListedObject]:
        nested = _nested_objects(context, wavelength, [o for o, _ in some])
        return [
            ListedObject(
                property=list(_object_properties(o, context.unit)),
                part_of_object=part_of_object,
                **_object_attributes(context, o, wavelength, nested.get(o.key)),
            )
            for o, part_of_object in some
        ]

    root = SceneDescription(
        settings=SettingsRecord(ray_density=scene.settings.density, **settings),
        trace=TraceExtent(segments=len(result), completion=result.completion.text),
        part=[
            ScenePart(
                name=name,
                preset=type(part.preset).__name__,
                data=part.preset.describe(context.unit),
                objects=len(part.present_objects),
            )
            for name, part in parts.items()
        ],
        object=LazySequence(object_records, list(_objects_and_parts(context))),
        interface=[_touching_bodies_record(i) for i in touching.interfaces],
        edges_not_examined=touching.edges_left or None,
        name=scene.name or None,
        objects=len(scene.objects),
        wavelength=wavelength,
        axes=AXES,
    )
    whole = {key: name for name, part in parts.items() for key in part.present_objects}
    titles = [
        f"{value_in_words(name)} ({label_in_sentence(part.preset.label)}: {part.preset.describe(context.unit)})"
        for name, part in parts.items()
    ]
    titles += [value_in_words(o.title) for o in scene.objects if o.key not in whole]
    names = f": {list_first_texts(titles, MOST_NAMED_OBJECTS)}" if titles else ""
    without = [value_in_words(o.title) for o, _ in _objects_and_parts(context) if _fault_text(o)]
    idle = f"; without effect: {value_in_words(list_names(without))}" if without else ""
    left = (
        f"; too many surfaces overlap: {count_with_noun(touching.edges_left, 'edge')} not examined for"
        " contacts"
        if touching.edges_left
        else ""
    )
    return Answer(
        root,
        f"{count_with_noun(len(scene.objects), 'object')}{names}{idle}{left}",
        details=frozenset({"property"}),
    )


SCENE = AnalysisTool(
    function=describe_scene,
    asks="what is in the scene",
    questions=(
        "What is in the scene?",
        "Describe the scene [explain summarize].",
        "Which objects are there in the scene [exist list all]?",
    ),
    fits=True,
    needs_light=False,
    tells_trace=True,
)


def outside_bodies_text(stretch: EdgeInterval) -> str:
    """The names of the bodies outside a part of an edge, or ``surroundings`` if there is no
    body.
    """
    return titles_or_none(stretch.containing_bodies) or "surroundings"


def _interface_options(context: TracedScene, wavelength: float, tolerance: float) -> dict[str, Any]:
    """The options of `edge_parts_by_media` and `glass_interfaces` for a context. Raises
    RaybenchError if the tolerance is invalid.
    """
    if not is_number(tolerance) or tolerance < 0:
        raise RaybenchError(
            f"tolerance is {short_repr(tolerance)}; give scene units from 0, where 0 means the"
            " tolerance of a trace."
        )
    return {
        "disabled": context.disabled,
        "labels": context.edge_labels,
        "wavelength": wavelength,
        "tolerance": tolerance or None,
    }


def _objects_and_parts(context: TracedScene) -> Iterator[tuple[SceneObject, str | None]]:
    """Yield all objects in order, each with None. A module instance is followed by its parts, each
    with the name of the instance.
    """
    for outer in context.scene.objects:
        yield outer, None
        if isinstance(outer, ModuleObj):
            for part in context.scene.parts_of(outer):
                yield part, outer.title


def _nested_objects(
    context: TracedScene, wavelength: float, objects: Sequence[SceneObject]
) -> dict[int, BodyNesting]:
    return {
        b.body.key: b for b in body_nesting(context.scene, context.disabled, wavelength, objects)
    }


def _object_attributes(
    context: TracedScene, obj: SceneObject, wavelength: float, nested: BodyNesting | None
) -> dict[str, Any]:
    """The attributes that describe an object: name and type; for bodies and mirrors also index,
    size, edge labels and bounding box; for a body inside other bodies also their names and its
    effective index.
    """
    about: dict[str, Any] = {
        "name": obj.title,
        "type": obj.type,
        "disabled": True if obj.key in context.disabled else None,
    }
    about["no_effect"] = _fault_text(obj) or None
    traced = object_as_traced(obj, context.scene)
    edges = object_edges(traced)
    if isinstance(obj, GlassBody):
        if (
            index := obj.uniform_index(
                wavelength if context.scene.settings.simulate_colors else None
            )
        ) is not None:
            about["n"] = index
        if (own := current_material(obj)) is not None:
            about["material"] = own.material.name
        if nested is not None and (nested.inside or nested.overlapping):
            about |= {
                "inside": titles_or_none(nested.inside),
                "overlaps": titles_or_none(nested.overlapping),
                "effective_n": nested.effective_index,
            }
        elif nested is None and obj.key not in context.disabled:
            about["overlaps"] = "too many bodies to examine"
        if edges:
            about |= {"area": area(edges), "perimeter": perimeter(edges)}
    if obj.has_edge_table and edges:
        labelled = labelled_edges(traced, context.user_labels(obj))
        about["edges"] = list_names([e.title for e in labelled], MOST_LABELS)
        about["sides"] = (
            " and ".join(labelled[0].sides) if len(labelled) == 1 and labelled[0].sides else None
        )
    if (
        edges
        and (box := edges_bounding_box(edges)) is not None
        and about.get("area") != float("inf")
    ):
        noise = ROUNDING * max(map(abs, box))
        about |= {
            side: 0.0 if abs(x) <= noise else x
            for side, x in zip(("left", "top", "right", "bottom"), box, strict=True)
        }
    return about


def _fault_text(obj: SceneObject) -> str:
    """The reason why an object has no effect on light; empty if it has an effect."""
    return obj.reason if isinstance(obj, UnreadObject) else object_fault(obj)


def titles_or_none(bodies: Sequence[GlassBody]) -> str | None:
    """The names of bodies as text; None if there are no bodies."""
    return list_names([b.title for b in bodies]) if bodies else None


def _object_properties(obj: SceneObject, unit: str) -> Iterator[Property]:
    """Yield the properties of an object: points first, then values that differ from the
    defaults.
    """
    if isinstance(obj, UnreadObject):
        return
    for field in sorted(
        described_fields(type(obj)),
        key=lambda f: (f.about.kind != "point", getattr(obj, f.name) == f.default),
    ):
        value = getattr(obj, field.name)
        if (
            field.about.kind not in _DESCRIBED_KINDS
            or field.name in ("name", "locked")
            or value is None
            or field.about.unused
        ):
            continue
        plain = (value[0], value[1]) if field.about.kind == "point" else value
        unit_name = field.about.unit.replace("length", unit) or None
        yield Property(name=field.json_name, value=plain, unit=unit_name, label=field.about.label)


def _edge_record(
    edge: EdgeFacts, parts: list[EdgeInterval], treatments: Mapping[str, EdgeTreatment]
) -> EdgeDescription:
    centre = edge.centre
    return EdgeDescription(
        part=[_edge_part_record(s) for s in parts[:DEFAULT_LIMIT]],
        parts_left=_count_beyond_limit(parts, DEFAULT_LIMIT),
        index=edge.index,
        label=edge.labelled.short,
        long_label=edge.labelled.long,
        user_label=edge.labelled.user_label or None,
        **{noun: each.title for noun, each in treatments.items()},
        sides=" and ".join(edge.labelled.sides) or None,
        kind=edge.kind,
        endless=edge.is_infinite or None,
        length=edge.length,
        x1=edge.p1.x,
        y1=edge.p1.y,
        x2=edge.p2.x,
        y2=edge.p2.y,
        mid_x=edge.midpoint.x,
        mid_y=edge.midpoint.y,
        normal_x=round(edge.normal[0], 12),
        normal_y=round(edge.normal[1], 12),
        normal_angle=edge.normal_angle,
        radius=edge.radius,
        centre_x=centre.x if centre else None,
        centre_y=centre.y if centre else None,
        bulge=edge.bulge,
    )


def _count_beyond_limit(items: Sequence[object], limit: int | None) -> int | None:
    """The number of items after the first ``limit``; None if there are none."""
    return len(items) - limit if limit is not None and len(items) > limit else None


def _edge_part_record(stretch: EdgeInterval) -> EdgePart:
    touches = [
        SurfaceContact(object=o.title, edge=e.title) for o, e in stretch.touching[:DEFAULT_LIMIT]
    ]
    return EdgePart(
        touches=touches,
        touches_left=_count_beyond_limit(stretch.touching, DEFAULT_LIMIT),
        **edge_part_fields(stretch),
    )


def edge_part_fields(stretch: EdgeInterval) -> dict[str, Any]:
    """The fields that describe a part of an edge and the media on both sides of it."""
    return {
        "length": stretch.length,
        "share": stretch.fraction,
        **_edge_part_ends(stretch),
        "n_inside": stretch.n_inside,
        "n_outside": stretch.n_outside,
        "outside": outside_bodies_text(stretch),
    }


def _edge_part_ends(stretch: EdgeInterval) -> dict[str, Any]:
    return {"x1": stretch.p1.x, "y1": stretch.p1.y, "x2": stretch.p2.x, "y2": stretch.p2.y}


def _touching_bodies_record(interface: Interface) -> TouchingBodies:
    s = interface.stretch
    return TouchingBodies(
        first=interface.first.title,
        first_edge=interface.first_edge.title,
        second=interface.second.title,
        second_edge=interface.second_edge.title,
        length=interface.length,
        share_of_first_edge=s.fraction,
        **_edge_part_ends(s),
        normal_x=round(s.normal[0], 12),
        normal_y=round(s.normal[1], 12),
        n_first=s.n_inside,
        n_second=s.n_outside,
    )
