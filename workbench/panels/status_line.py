"""The status line: where the pointer is, how much light there is, how long it took, and whether it is all."""

from __future__ import annotations

import math

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton, QStatusBar, QWidget

from core.shapes.point import Point
from core.trace.codes import Completion
from core.trace.results.result import TraceResult
from workbench import theme
from workbench.document import WorkDocument
from workbench.panels.number_edit import in_decimals
from workbench.trace_service import TraceService, TraceState


def counted(n: int) -> str:
    """A whole number with thin spaces between thousands."""
    return f"{n:,}".replace(",", "\u2009")


class StatusLine(QStatusBar):
    """``fixed_milliseconds`` takes the place of measured times where a picture must be the same every time."""

    def __init__(self, document: WorkDocument, service: TraceService, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document, self._service = document, service
        self.fixed_milliseconds: float | None = None
        self.setSizeGripEnabled(False)
        self.setContentsMargins(theme.HALF, 0, theme.GRID, 0)
        self.place = self._label("000000.00, 000000.00 mm", Qt.AlignmentFlag.AlignLeft)
        self.truncated = self._label("")
        self.segments = self._label("")
        self.time = self._label("10000.0 ms")
        self.state = QPushButton("ready", self)
        self.state.setCursor(Qt.CursorShape.PointingHandCursor)
        self.state.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        theme.set_role(self.state, "status")
        self.state.clicked.connect(service.stop)
        self.addWidget(self.place)
        for part in (self.truncated, self.segments, self.time, self.state):
            self.addPermanentWidget(part)
        document.resultChanged.connect(self._show_result)
        document.changed.connect(lambda: self._show_state(service.state))
        service.stateChanged.connect(self._show_state)
        self._show_result(document.result)
        self._show_state(service.state)

    def _label(self, widest: str, align: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignRight) -> QLabel:
        label = QLabel(self)
        label.setAlignment(align | Qt.AlignmentFlag.AlignVCenter)
        label.setMinimumWidth(theme.width_of(widest) + theme.GRID)
        label.setContentsMargins(theme.HALF, 0, theme.HALF, 0)
        return label

    def show_cursor(self, at: Point | None, pixel: float = 1.0) -> None:
        """Where the pointer is, to a hundredth of a ``pixel`` (in scene units) or so."""
        decimals = 2 - math.floor(math.log10(pixel))
        unit = self._document.document.unit
        self.place.setText("" if at is None else f"{in_decimals(at.x, decimals)}, {in_decimals(at.y, decimals)} {unit}")

    def show_share(self, shown: int, of: int) -> None:
        """Say so while only part of the segments is painted."""
        result = self._document.result
        if shown < of:
            self.segments.setText(f"showing {counted(shown)} of {counted(of)} segments")
        elif result is not None:
            self.segments.setText(f"{counted(len(result))} segments")

    def _show_result(self, result: TraceResult | None) -> None:
        self.segments.setText("" if result is None else f"{counted(len(result))} segments")
        self.segments.setToolTip("Straight pieces of light that were traced.")
        if result is None:
            self.time.setText("")
            self.truncated.setText("")
            return
        spent = result.milliseconds if self.fixed_milliseconds is None else self.fixed_milliseconds
        self.time.setText(f"{spent:.1f} ms")
        ledger = result.ledger
        lost, followed = ledger.truncated, ledger.emitted + ledger.resampled + ledger.gained
        share = lost / followed if followed > 0 else 0.0
        self.truncated.setText(f"truncated {share:.2%} of the power" if share >= 5e-5 else "")
        self.truncated.setToolTip(f"Rays too weak to follow carried {lost:.4g} of {followed:.4g} units of power.")
        self._show_state(self._service.state)

    def _show_state(self, state: TraceState) -> None:
        shown = self._document.result
        busy = state.kind in ("preparing", "tracing")
        if state.kind == "preparing":
            text = f"{state.text} {state.share:.0%}" if state.share is not None else state.text
        elif busy or state.kind == "failed":
            text = state.text
        elif shown is None:
            text = "ready"
        elif shown.completion == Completion.REDUCED:
            text = "reduced while dragging"
        elif shown.revision != self._document.document.revision:
            text = "stale"
        else:
            text = shown.completion.text if shown.completion == Completion.COMPLETE else f"partial: {shown.completion.text}"
        self.state.setText(text)
        self.state.setEnabled(state.kind == "tracing")
        self.state.setToolTip("Stop tracing and keep what there is." if state.kind == "tracing" else "")
        role = "status" if text in ("complete", "ready") or busy else "status-warning"
        if self.state.property("role") != role:
            theme.set_role(self.state, role)
