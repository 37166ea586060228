"""Films: the scene at each row of a study as a picture, with the numbers of the row and its point
on the curve, written as GIF, MP4 or PNG frames.
"""

import io
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path

import numpy as np
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QImage, QPainter

from raybench.arrays import Floats
from raybench.errors import RaybenchError, one_line
from raybench.files.atomic import check_writable, write_bytes
from raybench.lens.curves import Curve, Panel
from raybench.lens.curves import Figure as Plot
from raybench.lens.figure import ROW, PageLayout, PageText, arrange_figure
from raybench.scene.document import Document
from raybench.shapes.curves import union_of_boxes
from raybench.study.experiment import Experiment, Values
from raybench.study.table import Table
from raybench.system.files import temporary_folder
from raybench.trace.results.result import TraceResult
from raybench.trace.run.memory import TraceMemory
from raybench.view import View
from raybench_workbench.canvas.rays.ray_vectors import Progress
from raybench_workbench.export.picture_files import write_to_bytes
from raybench_workbench.figure import Size, figure_image, make_figure
from raybench_workbench.plots.figure_view import paint_drawing
from raybench_workbench.studies.results import column_title, row_text
from raybench_workbench.theme import Theme
from raybench_workbench.translation import tr

FILM_SUFFIXES = (".gif", ".mp4", ".png")
FFMPEG = "ffmpeg"
USUAL_WIDTH = 1000
"""Pixels of a film whose lines and texts have their usual size."""
CURVE_HEIGHT = 0.3
"""Height of the curve, as a part of the film."""
MIN_CURVE_HEIGHT = 160
"""Height of the curve in logical pixels below which its titles would meet."""
PREPARING_SHARE, ENCODING_SHARE = 0.3, 0.05
"""The parts of the work before the first picture and after the last."""
MARK_RADIUS = 4.0
"""Radius of the mark on the curve, in pixels."""


@dataclass(frozen=True)
class Film:
    """What a film shows. ``rows`` are the values of the parameters of each picture, in the rows of
    the ``table``; ``measure`` is the column of the table whose curve is shown, or None.

    Attributes:
        view: The visible rectangle, and the colours of the rays. Without a rectangle all pictures
            show the part of the scene that holds all of them.
        speed: Pictures in a second.
        returns: Whether the pictures are shown again in reverse order.
        loops: Whether the film begins again, in GIF.
        folder: The folder of the document's file, in which its background picture is.
    """

    experiment: Experiment
    rows: Sequence[Values]
    table: Table
    measure: int | None
    theme: Theme
    size: Size
    view: View
    speed: float
    returns: bool = False
    loops: bool = True
    folder: Path | None = None

    @property
    def scale(self) -> float:
        """The number of pixels per logical pixel, so that lines and texts grow with the film."""
        return max(1.0, self.size[0] / USUAL_WIDTH)

    @property
    def scene_height(self) -> int:
        """The height of the scene above the numbers and the curve, in pixels."""
        height, below = self.size[1], 2 * ROW * self.scale
        if self.measure is not None:
            below = min(max(CURVE_HEIGHT * height, MIN_CURVE_HEIGHT * self.scale), height / 2)
        return max(1, round(height - below))


def film_writer(film: Film, out: Path) -> Callable[[Progress], Sequence[Path]]:
    """A function that writes a film to a file, whose suffix is one of `FILM_SUFFIXES`, and returns
    the files that it wrote. PNG pictures have numbers at the end of their names.

    Raises RaybenchError for another suffix, if ffmpeg is missing, or if no row can be shown.
    """
    check_film_file(out)
    suffix = out.suffix.lower()

    def write_film(progress: Progress) -> Sequence[Path]:
        pictures = list(film_pictures(film, lambda done: progress(done * (1 - ENCODING_SHARE))))
        if film.returns:
            pictures += pictures[-2:0:-1]
        if suffix == ".png":
            digits = len(str(len(pictures)))
            files = [
                out.with_stem(f"{out.stem}-{number:0{digits}}")
                for number in range(1, len(pictures) + 1)
            ]
            for file, data in zip(files, pictures, strict=True):
                write_bytes(file, data)
            return files
        encode = gif_bytes if suffix == ".gif" else mp4_bytes
        write_bytes(out, encode(pictures, film.speed, loops=film.loops))
        return [out]

    return write_film


