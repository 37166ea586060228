"""Questions for measures: ``the RMS radius and the width on Screen``, ``how much light does Lens absorb from Laser A``.

A question is one phrase of the table of measures, or several joined by "and" about the same objects. Without an object a quantity is that
of the only object of its noun, such as the only lens of the scene.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from core.analysis.answers.units import SPELLED, factor
from core.analysis.measures.bound import bind
from core.analysis.measures.grammar import Expression
from core.analysis.measures.measure import Parameter, Role
from core.analysis.measures.table import MEASURES
from core.analysis.paths.path_pattern import quoted
from core.analysis.phrase import Phrase
from core.analysis.tools.clauses import SIDES, Clauses, Meant, Partly
from core.analysis.tools.marks import DETERMINED, OBJECT, PATH, SOURCE, THING, Unclear
from core.analysis.tools.phrases import SLOTS, Understanding, better
from core.errors import RaybenchError
from core.kinds.blockers import Aperture, Blocker, CircleBlocker
from core.kinds.detectors import Detector
from core.kinds.object import SceneObject
from core.kinds.outline import edges_of
from core.kinds.sources import Source
from core.scene.labels import UnknownEdge, edge_labelled

TOGETHER: Mapping[tuple[str, ...], tuple[str, ...]] = MappingProxyType(
    {
        ("power", "share"): (
            "how much power <reaches> {object}",
            "<how much> <reaches> {object}",
            "<light> [that] <reaches> {object}",
            "how much <light> (is|is there|arrives) (at|on) {object}",
            "how much <light> does {object} (get|receive|collect|see)",
            "does all [<light>] [(of|from)] {source} <reaches> {object}",
            "does all <light> <reaches> {object}",
        ),
        ("transmitted", "transmittance"): (
            "<share> of {source} (that passes|passes|gets through|goes through|passes through|is transmitted by) {object}",
        ),
        ("nominal_focal_length", "focal_length"): ("[effective] focal (length|distance) <of> {object}", "efl <of> {object}"),
        ("front_principal_plane", "rear_principal_plane"): (
            "where are the principal (planes|points) <of> {object}",
            "principal (planes|points) <of> {object}",
        ),
        ("front_focal_length", "back_focal_length"): (
            "where are the focal points <of> {object}",
            "focal points <of> {object}",
            "front and back focal (lengths|distances) <of> {object}",
        ),
        ("nominal_focal_length", "front_focal_length", "back_focal_length", "front_principal_plane", "rear_principal_plane"): (
            "(cardinal points|cardinal planes|gaussian data|first-order data) <of> {object}",
        ),
        ("arriving_width", "beam_width"): ("(beam width|width of the beam|beam diameter) before and (after|behind) {object}",),
        ("rms", "width"): ("(spot|spot size|size of the (spot|light)) (at|on|of) {line}",),
        ("spot_rms", "spot_width", "focus"): ("(spot|spot size|size of the (spot|light)) (behind|after|from) {object}",),
        ("focus", "focus_x", "focus_y", "spot_rms"): (
            "where (does|do|is) {source} [come to a] (focus|focused|converge) [(behind|after|by|of) {object}]",
            "(where is|where|how far is|how far) [the] [best] focus (of|behind|after|from|for) {object}",
            "[best] focus (of|behind|after|from|for) {object}",
        ),
        ("vergence", "divergence"): (
            "is the (light|beam) (leaving|after|behind|from) {object} (collimated|parallel)",
            "is the (light|beam) (collimated|parallel) (leaving|after|behind) {object}",
            "how (well|far) [is] [the] (light|beam) (leaving|after|behind|from) {object} [is] (collimated|parallel)",
            "is the (outgoing|outcoming|exiting|emerging|output) (light|beam) (collimated|parallel) [(after|behind|of|from) {object}]",
            "is the (outgoing|outcoming|exiting|emerging|output) (light|beam) (of|after|behind|from) {object} (collimated|parallel)",
            "(is|are) [the] (light|beam|rays) (collimated|parallel) [after {object}]",
            "is the (light|beam) (leaving|after|behind|from) {object} (converging|diverging|convergent|divergent) "
            "[or (converging|diverging|convergent|divergent|parallel)]",
            "does the (light|beam) (converge|diverge) (after|behind) {object}",
        ),
        ("absorbed", "reflected"): ("[power] loss[es] (in|at|by|of) {object}", "<how much> (is|gets) lost (in|at|by|on|inside) {object}"),
        ("absorbed", "reflected", "transmitted"): (  # a mirror absorbs nothing, and stops light all the same
            "<how much> (is|gets) (stopped|blocked) (by|in|at|on|inside) {object}",
            "<how much> does {object} (stop|block)",
        ),
        ("absorbed", "share"): (
            "<share> of the <light> (is|gets) (stopped|blocked|absorbed) (by|in|at|on) {object}",
            "<share> of the <light> does {object} (stop|block|absorb)",
        ),
        ("distance", "gap"): (
            "how far is {first} from {second}",
            "how far [away] (is|are) {first} [away] from {second}",
            "how far apart (are|is) {first} and {second}",
            "how (close|near) is {first} to {second}",
            "(distance|separation|spacing) (between|of) {first} and {second}",
            "distance (from|of) {first} (to|from) {second}",
        ),
        ("escaped_between", "escaped_share"): (
            "how much power escapes between {first} and {second}",
            "<how much> (escapes|leaks|gets) [out] between {first} and {second}",
            "what (escapes|leaks|gets out) between {first} and {second}",
        ),
        ("emitted", "escaped", "absorbed", "truncated"): ("<light> (balance|budget)", "<share> (is|gets) lost"),
        ("total_reflections", "most_total_reflections"): (
            "how (many times|often) is (light|it|a ray|a single ray|one ray|each ray) totally [internally] reflected [<in> {object}]",
            "how (many times|often) (does|do|is|are) (light|it|a ray|rays|ray) (bounce|bounced|reflect|reflected) "
            "(in|inside|within) {object}",
        ),
    }
)
"""Phrases that ask for several measures of the same objects."""
_MARKS = {Role.SOURCE: SOURCE, Role.PATTERN: PATH, Role.OBJECT: OBJECT}
_LIST = {Role.SURFACE, Role.SYSTEM, Role.OBJECT, Role.LINE, Role.DETECTOR, Role.APERTURE}
"""Roles for which a question may name several objects, joined by "and"."""
_EDGE_WORDS = r"(?:edge|side|face|end)"
_EDGE = (
    rf"{DETERMINED}{THING}:[\w-]+|{_EDGE_WORDS} [\w-]+ (?:of|on) {DETERMINED}{THING}|[\w-]+ {_EDGE_WORDS} (?:of|on) {DETERMINED}{THING}"
    rf"|{DETERMINED}{THING} (?:through|by|at|on|via|out of) (?:its )?(?:{_EDGE_WORDS} [\w-]+|[\w-]+ {_EDGE_WORDS})"
)
"""An edge and its object: Prism:N, edge N of Prism, the left face of Prism, Prism through its left face."""
_MEASURE = rf"(?:{'|'.join(MEASURES)}) ?\([^()]*\)"
_WRITTEN = rf"{_MEASURE}(?: ?(?:[-+*/;]|and)? ?{_MEASURE})*"
"""Measures, or what is computed from them, as they are written: power(Screen) / power(Lamp)."""
_UNITS = "|".join(sorted((re.escape(name) for name in (*SPELLED, "percent", "%")), key=len, reverse=True))
_TAIL = re.compile(r"\s(?:<[\w ]+>|\([^()]*\)|\w+)\s\{\w+\}$")
"""The preposition and the object at the end of a phrase: what is before it names a quantity."""


@dataclass(frozen=True)
class _Row:
    """A phrase for measures, as a pattern; ``head`` is that of its quantity alone, empty if it has none. ``general``: of any object.
    ``alone``: the quantity is understood without an object."""

    measures: tuple[str, ...]
    pattern: str
    head: str
    general: bool
    alone: bool


@cache
def rows() -> tuple[_Row, ...]:
    """All phrases for measures."""
    several = [(names, Phrase(text)) for names, texts in TOGETHER.items() for text in texts]
    return tuple(_row(names, phrase) for names, phrase in (*((((m.name,)), p) for m in MEASURES.values() for p in m.phrases), *several))


def phrases() -> Iterator[tuple[tuple[str, ...], Phrase]]:
    """The measures and the phrases that mean them."""
    yield from (((m.name,), p) for m in MEASURES.values() for p in m.phrases)
    yield from ((names, Phrase(text)) for names, texts in TOGETHER.items() for text in texts)


def _row(names: tuple[str, ...], phrase: Phrase) -> _Row:
    parameters = {p.name: p for name in names for p in MEASURES[name].parameters}
    head = _TAIL.sub("", phrase.text)
    asks = head.split()[0] in ("how", "what", "where", "which", "in", "at")
    return _Row(
        names,
        phrase.pattern(lambda slot: _slot(parameters[slot])),
        Phrase(head).pattern(str) if head != phrase.text and "{" not in head and not asks else "",
        any(p.role in (Role.SURFACE, Role.SYSTEM, Role.OBJECT) for p in parameters.values()),
        phrase == next(p for of, p in phrases() if of == names)
        and bool(re.search(r"(?:<(?:at|of|after|in)>|\bof\b[^{>]*) \{", phrase.text))
        and any(p.noun for p in parameters.values()),
    )


def _slot(parameter: Parameter) -> str:
    if parameter.role is Role.EDGE:
        return f"(?P<{parameter.name}>{_EDGE})"
    if parameter.role is Role.ORDER:
        return f"(?P<{parameter.name}>{SLOTS['order'].pattern})"
    mark = rf"{DETERMINED}{_MARKS.get(parameter.role, THING)}"
    several = rf"(?:(?: {mark})* and {mark})?" if parameter.role in _LIST and parameter.name not in ("first", "second") else ""
    return rf"(?P<{parameter.name}>{mark}{several})"


def measures_asked(said: Clauses, units: bool = False) -> Understanding:
    """What all of the clauses ask for, as the argument ``measures``; None if they ask for none. ``units``: whether they may ask for another
    unit than the document's, as the argument ``unit``."""
    best: Understanding = None
    for with_source in (False, True):
        clauses = said.copy()
        source = clauses.source() if with_source else None
        if with_source and source is None:
            break
        found = source if isinstance(source, Unclear) else _asked(clauses, source, units)
        best = better(best, found)
        if isinstance(best, Meant):
            return best
    return better(best, _for_each_source(said))


