"""What a trace says of places where light had no way on."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from core.errors import in_quotes
from core.kinds.glasses import GlassBody
from core.kinds.outline import edges_of
from core.scene.scene import Scene
from core.trace.codes import Status
from core.trace.results.result import Warning

WORTH_TELLING = 1e-3
"""The power that must meet ill-defined places before it is told."""


def ill_defined(scene: Scene, rows: Mapping[str, Any], power: float, first: int, other: int, shortest: float) -> tuple[Warning, ...]:
    """A warning where light of more than next to no ``power`` met a place at which it is not defined what happens to it.

    ``first`` and ``other`` are the objects that lie on each other at the first such place, -1 where there is but one; ``rows`` are the
    trace's columns, and ``shortest`` its shortest segment.
    """
    stopped = np.flatnonzero(rows["status"] == Status.ILL_DEFINED)
    hit = rows["hit"][stopped]
    lenses = stopped[[not isinstance(scene.optical[i], GlassBody) for i in hit]] if len(stopped) else stopped
    if not power > 0:  # at surfaces that are no lenses
        other = -1
    power += float(rows["power"][lenses].sum())
    if power <= WORTH_TELLING:
        return ()
    if other >= 0:
        where = f"where {in_quotes(scene.optical[first].title)} and {in_quotes(scene.optical[other].title)} lie on each other"
    else:
        where = f"at {in_quotes(scene.optical[first].title)}"
        if len(stopped):
            first, (x, y) = int(rows["hit"][stopped[0]]), rows["p2"][stopped[0]].tolist()
            where = _where(scene, first, x, y, shortest)
    return (Warning(first, f"Light of power {power:.3g} met an ill-defined place, first {where}."),)


def _where(scene: Scene, index: int, x: float, y: float, shortest: float) -> str:
    """Why light had no way on at a place of an object."""
    obj = scene.optical[index]
    if not isinstance(obj, GlassBody):
        return f"at {in_quotes(obj.title)}, whose focal length is 0"
    ends = [end for e in edges_of(obj) for end in (e.shape.a, e.shape.b)]
    if any(math.dist(end, (x, y)) <= 2 * shortest for end in ends):
        return f"at a corner of {in_quotes(obj.title)}"
    return f"at ({x:.6g}, {y:.6g}) on {in_quotes(obj.title)}, where its index has no value that light can have"
