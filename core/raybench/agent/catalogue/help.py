"""The tool ``search_help``: full-text search in the guides and in the descriptions of tools."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files

from raybench.agent.call.context import ToolContext, tool_context
from raybench.agent.tools.exposure import exposed_tools
from raybench.agent.tools.tool import Tool
from raybench.analysis.answers.page import PAGE_PARAMETERS
from raybench.analysis.answers.words import value_in_words
from raybench.analysis.measures.table import help_page as measures
from raybench.errors import RaybenchError
from raybench.files import examples
from raybench.kinds.guide import help_page as objects

MOST_PASSAGES = 10
"""Maximum number of passages per search."""
USUAL, PAGE = 3, 2_400
"""Number of passages without a limit, and the characters up to which they are shown whole (the
first always); others are only named.
"""
TITLE_WEIGHT = 3
"""Weight of a word in a passage's title."""
GUIDE_WEIGHT = 1.5
"""Weight of the guides to the window and to limits, for questions about how something is done."""
_WINDOW_GUIDES = ("Window: ", "Not possible: ")
_OBJECTS = "Objects: "
_REFERENCE = ("Tools: ", _OBJECTS)
"""The guides that are reference lists. `search_help` omits them: tools are passages of their own,
and fields, which the tool object_kinds lists, share the words of every subject. What a kind of
object is, is asked as "What is a beam splitter?".
"""
_DEFINES = re.compile(r"\s*(?:what is|what's|define|explain) an? ", re.IGNORECASE)
_HOW = re.compile(r"\s*(?:please\s+)?(?:how|where|can|could)\b", re.IGNORECASE)
TOOL_WEIGHT = 0.85
"""Weight of the description of a tool, relative to a section of a guide."""
SATURATION, LENGTH_WEIGHT = 1.2, 0.75
"""The parameters k1 (saturation of term frequency) and b (length normalisation) of BM25, by
Robertson and Spärck Jones.
"""
_COMMON = frozenset(
    re.findall(
        r"\w+",
        "a about all an and are as at be by can could do does for from get give has have help how i"
        " if in is it its me my not of on or please show so that the their them then there these"
        " they this to us use used using was way we what when where which who why will with would"
        " you your ",
    )
)
"""Stop words."""


@dataclass(frozen=True)
class Passage:
    """A text that a search can find: a section of a guide, or the description of a tool. ``title``
    names guide and section.
    """

    title: str
    text: str
    weight: float = 1.0

    @cached_property
    def word_counts(self) -> Counter[str]:
        """How often each stemmed word occurs; words of the title have more weight."""
        counted = Counter(stemmed_words(self.text))
        for word in stemmed_words(self.title):
            counted[word] += TITLE_WEIGHT
        return counted


@tool_context(
    offered="always",
    brief=(
        "Search the guides of Raybench: how something is done in the program, and whether it is "
        "possible. With tools_only it finds tools and measures that you need, and defines them."
    ),
    effect="read",
    expose="both",
    asks=lambda a: f"help: {value_in_words(a.get('query') or 'nothing')}",
    needs="nothing",
)
def search_help(
    ctx: ToolContext, query: str, limit: int | None = None, tools_only: bool = False
) -> str:
    """Search the guides to Raybench and the descriptions of its tools.

    For questions about the program, not about the light: how something is done in the window or on
    the command line, file formats, units and labels, path patterns, SQL tables, projects, tools and
    workers; and whether something is possible at all.

    Args:
        query: What to look for, in words.
        limit: How many passages, 1 to 10; without it up to 3, as many as fit on a page.
        tools_only: Only tools and single measures, as many as fit on a page.
    """
    if limit is not None and not 1 <= limit <= MOST_PASSAGES:
        raise RaybenchError(f"limit is {limit}; give a whole number from 1 to {MOST_PASSAGES}.")
    if not query.strip():
        raise RaybenchError("query is empty. Say in words what to look for.")
    tools = [
        t
        for t in (
            *exposed_tools(ctx.tools, "native"),
            *exposed_tools(ctx.tools, "program"),
        )
        if t.description
    ]
    defines = _DEFINES.match(query)
    kinds = [p for p in guide_sections() if p.title.startswith(_OBJECTS)] if defines else []
    preferred = (
        [p for p in guide_sections() if p.title.startswith(_WINDOW_GUIDES)]
        if _HOW.match(query)
        else kinds
    )
    about_tools = tuple(dict.fromkeys(map(tool_help_passage, tools)))
    passages = (
        (*about_tools, *measure_passages())
        if tools_only
        else (*searchable_passages(), *kinds, *about_tools)
    )
    words, most = re.findall(r"[\w-]+", query), limit or (MOST_PASSAGES if tools_only else USUAL)
    named = [p for p in about_tools if p.title.removeprefix("Tool: ") in words]
    defined = query[defines.end() :].strip(" ?.!").casefold() if defines else ""
    named += [p for p in kinds if p.title.removeprefix(_OBJECTS).casefold() == defined]
    found = best_passages(query, passages, most, preferred)
    found = (*named, *(p for p in found if p not in named))[:most]
    if not found:
        topics = "; ".join(passage.title for passage in searchable_passages())
        return f"No guide mentions “{' '.join(query.split())[:100]}”. Sections: {topics}."
    unknown = [
        f"“{word}”"
        for word in dict.fromkeys(re.findall(r"[a-z0-9]+", query.lower()))
        if stemmed_words(word)  # no stop word
        and not any(
            stemmed_words(word)[0] in passage.word_counts
            for passage in (*passages, *guide_sections())
        )
    ]
    doubt = (
        f"No guide and no tool has the word {' or '.join(unknown)}; the nearest:\n\n"
        if unknown
        else ""
    )
    texts = [f"**{passage.title}**\n\n{passage.text}" for passage in found]
    fit = next(
        n
        for n in range(len(texts), 0, -1)
        if limit or n == 1 or len(doubt + "\n\n".join(texts[:n])) <= PAGE
    )
    more = "; ".join(passage.title for passage in found[fit:])
    return doubt + "\n\n".join([*texts[:fit], *([f"Also: {more}."] if more else [])])


