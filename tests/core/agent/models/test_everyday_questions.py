"""What an engineer asks in the first hour: understood in ordinary words, and answered with the
value of the closed form.
"""

from __future__ import annotations

import math
import re
from typing import Any

import pytest

from raybench.agent.by_hand.command_line import Reply, ask
from raybench.agent.models.keywords import understand
from raybench.agent.models.suggestions import near
from raybench.files.shared import read_shared
from raybench.kinds.blockers import Blocker
from raybench.kinds.detectors import Detector
from raybench.kinds.glasses import Glass
from raybench.kinds.gratings import DiffractionGrating
from raybench.kinds.lenses import IdealLens, SphericalLens
from raybench.kinds.mirrors import Mirror
from raybench.kinds.module_instance import ModuleObj
from raybench.kinds.sources import Beam, PointSource, SingleRay
from raybench.scene.changes import Move
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.session import Session
from raybench.shapes.point import Point, Vertex

BENCH = Document(
    scene=Scene.of(
        [
            PointSource(name="Top", x=-150, y=-10, brightness=1),
            PointSource(name="Middle", x=-150, y=0, brightness=1),
            IdealLens(name="Lens", p1=Point(0, -30), p2=Point(0, 30), focal_length=100),
            IdealLens(name="Relay", p1=Point(900, -30), p2=Point(900, 30), focal_length=50),
            Detector(name="Screen", p1=Point(280, -60), p2=Point(280, 60)),
            Blocker(name="Dump", p1=Point(500, -400), p2=Point(500, 400)),
        ],
        Settings(ray_mode_density=2),
    )
)
INDEX = {"Red": 1.51, "Blue": 1.53}
DISPERSING = Document(
    scene=Scene.of(
        [
            SingleRay(name="Red", p1=Point(-100, 0), p2=Point(0, 0), wavelength=1000.0),
            SingleRay(name="Blue", p1=Point(-100, 0), p2=Point(0, 0), wavelength=500.0),
            Glass(name="Prism", path=(Vertex(0, -50), Vertex(0, 50), Vertex(50, 50)), ref_index=1.5033333333, cauchy_b=0.0066666667,
                  partial_reflect=False),
            Detector(name="CCD", p1=Point(200, -200), p2=Point(200, 200)),
        ],
        Settings(simulate_colors=True),
    )
)  # fmt: skip


