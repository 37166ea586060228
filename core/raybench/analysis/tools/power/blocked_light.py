"""The tool that reports how much light an object blocks or sends to other objects."""

from collections.abc import Sequence

from raybench.analysis.answers.answer import Answer
from raybench.analysis.answers.record import Record, Root, ratio
from raybench.analysis.answers.words import capitalize_first, value_in_words
from raybench.analysis.context import require_context
from raybench.analysis.measures.bound import measured_value
from raybench.analysis.measures.light import Light
from raybench.analysis.scene.objects import source_named
from raybench.analysis.tools.tool import AnalysisTool
from raybench.kinds.outline import object_edges
from raybench.kinds.sources import Source

MOST_NAMED_OBJECTS = 3
"""Maximum number of objects named in the sentence."""


class ShadedObject(Record, tag="target"):
    name: str
    blocked: float
    share: float | None
    without: float
    power: float


class BlockedLight(Root, tag="blocked_light"):
    target: Sequence[ShadedObject]
    object: str
    source: str | None
    count: int


def blocked_light(object_name: str, source_name: str = "") -> Answer:
    """Report how much light an object blocks: what it takes from each other object, such as the
    secondary mirror of a telescope from the primary one.

    The scene is traced again with the object disabled. What it takes is the power that arrives
    without it less that which arrives with it (the measure blocked), negative where it sends light.

    Args:
        object_name: Name of the object, or of a group taken as one.
        source_name: Name of a source to consider alone; empty for all.

    Returns:
        Root blocked_light: each object at which more or less power arrives without it, with the
        power blocked, its share of what arrives without it, and both powers; most blocked first.

    Raises:
        RuntimeError: If set_context() has not been called.
        ValueError: If a name doesn't match; the message lists the existing names.
    """
    context = require_context()
    light = Light.from_context(context)
    index, obj = light.find_optical_object(object_name)
    of, source = source_named(context.scene, source_name) if source_name else (None, None)
    members = light.members(index)
    found = []
    for i, target in enumerate(context.scene.optical):
        if i in members or isinstance(target, Source) or not object_edges(target):
            continue
        if blocked := measured_value(light, "blocked", obj, target, source).value_or_none:
            power = measured_value(light, "power", target, source).value
            without = power + blocked
            found.append(
                ShadedObject(
                    name=target.title,
                    blocked=blocked,
                    share=ratio(blocked, without) if blocked > 0 else None,
                    without=without,
                    power=power,
                )
            )
    found.sort(key=lambda each: -each.blocked)
    root = BlockedLight(
        target=found, object=obj.title, source=source_name or None, count=len(found)
    )
    return Answer(
        root,
        _blocked_light_sentence(value_in_words(obj.title), found),
        context.result.ray_set(light.arriving_rows(index, of)),
    )


def _blocked_light_sentence(name: str, found: Sequence[ShadedObject]) -> str:
    taken = [
        f"{value_in_words(each.blocked)} of {value_in_words(each.without)} from {value_in_words(each.name)}"
        f" ({100 * (each.share or 0.0):.3g} %)"
        for each in found
        if each.blocked > 0
    ]
    sent = [
        f"{value_in_words(-each.blocked)} to {value_in_words(each.name)}"
        for each in found
        if each.blocked < 0
    ]
    words = (
        f"{name} takes {', '.join(taken[:MOST_NAMED_OBJECTS]) or 'no light from another object'}"
    )
    if sent:
        words += f"; it sends {', '.join(sent[:MOST_NAMED_OBJECTS])}"
    return capitalize_first(words)


TOOL = AnalysisTool(
    function=blocked_light,
    asks="light that {object_name} takes from others",
    questions=("How much light does {object_name} block?",),
    power=True,
)
