"""The menu that makes a number of a lens fixed, variable, a pickup of another number, or the result
of a solve.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from PySide6.QtWidgets import QMenu, QWidget

from raybench.kinds.fields import LENGTH
from raybench.lens.columns import CURVATURE, RADIUS, THICKNESS
from raybench.lens.design import LensDesign, Pickup, Solve, SolveKind
from raybench.lens.rows import without_links
from raybench.lens.usual_merit import usual_variable
from raybench_workbench.dialogs import NumberDialog
from raybench_workbench.lens_data.dialogs import PickupDialog
from raybench_workbench.lens_data.surface_model import SurfaceModel
from raybench_workbench.translation import tr

Edit = Callable[[Callable[[LensDesign], LensDesign], str], str]
"""Makes another design of the present one, with a description; returns the reason of a refusal."""


class LinkMenu:
    """The menu entries that make the number in a cell fixed, variable, a pickup or a solve, and
    their dialogs.
    """

    def __init__(self, model: SurfaceModel, edit: Edit, parent: QWidget) -> None:
        self._model, self._edit, self._parent = model, edit, parent

    def fill_menu(self, menu: QMenu, row: int, column: int) -> None:
        """Add the entries for the number in a cell to a menu."""
        names, mark = self._model.parameters_and_mark(row, column)
        name, what = names[0], self._model.columns[column]
        label = tr("{title} of surface {row}", title=what.title, row=row)

        def add(title: str, sign: str, act: Callable[[], object]) -> None:
            action = menu.addAction(title, act)
            action.setCheckable(True)
            action.setChecked((mark.sign if mark is not None else "") == sign)

        add(
            tr("Fixed"),
            "",
            lambda: self._edit(_link_setter(names), tr("{label} fixed", label=label)),
        )

        def vary(design: LensDesign) -> LensDesign:
            return _link_setter(names, variables=usual_variable(design, name))(design)

        add(
            tr("Variable of the merit"),
            "V",
            lambda: self._edit(vary, tr("{label} variable", label=label)),
        )
        add(tr("Pickup…"), "P", partial(self._ask_pickup, names, label, row))
        last = self._model.rowCount() - 2
        solves = []
        if what is THICKNESS:
            solves = [SolveKind.FOCUS if row == last else SolveKind.EDGE]
        elif what in (RADIUS, CURVATURE):
            solves = [SolveKind.FOCAL_LENGTH, SolveKind.SLOPE]
        menu.addSeparator()
        for kind in solves:
            menu.addAction(
                tr("Solve for {value}…", value=kind.value),
                partial(self._ask_solve, names, label, kind, row),
            )

    def _ask_pickup(self, names: tuple[str, ...], label: str, row: int) -> None:
        assert self._model.design is not None
        name = names[-1]  # a radius follows a radius

        def pick_up(source: int, factor: float, offset: float) -> str:
            link = Pickup(name, name.replace(str(row), str(source), 1), factor, offset)
            return self._edit(
                _link_setter(names, pickups=link), tr("{label} picked up", label=label)
            )

        count = len(self._model.design.system.surfaces)
        PickupDialog(
            tr("{label} follows that of", label=label),
            count,
            max(row - 1, 1),
            pick_up,
            self._parent,
        ).open()

    def _ask_solve(self, names: tuple[str, ...], label: str, kind: SolveKind, row: int) -> None:
        assert self._model.design is not None
        first, design = self._model.checks.first, self._model.design
        edges = self._model.checks.edge_thicknesses
        value = {
            SolveKind.EDGE: edges[row - 1] if row <= len(edges) else 0.0,
            SolveKind.FOCAL_LENGTH: first.focal_length if first is not None else 100.0,
        }.get(kind, 0.0)
        known = next((s.value for s in design.solves if s.parameter in names), None)
        value = known if known is not None else float(f"{value:.4g}")

        def solve(wanted: float) -> None:
            link = Solve(names[0], kind, wanted)
            self._edit(_link_setter(names, solves=link), tr("{label} solved", label=label))

        words = {SolveKind.FOCUS: tr("Distance behind the paraxial focus")}
        title = tr(
            "{name}, held by the {what}:",
            name=words.get(kind, kind.value.capitalize()),
            what=label[0].lower() + label[1:],
        )
        unit = "" if kind is SolveKind.SLOPE else LENGTH
        NumberDialog(
            tr("Solve"), title, value, unit, design.system.unit, solve, self._parent
        ).open()


def _link_setter(names: tuple[str, ...], **links: object) -> Callable[[LensDesign], LensDesign]:
    """A function that replaces all links of the parameters ``names`` in a design by the given
    ``links``.
    """

    def linked(design: LensDesign) -> LensDesign:
        free = without_links(design, names)
        kept = tuple(v for v in design.variables if v.parameter not in names)
        free = replace(free, variables=kept)
        added = {name: (*getattr(free, name), link) for name, link in links.items()}
        return replace(free, **added)  # type: ignore[arg-type]

    return linked
