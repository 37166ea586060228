"""The project's pytest plugin: exact picture tests for the widgets of any PySide6 application, and
fixtures for windows with a scene.

``shots(widget, name)`` compares a widget with ``tests/screenshots/<name>.png``, pixel by pixel,
without tolerance, and reports the widgets that changed; ``--update-shots`` makes what is painted
the expected picture. `workbench/raybench_workbench/picture_tests/README.md` explains how to use it
with any application, `tests/README.md` with scenes. pytest imports this module in every project
of an environment: it imports neither Qt nor Raybench before one of its fixtures is used.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from PySide6.QtGui import QImage
    from PySide6.QtWidgets import QApplication, QWidget

    from raybench.scene.document import Document
    from raybench_workbench.main_window import MainWindow
    from raybench_workbench.picture_tests.pictures import Baselines
    from raybench_workbench.picture_tests.widget_tree import WidgetRecord

FIXED_MILLISECONDS = 1.0
"""The trace time that the status line shows in tests."""

PICTURE_FIXTURES = frozenset({"still_app", "raybench_app", "open_window", "shots"})
"""The fixtures below, whose tests run offscreen where no platform is chosen."""


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("raybench")
    group.addoption(
        "--update-shots",
        action="store_true",
        help="make what is painted the expected pictures instead of comparing",
    )
    group.addoption(
        "--shots-failed",
        default="screenshots-failed",
        metavar="DIR",
        help="where pictures of failures go, and a page of them",
    )
    parser.addini("shots", "folder of the expected pictures", default="tests/screenshots")
    parser.addini(
        "shots_painters",
        "distributions besides Qt that determine the pixels",
        type="linelist",
        default=[],
    )


def _failed_pictures_folder(config: pytest.Config) -> Path:
    return Path(config.rootpath) / str(config.getoption("--shots-failed"))


def pytest_sessionstart(session: pytest.Session) -> None:
    if (
        not hasattr(session.config, "workerinput")
        and (folder := _failed_pictures_folder(session.config)).exists()
    ):
        from raybench_workbench.picture_tests.pictures import clear_folder

        clear_folder(folder)


def pytest_collection_finish(session: pytest.Session) -> None:
    """Run all tests without a display by default if one of them takes pictures, because pytest-qt
    creates the application before any fixture.
    """
    if any(
        PICTURE_FIXTURES.intersection(getattr(item, "fixturenames", ())) for item in session.items
    ):
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    if not _failed_pictures_folder(config).exists():
        return
    from raybench_workbench.picture_tests.pictures import write_failure_page

    page = write_failure_page(_failed_pictures_folder(config))
    if page is not None:
        terminalreporter.write_line(f"pictures that differ: {page}")


@pytest.fixture
def still_app(request: pytest.FixtureRequest) -> Iterator[QApplication]:
    """The QApplication with the same style, font and palette on every machine, by default without a
    display, and without moving parts.

    A style sheet that the test sets is gone after it.
    """
    app: QApplication = request.getfixturevalue("qapp")
    from raybench_workbench.picture_tests.pictures import make_app_still

    sheet = app.styleSheet()
    make_app_still(app)
    yield app
    app.setStyleSheet(sheet)


@pytest.fixture
def raybench_app(request: pytest.FixtureRequest) -> Iterator[QApplication]:
    """The QApplication in the dark theme, by default without a display, and with a cursor that does
    not blink. Its style sheet is removed after the test.
    """
    app: QApplication = request.getfixturevalue("qapp")
    from raybench_workbench.app import make_application
    from raybench_workbench.picture_tests.pictures import make_styled_app_still

    sheet = app.styleSheet()
    make_application("dark")
    make_styled_app_still(app)
    yield app
    app.setStyleSheet(sheet)


@pytest.fixture
def open_window(raybench_app: QApplication, tmp_path: Path) -> Iterator[Callable[..., MainWindow]]:
    """A function that opens real main windows with a `Document`, a path, or nothing. Settings and
    recovery files are in ``tmp_path``.

    The window is visible, traced and settled when the function returns; after the test it is closed
    without asking.
    """
    windows: list[MainWindow] = []

    def open_(
        what: Document | Path | None = None, size: tuple[int, int] = (1280, 800)
    ) -> MainWindow:
        for earlier in windows:
            earlier.settings.wait_until_written()
        windows.append(show_window(what, tmp_path, size))
        return windows[-1]

    yield open_
    close_windows(windows)


def show_window(
    what: Document | Path | None, folder: Path, size: tuple[int, int] = (1280, 800)
) -> MainWindow:
    """A new main window, traced and settled. Settings and recovery files are in ``folder``."""
    from raybench.session import Session
    from raybench_workbench.document import WorkDocument
    from raybench_workbench.main_window import MainWindow
    from raybench_workbench.preferences.settings import Settings
    from raybench_workbench.shot import wait_until_settled

    session = Session.open(what) if isinstance(what, Path) else Session(what)
    window = MainWindow(
        WorkDocument(session),
        Settings(folder / "settings.json"),
        folder / "recovery",
        folder / "conversations",
    )
    window.status.fixed_milliseconds = FIXED_MILLISECONDS
    window.refinement.enabled = False
    window.resize(*size)
    window.show()
    window.activateWindow()
    wait_until_settled(window)
    return window


def discard_edits(window: MainWindow) -> None:
    """Discard typed input and unsaved changes in a window, so that it can be closed without a
    question.
    """
    from raybench_workbench.panels.form import discard_typing

    for forms in (window.form_pages, window.canvas):
        discard_typing(forms)
    window.tree.accept_typing()
    if (json := window.json_dock.made) is not None:
        json.discard_typing()
    window.document.session.discard()


def close_windows(windows: Sequence[MainWindow]) -> None:
    """Close and delete main windows without asking."""
    from PySide6.QtCore import QCoreApplication, QEvent

    for window in windows:
        discard_edits(window)
        window.close()
        window.deleteLater()
    QCoreApplication.processEvents()
    QCoreApplication.sendPostedEvents(
        None, QEvent.Type.DeferredDelete
    )  # which processEvents does not deliver


@pytest.fixture
def shots(request: pytest.FixtureRequest) -> Callable[..., None]:
    """``shots(widget, name, hide=())`` asserts that the picture of a widget at rest equals the
    expected picture of that name.

    Widgets in ``hide``, such as a clock, are covered. The application is that of ``raybench_app``
    or, where a test does not use it, of ``still_app``.
    """
    request.getfixturevalue(
        "raybench_app" if "raybench_app" in request.fixturenames else "still_app"
    )
    from raybench.errors import RaybenchError
    from raybench_workbench.picture_tests.pictures import Baselines, painter_versions

    config = request.config
    painters: list[str] = config.getini("shots_painters")
    baselines = Baselines(
        Path(config.rootpath) / config.getini("shots"), painter_versions(painters)
    )

    def check(widget: QWidget, name: str, hide: Sequence[QWidget] = ()) -> None:
        from raybench_workbench.picture_tests.pictures import still_picture
        from raybench_workbench.picture_tests.widget_tree import visible_widgets

        ratio = widget.devicePixelRatioF()
        if ratio != 1:
            pytest.skip(f"pictures are compared at a device pixel ratio of 1, not {ratio:g}")
        problem = ""
        try:
            actual, tree = still_picture(widget, hide), visible_widgets(widget)
            if config.getoption("--update-shots"):
                baselines.store_picture(name, actual, tree)
            else:
                failed = _failed_pictures_folder(config)
                problem = _describe_difference(baselines, name, actual, tree, failed)
        except RaybenchError as error:
            problem = f"'{name}': {error}"
        if problem:
            pytest.fail(problem, pytrace=False)

    return check


def _describe_difference(
    baselines: Baselines, name: str, actual: QImage, tree: list[WidgetRecord], failed: Path
) -> str:
    """The difference between a picture and the expected one in words; empty if they are equal.
    Differing pictures are written to the folder ``failed``.
    """
    from PySide6.QtGui import QImage

    from raybench_workbench.picture_tests.pictures import (
        PAGE_NAME,
        PictureDifference,
        compare_images,
        write_failure,
    )
    from raybench_workbench.picture_tests.widget_tree import describe_differences

    path = baselines.picture_path(name)
    expected = QImage(str(path))
    difference: PictureDifference | None
    if not expected.isNull():
        difference = compare_images(actual, expected)
    else:
        lacks = (
            f"an expected picture that is no image, {path}"
            if path.exists()
            else "no expected picture"
        )
        difference = PictureDifference(
            f"has {lacks}; look at it, and run with --update-shots if it is right", actual
        )
    if difference is None:
        return ""
    widgets = describe_differences(baselines.expected_widgets(name), tree, difference.changed)
    write_failure(failed, name, difference, widgets)
    lines = [
        f"'{name}' {difference.text}. See {failed / PAGE_NAME}.",
        *(f"  {line}" for line in widgets),
    ]
    if other := baselines.version_difference:
        lines.append(
            f"  {other}. If it is painted right, --update-shots keeps it in"
            f" {baselines.version_folder.name} for this version alone."
        )
    return "\n".join(lines)
