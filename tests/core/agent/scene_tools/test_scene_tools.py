"""The tools that read, try and change the scene, as a model and a person call them."""

from __future__ import annotations

import itertools
import json
import re
from typing import Any

import pytest
from tests.core.agent.scene_tools.called_tool import call
from tests.core.study.scenes import lens_scene, prism_scene, weak_scene
from tests.open_prism import prism_session

from raybench.agent.by_hand.command_line import ask_question
from raybench.agent.call.approval import READ_ONLY
from raybench.agent.models.scripted import ScriptedBackend
from raybench.agent.models.scripted import call as scripted_call
from raybench.agent.scene_tools.change_scene import changes_in_words
from raybench.kinds.detectors import Detector
from raybench.kinds.lenses import IdealLens
from raybench.kinds.mirrors import Mirror
from raybench.kinds.sources import AngleSource, SingleRay
from raybench.scene.changes import changes_from_json
from raybench.scene.document import Document
from raybench.scene.names import object_named
from raybench.scene.scene import Scene
from raybench.session import Session
from raybench.shapes.point import Point

ROTATE = [{"rotate": "Main Prism", "by": 7}]


def test_a_change_is_one_step_of_the_history_in_its_own_words() -> None:
    session = prism_session()
    before = session.document
    outcome = call(
        session, "change_scene", changes=[*ROTATE, {"set": "Main Prism", "refIndex": 1.7}]
    )
    assert outcome.ok
    assert outcome.value.startswith(
        "Done: Main Prism turned by 7° counter-clockwise, Main Prism: refractive index "
    )
    assert len(session.history.done) == 1
    assert session.undo()
    assert session.document is before


def test_changes_fail_whole_and_say_which_one_and_why() -> None:
    session = prism_session()
    before = session.document
    outcome = call(
        session, "change_scene", changes=[*ROTATE, {"set": "Main Prism", "refIndx": 1.7}]
    )
    assert not outcome.ok
    assert outcome.text.startswith("Change 2 of 2 (set Main Prism)")
    assert "refIndex" in outcome.text
    assert session.document is before
    assert session.history.done == []


def test_a_copy_is_named_and_changed_in_the_same_list_and_a_group_is_read() -> None:
    session = prism_session()
    before = session.document
    changes = [
        {"duplicate": "Main Prism", "dx": 250, "as": "Prism B"},
        {"mirror": "Prism B", "axis": 0},
        {"group": ["Main Prism", "Prism B"], "as": "Pair"},
    ]
    assert call(session, "change_scene", changes=changes).value.startswith(
        "Done: Main Prism duplicated as Prism B, Prism B mirrored at "
    )
    assert [
        about["object"] for about in call(session, "read_objects", names=["Pair", "Prism B"]).value
    ] == ["Main Prism", "Prism B"]
    assert call(
        session, "change_scene", changes={"duplicate": "Pair", "dy": 300, "as": "Pair below"}
    ).ok
    assert [
        about["object"] for about in call(session, "read_objects", names=["Pair below"]).value
    ] == ["Main Prism 2", "Prism B 2"]
    for taken in ("Main Prism", "Pair"):
        refused = call(session, "change_scene", changes={"duplicate": "Prism B", "as": taken})
        assert f"There is a '{taken}' already." in refused.text
    session.undo()
    session.undo()
    assert session.document is before


def test_a_change_of_several_objects_names_them() -> None:
    moved = {"move": ["Main Prism", "Laser"], "dx": 5}
    text = call(prism_session(), "change_scene", changes=moved).value
    assert text.startswith("Done: 2 objects moved by (5, 0) mm (revision ")
    assert text.endswith("Objects: Main Prism, Laser."), text


def test_one_change_needs_no_list() -> None:
    session = prism_session()
    assert call(session, "what_if", changes=ROTATE[0], measures="escaped()").ok
    assert call(session, "change_scene", changes=ROTATE[0]).value.startswith(
        "Done: Main Prism turned by 7° counter-clockwise (revision "
    )
    refused = call(session, "change_scene", changes="turn it")
    assert "'changes' must be an array" in refused.text


