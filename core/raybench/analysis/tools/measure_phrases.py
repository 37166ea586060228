"""Questions for measures: ``the RMS radius and the width on Screen``, ``how much light does Lens
absorb from Laser A``.

A question is one phrase of the table of measures, or several joined by "and" about the same
objects. Without an object a quantity is that of the only object of its noun, such as the only lens
of the scene.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from raybench.analysis.measures.bound import bind
from raybench.analysis.measures.grammar import Expression, read_measures
from raybench.analysis.measures.measure import Role
from raybench.analysis.measures.table import MEASURES
from raybench.analysis.phrase import PhrasePattern
from raybench.analysis.tools.asked_unit import unit_argument, unit_asked
from raybench.analysis.tools.clauses import Clauses, Meant, Partly
from raybench.analysis.tools.marks import SOURCE
from raybench.analysis.tools.measure_arguments import LISTED, arguments
from raybench.analysis.tools.measure_rows import MeasureRow, rows
from raybench.analysis.tools.phrases import Understanding, better
from raybench.analysis.tools.unclear import Unclear
from raybench.analysis.tools.written_measures import WRITTEN, written_measures
from raybench.errors import RaybenchError
from raybench.kinds.object import SceneObject

Written = Mapping[str, str | None]
"""What is written in the slots of a phrase, by parameter."""


def measures_asked(said: Clauses, units: bool = False) -> Understanding:
    """What all of the clauses ask for, as the argument ``measures``; None if they ask for none.
    ``units``: whether they may ask for another unit than the document's, as the argument ``unit``.
    """
    if (ratio := _ratio(said)) is not None:
        return ratio
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


def _ratio(said: Clauses) -> Meant | None:
    """The ratio of two quantities that the clauses ask for; None if they ask for none."""
    asked = re.fullmatch(r"(?:what is )?ratio (?:of|between) (?P<both>.+)", said.remainder)
    both = asked["both"] if asked is not None else ""
    for between in re.finditer(r" (?:to|and|over) ", both):
        halves = []
        for half in (both[: between.start()], both[between.end() :]):
            one = said.copy()
            one.remainder = half
            halves.append(measures_asked(one))
        if all(
            isinstance(half, Meant) for half in halves
        ):  # of several measures that a quantity means, the first is the main one
            first, second = (
                read_measures(half["measures"])[0] for half in halves if isinstance(half, Meant)
            )
            return Meant({"measures": f"{first} / {second}"})
    return None


def _for_each_source(said: Clauses) -> Understanding:
    """What the clauses ask for of several sources, such as "for Blue, Green and Red"; None if they
    name no such list.
    """
    several = re.search(
        rf"\b(?:for|from|of|by) ({SOURCE}(?: {SOURCE})* and {SOURCE})(?!\S)", said.remainder
    )
    if several is None:
        return None
    measures: list[str] = []
    for mark in re.findall(SOURCE, several[1]):
        one = said.copy()
        one.remainder = (
            f"{said.remainder[: several.start(1)]}{mark}{said.remainder[several.end(1) :]}"
        )
        found = measures_asked(one)
        if not isinstance(found, Meant):
            return found
        measures.append(found["measures"])
    return Meant({"measures": "; ".join(dict.fromkeys(measures))})


def _asked(said: Clauses, source: SceneObject | None, units: bool) -> Understanding:
    if said.has(WRITTEN):
        said.take("ratio(?= of| )(?: of)?")
    if source is None and (expressions := said.take(WRITTEN)) is not None:
        return written_measures(said, expressions[0])
    found = _of_phrases(said.copy(), source, units)
    if (
        isinstance(found, Meant)
        or said.take(r"how (?:large|big|great|high|small|low|strong) (?:is|are)") is None
    ):
        return found
    return better(found, _of_phrases(said, source, units))


def _of_phrases(said: Clauses, source: SceneObject | None, units: bool) -> Understanding:
    """What the clauses ask for by a phrase."""
    unit = unit_asked(said)
    best: Understanding = None
    for row, pattern, written in _matches(said):
        clauses = said.copy()
        clauses.take_phrase(pattern)
        found = _with_joined(clauses, row, written, source)
        if isinstance(found, Unclear):
            best = better(best, clauses.ask(found.problem))
        elif (given := unit_argument(found, unit, said.document.unit, units)) is None:
            best = better(best, Partly(f"in {unit}"))
        else:
            best = better(best, clauses.whole({"measures": "; ".join(map(str, found)), **given}))
        if isinstance(best, Meant):
            break
    return best


def _matches(said: Clauses) -> Iterator[tuple[MeasureRow, PhrasePattern, Written]]:
    """The rows whose phrases are in the clauses, the longest first, with what is in their slots;
    then those whose quantities are alone.
    """
    whole = [
        (match.end() - match.start(), row, match)
        for row in rows()
        if (match := said.find_phrase(row.pattern))
    ]
    for _, row, match in sorted(whole, key=lambda found: (-found[0], found[1].general)):
        yield row, row.pattern, match.groupdict()
    alone = [
        (m.end() - m.start(), row, row.head)
        for row in rows()
        if row.alone and row.head and (m := said.find_phrase(row.head))
    ]
    for _, row, head in sorted(alone, key=lambda found: -found[0]):
        yield row, head, {}


def _with_joined(
    said: Clauses, row: MeasureRow, written: Written, source: SceneObject | None
) -> list[Expression] | Unclear:
    """The measures of a row that has been taken, and of the quantities that "and" joins to it."""
    found = _expressions(said, row, written, source)
    for before in (True, False):
        while not isinstance(found, Unclear) and (other := _joined(said, before)) is not None:
            more = _expressions(said, other, written, source)
            found = (
                more
                if isinstance(more, Unclear)
                else [*more, *found]
                if before
                else [*found, *more]
            )
    return found


def _joined(said: Clauses, before: bool) -> MeasureRow | None:
    """Take a quantity that "and" joins to what has been taken, before or after it."""
    first, last = (
        ("", r"and (?:what (?:is|are) )?(?=\| )") if before else (r"(?<=\| )and ", r"(?=$|and )")
    )
    found = [
        (m.end() - m.start(), row, row.head)
        for row in rows()
        if row.head and (m := said.find_phrase(row.head, first, last))
    ]
    if not found:
        return None
    _, row, head = max(found, key=lambda one: one[0])
    said.take_phrase(head, first, last)
    said.remainder = re.sub(r"\|(?: \|)+", "|", said.remainder)
    return row


def _expressions(
    said: Clauses, row: MeasureRow, written: Written, source: SceneObject | None
) -> list[Expression] | Unclear:
    """The measures of a row about what is written in its slots, one for each combination of
    objects; `Unclear` if they do not fit.
    """
    out: list[Expression] = []
    of_sources = [
        name
        for name in row.measures
        if any(p.role is Role.SOURCE for p in MEASURES[name].parameters)
    ]
    for name in of_sources if source is not None and of_sources else row.measures:
        choices: list[list[str]] = [[]]
        taken: list[Role] = []
        for parameter in row.parameters(name):
            other = any(role in LISTED for role in taken)
            meant = arguments(
                said,
                parameter,
                written,
                source,
                alone=not {name for name, text in written.items() if text}
                - {"source", "other", "order"},
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
