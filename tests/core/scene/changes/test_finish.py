"""Finishing edges: the change, and how finishes go with their edges and targets."""

from __future__ import annotations

import pytest

from raybench.files.document_file import list_omitted_contents, load_document, save_document
from raybench.kinds.blockers import Blocker
from raybench.kinds.glasses import Glass
from raybench.kinds.mirrors import Mirror
from raybench.kinds.sources import SingleRay
from raybench.scene.changes import (
    ChangeRefused,
    Coat,
    Delete,
    Duplicate,
    Expand,
    FinishEdge,
    MakeModule,
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
from raybench.scene.parameters.parameter import InvalidParameter, read_parameter
from raybench.scene.scene import Scene
from raybench.shapes.point import Point, Vertex
from raybench.study.terms.parameter import read_choices

pytestmark = pytest.mark.quick
BLACK = "Aeroglaze Z306 black paint"


def bench():
    corners = (Vertex(0, 0), Vertex(10, 0), Vertex(14, 50), Vertex(0, 50))
    return Document(
        scene=Scene.of(
            [Glass(name="Plate", path=corners), Mirror(name="M", p1=Point(40, 0), p2=Point(40, 50)),
             Blocker(name="Baffle", p1=Point(60, 0), p2=Point(60, 50)),
             SingleRay(name="Ray", p1=Point(-9, 9), p2=Point(-8, 9))],
        )
    )  # fmt: skip


def finishes(document, name="Baffle"):
    obj = next(o for o in document.scene.objects if o.title == name)
    return {
        find_edge_by_label(obj, str(i)).short: f
        for i, f in document.finishes.get(obj.key, {}).items()
    }


def finished(document, *changes):
    return apply_changes(changes_from_json(list(changes), document), document)


def test_values_replace_those_of_the_finish_that_is_there():
    black = finished(bench(), {"finish": "Baffle", "with": BLACK})
    assert finishes(black)["Face"].title == BLACK
    lighter = finished(black, {"finish": "Baffle", "edge": "Face", "reflectance": 0.1})
    (finish,) = finishes(lighter).values()
    assert (finish.reflectance, finish.total, finish.name) == (0.1, 0.95, "")
    rough = finished(bench(), {"finish": "M", "scatter": "gaussian", "deviation": 3, "total": 0.2})
    rough = finished(rough, {"finish": "M", "roughness": 4})
    (finish,) = finishes(rough, "M").values()
    assert (finish.total, finish.roughness, finish.profile.deviation) == (None, 4, 3)
    other = finished(rough, {"finish": "M", "scatter": "lambertian"})
    assert finishes(other, "M")["Face"].profile.name == "lambertian"
    assert finished(other, {"finish": "M", "with": ""}).finishes == {}


@pytest.mark.parametrize("nothing", ["", "none", None])
def test_nothing_removes_finishes_and_coatings(nothing):
    treated = finished(bench(), {"finish": "M", "with": BLACK}, {"coat": "M", "coating": "Gold"})
    bare = finished(treated, {"finish": "M", "with": nothing}, {"coat": "M", "coating": nothing})
    assert treated.finishes
    assert treated.coatings
    assert not any(bare.treatments)


def test_a_part_of_a_name_that_only_one_has_is_understood():
    both = finished(
        bench(),
        {"finish": "M", "with": "aeroglaze z306"},
        {"coat": "M", "coating": "MgF2"},
        {"coat": "Plate", "coating": "Silver"},
    )
    assert finishes(both, "M")["Face"].title == BLACK
    assert {c.title for own in both.coatings.values() for c in own.values()} == {
        "MgF2 quarter wave 550",
        "Silver",
    }
    with pytest.raises(ChangeRefused, match="There is no finish 'Ground glass'"):
        finished(bench(), {"finish": "M", "with": "Ground glass"})


def test_json_words_and_differences():
    start = bench()
    written = {"finish": "Plate", "edge": "N", "reflectance": 0.04, "with": BLACK}
    changes = changes_from_json(written, start)
    assert changes_to_json(changes, start) == [written]
    after = apply_changes(changes, start)
    said = f"Plate: edge N finished: {BLACK}, reflectance 0.04"
    assert describe_changes(changes, [start, after]) == said
    (difference,) = document_differences(start, after)
    assert str(difference).startswith(
        "Plate: finish of edge 0 none -> reflectance 0.04, Lambertian"
    )
    assert revert_differences(after, start, after)[0].finishes == {}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"finish": "Baffle", "reflectance": 2}, "'Baffle' .*edge Face: reflectance is 2"),
        ({"finish": "Baffle", "with": "Nobody's"}, "edge Face: There is no finish"),
        ({"finish": "Baffle", "total": 0.5}, "it absorbs all light. Give a reflectance"),
        ({"finish": "Plate", "edge": "Q", "with": BLACK}, "No edge"),
        ({"finish": "Ray", "with": BLACK}, "'Ray' .*only bodies of glass, mirrors"),
        ({"finish": "Baffle", "colour": 3, "with": BLACK}, "colour is no value"),
        ({"finish": "Baffle", "reflectance": 0.1, "towards": "Nobody"}, "No object named"),
        ({"finish": "Baffle"}, "needs with, or a value"),
        ({"finish": "M", "name": "White wall paint"}, '"with": "White wall paint"'),
        ({"finish": "M", "name": None}, "no name beside its values"),
        ({"finish": "M", "with": {"name": "White wall paint", "reflectance": 0.1}}, "another name"),
    ],
)
def test_what_cannot_be_is_refused_with_the_edge(change, said):
    with pytest.raises(ChangeRefused, match=said):
        finished(bench(), change)


