"""The tool ``measure``, and the tools that give the same numbers."""

from __future__ import annotations

import math
import re
import xml.etree.ElementTree as ET

import pytest

from raybench.agent.questions.understanding import understand_sentence
from raybench.analysis import agentic_tools
from raybench.analysis.answers.xml_answer import formatted_value
from raybench.analysis.context import TracedScene, override_context
from raybench.analysis.measures.bound import measure_values
from raybench.analysis.measures.measure import Measured
from raybench.analysis.tools.light.measure import measure
from raybench.errors import RaybenchError
from raybench.kinds.detectors import Detector
from raybench.kinds.glasses import Glass
from raybench.kinds.lenses import IdealLens, SphericalLens
from raybench.kinds.mirrors import BeamSplitter
from raybench.kinds.object import SceneObject
from raybench.kinds.sources import Beam, SingleRay
from raybench.scene.document import Document
from raybench.scene.names import UnknownName
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.shapes.point import Point, Vertex
from raybench.trace.trace import trace

LENS = SphericalLens(
    p1=Point(0, -30),
    p2=Point(0, 30),
    params={"d": 20, "r1": 120, "r2": -180},
    ref_index=1.5,
    name="Lens",
)
SCREEN = Detector(p1=Point(90, -50), p2=Point(100, 50), name="Screen, tilted")
BEAM = Beam(p1=Point(-90, -7), p2=Point(-90, 5), brightness=0.7, name="Laser")
BACK = Beam(p1=Point(300, 30), p2=Point(300, 20), brightness=0.2, name="Back")
DOCUMENT = Document(
    scene=Scene.of([SCREEN, LENS, BEAM, BACK], Settings(color_mode="linear", ray_mode_density=3))
)
CONTEXT = TracedScene.from_document(DOCUMENT, trace(DOCUMENT))


def numbers(text: str) -> list[str]:
    """The values of measures as XML writes them."""
    return [formatted_value(m.value) for m in measure_values(text, DOCUMENT, CONTEXT.result)]


def root(tool: str, *arguments: str) -> ET.Element:
    with override_context(CONTEXT):
        return ET.fromstring(getattr(agentic_tools, tool)(*arguments))


def test_an_answer_leads_with_the_number() -> None:
    with override_context(CONTEXT):
        answer = measure(
            'power("Screen, tilted"); focal_length(Lens, Laser); focus("Screen, tilted", Back)'
        )
    power, length, focus = answer.values["measure"]
    assert answer.sentence.startswith(
        f"The power that arrives at Screen, tilted is {power['value']:.6g} (relative power); "
    )
    assert (power["unit"], length["unit"], length["of"]) == (
        "relative power",
        "mm",
        "focal_length(Lens, Laser)",
    )
    assert focus["value"] is None
    assert "parallel" in focus["reason"]
    with override_context(CONTEXT), pytest.raises(RaybenchError, match="Nearest: power"):
        measure("powr(Lens)")


def test_a_detector_agrees_to_the_digit() -> None:
    (read,) = root("detector_xml")
    names = (
        "power",
        "share",
        "rays",
        "signed_power",
        "centroid",
        "rms",
        "width",
        "normal_force",
        "shear_force",
    )
    assert [read.attrib[name] for name in names] == numbers(
        "; ".join(f'{name}("Screen, tilted")' for name in names)
    )
    assert float(read.attrib["power"]) > float(read.attrib["signed_power"]) > 0
    assert "power_error" not in read.attrib  # no source draws its rays at random


def test_a_focus_agrees_to_the_digit() -> None:
    best = root("focus_xml", "Lens")[0]
    spot, lens = best.find("best_focus"), best.find("focal_length")
    assert spot is not None
    assert lens is not None
    printed = [
        *(spot.attrib[name] for name in ("x", "y", "rms_radius", "width")),
        lens.attrib["length"],
        best.attrib["power"],
        best.attrib["rays"],
    ]
    text = (
        "focus_x(Lens); focus_y(Lens); spot_rms(Lens); spot_width(Lens); focal_length(Lens);"
        " beam_power(Lens); beam_rays(Lens)"
    )
    assert printed == numbers(text)


def test_ledger_and_paths_agree_to_the_digit() -> None:
    ledger = root("check_energy_conservation_xml").find("ledger")
    assert ledger is not None
    names = ("emitted", "resampled", "gained", "escaped", "absorbed", "truncated", "alive")
    assert [ledger.attrib[name] for name in names] == numbers(
        "; ".join(f"{name}()" for name in names)
    )
    assert ledger.attrib["imbalance"] == "0"
    group = root("rank_paths_by_energy_xml").find("groups/group")
    assert group is not None
    pattern = group.attrib["surfaces"].replace("\\", "\\\\").replace('"', '\\"')
    assert [group.attrib["power"], group.attrib["paths"]] == numbers(
        f'path_power("{pattern}"); path_rays("{pattern}")'
    )


