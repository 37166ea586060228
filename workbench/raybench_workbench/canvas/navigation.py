"""The visible part of the scene: fitting, zooming and panning."""

import dataclasses
from collections.abc import Collection
from functools import partial
from weakref import ReferenceType, ref

from PySide6.QtCore import QObject, QPointF, QSize, QThreadPool, Signal
from PySide6.QtWidgets import QWidget

from raybench.scene.creation import default_object_size
from raybench.scene.document import Document
from raybench.scene.hit_test import scene_extent
from raybench.shapes.curves import Box, union_of_boxes
from raybench.trace.results.extent import traced_scene_extent
from raybench.trace.results.result import TraceResult
from raybench.view import View
from raybench_workbench.canvas.viewport import Camera, fit_camera
from raybench_workbench.document import Selection, WorkDocument
from raybench_workbench.measuring.measurements import dimension_extent
from raybench_workbench.threads import LatestTaskRunner
from raybench_workbench.translation import tr

SCROLL_BORDER = 48.0
"""Distance in pixels from the border of the canvas to objects that are scrolled into view."""
COPY_DISTANCES = 8.0, 120.0
"""The shortest and the longest distance in pixels of a copy."""
LARGE_TRACE = 50_000
"""Number of segments above which the rectangle is computed in the background."""