@pytest.mark.parametrize(
    ("tool", "listed", "alone"),
    [
        ("read_objects", {"names": ["Main Prism"]}, {"names": "Main Prism"}),
        ("object_kinds", {"kinds": ["Mirror"]}, {"kinds": "Mirror"}),
        ("change_scene", {"changes": ROTATE}, {"changes": json.dumps(ROTATE)}),
        (
            "what_if",
            {"changes": ROTATE, "measures": "escaped()"},
            {"changes": json.dumps(ROTATE[0]), "measures": ["escaped()"]},
        ),
        (
            "sweep",
            {"axes": ["Main Prism.angle=0..1:2"], "measures": ["escaped()"]},
            {"axes": "Main Prism.angle=0..1:2", "measures": '["escaped()"]'},
        ),
        (
            "optimise",
            {"vary": ["Main Prism.angle=0..1"], "goals": ["most escaped()"]},
            {"vary": "Main Prism.angle=0..1", "goals": "most escaped()"},
        ),
        (
            "tolerance",
            {
                "vary": ["Main Prism.angle±1"],
                "measures": ["escaped()"],
                "limits": ["escaped() > 0"],
                "samples": 4,
            },
            {
                "vary": "Main Prism.angle±1",
                "measures": "escaped()",
                "limits": "escaped() > 0",
                "samples": 4,
            },
        ),
        ("source_filter", {"objects": ["Main Prism"]}, {"objects": "Main Prism"}),
        ("select_objects", {"names": ["Main Prism"]}, {"names": "Main Prism"}),
        ("zoom_to", {"names": ["Main Prism"]}, {"names": "Main Prism"}),
    ],
)
def test_one_item_needs_no_list_and_a_list_may_be_json(
    tool: str, listed: dict[str, Any], alone: dict[str, Any]
) -> None:
    wanted, found = (call(prism_session(), tool, **arguments) for arguments in (listed, alone))
    assert wanted.ok, wanted.text
    assert re.sub(r"\d+", "", found.text) == re.sub(r"\d+", "", wanted.text)


@pytest.mark.parametrize(
    "change", [{"rotate": "Main Prism"}, {"scale": "Main Prism"}, {"move": "Main Prism"}]
)
def test_a_change_that_would_do_nothing_is_refused_with_what_it_needs(
    change: dict[str, Any],
) -> None:
    session = prism_session()
    refused = call(session, "change_scene", changes=change)
    assert not refused.ok
    assert f"'{next(iter(change))}' needs " in refused.text
    example = json.loads(refused.text[refused.text.index("{") :].removesuffix("."))
    example[next(iter(change))] = "Main Prism"
    assert call(session, "change_scene", changes=example).ok


def test_a_read_only_turn_may_try_but_not_change() -> None:
    session = prism_session()
    before = session.document
    assert not call(session, "change_scene", READ_ONLY, changes=ROTATE).ok
    tried = call(session, "what_if", READ_ONLY, changes=ROTATE, measures="escaped()")
    assert tried.ok
    assert tried.text.startswith("<?xml")
    assert tried.value["changes"] == "Main Prism turned by 7° counter-clockwise"
    (row,) = tried.value["measure"]
    assert row["difference"] == pytest.approx(row["after"] - row["before"])
    assert session.document is before


def test_the_sentence_of_a_trial_leads_with_the_numbers() -> None:
    outcome = call(prism_session(), "what_if", changes=ROTATE, measures="escaped()")
    assert outcome.model_text.startswith(
        "If Main Prism turned by 7° counter-clockwise: escaped(): "
    )


