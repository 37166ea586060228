"""Tool calls that a model writes into its text although it was offered tools. This happens with
servers whose template does not fit the model. Readable calls are run; for an unreadable call the
model is asked once more.
"""

from __future__ import annotations

import ast
import json
import re
import uuid
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping, Sequence
from contextlib import aclosing, suppress
from itertools import pairwise
from typing import Any

from raybench.agent.models.protocol import (
    BackendError,
    FinishedBlock,
    Message,
    ReplyEnd,
    RetryNotice,
    StreamEvent,
    TextDelta,
    Usage,
)
from raybench.agent.models.server import MOST_ARGUMENTS, plain_json
from raybench.agent.tools.tool import Tool, tool_named
from raybench.agent.turn.history import call_block, text_block
from raybench.schema.values import value_faults

Call = tuple[str, Any]
"""The name of a tool and its arguments."""
_THINK, _THOUGHT = "<think>", "</think>"
"""Marks around the reasoning that some models write before the reply."""
_BLANKS = r"\s{0,80}"
_LANGUAGE = rf"\w{{0,40}}{_BLANKS}"
"""What may follow a code fence; bounded, for what may begin a call is looked at again with each
piece of a reply.
"""
_AT_START = re.compile(rf"(?:```{_LANGUAGE})?(?:\{{|\[(?:{_BLANKS}[{{\"'“]|TOOL_))")
_UNDECIDED = re.compile(rf"`{{1,3}}{_LANGUAGE}|(?:```{_LANGUAGE})?\[(?:{_BLANKS}|[A-Z_]{{0,5}})")
_FENCE = re.compile(rf"`{{1,3}}{_LANGUAGE}")
_MARKS = (
    r"<tool_call|<function=[\w-]|<\|(?:channel|tool_call|python_tag|message|start)"
    r"|\[TOOL_|```tool_"
)
"""What begins a call in no language but that of a model's template."""
_SURELY = re.compile(rf"(?:```{_LANGUAGE})?\{{{_BLANKS}[\"'“][tanf]|{_MARKS}")
_PERHAPS = re.compile(
    rf"(?:```{_LANGUAGE})?\{{{_BLANKS}(?:[\"'“](?:[tanf]|$)|$)|```{_LANGUAGE}$|{_MARKS}"
    r"|<[a-z_]{0,9}$|<function=$|<\|[a-z_]{0,10}$|\[[A-Z_]{0,5}$"
)
_LINE = rf"(?:\A|\n)[ \t]{{0,80}}(?:`{{1,3}}{_LANGUAGE})?"
"""What precedes a call: it begins a line, in a fence or not, for others are shown in a sentence."""
_MARK = re.compile(rf"{_LINE}({_MARKS})")
_JSON = re.compile(rf"{_LINE}(\[?{_BLANKS}\{{{_BLANKS}[\"'“])")
_NAMED = re.compile(
    rf"[\"'“](?:tool|tool_name|name|function)[\"'”]{_BLANKS}:{_BLANKS}[\"'“]([\w-]+)"
)
_BETWEEN = re.compile(r"(?:[\s,;]|```(?:json)?)*")
"""What may stand between the objects of two calls, and after the last."""
MOST_TRAILING_CHARACTERS = 2000
"""Maximum characters at the end of a reply in which words after a call are looked for."""
_WORDS_AFTER = re.compile(r"(?:[}\]]|</\w+>|```)[^{}<>\[\]]*\w\s+\w[^{}<>\[\]]*$")
_TOOL, _NAMES, _ARGUMENTS = (
    ("tool", "tool_name"),
    ("name", "function"),
    ("args", "arguments", "parameters"),
)
"""The keys of a call; a `name` may also be that of something else in an answer."""
_KEYS = frozenset({*_TOOL, *_NAMES, *_ARGUMENTS, "tool_calls"})
_CONSTANTS = {"true": "True", "false": "False", "null": "None"}
_WORDS = re.compile(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'|\b(?:true|false|null)\b')
_QUOTES = str.maketrans("“”„‘’", '"""\'\'')
UNREADABLE = (
    "The model wrote a tool call that cannot be read, twice. Ask again, or choose another model."
)
_AGAIN = (
    "That call cannot be read. Call the tool again, as one JSON object and nothing else:"
    ' {"name": "tool", "arguments": {"parameter": value}}. Or give your answer in plain text.'
)


