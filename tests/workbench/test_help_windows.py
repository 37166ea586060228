"""Finding one's way by keyboard: palette, sheet of keys, guides, diagnostics, mnemonics."""

from __future__ import annotations

from importlib import metadata

import pytest
from clipped_texts import clipped
from PySide6.QtCore import QEventLoop, QPoint, Qt
from PySide6.QtGui import QAction, QHelpEvent, QKeySequence
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QLabel,
    QMenu,
    QPushButton,
    QTextBrowser,
    QToolTip,
)
from tests.workbench.prism_window import prism_document

from raybench.scene.changes import Set
from raybench_workbench.actions import ACTIONS, ALWAYS, MENUS
from raybench_workbench.help_windows import PURPOSE, CommandPalette, GuidesDialog, match_score
from raybench_workbench.panels import document_lists

pytestmark = pytest.mark.one_window


CONTROL, SHIFT, ALT = (
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.AltModifier,
)


@pytest.fixture
def window(open_window):
    shown = open_window(prism_document())
    shown.selection.set({shown.document.scene.objects[1].key})
    shown.canvas.setFocus()
    return shown


def palette(window, qtbot, key=Qt.Key.Key_K, modifiers=CONTROL):
    qtbot.keyClick(window.canvas, key, modifiers)
    found = window.findChild(CommandPalette)
    assert found.isVisible()
    return found


@pytest.mark.parametrize("typed", ["mirror left", "mlr", "arrange mirror left"])
def test_letters_find_an_action_that_enter_runs(window, qtbot, typed):
    found = palette(window, qtbot)
    qtbot.keyClicks(found.query, typed)
    assert found.list.item(0).text().startswith("Arrange: Mirror left to right")
    qtbot.keyClick(found.query, Qt.Key.Key_Return)
    QApplication.processEvents()
    assert window.document.session.history.undo_text.startswith("Main Prism mirrored")


def test_an_action_runs_after_its_click(window, qtbot):
    ran = []
    action = QAction("Ask", window)
    action.triggered.connect(lambda: ran.append(QEventLoop().processEvents()))
    found = CommandPalette([("File", action)], window)
    found.open_over(window)
    qtbot.mouseClick(
        found.list.viewport(),
        Qt.MouseButton.LeftButton,
        pos=found.list.visualItemRect(found.list.item(0)).center(),
    )
    assert not ran
    QApplication.processEvents()
    assert len(ran) == 1


def test_a_saved_view_is_found_and_shown(window, qtbot):
    document_lists.save_view(window, "Overview")
    window.canvas.navigation.zoom(3)
    found = palette(window, qtbot)
    qtbot.keyClicks(found.query, "overview")
    assert found.list.item(0).text() == "Saved views: Overview"
    qtbot.keyClick(found.query, Qt.Key.Key_Return)
    QApplication.processEvents()
    assert window.document.session.view.camera == window.document.document.views["Overview"].camera


def test_an_example_is_found(window, qtbot):
    found = palette(window, qtbot)
    qtbot.keyClicks(found.query, "example rainbow")
    assert (
        found.list.item(0).text()
        == "Open example: The rainbow: dispersion and reflection in a drop"
    )


def test_the_palette_says_that_nothing_is_found(window, qtbot):
    found = palette(window, qtbot)
    assert found.no_match.isHidden()
    qtbot.keyClicks(found.query, "qqqqq")
    assert found.no_match.isVisible()


def test_arrow_keys_choose_in_the_palette(window, qtbot):
    found = palette(window, qtbot, Qt.Key.Key_P, CONTROL | SHIFT)
    titles = [found.list.item(i).text() for i in range(found.list.count())]
    assert len({row for row in titles if not row.startswith("Open example: ")}) == len(
        ACTIONS
    ) + len(["Save this view…"])
    qtbot.keyClicks(found.query, "mirror")
    second = found.list.item(1).text()
    qtbot.keyClick(found.query, Qt.Key.Key_Down)
    assert found.list.currentItem().text() == second
    qtbot.keyClick(found.query, Qt.Key.Key_Escape)
    assert not window.document.session.history.done
    assert QApplication.activePopupWidget() is None


