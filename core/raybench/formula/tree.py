"""The syntax tree of formulas: immutable nodes. The functions that create nodes also simplify.

Simplified are operations on numbers with a finite result (so 1/0 stays as it is); x+0, x-0, x*1,
x/1, x^1, x^0 (1 for every x, as in JavaScript), --x, -1*x, x+(-y), x+(-2), e^x to exp. 0*x and 1^x
are simplified only if x is finite for all finite variables; 0*(1/x) stays, since it is undefined at
0. Rounding functions (floor, ceil, round, trunc) of numbers stay, because math.js and JavaScript
evaluate them differently.

Trees may be as deep as a sum is long, and derivatives share subtrees: functions here and elsewhere
are not recursive, but iterate over `distinct_nodes`, which gives each distinct node once, after its
arguments.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from hashlib import blake2b

from raybench.errors import elide_text
from raybench.formula.interpreter import plain
from raybench.formula.operations import ARITY, CODE, FINITE, STEPS
from raybench.formula.reading import FormulaError

MAX_NODES = 10_000
"""Maximum number of nodes of a formula, after inlining of functions."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Node:
    """A number, a variable, or an operation with its arguments; created by `number_node`,
    `variable_node` and `operation_node`.

    ``op`` is "number" (``value``), "variable" (``name``), a name from `operations.ARITY`, or an
    operation that only modules use: "call" of the module's function ``name``, "array", "index",
    "random" (``value``: its position in the text, each is distinct). ``size`` counts the nodes of
    the tree, a shared node each time it occurs; ``finite`` means that the value is finite for all
    finite variables. Equal trees have equal ``key``.
    """

    op: str
    args: tuple[Node, ...]
    value: float
    name: str
    size: int
    finite: bool
    key: bytes

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Node) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    def __repr__(self) -> str:
        if self.op == "number":
            return f"Node({self.value!r})"
        return f"Node({self.name or self.op}{f', {self.size} nodes' if self.args else ''})"

    def __reduce__(
        self,
    ) -> tuple[object, ...]:  # copying and pickling would recurse as deep as the tree
        raise TypeError("formulas are copied as text")


def _make_node(
    op: str, args: tuple[Node, ...] = (), value: float = 0.0, name: str = "", finite: bool = False
) -> Node:
    parts = [
        op.encode(),
        b"\0",
        struct.pack("<d", value),
        name.encode("utf-8", "surrogatepass"),
        b"\0",
        *(a.key for a in args),
    ]
    key = blake2b(b"".join(parts), digest_size=16).digest()
    return Node(op, args, value, name, 1 + sum(a.size for a in args), finite, key)


def number_node(value: float) -> Node:
    """A node with a constant number; NaN is represented as 0/0."""
    value = float(value)
    if value != value:
        return _make_node("div", (ZERO, ZERO))
    return _make_node("number", value=value, finite=math.isfinite(value))


ZERO = _make_node("number", finite=True)
ONE = number_node(1.0)


def variable_node(name: str) -> Node:
    """A node with a variable, named without LaTeX commands: ``x``, ``theta_0``, ``lambda``."""
    return _make_node("variable", name=name, finite=True)


def call_node(name: str, args: tuple[Node, ...], position: int) -> Node:
    """A node that calls a function of a module; ``position`` is where the call stands in the text."""
    return _make_node("call", args, float(position), name)


def random_node(position: int) -> Node:
    """A node with a random number from 0 to 1. It differs for every position in the text and in
    every evaluation.
    """
    return _make_node("random", value=float(position))


def array_node(args: tuple[Node, ...]) -> Node:
    """A node for an array, whose elements are the nodes ``args``."""
    return _make_node("array", args)


def element_node(values: Node, position: Node) -> Node:
    """A node with one element of an array; elements are counted from 1."""
    if values.op == "array" and position.op == "number" and 1 <= position.value <= len(values.args):
        place = int(position.value)
        if place == position.value:
            return values.args[place - 1]
    return _make_node("index", (values, position))


def operation_node(op: str, *args: Node) -> Node:
    """A node with an operation on other nodes, simplified where that does not change the value."""
    assert len(args) == ARITY[op], f"{op} takes {ARITY[op]} arguments"
    if op not in STEPS and all(a.op == "number" for a in args):
        values = [a.value for a in args] + [0.0, 0.0]
        folded = plain.operate(CODE[op], values[0], values[1], values[2])
        if math.isfinite(folded):
            return number_node(folded)
    rule = _RULES.get(op)
    simpler = rule(*args) if rule is not None else None
    if simpler is not None:
        return simpler
    return _make_node(op, args, finite=_is_finite(op, args))


