"""The rows of edges in Properties, with their coatings and finishes, and the dialog that chooses one."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QPlainTextEdit,
    QPushButton,
    QSizePolicy,
    QWidget,
)

from raybench.errors import elide_text
from raybench.kinds.glasses import GlassBody
from raybench.kinds.object import SceneObject
from raybench.scene.changes import Coat, FinishEdge
from raybench.scene.changes.treating import Treat
from raybench.scene.coatings import SUBSTRATE, coating_wavelength
from raybench.scene.document import Document
from raybench.scene.labels import LabelledEdge, labelled_edges
from raybench.scene.materials import source_wavelengths
from raybench.scene.treatments import Treated, name_of_object, treatment_with_target
from raybench_workbench import theme
from raybench_workbench.dialogs import ValueDialog
from raybench_workbench.document import WorkDocument
from raybench_workbench.panels.form import Form, Part
from raybench_workbench.texts import literal_label_text, literal_tool_tip
from raybench_workbench.widgets import WrappedLabel, column_layout, push_button, row_layout

if TYPE_CHECKING:
    from raybench_workbench.panels.coating_plot import CoatingPlot

WIDE = 440
"""Of the column in the dialog in which a treatment is written, in pixels."""
LONGEST_NAME = 24
"""Letters of a treatment's name on the button; a longer one is in its tool tip."""
MOST_EDGES = 12
"""Of an object with more edges, only those with a treatment have a row."""
OWN = "as written below"


class Sort(NamedTuple):
    """A sort of treatments in Properties: the change that makes it, what a bare edge shows, and what
    the dialog says about it.
    """

    change: type[Treat]
    bare: str
    about: str

    @property
    def noun(self) -> str:
        return self.change.treatment.noun


SORTS = (
    Sort(
        Coat,
        "no coating",
        "Films are listed from the surroundings to the body; thicknesses and wavelengths are in nm.",
    ),
    Sort(
        FinishEdge,
        "no finish",
        "A reflectance makes it a paint; total is the scattered part of the light at normal"
        " incidence, rays the number of scattered rays of a hit, towards the name of an object to"
        " which half of them go.",
    ),
)


class TreatmentDialog(ValueDialog):
    """The dialog that chooses the coating or the finish of an edge: one of the catalogue, or JSON, in
    which values can be changed; the ``plot`` of a coating is beside it. OK calls ``act`` with the name or the JSON, or an empty text for
    none; the dialog closes unless ``act`` returns a reason to refuse it.
    """

    def __init__(
        self,
        sort: Sort,
        edge: str,
        treatment: Treated | None,
        name_of: Callable[[int], str | None],
        act: Callable[[Any], str],
        parent: QWidget,
        plot: CoatingPlot | None = None,
    ) -> None:
        self._sort, self._name_of, self._act = sort, name_of, act
        self._catalogue = sort.change.treatment.catalogue()
        title = sort.noun.capitalize()
        self.names = QComboBox()
        self.names.setAccessibleName(title)
        self.names.addItems([sort.bare, *self._catalogue, OWN])
        self.source = WrappedLabel("", role="dim")
        self.text = QPlainTextEdit()
        self.text.setAccessibleName(f"The {sort.noun} as JSON")
        self.text.setTabChangesFocus(True)
        self.text.setFixedHeight(10 * self.text.fontMetrics().lineSpacing())
        column, area = QWidget(), QWidget()
        column_layout(self.names, self.source, self.text, on=column)
        column.setFixedWidth(WIDE)
        row = QHBoxLayout(area)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(column)
        width = WIDE + 2 * theme.GRID
        self.plot = plot
        if plot is not None:
            row.addWidget(plot)
            width += plot.minimumSizeHint().width() + theme.GRID
        area.setFocusProxy(self.names)
        super().__init__(title, f"The {sort.noun} of {edge}. {sort.about}", area, parent, width)
        self._show_treatment(treatment)
        self.names.textActivated.connect(self._choose_name)
        self.text.textChanged.connect(self._note_edit)

    def _show_treatment(self, treatment: Treated | None) -> None:
        known = self._catalogue.get(treatment.name) if treatment is not None else None
        is_known = known is not None and known[0] == treatment
        name = self._sort.bare if treatment is None else treatment.name if is_known else OWN
        self.names.setCurrentText(name)
        self._show_source()
        self.text.blockSignals(True)
        self.text.setPlainText("" if treatment is None else self._json_text(treatment))
        self.text.blockSignals(False)
        self._show_plot()

    def _show_plot(self) -> None:
        if self.plot is not None:
            self.plot.show_text(self.text.toPlainText())

    def _json_text(self, treatment: Treated) -> str:
        """A treatment as JSON, with a line for each film and the name of its target."""
        data = treatment_with_target(treatment.to_json(), self._name_of)
        text = json.dumps(data, ensure_ascii=False)
        return text.replace("[{", "[\n  {").replace("}, {", "},\n  {").replace("}]", "}\n]")

    def _choose_name(self, name: str) -> None:
        self.show_reason("")
        if name == self._sort.bare:
            self._show_treatment(None)
        elif name != OWN:
            self._show_treatment(self._catalogue[name][0])

    def _note_edit(self) -> None:
        self.show_reason("")
        self.names.setCurrentText(OWN)
        self._show_source()
        self._show_plot()

    def _show_source(self) -> None:
        _, source = self._catalogue.get(self.names.currentText(), (None, ""))
        self.source.setText(source)
        self.source.setVisible(bool(source))

    def accept_value(self) -> None:
        name, text = self.names.currentText(), self.text.toPlainText().strip()
        if name != OWN or not text:
            bare = name in (self._sort.bare, OWN)
            self.close_unless_refused(self._act("" if bare else name))
            return
        try:
            data = json.loads(text)
        except ValueError as error:
            self.show_reason(f"This is no JSON: {error}.")
            return
        if isinstance(data, dict) and data.get("name") in self._catalogue:
            del data["name"]  # it is another one now
        self.close_unless_refused(self._act(data))


