"""The status line: pointer position, number of segments, trace time, and state of the trace."""

from __future__ import annotations

import math

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton, QStatusBar, QWidget

from raybench.shapes.point import Point
from raybench.trace.codes import Completion
from raybench.trace.results.not_followed import NotFollowed, not_followed_text
from raybench.trace.results.result import TraceResult
from raybench_workbench import theme
from raybench_workbench.document import WorkDocument
from raybench_workbench.panels.number_edit import format_decimals
from raybench_workbench.tracing import TraceService, TraceState
from raybench_workbench.words.counts import counted
from raybench_workbench.words.trace_progress import STOP

MESSAGE_MS = 6_000
"""How long a message is shown in the place of the pointer's position."""


class StatusLine(QStatusBar):
    """``fixed_milliseconds`` replaces measured times, for reproducible screenshots."""

    def __init__(
        self, document: WorkDocument, service: TraceService, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._document, self._service = document, service
        self.fixed_milliseconds: float | None = None
        self._preview = False
        """Whether the canvas currently shows only part of the segments."""
        self.setSizeGripEnabled(False)
        self.setContentsMargins(theme.HALF, 0, theme.GRID, 0)
        self.position = self._label("000000.00, 000000.00 mm", Qt.AlignmentFlag.AlignLeft)
        self.truncated = self._label("")
        self.segments = self._label("")
        self.time = self._label("10000.0 ms")
        self.state = QPushButton("ready", self)
        self.state.setCursor(Qt.CursorShape.PointingHandCursor)
        self.state.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        theme.set_role(self.state, "status")
        self.state.clicked.connect(service.stop)
        self.programs = QPushButton("programs may connect", self)
        """Shown while other programs may connect to this window; a click opens the menu that ends
        it.
        """
        self.programs.setCursor(Qt.CursorShape.PointingHandCursor)
        self.programs.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        theme.set_role(self.programs, "status-warning")
        self.programs.hide()
        self.addWidget(self.position)
        for part in (self.programs, self.truncated, self.segments, self.time, self.state):
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
        """Show the pointer's position with as many decimals as a pixel resolves, whose size in
        scene units is ``pixel``.
        """
        decimals = -math.floor(math.log10(pixel))
        unit = self._document.document.unit
        self.position.setText(
            ""
            if at is None
            else f"{format_decimals(at.x, decimals)}, {format_decimals(at.y, decimals)} {unit}"
        )

    def show_programs(self, allowed: bool, url: str) -> None:
        """Show whether other programs may connect to this window; ``url`` is empty until they can."""
        self.programs.setText("programs may connect" if url else "letting programs connect…")
        self.programs.setToolTip(
            f"Other programs may use this window's tools at {url}. Click to end it." if url else ""
        )
        self.programs.setVisible(allowed)

    def show_painted_count(self, painted: int, total: int) -> None:
        """Show how many of the segments are painted."""
        result = self._document.result
        if self._preview != (painted < total):
            self._preview = painted < total
            self._show_state(self._service.state)
        if painted < total:
            self.segments.setText(f"showing {counted(painted)} of {counted(total)} segments")
        elif result is not None:
            self.segments.setText(f"{counted(len(result))} segments")

    def _show_result(self, result: TraceResult | None) -> None:
        self.segments.setText("" if result is None else f"{counted(len(result))} segments")
        self.segments.setToolTip("Number of traced ray segments.")
        if result is None:
            self.time.setText("")
            self.truncated.setText("")
            return
        spent = result.milliseconds if self.fixed_milliseconds is None else self.fixed_milliseconds
        self.time.setText(f"{spent:.1f} ms")
        scene = self._document.scene
        out = NotFollowed.of(result, scene)
        parts = ((out.weak, "too weak to follow"), (out.deep, "beyond the largest depth"))
        texts = [f"{100 * share:.3g} % {why}" for share, why in parts if share]
        self.truncated.setText(", ".join(texts))
        self.truncated.setToolTip(f"{not_followed_text(scene, [out])}." if texts else "")
        self._show_state(self._service.state)

    def _show_state(self, state: TraceState) -> None:
        result, progress, tracing = (
            self._document.result,
            self._service.progress,
            state is TraceState.TRACING,
        )
        if tracing:
            text = (
                f"tracing{f' {counted(progress.segments)} segments' if progress is not None else ''},"
                " click to stop"
            )
        elif state is TraceState.PREPARING:
            text = "preview: a part of the rays"
        elif state is TraceState.FAILED:
            text = "not traced"
        elif result is None:
            text = "ready"
        elif result.completion == Completion.REDUCED:
            text = "reduced while dragging"
        elif result.revision != self._document.document.revision:
            text = "stale"
        elif self._preview and result.completion == Completion.COMPLETE:
            text = "preview"
        else:
            text = (
                result.completion.text
                if result.completion == Completion.COMPLETE
                else f"partial: {result.completion.text}"
            )
        self.state.setText(text)
        self.state.setEnabled(tracing)
        self.state.setToolTip(STOP if tracing else "")
        role = "status" if tracing or text in ("complete", "ready", "preview") else "status-warning"
        if self.state.property("role") != role:
            theme.set_role(self.state, role)
