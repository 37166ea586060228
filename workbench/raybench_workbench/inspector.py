"""The inspector panel: the picked ray with its whole path, and the light at the selected object."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import zip_longest

import numpy as np
from PySide6.QtCore import (
    QEvent,
    QObject,
    QPoint,
    QSignalBlocker,
    QSize,
    Qt,
    QThreadPool,
    QTimer,
    Signal,
)
from PySide6.QtGui import QBrush, QGuiApplication, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QGridLayout,
    QHeaderView,
    QLabel,
    QMenu,
    QScrollArea,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from raybench.analysis.context import TracedScene
from raybench.analysis.geometry.straight import Rows
from raybench.analysis.measures.bound import BoundMeasure
from raybench.analysis.measures.grammar import quote_argument
from raybench.analysis.measures.light import Light
from raybench.analysis.measures.measure import Measured, Unit
from raybench.analysis.measures.table import MEASURES
from raybench.analysis.paths.paths import add_ancestors_and_descendants, path_lengths_from_source
from raybench.analysis.rays.columns import COLUMNS
from raybench.analysis.rays.incidence import row_incidences
from raybench.analysis.rays.optical_path import optical_path_lengths
from raybench.errors import elide_text
from raybench.kinds.sources import Source
from raybench.optics.polarization import EPS_DEGREE, ellipse_in_words
from raybench.scene import RELATIVE
from raybench.scene.document import Document
from raybench.trace.columns import Reading
from raybench.trace.results.result import TraceResult
from raybench.view import PickedRays
from raybench_workbench import theme
from raybench_workbench.document import Selection, WorkDocument
from raybench_workbench.measuring.pinning import pin_measures
from raybench_workbench.panels.number_edit import format_decimals
from raybench_workbench.panels.ray_table import NO_VALUE, cell_text, coordinate_decimals
from raybench_workbench.texts import literal_tool_tip
from raybench_workbench.threads import LatestTaskRunner
from raybench_workbench.translation import tr
from raybench_workbench.widgets import (
    RIGHT,
    ElidedLabel,
    Hint,
    column_layout,
    describe_widget,
    set_vertical_scrolling,
)

HINT = tr(
    "Click a ray or an object to see what its light does. Alt+click picks a ray inside a glass."
)
OBJECT_MEASURES = {
    "power": tr("Receives"),
    "reflected": tr("Reflects"),
    "transmitted": tr("Transmits"),
    "absorbed": tr("Absorbs"),
}
"""Measures of an object that light meets, with their labels."""
SOURCE_MEASURES = {"emitted": tr("Emits")}
"""The same of a source."""
LARGE_TRACE = 50_000
"""Number of segments above which the path of a ray is found in a thread."""
STEPS_SHOWN = 5
"""Number of steps for which there is always room."""
STEP_WIDTH = 72
"""Width of the column of steps: deep branches are elided rather than what they meet."""
MAX_HEIGHT_SHARE = 0.55
"""Largest part of the window's height that the inspector asks for; the rest is scrolled."""
STEP, TO, POWER = range(3)
HEADERS = (tr("Step"), tr("To"), tr("Power"))
HINT_LINES = 6
"""Lines for which there is room while nothing is chosen, so that the hint can be read in a narrow
dock.
"""
RAY_FACTS = {
    "source_name": tr("Source"),
    "wavelength": tr("Wavelength"),
    "total_power": tr("Power"),
    "direction": tr("Direction"),
    "depth": tr("Depth"),
    "interaction": tr("Made by"),
    "object": tr("Hits"),
    "status": tr("Status"),
}
"""The columns that are facts of a ray, with their names in the inspector."""
MAX_STEPS = 300
"""Largest number of steps that are listed: before others those that lead to the ray."""


