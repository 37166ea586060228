"""The preview of an answer for a language model: its XML, with lists cut to keep a length limit."""

import json
from collections import Counter
from collections.abc import Mapping
from itertools import accumulate
from typing import Any

from raybench.analysis.answers.answer import Answer, Element
from raybench.analysis.answers.page import Slice, largest_fitting_number, longest_list_length
from raybench.analysis.answers.words import pluralize
from raybench.analysis.answers.xml_answer import xml_document
from raybench.errors import escape_hidden_in_lines, escaped_json
from raybench.schema.json_values import json_text

PREVIEW_CHARACTERS = 6_000
"""Length limit; about 1500 tokens."""
LAST_LINE = 100
"""Maximum characters of the final line, which reports omissions."""
A_PAGE = 2_500
"""Default length of a preview, if the call did not ask for more of a list; about 600 tokens."""


def answer_preview(answer: Answer, characters: int = PREVIEW_CHARACTERS) -> str:
    """The XML of an answer, at most ``characters`` long. A longer text loses its details first,
    then elements of its lists. A last line says what is missing.
    """

    def fits_preview(count: int) -> bool:
        return len(_shorten_lists(answer, root, count, without)) <= characters

    root = answer.root.with_parts(children=(*answer.summary, *answer.root.children))
    longest, without = longest_list_length(root), frozenset[str]()
    count = largest_fitting_number(fits_preview, 0, longest)
    if count < longest and answer.details:
        without = answer.details
        count = largest_fitting_number(fits_preview, 0, longest)
    return truncate_text(_shorten_lists(answer, root, count, without), characters)


def preview_of_value(value: Any, page: int = A_PAGE) -> str:
    """A JSON value as text, cut to `PREVIEW_CHARACTERS`. A list of records has one line for each
    record, as many as fit on a ``page`` (at least one), and a last line with the number of the
    other records.
    """
    if (
        not isinstance(value, list)
        or len(value) < 2
        or not all(isinstance(item, Mapping) for item in value)
    ):
        return truncate_text(json_text(value))
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
        return truncate_text(text)
    return (
        f"{truncate_text(text)}\n[the first {count} of {len(value)}, which have {size[-1]} characters. Ask"
        " for fewer to read others.]"
    )


def truncate_text(text: str, cap: int = PREVIEW_CHARACTERS) -> str:
    """The text cut to ``cap`` characters; a last line tells whether something is missing. Hidden
    characters except line ends are escaped.
    """
    if len(text) <= cap:
        return escape_hidden_in_lines(text)
    return (
        f"{escape_hidden_in_lines(text[:cap])}\n[cut: {len(text)} characters in all. Narrow the question to"
        " read more.]"
    )


def _shorten_lists(answer: Answer, root: Element, count: int, without: frozenset[str]) -> str:
    """The XML with at most ``count`` elements of each list, and without the lists whose tags are in
    ``without``. A last line says what is shown, such as ``the first 9 of 40 rays``.
    """
    page = Slice(count, without=without)
    shortened = page.slice_element(root)
    remaining = page.left + Counter(answer.remaining)
    about = page.page_attributes(root, {})
    about.pop("without", None)  # the last line tells it
    text = xml_document(shortened.with_parts({**shortened.attributes, **about}))
    skipped = root.attributes.get("offset") or 0
    omitted = []
    for tag, more in remaining.items():
        end, what = page.shown[tag], pluralize(tag)
        if tag in without:
            omitted.append(f"without {what}")
        elif skipped:
            total = skipped + end + more
            omitted.append(f"{what} {skipped + 1} to {skipped + end} of {total}")
        else:
            omitted.append(f"the first {end} of {end + more} {what}")
    if not omitted:
        return text
    hint = "Give limit and offset, or narrow the question, to read others."
    if "next_offset" in about:
        hint = hint.replace("offset", f"offset {about['next_offset']}")
    return f"{text}\n[{'; '.join(omitted)}. {hint}]"
