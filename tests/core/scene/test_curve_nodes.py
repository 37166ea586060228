"""Inserting and removing nodes of Bezier chains."""

from __future__ import annotations

import pytest

from raybench.shapes.bezier import Bezier, CurveNode, insert_node_after, remove_node
from raybench.shapes.point import Point

OPEN = (
    CurveNode(Point(0, 0), Point(1, 5), Point(4, 7)),
    CurveNode(Point(8, 1), Point(9, -3), Point(13, 2)),
    CurveNode(Point(15, 4)),
)
CLOSED = (*OPEN[:2], CurveNode(Point(15, 4), Point(12, 9), Point(3, 9)))


def pieces(nodes, *, closed):
    ends = [*nodes[1:], nodes[0]] if closed else nodes[1:]
    return [Bezier(n.a1, n.c1, n.c2, end.a1) for n, end in zip(nodes, ends, strict=closed)]


@pytest.mark.parametrize(
    ("nodes", "closed", "i"),
    [(OPEN, False, 0), (OPEN, False, 1), (CLOSED, True, 1), (CLOSED, True, 2)],
)
def test_inserting_a_node_keeps_the_curve(nodes, closed, i):
    before, after = pieces(nodes, closed=closed), pieces(insert_node_after(nodes, i), closed=closed)
    assert len(after) == len(before) + 1
    for k in range(11):
        u = k / 10
        half = after[i].at(2 * u) if u <= 0.5 else after[i + 1].at(2 * u - 1)
        assert half == pytest.approx(before[i].at(u))


def test_removing_a_node_joins_its_neighbours_and_keeps_their_directions():
    assert remove_node(OPEN, 1, closed=False) == (
        CurveNode(Point(0, 0), Point(1, 5), Point(13, 2)),
        OPEN[2],
    )
    assert remove_node(CLOSED, 0, closed=True) == (
        CLOSED[1],
        CurveNode(Point(15, 4), Point(12, 9), Point(4, 7)),
    )


def test_the_end_of_an_open_chain_has_no_control_points():
    assert remove_node(OPEN, 2, closed=False) == (OPEN[0], CurveNode(Point(8, 1)))
    assert remove_node(OPEN, 0, closed=False) == OPEN[1:]
