"""Names in a question, replaced by marks: a single character for each object, group and path
pattern, so that patterns can match.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from raybench.analysis.scene.systems import System, systems
from raybench.analysis.tools.nouns import NOUNS, Every, every, noun_in, object_meant, of_sources
from raybench.analysis.tools.unclear import Unclear
from raybench.errors import choices, there_are
from raybench.kinds.object import SceneObject
from raybench.kinds.sources import Source
from raybench.scene.document import Document

_SOURCE_NOUNS = tuple(word for word, noun in NOUNS.items() if of_sources(noun))
_NOUNS = "|".join(NOUNS)
_PLURALS = tuple(
    form for noun in NOUNS for form in (f"{noun}{'es' if noun.endswith('s') else 's'}", noun)
)
"""The nouns with their plurals."""
_INDEFINITE = ("another", "new", "one", "all", "every", "each", "both")
_SEVERAL_WORDS = (
    "".join(rf"(?<!\b{word} )" for word in _INDEFINITE)
    + rf"\b({'|'.join(noun for noun in NOUNS if ' ' in noun)})\b(?! ?\d)"
)
"""The pattern of nouns of several words that mean a certain object of the scene, unlike "a
parabolic mirror".
"""
SYSTEM_NOUNS = ("system", "telescope", "microscope", "doublet", "triplet", "assembly", "setup")
"""Nouns for the only group, or instance of a module, of a scene."""
_THINGS, _SOURCES, _PATHS, _END = 0xF0000, 0xF4000, 0xF8000, 0xFC000
"""The first code points of the marks of objects, sources and path patterns."""
OBJECT = f"[{chr(_THINGS)}-{chr(_PATHS - 1)}]"
THING = f"[{chr(_THINGS)}-{chr(_SOURCES - 1)}]"
SOURCE = f"[{chr(_SOURCES)}-{chr(_PATHS - 1)}]"
PATH = f"[{chr(_PATHS)}-{chr(_END)}]"
"""Patterns of the marks of objects, of objects that are not sources, of sources and of path
patterns.
"""
MARK = f"[{chr(_THINGS)}-{chr(_END)}]"
"""The pattern of any mark."""
DETERMINED = (
    r"(?:(?:the|a|an|any|this|that|my|our|all of the|all of)"
    r" )?(?:(?:object|body|group|module|system|telescope|doublet|"
    + "|".join(noun for noun in NOUNS if " " not in noun)
    + ") )?"
)
_NOT_POSSESSED = r"(?!(?:and|or|but|if|when|from|for|at|in|on|with|without|to|by|after|behind)\b)"
_VARIED = (
    "angle|tilt|focal length|refractive index|index|thickness|radius|x|y|wavelength|divergence"
)
"""What a study varies of the only object of a question: how something depends on its angle."""
_QUANTITIES = (
    "length|angle|width|diameter|position|magnification|deviation|direction|power|distance|number"
)
"""Quantities that a question asks for in the plural."""
_UNITS = "mm|cm|µm|um|nm|microns|millimet(?:er|re)s|centimet(?:er|re)s|inches|degrees|mrad"
"""Units in which a question asks for a length or an angle: how many mm."""
_DIOPTRES = "dioptres?|diopters?|dpt|d"
_OPTICAL_POWER = r"(?:(?:optical|refractive|refracting|dioptric|focusing) )?power of"
LARGEST = "most|largest|highest|longest|strongest|brightest|widest|maximum|maximal|more|larger|higher|longer|stronger|brighter|wider"
SMALLEST = "least|fewest|smallest|lowest|shortest|weakest|dimmest|narrowest|minimum|minimal|less|fewer|smaller|lower|shorter|weaker|narrower"
"""Words that ask for the object with an extreme value; `_PLAINER` makes "largest" of "biggest" and
"greatest", "larger" of "bigger".
"""
_POSSESSED = rf"{_NOT_POSSESSED}[a-z-]+(?: {_NOT_POSSESSED}[a-z0-9-]+)*"

_ARRIVING = "(to|on|at|by|in|into|through|reach|reaches|hit|hits)"
_HAVING = rf"\b(what|which) ({_POSSESSED})"
_HOLDER = rf"(?:the )?({OBJECT}|(?:{_NOUNS}))"


def _rules(*rules: tuple[str, str]) -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((re.compile(pattern), replacement) for pattern, replacement in rules)


_POSSESSIVES = _rules(
    (r"\b(what|where|how|who|which)'s\b", r"\1 is"),
    (rf"({SOURCE}|\b(?:{'|'.join(_SOURCE_NOUNS)}))'s (light|power|rays?)\b", r"\2 from \1"),
    (rf"({OBJECT}|\b(?:{_NOUNS}))'s ({_POSSESSED})", r"\2 of \1"),
)
_ITS = _rules(
    (
        rf"\b(?:its|their) (?!own|cent|middle)({_POSSESSED})(?= (?:is|was|were|by|be)\b)",
        r"\1 of {only}",
    ),
    (rf"\b(on|to|with|if|when) (?:its|their) ({_VARIED})\b", r"\1 \2 of {only}"),
)
"""Where a question names one object only, what is its is of that object."""
_PLAINER = _rules(
    (rf"{_HAVING} do(?:es)? {_HOLDER} have\b", r"\1 is \2 of \3"),
    (rf"{_HAVING} has {_HOLDER}(?= ?[?]?$)", r"\1 is \2 of \3"),
    (rf"\bhow many ({_UNITS})\b(.*?)( ?[?.]*)$", r"how far\2 in \1\3"),
    (
        rf"\b(?:how strong is|{_OPTICAL_POWER}) {_HOLDER} in ({_DIOPTRES})\b",
        r"optical power of \1 in \2",
    ),
    (
        rf"\bhow many ({_DIOPTRES}) (?:is|has|does) {_HOLDER}(?: have)?\b",
        r"optical power of \2 in \1",
    ),
    (r"\b(?:which|what) way (do(?:es)?)\b", r"in which direction \1"),
    (
        (
            rf"\b(to|on|at|by|in|into|through) ({OBJECT}) and how (?:much|many) (?:of it )?\1"
            rf" (?={OBJECT})"
        ),
        r"\1 \2 and ",
    ),
    (rf"\bwhat are ((?:[a-z]+ )*(?:{_QUANTITIES}))s of\b", r"what is \1 of"),
    (r"\b(?:biggest|greatest)\b", "largest"),
    (r"\b(?:bigger|greater)\b", "larger"),
    (r"(?<=are there) (?:in total|altogether)(?= ?[?.!]*$)", ""),
    (r"\b(?:how (?:many|much)|what) (?:percent|per cent|%)(?= of\b)", "what percentage"),
    (
        (
            rf"\b{_ARRIVING} ({OBJECT}),? compared (?:to|with) (?:that )?(?:(?:on|at|in|by|through)"
            rf" )?(?:the )?(?={OBJECT})"
        ),
        r"\1 \2 and ",
    ),
    # punctuation
    (r"[\"“”„‘`]|(?<!\w)'|'(?!\w)|[?!]", " "),
    (r"\(([-+−\d][^()]*)\)", r" \1 "),
    (r"[,;:](?=\s|$)|\.(?=\s|$)", " "),
    (r"\s+", " "),
    (
        (
            rf"(^|\b(?:and|then|please) )mirror (?=(?:it|them|{_HOLDER})"
            r" (?:horizontally|vertically|left to right|upside down)\b)"
        ),
        r"\1flip ",
    ),
    (rf"\bthe |\b(?:{_NOUNS}) (?={OBJECT})", ""),
)
_AROUND_NAMES = _rules(
    (rf"\b(does|do|did|is|can) ({SOURCE}) (?:ray|light)\b", r"\1 \2"),
    (rf"({SOURCE}) (light|power|rays?)\b", r"\2 from \1"),
    (
        r"\b(rays|light|power|energy) (?:that (?:are|is) )?in (?:this )?(?:scene|setup|system)\b",
        r"\1",
    ),
    (r"^(?:only (show|list|find)|(show|list|find)(?: me)? only)\b", r"\1\2"),
)


_PRIMES = {"'": "′", '"': "″"}


def _rewritten(text: str, rules: Sequence[tuple[re.Pattern[str], str]], only: str = "") -> str:
    """A question in the words of the phrases: each rule's pattern replaced, in order; ``only`` is
    the mark of the only object.
    """
    for pattern, replacement in rules:
        text = pattern.sub(replacement.replace("{only}", only), text)
    return text


def _with_primes(text: str) -> str:
    """A text in which a quotation mark right behind a number that closes no quotation is a prime:
    30' are minutes, 2" are inches.
    """

    def prime(match: re.Match[str]) -> str:
        before = text[: match.start()]
        if match[0] == '"':
            closes = before.count('"') % 2 == 1
        else:
            closes = len(re.findall(r"(?<!\S)'", before)) > len(
                re.findall(r"(?<=\S)'(?!\w)", before)
            )
        return match[0] if closes else _PRIMES[match[0]]

    return re.sub(r"(?<=\d)[\"'](?!\w)", prime, text)


def _with_decimals(text: str) -> str:
    """A text with fractions such as 1/3 and 22 1/2 as decimal numbers."""
    fraction = r"(?<![\w./])(?:(\d{1,9}) )?(\d{1,9})/([1-9]\d{0,8})(?![\w/]|\.\d)"
    return re.sub(fraction, lambda m: str(int(m[1] or 0) + int(m[2]) / int(m[3])), text)


Named = SceneObject | System | Every | Unclear | str
"""The meaning of a mark: an object, a group, all objects of a noun, a path pattern, or a question
to the user.
"""


@dataclass(frozen=True)
class Marks:
    """A question in which names are replaced by marks, single characters. Lower case, without
    punctuation.

    ``named`` has the object of each mark, and the words in the question.
    """

    text: str
    document: Document
    named: Mapping[str, tuple[Named, str]]

    @classmethod
    def of(
        cls,
        text: str,
        document: Document,
        names: Sequence[tuple[int, int, Named]],
        vocabulary: Collection[str] = (),
        literal: bool = False,
    ) -> Marks:
        """The text with a mark for each name, and for each noun or word of a name that means an
        object; see `PlainQuestion`.
        """
        marked, after = "", 0
        text = re.sub(MARK, "?", text)  # so that the text itself contains no marks
        named: dict[str, tuple[Named, str]] = {}

        def mark(meant: Named, typed: str) -> str:
            first = _PATHS if isinstance(meant, str) else _SOURCES if _is_source(meant) else _THINGS
            named[chr(first + len(named))] = meant, typed
            return chr(first + len(named) - 1)

        def described(match: re.Match[str]) -> str:
            if literal and set(match[0].split()) <= set(
                vocabulary
            ):  # phrases with these words, such as a single ray, have priority
                return match[0]
            meant = object_meant(match[1], document, vocabulary)
            return match[0] if meant is None else mark(meant, match[0])

        for start, end, obj in names:
            marked += text[after:start] + mark(obj, text[start:end])
            after = end
        marked = _with_decimals(_with_primes((marked + text[after:]).lower().replace("’", "'")))
        marked = re.sub(_SEVERAL_WORDS, described, marked)
        marked = _rewritten(marked, _POSSESSIVES)
        if len(named) == 1:
            marked = _rewritten(marked, _ITS, *named)
        marked = " ".join(_rewritten(marked, _PLAINER).split())
        marked = re.sub(
            rf"({OBJECT}) ({_NOUNS})\b",
            lambda m: m[1] if _is_a(named[m[1]][0], m[2]) else m[0],
            marked,
        )
        marked = _rewritten(marked, _AROUND_NAMES)

        def all_of(match: re.Match[str]) -> str:
            if not literal and match["noun"] in vocabulary:  # phrases with this noun have priority
                return match[0]
            return mark(every(noun_in(match["noun"]), document, match["how"] == "both"), match[0])

        marked = re.sub(
            r"\b(?P<how>all|every|each|both)(?: of)?(?: our| my)?"
            rf" (?P<noun>{'|'.join(_PLURALS)})\b",
            all_of,
            marked,
        )

        def of_several(match: re.Match[str]) -> str:
            return (
                f"what is {match['how']} of"
                f" {mark(every(noun_in(match['noun']), document, False), match['noun'])}"
            )

        plurals = "|".join(form for form in _PLURALS if form not in NOUNS)
        marked = re.sub(
            rf"\bwhat is (?!number )(?P<how>[a-z -]+) of (?P<noun>{plurals})\b", of_several, marked
        )

        def counted(match: re.Match[str]) -> str:
            return (
                f"{match['before']}"
                f" {mark(every(noun_in(match['noun']), document, False), match['noun'])}"
            )

        asked = r"(?P<before>how many|which|what)"
        there = r"(?= (?:are|is) (?:there|in )| exist|$)"
        marked = re.sub(rf"\b{asked} (?P<noun>{'|'.join(_PLURALS)}){there}", counted, marked)

        def ranked(match: re.Match[str]) -> str:
            return match[0] if literal and match["noun"] in vocabulary else counted(match)

        extreme = rf"(?:{LARGEST}|{SMALLEST}|first)\b"
        marked = re.sub(
            rf"\b{asked}(?: of| one of)? (?P<noun>{'|'.join(_PLURALS)})(?= (?:\w+"
            rf" ){{1,3}}{extreme})",
            ranked,
            marked,
        )
        marked = re.sub(
            rf"\b(?P<before>)(?P<noun>{'|'.join(_PLURALS)})(?= with {extreme})", ranked, marked
        )
        marked = re.sub(
            rf"\b(?P<before>(?:which|what) (?:one )?is {extreme}) (?P<noun>{'|'.join(_PLURALS)})$",
            ranked,
            marked,
        )

        def pair(match: re.Match[str]) -> str:
            found = every(noun_in(match["noun"]), document, True)
            if isinstance(found, Unclear):
                return f"{match['before']} {mark(found, match['typed'])}"
            if len(found.objects) != 2:
                return match[0]
            first, second = (mark(obj, obj.title) for obj in found.objects)
            return f"{match['before']} {first} and {second}"

        def together(match: re.Match[str]) -> str:
            found = _taken_together(
                [named[m][0] for m in re.findall(THING, match["several"])], document
            )
            typed = re.sub(MARK, lambda m: named[m[0]][1], match["several"])
            return match[0] if found is None else f"{match['before']}{mark(found, typed)}"

        several = rf"(?P<several>{THING}(?: {THING})* and {THING}|{THING})"
        marked = re.sub(
            rf"\b(?:combined|joint|overall) (?P<before>[a-z][a-z -]* (?:of|for) ){several}",
            together,
            marked,
        )
        marked = re.sub(
            rf"(?P<before>){several} (?:taken )?(?:together|combined|as one(?: lens|"
            r" system)?)(?= ?$)",
            together,
            marked,
        )

        between = rf"(?P<typed>(?:our |my )?(?:two )?(?P<noun>{'|'.join(_PLURALS)}))"
        marked = re.sub(
            rf"\b(?P<before>between|how far apart are) {between}\b(?! (?:and|of|from|leaving)\b)",
            pair,
            marked,
        )
        marked = re.sub(
            rf"^(?P<before>are) {between}(?= (?:parallel|perpendicular|at right angles))",
            pair,
            marked,
        )

        def noun(match: re.Match[str]) -> str:
            before_name = re.match(f" {MARK}", match.string[match.end() :])
            if before_name or (literal and match[0] in vocabulary):
                return match[0]
            if match[0] in SYSTEM_NOUNS and re.search(
                r"\b(?:as|named|called|into)(?: an?)? $", match.string[: match.start()]
            ):
                return match[0]  # the name of a new group
            meant: Named | None = object_meant(match[0], document, vocabulary)
            if meant is None and match[0] in SYSTEM_NOUNS:
                meant = _system(match[0], document)
            return match[0] if meant is None else mark(meant, match[0])

        return cls(re.sub(r"(?<![\w-])[a-z][a-z-]{2,}(?![\w-])", noun, marked), document, named)


def _is_a(meant: Named, noun: str) -> bool:
    return isinstance(meant, (System, *NOUNS[noun].any_kind))


def _is_source(meant: SceneObject | System | Every | Unclear) -> bool:
    if isinstance(meant, Every):
        return all(isinstance(o, Source) for o in meant.objects)
    return meant.source if isinstance(meant, Unclear) else isinstance(meant, Source)


def _taken_together(meant: Sequence[Named], document: Document) -> System | Unclear | None:
    """The group of exactly these objects, else how to make it; None for anything but several
    objects.
    """
    objects: list[SceneObject] = []
    for one in meant:
        if not isinstance(one, SceneObject | Every):
            return one if isinstance(one, System | Unclear) and len(meant) == 1 else None
        objects += one.objects if isinstance(one, Every) else [one]
    if len(objects) < 2:
        return None
    keys = {o.key for o in objects}
    group = next((name for name, members in document.groups.items() if set(members) == keys), "")
    titles = choices([o.title for o in objects], "and")
    return next(
        (s for s in systems(document.scene, document.groups) if s.key == group), None
    ) or Unclear(
        f"{titles} are not grouped. Group them first: “group {titles} as system”, and ask for that"
        " of the system."
    )


def _system(word: str, document: Document) -> System | Unclear:
    """The only group or instance of a module; else how to make a group."""
    existing = list(systems(document.scene, document.groups))
    if len(existing) == 1:
        return existing[0]
    if existing:
        return Unclear(f"Which {word}? {there_are([s.title for s in existing])}")
    parts = [
        o.title
        for o in document.scene.objects
        if isinstance(o, (*NOUNS["lens"].any_kind, *NOUNS["mirror"].any_kind))
    ][:3]
    such = f", such as “group {choices(parts, 'and')} as {word}”" if len(parts) > 1 else ""
    return Unclear(f"No objects are grouped as a {word}. Group them first{such}.")
