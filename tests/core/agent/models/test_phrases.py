"""Every tool and every measure is asked for in ordinary words, and what the words ask for is what
the tool answers.
"""

from __future__ import annotations

import json
import math
import random
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from raybench.agent.by_hand.command_line import ask
from raybench.agent.call.approval import Decision, Request
from raybench.agent.models.keywords import Understood, rows, understand, vocabulary
from raybench.agent.models.suggestions import as_question, near, questions, suggested
from raybench.analysis.measures.table import MEASURES
from raybench.analysis.phrase import Phrase
from raybench.analysis.tools.clauses import Meant
from raybench.analysis.tools.discovery import tools
from raybench.analysis.tools.measure_phrases import measures_asked
from raybench.analysis.tools.measure_rows import phrases as measure_phrases
from raybench.analysis.tools.plain_question import PlainQuestion
from raybench.files.document_file import load_document
from raybench.kinds.blockers import Aperture, Blocker
from raybench.kinds.decorations import Ruler
from raybench.kinds.detectors import Detector
from raybench.kinds.glasses import Glass
from raybench.kinds.gratings import DiffractionGrating
from raybench.kinds.lenses import IdealLens
from raybench.kinds.mirrors import Mirror
from raybench.kinds.module_instance import ModuleObj
from raybench.kinds.sources import Beam, PointSource, SingleRay
from raybench.scene.changes import AddPreset
from raybench.scene.document import Document
from raybench.scene.modules.module import Module
from raybench.scene.scene import Scene
from raybench.session import Session
from raybench.shapes.point import Point, Vertex

EXAMPLES = [
    path
    for path in sorted(
        (Path(__file__).parents[4] / "resources" / "raybench_resources" / "examples").rglob("*")
    )
    if path.suffix in (".json", ".raybench") and "project" not in path.parts
]
LIT = SingleRay(p1=Point(-200, 0), p2=Point(0, 0))
DOCUMENT = Document(
    scene=Scene.of(
        [
            Beam(name="Laser A", p1=Point(-90, 0), p2=Point(-90, 5)),
            PointSource(name="Lamp", x=0, y=-50),
            Aperture(
                name="Stop",
                p1=Point(-70, -30),
                p2=Point(-70, 30),
                p3=Point(-70, -10),
                p4=Point(-70, 10),
            ),
            Glass(name="Wedge", path=(Vertex(-30, 20), Vertex(30, 20), Vertex(0, -20))),
            IdealLens(name="Relay", p1=Point(40, -20), p2=Point(40, 20)),
            DiffractionGrating(name="Ruling", p1=Point(70, 0), p2=Point(70, 9)),
            Detector(name="Screen", p1=Point(90, -20), p2=Point(90, 20)),
            Mirror(name="M1", p1=Point(5, 50), p2=Point(8, 53)),
            Blocker(name="Dump", p1=Point(120, -20), p2=Point(120, 20)),
        ]
    )
)
WORDS = {
    "object_name": "Relay", "glass_name": "Wedge", "detector_name": "Screen", "aperture_name": "Stop", "source_name": "Laser A",
    "object": "Relay", "line": "Screen", "detector": "Screen", "aperture": "Stop", "source": "Laser A", "first": "Wedge", "second": "M1",
    "other": "Lamp", "cladding": "Relay", "body_edge": "edge S of Wedge",
    "path": "Laser A > * > Screen", "pattern": "Laser A > * > Screen", "edge": "S", "ray_id": "r1-0", "angle": "30°", "within": "3 deg",
    "x": "10", "y": "20", "order": "first", "width": "5 mm", "height": "6", "n1": "1.5", "n2": "1", "top_n": "5", "min_tir_count": "3",
}  # fmt: skip


def sentences(phrase: Phrase) -> Iterator[str]:
    """All wordings of a phrase that its examples cover, about the objects of the document."""
    for example in phrase.examples():
        yield example.format(**WORDS)


