"""The bar that plays the rows of a study on the canvas: play, pause and step, a slider, the speed
and the repetition.

It only announces the next row; ``is_ready`` tells whether the last one is shown, so that the next
may follow.
"""

from collections.abc import Callable
from enum import StrEnum

from PySide6.QtCore import QEvent, QObject, QSignalBlocker, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QPushButton, QSlider, QSpinBox, QWidget

from raybench_workbench import theme
from raybench_workbench.canvas.icons import action_icon
from raybench_workbench.translation import tr
from raybench_workbench.widgets import ElidedChoice, describe_widget, push_button, row_layout
from raybench_workbench.window.keyboard import leave_wheel_to_form

SPEED_RANGE = 1, 50
"""The fewest and the most rows in a second."""
USUAL_SPEED = 20
MOST_LETTERS = 4
"""Letters of the repetition that are not elided: a small window has no room for more."""


class RepeatMode(StrEnum):
    """What happens after the last row: stop, start again, or go back."""

    LOOP = tr("Loop")
    BACK = tr("Back and forth")
    ONCE = tr("Once")


def next_row(row: int, step: int, count: int, repeat: RepeatMode) -> tuple[int, int]:
    """The next of ``count`` rows when playing by ``step``, and the step after it, whose sign may
    have changed; the step is 0 at the end.
    """
    if 0 <= row + step < count:
        return row + step, step
    match repeat:
        case RepeatMode.LOOP:
            return (row + step) % count, step
        case RepeatMode.BACK if count > 1:
            return row - step, -step
        case _:
            return row, 0


