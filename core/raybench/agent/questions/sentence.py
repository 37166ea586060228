"""Splits a sentence into pieces: the names of objects, numbers with units, edges, and words."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from raybench.agent.questions.captions import captioned_things
from raybench.agent.questions.objects import (
    LIKELY,
    NOUNS,
    SYSTEMS,
    TOLD_NEAREST,
    Thing,
    nearest_to,
    noun_in,
    objects_chosen_by_word,
    objects_for_noun,
    things_by_name,
    words_of_name,
)
from raybench.agent.questions.words import (
    KNOWN,
    WORD,
    canonical_word,
    correct_word,
    with_phrases_replaced,
)
from raybench.analysis.answers.words import NUMBER_WORDS
from raybench.analysis.measures.table import MEASURES
from raybench.analysis.scene.objects import NAME_SEPARATOR, system_of_joined_objects
from raybench.errors import RaybenchError
from raybench.kinds.object import SceneObject
from raybench.kinds.sources import SingleRay, Source
from raybench.optics.colour import COLOURS
from raybench.scene.changes.placing import object_centre
from raybench.scene.document import Document
from raybench.scene.labels import labelled_edges

MARKS = ",;:?!."
"""Marks that are pieces of their own, words without a meaning."""
LONGEST_NAME = 6
"""Maximum number of words of a name in a sentence."""
MOST_TITLES = 2_000
"""Maximum number of names among which a mistyped one is searched."""
NEARLY = 10.0
"""Maximum distance of a wavelength, nm, from those of a colour by whose name it is called."""
MOST_SOURCES = 20
"""Maximum number of sources of which each is measured."""
LIKE = 84
"""Minimum similarity of a mistyped name, in percent."""
_SPELLINGS = {
    "nm": "nanometers nanometres", "µm": "um μm micron microns", "mm": "millimeters millimetres", "cm": "", "m": "", "km": "", "in": "inch inches",
    "ft": "", "deg": "° degs degree degrees", "rad": "radian radians", "mrad": "", "%": "percent", "/mm": "lines/mm", "dpt": "diopters dioptres",
    "ps": "", "ns": "", "fs": "",
}  # fmt: skip
UNITS = {
    written: unit for unit, others in _SPELLINGS.items() for written in (unit, *others.split())
}
UNITS |= {"lines per mm": "/mm", "per mm": "/mm"}
"""Units by how sentences write them."""
UNIT = "|".join(sorted(map(re.escape, UNITS), key=len, reverse=True))
UNIT = UNIT.replace("|in|", r"|in(?! (?:steps|\d))|")  # no inches in "from 1 to 5 in steps of 2"
_VALUE = rf"[-+−]?(?:\d+(?:[.,]\d+)?|\.\d+)(?:e[-+]?\d+)?(?:\s?(?:{UNIT})(?![\w/]))?"
_MORE = (
    r"(?:(?:stronger|brighter|more|larger|greater|higher|longer|steeper|bigger) than|above|over"
    r"|exceeding|at least|>=?|from)"
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
OF_LIGHT = frozenset(("line", "lines", "light", "beam", "spot", "spots", "rays"))
"""Words behind the name of a source that mean its light."""
_COMPASS = {"north": "n", "south": "s", "east": "e", "west": "w"}
_EDGE_WORDS = r"(?:edge|side|face|surface)"
_LABEL = r"(?:north|south|east|west)(?:[- ]?(?:east|west))?\d*|[nsew]{1,3}\d*|\d+|rim|face"
_ENDS = {"front": "we", "entrance": "we", "back": "ew", "rear": "ew", "exit": "ew"}
"""Edges of light that runs to the right, and of light that runs to the left."""
_EDGE = re.compile(
    rf"\b{_EDGE_WORDS} (?:#|no\.? ?)?(?P<after>{_LABEL})\b|(?<![\w'])(?P<before>{_LABEL}) {_EDGE_WORDS}\b"
    rf"|\b(?P<end>{'|'.join(_ENDS)}) (?:face|side)\b",
    re.IGNORECASE,
)
_ORDINALS = {"zeroth": "0", "zero": "0", "first": "1", "second": "2", "third": "3"}
_ORDER = re.compile(
    r"(?P<sign>[-+−]?)(?:order (?P<n>[-+−]?\d{1,3})|(?P<nth>\d{1,2})(?:st|nd|rd|th) (?:diffraction )?order"
    rf"|(?P<word>{'|'.join(_ORDINALS)}) (?:diffraction )?order)",
    re.IGNORECASE,
)
_UNIT_ASKED = re.compile(rf"\bin ({UNIT})\s*[?.!]*$", re.IGNORECASE)
_NAME_GIVEN = re.compile(
    r"\b(?:as|called|named|to) (?:an? )?[\"'“](?P<quoted>[^\"'”]+)[\"'”][?.!]*$"
    r"|(?<!twice )(?<!half )\b(?:as|called|named) (?:an? |the )?(?P<bare>[\w-]+(?: [\w-]+)?)[?.!]*$",
    re.IGNORECASE,
)
_MEASURES = re.compile(r"(?:(?<=^)\W*|\b)([a-z]\w*)\(.*\)(?:\s*[-+*/]\s*[\d.]+)?")
_EDGE_OF_NAME = re.compile(r"(?<=([\ue000-\uf8ff]))\s*:([\w-]+)")
_PARAMETER = r"(?<!\w)(?:[\"'](?:{names})[\"']|{names})\.[a-z][\w.]*(?:\[\d+\][\w.]*)?(?<!\.)"
_RAY = re.compile(r"\br\d+-\d+\b")
_JOINED = re.compile(r"[\ue000-\uf8ff](?:\s*\+\s*[\ue000-\uf8ff])+")
_LISTED = re.compile(r"[\ue000-\uf8ff](?:\s*(?:,|and|with)\s+(?:the\s+)?[\ue000-\uf8ff])+")
_TOGETHER = re.compile(
    r"\b(?:together|combined|as one|(?:combination|system|pair) of(?= (?:the )?[\ue000-\uf8ff]))\b"
)
"""Words by which several objects are one."""
_EACH = re.compile(
    r"(?:(?:of|from|by|for) )?\beach (?:(?:light )?source|beam|colou?r|wavelength)\b"
)
_HELD = 0xE000
"""The first of the private-use letters that stand for pieces in a text."""


@dataclass(frozen=True)
class Number:
    """A number in a sentence, with its unit or an empty text. ``bound`` is ``min``, ``max``, or
    ``range`` with the upper end ``high``; ``strict`` says whether the bound is excluded; ``axis``
    is the coordinate that it is assigned to.
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
    """A part of a sentence. Its ``kind`` says what its ``value`` is: ``thing``, an object or group;
    ``noun``, one for objects; ``number``; ``measures`` and ``parameter`` in the notation of
    studies; ``edge``, ``order``, ``path``, ``each`` source, ``ray``, ``unit`` that is asked for, or ``name`` that is
    given; or it is a ``word``.

    ``word``: its canonical word, of a name or a noun the word that it may be instead; ``typed``: as
    it was typed, in lower case; ``spare``: whether it may be ignored, as a noun beside a name.
    """

    kind: str
    text: str
    value: Any = None
    word: str = ""
    typed: str = ""
    spare: bool = False


