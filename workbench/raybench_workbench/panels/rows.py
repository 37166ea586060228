"""Form rows of the fields of objects: of each kind of field, of named parameters, of styles, and of
lists, where each item has its own rows and a button that removes it, and a button below the last
adds an item.
"""

import dataclasses
import math
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from operator import attrgetter
from typing import Any

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPixmap
from PySide6.QtWidgets import (
    QColorDialog,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QSlider,
)

from raybench.errors import RaybenchError
from raybench.formula import Scope, evaluate
from raybench.kinds.aspects.own_style import WIDEST_LINE, OwnStyle
from raybench.kinds.custom_surfaces import OutRay, formula_variables
from raybench.kinds.fields import LENGTH, Description, Field, as_number, camel_case, in_sentence
from raybench.kinds.kinds import row_of
from raybench.kinds.module_instance import ModuleObj
from raybench.kinds.object import SceneObject
from raybench.scene.codec import field_to_json
from raybench.scene.modules.module import Parameter
from raybench.scene.scene import Scene
from raybench.shapes.bezier import CurveNode, with_node_after, without_node
from raybench.shapes.point import Point, Vertex
from raybench.shapes.shape import Arc, arc_through
from raybench_workbench import theme
from raybench_workbench.formula_preview import FormulaPreview
from raybench_workbench.panels.form import SEVERAL, Form, Part
from raybench_workbench.panels.modules import PartsView
from raybench_workbench.panels.number_edit import format_number
from raybench_workbench.texts import tool_tip
from raybench_workbench.widgets import describe_widget, in_a_row
from raybench_workbench.window.keyboard import scrolls_form

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
        _add_module_parameter(form, parameter)
    parts = scene.parts_of(instance)
    if not parts:
        form.add_note(
            "It has no parts with these values."
        )  # the messages above the canvas report why
        return
    kinds = Counter(in_sentence(p.label) for p in parts)
    listed = ", ".join(f"{n} × {kind}" if n > 1 else kind for kind, n in kinds.most_common())
    form.add_note(
        f"Contains {len(parts)} object{'s' if len(parts) != 1 else ''}: {listed}. "
        "They are read only: change the points, the parameters, or the definition of the module."
    )
    view = PartsView()
    form.add_wide(view)
    form.on_update(
        lambda: view.show_parts(parts_of(form.values[0]), form.values[0].title, form.unit)
    )


