"""Copying and saving a conversation: Markdown, JSON, and a Python script of its calls."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtWidgets import QApplication, QMenu, QWidget

from raybench.agent.turn.transcript import Transcript, markdown, script
from raybench.errors import RaybenchError
from raybench.files.atomic import write_text
from raybench.scene.document import Document
from raybench_workbench.document import WorkDocument
from raybench_workbench.panels.file_names import ask_save_name


@dataclass(frozen=True)
class Format:
    """A format of a file: its name in dialogs, with the suffix, and how a conversation about a
    document is written in it.
    """

    title: str
    text: Callable[[Transcript, Document], str]


FORMATS = {
    ".md": Format(
        "Markdown (*.md)", lambda transcript, _: markdown(transcript.exchanges, transcript.title)
    ),
    ".json": Format("JSON (*.json)", lambda transcript, _: transcript.text()),
    ".py": Format(
        "Python script (*.py)",
        lambda transcript, document: script(transcript.exchanges, transcript.title, document),
    ),
}
"""By suffix."""


def _copy(suffix: str, transcript: Transcript, document: WorkDocument, parent: QWidget) -> None:
    QApplication.clipboard().setText(FORMATS[suffix].text(transcript, document.document))


def _save(transcript: Transcript, document: WorkDocument, parent: QWidget) -> None:
    """Ask for a file and write the conversation to it; an error is emitted by the document's
    ``failed``.
    """
    scene = document.session.path
    first = (
        scene.parent if scene else Path.home()
    ) / f"{scene.stem if scene else 'conversation'}.md"
    path = ask_save_name(
        parent,
        "Save the conversation as",
        first,
        ";;".join(f.title for f in FORMATS.values()),
        FORMATS,
    )
    if path is not None:
        try:
            write_text(path, FORMATS[path.suffix.lower()].text(transcript, document.document))
        except RaybenchError as error:
            document.failed.emit(str(error))


@dataclass(frozen=True)
class Export:
    """A way to copy or save a conversation."""

    id: str
    title: str
    run: Callable[[Transcript, WorkDocument, QWidget], None]


EXPORTS = (
    Export("copy_markdown", "Copy as Markdown", partial(_copy, ".md")),
    Export("copy_python", "Copy as Python", partial(_copy, ".py")),
    Export("save", "Save as…", _save),
)


def fill_export_menu(
    menu: QMenu, transcript: Transcript, document: WorkDocument, parent: QWidget
) -> None:
    """Fill a menu with the exports of a conversation."""
    menu.clear()
    for export in EXPORTS:
        menu.addAction(export.title).triggered.connect(
            lambda _checked=False, run=export.run: run(transcript, document, parent)
        )
