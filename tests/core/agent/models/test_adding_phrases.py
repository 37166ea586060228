"""Objects that are to be added in words: of which kind, where, which way they face, and with which
values.
"""

from __future__ import annotations

import math
from typing import Any

import pytest

from raybench.agent.models.keywords import understand
from raybench.kinds.glasses import Glass
from raybench.kinds.lenses import IdealLens
from raybench.kinds.mirrors import Mirror
from raybench.kinds.object import SceneObject
from raybench.kinds.sources import Beam
from raybench.scene.changes import changes_from_json
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.shapes.point import Point, Vertex

DOCUMENT = Document(
    scene=Scene.of(
        [
            Beam(name="Laser", p1=Point(-100, -5), p2=Point(-100, 5)),
            IdealLens(name="Lens", p1=Point(0, -25), p2=Point(0, 25), focal_length=80),
            Glass(name="Prism", path=(Vertex(300, 50), Vertex(320, 90), Vertex(280, 90))),
        ]
    )
)


def added(request: str, document: Document = DOCUMENT) -> tuple[SceneObject, ...]:
    """The objects that a request adds."""
    found = understand(request, document)
    assert found.tool == "change_scene", found.problem
    after = document
    for change in changes_from_json((found.arguments or {})["changes"], document):
        after = change.apply(after)
    return after.scene.objects[len(document.scene.objects) :]


def ends(request: str) -> list[tuple[float, float]]:
    (obj,) = added(request)
    return [(round(p.x, 6), round(p.y, 6)) for p in (obj.p1, obj.p2)]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("request_", "kind", "expected"),
    [
        ("add a screen at x = 600, y = 40", "Detector", [(600, 15), (600, 65)]),
        ("Please add a mirror at (200, 100).", "Mirror", [(200, 75), (200, 125)]),
        ("put another lens at 20 cm, 0", "IdealLens", [(200, -25), (200, 25)]),
        ("insert a detector 100 mm behind the lens", "Detector", [(100, -25), (100, 25)]),
        ("place a blocker 50 mm in front of Lens", "Blocker", [(-50, -25), (-50, 25)]),
        ("add a beam splitter 3 cm above lens", "BeamSplitter", [(25, -30), (-25, -30)]),
        ("add a grating 30 mm to the left of Lens", "DiffractionGrating", [(-30, -25), (-30, 25)]),
        ("add a mirror between Laser and Lens", "Mirror", [(-50, -25), (-50, 25)]),
    ],
)
def test_an_object_is_added_where_it_is_said(
    request_: str, kind: str, expected: list[tuple[float, float]]
) -> None:
    (obj,) = added(request_)
    assert type(obj).__name__ == kind
    assert ends(request_) == expected


def test_what_stands_behind_something_faces_the_light_that_comes_from_the_source() -> None:
    (a, b), length = ends("add a detector 100 mm behind Prism"), math.hypot(400, 230 / 3)
    along = (400 / length, 230 / 3 / length)
    assert [(a[i] + b[i]) / 2 for i in (0, 1)] == pytest.approx(
        [300 + 100 * along[0], 230 / 3 + 100 * along[1]]
    )
    assert (b[0] - a[0]) * along[0] + (b[1] - a[1]) * along[1] == pytest.approx(0, abs=1e-5)


@pytest.mark.parametrize(
    ("request_", "values"),
    [
        ("add a lens with a focal length of 80 mm at 100, 0", {"focal_length": 80}),
        ("add a lens with 8 cm focal length at 100, 0", {"focal_length": 80}),
        ("add an 80 mm lens at 100, 0", {"focal_length": 80}),
        ("add a 633 nm laser called Red at 0, 0", {"wavelength": 633, "name": "Red"}),
        (
            "add a grating named Ruled with 1200 lines per mm at 100, 0",
            {"line_density": 1200, "name": "Ruled"},
        ),
        (
            "add a lens at 100, 0 and call it Field lens",
            {"name": "Field lens", "p1": Point(100, -25)},
        ),
        (
            "add a light source with wavelength 500 nm and brightness 2 at 0, 0",
            {"wavelength": 500, "brightness": 2},
        ),
    ],
)
def test_it_has_the_values_that_are_given(request_: str, values: dict[str, Any]) -> None:
    (obj,) = added(request_)
    assert {name: getattr(obj, name) for name in values} == values


def test_what_the_library_offers_is_made_of_its_data_and_turned_to_the_light() -> None:
    found = understand(
        "add an achromat with a focal length of 120 mm and a diameter of 20 mm at 100, 0", DOCUMENT
    )
    assert (found.arguments or {})["changes"] == [
        {"preset": "Achromat", "focalLength": 120.0, "diameter": 20.0, "at": {"x": 100.0, "y": 0.0}}
    ]
    (prism,) = added("add an equilateral prism of SF11 called Big at 100, 0")
    assert prism.name == "Big"
    assert prism.assigned is not None  # type: ignore[attr-defined]
    assert prism.assigned.material.name == "N-SF11" or prism.assigned.material.name == "SF11"  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("request_", "problem"),
    [
        ("add a mirror", "Where is the mirror to be, such as at 200, 100 or 50 mm behind Lens?"),
        ("add a lens 50 mm behind Nothing", "No object named 'Nothing'"),
        ("add a mirror with radius 20 at 10, 20", "Mirror has no radius that can be set in words"),
        ("add a lens with care at 10, 20", "“care” is not understood"),
        ("add a mirror of SF11 at 10, 20", "Add it, then say: make it of SF11"),
        (
            "add an achromat with a focal length of 30 mm at 10, 20",
            "Make the diameter smaller, or the focal length longer.",
        ),
        ("add a prism of Unobtainium at 10, 20", "Unobtainium"),
    ],
)
def test_what_is_missing_or_wrong_is_said(request_: str, problem: str) -> None:
    found = understand(request_, DOCUMENT)
    assert found.tool == ""
    assert problem in found.problem


def test_how_to_add_and_what_is_no_object_open_the_help() -> None:
    for request in ("how do I add a mirror?", "add a bookmark"):
        assert understand(request, DOCUMENT).tool == "search_help"


def test_in_an_empty_scene_an_object_has_an_ordinary_size() -> None:
    (mirror,) = added("add a mirror at 0, 0", Document())
    assert isinstance(mirror, Mirror)
    assert math.dist(mirror.p1, mirror.p2) == 50
