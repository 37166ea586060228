"""The messages of a conversation, kept in a valid form: roles alternate, and the message after a
tool call contains its result.
"""

import base64
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from raybench.agent.call.outcome import PngImage
from raybench.agent.models.protocol import Block, Message

WRAP_UP = (
    "That was the last tool call of this turn. Answer now from what you have; say what is still"
    " open."
)
"""The note after the result of a turn's last call. It is part of the result's block: a text block
is always the user's.
"""


NO_PICTURES = (
    "(a picture, which this model or its server does not take: say so where it matters, and ask the"
    " tools that answer in words and numbers)"
)
OLD_PICTURE_TEXT = (
    "(a picture that you have seen; take a new one, or ask for it, where you need it)"
)
GO_ON = "Your reply was cut off. Go on with it from where it ends."


@dataclass(frozen=True)
class AttachedPicture:
    """A picture that a person attached to a message: file name, and bytes in the format
    ``media_type``, such as ``image/png``.
    """

    name: str
    data: bytes
    media_type: str


def add_user_blocks(history: list[Message], blocks: Sequence[Block]) -> None:
    """Append blocks with the role *user* to the history, results first. They join the last message
    if it has this role too.
    """
    if history and history[-1]["role"] == "user":
        history[-1]["content"].extend(blocks)
    else:
        history.append({"role": "user", "content": list(blocks)})


def add_reply(
    history: list[Message], blocks: Sequence[Block], partial: str = "", *, calls: bool = True
) -> None:
    """Append a reply to the history: its complete blocks and, if it broke off, its ``partial``
    text. If ``calls`` is false, tool calls are omitted. A reply that continues after a pause
    extends the previous one.
    """
    remaining = [b for b in blocks if not (b["type"] == "text" and not b["text"].strip())]
    if not calls:
        remaining = [b for b in remaining if b["type"] != "tool_use"]
    if partial.strip():
        remaining.append(text_block(partial))
    remaining = [
        _sendable_call(b) if b["type"] == "tool_use" else b
        for b in _without_last_thoughts(remaining)
    ]
    if remaining and history and history[-1]["role"] == "assistant":
        history[-1]["content"].extend(remaining)
    elif remaining:
        history.append({"role": "assistant", "content": remaining})


def _sendable_call(call: Block) -> Block:
    """A call in a form that the APIs accept: with a valid name and an object as arguments."""
    name = call["name"] if re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", call["name"]) else "unknown"
    return {
        **call,
        "name": name,
        "input": call["input"] if isinstance(call["input"], Mapping) else {},
    }


def _without_last_thoughts(blocks: Sequence[Block]) -> list[Block]:
    """The blocks of a reply without thinking blocks at its end, since the API refuses a message
    that ends with a thinking block.
    """
    kept = list(blocks)
    while kept and kept[-1]["type"] in ("thinking", "redacted_thinking"):
        kept.pop()
    return kept


def remove_unanswered_searches(history: list[Message]) -> None:
    """Remove web searches of the server that have no results from the history. The API refuses them
    after the end of a turn.
    """
    blocks = [block for message in history for block in message["content"]]
    answered = {block["tool_use_id"] for block in blocks if block["type"].endswith("_tool_result")}
    for message in [
        m for m in history if any(_is_unanswered_search(b, answered) for b in m["content"])
    ]:
        message["content"] = _without_last_thoughts(
            [b for b in message["content"] if not _is_unanswered_search(b, answered)]
        )
        if not message["content"]:
            history.remove(message)


def _is_unanswered_search(block: Block, answered: Collection[str]) -> bool:
    return block["type"] == "server_tool_use" and block["id"] not in answered


def text_block(text: str) -> Block:
    return {"type": "text", "text": text}


def picture_block(data: bytes, media_type: str) -> Block:
    source = {
        "type": "base64",
        "media_type": media_type,
        "data": base64.b64encode(data).decode("ascii"),
    }
    return {"type": "image", "source": source}


def call_block(id: str, name: str, arguments: Any) -> Block:
    """A content block for a tool call by a model."""
    return {"type": "tool_use", "id": id, "name": name, "input": arguments}


def result_block(call: Block, text: str, ok: bool, *, picture: PngImage | None = None) -> Block:
    """A content block for the model that contains the result of a tool call."""
    text = text if text.strip() else "(empty)"  # the API refuses blank texts
    content: Any = text
    if picture is not None:
        content = [text_block(text), picture_block(picture.png, "image/png")]
    block: Block = {"type": "tool_result", "tool_use_id": call["id"], "content": content}
    return block if ok else {**block, "is_error": True}


def result_with_note(result: Block, note: str) -> Block:
    """A copy of a result block with a note added by the program."""
    content = result["content"]
    return {
        **result,
        "content": [
            *([text_block(content)] if isinstance(content, str) else content),
            text_block(note),
        ],
    }


def result_text(block: Block) -> str:
    """The text in a block made by `result_block`, without pictures and notes."""
    content = block["content"]
    return str(content if isinstance(content, str) else content[0]["text"])


def has_pictures(messages: Sequence[Mapping[str, Any]]) -> bool:
    """Whether one of the messages contains a picture, attached by the person or in a result."""
    return any(
        part["type"] == "image"
        for message in messages
        for block in message["content"]
        for part in (block["content"] if _has_content_parts(block) else (block,))
    )


def without_pictures(
    messages: Sequence[Mapping[str, Any]], instead: str = NO_PICTURES
) -> list[Message]:
    """A copy of the messages with the text ``instead`` in place of each picture, for models that
    accept no pictures.
    """

    def replace_picture(block: Block) -> Block:
        if block["type"] == "image":
            return text_block(instead)
        if not _has_content_parts(block):
            return block
        return {**block, "content": [*map(replace_picture, block["content"])]}

    return [
        {**message, "content": [*map(replace_picture, message["content"])]} for message in messages
    ]


def _has_content_parts(block: Block) -> bool:
    return block["type"] == "tool_result" and not isinstance(block["content"], str)


def take_unanswered(history: list[Message]) -> list[Block]:
    """Remove and return the blocks at the end of a history that ask for the next reply, after a
    turn that failed. They are the question, or the request to go on after a reply that broke off;
    empty after results of calls.
    """
    if not history or history[-1]["role"] == "assistant":
        return [text_block(GO_ON)]
    blocks = history[-1]["content"]
    return [blocks.pop()] if blocks[-1]["type"] == "text" else []
