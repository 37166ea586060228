"""A sentence as it is read: the names in it, the numbers with units, the edges, and the other
words.
"""

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace

from raybench.agent.questions.objects import Thing, named_things, noun_in, things_of
from raybench.agent.questions.words import (
    WORD,
    canonical_word,
    correct_word,
    with_phrases_replaced,
    word_stem,
)
from raybench.kinds.object import SceneObject
from raybench.optics.colour import COLOURS
from raybench.scene.document import Document
from raybench.scene.labels import labelled_edges

LONGEST_NAME = 6
"""Maximum number of words of a name in a sentence."""
MOST_TITLES = 2_000
"""Maximum number of names among which a mistyped one is searched."""
LIKE = 84
"""Minimum similarity of a mistyped name, in percent."""
UNITS = {
    "nm": "nm", "nanometers": "nm", "nanometres": "nm", "um": "µm", "µm": "µm", "μm": "µm", "micron": "µm", "microns": "µm", "mm": "mm",
    "millimeters": "mm", "millimetres": "mm", "cm": "cm", "m": "m", "km": "km", "inch": "in", "inches": "in", "in": "in", "ft": "ft",
    "°": "deg", "deg": "deg", "degs": "deg", "degree": "deg", "degrees": "deg", "rad": "rad", "mrad": "mrad", "%": "%", "percent": "%",
    "/mm": "/mm", "lines/mm": "/mm", "lines per mm": "/mm", "per mm": "/mm", "dpt": "dpt", "dioptres": "dpt", "ps": "ps", "ns": "ns",
    "fs": "fs",
}  # fmt: skip
_UNIT = "|".join(sorted(map(re.escape, UNITS), key=len, reverse=True))
_VALUE = rf"[-+−]?(?:\d+(?:[.,]\d+)?|\.\d+)(?:e[-+]?\d+)?(?:\s?(?:{_UNIT})(?![\w/]))?"
_MORE = (
    r"(?:(?:stronger|brighter|more|larger|greater|higher|longer|steeper|bigger) than|above|over|exceeding"
    r"|at least|>=?|from)"
)
_LESS = (
    r"(?:(?:weaker|dimmer|fainter|less|smaller|lower|shorter) than|below|under|up to|at most|<=?)"
)
_NUMBERS = re.compile(
    rf"(?:between|from)\s+(?P<low>{_VALUE})\s+(?:and|to)\s+(?P<high>{_VALUE})"
    rf"|(?P<axis>(?<!\w)[xy])\s*=?\s*(?P<at>{_VALUE})"
    rf"|(?:(?P<more>{_MORE})|(?P<less>{_LESS}))\s*(?P<bound>{_VALUE})"
    rf"|(?<![\w.,])(?P<value>{_VALUE})",
    re.IGNORECASE,
)
_COMPASS = {"north": "n", "south": "s", "east": "e", "west": "w"}
_EDGE_WORDS = r"(?:edge|side|face|surface)"
_LABEL = r"(?:north|south|east|west)(?:[- ]?(?:east|west))?\d*|[nsew]{1,3}\d*|\d+|rim|face"
_EDGE = re.compile(
    rf"\b{_EDGE_WORDS} (?:#|no\.? ?)?(?P<after>{_LABEL})\b|(?<![\w'])(?P<before>{_LABEL}) {_EDGE_WORDS}\b",
    re.IGNORECASE,
)
_ORDER = re.compile(
    r"(?P<sign>[-+−]?)(?:order (?P<n>[-+−]?\d{1,3})|(?P<nth>\d{1,2})(?:st|nd|rd|th) (?:diffraction )?order"
    r"|(?P<word>zeroth|first|second|third) (?:diffraction )?order)",
    re.IGNORECASE,
)
_UNIT_ASKED = re.compile(
    rf"\bin ({_UNIT}|radians?|millimet(?:er|re)s?|diopters?)\s*[?.!]*$", re.IGNORECASE
)


