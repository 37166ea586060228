"""Figures: the layers of the canvas painted as a PNG image of any size, an SVG drawing or a PDF
page.

A picture adds the intensities of rays as the canvas does; a drawing contains every ray as a line
and every text as text. The same document and trace give the same bytes.
"""

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QPointF, QRectF, QSizeF
from PySide6.QtGui import QImage, QPainter

from raybench.errors import RaybenchError
from raybench.files.atomic import write_bytes
from raybench.files.rays_export import export_rays
from raybench.kinds.decorations import CropBox
from raybench.scene.document import Document
from raybench.scene.sheet import FIT, ROUND, millimetres_in, ratio_text, read_ratio
from raybench.shapes.curves import Box, union_of_boxes
from raybench.trace.results.extent import traced_scene_extent
from raybench.trace.results.result import TraceResult
from raybench.view import View
from raybench_workbench.background import find_background
from raybench_workbench.canvas.frame import CanvasFrame
from raybench_workbench.canvas.labels import CELL_SIZE
from raybench_workbench.canvas.layers import EDITING_ONLY, shown_layers
from raybench_workbench.canvas.object_painter import ruler_number_boxes
from raybench_workbench.canvas.rays.arrow_heads import arrow_heads, paint_arrow_heads
from raybench_workbench.canvas.rays.backdrop import DIMMED_OPACITY, paint_below_rays
from raybench_workbench.canvas.rays.drawing import ShownRays, light_coverage
from raybench_workbench.canvas.rays.ray_image import draw_image, ray_image
from raybench_workbench.canvas.rays.ray_vectors import (
    Progress,
    convert_to_covering_lines,
    draw_rays,
    paint_points,
)
from raybench_workbench.canvas.rays.refined_picture import (
    NothingToRefine,
    RefinedImage,
    refined_images,
    shows_brightness,
)
from raybench_workbench.canvas.readings import detector_readings, irradiance_profiles
from raybench_workbench.canvas.texts import letters_boxes
from raybench_workbench.canvas.viewport import Camera, Viewport, fit_camera, round_length_below
from raybench_workbench.export import MAX_SIDE
from raybench_workbench.export.picture_files import pdf_page, svg_drawing, write_to_bytes
from raybench_workbench.export.sheet import PIXELS_PER_MM, SheetPage, paint_sheet
from raybench_workbench.measuring.measurements import measurement_boxes, read_measurements
from raybench_workbench.theme import Theme
from raybench_workbench.translation import tr

SCENE_MARGIN = 0.04
"""Free space around the whole scene, as a fraction of the figure."""
DEFAULT_WIDTH = 1600
"""Default width of a figure, in pixels."""
ROUNDING_PIXELS = 1e-6
"""Part of a pixel that is a rounding error."""
FRAME_PASSES = 4
"""How often a frame is widened: what is painted in pixels is larger in scene units after each time,
by less and less.
"""
Size = tuple[int, int]
DrawnMeasurement = Callable[[Camera], Sequence[QRectF]]
SEPARATING_SHARE = 0.3
"""The part of the work on a drawing of added light that is done when its lines are separate."""
REFINING_SHARE = 0.95
"""The part of the work on a refined picture that is done when it is refined."""
RAY_WIDTH = 1.0
"""Width of rays in logical pixels."""


@dataclass(frozen=True, eq=False)
class Figure:
    """The contents of a figure. Its viewport gives the number of device pixels per logical pixel."""

    document: Document
    result: TraceResult | None
    view: View
    size: tuple[float, float]
    """The width and the height in logical pixels; those of the viewport are the next whole numbers.
    """
    viewport: Viewport
    transparent: bool = False
    scale_bar: bool = False
    folder: Path | None = None
    """The folder of the document's file, in which its background picture is."""
    page: SheetPage | None = None
    """The sheet on which the figure is drawn."""
    is_cut: bool = False
    """Whether the scale of the sheet is too large to show the whole area."""
    progress: Progress = lambda done: None
    """Called while the rays are painted with the part that is done; it may raise an error to
    cancel.
    """
    refined: RefinedImage | None = None
    """The light of many draws, in place of that of the result."""

    @property
    def shown_rays(self) -> ShownRays | None:
        """The rays and how they are drawn; None without a result."""
        if self.result is None:
            return None
        settings = self.document.scene.settings
        return ShownRays(self.result, self.view, settings, self.viewport.theme)

    @property
    def whole_size(self) -> tuple[float, float]:
        """Width and height in logical pixels, including the sheet."""
        return self.page.size if self.page is not None else self.size

    @property
    def paper_scale(self) -> float:
        """The scale of the figure: length on paper divided by length in the scene."""
        return self.viewport.camera.scale / (PIXELS_PER_MM * millimetres_in(self.document.unit))


