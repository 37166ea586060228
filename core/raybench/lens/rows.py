"""The rows of a lens table: the object, the surfaces and the image. Cells are edited, and surfaces
are inserted, deleted, moved and pasted from spreadsheets.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from raybench.errors import RaybenchError, elide_text, in_quotes
from raybench.lens.columns import COLUMNS, PASTED, RADIUS, READ, THICKNESS, Column, InvalidCell
from raybench.lens.prescription import InvalidPrescription, Prescription, Surface

Places = Sequence[int | None]
"""For each surface of a new system, the index it had before; None for a new one."""
MOST_ROWS = 500
"""Rows of a pasted table at most."""
COUNTERS = frozenset({"", "#", "no", "no.", "nr", "surf", "surface", "s"})
"""Headings of a spreadsheet's column of surface numbers, which is not read."""
OUTER = {"object": 0, "obj": 0, "image": -1, "ima": -1, "img": -1}
"""What a spreadsheet calls the rows of the object and of the image in its first column."""


class InvalidRows(RaybenchError):
    """A pasted text is not the rows of a lens; the message names the line and the remedy."""


def row_surface(system: Prescription, row: int) -> Surface:
    """What stands in a row: that of the object, 0, has a thickness and a glass, the one behind the
    last surface is the image's and has a radius.
    """
    if row == 0:
        return Surface(thickness=system.object_distance, glass=system.object_glass)
    if row > len(system.surfaces):
        return Surface(radius=system.image_radius)
    return system.surfaces[row - 1]


def with_cell(system: Prescription, row: int, column: Column, text: str) -> Prescription:
    """The system with another text in a cell. Raises InvalidCell or InvalidPrescription."""
    if column is THICKNESS and row and not text.strip():
        text = "0"  # only the object may be far away
    return with_row(system, row, column.read(row_surface(system, row), text, system.unit))


def with_row(system: Prescription, row: int, surface: Surface) -> Prescription:
    """The system with other values in a row, see `row_surface`."""
    if row == 0:
        return replace(system, object_distance=surface.thickness, object_glass=surface.glass)
    if row > len(system.surfaces):
        return replace(system, image_radius=surface.radius)
    return system.with_surface(row - 1, **vars(surface))


def with_inserted(system: Prescription, index: int) -> tuple[Prescription, Places]:
    """The system with a plane before the surface ``index`` that changes nothing: it is in the medium
    there, at the next vertex.
    """
    glass = system.surfaces[index - 1].glass if index else system.object_glass
    count = len(system.surfaces)
    places = [*range(index), None, *range(index, count)]
    return _with_places(system, places, {index: Surface(glass=glass)}), places


def without_surfaces(system: Prescription, first: int, last: int) -> tuple[Prescription, Places]:
    """The system without the surfaces from index ``first`` to ``last``. Raises InvalidPrescription if
    none is left.
    """
    places = [i for i in range(len(system.surfaces)) if not first <= i <= last]
    return _with_places(system, places), places


def with_moved(system: Prescription, first: int, last: int, by: int) -> tuple[Prescription, Places]:
    """The system with the surfaces from index ``first`` to ``last`` moved by ``by`` rows, with what is
    behind them. Raises InvalidPrescription beyond the ends.
    """
    count = len(system.surfaces)
    if first + by < 0 or last + by >= count:
        raise InvalidPrescription("The rows cannot move beyond the object or the image.")
    others = [i for i in range(count) if not first <= i <= last]
    places = [*others[: first + by], *range(first, last + 1), *others[first + by :]]
    return _with_places(system, places), places


def _with_places(
    system: Prescription, places: Places, new: Mapping[int, Surface] | None = None
) -> Prescription:
    """The system whose surfaces stood at these indices before; ``new`` gives others, by the index in
    the new system. The stop stays at its surface, or goes to the one behind it.
    """
    surfaces = tuple(
        (new or {})[i] if old is None else system.surfaces[old] for i, old in enumerate(places)
    )
    behind = [i for i, old in enumerate(places) if old is not None and old >= system.stop]
    stop = places.index(system.stop) if system.stop in places else min(behind, default=-1)
    return replace(system, surfaces=surfaces, stop=stop if stop >= 0 else len(surfaces) - 1)


def with_pasted_rows(system: Prescription, row: int, text: str) -> tuple[Prescription, Places]:
    """The system with the rows of a spreadsheet from a row on; those beyond the last surface are added.
    Cells are separated by tabs, semicolons or commas. A first line of headings chooses the columns,
    otherwise they are radius, thickness, glass and semi-diameter; other quantities stay. Where no
    comma separates, one in a number is a decimal comma.

    Raises InvalidRows with the line, or InvalidPrescription.
    """
    lines = [line for line in text.replace("\r", "").split("\n") if line.strip()]
    if not lines:
        raise InvalidRows("The clipboard has no rows. Copy those of a spreadsheet.")
    if len(lines) > MOST_ROWS:
        raise InvalidRows(f"{len(lines)} rows are too many for a lens. Copy {MOST_ROWS} at most.")
    separator = next((sign for sign in "\t;" if any(sign in line for line in lines)), ",")
    table = [[cell.strip() for cell in line.split(separator)] for line in lines]
    columns = _headed_columns(table[0])
    numbered = list(enumerate(table, 1))[bool(columns) :]
    if not columns and len(table[0]) > len(PASTED):
        raise InvalidRows(
            f"The rows have {len(table[0])} cells. Copy them with a line of headings such as"
            " Surface, Radius, Thickness, Glass, Semi-diameter, Conic; or radius, thickness, glass"
            " and semi-diameter without."
        )
    index, added = max(row - 1, 0), 0
    for number, cells in numbered:
        outer = OUTER.get(cells[0].casefold()) if columns else None
        at = {None: index + 1, 0: 0, -1: len(system.surfaces) + 1}[outer]
        if outer is None:
            if index >= len(system.surfaces):
                system = replace(system, surfaces=(*system.surfaces, Surface()))
                added += 1
            index += 1
            if columns and columns[0] is None and "sto" in cells[0].casefold():
                system = replace(system, stop=index - 1)
        for column, cell in zip(columns or PASTED, cells, strict=False):
            if column is None or (outer is not None and column not in {RADIUS, THICKNESS}):
                continue
            if separator != "," and cell.count(",") == 1 and "." not in cell:
                cell = cell.replace(",", ".")
            try:
                system = with_cell(system, at, column, cell)
            except (InvalidCell, InvalidPrescription) as error:
                raise InvalidRows(f"Line {number}: {error} Nothing is pasted.") from None
    return system, [*range(len(system.surfaces) - added), *[None] * added]


def _headed_columns(cells: Sequence[str]) -> list[Column | None]:
    """The columns that a line of headings names, None for one that is not read; an empty list if it is
    no line of headings. Raises InvalidRows for a heading that is not known.
    """
    known = {
        word: column
        for column in READ
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
            f" {', '.join(column.title for column in COLUMNS[:8])}, and y², y⁴ and so on."
        )
    return [known.get(word) for word in words]
