"""The layers of the canvas, in order, and those that figures have."""

from __future__ import annotations

import numpy as np
import pytest
from prism_window import prism_document
from PySide6.QtGui import QImage, QPainter

from raybench_workbench.canvas.layers import LAYERS
from raybench_workbench.picture_tests.pictures import pixels

pytestmark = pytest.mark.one_window


def test_figures_have_the_layers_that_do_not_serve_editing():
    names = [layer.name for layer in LAYERS]
    assert len(set(names)) == len(names)
    exported = [layer.name for layer in LAYERS if layer.exported]
    assert exported == ["backdrop", "objects", "treatments", "readings", "legend", "labels"]


def test_layers_one_after_the_other_make_the_picture_of_the_canvas(open_window):
    window = open_window(prism_document())
    view = window.canvas
    view.selection.set([view.document.scene.objects[0].key])
    ratio = view.devicePixelRatioF()
    image = QImage(view.size() * ratio, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(ratio)
    changing, frame = [], view.frame()
    for layer in LAYERS:
        before = pixels(image).copy()
        painter = QPainter(image)
        layer.paint(painter, frame)
        painter.end()
        if not np.array_equal(before, pixels(image)):
            changing.append(layer.name)
    assert {"backdrop", "objects", "control points", "scale bar", "labels"} <= set(changing)
    grabbed = view.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    assert (pixels(image) != pixels(grabbed)).any(axis=2).mean() < 0.001
