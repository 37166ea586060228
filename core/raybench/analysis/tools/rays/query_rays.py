"""SQL queries on the trace."""

import inspect
from collections.abc import Sequence
from textwrap import wrap

import numpy as np

from raybench.analysis.answers.answer import Answer, Leaf
from raybench.analysis.answers.page import check_page
from raybench.analysis.answers.record import Record, Root
from raybench.analysis.answers.words import count_with_noun, value_in_words
from raybench.analysis.context import TracedScene, require_context
from raybench.analysis.rays.ray_facts import rows_of_ray_ids
from raybench.analysis.sql.bounded_sql import QueryRows, RefusedQuery, run_query
from raybench.analysis.sql.ray_database import TABLES, fill_tables_for, trace_database
from raybench.analysis.tools.tool import AnalysisTool
from raybench.errors import RaybenchError, short_repr


class SqlTable(Record, tag="table"):
    name: str
    columns: str


class SqlSchema(Root, tag="schema"):
    table: Sequence[SqlTable]


class QueryColumns(Record):
    column: Sequence[Leaf]


class QueryRow(Record, tag="row"):
    cell: Sequence[Leaf]


class Query(Root, tag="query"):
    """The rows that a query returns. A cell whose value is NULL has the attribute null="true"."""

    columns: QueryColumns
    row: Sequence[QueryRow]
    count: int
    shown: int
    offset: int | None
    left: str | None
    next_offset: int | None


def query_rays(sql: str = "", limit: int = 200, offset: int = 0) -> Answer:
    """
    Query rays, objects, edges and crossings with one SQL SELECT (SQLite), read only.

    Tables: rays(...); objects(object_index, name, type, n, effective_n, area, perimeter, left, top,
    right, bottom, disabled); edges(object_index, object, edge_index, edge, label, long_label,
    sides, kind, length, x1, y1, x2, y2, normal_angle, radius); crossings(row, object_index, object,
    edge_index, edge, place, x, y, angle), one for each point where a ray meets an edge: place is
    start, through or end. A ray is one straight segment of light; parent is the row it came from;
    object and edge are what it meets at its end. Lengths are in scene units with y down, powers
    relative, wavelengths in nm, angles in degrees. An escaped ray has no x2, y2, length and opl
    (NULL), but a direction; deviation is the angle from the source ray's direction; incidence_angle
    is at the ray's end; received is the power that an object gets from outside; opl is the optical
    path from the source to the ray's end. Select the column id to have the rays highlighted.

    Args:
        sql: One SELECT statement, such as "SELECT id, power FROM rays WHERE object = 'Screen' ORDER
            BY power DESC". Empty for the
            tables with their columns, units and meaning.
        limit: Maximum number of rows returned, 1 to 1000; count is the total number.
        offset: How many rows to skip; order the rows, so that pages fit together.

    Returns:
        Root query: columns and rows. NULL cells are marked. Without a statement, root schema: the
        tables.

    Raises:
        RuntimeError: If set_context() has not been called.
        ValueError: If the statement is invalid, not allowed, or exceeds a limit; the message says
            what is allowed.
    """
    check_page(limit, offset, least=1)
    if not isinstance(sql, str):
        raise RaybenchError(
            f"sql is {short_repr(sql)}; give one SELECT statement. {_query_tables()}"
        )
    context = require_context()
    if not sql.strip():
        return _schema_answer(context)
    database = trace_database(context)
    with database.lock:
        fill_tables_for(sql, database, context)
        try:
            answer = run_query(database.connection, sql, limit, offset, collected="id")
        except RefusedQuery as error:
            hint = f" {_query_tables()}" if "no such" in str(error) else ""
            raise RefusedQuery(f"{error}{hint}") from None
    result = context.result
    rays = None
    if "id" in answer.columns:
        rows = np.array(rows_of_ray_ids(result, answer.collected), np.int64)
        rays = result.ray_set(rows)
    left = max(0, answer.count - offset - len(answer.rows))
    root = Query(
        columns=QueryColumns(column=[Leaf("column", name) for name in answer.columns]),
        row=[QueryRow(cell=[Leaf("cell", value) for value in row]) for row in answer.rows],
        count=answer.count,
        shown=len(answer.rows),
        offset=offset or None,
        left=f"{left} row" if left else None,
        next_offset=offset + limit if left else None,
    )
    return Answer(
        root,
        _answer_sentence(answer),
        rays,
        complete_sentence=False,
        remaining={"row": left} if left else {},
    )


def _schema_answer(context: TracedScene) -> Answer:
    """An answer that lists the tables and their columns, with the meaning of columns whose names
    are not clear.
    """
    descriptions = {
        table: "; ".join(f"{name}: {words}" for name, _, words in columns)
        for table, columns in TABLES.items()
    }
    tables = [SqlTable(name=table, columns=columns) for table, columns in descriptions.items()]
    return Answer(SqlSchema(table=tables), "The tables of SQL")


def _answer_sentence(answer: QueryRows) -> str:
    """A sentence that states the values of the only row, or the number of rows."""
    if answer.count == 1 and answer.rows:
        values = ("NULL" if value is None else value_in_words(value) for value in answer.rows[0])
        return ", ".join(
            f"{value_in_words(name)} = {value}"
            for name, value in zip(answer.columns, values, strict=True)
        ).rstrip(".")
    return count_with_noun(answer.count, "row")


def _columns_text(table: str) -> str:
    return f"{table}({', '.join(name for name, _, _ in TABLES[table])})"


def _query_tables() -> str:
    return f"Tables: {'; '.join(map(_columns_text, TABLES))}."


# the columns of rays are generated, so that the description is complete
query_rays.__doc__ = (inspect.getdoc(query_rays) or "").replace(
    "rays(...)", "\n".join(wrap(_columns_text("rays"), 130)), 1
)


TOOL = AnalysisTool(
    function=query_rays,
    asks="SQL {sql|}",
    questions=("{sql}",),
    limit=0,
    offered="usually",
    brief=(
        "Query the trace by one SQLite SELECT. Tables: rays(row, id, parent, source, "
        "source_ray, depth, interaction, status, x1, y1, x2, y2, length, direction, deviation, "
        "power_s, power_p, power, degree_of_polarization, wavelength, object, edge, "
        "diffraction_order, is_tir, tir_count, incidence_angle, refractive_index, received, opl); "
        "object and edge are what the ray meets at its end, where incidence_angle is, parent "
        "the row before it; opl is the optical path from the source to its end; of an "
        "escaped ray x2, y2, length and opl are NULL. objects(object_index, name, type, n, effective_n, left, top, right, bottom, disabled); edges(object, edge, "
        "kind, length, x1, y1, x2, y2, normal_angle, radius); crossings(row, object, edge, "
        "place, x, y, angle). Select id to have rays highlighted; an empty sql gives all "
        "columns with their meaning."
    ),
)
