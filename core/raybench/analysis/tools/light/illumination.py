"""Which source lights which object, and with how much power?"""

from collections.abc import Sequence

import numpy as np

from raybench.analysis.answers.answer import Answer
from raybench.analysis.answers.page import OnDemand
from raybench.analysis.answers.record import Positive, Record, Root
from raybench.analysis.answers.words import capitalized, in_words, number_of
from raybench.analysis.context import require_context
from raybench.analysis.geometry.straight import distinct_integers, summed
from raybench.analysis.measures.light import Light
from raybench.analysis.measures.measure import Unit
from raybench.analysis.scene.objects import names_listed, source_named
from raybench.analysis.tools.tool import AnalysisTool
from raybench.kinds.blockers import Aperture, Blocker, CircleBlocker
from raybench.kinds.detectors import Detector
from raybench.kinds.outline import edges_of
from raybench.kinds.sources import Source
from raybench.trace.results.ray_set import RaySet

IN_WORDS = 4
"""Maximum number of objects named in the sentence."""
TARGETS = (Detector, Blocker, CircleBlocker, Aperture)
"""Kinds listed first: where light is meant to end."""


class LightFrom(Record, tag="from"):
    source: str
    power: float
    share: float | None
    rays: Positive


class LitObject(Record, tag="object"):
    from_: Sequence[LightFrom]
    name: str
    power: float
    share: float | None
    rays: int
    unlit_by: str | None


class Illumination(Root, tag="illumination"):
    object: Sequence[LitObject]
    objects: int
    sources: int
    emitted: float
    count: int
    unlit: str | None


