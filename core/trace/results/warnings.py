"""Warnings about points where no interaction is defined, so that rays were stopped."""

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

LEAST_POWER = 1e-3
"""The power stopped at ill-defined points above which a warning is given."""


def ill_defined(scene: Scene, rows: Mapping[str, Any], power: float, first: int, other: int, shortest: float) -> tuple[Warning, ...]:
    """A warning if more than LEAST_POWER hit points at which the interaction is not defined, else ().

    ``power`` is what hit such points at glass and conflicting surfaces; ``first`` and ``other`` are the objects that overlap at the first
    of them, -1 for no other. ``rows`` are the trace's columns, ``shortest`` its shortest segment.
    """
    stopped = np.flatnonzero(rows["status"] == Status.ILL_DEFINED)
    hit = rows["hit"][stopped]
    lenses = stopped[[not isinstance(scene.optical[i], GlassBody) for i in hit]] if len(stopped) else stopped
    if not power > 0:  # only ideal lenses without a focal length
        other = -1
    power += float(rows["power"][lenses].sum())
    if power <= LEAST_POWER:
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
    """Where and why an interaction with an object is not defined at (x, y)."""
    obj = scene.optical[index]
    if not isinstance(obj, GlassBody):
        return f"at {in_quotes(obj.title)}, whose focal length is 0"
    ends = [end for e in edges_of(obj) for end in (e.shape.a, e.shape.b)]
    if any(math.dist(end, (x, y)) <= 2 * shortest for end in ends):
        return f"at a corner of {in_quotes(obj.title)}"
    return f"at ({x:.6g}, {y:.6g}) on {in_quotes(obj.title)}, where its index has no value that light can have"
