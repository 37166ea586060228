"""The tool ``object_kinds``, which lists the kinds of objects that can be added to a scene, and
their fields.
"""

import json
from typing import Any

from raybench.agent.call.context import ToolContext, tool_context
from raybench.analysis.answers.words import value_in_words
from raybench.kinds.fields import Field, settable_fields, unit_text
from raybench.kinds.kinds import KINDS, ROWS, kind_summary
from raybench.kinds.object import SceneObject
from raybench.scene.changes.objects import example_object
from raybench.scene.changes.values import InvalidValue, unknown_kind_text
from raybench.scene.codec import field_to_json, object_to_json
from raybench.schema.json_values import TextList

_ONLY_DRAWN = ("name", "locked")


@tool_context(
    offered="on demand",
    effect="read",
    expose="both",
    asks=lambda a: (
        f"how to add {value_in_words(a['kinds'])}" if a.get("kinds") else "kinds of objects"
    ),
    needs="nothing",
)
def object_kinds(ctx: ToolContext, kinds: TextList | None = None) -> dict[str, dict[str, Any]]:
    """List the kinds of objects that can be added to a scene or, for given kinds, the fields with
    units and defaults and an example to add.

    Args:
        kinds: Such as ["SphericalLens", "Detector"]; without it all kinds by family, and what each
            is.
    """
    if kinds:
        return {name: _describe_kind(name, ctx.document.unit) for name in kinds}
    families: dict[str, dict[str, Any]] = {}
    for row in ROWS:
        if row.family:
            families.setdefault(row.family, {})[row.kind.__name__] = kind_summary(row.kind)
    return families


def _describe_kind(name: str, unit: str) -> dict[str, Any]:
    if name not in KINDS:
        raise InvalidValue(unknown_kind_text(name))
    kind, example = KINDS[name], example_object(name)
    fields = {
        f.json_name: _describe_field(f, unit, kind)
        for f in settable_fields(kind)
        if not f.about.unused and f.name not in _ONLY_DRAWN
    }
    about: dict[str, Any] = {"is": kind_summary(kind), "fields": fields}
    return about if example is None else about | {"example": {"add": object_to_json(example)}}


def _describe_field(field: Field, unit: str, kind: type[SceneObject]) -> str:
    """A field in one line: its title, unit, choices or range, help, and default value."""
    about = field.about
    low, high = about.low, about.high
    bounds = (
        ""
        if low is None and high is None
        else f"{'' if low is None else f'{low:g}'} to {'' if high is None else f'{high:g}'}".strip()
    )
    default = (
        ""
        if field in getattr(kind, "powers", ())
        else "needed"
        if field.is_required
        else f"default {json.dumps(field_to_json(field, field.default))}"
    )
    parts = [
        about.label,
        unit_text(about.unit, unit),
        " or ".join(about.choices),
        bounds,
        about.help.rstrip("."),
        default,
    ]
    return "; ".join(part for part in parts if part)
