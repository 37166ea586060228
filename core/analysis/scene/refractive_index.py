"""The refractive index at any place of a scene: where bodies overlap, their indices multiply."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

import numpy as np

from core.analysis.geometry.containment import box_around, within
from core.analysis.geometry.edge_curve import Box
from core.analysis.geometry.straight import Floats, Mask
from core.analysis.scene.traced_outline import edges_as_traced
from core.formula import FormulaError, parse_latex
from core.formula.arrays import evaluate_arrays
from core.kinds.glasses import GlassBody, HomogeneousGlass
from core.kinds.grin import VARIABLES, GradedGlass
from core.kinds.outline import Edge
from core.optics.fresnel import cauchy_index
from core.scene.scene import Scene

GREEN = 540.0
"""The wavelength, in nm, that is meant where none is said."""


def index_of(body: GlassBody, points: Floats, wavelength: float, *, simulate_colors: bool) -> Floats:
    """The index of one body at points (n, 2), as a trace takes it; NaN where its formula gives none. (n,)"""
    if isinstance(body, GradedGlass):
        try:
            tree = parse_latex(body.ref_index_fn, VARIABLES)
            x, y = points[:, 0] - body.origin.x, points[:, 1] - body.origin.y
            light = np.full(len(points), wavelength if simulate_colors else GREEN)
            return evaluate_arrays([tree], dict(zip(VARIABLES, (x, y, light), strict=True)))[0]
        except FormulaError:
            return np.full(len(points), np.nan)
    index = 1.0
    if isinstance(body, HomogeneousGlass):
        index = cauchy_index(body.ref_index, body.cauchy_b, wavelength) if simulate_colors else body.ref_index
    return np.full(len(points), index)


@dataclass(frozen=True, eq=False)
class Media:
    """The glass bodies of a scene that light meets, each with its outline (``outlines``) and the box around it (``boxes`` (bodies, 4):
    left, top, right, bottom), ready to be asked about points."""

    bodies: tuple[GlassBody, ...]
    outlines: tuple[tuple[Edge, ...], ...]
    boxes: Floats
    wavelength: float
    simulate_colors: bool

    @classmethod
    def of(cls, scene: Scene, disabled: Collection[int] = (), wavelength: float = GREEN) -> Media:
        bodies = tuple(o for o in scene.expanded if isinstance(o, GlassBody) and o.key not in disabled)
        outlines = tuple(edges_as_traced(o, scene) for o in bodies)
        boxes = np.array([box_around(o) for o in outlines]).reshape(-1, 4)
        return cls(bodies, outlines, boxes, wavelength, scene.settings.simulate_colors)

    def meeting(self, box: Box, room: float) -> Media:
        """Those of the bodies whose boxes come within ``room`` of a box."""
        low, high = np.array(box[:2]) - room, np.array(box[2:]) + room
        return self.chosen(np.all((self.boxes[:, :2] <= high) & (low <= self.boxes[:, 2:]), axis=1))

    def inside(self, points: Floats) -> Mask:
        """Which bodies hold which points (n, 2), (bodies, n)."""
        out = np.zeros((len(self.bodies), len(points)), bool)
        by_x, y = np.argsort(points[:, 0], kind="stable"), points[:, 1]
        first = np.searchsorted(points[by_x, 0], self.boxes[:, 0], side="right")
        last = np.searchsorted(points[by_x, 0], self.boxes[:, 2], side="left")
        for k in np.flatnonzero(first < last).tolist():
            abreast = by_x[first[k] : last[k]]
            near = abreast[(y[abreast] > self.boxes[k, 1]) & (y[abreast] < self.boxes[k, 3])]
            if len(near):
                out[k, near] = within(self.outlines[k], points[near], 0.0)
        return out

    def index_at(self, points: Floats, held: Mask | None = None) -> Floats:
        """The refractive index at points (n, 2), (n,); 1 where there is no body. ``held`` is `inside` of the points, where it is known."""
        index = np.ones(len(points))
        for body, holds in zip(self.bodies, self.inside(points) if held is None else held, strict=True):
            if holds.any():
                index[holds] *= index_of(body, points[holds], self.wavelength, simulate_colors=self.simulate_colors)
        return index

    def chosen(self, which: Mask) -> Media:
        """Some of the bodies."""
        kept = np.flatnonzero(which).tolist()
        return replace(
            self,
            bodies=tuple(self.bodies[k] for k in kept),
            outlines=tuple(self.outlines[k] for k in kept),
            boxes=self.boxes[kept],
        )


def index_by_colour(scene: Scene, wavelengths: Floats, *points: Floats, disabled: Collection[int] = ()) -> list[Floats]:
    """The refractive index, (n,) each, that light of ``wavelengths`` (n,) in nm, NaN for `GREEN`, has at ``points``, each (n, 2)."""
    media, found = Media.of(scene, disabled), [np.ones(len(wavelengths)) for _ in points]
    colours, which = np.unique(np.where(np.isnan(wavelengths), GREEN, wavelengths), return_inverse=True)
    for k, nm in enumerate(colours.tolist()):
        same, of_colour = np.flatnonzero(which == k), replace(media, wavelength=nm)
        for index, at in zip(found, points, strict=True):
            index[same] = of_colour.index_at(at[same])
    return found
