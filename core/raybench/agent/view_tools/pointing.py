"""Tools that show something in the window: select objects, highlight rays, zoom, run an action, and
take a picture of the canvas.
"""

import dataclasses
from collections.abc import Mapping
from typing import Any

import numpy as np

from raybench.agent.call.context import ToolContext, tool_context
from raybench.agent.call.outcome import PngImage
from raybench.agent.tools.tool import Tool
from raybench.agent.view_tools.ray_filter_tools import RayPickTool
from raybench.analysis.answers.words import grouped_digits, ray_count_text, value_in_words
from raybench.errors import RaybenchError, elide_text
from raybench.scene.hit_test import drawn_extent
from raybench.scene.names import object_named
from raybench.schema.json_values import TextList, coerce_to_list
from raybench.trace.results.extent import traced_scene_extent
from raybench.trace.results.ray_set import RaySet
from raybench.view import NO_RAYS, camera_for_boxes, extent_of_rays

SMALLEST, LARGEST = 128, 1024
"""Limits of the width of a picture, in pixels."""
MOST_NAMES = 30
_POINTING: dict[str, Any] = {
    "effect": "read",
    "expose": "native",
    "in_order": True,
    "offered": "window",
}
"""The options of all tools here; each runs after the calls before it. A picture can be had without
a window, too.
"""
_STATES = {True: " (on)", False: " (off)"}


@tool_context(
    **_POINTING,
    brief="Select objects on the canvas by their names.",
    needs="scene",
    asks=lambda a: f"select {value_in_words(a.get('names') or 'nothing')}",
)
async def select_objects(ctx: ToolContext, names: TextList) -> str:
    """Select objects on the canvas, so that the person sees which ones are meant; an empty list
    selects none.

    Args:
        names: Names of objects, exactly as in the scene.
    """
    objects = [object_named(ctx.scene, name) for name in names]
    await ctx.run_on_document(lambda opened: opened.select(frozenset(o.key for o in objects)))
    return (
        f"Selected: {', '.join(elide_text(o.title, 60) for o in objects)}."
        if objects
        else "Nothing is selected."
    )


@tool_context(
    **_POINTING,
    brief="Light up rays, by ids or ray sets, and dim the others.",
    asks=lambda a: f"highlight {value_in_words(a.get('rays') or 'nothing')}",
)
async def highlight_rays(ctx: ToolContext, rays: TextList) -> str:
    """Light up certain rays on the canvas and dim the others, without hiding any; an empty list
    ends that.

    Args:
        rays: Ids such as r12-305, as answers list them, or ray sets of earlier answers such as R1.
    """
    chosen = _named_rays(ctx, rays)
    await ctx.run_on_document(
        lambda opened: opened.change_view(
            lambda view: dataclasses.replace(view, highlight=chosen, picked=NO_RAYS)
        )
    )
    if chosen is None:
        return "No ray is highlighted."
    return f"{ray_count_text(len(chosen))} {'is' if len(chosen) == 1 else 'are'} highlighted."


def _describe_zoom(arguments: Mapping[str, Any]) -> str:
    shown = [
        name
        for given in ("names", "rays")
        for name in coerce_to_list(arguments.get(given) or [], str)
    ]
    return f"zoom to {value_in_words(shown or 'the whole scene')}"


