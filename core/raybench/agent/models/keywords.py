"""Plain questions, understood without a model: which tool to call with which arguments."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from raybench.agent.models.adding_phrases import ADD
from raybench.agent.models.change_phrases import CHANGE, TO_FOCUS, WHAT_IF
from raybench.agent.models.comparison_phrases import COMPARE
from raybench.agent.models.named_fields import in_words
from raybench.agent.models.property_phrases import PROPERTY
from raybench.agent.models.study_phrases import GLASS, OPTIMISE, SWEEP, TOLERANCE
from raybench.analysis.measures.grammar import Expression
from raybench.analysis.measures.grammar import quoted as name_in_measure
from raybench.analysis.paths.path_pattern import quoted
from raybench.analysis.scene.systems import System, systems
from raybench.analysis.tools.asked_unit import unit_argument, unit_asked
from raybench.analysis.tools.clauses import CLAUSE_WORDS, DEGREES, Clauses, Meant, Partly, Range
from raybench.analysis.tools.discovery import tools
from raybench.analysis.tools.marks import DETERMINED, SOURCE, THING
from raybench.analysis.tools.measure_rows import phrases as measure_phrases
from raybench.analysis.tools.phrases import Open, Phrases, Slot, Understanding
from raybench.analysis.tools.plain_question import PlainQuestion
from raybench.analysis.tools.unclear import Unclear
from raybench.kinds.detectors import Detector
from raybench.kinds.object import SceneObject
from raybench.kinds.sources import Source
from raybench.scene.document import Document


@dataclass(frozen=True)
class Understood:
    """The call that a question asks for; or, without a tool, the ``problem``: what is ambiguous or
    was not understood.
    """

    tool: str = ""
    arguments: dict[str, Any] | None = None
    problem: str = ""


def understand(question: str, document: Document) -> Understood:
    """The call that a question asks for, only if every clause of the question was understood."""
    understood = _understood(question, document)
    if not understood.tool and (worded := in_words(question, document)) != question:
        again = _understood(worded, document)
        return again if again.tool else understood
    return understood


def _understood(question: str, document: Document) -> Understood:
    open_questions: list[Unclear] = []
    partly: list[tuple[PlainQuestion, Partly]] = []
    asks_how = re.match(_HOW, " ".join(question.split()), re.IGNORECASE) is not None
    possible = [
        row for row in rows() if not (asks_how and row in EDITS)
    ]  # "How do I undo?" undoes nothing
    for asked in PlainQuestion.readings(question, document, vocabulary()):
        meant: list[tuple[int, str, Meant]] = []
        for name, phrases in possible:
            found = phrases(asked)
            if isinstance(found, Unclear):
                open_questions.append(found)
            elif isinstance(found, Partly):
                partly.append((asked, found))
            elif found is not None:
                meant.append((found.spare, name, found))
        if meant:
            _, name, arguments = min(meant, key=lambda m: m[0])
            return Understood(name, dict(arguments)) if name else Understood(**arguments)
    if open_questions:
        return Understood(problem=open_questions[0].problem)
    first = next(PlainQuestion.readings(question, document, vocabulary()))
    if not partly and re.match(_BY_HAND, first.text, re.IGNORECASE):
        return Understood("search_help", {"query": f"how to {first.without_names}"})
    if re.match(_ABLE, first.text, re.IGNORECASE):
        return Understood("search_help", {"query": "ask in plain words"})
    defines = re.match(_DEFINES if first.names_objects else _WHAT, first.text, re.IGNORECASE)
    if asks_how or defines:
        return Understood("search_help", {"query": first.text})
    asked, rest = min(
        ((asked, found.rest) for asked, found in partly),
        key=lambda p: len(p[1]),
        default=(first, first.clauses().rest),
    )
    if not rest:
        return Understood(problem="I do not understand what is asked.")
    if not partly:
        rest = first.clauses().unknown(vocabulary()) or rest
    alone = ", so I do not answer the rest alone" if partly else ""
    return Understood(
        problem=f"I do not understand {asked.as_written(rest)} without a model{alone}."
    )


def rows() -> Sequence[tuple[str, Phrases]]:
    """The tools with the phrases that ask for them, single measures last. Phrases without a tool
    name choose the tool themselves.
    """
    own = [
        ("", SHOWN), ("", STATE), ("find_paths_xml", PATHS), ("find_paths_xml", FIRST), ("rank_paths_by_energy_xml", WAY), *EDITS,
        ("what_if", WHAT_IF), ("compare", COMPARE), ("optimise", OPTIMISE), ("sweep", SWEEP), ("tolerance", TOLERANCE),
        ("find_glass", GLASS), ("measure_xml", GROUP_LENGTH),
    ]  # fmt: skip
    of_tools = sorted(
        ((name, tool.phrases) for name, tool in tools().items()),
        key=lambda row: row[0] == "measure_xml",
    )
    return [*own, *of_tools, ("measure_xml", LENGTH), ("read_objects", PROPERTY)]


@cache
def vocabulary() -> frozenset[str]:
    """The words of all phrases."""
    phrases = [*(p for _, row in rows() for p in row.phrases), *(p for _, p in measure_phrases())]
    return frozenset().union(*(p.words for p in phrases)) | CLAUSE_WORDS


_HOW = (
    r"(?:please\s+)?(?:how (?:do|can|could|should) (?:i|you|we|one)|how to|where (?:do|can)"
    r" (?:i|you|we|one)|can i|help)\b"
)
_BY_HAND = (
    r"(?:please"
    r" )?(?:zoom|pan|rename|export|print|save|open|close|hide|add|insert|draw|paste|import|align|lock|snap|measure|clear|plot)\b"
)
"""What is done in the window or by commands: a sentence that begins so and is not understood opens
the help.
"""
_ABLE = (
    r"(?:please )?(?:what (?:can|could) (?:you|i|one) (?:do|ask)|what do you"
    r" (?:know|understand)|what are you able to do|help)"
    r"\b[^,;]{0,30}$"
)
"""What asks for all that can be asked."""
_DEFINES = r"(?:please )?(?:what is an?|what's an?|define|explain an?) [a-z -]+\??$"
_WHAT = (
    r"(?:please\s+)?(?:what is an?|what are|what does \S+ mean|what is meant by|explain|define)\b"
)


def _state(question: PlainQuestion) -> Understanding:
    """Whether a text asks about the program's memory or trace time."""
    clauses = question.clauses()
    asked = clauses.take(
        r"how (?:long|fast) (?:did |does |is |was |do )?(?:it take to |you )?(?:tracing|traced?)(?:"
        r" take)?"
    )
    asked = asked or clauses.take(
        r"how much memory(?: is used| is there| does (?:it|raybench) (?:use|need|take))?|system"
        r" stats"
    )
    return None if asked is None else _call(clauses, "system_stats", {})