def check_film_file(out: Path) -> None:
    """Raise RaybenchError if a film cannot be written to the file ``out``."""
    if out.suffix.lower() not in FILM_SUFFIXES:
        raise RaybenchError(
            tr(
                "{out}: a film is not written as '{value}'. Let the name end in {names}.",
                out=out,
                value=out.suffix or out.name,
                names=", ".join(FILM_SUFFIXES),
            )
        )
    if out.suffix.lower() == ".mp4" and shutil.which(FFMPEG) is None:
        raise RaybenchError(
            tr(
                "{out}: MP4 is made by the program ffmpeg, which is not found. Install it,"
                " or let the name end in .gif or .png.",
                out=out,
            )
        )
    check_writable(out)


def film_pictures(film: Film, progress: Progress) -> Iterator[bytes]:
    """Yield the pictures of a film as PNG. All show the same part of the scene. Rows that cannot be
    applied or traced are left out.

    ``progress`` may raise an error to cancel. Raises RaybenchError if no row can be shown.
    """
    memory, view = TraceMemory(), film.view
    shown: list[int] = []
    refused = ""
    rectangle = None
    size = film.size[0], film.scene_height
    for row, values in enumerate(film.rows):
        progress(PREPARING_SHARE * row / len(film.rows))
        try:
            document, result = film.experiment.trace_with_values(values, memory, threads=None)
        except RaybenchError as error:
            refused = str(error)
            continue
        shown.append(row)
        if view.camera is None:
            at = make_figure(document, result, film.theme, view=view, size=size, scale=film.scale)
            left, top, width, height = at.viewport.camera.visible_rectangle(at.viewport.size)
            rectangle = union_of_boxes((rectangle, (left, top, left + width, top + height)))
    if not shown:
        raise RaybenchError(tr("No row can be shown. {refused}", refused=refused).rstrip())
    if rectangle is not None:
        left, top, right, bottom = rectangle
        view = replace(view, camera=(left, top, right - left, bottom - top))
    for count, row in enumerate(shown):
        progress(PREPARING_SHARE + (1 - PREPARING_SHARE) * count / len(shown))
        document, result = film.experiment.trace_with_values(film.rows[row], memory, threads=None)
        yield _png_bytes(_row_picture(film, view, document, result, row))


