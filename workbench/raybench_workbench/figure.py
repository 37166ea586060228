"""Figures: the canvas's layers painted as a PNG picture of any size, an SVG drawing or a PDF page.

A picture adds the intensities of rays as the canvas does; a drawing contains every ray as a line
and every text as text. The same document and trace give the same bytes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMarginsF, QRectF, QSizeF
from PySide6.QtGui import QImage, QPageSize, QPainter, QPdfWriter

from raybench.errors import RaybenchError
from raybench.kinds.decorations import CropBox
from raybench.scene.document import Document
from raybench.shapes.curves import Box
from raybench.trace.results.extent import lit_extent
from raybench.trace.results.result import TraceResult
from raybench.view import View
from raybench_workbench.background.picture import find_picture
from raybench_workbench.canvas.camera import Camera
from raybench_workbench.canvas.labels import (
    CELL,
    Label,
    object_labels,
    outlines_to_avoid,
    paint_labels,
    place,
)
from raybench_workbench.canvas.note_painters import number_boxes
from raybench_workbench.canvas.object_layer import paint_objects
from raybench_workbench.canvas.rays.arrow_heads import arrow_heads
from raybench_workbench.canvas.rays.backdrop import paint_ground
from raybench_workbench.canvas.rays.brightness import BrightnessPicture
from raybench_workbench.canvas.rays.legend import legend_corners, paint_legend
from raybench_workbench.canvas.rays.picture import coverage
from raybench_workbench.canvas.rays.picture_input import PictureInput
from raybench_workbench.canvas.rays.ray_picture import paint_rays
from raybench_workbench.canvas.rays.separate_lines import separate_lines
from raybench_workbench.canvas.readings import (
    Reading,
    detector_readings,
    irradiance_boxes,
    paint_irradiance,
)
from raybench_workbench.canvas.texts import letters_boxes, text_boxes
from raybench_workbench.canvas.viewport import Viewport
from raybench_workbench.export.frame import frame, whole_pixels
from raybench_workbench.export.svg_drawing import svg_drawing
from raybench_workbench.measuring.painter import (
    measurement_boxes,
    measurement_labels,
    paint_measurements,
)
from raybench_workbench.measuring.readings import readings
from raybench_workbench.theme import Theme

MARGIN = 0.04
"""Free space around the whole scene, as a fraction of the figure."""
WIDTH = 1600
"""Default width of a figure, in pixels."""
EDITING_ONLY = ("CropBox", "Handle")
"""Kinds that help with editing and are not part of a figure."""
SEPARATING = 0.3
"""The part of the work on a drawing of added light that is done when its lines are separate."""
LINE = 1.0
"""Width of rays in logical pixels."""
PER_MM = 96 / 25.4
"""Logical pixels per millimetre on paper: a logical pixel is 1/96 inch, in pages, drawings and, by
their resolution, pictures.
"""


@dataclass(frozen=True, eq=False)
class Figure:
    """What to paint; a picture has as many device pixels for a logical one as the viewport says."""

    document: Document
    result: TraceResult | None
    view: View
    size: tuple[float, float]
    """The width and the height in logical pixels; those of the viewport are the next whole numbers.
    """
    viewport: Viewport
    transparent: bool = False
    folder: Path | None = None
    """The folder of the document's file, in which its background picture is."""
    progress: Callable[[float], object] = lambda done: None
    """Called while the rays are painted with the part that is done; it may raise an error to
    cancel.
    """


def figure_of(
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
    folder: Path | None = None,
) -> Figure:
    """A figure of a document and its trace.

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
        folder: The folder of the document's file, in which its background picture is.

    Raises:
        RaybenchError: If there is no crop box.
    """
    view = view or View()
    if area == "crop":
        crop = crop or next((o for o in document.scene.objects if isinstance(o, CropBox)), None)
        if crop is None:
            raise RaybenchError(
                "There is no crop box in this scene. Add one, or export the area 'scene'."
            )
    box, margin = _box(document, result, view, area, crop)
    width = (
        width_mm * PER_MM * scale
        if width_mm is not None
        else round(crop.width if crop is not None else WIDTH * scale)
    )
    drawn = (
        partial(_drawn_beside, document, detector_readings(document, result))
        if area == "scene"
        else None
    )
    exact, camera = frame(box, margin, size, width, scale, drawn)
    if transparent is None:
        transparent = crop is not None and crop.transparent
    return Figure(
        document,
        result,
        view,
        exact,
        Viewport(camera, whole_pixels(exact), scale, theme),
        transparent,
        folder,
    )


