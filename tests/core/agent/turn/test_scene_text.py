"""The description of a scene that a model gets with a question."""

from __future__ import annotations

from raybench.agent.turn.scene_text import scene_text
from raybench.files.scene_json import scene_from_json
from raybench.scene.document import Document


def described(*objects: dict[str, object], **settings: object) -> list[str]:
    return scene_text(
        Document(scene=scene_from_json({"version": 5, "objs": list(objects), **settings}))
    ).splitlines()[1:]


def test_an_object_is_told_with_its_points_and_what_is_not_default() -> None:
    lens = {
        "type": "IdealLens",
        "name": "Lens",
        "p1": {"x": 70, "y": -25},
        "p2": {"x": 70, "y": 25.5},
        "focalLength": 80,
    }
    default = {"type": "IdealLens", "p1": {"x": 0, "y": 0}, "p2": {"x": 0, "y": 1}}
    assert described(lens, default) == [
        "- 'Lens' (IdealLens, p1 (70, -25), p2 (70, 25.5), focalLength 80)",
        "- 'Ideal lens 1' (IdealLens, p1 (0, 0), p2 (0, 1))",
    ]


def test_settings_that_are_not_default_and_faults_are_told() -> None:
    assert described({"type": "PointSource", "name": "Bulb"}, rayModeDensity=2) == [
        "- settings: rayModeDensity 2",
        (
            "- 'Bulb' (PointSource); problem: \"'Bulb' (PointSource, object 1 of the file) is kept"
            " but has no effect: it is not finished: 'x' is missing.\""
        ),
    ]


def test_an_outline_with_many_points_is_counted() -> None:
    many = [{"x": i, "y": i * i, "arc": False} for i in range(20)]
    (line,) = described({"type": "Glass", "name": "Comb", "path": many})
    assert line.startswith("- 'Comb' (Glass, path of 20 points, refractive index 1.5")
