"""``list_presets``: what changes can add by its data, such as a lens by its focal length."""

from __future__ import annotations

from typing import Any

from core.agent.call.context import ToolContext, tool_context
from core.kinds.fields import LENGTH, fields_of
from core.presets.presets import PRESETS


@tool_context
def list_presets(ctx: ToolContext) -> list[dict[str, Any]]:
    """
    List the presets: lenses, prisms and small systems that change_scene adds from data such as a focal length and a glass.

    {"preset": "BiconvexLens", "focalLength": 80, "at": {"x": 0, "y": 0}} adds one, with defaults for what is not given; at angle 0 light
    comes from the left.
    """
    unit = ctx.document.unit
    return [
        {
            "preset": name,
            "is": kind.summary,
            "fields": {f.json_name: f.default for f in fields_of(kind)},
            "units": {f.json_name: unit if f.about.unit == LENGTH else f.about.unit for f in fields_of(kind) if f.about.unit},
        }
        for name, kind in PRESETS.items()
    ]
