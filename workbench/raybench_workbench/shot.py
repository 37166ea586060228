"""Screenshots of the window without a display."""

from __future__ import annotations

import contextlib
import dataclasses
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from raybench.errors import RaybenchError, list_choices
from raybench.system.files import temporary_folder
from raybench.system.interrupt import ctrl_c_raises_interrupt
from raybench.trace.results.ray_set import RaySet
from raybench_workbench.display import paint_offscreen

if TYPE_CHECKING:
    from PySide6.QtGui import QImage
    from PySide6.QtWidgets import QWidget

    from raybench_workbench.main_window import MainWindow

TIMEOUT = 1800.0
"""Time in seconds within which a window must settle: the first start compiles the kernels, which
can take many minutes.
"""

LAYOUT_TURNS = 4
"""Turns of the event loop within which widgets that change each other's layout are laid out."""


_interrupted = threading.Event()


class NotSettled(RaybenchError):
    """Raised when a window does not settle in time."""


@contextmanager
def offscreen_window(
    source: Path | str | None, size: tuple[int, int] = (1280, 800), theme_name: str = "dark"
) -> Iterator[MainWindow]:
    """A main window without a display, with a file, a link or the example scene. Its settings are
    temporary.

    Raises RaybenchError if the file cannot be read.
    """
    paint_offscreen()
    from PySide6.QtCore import QThreadPool, qInstallMessageHandler

    from raybench_workbench.app import make_application, open_example
    from raybench_workbench.threads import GarbageCollector

    make_application(theme_name)
    garbage = GarbageCollector()
    with contextlib.closing(garbage), _postpone_interrupts(), temporary_folder() as folder:
        from raybench.session import Session
        from raybench_workbench.document import WorkDocument
        from raybench_workbench.main_window import MainWindow
        from raybench_workbench.preferences.settings import Settings

        document = WorkDocument(Session.open(source) if source is not None else None)
        if source is None:
            open_example(document)
        window = MainWindow(document, Settings(folder / "settings.json"))
        window.refinement.enabled = False
        window.resize(*size)
        previous = qInstallMessageHandler(_print_message)
        window.show()
        try:
            yield window
        finally:
            document.session.discard()
            window.close()
            window.deleteLater()
            QThreadPool.globalInstance().waitForDone()
            qInstallMessageHandler(previous)


@contextmanager
def _postpone_interrupts() -> Iterator[None]:
    """Raise KeyboardInterrupt for Ctrl-C in `wait_seconds` or at the end of the block, but never in
    a Qt slot, where Qt would print and drop it.
    """
    if not ctrl_c_raises_interrupt() or threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, lambda *_: _interrupted.set())
    try:
        yield
        _raise_interrupt()
    finally:
        signal.signal(signal.SIGINT, before)
        _interrupted.clear()


def _raise_interrupt() -> None:
    if _interrupted.is_set():
        raise KeyboardInterrupt


def _print_message(kind: object, context: object, text: str) -> None:
    """Print a message of Qt, except the warning that an offscreen window has no frame with a
    minimum size.
    """
    if "propagateSizeHints" not in text:
        print(text, file=sys.stderr)


def save_screenshot(
    source: Path | str,
    out: Path,
    size: tuple[int, int] = (1280, 800),
    theme: str = "dark",
    canvas_only: bool = False,
    highlight: RaySet | None = None,
    refine: float = 0.0,
) -> tuple[int, int]:
    """Write a screenshot of the window with a fully traced scene and some rays highlighted; returns
    its width and height.

    ``size`` is the size of the window, scaled by QT_SCALE_FACTOR. ``highlight`` holds rows of a
    full trace of the same file. With ``refine`` above 0, the picture of the light is refined until
    its relative standard error is at most that value. Raises RaybenchError if the file cannot be
    read or the picture not written.
    """
    from raybench_workbench.canvas.rays.refined_picture import NothingToRefine
    from raybench_workbench.export.picture_files import save_picture

    with offscreen_window(source, size, theme) as window:
        window.status.time.hide()  # the same scene gives the same picture, byte for byte
        wait_until_settled(window)
        if highlight is not None:
            window.document.highlight(
                dataclasses.replace(highlight, revision=window.document.document.revision)
            )
        if canvas_only:
            window.canvas.setParent(None)
            window.canvas.resize(*size)
            window.canvas.show()
        widget = window.canvas if canvas_only else window
        wait_until_settled(window)
        window.refinement.enabled = True
        window.refinement.refine_to(refine)
        wait_until(lambda: window.refinement.is_settled, unsettled=lambda: "the refinement")
        if refine and window.refinement.shown_result is None:
            raise NothingToRefine(window.document.scene.settings)
        image = widget_picture(widget)
        save_picture(image, out)
        return image.width(), image.height()