class FitRectangle(QObject):
    """The rectangle that the action Fit shows: the document's objects and the images that light
    forms near them, which are known after a trace. While ``awaited`` is set, `find_light_box`
    computes the rectangle after each trace and emits ``found``.
    """

    found = Signal()

    def __init__(self, document: WorkDocument, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self.awaited = False
        """Whether the canvas is to be fitted again as soon as the light is known."""
        self._finding = LatestTaskRunner(
            self,
            document.failed.emit,
            tr("The fit to the light"),
            pool=QThreadPool.globalInstance(),
        )
        self._known: tuple[Document, ReferenceType[TraceResult], Box | None] | None = None

    @property
    def busy(self) -> bool:
        """Whether the rectangle is being computed."""
        return self._finding.is_working

    @property
    def box(self) -> Box | None:
        """The rectangle around the objects, and around the light if it is known, in scene units;
        None if the scene is empty.
        """
        document, known = self._document.document, self._known
        if known is not None and self.is_light_known:
            return known[2]
        return scene_extent(document.scene, hidden=document.hidden)

    @property
    def is_light_known(self) -> bool:
        """Whether the rectangle of the light is known for the document's full trace."""
        known, result = self._known, self._document.session.fresh_result
        if known is None or result is None:
            return False
        return known[0] is self._document.document and known[1]() is result

    def find_light_box(self) -> None:
        """Compute the awaited rectangle if the document has a full trace: at once for a small
        trace, in the background for a large one.
        """
        document, result = self._document.document, self._document.session.fresh_result
        if not self.awaited or result is None or self._document.gesture is not None:
            return
        self._finding.cancel_request()
        work = partial(traced_scene_extent, document.scene, result, hidden=document.hidden)
        keep = partial(self._store_light_box, document, ref(result))
        if len(result) <= LARGE_TRACE:
            keep(work())
        else:
            self._finding.request_task(work, keep)

    def _store_light_box(
        self, document: Document, result: ReferenceType[TraceResult], box: Box | None
    ) -> None:
        self._known = document, result, box
        if self.awaited and self.is_light_known:
            self.awaited = False
            self.found.emit()


class Navigation(QObject):
    """The camera of a canvas. Until the user moves it, the document's view stores no camera, and
    the canvas fits the objects and their light.
    """

    moved = Signal()
    """The camera or the size of the canvas changed."""

    def __init__(self, document: WorkDocument, selection: Selection, canvas: QWidget) -> None:
        super().__init__(canvas)
        self._document, self._selection, self._canvas = document, selection, canvas
        self.camera = Camera()
        self._followed = document.session.view.camera
        """The camera of the view that was last followed."""
        selection.presented.connect(self.show_objects)
        self.light = FitRectangle(document, self)
        self.light.found.connect(self._fit_light)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the canvas, in pixels."""
        return self._canvas.width(), self._canvas.height()

    @property
    def copy_offset(self) -> float:
        """The displacement of a copy from its original, in scene units: one grid step, or a round
        length if the grid step is too small or too large on the screen.
        """
        grid, (low, high) = self._document.scene.settings.grid_size, COPY_DISTANCES
        fits = low <= grid * self.camera.scale <= high
        return grid if fits else default_object_size(low * 2 / self.camera.scale)

    @property
    def is_fitted(self) -> bool:
        """Whether the camera still fits the scene automatically, because the user has not moved it."""
        return self._document.session.view.camera is None

    def set_camera(self, camera: Camera) -> None:
        """Show the part of the scene that a camera specifies, and store the camera in the
        document's view.
        """
        if camera != self.camera:
            self.camera = camera
            self.store_camera()
            self.moved.emit()

    def store_camera(self) -> None:
        """Store the current camera in the document's view, so that it stays when the scene changes."""
        self._store_camera(self.camera.visible_rectangle(self.size))

    def _store_camera(self, visible: Box | None) -> None:
        view = dataclasses.replace(self._document.session.view, camera=visible)
        self._document.set_view(view)

    def fit_scene(self) -> None:
        """Fit the objects and the images that light forms near them, now and after resizing, until
        the camera is moved.
        """
        if self.is_fitted:
            self.refit_scene()
        else:
            self._store_camera(None)

    def fit_selection(self) -> None:
        """Zoom and move the view so that the selected objects fill the canvas."""
        box = scene_extent(self._document.scene, self._selection.keys)
        if box is not None:
            self.set_camera(fit_camera(box, self.size, 0.2))

    def show_objects(self, keys: Collection[int]) -> None:
        """Bring objects into view: with the smallest camera movement if they fit on the canvas,
        else by fitting the camera to them.
        """
        box = scene_extent(self._document.scene, keys)
        if box is None or _is_in_view(box, self.camera.visible_rectangle(self.size)):
            return
        if self.is_fitted:
            self.refit_scene()
        else:
            self.set_camera(_pan_to_show(self.camera, box, self.size) or fit_camera(box, self.size))

    def zoom(self, factor: float, about: QPointF | None = None) -> None:
        """Zoom in by ``factor`` about a point in pixels, by default the centre."""
        middle = QPointF(*self.size) / 2
        self.set_camera(self.camera.zoomed(factor, about or middle))

    def show_actual_size(self) -> None:
        """Show one scene unit per pixel."""
        self.zoom(1 / self.camera.scale)

    def refit_scene(self) -> None:
        """Fit the scene, its dimensions and its light if the light is known; otherwise fit the
        scene again once it is known.
        """
        box = union_of_boxes((self.light.box, dimension_extent(self._document.document)))
        self.camera = fit_camera(box, self.size)
        self.moved.emit()
        self.light.awaited = not self.light.is_light_known
        self.light.find_light_box()

    def follow_view(self, view: View) -> None:
        """Show the part of the scene that a view specifies. Fit the scene if the view has no camera
        but the previous view had one.
        """
        followed, self._followed = self._followed, view.camera
        if view.camera is None:
            if followed is not None:
                self.refit_scene()
        elif view.camera != self.camera.visible_rectangle(self.size):
            x, y, width, height = view.camera
            self.camera = fit_camera((x, y, x + width, y + height), self.size, 0.0)
            self.moved.emit()

    def follow_document(self, before: Document, after: Document) -> None:
        """Fit the scene if another document was opened; keep the camera if the document was edited."""
        kept = (before.scene.get(o.key) for o in after.scene.objects)
        another = not any(kept)  # or the first object
        if self.is_fitted and self._document.gesture is None and another:
            self.refit_scene()
        else:
            self.light.awaited |= before.scene.settings.mode != after.scene.settings.mode
            self.moved.emit()

    def update_camera_for_size(self, old: QSize) -> None:
        """After the canvas was resized, fit the scene again or keep the same scene point in the
        middle.
        """
        if self.is_fitted:
            self.refit_scene()
            return
        if old.isValid() and old.width() > 0:
            self.camera = self.camera.resized((old.width(), old.height()), self.size)
        self.moved.emit()

    def _fit_light(self) -> None:
        """Fit the scene again once its light is known, unless the user has moved the camera."""
        if self.is_fitted:
            self.refit_scene()


def _is_in_view(box: Box, view: Box) -> bool:
    """Whether at least half of a box, in each direction, lies in the rectangle ``view``."""
    x, y, width, height = view
    across = min(box[2], x + width) - max(box[0], x)
    down = min(box[3], y + height) - max(box[1], y)
    return 0 <= across >= (box[2] - box[0]) / 2 and 0 <= down >= (box[3] - box[1]) / 2


def _pan_to_show(camera: Camera, box: Box, size: tuple[int, int]) -> Camera | None:
    """The camera after the smallest pan that shows a box with a margin; None if the box does not
    fit at this scale.
    """
    shown = camera.box_on_screen(box)
    width, height = size[0] - 2 * SCROLL_BORDER, size[1] - 2 * SCROLL_BORDER
    if shown.width() > width or shown.height() > height:
        return None
    return camera.panned(
        max(SCROLL_BORDER - shown.left(), 0.0) + min(SCROLL_BORDER + width - shown.right(), 0.0),
        max(SCROLL_BORDER - shown.top(), 0.0) + min(SCROLL_BORDER + height - shown.bottom(), 0.0),
    )