@pytest.mark.parametrize(
    ("question", "tool", "arguments"),
    [
        ("How far is Lens from Screen?", "measure_xml", {"measures": "distance(Lens, Screen); gap(Lens, Screen)"}),
        ("how far apart are Lens and Screen along the axis", "measure_xml", {"measures": "axial_gap(Lens, Screen)"}),
        ("distance between all lenses and Screen", "measure_xml",
         {"measures": "distance(Lens, Screen); distance(Relay, Screen); gap(Lens, Screen); gap(Relay, Screen)"}),
        ("power(Screen) / power(Lens)", "measure_xml", {"measures": "power(Screen) / power(Lens)"}),
        ("show me power(screen) and rms(screen, Top)", "measure_xml", {"measures": "power(Screen); rms(Screen, Top)"}),
        ("what does power(Screen) become if Lens is moved 5 mm to the right", "what_if",
         {"changes": [{"move": "Lens", "dx": 5.0, "dy": 0.0}], "measures": "power(Screen)"}),
        ("what happens to the separation of Top and Middle on Screen if Lens is moved 5 mm to the right", "what_if",
         {"changes": [{"move": "Lens", "dx": 5.0, "dy": 0.0}], "measures": "separation(Screen, Top, Middle)"}),
        ("what is the magnification of Lens if its focal length is 80 mm", "what_if",
         {"changes": [{"set": "Lens", "focalLength": 80.0}], "measures": "magnification(Lens)"}),
        ("set the wavelength of all sources to 532 nm", "change_scene",
         {"changes": [{"set": "Top", "wavelength": 532.0}, {"set": "Middle", "wavelength": 532.0}]}),
        ("rotate Lens by 1/3 degree", "change_scene", {"changes": [{"rotate": "Lens", "by": 1 / 3}]}),
        ("turn Lens by 22 1/2 degrees", "change_scene", {"changes": [{"rotate": "Lens", "by": 22.5}]}),
        ("set Top to 546 nm", "change_scene", {"changes": [{"set": "Top", "wavelength": 546.0}]}),
        ("tune Top and Middle to 500nm", "change_scene",
         {"changes": [{"set": "Top", "wavelength": 500.0}, {"set": "Middle", "wavelength": 500.0}]}),
        ("move Screen to x = 600", "change_scene", {"changes": [{"move": "Screen", "dx": 320.0, "dy": 0.0}]}),
        ("put Lens at y=10 mm, x=-20", "change_scene", {"changes": [{"move": "Lens", "dx": -20.0, "dy": 10.0}]}),
        ("what is the power at Screen if Lens is moved to x = 1 cm", "what_if",
         {"changes": [{"move": "Lens", "dx": 10.0, "dy": 0.0}], "measures": "power(Screen)"}),
        ("disable both sources", "change_scene", {"changes": [{"disable": ["Top", "Middle"]}]}),
        ("increase the focal length of all the lenses by 10%", "change_scene",
         {"changes": [{"set": "Lens", "focalLength": 110.0}, {"set": "Relay", "focalLength": 55.0}]}),
        ("group Lens and Relay as telescope", "change_scene", {"changes": [{"group": ["Lens", "Relay"], "as": "Telescope"}]}),
        ("move the screen to the best focus", "move_to_focus", {"detector_name": "Screen"}),
        ("put the screen in the focus of Middle", "move_to_focus", {"detector_name": "Screen", "source_name": "Middle"}),
        ("how wide is the spot of Middle on Screen", "spot_xml", {"object_name": "Screen", "source_name": "Middle"}),
        ("what angle do the rays hit the screen at", "measure_xml", {"measures": "incidence(Screen)"}),
        ("what is the largest angle of incidence on Screen", "measure_xml", {"measures": "largest_incidence(Screen)"}),
        ("what f-number does Lens have", "measure_xml", {"measures": "f_number(Lens)"}),
        ("what is the f/# of Lens", "measure_xml", {"measures": "f_number(Lens)"}),
        ("which object absorbs most of the light", "losses_xml", {}),
        ("where is the light of Top lost", "losses_xml", {"source_name": "Top"}),
        ("set the largest depth to 50", "change_scene", {"changes": [{"settings": {"maxRayDepth": 50.0}}]}),
        ("what if the ray density is 5", "what_if",
         {"changes": [{"settings": {"rayModeDensity": 5.0}}], "measures": "power(Screen); centroid(Screen); rms(Screen)"}),
        ("simulate colours", "change_scene", {"changes": [{"settings": {"simulateColors": True}}]}),
        ("how many rays does Top emit", "find_rays_xml", {"source": "Top", "interaction": "source"}),
        ("how many rays come from Top", "find_rays_xml", {"source": "Top", "interaction": "source"}),
        ("which rays start at Top", "find_rays_xml", {"source": "Top", "interaction": "source"}),
        ("how many rays from Top escape", "find_rays_xml", {"source": "Top", "status": "escaped"}),
        ("which rays come from Middle", "find_rays_xml", {"source": "Middle"}),
        ("what is the distance between the lenses", "measure_xml", {"measures": "distance(Lens, Relay); gap(Lens, Relay)"}),
        ("how far apart are the two lenses", "measure_xml", {"measures": "distance(Lens, Relay); gap(Lens, Relay)"}),
        ("are the lenses parallel?", "measure_xml", {"measures": "angle_between(Lens, Relay)"}),
        ("is Lens perpendicular to Dump", "measure_xml", {"measures": "angle_between(Lens, Dump)"}),
        ("is Lens converging or diverging?", "measure_xml", {"measures": "nominal_focal_length(Lens); focal_length(Lens)"}),
        ("what is the focal point of Lens", "focus_xml", {"object_name": "Lens"}),
        ("how big is the spot at the focus of Lens", "measure_xml", {"measures": "spot_rms(Lens); spot_width(Lens); focus(Lens)"}),
        ("what would the power on Screen be if I moved Lens 20 to the left", "what_if",
         {"changes": [{"move": "Lens", "dx": -20.0, "dy": 0.0}], "measures": "power(Screen)"}),
        ("what is the biggest angle of incidence on Screen", "measure_xml", {"measures": "largest_incidence(Screen)"}),
        ("how many objects are there?", "describe_scene_xml", {}),
        ("how many lenses are there", "read_objects", {"names": ["Lens", "Relay"]}),
        ("list all point sources", "read_objects", {"names": ["Top", "Middle"]}),
        ("how many rays are there in total?", "ray_statistics_xml", {}),
        ("explain this scene", "describe_scene_xml", {}),
        ("how much light is absorbed?", "measure_xml", {"measures": "absorbed()"}),
        ("what blocks the light?", "losses_xml", {}),
        ("how much light leaves Lens?", "measure_xml", {"measures": "transmitted(Lens)"}),
        ("how much light is lost to reflection at Lens", "measure_xml", {"measures": "reflected(Lens)"}),
        ("what is the angle of the outgoing light behind Lens", "measure_xml", {"measures": "direction(Lens)"}),
        ("What is a lens?", "search_help", {"query": "What is a lens?"}),
        ("zoom in", "search_help", {"query": "how to zoom in"}),
        ("lock Lens", "search_help", {"query": "how to lock"}),
        ("rename Lens to Front", "search_help", {"query": "how to rename to Front"}),
        ("Export the picture as SVG", "search_help", {"query": "how to Export the picture as SVG"}),
        ("how often does Top hit Dump", "measure_xml", {"measures": "rays(Dump, Top)"}),
        ("what is the radius of curvature of Lens", "describe_edges_xml", {"object_name": "Lens"}),
        ("what has changed since revision 7", "compare", {"revision": 7}),
        ("what did I change?", "compare", {}),
        ("what is different from the saved file", "compare", {}),
        ("compare with revision 7: power(Screen)", "compare", {"revision": 7, "measures": "power(Screen)"}),
        ("Move Screen 10 mm towards the Dump", "change_scene", {"changes": [{"move": "Screen", "dx": 10.0, "dy": 0.0}]}),
        ("move Screen closer to Lens by 1 cm", "change_scene", {"changes": [{"move": "Screen", "dx": -10.0, "dy": 0.0}]}),
        ("move Top 20 mm away from Middle", "change_scene", {"changes": [{"move": "Top", "dx": 0.0, "dy": -20.0}]}),
        ("place the screen 100 mm from Lens", "change_scene", {"changes": [{"move": "Screen", "dx": -180.0, "dy": 0.0}]}),
        ("what is the power at Screen if Screen is moved 30 mm towards Lens", "what_if",
         {"changes": [{"move": "Screen", "dx": -30.0, "dy": 0.0}], "measures": "power(Screen)"}),
        ("what fraction of the light from Top ends at Dump", "measure_xml", {"measures": "share(Dump, Top)"}),
        ("what fraction of the sunlight hits the screen", "measure_xml", {"measures": "share(Screen)"}),
        ("how much light reaches Screen compared to the Dump?", "measure_xml",
         {"measures": "power(Screen); power(Dump); share(Screen); share(Dump)"}),
        ("What is the strongest ghost?", "find_ghosts_xml", {"object_name": "Screen"}),
        ("How much power do the ghosts carry in total?", "find_ghosts_xml", {"object_name": "Screen"}),
        ("how strongly does Lens bend light?", "measure_xml", {"measures": "deviation(Lens)"}),
        ("list all ghost paths", "find_ghosts_xml", {"object_name": "Screen"}),
        ("which surfaces cause the ghosts on the screen?", "find_ghosts_xml", {"object_name": "Screen"}),
        ("where does the light leave Lens", "measure_xml", {"measures": "beam_x(Lens); beam_y(Lens)"}),
        ("at which point does Top leave Lens", "measure_xml", {"measures": "beam_x(Lens, Top); beam_y(Lens, Top)"}),
        ("is the spot centred on Screen", "measure_xml", {"measures": "centroid(Screen); diameter(Screen)"}),
        ("how far is the spot from the centre of Screen", "measure_xml", {"measures": "centroid(Screen); diameter(Screen)"}),
        ("where is the brightest spot on Screen", "detector_xml", {"detector_name": "Screen"}),
        ("is there a ghost?", "find_ghosts_xml", {"object_name": "Screen"}),
        ("which surface absorbs the most light", "losses_xml", {}),
        ("where is most of the power lost", "losses_xml", {}),
        ("where are the rays that hit Screen", "find_rays_xml", {"hits": "Screen"}),
        ("where does Top appear through Lens", "image_xml", {"object_name": "Lens", "source_name": "Top"}),
        ("what is the apparent depth of Middle behind Relay", "image_xml", {"object_name": "Relay", "source_name": "Middle"}),
    ],
)  # fmt: skip
def test_it_is_understood(question: str, tool: str, arguments: dict[str, Any]) -> None:
    found = understand(question, BENCH)
    assert (found.problem, found.tool, found.arguments) == ("", tool, arguments)


