"""``search_help``: what the guides that ship, and the tools' own descriptions, say about a question."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files

from core.agent.call.context import ToolContext, tool_context
from core.agent.tools.exposure import exposed
from core.agent.tools.tool import Tool
from core.errors import RaybenchError

MOST = 10
"""Passages that one search gives at most."""
TITLE_WEIGHT = 3
"""How many times a word counts that stands in a passage's title."""
SATURATION, LENGTH_WEIGHT = 1.2, 0.75
"""Robertson and Spärck Jones' k1 and b: how soon more of the same word adds nothing, and how much a passage's length counts."""
_COMMON = frozenset(
    re.findall(
        r"\w+",
        "a about all an and are as at be by can could do does for from get give has have help how i if in is it its me my not of on or "
        "please show so that the their them then there these they this to us use used using was way we what when where which who why will "
        "with would you your ",
    )
)
"""Words that stand in questions whatever they are about."""


@dataclass(frozen=True)
class Passage:
    """A piece of help; its ``title`` says where it stands."""

    title: str
    text: str

    @cached_property
    def words(self) -> Counter[str]:
        """How often each word stands in it, those of the title with their weight."""
        counted = Counter(words(self.text))
        for word in words(self.title):
            counted[word] += TITLE_WEIGHT
        return counted


@tool_context
def search_help(ctx: ToolContext, query: str, limit: int = 3) -> str:
    """Search the guides to Raybench and the descriptions of its tools.

    For questions about the program, not about the light: how something is done in the window or on the command line, file formats, units
    and labels, path patterns, SQL tables, projects, tools and workers.

    Args:
        query: What to look for, in words.
        limit: How many passages, 1 to 10.
    """
    if not 1 <= limit <= MOST:
        raise RaybenchError(f"limit is {limit}; give a whole number from 1 to {MOST}.")
    if not query.strip():
        raise RaybenchError("query is empty. Say in words what to look for.")
    tools = [t for t in (*exposed(ctx.registry.tools, "native"), *exposed(ctx.registry.tools, "program")) if t.description]
    found = nearest(query, (*guides(), *dict.fromkeys(map(tool_passage, tools))), limit)
    if not found:
        there = "; ".join(passage.title for passage in guides())
        return f"The guides say nothing about “{' '.join(query.split())[:100]}”. They tell of: {there}."
    return "\n\n".join(f"**{passage.title}**\n\n{passage.text}" for passage in found)


@cache
def guides() -> tuple[Passage, ...]:
    """The sections of the guides that ship, such as ``Window: Undo and redo``."""
    there = sorted((f for f in files("resources").joinpath("help").iterdir() if f.name.endswith(".md")), key=lambda f: f.name)
    return tuple(passage for f in there for passage in _sections(f.read_text(encoding="utf-8")))


def _sections(guide: str) -> Iterable[Passage]:
    head, *sections = re.split(r"^## ", guide, flags=re.MULTILINE)
    for section in sections:
        title, _, text = section.partition("\n")
        yield Passage(f"{head.strip().removeprefix('# ')}: {title.strip()}", _unwrapped(text))


def tool_passage(tool: Tool) -> Passage:
    """What a tool says of itself, and how it is called."""
    return Passage(f"Tool: {tool.name}", f"{_unwrapped(tool.description or '')}\n\nAs a command: `/{tool.usage}`")


def _unwrapped(text: str) -> str:
    """A text with every paragraph in one line, for whoever shows it breaks lines by himself; items of a list keep theirs."""
    return re.sub(r"(?<!\n)\n(?!\n|- )", " ", text.strip())


def nearest(query: str, passages: Sequence[Passage], limit: int) -> tuple[Passage, ...]:
    """The passages that share the most telling words with a query, best first, by Robertson and Spärck Jones' BM25."""
    asked = set(words(query))
    holding = Counter(word for passage in passages for word in asked & passage.words.keys())
    average = sum(p.words.total() for p in passages) / max(len(passages), 1)

    def score(passage: Passage) -> float:
        scale = SATURATION * (1 - LENGTH_WEIGHT + LENGTH_WEIGHT * passage.words.total() / average)
        return sum(
            math.log(1 + (len(passages) - holding[word] + 0.5) / (holding[word] + 0.5)) * count * (SATURATION + 1) / (count + scale)
            for word in asked
            if (count := passage.words[word])
        )

    ranked = sorted(((score(p), p) for p in passages), key=lambda found: -found[0])
    return tuple(passage for value, passage in ranked[:limit] if value > 0)


def words(text: str) -> list[str]:
    """The words of a text that tell something, without their endings: ``Filters of rays`` gives filter, ray."""
    return [_stem(word) for word in re.findall(r"[a-z0-9]+", text.lower().replace("polaris", "polariz")) if word not in _COMMON]


def _stem(word: str) -> str:
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word.removesuffix(ending)
            break
    return word.removesuffix("e") if len(word) > 3 else word
