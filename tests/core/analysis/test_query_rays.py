"""Questions in SQL: right answers, and attacks that end in an error soon and small."""

from __future__ import annotations

import contextlib
import dataclasses
import math
import sqlite3
import threading
import time
import xml.etree.ElementTree as ET
from collections.abc import Iterator

import numpy as np
import pytest

from raybench.analysis import agentic_tools as tools
from raybench.analysis.agentic_tools import query_rays_xml
from raybench.analysis.context import TracedScene, override_context, require_context
from raybench.analysis.rays.columns import COLUMNS
from raybench.analysis.sql.ray_database import TABLES, trace_database
from raybench.analysis.tools.rays.query_rays import query_rays
from raybench.kinds.detectors import Detector
from raybench.kinds.glasses import Glass
from raybench.kinds.gratings import DiffractionGrating
from raybench.kinds.mirrors import Mirror
from raybench.kinds.sources import PointSource, SingleRay
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.shapes.point import Point, Vertex
from raybench.system.process import resident_bytes
from raybench.trace.results.result import TraceResult
from raybench.trace.trace import trace


@pytest.fixture(scope="module")
def scene() -> Scene:
    prism = Glass(
        path=(Vertex(100, 200), Vertex(200, 200), Vertex(150, 113.397)), name="Main Prism"
    )
    objects = [
        prism,
        PointSource(x=99, y=75),
        Mirror(p1=Point(0, 400), p2=Point(300, 400), name="a'b\x01]]>" + "x" * 10_000),
    ]
    return Scene.of(objects, Settings(ray_mode_density=1))


@pytest.fixture(autouse=True)
def result(scene: Scene) -> Iterator[TraceResult]:
    found = trace(scene, revision=77)
    tools.set_context_from_result(scene, found)
    yield found
    tools.clear_context()


def rows(sql: str, max_rows: int = 200) -> list[list[str | None]]:
    root = ET.fromstring(query_rays_xml(sql, max_rows))
    assert root.tag == "query"
    shown = [
        [None if c.attrib.get("null") else (c.text or "") for c in r] for r in root.findall("row")
    ]
    assert int(root.attrib["shown"]) == len(shown) <= max_rows
    return shown


def test_only_ids_of_this_trace_select_rays() -> None:
    ids = require_context().result.segment_id(3)
    for text, selected in (
        (ids, [3]),
        ("5", []),
        (ids.replace("77", "78"), []),
        (f"{ids}x", []),
        (f"{ids}{'0' * 5000}", []),
    ):
        found = query_rays(f"SELECT '{text}' AS id")
        assert found.rays is not None
        assert found.rays.rows.tolist() == selected


def test_every_ray_is_a_row(result: TraceResult) -> None:
    assert rows("SELECT count(*), sum(power) FROM rays") == [
        [str(len(result)), f"{result.total_power.sum():.9g}"]
    ]
    escaped = rows(
        "SELECT DISTINCT length, x2, y2, received, object FROM rays WHERE status = 'escaped'"
    )
    assert escaped == [[None] * 5]
    assert float(rows("SELECT max(abs(x2)) FROM rays")[0][0] or 0) < 1000
    assert rows("SELECT id, parent, wavelength FROM rays WHERE row = 0") == [["r77-0", None, None]]
    by_object = rows(
        "SELECT object, count(*) FROM rays WHERE object = 'Main Prism' AND edge = 'S' GROUP BY 1"
    )
    assert int(by_object[0][1] or 0) == int(((result.hit == 0) & (result.edge == 0)).sum())


