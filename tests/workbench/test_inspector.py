"""The inspector, driven in the real window: a clicked ray tells its facts, its whole path is lit,
and each step can be chosen.
"""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from prism_window import prism_document
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QApplication, QToolTip, QTreeWidgetItemIterator

from raybench.analysis.rays.ray_filter import RangeCondition, RayFilter
from raybench.kinds.glasses import Glass
from raybench.kinds.mirrors import Mirror
from raybench.kinds.polarizing_elements import WavePlate
from raybench.kinds.sources import SingleRay
from raybench.scene.changes import Set
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.shapes.point import Point, Vertex
from raybench.trace.codes import Interaction
from raybench.trace.trace import trace
from raybench.view import NO_RAYS, PickedRays
from raybench_workbench import theme
from raybench_workbench.canvas.picking import find_hit_at_pixel, rays_near_pixel
from raybench_workbench.inspector import MAX_STEPS, ray_path
from raybench_workbench.shot import wait_until_settled

pytestmark = pytest.mark.one_window

LEFT = Qt.MouseButton.LeftButton
PLACE = Qt.ItemDataRole.UserRole
SLAB = (Vertex(100, 0), Vertex(130, 0), Vertex(130, 200), Vertex(100, 200))


def slab_document():
    """A ray that goes straight through a slab 30 mm thick of index 1.5, 100 mm from it."""
    ray = SingleRay(name="Pointer", p1=Point(0, 100), p2=Point(10, 100))
    return Document(scene=Scene.of([ray, Glass(name="Slab", path=SLAB, ref_index=1.5)]))


def power(text):
    """The number of a relative power."""
    number, unit = text.split(" ", 1)
    assert unit == "relative power"
    return float(number)


def test_the_steps_leave_room_for_what_is_met(open_window, hand):
    window = open_window(slab_document(), size=(1024, 700))
    hand(window.canvas).click(50, 100)
    wait_until_settled(window)
    header = window.inspector.steps.header()
    names = [window.inspector.steps.headerItem().text(k) for k in range(header.count())]
    assert header.sectionSize(names.index("To")) >= theme.text_pixel_width("Light guide 2"), (
        "a name of usual length is not elided"
    )


def test_a_long_name_does_not_widen_the_inspector(open_window, hand):
    window = open_window(slab_document(), size=(1280, 800))
    hand(window.canvas).click(50, 100)
    wait_until_settled(window)
    width, canvas = window.inspector.width(), window.canvas.width()
    pointer, slab = (o.key for o in window.document.scene.objects)
    name = "A name that is much longer than the dock is wide"
    assert window.document.change(
        [Set([pointer], {"name": f"{name} 1"}), Set([slab], {"name": f"{name} 2"})]
    )
    wait_until_settled(window)
    window.document.set_view(
        dataclasses.replace(window.document.session.view, picked=PickedRays.from_rows(0))
    )
    wait_until_settled(window)
    assert window.inspector.facts.texts["Source"] == f"{name} 1"
    assert (window.inspector.width(), window.canvas.width()) == (width, canvas)


def free_ray(window, hand):
    """A row whose middle is on the canvas, away from objects and nearer to it than other rays, and
    a hand to click it with.
    """
    result, view = window.document.result, window.canvas
    for row in np.flatnonzero(
        (result.depth >= 1) & ~result.escaped & (result.total_power > 0.01)
    ).tolist():
        at = view.camera.to_screen(Point(*result.middle[row]))
        if (
            view.rect().contains(at.toPoint())
            and find_hit_at_pixel(view, at) is None
            and rays_near_pixel(view, at)[:1].tolist() == [row]
        ):
            return row, hand(view)
    raise AssertionError("no ray is free")


def item_of(window, place):
    """The item of the tree of steps for a step of the path."""
    items = QTreeWidgetItemIterator(window.inspector.steps)
    while items.value() is not None:
        if items.value().data(0, PLACE) == place:
            return items.value()
        items += 1
    raise AssertionError(f"step {place} is not listed")