FOLDED = Document(
    scene=Scene.of(
        [
            Beam(name="Sun", p1=Point(0, -5), p2=Point(0, 5)),
            Mirror(name="Fold", p1=Point(90, -10), p2=Point(110, 10)),
            Mirror(name="Back", p1=Point(90, 90), p2=Point(110, 110)),
            IdealLens(name="L1", p1=Point(150, 80), p2=Point(150, 120), focal_length=-30),
            IdealLens(name="L2", p1=Point(160, 80), p2=Point(160, 120), focal_length=50),
            Detector(name="Screen", p1=Point(200, 80), p2=Point(200, 120)),
        ],
    )
)  # fmt: skip


@pytest.mark.parametrize(
    ("question", "tool", "arguments"),
    [
        ("How often is the light reflected before it reaches Screen?", "find_paths_xml", {"pattern": "* > Screen"}),
        ("how many times does the light of Sun bounce before it hits the screen", "find_paths_xml", {"pattern": "Sun > * > Screen"}),
        ("how often is Sun reflected on its way to Screen", "find_paths_xml", {"pattern": "Sun > * > Screen"}),
        ("how many reflections are there between Sun and Screen?", "find_paths_xml", {"pattern": "Sun > * > Screen"}),
        ("how many bounces before Screen?", "find_paths_xml", {"pattern": "* > Screen"}),
        ("Which mirror is hit first?", "find_paths_xml", {"pattern": "* > Fold | Back > *"}),
        ("which mirror does the light meet first", "find_paths_xml", {"pattern": "* > Fold | Back > *"}),
        ("what does the light hit first?", "find_paths_xml", {"pattern": "* > ? > *"}),
        ("which object is hit by the beam first", "find_paths_xml", {"pattern": "* > ? > *"}),
        ("how often is the light reflected?", "measure_xml", {"measures": "reflections(); most_reflections()"}),
        ("how many times is the light from Sun reflected", "measure_xml", {"measures": "reflections(Sun); most_reflections(Sun)"}),
        ("which path does the light take?", "rank_paths_by_energy_xml", {}),
        ("Which lens is the strongest?", "measure_xml",
         {"measures": "nominal_focal_length(L1); nominal_focal_length(L2)", "order": "smallest first"}),
        ("what is the weakest lens", "measure_xml",
         {"measures": "nominal_focal_length(L1); nominal_focal_length(L2)", "order": "largest first"}),
        ("which is the brightest source?", "measure_xml", {"measures": "emitted(Sun)", "order": "largest first"}),
    ],
)  # fmt: skip
def test_the_order_of_light_and_the_strength_of_lenses_are_asked_for(
    question: str, tool: str, arguments: dict[str, Any]
) -> None:
    found = understand(question, FOLDED)
    assert (found.problem, found.tool, found.arguments) == ("", tool, arguments)


def test_the_strongest_lens_is_that_with_the_shortest_focal_length_of_either_sign() -> None:
    assert ask(Session(FOLDED), "which lens is the strongest?").text.startswith(
        "Smallest first: the focal length of L1 alone in air is -30"
    )


@pytest.mark.parametrize(
    "question",
    [
        "What is the combined focal length of L1 and L2?",
        "focal length of L1 and L2 together",
        "combined focal length of both lenses",
    ],
)
def test_objects_taken_together_are_measured_as_the_group_that_they_are(question: str) -> None:
    """1 / f = 1 / f1 + 1 / f2 - d / (f1 f2)."""
    session = Session(FOLDED)
    assert "Group them first: “group L1 and L2 as system”" in ask(session, question).problem
    ask(session, "group L1 and L2 as system", profile="auto")
    focal_length = 1 / (1 / -30 + 1 / 50 - 10 / (-30 * 50))
    assert (
        f"The focal length of System alone in air is {focal_length:.6g} mm"
        in ask(session, question).text
    )


