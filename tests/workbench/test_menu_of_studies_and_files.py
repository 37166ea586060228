"""What the menus and a card share with the agent's tools: the best focus, a comparison with a file,
a study's plot.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from window_objects import key_of

from raybench.files.document_file import save_document
from raybench.kinds.detectors import Detector
from raybench.kinds.lenses import IdealLens
from raybench.kinds.sources import PointSource
from raybench.scene.changes import Move, Set
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.shapes.point import Point
from raybench_workbench.chat.cards import ToolCard
from raybench_workbench.compare import CompareDialog, show_differences_from

pytestmark = pytest.mark.one_window

BENCH = Document(
    scene=Scene.of(
        [
            PointSource(name="Lamp", x=-150, y=0, brightness=1),
            IdealLens(name="Lens", p1=Point(0, -30), p2=Point(0, 30), focal_length=100),
            Detector(name="Screen", p1=Point(280, -60), p2=Point(280, 60)),
        ],
        Settings(ray_mode_density=2),
    )
)


@pytest.fixture
def window(open_window: Any) -> Any:
    return open_window(BENCH)


def test_the_menu_moves_a_screen_to_the_image_as_one_step(window: Any, qtbot: Any) -> None:
    """A lens of 100 mm images what is at 150 mm to 300 mm."""
    window.selection.set([key_of(window, "Screen")])
    window.actions_by_id["arrange.focus"].trigger()
    qtbot.waitUntil(lambda: len(window.document.session.history.done) == 1)
    screen = window.document.scene.get(key_of(window, "Screen"))
    assert (screen.p1.x, screen.p2.x) == pytest.approx((300, 300), abs=1e-6)
    assert window.document.session.history.undo_text == "Screen moved to the best focus"


def test_what_has_no_focus_says_why(window: Any, qtbot: Any) -> None:
    window.selection.set([key_of(window, "Lamp")])
    with qtbot.waitSignal(window.document.failed) as told:
        window.actions_by_id["arrange.focus"].trigger()
    assert "Lamp" in told.args[0]
    assert not window.document.session.history.done


def test_differences_from_a_file_are_listed_and_lead_to_their_objects(
    window: Any, qtbot: Any, tmp_path: Path
) -> None:
    file = tmp_path / "before.json"
    save_document(BENCH, file)
    show_differences_from(window, file)
    qtbot.waitUntil(lambda: bool(window.findChildren(CompareDialog)))
    (same,) = window.findChildren(CompareDialog)
    assert same.summary.text() == "This scene is equal to before.json."
    same.reject()
    window.document.change(Set("Lens", {"focalLength": 80.0}))
    window.document.change(Move("Screen", dx=5, dy=0))
    show_differences_from(window, file)
    qtbot.waitUntil(lambda: any(d.isVisible() for d in window.findChildren(CompareDialog)))
    dialog = next(d for d in window.findChildren(CompareDialog) if d.isVisible())
    texts = [
        [dialog.rows.item(r, c).text() for c in range(4)] for r in range(dialog.rows.rowCount())
    ]
    assert texts[0] == ["Lens", "focal length", "100 mm", "80 mm"]
    assert texts[1][:2] == ["Screen", "first end"]
    dialog.rows.selectRow(0)
    assert window.selection.keys == {key_of(window, "Lens")}
    qtbot.mouseClick(dialog.copy_button, Qt.MouseButton.LeftButton)
    assert QApplication.clipboard().text().splitlines()[0] == "Lens: focal length 100 mm -> 80 mm"
    dialog.reject()


def test_a_file_that_cannot_be_read_is_told(window: Any, qtbot: Any, tmp_path: Path) -> None:
    with qtbot.waitSignal(window.document.failed) as told:
        show_differences_from(window, tmp_path / "none.json")
    assert "none.json" in told.args[0]


def test_a_sweep_that_was_asked_for_is_plotted_in_the_panel_by_its_button(
    window: Any, qtbot: Any
) -> None:
    window.chat_dock.ask("plot rms(Screen) against Screen.x from -10 to 40 in 6 steps")
    qtbot.waitUntil(lambda: not window.chat_dock.busy)
    (card,) = window.chat_dock.findChildren(ToolCard)
    assert card.study is not None
    qtbot.mouseClick(card.study, Qt.MouseButton.LeftButton)
    assert window.study_dock.isVisible()
    assert window.studies.form.request.vary == ("Screen.x=-10..40:6",)
    qtbot.waitUntil(
        lambda: window.studies.table is not None and len(window.studies.table.rows) == 6
    )
    assert window.studies.table.columns == ("Screen.x", "rms(Screen)")