async def read_calls_in_text(
    ask: Callable[[Sequence[Mapping[str, Any]]], AsyncGenerator[StreamEvent, None]],
    messages: Sequence[Mapping[str, Any]],
    tools: Sequence[Tool],
    answer: Any = None,
) -> AsyncGenerator[StreamEvent, None]:
    """Stream the reply that ``ask`` gives to the messages, with calls in its text converted to tool
    calls.

    Raises BackendError if a second reply has an unreadable call, unless words follow the call;
    these are the answer. ``answer`` is the required JSON form of an answer, which is not a call.
    """
    before, shown = Usage(), ""
    for again in (True, False):
        received, unread, calls, held = StreamedReply(), "", False, ""
        written: list[Call] = []
        async with aclosing(ask(messages)) as events:
            async for event in events:
                if isinstance(event, TextDelta):
                    if (text := received.add_piece(event.text)) and again:
                        yield TextDelta(text)
                elif isinstance(event, FinishedBlock) and event.block["type"] == "text":
                    found = (
                        None if received.matches_form(answer) else find_calls(received.text, tools)
                    )
                    if not again:  # the start of the first reply is shown already
                        if found == [] and not received.words_after_call:
                            raise BackendError(UNREADABLE)
                        whole = received.displayable_text if found else received.text
                        if rest := whole.removeprefix(shown):
                            yield TextDelta(rest)
                            yield FinishedBlock(text_block(rest))
                        written += found or ()
                    elif found is None:
                        if received.withheld_text:
                            yield TextDelta(received.withheld_text)
                        same = received.text.strip() == event.block["text"].strip()
                        yield event if same else FinishedBlock(text_block(received.text))
                    else:
                        written += found
                        unread = unread if found else received.text
                        held = "" if found else received.words_after_call
                        shown = received.displayable_text
                        yield FinishedBlock(text_block(shown))
                    received = StreamedReply()
                elif isinstance(event, FinishedBlock):
                    calls |= event.block["type"] == "tool_use"
                    yield event
                elif isinstance(event, RetryNotice):
                    yield event
                else:
                    end = event
        if not calls:  # calls of the API are the ones that were meant
            for name, arguments in written:
                yield FinishedBlock(call_block(uuid.uuid4().hex[:9], name, arguments))
        calls |= bool(written)
        usage = before + end.usage
        cut = end.reason not in ("end_turn", "tool_use")
        if cut and held:
            yield TextDelta(held)
            yield FinishedBlock(text_block(held))
        if not unread or calls or cut:
            reason = "tool_use" if calls and not cut else end.reason
            yield ReplyEnd(reason, usage, end.detail)
            return
        before = usage
        asked: list[Message] = [
            {"role": role, "content": [text_block(text)]}
            for role, text in (("assistant", unread), ("user", _AGAIN))
        ]
        messages = [*messages, *asked]


def find_calls(text: str, tools: Sequence[Tool]) -> list[Call] | None:
    """The calls in a reply; None if the reply is an answer; empty if a call cannot be read, or if
    words follow it.
    """
    text = text.rpartition(_THOUGHT)[2].strip()
    mark = _MARK.search(text)
    if not (begun := mark or _JSON.search(text)):
        return None
    before, body = text[: begun.start(1)].strip(), text[begun.start(1) :]
    found: list[Call] | None
    if mark:
        found = _marked_calls(body, tools) if len(body) <= MOST_ARGUMENTS else []
    else:
        found = _json_calls(body, tools)
    if found and before and not _FENCE.fullmatch(before):
        return found if all(tool_named(tuple(tools), name) for name, _ in found) else None
    return found


def _json_calls(body: str, tools: Sequence[Tool]) -> list[Call] | None:
    """The calls in a text that begins with JSON, in the form of `find_calls`."""
    values = _json_values(body) if len(body) <= MOST_ARGUMENTS else None
    if values is None:
        named = any(tool_named(tuple(tools), name) for name in _NAMED.findall(body))
        return [] if named else None
    calls = [_json_call(value, tools) for value in values]
    return [call for call in calls if call] if all(calls) else None


def _marked_calls(body: str, tools: Sequence[Tool]) -> list[Call]:
    """The calls in a text with template marks; empty if one cannot be read."""
    calls: list[Call] = []
    for part in re.split(r"</?tool_call>|<\|tool_call\|>|\[TOOL_CALLS\]|<\|python_tag\|>", body):
        if not part.strip():
            continue
        try:
            found = list(_calls_in_part(part.strip(), tools))
        except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
            return []
        if not found:
            return []
        calls += found
    return calls


