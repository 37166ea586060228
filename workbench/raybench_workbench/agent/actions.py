"""The actions of a window that the agent may run. They are rows of the table of actions, named by
id or title.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from raybench.analysis.answers.words import value_in_words
from raybench.errors import RaybenchError
from raybench.scene.changes.values import suggest_similar_names
from raybench_workbench.actions import ACTIONS, Action

if TYPE_CHECKING:
    from raybench_workbench.main_window import MainWindow

OFFERED_ACTIONS = tuple(row for row in ACTIONS if row.agent)


class AgentActions:
    """Lists and runs the actions of a window, in the GUI thread."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window

    def run(self, name: str, on: bool | None) -> str:
        """Run an action, or list the actions; see
        `raybench.agent.call.open_document.OpenDocument.run_action`.
        """
        if not name.strip():
            return self._list_actions()
        row = _find_action(name.strip())
        title = self._action_title(row)
        if not row.enabled(self._window):
            raise RaybenchError(f"{title} cannot be used now. {row.enabled.otherwise}")
        if row.checked is None:
            if on is not None:
                raise RaybenchError(f"{title} is not something that is on or off. Leave 'on' out.")
            row.run(self._window)
            self._window.refresh_actions()
            return f"{title}: done."
        if on is None or on != row.checked(self._window):
            row.run(self._window)
            self._window.refresh_actions()
        now = row.checked(self._window)
        if (
            on is not None and on != now
        ):  # one of several choices, which another choice switches off
            raise RaybenchError(
                f"{title} is {_switch_state_text(now)}. Choose another of the menu {row.category} instead."
            )
        return f"{title} is {_switch_state_text(now)}."

    def _list_actions(self) -> str:
        lines = [f"{len(OFFERED_ACTIONS)} actions can be run:"]
        for row in OFFERED_ACTIONS:
            state = (
                "" if row.checked is None else f" [{_switch_state_text(row.checked(self._window))}]"
            )
            reason = "" if row.enabled(self._window) else f" (not now: {row.enabled.otherwise})"
            lines.append(
                f"{row.id}: {self._action_title(row)}, in the menu {row.category}{state}{reason}"
            )
        return "\n".join(lines)

    def _action_title(self, row: Action) -> str:
        return (row.title if isinstance(row.title, str) else row.title(self._window)).removesuffix(
            "…"
        )


def _find_action(name: str) -> Action:
    found = [
        row
        for row in ACTIONS
        if name == row.id
        or (isinstance(row.title, str) and name.casefold() == row.title.casefold())
    ]
    for row in found:
        if row.agent:
            return row
    if found:
        raise RaybenchError(
            f"{value_in_words(name)} is for the person alone. Call run_action without a name for those"
            " that you may run."
        )
    near = suggest_similar_names(name, [row.id for row in OFFERED_ACTIONS])
    raise RaybenchError(f"There is no action {value_in_words(name)}. {near}".strip())


def _switch_state_text(on: bool) -> str:
    return "on" if on else "off"
