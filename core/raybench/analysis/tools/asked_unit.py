"""The unit in which a question asks for measures, such as "in cm"."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from raybench.analysis.answers.units import SPELLED, factor
from raybench.analysis.measures.grammar import Expression
from raybench.analysis.measures.table import MEASURES
from raybench.analysis.tools.clauses import Clauses

_UNITS = "|".join(
    sorted((re.escape(name) for name in (*SPELLED, "percent", "%")), key=len, reverse=True)
)


def unit_asked(said: Clauses) -> str:
    """Take the unit that is asked for, such as "in cm"; empty if none is."""
    taken = said.take(rf"(?:measured |expressed |given )?in (?:units of )?(?P<unit>{_UNITS})")
    return taken["unit"] if taken else ""


def unit_argument(
    found: Sequence[Expression], asked: str, scene_unit: str, units: bool
) -> Mapping[str, str] | None:
    """The argument ``unit`` for measures in the unit that is asked for, empty if they are reported
    in it; None if they cannot be.
    """
    measures = [MEASURES[e.name] for e in found]
    factors = [
        1.0 if m.share and asked in ("percent", "%") else factor(m.unit, asked, scene_unit)
        for m in measures
    ]
    if not asked or all(f == 1.0 for f in factors):
        return {}
    return {"unit": SPELLED[asked]} if units and asked in SPELLED and all(factors) else None
