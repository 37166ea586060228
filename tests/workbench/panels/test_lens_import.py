"""Lens files in the window: a glass that the catalogue does not have is chosen, never replaced."""

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QApplication, QDialogButtonBox, QMessageBox
from tests.core.lens.lenses import TRIPLET

from raybench.lens.formats import write_lens
from raybench.lens.in_document import lens_design
from raybench.scene.document import Document
from raybench_workbench.panels.lens_import import GlassDialog, import_lens
from raybench_workbench.shot import wait_until_settled

pytestmark = pytest.mark.one_window

CATALOGUE = "NM H-F2X 5 0 1.6 36 0 1\nCD 1.6 0 0\nLD 0.4 0.8\n"


@pytest.fixture
def zmx(tmp_path: Path) -> Path:
    """A triplet whose flint has a name that the catalogue does not have, with its index."""
    path = tmp_path / "triplet.zmx"
    text = write_lens(TRIPLET, path.name)[0].decode()
    path.write_text(text.replace("___BLANK 1 0 1.62004 36.37", "H-F2X 0 0 1.62004 36.37"))
    return path


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    """The same without the index."""
    path = tmp_path / "triplet.len"
    lines = write_lens(TRIPLET, path.name)[0].decode().splitlines()
    path.write_text("\n".join("GLA H-F2X" if "M620364" in line else line for line in lines))
    return path


def drop(window, path):
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path))])
    action, left = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
    window.dropEvent(QDropEvent(QPointF(300, 300), action, mime, left, Qt.KeyboardModifier(0)))


def dialog_of(window, qtbot):
    qtbot.waitUntil(lambda: isinstance(QApplication.activeModalWidget(), GlassDialog))
    return QApplication.activeModalWidget()


def press(dialog, qtbot, role=QDialogButtonBox.ButtonRole.AcceptRole):
    (box,) = dialog.findChildren(QDialogButtonBox)
    button = next(b for b in box.buttons() if box.buttonRole(b) is role)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def flint(window):
    return lens_design(window.document.document).system.surfaces[2].glass


def close_notes(qtbot):
    box = QApplication.activeModalWidget()
    if isinstance(box, QMessageBox):
        qtbot.keyClick(box, Qt.Key.Key_Escape)


def test_dropped_lens_asks_for_its_glass(open_window, qtbot, zmx: Path) -> None:
    window = open_window(Document())
    drop(window, zmx)
    dialog = dialog_of(window, qtbot)
    choice = dialog.choices["H-F2X"]
    assert choice.currentText() == "As the file states: 1.62004/36.37"
    assert any(choice.itemText(i).startswith("F2: 1.62") for i in range(choice.count()))
    assert not window.document.scene.objects
    choice.lineEdit().selectAll()
    qtbot.keyClicks(choice.lineEdit(), "N-BK7")
    press(dialog, qtbot)
    qtbot.waitUntil(lambda: bool(window.document.scene.objects))
    assert flint(window) == "N-BK7"
    close_notes(qtbot)
    wait_until_settled(window)


def test_cancelled_choice_opens_nothing(open_window, qtbot, bare: Path) -> None:
    window = open_window(Document())
    drop(window, bare)
    dialog = dialog_of(window, qtbot)
    press(dialog, qtbot)
    assert dialog.reason.text() == "H-F2X: choose a glass."
    dialog.choices["H-F2X"].setEditText("nonsense")
    press(dialog, qtbot)
    assert "nonsense" in dialog.reason.text()
    press(dialog, qtbot, QDialogButtonBox.ButtonRole.RejectRole)
    wait_until_settled(window)
    assert not window.document.scene.objects


def test_glass_comes_from_a_catalogue_file(open_window, qtbot, bare: Path, monkeypatch) -> None:
    catalogue = bare.with_name("maker.agf")
    catalogue.write_text(CATALOGUE)
    window = open_window(Document())
    drop(window, bare)
    dialog = dialog_of(window, qtbot)
    dialog.use_catalogue(bare)
    assert "no glasses" in dialog.reason.text()
    monkeypatch.setattr("raybench_workbench.panels.lens_import.ask_open_name", lambda *_: catalogue)
    qtbot.mouseClick(dialog.catalogue, Qt.MouseButton.LeftButton)
    assert "maker.agf" in dialog.choices["H-F2X"].currentText()
    press(dialog, qtbot)
    qtbot.waitUntil(lambda: bool(window.document.scene.objects))
    assert flint(window).n_d == pytest.approx(1.6)
    close_notes(qtbot)
    wait_until_settled(window)


def test_imported_lens_is_added_in_the_unit_of_the_scene(open_window, qtbot, zmx: Path) -> None:
    zmx.write_text(zmx.read_text().replace("UNIT MM", "UNIT CM"))
    window = open_window(Document())
    import_lens(window, zmx)
    press(dialog_of(window, qtbot), qtbot)
    qtbot.waitUntil(lambda: bool(window.document.scene.objects))
    design = lens_design(window.document.document)
    assert design.system.surfaces[0].radius == pytest.approx(220.1359)
    close_notes(qtbot)
    wait_until_settled(window)
    window.document.undo()
    assert not window.document.scene.objects


def test_file_that_is_no_lens_leaves_the_scene(open_window, qtbot, tmp_path: Path) -> None:
    window = open_window(Document())
    path = tmp_path / "picture.zmx"
    path.write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")
    with qtbot.waitSignal(window.document.failed) as caught:
        drop(window, path)
    assert caught.args[0].endswith("picture.zmx: this is a PNG picture.")
    assert not window.document.scene.objects
