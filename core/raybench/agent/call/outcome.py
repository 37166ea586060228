"""The outcome of a call of a tool: the result or the error, with the rays it found and the text
that a model reads.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from raybench.agent.call.kept_result import ROWS, KeptResult
from raybench.agent.call.picture import Picture
from raybench.agent.tools.tool import Tool
from raybench.analysis.answers.answer import Answer
from raybench.analysis.answers.page import page
from raybench.analysis.answers.preview import cut
from raybench.analysis.answers.xml_answer import to_xml
from raybench.errors import as_sentence
from raybench.schema.jsonable import json_arguments, json_text, jsonable
from raybench.trace.results.ray_set import RaySet


@dataclass(frozen=True, eq=False)
class ToolOutcome:
    """The outcome of a call.

    ``result`` is an `Answer`, JSON values, or the error message if the call is not ``ok``; a
    `KeptResult` once a conversation stores it. ``rays`` is its named ray set, if any;
    ``milliseconds`` the tool's own time, 0 if the result was ``cached``. ``sentence`` is for
    people: the question or, if the call is not ``ok``, the error. ``notes`` are sentences for the
    model (the finding, warnings), and ``preview`` is the part of the result that a model reads.
    """

    tool: str
    arguments: Mapping[str, Any]
    result: Any
    ok: bool
    rays: RaySet | None
    milliseconds: float
    sentence: str
    notes: str
    preview: str
    cached: bool = False
    ran: bool = True
    """Whether the tool was run; False for a call that was refused."""
    stopped: bool = False
    private: bool = False
    picture: Picture | None = None
    complete_sentence: bool = True
    """Whether the notes report all of the values."""
    edits: str = ""
    """A sentence on the edits that a call made before it was stopped or failed."""

    @property
    def answer(self) -> Answer | None:
        return self.result if isinstance(self.result, Answer) else None

    @cached_property
    def kept(self) -> ToolOutcome:
        """This outcome without references to its trace, so that a conversation does not keep the
        traces of all its scenes.
        """
        return (
            self
            if isinstance(self.result, KeptResult)
            else replace(self, result=KeptResult.of(self.display_values))
        )

    @property
    def display_values(self) -> Any:
        """The result as JSON values for people, at most `ROWS` elements of each list of an answer;
        or the error.
        """
        if isinstance(self.result, KeptResult):
            return self.result.values
        return page(self.answer, ROWS).values if self.answer else self.result

    @cached_property
    def value(self) -> Any:
        """The whole result as JSON values; None after an error."""
        return (
            None
            if not self.ok
            else jsonable(self.answer.values)
            if self.answer
            else self.display_values
        )

    @cached_property
    def text(self) -> str:
        """The whole result as text, an answer in XML; or the error."""
        return to_xml(self.answer) if self.answer else json_text(self.display_values)

    def with_edits(self, edits: Sequence[str]) -> ToolOutcome:
        """This outcome of a call that was stopped or failed after it had made edits, with their
        descriptions added to its error.
        """
        made = f"These edits were made before: {'; '.join(edits)}."
        if not edits or made in self.result:  # a caller quotes the error of the call within it
            return self
        text = f"{as_sentence(self.result)} {made}"
        return replace(
            self,
            result=text,
            sentence=f"{as_sentence(self.sentence)} {made}",
            preview=cut(text),
            edits=made,
        )

    @property
    def model_text(self) -> str:
        """The text that is sent to a model: notes and preview."""
        return "\n".join(part for part in (self.notes, self.preview) if part)


def failure(
    tool: str,
    arguments: Mapping[str, Any],
    text: str,
    milliseconds: float = 0.0,
    *,
    ran: bool = False,
) -> ToolOutcome:
    """The outcome of a call without an answer: it failed or, unless it ``ran``, was refused."""
    sentence = text.splitlines()[0] if text else f"{tool} failed."
    return ToolOutcome(
        tool, arguments, text, False, None, milliseconds, sentence, "", cut(text), ran=ran
    )


def stopped_call(
    tool: str, arguments: Mapping[str, Any], milliseconds: float, *, ran: bool
) -> ToolOutcome:
    """The outcome of a call that was cancelled."""
    return replace(
        failure(tool, arguments, f"{tool} was stopped.", milliseconds, ran=ran), stopped=True
    )


def unknown_tool(name: str, arguments: Any, tools: tuple[Tool, ...]) -> ToolOutcome:
    """The outcome of calling a tool that does not exist, or that this caller may not call."""
    known = ", ".join(tool.name for tool in tools if not tool.private) or "(none)"
    sentence = f"Unknown tool '{name}'"
    return replace(
        failure(name, json_arguments(arguments), f"{sentence}. Tools: {known}"), sentence=sentence
    )
