"""The visible widgets of a picture: where they are and what they say, so that a difference can be told by them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QComboBox,
    QGroupBox,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QTabBar,
    QTextEdit,
    QWidget,
)

LONGEST = 200
"""Characters of a widget's text that are kept."""
MOST_ROWS = 40
MOST_COLUMNS = 40
"""Rows and columns of a list or table whose texts are kept."""
MOST_TOLD = 12
"""Differences that are told."""


@dataclass(frozen=True)
class Seen:
    """A widget as it was seen. ``path`` names it and its parents; ``at`` is x, y, width and height within its parent."""

    path: str
    at: tuple[int, int, int, int]
    text: str = ""
    state: str = ""


def seen_in(root: QWidget) -> list[Seen]:
    """The visible widgets from a root downwards, parents before their children, lower ones before those that cover them."""
    return list(_seen(root, _name(root, 0), (0, 0, root.width(), root.height())))


def _seen(widget: QWidget, path: str, at: tuple[int, int, int, int]) -> Iterator[Seen]:
    yield Seen(path, at, _text(widget)[:LONGEST], _state(widget))
    counts: dict[str, int] = {}
    for child in widget.children():
        if isinstance(child, QWidget):
            kind = type(child).__name__
            counts[kind] = counts.get(kind, 0) + 1
            if child.isVisible() and not child.isWindow():
                box = child.geometry()
                yield from _seen(child, f"{path} > {_name(child, counts[kind])}", (box.x(), box.y(), box.width(), box.height()))


def _name(widget: QWidget, number: int) -> str:
    """The name of a widget among its siblings: its object name, its accessible one, or its class and number."""
    own = widget.objectName()
    if own and not own.startswith("qt_"):
        return f"{type(widget).__name__} {own}"
    if widget.accessibleName():
        return f"{type(widget).__name__} '{widget.accessibleName()}'"
    return f"{type(widget).__name__} {number}" if number > 1 else type(widget).__name__


def _text(widget: QWidget) -> str:
    match widget:
        case QLabel() | QAbstractButton() | QLineEdit():
            return widget.text()
        case QComboBox():
            return widget.currentText()
        case QGroupBox():
            return widget.title()
        case QPlainTextEdit() | QTextEdit():
            return widget.toPlainText()
        case QTabBar():
            return " | ".join(widget.tabText(i) for i in range(widget.count()))
        case QAbstractItemView() if (model := widget.model()) is not None:
            rows = range(min(model.rowCount(), MOST_ROWS))
            columns = range(MOST_COLUMNS)
            return "\n".join(" | ".join(str(model.index(r, c).data() or "") for c in columns if model.hasIndex(r, c)) for r in rows)
    return ""


def _state(widget: QWidget) -> str:
    checked = isinstance(widget, QAbstractButton) and widget.isChecked()
    return ", ".join(["checked"] * checked + ["disabled"] * (not widget.isEnabled()))


def write_tree(tree: Sequence[Seen], path: Path) -> None:
    """Write a tree as JSON, a line for each widget."""
    lines = ",\n ".join(json.dumps(asdict(each), ensure_ascii=False) for each in tree)
    path.write_text(f"[{lines}]\n", encoding="utf-8")


def read_tree(path: Path) -> list[Seen] | None:
    """Read a tree; None if there is none."""
    if not path.exists():
        return None
    entries: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    return [Seen(e["path"], (e["at"][0], e["at"][1], e["at"][2], e["at"][3]), e["text"], e["state"]) for e in entries]


def told(before: Sequence[Seen] | None, after: Sequence[Seen], changed: NDArray[np.bool_] | None) -> list[str]:
    """The differences between two trees in words, and which widgets the ``changed`` pixels (height, width) belong to."""
    lines = list(_differences({s.path: s for s in before}, {s.path: s for s in after})) if before is not None else []
    if changed is not None and changed.any():
        lines += _pixels(after, changed)
    left = len(lines) - MOST_TOLD
    return lines[:MOST_TOLD] + ([f"and {left} more"] if left > 0 else [])


def _differences(before: dict[str, Seen], after: dict[str, Seen]) -> Iterator[str]:
    for path in (p for p in before if p not in after):
        if path.rpartition(" > ")[0] not in before.keys() - after.keys():  # with a parent that is gone it is not told again
            yield f"{path} is not there any longer"
    for path, now in after.items():
        was = before.get(path)
        if was is None:
            if path.rpartition(" > ")[0] not in after.keys() - before.keys():
                yield f"{path} is new"
            continue
        if was.text != now.text:
            yield f"{path}: text {_quoted(was.text)} is now {_quoted(now.text)}"
        if was.at != now.at:
            yield f"{path}: {_box(was.at)} is now {_box(now.at)}"
        if was.state != now.state:
            yield f"{path}: {was.state or 'enabled'} is now {now.state or 'enabled'}"


def _quoted(text: str) -> str:
    one = " ".join(text.split())
    return repr(one if len(one) <= 60 else f"{one[:59]}…")


def _box(at: tuple[int, int, int, int]) -> str:
    x, y, width, height = at
    return f"{width} x {height} at ({x}, {y})"


def _pixels(tree: Sequence[Seen], changed: NDArray[np.bool_]) -> list[str]:
    """How many changed pixels each widget has that is uppermost there, most first."""
    owner = np.zeros(changed.shape, np.int64)
    boxes: dict[str, tuple[int, int, int, int]] = {}
    for i, seen in enumerate(tree):
        x, y, width, height = seen.at
        left, top, right, bottom = boxes.get(seen.path.rpartition(" > ")[0], (0, 0, changed.shape[1], changed.shape[0]))
        x, y = left + x, top + y
        boxes[seen.path] = x, y, x + width, y + height
        owner[max(y, top, 0) : max(min(y + height, bottom), 0), max(x, left, 0) : max(min(x + width, right), 0)] = i
    counts = np.bincount(owner[changed], minlength=len(tree))
    return [f"{tree[i].path}: {counts[i]} pixels differ" for i in np.argsort(-counts, kind="stable").tolist() if counts[i]]