@pytest.mark.parametrize("name", [name for name, _ in rows() if name])
def test_every_wording_of_a_tool_asks_for_this_tool(name: str) -> None:
    row = dict(rows())[name]
    assert row.phrases
    for phrase in row.phrases:
        for sentence in sentences(phrase):
            found = understand(
                sentence.replace("Relay", "Screen") if name == "find_ghosts_xml" else sentence,
                DOCUMENT,
            )
            assert found.tool == name, (sentence, found)


@pytest.mark.parametrize(
    "names", dict.fromkeys(names for names, _ in measure_phrases()), ids="+".join
)
def test_every_wording_of_a_measure_asks_for_it(names: tuple[str, ...]) -> None:
    for phrase in (p for of, p in measure_phrases() if of == names):
        for sentence in sentences(phrase):
            if names == (
                "arriving_width",
            ):  # of a straight object the same words ask for the width along it
                sentence = sentence.replace("Relay", "Wedge")
            found = understand(sentence, DOCUMENT)
            if "rms" in names or "spot_rms" in names:  # alone, a tool tells more of them
                assert found.tool in ("measure_xml", "spot_xml", "focus_xml"), (sentence, found)
            else:
                assert found.tool == "measure_xml", (sentence, found)
            meant = measures_asked(
                next(PlainQuestion.readings(sentence, DOCUMENT, vocabulary())).clauses()
            )
            meant = meant if isinstance(meant, Meant) else found.arguments or {}
            assert tuple(re.findall(r"(\w+)\(", meant["measures"])) == names, sentence


def test_each_measure_and_each_tool_has_words() -> None:
    assert {name for names, _ in measure_phrases() for name in names} == set(MEASURES)
    assert tools().keys() <= dict(rows()).keys()


@pytest.mark.parametrize("name", list(tools()))
def test_the_answer_to_the_words_is_that_of_the_tool(name: str) -> None:
    session = Session(DOCUMENT)
    sentence = next(sentences(tools()[name].phrases.phrases[0]))
    if name == "find_ghosts_xml":
        sentence = sentence.replace("Relay", "Screen")
    if name == "ray_path_xml":
        ask(session, "How many rays are there?")
        result = session.fresh_result
        assert result is not None
        sentence = sentence.replace("r1-0", result.segment_id(0))
    (said,) = ask(session, sentence).turn.outcomes
    assert said.ok, said.text
    (command,) = ask(
        session, f"/{name} " + " ".join(f"{k}={json.dumps(v)}" for k, v in said.arguments.items())
    ).turn.outcomes
    assert command.text == said.text


@pytest.mark.parametrize("scene", EXAMPLES, ids=lambda path: path.stem)
def test_what_is_suggested_about_an_example_is_understood(scene: Path) -> None:
    document = load_document(scene)
    for question in questions(document):
        assert understand(question, document).tool, question
    every = list(
        dict.fromkeys(
            question
            for phrase, *_ in suggested()
            if (question := as_question(phrase, document)) is not None
        )
    )
    assert len(every) > 50
    for question in random.Random(1).sample(every, 12):
        assert understand(question, document).tool, (question, understand(question, document))


@pytest.mark.parametrize(
    ("question", "tool", "arguments"),
    [
        (
            "What is the refractive index of Wedge at 450 nm?",
            "refractive_index_xml",
            {"glass_name": "Wedge", "wavelength": 450.0},
        ),
        (
            "Where do the blue rays go?",
            "find_rays_xml",
            {"min_wavelength": 455.0, "max_wavelength": 492.0},
        ),
        (
            "Which violet rays miss Screen?",
            "find_rays_xml",
            {"misses": "Screen", "min_wavelength": 390.0, "max_wavelength": 455.0},
        ),
        (
            "Show only red light",
            "range_filter",
            {"quantity": "wavelength", "at_least": 622.0, "at_most": 780.0, "exclude": False},
        ),
        (
            "Where is the image of Relay for light from Lamp?",
            "image_xml",
            {"object_name": "Relay", "source_name": "Lamp"},
        ),
    ],
)
def test_a_wavelength_and_a_source_may_stand_anywhere_in_a_question(
    question: str, tool: str, arguments: dict[str, object]
) -> None:
    found = understand(question, DOCUMENT)
    assert (found.tool, found.arguments) == (tool, arguments)