def test_a_sentence_has_eight_measures() -> None:
    eight = (
        "emitted(); escaped(); absorbed(); truncated(); power(Lens); rays(Lens); share(Lens);"
        " focus(Lens)"
    )
    with override_context(CONTEXT):
        whole, cut = measure(eight), measure(f"{eight}; incidence(Lens)")
    assert whole.complete_sentence
    assert not cut.complete_sentence
    assert cut.sentence == f"{whole.sentence}; 1 more below"


def test_a_measure_typed_as_a_question() -> None:
    asked = understand_sentence("power('Screen, tilted'); focus(Lens)?", DOCUMENT)
    assert asked is not None
    assert (asked.tool, asked.arguments) == (
        "measure_xml",
        {"measures": "power('Screen, tilted'); focus(Lens)"},
    )
    wrong = understand_sentence("power(Lense)", DOCUMENT)
    assert wrong is not None
    assert "Did you mean 'Lens'?" in wrong.text


def test_parts_have_whole_names() -> None:
    glass = Glass(path=(Vertex(0, 0), Vertex(5, 0), Vertex(4, 3)), name="Set/Prism")
    document = Document(scene=Scene.of([glass, BEAM]))
    (found,) = measure_values("rays(Set/Prism)", document, trace(document.scene))
    assert found == Measured(0.0, "", "rays(Set/Prism)")


def test_names_in_measures_are_matched_exactly() -> None:
    with pytest.raises(UnknownName, match=r"No object named 'LENS'.*Did you mean 'Lens'\?$"):
        measure_values("power(LENS, Laser)", Document(scene=CONTEXT.scene), CONTEXT.result)


def test_widths_of_few_rays_say_so() -> None:
    """A beam 16 wide of two rays, 10 apart: its f-number is that of a narrower beam; of single rays
    it is exact.
    """
    lens = IdealLens(p1=Point(0, -20), p2=Point(0, 20), focal_length=50, name="Lens")
    beam = Beam(p1=Point(-50, -8), p2=Point(-50, 8), name="Beam")
    screen = Detector(p1=Point(30, -20), p2=Point(30, 20), name="Screen")
    rays = [SingleRay(p1=Point(-50, y), p2=Point(0, y), name=f"Ray {y}") for y in (-8, 8)]
    text = "f_number(Lens); rms(Screen); focal_length(Lens)"
    assert notes(text, 0.1, beam, lens, screen) == [
        "of 2 rays; a higher ray density gives a better value"
    ] * 2 + [""]
    assert (
        notes(text, 2.0, beam, lens, screen)
        == notes(text, 0.1, *rays, lens, screen)
        == ["", "", ""]
    )


def test_notes_in_the_asked_unit() -> None:
    """A beam through a splitter and back, and light reflected at a plate: other values than the
    main one.
    """
    splitter = BeamSplitter(p1=Point(-10, -10), p2=Point(10, 10), name="Splitter")
    plate = Glass(
        path=(Vertex(20, -30), Vertex(30, -30), Vertex(25, 30), Vertex(20, 30)), name="Plate"
    )
    screen = Detector(p1=Point(60, -60), p2=Point(60, 60), name="Screen")
    document = Document(
        scene=Scene.of(
            [BEAM, splitter, plate, screen], Settings(color_mode="linear", ray_mode_density=3)
        )
    )
    with override_context(TracedScene.from_document(document, trace(document))):
        for text, unit, of_one in (
            ("direction(Splitter)", "mrad", math.pi / 0.18),
            ("width(Screen)", "cm", 0.1),
        ):
            found = [
                measure(text, unit=wanted).values["measure"][0]["note"] for wanted in ("", unit)
            ]
            plain, other = (re.search(r"it is (-?[\d.e+-]+) ?(\w+|°)", note) for note in found)
            assert plain is not None
            assert other is not None
            assert other[2] == unit
            assert float(other[1]) == pytest.approx(float(plain[1]) * of_one, rel=1e-5)


def notes(text: str, density: float, *objects: SceneObject) -> list[str]:
    document = Document(scene=Scene.of(objects, Settings(ray_mode_density=density)))
    with override_context(TracedScene.from_document(document, trace(document))):
        return [
            m.get("note", "")
            for m in ET.fromstring(agentic_tools.measure_xml(text)).iter("measure")
        ]
