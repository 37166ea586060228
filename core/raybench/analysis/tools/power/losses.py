"""Where is light lost: which objects absorb it, after which does it leave the scene, and through
which gaps?
"""

from collections.abc import Iterator, Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from raybench.analysis.answers.answer import Answer
from raybench.analysis.answers.record import ABSENT, Positive, Record, Root, ratio
from raybench.analysis.answers.words import (
    OF_EMITTED,
    in_words,
    percent_in_brackets,
    ray_count_text,
)
from raybench.analysis.context import TracedScene, require_context
from raybench.analysis.geometry.straight import Rows
from raybench.analysis.measures.bound import value_of
from raybench.analysis.measures.families.dimension import gaps_of
from raybench.analysis.measures.families.power import absorbed
from raybench.analysis.measures.light import Light
from raybench.analysis.measures.measure import Unit
from raybench.analysis.rays.stray_light import Gaps
from raybench.analysis.scene.objects import source_named
from raybench.analysis.tools.tool import AnalysisTool
from raybench.kinds.outline import edges_of
from raybench.kinds.sources import Source
from raybench.trace.codes import Interaction, Status

IN_SENTENCE = 5
"""Maximum number of losses that the sentence lists."""


LossKind = Literal["absorbed", "escaped", "direct", "truncated", "depth", "alive"]


class Loss(Record, tag="loss"):
    """Light that ends. ``object``: None where there is none, or it is unknown."""

    kind: LossKind
    object: str | None
    power: float
    share: float | None


class Losses(Root, tag="losses"):
    loss: Sequence[Loss]
    emitted: float
    source: str | None
    count: int
    resampled: float = ABSENT
    gained: float = ABSENT


def losses(source_name: str = "") -> Answer:
    """Report where the emitted light ends, the largest part first: absorbed by which object,
    escaped after which, or too weak to follow.

    Light that escapes is listed by the object that it met last, a detector too, or as coming
    straight from its source. leaks_xml reports through which gaps it escapes, who_lights_what_xml
    what arrives where.

    Args:
        source_name: Name of a source to consider alone; empty for all.

    Returns:
        Root losses: the emitted power, and each loss with its object, power and share of the
        emitted power. All losses together are what was emitted, resampled (one weak reflection may
        stand for several) and gained by objects that do not conserve power.

    Raises:
        RuntimeError: If set_context() has not been called.
        ValueError: If a name doesn't match; the message lists the existing names.
    """
    context = require_context()
    light = Light.of_context(context)
    source = source_named(context.scene, source_name)[0] if source_name else None
    emitted = light.emitted(source)
    lost = [*_absorbed_losses(light, source), *_escaped_losses(light, source)]
    lost += _other_losses(light, source)
    listing = [
        Loss(kind=kind, object=title or None, power=power, share=ratio(power, emitted))
        for kind, title, power in sorted(lost, key=lambda loss: -loss[2])
        if power > 0
    ]
    # the excess of all losses over the emitted power, by reason
    added = {
        why: power
        for why in _ADDED
        if (power := light.without_noise(getattr(light.result.ledger, why), Unit.POWER)) != 0
        and source is None
    }
    root = Losses(
        loss=listing,
        emitted=emitted,
        source=source_name or None,
        count=len(listing),
        **added,
    )

    def power_text(power: float) -> str:
        return f"{in_words(power)}{percent_in_brackets(power, emitted, digits=3)}"

    parts = [
        f"{power_text(loss.power)} {_WORDS[loss.kind].format(in_words(loss.object or 'an unknown object'))}"
        for loss in listing
    ]
    if (more := len(parts) - IN_SENTENCE) > 0:
        rest = sum(loss.power for loss in listing[IN_SENTENCE:])
        parts[IN_SENTENCE:] = [f"{power_text(rest)} goes {more} other ways"]
    sentence = (
        f"Of the emitted power {in_words(emitted)}, {'; '.join(parts) or 'nothing ends anywhere'}"
    )
    notes = [
        f"{power_text(abs(power))} {'more' if power > 0 else 'less'} than was emitted, for {_ADDED[why]}"
        for why, power in added.items()
    ]
    return Answer(
        root, sentence, complete_sentence=len(listing) <= IN_SENTENCE, note="; ".join(notes)
    )


_WORDS = {
    "absorbed": "is absorbed by {}",
    "escaped": "escapes after {}",
    "direct": "escapes straight from {}",
    "truncated": "becomes too weak to follow",
    "depth": "ends at the limit of interactions",
    "alive": "was not traced to its end",
}
_ADDED = {
    "resampled": "one weak reflection may stand for several",
    "gained": "there are objects that do not conserve power",
}
_Lost = tuple[LossKind, str, float]
"""How light is lost, a key of `_WORDS`; the object, empty where there is none or it is unknown; the
power.
"""


def _absorbed_losses(light: Light, source: int | None) -> Iterator[_Lost]:
    for i, obj in enumerate(light.scene.optical):
        if not isinstance(obj, Source) and edges_of(obj):
            yield "absorbed", obj.title, light.without_noise(absorbed(light, i, source), Unit.POWER)


