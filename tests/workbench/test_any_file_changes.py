"""Two windows on one file that other programs change, delete, replace and cut meanwhile, at random:
a save writes the whole document or says why not, what somebody else wrote is asked about and kept,
and unsaved changes are in a recovery file.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from prism_window import prism_document
from PySide6.QtWidgets import QApplication, QFileDialog, QMessageBox
from quiet import nothing_raised_or_printed

from raybench.errors import RaybenchError
from raybench.files import recovery
from raybench.files.atomic import backup_path, content_digest
from raybench.files.document_file import document_to_json, load_document, save_document
from raybench.files.recovery import read_draft
from raybench.scene.changes import Set
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.session import Session
from raybench_workbench import files, saving
from raybench_workbench.main_window import MainWindow
from raybench_workbench.shot import wait_until

SESSIONS, ACTIONS = (60, 100) if os.environ.get("RAYBENCH_LONG") else (2, 40)
pytestmark = pytest.mark.long


class Others:
    """Other programs that do anything to the file."""

    def __init__(self, path: Path, chance: Random) -> None:
        self.path, self.chance, self.number = path, chance, 0

    def act(self) -> str:
        way = self.chance.choice(
            (
                self.replace,
                self.write,
                self.delete,
                self.cut,
                self.empty,
                self.garbage,
                self.folder,
                self.back,
                self.touch,
            )
        )
        try:
            way()
        except OSError as error:  # there is no file, or a folder in its place
            return f"{way.__name__}: {error.strerror}"
        return way.__name__

    def document(self) -> Document:
        self.number += 1
        return Document(scene=Scene(name=f"theirs {self.number}"))

    def replace(self) -> None:
        if self.path.is_dir():
            self.path.rmdir()
        save_document(self.document(), self.path)

    def write(self) -> None:
        save_document(self.document(), other := self.path.with_name("other.json"))
        self.path.write_bytes(other.read_bytes())
        other.unlink()

    def delete(self) -> None:
        self.path.unlink()

    def cut(self) -> None:
        os.truncate(self.path, self.chance.randrange(self.path.stat().st_size + 1))

    def empty(self) -> None:
        self.path.write_bytes(b"")

    def garbage(self) -> None:
        self.path.write_bytes(self.chance.randbytes(200))

    def folder(self) -> None:
        if self.chance.random() < 0.3:
            self.path.unlink(missing_ok=True)
            self.path.mkdir()

    def back(self) -> None:
        """The backup takes the place of the file."""
        shutil.copyfile(backup_path(self.path), self.path)

    def touch(self) -> None:
        os.utime(self.path)


def content(path: Path) -> bytes:
    return path.read_bytes() if path.is_file() else b""


def as_json(document: Document) -> object:
    return document_to_json(document)["scene"]


def drafts(folder: Path) -> list[object]:
    found = []
    for file in folder.glob("*.raybench"):
        try:
            found.append(as_json(read_draft(file).document))
        except (RaybenchError, OSError):  # it was removed meanwhile
            continue
    return found


@pytest.mark.qt_no_exception_capture
@pytest.mark.parametrize("number", range(SESSIONS))
def test_whatever_others_do_to_the_file_a_save_is_whole_or_refused_and_what_was_there_is_kept(
    number: int,
    open_window: Callable[..., MainWindow],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(recovery.RecoveryWriter.__init__, "__defaults__", (0.01, 0.02))
    monkeypatch.setattr(saving, "READ_DELAY", 20)
    chance = Random(f"files {os.environ.get('RAYBENCH_SEED', '')} {number}")
    path = tmp_path / "scenes" / chance.choice(("bench.json", "bench.raybench", "Bänk 1.json"))
    path.parent.mkdir()
    save_document(prism_document(), path)
    others, windows, did, asked, messages = (
        Others(path, chance),
        [open_window(path), open_window(path)],
        list[str](),
        list[str](),
        list[str](),
    )
    for window in windows:
        window.document.failed.connect(messages.append)

    def answer(box: QMessageBox) -> int:
        """The person takes their time, in which other programs go on."""
        asked.append(box.text())
        if chance.random() < 0.3:
            did.append(f"  others {others.act()}")
        button = chance.choice(box.buttons())
        did.append(f"  {button.text()}")
        button.click()
        nonlocal there
        there = content(path)
        return 0

    def name_chosen(*_: object) -> tuple[str, str]:
        return chance.choice((str(path), "", str(path.with_name("elsewhere.json")))), ""

    monkeypatch.setattr(QMessageBox, "exec", answer)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", name_chosen)
    there = b""
    with nothing_raised_or_printed(did) as check:
        for step in range(ACTIONS):
            window = windows[chance.randrange(2)]
            document, session = window.document, window.document.session
            match chance.choice(
                (
                    "edit",
                    "edit",
                    "save",
                    "save",
                    "others",
                    "others",
                    "reload",
                    "undo",
                    "redo",
                    "wait",
                )
            ):
                case "edit":
                    glass = next(
                        (o for o in document.scene.objects if hasattr(o, "ref_index")), None
                    )
                    did.append(
                        "edit"
                        + (
                            document.apply_or_refuse(Set(glass.key, {"refIndex": 1 + step / 100}))
                            if glass
                            else " nothing"
                        )
                    )
                case "save":
                    there, known, files_before = content(path), session.digest, len(messages)
                    asked.clear()
                    mine, saved = as_json(document.document), saving.save_document(window)
                    did.append(f"save {saved} {asked} {messages[files_before:]}")
                    if saved:
                        at = session.path
                        assert at is not None
                        assert as_json(load_document(at)) == mine, did[-6:]
                        assert not session.modified
                        if at == path and there and there != content(path):
                            assert backup_path(path).read_bytes() == there, did[-6:]
                            assert asked or known is None or content_digest(there) == known, did[
                                -6:
                            ]
                        if at != path:  # and on with the file, whatever it is now
                            document.replace_session(Session.open(at))
                            document.session.path = path
                    else:
                        assert asked or len(messages) > files_before, did[-6:]
                        assert as_json(document.document) == mine
                case "others":
                    did.append(f"others {others.act()}")
                case "reload":
                    before, so_far = as_json(document.document), len(messages)
                    undone = len(session.history.done)
                    files.reload_document(window)
                    did.append(f"reload {messages[so_far:]}")
                    if len(messages) > so_far:
                        assert as_json(document.document) == before
                    else:
                        assert len(session.history.done) == undone + 1
                        assert as_json(session.history.done[-1].before) == before
                case "undo":
                    document.undo()
                case "redo":
                    document.redo()
                case _:
                    end = time.monotonic() + 0.1
                    while time.monotonic() < end:
                        QApplication.processEvents()
            for message in messages:
                assert len(message.splitlines()) == 1, message
            check()
            QApplication.processEvents()
            if step % 10 == 9:
                unsaved = [
                    as_json(w.document.document) for w in windows if w.document.session.modified
                ]
                wait_until(
                    lambda unsaved=unsaved: all(
                        u in drafts(tmp_path / "recovery") for u in unsaved
                    ),
                    30,
                )
        for window in windows:
            window.file_watch.check_file()
            end = time.monotonic() + 30
            while window.file_watch.state != expected(window) and time.monotonic() < end:
                QApplication.processEvents()
            assert window.file_watch.state == expected(window), did[-6:]
        check()


def expected(window: MainWindow) -> str:
    path, digest = window.document.session.path, window.document.session.digest
    assert path is not None
    if not path.is_file():
        return "gone"
    return "same" if content_digest(path.read_bytes()) == digest else "changed"
