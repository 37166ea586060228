"""Opening a project's folder: what is asked before its code runs."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QApplication, QLabel

from raybench.agent.catalogue.project_code import TrustedFolders, read_project_code
from raybench_workbench.project import TrustDialog, open_project

pytestmark = pytest.mark.one_window


CODE = '''
from pathlib import Path

Path(__file__).with_name("ran").touch()


def double(number: float) -> float:
    """Twice a number."""
    return 2 * number
'''


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("RAYBENCH_CONFIG_DIR", str(tmp_path / "config"))
    folder = tmp_path / "bench"
    folder.mkdir()
    (folder / "tools.py").write_text(CODE)
    return folder


def when_asked(do):
    asked = []

    def act():
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, TrustDialog)
        asked.append(dialog)
        do(dialog)

    QTimer.singleShot(50, act)
    return asked


def commands(window):
    return window.chat_dock.composer.commands


def talk(window):
    return "\n".join(label.text() for label in window.chat_dock.messages.findChildren(QLabel))


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Space, Qt.Key.Key_Escape])
@pytest.mark.security
def test_enter_does_not_trust_the_code_shown(window, folder, qtbot, key):
    seen = []

    def press(dialog):
        seen.append(
            (dialog.code.toPlainText(), [label.text() for label in dialog.findChildren(QLabel)])
        )
        qtbot.keyClick(dialog.focusWidget(), key)

    when_asked(press)
    open_project(window, folder)
    code, labels = seen[0]
    assert code == CODE
    assert str(folder) in labels
    qtbot.waitUntil(lambda: "was not run" in talk(window), timeout=10_000)
    assert not (folder / "ran").exists()
    assert "double" not in commands(window)
    assert read_project_code(folder) not in TrustedFolders()


def test_changed_code_does_not_run(window, folder, qtbot):
    trusted = read_project_code(folder).digest
    (folder / "tools.py").write_text(CODE + "changed = 1\n")
    window.chat_dock.agent.open_project(folder, trusted)
    qtbot.waitUntil(lambda: "was not run" in talk(window), timeout=10_000)
    assert not (folder / "ran").exists()


def test_trusted_code_runs(window, folder, qtbot):
    when_asked(lambda dialog: dialog.accept_button.click())
    open_project(window, folder)
    qtbot.waitUntil(lambda: "double" in commands(window), timeout=10_000)
    assert (folder / "ran").exists()
    window.chat_dock.ask("/double 21")
    qtbot.waitUntil(lambda: not window.chat_dock.busy, timeout=10_000)
    assert "42" in window.chat_dock.transcript_markdown()


OWN = """
from raybench.agent.tools.tool import Tool
from raybench.agent.view_tools.state_tool import StateTool, merge_filter


class Weak(StateTool):
    name = "only_weak"
    description = "Show only weak rays."

    def _run(self, power=0.5):
        return {"must": [{"key": "power", "range": {"lt": power}}]}

    def apply_to_state(self, state, power: float = 0.5):
        merge_filter(state, self._run(power))
        return f"Below {power:g}."


halved = Tool.new("halved", (lambda x: x / 2, {"signature": "(x :float) -> :float"}))


def odd(x: "Nowhere") -> str:
    return x
