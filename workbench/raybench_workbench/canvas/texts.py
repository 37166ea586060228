"""The texts of a scene: their sizes, their boxes and their painter.

In the format a text has a size in scene units, which figures use. On the screen, where a scene is
fitted to the canvas, texts may be only a few pixels high: there, and only there, they are enlarged
until they are readable, if the texts around them leave enough space.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QFont,
    QFontMetricsF,
    QPaintEngine,
    QPainter,
    QPainterPath,
    QPainterPathStroker,
    QTransform,
)

from raybench.kinds.decorations import TextLabel
from raybench.scene.document import Document
from raybench.shapes.point import Point
from raybench_workbench.canvas.strokes import Sketch
from raybench_workbench.canvas.viewport import Camera
from raybench_workbench.theme import SMALL_SIZE, first_installed_font

MIN_TEXT_SIZE, MAX_TEXT_SIZE = 3, 2000
"""Sizes of text that are painted, in pixels."""
READABLE_SIZE = SMALL_SIZE - 2
"""Size in pixels up to which smaller texts are enlarged on the screen."""
MAX_TEXTS = 60
"""Largest number of texts that labels avoid, and that are enlarged."""
LINE_SPACING = 1.2
"""Distance of lines of text, relative to their size."""
HALO_WIDTH = 5.0
"""Width in pixels of the rim of a text's letters in the colour of the canvas, half of it outside
them; less for small ones.
"""
MAX_CHARACTERS = 4_000
"""Number of characters of a text that are painted, before an ellipsis; a longer text would block
the window.
"""
MAX_CACHED_SIZE = 64
"""Largest size in pixels of glyphs that Qt paints from its cache; it fills the outlines of larger
ones.
"""
OUTLINE_SIZE = 2_048
"""Size in pixels of the glyphs whose outlines are used. Qt shifts outlines of smaller ones by the
fraction of a pixel at which the last glyph of their font was painted, so that the picture would
depend on what was painted before.
"""
_CAPITAL_HEIGHT = 0.71
"""Height of a capital letter, relative to the size."""
_DESCENT = 0.25
"""Depth of a letter below the base line, relative to the size."""
_ALIGNMENT_SHIFT = {"left": 0.0, "center": -0.5, "right": -1.0}
"""Where a line begins relative to the anchor, in widths of the line, by alignment."""

Sizes = Mapping[int, int]
"""Sizes in pixels of texts that are enlarged, by key."""


def unenlarged_text_size(obj: TextLabel, camera: Camera) -> int | None:
    """The size of a text in pixels before any enlargement; None if it is too small or too large to
    be painted.
    """
    size = round(obj.font_size * camera.scale)
    return size if MIN_TEXT_SIZE <= size <= MAX_TEXT_SIZE else None


def text_boxes(document: Document, camera: Camera, sizes: Sizes | None = None) -> list[QRectF]:
    """The boxes of a scene's horizontal texts, which labels must not cover."""
    texts = [o for o in _visible_texts(document)[:MAX_TEXTS] if not o.angle % 360]
    return [
        _TextLines.from_text(obj, own, (sizes or {}).get(obj.key, own)).box.translated(
            _text_anchor(obj, camera)
        )
        for obj in texts
        if (own := unenlarged_text_size(obj, camera)) is not None
    ]


def letters_boxes(document: Document, camera: Camera) -> list[QRectF]:
    """The boxes around the letters of all texts of a scene, including rotated texts."""
    return [
        _letters_box(obj, camera, size, size)
        for obj in _visible_texts(document)
        if (size := unenlarged_text_size(obj, camera)) is not None
    ]


def enlarged_text_sizes(document: Document, camera: Camera) -> Sizes:
    """The sizes of texts that are smaller than `READABLE_SIZE` and therefore enlarged:
    `READABLE_SIZE`, or the largest size at which a text overlaps no further text. With more than
    `MAX_TEXTS` texts, no text is enlarged.
    """
    texts = [
        (o, size)
        for o in _visible_texts(document)
        if (size := unenlarged_text_size(o, camera)) is not None
    ]
    if len(texts) > MAX_TEXTS or all(size >= READABLE_SIZE for _, size in texts):
        return {}
    boxes = [_letters_box(obj, camera, size, size) for obj, size in texts]
    sizes = {}
    for i, (obj, own) in enumerate(texts):
        others = [b for j, b in enumerate(boxes) if j != i and not b.intersects(boxes[i])]
        for size in range(READABLE_SIZE, own, -1):
            box = _letters_box(obj, camera, own, size)
            if not any(map(box.intersects, others)):
                sizes[obj.key], boxes[i] = size, box
                break
    return sizes