def test_the_focus_of_an_achromat_is_asked_of_the_whole() -> None:
    document = AddPreset("Achromat").apply(Document(scene=Scene.of([LIT])))
    assert "Where is the focus of Achromat?" in questions(document)
    assert understand("Where is the focus of Achromat?", document).tool
    single = AddPreset("BiconvexLens").apply(Document(scene=Scene.of([LIT])))
    assert f"Where is the focus of {single.scene.objects[1].title}?" in questions(single)


def test_light_of_a_module_is_asked_about_as_any_other() -> None:
    parts = [
        {
            "type": "SingleRay",
            "p1": {"x": "`x_1`", "y": "`y_1`"},
            "p2": {"x": "`x_1+1`", "y": "`y_1`"},
        },
        {
            "type": "IdealLens",
            "name": "Relay",
            "p1": {"x": "`x_1+50`", "y": "`y_1-20`"},
            "p2": {"x": "`x_1+50`", "y": "`y_1+20`"},
        },
    ]
    lamp = Module.from_json("Lamp", {"numPoints": 1, "params": [], "vars": [], "objs": parts})
    screen = Detector(name="Screen", p1=Point(200, -50), p2=Point(200, 50))
    scene = Scene.of(
        [ModuleObj(name="Head", module="Lamp", points=(Point(0, 0),)), screen],
        modules={"Lamp": lamp},
    )
    document = Document(scene=scene)
    assert questions(document) == (
        "Which rays reach Screen?",
        "Where is the focus of Head/Relay?",
        "Where does the light go?",
    )
    for question in questions(document):
        assert understand(question, document).tool, question


def test_without_light_nothing_is_asked_about_rays() -> None:
    single = AddPreset("BiconvexLens").apply(Document())
    lens = single.scene.objects[0].title
    about = (
        f"What is the refractive index of {lens}?",
        f"What are the edges of {lens}?",
        "What is in the scene?",
    )
    assert questions(single) == about
    unlit = replace(
        single,
        scene=single.scene.with_objects([*single.scene.objects, LIT]),
        disabled=frozenset({LIT.key}),
    )
    assert questions(unlit) == about
    for document in (Document(), single):
        for question in questions(document):
            assert not ask(Session(document), question).error, question


def test_what_is_suggested_about_random_scenes_is_understood() -> None:
    rng = random.Random(5)
    names = [
        "Focus",
        "Detector 1",
        "the Lens",
        "Power",
        "E",
        "Image of it",
        "Light",
        "Total reflection",
        "10 mm",
        "Edge",
        "What is",
        "Share",
    ]
    for _ in range(40):
        objects = rng.sample(DOCUMENT.scene.objects, rng.randint(0, 6))
        scene = Scene.of(
            [
                replace(o, name=name)
                for o, name in zip(objects, rng.sample(names, len(objects)), strict=True)
            ]
        )
        document = Document(scene=scene)
        for question in questions(document):
            assert understand(question, document).tool, (question, [o.title for o in scene.objects])


@pytest.mark.parametrize(
    ("question", "suggested"),
    [
        ("What is the spherical aberation of Relay?", "What is the spherical aberration of Relay?"),
        ("How much power reaches Screen in mW?", "How much power reaches Screen?"),
        ("deviation of the wedge in the worst case", "What is the deviation of Wedge?"),
        ("throughput of the stop in dB", "What is the throughput of Stop?"),
    ],
)
def test_the_nearest_question_is_suggested(question: str, suggested: str) -> None:
    assert not understand(question, DOCUMENT).tool
    assert suggested in near(question, DOCUMENT)
    assert suggested in ask(Session(DOCUMENT), question).error


def test_nothing_is_suggested_for_words_that_mean_nothing() -> None:
    assert near("Please write me a poem", DOCUMENT) == ()
    error = ask(Session(DOCUMENT), "Please write me a poem").error
    assert all(question in error for question in questions(DOCUMENT))


