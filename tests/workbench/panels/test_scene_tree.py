"""The list of objects."""

from __future__ import annotations

from core.scene.document import Document
from core.scene.mirrors import Mirror
from core.scene.point import Point
from core.scene.scene import Scene
from workbench.shot import picture
from workbench.testing import pixels


def rows_of_name(open_window, name: str):
    window = open_window(Document(scene=Scene.of([Mirror(name=name, p1=Point(0, 0), p2=Point(9, 9))])))
    return pixels(picture(window.tree.list)).copy()


def test_a_name_with_a_line_break_takes_one_line(open_window) -> None:
    assert (rows_of_name(open_window, "Left\nmirror") == rows_of_name(open_window, "Left mirror")).all()
