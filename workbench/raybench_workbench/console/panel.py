"""A Python console in the process of the window: qtconsole with an IPython kernel, in which
``scene`` is the open document.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from contextlib import ExitStack
from threading import Event
from types import ModuleType
from typing import Any

import numpy as np

os.environ.setdefault("PYDEVD_DISABLE_FILE_VALIDATION", "1")  # else ipykernel's debugger warns
from ipykernel.inprocess.ipkernel import InProcessInteractiveShell, InProcessKernel
from PySide6.QtGui import QColor, QFontInfo, QKeySequence
from PySide6.QtWidgets import QWidget
from qtconsole import styles
from qtconsole.inprocess import QtInProcessKernelManager, QtInProcessRichJupyterWidget
from traitlets.config import Config

import raybench
from raybench.errors import RaybenchError
from raybench.library.light import Light
from raybench.library.scene import Scene
from raybench_workbench import theme
from raybench_workbench.document import Selection, WorkDocument
from raybench_workbench.translation import tr
from raybench_workbench.widgets import column_layout

BANNER = tr(
    "scene: the open document, as in rb.Scene; the changes of a cell are one"
    " step of its history\nlight: its light, and selection: the names of the"
    " selected objects, as they were before the cell\nrb: raybench, np: numpy\n\n"
)
SETTINGS = Config({"HistoryManager": {"enabled": False}, "InteractiveShell": {"enable_tip": False}})

STYLE = """\
QPlainTextEdit, QTextEdit {{
    background-color: {panel}; color: {text}; selection-background-color: {accent}; border: 0
}}
.error {{ color: {error} }}
.in-prompt {{ color: {accent} }}
.in-prompt-number {{ font-weight: bold }}
.out-prompt {{ color: {dim} }}
.out-prompt-number {{ font-weight: bold }}
"""


class _KernelManager(QtInProcessKernelManager):  # type: ignore[misc]
    """Starts a kernel whose namespace is its own, not that of ``__main__``, which is the program."""

    def start_kernel(self, **_: object) -> None:
        module = ModuleType("raybench_console")
        InProcessInteractiveShell.clear_instance()  # that of another window
        self.kernel: Any = InProcessKernel(  # type: ignore[no-untyped-call]
            parent=self, session=self.session, user_module=module, user_ns=module.__dict__
        )


def _show_error(shell: Any, kind: type, error: Exception, traced: object, **_: object) -> list[str]:
    """Print the message of an error of Raybench without a traceback, since the message tells the
    remedy.
    """
    lines = [f"{kind.__name__}: {error}"]
    shell._showtraceback(kind, error, lines)
    return lines


WINDOW_ACTIONS = (
    "export_action",
    "print_action",
    "increase_font_size",
    "decrease_font_size",
    "reset_font_size",
)
"""Actions of the console whose keys mean something in the window: save, print and zoom."""


class ConsolePanel(QWidget):
    """The console of a document. Cells run in the GUI thread."""

    def __init__(
        self, document: WorkDocument, selection: Selection, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._document, self._selection = document, selection
        self._scene, self._cell = Scene.of(document.session), ExitStack()
        self._manager = _KernelManager(config=SETTINGS)
        self._manager.start_kernel()
        self.shell: Any = self._manager.kernel.shell
        self.shell.push({"scene": self._scene, "rb": raybench, "np": np})
        self.shell.events.register("pre_run_cell", self._begin_cell)
        self.shell.events.register("post_run_cell", lambda _result: self._cell.close())
        self.shell.set_custom_exc((RaybenchError,), _show_error)
        client = self._manager.client()
        client.start_channels()
        font = QFontInfo(theme.mono_font())
        self.console: Any = QtInProcessRichJupyterWidget(
            self, font_family=font.family(), font_size=round(font.pointSizeF())
        )
        for name in WINDOW_ACTIONS:
            getattr(self.console, name).setShortcut(QKeySequence())
        self.console.banner = BANNER
        self.console.kernel_manager, self.console.kernel_client = self._manager, client
        self.setFocusProxy(self.console)
        column_layout(self.console, on=self, margins=0)
        theme.notifier.changed.connect(self._update_theme)
        self._update_theme()

    def _begin_cell(self, info: Any) -> None:
        """Begin a history step for a cell, and give the cell the current light and selection."""
        self._scene.session = self._document.session
        self._cell.enter_context(self._document.emit_session_changes())
        scene = self._document.scene
        names = [obj.title for key in self._selection.keys if (obj := scene.get(key)) is not None]
        self.shell.push({"selection": names})
        if "light" in (info.raw_cell or ""):
            self.shell.push({"light": self._current_light()})

    def _current_light(self) -> Light:
        """The light that the window has traced; if the trace is missing, it is traced now."""
        fresh = self._document.session.fresh_result
        return Light(self._document.document, fresh) if fresh is not None else self._scene.trace()

    def _update_theme(self, *_: object) -> None:
        current = theme.current_theme()
        dark = current.is_dark
        colors: Mapping[str, str] = {
            name: current.color(name).name(QColor.NameFormat.HexRgb)
            for name in ("panel", "text", "accent", "dim", "error")
        }
        self.shell.colors = "linux" if dark else "lightbg"
        self.console.style_sheet = STYLE.format_map(colors)
        self.console.syntax_style = (
            styles.default_dark_syntax_style if dark else styles.default_light_syntax_style
        )

    def close_console(self) -> None:
        """End the kernel, because the window closes."""
        self.console.kernel_client.stop_channels()
        printing, ended = self._manager.kernel.iopub_thread, Event()
        # a task that ipykernel leaves, and asyncio then reports at the end of the program
        task = printing._event_pipe_gc_task
        task.add_done_callback(lambda _: ended.set())
        printing.io_loop.add_callback(task.cancel)
        ended.wait(1.0)
        self._manager.shutdown_kernel()
        sys.modules.pop("raybench_console", None)