def _box(
    document: Document, result: TraceResult | None, view: View, area: str, crop: CropBox | None
) -> tuple[Box | None, float]:
    """The rectangle of an area in scene units, and the margin around it as a fraction of the
    figure.
    """
    if area == "crop" and crop is not None:
        (x1, y1), (x2, y2) = crop.p1, crop.p4
        return (min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2)), 0.0
    if area == "view":
        x, y, width, height = view.camera or _saved_camera(document)
        return (x, y, x + width, y + height), 0.0
    hidden = document.hidden | {o.key for o in document.scene.objects if o.type in EDITING_ONLY}
    return lit_extent(document.scene, result, hidden=hidden), MARGIN


def _saved_camera(document: Document) -> tuple[float, float, float, float]:
    """The rectangle that was visible when the scene was saved: x, y, width, height."""
    s = document.scene.settings
    return -s.origin.x / s.scale, -s.origin.y / s.scale, s.width / s.scale, s.height / s.scale


def _drawn_beside(
    document: Document, detected: Mapping[int, Reading], camera: Camera
) -> list[QRectF]:
    """The boxes, in pixels, of what is painted beside objects and is part of the whole scene."""
    measured = readings(document, None)  # those of light end at its foci, which are in the area
    texts = [*letters_boxes(document, camera), *number_boxes(document, camera)]
    return [
        *texts,
        *irradiance_boxes(document, detected, camera),
        *measurement_boxes(measured, camera),
    ]


def paint_figure(painter: QPainter, figure: Figure, *, vector: bool) -> None:
    """Paint a figure; ``vector`` paints every ray as a line, for devices without additive blending."""
    f, at = figure, figure.viewport
    painter.setClipRect(QRectF(0, 0, *at.size))
    background, _ = find_picture(f.document, f.folder)
    paint_ground(painter, f.document, at, transparent=f.transparent, background=background)
    heads = None
    if f.result is not None:
        settings = f.document.scene.settings
        inputs = PictureInput(f.result, f.view, settings, at.theme)
        picture, before = inputs.picture(), 0.0
        if vector and isinstance(picture, BrightnessPicture):
            picture, before = (
                separate_lines(picture, at.theme, lambda done: f.progress(SEPARATING * done)),
                SEPARATING,
            )
        highlight = f.view.highlight
        lit = (
            inputs.lit(highlight.rows)
            if highlight is not None and highlight.revision == f.result.revision
            else None
        )
        expected = max(1, picture.steps + (lit.steps if lit is not None else 0))
        arrows, width = settings.show_ray_arrows, LINE if vector or at.ratio != 1 else 0.0
        painted = paint_rays(painter, picture, lit, at, smooth=True, arrows=arrows, width=width)
        for step, _ in enumerate(painted):
            f.progress(before + (1.0 - before) * step / expected)
        heads = arrow_heads(lit if lit is not None else picture, at) if arrows else None
    detected, measured = detector_readings(f.document, f.result), readings(f.document, f.result)
    paint_objects(painter, f.document, at.camera, at.theme, without=EDITING_ONLY)
    paint_irradiance(painter, f.document, detected, at.camera, at.theme)
    paint_measurements(painter, measured, at.camera, at.theme)
    taken = text_boxes(f.document, at.camera)
    light = coverage(picture, at, CELL) if f.result is not None else None
    legend = picture.legend if f.result is not None else None
    outlines = outlines_to_avoid(f.document, at.camera) if detected or legend is not None else None
    if legend is not None:
        corners = Label((), legend_corners(legend, at.size), required=True, apart=True)
        taken += [p.box for p in place([corners], taken, at.size, light, outlines, heads)]
        paint_legend(painter, legend, taken[-1], at.theme)
    labels = [
        *measurement_labels(measured, at.camera),
        *object_labels(f.document, at.camera, detected),
    ]
    paint_labels(painter, place(labels, taken, at.size, light, outlines, heads), at.theme)


