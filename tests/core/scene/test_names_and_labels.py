"""Lookup of objects by name, and edge labels."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest
from tests.edited import edited

from raybench.files.scene_json import scene_from_json
from raybench.kinds.blockers import Aperture, Blocker
from raybench.kinds.curved_glasses import ParamGlass
from raybench.kinds.detectors import Detector
from raybench.kinds.glasses import CircleGlass, Glass
from raybench.kinds.gratings import DiffractionGrating
from raybench.kinds.lenses import IdealLens
from raybench.kinds.mirrors import CurveMirror, Mirror
from raybench.kinds.sources import PointSource
from raybench.scene.changes import Add, Delete, Duplicate
from raybench.scene.labels import UnknownEdge, find_edge_by_label, labelled_edges
from raybench.scene.names import UnknownName, glass_named, object_named
from raybench.scene.scene import Scene
from raybench.shapes.bezier import CurveNode
from raybench.shapes.curves import left_normal_at_parameter
from raybench.shapes.point import Point, Vertex

pytestmark = pytest.mark.quick


def polygon(n: int, turn: float = 0.0) -> Glass:
    angles = [turn + 2 * math.pi * i / n for i in range(n)]
    return Glass(path=tuple(Vertex(math.cos(a), math.sin(a)) for a in angles))


def test_aliases_of_unnamed_objects_stay_when_others_are_removed() -> None:
    scene = Scene.of(
        [polygon(3), polygon(3), polygon(3, 1), Mirror(p1=Point(0, 0), p2=Point(1, 1))]
    )
    assert [o.title for o in scene.objects] == ["Glass 1", "Glass 2", "Glass 3", "Mirror 1"]
    fewer = edited(scene, Delete(scene.objects[0].key))
    assert [o.title for o in fewer.objects] == ["Glass 2", "Glass 3", "Mirror 1"]
    assert object_named(fewer, "Glass 3") is fewer.objects[1]


def test_an_alias_is_never_an_existing_name() -> None:
    scene = Scene.of([dataclasses.replace(polygon(3), name="Glass 1"), polygon(3)])
    assert [o.title for o in scene.objects] == ["Glass 1", "Glass 2"]


def test_a_fresh_copy_has_a_new_key() -> None:
    scene = Scene.of([polygon(4)])
    copied = edited(scene, Duplicate(scene.objects[0].key, 5, 0))
    key = copied.objects[-1].key
    assert [o.title for o in copied.objects] == ["Glass 1", "Glass 2"]
    assert key != scene.objects[0].key
    assert len({o.key for o in copied.objects}) == 2


def test_keys_are_kept_through_edits_and_never_reused() -> None:
    scene = Scene.of([polygon(3)])
    key = scene.objects[0].key
    again = edited(scene, Delete(key), Add((polygon(3),)))
    assert again.objects[0].key != key


def test_the_error_for_an_unknown_name_lists_existing_names() -> None:
    scene = Scene.of([dataclasses.replace(polygon(3), name="Main Prism"), PointSource(x=0, y=0)])
    with pytest.raises(ValueError, match="No object") as caught:
        object_named(scene, "Nonexistent")
    assert (
        str(caught.value)
        == "No object named 'Nonexistent'. Named objects: ['Main Prism'] Unnamed objects answer to:"
        " ['Point source 1']"
    )
    with pytest.raises(UnknownName, match=r"Named objects: \(none\)"):
        object_named(Scene(), "x")
    with pytest.raises(UnknownName):
        object_named(scene, "")


def test_an_ambiguous_name_is_an_error() -> None:
    twins = [dataclasses.replace(polygon(3), name="P") for _ in range(2)]
    with pytest.raises(ValueError, match="Ambiguous: 2 objects are named 'P'"):
        object_named(Scene.of(twins), "P")


def test_glass_named_refuses_other_objects() -> None:
    scene = Scene.of(
        [
            Mirror(p1=Point(0, 0), p2=Point(1, 1), name="Fold"),
            dataclasses.replace(polygon(3), name="Prism"),
        ]
    )
    assert glass_named(scene, "Prism") is scene.objects[1]
    with pytest.raises(
        UnknownName, match=r"'Fold' is a mirror, not a glass. Glass objects: \['Prism'\]"
    ):
        glass_named(scene, "Fold")
    with pytest.raises(UnknownName, match="'Slit' is an aperture, not a glass"):
        glass_named(
            Scene.of(
                [
                    Aperture(
                        p1=Point(0, 0), p2=Point(0, 9), p3=Point(0, 3), p4=Point(0, 6), name="Slit"
                    )
                ]
            ),
            "Slit",
        )


def test_compass_labels_are_as_seen_on_the_canvas() -> None:
    prism = Glass(path=(Vertex(100, 200), Vertex(200, 200), Vertex(150, 113.397)))
    assert [(e.short, e.long) for e in labelled_edges(prism)] == [
        ("S", "South Edge"),
        ("E", "East Edge"),
        ("W", "West Edge"),
    ]


@pytest.mark.parametrize("n", [3, 4, 5, 6, 8, 9, 12, 13, 20, 40])
def test_labels_are_unique_for_any_polygon(n: int) -> None:
    for turn in (0.0, 0.1, math.pi / n, math.pi / 4):
        labels = [e.short for e in labelled_edges(polygon(n, turn))]
        longs = [e.long for e in labelled_edges(polygon(n, turn))]
        assert len(set(labels)) == len(labels) == n
        assert len(set(longs)) == n


def test_a_regular_octagon_has_each_direction_once() -> None:
    assert {e.short for e in labelled_edges(polygon(8))} == {
        "E",
        "NE",
        "N",
        "NW",
        "W",
        "SW",
        "S",
        "SE",
    }


def lens() -> Glass:
    """A biconvex lens: two straight sides and two arcs."""
    path = (
        (-2, -20, False),
        (2, -20, False),
        (6, 0, True),
        (2, 20, False),
        (-2, 20, False),
        (-6, 0, True),
    )
    return Glass(path=tuple(Vertex(*v) for v in path))


def test_an_arc_is_one_edge_and_straight_sides_keep_their_index() -> None:
    assert [(e.index, e.short) for e in labelled_edges(lens())] == [
        (0, "N"),
        (1, "E"),
        (3, "S"),
        (4, "W"),
    ]


def test_the_flat_side_of_a_lens_is_named_by_where_it_faces() -> None:
    up = Glass(path=(Vertex(-9, 0), Vertex(9, 0), Vertex(0, 4, True)))
    assert [e.short for e in labelled_edges(up)] == ["N", "S"]
    turned = Glass(path=(Vertex(0, -9), Vertex(4, 0, True), Vertex(0, 9)))
    assert [(e.index, e.short) for e in labelled_edges(turned)] == [(0, "E"), (2, "W")]


def test_edges_are_found_by_index_compass_label_and_user_label() -> None:
    body = lens()
    user = {3: "Foot"}
    for label in ("3", "S", "South Edge", "Foot", "s", "south edge", "foot"):
        assert find_edge_by_label(body, label, user).index == 3
    for label in ("2", "Z", "", "south side", "-1"):
        with pytest.raises(UnknownEdge, match="No edge matching"):
            find_edge_by_label(body, label, user)


def test_the_error_for_an_unknown_edge_lists_the_labels() -> None:
    prism = Glass(path=(Vertex(100, 200), Vertex(200, 200), Vertex(150, 113.397)))
    with pytest.raises(ValueError, match="No edge") as caught:
        find_edge_by_label(prism, "Z")
    assert str(caught.value).startswith("No edge matching 'Z'. Available labels: ['S', 'E', 'W']")


def test_edges_that_face_the_same_way_are_numbered_and_the_bare_label_lists_them() -> None:
    step = Glass(
        path=tuple(Vertex(*p) for p in ((0, 0), (10, 0), (10, 5), (20, 5), (20, 20), (0, 20)))
    )
    assert [e.short for e in labelled_edges(step)] == ["N1", "E1", "N2", "E2", "S", "W"]
    assert [e.long for e in labelled_edges(step)][:2] == ["North Edge 1", "East Edge 1"]
    for bare in ("N", "North Edge"):
        with pytest.raises(UnknownEdge, match=rf"Ambiguous edge '{bare}'.*\['N1', 'N2'\]"):
            find_edge_by_label(step, bare)
    assert (
        find_edge_by_label(step, "N2").index == find_edge_by_label(step, "North Edge 2").index == 2
    )


def facing(*normals: float, spread: float = 1.0) -> Glass:
    """A polygon whose edges face these directions, in degrees counter-clockwise as seen, in
    increasing order: tangents to a circle.
    """
    corners = []
    for a, b in zip(np.radians(normals), np.radians([*normals[1:], normals[0] + 360]), strict=True):
        middle, far = (a + b) / 2, spread / math.cos((b - a) / 2)
        corners.append(Vertex(far * math.cos(middle), -far * math.sin(middle)))
    return Glass(path=(corners[-1], *corners[:-1]))


@pytest.mark.parametrize(
    ("normals", "points"),
    [
        ((30, 150, 270), "E W S"),  # an equilateral prism
        ((45, 180, 270), "NE W S"),  # a right-angled one
        ((4, 176, 270), "E W S"),  # the faces of a narrow wedge
        ((40, 140, 270), "NE NW S"),
        ((60, 180, 270), "N W S"),
        ((0, 30, 60, 90, 180, 270), "E ENE NNE N W S"),
        ((0, 22.5, 45, 67.5, 180, 270), "E ENE NE NNE W S"),
    ],
)
def test_the_rose_is_the_smallest_in_which_edges_are_near_their_points_and_none_share_one(
    normals: tuple[float, ...], points: str
) -> None:
    for clockwise in (False, True):
        body = facing(*normals)
        body = dataclasses.replace(body, path=body.path[::-1]) if clockwise else body
        labels = {
            round(math.degrees(math.atan2(-e.normal[1], e.normal[0])), 6) % 360: e.short
            for e in labelled_edges(body)
        }
        assert labels == dict(zip(normals, points.split(), strict=True))


def test_a_compass_point_that_is_no_label_means_the_only_edge_that_faces_it() -> None:
    prism = facing(30, 150, 270)
    assert (
        find_edge_by_label(prism, "NE").short
        == find_edge_by_label(prism, "North East Edge").short
        == "E"
    )
    assert find_edge_by_label(prism, "SSW").short == "S"
    for nobody in ("N", "North Edge"):
        with pytest.raises(UnknownEdge, match=rf"No edge matching '{nobody}'"):
            find_edge_by_label(prism, nobody)
    right_angled = facing(45, 180, 270)
    assert (
        find_edge_by_label(right_angled, "N").short
        == find_edge_by_label(right_angled, "E").short
        == "NE"
    )
    with pytest.raises(UnknownEdge, match=r"Ambiguous edge 'SW'.*\['W', 'S'\]"):
        find_edge_by_label(right_angled, "SW")


def test_a_label_of_the_users_own_comes_before_a_compass_point() -> None:
    prism = facing(30, 150, 270)
    south = find_edge_by_label(prism, "S").index
    assert find_edge_by_label(prism, "E", {south: "E"}).index == south
    assert find_edge_by_label(prism, "East Edge", {south: "E"}).index != south


def test_the_edges_of_an_outline_that_crosses_itself_face_where_the_glass_ends() -> None:
    bow = Glass(path=tuple(Vertex(*p) for p in ((0, 0), (10, 10), (10, 0), (0, 12))))
    assert {e.index: e.short[0] for e in labelled_edges(bow)}[1] == "E"
    assert {e.index: e.short[0] for e in labelled_edges(bow)}[3] == "W"


@pytest.mark.parametrize(
    ("ends", "sides"),
    [
        (((0, 0), (10, 0)), {"N", "S"}),
        (((0, 0), (1, 9)), {"E", "W"}),
        (((0, 10), (9, 0)), {"NW", "SE"}),
    ],
)
def test_a_line_is_a_face_whose_sides_are_named_by_where_they_face(
    ends: tuple[tuple[float, float], ...], sides: set[str]
) -> None:
    for kind in (Mirror, Blocker, Detector, DiffractionGrating, IdealLens):
        for p1, p2 in (ends, ends[::-1]):
            surface = kind(p1=Point(*p1), p2=Point(*p2))
            (face,) = labelled_edges(surface)
            assert (face.short, face.long, face.side) == ("Face", "Face", 0)
            assert set(face.sides) == sides
            for point in sides:
                named = find_edge_by_label(surface, point)
                towards = face.normal if named.side == 1 else (-face.normal[0], -face.normal[1])
                dx, dy = {
                    "N": (0, -1),
                    "S": (0, 1),
                    "E": (1, 0),
                    "W": (-1, 0),
                    "NW": (-1, -1),
                    "SE": (1, 1),
                }[point]
                assert named.index == 0
                assert dx * towards[0] + dy * towards[1] > 0.9
    with pytest.raises(UnknownEdge, match=r"Available labels: \['Face', "):
        find_edge_by_label(surface, "Z")


def test_the_blades_of_an_aperture_are_two_faces_and_a_closed_mirror_faces_outward() -> None:
    stop = Aperture(p1=Point(0, 0), p2=Point(0, 30), p3=Point(0, 10), p4=Point(0, 20))
    assert [e.short for e in labelled_edges(stop)] == ["Face1", "Face2"]
    with pytest.raises(UnknownEdge, match=r"\['Face1', 'Face2'\]"):
        find_edge_by_label(stop, "Face")
    nodes = [Point(0, 0), Point(10, 0), Point(10, 10), Point(0, 10)]
    thirds = [
        (Point((2 * a.x + b.x) / 3, (2 * a.y + b.y) / 3))
        for a, b in zip(nodes, [*nodes[1:], nodes[0]], strict=True)
    ]
    back = [
        (Point((a.x + 2 * b.x) / 3, (a.y + 2 * b.y) / 3))
        for a, b in zip(nodes, [*nodes[1:], nodes[0]], strict=True)
    ]
    box = CurveMirror(points=tuple(map(CurveNode, nodes, thirds, back)), is_closed=True)
    assert [e.short for e in labelled_edges(box)] == ["N", "E", "S", "W"]


def test_a_number_is_always_the_index() -> None:
    assert find_edge_by_label(lens(), "0", {3: "0"}).index == 0
    assert find_edge_by_label(lens(), "03").index == 3


def test_a_number_of_very_many_digits_is_an_unknown_edge() -> None:
    with pytest.raises(UnknownEdge, match="No edge matching '999"):
        find_edge_by_label(lens(), "9" * 5000)


def test_a_circle_has_a_rim() -> None:
    for disc in (CircleGlass(p1=Point(0, 0), p2=Point(3, 0)), ParamGlass()):
        assert find_edge_by_label(disc, "Rim").index == 0


def test_a_copy_of_a_named_object_has_a_name_of_its_own() -> None:
    scene = Scene.of(
        [
            dataclasses.replace(polygon(3), name="Prism"),
            dataclasses.replace(polygon(3), name="Prism 2"),
        ]
    )
    copied = edited(scene, Duplicate([o.key for o in scene.objects], 5, 0))
    assert [o.title for o in copied.objects] == ["Prism", "Prism 2", "Prism 3", "Prism 4"]
    assert object_named(copied, "Prism") is scene.objects[0]


def test_an_error_shortens_a_very_long_name() -> None:
    scene = Scene.of([Blocker(p1=Point(0, 0), p2=Point(1, 0), name="x" * 10_000)])
    with pytest.raises(UnknownName) as raised:
        object_named(scene, "y" * 10_000 + "!")
    assert "yy…yy" in str(raised.value)
    assert "yy!'" in str(raised.value)
    assert len(str(raised.value)) < 600
    assert object_named(scene, "x" * 10_000) is scene.objects[0]
    with pytest.raises(UnknownName, match=r"No object named 'a\\nb'"):
        object_named(scene, "a\nb")


def test_names_are_matched_exactly() -> None:
    scene = Scene.of(
        [
            Glass(name="Wedge", path=polygon(4).path),
            Glass(name="Ball", path=polygon(4).path),
            Glass(name="ball", path=polygon(4).path),
        ]
    )
    assert object_named(scene, "ball") is scene.objects[2]
    with pytest.raises(UnknownName, match=r"^No object named 'WEDGE'\. .* Did you mean 'Wedge'\?$"):
        object_named(scene, "WEDGE")


def test_an_unknown_name_is_answered_with_the_nearest() -> None:
    scene = Scene.of(
        [Glass(name="Wedge", path=polygon(4).path), Glass(name="Main Prism", path=polygon(4).path)]
    )
    with pytest.raises(
        UnknownName, match=r"Named objects: \['Wedge', 'Main Prism'\] Did you mean 'Wedge'\?$"
    ):
        object_named(scene, "wege")
    with pytest.raises(UnknownName, match=r"Did you mean 'Main Prism'\?$"):
        object_named(scene, "main prisme")
    with pytest.raises(UnknownName, match=r"Named objects: \['Wedge', 'Main Prism'\]$"):
        object_named(scene, "Nonexistent")


def test_of_very_many_names_an_error_lists_the_first_and_still_says_the_nearest() -> None:
    scene = Scene.of([Glass(name=f"Prism number {i}", path=polygon(4).path) for i in range(300)])
    with pytest.raises(UnknownName) as caught:
        object_named(scene, "Prism numer 299")
    assert "'Prism number 59', '… (240 more)'] Did you mean 'Prism number 299'" in str(caught.value)
    assert len(str(caught.value)) < 2_000


def test_a_curve_that_stands_still_in_its_middle_has_its_sides_beside_it() -> None:
    """x = 200 (t - 1/2)^3 on a horizontal line: the derivative is 0 at t = 1/2."""
    x = "200\\cdot(t-0.5)\\cdot(t-0.5)\\cdot(t-0.5)"
    piece = {"eqnX": x, "eqnY": "20", "tMin": 0, "tMax": 1, "tStep": 0.05}
    (mirror,) = scene_from_json(
        {
            "version": 5,
            "objs": [{"type": "ParamMirror", "origin": {"x": 0, "y": 0}, "pieces": [piece]}],
        }
    ).objects
    (face,) = labelled_edges(mirror)
    assert left_normal_at_parameter(face.edge.shape, 0.5) == (0.0, 0.0)
    assert face.normal == (0.0, -1.0)
    assert face.sides == ("N", "S")


def test_a_curve_of_one_point_has_no_normal() -> None:
    piece = {"eqnX": "1", "eqnY": "20", "tMin": 0, "tMax": 1, "tStep": 0.5}
    (mirror,) = scene_from_json(
        {
            "version": 5,
            "objs": [{"type": "ParamMirror", "origin": {"x": 0, "y": 0}, "pieces": [piece]}],
        }
    ).objects
    assert [face.normal for face in labelled_edges(mirror)] in ([], [(0.0, 0.0)])
