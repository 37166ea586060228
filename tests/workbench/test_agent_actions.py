"""The actions of the table that the agent may run: what they show, and that they do no more than
that.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from prism_window import prism_document
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QLineEdit

from raybench.agent.models.scripted import ScriptedBackend, call
from raybench.errors import RaybenchError
from raybench_workbench.actions import ACTIONS
from raybench_workbench.agent.actions import OFFERED_ACTIONS, AgentActions
from raybench_workbench.main_window import MainWindow
from raybench_workbench.shot import wait_until_settled


def test_the_agent_opens_a_panel_and_colours_the_rays_under_read_only(
    qtbot: Any, open_window: Callable[..., MainWindow]
) -> None:
    window = open_window(prism_document())
    dock = window.chat_dock
    dock.agent.start()
    qtbot.waitUntil(lambda: len(dock.composer.commands) > 1)
    calls = [
        call("run_action", "a"),
        call("run_action", "b", name="view.plots", on=True),
        call("run_action", "c", name="power"),
        call("run_action", "d", name="select all"),
        call("run_action", "e", name="edit.delete"),
    ]
    dock.connect_model(ScriptedBackend([calls, "Done."]))
    dock.composer.profile.setCurrentIndex(dock.composer.profile.findData("read-only"))
    before = window.document.document
    dock.ask("Show me the plots.")
    qtbot.waitUntil(lambda: not dock.busy)
    outcomes = dock.exchanges[-1].turn.outcomes
    assert "view.plots: Plots, in the menu Window [off]" in outcomes[0].text
    assert [o.ok for o in outcomes] == [True, True, True, True, False]
    assert outcomes[1].text == "Plots is on."
    assert window.plots_dock.isVisible()
    assert window.document.session.view.coloring == "power"
    assert window.selection.keys == {o.key for o in before.scene.objects}
    assert "for the person alone" in outcomes[4].text
    assert window.document.document is before


def test_no_offered_action_changes_more_than_what_is_shown(window: MainWindow) -> None:
    actions, document, session = (
        AgentActions(window),
        window.document.document,
        window.document.session,
    )
    window.selection.set(frozenset(o.key for o in document.scene.objects[:1]))
    window.chat_dock.composer.edit.setFocus()
    QGuiApplication.clipboard().setText("the person's")
    theme, on = window.theme_name, set(window.canvas.snapper.enabled_kinds)
    for row in OFFERED_ACTIONS:
        for _ in range(2 if row.checked else 1):
            if row.enabled(window):
                actions.run(row.id, None)
            wait_until_settled(window)
            assert window.document.document is document, row.id
            assert not session.history.done, row.id
            assert QApplication.activeModalWidget() is None, row.id
            assert QApplication.activePopupWidget() is None, row.id
            assert QGuiApplication.clipboard().text() == "the person's", row.id
            assert QApplication.focusWidget() is window.chat_dock.composer.edit, row.id
            assert (window.theme_name, set(window.canvas.snapper.enabled_kinds)) == (theme, on), (
                row.id
            )


def test_what_is_typed_into_a_form_stays_there_when_the_agent_runs_an_action(
    qtbot: Any, window: MainWindow
) -> None:
    prism = window.document.scene.objects[1]
    window.selection.set(frozenset({prism.key}))
    wait_until_settled(window)
    before = window.document.document
    field = next(
        f for f in window.properties.findChildren(QLineEdit) if f.isVisible() and f.isEnabled()
    )
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, "7")
    AgentActions(window).run("view.rays", None)
    assert window.document.document is before
    assert field.text() == "7"


def test_an_action_that_can_be_on_or_off_is_set_and_others_refuse_it(window: MainWindow) -> None:
    actions = AgentActions(window)
    for _ in range(2):
        assert actions.run("Ray table", True) == "Ray table is on."
        assert window.rays_dock.isVisible()
    assert actions.run("view.rays", False) == "Ray table is off."
    assert not window.rays_dock.isVisible()
    with pytest.raises(RaybenchError, match="not something that is on or off"):
        actions.run("view.fit", True)
    with pytest.raises(
        RaybenchError, match=r"Show all rays cannot be used now\. All rays are shown"
    ):
        actions.run("view.clear", None)
    with pytest.raises(RaybenchError, match="Colour rays by"):
        actions.run(
            next(
                row.id
                for row in OFFERED_ACTIONS
                if row.id.startswith("coloring.") and row.checked and row.checked(window)
            ),
            False,
        )


def test_no_other_action_is_run(window: MainWindow) -> None:
    for row in ACTIONS:
        if not row.agent:
            with pytest.raises(RaybenchError, match="for the person alone"):
                AgentActions(window).run(row.id, None)


def test_a_name_of_nothing_is_refused_with_what_is_near(window: MainWindow) -> None:
    with pytest.raises(RaybenchError, match=r"no action view\.plot\. Did you mean .*view\.plots"):
        AgentActions(window).run("view.plot", None)
