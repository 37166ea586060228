"""The tables rays, objects, edges and crossings of a trace in an in-memory SQLite database."""

import math
import re
import sqlite3
import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import repeat
from typing import Any
from weakref import WeakKeyDictionary

from raybench.analysis.context import TracedScene
from raybench.analysis.geometry.contact import END, START, THROUGH
from raybench.analysis.rays.columns import columns_with_name
from raybench.analysis.rays.hit_columns import fill_hit_columns
from raybench.analysis.rays.ray_queries import edge_contacts
from raybench.analysis.scene.edges import area, edge_table, perimeter
from raybench.analysis.scene.objects import edges_as_traced, object_as_traced
from raybench.analysis.scene.surroundings import body_nesting
from raybench.analysis.sql.bounded_sql import without_comments
from raybench.errors import RaybenchError
from raybench.kinds.aspects.outlines import edges_bounding_box
from raybench.kinds.glasses import GlassBody
from raybench.scene.document import EdgeLabels
from raybench.trace.columns import Reading
from raybench.trace.results.result import TraceResult

MOST_ROWS = 1_000_000
"""The maximum number of segments for which tables are created."""

RAY_ORDER = (
    "row", "id", "parent", "source_name", "source_ray", "depth", "interaction", "status", "x1", "y1", "finite_x2", "finite_y2",
    "finite_length", "direction", "deviation", "power_s", "power_p", "total_power", "degree_of_polarization", "wavelength", "hit", "object",
    "edge_label",
)  # fmt: skip
"""The first columns of the table rays; the others follow in the order of the table of columns.
"""
RAY_COLUMNS = columns_with_name("sql", RAY_ORDER)
_TYPES = {int: "INTEGER", bool: "INTEGER", float: "REAL", str: "TEXT"}


_ALL_COLUMNS = re.compile(r"(?:\bselect|\bdistinct|\ball|[,.])\s*\*")
"""``*`` for all columns of a table, in lower case; that of a product is preceded by a value."""


TABLES: dict[str, tuple[tuple[str, str, str], ...]] = {
    "rays": tuple(
        (
            c.sql,
            ("INTEGER PRIMARY KEY" if c.name == "row" else _TYPES[c.value]),
            f"{c.words}, {c.unit}" if c.unit else c.words,
        )
        for c in RAY_COLUMNS
    ),
    "objects": (
        ("object_index", "INTEGER PRIMARY KEY", "as in rays.object_index"),
        ("name", "TEXT", "display name, as the tools take it"),
        ("type", "TEXT", "kind, as in the file format"),
        ("n", "REAL", "refractive index without dispersion; NULL unless it is a homogeneous glass"),
        (
            "effective_n",
            "REAL",
            (
                "n times the indices of the bodies around it, at 540 nm; NULL unless it is a body"
                " of one index"
            ),
        ),
        ("area", "REAL", "enclosed area of a glass, square scene units"),
        ("perimeter", "REAL", "length of a glass's outline, scene units"),
        ("left", "REAL", "bounding box, scene units"),
        ("top", "REAL", "bounding box, scene units"),
        ("right", "REAL", "bounding box, scene units"),
        ("bottom", "REAL", "bounding box, scene units"),
        ("disabled", "INTEGER", "1 if light passes it unchanged"),
    ),
    "edges": (
        ("object_index", "INTEGER", "the object it belongs to"),
        ("object", "TEXT", "its name"),
        ("edge_index", "INTEGER", "the edge's index"),
        ("edge", "TEXT", "its label, as in rays.edge and crossings.edge"),
        ("label", "TEXT", "compass label"),
        ("long_label", "TEXT", "compass label in words"),
        (
            "sides",
            "TEXT",
            "where the two sides of an open line or curve face, that of its normal first",
        ),
        ("kind", "TEXT", "line, arc, conic or curve"),
        ("length", "REAL", "scene units"),
        ("x1", "REAL", "first end, scene units"),
        ("y1", "REAL", "first end, scene units, down"),
        ("x2", "REAL", "second end, scene units"),
        ("y2", "REAL", "second end, scene units, down"),
        (
            "normal_angle",
            "REAL",
            (
                "outward normal at its midpoint, degrees counter-clockwise as seen; of an open line"
                " to the left"
            ),
        ),
        ("radius", "REAL", "radius of an arc, scene units"),
    ),
    "crossings": (
        ("row", "INTEGER", "rays.row of a ray that meets the edge"),
        ("object_index", "INTEGER", "the object"),
        ("object", "TEXT", "its name"),
        ("edge_index", "INTEGER", "the edge's index"),
        ("edge", "TEXT", "its label"),
        (
            "place",
            "TEXT",
            "start or end if the ray starts or ends on the edge; through if it passes it",
        ),
        ("x", "REAL", "intersection, scene units"),
        ("y", "REAL", "intersection, scene units, down"),
        ("angle", "REAL", "degrees from the edge's normal, 0 to 90"),
    ),
}
"""The tables with their columns: name, SQL type, meaning."""
NAMES = ("name", "object", "source")
"""The columns that hold names of objects."""