def test_facts_are_computed_for_the_path_alone(window):
    result = window.document.result
    row = int(np.flatnonzero(result.depth == 2)[0])
    path = ray_path(window.document.document, result, row)
    assert "direction" not in vars(result), "that of a million rays would hold the window"
    assert dict(path.facts)["Direction"] == f"{result.direction[row]:.2f}°"
    assert dict(path.facts)["Depth"] == "2"


def test_polarized_light_is_told_in_words() -> None:
    ray = SingleRay(p1=Point(0, 0), p2=Point(1, 0), polarization="linear", polarization_angle=30)
    plate = WavePlate(p1=Point(9, -9), p2=Point(9, 9), fast_axis=75)
    document = Document(scene=Scene.of([ray, plate]))
    result = trace(document)
    told = [dict(ray_path(document, result, row).facts)["Polarization"] for row in (0, 1)]
    assert told == ["linear, azimuth 30.0°", "right circular"]


def test_a_deep_ray_is_among_its_steps() -> None:
    mirrors = [Mirror(p1=Point(x, -1000), p2=Point(x, 1000)) for x in (0, 10)]
    document = Document(scene=Scene.of([SingleRay(p1=Point(5, 50), p2=Point(6, 50.01)), *mirrors]))
    result = trace(document, max_segments=1000)
    for row in (10, MAX_STEPS, len(result) - 1):
        path = ray_path(document, result, row)
        assert (path.steps[path.place].row, path.count, len(path.steps)) == (
            row,
            len(result),
            MAX_STEPS,
        )


def test_a_clicked_ray_opens_the_inspector(window, hand):
    result = window.document.result
    row, mouse = free_ray(window, hand)
    assert window.inspector_dock.made is None
    mouse.click(*result.middle[row])
    assert window.document.session.view.picked == PickedRays.from_rows(row)
    assert window.inspector_dock.isVisible()
    lit = window.canvas.rays.highlighted_rows().tolist()
    assert set(result.lineage.path(row)) <= set(lit)
    assert set(lit) == {*result.lineage.path(row), *result.lineage.descendants(row).tolist()}
    path = window.inspector.path
    assert sorted(s.row for s in path.steps) == lit
    assert path.steps[path.place].row == row
    assert window.inspector.facts.texts["Source"] == "Lamp"
    assert window.inspector.title.full_text.startswith(
        f"Ray {result.segment_id(row)} · {len(lit)} segments"
    )


def test_facts_of_a_slab_match_closed_forms(open_window, hand, qtbot):
    window = open_window(slab_document())
    mouse = hand(window.canvas)
    mouse.click(50, 100)
    assert window.inspector.facts.texts["Length"] == "100.000 mm"
    steps = window.inspector.steps
    inside = next(i for i, s in enumerate(window.inspector.path.steps) if s.way == "refract")
    wait_until_settled(window)  # the dock has its place
    qtbot.mouseClick(
        steps.viewport(), LEFT, pos=steps.visualItemRect(item_of(window, inside)).center()
    )
    qtbot.waitUntil(lambda: window.inspector.facts.texts["Length"] == "30.000 mm")
    facts = window.inspector.facts.texts
    assert facts["Path to its end"] == "130.000 mm"
    assert facts["Optical path"] == "145.000 mm", "100 in air and 30 in an index of 1.5"
    assert facts["Incidence"] == "0.00°"
    assert facts["Hits"] == "Slab"
    assert float(facts["Relative power"]) == pytest.approx(0.96, abs=1e-5), "4 n / (n + 1)²"


def test_arrow_keys_walk_along_the_path(window, hand, qtbot):
    row, mouse = free_ray(window, hand)
    mouse.click(*window.document.result.middle[row])
    steps, path = window.inspector.steps, window.inspector.path
    before = set(window.canvas.rays.highlighted_rows().tolist())
    steps.setFocus()
    parent = int(window.document.result.parent[row])
    qtbot.keyClick(steps, Qt.Key.Key_Up)
    qtbot.waitUntil(lambda: window.document.session.view.picked == PickedRays.from_rows(parent))
    assert window.inspector.path.steps[window.inspector.path.place].row == parent
    assert set(window.canvas.rays.highlighted_rows().tolist()) >= before, (
        "the parent's path holds the child's"
    )
    assert path is not window.inspector.path


