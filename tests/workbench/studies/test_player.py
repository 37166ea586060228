"""A study played on the canvas, by mouse and keys: the light follows, and the document stays as it is
until a value is kept.
"""

from __future__ import annotations

import pytest
from PIL import Image
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog
from tests.core.study.scenes import prism_scene

from raybench.study.request import StudyRequest
from raybench_workbench.export.film_dialog import FilmDialog
from raybench_workbench.studies.player import RepeatMode, next_row

pytestmark = pytest.mark.one_window
TURN = StudyRequest("sweep", ("Prism.angle=-20..-10:5",), ("deviation(Prism)",))


@pytest.fixture
def film(open_window, qtbot):
    """A window in which the sweep `TURN` was begun by Study → Play, and has just begun to play."""
    window = open_window(prism_scene())
    window.actions_by_id["view.study"].trigger()
    panel = window.studies
    panel.form.show_request(TURN)
    with qtbot.waitSignal(panel.runner.finished):
        window.actions_by_id["study.play"].trigger()
    assert panel.player.is_playing
    panel.player.timer.stop()  # the test turns the pages
    return window


def shown(qtbot, window):
    """The first corner of the prism on the canvas, once the row of the player is there."""
    player, selection = window.studies.player, window.selection
    qtbot.waitUntil(lambda: selection.snapshot is not None and player._is_ready())
    (key,) = (o.key for o in window.document.scene.objects if o.name == "Prism")
    assert window.canvas.frame().result is selection.snapshot.result
    return window.canvas.frame().document.scene.get(key).path[0]


def test_light_follows_and_esc_leaves_everything_as_it_was(film, qtbot):
    document, panel = film.document, film.studies
    before, done, light = document.document, len(document.session.history.done), document.result
    first = shown(qtbot, film)
    panel.player.advance()
    second = shown(qtbot, film)
    assert second != first
    assert panel.plot._mark.getData()[0].tolist() == [-17.5]
    qtbot.keyClick(film.canvas, Qt.Key.Key_Left)
    assert shown(qtbot, film) == first
    qtbot.keyClick(panel.player.slider, Qt.Key.Key_End)
    assert panel.player.row == 4
    assert shown(qtbot, film) not in (first, second)
    qtbot.keyClick(film.canvas, Qt.Key.Key_Space)
    assert panel.player.is_playing
    qtbot.keyClick(film.canvas, Qt.Key.Key_Escape)
    assert not panel.player.is_open
    assert film.selection.snapshot is None
    assert film.canvas.is_select_mode_active
    assert film.canvas.frame().document is before is document.document
    assert document.result is light
    assert len(document.session.history.done) == done


def test_a_kept_value_is_one_step(film, qtbot):
    panel, session = film.studies, film.document.session
    panel.player.step(2)
    corner = shown(qtbot, film)
    assert panel.apply_button.text() == "Keep this value"
    qtbot.mouseClick(panel.apply_button, Qt.MouseButton.LeftButton)
    assert [step.text for step in session.history.done] == ["Prism turned by 15° clockwise"]
    assert not panel.player.is_open
    (prism,) = (o for o in film.document.scene.objects if o.name == "Prism")
    assert prism.path[0] == corner


def test_an_edit_ends_the_film(film, qtbot):
    shown(qtbot, film)
    film.document.undo()
    film.selection.set(o.key for o in film.document.scene.objects if o.name == "Prism")
    film.actions_by_id["edit.delete"].trigger()
    assert not film.studies.player.is_open
    assert film.selection.snapshot is None


@pytest.mark.parametrize(
    ("repeat", "rows"),
    [
        (RepeatMode.LOOP, [1, 2, 0, 1]),
        (RepeatMode.BACK, [1, 2, 1, 0, 1]),
        (RepeatMode.ONCE, [1, 2, None]),
    ],
)
def test_rows_are_repeated(repeat, rows):
    row, step, seen = 0, 1, []
    for _ in rows:
        row, step = next_row(row, step, 3, repeat)
        seen.append(row if step else None)
    assert seen == rows


def test_a_film_is_written_by_the_dialog(film, qtbot, tmp_path, monkeypatch):
    out = tmp_path / "turn.gif"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(out), ""))
    panel = film.studies
    panel.player.repeat.setCurrentText(RepeatMode.BACK)
    qtbot.mouseClick(panel.film_button, Qt.MouseButton.LeftButton)
    dialog = film.findChild(FilmDialog)
    for side in dialog.sides:
        side.setValue(200)
    qtbot.mouseClick(dialog.write_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: panel.note.full_text == "turn.gif written")
    with Image.open(out) as gif:
        assert (gif.n_frames, gif.size) == (8, (200, 200))
