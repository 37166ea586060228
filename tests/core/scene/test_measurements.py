"""Measurements as part of a document: their JSON, the changes that keep them, and what is refused."""

from __future__ import annotations

import pytest

from raybench.analysis.measurements import evaluate_measurement
from raybench.errors import SceneFileError
from raybench.files.document_file import document_from_json, document_to_json
from raybench.files.plain_scene import plain_scene
from raybench.kinds.aspects.similarity import Similarity
from raybench.kinds.glasses import CircleGlass, Glass
from raybench.kinds.mirrors import Mirror
from raybench.scene.changes import (
    ChangeRefused,
    Duplicate,
    Expand,
    MakeModule,
    Move,
    Set,
    apply_changes,
    changes_from_json,
    changes_to_json,
)
from raybench.scene.changes import Mirror as MirrorChange
from raybench.scene.changes.differences import document_differences
from raybench.scene.document import Document
from raybench.scene.measurements import (
    MAX_MEASUREMENTS,
    InvalidMeasurement,
    Measurement,
    Pin,
    pin_at_point,
)
from raybench.scene.saved_view import InvalidView, SavedView
from raybench.scene.scene import Scene
from raybench.shapes.point import Point, Vertex

DOCUMENT = Document(scene=Scene.of([Mirror(name="Wall", p1=Point(0, 0), p2=Point(10, 0))]))
KEY = DOCUMENT.scene.objects[0].key
PINS = [{"x": 5, "y": 0, "object": "Wall", "along": 0.5}, {"x": 5, "y": 12}]


def measured(**given):
    return changes_from_json(
        [{"document": {"measurements": {"height": {"kind": "distance", "pins": PINS, **given}}}}],
        DOCUMENT,
    )


def test_a_program_measures_by_names_which_are_written_back():
    document = apply_changes(measured(), DOCUMENT)
    assert evaluate_measurement(document, None, document.measurements["height"]).value == 12
    (written,) = changes_to_json(measured(), DOCUMENT)
    assert [p.get("object") for p in written["document"]["measurements"]["height"]["pins"]] == [
        "Wall",
        None,
    ]
    assert [str(d) for d in document_differences(DOCUMENT, document)] == [
        "Measurement height added: (5, 0), (5, 12)"
    ]
    assert plain_scene(document).left_out


def test_a_document_file_keeps_them():
    document = apply_changes(measured(), DOCUMENT)
    again = document_from_json(document_to_json(document))
    assert evaluate_measurement(again, None, again.measurements["height"]).text == "12 mm"
    with pytest.raises(SceneFileError, match="measurements"):
        document_from_json(
            document_to_json(document)
            | {"measurements": {"height": {"kind": "weight", "pins": []}}}
        )


def test_a_document_file_keeps_how_a_dimension_is_drawn():
    how = {"offset": [3.0, 4.0], "direction": "vertical", "text": "h = {}", "digits": 1}
    document = apply_changes(measured(kind="dimension", **how), DOCUMENT)
    again = document_from_json(document_to_json(document)).measurements["height"]
    assert how.items() <= again.to_json(lambda key: None).items()
    assert evaluate_measurement(document, None, again).text == "h = 12.0 mm"


@pytest.mark.parametrize(
    "given",
    [
        {"kind": "weight"},
        {"pins": PINS[:1]},
        {"pins": [{"x": float("nan"), "y": 0}, PINS[1]]},
        {"pins": [{**PINS[0], "object": "Door"}, PINS[1]]},
        {"offset": [1]},
        {"offset": [1, 1e300]},
        {"direction": "askew"},
        {"digits": -1},
        {"digits": True},
        {"text": ["a"]},
    ],
)
def test_what_cannot_be_measured_is_refused(given):
    with pytest.raises(ChangeRefused):
        measured(**given)


