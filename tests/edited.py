"""Scenes with changes made to them, for tests that need no document."""

from __future__ import annotations

from core.scene.changes import Change, applied
from core.scene.document import Document
from core.scene.scene import Scene


def edited(scene: Scene, *changes: Change) -> Scene:
    """The scene with some changes."""
    return applied(changes, Document(scene=scene)).scene
