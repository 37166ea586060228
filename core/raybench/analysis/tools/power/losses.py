"""Tools that report where light is lost: absorbed by objects, or escaping through gaps."""

import math
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from raybench.analysis.answers.answer import Answer
from raybench.analysis.answers.record import Positive, Record, Root, ratio
from raybench.analysis.answers.words import (
    OF_EMITTED,
    percent_in_brackets,
    ray_count_text,
    value_in_words,
)
from raybench.analysis.context import TracedScene, power_in_words, require_context
from raybench.analysis.geometry.straight import Rows, distinct_integers
from raybench.analysis.measures.bound import measured_value
from raybench.analysis.measures.families.dimension import cached_escape_gaps
from raybench.analysis.measures.families.power import absorbed
from raybench.analysis.measures.light import Light
from raybench.analysis.measures.measure import Unit
from raybench.analysis.rays.energy import (
    branch_power_changes,
    may_change_power,
    power_absorbed_by_edges,
)
from raybench.analysis.rays.stray_light import GapsOfEscapingRays
from raybench.analysis.scene.objects import source_named
from raybench.analysis.tools.tool import AnalysisTool
from raybench.kinds.outline import object_edges
from raybench.kinds.sources import Source
from raybench.trace.codes import Interaction, Status
from raybench.trace.results.lineage import dense_ranks

MOST_NAMED_PARTS = 1
"""Maximum number of parts that the sentence lists."""
CLOSED_BALANCE = 1e-9
"""What is missing from the balance, relative to the largest power in it, is a part of its own from
here on.
"""


LossKind = Literal[
    "absorbed", "escaped", "direct", "ill_defined", "truncated", "depth", "alive", "gained", "resampled", "rest"
]  # fmt: skip


class Loss(Record, tag="loss"):
    """A part of the emitted light that is lost. ``object`` is None if the light ends at no object,
    or if the object is unknown.
    """

    kind: LossKind
    object: str | None
    power: float
    share: float | None


class Losses(Root, tag="losses"):
    loss: Sequence[Loss]
    emitted: float
    source: str | None
    count: int


def losses(source_name: str = "") -> Answer:
    """Report where the emitted light goes: the power balance, which adds up to 100 %. What objects
    absorb, what escapes after which object, and what is too weak to follow, the largest part first.

    Light that escapes is listed by the object that it met last, a detector too, or as coming
    straight from its source. leaks_xml reports through which gaps it escapes, who_lights_what_xml
    what arrives where.

    Args:
        source_name: Name of a source to consider alone; empty for all.

    Returns:
        Root losses: the emitted power, and the parts it goes into, each with its object, power and
        share of the emitted power. resampled is negative: where one weak reflection is traced in
        place of several, it carries the power of those too weak to follow; gained is negative
        where gratings and custom surfaces add power. All parts together are the emitted power.

    Raises:
        RuntimeError: If set_context() has not been called.
        ValueError: If a name doesn't match; the message lists the existing names.
    """
    context = require_context()
    light = Light.from_context(context)
    source = source_named(context.scene, source_name)[0] if source_name else None
    emitted = light.emitted(source)
    parts = [*_absorbed_losses(light, source), *_escaped_losses(light, source)]
    parts += _losses_without_object(light, source)
    rest = math.fsum([emitted, *(-power for _, _, power, _ in parts)])
    if abs(rest) > CLOSED_BALANCE * max([emitted, *(abs(power) for _, _, power, _ in parts)]):
        parts.append(("rest", "", rest, None))
    listing = [
        Loss(
            kind=kind, object=title or None, power=power, share=ratio(power, emitted)
        ).link_to_rays(rows)
        for kind, title, power, rows in sorted(parts, key=lambda part: -part[2])
        if power
    ]
    root = Losses(loss=listing, emitted=emitted, source=source_name or None, count=len(listing))

    def power_text(power: float) -> str:
        return f"{power_in_words(power)}{percent_in_brackets(power, emitted, digits=3)}"

    words = [
        f"{power_text(loss.power)} {_WORDS[loss.kind].format(value_in_words(loss.object or 'an unknown object'))}"
        for loss in listing
    ]
    if len(words) > MOST_NAMED_PARTS + 1:
        others = math.fsum(loss.power for loss in listing[MOST_NAMED_PARTS:])
        words[MOST_NAMED_PARTS:] = [
            f"the other {len(words) - MOST_NAMED_PARTS} parts, in the table, are"
            f" {power_text(others)}"
        ]
    sentence = f"Of the emitted power {power_in_words(emitted)}, {'; '.join(words) or 'nothing ends anywhere'}"
    return Answer(root, sentence, complete_sentence=len(listing) <= 1)


_WORDS = {
    "absorbed": "is absorbed by {}",
    "escaped": "escapes after {}",
    "direct": "escapes straight from {}",
    "ill_defined": "ends where surfaces meet so that its way is not defined",
    "truncated": "becomes too weak to follow",
    "depth": "ends at the limit of interactions",
    "alive": "was not traced to its end",
    "gained": "is the difference that gratings and custom surfaces make",
    "resampled": "of what is too weak goes on, with weak reflections that are traced in place of several",
    "rest": "is not accounted for",
}
_Part = tuple[LossKind, str, float, Rows | Callable[[], Rows] | None]
"""Where light goes, a key of `_WORDS`; the object, empty where there is none or it is unknown; the
power; and its segments or a function that finds them, None where it has none of its own.
"""


