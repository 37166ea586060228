"""Sessions of random actions over two tabs and more, in one window and several: nothing is raised or
printed, each scene keeps its own history and conversation, and what is shown is what is edited.
"""

from __future__ import annotations

import gc
import os
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from prism_window import prism_document
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication
from quiet import nothing_raised_or_printed
from random_user import RandomUser
from shiboken6 import isValid

from raybench.files.document_file import document_to_json, load_document, save_document
from raybench.scene.document import Document
from raybench.session import Session
from raybench.system.files import user_folder
from raybench_workbench.main_window import MainWindow
from raybench_workbench.shot import wait_until
from raybench_workbench.window import tabs

SESSIONS, ACTIONS = (200, 25) if os.environ.get("RAYBENCH_LONG") else (1, 30)
MOST = 4
"""Scenes that are open at a time."""
pytestmark = pytest.mark.long


class Desk:
    """The open scenes, with the document that each began with."""

    def __init__(self, page: MainWindow, chance: random.Random, folder: Path) -> None:
        self.chance, self.folder = chance, folder
        self.begun: dict[MainWindow, Document] = {}
        self.ways: list[Callable[[MainWindow], object]] = [
            tabs.open_new_tab,
            tabs.open_new_window,
            tabs.show_next_tab,
            tabs.show_next_tab,
            tabs.detach_tab,
            self._move,
            self._open,
            self._carry,
            MainWindow.close,
        ]
        page.document.replace_session(Session(prism_document()))
        tabs.open_new_tab(page)
        self.look()

    def look(self) -> MainWindow:
        """Note new scenes, of which there are two at least; returns one that is shown."""
        while len(pages := tabs.open_pages()) < 2:
            tabs.open_new_tab(pages[0])
        for page in pages:
            if page not in self.begun:
                self._note(page)
                page.document.opened.connect(lambda page=page: self._note(page))
        self.begun = {page: begun for page, begun in self.begun.items() if page in pages}
        return self.chance.choice(tabs.tab_windows()).current_page

    def act(self, page: MainWindow) -> str:
        """Do something with the tab of a scene; returns what, in words."""
        way = self.chance.choice(self.ways)
        if len(self.begun) < MOST or way not in self.ways[:2]:
            way(page)
        return getattr(way, "__name__", "")

    def _note(self, page: MainWindow) -> None:
        self.begun[page] = page.document.document

    def _move(self, page: MainWindow) -> None:
        window = tabs.find_tab_window(page)
        assert window is not None
        window.move_to(page, self.chance.choice(tabs.tab_windows()), self.chance.randrange(-1, 3))

    def _open(self, page: MainWindow) -> None:
        if len(self.begun) < MOST:
            tabs.open_file_in_tab(page, self.folder / "prism.json")

    def _carry(self, page: MainWindow) -> None:
        """Copy all of a scene into another one."""
        page.selection.set({o.key for o in page.document.scene.objects})
        page.actions_by_id["edit.copy"].trigger()
        other = self.chance.choice(tabs.open_pages())
        if len(other.document.scene.objects) < 20:
            other.actions_by_id["edit.paste"].trigger()


def assert_consistent(pages: list[MainWindow]) -> None:
    """What holds of all scenes at any moment."""
    for page in pages:
        assert page.selection.keys <= {o.key for o in page.document.scene.objects}
        window = tabs.find_tab_window(page)
        assert window is not None
        assert (window.current_page is page) == page.isVisible()
    assert len({page.chat_dock.conversation.id for page in pages}) == len(pages)
    for window in tabs.tab_windows():
        assert window.windowTitle() == window.current_page.windowTitle()


@pytest.mark.qt_no_exception_capture
@pytest.mark.parametrize("number", range(SESSIONS))
def test_whatever_a_user_does_in_tabs_each_scene_keeps_its_own(
    number: int, tab_page: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gc.collect()
    monkeypatch.setenv("RAYBENCH_CACHE_DIR", str(user_folder("cache")))  # with the compiled kernels
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    (folder := tmp_path / "files").mkdir()
    save_document(prism_document(), folder / "prism.json")
    chance = random.Random(f"tabs {os.environ.get('RAYBENCH_SEED', '')} {number}")
    desk = Desk(tab_page, chance, folder)
    user = RandomUser(tab_page, chance, folder, monkeypatch, os.environ.get("RAYBENCH_ACTIONS"))
    with nothing_raised_or_printed(user.did) as check:
        for _ in range(ACTIONS):
            page = desk.look()
            if page is not user.window:
                user.change_window(page)
            hidden = {p: p.document.document for p in tabs.open_pages() if not p.isVisible()}
            if chance.random() < 0.2:
                user.did.append(desk.act(page))
            else:
                user.act()
                for other, document in hidden.items():
                    assert (
                        not isValid(other)
                        or other.isVisible()
                        or other.document.document is document
                    )
            QApplication.processEvents()
            QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
            desk.look()
            assert_consistent(tabs.open_pages())
            check()
        user.change_window(desk.look())
        for page, begun in desk.begun.items():
            document = page.document
            wait_until(lambda page=page: not page.chat_dock.busy, 60)
            save_document(document.document, tmp_path / "saved.raybench")
            loaded = load_document(tmp_path / "saved.raybench")
            assert document_to_json(loaded) == document_to_json(document.document)
            last, undone = document.document, len(document.session.history.undone)
            document.go_to_step(0)
            assert document.document is begun
            while len(document.session.history.undone) > undone:
                document.redo()
            assert document.document is last
        check()