@dataclass(frozen=True)
class Sentence:
    """A sentence about a document, split into pieces. ``things`` are all objects and groups that a
    name can refer to.
    """

    text: str
    document: Document
    pieces: tuple[Piece, ...]
    things: Mapping[str, Thing]

    def pieces_of_kinds(self, *kinds: str) -> list[Piece]:
        return [p for p in self.pieces if p.kind in kinds]

    def of_pieces(self, pieces: Iterable[Piece]) -> "Sentence":
        """A sentence that consists of some of the pieces of this one."""
        held = tuple(pieces)
        return replace(self, text=" ".join(" ".join(p.text for p in held).split()), pieces=held)


def read_sentence(
    text: str, document: Document, vocabulary: frozenset[str], own_words: frozenset[str]
) -> Sentence:
    """Split a sentence into pieces. A word outside of the ``vocabulary`` is corrected if it is
    nearly the same as one in it; one outside of the ``own_words`` of examples may be part of a name.
    """
    text = " ".join(text.replace("’", "'").split()).strip()
    things = things_by_name(document)
    rest = re.sub("[\ue000-\uf8ff]", " ", text).rstrip(" ;")  # letters that stand for pieces
    held: list[Piece] = []

    def hold(pattern: re.Pattern[str], piece_of: Callable[[re.Match[str]], Piece | None]) -> None:
        """Replace what a pattern finds by a letter that stands for its piece, if it is one."""
        nonlocal rest

        def letter(match: re.Match[str]) -> str:
            if (piece := piece_of(match)) is None:
                return match[0]
            held.append(piece)
            return f" {chr(_HELD + len(held) - 1)} "

        rest = pattern.sub(letter, rest)

    hold(_UNIT_ASKED, lambda m: Piece("unit", m[0], UNITS[m[1].lower()]))
    rest = _with_plain_numbers(rest)
    if pattern := _find_path_pattern(rest, things):
        path = Piece("path", pattern, pattern.rstrip("?.!"))
        hold(re.compile(re.escape(pattern)), lambda m: path)
    hold(_MEASURES, _measures_piece)
    names = "|".join(map(re.escape, sorted(things, key=len, reverse=True)))
    if "." in rest:
        hold(
            re.compile(_PARAMETER.format(names=names), re.IGNORECASE),
            lambda m: _parameter_piece(m, document),
        )
    rest = re.sub(rf"(?<!\w)({names}):(?=[\w-])", r"\1 :", rest, flags=re.IGNORECASE)
    hold(_NAME_GIVEN, lambda m: Piece("name", m[0], m["quoted"] or m["bare"]))
    found = _names_in(rest, things)
    for start, end, piece in found:
        held.append(piece)
        rest = f"{rest[:start]} {chr(_HELD + len(held) - 1)} {rest[end:]}"
    hold(_EDGE_OF_NAME, lambda m: _edge_of_thing(held[ord(m[1]) - _HELD].value, m[2], document))
    if _TOGETHER.search(rest) and _LISTED.search(rest):
        rest = _LISTED.sub(lambda m: "+".join(c for c in m[0] if c >= chr(_HELD)), rest)
        rest = _TOGETHER.sub(" ", rest)
    hold(
        _JOINED,
        lambda m: _joined_piece([held[ord(c) - _HELD] for c in m[0] if ord(c) >= _HELD], document),
    )
    lamps = [o.title for o in objects_for_noun("source", document)]
    if 1 < len(lamps) <= MOST_SOURCES:
        hold(_EACH, lambda m: Piece("each", m[0], lamps))
    hold(_ORDER, lambda m: Piece("order", m[0], _order_number(m)))
    hold(_RAY, lambda m: Piece("ray", m[0], m[0]))
    hold(_EDGE, lambda m: _edge_piece(m, document))
    hold(_NUMBERS, lambda m: Piece("number", m[0], _number_from_match(m)))
    rest = WORD.sub(
        lambda m: m[0] if _is_known(m[0], vocabulary) else correct_word(m[0], vocabulary | KNOWN),
        " ".join(rest.lower().split()),
    )
    tokens = re.findall(rf"[\ue000-\uf8ff]|[{MARKS}]|{WORD.pattern}", with_phrases_replaced(rest))
    pieces = [
        held[ord(token) - _HELD] if "\ue000" <= token <= "\uf8ff" else _word_piece(token)
        for token in tokens
    ]
    pieces = _resolve_nouns_of_others(_recognise_nouns(pieces), document, own_words, things)
    pieces = _resolve_captions(pieces, document, own_words)
    pieces = _match_similar_names(pieces, things, own_words)
    pieces = _resolve_ordinal_phrases(pieces, document, things)
    pieces = _sources_of_colours(pieces, document)
    pieces = _mark_ignorable_words(pieces, document, own_words)
    return Sentence(text, document, tuple(pieces), things)


