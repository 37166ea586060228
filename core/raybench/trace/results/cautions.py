"""Warnings about limits of a trace's numbers: sources without rays or with reduced power, an
assumed wavelength.
"""

from __future__ import annotations

from collections.abc import Iterator

from raybench.errors import in_quotes
from raybench.kinds.detectors import Detector
from raybench.kinds.gratings import Grating
from raybench.optics.colour import GREEN
from raybench.scene.materials import source_wavelengths
from raybench.scene.scene import Scene
from raybench.trace.results.result import Warning
from raybench.trace.run.emission import InitialRays
from raybench.trace.tables.compiled import Compiled
from raybench.trace.tolerances import SAME_FRACTION


def cautions(scene: Scene, ready: Compiled, rays: InitialRays) -> tuple[Warning, ...]:
    """The warnings: sources that send no ray, sources whose powers cannot be compared, then
    gratings in scenes without wavelengths, then materials whose data do not cover the light.
    """
    return (
        *_sources_without_rays(ready, rays),
        *_uneven_sources(scene, ready, rays),
        *_gratings_without_colours(scene, ready),
        *_materials_out_of_range(scene, ready),
    )


def _sources_without_rays(ready: Compiled, rays: InitialRays) -> Iterator[Warning]:
    """A source that is small against the distance of rays may get none."""
    if rays.complete:
        sending = set(rays.source[rays.begins].tolist())
        for i, source in rays.sources:
            if i not in sending and getattr(source, "brightness", 0.0) > 0.0:
                yield Warning(
                    i,
                    f"{in_quotes(ready.names[i])} sends no ray, for the ray density is too low."
                    " Raise it in the settings.",
                )


def _uneven_sources(scene: Scene, ready: Compiled, rays: InitialRays) -> Iterator[Warning]:
    """A ray's power is at most 1. If that reduces some sources more than others, their powers
    cannot be compared.
    """
    if not rays.fractions:
        return
    index, least = min(rays.fractions, key=lambda fraction: fraction[1])
    if max(fraction for _, fraction in rays.fractions) <= least * (1 + SAME_FRACTION):
        return
    if scene.settings.simulate_colors or any(isinstance(o, Detector) for o in scene.optical):
        yield Warning(
            index,
            f"{in_quotes(ready.names[index])} sends only {least:.3g} of its power, for its rays"
            " carry at most 1 each, and other sources send more: powers do not compare. Raise the"
            " ray density, or choose another colour mode than default.",
        )


def _gratings_without_colours(scene: Scene, ready: Compiled) -> Iterator[Warning]:
    if not scene.settings.simulate_colors:
        for i, piece in ready.rows.remarkable.items():
            if isinstance(ready.optical[i], Grating) and not piece.fault:
                yield Warning(
                    i,
                    f"{in_quotes(ready.names[i])} takes all light for {GREEN:g} nm. Simulate"
                    " colours to use the sources' wavelengths.",
                    ("Simulate colours", "simulateColors", True),
                )


def _materials_out_of_range(scene: Scene, ready: Compiled) -> Iterator[Warning]:
    bodies = [
        (i, piece.material)
        for i, piece in ready.rows.remarkable.items()
        if piece.material is not None
    ]
    waves = source_wavelengths(scene) if bodies else ()
    for i, own in bodies:
        missing = [w for w in waves if not own.covers(w)]
        if missing:
            data = own.material.dispersion
            yield Warning(
                i,
                f"{in_quotes(ready.names[i])}: the data of {own.material.name} cover {data.low:g}"
                f" to {data.high:g} nm, not {missing[0]:g} nm. Its refractive index there is that"
                " of refIndex and cauchyB.",
            )