def test_a_pin_at_a_control_point_goes_with_that_point_alone():
    end = pin_at_point(DOCUMENT.scene, Point(10, 0), DOCUMENT.scene.objects[0].key)
    (longer,) = changes_from_json([{"set": "Wall", "p1": {"x": -40, "y": 30}}], DOCUMENT)
    assert end.position_in_scene(apply_changes([longer], DOCUMENT).scene) == (10, 0)


@pytest.mark.parametrize("axis", [0.0, 90.0, 20.0])
@pytest.mark.parametrize("at", [Point(50, 0), Point(0, 50), Point(0, 0), Point(30, 40)])
def test_a_pin_is_mirrored_with_its_object_and_goes_with_it_from_there(axis, at):
    scene = Scene.of([CircleGlass(name="C", p1=Point(0, 0), p2=Point(0, 50))])
    picked = Measurement("distance", (pin_at_point(scene, at, scene.objects[0].key), Pin(at)))
    mirrored = apply_changes(
        MirrorChange("C", axis=axis), Document(scene=scene, measurements={"M": picked})
    )
    image = Similarity.reflection(axis, Point(0, 0)).point(at)
    pin, free = mirrored.measurements["M"].pins
    assert pin.position_in_scene(mirrored.scene) == pytest.approx(image, abs=1e-9)
    assert free == picked.pins[1]
    assert pin.position_in_scene(apply_changes(Move("C", 7), mirrored).scene) == pytest.approx(
        (image.x + 7, image.y), abs=1e-9
    )


@pytest.mark.parametrize("gone", [{"delete": "Wall"}, {"module": "Wall", "as": "Frame"}])
def test_a_measurement_stays_where_it_was_last_when_its_object_goes(gone):
    document = apply_changes(
        changes_from_json([{"move": "Wall", "dx": 3, "dy": 4}, gone], DOCUMENT),
        apply_changes(measured(), DOCUMENT),
    )
    assert document.measurements["height"].pins[0].position_in_scene(document.scene) == (8, 4)


def test_a_pin_stays_at_its_corner_when_another_corner_comes_or_goes():
    corners = [(0, 0), (100, 0), (100, 100), (0, 100)]
    scene = Scene.of([Glass(name="Block", path=tuple(Vertex(*c) for c in corners))])
    pins = tuple(pin_at_point(scene, Point(*c), scene.objects[0].key) for c in corners[2:])
    document = Document(scene=scene, measurements={"M": Measurement("distance", pins)})
    for path in (corners[1:], [(50, -50), *corners]):
        changed = apply_changes(
            Set("Block", {"path": [{"x": x, "y": y, "arc": False} for x, y in path]}), document
        )
        assert [
            p.position_in_scene(changed.scene) for p in changed.measurements["M"].pins
        ] == corners[2:]
        moved = apply_changes(
            Set("Block", {f"path[{path.index((100, 100))}]": {"x": 90, "y": 90}}), changed
        )
        assert [p.position_in_scene(moved.scene) for p in moved.measurements["M"].pins] == [
            (90, 90),
            (0, 100),
        ]


def test_a_number_of_hundreds_of_digits_is_refused_in_words():
    with pytest.raises(InvalidMeasurement, match="finite numbers"):
        Measurement.from_json(
            {"kind": "distance", "pins": [{"x": 10**400, "y": 0}, {"x": 0, "y": 0}]}, int
        )
    with pytest.raises(InvalidView, match="must be a finite number"):
        SavedView.from_json({"x": 10**400, "y": 0, "width": 1, "height": 1})


@pytest.mark.parametrize("far", [1e60, -1.7e308])
def test_a_place_too_far_away_to_be_shown_is_refused(far):
    with pytest.raises(InvalidMeasurement, match=r"at most 1e\+50"):
        Measurement.from_json(
            {"kind": "distance", "pins": [{"x": far, "y": 0}, {"x": 0, "y": 0}]}, int
        )
    for name in ("x", "y", "width", "height"):
        with pytest.raises(InvalidView, match=r"at most 1e\+50"):
            SavedView.from_json({"x": 0, "y": 0, "width": 1, "height": 1} | {name: abs(far)})


