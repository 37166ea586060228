"""Small scenes for studies, with closed answers."""

from __future__ import annotations

import math
from typing import Any

from raybench.files.scene_json import scene_from_json
from raybench.scene.document import Document

APEX, INDEX = 60.0, 1.5


def minimum_deviation(n: float, apex: float) -> float:
    """The deviation in degrees by a prism of index n that light passes symmetrically (Hecht,
    section 5.5.1).
    """
    return 2 * math.degrees(math.asin(n * math.sin(math.radians(apex / 2)))) - apex


def prism_scene(**settings: Any) -> Document:
    """A ray that meets an equilateral prism, and an unnamed mirror far away."""
    half, height = 30.0, 30.0 * math.sqrt(3)
    corners = [{"x": -half, "y": 0}, {"x": half, "y": 0}, {"x": 0, "y": -height}]
    objects = [
        {
            "type": "SingleRay",
            "name": "Laser",
            "p1": {"x": -200, "y": -20},
            "p2": {"x": -190, "y": -20},
        },
        {
            "type": "Glass",
            "name": "Prism",
            "path": [{**c, "arc": False} for c in corners],
            "refIndex": INDEX,
            "partialReflect": False,
        },
        {"type": "Mirror", "p1": {"x": 0, "y": 900}, "p2": {"x": 10, "y": 900}},
    ]
    return Document(scene=scene_from_json({"version": 5, "objs": objects, **settings}))


def lens_scene(**settings: Any) -> Document:
    """A beam of width 20 through an ideal lens at x = 100, f = 100, onto a screen at x = 180."""
    objects = [
        {
            "type": "Beam",
            "name": "Lamp",
            "p1": {"x": 0, "y": 140},
            "p2": {"x": 0, "y": 160},
            "brightness": 0.5,
        },
        {
            "type": "IdealLens",
            "name": "Lens",
            "p1": {"x": 100, "y": 100},
            "p2": {"x": 100, "y": 200},
            "focalLength": 100,
        },
        {
            "type": "Detector",
            "name": "Screen",
            "p1": {"x": 180, "y": 100},
            "p2": {"x": 180, "y": 200},
        },
    ]
    return Document(
        scene=scene_from_json({"version": 5, "objs": objects, "rayModeDensity": 1, **settings})
    )


def weak_scene() -> Document:
    """A ray through two mirrors that pass a tenth: a tenth of a tenth is too weak to follow in the
    default colour mode, which is a tenth of the power.
    """
    mirrors = [
        {
            "type": "BeamSplitter",
            "name": name,
            "p1": {"x": x, "y": -20},
            "p2": {"x": x, "y": 20},
            "transRatio": 0.1,
        }
        for name, x in (("M0", 0), ("M100", 100))
    ]
    ray = {"type": "SingleRay", "name": "In", "p1": {"x": -50, "y": 0}, "p2": {"x": 0, "y": 0}}
    screen = {
        "type": "Detector",
        "name": "Out",
        "p1": {"x": 200, "y": -20},
        "p2": {"x": 200, "y": 20},
    }
    return Document(scene=scene_from_json({"version": 5, "objs": [ray, *mirrors, screen]}))


def mirror_scene() -> Document:
    """A beam of width 10 that a mirror at 37° turns up; at 45°, turned by 8°, it would meet the
    screen above it.
    """
    dx, dy = 15 * math.cos(math.radians(37)), 15 * math.sin(math.radians(37))
    objects = [
        {
            "type": "Beam",
            "name": "Lamp",
            "p1": {"x": 0, "y": -5},
            "p2": {"x": 0, "y": 5},
            "brightness": 0.5,
        },
        {
            "type": "Mirror",
            "name": "Mirror",
            "p1": {"x": 100 - dx, "y": dy},
            "p2": {"x": 100 + dx, "y": -dy},
        },
        {
            "type": "Detector",
            "name": "Screen",
            "p1": {"x": 93, "y": -200},
            "p2": {"x": 107, "y": -200},
        },
    ]
    return Document(scene=scene_from_json({"version": 5, "objs": objects, "rayModeDensity": 1}))


def brewster_scene() -> Document:
    """A ray that meets a window at 45°, and a screen behind it."""
    corners = [(-200.0, 0.0), (200.0, 0.0), (200.0, 10.0), (-200.0, 10.0)]
    turned = [((x + y) * math.sqrt(0.5), (y - x) * math.sqrt(0.5)) for x, y in corners]
    ends = {"p1": {"x": -400, "y": 0}, "p2": {"x": -300, "y": 0}}
    objects = [
        {"type": "SingleRay", "name": "Laser", **ends},
        {
            "type": "Glass",
            "name": "Window",
            "path": [{"x": x, "y": y, "arc": False} for x, y in turned],
            "refIndex": INDEX,
        },
        {
            "type": "Detector",
            "name": "Behind",
            "p1": {"x": 400, "y": -50},
            "p2": {"x": 400, "y": 50},
        },
    ]
    return Document(scene=scene_from_json({"version": 5, "objs": objects}))


LINES, WAVELENGTH = 1.2, 0.6
"""Lines of a grating per µm, and a wavelength in µm."""


def grating_scene() -> Document:
    """A ray that meets a reflecting grating along its normal."""
    objects = [
        {
            "type": "SingleRay",
            "name": "Laser",
            "p1": {"x": -200, "y": 0},
            "p2": {"x": -100, "y": 0},
            "wavelength": 1000 * WAVELENGTH,
        },
        {
            "type": "DiffractionGrating",
            "name": "Grating",
            "p1": {"x": 0, "y": -20},
            "p2": {"x": 0, "y": 20},
            "lineDensity": 1000 * LINES,
            "mirrored": True,
        },
    ]
    return Document(scene=scene_from_json({"version": 5, "objs": objects, "simulateColors": True}))
