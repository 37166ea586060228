"""The row of a form that shows the material of glass bodies and opens the dialog that picks
another.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtWidgets import QPushButton, QSizePolicy

from raybench.errors import elided
from raybench.kinds.glasses import HomogeneousGlass
from raybench_workbench.panels.form import SEVERAL, Form
from raybench_workbench.panels.form_part import Part
from raybench_workbench.words.plain_text import label_text, tool_tip

NONE, SEVERAL_TEXT = "none…", "several…"
LONGEST = 24
"""Letters of a material's name on the button; a longer one is in its tool tip."""
MATERIAL = Part(
    "Material",
    lambda o: _name(o),
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
        shown = elided(str(name), LONGEST)
        button.setText(
            SEVERAL_TEXT if name is SEVERAL else f"{label_text(shown)}…" if name else NONE
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
    names = {_name(o) for o in bodies}
    return names.pop() if len(names) == 1 else SEVERAL


def _name(body: HomogeneousGlass) -> str:
    own = body.material
    return own.material.name if own is not None else ""
