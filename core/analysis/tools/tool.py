"""One tool: a question about the traced scene, with all that its callers need to know of it."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from core.analysis.answers.answer import Answer
from core.analysis.answers.words import in_words
from core.analysis.tools.plain_question import PlainQuestion, Unclear
from core.errors import RaybenchError

Words = str | Callable[[Mapping[str, Any]], str]
"""What a call asks for, such as ``rays inside {glass_name}``: a template of the arguments, or a function of them."""
Phrases = Callable[[PlainQuestion], Mapping[str, Any] | Unclear | None]
"""What a question in plain words asks of a tool: its arguments, what the question leaves open, or None where it asks something else."""
NO_PHRASES: Phrases = lambda question: None  # noqa: E731 - a value to state, not a function to call
"""For a tool that no question in plain words leads to; a model or a slash command calls it."""


class IncompleteTool(RaybenchError):
    """A file of a tool lacks a part; the text names file and part."""


@dataclass(frozen=True, kw_only=True)
class AnalysisTool:
    """A tool as its file declares it.

    ``function`` takes texts and numbers, asks the active context, and returns an `Answer` with its sentence for people; its docstring
    is what a model reads. ``asks`` tells a person what a call asks for, before it is run. ``phrases`` understands plain questions
    where no model is connected; `NO_PHRASES` if it understands none. None of these has a default; IncompleteTool where one is empty, or
    where the function's docstring, types or result are not stated.
    """

    function: Callable[..., Answer]
    asks: Words
    phrases: Phrases
    effect: Literal["read"] = "read"

    def __post_init__(self) -> None:
        where = self.function.__module__
        if not self.asks:
            raise IncompleteTool(f"{where}: TOOL has no words in asks that tell a person what a call asks for.")
        if not callable(self.phrases):
            raise IncompleteTool(f"{where}: TOOL has no phrases; state NO_PHRASES where no plain question leads to it.")
        doc = inspect.getdoc(self.function) or ""
        parameters = inspect.signature(self.function).parameters
        sections = ["Returns:", "Raises:", *(["Args:"] if parameters else []), *(f"{name}: " for name in parameters)]
        if missing := [section.strip(": ") for section in sections if section not in doc]:
            raise IncompleteTool(f"{where}: the docstring of {self.function.__name__} lacks {', '.join(missing)}.")
        if untyped := [p.name for p in parameters.values() if p.annotation is p.empty]:
            raise IncompleteTool(f"{where}: {self.function.__name__} has parameters without a type: {', '.join(untyped)}.")
        if inspect.signature(self.function).return_annotation not in (Answer, "Answer"):
            raise IncompleteTool(f"{where}: {self.function.__name__} does not say that it returns an Answer.")

    @property
    def name(self) -> str:
        """What models, people and scripts call it; the suffix says that the wrapper for scripts returns XML."""
        return f"{self.function.__name__}_xml"

    def question(self, arguments: Mapping[str, Any]) -> str:
        """What a call asks for, such as ``rays inside Main Prism``; KeyError where the words need an argument that is not there."""
        if callable(self.asks):
            return self.asks(arguments)
        return str(self.asks).format(**{name: in_words(value) for name, value in arguments.items()})
