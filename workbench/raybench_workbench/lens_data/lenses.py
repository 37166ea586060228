"""The lens systems of a document, as the lens data panel needs them."""

from collections.abc import Sequence
from contextlib import suppress

from PySide6.QtCore import QObject, Signal

from raybench.agent.call.approval import ProposedEdit
from raybench.errors import RaybenchError
from raybench.lens.design import LensDesign
from raybench.lens.in_document import lens_design, lens_part, lens_parts, set_design
from raybench.presets.centred_lens import CentredLens
from raybench.scene.changes import Set
from raybench_workbench.document import Selection, WorkDocument
from raybench_workbench.translation import tr


class LensSystems(QObject):
    """The lens systems of a document by name, and the current one."""

    changed = Signal()
    """Another lens, another selection, or an edit."""

    def __init__(
        self, document: WorkDocument, selection: Selection, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._document, self._selection = document, selection
        self._chosen = ""
        document.changed.connect(lambda *_: self.changed.emit())
        selection.changed.connect(self._choose_selected_lens)
        self._choose_selected_lens(selection.keys)

    @property
    def names(self) -> Sequence[str]:
        return tuple(lens_parts(self._document.document))

    @property
    def current(self) -> str:
        """The name of the lens that the panels show: the one chosen or selected last, else the
        first; empty if there is none.
        """
        names = self.names
        return self._chosen if self._chosen in names else next(iter(names), "")

    def choose(self, name: str) -> None:
        """Make another lens the current one."""
        self._chosen = name
        self.changed.emit()

    def _choose_selected_lens(self, keys: frozenset[int]) -> None:
        parts = lens_parts(self._document.document).items()
        chosen = next((name for name, part in parts if keys & part.present_objects.keys()), "")
        if chosen:
            self.choose(chosen)

    def design(self, name: str) -> LensDesign:
        """The design of a lens, whose numbers are in the unit of the document."""
        return lens_design(self._document.document, name)

    def has_field_sources(self, name: str) -> bool:
        """Whether the scene contains the sources of a lens, which emit the light of its fields."""
        preset = lens_part(self._document.document, name).preset
        return isinstance(preset, CentredLens) and preset.sources

    def set_design(self, name: str, design: LensDesign, text: str) -> str:
        """Set the design of a lens as one history step described by ``text``. Returns the reason if
        it is refused.
        """
        change = set_design(self._document.document, name, design)
        return self._document.apply_or_refuse(change, text=text)

    def set_field_sources(self, name: str, on: bool) -> str:
        """Add the sources of a lens, which emit the light of its fields, to the scene, or remove
        them. Returns the reason if that is refused.
        """
        part = lens_part(self._document.document, name)
        change = Set(list(part.present_objects), {"sources": on})
        return self._document.apply_or_refuse(
            change, text=tr("{name}: sources {value}", name=name, value="on" if on else "off")
        )

    def propose_design(self, source: object, name: str, design: LensDesign | None) -> None:
        """Preview another design of a lens on the canvas; None removes the preview. ``source`` is
        the object that proposes the design.
        """
        edit = None
        if design is not None:
            changes = [set_design(self._document.document, name, design)]
            with suppress(RaybenchError):  # its surfaces may have no bodies
                edit = ProposedEdit.from_changes(changes, self._document.document)
        self._selection.propose_edit(source, edit, behind=True)
