"""The phrases of a tool: which questions ask for it, and which of its arguments they give."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from raybench.analysis.phrase import Phrase, PhrasePattern
from raybench.analysis.tools.clauses import NUMBER, Clauses, Meant, Partly, Range
from raybench.analysis.tools.marks import DETERMINED, PATH, SOURCE, THING
from raybench.analysis.tools.plain_question import PlainQuestion
from raybench.analysis.tools.unclear import Unclear
from raybench.errors import RaybenchError, there_are
from raybench.kinds.blockers import Aperture
from raybench.kinds.detectors import Detector
from raybench.kinds.fields import LENGTH
from raybench.kinds.glasses import GlassBody
from raybench.kinds.object import SceneObject
from raybench.kinds.outline import edges_of
from raybench.kinds.sources import Source
from raybench.scene.changes.quantity import InvalidQuantity, quantity
from raybench.scene.document import Document

Understanding = Meant | Unclear | Partly | None
"""A tool's interpretation of a question: its arguments if it understood every clause, otherwise
`Unclear` or `Partly`; None if the question does not ask for it.
"""


class Open(RaybenchError):
    """A question is ambiguous, or refers to something that does not exist; the message is shown to
    the user.
    """


@dataclass(frozen=True)
class Slot:
    """A kind of argument: its pattern, its value, and its text in an example about a document; None
    if the document has none.
    """

    pattern: str
    value: Callable[[Clauses, str | None], Any]
    example: Callable[[Document], str | None]
    before: str = ""
    """The pattern of words that may precede it, such as an article."""

    fits: Callable[[SceneObject], bool] = lambda obj: False
    """Whether an object can be its value."""

    def group(self, name: str) -> str:
        """The pattern with a group of this name for the value."""
        return f"{self.before}(?P<{name}>{self.pattern})"


def named(kind: type[SceneObject] | tuple[type[SceneObject], ...], noun: str) -> Slot:
    """The slot of an object of some kinds: by its name, or by its noun."""

    def value(clauses: Clauses, mark: str | None) -> str:
        found = (
            _only(clauses.document, kind) or clauses.only(noun)
            if mark is None
            else clauses.marked(mark)
        )
        if isinstance(found, Unclear):
            raise Open(found.problem)
        if not isinstance(found, kind):
            titles = [o.title for o in clauses.document.scene.objects if isinstance(o, kind)]
            what = there_are(titles) if titles else f"There is no {noun} in this scene."
            raise Open(f"{found.title} is no {noun}. {what}")
        return found.title

    def example(document: Document) -> str | None:
        return next(
            (o.title for o in document.scene.objects if isinstance(o, kind) and o.optical), None
        )

    return Slot(
        SOURCE if kind is Source else THING,
        value,
        example,
        DETERMINED,
        lambda obj: isinstance(obj, kind),
    )


def _only(
    document: Document, kind: type[SceneObject] | tuple[type[SceneObject], ...]
) -> SceneObject | None:
    """The object of some kinds, if there is exactly one."""
    candidates = [o for o in document.scene.objects if isinstance(o, kind)]
    return candidates[0] if len(candidates) == 1 else None


def _surface(document: Document) -> str | None:
    """The object that most questions are about: the first that changes the direction of light, else
    the first that light meets.
    """
    candidates = [
        o for o in document.scene.objects if o.optical and not isinstance(o, Source) and edges_of(o)
    ]
    acting = (o.title for o in candidates if not isinstance(o, Detector | Aperture))
    return next(acting, next((o.title for o in candidates), None))


def _object(clauses: Clauses, mark: str | None) -> str:
    found = clauses.only("lens") if mark is None else clauses.marked(mark)
    if isinstance(found, Unclear):
        raise Open(found.problem)
    return found.title


def amount(unit: str, pattern: str, example: str) -> Slot:
    """The slot of a number with a unit, which may be left out."""

    def value(clauses: Clauses, text: str | None) -> float:
        try:
            number = quantity(str(text).replace(" percent", "%"), unit, clauses.document.unit)
        except InvalidQuantity as error:
            raise Open(f"{text} {error}.") from None
        return number

    return Slot(rf"[-+−]?{NUMBER}{pattern}", value, lambda document: example)


ORDINALS = {
    **{
        word: n
        for n, word in enumerate(
            (
                "zeroth",
                "first",
                "second",
                "third",
                "fourth",
                "fifth",
                "sixth",
                "seventh",
                "eighth",
                "ninth",
            )
        )
    },
    "zero": 0,
}
"""Numbers of diffraction orders in words."""


def _order(clauses: Clauses, text: str | None) -> str:
    written = re.sub(r"(?<=\d)(?:st|nd|rd|th)$", "", str(text)).replace("−", "-")
    sign = (
        "-"
        if written.startswith(("-", "minus"))
        else "+"
        if written.startswith(("+", "plus"))
        else ""
    )
    number = re.sub(r"^(?:[-+]|plus|minus) ?", "", written)
    return sign + str(ORDINALS.get(number, number))


def _whole(clauses: Clauses, text: str | None) -> int:
    return int(str(text))


_LENGTH = r"(?: ?(?:nm|[uµμ]m|mm|cm|dm|m|km|in|inch|ft)(?!\w))?"
_ANGLE = r"(?: ?(?:°|deg(?:rees?)?|rad|mrad)(?!\w))?"
SLOTS: Mapping[str, Slot] = {
    "object_name": Slot(
        THING,
        _object,
        _surface,
        DETERMINED,
        lambda obj: obj.optical and not isinstance(obj, Source),
    ),
    "glass_name": named(GlassBody, "glass"),
    "detector_name": named(Detector, "detector"),
    "aperture_name": named(Aperture, "aperture"),
    "source_name": named(Source, "source"),
    "pattern": Slot(PATH, lambda clauses, mark: clauses.path(str(mark)), lambda document: None),
    "ray_id": Slot(r"r\d+-\d+", lambda clauses, text: text, lambda document: None),
    "order": Slot(
        rf"(?:[-+−]|(?:plus|minus) )?(?:\d{{1,3}}(?:st|nd|rd|th)?|{'|'.join(ORDINALS)})",
        _order,
        lambda document: "1",
    ),
    "angle": amount("deg", _ANGLE, "30°"),
    "within": amount("deg", _ANGLE, "3°"),
    **{name: amount(LENGTH, _LENGTH, "10") for name in ("x", "y", "width", "height")},
    **{
        name: amount("", "", example)
        for name, example in (("n1", "1"), ("n2", "1.5"), ("n_d", "1.5"), ("v_d", "60"))
    },
    **{
        name: Slot(r"\d{1,3}", _whole, lambda document: "3")
        for name in ("top_n", "min_tir_count", "revision")
    },
}
"""The slots of phrases, which are the tools' parameters, by name."""