def test_angles_obey_snell_and_received_is_power() -> None:
    corners = (Vertex(20, -30), Vertex(40, -30), Vertex(60, 30), Vertex(20, 30))
    lens = Glass(path=corners, ref_index=1.5, partial_reflect=False, name="Wedge")
    screen = Detector(p1=Point(90, -40), p2=Point(90, 60), name="Screen")
    scene = Scene.of(
        [
            SingleRay(p1=Point(0, 0), p2=Point(1, 0)),
            SingleRay(p1=Point(120, 5), p2=Point(119, 5)),
            lens,
            screen,
        ]
    )
    result = trace(scene)
    tools.set_context_from_result(scene, result)
    slope = math.degrees(math.atan2(20, 60))  # of the second face, against the vertical
    out = math.degrees(math.asin(1.5 * math.sin(math.radians(slope))))
    columns = "object, direction, deviation, incidence_angle, refractive_index, received"
    first = rows(f"SELECT {columns} FROM rays WHERE source_ray = 0 ORDER BY depth")
    told = [["Wedge", 0, 0, 0, 1, 1], ["Wedge", 0, 0, slope, 1.5, 0]]
    beyond = [360 - (out - slope), -(out - slope)]  # down, towards the thick end
    told += [["Screen", *beyond, out - slope, 1, 1], [None, *beyond, None, 1, None]]
    for row, wanted in zip(first, told, strict=True):
        for cell, value in zip(row, wanted, strict=True):
            assert cell == value or float(cell or "nan") == pytest.approx(value, abs=1e-6)
    back = rows("SELECT direction, deviation FROM rays WHERE source_ray = 1 ORDER BY depth LIMIT 1")
    assert back == [["180", "0"]]
    power = ET.fromstring(tools.measure_xml("power(Screen)")).find("measure")
    assert power is not None
    assert rows("SELECT sum(received) FROM rays WHERE object = 'Screen'") == [
        [power.attrib["value"]]
    ]


def test_the_order_of_a_grating_is_a_column() -> None:
    grating = DiffractionGrating(
        p1=Point(20, -5),
        p2=Point(20, 5),
        line_density=300,
        custom_brightness=True,
        brightnesses=(0.5, 0.3, 0.2),
    )
    scene = Scene.of([SingleRay(p1=Point(0, 0), p2=Point(1, 0)), grating])
    tools.set_context_from_result(scene, trace(scene))
    orders = rows(
        "SELECT diffraction_order, power, -deviation FROM rays ORDER BY diffraction_order"
    )
    per_order = math.degrees(math.asin(540e-6 * 300))
    assert orders[0] == [None, "1", "0"]
    assert [(m, p) for m, p, _ in orders[1:]] == [("-1", "0.2"), ("0", "0.5"), ("1", "0.3")]
    assert [float(d or 0) for *_, d in orders[1:]] == pytest.approx(
        [-per_order, 0, per_order], abs=1e-6
    )


def test_tables_without_a_statement() -> None:
    schema = ET.fromstring(query_rays_xml())
    assert [t.attrib["name"] for t in schema] == list(TABLES)
    for table in schema:
        for name, _, words in TABLES[table.attrib["name"]]:
            assert f"{name}: {words}" in table.attrib["columns"]
    assert len(query_rays_xml()) < 5000


def test_the_tables_are_those_documented() -> None:
    assert query_rays_xml.__doc__ is not None
    for table, columns in TABLES.items():
        listed = f"{table}({', '.join(name for name, _, _ in columns)})"
        assert listed in " ".join(query_rays_xml.__doc__.split())
        assert rows(f"SELECT {', '.join(name for name, _, _ in columns)} FROM {table} LIMIT 1")


def test_objects_edges_and_crossings_agree_with_the_other_tools(result: TraceResult) -> None:
    assert rows("SELECT name, type, n, round(perimeter) FROM objects WHERE type = 'Glass'") == [
        ["Main Prism", "Glass", "1.5", "300"]
    ]
    assert rows("SELECT edge, kind FROM edges WHERE object = 'Main Prism' ORDER BY edge_index") == [
        ["S", "line"], ["E", "line"], ["W", "line"],
    ]  # fmt: skip
    for edge in "SEW":
        tools.find_rays_crossing_edge_xml("Main Prism", edge)
        (answer,) = rows(
            "SELECT count(DISTINCT row) FROM crossings WHERE object = 'Main Prism' AND edge ="
            f" '{edge}'"
        )
        assert int(answer[0] or 0) == len(require_context().answers[-1])