@pytest.mark.parametrize(
    ("question", "problem"),
    [
        ("which prism is hit first?", "There is no prism in this scene."),
        ("what is the strongest grating", "“strongest grating”"),
        ("combined focal length of L1", "“combined”"),
        ("how many reflections are there between Fold and Back", "between Fold and Back"),
        ("combined power of L1 and L2 at Screen", "at Screen"),
    ],
)
def test_what_has_no_order_or_strength_is_refused(question: str, problem: str) -> None:
    found = understand(question, FOLDED)
    assert (found.tool, problem in found.problem) == ("", True), found.problem


@pytest.mark.parametrize(
    ("question", "tool", "arguments"),
    [
        (
            "what is the angle between Red and Blue after Prism",
            "measure_xml",
            {"measures": "angular_separation(Prism, Red, Blue)"},
        ),
        (
            "what is the critical angle of Prism for Blue",
            "refractive_index_xml",
            {"glass_name": "Prism", "wavelength": 500.0},
        ),
        (
            "at what angle does Red hit the left face of Prism",
            "measure_xml",
            {"measures": "edge_incidence(Prism:W, Red)"},
        ),
        (
            "at what angle does the light leave Prism",
            "measure_xml",
            {"measures": "direction(Prism)"},
        ),
        (
            "how far is the light displaced by Prism",
            "measure_xml",
            {"measures": "displacement(Prism)"},
        ),
        (
            "change the prism to N-SF11",
            "change_scene",
            {"changes": [{"material": "Prism", "name": "N-SF11"}]},
        ),
        ("what material is the prism made of?", "refractive_index_xml", {"glass_name": "Prism"}),
        (
            "at which angle does total reflection start in the prism?",
            "refractive_index_xml",
            {"glass_name": "Prism"},
        ),
        (
            "find the best focus",
            "measure_xml",
            {"measures": "focus(Prism); focus_x(Prism); focus_y(Prism); spot_rms(Prism)"},
        ),
        ("what is Prism made of", "refractive_index_xml", {"glass_name": "Prism"}),
        (
            "by what angle does Prism deviate the light",
            "measure_xml",
            {"measures": "deviation(Prism)"},
        ),
    ],
)
def test_colours_and_faces_are_understood(
    question: str, tool: str, arguments: dict[str, Any]
) -> None:
    found = understand(question, DISPERSING)
    assert (found.problem, found.tool, found.arguments) == ("", tool, arguments)


@pytest.mark.parametrize(
    ("question", "problem"),
    [
        ("set the wavelength of all mirrors to 532 nm", "There is no mirror in this scene."),
        ("how far is the screen from all lenses and the moon", "“moon”"),
        (
            "set the wavelength to 600 nm",
            "Whose wavelength? Such as: set the wavelength of an object to a value.",
        ),
        (
            "what is the magnification of the telescope",
            "such as “group Lens and Relay as telescope”",
        ),
        ("how many rays come from the point source", "Which point source? There are: Top, Middle."),
        (
            "what is the focal length of the spherical lens",
            "There is no spherical lens in this scene.",
        ),
        (
            "increase the focal length of Lens",
            "By how much? Such as: increase the focal length of Lens by 10 %.",
        ),
        ("how many mirrors are there?", "There is no mirror in this scene."),
        ("flip Lens", "Which way? Such as: flip Lens horizontally, or flip Lens vertically."),
        ("set Lens to 546 nm", "Lens is not a source, so it has no wavelength."),
        ("move Lens to x = 5 and x = 6", "I do not understand “x = 6”"),
        ("move Lens to the best focus", "Lens is no detector. There are: Screen, Dump."),
        ("compare with other.json: power(Screen)", "I do not understand"),
        ('move Screen by 2" to the left', "I do not understand “2″”"),
        ("turn Lens by 30'", "I do not understand “30′”"),
        ("turn 'Lens' by 30’", "I do not understand “30′”"),
    ],
)
def test_what_is_not_understood_is_refused_with_what_to_do(question: str, problem: str) -> None:
    found = understand(question, BENCH)
    assert found.tool == ""
    assert problem in found.problem


@pytest.mark.parametrize(
    "question",
    ["'turn Lens by 30'", '"turn Lens by 30"', "turn Lens by '30'", "turn “Lens” by “30”"],
)
def test_a_number_may_end_a_quotation(question: str) -> None:
    assert understand(question, BENCH).arguments == {"changes": [{"rotate": "Lens", "by": 30.0}]}


def asked(document: Document, question: str, profile: Any = "auto") -> Reply:
    return ask(Session(document), question, profile=profile)


def test_the_screen_is_moved_to_where_each_spot_is_smallest() -> None:
    """The image of a lens of 100 mm at 150 mm is 300 mm behind it; the spots of both sources side
    by side do not count as one.
    """
    session = Session(BENCH)
    text = ask(session, "move the screen to the best focus of Middle", profile="auto").text
    assert text.startswith("Screen is moved 20 mm onward along its light: rms(Screen, Middle): ")
    screen = session.document.scene.objects[4]
    assert (screen.p1.x, screen.p2.x) == pytest.approx((300, 300), abs=1e-9)  # type: ignore[attr-defined]
    session = Session(BENCH)
    ask(session, "move the screen to the best focus", profile="auto")
    screen = session.document.scene.objects[4]
    assert (screen.p1.x + screen.p2.x) / 2 == pytest.approx(300, abs=0.01)  # type: ignore[attr-defined]
    assert asked(BENCH, "move the screen to the best focus", "read-only").text.find("read-only") > 0


def test_the_screen_is_not_moved_to_a_point_that_its_light_does_not_pass() -> None:
    """Neither into a lamp, nor before a lens of -70 mm, from which parallel light spreads as from a
    point 70 mm before it.
    """
    screen = Detector(name="Screen", p1=Point(100, -50), p2=Point(100, 50))
    lamp = PointSource(name="Lamp", x=0, y=0)
    beam = Beam(name="Beam", p1=Point(0, -20), p2=Point(0, 20))
    lens = IdealLens(name="Lens", p1=Point(80, -50), p2=Point(80, 50), focal_length=-70)
    for objects, distance in (((lamp, screen), 100), ((beam, lens, screen), 90)):
        session = Session(Document(scene=Scene.of(objects)))
        text = ask(session, "move the screen to the best focus", profile="auto").text
        assert text.startswith(
            f"The light at 'Screen' diverges, as from a point {distance} mm before it"
        )
        assert session.history.done == []