def _with_plain_numbers(text: str) -> str:
    """The text with numbers in figures: *two mm*, *half a degree*, *5x*, *f/4*, *at 600,0*."""
    # "at 600,0" are two numbers, "0,5 mm" is one
    if re.search(r"\b(?:move|put|place|shift|add|insert|bring)\b", text, re.IGNORECASE):
        pair = rf"\b(at|to) \(?([-+]?\d+),([-+]?\d+)\)?(?! ?(?:{UNIT})\b)"
        text = re.sub(pair, r"\1 \2 , \3", text)
    counted = rf"\b({'|'.join(NUMBER_WORDS)})(?= (?:{UNIT}|times|strongest|copies)\b)"
    text = re.sub(
        counted, lambda m: str(NUMBER_WORDS.index(m[1].lower()) + 1), text, flags=re.IGNORECASE
    )
    text = re.sub(r"\b50[/:]50\b", "split ratio 0.5", text)
    text = re.sub(r"\bf/(?=\d)", "f-number ", text)
    text = re.sub(r"(?<=\d) ?[x×](?![\w]| ?[=\d])", " times magnification", text)
    return re.sub(rf"\bhalf an? (?={UNIT})", "0.5 ", text, flags=re.IGNORECASE)


def _measures_piece(match: re.Match[str]) -> Piece | None:
    if match[1] not in MEASURES:
        return None
    written = re.sub(r"(?<=\)) and (?=\w+\()", "; ", match[0].strip())
    return Piece("measures", match[0], written)


