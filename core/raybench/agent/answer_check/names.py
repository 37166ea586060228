"""Words in an answer that look like names of objects, but do not occur in any source."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from itertools import pairwise

from raybench.agent.answer_check.claims import COUNTED_NOUNS, singular
from raybench.agent.answer_check.evidence import Evidence

_HEADS = re.compile(
    r"laser|lamp|lens|mirror|prism|screen|detector|grating|source|aperture|stop|iris|splitter|glass"
    r"|sensor|wall|blocker|camera|eye|collimator|slit|plate|wedge|ball|drop|guide"
)
"""The last words of names of objects, besides those of the scene."""
_ORDINARY = re.compile(
    r"because|however|thus|hence|overall|yes|once|snell|fresnel|brewster|gauss|gaussian|newton|abbe"
    r"|cauchy|sellmeier|littrow|rayleigh|airy|kepler|galileo|cassegrain|luneburg|descartes|huygens"
    r"|\w+(?:[ts]ion|ance|ence|ity|ment|ness)|fermat|lambert|seidel|petzval|lagrange|english|german"
)
"""Words with a capital letter that the guides do not have, such as names of people in optics."""
_FUNCTION = re.compile(
    r"the|an?|of|at|on|in|from|to|by|for|with|after|before|behind|through|only|both|each|every|all"
    r"|no|this|that|if|when|while|so|and|but|or|between|light|rays|most|half|about|here|inside|past"
    r"|unlike|like|neither|either|none|its|your|since|because|as|also|beyond|without|thus|hence"
)
_NAME = re.compile(
    r"(?<![\w/:'’-])[A-Z][a-zA-Z-]*[a-z](?:[ \u00a0](?:[A-Z][a-zA-Z-]*|\d{1,3}(?![\w.,]*\d|\s?[°%])))*"
)
_LABEL = re.compile(
    r"\b[Ee]dge (?P<edge>[NESW]{1,3}\d?)\b|\b(?P<side>[NESW]{1,3}\d?) edge\b"
    r"|(?<![\w-])(?P<glass>(?!R\d)(?:[NPS]-)?[A-Z]{1,4}\d{1,3}[A-Z]?)(?![\w-])"
)
"""The label of an edge, or the name of a glass, such as ``N-BK7``."""
_BEGINS = re.compile(r"(?:^|[.!?:;\n|*•(“\"]|\n\s*[-+]|\d[.)])[\s*_\"“(]*\Z")
_VERB = re.compile(r"\s+(?P<verb>is|has|was|[a-z]+s)\b")
_PLACE = re.compile(
    r"\b(?:at|on|by|from|through|to|of|behind|before|after|reach(?:es)?|hits?|leaves?|inside"
    r"|between|onto|into|towards?|past|the|and)\s+\Z",
    re.IGNORECASE,
)
_DENIED = re.compile(
    r"\bthere (?:is|are|was|were)(?: no\b| not\b|n't)|\bexists?\b|\b(?:unknown|missing)\b"
    r"|\bno (?:such|object|element|source|part|lens|lamp)\b|\b(?:called|named|has no|have no)\b"
    r"|(?:\bnot|n't) (?:in|part of|find|found|contain|have)\b",
    re.IGNORECASE,
)
"""Words of a sentence which may say that there is no such object."""


@cache
def _vocabulary() -> frozenset[str]:
    """The words of the guides and of the system prompt, in lower case."""
    root = files("raybench_resources")
    pages = [*root.joinpath("help").iterdir(), *root.joinpath("prompts").iterdir()]
    return frozenset(
        word
        for page in pages
        for word in re.findall(r"(?<![\w`])[a-z]+", page.read_text(encoding="utf-8"))
    )


def _is_ordinary_word(word: str) -> bool:
    lowered = word.lower()
    return lowered in _vocabulary() or _ORDINARY.fullmatch(lowered) is not None


def unknown_names(text: str, evidence: Evidence) -> Iterator[tuple[str, int, str]]:
    """The names in a text that nothing supports, each with its position and the reason."""
    for name, start in _names_without_object(text, evidence):
        yield name, start, f"there is no {name}"
    for one, other in pairwise(evidence.pattern.finditer(text)):
        if one[0] == other[0] and re.fullmatch(
            r",? (?:and |or )?", text[one.end() : other.start()]
        ):
            yield other[0], other.start(), f"{other[0]} is named twice"
    for m in re.finditer(rf"{evidence.pattern.pattern}:[A-Z]\w*", text):
        if m[0].casefold() not in evidence.words:
            yield m[0], m.start(), f"no tool said {m[0]}"


def _names_without_object(text: str, evidence: Evidence) -> Iterator[tuple[str, int]]:
    """Names in a text that belong to no object of the scene or of a result, with their positions. A
    name is a group of capitalized words that ends like an object name, or stands where an object
    name is expected. Sentences that may deny the existence of the object are skipped.
    """
    masked = re.sub(r"```.*?(?:```|\Z)", lambda m: " " * len(m[0]), text, flags=re.DOTALL)
    masked = evidence.pattern.sub(lambda m: "\0" * len(m[0]), masked)

    def is_head(noun: str) -> bool:
        return noun in evidence.nouns or _HEADS.fullmatch(noun) is not None

    beginnings = {name.rpartition(" ")[0] for name in evidence.names} - {""}
    for m in _NAME.finditer(masked):
        words, start = m[0].split(), m.start()
        begins = _BEGINS.search(masked, max(0, start - 12), start) is not None or start == 0
        while words and begins and _FUNCTION.fullmatch(words[0].lower()):
            start += len(words.pop(0)) + 1
        name = " ".join(words)
        before = masked[max(0, start - 14) : start]
        head = next((singular(w) for w in reversed(words) if w.isalpha() and len(w) > 1), "")
        if not words or evidence.contains(name) or _is_denied(masked, m.start()):
            continue
        verb = _VERB.match(masked, m.end())
        acts = verb is not None and singular(verb["verb"]) not in COUNTED_NOUNS
        placed = not begins and _PLACE.search(before) is not None
        if len(words) > 1:
            doubtful = is_head(head) or " ".join(words[:-1]) in beginnings
        elif is_head(singular(name)):
            doubtful = (acts or placed) and not evidence.nouns[singular(name)]
        else:
            doubtful = (acts or placed) and not _is_ordinary_word(name)
        if doubtful:
            yield name, start
    for m in re.finditer(rf"{evidence.pattern.pattern}[ \u00a0][1-9](?![\w.,]*\w)", text):
        verb = _VERB.match(text, m.end())
        acts = verb is not None and singular(verb["verb"]) not in COUNTED_NOUNS
        if acts and not (evidence.contains(m[0]) or _is_denied(masked, m.start())):
            yield m[0], m.start()
    for m in _LABEL.finditer(masked):
        label = m["edge"] or m["side"] or m["glass"]
        found = re.search(rf"(?<!\w){re.escape(label.casefold())}(?!\w)", evidence.words)
        known = found is not None or label in evidence.edges or label in evidence.names
        if not known and not _is_denied(masked, m.start()):
            yield m[0], m.start()


def _is_denied(text: str, at: int) -> bool:
    start = max(text.rfind(end, 0, at) for end in (". ", "\n", "; ")) + 1
    sentence = re.split(r"\.\s|\n|;\s", text[start:].lstrip(". ;\n"), maxsplit=1)[0]
    return _DENIED.search(sentence) is not None
