"""Rays as lines: colours, clipping, thinning, and what is painted."""

from __future__ import annotations

import dataclasses
import warnings

import numpy as np
import pytest
from PySide6.QtGui import QImage, QPainter

from raybench.kinds.lenses import IdealLens
from raybench.kinds.sources import AngleSource, Beam
from raybench.raster.coloring import COLORINGS
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.shapes.point import Point
from raybench.trace.compilation.loading import is_machine_code_loaded
from raybench.trace.results.result import TraceResult
from raybench.trace.trace import trace
from raybench_workbench.canvas.rays.arrow_heads import MIN_DISTANCE, arrow_heads, paint_arrow_heads
from raybench_workbench.canvas.rays.backdrop import DIMMED_OPACITY, Backdrop
from raybench_workbench.canvas.rays.drawing import (
    covering_lines_drawing,
    estimate_paint_time,
    highlighted_lines_drawing,
    thin_drawing,
)
from raybench_workbench.canvas.rays.light_colors import (
    legend_corners,
    paint_legend,
    sort_marks_by_color,
)
from raybench_workbench.canvas.rays.pixel_lines import clip_lines_to_canvas
from raybench_workbench.canvas.rays.ray_image import draw_image, ray_image
from raybench_workbench.canvas.rays.ray_vectors import draw_rays, paint_points
from raybench_workbench.canvas.viewport import Camera, Viewport, fit_camera
from raybench_workbench.picture_tests.pictures import pixels
from raybench_workbench.theme import DARK, LIGHT

NOTHING = np.zeros((0, 4))
CANVAS = Viewport(Camera(), (100, 100), 1.0, DARK)


HUGE = Viewport(Camera(), (200_000, 200_000), 1.0, DARK)


def rays(*rows, wavelength=None):
    return TraceResult.from_segments(
        [
            {
                "p1": a,
                "p2": b,
                "brightness_s": power / 2,
                "brightness_p": power / 2,
                "wavelength": wavelength,
            }
            for a, b, power in rows
        ]
    )


def painted(result, lit=None, theme=DARK, settings=Settings(), size=(100, 100), smooth=False):  # noqa: B008
    """The drawing of rays as Qt draws it in a vector drawing or, if ``smooth``, as on the canvas."""
    image = QImage(*size, QImage.Format.Format_RGB32)
    image.fill(0)
    camera = Camera() if smooth else Camera(-0.5, -0.5)  # Qt's lines cover whole pixels
    painter, viewport = QPainter(image), Viewport(camera, size, 1.0, theme)
    drawings = [
        (covering_lines_drawing(result, settings, theme), 1.0 if lit is None else DIMMED_OPACITY)
    ]
    for drawing, opacity in drawings if lit is None else [*drawings, (lit, 1.0)]:
        if smooth:
            draw_image(painter, ray_image(drawing, viewport), opacity)
        else:
            draw_rays(painter, drawing, viewport, opacity=opacity)
            paint_points(painter, drawing, viewport, opacity=opacity)
    painter.end()
    return pixels(image)[:, :, ::-1].astype(int)


def test_power_is_opacity_up_to_one():
    image = painted(
        rays(
            ((0, 10), (99, 10), 1.0),
            ((0, 20), (99, 20), 5.0),
            ((0, 30), (99, 30), 0.25),
            ((0, 40), (99, 40), 1e-4),
        )
    )
    assert image[10, 50].tolist() == image[20, 50].tolist() == [255, 255, 128]
    assert image[30, 50].tolist() == pytest.approx([64, 64, 32], abs=2)
    assert image[40, 50].tolist() == [0, 0, 0]


def test_wavelengths_have_their_colours_and_are_darker_on_light_ground():
    simulated = Settings(simulate_colors=True)
    assert painted(rays(((0, 10), (99, 10), 1.0), wavelength=540.0), settings=simulated)[
        10, 50
    ].tolist() == [0, 255, 0]
    on_light = painted(
        rays(((0, 10), (99, 10), 1.0), wavelength=540.0), settings=simulated, theme=LIGHT
    )[10, 50]
    assert on_light[0] == on_light[2] == 0
    assert 120 < on_light[1] < 220


