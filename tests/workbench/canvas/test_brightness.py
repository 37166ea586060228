"""Light that adds up on the canvas, and how its sums are shown."""

from __future__ import annotations

import dataclasses
import functools
import itertools
import math
import threading

import numpy as np
import pytest
from prism_window import prism_document
from PySide6.QtGui import QImage, QPainter

from raybench.kinds.blockers import Blocker
from raybench.kinds.glasses import Glass
from raybench.kinds.lenses import IdealLens
from raybench.kinds.mirrors import Mirror
from raybench.kinds.sources import AngleSource, Beam, PointSource, SingleRay
from raybench.optics.colour import MIXINGS, wavelength_to_rgb
from raybench.raster.coloring import COLORINGS
from raybench.raster.lines import add_lines, draw_lines
from raybench.scene.changes import SetSettings
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.shapes.point import Point, Vertex
from raybench.trace.results.images import PointRole
from raybench.trace.results.ray_set import RaySet
from raybench.trace.results.result import TraceResult
from raybench.trace.trace import trace
from raybench_workbench import theme
from raybench_workbench.canvas.rays import backdrop
from raybench_workbench.canvas.rays.backdrop import DIMMED_OPACITY
from raybench_workbench.canvas.rays.drawing import (
    POINT_SIDES,
    added_light_drawing,
    covering_lines_drawing,
    highlighted_lines_drawing,
    marks_to_draw,
)
from raybench_workbench.canvas.rays.pixel_lines import MAX_DASHED_LINES
from raybench_workbench.canvas.rays.ray_image import (
    COARSE_PIXEL_SIDE,
    add_point_light,
    draw_image,
    ray_image,
    sum_light,
)
from raybench_workbench.canvas.viewport import Camera, Viewport
from raybench_workbench.picture_tests.pictures import pixels
from raybench_workbench.shot import wait_until_settled
from raybench_workbench.theme import DARK, LIGHT, PAPER

pytestmark = pytest.mark.one_window


SIZE = (40, 30)


def added(lines, light, size=SIZE):
    sums = np.zeros((size[1] * size[0], np.shape(light)[1]), np.float32)
    draw_lines(add_lines, sums, size, np.array(lines, float), np.array(light, np.float32))
    return sums.reshape(size[1], size[0], -1)


def spline(distance):
    """The quadratic B-spline, whose integer translates add up to 1."""
    d = abs(distance)
    return 0.75 - d * d if d < 0.5 else 0.5 * (1.5 - d) ** 2 if d < 1.5 else 0.0


def by_hand(line, size):
    """What one line adds to the pixels of each column or row, by their distance from it."""
    out = np.zeros((size[1], size[0]))
    x1, y1, x2, y2 = line
    steep = abs(y2 - y1) > abs(x2 - x1)
    if steep:
        x1, y1, x2, y2 = y1, x1, y2, x2
    if x1 > x2:
        x1, y1, x2, y2 = x2, y2, x1, y1
    cosine = (x2 - x1) / math.hypot(x2 - x1, y2 - y1)
    for i in range(size[1] if steep else size[0]):
        if x1 <= i + 0.5 < x2:
            at = y1 + (y2 - y1) / (x2 - x1) * (i + 0.5 - x1) - 0.5
            count, reach = size[0] if steep else size[1], 1.5 / cosine
            for j in range(max(0, math.floor(at - reach)), min(count, math.ceil(at + reach) + 1)):
                out[(i, j) if steep else (j, i)] += spline((at - j) * cosine)
    return out


def test_lines_add_what_is_found_pixel_by_pixel():
    random = np.random.default_rng(5)
    lines = random.uniform(-15, 50, (60, 4))
    for line in lines:
        assert added([line], [[1.0]])[:, :, 0] == pytest.approx(by_hand(line, SIZE), abs=1e-5)
    together = added(lines, np.full((60, 1), 0.5))[:, :, 0]
    assert together == pytest.approx(0.5 * sum(by_hand(line, SIZE) for line in lines), abs=1e-4)


@pytest.mark.parametrize("degrees", [0, 10, 30, 45, 60, 90, 135])
def test_a_bundle_is_equally_bright_in_every_direction_and_without_moire(degrees):
    """Lines 1.3 pixels apart, as those of a fan are at some distance from its source, light a plane
    evenly.
    """
    along = np.array([math.cos(math.radians(degrees)), math.sin(math.radians(degrees))])
    across = np.array([-along[1], along[0]])
    middle = np.array([40.0, 40.0]) + np.arange(-60, 61)[:, None] * 1.3 * across
    light = added(
        np.hstack([middle - 90 * along, middle + 90 * along]), np.ones((121, 1)), (80, 80)
    )[10:70, 10:70, 0]
    assert light.mean() == pytest.approx(1 / 1.3, rel=0.01)
    assert light.std() < 0.05 * light.mean()


