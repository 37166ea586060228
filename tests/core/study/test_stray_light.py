"""Scatter budgets and ranked remedies."""

from __future__ import annotations

import math

import pytest

from raybench.analysis.measures.bound import measure_values
from raybench.kinds.blockers import Blocker
from raybench.kinds.glasses import Glass
from raybench.kinds.sources import SingleRay
from raybench.scene.changes import Coat, Delete, FinishEdge, Set, apply_changes
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.shapes.point import Point, Vertex
from raybench.study.stray_light import NothingScatters, rank_remedies, scatter_budget
from raybench.trace.trace import trace

RAYS = 400
RHO = 0.2
# a ray meets the middle of each wall at normal incidence; the detector sees both walls, which do not
# see each other
OBJECTS = (
    SingleRay(name="Left ray", p1=Point(-1, 0), p2=Point(-2, 0)),
    SingleRay(name="Right ray", p1=Point(1, 0), p2=Point(2, 0)),
    Blocker(name="Left", p1=Point(-50, -20), p2=Point(-50, 20)),
    Blocker(name="Right", p1=Point(100, -20), p2=Point(100, 20)),
    Blocker(name="Shield", p1=Point(0, -20), p2=Point(0, 20)),
    Blocker(name="Detector", p1=Point(-10, 30), p2=Point(10, 30)),
)


def walls(left: float = RHO, right: float = RHO) -> Document:
    document = Document(scene=Scene.of(OBJECTS, Settings(color_mode="linear")))
    finishes = [
        FinishEdge(name, values={"reflectance": rho, "rays": RAYS, "towards": "Detector"})
        for name, rho in (("Left", left), ("Right", right))
    ]
    return apply_changes(finishes, document)


def to_detector(distance: float) -> float:
    """The part of the light of a Lambertian wall that goes to the detector, by Hottel's strings."""
    near, far = (math.atan2(30, distance + off) for off in (10, -10))
    return (math.sin(far) - math.sin(near)) / 2


def test_the_budget_names_each_surface_with_its_power_and_error():
    document = walls()
    index = [o.title for o in document.scene.optical].index("Detector")
    budget = scatter_budget(document, index, draws=8)
    found = {document.scene.optical[e.obj].title: e for e in budget.edges}
    assert [*found] == ["Left", "Right"]
    for name, distance in (("Left", 50), ("Right", 100)):
        expected = RHO * to_detector(distance)
        assert found[name].power == pytest.approx(expected, abs=4 * found[name].error + 1e-4)
        assert found[name].error < 0.02 * expected
    assert budget.scattered.power == pytest.approx(sum(e.power for e in budget.edges))
    (measured,) = measure_values("scattered_power(Detector)", document, trace(document))
    assert measured.value == pytest.approx(budget.scattered.power, rel=0.05)
    left = next(i for i, o in enumerate(document.scene.optical) if o.title == "Left ray")
    only = scatter_budget(document, index, source=left, draws=2)
    assert [document.scene.optical[e.obj].title for e in only.edges] == ["Left"]
    with pytest.raises(NothingScatters):
        scatter_budget(Document(scene=document.scene), index)


def test_remedies_are_ranked_by_common_draws():
    document = walls()
    paint = {"reflectance": RHO / 10}
    tried = [
        (Delete("Right"),),
        (FinishEdge("Left", values=paint),),
        (FinishEdge("Right", values={"reflectance": 2 * RHO}),),
        (Set("Nobody", {"name": "x"}),),
    ]
    ranking = rank_remedies(document, "scattered_power(Detector)", tried, draws=6)
    assert [r.number for r in ranking.remedies] == [1, 0, 2, 3]
    assert "Nobody" in ranking.remedies[3].refused
    left, right = to_detector(50) * RHO, to_detector(100) * RHO
    for remedy, gain in zip(ranking.remedies, (-0.9 * left, -right, right), strict=False):
        assert remedy.difference.value == pytest.approx(gain, rel=0.05)
    # what the change leaves alone is the same in both, and cancels
    noisy = apply_changes(FinishEdge("Left", with_={"reflectance": RHO}), document)
    alone = rank_remedies(noisy, "scattered_power(Detector, Left ray)", tried[:1], draws=6)
    assert alone.remedies[0].difference.value == 0
    assert alone.remedies[0].difference.error == 0
    assert alone.before.error > 0


def test_ghosts_with_and_without_a_coating_need_one_draw():
    corners = [Vertex(0, -20), Vertex(9, -20), Vertex(9, 20), Vertex(0, 20)]
    plate = Glass(name="Plate", path=tuple(corners))
    ray = SingleRay(name="Ray", p1=Point(-50, 3), p2=Point(-40, 3))
    screen = Blocker(name="Screen", p1=Point(60, -50), p2=Point(60, 50))
    scene = Scene.of([plate, ray, screen], Settings(color_mode="linear"))
    ideal, none = (Coat("Plate", coating=what) for what in ("Ideal antireflection", ""))
    ranking = rank_remedies(Document(scene=scene), "ghost_power(Screen)", [(none,), (ideal,)])
    assert ranking.before.draws == 1
    assert ranking.before.value > 1e-4
    assert [r.number for r in ranking.remedies] == [1, 0]
    assert ranking.remedies[0].value.value == 0
    assert ranking.remedies[1].difference.value == 0
