"""The arguments of measures in questions: how each role is written, and the objects, edges and
orders that are meant.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from raybench.analysis.measures.measure import Parameter, Role
from raybench.analysis.paths.path_pattern import quoted
from raybench.analysis.tools.clauses import SIDES, Clauses
from raybench.analysis.tools.marks import DETERMINED, OBJECT, PATH, SOURCE, THING
from raybench.analysis.tools.nouns import of_noun
from raybench.analysis.tools.phrases import SLOTS
from raybench.analysis.tools.unclear import Unclear
from raybench.kinds.object import SceneObject
from raybench.scene.labels import UnknownEdge, edge_labelled

_MARKS = {Role.SOURCE: SOURCE, Role.PATTERN: PATH, Role.OBJECT: OBJECT}
LISTED = {Role.SURFACE, Role.SYSTEM, Role.OBJECT, Role.LINE, Role.DETECTOR, Role.APERTURE}
"""Roles for which a question may name several objects, joined by "and"."""
_EDGE_WORDS = r"(?:edge|side|face|end)"
_LABEL = r"(?!its\b)[\w-]+"
_OF_OBJECT = rf"{DETERMINED}{THING} (?:through|by|at|on|via|out of) (?:its )?"
_EDGES = (
    (rf"{DETERMINED}{THING}:", ""),
    (rf"{_EDGE_WORDS} ", rf" (?:of|on) {DETERMINED}{THING}"),
    ("", rf" {_EDGE_WORDS} (?:of|on) {DETERMINED}{THING}"),
    (rf"{_OF_OBJECT}{_EDGE_WORDS} ", ""),
    (_OF_OBJECT, rf" {_EDGE_WORDS}"),
)
"""What is written before and after the label of an edge: Prism:N, edge N of Prism, the left face of
Prism, Prism through face N, Prism through its left face.
"""
_EDGE = "|".join(f"{before}{_LABEL}{after}" for before, after in _EDGES)


def slot(parameter: Parameter) -> str:
    """The pattern of what is written for a parameter."""
    if parameter.role is Role.EDGE:
        return f"(?P<{parameter.name}>{_EDGE})"
    if parameter.role is Role.ORDER:
        return f"(?P<{parameter.name}>{SLOTS['order'].pattern})"
    mark = rf"{DETERMINED}{_MARKS.get(parameter.role, THING)}"
    several = (
        rf"(?:(?: {mark})* and {mark})?"
        if parameter.role in LISTED and parameter.name not in ("first", "second")
        else ""
    )
    return rf"(?P<{parameter.name}>{mark}{several})"


def arguments(
    said: Clauses,
    parameter: Parameter,
    written: Mapping[str, str | None],
    source: SceneObject | None,
    alone: bool,
    shared: bool,
) -> Sequence[str] | Unclear:
    """The names that a parameter takes: those written, if ``shared`` those of objects written in
    another place, or the only object of its noun.
    """
    text = written.get(parameter.name)
    if text is None and parameter.role is Role.SOURCE and source is not None:
        return [source.title]
    if (
        text is None and shared and parameter.role in LISTED
    ):  # joined quantities have the object of another phrase
        text = next(
            (
                t
                for name, t in written.items()
                if t and name not in ("first", "second", "source", "other", "path", "order")
            ),
            None,
        )
    if text is None:
        if parameter.optional or not (alone and parameter.noun):
            return [] if parameter.optional else Unclear(f"Which {parameter.name}?")
        if (
            parameter.name in ("first", "second")
            and len(pair := of_noun(parameter.noun, said.document)) == 2
        ):
            return [pair[parameter.name == "second"].title]
        found = said.only("grating" if written.get("order") else parameter.noun)
        return found if isinstance(found, Unclear) else [found.title]
    if parameter.role is Role.PATTERN:
        return [said.path(mark) for mark in re.findall(PATH, text)]
    if parameter.role is Role.EDGE:
        return _edge(said, text)
    if parameter.role is Role.ORDER:
        return [str(SLOTS["order"].value(said, text))]
    titles: list[str] = []
    for mark in re.findall(OBJECT, text):
        meant = said.each(mark)
        if isinstance(meant, Unclear):
            return meant
        titles += [thing.title for thing in meant]
    return titles


def _edge(said: Clauses, text: str) -> Sequence[str] | Unclear:
    """An edge as measures name it, from what `_EDGE` matched."""
    (mark,) = re.findall(THING, text)
    obj = said.single(mark)
    if isinstance(obj, Unclear):
        return obj
    written = (
        re.fullmatch(f"{before}(?P<label>{_LABEL}){after}", text) for before, after in _EDGES
    )
    word = next(match["label"] for match in written if match)
    try:
        edge = edge_labelled(obj, SIDES.get(word, word), said.document.edge_labels.get(obj.key, {}))
    except UnknownEdge as error:
        return Unclear(str(error))
    return [f"{quoted(obj.title)}:{quoted(edge.short)}"]
