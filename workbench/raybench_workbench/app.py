"""The start of the application."""

from __future__ import annotations

import atexit
import builtins
import contextlib
import gc
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Sequence
from functools import partial
from importlib.resources import files
from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale, QThreadPool, QTimer, qInstallMessageHandler
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication

from raybench.system.interrupt import end_process_on_signal
from raybench.system.log_file import log_line, start_log

if TYPE_CHECKING:
    from raybench_workbench.document import WorkDocument
    from raybench_workbench.main_window import MainWindow
    from raybench_workbench.preferences.settings import OpenFiles, Settings

WELCOME_DELAY_MS = 1500
"""Delay of the welcome page at the very first start: the scene behind it is traced by then."""
FINISH_START_DELAY_MS = 300
"""Delay after which further windows are opened and files are taken over: the first one is painted
by then.
"""
THREAD_SWITCH_SECONDS = 1e-3
"""How long the GUI thread waits for Python where another thread computes in it: a painting waits
many times.
"""
BROKEN_CONNECTION = "connection broke"
"""Part of Qt's message when the X server or the Wayland compositor is gone."""
DISPLAY_GONE = "the display was closed. Unsaved changes are kept, and offered at the next start."


def _restore_import() -> None:
    """Restore the builtin ``__import__``, which PySide has replaced.

    PySide's version inspects the source of every imported module, for a feature that is not used
    here, which takes an eighth of the start time. Inspecting partially initialized pydantic modules
    raises errors, which could end the agent's thread.
    """
    builtins.__import__ = getattr(builtins, "__orig_import__", builtins.__import__)


_restore_import()  # all modules of this program that need Qt are imported below


def make_application(name: str = "dark") -> QApplication:
    """The QApplication of the process, with the theme ``name`` applied."""
    from raybench_workbench import theme
    from raybench_workbench.translation import number_locale, qt_translator

    QLocale.setDefault(number_locale())
    app = QApplication.instance()
    if not isinstance(app, QApplication):
        app = QApplication(sys.argv[:1])
        app.setApplicationName("Raybench")
        app.setDesktopFileName(
            "raybench"
        )  # of `raybench_workbench.commands.desktop`, so that docks group its windows under its icon
        app.setWindowIcon(QIcon(str(files("raybench_resources").joinpath("icons", "raybench.svg"))))
    _restore_import()
    sys.setswitchinterval(THREAD_SWITCH_SECONDS)
    if app.platformName() == "offscreen":
        # Qt's clipboard without a display crashes at exit with what Python has put there
        atexit.register(app.clipboard().clear)
    app.setStyle("Fusion")
    if (of_qt := qt_translator()) is not None:
        app.installTranslator(of_qt)
    theme.apply_theme(app, name)
    return app


def open_example(document: WorkDocument) -> None:
    """Open the example scene as a new document without a file."""
    from raybench.files.examples import FIRST_SCENE
    from raybench_workbench.files import session_without_file

    document.replace_session(session_without_file(FIRST_SCENE))


def run_application(sources: Sequence[str]) -> int:
    """Run the workbench until its windows are closed; returns the exit status. Each of the files
    and links in ``sources`` gets a tab. Without any, the example is opened.
    """
    gc.disable()  # what is imported is no garbage; later `GarbageCollector` collects
    receiving, waking = socket.socketpair()
    waking.setblocking(False)
    signal.set_wakeup_fd(waking.fileno(), warn_on_full_buffer=False)
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, lambda *_: None)
    threading.Thread(
        target=_quit_on_signal, args=(receiving, waking), name="signals", daemon=True
    ).start()
    start_log()
    qInstallMessageHandler(_handle_qt_message)
    from raybench_workbench.preferences.settings import Settings
    from raybench_workbench.translation import use_language

    settings = Settings()
    use_language(settings.language)  # before modules with texts are imported
    from raybench.agent.turn.transcript_files import transcripts_folder
    from raybench.files.recovery import recovery_folder
    from raybench_workbench.document import WorkDocument
    from raybench_workbench.main_window import MainWindow
    from raybench_workbench.preferences.choices import REOPENS, THEME
    from raybench_workbench.running_program import is_program_running
    from raybench_workbench.threads import GarbageCollector
    from raybench_workbench.window.tabs import open_files_again, open_from_outside, open_window

    app = make_application(settings.get(THEME))
    GarbageCollector(app)
    windows = settings.open_files if not sources and settings.get(REOPENS) else []
    if windows and is_program_running():
        windows = []  # they are open there

    def make_page() -> MainWindow:
        return MainWindow(WorkDocument(), settings, recovery_folder(), transcripts_folder())

    window = open_window(make_page)
    if sources:
        open_from_outside(sources[0])
    if windows:
        open_files_again(window, windows[0])
    elif not sources:
        open_example(window.document)
    window.recovery.search_leftovers()
    if not sources and not settings.was_welcome_shown:
        QTimer.singleShot(WELCOME_DELAY_MS, lambda: _show_welcome(window, settings))
    QTimer.singleShot(
        FINISH_START_DELAY_MS, partial(_finish_start, make_page, windows[1:], sources[1:], settings)
    )
    status = app.exec()
    # running jobs may start threads, which Python refuses during shutdown
    QThreadPool.globalInstance().waitForDone()
    return status


def _finish_start(
    make_page: Callable[[], MainWindow],
    windows: Sequence[OpenFiles],
    sources: Sequence[str],
    settings: Settings,
) -> None:
    """Open the other windows of the last run, and the other files and links of this run. Then
    receive the files of later starts.
    """
    from raybench_workbench.running_program import FileReceiver
    from raybench_workbench.window import tabs

    for window in windows:
        tabs.open_files_again(tabs.open_window(make_page), window)
    for source in sources:
        tabs.open_from_outside(source)
    outside = FileReceiver(QApplication.instance())
    if outside.listen():  # else another program remembers its own
        outside.requested.connect(tabs.open_from_outside)
        tabs.start_storing_open_files(settings)


def _quit_on_signal(receiving: socket.socket, waking: socket.socket) -> None:
    from raybench.files.recovery import write_pending_drafts

    number = receiving.recv(1)[0]
    write_pending_drafts()
    end_process_on_signal(number)


def _handle_qt_message(kind: object, context: object, text: str) -> None:
    """Print and log a message of Qt. If the message says that the display is gone, store drafts and
    end the process, since Qt would do so at once.
    """
    log_line(text)
    if BROKEN_CONNECTION not in text:
        _print_error(text)
        return
    from raybench.files.recovery import write_pending_drafts

    write_pending_drafts()
    _print_error(f"raybench: {DISPLAY_GONE}")
    os._exit(1)


def _print_error(line: str) -> None:
    """Print a line on stderr, if possible. The terminal may be closed, and an exception here would
    end the process.
    """
    with contextlib.suppress(OSError):
        os.write(2, f"{line}\n".encode(errors="replace"))


def _show_welcome(window: MainWindow, settings: Settings) -> None:
    from raybench_workbench.help_windows import WelcomePage

    if window.isVisible():
        settings.remember_welcome()
        WelcomePage(window).show()
