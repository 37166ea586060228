"""Questions in SQL that can neither change anything, nor reach out of the database, nor take more than their share."""

from __future__ import annotations

import sqlite3
import time
from dataclasses import dataclass
from typing import Any

from core.analysis.sql.memory import resident_bytes
from core.analysis.sql.sql_expansion import expansion
from core.errors import RaybenchError, elided, one_line

SECONDS = 1.0
"""How long a query may run."""
MEMORY = 256 << 20
"""By how many bytes the program may grow while a query runs."""
INSTRUCTIONS = 20
"""Steps of a query between two looks at the clock: few, for one step may compare two long texts."""
COPIES = 500
"""Selects that a query may have when its common table expressions are put in."""
CELL = 1_000
"""Characters of a cell that are shown."""
_LIMITS = {
    sqlite3.SQLITE_LIMIT_LENGTH: 100_000,
    sqlite3.SQLITE_LIMIT_SQL_LENGTH: 20_000,
    sqlite3.SQLITE_LIMIT_COLUMN: 100,
    sqlite3.SQLITE_LIMIT_EXPR_DEPTH: 100,
    sqlite3.SQLITE_LIMIT_COMPOUND_SELECT: 50,
    sqlite3.SQLITE_LIMIT_VDBE_OP: 25_000,
    sqlite3.SQLITE_LIMIT_FUNCTION_ARG: 20,
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
    sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: 200,
    sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER: 0,
    sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH: 1,
    sqlite3.SQLITE_LIMIT_WORKER_THREADS: 0,
}
FUNCTIONS = frozenset(
    {
        "abs", "acos", "asin", "atan", "atan2", "avg", "ceil", "ceiling", "coalesce", "cos", "count", "cume_dist", "degrees", "dense_rank",
        "exp", "first_value", "floor", "glob", "group_concat", "ifnull", "iif", "instr", "lag", "last_value", "lead", "length", "like",
        "ln", "log", "log10", "log2", "lower", "ltrim", "max", "min", "mod", "nth_value", "ntile", "nullif", "percent_rank", "pi", "pow",
        "power", "radians", "rank", "replace", "round", "row_number", "rtrim", "sign", "sin", "sqrt", "substr", "substring", "sum", "tan",
        "total", "trim", "trunc", "typeof", "upper",
    }
)  # fmt: skip
"""The functions that a query may call: none that makes something large of something small, or leaves the database."""
_ALLOWED = frozenset({sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_RECURSIVE})


class RefusedQuery(RaybenchError):
    """A query is not allowed, wrong, or took more than its share; the text says which."""


@dataclass(frozen=True)
class QueryRows:
    """What a query gave: names of the columns, the first ``rows``, and how many there are in all."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    count: int
    marked: tuple[str, ...]
    """All texts of the column that was to be ``collected``, beyond the rows that are shown."""


def query(connection: sqlite3.Connection, sql: str, max_rows: int, collected: str = "") -> QueryRows:
    """The answer to one SELECT. RefusedQuery for anything else, and for what runs over `SECONDS` or `MEMORY`.

    Of all rows, shown or not, the texts of the column ``collected`` are kept. One thread at a time may use a connection.
    """
    if "\0" in sql:
        raise RefusedQuery("The query holds a zero character. Leave it out.")
    if len(sql.encode("utf-8", "surrogatepass")) > _LIMITS[sqlite3.SQLITE_LIMIT_SQL_LENGTH]:
        raise RefusedQuery(f"The query has {len(sql)} characters; {_LIMITS[sqlite3.SQLITE_LIMIT_SQL_LENGTH]} are allowed.")
    if expansion(sql) > COPIES:
        raise RefusedQuery("The query names its WITH tables so often that it becomes too large. Name each of them once or twice.")
    watch = _Watch()
    refusals: list[str] = []

    def allow(action: int, first: str | None, second: str | None, database: str | None, trigger: str | None) -> int:
        if action in _ALLOWED or (action == sqlite3.SQLITE_FUNCTION and second in FUNCTIONS):
            return sqlite3.SQLITE_OK
        refusals.append(f"function {second}() is not allowed" if action == sqlite3.SQLITE_FUNCTION else "only SELECT is allowed")
        return sqlite3.SQLITE_DENY

    before = {which: connection.setlimit(which, value) for which, value in _LIMITS.items()}
    connection.set_authorizer(allow)
    connection.set_progress_handler(watch, INSTRUCTIONS)
    try:
        cursor = connection.execute(sql)
        try:
            return _read(cursor, max_rows, collected)
        finally:
            cursor.close()
    except (sqlite3.Error, sqlite3.Warning, OverflowError, MemoryError, UnicodeError) as error:
        raise RefusedQuery(watch.reason or _words(error, refusals)) from None
    finally:
        connection.set_progress_handler(None, 0)
        connection.set_authorizer(None)
        for which, value in before.items():
            connection.setlimit(which, value)


def _read(cursor: sqlite3.Cursor, max_rows: int, collected: str) -> QueryRows:
    if cursor.description is None:
        raise RefusedQuery("The query is empty. Give one SELECT.")
    columns = tuple(d[0] for d in cursor.description)
    place = columns.index(collected) if collected in columns else -1
    rows: list[tuple[Any, ...]] = []
    marked: list[str] = []
    count = 0
    for row in cursor:
        if count < max_rows:
            rows.append(tuple(_cell(value) for value in row))
        if place >= 0 and isinstance(row[place], str):
            marked.append(row[place])
        count += 1
    return QueryRows(columns, tuple(rows), count, tuple(marked))


def _cell(value: Any) -> Any:
    if isinstance(value, bytes):
        value = f"x'{value[: CELL // 2].hex()}'"
    if isinstance(value, str) and len(value) > CELL:
        return value[: CELL - 1] + "…"
    return value


class _Watch:
    """Looks at the clock and the program's memory now and then; says stop by returning true."""

    def __init__(self) -> None:
        self.end = time.monotonic() + SECONDS
        self.memory = resident_bytes()
        self.next = 0.0
        self.reason = ""

    def __call__(self) -> bool:
        now = time.monotonic()
        if now >= self.end:
            self.reason = f"The query took longer than {SECONDS:g} s and was stopped. Select less, or add a LIMIT inside."
        elif now >= self.next:
            self.next = now + 0.01
            if resident_bytes() - self.memory > MEMORY:
                self.reason = f"The query took more than {MEMORY >> 20} MB and was stopped. Select less."
        return bool(self.reason)


def _words(error: Exception, refusals: list[str]) -> str:
    text = str(error)
    if refusals:
        return f"The query was refused: {refusals[0]}. Allowed is one SELECT with the functions {', '.join(sorted(FUNCTIONS))}."
    if "one statement" in text or isinstance(error, sqlite3.Warning):
        return "Only one statement is allowed. Send a single SELECT."
    if "too big" in text or isinstance(error, MemoryError):
        return "The query makes a text or is itself larger than is allowed. Select less."
    return f"SQL error: {elided(one_line(text))}."