def test_finishes_go_with_their_edges_and_files_keep_their_targets(tmp_path):
    start = finished(
        bench(),
        {"finish": "Plate", "edge": "E", "with": "Ground glass 220 grit", "towards": "Baffle"},
        {"finish": "Baffle", "with": BLACK},
    )
    baffle = next(o.key for o in start.scene.objects if o.title == "Baffle")
    doubled = apply_changes(Duplicate("Plate", dx=100, as_="Copy"), start)
    assert finishes(doubled, "Copy")["E"].towards == baffle
    both = apply_changes(Duplicate(["Plate", "Baffle"], dx=100, count=2), start)
    for name in (" 2", " 3"):
        aim = finishes(both, f"Plate{name}")["E"].towards
        assert both.scene.get(aim).title == f"Baffle{name}"
    assert "W" in finishes(apply_changes(Reflect("Plate", axis=90), start), "Plate")
    assert [*apply_changes(Delete("Plate"), start).finishes] == [baffle]
    moved = start.with_new_keys({baffle: (900,)})
    assert finishes(moved, "Plate")["E"].towards == 900

    save_document(start, tmp_path / "a.raybench")
    again = load_document(tmp_path / "a.raybench")
    other = next(o.key for o in again.scene.objects if o.title == "Baffle")
    assert finishes(again, "Plate")["E"].towards == other
    assert finishes(again) == finishes(start)
    left_out = " ".join(list_omitted_contents(start, tmp_path / "a.json"))
    assert f"Baffle loses its finish on Face ({BLACK})" in left_out
    assert not list_omitted_contents(start, tmp_path / "a.raybench")


def test_copies_of_a_module_have_the_finishes_of_its_parts():
    start = finished(
        bench(), {"finish": "Plate", "edge": "E", "with": "Ground glass 220 grit", "towards": "M"}
    )
    made = [MakeModule(["Plate", "M"], "Box"), Duplicate("Box 1", dx=100), Expand("Box 2")]
    after = apply_changes(made, start)
    objects = {o.key: o for o in after.scene.objects}
    (finish,) = (own for key, own in after.finishes.items() if key in objects)
    assert objects[finish[1].towards].p1 == Point(140, 0)


def test_an_edge_has_a_coating_and_a_finish():
    both = apply_changes(
        [Coat("M", coating="Gold"), FinishEdge("M", with_="Polished 1 nm rms")], bench()
    )
    key = next(o.key for o in both.scene.objects if o.title == "M")
    titles = {noun: t.title for noun, t in both.treatments.at_edge(key, 0).items()}
    assert titles == {"coating": "Gold", "finish": "Polished 1 nm rms"}


def test_studies_vary_finishes_and_their_values():
    start = finished(bench(), {"finish": "Baffle", "with": BLACK})
    reflectance = read_parameter("Baffle:Face.finish.reflectance", start)
    assert reflectance.value_in_document(start) == 0.05
    after = apply_changes(reflectance.change(0.2), start)
    assert finishes(after)["Face"].reflectance == 0.2
    kinds = read_choices("Baffle:Face.finish", ["none", "White wall paint"], start)
    white = apply_changes(kinds.change(1), start)
    assert finishes(white)["Face"].title == "White wall paint"
    assert finishes(apply_changes(kinds.change(0), white)) == {}
    with pytest.raises(InvalidParameter, match="no finish with a value roughness"):
        read_parameter("Baffle:Face.finish.roughness", start)
    with pytest.raises(InvalidParameter, match=r"none\|White diffuser"):
        read_parameter("Baffle:Face.finish", start)
    with pytest.raises(InvalidParameter, match=r"Name Baffle:Face\.finish\.reflectance\."):
        read_parameter("Baffle.finish.reflectance", start)
    with pytest.raises(InvalidParameter, match=r"Plate:N\.coating, Plate:E\.coating, .* or "):
        read_choices("Plate.coating", ["none", "Gold"], start)