def _for_each_source(said: Clauses) -> Understanding:
    """What the clauses ask for of several sources, such as "for Blue, Green and Red"; None if they name no such list."""
    several = re.search(rf"\b(?:for|from|of|by) ({SOURCE}(?: {SOURCE})* and {SOURCE})(?!\S)", said.remainder)
    if several is None:
        return None
    measures: list[str] = []
    for mark in re.findall(SOURCE, several[1]):
        one = said.copy()
        one.remainder = f"{said.remainder[: several.start(1)]}{mark}{said.remainder[several.end(1) :]}"
        found = measures_asked(one)
        if not isinstance(found, Meant):
            return found
        measures.append(found["measures"])
    return Meant({"measures": "; ".join(dict.fromkeys(measures))})


def _asked(said: Clauses, source: SceneObject | None, units: bool) -> Understanding:
    if said.has(_WRITTEN):
        said.take("ratio(?= of| )(?: of)?")
    if source is None and (expressions := said.take(_WRITTEN)) is not None:
        return _written(said, expressions[0])
    said.take(r"how (?:large|big|great|high|small|low|strong) (?:is|are)")
    unit = unit_asked(said)
    best: Understanding = None
    for row, written in _matches(said):
        clauses = said.copy()
        if written is None:
            clauses.take_phrase(row.head)
        else:
            clauses.take_phrase(row.pattern)
        found = _with_joined(clauses, row, written or {}, source)
        if isinstance(found, Unclear):
            best = better(best, clauses.ask(found.problem))
        elif (given := unit_argument(found, unit, said.document.unit, units)) is None:
            best = better(best, Partly(f"in {unit}"))
        else:
            best = better(best, clauses.whole({"measures": "; ".join(map(str, found)), **given}))
        if isinstance(best, Meant):
            break
    return best


