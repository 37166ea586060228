"""Copying and saving a conversation: Markdown, JSON, and a Python script of its calls."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtWidgets import QApplication, QFileDialog, QMenu, QWidget

from core.agent.turn.script import script
from core.agent.turn.transcript import Transcript, markdown
from core.errors import RaybenchError
from core.files.atomic import write_text
from workbench.document import WorkDocument

FORMATS = {".md": "Markdown (*.md)", ".json": "JSON (*.json)", ".py": "Python script (*.py)"}


def rendered(transcript: Transcript, suffix: str, document: WorkDocument) -> str:
    """A conversation as a text in the format of a file's suffix, one of `FORMATS`; raises RaybenchError for another."""
    if suffix == ".md":
        return markdown(transcript.exchanges, transcript.title)
    if suffix == ".json":
        return transcript.text()
    if suffix == ".py":
        return script(transcript.exchanges, transcript.title, document.document)
    raise RaybenchError(f"A conversation cannot be saved as '{suffix}'. Give a name that ends in {', '.join(FORMATS)}.")


def _copy(suffix: str, transcript: Transcript, document: WorkDocument, parent: QWidget) -> None:
    QApplication.clipboard().setText(rendered(transcript, suffix, document))


def _save(transcript: Transcript, document: WorkDocument, parent: QWidget) -> None:
    """Ask for a file and write the conversation to it; an error is emitted by the document's ``failed``."""
    scene = document.session.path
    first = (scene.parent if scene else Path.home()) / f"{scene.stem if scene else 'conversation'}.md"
    name, _ = QFileDialog.getSaveFileName(parent, "Save the conversation as", str(first), ";;".join(FORMATS.values()))
    if name:
        path = Path(name) if Path(name).suffix else Path(name).with_suffix(".md")
        try:
            write_text(path, rendered(transcript, path.suffix.lower(), document))
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


def fill_export_menu(menu: QMenu, transcript: Transcript, document: WorkDocument, parent: QWidget) -> None:
    """Fill a menu with what can be done with a conversation."""
    menu.clear()
    for export in EXPORTS:
        menu.addAction(export.title).triggered.connect(lambda _checked=False, run=export.run: run(transcript, document, parent))
