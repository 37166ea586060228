"""Problems that are found where one works, and their remedies: applied, each mends its problem in
one step.
"""

from __future__ import annotations

import math

import pytest

from raybench.files.scene_json import scene_from_json, scene_to_json
from raybench.scene.changes import Disable, apply_changes
from raybench.scene.document import Document
from raybench.scene.problems import CHECKS, find_scene_problems
from raybench.scene.problems.table import objects_without_effect_text
from raybench.trace.trace import trace

RAY = {"type": "SingleRay", "p1": {"x": -9, "y": 3}, "p2": {"x": 0, "y": 3}}


def line(kind, x=0.0, top=0.0, bottom=50.0, **more):
    return {"type": kind, "p1": {"x": x, "y": top}, "p2": {"x": x, "y": bottom}, **more}


def lens(d, r1, r2, **more):
    return line(
        "SphericalLens", 30, -20, 20, defBy="DR1R2", params={"d": d, "r1": r1, "r2": r2}, **more
    )


def glass(*corners, **more):
    return {"type": "Glass", "path": [{"x": x, "y": y} for x, y in corners], **more}


def document(*objs, **settings):
    return Document(scene=scene_from_json({"version": 5, "objs": list(objs), **settings}))


SQUARE = glass((0, 0), (40, 0), (40, 40), (0, 40))
CASES = [
    ([lens(1, 30, -30)], "too thin for its aperture", "Make it 16.1 thick"),
    ([lens(-2, -90, 90)], "too thin for its aperture", "Make it 0.8 thick"),
    ([lens(9, 12, -30)], "no lens fits its definition", "Make the radii 20.4"),
    ([glass((0, 0), (40, 40), (40, 0), (0, 40))], "crosses itself", None),
    ([SQUARE, {**SQUARE, "name": "Copy"}], "is the same as 'Glass 1'", "Delete the second"),
    (
        [line("Mirror"), line("Blocker", top=20, bottom=70)],
        "which of them light meets is not defined",
        "Move it by 1",
    ),
    (
        [SQUARE, line("BeamSplitter", 40, 10, 30)],
        "which of them light meets is not defined",
        "Move it by 1",
    ),
    ([{**SQUARE, "refIndex": 0.8}], "is less dense than vacuum", "Set 1.25"),
    ([{**SQUARE, "refIndex": 0}], "absorbs all light at its surface", "Set 1.5"),
    ([line("BeamSplitter", transRatio=1.5)], "does not conserve power: transRatio is 1.5", "Set 1"),
    (
        [line("BeamSplitter", transRatio=-0.5)],
        "does not conserve power: transRatio is -0.5",
        "Set 0",
    ),
    ([line("IdealLens", focalLength=0)], "absorbs all light: focalLength is 0", "Set 100"),
    ([line("DiffractionGrating", slitRatio=2)], "has impossible slits: slitRatio is 2", "Set 1"),
    ([line("DiffractionGrating", lineDensity=0)], "has no effect: lineDensity is 0", "Set 1000"),
    ([line("Beam", brightness=-2)], "emits negative power: brightness is -2", "Set 2"),
    ([line("AngleSource", emisAngle=400)], "emits in some directions more than once", "Set 360"),
    (
        [line("Detector", irradMap=True, binSize=-1)],
        "has no irradiance map: binSize is -1",
        "Set 1",
    ),
    ([line("Beam", brightness=0)], "its power is 0", "Set 1"),
    ([line("Mirror", filter=True, wavelength=-4)], "wavelength is -4, out of its range", "Set 1"),
    ([line("Mirror", bottom=0)], "lies in one point", "Delete it"),
    ([line("Mirror", gloss=3)], "unknown property 'gloss'", "Remove 'gloss'"),
    ([7], "'Unread object 1' (a number, object 1 of the file) is kept", "Delete it"),
    ([line("Mirror", p1=3)], "(Mirror, object 1 of the file) is kept", "Delete it"),
    (
        [line("Mirror", name="M"), line("Mirror", 9, name="M")],
        "'M' (mirror) has the name of another object",
        "Name it 'M 2'",
    ),
    (
        [line("SphericalLens", params={"d": 9, "R1": 30})],
        "its params lack r1 and r2. Give what is missing.",
        "Delete it",
    ),
    (
        [line("SphericalLens", params=True)],
        "its params lack d, r1 and r2. Give what is missing.",
        "Delete it",
    ),
]


