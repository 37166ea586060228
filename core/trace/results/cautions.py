"""What to know before comparing a trace's numbers: light cut short, waves assumed."""

from __future__ import annotations

from collections.abc import Iterator

from core.errors import in_quotes
from core.kinds.detectors import Detector
from core.kinds.gratings import Grating
from core.scene.scene import Scene
from core.trace.results.result import Warning
from core.trace.run.emission import InitialRays
from core.trace.tables.compiled import Compiled


def cautions(scene: Scene, ready: Compiled, rays: InitialRays) -> tuple[Warning, ...]:
    """The cautions for a scene: sources whose powers do not compare, then gratings that do not know the light's wavelength."""
    return (*_uneven_sources(scene, ready, rays), *_gratings_without_colours(scene, ready))


def _uneven_sources(scene: Scene, ready: Compiled, rays: InitialRays) -> Iterator[Warning]:
    """Rays carry a power of at most 1. Where that cuts some sources more than others, their powers do not compare."""
    if not rays.shares:
        return
    index, least = min(rays.shares, key=lambda share: share[1])
    if max(share for _, share in rays.shares) <= least * (1 + 1e-9):
        return
    if scene.settings.simulate_colors or any(isinstance(o, Detector) for o in scene.optical):
        yield Warning(
            index,
            f"{in_quotes(ready.names[index])} sends only {least:.3g} of its power, for its rays carry at most 1 each, "
            "and other sources send more: powers do not compare. Raise the ray density, or choose another colour mode than default.",
        )


def _gratings_without_colours(scene: Scene, ready: Compiled) -> Iterator[Warning]:
    if not scene.settings.simulate_colors:
        for i, piece in ready.share.remarkable.items():
            if isinstance(ready.optical[i], Grating) and not piece.fault:
                yield Warning(
                    i, f"{in_quotes(ready.names[i])} takes all light for 540 nm. Simulate colours to use the sources' wavelengths."
                )
