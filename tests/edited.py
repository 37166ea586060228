"""Scenes with changes made to them, for tests that need no document."""

from __future__ import annotations

from raybench.scene.changes import Change, apply_changes
from raybench.scene.document import Document
from raybench.scene.scene import Scene


def edited(scene: Scene, *changes: Change) -> Scene:
    """The scene with some changes."""
    return apply_changes(changes, Document(scene=scene)).scene
