"""Calls and their ray sets as plain values for other programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from raybench.agent.call.outcome import ToolOutcome


def calls_json(outcomes: Sequence[ToolOutcome]) -> list[dict[str, Any]]:
    """The calls in order, each with its arguments and its whole result: as text and, unless it is
    only a text, as values.
    """
    return [
        {
            "tool": o.tool,
            "arguments": dict(o.arguments),
            "ok": o.ok,
            "sentence": o.sentence,
            "milliseconds": round(o.milliseconds, 3),
            "cached": o.cached,
            "result": o.text,
            "values": None if isinstance(o.value, str) else o.value,
        }
        for o in outcomes
    ]


def ray_sets_json(outcomes: Sequence[ToolOutcome]) -> list[dict[str, Any]]:
    """The ray sets that the calls found."""
    sets = [o.rays for o in outcomes if o.rays is not None]
    return [
        {
            "name": r.name,
            "question": r.question,
            "revision": r.revision,
            "count": len(r),
            "rows": r.rows.tolist(),
        }
        for r in sets
    ]
