"""Optimisation: the textbook's answers, constraints, rough measures, the same with any executor,
and nothing changed.
"""

from __future__ import annotations

import json
import math
from functools import partial
from pathlib import Path

import pytest
from tests.core.study.scenes import (
    APEX,
    INDEX,
    LINES,
    WAVELENGTH,
    brewster_scene,
    grating_scene,
    lens_scene,
    minimum_deviation,
    mirror_scene,
    prism_scene,
)

from raybench.analysis.measures.bound import bind_measures
from raybench.analysis.measures.light import Light
from raybench.analysis.measures.measure import Measured
from raybench.files.document_file import load_document, save_document
from raybench.kinds.blockers import Blocker
from raybench.kinds.detectors import Detector
from raybench.kinds.glasses import Glass
from raybench.kinds.sources import Beam
from raybench.scene.changes import (
    AddPreset,
    Move,
    Rotate,
    Set,
    SetMaterial,
    apply_changes,
    changes_from_json,
    changes_to_json,
)
from raybench.scene.document import Document, next_revision
from raybench.scene.parameters.link import InvalidLink
from raybench.scene.parameters.parameter import InvalidParameter
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.session import Session
from raybench.shapes.point import Point, Vertex
from raybench.study.notebook import optimise as optimise_texts
from raybench.study.optimise import (
    NoOptimum,
    Optimum,
    depends_on_ray_count,
    meets_goal,
    optimise,
    with_more_rays,
)
from raybench.study.sweep import Sweep
from raybench.study.terms.goal import read_goals
from raybench.study.terms.ranges import InvalidRange, read_bounds
from raybench.trace.run.emission import count_rays
from raybench.trace.trace import trace
from raybench_workbench.cli import main


def search(document: Document, vary: list[str], goals: list[str], **options: object) -> Optimum:
    bounds = [read_bounds(text, document) for text in vary]
    return optimise(document, bounds, read_goals(goals, document), **options)  # type: ignore[arg-type]


def test_a_prism_is_turned_to_least_deviation() -> None:
    """Hecht, section 5.5.1: light passes symmetrically; its angle of incidence is asin(n sin(apex /
    2)).
    """
    found = search(prism_scene(), ["Prism.angle=-30..5"], ["least deviation(Prism, Laser)"])
    symmetric = math.degrees(math.asin(INDEX * math.sin(math.radians(APEX / 2)))) - 30
    assert found.values[0] == pytest.approx(-symmetric, abs=1e-6)
    assert found.after[0].value == pytest.approx(-minimum_deviation(INDEX, APEX), abs=1e-9)
    assert found.complete
    assert not found.notes


def test_a_value_is_reached_by_least_squares() -> None:
    found = search(prism_scene(), ["Prism.refIndex=1.3..1.9"], ["deviation(Prism) = -40"])
    assert found.method == "least squares"
    assert found.after[0].value == pytest.approx(-40, abs=1e-9)


def test_two_parameters_reach_two_values() -> None:
    found = search(
        lens_scene(),
        ["Lens.focalLength=40..300", "Lens.y=-5..5"],
        ["centroid(Screen) = 51", "focus(Lens) = 120"],
    )
    assert [m.value for m in found.after] == pytest.approx([51, 120], abs=1e-6)


def test_the_screen_is_put_into_the_focus() -> None:
    found = search(lens_scene(), ["Screen.x=-50..50"], ["least rms(Screen)"])
    assert found.values[0] == pytest.approx(20, abs=1e-6)
    assert found.after[0].value == pytest.approx(0, abs=1e-6)


def test_a_constraint_holds_at_the_end() -> None:
    free = search(lens_scene(), ["Screen.x=-50..50"], ["least rms(Screen)"])
    held = search(
        lens_scene(rayModeDensity=100),
        ["Screen.x=-50..50"],
        ["least rms(Screen)", "width(Screen) > 2"],
    )
    assert free.values[0] == pytest.approx(20, abs=1e-6)
    assert held.after[1].value == pytest.approx(2, abs=1e-4)
    assert held.after[1].value >= 2


def test_constraints_that_contradict_each_other_are_told() -> None:
    found = search(
        lens_scene(),
        ["Screen.x=-50..50"],
        ["least rms(Screen)", "width(Screen) > 5", "width(Screen) < 4"],
    )
    assert any("was not found: the best of" in note for note in found.notes)


