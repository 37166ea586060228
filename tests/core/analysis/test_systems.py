"""Groups and instances of modules measured as one: telescopes and doublets by their closed forms."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from raybench.agent.questions.understanding import understand_sentence
from raybench.analysis import agentic_tools as tools
from raybench.analysis.context import TracedScene, override_context
from raybench.analysis.measures.bound import measure_values
from raybench.errors import RaybenchError
from raybench.files.document_file import document_from_json
from raybench.kinds.blockers import Aperture
from raybench.kinds.detectors import Detector
from raybench.kinds.glasses import Glass
from raybench.kinds.lenses import IdealLens
from raybench.kinds.mirrors import Mirror
from raybench.kinds.object import SceneObject
from raybench.kinds.sources import AngleSource, Beam, PointSource
from raybench.scene.changes.presets import AddPreset
from raybench.scene.document import Document
from raybench.scene.names import UnknownName
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.shapes.point import Point, Vertex
from raybench.trace.trace import trace

FIRST = IdealLens(p1=Point(0, -30), p2=Point(0, 30), focal_length=100, name="First")
SECOND = IdealLens(p1=Point(60, -30), p2=Point(60, 30), focal_length=50, name="Second")
LASER = Beam(p1=Point(-80, -4), p2=Point(-80, 4), brightness=1, name="Laser")
SCREEN = Detector(p1=Point(30, -40), p2=Point(30, 40), name="Between")
R1, R2, R3, D1, D2, N1, N2 = 61.47, -44.64, -129.94, 6.0, 2.5, 1.5168, 1.6727


def grouped(
    *objects: SceneObject, members: tuple[str, ...] = ("First", "Second"), density: float = 5.0
) -> Document:
    scene = Scene.of(objects, Settings(ray_mode_density=density, color_mode="linear"))
    return Document(
        scene=scene, groups={"Relay": frozenset(o.key for o in scene.objects if o.name in members)}
    )


def values(document: Document, text: str) -> list[float]:
    return [m.value for m in measure_values(text, document, trace(document.scene))]


def ask(document: Document, tool: Any, *arguments: str) -> str:
    with override_context(TracedScene.from_document(document, trace(document))):
        return str(tool(*arguments))


def test_focal_lengths_of_two_lenses() -> None:
    f = 1 / (1 / 100 + 1 / 50 - 60 / (100 * 50))
    document = grouped(LASER, FIRST, SECOND)
    found = values(
        document,
        "focal_length(Relay); nominal_focal_length(Relay); back_focal_length(Relay);"
        " image_distance(Relay)",
    )
    assert found == pytest.approx([f, f, f * (1 - 60 / 100), f * (1 - 60 / 100)])


def test_objects_are_measured_as_one_without_a_group() -> None:
    f = 1 / (1 / 100 + 1 / 50 - 60 / (100 * 50))
    document = replace(grouped(LASER, FIRST, SECOND, SCREEN), groups={})
    length, power = values(document, "focal_length(First + Second); power(First + Second, Laser)")
    assert length == pytest.approx(f)
    assert power == pytest.approx(values(document, "power(First)")[0])
    assert f"{f:.4f}"[:-1] in ask(document, tools.focus_xml, "First + Second")
    with pytest.raises(UnknownName, match=r"First \+ Third"):
        values(document, "focal_length(First + Third)")


@pytest.mark.parametrize("between", [(), (SCREEN,)])
def test_a_group_images_in_turn(
    between: tuple[SceneObject, ...],
) -> None:
    fan = AngleSource(p1=Point(-150, 2), p2=Point(0, 2), emis_angle=4, name="Fan")
    first = 1 / (1 / 100 - 1 / 150)
    second = 1 / (1 / 50 - 1 / (60 - first))
    magnification = (first / -150) * (second / -(60 - first))
    document = grouped(fan, FIRST, SECOND, *between)
    found = values(document, "image_distance(Relay); magnification(Relay); object_distance(Relay)")
    assert found == pytest.approx([second, magnification, 150], rel=1e-6)
    power, out, share = values(
        document, "power(Relay); transmitted(Relay); power(Second) / power(First)"
    )
    assert power == pytest.approx(out)
    assert share == pytest.approx(1)


def test_a_stop_among_the_lenses() -> None:
    f = 1 / (1 / 100 + 1 / 50 - 60 / (100 * 50))
    iris = Aperture(
        p1=Point(40, -60), p2=Point(40, 60), p3=Point(40, -0.5), p4=Point(40, 0.5), name="Iris"
    )
    document = grouped(LASER, FIRST, iris, SECOND, SCREEN)
    text = (
        "focal_length(Relay); stop_width(Relay); entrance_pupil(Relay);"
        " entrance_pupil_distance(Relay); transmitted(Relay)"
    )
    *found, through = values(document, text)
    pupil = 1 / (1 / 40 - 1 / 100)  # a virtual image behind the lens, seen through it
    assert found == pytest.approx([f, 1, pupil / 40, pupil], rel=1e-4)
    assert through == pytest.approx(values(document, "transmitted(Second)")[0])
    assert through < values(document, "power(Relay)")[0] / 4


def test_a_telescope_has_an_angular_magnification_and_no_other() -> None:
    telescope = grouped(LASER, FIRST, replace(SECOND, p1=Point(150, -30), p2=Point(150, 30)))
    angular, width_in, width_out = values(
        telescope, "angular_magnification(Relay); arriving_width(Relay); beam_width(Relay)"
    )
    assert angular == pytest.approx(-2)
    assert width_in / width_out == pytest.approx(2)
    length, size = measure_values(
        "focal_length(Relay); magnification(Relay)", telescope, trace(telescope.scene)
    )
    assert not length.defined
    assert "angular_magnification" in size.reason


@pytest.mark.parametrize(("unit", "power"), [("mm", 2.5), ("cm", 0.25)])
def test_magnifying_power_of_a_magnifier(unit: str, power: float) -> None:
    thing = PointSource(x=-70, y=0, brightness=1, name="Thing")
    document = replace(grouped(thing, FIRST, replace(SECOND, focal_length=-50)), unit=unit)
    assert values(document, "magnifying_power(First)") == pytest.approx([power])
    (found,) = measure_values("magnifying_power(Second)", document, trace(document.scene))
    assert "diverges" in found.reason


def test_magnifying_power_of_telescope_and_microscope() -> None:
    apart = [replace(SECOND, p1=Point(x, -30), p2=Point(x, 30)) for x in (150, 450)]
    assert values(grouped(LASER, FIRST, apart[0]), "magnifying_power(Relay)") == pytest.approx([-2])
    drop = AngleSource(
        p1=Point(-100 * 4 / 3, 0), p2=Point(0, 0), brightness=1, emis_angle=4, name="Drop"
    )
    # between the inner focal points: the power of the objective is that over its focal length
    tube = 300
    assert values(grouped(drop, FIRST, apart[1]), "magnifying_power(Relay)") == pytest.approx(
        [-tube / 100 * 250 / 50], rel=1e-6
    )


def test_galilean_and_folded_telescopes() -> None:
    eyepiece = IdealLens(p1=Point(50, -30), p2=Point(50, 30), focal_length=-50, name="Second")
    assert values(grouped(LASER, FIRST, eyepiece), "angular_magnification(Relay)") == pytest.approx(
        [2]
    )
    mirror = Mirror(p1=Point(60, -20), p2=Point(100, 20), name="Fold")
    folded = IdealLens(p1=Point(50, 70), p2=Point(110, 70), focal_length=50, name="Second")
    document = grouped(LASER, FIRST, mirror, folded, members=("First", "Second", "Fold"))
    assert values(
        document, "angular_magnification(Relay); beam_width(Relay) / arriving_width(Relay)"
    ) == pytest.approx([-2, 0.5])


@pytest.mark.parametrize("density", [0.4, 0.6, 1, 5])
@pytest.mark.parametrize(("form", "sign"), [("galilean", 1), ("keplerian", -1)])
def test_an_expander_with_few_rays(form: str, sign: int, density: float) -> None:
    """Its spherical aberration is larger than what a fit to few rays tells of their vergence."""
    beam = Beam(p1=Point(-50, -4.99), p2=Point(-50, 4.99), name="Laser")
    document = Document(scene=Scene.of([beam], Settings(ray_mode_density=density)))
    expander = {"magnification": 4, "beam": 10, "focalLength": 200, "form": form}
    document = AddPreset("BeamExpander", expander, at=Point(100, 0), as_="Relay").apply(document)
    (found,) = values(document, "angular_magnification(Relay)")
    assert found == pytest.approx(sign / 4, rel=1e-3)


def doublet() -> Document:
    h = 12.5

    def rim(radius: float, vertex: float, side: int) -> Vertex:
        return Vertex(
            vertex + radius - math.copysign(math.sqrt(radius**2 - h**2), radius), side * h
        )

    def body(front: float, back: float, at: float, thickness: float, n: float, name: str) -> Glass:
        path = (
            rim(front, at, -1), Vertex(at, 0, arc=True), rim(front, at, 1),
            rim(back, at + thickness, 1), Vertex(at + thickness, 0, arc=True), rim(back, at + thickness, -1),
        )  # fmt: skip
        return Glass(path=path, ref_index=n, partial_reflect=True, name=name)

    objects = (LASER, body(R1, R2, 0, D1, N1, "First"), body(R2, R3, D1, D2, N2, "Second"))
    return grouped(*objects)


def test_a_cemented_doublet() -> None:
    def surface(radius: float, before: float, after: float) -> np.ndarray:
        return np.array([[1, 0], [(before - after) / (radius * after), before / after]])

    def gap(d: float) -> np.ndarray:
        return np.array([[1, d], [0, 1]])

    (a, _), (c, _) = (
        surface(R3, N2, 1) @ gap(D2) @ surface(R2, N1, N2) @ gap(D1) @ surface(R1, 1, N1)
    ).tolist()
    found = values(
        doublet(), "nominal_focal_length(Relay); focal_length(Relay); back_focal_length(Relay)"
    )
    assert found == pytest.approx([-1 / c, -1 / c, -a / c], rel=1e-6)
    arriving, out, back, lost = values(
        doublet(), "power(Relay); transmitted(Relay); reflected(Relay); absorbed(Relay)"
    )
    faces = [((1 - N1) / (1 + N1)) ** 2, ((N1 - N2) / (N1 + N2)) ** 2, ((N2 - 1) / (N2 + 1)) ** 2]
    assert out + back <= arriving * (1 + 1e-9)
    once = math.prod(1 - face for face in faces)
    assert out / arriving == pytest.approx(once, rel=5e-3), "and what is reflected twice"
    assert back / arriving == pytest.approx(1 - once, rel=5e-2)
    assert lost == 0


def test_a_module_instance_is_measured() -> None:
    part = {
        "type": "IdealLens",
        "p1": {"x": "`x_1+at`", "y": "`y_1-20`"},
        "p2": {"x": "`x_1+at`", "y": "`y_1+20`"},
    }
    document = document_from_json({
        "version": 5, "rayModeDensity": 2,
        "objs": [
            {"type": "Beam", "name": "Star", "p1": {"x": -50, "y": -10}, "p2": {"x": -50, "y": 10}},
            {"type": "ModuleObj", "name": "Kepler", "module": "Kepler", "points": [{"x": 0, "y": 0}], "params": {"f": 200, "g": 40}},
        ],
        "modules": {"Kepler": {"numPoints": 1, "params": ["f=1:1:500:200", "g=1:1:500:40"], "objs": [
            part | {"name": "Objective", "p1": {"x": "`x_1`", "y": "`y_1-20`"}, "p2": {"x": "`x_1`", "y": "`y_1+20`"},
                    "focalLength": "`f`"},
            part | {"name": "Eyepiece", "p1": {"x": "`x_1+f+g`", "y": "`y_1-20`"}, "p2": {"x": "`x_1+f+g`", "y": "`y_1+20`"},
                    "focalLength": "`g`"},
        ]}},
    })  # fmt: skip
    assert values(
        document, "angular_magnification(Kepler); power(Kepler) / emitted()"
    ) == pytest.approx([-5, 1])
    assert 'angular_magnification="-5"' in ask(document, tools.image_xml, "Kepler")


@pytest.mark.parametrize(
    "tool",
    [tools.image_xml, tools.beams_xml, tools.focus_xml, tools.spot_xml, tools.who_lights_what_xml],
)
def test_tools_take_the_name_of_a_group(tool: Any) -> None:
    assert "Relay" in ask(grouped(LASER, FIRST, SECOND), tool, "Relay")


def test_edges_of_a_group() -> None:
    found = ask(
        grouped(LASER, FIRST, SECOND, Mirror(p1=Point(60, -20), p2=Point(100, 20), name="Fold")),
        tools.describe_edges_xml,
        "Relay",
    )
    assert re.findall(r'<object name="(\w+)"', found) == ["First", "Second"]


@pytest.mark.parametrize(
    ("question", "tool"),
    [
        ("where is the image of Relay", "image_xml"),
        ("which beams leave the relay", "beams_xml"),
        ("what is the angular magnification of Relay?", "measure_xml"),
        ("focal length of Relay", "measure_xml"),
        ("what leaves Relay?", "beams_xml"),
    ],
)
def test_plain_questions_name_groups(question: str, tool: str) -> None:
    found = understand_sentence(question, grouped(LASER, FIRST, SECOND))
    assert found.tool == tool
    assert "Relay" in str(found.arguments)


def test_what_cannot_be_told_of_a_group_says_so() -> None:
    with pytest.raises(RaybenchError, match="'Relay' \\(group\\) is not a detector"):
        values(grouped(LASER, FIRST, SECOND), "normal_force(Relay)")
    assert not understand_sentence(
        "Which rays are inside Relay?", grouped(LASER, FIRST, SECOND)
    ).tool
    with pytest.raises(RaybenchError, match=r"Groups: Relay\. Did you mean the group 'Relay'\?$"):
        values(grouped(LASER, FIRST, SECOND), "power(relay)")
    with pytest.raises(RaybenchError, match=r"Groups: Relay\.$"):
        values(grouped(LASER, FIRST, SECOND), "power(Objective)")


def test_a_pattern_with_gaps() -> None:
    screen = Detector(p1=Point(120, -40), p2=Point(120, 40), name="Screen")
    document = grouped(LASER, FIRST, SECOND, screen)
    assert "Write * between the steps" in ask(document, tools.find_paths_xml, "Laser > Screen")
    assert "hint" not in ask(document, tools.find_paths_xml, "Laser > * > Screen")
    assert "hint" not in ask(document, tools.find_paths_xml, "Laser > Second > First")
