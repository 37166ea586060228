"""Saved studies and the texts of measurements follow the names of objects and groups, and come back with them."""

from __future__ import annotations

import asyncio
import random

import pytest
from tests.core.study.scenes import lens_scene

from raybench.agent.call.open_document import OpenDocument
from raybench.analysis.measures.bound import BoundMeasure, bind_measures
from raybench.analysis.measures.grammar import quote_argument
from raybench.errors import RaybenchError
from raybench.kinds.detectors import Detector
from raybench.kinds.lenses import IdealLens
from raybench.kinds.module_instance import ModuleObj
from raybench.kinds.sources import Beam
from raybench.scene.changes import (
    Coat,
    Delete,
    FinishEdge,
    Group,
    LabelEdge,
    Rotate,
    Set,
    SetDocument,
    Ungroup,
    apply_changes,
    changes_from_json,
)
from raybench.scene.document import Document
from raybench.scene.measurements import Measurement, Pin
from raybench.scene.modules.module import Module
from raybench.scene.parameters.link import read_link
from raybench.scene.parameters.renaming import Renaming
from raybench.scene.scene import Scene
from raybench.session import Session
from raybench.shapes.point import Point
from raybench.study.request import StudyRequest
from raybench.study.terms.goal import read_goals
from raybench.study.terms.ranges import read_sweep_axis

STUDY = StudyRequest(
    "tolerance",
    vary=("Prism.angle±0.5", '"Prism".x±0.1 mm', "Prism.refIndex±1%"),
    measures=(
        "deviation(Prism, Lamp); power(Screen)",
        'path_power("Lamp > Prism:N (refract) > * > Screen")',
    ),
    limits=("|deviation(Prism)| < 40",),
    goals=("least rms(Screen, Lamp) weight 2",),
    adjust=("Screen.x=-5..5",),
    links=("Screen.y = Prism.x + 2*Prism.y", "Screen.angle = -'Prism'.angle"),
    changes=(
        '{"move": ["Prism", "Screen"], "dx": 5}',
        '{"rotate": "Lamp", "by": 1, "about": "Prism"}',
    ),
)


def session_with(study: StudyRequest) -> Session:
    session = Session(lens_scene())
    session.apply([Set("Lens", {"name": "Prism"}), SetDocument(studies={"Study": study.to_json()})])
    return session


def saved(session: Session) -> StudyRequest:
    return StudyRequest.from_json(session.document.studies["Study"])


def test_a_saved_study_follows_a_renamed_object_and_comes_back_by_undo() -> None:
    session = session_with(STUDY)
    session.apply(Set("Prism", {"name": "Main Wedge"}))
    assert saved(session) == StudyRequest(
        "tolerance",
        vary=("Main Wedge.angle±0.5", '"Main Wedge".x±0.1 mm', "Main Wedge.refIndex±1%"),
        measures=(
            "deviation(Main Wedge, Lamp); power(Screen)",
            'path_power("Lamp > Main Wedge:N (refract) > * > Screen")',
        ),
        limits=("|deviation(Main Wedge)| < 40",),
        goals=("least rms(Screen, Lamp) weight 2",),
        adjust=("Screen.x=-5..5",),
        links=("Screen.y = Main Wedge.x + 2*Main Wedge.y", "Screen.angle = -'Main Wedge'.angle"),
        changes=(
            '{"move": ["Main Wedge", "Screen"], "dx": 5}',
            '{"rotate": "Lamp", "by": 1, "about": "Main Wedge"}',
        ),
    )
    session.undo()
    assert saved(session) == STUDY
    assert any(o.title == "Prism" for o in session.document.scene.objects)


def test_the_measures_in_the_text_of_a_callout_follow_names() -> None:
    session = Session(lens_scene())
    callout = Measurement("callout", (Pin(Point(0, 0)),), text="{} Screen: {power(Screen)}, {x}")
    session.apply(SetDocument(measurements={"Note": callout.to_json(lambda key: key)}))
    session.apply(Set("Screen", {"name": "Wall"}))
    assert session.document.measurements["Note"].text == "{} Screen: {power(Wall)}, {x}"


