"""Suggested questions: three about a scene, and those most similar to a question that was not
understood.
"""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from itertools import groupby

from raybench.agent.catalogue.help import stemmed_words
from raybench.agent.models.keywords import rows, understand, vocabulary
from raybench.analysis.answers.words import capitalized
from raybench.analysis.measures.measure import Parameter, Role, no_rays
from raybench.analysis.measures.table import MEASURES
from raybench.analysis.phrase import Phrase
from raybench.analysis.tools.discovery import tools
from raybench.analysis.tools.fillers import FILLERS
from raybench.analysis.tools.measure_rows import phrases as measure_phrases
from raybench.analysis.tools.nouns import NOUNS, object_without_name
from raybench.analysis.tools.phrases import SLOTS
from raybench.analysis.tools.unclear import Unclear
from raybench.errors import as_sentence
from raybench.kinds.blockers import Aperture, Blocker
from raybench.kinds.detectors import Detector
from raybench.kinds.glasses import GlassBody
from raybench.kinds.gratings import Grating
from raybench.kinds.lenses import IdealLens, SphericalLens
from raybench.kinds.mirrors import IdealMirror, ParabolicMirror, Reflector
from raybench.kinds.object import SceneObject
from raybench.kinds.outline import edges_of
from raybench.kinds.sources import Source
from raybench.scene.document import Document, Groups
from raybench.scene.labels import labelled_edges
from raybench.scene.names import nearest

LOSSES = "Where does the light go?"
OF_ANY_LIGHT = (LOSSES, "Which rays escape?", "What is in the scene?")
WITHOUT_LIGHT = (
    "What is in the scene?",
    "How much power is reflected from n 1 to n 1.5 at 45°?",
    "Which glass has an index of 1.62 and an Abbe number of 36?",
)
"""For a scene without sources."""
OF_OBJECTS = frozenset({"change_scene", "compare", "find_glass", "read_objects"})
"""Tools about objects and glasses, which need no light."""
NEAREST = 2
"""Maximum number of suggestions for a question that was not understood."""
LEAST_LIKE = 0.6
"""Minimum score of a suggestion as a fraction of the best score."""
MOST_TRIED = 12
MOST_WORDS = 3
"""Maximum number of words that are compared with names in the scene."""


def questions(document: Document) -> tuple[str, str, str]:
    """Three questions about a scene, in its own names: about its detector, its focus, its glass,
    and where its light is lost; without sources, about its objects alone.
    """
    own = [o for o in document.scene.objects if o.key not in document.disabled]
    objects = [*own, *(part for o in own for part in document.scene.parts_of(o) if part is not o)]
    has_sources = _has_sources(document)
    about = _about_light(objects, document.groups) if has_sources else _about_objects(objects)
    first, second, third = [
        *list(dict.fromkeys(about))[:2],
        *(OF_ANY_LIGHT if has_sources else WITHOUT_LIGHT),
    ][:3]
    return first, second, third


def _has_sources(document: Document) -> bool:
    """Whether a scene, with the parts of its modules, has a source that is not disabled."""
    return any(
        isinstance(o, Source) and o.key not in document.disabled for o in document.scene.optical
    )


def _about_objects(objects: list[SceneObject]) -> Iterator[str]:
    """Questions that need no light: about the first glass, and the first object that has edges."""
    for kind, asked in (
        (GlassBody, "What is the refractive index of {}?"),
        (SceneObject, "What are the edges of {}?"),
    ):
        found = next((o for o in objects if isinstance(o, kind) and edges_of(o)), None)
        if found is not None:
            yield asked.format(found.title)


def _about_light(objects: list[SceneObject], groups: Groups) -> Iterator[str]:
    """Questions about the objects, those that say most about a scene first. Lenses in one group,
    such as an achromat, have one focus.
    """
    lenses = (IdealLens, SphericalLens, ParabolicMirror, IdealMirror)
    first: dict[type[SceneObject], tuple[int, SceneObject]] = {}
    for i, o in enumerate(objects):
        first.setdefault(type(o), (i, o))
    focusing = frozenset(o.key for o in objects if isinstance(o, lenses))
    systems = {
        key: name
        for name, keys in groups.items()
        if len(keys & focusing) > 1
        for key in keys & focusing
    }
    for kinds, asked in (
        ((Detector,), "Which rays reach {}?"),
        (lenses, "Where is the focus of {}?"),
        ((Grating,), "Which beams leave {}?"),
        ((Aperture,), "How much light goes through the opening of {}?"),
        ((GlassBody,), "Which rays are inside {}?"),
        ((GlassBody,), "Is there total reflection in {}?"),
        ((Reflector,), "Which rays hit {}?"),
        ((Blocker, Detector), "How much power reaches {}?"),
    ):
        of_kinds = [place for kind, place in first.items() if issubclass(kind, kinds)]
        if of_kinds:
            _, found = min(of_kinds, key=lambda place: place[0])
            yield asked.format(
                systems.get(found.key, found.title) if kinds is lenses else found.title
            )


