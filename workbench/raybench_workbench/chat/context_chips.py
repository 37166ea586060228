"""The chips above the input field of the chat. They show the context sent to the model with a
question: selected objects and highlighted rays.
"""

from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

from raybench.agent.turn.project_notes import NOTES_FILE, ProjectNotes
from raybench.analysis.answers.words import grouped_digits, ray_count_text
from raybench.errors import elide_text, in_quotes, list_first_texts
from raybench_workbench import theme
from raybench_workbench.document import Selection, WorkDocument
from raybench_workbench.texts import literal_label_text, literal_tool_tip
from raybench_workbench.translation import tr
from raybench_workbench.widgets import describe_widget, row_layout

MAX_CHIPS = 3
"""Number of selected objects with a chip each; the others share one."""
MAX_NAMES = 30
"""Number of selected objects whose names are sent."""
MAX_CHARACTERS = 16
"""Length of a chip's text."""


@dataclass(frozen=True)
class _ContextItem:
    """One item of context: the keys of selected objects, the highlighted rays, or the notes of the
    project.
    """

    title: str
    about: str
    keys: frozenset[int] = frozenset()
    notes: ProjectNotes | None = None


class ContextChips(QWidget):
    """Chips for the context that the model gets besides the message. A click on a chip omits its
    item until the item changes. The widget is hidden if there is no chip or no model.
    """

    def __init__(
        self, document: WorkDocument, selection: Selection, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._document, self._selection = document, selection
        self._omitted: set[_ContextItem] = set()
        self.model = False
        self._notes: ProjectNotes | None = None
        self.chips: list[QPushButton] = []
        self._line = row_layout(1, on=self, margins=0, spacing=theme.HALF)
        self._shown: tuple[_ContextItem, ...] = ()
        selection.changed.connect(self._restore_omitted_selection)
        document.viewChanged.connect(self._refresh_chips)
        document.changed.connect(self._refresh_chips)
        self.hide()

    def set_model_connected(self, connected: bool) -> None:
        """Set whether a model is connected."""
        self.model = connected
        self._refresh_chips()

    def show_notes(self, notes: ProjectNotes | None) -> None:
        """Show the notes of the project; None if there are none."""
        self._notes = notes
        self._refresh_chips()

    @property
    def includes_notes(self) -> bool:
        """Whether the notes of the project may be sent to the model."""
        return not any(item.notes is not None for item in self._omitted)

    @property
    def text(self) -> str:
        """The context as text for the model; empty if there is none."""
        scene = self._document.document.scene
        keys = [key for item in self._shown for key in item.keys]
        names = [in_quotes(o.title) for o in scene.objects if o.key in keys]
        parts = [f"Selected on the canvas: {list_first_texts(names, MAX_NAMES)}."] if names else []
        lit = [item for item in self._shown if not item.keys and item.notes is None]
        parts += [f"Lit on the canvas: {item.about}." for item in lit]
        return f"[{' '.join(parts)}]" if parts else ""

    def _context_items(self) -> tuple[_ContextItem, ...]:
        if not self.model:
            return ()
        chosen = [o for o in self._document.document.scene.objects if o.key in self._selection.keys]
        items = [
            _ContextItem(
                elide_text(o.title, MAX_CHARACTERS),
                tr("{title} is selected", title=o.title),
                frozenset({o.key}),
            )
            for o in chosen[:MAX_CHIPS]
        ]
        if rest := frozenset(o.key for o in chosen[MAX_CHIPS:]):
            items.append(
                _ContextItem(
                    tr("{count} more", count=len(rest)),
                    tr("{count} more objects are selected", count=len(rest)),
                    rest,
                )
            )
        lit = self._document.session.view.highlight
        if lit is not None and lit.revision == self._document.document.revision:
            count = ray_count_text(len(lit))
            what = f"{count}: {lit.question}" if lit.question else count
            items.append(
                _ContextItem(lit.name or count, f"{lit.name} ({what})" if lit.name else what)
            )
        if (notes := self._notes) is not None:
            size = tr("{count} characters", count=grouped_digits(len(notes.text)))
            cut = tr(
                ", the first of {count}",
                count=grouped_digits(len(notes.text) + notes.omitted),
            )
            about = tr(
                "the notes of {path} ({size}{value})",
                path=notes.path,
                size=size,
                value=cut if notes.omitted else "",
            )
            if notes.unread:
                about = tr(
                    "the notes of {path} cannot be read ({unread})",
                    path=notes.path,
                    unread=notes.unread,
                )
            items.append(_ContextItem(NOTES_FILE, about, notes=notes))
        return tuple(items)

    def _refresh_chips(self, *_: object) -> None:
        items = self._context_items()
        self._omitted &= set(items)
        shown = tuple(item for item in items if item not in self._omitted)
        if shown == self._shown:
            return
        self._shown = shown
        for chip in self.chips:
            chip.hide()
            chip.deleteLater()
        self.chips = [self._make_chip(item) for item in shown]
        for i, chip in enumerate(self.chips):
            self._line.insertWidget(i, chip)
            chip.show()
        self.setVisible(bool(self.chips))

    def _make_chip(self, item: _ContextItem) -> QPushButton:
        chip = describe_widget(
            QPushButton(literal_label_text(f"{item.title} ×"), self),
            name=tr("Leave out: {about}", about=item.about),
            tip=literal_tool_tip(
                tr("The model is told: {about}. Click to leave it out.", about=item.about)
            ),
            role="chip",
        )
        chip.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        chip.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        chip.clicked.connect(lambda: self._omit_items(item))
        return chip

    def _omit_items(self, *items: _ContextItem) -> None:
        self._omitted |= {*items}
        self._refresh_chips()

    def _restore_omitted_selection(self, _keys: object) -> None:
        self._omitted = {item for item in self._omitted if item.notes is not None}
        self._refresh_chips()
