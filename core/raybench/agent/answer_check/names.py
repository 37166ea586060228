"""The names in an answer that look like names of objects, but that no source holds."""

from __future__ import annotations

import re
from collections.abc import Iterator

from raybench.agent.answer_check.claims import singular
from raybench.agent.answer_check.evidence import Evidence

_HEADS = frozenset(
    [
        "laser",
        "lamp",
        "lens",
        "mirror",
        "prism",
        "screen",
        "detector",
        "grating",
        "source",
        "aperture",
        "stop",
        "iris",
        "splitter",
        "glass",
        "sensor",
        "blocker",
        "camera",
        "eye",
        "collimator",
        "slit",
        "window",
        "plate",
        "wedge",
        "ball",
        "drop",
        "guide",
    ]
)
"""The last words of names of objects, besides those of the scene."""
_ORDINARY = frozenset(
    [
        "a",
        "an",
        "the",
        "this",
        "that",
        "these",
        "those",
        "it",
        "its",
        "they",
        "there",
        "here",
        "of",
        "at",
        "on",
        "in",
        "from",
        "to",
        "by",
        "for",
        "with",
        "after",
        "before",
        "behind",
        "through",
        "only",
        "both",
        "each",
        "every",
        "all",
        "no",
        "not",
        "none",
        "most",
        "more",
        "about",
        "if",
        "when",
        "while",
        "where",
        "as",
        "so",
        "but",
        "and",
        "or",
        "then",
        "also",
        "since",
        "because",
        "however",
        "thus",
        "hence",
        "light",
        "power",
        "rays",
        "one",
        "two",
        "three",
        "what",
        "which",
        "how",
        "yes",
        "total",
        "overall",
        "together",
        "everything",
        "nothing",
        "half",
        "nearly",
        "almost",
        "roughly",
        "answer",
        "result",
        "note",
        "left",
        "right",
        "first",
        "second",
        "third",
        "once",
        "either",
        "neither",
        "between",
        "beyond",
        "above",
        "below",
        "under",
        "over",
        "inside",
        "outside",
        "snell",
        "fresnel",
        "brewster",
        "gauss",
        "gaussian",
        "newton",
        "abbe",
        "cauchy",
        "sellmeier",
        "littrow",
        "rayleigh",
        "airy",
        "kepler",
        "galileo",
        "cassegrain",
        "luneburg",
        "descartes",
        "huygens",
        "fermat",
        "lambert",
        "seidel",
        "petzval",
        "lagrange",
        "raybench",
        "english",
        "german",
    ]
)
"""Words that begin sentences, and names of people in optics."""
_NAME = re.compile(
    r"(?<![\w/:'’-])[A-Z][a-zA-Z-]*[a-z](?:[ \u00a0](?:[A-Z][a-zA-Z-]*|\d{1,3}(?![\w.,]*\d|\s?[°%])))*"
)
_NUMBERED = re.compile(
    r"(?<![\w-])(?P<head>[a-z]+)[ \u00a0](?P<number>\d{1,3})(?![\w.,]*\d|\s?[°%])"
)
_BEGINS = re.compile(r"(?:^|[.!?:;\n|*•(“\"]|\n\s*[-+]|\d[.)])[\s*_\"“(]*\Z")
_VERB = re.compile(
    r"\s+(?:receives?|gets?|absorbs?|blocks?|emits?|sends?|lets?|takes?|reflects?|loses?|transmits?"
    r"|collects?|stops?|catches|focuses|appears?|has|is|bends?|deviates?|shines?|passes|splits?"
    r"|leaves?|reaches)\b"
)
_PLACE = re.compile(
    r"\b(?:at|on|by|from|through|to|of|behind|before|after|reach(?:es)?|hits?|leaves?|inside"
    r"|between|onto|into|towards?|past|the|and)\s+\Z",
    re.IGNORECASE,
)
_DENIED = re.compile(r"\b(?:no|not|never|neither|unknown|missing|without)\b|n't\b", re.IGNORECASE)


def unknown_names(text: str, evidence: Evidence) -> Iterator[tuple[str, int]]:
    """The names of objects in a text that neither the scene nor a result has, with their places:
    capitalized words that end like the name of an object, or stand where one does. Sentences that
    deny something are skipped: they may say that there is no such object.
    """
    masked = re.sub(r"```.*?(?:```|\Z)", lambda m: " " * len(m[0]), text, flags=re.DOTALL)
    if evidence.pattern is not None:
        masked = evidence.pattern.sub(lambda m: "\0" * len(m[0]), masked)
    heads = _HEADS | evidence.nouns.keys()
    for m in _NAME.finditer(masked):
        words, start = m[0].split(), m.start()
        begins = _BEGINS.search(masked, max(0, start - 12), start) is not None or start == 0
        while words and begins and singular(words[0]) in _ORDINARY:
            start += len(words.pop(0)) + 1
        name = " ".join(words)
        before = masked[max(0, start - 14) : start]
        head = next((singular(w) for w in reversed(words) if w.isalpha()), "")
        if not words or evidence.holds(name) or _is_denied(masked, m.start()):
            continue
        if len(words) > 1:
            doubtful = head in heads
        elif singular(name) in _ORDINARY or evidence.holds(singular(name)):
            doubtful = False
        else:
            doubtful = _VERB.match(masked, m.end()) is not None or (
                not begins and _PLACE.search(before) is not None
            )
            doubtful = doubtful or (start > m.start() and _VERB.match(masked, m.end()) is not None)
        if doubtful:
            yield name, start
    for m in _NUMBERED.finditer(masked):
        head, known = singular(m["head"]), evidence.holds(m[0])
        if head in heads and not known and int(m["number"]) > evidence.nouns[head]:
            if not _is_denied(masked, m.start()):
                yield m[0], m.start()


def _is_denied(text: str, at: int) -> bool:
    start = max(text.rfind(end, 0, at) for end in (". ", "\n", "; ")) + 1
    sentence = re.split(r"\.\s|\n|;\s", text[start:].lstrip(". ;\n"), maxsplit=1)[0]
    return _DENIED.search(sentence) is not None
