"""Form rows of named parameters: of a module's instance, and of a spherical lens."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping

from raybench.errors import RaybenchError
from raybench.formula import Scope, evaluate
from raybench.kinds.fields import Description, as_number, in_sentence
from raybench.kinds.kinds import row_of
from raybench.kinds.module_instance import ModuleObj
from raybench.kinds.object import SceneObject
from raybench.scene.modules.module import Parameter
from raybench.scene.scene import Scene
from raybench_workbench.modules.parts_view import PartsView
from raybench_workbench.panels.field_rows import slider
from raybench_workbench.panels.form import Form
from raybench_workbench.panels.form_part import Part
from raybench_workbench.words.plain_text import tool_tip

MAX_STEPS = 10_000
"""Largest number of steps of a slider; in a longer range each step is several of the parameter's.
"""


def add_module(
    form: Form,
    instance: ModuleObj,
    scene: Scene,
    parts_of: Callable[[SceneObject], tuple[SceneObject, ...]],
) -> None:
    """Add the parameters of a module's instance, with the names and ranges that the module defines,
    and its parts with their values.

    ``parts_of`` gives the parts of the instance as it is when the form is shown again.
    """
    module = scene.modules.get(instance.module)
    if module is None or module.trouble:
        return  # the messages above the canvas report the problem
    for parameter in module.parameters:
        _parameter(form, parameter)
    parts = scene.parts_of(instance)
    if not parts:
        form.add_note(
            "It has no parts with these values."
        )  # the messages above the canvas report why
        return
    kinds = Counter(in_sentence(p.label) for p in parts)
    listed = ", ".join(f"{n} × {kind}" if n > 1 else kind for kind, n in kinds.most_common())
    form.add_note(f"Contains {len(parts)} object{'s' if len(parts) != 1 else ''}: {listed}. "
              "They are read only: change the points, the parameters, or the definition of the module.")  # fmt: skip
    view = PartsView()
    form.add_wide(view)
    form.on_update(
        lambda: view.show_parts(parts_of(form.values[0]), form.values[0].title, form.unit)
    )


def _parameter(form: Form, parameter: Parameter) -> None:
    start, step, end = (_value(text) for text in (parameter.start, parameter.step, parameter.end))
    known = (
        start is not None
        and step is not None
        and end is not None
        and step != 0
        and (end - start) / step > 0
    )

    def get(o: ModuleObj) -> float | None:
        if not isinstance(o.params, Mapping):
            return _value(parameter.default) if o.params is None else None
        return as_number(o.params.get(parameter.name))

    tip = (
        f"{parameter.name}: usually from {parameter.start} to {parameter.end} in steps of"
        f" {parameter.step}; any number is taken."
    )
    part = Part(parameter.name, get, f"params.{parameter.name}", tip=tool_tip(tip))
    form.add_row(part, form.number(part, step if known else None))
    if known:
        assert start is not None
        assert step is not None
        assert end is not None
        count = max(
            1, math.floor((end - start) / step + 1e-9)
        )  # a step may be longer than the range
        coarse = math.ceil(count / MAX_STEPS)
        form.add_wide(slider(form, part, start, step * coarse, count // coarse))


def _value(formula: str) -> float | None:
    try:
        value = evaluate(formula, Scope())
    except RaybenchError:
        return None
    return value if math.isfinite(value) else None


def add_parameters(form: Form, obj: SceneObject) -> None:
    """Add the parameters that the row of an object's kind describes."""
    for name, about in row_of(obj).parameters(obj).items():
        form.add_row(part := _part(name, about), form.number(part))


def _part(name: str, about: Description) -> Part:
    return Part(
        about.label,
        lambda o: as_number((o.params or {}).get(name)),
        f"params.{name}",
        about.unit,
        about.help,
    )
