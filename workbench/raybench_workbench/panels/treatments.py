"""The rows of edges in Properties, with their coatings and finishes."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy

from raybench.errors import elide_text
from raybench.kinds.glasses import GlassBody
from raybench.kinds.object import SceneObject
from raybench.scene.coatings import SUBSTRATE_INDEX, coating_wavelength
from raybench.scene.document import Document
from raybench.scene.labels import LabelledEdge, labelled_edges
from raybench.scene.materials import source_wavelengths
from raybench.scene.treatments import EdgeTreatment, name_of_object
from raybench_workbench import theme
from raybench_workbench.document import WorkDocument
from raybench_workbench.panels.form import Form, ValuePart
from raybench_workbench.panels.treatment_dialog import (
    COATINGS,
    TREATMENT_KINDS,
    TreatmentDialog,
    TreatmentKind,
)
from raybench_workbench.texts import literal_label_text, literal_tool_tip
from raybench_workbench.translation import tr
from raybench_workbench.widgets import ElidedLabel, describe_widget, elide_to_width

WIDEST_LABEL = 60
"""The most pixels for the label of an edge; a longer one is elided."""
MOST_EDGES = 12
"""Of an object with more edges, only those with a treatment have a row."""


class TreatmentButton(QPushButton):
    """A button with the name of a treatment, elided to its width; the tool tip shows all of it."""

    _words = ""

    def set_treatment(self, name: str, tip: str) -> None:
        self._words = name
        self.setToolTip(literal_tool_tip(tip))
        self._elide_words()

    def _elide_words(self) -> None:
        room = self.width() - 2 * theme.GRID
        text = elide_to_width(self._words, self.fontMetrics(), room, at=Qt.TextElideMode.ElideRight)
        self.setText(literal_label_text(text))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._elide_words()


def treatment_kinds_of_object(obj: SceneObject) -> tuple[TreatmentKind, ...]:
    """The kinds of treatments that the edges of an object can have."""
    return tuple(kind for kind in TREATMENT_KINDS if kind.change.can_treat(obj))


def edges_with_rows(document: Document, obj: SceneObject) -> tuple[LabelledEdge, ...]:
    """The edges of an object for which Properties has a row."""
    if not treatment_kinds_of_object(obj):
        return ()
    edges = labelled_edges(obj, document.edge_labels.get(obj.key, {}))
    treated = document.treatments
    return tuple(e for e in edges if len(edges) <= MOST_EDGES or treated.at_edge(obj.key, e.index))


def add_treatment_rows(form: Form, document: WorkDocument, obj: SceneObject) -> None:
    """Add a row for each edge, with a button for its coating and one for its finish."""
    edges, treatment_kinds = edges_with_rows(document.document, obj), treatment_kinds_of_object(obj)
    if edges:
        form.add_heading(
            tr("Edges"),
            tr("What part of the light each edge reflects and transmits, and how it scatters."),
        )
    width = max((theme.text_pixel_width(e.title) for e in edges), default=0)
    for edge in edges:
        label = ElidedLabel(role="label", selectable=False)
        label.setFixedWidth(min(width, WIDEST_LABEL) + theme.HALF)
        label.set_full_text(edge.title)
        form.add_widget_line(label, *_treatment_buttons(form, document, edge, treatment_kinds))


def _treatment_buttons(
    form: Form, document: WorkDocument, edge: LabelledEdge, treatment_kinds: Sequence[TreatmentKind]
) -> list[QPushButton]:
    buttons: list[QPushButton] = []
    for kind in treatment_kinds:
        part = ValuePart(
            tr(kind.noun.capitalize()),
            partial(_find_treatment, document, edge.index, kind.noun),
            "",
            tip=tr("The {noun} of this edge.", noun=tr(kind.noun)),
        )
        button = describe_widget(
            TreatmentButton(),
            name=tr("{label} of edge {title}", label=part.label, title=edge.title),
        )
        button.clicked.connect(partial(_pick_treatment, form, document, part, kind, edge))
        button.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        form.call_on_update(partial(_update_button, form, part, kind, button))
        buttons.append(button)
    return buttons


def _find_treatment(
    document: WorkDocument, index: int, noun: str, obj: SceneObject
) -> EdgeTreatment | None:
    return document.document.treatments.at_edge(obj.key, index).get(noun)


def _pick_treatment(
    form: Form,
    document: WorkDocument,
    part: ValuePart,
    kind: TreatmentKind,
    edge: LabelledEdge,
    *_: object,
) -> None:
    (obj,) = form.values
    scene = document.document.scene
    title = tr("edge {title} of {name}", title=edge.title, name=elide_text(obj.title, 40))

    def act(data: Any) -> str:
        return document.apply_or_refuse(kind.change.from_treatment(obj.key, str(edge.index), data))

    if kind is not COATINGS:
        name_of = partial(name_of_object, scene)
        TreatmentDialog(kind, title, part.get(obj), act, form, name_of=name_of).open()
        return
    from raybench_workbench.panels.coating_dialog import (
        CoatingDialog,  # imports plots, which the first window does not need
    )

    waves = source_wavelengths(scene)
    middle = coating_wavelength(waves[len(waves) // 2] if waves else None)
    index = SUBSTRATE_INDEX
    if isinstance(obj, GlassBody):
        index = abs(float(obj.index_at(np.array([edge.edge.shape.midpoint]), middle)[0]))
    CoatingDialog(title, part.get(obj), act, form, index=index, wavelength=middle).open()


def _update_button(
    form: Form, part: ValuePart, kind: TreatmentKind, button: TreatmentButton
) -> None:
    now = part.value_to_show(form.values)
    if now is None:
        button.set_treatment(f"{tr(kind.noun)}…", part.tip)
    else:
        button.set_treatment(now.title, f"{part.label}: {now.title}")
