"""Common table expressions are counted before SQLite copies them."""

from __future__ import annotations

import time

import pytest

from raybench.analysis.sql.bounded_sql import count_selects


def doubling(depth: int, definition: str = "{name}(x) AS ({body})", last: str = "SELECT 1") -> str:
    bodies = [last, *(f"SELECT p.x FROM a{i - 1} p, a{i - 1} q LIMIT 9" for i in range(1, depth))]
    parts = (definition.format(name=f"a{i}", body=body) for i, body in enumerate(bodies))
    return f"WITH {', '.join(parts)} SELECT count(*) FROM a{depth - 1}"


def test_the_count_is_that_of_the_copies() -> None:
    assert count_selects("SELECT 1") == 1
    assert count_selects(
        "WITH a AS (SELECT 1), b AS (SELECT * FROM a, a) SELECT b.x FROM b, b c"
    ) == 1 + 2 * (1 + 2)
    assert count_selects(doubling(5)) == 1 + (2**5 - 1)
    assert count_selects(doubling(60)) == 10_000


@pytest.mark.parametrize(
    "definition",
    [
        "{name} AS ({body})",
        '"{name}"/* AS ( */(x)/**/AS/**/NOT MATERIALIZED(-- )\n{body})',
        "[{name}] as materialized ({body})",
        "`{name}`(x, y) As\n( {body} )",
    ],
)
@pytest.mark.security
def test_no_spelling_hides_it(definition: str) -> None:
    assert count_selects(doubling(40, definition)) == 10_000


def test_recursion_counts_once_and_circles_count_as_endless() -> None:
    assert (
        count_selects(
            "WITH RECURSIVE up(r) AS (SELECT 1 UNION ALL SELECT parent FROM rays JOIN up ON row ="
            " r) SELECT r FROM up"
        )
        == 2
    )
    assert (
        count_selects("WITH a AS (SELECT * FROM b), b AS (SELECT * FROM a) SELECT * FROM a")
        == 10_000
    )


def test_names_in_texts_and_columns_do_not_count() -> None:
    assert (
        count_selects(
            "WITH a AS (SELECT 'a a a' -- a a\n) SELECT a.x, a.y, 'a', \"a\".z FROM a WHERE 'a' ="
            " '''a'"
        )
        == 2
    )


def test_the_count_itself_is_quick() -> None:
    begun = time.thread_time()
    for text in (
        "(" * 20_000,
        "a AS (" * 3_000,
        "'" * 19_999,
        "/*" * 9_000,
        '"' * 19_999,
        "WITH " + ", ".join(f"b{i} AS (b)" for i in range(1500)),
    ):
        count_selects(text)
    assert time.thread_time() - begun < 3
