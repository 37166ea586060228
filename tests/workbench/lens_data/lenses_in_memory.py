"""Lenses with a history of their own, for a lens data panel without a document."""

from __future__ import annotations

from raybench.lens.design import LensDesign
from raybench.lens.prescription import Field, Prescription, Surface

TRIPLET = LensDesign(
    Prescription(
        (
            Surface(22.01359, 3.25896, "N-SK16", comment="Front"),
            Surface(-435.76044, 6.00755),
            Surface(-22.21328, 0.99997, "N-F2", comment="Flint"),
            Surface(20.29192, 4.75041),
            Surface(79.68360, 2.95208, "N-SK16", comment="Rear"),
            Surface(-18.39533, 42.20778),
        ),
        stop=3,
        fields=(Field(0), Field(14), Field(20)),
    )
)


class LensesInMemory(QObject):
    """Designs by name, with the members of `raybench_workbench.lens_data.lenses.Lenses`."""

    changed = Signal()

    def __init__(self, **designs: LensDesign) -> None:
        super().__init__()
        self.designs = designs
        self.steps: list[str] = []
        self.selected = ""
        self.sources = False

    @property
    def names(self):
        return tuple(self.designs)

    def design(self, name):
        return self.designs[name]

    def set_design(self, name, design, text):
        self.designs[name] = design
        self.steps.append(text)
        self.changed.emit()
        return ""

    def has_sources(self, name):
        return self.sources

    def set_sources(self, name, on):
        self.sources = on
        return ""
