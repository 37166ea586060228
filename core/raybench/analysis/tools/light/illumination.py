"""Tools that report which source lights which object, and how much light passes an aperture."""

from collections.abc import Sequence
from typing import Any

from raybench.analysis.answers.answer import Answer
from raybench.analysis.answers.record import Positive, Record, Root, Share, ratio
from raybench.analysis.answers.words import capitalize_first, count_with_noun, value_in_words
from raybench.analysis.context import power_in_words, require_context
from raybench.analysis.geometry.straight import distinct_integers
from raybench.analysis.measures.bound import values_by_measure
from raybench.analysis.measures.grammar import Expression
from raybench.analysis.measures.light import Light
from raybench.analysis.measures.measure import Unit
from raybench.analysis.scene.objects import list_names, source_named
from raybench.analysis.tools.tool import AnalysisTool
from raybench.errors import in_quotes, list_first_texts, with_article
from raybench.kinds.blockers import Aperture, Blocker, CircleBlocker
from raybench.kinds.detectors import Detector
from raybench.kinds.object import SceneObject
from raybench.kinds.outline import object_edges
from raybench.kinds.sources import Source
from raybench.scene.names import UnknownName, object_named

LIT_IN_WORDS, IN_WORDS = 2, 4
"""Maximum numbers of objects with their powers, and of names, in the sentence."""
TARGETS = (Detector, Blocker, CircleBlocker, Aperture)
"""Kinds listed first: where light is meant to end."""


class LightFromSource(Record, tag="from"):
    source: str
    power: float
    share: float | None
    rays: Positive


class LitObject(Record, tag="object"):
    from_: Sequence[LightFromSource]
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
    scene, light = context.scene, Light.from_context(context)
    sources = [i for i, o in enumerate(scene.optical) if isinstance(o, Source)]
    only = source_named(scene, source_name)[0] if source_name else None
    if only is not None:
        sources = [only]
    objects = [
        i for i, o in enumerate(scene.optical) if not isinstance(o, Source) and object_edges(o)
    ]
    if object_name:
        objects = [light.find_optical_object(object_name)[0]]
    emitted = light.emitted(only)
    met = [(light.measurable_objects[i], _lit_object(light, i, sources, only)) for i in objects]
    met.sort(key=lambda pair: (not isinstance(pair[0], TARGETS), -pair[1].power))
    lit = [record for _, record in met if record.rays]
    unlit = [record.name for _, record in met if not record.rays]
    root = Illumination(
        object=lit,
        objects=len(objects),
        sources=len(sources),
        emitted=emitted,
        count=len(lit),
        unlit=list_names(unlit, 40) if unlit else None,
    )
    words = [
        f"{value_in_words(each.name)} receives power {power_in_words(each.power)}"
        f"{_share_text(light, each, emitted)}"
        for each in lit[:LIT_IN_WORDS]
    ]
    if more := len(lit[LIT_IN_WORDS:]):
        words.append(f"{count_with_noun(more, 'more object')} {'is' if more == 1 else 'are'} lit")
    if unlit:
        whose = f"light of {value_in_words(source_name)}" if source_name else "light"
        words.append(f"no {whose} reaches {value_in_words(list_names(unlit, IN_WORDS))}")
        if object_name and (inside := len(light.rows_meeting_object(objects[0]))):
            words[-1] += f" from outside; {count_with_noun(inside, 'ray')} meet it from inside"
    sentence = capitalize_first("; ".join(words)) or "There is no object that light can meet"
    if object_name and lit and len(sources) > 1:
        parts = [f"{power_in_words(f.power)} from {value_in_words(f.source)}" for f in lit[0].from_]
        sentence += f": {list_first_texts(parts, IN_WORDS)}"
    rows = distinct_integers(*(light.arriving_rows(i, only) for i in objects))
    return Answer(root, sentence, context.result.ray_set(rows))


def _lit_object(
    light: Light, index: int, sources: Sequence[int], only_source: int | None
) -> LitObject:
    """The record of the light that arrives at an object: total power, and power from each of the
    ``sources``. ``only_source`` restricts the total to one source; None means all light, including
    light whose source is unknown.
    """
    power, name = light.result.total_arriving_power, light.measurable_objects[index].title
    rows, once = (
        light.arriving_rows(index, only_source),
        light.first_arriving_rows(index, only_source),
    )
    of_source = [] if only_source is None else [light.measurable_objects[only_source].title]
    from_, dark = [], []
    for i in sources:
        of, reaching, title = (
            light.rows_of_source(rows, i),
            light.rows_of_source(once, i),
            light.measurable_objects[i].title,
        )
        if len(of):
            share = ratio(power[reaching].sum(), light.emitted(i))
            lit = LightFromSource(source=title, power=power[of].sum(), share=share, rays=len(of))
            from_.append(lit.link_to_rays(of, str(Expression("power", (name, title)))))
        else:
            dark.append(title)
    return LitObject(
        from_=sorted(from_, key=lambda of: -of.power),
        name=name,
        power=power[rows].sum(),
        share=ratio(power[once].sum(), light.emitted(only_source)),
        rays=len(rows),
        unlit_by=list_names(dark) if dark else None,
    ).link_to_rays(rows, str(Expression("power", (name, *of_source))))


