"""The text protocol, for models without tool use. A model calls a tool by a reply that consists
only of JSON, ``{"tool": "name", "args": {…}}``, which is checked strictly.

In each step the model sees the tools, the question and a line for each call so far. An invalid call
may be corrected once in a turn.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any

from raybench.agent.call.outcome import ToolOutcome
from raybench.agent.models.calls_in_text import StreamedReply, find_calls
from raybench.agent.models.protocol import (
    PICTURES_REFUSED,
    Backend,
    FinishedBlock,
    ReplyEnd,
    RetryNotice,
    StreamEvent,
    TextDelta,
    Usage,
)
from raybench.agent.tools.offer import definition_text, listed_tools, offered_definition
from raybench.agent.tools.tool import Tool, tool_named
from raybench.agent.turn.history import call_block, result_text, text_block, without_pictures
from raybench.analysis.answers.text import answer_text
from raybench.errors import elide_text
from raybench.schema.json_values import json_text
from raybench.schema.parameters import InvalidArguments, InvalidSignature
from raybench.schema.signature import SignatureError, accepts_any_text
from raybench.schema.values import EXPECTED, error_field_path, value_faults

_JSON_WORDS = {name: name for name in ("int", "float", "bool", "string")} | {
    "finite float": "float",
    "list": "array",
    "map": "object",
}
"""The JSON names of types in error messages. Other faults use the message of the check."""
_FENCE_LINE = re.compile(r"```\w*\s*")
_OBJECT_BEGINNING = re.compile(r"\{\s*[\"'}]|\[\s*\{")
"""The beginning of a text that is meant as an object, or as a list of objects."""
_AMONG_WORDS = re.compile(r"\{\s*\"(?:tool|args)\"\s*:")
_KEYS = ("tool", "args", "arguments", "function", "tool_calls", "tool_name")
"""Keys of calls, also in the forms of other protocols, which a model may write by mistake."""
_KEY = re.compile(rf"[\"']?(?:{'|'.join(_KEYS)})[\"']?\s*:")
MOST_STEPS = 5
"""Maximum replies of a turn that may call a tool; then the model is asked to answer."""
MOST_SUMMARY_CHARACTERS = 900
"""Maximum characters of a result that the model reads."""
PICTURE_REPLACEMENT = "No picture can be shown to you; this is what is on it"
MOST_ITEMS = 3
"""Maximum items of a list in a summary."""
MOST_ITEM_CHARACTERS = 200
"""Maximum characters of an item."""
MOST_CONTEXT_CHARACTERS = 2000
"""Maximum characters of each text that precedes the question."""
CORRECTED_PREFIX = "corrected"
"""Prefix of the id of a call that was corrected."""
CALL_FORM = '{"tool": "name", "args": {"parameter": value}}'
PROTOCOL = f"""You call a tool by replying with one JSON object and nothing else, without a code fence: {CALL_FORM}
It has exactly the keys tool and args; the values have the types of the tool's signature, and what is marked ? may be left out. Its result \
is shown to you then, and you may call the next tool. Any other reply is your answer."""
_DECIDE = (
    "Step {n} of {of}. Reply with one JSON object that calls a tool, or with your answer in plain"
    " text."
)
_CONCLUDE = (
    "Answer now in plain text from what was found above, and call no more tools. Cite a tool that"
    " you rest on as [source:NAME]."
)
_CORRECT = (
    "You called a tool, and the call is not valid: {error}.\nThe call: {call}\n{about}Reply with"
    " the corrected JSON object alone: {form}"
)
_ids = itertools.count(1)


@dataclass(frozen=True)
class CallText:
    """A reply that is meant as a tool call: its ``text``, and the parsed ``payload`` or the
    ``fault`` that prevents parsing.
    """

    text: str
    payload: Any = None
    fault: str = ""


