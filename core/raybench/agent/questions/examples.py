"""The list of all example questions: for tools and measures, for edits and studies, and for what
the window can show.
"""

import inspect
import itertools
import re
from collections.abc import Mapping
from typing import Any

from raybench.agent.questions.adding import adding_examples
from raybench.agent.questions.edits import edit_examples
from raybench.agent.questions.example import Example, Unclear
from raybench.agent.questions.sentence import Sentence
from raybench.agent.questions.slots import slot_for_kind, slot_for_measure
from raybench.analysis.measures.grammar import Expression, quote_argument
from raybench.analysis.measures.measure import (
    SPELLED,
    Measure,
    Role,
    conversion_factor,
    select_no_rays,
)
from raybench.analysis.measures.table import MEASURES
from raybench.analysis.paths.path_pattern import quoted_name
from raybench.analysis.question import Question
from raybench.analysis.tools.discovery import tools
from raybench.analysis.tools.tool import AnalysisTool
from raybench.kinds.blockers import Blocker, CircleBlocker
from raybench.scene.document import Document

WRITTEN = "measures"
"""The slot for measures as they are written; how sentences hold them is known to studies."""


def _tool_examples(name: str, tool: AnalysisTool) -> list[Example]:
    taken = inspect.signature(tool.function).parameters
    return [
        Example(
            name,
            question,
            {slot: slot_for_kind(kind, slot) for slot, kind in question.slots.items()},
            parameters=frozenset(taken) - question.slots.keys() - question.given.keys(),
            mandatory=frozenset(n for n, p in taken.items() if p.default is p.empty),
            lit=tool.needs_light,
            intent=name,
        )
        for question in tool.examples
        if WRITTEN not in question.slots
    ]


def _measure_examples(measure: Measure) -> list[Example]:
    slots = {p.name: slot_for_measure(p, measure.takes) for p in measure.parameters}
    optional = {p.name for p in measure.parameters if p.optional} | {"unit"}

    def call(given: Mapping[str, Any], document: Document) -> dict[str, Any]:
        named = [p for p in measure.parameters if p.role is not Role.ORDER]
        said = [bool(given.get(p.name)) for p in named]
        if said != sorted(said, reverse=True):
            raise Unclear(f"Of which {named[said.index(False)].name}?")
        chosen = [given[p.name] for p in measure.parameters if given.get(p.name)]
        each = [*itertools.product(*(c if isinstance(c, list) else [str(c)] for c in chosen))]
        written = {"measures": "; ".join(str(Expression(measure.name, a)) for a in each)}
        if len(each) > 1:
            written["order"] = "largest first"
        unit = given.get("unit")
        if unit is None:
            return written
        if unit not in SPELLED or not conversion_factor(measure.unit, unit, document.unit):
            what = measure.quantity_text({}).partition("{")[0].strip() or measure.name
            raise Unclear(f"The {what} cannot be given in {unit}.")
        return written | {"unit": SPELLED[unit]}

    return [
        Example(
            "measure_xml",
            question,
            {
                name: slot_for_kind(kind) if kind else slots[name]
                for name, kind in question.slots.items()
            },
            call,
            frozenset(optional - question.slots.keys()),
            lit=measure.rays is not select_no_rays,
            intent=measure.name,
        )
        for question in measure.examples
    ]


def _baffles(screen: str, document: Document) -> list[str]:
    """The groups of blockers of a scene, and the blockers without one, but for the screen."""
    blockers = {
        o.key: o.title
        for o in document.scene.optical
        if isinstance(o, Blocker | CircleBlocker) and o.title != screen
    }
    groups = {name: held for name, held in document.groups.items() if held <= blockers.keys()}
    grouped = {key for held in groups.values() for key in held}
    return [*groups, *(title for key, title in blockers.items() if key not in grouped)]


def _property_arguments(given: Mapping[str, Any], document: Document) -> dict[str, Any]:
    return {"names": [given["field"][0]]}


def _as_given(given: Mapping[str, Any], document: Document) -> dict[str, Any]:
    return dict(given)


def _path_arguments(given: Mapping[str, Any], document: Document) -> dict[str, Any]:
    return {"pattern": f"{quoted_name(given['source'])} > * > {quoted_name(given['object'])}"}


def _filter_arguments_maker(exclude: bool) -> Any:
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


def _read_show_all(sentence: Sentence) -> dict[str, Any] | None:
    text = sentence.text.lower().rstrip(" .!")
    return (
        {}
        if re.fullmatch(
            r"(?:please )?show (?:me )?(?:everything|(?:all|every)(?: of)?(?: the)? rays?)(?: again)?",
            text,
        )
        else None
    )


_BOUNDS = frozenset(
    f"{end}_{q}"
    for end in ("min", "max")
    for q in ("power", "wavelength", "angle", "depth", "length")
) | {"strict"}


def _read_help_request(sentence: Sentence) -> dict[str, Any] | None:
    asked = _HELP.match(sentence.text)
    about_scene = sentence.pieces_of_kinds("thing", "noun", "number")
    about_scene += [p for p in sentence.pieces if p.typed == "it"]
    if asked is None or (about_scene and asked[0].lower() == "can i"):
        return None
    return {"query": sentence.text}


