"""The selection, the hovered rays and the proposed edit, shared by canvas, list of objects and
chat.
"""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QObject, Signal

from raybench.agent.call.approval import Edit
from raybench.trace.results.ray_set import RaySet


class Selection(QObject):
    """The selected objects' keys or names of measurements, the hovered ray set, which is previewed
    until the pointer leaves, and the edit that awaits approval.
    """

    changed = Signal(object)
    """The new ``keys``."""
    presented = Signal(object)
    """Keys of objects that have just come into the scene, or back, and are selected: the canvas
    shows where they are.
    """
    measurementsChanged = Signal(object)
    """The new names of ``measurements``."""
    hoverChanged = Signal(object)
    """The hovered `RaySet`, or None."""
    objectHovered = Signal(object)
    """The key of the object whose name the pointer is on, outside the canvas, or None."""
    studyWanted = Signal(object)
    """A `StudyRequest` to show in the study panel, and to run."""
    proposalChanged = Signal(object)
    """The `Edit` that a person is asked about, or None."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.keys: frozenset[int] = frozenset()
        self.measurements: frozenset[str] = frozenset()
        self.hovered: RaySet | None = None
        self._proposals: dict[object, Edit] = {}
        """The edits to show, by who proposes them, the one on the canvas last."""

    def set(self, keys: Iterable[int]) -> None:
        keys = frozenset(keys)
        if keys:
            self.set_measurements(())
        if keys != self.keys:
            self.keys = keys
            self.changed.emit(keys)

    def present(self, keys: Iterable[int]) -> None:
        """Select objects that have just come into the scene, and bring them into sight."""
        self.set(keys)
        self.presented.emit(self.keys)

    def set_measurements(self, names: Iterable[str]) -> None:
        """Select measurements by name, and no objects."""
        names = frozenset(names)
        if names:
            self.set(())
        if names != self.measurements:
            self.measurements = names
            self.measurementsChanged.emit(names)

    def toggle(self, key: int) -> None:
        """Add an object to the selection, or remove it."""
        self.set(self.keys ^ {key})

    def clear(self) -> None:
        self.set(())
        self.set_measurements(())

    def hover(self, rays: RaySet | None) -> None:
        if rays is not self.hovered:
            self.hovered = rays
            self.hoverChanged.emit(rays)

    @property
    def proposal(self) -> Edit | None:
        """The edit that the canvas shows before it is made."""
        return next(reversed(self._proposals.values()), None)

    def propose(self, by: object, edit: Edit | None, *, behind: bool = False) -> None:
        """Show an edit on the canvas before it is made, in the place of the last one by the same;
        None when it is decided, and that of another is shown again. An edit ``behind`` the others
        is shown only while there is none.
        """
        before, others = (
            self.proposal,
            {other: e for other, e in self._proposals.items() if other is not by},
        )
        own = {by: edit} if edit is not None else {}
        self._proposals = own | others if behind else others | own
        if self.proposal is not before:
            self.proposalChanged.emit(self.proposal)
