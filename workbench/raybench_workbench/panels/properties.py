"""The properties panel, with a form built from the fields of the selected objects."""

import dataclasses
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QMenu, QPushButton, QSizePolicy, QWidget

from raybench.errors import elide_text
from raybench.kinds.decorations import TextLabel
from raybench.kinds.fields import STYLE_KINDS, Field, described_fields, settable_fields
from raybench.kinds.glasses import HomogeneousGlass
from raybench.kinds.kinds import kind_row_of
from raybench.kinds.module_instance import ModuleObj
from raybench.kinds.object import SceneObject
from raybench.kinds.unread import UnreadObject
from raybench.scene.changes import Set, SetMaterial, SetSettings
from raybench.scene.changes.change import describe_target_objects
from raybench.scene.changes.quantity import format_with_unit
from raybench.scene.changes.transaction import changes_as_tuple
from raybench.scene.free_names import free_names
from raybench.scene.materials import current_index_and_abbe
from raybench.scene.parameters.following import linked_number_error
from raybench.scene.parameters.parameter import parameter_text
from raybench.scene.parts import Part as ScenePart
from raybench.scene.place_numbers import PlacementNumber, part_placement_numbers, placement_numbers
from raybench.scene.scene import Scene
from raybench_workbench.document import Selection, WorkDocument
from raybench_workbench.panels.form import SEVERAL_VALUES, Form, FormArea, ValuePart, discard_typing
from raybench_workbench.panels.number_edit import CommittedLineEdit, NumberEdit
from raybench_workbench.panels.rows import (
    add_field_rows,
    add_list_rows,
    add_module_rows,
    add_parameter_rows,
    list_item_count,
)
from raybench_workbench.panels.treatments import add_treatment_rows, edges_with_rows
from raybench_workbench.texts import literal_label_text, literal_tool_tip
from raybench_workbench.translation import tr
from raybench_workbench.widgets import push_button

HINT = tr("Click an object to see and change its properties.")
ONLY_NAMED = tr(
    "The file contains only the name of a text in the web application's gallery,"
    " not the text itself. Type the text to show."
)
FITTED_FIELDS = ("ref_index", "cauchy_b")
"""The fields that a material of the catalogue replaces."""
COLOUR_FIELDS = ("wavelength", "cauchy_b", "filter")
"""Fields that act only where colours are simulated."""
COLOUR_HINT = tr("simulate colours")
LIST_KINDS = ("path", "points", "curve", "out_rays", "numbers", "data")
POSITION_KINDS = ("point", "coordinate", *LIST_KINDS)
"""Kinds of fields that position an object."""
PLACES_BY_LABEL = {"Centre x": "centre_x", "Centre y": "centre_y", "Angle": "orientation"}
"""The places of parameters by the labels of the numbers that position objects."""
UNCOPIED_KINDS = frozenset({"name", "point", "coordinate", "params", *LIST_KINDS}) - {"numbers"}
"""Kinds of fields that are not copied to other objects of the kind: name, position and outline."""


class _SelectionPart(ValuePart):
    """A number that describes all values together, such as their common centre. ``get`` computes it
    from the list of values.
    """

    def value_to_show(self, values: Sequence[Any]) -> Any:
        return self.get(values)


