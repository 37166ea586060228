"""The tool ``list_presets``, which lists objects that can be added by their data, such as a lens by
its focal length.
"""

from typing import Any

from raybench.agent.call.call import canonical_value
from raybench.agent.call.context import ToolContext, tool_context
from raybench.kinds.fields import LENGTH, described_fields
from raybench.presets import PRESETS
from raybench.presets.preset import Preset


@tool_context(
    offered="on demand",
    effect="read",
    expose="both",
    asks=lambda a: "presets of lenses, prisms and systems",
    needs="nothing",
)
def list_presets(ctx: ToolContext) -> list[dict[str, Any]]:
    """List the presets: lenses, prisms and small systems that change_scene adds from data such as
    a focal length and a glass.

    {"preset": "BiconvexLens", "focalLength": 80, "at": {"x": 0, "y": 0}} adds one, with defaults
    for what is not given; at angle 0 light comes from the left. A number without another of the
    units is a length in the document's unit.
    """
    return [_preset_record(name, kind) for name, kind in PRESETS.items()]


def _preset_record(name: str, kind: type[Preset]) -> dict[str, Any]:
    fields = described_fields(kind)
    numbers = [f for f in fields if f.about.kind == "number" and f.about.unit != LENGTH]
    about: dict[str, Any] = {
        "preset": name,
        "is": kind.summary,
        "fields": {f.json_name: canonical_value(f.default) for f in fields},
    }
    units = {f.json_name: f.about.unit or "1" for f in numbers}
    return about | ({"units": units} if units else {})
