"""The tool ``estimate``, which computes means of measures over random draws of the scene, with
standard errors.
"""

from collections import deque
from collections.abc import Sequence

from raybench.agent.call.context import ToolContext, tool_context
from raybench.agent.scene_tools.change_scene import TRACING_SECONDS
from raybench.analysis.answers.answer import Answer
from raybench.analysis.answers.record import Record, Root
from raybench.analysis.context import require_context
from raybench.analysis.measures.grammar import MeasureList
from raybench.study.estimate import MOST_DRAWS
from raybench.study.estimate import estimate as draw_means


class EstimatedMeasure(Record, tag="measure"):
    of: str
    mean: float | None
    error: float | None
    unit: str | None
    undefined: int | None
    reason: str | None


class Estimates(Root, tag="estimates"):
    measure: Sequence[EstimatedMeasure]
    draws: int


@tool_context(
    offered="on demand",
    effect="read",
    expose="both",
    timeout_s=TRACING_SECONDS,
    asks=lambda a: f"means of {a.get('measures')} over draws",
)
def estimate(
    ctx: ToolContext, measures: MeasureList, error: float = 0.01, draws: int = MOST_DRAWS
) -> Answer:
    """Estimate measures: their means over independent draws of random sources and scattering
    surfaces, or where nothing is random over more and more rays, with standard errors. The scene is
    not changed.

    Args:
        measures: One measure or several, separated by semicolons, such as power(Screen);
            rms(Screen). measure_xml describes them.
        error: End when the standard error of each mean is at most this part of it.
        draws: The most draws.

    Returns:
        Root estimates: for each measure its mean and its standard error, and how many draws had no
        value.
    """
    states = draw_means(
        ctx.document, measures, error=error, draws=draws, stop=lambda: ctx.cancelled
    )
    means = next(iter(deque(states, maxlen=1)), ())
    root = Estimates(
        measure=[
            EstimatedMeasure(
                of=mean.latest.expression,
                mean=mean.value_or_none,
                error=mean.error_or_none,
                unit=mean.latest.unit or None,
                undefined=mean.undefined or None,
                reason=(mean.latest.reason or None) if mean.value_or_none is None else None,
            )
            for mean in means
        ],
        draws=max((mean.draws for mean in means), default=0),
        context=require_context(),
    )
    return Answer(root, "; ".join(map(str, means)), complete_sentence=True)
