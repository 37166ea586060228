"""What a tool call asks for, in plain words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from core.analysis.answers.words import in_words
from core.analysis.tools.discovery import tools


def _range(a: Mapping[str, Any]) -> str:
    bounds = {"at_least": "≥", "above": ">", "at_most": "≤", "below": "<"}
    conditions = " and ".join(f"{sign} {in_words(a[name])}" for name, sign in bounds.items() if a.get(name) is not None)
    return f"{'hide' if a.get('exclude') else 'show'} rays of {a.get('quantity', 'a quantity')} {conditions}".rstrip()


def _sources(a: Mapping[str, Any]) -> str:
    conditions = [f"{how} {in_words(a[name])}" for name, how in (("sources", "from"), ("objects", "at")) if a.get(name)]
    return f"{'hide' if a.get('exclude') else 'show'} rays {' or '.join(conditions)}".rstrip()


def _program(a: Mapping[str, Any]) -> str:
    lines = len(str(a.get("code", "")).splitlines())
    return "program of 1 line" if lines == 1 else f"program of {lines} lines"


def _changes(a: Mapping[str, Any]) -> str:
    """The verbs of changes and what they apply to: ``rotate Main Prism, set Main Prism``."""
    changes = a.get("changes")
    said = []
    for change in changes if isinstance(changes, list | tuple) else ():
        verb, target = next(iter(change.items()), ("", "")) if isinstance(change, Mapping) else ("", "")
        what = target.get("type", "") if isinstance(target, Mapping) else in_words(target) if isinstance(target, str | list) else ""
        said.append(f"{verb} {what}".strip())
    return ", ".join(said[:3]) + (f" and {len(said) - 3} more" if len(said) > 3 else "") or "nothing"


def _listed(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def _glass(a: Mapping[str, Any]) -> str:
    wanted = [a["name"]] if a.get("name") else [f"{key} {in_words(a[key])}" for key in ("n_d", "v_d") if a.get(key) is not None]
    return f"find glass {' and '.join([*wanted, *filter(None, [a.get('family')])])}".rstrip()


PHRASES: dict[str, Callable[[Mapping[str, Any]], str]] = {
    "range_filter": _range,
    "source_filter": _sources,
    "pick_rays": lambda a: f"show only {in_words(a.get('rays') or 'rays')}",
    "clear_filter": lambda a: "show all rays",
    "run_program": _program,
    "change_scene": lambda a: _changes(a),
    "what_if": lambda a: f"what if: {_changes(a)}; {in_words(a.get('measures') or 'no measure')}",
    "read_objects": lambda a: f"fields of {in_words(a.get('names') or 'nothing')}",
    "compare": lambda a: f"what has changed since revision {a.get('revision', '?')}",
    "undo_edits": lambda a: "undo the changes of this turn",
    "redo_edits": lambda a: "make the undone changes again",
    "sweep": lambda a: f"sweep {_listed(a['axes'])}: {a['measures']}",
    "optimise": lambda a: f"optimise {_listed(a['goals'])} by {_listed(a['vary'])}",
    "tolerance": lambda a: f"tolerance of {_listed(a['measures'])} to {_listed(a['vary'])}",
    "find_glass": _glass,
    "object_kinds": lambda a: f"how to add {in_words(a['kinds'])}" if a.get("kinds") else "kinds of objects",
    "list_presets": lambda a: "presets of lenses, prisms and systems",
    "select_objects": lambda a: f"select {in_words(a.get('names') or 'nothing')}",
    "highlight_rays": lambda a: f"highlight {in_words(a.get('rays') or 'nothing')}",
    "zoom_to": lambda a: f"zoom to {in_words([*(a.get('names') or ()), *(a.get('rays') or ())] or 'the whole scene')}",
    "look_at_canvas": lambda a: "picture of the canvas",
    "web_search": lambda a: f"web search: {in_words(a.get('query') or 'nothing')}",
    "search_help": lambda a: f"help: {in_words(a.get('query') or 'nothing')}",
    "system_stats": lambda a: "how the program is doing",
}
"""The words of tools that are not in the table of `core.analysis.tools`."""


def question(tool: str, arguments: Mapping[str, Any]) -> str:
    """What a call asks for, such as ``rays inside Main Prism``."""
    try:
        if tool in PHRASES:
            return PHRASES[tool](arguments)
        if tool in tools():
            return tools()[tool].question(arguments)
    except (KeyError, TypeError, AttributeError):  # an argument is missing or of another type; the call itself will report that
        pass
    words = tool.removesuffix("_xml").replace("_", " ")
    given = {k: v for k, v in arguments.items() if v is not None and v is not False}
    if len(given) == 1 and isinstance(only := next(iter(given.values())), str):
        return f"{words}: {in_words(only)}"
    listed = ", ".join(f"{k.replace('_', ' ')} {in_words(v)}" for k, v in given.items())
    return f"{words}: {listed}" if listed else words
