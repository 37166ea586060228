"""The rows of a lens table: the object, the surfaces and the image. Functions edit cells, and
insert, delete, move and reverse surfaces or paste them from spreadsheets. Links and variables move
with their surfaces.
"""

import math
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from raybench.errors import RaybenchError, elide_text, in_quotes
from raybench.kinds.fields import LENGTH
from raybench.lens.columns import (
    COLUMNS,
    CURVATURE,
    GLASS,
    INDEX_COLUMNS,
    PASTED_COLUMNS,
    RADIUS,
    THICKNESS,
    Column,
    InvalidCell,
)
from raybench.lens.design import LensDesign, Solve, SolveKind, canonical_parameter, pickup_text
from raybench.lens.glass import AIR
from raybench.lens.parameters import ParameterPlace, parameter_place, parameter_unit
from raybench.lens.prescription import InvalidPrescription, Prescription, Surface

MOST_ROWS = 500
"""Rows of a pasted table at most."""
COUNTERS = frozenset({"", "#", "no", "no.", "nr", "surf", "surface", "s"})
"""Headings of a spreadsheet's column of surface numbers, which is not read."""
OUTER_ROWS = {"object": 0, "obj": 0, "image": -1, "ima": -1, "img": -1}
"""What a spreadsheet calls the rows of the object and of the image in its first column."""
OF_SURFACES = frozenset(
    {"centre thickness", "edge thickness", "semi-diameter", "spherical", "coma", "astigmatism", "petzval", "seidel distortion"}
)  # fmt: skip
"""The operands of a merit whose number is that of a surface."""
PARAMETERS = {
    "radius": "r",
    "curvature": "c",
    "thickness": "t",
    "conic": "k",
    "semi_diameter": "semi",
    "glass": "glass",
    "n_d": "glass",
    "v_d": "glass",
}
"""The kinds of parameters by column, see `raybench.lens.parameters`."""


class InvalidRows(RaybenchError):
    """A pasted text does not contain the rows of a lens; the message names the line and the
    remedy.
    """


def row_surface(system: Prescription, row: int) -> Surface:
    """The values of a row as a `Surface`. Row 0 is the object, with a thickness and a glass; the
    row behind the last surface is the image, with a radius.
    """
    if row == 0:
        return Surface(thickness=system.object_distance, glass=system.object_glass)
    if row > len(system.surfaces):
        return Surface(radius=system.image_radius)
    return system.surfaces[row - 1]


def cell_parameters(row: int, column: Column) -> tuple[str, ...]:
    """The names of the parameter in a cell: two for radius and curvature, none if the cell holds no
    parameter.
    """
    if row == 0:
        return ("objectDistance",) if column is THICKNESS else ()
    if column in {RADIUS, CURVATURE}:
        return f"c{row}", f"r{row}"
    if column.name.startswith("aspheric "):
        return (f"a{row}_{column.name.removeprefix('aspheric ')}",)
    kind = PARAMETERS.get(column.name)
    return (f"{kind}{row}",) if kind else ()


@dataclass(frozen=True)
class CellMark:
    """A mark beside a number of a lens table, with a sentence that explains it: ``P`` for a pickup,
    ``S`` for a solve, ``V`` for a variable, ``C`` for a parameter that differs between
    configurations.
    """

    sign: str
    text: str


def cell_marks(design: LensDesign) -> Mapping[str, CellMark]:
    """The marks of a design's parameters, by name."""
    marks, states = {}, [dict(each.values) for each in design.configurations]
    for name in {name for state in states for name in state}:
        values = ", ".join(f"{state[name]:.6g}" if name in state else "this" for state in states)
        marks[name] = CellMark("C", f"It differs by configuration: {values}.")
    for variable in design.variables:
        marks[variable.parameter] = CellMark("V", "The merit may change it.")
    for pickup in design.pickups:
        text = f"It follows by a pickup: {pickup_text(pickup)}."
        marks[pickup.parameter] = CellMark("P", text)
    for solve in design.solves:
        marks[solve.parameter] = CellMark("S", f"It is solved: {solve.kind.value} {solve.value:g}.")
    return marks


def without_links(design: LensDesign, names: Collection[str]) -> LensDesign:
    """The design without the links of these parameters."""
    free = set(map(canonical_parameter, names))
    return replace(
        design,
        pickups=tuple(p for p in design.pickups if canonical_parameter(p.parameter) not in free),
        solves=tuple(s for s in design.solves if canonical_parameter(s.parameter) not in free),
    )


def with_cell(design: LensDesign, row: int, column: Column, text: str) -> LensDesign:
    """The design with another text in a cell; a link of its parameter is removed. Raises
    InvalidCell or InvalidPrescription.
    """
    free = without_links(design, cell_parameters(row, column))
    return replace(free, system=_with_cell_text(design.system, row, column, text))