def test_a_pin_that_its_object_would_carry_too_far_away_stays():
    assert Pin(Point(5, 0), KEY, along=1e308, across=1e308).position_in_scene(DOCUMENT.scene) == (
        5,
        0,
    )


def test_a_measurement_needs_its_number_of_points():
    with pytest.raises(InvalidMeasurement, match="2 points, not 1"):
        Measurement("distance", (Pin(Point(0, 0)),))


def test_a_measurement_whose_points_are_all_on_copied_objects_is_copied():
    scene = Scene.of(
        [
            Mirror(name=n, p1=Point(x, 0), p2=Point(x, 10))
            for n, x in (("A", 0), ("B", 30), ("C", 90))
        ]
    )
    a, b, c = (o.key for o in scene.objects)
    pins = {"gap": ((a, 0), (b, 30)), "far": ((a, 0), (c, 90)), "free": ((a, 0), (None, 30))}
    measurements = {
        name: Measurement(
            "distance", tuple(pin_at_point(scene, Point(x, 0), key) for key, x in ends)
        )
        for name, ends in pins.items()
    }
    document = Document(scene=scene).with_annotations(measurements=measurements)
    doubled = Duplicate(["A", "B"], 5.0, 7.0)
    copied = apply_changes(doubled, document)
    assert list(copied.measurements) == ["gap", "far", "free", "gap 2"]
    moved = apply_changes(Move(doubled.copies[1], dx=12), copied)
    assert [evaluate_measurement(moved, None, m).text for m in moved.measurements.values()] == [
        "30 mm",
        "90 mm",
        "30 mm",
        "42 mm",
    ]
    assert [p.position_in_scene(copied.scene) for p in copied.measurements["gap 2"].pins] == [
        Point(5, 7),
        Point(35, 7),
    ]


def test_copies_of_many_measurements_are_no_more_than_a_document_has():
    many = {
        f"m {i}": Measurement("distance", (Pin(Point(0, 0), KEY), Pin(Point(5, 0), KEY)))
        for i in range(MAX_MEASUREMENTS - 3)
    }
    copied = apply_changes(Duplicate("Wall"), DOCUMENT.with_annotations(measurements=many))
    assert len(copied.measurements) == MAX_MEASUREMENTS


def test_measurements_go_with_objects_that_become_a_module_and_with_its_parts_when_it_is_expanded():
    scene = Scene.of(
        [
            Mirror(name=n, p1=Point(x, 0), p2=Point(x, 10))
            for n, x in (("A", 0), ("B", 30), ("C", 90))
        ]
    )
    a, _, c = scene.objects
    gap = Measurement(
        "distance", (pin_at_point(scene, a.p2, a.key), pin_at_point(scene, c.p2, c.key))
    )
    document = Document(scene=scene).with_annotations(measurements={"gap": gap})
    made = apply_changes([MakeModule(["A", "B"], "Pair"), Move("Pair 1", dx=7)], document)
    assert evaluate_measurement(made, None, made.measurements["gap"]).text == "83 mm"
    again = document_from_json(document_to_json(made))
    assert (
        evaluate_measurement(
            apply_changes(Move("Pair 1", dx=2), again), None, again.measurements["gap"]
        ).text
        == "81 mm"
    )
    free = apply_changes([Expand("Pair 1"), Move("A", dx=3), Move("B", dx=-9)], made)
    assert evaluate_measurement(free, None, free.measurements["gap"]).text == "80 mm"


def test_a_point_on_an_object_is_measured_whose_squared_length_is_too_small_for_a_number():
    scene = Scene.of([Mirror(p1=Point(0, 0), p2=Point(1e-200, 0))])
    pin = pin_at_point(scene, Point(3, 4), scene.objects[0].key)
    assert pin.position_in_scene(scene) == Point(3, 4)
