"""The pytest plugin of the project: fixtures for real windows and exact screenshots.

``shots(widget, name)`` compares a widget with ``tests/screenshots/<name>.png``, pixel by pixel, without tolerance: one wrong digit changes
a few dozen pixels, fewer than another version of Qt does. ``--update-shots`` writes the pictures instead. `tests/README.md` explains how to
use it. Importing this module does not import Qt.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from PySide6.QtGui import QImage
    from PySide6.QtWidgets import QApplication, QWidget

    from core.scene.document import Document
    from workbench.main_window import MainWindow

PAINTERS = ("PySide6-Essentials", "numpy", "ttf-opensans")
"""The distributions that determine the pixels of a picture; the project's extra ``test`` pins them."""
FIXED_MILLISECONDS = 1.0
"""The trace time that the status line shows in tests."""


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("raybench")
    group.addoption("--update-shots", action="store_true", help="write the expected pictures instead of comparing with them")
    group.addoption("--shots-failed", default="screenshots-failed", metavar="DIR", help="where pictures of failures go")
    parser.addini("shots", "folder of the expected pictures", default="tests/screenshots")


@pytest.fixture
def raybench_app(request: pytest.FixtureRequest) -> QApplication:
    """The QApplication in the dark theme, by default offscreen, without a blinking cursor."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    app: QApplication = request.getfixturevalue("qapp")
    from workbench.app import application

    application("dark")
    app.setCursorFlashTime(0)
    return app


@pytest.fixture
def open_window(raybench_app: QApplication, tmp_path: Path) -> Iterator[Callable[..., MainWindow]]:
    """A function that opens real main windows with a `Document`, a path, or nothing. Settings and recovery files are in ``tmp_path``.

    The window is visible, traced and settled when the function returns; after the test it is closed without asking.
    """
    from core.session import Session
    from workbench.document import WorkDocument
    from workbench.main_window import MainWindow
    from workbench.settings import Settings
    from workbench.shot import settle

    windows: list[MainWindow] = []

    def open_(what: Document | Path | None = None, size: tuple[int, int] = (1280, 800)) -> MainWindow:
        session = Session.open(what) if isinstance(what, Path) else Session(what)
        window = MainWindow(WorkDocument(session), Settings(tmp_path / "settings.ini"), tmp_path / "recovery", tmp_path / "conversations")
        window.status.fixed_milliseconds = FIXED_MILLISECONDS
        windows.append(window)
        window.resize(*size)
        window.show()
        window.activateWindow()
        settle(window)
        return window

    yield open_
    for window in windows:
        window.document.session.saved = window.document.document
        window.close()
        window.deleteLater()
    raybench_app.processEvents()


@pytest.fixture
def shots(request: pytest.FixtureRequest, raybench_app: QApplication) -> Callable[[QWidget, str], None]:
    """``shots(widget, name)`` asserts that the widget equals the picture of that name. Skips if unpinned versions are installed."""
    config = request.config
    root = Path(config.rootpath)
    expected, failed = root / config.getini("shots"), root / config.getoption("--shots-failed")

    def check(widget: QWidget, name: str) -> None:
        from workbench.shot import picture, save_picture

        reason = _unpinned()
        if reason:
            pytest.skip(f"pictures cannot be compared: {reason}")
        if widget.devicePixelRatioF() != 1:
            pytest.skip(f"pictures are compared at a device pixel ratio of 1, not {widget.devicePixelRatioF():g}")
        actual, path = picture(widget), expected / f"{name}.png"
        if config.getoption("--update-shots"):
            path.parent.mkdir(parents=True, exist_ok=True)
            save_picture(actual, path)
            return
        difference = compare(actual, path, failed, name)
        if difference:
            pytest.fail(difference, pytrace=False)

    return check


@pytest.fixture
def assert_shot(shots: Callable[[QWidget, str], None]) -> Callable[[QWidget, str], None]:
    """Another name for ``shots``."""
    return shots


def compare(actual: QImage, path: Path, failed: Path, name: str) -> str:
    """The difference between an image and the expected picture as text, empty if equal; the images are written to ``failed``."""
    from PySide6.QtGui import QImage

    if not path.exists():
        _write(failed, name, actual=actual)
        return f"There is no picture {path}. Look at {failed / name}-actual.png, and run with --update-shots if it is right."
    wanted = QImage(str(path)).convertToFormat(QImage.Format.Format_RGB32)
    actual = actual.convertToFormat(QImage.Format.Format_RGB32)
    if actual.size() != wanted.size():
        _write(failed, name, actual=actual, expected=wanted)
        sizes = f"{actual.width()} x {actual.height()} instead of {wanted.width()} x {wanted.height()}"
        return f"'{name}' is {sizes} pixels. See {failed / name}-actual.png."
    changed = (pixels(actual) != pixels(wanted)).any(axis=2)
    if not changed.any():
        return ""
    rows, columns = changed.any(axis=1).nonzero()[0], changed.any(axis=0).nonzero()[0]
    where = f"x {columns[0]} to {columns[-1]}, y {rows[0]} to {rows[-1]}"
    marked = QImage(wanted.size(), QImage.Format.Format_RGB32)
    pixels(marked)[:] = pixels(wanted) // 4
    pixels(marked)[changed] = (60, 60, 255)
    _write(failed, name, actual=actual, expected=wanted, diff=marked)
    return f"'{name}' differs in {int(changed.sum())} pixels ({where}). See {failed / name}-actual.png, -expected.png and -diff.png."


def pixels(image: QImage) -> Any:
    """The blue, green and red bytes of a 32-bit image as an array (height, width, 3).

    The array shares the image's memory: keep a reference to the image, or copy the array.
    """
    import numpy as np

    lines = np.frombuffer(image.bits(), np.uint8).reshape(image.height(), image.bytesPerLine())
    return lines[:, : 4 * image.width()].reshape(image.height(), image.width(), 4)[:, :, :3]


def _write(folder: Path, name: str, **images: QImage) -> None:
    from workbench.shot import save_picture

    folder.mkdir(parents=True, exist_ok=True)
    for kind, image in images.items():
        save_picture(image, folder / f"{name}-{kind}.png")


def _unpinned() -> str:
    """The reason why pictures cannot be compared with the expected ones, or an empty text."""
    for line in metadata.requires("raybench") or ():
        found = re.match(r"([\w-]+)==([\w.]+)", line)
        if found and found[1] in PAINTERS and metadata.version(found[1]) != found[2]:
            return f"{found[1]} is {metadata.version(found[1])}, they are made with {found[2]}"
    return ""