def _absorbed_losses(light: Light, source: int | None) -> Iterator[_Part]:
    for i, obj in enumerate(light.scene.optical):
        if not isinstance(obj, Source) and object_edges(obj):
            power = light.remove_rounding_noise(absorbed(light, i, source), Unit.POWER)
            yield "absorbed", obj.title, power, partial(_rows_ending_on, light, i, source)


def _rows_ending_on(light: Light, index: int, source: int | None) -> Rows:
    return light.rows_of_source(np.flatnonzero(light.result.hit == index), source)


def _escaped_losses(light: Light, source: int | None) -> Iterator[_Part]:
    """The escaping light, grouped by the last object that it met or, if it met none, by its
    source.
    """
    result = light.result
    rows = light.rows_of_source(np.flatnonzero(result.escaped), source)
    direct = result.parent[rows] < 0
    ways: tuple[tuple[LossKind, Rows, NDArray[np.int32]], ...] = (
        ("direct", rows[direct], result.source[rows[direct]]),
        ("escaped", rows[~direct], result.hit[result.parent[rows[~direct]]]),
    )
    for kind, some, last in ways:
        for index in distinct_integers(last).tolist():
            title = light.scene.optical[index].title if index >= 0 else ""
            own = some[np.flatnonzero(last == index)]
            yield kind, title, float(result.total_arriving_power[own].sum()), own


def _losses_without_object(light: Light, source: int | None) -> Iterator[_Part]:
    """The parts of the power balance that belong to no object: light that ends at none, and power
    that branches lose or gain. For all sources they come from the power ledger, for one source from
    the branches of its light.
    """
    result, ledger = light.result, light.result.ledger

    def clean(power: float) -> float:
        return light.remove_rounding_noise(power, Unit.POWER)

    def ended_rows(*statuses: Status) -> Rows:
        rows = np.flatnonzero(np.logical_or.reduce([result.status == each for each in statuses]))
        ended = rows[result.lineage.child_count[rows] == 0]
        return light.rows_of_source(ended, source)

    def ended_power(*statuses: Status) -> float:
        rows = ended_rows(*statuses)
        left = result.total_arriving_power[rows] - power_absorbed_by_edges(result, rows)
        return float(left.sum())

    at_limit, ill_defined = ended_power(Status.DEPTH), ended_power(Status.ILL_DEFINED)
    if source is None:
        truncated, alive = ledger.truncated - at_limit, ledger.alive
        gained, resampled = ledger.gained, ledger.resampled
    else:
        truncated, alive = (
            ended_power(Status.TRUNCATED),
            ended_power(Status.ALIVE, Status.CONTINUED),
        )
        branches, change = branch_power_changes(result)
        own = result.source[branches] == source
        branches, change = branches[own], change[own]
        made = may_change_power(result)[branches]
        truncated -= float(change[~made & (change < 0)].sum())
        gained, resampled = float(change[made].sum()), float(change[~made & (change > 0)].sum())
    parts: tuple[tuple[LossKind, float, tuple[Status, ...]], ...] = (
        ("depth", at_limit, (Status.DEPTH,)),
        ("ill_defined", ill_defined, (Status.ILL_DEFINED,)),
        ("truncated", clean(truncated), (Status.TRUNCATED,)),
        ("alive", clean(alive), (Status.ALIVE, Status.CONTINUED)),
        ("gained", -clean(gained), ()),
        ("resampled", -clean(resampled), ()),
    )
    for kind, power, statuses in parts:
        yield kind, "", power, partial(ended_rows, *statuses) if statuses else None


LOSSES = AnalysisTool(
    function=losses,
    asks="where light is lost",
    questions=(
        "Where does the light go [end lost]?",
        "Where is the light lost [most power]?",
        "How much light is lost [power]?",
        "Which object absorbs the most light [block lose swallow element power]?",
    ),
    fits=True,
    power=True,
    offered="always",
    brief=(
        "Tell where all emitted light goes, up to 100 %: absorbed by which object, escaped "
        "after which object, too weak to follow."
    ),
)


MOST_SURFACES = 20
"""Maximum number of last surfaces listed, for all gaps together, but at least `LEAST_SURFACES` for
each.
"""
LEAST_SURFACES = 3


class LastSurface(Record, tag="last_surface"):
    of: str
    power: float
    rays: Positive


class Gap(Record, tag="gap"):
    last_surface: Sequence[LastSurface]
    first: str | None
    second: str | None
    width: float | None
    power: float
    share: float | None
    rays: Positive
    more_surfaces: int | None


class Leaks(Root, tag="leaks"):
    gap: Sequence[Gap]
    escaped: float | None
    share: float | None
    emitted: float
    rays: int
    not_examined: float | None
    count: int