def _add_module_parameter(form: Form, parameter: Parameter) -> None:
    start, step, end = (
        _constant_value(text) for text in (parameter.start, parameter.step, parameter.end)
    )
    known = (
        start is not None
        and step is not None
        and end is not None
        and step != 0
        and (end - start) / step > 0
    )

    def get(o: ModuleObj) -> float | None:
        if not isinstance(o.params, Mapping):
            return _constant_value(parameter.default) if o.params is None else None
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
        form.add_wide(add_slider(form, part, start, step * coarse, count // coarse))


def _constant_value(formula: str) -> float | None:
    try:
        value = evaluate(formula, Scope())
    except RaybenchError:
        return None
    return value if math.isfinite(value) else None


def add_parameters(form: Form, obj: SceneObject) -> None:
    """Add the parameters that the row of an object's kind describes."""
    for name, about in row_of(obj).parameters(obj).items():
        form.add_row(part := _parameter_part(name, about), form.number(part))


def _parameter_part(name: str, about: Description) -> Part:
    return Part(
        about.label,
        lambda o: as_number((o.params or {}).get(name)),
        f"params.{name}",
        about.unit,
        about.help,
    )


AS_THEME, SEVERAL_TEXT = "as the theme", "several…"
USUAL_WIDTH = 1.25
"""Pixels of a line that asks for no width."""
DASHES = {
    "Solid": (),
    "Dashed": (6.0, 4.0),
    "Dotted": (1.5, 3.0),
    "Dash-dotted": (8.0, 3.0, 1.5, 3.0),
}


def add_style(form: Form, part: Part, *, lines: bool) -> None:
    """Add the row of a colour and, for lines, those of width and dashes. ``part`` is the JSON of an
    `OwnStyle`.
    """
    _add_color(
        form,
        dataclasses.replace(
            part,
            label="Colour",
            tip="Its own colour; as the theme says where it would hardly be seen.",
        ),
    )
    if lines:
        width = _style_entry(
            part, "Line width", "width", lambda own: own.width or USUAL_WIDTH, "px"
        )
        form.add_row(width, form.number(dataclasses.replace(width, low=0.1, high=WIDEST_LINE)))
        dashes = _style_entry(
            part,
            "Dashes",
            "dash",
            lambda own: _dash_name(own.dash),
            encode=lambda name: list(DASHES[name]),
        )
        combo = form.choice(dashes, list(DASHES))
        combo.setPlaceholderText("other")
        form.add_row(dashes, combo)


def _style_entry(
    part: Part,
    label: str,
    key: str,
    get: Callable[[OwnStyle], Any],
    unit: str = "",
    encode: Callable[[Any], Any] = lambda value: value,
) -> Part:
    """An entry of a style, which is written with the others kept; empty ones are left out."""
    return Part(
        label,
        lambda o: get(OwnStyle.from_json(part.get(o))),
        part.path,
        unit,
        encode=lambda value: {key: encode(value) or None},
    )


def _dash_name(dash: tuple[float, ...]) -> str:
    """The name of dashes; empty for others than those of the list."""
    return next((name for name, known in DASHES.items() if known == dash), "")


def _add_color(form: Form, part: Part) -> None:
    color = _style_entry(part, part.label, "color", lambda own: own.color)
    button = describe_widget(QPushButton(), name=color.label, tip=part.tip)
    button.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
    button.setIconSize(QSize(theme.SMALL_SIZE, theme.SMALL_SIZE))
    reset = form.button(
        "×", "Remove the colour", lambda o: color.values(None), "Remove the colour: as the theme"
    )
    reset.setFixedWidth(2 * theme.GRID)

    def chosen(given: QColor) -> None:
        parts = given.redF(), given.greenF(), given.blueF(), given.alphaF()
        form.change(
            color.values({name: round(part, 4) for name, part in zip("rgba", parts, strict=True)})
        )

    def pick() -> None:
        now = form.common(color)
        dialog = QColorDialog(
            _color_of(now) if now and now is not SEVERAL else QColor(Qt.GlobalColor.white), form
        )
        dialog.setWindowTitle("Colour")
        dialog.setOption(QColorDialog.ColorDialogOption.ShowAlphaChannel)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.colorSelected.connect(chosen)
        dialog.open()

    def update() -> None:
        now = form.common(color)
        own = _color_of(now) if now and now is not SEVERAL else None
        button.setText(
            SEVERAL_TEXT
            if now is SEVERAL
            else f" {own.name().upper()}"
            if own is not None
            else AS_THEME
        )
        button.setIcon(_colour_swatch(own) if own is not None else QIcon())
        reset.setVisible(bool(now))

    button.clicked.connect(pick)
    line = in_a_row((button, 1), reset, spacing=theme.HALF)
    form.add_row(color, line)
    form.on_update(update)


def _color_of(rgba: tuple[float, float, float, float]) -> QColor:
    return QColor.fromRgbF(*rgba)


def _colour_swatch(color: QColor) -> QIcon:
    """A disc of the colour, twice as large as it is shown, for screens of a high resolution."""
    size = 2 * theme.SMALL_SIZE
    pixmap = QPixmap(size, size)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color)
    painter.drawEllipse(QRectF(QPointF(1, 1), QPointF(size - 1, size - 1)))
    painter.end()
    return QIcon(pixmap)


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
        remove = None if kept else _remove_button(form, f, editing, i)
        editing.rows(form, part.item(i, f"{part.label} {editing.number(i)}"), i, remove)
    line = in_a_row(
        form.button(
            f"Add {editing.item}",
            f"Add {editing.item}",
            lambda o: {part.path: field_to_json(f, editing.added(tuple(part.get(o))))},
        ),
        1,
    )
    form.add_wide(line)


def items_of(f: Field, obj: SceneObject) -> int:
    """The number of items of a list field; 0 if it is no list."""
    value = getattr(obj, f.name)
    return len(value) if isinstance(value, list | tuple) else 0


def _editing_of(f: Field, obj: SceneObject) -> _ListEditing | None:
    match f.about.kind:
        case "path":
            return _ListEditing("corner", _point_rows, _with_corner_on_arc, _without_item, 3)
        case "points":
            return _ListEditing("point", _point_rows, _with_corner, _without_item, 0)
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
                _without_item,
                0,
            )
        case "numbers":
            return _ListEditing(
                "order",
                _order_rows,
                lambda orders: (*orders, 0.0),
                _without_item,
                1,
                _order_label,
                only_last=True,
            )
        case "data" if f.name == "pieces":
            return _ListEditing(
                "piece", _piece_rows, lambda pieces: (*pieces, dict(NEW_PIECE)), _without_item, 1
            )
    return None


def _remove_button(form: Form, f: Field, editing: _ListEditing, i: int) -> QPushButton:
    def without(o: SceneObject) -> dict[str, Any]:
        return {f.json_name: field_to_json(f, editing.removed(tuple(getattr(o, f.name)), i))}

    button = form.button("×", f"Remove {editing.item} {editing.number(i)}", without)
    button.setToolTip(f"Remove this {editing.item}")
    button.setFixedWidth(2 * theme.GRID)
    return button


def _without_item(items: Items, i: int) -> Items:
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
        line.addWidget(_mark_icon(name))
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


def _order_label(i: int) -> str:
    """The diffraction order of an index: 0, +1, -1, +2, -2 and so on."""
    return f"{(i + 1) // 2 * (1 if i % 2 else -1):+d}" if i else "0"


