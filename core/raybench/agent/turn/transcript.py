"""The record of a conversation: saved, exported as Markdown, JSON and a Python script, and
loaded.
"""

from __future__ import annotations

import hashlib
import json
import pprint
import re
import secrets
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cached_property
from importlib import metadata
from itertools import groupby
from typing import Any, Self

from raybench.agent.call.events import TurnFinished
from raybench.agent.call.outcome import GONE, ToolOutcome
from raybench.agent.models.protocol import Message, Usage
from raybench.agent.turn.history import add_reply, add_user, text_block
from raybench.agent.turn.loop import sources
from raybench.analysis.answers.words import rays_counted
from raybench.files.document_file import document_to_json
from raybench.files.scene_json import json_bytes
from raybench.scene.document import Document
from raybench.schema.jsonable import json_document, jsonable

VERSION = 1
HEAD = '''"""{title}: its tool calls. Run it with the Python in which Raybench is installed."""

from raybench.agent.by_hand.replay import Replay

replay = Replay()
'''


@dataclass(frozen=True, eq=False)
class Call:
    """A call of a tool; ``within``: whether another tool made it."""

    outcome: ToolOutcome
    within: bool = False


@dataclass(frozen=True, eq=False)
class Exchange:
    """A question and how the turn ended.

    ``parts`` are the texts and the calls in their order. ``before`` is the document when the turn
    began, ``after`` that at its end; None where this is not known. ``revision`` is that of the
    document that the answers are about: None if no call read the document, `GONE` if this state no
    longer exists.
    """

    question: str
    turn: TurnFinished
    parts: tuple[str | Call, ...] = ()
    before: Document | None = None
    after: Document | None = None
    revision: int | None = None
    time: datetime = field(default_factory=lambda: datetime.now(UTC))
    digest: str = ""
    """The `state_digest` of the document that the answers are about, where an earlier run wrote it.
    """

    def to_json(self) -> dict[str, Any]:
        """The exchange as JSON values."""
        turn = self.turn
        about = next(
            (d for d in (self.after, self.before) if d is not None and d.revision == self.revision),
            None,
        )
        return {
            "time": self.time.isoformat(),
            "question": self.question,
            "answer": turn.answer,
            "tools_used": list(turn.tools_used),
            "parts": [
                part
                if isinstance(part, str)
                else part.outcome.record(self.revision) | {"within": part.within}
                for part in self.parts
            ],
            "stopped": turn.stopped,
            "error": turn.error,
            "usage": vars(turn.usage),
            "cost": turn.cost,
            "reads": self.revision is not None,
            "digest": state_digest(about) if about is not None else self.digest,
        }

    @cached_property
    def _packed(self) -> bytes:
        return zlib.compress(json_document(self.to_json()).encode(), 1)

    @property
    def text(self) -> str:
        """The exchange as JSON text; computed once, since a conversation is written after every
        turn.
        """
        return zlib.decompress(self._packed).decode()


def revision_of(outcomes: Iterable[ToolOutcome]) -> int | None:
    """The last revision that the calls read; None if none did."""
    found = [_revision(outcome) for outcome in outcomes if outcome.ok]
    return max((revision for revision in found if isinstance(revision, int)), default=None)


def _revision(outcome: ToolOutcome) -> Any:
    if outcome.rays is not None:
        return outcome.rays.revision
    shown = outcome.display_values
    return shown.get("revision") if isinstance(shown, Mapping) else None


@dataclass(frozen=True, eq=False)
class Transcript:
    """A conversation so far: a value, so that another thread can write it."""

    exchanges: tuple[Exchange, ...] = ()
    id: str = field(default_factory=lambda: secrets.token_hex(8))
    started: datetime = field(default_factory=lambda: datetime.now(UTC))

    @property
    def title(self) -> str:
        """The first question."""
        return self.exchanges[0].question.split("\n")[0] if self.exchanges else "New conversation"

    def and_then(self, exchange: Exchange) -> Transcript:
        return replace(self, exchanges=(*self.exchanges, exchange))

    def history(self) -> list[Message]:
        """Questions and answers as messages for a model that did not see the conversation; results
        of calls are left out.
        """
        history: list[Message] = []
        for exchange in self.exchanges:
            add_user(history, [text_block(exchange.question)])
            add_reply(history, [text_block(exchange.turn.answer.strip() or "(no answer)")])
        return history

    def text(self, **about: Any) -> str:
        """The conversation as JSON text, with values ``about`` it before."""
        head = {
            **about,
            "version": VERSION,
            "id": self.id,
            "started": self.started.isoformat(),
            "title": self.title,
        }
        exchanges = ",\n".join(exchange.text for exchange in self.exchanges)
        return (
            f'{json_document(head).removesuffix("}").rstrip()},\n  "exchanges": [\n{exchanges}\n]}}'
        )

    @classmethod
    def from_json(cls, data: Mapping[str, Any], document: Document) -> Self:
        """A conversation that was written, about ``document``: answers about the same state of it
        are about its revision.

        Raises ValueError if the data are not those of a transcript.
        """
        try:
            if data["version"] != VERSION:
                raise ValueError(f"a transcript of version {data['version']}")
            digest = state_digest(document)
            exchanges = tuple(
                _exchange(record, document.revision if record["digest"] == digest else GONE)
                for record in data["exchanges"]
            )
            return cls(exchanges, str(data["id"]), _moment(data["started"]))
        except (KeyError, TypeError, AttributeError, OverflowError) as error:
            raise ValueError(f"no transcript: {type(error).__name__} {error}") from None