class PropertiesForm(FormArea):
    """The properties form. Each committed change is one undo step for all selected objects; invalid
    input changes nothing.
    """

    definitionRequested = Signal(str)
    """The name of the module whose definition is to be edited."""

    def __init__(
        self, document: WorkDocument, selection: Selection, parent: QWidget | None = None
    ) -> None:
        super().__init__(document, tr("Properties of the selection"), parent)
        self._selection = selection
        self._to_all: QCheckBox | None = None
        selection.changed.connect(self.update_form)
        document.changed.connect(self.update_form)
        document.opened.connect(partial(discard_typing, self))
        self.update_form()

    def _existing_objects(self, keys: Iterable[int]) -> list[SceneObject]:
        return [o for k in keys if (o := self._document.scene.get(k)) is not None]

    def shown_values(self) -> list[Any]:
        return self._existing_objects(sorted(self._selection.keys))

    def _form_objects(self) -> list[SceneObject]:
        """The current state of the objects that the form shows. Typed input applies to these, even
        while other objects are being selected.
        """
        return self._existing_objects(o.key for o in self.form.values) if self.form else []

    def _part_of_objects(self, objects: Sequence[SceneObject]) -> ScenePart | None:
        """The part that all of the objects belong to."""
        parts = {id(p): p for o in objects for p in [self._document.document.part_of_object(o.key)]}
        return parts.popitem()[1] if len(parts) == 1 else None

    def form_key(self) -> tuple[object, ...]:
        objects, document = self.shown_values(), self._document.document
        part = self._part_of_objects(objects)
        return (
            part and (type(part.preset), type(part.preset.data), document.part_name(part)),
            tuple(_form_rows_key(o, document.scene) for o in objects),
            document.unit,
            document.source_unit,
            document.scene.settings.simulate_colors,
            self._same_kind_count(objects),
            document.name_of_group(o.key for o in objects),
            [e.title for o in objects if len(objects) == 1 for e in edges_with_rows(document, o)],
        )

    def commit_typing(self) -> None:
        """Commit the typed input, and report it if it is refused."""
        super().commit_typing()
        if self._form_objects():
            for edit in self.findChildren(CommittedLineEdit):
                if edit.refusal:
                    text = tr(
                        "“{name}” was not taken over. {refusal}",
                        name=elide_text(edit.text(), 60),
                        refusal=edit.refusal,
                    )
                    self._document.failed.emit(text)

    def make_form(self) -> Form:
        objects = self.shown_values()
        form = Form(objects, self._change_objects, self._document.document.unit)
        self.offer_links(form)
        self._to_all = None
        self._add_description(form, objects)
        places = self._placement_numbers(objects)
        centre = {kind_row_of(o).centre for o in objects} if places else set()
        for f in _common_fields(objects, self._document.document.source_unit):
            if places and (f.about.kind in POSITION_KINDS or f.name == "locked"):
                self._add_placement_rows(form, places)
                places = ()
            if {f.name} != centre:  # the rows of the place move the whole
                self._add_field_rows(form, f, objects)
            if f.name == "name":
                self._add_part_rows(form, objects)
        if len(objects) == 1:
            add_treatment_rows(form, self._document, objects[0])
        if (count := self._same_kind_count(objects)) > 1:
            self._to_all = QCheckBox(tr("Apply to all {count} of this kind", count=count))
            self._to_all.setToolTip(
                tr(
                    "What is changed here is given to all objects of this kind, except names and"
                    " places."
                )
            )
            form.add_full_width(self._to_all)
        if len(objects) == 1 or self._part_of_objects(objects):
            form.extend_menu = lambda part, menu: self._add_study_actions(part.path, menu)
        return form

    def _add_description(self, form: Form, objects: list[SceneObject]) -> None:
        """Add a line that says what the form describes, unless it describes one readable object."""
        if not objects:
            form.add_note(HINT)
        elif len(objects) > 1:
            group = self._document.document.name_of_group(o.key for o in objects)
            title = f"{elide_text(group, 60)}: " if group else ""
            form.add_note(
                tr(
                    "{title}{count} objects: a change applies to all of them.",
                    title=title,
                    count=len(objects),
                )
            )
        elif isinstance(objects[0], UnreadObject):
            form.add_note(
                tr(
                    "{kind}: {reason} It is kept unchanged in the file.",
                    kind=objects[0].type,
                    reason=objects[0].reason,
                )
            )

    def _add_part_rows(self, form: Form, objects: Sequence[SceneObject]) -> None:
        """Add the data from which the objects were made, as long as these data apply."""
        part = self._part_of_objects(objects)
        if part is None:
            return
        name = self._document.document.part_name(part)
        form.add_heading(
            tr(part.preset.label)
            if len(part.present_objects) == 1
            else f"{elide_text(name, 40)}: {tr(part.preset.label)}",
            tr("The data that it is made from. An edit of its shape by hand ends them."),
        )

        def value_of_field(f: Field, obj: SceneObject) -> Any:
            now = self._document.document.part_of_object(obj.key)
            return None if now is None else getattr(now.preset.data, f.name, None)

        for f in part.preset.form_fields:
            add_field_rows(form, f, ValuePart.of_field(f, partial(value_of_field, f)))

    def _add_study_actions(self, path: str, menu: QMenu) -> None:
        """Add the actions that start a study of a number, if only one object or part is selected."""
        if name := self.parameter_name(path):
            self.add_study_actions(menu, name)

    def parameter_name(self, path: str) -> str:
        objects, path = self._form_objects(), PLACES_BY_LABEL.get(path, path)
        part = self._part_of_objects(objects)
        if part is not None and path in {f.json_name for f in part.preset.form_fields}:
            return parameter_text(self._document.document.part_name(part), path)
        return parameter_text(objects[0].title, path) if path and len(objects) == 1 else ""

    def _add_placement_rows(self, form: Form, numbers: Sequence[PlacementNumber]) -> None:
        """Add rows for the numbers that position the selection as a whole: the centre in one line,
        then the other numbers.
        """
        centre: list[NumberEdit] = []
        for number in numbers:
            part = _SelectionPart(
                tr(number.label),
                number.get,
                number.label,
                number.unit,
                tr(number.about),
                number.low,
            )
            edit = form.make_number_edit(part, unit_shown=number.motion != "x")
            if number.low is not None:
                form.call_on_update(partial(self._update_lower_limit, form, number.label, edit))
            edit.extend_menu = partial(self._add_study_actions, number.motion)
            if number.motion not in ("x", "y"):
                form.add_row(part, edit)
                continue
            centre.append(edit)
            if number.motion == "y":
                form.add_heading(
                    tr("Centre of the whole"), tr("Another value moves the selection as a whole.")
                )
                form.add_widget_line(*centre)

    def _add_field_rows(self, form: Form, field: Field, objects: list[SceneObject]) -> None:
        one, alone = objects[0], len(objects) == 1
        if field.name == "name":
            part = dataclasses.replace(ValuePart.of_field(field), encode=str.strip)
            form.add_heading(part.label, part.tip)
            form.add_full_width(form.make_line_edit(part, lambda o: o.alias))
        elif field.name == "params" and alone:
            if isinstance(one, ModuleObj):
                add_module_rows(form, one, self._document)
            else:
                add_parameter_rows(form, one)
        elif field.name == "module":
            if isinstance(one, ModuleObj) and alone:
                form.add_note(tr("Instance of the module '{module}'", module=one.module))
                edit = push_button(
                    tr("Edit its definition"),
                    partial(self.definitionRequested.emit, one.module),
                    tip=tr("Show the definition of the module in the scene's JSON."),
                )
                form.add_widget_line(edit, 1)
            else:
                form.add_note(tr("Modules"))
        elif any(field.name in kind_row_of(o).not_shown(o) for o in objects):
            pass
        elif field.about.kind in LIST_KINDS:
            if alone:
                add_list_rows(form, field, one)
        elif field.about.kind in STYLE_KINDS or not any(
            getattr(o, field.name) is None for o in objects
        ):
            bodies = [o for o in objects if isinstance(o, HomogeneousGlass)]
            # a part has a material among its data
            single = self._part_of_objects(objects) is None
            if field.name == "ref_index" and len(bodies) == len(objects) and single:
                _add_material_row(form, self._pick_material)
            # the index of a catalogue glass is the catalogue's
            exact = bool(bodies) and all(o.material is not None for o in bodies)
            if not (field.name in FITTED_FIELDS and exact):
                add_field_rows(form, field)
                if field.name in COLOUR_FIELDS:
                    self._add_colour_hint(form)
            if field.name == "text" and isinstance(one, TextLabel) and alone:
                note = form.add_note(ONLY_NAMED)
                form.call_on_update(lambda: note.setVisible(form.values[0].is_placeholder))

    def _add_colour_hint(self, form: Form) -> None:
        """Add, at most once, a button that switches colours on, without which a number has no
        effect.
        """
        simulated = self._document.scene.settings.simulate_colors
        if simulated or form.findChild(QPushButton, COLOUR_HINT) is not None:
            return
        button = push_button(
            tr("No effect: simulate colours"),
            lambda: self._document.change(SetSettings({"simulateColors": True})),
            tip=tr("Only where the scene simulates colours, a setting, do wavelengths differ."),
        )
        button.setObjectName(COLOUR_HINT)
        form.add_widget_line(button, 1)

    def _pick_material(self) -> None:
        """Open the dialog that picks a material for the selected bodies."""
        from raybench_workbench.panels.materials import (
            MaterialPicker,  # imports pyqtgraph, which takes a while
        )

        bodies = [o for o in self._objects_to_change({}) if isinstance(o, HomogeneousGlass)]
        keys = [o.key for o in bodies]
        name = MATERIAL.value_to_show(bodies)
        MaterialPicker(
            lambda chosen: self._document.apply_or_refuse(SetMaterial(keys, chosen)),
            str(name) if name is not SEVERAL_VALUES else "",
            current_index_and_abbe(bodies[0], self._document.scene),
            self,
        ).open()

    def _same_kind_count(self, objects: list[SceneObject]) -> int:
        """The number of objects in the scene of the same kind as the selected one; 0 if several are
        selected.
        """
        if len(objects) != 1 or isinstance(objects[0], UnreadObject | ModuleObj):
            return 0
        return list(map(type, self._document.scene.objects)).count(type(objects[0]))

    def _objects_to_change(self, values: Mapping[str, Any]) -> list[SceneObject]:
        """The objects that a change applies to: the objects of the form, or all of their kind if
        that box is checked and the field is not individual.
        """
        objects = self._form_objects()
        if self._to_all is None or not self._to_all.isChecked() or not objects:
            return objects
        kinds = {
            f.json_name: "name" if f.name == "name" else f.about.kind
            for f in described_fields(type(objects[0]))
        }
        if any(kinds.get(re.split(r"[.\[]", path)[0]) in UNCOPIED_KINDS for path in values):
            return objects
        return [o for o in self._document.scene.objects if type(o) is type(objects[0])]

    def _change_objects(self, values: Mapping[str, Any], merge_key: str | None) -> str:
        for number in self._placement_numbers(self._form_objects()):
            if number.label in values:
                if (link := self.link_of_number(number.label)) is not None:
                    return str(linked_number_error(link))
                return self._change_placement(number, values[number.label], merge_key)
        part = self._part_of_objects(self._form_objects())
        if part is not None and values.keys() <= {f.json_name for f in part.preset.form_fields}:
            return self._document.apply_or_refuse(
                Set(list(part.present_objects), values), merge_key
            )
        objects = self._objects_to_change(values)
        if not objects:  # deleted meanwhile
            return ""
        keys = [o.key for o in objects]
        if len(objects) == 1 or not values.get("name"):
            return self._document.apply_or_refuse(Set(keys, values), merge_key)
        # tools and questions identify objects by name
        taken = {o.title for o in self._document.scene.objects} - {o.title for o in objects}
        names = free_names(values["name"], taken)
        renamed = [Set(key, {"name": name}) for key, name in zip(keys, names, strict=False)]
        what = describe_target_objects(self._document.document, keys)
        text = tr("{what} renamed to {name}", what=what, name=elide_text(values["name"], 60))
        return self._document.apply_or_refuse(renamed, merge_key, text)

    def _placement_numbers(self, objects: Sequence[SceneObject]) -> tuple[PlacementNumber, ...]:
        """The numbers that position the objects. For a whole part, they are those with which the
        part was placed.
        """
        part = self._part_of_objects(objects)
        if part is None or part.present_objects.keys() != {o.key for o in objects}:
            return placement_numbers(objects)

        def current_part(shown: Sequence[SceneObject]) -> ScenePart:
            return self._document.document.part_of_object(shown[0].key) or part

        return part_placement_numbers(current_part)

    def _update_lower_limit(self, form: Form, label: str, edit: NumberEdit) -> None:
        """Update the lower limit of a number that depends on other values, such as the radius of an
        arc.
        """
        numbers = self._placement_numbers(form.values)
        edit.low = next((n.low for n in numbers if n.label == label), None)

    def _change_placement(
        self, number: PlacementNumber, value: float, merge_key: str | None
    ) -> str:
        """Move the selection as a whole, even to a position outside the canvas."""
        objects, document = self._form_objects(), self._document.document
        changes = changes_as_tuple(number.change(objects, float(value)))
        text = ""
        if len(changes) > 1:
            targets = describe_target_objects(document, [o.key for o in objects])
            to = format_with_unit(value, number.unit, document.unit)
            text = tr(
                "{name} of {targets} set to {to}",
                name=tr(number.label).capitalize(),
                targets=targets,
                to=to,
            )
        reason = self._document.apply_or_refuse(changes, merge_key, text)
        if not reason:
            self._selection.select_and_show(self._selection.keys)
        return reason


