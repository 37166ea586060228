"""All examples: those of tools and measures, of edits and studies, and of what the window shows."""

import inspect
import re
from collections.abc import Mapping
from typing import Any

from raybench.agent.questions.adding import adding_examples
from raybench.agent.questions.edits import edit_examples
from raybench.agent.questions.example import (
    DEFAULT_KINDS,
    DEFAULT_TEXTS,
    Example,
    Match,
    Unclear,
    custom_slot,
)
from raybench.agent.questions.objects import SLOTS, ObjectSlot, slot_of, things_of
from raybench.agent.questions.sentence import Sentence
from raybench.agent.questions.words import words_of
from raybench.analysis.measures.grammar import Expression
from raybench.analysis.measures.measure import SPELLED, Measure, Role, conversion_factor, no_rays
from raybench.analysis.measures.table import MEASURES
from raybench.analysis.paths.path_pattern import quoted_name
from raybench.analysis.question import Question
from raybench.analysis.tools.discovery import tools
from raybench.analysis.tools.tool import AnalysisTool
from raybench.kinds.outline import edges_of
from raybench.scene.document import Document
from raybench.scene.labels import labelled_edges

WRITTEN = "measures"
"""The slot for measures as they are written; how sentences hold them is known to studies."""


def _of_tool(name: str, tool: AnalysisTool) -> list[Example]:
    taken = inspect.signature(tool.function).parameters
    about = frozenset(words_of((inspect.getdoc(tool.function) or "").partition(".")[0]))
    return [
        Example(
            name,
            question,
            {slot: _kind(kind or _kind_of(taken[slot])) for slot, kind in question.slots.items()},
            _as_given,
            frozenset(taken) - question.slots.keys() - question.given.keys(),
            frozenset(n for n, p in taken.items() if p.default is p.empty),
            about,
            lit=tool.needs_light,
            intent=name,
        )
        for question in tool.examples
        if WRITTEN not in question.slots
    ]


def _kind_of(parameter: inspect.Parameter) -> str:
    """The kind of a slot that does not state one: by the name of its parameter, else by its type."""
    of_types = {"float": "plain", "int": "count"}
    return DEFAULT_KINDS.get(parameter.name) or of_types.get(str(parameter.annotation), "object")


def _kind(name: str) -> ObjectSlot | str:
    return SLOTS.get(name, name)


def _as_given(given: Mapping[str, Any], document: Document) -> dict[str, Any]:
    return dict(given)


_TEXTS = {Role.ORDER: "order", Role.PATTERN: "path", Role.EDGE: "body edge"}


def _of_measure(measure: Measure) -> list[Example]:
    slots = {p.name: _TEXTS[p.role] if p.role in _TEXTS else slot_of(p) for p in measure.parameters}
    optional = {p.name for p in measure.parameters if p.optional} | {"unit"}
    about = frozenset(words_of(f"{re.sub(r'{.*?}', '', measure.quantity)} {measure.help}"))

    def call(given: Mapping[str, Any], document: Document) -> dict[str, Any]:
        named = [p for p in measure.parameters if p.role is not Role.ORDER]
        said = [bool(given.get(p.name)) for p in named]
        if said != sorted(said, reverse=True):
            raise Unclear(f"Of which {named[said.index(False)].name}?")
        arguments = [str(given[p.name]) for p in measure.parameters if given.get(p.name)]
        unit = given.get("unit")
        if unit is None:
            return {"measures": str(Expression(measure.name, tuple(arguments)))}
        if unit not in SPELLED or not conversion_factor(measure.unit, unit, document.unit):
            raise Unclear(f"The {words_for(measure)} cannot be given in {unit}.")
        return {"measures": str(Expression(measure.name, tuple(arguments))), "unit": SPELLED[unit]}

    return [
        Example(
            "measure_xml", question, {name: slots[name] for name in question.slots}, call,
            frozenset(optional - question.slots.keys()), frozenset(), about, lit=measure.rays is not no_rays, intent=measure.name,
        )
        for question in measure.examples
    ]  # fmt: skip


def words_for(measure: Measure) -> str:
    return measure.named({}).partition("{")[0].strip() or measure.name


