"""Light that a trace omits: rays that became too weak to follow, rays cut at the largest depth, all
that a limit of the trace left, and power that the sources do not send.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Self

from raybench.scene.scene import Scene
from raybench.trace.codes import Completion, Status
from raybench.trace.results.result import TraceResult

NEGLIGIBLE = 1e-3
"""The share of all power below which omitted light is not reported, since it changes none of the
first three digits of a power.
"""


@dataclass(frozen=True)
class NotFollowed:
    """The parts of all power in rays too ``weak`` to follow, and in rays cut at the largest depth;
    0 where negligible. ``limit`` is that at which the trace ended before it had followed all light,
    which any measure may miss; empty if it did not. ``unsent`` is the part of the sources' power
    that their rays, which carry at most 1 each, do not hold: powers compare where it is the same;
    None of other values.
    """

    weak: float = 0.0
    deep: float = 0.0
    limit: str = ""
    unsent: float | None = None

    @classmethod
    def of(cls, result: TraceResult, scene: Scene) -> Self:
        """The light that the trace of a scene omits."""
        ledger, deep = result.ledger, 0.0
        unsent = ledger.unsent_share
        limit = (
            result.completion.text
            if result.completion in (Completion.SEGMENT_LIMIT, Completion.MEMORY_LIMIT)
            else ""
        )
        if ledger.truncated_share < NEGLIGIBLE:
            return cls(limit=limit, unsent=unsent)
        if math.isfinite(scene.settings.max_ray_depth):
            deep = (
                float(result.total_arriving_power[result.status == Status.DEPTH].sum())
                / ledger.supplied
            )
        weak = ledger.truncated_share - deep
        return cls(
            weak if weak >= NEGLIGIBLE else 0.0, deep if deep >= NEGLIGIBLE else 0.0, limit, unsent
        )


def most_not_followed(several: Iterable[NotFollowed | None]) -> NotFollowed:
    """The maximum omitted after emission by any of several traces; None are ignored."""
    parts = [part for part in set(several) if part is not None]
    limits = max((p.limit for p in parts), default="")
    return NotFollowed(
        max((p.weak for p in parts), default=0.0), max((p.deep for p in parts), default=0.0), limits
    )


def not_followed_text(scene: Scene, several: Iterable[NotFollowed | None]) -> str:
    """Sentences, the last without full stop, on the power of rays that a trace of a scene, or any
    of several, omits, with the remedy; empty if it is negligible. What sources do not send is
    reported where it differs. None are ignored.
    """
    noted = {part for part in several if part is not None}
    parts, unsent = (
        {replace(part, unsent=None) for part in noted},
        [part.unsent for part in noted if part.unsent is not None],
    )
    most, least_unsent, most_unsent = (
        most_not_followed(parts),
        min(unsent, default=0.0),
        max(unsent, default=0.0),
    )
    up_to = "up to " if len(parts) > 1 else ""
    by_default = scene.settings.color_mode == "default"
    remedy = (
        "the colour mode linear follows weaker ones"
        if by_default
        else "a lower rayPowerCutoff follows weaker ones"
    )
    texts = (
        [f"Rays too weak to follow carried {up_to}{100 * most.weak:.3g} % of the power; {remedy}"]
        if most.weak
        else []
    )
    if most.deep:
        texts.append(
            f"Rays cut at the largest depth carried {up_to}{100 * most.deep:.3g} % of the power; a"
            " larger one follows them"
        )
    if most_unsent - least_unsent >= NEGLIGIBLE:
        texts.append(
            "Rays carry a power of at most 1 each, so that sources send from"
            f" {100 * (1 - most_unsent):.3g} to {100 * (1 - least_unsent):.3g} % of theirs, and"
            " powers do not compare; the colour mode linear sends all"
        )
    if most.limit:
        traces = "A trace" if len(parts) > 1 else "The trace"
        texts.insert(
            0,
            f"{traces} is partial ({most.limit}), so that values miss light; a higher limit or a"
            " lower ray density follows all",
        )
    return ". ".join(texts)