def test_pieces_of_a_line_add_no_more_than_the_whole():
    places = [(2.0, 3.0), (7.3, 6.18), (11.9, 8.94), (30.0, 19.8)]
    pieces = [(*a, *b) for a, b in itertools.pairwise(places)]
    assert added(pieces, [[1.0]] * 3) == pytest.approx(
        added([(*places[0], *places[-1])], [[1.0]]), abs=1e-4
    )


@pytest.mark.parametrize("density", [0.5, 4.0])
def test_the_light_at_a_focus_is_an_independent_sum_to_a_millionth_in_every_pixel(density):
    """Beams of three colours through a lens of glass and an ideal one."""
    beams = [
        Beam(p1=Point(3, 12), p2=Point(3, 48), wavelength=nm, brightness=0.7)
        for nm in (450.0, 540.0, 630.0)
    ]
    glass = Glass(
        path=(
            Vertex(10, 6),
            Vertex(8, 30, arc=True),
            Vertex(10, 54),
            Vertex(14, 54),
            Vertex(16, 30, arc=True),
            Vertex(14, 6),
        )
    )
    lens = IdealLens(p1=Point(22, 4), p2=Point(22, 56), focal_length=40.0)
    result = trace(
        Scene.of([*beams, glass, lens], Settings(ray_mode_density=density, simulate_colors=True))
    )
    assert len(result) > 100
    long = np.hypot(*(result.p2 - result.p1).T) > 0
    lines = np.hstack([result.p1, _cut(result)])[long]
    light = (wavelength_to_rgb(result.wavelength) * result.total_power[:, None])[long]
    want = np.zeros((60, 60, 3))
    for line, colour in zip(lines, light, strict=True):
        want += by_hand(tuple(line), (60, 60))[:, :, None] * colour
    found = added(lines, light, (60, 60))
    assert want.max() > 20 * np.median(want), "there is a focus"
    assert np.abs(found - want).max() < 1e-6 * want.max()
    # single precision keeps seven digits, of faint pixels too
    assert found[want > 1e-3] == pytest.approx(want[want > 1e-3], rel=1e-6)


def test_points_light_a_small_square_and_stay_on_the_picture():
    sums = np.zeros((SIZE[0] * SIZE[1], 1), np.float32)
    at = np.array([[10.5, 20.5], [-0.5, 5.5], [39.9, 29.9]])
    add_point_light(sums, SIZE, at, np.ones((3, 1), np.float32), np.array([3, 3, 3]))
    seen = sums.reshape(SIZE[1], SIZE[0])
    assert seen[19:22, 9:12].tolist() == [[1.0] * 3] * 3
    assert seen.sum() == 9 + 3 + 4


def turned(count, **settings):
    """The light of ``count`` lasers on one line that a mirror turns to the right, as far as a wall,
    in extended mode with colours.
    """
    mirror, wall = (
        Mirror(p1=Point(20, 15.5), p2=Point(30, 25.5)),
        Blocker(p1=Point(40, 0), p2=Point(40, 60)),
    )
    lasers = [
        SingleRay(p1=Point(25, 0), p2=Point(25, 10), wavelength=540.0, brightness=1.0 / count)
        for _ in range(count)
    ]
    scene = Scene.of(
        [*lasers, mirror, wall],
        Settings(**{"mode": "extended", "simulate_colors": True, **settings}),
    )
    return trace(scene), scene.settings


def light_picture(result, settings):
    return added_light_drawing(result, settings, DARK)


def colored_picture(result, settings):
    return covering_lines_drawing(
        result, settings, DARK, colored=COLORINGS["wavelength"].color(result, settings)
    )


def shown_on_canvas(result, settings):
    viewport = Viewport(Camera(), (60, 60), 1.0, DARK)
    image = ray_image(light_picture(result, settings), viewport)
    return pixels(image).astype(int).max(axis=2)


def kind_row_of(picture, x):
    """The pixels along the line of the lasers, from a place in the scene on."""
    image = ray_image(picture, Viewport(Camera(x), (60, 60), 1.0, DARK))
    return pixels(image)[20, :, :3].astype(int).max(axis=1)


