"""Questions in the words of students and engineers, also in poor English, with answers by closed
forms or what could be asked instead.
"""

from __future__ import annotations

import math

import pytest

from raybench.agent.by_hand.command_line import ask
from raybench.agent.models.keywords import understand
from raybench.agent.models.suggestions import near, questions
from raybench.kinds.blockers import Aperture
from raybench.kinds.detectors import Detector
from raybench.kinds.glasses import Glass
from raybench.kinds.gratings import DiffractionGrating
from raybench.kinds.lenses import IdealLens, SphericalLens
from raybench.kinds.mirrors import Mirror
from raybench.kinds.object import SceneObject
from raybench.kinds.sources import Beam, PointSource, SingleRay
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.session import Session
from raybench.shapes.point import Point, Vertex


def scene(*objects: SceneObject, **settings: object) -> Document:
    return Document(scene=Scene.of(objects).with_settings(color_mode="linear", **settings))


LENS = IdealLens(p1=Point(0, -25), p2=Point(0, 25), focal_length=100.0, name="Lens")
SCREEN = Detector(p1=Point(300, -60), p2=Point(300, 60), name="Screen")
IMAGING = scene(LENS, PointSource(x=-150, y=0, name="Lamp"), SCREEN, ray_mode_density=1.0)
PRISM = Glass(
    path=(Vertex(-50, 50), Vertex(50, 50), Vertex(0, 50 - 50 * math.sqrt(3))),
    ref_index=1.5,
    name="Prism",
)
PRISMATIC = scene(PRISM, SingleRay(p1=Point(-100, 30), p2=Point(-99, 29.6), name="Ray"), SCREEN)
GRATING = DiffractionGrating(p1=Point(0, -20), p2=Point(0, 20), line_density=300, name="Grating")
COLOURS = [
    SingleRay(p1=Point(-50, y), p2=Point(-49, y), wavelength=nm, name=name)
    for y, nm, name in ((0, 500, "Blue"), (0.001, 600, "Red"))
]
SPECTRAL = scene(GRATING, *COLOURS, SCREEN, simulate_colors=True)
IRIS = Aperture(p1=Point(0, -50), p2=Point(0, 50), p3=Point(0, -5), p4=Point(0, 5), name="Iris")
STOPPED = scene(
    IRIS, Beam(p1=Point(-50, -20), p2=Point(-50, 20), name="Laser"), SCREEN, ray_mode_density=1.0
)
DARK = scene(PRISM, LENS, SCREEN)
THICK = scene(
    SphericalLens(
        p1=Point(0, -20), p2=Point(0, 20), def_by="DR1R2", params={"d": 6.0, "r1": 100.0, "r2": -100.0}, ref_index=1.5,
        partial_reflect=False, name="Thick",
    ),
    Beam(p1=Point(-50, -10), p2=Point(-50, 10), name="Laser"), ray_mode_density=1.0,
)  # fmt: skip
FOCAL = 1 / (0.01 - 0.5 * 6 / 1.5 * 0.5 / 100**2)
REAR = -FOCAL * 0.5 * 6 / (1.5 * 100)
"""The focal length of a thick lens and its rear principal plane (Hecht, section 6.1)."""
WIDTH = 19.0
"""The width of 20 rays at a distance of 1."""


def answer(question: str, document: Document) -> str:
    found = ask(Session(document), question)
    assert not found.error, found.error
    return found.text


