"""What stands for a document in a plain scene, and what is left out."""

from __future__ import annotations

import json

import numpy as np
import pytest

from raybench.files.document_file import load_document, save_document
from raybench.files.plain_scene import plain_scene
from raybench.kinds.blockers import Blocker
from raybench.kinds.custom_surfaces import CustomCurveSurface
from raybench.kinds.decorations import Handle
from raybench.kinds.glasses import CircleGlass, Glass
from raybench.kinds.mirrors import (
    ArcMirror,
    BeamSplitter,
    CurveMirror,
    Mirror,
    ParabolicMirror,
)
from raybench.kinds.polarizing_elements import Polarizer, PolarizingSplitter
from raybench.kinds.sources import SingleRay
from raybench.library.scene import Scene as Library
from raybench.scene.changes import Coat, Disable, FinishEdge, Group, LabelEdge, apply_changes
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.shapes.bezier import CurveNode
from raybench.shapes.point import Point, Vertex
from raybench.trace.trace import trace

BENT = (CurveNode(Point(40, 0), Point(45, 10), Point(45, 40)), CurveNode(Point(40, 50)))


def bench(mirror, coating, colours=True):
    ray = SingleRay(name="Ray", p1=Point(0, 20), p2=Point(5, 23), wavelength=532)
    scene = Scene.of([ray, mirror], Settings(simulate_colors=colours))
    return apply_changes(Coat("M", coating=coating), Document(scene=scene))


@pytest.mark.parametrize(
    "mirror",
    [
        Mirror(name="M", p1=Point(40, 0), p2=Point(40, 50)),
        ArcMirror(name="M", p1=Point(40, 0), p2=Point(40, 50), p3=Point(45, 25)),
        CurveMirror(name="M", points=BENT, is_closed=False),
    ],
    ids=lambda mirror: mirror.type,
)
def test_a_mirror_of_constant_reflectance_keeps_its_light(mirror, tmp_path):
    document = bench(mirror, {"reflectance": 0.9})
    save_document(document, tmp_path / "a.json")
    there, here = (
        trace(d.scene, treatments=d.treatments)
        for d in (load_document(tmp_path / "a.json"), document)
    )
    np.testing.assert_allclose(there.p2, here.p2, rtol=0, atol=1e-9)
    np.testing.assert_allclose(there.power, here.power, rtol=1e-12)
    assert there.total_power[1] == pytest.approx(0.9)
    assert plain_scene(document).left_out == (
        "M loses its coating on Face (ideal, R 0.9): it becomes a surface that reflects 0.9 of the"
        " light.",
    )


def test_a_metal_reflects_as_at_normal_incidence_with_a_stated_error():
    scene, (said,) = plain_scene(bench(CurveMirror(name="M", points=BENT), {"metal": "Silver"}))
    surface = scene.objects[1]
    assert isinstance(surface, CustomCurveSurface)
    assert 0.9 < float(surface.out_rays[0].eqn_p.split(r"\cdot")[0]) < 1
    assert "in error by up to 0.0" in said


def test_what_has_no_substitute_stays_as_it_is():
    mirror = ParabolicMirror(name="M", p1=Point(40, 0), p2=Point(40, 50), p3=Point(45, 25))
    kept = plain_scene(bench(mirror, {"reflectance": 0.9}))
    assert kept.scene.objects[1] == mirror
    assert kept.left_out[0].endswith("it reflects all of the light.")


@pytest.mark.parametrize(("reflectance", "splits"), [(0.0, False), (0.3, True)])
def test_glass_with_antireflection_coatings_reflects_nothing(reflectance, splits):
    ball = CircleGlass(name="M", p1=Point(50, 20), p2=Point(70, 20))
    kept = plain_scene(bench(ball, {"reflectance": reflectance}))
    assert kept.scene.objects[1].partial_reflect is splits
    assert kept.left_out[0].startswith("M loses its coating")