def test_extensions_are_dashed_where_colours_show_wavelengths_and_rays_are_whole():
    row = shown_on_canvas(*turned(1))[20]
    back, ray, forward = row[:24], row[26:39], row[41:59]
    assert ray.min() > 100
    assert back.max() > 100
    assert np.count_nonzero(back > 60) == 12, "four pixels, and four between them"
    assert forward.max() > 100
    assert np.count_nonzero(forward > 60) in (2, 3, 4), "two pixels, and ten between them"


@pytest.mark.parametrize("where", [-100.0, 60.0], ids=["back", "forward"])
@pytest.mark.parametrize("make", [light_picture, colored_picture])
def test_dashes_stay_on_their_line_while_another_part_of_it_is_seen(make, where):
    """They do not begin anew where the canvas cuts the line off."""
    picture = make(*turned(1))
    still = kind_row_of(picture, where)
    assert still.min() == 0
    assert still.max() > 60
    for step in range(1, 13):
        moved = kind_row_of(picture, where + step)
        assert moved[2 : -2 - step].tolist() == pytest.approx(still[2 + step : -2].tolist(), abs=1)


def test_rays_coloured_by_another_quantity_have_the_same_dashes():
    result, settings = turned(1)
    light, colored = (
        kind_row_of(make(result, settings), 0.0) > 60 for make in (light_picture, colored_picture)
    )
    assert colored.tolist() == light.tolist()
    many, _ = turned(MAX_DASHED_LINES + 1)
    back = kind_row_of(colored_picture(many, settings), 0.0)[2:24]
    assert back.min() == back.max() > 0, "too many to be told apart"
    alone = dataclasses.replace(settings, simulate_colors=False)
    assert light_picture(result, alone).dashes is None
    assert colored_picture(result, alone).dashes is not None, (
        "its colours do not tell extensions from rays either"
    )


def test_many_extensions_would_run_together_and_have_the_mean_light_of_their_dashes():
    few, dense = shown_on_canvas(*turned(1))[20], shown_on_canvas(*turned(MAX_DASHED_LINES + 1))[20]
    assert dense[30] == pytest.approx(few[30], abs=2)
    assert dense[2:24].min() == dense[2:24].max() > dense[42:58].min() == dense[42:58].max() > 0
    assert dense[10] < few[:24].max()
    told_by_colour = shown_on_canvas(*turned(1, simulate_colors=False, color_mode="linear"))[20]
    assert told_by_colour[2:24].min() == told_by_colour[2:24].max() > 0


def test_real_images_are_larger_than_virtual_ones_where_colours_show_wavelengths():
    sizes = {}
    for focal_length in (30.0, -30.0):
        lens = IdealLens(p1=Point(60, 0), p2=Point(60, 80), focal_length=focal_length)
        scene = Scene.of(
            [PointSource(x=10, y=40, wavelength=540.0), lens],
            Settings(mode="images", simulate_colors=True),
        )
        result = trace(scene)
        picture = added_light_drawing(result, scene.settings, DARK)
        behind = result.depth[marks_to_draw(result, scene.settings).points.row] == 1
        (sizes[focal_length],) = set(picture.point_sides[behind].tolist())
    assert sizes == {30.0: POINT_SIDES[PointRole.REAL], -30.0: POINT_SIDES[PointRole.VIRTUAL]}
    assert sizes[30.0] > sizes[-30.0]


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


def painted(result, mode, lit=None, simulate=False, smooth=True, look=DARK):
    settings = Settings(color_mode=mode, simulate_colors=simulate)
    picture = added_light_drawing(result, settings, look)
    image = QImage(60, 60, QImage.Format.Format_RGB32)
    image.fill(look.color("canvas") if not look.is_dark else 0)
    painter, viewport = QPainter(image), Viewport(Camera(), (60, 60), 1.0, look)
    drawn = ray_image(picture, viewport, 1 if smooth else COARSE_PIXEL_SIDE)
    draw_image(painter, drawn, 1.0 if lit is None else DIMMED_OPACITY)
    if lit is not None:
        draw_image(painter, ray_image(lit, viewport), 1.0)
    painter.end()
    return pixels(image)[:, :, ::-1].astype(int)


CENTRE = 0.75
"""The part of a line's light that the pixel gets in whose middle it runs."""
TWO = rays(((0, 10.5), (59, 10.5), 0.25), ((0, 10.5), (59, 10.5), 0.5), wavelength=620.0)