def _calls_in_part(part: str, tools: Sequence[Tool]) -> Iterator[Call]:
    if "<|message|>" in part:
        for header, said in pairwise(part.split("<|message|>")):
            _, to, name = header.rpartition("to=")
            if to and (named := re.match(r"(?:functions\.)?([\w-]+)", name)):
                yield named[1], _parse_lenient_json(said.partition("<|")[0])
    elif "<function=" in part:
        for piece in part.split("<function=")[1:]:
            name, _, rest = piece.partition(">")
            said = rest.partition("</function>")[0].strip()
            pairs = (p.partition(">") for p in said.split("<parameter=")[1:])
            given = [(key, value.partition("</parameter>")[0]) for key, _, value in pairs]
            yield (
                name.strip(),
                _parse_typed_arguments(name, given, tools)
                if given or not said
                else _parse_lenient_json(said),
            )
    elif "<arg_key>" in part:
        name, *pieces = part.split("<arg_key>")
        pairs = (piece.partition("</arg_key>") for piece in pieces)
        given = [
            (key, value.partition("<arg_value>")[2].partition("</arg_value>")[0])
            for key, _, value in pairs
        ]
        yield name.strip(), _parse_typed_arguments(name, given, tools)
    elif part.startswith("```tool_") and "(" in part:
        yield from _python_calls(part.partition("\n")[2].strip().removesuffix("```"))
    elif re.fullmatch(r"[\w-]+", part):  # a name alone: no arguments
        yield part, {}
    else:
        begun = re.search(r"[\[{]", part)
        values = _json_values(part[begun.start() :]) if begun else None
        for value in values or ():
            call = _json_call(value, None)
            if call is None:
                raise ValueError
            yield call


def _python_calls(code: str) -> Iterator[Call]:
    for statement in ast.parse(code.strip()).body:
        value = statement.value if isinstance(statement, ast.Expr | ast.Assign) else None
        for node in value.elts if isinstance(value, ast.List) else [value]:
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "print" and node.args:
                node = node.args[0]
            if not isinstance(node, ast.Call) or node.args:
                raise ValueError
            arguments = plain_json({str(k.arg): ast.literal_eval(k.value) for k in node.keywords})
            yield ast.unparse(node.func).rpartition(".")[2], arguments


def _parse_typed_arguments(
    name: str, given: Sequence[tuple[str, str]], tools: Sequence[Tool]
) -> dict[str, Any]:
    """Parse arguments that were written as text: parameters of the type text keep it, others are
    parsed as JSON.
    """
    tool = tool_named(tuple(tools), name.strip())
    schemas = tool.input_schema["properties"] if tool else {}

    def value(key: str, text: str) -> Any:
        if schemas.get(key, {}).get("type") == "string":
            return text
        try:
            return _parse_lenient_json(text)
        except ValueError:
            return text

    return {key.strip(): value(key.strip(), text.strip()) for key, text in given}


def _json_call(value: Any, tools: Sequence[Tool] | None) -> Call | None:
    """Convert a JSON value to a call; None if it is not a call. With ``tools``, the `name` must be
    the name of a tool.
    """
    if not isinstance(value, Mapping):
        return None
    if isinstance(value.get("function"), Mapping):
        value = value["function"]
    keys = [key for key in (*_TOOL, *_NAMES) if isinstance(value.get(key), str)]
    given = [key for key in _ARGUMENTS if key in value]
    if not keys or not (given or tools is None):
        return None
    name, arguments = value[keys[0]], value[given[0]] if given else {}
    if tools is not None and keys[0] in _NAMES and tool_named(tuple(tools), name) is None:
        return None
    if isinstance(arguments, str):
        with suppress(ValueError):  # the result of the call says what is wrong
            arguments = _parse_lenient_json(arguments)
    return name, arguments


def _json_values(body: str) -> list[Any] | None:
    """The JSON objects in a text that contains nothing else; a list is split into its items."""
    values, at = list[Any](), 0
    try:
        while at < len(body):
            value, at = json.JSONDecoder().raw_decode(body, at)
            values += value if isinstance(value, list) else [value]
            at = _BETWEEN.match(body, at).end()  # type: ignore[union-attr]
        return list(plain_json(values))
    except (ValueError, RecursionError):
        pass
    end = 1 + max(body.rfind("}"), body.rfind("]"))
    try:
        value = _parse_lenient_json(body[:end] if _BETWEEN.fullmatch(body, end) else body)
    except ValueError:
        return None
    return value if isinstance(value, list) else [value]


