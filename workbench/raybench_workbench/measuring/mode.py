"""The measuring mode of the canvas, in which the user clicks the points of a measurement, or drags
from the first to the second, and then places its value. Also the drag that moves the value or a
point.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF

from raybench.scene.changes import SetDocument
from raybench.scene.document import Document
from raybench.scene.free_names import free_names
from raybench.scene.measurements import KINDS, Measurement, MeasurementKind, pin_at_point
from raybench.shapes.point import Point
from raybench_workbench.canvas import picking
from raybench_workbench.canvas.modes.drags import EditDrag, Modifiers
from raybench_workbench.canvas.modes.mode import PointMode
from raybench_workbench.measuring.measurements import read_measurements
from raybench_workbench.translation import tr

if TYPE_CHECKING:
    from raybench_workbench.canvas.view import CanvasView


class MeasureMode(PointMode):
    """The mode that takes measurements. It waits for the next point or pans. Esc removes the last
    point or, without one, leaves the mode. Enter accepts the default position of the value. An
    unfinished measurement is dropped when the mode is left.
    """

    def __init__(
        self,
        view: CanvasView,
        kind: str,
        use_points: Callable[[Sequence[Point]], object] | None = None,
    ) -> None:
        """If ``use_points`` is given, it is called with the points, and no measurement is added."""
        super().__init__(view)
        self.kind = KINDS[kind]
        self._use_points = use_points
        self._picked: list[tuple[Point, int | None]] = []
        """The points clicked so far, each with the key of the object it was picked on."""
        self._ray = 0
        """As `Measurement.ray`."""
        self._modifiers = Modifiers.NoModifier
        """The modifiers of the last mouse move, which a release uses."""
        self.at: tuple[Point, int | None] | None = None
        """The snapped position of the pointer, and the key of the object there."""

    @property
    def busy(self) -> bool:
        return not self.kind.takes_surface  # the surface under the pointer is lit

    @property
    def previous_point(self) -> Point | None:
        return self._picked[-1][0] if self._picked else None

    @property
    def hint(self) -> str:
        back = tr("takes the last point back") if self._picked else tr("leaves the tool")
        next_click = tr(
            self.kind.placed if self._is_complete else self.kind.clicks[len(self._picked)]
        )
        more = (
            tr("Tab takes another ray. ")
            if self.kind.takes_surface and self.kind.reads_light
            else ""
        )
        return tr(
            "{title}: click {next_click}. {more}Esc {back}.",
            title=tr(self.kind.title),
            next_click=next_click,
            more=more,
            back=back,
        )

    @property
    def _is_complete(self) -> bool:
        """Whether all points are clicked, so that the next click places the value."""
        return len(self._picked) == len(self.kind.clicks)

    @property
    def draft_measurement(self) -> Measurement | None:
        if self._is_complete:
            return self._placed_measurement()
        points = [*self._picked, *([self.at] if self.at is not None else [])]
        return self._make_measurement(points) if len(points) == len(self.kind.clicks) else None

    def _placed_measurement(self) -> Measurement:
        """The measurement of the clicked points, with its value at the pointer."""
        made = self._make_measurement(self._picked)
        if self.at is None:
            return made
        return place_measurement(self._view, made, self.at[0], directed=True)

    @property
    def clicked_and_pointer_points(self) -> list[Point]:
        if self._is_complete:
            return []  # the measurement shows them
        at_pointer = [self.at] if self.at is not None and self._picked else []
        return [at for at, _ in [*self._picked, *at_pointer]]

    def _press_left(self, at: QPointF, modifiers: Modifiers) -> None:
        self._add_clicked_point(at, modifiers)

    def _follow_pointer(self, at: QPointF, modifiers: Modifiers) -> None:
        self._modifiers = modifiers
        self.at = self._attached_point(at, modifiers)
        self._view.update()

    def _release_left(self, at: QPointF, *, dragged: bool) -> None:
        if dragged and self._picked:
            self._add_clicked_point(at, self._modifiers)

    def finish_drawing(self) -> bool:
        is_complete = self._is_complete
        if is_complete:
            self._finish_measurement()
        return is_complete

    def choose_next_ray(self, *, forward: bool) -> bool:
        takes_another = self.kind.takes_surface and self.kind.reads_light
        if self.draft_measurement is None or not takes_another:
            return False
        self._ray += 1 if forward else -1
        self._view.update()
        return True

    def leave_canvas(self) -> None:
        self.at = None
        self._view.snapper.clear_guide()
        self._view.update()

    def cancel(self) -> bool:
        """Remove the last point; if there is none, return to the select mode. Returns True."""
        if self._picked:
            self._picked.pop()
        else:
            self._view.activate_drawing_mode(None)
        self._view.snapper.clear_guide()
        self._view.update()
        return True

    def _attached_point(self, at: QPointF, modifiers: Modifiers) -> tuple[Point, int | None]:
        """The point for a click, with the key of the object that it is attached to, or None."""
        view = self._view
        if self._is_complete:
            view.snapper.clear_guide()
            to, rounded = view.camera.to_scene(at), view.camera.round_to_pixel
            return Point(rounded(to.x), rounded(to.y)), None
        origin = self._picked[0][0] if self._picked else None
        return attached_point(view, self.kind, at, modifiers, origin)

    def _add_clicked_point(self, at: QPointF, modifiers: Modifiers) -> None:
        point, key = self._attached_point(at, modifiers)
        if self._is_complete:
            self.at = point, key
            self._finish_measurement()
            return
        if self.kind.takes_surface and key is None:
            self._view.document.failed.emit(
                tr("There is no surface here. Click {clicks}.", clicks=tr(self.kind.clicks[0]))
            )
            return
        if self.kind.takes_rays and not len(picking.rays_near_pixel(self._view, at)):
            clicks = tr(self.kind.clicks[len(self._picked)])
            self._view.document.failed.emit(
                tr("There is no ray here. Click {clicks}.", clicks=clicks)
            )
            return
        if self._picked and point == self._picked[-1][0]:
            return  # the second press of a double click
        self._picked.append((point, key))
        self.at = point, key
        if self._is_complete and (not self.kind.placed or self._use_points is not None):
            self._finish_measurement()
        self._view.update()

    def _make_measurement(self, points: list[tuple[Point, int | None]]) -> Measurement:
        scene = self._view.document.scene
        pins = tuple(pin_at_point(scene, at, key) for at, key in points)
        return Measurement(self.kind.id, pins, self._ray)

    def _finish_measurement(self) -> None:
        view, points = self._view, [at for at, _ in self._picked]
        if self._use_points is not None:
            view.activate_drawing_mode(None)
            self._use_points(points)
            return
        made = (
            self._placed_measurement() if self.kind.placed else self._make_measurement(self._picked)
        )
        self._picked, self.at, self._pressed, self._ray = [], None, None, 0
        view.snapper.clear_guide()
        existing = view.document.document.measurements
        name = next(free_names(self.kind.title.lower(), existing))
        if view.document.change(
            measurements_change(view.document.document, {**existing, name: made})
        ):
            view.selection.set_measurements({name})
            view.activate_measuring_mode(
                self.kind.id
            ) if view.keeps_tool else view.activate_drawing_mode(None)


def attached_point(
    view: CanvasView,
    kind: MeasurementKind,
    at: QPointF,
    modifiers: Modifiers,
    origin: Point | None = None,
) -> tuple[Point, int | None]:
    """The point of a measurement for a position of the pointer, with the key of the object that the
    point is attached to, or None. Shift restricts the directions from ``origin``.
    """
    if kind.takes_rays:
        return view.camera.to_scene(at), None
    point = view.snapper.snap_pointer(at, modifiers, origin=origin)
    if kind.takes_surface or kind.id == "callout":
        hit = picking.find_hit_at_pixel(view, at)
        key = hit.key if hit is not None else None
    else:
        snap = view.snapper.current
        key = snap.met.key if snap is not None else None
    return point, view.document.scene.instance_key_of(key) if key is not None else None


def place_measurement(
    view: CanvasView, measurement: Measurement, at: Point, *, directed: bool = False
) -> Measurement:
    """The measurement with its value placed at a point. A distance becomes a dimension line. With
    ``directed``, the line measures the horizontal distance if placed above or below the two points,
    the vertical distance if beside them, else the distance itself.
    """
    document = view.document
    if measurement.kind == "distance":
        measurement = dataclasses.replace(measurement, kind="dimension")
    if directed and measurement.kind == "dimension":
        a, b = (pin.position_in_scene(document.scene) for pin in measurement.pins)
        beside = min(a.x, b.x) < at.x < max(a.x, b.x), min(a.y, b.y) < at.y < max(a.y, b.y)
        named = {(True, False): "horizontal", (False, True): "vertical"}
        measurement = dataclasses.replace(measurement, direction=named.get(beside, "aligned"))
    (drawn,) = read_measurements(document.document, document.result, {"": measurement}).values()
    return dataclasses.replace(measurement, offset=drawn.offset_for_place(at))


class MeasurementDrag(EditDrag):
    """A drag that moves the value of a measurement or, if ``point`` is an index, the point with
    this index.
    """

    def __init__(
        self, view: CanvasView, start: QPointF, name: str, point: int | None = None
    ) -> None:
        super().__init__(view, start)
        self._name, self._point = name, point

    def move(self, at: QPointF, modifiers: Modifiers) -> None:
        document = self._view.document.document
        if (moved := document.measurements.get(self._name)) is not None:
            new = {
                **document.measurements,
                self._name: self._moved_measurement(moved, at, modifiers),
            }
            self.begin_gesture().update(measurements_change(document, new))

    def _moved_measurement(
        self, measurement: Measurement, at: QPointF, modifiers: Modifiers
    ) -> Measurement:
        view = self._view
        if self._point is None:
            to, rounded = view.camera.to_scene(at), view.camera.round_to_pixel
            return place_measurement(view, measurement, Point(rounded(to.x), rounded(to.y)))
        place, key = attached_point(view, KINDS[measurement.kind], at, modifiers)
        pins = list(measurement.pins)
        pins[self._point] = pin_at_point(view.document.scene, place, key)
        return dataclasses.replace(measurement, pins=tuple(pins))


def measurements_change(document: Document, measurements: dict[str, Measurement]) -> SetDocument:
    """The change that replaces the measurements of a document."""

    def key_or_none(key: int) -> int | None:
        return key if document.scene.get(key) is not None else None

    return SetDocument(
        measurements={name: m.to_json(key_or_none) for name, m in measurements.items()}
    )
