"""A tool call told in plain words: what it asks, and what came of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from core.errors import one_line

_WORDS: dict[str, tuple[str, str, str]] = {
    "find_rays_inside_glass_xml": ("inside {glass_name}", "is inside {glass_name}", "are inside {glass_name}"),
    "find_rays_crossing_edge_xml": (
        "crossing edge {edge_label} of {glass_name}",
        "crosses edge {edge_label} of {glass_name}",
        "cross edge {edge_label} of {glass_name}",
    ),
    "find_rays_by_angle_to_edge_xml": (
        "at {min_angle}° to {max_angle}° to edge {edge_label} of {glass_name}",
        "meets edge {edge_label} of {glass_name} at {min_angle}° to {max_angle}° from its normal",
        "meet edge {edge_label} of {glass_name} at {min_angle}° to {max_angle}° from its normal",
    ),
    "find_rays_by_polarization_xml": (
        "polarized by {min_dop} to {max_dop}",
        "has a degree of polarization of {min_dop} to {max_dop}",
        "have a degree of polarization of {min_dop} to {max_dop}",
    ),
    "rank_paths_by_energy_xml": (
        "on the {top_n} strongest paths",
        "is on the {top_n} strongest paths",
        "are on the {top_n} strongest paths",
    ),
    "find_paths_xml": ("following {pattern}", "follows {pattern}", "are on paths that follow {pattern}"),
    "find_bright_paths_through_edge_xml": (
        "on paths through edge {edge_label} of {glass_name} that end with {min_energy} or more",
        "is on a path through edge {edge_label} of {glass_name} that ends with {min_energy} or more",
        "are on paths through edge {edge_label} of {glass_name} that end with {min_energy} or more",
    ),
    "find_ghosts_xml": (
        "on ghost paths to {object_name}",
        "is on a ghost path to {object_name}",
        "are on ghost paths to {object_name}",
    ),
    "ray_path_xml": ("on the path of {ray_id}", "is on the path of {ray_id}", "are on the path of {ray_id}"),
    "check_energy_conservation_xml": (
        "at which power is not conserved",
        "gives on more power than it brings",
        "give on more power than they bring",
    ),
    "detect_tir_traps_xml": (
        "in chains of {min_tir_count} or more total reflections",
        "is in a chain of {min_tir_count} or more total reflections",
        "are in chains of {min_tir_count} or more total reflections",
    ),
}
"""What rays are looked for, and what is then said of one and of several; arguments are filled in."""


def _range(a: Mapping[str, Any]) -> str:
    bounds = {"at_least": "≥", "above": ">", "at_most": "≤", "below": "<"}
    said = " and ".join(f"{sign} {_value(a[name])}" for name, sign in bounds.items() if a.get(name) is not None)
    return f"{'hide' if a.get('exclude') else 'show'} rays of {a.get('quantity', 'a quantity')} {said}".rstrip()


def _sources(a: Mapping[str, Any]) -> str:
    said = [f"{how} {_value(a[name])}" for name, how in (("sources", "from"), ("objects", "at")) if a.get(name)]
    return f"{'hide' if a.get('exclude') else 'show'} rays {' or '.join(said)}".rstrip()


def _program(a: Mapping[str, Any]) -> str:
    lines = len(str(a.get("code", "")).splitlines())
    return "program of 1 line" if lines == 1 else f"program of {lines} lines"


def _total_reflection(a: Mapping[str, Any]) -> str:
    where = f" at edge {_value(a['edge_label'])}" if a.get("edge_label") else ""
    return f"total reflection inside {_value(a.get('glass_name', 'a glass'))}{where}"


_PHRASES: dict[str, Callable[[Mapping[str, Any]], str]] = {
    "range_filter": _range,
    "source_filter": _sources,
    "pick_rays": lambda a: f"show only {_value(a.get('rays') or 'rays')}",
    "clear_filter": lambda a: "show all rays",
    "run_program": _program,
    "search_help": lambda a: f"help: {_value(a.get('query') or 'nothing')}",
    "system_stats": lambda a: "how the program is doing",
    "describe_scene_xml": lambda a: "what is in the scene",
    "describe_edges_xml": lambda a: f"edges of {_value(a.get('object_name') or 'all glasses and mirrors')}",
    "fresnel_xml": lambda a: f"reflection from n {_value(a.get('n1'))} to n {_value(a.get('n2'))} at {_value(a.get('angle'))}°",
    "tir_analysis_xml": _total_reflection,
    "detector_xml": lambda a: f"light at {_value(a.get('detector_name') or 'all detectors')}",
    "focus_xml": lambda a: f"focus of the light behind {_value(a.get('object_name', 'an object'))}",
    "query_rays_xml": lambda a: f"SQL {_value(' '.join(str(a.get('sql', '')).split()))}",
}
"""What other calls do, in words."""


def question(tool: str, arguments: Mapping[str, Any]) -> str:
    """What a call asks for, such as ``rays inside Main Prism``."""
    filled = _filled(tool, arguments)
    if filled:
        return f"rays {filled[0]}"
    if tool in _PHRASES:
        return _PHRASES[tool](arguments)
    words = tool.removesuffix("_xml").replace("_", " ")
    said = {k: v for k, v in arguments.items() if v is not None and v is not False}
    if len(said) == 1 and isinstance(only := next(iter(said.values())), str):
        return f"{words}: {_value(only)}"
    given = ", ".join(f"{k.replace('_', ' ')} {_value(v)}" for k, v in said.items())
    return f"{words}: {given}" if given else words


def finding(tool: str, arguments: Mapping[str, Any], count: int, name: str = "") -> str:
    """What came of a call, such as ``25 rays are inside Main Prism (R1).``"""
    filled = _filled(tool, arguments)
    label = f" ({name})" if name else ""
    if not filled:
        return f"{capitalized(question(tool, arguments))}: {rays_counted(count)}{label}."
    if count == 0:
        return f"No ray {filled[1]}."
    return f"{rays_counted(count)} {filled[1] if count == 1 else filled[2]}{label}."


def rays_counted(count: int) -> str:
    return "1 ray" if count == 1 else f"{counted(count)} rays"


def counted(count: int) -> str:
    return f"{count:,}".replace(",", " ")


def capitalized(text: str) -> str:
    return text[:1].upper() + text[1:]


def _filled(tool: str, arguments: Mapping[str, Any]) -> tuple[str, ...] | None:
    """The words for a tool with the arguments in them; None for a tool that has none, or arguments that do not fill them."""
    texts = {k: _value(v) for k, v in arguments.items()}
    try:
        return tuple(words.format(**texts) for words in _WORDS[tool])
    except KeyError:
        return None


def _value(value: Any) -> str:
    if isinstance(value, list | tuple):
        return _value(", ".join(map(_value, value)))
    text = f"{value:g}" if isinstance(value, float) else one_line(" ".join(str(value)[:400].split()))
    return text if len(text) <= 60 else text[:59] + "…"
