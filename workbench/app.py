"""Starting the application."""

from __future__ import annotations

import builtins
import sys
from importlib.resources import as_file, files

from PySide6.QtWidgets import QApplication

from core.files.recovery import recovery_folder
from core.session import Session
from workbench import theme
from workbench.document import WorkDocument
from workbench.main_window import MainWindow
from workbench.settings import Settings

EXAMPLE = "prism.json"


def application(name: str = "dark") -> QApplication:
    """The one QApplication of the process, dressed in a theme."""
    app = QApplication.instance()
    if not isinstance(app, QApplication):
        app = QApplication(sys.argv[:1])
        app.setApplicationName("Raybench")
    _take_import_back()
    theme.apply_theme(app, name)
    return app


def _take_import_back() -> None:
    """Take back the ``import`` that was there before PySide's.

    PySide replaces it by one that looks at the source of every module for a switch that is used nowhere here. Pydantic's modules cannot be
    looked at while they are half made: now and then the agent's thread died of it.
    """
    builtins.__import__ = getattr(builtins, "__orig_import__", builtins.__import__)


def open_example(document: WorkDocument) -> None:
    """Open the first example as a scene that has no file yet."""
    with as_file(files("resources").joinpath("scenes", EXAMPLE)) as path:
        session = Session.open(path)
    session.path = None
    document.adopt(session)


def run(source: str | None) -> int:
    """Show the workbench on a file or link, or on an example, until its window is closed; returns the exit status."""
    settings = Settings()
    app = application(settings.theme if settings.theme in theme.THEMES else "dark")
    document = WorkDocument()
    window = MainWindow(document, settings, recovery_folder())
    window.show()
    if source is None:
        open_example(document)
    else:
        document.open(source)
    window.recovery.search()
    return app.exec()