@pytest.mark.parametrize(("value", "met"), [(2e-9, True), (2e-6, False)])
def test_a_direction_of_zero_is_met_up_to_what_a_search_leaves_of_it(
    value: float, met: bool
) -> None:
    (goal,) = read_goals(["direction(Mirror) = 0"], mirror_scene())
    assert meets_goal(goal, Measured(value, "deg", "direction(Mirror)")) == met


def test_a_global_search_finds_what_a_local_one_does_not_and_is_the_same_for_any_threads() -> None:
    goals = [
        "most direction(Prism, Laser)"
    ]  # far away, light leaves through the other face and is deviated to the other side
    local = search(prism_scene(), ["Prism.angle=-80..5"], goals)
    first = search(
        prism_scene(), ["Prism.angle=-80..5"], goals, whole_range=True, seed=1, threads=1
    )
    again = search(
        prism_scene(), ["Prism.angle=-80..5"], goals, whole_range=True, seed=1, threads=3
    )
    assert first.after[0].value > local.after[0].value + 10
    assert first.values == again.values


def test_links_are_part_of_the_changes() -> None:
    found = search(
        lens_scene(), ["Lens.x=-30..30"], ["least rms(Screen)"], links=["Screen.x = Lens.x / 2"]
    )
    assert found.values[0] == pytest.approx(-40 if -40 > -30 else -30)
    assert apply_changes(found.changes, found.experiment.document).scene == found.document.scene
    assert len(found.changes) == 2


def test_a_bound_that_is_reached_is_told() -> None:
    found = search(lens_scene(), ["Screen.x=-50..10"], ["least rms(Screen)"])
    assert found.values[0] == pytest.approx(10)
    assert any(note.startswith("Screen.x is at its bound 10") for note in found.notes)


def test_bounds_that_exclude_a_better_present_scene_are_reported() -> None:
    """The screen is in the focus once it is moved by 20."""
    document = apply_changes([Move(("Screen",), dx=20)], lens_scene())
    found = search(document, ["Screen.x=5..15"], ["least rms(Screen)"])
    assert found.merit[1] > found.merit[0]
    assert (
        "The present scene, where Screen.x is 0, meets the goals better, but is out of bounds. Give"
        " bounds that include it." in found.notes
    )
    assert not any(
        "better" in note
        for note in search(lens_scene(), ["Screen.x=5..15"], ["least rms(Screen)"]).notes
    )


REFRACTED, REFLECTED = "Prism: refract", "Prism: refract, tir, refract"


def test_the_search_keeps_the_present_path_and_tells_others() -> None:
    """Turned further, no light leaves the far face: what is totally reflected there leaves through
    the third.
    """
    search_80 = partial(
        search, prism_scene(), ["Prism.angle=-5..40"], ["deviation(Prism, Laser) = -80"]
    )
    found = search_80(whole_range=True)
    assert found.paths == (REFRACTED, REFRACTED)
    assert found.met == (False,)
    assert found.alternatives[0].path == REFLECTED
    assert found.alternatives[0].measures[0].value == pytest.approx(-80, abs=0.2)
    told = " ".join(found.notes)
    assert "deviation(Prism, Laser) = -80 was not found: the best of" in told
    assert f"Another path of the light, {REFLECTED}, gives deviation(Prism, Laser) = -" in told
    any_path = search_80(whole_range=True, keep_path=False)
    assert any_path.values[0] == pytest.approx(20, abs=1e-4)
    assert any_path.notes == (
        "deviation(Prism, Laser) is of light on another path than in the present scene:"
        f" {REFLECTED}, not {REFRACTED}.",
    )


@pytest.mark.parametrize("whole_range", [False, True])
def test_least_deviation_is_not_that_of_a_totally_reflected_path(whole_range: bool) -> None:
    """Of glass with n = 1.7 the least is 56.42°; a totally reflected path has less."""
    index, symmetric = 1.7, math.degrees(math.asin(1.7 / 2)) - 30
    turned = [Set("Prism", {"refIndex": index}), Rotate("Prism", -symmetric - 5)]
    found = search(
        apply_changes(turned, prism_scene()),
        ["Prism.angle=-80..80"],
        ["least deviation(Prism)"],
        whole_range=whole_range,
    )
    assert found.after[0].value == pytest.approx(-minimum_deviation(index, APEX), abs=1e-9)
    others = [abs(other.measures[0].value) for other in found.alternatives]
    assert all(value < minimum_deviation(index, APEX) for value in others)
    assert bool(others) == whole_range