def _escaped_losses(light: Light, source: int | None) -> Iterator[_Lost]:
    """Light that escapes, by the source that it comes straight from, or the object it met last."""
    result = light.result
    rows = light.of_source(np.flatnonzero(result.escaped), source)
    direct = result.parent[rows] < 0
    ways: tuple[tuple[LossKind, Rows, NDArray[np.int32]], ...] = (
        ("direct", rows[direct], result.source[rows[direct]]),
        ("escaped", rows[~direct], result.hit[result.parent[rows[~direct]]]),
    )
    for kind, some, last in ways:
        for index in np.unique(last).tolist():
            title = light.scene.optical[index].title if index >= 0 else ""
            yield kind, title, float(result.total_power[some[last == index]].sum())


def _other_losses(light: Light, source: int | None) -> Iterator[_Lost]:
    """Light that was not followed to its end; of one source only what ends at a limit is known."""
    result = light.result
    rows = light.of_source(np.flatnonzero(result.status == Status.DEPTH), source)
    at_limit = float(result.total_arriving_power[rows].sum())
    yield "depth", "", at_limit
    if source is None:
        truncated = result.ledger.truncated - at_limit
        yield "truncated", "", light.without_noise(truncated, Unit.POWER)
        yield "alive", "", light.without_noise(result.ledger.alive, Unit.POWER)


LOSSES = AnalysisTool(
    function=losses,
    asks="where light is lost",
    questions=(
        "Where does the light go [end lost]?",
        "Where is the light lost [most power]?",
        "How much light is lost [power]?",
    ),
    fits=True,
    power=True,
)


SURFACES = 20
"""Maximum number of last surfaces listed, for all gaps together, but at least `LEAST` for each."""
LEAST = 3


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

    A gap is named by the two objects that an escaping ray would meet first if it were turned to
    either side about its start. Its width is the distance between the points that it would meet;
    there is none where nothing is on one side within half a turn: there light leaves freely past
    the object. A detector bounds no gap, since light passes it.

    Returns:
        Root leaks: the escaped power and its share of the emitted; for each gap its two objects,
        width, power, share of the emitted power and rays, and the surfaces from which most of it
        comes.

    Raises:
        RuntimeError: If set_context() has not been called.
    """
    context = require_context()
    light = Light.of_context(context)
    result, found = light.result, gaps_of(light)
    emitted, power = light.emitted(), result.total_power[found.rows]
    _, which = np.unique(found.pair @ (len(light.scene.optical) + 1, 1), return_inverse=True)
    members = (
        np.split(np.argsort(which, kind="stable"), np.cumsum(np.bincount(which))[:-1])
        if len(which)
        else []
    )
    members.sort(key=lambda m: -float(power[m].sum()))
    most = max(LEAST, SURFACES // max(1, len(members)))
    listing = [_gap_record(context, light, found, m, emitted, most) for m in members]
    total = value_of(light, "escaped").known
    root = Leaks(
        gap=listing,
        escaped=total,
        share=None if total is None else ratio(total, emitted),
        emitted=emitted,
        rays=int(result.escaped.sum()),
        not_examined=found.others or None,
        count=len(listing),
    )
    rays = context.result.ray_set(result.escaped)
    return Answer(root, _leaks_sentence(listing, len(rays), total or 0.0, emitted), rays)


def _gap_record(
    context: TracedScene, light: Light, found: Gaps, members: Rows, emitted: float, most: int
) -> Gap:
    result, rows = light.result, found.rows[members]
    first, second = (
        None if i < 0 else light.scene.optical[i].title for i in found.pair[members[0]].tolist()
    )
    power, width = float(result.total_power[np.sort(rows)].sum()), float(found.width[members].min())
    parent = result.parent[rows]
    edges = int(result.edge.max(initial=-1)) + 2
    met = (
        (result.hit[parent].astype(np.int64) + 1) * edges + result.edge[parent] + 1
    )  # -1 is unknown in each of these columns
    last = np.where(parent >= 0, met, -2 - result.source[rows])
    surfaces = []
    for key in np.unique(last).tolist():
        of = rows[last == key]
        surfaces.append(
            (
                float(result.total_power[of].sum()),
                _escape_surface(context, light, int(of[0])),
                len(of),
            )
        )
    surfaces.sort(key=lambda s: -s[0])
    return Gap(
        last_surface=[LastSurface(of=name, power=p, rays=n) for p, name, n in surfaces[:most]],
        first=first,
        second=second,
        width=width if np.isfinite(width) else None,
        power=power,
        share=ratio(power, emitted),
        rays=len(rows),
        more_surfaces=max(0, len(surfaces) - most) or None,
    )


def _escape_surface(context: TracedScene, light: Light, row: int) -> str:
    """Where an escaping segment starts, such as ``Prism:E (refract)``."""
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
        f"{ray_count_text(rays)} with power {in_words(power)}{share}"
        f" {'leaves' if rays == 1 else 'leave'} the scene"
    )
    if not listing or listing[0].first is None:
        return text
    gap = listing[0]
    where = (
        f"past {in_words(gap.first)}"
        if gap.first == gap.second
        else f"between {in_words(gap.first)} and {in_words(gap.second)}"
    )
    part = "most of it" if gap.power > power / 2 else "the largest part"
    return f"{text}, {part} {where} (power {in_words(gap.power)})"


LEAKS = AnalysisTool(
    function=leaks,
    asks="light that leaves the scene, by gap",
    questions=("Where does light leak [stray]?",),
    fits=True,
    power=True,
)