@pytest.mark.parametrize("mode", ["linear", "linearRGB", "reinhard"])
def test_rays_over_each_other_add_up_in_linear_light(mode):
    red, _, _, alpha = MIXINGS[mode].displayed_color(np.array([0.75 * CENTRE, 0.0, 0.0]))
    assert 0 < red <= alpha
    assert painted(TWO, mode, simulate=True)[10, 30].tolist() == [round(red * 255), 0, 0]


def test_intensity_has_a_colour_for_each_power_of_ten():
    ray = rays(
        *(
            ((0, y), (59, y), power / CENTRE)
            for y, power in ((10.5, 1.0), (20.5, 0.01), (30.5, 100.0))
        )
    )
    image = painted(ray, "colorizedIntensity")
    assert image[10, 30].tolist() == [204, 204, 0]
    assert image[20, 30].tolist() == [0, 204, 204]
    assert image[30, 30].tolist() == [204, 0, 0]


def test_other_rays_are_dimmed_while_some_are_lit():
    ray = rays(((0, 10.5), (59, 10.5), 1.0), ((0, 20.5), (59, 20.5), 1.0), wavelength=620.0)
    whole, dimmed = (
        painted(ray, "linear", lit, simulate=True)[10, 30, 0]
        for lit in (None, highlighted_lines_drawing(ray, np.array([1]), DARK))
    )
    assert dimmed < 0.3 * whole


def test_in_the_default_mode_the_picture_is_that_of_screen_compositing_mapped_back():
    """The format's own rule, per pixel and in its own steps: 1 - exp(-colour), composited by
    'screen', then -ln(1 - x).
    """
    waves, powers = (450.0, 540.0, 580.0, 620.0), (0.3, 0.2, 0.15, 0.9)
    result = rays(*(((0, 10.5), (59, 10.5), power) for power in powers))
    result.wavelength[:] = waves
    composited = np.zeros(3)
    for wave, power in zip(waves, powers, strict=True):
        colour = 1 - np.exp(-wavelength_to_rgb(wave) * power * CENTRE)
        composited = 1 - (1 - composited) * (1 - colour)
    mapped = -np.log(1 - composited)
    want = 255 * mapped / mapped.max() * min(mapped.max(), 1.0)
    assert painted(result, "default", simulate=True)[10, 30].tolist() == pytest.approx(
        want.tolist(), abs=1
    )


def shown_by_the_format(mode, colours, powers, parts):
    """What the format's description makes of rays in one pixel: their colours (n, 3), powers, and
    the parts of their light in the pixel.

    Red, green and blue over black, from 0 to 255, in the steps and the order of that description.
    """
    if mode == "default":
        composited = [0.0] * 3
        for colour, power, part in zip(colours, powers, parts, strict=True):
            for c in range(3):
                composited[c] = 1 - (1 - composited[c]) * math.exp(-colour[c] * power * part)
        mapped = [-math.log(1 - x) for x in composited]
        factor = max(mapped)
        return [255 * m / factor * min(factor, 1) if factor > 0 else 0 for m in mapped]
    sums, most = [0.0] * 3, 0.0
    for colour, power, part in zip(colours, powers, parts, strict=True):
        bright = max(c * power for c in colour)
        expanded = [(c * power) ** 2.2 for c in colour]
        for c in range(3):
            sums[c] += expanded[c] * bright / max(expanded) * part if max(expanded) > 0 else 0
        most += bright * part
    brightest = max(sums)
    if mode == "linear":
        return [255 * (x / max(brightest, 1)) ** (1 / 2.2) for x in sums]
    if mode == "linearRGB":
        return [255 * min(x, 1) ** (1 / 2.2) for x in sums]
    if mode == "reinhard":
        y = 0.2126 * sums[0] + 0.7152 * sums[1] + 0.0722 * sums[2]
        return [255 * min(x / (1 + y), 1) ** (1 / 2.2) for x in sums]
    stops = [
        (2, (1, 0, 0)),
        (1, (1, 0.5, 0)),
        (0, (1, 1, 0)),
        (-1, (0, 1, 0)),
        (-2, (0, 1, 1)),
        (-3, (0, 0, 1)),
        (-4, (0.3, 0, 0.3)),
    ]
    stops.append((-7, (0, 0, 0)))
    if most <= 1e-7:
        return [0.0] * 3
    for (high, above), (low, below) in itertools.pairwise(stops):
        if math.log10(most) >= low:
            place = min(1, (math.log10(most) - low) / (high - low))
            return [255 * 0.8 * (b + place * (a - b)) for a, b in zip(above, below, strict=True)]
    raise AssertionError


