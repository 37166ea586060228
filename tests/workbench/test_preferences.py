"""The dialog of preferences: each row has its effect at once, is remembered, and goes back to its
default.
"""

from __future__ import annotations

import threading

import pytest
from clipped_texts import clipped
from prism_window import prism_document
from PySide6.QtCore import Qt
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QLabel,
    QMessageBox,
    QPushButton,
    QScrollArea,
)
from window_state import wheel

from raybench.files import atomic
from raybench.scene.changes import Delete, SetSettings
from raybench_workbench import editing, theme
from raybench_workbench.dialogs import NameDialog
from raybench_workbench.preferences import settings as settings_module
from raybench_workbench.preferences.choices import (
    LANGUAGE,
    PREFERENCES,
    REOPENS,
    THEME,
    Preference,
)
from raybench_workbench.preferences.dialog import PreferencesDialog
from raybench_workbench.preferences.settings import MAX_RECENT, Settings
from raybench_workbench.shot import wait_until_settled

pytestmark = pytest.mark.one_window

LEFT, CONTROL = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier


def shown_theme(window):
    """The theme of the application, or that it is the desktop's."""
    chosen, name = window.settings.get(THEME), theme.current_theme().name
    return theme.SYSTEM if chosen == theme.SYSTEM and name == "dark" else name


EFFECTS = {
    "theme": ("paper", shown_theme),
    "language": ("de", lambda w: w.settings.get(LANGUAGE)),
    "newUnit": ("cm", lambda w: w.document.blank.unit),
    "newGrid": (True, lambda w: w.document.blank.scene.settings.show_grid),
    "keepsTool": (True, lambda w: w.canvas.keeps_tool),
    "snapReach": (20.0, lambda w: w.canvas.snapper.reach),
    "snapsOff": (frozenset({"rays", "foci"}), lambda w: w.canvas.snapper.off),
    "dragMilliseconds": (25.0, lambda w: w.service.worker.budget.milliseconds),
    "millionSegments": (2.0, lambda w: (w.service.limits.get("max_segments") or 0) / 1e6),
    "refinedPercent": (5.0, lambda w: 100 * w.refinement.error),
    "threads": (1.0, lambda w: float(w.service.limits.get("threads") or 0)),
    "memoryGigabytes": (3.0, lambda w: (w.service.limits.get("memory_limit") or 0) / 1e9),
    "reopens": (False, lambda w: w.settings.get(REOPENS)),
    "recoverySeconds": (30.0, lambda w: w.recovery._writer.between),
    "profile": ("auto", lambda w: w.chat_dock.composer.profile.currentData()),
    "smallModel": (True, lambda w: w.chat_dock.agent.small),
}
"""By the name of a preference, another value and what a window then has."""


@pytest.fixture
def window(open_window):
    made = open_window(prism_document())
    yield made
    made.show_theme("dark")


def dialog(window, qtbot):
    qtbot.keyClick(window.canvas, Qt.Key.Key_Comma, CONTROL)
    return window.findChild(PreferencesDialog)


def named(shown, kind, name):
    return next(w for w in shown.findChildren(kind) if (w.accessibleName() or w.text()) == name)


@pytest.mark.one_window(False)
def test_every_preference_acts_now_and_next_time(window, open_window):
    for row in PREFERENCES:
        value, now = EFFECTS[row.name]
        assert now(window) == row.default, row.name
        window.preferences.choose_value(row, value)
        assert now(window) == value, row.name
    another = open_window(prism_document())
    for row in PREFERENCES:
        value, now = EFFECTS[row.name]
        if row.at_start:
            assert now(another) == value, row.name
        window.preferences.choose_value(row, row.default)
        assert now(window) == row.default, row.name


def test_an_incomplete_preference_is_an_error():
    with pytest.raises(ValueError, match="'deaf'"):
        Preference("deaf", "", "", True, None)
    with pytest.raises(ValueError, match="'far'"):
        Preference("far", "", "", 7.0, print, high=5.0)


def test_impossible_stored_values_become_the_default(tmp_path):
    file = tmp_path / "settings.json"
    file.write_text(
        '{"theme": "neon", "snapReach": "much", "threads": -3, "keepsTool": 1, "snapsOff":'
        ' ["rays", 7]}'
    )
    settings = Settings(file)
    assert [settings.get(row) for row in PREFERENCES] == [row.default for row in PREFERENCES]


