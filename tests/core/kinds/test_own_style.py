"""How texts and lines ask to be drawn, read from JSON and set."""

from __future__ import annotations

from typing import Any

import pytest

from raybench.errors import RaybenchError
from raybench.kinds.aspects.own_style import OwnStyle
from raybench.kinds.decorations import LineArrow
from raybench.scene.changes import Set
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.session import Session
from raybench.shapes.point import Point

RED = {"r": 1, "g": 0, "b": 0}


@pytest.mark.parametrize(
    "given",
    [
        None,
        7,
        [],
        {"color": "red", "width": -1, "dash": 5},
        {"color": {"r": 2, "g": 0, "b": 0}},
        {"width": 1e9},
    ],
)
def test_what_is_no_style_is_left_out(given: Any) -> None:
    assert OwnStyle.from_json(given) == OwnStyle()


@pytest.mark.parametrize(
    "style",
    [
        OwnStyle(),
        OwnStyle((1.0, 0.5, 0.0, 1.0)),
        OwnStyle(None, 2.5),
        OwnStyle((0.0, 0.0, 1.0, 0.5), 4.0, (6, 4)),
    ],
)
def test_the_entries_of_a_style_are_read_again(style: OwnStyle) -> None:
    assert OwnStyle.from_json(style.json_entries()) == style


def styled(style: Any) -> Session:
    return Session(
        Document(
            scene=Scene.of(
                [LineArrow(name="Line", p1=Point(0, 0), p2=Point(9, 0), line_style=style)]
            )
        )
    )


@pytest.mark.parametrize(
    "value",
    [
        "red",
        {"color": "red"},
        {"color": {"r": 255, "g": 0, "b": 0}},
        {"width": "thick"},
        {"dash": [0]},
        [],
    ],
)
def test_a_style_that_would_not_be_seen_is_refused_with_an_example(value: Any) -> None:
    session = styled({"width": 3})
    with pytest.raises(RaybenchError, match=r"'Line' .*: lineStyle cannot be read\..* such as"):
        session.apply(Set("Line", {"lineStyle": value}))
    assert session.document.scene.objects[0].line_style == {"width": 3}  # type: ignore[attr-defined]


def test_entries_are_set_and_taken_back_one_by_one() -> None:
    session = styled({"color": RED, "other": 7})
    for given, after in (
        ({"width": 3}, {"color": RED, "other": 7, "width": 3}),
        ({"color": None, "dash": [2, 2]}, {"other": 7, "width": 3, "dash": [2, 2]}),
        ({"other": None, "width": None, "dash": None}, None),
    ):
        session.apply(Set("Line", {"lineStyle": given}))
        assert session.document.scene.objects[0].line_style == after  # type: ignore[attr-defined]