def test_a_window_is_turned_to_brewster_s_angle() -> None:
    """tan i = n (Hecht, section 4.6.2): no light of that polarisation is reflected."""
    found = search(brewster_scene(), ["Window.angle=-40..20"], ["most power_p(Behind)"])
    assert found.values[0] == pytest.approx(45 - math.degrees(math.atan(INDEX)), abs=1e-4)
    assert found.after[0].value == pytest.approx(0.5, abs=1e-12)


def test_a_grating_is_turned_to_littrow() -> None:
    """Light returns on its own path where 2 d sin i = λ (Hecht, section 10.2.8)."""
    found = search(
        grating_scene(), ["Grating.angle=-60..60"], ["|direction(Grating, Laser, -1)| = 180"]
    )
    littrow = math.degrees(math.asin(LINES * WAVELENGTH / 2))
    assert found.met == (True,)
    assert abs(found.values[0]) == pytest.approx(littrow, abs=1e-5)


@pytest.mark.parametrize("whole_range", [False, True])
@pytest.mark.parametrize("goal", ["power(Screen) > 4", "power(Screen) = 5"])
def test_a_goal_that_is_a_step_is_found(goal: str, whole_range: bool) -> None:
    """The beam misses the screen but for a part of the range, within which its power is a step."""
    found = search(mirror_scene(), ["Mirror.angle=-20..20"], [goal], whole_range=whole_range)
    assert found.met == (True,)
    assert found.values[0] == pytest.approx(8, abs=1)


def test_what_is_not_found_says_how_many_points_were_tried() -> None:
    local, whole = (
        search(mirror_scene(), ["Mirror.angle=-1..1"], ["power(Screen) > 4"], whole_range=whole)
        for whole in (False, True)
    )
    for found in (local, whole):
        tried = f"was not found: the best of {found.evaluations} points that were tried ("
        assert any(tried in note for note in found.notes)
        assert found.method in " ".join(found.notes)
        assert not any("within the bounds" in note for note in found.notes)
    assert whole.evaluations > local.evaluations
    far = ["Lens.focalLength=90..95"], ["focus(Lens) = 120"]
    assert (
        "Search the whole ranges, give wider bounds, or vary more."
        in search(lens_scene(), *far).notes
    )
    assert "Give wider bounds, or vary more." in search(lens_scene(), *far, whole_range=True).notes


def test_a_goal_with_a_tolerance_is_a_range() -> None:
    for text in ("= 90 ± 0.1", "= 90 +- 0.1"):
        found = search(mirror_scene(), ["Mirror.angle=-40..40"], [f"direction(Mirror) {text}"])
        assert found.met == (True, True)
        assert found.values[0] == pytest.approx(8, abs=0.05)


def test_one_of_two_glasses_is_chosen_as_by_hand() -> None:
    """Each glass alone gives the deviation that its index has; the nearer one is chosen."""
    vary, goals = ["Prism.angle=-20..20"], ["|deviation(Prism)| = 70"]
    coloured = apply_changes([Rotate("Prism", -25)], prism_scene(simulateColors=True))
    by_hand = {
        glass: search(
            apply_changes([SetMaterial("Prism", glass)], coloured), vary, ["least deviation(Prism)"]
        )
        for glass in ("N-BK7", "N-SF11")
    }
    indices = {
        glass: found.document.scene.objects[1].uniform_index(540)  # type: ignore[attr-defined]
        for glass, found in by_hand.items()
    }
    for glass, found in by_hand.items():
        least = minimum_deviation(indices[glass], APEX)
        assert abs(found.after[0].value) == pytest.approx(least, abs=1e-6)
    found = search(coloured, ["Prism.material=N-SF11|N-BK7", *vary], ["least deviation(Prism)"])
    assert found.bounds[0].parameter.value_text(found.values[0]) == "N-BK7"
    assert found.values[1] == pytest.approx(by_hand["N-BK7"].values[0], abs=1e-4)
    assert found.changes[0] == SetMaterial(found.changes[0].targets, "N-BK7")  # type: ignore[attr-defined]
    assert any("With Prism.material = N-SF11 the best is" in note for note in found.notes)
    reached = search(coloured, ["Prism.material=N-BK7|N-SF11", *vary], goals)
    assert reached.bounds[0].parameter.value_text(reached.values[0]) == "N-SF11"
    assert reached.met == (True,)