_QUANTITIES: Mapping[str, Callable[[Clauses], Range | None]] = {
    "power": Clauses.power,
    "wavelength": Clauses.wavelength,
    "depth": lambda clauses: clauses.range_of(
        r"(?:of |with |by )?(?:an? |the )?(?:depths?|interactions?)"
    ),
    "length": lambda clauses: clauses.range_of(
        r"(?:of |with |by )?(?:an? |the )?lengths?",
        rf"(?: ?(?:{re.escape(clauses.document.unit)}|scene units))?",
    ),
    "angle": lambda clauses: clauses.range_of(
        r"(?:of |with |by |in )?(?:an? |the )?(?:angles?|directions?)", DEGREES
    ),
}


def _shown(question: PlainQuestion) -> Understanding:
    """The ray filter that a text asks for, as fields of `Understood`: all rays, a range of a
    quantity, or a source.
    """
    clauses = question.clauses()
    if clauses.take(r"(?:clear|remove|reset) (?:all )?filters?") or (
        clauses.take(r"show (?:me )?(?:all|every) rays?(?: again)?") and not clauses.rest
    ):
        return _call(clauses, "clear_filter", {})
    hide = clauses.take("hide") is not None
    if (
        not hide
        and re.search(
            r"\b(?:show|keep|see)\b.*\bonly\b|\bonly (?:show|keep)\b", question.text, re.IGNORECASE
        )
        is None
    ):
        return None
    clauses.take("only")
    clauses.take("everything|all")
    clauses.take("keep")
    source = clauses.source()
    if isinstance(source, Source):
        return _call(clauses, "source_filter", {"sources": [source.title], "exclude": hide})
    for quantity, taken in _QUANTITIES.items():
        if bounds := taken(clauses):
            given = (
                {"above" if bounds.open_least else "at_least": bounds.least}
                if bounds.least > 0
                else {}
            )
            given |= (
                {"below" if bounds.open_most else "at_most": bounds.most}
                if math.isfinite(bounds.most)
                else {}
            )
            return _call(clauses, "range_filter", {"quantity": quantity, **given, "exclude": hide})
    return None


def _call(clauses: Clauses, tool: str, arguments: Mapping[str, Any]) -> Understanding:
    return clauses.whole({"tool": tool, "arguments": dict(arguments)})


