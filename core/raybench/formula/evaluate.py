"""Evaluation of formulas in a scope, with the semantics of math.js. Modules use it for loops,
conditions and numbers.

Evaluation does not recurse in Python, so long sums are fine, and recursive functions of a module
end at a limit. Numbers are real: sqrt(-1) is NaN. A formula can be evaluated for many values of its
variables at once, given as columns.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

import numpy as np

from raybench.arrays import Floats
from raybench.formula.arrays import apply_to_columns
from raybench.formula.functions import CONSTANTS, FUNCTIONS, similar_function_text
from raybench.formula.interpreter import SAME, plain
from raybench.formula.mathjs import parse_mathjs, parse_statements
from raybench.formula.operations import ARITY, CODE, STEPS
from raybench.formula.reading import FormulaError
from raybench.formula.tree import (
    MAX_NODES,
    Node,
    array_node,
    check_tree_size,
    distinct_nodes,
    listed_names_text,
    node_with_arguments,
    number_node,
    rebuild_tree,
)

Value = float | Floats | tuple[Any, ...]
"""A number, a column of numbers (one per evaluation), or an array of values as a tuple."""

NAMES_PER_STEP = 50
"""Names in scope that are copied in the time of a step."""
MAX_CALL_DEPTH = 500
MAX_STEPS = 1_000_000
"""Limits of one evaluation, so that infinite recursion ends with an error."""


@dataclass(frozen=True, slots=True)
class Function:
    """A function defined by a module."""

    parameters: tuple[str, ...]
    body: Node


@dataclass(slots=True)
class StepAllowance:
    """The remaining number of evaluation steps, shared by several evaluations."""

    steps: int

    def spend_steps(self, steps: int) -> None:
        """Subtract steps. Raises FormulaError if too few are left."""
        self.steps = max(-1, self.steps - steps)
        if self.steps < 0:
            raise FormulaError(
                "The module takes too many steps to compute: use fewer or shorter loops, and less"
                " recursion."
            )


@dataclass(frozen=True, slots=True)
class Scope:
    """The names that formulas can use: values, the module's functions, and a source of random
    numbers from 0 to 1.

    ``allowance`` limits the total steps of all evaluations that share it; each evaluation has a
    limit of its own too. A scope whose values contain columns stands for ``count`` scopes, where
    ``count`` is the length of the columns.
    """

    values: Mapping[str, Value] = field(default_factory=dict)
    functions: Mapping[str, Function] = field(default_factory=dict)
    random: Callable[[], float] | None = None
    allowance: StepAllowance | None = None
    count: int = 1

    def with_more_values(self, values: Mapping[str, Value]) -> Scope:
        """The scope with additional values, which replace those with the same names. Copying many
        values costs steps. Raises FormulaError if too few steps are left.
        """
        if self.allowance is not None:
            self.allowance.spend_steps((len(self.values) + len(values)) // NAMES_PER_STEP)
        return replace(self, values={**self.values, **values})

    def with_columns(self, columns: Mapping[str, Floats], count: int) -> Scope:
        """A scope that stands for ``count`` scopes that differ only in the values ``columns``. It
        has no random numbers, since these must be drawn in order.
        """
        return replace(self, values={**self.values, **columns}, random=None, count=count)

    def spend_steps(self, steps: int) -> None:
        """Subtract the steps of an evaluation from the allowance. Raises FormulaError if too few
        are left.
        """
        if self.allowance is not None:
            self.allowance.spend_steps(steps * self.count)

    def parse_formula(self, formula: str | Node) -> Node:
        """The formula parsed to a tree, with this scope's functions. Raises FormulaError."""
        return (
            parse_mathjs(formula, _names(tuple(self.functions)))
            if isinstance(formula, str)
            else formula
        )


_names = lru_cache(maxsize=256)(frozenset[str])
_statements = lru_cache(maxsize=1024)(parse_statements)


def execute_statements(text: str, scope: Scope) -> Scope:
    """The scope after executing the statements of ``text``. Raises FormulaError."""
    for statement in _statements(text, _names(tuple(scope.functions))):
        if statement.parameters is not None:
            scope.spend_steps(len(scope.functions))  # they are copied
            functions = {
                **scope.functions,
                statement.name: Function(statement.parameters, statement.body),
            }
            scope = replace(scope, functions=functions)
            continue
        value = evaluate_tree(statement.body, scope)
        if statement.name:
            scope = scope.with_more_values({statement.name: value})
    return scope


def evaluate_formula(formula: str | Node, scope: Scope | None = None) -> float:
    """The value of a formula. Division by zero gives infinity or NaN. Raises FormulaError, also if
    the value is an array.
    """
    return require_number(evaluate_columns(formula, scope or Scope()))


def evaluate_columns(formula: str | Node, scope: Scope) -> float | Floats:
    """The value of a formula in a scope with columns, which stands for many scopes: a column of
    values, or one number if they are equal.

    Raises FormulaError, also if the scopes must be evaluated one by one. If a condition is a
    column, both branches are counted as steps.
    """
    value = evaluate_tree(scope.parse_formula(formula), scope)
    if isinstance(value, tuple):
        raise FormulaError("A number is needed, not an array: choose an element, such as a[1].")
    return value


