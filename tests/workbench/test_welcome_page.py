"""The welcome page, by mouse and keyboard."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton

from raybench.files.examples import EXAMPLES
from raybench_workbench.help_windows import (
    PICTURE_SIZE,
    WelcomePage,
    example_picture,
    example_question,
)
from raybench_workbench.theme import THEMES

WAIT = 60_000


@pytest.fixture
def window(open_window):
    return open_window()


@pytest.fixture
def page(window, qtbot) -> WelcomePage:
    window.actions_by_id["help.welcome"].trigger()
    page = window.findChild(WelcomePage)
    qtbot.waitUntil(lambda: page.drawn == len(EXAMPLES), timeout=WAIT)
    return page


def test_all_examples_have_a_picture_and_a_question(page):
    assert page.gallery.count() == len(EXAMPLES)
    assert all(example_question(example).count("\n") == 1 for example in EXAMPLES)


def test_the_pictures_show_light(raybench_app):
    dark = THEMES["dark"]
    for example in EXAMPLES[::5]:
        image = example_picture(example, dark)
        assert image.size() == PICTURE_SIZE
        assert (
            len(
                {
                    image.pixel(x, y)
                    for x in range(0, image.width(), 2)
                    for y in range(0, image.height(), 2)
                }
            )
            > 20
        )


@pytest.mark.parametrize("ratio", [1.5, 2.0])
def test_a_finer_screen_has_finer_pictures(ratio, raybench_app):
    image = example_picture(EXAMPLES[0], THEMES["dark"], ratio)
    assert image.size() == PICTURE_SIZE * ratio
    assert image.devicePixelRatio() == ratio
    coarse = example_picture(EXAMPLES[0], THEMES["dark"]).scaled(image.size())
    assert image != coarse


def test_a_click_tells_and_a_double_click_opens(window, page, qtbot):
    item = page.gallery.item(2)
    place = page.gallery.visualItemRect(item).center()
    qtbot.mouseClick(page.gallery.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert page.question.text() == example_question(EXAMPLES[2])
    with qtbot.waitSignal(window.document.opened):
        qtbot.mouseDClick(page.gallery.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert window.document.document.scene.objects
    qtbot.waitUntil(lambda: window.findChild(WelcomePage) is None)


def test_arrows_choose_enter_opens_and_escape_leaves(window, page, qtbot):
    qtbot.keyClick(page.gallery, Qt.Key.Key_Right)
    assert page.question.text() == example_question(EXAMPLES[1])
    before = window.document.document
    qtbot.keyClick(page, Qt.Key.Key_Escape)
    assert window.document.document is before
    qtbot.waitUntil(lambda: window.findChild(WelcomePage) is None)
    window.actions_by_id["help.welcome"].trigger()
    with qtbot.waitSignal(window.document.opened):
        qtbot.keyClick(window.findChild(WelcomePage).gallery, Qt.Key.Key_Return)


def test_recent_files_are_offered(open_window, qtbot, tmp_path):
    window = open_window()
    scene = tmp_path / "mine.json"
    scene.write_text('{"version": 5, "objs": [{"type": "PointSource", "x": 1, "y": 2}]}')
    window.settings.remember_file(scene)
    window.actions_by_id["help.welcome"].trigger()
    page = window.findChild(WelcomePage)
    (button,) = [b for b in page.findChildren(type(page.open_button)) if b.text() == "mine.json"]
    with qtbot.waitSignal(window.document.opened):
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert window.document.session.path == scene


def test_it_looks_right(page, shots):
    page.resize(960, 640)
    shots(page, "welcome")


def test_a_long_recent_name_keeps_the_width(window, qtbot, monkeypatch):
    monkeypatch.setattr(WelcomePage, "_draw_pictures", lambda *_: None)
    path = Path(f"{200 * 'W'}.json")
    pages = []
    for recent in ([], [path]):
        monkeypatch.setattr(type(window.settings), "recent", recent)
        pages.append(WelcomePage(window))
    assert pages[1].minimumSizeHint().width() == pages[0].minimumSizeHint().width()
    assert str(path) in [button.toolTip() for button in pages[1].findChildren(QPushButton)]
