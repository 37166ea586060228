"""Form rows for the fields of objects: for each kind of field, for named parameters, styles and
lists. Each item of a list has rows and a button that removes it; a button below the list adds an
item.
"""

import dataclasses
import math
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from PySide6.QtCore import QPointF, QRectF, QSignalBlocker, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPixmap
from PySide6.QtWidgets import QColorDialog, QLabel, QPushButton, QSizePolicy, QSlider

from raybench.errors import RaybenchError
from raybench.formula import evaluate_formula
from raybench.kinds.aspects.equations import T_STEP
from raybench.kinds.aspects.own_style import WIDEST_LINE, OwnStyle
from raybench.kinds.custom_surfaces import OutRayFormulas, formula_variables
from raybench.kinds.fields import LENGTH, Field, as_number, camel_case, label_in_sentence
from raybench.kinds.kinds import kind_row_of
from raybench.kinds.module_instance import ModuleObj
from raybench.kinds.object import SceneObject
from raybench.materials.catalogue import shipped_materials
from raybench.scene.codec import field_to_json
from raybench.scene.modules.module import ModuleParameter
from raybench.shapes.bezier import CurveNode, insert_node_after, remove_node
from raybench.shapes.point import Point, Vertex
from raybench.shapes.shape import Arc, arc_through
from raybench_workbench import theme
from raybench_workbench.document import WorkDocument
from raybench_workbench.formula_preview import FormulaPreview
from raybench_workbench.panels.form import SEVERAL_VALUES, Form, ValuePart
from raybench_workbench.panels.modules import PartsView
from raybench_workbench.panels.number_edit import format_number
from raybench_workbench.texts import literal_tool_tip
from raybench_workbench.translation import tr
from raybench_workbench.widgets import describe_widget, offer_name_completion, row_layout
from raybench_workbench.window.keyboard import leave_wheel_to_form

MAX_STEPS = 10_000
"""Largest number of steps of a slider; in a longer range each step is several of the parameter's.
"""


def add_module_rows(form: Form, instance: ModuleObj, document: WorkDocument) -> None:
    """Add rows for the parameters of a module instance, with the names and ranges that the module
    defines, and a view of its parts.
    """
    scene = document.scene
    module = scene.modules.get(instance.module)
    if module is None or module.trouble:
        return  # the messages above the canvas report the problem
    for parameter in module.parameters:
        _add_module_parameter(form, parameter)
    parts = scene.parts_of(instance)
    if not parts:  # the messages above the canvas report why
        form.add_note(tr("It has no parts with these values."))
        return
    kinds = Counter(label_in_sentence(p.label) for p in parts)
    listed = ", ".join(f"{n} × {kind}" if n > 1 else kind for kind, n in kinds.most_common())
    counted = tr("1 object") if len(parts) == 1 else tr("{count} objects", count=len(parts))
    form.add_note(
        tr(
            "Contains {counted}: {listed}. They are read only: change the points, the"
            " parameters, or the definition of the module.",
            counted=counted,
            listed=listed,
        )
    )
    view = PartsView()
    form.add_full_width(view)

    def update() -> None:
        (shown,) = form.values
        view.show_parts(document.scene.parts_of(shown), shown.title, form.unit)

    form.call_on_update(update)


