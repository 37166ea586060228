"""Questions about rays, as functions from a result to the rows that answer."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from core.analysis.contact import TOUCH, contains, incidence_angles, touches
from core.errors import RaybenchError
from core.scene.labels import LabelledEdge
from core.scene.object import SceneObject
from core.scene.outline import edges_of
from core.trace.result import RaySet, TraceResult

JUST_AFTER = 1e-3
"""Where an escaping ray is asked whether it is inside: this far from its start, in scene units."""


class InvalidRange(RaybenchError):
    """The bounds of a range are not numbers, out of their domain, or the wrong way round."""


def rays_inside(result: TraceResult, body: SceneObject) -> RaySet:
    """The segments whose midpoint, along the path where that is curved, is within a body's true outline.

    Of an escaping ray it is a point just after its start.
    """
    d = result.p2 - result.p1
    with np.errstate(invalid="ignore", divide="ignore"):
        just_after = result.p1 + d * (JUST_AFTER / np.hypot(d[:, 0], d[:, 1]))[:, None]
    points = np.where(result.escaped[:, None], just_after, result.middle)
    return _answer(result, contains(edges_of(body), points), f"rays inside '{body.title}'")


def rays_touching(result: TraceResult, body: SceneObject, edge: LabelledEdge) -> RaySet:
    """The segments that cross an edge of a body, or start or end on it."""
    p1, p2, rows = result.straight_pieces
    rows = np.unique(rows[touches(p1, p2, edge.edge.shape, TOUCH)])
    return RaySet(rows, f"rays crossing edge {edge.title} of '{body.title}'", result.revision)


def rays_by_angle(result: TraceResult, body: SceneObject, edge: LabelledEdge, low: float, high: float) -> RaySet:
    """The segments that touch an edge and meet it at an angle to its normal between two bounds, in degrees, both included."""
    _check(low, high, 90.0, "min_angle", "max_angle", "degrees from the edge's normal")
    shape = edge.edge.shape
    p1, p2, rows = result.straight_pieces
    near = np.flatnonzero(touches(p1, p2, shape, TOUCH))
    rows = rows[near]
    angle = incidence_angles(p1[near], p2[near], shape)
    # the angle of a normal ray is right to some 1e-6 degrees: bounds are included with that much room
    rows = np.unique(rows[(angle >= low - 1e-6) & (angle <= high + 1e-6)])
    question = f"rays meeting edge {edge.title} of '{body.title}' at {low:g}° to {high:g}° from its normal"
    return RaySet(rows, question, result.revision)


def rays_by_polarization(result: TraceResult, low: float, high: float) -> RaySet:
    """The segments whose degree of polarisation lies between two bounds, both included."""
    _check(low, high, 1.0, "min_dop", "max_dop", "degree of polarisation")
    dop = degree_of_polarization(result.power)
    return _answer(result, (dop >= low) & (dop <= high), f"rays with a degree of polarisation from {low:g} to {high:g}")


def degree_of_polarization(power: NDArray[np.float64]) -> NDArray[np.float64]:
    """|p - s| / (p + s) of powers (n, 2), 0 where there is none (Born & Wolf, section 10.9.2, for incoherent s and p)."""
    total = power.sum(axis=1)
    some = total > 1e-10
    return np.where(some, np.abs(power[:, 1] - power[:, 0]) / np.where(some, total, 1.0), 0.0)


def _check(low: float, high: float, most: float, low_name: str, high_name: str, meaning: str) -> None:
    for name, value in ((low_name, low), (high_name, high)):
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
            raise InvalidRange(f"{name} is {value!r}; give a number from 0 to {most:g} ({meaning}).")
        if not 0 <= value <= most:
            raise InvalidRange(f"{name} is {value:g}; it must be from 0 to {most:g} ({meaning}).")
    if low > high:
        raise InvalidRange(f"{low_name} {low:g} is larger than {high_name} {high:g}. Exchange them.")


def _answer(result: TraceResult, mask: NDArray[np.bool_], question: str) -> RaySet:
    return RaySet(np.flatnonzero(mask), question, result.revision)