@dataclass(frozen=True)
class Number:
    """A number as it is written, with its unit, empty without one. ``bound``: ``min``, ``max``, or
    ``range`` with ``high``, ``strict`` without the bound itself; ``axis``: the coordinate that it was said to be.
    """

    text: str
    unit: str = ""
    bound: str = ""
    high: str = ""
    axis: str = ""
    strict: bool = False

    @property
    def with_unit(self) -> str:
        return f"{self.text} {self.unit}".strip()


@dataclass(frozen=True)
class Piece:
    """A part of a sentence: a name with what it stands for, a noun, a number, an edge or a word.

    A piece with a name or a noun and a ``word`` may be either.
    """

    text: str
    word: str = ""
    thing: Thing | None = None
    noun: str = ""
    number: Number | None = None
    edge: str = ""
    typed: str = ""
    """The word as it was typed, in lower case."""
    spare: bool = False
    """Whether it may be ignored: a noun beside a name of its kind."""


@dataclass(frozen=True)
class Sentence:
    """A sentence about a document, in pieces. ``order`` is a diffraction order, ``pattern`` a path,
    ``unit`` the unit that is asked for, ``quoted`` what stands in quotation marks or after *as*.
    """

    text: str
    document: Document
    pieces: tuple[Piece, ...]
    order: str = ""
    pattern: str = ""
    unit: str = ""
    name: str = ""
    things: Mapping[str, Thing] = field(default_factory=dict)

    @property
    def words(self) -> frozenset[str]:
        return frozenset(p.word for p in self.pieces if p.word)


def read_sentence(text: str, document: Document, vocabulary: Collection[str]) -> Sentence:
    """Read a sentence. Words outside of the vocabulary are corrected where one is nearly the same."""
    text = " ".join(text.replace("’", "'").split()).strip()
    bare = text.rstrip(" ;")
    things = named_things(document)
    sentence = Sentence(text, document, (), things=things)
    if match := _UNIT_ASKED.search(bare):
        unit = match[1].lower()
        sentence = replace(
            sentence, unit=UNITS.get(unit, "dpt" if unit.startswith("dio") else unit)
        )
        bare = bare[: match.start()].rstrip()
    # "at 600,0" are two numbers, "0,5 mm" is one
    if re.search(r"\b(?:move|put|place|shift|add|insert|bring)\b", bare, re.IGNORECASE):
        pair = rf"\b(at|to) \(?([-+]?\d+),([-+]?\d+)\)?(?! ?(?:{_UNIT})\b)"
        bare = re.sub(pair, r"\1 \2 , \3", bare)
    held: list[Piece] = []

    def hold(piece: Piece) -> str:
        held.append(piece)
        return f" {chr(0xE000 + len(held) - 1)} "

    if " > " in bare and (pattern := _find_path_pattern(bare, things)):
        bare = bare.replace(pattern, " ")
        sentence = replace(sentence, pattern=pattern.rstrip("?.!"))
    if (
        match := re.search(
            r"\b(?:as|called|named|to) (?:an? )?[\"'“]([^\"'”]+)[\"'”][?.!]*$", bare, re.IGNORECASE
        )
    ) or (
        match := re.search(
            r"\b(?:as|called|named) (?:an? |the )?([\w-]+(?: [\w-]+)?)[?.!]*$", bare, re.IGNORECASE
        )
    ):
        sentence = replace(sentence, name=match[1])
        bare = bare[: match.start()]
    bare = _names_held(bare, things, hold)
    if match := _ORDER.search(bare):
        words = {"zeroth": "0", "first": "1", "second": "2", "third": "3"}
        number = match["n"] or match["nth"] or words[match["word"].lower()]
        sentence = replace(
            sentence, order=f"{match['sign'].strip('+')}{number.lstrip('+')}".replace("−", "-")
        )
        bare = bare[: match.start()] + " " + bare[match.end() :]
    bare = _EDGE.sub(lambda m: _edge_held(m, document, hold), bare)
    bare = _NUMBERS.sub(lambda m: hold(Piece(m[0], number=_number_token(m))), bare)
    pieces = []
    for token in re.findall(
        rf"[\ue000-\uf8ff]|{WORD.pattern}", with_phrases_replaced(" ".join(bare.lower().split()))
    ):
        if "\ue000" <= token <= "\uf8ff":
            pieces.append(held[ord(token) - 0xE000])
        else:
            pieces.append(_word_token(token, vocabulary))
    pieces = _with_nouns(pieces)
    pieces = _with_like_names(pieces, things, vocabulary)
    return replace(sentence, pieces=tuple(_with_apposition(pieces, document)))


