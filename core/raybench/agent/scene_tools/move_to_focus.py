"""The tool ``move_to_focus``, which moves a detector along its light to the smallest spot."""

import numpy as np

from raybench.agent.call.context import ToolContext, tool_context
from raybench.agent.scene_tools.change_scene import TRACING_SECONDS, make_changes
from raybench.analysis.answers.words import value_in_words
from raybench.analysis.context import TracedScene, require_context
from raybench.analysis.geometry.straight import Rows
from raybench.analysis.measures.bound import bind_measures
from raybench.analysis.measures.families.spot import best_focus_of_light
from raybench.analysis.measures.grammar import quote_argument
from raybench.analysis.measures.light import Light
from raybench.analysis.measures.measure import Unit
from raybench.analysis.measures.selections import ArrivingLight
from raybench.analysis.rays.bundle import NoFocus, distance_along_beam
from raybench.analysis.scene.objects import source_named
from raybench.errors import in_quotes
from raybench.kinds.object import SceneObject
from raybench.scene.changes import Move
from raybench.scene.names import object_named
from raybench.study.what_if import what_if
from raybench.trace.results.straight_pieces import last_straight_pieces

MOST_SPOTS = 4
"""Maximum number of sources whose spots are reported."""


@tool_context(
    offered="on demand",
    effect="edit",
    expose="both",
    timeout_s=TRACING_SECONDS,
    asks=lambda a: f"move {value_in_words(a.get('detector_name', ''))} to the best focus",
)
async def move_to_focus(ctx: ToolContext, detector_name: str, source_name: str = "") -> str:
    """Move a detector, or another object that is one straight line, along its light to where that
    has its least RMS width.

    With several sources, each has its own spot, and the mean square of their widths is minimised.
    Reports the RMS width of each spot before and after the move, as traced: at its new place the
    detector may meet other rays.

    Args:
        detector_name: Name of the detector.
        source_name: Name of the source whose light is to be in focus; empty for all.
    """
    context = require_context()
    obj = object_named(context.scene, detector_name)
    source = source_named(context.scene, source_name)[0] if source_name else None
    light = Light.from_context(context)
    change, off, rows = focusing_move(context, light, obj, source)
    present = dict.fromkeys(light.result.source[rows].tolist())
    spots = "; ".join(
        f"rms({quote_argument(obj.title)}, {quote_argument(light.measurable_objects[i].title)})"
        for i in list(present)[:MOST_SPOTS]
    )
    tried = what_if(ctx.document, context.result, (change,), spots, stop=lambda: ctx.cancelled)
    done = await make_changes(ctx, (change,))
    way = f"{abs(off):.6g} {context.unit} {'onward' if off >= 0 else 'back'} along its light"
    larger = all(spot.change > 0 for spot in tried.differences)
    other = (
        f" The rays that arrived meet there, but {obj.title} now meets other rays too: choose its"
        " size or its rays."
        if larger
        else ""
    )
    return f"{obj.title} is moved {way}: {'; '.join(map(str, tried.differences))}.{other} {done}"


def focusing_move(
    context: TracedScene, light: Light, obj: SceneObject, source: int | None = None
) -> tuple[Move, float, Rows]:
    """The move of a straight object to the smallest spot of the light on its principal path, the
    distance along the light, and the segments that arrive. Raises RaybenchError if the object is
    not straight, or if the light has no focus after the object that it met last.
    """
    bind_measures(f"rms({quote_argument(obj.title)})", context)  # whether it is a straight line
    index = light.index_by_key[obj.key]
    arriving = ArrivingLight.at_object(light, index, source).principal_part()
    rows = arriving.rows
    if len(rows) == 1:
        raise NoFocus(
            f"Only one ray arrives at {in_quotes(obj.title)}, which has no focus. Raise the scene's"
            " ray density."
        )
    best = best_focus_of_light(arriving, each_source=True)
    off = distance_along_beam(best, arriving.shape.a, arriving.shape.b)
    start = last_straight_pieces(light.result, rows)[0].mean(axis=0)
    if (
        light.remove_rounding_noise(
            float((np.array(best.point) - start) @ np.array(best.axis)), Unit.LENGTH
        )
        <= 0
    ):
        raise NoFocus(
            f"The light at {in_quotes(obj.title)} diverges, as from a point {abs(off):.6g}"
            f" {context.unit} before it, and has no focus on its way from the last object."
        )
    dx, dy = (light.remove_rounding_noise(off * part, Unit.LENGTH) for part in best.axis)
    return Move(obj.key, dx=dx, dy=dy), off, rows
