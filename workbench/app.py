"""Starting the application."""

from __future__ import annotations

import importlib
import sys
from importlib.resources import files

from PySide6.QtCore import QTimer
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication

from core.agent.turn.transcript_files import transcripts_folder
from core.files.recovery import recovery_folder
from workbench import theme
from workbench.document import WorkDocument
from workbench.files import show_welcome, without_file
from workbench.main_window import MainWindow
from workbench.settings import Settings

EXAMPLE = "prism.json"
WELCOME_MS = 1500
"""When the welcome page comes after the window at the very first start: once there is light behind it."""


def application(name: str = "dark") -> QApplication:
    """The QApplication of the process, with a theme applied."""
    app = QApplication.instance()
    if not isinstance(app, QApplication):
        app = QApplication(sys.argv[:1])
        app.setApplicationName("Raybench")
        app.setDesktopFileName("raybench")  # of `workbench.commands.desktop`, so that docks group its windows under its icon
        app.setWindowIcon(QIcon(str(files("resources").joinpath("icons", "raybench.svg"))))
    _import_without_inspection()
    theme.apply_theme(app, name)
    return app


def _import_without_inspection() -> None:
    """Keep PySide from reading the source of every module that is imported, for a feature switch that is not used here.

    That makes the import of a large package half as slow again, and where two threads import at the same time it meets modules that are
    only partly initialized: the resulting ImportError has ended the agent's thread. Restoring ``__import__`` is not enough, for what PySide
    keeps as the original can inspect, too.
    """
    feature = importlib.import_module("PySide6.support.feature")
    if hasattr(feature, "_mod_uses_pyside"):
        feature._mod_uses_pyside = lambda module: False


def open_example(document: WorkDocument) -> None:
    """Open the example as a new document without a file."""
    document.adopt(without_file(files("resources").joinpath("scenes", EXAMPLE)))


def run(source: str | None) -> int:
    """Run the workbench with a file or link, or with the example, until the window is closed; returns the exit status."""
    settings = Settings()
    app = application(settings.theme if settings.theme in theme.THEMES else "dark")
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
    if window.isVisible():
        settings.remember_welcome()
        show_welcome(window)
