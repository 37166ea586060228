"""Goals: what an optimisation wants of measures.

    least rms(Screen)        most power(Screen)        deviation(Prism, Laser) = 30
    width(Beam) < 3 mm       power(Screen) > 0.5       focus(Lens) = 100 weight 4

``=`` is a goal to come near to, ``<`` and ``>`` are constraints that have to hold. The merit that is made least is the sum of weight ×
measure for ``least``, minus that for ``most``, and weight × (measure - value)² for ``=``.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.analysis.measures.bound import bind
from core.analysis.measures.measure import Measured, Unit
from core.errors import RaybenchError, in_quotes
from core.kinds.fields import LENGTH
from core.scene.changes.quantity import InvalidQuantity, quantity
from core.scene.document import Document

EXAMPLE = "Write such as 'least rms(Screen)', 'deviation(Prism) = 30' or 'power(Screen) > 0.5'."
INFEASIBLE = 1e30
"""Merit from which on a constraint is violated or a measure undefined: above that of anything feasible."""
_EXTREME = re.compile(r"\s*(least|most|minimi[sz]e|maximi[sz]e)\s+(.+)", re.DOTALL | re.IGNORECASE)
_WEIGHT = re.compile(r"(.+?)\s+weight\s+(\S+)\s*", re.DOTALL)
_COMPARED = re.compile(r"(.*\))\s*(<=|>=|=|<|>|≤|≥)\s*([^()<>=]+)", re.DOTALL)
_WORDS = {"least": "least", "minimise": "least", "minimize": "least", "most": "most", "maximise": "most", "maximize": "most"}
_SIGNS = {"<=": "<", "≤": "<", ">=": ">", "≥": ">"}
_UNITS = {Unit.LENGTH: LENGTH, Unit.ANGLE: "deg"}


class InvalidGoal(RaybenchError):
    """A text is no goal; the message shows the correct form."""


@dataclass(frozen=True)
class Goal:
    """A goal: the expression of its measure, what is wanted (``least``, ``most``, ``=``, ``<``, ``>``), and with what value and weight."""

    expression: str
    wanted: str
    value: float = 0.0
    weight: float = 1.0

    @property
    def is_constraint(self) -> bool:
        """Whether it has to hold, rather than to be approached."""
        return self.wanted in "<>"

    def __str__(self) -> str:
        weight = "" if self.weight == 1 else f" weight {self.weight:g}"
        if self.wanted in ("least", "most"):
            return f"{self.wanted} {self.expression}{weight}"
        return f"{self.expression} {self.wanted} {self.value:.12g}{weight}"

    def violation(self, measure: float) -> float:
        """By how much a measure violates the constraint; 0 where it holds."""
        return max(0.0, measure - self.value if self.wanted == "<" else self.value - measure)

    def term(self, measure: float) -> float:
        """Its part of the merit."""
        match self.wanted:
            case "least":
                return self.weight * measure
            case "most":
                return -self.weight * measure
            case _:
                return self.weight * (measure - self.value) ** 2


def read_goal(text: str, document: Document) -> Goal:
    """The goal that a text describes. Raises InvalidGoal, or what `bind` raises for its measure."""
    body, weight = text, 1.0
    if found := _WEIGHT.fullmatch(text):
        body, weight = found[1], _weight(found[2])
    if found := _EXTREME.fullmatch(body):
        return Goal(_expression(found[2], document), _WORDS[found[1].lower()], weight=weight)
    if not (found := _COMPARED.fullmatch(body)):
        raise InvalidGoal(f"{in_quotes(text, 80)} is no goal. {EXAMPLE}")
    expression = _expression(found[1], document)
    unit = bind(expression, document.scene, document.edge_labels)[0].measure.unit
    sign = _SIGNS.get(found[2], found[2])
    if sign in "<>" and weight != 1:
        raise InvalidGoal(f"{in_quotes(text, 80)} has to hold and takes no weight. {EXAMPLE}")
    return Goal(expression, sign, _value(found[3], expression, unit, document), weight)


def read_limit(text: str, document: Document) -> Goal:
    """The constraint that a text describes, such as ``rms(Screen) < 0.2``. Raises InvalidGoal, or what `bind` raises."""
    goal = read_goal(text, document)
    if not goal.is_constraint:
        raise InvalidGoal(f"{in_quotes(text, 80)} is no limit. Write such as 'rms(Screen) < 0.2'.")
    return goal


def merit(goals: Sequence[Goal], measures: Sequence[Measured]) -> float:
    """What an optimisation makes least; from `INFEASIBLE` on where constraints are violated, infinite where a measure is undefined."""
    if not all(m.defined for m in measures):
        return math.inf
    violation = sum(g.violation(m.value) for g, m in zip(goals, measures, strict=True) if g.is_constraint)
    if violation > 0:
        return INFEASIBLE * (1.0 + violation)
    return sum(g.term(m.value) for g, m in zip(goals, measures, strict=True) if not g.is_constraint)


def _expression(text: str, document: Document) -> str:
    bound = bind(text, document.scene, document.edge_labels)
    if len(bound) != 1:
        raise InvalidGoal(f"{in_quotes(text, 80)} holds {len(bound)} measures. Give a goal for each.")
    return bound[0].expression


def _weight(text: str) -> float:
    try:
        weight = float(text)
    except ValueError:
        weight = math.nan
    if not 0 < weight < math.inf:
        raise InvalidGoal(f"A weight is a number above 0, not {in_quotes(text, 40)}.")
    return weight


def _value(text: str, expression: str, unit: Unit, document: Document) -> float:
    try:
        value = quantity(text, _UNITS.get(unit, ""), document.unit)
    except InvalidQuantity as error:
        raise InvalidGoal(f"The goal of {expression} {error}.") from None
    if not math.isfinite(value):
        raise InvalidGoal(f"The goal of {expression} must be a finite number.")
    return value
