"""The scene's settings as a form: what stands in the properties while nothing is selected."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

from core.kinds.fields import LENGTH, Field, fields_of
from core.revision import next_revision
from core.scene.document import UNITS, Document
from core.scene.hit_test import scene_extent
from core.scene.settings import InvalidSetting, Observer, Settings
from core.shapes.point import Point
from workbench.panels.field_rows import add_field
from workbench.panels.form import Form, Part
from workbench.panels.number_edit import parse_number, shown

SHOWN = (
    "mode", "observer", "ray_mode_density", "image_mode_density", "simulate_colors", "color_mode", "max_ray_depth", "random_seed",
    "length_scale", "show_grid", "snap_to_grid", "grid_size", "lock_objs", "symbolic_body_merging",
)  # fmt: skip
"""The settings that a person changes, in order; the others are the view of other programs."""
OBSERVER_RADIUS = 40.0
"""The radius of a new observer, in scene units times the length scale."""
UNIT = Part("Unit", lambda d: d.unit, lambda d, unit: dataclasses.replace(d, unit=unit, revision=next_revision()), tip="Of lengths.")


def add_settings(form: Form, document: Document) -> None:
    """The rows of a document's settings, those that matter in its mode."""
    settings = document.scene.settings
    fields = {f.name: f for f in fields_of(Settings)}
    for name in SHOWN:
        f = fields[name]
        if name == "mode":
            form.line(part := _mode(f), form.choice(part, f.about.choices, f.about.titles))
        elif name == "observer":
            if settings.mode == "observer" and settings.observer is not None:
                _add_observer(form)
        elif name == "max_ray_depth":
            form.line(part := _within(_limit(f)), form.text(part, lambda d: "no limit"))
        elif name == "random_seed":
            form.line(part := _within(_seed(f)), form.text(part, lambda d: "none"))
        elif name not in _elsewhere(settings):
            add_field(form, f, _within(Part.of(f)))
    form.line(UNIT, form.choice(UNIT, UNITS))


def rows_of(document: Document) -> tuple[object, ...]:
    """What the form's rows depend on."""
    settings = document.scene.settings
    return settings.mode, settings.observer is None


def _elsewhere(settings: Settings) -> str:
    """The density that the mode does not use."""
    return "image_mode_density" if settings.mode in ("rays", "extended") else "ray_mode_density"


def _within(part: Part) -> Part:
    """A part of the settings as one of the document."""

    def put(d: Document, value: Any) -> Document:
        return d.edit(lambda scene: dataclasses.replace(scene, settings=part.put(scene.settings, value)))

    return dataclasses.replace(part, get=lambda d: part.get(d.scene.settings), put=put)


def _mode(f: Field) -> Part:
    plain = _within(Part.of(f))
    return dataclasses.replace(plain, put=lambda d, mode: with_observer(plain.put(d, mode)))


def with_observer(document: Document) -> Document:
    """The document with an observer in the middle of what there is, if its mode needs one that it lacks."""
    settings = document.scene.settings
    if settings.mode != "observer" or settings.observer is not None:
        return document
    left, top, right, bottom = scene_extent(document.scene) or (0.0, 0.0, 0.0, 0.0)
    observer = Observer(Point((left + right) / 2, (top + bottom) / 2), OBSERVER_RADIUS * settings.length_scale)
    return document.edit(lambda scene: scene.with_settings(observer=observer))


def _add_observer(form: Form) -> None:
    whole = _within(Part("Observer", lambda s: s.observer, lambda s, o: dataclasses.replace(s, observer=o), LENGTH))
    form.heading("Observer", "The disc through which the scene is seen.")
    form.wide(form.point(whole.inner("Observer", lambda o: o.c, lambda o, c: o._replace(c=c))))
    radius = whole.inner("Observer's radius", lambda o: o.r, lambda o, r: o._replace(r=r))
    form.line(radius, form.number(dataclasses.replace(radius, low=0.0)))


def _limit(f: Field) -> Part:
    """A number as text that is empty where there is no limit."""

    def put(settings: Settings, text: str) -> Settings:
        try:
            limit = parse_number(text, f.about.label, 0.0) if text.strip() else math.inf
        except ValueError as error:
            raise InvalidSetting(str(error)) from None
        return dataclasses.replace(settings, max_ray_depth=limit)

    def get(settings: Settings) -> str:
        return shown(settings.max_ray_depth) if math.isfinite(settings.max_ray_depth) else ""

    return Part(f.about.label, get, put, tip=f.about.help)


def _seed(f: Field) -> Part:
    return Part(
        f.about.label,
        lambda s: s.random_seed or "",
        lambda s, text: dataclasses.replace(s, random_seed=text.strip() or None),
        tip="What random sources and modules draw their numbers from: the same seed, the same scene.",
    )
