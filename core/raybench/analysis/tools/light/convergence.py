"""How much would a measure change with more rays?"""

import math
import time
from collections.abc import Sequence

from raybench.analysis.answers.answer import Answer
from raybench.analysis.answers.record import Record, Root
from raybench.analysis.answers.words import in_words
from raybench.analysis.context import require_context
from raybench.analysis.measures.bound import bind
from raybench.analysis.measures.grammar import MeasureList
from raybench.analysis.measures.light import Light
from raybench.analysis.measures.measure import Measured
from raybench.analysis.tools.tool import AnalysisTool
from raybench.scene.changes.quantity import unit_after
from raybench.trace.codes import Completion
from raybench.trace.results.result import TraceResult
from raybench.trace.tolerances import SAME_FRACTION
from raybench.trace.trace import trace

SECONDS = 60.0
"""Time limit of the trace with more rays."""


class ConvergedMeasure(Record, tag="measure"):
    of: str
    value: float | None
    again: float | None
    moved: float | None
    relative: float | None
    unit: str | None
    reason: str | None


class Convergence(Root, tag="convergence"):
    measure: Sequence[ConvergedMeasure]
    rays: int
    rays_again: int
    reason: str | None
    caution: str | None


def convergence(measures: MeasureList) -> Answer:
    """Check how well measures have converged: their values now, with twice the ray density, and
    the difference.

    The scene is traced once more with twice the rays per unit; it is not changed. A measure that
    changes little has enough rays.

    Args:
        measures: One measure or several, separated by semicolons, such as power(Screen);
            rms(Screen). measure_xml describes them.

    Returns:
        Root convergence: for each measure its value, its value at twice the rays, the difference,
        and that relative to the new value. A caution says where more power is emitted with more
        rays, so that powers grow with it and parts of it, such as share(Screen), do not.

    Raises:
        RuntimeError: If set_context() has not been called.
        ValueError: If a measure is invalid, or a measure or an object does not exist; the message
            suggests the nearest names.
    """
    context = require_context()
    scene, result = context.scene, context.result
    bound = bind(measures, context)
    finer, until = scene.with_density(2.0), time.monotonic() + SECONDS
    again = trace(
        finer,
        disabled=context.disabled,
        revision=result.revision,
        stop=lambda: time.monotonic() > until,
        unit=context.unit,
    )
    now = Light.of_context(context)
    then = Light(finer, again, context.unit, context.edge_labels, now.disabled, now.groups)
    pairs = [(b.evaluate(now), b.evaluate(then)) for b in bound]
    reason = _why_incomparable(result, again)
    caution = None if reason else _changed_power_note(result, again)
    root = Convergence(
        measure=[_converged_measure(*pair) for pair in pairs],
        rays=_count_emitted(result),
        rays_again=_count_emitted(again),
        reason=reason,
        caution=caution,
    )
    words = "; ".join(_convergence_words(*pair) for pair in pairs)
    return Answer(root, f"{words} ({reason or caution})" if reason or caution else words)


def _count_emitted(result: TraceResult) -> int:
    return int((result.parent < 0).sum())


def _why_incomparable(before: TraceResult, after: TraceResult) -> str | None:
    """Why the traces cannot be compared: one is not complete, or both have the same rays; None if
    they can.
    """
    if len(before) and _count_emitted(before) == _count_emitted(after):
        return "not comparable: twice the ray density emits no more rays here"
    which = [
        name
        for name, r in (("this trace", before), ("that with more rays", after))
        if r.completion is not Completion.COMPLETE
    ]
    return f"not comparable: {' and '.join(which)} did not complete" if which else None


def _changed_power_note(before: TraceResult, after: TraceResult) -> str | None:
    """That the sources emit another power in the second trace; None if they do not."""
    one, two = before.ledger.emitted, after.ledger.emitted
    if math.isclose(one, two, rel_tol=SAME_FRACTION):
        return None
    return (
        f"twice the rays emit {in_words(two)} instead of {in_words(one)}, for a ray carries a power"
        " of at most 1: compare parts of what is emitted, such as share(Screen)"
    )


def _converged_measure(now: Measured, then: Measured) -> ConvergedMeasure:
    defined = now.defined and then.defined
    return ConvergedMeasure(
        of=now.expression,
        value=now.known,
        again=then.known,
        moved=then.minus(now) if defined else None,
        relative=then.minus(now) / abs(then.value) if defined and then.value else None,
        unit=now.unit or None,
        reason=now.reason or then.reason or None,
    )


def _convergence_words(now: Measured, then: Measured) -> str:
    if not (now.defined and then.defined):
        return f"{in_words(now.expression)} is undefined: {now.reason or then.reason}".rstrip(".")
    moved = then.minus(now)
    relative = f" ({100 * moved / abs(then.value):+.2g} %)" if then.value else ""
    unit = unit_after(now.unit)
    return (
        f"{in_words(now.value)}{unit} is {in_words(now.expression)}, with twice the rays"
        f" {in_words(then.value)}{unit}{relative}"
    )


TOOL = AnalysisTool(
    function=convergence, asks="convergence of {measures}", questions=("Has {measures} converged?",)
)
