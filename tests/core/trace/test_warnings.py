"""Warnings about rays that were stopped at ill-defined points, and about objects without effect."""

from __future__ import annotations

from typing import Any

import pytest

from raybench.files.scene_json import scene_from_json
from raybench.trace.trace import trace

RAY = {"type": "SingleRay", "p1": {"x": -20, "y": 1}, "p2": {"x": 0, "y": 1}}
SQUARE = [{"x": x, "y": y} for x, y in ((-5, -5), (5, -5), (5, 5), (-5, 5))]
LINE = {"p1": {"x": 0, "y": -5}, "p2": {"x": 0, "y": 5}}


@pytest.mark.parametrize(
    ("thing", "reason"),
    [
        (
            {"type": "GrinGlass", "path": SQUARE, "refIndexFn": r"\sqrt{-1}"},
            "at (-5, 1) on 'It', where its index has no value",
        ),
        (
            {"type": "Glass", "path": SQUARE, "refIndex": 0},
            "at (-5, 1) on 'It', where its index has no value",
        ),
        ({"type": "Glass", "path": [{"x": 0, "y": 1}, *SQUARE[1:3]]}, "at a corner of 'It'"),
        ({"type": "IdealLens", "focalLength": 0, **LINE}, "at 'It', whose focal length is 0"),
    ],
)
def test_the_reason_is_named_where_no_interaction_is_defined(
    thing: dict[str, Any], reason: str
) -> None:
    (warning,) = trace(
        scene_from_json({"version": 5, "objs": [RAY, thing | {"name": "It"}]})
    ).warnings
    assert warning.index == 1
    assert warning.text.startswith("Light of power 1 met an ill-defined place, first ")
    assert reason in warning.text


@pytest.mark.parametrize(
    ("kind", "thing"),
    [
        ("mirror", {"type": "Mirror", "p1": {"x": 0, "y": 1}, "p2": {"x": 0, "y": 1}}),
        ("grating", {"type": "DiffractionGrating", "lineDensity": 0, **LINE}),
        ("equation mirror", {"type": "CustomMirror", "eqn": "x+", **LINE}),
        ("beam", {"type": "Beam", "emisAngle": -5, **LINE}),
    ],
)
def test_an_object_without_effect_is_named_and_rays_pass_it(
    kind: str, thing: dict[str, Any]
) -> None:
    result = trace(scene_from_json({"version": 5, "objs": [RAY, thing | {"name": "It"}]}))
    (warning,) = result.warnings
    assert warning.text.startswith(f"'It' ({kind}) ")
    assert (len(result), result.escaped.tolist()) == (1, [True])


def test_a_corner_of_one_glass_on_another_is_named() -> None:
    plane = {"type": "PlaneGlass", "name": "Half", "p1": {"x": 0, "y": 9}, "p2": {"x": 0, "y": -9}}
    wedge = {
        "type": "Glass",
        "name": "Wedge",
        "path": [{"x": x, "y": y} for x, y in ((0, 1), (9, -5), (9, 7))],
    }
    (warning,) = trace(scene_from_json({"version": 5, "objs": [RAY, plane, wedge]})).warnings
    assert warning.text.endswith("first at a corner of 'Wedge' on 'Half'.")


def test_a_source_that_is_too_small_for_the_ray_density_is_named() -> None:
    beam = {"type": "Beam", "name": "Laser", "p1": {"x": 0, "y": 0}, "p2": {"x": 0, "y": 4}}
    sparse, dense = (
        trace(scene_from_json({"version": 5, "rayModeDensity": density, "objs": [RAY, beam]}))
        for density in (0.1, 2)
    )
    assert [(w.index, w.text) for w in sparse.warnings] == [
        (1, "'Laser' sends no ray, for the ray density is too low. Raise it in the settings.")
    ]
    assert dense.warnings == ()
    assert (
        trace(scene_from_json({"version": 5, "objs": [RAY, beam | {"brightness": 0}]})).warnings
        == ()
    )
