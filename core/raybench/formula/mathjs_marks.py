"""Tokeniser for math.js' syntax; a `Mark` is a token."""

from __future__ import annotations

import re
from collections.abc import Iterator

from raybench.formula.errors import ParseError
from raybench.formula.functions import FUNCTIONS
from raybench.formula.reading import ENDINGS, Mark, check_length

SYMBOLS = {
    "+": "PLUS", "-": "MINUS", "*": "TIMES", ".*": "TIMES", "/": "DIVIDE", "./": "DIVIDE", "%": "MOD", "^": "POW", ".^": "POW", "**": "POW",
    "!": "BANG", "==": "RELATION", "!=": "RELATION", "<": "RELATION", "<=": "RELATION", ">": "RELATION", ">=": "RELATION", "?": "QUESTION",
    ":": "COLON", ",": "COMMA", "(": "LPAR", ")": "RPAR", "[": "LSQUARE", "]": "RSQUARE", "=": "EQUALS", ";": "END", "\n": "END",
}  # fmt: skip
WORDS = {"and": "AND", "or": "OR", "xor": "XOR", "not": "NOT", "mod": "MOD"}
PARTS = re.compile(
    r"(?P<space>[^\S\n]+|\#[^\n]*)|(?P<number>0x[0-9a-fA-F]+|0o[0-7]+|0b[01]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(?P<name>[^\W\d]\w*)"
    r"|(?P<symbol>[=!<>]=|\.[*/^]|\*\*|.|\n)",
)
CALLS = re.compile(r"[^\S\n]*\(")


def marks_of(text: str) -> list[Mark]:
    """The tokens of a text; a line break ends a statement unless a bracket is open or the
    expression continues. Raises ParseError.
    """
    check_length(text)
    marks: list[Mark] = []
    depth = 0
    for match in PARTS.finditer(text):
        start, token = match.start(), match[0]
        before = marks[-1] if marks else None
        if match["space"]:
            continue
        if match["number"]:
            if before is not None and before.kind == "NUMBER":
                raise ParseError(
                    f"two numbers side by side, '{before.text}' and '{token}'",
                    start,
                    "write * between them",
                )
            marks.append(Mark("NUMBER", token, start))
        elif match["name"]:
            called = CALLS.match(text, match.end()) is not None
            kind = WORDS.get(token) or ("FUNCTION" if called else "NAME")
            if token in FUNCTIONS and called and (before is None or before.kind not in ENDINGS):
                kind = (
                    "NOT" if token == "not" else "FUNCTION"
                )  # mod(7, 4), where 7 mod (4) is an operator
            marks.append(Mark(kind, token, start))
        elif token == "\n":
            if depth == 0 and before is not None and before.kind in ENDINGS:
                marks.append(Mark("END", token, start))
        elif token in SYMBOLS:
            kind = SYMBOLS[token]
            depth += (kind in ("LPAR", "LSQUARE")) - (kind in ("RPAR", "RSQUARE"))
            marks.append(Mark(kind, token, start))
        else:
            raise ParseError(f"unexpected '{token}'", start, "remove it")
    return _with_fractions(marks)


def _with_fractions(marks: list[Mark]) -> list[Mark]:
    """Mark the division signs of fractions of two numbers before a name or a bracket, which bind
    more tightly.
    """
    for i in range(1, len(marks) - 2):
        kinds = [m.kind for m in marks[i - 1 : i + 3]]
        if (
            kinds[:3] == ["NUMBER", "DIVIDE", "NUMBER"]
            and kinds[3] in ("NAME", "FUNCTION", "LPAR")
            and (i < 2 or marks[i - 2].kind != "POW")
        ):
            marks[i] = marks[i]._replace(kind="FRACTION")
    return marks


def split_at(marks: list[Mark], kind: str) -> Iterator[list[Mark]]:
    """The tokens split at those of a kind, outside of brackets and conditions."""
    piece: list[Mark] = []
    depth = conditions = 0
    for mark in marks:
        depth += (mark.kind in ("LPAR", "LSQUARE")) - (mark.kind in ("RPAR", "RSQUARE"))
        conditions += (mark.kind == "QUESTION") if depth == 0 else 0
        if mark.kind == kind and depth <= 0 and (kind != "COLON" or conditions == 0):
            yield piece
            piece = []
            continue
        conditions -= (mark.kind == "COLON") if depth == 0 and conditions else 0
        piece.append(mark)
    yield piece