def _source(clauses: Clauses) -> str | None:
    found = clauses.source()
    if isinstance(found, Unclear):
        raise Open(found.problem)
    return None if found is None else found.title


def _wavelength(clauses: Clauses) -> float | None:
    found: Range | None = clauses.wavelength()
    if found is None:
        source = clauses.source()
        return (
            None
            if source is None or isinstance(source, Unclear)
            else getattr(source, "wavelength", None)
        )
    if found.least != found.most or math.isinf(found.most):
        raise Open("Give one wavelength, such as 550 nm.")
    return found.least


CLAUSES: Mapping[str, Callable[[Clauses], Any]] = {
    "source_name": _source,
    "wavelength": _wavelength,
}
"""Clauses that may occur anywhere in a question, by the tool parameter that they give."""


class Phrases:
    """Phrases whose slots are parameters of a tool; ``clauses`` are parameters that may be given
    anywhere in a question.

    A slot with a question mark, ``{glass_name?}``, may be left out where the scene has only one
    such object. ``fixed`` are further arguments, ``slots`` are used in place of those in `SLOTS`.
    If there is a function ``understood``, it interprets questions, and the phrases are only
    examples.
    """

    def __init__(
        self,
        *texts: str,
        clauses: tuple[str, ...] = (),
        understood: Callable[[PlainQuestion], Understanding] | None = None,
        fixed: Mapping[str, Any] | None = None,
        slots: Mapping[str, Slot] | None = None,
    ) -> None:
        self.phrases = tuple(map(Phrase, texts))
        self.slots = {**SLOTS, **(slots or {})}
        self.clauses, self._understood, self._fixed = clauses, understood, fixed or {}

    @property
    def examples_only(self) -> bool:
        """Whether the phrases are only examples."""
        return self._understood is not None

    @property
    def parameters(self) -> frozenset[str]:
        """The parameters that a question can give."""
        slots = (
            frozenset[str]().union(*(p.slots for p in self.phrases))
            if self._understood is None
            else frozenset()
        )
        return slots | frozenset(self.clauses) | self._fixed.keys()

    def __call__(self, question: PlainQuestion) -> Understanding:
        if self._understood is not None:
            return self._understood(question)
        best: Understanding = None
        text = question.clauses().remainder
        possible = [
            (phrase, pattern)
            for phrase, pattern in zip(self.phrases, self._patterns, strict=True)
            if pattern.may_match(text)
        ]
        for clauses_first in (False, True)[
            : 1 + bool(self.clauses)
        ]:  # a clause may occur within a phrase: the spot of Red on Screen
            for phrase, pattern in possible:
                best = better(best, self._match(phrase, pattern, question.clauses(), clauses_first))
            if isinstance(best, Meant):
                break
        return best

    def _match(
        self, phrase: Phrase, pattern: PhrasePattern, clauses: Clauses, clauses_first: bool
    ) -> Understanding:
        try:
            given = self._given(clauses, ()) if clauses_first else {}
            clauses.remainder = " ".join(clauses.remainder.replace("|", " ").split())
            match = clauses.take_phrase(pattern)
            if match is None:
                return None
            arguments = {
                slot: self.slots[slot].value(clauses, match[slot]) for slot in sorted(phrase.slots)
            }
            arguments |= given or self._given(clauses, arguments)
        except Open as problem:
            return clauses.ask(str(problem))
        return clauses.whole({**arguments, **self._fixed})

    def _given(self, clauses: Clauses, slots: Collection[str]) -> dict[str, Any]:
        """The arguments given by clauses, except those of slots. Raises Open."""
        values = {name: CLAUSES[name](clauses) for name in self.clauses if name not in slots}
        return {name: value for name, value in values.items() if value is not None}

    @cached_property
    def _patterns(self) -> tuple[PhrasePattern, ...]:
        return tuple(
            phrase.pattern(lambda slot: self.slots[slot].group(slot)) for phrase in self.phrases
        )


def better(one: Understanding, other: Understanding) -> Understanding:
    """The better of two interpretations: a call, else a question to the user, else the one with
    fewer remaining words.
    """
    return min(one, other, key=_unexplained)


def _unexplained(found: Understanding) -> tuple[int, int]:
    match found:
        case Meant():
            return 0, found.spare
        case Unclear():
            return 1, 0
        case Partly():
            return 2, len(found.rest)
        case None:
            return 3, 0
