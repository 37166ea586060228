"""The tool ``tolerance``, which computes how much measures change if parameters deviate from their
values.
"""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from raybench.agent.call.context import ToolContext, tool_context
from raybench.agent.scene_tools.change_scene import ChangeList
from raybench.agent.scene_tools.sweep import join_texts
from raybench.agent.scene_tools.time_limit import SECONDS, STUDY_SECONDS, TimeLimit
from raybench.analysis.answers.answer import Answer, Leaf
from raybench.analysis.answers.record import Record, Root, Share
from raybench.analysis.answers.weak_light import add_largest_weak_light_note
from raybench.analysis.context import require_context
from raybench.errors import RaybenchError
from raybench.scene.changes import changes_from_json
from raybench.scene.changes.quantity import unit_suffix
from raybench.scene.document import Document
from raybench.schema.json_values import TextList
from raybench.study.experiment import Evaluator, Row
from raybench.study.tolerance import (
    DEFAULT_SAMPLES,
    SCALE_RANGE,
    Sensitivity,
    Spread,
    Tolerance,
    root_sum_square,
)
from raybench.study.tolerance import Yield as SampleYield


class SensitivityRecord(Record, tag="deviates"):
    """The change of a measure if a single parameter deviates."""

    parameter: str
    by: float
    below: float | None
    above: float | None


class ToleratedMeasure(Record, tag="measure"):
    deviates: Sequence[SensitivityRecord]
    of: str
    nominal: float | None
    unit: str | None
    mean: float | None
    standard_deviation: float | None
    least: float | None
    quantile_5: float | None
    median: float | None
    quantile_95: float | None
    most: float | None
    undefined: int | None
    linear_standard_deviation: float | None


class YieldRecord(Record, tag="yield"):
    of: str
    share: Share
    low: Share
    high: Share
    samples_for_1_percent: int


class ScaledDeviations(Record, tag="scale"):
    """The factor for all deviations that gives a requested yield, and each deviation times this
    factor. ``at_least``: larger factors may give the yield too, but were not tried.
    """

    factor: float
    at_least: bool | None
    yield_: Share
    deviation: Sequence[Leaf]


class Tolerances(Root, tag="tolerance"):
    measure: Sequence[ToleratedMeasure]
    yield_: Sequence[YieldRecord]
    scale: Sequence[ScaledDeviations]
    note: Sequence[Leaf]
    samples: int
    seed: int