def who_lights_what(object_name: str = "", source_name: str = "") -> Answer:
    """List which source lights which object: for every object the power that arrives from each
    source, and its share of the emitted power.

    Power is what arrives from outside, positive from either side, and counts each time that light
    arrives; share is the part of the emitted power that arrives at least once (the measures power
    and share). Detectors and blockers come first, then the others with most power first. Sources
    and objects without light are named too.

    Args:
        object_name: Name of one object that light can meet, or of a group taken as one; empty for
            all.
        source_name: Name of one source; empty for all.

    Returns:
        Root illumination: for each object its power, share of all emitted power, number of rays,
        and a list of its sources with the power, the share of the source's own power and the rays
        of each; unlit_by names the sources that do not reach it. Objects that no light reaches have
        power 0 and are named together.

    Raises:
        RuntimeError: If set_context() has not been called.
        ValueError: If a name doesn't match; the message lists the existing names.
    """
    context = require_context()
    scene, light = context.scene, Light.of_context(context)
    result = light.result
    sources = [i for i, o in enumerate(scene.optical) if isinstance(o, Source)]
    if source_name:
        sources = [source_named(scene, source_name)[0]]
    objects = [i for i, o in enumerate(scene.optical) if not isinstance(o, Source) and edges_of(o)]
    if object_name:
        objects = [light.met_named(object_name)[0]]
    # a column for each source; light of another, or of an unknown one, is counted in the last
    column, size = np.full(len(scene.optical) + 1, len(sources)), len(sources) + 1
    column[sources] = range(len(sources))
    power, once, rays = (
        np.zeros((len(objects), size)),
        np.zeros((len(objects), size)),
        np.zeros((len(objects), size), np.int64),
    )
    rows = [light.arriving(i) for i in objects]
    for k, i in enumerate(objects):
        for sums, arriving in ((power, rows[k]), (once, light.first_arriving(i))):
            sums[k] = summed(
                column[result.source[arriving]], result.total_arriving_power[arriving], size
            )  # -1 is an unknown source
        rays[k] = np.bincount(column[result.source[rows[k]]], minlength=size)
    emitted = {i: light.emitted(i) for i in sources}
    whole = emitted[sources[0]] if source_name else light.emitted()
    kept = slice(0, len(sources) if source_name else size)
    total, reaching, count = (
        power[:, kept].sum(axis=1),
        once[:, kept].sum(axis=1),
        rays[:, kept].sum(axis=1),
    )
    titles = [thing.title for thing in light.things]

    def lit(k: int) -> LitObject:
        strongest = sorted(
            (c for c in range(len(sources)) if rays[k, c]), key=lambda c: -power[k, c]
        )
        listing = [
            LightFrom(
                source=titles[i],
                power=power[k, c],
                share=once[k, c] / emitted[i] if emitted[i] > 0 else None,
                rays=rays[k, c],
            )
            for c in strongest
            for i in [sources[c]]
        ]
        dark = [titles[i] for c, i in enumerate(sources) if not rays[k, c]]
        return LitObject(
            from_=listing,
            name=titles[objects[k]],
            power=total[k],
            share=reaching[k] / whole if whole > 0 else None,
            rays=int(count[k]),
            unlit_by=names_listed(dark) if dark else None,
        )

    order = sorted(
        range(len(objects)),
        key=lambda k: (not isinstance(light.things[objects[k]], TARGETS), -total[k]),
    )
    reached = [k for k in order if count[k]]
    unlit = [titles[objects[k]] for k in order if not count[k]]
    root = Illumination(
        object=OnDemand.each(lit, reached),
        objects=len(objects),
        sources=len(sources),
        emitted=whole,
        count=len(reached),
        unlit=names_listed(unlit, 40) if unlit else None,
        context=context,
    )
    found = distinct_integers(*rows)
    if source_name:
        found = found[result.source[found] == sources[0]]
    light_of = f"light of {in_words(source_name)}" if source_name else "light"
    again = [light.without_noise(p, Unit.POWER) > 0 for p in (total - reaching).tolist()]
    received = [
        f"{in_words(float(total[k]))}{_share_text(reaching[k], whole, again=again[k])}"
        for k in reached
    ]
    words = _illumination_sentence([titles[objects[k]] for k in reached], received, unlit, light_of)
    if object_name and reached and len(sources) > 1:
        by_source = sorted(
            ((power[0, c], titles[i]) for c, i in enumerate(sources) if rays[0, c]), reverse=True
        )
        parts = [
            f"{in_words(float(of_source))} from {in_words(title)}"
            for of_source, title in by_source[:IN_WORDS]
        ]
        words += f": {', '.join([*parts, *([f'{len(by_source) - IN_WORDS} more'] if len(by_source) > IN_WORDS else [])])}"
    where = f"at {in_words(object_name)}" if object_name else "at objects"
    return Answer(
        root, words, RaySet(found, f"{light_of} arriving {where}", context.result.revision)
    )


def _share_text(reaching: float, emitted: float, *, again: bool) -> str:
    """The share of emitted power reaching an object, in brackets; ``again``: whether light arrives
    repeatedly, and is counted each time.
    """
    share = f"{100 * reaching / emitted:.3g} %" if emitted > 0 else ""
    if again:
        return (
            f", counted each time it arrives ({share} of the light reaches it)"
            if share
            else ", counted each time it arrives"
        )
    return f" ({share})" if share else ""


def _illumination_sentence(
    reached: Sequence[str], received: Sequence[str], unlit: Sequence[str], light: str
) -> str:
    words = [
        f"{in_words(name)} receives power {power}"
        for name, power in zip(reached, received[:IN_WORDS], strict=False)
    ]
    if len(reached) > IN_WORDS:
        more = len(reached) - IN_WORDS
        words.append(f"{number_of(more, 'more object')} {'is' if more == 1 else 'are'} lit")
    if unlit:
        words.append(f"no {light} reaches {in_words(names_listed(unlit, IN_WORDS))}")
    return capitalized("; ".join(words)) or "There is no object that light can meet"


TOOL = AnalysisTool(
    function=who_lights_what,
    asks="what lights {object_name|each object}",
    questions=(
        "Which source lights {object_name} [reach illuminate]?",
        "Where does the light from {source_name} go?",
        "Which sources light which objects?",
    ),
    fits=True,
    power=True,
)
