"""The form of the scene's settings."""

import dataclasses
from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QMenu, QScrollArea, QWidget

from raybench.kinds.fields import LENGTH, Field, fields_of
from raybench.scene import UNITS
from raybench.scene.changes import SetDocument, SetSettings
from raybench.scene.document import Document
from raybench.scene.settings import Settings
from raybench_workbench.document import WorkDocument
from raybench_workbench.panels.form import Form, Part, commit_typing, drop_typing, put_form
from raybench_workbench.panels.properties import add_studies
from raybench_workbench.panels.rows import add_field

EDITABLE = (
    "mode",
    "observer",
    "ray_mode_density",
    "image_mode_density",
    "simulate_colors",
    "color_mode",
    "max_ray_depth",
    "random_seed",
    "length_scale",
    "show_grid",
    "snap_to_grid",
    "grid_size",
    "lock_objs",
)
"""The editable settings, in order."""
STORED = (
    "origin",
    "scale",
    "width",
    "height",
    "red_wavelength",
    "violet_wavelength",
    "show_ray_arrows",
    "symbolic_body_merging",
    "numerical_tolerances",
    "theme",
    "imported_from_beta",
)
"""The settings that this form does not show: set by other actions or as JSON, or kept for other
programs, which store their view there.
"""
if sorted((*EDITABLE, *STORED)) != sorted(f.name for f in fields_of(Settings)):
    raise TypeError(
        "every field of raybench.scene.settings.Settings stands in EDITABLE or in STORED of"
        " raybench_workbench.panels.settings_form"
    )
UNIT = Part("Unit", lambda d: d.unit, "unit", tip="The unit of lengths.")


class SceneSettings(QScrollArea):
    """The settings of the open scene. Every committed change is one undo step."""

    studyRequested = Signal(str, str)
    """The kind of study, and the parameter that it varies."""
    left = Signal()
    """As `Form.left`."""

    def __init__(self, document: WorkDocument, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # its fields take it, and scroll into view
        self._document = document
        self._shape: tuple[object, ...] = ()
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName("Settings of the scene")
        document.changed.connect(self._show_settings)
        document.opened.connect(self._renew_form)
        self._show_settings()

    def _renew_form(self) -> None:
        """Another document has a form of its own: what was typed into that of the last one is no
        input for it.
        """
        drop_typing(self)
        self._shape = ()
        self._show_settings()

    def _show_settings(self, *_: object) -> None:
        if self._shape_now() != self._shape:
            commit_typing(self)  # which may change the document
        document, shape = self._document.document, self._shape_now()
        if shape != self._shape:
            self._shape = shape
            form = Form([document], self._change_settings, document.unit)
            form.extend_menu = self._add_studies
            form.left.connect(self.left)
            form.refused.connect(self._document.failed)
            add_settings(form, document)
            form.add_stretch()
            put_form(self, form)
        else:
            shown = self.widget()
            assert isinstance(shown, Form)
            shown.show_values([document])

    def _shape_now(self) -> tuple[object, ...]:
        """A key of the document's form: another form is needed when it changes."""
        document = self._document.document
        return (*_form_key(document), document.unit)

    def _add_studies(self, part: Part, menu: QMenu) -> None:
        from raybench.study.terms.parameter import (
            SETTINGS,  # imports the measures, which the first window does not need
        )

        add_studies(menu, self.studyRequested.emit, f"{SETTINGS}.{part.path}")

    def _change_settings(self, values: Mapping[str, Any], merge_key: str | None = None) -> str:
        return self._document.attempt(
            SetDocument(**values) if "unit" in values else SetSettings(values), merge_key
        )


def add_settings(form: Form, document: Document) -> None:
    """Add the rows of a document's settings that apply in its mode."""
    settings = document.scene.settings
    fields = {f.name: f for f in fields_of(Settings)}
    for name in EDITABLE:
        f = fields[name]
        if name == "mode":
            form.add_row(
                part := _part_of_settings(Part.of(f)),
                form.choice(part, f.about.choices, f.about.titles),
            )
        elif name == "observer":
            if settings.mode == "observer" and settings.observer is not None:
                whole = _part_of_settings(
                    Part("Observer", lambda s: s.observer, "observer", LENGTH)
                )
                form.add_heading("Observer", "The disc through which the scene is seen.")
                form.add_wide(form.point(whole.inner("Observer", ".c", lambda o: o.c)))
                radius = whole.inner("Observer's radius", ".r", lambda o: o.r)
                form.add_row(
                    dataclasses.replace(radius, label="Radius"),
                    form.number(dataclasses.replace(radius, low=0.0)),
                )
        elif name == "random_seed":
            form.add_row(part := _part_of_settings(_seed_row(f)), form.text(part, lambda d: "none"))
        elif name != (
            "image_mode_density" if settings.mode in ("rays", "extended") else "ray_mode_density"
        ):
            add_field(form, f, _part_of_settings(Part.of(f)))
    form.add_row(UNIT, form.choice(UNIT, UNITS))


def _form_key(document: Document) -> tuple[object, ...]:
    """A key of the form's rows: the form is rebuilt when it changes."""
    settings = document.scene.settings
    return settings.mode, settings.observer is None


def _part_of_settings(part: Part) -> Part:
    """A part of the settings as a part of the document."""
    return dataclasses.replace(part, get=lambda d: part.get(d.scene.settings))


def _seed_row(f: Field) -> Part:
    return Part(
        f.about.label,
        lambda s: s.random_seed or "",
        f.json_name,
        tip=(
            "Seed of the random numbers of sources and modules: the same seed gives the same scene."
        ),
        encode=lambda text: text.strip() or None,
    )
