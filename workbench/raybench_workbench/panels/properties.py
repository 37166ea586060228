"""The properties panel: a form built from the fields of the selected objects."""

import dataclasses
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QFrame,
    QHBoxLayout,
    QMenu,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QWidget,
)

from raybench.errors import elided
from raybench.kinds.decorations import TextLabel
from raybench.kinds.fields import STYLES, Field, fields_of
from raybench.kinds.glasses import HomogeneousGlass
from raybench.kinds.kinds import row_of
from raybench.kinds.module_instance import ModuleObj
from raybench.kinds.object import SceneObject
from raybench.kinds.unread import Unread
from raybench.scene.changes import Set, SetMaterial
from raybench.scene.changes.change import targets_text
from raybench.scene.changes.quantity import with_unit
from raybench.scene.changes.transaction import listed
from raybench.scene.free_names import free_names
from raybench.scene.materials import present_glass
from raybench.scene.place_numbers import CENTRE, PlaceNumber, place_numbers
from raybench.scene.scene import Scene
from raybench_workbench import theme
from raybench_workbench.document import Selection, WorkDocument
from raybench_workbench.panels.form import SEVERAL, Form, Part, commit_typing, drop_typing, put_form
from raybench_workbench.panels.number_edit import CommittedLineEdit, NumberEdit
from raybench_workbench.panels.rows import add_field, add_list, add_module, add_parameters, items_of
from raybench_workbench.texts import label_text, tool_tip
from raybench_workbench.widgets import describe_widget, in_a_row

HINT = "Click an object to see and change its properties."
ONLY_NAMED = (
    "The file contains only the name of a text in the web application's gallery, not the text"
    " itself. Type the text to show."
)
LISTS = ("path", "points", "curve", "out_rays", "numbers", "data")
POSITION = ("point", "coordinate", *LISTS)
"""Kinds of fields that position an object."""
INDIVIDUAL = frozenset({"name", "point", "coordinate", "params", *LISTS}) - {"numbers"}
"""Kinds of fields that are not copied to other objects of the kind: name, position and outline."""


