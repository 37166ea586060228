"""Lookup of objects by name, and edge labels."""

from __future__ import annotations

import dataclasses
import math

import pytest

from core.kinds.blockers import Blocker
from core.kinds.glasses import CircleGlass, Glass
from core.kinds.mirrors import Mirror
from core.kinds.sources import PointSource
from core.scene.changes import Add, Delete, Duplicate
from core.scene.labels import UnknownEdge, edge_labelled, labelled_edges
from core.scene.names import UnknownName, glass_named, object_named
from core.scene.scene import Scene
from core.shapes.point import Point, Vertex
from tests.edited import edited


def polygon(n: int, turn: float = 0.0) -> Glass:
    angles = [turn + 2 * math.pi * i / n for i in range(n)]
    return Glass(path=tuple(Vertex(math.cos(a), math.sin(a)) for a in angles))


def test_aliases_of_unnamed_objects_stay_when_others_are_removed() -> None:
    scene = Scene.of([polygon(3), polygon(3), polygon(3, 1), Mirror(p1=Point(0, 0), p2=Point(1, 1))])
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
    assert str(caught.value) == (
        "No object named 'Nonexistent'. Named objects: ['Main Prism'] Unnamed objects answer to: ['Point source 1']"
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
    scene = Scene.of([Mirror(p1=Point(0, 0), p2=Point(1, 1), name="Fold"), dataclasses.replace(polygon(3), name="Prism")])
    assert glass_named(scene, "Prism") is scene.objects[1]
    with pytest.raises(UnknownName, match=r"'Fold' is a Mirror, not a glass. Glass objects: \['Prism'\]"):
        glass_named(scene, "Fold")


def test_compass_labels_are_as_seen_on_the_canvas() -> None:
    prism = Glass(path=(Vertex(100, 200), Vertex(200, 200), Vertex(150, 113.397)))
    assert [(e.short, e.long) for e in labelled_edges(prism)] == [("S", "South Edge"), ("E", "East Edge"), ("W", "West Edge")]


@pytest.mark.parametrize("n", [3, 4, 5, 6, 8, 9, 12, 13, 20, 40])
def test_labels_are_unique_for_any_polygon(n: int) -> None:
    for turn in (0.0, 0.1, math.pi / n, math.pi / 4):
        labels = [e.short for e in labelled_edges(polygon(n, turn))]
        longs = [e.long for e in labelled_edges(polygon(n, turn))]
        assert len(set(labels)) == len(labels) == n
        assert len(set(longs)) == n


def test_a_regular_octagon_has_each_direction_once() -> None:
    assert {e.short for e in labelled_edges(polygon(8))} == {"E", "NE", "N", "NW", "W", "SW", "S", "SE"}


def lens() -> Glass:
    """A biconvex lens: two straight sides and two arcs."""
    path = ((-2, -20, False), (2, -20, False), (6, 0, True), (2, 20, False), (-2, 20, False), (-6, 0, True))
    return Glass(path=tuple(Vertex(*v) for v in path))


def test_an_arc_is_one_edge_and_straight_sides_keep_their_index() -> None:
    assert [(e.index, e.short) for e in labelled_edges(lens())] == [(0, "N"), (1, "E"), (3, "S"), (4, "W")]


def test_the_flat_side_of_a_lens_is_named_by_where_it_faces() -> None:
    up = Glass(path=(Vertex(-9, 0), Vertex(9, 0), Vertex(0, 4, True)))
    assert [e.short for e in labelled_edges(up)] == ["N", "S"]
    turned = Glass(path=(Vertex(0, -9), Vertex(4, 0, True), Vertex(0, 9)))
    assert [(e.index, e.short) for e in labelled_edges(turned)] == [(0, "E"), (2, "W")]


def test_edges_are_found_by_index_compass_label_and_user_label() -> None:
    body = lens()
    user = {3: "Foot"}
    for label in ("3", "S", "South Edge", "Foot"):
        assert edge_labelled(body, label, user).index == 3
    for label in ("2", "Z", "", "south edge", "-1"):
        with pytest.raises(UnknownEdge, match="No edge matching"):
            edge_labelled(body, label, user)


def test_the_error_for_an_unknown_edge_lists_the_labels() -> None:
    prism = Glass(path=(Vertex(100, 200), Vertex(200, 200), Vertex(150, 113.397)))
    with pytest.raises(ValueError, match="No edge") as caught:
        edge_labelled(prism, "Z")
    assert str(caught.value).startswith("No edge matching 'Z'. Available labels: ['S', 'E', 'W']")


def test_the_error_for_an_ambiguous_label_lists_the_candidates() -> None:
    flat = Glass(path=(Vertex(0, 0), Vertex(5, -1), Vertex(10, 0), Vertex(5, 20)))
    shorts = [e.short for e in labelled_edges(flat)]
    doubled = next(s[0] for s in shorts if s[-1] == "1")
    with pytest.raises(UnknownEdge, match=f"Ambiguous edge '{doubled}'.*{doubled}1.*{doubled}2"):
        edge_labelled(flat, doubled)
    assert edge_labelled(flat, f"{doubled}2").short == f"{doubled}2"


def test_a_number_is_always_the_index() -> None:
    assert edge_labelled(lens(), "0", {3: "0"}).index == 0


def test_a_circle_has_a_rim() -> None:
    disc = CircleGlass(p1=Point(0, 0), p2=Point(3, 0))
    assert edge_labelled(disc, "Rim").index == 0


def test_a_copy_of_a_named_object_has_a_name_of_its_own() -> None:
    scene = Scene.of([dataclasses.replace(polygon(3), name="Prism"), dataclasses.replace(polygon(3), name="Prism 2")])
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


def test_case_counts_only_where_names_differ_by_nothing_else() -> None:
    scene = Scene.of(
        [Glass(name="Wedge", path=polygon(4).path), Glass(name="Ball", path=polygon(4).path), Glass(name="ball", path=polygon(4).path)]
    )
    assert object_named(scene, "WEDGE").name == "Wedge"
    assert object_named(scene, "ball") is scene.objects[2]
    with pytest.raises(UnknownName, match=r"'BALL' could be any of \['Ball', 'ball'\]"):
        object_named(scene, "BALL")


def test_an_unknown_name_is_answered_with_the_nearest() -> None:
    scene = Scene.of([Glass(name="Wedge", path=polygon(4).path), Glass(name="Main Prism", path=polygon(4).path)])
    with pytest.raises(UnknownName, match=r"Named objects: \['Wedge', 'Main Prism'\] Did you mean 'Wedge'\?$"):
        object_named(scene, "wege")
    with pytest.raises(UnknownName, match=r"Did you mean 'Main Prism'\?$"):
        object_named(scene, "main prisme")
    with pytest.raises(UnknownName, match=r"Named objects: \['Wedge', 'Main Prism'\]$"):
        object_named(scene, "Nonexistent")
