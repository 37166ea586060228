"""Tables that grow with the points of a study."""

from __future__ import annotations

import numpy as np
import pytest

from raybench.kinds.blockers import Blocker
from raybench.kinds.sources import SingleRay
from raybench.scene.document import Document
from raybench.scene.parameters.parameter import read_parameter
from raybench.scene.scene import Scene
from raybench.shapes.point import Point
from raybench.study.experiment import Experiment
from raybench.study.table import TableBuilder, build_table

DOCUMENT = Document(
    scene=Scene.of(
        [
            SingleRay(p1=Point(0, 0), p2=Point(-1, 0), name="Ray"),
            Blocker(p1=Point(-50, -40), p2=Point(-50, 40), name="Screen"),
        ]
    )
)


@pytest.mark.parametrize("continuing", [False, True])
def test_a_table_that_grew_is_that_of_all_points_at_once(continuing: bool) -> None:
    experiment = Experiment.build(
        DOCUMENT,
        (read_parameter("Ray.angle", DOCUMENT),),
        "arriving_direction(Screen); power(Screen)",
    )
    rows = [((value,), experiment.evaluate((value,))) for value in (-10.0, -5.0, 5.0, 10.0, 90.0)]
    builder = TableBuilder(experiment, continuing=continuing)
    first = None
    for i, row in enumerate(rows):
        builder.add([row])
        assert len(builder) == i + 1
        first = first or builder.table()
    grown, whole = builder.table(), build_table(experiment, rows, continuing=continuing)
    np.testing.assert_array_equal(grown.rows, whole.rows)
    assert (grown.columns, grown.units, grown.note) == (whole.columns, whole.units, whole.note)
    assert first is not None
    assert len(first.rows) == 1, "an earlier table stays as it is"
    jump = np.abs(np.diff(grown.rows[:4, 1])).max()
    assert jump < 90 if continuing else jump > 300
    assert np.isnan(grown.rows[4, 1])