def make_figure(
    document: Document,
    result: TraceResult | None,
    theme: Theme,
    *,
    view: View | None = None,
    area: str = "scene",
    crop: CropBox | None = None,
    size: tuple[int, int] | None = None,
    width_mm: float | None = None,
    scale: float = 1.0,
    transparent: bool | None = None,
    scale_bar: bool = False,
    folder: Path | None = None,
    page: SheetPage | None = None,
) -> Figure:
    """The figure of a document and its trace, with the given area, size and style.

    Args:
        view: The ray filter, the highlight and the visible rectangle; without it, all rays in the
            rectangle stored in the scene.
        area: ``view`` for what the view shows, ``scene`` for the whole scene, ``crop`` for a crop
            box.
        crop: The crop box for the area ``crop``; the first one without it.
        size: Width and height in pixels; by default the aspect ratio of the area, with the crop
            box's width if there is one.
        width_mm: Instead of ``size``: the width on paper, with the aspect ratio of the area.
        scale: Pixels per logical pixel: scales line widths and text sizes.
        transparent: No background; by default as the crop box says.
        scale_bar: Whether a bar in the lower right corner shows the scale.
        folder: The folder of the document's file, in which its background picture is.
        page: The sheet on which the figure is drawn, which gives its size and its scale.

    Raises:
        RaybenchError: If there is no crop box.
    """
    view = view or View()
    if area == "crop":
        crop = crop or next((o for o in document.scene.objects if isinstance(o, CropBox)), None)
        if crop is None:
            raise RaybenchError(
                tr("There is no crop box in this scene. Add one, or export the area 'scene'.")
            )
    box, margin = _area_box(document, result, view, area, crop)
    if width_mm is not None:
        width = width_mm * PIXELS_PER_MM * scale
    else:
        width = round(crop.width if crop is not None else DEFAULT_WIDTH * scale)
    if page is not None:
        inner = page.figure_box.size() * scale
        size = max(1, int(inner.width())), max(1, int(inner.height()))
    drawn = partial(_boxes_beside_objects, document, result) if area == "scene" else None
    exact, camera = figure_size_and_camera(box, margin, size, width, scale, drawn)
    if transparent is None:
        transparent = crop is not None and crop.transparent
    whole, is_cut = round_size_up(exact), False
    if page is not None:
        fitting = camera.scale / (1 - 2 * margin)
        camera = _scale_camera(camera, whole, page.sheet.scale, millimetres_in(document.unit))
        is_cut = camera.scale > fitting * (1 + ROUNDING_PIXELS)
    viewport = Viewport(camera, whole, scale, theme)
    return Figure(
        document, result, view, exact, viewport, transparent, scale_bar, folder, page, is_cut
    )


def refine_figure(figure: Figure, error: float, stop: Callable[[], bool], **limits: Any) -> Figure:
    """The figure as a picture whose light is a mean over repeated traces, refined until its
    relative standard error is at most ``error`` or ``stop`` returns True. The figure's ``progress``
    is called meanwhile. ``limits`` are those of `raybench.study.refinement.refine`.

    Raises NothingToRefine.
    """
    settings, shown = figure.document.scene.settings, figure.shown_rays
    if shown is not None and shows_brightness(settings):
        for refined in refined_images(
            figure.document, shown, figure.viewport, error, stop, **limits
        ):
            figure = replace(figure, refined=refined)
            figure.progress(min(1.0, (error / refined.error) ** 2) if refined.error else 1.0)
    if figure.refined is None and not stop():
        raise NothingToRefine(settings)
    return figure