class Player(QWidget):
    """Plays the rows of a study. ``rowChanged`` is emitted with a row to show; ``opened`` with True
    when rows are shown on the canvas, and with False when the document is shown again.
    """

    rowChanged = Signal(int)
    opened = Signal(bool)

    def __init__(self, is_ready: Callable[[], bool], parent: QWidget | None = None) -> None:
        """The player waits with the next row while ``is_ready`` returns False."""
        super().__init__(parent)
        self._is_ready = is_ready
        self._count, self._step, self._is_open = 0, 1, False
        self.timer = QTimer(self)
        self.timer.setTimerType(Qt.TimerType.PreciseTimer)
        self.timer.timeout.connect(self.advance)
        self.play_button = self._icon_button(tr("Play"), self.toggle, tr("Play or pause (Space)"))
        self.back_button = self._icon_button(
            tr("Back"), lambda: self.step(-1), tr("A row back (Left)")
        )
        self.forward_button = self._icon_button(
            tr("Forward"), lambda: self.step(1), tr("A row forward (Right)")
        )
        self.slider = describe_widget(
            QSlider(Qt.Orientation.Horizontal), name=tr("Row of the film")
        )
        self.slider.setMinimumWidth(5 * theme.GRID)
        self.slider.installEventFilter(self)
        self.slider.valueChanged.connect(self._show_dragged_row)
        self.speed = describe_widget(QSpinBox(), name=tr("Rows per second"))
        self.speed.setRange(*SPEED_RANGE)
        self.speed.setValue(USUAL_SPEED)
        self.speed.setSuffix(" / s")
        theme.indent_number_text(self.speed)
        self.repeat = describe_widget(ElidedChoice(), name=tr("Repetition"))
        self.repeat.addItems(list(RepeatMode))
        self.repeat.setSizeAdjustPolicy(
            ElidedChoice.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.repeat.setMinimumContentsLength(MOST_LETTERS)
        for field in (self.slider, self.speed, self.repeat):
            leave_wheel_to_form(field)
        self.close_button = self._icon_button(
            tr("Close"), self.close_film, tr("Show the scene (Esc)")
        )
        row_layout(
            self.back_button,
            self.play_button,
            self.forward_button,
            (self.slider, 1),
            self.speed,
            self.repeat,
            self.close_button,
            on=self,
            margins=(theme.GRID, theme.HALF, theme.GRID, theme.HALF),
            spacing=theme.HALF,
        )
        self.speed.valueChanged.connect(self._apply_speed)
        theme.notifier.changed.connect(self._show_state)
        self._apply_speed()
        self._show_state()

    def _icon_button(self, name: str, act: Callable[[], object], tip: str) -> QPushButton:
        button = push_button("", act, name=name, tip=tip)
        button.setIconSize(QSize(theme.ICON_SIZE, theme.ICON_SIZE))
        button.setFixedWidth(theme.ICON_SIZE + theme.GRID)
        return button

    @property
    def is_open(self) -> bool:
        """Whether a row is shown on the canvas, playing or paused."""
        return self._is_open

    @property
    def is_playing(self) -> bool:
        return self.timer.isActive()

    @property
    def row(self) -> int:
        """The row that is shown."""
        return self.slider.value()

    @property
    def chosen_repeat(self) -> RepeatMode:
        return RepeatMode(self.repeat.currentText())

    def set_count(self, count: int) -> None:
        """Set the number of rows. Without rows, the player is closed."""
        self._count = count
        with QSignalBlocker(self.slider):
            self.slider.setRange(0, max(count - 1, 0))
        if not count:
            self.close_film()
        self._show_state()

    def toggle(self) -> None:
        """Pause, or continue playing; from the first row if the last was reached."""
        if self.is_playing:
            self.pause()
        else:
            self.play()

    def play(self) -> None:
        """Continue playing; from the first row if the last was reached."""
        if not self._count:
            return
        if self.chosen_repeat is not RepeatMode.BACK or not self._step:
            self._step = 1
        if self.row == self._count - 1 and self.chosen_repeat is RepeatMode.ONCE:
            self._show_row(0)
        self._open_film()
        self.timer.start()
        self._show_state()

    def pause(self) -> None:
        self.timer.stop()
        self._show_state()

    def step(self, count: int) -> None:
        """Pause, and move by a number of rows."""
        self.pause()
        self._show_row(self.row + count)

    def advance(self) -> None:
        """Move to the next row, unless the last one is not shown yet."""
        if not self._is_ready():
            return
        row, self._step = next_row(self.row, self._step, self._count, self.chosen_repeat)
        if self._step:
            self._show_row(row)
        else:
            self.pause()

    def show_row(self, row: int) -> None:
        """Move the slider to a row that was chosen elsewhere."""
        with QSignalBlocker(self.slider):
            self.slider.setValue(row)

    def close_film(self) -> None:
        """Stop playing, and show the document again."""
        self.timer.stop()
        if self._is_open:
            self._is_open = False
            self.opened.emit(False)
        self._show_state()

    def handle_key(self, key: Qt.Key) -> bool:
        """Handle a key that controls the player; returns whether the key does."""
        match key:
            case Qt.Key.Key_Space:
                self.toggle()
            case Qt.Key.Key_Left:
                self.step(-1)
            case Qt.Key.Key_Right:
                self.step(1)
            case Qt.Key.Key_Home:
                self.step(-self._count)
            case Qt.Key.Key_End:
                self.step(self._count)
            case Qt.Key.Key_Escape:
                self.close_film()
            case _:
                return False
        return True

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Handle the player's keys while the slider has the focus."""
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            return self.handle_key(Qt.Key(event.key()))
        return super().eventFilter(watched, event)

    def _open_film(self) -> None:
        if not self._is_open:
            self._is_open = True
            self.slider.setFocus()
            self.opened.emit(True)

    def _show_row(self, row: int) -> None:
        row = min(max(row, 0), self._count - 1)
        self._open_film()
        if row != self.row:
            self.slider.setValue(row)

    def _show_dragged_row(self, row: int) -> None:
        self._open_film()
        self.rowChanged.emit(row)

    def _apply_speed(self) -> None:
        self.timer.setInterval(round(1000 / self.speed.value()))

    def _show_state(self, *_: object) -> None:
        current = theme.current_theme()
        for button, icon in (
            (self.back_button, "back"),
            (self.play_button, "pause" if self.is_playing else "play"),
            (self.forward_button, "forward"),
            (self.close_button, "close"),
        ):
            button.setIcon(action_icon(icon, current))
        for part in (self.back_button, self.play_button, self.forward_button, self.slider):
            part.setEnabled(self._count > 0)
        self.close_button.setEnabled(self._is_open)