def test_a_crossing_says_where_and_at_which_angle(result: TraceResult) -> None:
    arriving = rows(
        "SELECT c.row, c.x - r.x2, c.y - r.y2, angle FROM crossings c JOIN rays r USING (row) WHERE"
        " place = 'end' AND c.edge = 'S'"
    )
    assert len(arriving) > 3
    for row, dx, dy, angle in arriving:
        assert abs(float(dx or 1)) + abs(float(dy or 1)) < 1e-6
        d = result.p2[int(row or 0)] - result.p1[int(row or 0)]
        assert float(angle or 0) == pytest.approx(
            np.degrees(np.arctan2(abs(d[0]), abs(d[1]))), abs=1e-6
        )
    assert (
        int(
            rows("SELECT count(*) FROM crossings WHERE place = 'start' AND object = 'Main Prism'")[
                0
            ][0]
            or 0
        )
        > 0
    )


def test_lineage_can_be_walked(result: TraceResult) -> None:
    leaf = max(range(len(result)), key=lambda row: result.depth[row])
    path = rows(
        f"WITH RECURSIVE up(r) AS (SELECT {leaf} UNION ALL SELECT parent FROM rays JOIN up ON row ="
        " r) SELECT r FROM up"
    )
    assert [int(r[0]) for r in path if r[0] is not None][::-1] == result.lineage.path(leaf)


def test_ids_beyond_the_shown_rows(result: TraceResult) -> None:
    root = ET.fromstring(query_rays_xml("SELECT id FROM rays WHERE interaction = 'refract'", 3))
    (found,) = require_context().answers[-1:]
    assert int(root.attrib["count"]) == len(found) == int((result.interaction == 2).sum()) > 3
    assert len(root.findall("row")) == 3
    noted = len(require_context().answers)
    rows("SELECT count(*) FROM rays")
    assert len(require_context().answers) == noted


def test_names_that_xml_cannot_hold_survive() -> None:
    ((name,),) = rows("SELECT name FROM objects WHERE type = 'Mirror'")
    assert name is not None
    assert name.startswith("a'b\\u0001]]>xxx")
    assert len(name) >= 1000
    assert rows("SELECT length(name) FROM objects WHERE type = 'Mirror'") == [["10007"]]


def test_rows_recorded_elsewhere_know_what_they_met(scene: Scene, result: TraceResult) -> None:
    recorded = [
        {
            "p1": s.p1,
            "p2": s.p2,
            "brightness_s": s.brightness_s,
            "brightness_p": s.brightness_p,
            "parent": s.parent,
            "interaction": s.interaction,
        }
        for s in result.segments
    ]
    by_edge = "SELECT edge, count(*) FROM rays WHERE object = 'Main Prism' GROUP BY 1"
    traced = rows(by_edge)
    tools.set_context(scene, recorded)
    assert rows(by_edge) == traced
    assert len(traced) == 3


def test_a_new_edge_label_is_known(scene: Scene, result: TraceResult) -> None:
    assert rows("SELECT edge FROM edges WHERE object = 'Main Prism'")[0] == ["S"]
    document = Document(scene=scene, edge_labels={scene.objects[0].key: {0: "Base"}})
    with override_context(TracedScene.from_document(document, result)):
        assert rows("SELECT edge FROM edges WHERE object = 'Main Prism'")[0] == ["Base"]
        assert rows("SELECT count(*) FROM rays WHERE edge = 'Base'") != [["0"]]


def test_any_thread_may_ask(result: TraceResult) -> None:
    answers: list[str] = []
    threads = [
        threading.Thread(
            target=lambda: answers.append(query_rays_xml("SELECT count(*) FROM crossings"))
        )
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(answers)) == 1
    assert len(answers) == 4


