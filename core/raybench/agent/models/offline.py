"""The agent without a model. Slash commands and example questions become tool calls, whose results
are the answers.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from raybench.agent.by_hand.slash import InvalidCommand, parse_command
from raybench.agent.call.outcome import ToolOutcome
from raybench.agent.models.protocol import (
    Backend,
    BackendError,
    FinishedBlock,
    ReplyEnd,
    StreamEvent,
    TextDelta,
    last_question,
)
from raybench.agent.tools.tool import Tool
from raybench.agent.turn.history import call_block, result_text, text_block
from raybench.analysis.answers.text import answer_text
from raybench.analysis.answers.words import value_in_words
from raybench.errors import escape_hidden_in_lines
from raybench.kinds.fields import described_fields
from raybench.kinds.kinds import ROWS as ROWS_OF_KINDS
from raybench.scene.changes.quantity import format_with_unit
from raybench.scene.document import Document
from raybench.schema.json_values import json_document

if TYPE_CHECKING:
    from raybench.agent.questions.understanding import Understood

MOST_ELEMENTS = 20
"""Maximum number of elements of a list that an answer shows."""
MOST_CHARACTERS = 100_000
"""Maximum length in characters of a result that an answer shows."""
LONGEST_QUESTION = 1_000
"""Maximum length in characters of a plain question."""
_KINDS = {row.kind.__name__: row.kind for row in ROWS_OF_KINDS}
_ids = itertools.count(1)


class OfflineBackend(Backend):
    """A backend without a model. It matches a question to a tool, calls the tool, and answers with
    the result. ``document`` is a function that returns the current document.
    """

    name = "offline"

    def __init__(self, document: Callable[[], Document], values: bool = True) -> None:
        """``values`` says whether an answer also lists the values that its sentence does not state;
        if not, the caller displays them.
        """
        self.document, self._values = document, values
        self._outcome: ToolOutcome | None = None
        """The outcome of the last call."""
        self.problem = ""
        """Why the last question was not answered; empty if it was."""
        self.choices: tuple[str, ...] = ()
        """The questions that were offered in place of the last one."""
        self._asked: Understood | None = None
        """What the last answer asked, which the next message may answer."""

    def receive_outcome(self, outcome: ToolOutcome) -> None:
        """Receive the outcome of the call, from which the answer is made."""
        self._outcome = outcome

    async def stream_turn(
        self, system: str, messages: Sequence[Mapping[str, Any]], tools: Sequence[Tool]
    ) -> AsyncGenerator[StreamEvent, None]:
        blocks = messages[-1]["content"]
        results = [b for b in blocks if b["type"] == "tool_result"]
        answer: str | tuple[str, dict[str, Any]]
        if results and blocks[-1]["type"] != "text":
            answer = (
                self._answer_from_outcome(self._outcome)
                if self._outcome is not None
                else result_text(results[-1])
            )
        else:
            answer = self._tool_call_for(last_question(messages).strip(), tools)
        if isinstance(answer, tuple):
            name, arguments = answer
            self._outcome = None
            yield FinishedBlock(call_block(f"offline_{next(_ids)}", name, arguments))
            yield ReplyEnd("tool_use")
        else:
            yield TextDelta(answer)
            yield FinishedBlock(text_block(answer))
            yield ReplyEnd("end_turn")

    def _tool_call_for(
        self, question: str, tools: Sequence[Tool]
    ) -> str | tuple[str, dict[str, Any]]:
        """The tool call that answers a question; a text if no tool answers it."""
        self.problem, self.choices = "", ()
        asked, self._asked = self._asked, None
        if question.startswith("/"):
            if question.split()[0] == "/help":
                return help_text(tools)
            try:
                tool, arguments = parse_command(question, tools)
            except InvalidCommand as error:
                raise BackendError(str(error)) from None
            return tool.name, arguments
        # with the examples of all tools, for which no window waits
        from raybench.agent.questions.understanding import complete_sentence, understand_sentence

        document = self.document()
        if len(question) > LONGEST_QUESTION:
            self.problem = (
                f"This is too long without a model: over {LONGEST_QUESTION} characters. Ask in one"
                " sentence."
            )
            return self.problem
        found = understand_sentence(
            complete_sentence(question, asked, document) if asked is not None else question,
            document,
        )
        if found.tool in {t.name for t in tools}:
            return found.tool, found.arguments or {}
        if found.beyond:
            return found.text
        self.choices = found.choices
        self._asked = found if found.choices or found.rest else None
        text = found.text or "This needs a tool that is not available here."
        if self._values:
            text = "\n".join([text, *(f"{i}. {q}" for i, q in enumerate(self.choices, 1))])
        self.problem = text
        return self.problem

    def _answer_from_outcome(self, outcome: ToolOutcome) -> str:
        """The answer for the outcome of a call. If a change was refused, the answer suggests it as
        a command.
        """
        if outcome.ok and outcome.tool == "read_objects":
            return records_in_words(outcome.value)
        answer = _answer_text(outcome, self._values)
        if not outcome.ok and outcome.tool == "change_scene" and not outcome.ran:
            answer = (
                f"{answer} As a command: /change_scene"
                f" {json.dumps(outcome.arguments['changes'], ensure_ascii=False)}"
            )
        if not outcome.ok:
            self.problem = answer
        return answer


def help_text(tools: Sequence[Tool]) -> str:
    """All tools as slash commands, each with a description, as text."""
    lines = [f"{tool.summary or tool.name}\n\n`/{tool.usage}`\n" for tool in tools]
    return (
        "A command asks one question. Quote names with spaces; parts in brackets are optional.\n\n"
        + "\n".join(lines)
    )


def _answer_text(outcome: ToolOutcome, values: bool) -> str:
    """The result of a call as text for a person: a sentence with the finding, and the values that
    the sentence does not state.
    """
    if outcome.answer is None:
        return "\n".join(filter(None, (outcome.notes, _readable_result(outcome))))
    measures = outcome.answer.expression  # they give the values again
    code = f"`{escape_hidden_in_lines(measures)}`" if measures else ""
    finding = "\n\n".join(filter(None, (outcome.notes, code)))
    if outcome.complete_sentence or not values:
        return finding
    return f"{finding}\n\n```\n{answer_text(outcome.answer, MOST_ELEMENTS)}\n```"


def _readable_result(outcome: ToolOutcome) -> str:
    """Text for a result that is not an `Answer`, cut to `MOST_CHARACTERS`: text with hidden
    characters escaped; a flat record, or a list of them, as a list of lines; anything else as JSON.
    """
    record = outcome.value
    if not outcome.ok or isinstance(record, str) or record is None:
        return _truncate_text(escape_hidden_in_lines(outcome.text))
    if isinstance(record, list) and record and all(_is_flat_record(item) for item in record):
        return _truncate_text("\n".join(f"- {_record_line(item)}" for item in record))
    if (
        not isinstance(record, dict)
        or not record
        or any(isinstance(value, dict | list) for value in record.values())
    ):
        return f"```\n{_truncate_text(json_document(record))}\n```"
    fields = (
        (name, value if isinstance(value, str) else json.dumps(value))
        for name, value in record.items()
    )
    return "\n".join(f"- {name.replace('_', ' ')}: {value}" for name, value in fields)


def _is_flat_record(record: Any) -> bool:
    return (
        isinstance(record, dict)
        and len(record) > 1
        and not any(isinstance(value, dict | list) for value in record.values())
    )


def _record_line(record: Mapping[str, Any]) -> str:
    """A record as one line: its first value, then the other values with their names."""
    texts = {
        name: f"{value:.6g}" if isinstance(value, float) else str(value)
        for name, value in record.items()
    }
    (_, first), *others = texts.items()
    return f"{first}: {', '.join(f'{name} {text}' for name, text in others)}"


def _truncate_text(text: str) -> str:
    """The text cut to `MOST_CHARACTERS` characters. The window would freeze while it displays a
    longer one.
    """
    rest = len(text) - MOST_CHARACTERS
    return text if rest <= 0 else f"{text[:MOST_CHARACTERS]}\n… {rest} more characters"


def records_in_words(records: Sequence[Mapping[str, Any]]) -> str:
    """The result of `read_objects` as text: one line for each object, with units. Several objects
    are preceded by their number.
    """
    lines = [
        f"- {value_in_words(str(record['object']))}: {', '.join(_record_values(record))}"
        for record in records
    ]
    return "\n".join([f"{len(lines)} objects:\n", *lines] if len(lines) > 1 else lines)


def _record_values(record: Mapping[str, Any]) -> list[str]:
    values, units = record.get("fields", {}), record.get("units", {})
    labels = (
        {f.json_name: f.about for f in described_fields(_KINDS[record["type"]])}
        if record["type"] in _KINDS
        else {}
    )
    out = []
    for name, value in values.items():
        if name not in labels or isinstance(value, bool) or not isinstance(value, int | float):
            continue
        text = format_with_unit(value, units.get(name, ""), "scene unit")
        out.append(f"{labels[name].label.lower()} {text}")
    kind = _KINDS[record["type"]].label.lower() if record["type"] in _KINDS else str(record["type"])
    return out or [str(record.get("problem", kind))]