_PATHS = (
    r"(?:(?:all|strongest|brightest|how many|number of) )?paths? (?:(?:lead|leading|that"
    r" lead|go|run|are there|there are) )?"
)
_HOW_MANY = "how many (?:total )?(?:internal )?(?:reflections|bounces)"
_LIGHT = "(?:light|it|beam|an? ray|rays?)"
_LIGHT_OF = rf"{_LIGHT}(?: (?:of|from) {{s}})?"
_SENDER = rf"{DETERMINED}(?P<s>{SOURCE})"
_UNTIL = (
    r"(?:before|until|on (?:its|their) way)(?: (?:it|they|light|beam|rays?))?"
    r"(?: (?:reach(?:es)?|hits?|meets?|arrives? at|arriving at|reaching|hitting|to))? {t}"
)


def _between(question: PlainQuestion) -> Understanding:
    """Whether a text asks for the paths from a source to an object, or for what happens to light
    before it reaches an object.
    """
    for wording in (
        rf"{_PATHS}from {{s}} to {{t}}",
        rf"{_PATHS}to {{t}}",
        *(
            rf"how (?:often|many times) (?:is|are|does|do) {light} (?:totally (?:internally"
            rf" )?)?(?:reflected|reflect|bounced?) {_UNTIL}"
            for light in (_LIGHT_OF, _SENDER)
        ),
        (
            rf"{_HOW_MANY}(?: (?:are there|happen|occur|(?:does|do) {_LIGHT_OF}"
            rf" (?:make|have|undergo)))? {_UNTIL}"
        ),
        rf"{_HOW_MANY}(?: are there)? (?:between|from) {_SENDER} (?:and|to) {{t}}",
    ):
        clauses = question.clauses()
        found = clauses.take(wording)
        if found is None:
            continue
        titles = _ends_of_path(clauses, found)
        if isinstance(titles, Unclear):
            return clauses.ask(titles.problem)
        return clauses.whole(
            {
                "pattern": " > ".join(
                    ["*"] * (len(titles) == 1) + [" > * > ".join(map(quoted, titles))]
                )
            }
        )
    return None


def _ends_of_path(clauses: Clauses, found: re.Match[str]) -> list[str] | Unclear:
    """The titles of the source, if there is one, and the object in the slots ``s`` and ``t`` of a
    match.
    """
    ends = [
        clauses.single(mark)
        for slot, mark in sorted(found.groupdict().items())
        if slot[0] in "st" and mark
    ]
    return next((end for end in ends if isinstance(end, Unclear)), None) or [
        end.title for end in ends if isinstance(end, SceneObject)
    ]


def _first_met(question: PlainQuestion) -> Understanding:
    """Whether a text asks what light meets first, of all objects or of those of a noun: the paths
    that meet any of them.
    """
    asked, clauses = None, question.clauses()
    for which in ("{o}", "object", ""):
        for wording in (
            rf"(?:which|what) {which} ?(?:is|are) (?:hit|reached|met)(?: by {_LIGHT})? first",
            (
                rf"(?:which|what|where) {which} ?(?:does|do) {_LIGHT}"
                r" (?:hits?|reach(?:es)?|meets?|strikes?|go(?:es)? to) first"
            ),
        ):
            asked = asked or clauses.take(wording)
    if asked is None:
        return None
    meant = clauses.each(mark) if (mark := asked.groupdict().get("o")) else ()
    if isinstance(meant, Unclear):
        return clauses.ask(meant.problem)
    if any(isinstance(o, Source) for o in meant):
        return None
    return clauses.whole(
        {"pattern": f"* > {' | '.join(quoted(o.title) for o in meant) or '?'} > *"}
    )


def _way(question: PlainQuestion) -> Understanding:
    """Whether a text asks which way light takes: the strongest paths answer."""
    clauses = question.clauses()
    most = "(?:most of (?:the )?|most )?"
    asked = clauses.take(
        rf"(?:which|what) (?:path|way|route) (?:does|do) {most}{_LIGHT} (?:take|follow|go)"
    )
    asked = asked or clauses.take(
        rf"in (?:which|what) order (?:does|do) {_LIGHT} (?:hit|reach|meet)"
        r" (?:objects|optics|elements|surfaces)"
    )
    return None if asked is None else clauses.whole({})


