"""The transcript of a conversation. It can be saved, loaded, and exported as Markdown, JSON or a
Python script.
"""

from __future__ import annotations

import hashlib
import json
import pprint
import re
import secrets
from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from importlib import metadata
from itertools import groupby
from typing import Any, Self

from raybench.agent.answer_check.claims import CheckedPart, SourceCall
from raybench.agent.call.events import TurnFinished, sent_back_line, unsupported_line
from raybench.agent.call.outcome import GONE_REVISION, ToolOutcome
from raybench.agent.models.protocol import Message, Usage
from raybench.agent.turn.history import (
    OLD_PICTURE_TEXT,
    AttachedPicture,
    add_reply,
    add_user_blocks,
    text_block,
)
from raybench.analysis.answers.words import ray_count_text
from raybench.errors import escape_hidden
from raybench.files.document_file import document_to_json
from raybench.files.scene_json import json_bytes
from raybench.scene.document import Document
from raybench.schema.json_values import json_document, to_json_value

VERSION = 1
SCRIPT_HEAD = '''"""{title}: its tool calls. Run it with the Python in which Raybench is installed."""

from raybench.agent.by_hand.replay import Replay

replay = Replay()
'''


@dataclass(frozen=True, eq=False)
class Exchange:
    """A question, its answer, and how the turn ended.

    ``parts``: texts and calls in order. ``before``, ``after``: the document at the start and at the
    end of the turn, None if unknown. ``revision``: the document revision of the answers; None if no
    call read the document, `GONE_REVISION` if this state no longer exists. ``pictures``: attached
    to the question.
    """

    question: str
    turn: TurnFinished
    parts: tuple[str | ToolOutcome, ...] = ()
    before: Document | None = None
    after: Document | None = None
    revision: int | None = None
    time: datetime = field(default_factory=lambda: datetime.now(UTC))
    digest: str = ""
    """The `state_digest` of the document that the answers are about, where an earlier run wrote it.
    """
    pictures: tuple[AttachedPicture, ...] = ()

    def to_json(self, *, compact: bool = False) -> dict[str, Any]:
        """The exchange as JSON values, for other programs or, if ``compact``, for `from_record`."""
        turn = self.turn
        about = next(
            (d for d in (self.after, self.before) if d is not None and d.revision == self.revision),
            None,
        )
        return {
            "time": self.time.isoformat(),
            "question": self.question,
            "pictures": [
                {
                    "name": picture.name,
                    "media_type": picture.media_type,
                    "data": b64encode(picture.data).decode(),
                }
                for picture in self.pictures
            ],
            "answer": turn.answer,
            "tools_used": list(turn.tools_used),
            "parts": [
                part
                if isinstance(part, str)
                else part.transcript_record(self.revision, compact=compact)
                for part in self.parts
            ],
            "stopped": turn.stopped,
            "error": turn.error,
            "usage": vars(turn.usage),
            "cost": turn.cost,
            "choices": list(turn.choices),
            "returned": turn.returned,
            "checked": [to_json_value(asdict(checked)) for checked in turn.checked],
            "reads": self.revision is not None,
            "digest": state_digest(about) if about is not None else self.digest,
        }

    @classmethod
    def from_record(cls, record: Mapping[str, Any], document: Document, digest: str) -> Self:
        """Restore an exchange from its compact record, in a conversation about ``document``.
        ``digest`` is the `state_digest` of the document; an answer about this state gets the
        document's revision. Raises ValueError if the record is invalid.
        """
        try:
            revision = document.revision if record["digest"] == digest else GONE_REVISION
            parts = tuple(
                part if isinstance(part, str) else ToolOutcome.from_record(part, revision)
                for part in record["parts"]
            )
            turn = TurnFinished(
                str(record["answer"]),
                tuple(part for part in parts if not isinstance(part, str)),
                Usage(**record["usage"]),
                bool(record["stopped"]),
                str(record["error"]),
                record["cost"],
                choices=tuple(map(str, record["choices"])),
                returned=str(record.get("returned", "")),
                checked=tuple(map(_checked_part, record.get("checked", ()))),
            )
            return cls(
                str(record["question"]),
                turn,
                parts,
                revision=revision if record["reads"] else None,
                time=parse_time(record["time"]),
                digest=str(record["digest"]),
                pictures=tuple(
                    AttachedPicture(
                        str(each["name"]),
                        b64decode(each["data"], validate=True),
                        str(each["media_type"]),
                    )
                    for each in record["pictures"]
                ),
            )
        except (KeyError, TypeError, AttributeError, OverflowError) as error:
            raise ValueError(f"no exchange: {type(error).__name__} {error}") from None


