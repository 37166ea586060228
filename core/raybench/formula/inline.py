"""Inlining: in a module's formula for an object, names in scope become numbers and function calls
their bodies; other names stay.
"""

from __future__ import annotations

from collections.abc import Mapping

from raybench.formula.errors import FormulaError
from raybench.formula.evaluate import Scope, Value, called, one_number, value_of
from raybench.formula.functions import CONSTANTS
from raybench.formula.tree import LARGEST, Node, array, number, rebuilt, with_args, within_limit

MAX_DEPTH = 50
"""Maximum nesting depth of inlined function calls."""


def inline(formula: str | Node, scope: Scope) -> Node:
    """The formula independent of the scope: values, constants and random numbers become numbers,
    calls the functions' bodies.

    Names that are not in scope stay variables. Raises FormulaError, also for functions that are
    recursive in variables.
    """
    return _Inlining(scope).tree(scope.tree(formula), {}, 0)


class _Inlining:
    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.calls = 0

    def tree(self, root: Node, names: Mapping[str, Node], depth: int) -> Node:
        def changed(node: Node, args: tuple[Node, ...]) -> Node:
            if node.op == "variable":
                return self.named(node, names)
            if node.op == "random":
                return _literal(value_of(node, self.scope))
            if node.op == "call":
                return self.called(node.name, args, depth)
            return with_args(node, args)

        return within_limit(rebuilt(root, changed))

    def named(self, node: Node, names: Mapping[str, Node]) -> Node:
        if node.name in names:
            return names[node.name]
        if node.name in self.scope.values:
            return _literal(self.scope.values[node.name])
        return number(CONSTANTS[node.name]) if node.name in CONSTANTS else node

    def called(self, name: str, args: tuple[Node, ...], depth: int) -> Node:
        function = called(name, len(args), self.scope)
        self.calls += 1
        self.scope.spend(function.body.size)
        if depth >= MAX_DEPTH or self.calls > LARGEST:
            raise FormulaError(
                f"'{name}' cannot be inlined in a formula: its recursion does not end. Recursive"
                " functions need numbers as arguments."
            )
        names = dict(zip(function.parameters, args, strict=True))
        if all(a.op == "number" for a in args):
            try:
                return _literal(
                    value_of(
                        function.body,
                        self.scope.with_values({n: a.value for n, a in names.items()}),
                    )
                )
            except FormulaError:
                pass  # its body has names that stay variables
        return self.tree(function.body, names, depth + 1)


def _literal(value: Value) -> Node:
    """A value as a tree. An array that occurs often in others, nested deeply, is converted once,
    and without recursion.
    """
    made: dict[int, Node] = {}
    todo = [value]
    while todo:
        at = todo[-1]
        if not isinstance(at, tuple):
            made[id(at)] = number(one_number(at))
        elif missing := [inner for inner in at if id(inner) not in made]:
            todo += missing
            continue
        else:
            made[id(at)] = array(tuple(made[id(inner)] for inner in at))
        todo.pop()
    return made[id(value)]