def test_fields_are_read_as_changes_set_them() -> None:
    session = prism_session()
    (read,) = call(session, "read_objects", names=["Main Prism"]).value
    assert read["type"] == "Glass"
    assert read["units"]["path"] == "mm"
    outcome = call(
        session,
        "change_scene",
        changes=[{"set": "Main Prism", **{k: v for k, v in read["fields"].items() if k != "name"}}],
    )
    assert outcome.ok, outcome.text
    assert not session.modified or session.document.scene == session.history.done[0].before.scene


def test_a_number_is_linked_by_an_expression_and_told_with_its_object() -> None:
    session = prism_session()
    link = {"set": "Main Prism", "refIndex": "=Laser.wavelength / 360"}
    done = call(session, "change_scene", changes=[link])
    assert "Main Prism.refIndex linked: = Laser.wavelength / 360" in done.text
    (read,) = call(session, "read_objects", names=["Main Prism"]).value
    assert read["links"] == {"Main Prism.refIndex": "=Laser.wavelength / 360"}
    refused = call(session, "change_scene", changes=[{"set": "Main Prism", "refIndex": 1.7}])
    assert '{"link": "Main Prism.refIndex", "as": ""}' in refused.text
    assert call(session, "change_scene", changes=[{"set": "Main Prism", "refIndex": "="}]).ok
    assert session.document.links == ()


def test_a_model_turns_a_prism_and_sees_the_light_afterwards() -> None:
    session = prism_session()
    before = object_named(session.document.scene, "Main Prism")
    calls = [
        [scripted_call("change_scene", changes=ROTATE)],
        [scripted_call("measure_xml", "call_2", measures="escaped()")],
    ]
    backend = ScriptedBackend([*calls, "Turned by 7 degrees."])
    answer = ask_question(session, "Turn the prism by 7 degrees.", backend, profile="auto")
    assert not answer.error
    assert "Turned by 7 degrees." in answer.text
    assert object_named(session.document.scene, "Main Prism") != before
    assert session.history.undo_text == "Main Prism turned by 7° counter-clockwise"


def test_presets_are_listed_with_their_fields_and_added_by_them() -> None:
    session = prism_session()
    listed = {entry["preset"]: entry for entry in call(session, "list_presets").value}
    assert listed["BiconvexLens"]["fields"]["focalLength"] == 200
    assert "units" not in listed["BiconvexLens"]  # its numbers are lengths
    assert listed["MeniscusLens"]["units"] == {"shape": "1"}
    assert listed["WedgePrism"]["units"] == {"wedgeAngle": "deg"}
    added = call(
        session,
        "change_scene",
        changes=[
            {"preset": "BiconvexLens", "focalLength": 80, "diameter": "2 cm", "as": "Eyepiece"}
        ],
    )
    assert "Eyepiece added" in added.text
    assert object_named(session.document.scene, "Eyepiece").p1.y == -10


def test_a_glass_is_found_with_the_fields_that_give_an_object_its_index() -> None:
    session = prism_session()
    (found,) = call(session, "find_glass", name="n-bk7", limit=1).value
    assert found["n_d"] == pytest.approx(1.5168, abs=5e-6)
    assert found["refIndex"] == pytest.approx(found["n_d"]), (
        "at the d line where no colours are simulated"
    )
    outcome = call(
        session,
        "change_scene",
        changes=[{"set": "Main Prism", "refIndex": found["refIndex"], "cauchyB": found["cauchyB"]}],
    )
    assert outcome.ok
    assert object_named(session.document.scene, "Main Prism").ref_index == pytest.approx(
        1.5168, abs=5e-6
    )  # type: ignore[attr-defined]


def test_the_nearest_glass_and_unknown_names() -> None:
    session = prism_session()
    nearest = call(session, "find_glass", n_d=1.7847, v_d=25.7, limit=1).value
    assert nearest[0]["name"] in ("N-SF11", "SF11")
    assert {m["family"] for m in call(session, "find_glass", family="liquid").value} == {"liquid"}
    assert "N-BK7" in call(session, "find_glass", name="NBK77").text
    assert not call(session, "find_glass", n_d=1.5).ok


