"""Repeats the recorded tool calls of a conversation from a script."""

import dataclasses
import json
import re
from collections.abc import Mapping
from typing import Any

from raybench.agent.by_hand.command_line import UnknownTool, run_typed_call, tool_without_model
from raybench.agent.call.context import new_turn_key
from raybench.agent.call.outcome import ToolOutcome
from raybench.agent.turn.transcript import last_revision_read
from raybench.files.document_file import document_from_json
from raybench.scene.changes.differences import match_object_keys
from raybench.scene.document import Document
from raybench.session import HistoryStep, Session
from raybench.trace.results.ray_set import RaySet

_RAY_ID = re.compile(r"\br(\d+)(?=-\d)")
_REVISION = "revision"
"""The parameter of tools that is a revision."""


class Replay:
    """A session in which recorded calls are repeated. Ray ids and revisions in recorded arguments
    are replaced by those of this session.
    """

    def __init__(self) -> None:
        self.session = Session()
        self.outcomes: list[ToolOutcome] = []
        self._answers: dict[str, RaySet] = {}
        self._revisions: dict[int, int] = {}
        """The revisions of the conversation, with those here."""
        self._turn = new_turn_key()

    def turn(self, scene: str = "", revision: int = 0) -> None:
        """Begin a turn; all edits of a turn are undone together.

        Args:
            scene: The text of a document as JSON; by default the scene is as the turn before left
                it.
            revision: The revision of the scene in the conversation.
        """
        if scene:
            self._show_document(document_from_json(json.loads(scene)))
        self._turn = new_turn_key()
        self._revisions[revision] = self.session.document.revision

    def _show_document(self, document: Document) -> None:
        """Make another document the current one, as a new state in the history."""
        before = self.session
        if not self.outcomes:
            self.session = Session(document)
            return
        after = match_object_keys(document, before.document.scene.objects)
        self.session = Session(after)
        self.session.history.done = [
            *before.history.done,
            HistoryStep((), "changed between the turns", before.document, after),
        ]

    def call(
        self, tool: str, arguments: Mapping[str, Any], rays: str = "", revision: int = 0
    ) -> str:
        """Call a tool. Returns the sentence that states the finding, or else the result as text.

        Args:
            tool: The tool's name.
            arguments: Its arguments by name.
            rays: The name under which later calls refer to the rays that it finds.
            revision: The revision that the call read in the conversation.

        A tool that is not there without a model or a project is not called; the text says so.
        Raises RaybenchError with a tool's error.
        """
        try:
            known = tool_without_model(tool)
        except UnknownTool as error:
            return f"Not called again: {error}"
        self.session.answers.clear()
        self.session.answers.update(self._answers)
        outcome = run_typed_call(
            self.session, known, (), self._current_arguments(arguments), turn=self._turn
        )
        self.outcomes.append(outcome)
        if (here := last_revision_read([outcome])) is not None:
            self._revisions[revision] = here
        if outcome.rays is not None:
            name = rays or outcome.rays.name
            self._answers[name] = dataclasses.replace(outcome.rays, name=name)
            return outcome.notes.replace(f"({outcome.rays.name})", f"({name})")
        return outcome.notes or outcome.text

    def _current_arguments(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        here = self._revisions
        said = (
            {_REVISION: here.get(arguments[_REVISION], arguments[_REVISION])}
            if _REVISION in arguments
            else {}
        )
        return {**{name: self._replace_ray_ids(value) for name, value in arguments.items()}, **said}

    def _replace_ray_ids(self, value: Any) -> Any:
        """Replace the recorded ray ids in a JSON value by the ids that the rays have in this
        session.
        """
        if isinstance(value, str):
            return _RAY_ID.sub(
                lambda found: f"r{self._revisions.get(int(found[1]), found[1])}", value
            )
        if isinstance(value, Mapping):
            return {name: self._replace_ray_ids(part) for name, part in value.items()}
        return [self._replace_ray_ids(part) for part in value] if isinstance(value, list) else value
