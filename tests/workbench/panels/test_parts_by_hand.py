"""Parts by hand: their data in the form, and what ends them."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel
from window_state import named, select, steps, typed

from raybench.scene.changes import AddPreset, Point
from raybench.session import Session
from raybench_workbench.clipboard import copy_selection
from raybench_workbench.files import paste_clipboard
from raybench_workbench.panels.number_edit import NumberEdit

pytestmark = pytest.mark.one_window


def field(window, name):
    return next(
        w for w in window.properties.widget().findChildren(NumberEdit) if w.accessibleName() == name
    )


def add_prism_and_doublet(window) -> None:
    window.document.replace_session(Session())
    window.document.change(
        [
            AddPreset("EquilateralPrism", {"side": 80}, Point(0, 0), as_="Prism"),
            AddPreset("Achromat", {"focalLength": 200}, Point(150, 0), as_="Objective"),
        ]
    )


def test_the_form_sets_the_data(window, qtbot) -> None:
    add_prism_and_doublet(window)
    select(window, "Prism")
    typed(qtbot, field(window, "Side"), "6 cm")
    assert steps(window)[-1] == "Prism: side 80 mm -> 60 mm"
    select(window, "Objective crown")
    texts = [label.text() for label in window.properties.widget().findChildren(QLabel)]
    assert "Objective: Achromat" in texts
    typed(qtbot, field(window, "Focal length"), "150")
    assert steps(window)[-1] == "Objective: focal length 200 mm -> 150 mm"
    assert len(window.document.document.parts) == 2


def test_a_part_reads_back_its_place(window, qtbot) -> None:
    window.document.replace_session(Session())
    window.document.change(
        [
            AddPreset("EquilateralPrism", {}, Point(100, 100), as_="Prism"),
            AddPreset("BiconvexLens", {}, Point(300, 50), 180.0, as_="Lens"),
            AddPreset("Achromat", {}, Point(500, 0), as_="Objective"),
        ]
    )
    for names, place in (
        (["Prism"], ("100", "100", "0")),
        (["Lens"], ("300", "50", "180")),
        (["Objective crown", "Objective flint"], ("500", "0", "0")),
    ):
        select(window, *names)
        assert tuple(field(window, n).text() for n in ("Centre x", "Centre y", "Angle")) == place
        typed(qtbot, field(window, "Centre y"), "20")
        typed(qtbot, field(window, "Angle"), "30 deg")
        shown = tuple(field(window, n).text() for n in ("Centre x", "Centre y", "Angle"))
        assert shown == (place[0], "20", "30")
    assert len(window.document.document.parts) == 3


def test_a_dragged_corner_frees_the_objects(window, qtbot, hand) -> None:
    add_prism_and_doublet(window)
    select(window, "Prism")
    corner = named(window, "Prism").path[0].point
    mouse = hand(window.canvas)
    mouse.press(*corner)
    mouse.move(corner.x + 10, corner.y - 10)
    assert window.messages.freed.isVisible()
    mouse.release()
    assert "the objects of Prism are free now" in steps(window)[-1]
    assert "Prism was edited by hand" in window.messages.freed.label.full_text
    assert [p.preset.label for p in window.document.document.parts] == ["Achromat"]
    qtbot.mouseClick(window.messages.freed.button, Qt.MouseButton.LeftButton)
    assert [p.preset.label for p in window.document.document.parts] == [
        "Equilateral prism",
        "Achromat",
    ]
    assert not window.messages.freed.isVisible()


def test_a_dragged_part_stays_one(window, hand) -> None:
    add_prism_and_doublet(window)
    hand(window.canvas).drag((0, -20), (30, 10))
    assert "moved" in steps(window)[-1]
    assert len(window.document.document.parts) == 2
    assert not window.messages.freed.isVisible()


def test_a_pasted_copy_is_a_part(window, qtbot) -> None:
    add_prism_and_doublet(window)
    select(window, "Objective crown", "Objective flint")
    copy_selection(window)
    paste_clipboard(window)
    document = window.document.document
    assert [document.part_name(p) for p in document.parts] == ["Prism", "Objective", "Objective 2"]
    typed(qtbot, field(window, "Focal length"), "180")
    assert steps(window)[-1] == "Objective 2: focal length 200 mm -> 180 mm"
