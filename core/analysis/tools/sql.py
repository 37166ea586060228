"""The tool that asks in SQL."""

from __future__ import annotations

import numpy as np

from core.analysis.answers.xml_answer import document, element, leaf
from core.analysis.context import require_context
from core.analysis.sql.bounded_sql import RefusedQuery, query
from core.analysis.sql.ray_database import TABLES, database_of, fill_crossings
from core.errors import RaybenchError, told
from core.trace.results.result import RaySet

MOST_SHOWN = 1000


def query_rays_xml(sql: str, max_rows: int = 200) -> str:
    """
    Ask about rays, objects, edges and crossings with one SQL SELECT (SQLite), read only.

    Tables: rays(row, id, parent, source, source_ray, depth, interaction, status, x1, y1, x2, y2, length, power_s, power_p, power,
    degree_of_polarization, wavelength, object_index, object, edge, is_tir, causes_tir, tir_count, causes_grazing);
    objects(object_index, name, type, n, area, perimeter, left, top, right, bottom, disabled);
    edges(object_index, object, edge_index, edge, label, long_label, kind, length, x1, y1, x2, y2, normal_angle, radius);
    crossings(row, object_index, object, edge_index, edge, place, x, y, angle), one for each place where a ray meets an edge: place is
    start, through or end.
    A ray is one straight segment of light; parent is the row it came from; object and edge are what it meets at its end. Lengths are in
    scene units with y down, powers relative, wavelengths in nm, angles in degrees. Select the column id to have the rays highlighted.

    Args:
        sql: One SELECT statement, such as "SELECT id, power FROM rays WHERE object = 'Screen' ORDER BY power DESC".
        max_rows: Number of rows that are shown, 1 to 1000; count tells how many there are.

    Returns:
        XML string with the root query: columns and rows. A cell that is NULL says so.

    Raises:
        RuntimeError: If set_context() has not been called.
        ValueError: If the statement is none, is not allowed, or takes too long; the text says what is.
    """
    if isinstance(max_rows, bool) or not isinstance(max_rows, int) or not 1 <= max_rows <= MOST_SHOWN:
        raise RaybenchError(f"max_rows is {told(max_rows)}; give a whole number from 1 to {MOST_SHOWN}.")
    if not isinstance(sql, str) or not sql.strip():
        raise RaybenchError(f"sql is {told(sql)}; give one SELECT statement. {_tables()}")
    context = require_context()
    database = database_of(context)
    with database.lock:
        if "crossings" in sql.lower():
            fill_crossings(database, context)
        try:
            answer = query(database.connection, sql, max_rows, collected="id")
        except RefusedQuery as error:
            hint = f" {_tables()}" if "no such" in str(error) else ""
            raise RefusedQuery(f"{error}{hint}") from None
    result = context.result
    before = result.segment_id(0).removesuffix("0")
    rows = {int(t.removeprefix(before)) for t in answer.marked if t.startswith(before) and t.removeprefix(before).isdecimal()}
    if "id" in answer.columns:
        found = np.array(sorted(r for r in rows if r < len(result)), np.int64)
        context.note(RaySet(found, f"rays selected by {' '.join(sql.split())[:200]}", result.revision))
    return document(
        "query",
        f"<columns>{''.join(leaf('column', name) for name in answer.columns)}</columns>",
        *(f"<row>{''.join(_cell(value) for value in row)}</row>" for row in answer.rows),
        context=context,
        count=answer.count,
        shown=len(answer.rows),
    )


def _cell(value: object) -> str:
    return element("cell", null=True) if value is None else leaf("cell", value)


def _tables() -> str:
    tables = (f"{table}({', '.join(name for name, _, _ in columns)})" for table, columns in TABLES.items())
    return f"Tables: {'; '.join(tables)}."
