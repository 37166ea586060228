"""SQL queries in a sandbox. They can only read the given database, and have limits of time, memory
and result size.

SQLite copies each common table expression (CTE) at every reference, recursively: a dozen short ones
can each double the size of a query, and parsing cannot be interrupted. The expanded size is
therefore estimated beforehand. A parser such as sqlglot would save some fifty lines here, but it
takes 0.1 s to import and 0.2 s for a long query, which cannot be interrupted, and fails on 90
nested parentheses, which SQLite accepts. It would refuse nothing that SQLite's authorizer lets
pass.
"""

import re
import sqlite3
import time
from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from raybench.errors import RaybenchError, elide_text, one_line
from raybench.system.process import resident_bytes

_TOKEN = re.compile(
    r"""(?P<skip>\s+|--[^\n]*|/\*.*?(?:\*/|$)|'(?:[^']|'')*'?)"""
    r"""|(?P<quoted>"(?:[^"]|"")*"?|`(?:[^`]|``)*`?|\[[^\]]*\]?)"""
    r"""|(?P<word>[^\W\d][\w$]*)|(?P<other>\d[\w.]*|.)""",
    re.DOTALL,
)


MOST_SIZE = 10_000
"""The largest size that is reported."""
MOST_TABLES = 50
"""With more common table expressions than this the size counts as the maximum."""


def count_selects(sql: str) -> int:
    """The number of SELECTs in a query after all common table expressions are expanded, at most
    `MOST_SIZE`; `MOST_SIZE` if they are mutually recursive.
    """
    tokens = _sql_tokens(sql)
    bodies: dict[str, list[str]] = defaultdict(list)
    outside = list(tokens)
    candidates = (
        (_cte_body_start(tokens, i + 1), _cte_name_index(tokens, i))
        for i, token in enumerate(tokens)
        if token == "as"
    )
    definitions = [(start, name) for start, name in candidates if start and name >= 0]
    if len(definitions) > MOST_TABLES:
        return MOST_SIZE
    for start, name in definitions:
        end = _cte_body_end(tokens, start)
        bodies[tokens[name]] += tokens[start:end]
        outside[name] = ""
        outside[start:end] = [""] * (end - start)
    sizes: dict[str, int] = {}

    def expanded_size(name: str, ancestors: frozenset[str]) -> int:
        if name not in sizes:
            inner = (
                MOST_SIZE if b in ancestors else expanded_size(b, ancestors | {name})
                for b in bodies[name]
                if b in bodies and b != name
            )
            sizes[name] = min(MOST_SIZE, 1 + sum(inner))
        return sizes[name]

    return min(MOST_SIZE, 1 + sum(expanded_size(t, frozenset({t})) for t in outside if t in bodies))


def without_comments(sql: str) -> str:
    """The query with each comment replaced by a blank."""
    return _TOKEN.sub(lambda token: " " if token[0].startswith(("--", "/*")) else token[0], sql)


def _sql_tokens(sql: str) -> list[str]:
    """The words and symbols of a query in lower case. Quoted names lose their quotes, and a
    qualifier before a dot becomes an empty token.
    """
    out = []
    for match in _TOKEN.finditer(sql):
        if match["quoted"]:
            out.append(match["quoted"][1:-1].lower())
        elif not match["skip"]:
            out.append(match[0].lower())
    return ["" if i + 1 < len(out) and out[i + 1] == "." else t for i, t in enumerate(out)]


def _cte_body_start(tokens: list[str], index: int) -> int:
    """The index after the parenthesis that opens the body of a common table expression at token
    ``index``; 0 if there is none.
    """
    while index < len(tokens) and tokens[index] in ("not", "materialized"):
        index += 1
    return index + 1 if index < len(tokens) and tokens[index] == "(" else 0


def _cte_name_index(tokens: list[str], index: int) -> int:
    """The index of the name that the AS at token ``index`` defines: before the AS, or before its
    list of columns. Negative if there is none.
    """
    index -= 1
    if index >= 0 and tokens[index] == ")":
        while index >= 0 and tokens[index] != "(":
            index -= 1
        index -= 1
    return index


def _cte_body_end(tokens: list[str], start: int) -> int:
    """The index of the parenthesis that closes the body of a common table expression. ``start`` is
    the index where the body begins.
    """
    depth = 1
    for i in range(start, len(tokens)):
        depth += (tokens[i] == "(") - (tokens[i] == ")")
        if depth == 0:
            return i
    return len(tokens)


TIME_LIMIT = 1.0
"""Time limit of a query, seconds."""
MEMORY_LIMIT = 256 << 20
"""Limit of the growth of the process's memory during a query, bytes."""
INSTRUCTIONS_PER_CHECK = 20
"""SQLite virtual-machine instructions between two checks of the limits; small because a single
instruction may compare two long texts.
"""
MOST_SELECTS = 500
"""Limit of the number of SELECTs in a query after its common table expressions are expanded."""
MOST_CELL_CHARACTERS = 1_000
"""Length limit of a cell in the result, characters."""
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
        "ln", "log", "log10", "log2", "lower", "max", "min", "mod", "nth_value", "ntile", "nullif", "percent_rank", "pi", "pow",
        "power", "radians", "rank", "replace", "round", "row_number", "sign", "sin", "sqrt", "substr", "substring", "sum", "tan",
        "total", "trunc", "typeof", "upper",
    }
)  # fmt: skip
"""The SQL functions allowed in a query: none that creates large values, accesses anything outside
the database, or takes long within one instruction, as trim does for many characters of a long text.
"""
_ALLOWED = frozenset({sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_RECURSIVE})