def test_unusable_actions_come_before_chance_matches(window, qtbot):
    before = window.document.document
    found = palette(window, qtbot)
    qtbot.keyClicks(found.query, "undo")
    assert found.list.item(0).text().startswith("Edit: Undo")
    assert "(Nothing has been changed)" in found.list.item(0).text()
    assert any("Open example" in found.list.item(i).text() for i in range(1, found.list.count()))
    qtbot.keyClick(found.query, Qt.Key.Key_Return)
    assert found.isVisible()
    assert window.document.document is before


def test_unusable_actions_come_after_usable_ones(window, qtbot):
    window.selection.clear()
    found = palette(window, qtbot)
    qtbot.keyClicks(found.query, "Delete")
    texts = [found.list.item(i).text() for i in range(found.list.count())]
    i = next(i for i, t in enumerate(texts) if t.startswith("Edit: Delete"))
    assert found.list.item(i).flags() == Qt.ItemFlag.NoItemFlags
    before = window.document.document
    qtbot.mouseClick(
        found.list.viewport(),
        Qt.MouseButton.LeftButton,
        pos=found.list.visualItemRect(found.list.item(i)).center(),
    )
    assert window.document.document is before


@pytest.mark.parametrize(
    ("better", "worse"),
    [("Rotate…", "Mirror top to bottom"), ("Trace again", "Actual size at rest")],
)
def test_beginnings_of_words_count_most(better, worse):
    query = "rot" if better.startswith("R") else "tra"
    best, other = match_score(query, better), match_score(query, worse)
    assert best is not None
    assert other is None or best < other


def test_the_sheet_of_keys_holds_every_shortcut(window, qtbot):
    qtbot.keyClick(window.canvas, Qt.Key.Key_Slash, CONTROL)
    text = window.findChild(QTextBrowser).toPlainText()
    for action in ACTIONS:
        for key in window.actions_by_id[action.id].shortcuts():
            assert key.toString(QKeySequence.SequenceFormat.NativeText) in text
    assert "Arrow keys" in text
    assert "Ctrl+Y" in text


def test_the_guides_are_searched(window, qtbot):
    qtbot.keyClick(window.canvas, Qt.Key.Key_F1)
    guides = window.findChild(GuidesDialog)
    everything = guides.list.count()
    qtbot.keyClicks(guides.query, "mirror")
    assert 0 < guides.list.count() < everything
    assert "irror" in guides.text.toPlainText()
    guides.query.selectAll()
    qtbot.keyClicks(guides.query, "qqqq")
    assert guides.list.count() == 0
    assert "Nothing in the guides matches" in guides.text.toPlainText()


def test_the_guides_are_listed_with_their_sections(window, qtbot):
    qtbot.keyClick(window.canvas, Qt.Key.Key_F1)
    guides = window.findChild(GuidesDialog)
    rows = [guides.list.item(i) for i in range(guides.list.count())]
    names = [item.text() for item in rows if item.flags() == Qt.ItemFlag.NoItemFlags]
    assert names[:2] == ["Window", "Asking"]
    assert "Studies" in names
    assert guides.text.toPlainText().startswith("Window: Draw and add objects")
    qtbot.keyClick(guides.list, Qt.Key.Key_End)
    assert guides.text.toPlainText().startswith(f"{names[-1]}: {rows[-1].text().strip()}")
    assert not guides.list.horizontalScrollBar().isVisible()


def test_diagnostics_are_copied(window):
    window.actions_by_id["help.diagnostics"].trigger()
    text = QApplication.clipboard().text()
    assert metadata.version("raybench") in text
    assert f"{len(window.document.scene.objects)} objects" in text


