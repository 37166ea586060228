"""Where is light lost: which objects absorb it, and after which does it leave the scene?"""

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from raybench.analysis.answers.answer import Answer
from raybench.analysis.answers.record import ABSENT, Record, Root
from raybench.analysis.answers.words import in_words
from raybench.analysis.context import require_context
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
    found = [
        *_absorbed_losses(light, source),
        *_escaped_losses(light, source),
        *_other_losses(light, source),
    ]
    found.sort(key=lambda loss: -loss[2])
    listing = [
        Loss(
            kind=kind,
            object=title or None,
            power=power,
            share=power / emitted if emitted > 0 else None,
        )
        for kind, title, power in found
    ]
    added = _power_added(light) if source is None else {}
    root = Losses(
        loss=listing,
        emitted=emitted,
        source=source_name or None,
        count=len(listing),
        **added,
        context=context,
    )
    parts = [
        f"{in_words(power)}{_power_share(power, emitted)}"
        f" {_WORDS[kind].format(in_words(title or 'an unknown object'))}"
        for kind, title, power in found
    ]
    if len(parts) > IN_SENTENCE:
        rest = sum(power for *_, power in found[IN_SENTENCE:])
        parts = [
            *parts[:IN_SENTENCE],
            f"{in_words(rest)}{_power_share(rest, emitted)} goes {len(found) - IN_SENTENCE} other ways",
        ]
    sentence = (
        f"Of the emitted power {in_words(emitted)}, {'; '.join(parts) or 'nothing ends anywhere'}"
    )
    notes = [
        f"{in_words(abs(power))}{_power_share(abs(power), emitted)} {'more' if power > 0 else 'less'}"
        f" than was emitted, for {_ADDED[why]}"
        for why, power in added.items()
    ]
    return Answer(
        root, sentence, complete_sentence=len(found) <= IN_SENTENCE, note="; ".join(notes)
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


def _power_added(light: Light) -> dict[str, float]:
    """The excess of all losses over the emitted power, by reason: a key of `_ADDED`."""
    powers = {
        why: light.without_noise(getattr(light.result.ledger, why), Unit.POWER) for why in _ADDED
    }
    return {why: power for why, power in powers.items() if power != 0}


def _absorbed_losses(light: Light, source: int | None) -> list[_Lost]:
    objects = [
        (i, o)
        for i, o in enumerate(light.scene.optical)
        if not isinstance(o, Source) and edges_of(o)
    ]
    powers: list[_Lost] = [
        ("absorbed", o.title, light.without_noise(absorbed(light, i, source), Unit.POWER))
        for i, o in objects
    ]
    return [loss for loss in powers if loss[2] > 0]


def _escaped_losses(light: Light, source: int | None) -> list[_Lost]:
    result = light.result
    rows = light.of_source(np.flatnonzero(result.escaped), source)
    parent = result.parent[rows]
    out: list[_Lost] = []
    ways: tuple[tuple[LossKind, Any, Any], ...] = (
        ("direct", parent < 0, result.source[rows]),
        ("escaped", parent >= 0, result.hit[parent]),
    )
    for kind, which, last in ways:
        for index in np.unique(last[which]).tolist():
            power = float(result.total_power[rows[which & (last == index)]].sum())
            out.append((kind, light.scene.optical[index].title if index >= 0 else "", power))
    return [loss for loss in out if loss[2] > 0]


def _other_losses(light: Light, source: int | None) -> list[_Lost]:
    """Light that was not followed to its end; of one source only what ends at a limit is known."""
    result = light.result
    depth = light.of_source(np.flatnonzero(result.status == Status.DEPTH), source)
    powers: dict[LossKind, float] = {"depth": float(result.total_arriving_power[depth].sum())}
    if source is None:
        powers |= {
            "truncated": result.ledger.truncated - powers["depth"],
            "alive": result.ledger.alive,
        }
    return [
        (kind, "", value)
        for kind, value in powers.items()
        if light.without_noise(value, Unit.POWER) > 0
    ]


def _power_share(power: float, emitted: float) -> str:
    return f" ({100 * power / emitted:.3g} %)" if emitted > 0 else ""


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