def _parse_lenient_json(text: str) -> Any:
    """Parse a JSON value. Quotes, commas and constants of Python are accepted. Raises
    ValueError.
    """
    text = text.strip() or "{}"
    try:
        return plain_json(json.loads(text))
    except (ValueError, RecursionError):
        pass
    plain = _WORDS.sub(lambda m: _CONSTANTS.get(m[0], m[0]), text.translate(_QUOTES))
    try:
        return plain_json(ast.literal_eval(plain))
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
        raise ValueError("not JSON") from None


class StreamedReply:
    """A reply while it is streamed. Text that could be a call is withheld until it is complete, and
    the model's reasoning before the text is removed. ``usage`` includes earlier replies.
    """

    def __init__(self, holds: bool = True, usage: Usage | None = None) -> None:
        self.usage, self.end = usage or Usage(), ReplyEnd()
        self._shown: list[str] = []
        self._held: list[str] = []
        self._tail = ""
        """Text that may or may not begin a call."""
        self._at_start, self._thinks, self._holds = True, False, holds
        self._open, self._decided = 0, False
        """How many brackets of the held text are open, and whether it is known what it is."""

    def add_piece(self, piece: str) -> str:
        """Add a piece of the reply. Returns the text that can be displayed now."""
        shown = self._add_text(piece)
        while end := self._end_of_answer():
            held, self._held = "".join(self._held), []
            self._open, self._decided = 0, False
            self._shown.append(held[:end])
            shown += held[:end] + self._add_text(held[end:])
        return shown

    def _hold_back(self, text: str) -> None:
        self._held.append(text)
        self._open += sum(map(text.count, "[{")) - sum(map(text.count, "]}"))

    def _end_of_answer(self) -> int:
        """The end of a withheld JSON value that is not a call; 0 if there is none. It is searched
        once, when all brackets are closed.
        """
        if not self._held or self._open > 0 or self._decided:
            return 0
        self._decided, held = True, "".join(self._held)
        fence = _FENCE.match(held)
        try:
            value, end = json.JSONDecoder().raw_decode(held, fence.end() if fence else 0)
        except (ValueError, RecursionError):
            return 0
        values = value if isinstance(value, list) else [value]
        return end * all(isinstance(v, Mapping) and _KEYS.isdisjoint(v) for v in values)

    def _add_text(self, piece: str) -> str:
        if self._held:
            self._hold_back(piece)
            return ""
        tail, self._tail = self._tail + piece, ""
        if self._at_start:
            tail = tail.lstrip()
            if self._thinks or tail.startswith(_THINK):
                _, thought, after = tail.partition(_THOUGHT)
                self._thinks = not thought
                if not thought:
                    self._tail = tail[-len(_THOUGHT) :]
                    return ""
                tail = after.lstrip()
            if _THINK.startswith(tail) or (self._holds and _UNDECIDED.fullmatch(tail)):
                self._tail = tail
                return ""
            self._at_start = False
            if self._holds and _AT_START.match(tail):
                self._hold_back(tail)
                return ""
        perhaps = _PERHAPS.search(tail) if self._holds else None
        shown = tail[: perhaps.start()] if perhaps else tail
        rest = tail[len(shown) :]
        if _SURELY.match(rest):
            self._hold_back(rest)
        else:
            self._tail = rest
        self._shown.append(shown)
        return shown

    @property
    def is_complete(self) -> bool:
        return self.end.reason == "end_turn"

    @property
    def displayable_text(self) -> str:
        return "".join(self._shown)

    @property
    def withheld_text(self) -> str:
        return "".join(self._held) or ("" if self._thinks else self._tail)

    @property
    def words_after_call(self) -> str:
        """The withheld text if words follow the call in it; empty if it ends with the call."""
        held = self.withheld_text
        return (
            held
            if self._open <= 0 and _WORDS_AFTER.search(held[-MOST_TRAILING_CHARACTERS:])
            else ""
        )

    @property
    def text(self) -> str:
        return self.displayable_text + self.withheld_text

    def matches_form(self, form: Any) -> bool:
        """Whether the reply is JSON of the given form. None stands for no required form."""
        try:
            return form is not None and not value_faults(json.loads(self.text), form)
        except (ValueError, RecursionError):
            return False
