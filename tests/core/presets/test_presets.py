"""Presets do what their data say: traced, a lens has the focal length that was asked for, a prism
turns light as its name says.
"""

from __future__ import annotations

import dataclasses
import inspect
import json
import math
import re
from importlib.resources import files

import numpy as np
import pytest

from raybench.agent.scene_tools.change_scene import change_scene
from raybench.kinds.aspects.outlines import signed_area
from raybench.kinds.fields import described_fields, number
from raybench.kinds.outline import object_edges, object_fault, object_remarks
from raybench.kinds.sources import SingleRay
from raybench.materials.dispersion import LINE_C, LINE_D, LINE_F
from raybench.presets import FAMILIES, PRESETS, IncompletePreset
from raybench.presets.preset import RESERVED_KEYS, InvalidPreset, Preset
from raybench.scene.changes import (
    AddPreset,
    ChangeRefused,
    Mirror,
    Move,
    Rotate,
    apply_changes,
    changes_from_json,
    changes_to_json,
)
from raybench.scene.changes.presets import preset_with_values
from raybench.scene.document import Document
from raybench.scene.problems import find_scene_problems
from raybench.scene.scene import Scene
from raybench.shapes.point import Point
from raybench.trace.trace import trace


def with_more_rays(changes, heights, *, x=-400.0, wavelength=LINE_D, slope=0.0):
    """A document with a preset and rays that come from the left; bodies do not reflect."""
    made = apply_changes(changes, Document(scene=Scene.of([]).with_settings(simulate_colors=True)))
    bodies = [
        dataclasses.replace(o, partial_reflect=False) if hasattr(o, "partial_reflect") else o
        for o in made.scene.objects
    ]
    rays = [
        SingleRay(
            name=f"Ray {i}",
            p1=Point(x, h - 300 * slope),
            p2=Point(x + 1, h - 299 * slope),
            wavelength=wavelength,
        )
        for i, h in enumerate(heights)
    ]
    return made.with_scene(made.scene.with_objects([*bodies, *rays]))


def leaving(document):
    """Start, direction and wavelength of the rays that leave the scene, in the order of the
    sources.
    """
    result = trace(document.scene)
    last = np.flatnonzero(result.hit < 0)
    order = np.argsort(result.source[last], kind="stable")
    d = result.p2[last] - result.p1[last]
    return result.p1[last][order], (d / np.hypot(*d.T)[:, None])[order]


def paraxial_focus(changes, wavelength):
    """Where rays close to the axis meet it: x, and the focal length from the slope of the ray."""
    start, d = leaving(with_more_rays(changes, [1e-3], wavelength=wavelength))
    (x, y), (dx, dy) = start[0], d[0]
    return x - y * dx / dy, -1e-3 * dx / dy


@pytest.mark.parametrize("f", [60.0, 200.0, -150.0])
@pytest.mark.parametrize("name", ["PlanoConvexLens", "BiconvexLens", "MeniscusLens", "Achromat"])
def test_a_lens_has_the_focal_length_that_was_asked_for(name, f):
    values = {"focalLength": f, "diameter": 20.0} | (
        {} if name == "Achromat" else {"material": "N-SF11", "thickness": "9 mm"}
    )
    assert paraxial_focus([AddPreset(name, values)], LINE_D)[1] == pytest.approx(f, rel=2e-6)


def test_a_lens_has_its_diameter_and_thickness():
    (lens,) = preset_with_values(
        "BiconvexLens", {"diameter": 30, "thickness": 7, "focalLength": 90}
    ).objects()
    assert (lens.p1, lens.p2, lens.params["d"]) == ((0, -15), (0, 15), 7)
    assert lens.params["r1"] == pytest.approx(-lens.params["r2"])
    assert preset_with_values("PlanoConvexLens", {}).objects()[0].params["r2"] is None


@pytest.mark.parametrize(
    ("name", "values", "title"),
    [
        ("BiconvexLens", {}, "Biconvex lens"),
        ("BiconvexLens", {"focalLength": -200}, "Biconcave lens"),
        ("PlanoConvexLens", {}, "Plano-convex lens"),
        ("PlanoConvexLens", {"focalLength": -200}, "Plano-concave lens"),
        ("MeniscusLens", {"focalLength": -200}, "Meniscus lens"),
        ("MeniscusLens", {"shape": 0.4}, "Biconvex lens"),
        ("MeniscusLens", {"shape": -1}, "Plano-convex lens"),
        ("BiconvexLens", {"focalLength": -200, "as": "Eyepiece"}, "Eyepiece"),
    ],
)
def test_a_lens_is_called_by_the_form_that_it_has(name, values, title):
    changes = changes_from_json(
        [{"preset": name, **values}, {"preset": name, **values}], Document()
    )
    document = apply_changes(changes, Document())
    assert [o.title for o in document.scene.objects] == [title, f"{title} 2"]


