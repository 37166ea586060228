"""The local search where the optimum is known in closed form."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

import numpy as np
import pytest

from raybench.analysis.measures.measure import Measured
from raybench.study.search import Floats, Objective, Row, search_locally
from raybench.study.terms.goal import Goal

MEASURES = {
    "x + y": lambda x, y: x + y,
    "x² + y²": lambda x, y: x * x + y * y,
    "x y": lambda x, y: x * y,
}


@pytest.mark.parametrize("start", [(0.1, 0.3), (0.9, 0.7)])
@pytest.mark.parametrize(
    ("goal", "constraint", "optimum"),
    [
        (Goal("x + y", "most"), Goal("x² + y²", "<", 1.0), math.sqrt(0.5)),
        (Goal("x + y", "least"), Goal("x y", ">", 0.25), 0.5),
    ],
    ids=["inside a circle", "above a hyperbola"],
)
def test_an_optimum_on_a_curved_constraint(
    goal: Goal, constraint: Goal, optimum: float, start: tuple[float, float]
) -> None:
    goals = (goal, constraint)

    def rows(points: Iterable[Floats]) -> Iterator[Row]:
        for point in points:
            yield tuple(
                Measured(float(MEASURES[g.expression](*point)), "", g.expression) for g in goals
            )

    objective = Objective(goals, rows)
    search_locally(objective, np.array(start))
    assert objective.best == pytest.approx([optimum, optimum], abs=1e-7)
    assert constraint.violation(objective.best_row[1].value) == 0