@pytest.mark.parametrize(
    ("question", "measures"),
    [
        ("What are the RMS radius and the centroid on 'screen'?", "rms(Screen); centroid(Screen)"),
        ("power at Screen and Dump", "power(Screen); power(Dump)"),
        ("what is the magnification", "magnification(Relay)"),
        (
            "How much of Lamp's light gets to the screen?",
            "power(Screen, Lamp); share(Screen, Lamp)",
        ),
        ("deflection of the Laser A ray by the wedge", "deviation(Wedge, Laser A)"),
        ("rms radius on Screen in mm", "rms(Screen)"),
        ("how large is the divergence of Laser A?", "divergence(Laser A)"),
        (
            "What escapes between Wedge and M1?",
            "escaped_between(Wedge, M1); escaped_share(Wedge, M1)",
        ),
        (
            "How many times is a ray totally reflected in Wedge?",
            "total_reflections(Wedge); most_total_reflections(Wedge)",
        ),
        (
            "How often is the light reflected in Wedge?",
            "inner_reflections(Wedge); most_inner_reflections(Wedge)",
        ),
        ("how many reflections are there inside Wedge?", "inner_reflections(Wedge)"),
        ("Relay's back focal length", "back_focal_length(Relay)"),
        ("which share of the lamp escapes", "escaping_share(Lamp)"),
        ("what fraction does Relay reflect?", "reflectance(Relay)"),
        (
            "what share of Lamp passes the Stop?",
            "transmitted(Stop, Lamp); transmittance(Stop, Lamp)",
        ),
        ("does all of Laser A reach the Dump?", "power(Dump, Laser A); share(Dump, Laser A)"),
        ("is the light collimated after Relay?", "vergence(Relay); divergence(Relay)"),
    ],
)
def test_measures_in_the_words_of_engineers(question: str, measures: str) -> None:
    assert understand(question, DOCUMENT) == Understood("measure_xml", {"measures": measures})


@pytest.mark.parametrize(
    ("question", "tool", "arguments"),
    [
        (
            "which source contributes most to Screen?",
            "who_lights_what_xml",
            {"object_name": "Screen"},
        ),
        (
            "Where should Screen be moved for the smallest spot?",
            "spot_xml",
            {"object_name": "Screen"},
        ),
        ("which bodies are inside Wedge", "nested_bodies_xml", {"glass_name": "Wedge"}),
        (
            "what is the critical angle between Wedge and air?",
            "refractive_index_xml",
            {"glass_name": "Wedge"},
        ),
        (
            "at what angle does the first order of Laser A leave Ruling?",
            "beams_xml",
            {"object_name": "Ruling", "source_name": "Laser A", "order": "1"},
        ),
        (
            "which beams of order -1 leave Ruling?",
            "beams_xml",
            {"object_name": "Ruling", "order": "-1"},
        ),
        ("which rays are refracted?", "find_rays_xml", {"interaction": "refract"}),
        (
            "reflected rays with power of at least 0.1",
            "find_rays_xml",
            {"interaction": "reflect", "min_power": 0.1},
        ),
        ("which rays have a power of at least 0.1?", "find_rays_xml", {"min_power": 0.1}),
    ],
)
def test_tools_in_the_words_of_engineers(
    question: str, tool: str, arguments: dict[str, object]
) -> None:
    assert understand(question, DOCUMENT) == Understood(tool, arguments)


