"""A tool call told in plain words: what it asks, and what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_PREDICATES: dict[str, tuple[str, str]] = {
    "find_rays_inside_glass_xml": ("is inside {glass_name}", "are inside {glass_name}"),
    "find_rays_crossing_edge_xml": ("crosses edge {edge_label} of {glass_name}", "cross edge {edge_label} of {glass_name}"),
    "find_rays_by_angle_to_edge_xml": (
        "meets edge {edge_label} of {glass_name} at {min_angle}° to {max_angle}° from its normal",
        "meet edge {edge_label} of {glass_name} at {min_angle}° to {max_angle}° from its normal",
    ),
    "find_rays_by_polarization_xml": (
        "has a degree of polarization of {min_dop} to {max_dop}",
        "have a degree of polarization of {min_dop} to {max_dop}",
    ),
}
"""What is said of one ray and of several; arguments are filled in."""


def question(tool: str, arguments: Mapping[str, Any]) -> str:
    """What a call asks, such as ``rays that are inside Main Prism``."""
    filled = _filled(tool, arguments)
    if filled:
        return f"rays that {filled[1]}"
    words = tool.removesuffix("_xml").replace("_", " ")
    given = ", ".join(f"{k.replace('_', ' ')} {_value(v)}" for k, v in arguments.items())
    return f"{words}: {given}" if given else words


def finding(tool: str, arguments: Mapping[str, Any], count: int, name: str = "") -> str:
    """What came of a call, such as ``25 rays are inside Main Prism (R1).``."""
    filled = _filled(tool, arguments)
    label = f" ({name})" if name else ""
    if not filled:
        return f"{capitalized(question(tool, arguments))}: {rays_counted(count)}{label}."
    if count == 0:
        return f"No ray {filled[0]}."
    return f"{rays_counted(count)} {filled[0] if count == 1 else filled[1]}{label}."


def rays_counted(count: int) -> str:
    return "1 ray" if count == 1 else f"{count:,} rays".replace(",", " ")


def capitalized(text: str) -> str:
    return text[:1].upper() + text[1:]


def _filled(tool: str, arguments: Mapping[str, Any]) -> tuple[str, str] | None:
    """The predicate with the arguments in it; None for a tool that has none, or arguments that do not fill it."""
    if tool not in _PREDICATES:
        return None
    texts = {k: _value(v) for k, v in arguments.items()}
    try:
        one, many = _PREDICATES[tool]
        return one.format(**texts), many.format(**texts)
    except KeyError:
        return None


def _value(value: Any) -> str:
    text = f"{value:g}" if isinstance(value, float) else str(value)
    return text if len(text) <= 60 else text[:59] + "…"
