"""The sizes of a scene's texts on the screen and in figures."""

from __future__ import annotations

import time

import numpy as np
import pytest
from prism_window import prism_document
from PySide6.QtCore import QPointF
from PySide6.QtGui import QFontDatabase, QFontInfo, QFontMetricsF, QImage, QPainter

from raybench.kinds.decorations import TextLabel
from raybench.kinds.mirrors import Mirror
from raybench.scene.changes import Move, Set
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.shapes.point import Point
from raybench.view import View
from raybench_workbench import figure
from raybench_workbench.canvas.texts import (
    MAX_CACHED_SIZE,
    MAX_CHARACTERS,
    MAX_TEXTS,
    READABLE_SIZE,
    enlarged_text_sizes,
    text_boxes,
    unenlarged_text_size,
)
from raybench_workbench.canvas.viewport import Camera
from raybench_workbench.shot import wait_until_settled, widget_picture
from raybench_workbench.theme import FONT_FAMILY, PAPER, first_installed_font

pytestmark = [pytest.mark.usefixtures("raybench_app"), pytest.mark.one_window]
FIFTH = Camera(scale=0.2)
"""A text of 25 scene units is 5 pixels large."""


def words(*texts: tuple[float, float, str], **fields) -> Document:
    labels = (
        TextLabel(key=i, x=x, y=y, text=text, font_size=25.0, **fields)
        for i, (x, y, text) in enumerate(texts, 1)
    )
    return Document(scene=Scene(objects=tuple(labels)))


def sizes(document: Document, camera: Camera = FIFTH) -> list[int]:
    """The sizes on the screen, in the order of the scene."""
    enlarged = enlarged_text_sizes(document, camera)
    return [enlarged.get(o.key, unenlarged_text_size(o, camera)) for o in document.scene.objects]


def test_small_texts_are_enlarged_to_be_read_and_large_ones_are_left():
    document = words((0, 0, "focus"), (0, 400, "image"))
    assert sizes(document) == [READABLE_SIZE, READABLE_SIZE]
    assert sizes(document, Camera(scale=1.0)) == [25, 25]
    assert enlarged_text_sizes(document, Camera(scale=0.05)) == {}, (
        "letters of a pixel are not painted at all"
    )


def test_a_text_grows_as_far_as_its_neighbour_leaves_room():
    near = words((0, 0, "y_1"), (0, 35, "y_2"))  # 7 pixels apart, and letters of 5 pixels
    first, second = sizes(near)
    assert 5 < first < READABLE_SIZE or 5 <= second < READABLE_SIZE
    upper, lower = (
        text_boxes(near, FIFTH),
        text_boxes(near, FIFTH, enlarged_text_sizes(near, FIFTH)),
    )
    assert lower[0].center().y() == pytest.approx(upper[0].center().y(), abs=1), (
        "its middle stays where it is"
    )
    apart = words((0, 0, "y_1"), (0, 100, "y_2"))
    assert sizes(apart) == [READABLE_SIZE, READABLE_SIZE]


def test_texts_that_cover_each_other_anyway_are_enlarged_and_turned_ones_too():
    assert sizes(words((0, 0, "one"), (5, 5, "two"))) == [READABLE_SIZE, READABLE_SIZE]
    assert sizes(words((0, 0, "up"), (0, 100, "far"), angle=90.0)) == [READABLE_SIZE, READABLE_SIZE]
    assert sizes(words((0, 0, "a long name"), (120, -200, "x"), angle=90.0))[0] == READABLE_SIZE
    assert sizes(words((0, 0, "a long name"), (0, -200, "x"), angle=90.0))[0] < READABLE_SIZE, (
        "it reaches up"
    )


def test_where_there_are_very_many_texts_none_is_enlarged():
    assert enlarged_text_sizes(words(*((0, 300.0 * i, "x") for i in range(MAX_TEXTS))), FIFTH)
    assert not enlarged_text_sizes(
        words(*((0, 300.0 * i, "x") for i in range(MAX_TEXTS + 1))), FIFTH
    )


def ink_height(image: np.ndarray) -> int:
    """The number of rows between the first and the last that differ from the corner's colour."""
    rows = np.flatnonzero((image != image[0, 0]).any(axis=(1, 2)))
    return int(rows[-1] - rows[0] + 1) if len(rows) else 0


def pixels(image) -> np.ndarray:
    image = image.convertToFormat(image.Format.Format_RGB32)
    return np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.width(), 4)[
        :, :, :3
    ]


def test_a_text_is_enlarged_on_the_canvas_but_not_in_a_figure(open_window):
    """A figure keeps the format's size, which is in scene units, as it may be printed at any size."""
    mirrors = (
        Mirror(key=1, p1=Point(0, 0), p2=Point(1000, 0)),
        Mirror(key=2, p1=Point(0, 900), p2=Point(1000, 900)),
    )
    label = TextLabel(key=3, x=400, y=400, text="HHHH", font_size=14.0)
    document = Document(scene=Scene(objects=(*mirrors, label)))
    window = open_window(document, (900, 600))
    wait_until_settled(window)
    canvas = window.canvas
    own = unenlarged_text_size(label, canvas.camera)
    assert own is not None
    assert own < READABLE_SIZE
    at = canvas.camera.to_screen(Point(400, 400)).toPoint()
    around = slice(at.y() - 40, at.y() + 40), slice(at.x() - 5, at.x() + 60)
    on_canvas = ink_height(pixels(widget_picture(canvas))[around])
    drawn = figure.make_figure(document, None, PAPER, size=canvas.size_in_pixels)
    at = drawn.viewport.camera.to_screen(Point(400, 400)).toPoint()
    around = slice(at.y() - 40, at.y() + 40), slice(at.x() - 5, at.x() + 60)
    in_figure = ink_height(pixels(figure.figure_image(drawn))[around])
    assert on_canvas >= round(0.71 * READABLE_SIZE)
    assert in_figure < on_canvas