class TraceTooLarge(RaybenchError):
    """A trace has more than `MOST_ROWS` segments, too many for the database."""


@dataclass(eq=False)
class RayDatabase:
    """The database of one trace. Hold ``lock`` while you use the connection. ``filled`` lists the
    parts that contain values so far: the table crossings, and columns of rays.
    """

    connection: sqlite3.Connection
    labels: EdgeLabels
    lock: threading.Lock = field(default_factory=threading.Lock)
    filled: set[str] = field(default_factory=set)


_databases: WeakKeyDictionary[TraceResult, RayDatabase] = WeakKeyDictionary()
_databases_lock = threading.Lock()


def trace_database(context: TracedScene) -> RayDatabase:
    """The database of the trace of a context, made on first use and cached. Raises TraceTooLarge
    for more than `MOST_ROWS` segments.
    """
    with _databases_lock:
        database = _databases.get(context.result)
        if database is None or database.labels != context.edge_labels:
            if len(context.result) > MOST_ROWS:
                raise TraceTooLarge(
                    f"SQL is limited to traces of {MOST_ROWS} segments; this one has"
                    f" {len(context.result)}. Use the other tools."
                )
            connection = sqlite3.connect(":memory:", check_same_thread=False, isolation_level=None)
            for table, columns in TABLES.items():
                written_columns = ", ".join(
                    f"{name} {kind}{_column_collation(name, context)}" for name, kind, _ in columns
                )
                connection.execute(f"CREATE TABLE {table} ({written_columns})")
            _insert_rows(connection, "objects", _object_table_rows(context))
            _insert_rows(connection, "edges", _edge_table_rows(context))
            database = _databases[context.result] = RayDatabase(connection, context.edge_labels)
        return database


def fill_tables_for(sql: str, database: RayDatabase, context: TracedScene) -> None:
    """Fill the columns of rays, and the table crossings, that a statement may read. Filling
    everything would take long. The caller holds the lock of the database.
    """
    words = without_comments(sql).lower()
    if "crossings" in words and "crossings" not in database.filled:
        _insert_rows(database.connection, "crossings", _crossing_table_rows(context))
        database.connection.execute("CREATE INDEX crossings_by_row ON crossings (row)")
        database.filled.add("crossings")
    everything = (
        _ALL_COLUMNS.search(words) is not None or "natural" in words
    )  # a natural join reads the columns of both
    read = {name for name, _, _ in TABLES["rays"] if everything or name in words} | {"row"}
    if "rays" in words and not read <= database.filled:
        names = [name for name, _, _ in TABLES["rays"] if name in read | database.filled]
        database.connection.execute("DROP INDEX IF EXISTS rays_by_parent")
        database.connection.execute("DELETE FROM rays")
        _insert_rows(database.connection, "rays", _ray_table_rows(context, names), names)
        if "parent" in names:
            database.connection.execute("CREATE INDEX rays_by_parent ON rays (parent)")
        database.filled.update(names)


def _sqlite_name(name: str) -> str:
    """A name that SQLite can store: lone surrogates are escaped as in JSON."""
    return name.encode("utf-8", "backslashreplace").decode()


