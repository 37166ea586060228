"""Running the calls of a conversation again, from a script."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from typing import Any

from core.agent.by_hand.typed_call import tool_at_hand, typed_call
from core.agent.call.call import ToolOutcome
from core.files.document_file import document_from_json
from core.session import Session
from core.trace.results.ray_set import RaySet


class Replay:
    """A session on which calls are made. ``scene`` is the text of a document as JSON; assigning another one keeps the ray sets' names."""

    def __init__(self, scene: str) -> None:
        self._answers: dict[str, RaySet] = {}
        self.scene = scene
        self.outcomes: list[ToolOutcome] = []

    @property
    def scene(self) -> str:
        """The text that was assigned; edits by calls are not in it."""
        return self._scene

    @scene.setter
    def scene(self, text: str) -> None:
        self._scene = text
        self.session = Session(document_from_json(json.loads(text)))

    def call(self, tool: str, arguments: Mapping[str, Any], rays: str = "") -> str:
        """Call a tool; returns what it found, in words, or its result as text.

        Args:
            tool: The tool's name.
            arguments: Its arguments by name.
            rays: The name under which later calls refer to the rays that it finds.

        Raises RaybenchError with the tool's error.
        """
        self.session.answers.clear()
        self.session.answers.update(self._answers)
        outcome = typed_call(self.session, tool_at_hand(tool), (), arguments)
        self.outcomes.append(outcome)
        if outcome.rays is not None:
            name = rays or outcome.rays.name
            self._answers[name] = dataclasses.replace(outcome.rays, name=name)
            return outcome.notes.replace(f"({outcome.rays.name})", f"({name})")
        return outcome.notes or outcome.text