def test_two_objects_that_exchange_their_names_exchange_them_in_a_study() -> None:
    session = session_with(
        StudyRequest("sweep", ("Screen.x=0..1",), ("power(Screen, Lamp) / power(Lamp)",))
    )
    session.apply(
        [Set("Screen", {"name": "S"}), Set("Lamp", {"name": "Screen"}), Set("S", {"name": "Lamp"})]
    )
    assert saved(session) == StudyRequest(
        "sweep", ("Lamp.x=0..1",), ("power(Lamp, Screen) / power(Screen)",)
    )


@pytest.mark.parametrize(
    ("name", "measure"),
    [
        ("A, B", 'power("A, B")'),
        ('5" wall (left)', r'power("5\" wall (left)")'),
        ("Näme 2", "power(Näme 2)"),
    ],
)
def test_a_name_that_needs_quotes_is_quoted(name: str, measure: str) -> None:
    session = session_with(StudyRequest("sweep", ("Screen.x=0..1",), ("power(Screen)",)))
    session.apply(Set("Screen", {"name": name}))
    assert saved(session).measures == (measure,)


@pytest.mark.parametrize(
    ("name", "vary"),
    [("'q'", "\"'q'\".x=0..1"), ('"q"', "'\"q\"'.x=0..1"), ("settings", '"settings".x=0..1')],
)
def test_a_name_that_would_be_read_as_something_else_is_quoted_in_a_parameter(
    name: str, vary: str
) -> None:
    session = session_with(StudyRequest("sweep", ("Screen.x=0..1",), ("power(Screen)",)))
    session.apply(Set("Screen", {"name": name}))
    assert saved(session).vary == (vary,)
    assert (
        read_sweep_axis(vary, session.document).parameter.target
        == session.document.scene.objects[2].key
    )
    session.apply(Set(name, {"name": "Wall"}))
    assert (
        read_sweep_axis(saved(session).vary[0], session.document)
        .parameter.text.strip("'\"")
        .startswith("Wall")
    )


def test_the_program_s_own_revert_of_a_renaming_brings_the_names_in_a_study_back() -> None:
    session = session_with(STUDY)
    session.apply(Set("Prism", {"name": "Wedge"}), merge_key="turn 1")
    session.apply(Rotate("Screen", 5))
    session.revert("turn 1")
    assert saved(session) == STUDY


def test_texts_that_name_nothing_and_what_another_version_wrote_stay() -> None:
    session = session_with(
        StudyRequest(
            "sweep",
            ("Prism",),
            ("power(", "nonsense(Prism)", "Prism", 'path_power("Lamp > > Prism")'),
        )
    )
    study = dict(session.document.studies["Study"]) | {"later": ["Prism.x"], "goals": "Prism.x"}
    session.apply(SetDocument(studies={"Study": study}))
    session.apply(Set("Prism", {"name": "Wedge"}))
    assert session.document.studies["Study"] == study


def test_a_study_follows_a_group_an_instance_and_its_parts() -> None:
    comb = Module.from_json("Comb", {"numPoints": 1, "objs": [{"type": "Mirror", "name": "Tooth", "p1": {"x": "`x_1`", "y": "`y_1`"},
                                                              "p2": {"x": "`x_1`", "y": "`y_1+9`"}}]})  # fmt: skip
    objects = [
        *(IdealLens(name=n, p1=Point(x, -5), p2=Point(x, 5)) for n, x in (("L1", 0), ("L2", 20))),
        Detector(name="Screen", p1=Point(50, -9), p2=Point(50, 9)),
        Beam(name="Lamp", p1=Point(-20, -2), p2=Point(-20, 2)),
        ModuleObj(module="Comb", points=(Point(80, 0),), name="Row"),
    ]
    session = Session(
        apply_changes(
            Group(["L1", "L2"], "Tube"), Document(scene=Scene.of(objects, modules={"Comb": comb}))
        )
    )
    study = StudyRequest(
        "sweep",
        ("Tube.x=0..5", "Row.points[0].x=0..9"),
        ("focus(Tube)", "power(Row/Tooth 1)", "power(Row/Tooth)"),
    )
    part = session.document.scene.parts_of(session.document.scene.objects[-1])[0].title
    session.apply(SetDocument(studies={"Study": study.to_json()}))
    keys = session.document.groups["Tube"]
    session.apply([Ungroup("Tube"), Group(keys, "Objective"), Set("Row", {"name": "Grid"})])
    now = {"Row/Tooth": "Grid/Tooth", "Row/Tooth 1": "Grid/Tooth 1"}
    assert saved(session).vary == ("Objective.x=0..5", "Grid.points[0].x=0..9")
    assert saved(session).measures == (
        "focus(Objective)",
        *(f"power({now[n] if n == part else n})" for n in ("Row/Tooth 1", "Row/Tooth")),
    )