def test_an_achromat_joins_red_and_blue_and_a_single_lens_does_not():
    doublet, single = (
        AddPreset("Achromat", {"focalLength": 200}),
        AddPreset("PlanoConvexLens", {"focalLength": 200}),
    )
    blue, green, red = (paraxial_focus([doublet], line)[0] for line in (LINE_F, LINE_D, LINE_C))
    assert abs(blue - red) < 2e-5 * 200, "red and blue meet"
    assert 0 < blue - green < 0.002 * 200, "the secondary spectrum stays: green lies before them"
    assert paraxial_focus([single], LINE_C)[0] - paraxial_focus([single], LINE_F)[0] > 2


def test_an_achromat_is_free_of_spherical_aberration_at_its_zone():
    lens = AddPreset("Achromat", {"focalLength": 200, "diameter": 40})
    start, d = leaving(with_more_rays([lens], [18.0, 12.0, 1e-3]))
    meets = start[:, 0] - start[:, 1] * d[:, 0] / d[:, 1]
    assert meets[0] == pytest.approx(meets[2], abs=2e-3)
    assert abs(meets[1] - meets[2]) < 0.2
    alone = with_more_rays(
        [AddPreset("BiconvexLens", {"focalLength": 200, "diameter": 40})], [18.0, 1e-3]
    )
    (far, near), (one, two) = leaving(alone)
    assert (near[0] - near[1] * two[0] / two[1]) - (far[0] - far[1] * one[0] / one[1]) > 2


def test_the_lenses_of_an_achromat_share_their_surface_exactly_however_they_are_turned():
    document = apply_changes([AddPreset("Achromat", at=Point(31.7, 8.1), angle=17.3)], Document())
    crown, flint = document.scene.objects
    assert (crown.path[1], crown.path[2], crown.path[3]) == (
        flint.path[0],
        flint.path[5],
        flint.path[4],
    )
    turned = apply_changes([Rotate("Achromat", 7.1), Mirror("Achromat", 33)], document)
    crown, flint = turned.scene.objects
    assert {crown.path[i] for i in (1, 2, 3)} == {flint.path[i] for i in (0, 4, 5)}
    assert not find_scene_problems(turned.scene)


def test_a_ball_lens_focuses_where_its_formula_says():
    (ball,) = preset_with_values("BallLens", {"diameter": 60}).objects()
    n = ball.ref_index
    assert paraxial_focus([AddPreset("BallLens", {"diameter": 60})], LINE_D)[0] == pytest.approx(
        n * 60 / (4 * (n - 1)), rel=1e-6
    )


@pytest.mark.parametrize("turned", [0.0, 5.0])
@pytest.mark.parametrize(("name", "to"), [("PentaPrism", (0, 1)), ("RightAnglePrism", (0, -1))])
def test_a_prism_turns_light_by_a_right_angle(name, to, turned):
    _, d = leaving(with_more_rays([AddPreset(name, angle=turned)], [-3.0, 2.0]))
    want = np.array(to)
    if name == "PentaPrism":
        assert d == pytest.approx(np.tile(want, (2, 1)), abs=1e-9), "however it is turned"
    else:
        assert (abs(d - want).max() < 1e-9) == (turned == 0.0)


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_changed_as_a_whole_by_its_name(name):
    document = apply_changes([AddPreset(name, as_="Part")], Document())
    moved = apply_changes([Move("Part", dx=3.0)], document)
    assert all(a != b for a, b in zip(document.scene.objects, moved.scene.objects, strict=True))


def test_a_penta_prism_that_is_turned_after_it_was_added_turns_light_by_a_right_angle():
    _, d = leaving(
        with_more_rays([AddPreset("PentaPrism", as_="Penta"), Rotate("Penta", 2.0)], [-3.0, 2.0])
    )
    assert d == pytest.approx(np.tile([0.0, 1.0], (2, 1)), abs=1e-9)


@pytest.mark.parametrize(
    ("form", "angle"), [("solid", 0.0), ("solid", 4.0), ("hollow", 0.0), ("hollow", 15.0)]
)
def test_a_corner_cube_sends_light_back(form, angle):
    _, d = leaving(
        with_more_rays(
            [AddPreset("CornerCube", {"form": form}, angle=angle)], [-12.0, 15.0], slope=0.02
        )
    )
    assert d == pytest.approx(
        np.tile(np.array([-1.0, -0.02]) / math.hypot(1, 0.02), (2, 1)), abs=1e-9
    )