def _with_cell_text(system: Prescription, row: int, column: Column, text: str) -> Prescription:
    text = text.strip()
    if column is THICKNESS and row and not text:
        text = "0"  # only the object may be far away
    return _with_row(system, row, column.read(row_surface(system, row), text, system.unit))


def _with_row(system: Prescription, row: int, surface: Surface) -> Prescription:
    """The system with other values of a row, see `row_surface`."""
    if row == 0:
        return replace(system, object_distance=surface.thickness, object_glass=surface.glass)
    if row > len(system.surfaces):
        return replace(system, image_radius=surface.radius)
    return system.with_surface(row - 1, **vars(surface))


def with_inserted_surface(design: LensDesign, index: int) -> LensDesign:
    """The design with a surface inserted before the surface ``index``. Within glass it is in the
    middle, has the mean curvature of both sides and does not affect light. Otherwise it is a plane
    in air at the next vertex or at the image.
    """
    system, at, new = design.system, index - 1, Surface()
    if 0 < index < len(system.surfaces):
        before, behind = system.surfaces[at], system.surfaces[index]
        if before.glass != AIR and not before.is_mirror:
            bend, half = (before.curvature + behind.curvature) / 2, before.thickness / 2
            new = Surface(1 / bend if bend else math.inf, half, before.glass)
            system = system.with_surface(at, thickness=half)
    places = [*range(index), None, *range(index, len(system.surfaces))]
    return _renumber_design(design, places, _rearrange_surfaces(system, places, new))


def without_surfaces(design: LensDesign, first: int, last: int) -> LensDesign:
    """The design without the surfaces from index ``first`` to ``last`` and their links. Raises
    InvalidPrescription if no surface is left.
    """
    places = [i for i in range(len(design.system.surfaces)) if not first <= i <= last]
    return _renumber_design(design, places, _rearrange_surfaces(design.system, places))


def with_moved_surfaces(design: LensDesign, first: int, last: int, by: int) -> LensDesign:
    """The design with the surfaces from index ``first`` to ``last`` moved by ``by`` rows, each with
    the medium and the distance behind it. Raises InvalidPrescription beyond the ends.
    """
    count = len(design.system.surfaces)
    if first + by < 0 or last + by >= count:
        raise InvalidPrescription("The rows cannot move beyond the object or the image.")
    others = [i for i in range(count) if not first <= i <= last]
    places = [*others[: first + by], *range(first, last + 1), *others[first + by :]]
    return _renumber_design(design, places, _rearrange_surfaces(design.system, places))


def with_split_cement(design: LensDesign, index: int, gap: float) -> LensDesign:
    """The design with a cemented surface split in two, see `Prescription.with_split_cement`. Its
    links stay with the second surface, which has the glass behind it.
    """
    places = [*range(index), None, *range(index, len(design.system.surfaces))]
    return _renumber_design(design, places, design.system.with_split_cement(index, gap))


def _rearrange_surfaces(
    system: Prescription, places: Sequence[int | None], new: Surface | None = None
) -> Prescription:
    """The system with its surfaces rearranged: ``places`` lists their old indices, None for the
    surface ``new``. The stop stays at its surface; if this surface is removed, the next surface
    becomes the stop. Raises InvalidPrescription without surfaces.
    """
    surfaces = tuple(system.surfaces[i] if i is not None else new or Surface() for i in places)
    behind = [i for i, old in enumerate(places) if old is not None and old >= system.stop]
    at = places.index(system.stop) if system.stop in places else min(behind, default=-1)
    return replace(system, surfaces=surfaces, stop=at if at >= 0 else max(len(surfaces) - 1, 0))


def with_reversed_surfaces(design: LensDesign, first: int, last: int) -> LensDesign:
    """The design with surfaces in reverse order, see `Prescription.reversed`, without their links
    and variables.
    """
    system = design.system.reversed(first, last)
    kept = {f"t{last + 1}", f"glass{last + 1}"}
    turned = [
        name
        for name in _linked_names(design)
        if (index := _surface_index(name)) is not None
        and first <= index <= last
        and name not in kept
    ]
    free = without_links(design, turned)
    return replace(
        free,
        system=system,
        pickups=tuple(p for p in free.pickups if p.source not in turned),
        variables=tuple(v for v in free.variables if v.parameter not in turned),
    )