def _scale_camera(camera: Camera, size: Size, scale: str, millimetres: float) -> Camera:
    """The camera with the same centre at the scale of a sheet. ``millimetres`` is the length of a
    scene unit.
    """
    if scale == FIT:
        return camera
    per_ratio = PIXELS_PER_MM * millimetres
    ratio = round_length_below(camera.scale / per_ratio) if scale == ROUND else read_ratio(scale)
    return camera.zoomed(ratio * per_ratio / camera.scale, QPointF(*size) / 2)


def _area_box(
    document: Document, result: TraceResult | None, view: View, area: str, crop: CropBox | None
) -> tuple[Box | None, float]:
    """The rectangle of an area in scene units, and the margin around it as a fraction of the
    figure.
    """
    if area == "crop" and crop is not None:
        (x1, y1), (x2, y2) = crop.p1, crop.p4
        return (min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2)), 0.0
    if area == "view":
        x, y, width, height = view.camera or saved_rectangle(document)
        return (x, y, x + width, y + height), 0.0
    hidden = document.hidden | {o.key for o in document.scene.objects if o.type in EDITING_ONLY}
    return traced_scene_extent(document.scene, result, hidden=hidden), SCENE_MARGIN


def saved_rectangle(document: Document) -> tuple[float, float, float, float]:
    """The rectangle (x, y, width, height) that was visible when the scene was saved, in scene
    units.
    """
    s = document.scene.settings
    return -s.origin.x / s.scale, -s.origin.y / s.scale, s.width / s.scale, s.height / s.scale


def _boxes_beside_objects(
    document: Document, result: TraceResult | None, camera: Camera
) -> list[QRectF]:
    """The boxes, in pixels, of texts and other items that are painted beside objects and belong to
    the whole scene.
    """
    # the measurements of light end at its foci, which are in the area; but not what is written
    written = {name: m for name, m in document.measurements.items() if m.text}
    measured = read_measurements(document, None) | read_measurements(document, result, written)
    readings = detector_readings(document, result)
    return [
        *letters_boxes(document, camera),
        *ruler_number_boxes(document, camera),
        *(p.boundingRect() for p in irradiance_profiles(document, readings, camera)),
        *measurement_boxes(measured, camera),
    ]


def figure_size_and_camera(
    box: Box | None,
    margin: float,
    size: Size | None,
    width: float,
    scale: float,
    drawn: DrawnMeasurement | None = None,
) -> tuple[tuple[float, float], Camera]:
    """The size of a figure in logical pixels, each of ``scale`` device pixels, and its camera. The
    camera is made for the size rounded up to whole pixels.

    Args:
        box: The area in scene units.
        margin: Free space around it, as a fraction of the figure.
        size: In pixels; None for that with the ``width`` in pixels and the aspect ratio of the
            area.
        drawn: The boxes, in logical pixels, of what else is painted and must not be cut off, such
            as texts; the area grows to hold them.
    """
    for _ in range(FRAME_PASSES):
        whole = size or _size_of_aspect_ratio(box, margin, width)
        exact = whole[0] / scale, whole[1] / scale
        camera = fit_camera(box, round_size_up(exact), margin)
        parts = drawn(camera) if drawn is not None else ()
        cut = [part for part in parts if not QRectF(0, 0, *exact).contains(part)]
        if not cut:
            break
        box = union_of_boxes((box, *(_scene_box_of_pixels(part, camera) for part in cut)))
    return exact, camera


def round_size_up(size: tuple[float, float]) -> Size:
    """The smallest whole numbers of pixels that contain a size."""
    return max(1, math.ceil(size[0] - ROUNDING_PIXELS)), max(
        1, math.ceil(size[1] - ROUNDING_PIXELS)
    )


def _scene_box_of_pixels(part: QRectF, camera: Camera) -> Box:
    return *camera.to_scene(part.topLeft()), *camera.to_scene(part.bottomRight())


def _size_of_aspect_ratio(box: Box | None, margin: float, width: float) -> tuple[float, int]:
    """A size in pixels with the aspect ratio of a box."""
    if box is None or box[2] <= box[0]:
        return width, round(width * 0.625)
    # of a width that is hardly any it may be infinite
    shape = min((box[3] - box[1]) / (box[2] - box[0]), MAX_SIDE)
    shape = min(max(shape, 1 / 4), 4.0) if margin else shape
    largest = min(width, MAX_SIDE, MAX_SIDE / shape if shape > 0 else width)
    return max(1.0, largest), max(1, round(largest * shape))


