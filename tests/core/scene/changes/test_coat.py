"""Coating edges: the change, and how coatings go with their edges."""

from __future__ import annotations

import pytest

from raybench.files.document_file import list_omitted_contents, load_document, save_document
from raybench.kinds.glasses import Glass
from raybench.kinds.mirrors import Mirror
from raybench.kinds.sources import SingleRay
from raybench.scene.changes import (
    AddPreset,
    ChangeRefused,
    Coat,
    Delete,
    Duplicate,
    Set,
    apply_changes,
    changes_from_json,
    changes_to_json,
    describe_changes,
)
from raybench.scene.changes import Mirror as Reflect
from raybench.scene.changes.differences import document_differences
from raybench.scene.changes.reverting import revert_differences
from raybench.scene.document import Document
from raybench.scene.labels import find_edge_by_label
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.shapes.point import Point, Vertex

pytestmark = pytest.mark.quick
MGF2 = "MgF2 quarter wave 550"


def plate(*objects, colours=True):
    corners = (Vertex(0, 0), Vertex(10, 0), Vertex(14, 50), Vertex(0, 50))
    return Document(
        scene=Scene.of(
            [Glass(name="Plate", path=corners), Mirror(name="M", p1=Point(40, 0), p2=Point(40, 50)),
             SingleRay(name="Ray", p1=Point(-9, 9), p2=Point(-8, 9), wavelength=532), *objects],
            Settings(simulate_colors=colours),
        )
    )  # fmt: skip


def titles(document, name="Plate"):
    obj = next(o for o in document.scene.objects if o.title == name)
    return {
        find_edge_by_label(obj, str(i)).short: c.title
        for i, c in document.coatings.get(obj.key, {}).items()
    }


def test_an_edge_or_all_edges_are_coated_and_uncoated():
    start = plate()
    one = apply_changes(Coat("Plate", edge="W", coating=MGF2), start)
    assert titles(one) == {"W": MGF2}
    every = apply_changes(Coat("Plate", coating={"reflectance": 0.1}), one)
    assert set(titles(every)) == {"N", "E", "S", "W"}
    assert apply_changes(Coat("Plate"), every).coatings == {}
    assert start.coatings == {}


def test_json_words_and_differences():
    start = plate()
    written = {"coat": "Plate", "edge": "W", "coating": {"metal": "Silver"}}
    changes = changes_from_json(written, start)
    assert changes_to_json(changes, start) == [written]
    after = apply_changes(changes, start)
    assert describe_changes(changes, [start, after]) == "Plate: edge W coated with Silver 200 nm"
    assert [str(d) for d in document_differences(start, after)] == [
        "Plate: coating of edge 3 none -> Silver 200 nm"
    ]
    reverted, left = revert_differences(after, start, after)
    assert (reverted.coatings, left) == ({}, ())


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (Coat("Plate", edge="W", coating={"reflectance": 2}), "'Plate' .*edge W: reflectance is 2"),
        (Coat("Plate", edge="W", coating="Nobody's"), "edge W: There is no coating"),
        (Coat("Plate", edge="W", coating={"table": {"angles": [0], "wavelengths": [600, 700],
              "Rs": [[0], [0]]}}), "edge W: it has no values for 532 nm"),
        (Coat("Plate", edge="Q", coating=MGF2), "No edge"),
        (Coat("Ray", coating=MGF2), "'Ray' .*only bodies of glass, mirrors"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_with_the_edge(change, said):
    with pytest.raises(ChangeRefused, match=said):
        apply_changes(change, plate())


def test_coatings_go_with_their_edges():
    coated = apply_changes(
        [Coat("Plate", edge="E", coating=MGF2), Coat("M", coating="Gold")], plate()
    )
    doubled = apply_changes(Duplicate("Plate", dx=100, as_="Copy"), coated)
    assert titles(doubled, "Copy") == {"E": MGF2}
    assert titles(apply_changes(Reflect("Plate", axis=90), coated)) == {"W": MGF2}
    assert titles(apply_changes(Set("Plate", {"refIndex": 1.7}), coated)) == {"E": MGF2}
    assert list(apply_changes(Delete("Plate"), coated).coatings.values()) == [
        {0: coated.coatings[next(o.key for o in coated.scene.objects if o.title == "M")][0]}
    ]


def test_a_lens_with_a_coating_stays_a_part():
    start = apply_changes(
        AddPreset("Achromat", {"focalLength": 100, "diameter": 25}, at=Point(100, 100), as_="L"),
        plate(),
    )
    name = start.part_name(start.parts[0])
    first = start.scene.get(start.parts[0].keys[0])
    coated = apply_changes(Coat(first.title, edge="W", coating=MGF2), start)
    assert [coated.part_name(p) for p in coated.parts] == [name]
    longer = apply_changes(Set(name, {"focalLength": 120}), coated)
    assert longer.parts
    assert titles(longer, first.title) == {"W": MGF2}


def test_files_keep_coatings_or_say_that_they_cannot(tmp_path):
    coated = apply_changes(Coat("Plate", edge="W", coating=MGF2), plate())
    save_document(coated, tmp_path / "a.raybench")
    again = load_document(tmp_path / "a.raybench")
    assert titles(again) == {"W": MGF2}
    assert list(again.coatings.values()) == list(coated.coatings.values())
    (left_out,) = list_omitted_contents(coated, tmp_path / "a.json")
    assert "coating" in left_out
    assert not list_omitted_contents(coated, tmp_path / "a.raybench")