def with_mirror(design: LensDesign, index: int) -> LensDesign:
    """The design in which a surface becomes a mirror, or a mirror becomes a refracting surface. The
    light behind it changes its direction, so the distances and radii behind it change their signs,
    also in links, bounds and configurations.
    """
    system = design.system
    folded = [
        replace(
            s,
            radius=s.radius if i == index else -s.radius,
            aspheric=s.aspheric if i == index else tuple(-a for a in s.aspheric),
            thickness=-s.thickness,
            is_mirror=s.is_mirror != (i == index),
        )
        for i, s in enumerate(system.surfaces[index:], index)
    ]
    surfaces = (*system.surfaces[:index], *folded)

    def sign(name: str) -> float:
        place = _parameter_place(name)
        turns = place.index >= index + (place.kind != "t") and place.kind in {"r", "c", "t", "a"}
        return -1.0 if turns or place.kind == "imageRadius" else 1.0

    return _with_factors(
        design,
        replace(system, surfaces=surfaces, image_radius=-system.image_radius),
        sign,
        lambda s: (
            sign(f"t{_parameter_place(s.parameter).index + 1}")
            if s.kind in {SolveKind.FOCUS, SolveKind.SLOPE}
            else 1.0
        ),
    )


def with_scaled_lengths(design: LensDesign, factor: float) -> LensDesign:
    """The design with all lengths multiplied by a factor, also those in links, bounds and
    configurations. Targets of operands stay the same.
    """

    def power(name: str) -> float:
        place = _parameter_place(name)
        own = name if parameter_place(name) else name.rpartition("_")[0]
        unit = parameter_unit(design.system, own)
        if unit.startswith("1/"):
            return factor ** -(2 * place.term + 1)
        return factor if unit == LENGTH else 1.0

    return _with_factors(
        design,
        design.system.scaled(factor),
        power,
        lambda s: 1.0 if s.kind is SolveKind.SLOPE else factor,
    )


def _with_factors(
    design: LensDesign,
    system: Prescription,
    parameter_factor: Callable[[str], float],
    solve_factor: Callable[[Solve], float],
) -> LensDesign:
    """The design after its prescription became ``system`` by multiplying parameters by factors.
    ``parameter_factor`` returns the factor of a parameter, ``solve_factor`` that of the value of a
    solve. Links, bounds and configurations are multiplied accordingly.
    """
    bounds = {
        v: sorted((v.low * parameter_factor(v.parameter), v.high * parameter_factor(v.parameter)))
        for v in design.variables
    }
    return replace(
        design,
        system=system,
        pickups=tuple(
            replace(
                p,
                factor=p.factor * parameter_factor(p.parameter) / parameter_factor(p.source),
                offset=p.offset * parameter_factor(p.parameter),
            )
            for p in design.pickups
        ),
        solves=tuple(replace(s, value=s.value * solve_factor(s)) for s in design.solves),
        variables=tuple(replace(v, low=low, high=high) for v, (low, high) in bounds.items()),
        configurations=tuple(
            replace(c, values=tuple((name, x * parameter_factor(name)) for name, x in c.values))
            for c in design.configurations
        ),
    )


def _linked_names(design: LensDesign) -> set[str]:
    return {
        *(name for p in design.pickups for name in (p.parameter, p.source)),
        *(s.parameter for s in design.solves),
        *(v.parameter for v in design.variables),
    }


def _parameter_place(name: str) -> ParameterPlace:
    """The place of a parameter of the prescription or of a configuration."""
    place = parameter_place(name) or parameter_place(name.rpartition("_")[0])
    assert place is not None
    return place


def _surface_index(name: str) -> int | None:
    """The index of the surface to which a parameter belongs; None for a parameter of the whole
    lens.
    """
    place = _parameter_place(name)
    is_whole = place.kind in {"field", "aperture", "objectDistance", "imageRadius"}
    return None if is_whole else place.index


def _renumber_design(
    design: LensDesign, places: Sequence[int | None], system: Prescription
) -> LensDesign:
    """The design after its prescription became ``system`` by rearranging surfaces: ``places`` lists
    their old indices, None for a new surface. Links, variables and operands of removed surfaces are
    removed.
    """
    now = {old: i for i, old in enumerate(places) if old is not None}
    last = f"t{len(places)}"

    def renamed(name: str) -> str:
        """The new name of a parameter; empty if its surface is gone."""
        index = _surface_index(name)
        if index is None:
            return name
        return re.sub(r"\d+", str(now[index] + 1), name, count=1) if index in now else ""

    pickups = [
        replace(p, parameter=renamed(p.parameter), source=renamed(p.source)) for p in design.pickups
    ]
    solves = [
        replace(s, parameter=last if s.kind is SolveKind.FOCUS else renamed(s.parameter))
        for s in design.solves
    ]
    variables = [replace(v, parameter=renamed(v.parameter)) for v in design.variables]
    of_surface = {o: o.quantity in OF_SURFACES and o.at is not None for o in design.operands}
    return replace(
        design,
        system=system,
        pickups=tuple(p for p in pickups if p.parameter and p.source),
        solves=tuple(
            s
            for s in solves
            if s.parameter and (s.kind is not SolveKind.EDGE or s.parameter != last)
        ),
        variables=tuple(v for v in variables if v.parameter),
        configurations=tuple(
            replace(c, values=tuple((renamed(n), value) for n, value in c.values if renamed(n)))
            for c in design.configurations
        ),
        operands=tuple(
            replace(o, at=now[o.at - 1] + 1) if o.at is not None and of_surface[o] else o
            for o in design.operands
            if o.at is None or not of_surface[o] or o.at - 1 in now
        ),
    )