def test_two_colours_leave_a_prism_as_snell_says() -> None:
    prism = Glass(name="Prism", path=(Vertex(0, -50), Vertex(0, 50), Vertex(100 * math.tan(math.radians(30)), 50)), ref_index=1.5033333333,
                 cauchy_b=0.0066666667, partial_reflect=False)  # fmt: skip
    objects = [prism if o.title == "Prism" else o for o in DISPERSING.scene.objects]
    out = {name: math.degrees(math.asin(n * 0.5)) for name, n in INDEX.items()}
    reply = asked(
        DISPERSING.with_scene(DISPERSING.scene.with_objects(objects)),
        "what is the angle between Red and Blue after Prism",
    )
    (measured,) = reply.turn.outcomes[0].value["measure"]
    assert measured["value"] == pytest.approx(out["Blue"] - out["Red"], abs=1e-6)


def test_losses_are_told_by_object_and_add_up() -> None:
    objects = [
        Beam(name="Laser", p1=Point(-10, -10), p2=Point(-10, 10), brightness=1),
        Blocker(name="Stop", p1=Point(0, 0), p2=Point(0, 20)),
        Mirror(name="Fold", p1=Point(50, -20), p2=Point(50, -5)),
        Detector(name="Screen", p1=Point(100, -20), p2=Point(100, 20)),
    ]
    document = Document(scene=Scene.of(objects, Settings(ray_mode_density=10)))
    (outcome,) = asked(document, "Where is the light lost?").turn.outcomes
    losses = {(loss["kind"], loss["object"]): loss["power"] for loss in outcome.value["loss"]}
    assert losses == {
        ("absorbed", "Stop"): pytest.approx(10, abs=0.2),
        ("escaped", "Fold"): pytest.approx(5, abs=0.2),
        ("escaped", "Screen"): pytest.approx(5, abs=0.2),
    }
    assert sum(losses.values()) == pytest.approx(outcome.value["emitted"])
    assert outcome.notes.startswith("Of the emitted power 20, 10 (50 %) is absorbed by Stop; ")


def test_what_changed_since_the_scene_was_opened_is_told_with_a_measure() -> None:
    session = Session(BENCH)
    assert ask(session, "what did I change?").text.startswith(
        "Since it was saved or opened: nothing is different."
    )
    session.apply(Move("Screen", dx=20, dy=0))
    text = ask(session, "what has changed since it was opened: rms(Screen, Middle)").text
    assert text.startswith(
        "Since it was saved or opened: Screen: first end (280, -60) mm -> (300, -60) mm; Screen:"
        " second end"
    )
    assert "rms(Screen, Middle): " in text
    assert " -> 0 mm (-" in text


def test_a_name_that_is_nearly_right_or_only_its_end_is_suggested_in_the_question() -> None:
    assert near("How much power reaches Scren?", BENCH) == ("How much power reaches Screen?",)
    assert "exit pupil of Lens where is it?" not in near(
        "exit pupil of Lens, and where is it?", BENCH
    ), "no words are dropped"
    document = read_shared("example:lens-array").document
    instance = next(o for o in document.scene.objects if isinstance(o, ModuleObj))
    part = next(p for p in document.scene.parts_of(instance) if p.optical)
    end = part.title.rpartition("/")[2]
    assert f"How much light reaches {part.title}?" in near(
        f"How much light reaches {end}?", document
    )


def test_a_property_that_the_only_lens_lacks_is_refused_with_those_that_it_has() -> None:
    thick = Document(scene=Scene.of([SphericalLens(name="L1", p1=Point(0, -30), p2=Point(0, 30))]))
    for asked in ("set the focal length to 100", "increase the focal length by 20 mm"):
        assert (
            "L1 has no focal length that can be set in words. It has: refractive index (1.5)"
            in understand(asked, thick).problem
        )


def test_a_short_word_is_not_taken_for_another_one() -> None:
    assert near("undoo", BENCH) == ("Undo.",)
    assert not any("edo" in asked for asked in near("make all lenses red", BENCH))


def test_a_tilted_plate_displaces_light_as_snell_says() -> None:
    """t sin(i - r) / cos r (Hecht, problem 4.22)."""
    turned = [(math.radians(30), u, v) for u, v in ((-5, -30), (5, -30), (5, 30), (-5, 30))]
    corners = tuple(
        Vertex(math.cos(a) * u - math.sin(a) * v, math.sin(a) * u + math.cos(a) * v)
        for a, u, v in turned
    )
    plate = Glass(name="Plate", path=corners, ref_index=1.5, partial_reflect=True)
    document = Document(
        scene=Scene.of([SingleRay(name="Laser", p1=Point(-50, 0), p2=Point(0, 0)), plate])
    )
    inside = math.asin(0.5 / 1.5)
    (found,) = (
        asked(document, "how much does Plate displace the beam").turn.outcomes[0].value["measure"]
    )
    assert found["value"] == pytest.approx(
        10 * math.sin(math.radians(30) - inside) / math.cos(inside), abs=1e-9
    )


def test_the_angles_of_incidence_on_a_plane_span_those_of_the_source() -> None:
    lamp = PointSource(name="Lamp", x=0, y=0, brightness=1)
    screen = Detector(name="Screen", p1=Point(10, -10), p2=Point(10, 10))
    document = Document(scene=Scene.of([lamp, screen], Settings(ray_mode_density=20)))
    least, largest = (
        asked(document, f"what is the {which} angle of incidence on Screen")
        .turn.outcomes[0]
        .value["measure"][0]["value"]
        for which in ("smallest", "largest")
    )
    assert least == pytest.approx(0, abs=0.1)
    assert largest == pytest.approx(45, abs=0.1)