def sorts_of_object(obj: SceneObject) -> tuple[Sort, ...]:
    """The sorts of treatments that the edges of an object can have."""
    return tuple(sort for sort in SORTS if sort.change.can_treat(obj))


def edges_with_rows(document: Document, obj: SceneObject) -> tuple[LabelledEdge, ...]:
    """The edges of an object whose treatments Properties shows."""
    if not sorts_of_object(obj):
        return ()
    edges = labelled_edges(obj, document.edge_labels.get(obj.key, {}))
    treated = document.treatments
    return tuple(e for e in edges if len(edges) <= MOST_EDGES or treated.at_edge(obj.key, e.index))


def add_treatment_rows(form: Form, document: WorkDocument, obj: SceneObject) -> None:
    """Add a row for each edge, with a button for its coating and one for its finish."""
    edges, sorts = edges_with_rows(document.document, obj), sorts_of_object(obj)
    if edges:
        form.add_heading(
            "Edges", "What part of the light each edge reflects and transmits, and how it scatters."
        )
    for edge in edges:
        label = Part(f"Edge {edge.title}", lambda obj: None, "")
        form.add_row(label, row_layout(*_buttons(form, document, edge, sorts), spacing=theme.HALF))


def _buttons(
    form: Form, document: WorkDocument, edge: LabelledEdge, sorts: Sequence[Sort]
) -> list[QPushButton]:
    buttons = []
    for sort in sorts:
        part = Part(
            sort.noun.capitalize(),
            partial(_treatment_of, document, edge.index, sort.noun),
            "",
            tip=f"The {sort.noun} of this edge.",
        )
        button = push_button(
            "",
            partial(_pick_treatment, form, document, part, sort, edge),
            name=f"{part.label} of edge {edge.title}",
            role="",
        )
        button.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        form.call_on_update(partial(_update_button, form, part, sort, button))
        buttons.append(button)
    return buttons


def _treatment_of(
    document: WorkDocument, index: int, noun: str, obj: SceneObject
) -> Treated | None:
    return document.document.treatments.at_edge(obj.key, index).get(noun)


def _pick_treatment(
    form: Form, document: WorkDocument, part: Part, sort: Sort, edge: LabelledEdge
) -> None:
    (obj,) = form.values
    plot = _plot_of_coating(document, obj, edge) if sort.change is Coat else None
    TreatmentDialog(
        sort,
        f"edge {edge.title} of {elide_text(obj.title, 40)}",
        part.get(obj),
        partial(name_of_object, document.document.scene),
        lambda data: document.apply_or_refuse(sort.change.giving(obj.key, str(edge.index), data)),
        form,
        plot,
    ).open()


def _plot_of_coating(document: WorkDocument, obj: SceneObject, edge: LabelledEdge) -> CoatingPlot:
    """The plot of a coating on an edge, at the light of the scene."""
    from raybench_workbench.panels.coating_plot import (
        CoatingPlot,  # imports plots, which the first window does not need
    )

    waves = source_wavelengths(document.scene)
    wavelength = coating_wavelength(waves[len(waves) // 2] if waves else None)
    index = SUBSTRATE
    if isinstance(obj, GlassBody):
        index = abs(float(obj.index_at(np.array([edge.edge.shape.midpoint]), wavelength)[0]))
    return CoatingPlot(index, wavelength)


def _update_button(form: Form, part: Part, sort: Sort, button: QPushButton) -> None:
    now = part.common_value(form.values)
    title = now.title if now is not None else sort.bare
    button.setText(f"{literal_label_text(elide_text(title, LONGEST_NAME))}…")
    button.setToolTip(literal_tool_tip(title) if now is not None else part.tip)