@tool_context(
    offered="on demand",
    effect="read",
    expose="both",
    timeout_s=STUDY_SECONDS,
    asks=lambda a: f"tolerance of {join_texts(a['measures'])} to {join_texts(a['vary'])}",
)
def tolerance(
    ctx: ToolContext,
    vary: TextList,
    measures: TextList,
    limits: TextList | None = None,
    adjust: TextList | None = None,
    goals: TextList | None = None,
    changes: ChangeList | None = None,
    samples: int = DEFAULT_SAMPLES,
    seed: int = 0,
    wanted_yield: float | None = None,
    seconds: float = SECONDS,
) -> Answer:
    """Compute how much measures change if parameters deviate: each alone, and all at random, with
    the yield. The scene is not changed.

    Args:
        vary: How far parameters may be off, such as ["Lens.x±0.1", "Lens.focalLength±1%",
            "Prism.angle±0.5 normal"]
            (normal: two standard deviations).
        measures: Measures such as ["rms(Screen)", "power(Screen)"]. measure_xml describes them.
        limits: What has to hold, such as ["rms(Screen) < 0.2", "focus(Lens) = 99..101"], for the
            yield.
        adjust: Compensators, adjusted in every sample as when assembling, with bounds, such as
            ["Screen.x=-5..5"].
        goals: What compensators are adjusted for, such as ["least rms(Screen)"].
        changes: Changes that are made first, as change_scene takes them.
        samples: Random samples.
        seed: Seed of the random numbers.
        wanted_yield: A yield, such as 0.95, for which to find the factor of all deviations.
        seconds: Ends after this time with the samples so far; at most 280.
    """
    time_limit = TimeLimit(ctx, seconds)
    document = ctx.document
    study = Tolerance.read(
        document,
        vary,
        measures,
        limits=limits or (),
        adjust=adjust or (),
        goals=goals or (),
        first=changes_from_json(changes or [], document),
        samples=samples,
        seed=seed,
    )
    scale: tuple[float, SampleYield] | None = None
    at_least = False
    with Evaluator(stop=time_limit.is_over) as evaluator:
        nominal = study.nominal(evaluator)
        sensitivities = list(study.sensitivities(evaluator))
        rows = []
        for row in evaluator.rows(study.experiment_to_evaluate(), study.points):
            rows.append(row)
            ctx.progress(len(rows), samples)
        note = time_limit.note(len(rows), samples, "samples")
        if wanted_yield is not None and not note:
            scale = study.scale_for_yield(wanted_yield, evaluator)
            at_least = time_limit.is_over() or (scale is not None and scale[0] == SCALE_RANGE[1])
            if time_limit.is_over():
                note = (
                    "The time ended before the factor for the yield was found: give more seconds or"
                    " fewer samples"
                )
            elif scale is None:
                note = (
                    f"No factor from {SCALE_RANGE[0]:g} of all deviations gives a yield of"
                    f" {100 * wanted_yield:g} %"
                )
    if not rows:
        raise RaybenchError("It ended before the first sample. Give more seconds.")
    spreads = study.spreads(rows)
    measured = [
        ToleratedMeasure(
            deviates=[
                SensitivityRecord(
                    parameter=s.deviation.parameter.text,
                    by=s.deviation.by,
                    below=_number_or_none(low),
                    above=_number_or_none(high),
                )
                for s in sensitivities
                for low, high in [s.changes(i, nominal)]
            ],
            of=spread.measure.expression,
            nominal=nominal[i].value_or_none,
            unit=nominal[i].unit or None,
            **_spread_numbers(spread, len(rows)),
            linear_standard_deviation=_number_or_none(root_sum_square(sensitivities, i)),
        )
        for i, spread in enumerate(spreads)
    ]
    yields = [
        YieldRecord(
            of=y.of,
            share=y.share,
            low=y.interval[0],
            high=y.interval[1],
            samples_for_1_percent=y.samples_for(0.01),
        )
        for y in study.yields(rows)
    ]
    root = Tolerances(
        measure=measured,
        yield_=yields,
        scale=[]
        if scale is None
        else [_scaled_deviations_record(study, document, *scale, at_least)],
        note=[Leaf("note", note)] if note else [],
        samples=len(rows),
        seed=seed,
        context=require_context(),
    )
    found = [
        _spread_sentence(document, s, nominal, sensitivities, i) for i, s in enumerate(spreads)
    ]
    found += [
        f"yield {100 * y.share:.3g} % ({100 * y.interval[0]:.3g} to {100 * y.interval[1]:.3g} % at 95 %"
        f" confidence; ±1 % takes {y.samples_for(0.01)} samples)"
        for y in study.yields(rows)[-1:]
    ]
    if scale is not None:
        found.append(
            f"all deviations times {'at least ' * at_least}{scale[0]:.3g} give a yield of {100 * scale[1].share:.3g} %"
        )
    text = ". ".join(filter(None, [f"{len(rows)} samples: {'; '.join(found)}", note]))
    answer = Answer(root, text)
    return add_largest_weak_light_note(
        answer, document.scene, (m for row in (nominal, *rows) for m in row)
    )


def _scaled_deviations_record(
    study: Tolerance, document: Document, factor: float, reached: SampleYield, at_least: bool
) -> ScaledDeviations:
    texts = [
        f"{d.parameter.text}±{d.by:.3g}{unit_suffix(d.parameter.unit_text(document))}"
        for d in study.scaled(factor).deviations
    ]
    return ScaledDeviations(
        factor=factor,
        at_least=at_least or None,
        yield_=reached.share,
        deviation=[Leaf("deviation", text) for text in texts],
    )


def _spread_sentence(
    document: Document,
    spread: Spread,
    nominal: Row,
    sensitivities: Sequence[Sensitivity],
    index: int,
) -> str:
    """A sentence with the spread of a measure, and the parameter whose deviation changes it
    most.
    """
    name, unit = spread.measure.expression, unit_suffix(nominal[index].unit)
    if not spread.defined:
        return f"{name} is undefined: {nominal[index].reason}".rstrip(".")
    text = f"{name} mean {spread.mean:.6g}, standard deviation {spread.deviation:.3g}{unit}"
    effects = [(s.deviation, s.changes(index, nominal)) for s in sensitivities]
    deviation, (low, high) = max(effects, key=lambda e: float(np.nan_to_num(np.abs(e[1])).max()))
    off = f"±{deviation.by:g}{unit_suffix(deviation.parameter.unit_text(document))}"
    about = f"{deviation.parameter.text} off by {off} changes it by {low:.3g} and {high:.3g}{unit}"
    return f"{text}, {'most of all ' if len(effects) > 1 else ''}{about}"


def _spread_numbers(spread: Spread, samples: int) -> dict[str, Any]:
    low, median, high = spread.quantiles
    undefined = samples - spread.defined
    numbers = {
        "mean": spread.mean, "standard_deviation": spread.deviation, "least": spread.least, "quantile_5": low, "median": median,
        "quantile_95": high, "most": spread.most,
    }  # fmt: skip
    return {name: _number_or_none(value) for name, value in numbers.items()} | {
        "undefined": undefined or None
    }


def _number_or_none(value: float) -> float | None:
    return None if math.isnan(value) else value