def test_the_dialog_acts_at_once(window, qtbot):
    shown = dialog(window, qtbot)
    combo = named(shown, QComboBox, "Unit")
    qtbot.keyClick(combo, Qt.Key.Key_C)
    spin = named(shown, QDoubleSpinBox, "Snapping distance")
    spin.selectAll()
    qtbot.keyClicks(spin, "15")
    qtbot.keyClick(spin, Qt.Key.Key_Return)
    assert window.canvas.snapper.reach == 15
    box = named(shown, QCheckBox, "Focal points")
    qtbot.keyClick(box, Qt.Key.Key_Space)
    assert "foci" in window.canvas.snapper.off
    assert shown.isVisible(), "Enter in a field does not close the dialog"
    qtbot.mouseClick(named(shown, QPushButton, "Restore defaults"), LEFT)
    assert box.isChecked()
    assert (spin.value(), window.canvas.snapper.reach) == (9, 9)
    assert all(window.settings.get(row) == row.default for row in PREFERENCES)


def test_the_open_dialog_follows_keys_and_menus(window, qtbot):
    shown = dialog(window, qtbot)
    focal, middles = (named(shown, QCheckBox, title) for title in ("Focal points", "Midpoints"))
    editing.toggle_snapping(window, "foci")
    assert not focal.isChecked()
    qtbot.mouseClick(middles, LEFT)
    assert not focal.isChecked()
    assert "foci" in window.canvas.snapper.off


def test_snapping_remembers_what_was_off(window):
    editing.toggle_snapping(window, "foci")
    own = window.canvas.snapper.off
    editing.toggle_all_snapping(window)
    assert not editing.snaps_to_objects(window)
    editing.toggle_all_snapping(window)
    assert window.canvas.snapper.off == own


def test_new_scenes_have_chosen_unit_and_grid(window):
    rows = {row.name: row for row in PREFERENCES}
    window.preferences.choose_value(rows["newUnit"], "µm")
    window.preferences.choose_value(rows["newGrid"], True)
    for _ in range(2):
        window.document.new()
        assert (window.document.document.unit, window.document.scene.settings.show_grid) == (
            "µm",
            True,
        )
        assert not window.isWindowModified()


@pytest.mark.parametrize(
    "row", [row for row in PREFERENCES if isinstance(row.default, bool)], ids=lambda row: row.name
)
def test_boxes_are_checked_by_mouse_and_keyboard(row, window, qtbot):
    box = named(dialog(window, qtbot), QCheckBox, row.title)
    box.click()
    assert window.settings.get(row) is not row.default
    qtbot.keyClick(box, Qt.Key.Key_Space)
    assert window.settings.get(row) is row.default


def test_a_choice_reaches_other_windows_at_once(window, open_window, qtbot):
    other = open_window(prism_document())
    shown = dialog(other, qtbot)
    rows = {row.name: row for row in PREFERENCES}
    qtbot.keyClick(window.canvas, Qt.Key.Key_K)  # keep the tool after drawing
    window.preferences.choose_value(rows["snapReach"], 14.0)
    qtbot.waitUntil(lambda: other.canvas.snapper.reach == 14)
    assert other.canvas.keeps_tool
    assert other.actions_by_id["insert.keep"].isChecked()
    assert named(shown, QDoubleSpinBox, "Snapping distance").value() == 14
    assert named(shown, QCheckBox, "Keep the tool after drawing").isChecked()


@pytest.mark.one_window(False)
def test_a_choice_of_another_process_acts(window, qtbot, tmp_path):
    (tmp_path / "settings.json").write_text(
        '{"theme": "paper", "keepsTool": true, "profile": "auto"}'
    )
    qtbot.waitUntil(lambda: window.canvas.keeps_tool)
    assert theme.current_theme().name == "paper"
    assert window.chat_dock.composer.profile.currentData() == "ask"


def test_a_trace_keeps_to_the_chosen_limit(window):
    row = next(row for row in PREFERENCES if row.name == "millionSegments")
    window.document.change(SetSettings({"rayModeDensity": 20}))
    wait_until_settled(window)
    many = len(window.document.result)
    window.service.limits = {"max_segments": 100}
    window.service.start()
    wait_until_settled(window)
    assert many > 200
    assert len(window.document.result) <= 100
    assert window.status.state.text().startswith("partial")
    window.preferences.choose_value(row, 0.0)


def test_the_dialog_leads_to_the_model(window, qtbot):
    shown = dialog(window, qtbot)
    qtbot.mouseClick(shown.connect_button, LEFT)
    assert window.chat_dock.isVisible()


