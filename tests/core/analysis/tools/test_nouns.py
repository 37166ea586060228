"""What a question without a name is about: the only object of a noun, else the only one that
changes the direction of light.
"""

from __future__ import annotations

import pytest

from raybench.analysis.tools.nouns import NOUNS, object_without_name
from raybench.analysis.tools.unclear import Unclear
from raybench.kinds.detectors import Detector
from raybench.kinds.glasses import CircleGlass
from raybench.kinds.kinds import KINDS
from raybench.kinds.lenses import IdealLens, SphericalLens
from raybench.kinds.mirrors import Mirror
from raybench.kinds.object import SceneObject
from raybench.kinds.sources import SingleRay
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.shapes.point import Point

RAY = SingleRay(name="Ray", p1=Point(0, 0), p2=Point(1, 0))
SCREEN = Detector(name="Screen", p1=Point(90, -9), p2=Point(90, 9))
LENS = IdealLens(name="L1", p1=Point(10, -9), p2=Point(10, 9))
BALL = CircleGlass(name="Ball", p1=Point(50, 0), p2=Point(55, 0))
MIRROR = Mirror(name="M", p1=Point(30, -9), p2=Point(30, 9))


def meant(noun: str, *objects: SceneObject) -> str:
    found = object_without_name(noun, Document(scene=Scene.of(objects)))
    return found.problem if isinstance(found, Unclear) else found.title


def test_the_first_kind_that_the_scene_has_is_meant() -> None:
    assert meant("lens", RAY, BALL, LENS, SCREEN) == "L1"
    assert meant("lens", RAY, BALL, SCREEN) == "Ball"
    assert meant("detector", RAY, BALL, SCREEN) == "Screen"


def test_without_a_lens_it_is_what_changes_the_direction_of_light() -> None:
    assert meant("lens", RAY, MIRROR, SCREEN) == "M"
    assert meant("prism", RAY, MIRROR, SCREEN) == "M"
    other = Mirror(name="N", p1=Point(40, -9), p2=Point(40, 9))
    assert meant("lens", RAY, MIRROR, other) == "Which object? There are: M, N."
    assert (
        meant("lens", RAY, LENS, IdealLens(name="L2", p1=Point(40, -9), p2=Point(40, 9)))
        == "Which lens? There are: L1, L2."
    )


def test_of_two_kinds_of_lenses_none_comes_first() -> None:
    thick = SphericalLens(name="L2", p1=Point(60, -9), p2=Point(60, 9))
    assert meant("lens", RAY, LENS, thick) == "Which lens? There are: L1, L2."
    assert meant("thin lens", RAY, LENS, thick) == "L1"
    assert meant("spherical lens", RAY, LENS, thick) == "L2"


@pytest.mark.parametrize("kind", [kind for kind in KINDS.values() if " " in kind.label])
def test_the_label_of_each_kind_is_a_noun(kind: type[SceneObject]) -> None:
    assert issubclass(kind, NOUNS[kind.label.lower()].kinds)


def test_a_noun_of_one_kind_means_no_other() -> None:
    assert meant("mirror", RAY, LENS, SCREEN) == "There is no mirror in this scene."
    assert meant("lens", RAY, SCREEN) == "There is no lens in this scene."