def last_revision_read(outcomes: Iterable[ToolOutcome]) -> int | None:
    """The document revision that the last call read; None if no call read the document."""
    found = (outcome.revision for outcome in outcomes if outcome.ok)
    return max((revision for revision in found if revision is not None), default=None)


@dataclass(frozen=True, eq=False)
class Transcript:
    """An immutable copy of a conversation, which another thread can write to a file."""

    exchanges: tuple[Exchange, ...] = ()
    id: str = field(default_factory=lambda: secrets.token_hex(8))
    started: datetime = field(default_factory=lambda: datetime.now(UTC))

    @property
    def title(self) -> str:
        """The first question, used as the title of the conversation."""
        return self.exchanges[0].question.split("\n")[0] if self.exchanges else "New conversation"

    @property
    def latest_time(self) -> datetime:
        """The time of the last question; without questions, the time at which the conversation
        began.
        """
        return self.exchanges[-1].time if self.exchanges else self.started

    def with_exchange(self, exchange: Exchange) -> Transcript:
        return replace(self, exchanges=(*self.exchanges, exchange))

    def without_last_exchange(self) -> Transcript:
        return replace(self, exchanges=self.exchanges[:-1])

    def to_messages(self) -> list[Message]:
        """The questions and answers as messages for a model that did not take part in the
        conversation, without results of tool calls.
        """
        history: list[Message] = []
        for exchange in self.exchanges:
            shown = [text_block(OLD_PICTURE_TEXT) for _ in exchange.pictures]
            add_user_blocks(history, [*shown, text_block(exchange.question)])
            add_reply(history, [text_block(exchange.turn.answer.strip() or "(no answer)")])
        return history

    def text(self) -> str:
        """The conversation as JSON text, for other programs."""
        return json_document(
            {
                "version": VERSION,
                "id": self.id,
                "started": self.started.isoformat(),
                "title": self.title,
                "exchanges": [exchange.to_json() for exchange in self.exchanges],
            }
        )


def state_digest(document: Document) -> str:
    """A hash of the contents of a document and of the program's version. Equal documents have equal
    hashes in all runs.

    The version is included since ray sets are stored as row numbers, which may differ in the trace
    of another version.
    """
    version = metadata.version("raybench").encode()
    return hashlib.sha256(version + b"\0" + json_bytes(document_to_json(document))).hexdigest()


def parse_time(text: str) -> datetime:
    """Parse a time. A time without an offset counts as UTC, so that any two times can be
    compared.
    """
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)


def _checked_part(record: Mapping[str, Any]) -> CheckedPart:
    record = dict(record)
    call = record.pop("call", None) or record.pop("told", None)  # as it was named before
    return CheckedPart(**record, call=None if call is None else SourceCall(*call))


def transcript_markdown(exchanges: Iterable[Exchange], title: str = "Conversation") -> str:
    """A conversation as Markdown: the questions and, in order, texts and tool calls of the answers.
    Run times are in milliseconds.

    Pictures and HTML are disabled: a program that displays the Markdown must not fetch a URL, which
    could leak what a model has read. A backslash would not suffice, since a preceding backslash
    cancels it.
    """
    parts = [f"# {title}"]
    for exchange in exchanges:
        lines = exchange.question.splitlines() or [""]
        lines += [f"({escape_hidden(picture.name)})" for picture in exchange.pictures]
        parts.append("\n".join(f"> {line}" for line in lines))
        parts += [text for text in _answer_paragraphs(exchange) if text.strip()]
    text = "\n\n".join(parts).replace("![", "&#33;[")
    return re.sub(r"<(?=[A-Za-z/!?])", "&lt;", text) + "\n"


