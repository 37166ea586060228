"""The preview of an answer for a language model: its XML, with lists truncated to fit a length
limit.
"""

import json
from collections import Counter
from collections.abc import Mapping
from itertools import accumulate
from typing import Any

from raybench.analysis.answers.answer import Answer, Child, Element, Leaf, Listed
from raybench.analysis.answers.words import plural_of
from raybench.analysis.answers.xml_answer import xml_document
from raybench.bisection import largest_that_fits
from raybench.errors import escaped_json, escaped_lines
from raybench.schema.json_values import json_text

CHARACTERS = 6_000
"""Length limit; about 1500 tokens."""
LAST_LINE = 100
"""Maximum characters of the final line, which reports omissions."""
A_PAGE = 2_500
"""Default length of a preview, if the call did not ask for more of a list; about 600 tokens."""


def answer_preview(answer: Answer, characters: int = CHARACTERS) -> str:
    """The answer's XML; if too long, with each list truncated to as many elements as fit, and a
    final line that says what is omitted.
    """
    root = answer.root.with_parts(children=(*answer.summary, *answer.root.children))
    text, whole = _as_much_as_fits(root, characters, answer.remaining, frozenset())
    if not whole and answer.details:
        text, _ = _as_much_as_fits(root, characters, answer.remaining, answer.details)
    return cut_text(text, characters)


def _as_much_as_fits(
    root: Element, characters: int, remaining: Mapping[str, int], without: frozenset[str]
) -> tuple[str, bool]:
    """The XML with as many elements of each list as fit, and whether it is complete; lists of the
    tags ``without`` are empty.
    """
    some, more = 0, 4
    while True:  # doubled, to render at most about twice what fits
        text, whole = _shorten_lists(root, more, remaining, without)
        if len(text) > characters:
            break
        if whole:
            return text, not without
        some, more = more, 2 * more
    most = largest_that_fits(
        lambda count: len(_shorten_lists(root, count, remaining, without)[0]) <= characters,
        some,
        more,
    )
    return _shorten_lists(root, most, remaining, without)[0], False


def preview_of_value(value: Any, page: int = A_PAGE) -> str:
    """JSON values as text. A list of records has a line each, as many as fit on a ``page`` and at
    least one, with a final line that counts the rest; any other value is truncated to `CHARACTERS`.
    """
    if (
        not isinstance(value, list)
        or len(value) < 2
        or not all(isinstance(item, Mapping) for item in value)
    ):
        return cut_text(json_text(value))
    records = [
        escaped_json(json.dumps(item, ensure_ascii=False, separators=(",", ":"))) for item in value
    ]
    size = list(accumulate(len(record) + 2 for record in records))
    count = (
        len(value) if size[-1] <= page else max(1, sum(each + LAST_LINE <= page for each in size))
    )
    lines = ",\n".join(records[:count])
    text = f"[{lines}]"
    if count == len(value):
        return cut_text(text)
    return (
        f"{cut_text(text)}\n[the first {count} of {len(value)}, which have {size[-1]} characters. Ask"
        " for fewer to read others.]"
    )


def cut_text(text: str, cap: int = CHARACTERS) -> str:
    """The text truncated to ``cap`` characters, with a final line that says so if it was longer.

    Hidden characters other than line ends are written as escapes.
    """
    if len(text) <= cap:
        return escaped_lines(text)
    return (
        f"{escaped_lines(text[:cap])}\n[cut: {len(text)} characters in all. Narrow the question to"
        " read more.]"
    )


def _shorten_lists(
    root: Element, count: int, remaining: Mapping[str, int], without: frozenset[str]
) -> tuple[str, bool]:
    """The XML with at most ``count`` elements of each list, none of the tags ``without``, and
    whether nothing else is left out.

    ``remaining`` are those not on this page, by tag.
    """
    rendered: Counter[str] = Counter()
    on_page: Counter[str] = Counter()
    text = xml_document(_first_elements(root, count, rendered, on_page, without))
    total = on_page + Counter(remaining)
    skipped = root.attributes.get("offset") or 0
    cut_off = [tag for tag in total if rendered[tag] < total[tag]]
    truncated = [
        (
            f"without {plural_of(tag)}"
            if tag in without
            else _describe_shown(rendered[tag], total[tag], skipped, plural_of(tag))
        )
        for tag in cut_off
    ]
    if truncated:
        text += (
            f"\n[{'; '.join(truncated)}. Give limit and offset, or narrow the question, to read"
            " others.]"
        )
    return text, all(rendered[tag] == on_page[tag] for tag in on_page if tag not in without)


def _describe_shown(shown: int, following: int, skipped: int, what: str) -> str:
    """Which elements of a list are shown, such as ``the first 9 of 40 rays`` or ``rays 11 to 19 of
    40``.
    """
    return (
        f"{what} {skipped + 1} to {skipped + shown} of {skipped + following}"
        if skipped
        else f"the first {shown} of {following} {what}"
    )


def _first_elements(
    node: Element, count: int, rendered: Counter[str], total: Counter[str], without: frozenset[str]
) -> Element:
    """The element with each list below it truncated to ``count``; adds the rendered and total
    lengths by tag to the counters.
    """

    def shortened(child: Child) -> Child:
        if isinstance(child, Element):
            return _first_elements(child, count, rendered, total, without)
        if isinstance(child, Leaf) or child.is_row:
            return child  # the cells of a table row are never truncated
        total[child.tag] += len(child)
        child = child.part(0, 0 if child.tag in without else count)
        rendered[child.tag] += len(child)
        items = (
            _first_elements(item, count, rendered, total, without)
            if isinstance(item, Element)
            else item
            for item in child
        )
        return Listed(child.tag, tuple(items))

    return node.with_parts(children=tuple(map(shortened, node.children)))
