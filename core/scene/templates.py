"""Templates: JSON with formulas in backticks, loops and conditions, and what it says for given numbers.

A text that is one formula in backticks becomes its number; formulas within other text are put in as people write numbers; a formula in
double backticks becomes LaTeX in which what is known is replaced. An object in a list may have ``for`` and ``if``.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from functools import lru_cache
from typing import Any

from core.errors import RaybenchError
from core.formula import FormulaError, Scope, evaluate, inline, split_range, to_latex
from core.formula.interpreter import plain
from core.formula.operations import CODE

DEEPEST = 40
"""How deeply lists and objects of a template may be nested."""
TURN = 5
"""Steps that a turn of a loop counts for, beside its formulas and values."""
BLOCKS = re.compile(r"``(?P<latex>[^`]+)``|`(?P<number>[^`]+)`")


class InvalidTemplate(RaybenchError):
    """A template cannot be filled in; the text says where in it, and why."""


def objects_from(templates: Any, scope: Scope, most: int) -> Iterator[tuple[tuple[int, ...], Any]]:
    """The objects that a list of templates gives, each with its place: the template's number and those of its loops' turns.

    ``most`` is how often a loop may run. Raises InvalidTemplate.
    """
    return _elements(templates, scope, most, "objs", 0)


def filled(template: Any, scope: Scope, most: int, where: str = "", depth: int = 0) -> Any:
    """What a template says: the same JSON with formulas replaced and loops unrolled. ``where`` is its place, for errors."""
    _spend(scope, where)
    if isinstance(template, str):
        return _text(template, scope, where)
    if depth > DEEPEST:
        raise InvalidTemplate(f"{where[:60]}… is nested too deeply: at most {DEEPEST} levels are read")
    if isinstance(template, Mapping):
        return {k: filled(v, scope, most, f"{where}.{k}", depth + 1) for k, v in template.items()}
    if isinstance(template, list | tuple):
        return [value for _, value in _elements(template, scope, most, where, depth + 1)]
    return template


def _elements(templates: Any, scope: Scope, most: int, where: str, depth: int) -> Iterator[tuple[tuple[int, ...], Any]]:
    for i, template in enumerate(templates):
        here = f"{where}[{i}]"
        if not isinstance(template, Mapping) or not ("for" in template or "if" in template):
            yield (i,), filled(template, scope, most, here, depth)
            continue
        rest = {k: v for k, v in template.items() if k not in ("for", "if")}
        for turn, values in _turns(template.get("for", ()), scope, most, f"{here}.for"):
            _spend(scope, here, TURN)
            inner = scope.with_values(values) if values else scope
            if "if" not in template or _holds(template["if"], inner, f"{here}.if"):
                yield (i, *turn), filled(rest, inner, most, here, depth)


def _turns(loops: Any, scope: Scope, most: int, where: str) -> Iterator[tuple[tuple[int, ...], dict[str, float]]]:
    """The turns of loops within loops, the first outermost: the number of each turn and the values of the variables."""
    loops = [loops] if isinstance(loops, str) else loops
    if not isinstance(loops, list | tuple) or not all(isinstance(loop, str) for loop in loops):
        raise InvalidTemplate(f"{where} must be a loop such as 'i=1:1:N', or a list of them")
    names, ranges = [], []
    for loop in loops:
        try:
            name, bounds = _range(loop)
            if len(bounds) != 3:
                raise FormulaError("a loop is written name=start:step:end")
            names.append(name)
            values = []
            for value in steps(*(evaluate(b, scope) for b in bounds), most=most):
                _spend(scope, where)
                values.append(value)
            ranges.append(values)
        except RaybenchError as error:
            raise InvalidTemplate(f"{where} '{loop:.60}': {error}") from None
    for turn in itertools.product(*(range(len(r)) for r in ranges)):
        yield turn, {name: values[k] for name, values, k in zip(names, ranges, turn, strict=True)}


def steps(start: float, step: float, end: float, *, most: int) -> Iterator[float]:
    """From start by steps up to the end, or down to it, the end included where rounding just misses it. Raises InvalidTemplate."""
    if not (math.isfinite(start) and math.isfinite(end)) or math.isnan(step):
        raise InvalidTemplate(f"it runs from {start:g} by {step:g} to {end:g}: a loop needs finite numbers")
    if step == 0:
        raise InvalidTemplate("its step is 0, so it has no end: give it another step")
    value = start
    for count in itertools.count(1):
        a, b = (value, end) if step > 0 else (end, value)
        if not plain.operate(CODE["less_equal"], a, b, 0.0):
            return
        if count > most:
            raise InvalidTemplate(f"it runs more than {most} times: give it fewer turns, or the module a larger maxLoopLength")
        yield value
        value += step


def _holds(condition: Any, scope: Scope, where: str) -> bool:
    if isinstance(condition, bool):
        return condition
    if not isinstance(condition, str):
        raise InvalidTemplate(f"{where} must be a condition such as 'i > 1'")
    value = _value(condition, scope, where)
    return value == value and value != 0.0


def _text(text: str, scope: Scope, where: str) -> Any:
    if "`" not in text:
        return text
    pieces = _pieces(text)
    if len(pieces) == 1 and pieces[0][0] == "number":
        return _value(pieces[0][1], scope, where)
    return "".join(_piece(kind, piece, scope, where) for kind, piece in pieces)


def _piece(kind: str, piece: str, scope: Scope, where: str) -> str:
    if kind == "text":
        return piece
    if kind == "number":
        return written(_value(piece, scope, where))
    try:
        latex = to_latex(inline(piece, scope))
    except FormulaError as error:
        raise InvalidTemplate(f"{where}: {error}") from None
    _spend(scope, where, len(latex))
    return latex


def _value(formula: str, scope: Scope, where: str) -> float:
    try:
        return evaluate(formula, scope)
    except FormulaError as error:
        raise InvalidTemplate(f"{where}: {error}") from None


def _spend(scope: Scope, where: str, steps: int = 1) -> None:
    if scope.allowance is not None:
        try:
            scope.allowance.spend(steps)
        except FormulaError as error:
            raise InvalidTemplate(f"{where[:60]}: {error}") from None


@lru_cache(maxsize=4096)
def _pieces(text: str) -> tuple[tuple[str, str], ...]:
    """A text cut into formulas ("number" or "latex") and what stands between them."""
    pieces: list[tuple[str, str]] = []
    end = 0
    for block in BLOCKS.finditer(text):
        pieces.append(("text", text[end : block.start()]))
        pieces.append(("latex", block["latex"]) if block["latex"] else ("number", block["number"]))
        end = block.end()
    pieces.append(("text", text[end:]))
    return tuple(p for p in pieces if p[1])


@lru_cache(maxsize=1024)
def _range(loop: str) -> tuple[str, tuple[str, ...]]:
    return split_range(loop)


def written(value: float) -> str:
    """A number as JavaScript writes it: 3, 0.5, 1e-7, 1e+21, NaN."""
    if not math.isfinite(value):
        return "NaN" if value != value else f"{'-' if value < 0 else ''}Infinity"
    if 1e-6 <= abs(value) < 1e21 or value == 0:
        return format(Decimal(repr(abs(value) if value == 0 else value)), "f").removesuffix(".0")
    digits, power = repr(value).split("e")
    return f"{digits}e{int(power):+d}"
