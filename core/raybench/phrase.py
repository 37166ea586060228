"""Texts that keep the template and the values that they are made of, so that a window can show them
in another language. For all else they are English texts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce


class Phrase(str):
    """The text of a template whose slots are filled by values as by `str.format`; without values it
    has no slots, or is the template of others. A value may itself be a phrase.
    """

    template: str
    values: Mapping[str, object]

    def __new__(cls, template: str, /, **values: object) -> Phrase:
        phrase = super().__new__(cls, template.format(**values) if values else template)
        phrase.template, phrase.values = str(template), values
        return phrase

    def __getnewargs_ex__(self) -> tuple[tuple[str], Mapping[str, object]]:
        return (self.template,), self.values


def list_of_texts(texts: Sequence[str]) -> str:
    """The texts, separated by commas."""
    return reduce(lambda a, b: Phrase("{first}, {then}", first=a, then=b), texts) if texts else ""
