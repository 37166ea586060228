"""Form rows of list fields: corners and points, nodes of curves, parametric pieces, outgoing rays
and orders of gratings.

Each item has its own rows and a button that removes it; a button below the last adds an item.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from operator import attrgetter
from typing import Any

from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QPushButton

from raybench.kinds.custom_surfaces import OutRay, formula_variables
from raybench.kinds.fields import LENGTH, Field, camel_case
from raybench.kinds.module_instance import ModuleObj
from raybench.kinds.object import SceneObject
from raybench.scene.codec import field_to_json
from raybench.shapes.bezier import CurveNode, with_node_after, without_node
from raybench.shapes.point import Point, Vertex
from raybench.shapes.shape import Arc, arc_through
from raybench_workbench import theme
from raybench_workbench.panels.form import Form
from raybench_workbench.panels.form_part import Part

MAX_ITEMS = 24
"""Lists with more items than this are not edited in the form."""
NEW_PIECE = {"eqnX": "t", "eqnY": "0", "tMin": 0, "tMax": 50, "tStep": 0.01}
Items = tuple[Any, ...]


@dataclass(frozen=True)
class _ListEditing:
    """How one kind of list is edited: the name of an item, the function that adds its rows (given
    its index and the button that removes it), and the functions that add and remove an item.
    ``min_items`` is the smallest length. ``number`` is how the item of an index is called;
    ``only_last``: only the last item can be removed, since the others are known by their place.
    """

    item: str
    rows: Callable[[Form, Part, int, QPushButton | None], None]
    added: Callable[[Items], Items]
    removed: Callable[[Items, int], Items]
    min_items: int
    number: Callable[[int], str] = str
    only_last: bool = False


def add_list(form: Form, f: Field, obj: SceneObject) -> None:
    """Add the rows of a list field; nothing if its kind cannot be edited."""
    part, items = Part.of(f), getattr(obj, f.name)
    editing = _editing_of(f, obj)
    if editing is None or items is None:
        return
    if f.about.kind == "data" and not (
        isinstance(items, list | tuple) and all(isinstance(i, Mapping) for i in items)
    ):
        form.add_note(
            f"{part.label} cannot be read as a list and are kept unchanged in the file.", "warning"
        )
        return
    form.add_heading(part.label, part.tip)
    if len(items) > MAX_ITEMS:
        where = "drag them on the canvas" if f.about.unit == LENGTH else "edit them as JSON"
        form.add_note(f"{len(items)} items: {where}.")
        return
    if isinstance(obj, ModuleObj):  # the module defines the number of its points
        for i in range(len(items)):
            _module_point(form, part.item(i, ""), i + 1)
        return
    for i in range(len(items)):
        kept = len(items) <= editing.min_items or (editing.only_last and i < len(items) - 1)
        remove = None if kept else _remove(form, f, editing, i)
        editing.rows(form, part.item(i, f"{part.label} {editing.number(i)}"), i, remove)
    line = QHBoxLayout()
    line.addWidget(
        form.button(
            f"Add {editing.item}",
            f"Add {editing.item}",
            lambda o: {part.path: field_to_json(f, editing.added(tuple(part.get(o))))},
        )
    )
    line.addStretch(1)
    form.add_wide(line)


def items_of(f: Field, obj: SceneObject) -> int:
    """The number of items of a list field; 0 if it is no list."""
    value = getattr(obj, f.name)
    return len(value) if isinstance(value, list | tuple) else 0


def _editing_of(f: Field, obj: SceneObject) -> _ListEditing | None:
    match f.about.kind:
        case "path":
            return _ListEditing("corner", _point_rows, _with_corner_on_arc, _without, 3)
        case "points":
            return _ListEditing("point", _point_rows, _with_corner, _without, 0)
        case "curve":
            closed = bool(getattr(obj, "is_closed", True))
            return _ListEditing(
                "node",
                _node_rows,
                partial(_with_node, closed),
                lambda nodes, i: without_node(nodes, i, closed=closed),
                2,
            )
        case "out_rays":
            return _ListEditing(
                "outgoing ray",
                _out_ray_rows,
                lambda rays: (*rays, OutRay("\\pi-\\theta_0", "0")),
                _without,
                0,
            )
        case "numbers":
            return _ListEditing(
                "order",
                _order_rows,
                lambda orders: (*orders, 0.0),
                _without,
                1,
                _order,
                only_last=True,
            )
        case "data" if f.name == "pieces":
            return _ListEditing(
                "piece", _piece_rows, lambda pieces: (*pieces, dict(NEW_PIECE)), _without, 1
            )
    return None


def _remove(form: Form, f: Field, editing: _ListEditing, i: int) -> QPushButton:
    def without(o: SceneObject) -> dict[str, Any]:
        return {f.json_name: field_to_json(f, editing.removed(tuple(getattr(o, f.name)), i))}

    button = form.button("×", f"Remove {editing.item} {editing.number(i)}", without)
    button.setToolTip(f"Remove this {editing.item}")
    button.setFixedWidth(2 * theme.GRID)
    return button


def _without(items: Items, i: int) -> Items:
    return items[:i] + items[i + 1 :]


def _with_node(closed: bool, nodes: tuple[CurveNode, ...]) -> tuple[CurveNode, ...]:
    """A curve with one more node, halfway along its last piece; one of too few nodes, as a file may
    hold, gets two in one place.
    """
    if len(nodes) >= 2:
        return with_node_after(nodes, len(nodes) - 1 if closed else len(nodes) - 2)
    at = nodes[0].a1 if nodes else Point(0.0, 0.0)
    return CurveNode(at, at, at), CurveNode(at, at, at) if closed else CurveNode(at)


def _with_corner(items: Items) -> Items:
    """The points with one more, halfway between the last and the first."""
    last, first = items[-1], items[0]
    return (*items, type(last)((last.x + first.x) / 2, (last.y + first.y) / 2))


def _with_corner_on_arc(path: tuple[Vertex, ...]) -> tuple[Vertex, ...]:
    """An outline with one more corner, halfway from the last to the first; where an arc joins
    these, it lies on the arc.
    """
    if not (path[-1].arc or path[0].arc):
        return _with_corner(path)
    path = path if path[-1].arc else (*path[1:], path[0])
    before, bend, behind = path[-2], path[-1], path[0]
    arc = arc_through(before.point, bend.point, behind.point)
    if not isinstance(arc, Arc):
        return _with_corner(path)
    first, middle, last = (arc.at(u) for u in (0.25, 0.5, 0.75))
    return (*path[:-1], Vertex(*first, True), Vertex(*middle), Vertex(*last, True))


# --- rows of one item


def _point_rows(form: Form, part: Part, i: int, remove: QPushButton | None) -> None:
    form.add_wide(form.point(part, str(i), remove))


def _module_point(form: Form, part: Part, number: int) -> None:
    """The coordinates of a point of an instance, named as in the formulas of its module."""
    line = QHBoxLayout()
    line.setSpacing(theme.HALF)
    for axis in "xy":
        name = f"{axis}_{number}"
        line.addWidget(_mark(name))
        line.addWidget(
            form.number(
                part.inner(name, f".{axis}", attrgetter(axis), LENGTH), unit_shown=axis == "y"
            ),
            1,
        )
    form.add_wide(line)


def _node_rows(form: Form, part: Part, i: int, remove: QPushButton | None) -> None:
    node: CurveNode = part.get(form.values[0])
    for name, words, mark in (
        ("a1", "", str(i)),
        ("c1", " first control point", "↦"),
        ("c2", " second control point", "⇥"),
    ):
        if getattr(node, name) is not None:
            inner = part.inner(f"{part.label}{words}", f".{name}", attrgetter(name))
            form.add_wide(form.point(inner, mark, remove if name == "a1" else None))


def _out_ray_rows(form: Form, part: Part, i: int, remove: QPushButton | None) -> None:
    for k, (name, mark) in enumerate((("eqn_theta", f"θ{i + 1}"), ("eqn_p", f"P{i + 1}"))):
        inner = part.inner(f"{part.label} {mark}", f".{camel_case(name)}", attrgetter(name))
        _formula_row(form, inner, mark, formula_variables(2 * i + k), remove if k == 0 else None)


def _order(i: int) -> str:
    """The diffraction order of an index: 0, +1, -1, +2, -2 and so on."""
    return f"{(i + 1) // 2 * (1 if i % 2 else -1):+d}" if i else "0"


def _order_rows(form: Form, part: Part, i: int, remove: QPushButton | None) -> None:
    line = QHBoxLayout()
    line.setSpacing(theme.HALF)
    line.addWidget(_mark(_order(i)))
    line.addWidget(form.number(part), 1)
    if remove is not None:
        line.addWidget(remove)
    form.add_wide(line)


def _piece_rows(form: Form, part: Part, i: int, remove: QPushButton | None) -> None:
    for key, mark in (("eqnX", "x(t)"), ("eqnY", "y(t)")):
        _formula_row(form, _entry(part, key, ""), mark, ("t",), remove if key == "eqnX" else None)
    line = QHBoxLayout()
    line.setSpacing(theme.HALF)
    line.addWidget(_mark("t"))
    line.addWidget(form.number(_entry(part, "tMin", 0.0)))
    to = QLabel("to")
    theme.set_role(to, "label")
    line.addWidget(to)
    line.addWidget(form.number(_entry(part, "tMax", 1.0)))
    form.add_wide(line)


def _entry(part: Part, key: str, default: object) -> Part:
    return part.inner(f"{part.label} {key}", f".{key}", lambda d: d.get(key, default), "")


def _formula_row(
    form: Form, part: Part, mark: str, variables: tuple[str, ...], remove: QPushButton | None
) -> None:
    line = QHBoxLayout()
    line.setSpacing(theme.HALF)
    line.addWidget(_mark(mark))
    edit: QLineEdit = form.formula(part, variables)
    line.addWidget(edit)
    if remove is not None:
        line.addWidget(remove)
    form.add_wide(line)
    form.add_error_line(edit)  # type: ignore[arg-type]


def _mark(text: str) -> QLabel:
    label = QLabel(text)
    label.setFixedWidth(theme.width_of("y(t)"))
    theme.set_role(label, "label")
    return label