def test_a_grating_has_no_one_angle_between_two_colours() -> None:
    grating = DiffractionGrating(name="Ruling", p1=Point(0, -20), p2=Point(0, 20), line_density=600)
    rays = [
        SingleRay(name=name, p1=Point(-50, 0), p2=Point(0, 0), wavelength=nm)
        for name, nm in (("Red", 650.0), ("Blue", 450.0))
    ]
    document = Document(scene=Scene.of([*rays, grating], Settings(simulate_colors=True)))
    (found,) = (
        asked(document, "what is the angle between Red and Blue after Ruling")
        .turn.outcomes[0]
        .value["measure"]
    )
    assert found["reason"].startswith("Light leaves 'Ruling' in ")
    assert found["reason"].endswith(" orders -3, -1, 0, 1, 3: give one as the last argument.")
    (found,) = (
        asked(document, "what is the angle between Red and Blue in order 1 after Ruling")
        .turn.outcomes[0]
        .value["measure"]
    )
    angles = [math.degrees(math.asin(600e-6 * nm)) for nm in (650, 450)]
    assert found["value"] == pytest.approx(angles[0] - angles[1], rel=1e-6)


@pytest.mark.parametrize(
    ("question", "tool", "arguments"),
    [
        ("How many rays get to the screen?", "find_rays_xml", {"hits": "Screen"}),
        (
            "how much light makes it to Screen",
            "measure_xml",
            {"measures": "power(Screen); share(Screen)"},
        ),
        (
            "What fraction of Top's light ends up on the screen?",
            "measure_xml",
            {"measures": "share(Screen, Top)"},
        ),
        ("How much of Top's light is lost on the way?", "losses_xml", {"source_name": "Top"}),
        ("Where does the rest of the light end up?", "losses_xml", {}),
        (
            "At what angle does the middle ray hit Screen?",
            "measure_xml",
            {"measures": "incidence(Screen, Middle)"},
        ),
        (
            "at what angle does Middle come out of Relay",
            "measure_xml",
            {"measures": "direction(Relay, Middle)"},
        ),
        (
            "how much light does Dump block",
            "measure_xml",
            {"measures": "absorbed(Dump); reflected(Dump); transmitted(Dump)"},
        ),
        (
            "How long is the path from Top to Screen?",
            "measure_xml",
            {"measures": "path_length(Top > * > Screen)"},
        ),
        (
            "how far does light travel from Top to Screen",
            "measure_xml",
            {"measures": "path_length(Top > * > Screen)"},
        ),
        ("what is the wavelength of Top", "read_objects", {"names": ["Top"]}),
        (
            "what is the focal length of Lens",
            "measure_xml",
            {"measures": "nominal_focal_length(Lens); focal_length(Lens)"},
        ),
        (
            "what is the optical path length from Top to Screen",
            "measure_xml",
            {"measures": "optical_path_length(Top > * > Screen)"},
        ),
        (
            "how long does light take from Top to Screen",
            "measure_xml",
            {"measures": "transit_time(Top > * > Screen)"},
        ),
        (
            "rms on Screen for Top and Middle",
            "measure_xml",
            {"measures": "rms(Screen, Top); rms(Screen, Middle)"},
        ),
        ("focal length of Lens for Top", "measure_xml", {"measures": "focal_length(Lens, Top)"}),
        (
            "magnification of Lens and image distance",
            "measure_xml",
            {"measures": "magnification(Lens); image_distance(Lens)"},
        ),
        (
            "what is the centroid and what is the width on Screen",
            "measure_xml",
            {"measures": "centroid(Screen); width(Screen)"},
        ),
        (
            "where are the principal planes of Lens",
            "measure_xml",
            {"measures": "front_principal_plane(Lens); rear_principal_plane(Lens)"},
        ),
        (
            "how does the deviation of Lens depend on its angle from -5 to 5 degrees",
            "sweep",
            {"axes": ["Lens.angle=-5..5"], "measures": "deviation(Lens)"},
        ),
        ("which element is the aperture stop of Lens", "pupils_xml", {"object_name": "Lens"}),
        ("how wide is Screen", "describe_edges_xml", {"object_name": "Screen"}),
        ("Where do the rays hit the screen?", "measure_xml", {"measures": "centroid(Screen)"}),
        ("Show me the ray that goes to Dump", "find_rays_xml", {"hits": "Dump"}),
        ("Highlight the light on Screen", "find_rays_xml", {"hits": "Screen"}),
        ("Which wavelengths reach the screen?", "detector_xml", {"detector_name": "Screen"}),
        ("What is the intensity on the screen?", "detector_xml", {"detector_name": "Screen"}),
        ("Which way does the light leave Relay?", "measure_xml", {"measures": "direction(Relay)"}),
        ("How does Relay deviate the beam?", "measure_xml", {"measures": "deviation(Relay)"}),
        (
            "Does Relay collimate the light?",
            "measure_xml",
            {"measures": "vergence(Relay); divergence(Relay)"},
        ),
        (
            "What share of the light is transmitted by Relay?",
            "measure_xml",
            {"measures": "transmittance(Relay)"},
        ),
        (
            "How much power goes to Screen and how much to Dump?",
            "measure_xml",
            {"measures": "power(Screen); power(Dump); share(Screen); share(Dump)"},
        ),
        (
            "How far apart do Top and Middle hit the screen?",
            "measure_xml",
            {"measures": "separation(Screen, Top, Middle)"},
        ),
        (
            "How polarised is the light at Screen?",
            "measure_xml",
            {"measures": "degree_of_polarization(Screen)"},
        ),
        (
            "What angle does Screen make with the horizontal?",
            "measure_xml",
            {"measures": "tilt(Screen)"},
        ),
        ("Where is the screen?", "measure_xml", {"measures": "centre_x(Screen); centre_y(Screen)"}),
        ("How many paths lead to Screen?", "find_paths_xml", {"pattern": "* > Screen"}),
        ("Which path does most of the light take?", "rank_paths_by_energy_xml", {}),
        ("Where does most of the light go?", "losses_xml", {}),
        (
            "How long is the optical path of Top to Screen?",
            "measure_xml",
            {"measures": "optical_path_length(Top > * > Screen)"},
        ),
        (
            "How long does the light of Top take to the screen?",
            "measure_xml",
            {"measures": "transit_time(Top > * > Screen)"},
        ),
        ("What can you do?", "search_help", {"query": "ask in plain words"}),
        (
            "Make the focal length of Lens 80",
            "change_scene",
            {"changes": [{"set": "Lens", "focalLength": 80.0}]},
        ),
        (
            "Copy Screen 100 to the right",
            "change_scene",
            {"changes": [{"duplicate": "Screen", "dx": 100.0, "dy": 0.0}]},
        ),
        (
            "How far does the spot on Screen move if Lens is rotated by 1 degree?",
            "what_if",
            {"changes": [{"rotate": "Lens", "by": 1.0}], "measures": "centroid(Screen)"},
        ),
        (
            "what would the power on Screen be if Lens had focal length 90",
            "what_if",
            {"changes": [{"set": "Lens", "focalLength": 90.0}], "measures": "power(Screen)"},
        ),
        (
            "how much power reaches Screen if Lens were 10 mm lower",
            "what_if",
            {
                "changes": [{"move": "Lens", "dx": 0.0, "dy": 10.0}],
                "measures": "power(Screen); share(Screen)",
            },
        ),
        (
            "What are the focal lengths of the lenses?",
            "measure_xml",
            {
                "measures": (
                    "nominal_focal_length(Lens); nominal_focal_length(Relay); focal_length(Lens);"
                    " focal_length(Relay)"
                ),
            },
        ),
        (
            "Which fraction of the light passes the relay?",
            "measure_xml",
            {"measures": "transmittance(Relay)"},
        ),
        (
            "How far does the spot move when Lens tilts by 1°?",
            "what_if",
            {"changes": [{"rotate": "Lens", "by": 1.0}], "measures": "centroid(Screen)"},
        ),
        (
            "how much power reaches Dump if Lens is taken out",
            "what_if",
            {"changes": [{"delete": "Lens"}], "measures": "power(Dump); share(Dump)"},
        ),
    ],
)
def test_everyday_verbs_and_properties_are_understood(
    question: str, tool: str, arguments: dict[str, Any]
) -> None:
    found = understand(question, BENCH)
    assert (found.problem, found.tool, found.arguments) == ("", tool, arguments)