def paint_text(obj: TextLabel, sketch: Sketch) -> None:
    painter, style = sketch.painter, sketch.style
    own = unenlarged_text_size(obj, sketch.camera)
    if own is None:
        return
    size = style.text_sizes.get(obj.key, own)
    text = _TextLines.from_text(obj, own, size)
    painter.save()
    pen = style.file_style_pen(obj.fill_style, "text" if style.hovered else "decoration", 1)
    painter.setFont(text.font)
    painter.translate(_text_anchor(obj, sketch.camera))
    painter.rotate(-obj.angle)
    painter.translate(0, text.shift)
    widths = map(painter.fontMetrics().horizontalAdvance, text.lines)
    places = [
        QPointF(_ALIGNMENT_SHIFT[obj.alignment] * width, i * size * LINE_SPACING)
        for i, width in enumerate(widths)
    ]
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    filled = size > MAX_CACHED_SIZE and painter.paintEngine().type() == QPaintEngine.Type.Raster
    letters = QPainterPath()
    if filled or style.over_light:
        letters = letter_outlines(text.lines, places, text.font)
    if style.over_light:
        painter.fillPath(letter_rim(letters, size), style.theme.color("canvas", 0.75))
    if filled:
        painter.fillPath(letters, pen.color())
    else:
        painter.setPen(pen)
        for at, line in zip(places, text.lines, strict=True):
            painter.drawText(at, line)
    painter.restore()


def _visible_texts(document: Document) -> list[TextLabel]:
    """The texts that are not hidden, including those in instances of modules."""
    return [o for o in document.drawn_objects if isinstance(o, TextLabel)]


def _text_anchor(obj: TextLabel, camera: Camera) -> QPointF:
    return camera.to_screen(Point(obj.x, obj.y))


class _TextLines(NamedTuple):
    """The lines of a text with their positions, as painted at a size in pixels."""

    font: QFont
    lines: list[str]
    shift: float
    """The shift in pixels of an enlarged text's first base line, which keeps the middle of the text
    in place.
    """
    box: QRectF
    """The box around the lines, from the text's anchor."""

    @classmethod
    def from_text(cls, obj: TextLabel, unenlarged_size: int, size: int) -> _TextLines:
        """The lines of a text whose size in the scene is ``unenlarged_size`` pixels, enlarged to
        ``size`` pixels.
        """
        slanted = "Italic" in obj.font_style or "Oblique" in obj.font_style
        font = first_installed_font(obj.font, size, italic=slanted, strong="Bold" in obj.font_style)
        if obj.small_caps:
            font.setCapitalization(QFont.Capitalization.SmallCaps)
        whole = len(obj.text) <= MAX_CHARACTERS
        lines = (obj.text if whole else f"{obj.text[:MAX_CHARACTERS]}…").split("\n")
        metrics = QFontMetricsF(font)
        width, below = max(map(metrics.horizontalAdvance, lines)), (len(lines) - 1) * LINE_SPACING
        shift = (size - unenlarged_size) * (_CAPITAL_HEIGHT - below) / 2
        top, height = shift - metrics.ascent(), below * size + metrics.height()
        return cls(
            font, lines, shift, QRectF(_ALIGNMENT_SHIFT[obj.alignment] * width, top, width, height)
        )


def _letters_box(obj: TextLabel, camera: Camera, unenlarged_size: int, size: int) -> QRectF:
    """The box around the letters of a text in pixels, rotated or not. It is tighter than the box of
    the text's lines.
    """
    text = _TextLines.from_text(obj, unenlarged_size, size)
    height = (len(text.lines) - 1) * LINE_SPACING + _CAPITAL_HEIGHT + _DESCENT
    top = text.shift - _CAPITAL_HEIGHT * size
    box, at = QRectF(text.box.x(), top, text.box.width(), height * size), _text_anchor(obj, camera)
    return QTransform.fromTranslate(at.x(), at.y()).rotate(-obj.angle).mapRect(box)


def letter_outlines(lines: Sequence[str], places: Sequence[QPointF], font: QFont) -> QPainterPath:
    """The outlines of the letters of some lines of text, which begin at ``places``."""
    size, large = font.pixelSize(), QFont(font)
    large.setPixelSize(OUTLINE_SIZE)
    letters, scale = QPainterPath(), size / OUTLINE_SIZE
    letters.setFillRule(Qt.FillRule.WindingFill)
    for at, line in zip(places, lines, strict=True):
        letters.addText(at / scale, large, line)
    return QTransform.fromScale(scale, scale).map(letters)


def letter_rim(letters: QPainterPath, size: int) -> QPainterPath:
    """The rim around letters, `HALO_WIDTH` wide."""
    stroker = QPainterPathStroker()
    stroker.setWidth(min(HALO_WIDTH, 0.4 * size))
    stroker.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    rim = stroker.createStroke(letters)
    rim.setFillRule(Qt.FillRule.WindingFill)
    return rim
