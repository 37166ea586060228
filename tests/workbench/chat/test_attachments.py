"""Pictures that a person attaches to a message: chosen, dropped, pasted, sent and kept."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QColor, QDragEnterEvent, QDropEvent, QImage
from PySide6.QtWidgets import QApplication, QFileDialog, QPushButton, QWidget
from tests.messages_server import MessagesServer, refuse, say
from tests.workbench.prism_window import prism_document

from raybench.agent.models.anthropic import AnthropicBackend
from raybench.agent.models.chat import ChatBackend
from raybench.agent.models.protocol import PICTURES_REFUSED
from raybench.agent.models.scripted import ScriptedBackend
from raybench.files.document_file import save_document
from raybench_workbench.attached_pictures import (
    LONGEST_SIDE,
    PictureRefused,
    picture_from_image,
    read_picture,
)
from raybench_workbench.chat.attachments import NO_MODEL, TOO_MANY, Thumbnail
from raybench_workbench.chat.dock import ChatDock
from raybench_workbench.cli import main
from raybench_workbench.main_window import MainWindow
from raybench_workbench.widgets import WrappedLabel

Open = Callable[..., MainWindow]
LEFT, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


def image(width: int = 60, height: int = 30) -> QImage:
    made = QImage(width, height, QImage.Format.Format_RGB32)
    made.fill(QColor("orange"))
    return made


@pytest.fixture
def dock(qtbot: Any, open_window: Open, tmp_path: Path) -> ChatDock:
    path = tmp_path / "prism.raybench"
    save_document(prism_document(), path)
    dock = open_window(path).chat_dock
    dock.agent.start()
    qtbot.waitUntil(lambda: len(dock.composer.commands) > 1)
    return dock


def write(qtbot: Any, dock: ChatDock, text: str) -> None:
    count = len(dock.exchanges)
    dock.composer.edit.setFocus()
    qtbot.keyClicks(dock.composer.edit, text)
    qtbot.keyClick(dock.composer.edit, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not dock.busy and len(dock.exchanges) > count)


def drop(widget: QWidget, *paths: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    for event in (
        QDragEnterEvent(QPoint(9, 9), Qt.DropAction.CopyAction, data, LEFT, NONE),
        QDropEvent(QPointF(9, 9), Qt.DropAction.CopyAction, data, LEFT, NONE),
    ):
        QApplication.sendEvent(widget, event)


def sent_types(request: list[Mapping[str, Any]]) -> list[str]:
    return [block["type"] for block in request[-1]["content"]]


def test_pictures_are_chosen_dropped_pasted_and_removed_and_go_with_the_message(
    qtbot: Any, dock: ChatDock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    backend = ScriptedBackend(["A bench.", "As before."])
    dock.connect_model(backend)
    attachments = dock.composer.attachments
    chosen, dropped = tmp_path / "chosen.png", tmp_path / "dropped.webp"
    assert image().save(str(chosen))
    assert image(3000, 1500).save(str(dropped))
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_: ([str(chosen)], ""))
    qtbot.mouseClick(dock.composer.attach, LEFT)
    qtbot.waitUntil(lambda: len(attachments.pictures) == 1)
    drop(dock.messages.viewport(), dropped)
    qtbot.waitUntil(lambda: len(attachments.pictures) == 2)
    QApplication.clipboard().setImage(image())
    dock.composer.edit.setFocus()
    qtbot.keyClick(dock.composer.edit, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: len(attachments.pictures) == 3)
    drop(dock, chosen, chosen)
    assert attachments.refusal.text() == TOO_MANY
    qtbot.waitUntil(lambda: len(attachments.pictures) == 4)
    for _ in range(2):
        remove = attachments.thumbnails[-1].findChild(QPushButton)
        assert isinstance(remove, QPushButton)
        qtbot.mouseClick(remove, LEFT)
    assert [p.name for p in attachments.pictures] == ["chosen.png", "dropped.webp"]
    write(qtbot, dock, "What is this?")
    assert attachments.isHidden()
    assert len(dock.messages.findChildren(Thumbnail)) == 2
    assert sent_types(backend.requests[0])[-3:] == ["image", "image", "text"]
    small = QImage.fromData(
        base64.b64decode(backend.requests[0][-1]["content"][-2]["source"]["data"])
    )
    assert (small.width(), small.height()) == (LONGEST_SIDE, LONGEST_SIDE // 2)
    write(qtbot, dock, "And now?")
    assert "image" not in str([sent_types([message]) for message in backend.requests[1]])
    assert "a picture that you have seen" in str(backend.requests[1])


def test_pictures_of_queued_messages_beyond_the_limit_are_told(dock: ChatDock) -> None:
    dock.connect_model(ScriptedBackend([]))
    for text in ("One?", "Two?"):
        dock.composer.enqueue_message(text, (picture_from_image(image(), text),) * 3)
    dock.composer.take_back_queued_messages()
    assert [p.name for p in dock.composer.attachments.pictures] == ["One?"] * 3 + ["Two?"]
    assert dock.composer.attachments.refusal.text() == TOO_MANY


def test_a_picture_is_kept_with_its_conversation(
    qtbot: Any, dock: ChatDock, open_window: Open, tmp_path: Path
) -> None:
    dock.connect_model(ScriptedBackend(["A bench."]))
    drop_file = tmp_path / "bench.jpg"
    assert image().save(str(drop_file))
    drop(dock, drop_file)
    qtbot.waitUntil(lambda: len(dock.composer.attachments.pictures) == 1)
    write(qtbot, dock, "What is this?")
    (picture,) = dock.exchanges[0].pictures
    dock.window().close()
    again = open_window(tmp_path / "prism.raybench").chat_dock
    qtbot.waitUntil(lambda: len(again.exchanges) == 1)
    assert again.exchanges[0].pictures == (picture,)
    assert len(again.messages.findChildren(Thumbnail)) == 1
    assert "> (bench.jpg)" in again.transcript_markdown()


def test_a_picture_is_attached_on_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scene, path = tmp_path / "prism.raybench", tmp_path / "bench.png"
    save_document(prism_document(), scene)
    assert image().save(str(path))
    question = ["ask", str(scene), "What is this?", "--attach", str(path)]
    assert main([*question, "--offline"]) == 1
    assert "Only a model looks at pictures." in capsys.readouterr().err
    with MessagesServer([say("A bench.")]) as server:
        assert main([*question, "--base-url", server.url, "--model", "m"]) == 0
    assert "A bench." in capsys.readouterr().out
    assert sent_types(server.requests[0]["messages"])[-2:] == ["image", "text"]


def test_without_a_model_no_picture_is_taken(qtbot: Any, dock: ChatDock, tmp_path: Path) -> None:
    path = tmp_path / "bench.png"
    assert image().save(str(path))
    assert not dock.composer.attach.isVisible()
    drop(dock, path)
    assert dock.composer.attachments.refusal.text() == NO_MODEL
    assert dock.composer.attachments.isVisible()


@pytest.mark.parametrize("form", ["messages", "chat"])
def test_a_server_that_refuses_pictures_answers_without_them(
    form: str, qtbot: Any, dock: ChatDock
) -> None:
    refusal = refuse(400, "invalid_request_error", "this model does not support images")
    with MessagesServer([refusal, say("A bench.")], form=form) as server:
        kind = AnthropicBackend if form == "messages" else ChatBackend
        dock.connect_model(kind("m", server.url, "k"))
        dock.ask("What is this?", (picture_from_image(image(), "bench"),))
        qtbot.waitUntil(lambda: not dock.busy)
    seen = [str(request["messages"]).count("base64") for request in server.requests]
    assert seen == [1, 0]
    assert "A bench." in dock.exchanges[0].turn.answer
    assert not dock.exchanges[0].turn.error
    lines = [label.text() for label in dock.messages.findChildren(WrappedLabel)]
    assert PICTURES_REFUSED in lines


@pytest.mark.security
def test_what_is_no_picture_is_refused_in_a_sentence(tmp_path: Path) -> None:
    for name, content, reason in (
        ("text.png", b"no picture", "it is no PNG, JPEG, WebP or GIF"),
        ("drawing.png", b"<svg xmlns='http://www.w3.org/2000/svg'/>", "it is no PNG"),
        ("cut.png", b"\x89PNG\r\n\x1a\n" + bytes(20), "not attached"),
    ):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(PictureRefused, match=reason):
            read_picture(tmp_path / name)
    with pytest.raises(PictureRefused, match="No such file"):
        read_picture(tmp_path / "none.png")
