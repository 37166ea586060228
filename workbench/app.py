"""Starting the application."""

from __future__ import annotations

import builtins
import sys
from importlib.resources import files
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication

if TYPE_CHECKING:
    from workbench.document import WorkDocument
    from workbench.main_window import MainWindow
    from workbench.preferences.settings import Settings

EXAMPLE = "prism.json"
WELCOME_MS = 1500
"""When the welcome page comes after the window at the very first start: once there is light behind it."""


def _restore_import() -> None:
    """Restore the ``__import__`` that PySide replaced.

    PySide's version inspects the source of every imported module for a feature switch, which is not used here: an eighth of the time to
    the window. Inspecting partially initialized pydantic modules raises errors, which occasionally ended the agent's thread.
    """
    builtins.__import__ = getattr(builtins, "__orig_import__", builtins.__import__)


_restore_import()  # all modules of this program that need Qt are imported below


def application(name: str = "dark") -> QApplication:
    """The QApplication of the process, with a theme applied."""
    from workbench import theme

    app = QApplication.instance()
    if not isinstance(app, QApplication):
        app = QApplication(sys.argv[:1])
        app.setApplicationName("Raybench")
        app.setDesktopFileName("raybench")  # of `workbench.commands.desktop`, so that docks group its windows under its icon
        app.setWindowIcon(QIcon(str(files("resources").joinpath("icons", "raybench.svg"))))
    _restore_import()
    theme.apply_theme(app, name)
    return app


def open_example(document: WorkDocument) -> None:
    """Open the example as a new document without a file."""
    from workbench.files import without_file

    document.adopt(without_file(files("resources").joinpath("scenes", EXAMPLE)))


def run(source: str | None) -> int:
    """Run the workbench with a file or link, or with the example, until the window is closed; returns the exit status."""
    from core.agent.turn.transcript_files import transcripts_folder
    from core.files.recovery import recovery_folder
    from workbench.document import WorkDocument
    from workbench.main_window import MainWindow
    from workbench.preferences.settings import Settings
    from workbench.preferences.table import THEME

    settings = Settings()
    app = application(settings.get(THEME))
    document = WorkDocument()
    window = MainWindow(document, settings, recovery_folder(), transcripts_folder())
    window.show()
    if source is None:
        open_example(document)
    else:
        document.open(source)
    window.recovery.search()
    if source is None and not settings.welcomed:
        QTimer.singleShot(WELCOME_MS, lambda: _welcome(window, settings))
    return app.exec()


def _welcome(window: MainWindow, settings: Settings) -> None:
    from workbench.files import show_welcome

    if window.isVisible():
        settings.remember_welcome()
        show_welcome(window)