def test_alt_and_a_letter_open_each_menu(window, qtbot):
    assert len({name[0] for name in MENUS}) == len(MENUS)
    qtbot.keyClick(window, Qt.Key.Key_A, ALT)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    assert menu is window.menus["Arrange"]
    menu.close()


def test_ctrl_y_redoes(window, qtbot):
    window.document.change(Set("Main Prism", {"refIndex": 1.7}))
    qtbot.keyClick(window.canvas, Qt.Key.Key_Z, CONTROL)
    assert window.document.scene.objects[1].ref_index == 1.5
    qtbot.keyClick(window.canvas, Qt.Key.Key_Y, CONTROL)
    assert window.document.scene.objects[1].ref_index == 1.7


def test_a_layout_is_reset(window):
    for name in ("view.scene", "view.rays"):
        window.actions_by_id[name].trigger()
    assert not window.scene_dock.isVisible()
    window.actions_by_id["window.reset"].trigger()
    assert window.scene_dock.isVisible()
    assert not window.rays_dock.isVisible()


def test_paragraphs_of_a_section_stand_apart(window):
    guides = GuidesDialog(window)
    guides.list.setCurrentRow(
        next(
            i
            for i in range(guides.list.count())
            if guides.list.item(i).text().strip() == "Light that arrives"
        )
    )
    document = guides.text.document()
    blocks = [document.findBlockByNumber(i) for i in range(document.blockCount())]
    assert len(blocks) > 5
    assert all(block.blockFormat().bottomMargin() > 0 for block in blocks)
    assert guides.list.item(0).foreground().color() == guides.list.palette().text().color()


def test_the_program_tells_and_copies_its_versions(window, qtbot):
    window.actions_by_id["help.about"].trigger()
    (dialog,) = [d for d in window.findChildren(QDialog) if d.windowTitle() == "About Raybench"]
    texts = [label.text() for label in dialog.findChildren(QLabel)]
    assert f"Raybench {metadata.version('raybench')}" in texts
    assert PURPOSE in texts
    (copy,) = [b for b in dialog.findChildren(QPushButton) if b.text() == "Copy"]
    qtbot.mouseClick(copy, Qt.MouseButton.LeftButton)
    assert "numpy" in QApplication.clipboard().text()
    assert not clipped(dialog)
    dialog.close()


def test_an_unusable_action_says_why(window, qtbot):
    window.selection.clear()
    window.refresh_actions()
    menu, rotate = window.menus["Arrange"], window.actions_by_id["arrange.rotate"]
    menu.popup(window.mapToGlobal(QPoint(20, 40)))
    at = menu.actionGeometry(rotate).center()
    QApplication.sendEvent(menu, QHelpEvent(QHelpEvent.Type.ToolTip, at, menu.mapToGlobal(at)))
    assert QToolTip.text() == "Select an object first."
    menu.close()
    found = palette(window, qtbot)
    qtbot.keyClicks(found.query, "arrange rotate")
    row = next(
        found.list.item(i).text()
        for i in range(found.list.count())
        if "Rotate…" in found.list.item(i).text()
    )
    assert row == "Arrange: Rotate…    Ctrl+R    (Select an object first)"


def test_every_condition_has_a_reason():
    assert all(row.enabled is ALWAYS or row.enabled.otherwise for row in ACTIONS)


def test_a_letter_runs_its_entry_in_a_menu(window, qtbot):
    (selected,) = window.selection.keys
    qtbot.keyClick(window, Qt.Key.Key_A, ALT)
    menu = window.menus["Arrange"]
    passed = []
    for _ in range(4):
        qtbot.keyClick(menu, Qt.Key.Key_B)
        passed.append(menu.activeAction().text())
    assert passed == ["Bring to front", "Bring forward", "Bring to front", "Bring forward"]
    qtbot.keyClick(menu, Qt.Key.Key_H)
    assert not menu.isVisible()
    assert window.document.document.hidden == {selected}