def _written(said: Clauses, text: str) -> Understanding:
    """Measures as they are written, in which names are marks."""
    pieces = [_one_written(said, *m.groups()) if m[1] else m[0] for m in re.finditer(r"(\w+) ?\(([^()]*)\)| ?(?:[-+*/;]|and)? ?", text)]
    if unclear := next((piece for piece in pieces if isinstance(piece, Unclear)), None):
        return said.ask(unclear.problem)
    measures = "".join("; " if piece in (" ", " and ") else str(piece) for piece in pieces)
    try:
        found = bind(measures, said.document)
    except RaybenchError as error:
        return said.ask(str(error))
    return said.whole({"measures": "; ".join(value.expression for value in found)})


def _one_written(said: Clauses, name: str, arguments: str) -> str | Unclear:
    """A measure with the names for which its marks stand."""
    titles: list[str] = []
    for argument in re.findall(r"[^ ,]+", arguments):
        if re.fullmatch(PATH, argument):
            titles.append(said.path(argument))
            continue
        for mark in re.findall(OBJECT, argument):
            meant = said.marked(mark)
            if isinstance(meant, Unclear):
                return meant
            argument = argument.replace(mark, meant.title)
        titles.append(argument)
    return str(Expression(name, tuple(titles)))


def _matches(said: Clauses) -> Iterator[tuple[_Row, Mapping[str, str | None] | None]]:
    """The rows whose phrases are in the clauses, the longest first, with what is in their slots; then, with None, quantities alone."""
    whole = [(match.end() - match.start(), row, match) for row in rows() if (match := said.copy().take_phrase(row.pattern))]
    for _, row, match in sorted(whole, key=lambda found: (-found[0], found[1].general)):
        yield row, match.groupdict()
    alone = [(m.end() - m.start(), row) for row in rows() if row.alone and (m := said.copy().take_phrase(row.head)) and m[0]]
    for _, row in sorted(alone, key=lambda found: -found[0]):
        yield row, None