def near(question: str, document: Document) -> tuple[str, ...]:
    """The questions about the scene that are most similar to one that was not understood; empty if
    none is similar.
    """
    corrected = tuple(itertools.islice(_with_existing_names(question, document), NEAREST))
    completed = corrected or tuple(itertools.islice(_with_an_object(question, document), NEAREST))
    if completed:
        return completed
    names = {word for o in document.scene.objects for word in stemmed_words(o.title)}
    phrases = [
        (p, weights)
        for p, weights, needs_light in suggested()
        if _has_sources(document) or not needs_light
    ]
    known = {word for _, weights in phrases for word in weights}
    asked = {
        w
        for word in {*stemmed_words(question)} - names
        for w in ([word] if word in known else _mistyped(word, known))
    }
    scored = [
        (
            sum(
                weights.get(word, 0.0) * (1 + (word in stemmed_words(p.example))) for word in asked
            ),
            p,
        )
        for p, weights in phrases
    ]
    mentioned = [o for o in document.scene.objects if o.title.lower() in question.lower()]
    found: list[str] = []
    least = LEAST_LIKE**2 * max(score for score, _ in scored)
    for score, phrase in sorted(scored, key=lambda s: -s[0])[:MOST_TRIED]:
        asked_so = as_question(phrase, document, mentioned) if score > least else None
        if asked_so is not None and asked_so not in found and understand(asked_so, document).tool:
            found.append(asked_so)
            least = max(
                least, LEAST_LIKE * score
            )  # the best of those that fit the scene is the measure of the others
        if len(found) == NEAREST:
            break
    return tuple(found)


def _mistyped(word: str, known: Collection[str]) -> list[str]:
    """The known word that one may have meant; of short words others are too similar, such as red
    and redo.
    """
    return get_close_matches(word, known, 1, 0.8) if len(word) > 3 else []


def _with_existing_names(question: str, document: Document) -> Iterator[str]:
    """The question with similar words replaced by the name of an object or of a part of an
    instance, if it is then understood.
    """
    scene = document.scene
    titles = list(
        dict.fromkeys(
            [
                *(o.title for outer in scene.objects for o in scene.with_parts_of(outer)),
                *document.groups,
            ]
        )
    )
    ends = {title: title.rpartition("/")[2].casefold() for title in titles}
    there = list(re.finditer(r"[^\s?!.,;:]+", question))
    tried = 0
    for count in range(MOST_WORDS, 0, -1):
        for first, last in zip(there, there[count - 1 :], strict=False):
            typed = question[first.start() : last.end()]
            if count == 1 and typed.lower() in vocabulary() | FILLERS:
                continue
            like = [
                title for title in titles if "/" in title and ends[title] == typed.casefold()
            ] or nearest(typed, titles)
            for title in like:
                if re.search(rf"(?<!\w){re.escape(title)}(?!\w)", typed, re.IGNORECASE) is not None:
                    continue  # it is named already: words beside it would be dropped
                asked = question[: first.start()] + title + question[last.end() :]
                tried += 1
                if tried <= MOST_TRIED and understand(asked, document).tool:
                    yield as_sentence(asked)


_NEEDS_OBJECT = re.compile(
    r"\b(?:leaves?|reach(?:es)?|hits?|meets?|cross(?:es)?|enters?|after|at|by|from|in|into|of|on|through|to)$"
)
"""The end of a question that an object's name follows, such as the verb of *where does the light
leave*.
"""
_BETWEEN = ((" after ", " of ", " by ", " at ", " "), (" ", " after ", " of ", " by ", " at "))
"""What may stand before the name, without and with such an end, in the order in which it is tried.
"""


