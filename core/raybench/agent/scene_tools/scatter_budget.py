"""The tool ``scatter_budget``, which reports how much power each surface scatters to an object."""

from collections.abc import Sequence

from raybench.agent.call.context import ToolContext, tool_context
from raybench.agent.scene_tools.change_scene import TRACING_SECONDS
from raybench.analysis.answers.answer import Answer
from raybench.analysis.answers.page import check_count
from raybench.analysis.answers.record import Record, Root, Share, ratio
from raybench.analysis.answers.words import count_with_noun
from raybench.analysis.context import power_in_words, require_context
from raybench.analysis.scene.objects import optical_object_named, source_named
from raybench.scene.labels import labelled_edges
from raybench.study.stray_light import DRAWS, EdgePower
from raybench.study.stray_light import scatter_budget as divide

MOST_DRAWS = 200


class ScatteringEdge(Record, tag="surface"):
    object: str
    edge: str
    finish: str | None
    power: float
    error: float | None
    share_of_scattered: Share | None


class ScatterBudget(Root, tag="scatter_budget"):
    surface: Sequence[ScatteringEdge]
    object: str
    arriving_power: float
    arriving_error: float | None
    scattered_power: float
    scattered_error: float | None
    draws: int


@tool_context(
    offered="on demand",
    effect="read",
    expose="both",
    timeout_s=TRACING_SECONDS,
    asks=lambda a: f"surfaces that scatter light to {a.get('object_name')}",
)
def scatter_budget(
    ctx: ToolContext, object_name: str, source_name: str = "", draws: int = DRAWS
) -> Answer:
    """Divide the light that arrives at an object by the surface that scattered it first: the
    scatter budget. Means over random draws, with standard errors.

    Args:
        object_name: The detector or screen.
        source_name: The only source that counts; empty for all.
        draws: Random draws, 2 to 200.

    Returns:
        Root scatter_budget: all light that arrives, the scattered part, and for each surface the
        power that it scattered first, the strongest first.
    """
    check_count("draws", draws, least=2, most=MOST_DRAWS)
    document, context = ctx.document, require_context()
    index, obj = optical_object_named(document.scene, object_name)
    source = None
    if source_name:
        source, _ = source_named(document.scene, source_name)
    budget = divide(document, index, source=source, draws=draws, stop=lambda: ctx.cancelled)

    def record(of: EdgePower) -> ScatteringEdge:
        owner = document.scene.optical[of.obj]
        labels = document.edge_labels.get(owner.key, {})
        edge = next(e for e in labelled_edges(owner, labels) if e.index == of.edge)
        finish = document.finishes.get(owner.key, {}).get(of.edge)
        return ScatteringEdge(
            object=owner.title,
            edge=edge.title,
            finish=None if finish is None else finish.title,
            power=of.power,
            error=of.error,
            share_of_scattered=ratio(of.power, budget.scattered.power),
        )

    surfaces = [record(each) for each in budget.edges]
    root = ScatterBudget(
        surface=surfaces,
        object=obj.title,
        arriving_power=budget.arriving.power,
        arriving_error=budget.arriving.error,
        scattered_power=budget.scattered.power,
        scattered_error=budget.scattered.error,
        draws=budget.draws,
        context=context,
    )
    if not surfaces:
        return Answer(root, f"No scattered light reaches {obj.title}")
    first = surfaces[0]
    sentence = (
        f"{_with_error(budget.scattered)} of {_with_error(budget.arriving)} at {obj.title} is"
        f" scattered light, from {count_with_noun(len(surfaces), 'surface')}; most of it was scattered"
        f" first at {first.object}:{first.edge}: {_with_error(budget.edges[0])}"
        f" ({budget.draws} draws)"
    )
    return Answer(root, sentence)


def _with_error(of: EdgePower) -> str:
    return power_in_words(of.power, of.error)