def unit_asked(said: Clauses) -> str:
    """Take the unit that is asked for, such as "in cm"; empty if none is."""
    taken = said.take(rf"(?:measured |expressed |given )?in (?:units of )?(?P<unit>{_UNITS})")
    return taken["unit"] if taken else ""


def unit_argument(found: Sequence[Expression], asked: str, scene_unit: str, units: bool) -> Mapping[str, str] | None:
    """The argument ``unit`` for measures in the unit that is asked for, empty if they are reported in it; None if they cannot be."""
    measures = [MEASURES[e.name] for e in found]
    factors = [1.0 if m.share and asked in ("percent", "%") else factor(m.unit, asked, scene_unit) for m in measures]
    if not asked or all(f == 1.0 for f in factors):
        return {}
    return {"unit": SPELLED[asked]} if units and asked in SPELLED and all(factors) else None


def _with_joined(said: Clauses, row: _Row, written: Mapping[str, str | None], source: SceneObject | None) -> list[Expression] | Unclear:
    """The measures of a row that has been taken, and of the quantities that "and" joins to it."""
    found = _expressions(said, row, written, source)
    for before in (True, False):
        while not isinstance(found, Unclear) and (other := _joined(said, before)) is not None:
            more = _expressions(said, other, written, source)
            found = more if isinstance(more, Unclear) else [*more, *found] if before else [*found, *more]
    return found


def _joined(said: Clauses, before: bool) -> _Row | None:
    """Take a quantity that "and" joins to what has been taken, before or after it."""
    first, last = ("", r"and (?:what (?:is|are) )?(?=\| )") if before else (r"(?<=\| )and ", r"(?=$|and )")
    candidates = [(row, f"{first}{row.head}{last}") for row in rows() if row.head]
    longest = max(
        ((match.end() - match.start(), row, pattern) for row, pattern in candidates if (match := said.copy().take_phrase(pattern))),
        key=lambda found: found[0],
        default=None,
    )
    if longest is None:
        return None
    said.take_phrase(longest[2])
    said.remainder = re.sub(r"\|(?: \|)+", "|", said.remainder)
    return longest[1]