def _order_rows(form: Form, part: Part, i: int, remove: QPushButton | None) -> None:
    line = in_a_row(_mark_icon(_order_label(i)), (form.number(part), 1), spacing=theme.HALF)
    if remove is not None:
        line.addWidget(remove)
    form.add_wide(line)


def _piece_rows(form: Form, part: Part, i: int, remove: QPushButton | None) -> None:
    for key, mark in (("eqnX", "x(t)"), ("eqnY", "y(t)")):
        _formula_row(
            form, _piece_entry(part, key, ""), mark, ("t",), remove if key == "eqnX" else None
        )
    line = in_a_row(
        _mark_icon("t"), form.number(_piece_entry(part, "tMin", 0.0)), spacing=theme.HALF
    )
    to = QLabel("to")
    theme.set_role(to, "label")
    line.addWidget(to)
    line.addWidget(form.number(_piece_entry(part, "tMax", 1.0)))
    form.add_wide(line)


def _piece_entry(part: Part, key: str, default: object) -> Part:
    return part.inner(f"{part.label} {key}", f".{key}", lambda d: d.get(key, default), "")


def _formula_row(
    form: Form, part: Part, mark: str, variables: tuple[str, ...], remove: QPushButton | None
) -> None:
    line = in_a_row(_mark_icon(mark), spacing=theme.HALF)
    edit: QLineEdit = form.formula(part, variables)
    line.addWidget(edit)
    if remove is not None:
        line.addWidget(remove)
    form.add_wide(line)
    form.add_error_line(edit)  # type: ignore[arg-type]


def _mark_icon(text: str) -> QLabel:
    label = QLabel(text)
    label.setFixedWidth(theme.width_of("y(t)"))
    theme.set_role(label, "label")
    return label


WIDEST = 1000
"""Width of a range up to which a number has a slider."""
STEPS = 180
"""Steps of such a slider: whole degrees of half a turn."""


def add_field(form: Form, f: Field, part: Part | None = None) -> None:
    """Add the rows of a number, limit, point, text, formula, style, flag or choice field; nothing
    for other kinds.

    ``part`` says how the field is read and written if the form's values are not the objects that
    have the field.
    """
    part = part or Part.of(f)
    match f.about.kind:
        case "number" | "coordinate":
            form.add_row(part, form.number(part))
            low, high = f.about.low, f.about.high
            if low is not None and high is not None and high - low <= WIDEST:
                form.add_wide(add_slider(form, part, low, (high - low) / STEPS, STEPS))
        case "point":
            form.add_heading(part.label, part.tip)
            form.add_wide(form.point(part))
        case "limit":
            form.add_row(limit := _limit_as_text(part), form.text(limit, lambda o: "no limit"))
        case "color" | "line_style":
            add_style(form, part, lines=f.about.kind == "line_style")
        case "flag":
            form.add_wide(form.flag(part))
        case _ if f.about.choices:
            form.add_row(part, form.choice(part, f.about.choices, f.about.titles))
        case "material":
            form.add_row(part, form.material(part))
        case "text" if f.about.variables:
            add_formula(form, part, f.about.variables)
        case "text":
            form.add_heading(part.label, part.tip)
            form.add_wide(form.text(part))


def _limit_as_text(part: Part) -> Part:
    """The part as text, empty without a limit."""

    def get(o: Any) -> str:
        value = part.get(o)
        return format_number(value) if math.isfinite(value) else ""

    return dataclasses.replace(part, get=get, encode=lambda text: text.strip() or None)


def add_formula(form: Form, part: Part, variables: tuple[str, ...]) -> None:
    """Add a heading, a formula edit and the line with its error."""
    form.add_heading(part.label, part.tip)
    edit = form.formula(part, variables)
    form.add_wide(edit)
    preview = FormulaPreview(variables)
    form.add_wide(preview)
    edit.checked.connect(lambda error: preview.show_formula("" if error else edit.text()))
    form.add_error_line(edit)


def add_slider(form: Form, part: Part, start: float, step: float, count: int) -> QSlider:
    """A slider over the range; one drag of the slider is one undo step, and so are key presses
    between two drags.
    """
    made = QSlider(Qt.Orientation.Horizontal)
    made.setRange(0, count)
    made.setPageStep(max(1, count // 10))
    made.setAccessibleName(f"{part.label}, slider")
    made.setToolTip(part.tip)
    scrolls_form(made)
    drag = [0]

    def begin() -> None:
        drag[0] += 1

    def move(position: int) -> None:
        value = float(format_number(start + position * step, 12))
        form.change(part.values(value), f"slide {id(made)} {drag[0]}")

    def update() -> None:
        value = part.get(form.values[0])
        made.blockSignals(True)
        place = (value - start) / step if value is not None else 0.0
        made.setValue(
            round(min(max(place, 0.0), count))
        )  # a file may hold any number, also one that no slider can
        made.blockSignals(False)

    made.sliderPressed.connect(begin)
    made.sliderReleased.connect(begin)
    made.valueChanged.connect(move)
    form.on_update(update)
    return made