@cache
def searchable_passages() -> tuple[Passage, ...]:
    """The passages in which `search_help` searches."""
    return tuple(p for p in guide_sections() if not p.title.startswith(_REFERENCE))


@cache
def measure_passages() -> tuple[Passage, ...]:
    """A passage for each measure, with the title of its family."""
    return tuple(
        Passage(passage.title, item, TOOL_WEIGHT)
        for passage in guide_sections()
        if passage.title.startswith("Measures: ")
        for item in passage.text.split("\n")
        if item.startswith("- `")
    )


@cache
def guide_sections() -> tuple[Passage, ...]:
    """The sections of all guides, with titles such as ``Window: Undo and redo``."""
    pages = guide_pages()
    return tuple(passage for name in sorted(pages) for passage in page_sections(pages[name]))


def guide_pages() -> dict[str, str]:
    """The guides by file name: pages that ship with the program, and pages generated from the
    tables of examples, kinds and measures.
    """
    folder = files("raybench_resources").joinpath("help")
    pages = {
        f.name: f.read_text(encoding="utf-8") for f in folder.iterdir() if f.name.endswith(".md")
    }
    return pages | {
        "examples.md": examples.help_page(),
        "measures.md": measures(),
        "objects.md": objects(),
    }


def page_sections(guide: str) -> Iterable[Passage]:
    """Split a page into sections. The title of a section begins with the title of the page."""
    head, *page_sections = re.split(r"^## ", guide, flags=re.MULTILINE)
    for section in page_sections:
        title, _, text = section.partition("\n")
        yield Passage(
            f"{head.strip().removeprefix('# ')}: {title.strip()}", _join_paragraph_lines(text)
        )


def tool_help_passage(tool: Tool) -> Passage:
    """The passage about a tool: description, syntax of its slash command, and parameters."""
    parameters = [
        f"- {name}: {' '.join(about['description'].split())}"
        for name, about in tool.input_schema["properties"].items()
        if about.get("description") and name not in PAGE_PARAMETERS
    ]
    parts = [
        _join_paragraph_lines(tool.description or ""),
        f"As a command: `/{tool.usage}`",
        "\n".join(parameters),
    ]
    return Passage(f"Tool: {tool.name}", "\n\n".join(filter(None, parts)), TOOL_WEIGHT)


def _join_paragraph_lines(text: str) -> str:
    """The text with the lines of each paragraph joined, since viewers wrap lines themselves. List
    items keep their own lines.
    """
    return re.sub(r"(?<!\n)\n(?!\n|- ) *", " ", text.strip())


def best_passages(
    query: str, passages: Sequence[Passage], limit: int, preferred: Sequence[Passage] = ()
) -> tuple[Passage, ...]:
    """The passages with the highest BM25 scores for a query, best first. Passages that share no
    word with the query are omitted. Scores of ``preferred`` passages are multiplied by
    `GUIDE_WEIGHT`.
    """
    query_words = set(stemmed_words(query))
    holding = Counter(
        word for passage in passages for word in query_words & passage.word_counts.keys()
    )
    average = sum(p.word_counts.total() for p in passages) / max(len(passages), 1)

    def bm25_score(passage: Passage) -> float:
        scale = SATURATION * (
            1 - LENGTH_WEIGHT + LENGTH_WEIGHT * passage.word_counts.total() / average
        )
        return sum(
            math.log(1 + (len(passages) - holding[word] + 0.5) / (holding[word] + 0.5))
            * count
            * (SATURATION + 1)
            / (count + scale)
            for word in query_words
            if (count := passage.word_counts[word])
        )

    weighted = set(preferred)
    ranked = sorted(
        (
            (p.weight * bm25_score(p) * (GUIDE_WEIGHT if p in weighted else 1.0), p)
            for p in passages
        ),
        key=lambda found: -found[0],
    )
    return tuple(passage for value, passage in ranked[:limit] if value > 0)


def stemmed_words(text: str) -> list[str]:
    """The stems of the words in a text, without stop words: ``Filters of rays`` gives filter,
    ray.
    """
    return [
        _remove_word_ending(word)
        for word in re.findall(r"[a-z0-9]+", text.lower().replace("polaris", "polariz"))
        if word not in _COMMON
    ]


def _remove_word_ending(word: str) -> str:
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word.removesuffix(ending)
            break
    return word.removesuffix("e") if len(word) > 3 else word