def _row_picture(
    film: Film, view: View, document: Document, result: TraceResult, row: int
) -> QImage:
    """The picture of a row: the scene above, its numbers and the curve below."""
    (width, height), scale = film.size, film.scale
    figure = make_figure(
        document,
        result,
        film.theme,
        view=view,
        area="view",
        size=(width, film.scene_height),
        scale=scale,
        transparent=False,
        folder=film.folder,
    )
    image = QImage(width, height, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(scale)
    image.fill(film.theme.color("panel"))
    below = film.scene_height / scale
    with QPainter(image) as painter:
        painter.drawImage(QRectF(0, 0, width / scale, below), figure_image(figure))
        painter.translate(0, below)
        numbers = row_text(film.table, row, len(film.table.columns))
        size = width / scale, height / scale - below
        if film.measure is None:
            paint_drawing(
                painter,
                PageLayout(*size, (PageText(ROW, 1.3 * ROW, numbers, "text"),), ()),
                film.theme,
            )
        else:
            _paint_curve(painter, film, row, numbers, size)
    return image


def _paint_curve(
    painter: QPainter, film: Film, row: int, numbers: str, size: tuple[float, float]
) -> None:
    """Paint the curve of the measure below the numbers of a row, which is marked on it."""
    table, measure = film.table, film.measure
    assert measure is not None
    single = len(film.rows[0]) == 1
    across = table.rows[:, 0] if single else np.arange(1.0, len(table.rows) + 1)
    up = table.rows[:, measure]
    known = up[np.isfinite(up)]
    panel = Panel(
        "",
        column_title(table, 0) if single else tr("row"),
        column_title(table, measure),
        tuple(_connected_curves(table, across, up)),
        _axis_range(across),
        _axis_range(known),
        tuple(enumerate(table.choices[0])) if single and 0 in table.choices else (),
    )
    drawing = arrange_figure(Plot(numbers, (panel,)), *size)
    paint_drawing(painter, drawing, film.theme)
    if np.isfinite(up[row]):
        placed = drawing.panels[0]
        painter.setPen(film.theme.color("panel"))
        painter.setBrush(film.theme.color("accent"))
        at = QPointF(placed.page_x(float(across[row])), placed.page_y(float(up[row])))
        painter.drawEllipse(at, MARK_RADIUS, MARK_RADIUS)


def _connected_curves(table: Table, x: Floats, y: Floats) -> Iterator[Curve]:
    """The pieces of the curve, in the order of the parameter. Light takes the same path along a
    piece. The values of a choice are not connected.
    """
    order = np.argsort(x, kind="stable")
    paths = table.other_paths or [""] * len(x)

    def piece(index: int) -> object:
        return index if 0 in table.choices else paths[index]

    for _, several in groupby(order.tolist(), piece):
        rows = list(several)
        yield Curve(x[rows], y[rows], "", 0)


def _axis_range(values: Floats) -> tuple[float, float]:
    """The range of an axis that shows some values, with a margin."""
    if not len(values):
        return 0.0, 1.0
    low, high = float(values.min()), float(values.max())
    margin = 0.05 * (high - low) or 0.05 * abs(high) or 1.0
    return low - margin, high + margin


def _png_bytes(image: QImage) -> bytes:
    return write_to_bytes(lambda buffer: image.save(buffer, "PNG"))  # type: ignore[call-overload]


def gif_bytes(pictures: Sequence[bytes], speed: float, *, loops: bool) -> bytes:
    """Pictures as an animated GIF, each with the 255 colours that fit it best."""
    from PIL import Image

    first, *others = (
        Image.open(io.BytesIO(data)).convert("RGB").quantize(255, dither=Image.Dither.NONE)
        for data in pictures
    )
    data = io.BytesIO()
    first.save(
        data,
        "GIF",
        save_all=True,
        append_images=others,
        duration=round(1000 / speed),
        **({"loop": 0} if loops else {}),
    )
    return data.getvalue()


def mp4_bytes(pictures: Sequence[bytes], speed: float, *, loops: bool) -> bytes:
    """Pictures as an MP4 video, made by the program ffmpeg. Raises RaybenchError with the message
    of ffmpeg if it fails.
    """
    with temporary_folder() as folder:
        out = folder / "film.mp4"
        read = ["-f", "image2pipe", "-c:v", "png", "-framerate", f"{speed:g}", "-i", "-"]
        # players need an even size, and colours at half the resolution
        even = ["-vf", "crop=trunc(iw/2)*2:trunc(ih/2)*2", "-pix_fmt", "yuv420p"]
        ended = subprocess.run(
            [shutil.which(FFMPEG) or FFMPEG, "-loglevel", "error", *read, *even, str(out)],
            input=b"".join(pictures),
            capture_output=True,
            check=False,
        )
        if ended.returncode or not out.exists():
            words = ended.stderr.decode(errors="replace").strip().splitlines()
            raise RaybenchError(
                one_line(
                    tr("ffmpeg made no film: {value}", value=words[-1] if words else "it failed")
                )
            )
        return out.read_bytes()