def image_of(figure: Figure) -> QImage:
    """A figure as an image. Raises RaybenchError if it does not fit into memory."""
    width, height = (max(1, round(side * figure.viewport.ratio)) for side in figure.size)
    kind = (
        QImage.Format.Format_ARGB32_Premultiplied
        if figure.transparent
        else QImage.Format.Format_RGB32
    )
    image = QImage(width, height, kind)
    if image.isNull():
        raise RaybenchError(
            f"A picture of {width} x {height} pixels does not fit into memory. Choose a smaller"
            " size."
        )
    image.fill(0)
    image.setDevicePixelRatio(figure.viewport.ratio)
    painter = QPainter(image)
    try:
        paint_figure(painter, figure, vector=False)
    finally:
        painter.end()
    return image


def png(figure: Figure) -> bytes:
    """A figure as a PNG picture."""
    image = image_of(figure)
    resolution = round(
        1000 * PER_MM * figure.viewport.ratio
    )  # so that other programs place it in its size on paper
    image.setDotsPerMeterX(resolution)
    image.setDotsPerMeterY(resolution)
    return _encoded(lambda buffer: image.save(buffer, "PNG"))  # type: ignore[call-overload]


def canvas_picture(
    document: Document, result: TraceResult, view: View, theme: Theme, width: int
) -> bytes:
    """The canvas as PNG: what the camera shows, or the whole scene, with the view's filter and
    highlight; about ``width`` pixels wide.
    """
    area = "scene" if view.camera is None else "view"
    whole = figure_of(document, result, theme, view=view, area=area)
    size = (
        width,
        max(width // 4, min(width, round(width * whole.viewport.size[1] / whole.viewport.size[0]))),
    )
    return png(figure_of(document, result, theme, view=view, area=area, size=size))


def svg(figure: Figure) -> bytes:
    """A figure as an SVG drawing."""
    return _short(
        svg_drawing(
            QSizeF(*figure.size), lambda painter: paint_figure(painter, figure, vector=True)
        )
    )


def _short(drawing: bytes) -> bytes:
    """A drawing of Qt with its lines in half the bytes, those of an opaque pen as one path: where
    they meet they cover the same.
    """
    drawing = re.sub(
        rb'<polyline fill="none" vector-effect="none" points="(\S+) (\S+) " />',
        rb'<path d="M\1 \2"/>',
        drawing,
    )
    opaque = rb'(<g [^>]* stroke-opacity="1" [^>]*>\n)((?:<path d="[^"]*"/>\n)+)'
    return re.sub(
        opaque, lambda group: group[1] + group[2].replace(b'"/>\n<path d="', b" "), drawing
    )


def pdf(figure: Figure) -> bytes:
    """A figure as a PDF page of its size, where a logical pixel is 1/96 inch."""

    def write(buffer: QBuffer) -> bool:
        writer = QPdfWriter(buffer)
        writer.setCreator("Raybench")
        writer.setResolution(1200)
        page = QSizeF(
            *(max(1.0, 0.75 * side) for side in figure.size)
        )  # pages are whole points, at least one
        writer.setPageSize(
            QPageSize(page, QPageSize.Unit.Point, "figure", QPageSize.SizeMatchPolicy.ExactMatch)
        )
        writer.setPageMargins(QMarginsF(0, 0, 0, 0))
        painter = QPainter(writer)
        try:
            painter.scale(1200 / 96, 1200 / 96)
            paint_figure(painter, figure, vector=True)
        finally:
            painter.end()
        return True

    return _without_dates(_encoded(write))


def _without_dates(data: bytes) -> bytes:
    """A PDF without its time stamps and random identifiers, so that the same figure gives the same
    bytes.

    The replacements have the same length, so that the file's table of offsets stays valid.
    """
    data = re.sub(
        rb"\(D:\d{14}[^)]*\)",
        lambda m: b"(D:" + b"20000101000000Z".ljust(len(m[0]) - 4, b" ")[: len(m[0]) - 4] + b")",
        data,
    )
    data = re.sub(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d", b"2000-01-01T00:00:00", data)
    data = re.sub(rb"uuid:[0-9a-f-]{36}", b"uuid:00000000-0000-0000-0000-000000000000", data)
    return re.sub(rb"/ID \[[^]]*\]", lambda m: re.sub(rb"[0-9a-f]", b"0", m[0]), data)


def _encoded(write: Callable[[QBuffer], bool]) -> bytes:
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    if not write(buffer):
        raise RaybenchError("The figure cannot be written. Choose another size.")
    buffer.close()
    return bytes(data.data())


FIGURES: dict[str, Callable[[Figure], bytes]] = {".png": png, ".svg": svg, ".pdf": pdf}
"""The functions that encode a figure, by file suffix."""
