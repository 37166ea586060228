"""Which of several objects has the largest or the smallest value: ``which lens has the longest focal length``."""

from __future__ import annotations

import re

from core.analysis.tools.clauses import Clauses, Meant
from core.analysis.tools.marks import LARGEST, OBJECT, SMALLEST, SOURCE
from core.analysis.tools.measure_phrases import measures_asked
from core.analysis.tools.phrases import Understanding

LARGEST_FIRST, SMALLEST_FIRST = "largest first", "smallest first"
_EXTREME = rf"(?P<extreme>{LARGEST}|{SMALLEST})"
_WHICH = rf"(?:which|what)(?: (?:one )?of)? (?P<object>{OBJECT})"
_HIT = "is (?:hit|reached|met) by"
_ASKED = tuple(
    (re.compile(pattern), plain)
    for pattern, plain in (
        (rf"{_WHICH} (?:has|receives?|gets?|collects?|{_HIT}) {_EXTREME} rays", r"number of rays at \g<object>"),
        (rf"{_WHICH} {_HIT} {_EXTREME} (?:light|power)", r"how much light reaches \g<object>"),
        (
            rf"{_WHICH} (?P<verb>receive|get|collect|see|absorb|reflect|transmit|emit|stop|block)s? {_EXTREME}(?: light| power)?",
            r"how much light does \g<object> \g<verb>",
        ),
        (rf"(?:which|what) (?P<object>{SOURCE}) is {_EXTREME}", r"how much light does \g<object> emit"),
        (rf"{_WHICH} (?:has|have) {_EXTREME} (?P<quantity>.+)", r"\g<quantity> of \g<object>"),
        (rf"(?:(?:which|what|where) is |find |show )?(?P<object>{OBJECT}) with {_EXTREME} (?P<quantity>.+)", r"\g<quantity> of \g<object>"),
    )
)
"""Questions for the object with an extreme value, and the plain ones for the values of all of these objects."""


def ranked_measures_asked(said: Clauses) -> Understanding:
    """What the clauses ask for if they ask which object has an extreme value: measures, and their ``order``; None if they do not."""
    for pattern, plain in _ASKED:
        if (match := pattern.search(said.remainder)) is None:
            continue
        asked = said.copy()
        asked.remainder = said.remainder[: match.start()] + match.expand(plain) + said.remainder[match.end() :]
        found = measures_asked(asked, units=True)
        if not isinstance(found, Meant):
            return found
        order = LARGEST_FIRST if re.fullmatch(LARGEST, match["extreme"]) else SMALLEST_FIRST
        return Meant({**found, "order": order}, found.spare)
    return None