def paint_page(painter: QPainter, figure: Figure, *, vector: bool) -> None:
    """Paint a figure, as `paint_figure`, on its sheet if it has one."""
    page, theme, ratio = figure.page, figure.viewport.theme, figure.viewport.ratio
    if page is None:
        paint_figure(painter, figure, vector=vector)
        return
    if not figure.transparent:
        painter.fillRect(QRectF(0, 0, *page.size), theme.color("canvas"))
    corner = page.figure_box.topLeft()
    painter.save()
    # whole pixels, for which the picture of the light is made
    painter.translate(round(corner.x() * ratio) / ratio, round(corner.y() * ratio) / ratio)
    paint_figure(painter, figure, vector=vector)
    painter.restore()
    paint_sheet(painter, page, theme, ratio_text(figure.paper_scale))


def paint_figure(painter: QPainter, figure: Figure, *, vector: bool) -> None:
    """Paint a figure. With ``vector``, every ray is painted as a line, for devices that cannot add
    light.
    """
    painter.setClipRect(QRectF(0, 0, *figure.viewport.size))
    frame = CanvasFrame(
        figure.document,
        figure.result,
        figure.viewport,
        lambda painter, frame: _paint_backdrop(painter, frame, figure, vector),
    )
    for layer in shown_layers(editing=False, scale_bar=figure.scale_bar):
        layer.paint(painter, frame)


def _paint_backdrop(painter: QPainter, frame: CanvasFrame, figure: Figure, vector: bool) -> None:
    """Paint everything below the objects: the background, the rays, dimmed if some are highlighted,
    and the arrow heads.
    """
    f, at, highlight = figure, figure.viewport, figure.view.highlight
    background, _ = find_background(f.document, f.folder)
    paint_below_rays(painter, f.document, at, transparent=f.transparent, background=background)
    if (shown := f.shown_rays) is None:
        return
    settings, done = shown.settings, 0.0
    drawings = [shown.drawing()]
    if highlight is not None and highlight.revision == shown.result.revision:
        drawings.append(shown.highlight_drawing(highlight.rows))
    if vector and drawings[0].mode:
        done = SEPARATING_SHARE
        drawings[0] = convert_to_covering_lines(
            drawings[0], at.theme, _partial_progress(f.progress, 0.0, done)
        )
    per_line = (1.0 - done) / sum(len(d) + 1 for d in drawings)
    for drawing in drawings:
        share = per_line * len(drawing)
        tell = _partial_progress(f.progress, done, share)
        tell(0.0)
        opacity = DIMMED_OPACITY if drawing is not drawings[-1] else 1.0
        if f.refined is not None and drawing is drawings[0]:
            draw_image(painter, f.refined.image, opacity)
        elif not drawing.mode and (vector or at.ratio != 1):
            draw_rays(painter, drawing, at, opacity=opacity, width=RAY_WIDTH, progress=tell)
            paint_points(painter, drawing, at, opacity=opacity)
        else:
            draw_image(painter, ray_image(drawing, at, progress=tell), opacity)
        done += share
    if settings.show_ray_arrows:
        frame.heads = arrow_heads(drawings[-1], at)
        paint_arrow_heads(painter, frame.heads)
    frame.light, frame.legend = light_coverage(drawings[0], at, CELL_SIZE), drawings[0].legend


def _partial_progress(progress: Progress, start: float, share: float) -> Progress:
    """A function that reports the progress of a part of the work as progress of the whole. The part
    begins at ``start`` and is ``share`` of the whole.
    """
    return lambda done: progress(start + done * share)


def figure_image(figure: Figure) -> QImage:
    """A figure as an image. Raises RaybenchError if it does not fit into memory."""
    width, height = (max(1, round(side * figure.viewport.ratio)) for side in figure.whole_size)
    opaque, transparent = QImage.Format.Format_RGB32, QImage.Format.Format_ARGB32_Premultiplied
    image = QImage(width, height, transparent if figure.transparent else opaque)
    if image.isNull():
        raise RaybenchError(
            tr(
                "A picture of {width} x {height} pixels does not fit into memory. Choose a"
                " smaller size.",
                width=width,
                height=height,
            )
        )
    image.fill(0)
    image.setDevicePixelRatio(figure.viewport.ratio)
    with QPainter(image) as painter:
        paint_page(painter, figure, vector=False)
    return image