# --- slots


def _take_edge_of_body(name: str, match: Match, sentence: Sentence) -> None:
    edge = next((p for p in match.left if p.edge), None)
    body = next(
        (p for p in match.left if p.thing is not None and SLOTS["edged"].fits(p.thing)), None
    )
    title = body.thing.title if body is not None and body.thing is not None else ""
    if not title and (noun := next((p for p in match.left if p.noun), None)) is not None:
        found = things_of(noun.noun, sentence.document)
        title, body = (found[0].title, noun) if len(found) == 1 else ("", None)
    if edge is None or not title:
        return
    match.left = [p for p in match.left if p is not edge and p is not body]
    match.given[name], match.values[name] = f"{title}:{edge.edge}", f"edge {edge.edge} of {title}"


def _first_edge(values: Mapping[str, str], document: Document) -> str | None:
    for title in (*values.values(), *SLOTS["glass"].candidates(document)):
        body = next((o for o in document.scene.objects if o.title == title), None)
        if body is not None and edges_of(body):
            edges = labelled_edges(body, document.edge_labels.get(body.key, {}))
            return f"edge {edges[0].short} of {title}"
    return None


def _edge_label(values: Mapping[str, str], document: Document) -> str | None:
    edge = _first_edge(values, document)
    return edge.split()[1] if edge else None


def _path_arguments(values: Mapping[str, str], document: Document) -> str | None:
    ends = [SLOTS[k].candidates(document) for k in ("source", "detector")]
    return " > * > ".join(quoted_name(titles[0]) for titles in ends) if all(ends) else None


def _take_kind(name: str, match: Match, sentence: Sentence) -> None:
    noun = next((p for p in match.left if p.noun and p.text.endswith("s")), None)
    if noun is not None:
        match.left.remove(noun)
        match.given[name] = [o.title for o in things_of(noun.noun, sentence.document)]
        match.values[name] = noun.text


def _first_kind(values: Mapping[str, str], document: Document) -> str | None:
    return next(
        (
            f"{n}es" if n.endswith("s") else f"{n}s"
            for n in ("lens", "mirror", "detector", "source")
            if things_of(n, document)
        ),
        None,
    )


def _take_name(name: str, match: Match, sentence: Sentence) -> None:
    """The words that are left, as a question to the guides."""
    match.given[name] = match.values[name] = sentence.text
    match.left = []


def _no_kind(name: str, match: Match, sentence: Sentence) -> None:
    """Kinds of objects to be added are read with their sentence."""


custom_slot("body edge", _first_edge, _take_edge_of_body)
DEFAULT_TEXTS["edge"], DEFAULT_TEXTS["path"] = _edge_label, _path_arguments
custom_slot("kinds", _first_kind, _take_kind)
custom_slot("sentence", "zoom", _take_name)
custom_slot("kind", "screen", _no_kind)
custom_slot("lens kind", "lens", _no_kind)
custom_slot("low", "-5", _no_kind)
custom_slot("high", "5", _no_kind)


def _property_arguments(given: Mapping[str, Any], document: Document) -> dict[str, Any]:
    return {"names": [given["field"][0]]}


def _between_arguments(given: Mapping[str, Any], document: Document) -> dict[str, Any]:
    return {"pattern": f"{quoted_name(given['source'])} > * > {quoted_name(given['object'])}"}


def _shown(exclude: bool) -> Any:
    def call(given: Mapping[str, Any], document: Document) -> dict[str, Any]:
        ends = {"min": ("at_least", "above"), "max": ("at_most", "below")}
        for quantity in ("power", "wavelength", "angle", "depth", "length"):
            bounds = {
                words["strict" in given]: given[f"{end}_{quantity}"]
                for end, words in ends.items()
                if f"{end}_{quantity}" in given
            }
            if bounds:
                return {"quantity": quantity, **bounds, "exclude": exclude}
        raise Unclear("Which rays? Such as: show only rays stronger than 0.1.")

    return call