def _window_and_document_examples() -> list[Example]:
    """The example questions for tools that act on the window or the document."""
    rows: tuple[tuple[str, str, Any, Mapping[str, Any]], ...] = (
        ("find_paths_xml", "Which paths lead from {source} to {object} [all go mirrors objects way before bounce]?", _path_arguments, {}),
        ("find_paths_xml", "What does the light hit first?", lambda g, d: {"pattern": "* > ? > *"}, {}),
        ("read_objects", "What is the {field:property} of {object:any}?", _property_arguments, {"rank": 3, "lit": False}),
        ("read_objects", "Which {kinds} are there [scene list exist]?", lambda g, d: {"names": g["kinds"]}, {"lit": False}),
        ("read_objects", "How many {kinds} are there [scene exist]?", lambda g, d: {"names": g["kinds"]}, {"lit": False}),
        ("range_filter", "Show only rays stronger than {min_power} [power above].", _filter_arguments_maker(False), {"parameters": _BOUNDS - {"min_power"}}),
        ("range_filter", "Show only rays [power above wavelength].", _filter_arguments_maker(False), {"parameters": _BOUNDS, "rank": 1, "offered": False}),
        ("range_filter", "Hide rays weaker than {max_power} [power below].", _filter_arguments_maker(True), {"parameters": _BOUNDS - {"max_power"}}),
        ("source_filter", "Show only rays from {source}.", lambda g, d: {"sources": [g["source"]], "exclude": False}, {}),
        ("source_filter", "Hide rays from {source}.", lambda g, d: {"sources": [g["source"]], "exclude": True}, {}),
        ("clear_filter", "Show all rays.", dict, {"reads": _read_show_all}),
        ("clear_filter", "Clear the filter [remove reset].", lambda g, d: {}, {}),
        ("measure_xml", "{measures}", _as_given, {"rank": -1, "offered": False, "lit": False}),
        ("compare", "What has changed since the scene was saved [compare with saved opened file last version different]?", lambda g, d: {}, {"lit": False}),
        ("compare", "What has changed since revision {revision:count} [compare with different][: {measures}]?", _as_given, {"lit": False, "rank": 1}),
        ("compare", "Compare with revision {revision:count} [: {measures}].", _as_given, {"lit": False}),
        ("compare", "Compare with the saved scene [opened file last version].", lambda g, d: {}, {"lit": False}),
        ("find_glass", "Which glass has an index of {n_d:glassindex} and an Abbe number of {v_d:abbe} [refractive find what material]?", _as_given, {"lit": False}),
        *(("find_glass", f"Which {family} has an index of {{n_d:glassindex}} and an Abbe number of {{v_d:abbe}} [refractive find]?",
           lambda g, d, family=family: {**g, "family": family}, {"lit": False})
          for family in ("crystal", "liquid", "plastic", "metal")),
        ("find_coating", "Which coating reflects least [light reflection]?", lambda g, d: {**g, "order": "least reflected"},
         {"lit": False, "parameters": frozenset({"wavelength"})}),
        ("find_coating", "Which coating reflects most [light reflection]?", lambda g, d: {**g, "order": "most reflected"},
         {"lit": False, "parameters": frozenset({"wavelength"})}),
        ("scatter_budget", "Which surfaces scatter light to {object_name:screen} [most power budget]?", _as_given,
         {"parameters": frozenset({"source_name"})}),
        ("rank_remedies", "Which paint helps most against scattered light at {object:screen} [black stray finish]?",
         lambda g, d: {"measure": f"scattered_power({quote_argument(g['object'])})", "finishes": ["black"], "together": True}, {}),
        ("rank_remedies", "Which baffle helps most against scattered light at {object:screen} [vane stray]?",
         lambda g, d: {"measure": f"scattered_power({quote_argument(g['object'])})", "remove": _baffles(g["object"], d)}, {}),
        ("rank_remedies", "Which coating helps most against ghosts at {object:screen}?",
         lambda g, d: {"measure": f"ghost_power({quote_argument(g['object'])})", "coatings": ["usual"], "together": True}, {}),
        ("system_stats", "How long did tracing take [trace fast]?", lambda g, d: {}, {"lit": False}),
        ("system_stats", "How much memory is used [need take]?", lambda g, d: {}, {"lit": False}),
        ("search_help", "How do I make a film [video movie animation gif record]?", lambda g, d: {"query": "write a film"}, {"lit": False}),
        ("search_help", "How do I {query:sentence}?", dict, {"reads": _read_help_request, "rank": 9, "lit": False, "offered": False}),
    )  # fmt: skip
    found = []
    for tool, text, call, more in rows:
        question = Question(text)
        slots = {name: slot_for_kind(kind, name) for name, kind in question.slots.items()}
        intent = f"{tool} {text}" if tool.endswith("filter") else tool
        found.append(Example(tool, question, slots, call, intent=intent, **more))
    return found


_HELP = re.compile(
    r"(?:please\s+)?(?:how (?:do|can|could|should) (?:i|you|we|one)|how to|where (?:do|can) (?:i|you|we|one)|can i"
    r"|what (?:can|could) (?:you|i|one) (?:do|ask)|what (?:is|are) an? (?!.*\b(?:of|at|in|on|behind|after)\b)|what does \S+ mean|explain (?:an?|what)|define|help)\b",
    re.IGNORECASE,
)  # fmt: skip
"""How questions to the guides begin."""


def all_examples() -> list[Example]:
    """All example questions except those for studies, since these contain other examples."""
    found = [e for name, tool in tools().items() for e in _tool_examples(name, tool)]
    found += [e for m in MEASURES.values() for e in _measure_examples(m)]
    return [*found, *edit_examples(), *adding_examples(), *_window_and_document_examples()]