def _find_path_pattern(text: str, things: Mapping[str, Thing]) -> str:
    """The path in a text, from the name before its first arrow to its end."""
    first, _, rest = text.partition(" > ")
    names = "|".join([r"\*", *map(re.escape, sorted(things, key=len, reverse=True))])
    start = re.search(
        rf"(?<!\S)[\"']?(?:{names})(?::\w+)?[\"']?(?: \(\w+\))?$", first, re.IGNORECASE
    )
    return f"{start[0]} > {rest}" if start else ""


def _names_held(text: str, things: Mapping[str, Thing], hold: Callable[[Piece], str]) -> str:
    """A text with the names in it held, the longest first."""
    by_name = {" ".join(name.lower().split()): thing for name, thing in things.items()}
    words = [(m.start(), m.end()) for m in re.finditer(r"[^\s,;]+", text)]
    taken = [False] * len(words)
    found: list[tuple[int, int, Thing]] = []
    for count in range(min(LONGEST_NAME, len(words)), 0, -1):
        for i in range(len(words) - count + 1):
            if any(taken[i : i + count]):
                continue
            start, end = words[i][0], words[i + count - 1][1]
            typed = text[start:end]
            ending = next(
                (
                    e
                    for e in ("", "'s", ".", ":", "?", "!")
                    if typed.endswith(e) and typed.removesuffix(e).lower() in by_name
                ),
                None,
            )
            if ending is None:
                continue
            name = typed.removesuffix(ending)
            if name.islower() and _EDGE.match(text, start):
                continue
            if name.islower() and len(name) == 1:
                continue
            found.append((start, start + len(name), by_name[name.lower()]))
            taken[i : i + count] = [True] * count
    for start, end, thing in sorted(found, key=lambda f: -f[0]):
        typed = text[start:end]
        plain = (typed.islower() or start == 0) and " " not in typed
        word = canonical_word(typed.lower()) if plain else ""
        piece = Piece(typed, word=word, thing=thing, typed=typed.lower(), spare=plain and not word)
        text = f"{text[:start]}{hold(piece)}{text[end:]}"
    return text


def _edge_held(match: re.Match[str], document: Document, hold: Callable[[Piece], str]) -> str:
    """An edge held, if an object has one of this label."""
    typed = (match["after"] or match["before"]).lower()
    label = typed
    for word, letter in _COMPASS.items():
        label = label.replace(word, letter)
    label = label.replace("-", "").replace(" ", "")
    if not label.isdigit() and not any(
        label in (e.short.lower(), e.user.lower())
        for o in document.scene.objects
        if isinstance(o, SceneObject) and o.optical
        for e in labelled_edges(o, document.edge_labels.get(o.key, {}))
    ):
        return match[0]
    return hold(Piece(match[0], edge=label if label.isdigit() else label.upper()))


def _number_token(match: re.Match[str]) -> Number:
    if match["low"]:
        low, high = _split_unit(match["low"]), _split_unit(match["high"])
        return Number(low[0], low[1] or high[1], "range", high[0])
    text, unit = _split_unit(match["bound"] or match["at"] or match["value"])
    bound = "min" if match["more"] else "max" if match["less"] else ""
    said = match["more"] or match["less"] or "at"
    strict = not re.match(r"at|from|up|[<>]=", said)
    return Number(text, unit, bound, axis=(match["axis"] or "").lower(), strict=strict)


