"""One detector, one number: its panel in the window, measures, SQL and the tools give the same
digits.
"""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET

import pytest

from raybench.analysis import agentic_tools as tools
from raybench.analysis.context import TracedScene, override_context
from raybench.kinds.detectors import Detector
from raybench.kinds.glasses import Glass
from raybench.kinds.grin import GrinGlass
from raybench.kinds.lenses import SphericalLens
from raybench.kinds.mirrors import BeamSplitter, Mirror
from raybench.kinds.object import SceneObject
from raybench.kinds.sources import AngleSource, Beam, PointSource
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.shapes.point import Point, Vertex
from raybench_workbench.shot import wait_until_settled


def tilted(x: float, half: float, degrees: float) -> Detector:
    """A detector about (x, 0), turned from the vertical."""
    dx, dy = half * math.sin(math.radians(degrees)), half * math.cos(math.radians(degrees))
    return Detector(p1=Point(x - dx, -dy), p2=Point(x + dx, dy), name="Screen")


LENS = [
    PointSource(x=-160, y=7.3, brightness=0.7, name="Lamp"),
    SphericalLens(
        p1=Point(0, -25),
        p2=Point(0, 25),
        params={"d": 11.0, "r1": 70.0, "r2": -93.0},
        ref_index=1.61,
        name="Lens",
    ),
    tilted(140, 45, 23),
]
BOTH_SIDES = [
    Beam(p1=Point(-80, -12), p2=Point(-80, 9), brightness=0.41, name="Laser"),
    AngleSource(p1=Point(170, 3), p2=Point(100, 1), brightness=0.83, emis_angle=17.0, name="Back"),
    BeamSplitter(p1=Point(-30, -30), p2=Point(20, 30), trans_ratio=0.37, name="Splitter"),
    Mirror(p1=Point(-60, 90), p2=Point(80, 60), name="Mirror"),
    tilted(60, 40, -31),
]
COLOURS = [
    Beam(p1=Point(-90, -6), p2=Point(-90, 6), brightness=0.3, wavelength=486.0, name="Blue"),
    Beam(p1=Point(-95, -4), p2=Point(-95, 8), brightness=0.2, wavelength=656.0, name="Red"),
    Glass(
        path=(Vertex(-30, 30), Vertex(40, 30), Vertex(5, -35)),
        ref_index=1.52,
        cauchy_b=0.005,
        name="Prism",
    ),
    GrinGlass(path=(Vertex(60, -40), Vertex(75, -40), Vertex(75, 60), Vertex(60, 60)), name="Rod"),
    tilted(120, 110, 12),
]


@pytest.mark.parametrize(
    ("objects", "colours"),
    [(LENS, False), (BOTH_SIDES, False), (COLOURS, True)],
    ids=["lens", "both", "colours"],
)
def test_panel_measures_sql_and_tools_give_the_same_digits(
    open_window, objects: list[SceneObject], colours: bool
) -> None:
    settings = Settings(ray_mode_density=3.0, simulate_colors=colours)
    window = open_window(Document(scene=Scene.of(objects, settings)))
    window.actions_by_id["view.plots"].trigger()
    wait_until_settled(window)
    labels = window.plots.light.values
    assert {"power", "signed_power", "centroid", "rms", "width"} <= labels.keys()
    document, result = window.document.document, window.document.result
    with override_context(TracedScene.from_document(document, result)):
        calls = "; ".join(f"{name}(Screen)" for name in labels)
        measures = {
            m.attrib["of"].partition("(")[0]: m.attrib["value"]
            for m in ET.fromstring(tools.measure_xml(calls))
        }
        told = ET.fromstring(tools.detector_xml("Screen"))[0].attrib
        spot = ET.fromstring(tools.spot_xml("Screen"))[0].attrib
        lit = [
            e.attrib
            for e in ET.fromstring(tools.who_lights_what_xml("Screen")).iter()
            if e.attrib.get("name") == "Screen"
        ]
        sql = ET.fromstring(
            tools.query_rays_xml("SELECT sum(received) AS power FROM rays WHERE object = 'Screen'")
        )
    for name, label in labels.items():
        value = measures[name]
        digits, _, rest = label.toolTip().partition(":")
        assert rest
        assert digits.split()[0] == value, name
        assert label.text().split()[0] == f"{float(value):.5g}", name
        for answer in (told, spot):
            assert answer.get(name, value) == value, name
    assert float(measures["power"]) > 0
    assert f">{measures['power']}<" in ET.tostring(sql, "unicode")
    assert [a["power"] for a in lit] == [measures["power"]]