def png_bytes(figure: Figure) -> bytes:
    """The bytes of a figure as PNG. Raises RaybenchError if it cannot be written."""
    image = figure_image(figure)
    # so that other programs place it in its size on paper
    resolution = round(1000 * PIXELS_PER_MM * figure.viewport.ratio)
    image.setDotsPerMeterX(resolution)
    image.setDotsPerMeterY(resolution)
    data = write_to_bytes(lambda buffer: image.save(buffer, "PNG"))  # type: ignore[call-overload]
    if not data:
        raise RaybenchError(tr("The figure cannot be written. Choose another size."))
    return data


def canvas_picture(
    document: Document, result: TraceResult, view: View, theme: Theme, width: int
) -> bytes:
    """The canvas as PNG, about ``width`` pixels wide: the part that the camera shows, or the whole
    scene, with the view's filter and highlight.
    """
    make = partial(
        make_figure, document, result, theme, view=view, area="view" if view.camera else "scene"
    )
    wide, high = make().viewport.size
    height = max(width // 4, min(width, round(width * high / wide)))
    return png_bytes(make(size=(width, height)))


def svg_bytes(figure: Figure) -> bytes:
    """The bytes of a figure as SVG."""
    drawing = svg_drawing(
        QSizeF(*figure.whole_size), lambda painter: paint_page(painter, figure, vector=True)
    )
    # Qt's lines in half the bytes, those of an opaque pen as one path: where they meet they cover
    # the same
    drawing = re.sub(
        rb'<polyline fill="none" vector-effect="none" points="(\S+) (\S+) " />',
        rb'<path d="M\1 \2"/>',
        drawing,
    )
    opaque = rb'(<g [^>]* stroke-opacity="1" [^>]*>\n)((?:<path d="[^"]*"/>\n)+)'
    return re.sub(
        opaque, lambda group: group[1] + group[2].replace(b'"/>\n<path d="', b" "), drawing
    )


def pdf_bytes(figure: Figure) -> bytes:
    """The bytes of a figure as a PDF page of its size, where a logical pixel is 1/96 inch."""
    return pdf_page(
        QSizeF(*figure.whole_size), lambda painter: paint_page(painter, figure, vector=True)
    )


FIGURE_ENCODERS: dict[str, Callable[[Figure], bytes]] = {
    ".png": png_bytes,
    ".svg": svg_bytes,
    ".pdf": pdf_bytes,
}
"""The functions that encode a figure, by file suffix."""


def figure_writer(
    figure: Figure, out: Path, error: float = 0.0, **limits: Any
) -> Callable[[Progress], None]:
    """A function that writes a figure to the file ``out``. If its suffix is one of
    `RAY_FILE_SUFFIXES`, it writes the rays of the figure instead: the highlighted rays, or all.
    With an ``error``, the light of a picture is refined before (`refine_figure`).
    """
    suffix, result = out.suffix.lower(), figure.result

    def refine_light(progress: Progress) -> Figure:
        done = 0.0

        def tell(part: float) -> None:
            nonlocal done
            done = REFINING_SHARE * part
            progress(done)

        def stop() -> bool:
            progress(done)  # raises an error to cancel
            return False

        refined = refine_figure(replace(figure, progress=tell), error, stop, **limits)
        return replace(
            refined, progress=_partial_progress(progress, REFINING_SHARE, 1 - REFINING_SHARE)
        )

    def write_figure(progress: Progress) -> None:
        if error and suffix != ".png":
            raise RaybenchError(
                tr(
                    "{name}: only a PNG picture is refined. Write to .png, or do not refine it.",
                    name=out.name,
                )
            )
        if suffix in FIGURE_ENCODERS:
            shown = refine_light(progress) if error else replace(figure, progress=progress)
            data = FIGURE_ENCODERS[suffix](shown)
            progress(1.0)
            write_bytes(out, data)
        elif result is None or result.revision != figure.document.revision:
            raise RaybenchError(
                tr("There is no light to export yet. Wait until the scene is traced.")
            )
        else:
            rows = figure.view.highlight if suffix != ".npz" else None
            export_rays(out, figure.document, result, rows, progress)

    return write_figure
