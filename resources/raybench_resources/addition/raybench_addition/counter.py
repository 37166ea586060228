"""A panel that counts the rays of the trace."""

from typing import Any

from PySide6.QtWidgets import QLabel, QWidget


def make_counter(window: Any) -> QWidget:
    """A label that follows the window's document."""
    label = QLabel()

    def show(result: object) -> None:
        label.setText("No rays yet" if result is None else f"{len(result)} rays")

    window.document.resultChanged.connect(show)
    show(window.document.result)
    return label