def _add_module_parameter(form: Form, parameter: ModuleParameter) -> None:
    def instance_parameter_value(o: ModuleObj) -> float | None:
        if not isinstance(o.params, Mapping):
            return _constant_value(parameter.default) if o.params is None else None
        return as_number(o.params.get(parameter.name))

    tip = tr(
        "{name}: usually from {start} to {end} in steps of {step}; any number is taken.",
        name=parameter.name,
        start=parameter.start,
        end=parameter.end,
        step=parameter.step,
    )
    part = ValuePart(
        parameter.name,
        instance_parameter_value,
        f"params.{parameter.name}",
        tip=literal_tool_tip(tip),
    )
    start, step, end = (
        _constant_value(text) for text in (parameter.start, parameter.step, parameter.end)
    )
    if start is None or end is None or not step or (end - start) / step <= 0:
        form.add_row(part, form.make_number_edit(part))
        return
    form.add_row(part, form.make_number_edit(part, step))
    count = max(1, math.floor((end - start) / step + 1e-9))  # a step may be longer than the range
    coarse = math.ceil(count / MAX_STEPS)
    _add_slider_row(form, part, start, step * coarse, count // coarse)


def _constant_value(formula: str) -> float | None:
    try:
        return as_number(evaluate_formula(formula))
    except RaybenchError:
        return None


def add_parameter_rows(form: Form, obj: SceneObject) -> None:
    """Add rows for the named parameters of an object."""

    def parameter_getter(name: str) -> Callable[[Any], float | None]:
        return lambda o: as_number((o.params or {}).get(name))

    for name, about in kind_row_of(obj).parameters(obj).items():
        part = ValuePart(
            tr(about.label), parameter_getter(name), f"params.{name}", about.unit, tr(about.help)
        )
        form.add_row(part, form.make_number_edit(part))


USUAL_WIDTH = 1.25
"""Pixels of a line that asks for no width."""
DASH_PATTERNS = {
    "Solid": (),
    "Dashed": (6.0, 4.0),
    "Dotted": (1.5, 3.0),
    "Dash-dotted": (8.0, 3.0, 1.5, 3.0),
}
NAMES_OF_DASHES = {dash: name for name, dash in DASH_PATTERNS.items()}


def add_style_rows(form: Form, part: ValuePart, *, lines: bool) -> None:
    """Add rows for the colour and, with ``lines``, for the width and dashes of lines. ``part`` is
    the JSON of an `OwnStyle`.
    """

    def style_part(label: str, key: str, get: Callable[[OwnStyle], Any], **about: Any) -> ValuePart:
        encode = about.pop("encode", lambda value: value)
        return dataclasses.replace(
            part,
            label=label,
            get=lambda o: get(OwnStyle.from_json(part.get(o))),
            encode=lambda value: {key: encode(value) or None},  # other entries are kept
            **about,
        )

    tip = tr("Its own colour; as the theme says where it would hardly be seen.")
    _add_color_row(form, style_part(tr("Colour"), "color", attrgetter("color"), tip=tip))
    if lines:
        width = style_part(
            tr("Line width"),
            "width",
            lambda own: own.width or USUAL_WIDTH,
            unit="px",
            tip="",
            low=0.1,
            high=WIDEST_LINE,
        )
        form.add_row(width, form.make_number_edit(width))
        dashes = style_part(
            tr("Dashes"),
            "dash",
            lambda own: NAMES_OF_DASHES.get(own.dash),
            tip="",
            encode=lambda name: list(DASH_PATTERNS[name]),
        )
        combo = form.make_choice_box(dashes, list(DASH_PATTERNS))
        combo.setPlaceholderText(tr("other"))
        form.add_row(dashes, combo)


def _add_color_row(form: Form, part: ValuePart) -> None:
    button = describe_widget(QPushButton(), name=part.label, tip=part.tip)
    button.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
    button.setIconSize(QSize(theme.SMALL_SIZE, theme.SMALL_SIZE))
    reset = form.make_button(
        "×",
        tr("Remove the colour"),
        lambda o: part.values(None),
        tr("Remove the colour: as the theme"),
    )
    reset.setFixedWidth(2 * theme.GRID)

    def current_color() -> QColor | None:
        now = part.value_to_show(form.values)
        return QColor.fromRgbF(*now) if now and now is not SEVERAL_VALUES else None

    def set_color(color: QColor) -> None:
        values = zip("rgba", color.getRgbF(), strict=True)  # type: ignore[call-overload]
        form.change(part.values({name: round(value, 4) for name, value in values}))

    def pick_color() -> None:
        dialog = QColorDialog(current_color() or QColor(Qt.GlobalColor.white), form)
        dialog.setWindowTitle(tr("Colour"))
        dialog.setOption(QColorDialog.ColorDialogOption.ShowAlphaChannel)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.colorSelected.connect(set_color)
        dialog.open()

    def show_color() -> None:
        color, several = current_color(), part.value_to_show(form.values) is SEVERAL_VALUES
        button.setText(f" {color.name().upper()}" if color else tr("as the theme"))
        button.setIcon(_color_swatch(color) if color else QIcon())
        if several:
            button.setText(tr("several…"))
        reset.setVisible(several or color is not None)

    button.clicked.connect(pick_color)
    form.add_row(part, row_layout((button, 1), reset, spacing=theme.HALF))
    form.call_on_update(show_color)


def _color_swatch(color: QColor) -> QIcon:
    """An icon with a disc of a colour, twice as large as displayed, for screens with a high
    resolution.
    """
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


def _remove_item(obj: SceneObject, items: Items, index: int) -> Items:
    return items[:index] + items[index + 1 :]


@dataclass(frozen=True)
class _ListEditing:
    """How a kind of list is edited: the name of an item, the function that adds the rows of an
    item, and the functions that add and remove an item. ``min_items`` is the smallest length,
    ``number`` names the item with an index, and with ``only_last`` only the last item can be
    removed.
    """

    item: str
    add_rows: Callable[[Form, ValuePart, int, QPushButton | None], object]
    added: Callable[[SceneObject, Items], Items]
    min_items: int = 0
    removed: Callable[[SceneObject, Items, int], Items] = _remove_item
    number: Callable[[int], str] = str
    only_last: bool = False


def add_list_rows(form: Form, field: Field, obj: SceneObject) -> None:
    """Add the rows of a list field; nothing if this kind of list cannot be edited."""
    part, items = ValuePart.of_field(field), getattr(obj, field.name)
    editing = EDITED_LISTS.get(field.name if field.about.kind == "data" else field.about.kind)
    if editing is None or items is None:
        return
    if field.about.kind == "data" and not (
        isinstance(items, list | tuple) and all(isinstance(i, Mapping) for i in items)
    ):
        form.add_note(
            tr(
                "{label} cannot be read as a list and are kept unchanged in the file.",
                label=part.label,
            ),
            "warning",
        )
        return
    form.add_heading(part.label, part.tip)
    if len(items) > MAX_ITEMS:
        where = (
            tr("drag them on the canvas") if field.about.unit == LENGTH else tr("edit them as JSON")
        )
        form.add_note(tr("{count} items: {where}.", count=len(items), where=where))
        return
    if isinstance(obj, ModuleObj):  # the module defines the number of its points
        for i in range(len(items)):
            _add_module_point_row(form, part.item(i, ""), i + 1)
        return

    def with_item_added(o: SceneObject) -> dict[str, Any]:
        return {part.path: field_to_json(field, editing.added(o, tuple(part.get(o))))}

    def make_remove_button(index: int) -> QPushButton:
        def with_item_removed(o: SceneObject) -> dict[str, Any]:
            return {part.path: field_to_json(field, editing.removed(o, tuple(part.get(o)), index))}

        label = tr("Remove {item} {number}", item=editing.item, number=editing.number(index))
        button = form.make_button(
            "×", label, with_item_removed, tr("Remove this {item}", item=editing.item)
        )
        button.setFixedWidth(2 * theme.GRID)
        return button

    for i in range(len(items)):
        kept = len(items) <= editing.min_items or (editing.only_last and i < len(items) - 1)
        one = part.item(i, f"{part.label} {editing.number(i)}")
        editing.add_rows(form, one, i, None if kept else make_remove_button(i))
    add = tr("Add {item}", item=editing.item)
    form.add_widget_line(form.make_button(add, add, with_item_added), 1)


def list_item_count(field: Field, obj: SceneObject) -> int:
    """The number of items of a list field; 0 if the field is no list."""
    value = getattr(obj, field.name)
    return len(value) if isinstance(value, list | tuple) else 0


def _is_closed(obj: SceneObject) -> bool:
    return bool(getattr(obj, "is_closed", True))


def _append_node(obj: SceneObject, nodes: tuple[CurveNode, ...]) -> tuple[CurveNode, ...]:
    """The nodes of a curve with one more node, halfway along the last piece. A curve with too few
    nodes gets two nodes at one point.
    """
    closed = _is_closed(obj)
    if len(nodes) >= 2:
        return insert_node_after(nodes, len(nodes) - 1 if closed else len(nodes) - 2)
    at = nodes[0].a1 if nodes else Point(0.0, 0.0)
    return CurveNode(at, at, at), CurveNode(at, at, at) if closed else CurveNode(at)


def _append_corner(obj: SceneObject, items: Items) -> Items:
    """The points of an outline with one more point, halfway between the last and the first."""
    last, first = items[-1], items[0]
    return (*items, type(last)((last.x + first.x) / 2, (last.y + first.y) / 2))


def _append_corner_on_arc(obj: SceneObject, path: tuple[Vertex, ...]) -> tuple[Vertex, ...]:
    """The outline with one more corner, halfway between the last and the first, or halfway along
    the arc between these two.
    """
    if not (path[-1].arc or path[0].arc):
        return _append_corner(obj, path)
    path = path if path[-1].arc else (*path[1:], path[0])
    before, bend, behind = path[-2], path[-1], path[0]
    arc = arc_through(before.point, bend.point, behind.point)
    if not isinstance(arc, Arc):
        return _append_corner(obj, path)
    first, middle, last = (arc.at(u) for u in (0.25, 0.5, 0.75))
    return (*path[:-1], Vertex(*first, True), Vertex(*middle), Vertex(*last, True))


# --- rows of one item


def _add_point_row(
    form: Form, part: ValuePart, index: int, remove_button: QPushButton | None
) -> None:
    form.add_point_fields(part, str(index), remove_button)


def _add_module_point_row(form: Form, part: ValuePart, number: int) -> None:
    """Add the coordinates of a point of a module instance, named as in the formulas of its module."""
    x, y = (
        part.inner_part(f"{axis}_{number}", f".{axis}", attrgetter(axis), LENGTH) for axis in "xy"
    )
    form.add_widget_line(
        _item_label(x.label),
        (form.make_number_edit(x, unit_shown=False), 1),
        _item_label(y.label),
        (form.make_number_edit(y), 1),
    )


def _add_node_rows(
    form: Form, part: ValuePart, index: int, remove_button: QPushButton | None
) -> None:
    node: CurveNode = part.get(form.values[0])
    for name, words, mark in (
        ("a1", "", str(index)),
        ("c1", tr(" first control point"), "↦"),
        ("c2", tr(" second control point"), "⇥"),
    ):
        if getattr(node, name) is not None:
            inner = part.inner_part(f"{part.label}{words}", f".{name}", attrgetter(name))
            form.add_point_fields(inner, mark, remove_button if name == "a1" else None)


def _add_out_ray_rows(
    form: Form, part: ValuePart, index: int, remove_button: QPushButton | None
) -> None:
    for k, (name, mark) in enumerate((("eqn_theta", f"θ{index + 1}"), ("eqn_p", f"P{index + 1}"))):
        inner = part.inner_part(f"{part.label} {mark}", f".{camel_case(name)}", attrgetter(name))
        _add_formula_item(form, inner, mark, formula_variables(2 * index + k), remove_button)
        remove_button = None


def _diffraction_order_label(index: int) -> str:
    """The label of the diffraction order at an index: 0, +1, -1, +2, -2 and so on."""
    return f"{(index + 1) // 2 * (1 if index % 2 else -1):+d}" if index else "0"


def _add_diffraction_order_row(
    form: Form, part: ValuePart, index: int, remove_button: QPushButton | None
) -> None:
    form.add_widget_line(
        _item_label(_diffraction_order_label(index)),
        (form.make_number_edit(part), 1),
        remove_button,
    )


def _add_curve_piece_rows(
    form: Form, part: ValuePart, index: int, remove_button: QPushButton | None
) -> None:
    def piece_part(key: str, default: object = "") -> ValuePart:
        return part.inner_part(f"{part.label} {key}", f".{key}", lambda d: d.get(key, default), "")

    _add_formula_item(form, piece_part("eqnX"), "x(t)", ("t",), remove_button)
    _add_formula_item(form, piece_part("eqnY"), "y(t)", ("t",), None)
    to = describe_widget(QLabel(tr("to")), role="label")
    first, last = (
        form.make_number_edit(piece_part("tMin", 0.0)),
        form.make_number_edit(piece_part("tMax", 1.0)),
    )
    form.add_widget_line(_item_label("t"), first, to, last)
    if any(obj.curve_type == "polygonal" for obj in form.values):
        form.add_widget_line(
            _item_label("Δt"), (form.make_number_edit(piece_part("tStep", T_STEP)), 1)
        )


def _add_formula_item(
    form: Form,
    part: ValuePart,
    label: str,
    variables: tuple[str, ...],
    remove_button: QPushButton | None,
) -> None:
    form.add_widget_line(_item_label(label), form.make_formula_edit(part, variables), remove_button)


def _item_label(text: str) -> QLabel:
    label = describe_widget(QLabel(text), role="label")
    label.setFixedWidth(theme.text_pixel_width("y(t)"))
    return label


EDITED_LISTS = {
    "path": _ListEditing(tr("corner"), _add_point_row, _append_corner_on_arc, 3),
    "points": _ListEditing(tr("point"), _add_point_row, _append_corner),
    "curve": _ListEditing(
        tr("node"),
        _add_node_rows,
        _append_node,
        2,
        lambda obj, nodes, i: remove_node(nodes, i, closed=_is_closed(obj)),
    ),
    "out_rays": _ListEditing(
        tr("outgoing ray"),
        _add_out_ray_rows,
        lambda _, rays: (*rays, OutRayFormulas("\\pi-\\theta_0", "0")),
    ),
    "numbers": _ListEditing(
        tr("order"),
        _add_diffraction_order_row,
        lambda _, orders: (*orders, 0.0),
        1,
        number=_diffraction_order_label,
        only_last=True,
    ),
    "pieces": _ListEditing(
        tr("piece"), _add_curve_piece_rows, lambda _, pieces: (*pieces, dict(NEW_PIECE)), 1
    ),
}
"""The lists that are edited in forms, by kind of field, or by name where a field is JSON."""
MAX_SLIDER_RANGE = 1000
"""Width of a range up to which a number has a slider."""
SLIDER_STEPS = 180
"""Steps of such a slider: whole degrees of half a turn."""


def add_field_rows(form: Form, field: Field, part: ValuePart | None = None) -> None:
    """Add the rows of a number, limit, point, text, formula, style, flag or choice field; nothing
    for other kinds of fields.

    ``part`` says how the field is read and written if the form's values are not the objects that
    have the field.
    """
    part, about = part or ValuePart.of_field(field), field.about
    match about.kind:
        case "number" | "coordinate":
            form.add_row(part, form.make_number_edit(part))
            low, high = about.low, about.high
            if low is not None and high is not None and high - low <= MAX_SLIDER_RANGE:
                _add_slider_row(form, part, low, (high - low) / SLIDER_STEPS, SLIDER_STEPS)
        case "point":
            form.add_heading(part.label, part.tip)
            form.add_point_fields(part)
        case "limit":
            limit = _part_as_limit_text(part)
            form.add_row(limit, form.make_line_edit(limit, lambda o: tr("no limit")))
        case "color" | "line_style":
            add_style_rows(form, part, lines=about.kind == "line_style")
        case "flag":
            form.add_full_width(form.make_check_box(part))
        case _ if about.choices:
            form.add_row(part, form.make_choice_box(part, about.choices, about.titles))
        case "material":
            text = form.make_line_edit(part)
            offer_name_completion(text, lambda: list(shipped_materials()))
            form.add_row(part, text)
        case "text" if about.variables:
            form.add_heading(part.label, part.tip)
            edit = form.make_formula_edit(part, about.variables)
            form.add_full_width(edit)
            preview = FormulaPreview(about.variables)
            form.add_full_width(preview)
            edit.checked.connect(lambda error: preview.show_formula("" if error else edit.text()))
        case "text":
            form.add_heading(part.label, part.tip)
            form.add_full_width(form.make_line_edit(part))


def _part_as_limit_text(part: ValuePart) -> ValuePart:
    """The part as text, which is empty if there is no limit."""

    def limit_text(o: Any) -> str:
        value = part.get(o)
        return format_number(value) if math.isfinite(value) else ""

    return dataclasses.replace(part, get=limit_text, encode=lambda text: text.strip() or None)


def _add_slider_row(form: Form, part: ValuePart, start: float, step: float, count: int) -> None:
    """Add a slider for the values of a range. A drag of the slider is one undo step, and so are the
    key presses between two drags.
    """
    slider = describe_widget(
        QSlider(Qt.Orientation.Horizontal),
        name=tr("{label}, slider", label=part.label),
        tip=part.tip,
    )
    slider.setRange(0, count)
    slider.setPageStep(max(1, count // 10))
    leave_wheel_to_form(slider)
    drag = 0

    def begin_slider_gesture() -> None:
        nonlocal drag
        drag += 1

    def set_slider_value(position: int) -> None:
        value = float(format_number(start + position * step, 12))
        form.change(part.values(value), f"slide {id(slider)} {drag}")

    def show_slider_value() -> None:
        value = part.get(form.values[0])
        place = (value - start) / step if value is not None else 0.0
        with QSignalBlocker(slider):  # a file may hold any number, also one that no slider can
            slider.setValue(round(min(max(place, 0.0), count)))

    slider.sliderPressed.connect(begin_slider_gesture)
    slider.sliderReleased.connect(begin_slider_gesture)
    slider.valueChanged.connect(set_slider_value)
    form.call_on_update(show_slider_value)
    form.add_full_width(slider)
