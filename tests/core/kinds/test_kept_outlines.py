"""The outline of an object is computed once, and belongs to that object alone."""

from __future__ import annotations

import dataclasses
import pickle

from raybench.analysis.scene.objects import box_as_traced, object_as_traced
from raybench.kinds.glasses import Glass
from raybench.kinds.lenses import SphericalLens
from raybench.kinds.outline import object_edges
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.shapes.point import Point, Vertex

PRISM = Glass(path=(Vertex(0, 0), Vertex(10, 0), Vertex(0, 5)), name="Prism")
LENS = SphericalLens(
    p1=Point(0, -10), p2=Point(0, 10), params={"d": 8, "r1": 40, "r2": -40}, name="Lens"
)


def test_an_outline_is_computed_once() -> None:
    assert object_edges(PRISM) is object_edges(PRISM)
    assert object_edges(LENS, True) is object_edges(LENS, True)
    assert object_edges(LENS, True) is object_edges(
        object_as_traced(LENS, Scene.of([LENS], Settings(simulate_colors=True)))
    )


def test_another_object_has_its_own() -> None:
    assert object_edges(PRISM)
    wider = dataclasses.replace(PRISM, path=(Vertex(0, 0), Vertex(20, 0), Vertex(0, 5)))
    assert box_as_traced(PRISM, None) == (0, 0, 10, 5)
    assert box_as_traced(wider, None) == (0, 0, 20, 5)
    assert dataclasses.replace(wider, path=PRISM.path) == PRISM, (
        "what is derived makes no difference"
    )


def test_what_is_derived_is_not_pickled() -> None:
    assert object_edges(PRISM)
    again = pickle.loads(pickle.dumps(PRISM))
    assert "derived" not in vars(again)
    assert again == PRISM
    assert object_edges(again) == object_edges(PRISM)
