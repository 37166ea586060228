"""The table of preferences, and the object that applies them to a window, also when another window
or process changes them. Each row of the table gives a preference's title, default and effect.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, Signal

from raybench.files.recovery import MIN_WRITE_INTERVAL
from raybench.scene import LENGTH_UNITS
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings as SceneSettings
from raybench.scene.snapping.targets import GRID, OFF_BY_DEFAULT, SNAPS
from raybench.trace.limits import DEFAULT_LIMIT
from raybench_workbench import translation
from raybench_workbench.chat.composer import PROFILES
from raybench_workbench.refinement import DEFAULT_ERROR
from raybench_workbench.snapping import SNAP_REACH
from raybench_workbench.theme import SYSTEM, THEMES
from raybench_workbench.tracing import DRAG_BUDGET

if TYPE_CHECKING:
    from raybench_workbench.main_window import MainWindow

READ_DELAY = 100
"""Time after the last event before the settings are read, in milliseconds."""


class PreferenceApplier(QObject):
    """Applies changed preferences to a window when the settings file changes."""

    changed = Signal()
    """The window acts on another value."""
    chosenElsewhere = Signal()
    """It does so because of another window."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window, self._settings = window, window.settings
        self._now = {
            row.name: row.default if row.at_start else self._settings.get(row)
            for row in PREFERENCES
        }
        for row in PREFERENCES:
            self._apply_preference(row)
        self._watcher = QFileSystemWatcher(self)
        self._read_timer = QTimer(self, singleShot=True, interval=READ_DELAY)
        self._read_timer.timeout.connect(self._apply_changed)
        self._watcher.fileChanged.connect(self._schedule_file_reading)
        self._watcher.directoryChanged.connect(self._schedule_file_reading)
        self._watch_file()

    def choose_value(self, row: Preference, value: Any) -> None:
        """Store a value of a preference and apply it to the window."""
        self._settings.set(row, value)
        self._now[row.name] = value
        row.effect(self._window, value)
        self.changed.emit()

    def _apply_preference(self, row: Preference) -> bool:
        """Apply the value of a preference to the window if it has changed; returns whether it has."""
        value = self._settings.get(row)
        if value == self._now[row.name]:
            return False
        self._now[row.name] = value
        row.effect(self._window, value)
        return True

    def _schedule_file_reading(self) -> None:
        self._watch_file()
        self._read_timer.start()

    def _apply_changed(self) -> None:
        """Apply the preferences that other windows changed, except those that affect only new
        windows.
        """
        self._settings.read_again()
        acted = [self._apply_preference(row) for row in PREFERENCES if row.shared]
        if any(acted):
            self.changed.emit()
            self.chosenElsewhere.emit()

    def _watch_file(self) -> None:
        """Watch the settings file and its folder, because a replaced file is no longer watched, and
        because the file may not exist yet.
        """
        wanted = {str(p) for p in (self._settings.path, self._settings.path.parent) if p.exists()}
        if new := wanted - {*self._watcher.files(), *self._watcher.directories()}:
            self._watcher.addPaths(sorted(new))


@dataclass(frozen=True)
class Preference:
    """A preference: its ``name`` in the settings file, its group and title in the dialog, its
    default, and ``effect``, which applies a value to a window at its start and after each choice.

    The type of the default is that of the value: a bool, a number from ``low`` to ``high``, one of
    ``choices`` (titles by value), or the set of those ``choices`` that are off. ``zero`` is the
    word for a number of 0. A row that is not ``at_start`` takes effect before there is a window;
    one that is not ``shared`` does not change other open windows.
    """

    name: str
    group: str
    title: str
    default: Any
    effect: Callable[[MainWindow, Any], object] = field(repr=False)
    help: str = ""
    choices: Mapping[str, str] = field(default_factory=dict)
    low: float = 0.0
    high: float = 0.0
    unit: str = ""
    zero: str = ""
    at_start: bool = True
    shared: bool = True

    def __post_init__(self) -> None:
        if not callable(self.effect) or not self.is_allowed(self.default):
            raise ValueError(
                f"The preference '{self.name}' has no effect, or a default that cannot be chosen."
            )

    def is_allowed(self, value: Any) -> bool:
        """Whether a value can be chosen."""
        if type(value) is not type(self.default):
            return False
        match value:
            case bool():
                return True
            case float():
                return self.low <= value <= self.high
            case frozenset():
                return value <= self.choices.keys()
            case _:
                return value in self.choices

    def from_json(self, stored: Any) -> Any:
        """The value stored in a settings file, or the default if that value is not allowed."""
        value = stored
        if isinstance(stored, list) and all(isinstance(v, str) for v in stored):
            value = frozenset(stored)
        elif type(stored) is int and abs(stored) <= self.high:
            value = float(stored)
        return value if self.is_allowed(value) else self.default


def _limit_trace(window: MainWindow, **limits: int | None) -> None:
    window.service.limits = {**window.service.limits, **limits}


def _show_profile(window: MainWindow, name: str) -> None:
    combo = window.chat_dock.composer.profile
    combo.setCurrentIndex(combo.findData(name))


def _offer_few_tools(window: MainWindow, on: bool) -> None:
    window.chat_dock.agent.small = on