@pytest.mark.parametrize("text", ["a\n" * 100_000, "word " * 200_000])
@pytest.mark.security
def test_a_text_as_long_as_a_book_does_not_hold_the_window(open_window, text):
    document = words((0, 0, text), (0, 100, "near"))
    window = open_window(document)
    begun = time.thread_time()
    for _ in range(3):
        window.canvas.grab()
        text_boxes(document, Camera(scale=1.0))
    assert time.thread_time() - begun < 10
    box, _ = text_boxes(document, Camera(scale=1.0))
    assert box.width() + box.height() < 2 * MAX_CHARACTERS * 25


@pytest.mark.security
def test_a_name_of_a_megabyte_does_not_hold_the_window(open_window):
    window = open_window(prism_document())
    prism = window.document.scene.objects[1].key
    assert window.document.change(Set(prism, {"name": "long " * 200_000}))
    wait_until_settled(window)
    begun = time.thread_time()
    window.selection.set({prism})
    wait_until_settled(window)
    for widget in (window.canvas, window.tree, window):
        widget.grab()
    assert window.document.change(Move(prism, 1, 0))
    wait_until_settled(window)
    assert time.thread_time() - begun < 5


def test_a_text_has_the_font_that_it_names_where_that_is_installed():
    assert QFontInfo(first_installed_font("No Such Font, 'Nor This'", 40)).family() == FONT_FAMILY
    assert QFontInfo(first_installed_font("Serif", 40)).family() == FONT_FAMILY
    wide = QFontMetricsF(first_installed_font(FONT_FAMILY, 40)).horizontalAdvance("mmmiii")
    others = (name for name in QFontDatabase.families() if QFontDatabase.isSmoothlyScalable(name))
    other = next(
        (
            n
            for n in others
            if abs(QFontMetricsF(first_installed_font(n, 40)).horizontalAdvance("mmmiii") - wide)
            > 5
        ),
        None,
    )
    if other is None:
        pytest.skip("no other font is installed")
    assert first_installed_font(f"No Such Font, {other.upper()}", 40).family() == other
    plain, named = (
        text_boxes(words((0, 0, "mmmiii"), font=font), Camera(scale=2.0))[0]
        for font in ("Serif", other)
    )
    assert abs(plain.width() - named.width()) > 5, "its box has the font's width"


def test_small_capitals_are_capitals():
    plain, small = (
        text_boxes(words((0, 0, "aaaa"), small_caps=on), Camera(scale=2.0))[0].width()
        for on in (False, True)
    )
    assert small != plain


@pytest.mark.parametrize("size", [24.0, 100.0])
def test_a_text_is_the_same_whatever_was_painted_before(size):
    document = Document(
        scene=Scene.of(
            [
                TextLabel(x=20, y=120, text="-", font_size=size),
                Mirror(p1=Point(0, 0), p2=Point(200, 150)),
            ]
        )
    )
    pictures = set()
    for i, fraction in enumerate((0.0, 0.25, 0.5, 0.75)):
        other = QImage(60, 60, QImage.Format.Format_ARGB32_Premultiplied)
        painter = QPainter(other)
        painter.setFont(
            first_installed_font(FONT_FAMILY, 30 + int(size) // 10)
        )  # not in the cache yet
        painter.drawText(QPointF(5 + fraction, 40), "WXYZ"[i])
        painter.end()
        drawn = figure.make_figure(document, None, PAPER, size=(600, 450))
        pictures.add((figure.FIGURE_ENCODERS[".png"](drawn), figure.FIGURE_ENCODERS[".svg"](drawn)))
    assert len(pictures) == 1


def test_a_text_written_from_right_to_left_is_laid_out_on_the_canvas_as_in_a_figure(open_window):
    mirrors = (
        Mirror(key=1, p1=Point(0, 0), p2=Point(1000, 0)),
        Mirror(key=2, p1=Point(0, 600), p2=Point(1000, 600)),
    )
    label = TextLabel(key=3, x=200, y=300, text="שורה HHHH", font_size=60.0)
    document = Document(scene=Scene(objects=(*mirrors, label)))
    window = open_window(document)
    wait_until_settled(window)
    canvas = window.canvas
    wide, high = canvas.size_in_pixels
    (left, top), (right, bottom) = (
        canvas.camera.to_scene(QPointF(0, 0)),
        canvas.camera.to_scene(QPointF(wide, high)),
    )
    view = View(camera=(left, top, right - left, bottom - top))
    drawn = figure.make_figure(
        document, None, canvas.viewport.theme, view=view, area="view", size=canvas.size_in_pixels
    )
    assert unenlarged_text_size(label, canvas.camera) <= MAX_CACHED_SIZE
    at = canvas.camera.to_screen(Point(200, 300)).toPoint()
    around = slice(at.y() - 45, at.y() + 15), slice(at.x() - 5, at.x() + 300)
    assert np.array_equal(
        pixels(widget_picture(canvas))[around], pixels(figure.figure_image(drawn))[around]
    )
