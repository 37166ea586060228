"""Built-in tools: grep, questions to a model, the agent itself."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from core.agent.tools.tool import InvalidTool, Tool
from core.agent.workers.llm_tool import SECONDS, llm_query
from core.agent.workers.worker import ABOUT_SELF
from core.errors import RaybenchError

MOST_LINES = 100
_ABOUT_GREP = (
    "{what} lines of a text that match a regular expression, whatever their case. "
    "The second argument is the text to search, not the name of a file. An empty pattern gives all lines."
)


class InvalidPattern(RaybenchError):
    """A text is not a valid regular expression."""


def grep(pattern: str, text: str) -> list[str]:
    """The lines that match, at most `MOST_LINES`. ``\\|`` separates alternatives as well as ``|``; InvalidPattern."""
    lines = text.splitlines()
    found = [line for line in lines if _matcher(pattern)(line)]
    return found[:MOST_LINES] + [f"[{len(found) - MOST_LINES} more lines match]"] * (len(found) > MOST_LINES)


def grep_n(pattern: str, text: str, context: int | None = None) -> list[dict[str, Any]]:
    """The lines that match and ``context`` lines around them, each once, with numbers from 1, at most `MOST_LINES`."""
    lines, around, matches = text.splitlines(), max(context or 0, 0), _matcher(pattern)
    hits = {i for i, line in enumerate(lines) if matches(line)}
    shown = sorted({j for i in hits for j in range(max(i - around, 0), min(i + around + 1, len(lines)))})
    found = [{"line": i + 1, "text": lines[i], "match": i in hits} for i in shown[:MOST_LINES]]
    if len(shown) > MOST_LINES:
        found.append({"line": shown[MOST_LINES] + 1, "text": f"[{len(shown) - MOST_LINES} more lines]", "match": False})
    return found


def _matcher(pattern: str) -> Callable[[str], Any]:
    try:
        return re.compile(pattern.replace(r"\|", "|"), re.IGNORECASE).search
    except re.error as error:
        raise InvalidPattern(f"The pattern {pattern!r} cannot be read: {error}.") from None


_BUILTIN: dict[str, dict[str, Any]] = {
    "builtin_grep": {
        "function": grep,
        "signature": "(pattern :string, text :string) -> [:string]",
        "description": _ABOUT_GREP.format(what="The"),
        "effect": "read",
    },
    "builtin_grep_n": {
        "function": grep_n,
        "signature": "(pattern :string, text :string, context :int?) -> [{line :int, text :string, match :bool}]",
        "description": _ABOUT_GREP.format(what="Numbered")
        + " With context, the lines around each match come along, match telling which is which.",
        "effect": "read",
    },
    "builtin_llm_query": {
        "function": llm_query,
        "type": "llm",
        "effect": "read",
        "timeout_s": SECONDS,
        "description": "Ask a model one question. Options: prompt (required), a text with {{name}} for what is given by name; "
        "signature, the type of the answer, by default :string; llm, the model to ask; response_template, a text into which the "
        "answer's fields are filled.",
    },
    "self": {
        "type": "subagent",
        "description": ABOUT_SELF,
    },
}


def builtin_tool(name: str, kind: str) -> Tool:
    """The built-in tool ``kind`` under a name; InvalidTool if there is no such kind."""
    if kind not in _BUILTIN:
        raise InvalidTool(f"{name}: there is no built-in tool {kind!r}. There are: {', '.join(_BUILTIN)}.")
    return Tool(name, **_BUILTIN[kind])


_FAMILIES = {"grep": {"grep": "builtin_grep", "grep-n": "builtin_grep_n"}, "llm-query": {"llm-query": "builtin_llm_query"}}
REPLACEABLE = frozenset(name for family in _FAMILIES.values() for name in family)
"""Names of built-in tools that a project's tools of the same name replace."""


def with_builtins(tools: tuple[Tool, ...], families: tuple[str, ...] = (), llm_query: bool = False) -> tuple[Tool, ...]:
    """The tools, followed by those of the built-in families (``grep``) whose names are not taken."""
    wanted = (*families, "llm-query") if llm_query else families
    more = {name: kind for family in wanted for name, kind in _FAMILIES.get(family, {}).items()}
    taken = {tool.name for tool in tools}
    return tools + tuple(builtin_tool(name, kind) for name, kind in more.items() if name not in taken)