@pytest.mark.parametrize("angle", [35.0, 45.0, 60.0])
def test_a_dove_prism_turns_the_beam_upside_down_and_lets_its_whole_height_through(angle):
    document = with_more_rays(
        [AddPreset("DovePrism", {"height": 40, "baseAngle": angle})], [-19.99, -5.0, 19.99]
    )
    start, d = leaving(document)
    assert d == pytest.approx(np.tile([1.0, 0.0], (3, 1)), abs=1e-9)
    assert start[:, 1] == pytest.approx([19.99, 5.0, -19.99], abs=1e-9)


def test_a_wedge_deviates_by_snells_law():
    _, d = leaving(with_more_rays([AddPreset("WedgePrism", {"wedgeAngle": "10 deg"})], [0.0]))
    n = preset_with_values("WedgePrism", {}).objects()[0].ref_index
    down = math.asin(n * math.sin(math.radians(10))) - math.radians(10)
    assert math.atan2(d[0][1], d[0][0]) == pytest.approx(down, abs=1e-12)


def test_an_equilateral_prism_has_equal_sides():
    (glass,) = preset_with_values("EquilateralPrism", {"side": 80}).objects()
    corners = [v.point for v in glass.path]
    assert [
        math.dist(a, b) for a, b in zip(corners, corners[1:] + corners[:1], strict=True)
    ] == pytest.approx([80] * 3)


@pytest.mark.parametrize("form", ["galilean", "keplerian"])
@pytest.mark.parametrize("m", [2.0, 5.0])
def test_a_beam_expander_widens_a_parallel_beam_and_keeps_it_parallel(form, m):
    start, d = leaving(
        with_more_rays(
            [AddPreset("BeamExpander", {"magnification": m, "form": form})], [0.01, 0.02], x=-600.0
        )
    )
    assert d == pytest.approx(np.tile([1.0, 0.0], (2, 1)), abs=1e-8)
    assert abs(start[:, 1]) == pytest.approx([0.01 * m, 0.02 * m], rel=1e-4)


@pytest.mark.parametrize("bend", [0.0, 60.0, -60.0])
def test_a_light_guide_keeps_the_light(bend):
    at = Point(100.0, 0.0) if bend == 0 else Point(0.0, 0.0)
    document = with_more_rays(
        [AddPreset("LightGuide", {"bend": bend, "length": 200, "width": 20}, at=at)],
        [-7.0, 0.0, 6.0],
        x=-50.0,
    )
    start, _d = leaving(document)
    if bend:
        radius = 200 / math.radians(60)
        end = np.array(
            [
                radius * math.sin(math.radians(60)),
                -math.copysign(radius * (1 - math.cos(math.radians(60))), bend),
            ]
        )
        assert np.hypot(*(start - end).T).max() < 10.01, "all light leaves at the far end"
    else:
        assert start[:, 0] == pytest.approx([200.0] * 3)


@pytest.mark.parametrize("bend", [5e-324, -1e-300, 1e-15, 1e-12, -1e-9, 1e-5])
def test_a_light_guide_that_is_hardly_bent_has_the_width_of_a_straight_one(bend):
    (guide,) = PRESETS["LightGuide"](bend=bend).objects()
    (straight,) = PRESETS["LightGuide"]().objects()
    assert abs(signed_area(object_edges(guide))) == pytest.approx(
        abs(signed_area(object_edges(straight))), rel=1e-6
    )
    assert list(object_remarks(guide)) == []


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_makes_sound_objects_anywhere(name):
    document = apply_changes([AddPreset(name, at=Point(1000, -300), angle=33.0)], Document())
    for obj in document.scene.objects:
        assert (object_fault(obj), list(object_remarks(obj))) == ("", [])
    assert not find_scene_problems(document.scene)
    assert PRESETS[name].family in FAMILIES
    assert (len(document.groups) == 1) == (len(document.scene.objects) > 1)