def test_a_study_follows_the_label_of_an_edge_which_is_changed_exchanged_or_removed() -> None:
    patterns = (
        'path_power("Lamp > Prism:Front > Prism:back > Screen")',
        "edge_power(Prism:Front)",
        'path_power("Lamp > Screen:Front")',
    )
    session = Session(lens_scene())
    glass = {
        "type": "Glass",
        "name": "Prism",
        "path": [{"x": x, "y": y} for x, y in ((0, 0), (9, 0), (9, 9), (0, 9))],
    }
    session.apply(changes_from_json([{"add": glass}], session.document))
    session.apply([LabelEdge("Prism", "W", "Front"), LabelEdge("Prism", "E", "Back")])
    session.apply(
        SetDocument(
            studies={"Study": StudyRequest("sweep", ("Screen.x=0..1",), patterns).to_json()}
        )
    )
    session.apply(LabelEdge("Prism", "Front", "Entry > 1"))
    renamed = (
        r'path_power("Lamp > Prism:\"Entry > 1\" > Prism:back > Screen")',
        r'edge_power("Prism:\"Entry > 1\"")',
        patterns[2],
    )
    assert saved(session).measures == renamed
    session.undo()
    assert saved(session).measures == patterns
    session.apply(
        [
            LabelEdge("Prism", "W", "x"),
            LabelEdge("Prism", "E", "Front"),
            LabelEdge("Prism", "W", "Back"),
        ]
    )
    assert saved(session).measures[0] == "path_power(Lamp > Prism:Back > Prism:Front > Screen)"
    session.apply([Set("Prism", {"name": "Wedge"}), LabelEdge("Wedge", "Front", "")])
    assert saved(session).measures[0] == "path_power(Lamp > Wedge:Back > Wedge:E > Screen)"


def test_an_agent_s_renaming_is_followed_too() -> None:
    session = session_with(STUDY)
    changes = changes_from_json([{"set": "Screen", "name": "Wall"}], session.document)
    asyncio.run(OpenDocument(session).apply(changes, "turn"))
    assert saved(session).adjust == ("Wall.x=-5..5",)


def test_a_name_of_two_objects_and_a_deleted_one_change_nothing() -> None:
    before = lens_scene()
    assert (
        Renaming.between(before, apply_changes(Delete(before.scene.objects[0].title), before))
        is None
    )
    twins = Document(
        scene=Scene.of([Detector(name="D", p1=Point(x, 0), p2=Point(x, 9)) for x in (0, 5)])
    )
    assert (
        Renaming.between(
            twins, apply_changes(Set(twins.scene.objects[0].key, {"name": "E"}), twins)
        )
        is None
    )


NAMES = (
    *(
        "L",
        "Lens",
        "Lens 2",
        "lens 2",
        "a.b",
        "a",
        "a.x",
        "x",
        "1",
        "2.5",
        "N",
        "Lens.x",
        "it's",
        '5" wall',
        "A, B",
        "(x)",
        "p=q",
        "x±y",
    ),
    *(
        "a > b",
        "c|d",
        "e:f",
        "*",
        "escape",
        "least",
        "weight 2",
        "power(",
        "settings",
        "angle",
        "in mm",
        "x y  z",
        "\\q",
        "'q'",
        '"q"',
    ),
    *("-x", "x < 3", "Lens 2.x = 3", "..", ".a", "a.", "0..1", "|m|"),
)