class RefusedQuery(RaybenchError):
    """A query is not allowed, is invalid, or exceeded a limit. The message says which."""


@dataclass(frozen=True)
class QueryRows:
    """The result of a query: the names of the columns, the ``rows`` of one page, and the total
    ``count`` of rows.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    count: int
    collected: tuple[str, ...]
    """The text values of the collected column in all rows, not only in ``rows``."""


def run_query(
    connection: sqlite3.Connection, sql: str, limit: int, offset: int = 0, collected: str = ""
) -> QueryRows:
    """Run one SELECT and return at most ``limit`` rows after the first ``offset`` rows. A
    connection may be used by one thread at a time.

    The text values in the column ``collected`` are returned for all rows. Raises RefusedQuery for
    other statements, and if a limit is exceeded.
    """
    if "\0" in sql:
        raise RefusedQuery("The query contains a null character. Remove it.")
    if len(sql.encode("utf-8", "surrogatepass")) > _LIMITS[sqlite3.SQLITE_LIMIT_SQL_LENGTH]:
        raise RefusedQuery(
            f"The query has {len(sql)} characters; {_LIMITS[sqlite3.SQLITE_LIMIT_SQL_LENGTH]} are"
            " allowed."
        )
    if count_selects(sql) > MOST_SELECTS:
        raise RefusedQuery(
            "The query references its WITH tables so often that it becomes too large. Reference"
            " each of them once or twice."
        )
    limits = _LimitCheck()
    refusals: list[str] = []

    def authorize_action(
        action: int,
        first: str | None,
        second: str | None,
        database: str | None,
        trigger: str | None,
    ) -> int:
        if action in _ALLOWED or (action == sqlite3.SQLITE_FUNCTION and second in FUNCTIONS):
            return sqlite3.SQLITE_OK
        refusals.append(
            f"function {second}() is not allowed"
            if action == sqlite3.SQLITE_FUNCTION
            else "only SELECT is allowed"
        )
        return sqlite3.SQLITE_DENY

    previous_limits = {which: connection.setlimit(which, value) for which, value in _LIMITS.items()}
    connection.set_authorizer(authorize_action)
    connection.set_progress_handler(limits, INSTRUCTIONS_PER_CHECK)
    try:
        cursor = connection.execute(sql)
        try:
            return _read_page(cursor, range(offset, offset + limit), collected)
        finally:
            cursor.close()
    except (sqlite3.Error, sqlite3.Warning, OverflowError, MemoryError, UnicodeError) as error:
        raise RefusedQuery(limits.reason or _error_message(error, refusals)) from None
    finally:
        connection.set_progress_handler(None, 0)
        connection.set_authorizer(None)
        for which, value in previous_limits.items():
            connection.setlimit(which, value)


def _read_page(cursor: sqlite3.Cursor, page: range, collected: str) -> QueryRows:
    if cursor.description is None:
        raise RefusedQuery("The query is empty. Give one SELECT.")
    columns = tuple(d[0] for d in cursor.description)
    collected_index = columns.index(collected) if collected in columns else -1
    rows: list[tuple[Any, ...]] = []
    texts: list[str] = []
    count = 0
    for row in cursor:
        if count in page:
            rows.append(tuple(_cell_value(value) for value in row))
        if collected_index >= 0 and isinstance(row[collected_index], str):
            texts.append(row[collected_index])
        count += 1
    return QueryRows(columns, tuple(rows), count, tuple(texts))


def _cell_value(value: Any) -> Any:
    """A cell of the result: text cut to `MOST_CELL_CHARACTERS` characters, a blob as a hexadecimal
    literal, other values unchanged.
    """
    if isinstance(value, bytes):
        value = f"x'{value[: MOST_CELL_CHARACTERS // 2].hex()}'"
    if isinstance(value, str) and len(value) > MOST_CELL_CHARACTERS:
        return value[: MOST_CELL_CHARACTERS - 1] + "…"
    return value


class _LimitCheck:
    """A progress handler for SQLite that checks time and memory. To interrupt the query it returns
    true and sets ``reason``.
    """

    def __init__(self) -> None:
        self.deadline = time.monotonic() + TIME_LIMIT
        self.initial_memory = resident_bytes()
        self.next_memory_check = 0.0
        self.reason = ""

    def __call__(self) -> bool:
        now = time.monotonic()
        if now >= self.deadline:
            self.reason = (
                f"The query took longer than {TIME_LIMIT:g} s and was stopped. Select less, or add"
                " a LIMIT to a subquery."
            )
        elif now >= self.next_memory_check:
            self.next_memory_check = now + 0.01
            if resident_bytes() - self.initial_memory > MEMORY_LIMIT:
                self.reason = (
                    f"The query used more than {MEMORY_LIMIT >> 20} MB and was stopped."
                    " Select less."
                )
        return bool(self.reason)


def _error_message(error: Exception, refusals: list[str]) -> str:
    text = str(error)
    if refusals:
        return (
            f"The query was refused: {refusals[0]}. Allowed is one SELECT with the functions"
            f" {', '.join(sorted(FUNCTIONS))}."
        )
    if "one statement" in text or isinstance(error, sqlite3.Warning):
        return "Only one statement is allowed. Send a single SELECT."
    if "too big" in text or isinstance(error, MemoryError):
        return "The query, or a text it creates, is larger than allowed. Select less."
    return f"SQL error: {elide_text(one_line(text))}."