def test_annotations_are_listed_by_name_and_disabled_objects_left_out(tmp_path):
    ball = CircleGlass(name="Ball", p1=Point(50, 20), p2=Point(70, 20))
    scene = Scene.of([ball, Mirror(name="M", p1=Point(40, 0), p2=Point(40, 50))])
    changes = [LabelEdge("Ball", "0", "Rim"), Group(["Ball", "M"], "Both"), Disable("M")]
    document = apply_changes(changes, Document(scene=scene))
    said = Library.of(document).save(tmp_path / "a.json")
    assert said == (
        "M is disabled, so it is left out.",
        "Labels of edges are left out: Ball.",
        "Groups are left out: Both.",
    )
    objects = json.loads((tmp_path / "a.json").read_text())["objs"]
    assert [o["name"] for o in objects] == ["Ball"]
    assert Library.of(document).save(tmp_path / "a.raybench") == ()


def test_polarization_is_left_out_and_a_polarizing_splitter_divides_light():
    ends = {"p1": Point(10, 0), "p2": Point(30, 40)}
    ray = SingleRay(name="Ray", p1=Point(0, 20), p2=Point(5, 20), polarization="left circular")
    objects = [ray, Polarizer(name="P", **ends), PolarizingSplitter(name="S", **ends)]
    scene, said = plain_scene(Document(scene=Scene.of(objects)))
    source, splitter = scene.objects
    assert source.polarization == "unpolarized"
    assert (type(splitter), splitter.name, splitter.key) == (BeamSplitter, "S", objects[2].key)
    assert said == (
        "Ray emits unpolarized light.",
        "P is left out: all light passes it unchanged.",
        "S becomes a beam splitter: it divides all light into halves.",
    )


def test_handles_hold_the_same_objects_without_those_that_are_left_out():
    ends = {"p1": Point(40, 0), "p2": Point(40, 50)}
    polarizer, *mirrors = [Polarizer(**ends), *(Mirror(name=n, **ends) for n in ("M", "M2", "M3"))]
    handle = Handle(name="Grip", p1=Point(0, 0), p2=Point(0, 0), obj_indices=(2, 3))
    document = Document(scene=Scene.of([polarizer, *mirrors, handle]))
    scene, _ = plain_scene(apply_changes(Disable("M"), document))
    assert [o.title for o in scene.objects] == ["M2", "M3", "Grip"]
    assert scene.objects[2].grouped_object_indices == (0, 1)


@pytest.mark.parametrize(("coating", "error"), [({"reflectance": 0.3}, 0), ({"metal": "Gold"}, 1)])
def test_a_coated_beam_splitter_has_the_ratio_of_its_coating(coating, error):
    splitter = BeamSplitter(name="M", p1=Point(40, 0), p2=Point(40, 50))
    scene, (said,) = plain_scene(bench(splitter, coating))
    ratio = scene.objects[1].trans_ratio
    assert ratio == pytest.approx(0 if error else 0.7, abs=1e-3)
    assert f"it transmits {ratio:.3g} of the light, as at 45°, and reflects the rest" in said
    assert ("in error by up to 0.4" in said) is bool(error)


SQUARE = (Vertex(40, 0), Vertex(60, 0), Vertex(60, 50), Vertex(40, 50))
BULGED = (*SQUARE, Vertex(35, 25, arc=True))


@pytest.mark.parametrize(
    ("obj", "edge", "left", "said"),
    [
        (Mirror(name="M", p1=Point(40, 0), p2=Point(40, 50)), "", 0.03, "reflects 0.03 of"),
        (Blocker(name="M", p1=Point(40, 0), p2=Point(40, 50)), "", 0, "absorbs all of the light."),
        (CircleGlass(name="M", p1=Point(50, 20), p2=Point(70, 20)), "", 0, "blockers on"),
        (Glass(name="M", path=BULGED), "", 0, "absorb all of the light."),
        (Glass(name="M", path=BULGED), "W", 0, "blockers on W absorb all of the light, its other"),
        (Glass(name="M", path=SQUARE), "E", 0, "blockers on E absorb all of the light, its other"),
    ],
)
def test_painted_objects_stay_dark(obj, edge, left, said):
    ray = SingleRay(name="Ray", p1=Point(0, 20), p2=Point(10, 21))
    black = FinishEdge("M", edge, values={"reflectance": 0.03})
    document = apply_changes(black, Document(scene=Scene.of([ray, obj])))
    plain = plain_scene(document)
    assert said in plain.left_out[0]
    rays = trace(plain.scene)
    behind = rays.p2[:, 0] > 60.5
    assert not behind.any()
    if not isinstance(obj, Glass) or edge != "E":
        assert rays.total_power[1:].sum() == pytest.approx(left)
