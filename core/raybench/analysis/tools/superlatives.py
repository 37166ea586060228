"""Which of several objects has the largest or the smallest value: ``which lens has the longest
focal length``, ``which of A and B gets more light``.
"""

from __future__ import annotations

import re

from raybench.analysis.tools.clauses import Clauses, Meant
from raybench.analysis.tools.marks import LARGEST, OBJECT, SMALLEST, SOURCE
from raybench.analysis.tools.measure_phrases import measures_asked
from raybench.analysis.tools.nouns import NOUNS
from raybench.analysis.tools.phrases import Understanding

LARGEST_FIRST, SMALLEST_FIRST = "largest first", "smallest first"
LENSES = frozenset(word for word in NOUNS if "lens" in word.split())
"""The nouns of lenses."""
_EXTREME = rf"(?P<extreme>{LARGEST}|{SMALLEST})"
_WHICH = (
    rf"(?:which|what)(?: (?:one )?of)? (?P<object>{OBJECT}(?:(?: {OBJECT})* (?:and|or) {OBJECT})?)"
)
_HIT = "is (?:hit|reached|met) by"
_ASKED = tuple(
    (re.compile(pattern), plain)
    for pattern, plain in (
        (
            rf"{_WHICH} (?:has|receives?|gets?|collects?|{_HIT}) {_EXTREME} rays",
            r"number of rays at \g<object>",
        ),
        (rf"{_WHICH} {_HIT} {_EXTREME} (?:light|power)", r"how much light reaches \g<object>"),
        (
            (
                rf"{_WHICH}"
                r" (?P<verb>receive|get|collect|see|absorb|reflect|transmit|emit|stop|block)s?"
                rf" {_EXTREME}(?: light| power)?"
            ),
            r"how much light does \g<object> \g<verb>",
        ),
        (
            rf"(?:which|what) (?P<object>{SOURCE}) is {_EXTREME}",
            r"how much light does \g<object> emit",
        ),
        (
            rf"(?:which|what) (?:one )?is {_EXTREME} (?P<object>{SOURCE})",
            r"how much light does \g<object> emit",
        ),
        (rf"{_WHICH} (?:has|have) {_EXTREME} (?P<quantity>.+)", r"\g<quantity> of \g<object>"),
        (
            (
                rf"(?:(?:which|what|where) is |find |show )?(?P<object>{OBJECT}) with {_EXTREME}"
                r" (?P<quantity>.+)"
            ),
            r"\g<quantity> of \g<object>",
        ),
    )
)
"""Questions for the object with an extreme value, and the plain ones for the values of all of these
objects.
"""
_STRONG = r"(?P<extreme>strong(?:est|er)|weak(?:est|er)|(?:most|least|more|less) powerful)"
_STRONGEST = tuple(
    re.compile(p)
    for p in (
        rf"{_WHICH} is {_STRONG}",
        rf"(?:which|what) (?:one )?is {_STRONG} (?P<object>{OBJECT})",
    )
)
"""Questions for the lens that bends light most: the one with the shortest focal length."""


def ranked_measures_asked(said: Clauses) -> Understanding:
    """What the clauses ask for if they ask which object has an extreme value: measures, and their
    ``order``; None if they do not.
    """
    for pattern, plain in _ASKED:
        if (match := pattern.search(said.remainder)) is not None:
            return _ranked(
                said,
                match,
                plain,
                LARGEST_FIRST if re.fullmatch(LARGEST, match["extreme"]) else SMALLEST_FIRST,
            )
    for pattern in _STRONGEST:
        match = pattern.search(said.remainder)
        if match is not None and all(
            said.noun(mark) in LENSES for mark in re.findall(OBJECT, match["object"])
        ):
            order = (
                SMALLEST_FIRST if match["extreme"].startswith(("strong", "mo")) else LARGEST_FIRST
            )
            return _ranked(said, match, r"nominal focal length of \g<object>", order)
    return None


def _ranked(said: Clauses, match: re.Match[str], plain: str, order: str) -> Understanding:
    """The measures that the plain question in place of a match asks for, in an order."""
    asked = said.copy()
    asked.remainder = (
        said.remainder[: match.start()]
        + match.expand(plain).replace(" or ", " and ")
        + said.remainder[match.end() :]
    )
    found = measures_asked(asked, units=True)
    return Meant({**found, "order": order}, found.spare) if isinstance(found, Meant) else found
