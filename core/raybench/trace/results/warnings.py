"""Warnings of a trace: light that it does not follow, numerical limits, and points at which rays
stop because no interaction is defined there.
"""

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import reduce
from typing import Any, Self

import numpy as np

from raybench.errors import in_quotes
from raybench.kinds.detectors import Detector
from raybench.kinds.glasses import GlassBody
from raybench.kinds.gratings import Grating
from raybench.kinds.lenses import IdealLens
from raybench.kinds.mirrors import IdealMirror
from raybench.kinds.object import SceneObject
from raybench.kinds.outline import object_edges
from raybench.optics.colour import GREEN
from raybench.phrase import Phrase
from raybench.scene.materials import source_wavelengths
from raybench.scene.scene import Scene
from raybench.trace.codes import Completion, Status
from raybench.trace.results.result import TraceResult, TraceWarning
from raybench.trace.run.emission import InitialRays
from raybench.trace.tables.compiled import CompiledScene
from raybench.trace.tolerances import SAME_FRACTION

NEGLIGIBLE_SHARE = 1e-3
"""The share of all power below which omitted light is not reported, since it changes none of the
first three digits of a power.
"""


@dataclass(frozen=True)
class OmittedLight:
    """The light that a trace omits. ``weak`` and ``deep`` are the fractions of all power in rays
    too weak to trace and in rays cut at the depth limit; 0 if negligible. ``limit`` is the limit
    that ended the trace early, otherwise empty. ``unsent`` is the fraction of the sources' power
    that their rays cannot carry, since each carries at most 1; None for values that do not depend
    on it. Powers of traces with the same ``unsent`` can be compared.
    """

    weak: float = 0.0
    deep: float = 0.0
    limit: str = ""
    unsent: float | None = None

    @classmethod
    def of_trace(cls, result: TraceResult, scene: Scene) -> Self:
        """The light that the trace of a scene omits."""
        ledger, deep = result.ledger, 0.0
        unsent = ledger.unsent_share
        limited = result.completion in (Completion.SEGMENT_LIMIT, Completion.MEMORY_LIMIT)
        limit = result.completion.text if limited else ""
        if ledger.truncated_share < NEGLIGIBLE_SHARE:
            return cls(limit=limit, unsent=unsent)
        if math.isfinite(scene.settings.max_ray_depth):
            deep = result.power_cut_at_depth / ledger.supplied_power
        weak = ledger.truncated_share - deep
        weak, deep = (share if share >= NEGLIGIBLE_SHARE else 0.0 for share in (weak, deep))
        return cls(weak, deep, limit, unsent)


def largest_omitted_light(several: Iterable[OmittedLight | None]) -> OmittedLight:
    """The largest fractions of light that any of several traces omits after emission, ignoring
    None.
    """
    parts = [part for part in set(several) if part is not None]
    limits = max((p.limit for p in parts), default="")
    return OmittedLight(
        max((p.weak for p in parts), default=0.0), max((p.deep for p in parts), default=0.0), limits
    )