def _parameter_piece(match: re.Match[str], document: Document) -> Piece | None:
    """A parameter in the notation of studies, such as *Lens.x*."""
    from raybench.scene.parameters.parameter import read_parameter

    try:
        return Piece("parameter", match[0], read_parameter(match[0], document))
    except RaybenchError:
        return None


def _find_path_pattern(text: str, things: Mapping[str, Thing]) -> str:
    """The path pattern in a text, from the name before its first arrow to the end; empty if there
    is no arrow.
    """
    first, arrow, rest = text.partition(" > ")
    names = "|".join([r"\*", *map(re.escape, sorted(things, key=len, reverse=True))])
    start = arrow and re.search(
        rf"(?<!\S)[\"']?(?:{names})(?::\w+)?[\"']?(?: \(\w+\))?$", first, re.IGNORECASE
    )
    return f"{start[0]} > {rest}" if start else ""


def _order_number(match: re.Match[str]) -> str:
    number = match["n"] or match["nth"] or _ORDINALS[match["word"].lower()]
    return f"{match['sign'].strip('+')}{number.lstrip('+')}".replace("−", "-")


def _names_in(text: str, things: Mapping[str, Thing]) -> list[tuple[int, int, Piece]]:
    """The names of objects in a text with their ends, the last one first; longer names are found
    before shorter ones.
    """
    by_name = {
        joint.join(name.lower().split()): thing
        for joint in ("", " ")  # a wavefront is the Wave front
        for name, thing in things.items()
    }
    words = [(m.start(), m.end()) for m in re.finditer(r"[^\s,;]+", text)]
    taken = [False] * len(words)
    found: list[tuple[int, int, Piece]] = []
    for count in range(min(LONGEST_NAME, len(words)), 0, -1):
        for i in range(len(words) - count + 1):
            if any(taken[i : i + count]):
                continue
            start, end = words[i][0], words[i + count - 1][1]
            typed = text[start:end]
            endings = ("", "'s", ".", ":", "?", "!")
            names = (typed.removesuffix(e) for e in endings if typed.endswith(e))
            name = next((n for n in names if n.lower() in by_name), "")
            if not name or (name.islower() and (len(name) == 1 or _EDGE.match(text, start))):
                continue
            plain = (name.islower() or start == 0) and " " not in name
            word, thing = canonical_word(name.lower()) if plain else "", by_name[name.lower()]
            piece = Piece("thing", name, thing, word, name.lower(), spare=plain and not word)
            found.append((start, start + len(name), piece))
            taken[i : i + count] = [True] * count
    return sorted(found, key=lambda f: -f[0])


def _joined_piece(pieces: list[Piece], document: Document) -> Piece | None:
    """Several objects as one, if they are measured as one."""
    if any(isinstance(p.value, Source) for p in pieces):
        return None
    name = NAME_SEPARATOR.join(p.value.title for p in pieces if p.kind == "thing")
    system = system_of_joined_objects(document.scene, document.groups, name)
    return None if system is None else Piece("thing", name, system)


