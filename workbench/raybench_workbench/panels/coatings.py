"""The rows of coatings in Properties."""

from functools import partial

import numpy as np
from PySide6.QtWidgets import QPushButton, QSizePolicy

from raybench.errors import elide_text
from raybench.kinds.glasses import GlassBody
from raybench.kinds.object import SceneObject
from raybench.scene.changes import Coat
from raybench.scene.changes.coating import is_coatable
from raybench.scene.coatings import NO_COATING, SUBSTRATE, Coating, coating_wavelength
from raybench.scene.document import Document
from raybench.scene.labels import LabelledEdge, labelled_edges
from raybench.scene.materials import source_wavelengths
from raybench_workbench.document import WorkDocument
from raybench_workbench.panels.form import Form, Part
from raybench_workbench.texts import literal_label_text, literal_tool_tip
from raybench_workbench.widgets import push_button

LONGEST_NAME = 24
"""Letters of a coating's name on the button; a longer one is in its tool tip."""
MOST_EDGES = 12
"""Of an object with more edges, only those with a coating have a row."""


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
    from raybench_workbench.panels.coating_dialog import (
        CoatingDialog,  # imports plots, which the first window does not need
    )

    (obj,) = form.values
    waves = source_wavelengths(document.scene)
    middle = coating_wavelength(waves[len(waves) // 2] if waves else None)
    index = SUBSTRATE
    if isinstance(obj, GlassBody):
        index = abs(float(obj.index_at(np.array([edge.edge.shape.midpoint]), middle)[0]))
    CoatingDialog(
        f"edge {edge.title} of {elide_text(obj.title, 40)}",
        part.get(obj),
        lambda data: document.apply_or_refuse(Coat(obj.key, str(edge.index), data)),
        form,
        index=index,
        wavelength=middle,
    ).open()


def _update_button(form: Form, part: Part, button: QPushButton) -> None:
    coating = part.common_value(form.values)
    title = coating.title if coating is not None else NO_COATING
    button.setText(f"{literal_label_text(elide_text(title, LONGEST_NAME))}…")
    button.setToolTip(literal_tool_tip(title) if coating is not None else part.tip)