def test_numbers_and_switches_are_chosen() -> None:
    found = search(lens_scene(), ["Lens.angle=0|90", "Lens.x=-30..30"], ["most power(Screen)"])
    assert found.values[0] == 0
    chosen = search(brewster_scene(), ["Window.partialReflect=true|false"], ["most power(Behind)"])
    assert chosen.bounds[0].parameter.value_text(chosen.values[0]) == "false"
    assert chosen.after[0].value == pytest.approx(1)


def test_too_many_choices_are_refused() -> None:
    numbers = "|".join(map(str, range(11)))
    with pytest.raises(NoOptimum, match="121 combinations of choices are too many"):
        search(lens_scene(), [f"Lens.x={numbers}", f"Lens.y={numbers}"], ["most power(Screen)"])


def test_a_search_begins_with_changes_and_measures_what_they_make() -> None:
    document = lens_scene()
    second = {
        "type": "Detector",
        "name": "Twin",
        "p1": {"x": 150, "y": 100},
        "p2": {"x": 150, "y": 200},
    }
    found = optimise_texts(
        document,
        ["Twin.x=-40..60"],
        ["least rms(Twin)"],
        changes=[{"add": second}, {"set": "Lens", "focalLength": 80}],
        measures=["rms(Screen)"],
    )
    assert found.values[0] == pytest.approx(30, abs=1e-6)
    assert [m.value for pair in found.measured for m in pair] == pytest.approx([0, 0], abs=1e-6)
    again = apply_changes(found.changes, document)
    assert again.scene == found.document.scene
    json = changes_to_json(found.changes, document)
    assert [next(iter(change)) for change in json] == ["add", "set", "move"]
    assert document.scene.objects[-1].title == "Screen"


def test_trials_leave_the_numbers_of_revisions_alone() -> None:
    document = prism_scene()
    before = next_revision()
    search(document, ["Prism.angle=-30..5"], ["least deviation(Prism)"], whole_range=True)
    list(Sweep.build(document, ["Prism.angle=-5..5"], ["deviation(Prism)"]).run())
    assert next_revision() == before + 1


def test_a_list_of_changes_takes_one_revision() -> None:
    session = Session(prism_scene())
    before = session.document.revision
    changes = [{"rotate": "Prism", "by": 1}, {"move": "Prism", "dx": 1}]
    session.apply(changes_from_json(changes, session.document))
    assert session.document.revision == before + 1


def test_a_goal_to_reach_is_of_the_rays_of_the_scene() -> None:
    """The mean square of n places evenly across a beam is a part 1 - 1/n² of that of all places."""
    found = search(
        lens_scene(rayModeDensity=0.5), ["Lens.focalLength=100..300"], ["rms(Screen) = 2"]
    )
    assert found.after[0].value == pytest.approx(2, abs=1e-6)
    assert found.met == (True,)
    (note,) = found.notes
    assert "it is 2 with those of the search, and 2.00" in note
    assert " with 4 times as many. Use more rays" in note


def test_reported_counts_rise_to_the_last() -> None:
    counts: list[int] = []
    found = search(
        lens_scene(rayModeDensity=0.5),
        ["Screen.x=-50..5", "Lens.angle=0|180"],
        ["least rms(Screen)"],
        report=lambda count, _best: counts.append(count),
    )
    assert any("for which the last steps were made" in note for note in found.notes)
    assert counts == sorted(counts)
    assert counts[-1] == found.evaluations


def test_four_times_the_rays_are_four_times() -> None:
    document = lens_scene()
    cone = apply_changes([Set("Lamp", {"emisAngle": 20})], document)
    for each in (document, cone):
        raised, times = with_more_rays(each)
        assert times == pytest.approx(4, rel=0.2)
        assert count_rays(raised.scene) == times * count_rays(each.scene)


def test_a_difference_of_nothing_is_not_about_rays() -> None:
    """At a goal of 0 a measure of 3e-8 is as good as one of 1e-12."""
    (goal,) = read_goals(["centroid(Screen) = 0"], lens_scene())
    own, finer = (Measured(v, "mm", "centroid(Screen)") for v in (3e-8, 1e-12))
    assert not depends_on_ray_count(goal, own, finer, own)
    assert depends_on_ray_count(goal, own, Measured(1e-3, "mm", "centroid(Screen)"), own)


def test_a_measure_that_depends_on_the_number_of_rays_is_told() -> None:
    found = search(lens_scene(rayModeDensity=0.1), ["Screen.x=-50..0"], ["least rms(Screen)"])
    assert any("depends on the number of rays" in note for note in found.notes)