def _edge_of_thing(thing: Thing, label: str, document: Document) -> Piece | None:
    """The edge of an object with a label as paths and parameters write it, such as Lens:W."""
    if isinstance(thing, SceneObject) and thing.optical:
        for e in labelled_edges(thing, document.edge_labels.get(thing.key, {})):
            if label.casefold() in (e.short.casefold(), e.user_label.casefold(), str(e.index)):
                return Piece("edge", f"edge {label}", e.user_label or e.short)
    return None


def _edge_piece(match: re.Match[str], document: Document) -> Piece | None:
    """The label of an edge if it is a number, or if an object has an edge with this label."""
    label = (match["after"] or match["before"] or "").lower()
    if end := (match["end"] or "").lower():
        sources = [object_centre(o).x for o in objects_for_noun("source", document)[:1]]
        met = [object_centre(o).x for o in document.scene.optical]
        label = _ENDS[end][sum(met) < sum(sources) * len(met)]
    for word, letter in _COMPASS.items():
        label = label.replace(word, letter)
    label = label.replace("-", "").replace(" ", "")
    if label.isdigit():
        return Piece("edge", match[0], label)
    known = (
        e
        for o in document.scene.objects
        if isinstance(o, SceneObject) and o.optical
        for e in labelled_edges(o, document.edge_labels.get(o.key, {}))
    )
    has_edge = any(label in (e.short.lower(), e.user_label.lower()) for e in known)
    return Piece("edge", match[0], label.upper()) if has_edge else None


def _number_from_match(match: re.Match[str]) -> Number:
    if match["low"]:
        low, high = read_number(match["low"]), read_number(match["high"])
        return Number(low.text, low.unit or high.unit, "range", high.text)
    number = read_number(match["bound"] or match["at"] or match["value"])
    said = match["more"] or match["less"] or "at"
    return replace(
        number,
        bound="min" if match["more"] else "max" if match["less"] else "",
        axis=(match["axis"] or "").lower(),
        strict=not re.match(r"at|from|up|[<>]=", said),
    )


def read_number(text: str) -> Number:
    """Parse a number with its unit. A decimal comma is converted to a point, unless it may separate
    thousands.
    """
    match = re.fullmatch(rf"(.*?\d)\s?({UNIT})?", text.strip(), re.IGNORECASE)
    if match is None:
        return Number(text)
    number = match[1].replace("−", "-").lstrip("+")
    if re.fullmatch(r"-?(?:0,\d+|\d+,(?:\d{1,2}|\d{4,}))", number):
        number = number.replace(",", ".")
    return Number(number, UNITS.get((match[2] or "").lower(), ""))


def _word_piece(token: str) -> Piece:
    return Piece("word", token, None, "" if token in MARKS else canonical_word(token), token)


def _is_known(word: str, vocabulary: Collection[str]) -> bool:
    """Whether a word occurs in an example question, or is a noun for an object or the name of a
    colour.
    """
    canonical = canonical_word(word)
    return not canonical or canonical in vocabulary or bool(noun_in(word)) or word in COLOURS


def _recognise_nouns(pieces: list[Piece]) -> list[Piece]:
    """The pieces, in which words that are nouns for objects have become pieces of the kind
    ``noun``.
    """
    out: list[Piece] = []
    for piece in pieces:
        before = out[-1] if out and out[-1].kind in ("word", "noun") else None
        if piece.kind == "word" and before and (noun := noun_in(f"{before.typed} {piece.typed}")):
            text = f"{before.text} {piece.text}"
            out[-1] = replace(piece, kind="noun", text=text, value=noun)
        elif piece.typed == "beams" and before and before.typed in ("two", "three", "both", "all"):
            out.append(replace(piece, kind="noun", value="source"))
        elif piece.kind == "word" and (noun := noun_in(piece.typed)):
            out.append(replace(piece, kind="noun", value=noun))
        else:
            out.append(piece)
    return out