def leaks() -> Answer:
    """Report where light leaves the scene: escaping light by the gap it goes through, with the
    surface it left last and its share.

    A gap is named by the two walls (blockers, apertures, mirrors) whose ends an escaping ray would
    meet first if it were turned to either side about its start. Its width is the distance between
    these ends; there is none where no wall is on one side within half a turn: there light leaves
    freely past the wall. What light passes, such as a lens, bounds a gap only in a scene without
    walls, and a detector none.

    Returns:
        Root leaks: the escaped power and its share of the emitted; for each gap its two walls,
        width, power, share of the emitted power and rays, and the surfaces from which most of it
        comes.

    Raises:
        RuntimeError: If set_context() has not been called.
    """
    context = require_context()
    light = Light.from_context(context)
    result, found = light.result, cached_escape_gaps(light)
    emitted, power = light.emitted(), result.total_power[found.rows]
    which = dense_ranks(found.pair @ (len(light.scene.optical) + 1, 1))
    members = (
        np.split(np.argsort(which, kind="stable"), np.cumsum(np.bincount(which))[:-1])
        if len(which)
        else []
    )
    members.sort(key=lambda m: -float(power[m].sum()))
    most = max(LEAST_SURFACES, MOST_SURFACES // max(1, len(members)))
    listing = [_gap_record(context, light, found, m, emitted, most) for m in members]
    total = measured_value(light, "escaped").value_or_none
    root = Leaks(
        gap=listing,
        escaped=total,
        share=None if total is None else ratio(total, emitted),
        emitted=emitted,
        rays=int(result.escaped.sum()),
        not_examined=found.unexamined_power or None,
        count=len(listing),
    )
    rays = context.result.ray_set(result.escaped)
    return Answer(root, _leaks_sentence(listing, len(rays), total or 0.0, emitted), rays)


def _gap_record(
    context: TracedScene,
    light: Light,
    found: GapsOfEscapingRays,
    members: Rows,
    emitted: float,
    most: int,
) -> Gap:
    result, rows = light.result, found.rows[members]
    first, second = (
        None if i < 0 else light.scene.optical[i].title for i in found.pair[members[0]].tolist()
    )
    power, width = (
        float(result.total_power[np.sort(rows, kind="stable")].sum()),
        float(found.width[members].min()),
    )
    parent = result.parent[rows]
    edges = int(result.edge.max(initial=-1)) + 2
    met = (
        (result.hit[parent].astype(np.int64) + 1) * edges + result.edge[parent] + 1
    )  # -1 is unknown in each of these columns
    last = np.where(parent >= 0, met, -2 - result.source[rows])
    surfaces = []
    for key in distinct_integers(last).tolist():
        of = rows[np.flatnonzero(last == key)]
        surfaces.append(
            (
                float(result.total_power[of].sum()),
                _escape_surface(context, light, int(of[0])),
                of,
            )
        )
    surfaces.sort(key=lambda s: -s[0])
    return Gap(
        last_surface=[
            LastSurface(of=name, power=p, rays=len(of)).link_to_rays(of)
            for p, name, of in surfaces[:most]
        ],
        first=first,
        second=second,
        width=width if np.isfinite(width) else None,
        power=power,
        share=ratio(power, emitted),
        rays=len(rows),
        more_surfaces=max(0, len(surfaces) - most) or None,
    ).link_to_rays(rows)


def _escape_surface(context: TracedScene, light: Light, row: int) -> str:
    """The surface where an escaping segment starts, such as ``Prism:E (refract)``."""
    result, parent = light.result, int(light.result.parent[row])
    if parent < 0:
        source = int(result.source[row])
        return f"{light.scene.optical[source].title} (source)" if source >= 0 else "a source"
    hit, edge = int(result.hit[parent]), int(result.edge[parent])
    title = light.scene.optical[hit].title if hit >= 0 else "?"
    label = f":{context.edge_title(hit, edge)}" if hit >= 0 and len(light.edges(hit)) > 1 else ""
    return f"{title}{label} ({Interaction(result.interaction[row]).word})"


def _leaks_sentence(listing: list[Gap], rays: int, power: float, emitted: float) -> str:
    if not rays:
        return "No light leaves the scene"
    share = percent_in_brackets(power, emitted, OF_EMITTED)
    text = (
        f"{ray_count_text(rays)} with power {power_in_words(power)}{share}"
        f" {'leaves' if rays == 1 else 'leave'} the scene"
    )
    if not listing:
        return text
    gap = listing[0]
    part, of = gap.power, "most of it"
    if gap.first is None:
        surface = gap.last_surface[0]
        part, where = surface.power, f"from {value_in_words(surface.of)}, past no wall"
    elif gap.first == gap.second:
        where = f"past {value_in_words(gap.first)}"
    else:
        where = f"between {value_in_words(gap.first)} and {value_in_words(gap.second)}"
    if part <= power / 2:
        of = "the largest part"
    return f"{text}, {of} {where} (power {power_in_words(part)})"


LEAKS = AnalysisTool(
    function=leaks,
    asks="light that leaves the scene, by gap",
    questions=("Where does light leak [stray]?",),
    fits=True,
    power=True,
)
