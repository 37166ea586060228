"""Exact pictures of the window. Beside each stands what the picture means, so that a wrong one
cannot be accepted by mistake.
"""

from __future__ import annotations

import numpy as np
import pytest
from full_disk import full_after
from prism_window import prism_document
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage

from raybench.errors import RaybenchError
from raybench.files.document_file import save_document
from raybench.trace.results.ray_set import RaySet
from raybench_workbench import theme
from raybench_workbench.chat.cards import ToolCard
from raybench_workbench.export.picture_files import save_picture
from raybench_workbench.picture_tests.pictures import pixels
from raybench_workbench.shot import NotSettled, save_screenshot, wait_until_settled, widget_picture

pytestmark = pytest.mark.one_window


def colors(image, rect=None):
    found = pixels(
        (image if rect is None else image.copy(rect)).convertToFormat(QImage.Format.Format_RGB32)
    )
    return {tuple(int(v) for v in c[::-1]) for c in np.unique(found.reshape(-1, 3), axis=0)}


def rgb(name):
    c = theme.current_theme().color(name)
    return c.red(), c.green(), c.blue()


def bright_rays(image):
    """The colours of rays of full power: that of the theme, at three quarters or more over the
    ground.
    """
    red, green, blue = rgb("ray")
    return [
        c
        for c in colors(image)
        if c[0] > 0.7 * red
        and abs(c[1] - green * c[0] / red) < 10
        and abs(c[2] - blue * c[0] / red) < 30
    ]


def test_empty_window(open_window, shots):
    window = open_window()
    assert window.document.scene.objects == ()
    assert window.windowTitle() == "Untitled[*] – Raybench"
    assert not bright_rays(widget_picture(window.canvas))
    shots(window, "window-empty")


def test_prism_scene(open_window, shots):
    window = open_window(prism_document())
    assert len(window.document.result) > 20
    assert window.status.state.text() == "complete"
    image = colors(widget_picture(window.canvas))
    assert bright_rays(widget_picture(window.canvas))
    assert rgb("accent") not in image
    shots(window, "window-prism")


def test_highlighted_rays(open_window, shots):
    window = open_window(prism_document())
    result = window.document.session.result
    lit = np.flatnonzero(result.hit == 2)
    assert len(lit) > 3
    window.document.highlight(RaySet(lit, "rays that meet Screen", result.revision, "R1"))
    wait_until_settled(window)
    shots(window.canvas, "canvas-highlight")
    assert not bright_rays(widget_picture(window.canvas)), "the other rays are not dimmed"


def test_chat_answer_highlighted(open_window, shots, qtbot):
    window = open_window(prism_document())
    window.chat_dock.connect_model(None)
    qtbot.keyClicks(window.chat_dock.composer.edit, "Which rays are inside Main Prism?")
    qtbot.keyClick(window.chat_dock.composer.edit, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not window.chat_dock.busy, timeout=20_000)
    lit = window.document.session.view.highlight
    assert len(lit) > 10
    assert window.canvas.rays.highlighted_rows().tolist() == lit.rows.tolist()
    assert window.document.result.p1[lit.rows][:, 1].min() >= 100, (
        "a lit ray starts above the prism"
    )
    wait_until_settled(window)
    (card,) = window.chat_dock.findChildren(ToolCard)
    card.time.setText("1.0 ms")
    shots(window, "window-chat-answer")


@pytest.mark.parametrize("name", ["light", "paper"])
def test_selection_in_bright_themes(open_window, shots, raybench_app, name):
    theme.apply_theme(raybench_app, name)
    window = open_window(prism_document(show_grid=True))
    window.selection.set({window.document.scene.objects[1].key})
    wait_until_settled(window)
    assert rgb("accent") in colors(widget_picture(window.canvas))
    shots(window.canvas, f"canvas-selection-{name}")


def test_light_that_adds_up(open_window, shots):
    window = open_window(
        prism_document(color_mode="colorizedIntensity", ray_mode_density=3.0), size=(900, 560)
    )
    seen = colors(widget_picture(window.canvas))
    assert any(r > 190 and g > 150 and b < 20 for r, g, b in seen), "nothing as bright as the beam"
    assert any(b > 150 and r < 60 for r, g, b in seen), "no weak reflection"
    shots(window.canvas, "canvas-brightness")


def test_ray_table_of_an_answer(open_window, shots):
    window = open_window(prism_document())
    result = window.document.session.result
    window.document.highlight(RaySet(np.arange(4), "the first rays", result.revision, "R1"))
    window.rays_dock.show()
    wait_until_settled(window)
    assert window.rays.model.rowCount() == 4
    # the revision in the first column counts documents of the whole test run
    window.rays.table.setColumnHidden(0, True)
    shots(window.rays, "panel-ray-table")


def test_a_window_that_does_not_settle_says_what_still_works(open_window, monkeypatch):
    window = open_window(prism_document())
    wait_until_settled(window)
    monkeypatch.setattr(type(window.service), "busy", True)
    monkeypatch.setattr(type(window.rays), "settled", False)
    with pytest.raises(
        NotSettled, match=r"did not settle within 0\.1 s: the trace and the ray table\.$"
    ):
        wait_until_settled(window, 0.1)


def test_a_picture_that_cannot_be_written_names_the_file_and_leaves_the_earlier_one(
    raybench_app, tmp_path
):
    image = QImage(200, 100, QImage.Format.Format_RGB32)
    image.fill(0x102030)
    path = tmp_path / "window.png"
    path.write_bytes(b"earlier")
    with full_after(20), pytest.raises(RaybenchError, match=f"{path}: cannot be written"):
        save_picture(image, path)
    assert path.read_bytes() == b"earlier"
    with pytest.raises(RaybenchError, match=r"ends in \.png"):
        save_picture(image, tmp_path / "window.scene")
    save_picture(image, path)
    assert QImage(str(path)).size() == image.size()
    assert list(tmp_path.iterdir()) == [path]


def test_the_same_scene_gives_the_same_picture_to_the_byte(raybench_app, tmp_path):
    scene = tmp_path / "scene.json"
    save_document(prism_document(), scene)
    pictures = [tmp_path / "a.png", tmp_path / "b.png"]
    for out in pictures:
        save_screenshot(scene, out, (640, 400))
    assert pictures[0].read_bytes() == pictures[1].read_bytes()
