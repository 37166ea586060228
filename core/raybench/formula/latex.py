"""Formulas in LaTeX, as in the equation fields of mirrors, glasses and surfaces. They are parsed to
a tree, and a tree can be written so that parsing it gives an equal tree.

``e`` is always Euler's number, so ``1.5e-3`` is 1.5·e - 3, as in the web application (write
0.0015). As in TeX, ``x^23`` is x² · 3 and ``\\frac12`` is ½. A function's name without a backslash
is recognised before a bracket, and ``pi`` is π; other letters are single-letter variables.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Sequence
from decimal import Decimal
from functools import cache, lru_cache, partial
from typing import TYPE_CHECKING

from raybench.formula.functions import (
    FUNCTIONS,
    INVERSE_NAMES,
    apply_function,
    nth_root,
    similar_function_text,
)
from raybench.formula.operations import ARITY
from raybench.formula.reading import (
    OPERAND_ENDINGS,
    FormulaError,
    ParseError,
    locate_error,
    read_formula,
)
from raybench.formula.tree import (
    Node,
    check_tree_size,
    distinct_nodes,
    listed_names_text,
    number_node,
    operation_node,
    variable_node,
)
from raybench.system.grammars import make_parser

if TYPE_CHECKING:
    from lark import Lark, Token

GREEK = frozenset(
    [
        "alpha",
        "beta",
        "gamma",
        "delta",
        "epsilon",
        "varepsilon",
        "zeta",
        "eta",
        "theta",
        "vartheta",
        "iota",
        "kappa",
        "lambda",
        "mu",
        "nu",
        "xi",
        "omicron",
        "rho",
        "varrho",
        "sigma",
        "varsigma",
        "tau",
        "upsilon",
        "phi",
        "varphi",
        "chi",
        "psi",
        "omega",
        "Gamma",
        "Delta",
        "Theta",
        "Lambda",
        "Xi",
        "Pi",
        "Sigma",
        "Upsilon",
        "Phi",
        "Psi",
        "Omega",
    ]
)
"""Variables that are written with a backslash; gamma is a variable here, although math.js has a
function of that name.
"""
_SIZES = r"\\(?:left|right|bigl|bigr|big|Big|Bigl|Bigr|middle)(?![A-Za-z])\s*"
_NAMING = r"\\(?:operatorname|mathrm|text|mathit|textrm|mathop)\*?(?![A-Za-z*])"
_SUBSCRIPT = r"(?:\s*_\s*(?:\{\s*[A-Za-z0-9]+\s*\}|[A-Za-z0-9]))"
_COMMANDS = {"frac", "sqrt", "div"}

# A function without brackets applies to the longest product that follows: the parser resolves this
# ambiguity by preferring shift over reduce. Juxtaposition has the precedence of an explicit
# multiplication sign: 1/2x is x/2. Where TeX takes one sign as an argument (behind ^, \\frac,
# \\sqrt, \\log_) the lexer offers DIGIT and _OPEN instead of NUMBER, words and empty braces.
_RULES = r"""
start: sum
?sum: term | sum _PLUS term -> add | sum _MINUS term -> sub
?term: product | _MINUS term -> neg | _PLUS term -> same
?product: factor | product _TIMES signed -> mul | product _DIVIDE signed -> div
  | product factor -> mul
?signed: factor | _MINUS signed -> neg | _PLUS signed -> same
?factor: power | application
?power: postfix | postfix _POW exponent -> pow
?exponent: raised | raised _POW exponent -> pow | _MINUS exponent -> neg | _PLUS exponent -> same
?raised: argument | enclosed | raised_call
?postfix: operand | postfix _BANG -> factorial
?operand: bracketed | simple | call
?simple: NUMBER -> number | VARIABLE -> variable | (_PI | _PI_WORD) -> pi | _EULER -> euler
  | _INFINITY -> infinity | _FRAC numerator argument -> div | _SQRT argument -> sqrt | enclosed