def test_lit_rays_take_the_accent_and_dim_the_others():
    result = rays(((0, 10), (99, 10), 1.0), ((0, 20), (99, 20), 1.0))
    image = painted(result, lit=highlighted_lines_drawing(result, np.array([1]), DARK))
    assert 20 < image[10, 50, 0] < 90
    assert image[20, 50, 2] > image[20, 50, 0] + 50


def test_clipping_keeps_what_is_seen_and_where_it_is():
    lines = np.array(
        [[-1e7, 50, 1e7, 50], [10, -1e6, 10, -10], [20, 20, 30, 30], [50, -50, 50, 50.0]]
    )
    shown, kept = clip_lines_to_canvas(lines, Camera(), (100, 100))
    assert kept.tolist() == [0, 2, 3]
    assert shown[0].tolist() == [-4, 50, 104, 50]
    assert shown[1].tolist() == [20, 20, 30, 30]
    assert shown[2].tolist() == [50, -4, 50, 50]
    assert len(clip_lines_to_canvas(NOTHING, Camera(), (100, 100))[0]) == 0


def test_a_budget_thins_by_whole_source_rays():
    result = rays(*(((0, i % 90), (90, i % 90), 1.0) for i in range(3000)))
    # rays 2i and 2i + 1 are one source ray's
    result = dataclasses.replace(result, source_ray=np.arange(3000, dtype=np.int32) // 2)
    drawing = covering_lines_drawing(result, Settings(), DARK)
    asked = estimate_paint_time(drawing, CANVAS)
    assert thin_drawing(drawing, CANVAS, asked * 1.1) is drawing
    thin = thin_drawing(drawing, CANVAS, asked / 3.5)
    assert 600 < len(thin) < 900
    assert (np.unique(thin.source_ray, return_counts=True)[1] == 2).all()


def test_a_large_picture_is_thinned_from_a_sparse_one_that_was_made_before(monkeypatch):
    monkeypatch.setattr("raybench_workbench.canvas.rays.drawing.MIN_THINNED_LINES", 500)
    drawing = covering_lines_drawing(
        rays(*(((0, i % 90), (90, i % 90), 1.0) for i in range(3000))), Settings(), DARK
    )
    assert len(drawing.sparse_drawing) == 500
    asked = estimate_paint_time(drawing.sparse_drawing, CANVAS)
    assert thin_drawing(drawing, CANVAS, asked * 1.1) is drawing.sparse_drawing
    thin = thin_drawing(drawing, CANVAS, asked / 4.5)
    assert len(thin) == 100


def test_thinned_white_light_stays_white():
    beams = [
        Beam(p1=Point(0, 10), p2=Point(0, 90), wavelength=nm, brightness=1.0)
        for nm in (450.0, 540.0, 620.0)
    ]
    scene = Scene.of(beams, Settings(simulate_colors=True, ray_mode_density=1.6))
    result = trace(scene)
    thin = covering_lines_drawing(result, scene.settings, DARK).thin_source_rays(7)
    colors = np.unique(thin.light, axis=0)
    assert len(colors) == 3
    places = [sorted(thin.lines[(thin.light == c).all(axis=1), 1].tolist()) for c in colors]
    assert places[0] == pytest.approx(places[1])
    assert places[1] == pytest.approx(places[2])
    assert len(places[0]) > 10


def test_where_painting_is_slow_a_moving_picture_gets_fewer_rays(raybench_app, monkeypatch):
    backdrop = Backdrop()
    backdrop.rays = covering_lines_drawing(
        rays(*(((0, i % 90), (90, i % 90), 1.0) for i in range(60_000))), Settings(), DARK
    )
    document = Document(scene=Scene.of([]))

    def paint():
        backdrop.paint(document, CANVAS)
        return backdrop.painted_count

    clock = [0.0]

    def slow():
        clock[0] += 0.1
        return clock[0]

    counts = [paint() for _ in range(3)]
    assert 1000 < min(counts) < 60_000
    monkeypatch.setattr("raybench_workbench.canvas.rays.backdrop.time.thread_time", slow)
    assert 0 < [paint() for _ in range(6)][-1] < min(counts) / 2


def test_a_fitted_camera_shows_the_box_in_the_middle():
    camera = fit_camera((100, 200, 300, 250), (800, 600), margin=0.1)
    left, right = camera.to_screen((100, 225)), camera.to_screen((300, 225))
    assert (left.x(), right.x()) == pytest.approx((80, 720))
    assert left.y() == pytest.approx(300)
    assert fit_camera((5, 5, 5, 5), (800, 600)).to_screen((5, 5)).x() == pytest.approx(400), (
        "a single point is no reason to fail"
    )


def through_lens(**settings):
    """A point source whose light an ideal lens gathers again at (80, 50); traced, with its
    settings.
    """
    objects = [
        AngleSource(p1=Point(20, 50), p2=Point(50, 50), emis_angle=30),
        IdealLens(p1=Point(50, 10), p2=Point(50, 90), focal_length=15),
    ]
    scene = Scene.of(objects, Settings(image_mode_density=1, ray_mode_density=1, **settings))
    return trace(scene), scene.settings


def test_extended_rays_go_back_to_where_they_seem_to_come_from():
    plain, extended = (
        painted(result, settings=settings)
        for result, settings in (through_lens(), through_lens(mode="extended"))
    )
    assert plain[3:10, 3:45].max() == 0
    orange = extended[3:30, 3:45].reshape(-1, 3)
    assert (orange[:, 0] > orange[:, 1] + 20).any()
    assert (orange[:, 1] > orange[:, 2] + 10).any()


def test_image_mode_shows_the_image_alone():
    result, settings = through_lens(mode="images")
    image = painted(result, settings=settings)
    assert image[50, 80].tolist() == pytest.approx([255, 255, 128], abs=4)
    assert image[50, 30].max() == image[40, 60].max() == 0
    assert len(covering_lines_drawing(result, settings, DARK)) == 0
    assert len(covering_lines_drawing(result, settings, DARK).points) > 10


def test_highlighted_rays_keep_their_relative_power():
    result = rays(((0, 10), (99, 10), 1.0), ((0, 20), (99, 20), 0.25), ((0, 30), (99, 30), 1.0))
    image = painted(result, lit=highlighted_lines_drawing(result, np.array([0, 1]), DARK))
    strong, weak, dimmed = (image[y, 50] for y in (10, 20, 30))
    assert strong[2] > weak[2] + 30 > 60
    assert weak[2] > weak[0] + 20, "the weak one is in the accent colour too"
    assert dimmed[0] > dimmed[2]


def test_a_coloring_replaces_the_scene_s_colours_and_shows_weak_rays():
    result = rays(((0, 10), (99, 10), 1.0), ((0, 20), (99, 20), 1e-3))
    colored = COLORINGS["power"].color(result, Settings())
    drawing = covering_lines_drawing(result, Settings(), DARK, colored=colored)
    assert drawing.legend is colored.legend
    assert len(drawing) == 2
    colors = drawing.line_colors()
    assert colors[0, 2] > colors[0, 0], "the weak one, painted first, is bluish"
    assert colors[1].tolist() == pytest.approx([1, 1, 0.62, 1], abs=0.01)


def test_arrows_point_along_the_rays():
    result = rays(((10, 50), (90, 50), 1.0))
    image = QImage(100, 100, QImage.Format.Format_RGB32)
    image.fill(0)
    painter = QPainter(image)
    paint_arrow_heads(
        painter, arrow_heads(covering_lines_drawing(result, Settings(), DARK), CANVAS)
    )
    painter.end()
    added = np.argwhere(pixels(image).max(axis=2) > 60)
    assert 4 < len(added) < 60
    assert abs(added[:, 1].mean() - 50) < 4
    assert np.ptp(added[added[:, 1] < 50][:, 0]) >= 2, "it is wide at its back"
    assert len(added[added[:, 1] < 50]) > len(added[added[:, 1] > 50]), "and narrow in front"


def test_the_arrows_of_a_beam_stand_apart_and_do_not_run_together_to_a_bar():
    result = rays(*(((10, 20 + 2 * i), (90, 20 + 2 * i), 1.0 - 0.01 * i) for i in range(30)))
    heads = arrow_heads(covering_lines_drawing(result, Settings(), DARK), CANVAS).corners.mean(
        axis=1
    )
    assert len(heads) == 5
    assert np.diff(np.sort(heads[:, 1])).min() == pytest.approx(MIN_DISTANCE)
    assert heads[0, 1] == pytest.approx(20, abs=0.1), "the strongest has one"


def test_antialiased_lines_lie_over_each_other_in_full_precision():
    result = rays(*(((0, 10.5), (99, 10.5), 0.02) for _ in range(30)))
    got = painted(result, smooth=True)[10, 50, 0]
    assert got == pytest.approx(255 * (1 - (1 - 0.75 * 0.02) ** 30), abs=6), (
        "not rounded to eight bits after every ray"
    )


def test_marks_of_negative_power_are_left_out_without_a_warning():
    """A file may hold a beam splitter that transmits 170 %, which reflects less than nothing."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rows, _, _ = sort_marks_by_color(np.ones((3, 3)), np.array([-0.7, 0.0, 1.0]))
    assert rows.tolist() == [2]


def test_weak_rays_are_painted_where_there_are_no_stronger_ones():
    """A large ray density divides the light among rays of which one alone is not visible."""
    rows, colors, _ = sort_marks_by_color(np.ones((4, 3)), np.array([0.0005, 0.003, 0.003, 1e-7]))
    assert rows.tolist() == [0, 1, 2], "faint ones first"
    assert colors[:, 3] == pytest.approx([0.0005, 0.003, 0.003], rel=0.13)
    rows, _, _ = sort_marks_by_color(np.ones((4, 3)), np.array([0.0005, 0.003, 1.0, 0.5]))
    assert rows.tolist() == [3, 2]


def test_the_light_of_a_beam_does_not_depend_on_the_density_of_its_rays():
    few, many = (
        rays(
            *[
                ((0, 10 + 40 * (i + 0.5) / count), (99, 10 + 40 * (i + 0.5) / count), 20 / count)
                for i in range(count)
            ]
        )
        for count in (40, 20_000)
    )
    a, b = (painted(result, smooth=True)[20:40, 50].mean(axis=0) for result in (few, many))
    assert a[0] > 80
    if not is_machine_code_loaded():
        pytest.skip("Qt, which paints instead of kernels that are not loaded, adds in eight bits")
    assert b == pytest.approx(a, rel=0.25)


@pytest.mark.parametrize("coloring", ["polarisation", "power", "source"])
def test_the_words_of_a_legend_stand_clear_of_its_frame(raybench_app, coloring):
    result = rays(((0, 10), (99, 10), 1.0), ((0, 20), (99, 20), 0.5))
    image = QImage(300, 200, QImage.Format.Format_RGB32)
    image.fill(0)
    painter = QPainter(image)
    legend = COLORINGS[coloring].color(result, Settings()).legend
    box = legend_corners(legend, (300, 200))[0]
    paint_legend(painter, legend, box, DARK)
    painter.end()
    inside = pixels(image)[
        int(box.top()) + 3 : int(box.bottom()) - 1, int(box.left()) + 3 : int(box.right()) - 1, :3
    ].max(axis=2)
    written = np.flatnonzero((inside > 90).any(axis=1))
    assert written[0] >= 4
    assert written[-1] < len(inside) - 4


def test_a_layer_that_memory_does_not_hold_is_an_error_of_memory():
    result = rays(((0, 0), (50, 50), 1.0))
    with pytest.raises(MemoryError):
        ray_image(covering_lines_drawing(result, Settings(), DARK), HUGE)