def test_coatings_are_found_by_what_they_reflect() -> None:
    session = prism_session()
    least = call(session, "find_coating", name="anti", wavelength=550, index=1.6).value
    assert least[0]["name"] == "Ideal antireflection"
    assert [c["R_s"] + c["R_p"] for c in least] == sorted(c["R_s"] + c["R_p"] for c in least)
    most = call(session, "find_coating", wavelength=1064, order="most reflected", limit=1).value
    assert most[0]["name"] == "High reflector 1064"
    assert "Silver" in call(session, "find_coating", name="nobody's").text


def test_scatter_is_budgeted_and_remedies_are_ranked() -> None:
    wall = {"type": "Blocker", "name": "Wall", "p1": {"x": 0, "y": -20}, "p2": {"x": 0, "y": 20}}
    ray = {"type": "SingleRay", "p1": {"x": -50, "y": 0}, "p2": {"x": -40, "y": 0}}
    screen = {**wall, "name": "Screen", "p1": {"x": -60, "y": 30}, "p2": {"x": 0, "y": 30}}
    session = Session(Document())
    session.apply(changes_from_json([{"add": o} for o in (wall, ray, screen)], Document()))
    assert (
        "No surface of this scene scatters"
        in call(session, "scatter_budget", object_name="Screen").text
    )
    paint = [
        {"settings": {"colorMode": "linear"}},
        {"finish": "Wall", "reflectance": 0.2, "rays": 50},
        {"document": {"powerUnit": "mW"}},
    ]
    session.apply(changes_from_json(paint, session.document))
    budget = call(session, "scatter_budget", object_name="Screen", draws=4)
    assert budget.result.sentence.count(" mW") == 3
    (surface,) = budget.value["surface"]
    assert (surface["object"], surface["edge"]) == ("Wall", "Face")
    assert surface["power"] == pytest.approx(budget.value["scattered_power"])
    ranked = call(
        session, "rank_remedies", measure="scattered_power(Screen)", finishes=["black", "none"],
        changes=[[{"coat": "Wall", "coating": "Silver"}]], draws=4,
    )  # fmt: skip
    assert ranked.result.sentence.count(" mW") == 2
    ranked = ranked.value
    best, *_, last = ranked["remedy"]
    assert best["change"] == "none on Wall"
    assert (best["value"], best["certain"]) == (0, True)
    assert "cannot have" in last["refused"]
    relative = {r["change"]: r["relative"] for r in ranked["remedy"]}
    # each paint scatters its part of the light in the same directions
    assert relative["Black flocked paper on Wall"] == pytest.approx(0.008 / 0.2 - 1, abs=0.02)
    assert "give 1 to 60" in call(session, "rank_remedies", measure="power(Screen)").text


def test_a_sweep_leads_with_the_extremes_and_lists_a_few_rows() -> None:
    outcome = call(
        prism_session(),
        "sweep",
        READ_ONLY,
        axes=["Main Prism.angle=-10..10:21"],
        measures="escaped()",
        limit=5,
    )
    values = outcome.value
    assert values["points"] == 21
    assert len(values["row"]) == 5
    assert values["rows_not_listed"] == 16
    assert values["row"][0]["p1"] == -10
    assert values["measure"][0]["least"] <= values["measure"][0]["most"]


def test_a_measure_that_stays_the_same_in_a_sweep_is_said_once() -> None:
    outcome = call(
        prism_session(), "sweep", READ_ONLY, axes=["Main Prism.x=0..1:3"], measures="emitted()"
    )
    assert re.search(r"emitted\(\) is [\d.]+ relative power throughout", outcome.answer.sentence)


