"""Light to make a picture of, at once or in the background."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass

from PySide6.QtCore import SignalInstance

from core.scene.settings import Settings
from core.trace.results.result import TraceResult
from core.view import View
from workbench.canvas.brightness import brightness_picture
from workbench.canvas.ray_picture import Picture, ray_picture, shown_marks
from workbench.theme import Theme


@dataclass(frozen=True, eq=False)
class Light:
    """A trace, and how it is looked at."""

    result: TraceResult
    view: View
    settings: Settings
    look: Theme

    def picture(self) -> Picture:
        """Light that adds up where the scene has colours or its colour mode shows brightness, else lines painted over each other."""
        shown = self.view.visible_rows(self.result)
        if self.settings.simulate_colors or self.settings.color_mode != "default":
            return brightness_picture(self.result, shown_marks(self.result, self.settings, shown), self.settings, self.look)
        return ray_picture(self.result, self.settings, self.look, shown)

    def picture_in_background(self, done: SignalInstance) -> None:
        """Make the picture and tell of it; for another thread."""
        picture = self.picture()
        with contextlib.suppress(RuntimeError):  # the canvas may have gone meanwhile
            done.emit(self, picture)