def state_digest(document: Document) -> str:
    """A digest of a document's contents and the version of the program; equal for equal documents,
    also in another run.

    The version is part of it because ray sets are stored by rows, which may differ in another
    version's trace.
    """
    version = metadata.version("raybench").encode()
    return hashlib.sha256(version + b"\0" + json_bytes(document_to_json(document))).hexdigest()


def _moment(text: str) -> datetime:
    """A written time; one without an offset is UTC, so that any two can be compared."""
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)


def _exchange(record: Mapping[str, Any], revision: int) -> Exchange:
    parts = tuple(
        part
        if isinstance(part, str)
        else Call(ToolOutcome.from_record(part, revision), bool(part["within"]))
        for part in record["parts"]
    )
    outcomes = tuple(part.outcome for part in parts if not isinstance(part, str))
    turn = TurnFinished(
        str(record["answer"]),
        tuple(map(str, record["tools_used"])),
        outcomes,
        Usage(**record["usage"]),
        bool(record["stopped"]),
        str(record["error"]),
        record["cost"],
    )
    time = _moment(record["time"])
    about = revision if record["reads"] else None
    return Exchange(
        str(record["question"]),
        turn,
        parts,
        revision=about,
        time=time,
        digest=str(record["digest"]),
    )


def markdown(exchanges: Iterable[Exchange], title: str = "Conversation") -> str:
    """The questions, and the texts and calls of the answers in their order, with times in
    milliseconds.
    """
    parts = [f"# {title}"]
    for exchange in exchanges:
        parts.append("\n".join(f"> {line}" for line in exchange.question.splitlines() or [""]))
        parts += [text for text in _answer(exchange) if text.strip()]
    return _without_pictures("\n\n".join(parts)) + "\n"


def _answer(exchange: Exchange) -> Iterator[str]:
    """The paragraphs of an answer; the calls of one after the other are a list."""
    turn = exchange.turn
    shown = exchange.parts or tuple(Call(outcome) for outcome in turn.outcomes)
    for _, together in groupby(shown, type):
        parts = list(together)
        yield "".join(part for part in parts if isinstance(part, str)).strip()
        yield "\n".join(_call(part.outcome) for part in parts if isinstance(part, Call))
    rests_on = f"Sources: {', '.join(sources(turn.outcomes))}"
    answer = turn.answer.removesuffix(rests_on).strip()
    if answer not in "".join(part for part in shown if isinstance(part, str)):
        yield answer
    yield rests_on if turn.answer.endswith(rests_on) else ""
    yield "*Stopped.*" if turn.stopped else ""
    yield f"**{turn.error}**" if turn.error else ""


def _without_pictures(text: str) -> str:
    """The Markdown with pictures and HTML disabled: a program that shows it must not fetch a URL,
    which could leak what a model has read.

    A backslash would not suffice, since a preceding one cancels it.
    """
    return re.sub(r"<(?=[A-Za-z/!?])", "&lt;", text.replace("![", "&#33;["))


def _call(outcome: ToolOutcome) -> str:
    arguments = ", ".join(
        f"{name}={json.dumps(value, ensure_ascii=False)}"
        for name, value in outcome.arguments.items()
    )
    mark = "✓" if outcome.ok else "✗"
    found = (
        f": {rays_counted(len(outcome.rays))}, {outcome.rays.name}"
        if outcome.rays is not None
        else ""
    )
    took = "kept from before" if outcome.cached else f"{outcome.milliseconds:.1f} ms"
    return f"- {mark} {outcome.sentence}{found} ({took}) `{outcome.tool}({arguments})`"


def script(exchanges: Iterable[Exchange], title: str, document: Document) -> str:
    """The calls that succeeded, in their order, each on the scene as it was.

    The scene is written into the script wherever the calls before it do not lead to it.
    Conversations of an earlier run of the program keep no scenes: their calls are run on
    ``document``.
    """
    lines = [HEAD.format(title=_comment(title).replace('"', "'").replace("\\", "/"))]
    scenes: dict[int, str] = {}
    reached: int | None = None
    for exchange in exchanges:
        calls = [
            part.outcome
            for part in exchange.parts
            if isinstance(part, Call) and part.outcome.ok and not part.within
        ]
        before = exchange.before or document
        lines.append(f"\n# {_comment(exchange.question)}")
        if not calls:
            continue
        scene = ""
        if before.revision != reached:
            if before.revision not in scenes:
                scenes[before.revision] = f"SCENE_{len(scenes) + 1}"
                lines.append(f"{scenes[before.revision]} = {_literal(before)}")
            scene = f"{scenes[before.revision]}, "
        lines.append(f"replay.turn({scene}revision={before.revision})")
        lines += [_replay_call(outcome) for outcome in calls]
        reached = (exchange.after or before).revision
    return "\n".join(lines) + "\n"


def _literal(document: Document) -> str:
    return (
        f"r'''{text}'''"
        if "'''" not in (text := json.dumps(document_to_json(document), ensure_ascii=True))
        else repr(text)
    )


def _replay_call(outcome: ToolOutcome) -> str:
    arguments = pprint.pformat(jsonable(dict(outcome.arguments)), width=120, sort_dicts=False)
    named = f", rays={outcome.rays.name!r}" if outcome.rays is not None else ""
    read = f", revision={revision}" if (revision := revision_of([outcome])) is not None else ""
    return (
        f"# {_comment(outcome.notes or outcome.sentence)}\nprint(replay.call({outcome.tool!r},"
        f" {arguments}{named}{read}))"
    )


def _comment(text: str) -> str:
    """A text in one line of a comment, without the characters that a source file must not hold or
    that hide others.
    """
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())[:200]
