"""Faults that several kinds share: why an object has no effect on light, as predicates for its
name.
"""

from __future__ import annotations

from typing import Any

from raybench.kinds.rows.outlines import Edges

IN_ONE_POINT = "has no effect: it lies in one point. Move its ends apart."


def too_few_nodes(obj: Any, edges: Edges) -> str:
    """The fault of a curve with too few nodes."""
    return (
        "" if edges else f"has no outline: its curve has {len(obj.points)} nodes. Give at least 2."
    )


def no_pieces(obj: Any, edges: Edges) -> str:
    """The fault of an object without parametric curves."""
    return "" if edges else "has no outline: it has no pieces. Give at least one."
