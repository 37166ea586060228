"""Checks an answer to a task of the bank: the claim of the model, and the changes of the scene."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

import numpy as np

from raybench.agent.eval import answer
from raybench.agent.eval.bank import Task
from raybench.agent.eval.expression import evaluate_expression
from raybench.agent.eval.plain_optics import Bench, Json
from raybench.errors import RaybenchError

UNCHANGED_DIFFERENCE = 1e-6
"""The largest difference of numbers that count as unchanged, in scene units."""
MOVED, TURNED = "moved", "turned"
DERIVED = ("scene", "materials", "parts")
"""Parts of a document that are compared object by object, as those that its parts make are, or that
follow from its objects.
"""


def answer_faults(task: Task, before: Json, after: Json, text: str) -> list[str]:
    """What is wrong with an answer, one text for each fault; empty if the answer is correct.
    ``before`` and ``after`` are the documents as JSON, ``text`` is the text that the model wrote.
    """
    return [
        *_faults_of_claim(task, before["scene"], text),
        *_faults_of_changes(task.changes or {}, before, after),
        *_faults_of_scene(task, after["scene"]),
    ]


def expected_number(task: Task, scene: Json) -> float:
    """The number that a task asks for, computed from the unchanged scene."""
    return float(evaluate_expression(task.number, Bench(scene).functions()))


def _faults_of_claim(task: Task, scene: Json, text: str) -> Iterator[str]:
    claimed = answer.answer_line(text)
    if task.number:
        right = expected_number(task, scene)
        within = float(task.within.rstrip("%"))
        off = within * abs(right) / 100 if task.within.endswith("%") else within
        found = answer.read_numbers(claimed, task.quantity)
        if not found:
            yield f"gives no {task.quantity or 'number'}; it is {right:.6g}"
        elif not all(abs(number - right) <= off for number in found):
            yield f"says {', '.join(f'{number:.6g}' for number in found)}; it is {right:.6g}"
    if task.names:
        # a name that the question holds is not the answer by being repeated
        known = [n for o in scene["objs"] if (n := o.get("name")) and n not in task.ask]
        named = answer.find_names(claimed, {*known, *task.names})
        if named != set(task.names):
            yield f"names {', '.join(sorted(named)) or 'nothing'}; it is {', '.join(task.names)}"
    if task.truth is not None and answer.read_yes_or_no(claimed) is not task.truth:
        yield f"it is {'yes' if task.truth else 'no'}"
    if task.impossible and not answer.is_refusal(claimed):
        yield "does not say that this is impossible"
    elif task.impossible and not re.search(task.impossible, text, re.IGNORECASE):
        yield "does not say what is true instead"


def _faults_of_changes(allowed: Mapping[str, Any], before: Json, after: Json) -> Iterator[str]:
    old, new = (
        {o.get("name", i): o for i, o in enumerate(d["scene"]["objs"])} for d in (before, after)
    )
    for name in dict.fromkeys((*old, *new)):
        if name not in old or name not in new:
            yield f"{name} was {'added' if name not in old else 'deleted'}"
        elif not _changed_as_allowed(old[name], new[name], allowed.get(name, ())):
            yield f"{name} was changed in what was to stay"
    settings = [{**d["scene"], "objs": 0} for d in (before, after)]
    others = [_without_fields(d, DERIVED) for d in (before, after)]
    if not _is_same_json(*settings) or not _is_same_json(*others):
        yield "more than the objects was changed"


def _faults_of_scene(task: Task, scene: Json) -> Iterator[str]:
    functions = Bench(scene).functions()
    for condition in task.holds:
        try:
            if not evaluate_expression(condition, functions):
                yield f"{condition} does not hold"
        except RaybenchError as error:  # the model may have made any scene
            yield f"{condition} does not hold: {error}"


def _changed_as_allowed(before: Json, after: Json, allowed: Any) -> bool:
    """Whether an object changed only in the allowed way."""
    if allowed not in (MOVED, TURNED):
        return _is_same_json(_without_fields(before, allowed), _without_fields(after, allowed))
    old, new = _points_by_field(before), _points_by_field(after)
    if old.keys() != new.keys() or not _is_same_json(
        _without_fields(before, old), _without_fields(after, new)
    ):
        return False
    a, b = (np.concatenate(list(points.values())) for points in (old, new))
    if len(a) != len(b):
        return False
    a, b = a - a[0], b - b[0]
    # a turn multiplies all steps by one number of length 1, which a reflection does not
    turn = b[-1] / a[-1] if allowed == TURNED else 1
    return abs(abs(turn) - 1) < UNCHANGED_DIFFERENCE and bool(
        np.allclose(b, a * turn, rtol=0, atol=1e-4)
    )


def _points_by_field(obj: Json) -> dict[str, list[complex]]:
    """The points of an object, by the name of their field."""
    listed = {key: value if isinstance(value, list) else [value] for key, value in obj.items()}
    return {
        key: [complex(point["x"], point["y"]) for point in points]
        for key, points in listed.items()
        if all(isinstance(point, Mapping) and {"x", "y"} <= point.keys() for point in points)
    }


def _without_fields(obj: Json, keys: Collection[str]) -> dict[str, Any]:
    return {key: value for key, value in obj.items() if key not in keys}


def _is_same_json(a: Any, b: Any) -> bool:
    """Whether two JSON values are equal up to rounding."""
    if isinstance(a, Mapping) and isinstance(b, Mapping):
        return a.keys() == b.keys() and all(_is_same_json(a[key], b[key]) for key in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(_is_same_json, a, b))
    if isinstance(a, int | float) and isinstance(b, int | float):
        return abs(a - b) <= UNCHANGED_DIFFERENCE
    return bool(a == b)