@functools.cache
def light_of_a_wedge():
    """The light of a fan of many wavelengths through a wedge, and the part of each ray in each
    pixel.
    """
    waves = np.linspace(400, 660, 14)
    sources = [
        AngleSource(
            p1=Point(3, 28),
            p2=Point(30, 30 + i / 7),
            emis_angle=30,
            wavelength=float(nm),
            brightness=0.4,
        )
        for i, nm in enumerate(waves)
    ]
    wedge = Glass(
        path=(Vertex(22, 4), Vertex(44, 58), Vertex(14, 58)), ref_index=1.6, cauchy_b=0.02
    )
    settings = Settings(ray_mode_density=0.08, simulate_colors=True, max_ray_depth=4)
    result = trace(Scene.of([*sources, wedge], settings))
    assert len(result) > 100
    assert len(np.unique(result.wavelength)) == len(waves)
    parts = [by_hand((*a, *b), (60, 60)) for a, b in zip(result.p1, _cut(result), strict=True)]
    return result, np.array(parts)


@pytest.mark.parametrize("mode", MIXINGS)
def test_every_pixel_of_a_traced_scene_is_what_the_format_makes_of_its_rays(mode):
    """Every third pixel across and down, against a sum of its own."""
    result, parts = light_of_a_wedge()
    colours = wavelength_to_rgb(result.wavelength)
    image = painted(result, mode, simulate=True)
    for y in range(0, 60, 3):
        for x in range(0, 60, 3):
            lit = parts[:, y, x] > 0
            want = shown_by_the_format(
                mode, colours[lit], result.total_power[lit], parts[lit, y, x]
            )
            assert image[y, x].tolist() == pytest.approx(want, abs=1.5), (x, y)


def _cut(result):
    """The ends of rays, those that escape cut just outside the picture, so that a sum by hand is as
    exact.
    """
    to = result.p2 - result.p1
    length = np.hypot(to[:, 0], to[:, 1])[:, None]
    return result.p1 + to / np.maximum(length, 1e-30) * np.minimum(length, 200.0)


def test_seven_beams_that_mix_to_white_look_white_in_any_order():
    waves = (450.0, 470.0, 490.0, 530.0, 560.0, 590.0, 620.0)
    for order in (waves, waves[::-1]):
        result = rays(*(((0, 10.5), (59, 10.5), 1.0) for _ in order))
        result.wavelength[:] = order
        assert painted(result, "default", simulate=True)[10, 30].min() > 150


WHITE = {450.0: 1.0, 540.0: 1.0, 620.0: 0.875}
"""Powers of wavelengths that add up to white in the mode ``default``."""


def contrast(pixel, look):
    """The contrast of a pixel with the page, as defined for texts: (brighter + 0.05) / (darker +
    0.05).
    """

    def luminance(rgb):
        linear = [
            (c / 255 / 12.92) if c / 255 <= 0.04045 else ((c / 255 + 0.055) / 1.055) ** 2.4
            for c in rgb
        ]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    page = look.color("canvas")
    return (luminance((page.red(), page.green(), page.blue())) + 0.05) / (luminance(pixel) + 0.05)


@pytest.mark.parametrize("look", [LIGHT, PAPER], ids=lambda t: t.name)
def test_every_pixel_of_white_light_on_a_light_page_is_a_grey_darker_than_any_colour(look):
    three = rays(*(((0, 10.5), (59, 10.5), 2 * power) for power in WHITE.values()))
    three.wavelength[:] = list(WHITE)
    for pixel in painted(three, "default", simulate=True, look=look)[10, 2:58]:
        assert np.ptp(pixel) <= 2, "no hue"
        assert contrast(pixel, look) > 10


@pytest.mark.parametrize("look", [LIGHT, PAPER], ids=lambda t: t.name)
@pytest.mark.parametrize(
    ("wavelength", "strongest"), [(430.0, 2), (480.0, 2), (540.0, 1), (620.0, 0)]
)
def test_pure_colours_keep_their_hue_on_a_light_page_and_stand_out(wavelength, strongest, look):
    row = painted(
        rays(((0, 10.5), (59, 10.5), 4.0), wavelength=wavelength),
        "default",
        simulate=True,
        look=look,
    )[10, 2:58]
    assert (row.argmax(axis=1) == strongest).all()
    assert np.ptp(row, axis=1).min() > 120, "a clear hue"
    assert min(contrast(pixel, look) for pixel in row) > 2.85


