"""The form of the scene's settings."""

import dataclasses
from collections.abc import Mapping
from operator import attrgetter
from typing import Any

from PySide6.QtWidgets import QMenu, QWidget

from raybench.kinds.fields import LENGTH, described_fields
from raybench.scene import LENGTH_UNITS, POWER_UNITS
from raybench.scene.changes import SetDocument, SetSettings
from raybench.scene.parameters.parameter import SETTINGS
from raybench.scene.settings import Settings
from raybench_workbench.document import WorkDocument
from raybench_workbench.panels.form import Form, FormArea, ValuePart
from raybench_workbench.panels.number_edit import CommittedLineEdit
from raybench_workbench.panels.rows import add_field_rows
from raybench_workbench.translation import tr

EDITABLE_SETTINGS = (
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
OTHER_SETTINGS = (
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
if sorted((*EDITABLE_SETTINGS, *OTHER_SETTINGS)) != sorted(
    f.name for f in described_fields(Settings)
):
    raise TypeError(
        "every field of raybench.scene.settings.Settings stands in EDITABLE or in STORED of"
        " raybench_workbench.panels.settings_form"
    )
UNIT = ValuePart(tr("Unit"), attrgetter("unit"), "unit", tip=tr("The unit of lengths."))
POWER_UNIT = ValuePart(
    tr("Power unit"),
    attrgetter("power_unit"),
    "power_unit",
    tip=tr(
        "The unit of powers. Numbers stay; in lm, sources are in W, and light is"
        " weighted by the eye."
    ),
)
OBSERVER = ValuePart(tr("Observer"), attrgetter("scene.settings.observer"), "observer", LENGTH)
SEED_TIP = tr(
    "Seed of the random numbers of sources and modules: the same seed gives the same scene."
)


class SceneSettings(FormArea):
    """The form of the scene's settings. Each committed change is one undo step."""

    def __init__(self, document: WorkDocument, parent: QWidget | None = None) -> None:
        super().__init__(document, tr("Settings of the scene"), parent)
        document.changed.connect(self.update_form)
        document.opened.connect(self._discard_typing)
        self.update_form()

    def _discard_typing(self) -> None:
        """Discard typed text, because it does not apply to another document."""
        for edit in self.findChildren(CommittedLineEdit):
            edit.setModified(False)

    def form_key(self) -> tuple[object, ...]:
        settings = self._document.scene.settings
        return settings.mode, settings.observer is None, self._document.document.unit

    def shown_values(self) -> list[Any]:
        return [self._document.document]

    def make_form(self) -> Form:
        form = Form(self.shown_values(), self._change_settings, self._document.document.unit)
        form.extend_menu = self._add_study_actions
        self.offer_links(form)
        self._add_settings(form)
        form.add_row(UNIT, form.make_choice_box(UNIT, LENGTH_UNITS))
        form.add_row(POWER_UNIT, form.make_choice_box(POWER_UNIT, POWER_UNITS))
        return form

    def _add_settings(self, form: Form) -> None:
        """Add rows for the settings that apply in the scene's mode."""
        settings = self._document.scene.settings
        fields = {f.name: f for f in described_fields(Settings)}
        density = "ray" if settings.mode in ("rays", "extended") else "image"
        for name in EDITABLE_SETTINGS:
            part = ValuePart.of_field(fields[name], attrgetter(f"scene.settings.{name}"))
            if name == "observer":
                if settings.mode == "observer" and settings.observer is not None:
                    _add_observer_rows(form)
            elif name == "random_seed":
                seed = dataclasses.replace(
                    part, tip=SEED_TIP, encode=lambda text: text.strip() or None
                )
                form.add_row(seed, form.make_line_edit(seed, lambda _: tr("none")))
            elif not name.endswith("_mode_density") or name.startswith(density):
                add_field_rows(form, fields[name], part)

    def _add_study_actions(self, part: ValuePart, menu: QMenu) -> None:
        self.add_study_actions(menu, self.parameter_name(part.path))

    def parameter_name(self, path: str) -> str:
        return f"{SETTINGS}.{path}"

    def _change_settings(self, values: Mapping[str, Any], merge_key: str | None) -> str:
        of_document = values.keys() <= {UNIT.path, POWER_UNIT.path}
        change = SetDocument(**values) if of_document else SetSettings(values)
        return self._document.apply_or_refuse(change, merge_key)


def _add_observer_rows(form: Form) -> None:
    form.add_heading(tr("Observer"), tr("The disc through which the scene is seen."))
    form.add_point_fields(OBSERVER.inner_part(tr("Observer"), ".c", attrgetter("c")))
    radius = OBSERVER.inner_part(tr("Observer's radius"), ".r", attrgetter("r"))
    edit = form.make_number_edit(dataclasses.replace(radius, low=0.0))
    form.add_row(dataclasses.replace(radius, label=tr("Radius")), edit)
