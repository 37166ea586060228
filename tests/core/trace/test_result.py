"""Results from segments recorded by other programs, and sets of rows."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from raybench.errors import RaybenchError
from raybench.kinds.grin import CircleGrinGlass
from raybench.kinds.sources import Beam
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.session import Session
from raybench.shapes.point import Point
from raybench.trace.codes import Completion
from raybench.trace.results.ray_set import PackedRows, RaySet, Segments
from raybench.trace.results.result import TraceResult
from raybench.trace.trace import trace

pytestmark = pytest.mark.quick

ROW = {"p1": (0, 0), "p2": (1, 1), "brightness_s": 0.5, "brightness_p": 0.5}


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"p1": (math.nan, 0)}, "finite"),
        ({"p2": (0, math.inf)}, "finite"),
        ({"brightness_p": -0.1}, "negative"),
        ({"p1": None}, "cannot be read"),
        ({"parent": 1}, "has parent 1"),
        ({"interaction": "magic"}, "cannot be read"),
        ({"parent": 2**40}, "cannot be read"),
        ({"brightness_s": 10**400}, "cannot be read"),
    ],
)
def test_an_invalid_row_is_named(wrong: dict[str, Any], words: str) -> None:
    with pytest.raises(RaybenchError, match=f"Segment 1 .*{words}"):
        TraceResult.from_segments([ROW, {**ROW, **wrong}])


def test_a_row_without_a_required_value_is_refused_with_its_name() -> None:
    with pytest.raises(RaybenchError, match="Segment 0 cannot be read: it has no 'p1'"):
        TraceResult.from_segments([{}])


def test_children_continue_their_parents() -> None:
    result = TraceResult.from_segments([ROW, {**ROW, "parent": 0, "interaction": "tir"}])
    assert [s.status for s in result.segments] == ["continued", "alive"]
    assert result.depth.tolist() == [0, 1]
    assert result.lineage.tir_count.tolist() == [0, 1]


def test_ray_sets_combine_like_sets() -> None:
    a, b = (
        RaySet(np.array([1, 2, 5]), "rays inside", 3, "R1"),
        RaySet(np.array([2, 3, 5]), "rays at an edge", 3),
    )
    assert (a | b).rows.tolist() == [1, 2, 3, 5]
    assert (a & b).rows.tolist() == [2, 5]
    assert (a - b).rows.tolist() == [1]
    assert (a ^ b).rows.tolist() == [1, 3]
    assert (a - b).question == "(R1) but not (rays at an edge)"
    with pytest.raises(RaybenchError, match="R1 is of revision 3, the other of revision 4"):
        a & RaySet(np.array([1]), "rays", 4)


def test_some_rows_make_a_result_with_another_revision() -> None:
    rows = [ROW, {**ROW, "parent": 0}, {**ROW, "parent": 1}]
    whole = TraceResult.from_segments(rows)
    part = TraceResult.from_segments(whole.segments[1:])
    assert part.parent.tolist() == [-1, 0]
    assert part.revision != whole.revision
    assert part.ledger.emitted == 1.0
    assert part.ledger.imbalance == 0.0
    with pytest.raises(RaybenchError, match="precede their parents"):
        TraceResult.from_segments(Segments(whole, np.array([1, 0])))


def test_a_list_of_segments_keeps_their_columns() -> None:
    whole = TraceResult.from_segments(
        [ROW, {**ROW, "parent": 0, "interaction": "tir"}, {**ROW, "parent": 1}]
    )
    part = TraceResult.from_segments([s for s in whole.segments if s.interaction != "source"])
    assert part.parent.tolist() == [-1, 0]
    assert [s.interaction for s in part.segments] == ["tir", "reflect"]


def test_all_segments_of_a_result_are_that_result() -> None:
    result = TraceResult.from_segments([ROW, {**ROW, "parent": 0}, {**ROW, "parent": 1}, ROW])
    assert TraceResult.from_segments(list(result.segments)) is result
    assert TraceResult.from_segments(result.segments, revision=77).completion is result.completion
    assert TraceResult.from_segments(list(result.segments)[:3]).completion is Completion.REDUCED


@settings(max_examples=30, deadline=None)
@given(st.sets(st.integers(0, 30)), st.sets(st.integers(0, 30)))
def test_combined_ray_sets_hold_the_combined_rows(a: set[int], b: set[int]) -> None:
    one, other = (RaySet(np.array(sorted(rows), np.int64), "asked", 1) for rows in (a, b))
    for joined, wanted in (
        (one | other, a | b),
        (one & other, a & b),
        (one - other, a - b),
        (one ^ other, a ^ b),
    ):
        assert joined.rows.dtype == np.int64
        assert joined.rows.tolist() == sorted(wanted)


@given(st.sets(st.integers(0, 5000), min_size=0), st.booleans())
def test_a_set_that_is_kept_has_the_same_rows_in_the_same_order(
    rows: set[int], backwards: bool
) -> None:
    given_rows = np.array(sorted(rows, reverse=backwards), np.int64)
    kept = RaySet(given_rows, "asked", 1, "R1").packed()
    assert kept.rows.tolist() == given_rows.tolist()
    assert (len(kept), kept.question, kept.revision, kept.name) == (len(rows), "asked", 1, "R1")
    assert kept.packed() is kept or not isinstance(kept.kept, PackedRows)


def test_hundreds_of_large_sets_take_a_small_part_of_their_rows() -> None:
    """A set of 100 000 rays takes 800 kB as an array of rows."""
    session, random = Session(), np.random.default_rng(1)
    for share in (0.01, 0.5, 1.0):
        rows = np.flatnonzero(random.random(200_000) < share)
        kept = session.store_rays("asked", RaySet(rows, "asked", 1)).kept
        assert isinstance(kept, PackedRows)
        assert len(kept.data) <= 200_000 / 8 + 100
        assert session.answers[f"R{len(session.answers)}"].rows.tolist() == rows.tolist()


def curved_and_straight() -> TraceResult:
    """Light that goes through a graded-index disc, a curved segment between two straight ones, with
    rays beside it.
    """
    disc = CircleGrinGlass(
        p1=Point(0, 0), p2=Point(20, 0), ref_index_fn="1.5-0.0005*(x^2+y^2)", origin=Point(0, 0)
    )
    beam = Beam(p1=Point(-60, -30), p2=Point(-60, 30))
    return trace(Scene.of([beam, disc], Settings(ray_mode_density=0.2)))


def test_pieces_of_some_segments_are_those_of_all_in_the_order_of_the_rows() -> None:
    result = curved_and_straight()
    p1, p2, rows = result.straight_pieces
    assert len(rows) > len(result)
    chosen = np.arange(len(result))[::-2]
    expected = np.concatenate([np.flatnonzero(rows == row) for row in chosen])
    for one, other in zip(
        result.pieces(chosen), (p1[expected], p2[expected], rows[expected]), strict=True
    ):
        assert np.array_equal(one, other)


@pytest.mark.parametrize("most", [10, 57, 100_000])
def test_fewer_pieces_follow_each_path_from_its_start_to_its_end_by_points_of_it(most: int) -> None:
    result = curved_and_straight()
    count = result.points[:, 1].astype(int)
    p1, p2, rows = result.pieces(most=most)
    step = max(1, math.ceil(count.sum() / most))
    assert len(rows) == sum(math.ceil((n - 1) / step) if n else 1 for n in count)
    for row in range(len(result)):
        path = np.vstack([p1[rows == row], p2[rows == row][-1:]])
        assert np.array_equal(p1[rows == row][1:], p2[rows == row][:-1])
        if not count[row]:
            assert path.tolist() == [result.p1[row].tolist(), result.p2[row].tolist()]
        else:
            first = result.points[row, 0]
            points = result.polyline[first : first + count[row]]
            assert np.array_equal(path, points[[*range(0, count[row] - 1, step), count[row] - 1]])