def _resolve_ordinal_phrases(
    pieces: list[Piece], document: Document, things: Mapping[str, Thing]
) -> list[Piece]:
    """The pieces, in which *the second mirror* is an object, and *the upper beam* a source."""
    sources, lamps = objects_for_noun("source", document), NOUNS["source"].objects_in(document)
    single = all(isinstance(o, SingleRay) for o in sources)
    lights = ({"beam", "ray"} if single else {"beam"}) if len(sources) > 1 else ()
    out: list[Piece] = []
    for piece in pieces:
        light = piece.typed in lights
        if light or (piece.kind == "noun" and piece.text == piece.value):
            captioned, words = captioned_things(piece.text, document), 0
            objects = [o for o in captioned if isinstance(o, SceneObject)]
            if not objects and piece.value not in LIKELY:
                objects = objects_for_noun("source" if light else piece.value, document)
            while words < len(out) and (
                chosen := objects_chosen_by_word(out[-1 - words].typed, objects, document)
            ):
                objects, words = chosen, words + 1
            lamp = isinstance(next(iter(objects), None), Source) and len(lamps) > 1
            if (words or lamp) and len(objects) == 1 and objects[0].title in things:
                del out[len(out) - words :]
                piece = Piece("thing", objects[0].title, objects[0])
        out.append(piece)
    return out


def _resolve_nouns_of_others(
    pieces: list[Piece], document: Document, own_words: Collection[str], things: Mapping[str, Thing]
) -> list[Piece]:
    """The pieces, in which a noun for several objects is one of them if it is said to be *on the
    right*, or *of* something: a part of it, or the one nearest to it.
    """
    out = list(pieces)
    for i in range(len(pieces) - 3, -1, -1):
        noun, behind, told = out[i], out[i + 2 :], ""
        behind = behind[len(behind) > 1 and behind[0].typed in ("the", "my") :]
        before, place = out[i - 1] if i else noun, behind[0].typed if behind else ""
        found = objects_for_noun(noun.value, document) if noun.kind == "noun" and behind else []
        if (
            len(found) < 2
            or noun.text != noun.value
            or before.typed in ("a", "an", "another", "new")
        ):
            continue
        if out[i + 1].typed in ("on", "at") and place in ("left", "right", "top", "bottom"):
            found = objects_chosen_by_word(place, found, document)
        elif out[i + 1].typed == "of":
            behind = _resolve_captions(behind, document, own_words)
            behind = _resolve_ordinal_phrases(behind, document, things)
            if behind[0].kind == "thing":
                found = nearest_to(behind[0].value, found, document)
                told = "" if f"{behind[0].value.title}/" in found[0].title else TOLD_NEAREST
                one = objects_chosen_by_word(before.typed, found, document)
                found, i = (one, i - 1) if len(found) > 1 and one else (found, i)
        if len(found) == 1 and found[0].title in things:
            out[i:] = [Piece("thing", found[0].title, found[0], typed=told), *behind[1:]]
    return out


def _resolve_captions(
    pieces: list[Piece], document: Document, own_words: Collection[str]
) -> list[Piece]:
    """The pieces, in which words that are a text of the drawing are the object it stands at."""
    out: list[Piece] = []
    i = 0
    while i < len(pieces):
        for j in range(min(i + LONGEST_NAME, len(pieces)), i, -1):
            run = pieces[i:j]
            names = any(p.kind == "noun" or (p.word and p.word not in own_words) for p in run)
            names &= run[0].typed != "of"
            if not names or any(p.kind not in ("word", "noun") or p.typed in MARKS for p in run):
                continue
            text = " ".join(p.text for p in run)
            if len(found := captioned_things(text, document)) == 1:
                thing, behind = found[0], pieces[j : j + 1]
                i = j + bool(behind and behind[0].typed in SYSTEMS | {"one"}) - 1
                typed = run[-1].typed if run[-1].value in LIKELY else ""
                out.append(Piece("thing", thing.title, thing, typed=typed))
                break
        else:
            out.append(pieces[i])
        i += 1
    return out