"""


def test_every_form_of_tool_is_there(window, folder, qtbot):
    (folder / "tools.py").write_text(OWN)
    (folder / "judge.worker").write_text("---\ntools: [scael]\n---\nJudge.\n")
    (folder / "bad.worker").write_text("---\nmodle: x\n---\nJudge.\n")
    TrustedFolders().add(read_project_code(folder))
    open_project(window, folder)
    qtbot.waitUntil(
        lambda: "halved" in commands(window) and "except:" in talk(window), timeout=10_000
    )
    assert "only_weak" in commands(window)
    assert not {"odd", "bad"} & set(commands(window))
    told = talk(window)
    assert "The tools of the project bench are available, except:" in told
    assert "odd cannot be a tool: the type hint of 'x', Nowhere, cannot be resolved" in told
    assert "bad.worker: the front matter has modle." in told
    assert "judge.worker: it lists the tool scael, which does not exist." in told
    window.chat_dock.ask("/only_weak 0.3")
    qtbot.waitUntil(lambda: not window.chat_dock.busy, timeout=10_000)
    assert window.document.session.view.ray_filter
    window.chat_dock.ask("/halved 3")
    qtbot.waitUntil(lambda: not window.chat_dock.busy, timeout=10_000)
    assert "1.5" in window.chat_dock.transcript_markdown()
    assert told[told.index("The tools of the project") :] in talk(
        window
    )  # asking does not take it away


def test_a_trusted_folder_is_asked_about_once(window, folder, qtbot):
    TrustedFolders().add(read_project_code(folder))
    open_project(window, folder)
    qtbot.waitUntil(lambda: "double" in commands(window), timeout=10_000)
    (folder / "helpers.py").write_text("x = 1")
    asked = when_asked(lambda dialog: dialog.refuse.click())
    open_project(window, folder)
    assert asked


def test_code_that_changes_during_review_is_not_run(window, folder):
    def swap(dialog):
        (folder / "tools.py").write_text("raise SystemExit")
        dialog.accept_button.click()

    when_asked(swap)
    open_project(window, folder)
    assert "was changed while you looked" in window.messages.error.label.full_text
    assert read_project_code(folder) not in TrustedFolders()


def test_a_folder_that_is_no_project_is_reported(window, tmp_path):
    open_project(window, tmp_path)
    assert "neither tools.py nor *.worker" in window.messages.error.label.full_text


def test_a_folder_that_cannot_be_read_is_reported(window, folder, monkeypatch):
    def refuse(path):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))

    monkeypatch.setattr(Path, "is_file", refuse)
    open_project(window, folder)
    assert (
        "tools.py: this cannot be read (Permission denied)."
        in window.messages.error.label.full_text
    )


def test_a_worker_alone_makes_a_project(window, tmp_path, qtbot):
    own = tmp_path / "project" / "judge"
    own.mkdir(parents=True)
    (own / "worker.worker").write_text("---\ndescription: Judges.\n---\nJudge.\n")
    open_project(window, own.parent)
    qtbot.waitUntil(
        lambda: (
            window.chat_dock.agent.registry is not None
            and window.chat_dock.agent.registry.folder == own.parent
        )
    )
    assert "judge" in window.chat_dock.agent.registry.tools_by_name


def test_code_that_fails_is_reported_with_its_line(window, folder, qtbot):
    (folder / "tools.py").write_text("x = 1 / 0\n")
    TrustedFolders().add(read_project_code(folder))
    open_project(window, folder)
    qtbot.waitUntil(lambda: "tools.py" in talk(window) and "line 1" in talk(window), timeout=10_000)


def test_the_dialog_shows_what_python_reads(window, folder, qtbot):
    """In UTF-7 a comment can hold a line break: what looks like a remark would run."""
    (folder / "hidden.py").write_bytes(b"# coding: utf-7\n# harmless+AAo-import os\n")
    (folder / "native.so").write_bytes(b"\x7fELF")
    dialog = TrustDialog(read_project_code(folder), window)
    qtbot.addWidget(dialog)
    assert [dialog.which.itemText(i) for i in range(dialog.which.count())] == [
        "tools.py",
        "hidden.py",
        "native.so",
    ]
    dialog.which.setCurrentIndex(1)
    assert "import os" in dialog.code.toPlainText().splitlines()
    dialog.which.setCurrentIndex(2)
    assert "compiled code, 4 bytes" in dialog.code.toPlainText()


@pytest.mark.security
def test_marks_that_reorder_text_are_escapes(window, folder, qtbot):
    (folder / "tools.py").write_text(
        "if level != 'user\u202e # only for people':\n\tx = 1\n", encoding="utf-8"
    )
    dialog = TrustDialog(read_project_code(folder), window)
    qtbot.addWidget(dialog)
    assert dialog.code.toPlainText() == "if level != 'user\\u202e # only for people':\n\tx = 1\n"


def test_a_project_with_links_is_refused(window, folder, tmp_path):
    (tmp_path / "outside.py").write_text("x = 1")
    (folder / "linked.py").symlink_to(tmp_path / "outside.py")
    open_project(window, folder)
    assert "linked.py is a link" in window.messages.error.label.full_text


@pytest.mark.parametrize("encoding", ["rot13", "hex", "nonsense"])
@pytest.mark.security
def test_code_in_an_odd_encoding_is_shown(window, folder, encoding):
    (folder / "tools.py").write_text(f"# coding: {encoding}\nx = 1\n")
    seen = []

    def press(dialog):
        seen.append(dialog.code.toPlainText())
        dialog.refuse.click()

    when_asked(press)
    open_project(window, folder)
    assert seen == [f"# coding: {encoding}\nx = 1\n"]


@pytest.mark.security
def test_a_long_file_name_hides_no_code(window, folder, qtbot):
    deep = folder.joinpath(*["d" * 200] * 3)
    deep.mkdir(parents=True)
    (deep / "more.py").write_text("x = 1\n")
    dialog = TrustDialog(read_project_code(folder), window)
    qtbot.addWidget(dialog)
    dialog.show()
    assert dialog.which.count() == 2
    assert dialog.width() < 1000


@pytest.mark.security
def test_a_row_of_blanks_hides_no_code(window, folder):
    (folder / "tools.py").write_text(f"x = 1; {' ' * 400}import os; os.system('true')\n")
    seen = []

    def press(dialog):
        code = dialog.code
        begin = code.cursorRect(code.textCursor())
        code.moveCursor(code.textCursor().MoveOperation.End)
        code.find("import os", QTextDocument.FindFlag.FindBackward)
        seen.append(
            (
                code.horizontalScrollBar().maximum(),
                code.viewport().rect().contains(code.cursorRect()),
                code.cursorRect() != begin,
            )
        )
        dialog.refuse.click()

    when_asked(press)
    open_project(window, folder)
    assert seen == [(0, True, True)]