def test_stop_keeps_the_best_so_far() -> None:
    polls = iter(range(100_000))
    found = search(
        prism_scene(),
        ["Prism.angle=-30..5"],
        ["least deviation(Prism)"],
        stop=lambda: next(polls) > 8,
    )
    assert not found.complete
    assert found.merit[1] < found.merit[0]


def test_the_document_stays_as_it_is() -> None:
    document = prism_scene()
    scene, revision = document.scene, document.revision
    search(document, ["Prism.angle=-30..5"], ["least deviation(Prism)"])
    assert (document.scene, document.revision) == (scene, revision)


def test_a_goal_that_is_undefined_everywhere_is_one_line() -> None:
    with pytest.raises(NoOptimum, match="undefined at all of 65 points") as raised:
        search(lens_scene(), ["Lamp.y=300..400"], ["least rms(Screen)"])
    assert "\n" not in str(raised.value)


def test_a_start_where_the_goal_is_undefined_is_left() -> None:
    found = search(lens_scene(), ["Lamp.y=-400..400", "Screen.x=0..40"], ["least rms(Screen)"])
    assert found.after[0].value < 1e-3


@pytest.mark.parametrize(
    ("vary", "error", "says"),
    [
        (["Lens.x=0..5", "Lens.x=1..2"], InvalidParameter, "given twice"),
        (["Lens.x=5..0"], InvalidRange, "not below the upper"),
        (["Lens.x=0"], InvalidRange, "gives no range"),
        (["Lens.x=0..5 s"], InvalidRange, "is in 's'"),
        ([], NoOptimum, "Nothing to optimise"),
    ],
)
def test_wrong_bounds_are_told_before_anything_runs(
    vary: list[str], error: type[Exception], says: str
) -> None:
    with pytest.raises(error, match=says):
        search(lens_scene(), vary, ["least rms(Screen)"])


def test_a_link_to_a_varied_parameter_is_refused() -> None:
    with pytest.raises(InvalidLink, match="varied and linked"):
        search(lens_scene(), ["Lens.x=0..5"], ["least rms(Screen)"], links=["Lens.x = 3"])


def test_the_command_proposes_changes_and_writes_a_scene_only_when_asked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scene, out = tmp_path / "scene.json", tmp_path / "best.json"
    save_document(lens_scene(), scene)
    before = scene.read_bytes()
    command = ["optimise", str(scene), "--vary", "Screen.x=-50..50", "--goal", "least rms(Screen)"]
    assert main(command) == 0
    printed = capsys.readouterr()
    assert "Screen.x" in printed.out
    assert 'changes: [{"move": "Screen", "dx": 20' in printed.out
    assert "Nothing was written" in printed.err
    assert main([*command, "--out", str(out), "--json"]) == 0
    about = json.loads(capsys.readouterr().out)
    assert about["parameters"][0]["after"] == pytest.approx(20, abs=1e-6)
    screen = next(o for o in load_document(out).scene.objects if o.name == "Screen")
    assert screen.p1.x == pytest.approx(200, abs=1e-6)  # type: ignore[attr-defined]
    assert scene.read_bytes() == before


def test_a_place_found_with_more_rays_is_not_taken_where_those_of_the_scene_find_it_worse_than_the_start() -> (
    None
):
    """Ghosts between the faces of a doublet, of which more are traced with more rays, widen the
    spot.
    """
    h, faces = 12.5, (61.47, -44.64, -129.94)

    def rim(radius: float, vertex: float, side: int) -> Vertex:
        return Vertex(
            vertex + radius - math.copysign(math.sqrt(radius**2 - h**2), radius), side * h
        )

    def body(front: float, back: float, at: float, thickness: float, n: float) -> Glass:
        end = at + thickness
        path = (
            rim(front, at, -1), Vertex(at, 0, arc=True), rim(front, at, 1), rim(back, end, 1), Vertex(end, 0, arc=True), rim(back, end, -1)
        )  # fmt: skip
        return Glass(path=path, ref_index=n, partial_reflect=True)

    objects = [
        Beam(p1=Point(-40, -10), p2=Point(-40, 10), brightness=1), body(*faces[:2], 0, 6, 1.5168), body(*faces[1:], 6, 2.5, 1.6727),
        Blocker(p1=Point(-10, -30), p2=Point(-10, -11)), Blocker(p1=Point(-10, 11), p2=Point(-10, 30)),
        Detector(p1=Point(104, -20), p2=Point(104, 20), name="Screen"),
    ]  # fmt: skip
    document = Document(scene=Scene.of(objects, Settings(ray_mode_density=2)))
    found = search(document, ["Screen.x=-2..2"], ["least rms(Screen, all)"])
    assert found.after[0].value <= found.before[0].value
    assert found.notes