def test_the_tree_stays_while_steps_are_chosen(window, hand, qtbot):
    """A leaf is a click away from a leaf of another branch."""
    result = window.document.result
    row, mouse = free_ray(window, hand)
    mouse.click(*result.middle[int(result.lineage.path(row)[0])])
    whole, steps = window.inspector.path, window.inspector.steps
    leaves = [
        i
        for i, s in enumerate(whole.steps)
        if not any(int(result.parent[other.row]) == s.row for other in whole.steps)
    ]
    assert len(leaves) > 1
    for place in (leaves[0], leaves[-1]):
        steps.setCurrentItem(item_of(window, place))
        chosen = whole.steps[place].row
        qtbot.waitUntil(
            lambda chosen=chosen: (
                window.document.session.view.picked == PickedRays.from_rows(chosen)
            )
        )
        assert window.inspector.path.steps[window.inspector.path.place].row == chosen
        on = set(result.lineage.path(chosen))
        assert len(on) < len(whole.steps)
        for i, step in enumerate(whole.steps):
            dimmed = item_of(window, i).foreground(2).color() == theme.current_theme().color("dim")
            assert dimmed == (step.row not in on)
        assert set(window.canvas.rays.highlighted_rows().tolist()) == on
        window.show_theme("light" if theme.current_theme().name == "dark" else "dark")
        assert {
            item_of(window, i).foreground(2).color().name()
            for i, s in enumerate(whole.steps)
            if s.row not in on
        } == {theme.current_theme().color("dim").name()}
    mouse.click(*result.middle[row])
    assert {s.row for s in window.inspector.path.steps} == set(
        window.canvas.rays.highlighted_rows().tolist()
    )
    assert steps.currentItem().foreground(2).color() != theme.current_theme().color("dim")


def test_the_steps_branch_where_light_does(window, hand):
    result = window.document.result
    row, mouse = free_ray(window, hand)
    mouse.click(*result.middle[int(result.lineage.path(row)[0])])
    path = window.inspector.path
    listed = {s.row: s for s in path.steps}
    assert len(listed) > 4
    for place, step in enumerate(path.steps):
        parent = int(result.parent[step.row])
        if parent < 0:
            assert step.branch_start == -1
            continue
        own = [r for r in listed if int(result.parent[r]) == parent]
        assert step.branch_start == (
            listed[parent].branch_start if len(own) == 1 else path.steps.index(listed[parent])
        )
        assert step.branch_start < place, "a branch stands below where it begins"
    branch = next(i for i, s in enumerate(path.steps) if s.branch_start >= 0)
    assert item_of(window, branch).parent().data(0, PLACE) == path.steps[branch].branch_start


def test_an_object_wins_without_alt(window, hand):
    mouse, result = hand(window.canvas), window.document.result
    inside = np.flatnonzero(
        (result.depth == 1) & (result.hit == 1) & (result.interaction == Interaction.REFRACT)
    )
    place = result.middle[inside[0]]
    mouse.click(*place)
    assert window.document.session.view.picked == NO_RAYS
    assert window.selection.keys == {window.document.scene.objects[1].key}
    mouse.click(*place, modifiers=Qt.KeyboardModifier.AltModifier)
    assert len(window.document.session.view.picked) == 1
    assert window.selection.keys == {window.document.scene.objects[1].key}


def test_a_click_on_nothing_unpicks_the_ray(window, hand):
    row, mouse = free_ray(window, hand)
    mouse.click(*window.document.result.middle[row])
    mouse.click(300, 40)
    assert window.document.session.view.picked == NO_RAYS
    assert window.canvas.rays.highlighted_rows() is None
    assert window.inspector.hint.isVisible()