def test_a_preset_in_json_takes_units_and_a_name_and_reads_back():
    written = [
        {
            "preset": "Achromat",
            "at": {"x": "5 cm", "y": 0},
            "angle": 90,
            "focalLength": "0.2 m",
            "as": "Objective",
        }
    ]
    change = changes_from_json(written, Document())
    document = apply_changes(change, Document())
    assert [o.title for o in document.scene.objects] == ["Objective crown", "Objective flint"]
    assert list(document.groups) == ["Objective"]
    assert change[0].describe(Document(), document) == "Objective added"
    (again,) = changes_from_json(changes_to_json(change, Document()), Document())
    assert apply_changes([again], Document()).scene == document.scene
    assert changes_to_json(change, Document())[0]["at"] == {"x": 50.0, "y": 0.0}


def test_a_second_one_gets_a_number_and_an_object_may_be_named_as_the_place():
    document = apply_changes(
        [AddPreset("BallLens", at=Point(40, 7)), AddPreset("Achromat"), AddPreset("Achromat")],
        Document(),
    )
    assert [o.title for o in document.scene.objects] == [
        "Ball lens", "Achromat crown", "Achromat flint", "Achromat 2 crown", "Achromat 2 flint",
    ]  # fmt: skip
    document = apply_changes([AddPreset("BallLens", {"diameter": 10}, at="Ball lens")], document)
    assert document.scene.objects[-1].title == "Ball lens 2"
    assert document.scene.objects[-1].p1 == (40, 7)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"preset": "Achromatt"}, "Did you mean Achromat?"),
        ({"preset": "BallLens", "focalLength": 3}, "Ball lens has no field 'focalLength'"),
        (
            {"preset": "BiconvexLens", "thickness": 1},
            r"Its surfaces cross at the rim.*more than 7\.8",
        ),
        ({"preset": "BiconvexLens", "focalLength": 20}, "too small for a diameter of 80"),
        ({"preset": "PlanoConvexLens", "focalLength": 5e-324}, "or the focal length longer"),
        ({"preset": "BiconvexLens", "material": "Gold"}, "Gold is opaque"),
        ({"preset": "BiconvexLens", "material": "N-BK8"}, "Did you mean N-BK7"),
        ({"preset": "Achromat", "flint": "N-BK7"}, "disperse alike"),
        ({"preset": "CornerCube", "material": "Water"}, r"needs more than 1\.414"),
        ({"preset": "WedgePrism", "wedgeAngle": 80}, "wedgeAngle must be between 0 and 60"),
    ],
)
def test_what_cannot_be_made_is_refused_with_the_remedy(change, why):
    with pytest.raises(ChangeRefused, match=why):
        changes_from_json(change, Document())


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (
            {"preset": "BiconvexLens", "thickness": 1},
            r"bulge by 7\.\d+ cm together. Make the thickness more than 7\.\d+ cm,",
        ),
        (
            {"preset": "BiconvexLens", "focalLength": 20},
            r"radius 1\d\.\d+ cm, too small for a diameter of 80 cm.* at most \d+\.\d+ cm,",
        ),
        (
            {"preset": "LightGuide", "width": 300, "bend": 180},
            r"Make the width less than 191 cm, or the bend smaller",
        ),
    ],
)
def test_lengths_in_a_refusal_have_the_unit_of_the_document(change, why):
    with pytest.raises(ChangeRefused, match=why):
        changes_from_json(change, Document(unit="cm"))


def test_the_preset_that_the_guides_give_as_an_example_can_be_made():
    guide = (files("raybench_resources") / "help" / "asking.md").read_text("utf-8")
    for text in (guide, inspect.getdoc(change_scene) or ""):
        (written,) = re.findall(r'\{"preset": .*?"as": "\w+"\}', " ".join(text.split()))
        document = apply_changes(changes_from_json([json.loads(written)], Document()), Document())
        assert list(document.groups) == ["Objective"]


@pytest.mark.parametrize(
    ("entries", "why"),
    [
        ({"label": "Bare", "family": "Lenses"}, "has no summary"),
        ({"label": "Bare", "family": "Toys", "summary": "Bare."}, "none of Lenses"),
        (
            {
                "label": "Bare",
                "family": "Lenses",
                "summary": "Bare.",
                "__annotations__": {"angle": float},
                "angle": number(0.0, "Angle"),
            },
            "has a field angle",
        ),
    ],
)
def test_an_incomplete_preset_is_an_error(entries, why):
    with pytest.raises(IncompletePreset, match=why):
        type("Bare", (Preset,), entries)
    assert "Bare" not in PRESETS
    assert {f.json_name for f in described_fields(AddPreset)} | {AddPreset.verb} == RESERVED_KEYS


def test_no_data_are_lost_in_a_lens_that_is_refused_late():
    with pytest.raises(InvalidPreset, match="focal length is 0"):
        preset_with_values("Achromat", {"focalLength": 0}).objects()
