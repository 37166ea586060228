"""Notes for answers about power: how much light was too weak to be traced, and is missing."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from raybench.analysis.answers.answer import Answer
from raybench.analysis.context import require_context
from raybench.analysis.measures.measure import Measured
from raybench.scene.scene import Scene
from raybench.trace.codes import Completion
from raybench.trace.results.warnings import OmittedLight, largest_omitted_light, omitted_light_text


def add_weak_light_note(answer: Answer) -> Answer:
    """An answer about power, with a note on the untraced light of the active context if its share
    is significant.
    """
    context = require_context()
    return _add_untraced_light_note(
        answer, context.scene, [OmittedLight.of_trace(context.result, context.scene)]
    )


def add_largest_weak_light_note(
    answer: Answer, scene: Scene, measured: Iterable[Measured]
) -> Answer:
    """An answer with measured values, and a note on the untraced light if its share is significant.
    The values may come from several traces; the note states the largest share among these.
    """
    return _add_untraced_light_note(answer, scene, [m.not_followed for m in measured])


def _add_untraced_light_note(
    answer: Answer, scene: Scene, parts: Sequence[OmittedLight | None]
) -> Answer:
    if (
        require_context().result.completion != Completion.COMPLETE
    ):  # which every answer about it says
        parts = [part and replace(part, limit="") for part in parts]
    if not (note := omitted_light_text(scene, parts)):
        return answer
    most = largest_omitted_light(parts)
    about = {
        **answer.root.attributes,
        **({"truncated_share": most.weak + most.deep} if most.weak + most.deep else {}),
    }
    notes = ". ".join(text for text in (answer.note, note) if text)
    return replace(answer, root=answer.root.with_parts(about), note=notes)
