"""Where is light lost: which objects absorb it, and after which does it leave the scene?"""

from collections.abc import Iterator, Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from raybench.analysis.answers.answer import Answer
from raybench.analysis.answers.record import ABSENT, Record, Root, ratio
from raybench.analysis.answers.words import in_words, percent_in_brackets
from raybench.analysis.context import require_context
from raybench.analysis.geometry.straight import Rows
from raybench.analysis.measures.families.power import absorbed
from raybench.analysis.measures.light import Light
from raybench.analysis.measures.measure import Unit
from raybench.analysis.scene.objects import source_named
from raybench.analysis.tools.tool import AnalysisTool
from raybench.kinds.outline import edges_of
from raybench.kinds.sources import Source
from raybench.trace.codes import Status

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

    def amount(power: float) -> str:
        return f"{in_words(power)}{percent_in_brackets(power, emitted, digits=3)}"

    parts = [
        f"{amount(loss.power)} {_WORDS[loss.kind].format(in_words(loss.object or 'an unknown object'))}"
        for loss in listing
    ]
    if (more := len(parts) - IN_SENTENCE) > 0:
        rest = sum(loss.power for loss in listing[IN_SENTENCE:])
        parts[IN_SENTENCE:] = [f"{amount(rest)} goes {more} other ways"]
    sentence = (
        f"Of the emitted power {in_words(emitted)}, {'; '.join(parts) or 'nothing ends anywhere'}"
    )
    notes = [
        f"{amount(abs(power))} {'more' if power > 0 else 'less'} than was emitted, for {_ADDED[why]}"
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


TOOL = AnalysisTool(
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