def _with_an_object(question: str, document: Document) -> Iterator[str]:
    """A question that lacks an object, with each that it may be about, where it is then understood."""
    candidates = re.search(
        r"\?.*There are: ([^?]+?)(?: and \d+ more)?\.$", understand(question, document).problem
    )
    text = capitalized(question.rstrip(" ?.!"))
    for title in candidates[1].split(", ")[:MOST_TRIED] if candidates else ():
        asked = (
            f"{text}{between}{title}?"
            for between in _BETWEEN[_NEEDS_OBJECT.search(text) is not None]
        )
        yield from itertools.islice((a for a in asked if understand(a, document).tool), 1)


@cache
def suggested() -> tuple[tuple[Phrase, Mapping[str, float], bool], ...]:
    """For each phrase the one to suggest in its place, its words weighted by inverse document
    frequency, and whether it is about light.
    """
    families = [(row.phrases, row.examples_only, _needs_light(name)) for name, row in rows()]
    for names, group in groupby(measure_phrases(), key=lambda row: row[0]):
        families.append(
            (
                tuple(p for _, p in group),
                False,
                any(MEASURES[name].rays is not no_rays for name in names),
            )
        )
    triples = [
        (p if own or p.of_itself else family[0], p, lit)
        for family, own, lit in families
        for p in family
    ]
    number = Counter(word for _, p, _ in triples for word in set(stemmed_words(" ".join(p.words))))
    return tuple(
        (
            shown,
            {
                w: math.log(1 + len(triples) / number[w])
                / math.sqrt(len(stemmed_words(p.example)) + 1)
                for w in stemmed_words(" ".join(p.words))
            },
            lit,
        )
        for shown, p, lit in triples
    )


def _needs_light(name: str) -> bool:
    """Whether a tool is about light."""
    return tools()[name].needs_light if name in tools() else name not in OF_OBJECTS


def as_question(
    phrase: Phrase, document: Document, mentioned: Sequence[SceneObject] = ()
) -> str | None:
    """A phrase as a question about a scene; None if the scene lacks the objects that it is about."""
    measures = {p: names for names, p in measure_phrases()}
    parameters = {p.name: p for name in measures.get(phrase, ()) for p in MEASURES[name].parameters}
    slots = next((row.slots for _, row in rows() if phrase in row.phrases), {})
    for parameter in (
        p for name in measures.get(phrase, ()) for p in MEASURES[name].parameters
    ):  # what it does not name must be clear
        left_out = (
            f"{{{parameter.name}}}" not in phrase.example
            and not parameter.optional
            and parameter.noun
        )
        if left_out and isinstance(object_without_name(parameter.noun, document), Unclear):
            return None
    values: dict[str, str] = {}
    for slot in sorted(phrase.slots, key=lambda s: s == "edge"):
        if slot in parameters:
            value = _argument(parameters[slot], document, mentioned, set(values.values()))
        elif slot == "edge":
            value = _edge(values.get("glass_name", ""), document)
        else:
            kind = (slots or SLOTS)[slot]
            value = next((o.title for o in mentioned if kind.fits(o)), None) or kind.example(
                document
            )
        if value is None:
            return None
        values[slot] = value
    return phrase.question.format(**values)


def _argument(
    parameter: Parameter, document: Document, mentioned: Sequence[SceneObject], taken: set[str]
) -> str | None:
    kinds = {
        Role.SOURCE: (Source,), Role.DETECTOR: (Detector,), Role.APERTURE: (Aperture,), Role.LINE: (Detector, Blocker), Role.PATTERN: (),
    }.get(parameter.role, NOUNS[parameter.noun].any_kind if parameter.noun else (SceneObject,))  # fmt: skip
    if parameter.role is Role.ORDER:
        return "1"
    if parameter.role is Role.EDGE:
        body = next(
            (
                o
                for o in (*mentioned, *document.scene.objects)
                if isinstance(o, GlassBody) and o.optical
            ),
            None,
        )
        edge = _edge(body.title, document) if body is not None else None
        return f"edge {edge} of {body.title}" if body is not None and edge else None
    objects = [o for o in document.scene.objects if o.optical and o.title not in taken]
    if parameter.role not in (Role.SOURCE, Role.PATTERN):
        objects = [o for o in objects if not isinstance(o, Source) and edges_of(o)]
    return next(
        (o.title for o in (*mentioned, *objects) if o in objects and isinstance(o, kinds)), None
    )


def _edge(title: str, document: Document) -> str | None:
    body = next((o for o in document.scene.objects if o.title == title), None)
    if body is None:
        return None
    edges = labelled_edges(body, document.edge_labels.get(body.key, {}))
    return re.sub(r"\s.*", "", edges[0].short) if edges else None