def omitted_light_text(scene: Scene, several: Iterable[OmittedLight | None]) -> str:
    """Sentences, the last without a full stop, about the power of the rays that one or several
    traces of a scene omit, with the remedy. Empty if this power is negligible. The power that the
    rays of sources cannot carry is mentioned if the traces differ in it. ``several`` may contain
    None, which is ignored.
    """
    noted = {part for part in several if part is not None}
    unsent = [part.unsent for part in noted if part.unsent is not None]
    most = largest_omitted_light(noted)
    least_unsent = min(unsent, default=0.0)
    most_unsent = max(unsent, default=0.0)
    differs = most_unsent - least_unsent >= NEGLIGIBLE_SHARE
    if not (most.limit or most.weak or most.deep or differs):
        return ""
    several_traces = len({(part.weak, part.deep, part.limit) for part in noted}) > 1
    plain = scene.settings.color_mode == "default"
    texts = []
    if most.limit:
        texts.append(
            Phrase(
                "{traces} is partial ({limit}), so that values miss light; a higher limit or a"
                " lower ray density follows all",
                traces=Phrase("A trace") if several_traces else Phrase("The trace"),
                limit=most.limit,
            )
        )
    if most.weak:
        texts.append(
            Phrase(
                "Rays too weak to follow carried {share} of the power; {follows} follows weaker"
                " ones",
                share=_share_text(most.weak, several_traces),
                follows=(
                    Phrase("the colour mode linear") if plain else Phrase("a lower rayPowerCutoff")
                ),
            )
        )
    if most.deep:
        texts.append(
            Phrase(
                "Rays cut at the largest depth carried {share} of the power; a larger one follows"
                " them",
                share=_share_text(most.deep, several_traces),
            )
        )
    if differs:
        texts.append(
            Phrase(
                "Rays carry a power of at most 1 each, so that sources send from {least:.3g} to"
                " {most:.3g} % of theirs, and powers do not compare; the colour mode linear sends"
                " all",
                least=100 * (1 - most_unsent),
                most=100 * (1 - least_unsent),
            )
        )
    return reduce(lambda a, b: Phrase("{text}. {then}", text=a, then=b), texts)


def _share_text(share: float, up_to: bool) -> str:
    text = Phrase("{percent:.3g} %", percent=100 * share)
    return Phrase("up to {share}", share=text) if up_to else text


def trace_warnings(
    scene: Scene, ready: CompiledScene, rays: InitialRays
) -> tuple[TraceWarning, ...]:
    """The warnings about sources and materials: sources that send no ray, sources whose powers
    cannot be compared, gratings in scenes without wavelengths, and materials whose data do not
    cover the light.
    """
    return (
        *_rayless_source_warnings(ready, rays),
        *_uneven_source_warnings(scene, ready, rays),
        *_colourless_grating_warnings(scene, ready),
        *_material_range_warnings(scene, ready),
    )


def colourless_lumens_warnings(
    scene: Scene, ready: CompiledScene, rays: InitialRays
) -> tuple[TraceWarning, ...]:
    """A warning that powers in lumens assume a wavelength, where a scene has none."""
    if scene.settings.simulate_colors or not rays.sources:
        return ()
    index = rays.sources[0][0]
    return (
        TraceWarning(
            index,
            Phrase(
                "The light of {name} has no wavelength, so that lm assume 555 nm, which the eye sees"
                " best. Simulate colours in the settings.",
                name=in_quotes(ready.names[index]),
            ),
        ),
    )


def _rayless_source_warnings(ready: CompiledScene, rays: InitialRays) -> Iterator[TraceWarning]:
    """Warn of sources that send no ray, as a source may that is smaller than the distance between
    rays.
    """
    if rays.complete:
        sending = set(rays.source[rays.first_ray_indices].tolist())
        for i, source in rays.sources:
            if i not in sending and getattr(source, "brightness", 0.0) > 0.0:
                yield TraceWarning(
                    i,
                    Phrase(
                        "{name} sends no ray, for the ray density is too low. Raise it in the settings.",
                        name=in_quotes(ready.names[i]),
                    ),
                )


def _uneven_source_warnings(
    scene: Scene, ready: CompiledScene, rays: InitialRays
) -> Iterator[TraceWarning]:
    """Warn of sources whose powers cannot be compared. The power of a ray is at most 1, and this
    may reduce some sources more than others.
    """
    if not rays.fractions:
        return
    index, least = min(rays.fractions, key=lambda fraction: fraction[1])
    if max(fraction for _, fraction in rays.fractions) <= least * (1 + SAME_FRACTION):
        return
    if scene.settings.simulate_colors or any(isinstance(o, Detector) for o in scene.optical):
        yield TraceWarning(
            index,
            Phrase(
                "{name} sends only {least:.3g} of its power, for its rays carry at most 1 each, and"
                " other sources send more: powers do not compare. Raise the ray density, or choose"
                " another colour mode than default.",
                name=in_quotes(ready.names[index]),
                least=least,
            ),
        )


