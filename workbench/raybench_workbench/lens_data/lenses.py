"""The lenses of a document, as the lens data panel sees them."""

from collections.abc import Mapping

from PySide6.QtCore import QObject, Signal

from raybench.lens.design import LensDesign


class Lenses(QObject):
    """The lens parts of a document and the one that is selected. Parts are named by keys."""

    changed = Signal()
    """Another lens, another selection, or an edit."""

    @property
    def titles(self) -> Mapping[int, str]:
        """The titles of the lenses by their keys."""
        raise NotImplementedError

    @property
    def selected(self) -> int | None:
        """The lens of the selection; None without one."""
        raise NotImplementedError

    def design(self, key: int) -> LensDesign:
        """The design of a lens."""
        raise NotImplementedError

    def set_design(self, key: int, design: LensDesign, text: str) -> str:
        """Set the design of a lens as one step of the history with a text. Returns the reason if it is
        refused.
        """
        raise NotImplementedError

    def has_sources(self, key: int) -> bool:
        """Whether the light of the fields is on the bench."""
        raise NotImplementedError

    def set_sources(self, key: int, on: bool) -> str:
        """Put the light of the fields on the bench, or take it away. Returns as `set_design`."""
        raise NotImplementedError
