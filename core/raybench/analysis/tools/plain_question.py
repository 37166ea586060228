"""Questions in natural language without a model: the objects that they name, and the other words."""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from raybench.analysis.paths.path_pattern import InvalidPattern, with_names
from raybench.analysis.scene.systems import System, systems
from raybench.analysis.tools.clauses import Clauses
from raybench.analysis.tools.marks import Marks
from raybench.analysis.tools.unclear import Unclear
from raybench.errors import there_are
from raybench.kinds.object import SceneObject
from raybench.kinds.sources import Source
from raybench.scene.document import Document

Meaning = SceneObject | System | Unclear | str
"""What a name in a question means: an object, a group, a question to the user, or a path pattern.
"""
MOST_UNSURE = 5
"""Maximum occurrences of names that may also be ordinary words; later ones count as names."""
_PRECEDED = re.compile(
    r"(?:\b(?:of|in|inside|within|from|at|on|the|glass|behind|hit|reach|meet|cross)|[\"“'])\s*$",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class PlainQuestion:
    """One reading of a question about a document: ``names`` are the places in ``text`` where
    objects, or a path pattern, are named.

    ``text`` is the question with whitespace normalised to single spaces. A name that is also an
    ordinary word, such as ``Inside`` or ``45``, gives a question several `readings`. Words of the
    ``vocabulary`` are not taken for a part of a name; in a ``literal`` reading nouns that are among
    them, as in "width of the beam", mean no object.
    """

    text: str
    document: Document
    names: tuple[tuple[int, int, Meaning], ...] = ()
    vocabulary: Collection[str] = ()
    literal: bool = False

    @classmethod
    def readings(
        cls, text: str, document: Document, vocabulary: Collection[str] = ()
    ) -> Iterator[PlainQuestion]:
        """The readings of a question, those with most names first; where names occur twice, those
        after a preposition first.
        """
        text = " ".join(text.split())
        paths: list[tuple[int, int, Meaning]] = [*_paths_in(text, document)]
        found = [
            n
            for n in _names_in(text, document)
            if not any(start <= n[0] < end for start, end, _ in paths)
        ]
        unsure = sorted(found, key=lambda n: (_PRECEDED.search(text[: n[0]]) is None, -n[0]))[
            -MOST_UNSURE:
        ]
        for left_out in range(len(unsure) + 1):
            for dropped in itertools.combinations(reversed(unsure), left_out):
                remaining: list[tuple[int, int, Meaning]] = [n for n in found if n not in dropped]
                names = sorted([*remaining, *paths], key=lambda n: n[0])
                nouns = cls(text, document, tuple(names), vocabulary)
                literal = cls(text, document, tuple(names), vocabulary, literal=True)
                yield nouns
                if literal._marks.text != nouns._marks.text:
                    yield literal

    @property
    def names_objects(self) -> bool:
        """Whether the question refers to an object, by name or by a noun."""
        return bool(self._marks.named)

    @property
    def without_names(self) -> str:
        """The text without the names in it."""
        pieces, after = list[str](), 0
        for start, end, _ in self.names:
            pieces.append(self.text[after:start])
            after = end
        return " ".join("".join([*pieces, self.text[after:]]).split())

    def clauses(self) -> Clauses:
        """The clauses of the question, none of them understood yet."""
        return Clauses(self._marks, self._marks.text)

    def as_written(self, rest: str) -> str:
        """Words of the question that were not understood (`Clauses.rest`), as written, each stretch
        in quotation marks.
        """
        return " and ".join(f"“{self._stretch(piece)}”" for piece in rest.split(" … "))

    def _stretch(self, piece: str) -> str:
        """The shortest stretch of the question that holds some words in their order; the words
        themselves if there is none.
        """
        wanted = _plain_words(piece)
        positions = [
            (word, m.start(), m.end())
            for m in re.finditer(r"\S+", self.text)
            for word in _plain_words(m[0])
        ]
        best: tuple[int, int] | None = None
        for first, (word, start, _) in enumerate(positions):
            if not wanted or word != wanted[0]:
                continue
            matched, end = 0, start
            for other, _, its_end in positions[first:]:
                if matched < len(wanted) and other == wanted[matched]:
                    matched, end = matched + 1, its_end
            if matched == len(wanted) and (best is None or end - start < best[1] - best[0]):
                best = start, end
        return self.text[slice(*best)].strip(_QUOTES + "?!,;:.") if best is not None else piece

    @cached_property
    def _marks(self) -> Marks:
        return Marks.of(self.text, self.document, self.names, self.vocabulary, self.literal)


_QUOTES = "\"'“”„‘’`"


def _plain_words(text: str) -> list[str]:
    """Words as they are compared: in lower case, without quotation marks and punctuation around
    them.
    """
    words = (
        word.replace("’", "'").removesuffix("'s").strip(_QUOTES + "?!,;:.")
        for word in text.lower().split()
    )
    return [word for word in words if word]


def _paths_in(text: str, document: Document) -> Iterator[tuple[int, int, str]]:
    """The path patterns in a text with their places: in quotation marks, or steps with signs
    between them. Names are matched without regard to case where that is unique, and are those of
    the objects then.
    """
    for match in re.finditer(
        r"([\"'])(?P<path>[^\"']*[>→][^\"']*)\1|[“„](?P<quoted>[^”“]*[>→][^”“]*)[”“]", text
    ):
        yield match.start(), match.end(), _exact(match["path"] or match["quoted"], document)
        return
    scene = document.scene
    titles = sorted(
        {o.title for outer in scene.objects for o in scene.with_parts_of(outer)},
        key=len,
        reverse=True,
    )
    step = (
        rf"(?:{'|'.join(map(re.escape, titles)) or '[*]'}|\*|\?|escape)(?::\w+)?(?: \([a-z"
        r" -]+\d*\))?"
    )
    if path := re.search(rf"(?<!\w){step}(?: ?[>→] ?{step})+(?!\w)", text, re.IGNORECASE):
        yield path.start(), path.end(), _exact(path[0], document)


def _exact(pattern: str, document: Document) -> str:
    """A path pattern with the names of the objects that it means; as it is where it cannot be read."""
    titles = {
        o.title for outer in document.scene.objects for o in document.scene.with_parts_of(outer)
    }

    def exact(name: str) -> str:
        alike = [title for title in titles if title.casefold() == name.casefold()]
        return alike[0] if name not in titles and len(alike) == 1 else name

    try:
        return with_names(pattern, exact, lambda _, edge: edge)
    except InvalidPattern:
        return pattern


def _written(
    name: str, found: SceneObject | System, things: Sequence[SceneObject | System]
) -> SceneObject | System | Unclear:
    """What a name means: of several names that differ in case alone the one that is written so,
    else a question to the user.
    """
    alike = {
        thing.title: thing for thing in things if thing.title.casefold() == found.title.casefold()
    }
    exact = " ".join(name.split())
    if len(alike) == 1 or exact in alike:
        return alike.get(exact, found)
    return Unclear(
        f"Which one? {there_are(list(alike))}",
        all(isinstance(thing, Source) for thing in alike.values()),
    )


def _names_in(
    text: str, document: Document
) -> list[tuple[int, int, SceneObject | System | Unclear]]:
    """The names in a text with their places, whole words without regard to case; where they
    overlap, longer names first, and of names that differ in case alone the one that is written.
    """
    scene = document.scene
    things: list[SceneObject | System] = [
        o for outer in scene.objects for o in scene.with_parts_of(outer)
    ]
    things += [s for s in systems(scene, document.groups) if isinstance(s.key, str)]
    titles = {thing.title for thing in things}
    things += [
        System(name, name, ()) for name in document.groups if name not in titles
    ]  # of sources alone: they can be moved
    objects = sorted(things, key=lambda o: -len(o.title))
    taken = [False] * len(text)
    found = []
    for o in objects:
        words = r"\s+".join(re.escape(word) for word in o.title.split())
        for match in re.finditer(rf"(?<!\w){words}(?!\w)", text, re.IGNORECASE) if words else ():
            if not any(taken[match.start() : match.end()]):
                taken[match.start() : match.end()] = [True] * len(match[0])
                found.append((match.start(), match.end(), _written(match[0], o, things)))
    return sorted(found, key=lambda n: n[0])