def wait_until_settled(window: MainWindow, timeout: float = TIMEOUT, compiled: bool = True) -> None:
    """Process events until the scene is fully traced and painted and all animations have ended.
    With ``compiled``, also wait until the kernels are compiled, because uncompiled ones paint
    differently. Raises NotSettled.
    """

    def list_unsettled() -> list[str]:
        """The names of the tasks that are still pending."""
        works = {
            "the readings": window.reading.is_working,
            "the trace": window.service.busy or window.service.awaits_trace,
            "the compilation": compiled and window.service.awaits_kernels,
            **window.canvas.pending_work,
            "the problems": not window.problems.settled,
            "the ray table": not window.rays.settled,
            "the plots": window.plots_dock.made is not None and not window.plots.settled,
            "the inspector": (
                window.inspector_dock.made is not None and not window.inspector.settled
            ),
        }
        return [part for part, at_work in works.items() if at_work]

    wait_until(lambda: not list_unsettled(), timeout, lambda: list_choices(list_unsettled(), "and"))
    with _end_animations(window) as end:
        for _ in range(LAYOUT_TURNS):
            end()
            wait_seconds(0)


def widget_picture(widget: QWidget) -> QImage:
    """The image of a widget, once two consecutive images are equal. Raises NotSettled if it keeps
    changing.

    Animations in its window are moved to their end, because two of their frames may be equal.
    Animations without an end, such as a progress bar of unknown length, are held at their start.
    """
    with _end_animations(widget.window()) as end:
        last = None
        for _ in range(50):
            end()  # also what the grab before it began
            now = _grab_widget(widget)
            if now == last:
                return now
            last = now
            wait_seconds(0.005)
    raise NotSettled(
        f"'{widget.accessibleName() or type(widget).__name__}' keeps changing; no reproducible"
        " picture can be taken."
    )


def _grab_widget(widget: QWidget) -> QImage:
    """The image of a widget on its background, because at a scale such as 1.5 some pixels between
    widgets are not painted.
    """
    from PySide6.QtCore import QPoint
    from PySide6.QtGui import QPalette, QPixmap
    from PySide6.QtWidgets import QWidget

    ratio = widget.devicePixelRatioF()
    pixels = QPixmap((widget.size().toSizeF() * ratio).toSize())
    pixels.setDevicePixelRatio(ratio)
    pixels.fill(widget.palette().color(QPalette.ColorRole.Window))
    QWidget.render(
        widget, pixels, QPoint()
    )  # that of some classes, such as QGraphicsView, is another function
    return pixels.toImage()


@contextmanager
def _end_animations(window: QWidget) -> Iterator[Callable[[], None]]:
    """Yields a function that moves the running animations of a window to their end. Animations
    without an end are paused until the block ends.
    """
    from PySide6.QtCore import QAbstractAnimation, QAnimationGroup, QVariantAnimation
    from shiboken6 import isValid

    states, paused = QAbstractAnimation.State, list[QAbstractAnimation]()

    def end_animations_now() -> None:
        for animation in window.findChildren(QAbstractAnimation):
            if animation.state() != states.Running or animation.group() is not None:
                continue
            if animation.totalDuration() < 0:
                animation.pause()
                animation.setCurrentTime(0)
                paused.append(animation)
            elif isinstance(
                animation, QVariantAnimation | QAnimationGroup
            ):  # not those of styles, which belong to what is painted
                forward = animation.direction() == QAbstractAnimation.Direction.Forward
                animation.setCurrentTime(animation.totalDuration() if forward else 0)

    try:
        yield end_animations_now
    finally:
        for animation in paused:
            if isValid(animation) and animation.state() == states.Paused:
                animation.resume()


def wait_seconds(seconds: float) -> None:
    """Process events for a number of seconds."""
    from PySide6.QtCore import QCoreApplication, QEvent

    until = time.monotonic() + seconds
    while True:
        QCoreApplication.processEvents()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        _raise_interrupt()
        if time.monotonic() >= until:
            return
        time.sleep(0.001)


def wait_until(
    ready: Callable[[], bool], timeout: float = TIMEOUT, unsettled: Callable[[], str] = str
) -> None:
    """Process events until ``ready`` returns True. After ``timeout`` seconds raises NotSettled with
    the text from ``unsettled``, which says what is missing.
    """
    until = time.monotonic() + timeout
    wait_seconds(0)
    while not ready():
        if time.monotonic() > until:
            works = unsettled()
            what = f"The window did not settle within {timeout:g} s"
            raise NotSettled(f"{what}: {works}." if works else f"{what}.")
        wait_seconds(0.005)
    wait_seconds(0)