@pytest.mark.parametrize(
    ("question", "problem"),
    [
        ("what is the wavelength of Top in summer", "“in summer”"),
        ("how much light is blocked by Dump at night", "“at night”"),
        ("exit pupil of Lens, and where is it?", "“where”"),
        ("How much is absorbed by Dump and how much reaches Screen?", "“much reaches Screen”"),
        ("how much light leaves Lens through its end", "“through its end”"),
        ("where is the magnification of Lens", "“where”"),
    ],
)
def test_a_clause_that_nobody_asks_for_keeps_them_from_being_answered(
    question: str, problem: str
) -> None:
    found = understand(question, BENCH)
    assert (found.tool, problem in found.problem) == ("", True), found.problem


def test_properties_are_told_with_their_units() -> None:
    reply = asked(BENCH, "what is the wavelength of Top")
    assert reply.text.startswith("- Top: x -150 mm, y -10 mm, power density 1, wavelength 540 nm\n")


COMPARED = Document(
    scene=Scene.of(
        [
            SingleRay(
                name="Orange", p1=Point(0, 0), p2=Point(10, 0), brightness=0.5, wavelength=600.0
            ),
            Detector(name="Screen", p1=Point(100, -50), p2=Point(100, 50)),
            Detector(name="screen", p1=Point(200, 5), p2=Point(200, 50)),
        ],
        Settings(simulate_colors=True),
    )
)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("which rays are stronger than 0.5", "No ray is with a power of more than 0.5."),
        ("rays with power of at least 0.5", "2 rays are with a power of 0.5 or more"),
        ("rays with power below 0.5", "No ray is with a power of less than 0.5."),
        ("rays with power up to 0.5", "2 rays are with a power of 0 to 0.5"),
        (
            "which rays have a wavelength of more than 600 nm",
            "No ray is with a wavelength of more than 600 nm.",
        ),
        (
            "rays with a wavelength of at least 600 nm",
            "2 rays are with a wavelength of 600 nm or more",
        ),
        ("rays with a wavelength below 600 nm", "No ray is with a wavelength of less than 600 nm."),
        ("rays with a wavelength of 600 nm", "2 rays are with a wavelength of 600 nm"),
    ],
)
def test_a_comparison_excludes_the_number_that_it_names_and_says_so(
    question: str, answer: str
) -> None:
    assert ask(Session(COMPARED), question).text.startswith(answer)


@pytest.mark.parametrize(("name", "power"), [("Screen", 0.5), ("screen", 0)])
def test_of_names_that_differ_in_case_alone_the_one_that_is_written_is_meant(
    name: str, power: float
) -> None:
    assert (
        f"The power that arrives at {name} is {power} "
        in ask(Session(COMPARED), f"how much light reaches {name}?").text
    )