def _share_text(light: Light, lit: LitObject, emitted: float) -> str:
    """The share of the emitted power that reaches an object, in brackets. The text also says
    whether light arrives more than once.
    """
    if lit.share is None:
        return ""
    share = f"{100 * lit.share:.3g} %"
    if light.remove_rounding_noise(lit.power - lit.share * emitted, Unit.POWER) > 0:
        return f", counted each time it arrives ({share} of the light reaches it)"
    return f" ({share})"


ILLUMINATION = AnalysisTool(
    function=who_lights_what,
    asks="what lights {object_name|each object}",
    questions=(
        "Which source lights {object_name} [reach illuminate]?",
        "Which source gives the most light at {object_name} [contributes strongest color power]?",
        "Where does the light from {source_name} go?",
        "Which sources light which objects?",
        "Who lights what?",
    ),
    fits=True,
    power=True,
    offered="usually",
    brief=(
        "List for each object the power that arrives from each source, and its share of what is "
        "emitted."
    ),
)


AT_APERTURES = {
    "throughput": "throughput",
    "passing": "passing",
    "passing_rays": "passing_rays",
    "power": "stopped",
    "rays": "stopped_rays",
}
"""The measures of each aperture and source, and their names in the answer: what arrives at an
aperture arrives at its screen, which stops it.
"""


class Throughput(Record):
    throughput: Share | None
    passing: float
    passing_rays: float
    stopped: float
    stopped_rays: float


class SourceThroughput(Throughput, tag="from"):
    source: str


class ApertureThroughput(Throughput, tag="aperture"):
    from_: Sequence[SourceThroughput]
    name: str


class Apertures(Root, tag="apertures"):
    aperture: Sequence[ApertureThroughput]
    count: int


def aperture_throughput(aperture_name: str = "") -> Answer:
    """Report how much light goes through the opening of an aperture: its throughput, in all and
    for each source.

    The throughput is the power that goes through the opening over the power that arrives at the
    opening or at the screen around it. Light that passes without meeting either does not count.

    Args:
        aperture_name: Name of an aperture; empty for all.

    Returns:
        Root apertures: for each its throughput, passing (power through the opening), passing_rays,
        stopped (power at the screen around it) and stopped_rays, and the same for each source whose
            light arrives.

    Raises:
        RuntimeError: If set_context() has not been called.
        ValueError: If aperture_name doesn't match; the message lists the existing names.
    """
    context = require_context()
    light = Light.from_context(context)
    chosen: list[Aperture] = [o for o in context.scene.optical if isinstance(o, Aperture)]
    if aperture_name:
        obj = object_named(context.scene, aperture_name)
        if not isinstance(obj, Aperture):
            names = list_names([o.title for o in chosen])
            raise UnknownName(
                f"{in_quotes(aperture_name)} is {with_article(obj.noun)}, not an aperture."
                f" Apertures: {names}"
            )
        chosen = [obj]
    sources: list[SceneObject] = [o for o in context.scene.optical if isinstance(o, Source)]
    listing = [_aperture_record(light, o, sources) for o in chosen]
    root = Apertures(aperture=listing, count=len(listing))
    rows = distinct_integers(
        *(light.rows_through_opening(light.index_by_key[o.key]) for o in chosen)
    )
    return Answer(root, _apertures_sentence(listing), context.result.ray_set(rows))


def _aperture_record(
    light: Light, aperture: Aperture, sources: list[SceneObject]
) -> ApertureThroughput:
    def values(*source: SceneObject) -> dict[str, Any]:
        found = values_by_measure(light, tuple(AT_APERTURES), aperture, *source)
        return {AT_APERTURES[name]: value for name, value in found.items()}

    by_source = [(source, values(source)) for source in sources]
    of = [
        SourceThroughput(source=s.title, **values)
        for s, values in by_source
        if values["passing_rays"] or values["stopped_rays"]
    ]
    return ApertureThroughput(from_=of if len(sources) > 1 else [], name=aperture.title, **values())


def _apertures_sentence(listing: list[ApertureThroughput]) -> str:
    if not listing:
        return "There is no aperture in this scene"
    words = []
    for aperture in listing[:3]:
        name, share = value_in_words(aperture.name), aperture.throughput
        if share is None:
            words.append(f"no light arrives at {name}")
        else:
            words.append(
                f"{100 * share:.4g} % of the light at {name} goes through it (power"
                f" {value_in_words(aperture.passing)}; {value_in_words(aperture.stopped)} is stopped)"
            )
    return "; ".join(words) + (f"; {len(listing) - 3} more" if len(listing) > 3 else "")


APERTURES = AnalysisTool(
    function=aperture_throughput,
    asks="light through {aperture_name|each aperture}",
    questions=("How much light goes through the opening of {aperture_name}?",),
    fits=True,
    power=True,
)
