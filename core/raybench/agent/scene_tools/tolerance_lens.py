"""The tool ``tolerance_lens``, which computes how manufacturing deviations change a lens."""

import math
from typing import Any, Literal

import numpy as np

from raybench.agent.call.context import ToolContext, tool_context
from raybench.agent.scene_tools.edit_lens import Texts
from raybench.agent.scene_tools.time_limit import SECONDS, STUDY_SECONDS, TimeLimit
from raybench.analysis.answers.words import value_in_words
from raybench.lens.in_document import lens_design
from raybench.lens.tolerance import COMMERCIAL, PRECISION, usual_deviations
from raybench.lens.tolerance import tolerance_lens as study
from raybench.lens.written import InvalidLensText, read_operand

MOST_DEVIATIONS = 8
"""The number of deviations that are reported, those that matter most."""
QUALITIES = {"commercial": COMMERCIAL, "precision": PRECISION}
SAMPLES = 100


@tool_context(
    offered="on demand",
    effect="read",
    expose="both",
    needs="scene",
    timeout_s=STUDY_SECONDS,
    asks=lambda a: f"tolerances of the lens system {value_in_words(a.get('lens') or '')}".rstrip(),
)
def tolerance_lens(
    ctx: ToolContext,
    lens: str = "",
    quality: Literal["commercial", "precision"] = "commercial",
    limits: Texts | None = None,
    adjust: Texts | None = None,
    samples: int = SAMPLES,
    seed: int = 0,
    seconds: float = SECONDS,
) -> dict[str, Any]:
    """Compute how a lens system changes if all its radii, distances and indices deviate as in a
    quality of manufacture: which matters most, the spread, and the yield. For deviations of your
    own, and of what is around the lens, take tolerance with vary such as "Objective.r1±0.1".

    Args:
        lens: Name of the lens system; the only one if empty.
        quality: commercial (radii 0.2 %, distances 0.1 mm, indices 0.001) or precision (half).
        limits: Quantities with bounds, as want of improve_lens, such as ["rms spot < 0.02", "focal
            length = 99..101"].
        adjust: Parameters that assembly adjusts for the best merit, such as ["t6"].
        samples: Random lenses.
        seed: Seed of the random numbers.
        seconds: Ends after this time with the samples so far; at most 280.
    """
    design = lens_design(ctx.document, lens)
    wanted = tuple(read_operand(text) for text in limits or ())
    for operand in wanted:
        if not (math.isfinite(operand.least) or math.isfinite(operand.most)):
            raise InvalidLensText(
                f"{operand.text} has no bound. Write such as {operand.text} < 0.02."
            )
    limit = TimeLimit(ctx, seconds)
    found = study(
        design,
        usual_deviations(design, QUALITIES[quality]),
        limits=wanted,
        compensators=tuple(adjust or ()),
        samples=samples,
        seed=seed,
        stop=limit.is_over,
        progress=ctx.progress,
    )
    changes = np.fmax(abs(found.low - found.nominal), abs(found.high - found.nominal))
    order = np.argsort(-np.nan_to_num(changes[:, 0]), kind="stable")[:MOST_DEVIATIONS]
    samples_or_none = (
        found.samples if len(found.samples) else np.full((1, len(found.names)), np.nan)
    )
    with np.errstate(all="ignore"):
        quantiles = np.nanquantile(samples_or_none, (0.5, 0.95, 1), axis=0)
    unit = design.system.unit

    def plain(value: float) -> float | None:
        return float(f"{value:.5g}") if math.isfinite(value) else None

    return {
        "quantities": [
            {
                "of": name,
                "nominal": plain(found.nominal[i]),
                "median": plain(quantiles[0, i]),
                "in 95 % below": plain(quantiles[1, i]),
                "worst": plain(quantiles[2, i]),
            }
            for i, name in enumerate(found.names)
        ],
        "most sensitive": [
            {
                "parameter": found.deviations[i].parameter,
                "by": plain(found.deviations[i].by),
                **{f"{n} changes by": plain(changes[i, k]) for k, n in enumerate(found.names)},
            }
            for i in order
        ],
        "yields": [
            {"of": y.of, "share": plain(y.share), "within": y.within, "samples": y.samples}
            for y in found.yields
        ],
        "samples": len(found.samples),
        "unit": unit,
    }