def test_a_name_that_could_be_either_of_two_is_asked_about() -> None:
    assert (
        understand("how much light reaches SCREEN?", COMPARED).problem
        == "Which one? There are: Screen, screen."
    )


def test_the_light_of_a_source_escapes_in_other_words() -> None:
    assert understand("how much of the light of Orange escapes", COMPARED).arguments == {
        "measures": "escaped(Orange)"
    }


def test_the_parts_of_modules_are_among_all_objects_of_a_noun() -> None:
    array = read_shared("example:lens-array").document
    names = [f"Array/Lenslet {number}" for number in range(1, 6)]
    found = understand("how many lenses are there?", array)
    assert (found.tool, found.arguments) == ("read_objects", {"names": names})
    assert "5 objects:" in ask(Session(array), "how many lenses are there?").text
    assert (
        understand("how much light reaches the lens?", array).problem
        == f"Which lens? There are: {', '.join(names)}."
    )
    assert understand("how much light reaches all lenses?", FOLDED).arguments == {
        "measures": "power(L1); power(L2); share(L1); share(L2)",
    }


def test_a_property_of_an_object_that_is_not_there_is_refused_with_the_names() -> None:
    problem = understand("set the focal length of Relais to 5", BENCH).problem
    assert problem.startswith("No object named 'relais'")
    assert "Relay" in problem


@pytest.mark.parametrize("name", ["escape", "*", "a|b", "it's", 'Port "A"', "?"])
def test_the_path_to_an_object_is_measured_whatever_its_name_means_in_patterns(name: str) -> None:
    """Light goes 100 to the object, and on for ever or to a wall behind it."""
    things = [
        SingleRay(name="Laser", p1=Point(0, 0), p2=Point(1, 0)),
        Detector(name=name, p1=Point(100, -5), p2=Point(100, 5)),
        Blocker(name="Wall", p1=Point(300, -5), p2=Point(300, 5)),
    ]
    session = Session(Document(scene=Scene.of(things)))
    assert " is 100 mm" in ask(session, f"how long is the path from Laser to {name}").text


def test_without_colours_the_answer_says_that_no_ray_has_a_wavelength() -> None:
    told = (
        "No ray is with a wavelength of more than 500 nm: the scene does not simulate colours, so"
        " that no ray has a wavelength."
    )
    assert ask(Session(BENCH), "rays with a wavelength above 500 nm").text.startswith(told)


def test_the_wavelengths_on_a_detector_are_told_with_their_powers() -> None:
    text = ask(Session(DISPERSING), "Which wavelengths reach the CCD?").text
    assert re.match(
        r"Power [\d.]+ from 2 rays at CCD: [\d.]+ at 500 nm and [\d.]+ at 1000 nm ", text
    ), text


def test_the_range_of_an_index_without_one_is_half_to_twice_what_it_is_above_one() -> None:
    found = understand(
        "how does the direction after Prism depend on the index of Prism", DISPERSING
    )
    assert found.arguments is not None
    assert found.arguments["axes"] == ["Prism.refIndex=1.25167..2.00667"]


def test_a_noun_before_a_path_is_no_part_of_it() -> None:
    found = understand("what is the power of the beam Top > Lens > Screen", BENCH)
    assert (found.tool, found.arguments) == (
        "measure_xml",
        {"measures": "path_power(Top > Lens > Screen)"},
    )


def test_from_several_sources_the_length_of_a_path_needs_one() -> None:
    assert (
        understand("how long is the path to Screen", BENCH).problem
        == "Which source? There are: Top, Middle."
    )


SPECTROMETER = Document(
    scene=Scene.of(
        [
            Beam(name="Sun", p1=Point(-50, -5), p2=Point(-50, 5)),
            IdealLens(name="L1", p1=Point(-20, -20), p2=Point(-20, 20), focal_length=80),
            IdealLens(name="L2", p1=Point(40, -20), p2=Point(40, 20), focal_length=80),
            DiffractionGrating(name="Grating", p1=Point(0, -20), p2=Point(0, 20)),
            Blocker(name="Plate", p1=Point(120, -60), p2=Point(120, 60)),
        ],
    )
)


@pytest.mark.parametrize(
    ("question", "tool", "arguments"),
    [
        ("Which order is the strongest?", "measure_xml", {"measures": "efficiency(Grating)"}),
        ("which diffraction order of Grating gets the most light", "measure_xml", {"measures": "efficiency(Grating)"}),
        ("what is the diffraction efficiency?", "measure_xml", {"measures": "efficiency(Grating)"}),
        ("how much light goes into order -1?", "measure_xml", {"measures": "beam_power(Grating, -1)"}),
        ("how much of the light from Sun is in first order", "measure_xml", {"measures": "beam_power(Grating, Sun, 1)"}),
        ("What is the resolving power of Grating in the first order?", "measure_xml", {"measures": "resolving_power(Grating, 1)"}),
        ("spectral resolution in order -1", "measure_xml", {"measures": "resolving_power(Grating, -1)"}),
        ("how large is the spot on the screen?", "spot_xml", {"object_name": "Plate"}),
        ("how does the spot size depend on the angle of L1 from -1 to 1 degrees", "sweep",
         {"axes": ["L1.angle=-1..1"], "measures": "rms(Plate); width(Plate)"}),
    ],
)  # fmt: skip
def test_orders_are_of_the_grating_and_a_blocker_is_the_screen_where_there_is_no_detector(
    question: str, tool: str, arguments: dict[str, Any]
) -> None:
    found = understand(question, SPECTROMETER)
    assert (found.problem, found.tool, found.arguments) == ("", tool, arguments)


@pytest.mark.parametrize("question", ["delete the detector", "how many detectors are there"])
def test_a_blocker_is_no_detector(question: str) -> None:
    assert understand(question, SPECTROMETER).problem.startswith(
        "There is no detector in this scene."
    )
