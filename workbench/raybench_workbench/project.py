"""Opening a project's folder: its tools are added to the agent's, and its code runs only if the
user trusts it.
"""

from __future__ import annotations

import hashlib
from importlib.util import decode_source
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QLabel,
    QPlainTextEdit,
    QWidget,
)

from raybench.agent.catalogue.project_code import (
    TEXT_SUFFIXES,
    TOOLS_FILE,
    ProjectCode,
    TrustedFolders,
    read_project_code,
)
from raybench.agent.catalogue.registry import is_project
from raybench.errors import RaybenchError, escape_hidden_in_lines
from raybench_workbench import theme
from raybench_workbench.dialogs import last_folder
from raybench_workbench.translation import tr
from raybench_workbench.widgets import WrappedLabel, column_layout, describe_widget

if TYPE_CHECKING:
    from raybench_workbench.main_window import MainWindow

DIALOG_SIZE = 640, 480


def ask_open_project(window: MainWindow) -> None:
    """Ask for a project's folder and open the project."""
    name = QFileDialog.getExistingDirectory(
        window, tr("Open a project folder"), str(window.document.folder or last_folder(window))
    )
    if name:
        open_project(window, Path(name))


def open_project(window: MainWindow, folder: Path) -> None:
    """Add the tools in a project's folder to the agent's. Its Python code is run if the user
    trusted this version of it before, or agrees now.
    """
    trusted = ""
    try:
        if not is_project(folder):
            raise RaybenchError(
                tr(
                    "{folder}: this is no project: it has neither tools.py nor *.worker files."
                    " Choose another folder.",
                    folder=folder,
                )
            )
        if (folder / TOOLS_FILE).is_file():
            code = read_project_code(folder)
            if TrustedFolders().trust(lambda code: _ask_trust(window, code))(code):
                trusted = code.digest
    except OSError as error:
        window.document.failed.emit(
            tr(
                "{value}: this cannot be read ({reason}).",
                value=error.filename or folder,
                reason=error.strerror,
            )
        )
    except RaybenchError as error:
        window.document.failed.emit(str(error))
    else:
        window.chat_dock.show()
        window.chat_dock.agent.open_project(folder, trusted)


def _ask_trust(window: MainWindow, code: ProjectCode) -> bool:
    if TrustDialog(code, window).exec() != QDialog.DialogCode.Accepted:
        return False
    if read_project_code(code.folder).digest != code.digest:
        raise RaybenchError(
            tr(
                "{folder}: the code was changed while you looked at it. Open the project"
                " again to see it as it is.",
                folder=code.folder,
            )
        )
    return True


class TrustDialog(QDialog):
    """Shows the code of a project and asks whether to trust it. Enter and Esc answer no."""

    def __init__(self, code: ProjectCode, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Trust this project?"))
        self.resize(*DIALOG_SIZE)
        self._files = sorted(code.files.items(), key=lambda file: (file[0] != TOOLS_FILE, file[0]))
        title = QLabel(tr("Run the Python code of this project?"))
        title.setFont(theme.text_font(theme.TEXT_SIZE + 2, strong=True))
        path = WrappedLabel(str(code.folder), selectable=True)
        warning = WrappedLabel(
            tr(
                "It would run with all your rights: it can read, change and send your files."
                " Trust it only if you know who wrote it."
            ),
            role="warning",
        )
        self.which = describe_widget(QComboBox(), name=tr("File of the project"))
        self.which.addItems([name for name, _ in self._files])
        # code stays in sight for any name, and nothing stands out of sight behind a row of blanks
        self.which.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.which.currentIndexChanged.connect(self._show_file)
        self.code = describe_widget(QPlainTextEdit(), name=tr("Code that would run"))
        self.code.setReadOnly(True)
        self.code.setFont(theme.mono_font())
        self.code.setLineWrapMode(QPlainTextEdit.LineWrapMode.WidgetWidth)
        buttons = QDialogButtonBox()
        self.refuse = buttons.addButton("Don't trust", QDialogButtonBox.ButtonRole.RejectRole)
        self.accept_button = buttons.addButton(
            tr("Trust and run"), QDialogButtonBox.ButtonRole.AcceptRole
        )
        self.accept_button.setAutoDefault(False)
        self.refuse.setDefault(True)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        parts = (title, path, warning, self.which, (self.code, 1), buttons)
        column_layout(*parts, on=self, spacing=theme.GRID)
        self._show_file(0)
        self.refuse.setFocus()

    def _show_file(self, index: int) -> None:
        """Show a source file exactly as Python reads it: in its declared encoding, and without text
        direction marks, either of which could hide code from the reader.
        """
        name, content = self._files[index]
        if name.endswith(TEXT_SUFFIXES):
            try:
                text = decode_source(content)
            except (SyntaxError, ValueError, LookupError):  # then it cannot run, either
                text = content.decode("utf-8", errors="replace")
            self.code.setPlainText(escape_hidden_in_lines(text))
        else:
            digest = hashlib.sha256(content).hexdigest()
            self.code.setPlainText(
                tr(
                    "# compiled code, {count} bytes\n# SHA-256 {digest}",
                    count=len(content),
                    digest=digest,
                )
            )