@pytest.mark.parametrize(
    ("sentence", "changes"),
    [
        ("rotate Wedge by 7 degrees", [{"rotate": "Wedge", "by": 7.0}]),
        ("turn Wedge by 7° about its centre", [{"rotate": "Wedge", "by": 7.0}]),
        ("scale Wedge by 2 around its own middle", [{"scale": "Wedge", "by": 2.0}]),
        (
            "Turn the wedge clockwise by 0.1 rad.",
            [{"rotate": "Wedge", "by": pytest.approx(-math.degrees(0.1))}],
        ),
        ("move Relay 5 mm to the left", [{"move": "Relay", "dx": -5.0, "dy": 0.0}]),
        ("move the relay up by 1 cm", [{"move": "Relay", "dx": 0.0, "dy": -10.0}]),
        ("Move Screen to (100, 20)", [{"move": "Screen", "to": {"x": 100.0, "y": 20.0}}]),
        (
            "duplicate Screen three times 10 to the right",
            [{"duplicate": "Screen", "dx": 10.0, "dy": 0.0, "count": 3.0}],
        ),
        ("copy Screen 4 times", [{"duplicate": "Screen", "count": 4.0}]),
        ("set the focal length of Relay to 80 mm", [{"set": "Relay", "focalLength": 80.0}]),
        (
            "increase the refractive index of Wedge by 10 %",
            [{"set": "Wedge", "refIndex": pytest.approx(1.65)}],
        ),
        ("make Wedge of n-bk7", [{"material": "Wedge", "name": "N-BK7"}]),
        ("delete Screen and Dump", [{"delete": ["Screen", "Dump"]}]),
        ("switch off Lamp", [{"disable": "Lamp"}]),
        (
            "rotate M1 by 3° and move Screen 2 mm down",
            [{"rotate": "M1", "by": 3.0}, {"move": "Screen", "dx": 0.0, "dy": 2.0}],
        ),
    ],
)
def test_changes_in_plain_words(sentence: str, changes: list[dict[str, object]]) -> None:
    found = understand(sentence, DOCUMENT)
    assert (found.tool, found.arguments) == ("change_scene", {"changes": changes}), found.problem


@pytest.mark.parametrize(
    ("question", "change", "measures"),
    [
        (
            "What if the index of Wedge were 1.7?",
            {"set": "Wedge", "refIndex": 1.7},
            "power(Screen)",
        ),
        (
            "What happens to the power at Screen if I turn M1 by 2 degrees clockwise?",
            {"rotate": "M1", "by": -2.0},
            "power(Screen)",
        ),
        (
            "How does the spot size on Screen change if Relay is moved up by 2 mm?",
            {"move": "Relay", "dx": 0.0, "dy": -2.0},
            "rms(Screen)",
        ),
        (
            "What would the share of Laser A at Screen be without Stop?",
            {"disable": "Stop"},
            "share(Screen, Laser A)",
        ),
        (
            "what if Wedge is made of water",
            {"material": "Wedge", "name": "Water"},
            "direction(Wedge)",
        ),
    ],
)
def test_what_if_in_plain_words(question: str, change: dict[str, object], measures: str) -> None:
    found = understand(question, DOCUMENT)
    assert found.tool == "what_if", found.problem
    assert found.arguments is not None
    assert found.arguments["changes"] == [change]
    assert measures in found.arguments["measures"]


@pytest.mark.parametrize(
    ("sentence", "says"),
    [
        (
            "set the colour of Wedge to 4",
            "Wedge has no colour that can be set in words. It has: refractive index",
        ),
        ("make Wedge of unobtainium", "There is no material 'unobtainium'"),
        ("rotate Wedge by 5 furlongs", "“furlongs”"),
        ("rotate Wedge", "One could ask"),
        ("rotate Wedge by 7 degrees unless it rains", "“unless it rains”"),
        ("how much power reaches Screen and rotate Wedge by 7 degrees", "I do not understand"),
    ],
)
def test_a_change_that_is_not_wholly_understood_is_not_made(sentence: str, says: str) -> None:
    session = Session(DOCUMENT)
    answer = ask(session, sentence, profile="auto")
    assert says in answer.error
    assert session.document is DOCUMENT


def test_a_question_that_one_could_ask_is_about_what_light_meets() -> None:
    ruler, lens = (
        Ruler(p1=Point(0, 0), p2=Point(90, 0)),
        IdealLens(p1=Point(50, -9), p2=Point(50, 9), focal_length=40),
    )
    session = Session(Document(scene=Scene.of([PointSource(x=0, y=0), ruler, lens])))
    told = ask(session, "How often is the light reflected upwards?").error
    assert "before it reaches Ideal lens 1?" in told
    assert "Ruler" not in told