def _split_unit(text: str) -> tuple[str, str]:
    """A number and its unit; a decimal comma becomes a point, unless it may separate thousands."""
    match = re.fullmatch(rf"(.*?\d)\s?({_UNIT})?", text.strip(), re.IGNORECASE)
    if match is None:
        return text, ""
    number = match[1].replace("−", "-")
    if re.fullmatch(r"[-+]?(?:0,\d+|\d+,(?:\d{1,2}|\d{4,}))", number):
        number = number.replace(",", ".")
    return number.lstrip("+"), UNITS.get((match[2] or "").lower(), "")


def _word_token(token: str, vocabulary: Collection[str]) -> Piece:
    word = canonical_word(token)
    known = word in vocabulary or not word or bool(noun_in(token)) or token in COLOURS
    meant = word if known else correct_word(word_stem(token), vocabulary) or word
    return Piece(token, meant, typed=token)


def _with_nouns(pieces: list[Piece]) -> list[Piece]:
    """Pieces in which the nouns of objects, of one word or two, are known as such."""
    out: list[Piece] = []
    for piece in pieces:
        before = out[-1] if out else None
        words = [p.typed for p in (before, piece) if p is not None and p.typed and not p.thing]
        noun = noun_in(" ".join(words)) if before is not None and len(words) == 2 else ""
        if before is not None and noun:
            out[-1] = replace(piece, text=f"{before.text} {piece.text}", noun=noun)
            continue
        noun = noun_in(piece.typed) if piece.typed and piece.thing is None else ""
        out.append(replace(piece, noun=noun) if noun else piece)
    return out


def _with_like_names(
    pieces: list[Piece], things: Mapping[str, Thing], vocabulary: Collection[str]
) -> list[Piece]:
    """Pieces in which words that no question has are names, if one is nearly the same."""
    titles = list(things)[:MOST_TITLES]
    unknown = [
        i
        for i, p in enumerate(pieces)
        if p.word
        and p.word not in vocabulary
        and not p.thing
        and not p.noun
        and p.typed not in COLOURS
    ]
    if not titles or not unknown:
        return pieces
    from rapidfuzz import fuzz, process, utils

    done: set[int] = set()
    out = dict(enumerate(pieces))
    for i in unknown:
        if i in done:
            continue
        windows = [
            (a, b)
            for a in range(max(0, i - 2), i + 1)
            for b in range(i + 1, min(len(pieces), i + 3) + 1)
            if all(pieces[j].typed and not pieces[j].thing for j in range(a, b))
        ]
        best: tuple[float, int, int, str] | None = None
        for a, b in windows:
            typed = " ".join(pieces[j].typed for j in range(a, b))
            if len(typed) < 3:
                continue
            found = process.extractOne(
                typed, titles, scorer=fuzz.ratio, processor=utils.default_process, score_cutoff=LIKE
            )
            if found is not None and (best is None or found[1] > best[0]):
                best = (found[1], a, b, found[0])
        if best is None:
            # the last word of a name, or one in no other name
            parts = [t for t in titles if pieces[i].typed in t.lower().replace("/", " ").split()]
            if len(parts) == 1:
                best = (100.0, i, i + 1, parts[0])
        if best is not None:
            _, a, b, title = best
            done |= set(range(a, b))
            for j in range(a, b):
                out.pop(j, None)
            out[a] = Piece(title, thing=things[title])
    return [out[i] for i in sorted(out)]


def _with_apposition(pieces: list[Piece], document: Document) -> list[Piece]:
    """Pieces in which a noun beside a name of its kind may be ignored: *the detector Sensor*."""
    out = []
    for i, piece in enumerate(pieces):
        beside = [p.thing for p in pieces[max(i - 1, 0) : i + 2] if p.thing is not None]
        if piece.noun and any(o in things_of(piece.noun, document) for o in beside):
            piece = replace(piece, noun="", spare=True)
        out.append(piece)
    return out