def _form_rows_key(obj: SceneObject, scene: Scene) -> tuple[object, ...]:
    """Everything that the rows of an object's form depend on."""
    counts = tuple(
        list_item_count(f, obj) for f in described_fields(type(obj)) if f.about.kind in LIST_KINDS
    )
    if isinstance(obj, ModuleObj):
        parts = tuple(p.label for p in scene.parts_of(obj))
        return obj.key, counts, scene.modules.get(obj.module), parts
    row = kind_row_of(obj)
    curve_type = getattr(obj, "curve_type", "")
    exact = getattr(obj, "material", None) is not None
    shown = tuple(row.parameters(obj)), tuple(row.not_shown(obj)), curve_type, exact
    return obj.key, row.kind, counts, *shown


def _common_fields(objects: list[SceneObject], power_unit: str) -> list[Field]:
    """The fields that all objects have, with powers in ``power_unit``. The total power comes after
    the fields that determine it, and the lock comes last.
    """
    if not objects or any(isinstance(o, UnreadObject) for o in objects):
        return []
    rest = [settable_fields(type(o), power_unit) for o in objects[1:]]
    fields = [
        f
        for f in settable_fields(type(objects[0]), power_unit)
        if not f.about.unused and all(f in other for other in rest)
    ]
    order = [f.name for f in fields]
    if "power" in order and "brightness" in order:
        fields.insert(order.index("brightness") + 1, fields.pop(order.index("power")))
    return sorted(fields, key=lambda f: f.name == "locked")