@pytest.mark.parametrize("upside_down", [False, True])
@pytest.mark.parametrize("start", [-25.0, 0.0])
def test_the_least_deviation_is_that_of_least_size_from_both_sides_and_in_either_sense(
    upside_down: bool, start: float
) -> None:
    """Hecht, section 5.5.1. Turned by less or by more than to symmetric passage, with the apex up
    (clockwise) or down.
    """
    sense = 1 if upside_down else -1
    changes = [Rotate("Prism", by=180)] if upside_down else []
    document = apply_changes([*changes, Rotate("Prism", by=-sense * start)], prism_scene())
    found = search(document, ["Prism.angle=-40..40"], ["least deviation(Prism)"])
    assert str(found.goals[0]) == "least |deviation(Prism)|"
    assert found.after[0].value == pytest.approx(sense * minimum_deviation(INDEX, APEX), abs=1e-9)


def test_between_bars_the_size_of_a_measure_is_meant() -> None:
    (goal,) = read_goals(["|deviation(Prism)| = 40 weight 2"], prism_scene())
    assert (str(goal), goal.signed_excess(-41), goal.merit_term(-41)) == (
        "|deviation(Prism)| = 40 weight 2",
        1,
        2,
    )
    low, high = read_goals(["|deviation(Prism)| = 39..41"], prism_scene())
    assert (low.violation(-40), high.violation(-42)) == (0, 1)
    reached = search(prism_scene(), ["Prism.refIndex=1.3..1.9"], ["|deviation(Prism)| = 40"])
    assert (reached.method, reached.met) == ("least squares", (True,))
    assert reached.after[0].value == pytest.approx(-40, abs=1e-9)


def test_where_the_goal_is_flat_the_ranges_are_searched() -> None:
    """The beam misses the screen, and a small turn of the mirror does not change that."""
    found = search(mirror_scene(), ["Mirror.angle=-20..20"], ["most power(Screen)"])
    assert found.before[0].value == 0
    assert found.after[0].value == pytest.approx(5)
    assert found.method.startswith("64 points of the ranges, then")
    assert not found.notes


def test_a_goal_that_is_the_same_everywhere_is_told() -> None:
    found = search(mirror_scene(), ["Mirror.angle=-1..1"], ["most power(Screen)"])
    assert found.values == (0.0,)
    assert "The goals are the same at all of" in found.notes[0]


def test_a_goal_that_is_met_everywhere_needs_no_note() -> None:
    found = search(mirror_scene(), ["Mirror.angle=-1..1"], ["power(Screen) = 0"])
    assert found.method == "least squares"
    assert not found.notes


def test_from_where_the_goal_is_undefined_the_optimum_is_proposed() -> None:
    """The lamp is beside the lens; at the upper bound it is before it."""
    document = apply_changes([Move("Lamp", dy=400)], lens_scene())
    found = search(document, ["Lamp.y=-400..10"], ["least rms(Screen)"])
    assert not found.before[0].defined
    assert found.after[0].defined
    assert found.merit[1] < found.merit[0] == math.inf
    assert found.values != (0.0,)


def test_what_is_reported_where_nothing_is_better_than_the_start_includes_the_links() -> None:
    found = search(
        lens_scene(), ["Lens.x=-1..1"], ["rms(Screen) = 0"], links=["Screen.x = 20 + Lens.x"]
    )
    again = search(
        found.document, ["Lens.x=-1..1"], ["rms(Screen) = 0"], links=["Screen.x = 10 + Lens.x"]
    )
    light = Light.from_document(again.document, trace(again.document))
    assert [m.value for m in again.after] == [
        b.evaluate(light).value for b in bind_measures("rms(Screen)", again.document)
    ]
    assert again.after[0].value > again.before[0].value


def test_an_almost_plane_surface_is_told() -> None:
    lens = AddPreset("BiconvexLens", {"focalLength": 100, "diameter": 20}, as_="Flat")
    found = search(
        apply_changes([lens], Document()),
        ["Flat.r2=-9000..-100"],
        ["most nominal_focal_length(Flat)"],
    )
    assert any(note.startswith("Flat.r2 -9000 is almost plane") for note in found.notes)


def test_limits_that_hold_everywhere_need_no_note() -> None:
    found = search(mirror_scene(), ["Mirror.angle=-1..1"], ["power(Screen) < 1"])
    assert not found.notes
