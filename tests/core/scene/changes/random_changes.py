"""Random changes that make sense for a document."""

from __future__ import annotations

from hypothesis import strategies as st

from raybench.kinds.fields import described_fields
from raybench.kinds.module_instance import ModuleObj
from raybench.kinds.object import SceneObject
from raybench.scene import LENGTH_UNITS
from raybench.scene.changes import (
    Add,
    Change,
    Delete,
    Disable,
    Duplicate,
    Expand,
    Group,
    Hide,
    LabelEdge,
    MakeModule,
    Mirror,
    Move,
    Reorder,
    Replace,
    Rotate,
    Scale,
    Set,
    SetDocument,
    SetSettings,
)
from raybench.scene.codec import object_to_json
from raybench.scene.creation import FAMILIES, is_drawn_as_path, object_from_drag, object_from_points
from raybench.scene.document import Document
from raybench.scene.labels import labelled_edges
from raybench.shapes.point import Point

CREATED = [kind for family in FAMILIES.values() for kind in family]
COORDINATE = st.integers(-300, 300).map(float)
POINT = st.builds(Point, COORDINATE, COORDINATE)


def made(kind: str, at: Point) -> SceneObject:
    """An object of a kind, about 100 in size."""
    if is_drawn_as_path(kind):
        return object_from_points(
            kind, [at, Point(at.x + 90, at.y + 10), Point(at.x + 20, at.y + 80)]
        )
    return object_from_drag(kind, at, Point(at.x + 30, at.y + 100))


@st.composite
def steps(draw: st.DrawFn, document: Document) -> Change:
    """A change that makes sense for a document."""
    keys = [o.key for o in document.scene.objects]
    if not keys:
        return Add((made(draw(st.sampled_from(CREATED)), draw(POINT)),))
    some = tuple(draw(st.lists(st.sampled_from(keys), min_size=1, max_size=3, unique=True)))
    obj = next(o for o in document.scene.objects if o.key == some[0])
    about = draw(st.none() | POINT)
    numbers = [f for f in described_fields(type(obj)) if f.about.kind == "number"]
    edges = labelled_edges(obj)
    options: list[st.SearchStrategy[Change]] = [
        st.builds(Move, st.just(some), COORDINATE, COORDINATE, st.just(about)),
        st.builds(
            Rotate, st.just(some), st.floats(-360, 360).map(lambda v: round(v, 3)), st.just(about)
        ),
        st.builds(Mirror, st.just(some), st.sampled_from([0.0, 90.0, 33.0]), st.just(about)),
        st.builds(Scale, st.just(some), st.sampled_from([0.5, 2.0, 1.1]), st.just(about)),
        st.builds(lambda kind, at: Add((made(kind, at),)), st.sampled_from(CREATED), POINT),
        st.builds(Delete, st.just(some)),
        st.builds(Duplicate, st.just(some), COORDINATE, COORDINATE, st.integers(1, 3)),
        st.builds(lambda to: Reorder(some, to=float(to)), st.integers(0, 9)),
        st.builds(Hide, st.just(some), st.booleans()),
        st.builds(Disable, st.just(some), st.booleans()),
        st.builds(Group, st.just(some), st.sampled_from(["G", "H"])),
        st.builds(lambda unit: SetDocument(unit=unit), st.sampled_from(LENGTH_UNITS)),
        st.builds(
            lambda v: SetSettings({"rayModeDensity": v, "showGrid": v > 1}),
            st.sampled_from([0.1, 2.0]),
        ),
        st.builds(lambda n: Set(some[0], {"name": f"Named {n}"}), st.integers(0, 10**6)),
        st.builds(
            lambda kind, at, to: Add((made(kind, at),), at=float(to)),
            st.sampled_from(CREATED),
            POINT,
            st.integers(0, 5),
        ),
        st.builds(
            lambda kind, at: Replace(some[0], object_to_json(made(kind, at))),
            st.sampled_from(CREATED),
            POINT,
        ),
        st.builds(lambda n: MakeModule(some, f"Module {n}"), st.integers(0, 10**6)),
        st.just(
            Expand([o.key for o in document.scene.objects if isinstance(o, ModuleObj)] or some)
        ),
    ]
    if numbers:
        f = draw(st.sampled_from(numbers))
        low, high = f.about.low or 0.0, f.about.high if f.about.high is not None else 500.0
        value = draw(st.floats(low, high))
        options.append(st.just(Set(some[0], {f.json_name: value})))
    if edges:
        options.append(st.just(LabelEdge(some[0], str(edges[0].index), "Mine")))
    return draw(st.one_of(options))
