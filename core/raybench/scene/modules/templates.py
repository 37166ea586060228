"""Evaluation of templates: JSON with formulas in backticks, loops (``for``) and conditions
(``if``).

A string that is a single formula in backticks becomes a number; formulas within other text are
replaced by formatted numbers; a formula in double backticks becomes LaTeX with known variables
replaced. An object in a list may have ``for`` and ``if``.

The iterations of a loop usually differ only in numbers, so they are evaluated in one batch, with a
column for each differing number. They are evaluated one by one if an iteration draws random
numbers, differs in a text or list, or is invalid.
"""

import itertools
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from raybench.arrays import Floats
from raybench.errors import RaybenchError
from raybench.formula import (
    FormulaError,
    Scope,
    evaluate_columns,
    evaluate_formula,
    inline_names_and_calls,
    split_range,
    to_latex,
)
from raybench.formula.evaluate import require_number
from raybench.formula.interpreter import plain
from raybench.formula.operations import CODE

MAX_DEPTH = 40
"""Maximum nesting depth of lists and objects in a template."""
STEPS_PER_ITERATION = 5
"""Steps counted for each iteration of a loop in addition to its formulas and values."""
LETTERS_PER_STEP = 100
"""Letters of a text or name that are copied for a step."""
BLOCKS = re.compile(r"``(?P<latex>[^`]+)``|`(?P<number>[^`]+)`")


class InvalidTemplate(RaybenchError):
    """A template cannot be evaluated; the message gives the place in the template and the
    reason.
    """


class GeneratedObjects(NamedTuple):
    """The objects that a template generates. ``addresses`` contains for each object the template's
    index, followed by the iteration indices of its loops. ``data`` is the JSON of all objects; a
    number that differs between them is a column.
    """

    addresses: Sequence[tuple[int, ...]]
    data: Any


def fill_templates(
    templates: Sequence[Any], scope: Scope, limit: int
) -> Iterator[GeneratedObjects]:
    """Yield the objects that each template of a list generates. ``limit`` is the largest number of
    iterations of a loop. Raises InvalidTemplate.
    """
    for i, template in enumerate(templates):
        batch = (
            _fill_all_iterations(i, template, scope, limit)
            if isinstance(template, Mapping) and "for" in template
            else None
        )
        if batch is not None:
            yield batch
        else:
            for address, data in _fill_list_elements([template], scope, limit, "objs", 0, i):
                yield GeneratedObjects([address], data)


def _fill_all_iterations(
    i: int, template: Mapping[str, Any], scope: Scope, limit: int
) -> GeneratedObjects | None:
    """The objects of all loop iterations of a template, computed at once. None if the iterations
    must be evaluated one by one.
    """
    before = scope.allowance.steps if scope.allowance is not None else 0
    here = f"objs[{i}]"
    scope = scope.with_columns({}, 1)
    try:
        names, ranges = _evaluate_loop_ranges(template["for"], scope, limit, f"{here}.for")
        count = math.prod(map(len, ranges))
        _spend_template_steps(scope, here, (STEPS_PER_ITERATION + len(ranges)) * count)
        addresses = list(itertools.product((i,), *(range(len(r)) for r in ranges)))
        columns = (
            np.array(list(itertools.product(*ranges)), np.float64).reshape(count, len(ranges)).T
        )
        inner = scope.with_columns(dict(zip(names, columns, strict=True)), count)
        if "if" in template:
            holds = np.broadcast_to(_is_condition_true(template["if"], inner, f"{here}.if"), count)
            addresses = list(itertools.compress(addresses, holds))
            inner = scope.with_columns(
                dict(zip(names, columns[:, holds], strict=True)), len(addresses)
            )
        return GeneratedObjects(
            addresses,
            fill_template(_template_without_loops(template), inner, limit, here)
            if addresses
            else None,
        )
    except RaybenchError:  # evaluating the iterations one by one reports which one is wrong
        if scope.allowance is not None:
            scope.allowance.steps = before
        return None


def fill_template(template: Any, scope: Scope, limit: int, where: str = "", depth: int = 0) -> Any:
    """The JSON of a template with its formulas evaluated and its loops unrolled. ``where`` is the
    template's path, for error messages.
    """
    _spend_template_steps(scope, where)
    if isinstance(template, str):
        return _fill_text(template, scope, where)
    if depth > MAX_DEPTH:
        raise InvalidTemplate(
            f"{where[:60]}… is nested too deeply: at most {MAX_DEPTH} levels are read"
        )
    if isinstance(template, Mapping):
        return {
            k: fill_template(v, scope, limit, f"{where}.{k:.60}", depth + 1)
            for k, v in template.items()
        }
    if isinstance(template, list | tuple):
        return [value for _, value in _fill_list_elements(template, scope, limit, where, depth + 1)]
    return template


def _fill_list_elements(
    templates: Any, scope: Scope, limit: int, where: str, depth: int, first: int = 0
) -> Iterator[tuple[tuple[int, ...], Any]]:
    for i, template in enumerate(templates, first):
        here = f"{where}[{i}]"
        if not isinstance(template, Mapping) or not ("for" in template or "if" in template):
            yield (i,), fill_template(template, scope, limit, here, depth)
            continue
        rest = _template_without_loops(template)
        for indices, values in _loop_iterations(
            template.get("for", ()), scope, limit, f"{here}.for"
        ):
            _spend_template_steps(scope, here, STEPS_PER_ITERATION + len(values))
            inner = scope.with_more_values(values) if values else scope
            if "if" not in template or bool(
                require_number(_is_condition_true(template["if"], inner, f"{here}.if"))
            ):
                yield (i, *indices), fill_template(rest, inner, limit, here, depth)