LONG = (
    "WITH RECURSIVE g(x) AS (SELECT 'aaaaaaaaaa' UNION ALL SELECT x || x FROM g WHERE length(x) <"
    " 40000), big(x) AS (SELECT max(x) FROM g)"
)
"""Makes one text of 81 920 characters."""
TRIMS = ", ".join(f"{side}trim(big.x, few.x)" for side in ("l", "r", "") * 5)
DOUBLED = ", ".join(
    f"a{i}(x) AS (SELECT p.x FROM a{i - 1} p, a{i - 1} q LIMIT 9)" for i in range(1, 25)
)
ATTACKS = {
    "endless recursion": "SELECT count(*) FROM (WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c) SELECT x FROM c)",
    "endless rows": "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c) SELECT x FROM c",
    "endless rows with ids": "WITH RECURSIVE c(id) AS (SELECT 'r77-0' UNION ALL SELECT id FROM c) SELECT id FROM c",
    "growing text": "WITH RECURSIVE c(x) AS (SELECT 'aaaaaaaaaa' UNION ALL SELECT x || x FROM c) SELECT length(x) FROM c",
    "many texts": f"{LONG} SELECT b.x || a.row FROM rays a, rays c, big b ORDER BY 1",
    "sorted product": "SELECT a.id || b.id || c.id AS t FROM rays a, rays b, rays c ORDER BY t",
    "distinct product": "SELECT DISTINCT a.id || b.id || c.id FROM rays a, rays b, rays c",
    "many-fold product": "SELECT count(*) FROM rays a, rays b, rays c, rays d",
    "zeroblob": "SELECT hex(zeroblob(50000000))",
    "randomblob": "SELECT length(randomblob(1000000000))",
    "printf width": "SELECT printf('%1000000000d', 1)",
    "printf width of many": "SELECT printf('%.*c', 1000000000, 'x')",
    "format": "SELECT format('%.*c', 1000000000, 'x')",
    "group_concat": "SELECT length(group_concat(a.id || b.id, 'xxxxxxxxxxxxxxxxxxxxxxxxxxx')) FROM rays a, rays b",
    "replace": f"{LONG} SELECT replace(replace(x, 'a', 'yyyyyyyyyy'), 'y', 'zzzzzzzzzz') FROM big",
    "like": f"{LONG} SELECT count(*) FROM big, rays a, rays b WHERE x || a.row || b.row LIKE '%a%a%a%a%a%a%a%a%a%a%a%a%b%a%a%a%c'",
    "like, each the same": f"{LONG} SELECT count(*) FROM big, rays a, rays b WHERE x || a.row || b.row LIKE '%aaaaaaaaaaaaaaaaaaaaaaaab'",
    "glob": f"{LONG} SELECT count(*) FROM big, rays a, rays b WHERE x || a.row || b.row GLOB '*a*a*[a-z]*a*[a-f]*a*a*a*b'",
    "instr": f"{LONG} SELECT count(*) FROM big, rays a, rays b WHERE instr(x || a.row || b.row, substr(x, 1, 40000) || 'b')",
    "trim": f"{LONG}, few(x) AS (SELECT substr(replace(x, 'a', 'b'), 1, 8000) || 'a' FROM big) SELECT {TRIMS} FROM big, few",
    "views that double": f"WITH a0(x) AS (SELECT row FROM rays LIMIT 9), {DOUBLED} SELECT count(*) FROM a24",
    "values that double": f"WITH a0(x) AS (VALUES (1)), {DOUBLED} SELECT count(*) FROM a24",
    "many joins": "SELECT count(*) FROM " + ", ".join(f"rays r{i}" for i in range(64)),
    "deep": "SELECT " + "(" * 900 + "1" + ")" * 900,
    "many terms": "SELECT 1" + " UNION SELECT 1" * 400,
    "long": "SELECT '" + "x" * 200_000 + "'",
    "attach": "ATTACH DATABASE '/tmp/x.db' AS x",
    "pragma": "PRAGMA table_info(rays)",
    "pragma function": "SELECT * FROM pragma_table_info('rays')",
    "load_extension": "SELECT load_extension('x')",
    "readfile": "SELECT readfile('/etc/passwd')",
    "writefile": "SELECT writefile('/tmp/x', 'y')",
    "fts": "SELECT fts3_tokenizer('x')",
    "insert": "INSERT INTO rays (row) VALUES (1)",
    "delete": "DELETE FROM rays",
    "with delete": "WITH a AS (SELECT 1) DELETE FROM rays",
    "drop": "DROP TABLE rays",
    "create": "CREATE TABLE t (x)",
    "temporary view": "CREATE TEMP VIEW v AS SELECT 1",
    "vacuum into": "VACUUM INTO '/tmp/x.db'",
    "transaction": "BEGIN",
    "two statements": "SELECT 1; SELECT 2",
    "two statements, the second hidden": "SELECT 1; /* */ DROP TABLE rays",
    "comment": "-- nothing",
    "parameter": "SELECT ?",
    "null character": "SELECT 1\0; DROP TABLE rays",
    "surrogate": "SELECT '\ud800'",
    "nonsense": "SELEKT 1",
    "no such column": "SELECT brightness FROM rays",
}  # fmt: skip


