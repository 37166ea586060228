"""The type of a tool's parameter for changes, a list or a single one, and its description in
words.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from raybench.analysis.answers.words import in_words
from raybench.errors import first_of
from raybench.kinds.fields import in_sentence
from raybench.kinds.kinds import KINDS
from raybench.schema.json_values import OneIsList, as_list

ChangeList = Annotated[list[dict[str, Any]], OneIsList(dict)]
"""Changes as JSON, as `raybench.scene.changes.written.changes_from_json` takes them."""


def changes_in_words(changes: Any) -> str:
    """The verbs of changes as JSON and what they apply to, whether or not they are valid: ``rotate
    Main Prism, set Main Prism``.
    """
    texts = []
    listed = as_list(changes, dict)
    for change in listed if isinstance(listed, list | tuple) else ():
        verb, target = (
            next(iter(change.items()), ("", "")) if isinstance(change, Mapping) else ("", "")
        )
        what = (
            _noun(target.get("type"))
            if isinstance(target, Mapping)
            else in_words(target)
            if isinstance(target, str | list)
            else ""
        )
        texts.append(f"{verb} {what}".strip())
    return first_of(texts, 3) or "nothing"


def _noun(kind: Any) -> str:
    """The name of a kind within a sentence, such as ``ideal lens``; of an unknown one what is
    written.
    """
    return (
        in_sentence(KINDS[kind].label)
        if isinstance(kind, str) and kind in KINDS
        else str(kind or "")
    )