@pytest.mark.parametrize("look", [DARK, LIGHT, PAPER], ids=lambda t: t.name)
def test_white_light_outweighs_the_colours_at_its_rim_in_every_theme(look):
    """Three overexposed rays, a little apart as in the rainbow: a violet, a white and a yellow row
    of pixels.
    """
    three = rays(
        ((0, 10.9), (59, 10.9), 20), ((0, 10.5), (59, 10.5), 20), ((0, 10.4), (59, 10.4), 20)
    )
    three.wavelength[:] = [420.0, 540.0, 650.0]
    image = painted(three, "default", simulate=True, look=look)
    weight = {y: abs(math.log(contrast(image[y, 30], look))) for y in (9, 10, 11)}
    assert weight[10] > 1.3 * weight[11], "violet"
    assert weight[10] > weight[9], "yellow"
    assert image[11, 30].argmax() == 2


def test_coarse_pictures_are_as_bright_on_the_whole():
    fan = rays(*(((2.0, 30.0), (58.0, 2.0 + i), 0.02) for i in range(56)), wavelength=620.0)
    fine, coarse = (
        painted(fan, "linear", simulate=True, smooth=smooth) for smooth in (True, False)
    )
    light = [((image[20:40, 25:45, 0] / 255.0) ** 2.2).mean() for image in (fine, coarse)]
    assert light[1] == pytest.approx(light[0], rel=0.1)
    block = coarse[30 : 30 + COARSE_PIXEL_SIDE, 30 : 30 + COARSE_PIXEL_SIDE, 0]
    assert np.ptp(block) == 0, "its pixels are coarse"


def test_pictures_are_as_bright_on_the_whole_with_more_pixels():
    fan = rays(*(((2.0, 30.0), (58.0, 2.0 + i), 0.02) for i in range(56)), wavelength=620.0)
    drawing = added_light_drawing(fan, Settings(simulate_colors=True, color_mode="linear"), DARK)
    light = [
        sum_light(drawing, Viewport(Camera(), (60, 60), ratio, DARK))
        .reshape(round(60 * ratio), -1, 3)[round(20 * ratio) :, round(25 * ratio) :]
        .mean()
        for ratio in (0.5, 1.0, 3.0)
    ]
    assert light == pytest.approx([light[1]] * 3, rel=0.1)


def test_fewer_rays_stand_for_all():
    result = rays(*(((0, y + 0.5), (59, y + 0.5), 0.1) for y in range(12)))
    settings = Settings(color_mode="linear")
    whole = added_light_drawing(result, settings, DARK)
    part = whole.thin_source_rays(3)
    of = int((result.source_ray % 3 == 0).sum())
    assert len(part) == of
    assert part.light[0].tolist() == pytest.approx((3 * whole.light[0]).tolist())


def test_the_canvas_adds_light_up_in_the_scene_s_colour_mode_and_highlights_over_it(open_window):
    window = open_window(prism_document(color_mode="reinhard"))
    assert window.canvas.backdrop.rays.mode == "reinhard"
    result = window.document.session.result
    window.document.highlight(RaySet(np.arange(5), "the first", result.revision, "R1"))
    wait_until_settled(window)
    accent = theme.current_theme().color("accent")
    image = window.canvas.backdrop.image
    seen = {
        image.pixelColor(x, y).name()
        for x in range(0, image.width(), 3)
        for y in range(image.height())
    }
    assert any(
        abs(int(name[1:3], 16) - accent.red()) < 60 and int(name[5:7], 16) > 180 for name in seen
    )
    window.document.change(SetSettings({"colorMode": "default"}))
    wait_until_settled(window)
    assert not window.canvas.backdrop.rays.mode, "lines cover each other"


def test_the_window_is_never_held_long_by_adding_up(open_window, monkeypatch):
    """The full image is made in another thread, in steps that can be given up."""
    window = open_window(prism_document(color_mode="linear", ray_mode_density=5.0))
    view, threads = window.canvas, set()
    make = backdrop.ray_image

    def noting(drawing, viewport, coarse, progress):
        if coarse == 1:
            threads.add(threading.get_ident())
        return make(drawing, viewport, coarse, progress)

    monkeypatch.setattr(backdrop, "ray_image", noting)
    view.navigation.zoom(1.3)
    wait_until_settled(window)
    assert view.backdrop.painted_count == len(view.backdrop.rays) > 5_000
    assert threads
    assert threading.get_ident() not in threads
