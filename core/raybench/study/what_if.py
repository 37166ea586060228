"""Measures before and after some changes, which are applied to a copy of the document."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

from raybench.analysis.measures.bound import EXPONENTS, Bound, bind_measures, required_rows
from raybench.analysis.measures.grammar import read_measures
from raybench.analysis.measures.light import Light
from raybench.analysis.measures.measure import Measured
from raybench.errors import RaybenchError
from raybench.kinds.fields import METRES
from raybench.scene.changes import Change, NoChanges, describe_changes, documents_between_changes
from raybench.scene.changes.quantity import unit_suffix
from raybench.scene.document import Document, use_negative_revisions
from raybench.scene.names import UnknownName
from raybench.trace.codes import Completion
from raybench.trace.keep import Keep, RowsNotKept
from raybench.trace.limits import DEFAULT_LIMIT
from raybench.trace.results.result import TraceResult
from raybench.trace.trace import trace


@dataclass(frozen=True)
class MeasureComparison:
    """The value of a measure before and after some changes."""

    before: Measured
    after: Measured

    @property
    def change(self) -> float:
        """The value after minus the value before. 0 if it is smaller than the rounding error; NaN
        if one of the values is undefined.
        """
        return self.after.difference_from(self.before)

    @property
    def relative_change(self) -> float:
        """The change relative to the value before; NaN if that is 0 or undefined, or if the measure
        is an angle on a circle.
        """
        if self.after.period or not self.before.value:
            return math.nan
        return self.change / abs(self.before.value)

    def __str__(self) -> str:
        name, before, after = self.after.expression, self.before.digits, self.after.digits
        unit = unit_suffix(self.after.unit)
        if self.before.defined and self.after.defined:
            known = self.change and not math.isnan(self.relative_change)
            relative = f", {100 * self.relative_change:+.3g} %" if known else ""
            return f"{name}: {before} -> {after}{unit} ({self.change:+.6g}{relative})"
        if self.before.reason == BEFORE and self.after.defined:
            return f"{name}: {after}{unit}"
        reason = (self.after.reason or self.before.reason).rstrip(".")
        if self.before.defined or self.after.defined:
            return f"{name}: {before} -> {after}{unit} ({reason})"
        return f"{name}: {after} ({reason})"


@dataclass(frozen=True)
class WhatIf:
    """The result of trying some changes: their description, the differences of the measures, and
    the changed document with its trace, which may contain only the rows that the measures read.
    """

    words: str
    differences: tuple[MeasureComparison, ...]
    document: Document
    result: TraceResult


@use_negative_revisions()
def what_if(
    document: Document,
    result: TraceResult,
    changes: tuple[Change, ...],
    measures: str,
    *,
    rays: float = 1.0,
    stop: Callable[[], bool] | None = None,
) -> WhatIf:
    """Evaluate measures before and after some changes. The document itself is not changed.

    Args:
        result: The full trace of the document.
        changes: Changes that are applied to a copy of the document.
        measures: Expressions separated by semicolons, such as ``power(Screen); rms(Screen)``.
        rays: Factor by which the number of rays is larger than in ``result``, for both traces.
        stop: Polled while the copy is traced; if it returns True, the trace ends early.

    Raises:
        ChangeRefused: If a change cannot be applied, or there is none.
        InvalidMeasure: If a measure cannot be read; UnknownName if its objects exist neither before
            nor after the changes. If they exist only before or only after, the other value is
            undefined.
    """
    if not changes:
        raise NoChanges("Nothing was tried")
    if rays != 1.0:
        document = document.with_more_rays(rays)
        result = trace(document, stop=stop)
    documents = documents_between_changes(changes, document)
    after = documents[-1]
    bound = bind_in_either_document(measures, document, after)
    before_light, words = (
        Light.from_document(document, result),
        describe_changes(changes, documents),
    )

    def try_changes(keep: Keep | None) -> WhatIf:
        traced = trace(after, max_segments=comparable_limit(result), stop=stop, keep=keep)
        light = Light.from_document(after, traced)
        differences = tuple(_measure_difference(b, before_light, light) for b in bound)
        return WhatIf(words, differences, after, traced)

    try:
        return try_changes(required_rows(bound, after))
    except (RowsNotKept, UnknownName):  # a measure reads more, or is of what is gone
        return try_changes(None)


def compare_measures(
    before: Document,
    after: Document,
    traced: tuple[TraceResult, TraceResult],
    measures: str,
) -> tuple[MeasureComparison, ...]:
    """Compare the measures of an earlier and a later document. ``traced`` are the complete traces
    of both.

    Names refer to objects of the later document, or else of the earlier one. Raises InvalidMeasure,
    or UnknownName if an object is in neither document. If it is missing in one document, the
    measure is undefined there.
    """
    bound = bind_in_either_document(measures, before, after)
    old, new = Light.from_document(before, traced[0]), Light.from_document(after, traced[1])
    return tuple(_measure_difference(b, old, new) for b in bound)


BEFORE, AFTER = "There was no such object before.", "There is no such object any more."
"""Why a measure of an object that a change makes, or takes away, is undefined."""


def bind_in_either_document(measures: str, before: Document, after: Document) -> list[Bound]:
    """Bind the measures in the later document or, if their objects are missing there, in the
    earlier one. Raises the errors of `bind_measures`.
    """
    found: list[Bound] = []
    for value in map(str, read_measures(measures)):
        try:
            found += bind_measures(value, after)
        except UnknownName as error:
            try:
                found += bind_measures(value, before)
            except RaybenchError:
                raise error from None
    return found


def _measure_difference(bound: Bound, before: Light, after: Light) -> MeasureComparison:
    """The value of a measure before and after, both in the unit of the later document. It is
    undefined in a document without the measure's objects.
    """
    old, new = (
        _evaluate_bound_measure(bound, before, BEFORE),
        _evaluate_bound_measure(bound, after, AFTER),
    )
    scale = float(
        (METRES[before.length_unit] / METRES[after.length_unit]) ** EXPONENTS[bound.unit][1]
    )
    return MeasureComparison(replace(old, value=scale * old.value, unit=new.unit), new)


def _evaluate_bound_measure(bound: Bound, light: Light, gone: str) -> Measured:
    try:
        return bound.evaluate(light)
    except UnknownName:
        try:  # an object may have been replaced by another one of its name
            (again,) = bind_measures(bound.expression, light)
            return again.evaluate(light)
        except RaybenchError:
            return Measured(
                math.nan,
                bound.unit.symbol(light.length_unit, light.power_unit),
                bound.expression,
                gone,
            )


def comparable_limit(result: TraceResult) -> int:
    """The limit on segments for a trace that is to be compared with ``result``. A partial result
    needs a lower limit than a complete one.
    """
    return DEFAULT_LIMIT if result.completion == Completion.COMPLETE else max(len(result), 1)
