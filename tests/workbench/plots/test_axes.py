"""Axes of plots in narrow panels, where no title is cut off and no number runs into the next, and
exported plots.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics, QImage
from PySide6.QtWidgets import QApplication

from raybench_workbench import theme
from raybench_workbench.export.picture_files import PIXEL_RATIO
from raybench_workbench.picture_tests.pictures import pixels
from raybench_workbench.plots.themed_plot import ThemedPlot
from raybench_workbench.shot import wait_seconds

TITLE = "position along the detector (mm)"


@pytest.fixture
def plot(raybench_app: QApplication) -> Iterator[ThemedPlot]:
    made = ThemedPlot("Irradiance")
    made.set_titles(TITLE, "irradiance (power / mm)")
    made.setXRange(0, 187)
    made.show()
    yield made
    made.close()


@pytest.mark.parametrize("width", [90, 120, 200, 600])
def test_the_title_is_as_wide_as_the_axis_at_most(plot: ThemedPlot, width: int) -> None:
    plot.resize(width, 200)
    wait_seconds(0.02)
    axis = plot.getAxis("bottom")
    assert axis.label.boundingRect().width() <= axis.width()
    shown = axis.label.toPlainText().strip()
    assert (shown == TITLE) if width == 600 else ("…" in shown and shown.endswith(")"))


def test_a_narrow_axis_that_becomes_wide_has_its_whole_title(plot: ThemedPlot) -> None:
    for width in (90, 600):
        plot.resize(width, 200)
        wait_seconds(0.02)
    assert plot.getAxis("bottom").label.toPlainText().strip() == TITLE


def test_another_title_is_in_the_middle_of_the_axis(plot: ThemedPlot) -> None:
    plot.resize(600, 300)
    wait_seconds(0.02)
    plot.set_titles("angle (°)", "power")
    wait_seconds(0.02)
    across, up = plot.getAxis("bottom"), plot.getAxis("left")
    for axis, middle in ((across, across.width() / 2), (up, up.height() / 2)):
        label = axis.label
        place = label.mapToParent(label.boundingRect().center())
        assert (place.x() if axis is across else place.y()) == pytest.approx(middle, abs=1)


@pytest.mark.parametrize("height", [90, 110, 300])
def test_the_top_number_of_an_axis_is_not_cut(plot: ThemedPlot, height: int) -> None:
    plot.resize(200, height)
    plot.setYRange(0, 1, padding=0)
    wait_seconds(0.02)
    seen = plot.grab().toImage()
    numbers = pixels(seen)[:, 25 : int(plot.getAxis("left").width()) - 8].astype(int)
    ground = numbers[0, 0]
    written = [row for row in range(height) if (abs(numbers[row] - ground) > 60).any()]
    assert 0 < written[0] < 10


@pytest.mark.security
def test_a_title_is_no_html(plot: ThemedPlot) -> None:
    plot.resize(600, 400)
    name = "power(<img src='/red.png'> & <b>Screen</b>)"
    plot.set_titles(name, name)
    wait_seconds(0.02)
    for side in ("bottom", "left"):
        assert plot.getAxis(side).label.toPlainText().strip() == name
    plot.resize(120, 100)
    wait_seconds(0.02)
    assert "<img" not in plot.getAxis("bottom").label.toHtml()


def test_an_exported_plot_has_the_size_of_its_pixels(plot: ThemedPlot, tmp_path: Path) -> None:
    plot.resize(480, 288)
    plot.save(tmp_path / "plot.svg")
    drawing = ElementTree.fromstring((tmp_path / "plot.svg").read_bytes())
    assert (drawing.get("width"), drawing.get("height")) == (
        "127mm",
        "76.2mm",
    ), "at 96 pixels an inch, as figures have"
    assert next(e for e in drawing if e.tag.endswith("title")).text == "Raybench"


def test_an_exported_picture_holds_the_whole_plot(plot: ThemedPlot, tmp_path: Path) -> None:
    plot.resize(480, 288)
    plot.plot([0, 187], [0, 5], pen="w")
    wait_seconds(0.02)
    plot.save(tmp_path / "plot.png")
    picture, shown = QImage(str(tmp_path / "plot.png")), plot.grab().toImage()
    assert picture.size() == PIXEL_RATIO * plot.size()
    smooth = Qt.TransformationMode.SmoothTransformation
    small = picture.scaled(plot.size(), mode=smooth), shown.scaled(plot.size(), mode=smooth)
    exported, seen = (pixels(image).astype(float) for image in small)
    assert abs(exported - seen).mean() < 2


@pytest.mark.parametrize("most", [0.187, 1.87, 187, 18_700, 1.87e8])
@pytest.mark.parametrize("size", [60, 80, 120, 300, 900])
def test_numbers_across_have_room(plot: ThemedPlot, most: float, size: float) -> None:
    axis = plot.getAxis("bottom")
    step, _ = axis.tickSpacing(0, most, size)[0]
    (last,) = axis.tickStrings([most // step * step], 1, step)
    width = QFontMetrics(theme.text_font(theme.SMALL_SIZE)).horizontalAdvance(last)
    assert width < step / most * size or step > most
