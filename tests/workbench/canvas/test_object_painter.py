"""Every kind has a painter, and every painter a kind."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtGui import QColor, QImage, QPainter

from raybench.kinds.aspects.outlines import signed_area
from raybench.kinds.aspects.row import IncompleteKind
from raybench.kinds.decorations import Drawing, LineArrow, TextLabel
from raybench.kinds.glasses import Glass
from raybench.kinds.kinds import KINDS, ROWS
from raybench.kinds.mirrors import Mirror
from raybench.kinds.object import SceneObject
from raybench.kinds.outline import object_edges
from raybench.kinds.sources import AngleSource, Beam, PointSource
from raybench.shapes.point import Point, Vertex
from raybench_workbench import theme
from raybench_workbench.canvas.icons import kind_icon
from raybench_workbench.canvas.object_painter import PAINTERS, check_painters, paint_object
from raybench_workbench.canvas.optical_painters import (
    MIN_OUTLINE_OPACITY,
    glass_tint,
    index_map_image,
    outline_opacity,
    surface_pen,
)
from raybench_workbench.canvas.strokes import Style
from raybench_workbench.canvas.viewport import Camera
from raybench_workbench.picture_tests.pictures import pixels
from raybench_workbench.theme import DARK

A, B = Point(0, 0), Point(10, 0)


def test_a_kind_without_a_painter_is_named() -> None:
    row = replace(ROWS[0], painter="lamp")
    with pytest.raises(
        IncompleteKind,
        match=(
            rf"^{row.kind.__name__} \(raybench\.kinds\.sources\) has no painter: PAINTERS .* has no"
            r" 'lamp'"
        ),
    ):
        check_painters(PAINTERS, [row])


def test_a_painter_without_a_kind_is_named() -> None:
    assert check_painters(PAINTERS, ROWS) is PAINTERS
    with pytest.raises(
        IncompleteKind,
        match=(
            r"^The painter 'lamp' in PAINTERS of raybench_workbench\.canvas\.object_painter is named by no"
        ),
    ):
        check_painters({**PAINTERS, "lamp": PAINTERS["beam"]}, ROWS)


def icon(kind: str) -> QImage:
    return kind_icon(kind, theme.DARK).pixmap(20, 20).toImage()


def test_every_kind_has_a_picture_for_an_icon(raybench_app: object) -> None:
    empty = icon("Mirror")
    empty.fill(0)
    unread = icon("NoSuchKind")
    assert unread not in (empty, icon("Mirror"))
    for kind in KINDS:
        assert icon(kind) not in (empty, unread), kind


def test_glass_is_tinted_by_its_index() -> None:
    faint, plain, strong = (glass_tint(n, DARK).alphaF() for n in (1.1, 1.5, 1.9))
    assert faint < plain < strong
    assert plain == pytest.approx(DARK.color("glass").alphaF(), abs=0.005)
    assert glass_tint(0.7, DARK).name() != glass_tint(1.4, DARK).name(), (
        "an optically thinner body has another hue"
    )


def painted(objects: list[SceneObject], over: str) -> NDArray[np.uint8]:
    """The lightness (rows, columns) of a picture of 120 x 120 pixels with objects over a colour."""
    image = QImage(120, 120, QImage.Format.Format_RGB32)
    image.fill(QColor(over))
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for obj in objects:
        paint_object(painter, obj, Camera(), Style(DARK, over_light=True))
    painter.end()
    return pixels(image)[:, :, :3].mean(axis=2)


def layer(y: float, thickness: float) -> Glass:
    corners = ((10, y), (110, y), (110, y + thickness), (10, y + thickness))
    return Glass(path=tuple(Vertex(a, b) for a, b in corners))


def test_thin_layers_do_not_hide_their_light(
    raybench_app: object,
) -> None:
    stack = painted([layer(20 + i, 1) for i in range(80)], "#ffff80")
    one = painted([layer(20, 80)], "#ffff80")
    light, outline = one[60, 60], one[20:22, 60].min()
    assert outline < light - 25, "a body of its own has a clear outline"
    assert stack[22:98, 60].mean() > outline + 5, "together not darker than that"


def test_no_object_makes_the_next_one_opaque(raybench_app: object) -> None:
    for row in ROWS:
        if row.kind.optical and row.family:
            picture = painted([row.kind(**row.icon), layer(40.0, 60.0)], "#ffff80")
            assert picture[45:95, 30:100].min() > 200, row.kind.__name__


def test_layers_at_any_angle_have_fainter_outlines() -> None:
    def plate(thickness: float, turn: float) -> float:
        along, across = (
            (math.cos(turn) * 90, math.sin(turn) * 90),
            (-math.sin(turn) * thickness, math.cos(turn) * thickness),
        )
        corners = [(0.0, 0.0), along, (along[0] + across[0], along[1] + across[1]), across]
        return outline_opacity(
            object_edges(Glass(path=tuple(Vertex(x, y) for x, y in corners))), 1.0
        )

    for turn in (0.0, 0.6, 1.2):
        assert plate(3, turn) == pytest.approx(0.5, abs=0.05)
        assert plate(0.1, turn) == MIN_OUTLINE_OPACITY
        assert plate(8, turn) == plate(60, turn) == 1.0


@pytest.mark.parametrize("ground", ["#ffff80", "#000000"])
@pytest.mark.parametrize(
    "source",
    [
        PointSource(x=60, y=60),
        AngleSource(p1=Point(60, 60), p2=Point(90, 60)),
        Beam(p1=Point(60, 30), p2=Point(60, 90)),
    ],
)
def test_a_source_is_seen_amid_light(
    raybench_app: object, source: SceneObject, ground: str
) -> None:
    around = painted([source], ground)[45:75, 50:70]
    assert around.min() < 60, "a dark rim"
    assert around.max() > 190


def test_a_text_is_legible_over_bright_light(
    raybench_app: object,
) -> None:
    text = painted([TextLabel(x=10, y=70, text="I      I", font_size=30)], "#ffff80")
    letters = text[50:70, 8:26]
    assert letters.min() < 80, "a dark rim"
    assert letters.max() - letters.min() > 60
    assert text[60, 30:36].min() > 200, "light between two letters"


def noted(obj: SceneObject, look: theme.Theme, **style: bool) -> NDArray[np.uint8]:
    """The pixels of 60 x 40, (height, width, 3) as red, green and blue, with an object at one pixel
    per unit.
    """
    image = QImage(60, 40, QImage.Format.Format_RGB32)
    image.fill(look.color("canvas"))
    painter = QPainter(image)
    paint_object(painter, obj, Camera(), Style(look, **style))
    painter.end()
    return pixels(image)[..., 2::-1].copy()


ORANGE = {"color": {"r": 1, "g": 0.5, "b": 0, "a": 1}, "width": 4, "dash": [6]}


def test_a_line_has_its_files_style(
    raybench_app: object,
) -> None:
    line = LineArrow(p1=Point(0, 20), p2=Point(60, 20), line_style=ORANGE)
    drawn = (noted(line, DARK) != noted(LineArrow(p1=Point(0, 20), p2=Point(0, 20)), DARK)).any(
        axis=2
    )
    assert {int(n) for n in drawn[:, :6].sum(axis=0)} == {4}, "as wide as given"
    assert not drawn[:, 7:11].any(), "a gap as long as a dash"
    assert noted(line, DARK)[20, 2].tolist() == [255, 128, 0]
    assert noted(line, DARK, selected=True)[20, 2].tolist() == list(
        DARK.color("accent").getRgb()[:3]
    )


def test_an_invisible_colour_is_not_taken(raybench_app: object) -> None:
    white = {"color": {"r": 1, "g": 1, "b": 1}}
    line = Drawing(strokes=[[0, 20, 60, 20]], line_style=white)
    assert noted(line, DARK)[18:23].max() > 250
    assert noted(line, theme.PAPER)[18:23].min() < 200


@pytest.mark.parametrize(
    "given",
    [
        None,
        7,
        "red",
        [],
        {"color": "red", "width": -1, "dash": [0]},
        {"color": {"r": 2, "g": 0, "b": 0}},
    ],
)
def test_an_unreadable_style_is_left_out(given: object, raybench_app: object) -> None:
    line = LineArrow(p1=Point(0, 20), p2=Point(60, 20))
    np.testing.assert_array_equal(noted(replace(line, line_style=given), DARK), noted(line, DARK))


def test_a_text_has_its_files_colour(raybench_app: object) -> None:
    text = TextLabel(
        x=2, y=30, text="HHH", font_size=30, fill_style={"color": {"r": 1, "g": 0, "b": 0}}
    )
    most = noted(text, DARK).max(axis=(0, 1))
    assert most[0] > 200
    assert max(most[1:]) < 60


def test_a_gradient_index_is_a_map() -> None:
    image = index_map_image(r"1.6-0.002\cdot y^2", Point(0, 0), (0.0, -10.0, 40.0, 10.0), DARK)
    across = [image.pixelColor(20, y).alpha() for y in range(image.height())]
    assert abs(across.index(max(across)) - len(across) / 2) <= 3
    assert across[0] < max(across) / 3
    assert len({image.pixelColor(x, 10).alpha() for x in range(image.width())}) == 1, (
        "it does not vary along the rod"
    )


def test_a_filter_has_the_colour_of_its_band() -> None:
    plain, red, blue = (
        Mirror(p1=A, p2=B),
        Mirror(p1=A, p2=B, filter=True, wavelength=620),
        Mirror(p1=A, p2=B, filter=True, wavelength=450),
    )
    pens = [surface_pen(obj, Style(DARK), "mirror", 2.5).color() for obj in (plain, red, blue)]
    assert pens[0] == DARK.color("mirror")
    assert pens[1].red() > 200 > 100 > pens[1].blue()
    assert pens[2].blue() > 200 > 100 > pens[2].red()
    assert surface_pen(red, Style(DARK, selected=True), "mirror", 2.5).color() == DARK.color(
        "accent"
    )


def test_a_body_that_crosses_itself_keeps_its_outline():
    """Its signed area is zero, as that of a layer without thickness, but it is no layer."""
    bow = Glass(path=tuple(Vertex(x, y) for x, y in ((0, 0), (60, 100), (60, 0), (0, 100))))
    assert abs(signed_area(object_edges(bow))) < 1e-9
    assert outline_opacity(object_edges(bow), 1.0) == 1.0


def test_a_long_stroke_is_painted_in_pieces() -> None:
    """The time that Qt takes for a line grows as the square of its parts where they cross."""
    lengths: list[int] = []

    class Painter(QPainter):
        def drawPolyline(self, points: Any) -> None:
            lengths.append(len(points))
            super().drawPolyline(points)

    turns = [
        (400 + r * math.cos(a), 300 + r * math.sin(a))
        for i in range(100_000)
        for r, a in [(i * 0.002, i * 0.05)]
    ]
    obj, image = (
        Drawing(strokes=([c for at in turns for c in at],)),
        QImage(800, 600, QImage.Format.Format_RGB32),
    )
    image.fill(0)
    painter = Painter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    paint_object(painter, obj, Camera(), Style(DARK))
    painter.end()
    assert max(lengths) <= 1_000
    assert sum(lengths) - len(lengths) == len(turns) - 1
    first, last = (image.pixelColor(round(x), round(y)) for x, y in (turns[500], turns[-20]))
    assert first.lightness() > 30
    assert last.lightness() > 30
    assert obj.lines is obj.lines, "read once"
