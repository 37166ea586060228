"""Tokeniser for LaTeX formulas; a `Mark` is a token.

``e`` is always Euler's number, so ``1.5e-3`` is 1.5·e - 3, as in the web application (write
0.0015). As in TeX, ``x^23`` is x² · 3 and ``\\frac12`` is ½. A function's name without a backslash
is recognised before a bracket, and ``pi`` is π; other letters are single-letter variables.
"""

from __future__ import annotations

import re

from raybench.formula.errors import ParseError
from raybench.formula.functions import FUNCTIONS, similar_function
from raybench.formula.reading import ENDINGS, Mark

GREEK = frozenset(
    re.findall(
        r"\w+",
        "alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu"
        " xi omicron rho varrho sigma varsigma tau upsilon phi varphi chi psi omega Gamma Delta"
        " Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega",
    )
)
"""Variables that are written with a backslash; gamma is a variable here, although math.js has a
function of that name.
"""
SPACES = frozenset({"quad", "qquad", "displaystyle", "textstyle", "limits", "nolimits"})
COMMANDS = {
    "cdot": "TIMES", "times": "TIMES", "ast": "TIMES", "div": "DIVIDE", "frac": "FRAC", "dfrac": "FRAC", "tfrac": "FRAC", "sqrt": "SQRT",
    "pi": "PI", "infty": "INFINITY", "lfloor": "LFLOOR", "rfloor": "RFLOOR", "lceil": "LCEIL", "rceil": "RCEIL", "lbrack": "LPAR",
    "rbrack": "RPAR", "lvert": "LBAR", "rvert": "RBAR",
}  # fmt: skip
SYMBOLS = {
    "+": "PLUS", "-": "MINUS", "−": "MINUS", "*": "TIMES", "·": "TIMES", "×": "TIMES", "/": "DIVIDE", "÷": "DIVIDE", "^": "POW",
    "(": "LPAR", ")": "RPAR", "[": "LPAR", "]": "RPAR", "{": "LBRACE", "}": "RBRACE", ",": "COMMA", "!": "BANG", "π": "PI",
}  # fmt: skip
NAMING = frozenset({"operatorname", "mathrm", "text", "mathit", "textrm", "mathop"})
SUBSCRIPT = r"(?:\s*_\s*(?:\{\s*(?P<group>[A-Za-z0-9]+)\s*\}|(?P<single>[A-Za-z0-9])))?"
PARTS = re.compile(
    r"(?P<space>(?:\s|~|\\[ ,:;!>]|&)+)"
    r"|(?P<number>\d+(?:\.\d*)?|\.\d+)"
    rf"|(?P<letter>[A-Za-z]){SUBSCRIPT}"
    r"|\\(?P<command>[A-Za-z]+)\*?"
    r"|(?P<symbol>\\?[{}|]|.)",
    re.DOTALL,
)
NAME = re.compile(r"\s*\{\s*(?P<name>[^\W\d](?:\w|\\_)*)\s*\}")
WORD = re.compile(rf"[A-Za-z]{{1,{max(map(len, FUNCTIONS))}}}\d*(?=\s*(?:\\left\s*)?[(\[])")
"""A function's name before a bracket; of bounded length, since it is looked for at every letter."""
EMPTY = re.compile(r"\{\s*\}")
SQUARE = re.compile(r"\s*\[")
BELOW = re.compile(r"\s*_")
DELIMITER = re.compile(r"\s*(\\[A-Za-z]+|\\?.)", re.DOTALL)
SUBSCRIPTED = re.compile(SUBSCRIPT)
PI_WORD = re.compile(r"(?<![A-Za-z])pi(?![A-Za-z_])")


def marks_of(text: str) -> list[Mark]:
    """The tokens of a formula. Raises ParseError."""
    return _Scanner(text).marks


