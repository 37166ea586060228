"""Changes: what each does, its errors, its JSON and its description."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.edited import edited

from raybench.analysis.scene.objects import System, object_or_system_named
from raybench.files.document_file import document_from_json, document_to_json
from raybench.files.scene_json import scene_from_json
from raybench.kinds.decorations import CropBox, TextLabel
from raybench.kinds.detectors import Detector
from raybench.kinds.glasses import Glass
from raybench.kinds.grin import CircleGrinGlass
from raybench.kinds.lenses import SphericalLens
from raybench.kinds.mirrors import ArcMirror, ParamMirror
from raybench.kinds.mirrors import Mirror as FlatMirror
from raybench.kinds.module_instance import ModuleObj
from raybench.kinds.sources import Beam, PointSource
from raybench.scene.changes import (
    Add,
    ChangeRefused,
    Delete,
    Group,
    LabelEdge,
    Mirror,
    Move,
    Reorder,
    Rotate,
    Scale,
    Set,
    SetSettings,
    apply_changes,
    changes_to_json,
    describe_changes,
    documents_between_changes,
    replace_keys_by_names,
)
from raybench.scene.changes import changes_from_json as read
from raybench.scene.changes.placing import mean_centre_of_objects, object_centre
from raybench.scene.codec import object_to_json
from raybench.scene.document import Document
from raybench.scene.labels import labelled_edges
from raybench.scene.modules.module import Module
from raybench.scene.names import object_named
from raybench.scene.scene import Scene
from raybench.session import Session
from raybench.shapes.point import Point, Vertex

pytestmark = pytest.mark.quick


@pytest.fixture
def document() -> Document:
    wedge = Glass(path=(Vertex(0, 0), Vertex(90, 0), Vertex(0, 60)), name="Wedge")
    lens = SphericalLens(
        p1=Point(200, -50), p2=Point(200, 50), params={"d": 20, "r1": 300, "r2": -300}, name="Lens"
    )
    screen = Detector(p1=Point(400, -80), p2=Point(400, 80), name="Screen")
    return Document(
        scene=Scene.of(
            [
                wedge,
                lens,
                screen,
                Beam(p1=Point(-50, 10), p2=Point(-50, 30)),
                PointSource(x=9, y=7, name="Lamp"),
            ]
        )
    )


def after(document: Document, *data: Any) -> Document:
    return apply_changes(read(list(data), document), document)


def json_of(document: Document, name: str) -> dict[str, Any]:
    return object_to_json(next(o for o in document.scene.objects if o.title == name))


def refusal(document: Document, *data: Any) -> str:
    with pytest.raises(ChangeRefused) as caught:
        read(list(data), document)
    return str(caught.value)


# --- what they do


def test_fields_and_their_parts_are_set_in_the_spelling_of_the_file(document: Document) -> None:
    new = after(
        document,
        {"set": "Wedge", "refIndex": 1.7, "path[2].x": 10, "partialReflect": False},
        {"set": "Lens", "params.r1": "20 cm", "p1.x": "1 cm", "cauchyB": 0},
        {"set": ["Screen", "Lens"], "locked": "locked"},
        {"set": "Beam 1", "wavelength": "0.6 µm", "emisAngle": "0.5 rad"},
    )
    wedge, lens, screen, beam = new.scene.objects[:4]
    assert isinstance(wedge, Glass)
    assert (wedge.ref_index, wedge.path[2], wedge.partial_reflect) == (1.7, Vertex(10, 60), False)
    assert isinstance(lens, SphericalLens)
    assert lens.params == {"d": 20, "r1": 200.0, "r2": -300}
    assert (lens.p1, lens.cauchy_b, lens.locked, screen.locked) == (
        Point(10, -50),
        0,
        "locked",
        "locked",
    )
    assert isinstance(beam, Beam)
    assert (beam.wavelength, round(beam.emis_angle, 6)) == (600, 28.647890)


def test_a_point_changes_only_the_coordinates_that_are_given(document: Document) -> None:
    assert json_of(after(document, {"set": "Wedge", "path[1]": {"y": 5}}), "Wedge")["path"][1] == {
        "x": 90,
        "y": 5,
        "arc": False,
    }


def test_an_angle_is_counter_clockwise_as_seen(document: Document) -> None:
    screen = after(document, {"rotate": "Screen", "by": 90}).scene.objects[2]
    assert isinstance(screen, Detector)
    assert (screen.p1, screen.p2) == (
        Point(320, 0),
        Point(480, 0),
    )  # what was on top is on the left
    assert after(
        document, {"rotate": "Lamp", "by": "90 deg", "about": {"x": 0, "y": 0}}
    ).scene.objects[4] == PointSource(x=7, y=-9, name="Lamp")
    assert after(document, {"rotate": "Lamp", "by": 180, "about": "Screen"}).scene.objects[
        4
    ] == PointSource(x=791, y=-7, name="Lamp")


def test_objects_that_are_rotated_together_turn_about_their_common_centre(
    document: Document,
) -> None:
    new = after(document, {"rotate": ["Lens", "Screen"], "by": 180})
    screen = new.scene.objects[2]
    assert isinstance(screen, Detector)
    assert (screen.p1, screen.p2) == (Point(200, 80), Point(200, -80))


def test_scaling_a_lens_scales_its_radii_and_not_its_index(document: Document) -> None:
    lens = after(document, {"scale": "Lens", "by": 2}).scene.objects[1]
    assert isinstance(lens, SphericalLens)
    assert (lens.p1, lens.p2, lens.params) == (
        Point(200, -100),
        Point(200, 100),
        {"d": 40, "r1": 600, "r2": -600},
    )
    assert lens.ref_index == 1.5


def test_a_definition_of_a_lens_is_translated(document: Document) -> None:
    lens = after(document, {"set": "Lens", "defBy": "DFfdBfd"}).scene.objects[1]
    assert isinstance(lens, SphericalLens)
    assert lens.params is not None
    assert set(lens.params) == {"d", "ffd", "bfd"}


def test_a_definition_of_a_lens_is_given_with_its_numbers(document: Document) -> None:
    lens = after(
        document, {"set": "Lens", "defBy": "DFfdBfd", "params": {"ffd": 250, "bfd": 240}}
    ).scene.objects[1]
    assert isinstance(lens, SphericalLens)
    assert lens.params == {"d": 20, "ffd": 250, "bfd": 240}


def test_a_parameter_that_a_file_brought_is_kept_though_there_is_none_of_its_name(
    document: Document,
) -> None:
    lens = document.scene.objects[1]
    assert isinstance(lens, SphericalLens)
    noted = replace(lens, params={**(lens.params or {}), "note": 7})
    of_a_file = Document(scene=Scene.of([noted]))
    changed = after(of_a_file, {"set": "Lens", "params": {"r1": 250}}).scene.objects[0]
    assert isinstance(changed, SphericalLens)
    assert changed.params == {"d": 20, "r1": 250, "r2": -300, "note": 7}
    assert after(of_a_file, {"set": "Lens", "r1": "25 cm"}).scene.objects[0] == changed


def test_parameters_take_the_place_of_what_a_file_brought_instead(document: Document) -> None:
    of_a_file = Document(scene=Scene.of([replace(document.scene.objects[1], params=True)]))
    assert after(of_a_file, {"set": "Lens", "defBy": "DFfdBfd"}).scene.objects[0].params is True  # type: ignore[attr-defined]
    assert "params has no part 'R1'" in refusal(of_a_file, {"set": "Lens", "params": {"R1": 300}})
    numbers = {"d": 20, "r1": 300, "r2": -300}
    assert (
        after(of_a_file, {"set": "Lens", "params": numbers}).scene.objects[0]
        == document.scene.objects[1]
    )


def test_a_parameter_that_the_module_does_not_have_is_refused(document: Document) -> None:
    module = {"numPoints": 1, "params": ["f=10:1:200:50"], "objs": []}
    instance = {
        "type": "ModuleObj",
        "module": "Pair",
        "points": [{"x": 0, "y": 0}],
        "name": "Camera",
    }
    there = after(
        document,
        {"define": {"Pair": module}},
        {"add": instance},
        {"set": "Camera", "params": {"f": 80}},
    )
    assert json_of(there, "Camera")["params"] == {"f": 80}
    assert json_of(after(there, {"set": "Camera", "params.f": "8 cm"}), "Camera")["params"] == {
        "f": 80
    }
    added = after(there, {"add": instance | {"name": "Other", "params": {"f": "8 mm + 1 cm"}}})
    assert json_of(added, "Other")["params"] == {"f": 18}
    assert "params.f must be a number such as 5 or '5 mm'" in refusal(
        there, {"set": "Camera", "params.f": "long"}
    )
    assert "'Camera' (module): params has no part 'g'. There are: f." in refusal(
        there, {"set": "Camera", "params": {"g": 80}}
    )


def test_objects_are_added_duplicated_ordered_and_deleted(document: Document) -> None:
    mirror = {
        "type": "Mirror",
        "name": "Fold",
        "p1": {"x": "1 cm", "y": 0},
        "p2": {"x": 30, "y": 40},
    }
    new = after(
        document,
        {"add": mirror},
        {"rotate": "Fold", "by": 90},
        {"duplicate": ["Fold", "Lamp"], "dx": 5},
        {"reorder": "Fold 2", "before": "Wedge"},
        {"reorder": "Lamp", "to": 1},
        {"delete": ["Screen", "Lens"]},
    )
    assert [o.title for o in new.scene.objects] == [
        "Fold 2",
        "Lamp",
        "Wedge",
        "Beam 1",
        "Fold",
        "Lamp 2",
    ]
    fold = new.scene.objects[4]
    assert isinstance(fold, FlatMirror)
    assert fold.p1 == pytest.approx((0, 30))


def test_annotations_of_a_document_are_changes_too(document: Document) -> None:
    new = after(
        document,
        {"label": "Wedge", "edge": "N", "as": "Base"},
        {"hide": "Screen"},
        {"disable": ["Lens", "Lamp"]},
        {"disable": "Lamp", "on": False},
        {"document": {"unit": "µm", "name": "Bench"}},
        {"settings": {"rayModeDensity": 0.5, "mode": "observer"}},
        {"group": ["Lens", "Screen"], "as": "Camera"},
        {"move": "Camera", "dx": "1 mm"},
    )
    lens, screen = new.scene.objects[1:3]
    edges = [
        e.user_label
        for e in labelled_edges(new.scene.objects[0], new.edge_labels[new.scene.objects[0].key])
    ]
    assert "Base" in edges
    assert (new.hidden, new.disabled) == ({screen.key}, {lens.key})
    assert (new.unit, new.scene.name, new.scene.settings.ray_mode_density) == ("µm", "Bench", 0.5)
    assert new.scene.settings.observer is not None
    assert screen.p1.x == 1400  # type: ignore[attr-defined]
    assert document_from_json(document_to_json(new)).groups.keys() == {"Camera"}
    assert after(new, {"ungroup": "Camera"}).groups == {}


def test_a_deleted_object_takes_its_annotations_with_it_and_undo_brings_them_back(
    document: Document,
) -> None:
    wedge, lens = (o.key for o in document.scene.objects[:2])
    noted = [
        {"label": "Wedge", "edge": "N", "as": "Base"},
        {"hide": "Wedge"},
        {"disable": ["Wedge", "Lens"]},
    ]
    before = after(
        document,
        *noted,
        {"group": "Wedge", "as": "Alone"},
        {"group": ["Wedge", "Lens"], "as": "Both"},
    )
    session = Session(before)
    session.apply(Delete("Wedge"))
    new = session.document
    assert (new.edge_labels, new.hidden, new.disabled, new.groups) == (
        {},
        set(),
        {lens},
        {"Both": {lens}},
    )
    session.undo()
    assert session.document is before
    assert session.document.groups["Alone"] == {wedge}


def test_a_copy_is_disabled_hidden_and_labelled_as_its_original(document: Document) -> None:
    noted = after(
        document,
        {"label": "Wedge", "edge": "N", "as": "Base"},
        {"hide": "Wedge"},
        {"disable": "Lens"},
    )
    new = after(noted, {"duplicate": ["Wedge", "Lens", "Screen"]})
    wedge, lens, screen = new.scene.objects[-3:]
    assert new.edge_labels[wedge.key] == new.edge_labels[document.scene.objects[0].key]
    assert (new.hidden - noted.hidden, new.disabled - noted.disabled) == ({wedge.key}, {lens.key})
    assert screen.key not in new.edge_labels


def test_several_copies_are_each_shifted_from_the_one_before(document: Document) -> None:
    new = after(
        document,
        {"group": ["Lens", "Screen"], "as": "Camera"},
        {"duplicate": "Camera", "dx": 5, "dy": "1 cm", "count": 3},
    )
    assert [o.title for o in new.scene.objects[-6:]] == [
        "Lens 2",
        "Screen 2",
        "Lens 3",
        "Screen 3",
        "Lens 4",
        "Screen 4",
    ]
    assert list(new.groups) == ["Camera", "Camera 2", "Camera 3", "Camera 4"]
    x, y = object_centre(document.scene.objects[1])
    assert [object_centre(o) for o in new.scene.objects[-6::2]] == [
        pytest.approx((x + 5 * k, y + 10 * k)) for k in (1, 2, 3)
    ]
    row = after(document, {"duplicate": "Lens", "count": 3, "as": "Row"})
    assert row.groups == {"Row": {o.key for o in row.scene.objects[-3:]}}
    assert "count must be between 1 and 1000; 0 is not" in refusal(
        document, {"duplicate": "Lens", "count": 0}
    )
    assert "whole number from 1 to 1000; 2.5 is not" in refusal(
        document, {"duplicate": "Lens", "count": 2.5}
    )


def test_objects_are_moved_to_a_place(document: Document) -> None:
    wedge = document.scene.objects[0]
    moved = after(
        document,
        {"move": "Lens", "to": {"x": "1 cm", "y": -20}},
        {"move": "Screen", "to": "Wedge", "dx": 50},
    )
    lens, screen = moved.scene.objects[1:3]
    assert (object_centre(lens), object_centre(screen)) == (
        (10, -20),
        (object_centre(wedge).x + 50, object_centre(wedge).y),
    )
    both = after(document, {"move": ["Lens", "Screen"], "to": {"x": 7, "y": 9}})
    assert mean_centre_of_objects(both.scene.objects[1:3]) == (7, 9)
    assert "needs dx, dy or to" in refusal(document, {"move": "Lens"})
    at = Point(3, 4)
    assert Move("Lens", 5, to=at).merge_consecutive(Move("Lens", 1, 2)) == Move("Lens", 6, 2, to=at)
    assert Move("Lens", 5).merge_consecutive(Move("Lens", 1, to=at)) == Move("Lens", 1, to=at)


def test_copies_of_a_group_are_a_group(document: Document) -> None:
    grouped = after(document, {"group": ["Wedge", "Lens"], "as": "Camera"})
    new = after(grouped, {"duplicate": ["Camera", "Screen"]})
    assert new.groups == grouped.groups | {"Camera 2": {o.key for o in new.scene.objects[-3:-1]}}
    assert after(grouped, {"duplicate": ["Wedge", "Screen"]}).groups == grouped.groups, (
        "of a part of it they are not"
    )
    named = after(grouped, {"duplicate": "Camera", "as": "Twin"})
    assert named.groups == grouped.groups | {"Twin": {o.key for o in named.scene.objects[-2:]}}


def test_an_object_is_moved_before_the_first_or_after_the_last_of_a_group(
    document: Document,
) -> None:
    titles = [o.title for o in document.scene.objects]
    first, last = titles[0], titles[-1]
    grouped = apply_changes(Group([titles[1], titles[3]], "Pair"), document)
    for place, order in (
        ({"before": "Pair"}, [first, last, *titles[1:4]]),
        ({"after": "Pair"}, [first, *titles[1:4], last]),
    ):
        assert [
            o.title
            for o in apply_changes(
                read([{"reorder": last, **place}], grouped), grouped
            ).scene.objects
        ] == order
        assert [
            o.title for o in apply_changes(Reorder(last, **place), grouped).scene.objects
        ] == order
    moved = apply_changes(Reorder(first, after="Pair"), grouped)
    assert [o.title for o in moved.scene.objects] == [*titles[1:4], first, last]


def test_a_group_whose_name_differs_by_case_from_that_of_an_object_is_named_by_it(
    document: Document,
) -> None:
    grouped = after(document, {"group": ["Wedge", "Screen"], "as": "lens"})
    assert after(grouped, {"hide": "lens"}).hidden == grouped.groups["lens"]
    assert after(grouped, {"hide": "Lens"}).hidden == {document.scene.objects[1].key}
    assert isinstance(object_or_system_named(grouped.scene, grouped.groups, "lens"), System)


def test_an_unnamed_object_does_not_answer_to_the_name_of_a_group(document: Document) -> None:
    mirror = {"type": "Mirror", "p1": {"x": 0, "y": 0}, "p2": {"x": 0, "y": 9}}
    grouped = after(
        document,
        {"group": ["Wedge", "Screen"], "as": "Mirror 1"},
        {"add": mirror},
        {"duplicate": "Mirror 1"},
    )
    titles = {o.title for o in grouped.scene.objects}
    assert len(titles) == len(grouped.scene.objects)
    assert set(grouped.groups) == {"Mirror 1", "Mirror 3"}
    assert not titles & set(grouped.groups)


def test_a_label_stays_on_the_face_that_it_was_given_to(document: Document) -> None:
    lens = SphericalLens(
        p1=Point(0, -50), p2=Point(0, 50), params={"d": 20, "r1": 300, "r2": -300}, name="L"
    )
    for index in range(4):
        start = apply_changes(Add((lens,)), Document())
        edge = labelled_edges(lens)[index].edge
        start = apply_changes(LabelEdge("L", str(edge.index), "Mine"), start)
        mirrored = apply_changes(Mirror("L", 0.0, Point(0, 0)), start)
        (label,) = mirrored.edge_labels[lens.key]
        now = next(e.edge for e in labelled_edges(mirrored.scene.objects[0]) if e.index == label)
        assert now.shape.midpoint == pytest.approx((edge.shape.midpoint.x, -edge.shape.midpoint.y))


@pytest.mark.parametrize("label", ["2", " 07 "])
def test_a_label_that_would_be_read_as_an_index_is_refused(document: Document, label: str) -> None:
    with pytest.raises(ChangeRefused, match="index of an edge"):
        after(document, {"label": "Wedge", "edge": "N", "as": label})


def test_a_label_that_another_edge_of_the_object_has_is_refused(document: Document) -> None:
    entrance, leaving = (
        {"label": "Wedge", "edge": "0", "as": "In"},
        {"label": "Wedge", "edge": "1", "as": "Out"},
    )
    labelled = after(document, entrance, leaving)
    assert "Two edges of 'Wedge' would be labelled 'In'. Give one of them another label" in refusal(
        labelled, leaving | {"as": "In"}
    )
    exchanged = after(labelled, entrance | {"as": "Out"}, leaving | {"as": "In"})
    assert list(exchanged.edge_labels.values()) == [{0: "Out", 1: "In"}]
    after(labelled, {"label": "Lens", "edge": "0", "as": "In"})


def test_an_object_of_a_file_with_one_label_for_two_edges_is_edited_and_copied(
    document: Document,
) -> None:
    twice = document.with_annotations(
        edge_labels={document.scene.objects[0].key: {0: "In", 1: "In"}}
    )
    copied = after(
        twice,
        {"move": "Wedge", "dx": 5},
        {"duplicate": "Wedge"},
        {"label": "Wedge", "edge": "1", "as": "Out"},
    )
    assert list(copied.edge_labels.values()) == [{0: "In", 1: "Out"}, {0: "In", 1: "In"}]
    third = {"label": "Wedge", "edge": "2", "as": "Out"}
    assert list(after(twice, third).edge_labels.values()) == [{0: "In", 1: "In", 2: "Out"}]


CORNERS = [{"x": x, "y": y} for x, y in ((0, 0), (40, 0), (40, 30), (0, 30))]


@pytest.mark.parametrize(
    ("path", "kept"),
    [
        ([CORNERS[0], {"x": 20, "y": -9}, *CORNERS[1:]], {2: "1", 3: "2", 4: "3"}),
        (
            [CORNERS[0], {"x": 20, "y": -9, "arc": True}, *CORNERS[1:]],
            {0: "0", 2: "1", 3: "2", 4: "3"},
        ),
        ([CORNERS[0], *CORNERS[2:]], {1: "2", 2: "3"}),
        ([CORNERS[0], {"x": 50, "y": 0}, *CORNERS[2:]], {0: "0", 1: "1", 2: "2", 3: "3"}),
    ],
    ids=["a corner more", "an edge bent", "a corner less", "a corner moved"],
)
def test_labels_stay_on_their_edges_as_corners_are_inserted_or_removed(
    path: Any, kept: dict[int, str]
) -> None:
    glass = {"type": "Glass", "path": CORNERS, "name": "G"}
    named = [{"label": "G", "edge": str(i), "as": f"Side {i}"} for i in range(4)]
    start = after(Document(), {"add": glass}, *named)
    for change in ({"set": "G", "path": path}, {"replace": "G", "with": glass | {"path": path}}):
        new = after(start, change)
        assert new.edge_labels == {
            new.scene.objects[0].key: {i: f"Side {number}" for i, number in kept.items()}
        }


def test_a_mirrored_text_stays_readable() -> None:
    scene = Scene.of([TextLabel(x=10, y=5, text="Text", angle=30)])
    key = scene.objects[0].key
    (flipped,) = edited(scene, Mirror(key, 90.0, Point(0, 0))).objects
    assert isinstance(flipped, TextLabel)
    assert (flipped.x, flipped.y, flipped.alignment) == (-10, 5, "right")
    assert flipped.angle == pytest.approx(-30)
    assert edited(scene, Rotate(key, 15.0)).objects[0].angle == pytest.approx(45)  # type: ignore[attr-defined]


def test_formulas_do_not_grow_when_their_object_is_rotated_repeatedly() -> None:
    pieces = (
        {"eqnX": r"50\cos(t)", "eqnY": r"30\sin(t)+t^2", "tMin": 0, "tMax": 6, "tStep": 0.01},
    )
    scene = Scene.of([CircleGrinGlass(p1=Point(0, 0), p2=Point(9, 0)), ParamMirror(pieces=pieces)])
    keys = [o.key for o in scene.objects]
    sizes = []
    for _ in range(30):
        scene = edited(scene, Rotate(keys, 13.0), Mirror(keys, 20.0))
        grin, mirror = scene.objects
        sizes.append(
            len(grin.ref_index_fn) + sum(len(p["eqnX"]) + len(p["eqnY"]) for p in mirror.pieces)
        )  # type: ignore[attr-defined]
    assert max(sizes) < 1.3 * sizes[0]


def test_a_rotation_by_90_degrees_and_back_is_exact() -> None:
    grin = CircleGrinGlass(
        p1=Point(0, 0), p2=Point(9, 0), ref_index_fn=r"1.5-0.01\cdot x+\sin\left(y\right)"
    )
    scene = Scene.of([grin])
    there = edited(scene, Rotate(grin.key, 90.0))
    assert there != scene
    assert edited(there, Rotate(grin.key, -90.0)) == edited(
        edited(scene, Rotate(grin.key, 180.0)), Rotate(grin.key, 180.0)
    )


@given(
    st.lists(st.integers(-99_999, 99_999), min_size=6, max_size=6),
    st.sampled_from([90.0, 180.0, 270.0]),
    st.integers(1, 9_999),
)
def test_turns_by_quarters_and_moves_keep_decimals_free_of_rounding_errors(
    tenths: list[int], angle: float, by: int
) -> None:
    def decimals(one: ArcMirror) -> list[str]:
        return [repr(c) for p in (one.p1, one.p2, one.p3) for c in p]

    x1, y1, x2, y2, cx, cy = (n / 10 for n in tenths)
    mirror = ArcMirror(p1=Point(x1, y1), p2=Point(x2, y2), p3=Point(y1, x2))
    for change in (
        Rotate(mirror.key, angle, Point(cx, cy)),
        Move(mirror.key, by / 10, -by / 10),
        Scale(mirror.key, 3, Point(cx, cy)),
    ):
        assert all(
            len(text.partition(".")[2]) == 1
            for text in decimals(edited(Scene.of([mirror]), change).objects[0])
        )


def test_a_move_along_one_axis_leaves_the_other_coordinate_as_it_was() -> None:
    mirror = FlatMirror(p1=Point(1 / 3, 2 / 3), p2=Point(10 / 3, 20 / 3))
    moved = edited(Scene.of([mirror]), Move(mirror.key, 0.1)).objects[0]
    assert (moved.p1.y, moved.p2.y) == (2 / 3, 20 / 3)
    assert moved.p1.x == pytest.approx(1 / 3 + 0.1, rel=1e-13)


# --- what cannot be


@pytest.mark.security
def test_a_list_of_changes_is_applied_completely_or_not_at_all(document: Document) -> None:
    session = Session(document)
    with pytest.raises(ChangeRefused) as caught:
        session.apply(
            [Set("Wedge", {"refIndex": 1.7}), Move("Wedgie", 5, 0), Set("Lens", {"refIndex": 2})]
        )
    assert caught.value.index == 2
    assert str(caught.value).startswith(
        "Change 2 of 3 (move Wedgie): No object named 'Wedgie'. Named objects: ['Wedge', 'Lens',"
    )
    assert session.document is document
    assert not session.history.done


def test_a_refused_list_names_the_objects_that_are_given_by_their_keys(document: Document) -> None:
    wedge = object_named(document.scene, "Wedge")
    with pytest.raises(ChangeRefused, match=r"^Change 2 of 2 \(set Wedge\): "):
        apply_changes([Move("Wedge", 5, 0), Set(wedge.key, {"refIndx": 1})], document)
    with pytest.raises(
        ChangeRefused,
        match=r"^Change 2 of 2 \(set an object\): The object is no longer in the scene",
    ):
        apply_changes([Delete("Wedge"), Set(wedge.key, {"refIndex": 2})], document)


def test_a_lens_with_an_outline_says_why_it_has_no_radii() -> None:
    doublet = apply_changes(read({"preset": "Achromat"}, Document()), Document())
    with pytest.raises(
        ChangeRefused,
        match=(
            r"\(spherical lens\): params.r2 does not exist: params is empty, as the outline is"
            r" given by path."
        ),
    ):
        apply_changes(read({"set": "Achromat flint", "params.r2": -90}, doublet), doublet)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"set": "Wedge", "refindex": 1}, "'Wedge' (glass) has no field 'refindex'. Did you mean refIndex?"),
        ({"set": "Wedge", "path[3].x": 1}, "'Wedge' (glass): path[3].x does not exist: there are 3 items, counted from 0."),
        ({"set": "Wedge", "path[1].z": 1}, "path[1].z does not exist: There are: x, y, arc."),
        ({"set": "Lens", "params.r3": 1}, "params.r3 does not exist: There are: d, r1, r2."),
        ({"set": "Lens", "params": {"R1": 50}}, "'Lens' (spherical lens): params has no part 'R1'. Did you mean r1?"),
        ({"set": "Lens", "params": {"ffd": 60, "bfd": 60}}, "params has no part 'ffd'. There are: d, r1, r2."),
        ({"set": "Screen", "x": 50}, "'Screen' (detector) has no field 'x'. Did you mean p1.x or p2.x?"),
        ({"set": "Wedge", "refIndex": "much"}, "refIndex must be a number such as 5; 'much' is not a number or function; units end a"),
        ({"set": "Wedge", "refIndex": "5 mm"}, "refIndex is in 'mm'; give a number without a unit."),
        ({"set": "Lens", "p1.x": "5 nm/s"}, "p1.x is in 'nm/s'; give one of nm, µm, mm, cm, m, in."),
        ({"set": "Beam 1", "wavelength": -5}, "wavelength must be at least 1; -5 nm is not."),
        ({"set": "Wedge", "partialReflect": "yes"}, "partialReflect must be true or false, it is text."),
        ({"set": "Wedge", "locked": "open"}, "locked must be one of default, locked or unlocked, it is \"open\"."),
        ({"set": "Wedge", "path": [{"x": 0, "y": 0}]}, "path has 1 points; an outline needs at least 3."),
        ({"set": "Lens", "p1": {"x": 0, "z": 5}}, "p1 has no part 'z'. There are: x, y."),
        ({"set": "Wedge"}, "Nothing is set. Give fields and their values."),
        ({"reorder": "Wedge", "to": 1.5}, "An index is a whole number from 0 on; 1.5 is not."),
        ({"set": [], "refIndex": 1}, "'set' takes an object's name or a list of names."),
        ({"set": {"name": "Wedge", "refIndex": 1}}, "'set' takes an object's name or a list of names."),
        ({"rename": "Wedge", "as": "Prism"}, "'rename' is not a change. Write it as {'set': 'Lens', 'name': 'Objective'}."),
        ({"enable": "Wedge"}, "'enable' is not a change. Write it as {'disable': 'Lens', 'on': false}."),
        ({"moves": "Wedge"}, "'moves' is not a change. Did you mean move?"),
        ({"move": "Wedge", "rotate": "Wedge"}, "A change has one verb, this has move and rotate."),
        ({"move": "Wedge", "x": 5}, "'move' has no parameter 'x'. Did you mean"),
        ({"rotate": "Wedge", "by": "quarter"}, "rotate.by must be a number such as 5 or '5 deg'; 'quarter' is not a number or function"),
        ({"rotate": "Wedge", "by": 7, "about": {"x": 1}}, "rotate.about must be a point with x and y, or an object's name"),
        ({"scale": "Wedge", "by": 0}, "scale.by must be between 1e-09 and 1e+09; 0 is not."),
        ({"add": {"type": "Miror"}}, "There is no kind 'Miror'. Did you mean"),
        ({"add": {"type": "Mirror", "p1": {"x": 0, "y": 0}}}, "The new Mirror needs p2."),
        ({"add": {"type": "Glass", "path": [], "n": 5}}, "The new Glass has no field 'n'."),
        ({"label": "Wedge", "edge": "Q", "as": "x"}, "No edge matching 'Q'."),
        ({"settings": {"mode": "ray"}}, "mode must be one of rays, extended, images or observer, it is \"ray\"."),
        ({"settings": {"gridSize": 0}}, "gridSize must be at least 1e-09; 0 mm is not."),
        ({"document": {"unit": "mile"}}, "document.unit must be one of nm, µm, mm, cm, m, in"),
        ({"reorder": "Wedge"}, "To reorder, give one of before, after and to."),
        ({"group": "Wedge", "as": "Lens"}, "'Lens' is the name of an object. Give the group another name."),
        ({"ungroup": "Pair"}, "There is no group 'Pair'."),
        ({"set": "Wedge", "material": "N-BK7"}, "There is a change for it, such as {'material': 'Wedge', 'name': 'N-BK7'}."),
        ({"set": "Wedge", "hidden": True}, "There is a change for it, such as {'hide': 'Wedge'}."),
        ("move", "A change is a JSON object such as {'move': 'Lens', 'dx': 5}."),
    ],
)  # fmt: skip
def test_invalid_changes_are_refused_with_the_reason(
    document: Document, change: Any, message: str
) -> None:
    assert message in refusal(document, change)
    assert refusal(document, {"move": "Lamp", "dx": 1}, change).startswith("Change 2 of 2")


def test_radii_that_make_a_lens_vanish_are_refused(document: Document) -> None:
    """The rims are 100 apart, so that 50 is the least radius that reaches from rim to rim."""
    assert after(document, {"set": "Lens", "params.r1": 50}) is not document
    said = refusal(document, {"set": "Lens", "params.r1": 49.9})
    assert "'Lens' (spherical lens) would vanish: no lens fits params.r1 = 49.9." in said
    assert "at least 50, or" in said
    smaller = {"set": "Lens", "p1.y": -40, "p2.y": 40}
    made = after(document, {"set": "Lens", "params.r1": 49.9}, smaller)
    assert after(made, {"set": "Lens", "p1.y": -90}) is not made  # as dragging does
    of_a_file = after(made, {"set": "Lens", "p1.y": -90})
    assert after(of_a_file, {"set": "Lens", "params.r1": 49.8}) is not of_a_file


def test_an_object_is_not_given_the_name_of_a_group(document: Document) -> None:
    grouped = after(document, {"group": ["Wedge", "Lens"], "as": "Camera"})
    renamed = json_of(grouped, "Screen") | {"name": "Camera"}
    for change in ({"set": "Screen", "name": "Camera"}, {"replace": "Screen", "with": renamed}):
        assert "'Camera' is the name of a group. Give the object another name." in refusal(
            grouped, change
        )
        after(grouped, {"ungroup": "Camera"}, change)


def test_a_group_does_not_replace_another_silently(document: Document) -> None:
    grouped = after(document, {"group": ["Wedge", "Lens"], "as": "Camera"})
    other = {"group": ["Lens", "Screen"], "as": "Camera"}
    assert (
        refusal(grouped, other)
        == "There is a group 'Camera' already. Ungroup it first, or give another name."
    )
    assert len(after(grouped, {"ungroup": "Camera"}, other).groups["Camera"]) == 2


def test_an_object_is_not_given_the_name_of_another(document: Document) -> None:
    """Names are references: one of two objects would refer to neither."""
    taken = json_of(document, "Screen") | {"name": "Wedge"}
    for change in (
        {"set": "Screen", "name": "Wedge"},
        {"replace": "Screen", "with": taken},
        {"add": taken},
    ):
        assert (
            refusal(document, change)
            == "There is another object named 'Wedge'. Give one of them another name."
        )
    assert "another object named 'Part'" in refusal(
        document, {"set": ["Lens", "Screen"], "name": "Part"}
    )
    assert "another object named 'Beam 1'" in refusal(
        document, {"set": "Lens", "name": "Beam 1"}
    )  # which an unnamed one answers to
    moved = {"move": "Wedge", "dx": 5}
    assert refusal(document, moved, {"set": "Screen", "name": "Wedge"}).startswith(
        "Change 2 of 2 (set Screen): There is another object"
    )
    exchanged = after(
        document,
        {"set": "Wedge", "name": "W"},
        {"set": "Lens", "name": "Wedge"},
        {"set": "W", "name": "Lens"},
    )
    assert [o.title for o in exchanged.scene.objects][:2] == ["Lens", "Wedge"]


def test_an_instance_is_not_named_so_that_a_part_of_it_has_the_name_of_another_object(
    document: Document,
) -> None:
    mirror = {"type": "Mirror", "name": "Tooth", "p1": {"x": 0, "y": 0}, "p2": {"x": 0, "y": 9}}
    row = {"type": "ModuleObj", "module": "Comb", "points": [], "params": {}, "name": "Row"}
    made = after(
        document,
        {"define": {"Comb": {"objs": [mirror, mirror]}}},
        {"add": row},
        {"set": "Screen", "name": "Grid/Tooth 2"},
    )
    teeth = [o.title for o in made.scene.parts_of(made.scene.objects[-1])]
    assert "Row/Tooth 2" in teeth
    for change in ({"set": "Row", "name": "Grid"}, {"add": row | {"name": "Grid"}}):
        assert (
            refusal(made, change)
            == "There is another object named 'Grid/Tooth 2'. Give one of them another name."
        )
        after(made, {"set": "Grid/Tooth 2", "name": "Screen"}, change)
    grouped = after(
        made,
        {"set": "Grid/Tooth 2", "name": "Screen"},
        {"group": ["Lens", "Screen"], "as": "Grid/Tooth 2"},
    )
    assert "'Grid/Tooth 2' is the name of a group." in refusal(
        grouped, {"set": "Row", "name": "Grid"}
    )
    assert "another object named 'Row/Tooth 2'" in refusal(
        made, {"set": "Lens", "name": "Row/Tooth 2"}
    )


def test_objects_of_a_file_that_share_a_name_are_edited_and_renamed(document: Document) -> None:
    mirror = {"type": "Mirror", "p1": {"x": 0, "y": 0}, "p2": {"x": 0, "y": 9}, "name": "M"}
    twins = Document(
        scene=scene_from_json({"version": 5, "objs": [mirror, {**mirror, "p2": {"x": 5, "y": 9}}]})
    )
    one, other = (o.key for o in twins.scene.objects)
    moved = apply_changes([Move(one, dx=5), Set(other, {"filter": True})], twins)
    assert [o.name for o in moved.scene.objects] == ["M", "M"]
    assert [o.name for o in apply_changes(Set(other, {"name": "N"}), moved).scene.objects] == [
        "M",
        "N",
    ]


def test_an_object_without_its_name_answers_to_a_name_that_no_other_has(document: Document) -> None:
    taken = after(document, {"set": "Beam 1", "name": "Laser"}, {"set": "Lens", "name": "Beam 1"})
    bare = after(taken, {"set": "Laser", "name": ""})
    assert len({o.title for o in bare.scene.objects}) == len(bare.scene.objects)


@pytest.mark.parametrize(
    ("name", "copied"),
    [
        ("Prism", "Prism 2"),
        ("Prism 2", "Prism 3"),
        ("BK7", "BK7 2"),
        ("Lens f50", "Lens f50 2"),
        ("2024", "2024 2"),
    ],
)
def test_a_copy_has_the_next_number_and_else_the_whole_name(
    document: Document, name: str, copied: str
) -> None:
    doubled = after(document, {"set": "Screen", "name": name}, {"duplicate": name})
    assert doubled.scene.objects[-1].name == copied


def test_a_new_object_does_not_take_the_name_of_a_group(document: Document) -> None:
    grouped = after(document, {"group": ["Wedge", "Lens"], "as": "Screen 2"})
    added = {"add": json_of(grouped, "Screen") | {"name": "Screen 2"}}
    assert "'Screen 2' is the name of a group. Give the object another name." in refusal(
        grouped, added
    )
    doubled = after(grouped, {"duplicate": "Screen"})
    assert doubled.scene.objects[-1].name == "Screen 3"
    assert after(doubled, {"hide": "Screen 2"}).hidden == grouped.groups["Screen 2"]


def test_objects_that_cannot_be_transformed_exactly_are_refused_with_the_remedy() -> None:
    box = CropBox(p1=Point(0, 0), p4=Point(30, 20), name="Frame")
    broken = CircleGrinGlass(p1=Point(0, 0), p2=Point(9, 0), ref_index_fn=r"1+\foo{x}", name="Rod")
    stand = {
        "numPoints": 2,
        "objs": [
            {
                "type": "Blocker",
                "p1": {"x": "`x_1`", "y": "`y_1`"},
                "p2": {"x": "`x_1+5`", "y": "`y_1`"},
            }
        ],
    }
    instance = ModuleObj(module="Stand", points=(Point(3, 4), Point(9, 4)), name="Holder")
    document = Document(
        scene=Scene.of([box, broken, instance], modules={"Stand": Module.from_json("Stand", stand)})
    )
    assert refusal(document, {"rotate": "Frame", "by": 7}).endswith(
        "Leave it out, or rotate by a multiple of 90°."
    )
    assert json_of(after(document, {"rotate": "Frame", "by": 90}), "Frame")["p1"] == {
        "x": 5,
        "y": -5,
    }
    assert "'Rod' (circle GRIN glass): refIndexFn cannot be transformed with its object" in refusal(
        document, {"rotate": "Rod", "by": 7}
    )
    assert "'Holder' (module): its parts do not turn with its points" in refusal(
        document, {"rotate": "Holder", "by": 7}
    )
    assert after(document, {"move": "Holder", "dx": 7}) != document
    assert "is a part of 'Holder' and read-only" in refusal(
        document, {"move": "Holder/Blocker", "dx": 7}
    )
    part = object_named(document.scene, "Holder/Blocker")
    with pytest.raises(
        ChangeRefused, match=r"part of 'Holder' .*expand it.*\"expand\": \"Holder\""
    ):
        apply_changes(Move(part.key, dx=7), document)


# --- as JSON and in words


def test_changes_are_described(document: Document) -> None:
    for change, message in [
        (Set("Wedge", {"refIndex": 1.7}), "Wedge: refractive index 1.5 -> 1.7"),
        (Set("Lens", {"params.r1": "25 cm"}), "Lens: r1 300 mm -> 250 mm"),
        (
            Set("Screen", {"p1": {"x": 5, "y": -80}}),
            "Screen: first end (400, -80) mm -> (5, -80) mm",
        ),
        (
            Set("Screen", {"twoSided": False, "binSize": 2}),
            "Screen: two-sided on -> off, bin size 1 mm -> 2 mm",
        ),
        (Set(["Wedge", "Lens"], {"refIndex": 1.7}), "2 objects: refractive index 1.5 -> 1.7"),
        (
            Set("Wedge", {"refIndex": 1.5, "partialReflect": False}),
            "Wedge: partial reflection on -> off",
        ),
        (Set(["Wedge", "Lens"], {"refIndex": 1.5}), "2 objects: refractive index stays 1.5"),
        (SetSettings({"mode": "rays", "gridSize": 5}), "Settings: grid size 20 mm -> 5 mm"),
        (Set("Beam 1", {"name": "Laser"}), "Beam 1 renamed to Laser"),
        (Move("Lens", -12, 0), "Lens moved by (-12, 0) mm"),
        (Move("Lens", to=Point(5, 0)), "Lens moved to (5, 0) mm"),
        (Move("Lens", 12, to="Wedge"), "Lens moved to Wedge and by (12, 0) mm"),
        (Rotate("Wedge", 7), "Wedge turned by 7° counter-clockwise"),
        (
            Rotate(["Wedge", "Lens"], -7.5, Point(1, 2)),
            "2 objects turned by 7.5° clockwise about (1, 2) mm",
        ),
        (Scale("Lens", 2), "Lens scaled by 2"),
        (Mirror("Wedge"), "Wedge mirrored at a vertical line"),
        (Group(["Wedge", "Lens"], "Pair"), "2 objects grouped as Pair"),
    ]:
        assert describe_changes(change, documents_between_changes(change, document)) == message


def test_changes_are_written_as_json_and_as_python_that_make_the_same_document(
    document: Document,
) -> None:
    wedge, lens, screen = (o.key for o in document.scene.objects[:3])
    changes = [
        Set(wedge, {"refIndex": 1.7, "name": "Prism"}),
        Rotate([wedge, lens], 7.0, Point(3, 4)),
        Add((PointSource(x=5, y=6, name="Spot"),)),
        Move(screen, -12.0, 0.0),
        Move(lens, to=Point(8, 9)),
    ]
    done = apply_changes(changes, document)
    written = changes_to_json(changes, document)
    assert written[0] == {"set": "Wedge", "refIndex": 1.7, "name": "Prism"}
    assert written[1] == {"rotate": ["Prism", "Lens"], "by": 7.0, "about": {"x": 3, "y": 4}}
    assert apply_changes(read(json.loads(json.dumps(written)), document), document) == done
    session = Session(document)
    exec(
        f"from raybench.scene.changes import *\nsession.apply({replace_keys_by_names(changes, document)!r})",
        {"session": session},
    )
    assert session.document == done
    assert repr(replace_keys_by_names(changes, document)[3]) == "Move('Screen', dx=-12.0)"


def test_the_description_of_a_change_is_short_however_much_it_changes(document: Document) -> None:
    module = {"numPoints": 1, "params": [], "vars": [], "objs": []}
    view = {"x": 0, "y": 0, "width": 1, "height": 1}
    for change in (
        {"define": {f"Module number {i}": module for i in range(300)}},
        {"document": {"views": {f"View number {i}": view for i in range(40)}}},
        {"document": {"studies": {f"Study number {i}": {} for i in range(300)}}},
        {"document": {"kept": {f"Entry number {i}": 1 for i in range(300)}}},
    ):
        session = Session(document)
        session.apply(read([change], document))
        assert " more" in session.history.undo_text
        assert len(session.history.undo_text) < 200
