"""A conversation's messages, kept valid: roles alternate, and every call has a result in the message after it."""

from __future__ import annotations

from collections.abc import Sequence

from core.agent.models.protocol import Block, Message

WRAP_UP = "That was the last tool call of this turn. Answer now from what you have; say what is still open."
"""What a model is told after the last call that it gets in a turn."""


def add_user(history: list[Message], blocks: Sequence[Block]) -> None:
    """Append what the program's side says; results come first, and a message that still waits for its reply is continued."""
    if history and history[-1]["role"] == "user":
        history[-1]["content"].extend(blocks)
    else:
        history.append({"role": "user", "content": list(blocks)})


def add_reply(history: list[Message], blocks: Sequence[Block], partial: str = "", *, calls: bool = True) -> None:
    """Append a reply: its whole blocks, and the text it was writing when it broke off. Without ``calls`` its calls are left out."""
    kept = [b for b in blocks if not (b["type"] == "text" and not b["text"].strip())]
    if not calls:
        kept = [b for b in kept if b["type"] != "tool_use"]
    if partial.strip():
        kept.append(text_block(partial))
    while kept and kept[-1]["type"] in ("thinking", "redacted_thinking"):
        kept.pop()  # a message may not end in a thought
    if kept:
        history.append({"role": "assistant", "content": kept})


def text_block(text: str) -> Block:
    return {"type": "text", "text": text}


def result_block(call: Block, text: str, ok: bool) -> Block:
    """The result of a call, for the model to read."""
    block: Block = {"type": "tool_result", "tool_use_id": call["id"], "content": text or "(empty)"}
    return block if ok else {**block, "is_error": True}
