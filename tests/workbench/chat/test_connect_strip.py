"""The form that connects a model: where its key is kept."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from tests.messages_server import MessagesServer

from raybench.agent.models import known_servers
from raybench.agent.models.anthropic import DEFAULT_MODEL
from raybench.agent.models.known_servers import KNOWN_SERVERS
from raybench.agent.models.protocol import Backend
from raybench_workbench.chat import connect_strip
from raybench_workbench.chat.connect_strip import ConnectStrip

KEY = "sk-from-a-person"
HOST = ("raybench", "api.anthropic.com")
Open = Callable[[], ConnectStrip]


class FakeKeyring:
    """The package, with a keyring in memory."""

    def __init__(self, priority: float = 5) -> None:
        self.kept: dict[tuple[str, str], str] = {}
        self.error: type[BaseException] | None = None
        self.get_keyring = lambda: SimpleNamespace(priority=priority)

    def get_password(self, service: str, name: str) -> str | None:
        return self.kept.get((service, name))

    def set_password(self, service: str, name: str, key: str) -> None:
        if self.error is not None:
            raise self.error(key)
        self.kept[service, name] = key

    def delete_password(self, service: str, name: str) -> None:
        del self.kept[service, name]


@pytest.fixture
def open_form(qtbot: Any, raybench_app: QApplication) -> Iterator[Open]:
    strips: list[
        ConnectStrip
    ] = []  # the test's own reference ends before its last events are processed

    def open_form() -> ConnectStrip:
        strip = ConnectStrip()
        strips.append(strip)
        qtbot.addWidget(strip)
        strip.show()
        strip.open_form()
        qtbot.waitUntil(lambda: "api.anthropic.com" in strip._stored)
        return strip

    yield open_form
    strips.clear()


@pytest.fixture
def keyring(monkeypatch: pytest.MonkeyPatch) -> FakeKeyring:
    keyring = FakeKeyring()
    monkeypatch.setitem(sys.modules, "keyring", keyring)
    return keyring


def connected(qtbot: Any, strip: ConnectStrip) -> Any:
    """Test the model, which answers; returns its backend."""
    tested: list[Backend] = []
    strip.testRequested.connect(tested.append)
    qtbot.mouseClick(strip.test, Qt.MouseButton.LeftButton)
    assert strip.show_check_result(tested[-1], "")
    return tested[-1]


@pytest.mark.security
def test_a_key_that_works_goes_into_the_keyring_where_the_person_wants_it(
    qtbot: Any, open_form: Open, keyring: FakeKeyring
) -> None:
    strip = open_form()
    assert strip.keep.isVisibleTo(strip)
    assert not strip.keep.isChecked()
    qtbot.keyClicks(strip.key, KEY)
    connected(qtbot, strip)
    assert keyring.kept == {}, "the box was not ticked"
    strip.open_form()
    strip.keep.setChecked(True)
    connected(qtbot, strip)
    qtbot.waitUntil(lambda: keyring.kept == {HOST: KEY})


def test_a_key_of_the_keyring_is_used_and_can_be_removed(
    qtbot: Any, open_form: Open, keyring: FakeKeyring
) -> None:
    keyring.kept[HOST] = KEY
    strip = open_form()
    assert strip.keep.isChecked()
    assert strip.key.text() == "", "the key is shown nowhere"
    assert "the one in the system's keyring" in strip.key_place.text()
    assert connected(qtbot, strip).key == KEY
    assert keyring.kept == {HOST: KEY}
    strip.open_form()
    strip.keep.setChecked(False)
    connected(qtbot, strip)
    qtbot.waitUntil(lambda: keyring.kept == {})


class Panic(BaseException):
    """As a library in Rust raises it."""


@pytest.mark.parametrize("error", [PermissionError, Panic])
@pytest.mark.security
def test_a_keyring_that_does_not_keep_the_key_is_told(
    qtbot: Any,
    open_form: Open,
    keyring: FakeKeyring,
    error: type[BaseException],
    capfd: pytest.CaptureFixture[str],
) -> None:
    keyring.error = error
    strip = open_form()
    qtbot.keyClicks(strip.key, KEY)
    strip.keep.setChecked(True)
    connected(qtbot, strip)
    qtbot.waitUntil(
        lambda: f"does not keep the key ({error.__name__}). Unlock it" in strip.result.text()
    )
    assert KEY not in strip.result.text() + capfd.readouterr().err
    assert not strip.form.isHidden()


@pytest.mark.parametrize("package", [None, FakeKeyring(priority=0)])
def test_without_a_keyring_that_works_there_is_no_box(
    open_form: Open, monkeypatch: pytest.MonkeyPatch, package: object
) -> None:
    monkeypatch.setitem(sys.modules, "keyring", package)
    strip = open_form()
    assert not strip.keep.isVisibleTo(strip)
    assert "To keep it, set ANTHROPIC_API_KEY" in strip.key_place.text()


def test_a_server_on_this_computer_needs_no_keyring(
    qtbot: Any, open_form: Open, keyring: FakeKeyring
) -> None:
    strip = open_form()
    qtbot.keyClicks(strip.url, "http://localhost:11434")
    assert not strip.keep.isVisibleTo(strip)
    assert {model.key for model in connected(qtbot, strip).models} == {""}


def test_the_models_of_a_server_are_offered(
    qtbot: Any, open_form: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    strip = open_form()
    with MessagesServer([], form="chat") as server:
        ollama = next(s for s in KNOWN_SERVERS if s.name == "ollama")
        here = dataclasses.replace(ollama, address=f"{server.url}/v1")
        servers = tuple(here if s is ollama else s for s in KNOWN_SERVERS)
        for module in (connect_strip, known_servers):
            monkeypatch.setattr(module, "KNOWN_SERVERS", servers)
        qtbot.keyClick(strip.server, Qt.Key.Key_Down)
        qtbot.waitUntil(lambda: "lists 2 models." in strip.models_note.text())
    assert [strip.model.itemText(i) for i in range(strip.model.count())] == server.models
    assert strip.model.currentText() == "first-model"
    qtbot.keyClick(strip.server, Qt.Key.Key_Home)
    assert (strip.model.currentText(), strip.models_note.text()) == (DEFAULT_MODEL, "")
    qtbot.keyClick(strip.server, Qt.Key.Key_Down)  # which is gone
    qtbot.waitUntil(lambda: "cannot be reached. Start the" in strip.models_note.text())
    qtbot.keyClick(strip.server, Qt.Key.Key_End)
    assert (strip.server.currentText(), strip.url.text()) == ("Another address", "")


@pytest.mark.security
def test_a_typed_key_is_not_sent_to_an_address_that_is_typed_later(
    qtbot: Any, open_form: Open
) -> None:
    strip = open_form()
    qtbot.keyClicks(strip.key, KEY)
    qtbot.keyClicks(strip.url, "http://127.0.0.1:9")
    strip.url.editingFinished.emit()
    assert strip.models_note.text() == ""


@pytest.mark.security
def test_a_key_is_sent_to_a_typed_address_only_by_the_test(
    qtbot: Any, open_form: Open, keyring: FakeKeyring, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("ANTHROPIC_API_KEY", "OPENAI_API_KEY"):
        monkeypatch.setenv(name, KEY)
    strip = open_form()
    with MessagesServer([], form="chat") as server:
        qtbot.keyClicks(strip.url, f"{server.url}/v1")
        strip.url.editingFinished.emit()
        qtbot.waitUntil(lambda: "lists 2 models." in strip.models_note.text())
        strip._show_models_note("")
        qtbot.keyClicks(strip.key, KEY)
        strip.key.editingFinished.emit()
        assert strip.models_note.text() == ""
        assert {m.key for m in connected(qtbot, strip).models} == {KEY}
    assert not [h for h in server.listing_headers if {"authorization", "x-api-key"} & {*h}]
    assert len(server.listing_headers) == 1


def test_what_is_being_typed_stays_at_the_end_of_a_turn(
    qtbot: Any, open_form: Open, keyring: FakeKeyring
) -> None:
    form = open_form()
    form.url.setText("http://127.0.0.1:9")
    form.model.setCurrentText("first")
    backend = connected(qtbot, form)
    form.show_backend(backend)
    form.open_form()
    form.model.setCurrentText("second")
    form.show_backend(backend)  # a turn has ended
    assert form.model.currentText() == "second"
    form.show_backend(None)
    form.show_backend(backend)
    assert form.model.currentText() == "first"


def test_the_focus_stays_in_the_form_while_the_model_is_tested(
    qtbot: Any, open_form: Open, keyring: FakeKeyring
) -> None:
    form = open_form()
    form.activateWindow()
    qtbot.waitUntil(form.isActiveWindow)
    form.url.setText("http://127.0.0.1:9")
    form.test.setFocus()
    qtbot.keyClick(form.test, Qt.Key.Key_Space)
    assert not form.test.isEnabled()
    assert form.url.hasFocus()


def test_another_model_can_be_tested_after_going_offline_during_a_test(
    qtbot: Any, open_form: Open, keyring: FakeKeyring
) -> None:
    form = open_form()
    form.url.setText("http://127.0.0.1:9")
    backend = connected(qtbot, form)
    form.show_backend(backend)
    form.open_form()
    qtbot.mouseClick(form.test, Qt.MouseButton.LeftButton)
    qtbot.mouseClick(form.leave, Qt.MouseButton.LeftButton)
    form.open_form()
    assert form.test.isEnabled()
    assert form.test.text() == "Test and connect"
    connected(qtbot, form)


def test_the_form_scrolls_where_there_is_no_room_and_is_whole_where_there_is(
    open_form: Open,
) -> None:
    strip = open_form()
    strip.resize(240, strip.sizeHint().height() + 80)
    QApplication.processEvents()
    bar = strip.form.verticalScrollBar()
    assert bar.maximum() == 0
    assert strip.key_place.height() >= strip.key_place.heightForWidth(strip.key_place.width())
    strip.resize(240, 180)
    QApplication.processEvents()
    assert strip.height() == 180
    assert bar.maximum() > 0
    assert strip.key_place.height() >= strip.key_place.heightForWidth(strip.key_place.width()), (
        "nothing is squeezed"
    )