class Properties(QScrollArea):
    """The form. Every committed change is one undo step for all selected objects; invalid input
    leaves the objects as they are.
    """

    definitionRequested = Signal(str)
    """The name of the module whose definition is to be edited."""
    studyRequested = Signal(str, str)
    """The kind of study, and the parameter that it varies."""
    left = Signal()
    """As `Form.left`."""

    def __init__(
        self, document: WorkDocument, selection: Selection, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # its fields take it, and scroll into view
        self._document, self._selection = document, selection
        self._shape: tuple[object, ...] = ()
        self._to_all: QCheckBox | None = None
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName("Properties of the selection")
        selection.changed.connect(self._show_selection)
        document.changed.connect(self._show_selection)
        document.opened.connect(partial(drop_typing, self))
        self._show_selection()

    def _existing_objects(self, keys: Iterable[int]) -> list[SceneObject]:
        return [o for k in keys if (o := self._document.scene.get(k)) is not None]

    def _selected_objects(self) -> list[SceneObject]:
        return self._existing_objects(sorted(self._selection.keys))

    def _shown_objects(self) -> list[SceneObject]:
        """The objects of the form, as they are now. What is typed is for these, even while others
        are being selected.
        """
        form = self.widget()
        return self._existing_objects(o.key for o in form.values) if isinstance(form, Form) else []

    def _shape_of(self, objects: list[SceneObject]) -> tuple[object, ...]:
        """A key of the form for some objects: another form is needed when it changes."""
        document = self._document.document
        count = self._same_kind(objects[0]) if len(objects) == 1 else 0
        return (
            tuple(_form_key(o, document.scene) for o in objects),
            document.unit,
            count,
            document.group_of(o.key for o in objects),
        )

    def _show_selection(self, _: object = None) -> None:
        if self._shape_of(self._selected_objects()) != self._shape:
            commit_typing(self)  # which may change the document
            refused = (
                [edit for edit in self.findChildren(CommittedLineEdit) if edit.refusal]
                if self._shown_objects()
                else []
            )
            for edit in refused:
                self._document.failed.emit(
                    f"“{elided(edit.text(), 60)}” was not taken over. {edit.refusal}"
                )
        objects = self._selected_objects()
        shape = self._shape_of(objects)
        if shape != self._shape or self.widget() is None:
            self._shape = shape
            put_form(self, self._make_form(objects))
        else:
            form = self.widget()
            assert isinstance(form, Form)
            form.show_values(objects)

    def _make_form(self, objects: list[SceneObject]) -> Form:
        form = self._make_rows(objects)
        form.left.connect(self.left)
        form.refused.connect(self._document.failed)
        if len(objects) == 1:
            form.extend_menu = partial(self._add_studies, objects[0].title)
        return form

    def _add_studies(self, name: str, part: Part, menu: QMenu) -> None:
        """Add the studies that vary a number."""
        from raybench.study.terms.parameter import (
            parameter_text,  # imports the measures, which the first window does not need
        )

        add_studies(menu, self.studyRequested.emit, parameter_text(name, part.path))

    def _add_motion(self, form: Form, motion: str, menu: QMenu) -> None:
        """Add the studies that move the selected object, if ``motion`` names the parameter for a
        number.
        """
        if motion and len(form.values) == 1:
            from raybench.study.terms.parameter import parameter_text

            add_studies(
                menu, self.studyRequested.emit, parameter_text(form.values[0].title, motion)
            )

    def _make_rows(self, objects: list[SceneObject]) -> Form:
        document = self._document.document
        if not objects:
            form = Form([], self._change_objects, document.unit)
            form.add_note(HINT)
            form.add_stretch()
            return form
        form = Form(objects, self._change_objects, document.unit)
        if len(objects) > 1:
            group = self._document.document.group_of(o.key for o in objects)
            form.add_note(
                f"{f'{elided(group, 60)}: ' if group else ''}{len(objects)} objects: a change"
                " applies to all of them."
            )
        elif isinstance(objects[0], Unread):
            form.add_note(
                f"{objects[0].type}: {objects[0].reason} It is kept unchanged in the file."
            )
        places = place_numbers(objects)
        for f in _common_fields(objects):
            if places and (f.about.kind in POSITION or f.name == "locked"):
                self._add_places(form, places)
                places = ()
            self._add_field(form, f, objects)
        self._to_all = None
        if len(objects) == 1 and (count := self._same_kind(objects[0])) > 1:
            self._to_all = QCheckBox(f"Apply to all {count} of this kind")
            self._to_all.setToolTip(
                "What is changed here is given to all objects of this kind, except names and"
                " places."
            )
            form.add_wide(self._to_all)
        form.add_stretch()
        return form

    def _add_places(self, form: Form, numbers: Sequence[PlaceNumber]) -> None:
        """Add the numbers that place the selection as a whole: the centre in one line, then the
        others.
        """
        centre: list[NumberEdit] = []
        for number in numbers:
            part = Part(
                number.label,
                _shared_getter(number, form),
                number.label,
                number.unit,
                low=number.low,
            )
            edit = form.number(part, unit_shown=number is not CENTRE[0])
            if number.low is not None:
                form.on_update(partial(_update_lower_limit, form, number.label, edit))
            edit.extend_menu = partial(self._add_motion, form, number.motion)
            if number not in CENTRE:
                form.add_row(Part(number.label, part.get, "", tip=number.about), edit)
                continue
            centre.append(edit)
            if len(centre) == len(CENTRE):
                form.add_heading(
                    "Centre of the whole", "Another value moves the selection as a whole."
                )
                line = in_a_row(*centre, spacing=theme.HALF)
                form.add_wide(line)

    def _add_field(self, form: Form, f: Field, objects: list[SceneObject]) -> None:
        one = objects[0]
        if f.name == "name":
            part = dataclasses.replace(Part.of(f), encode=str.strip)
            form.add_heading(part.label, part.tip)
            form.add_wide(form.text(part, lambda o: o.alias))
        elif f.name == "params" and len(objects) == 1:
            if isinstance(one, ModuleObj):
                add_module(
                    form, one, self._document.scene, lambda o: self._document.scene.parts_of(o)
                )
            else:
                add_parameters(form, one)
        elif f.name == "module":
            if isinstance(one, ModuleObj) and len(objects) == 1:
                form.add_note(f"Instance of the module '{one.module}'")
                form.add_wide(self._definition_button(one.module))
            else:
                form.add_note("Modules")
        elif any(f.name in row_of(o).not_shown(o) for o in objects):
            pass
        elif f.about.kind in LISTS:
            if len(objects) == 1:
                add_list(form, f, one)
        elif f.about.kind in STYLES or not any(getattr(o, f.name) is None for o in objects):
            if f.name == "ref_index" and all(isinstance(o, HomogeneousGlass) for o in objects):
                add_material(form, self._pick_material)
            add_field(form, f)
            if f.name == "text" and isinstance(one, TextLabel) and len(objects) == 1:
                note = form.add_note(ONLY_NAMED)
                form.on_update(lambda: note.setVisible(form.values[0].is_placeholder))

    def _definition_button(self, module: str) -> QHBoxLayout:
        button = describe_widget(
            QPushButton("Edit its definition"),
            role="flat",
            tip="Show the definition of the module in the scene's JSON.",
        )
        button.clicked.connect(lambda: self.definitionRequested.emit(module))
        line = in_a_row(button, 1)
        return line

    def _pick_material(self) -> None:
        """Open the dialog that picks a material for the selected bodies."""
        from raybench_workbench.panels.materials import (
            MaterialPicker,  # imports pyqtgraph, which takes a while
        )

        bodies = [o for o in self._changed_by({}) if isinstance(o, HomogeneousGlass)]
        keys = [o.key for o in bodies]
        name = common_name(bodies)
        MaterialPicker(
            lambda chosen: self._document.attempt(SetMaterial(keys, chosen)),
            str(name) if name is not SEVERAL else "",
            present_glass(bodies[0], self._document.scene),
            self,
        ).open()

    def _same_kind(self, obj: SceneObject) -> int:
        """The number of objects of the same kind as ``obj``."""
        return (
            sum(type(o) is type(obj) for o in self._document.scene.objects)
            if not isinstance(obj, Unread | ModuleObj)
            else 0
        )

    def _changed_by(self, values: Mapping[str, Any]) -> list[SceneObject]:
        """The objects that a change applies to: those of the form or, unless the field is
        individual, all of the kind if that is ticked.
        """
        objects = self._shown_objects()
        if self._to_all is None or not self._to_all.isChecked() or not objects:
            return objects
        kinds = {
            f.json_name: "name" if f.name == "name" else f.about.kind
            for f in fields_of(type(objects[0]))
        }
        individual = any(
            kinds.get(re.split(r"[.\[]", path)[0], "") in INDIVIDUAL for path in values
        )
        return (
            objects
            if individual
            else [o for o in self._document.scene.objects if type(o) is type(objects[0])]
        )

    def _change_objects(self, values: Mapping[str, Any], merge_key: str | None = None) -> str:
        for number in place_numbers(shown := self._shown_objects()):
            if number.label in values:
                changes = listed(number.change(shown, float(values[number.label])))
                of_each = (
                    f"{number.label.lower()} of"
                    f" {targets_text(self._document.document, [o.key for o in shown])} set to"
                )
                text = (
                    f"{of_each}"
                    f" {with_unit(values[number.label], number.unit, self._document.document.unit)}"
                    if len(changes) > 1
                    else ""
                )
                if not (
                    reason := self._document.attempt(
                        changes, merge_key, text[:1].upper() + text[1:]
                    )
                ):
                    self._selection.present(
                        self._selection.keys
                    )  # it may be outside the canvas now
                return reason
        objects = self._changed_by(values)
        if not objects:  # deleted meanwhile
            return ""
        if len(objects) > 1 and values.get("name"):  # tools and questions identify objects by name
            taken = {o.title for o in self._document.scene.objects} - {o.title for o in objects}
            renamed = [
                Set(o.key, {"name": name})
                for o, name in zip(objects, free_names(values["name"], taken), strict=False)
            ]
            what = targets_text(self._document.document, [o.key for o in objects])
            return self._document.attempt(
                renamed, merge_key, f"{what} renamed to {elided(values['name'], 60)}"
            )
        return self._document.attempt(Set([o.key for o in objects], values), merge_key)


def _update_lower_limit(form: Form, label: str, edit: NumberEdit) -> None:
    """Update the lower limit of a number that depends on others, such as the radius of an arc."""
    edit.low = next((n.low for n in place_numbers(form.values) if n.label == label), None)


def _shared_getter(number: PlaceNumber, form: Form) -> Callable[[SceneObject], float]:
    """A getter of a number of all values of a form, which is computed once for each list of values."""
    cached: list[Any] = [None, 0.0]

    def get(_: SceneObject) -> float:
        if cached[0] is not form.values:
            cached[:] = form.values, number.get(form.values)
        return float(cached[1])

    return get


def _form_key(obj: SceneObject, scene: Scene) -> tuple[object, ...]:
    """A key of the rows of an object's form: the form is rebuilt when it changes."""
    counts = tuple(items_of(f, obj) for f in fields_of(type(obj)) if f.about.kind in LISTS)
    if isinstance(obj, ModuleObj):
        return (
            obj.key,
            counts,
            scene.modules.get(obj.module),
            tuple(p.label for p in scene.parts_of(obj)),
        )
    row = row_of(obj)
    return obj.key, row.kind, counts, tuple(row.parameters(obj)), tuple(row.not_shown(obj))


def _common_fields(objects: list[SceneObject]) -> list[Field]:
    if not objects or any(isinstance(o, Unread) for o in objects):
        return []
    rest = [fields_of(type(o)) for o in objects[1:]]
    fields = [
        f
        for f in fields_of(type(objects[0]))
        if not f.about.unused and all(f in other for other in rest)
    ]
    # the lock comes last: it concerns editing, not the object's optics
    return [f for f in fields if f.name != "locked"] + [f for f in fields if f.name == "locked"]


NO_MATERIAL, SEVERAL_MATERIALS = "none…", "several…"
LONGEST_NAME = 24
"""Letters of a material's name on the button; a longer one is in its tool tip."""
MATERIAL = Part(
    "Material",
    lambda o: _material_name(o),
    "",
    tip="A material of the catalogue, exact at every wavelength.",
)


def add_material(form: Form, pick: Callable[[], None]) -> None:
    """Add the row and, below it, a line with the source of the data; ``pick`` opens the dialog."""
    button = QPushButton()
    button.setAccessibleName(MATERIAL.label)
    button.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
    button.clicked.connect(pick)
    form.add_row(MATERIAL, button)
    note = form.add_note("")

    def update() -> None:
        name = common_name(form.values)
        shown = elided(str(name), LONGEST_NAME)
        button.setText(
            SEVERAL_MATERIALS
            if name is SEVERAL
            else f"{label_text(shown)}…"
            if name
            else NO_MATERIAL
        )
        button.setToolTip(
            tool_tip(f"{name}\n{MATERIAL.tip}")
            if shown != name and name is not SEVERAL
            else MATERIAL.tip
        )
        own = form.values[0].material if name and name is not SEVERAL else None
        note.setVisible(own is not None)
        if own is not None:
            material = own.material
            about = f"n {material.n_d:.5f}, " if material.n_d is not None else ""
            about += f"V {material.v_d:.2f}, " if material.v_d is not None else ""
            note.setText(f"{about}{material.source}")

    form.on_update(update)


def common_name(bodies: Sequence[HomogeneousGlass]) -> object:
    """The name of the bodies' material, empty without one; `SEVERAL` if they differ."""
    names = {_material_name(o) for o in bodies}
    return names.pop() if len(names) == 1 else SEVERAL


def _material_name(body: HomogeneousGlass) -> str:
    own = body.material
    return own.material.name if own is not None else ""


def add_studies(menu: QMenu, request: Callable[[str, str], object], parameter: str) -> None:
    """Add the studies that vary a number to its context menu."""
    from raybench.study.request import KINDS  # imports scipy, which the first window does not need

    menu.addSeparator()
    for kind in KINDS:
        menu.addAction(f"{kind.capitalize()}…", partial(request, kind, parameter))