def _is_finite(op: str, args: tuple[Node, ...]) -> bool:
    if not all(a.finite for a in args):
        return False
    if op in FINITE:
        return True
    whole = (
        op == "pow"
        and args[1].op == "number"
        and args[1].value >= 0.0
        and args[1].value.is_integer()
    )
    divided = op == "div" and args[1].op == "number" and args[1].value != 0.0
    return whole or divided


def _is_constant(node: Node, value: float) -> bool:
    return node.op == "number" and node.value == value


def _simplified_sum(x: Node, y: Node) -> Node | None:
    if _is_constant(x, 0.0):
        return y
    if _is_constant(y, 0.0):
        return x
    if y.op == "number" and y.value < 0.0:
        return operation_node("sub", x, number_node(-y.value))
    return operation_node("sub", x, y.args[0]) if y.op == "neg" else None


def _simplified_difference(x: Node, y: Node) -> Node | None:
    if _is_constant(y, 0.0):
        return x
    if _is_constant(x, 0.0):
        return operation_node("neg", y)
    if y.op == "number" and y.value < 0.0:
        return operation_node("add", x, number_node(-y.value))
    return operation_node("add", x, y.args[0]) if y.op == "neg" else None


def _simplified_product(x: Node, y: Node) -> Node | None:
    for a, b in ((x, y), (y, x)):
        if _is_constant(a, 1.0):
            return b
        if _is_constant(a, -1.0):
            return operation_node("neg", b)
        if _is_constant(a, 0.0) and b.finite:
            return ZERO
    return None


def _simplified_quotient(x: Node, y: Node) -> Node | None:
    if _is_constant(y, 1.0):
        return x
    return operation_node("neg", x) if _is_constant(y, -1.0) else None


def _simplified_negation(x: Node) -> Node | None:
    if x.op == "number":
        return number_node(-x.value)
    return x.args[0] if x.op == "neg" else None


def _simplified_power(x: Node, y: Node) -> Node | None:
    if _is_constant(y, 1.0):
        return x
    if _is_constant(y, 0.0) or (_is_constant(x, 1.0) and y.finite):
        return ONE
    return operation_node("exp", y) if _is_constant(x, math.e) else None


def _simplified_selection(condition: Node, x: Node, y: Node) -> Node | None:
    if condition.op == "number":
        return x if condition.value != 0.0 else y
    return x if x == y else None


_RULES: dict[str, Callable[..., Node | None]] = {
    "add": _simplified_sum, "sub": _simplified_difference, "mul": _simplified_product, "div": _simplified_quotient, "neg": _simplified_negation, "pow": _simplified_power, "select": _simplified_selection,
}  # fmt: skip


def distinct_nodes(*roots: Node) -> Iterator[Node]:
    """Yield each distinct node of the trees once, after its arguments."""
    seen: set[bytes] = set()
    stack = [(root, False) for root in reversed(roots)]
    while stack:
        node, ready = stack.pop()
        if node.key in seen:
            continue
        if ready or not node.args:
            seen.add(node.key)
            yield node
        else:
            stack.append((node, True))
            stack.extend((a, False) for a in reversed(node.args))


def rebuild_tree(root: Node, changed: Callable[[Node, tuple[Node, ...]], Node]) -> Node:
    """Rebuild a tree from its leaves. ``changed`` returns the new node for each distinct node and
    its new arguments.
    """
    new: dict[bytes, Node] = {}
    for node in distinct_nodes(root):
        new[node.key] = changed(node, tuple(new[a.key] for a in node.args))
    return new[root.key]


def node_with_arguments(node: Node, args: tuple[Node, ...]) -> Node:
    """A node with the same operation on other arguments."""
    if args == node.args:
        return node
    if node.op in ARITY:
        return operation_node(node.op, *args)
    return (
        element_node(*args)
        if node.op == "index"
        else _make_node(node.op, args, node.value, node.name)
    )


def check_tree_size(root: Node, text: str = "") -> Node:
    """Return the tree unchanged. Raises FormulaError if it has more than `MAX_NODES` nodes."""
    if root.size > MAX_NODES:
        shown = f" '{text[:40]}…'" if text else ""
        raise FormulaError(
            f"The formula{shown} has {root.size} parts, more than {MAX_NODES}: make it shorter.",
            text,
        )
    return root


def listed_names_text(names: Collection[str]) -> str:
    """Names as text for an error message: sorted and separated by commas. If there are many names,
    only the first and the last are listed.
    """
    return elide_text(", ".join(sorted(names)), 400) if names else "none"
