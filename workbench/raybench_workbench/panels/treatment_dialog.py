"""The dialog that chooses the coating or the finish of an edge."""

import json
from collections.abc import Callable
from typing import Any, NamedTuple

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from raybench.scene.changes import Coat, FinishEdge
from raybench.scene.changes.treating import TreatmentChange
from raybench.scene.treatments import EdgeTreatment, treatment_with_target
from raybench_workbench.dialogs import ValueDialog
from raybench_workbench.translation import tr
from raybench_workbench.widgets import WrappedLabel

OWN = tr("as written below")
COLUMN_WIDTH, LONE_COLUMN_WIDTH = 300, 480
"""The width of the column of the treatment beside something else, and alone, in pixels."""


class TreatmentKind(NamedTuple):
    """Coatings or finishes as a kind of treatment: the change that applies it, the text for an
    untreated edge, and the help text of the dialog.
    """

    change: type[TreatmentChange]
    bare: str
    about: str

    @property
    def noun(self) -> str:
        return self.change.treatment.noun


TREATMENT_KINDS = COATINGS, FINISHES = (
    TreatmentKind(
        Coat,
        tr("no coating"),
        tr(
            "Films are listed from the surroundings to the body; thicknesses and"
            " wavelengths are in nm."
        ),
    ),
    TreatmentKind(
        FinishEdge,
        tr("no finish"),
        tr(
            "A reflectance makes it a paint; total is the scattered part of the light at"
            " normal incidence, rays the number of scattered rays of a hit, towards the"
            " name of an object to which half of them go."
        ),
    ),
)


class TreatmentDialog(ValueDialog):
    """The dialog that chooses the coating or the finish of an edge: one of the catalogue, or JSON
    with editable values. OK calls ``act`` with the name, with the JSON, or with an empty text for
    no treatment; the dialog closes unless ``act`` returns a reason to refuse it.

    ``beside`` is a widget shown beside the choice, for which the dialog is ``width`` pixels wider.
    ``name_of`` returns the name of an object that a treatment refers to.
    """

    written = Signal()
    """What is written has changed."""

    def __init__(
        self,
        kind: TreatmentKind,
        edge: str,
        treatment: EdgeTreatment | None,
        act: Callable[[Any], str],
        parent: QWidget,
        *,
        name_of: Callable[[int], str | None] = lambda key: None,
        beside: QWidget | None = None,
        width: int = 0,
    ) -> None:
        self._kind, self._name_of, self._act = kind, name_of, act
        self._catalogue = kind.change.treatment.catalogue()
        title = tr(kind.noun.capitalize())
        self.names = QComboBox()
        self.names.setAccessibleName(title)
        self.names.addItems([kind.bare, *self._catalogue, OWN])
        self.source = WrappedLabel("", role="dim")
        self.text = QPlainTextEdit()
        self.text.setAccessibleName(tr("The {noun} as JSON", noun=tr(kind.noun)))
        self.text.setTabChangesFocus(True)
        area, column = QWidget(), QVBoxLayout()
        row = QHBoxLayout(area)
        row.setContentsMargins(0, 0, 0, 0)
        row.addLayout(column)
        for widget in (self.names, self.source, self.text):
            column.addWidget(widget)
            if beside is not None:
                widget.setFixedWidth(COLUMN_WIDTH)
        if beside is None:
            self.text.setFixedHeight(10 * self.text.fontMetrics().lineSpacing())
        else:
            row.addWidget(beside, 1)
        area.setFocusProxy(self.names)
        about = tr("The {noun} of {edge}. {about}", noun=tr(kind.noun), edge=edge, about=kind.about)
        super().__init__(
            title, about, area, parent, COLUMN_WIDTH + width if width else LONE_COLUMN_WIDTH
        )
        self._show_treatment(treatment)
        self.names.textActivated.connect(self._choose_name)
        self.text.textChanged.connect(self._record_edit)

    def _show_treatment(self, treatment: EdgeTreatment | None) -> None:
        known = self._catalogue.get(treatment.name) if treatment is not None else None
        is_known = known is not None and known[0] == treatment
        name = self._kind.bare if treatment is None else treatment.name if is_known else OWN
        self.names.setCurrentText(name)
        self._show_source()
        self.text.blockSignals(True)
        self.text.setPlainText("" if treatment is None else self._json_text(treatment))
        self.text.blockSignals(False)
        self.written.emit()

    def _json_text(self, treatment: EdgeTreatment) -> str:
        """A treatment as JSON, with one line for each film and with the name of its target object."""
        data = treatment_with_target(treatment.to_json(), self._name_of)
        text = json.dumps(data, ensure_ascii=False)
        return text.replace("[{", "[\n  {").replace("}, {", "},\n  {").replace("}]", "}\n]")

    def _choose_name(self, name: str) -> None:
        self.show_reason("")
        if name == self._kind.bare:
            self._show_treatment(None)
        elif name != OWN:
            self._show_treatment(self._catalogue[name][0])

    def _record_edit(self) -> None:
        self.show_reason("")
        self.names.setCurrentText(OWN)
        self._show_source()
        self.written.emit()

    def _show_source(self) -> None:
        _, source = self._catalogue.get(self.names.currentText(), (None, ""))
        self.source.setText(source)
        self.source.setVisible(bool(source))

    def accept_value(self) -> None:
        name, text = self.names.currentText(), self.text.toPlainText().strip()
        if name != OWN or not text:
            bare = name in (self._kind.bare, OWN)
            self.close_unless_refused(self._act("" if bare else name))
            return
        try:
            data = json.loads(text)
        except ValueError as error:
            self.show_reason(tr("This is no JSON: {error}.", error=error))
            return
        if isinstance(data, dict) and data.get("name") in self._catalogue:
            del data["name"]  # it is another one now
        self.close_unless_refused(self._act(data))
