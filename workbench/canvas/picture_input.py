"""The inputs of a ray picture, which is prepared at once or in the background."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass

from PySide6.QtCore import SignalInstance

from core.scene.settings import Settings
from core.trace.compilation.loading import machine_code_loaded
from core.trace.results.result import TraceResult
from core.view import View
from workbench.canvas.brightness import brightness_picture
from workbench.canvas.ray_picture import Picture, ray_picture, shown_marks
from workbench.theme import Theme


@dataclass(frozen=True, eq=False)
class PictureInput:
    """A trace with the view, settings and theme that determine its picture."""

    result: TraceResult
    view: View
    settings: Settings
    theme: Theme

    def picture(self) -> Picture:
        """A `BrightnessPicture` if the scene simulates colours or its colour mode shows brightness, else a `RayPicture`; as long as the
        kernels are not compiled always the latter, which needs none of them."""
        rows = self.view.visible_rows(self.result)
        if machine_code_loaded() and (self.settings.simulate_colors or self.settings.color_mode != "default"):
            return brightness_picture(self.result, shown_marks(self.result, self.settings, rows), self.settings, self.theme)
        return ray_picture(self.result, self.settings, self.theme, rows)

    def picture_in_background(self, done: SignalInstance) -> None:
        """Prepare the picture and emit ``done`` with self and the picture; runs in a worker thread."""
        picture = self.picture()
        with contextlib.suppress(RuntimeError):  # the canvas may have been deleted meanwhile
            done.emit(self, picture)