def with_pasted_rows(
    design: LensDesign, row: int, text: str, column: Column = RADIUS
) -> LensDesign:
    """The design with the rows of a spreadsheet pasted from ``row`` on; rows beyond the last
    surface are added. Cells are separated by tabs, semicolons or commas. A first line of headings
    selects the columns; otherwise the columns are radius, thickness, glass and semi-diameter, from
    ``column`` on if the rows fit there. Other quantities stay the same. If commas do not separate
    cells, a comma in a number is a decimal comma.

    Raises InvalidRows with the line number, or InvalidPrescription.
    """
    lines = [line for line in text.replace("\r", "").split("\n") if line.strip()]
    if not lines:
        raise InvalidRows("The clipboard has no rows. Copy those of a spreadsheet.")
    if len(lines) > MOST_ROWS:
        raise InvalidRows(f"{len(lines)} rows are too many for a lens. Copy {MOST_ROWS} at most.")
    separator = next((sign for sign in "\t;" if any(sign in line for line in lines)), ",")
    table = [[cell.strip() for cell in line.split(separator)] for line in lines]
    headed = _headed_columns(table[0])
    numbered = list(enumerate(table, 1))[bool(headed) :]
    columns: Sequence[Column | None] = headed or PASTED_COLUMNS
    if (
        not headed
        and column in PASTED_COLUMNS
        and len(table[0]) <= len(there := PASTED_COLUMNS[PASTED_COLUMNS.index(column) :])
    ):
        columns = there
    if not headed and len(table[0]) > len(PASTED_COLUMNS):
        raise InvalidRows(
            f"The rows have {len(table[0])} cells. Copy them with a line of headings such as"
            " Surface, Radius, Thickness, Glass, Semi-diameter, Conic; or radius, thickness, glass"
            " and semi-diameter without."
        )
    system, index, pasted = design.system, max(row - 1, 0), set[str]()
    for number, cells in numbered:
        outer = OUTER_ROWS.get(cells[0].casefold()) if headed else None
        if outer == -1:  # the whole table is pasted
            system = replace(system, surfaces=system.surfaces[: max(index, 1)])
        elif outer is None and index == len(system.surfaces):
            system = replace(system, surfaces=(*system.surfaces, Surface()))
        at = {None: index + 1, 0: 0, -1: len(system.surfaces) + 1}[outer]
        index += outer is None
        if headed and headed[0] is None and "sto" in cells[0].casefold():
            system = replace(system, stop=at - 1)
        is_named = any(c is GLASS and cell for c, cell in zip(columns, cells, strict=False))
        for what, cell in zip(columns, cells, strict=False):
            if what is None or (outer is not None and what not in {RADIUS, THICKNESS}):
                continue
            if what in INDEX_COLUMNS and is_named:
                continue
            if separator != "," and cell.count(",") == 1 and "." not in cell:
                cell = cell.replace(",", ".")
            try:
                system = _with_cell_text(system, at, what, cell)
            except (InvalidCell, InvalidPrescription) as error:
                raise InvalidRows(f"Line {number}: {error} Nothing is pasted.") from None
            pasted.update(cell_parameters(at, what))
    before, after = len(design.system.surfaces), len(system.surfaces)
    places = [i if i < before else None for i in range(after)]
    return _renumber_design(without_links(design, pasted), places, system)


def _headed_columns(cells: Sequence[str]) -> list[Column | None]:
    """The columns that a line of headings names, None for an ignored column; an empty list if the
    line contains no headings. Raises InvalidRows for an unknown heading.
    """
    known = {
        word: column
        for column in (*COLUMNS, *INDEX_COLUMNS)
        for word in (column.title.casefold(), column.name.casefold(), *column.headings)
    }
    words = [cell.casefold() for cell in cells]
    if not any(word in known for word in words):
        return []
    unknown = [
        cell for cell, word in zip(cells, words, strict=True) if word not in known.keys() | COUNTERS
    ]
    if unknown:
        raise InvalidRows(
            f"No column of a lens is called {in_quotes(elide_text(unknown[0], 40))}. Headings are"
            f" {', '.join(column.title for column in COLUMNS[:7])}, and y², y⁴ and so on."
        )
    return [known.get(word) for word in words]
