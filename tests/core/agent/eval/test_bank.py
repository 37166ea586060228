"""The bank that ships: each task has a right and a wrong answer, and Raybench itself finds the same."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import yaml

import raybench as rb
from raybench.agent.eval.bank import InvalidBank, Task, read_bank, select_tasks
from raybench.agent.eval.check import answer_faults, expected_number
from raybench.files.document_file import document_from_json, document_to_json

TASKS = {task.name: task for task in read_bank()}
MEASURED = {
    "singlet-focal-length": "focal_length(Singlet)",
    "singlet-spot-now": "rms(Camera)",
    "objective-back-focus": "back_focal_length(Objective)",
    "pair-focal-length": "focal_length(Objective + Field Lens)",
    "relay-image": "image_distance(Relay)",
    "relay-magnification": "magnification(Relay)",
    "tank-refraction": "edge_refraction(Water:N)",
    "window-displacement": "displacement(Window)",
    "flint-deviation": "deviation(Flint)",
    "colours-separation": "angular_separation(Disperser, Violet Diode, Amber Diode)",
    "grating-first-order": "deviation(Ruling, Sodium Lamp, 1)",
    "fold-direction": "direction(Upper Mirror)",
    "secondary-shadow": "1 - share(Primary)",
    "monitor-main-share": "share(Main)",
    "chip-share": "share(Chip)",
    "ghost-power": "share(Chip) - path_share(Signal > Cover > Cover > Filter > Filter > Chip)",
    "rod-acceptance": "acceptance_angle(Rod)",
    "rod-bounces": "total_reflections(Rod)",
    "rod-leak": "1 - share(Exit)",
    "luneburg-focus": "focus_x(Luneburg Ball)",
}
"""Numbers that are asked for, as measures of the scene."""
MET = {
    "singlet-refocus": ("defocus(Camera)", 0, 0.3),
    "objective-last-radius": ("defocus(Objective Image)", 0, 0.5),
    "singlet-radius": ("focal_length(Singlet)", 100, 0.3),
    "ball-on-its-rim": ("back_focal_length(Ball)", 0, 0.1),
    "pair-spacing": ("focal_length(Objective + Field Lens)", 36, 0.2),
    "relay-sharp": ("defocus(Sensor)", 0, 0.5),
    "tank-brewster": ("edge_incidence(Water:N)", 36.94, 0.3),
    "window-at-brewster": ("incidence(Window)", 59.53, 0.3),
    "flint-turned": ("deviation(Flint)", -48.19, 0.05),
    "colours-less-dispersion": (
        "angular_separation(Disperser, Violet Diode, Amber Diode)", 0.4, 0.4,
    ),
    "grating-density": ("deviation(Ruling, Sodium Lamp, 1)", -30, 0.2),
    "fold-aim": ("centroid(Target)", 30, 1),
    "telescope-refocus": ("defocus(Plate)", 0, 0.8),
    "expander-collimated": ("divergence(Back)", 0, 0.03),
    "expander-three-times": ("beam_width(Back)", 24, 0.3),
    "monitor-quarter": ("share(Monitor)", 0.25, 0.01),
    "cover-index": ("share(Chip)", 0.975, 0.025),
    "lamps-baffle": ("power(Eye, Middle Lamp)", 0, 0),
    "graded-rod-cut": ("focus(Graded Rod)", 0, 0.5),
}  # fmt: skip
"""Measures of the changed scene, with their values and how far they may be off."""


def answered(task: Task, answer: str | Any) -> list[str]:
    """The faults of an answer of the bank: a text, or changes."""
    document = document_from_json(task.scene_json)
    scene = rb.Scene.of(document)
    if not isinstance(answer, str):
        scene.change(answer)
    text = answer if isinstance(answer, str) else "Answer: done"
    return answer_faults(task, document_to_json(document), document_to_json(scene.document), text)


@pytest.mark.parametrize("name", TASKS)
def test_a_right_answer_passes_and_a_wrong_one_fails(name: str) -> None:
    assert answered(TASKS[name], TASKS[name].right) == []
    assert answered(TASKS[name], TASKS[name].wrong)


@pytest.mark.parametrize("name", [name for name in TASKS if TASKS[name].kind == "design"])
def test_a_design_must_change_what_was_asked_and_nothing_else(name: str) -> None:
    task = TASKS[name]
    assert answered(task, "Answer: done")
    first = task.scene_json.get("scene", task.scene_json)["objs"][0]["name"]
    assert answered(task, [*task.right, {"disable": first}])
    assert answered(task, [*task.right, {"move": first, "dx": 0.01, "dy": 0}])
    note = {"type": "TextLabel", "name": "Note", "x": 500, "y": 500, "text": "made"}
    assert answered(task, [*task.right, {"add": note}])


@pytest.mark.parametrize("name", MEASURED)
def test_raybench_measures_the_number_that_is_expected(name: str) -> None:
    task = TASKS[name]
    document = document_from_json(task.scene_json)
    right = expected_number(task, document_to_json(document)["scene"])
    within = float(task.within.rstrip("%"))
    off = within * abs(right) / 100 if task.within.endswith("%") else within
    measured = rb.Scene.of(document).trace().measure(MEASURED[name])
    value = abs(measured.value) if task.quantity == "angle" else measured.value
    assert value == pytest.approx(right, abs=off + 1e-9)


@pytest.mark.parametrize("name", MET)
def test_raybench_finds_the_right_design_met(name: str) -> None:
    measure, value, off = MET[name]
    scene = rb.Scene.of(document_from_json(TASKS[name].scene_json))
    scene.change(TASKS[name].right)
    assert scene.trace().measure(measure).value == pytest.approx(value, abs=off)


def test_raybench_sees_the_same_lamps() -> None:
    light = rb.Scene.of(document_from_json(TASKS["lamps-at-eye"].scene_json)).trace()
    lamps = ("North Lamp", "Middle Lamp", "South Lamp")
    lit = {lamp: light.measure(f"power(Eye, {lamp})").value for lamp in lamps}
    by_rail = light.measure("path_power(Middle Lamp > Shiny Rail > Eye)").value
    assert [lamp for lamp in lamps if lit[lamp] > 0] == TASKS["lamps-at-eye"].names
    assert by_rail == pytest.approx(lit["Middle Lamp"])


def test_every_design_has_a_second_opinion() -> None:
    assert {name for name, task in TASKS.items() if task.kind == "design"} == set(MET)
    assert set(MEASURED) <= set(TASKS)


def test_two_in_ten_cannot_be_done() -> None:
    kinds = Counter(task.kind for task in TASKS.values())
    assert kinds.total() >= 40
    assert kinds["impossible"] / kinds.total() >= 0.2
    assert kinds["design"] / kinds.total() >= 0.2


def test_tasks_are_chosen_by_name_theme_and_kind() -> None:
    tasks = tuple(TASKS.values())
    chosen = select_tasks(tasks, ["prisms", "rod-leak"])
    assert {task.theme for task in chosen} == {"prisms", "guides"}
    assert all(task.impossible for task in select_tasks(tasks, ["impossible"]))
    with pytest.raises(InvalidBank, match="--only prism: there is no such task"):
        select_tasks(tasks, ["prism"])


def test_a_bank_of_ones_own_is_a_folder(tmp_path: Path) -> None:
    (tmp_path / "scenes").mkdir()
    (tmp_path / "scenes" / "bench.json").write_text('{"version": 5, "objs": []}')
    entry = (
        "{name: a, theme: mine, scene: bench, ask: How many, number: '1 + 1', right: '', wrong: ''}"
    )
    (tmp_path / "tasks.yaml").write_text(f"- {entry}")
    (task,) = read_bank(tmp_path)
    assert expected_number(task, task.scene_json) == 2
    (tmp_path / "tasks.yaml").write_text(f"- {entry}\n- {entry}")
    with pytest.raises(InvalidBank, match="two tasks are called a"):
        read_bank(tmp_path)
    (tmp_path / "tasks.yaml").write_text("- {name: a, answer: 3}")
    with pytest.raises(InvalidBank, match="a task has the fields"):
        read_bank(tmp_path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"within": 0.2}, "within is not a text"),
        ({"within": "abc"}, "Write a number such as 0.2"),
        ({"names": "Ball"}, "names is not a list"),
        ({"changes": ["Ball"]}, "changes is not a mapping"),
        ({"impossible": "("}, "no regular expression"),
        ({"quantity": "weight"}, "quantity is 'weight'"),
        ({"scene": "other"}, "no scene 'other'"),
        ({"scene": "broken"}, "holds no scene"),
    ],
)
def test_an_invalid_task_is_named_with_the_remedy(
    change: dict[str, Any], message: str, tmp_path: Path
) -> None:
    (tmp_path / "scenes").mkdir()
    (tmp_path / "scenes" / "one.json").write_text('{"objs": []}')
    (tmp_path / "scenes" / "broken.json").write_text("{")
    task = {"name": "t", "theme": "x", "scene": "one", "ask": "?", "right": "1", "wrong": "2"}
    (tmp_path / "tasks.yaml").write_text(yaml.safe_dump([task | change]))
    with pytest.raises(InvalidBank, match=message):
        read_bank(tmp_path)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("grating-third-order", "Answer: impossible, since Ruling transmits too little there"),
        ("grating-third-order", "The single slit suppresses it.\nAnswer: impossible"),
        ("relay-too-close", "Answer: impossible; there are only four objects"),
        ("graded-rod-second-focus", "They leave at the right end sideways.\nAnswer: impossible"),
        ("singlet-stronger-lens", "Answer: Singlet is the only one that is stronger"),
        ("flint-colours", "Answer: violet is deviated most; one colour cannot be deviated more"),
    ],
)
def test_a_wrong_reason_does_not_pass(name: str, text: str) -> None:
    assert answered(TASKS[name], text)
