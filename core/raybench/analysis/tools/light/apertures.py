"""How much light passes an aperture?"""

from collections.abc import Sequence

from raybench.analysis.answers.answer import Answer
from raybench.analysis.answers.record import Record, Root, Share
from raybench.analysis.answers.words import in_words
from raybench.analysis.context import require_context
from raybench.analysis.geometry.straight import distinct_integers
from raybench.analysis.measures.bound import values_of
from raybench.analysis.measures.light import Light
from raybench.analysis.scene.objects import names_listed
from raybench.analysis.tools.tool import AnalysisTool
from raybench.errors import in_quotes, with_article
from raybench.kinds.blockers import Aperture
from raybench.kinds.object import SceneObject
from raybench.kinds.sources import Source
from raybench.scene.names import UnknownName, object_named

READ = ("throughput", "passing", "passing_rays", "power", "rays")
"""The measures of each aperture and source."""


class Throughput(Record):
    throughput: Share | None
    passing: float
    passing_rays: float
    power: float
    rays: float


class FromSource(Throughput, tag="from"):
    source: str


class ApertureThroughput(Throughput, tag="aperture"):
    from_: Sequence[FromSource]
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
        power and rays (at the screen), and the same for each source whose light arrives.

    Raises:
        RuntimeError: If set_context() has not been called.
        ValueError: If aperture_name doesn't match; the message lists the existing names.
    """
    context = require_context()
    light = Light.of_context(context)
    chosen: list[Aperture] = [o for o in context.scene.optical if isinstance(o, Aperture)]
    if aperture_name:
        obj = object_named(context.scene, aperture_name)
        if not isinstance(obj, Aperture):
            names = names_listed([o.title for o in chosen])
            raise UnknownName(
                f"{in_quotes(aperture_name)} is {with_article(obj.noun)}, not an aperture."
                f" Apertures: {names}"
            )
        chosen = [obj]
    sources: list[SceneObject] = [o for o in context.scene.optical if isinstance(o, Source)]
    listing = [_aperture_record(light, o, sources) for o in chosen]
    root = Apertures(aperture=listing, count=len(listing))
    rows = distinct_integers(*(light.through_opening(light.index_by_key[o.key]) for o in chosen))
    return Answer(root, _apertures_sentence(listing), context.result.ray_set(rows))


def _aperture_record(
    light: Light, aperture: Aperture, sources: list[SceneObject]
) -> ApertureThroughput:
    whole = values_of(light, READ, aperture)
    by_source = [(source, values_of(light, READ, aperture, source)) for source in sources]
    of = [
        FromSource(source=s.title, **values)
        for s, values in by_source
        if values["passing_rays"] or values["rays"]
    ]
    return ApertureThroughput(from_=of if len(sources) > 1 else [], name=aperture.title, **whole)


def _apertures_sentence(listing: list[ApertureThroughput]) -> str:
    if not listing:
        return "There is no aperture in this scene"
    words = []
    for aperture in listing[:3]:
        name, share = in_words(aperture.name), aperture.throughput
        if share is None:
            words.append(f"no light arrives at {name}")
        else:
            words.append(
                f"{100 * share:.4g} % of the light at {name} goes through it (power"
                f" {in_words(aperture.passing)})"
            )
    return "; ".join(words) + (f"; {len(listing) - 3} more" if len(listing) > 3 else "")


TOOL = AnalysisTool(
    function=aperture_throughput,
    asks="light through {aperture_name|each aperture}",
    questions=("How much light goes through the opening of {aperture_name}?",),
    fits=True,
    power=True,
)