def _length(question: PlainQuestion) -> Understanding:
    """Whether a text asks how long the way of light from a source to an object is, in length, in
    optical length or in time.
    """
    clauses = question.clauses()
    way = r"(?:path|way|light path|ray path)(?: of (?:light|beam|rays?))?"
    light = r"(?: of (?:light|beam|rays?))?(?: (?:from|of) {s})? to {t}"
    takes = r"(?:take|need)(?: to (?:get|go|run|travel))?"
    asked = (
        (
            "optical_path_length",
            (
                rf"(?:how long is (?:an? )?optical {way}|optical path(?: length)?|length of (?:an?"
                rf" )?optical {way}){light}"
            ),
        ),
        (
            "transit_time",
            (
                r"(?:how (?:long|much time) (?:does|do) (?:light|beam|rays?)"
                rf" {takes}|(?:transit|travel) time|time of flight){light}"
            ),
        ),
        (
            "transit_time",
            (
                r"how (?:long|much time) (?:does|do) (?:(?:light|beam|rays?) (?:from|of) )?{s}"
                rf" {takes} to {{t}}"
            ),
        ),
        (
            "path_length",
            rf"(?:how long is (?:an? )?{way}|how far (?:does|do|must) (?:light|beam|rays?)"
            r" (?:go|run|travel)"
            rf"|(?:geometric(?:al)? )?path length|length of (?:an? )?{way}){light}",
        ),
    )
    measure, found = next(
        ((name, match) for name, pattern in asked if (match := clauses.take(pattern))), ("", None)
    )
    if found is not None:
        titles = _ends_of_path(clauses, found)
        if isinstance(titles, list) and len(titles) == 1:
            source = clauses.only("source")
            titles = source if isinstance(source, Unclear) else [source.title, *titles]
    elif clauses.take(r"(?:transit|travel) time|time of flight") is not None:
        measure, titles = "transit_time", _only_ends(question.document)
    else:
        return None
    if isinstance(titles, Unclear):
        return clauses.ask(titles.problem)
    asked_for = Expression(measure, (" > * > ".join(map(quoted, titles)),))
    unit = unit_asked(clauses)
    given = unit_argument([asked_for], unit, question.document.unit, units=True)
    return (
        Partly(f"in {unit}")
        if given is None
        else clauses.whole({"measures": str(asked_for), **given})
    )


def _only_ends(document: Document) -> list[str] | Unclear:
    """The titles of the only source and the only detector of a scene."""
    ends = [
        [o.title for o in document.scene.objects if isinstance(o, kind)]
        for kind in (Source, Detector)
    ]
    if all(len(titles) == 1 for titles in ends):
        return [titles[0] for titles in ends]
    return Unclear(
        "From which source to which object? Such as: time of flight from Laser to Screen."
    )


UNDO = Phrases(
    "undo",
    "undo (it|that|this)",
    "(undo|revert|take back) [my|your] [last|latest|previous]"
    " (change[s]|edit[s]|step|move|rotation)",
)
REDO = Phrases(
    "redo",
    "redo (it|that|this)",
    "redo [my|your] [last|latest|previous] (change[s]|edit[s]|step|move|rotation)",
)


def _length_of_group(clauses: Clauses, mark: str | None) -> str:
    """The measure of the length of a group. Raises Open for an object, of which the edges have
    lengths.
    """
    found = clauses.marked(str(mark))
    if not isinstance(found, System):
        raise Open(found.problem if isinstance(found, Unclear) else f"{found.title} is no group.")
    return f"thickness({name_in_measure(found.title)})"


def _group(document: Document) -> str | None:
    """The first group of a document."""
    return next((group.title for group in systems(document.scene, document.groups)), None)


PATHS = Phrases(
    "which paths lead from {source_name} to {object_name}",
    "(show|list) [all] paths from {source_name} to {object_name}",
    "how (often|many times) is the light reflected before it reaches {object_name}",
    understood=_between,
)
FIRST = Phrases("what does the light hit first", understood=_first_met)
WAY = Phrases("which path does the light take", understood=_way)
LENGTH = Phrases(
    "how long is the path from {source_name} to {object_name}",
    "how long is the optical path from {source_name} to {object_name}",
    "how long does light take from {source_name} to {object_name}",
    understood=_length,
)
GROUP_LENGTH = Phrases(
    "how long is {measures}",
    "[overall|total] (length|track|track length) of {measures}",
    slots={"measures": Slot(THING, _length_of_group, _group, DETERMINED)},
)
SHOWN = Phrases(
    "show only rays with power above 0.1",
    "show only rays from {source_name}",
    "show all rays",
    understood=_shown,
)
STATE = Phrases("how long did tracing take", "how much memory is used", understood=_state)
EDITS = (
    ("change_scene", CHANGE),
    ("change_scene", ADD),
    ("undo_edits", UNDO),
    ("redo_edits", REDO),
    ("move_to_focus", TO_FOCUS),
)
"""The tools that edit, with their phrases."""
