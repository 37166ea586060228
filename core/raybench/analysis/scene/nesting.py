"""Bodies inside bodies: where bodies overlap, the indices of all that contain a point are
multiplied.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from raybench.analysis.scene.edges import edge_table
from raybench.analysis.scene.refractive_index import Media
from raybench.analysis.scene.surroundings import Sides
from raybench.analysis.scene.traced_outline import as_traced
from raybench.kinds.glasses import GlassBody
from raybench.kinds.object import SceneObject
from raybench.optics.colour import GREEN
from raybench.scene.scene import Scene
from raybench.trace.tolerances import TOUCHING

PLACES = np.array([0.1, 0.3, 0.5, 0.7, 0.9])
"""The parameters of the points examined along each edge."""


MOST_PAIRS = 60_000
"""Pairs of a body and another near it that are examined, at most: a few seconds."""


@dataclass(frozen=True)
class Nested:
    """A body, the bodies around all of it, outermost first, and those that contain a part of it
    only.

    ``index``: its own refractive index, None if it varies. ``effective``: the index just inside its
    outline with those of the bodies around; None if it varies along the outline, or within it.
    """

    body: GlassBody
    inside: tuple[GlassBody, ...]
    overlapping: tuple[GlassBody, ...]
    index: float | None
    effective: float | None


def nesting(
    scene: Scene,
    disabled: Collection[int] = (),
    wavelength: float = GREEN,
    bodies: Collection[SceneObject] | None = None,
) -> tuple[Nested, ...]:
    """How the enabled bodies of a scene, or those among ``bodies``, are nested, in their order.
    Indices at ``wavelength`` in nm if the scene simulates colours. Where too many overlap, the last
    of them are left out: after `MOST_PAIRS`.
    """
    media = Media.of(scene, disabled, wavelength)
    tolerance = TOUCHING * scene.settings.length_scale
    area = dict(
        zip(
            (b.key for b in media.bodies),
            np.prod(media.boxes[:, 2:] - media.boxes[:, :2], axis=1).tolist(),
            strict=True,
        )
    )
    wanted, out, pairs = (
        {b.key for b in (media.bodies if bodies is None else bodies)},
        list[Nested](),
        0,
    )
    for body in media.bodies:
        if body.key not in wanted:
            continue
        alone = body.uniform_index(wavelength if scene.settings.simulate_colors else None)
        edges = [e for e in edge_table(as_traced(body, scene), {}) if 0 < e.length < np.inf]
        if not edges:
            out.append(Nested(body, (), (), alone, alone))
            continue
        which, us = np.repeat(np.arange(len(edges)), len(PLACES)), np.tile(PLACES, len(edges))
        *_, within = Sides(edges, tolerance).beside(which, us)
        meets = media.meets((*within.min(axis=0).tolist(), *within.max(axis=0).tolist()), 0.0)
        pairs += int(np.count_nonzero(meets))
        if pairs > MOST_PAIRS:
            break
        near = media.chosen(meets)
        contained = near.inside(within)
        around = [k for k, b in enumerate(near.bodies) if b is not body and contained[k].all()]
        part = [
            k
            for k, b in enumerate(near.bodies)
            if b is not body and contained[k].any() and not contained[k].all()
        ]
        indices = near.index_at(within, contained)
        steady = (
            bool(np.ptp(indices) <= 1e-12 * np.abs(indices).max())
            if np.isfinite(indices).all()
            else False
        )
        varies = any(
            b.uniform_index(None) is None
            for b in (body, *(near.bodies[k] for k in (*around, *part)))
        )
        containers = sorted((near.bodies[k] for k in around), key=lambda b: -area[b.key])
        effective = float(indices[0]) if steady and not varies else None
        out.append(
            Nested(body, tuple(containers), tuple(near.bodies[k] for k in part), alone, effective)
        )
    return tuple(out)