@pytest.mark.parametrize(
    ("document", "question", "says"),
    [
        (IMAGING, "where does the light focus?", "Best focus 300 mm after the last surface of Lens"),
        (IMAGING, "where do the rays cross?", "Best focus 300 mm after"),
        (IMAGING, "Where is the image?", "Lens forms a real image of Lamp 300 mm after"),
        (IMAGING, "how many cm is the image from the lens", "is 30 cm"),
        (IMAGING, "what is the focal length in inches", f"is {100 / 25.4:.6g} in"),
        (STOPPED, "time of flight", f"is {350e-3 / 299_792_458 * 1e12:.6g} ps"),
        (STOPPED, "how long does light take from Laser to Screen in ns", f"is {350e-3 / 299_792_458 * 1e9:.6g} ns"),
        (PRISMATIC, "What is the minimum deviation of the prism?", f"is {math.degrees(2 * math.asin(0.75)) - 60:.6g}°"),
        (PRISMATIC, "apex angle", "The refracting angle of Prism is 60°"),
        (SPECTRAL, "angle of the first order for Red", f"is -{math.degrees(math.asin(0.18)):.6g}°, clockwise"),
        (SPECTRAL, "angular separation between Blue and Red in first order after Grating",
         f"is {math.degrees(math.asin(0.18) - math.asin(0.15)):.6g}°"),
        (SPECTRAL, "what is the diffraction efficiency of the first order for Red", f"in order 1 is {1 / math.pi**2:.6g} "),
        (SPECTRAL, "what is the efficiency of the zero order for blue light?", "from Blue has when it leaves Grating in order 0 is 0.25 "),
        (SPECTRAL, "efficiency of Grating in order -1 for Red", f"leaves Grating in order -1 is {1 / math.pi**2:.6g} "),
        (SPECTRAL, "how much light goes into the zero order?", "is 0.25 (relative power; of Blue; of Red it is 0.25 relative power)"),
        (SPECTRAL, "resolving power in first order for Red", "The resolving power of Grating for the light from Red in order 1 is "),
        (THICK, "where is the rear principal plane of the lens?", f"principal plane is {REAR:.6g} mm, before that surface"),
        (THICK, "where is the front principal point?", f"principal plane is {-REAR:.6g} mm, behind that surface"),
        (THICK, "what is the paraxial image distance?", f"is {FOCAL + REAR:.6g} mm"),
        (THICK, "how much spherical aberration does the lens have?", "The longitudinal spherical aberration of Thick is -"),
        (THICK, "what is the numerical aperture of the beam after Thick?", "The numerical aperture of the light that leaves Thick is 0.0"),
        (THICK, "what is the convergence angle of the beam after Thick?", "that leaves Thick is 10.8"),
        (THICK, "which element is the aperture stop?", "Thick limits the light"),
        (THICK, "entrance pupil diameter", "The width of the entrance pupil of Thick is 40 mm"),
        (THICK, "what is the diameter of the beam entering the lens?", f"where it arrives at Thick is {WIDTH:.6g} mm"),
        (THICK, "which element limits the light?", "Thick limits the light"),
        (THICK, "what's the beam diameter at the lens?", f"where it arrives at Thick is {WIDTH:.6g} mm"),
        (THICK, "how wide is the beam on Thick?", f"where it arrives at Thick is {WIDTH:.6g} mm"),
        (THICK, "what is the optical power of the lens in dioptres?", f"alone in air is {1000 / FOCAL:.6g} dpt, converging"),
        (THICK, "refractive power of Thick in diopters", f"alone in air is {1000 / FOCAL:.6g} dpt, converging"),
        (THICK, "what is the power of the lens in D?", f"alone in air is {1000 / FOCAL:.6g} dpt, converging"),
        (THICK, "how many dioptres does Thick have?", f"alone in air is {1000 / FOCAL:.6g} dpt, converging"),
        (IMAGING, "working distance of the lens", "is 150 mm; the distance from the last surface of Lens to the best focus is 300 mm"),
        (THICK, "edge thickness of the lens", f"is {6 - 2 * (100 - math.sqrt(100**2 - 20**2)):.6g} mm"),
        (THICK, "how thick is Thick at the rim?", "The edge thickness of Thick is"),
        (THICK, "what is the ratio of the power at Thick to the emitted power?", "The value of power(Thick) / emitted() is 1 "),
        (THICK, "ratio of the centre thickness to the edge thickness of Thick", "thickness(Thick) / edge_thickness(Thick) is 3.06251"),
        (THICK, "ratio of the focal length of Thick to the diameter of Thick", f"is {FOCAL / 40:.6g}"),
        (STOPPED, "is the light at normal incidence on Screen?", "The mean angle of incidence at Screen is 0°; the largest"),
        (STOPPED, "does the light hit the screen at normal incidence?", "The mean angle of incidence at Screen is 0°; the largest"),
        (STOPPED, "is Screen at normal incidence", "The mean angle of incidence at Screen is 0°; the largest"),
        (STOPPED, "which rays are stronger than 1/1000?", "with a power of more than 0.001"),
        (STOPPED, "how wide is the beam at Screen?", "The full width of the light on Screen is"),
        (STOPPED, "how much light gets past the iris?", "The power that goes through Iris is"),
        (STOPPED, "where is the centre of the spot on Screen?", "on Screen from its first end is 60 mm"),
        (STOPPED, "what is the standard deviation of the light on Screen?", "The RMS radius of the light on Screen is"),
        (IMAGING, "where must the screen be for the sharpest image?", "on Screen; smallest there"),
        (IMAGING, "where is the image formed by Lens?", "Lens forms a real image of Lamp 300 mm after"),
        (IMAGING, "is the screen at the best focus?", "on Screen; smallest there"),
        (IMAGING, "where is the real image of Lamp?", "Lens forms a real image of Lamp 300 mm after"),
        (SPECTRAL, "how far apart are Blue and Red on the screen", "of light in the orders -1, 0 and 1 together"),
        (SPECTRAL, "what wavelength has Blue", "wavelength 500 nm"),
        (STOPPED, "what fraction of the light is blocked by the iris", "(75 %)"),
        (STOPPED, "how much light goes to Screen", "(25 %)"),
        (STOPPED, "how many percent of the light hit Screen", "(25 %)"),
        (STOPPED, "which ray is brightest at the detector?", "The largest power of one ray that arrives at Screen is "),
    ],
)  # fmt: skip
def test_a_common_question_is_answered_right(document: Document, question: str, says: str) -> None:
    assert says in answer(question, document)