?enclosed: _SQRT _INDEX sum _RSQUARE argument -> root | _LBAR sum _RBAR -> abs
  | _LFLOOR sum _RFLOOR -> floor | _LCEIL sum _RCEIL -> ceil
?numerator: DIGIT -> number | VARIABLE -> variable | _PI -> pi | _EULER -> euler
  | _INFINITY -> infinity | _FRAC numerator argument -> div | _SQRT argument -> sqrt
  | _LPAR sum _RPAR -> same | _OPEN sum _RBRACE -> same
?argument: DIGIT -> number | VARIABLE -> variable | _PI -> pi | _EULER -> euler
  | _INFINITY -> infinity | _FRAC numerator argument -> div | _SQRT argument -> sqrt
  | _LPAR sum _RPAR -> same | _OPEN sum _RBRACE -> same
?bracketed: _LPAR sum _RPAR -> same | _LBRACE sum _RBRACE -> same
?call: name list -> call | name _POW argument list -> powered_call
  | name _POW _MINUS argument list -> inverse_call | LOG_OF_BASE argument list -> call_of_base
?raised_call: FUNCTION list -> call | FUNCTION _POW argument list -> powered_call
  | FUNCTION _POW _MINUS argument list -> inverse_call | LOG_OF_BASE argument list -> call_of_base
?name: FUNCTION | WORD
list: _LPAR sum (_COMMA sum)* _RPAR | _LBRACE sum (_COMMA sum)* _RBRACE
application: name bare -> call | name _POW argument bare -> powered_call
  | name _POW _MINUS argument bare -> inverse_call | LOG_OF_BASE argument bare -> call_of_base
?bare: run | application -> list | call -> list | call _POW exponent -> powered_alone
  | _MINUS bare -> negative_list
run: bare_power -> list | more -> list
?more: bare_power tail_power -> mul | more tail_power -> mul
?bare_power: bare_postfix | bare_postfix _POW exponent -> pow
?bare_postfix: simple | bare_postfix _BANG -> factorial
?tail_power: tail_postfix | tail_postfix _POW exponent -> pow
?tail_postfix: bracketed | simple | tail_postfix _BANG -> factorial

