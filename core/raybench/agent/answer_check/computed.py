"""The numbers that an answer can compute from facts: ratios, changes, complements, differences
and sums.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from raybench.agent.answer_check.claims import Claim
from raybench.agent.answer_check.facts import POSITION_QUANTITIES, Fact
from raybench.agent.answer_check.number_contexts import NumberContext

MOST_ADDED = 8
"""Maximum numbers of an answer that are added."""
_TOTAL = re.compile(r"emitted|total|arriving")
"""Names of quantities that others are parts of."""
_CHANGED = re.compile(
    r".*\b(?:(?P<down>falls?|fell|drops?|dropped|decreases?d?|shrinks?|shrank|declines?d?)"
    r"|(?:rises?|rose|grows?|grew|increases?d?|gains?))\b[^;]*\bby\s+(?:about |roughly |just )?$",
    re.DOTALL,
)
"""The words before a change that say its sign."""
_REST = re.compile(
    r"\b(?:rest|remain\w*|others?|los[est]+|lost|miss\w*|left|not|never|without|only|n't)\b"
)
"""Words that name what is missing to the whole."""
_COMPARED = re.compile(r"\b(?:more|less|fewer|than|by|from)\b")
_TOGETHER = re.compile(r"\b(?:together|total|all|sum|both|combined|add|two|three|four|makes?)\b")


class Operand(NamedTuple):
    """A fact from which numbers are computed. ``said`` is the claim of the answer that states the
    fact, if any, in the sentence number ``sentence``.
    """

    fact: Fact
    said: Claim | None = None
    sentence: int = -1


class Result(NamedTuple):
    """A number computed from two facts, or from a sum whose first fact is ``first``."""

    number: float
    dimension: str
    first: Fact
    second: Fact

    @property
    def written(self) -> float:
        """The number in the unit in which the facts are written."""
        same = self.dimension == self.first.dimension
        return self.number / self.first.unit_size if same else self.number

    @property
    def fact(self) -> Fact:
        f = self.first
        return replace(
            f,
            number=self.number,
            written=self.written,
            dimension=self.dimension,
            quantity="length" if f.quantity in POSITION_QUANTITIES else f.quantity,
            owners=f.owners | self.second.owners,
            call=f.call or self.second.call,
        )


def sign_of_change(claim: Claim, context: NumberContext) -> int:
    """The sign of a change according to the words before it, such as -1 after ``falls by``; 0 if
    the words tell no sign.
    """
    changed = _CHANGED.match(context.text[: claim.start])
    return 0 if changed is None else -1 if changed["down"] else 1


def computed_results(
    claim: Claim, context: NumberContext, operands: Sequence[Operand]
) -> Iterator[Result]:
    """The computed results that a claim can state, after rounding."""
    sign = sign_of_change(claim, context)
    is_rest = _REST.search(context.text) is not None
    said = {(o.fact.dimension, o.said.start) for o in operands
            if o.said and o.fact.call and o.sentence == context.index}  # fmt: skip
    stated = Counter(dimension for dimension, _ in said)
    for one in operands:
        f = one.fact
        if claim.dimension == "share" == f.dimension and is_rest:
            yield Result(1 - f.number, "share", f, f)
        if claim.dimension == "vergence" and f.dimension == "length" and f.number:
            yield Result(1 / f.number, "vergence", f, f)
        for other in operands:
            g = other.fact
            if claim.dimension == f.dimension == "watt" and g.dimension == "share":
                yield Result(f.number * g.number, "watt", f, g)
            is_stated = one.said is not None and other.said is not None
            if is_stated and g.dimension == "share" and g.number and f.owners == g.owners:
                yield Result(f.number / g.number, f.dimension, f, g)  # of which f is the share
            if other is one or f.dimension != g.dimension:
                continue
            alike = _belong_together(one, other, context)
            if alike or _is_part(f, g):
                yield from _ratios(claim, context, one, other, stated, sign)
            if not claim.ratio:
                yield from _differences(claim, context, one, other, alike)
    if not claim.ratio:
        yield from _sums(operands, is_rest)


def _ratios(
    claim: Claim,
    context: NumberContext,
    one: Operand,
    other: Operand,
    stated: Mapping[str, int],
    sign: int,
) -> Iterator[Result]:
    """The ratio of two facts, and the relative change from the second to the first if it has the
    given ``sign``. ``stated`` counts the numbers in the sentence by dimension; if two are stated, a
    factor is the ratio of these two.
    """
    f, g = one.fact, other.fact
    if not g.number or f.quantity in POSITION_QUANTITIES:
        return
    if claim.ratio:
        if one.sentence == other.sentence == context.index or max(stated.values(), default=0) < 2:
            yield Result(f.number / g.number, "share", f, g)
    elif claim.dimension == "share" != f.dimension:
        yield Result(f.number / g.number, "share", f, g)
        has_sign = sign * (f.number - g.number) >= 0
        if has_sign and (
            claim.signed or _COMPARED.search(context.text) or _REST.search(context.text)
        ):
            yield Result(f.number / g.number - 1, "share", f, g)


def _differences(
    claim: Claim, context: NumberContext, one: Operand, other: Operand, alike: bool
) -> Iterator[Result]:
    """The difference and sum of two facts. For a claim without a unit the operands must be
    stated in the answer, come from one call about the same objects or from a row of a study, or
    belong to objects that the sentence names.
    """
    f, g = one.fact, other.fact
    if f.quantity in POSITION_QUANTITIES and not claim.unit:
        return
    said = one.said is not None and other.said is not None
    together = f.call is g.call is not None and f.owners == g.owners
    if not (
        claim.dimension
        or together
        or (_allows_missing_unit(one, context) and _allows_missing_unit(other, context))
    ):
        return
    if alike or (together and claim.significant_digits > 2):
        yield Result(f.number - g.number, f.dimension, f, g)
    if alike and f.quantity not in POSITION_QUANTITIES and (said or _TOGETHER.search(context.text)):
        yield Result(f.number + g.number, f.dimension, f, g)


def _is_part(fact: Fact, whole: Fact) -> bool:
    """Whether a fact is a part of another fact ``whole``. The whole belongs to fewer objects, and
    has the same quantity or call, or is a total.
    """
    return whole.owners < fact.owners and (
        fact.quantity == whole.quantity
        or fact.call is whole.call
        or _TOTAL.search(whole.quantity) is not None
    )


def _belong_together(one: Operand, other: Operand, context: NumberContext) -> bool:
    """Whether a sentence can compare two facts. They can be compared if both are stated in the
    answer. Otherwise they must have the same quantity and, if neither is stated, belong to one
    object or to two objects that the sentence names.
    """
    f, g = one.fact, other.fact
    if one.said and other.said:
        return one.said is not other.said
    if f.quantity != g.quantity:
        return False
    if one.said or other.said:
        return True
    first, second = f.owners & context.possible_owners, g.owners & context.possible_owners
    return (
        bool(first - second and second - first) or f.owners == g.owners or not context.named_so_far
    )


def _allows_missing_unit(operand: Operand, context: NumberContext) -> bool:
    """Whether a number without a unit can be computed from an operand: the operand is stated in the
    answer, is in a row of a study, or belongs to one of several objects that the sentence names.
    """
    named = len(context.named_so_far) > 1 and bool(operand.fact.owners & context.named_so_far)
    return named or operand.said is not None or bool(operand.fact.parameter_values)


def _sums(operands: Sequence[Operand], is_rest: bool) -> Iterator[Result]:
    """The sums of three or more facts of one column, or that are stated one after another. If
    ``is_rest``, 1 minus the sums of shares.
    """
    columns: dict[object, list[Fact]] = {}
    stated: dict[str, dict[int, Fact]] = {}
    for fact, said, _ in operands:
        if said:
            stated.setdefault(fact.dimension, {}).setdefault(id(said), fact)
        elif fact.quantity not in POSITION_QUANTITIES:
            columns.setdefault((fact.column_key, id(fact.call)), []).append(fact)
    runs = [
        list(facts.values())[i : i + n]
        for facts in stated.values()
        for n in range(2, MOST_ADDED + 1)
        for i in range(len(facts) - n + 1)
    ]
    for run in (*columns.values(), *runs):
        total, dimension = sum(f.number for f in run), run[0].dimension
        if len(run) > 2:
            yield Result(total, dimension, run[0], run[0])
        if is_rest and dimension == "share":
            yield Result(1 - total, dimension, run[0], run[0])
