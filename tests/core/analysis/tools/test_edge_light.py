"""What edges reflect of the traced light, and the fractions of their coatings."""

from __future__ import annotations

import pytest

from raybench.analysis.agentic_tools import set_context_from_result
from raybench.analysis.tools.interfaces.coatings import edge_light
from raybench.errors import RaybenchError
from raybench.kinds.blockers import Blocker
from raybench.kinds.glasses import Glass
from raybench.kinds.mirrors import BeamSplitter
from raybench.kinds.sources import SingleRay
from raybench.scene.changes import Coat, FinishEdge, apply_changes
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.shapes.point import Point, Vertex
from raybench.trace.trace import trace

CORNERS = (Vertex(0, -50), Vertex(90, -50), Vertex(90, 50), Vertex(0, 50))


def test_edges_reflect_what_their_coatings_say():
    glass = Glass(name="Plate", path=CORNERS, ref_index=1.5, cauchy_b=0.0)
    splitter = BeamSplitter(name="Splitter", p1=Point(-20, -5), p2=Point(-10, 5))
    ray = SingleRay(name="Ray", p1=Point(-30, 0), p2=Point(-29, 0))
    scene = Scene.of([glass, splitter, ray], Settings(color_mode="linear"))
    document = apply_changes(
        [
            Coat("Plate", "W", {"reflectance": 0.1, "absorbed": 0.2}),
            Coat("Splitter", coating={"reflectance": 0.25, "absorbed": 0.05}),
        ],
        Document(scene=scene),
    )
    set_context_from_result(document, trace(document))
    values = edge_light().values
    of = {edge["object"]: edge for edge in values["edge"]}
    split = of["Splitter"]
    assert split["reflected_power"] == pytest.approx(0.25 * split["arriving_power"])
    assert split["absorbed_power"] == pytest.approx(0.05 * split["arriving_power"])
    plate = of["Plate"]
    arriving = plate["arriving_power"]
    assert plate["reflected_power"] == pytest.approx(0.1 * arriving, rel=0.1)
    assert plate["at"][0]["absorptance"] == pytest.approx(0.2)
    assert values["coated"] == 2
    bare = edge_light("Plate", "E").values["edge"][0]
    assert (bare["coating"], "at" in bare) == (None, False)
    assert bare["reflected_power"] == pytest.approx(0.04 * bare["arriving_power"], rel=1e-4)
    with pytest.raises(RaybenchError, match=r"does not meet|no edges that reflect"):
        edge_light("Ray")


def test_edges_scatter_and_absorb_what_their_finishes_say():
    wall = Blocker(name="Wall", p1=Point(0, -50), p2=Point(0, 50))
    ray = SingleRay(name="Ray", p1=Point(-30, 0), p2=Point(-29, 0))
    paint = {"reflectance": 0.4, "total": 0.75, "rays": 20}
    document = apply_changes(
        FinishEdge("Wall", values=paint), Document(scene=Scene.of([wall, ray]), power_unit="mW")
    )
    set_context_from_result(document, trace(document))
    answer = edge_light()
    (edge,) = answer.values["edge"]
    assert edge["finish"] == "reflectance 0.4, Lambertian, scatters 0.75"
    assert edge["scattered_power"] == pytest.approx(0.3)
    assert edge["reflected_power"] == pytest.approx(0.1)
    assert edge["absorbed_power"] == pytest.approx(0.6)
    assert "scatters 0.3 mW and absorbs 0.6 mW" in answer.sentence