def test_a_negative_depth_is_a_problem_whose_remedy_removes_the_limit():
    before = document(line("Mirror"), RAY, maxRayDepth=-3)
    (problem,) = find_scene_problems(before.scene)
    assert "maxRayDepth) is -3: as with 0, rays end where they first meet something" in problem.text
    assert problem.remedy.text == "Remove the limit"
    after = apply_changes(problem.remedy.changes, before)
    assert math.isinf(after.scene.settings.max_ray_depth)
    assert find_scene_problems(after.scene) == ()
    nothing = document(line("Mirror"), RAY, maxRayDepth=0)
    assert find_scene_problems(nothing.scene) == ()
    assert len(trace(before.scene)) == len(trace(nothing.scene)) == 1
    assert scene_to_json(before.scene)["maxRayDepth"] == -3, "the file keeps what it said"


@pytest.mark.parametrize(
    ("objs", "text", "remedy"), CASES, ids=[c[1][:24] + str(i) for i, c in enumerate(CASES)]
)
def test_a_problem_is_told_of_its_object_and_its_remedy_mends_it(objs, text, remedy):
    before = document(*objs, RAY)
    (problem,) = find_scene_problems(before.scene)
    assert text in problem.text
    assert problem.key == before.scene.objects[len(objs) - 1].key
    if remedy is None:
        return
    assert problem.remedy is not None
    assert problem.remedy.text == remedy
    assert find_scene_problems(apply_changes(problem.remedy.changes, before).scene) == ()


def test_two_edges_with_one_label_are_a_problem_whose_remedy_removes_one():
    before = document(SQUARE, RAY)
    body = before.scene.objects[0]
    twice = before.with_annotations(edge_labels={body.key: {0: "In", 1: "Out", 2: "In"}})
    (problem,) = find_scene_problems(twice.scene, twice.disabled, twice.edge_labels)
    assert (
        problem.text
        == "'Glass 1' (glass) has two edges labelled 'In', so that the label refers to neither."
        " Change one."
    )
    after = apply_changes(problem.remedy.changes, twice)
    assert after.edge_labels == {body.key: {0: "In", 1: "Out"}}
    assert find_scene_problems(after.scene, after.disabled, after.edge_labels) == ()


@pytest.mark.parametrize(
    ("module", "text"),
    [
        (
            {"objs": []},
            "'Comb' (module) has no parts: its module makes none with these points and parameters",
        ),
        (
            {"objs": [{**RAY, "if": "1>2"}]},
            "'Comb' (module) has no parts: its module makes none with these points and parameters",
        ),
        (
            {"numPoints": 1, "objs": [RAY]},
            "it has 0 points instead of 1. It is kept but has no parts",
        ),
    ],
)
def test_an_instance_without_parts_is_a_problem_and_named_with_answers(module, text):
    instance = {"type": "ModuleObj", "name": "Comb", "module": "M", "points": []}
    before = document(instance, RAY, modules={"M": module})
    (problem,) = find_scene_problems(before.scene)
    assert text in problem.text
    assert problem.key == before.scene.objects[0].key
    assert problem.text == objects_without_effect_text(before.scene)
    assert problem.remedy.text == "Delete it"
    assert find_scene_problems(apply_changes(problem.remedy.changes, before).scene) == ()


def test_objects_that_cannot_be_read_are_not_taken_for_each_other():
    problems = find_scene_problems(document(7, 8, line("Mirror", p1=3), line("Mirror", p2=3)).scene)
    assert [p.text.partition(", object ")[2].partition(" of")[0] for p in problems] == [
        "1",
        "2",
        "3",
        "4",
    ]


def test_a_setting_that_means_nothing_is_removed_by_its_remedy():
    before = document(RAY, glitter=1)
    (problem,) = find_scene_problems(before.scene)
    assert problem.key is None
    assert find_scene_problems(apply_changes(problem.remedy.changes, before).scene) == ()


@pytest.mark.parametrize(
    "objs",
    [
        [SQUARE, line("Mirror", 40, 10, 30)],  # a coating
        [SQUARE, glass((40, 0), (80, 0), (80, 40), (40, 40))],  # cemented
        [
            SQUARE,
            {
                "type": "CircleGlass",
                "p1": {"x": 20, "y": 20},
                "p2": {"x": 25, "y": 20},
                "refIndex": 0.66,
            },
        ],  # a bubble
        [line("Blocker"), line("Blocker", top=20, bottom=70)],  # they do the same
        [line("Mirror"), line("Blocker", top=50, bottom=70)],  # end to end
        [line("Mirror"), line("Blocker", x=0.01)],  # side by side
        [  # one plate, other laws from each side
            line("CustomSurface", outRays=[]),
            line("CustomSurface", top=50, bottom=0),
        ],
        [SQUARE, line("Detector", 40, 10, 30), line("Blocker", 40, 50, 60)],
        [line("Beam"), line("Beam", wavelength=440)],  # two colours
        [lens(17, 30, -30)],
        [lens(2, 300, 280)],
        [glass((0, 0), (40, 0), (40, 40), (20, 0), (0, 40))],  # touches itself
    ],
)
def test_what_is_meant_is_no_problem(objs):
    assert find_scene_problems(document(*objs, RAY).scene) == ()