def _column_collation(column: str, context: TracedScene) -> str:
    """The collation of a column. Names of objects are compared without regard to case, unless two
    names differ only in case.
    """
    titles = {o.title for o in context.scene.optical}
    unique = len({title.casefold() for title in titles}) == len(titles)
    return " COLLATE NOCASE" if unique and column in NAMES else ""


def _insert_rows(
    connection: sqlite3.Connection,
    table: str,
    rows: Iterable[Sequence[object]],
    columns: Sequence[str] = (),
) -> None:
    names = columns or [name for name, _, _ in TABLES[table]]
    connection.execute("BEGIN")
    marks = ", ".join("?" * len(names))
    connection.executemany(
        f"INSERT INTO {table} ({', '.join(map(_quote_name, names))}) VALUES ({marks})", rows
    )
    connection.execute("COMMIT")


def _quote_name(name: str) -> str:
    return f'"{name}"'


def _ray_table_rows(context: TracedScene, names: Sequence[str]) -> Iterable[Sequence[object]]:
    result = fill_hit_columns(context.result, context.scene, context.disabled)
    reading = Reading(
        result,
        result.rows,
        lambda hit, edge: _sqlite_name(context.edge_title(hit, edge)),
        [_sqlite_name(name) for name in result.object_names],
    )
    columns = {c.sql: c for c in RAY_COLUMNS}
    return zip(*(_sqlite_values(columns[n].values(reading)) for n in names), strict=True)


def _sqlite_values(values: list[Any]) -> list[Any]:
    """The values with booleans, None and NaN replaced by types that sqlite3 stores directly.
    Searching for an adapter would take ten times as long. NaN is stored as NULL.
    """
    kinds = set(map(type, values))
    if bool in kinds:
        return list(map(int, values))
    return (
        [math.nan if value is None else value for value in values]
        if type(None) in kinds
        else values
    )


def _object_table_rows(context: TracedScene) -> Iterable[Sequence[object]]:
    effective = {
        b.body.key: b.effective_index for b in body_nesting(context.scene, context.disabled)
    }
    for i, o in enumerate(context.scene.optical):
        edges = edges_as_traced(o, context.scene)
        body = isinstance(o, GlassBody) and bool(edges)
        size = (area(edges), perimeter(edges)) if body else (None, None)
        endless = size[0] == math.inf
        box = (edges_bounding_box(edges) if edges and not endless else None) or (None,) * 4
        yield (
            i,
            _sqlite_name(o.title),
            o.type,
            o.uniform_index(None) if isinstance(o, GlassBody) else None,
            effective.get(o.key),
            *size,
            *box,
            int(o.key in context.disabled),
        )


def _edge_table_rows(context: TracedScene) -> Iterable[Sequence[object]]:
    for i, o in enumerate(context.scene.optical):
        if o.has_edge_table:
            for e in edge_table(object_as_traced(o, context.scene), context.user_labels(o)):
                names = (
                    _sqlite_name(e.title),
                    e.labelled.short,
                    e.labelled.long,
                    " and ".join(e.labelled.sides) or None,
                )
                yield (
                    i,
                    _sqlite_name(o.title),
                    e.index,
                    *names,
                    e.kind,
                    e.length,
                    *e.p1,
                    *e.p2,
                    e.normal_angle,
                    e.radius,
                )


def _crossing_table_rows(context: TracedScene) -> Iterable[Sequence[object]]:
    p1, p2, _ = context.result.straight_pieces
    words = {START: "start", THROUGH: "through", END: "end"}
    for i, o in enumerate(context.scene.optical):
        if not o.has_edge_table:
            continue
        title = _sqlite_name(o.title)
        for e in edge_table(object_as_traced(o, context.scene), context.user_labels(o)):
            rows, met = edge_contacts(context.result, [e.labelled.edge])
            about = [repeat(fact, len(rows)) for fact in (i, title, e.index, _sqlite_name(e.title))]
            places, (xs, ys) = (
                [words[place] for place in met.place.tolist()],
                met.points(p1, p2).T.tolist(),
            )
            yield from zip(
                rows.tolist(), *about, places, xs, ys, met.angles(p1, p2).tolist(), strict=True
            )
