"""Rays that the view hides: what is left on the canvas, and the chip that says so."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from PySide6.QtCore import Qt

import raybench_workbench.canvas.layers
import raybench_workbench.canvas.rays.ray_layer
from raybench.analysis.rays.ray_filter import MatchCondition, RangeCondition, RayFilter
from raybench.scene.changes import Set, SetSettings
from raybench.trace.results.ray_set import RaySet
from raybench_workbench.shot import wait_until_settled

pytestmark = pytest.mark.one_window


def show_only(window, **changes):
    window.document.set_view(dataclasses.replace(window.document.session.view, **changes))
    wait_until_settled(window)


def painted(window):
    """The lines on the canvas, as a set."""
    return {tuple(line) for line in window.canvas.backdrop.rays.lines.round(6).tolist()}


def lines_of(result, rows):
    return {
        tuple(line)
        for line in np.concatenate([result.p1[rows], result.p2[rows]], axis=1).round(6).tolist()
    }


DEEP = RayFilter(must=(RangeCondition("depth", gte=2),))


def test_only_rays_that_pass_the_filter_are_on_the_canvas(window):
    result = window.document.result
    show_only(window, ray_filter=DEEP)
    assert painted(window) == lines_of(result, np.flatnonzero(result.depth >= 2))


def test_only_the_picked_rays_are_on_the_canvas_until_the_scene_changes(window):
    result = window.document.result
    show_only(window, specific_rays=RaySet(np.array([1, 4]), "two of them", result.revision, "R1"))
    assert painted(window) == lines_of(result, [1, 4])
    window.document.change(SetSettings({"rayModeDensity": 0.3}))
    wait_until_settled(window)
    assert len(window.canvas.backdrop.rays) == len(window.document.result)
    assert "earlier trace" in window.canvas.chip.text()


def test_a_filter_stays_while_the_scene_is_dragged_and_edited(window, hand):
    show_only(window, ray_filter=DEEP)
    mouse = hand(window.canvas)
    mouse.press(200, 250)
    mouse.move(230, 260)
    settle_result = window.document.result
    assert painted(window) <= lines_of(settle_result, np.flatnonzero(settle_result.depth >= 2))
    mouse.release()
    wait_until_settled(window)
    assert painted(window) == lines_of(
        window.document.result, np.flatnonzero(window.document.result.depth >= 2)
    )


def test_a_large_trace_is_filtered_in_the_background(window, monkeypatch):
    monkeypatch.setattr(raybench_workbench.canvas.rays.ray_layer, "LARGE_TRACE", 10)
    result = window.document.result
    show_only(window, ray_filter=DEEP)
    assert painted(window) == lines_of(result, np.flatnonzero(result.depth >= 2))


def test_the_chip_says_what_is_shown_and_a_click_shows_all_again(window, qtbot):
    chip = window.canvas.chip
    assert not chip.isVisible()
    lamp = window.document.scene.objects[0].key
    both = RayFilter(must=(RangeCondition("power", gte=0.1), MatchCondition("source", (lamp,))))
    show_only(window, ray_filter=both)
    assert chip.isVisible()
    assert chip.text() == "Shown: power ≥ 0.1, from Lamp   ×"
    qtbot.mouseClick(chip, Qt.MouseButton.LeftButton)
    assert not chip.isVisible()
    assert not window.document.session.view.has_ray_filter
    assert len(window.canvas.backdrop.rays) == len(window.document.result)


def test_a_long_filter_leaves_room_for_the_canvas(window):
    lamp = window.document.scene.objects[0].key
    window.document.change(Set(window.document.scene.objects[0].key, {"name": "Lamp " * 60}))
    show_only(window, ray_filter=RayFilter(must=(MatchCondition("source", (lamp,)),)))
    assert window.canvas.chip.geometry().right() < 0.8 * window.canvas.width()
    assert "Lamp Lamp" in window.canvas.chip.toolTip()


def test_all_rays_are_shown_again_from_the_menu(window):
    action = window.actions_by_id["view.clear"]
    assert not action.isEnabled()
    show_only(window, ray_filter=DEEP)
    assert action.isEnabled()
    action.trigger()
    assert not window.document.session.view.has_ray_filter


def test_the_view_of_another_document_hides_nothing(window):
    show_only(window, ray_filter=DEEP)
    window.document.new()
    assert not window.canvas.chip.isVisible()


def test_the_legend_stands_above_the_chip(window, monkeypatch):
    boxes, paint = [], raybench_workbench.canvas.layers.paint_legend
    monkeypatch.setattr(
        raybench_workbench.canvas.layers,
        "paint_legend",
        lambda *args: boxes.append(args[2]) or paint(*args),
    )
    window.actions_by_id["coloring.source"].trigger()
    wait_until_settled(window)
    alone = boxes[-1]
    show_only(window, ray_filter=DEEP)
    chip = window.canvas.chip.geometry()
    assert alone.intersects(chip), "without a filter the legend is in the corner"
    assert not boxes[-1].intersects(chip)
    show_only(window, ray_filter=RayFilter())
    assert boxes[-1] == alone
