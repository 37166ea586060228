"""Records of the visible widgets in a picture, with positions and texts, so that a difference is
reported widget by widget.
"""

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

MAX_TEXT_LENGTH = 200
"""Characters of a widget's text that are recorded."""
MAX_ROWS = 40
"""Rows and columns of a list or table whose texts are recorded."""
MAX_REPORTED = 12
"""Number of differences that are reported."""


@dataclass(frozen=True)
class WidgetRecord:
    """A visible widget. ``path`` names it and its parents; ``at`` is x, y, width and height within
    its parent.
    """

    path: str
    at: tuple[int, int, int, int]
    text: str = ""
    state: str = ""


def visible_widgets(root: QWidget) -> list[WidgetRecord]:
    """The visible widgets below a root, parents before their children, and lower widgets before
    those that cover them.
    """
    return list(_visible_widgets(root, _widget_name(root, 0), (0, 0, root.width(), root.height())))


def _visible_widgets(
    widget: QWidget, path: str, at: tuple[int, int, int, int]
) -> Iterator[WidgetRecord]:
    yield WidgetRecord(path, at, _widget_text(widget)[:MAX_TEXT_LENGTH], _widget_state(widget))
    counts: dict[str, int] = {}
    for child in widget.children():
        if isinstance(child, QWidget):
            kind = type(child).__name__
            counts[kind] = counts.get(kind, 0) + 1
            if child.isVisible() and not child.isWindow():
                box = child.geometry()
                yield from _visible_widgets(
                    child,
                    f"{path} > {_widget_name(child, counts[kind])}",
                    (box.x(), box.y(), box.width(), box.height()),
                )


def _widget_name(widget: QWidget, number: int) -> str:
    """The name of a widget among its siblings: its object name, else its accessible name, else its
    class and number.
    """
    own = widget.objectName()
    if own and not own.startswith("qt_"):
        return f"{type(widget).__name__} {own}"
    if widget.accessibleName():
        return f"{type(widget).__name__} '{widget.accessibleName()}'"
    return f"{type(widget).__name__} {number}" if number > 1 else type(widget).__name__


def _widget_text(widget: QWidget) -> str:
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
            rows = (
                [
                    str(model.index(r, c).data() or "")
                    for c in range(MAX_ROWS)
                    if model.hasIndex(r, c)
                ]
                for r in range(min(model.rowCount(), MAX_ROWS))
            )
            return "\n".join(map(" | ".join, rows))
    return ""


def _widget_state(widget: QWidget) -> str:
    checked = isinstance(widget, QAbstractButton) and widget.isChecked()
    return ", ".join(["checked"] * checked + ["disabled"] * (not widget.isEnabled()))


def write_tree(tree: Sequence[WidgetRecord], path: Path) -> None:
    """Write the records of widgets to a file as JSON, one widget per line."""
    lines = ",\n ".join(json.dumps(asdict(each), ensure_ascii=False) for each in tree)
    path.write_text(f"[{lines}]\n", encoding="utf-8")


def read_tree(path: Path) -> list[WidgetRecord] | None:
    """Read the records of widgets from a file; None if it does not exist or is damaged, for example
    by a merge conflict.
    """
    try:
        entries: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        return None
    return [WidgetRecord(**{**entry, "at": tuple(entry["at"])}) for entry in entries]


def describe_differences(
    before: Sequence[WidgetRecord] | None,
    after: Sequence[WidgetRecord],
    changed: NDArray[np.bool_] | None,
) -> list[str]:
    """The differences between two lists of widgets in words. Also which widgets the ``changed``
    pixels (height, width) belong to.
    """
    lines = [] if before is None else list(_tree_differences(before, after))
    if changed is not None and changed.any():
        lines += _changed_pixel_lines(after, changed)
    omitted = len(lines) - MAX_REPORTED
    return lines[:MAX_REPORTED] + ([f"and {omitted} more"] if omitted > 0 else [])


def _tree_differences(
    earlier: Sequence[WidgetRecord], later: Sequence[WidgetRecord]
) -> Iterator[str]:
    before, after = {w.path: w for w in earlier}, {w.path: w for w in later}
    for paths, others, what in ((before, after, "is gone"), (after, before, "is new")):
        changed = paths.keys() - others.keys()
        for path in paths:
            # else its parent is reported
            if path in changed and path.rpartition(" > ")[0] not in changed:
                yield f"{path} {what}"
    for path, now in after.items():
        was = before.get(path, now)
        if was.text != now.text:
            yield f"{path}: text {_quote_text(was.text)} is now {_quote_text(now.text)}"
        if was.at != now.at:
            yield f"{path}: {_rectangle_text(was.at)} is now {_rectangle_text(now.at)}"
        if was.state != now.state:
            yield f"{path}: {was.state or 'enabled'} is now {now.state or 'enabled'}"


def _quote_text(text: str) -> str:
    one = " ".join(text.split())
    return repr(one if len(one) <= 60 else f"{one[:59]}…")


def _rectangle_text(at: tuple[int, int, int, int]) -> str:
    x, y, width, height = at
    return f"{width} x {height} at ({x}, {y})"


def _changed_pixel_lines(tree: Sequence[WidgetRecord], changed: NDArray[np.bool_]) -> list[str]:
    """Lines of text with the number of changed pixels for each widget that is uppermost there,
    highest number first.
    """
    owner = np.zeros(changed.shape, np.int64)
    whole = (0, 0, changed.shape[1], changed.shape[0])
    boxes: dict[str, tuple[int, int, int, int]] = {}
    for i, widget in enumerate(tree):
        x, y, width, height = widget.at
        left, top, right, bottom = boxes.get(widget.path.rpartition(" > ")[0], whole)
        x, y = left + x, top + y
        boxes[widget.path] = x, y, x + width, y + height
        rows = slice(max(y, top, 0), max(min(y + height, bottom), 0))
        owner[rows, max(x, left, 0) : max(min(x + width, right), 0)] = i
    counts = np.bincount(owner[changed], minlength=len(tree))
    return [
        f"{tree[i].path}: {counts[i]} pixels differ"
        for i in np.argsort(-counts, kind="stable").tolist()
        if counts[i]
    ]