def test_rays_that_a_filter_hides_are_not_picked(window, hand):
    row, mouse = free_ray(window, hand)
    place = window.document.result.middle[row]
    view = window.document.session.view
    window.document.set_view(
        dataclasses.replace(
            view, ray_filter=RayFilter(must=(RangeCondition(key="power", gte=1e9),))
        )
    )
    mouse.click(*place)
    assert window.document.session.view.picked == NO_RAYS


def test_an_object_shows_where_its_light_goes(open_window, qtbot):
    window = open_window(slab_document())
    window.actions_by_id["view.inspector"].trigger()
    slab = window.document.scene.objects[1]
    window.selection.set({slab.key})
    balance = window.inspector.balance
    qtbot.waitUntil(lambda: balance.texts.get("Receives", "—") != "—", timeout=10_000)
    assert window.inspector.object_title.full_text == "Slab"
    received = power(balance.texts["Receives"])
    assert power(balance.texts["Reflects"]) == pytest.approx(
        (0.04 + 0.96**2 * 0.04) * received, rel=1e-3
    ), "at both faces"
    assert balance.texts["Absorbs"] == "0 relative power"
    window.document.change(
        Set(window.document.scene.objects[0].key, {"brightness": 0.5})
    )  # not traced yet
    window.selection.set({window.document.scene.objects[0].key})
    assert set(balance.texts.values()) == {"—"}, "no values of the slab"
    window.document.undo()
    qtbot.waitUntil(lambda: balance.texts.get("Emits", "—") != "—", timeout=10_000)
    assert power(balance.texts["Emits"]) == pytest.approx(received)


def test_a_resting_pointer_describes_the_ray(window, hand, qtbot):
    row, mouse = free_ray(window, hand)
    at = mouse.at(*window.document.result.middle[row])
    QApplication.sendEvent(
        window.canvas, QHelpEvent(QHelpEvent.Type.ToolTip, at, window.canvas.mapToGlobal(at))
    )
    assert QToolTip.text().startswith(f"{window.document.result.segment_id(row)}: Lamp, power")
    nowhere = QPoint(4, 4)
    QApplication.sendEvent(
        window.canvas,
        QHelpEvent(QHelpEvent.Type.ToolTip, nowhere, window.canvas.mapToGlobal(nowhere)),
    )
    qtbot.waitUntil(lambda: not QToolTip.isVisible())


def test_ray_and_object_keep_the_window_s_size(open_window):
    window = open_window(prism_document(), size=(1280, 800))
    window.actions_by_id["view.inspector"].trigger()
    window.selection.set({window.document.scene.optical[0].key})
    window.document.set_view(
        dataclasses.replace(window.document.session.view, picked=PickedRays.from_rows(0))
    )
    wait_until_settled(window)
    assert window.inspector.title.isVisible()
    assert window.inspector.object_title.isVisible()
    assert window.height() == 800


def test_the_inspector_regains_its_former_height(window, hand, qtbot):
    dock = window.inspector_dock
    view = window.document.session.view

    def show(picked):
        window.document.set_view(dataclasses.replace(view, picked=picked))
        wait_until_settled(window)
        return dock.height()

    def resize(height):
        rest = dock.height() + window.chat_dock.height() - height
        window.resizeDocks([dock, window.chat_dock], [height, rest], Qt.Orientation.Vertical)
        wait_until_settled(window)

    row, mouse = free_ray(window, hand)
    mouse.click(*window.document.result.middle[row])
    wait_until_settled(window)
    grown = dock.height()
    assert show(None) < grown / 2, "opened by the ray, it keeps what its hint needs"
    resize(200)
    assert show(PickedRays.from_rows(row)) > 300
    assert show(None) == 200
    window.chat_dock.hide()
    wait_until_settled(window)
    alone = dock.height()
    show(PickedRays.from_rows(row))
    assert show(None) == alone


def test_a_ray_is_left_without_a_chat_below(open_window, hand, qtlog):
    window = open_window(slab_document(), size=(1024, 700))
    hand(window.canvas).click(50, 100)
    wait_until_settled(window)
    window.chat_dock.hide()
    window.inspector.rayLeft.emit(-2 * window.height())
    assert not [r for r in qtlog.records if "resizeDocks" in r.message]