def require_number(value: float | Floats) -> float:
    """The value if it is a number. Raises FormulaError for a column."""
    if isinstance(value, np.ndarray):
        raise FormulaError("One number is needed here, not a column of them.")
    return value


def evaluate_tree(root: Node, scope: Scope) -> Value:
    """The value of a tree: a number or an array. Raises FormulaError."""
    return _Evaluation(scope).value(root)


Names = Mapping[str, Value]
Task = tuple[Callable[..., None], Node, Names, int]


class _Evaluation:
    """One evaluation: a stack machine with a stack of pending operations and a stack of values."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.values: list[Value] = []
        self.tasks: list[Task] = []

    def value(self, root: Node) -> Value:
        self.tasks.append((self.schedule_node, root, {}, 0))
        allowance = self.scope.allowance
        left = (
            MAX_STEPS
            if allowance is None
            else max(0, allowance.steps) // max(1, self.scope.count) + 2
        )
        for step in range(min(MAX_STEPS, left)):
            if not self.tasks:
                self.scope.spend_steps(step)
                return self.values[0]
            task, node, names, depth = self.tasks.pop()
            task(node, names, depth)
        self.scope.spend_steps(step)
        raise FormulaError(
            f"The formula takes more than {MAX_STEPS} steps: is a function infinitely recursive?"
        )

    def schedule_node(self, node: Node, names: Names, depth: int) -> None:
        op = node.op
        if op == "number":
            self.values.append(node.value)
        elif op == "variable":
            self.values.append(self.value_of_name(node.name, names))
        elif op == "random":
            self.values.append(self.random())
        elif op == "select":  # evaluate only one branch, as recursive functions need
            self.tasks.append((self.schedule_branch, node, names, depth))
            self.tasks.append((self.schedule_node, node.args[0], names, depth))
        else:
            self.tasks.append((self.apply_operation, node, names, depth))
            visit = self.schedule_node
            self.tasks.extend([(visit, a, names, depth) for a in reversed(node.args)])

    def schedule_branch(self, node: Node, names: Names, depth: int) -> None:
        condition = self.pop_number("a condition")
        if isinstance(condition, np.ndarray):  # evaluate both branches, since elements may differ
            if any(n.op == "call" for n in distinct_nodes(*node.args[1:])):
                raise FormulaError(
                    "Functions that are called under a condition are evaluated one by one, since"
                    " they may be recursive."
                )
            self.values.append(condition)
            self.tasks.append((self.select_elementwise, node, names, depth))
            self.tasks.extend(
                [(self.schedule_node, a, names, depth) for a in reversed(node.args[1:])]
            )
            return
        self.tasks.append(
            (
                self.schedule_node,
                node.args[1 if condition == condition and condition != 0.0 else 2],
                names,
                depth,
            )
        )

    def select_elementwise(self, node: Node, names: Names, depth: int) -> None:
        otherwise, value, condition = (
            self.pop_number("a choice between columns") for _ in range(3)
        )
        self.values.append(
            np.where((condition == condition) & (condition != 0.0), value, otherwise)
        )

    def apply_operation(self, node: Node, names: Names, depth: int) -> None:
        if node.op in CODE:
            x: float | Floats = 0.0
            y, z = x, x
            for _ in node.args:  # the last argument is on top
                x, y, z = self.pop_number(f"'{node.op}'"), x, y
            if isinstance(x, np.ndarray) or isinstance(y, np.ndarray) or isinstance(z, np.ndarray):
                args = (x, y, z)[: ARITY[node.op]]
                self.values.append(apply_to_columns(node.op, args, _operation_result))
            else:
                self.values.append(_operation_result(node.op, x, y, z))
            return
        count = len(node.args)
        values = tuple(self.values[len(self.values) - count :])
        del self.values[len(self.values) - count :]
        if node.op == "array":
            self.values.append(values)
        elif node.op == "index":
            self.values.append(_element_at(values[0], values[1]))
        else:
            self.schedule_function_body(node.name, values, depth)

    def schedule_function_body(self, name: str, values: tuple[Value, ...], depth: int) -> None:
        function = function_named(name, len(values), self.scope)
        if depth >= MAX_CALL_DEPTH:
            raise FormulaError(
                f"'{name}' is called within itself more than {MAX_CALL_DEPTH} times: give it a"
                " condition that ends."
            )
        inner = dict(zip(function.parameters, values, strict=True))
        self.tasks.append((self.schedule_node, function.body, inner, depth + 1))

    def pop_number(self, purpose: str) -> float | Floats:
        value = self.values.pop()
        if isinstance(value, tuple):
            raise FormulaError(
                f"{purpose} needs numbers, not an array: choose an element, such as a[1]."
            )
        return value

    def value_of_name(self, name: str, names: Names) -> Value:
        for known in (names, self.scope.values, CONSTANTS):
            if name in known:
                return known[name]
        if name in self.scope.functions or name in FUNCTIONS:
            raise FormulaError(f"'{name}' is a function: write its arguments in brackets.")
        raise FormulaError(
            f"Unknown variable '{name}': there are {listed_names_text({*names, *self.scope.values})}."
        )

    def random(self) -> float:
        if self.scope.random is None:
            raise FormulaError("Random numbers are not available here: remove random().")
        return float(self.scope.random())


def function_named(name: str, argument_count: int, scope: Scope) -> Function:
    """The function of the module with this name and this number of arguments. Raises FormulaError."""
    function = scope.functions.get(name)
    if function is None:
        if name in scope.values:
            raise FormulaError(f"'{name}' is a number, not a function: write {name}*(…).")
        own = (
            f"; the module defines {listed_names_text(scope.functions)}" if scope.functions else ""
        )
        raise FormulaError(f"Unknown function '{name}': {similar_function_text(name)}{own}")
    if len(function.parameters) != argument_count:
        raise FormulaError(
            f"'{name}' has {argument_count} arguments instead of {len(function.parameters)}:"
            f" {', '.join(function.parameters)}."
        )
    return function


def _element_at(values: Value, position: Value) -> Value:
    if not isinstance(values, tuple) or isinstance(position, tuple):
        raise FormulaError("Only arrays can be indexed, and only by a number: write a[1].")
    index = require_number(position)
    if not (
        1 <= index <= len(values) and index == int(index)
    ):  # "in range" compares a float with each
        raise FormulaError(
            f"There is no element {index:g}: the array has {len(values)}, counted from 1."
        )
    element: Value = values[int(index) - 1]
    return element


def _operation_result(op: str, x: float, y: float = 0.0, z: float = 0.0) -> float:
    return _round_by_operation(op, x) if op in STEPS else plain.operate(CODE[op], x, y, z)


def _round_by_operation(op: str, x: float) -> float:
    """Rounding functions of math.js: a number within 1e-12 of an integer counts as that integer,
    and halves round away from zero.
    """
    if x - x != 0.0:
        return x
    whole = math.copysign(plain.operate(CODE["round"], abs(x), 0.0, 0.0), x)
    if op == "round":
        return whole
    if abs(x - whole) <= SAME * max(abs(x), abs(whole)):
        return whole
    return plain.operate(CODE[op], x, 0.0, 0.0)


MAX_DEPTH = 50
"""Maximum nesting depth of inlined function calls."""


def inline_names_and_calls(formula: str | Node, scope: Scope) -> Node:
    """The formula made independent of the scope: names and random numbers are replaced by numbers,
    and function calls by the bodies of the functions.

    Names that are not in the scope stay variables. Raises FormulaError, also for functions that are
    recursive in variables.
    """
    return _Inliner(scope).inlined_tree(scope.parse_formula(formula), {}, 0)


class _Inliner:
    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.calls = 0

    def inlined_tree(self, root: Node, names: Mapping[str, Node], depth: int) -> Node:
        def inline_node(node: Node, args: tuple[Node, ...]) -> Node:
            if node.op == "variable":
                return self.inlined_name(node, names)
            if node.op == "random":
                return _literal_tree(evaluate_tree(node, self.scope))
            if node.op == "call":
                return self.inlined_call(node.name, args, depth)
            return node_with_arguments(node, args)

        return check_tree_size(rebuild_tree(root, inline_node))

    def inlined_name(self, node: Node, names: Mapping[str, Node]) -> Node:
        if node.name in names:
            return names[node.name]
        if node.name in self.scope.values:
            return _literal_tree(self.scope.values[node.name])
        return number_node(CONSTANTS[node.name]) if node.name in CONSTANTS else node

    def inlined_call(self, name: str, args: tuple[Node, ...], depth: int) -> Node:
        function = function_named(name, len(args), self.scope)
        self.calls += 1
        self.scope.spend_steps(function.body.size)
        if depth >= MAX_DEPTH or self.calls > MAX_NODES:
            raise FormulaError(
                f"'{name}' cannot be inlined in a formula: its recursion does not end. Recursive"
                " functions need numbers as arguments."
            )
        names = dict(zip(function.parameters, args, strict=True))
        if all(a.op == "number" for a in args):
            try:
                return _literal_tree(
                    evaluate_tree(
                        function.body,
                        self.scope.with_more_values({n: a.value for n, a in names.items()}),
                    )
                )
            except FormulaError:
                pass  # its body has names that stay variables
        return self.inlined_tree(function.body, names, depth + 1)


def _literal_tree(value: Value) -> Node:
    """A value as a syntax tree of constants. An array that occurs often in other arrays is
    converted once. There is no recursion, so arrays may be deeply nested.
    """
    made: dict[int, Node] = {}
    todo = [value]
    while todo:
        at = todo[-1]
        if not isinstance(at, tuple):
            made[id(at)] = number_node(require_number(at))
        elif missing := [inner for inner in at if id(inner) not in made]:
            todo += missing
            continue
        else:
            made[id(at)] = array_node(tuple(made[id(inner)] for inner in at))
        todo.pop()
    return made[id(value)]