def test_a_sweep_tells_the_size_of_a_range_of_directions() -> None:
    """A mirror that is turned by a turns the light that it sends back by 2 a."""
    lamp = SingleRay(name="Lamp", p1=Point(-50, 0), p2=Point(0, 0))
    mirror = Mirror(name="Mirror", p1=Point(50, -30), p2=Point(50, 30))
    outcome = call(
        Session(Document(scene=Scene.of([lamp, mirror]))),
        "sweep",
        READ_ONLY,
        axes=["Mirror.angle=-1..2:4"],
        measures="direction(Mirror); deviation(Mirror)",
    )
    direction, deviation = outcome.value["measure"]
    assert (direction["least"], direction["most"]) == pytest.approx((178, -176))
    assert [abs(deviation[w]) for w in ("least", "most")] == pytest.approx([176, 180])
    assert [direction["spread"], deviation["spread"]] == pytest.approx([6, 6])
    assert "a range of 6°" in outcome.answer.sentence


def test_an_optimum_is_given_as_changes_that_change_scene_takes() -> None:
    session = prism_session()
    document = session.document
    outcome = call(
        session,
        "optimise",
        READ_ONLY,
        vary=["Main Prism.refIndex=1.4..1.6"],
        goals=["deviation(Main Prism) = -40"],
    )
    found = outcome.value
    assert session.document is document
    assert call(session, "change_scene", changes=json.loads(found["changes"])).ok
    prism = object_named(session.document.scene, "Main Prism")
    assert prism.ref_index == pytest.approx(found["parameter"][0]["after"])  # type: ignore[attr-defined]


def test_a_search_takes_choices_changes_first_and_measures() -> None:
    """The lamp is moved to where no light arrives: what is undefined is said so."""
    outcome = call(
        Session(lens_scene()),
        "optimise",
        READ_ONLY,
        changes=[{"move": "Lamp", "dy": 400}, {"group": ["Lens", "Screen"], "as": "Camera"}],
        vary=["Lamp.y=-400|0", "Camera.y=-1..1"],
        goals=["least rms(Screen)"],
        measures=["rays(Camera)"],
    )
    said = outcome.answer.sentence
    assert "rms(Screen) undefined -> " in said
    assert "nan" not in said
    assert outcome.value["parameter"][0]["after"] == -400
    assert outcome.value["measure"][0]["of"] == "rays(Camera)"
    assert [next(iter(c)) for c in json.loads(outcome.value["changes"])][:2] == ["move", "group"]


def test_rows_of_a_sweep_on_another_path_say_so() -> None:
    outcome = call(
        Session(prism_scene()), "sweep", READ_ONLY, axes=["Prism.angle=-20,20"], measures="deviation(Prism)"
    )  # fmt: skip
    rows = outcome.value["row"]
    assert [row.get("other_path") for row in rows] == [None, "Prism: refract, tir, refract"]
    assert "In 1 of 2 rows light takes another path than in the scene" in outcome.answer.sentence


def test_a_tolerance_tells_effects_spread_and_yield() -> None:
    outcome = call(
        prism_session(), "tolerance", READ_ONLY, vary=["Main Prism.angle±0.5"], measures=["deviation(Main Prism)"],
        limits=["deviation(Main Prism) < 0"], samples=20,
    )  # fmt: skip
    values = outcome.value
    assert values["samples"] == 20
    assert values["measure"][0]["deviates"][0]["parameter"] == "Main Prism.angle"
    assert values["yield"][0]["share"] == 1


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("what_if", {"changes": [{"set": "M0", "transRatio": 0.5}], "measures": "{}"}),
        ("compare", {"revision": 0, "measures": "{}"}),
        ("sweep", {"axes": ["M0.transRatio=0.1,0.5"], "measures": "{}"}),
        ("optimise", {"vary": ["M0.transRatio=0.1..0.2"], "goals": ["most {}"]}),
        ("tolerance", {"vary": ["M0.transRatio±0.01"], "measures": ["{}"], "samples": 3}),
    ],
)
def test_studies_of_powers_say_how_much_light_was_too_weak_to_follow(
    tool: str, arguments: dict[str, Any]
) -> None:
    def told(measure: str) -> str:
        session = Session(weak_scene())
        named = json.loads(json.dumps(arguments).replace("{}", measure))
        if tool == "compare":
            named["revision"] = session.document.revision
            assert call(session, "change_scene", changes=[{"set": "M0", "transRatio": 0.2}]).ok
        outcome = call(session, tool, READ_ONLY, **named)
        assert outcome.ok, outcome.text
        return outcome.text + outcome.notes

    assert "Rays too weak to follow carried " in told("share(Out)")
    assert "too weak to follow" not in told("centroid(M0)"), "no power is told"


