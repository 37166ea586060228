"""The lens data panel: the surfaces of a lens as a table; its aperture, fields and wavelengths; its
key data and its faults.
"""

import math
import threading
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QItemSelectionModel, QPoint, QRect, QSignalBlocker, QSize, Qt
from PySide6.QtGui import QAction, QKeySequence, QPainter, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QApplication,
    QHeaderView,
    QMenu,
    QScrollArea,
    QStackedWidget,
    QToolButton,
    QWidget,
)

from raybench.errors import RaybenchError
from raybench.lens.checks import LensChecks, check_lens
from raybench.lens.columns import DIGITS, RADIUS, SEMI_DIAMETER
from raybench.lens.design import LensDesign
from raybench.lens.glass import glass_names
from raybench.lens.prescription import Prescription
from raybench.lens.rows import (
    row_surface,
    with_inserted_surface,
    with_mirror,
    with_moved_surfaces,
    with_pasted_rows,
    with_reversed_surfaces,
    with_scaled_lengths,
    with_split_cement,
    without_surfaces,
)
from raybench_workbench import theme
from raybench_workbench.lens_data.cell_table import CellTable, Role
from raybench_workbench.lens_data.dialogs import ScaleDialog
from raybench_workbench.lens_data.lens_summary import lens_summary_text
from raybench_workbench.lens_data.lenses import LensSystems
from raybench_workbench.lens_data.links import LinkMenu
from raybench_workbench.lens_data.surface_model import SurfaceModel
from raybench_workbench.lens_data.system_form import FORM_WIDTH, SystemForm
from raybench_workbench.translation import tr, translate_phrase, with_decimal_point
from raybench_workbench.widgets import (
    ElidedChoice,
    Hint,
    WrappedLabel,
    column_layout,
    describe_widget,
    push_button,
    row_layout,
    set_vertical_scrolling,
    tab_separated_text,
)
from raybench_workbench.window.keyboard import leave_wheel_to_form

HINT = tr(
    "No lens yet. The prescription of a lens system is edited here as a table:"
    " radii, thicknesses, glasses. Insert > Lenses > Lens system makes one; File"
    " > Import lens reads .zmx, .seq and .len."
)
SPLIT_GAP = 1e-2
"""The air between the surfaces of a split cement, relative to their semi-diameter."""
NARROW_WIDTH = 560
"""Width in pixels below which the system stands in place of the table."""
MAX_NEAR_GLASSES = 3
"""Near glasses that are offered as buttons."""


