"""What actions need before they can be used, and what is said where they cannot."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from raybench_workbench import arrange
from raybench_workbench.modules import editing as modules

if TYPE_CHECKING:
    from raybench_workbench.main_window import MainWindow


@dataclass(frozen=True)
class Condition:
    """Whether an action can be used; ``otherwise`` says why not, and what helps."""

    holds: Callable[[MainWindow], bool]
    otherwise: str = ""

    def __call__(self, w: MainWindow) -> bool:
        return self.holds(w)


ALWAYS = Condition(lambda w: True)
OBJECTS = Condition(lambda w: bool(w.document.scene.objects), "The scene has no objects.")
SELECTED = Condition(lambda w: bool(w.selection.keys), "Select an object first.")
ONE_SELECTED = Condition(lambda w: len(w.selection.keys) == 1, "Select one object first.")
EDGES_SELECTED = Condition(
    lambda w: _has_edges(w), "Select one object with edges, such as a glass, first."
)
SEVERAL_SELECTED = Condition(
    lambda w: len(w.selection.keys) > 1, "Select two objects or more first."
)
THREE_SELECTED = Condition(
    lambda w: len(w.selection.keys) > 2, "Select three objects or more first."
)
DELETABLE = Condition(
    lambda w: bool(w.selection.keys or w.selection.measurements),
    "Select an object or a measurement first.",
)
GROUPED = Condition(lambda w: bool(arrange.groups_of(w)), "Select an object of a group first.")
ONE_GROUP = Condition(
    lambda w: len(arrange.groups_of(w)) == 1, "Select objects of one group first."
)
INSTANCE = Condition(lambda w: bool(modules.instances(w)), "Select an instance of a module first.")
HIDDEN = Condition(lambda w: bool(w.document.document.hidden), "No object is hidden.")
DONE = Condition(
    lambda w: bool(w.document.session.history.done) and w.document.gesture is None,
    "Nothing has been changed.",
)
UNDONE = Condition(
    lambda w: bool(w.document.session.history.undone) and w.document.gesture is None,
    "Nothing has been undone.",
)
RAYS_CHOSEN = Condition(
    lambda w: w.document.session.view.highlight is not None or w.document.session.view.filtered,
    "All rays are shown.",
)
SEEN_BEFORE = Condition(
    lambda w: bool(w.document.session.views.earlier), "Nothing else has been shown."
)
SEEN_AFTER = Condition(
    lambda w: bool(w.document.session.views.later), "No view has been taken back."
)
TRACING = Condition(lambda w: w.service.busy, "Nothing is being traced.")
HAS_CONVERSATION = Condition(lambda w: bool(w.chat_dock.exchanges), "Nothing has been asked yet.")
ANSWERING = Condition(lambda w: w.chat_dock.busy, "No question is being answered.")
PROGRAMS_ALLOWED = Condition(
    lambda w: w.chat_dock.programs.address is not None, "Let programs connect first."
)


def _has_edges(w: MainWindow) -> bool:
    """Whether the selection is one object whose edges can be labelled."""
    obj = w.document.scene.get(next(iter(w.selection.keys))) if len(w.selection.keys) == 1 else None
    return obj is not None and obj.has_edge_table
