"""The lenses of a document, as the lens data panel sees them."""

from collections.abc import Sequence
from contextlib import suppress

from PySide6.QtCore import QObject, Signal

from raybench.agent.call.approval import Edit
from raybench.errors import RaybenchError
from raybench.lens.design import LensDesign
from raybench.lens.in_document import lens_design, lens_part, lens_parts, set_design
from raybench.presets.centred_lens import CentredLens
from raybench.scene.changes import Set
from raybench_workbench.document import Selection, WorkDocument
from raybench_workbench.translation import tr


class Lenses(QObject):
    """The lens systems of a document, by name, and the one that is selected."""

    changed = Signal()
    """Another lens, another selection, or an edit."""

    def __init__(
        self, document: WorkDocument, selection: Selection, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._document, self._selection = document, selection
        self._chosen = ""
        document.changed.connect(lambda *_: self.changed.emit())
        selection.changed.connect(self._follow_selection)
        self._follow_selection(selection.keys)

    @property
    def names(self) -> Sequence[str]:
        """The names of the lenses."""
        return tuple(lens_parts(self._document.document))

    @property
    def current(self) -> str:
        """The lens that the panels show: the last that was chosen or selected, else the first; empty
        without any.
        """
        names = self.names
        return self._chosen if self._chosen in names else next(iter(names), "")

    def choose(self, name: str) -> None:
        """Show another lens."""
        self._chosen = name
        self.changed.emit()

    def _follow_selection(self, keys: frozenset[int]) -> None:
        parts = lens_parts(self._document.document).items()
        chosen = next((name for name, part in parts if keys & part.present_objects.keys()), "")
        if chosen:
            self.choose(chosen)

    def design(self, name: str) -> LensDesign:
        """The design of a lens, whose numbers are in the unit of the document."""
        return lens_design(self._document.document, name)

    def has_sources(self, name: str) -> bool:
        """Whether the light of the fields is on the bench."""
        preset = lens_part(self._document.document, name).preset
        return isinstance(preset, CentredLens) and preset.sources

    def set_design(self, name: str, design: LensDesign, text: str) -> str:
        """Set the design of a lens as one step of the history with a text. Returns the reason if it is
        refused.
        """
        change = set_design(self._document.document, name, design)
        return self._document.apply_or_refuse(change, text=text)

    def set_sources(self, name: str, on: bool) -> str:
        """Put the light of the fields on the bench, or take it away. Returns as `set_design`."""
        part = lens_part(self._document.document, name)
        change = Set(list(part.present_objects), {"sources": on})
        return self._document.apply_or_refuse(
            change, text=tr("{name}: sources {value}", name=name, value="on" if on else "off")
        )

    def propose_design(self, by: object, name: str, design: LensDesign | None) -> None:
        """Preview a lens with another design on the canvas; None removes the preview. ``by`` proposes
        it.
        """
        edit = None
        if design is not None:
            changes = [set_design(self._document.document, name, design)]
            with suppress(RaybenchError):  # its surfaces may have no bodies
                edit = Edit.from_changes(changes, self._document.document)
        self._selection.propose_edit(by, edit, behind=True)
