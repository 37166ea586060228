"""The examples of studies in ``resources/raybench_resources/examples/studies`` and their closed
answers.
"""

from __future__ import annotations

import math
from importlib.resources import files

import pytest
from tests.core.study.scenes import minimum_deviation

from raybench.files.shared import read_shared
from raybench.scene.document import Document
from raybench.scene.materials import current_material
from raybench.study.notebook import optimise, tolerance
from raybench.study.request import StudyRequest

EXAMPLES = files("raybench_resources").joinpath("examples", "studies")


def example(name: str, suffix: str = "json") -> Document:
    return read_shared(str(EXAMPLES.joinpath(f"{name}.{suffix}"))).document


def test_a_prism_deviates_least_where_light_passes_symmetrically() -> None:
    found = optimise(
        example("minimum-deviation"), ["Prism.angle=-40..10"], ["least deviation(Prism)"]
    )
    symmetric = math.degrees(math.asin(1.5 * math.sin(math.radians(30)))) - 30
    assert found.values[0] == pytest.approx(-symmetric, abs=1e-6)
    assert found.after[0].value == pytest.approx(-minimum_deviation(1.5, 60), abs=1e-9)


def test_an_achromat_brings_two_wavelengths_to_one_focus() -> None:
    vary, goals = (
        ["Crown.params.r2=-150..-40", "Flint.params.r2=-2000..-90"],
        ["focus(Flint, Blue) = 150", "focus(Flint, Red) = 150"],
    )
    document = example("achromat", "raybench")
    assert [current_material(o).material.name for o in document.scene.objects[2:4]] == [
        "N-BK7",
        "F2",
    ]  # type: ignore[union-attr]
    found = optimise(document, vary, goals, links=["Flint.params.r1 = Crown.params.r2"])
    assert [m.value for m in found.after] == pytest.approx([150, 150], abs=1e-8)
    assert not found.notes
    assert StudyRequest.from_json(document.studies["One focus for two colours"]).goals == tuple(
        goals
    )


def test_the_best_form_of_a_singlet_has_the_shape_factor_of_the_textbook() -> None:
    """For light from infinity q = 2 (n² - 1) / (n + 2), Jenkins and White, section 9.5: for a thin
    lens; ours has a thickness.
    """
    found = optimise(
        example("best-form"),
        ["Lens.params.r1=52..140"],
        ["least spot_rms(Lens)"],
        links=["Lens.params.r2 = 1/(1/Lens.params.r1 - 1/50)"],
    )
    first = found.values[0]
    second = 1 / (1 / first - 1 / 50)
    assert (second + first) / (second - first) == pytest.approx(
        2 * (1.5**2 - 1) / (1.5 + 2), abs=0.03
    )


def test_a_telescope_is_collimated_at_the_sum_of_the_focal_lengths() -> None:
    found = optimise(example("telescope"), ["Eyepiece.x=-40..60"], ["least divergence(Eyepiece)"])
    assert 330 + found.values[0] - 100 == pytest.approx(200 + 50, abs=1e-6)


def test_a_window_at_brewster_s_angle_reflects_no_p_polarised_light() -> None:
    found = optimise(example("brewster-window"), ["Window.angle=20..70"], ["most power_p(Behind)"])
    assert found.values[0] == pytest.approx(math.degrees(math.atan(1.5)), abs=1e-6)
    assert found.after[0].value == pytest.approx(0.5, abs=1e-12)


def test_most_light_enters_a_guide_when_the_lens_images_the_lamp_onto_its_face() -> None:
    """The lamp at 60, the face at 280 and f = 40: the image falls onto the face for the positions
    that solve 1/a + 1/b = 1/f.
    """
    found = optimise(
        example("light-guide"), ["Lens.x=-30..120"], ["most power(Exit)"], whole_range=True, seed=1
    )
    distances = [110 - math.sqrt(110**2 - 40 * 220), 110 + math.sqrt(110**2 - 40 * 220)]
    assert min(abs(140 + found.values[0] - 60 - d) for d in distances) < 10
    assert found.after[0].value > 1.5 * found.before[0].value


def test_a_periscope_s_mirrors_turn_light_by_twice_their_errors() -> None:
    found = tolerance(
        example("periscope"),
        ["Upper.angle±0.1", "Lower.angle±0.1"],
        ["direction(Lower)"],
        samples=200,
    )
    assert [abs(s.slope(0)) for s in found.sensitivities] == pytest.approx([2, 2], rel=1e-9)
    assert found.spreads[0].deviation == pytest.approx(
        2 * 0.1 / math.sqrt(3) * math.sqrt(2), rel=0.15
    )