def _apply_unit(window: MainWindow, unit: str) -> None:
    window.document.blank = dataclasses.replace(window.document.blank, unit=unit)


def _apply_grid(window: MainWindow, shown: bool) -> None:
    window.document.blank = Document(
        scene=Scene(settings=SceneSettings(show_grid=shown)), unit=window.document.blank.unit
    )


THEME = Preference(
    "theme",
    "Appearance",
    "Theme",
    SYSTEM,
    lambda w, name: w.show_theme(name),
    "The colours of the window; System is light or dark as the desktop is.",
    choices={name: name.capitalize() for name in (SYSTEM, *THEMES)},
    at_start=False,
)
LANGUAGE = Preference(
    "language",
    "Appearance",
    "Language",
    translation.SYSTEM,
    lambda w, code: None,
    "The language of the window from the next start on. Questions without a model, tools and"
    " files are in English.",
    choices={translation.SYSTEM: "System", **translation.LANGUAGES},
    at_start=False,
)
KEEPS_TOOL = Preference(
    "keepsTool",
    "Drawing",
    "Keep the tool after drawing",
    False,
    lambda w, on: setattr(w.canvas, "keeps_tool", on),
    "Draw several objects of a kind one after another; Esc leaves the tool.",
)
SNAPS_OFF = Preference(
    "snapsOff",
    "Drawing",
    "Snap to",
    OFF_BY_DEFAULT,
    lambda w, off: setattr(w.canvas.snapper, "off", off),
    "What the pointer is drawn to; Alt suspends it. The grid is a setting of each scene.",
    choices={row.id: row.title for row in SNAPS.values() if row.id != GRID},
)
REOPENS = Preference(
    "reopens",
    "Files",
    "Open the files of the last time at start",
    True,
    lambda w, on: None,
    "The tabs and windows that were open when the program ended. Without, it begins with an example.",
)
PREFERENCES = (
    THEME,
    LANGUAGE,
    Preference(
        "newUnit",
        "New scenes",
        "Unit",
        "mm",
        _apply_unit,
        "The unit of lengths in new scenes.",
        choices={u: u for u in LENGTH_UNITS},
    ),
    Preference(
        "newGrid",
        "New scenes",
        "Show the grid",
        False,
        _apply_grid,
        "Whether new scenes show the grid.",
    ),
    KEEPS_TOOL,
    Preference(
        "snapReach",
        "Drawing",
        "Snapping distance",
        SNAP_REACH,
        lambda w, px: setattr(w.canvas.snapper, "reach", px),
        "Largest distance from the pointer to what it is drawn to.",
        low=2.0,
        high=40.0,
        unit="px",
    ),
    SNAPS_OFF,
    Preference(
        "dragMilliseconds",
        "Tracing",
        "Time per frame while dragging",
        DRAG_BUDGET,
        lambda w, ms: setattr(w.service.worker.budget, "milliseconds", ms),
        "More shows more rays while dragging, less follows the mouse more closely.",
        low=2.0,
        high=500.0,
        unit="ms",
    ),
    Preference(
        "millionSegments",
        "Tracing",
        "Most segments at rest",
        0.0,
        lambda w, n: _limit_trace(w, max_segments=round(n * 1e6) or None),
        "A trace with more is partial.",
        high=1000.0,
        unit="million",
        zero=f"{DEFAULT_LIMIT // 1_000_000} million",
    ),
    Preference(
        "refinedPercent",
        "Tracing",
        "Error of refined light",
        100 * DEFAULT_ERROR,
        lambda w, percent: w.refinement.refine_to(percent / 100),
        "At rest, more rays are traced until the error of the plot, of powers where chance decides,"
        " and of the picture in colour modes other than the default is this part of them.",
        high=50.0,
        unit="%",
        zero="not refined",
    ),
    Preference(
        "threads",
        "Tracing",
        "Threads",
        0.0,
        lambda w, n: _limit_trace(w, threads=round(n) or None),
        "Threads of a full trace.",
        high=256.0,
        zero="all processors",
    ),
    Preference(
        "memoryGigabytes",
        "Tracing",
        "Memory",
        0.0,
        lambda w, n: _limit_trace(w, memory_limit=round(n * 1e9) or None),
        "A trace that needs more is partial.",
        high=4096.0,
        unit="GB",
        zero="half of the machine's",
    ),
    REOPENS,
    Preference(
        "recoverySeconds",
        "Files",
        "Write unsaved changes every",
        MIN_WRITE_INTERVAL,
        lambda w, s: w.recovery.set_write_interval(s),
        "Shortest time between two recovery files, which are offered after a crash.",
        low=1.0,
        high=600.0,
        unit="s",
    ),
    Preference(
        "profile",
        "Agent",
        "The agent may",
        "ask",
        _show_profile,
        "What this window and new ones let the agent do.",
        choices={name: title for name, title, _ in PROFILES},
        shared=False,
    ),
    Preference(
        "smallModel",
        "Agent",
        "Offer a model only a dozen tools",
        False,
        _offer_few_tools,
        "For small models, such as many on this computer; it may call the other tools, too.",
    ),
)
"""All preferences, in the order of the dialog."""
