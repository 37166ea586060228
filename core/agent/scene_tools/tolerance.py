"""``tolerance``: how much measures change if parameters deviate."""

from __future__ import annotations

from core.agent.call.context import ToolContext, tool_context, tool_options
from core.agent.scene_tools.sweep import STUDY_SECONDS
from core.analysis.answers.answer import Answer, Element, element, listed
from core.analysis.answers.xml_answer import provenance
from core.analysis.context import require_context
from core.errors import RaybenchError
from core.study.evaluator import Evaluator
from core.study.terms.deviation import read_deviation
from core.study.terms.goal import read_limits
from core.study.tolerance import Sensitivity, Spread, Tolerance, compensation_of, root_sum_square


@tool_options(timeout_s=STUDY_SECONDS)
@tool_context
def tolerance(
    ctx: ToolContext,
    vary: list[str],
    measures: list[str],
    limits: list[str] | None = None,
    adjust: list[str] | None = None,
    goals: list[str] | None = None,
    samples: int = 200,
    seed: int = 0,
) -> Answer:
    """
    Tell how much measures change if parameters deviate: each alone, and all at random, with the yield. The scene is not changed.

    Args:
        vary: How far parameters may be off, such as ["Lens.x±0.1", "Lens.focalLength±1%", "Prism.angle±0.5 normal"]
            (normal: two standard deviations).
        measures: Measures such as ["rms(Screen)", "power(Screen)"]. measure_xml describes them.
        limits: What has to hold, such as ["rms(Screen) < 0.2", "focus(Lens) = 99..101"], for the yield.
        adjust: Compensators, adjusted in every sample as when assembling, with bounds, such as ["Screen.x=-5..5"].
        goals: What compensators are adjusted for, such as ["least rms(Screen)"].
        samples: Random samples.
        seed: Seed of the random numbers.
    """
    document = ctx.document
    wanted = read_limits(limits or (), document)
    deviations = [read_deviation(text, document) for text in vary]
    compensation = compensation_of(adjust or (), goals or (), document)
    study = Tolerance.of(document, deviations, measures, limits=wanted, compensation=compensation, samples=samples, seed=seed)
    with Evaluator(stop=lambda: ctx.cancelled) as evaluator:
        nominal = study.nominal(evaluator)
        sensitivities = list(study.sensitivities(evaluator))
        rows = []
        for row in evaluator.rows(study.evaluable(), study.points):
            rows.append(row)
            ctx.progress(len(rows), samples)
    if not rows:
        raise RaybenchError("Stopped before the first sample.")
    spreads = study.spreads(rows)
    units = [None if m.unit == "1" else m.unit for m in nominal]
    measured = [
        element(
            "measure",
            listed("deviates", [_effect(s, i, nominal[i].value) for s in sensitivities]),
            of=spread.measure.expression,
            nominal=nominal[i].value if nominal[i].defined else None,
            unit=units[i],
            **_numbers(spread, len(rows)),
            linear_standard_deviation=root_sum_square(sensitivities, i),
        )
        for i, spread in enumerate(spreads)
    ]
    yields = [
        element("yield", of="all limits" if y.limit is None else str(y.limit), share=y.share, low=y.interval[0], high=y.interval[1])
        for y in study.yields(rows)
    ]
    root = element(
        "tolerance", listed("measure", measured), listed("yield", yields), samples=len(rows), seed=seed, **provenance(require_context())
    )
    found = [
        f"{s.measure.expression} mean {s.mean:.6g}, standard deviation {s.deviation:.3g} {unit or ''}".rstrip()
        for s, unit in zip(spreads, units, strict=False)
    ]
    found += [f"yield {100 * y.share:.3g} %" for y in study.yields(rows)[-1:]]
    return Answer(root, f"{len(rows)} samples: {'; '.join(found)}")


def _effect(sensitivity: Sensitivity, index: int, nominal: float) -> Element:
    deviation = sensitivity.deviation
    low, high = (row[index].value - nominal for row in (sensitivity.low, sensitivity.high))
    return element("deviates", parameter=deviation.parameter.text, by=deviation.by, below=low, above=high)


def _numbers(spread: Spread, samples: int) -> dict[str, float | int | None]:
    low, median, high = spread.quantiles
    undefined = samples - spread.defined
    return {
        "mean": spread.mean, "standard_deviation": spread.deviation, "least": spread.least, "quantile_5": low, "median": median,
        "quantile_95": high, "most": spread.most, "undefined": undefined or None,
    }  # fmt: skip