@pytest.mark.parametrize(
    ("tool", "arguments", "says"),
    [
        ("sweep", {"axes": ["Prsm.angle=0..1"], "measures": "escaped()"}, "No object named 'Prsm'"),
        (
            "sweep",
            {"axes": ["Main Prism.angle=0..1"], "measures": "escaped()", "limit": 1000},
            "limit is 1000",
        ),
        ("optimise", {"vary": ["Main Prism.angle=0..1"], "goals": ["escaped()"]}, "is not a goal"),
        (
            "tolerance",
            {"vary": ["Main Prism.angle"], "measures": ["escaped()"]},
            "is not a deviation",
        ),
    ],
)
def test_a_study_that_cannot_be_read_says_why(
    tool: str, arguments: dict[str, Any], says: str
) -> None:
    outcome = call(prism_session(), tool, READ_ONLY, **arguments)
    assert not outcome.ok
    assert says in outcome.text


def test_a_call_that_adds_names_the_kind_as_the_program_does() -> None:
    added = [{"add": {"type": "IdealLens"}}, {"add": {"type": "Nothing"}}, {"rotate": ["A", "B"]}]
    assert changes_in_words(added) == "add ideal lens, add Nothing, rotate A, B"
    assert changes_in_words([{"add": {}}, 5]) == "add, "


def test_light_beside_a_lens_does_not_count_at_its_focus() -> None:
    """Light passes the lens on both sides: the detector is too short to meet it, until it is moved
    to the lens's focus.
    """
    lamp = AngleSource(name="Lamp", p1=Point(0, 0), p2=Point(1, 0), emis_angle=60)
    lens = IdealLens(name="Lens", p1=Point(100, -10), p2=Point(100, 10), focal_length=50)
    screen = Detector(name="Screen", p1=Point(300, -29), p2=Point(300, 29))
    session = Session(Document(scene=Scene.of([lamp, lens, screen])))
    few = call(session, "move_to_focus", detector_name="Screen")
    assert (
        few.text
        == "Only one ray arrives at 'Screen', which has no focus. Raise the scene's ray density."
    )
    more = call(session, "change_scene", changes={"settings": {"rayModeDensity": 2}})
    assert more.ok
    moved = call(session, "move_to_focus", detector_name="Screen")
    assert moved.value.startswith("Screen is moved 100 mm back along its light")
    assert "-> 0 mm" in moved.value, "the spot is that of the light through the lens"
    assert "other rays" not in moved.value
    narrow = [{"move": "Screen", "to": {"x": 300, "y": 0}}, {"set": "Lamp", "emisAngle": 8}]
    assert call(session, "change_scene", changes=narrow).ok
    moved = call(session, "move_to_focus", detector_name="Screen")
    assert "-> 0 mm" in moved.value
    assert "other rays" not in moved.value


def test_a_change_tells_measures_before_and_after() -> None:
    session = Session(lens_scene())
    before = session.document
    refused = call(
        session, "change_scene", changes=[{"move": "Screen", "dx": 20}], measures="rmss()"
    )
    assert not refused.ok
    assert session.document is before
    told = call(
        session, "change_scene", changes=[{"move": "Screen", "dx": 20}], measures="centre_x(Screen)"
    )
    doublet = {"preset": "Achromat", "focalLength": 99, "diameter": 20, "as": "Pair"}
    assert (
        "New objects: Pair crown, Pair flint."
        in call(session, "change_scene", changes=doublet).value
    )
    assert told.value.endswith("centre_x(Screen): 180 -> 200 mm (+20, +11.1 %).")