def test_the_keyboard_begins_at_the_first_preference(window, qtbot):
    shown = dialog(window, qtbot)
    shown.activateWindow()
    qtbot.waitUntil(lambda: shown.focusWidget() is not None)
    assert shown.focusWidget() is named(shown, QComboBox, "Theme")


def test_the_dialog_looks_as_expected(window, qtbot, shots):
    QCursor.setPos(10_000, 10_000)  # not where an earlier test left it, over what is shown
    shown = dialog(window, qtbot)
    titles = {w.text() for kind in (QLabel, QCheckBox) for w in shown.findChildren(kind)}
    assert {row.title for row in PREFERENCES} <= titles
    shots(shown, "preferences")


def keep_template(window, qtbot, *names):
    """Type names, one after the other, into the dialog that keeps the scene as a template; returns
    the dialog.
    """
    window.actions_by_id["file.save_template"].trigger()
    dialog = window.findChildren(NameDialog)[-1]
    for name in names:
        dialog.edit.selectAll()
        qtbot.keyClicks(dialog.edit, name)
        qtbot.keyClick(dialog.edit, Qt.Key.Key_Return)
    return dialog


def test_a_template_begins_other_scenes(window, qtbot, monkeypatch, tmp_path):
    monkeypatch.setenv("RAYBENCH_STATE_DIR", str(tmp_path))
    menu = window.menus["New from template"]
    menu.aboutToShow.emit()
    assert not menu.actions()[0].isEnabled()
    dialog = keep_template(window, qtbot, "../elsewhere")
    assert dialog.isVisible()
    assert dialog.edit.text() == "../elsewhere"
    assert "cannot be named '../elsewhere'" in dialog.reason.text()
    dialog.reject()
    keep_template(window, qtbot, "Bench")
    assert [p.name for p in tmp_path.rglob("*.raybench") if p.parent.name == "templates"] == [
        "Bench.raybench"
    ]
    kept = window.document.scene.objects
    monkeypatch.setattr(QMessageBox, "question", lambda *a: QMessageBox.StandardButton.No)
    window.document.change(Delete([kept[0].key]))
    dialog = keep_template(window, qtbot, "Bench")
    assert dialog.reason.text() == "There is a template 'Bench' already. Give another name."
    dialog.edit.setText(300 * "a")
    qtbot.keyClick(dialog.edit, Qt.Key.Key_Return)
    assert dialog.reason.text().startswith("The template was not saved: ")
    assert "cannot be written: File name too long. Choose a shorter name." in dialog.reason.text()
    assert clipped(dialog) == []
    dialog.reject()
    window.document.new()
    menu.aboutToShow.emit()
    entry = menu.actions()[0]
    assert entry.text() == "Bench"
    entry.trigger()
    assert window.document.scene.objects == kept
    assert window.document.session.path is None
    assert not window.document.session.modified


def test_a_template_is_removed_where_the_person_agrees(window, qtbot, monkeypatch, tmp_path):
    monkeypatch.setenv("RAYBENCH_STATE_DIR", str(tmp_path))
    menu = window.menus["New from template"]
    for name in ("Bench", "Rail"):
        keep_template(window, qtbot, name)
    for answer, left in (
        (QMessageBox.StandardButton.No, ["Bench", "Rail"]),
        (QMessageBox.StandardButton.Yes, ["Rail"]),
    ):
        monkeypatch.setattr(QMessageBox, "question", lambda *_, answer=answer: answer)
        menu.aboutToShow.emit()
        removal = next(action.menu() for action in menu.actions() if action.text() == "Remove")
        removal.actions()[0].trigger()
        menu.aboutToShow.emit()
        assert [
            action.text() for action in menu.actions() if action.text() and not action.menu()
        ] == left


@pytest.mark.parametrize(
    "stored", ["5", '"/a.json"', '["", 5, null, ["/a.json"], ".."]', "{}", "[[", "null"]
)
def test_damaged_recent_files_are_left_out(tmp_path, stored):
    (tmp_path / "settings.json").write_text(f'{{"recent": {stored}}}')
    settings = Settings(tmp_path / "settings.json")
    assert [path for path in settings.recent if path.name != ".."] == []
    settings.remember_file(tmp_path / "a.json")
    assert settings.recent[0] == tmp_path / "a.json"


def test_the_environment_names_the_settings_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("RAYBENCH_CONFIG_DIR", str(tmp_path / "config"))
    (settings := Settings()).remember_welcome()
    settings.wait_until_written()
    assert (tmp_path / "config" / "settings.json").is_file()
    assert Settings().was_welcome_shown
    monkeypatch.setenv("RAYBENCH_CONFIG_DIR", str(tmp_path / "other"))
    assert not Settings().was_welcome_shown


