"""What the colours of rays can tell, and the legends that say it."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from raybench.kinds.blockers import Blocker
from raybench.kinds.glasses import PlaneGlass
from raybench.kinds.sources import SingleRay
from raybench.raster.coloring import (
    CATEGORY_COLORS,
    COLORINGS,
    SCALE_COLORS,
    Coloring,
    line_opacity,
    scene_legend,
)
from raybench.scene.scene import Scene
from raybench.scene.settings import COLOR_MODES, Settings
from raybench.shapes.point import Point
from raybench.trace.codes import Status
from raybench.trace.results.result import TraceResult
from raybench.trace.trace import trace


@pytest.fixture(scope="module")
def traced() -> TraceResult:
    """A red and a blue ray into water, and a blocker that stops what is reflected."""
    objects = [
        SingleRay(p1=Point(0, 0), p2=Point(60, 60), wavelength=620, name="Red"),
        SingleRay(p1=Point(10, 0), p2=Point(70, 60), wavelength=450, name="Blue"),
        PlaneGlass(p1=Point(0, 60), p2=Point(200, 60), ref_index=1.33, name="Water"),
        Blocker(p1=Point(90, 0), p2=Point(140, 0), name="Stop"),
    ]
    return trace(Scene.of(objects, Settings(simulate_colors=True, color_mode="linear")))


@pytest.mark.parametrize("coloring", COLORINGS.values(), ids=COLORINGS)
def test_every_coloring_colours_every_ray_and_explains_itself(
    coloring: Coloring, traced: TraceResult
) -> None:
    colored = coloring.color(traced, Settings(simulate_colors=True))
    assert colored.rgb.shape == (len(traced), 3)
    assert ((colored.rgb >= 0) & (colored.rgb <= 1)).all()
    assert colored.rgb.max(axis=1).min() > 0.3, "no ray is too dark to be seen"
    legend = colored.legend
    assert legend.title
    assert legend.labels
    places = [place for place, _ in legend.labels]
    assert places == sorted(places)
    if legend.is_scale:
        assert places[0] == 0
        assert places[-1] == 1
    else:
        assert len(legend.labels) == len(legend.colors)
        assert {tuple(c) for c in colored.rgb.round(9)} <= {
            tuple(c) for c in legend.colors.round(9)
        }, "the legend names every colour"


def test_rays_of_a_source_share_a_colour_and_its_name(traced: TraceResult) -> None:
    colored = COLORINGS["source"].color(traced, Settings())
    assert [text for _, text in colored.legend.labels] == ["Red", "Blue"]
    for source in (0, 1):
        assert_allclose(
            colored.rgb[traced.source == source],
            np.tile(CATEGORY_COLORS[source], (int((traced.source == source).sum()), 1)),
        )


def test_powers_have_a_colour_for_every_place_between_a_ten_thousandth_and_the_strongest(
    traced: TraceResult,
) -> None:
    colored = COLORINGS["power"].color(traced, Settings())
    strongest = int(traced.total_power.argmax())
    assert_allclose(colored.rgb[strongest], SCALE_COLORS[-1])
    assert colored.legend.labels[-1][1] == f"{traced.total_power.max():.3g}"
    order = np.argsort(traced.total_power)
    assert (np.diff(colored.rgb[order, 0]) >= 0).all(), "red grows with power"


def test_polarisation_goes_from_s_over_both_to_p() -> None:
    result = TraceResult.from_segments(
        [
            {"p1": (0, 0), "p2": (1, 0), "brightness_s": s, "brightness_p": p}
            for s, p in ((1, 0), (0.5, 0.5), (0, 1), (0, 0))
        ]
    )
    s, both, p, dark = COLORINGS["polarisation"].color(result, Settings()).rgb
    assert s[2] > s[0]
    assert p[0] > p[2]
    assert np.ptp(both) < 0.01
    assert_allclose(dark, both)


def test_endings_are_told_apart(traced: TraceResult) -> None:
    legend = COLORINGS["status"].color(traced, Settings()).legend
    assert [text for _, text in legend.labels] == [
        Status(code).word for code in np.unique(traced.status).tolist()
    ]
    assert {"continued", "escaped", "absorbed"} <= {text for _, text in legend.labels}


def test_without_simulated_colours_the_legend_of_wavelengths_says_so() -> None:
    plain = trace(Scene.of([SingleRay(p1=Point(0, 0), p2=Point(1, 0))], Settings()))
    assert [text for _, text in COLORINGS["wavelength"].color(plain, Settings()).legend.labels] == [
        "not simulated in this scene"
    ]


def test_the_opacity_of_a_line_grows_with_its_power_and_never_vanishes() -> None:
    opacity = line_opacity(np.array([0, 1e-9, 0.001, 0.1, 0.5, 2.0]), 2.0)
    assert opacity[0] == 0
    assert opacity[1] >= 0.1
    assert opacity[-1] == 1
    assert (np.diff(opacity) >= 0).all()
    assert (np.diff(opacity[2:]) > 0).all()


def test_only_the_colour_mode_whose_colours_are_a_scale_has_a_legend() -> None:
    legends = {mode: scene_legend(Settings(color_mode=mode)) for mode in COLOR_MODES}
    assert [mode for mode, legend in legends.items() if legend is not None] == [
        "colorizedIntensity"
    ]
    legend = legends["colorizedIntensity"]
    assert legend is not None
    assert [text for _, text in legend.labels] == ["0.0001", "0.01", "1", "100"]
    assert_allclose(legend.colors[-1], (0.8, 0, 0))