def _answer_paragraphs(exchange: Exchange) -> Iterator[str]:
    """The paragraphs of an answer as Markdown; consecutive tool calls form a list."""
    turn = exchange.turn
    shown = exchange.parts or turn.outcomes
    for _, together in groupby(shown, type):
        parts = list(together)
        yield "".join(part for part in parts if isinstance(part, str)).strip()
        yield "\n".join(_call_line(part) for part in parts if not isinstance(part, str))
    answer = turn.answer.strip()
    if answer not in "".join(part for part in shown if isinstance(part, str)):
        yield answer
    yield f"Sources: {', '.join(turn.sources)}" if turn.sources else ""
    yield f"*{sent_back_line(turn.returned)}*" if turn.returned else ""
    yield f"*{unsupported_line(turn)}*" if turn.unsupported_parts else ""
    offered = [f"{i}. {question}" for i, question in enumerate(turn.choices, 1)]
    yield "" if offered and offered[-1] in answer else "\n".join(offered)
    yield "*Stopped.*" if turn.stopped else ""
    yield f"**{turn.error}**" if turn.error else ""


def _call_line(outcome: ToolOutcome) -> str:
    arguments = ", ".join(
        f"{name}={json.dumps(value, ensure_ascii=False)}"
        for name, value in outcome.arguments.items()
    )
    mark, rays = "✓" if outcome.ok else "✗", outcome.rays
    found = "" if rays is None else f": {ray_count_text(len(rays))}, {rays.name}"
    took = "kept from before" if outcome.cached else f"{outcome.milliseconds:.1f} ms"
    return f"- {mark} {outcome.sentence}{found} ({took}) `{outcome.tool}({arguments})`"


def transcript_script(exchanges: Iterable[Exchange], title: str, document: Document) -> str:
    """A Python script that repeats the successful tool calls in order, each on the scene of that
    time.

    The script contains the scene wherever the calls before do not lead to it. Conversations from an
    earlier run of the program keep no scenes; their calls run on ``document``.
    """
    lines = [SCRIPT_HEAD.format(title=_comment_line(title).replace('"', "'").replace("\\", "/"))]
    scenes: dict[int, str] = {}
    reached: int | None = None
    for exchange in exchanges:
        calls = [p for p in exchange.parts if not isinstance(p, str) and p.ok and not p.within]
        before = exchange.before or document
        lines.append(f"\n# {_comment_line(exchange.question)}")
        if not calls:
            continue
        scene = ""
        if before.revision != reached:
            if before.revision not in scenes:
                scenes[before.revision] = f"SCENE_{len(scenes) + 1}"
                text = json.dumps(document_to_json(before), ensure_ascii=True)
                literal = repr(text) if "'''" in text else f"r'''{text}'''"
                lines.append(f"{scenes[before.revision]} = {literal}")
            scene = f"{scenes[before.revision]}, "
        lines.append(f"replay.turn({scene}revision={before.revision})")
        for call in calls:
            arguments = to_json_value(dict(call.arguments))
            given = [repr(call.tool), pprint.pformat(arguments, width=120, sort_dicts=False)]
            given += [f"rays={call.rays.name!r}"] if call.rays is not None else []
            given += [f"revision={call.revision}"] if call.revision is not None else []
            lines.append(f"# {_comment_line(call.notes or call.sentence)}")
            lines.append(f"print(replay.call({', '.join(given)}))")
        reached = (exchange.after or before).revision
    return "\n".join(lines) + "\n"


def _comment_line(text: str) -> str:
    """A text as a Python comment in one line, without characters that are invalid in source files
    or that hide other characters.
    """
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())[:200]