def test_an_endless_text_is_too_large() -> None:
    with pytest.raises(ValueError, match="a text it creates, is larger than allowed"):
        rows(
            "WITH RECURSIVE s(x) AS (SELECT 'a' UNION ALL SELECT x || x FROM s) SELECT"
            " max(length(x)) FROM s"
        )


def test_a_long_cell_is_cut() -> None:
    text, blob = (
        rows(f"{LONG} SELECT {value} FROM big")[0][0] or "" for value in ("x", "CAST(x AS BLOB)")
    )
    assert text == "a" * 999 + "…"
    assert blob == f"x'{'61' * 498}6…"


def test_a_slow_pattern_is_refused() -> None:
    with pytest.raises(ValueError, match="pattern too complex"):
        rows(f"{LONG} SELECT count(*) FROM big WHERE x LIKE '%' || substr(x, 1, 40000) || 'b'")


@pytest.mark.parametrize("attack", ATTACKS.values(), ids=ATTACKS)
@pytest.mark.security
def test_an_attack_ends_in_an_error_soon_and_small(attack: str) -> None:
    rows("SELECT 1 FROM crossings LIMIT 1")
    before, begun, begun_cpu = resident_bytes(), time.monotonic(), time.thread_time()
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - any refusal will do
        query_rays_xml(attack)
    # on a busy machine the clock says little; the query runs in this thread alone
    assert time.thread_time() - begun_cpu < 6
    assert time.monotonic() - begun < 30
    assert resident_bytes() - before < 500e6
    assert len(str(caught.value)) < 2000
    assert "\n" not in str(caught.value)
    assert int(rows("SELECT count(*) FROM rays")[0][0] or 0) > 0


NEVER = (
    *(
        "zeroblob(50000000)",
        "hex('a')",
        "randomblob(1000000000)",
        "printf('%1000000000d', 1)",
        "format('%.*c', 1000000000, 'x')",
        "quote('a')",
    ),
    *(
        "char(120)",
        "load_extension('x')",
        "readfile('/etc/passwd')",
        "writefile('/tmp/x', 'y')",
        "edit('x')",
        "fts3_tokenizer('x')",
        "trim(' a')",
    ),
    *(
        "json_group_array(id)",
        "json_extract('{}', '$')",
        "string_agg(id, 'x')",
        "concat_ws('x', 'y', 'z')",
        "unhex('00')",
        "sqlite_version()",
    ),
    *(
        "random()",
        "last_insert_rowid()",
        "likelihood(1, 0.5)",
        "date('now')",
        "id REGEXP 'a'",
        "id MATCH 'a'",
        "'{}' -> '$'",
    ),
)


@pytest.mark.parametrize("call", NEVER)
@pytest.mark.security
def test_dangerous_functions_are_refused(
    call: str,
) -> None:
    with pytest.raises(ValueError, match=r"is not allowed|no such function|unable to use function"):
        query_rays_xml(f"SELECT {call} FROM rays")


LARGE = ("zeroblob", "randomblob", "printf width", "group_concat", "replace")


