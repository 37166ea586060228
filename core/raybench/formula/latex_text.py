"""Conversion of a tree to LaTeX, such that parsing it gives an equal tree."""

from __future__ import annotations

import math
import re
from decimal import Decimal

from raybench.formula.errors import FormulaError
from raybench.formula.latex_marks import GREEK
from raybench.formula.operations import ARITY
from raybench.formula.tree import Node, nodes_of, within_limit

SUM, TERM, PRODUCT, POWER, POSTFIX, OPERAND = range(6)
"""Precedences: an operand with a lower precedence than its context requires is put in brackets."""

LETTER = re.compile(r"(?P<letter>[A-Za-z]|[A-Za-z]{2,})(?:_(?P<below>[A-Za-z0-9]+))?")
COMMANDS = {
    "exp": "\\exp", "log": "\\ln", "sin": "\\sin", "cos": "\\cos", "tan": "\\tan", "asin": "\\arcsin", "acos": "\\arccos",
    "atan": "\\arctan", "sinh": "\\sinh", "cosh": "\\cosh", "tanh": "\\tanh", "min": "\\min", "max": "\\max",
}  # fmt: skip

Text = tuple[str, int]


def to_latex(root: Node) -> str:
    """The formula in LaTeX. Raises FormulaError for arrays, calls and random numbers, which only
    modules have.
    """
    within_limit(root)
    written: dict[bytes, Text] = {}
    for node in nodes_of(root):
        written[node.key] = _written(node, [written[a.key] for a in node.args])
    return written[root.key][0]


def _written(node: Node, args: list[Text]) -> Text:
    match node.op:
        case "number":
            return _number(node.value)
        case "variable":
            return _variable(node.name), OPERAND
        case "add":
            return f"{_at(SUM, args[0])}+{_at(PRODUCT, args[1])}", SUM
        case "sub":
            return f"{_at(SUM, args[0])}-{_at(PRODUCT, args[1])}", SUM
        case "neg":
            return f"-{_at(PRODUCT, args[0])}", TERM
        case "mul":
            return f"{_at(PRODUCT, args[0])}\\cdot {_at(POWER, args[1])}", PRODUCT
        case "div":
            return f"\\frac{{{args[0][0]}}}{{{args[1][0]}}}", OPERAND
        case "pow":
            return f"{_at(POSTFIX, args[0])}^{{{args[1][0]}}}", POWER
        case "factorial":
            return f"{_at(POSTFIX, args[0])}!", POSTFIX
        case "sqrt":
            return f"\\sqrt{{{args[0][0]}}}", OPERAND
        case "cbrt":
            return f"\\sqrt[3]{{{args[0][0]}}}", OPERAND
        case "abs":
            return f"\\left|{args[0][0]}\\right|", OPERAND
        case "floor" | "ceil":
            return f"\\left\\l{node.op} {args[0][0]}\\right\\r{node.op}", OPERAND
    if node.op not in ARITY:
        raise FormulaError(
            f"A formula for LaTeX contains {node.name or node.op}: replace it by numbers or"
            " operations first."
        )
    command = COMMANDS.get(node.op) or f"\\operatorname{{{_escaped(node.op)}}}"
    return f"{command}\\left({','.join(text for text, _ in args)}\\right)", OPERAND


def _at(least: int, text: Text) -> str:
    return text[0] if text[1] >= least else f"\\left({text[0]}\\right)"


def _number(value: float) -> Text:
    if value < 0.0 or math.copysign(1.0, value) < 0.0:
        return f"-{_number(-value)[0]}", TERM
    if value == math.pi:
        return "\\pi", OPERAND
    if value == math.e:
        return "e", OPERAND
    if value == math.inf:
        return "\\infty", OPERAND
    return format(Decimal(repr(value)), "f").removesuffix(".0"), OPERAND


def _variable(name: str) -> str:
    match = LETTER.fullmatch(name)
    if match and (len(match["letter"]) == 1 or match["letter"] in GREEK) and name != "e":
        letter = match["letter"] if len(match["letter"]) == 1 else f"\\{match['letter']}"
        return f"{letter}_{{{match['below']}}}" if match["below"] else letter
    return f"\\operatorname{{{_escaped(name)}}}"


def _escaped(name: str) -> str:
    return name.replace("_", "\\_")