NUMBER.1: /\d+(?:\.\d*)?|\.\d+/
DIGIT: /\d|\.\d+/
VARIABLE: /[A-Za-z]SUBSCRIPT?|\\(?:GREEK)END SUBSCRIPT?|NAMING\s*\{\s*[^\W\d](?:\w|\\_)*\s*\}/
_EULER.2: /e(?!SUBSCRIPT)|(?!\\operatorname)NAMING\s*\{\s*e\s*\}/
_PI: /π|\\piEND/
_PI_WORD.2: /(?<![A-Za-z])pi(?![A-Za-z_])/
_INFINITY: /\\inftyEND/
FUNCTION.2: /\\(?:COMMANDS)END/
WORD.3: /(?:WORDS)(?=\s*(?:\\left\s*)?[(\[])/
LOG_OF_BASE.3: /\\logEND\s*_/
_FRAC: /\\[dt]?fracEND/
_SQRT: /\\sqrtEND/
_INDEX.2: "["
_PLUS: "+"
_MINUS: /[-−]/
_TIMES: /[*·×]|\\(?:cdot|times|ast)END/
_DIVIDE: /[\/÷]|\\divEND/
_POW: "^"
_BANG: "!"
_COMMA: ","
_LPAR: /(?:SIZES)?(?:[(\[]|\\lbrackEND)|\\\{|SIZES\\[(\[]|OPENERS\\?[{}]/
_RPAR: /(?:SIZES)?(?:[)\]]|\\rbrackEND)|\\\}|SIZES\\[)\]]|CLOSERS\\?[{}]/
_RSQUARE: /(?:SIZES)?\\?\]/
_LBRACE: "{"
_OPEN.2: "{"
_RBRACE: "}"
_LBAR: /\\?\||OPENERS\\?\||(?:SIZES)?\\lvertEND/
_RBAR.1: /\\?\||CLOSERS\\?\||(?:SIZES)?\\rvertEND/
_LFLOOR: /(?:SIZES)?\\lfloorEND/
_RFLOOR: /(?:SIZES)?\\rfloorEND/
_LCEIL: /(?:SIZES)?\\lceilEND/
_RCEIL: /(?:SIZES)?\\rceilEND/
SPACE: /(?:\s|~|\\[ ,:;!>]|&|\\(?:q?quad|displaystyle|textstyle|(?:no)?limits)END)+/
EMPTY.1: /\{\s*\}/
%ignore SPACE
%ignore EMPTY
"""


def parse_latex(text: str, variables: Collection[str] | None = None) -> Node:
    """The tree of a formula in LaTeX. Raises FormulaError.

    Variables are named without LaTeX (``x``, ``theta_0``, ``lambda``). If ``variables`` is given,
    any other variable is an error.
    """
    return _parse_latex(text, None if variables is None else frozenset(variables))


@lru_cache(maxsize=1024)
def _parse_latex(text: str, variables: frozenset[str] | None) -> Node:
    def adapt_token(token: Token, previous: Token | None, still_open: Sequence[Token]) -> Token:
        at, innermost = token.end_pos or 0, still_open[-1].type if still_open else ""
        ended = previous is not None and (
            previous.type in OPERAND_ENDINGS
            or previous.type in ("_EULER", "_PI", "_PI_WORD", "_INFINITY")
        )
        token = token.update(value="".join(token.split()))
        if token.type == "NUMBER" and text[at : at + 1] == ".":
            raise ParseError(f"a second decimal point after '{token}'", at, "remove it")
        if token in ("|", "\\|"):
            return token.update(type="_RBAR" if innermost == "_LBAR" and ended else "_LBAR")
        if token.type in ("_RPAR", "_RSQUARE"):
            square = innermost == "_INDEX" and token != ")"
            return token.update(type="_RSQUARE" if square else "_RPAR")
        if token.type in ("FUNCTION", "VARIABLE"):
            plain = re.sub(r"[\\*{}]", "", token)
            if re.match(_NAMING, token):
                plain = token[token.index("{") + 1 : -1].replace("\\", "")
                token = token.update(type="FUNCTION" if plain in FUNCTIONS else token.type)
            token = token.update(value=plain)
        if token.type == "VARIABLE" and variables is not None and token not in variables:
            place = token.start_pos or 0
            word = re.split("[^A-Za-z]", text[place:], maxsplit=1)[0]
            command = word in FUNCTIONS or word in variables
            remedy = (
                f"write \\{word}"
                if command
                else f"this formula knows {listed_names_text(variables)}"
            )
            raise ParseError(f"unknown variable '{token}'", place, remedy)
        return token

    try:
        tree: Node = read_formula(
            _parser(), "start", text, adapt_token, lambda at: _unreadable_error(text, at)
        )
    except ParseError as error:
        raise locate_error(error, text) from None
    return check_tree_size(tree, text)


def _unreadable_error(text: str, position: int) -> ParseError:
    """The error for an invalid token at ``position`` in the text."""
    if found := re.compile(r"(\\[A-Za-z]+)(\s*)(\\[A-Za-z]+|\\?.)?", re.DOTALL).match(
        text, position
    ):
        command, behind = found[1], found[3]
        if re.fullmatch(_SIZES, command):
            if behind is None:
                remedy = "a bracket belongs there, such as \\left( or \\right)"
                return ParseError(f"nothing follows '{command}'", position, remedy)
            what = f"'{command}{behind}' is not a bracket"
            return ParseError(what, position, "use ( ) [ ] or |")
        if re.fullmatch(_NAMING, command):
            remedy = f"write {command}{{sign}} or another function's name"
            return ParseError(f"'{command}' has no name", position, remedy)
        what = f"unknown command '{command}'"
        return ParseError(what, position, similar_function_text(command[1:]))
    remedy = "write variables as x_{1}" if text[position] == "_" else "remove it"
    return ParseError(f"unexpected '{text[position]}'", position, remedy)


@cache
def _parser() -> Lark:
    from lark import Transformer, v_args

    def build_call(token: Token, args: tuple[Node, ...]) -> Node:
        try:
            return apply_function(str(token), args)
        except ValueError as wrong:
            remedy = "separate arguments by commas"
            raise ParseError(str(wrong), token.start_pos or 0, remedy) from None

    @v_args(inline=True)
    class Builder(Transformer):  # type: ignore[type-arg]
        add, sub, mul, div, pow, neg, factorial, sqrt, abs, floor, ceil = (
            partial(operation_node, op)
            for op in (
                "add",
                "sub",
                "mul",
                "div",
                "pow",
                "neg",
                "factorial",
                "sqrt",
                "abs",
                "floor",
                "ceil",
            )
        )

        def start(self, tree: Node) -> Node:
            return tree

        def same(self, x: Node) -> Node:
            return x

        def number(self, token: Token) -> Node:
            return number_node(float(token))

        def variable(self, token: Token) -> Node:
            return variable_node(str(token))

        def pi(self) -> Node:
            return number_node(math.pi)

        def euler(self) -> Node:
            return number_node(math.e)

        def infinity(self) -> Node:
            return number_node(math.inf)

        def root(self, degree: Node, x: Node) -> Node:
            return nth_root(x, degree)

        def list(self, *args: Node) -> tuple[Node, ...]:
            return args

        def powered_alone(self, x: Node, exponent: Node) -> tuple[Node, ...]:
            return (operation_node("pow", x, exponent),)

        def negative_list(self, args: tuple[Node, ...]) -> tuple[Node, ...]:
            return tuple(operation_node("neg", a) for a in args)

        def call(self, token: Token, args: tuple[Node, ...]) -> Node:
            return build_call(token, args)

        def powered_call(self, token: Token, exponent: Node, args: tuple[Node, ...]) -> Node:
            if exponent.op == "number" and exponent.value == -1.0 and token in INVERSE_NAMES:
                return build_call(token.update(value=INVERSE_NAMES[token]), args)
            return operation_node("pow", build_call(token, args), exponent)

        def inverse_call(self, token: Token, exponent: Node, args: tuple[Node, ...]) -> Node:
            return self.powered_call(token, operation_node("neg", exponent), args)

        def call_of_base(self, token: Token, base: Node, args: tuple[Node, ...]) -> Node:
            if len(args) != 1:
                remedy = "write \\log_{2}\\left(x\\right)"
                what = "a logarithm takes 1 argument"
                raise ParseError(what, token.start_pos or 0, remedy)
            return apply_function("log", (args[0], base))

    functions = sorted(FUNCTIONS, key=len, reverse=True)
    commands = [name for name in functions if name not in GREEK and name not in _COMMANDS]
    rules = _RULES
    for word, pattern in {
        "WORDS": "|".join(name for name in functions if "_" not in name),
        "COMMANDS": "|".join(commands),
        "GREEK": "|".join(sorted(GREEK)),
        "END SUBSCRIPT": "ENDSUBSCRIPT",
        "END": r"(?![A-Za-z])\*?",
        "NAMING": _NAMING,
        "SUBSCRIPT": _SUBSCRIPT,
        "OPENERS": r"\\(?:left|[Bb]igl)\s*",
        "CLOSERS": r"\\(?:right|[Bb]igr?|middle)(?![A-Za-z])\s*",
        "SIZES": _SIZES,
    }.items():
        rules = rules.replace(word, pattern)
    return make_parser("latex", rules, lexer="contextual", transformer=Builder())


# --- writing

SUM, TERM, PRODUCT, POWER, POSTFIX, OPERAND = range(6)
"""Precedences: an operand with a lower precedence than its context requires is put in brackets."""

LETTER = re.compile(r"(?P<letter>[A-Za-z]|[A-Za-z]{2,})(?:_(?P<below>[A-Za-z0-9]+))?")
COMMANDS = {
    "exp": "\\exp", "log": "\\ln", "sin": "\\sin", "cos": "\\cos", "tan": "\\tan", "asin": "\\arcsin", "acos": "\\arccos",
    "atan": "\\arctan", "sinh": "\\sinh", "cosh": "\\cosh", "tanh": "\\tanh", "min": "\\min", "max": "\\max",
}  # fmt: skip

FORMS: dict[str, tuple[int, str, *tuple[int, ...]]] = {
    "add": (SUM, "{}+{}", SUM, PRODUCT), "sub": (SUM, "{}-{}", SUM, PRODUCT), "neg": (TERM, "-{}", PRODUCT),
    "mul": (PRODUCT, "{}\\cdot {}", PRODUCT, POWER), "div": (OPERAND, "\\frac{{{}}}{{{}}}", SUM, SUM),
    "pow": (POWER, "{}^{{{}}}", POSTFIX, SUM), "factorial": (POSTFIX, "{}!", POSTFIX),
    "sqrt": (OPERAND, "\\sqrt{{{}}}", SUM), "cbrt": (OPERAND, "\\sqrt[3]{{{}}}", SUM),
    "abs": (OPERAND, "\\left|{}\\right|", SUM), "floor": (OPERAND, "\\left\\lfloor {}\\right\\rfloor", SUM),
    "ceil": (OPERAND, "\\left\\lceil {}\\right\\rceil", SUM),
}  # fmt: skip
"""How operations are written that have signs of their own: the precedence of the whole, its form,
and the least precedence of each operand without brackets.
"""
Text = tuple[str, int]


def to_latex(root: Node) -> str:
    """The formula in LaTeX. Raises FormulaError for arrays, calls and random numbers, which only
    formulas of modules contain.
    """
    check_tree_size(root)
    written: dict[bytes, Text] = {}
    for node in distinct_nodes(root):
        written[node.key] = _write_node(node, [written[a.key] for a in node.args])
    return written[root.key][0]


def _write_node(node: Node, args: list[Text]) -> Text:
    if node.op == "number":
        return _write_number(node.value)
    if node.op == "variable":
        return _write_variable(node.name), OPERAND
    if node.op not in ARITY:
        raise FormulaError(
            f"A formula for LaTeX contains {node.name or node.op}: replace it by numbers or"
            " operations first."
        )
    if node.op in FORMS:
        precedence, form, *needed = FORMS[node.op]
        pairs = zip(args, needed, strict=True)
        written = [
            text if own >= least else f"\\left({text}\\right)" for (text, own), least in pairs
        ]
        return form.format(*written), precedence
    command = COMMANDS.get(node.op) or f"\\operatorname{{{_escape_name(node.op)}}}"
    return f"{command}\\left({','.join(text for text, _ in args)}\\right)", OPERAND


def _write_number(value: float) -> Text:
    if value < 0.0 or math.copysign(1.0, value) < 0.0:
        return f"-{_write_number(-value)[0]}", TERM
    if value == math.pi:
        return "\\pi", OPERAND
    if value == math.e:
        return "e", OPERAND
    if value == math.inf:
        return "\\infty", OPERAND
    return format(Decimal(repr(value)), "f").removesuffix(".0"), OPERAND


def _write_variable(name: str) -> str:
    match = LETTER.fullmatch(name)
    if match and (len(match["letter"]) == 1 or match["letter"] in GREEK) and name != "e":
        letter = match["letter"] if len(match["letter"]) == 1 else f"\\{match['letter']}"
        return f"{letter}_{{{match['below']}}}" if match["below"] else letter
    return f"\\operatorname{{{_escape_name(name)}}}"


def _escape_name(name: str) -> str:
    return name.replace("_", "\\_")
