"""A scene with one object of most families, about which questions are asked."""

from __future__ import annotations

from raybench.kinds.detectors import Detector
from raybench.kinds.glasses import Glass
from raybench.kinds.gratings import DiffractionGrating
from raybench.kinds.lenses import IdealLens
from raybench.kinds.mirrors import Mirror
from raybench.kinds.sources import Beam, PointSource
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.shapes.point import Point, Vertex

TRIANGLE = (Vertex(-30, 20), Vertex(30, 20), Vertex(0, -20))
LASER = Beam(name="Laser A", p1=Point(-90, 0), p2=Point(-90, 5))
DOCUMENT = Document(
    scene=Scene.of(
        [
            Glass(name="Wedge", path=TRIANGLE),
            Glass(name="Main Prism", path=TRIANGLE),
            IdealLens(name="Lens", p1=Point(40, -20), p2=Point(40, 20)),
            Detector(name="Screen", p1=Point(90, -20), p2=Point(90, 20)),
            Mirror(name="M1", p1=Point(5, 50), p2=Point(8, 53)),
            LASER,
            PointSource(name="Lamp", x=0, y=-50),
            DiffractionGrating(name="Grating", p1=Point(70, 0), p2=Point(70, 9)),
        ]
    )
)
