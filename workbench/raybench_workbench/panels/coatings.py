"""The rows of coatings in Properties, and the dialog that chooses a coating."""

import json
from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtWidgets import QComboBox, QPlainTextEdit, QPushButton, QSizePolicy, QWidget

from raybench.errors import elide_text
from raybench.kinds.object import SceneObject
from raybench.scene.changes import Coat
from raybench.scene.changes.coating import is_coatable
from raybench.scene.coatings import Coating, coating_catalogue
from raybench.scene.document import Document
from raybench.scene.labels import LabelledEdge, labelled_edges
from raybench_workbench.dialogs import ValueDialog
from raybench_workbench.document import WorkDocument
from raybench_workbench.panels.form import Form, Part
from raybench_workbench.texts import literal_label_text, literal_tool_tip
from raybench_workbench.widgets import WrappedLabel, column_layout, push_button

LONGEST_NAME = 24
"""Letters of a coating's name on the button; a longer one is in its tool tip."""
MOST_EDGES = 12
"""Of an object with more edges, only those with a coating have a row."""
NONE, OWN = "none", "as written below"


class CoatingDialog(ValueDialog):
    """The dialog that chooses the coating of an edge: one of the catalogue, or JSON, in which
    thicknesses can be changed. OK calls ``act`` with the JSON, or an empty text for none; the dialog
    closes unless ``act`` returns a reason to refuse it.
    """

    def __init__(
        self,
        edge: str,
        coating: Coating | None,
        act: Callable[[Any], str],
        parent: QWidget,
    ) -> None:
        self._act = act
        self.names = QComboBox()
        self.names.setAccessibleName("Coating")
        self.names.addItems([NONE, *coating_catalogue(), OWN])
        self.source = WrappedLabel("", role="dim")
        self.text = QPlainTextEdit()
        self.text.setAccessibleName("The coating as JSON")
        self.text.setTabChangesFocus(True)
        self.text.setFixedHeight(10 * self.text.fontMetrics().lineSpacing())
        area = QWidget()
        column_layout(self.names, self.source, self.text, on=area)
        area.setFocusProxy(self.names)
        super().__init__(
            "Coating",
            f"The coating of {edge}. Films are listed from the surroundings to the body;"
            " thicknesses and wavelengths are in nm.",
            area,
            parent,
            480,
        )
        self._show_coating(coating)
        self.names.textActivated.connect(self._choose_name)
        self.text.textChanged.connect(self._note_edit)

    def _show_coating(self, coating: Coating | None) -> None:
        known = coating_catalogue().get(coating.name) if coating is not None else None
        is_known = known is not None and known[0] == coating
        self.names.setCurrentText(NONE if coating is None else coating.name if is_known else OWN)
        self._show_source()
        self.text.blockSignals(True)
        self.text.setPlainText("" if coating is None else _json_text(coating))
        self.text.blockSignals(False)

    def _choose_name(self, name: str) -> None:
        self.show_reason("")
        if name == NONE:
            self._show_coating(None)
        elif name != OWN:
            self._show_coating(coating_catalogue()[name][0])

    def _note_edit(self) -> None:
        self.show_reason("")
        self.names.setCurrentText(OWN)
        self._show_source()

    def _show_source(self) -> None:
        _, source = coating_catalogue().get(self.names.currentText(), (None, ""))
        self.source.setText(source)
        self.source.setVisible(bool(source))

    def accept_value(self) -> None:
        name, text = self.names.currentText(), self.text.toPlainText().strip()
        if name != OWN or not text:
            self.close_unless_refused(self._act("" if name in (NONE, OWN) else name))
            return
        try:
            data = json.loads(text)
        except ValueError as error:
            self.show_reason(f"This is no JSON: {error}.")
            return
        if isinstance(data, dict) and data.get("name") in coating_catalogue():
            del data["name"]  # it is another coating now
        self.close_unless_refused(self._act(data))


def _json_text(coating: Coating) -> str:
    """A coating as JSON, with a line for each film."""
    text = json.dumps(coating.to_json(), ensure_ascii=False)
    return text.replace("[{", "[\n  {").replace("}, {", "},\n  {").replace("}]", "}\n]")


def edges_with_rows(document: Document, obj: SceneObject) -> tuple[LabelledEdge, ...]:
    """The edges of an object whose coatings Properties shows."""
    if not is_coatable(obj):
        return ()
    edges = labelled_edges(obj, document.edge_labels.get(obj.key, {}))
    own = document.coatings.get(obj.key, {})
    return tuple(e for e in edges if len(edges) <= MOST_EDGES or e.index in own)


def add_coating_rows(form: Form, document: WorkDocument, obj: SceneObject) -> None:
    """Add a row with the coating of each edge, a button that opens the dialog."""
    edges = edges_with_rows(document.document, obj)
    if edges:
        form.add_heading("Coatings", "What part of the light each edge reflects and transmits.")
    for edge in edges:
        part = Part(
            f"Edge {edge.title}",
            partial(_coating_of, document, edge.index),
            "",
            tip="The coating of this edge; without one, it is bare.",
        )
        button = push_button(
            "",
            partial(_pick_coating, form, document, part, edge),
            name=f"Coating of edge {edge.title}",
            role="",
        )
        button.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        form.add_row(part, button)
        form.call_on_update(partial(_update_button, form, part, button))


def _coating_of(document: WorkDocument, index: int, obj: SceneObject) -> Coating | None:
    return document.document.coatings.get(obj.key, {}).get(index)


def _pick_coating(form: Form, document: WorkDocument, part: Part, edge: LabelledEdge) -> None:
    (obj,) = form.values
    CoatingDialog(
        f"edge {edge.title} of {elide_text(obj.title, 40)}",
        part.get(obj),
        lambda data: document.apply_or_refuse(Coat(obj.key, str(edge.index), data)),
        form,
    ).open()


def _update_button(form: Form, part: Part, button: QPushButton) -> None:
    coating = part.common_value(form.values)
    title = coating.title if coating is not None else NONE
    button.setText(f"{literal_label_text(elide_text(title, LONGEST_NAME))}…")
    button.setToolTip(literal_tool_tip(title) if coating is not None else part.tip)
