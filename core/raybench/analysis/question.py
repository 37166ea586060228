"""Example questions: sentences with slots, which show how tools and measures can be asked for in
words.

Which rays reach {hits:object}?      a slot for the parameter hits, filled by an object; a slot
                                     without a kind has the one of its parameter's name
... [at {object} [from {source}]]    left out unless its slots have values
What is the RMS [radius] of {line}?  a word that may be said, and is not written
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

SLOT = re.compile(r"\{(\w+)(?::(\w+))?\}")
_INNERMOST = re.compile(r"\[([^\[\]]*)\]")


@dataclass(frozen=True)
class Question:
    """An example question. ``given`` are arguments that its words stand for."""

    text: str
    given: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def slots(self) -> dict[str, str]:
        """The kind of each slot by the name of its parameter, in order; empty if no kind is
        stated.
        """
        return dict(SLOT.findall(self.text))

    @cached_property
    def required(self) -> tuple[str, ...]:
        """The names of the parameters whose slots are outside of brackets."""
        return tuple(name for name, _ in SLOT.findall(self.without_brackets))

    @cached_property
    def without_brackets(self) -> str:
        """The text of the question without the optional parts in brackets."""
        return fill_slots(SLOT.sub(r"{\1}", self.text), {})

    def text_with_values(self, values: Mapping[str, str]) -> str:
        """The text of the question with its slots replaced by values."""
        return fill_slots(self.text, values)


def fill_slots(text: str, values: Mapping[str, str]) -> str:
    """Replace the slots in a text by values. An optional part in brackets is kept only if all its
    slots have values.

    Slots outside of brackets without a value stay.
    """

    def fill_bracket(bracket: re.Match[str]) -> str:
        names = [name for name, _ in SLOT.findall(bracket[1])]
        return bracket[1] if names and all(values.get(name) for name in names) else ""

    while (without := _INNERMOST.sub(fill_bracket, text)) != text:
        text = without
    text = SLOT.sub(lambda slot: str(values.get(slot[1]) or slot[0]), text)
    return re.sub(r" +([?.,])", r"\1", " ".join(text.split()))
