"""The scene, its edges and its interfaces, described for people and models."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET
from dataclasses import replace

import numpy as np
import pytest
from tests.elements import element

from raybench.analysis import agentic_tools as tools
from raybench.analysis.answers.answer import Answer
from raybench.analysis.answers.text import answer_text
from raybench.analysis.answers.xml_answer import to_xml
from raybench.analysis.context import TracedScene, override_context, require_context
from raybench.analysis.tools.scene import description
from raybench.errors import RaybenchError
from raybench.kinds.detectors import Detector
from raybench.kinds.glasses import CircleGlass, Glass
from raybench.kinds.lenses import SphericalLens
from raybench.kinds.mirrors import Mirror
from raybench.kinds.sources import Beam
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.shapes.point import Point, Vertex
from raybench.trace.codes import Flag
from raybench.trace.trace import trace

# a right-angle prism that turns a beam down by total reflection, cemented to a plate below it
PRISM = Glass(
    path=(Vertex(0, 0), Vertex(100, 100), Vertex(0, 100)),
    name="Prism",
    ref_index=1.5,
    cauchy_b=0.01,
)
PLATE = Glass(
    path=(Vertex(20, 100), Vertex(120, 100), Vertex(120, 110), Vertex(20, 110)),
    name="Plate",
    ref_index=1.7,
)
BEAM = Beam(p1=Point(-50, 40), p2=Point(-50, 90), name="Laser")
SCREEN = Detector(p1=Point(120, 150), p2=Point(0, 150), name="Screen")
FOLD = Mirror(p1=Point(0, 200), p2=Point(100, 200), name="Fold")


def root_of(answer: Answer) -> ET.Element:
    return ET.fromstring(to_xml(answer))


def context(
    *, simulate_colors: bool = False, disabled: frozenset[int] = frozenset(), unit: str = "mm"
) -> TracedScene:
    scene = Scene.of(
        [PRISM, PLATE, BEAM, SCREEN, FOLD],
        Settings(simulate_colors=simulate_colors),
        name="Turning prism",
    )
    document = Document(
        scene=scene, disabled=disabled, unit=unit, edge_labels={PRISM.key: {1: "Base"}}
    )
    return TracedScene.from_document(
        document, trace(scene, disabled=disabled, revision=document.revision)
    )


def describe_scene(about: TracedScene, *arguments: float, **named: float) -> Answer:
    with override_context(about):
        return description.describe_scene(*arguments, **named)


def describe_edges(about: TracedScene, name: str, **named: float) -> Answer:
    with override_context(about):
        return description.describe_edges(name, **named)


def only(root: ET.Element, path: str) -> ET.Element:
    (found,) = root.findall(path)
    return found


def test_a_description_lists_contacts() -> None:
    root = root_of(describe_scene(context()))
    interface = only(root, "interface")
    about = interface.attrib
    assert (about["first"], about["first_edge"], about["second"], about["second_edge"]) == (
        "Prism",
        "Base",
        "Plate",
        "N",
    )
    assert float(about["length"]) == pytest.approx(80, abs=1e-4)
    assert float(about["share_of_first_edge"]) == pytest.approx(0.8, abs=1e-6)
    assert (about["n_first"], about["n_second"]) == ("1.5", "1.7")
    assert (float(about["normal_x"]), float(about["normal_y"])) == (0, 1)
    prism = only(root, "object[@name='Prism']")
    assert prism.attrib["area"] == "5000"
    assert float(prism.attrib["perimeter"]) == pytest.approx(200 + 100 * 2**0.5)
    assert only(prism, "property[@name='refIndex']").attrib["value"] == "1.5"
    assert only(root, "object[@name='Laser']/property[@name='wavelength']").attrib["unit"] == "nm"
    assert root.attrib["name"] == "Turning prism"


def test_an_edge_that_is_partly_touched_has_parts() -> None:
    root = root_of(describe_edges(context(), "Prism"))
    base = only(root, "object/edge[@label='S']")
    assert base.attrib["user_label"] == "Base"
    parts = [
        (round(float(p.attrib["share"]), 6), p.attrib["n_outside"], p.attrib["outside"])
        for p in base.findall("part")
    ]
    assert sorted(parts) == [(0.2, "1", "surroundings"), (0.8, "1.7", "Plate")]
    assert only(base, "part/touches").attrib == {"object": "Plate", "edge": "N"}
    slope = only(root, "object/edge[@index='0']")
    assert float(slope.attrib["normal_angle"]) == pytest.approx(45)


def test_indices_follow_the_wavelength_where_colours_are_simulated() -> None:
    for colours, index in ((False, 1.5), (True, 1.5 + 0.01 / 0.25)):
        root = root_of(describe_scene(context(simulate_colors=colours), 500.0))
        assert float(only(root, "object[@name='Prism']").attrib["n"]) == pytest.approx(index)
        assert float(only(root, "interface").attrib["n_first"]) == pytest.approx(index)


@pytest.mark.parametrize("colours", [False, True])
def test_a_lens_by_focal_distances_is_as_traced(colours: bool) -> None:
    about = {"d": 10, "ffd": 60, "bfd": 60}
    lens = SphericalLens(
        name="Lens",
        p1=Point(50, -20),
        p2=Point(50, 20),
        def_by="DFfdBfd",
        params=about,
        cauchy_b=0.1,
    )
    beam = Beam(p1=Point(0, -10), p2=Point(0, 10))
    document = Document(
        scene=Scene.of([lens, beam], Settings(simulate_colors=colours, ray_mode_density=1.0))
    )
    result = trace(document)
    asked = TracedScene.from_document(document, result)
    arcs = root_of(describe_edges(asked, "Lens")).findall("object/edge[@kind='arc']")
    for arc in arcs:
        x, y, radius = (float(arc.attrib[name]) for name in ("centre_x", "centre_y", "radius"))
        there = result.p2[(result.hit == 0) & (result.edge == int(arc.attrib["index"]))]
        assert len(there) > 2
        assert np.hypot(*(there - (x, y)).T) == pytest.approx(radius, abs=1e-6)
        assert {p.attrib["outside"] for p in arc.findall("part")} == {"surroundings"}
    area = only(root_of(describe_scene(asked)), "object[@name='Lens']").attrib["area"]
    sql = (
        "SELECT count(DISTINCT row), o.area FROM crossings JOIN objects o USING (object_index)"
        " WHERE place = 'end' AND o.name = 'Lens'"
    )
    with override_context(asked):
        ended = only(ET.fromstring(tools.query_rays_xml(sql)), ".//row")
        inside = ET.fromstring(tools.tir_analysis_xml("Lens")).findall("edge/rays_from_inside")
    met = result.hit == 0
    assert [cell.text for cell in ended] == [str(met.sum()), area]
    assert sum(int(rays.attrib["count"]) for rays in inside) == (met & (result.depth > 0)).sum()


def test_a_gap_within_the_tolerance() -> None:
    scene = Scene.of(
        [PRISM, replace(PLATE, path=tuple(Vertex(v.x, v.y + 0.05) for v in PLATE.path))]
    )
    about = TracedScene.from_document(Document(scene=scene), trace(scene))
    assert root_of(describe_scene(about)).findall("interface") == []
    interface = only(root_of(describe_scene(about, tolerance=0.1)), "interface")
    assert float(interface.attrib["length"]) == pytest.approx(80, abs=0.5)
    assert interface.attrib["n_second"] == "1.7"
    for wrong in (-1.0, float("nan"), float("inf")):
        with pytest.raises(RaybenchError, match="tolerance is"):
            describe_edges(about, "Prism", tolerance=wrong)


def test_edges_that_were_not_examined_are_told() -> None:
    assert "not examined" not in describe_scene(context()).sentence
    scene = Scene.of([CircleGlass(p1=Point(0, 0), p2=Point(50, 0)) for _ in range(700)])
    answer = describe_scene(TracedScene.from_document(Document(scene=scene), trace(scene)))
    left = answer.root.attributes["edges_not_examined"]
    assert f"too many surfaces overlap: {left} edges not examined for contacts" in answer.sentence


def test_disabled_objects_say_so_and_touch_nothing() -> None:
    root = root_of(describe_scene(context(disabled=frozenset({PLATE.key}))))
    assert only(root, "object[@name='Plate']").attrib["disabled"] == "true"
    assert root.findall("interface") == []


def test_the_text_says_the_same_with_units() -> None:
    text = answer_text(describe_scene(context(unit="µm")))
    assert "Wavelength 540 nm" in text
    lines = [line.split() for line in text.splitlines()]
    assert ["Prism", "Glass", "1.5", "5000", "341.421"] in [line[:5] for line in lines]
    assert ["Prism", "Base", "Plate", "N", "80"] in [line[:5] for line in lines]
    assert text.endswith("units lengths in µm, angles in deg, wavelengths in nm")
    edges = answer_text(describe_edges(context(), "Fold"))
    assert "wavelength 540 nm" in edges
    header, row = (line.split() for line in edges.splitlines()[-3:-1])
    assert header[:2] == ["index", "label"]
    assert {"line", "100", "90"} <= set(row)


def test_names_that_are_wrong_are_reported_with_what_exists() -> None:
    with override_context(context()):
        with pytest.raises(
            ValueError, match=r"which has no edge\. Objects with edges: Prism, Plate, Screen, Fold$"
        ):
            tools.describe_edges_xml("Laser")
        with pytest.raises(ValueError, match="No object named 'X'"):
            tools.describe_edges_xml("X")
        with pytest.raises(
            ValueError, match=r"'Fold' is a mirror, not a detector\. Detectors: Screen$"
        ):
            tools.detector_xml("Fold")
        for wrong in (0.0, -1.0, float("nan"), float("inf")):
            with pytest.raises(ValueError, match="wavelength is"):
                tools.describe_scene_xml(wrong)
        with pytest.raises(ValueError, match="angle is 91"):
            tools.tir_analysis_xml("Prism", "", 91.0)


def test_total_reflection_edge_by_edge() -> None:
    about = context()
    with override_context(about):
        root = ET.fromstring(tools.tir_analysis_xml("Prism", angle=45.0))
        (rays,) = require_context().answers
        base = ET.fromstring(tools.tir_analysis_xml("Prism", "Base", 60.0))
    result = about.result
    flagged = np.flatnonzero(((result.flags & Flag.CAUSES_TIR) != 0) & (result.hit == 0))
    assert len(flagged) > 0
    assert rays.rows.tolist() == flagged.tolist()
    slope = only(root, "edge[@index='0']")
    inside = only(slope, "rays_from_inside").attrib
    assert int(inside["totally_reflected"]) == int((result.edge[flagged] == 0).sum())
    assert int(inside["count"]) >= int(inside["totally_reflected"])
    assert float(only(slope, "part/critical_angle").text or 0) == pytest.approx(41.8103149)
    assert only(slope, "part").attrib["regime"] == "total_reflection"
    edge = only(base, "edge")
    assert edge.attrib["user_label"] == "Base"
    cemented = only(edge, "part[@outside='Plate']")
    assert cemented.findtext("critical_angle") == "none"
    assert cemented.findtext("phase_shift") == "none"
    assert float(cemented.findtext("refraction_angle") or 0) == pytest.approx(
        np.degrees(np.arcsin(1.5 * np.sin(np.pi / 3) / 1.7))
    )


def test_a_detectors_answer_is_its_reading() -> None:
    about = context()
    with override_context(about):
        root = ET.fromstring(tools.detector_xml())
        (rays,) = require_context().answers
    detector = only(root, "detector")
    (reading,) = about.result.detectors
    assert float(detector.attrib["signed_power"]) == pytest.approx(reading.power)
    assert int(detector.attrib["rays"]) == len(rays) > 0
    places = only(detector, "irradiance").findall("bin")
    assert 0 < len(places) < 20  # only bins that contain light are told
    length = math.dist(
        *((float(detector.attrib[f"x{k}"]), float(detector.attrib[f"y{k}"])) for k in (1, 2))
    )
    received = sum(float(b.attrib["irradiance"]) for b in places) * length / 20
    assert received == pytest.approx(float(detector.attrib["power"]))
    assert sum(float(b.attrib["power"]) for b in only(detector, "angles")) == pytest.approx(
        float(detector.attrib["power"])
    )


def test_angles_have_unit_and_six_digits() -> None:
    root = element(
        "index", critical_angle=41.8103149, brewster_angle_inside=33.6900675, edge_label="W"
    )
    assert (
        answer_text(Answer(root, "An index"))
        == "index: critical angle 41.8103°, brewster angle inside 33.6901°, edge label W"
    )
