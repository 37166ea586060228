"""The backend for servers with the chat-completions API, such as local model servers. It uses the
`openai` SDK, which is imported when the first question is sent.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from contextlib import aclosing, suppress
from typing import Any

from raybench.agent.models.errors import RefusedRequest, interrupted_error
from raybench.agent.models.known_servers import known_server
from raybench.agent.models.protocol import (
    BackendError,
    FinishedBlock,
    ReplyEnd,
    StreamEvent,
    TextDelta,
    Usage,
)
from raybench.agent.models.server import (
    ABOUT_LIMIT,
    MOST_ARGUMENTS,
    MOST_TOKENS,
    ServerBackend,
    check_content_type,
    parse_call_arguments,
    sendable_request,
)
from raybench.agent.tools.offer import listed_tools, offered_definition
from raybench.agent.tools.tool import Tool
from raybench.agent.turn.history import call_block, text_block

COMPLETIONS_PATH = "/chat/completions"
OWN_HOST = "api.openai.com"
_THOUGHTLESS = "calls without thoughts"
_OPTIONAL = {
    "strict": re.compile(r"\bstrict\b|schema", re.I),
    "stream_options": re.compile("stream_options"),
    "tool_choice": re.compile("tool_choice"),
    _THOUGHTLESS: re.compile("reasoning_content"),
}
"""The parts of a request that can be left out, and the refusals that name them."""
_THOUGHTS = ("reasoning_content", "reasoning_details", "reasoning")
"""The fields of a model's thoughts, which are not shown. Servers refuse a message with calls that
comes back without the first two.
"""
ONLY_THOUGHTS = (
    "The model sent only thoughts and no answer. Ask again, or check the reasoning parser of its"
    " server."
)
_REASONS = {"length": "max_tokens", "content_filter": "refusal"}
"""The reasons of an end that are not the usual ones."""


class ChatBackend(ServerBackend):
    """A backend for the chat-completions API. ``base_url`` is the address of the server, with or
    without ``/v1`` or ``/chat/completions``. Without a ``model`` the first listed model is used.
    Local servers need no key.
    """

    sdk, client_class = "openai", "AsyncOpenAI"

    def __init__(self, model: str, base_url: str, api_key: str = "", **options: Any) -> None:
        address = base_url.rstrip("/")
        root = address.removesuffix(COMPLETIONS_PATH)
        if root == address and "/" not in address.partition("://")[2]:
            root = f"{root}/v1"
        super().__init__(model, root, api_key, **options)
        self._limit = "max_completion_tokens" if self.host == OWN_HOST else "max_tokens"
        self._left_out = set[str]()
        """The parts of a request that the server refused."""

    def stream_turn(
        self, system: str, messages: Sequence[Mapping[str, Any]], tools: Sequence[Tool]
    ) -> AsyncGenerator[StreamEvent, None]:
        return self._stream_reply(system, messages, tools, {})

    def stream_last_reply(
        self, system: str, messages: Sequence[Mapping[str, Any]], tools: Sequence[Tool]
    ) -> AsyncGenerator[StreamEvent, None]:
        # the tools stay in the request, for the messages name them
        choice = {"tool_choice": "none"} if tools else {}
        return self._stream_reply(system, messages, tools, choice)

    async def _stream_request(
        self,
        system: str,
        messages: Sequence[Mapping[str, Any]],
        tools: Sequence[Tool],
        more: Mapping[str, Any],
    ) -> AsyncGenerator[StreamEvent, None]:
        key = self.key_to_send()
        with self._translate_errors():
            client = await self._connected_client(key)
            request = {
                "model": await self._model_name(),
                "messages": chat_messages(system, messages, self._kept, self._empty_thoughts),
                "stream": True,
                self._limit: MOST_TOKENS,
                "stream_options": {"include_usage": True},
                **more,
            }
            if tools:
                strict = "strict" not in self._left_out
                request["tools"] = [_tool_definition(tool, strict) for tool in listed_tools(tools)]
            sent = {name: value for name, value in request.items() if name not in self._left_out}
            async with asyncio.timeout(self._timeout):
                response = await client.chat.completions.with_streaming_response.create(
                    **sendable_request(sent), extra_headers=self._sent_headers
                ).__aenter__()
            reply = ReceivedCompletion(self)
            try:
                check_content_type(response, self.host, "event-stream", "json")
                if "event-stream" in response.headers.get("content-type", ""):
                    stream = await response.parse()
                    async with aclosing(self._read_events(stream, reply)) as events:
                        async for event in events:
                            for part in reply.read_event(event, "delta"):
                                yield part
                else:
                    async with asyncio.timeout(self._timeout):
                        whole = json.loads(await response.read())
                    for part in reply.read_event(whole, "message"):
                        yield part
                for part in reply.finish():
                    yield part
            finally:
                await response.close()

    @property
    def _empty_thoughts(self) -> dict[str, str]:
        """The empty reasoning fields for a message whose calls another model made."""
        return {"reasoning_content": ""} if _THOUGHTLESS in self._left_out else {}

    def _adapt_to_refusal(self, refusal: RefusedRequest) -> bool:
        for name, about in {**_OPTIONAL, self._limit: ABOUT_LIMIT}.items():
            if name not in self._left_out and about.search(refusal.said):
                self._left_out.add(name)
                return True
        return False

    @property
    def _is_default_server(self) -> bool:
        return self.host == OWN_HOST and self.base_url.startswith("https:")

    async def _model_name(self) -> str:
        """The name of the model; if none is set, the first one that the server lists."""
        known = known_server(self.base_url)
        if not self.model and known and known.needs_key:
            raise BackendError(
                f"No model of {known.title} is chosen. Give the name of one; raybench models"
                f" {known.name} lists them."
            )
        if not self.model:
            with suppress(BackendError):  # the request itself will tell
                listed = await self.list_models()
                self.model = listed[0] if listed else ""
        return self.model or "default"  # servers of a single model take any name


class ReceivedCompletion:
    """A reply while it is received. Parts of it may be missing."""

    def __init__(self, backend: ChatBackend) -> None:
        self._backend = backend
        self.size = 0
        self._texts: list[str] = []
        self._thoughts: dict[str, Any] = {}
        self._calls: list[dict[str, Any]] = []
        self._reason = self._detail = ""
        self._usage = Usage()

    def read_event(self, event: Any, where: str) -> Iterator[StreamEvent]:
        """Convert an event of the SDK to stream events. Raises BackendError if the event reports an
        error or is invalid.
        """
        choices = event.get("choices") if isinstance(event, Mapping) else None
        if choices is None and where == "delta":
            choices = []
        if not isinstance(choices, list):
            raise BackendError(
                f"{self._backend.host} sent a reply that cannot be read. Check the address."
            )
        if isinstance(used := event.get("usage"), Mapping):
            details = used.get("prompt_tokens_details")
            cached = _token_count(details, "cached_tokens")
            self._usage = Usage(
                max(0, _token_count(used, "prompt_tokens") - cached),
                _token_count(used, "completion_tokens"),
                cached,
            )
        for choice in choices[:1]:
            if choice.get("finish_reason") == "error":
                raise interrupted_error(self._backend.host, ": it reported an error.")
            said = choice.get(where) or {}
            self._reason = str(choice.get("finish_reason") or self._reason)
            if isinstance(said.get("refusal"), str):
                self._detail += said["refusal"]
            for call in said.get("tool_calls") or ():
                self._read_call(call)
            for name in _THOUGHTS:
                thought: Any = said.get(name)
                if isinstance(thought, str | list):
                    self._append_text(thought if isinstance(thought, str) else json.dumps(thought))
                    before: Any = self._thoughts.get(name)
                    same = isinstance(before, type(thought))
                    self._thoughts[name] = before + thought if same else thought
            if isinstance(text := said.get("content"), str) and text:
                self._append_text(text)
                self._texts.append(text)
                yield TextDelta(text)

    def _append_text(self, text: str) -> None:
        self.size += len(text)
        self._backend.check_reply_length(self.size)

    def _read_call(self, piece: Mapping[str, Any]) -> None:
        """Read a piece of a call and append it to the latest call with the same index and id."""
        index, id = piece.get("index"), piece.get("id") or ""
        function = piece.get("function") or {}
        name, arguments = function.get("name") or "", function.get("arguments")
        call = next((c for c in reversed(self._calls) if c["index"] == index), None)
        new = call is None or (id and id != call["id"]) or (index is None and name)
        if call and name and not (id or call["id"]):  # it may give each call the same index
            new = new or isinstance(parse_call_arguments(call["arguments"] or "-"), Mapping)
        if call is None or new:
            call = {"index": index, "id": id, "name": "", "arguments": "", "extra": {}}
            self._calls.append(call)
        if extra := piece.get("extra_content"):
            call["extra"] = {"extra_content": extra}
        if arguments is not None and not isinstance(arguments, str):
            arguments = json.dumps(arguments)
        call["name"] = call["name"] or name
        call["arguments"] += arguments or ""
        self._append_text(f"{name}{arguments or ''}")
        self._backend.check_reply_length(len(call["arguments"]), MOST_ARGUMENTS)

    def finish(self) -> Iterator[StreamEvent]:
        """The blocks of the reply and its end. Raises BackendError if the end is missing."""
        if not self._reason:
            raise interrupted_error(self._backend.host)
        if text := "".join(self._texts):
            yield FinishedBlock(text_block(text))
        thoughts = {name: self._thoughts[name] for name in _THOUGHTS[:2] if name in self._thoughts}
        for call in self._calls:
            arguments = parse_call_arguments(call["arguments"])
            block = call_block(call["id"], str(call["name"]), arguments)
            yield FinishedBlock({**block, "kept": {"message": thoughts, "call": call["extra"]}})
        reason = "refusal" if self._detail else _REASONS.get(self._reason, "end_turn")
        if self._calls and reason == "end_turn":
            reason = "tool_use"
        only_thoughts = self._thoughts and not (self._calls or text.strip())
        yield ReplyEnd(reason, self._usage, self._detail or ONLY_THOUGHTS * bool(only_thoughts))


def chat_messages(
    system: str,
    messages: Sequence[Mapping[str, Any]],
    kept: Mapping[str, Mapping[str, Any]],
    no_thoughts: Mapping[str, str],
) -> list[dict[str, Any]]:
    """The messages in the form of the chat-completions API. ``kept`` holds, by call id, the fields
    that the server wants back with each call. Results can only be text, so their pictures follow in
    a user message, before the pictures that the user attached.
    """
    made: list[dict[str, Any]] = [{"role": "system", "content": system}] if system else []
    for message in messages:
        text = "\n\n".join(b["text"] for b in message["content"] if b["type"] == "text")
        if message["role"] == "assistant":
            blocks = [b for b in message["content"] if b["type"] == "tool_use"]
            calls = [_function_call(b) | kept.get(b["id"], {}).get("call", {}) for b in blocks]
            if text or calls:
                thoughts = kept.get(blocks[0]["id"], {}).get("message") if blocks else {}
                more = {"tool_calls": calls, **(thoughts or no_thoughts)} if calls else {}
                made.append({"role": "assistant", "content": text or None, **more})
            continue
        attached = [_image_part(b) for b in message["content"] if b["type"] == "image"]
        pictures: list[dict[str, Any]] = []
        for result in (b for b in message["content"] if b["type"] == "tool_result"):
            parts = result["content"]
            parts = [text_block(parts)] if isinstance(parts, str) else parts
            words = "\n\n".join(p["text"] for p in parts if p["type"] == "text")
            made.append({"role": "tool", "tool_call_id": result["tool_use_id"], "content": words})
            pictures += [_image_part(p) for p in parts if p["type"] == "image"]
        if pictures or attached:
            about = [text_block("The pictures of the results above:")] if pictures else []
            content = [*about, *pictures, *attached, *([text_block(text)] if text else [])]
            made.append({"role": "user", "content": content})
        elif text:
            made.append({"role": "user", "content": text})
    return made


def _function_call(block: Mapping[str, Any]) -> dict[str, Any]:
    function = {"name": block["name"], "arguments": json.dumps(block["input"])}
    return {"id": block["id"], "type": "function", "function": function}


def _image_part(part: Mapping[str, Any]) -> dict[str, Any]:
    source = part["source"]
    url = f"data:{source['media_type']};base64,{source['data']}"
    return {"type": "image_url", "image_url": {"url": url}}


def _tool_definition(tool: Tool, strict: bool) -> dict[str, Any]:
    """The definition of a tool in a request, marked as strict if ``strict`` and its schema permit
    it.
    """
    definition = offered_definition(tool)
    function = {
        "name": definition["name"],
        "description": definition.get("description", ""),
        "parameters": definition["input_schema"],
    }
    mark = {"strict": True} if strict and _is_strict(definition["input_schema"]) else {}
    return {"type": "function", "function": function | mark}


def _is_strict(schema: Any) -> bool:
    """Whether each object in a schema requires all its fields and allows no others."""
    if isinstance(schema, list):
        return all(map(_is_strict, schema))
    if not isinstance(schema, Mapping):
        return True
    own = schema.get("type") != "object" or (
        schema.get("additionalProperties") is False
        and {*schema.get("required", ())} == {*schema.get("properties", ())}
    )
    return own and "default" not in schema and all(map(_is_strict, schema.values()))


def _token_count(usage: Any, name: str) -> int:
    number = usage.get(name) if isinstance(usage, Mapping) else 0
    return number if isinstance(number, int) else 0