def _colourless_grating_warnings(scene: Scene, ready: CompiledScene) -> Iterator[TraceWarning]:
    if not scene.settings.simulate_colors:
        for i, piece in ready.rows.remarkable.items():
            if isinstance(ready.optical[i], Grating) and not piece.fault:
                yield TraceWarning(
                    i,
                    Phrase(
                        "{name} takes all light for {wavelength:g} nm. Simulate colours to use the sources'"
                        " wavelengths.",
                        name=in_quotes(ready.names[i]),
                        wavelength=GREEN,
                    ),
                    (Phrase("Simulate colours"), "simulateColors", True),
                )


def _material_range_warnings(scene: Scene, ready: CompiledScene) -> Iterator[TraceWarning]:
    bodies = [
        (i, piece.material)
        for i, piece in ready.rows.remarkable.items()
        if piece.material is not None
    ]
    waves = source_wavelengths(scene) if bodies else ()
    for i, own in bodies:
        missing = [w for w in waves if not own.covers_wavelength(w)]
        if missing:
            data = own.material.dispersion
            yield TraceWarning(
                i,
                Phrase(
                    "{name}: the data of {material} cover {low:g} to {high:g} nm, not {missing:g} nm. Its"
                    " refractive index there is that of refIndex and cauchyB.",
                    name=in_quotes(ready.names[i]),
                    material=own.material.name,
                    low=data.low,
                    high=data.high,
                    missing=missing[0],
                ),
            )


LEAST_POWER = 1e-3
"""The power stopped at ill-defined points above which a warning is given."""


def ill_defined_warnings(
    scene: Scene, rows: Mapping[str, Any], power: float, first: int, other: int, shortest: float
) -> tuple[TraceWarning, ...]:
    """A warning if rays with more than LEAST_POWER hit points where the interaction is not defined;
    otherwise empty.

    ``power`` is the power that hit such points, except those of ideal lenses; ``first`` and
    ``other`` are the indices of the objects that overlap at the first such point, -1 for no other
    object. ``rows`` are the trace's columns, ``shortest`` its shortest segment.
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
        where = Phrase(
            "where {name} and {other} lie on each other",
            name=in_quotes(scene.optical[first].title),
            other=in_quotes(scene.optical[other].title),
        )
    else:
        where = Phrase("at {title}", title=in_quotes(scene.optical[first].title))
        if len(stopped):
            first, (x, y) = int(rows["hit"][stopped[0]]), rows["p2"][stopped[0]].tolist()
            where = _undefined_interaction_text(scene, first, x, y, shortest)
    return (
        TraceWarning(
            first,
            Phrase(
                "Light of power {power:.3g} met an ill-defined place, first {where}.",
                power=power,
                where=where,
            ),
        ),
    )


def _undefined_interaction_text(
    scene: Scene, index: int, x: float, y: float, shortest: float
) -> Phrase:
    """A text that says where and why the interaction with an object is not defined at the point
    (``x``, ``y``).
    """
    obj = scene.optical[index]
    title = in_quotes(obj.title)
    if isinstance(obj, IdealLens | IdealMirror):
        return Phrase("at {title}, whose focal length is 0", title=title)
    if _has_corner(obj, x, y, 2 * shortest):
        return Phrase("at a corner of {title}", title=title)
    for other in scene.optical:
        if other is not obj and _has_corner(other, x, y, 2 * shortest):
            return Phrase(
                "at a corner of {other} on {title}", other=in_quotes(other.title), title=title
            )
    return Phrase(
        "at ({x:.6g}, {y:.6g}) on {title}, where its index has no value that light can have",
        x=x,
        y=y,
        title=title,
    )


def _has_corner(obj: SceneObject, x: float, y: float, near: float) -> bool:
    """Whether an object is a glass with a corner near the point (``x``, ``y``)."""
    if not isinstance(obj, GlassBody):
        return False
    return any(
        math.dist(end, (x, y)) <= near for e in object_edges(obj) for end in (e.shape.a, e.shape.b)
    )