@pytest.mark.parametrize(
    "objs",
    [CASES[4][0], CASES[5][0], CASES[7][0]],
    ids=["identical", "on each other", "less dense than vacuum"],
)
def test_a_disabled_object_has_no_problem_with_others(objs):
    before = document(*objs, RAY)
    last = before.scene.objects[len(objs) - 1]
    assert find_scene_problems(before.scene)
    after = apply_changes(Disable(last.key), before)
    assert find_scene_problems(after.scene, after.disabled) == ()


def test_a_bubble_in_a_disabled_glass_is_in_vacuum():
    bubble = {
        "type": "CircleGlass",
        "p1": {"x": 20, "y": 20},
        "p2": {"x": 25, "y": 20},
        "refIndex": 0.66,
    }
    after = apply_changes(Disable("Glass 1"), document(SQUARE, bubble, RAY))
    assert find_scene_problems(after.scene) == ()
    assert "is less dense than vacuum" in find_scene_problems(after.scene, after.disabled)[0].text


def test_every_check_finds_something():
    bubble = glass((900, 0), (940, 0), (940, 40), refIndex=0.7)
    wrong = document(*(o for objs, _, _ in CASES for o in objs), {"type": "Balloon"}, bubble, glitter=1, numericalTolerances=3,
                     maxRayDepth=-1, modules={"M": {"params": 3}})  # fmt: skip
    first = wrong.scene.objects[0]
    found = [
        (
            list(all_light(wrong.scene))
            if (all_light := c.of_scene or c.together)
            else (
                list(c.of_labels(first, {0: "In", 2: "In"}))
                if c.of_labels
                else [f for o in wrong.scene.objects for f in c.of_object(o)]
            )
        )
        for c in CHECKS
    ]
    assert [c.about for c, f in zip(CHECKS, found, strict=True) if not f] == []


def test_thousands_of_identical_objects_are_told_briefly():
    assert len(find_scene_problems(document(*[SQUARE] * 2000).scene)) <= 40


@pytest.mark.parametrize(
    ("d", "r1", "r2"), [(9, 12, -1e300), (9, 1e200, 12), (1e300, 3, -3), (-1e308, 1e308, 1e-300)]
)
def test_numbers_at_the_ends_of_the_range_are_a_problem_as_others(d, r1, r2):
    for body in (
        lens(d, r1, r2),
        lens(d, r1, r2) | {"p1": {"x": 0, "y": -1e50}, "p2": {"x": 0, "y": 1e50}},
    ):
        (problem,) = find_scene_problems(document(body, RAY).scene)
        assert "no lens fits its definition" in problem.text


@pytest.mark.parametrize("scale", [5e-324, 1e-300])
def test_surfaces_are_compared_whatever_the_scale_of_a_scene_is_said_to_be(scale):
    ends = {"p1": {"x": 0, "y": 1e49}, "p2": {"x": 1e49, "y": 3}}
    objs = [{"type": kind, **ends} for kind in ("Mirror", "Blocker")]
    assert isinstance(
        find_scene_problems(scene_from_json({"version": 5, "lengthScale": scale, "objs": objs})),
        list | tuple,
    )


@pytest.mark.parametrize(("invert", "count"), [(True, 0), (False, 1)])
def test_filters_for_different_light_may_lie_on_each_other(invert, count):
    red = {**RAY, "wavelength": 650}
    filters = line("Mirror", filter=True), line("Blocker", filter=True, invert=invert)
    scene = document(*filters, RAY, red, simulateColors=True).scene
    assert (
        len([p for p in find_scene_problems(scene) if "which of them light meets" in p.text])
        == count
    )


@pytest.mark.parametrize(("merging", "count"), [(None, 0), (1e-3, 1), (0.0, 0)])
def test_surfaces_lie_on_each_other_within_the_tolerance_at_which_the_scene_merges_them(
    merging, count
):
    tolerances = {} if merging is None else {"numericalTolerances": {"interactionMerging": merging}}
    scene = document(line("Mirror"), line("Blocker", 1e-4), **tolerances).scene
    assert (
        len([p for p in find_scene_problems(scene) if "which of them light meets" in p.text])
        == count
    )


def test_what_a_detector_of_an_older_program_had_read_is_no_problem():
    read = line("Detector", power=3.5, normal=0.2, shear=0, binData=None)
    assert list(find_scene_problems(document(read).scene)) == []
