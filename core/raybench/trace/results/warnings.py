"""Warnings about points where no interaction is defined, so that rays were stopped."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from raybench.errors import in_quotes
from raybench.kinds.glasses import GlassBody
from raybench.kinds.lenses import IdealLens
from raybench.kinds.mirrors import IdealMirror
from raybench.kinds.object import SceneObject
from raybench.kinds.outline import edges_of
from raybench.scene.scene import Scene
from raybench.trace.codes import Status
from raybench.trace.results.result import Warning

LEAST_POWER = 1e-3
"""The power stopped at ill-defined points above which a warning is given."""


def ill_defined(
    scene: Scene, rows: Mapping[str, Any], power: float, first: int, other: int, shortest: float
) -> tuple[Warning, ...]:
    """A warning if more than LEAST_POWER hit points at which the interaction is not defined, else
    ().

    ``power`` is what hit such points, but for ideal lenses; ``first`` and ``other`` are the objects
    that overlap at the first of them, -1 for no other. ``rows`` are the trace's columns,
    ``shortest`` its shortest segment.
    """
    stopped = np.flatnonzero(rows["status"] == Status.ILL_DEFINED)
    hit = rows["hit"][stopped]
    lenses = (
        stopped[[isinstance(scene.optical[i], IdealLens | IdealMirror) for i in hit]]
        if len(stopped)
        else stopped
    )
    if not power > 0:  # only ideal lenses without a focal length
        other = -1
    power += float(rows["power"][lenses].sum())
    if power <= LEAST_POWER:
        return ()
    if other >= 0:
        where = (
            f"where {in_quotes(scene.optical[first].title)} and"
            f" {in_quotes(scene.optical[other].title)} lie on each other"
        )
    else:
        where = f"at {in_quotes(scene.optical[first].title)}"
        if len(stopped):
            first, (x, y) = int(rows["hit"][stopped[0]]), rows["p2"][stopped[0]].tolist()
            where = _where(scene, first, x, y, shortest)
    return (Warning(first, f"Light of power {power:.3g} met an ill-defined place, first {where}."),)


def _where(scene: Scene, index: int, x: float, y: float, shortest: float) -> str:
    """Where and why an interaction with an object is not defined at (x, y)."""
    obj = scene.optical[index]
    title = in_quotes(obj.title)
    if isinstance(obj, IdealLens | IdealMirror):
        return f"at {title}, whose focal length is 0"
    if _has_corner(obj, x, y, 2 * shortest):
        return f"at a corner of {title}"
    for other in scene.optical:
        if other is not obj and _has_corner(other, x, y, 2 * shortest):
            return f"at a corner of {in_quotes(other.title)} on {title}"
    return f"at ({x:.6g}, {y:.6g}) on {title}, where its index has no value that light can have"


def _has_corner(obj: SceneObject, x: float, y: float, near: float) -> bool:
    """Whether an object is a glass with a corner near a point."""
    if not isinstance(obj, GlassBody):
        return False
    return any(
        math.dist(end, (x, y)) <= near for e in edges_of(obj) for end in (e.shape.a, e.shape.b)
    )