def _expressions(said: Clauses, row: _Row, written: Mapping[str, str | None], source: SceneObject | None) -> list[Expression] | Unclear:
    """The measures of a row about what is written in its slots, one for each combination of objects; `Unclear` if they do not fit."""
    out: list[Expression] = []
    of_sources = [name for name in row.measures if any(p.role is Role.SOURCE for p in MEASURES[name].parameters)]
    for name in of_sources if source is not None and of_sources else row.measures:
        choices: list[list[str]] = [[]]
        taken: list[Role] = []
        for parameter in MEASURES[name].parameters:
            other = any(role in _LIST for role in taken)
            meant = _arguments(
                said,
                parameter,
                written,
                source,
                alone=not {name for name, text in written.items() if text} - {"source", "other", "order"},
                shared=not (other and parameter.optional),
            )
            if isinstance(meant, Unclear):
                return meant
            if not meant and parameter.optional:
                continue  # an order may follow a source that is left out
            taken.append(parameter.role)
            choices = [[*choice, title] for choice in choices for title in meant]
        for choice in choices:
            expression = Expression(name, tuple(choice))
            if source is not None and Role.SOURCE not in taken:
                return Unclear(f"{name} cannot be measured for one source.")
            try:
                bind(str(expression), said.document)
            except RaybenchError as error:
                return Unclear(str(error))
            out.append(expression)
    return list(dict.fromkeys(out))


def _arguments(
    said: Clauses, parameter: Parameter, written: Mapping[str, str | None], source: SceneObject | None, alone: bool, shared: bool
) -> Sequence[str] | Unclear:
    """The names that a parameter takes: those written, if ``shared`` those of objects written in another place, or the only object of its
    noun."""
    text = written.get(parameter.name)
    if text is None and parameter.role is Role.SOURCE and source is not None:
        return [source.title]
    if text is None and shared and parameter.role in _LIST:  # joined quantities have the object of another phrase
        text = next((t for name, t in written.items() if t and name not in ("first", "second", "source", "other", "path", "order")), None)
    if text is None:
        if parameter.optional or not (alone and parameter.noun):
            return [] if parameter.optional else Unclear(f"Which {parameter.name}?")
        found = _only(said, parameter)
        return found if isinstance(found, Unclear) else [found.title]
    if parameter.role is Role.PATTERN:
        return [said.path(text)]
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


def _only(said: Clauses, parameter: Parameter) -> SceneObject | Unclear:
    """The only object of a parameter's noun; without any, of those that a lens or prism stands for, the only one that light leaves."""
    found = said.only(parameter.noun)
    if not isinstance(found, Unclear) or parameter.noun not in ("lens", "prism"):
        return found
    kinds = (Source, Detector, Aperture, Blocker, CircleBlocker)
    acting = [o for o in said.document.scene.objects if o.optical and not isinstance(o, kinds) and edges_of(o)]
    if len(acting) == 1:
        return acting[0]
    return Unclear(f"Which object? There are: {', '.join(o.title for o in acting)}.") if acting and "no" in found.problem.split() else found


def _edge(said: Clauses, text: str) -> Sequence[str] | Unclear:
    """An edge as measures name it, from what `_EDGE` matched."""
    (mark,) = re.findall(THING, text)
    obj = said.single(mark)
    if isinstance(obj, Unclear):
        return obj
    (word,) = re.sub(rf"{THING}|\b(?:of|on|its|through|by|at|via|out of|{_EDGE_WORDS})\b|:", " ", text.removeprefix("its ")).split()
    try:
        edge = edge_labelled(obj, SIDES.get(word, word), said.document.edge_labels.get(obj.key, {}))
    except UnknownEdge as error:
        return Unclear(str(error))
    return [f"{quoted(obj.title)}:{quoted(edge.short)}"]
