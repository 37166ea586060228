"""A beam on a screen, and how a plot of it is chosen."""

from __future__ import annotations

from raybench.kinds.detectors import Detector
from raybench.kinds.sources import Beam
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.shapes.point import Point
from raybench_workbench.shot import wait_until_settled


def beam_document():
    """A beam 40 mm wide in the middle of a screen 100 mm long."""
    beam = Beam(name="Lamp", p1=Point(0, 30), p2=Point(0, 70), brightness=1.0)
    screen = Detector(name="Screen", p1=Point(100, 0), p2=Point(100, 100))
    other = Detector(name="Other", p1=Point(150, 200), p2=Point(150, 300))
    return Document(scene=Scene.of([beam, screen, other], Settings(ray_mode_density=10.0)))


def choose_plot(window, plot):
    window.plots.choose_plot(plot)
    wait_until_settled(window)