@pytest.mark.parametrize("attack", LARGE)
@pytest.mark.security
def test_no_large_value_from_any_function(attack: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit of the length of a value is a second defence behind the list of functions, of
    memory if not of time.
    """
    every = sqlite3.connect(":memory:").execute("SELECT DISTINCT name FROM pragma_function_list")
    monkeypatch.setattr(
        "raybench.analysis.sql.bounded_sql.FUNCTIONS", frozenset(name for (name,) in every)
    )
    rows("SELECT id, row FROM rays LIMIT 1")
    before, answer = resident_bytes(), ""
    with contextlib.suppress(ValueError):  # some are refused, some give nothing
        answer = query_rays_xml(ATTACKS[attack])
    assert len(answer) < 3_000
    assert resident_bytes() - before < 100e6


def test_errors_say_what_there_is() -> None:
    with pytest.raises(ValueError, match=r"no such column: brightness.*rays\(row, id"):
        query_rays_xml("SELECT brightness FROM rays")
    with pytest.raises(ValueError, match=r"zeroblob\(\) is not allowed"):
        query_rays_xml("SELECT zeroblob(1)")
    with pytest.raises(ValueError, match="only SELECT"):
        query_rays_xml("DELETE FROM rays")
    with pytest.raises(ValueError, match="single SELECT"):
        query_rays_xml("SELECT 1; SELECT 2")
    for wrong in (0, 1001, True, 2.5):
        with pytest.raises(ValueError, match="limit"):
            query_rays_xml("SELECT 1", wrong)  # type: ignore[arg-type]


def test_rows_come_in_pages() -> None:
    total = int(rows("SELECT count(*) FROM rays")[0][0] or 0)
    root = ET.fromstring(query_rays_xml("SELECT row FROM rays ORDER BY row", 4, 5))
    assert [cell.text for cell in root.iter("cell")] == ["5", "6", "7", "8"]
    assert (root.attrib["count"], root.attrib["offset"]) == (str(total), "5")
    assert root.attrib["left"] == f"{total - 9} row"
    last = ET.fromstring(query_rays_xml("SELECT row FROM rays ORDER BY row", 10, total - 2))
    assert "left" not in last.attrib
    assert last.attrib["shown"] == "2"


@pytest.mark.parametrize(
    "columns",
    [
        "*",
        "rays.*",
        "/* each */ *",
        "-- each\n*",
        "rays. /**/ *",
        "count(incidence_angle), sum(received), max(refractive_index), max(opl)",
    ],
)
def test_slow_columns_are_there_when_read(columns: str, result: TraceResult) -> None:
    database = trace_database(require_context())
    assert rows("SELECT count(*) FROM rays WHERE 2 * power > 0") == [[str(len(result))]]
    assert database.filled == {"row", "power"}
    first = rows(f"SELECT {columns} FROM rays")
    about_scene = {column.sql for column in COLUMNS.values() if column.on_request}
    assert database.filled >= (
        {name for name, _, _ in TABLES["rays"]}
        if "*" in columns
        else about_scene | {"row", "power"}
    )
    assert ("wavelength" in database.filled) == ("*" in columns)
    assert "*" not in columns or first == rows("SELECT * FROM rays")
    assert rows("SELECT count(*) FROM rays WHERE 2 * power > 0") == [[str(len(result))]]
    known = rows("SELECT count(incidence_angle) FROM rays WHERE refractive_index > 1.4")
    assert int(known[0][0] or 0) > 0
    assert any(cell is not None for cell in first[0])


def test_unique_names_ignore_case(scene: Scene) -> None:
    same = "SELECT count(*) FROM rays WHERE object = 'Main Prism'"
    assert rows(same.replace("Main Prism", "main prism")) == rows(same) != [["0"]]
    twins = Scene.of(
        [dataclasses.replace(scene.objects[0], name=name) for name in ("Ball", "ball")]
        + [scene.objects[1]]
    )
    tools.set_context_from_result(twins, trace(twins))
    assert rows("SELECT name FROM objects WHERE name = 'ball'") == [["ball"]]