class LensDataPanel(QWidget):
    """The panel that edits the lenses of a document. ``insert`` and ``read_file`` are the actions
    offered while the document has no lens.
    """

    def __init__(
        self,
        lenses: LensSystems,
        insert: Callable[[], object],
        read_file: Callable[[], object],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        theme.set_role(self, "panel")
        self._lenses = lenses
        self._name = ""
        self._shows_system = {True: False, False: True}
        """Whether the system is shown, where there is little room and where there is enough."""
        self.lens = describe_widget(ElidedChoice(self), name=tr("Lens"))
        leave_wheel_to_form(self.lens)
        self.lens.activated.connect(lambda _: lenses.choose(self.lens.currentText()))
        self.model = SurfaceModel(self._change_design, self)
        self.table = CellTable(self.model, tr("Surfaces of the lens"), self)
        self.table.setVerticalHeader(_RowTitles(self.table))
        self.table.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.table.customContextMenuRequested.connect(self._open_context_menu)
        self.table.selectionModel().currentChanged.connect(lambda *_: self._show_notes())
        self.table.verticalHeader().sectionDoubleClicked.connect(
            lambda row: self._set_stop(row - 1)
        )
        self.model.refused.connect(self._show_notes)
        self.model.tried.connect(self._show_trial)
        self.form = SystemForm(self._change_design, self)
        self.form.sources.clicked.connect(self._set_sources)
        self.rows = describe_widget(
            QToolButton(), name=tr("Edit"), tip=tr("Insert, delete, move, reverse, scale")
        )
        self.rows.setText(tr("Edit ▾"))
        self.rows.clicked.connect(self._open_menu_below_button)
        self.system = describe_widget(
            QToolButton(), name=tr("System"), tip=tr("Aperture, fields and wavelengths")
        )
        self.system.setText(tr("System"))
        self.system.setCheckable(True)
        self.system.toggled.connect(self._show_system_form)
        self.figures = WrappedLabel(role="dim", selectable=True)
        self.figures.setAccessibleName(tr("First order"))
        self.notes = describe_widget(WrappedLabel(role="error"), name=tr("What is wrong"))
        self._near = row_layout(margins=0, spacing=theme.HALF)
        bar = describe_widget(QWidget(), role="bar")
        row_layout(
            (self.lens, 0), self.rows, self.system, (self.figures, 1), on=bar,
            margins=(theme.GRID, 2, theme.GRID, 2),
        )  # fmt: skip
        self._side = QScrollArea()
        set_vertical_scrolling(self._side, self.form, tr("System of the lens"))
        below = QWidget()
        row_layout((self.notes, 1), self._near, on=below, margins=(theme.GRID, 2, theme.GRID, 2))
        self._below = below
        middle = row_layout((self.table, 1), self._side, margins=0, spacing=0)
        page = QWidget()
        column_layout(bar, (middle, 1), below, on=page, margins=0, spacing=0)
        empty = QWidget()
        buttons = row_layout(
            1,
            push_button(tr("Insert a lens system"), insert, role=""),
            push_button(tr("Import a lens file…"), read_file, role=""),
            1,
        )
        column_layout(1, Hint(HINT), buttons, 1, on=empty)
        self.stack = QStackedWidget(self)
        self.stack.addWidget(empty)
        self.stack.addWidget(page)
        column_layout(self.stack, on=self, margins=0)
        self._links = LinkMenu(self.model, self._apply_edit, self)
        self._add_actions()
        lenses.changed.connect(self._show_current_lens)
        # the names of all glasses are read before the first is typed
        threading.Thread(target=glass_names, daemon=True).start()

    # --- what is shown

    @property
    def design(self) -> LensDesign | None:
        """The design of the current lens."""
        return self.model.design

    def _show_current_lens(self) -> None:
        """Show the current lens. Does nothing while the panel is hidden."""
        if not self.isVisible():
            return
        names = self._lenses.names
        with QSignalBlocker(self.lens):
            self.lens.clear()
            self.lens.addItems(names)
        self.lens.setVisible(len(names) > 1)
        self._show_lens(self._lenses.current)

    def _show_lens(self, name: str) -> None:
        is_other, self._name = name != self._name, name
        design = self._lenses.design(name) if name else None
        self.stack.setCurrentIndex(design is not None)
        if is_other:
            self.model.extra_terms = 0
            self.model.refusals.clear()
            self.table.setProperty("fitted", None)
        if design is None:
            self.model.show_design(None)
            return
        self.lens.setCurrentText(name)
        self.form.sources.setChecked(self._lenses.has_field_sources(name))
        if not is_other and design == self.design:
            return
        at = self.table.currentIndex()
        self.model.show_design(design)
        if not self.table.currentIndex().isValid():  # the table has other rows
            row = min(max(at.row(), 1), self.model.rowCount() - 1)
            self.table.setCurrentIndex(self.model.index(row, max(at.column(), 0)))
        self.form.show_design(design)
        self.table.fit_columns()
        self._show_summary(design.system, self.model.checks)
        self._show_notes()

    def _show_summary(self, system: Prescription, checks: LensChecks) -> None:
        self.figures.setText(lens_summary_text(system, checks, brief=self.width() < NARROW_WIDTH))

    def _show_trial(self, row: int, column: int, text: str) -> None:
        """Show the key data that the lens would have with the text that is being typed."""
        if self.design is None:
            return
        system, checks = self.design.system, self.model.checks
        if text:
            try:
                system = self.model.trial_design(row, column, with_decimal_point(text)).system
                checks = check_lens(system)
            except RaybenchError:
                return  # it is not yet typed in full
        self._show_summary(system, checks)

    def _show_notes(self) -> None:
        """Show why the input of the current cell is refused, else the faults of its row, else the
        faults of other rows.
        """
        if self.design is None:
            return
        at, model = self.table.currentIndex(), self.model
        here = model.refusals.get((at.row(), at.column()))
        others = [
            f"{model.row_description(row).capitalize()}: {refusal.reason}"
            for (row, _), refusal in model.refusals.items()
        ]
        findings = [translate_phrase(f.text) for f in model.checks.findings]
        first = here.reason if here is not None else model.row_problems(at.row())
        text = next(filter(None, [first, *others, *findings]), "")
        more = len(set(findings) - {text}) if here is None and text in findings else 0
        self.notes.setText(tr("{words} And {more} more.", words=text, more=more) if more else text)
        while (item := self._near.takeAt(0)) is not None:
            if (old := item.widget()) is not None:
                old.hide()
                old.deleteLater()
        for name in here.suggestions[:MAX_NEAR_GLASSES] if here is not None else ():
            use = partial(self._set_cell_text, at.row(), at.column(), name)
            self._near.addWidget(push_button(tr("Use {name}", name=name), use))
        self._below.setVisible(bool(text))

    def _show_system_form(self, on: bool) -> None:
        self._shows_system[self.width() < NARROW_WIDTH] = on
        self._arrange_table_and_form()

    def _arrange_table_and_form(self) -> None:
        """Show the table and the system form side by side, or only one of them if there is little
        space.
        """
        narrow = self.width() < NARROW_WIDTH
        on = self._shows_system[narrow]
        with QSignalBlocker(self.system):
            self.system.setChecked(on)
        if self.design is not None:
            self._show_summary(self.design.system, self.model.checks)
        self._side.setVisible(on)
        self.table.setVisible(not (on and narrow))
        if on and narrow:
            self._side.setMinimumWidth(0)
            self._side.setMaximumWidth(16_777_215)
        else:
            wide = max(FORM_WIDTH, self.form.minimumSizeHint().width())
            self._side.setFixedWidth(wide + self._side.verticalScrollBar().sizeHint().width())

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._show_current_lens()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange_table_and_form()

    # --- edits

    def _change_design(self, design: LensDesign, description: str) -> str:
        """Set another design as one history step; returns the reason if it is refused."""
        text = f"{self._name}: {description[0].lower()}{description[1:]}"
        return self._lenses.set_design(self._name, design, text)

    def _apply_edit(
        self, change_design: Callable[[LensDesign], LensDesign], description: str
    ) -> str:
        """Change the design by the function ``change_design``. The reason of a refusal is shown
        below the table and returned.
        """
        if self.design is None:
            return ""
        before = _link_count(self.design)
        try:
            design = change_design(self.design)
            lost = before - _link_count(design)
            if lost > 0:
                description += (
                    tr(", with 1 link or variable")
                    if lost == 1
                    else tr(", with {count} links or variables", count=lost)
                )
            reason = self._change_design(design, description)
        except RaybenchError as error:
            reason = str(error)
        if reason:
            self.notes.setText(reason)
            self._below.show()
        return reason

    @property
    def _selected_range(self) -> tuple[int, int]:
        """The indices of the first and the last surface in the selected rows. The last is smaller
        than the first if no surface is selected.
        """
        last = self.model.rowCount() - 2
        rows = [i.row() for i in self.table.selectionModel().selectedIndexes()]
        rows = [row for row in rows or [self.table.currentIndex().row()] if 1 <= row <= last]
        return (min(rows) - 1, max(rows) - 1) if rows else (0, -1)

    def _set_cell_text(self, row: int, column: int, text: str) -> None:
        self.model.setData(self.model.index(row, column), text)

    def _select_rows(self, first: int, last: int) -> None:
        """Select the rows of the surfaces from ``first`` to ``last``, by index."""
        column = max(self.table.currentIndex().column(), 0)
        self.table.setCurrentIndex(self.model.index(first + 1, column))
        flags = QItemSelectionModel.SelectionFlag
        if last > first:
            for row in range(first, last + 1):
                self.table.selectionModel().select(
                    self.model.index(row + 1, 0), flags.Select | flags.Rows
                )

    def insert_surface_before(self) -> None:
        """Insert a surface before the current row."""
        index = min(max(self.table.currentIndex().row() - 1, 0), self.model.rowCount() - 2)
        if not self._apply_edit(
            partial(with_inserted_surface, index=index),
            tr("Surface {index} inserted", index=index + 1),
        ):
            self._select_rows(index, index)

    def insert_surface_after(self) -> None:
        """Insert a surface after the current row."""
        index = min(max(self.table.currentIndex().row(), 0), self.model.rowCount() - 2)
        if not self._apply_edit(
            partial(with_inserted_surface, index=index),
            tr("Surface {index} inserted", index=index + 1),
        ):
            self._select_rows(index, index)

    def delete_selected_surfaces(self) -> None:
        """Delete the surfaces of the selected rows."""
        first, last = self._selected_range
        if first <= last and not self._apply_edit(
            partial(without_surfaces, first=first, last=last),
            tr("{rows} deleted", rows=_rows_text(first, last)),
        ):
            first = min(first, self.model.rowCount() - 3)
            self._select_rows(first, first)

    def move_selected_surfaces(self, count: int) -> None:
        """Move the surfaces of the selected rows up or down."""
        first, last = self._selected_range
        if first <= last and not self._apply_edit(
            partial(with_moved_surfaces, first=first, last=last, by=count),
            tr("{rows} moved", rows=_rows_text(first, last)),
        ):
            self.table.clearSelection()
            self._select_rows(first + count, last + count)

    def reverse_selected_surfaces(self) -> None:
        """Reverse the surfaces of the selected rows, or all surfaces if only one is selected."""
        first, last = self._selected_range
        if first >= last:
            first, last = 0, self.model.rowCount() - 3
        self._apply_edit(
            partial(with_reversed_surfaces, first=first, last=last),
            tr("{rows} reversed", rows=_rows_text(first, last)),
        )

    def split_cemented_surface(self) -> None:
        """Split the cemented surface of the current row into two surfaces with a small air gap."""
        first, last = self._selected_range
        halves = self.model.checks.semi_diameters
        gap = (
            float(f"{SPLIT_GAP * (halves[first] if halves else 1.0):.1g}") if first <= last else 0.0
        )
        if first <= last:
            self._apply_edit(
                partial(with_split_cement, index=first, gap=gap),
                tr("Surface {first} split", first=first + 1),
            )

    def make_mirror(self) -> None:
        """Make the surface of the current row a mirror, or a refracting surface if it is one."""
        first, last = self._selected_range
        if first <= last:
            self._apply_edit(
                partial(with_mirror, index=first), tr("Mirror at surface {first}", first=first + 1)
            )

    def _set_stop(self, index: int) -> None:
        def stopped(design: LensDesign) -> LensDesign:
            return replace(design, system=replace(design.system, stop=index))

        if 0 <= index <= self.model.rowCount() - 3:
            self._apply_edit(stopped, tr("Stop at surface {index}", index=index + 1))

    def put_stop(self) -> None:
        """Make the surface of the current row the aperture stop."""
        first, last = self._selected_range
        if first <= last:
            self._set_stop(first)

    def ask_scale(self) -> None:
        """Ask for a scale factor or a focal length, and scale the lens."""
        if self.design is None:
            return
        first = self.model.checks.first

        def scale(factor: float) -> str:
            return self._apply_edit(
                partial(with_scaled_lengths, factor=factor),
                tr("Scaled by {factor:.6g}", factor=factor),
            )

        length = first.focal_length if first is not None else math.inf
        ScaleDialog(length, self.design.system.unit, scale, self).open()

    def _set_sources(self, on: bool) -> None:
        if reason := self._lenses.set_field_sources(self._name, on):
            self.form.sources.setChecked(not on)
            self.notes.setText(reason)
            self._below.show()

    # --- copy and paste

    def copy(self) -> None:
        """Copy the selected cell, or the selected rows with the column titles."""
        if self.design is None:
            return
        chosen = self.table.selectionModel().selectedIndexes()
        if len(chosen) == 1:
            QApplication.clipboard().setText(str(chosen[0].data(Role.EditRole)))
            return
        rows, system = sorted({i.row() for i in chosen}), self.design.system
        titles = [tr("Surface"), *(c.title for c in self.model.columns)]
        lines = [
            [
                str(self.model.headerData(row, Qt.Orientation.Vertical)),
                *(
                    c.text(row_surface(system, row), DIGITS)
                    if self.model.flags(self.model.index(row, k)) & Qt.ItemFlag.ItemIsEditable
                    else ""
                    for k, c in enumerate(self.model.columns)
                ),
            ]
            for row in rows
        ]
        if rows:
            QApplication.clipboard().setText(tab_separated_text([titles, *lines]))

    def paste(self) -> None:
        """Paste a text into the current cell, or the rows of a spreadsheet into the rows from the
        current one on.
        """
        text, at = QApplication.clipboard().text(), self.table.currentIndex()
        cell = text.strip()
        # one comma may be a decimal one
        if cell and not any(sign in cell for sign in "\t\n;") and cell.count(",") <= 1:
            if at.flags() & Qt.ItemFlag.ItemIsEditable:
                self._set_cell_text(at.row(), at.column(), cell)
            return
        column = self.model.columns[at.column()] if at.isValid() else RADIUS
        given = (
            text
            if "," in text and not any(sign in text for sign in "\t;")
            else with_decimal_point(text)
        )
        self._apply_edit(
            partial(with_pasted_rows, row=max(at.row(), 1), text=given, column=column),
            tr("Rows pasted"),
        )

    # --- actions and menus

    def _add_actions(self) -> None:
        keys = QKeySequence.StandardKey
        self.actions_by_title: dict[str, QAction] = {}
        for title, act, shortcut in (
            (tr("Insert before"), self.insert_surface_before, "Ins"),
            (tr("Insert after"), self.insert_surface_after, "Shift+Ins"),
            (tr("Delete"), self.delete_selected_surfaces, "Del"),
            (tr("Move up"), partial(self.move_selected_surfaces, -1), "Alt+Up"),
            (tr("Move down"), partial(self.move_selected_surfaces, 1), "Alt+Down"),
            (tr("Copy"), self.copy, keys.Copy),
            (tr("Paste"), self.paste, keys.Paste),
            (tr("Reverse"), self.reverse_selected_surfaces, ""),
            (tr("Split cemented surface"), self.split_cemented_surface, ""),
            (tr("Stop here"), self.put_stop, ""),
            (tr("Mirror here"), self.make_mirror, ""),
            (tr("Add aspheric term"), self._add_aspheric_term, ""),
            (tr("Scale lens…"), self.ask_scale, ""),
        ):
            action = QAction(title, self.table)
            if shortcut:
                action.setShortcut(QKeySequence(shortcut))
                action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
            action.triggered.connect(lambda _=False, act=act: act())
            self.table.addAction(action)
            self.actions_by_title[title] = action
        curvatures = QAction(tr("Curvatures for radii"), self.table)
        curvatures.setCheckable(True)
        curvatures.toggled.connect(self._show_curvatures)
        self.actions_by_title[curvatures.text()] = curvatures

    def _add_aspheric_term(self) -> None:
        self.model.add_aspheric_term()
        self.table.fit_columns()

    def _show_curvatures(self, on: bool) -> None:
        self.model.show_curvature(on)
        self.table.setProperty("fitted", None)
        self.table.fit_columns()

    def _context_menu(self) -> QMenu:
        """The menu of the current cell and its rows."""
        menu, at = QMenu(self), self.table.currentIndex()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        refusal = self.model.refusals.get((at.row(), at.column()))
        for name in refusal.suggestions if refusal is not None else ():
            menu.addAction(
                tr("Use {name}", name=name),
                partial(self._set_cell_text, at.row(), at.column(), name),
            )
        menu.addSeparator()
        actions = self.actions_by_title
        first, last = self._selected_range
        is_mirror = (
            first <= last
            and self.model.design is not None
            and self.model.design.system.surfaces[first].is_mirror
        )
        actions[tr("Mirror here")].setText(tr("No mirror here") if is_mirror else tr("Mirror here"))
        for title, action in actions.items():
            menu.addAction(action)
            if title in {tr("Move down"), tr("Paste"), tr("Mirror here")}:
                menu.addSeparator()
        row, column = at.row(), at.column()
        if first <= last and self.model.parameters_and_mark(row, column)[0]:
            menu.addSeparator()
            title = tr(
                "{title} of surface {row}", title=tr(self.model.columns[column].title), row=row
            )
            links = menu.addMenu(title)
            self._links.fill_menu(links, row, column)
            if self.model.columns[column] is SEMI_DIAMETER:
                links.addAction(tr("Automatic"), partial(self._set_cell_text, row, column, ""))
        return menu

    def _open_context_menu(self, at: QPoint) -> None:
        self._context_menu().popup(self.table.viewport().mapToGlobal(at))

    def _open_menu_below_button(self) -> None:
        self._context_menu().popup(self.rows.mapToGlobal(QPoint(0, self.rows.height())))


class _RowTitles(QHeaderView):
    """The row header with the numbers of the surfaces. A number is red if its surface has a fault,
    which the tool tip describes.
    """

    def __init__(self, table: CellTable) -> None:
        super().__init__(Qt.Orientation.Vertical, table)
        self.setSectionsClickable(True)
        self.setDefaultSectionSize(theme.ROW_HEIGHT)
        self.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)

    def sizeHint(self) -> QSize:
        stop = tr("{section} Stop", section=10), theme.text_font(theme.SMALL_SIZE)
        end = theme.text_pixel_width(tr("Object", "lens")) + 2 * theme.GRID
        return QSize(max(end, theme.text_pixel_width(*stop) + theme.GRID + theme.HALF), 0)

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        colors, model = theme.current_theme(), self.model()
        number, _, stop = str(model.headerData(section, self.orientation())).partition(" ")
        is_wrong = model.headerData(section, self.orientation(), Role.ForegroundRole) is not None
        painter.save()
        painter.fillRect(rect, colors.color("panel"))
        painter.setFont(theme.text_font(theme.SMALL_SIZE))
        room = rect.adjusted(theme.GRID, 0, -theme.HALF, 0)
        painter.setPen(colors.color("error" if is_wrong else "dim"))
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, number)
        painter.setPen(colors.color("accent"))
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, stop)
        painter.restore()


def _rows_text(first: int, last: int) -> str:
    """The surfaces from index ``first`` to ``last`` as a text, with numbers counted from 1."""
    return (
        tr("Surface {first}", first=first + 1)
        if first == last
        else tr("Surfaces {first} to {last}", first=first + 1, last=last + 1)
    )


def _link_count(design: LensDesign) -> int:
    return len(design.pickups) + len(design.solves) + len(design.variables)