def test_a_change_in_words_needs_approval_and_is_offered_as_a_command_where_it_is_refused() -> None:
    session = Session(DOCUMENT)
    refused = ask(session, "rotate Wedge by 7 degrees")
    assert session.document is DOCUMENT
    command = 'As a command: /change_scene [{"rotate": "Wedge", "by": 7.0}]'
    assert command in refused.error
    assert "\n" not in refused.error
    asked: list[str] = []

    async def decide(request: Request) -> Decision:
        asked.append(request.title)
        return Decision(True)

    answer = ask(session, "rotate Wedge by 7 degrees", profile="ask", approve=decide)
    assert not answer.error
    assert asked == ["Wedge turned by 7° counter-clockwise"]
    assert session.document is not DOCUMENT
    assert ask(Session(DOCUMENT), command.partition(": ")[2]).error == ""


@pytest.mark.parametrize(
    "text", ["how long is Bench?", "total length of the group Bench", "track length of Bench"]
)
def test_the_length_of_a_group_is_that_from_its_first_to_its_last_surface(text: str) -> None:
    keys = frozenset(o.key for o in DOCUMENT.scene.objects if o.title in ("Relay", "Wedge"))
    found = understand(text, replace(DOCUMENT, groups={"Bench": keys}))
    assert (found.tool, found.arguments) == ("measure_xml", {"measures": "thickness(Bench)"})
    assert understand("how long is Wedge", DOCUMENT).tool == "describe_edges_xml"


@pytest.mark.parametrize(
    ("text", "changes"),
    [
        ("rotate Bench by 7 degrees", [{"rotate": "Bench", "by": 7.0}]),
        (
            "move Bench and Lamp 5 mm to the left",
            [{"move": ["Bench", "Lamp"], "dx": -5.0, "dy": 0.0}],
        ),
        ("what if the lights are moved 5 mm up?", [{"move": "Lights", "dx": 0.0, "dy": -5.0}]),
        ("what happens to the power on Screen without Lights?", [{"disable": "Lights"}]),
        ("set the focal length of Bench to 50", "Bench is a group. Which of its objects?"),
        ("move Bench to (3, 4)", [{"move": "Bench", "to": {"x": 3.0, "y": 4.0}}]),
        ("rotate Bench by 7 degrees and dance", None),
    ],
)
def test_groups_are_changed_as_one(
    text: str, changes: list[dict[str, object]] | str | None
) -> None:
    keys = {o.title: o.key for o in DOCUMENT.scene.objects}
    groups = {
        "Bench": frozenset({keys["Relay"], keys["Screen"]}),
        "Lights": frozenset({keys["Lamp"], keys["Laser A"]}),
    }
    found = understand(text, replace(DOCUMENT, groups=groups))
    if isinstance(changes, list):
        assert found.arguments is not None, found.problem
        assert found.arguments["changes"] == changes
    else:
        assert not found.tool
        assert changes is None or changes in found.problem


@pytest.mark.parametrize(
    ("question", "suggested"),
    [
        ("compare the power with and without Wedge", "Compare with revision 3."),
        ("power at scren", "power at Screen."),
    ],
)
def test_what_could_be_asked_are_whole_sentences(question: str, suggested: str) -> None:
    assert suggested in near(question, DOCUMENT)


@pytest.mark.parametrize(
    "question", ["compare the power with and without Wedge", "tell me power without Wedge"]
)
def test_what_is_not_understood_is_told_in_the_words_of_the_question(question: str) -> None:
    told = re.findall("“(.*?)”", understand(question, DOCUMENT).problem)
    assert told
    assert all(words in question for words in told)


def test_an_exit_angle_is_not_a_direction() -> None:
    """It is measured from the normal of the surface."""
    assert "exit angle" in understand("exit angle from Prism", DOCUMENT).problem
