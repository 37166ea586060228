"""The inputs of a ray picture, and the picture that they make."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from raybench.analysis.paths.paths import whole_paths as whole_paths_of
from raybench.raster.coloring import COLORINGS, ColoredRays
from raybench.scene.settings import Settings
from raybench.trace.compilation.loading import machine_code_loaded
from raybench.trace.results.ray_set import RaySet
from raybench.trace.results.result import TraceResult
from raybench.view import PickedRays, View
from raybench_workbench.canvas.rays.brightness import brightness_picture
from raybench_workbench.canvas.rays.picture import Picture
from raybench_workbench.canvas.rays.ray_picture import (
    RayPicture,
    lit_picture,
    ray_picture,
    shown_marks,
)
from raybench_workbench.theme import Theme


@dataclass(frozen=True, eq=False)
class PictureInput:
    """A trace with the view, settings and theme that determine its picture."""

    result: TraceResult
    view: View
    settings: Settings
    theme: Theme

    @cached_property
    def colored(self) -> ColoredRays | None:
        """The rays in the colours of the view's coloring; None where they have those of the scene's
        colour mode.
        """
        return (
            COLORINGS[self.view.coloring].color(self.result, self.settings)
            if self.view.coloring
            else None
        )

    @cached_property
    def visible(self) -> NDArray[np.int64] | None:
        """The rows that the view's filter lets pass, ascending; None if all are."""
        return self.view.visible_rows(self.result)

    def picture(self) -> Picture:
        """A `RayPicture` of the view's coloring. Without one, a `BrightnessPicture` if the scene
        simulates colours or its colour mode shows brightness, else a `RayPicture`; as long as the
        kernels are not compiled always the latter, which needs none of them.
        """
        rows = self.visible
        if self.colored is not None:
            return ray_picture(self.result, self.settings, self.theme, rows, self.colored)
        if machine_code_loaded() and (
            self.settings.simulate_colors or self.settings.color_mode != "default"
        ):
            return brightness_picture(
                self.result,
                shown_marks(self.result, self.settings, rows),
                self.settings,
                self.theme,
            )
        return ray_picture(self.result, self.settings, self.theme, rows)

    def lit_rows(
        self, rays: RaySet | PickedRays, *, whole_paths: bool = False
    ) -> NDArray[np.int64]:
        """The visible rows of highlighted rays or, with ``whole_paths``, of all light before and
        after them.
        """
        rows = whole_paths_of(self.result, rays.rows) if whole_paths else rays.rows
        if self.visible is None:
            return rows
        passes = np.zeros(len(self.result), bool)
        passes[self.visible] = True
        return rows[passes[rows]]

    def lit(self, rows: NDArray[np.int64]) -> RayPicture:
        """The picture of highlighted rows."""
        return lit_picture(self.result, rows, self.theme, self.colored)
