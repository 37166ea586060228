"""The bank: a folder with a table of tasks, ``tasks.yaml``, and the scenes of the tasks."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

import yaml

from raybench.agent.eval.answer import UNITS
from raybench.errors import RaybenchError

TABLE = "tasks.yaml"
SUFFIXES = (".json", ".raybench")
ANSWER_LINE = (
    "End with one line that begins with “Answer:” and holds nothing but the answer: a number with"
    " its unit, names, yes or no, or “done” after a change of the scene. If what is asked for does"
    " not exist or cannot be done, change nothing, and write “Answer: impossible”, with the reason"
    " on the same line."
)
"""What is asked of a model besides the question."""


class InvalidBank(RaybenchError):
    """A bank of tasks cannot be read."""


@dataclass(frozen=True)
class Task:
    """A question about a scene, or a change of a scene, and the criteria of a correct answer.

    The claim of the model is checked against one of: ``number``, an expression, with its
    ``quantity`` (one of `answer.UNITS`, or direction; empty for plain numbers) and the tolerance
    ``within`` (absolute or in percent); ``names``; ``truth`` (yes or no); ``impossible``, a regular
    expression for the true statement. ``holds``: expressions that must be true of the scene
    afterwards. ``changes``: by object, what may change: ``moved`` allows a shift, ``turned`` a
    shift and rotation, otherwise field names. Everything else must stay.

    ``right`` and ``wrong`` are a correct answer and a plausible wrong answer: a text, or changes of
    the scene.
    """

    name: str
    theme: str
    scene: str
    ask: str
    right: str | Sequence[Mapping[str, Any]]
    wrong: str | Sequence[Mapping[str, Any]]
    number: str = ""
    quantity: str = ""
    within: str = "1%"
    names: Sequence[str] = ()
    truth: bool | None = None
    impossible: str = ""
    holds: Sequence[str] = ()
    changes: Mapping[str, str | Sequence[str]] | None = None
    bank: Traversable | None = None

    @property
    def kind(self) -> str:
        """The kind of task: ``question``, ``design`` or ``impossible``."""
        return "impossible" if self.impossible else "design" if self.changes else "question"

    @property
    def tags(self) -> tuple[str, ...]:
        """The tags by which the option ``--only`` selects the task."""
        return self.name, self.theme, self.scene, self.kind

    @cached_property
    def scene_json(self) -> dict[str, Any]:
        """The scene as the JSON of its file."""
        assert self.bank is not None
        for suffix in SUFFIXES:
            file = self.bank.joinpath("scenes", f"{self.scene}{suffix}")
            if file.is_file():
                try:
                    data = json.loads(file.read_text(encoding="utf-8"))
                    assert isinstance(data.get("scene", data)["objs"], list)
                except (
                    ValueError,
                    TypeError,
                    KeyError,
                    AttributeError,
                    AssertionError,
                    RecursionError,
                ):
                    raise InvalidBank(f"{self.name}: {file.name} holds no scene.") from None
                scene: dict[str, Any] = data
                return scene
        raise InvalidBank(f"{self.name}: the bank has no scene '{self.scene}'.")


def shipped_bank() -> Traversable:
    """The folder of the bank that comes with Raybench."""
    return files("raybench_resources").joinpath("eval")


def read_bank(folder: Traversable | None = None) -> tuple[Task, ...]:
    """The tasks of a bank, by default the shipped one. Raises InvalidBank if a task lacks a field,
    has an unknown field, or has the name of another task.
    """
    bank = folder or shipped_bank()
    try:
        rows = yaml.safe_load(bank.joinpath(TABLE).read_text(encoding="utf-8"))
    except (OSError, ValueError, yaml.YAMLError) as error:
        raise InvalidBank(f"{bank}: {TABLE} cannot be read: {error}") from None
    known = {field.name for field in fields(Task)} - {"bank"}
    tasks: dict[str, Task] = {}
    for row in rows if isinstance(rows, list) else [rows]:
        if not isinstance(row, dict) or not set(row) <= known:
            raise InvalidBank(f"{bank}: a task has the fields {', '.join(sorted(known))}: {row}")
        try:
            task = Task(**row, bank=bank)
        except TypeError as error:
            raise InvalidBank(f"{bank}: {row.get('name', row)}: {error}") from None
        if task.name in tasks:
            raise InvalidBank(f"{bank}: two tasks are called {task.name}.")
        if fault := _task_fault(task):
            raise InvalidBank(f"{bank}: {task.name}: {fault}")
        tasks[task.name] = task
    if not tasks:
        raise InvalidBank(f"{bank}: {TABLE} holds no task.")
    return tuple(tasks.values())


def _task_fault(task: Task) -> str:
    """What is wrong with the definition of a task, and the remedy; empty if it is valid."""
    for name in ("name", "theme", "scene", "ask", "number", "quantity", "within", "impossible"):
        if not isinstance(getattr(task, name), str):
            return f"{name} is not a text. Put it in quotes."
    if not re.fullmatch(r"\d+(\.\d+)?%?", task.within):
        return f"within is {task.within!r}. Write a number such as 0.2, or a share such as 2%."
    if task.quantity not in {"", "direction", *UNITS}:
        return f"quantity is {task.quantity!r}. It is one of {', '.join(UNITS)} or direction."
    for name in ("names", "holds"):
        listed = getattr(task, name)
        if isinstance(listed, str) or not all(isinstance(each, str) for each in listed):
            return f"{name} is not a list of texts. Write [{listed}]."
    if not isinstance(task.changes, Mapping | None):
        return "changes is not a mapping. Write {OBJECT: moved}, turned, or a list of fields."
    try:
        re.compile(task.impossible)
    except re.error as error:
        return f"impossible is no regular expression: {error}."
    task.scene_json  # noqa: B018  (raises InvalidBank)
    return ""


def select_tasks(tasks: Sequence[Task], only: Sequence[str]) -> tuple[Task, ...]:
    """The tasks with one of the tags ``only``; all tasks if it is empty. Raises InvalidBank for a
    tag that no task has.
    """
    known = {tag for task in tasks for tag in task.tags}
    for tag in only:
        if tag not in known:
            themes = dict.fromkeys(task.theme for task in tasks)
            raise InvalidBank(
                f"--only {tag}: there is no such task or theme. Themes are {', '.join(themes)};"
                " question, design and impossible are kinds."
            )
    return tuple(task for task in tasks if not only or set(only) & set(task.tags))