class Inspector(QWidget):
    """The panel that shows the picked ray (`View.picked`) and the selected object. It computes
    nothing while it is hidden.

    ``rayLeft`` is emitted when a ray is no longer shown, with the height in pixels that the panel
    then needs.
    """

    rayLeft = Signal(int)

    def __init__(
        self, document: WorkDocument, selection: Selection, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        theme.set_role(self, "panel")
        self._document, self._selection = document, selection
        self.path: RayPath | None = None
        self._own_height = 0
        """The height that it had without a ray, or was given by the mouse; it grows with a ray's
        path.
        """
        self._listed: RayPath | None = None
        """The path whose steps are listed: that of the picked ray, or one that it was chosen from.
        """
        self._listed_of: TraceResult | None = None
        self._items: list[QTreeWidgetItem] = []
        self._stepped: int | None = None
        """The row that was chosen in the list last."""
        self._shown: tuple[object, ...] = ()
        self._finding = LatestTaskRunner(self, document.failed.emit, tr("The path of the ray"))
        self._measured: tuple[int | None, TraceResult | None] | None = None
        """The object and the trace whose balance is shown or being measured."""
        self._measuring = LatestTaskRunner(
            self,
            document.failed.emit,
            tr("The balance of the light"),
            pool=QThreadPool.globalInstance(),
        )
        self.title = ElidedLabel(self, role="title")
        self.facts = _FactTable(self)
        self.steps = QTreeWidget(self)
        self.steps.setAccessibleName(tr("Steps of the path"))
        self.steps.setHeaderLabels(HEADERS)
        self.steps.headerItem().setToolTip(POWER, tr("Power at its start"))
        self.steps.headerItem().setTextAlignment(POWER, RIGHT)
        self.steps.setIndentation(theme.GRID)
        self.steps.setRootIsDecorated(False)
        self.steps.setUniformRowHeights(True)
        self.steps.setMinimumHeight(STEPS_SHOWN * theme.ROW_HEIGHT)
        header = self.steps.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(STEP, QHeaderView.ResizeMode.Interactive)
        header.resizeSection(STEP, STEP_WIDTH)
        header.setSectionResizeMode(TO, QHeaderView.ResizeMode.Stretch)
        self.object_title = ElidedLabel(self, role="title")
        self.balance = _FactTable(self)
        self.balance.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.balance.customContextMenuRequested.connect(self._show_pin_menu)
        self.hint = Hint(HINT, self)
        self.hint.setMinimumHeight(HINT_LINES * self.hint.fontMetrics().lineSpacing())
        content = describe_widget(QWidget(self), role="panel")
        column_layout(
            self.object_title,
            self.balance,
            self.title,
            self.facts,
            (self.steps, 1),
            (self.hint, 1),
            on=content,
            margins=(theme.GRID, theme.HALF, theme.GRID, theme.HALF),
            spacing=theme.HALF,
        )
        self._scrolled = _FittedScrollArea(content, self)
        column_layout(self._scrolled, on=self, margins=0)
        # later: choosing a step fills the tree anew, which must not happen while it handles the key
        # or the mouse
        self.steps.currentItemChanged.connect(lambda: QTimer.singleShot(0, self._pick_current_step))
        document.viewChanged.connect(self._show_selected)
        document.resultChanged.connect(self._show_selected)
        document.changed.connect(self._show_selected)
        selection.changed.connect(self._show_selected)
        theme.notifier.changed.connect(self._update_theme)
        self._show_selected()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._show_selected()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.isVisible() and (self.path is None or QGuiApplication.mouseButtons()):
            self._own_height = self.height()

    def _unpick_ray(self) -> None:
        if self.path is None:
            self._scrolled.adjust_height()
            self.rayLeft.emit(self._own_height)

    def _show_selected(self, *_: object) -> None:
        if not self.isVisible() and self._shown:
            return
        result = self._document.session.fresh_result
        self._show_ray(result)
        self._show_object(result)
        self._show_hint()

    @property
    def settled(self) -> bool:
        """Whether the path of the picked ray is shown."""
        return not self._finding.is_working

    def _show_hint(self) -> None:
        self.hint.setVisible(self.title.isHidden() and self.object_title.isHidden())

    def _show_ray(self, result: TraceResult | None) -> None:
        picked, row = self._document.session.view.picked, None
        if picked and result is not None and picked.rows[-1] < len(result):
            row = int(picked.rows[-1])
        state = (row, result)
        if state == self._shown:
            return
        self._shown = state
        self._finding.cancel_request()
        if row is None or result is None:
            self._show_path(state, None)
            return
        make = partial(ray_path, self._document.document, result, row)
        if len(result) > LARGE_TRACE:
            self._finding.request_task(make, partial(self._show_path, state))
        else:
            self._show_path(state, make())

    def _show_path(
        self, state: tuple[int | None, TraceResult | None], path: RayPath | None
    ) -> None:
        if self.path is not None and path is None:
            QTimer.singleShot(0, self, self._unpick_ray)  # later: once the layout needs less
        self.path = path
        for part in (self.title, self.facts, self.steps):
            part.setVisible(path is not None)
        self._show_hint()
        if path is None:
            self._listed, self._listed_of, self._items = None, None, []
            return
        more = tr(", {count} listed", count=len(path.steps)) if len(path.steps) < path.count else ""
        self.title.set_full_text(
            tr(
                "Ray {title} · {count} segments on its path{more}",
                title=path.title,
                count=path.count,
                more=more,
            )
        )
        self.facts.show_rows(path.facts)
        row, result = state
        listed = {step.row for step in self._listed.steps} if self._listed is not None else set()
        stays = self._listed_of is result and self._stepped == row
        with QSignalBlocker(self.steps):
            if not stays or not {step.row for step in path.steps} <= listed:
                self._fill_step_tree(path)
                self._listed_of = result
            self._dim_other_branches(path)

    def _fill_step_tree(self, path: RayPath) -> None:
        """Fill the tree widget with the steps of a ray's path."""
        self.steps.clear()
        self._listed, self._items = path, []
        for i, step in enumerate(path.steps):
            above = (
                self.steps.invisibleRootItem()
                if step.branch_start < 0
                else self._items[step.branch_start]
            )
            item = QTreeWidgetItem(above, [step.way, step.target, step.power])
            item.setData(STEP, Qt.ItemDataRole.UserRole, i)
            item.setToolTip(
                STEP, literal_tool_tip(tr("{way}, depth {depth}", way=step.way, depth=step.depth))
            )
            item.setToolTip(TO, literal_tool_tip(step.target))
            item.setTextAlignment(POWER, RIGHT)
            self._items.append(item)
        self.steps.expandAll()
        self.steps.header().resizeSection(STEP, min(self.steps.sizeHintForColumn(STEP), STEP_WIDTH))

    def _update_theme(self) -> None:
        if self.path is not None and self._listed is not None:
            with QSignalBlocker(self.steps):
                self._dim_other_branches(self.path)

    def _dim_other_branches(self, path: RayPath) -> None:
        """Make the picked segment the current row, and dim the branches of the tree that are not on
        its path.
        """
        assert self._listed is not None
        on, current = {step.row for step in path.steps}, path.steps[path.place].row
        plain, dim = QBrush(), QBrush(theme.current_theme().color("dim"))
        for item, step in zip(self._items, self._listed.steps, strict=True):
            for k in range(len(HEADERS)):
                item.setForeground(k, plain if step.row in on else dim)
            if step.row == current:
                self.steps.setCurrentItem(item)

    def _pick_current_step(self) -> None:
        """Pick the segment of the row that the user chose by mouse or arrow key. The tree is kept
        if it contains the path.
        """
        item = self.steps.currentItem()
        if self._listed is None or item is None:
            return
        self._stepped = self._listed.steps[item.data(STEP, Qt.ItemDataRole.UserRole)].row
        view, picked = self._document.session.view, PickedRays.from_rows(self._stepped)
        self._document.set_view(dataclasses.replace(view, picked=picked, whole_paths=True))

    def _show_pin_menu(self, at: QPoint) -> None:
        """Show a menu that pins a value of the selected object."""
        key = self._measured[0] if self._measured is not None else None
        obj = self._document.scene.get(key) if key is not None else None
        if obj is None:
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for name, word in (SOURCE_MEASURES if isinstance(obj, Source) else OBJECT_MEASURES).items():
            measure = f"{name}({quote_argument(obj.title)})"
            menu.addAction(
                tr("Pin “{value}”", value=word), partial(pin_measures, self._document, measure)
            )
        menu.popup(self.balance.mapToGlobal(at))

    def _show_object(self, result: TraceResult | None) -> None:
        scene = self._document.scene
        optical = {o.key for o in scene.optical} & self._selection.keys
        key = next(iter(optical)) if len(optical) == 1 else None
        obj = scene.get(key) if key is not None else None
        self.object_title.setVisible(obj is not None)
        self.balance.setVisible(obj is not None)
        if self._measured == (key, result):
            return
        another = self._measured is None or self._measured[0] != key
        self._measured = key, result
        self._measuring.cancel_request()
        if obj is None:
            return
        self.object_title.set_full_text(obj.title)
        words = SOURCE_MEASURES if isinstance(obj, Source) else OBJECT_MEASURES
        if another:
            self.balance.show_rows([(word, "—") for word in words.values()])
        if result is not None:  # otherwise the values of the last trace stay until the next one
            measure = partial(_power_balance_facts, self._document.document, result, obj.key, words)
            self._measuring.request_task(measure, self.balance.show_rows)


def _power_balance_facts(
    document: Document, result: TraceResult, key: int, names: dict[str, str]
) -> list[tuple[str, str]]:
    """The names and values of an object's power balance. ``names`` are the names by measure. The
    computation is slow for a large trace.
    """
    light = Light.from_document(document, result)
    index = light.index_by_key[key]
    rows: list[tuple[str, str]] = []
    for name, word in names.items():
        if name == "emitted":
            unit = Unit.POWER.symbol(light.length_unit, light.power_unit)
            measured = Measured(light.emitted(index), unit, name)
        else:
            measured = BoundMeasure(MEASURES[name], (key, None), name).evaluate(light)
        text = tr("{value:.5g} {unit}", value=measured.value, unit=measured.unit)
        rows.append((word, text if measured.defined else "—"))
    return rows


class _FittedScrollArea(QScrollArea):
    """A scroll area that is as high as its content, up to the fraction `MAX_HEIGHT_SHARE` of the
    window, since the window would otherwise grow with the content.
    """

    def __init__(self, content: QWidget, parent: QWidget) -> None:
        super().__init__(parent)
        set_vertical_scrolling(self, content, tr("Inspector"), focus=True)
        self._content = content

    def minimumSizeHint(self) -> QSize:
        needed = self._content.minimumSizeHint()
        return needed.boundedTo(
            QSize(needed.width(), round(self.window().height() * MAX_HEIGHT_SHARE))
        )

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().eventFilter(watched, event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.updateGeometry()

    def adjust_height(self) -> None:
        """Lay out the current content, so that the area takes no more height than the content
        needs.
        """
        layout = self._content.layout()
        assert layout is not None
        layout.activate()
        self.updateGeometry()


class _FactTable(QWidget):
    """A table of names and values. The user can select and copy the values."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(theme.GRID)
        self._grid.setVerticalSpacing(1)
        self._grid.setColumnStretch(1, 1)
        self._labels: list[tuple[QLabel, ElidedLabel]] = []
        self.texts: dict[str, str] = {}

    def show_rows(self, rows: Iterable[tuple[str, str]]) -> None:
        self.texts = dict(rows)
        while len(self._labels) < len(self.texts):  # a value may be a name of any length
            pair = describe_widget(QLabel(), role="label"), ElidedLabel()
            for column, label in enumerate(pair):
                self._grid.addWidget(label, len(self._labels), column)
            self._labels.append(pair)
        for (name, value), text in zip_longest(self._labels, self.texts.items()):
            name.setText(text[0] if text else "")
            value.set_full_text(text[1] if text else "")
            name.setVisible(text is not None)
            value.setVisible(text is not None)


@dataclass(frozen=True)
class PathStep:
    """A segment of a ray's path: its row in the trace, the number of interactions before it, and
    its texts. ``branch_start`` is the list index of the segment at which its branch begins, or -1
    at the source or if that segment is not listed.
    """

    row: int
    depth: int
    branch_start: int
    way: str
    target: str
    power: str


@dataclass(frozen=True)
class RayPath:
    """A picked ray: its facts (name, text), the listed steps of its whole path, the number of all
    steps, and the index of the ray among the listed steps.
    """

    title: str
    facts: tuple[tuple[str, str], ...]
    steps: tuple[PathStep, ...]
    count: int
    place: int


def ray_path(document: Document, result: TraceResult, row: int) -> RayPath:
    """The path and facts of the ray in a row of a document's trace."""
    rows = add_ancestors_and_descendants(result, np.array([row]))
    before = np.array(result.lineage.path(row))
    after = rows[~np.isin(rows, before)]
    after = after[np.argsort(result.depth[after], kind="stable")]
    nearest = np.concatenate([before[-MAX_STEPS:], after])[:MAX_STEPS]
    listed, under = _path_branches(result, nearest.tolist())
    steps = tuple(_path_steps(result, np.array(listed), under))
    return RayPath(
        result.segment_id(row),
        tuple(_ray_facts(document, result, row, before)),
        steps,
        len(rows),
        listed.index(row),
    )


def _path_branches(result: TraceResult, rows: list[int]) -> tuple[list[int], list[int]]:
    """The segments of one source ray sorted by branch: each branch is complete before the next
    begins. Also the index of the parent of each segment, or -1.
    """
    listed, children = set(rows), dict[int, list[int]]()
    for row in sorted(rows, reverse=True):
        children.setdefault(int(result.parent[row]), []).append(row)
    ordered, under = [], []
    waiting = [
        (row, -1) for row in sorted(rows, reverse=True) if int(result.parent[row]) not in listed
    ]
    while waiting:
        row, above = waiting.pop()
        ordered.append(row)
        under.append(above)
        own = children.get(row, [])
        waiting += [(child, above if len(own) == 1 else len(ordered) - 1) for child in own]
    return ordered, under


def _ray_facts(
    document: Document, result: TraceResult, row: int, before: Rows
) -> Iterator[tuple[str, str]]:
    context, decimals, unit = (
        TracedScene.from_document(document, result),
        coordinate_decimals(result),
        document.unit,
    )
    # columns that are computed for all rows of a result are computed for the ray's path alone
    reading = Reading(
        result.subset(before, result.revision), np.array([len(before) - 1]), context.edge_title
    )
    for name, title in RAY_FACTS.items():
        column = COLUMNS[name]
        text = cell_text(column, column.values(reading)[0], decimals)
        if name == "total_power" and result.power_unit == RELATIVE:
            title = tr("Relative power")
        elif name == "total_power":
            text = f"{text} {result.power_unit}"
        if text != NO_VALUE:
            yield title, f"{text} nm" if name == "wavelength" else elide_text(text, 60)
        if name == "total_power":
            yield (
                "s, p",
                ", ".join(
                    cell_text(COLUMNS["total_power"], power, decimals)
                    for power in result.power[row].tolist()
                ),
            )
            if result.is_polarized:
                ellipse = result.polarization_ellipse
                words = ellipse_in_words(*(float(angles[row]) for angles in ellipse))
                degree = float(result.degree_of_polarization[row])
                partly = (
                    tr("{degree:.3g} of it ", degree=degree)
                    if EPS_DEGREE < degree < 1 - EPS_DEGREE
                    else ""
                )
                yield tr("Polarization"), f"{partly}{words}"
        if name == "object" and text != NO_VALUE:
            (edge,) = COLUMNS["edge_label"].values(reading)
            if edge is not None:
                yield tr("Edge"), elide_text(str(edge), 60)
            angle = float(
                row_incidences(result, document.scene, np.array([row]), context.disabled).angle[0]
            )
            if not math.isnan(angle):
                yield tr("Incidence"), f"{angle:.2f}°"
        if name == "depth":
            for title, lengths in (
                (tr("Length"), reading.result.length),
                (tr("Path to its end"), path_lengths_from_source(reading.result)),
                (tr("Optical path"), optical_path_lengths(reading.result)),
            ):
                yield title, _length_text(float(lengths[-1]), decimals, unit)


def _length_text(value: float, decimals: int, unit: str) -> str:
    return f"{format_decimals(value, decimals + 1)} {unit}" if math.isfinite(value) else "∞"


def _path_steps(result: TraceResult, rows: Rows, parents: list[int]) -> Iterator[PathStep]:
    reading = Reading(result, rows)
    texts = [
        [cell_text(COLUMNS[n], v, 2) for v in COLUMNS[n].values(reading)]
        for n in ("interaction", "object", "status", "total_power")
    ]
    for row, above, way, target, status, power in zip(rows.tolist(), parents, *texts, strict=True):
        yield PathStep(
            row, int(result.depth[row]), above, way, status if target == NO_VALUE else target, power
        )