def test_a_study_may_have_more_rays_than_the_scene() -> None:
    session = Session(lens_scene())
    for times in (1, 3):
        value = call(session, "measure_xml", measures="rays(Screen)", rays=times).value
        (tried,) = call(
            session,
            "what_if",
            changes=[{"move": "Screen", "dx": 1}],
            measures="rays(Screen)",
            rays=times,
        ).value["measure"]
        swept = call(
            session, "sweep", axes="Screen.x=0,1", measures="rays(Screen)", rays=times
        ).value
        assert value["measure"][0]["value"] == tried["before"] == swept["measure"][0]["least"]
        assert tried["after"] == 20 * times
    assert "no rays" in call(session, "measure_xml", measures="rays(Screen)", rays=0).text


def test_a_search_with_more_rays_tells_the_value_with_those_of_the_scene() -> None:
    session = Session(lens_scene(rayModeDensity=0.5))
    arguments = {"vary": "Lens.focalLength=100..300", "goals": "rms(Screen) = 2", "rays": 2}
    found = call(session, "optimise", **arguments)
    (note, own) = found.value["note"][-2:]
    assert "it is 2 with those of the search, and 2.00" in note
    assert own.startswith("The search has 2 times the rays of the scene. With its own, rms(Screen)")
    assert call(session, "change_scene", changes=json.loads(found.value["changes"])).ok
    there = call(session, "measure_xml", measures="rms(Screen)").answer.sentence
    assert own.rpartition(" = ")[2].split()[0] in there


def test_measures_that_take_too_long_leave_the_change_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("raybench.agent.scene_tools.change_scene.TRACING_SHARE", 0.0)
    session = prism_session()
    outcome = call(session, "change_scene", changes=ROTATE, measures="escaped()")
    assert outcome.ok
    assert outcome.value.startswith("Done: Main Prism turned by 7° counter-clockwise")
    assert "The measures after it took too long" in outcome.value
    assert len(session.history.done) == 1


def test_a_factor_at_the_end_of_its_range_is_the_least() -> None:
    found = call(
        Session(lens_scene()),
        "tolerance",
        vary="Lens.y±0.001",
        measures="power(Screen)",
        limits="power(Screen) > 0",
        samples=2,
        wanted_yield=0.9,
    )
    assert "all deviations times at least 64 give a yield of 100 %" in found.answer.sentence
    assert found.value["scale"][0]["at_least"] is True


def test_a_sweep_lists_the_best_of_each_choice_and_runs_without_value_once() -> None:
    session = Session(lens_scene())
    axes = ["Screen.x=-20..20:5", "Lens.focalLength=80|100"]
    found = call(session, "sweep", axes=axes, measures="rms(Screen)").value["each"]
    assert [(e["p2"], e["m1_least_p1"]) for e in found] == [("80", "0"), ("100", "20")]
    dark = call(session, "sweep", axes="Lamp.y=-400..0:9", measures="rms(Screen)", limit=2).value
    assert [(run["rows"], run["to"]) for run in dark["undefined_rows"]] == [(7, "Lamp.y=-100 mm")]
    assert len(dark["row"]) == 2


def test_a_study_ends_at_its_time_and_says_what_all_would_take(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(  # each look at the clock is a second later
        "raybench.agent.scene_tools.time_limit.monotonic", map(float, itertools.count()).__next__
    )
    session = prism_session()
    for tool, given in {
        "sweep": {"axes": "Main Prism.angle=0..1:99999"},
        "tolerance": {"vary": "Main Prism.angle±1", "samples": 99999},
    }.items():
        ended = call(session, tool, **given, measures="escaped()", seconds=200)
        assert re.search(r"It ended after 2\d\d s with \d+ of 99999", ended.notes), ended.text
    assert (
        "at most 280"
        in call(
            session, "sweep", axes="Main Prism.angle=0,1", measures="escaped()", seconds=1e9
        ).text
    )
