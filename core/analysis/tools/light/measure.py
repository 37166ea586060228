"""What is the value of a measure, such as the power at a detector?"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from core.analysis.answers.answer import Answer, Element, element, listed
from core.analysis.answers.beam_elements import of_which_bundle
from core.analysis.answers.words import in_words
from core.analysis.answers.xml_answer import provenance
from core.analysis.context import require_context
from core.analysis.measures.bound import bind
from core.analysis.measures.grammar import Expression
from core.analysis.measures.light import Light
from core.analysis.measures.measure import Measured, Unit
from core.analysis.measures.table import MEASURES
from core.analysis.tools.clauses import Clauses, Partly, Unclear
from core.analysis.tools.plain_question import PlainQuestion
from core.analysis.tools.tool import AnalysisTool, Understanding
from core.errors import RaybenchError
from core.kinds.detectors import Detector
from core.kinds.object import SceneObject

IN_WORDS = 8
"""Maximum number of measures in the sentence."""


def measure(measures: str) -> Answer:
    """
    Measure the traced light: power, spot, focus and other numbers, such as power(Screen); rms(Screen, Laser); focus(Lens).

    Arguments are object names, quoted if they contain a comma, a parenthesis or a quotation mark, and path patterns as in
    path_power("Lamp > * > Screen"). Arguments with a question mark are optional. There are: {measures}. search_help explains each.

    Args:
        measures: One measure or several, separated by semicolons.

    Returns:
        Root measures: for each measure its value and unit, or the reason why it is undefined. A measure of the strongest bundle has a note
        that names the bundle, and others with another value, if there are any: name a source, or ask beams_xml for all.

    Raises:
        RuntimeError: If set_context() has not been called.
        ValueError: If a measure is invalid, or a measure or an object does not exist; the message suggests the nearest names.
    """
    context = require_context()
    light = Light.of_context(context)
    values = [replace(bound.of(light), note=of_which_bundle(light, bound)) for bound in bind(measures, context.scene, context.edge_labels)]
    root = element("measures", listed("measure", [_element(m) for m in values]), **provenance(context))
    said = "; ".join(map(str, values[:IN_WORDS])).rstrip(".")
    more = len(values) - IN_WORDS
    return Answer(root, f"{said}; {more} more below" if more > 0 else said, said=more <= 0)


measure.__doc__ = (measure.__doc__ or "").replace("{measures}", ", ".join(m.usage for m in MEASURES.values()))


def _element(measured: Measured) -> Element:
    unit = None if measured.unit == Unit.ONE.value else measured.unit
    value = measured.value if measured.defined else None
    return element("measure", value=value, unit=unit, of=measured.expression, reason=measured.reason or None, note=measured.note or None)


_AT = r"(?:at|on|of|in|by|for|behind|after|through)"
_REACHES = r"(?:that )?(?:reach(?:es|ing)?|hit(?:s|ting)?|arriv(?:es?|ing) (?:at|on)|falls? on|lands? on|received by|meets?|at|on|of)"
_LIGHT = r"(?:power|light|energy)"
_PHRASES: tuple[tuple[str, tuple[str, ...]], ...] = (
    (rf"(?:share|fraction|part|percentage) (?:of (?:emitted )?{_LIGHT} )?{_REACHES} {{o}}", ("share",)),
    (rf"how much (?:of the )?{_LIGHT} (?:is |does )?(?:absorbed|lost) (?:by|in|at|on|inside) {{o}}", ("absorbed",)),
    (rf"{_LIGHT} absorbed (?:by|in|at|on|inside) {{o}}", ("absorbed",)),
    (rf"back focal (?:length|distance) {_AT} {{o}}", ("back_focal_length",)),
    (rf"focal length {_AT} {{o}}", ("focal_length",)),
    (rf"image distance {_AT} {{o}}", ("image_distance",)),
    (rf"image {_AT} {{o}}", ("image_distance", "magnification")),
    (rf"magnification {_AT} {{o}}", ("magnification",)),
    (rf"divergence {_AT} {{o}}", ("divergence",)),
    (rf"(?:deviation(?: angle)?|angle of deviation) (?:of {_LIGHT} )?{_AT} {{o}}", ("deviation",)),
    (r"how much {o} (?:deviates?|bends?)|how (?:much|far) does {s} (?:deviate|bend)", ("deviation",)),
    (rf"(?:mean )?angles? of incidence (?:(?:has|does) )?(?:{_LIGHT} )?(?:have )?{_AT} {{o}}", ("incidence",)),
    (rf"(?:how many|number of) total reflections?(?: are)?(?: there)? {_AT} {{o}}", ("total_reflections",)),
    (r"(?:power )?loss(?:es)? (?:in|at|by|of) {o}", ("absorbed",)),
    (rf"(?:spot|spot (?:size|radius|width|diameter)) {_AT} {{o}}|how (?:big|large|small|wide) is spot {_AT} {{s}}", ("spot",)),
    (rf"(?:how much )?(?:of |received )?{_LIGHT} {_REACHES} {{o}}|how much {_LIGHT} does {{s}} (?:get|receive)", ("power", "share")),
)
"""Phrases with the measures that they mean, all of the object."""
_OF_THE_WHOLE: tuple[tuple[str, tuple[str, ...]], ...] = (
    (rf"loss(?:es)?|where (?:does|do|is|are|did) (?:all )?{_LIGHT} (?:go|lost|end up)|where is {_LIGHT} lost"
     rf"|how much {_LIGHT} (?:is |gets )?lost|power balance|what happens to {_LIGHT}",
     ("emitted", "escaped", "absorbed", "truncated")),
    (rf"how much {_LIGHT} (?:escapes?|leaks?|is leaking)|escaped {_LIGHT}", ("escaped",)),
    (rf"how much {_LIGHT} is absorbed|absorbed {_LIGHT}", ("absorbed",)),
    (rf"how much {_LIGHT} is emitted|emitted {_LIGHT}", ("emitted",)),
    (r"(?:how many|number of) total reflections?", ("total_reflections",)),
)  # fmt: skip
"""Phrases with the measures that they mean, of the whole scene."""
_LINES = ("rms", "width", "centroid")
_FOCI = ("focus", "spot_rms", "spot_width")


def _understood(question: PlainQuestion) -> Understanding:
    """Accepts measure expressions, and phrases for one measure of one object."""
    started = re.match(r"\s*(\w+)\s*\(", question.text)
    if started is not None and started[1] in MEASURES:
        try:
            bind(question.text.rstrip(" ?."), question.document.scene, question.document.edge_labels)
        except RaybenchError as error:
            return Unclear(str(error))
        return {"measures": question.text.rstrip(" ?.")}
    said = question.clauses()
    source = said.source()
    for pattern, names in _PHRASES:
        if match := said.take(pattern):
            return _measures(said, source, names, match.groupdict())
    for pattern, names in _OF_THE_WHOLE:
        if said.take(pattern):
            return _measures(said, source, names, {})
    return None


def _measures(
    said: Clauses, source: SceneObject | Unclear | None, names: tuple[str, ...], marks: Mapping[str, str | None]
) -> Understanding:
    mark = marks.get("o") or marks.get("s")
    obj = said.marked(mark) if mark else None
    for found in (obj, source):
        if isinstance(found, Unclear):
            return said.ask(found.problem)
    scene = said.document.scene
    assert not isinstance(obj, Unclear)
    assert not isinstance(source, Unclear)
    if names == ("spot",):
        names = _LINES if isinstance(obj, Detector) else _FOCI
    expressions = []
    for name in names:
        roles = [p.name for p in MEASURES[name].parameters]
        if source is not None and "source" not in roles:
            if len(names) > 1 and name == "truncated":
                continue
            return Partly(f"from {source.title}")
        arguments = [obj.title] if obj is not None else []
        if source is not None and obj is None and roles[0] != "source":  # such as absorbed(object?, source?)
            if len(names) > 1:
                continue
            return Partly(f"from {source.title}")
        expressions.append(str(Expression(name, (*arguments, *([source.title] if source is not None else [])))))
    text = "; ".join(expressions)
    try:
        bind(text, scene, said.document.edge_labels)
    except RaybenchError as error:
        return said.ask(str(error))
    return said.whole({"measures": text})


def _asks(arguments: Mapping[str, Any]) -> str:
    return f"measure {in_words(arguments['measures'])}"


TOOL = AnalysisTool(function=measure, asks=_asks, phrases=_understood)
