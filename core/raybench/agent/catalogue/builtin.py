"""The built-in tools: grep, a question to a model, and the agent itself as a tool."""

import time
from collections.abc import Callable
from typing import Any

from raybench.agent.tools.tool import InvalidTool, Tool
from raybench.agent.workers.llm_tool import TIME_LIMIT, llm_query
from raybench.agent.workers.worker import ABOUT_SELF
from raybench.errors import RaybenchError, elide_text, short_repr

MOST_LINES = 100
LONGEST_LINE = 100_000
"""Maximum length in characters of a line that is searched."""
MOST_PATTERN_BYTES = 512 << 10
"""Maximum bytes of a compiled pattern; the time per character grows with it."""
SEARCH_SECONDS = 5.0
"""Time limit of a search, checked after each line."""
_ABOUT_GREP = (
    "{what} lines of a text that match a regular expression, whatever their case. The second"
    " argument is the text to search, not the name of a file. An empty pattern gives all lines."
    " Patterns are RE2's: without look-around and back-references."
)


class InvalidPattern(RaybenchError):
    """A text is not a valid regular expression."""


class SearchTooLong(RaybenchError):
    """A text is too long, or a search takes too much time."""


def matching_text_lines(pattern: str, text: str) -> list[str]:
    r"""The lines that match, at most `MOST_LINES`. Both ``\|`` and ``|`` separate alternatives.

    Raises InvalidPattern for an invalid pattern, SearchTooLong for a line or a search that is too
    long.
    """
    lines = text.splitlines()
    found = [lines[i] for i in _matching_line_indices(pattern, lines)]
    return found[:MOST_LINES] + [f"[{len(found) - MOST_LINES} more lines match]"] * (
        len(found) > MOST_LINES
    )


def grep_n(pattern: str, text: str, context: int | None = None) -> list[dict[str, Any]]:
    """The lines that match, and ``context`` lines around each, without repetitions, numbered from
    1; at most `MOST_LINES`.

    Raises the errors of `matching_text_lines`, and RaybenchError for a negative ``context``.
    """
    around = context or 0
    if around < 0:
        raise RaybenchError(f"context is {around}; give how many lines around each match, from 0.")
    lines, shown, end = text.splitlines(), list[int](), 0
    hits = dict.fromkeys(_matching_line_indices(pattern, lines))
    for i in hits:  # in order: each line is taken once, however many matches are near it
        start, end = max(i - around, end), min(i + around + 1, len(lines))
        shown += range(start, end)
    found = [{"line": i + 1, "text": lines[i], "match": i in hits} for i in shown[:MOST_LINES]]
    if len(shown) > MOST_LINES:
        found.append(
            {
                "line": shown[MOST_LINES] + 1,
                "text": f"[{len(shown) - MOST_LINES} more lines]",
                "match": False,
            }
        )
    return found


def _matching_line_indices(pattern: str, lines: list[str]) -> list[int]:
    """The indices of the lines that match a pattern. RE2 is used: its time is linear in the length
    of a line, and it does not block other threads.
    """
    if (longest := max(map(len, lines), default=0)) > LONGEST_LINE:
        raise SearchTooLong(
            f"The text has a line of {longest} characters; at most {LONGEST_LINE} are searched."
            " Search a part of it."
        )
    matches, end, found = _compile_pattern(pattern), time.monotonic() + SEARCH_SECONDS, []
    for i, line in enumerate(lines):
        if matches(line.encode("utf-8", "replace")):
            found.append(i)
        if time.monotonic() > end:
            raise SearchTooLong(
                f"The search took longer than {SEARCH_SECONDS:g} s. Simplify the pattern, or search"
                " a part of the text."
            )
    return found


def _compile_pattern(pattern: str) -> Callable[[bytes], object]:
    import re2

    options = re2.Options()
    options.case_sensitive, options.never_capture, options.log_errors, options.max_mem = (
        False,
        True,
        False,
        MOST_PATTERN_BYTES,
    )
    try:
        search: Callable[[bytes], object] = re2.compile(
            pattern.replace(r"\|", "|").encode("utf-8", "replace"), options
        ).search
    except re2.error as error:
        (why,) = error.args
        why = why.decode("utf-8", "replace") if isinstance(why, bytes) else str(why)
        raise InvalidPattern(
            f"The pattern {short_repr(pattern)} cannot be read: {elide_text(why, 80)}."
        ) from None
    return search


_BUILTIN: dict[str, dict[str, Any]] = {
    "builtin_grep": {
        "brief": "The lines of a text that match a regular expression.",
        "function": matching_text_lines,
        "signature": "(pattern :string, text :string) -> [:string]",
        "description": _ABOUT_GREP.format(what="The"),
        "effect": "read",
        "needs": "nothing",
    },
    "builtin_grep_n": {
        "brief": "They and their numbers, as well as lines around them.",
        "function": grep_n,
        "signature": (
            "(pattern :string, text :string, context :int?) -> [{line :int, text :string, match"
            " :bool}]"
        ),
        "description": (
            _ABOUT_GREP.format(what="Numbered")
            + " With context, the lines around each match are included; the field match"
            " distinguishes them."
        ),
        "effect": "read",
        "needs": "nothing",
    },
    "builtin_llm_query": {
        "brief": "Ask a model: prompt, a text with {{name}} for what is given by name.",
        "function": llm_query,
        "type": "llm",
        "effect": "read",
        "needs": "nothing",
        "timeout_s": TIME_LIMIT,
        "description": (
            "Ask a model one question. Options: prompt (required), a text with {{name}} for what is"
            " given by name; signature, the type of the answer, by default :string; llm, the model"
            " to ask; response_template, a text into which the answer's fields are filled."
        ),
    },
    "self": {
        "type": "subagent",
        "description": ABOUT_SELF,
    },
}


def builtin_tool(name: str, kind: str) -> Tool:
    """The built-in tool of the given ``kind``, under the given name. Raises InvalidTool if there is
    no such kind.
    """
    if kind not in _BUILTIN:
        raise InvalidTool(
            f"{name}: there is no built-in tool {kind!r}. There are: {', '.join(_BUILTIN)}."
        )
    return Tool(name, **_BUILTIN[kind])


REPLACEABLE = {
    "grep": "builtin_grep",
    "grep-n": "builtin_grep_n",
    "llm-query": "builtin_llm_query",
}
"""The built-in tools of every conversation, for programs, with their kinds. A project's tools of
the same name replace them.
"""