def parse_call(reply: str) -> CallText | None:
    """Parse a reply as a tool call. Returns None if it is an answer: words, a number, or JSON that
    is not a call.

    A code fence around the whole reply is accepted, since many models write one. A call among other
    words is a fault.
    """
    reply = reply.strip()
    first, line_end, rest = reply.partition("\n")
    fenced = bool(line_end) and _FENCE_LINE.fullmatch(first) is not None and rest.endswith("```")
    text = rest.removesuffix("```").strip() if fenced else reply
    if not _OBJECT_BEGINNING.match(text):
        among = _AMONG_WORDS.search(reply)
        return (
            CallText(reply[among.start() :], fault="Payload must stand alone, without other words")
            if among
            else None
        )
    try:
        payload = json.loads(text, object_pairs_hook=_with_unique_keys)
    except (ValueError, RecursionError) as error:
        return (
            CallText(text, fault=f"Payload must be JSON ({error})") if _KEY.search(text) else None
        )
    objects = payload if isinstance(payload, list) else [payload]
    return (
        CallText(text, payload)
        if any(isinstance(o, Mapping) and not o.keys().isdisjoint(_KEYS) for o in objects)
        else None
    )


def _with_unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Build a JSON object from pairs. Raises ValueError if a key occurs twice."""
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"the key '{elide_text(key, 40)}' occurs twice")
        found[key] = value
    return found


def call_fault(payload: Any, tools: Sequence[Tool]) -> str:
    """The first fault in a tool call, in one line; empty if the call is valid."""
    if not isinstance(payload, Mapping):
        return "Payload must be an object"
    if set(payload) != {"tool", "args"}:
        return "Payload must have exactly 'tool' and 'args' keys"
    name, arguments = payload["tool"], payload["args"]
    if not isinstance(name, str):
        return "'tool' must be a string"
    tool = tool_named(tuple(tools), name)
    if tool is None or tool.private:
        return f"Unknown tool '{name}'"
    if not isinstance(arguments, Mapping):
        return "'args' must be an object"
    try:
        tool.parameters.check(arguments)
    except InvalidArguments as error:
        if not error.faults:
            return str(error)
        fault = error.faults[0]
        where, wanted = error_field_path(fault, arguments), EXPECTED.get(fault["type"])
        if wanted == "field":
            return f"Missing required arg '{where}'"
        return f"{where} must be {_JSON_WORDS[wanted]}" if wanted in _JSON_WORDS else str(error)
    except (InvalidSignature, SignatureError) as error:
        return f"Tool '{name}' cannot be called: {error}"
    return ""


class TextBackend(Backend):
    """A backend for models without tool use: tools and calls are written as text. ``inner`` is the
    backend that streams the text.
    """

    most_steps = MOST_STEPS

    def __init__(self, inner: Backend, answer: Any = None) -> None:
        self.inner = inner
        self._answer = answer

    def __repr__(self) -> str:
        return f"TextBackend({self.inner!r})"

    @property
    def name(self) -> str:
        return self.inner.name

    @property
    def reason_without_pictures(self) -> str:
        return PICTURES_REFUSED

    def for_model(self, name: str) -> TextBackend:
        inner = self.inner.for_model(name)
        return self if inner is self.inner else TextBackend(inner, self._answer)

    def with_answer_form(self, form: Any) -> TextBackend:
        return TextBackend(self.inner, None if accepts_any_text(form) else form)

    async def list_models(self) -> list[str]:
        return await self.inner.list_models()

    def cost(self, usage: Usage) -> float | None:
        return self.inner.cost(usage)

    def outcome_text(self, outcome: ToolOutcome) -> str:
        return outcome_summary(outcome)

    async def close(self) -> None:
        await self.inner.close()

    def stream_turn(
        self, system: str, messages: Sequence[Mapping[str, Any]], tools: Sequence[Tool]
    ) -> AsyncGenerator[StreamEvent, None]:
        turn = _ConversationText.from_messages(messages)
        ask = _DECIDE.format(n=min(turn.calls + 1, MOST_STEPS), of=MOST_STEPS)
        return self._stream_reply(system, turn, tools, ask)

    def stream_last_reply(
        self, system: str, messages: Sequence[Mapping[str, Any]], tools: Sequence[Tool]
    ) -> AsyncGenerator[StreamEvent, None]:
        return self._stream_reply(
            system, _ConversationText.from_messages(messages), tools, _CONCLUDE
        )

    async def _stream_reply(
        self, system: str, turn: _ConversationText, tools: Sequence[Tool], ask: str
    ) -> AsyncGenerator[StreamEvent, None]:
        """Stream one reply, an answer or a call. If the reply is empty, the model is asked for a
        conclusion.
        """
        received = StreamedReply(holds=bool(tools))
        offered = [definition_text(t, offered_definition(t)) for t in listed_tools(tools)]
        instructions = "\n\n".join([system, PROTOCOL, "Tools:", *offered]) if tools else system
        for asked in (ask, _CONCLUDE) if tools else ("",):
            async with aclosing(
                self._stream_text(
                    instructions, "\n\n".join(filter(None, [*turn.lines, asked])), received
                )
            ) as texts:
                async for event in texts:
                    yield event
            if received.text.strip() or not received.is_complete:
                break
        call = self._intended_call(received, tools) if tools else None
        corrected, final = False, received
        fault = _reply_fault(call, tools)
        if call is not None and fault and not turn.corrected and ask is not _CONCLUDE:
            named = call.payload.get("tool") if isinstance(call.payload, Mapping) else None
            about = "".join(
                f"The tool: {definition_text(t, t.definition)}\n" for t in tools if t.name == named
            )
            prompt = _CORRECT.format(
                error=fault,
                call=_shorten_text(call.text, MOST_SUMMARY_CHARACTERS),
                about=about,
                form=CALL_FORM,
            )
            final, corrected = StreamedReply(usage=received.usage), True
            async with aclosing(self._stream_text(PROTOCOL, prompt, final)) as texts:
                async for event in texts:
                    if isinstance(event, RetryNotice):
                        yield event
            call = self._intended_call(final, tools) or CallText(final.text.strip() or call.text)
            fault = _reply_fault(call, tools)
        shown, last_text = received.displayable_text, received.withheld_text
        if call is not None and not fault:
            if shown.strip():
                yield FinishedBlock(text_block(shown))
            id = f"{CORRECTED_PREFIX if corrected else 'written'}_{next(_ids)}"
            yield FinishedBlock(call_block(id, call.payload["tool"], dict(call.payload["args"])))
            yield ReplyEnd("tool_use", final.usage)
            return
        if call is not None:
            last_text = (
                f"Tool call failed to validate: {_shorten_text(call.text, MOST_SUMMARY_CHARACTERS)}"
                if call.payload is None and not call.fault
                else f"Tool call rejected: {fault}."
            )
        if last_text:
            yield TextDelta(last_text)
        yield FinishedBlock(text_block(shown + last_text))
        yield ReplyEnd(final.end.reason, final.usage, final.end.detail)

    async def _stream_text(
        self, system: str, prompt: str, received: StreamedReply
    ) -> AsyncGenerator[TextDelta | RetryNotice, None]:
        """Stream the part of a reply that may be displayed. ``received`` records the whole
        reply.
        """
        messages = [{"role": "user", "content": [text_block(prompt)]}]
        async with aclosing(self.inner.stream_turn(system, messages, ())) as events:
            async for event in events:
                if isinstance(event, TextDelta) and (text := received.add_piece(event.text)):
                    yield TextDelta(text)
                elif isinstance(event, RetryNotice):
                    yield event
                elif isinstance(event, ReplyEnd):
                    received.end = event
                    received.usage += event.usage

    def _intended_call(self, received: StreamedReply, tools: Sequence[Tool]) -> CallText | None:
        """The tool call that a reply is meant as; None if the reply is an answer, or was cut
        off.
        """
        call = parse_call(received.text) if received.is_complete else None
        if call is not None and not call.fault and self._answer is not None:
            meant = (
                isinstance(call.payload, Mapping)
                and "tool" in call.payload
                and value_faults(call.payload, self._answer)
            )
            return call if meant else None
        if call is not None or not received.is_complete or received.matches_form(self._answer):
            return call
        calls = find_calls(received.text, tools)
        if calls is None:
            return None
        payload = {"tool": calls[0][0], "args": calls[0][1]} if calls else None
        return CallText(received.withheld_text, payload, "" if calls else "Payload must be JSON")


def _reply_fault(call: CallText | None, tools: Sequence[Tool]) -> str:
    """The fault of a reply that is meant as a tool call; empty for a valid call and for an
    answer.
    """
    return "" if call is None else call.fault or call_fault(call.payload, tools)


@dataclass
class _ConversationText:
    """A conversation as lines of text. ``calls``: number of calls in the last turn. ``corrected``:
    whether one of them was corrected.
    """

    lines: list[str] = field(default_factory=list)
    calls: int = 0
    corrected: bool = False

    @classmethod
    def from_messages(cls, messages: Sequence[Mapping[str, Any]]) -> _ConversationText:
        made, names = cls(), dict[str, str]()
        for message in without_pictures(messages):
            blocks = message["content"]
            texts = [b["text"] for b in blocks if b["type"] == "text"]
            if message["role"] == "assistant":
                made.lines += [f"You: {text}" for text in texts]
                for call in (b for b in blocks if b["type"] == "tool_use"):
                    names[call["id"]] = call["name"]
                    made.corrected |= call["id"].startswith(CORRECTED_PREFIX)
                continue
            for result in (b for b in blocks if b["type"] == "tool_result"):
                made.calls += 1
                name = names.get(result["tool_use_id"], "tool")
                text = " ".join(result_text(result).split())
                summary = _shorten_text(text, MOST_SUMMARY_CHARACTERS)
                made.lines.append(f"Tool {made.calls} [{name}]: {summary}")
            if texts:
                made.calls, made.corrected = 0, False
                made.lines += [
                    f"User: {texts[-1]}",
                    *(
                        f"Context: {_shorten_text(text, MOST_CONTEXT_CHARACTERS)}"
                        for text in texts[:-1]
                    ),
                ]
        return made


def outcome_summary(outcome: ToolOutcome) -> str:
    """The line that tells a model the outcome of a call, at most `MOST_SUMMARY_CHARACTERS`
    characters: the finding and the first items, or the error.
    """
    value = outcome.value
    if not outcome.ok:
        failed = f"{outcome.tool} failed"
        text = " ".join(outcome.text.split()) or "unknown error"
        return _shorten_text(
            text if text.startswith(failed) else f"{failed}: {text}", MOST_SUMMARY_CHARACTERS
        )
    parts = [
        *outcome.notes.splitlines(),
        *([PICTURE_REPLACEMENT] if outcome.picture is not None else []),
    ]
    if outcome.answer is not None:
        parts += [
            _shortened_item_line(line)
            for line in answer_text(outcome.answer, MOST_ITEMS).splitlines()
        ]
    elif isinstance(value, list):
        parts += [_shortened_item_line(json_text(item)) for item in value[:MOST_ITEMS]] + [
            f"… {len(value) - MOST_ITEMS} more of {len(value)}"
        ] * (len(value) > MOST_ITEMS)
    else:
        parts.append(" ".join(outcome.preview.split()))
    return _shorten_text(
        " | ".join(filter(None, parts)) or f"{outcome.tool} completed", MOST_SUMMARY_CHARACTERS
    )


def _shortened_item_line(text: str) -> str:
    return _shorten_text(" ".join(text.split()), MOST_ITEM_CHARACTERS)


def _shorten_text(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 2]} …"