def _match_similar_names(
    pieces: list[Piece], things: Mapping[str, Thing], own_words: Collection[str]
) -> list[Piece]:
    """The pieces, in which a word that resembles the name of an object is replaced by the object,
    if it occurs in no example question.
    """
    titles = list(things)[:MOST_TITLES]
    unknown = [
        i
        for i, p in enumerate(pieces)
        if p.kind == "word" and p.word and p.word not in own_words and p.typed not in COLOURS
    ]
    if not titles or not unknown:
        return pieces
    from rapidfuzz import fuzz, process, utils

    out: dict[int, Piece] = dict(enumerate(pieces))
    for i in unknown:
        if i not in out or out[i].kind != "word":
            continue
        best: tuple[float, int, int, str] | None = None
        for a in range(max(0, i - 2), i + 1):
            for b in range(i + 1, min(len(pieces), i + 3) + 1):
                typed = " ".join(p.typed for p in pieces[a:b])
                if len(typed) < 3 or any(p.kind not in ("word", "noun") for p in pieces[a:b]):
                    continue
                found = process.extractOne(
                    typed,
                    titles,
                    scorer=fuzz.ratio,
                    processor=utils.default_process,
                    score_cutoff=LIKE,
                )
                if found is not None and (best is None or found[1] > best[0]):
                    best = (found[1], a, b, found[0])
        if best is None:  # the last word of a name, or one in no other name
            parts = [t for t in titles if pieces[i].typed in words_of_name(t)]
            best = (100.0, i, i + 1, parts[0]) if len(parts) == 1 else None
            if len(parts) > 1 and len(pieces[i].typed) > 2:
                out[i] = replace(pieces[i], kind="noun", value=pieces[i].typed)
        if best is not None:
            _, a, b, title = best
            for j in range(a, b):
                out.pop(j, None)
            out[a] = Piece("thing", title, things[title])
    return [out[i] for i in sorted(out)]


def _sources_of_colours(pieces: list[Piece], document: Document) -> list[Piece]:
    """The pieces, in which the name of a colour is the only source of this colour, and the
    wavelength in *the 585 nm light* the only source of this wavelength.
    """
    sources = objects_for_noun("source", document)
    out = []
    for piece, behind in zip(pieces, (*pieces[1:], Piece("", "")), strict=False):
        low, high = COLOURS.get(piece.typed, (0, 0)) if piece.kind == "word" else (0, 0)
        held = [(getattr(o, "wavelength", 0) or 0, o) for o in sources]
        found = [o for nm, o in held if low <= nm < high]
        if piece.kind == "number" and behind.typed in OF_LIGHT and not piece.value.bound:
            found = [o for nm, o in held if piece.value.with_unit == f"{nm:g} nm"]
        found = found or [o for nm, o in held if high and low - NEARLY <= nm < high + NEARLY]
        if len(found) == 1 and len(sources) > 1:
            piece = replace(piece, kind="thing", text=found[0].title, value=found[0], word="")
        out.append(piece)
    return out


def _mark_ignorable_words(
    pieces: list[Piece], document: Document, own_words: Collection[str]
) -> list[Piece]:
    """The pieces, some marked as ignorable: a noun beside a name of its kind, as in *the detector
    Sensor* or *the glass of Lens*, and an unknown word before a noun, as in *the main mirror*.
    """
    out = []
    for i, piece in enumerate(pieces):
        behind = next((p for p in pieces[i + 1 :] if p.typed not in ("of", "the")), piece)
        beside = [p.value for p in (*pieces[max(i - 1, 0) : i], behind) if p.kind == "thing"]
        if i > 0 and isinstance(pieces[i - 1].value, Source) and piece.typed in OF_LIGHT:
            piece = replace(piece, spare=True)
        before_noun = i + 1 < len(pieces) and pieces[i + 1].kind == "noun"
        after_noun = i > 0 and pieces[i - 1].kind == "noun"  # the tube walls
        if piece.kind == "noun" and (
            after_noun or any(o in objects_for_noun(piece.value, document) for o in beside)
        ):
            piece = replace(piece, kind="word", spare=True)
        elif piece.kind == "word" and before_noun and piece.word not in own_words:
            piece = replace(piece, spare=piece.typed not in COLOURS)
        out.append(piece)
    return out
