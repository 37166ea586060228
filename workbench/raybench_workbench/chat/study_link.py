"""The button on the card of a study that was asked for in the conversation: shows the study, with
its plot, in the study panel.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from raybench.analysis.measures.grammar import read_measures
from raybench.errors import RaybenchError
from raybench.study.request import StudyRequest
from raybench_workbench import theme
from raybench_workbench.selection import Selection


def study_of(tool: str, arguments: Mapping[str, Any]) -> StudyRequest | None:
    """The study that a call ran, as the panel's form describes it; None if the call was no study or
    cannot be read.
    """
    try:
        if tool == "sweep":
            return StudyRequest(
                tool,
                vary=_texts(arguments["axes"]),
                measures=tuple(map(str, read_measures(arguments["measures"]))),
            )
        if tool in ("optimise", "tolerance"):
            lists = {
                name: _texts(arguments.get(name))
                for name in ("vary", "measures", "limits", "adjust", "goals", "links")
            }
            return StudyRequest.from_json({**arguments, "kind": tool, **lists})
    except (KeyError, TypeError, RaybenchError):  # a stored conversation of another version
        return None
    return None


def _texts(value: Any) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(map(str, value or ()))


class StudyLink(QWidget):
    """A button that asks for the study panel, through the selection's ``studyWanted``."""

    def __init__(
        self, request: StudyRequest, selection: Selection, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.button = QPushButton("Show in the study panel", self)
        self.button.setToolTip("Run it there, with a plot whose points can be applied and exported")
        theme.set_role(self.button, "flat")
        self.button.clicked.connect(lambda: selection.studyWanted.emit(request))
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.addWidget(self.button)
        line.addStretch(1)