def _all_shown(sentence: Sentence) -> dict[str, Any] | None:
    text = sentence.text.lower().rstrip(" .!")
    return (
        {}
        if re.fullmatch(
            r"(?:please )?show (?:me )?(?:all|every)(?: of)?(?: the)? rays?(?: again)?", text
        )
        else None
    )


_BOUNDS = frozenset(
    f"{end}_{q}"
    for end in ("min", "max")
    for q in ("power", "wavelength", "angle", "depth", "length")
) | {"strict"}


def _other_examples() -> list[Example]:
    """The examples of tools that the window and the document have."""
    any_object, source = SLOTS["any"], SLOTS["source"]

    def said(sentence: Sentence) -> dict[str, Any] | None:
        return {"query": sentence.text} if _HELP.match(sentence.text) else None

    rows: tuple[tuple[str, str, Mapping[str, Any], Any, Mapping[str, Any]], ...] = (
        ("find_paths_xml", "Which paths lead from {source} to {object} [all go]?", {"source": source, "object": SLOTS["object"]}, _between_arguments, {}),
        ("find_paths_xml", "What does the light hit first?", {}, lambda g, d: {"pattern": "* > ? > *"}, {}),
        ("read_objects", "What is the {field} of {object}?", {"object": any_object, "field": "property"}, _property_arguments, {"rank": 3, "lit": False}),
        ("read_objects", "Which {kind} are there [scene list exist]?", {"kind": "kinds"}, lambda g, d: {"names": g["kind"]}, {"lit": False}),
        ("read_objects", "How many {kind} are there [scene exist]?", {"kind": "kinds"}, lambda g, d: {"names": g["kind"]}, {"lit": False}),
        ("range_filter", "Show only rays stronger than {min_power} [power above].", {"min_power": "plain"}, _shown(False), {"parameters": _BOUNDS - {"min_power"}}),
        ("range_filter", "Show only rays [power above wavelength].", {}, _shown(False), {"parameters": _BOUNDS, "rank": 1, "offered": False}),
        ("range_filter", "Hide rays weaker than {max_power} [power below].", {"max_power": "plain"}, _shown(True), {"parameters": _BOUNDS - {"max_power"}}),
        ("source_filter", "Show only rays from {source}.", {"source": source}, lambda g, d: {"sources": [g["source"]], "exclude": False}, {}),
        ("source_filter", "Hide rays from {source}.", {"source": source}, lambda g, d: {"sources": [g["source"]], "exclude": True}, {}),
        ("clear_filter", "Show all rays.", {}, _as_given, {"reads": _all_shown}),
        ("clear_filter", "Clear the filter [remove reset].", {}, _as_given, {}),
        ("system_stats", "How long did tracing take [trace fast]?", {}, _as_given, {"lit": False}),
        ("system_stats", "How much memory is used [need take]?", {}, _as_given, {"lit": False}),
    )  # fmt: skip
    found = [
        Example(
            tool,
            Question(text),
            slots,
            call,
            intent=f"{tool} {text}" if tool.endswith("filter") else tool,
            **more,
        )
        for tool, text, slots, call, more in rows
    ]
    help_on = Example(
        "search_help",
        Question("How do I {query}?"),
        {"query": "sentence"},
        _as_given,
        reads=said,
        rank=9,
        lit=False,
        offered=False,
        intent="search_help",
    )
    return [*found, help_on]


_HELP = re.compile(
    r"(?:please\s+)?(?:how (?:do|can|could|should) (?:i|you|we|one)|how to|where (?:do|can) (?:i|you|we|one)|can i"
    r"|what (?:can|could) (?:you|i|one) (?:do|ask)|what (?:is|are) an? (?!.*\b(?:of|at|in|on|behind|after)\b)|what does \S+ mean|explain (?:an?|what)|define|help)\b",
    re.IGNORECASE,
)  # fmt: skip
"""How questions to the guides begin."""


def all_examples() -> list[Example]:
    """All examples but those of studies, which hold others."""
    found = [e for name, tool in tools().items() for e in _of_tool(name, tool)]
    found += [e for m in MEASURES.values() for e in _of_measure(m)]
    return [*found, *edit_examples(), *adding_examples(), *_other_examples()]
