"""Goals of an optimisation, and limits of measures.

    least rms(Screen)        most power(Screen)        deviation(Prism, Laser) = 30
    width(Beam) < 3 mm       power(Screen) > 0.5       focus(Lens) = 100 weight 4
    deviation(Prism) = 29..31                          power(Screen) = 0.5 ± 1 %
    least deviation(Prism)                             |deviation(Prism)| = 40

``=`` is a target value; ``<`` and ``>`` are constraints, and a range is two constraints. The merit
that is minimised is the sum of weight × measure for ``least``, minus that for ``most``, and weight
× (measure - value)² for ``=``. Bars mean the absolute value of a measure. ``least`` and ``most``
also refer to the absolute value if the sign of a measure only states a direction or a side
(`Measure.signed`), as for a deviation. A number computed from measures keeps its sign.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from raybench.analysis.measures.bound import Bound, FunctionMeasure, bind_measures
from raybench.analysis.measures.measure import Measured, Unit, wrap_difference
from raybench.errors import RaybenchError, in_quotes
from raybench.kinds.fields import LENGTH
from raybench.kinds.object import MAX_NUMBER, has_usable_numbers
from raybench.scene.changes.quantity import InvalidQuantity, read_quantity
from raybench.scene.document import Document
from raybench.scene.parameters.parameter import MAX_LENGTH

EXAMPLE = "Write such as 'least rms(Screen)', 'deviation(Prism) = 30' or 'power(Screen) > 0.5'."
NO_GOAL = f"is not a goal. {EXAMPLE}"
NO_LIMIT = (
    "is not a limit. Write such as 'rms(Screen) < 0.2', 'focus(Lens) = 99..101' or '= 100 ± 1 %'."
)
INFEASIBLE = 1e30
"""Merit from which on a constraint is violated or a measure undefined: above that of anything
feasible.
"""
_EXTREME = re.compile(r"\s*(least|most|minimi[sz]e|maximi[sz]e)\s+(.+)", re.DOTALL | re.IGNORECASE)
_SIZE = re.compile(r"\s*\|(.+)\|\s*", re.DOTALL)
_WEIGHT = re.compile(r"(.+?)\s+weight\s+(\S+)\s*", re.DOTALL)
_COMPARED = re.compile(r"""(.*[^<>=≤≥])\s*(<=|>=|=|<|>|≤|≥)\s*([^<>=≤≥"']+)""", re.DOTALL)
_CHAIN = re.compile(r"\s*[-+]?[\d.]+(?:[eE][-+]?\d+)?\s*[^\W\d]*\s*[<>≤≥]")
_AROUND = re.compile(r"(.+?)\s*(?:±|\+/?-)\s*((\d+\.?\d*|\.\d+)\s*%|.+)\s*")
_WORDS = {
    "least": "least",
    "minimise": "least",
    "minimize": "least",
    "most": "most",
    "maximise": "most",
    "maximize": "most",
}
_SIGNS = {"<=": "<", "≤": "<", ">=": ">", "≥": ">"}
_UNITS = {Unit.LENGTH: LENGTH, Unit.ANGLE: "deg"}


class InvalidGoal(RaybenchError):
    """A text does not describe a goal. The message shows the correct form."""


@dataclass(frozen=True)
class Goal:
    """A goal: the expression of its measure, its kind (``least``, ``most``, ``=``, ``<``, ``>``),
    its value and its weight. With ``size``, the absolute value of the measure is used. If the
    measure has a ``period``, the value nearest to ``nearest_to`` is used, which is the target or
    the middle of a range. If the goal is one end of a range, ``span`` are both ends, otherwise
    None. ``function`` is a measure that is not a text.
    """

    expression: str
    wanted: str
    value: float = 0.0
    weight: float = 1.0
    size: bool = False
    period: float = 0.0
    nearest_to: float = 0.0
    span: tuple[float, float] | None = field(default=None, compare=False)
    function: FunctionMeasure | None = field(default=None, repr=False)

    @property
    def measure(self) -> str | FunctionMeasure:
        """The measure of the goal, in the form that
        `raybench.analysis.measures.bound.bind_measures` takes.
        """
        return self.function or self.expression

    @property
    def is_constraint(self) -> bool:
        """Whether the goal is a constraint, in contrast to a target value or an extreme."""
        return self.wanted in "<>"

    def __str__(self) -> str:
        weight = "" if self.weight == 1 else f" weight {self.weight:g}"
        meant = f"|{self.expression}|" if self.size else self.expression
        if self.wanted in ("least", "most"):
            return f"{self.wanted} {meant}{weight}"
        return f"{meant} {self.wanted} {self.value:.12g}{weight}"

    @property
    def range_text(self) -> str:
        """The text of the goal. For one end of a range, the text of the whole range."""
        if self.span is None:
            return str(self)
        low, high = self.span
        return (
            f"{f'|{self.expression}|' if self.size else self.expression} = {low:.12g}..{high:.12g}"
        )

    def signed_excess(self, measure: float) -> float:
        """How much a measure exceeds the value of the goal; negative below it."""
        return (
            abs(measure)
            if self.size
            else self.nearest_to + wrap_difference(measure - self.nearest_to, self.period)
        ) - self.value

    def violation(self, measure: float) -> float:
        """How much a measure violates the constraint; 0 if it is satisfied."""
        return max(
            0.0, self.signed_excess(measure) if self.wanted == "<" else -self.signed_excess(measure)
        )

    def merit_term(self, measure: float) -> float:
        """The contribution of the goal to the merit."""
        match self.wanted:
            case "least":
                return self.weight * self.signed_excess(measure)
            case "most":
                return -self.weight * self.signed_excess(measure)
            case _:
                off = self.signed_excess(measure)
                return self.weight * off * off  # ** raises where it overflows


def read_goals(texts: Sequence[str], document: Document) -> tuple[Goal, ...]:
    """Read goals from texts. A range becomes two goals. Raises InvalidGoal, or the errors of
    `bind_measures`.
    """
    return tuple(goal for text in texts for goal in _read_goal(text, document))


def read_limits(texts: Sequence[str], document: Document) -> tuple[Goal, ...]:
    """Read constraints from texts such as ``rms(Screen) < 0.2``. Raises InvalidGoal, or the errors
    of `bind_measures`.
    """
    goals = tuple(goal for text in texts for goal in _read_goal(text, document, NO_LIMIT))
    for goal in goals:
        if not goal.is_constraint:
            raise InvalidGoal(f"'{goal}' {NO_LIMIT}")
    return goals


def _read_goal(text: str, document: Document, wrong: str = NO_GOAL) -> tuple[Goal, ...]:
    body, weight = text, 1.0
    if len(text) > MAX_LENGTH:
        raise InvalidGoal(
            f"{in_quotes(text, 80)} has {len(text)} characters; at most {MAX_LENGTH} are read."
        )
    if found := _WEIGHT.fullmatch(text):
        body, weight = found[1], _read_weight(found[2])
    if found := _EXTREME.fullmatch(body):
        bound, size = _read_measure(found[2], document)
        kind = _WORDS[found[1].lower()]
        return (Goal(bound.expression, kind, weight=weight, size=size or bound.signed),)
    if _CHAIN.match(body):
        raise InvalidGoal(
            f"{in_quotes(text, 80)} begins with a number. Write the measure first, and a range as"
            " in 'focus(Lens) = 99..101'."
        )
    if not (found := _COMPARED.fullmatch(body)):
        raise InvalidGoal(f"{in_quotes(text, 80)} {wrong}")
    bound, size = _read_measure(found[1], document)
    sign = _SIGNS.get(found[2], found[2])
    span = _read_range(found[3], bound, document) if sign == "=" else None
    if (sign in "<>" or span is not None) and weight != 1:
        raise InvalidGoal(f"{in_quotes(text, 80)} has to hold and takes no weight. {EXAMPLE}")
    period = bound.period if sign == "=" else 0.0
    if span is not None:
        near = (span[0] + span[1]) / 2 if period else 0.0
        return tuple(
            Goal(bound.expression, side, end, 1.0, size, period, near, span)
            for side, end in zip("><", span, strict=True)
        )
    value = _read_value(found[3], bound, document)
    return (Goal(bound.expression, sign, value, weight, size, period, value if period else 0.0),)


def _read_range(text: str, bound: Bound, document: Document) -> tuple[float, float] | None:
    """Read both ends of a range such as ``29..31`` or ``30 ± 1``; None if the text is a single
    value.
    """
    if len(ends := text.split("..")) == 2:
        low, high = (_read_value(end, bound, document) for end in ends)
    elif found := _AROUND.fullmatch(text):
        middle = _read_value(found[1], bound, document)
        by = (
            abs(middle) * float(found[3]) / 100
            if found[3]
            else _read_value(found[2], bound, document)
        )
        low, high = middle - by, middle + by
    else:
        return None
    if not low < high:
        raise InvalidGoal(
            f"The range of {bound.expression} ends at {high:g}, which is not above {low:g}, where it"
            " begins."
        )
    return low, high


def merit(goals: Sequence[Goal], measures: Sequence[Measured]) -> float:
    """The merit, which an optimisation minimises. It is at least `INFEASIBLE` if constraints are
    violated, and infinite if a measure is undefined.
    """
    if not all(m.defined for m in measures):
        return math.inf
    violation = sum(
        g.violation(m.value) for g, m in zip(goals, measures, strict=True) if g.is_constraint
    )
    if violation > 0:
        return INFEASIBLE * (1.0 + violation)
    return sum(
        g.merit_term(m.value) for g, m in zip(goals, measures, strict=True) if not g.is_constraint
    )


def _read_measure(text: str, document: Document) -> tuple[Bound, bool]:
    """Read the measure of a goal, and whether the goal refers to its absolute value."""
    size = _SIZE.fullmatch(text)
    bound = bind_measures(size[1] if size else text, document)
    if len(bound) != 1:
        raise InvalidGoal(
            f"{in_quotes(text, 80)} holds {len(bound)} measures. Give a goal for each."
        )
    return bound[0], size is not None


def _read_weight(text: str) -> float:
    try:
        weight = float(text)
    except ValueError:
        weight = math.nan
    if not 0 < weight <= MAX_NUMBER:
        raise InvalidGoal(
            f"A weight is a number above 0 and at most {MAX_NUMBER:g}, not {in_quotes(text, 40)}."
        )
    return weight


def _read_value(text: str, bound: Bound, document: Document) -> float:
    try:
        value = read_quantity(text, _UNITS.get(bound.unit, ""), document.unit)
    except InvalidQuantity as error:
        raise InvalidGoal(f"The goal of {bound.expression} {error}.") from None
    if not has_usable_numbers(value):
        raise InvalidGoal(
            f"The goal of {bound.expression} must be a number of at most {MAX_NUMBER:g}, not"
            f" {value:g}."
        )
    return value
