"""The agent without a model: slash commands and plain questions become tool calls, and what comes back is the answer."""

from __future__ import annotations

import itertools
import json
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from typing import Any

from core.agent.by_hand.slash import InvalidCommand, parse_command
from core.agent.models.keywords import questions, understand
from core.agent.models.protocol import BackendError, End, Finished, StreamEvent, Text, question_of
from core.agent.tools.tool import Tool
from core.agent.turn.history import WRAP_UP
from core.scene.document import Document

_ids = itertools.count(1)


class OfflineBackend:
    """Answers about the document that ``document()`` returns. Speaks as a model does: a call first, then the sentence."""

    name = "offline"

    def __init__(self, document: Callable[[], Document]) -> None:
        self.document = document

    async def stream_turn(self, system: str, messages: Sequence[Mapping[str, Any]], tools: Sequence[Tool]) -> AsyncIterator[StreamEvent]:
        blocks = messages[-1]["content"]
        results = [b for b in blocks if b["type"] == "tool_result"]
        answer: str | tuple[str, dict[str, Any]]
        if results and (blocks[-1]["type"] != "text" or blocks[-1]["text"] == WRAP_UP):
            answer = _answer(str(results[-1]["content"]), bool(results[-1].get("is_error")))
        else:
            answer = self._consider(question_of(messages).strip(), tools)
        if isinstance(answer, tuple):
            name, arguments = answer
            yield Finished({"type": "tool_use", "id": f"offline_{next(_ids)}", "name": name, "input": arguments})
            yield End("tool_use")
        else:
            yield Text(answer)
            yield Finished({"type": "text", "text": answer})
            yield End("end_turn")

    def for_model(self, name: str) -> OfflineBackend:
        return self

    async def close(self) -> None:
        pass

    def _consider(self, question: str, tools: Sequence[Tool]) -> str | tuple[str, dict[str, Any]]:
        """A call, or what to say instead."""
        if question.startswith("/"):
            if question.split()[0] == "/help":
                return help_text(tools)
            try:
                tool, arguments = parse_command(question, tools)
            except InvalidCommand as error:
                raise BackendError(str(error)) from None
            return tool.name, arguments
        document = self.document()
        found = understand(question, document)
        if found is None or (found.tool and found.tool not in {t.name for t in tools}):
            examples = "\n".join(f"- {q}" for q in questions(document))
            return (
                "No model is connected, so I understand only questions about rays inside a glass, at its edges, and by polarization, "
                "and those that begin with “How do I”:\n\n"
                f"{examples}\n\nType `/help` for all commands, or connect a model for everything else."
            )
        return (found.tool, found.arguments or {}) if found.tool else found.problem


def help_text(tools: Sequence[Tool]) -> str:
    """All tools as commands, with what each does."""
    lines = [f"{tool.summary or tool.name}\n\n`/{tool.usage}`\n" for tool in tools]
    return "A command asks one question. Quote names that hold spaces; what stands in brackets may be left out.\n\n" + "\n".join(lines)


def _answer(told: str, failed: bool) -> str:
    """The sentences of a result: the lines before its data, or all of it where that is an error or holds no XML."""
    lines = list(map(_readable, told.splitlines()))
    said = list(itertools.takewhile(lambda line: not line.lstrip().startswith("<"), lines))
    if failed or len(said) == len(lines):
        return "\n".join(lines)
    return "\n\n".join(said).strip() or told


def _readable(line: str) -> str:
    """A line for a person: a record in JSON as a list of its fields, if these are plain values; any other line as it is."""
    try:
        record = json.loads(line) if line.startswith("{") else None
    except (ValueError, RecursionError):
        return line
    if not isinstance(record, dict) or any(isinstance(value, dict | list) for value in record.values()):
        return line
    return "\n".join(
        f"- {name.replace('_', ' ')}: {value if isinstance(value, str) else json.dumps(value)}" for name, value in record.items()
    )