LONGEST_NAME = 24
"""Letters of a material's name on the button; a longer one is in its tool tip."""
MATERIAL = ValuePart(
    tr("Material"),
    lambda body: body.material.material.name if body.material is not None else "",
    "",
    tip=tr("A material of the catalogue, exact at every wavelength."),
)


def _add_material_row(form: Form, pick: Callable[[], None]) -> None:
    """Add the row of the material and, below it, a line with the source of its data. ``pick`` opens
    the dialog that chooses a material.
    """
    button = push_button("", pick, name=MATERIAL.label, role="")
    button.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
    form.add_row(MATERIAL, button)
    note = form.add_note("")

    def update() -> None:
        name = MATERIAL.value_to_show(form.values)
        known = bool(name) and name is not SEVERAL_VALUES
        note.setVisible(known)
        button.setText(tr("several…") if name is SEVERAL_VALUES else tr("none…"))
        button.setToolTip(MATERIAL.tip)
        if not known:
            return
        shown = elide_text(name, LONGEST_NAME)
        button.setText(f"{literal_label_text(shown)}…")
        if shown != name:
            button.setToolTip(literal_tool_tip(f"{name}\n{MATERIAL.tip}"))
        material = form.values[0].material.material
        about = f"n {material.n_d:.5f}, " if material.n_d is not None else ""
        about += f"V {material.v_d:.2f}, " if material.v_d is not None else ""
        note.setText(f"{about}{material.source}")

    form.call_on_update(update)
