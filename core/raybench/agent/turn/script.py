"""A conversation's tool calls as a Python script that runs them again on the same scenes."""

from __future__ import annotations

import json
import pprint
from collections.abc import Iterable

from raybench.agent.call.outcome import ToolOutcome
from raybench.agent.turn.transcript import Call, Exchange, revision_of
from raybench.files.document_file import document_to_json
from raybench.scene.document import Document
from raybench.schema.jsonable import jsonable

HEAD = '''"""{title}: its tool calls. Run it with the Python in which Raybench is installed."""

from raybench.agent.by_hand.replay import Replay

replay = Replay()
'''


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
        lines += [_call(outcome) for outcome in calls]
        reached = (exchange.after or before).revision
    return "\n".join(lines) + "\n"


def _literal(document: Document) -> str:
    return (
        f"r'''{text}'''"
        if "'''" not in (text := json.dumps(document_to_json(document), ensure_ascii=True))
        else repr(text)
    )


def _call(outcome: ToolOutcome) -> str:
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
