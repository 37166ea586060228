"""Texts that keep the template and the values from which they were made, so that a window can
translate them. All other code uses them as English texts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce


class Phrase(str):
    """A text made from a template whose slots are filled with values, as by `str.format`. A value
    may itself be a phrase. A phrase without values is a plain text, or the template of other
    phrases.
    """

    template: str
    values: Mapping[str, object]

    def __new__(cls, template: str, /, **values: object) -> Phrase:
        phrase = super().__new__(cls, template.format(**values) if values else template)
        phrase.template, phrase.values = str(template), values
        return phrase

    def __getnewargs_ex__(self) -> tuple[tuple[str], Mapping[str, object]]:
        return (self.template,), self.values


def join_with_commas(texts: Sequence[str]) -> str:
    """The texts joined to one, separated by commas."""
    return reduce(lambda a, b: Phrase("{first}, {then}", first=a, then=b), texts) if texts else ""
