"""Invalid settings are refused, wherever they come from; numerical tolerances are read one by one."""

from __future__ import annotations

import math
from typing import Any

import pytest

from raybench.files.scene_json import scene_from_json, scene_to_json
from raybench.scene.changes.setting import SetSettings
from raybench.scene.changes.values import InvalidValue
from raybench.scene.document import Document
from raybench.scene.numerical_tolerances import NumericalTolerances
from raybench.scene.problems import find_scene_problems
from raybench.scene.scene import Scene
from raybench.scene.settings import InvalidSetting, Settings


@pytest.mark.parametrize(
    "name", ["length_scale", "ray_mode_density", "image_mode_density", "grid_size"]
)
@pytest.mark.parametrize("value", [0.0, -1.0, math.nan, math.inf])
def test_settings_used_as_divisors_must_be_positive(name: str, value: float) -> None:
    with pytest.raises(InvalidSetting, match="above 0"):
        Settings(**{name: value})
    with pytest.raises(InvalidSetting):
        Scene().with_settings(**{name: value})


def opened(tolerances: Any) -> Scene:
    return scene_from_json({"version": 5, "objs": [], "numericalTolerances": tolerances})


@pytest.mark.parametrize(
    "given",
    [
        {"rayPowerCutoff": 0},
        {"forwardDistance": "1e-5", "later": {"x": [1]}},
        {"curveEndpoint": -1},
        [1, 2],
        {},
    ],
)
def test_numerical_tolerances_are_written_back_as_they_were_read(given: Any) -> None:
    assert scene_to_json(opened(given))["numericalTolerances"] == given
    assert "numericalTolerances" not in scene_to_json(opened(None))


def test_tolerances_that_a_file_does_not_give_are_the_formats() -> None:
    assert opened({"rayPowerCutoff": 1e-9}).settings.tolerances == NumericalTolerances(
        ray_power_cutoff=1e-9
    )
    assert Settings().tolerances == NumericalTolerances(
        curve_endpoint=0,
        interaction_merging=1e-6,
        interaction_normal=1e-6,
        forward_distance=1e-6,
        ray_power_cutoff=1e-6,
    )


@pytest.mark.parametrize(
    ("given", "text"),
    [
        (
            {"curveEndpoint": -1},
            (
                "Setting 'numericalTolerances.curveEndpoint' must be a number from 0 to 1; -1 is"
                " kept but has no effect."
            ),
        ),
        ({"rayPowerCutoff": "much"}, "must be a number of at least 0; much is kept"),
        ({"forwardDistance": 0}, "Give such a number, or remove it for 1e-06."),
        ({"interactionNormal": True}, "from 0 to 3.14159"),
        (
            {"rayBudget": 3},
            "Unknown setting 'numericalTolerances.rayBudget' is kept but has no effect.",
        ),
        ([1], 'must be a JSON object such as {"rayPowerCutoff": 1e-6}'),
    ],
)
def test_a_wrong_tolerance_is_a_problem_with_a_remedy_and_the_default_holds(
    given: Any, text: str
) -> None:
    scene = opened(given)
    (problem,) = find_scene_problems(scene)
    assert problem.key is None
    assert text in problem.text
    assert scene.settings.tolerances == NumericalTolerances()


def test_one_tolerance_is_set_alone_and_a_wrong_one_is_refused() -> None:
    document = Document(scene=opened({"later": 1}))
    changed = SetSettings({"numericalTolerances.rayPowerCutoff": 1e-8}).apply(document)
    assert changed.scene.settings.numerical_tolerances == {"later": 1, "rayPowerCutoff": 1e-8}
    with pytest.raises(InvalidValue, match=r"curveEndpoint' must be a number from 0 to 1"):
        SetSettings({"numericalTolerances": {"curveEndpoint": 3}}).apply(document)
    with pytest.raises(InvalidValue, match="Did you mean"):
        SetSettings({"numericalTolerances.curveEndpont": 0.5}).apply(document)