def _template_without_loops(template: Mapping[str, Any]) -> dict[str, Any]:
    return {k: v for k, v in template.items() if k not in ("for", "if")}


def _loop_iterations(
    loops: Any, scope: Scope, limit: int, where: str
) -> Iterator[tuple[tuple[int, ...], dict[str, float]]]:
    """Yield the iterations of nested loops, the outermost loop first: the indices of an iteration
    and the values of the loop variables.
    """
    names, ranges = _evaluate_loop_ranges(loops, scope, limit, where)
    for indices in itertools.product(*(range(len(r)) for r in ranges)):
        yield (
            indices,
            {name: values[k] for name, values, k in zip(names, ranges, indices, strict=True)},
        )


def _evaluate_loop_ranges(
    loops: Any, scope: Scope, limit: int, where: str
) -> tuple[list[str], list[list[float]]]:
    """The variables of nested loops, and the list of values of each variable."""
    loops = [loops] if isinstance(loops, str) else loops
    if not isinstance(loops, list | tuple) or not all(isinstance(loop, str) for loop in loops):
        raise InvalidTemplate(f"{where} must be a loop such as 'i=1:1:N', or a list of them")
    names, ranges = [], []
    for loop in loops:
        try:
            name, bounds = _parse_loop_range(loop)
            if len(bounds) != 3:
                raise FormulaError("a loop is written name=start:step:end")
            names.append(name)
            values = []
            for value in stepped_values(*(evaluate_formula(b, scope) for b in bounds), limit=limit):
                _spend_template_steps(scope, where)
                values.append(value)
            ranges.append(values)
        except RaybenchError as error:
            raise InvalidTemplate(f"{where} '{loop:.60}': {error}") from None
    return names, ranges


def stepped_values(start: float, step: float, end: float, *, limit: int) -> Iterator[float]:
    """Yield the values from ``start`` to ``end``, both included. ``end`` is also included if
    rounding just misses it. The step may be negative. Raises InvalidTemplate.
    """
    if not (math.isfinite(start) and math.isfinite(end)) or math.isnan(step):
        raise InvalidTemplate(
            f"it runs from {start:g} by {step:g} to {end:g}: a loop needs finite numbers"
        )
    if step == 0:
        raise InvalidTemplate("its step is 0, so it never ends: use another step")
    value = start
    for count in itertools.count(1):
        a, b = (value, end) if step > 0 else (end, value)
        if not (a < b or plain.operate(CODE["less_equal"], a, b, 0.0)):
            return
        if count > limit:
            raise InvalidTemplate(
                f"it runs more than {limit} times: use fewer iterations, or increase the module's"
                " maxLoopLength"
            )
        yield value
        value += step


def _is_condition_true(condition: Any, scope: Scope, where: str) -> Any:
    """Whether a condition is true, as a bool. If the scope has columns, it is a column of bools."""
    if isinstance(condition, bool):
        return condition
    if not isinstance(condition, str):
        raise InvalidTemplate(f"{where} must be a condition such as 'i > 1'")
    value = _formula_value(condition, scope, where)
    return (value == value) & (value != 0.0)


def _fill_text(text: str, scope: Scope, where: str) -> Any:
    if "`" not in text:
        return text
    pieces = _split_text_pieces(text)
    if len(pieces) == 1 and pieces[0][0] == "number":
        return _formula_value(pieces[0][1], scope, where)
    _spend_template_steps(scope, where, len(text) // LETTERS_PER_STEP)
    return "".join(_fill_text_piece(kind, piece, scope, where) for kind, piece in pieces)


def _fill_text_piece(kind: str, piece: str, scope: Scope, where: str) -> str:
    if kind == "text":
        return piece
    if kind == "number":
        return javascript_number(require_number(_formula_value(piece, scope, where)))
    try:
        latex = to_latex(inline_names_and_calls(piece, scope))
    except FormulaError as error:
        raise InvalidTemplate(f"{where}: {error}") from None
    _spend_template_steps(scope, where, len(latex))
    return latex


def _formula_value(formula: str, scope: Scope, where: str) -> float | Floats:
    try:
        return evaluate_columns(formula, scope)
    except FormulaError as error:
        raise InvalidTemplate(f"{where}: {error}") from None


def _spend_template_steps(scope: Scope, where: str, steps: int = 1) -> None:
    try:
        scope.spend_steps(steps)
    except FormulaError as error:
        raise InvalidTemplate(f"{where[:60]}: {error}") from None


@lru_cache(maxsize=4096)
def _split_text_pieces(text: str) -> tuple[tuple[str, str], ...]:
    """Split a text into formulas ("number" or "latex") and the plain text between them ("text")."""
    pieces: list[tuple[str, str]] = []
    end = 0
    for block in BLOCKS.finditer(text):
        pieces.append(("text", text[end : block.start()]))
        pieces.append(("latex", block["latex"]) if block["latex"] else ("number", block["number"]))
        end = block.end()
    pieces.append(("text", text[end:]))
    return tuple(p for p in pieces if p[1])


@lru_cache(maxsize=1024)
def _parse_loop_range(loop: str) -> tuple[str, tuple[str, ...]]:
    return split_range(loop)


def javascript_number(value: float) -> str:
    """A number as JavaScript writes it: 3, 0.5, 1e-7, 1e+21, NaN."""
    if not math.isfinite(value):
        return "NaN" if value != value else f"{'-' if value < 0 else ''}Infinity"
    if 1e-6 <= abs(value) < 1e21 or value == 0:
        return format(Decimal(repr(abs(value) if value == 0 else value)), "f").removesuffix(".0")
    digits, power = repr(value).split("e")
    return f"{digits}e{int(power):+d}"
