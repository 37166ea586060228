"""Back and forth between views: one step for each thing that was shown, one for a motion of the
camera.
"""

from __future__ import annotations

from dataclasses import replace

from raybench.view import CAMERA_STEP_SECONDS, MOST_VIEWS, NO_RAYS, PickedRays, View, ViewHistory

FIRST = View()
BOX = (0.0, 0.0, 100.0, 80.0)


def seen(history: ViewHistory, *views: View, every: float = 10 * CAMERA_STEP_SECONDS) -> View:
    """Show views one after the other, from the first one; returns the last."""
    now = FIRST
    for i, view in enumerate(views):
        history.record_view_change(now, view, i * every)
        now = view
    return now


def test_back_and_forward_show_each_view_again() -> None:
    history = ViewHistory()
    near, coloured = View(camera=BOX), View(camera=BOX, coloring="power")
    now = seen(history, near, coloured)
    assert (now := history.go_back(now)) == near
    assert (now := history.go_back(now)) == FIRST
    assert history.go_back(now) is now
    assert (now := history.go_forward(now)) == near
    assert (now := history.go_forward(now)) == coloured
    assert history.go_forward(now) is now


def test_a_motion_of_the_camera_is_one_step_and_another_after_a_pause_is_the_next() -> None:
    history = ViewHistory()
    now = seen(history, *(View(camera=(float(i), 0.0, 100.0, 80.0)) for i in range(50)), every=0.02)
    history.record_view_change(now, later := View(camera=BOX), 100.0)
    assert history.go_back(later) == now
    assert history.go_back(now) == FIRST


def test_what_is_shown_anew_ends_the_way_forward() -> None:
    history = ViewHistory()
    now = history.go_back(seen(history, View(camera=BOX)))
    history.record_view_change(now, View(coloring="power"), 1.0)
    assert history.later == []


def test_picked_rays_are_no_step_and_stay() -> None:
    history = ViewHistory()
    picked = View(picked=PickedRays.from_rows(3))
    history.record_view_change(FIRST, picked, 0.0)
    assert history.earlier == []
    history.record_view_change(picked, near := replace(picked, camera=BOX), 1.0)
    back = history.go_back(near)
    assert (back.camera, back.picked) == (None, PickedRays.from_rows(3))
    assert history.go_forward(replace(back, picked=NO_RAYS)) == View(camera=BOX)


def test_only_the_last_views_are_kept() -> None:
    history = ViewHistory()
    seen(history, *(View(camera=(float(i), 0.0, 100.0, 80.0)) for i in range(MOST_VIEWS + 20)))
    assert len(history.earlier) == MOST_VIEWS
