"""The table of plots of a lens, and their layout on a page."""

import csv
import io
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest
from tests.core.lens.lenses import MIXED, RELAY, TRIPLET

from raybench.lens.aberrations import distortion, ray_fan
from raybench.lens.curves import LENS_PLOTS, NoCurves, lens_figure
from raybench.lens.figure import PageText, arrange_figure, layout_svg
from raybench.lens.prescription import Field, Prescription, Surface, Wavelength
from raybench.lens.seidel import seidel_sums


@pytest.mark.parametrize("system", [TRIPLET, RELAY, MIXED], ids=["far", "near", "mirror"])
@pytest.mark.parametrize("name", LENS_PLOTS)
def test_every_plot_shows_all_its_values(system: Prescription, name: str) -> None:
    figure = lens_figure(system, name)
    for panel in figure.panels:
        for curve in panel.curves:
            assert len(curve.x) == len(curve.y)
            for values, (low, high) in ((curve.x, panel.x_range), (curve.y, panel.y_range)):
                assert low < high
                if name != "line_spread":  # whose caustics have no end
                    known = values[np.isfinite(values)]
                    assert ((known > low - 1e-9) & (known < high + 1e-9)).all()
    rows = list(csv.reader(io.StringIO(figure.csv())))
    assert {row[0] for row in rows[1:]} == {panel.title for panel in figure.panels}
    drawing = arrange_figure(figure, 640, 400)
    for placed in drawing.panels:
        assert placed.left > 0
        assert placed.left + placed.width < 640
        assert placed.top + placed.height < 400
    ElementTree.fromstring(layout_svg(drawing))


def test_ray_fan_has_a_panel_for_each_field_and_a_curve_for_each_colour() -> None:
    figure = lens_figure(TRIPLET, "ray_fan")
    assert [panel.title for panel in figure.panels] == ["0°", "14°", "20°"]
    assert len({panel.y_range for panel in figure.panels}) == 1
    blue = figure.panels[1].curves[1]
    assert blue.name == "486.1 nm"
    assert blue.y == pytest.approx(1000 * ray_fan(TRIPLET, Field(14.0), blue.colour.value)[1])
    assert figure.panels[1].y_title.endswith("(µm)")


def test_seidel_bars_end_with_their_sum() -> None:
    (panel,) = lens_figure(TRIPLET, "seidel").panels
    coma = next(curve for curve in panel.curves if "coma" in curve.name)
    assert coma.y[-1] == pytest.approx(1000 * seidel_sums(TRIPLET).coma.sum())
    assert [name for _, name in panel.ticks][-2:] == ["6", "sum"]


def test_distortion_stands_over_the_field() -> None:
    curve = lens_figure(TRIPLET, "field_curvature").panels[1].curves[0]
    assert curve.y[-1] == 20
    assert curve.x[-1] == pytest.approx(100 * distortion(TRIPLET, Field(20.0)))


def test_plot_that_a_lens_does_not_have_says_why() -> None:
    plain = replace(TRIPLET, wavelengths=TRIPLET.wavelengths[:1], fields=(Field(0.0),))
    blocked = replace(TRIPLET.with_surface(0, semi_diameter=1e-6), fields=(Field(20.0),))
    for system, name, reason in (
        (plain, "lateral_colour", "one wavelength"),
        (plain, "field_curvature", "only the field on its axis"),
        (blocked, "mtf", "No light"),
        (blocked, "ray_fan", "No light"),
        (TRIPLET, "nothing", "Choose overview, ray_fan"),
    ):
        with pytest.raises(NoCurves, match=reason):
            lens_figure(system, name)
    assert lens_figure(plain, "overview").panels


def test_field_without_light_leaves_the_others() -> None:
    half = replace(TRIPLET, fields=(Field(0.0), Field(60.0)))
    for name in ("ray_fan", "spot_focus", "line_spread", "mtf", "mtf_focus", "overview"):
        curves = [c for panel in lens_figure(half, name).panels for c in panel.curves]
        assert any(np.isfinite(c.y).any() for c in curves)
        assert not any(np.isfinite(c.y).any() for c in curves if c.name == "60°")


@pytest.mark.parametrize(
    "surfaces",
    [
        (Surface(thickness=5.0, glass="N-BK7"), Surface(thickness=20.0)),
        (Surface(-200.0, -100.0, conic=-1.0, is_mirror=True),),
        (Surface(50.0, 3.0, "N-BK7"), Surface(-50.0, 40.0), Surface(60.0, 5.0, "N-BK7", 1.0)),
    ],
    ids=["plate", "parabola", "dark"],
)
def test_odd_lens_has_plots_or_a_reason(surfaces: tuple[Surface, ...]) -> None:
    system = Prescription(surfaces, fields=(Field(0.0), Field(-30.0), Field(-30.0)))
    for name in LENS_PLOTS:
        try:
            figure = lens_figure(system, name)
        except NoCurves:
            continue
        assert all(p.x_range[0] < p.x_range[1] for p in figure.panels)
        assert all(p.y_range[0] < p.y_range[1] for p in figure.panels)
        ElementTree.fromstring(layout_svg(arrange_figure(figure, 30, 10)))


def test_colours_that_look_alike_are_told_apart() -> None:
    infrared = replace(TRIPLET, wavelengths=(Wavelength(1310.0), Wavelength(1550.0)))
    panel = lens_figure(infrared, "ray_fan").panels[0]
    assert [curve.colour for curve in panel.curves] == [0, 1]


def test_titles_fit_a_narrow_page() -> None:
    drawing = arrange_figure(lens_figure(TRIPLET, "mtf"), 200, 160, "A lens with a long name")
    assert any(isinstance(m, PageText) and m.text.endswith("…") for m in drawing.marks)