class _Scanner:
    """One pass over a text. ``awaited`` counts pending TeX arguments: a digit there is a token by
    itself.
    """

    def __init__(self, text: str) -> None:
        self.text, self.marks = text, list[Mark]()
        self.position, self.awaited = 0, 0
        self.closers: list[tuple[str, int]] = []
        while self.position < len(text):
            self.step()

    def step(self) -> None:
        start = self.position
        match = PARTS.match(self.text, start)
        assert match is not None
        self.position = match.end()
        if match["number"]:
            if self.text[self.position : self.position + 1] == ".":
                raise ParseError(
                    f"a second decimal point after '{match['number']}'", self.position, "remove it"
                )
            if self.awaited and match["number"][0] != ".":
                self.position = start + 1
            self.add("NUMBER", self.text[start : self.position], start)
        elif match["letter"]:
            self.letter(start, match)
        elif match["command"]:
            self.command(match["command"], start)
        elif EMPTY.match(self.text, start) and not self.awaited:
            self.position = self.text.index("}", start) + 1
        elif match["symbol"]:
            self.symbol(match["symbol"], start)

    def add(self, kind: str, text: str, position: int) -> None:
        if kind in ("LPAR", "LBRACE", "LBAR", "LFLOOR", "LCEIL", "INDEX"):
            self.closers.append((kind, max(0, self.awaited - 1)))
            self.awaited = 0
        elif kind in ("RPAR", "RBRACE", "RBAR", "RFLOOR", "RCEIL", "RSQUARE"):
            self.awaited = self.closers.pop()[1] if self.closers else 0
        elif kind == "FRAC":
            self.awaited = max(0, self.awaited - 1) + 2
        elif kind in ("POW", "SQRT"):
            self.awaited = max(0, self.awaited - 1) + 1
        elif kind not in ("MINUS", "PLUS"):
            self.awaited = max(0, self.awaited - 1)
        else:
            self.awaited = (
                min(self.awaited, 1) if self.marks and self.marks[-1].kind == "POW" else 0
            )
        self.marks.append(Mark(kind, text, position))

    def letter(self, start: int, match: re.Match[str]) -> None:
        word = WORD.match(self.text, start)
        if word and word[0] in FUNCTIONS and not self.awaited:
            self.position = word.end()
            self.add("FUNCTION", word[0], start)
        elif PI_WORD.match(self.text, start) and not self.awaited:
            self.position = start + 2
            self.add("PI", "pi", start)
        elif match[0] == "e":
            self.add("EULER", "e", start)
        else:
            self.add("VARIABLE", _named(match["letter"], match), start)

    def command(self, name: str, start: int) -> None:
        if name in ("left", "right", "bigl", "bigr", "big", "Big", "Bigl", "Bigr", "middle"):
            self.delimiter(name, start)
        elif name in SPACES:
            return
        elif name in NAMING:
            named = NAME.match(self.text, self.position)
            if named is None:
                raise ParseError(
                    f"'\\{name}' has no name",
                    start,
                    f"write \\{name}{{sign}} or another function's name",
                )
            self.position = named.end()
            plain = named["name"].replace("\\", "")
            euler = plain == "e" and name != "operatorname"  # \mathrm{e}, as ISO 80000-2 writes it
            self.add(
                "FUNCTION" if plain in FUNCTIONS else "EULER" if euler else "VARIABLE", plain, start
            )
        elif name in COMMANDS:
            self.add(COMMANDS[name], f"\\{name}", start)
            if name == "sqrt" and (bracket := SQUARE.match(self.text, self.position)):
                self.position = bracket.end()
                self.add("INDEX", "[", bracket.end() - 1)
        elif name in GREEK:
            subscript = SUBSCRIPTED.match(self.text, self.position)
            assert subscript is not None
            self.position = subscript.end()
            self.add("VARIABLE", _named(name, subscript), start)
        elif name in FUNCTIONS:
            self.function(name, start)
        else:
            raise ParseError(f"unknown command '\\{name}'", start, similar_function(name))

    def function(self, name: str, start: int) -> None:
        base = BELOW.match(self.text, self.position) if name == "log" else None
        if base is None:
            self.add("FUNCTION", name, start)
            return
        self.position = base.end()
        self.add("LOG_OF_BASE", "\\log_", start)
        self.awaited = 1

    def delimiter(self, name: str, start: int) -> None:
        """The bracket after \\left or \\right."""
        match = DELIMITER.match(self.text, self.position)
        if match is None:
            raise ParseError(
                f"nothing follows '\\{name}'",
                start,
                "a bracket belongs there, such as \\left( or \\right)",
            )
        mark, self.position = match[1], match.end()
        opens = name in ("left", "bigl", "Bigl")
        kind = COMMANDS.get(mark[1:]) if len(mark) > 2 else SYMBOLS.get(mark.removeprefix("\\"))
        if mark in ("|", "\\|"):
            kind = "LBAR" if opens else "RBAR"
        elif kind in ("LBRACE", "RBRACE"):
            kind = "LPAR" if opens else "RPAR"
        if kind is None or kind[0] not in "LR" or kind[1:] not in ("PAR", "BAR", "FLOOR", "CEIL"):
            raise ParseError(f"'\\{name}{mark}' is not a bracket", start, "use ( ) [ ] or |")
        if kind == "RPAR" and self.closers and self.closers[-1][0] == "INDEX":
            kind = "RSQUARE"
        self.add(kind, f"\\{name}{mark}", start)

    def symbol(self, symbol: str, start: int) -> None:
        if symbol in ("|", "\\|"):
            inside = bool(self.closers) and self.closers[-1][0] == "LBAR"
            ended = bool(self.marks) and self.marks[-1].kind in ENDINGS | {
                "EULER",
                "PI",
                "INFINITY",
            }
            self.add("RBAR" if inside and ended else "LBAR", symbol, start)
            return
        kind = SYMBOLS.get(symbol.removeprefix("\\") if len(symbol) == 2 else symbol)
        if symbol in ("\\{", "\\}"):
            kind = "LPAR" if symbol == "\\{" else "RPAR"
        if symbol == "]" and self.closers and self.closers[-1][0] == "INDEX":
            kind = "RSQUARE"
        if kind is None:
            remedy = "write variables as x_{1}" if symbol == "_" else "remove it"
            raise ParseError(f"unexpected '{symbol}'", start, remedy)
        self.add(kind, symbol, start)


def _named(letter: str, subscript: re.Match[str]) -> str:
    below = subscript["group"] or subscript["single"]
    return f"{letter}_{below}" if below else letter