@pytest.mark.parametrize(
    "verb", ["measure", "Calculate", "please compute", "determine", "evaluate", "report", "get"]
)
def test_a_quantity_is_asked_for_by_any_verb(verb: str) -> None:
    for quantity in ("the power at Screen", "power(Screen)"):
        assert understand(f"{verb} {quantity}", IMAGING).arguments == {"measures": "power(Screen)"}


def test_the_width_before_an_object_is_asked_for_as_that_behind_it() -> None:
    for where, measure in (
        ("before", "arriving_width"),
        ("in front of", "arriving_width"),
        ("after", "beam_width"),
    ):
        assert understand(f"What is the width of the beam {where} Lens?", IMAGING).arguments == {
            "measures": f"{measure}(Lens)"
        }


def test_a_field_is_named_as_studies_name_it() -> None:
    for question, line_density in (
        ("set Grating.lineDensity to 600", 600),
        ("double grating.linedensity", 600),
    ):
        found = understand(question, SPECTRAL)
        assert (found.tool, found.arguments) == (
            "change_scene",
            {"changes": [{"set": "Grating", "lineDensity": line_density}]},
        )
    assert "line density 300 1/mm" in answer("what is Grating.lineDensity?", SPECTRAL)
    first = IdealLens(p1=Point(0, -25), p2=Point(0, 25), focal_length=100.0, name="First lens")
    assert understand("set First lens.focalLength to 5 cm", scene(first, LENS)).arguments == {
        "changes": [{"set": "First lens", "focalLength": 50.0}]
    }


def test_a_question_without_its_object_is_completed() -> None:
    mirrors = [
        Mirror(p1=Point(x, -20), p2=Point(x + 40, 20), name=name)
        for x, name in ((100, "M1"), (200, "M2"))
    ]
    document = scene(*mirrors, SingleRay(p1=Point(0, 0), p2=Point(1, 0), name="Ray"))
    assert (
        understand("which direction does the light leave", document).problem
        == "Which object? There are: M1, M2."
    )
    suggested = near("which direction does the light leave", document)
    assert suggested == (
        "Which direction does the light leave M1?",
        "Which direction does the light leave M2?",
    )
    assert all(understand(s, document).tool == "measure_xml" for s in suggested)
    assert near("Where is the focus?", document) == (
        "Where is the focus after M1?",
        "Where is the focus after M2?",
    )


def test_of_many_objects_the_first_are_listed_and_suggested() -> None:
    mirrors = [
        Mirror(p1=Point(100 + x, -20), p2=Point(140 + x, 20), name=f"M{x}") for x in range(50)
    ]
    document = scene(*mirrors, SingleRay(p1=Point(0, 0), p2=Point(1, 0), name="Ray"))
    problem = understand("which direction does the light leave", document).problem
    assert problem.endswith("M10, M11 and 38 more.")
    assert (
        near("which direction does the light leave", document)[0]
        == "Which direction does the light leave M0?"
    )


@pytest.mark.parametrize(
    "question",
    [
        "where is the ligth",
        "how many reys",
        "power please",
        "which beem",
        "brightest",
        "losses of power",
    ],
)
def test_without_a_source_no_question_about_light_is_suggested(question: str) -> None:
    for suggested in (*near(question, DARK), *questions(DARK)):
        found = understand(suggested, DARK)
        measures = (found.arguments or {}).get("measures", "")
        assert found.tool in ("describe_scene_xml", "describe_edges_xml", "refractive_index_xml", "fresnel_xml", "nested_bodies_xml",
                              "find_glass", "read_objects", "change_scene", "compare") or measures.startswith(
            ("distance", "gap", "axial_gap", "nominal_focal_length", "optical_power", "guide_aperture", "acceptance_angle", "stability")
        ), (suggested, found)  # fmt: skip


@pytest.mark.parametrize("name", ["doublet", "triplet", "telescope", "assembly"])
def test_a_group_may_be_named_by_a_noun_for_groups(name: str) -> None:
    found = understand(f"group Lens and Screen as {name}", DARK)
    assert found.tool == "change_scene"
    assert found.arguments == {"changes": [{"group": ["Lens", "Screen"], "as": name.capitalize()}]}


def test_a_unit_of_another_dimension_is_refused() -> None:
    assert "in cm" in understand("power at Screen in cm", IMAGING).problem
    assert understand("focal length of Lens in furlongs", IMAGING).tool == ""