def meant(session: Session) -> list[object]:
    """What the texts of the study mean: objects and places, or None where they cannot be read."""
    document, study = session.document, saved(session)
    readers = {
        "vary": lambda text: read_sweep_axis(text, document).parameter.identity,
        "links": lambda text: (
            read_link(text, document).parameter.identity,
            [p.identity for _, p in read_link(text, document).uses],
        ),
        "measures": lambda text: [
            b.arguments if isinstance(b, BoundMeasure) else b.unit
            for b in bind_measures(text, document)
        ],
        "goals": lambda text: len(read_goals([text], document)),
    }
    out: list[object] = []
    for field, read in readers.items():
        for text in getattr(study, field):
            try:
                out.append(read(text))
            except RaybenchError:
                out.append(None)
    return out


def test_what_a_study_means_stays_whatever_names_are_given() -> None:
    """Names as they are allowed: with quotes, dots, operators and words of the notation in them."""
    chance, readable = random.Random("names"), 0
    for _ in range(200):
        lens, screen, lamp = chance.sample(NAMES, 3)
        session = Session(lens_scene())
        keys = [o.key for o in session.document.scene.objects]
        session.apply(
            [Set(key, {"name": name}) for key, name in zip(keys, (lamp, lens, screen), strict=True)]
        )
        written = [lens, f'"{lens}"' if '"' not in lens else f"'{lens}'"]
        study = StudyRequest(
            "sweep", tuple(f"{name}.x=0..1" for name in written), (f"power({quote_argument(screen)}, {quote_argument(lamp)})", f"focus({quote_argument(lens)})"),
            (f"least rms({quote_argument(screen)})", f"|divergence({quote_argument(lens)})| = 3 weight 2"),
            links=(f"{chance.choice(written)}.y = 2 * {written[1]}.x",),
        )  # fmt: skip
        session.apply(SetDocument(studies={"Study": study.to_json()}))
        before = meant(session)
        readable += sum(one is not None for one in before)
        session.apply(
            Set(
                chance.choice(keys),
                {"name": chance.choice([n for n in NAMES if n not in (lens, screen, lamp)])},
            )
        )
        assert all(
            one == other
            for one, other in zip(before, meant(session), strict=True)
            if one is not None
        ), (study, saved(session))
        session.undo()
        assert saved(session) == study
    assert readable > 1000


def test_coating_and_finish_of_an_edge_are_followed_by_name_and_label() -> None:
    session = Session(lens_scene())
    path = [{"x": x, "y": y} for x, y in ((0, 0), (9, 0), (9, 9), (0, 9))]
    glass = {"type": "Glass", "name": "Plate", "path": path}
    session.apply(changes_from_json([{"add": glass}], session.document))
    session.apply([LabelEdge("Plate", "W", "Front"), Coat("Plate", "W", "MgF2 quarter wave 550")])
    session.apply(Coat("Plate", "E", "MgF2 quarter wave 550"))
    session.apply(FinishEdge("Plate", "W", values={"total": 0.5}))
    study = StudyRequest(
        "sweep",
        ("Plate:Front.coating.thickness=80..140", "Plate:Front.finish.total=0..1"),
        ("power(Screen)",),
        links=("Plate:E.coating.thickness = 2 * Plate:Front.coating.thickness",),
    )
    session.apply(SetDocument(studies={"Study": study.to_json()}))
    session.apply([Set("Plate", {"name": "Main plate"}), LabelEdge("Main plate", "W", "Entry")])
    assert saved(session).vary == (
        "Main plate:Entry.coating.thickness=80..140",
        "Main plate:Entry.finish.total=0..1",
    )
    (link,) = saved(session).links
    assert link == "Main plate:E.coating.thickness = 2 * Main plate:Entry.coating.thickness"
    read = read_link(link, session.document)
    assert read.value({p.identity: 50.0 for _, p in read.uses}) == 100
