"""Evaluations keep only the rows that their measures read, and all where these turn out to need
them.
"""

import pytest

from raybench.analysis.measures.bound import measure_values
from raybench.kinds.detectors import Detector
from raybench.kinds.lenses import IdealLens
from raybench.kinds.sources import Beam
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.shapes.point import Point
from raybench.study import experiment
from raybench.study.experiment import Experiment
from raybench.trace.keep import Keep
from raybench.trace.trace import trace

OBJECTS = (
    Beam(name="Beam", p1=Point(0, -5), p2=Point(0, 5), emis_angle=8.0),
    IdealLens(name="Lens", p1=Point(50, -40), p2=Point(50, 40), focal_length=20.0),
    Detector(name="Screen", p1=Point(90, -40), p2=Point(90, 40)),
)
DOCUMENT = Document(scene=Scene.of(OBJECTS, Settings(ray_mode_density=2.0)))


@pytest.mark.parametrize(
    ("measure", "keeps"),
    [
        ("power(Screen) / emitted()", [Keep((2,))] * 2),
        ("focus(Lens)", [Keep((1,), (1,), True)] * 2),
        ("image_distance(Lens)", [Keep((1,), (1,), True), None, None]),  # of one point of the beam
        ("path_power(Beam > * > Screen)", [None] * 2),
    ],
)
def test_rows_that_are_not_read_are_not_kept(measure, keeps, monkeypatch):
    asked = []

    def traced(*arguments, keep=None, **options):
        asked.append(keep)
        return trace(*arguments, keep=keep, **options)

    monkeypatch.setattr(experiment, "trace", traced)
    study = Experiment.build(DOCUMENT, [], measure)
    values = [study.evaluate(()) for _ in range(2)]
    assert asked == keeps
    assert values == [measure_values(measure, DOCUMENT, trace(DOCUMENT))] * 2
    assert values[0][0].defined