@tool_context(
    **_POINTING,
    brief="Show a part of the scene large: objects by names, rays; else the whole.",
    asks=_describe_zoom,
)
async def zoom_to(
    ctx: ToolContext, names: TextList | None = None, rays: TextList | None = None
) -> str:
    """
    Show a part of the scene on the canvas, large; without arguments the whole scene.

    Args:
        names: Names of objects to show.
        rays: Ids of rays, or ray sets such as R1, to show.
    """
    boxes = [
        box
        for name in names or ()
        if (box := drawn_extent(ctx.scene, object_named(ctx.scene, name))) is not None
    ]
    if (shown := _named_rays(ctx, rays or [])) is not None and len(shown):
        boxes.append(extent_of_rays(ctx.result, shown))
    if (
        not (names or rays)
        and (whole := traced_scene_extent(ctx.scene, ctx.result, hidden=ctx.document.hidden))
        is not None
    ):
        boxes.append(whole)
    if not boxes:
        raise RaybenchError("There is nothing to zoom to. Name objects that have a place, or rays.")
    camera = camera_for_boxes(boxes)
    await ctx.run_on_document(
        lambda opened: opened.change_view(lambda view: dataclasses.replace(view, camera=camera))
    )
    return (
        f"The canvas shows x {camera[0]:.6g} to {camera[0] + camera[2]:.6g}, y {camera[1]:.6g} to"
        f" {camera[1] + camera[3]:.6g}."
    )


@tool_context(
    **_POINTING,
    brief=(
        "Run an action of the window that only shows something: a panel, a colouring of the rays;"
        " without a name, list them. on: switch it on or off."
    ),
    needs="scene",
    asks=lambda a: (
        f"run the window's action {value_in_words(a['name'])}{_STATES.get(a.get('on'), '')}"
        if a.get("name")
        else "list the window's actions"
    ),
)
async def run_action(ctx: ToolContext, name: str = "", on: bool | None = None) -> str:
    """Run an action of the window's menus that only shows something: a panel, a colouring of the
    rays, the previous view.

    Without a name, lists the actions that can be run, with their titles and whether they are on. No
    action changes the scene.

    Args:
        name: Id or title of an action, as listed; empty to list them.
        on: For an action that can be on or off, which of both; without it, it is turned over.
    """
    return await ctx.run_on_document(lambda opened: opened.run_action(name, on))


@tool_context(
    **{**_POINTING, "offered": "usually"},
    brief="Take a picture of the canvas, for shapes and places; width in pixels, 128 to 1024.",
    asks=lambda a: "picture of the canvas",
)
async def look_at_canvas(ctx: ToolContext, width: int = 512) -> Any:
    """
    Take a small picture of the canvas as the person sees it, with filter and highlight.

    For shapes and positions that words do not describe; numbers come from the other tools.

    Args:
        width: Width in pixels, 128 to 1024. A larger picture costs more.
    """
    if not SMALLEST <= width <= LARGEST:
        raise RaybenchError(f"width is {width}; give a number from {SMALLEST} to {LARGEST}.")
    png = await ctx.run_on_document(lambda opened: opened.paint_canvas(width))
    view, document, visible = ctx.opened.view, ctx.document, "the whole scene"
    if view.camera is not None:
        x, y, w, h = view.camera
        visible = f"x {x:.6g} to {x + w:.6g}, y {y:.6g} to {y + h:.6g}"
    titles = [
        elide_text(o.title, 60) for o in document.scene.objects if o.key not in document.hidden
    ]
    more = len(titles) - MOST_NAMES
    about = {
        "picture": f"{width} pixels wide, revision {document.revision}",
        "visible": visible,
        "filter": view.description(document) or "none",
        "highlighted": (
            view.highlight.name or ray_count_text(len(view.highlight))
            if view.highlight is not None
            else "nothing"
        ),
        "objects": titles[:MOST_NAMES] + [f"and {grouped_digits(more)} more"] * (more > 0),
    }
    return PngImage(png, about)


def _named_rays(ctx: ToolContext, names: list[str]) -> RaySet | None:
    """The ray set of all rays with these ids, or in ray sets with these names; None if ``names`` is
    empty.
    """
    if not names:
        return None
    rows = RayPickTool(ctx.result, ctx.opened.ray_sets)._run(names)
    return RaySet(
        np.array(rows, np.int64),
        "highlighted rays",
        ctx.result.revision,
        ", ".join(dict.fromkeys(n.strip() for n in names)),
    )


def pointing_tools() -> tuple[Tool, ...]:
    """The records of these tools."""
    return tuple(
        Tool.new(f.__name__, f)
        for f in (select_objects, highlight_rays, zoom_to, run_action, look_at_canvas)
    )
