"""Light to make a picture of, at once or in the background."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass

from PySide6.QtCore import SignalInstance

from core.scene.settings import Settings
from core.trace.result import TraceResult
from core.view import View
from workbench.canvas.ray_picture import RayPicture, ray_picture
from workbench.theme import Theme


@dataclass(frozen=True, eq=False)
class Light:
    """A trace, and how it is looked at."""

    result: TraceResult
    view: View
    settings: Settings
    look: Theme

    def picture(self) -> RayPicture:
        return ray_picture(self.result, self.settings, self.look, self.view.shown(self.result))

    def picture_in_background(self, done: SignalInstance) -> None:
        """Make the picture and tell of it; for another thread."""
        picture = self.picture()
        with contextlib.suppress(RuntimeError):  # the canvas may have gone meanwhile
            done.emit(self, picture)