def test_the_wheel_changes_no_preference(window, qtbot):
    shown = dialog(window, qtbot)
    before = {row.name: window.settings.get(row) for row in PREFERENCES}
    choices = shown.findChildren(QComboBox)
    assert choices
    for field in (*choices, *shown.findChildren(QAbstractSpinBox)):
        shown.findChild(QScrollArea).ensureWidgetVisible(field)
        wheel(field)
    profile = named(shown, QComboBox, "The agent may")
    shown.findChild(QScrollArea).ensureWidgetVisible(profile)
    profile.setFocus()
    wheel(profile)
    assert {row.name: window.settings.get(row) for row in PREFERENCES} == before


def test_two_windows_keep_what_each_of_them_wrote(tmp_path):
    rows = {row.name: row for row in PREFERENCES}
    one, other = Settings(tmp_path / "settings.json"), Settings(tmp_path / "settings.json")
    one.set(rows["theme"], "paper")
    one.remember_file(tmp_path / "a.json")
    one.wait_until_written()
    other.set(rows["keepsTool"], True)
    other.remember_file(tmp_path / "\udcffb.json")  # a name that is not UTF-8
    other.wait_until_written()
    found = Settings(tmp_path / "settings.json")
    assert (found.get(rows["theme"]), found.get(rows["keepsTool"])) == ("paper", True)
    assert found.recent == other.recent == [tmp_path / "\udcffb.json", tmp_path / "a.json"]


def test_programs_keep_each_other_s_settings(tmp_path):
    many = [Settings(tmp_path / "settings.json") for _ in range(MAX_RECENT)]
    for settings, name in zip(many, "abcdefgh", strict=True):
        settings.remember_file(tmp_path / name)
    for settings in many:
        settings.wait_until_written()
    assert sorted(path.name for path in Settings(tmp_path / "settings.json").recent) == [
        *"abcdefgh"
    ]


def test_a_slow_disk_does_not_stop_the_window(tmp_path, monkeypatch):
    rows = {row.name: row for row in PREFERENCES}
    written, may_go_on = [], threading.Event()

    def write_slowly(path, text):
        assert may_go_on.wait(20)
        written.append(text)
        atomic.write_text(path, text)

    monkeypatch.setattr(settings_module, "write_text", write_slowly)
    settings = Settings(tmp_path / "settings.json")
    settings.set(rows["theme"], "paper")
    settings.set(rows["keepsTool"], True)
    assert settings.get(rows["keepsTool"])
    assert not written
    may_go_on.set()
    settings.wait_until_written()
    assert len(written) <= 2
    assert (
        Settings(settings.path).get(rows["theme"]),
        Settings(settings.path).get(rows["keepsTool"]),
    ) == ("paper", True)


def test_unwritten_settings_hold_until_the_end(tmp_path, caplog):
    rows = {row.name: row for row in PREFERENCES}
    (tmp_path / "file").write_text("")
    settings = Settings(tmp_path / "file" / "settings.json")
    settings.set(rows["theme"], "paper")
    settings.set(rows["keepsTool"], True)
    settings.wait_until_written()
    settings.read_again()
    assert (settings.get(rows["theme"]), settings.get(rows["keepsTool"])) == ("paper", True)
    assert "until the program ends" in caplog.text
    (tmp_path / "file").unlink()
    settings.set(rows["keepsTool"], False)
    settings.wait_until_written()
    assert Settings(tmp_path / "file" / "settings.json").get(rows["theme"]) == "paper", (
        "written as soon as it can be"
    )


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: text.replace("}", ""),
        lambda text: text.replace("{", '{"zz": ' + "[" * 100_000 + "]" * 100_000 + ",", 1),
    ],
)
def test_an_unreadable_settings_file_is_kept(tmp_path, damage):
    rows = {row.name: row for row in PREFERENCES}
    file = tmp_path / "settings.json"
    settings = Settings(file)
    settings.set(rows["theme"], "paper")
    settings.wait_until_written()
    file.write_text(damaged := damage(file.read_text()))
    settings.set(rows["keepsTool"], True)
    settings.wait_until_written()
    assert (tmp_path / "settings.json~").read_text() == damaged
    assert (Settings(file).get(rows["theme"]), Settings(file).get(rows["keepsTool"])) == (
        "paper",
        True,
    )
