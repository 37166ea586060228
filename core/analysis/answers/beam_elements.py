"""Bundles of rays at an object as elements of an answer."""

from __future__ import annotations

from itertools import groupby

import numpy as np

from core.analysis.answers.answer import Element, element
from core.analysis.geometry.straight import Rows
from core.analysis.measures.beam import centroid_of, deviation_of, direction_of, divergence_of, width_of
from core.analysis.measures.bound import told
from core.analysis.measures.image import vergence_of
from core.analysis.measures.light import Light
from core.analysis.measures.measure import Unit
from core.analysis.rays.leaving_light import ArrivingBundle, LeavingBundle
from core.analysis.rays.ray_facts import word_of
from core.analysis.scene.optical import names_listed
from core.trace.codes import Interaction

NAMED = 3
"""Maximum number of sources named for one bundle."""
RUNS = 6
"""Maximum number of different interactions told in a row."""


def beam_element(light: Light, index: int, bundle: LeavingBundle | ArrivingBundle) -> Element:
    """A bundle that arrives at or leaves the object ``index``: its origin, direction, width, vergence, place and power.

    The values are those of the functions that define the measures, of which the strongest bundle has the same.
    """
    leaving = bundle if isinstance(bundle, LeavingBundle) else None
    x, y = (told(light, Unit.LENGTH, lambda light, axis=axis: centroid_of(light, bundle)[axis]) for axis in (0, 1))
    converging = told(light, Unit.VERGENCE, vergence_of, index, leaving) if leaving else None
    several = len(bundle.rows) > 1
    emitted = light.emitted()
    return element(
        "beam",
        source=sources_of(light, bundle.rows),
        wavelength=wavelength_of(light, bundle.rows),
        order=light.order(int(bundle.rows[0])),
        after=_interactions(light, leaving) if leaving else None,
        direction=told(light, Unit.ANGLE, direction_of, bundle),
        deviation=told(light, Unit.ANGLE, deviation_of, leaving) if leaving else None,
        width=told(light, Unit.LENGTH, width_of, bundle) if several else None,
        divergence=told(light, Unit.ANGLE, divergence_of, bundle) if several else None,
        vergence=converging,
        form=None if converging is None else "converging" if converging > 0 else "diverging" if converging < 0 else "parallel",
        x=x,
        y=y,
        rays=len(bundle.rows),
        power=bundle.power,
        share=bundle.power / emitted if emitted > 0 else None,
    )


def sources_of(light: Light, rows: Rows) -> str | None:
    """The names of the sources of some segments; None if they are unknown."""
    indices = np.unique(light.result.source[rows]).tolist()
    return names_listed([light.scene.optical[i].title for i in indices if i >= 0], NAMED) if max(indices) >= 0 else None


def wavelength_of(light: Light, rows: Rows) -> float | None:
    """The wavelength of some segments in nm; None without colours, or if they differ."""
    colours = light.result.wavelength[rows]
    return float(colours[0]) if (colours == colours[0]).all() else None


def _interactions(light: Light, bundle: LeavingBundle) -> str:
    """The interactions with the object in order, such as ``refract, 2 tir, refract``."""
    result, path = light.result, light.result.lineage.path(int(bundle.rows[0]))
    arrived = int(bundle.arriving[0])
    inside = path[path.index(arrived) + 1 :] or [path[-1]]
    runs = [(word, len(list(group))) for word, group in groupby(word_of(Interaction(i)) for i in result.interaction[inside].tolist())]
    words = [f"{count} {word}" if count > 1 else word for word, count in runs]
    return ", ".join(words if len(words) <= RUNS else [*words[: RUNS - 1], "...", words[-1]])
