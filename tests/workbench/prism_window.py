"""Small scenes for tests of the window."""

from __future__ import annotations

from raybench.kinds.detectors import Detector
from raybench.kinds.glasses import Glass
from raybench.kinds.mirrors import Mirror
from raybench.kinds.sources import Beam
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.shapes.point import Point, Vertex

PRISM = (Vertex(200, 100), Vertex(300, 280), Vertex(100, 280))


def prism_document(**settings: object) -> Document:
    """A beam that meets a prism and a detector, and an unnamed mirror that stands aside."""
    return Document(
        scene=Scene.of(
            [
                Beam(name="Lamp", p1=Point(20, 180), p2=Point(20, 240), brightness=1.0),
                Glass(name="Main Prism", path=PRISM),
                Detector(name="Screen", p1=Point(400, 100), p2=Point(400, 400)),
                Mirror(p1=Point(60, 380), p2=Point(220, 380)),
            ],
            Settings(**{"ray_mode_density": 0.2, **settings}),  # type: ignore[arg-type]
        )
    )
