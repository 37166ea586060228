"""Scenes written for the tests, and how a user asks about them: the XML of a tool on a traced
document.
"""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET
from collections.abc import Callable

from raybench.analysis.context import TracedScene, override_context
from raybench.kinds.glasses import Glass
from raybench.kinds.object import SceneObject
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.shapes.point import Vertex
from raybench.trace.trace import trace

PAGE = 2_500
"""Characters that an answer may have by default."""


def traced(
    *objects: SceneObject,
    density: float = 1.0,
    simulate_colors: bool = False,
    unit: str = "mm",
    depth: float = math.inf,
) -> TracedScene:
    """The traced document of some objects; weak light is traced too. ``depth`` ends light that is
    trapped for good.
    """
    settings = Settings(
        ray_mode_density=density,
        color_mode="linear",
        simulate_colors=simulate_colors,
        max_ray_depth=depth,
    )
    document = Document(scene=Scene.of(objects, settings), unit=unit)
    return TracedScene.from_document(document, trace(document))


def ask(
    context: TracedScene, tool: Callable[..., str], *arguments: object, **named: object
) -> ET.Element:
    """The answer of a tool, which must fit on a page unless the call has arguments that ask for
    more.
    """
    with override_context(context):
        xml = tool(*arguments, **named)
    assert named or len(xml) <= PAGE, len(xml)
    return ET.fromstring(xml)


def number(element: ET.Element | None, name: str) -> float:
    assert element is not None
    return float(element.attrib[name])


def prism(apex: float, turned: float = 0.0, n: float = 1.5, name: str = "Prism") -> Glass:
    """An isosceles prism with its apex up, turned counter-clockwise as seen about its apex, in
    degrees.
    """
    half, side = math.radians(apex) / 2, 60.0
    corners = [
        (0.0, 0.0),
        (side * math.sin(half), side * math.cos(half)),
        (-side * math.sin(half), side * math.cos(half)),
    ]
    c, s = math.cos(math.radians(turned)), math.sin(math.radians(turned))
    path = tuple(Vertex(c * x + s * y, -s * x + c * y - 20) for x, y in corners)
    return Glass(path=path, ref_index=n, partial_reflect=False, name=name)


def block(
    left: float,
    top: float,
    right: float,
    bottom: float,
    n: float = 1.5,
    name: str = "Block",
    partial: bool = False,
) -> Glass:
    """A rectangle of glass."""
    path = (Vertex(left, top), Vertex(right, top), Vertex(right, bottom), Vertex(left, bottom))
    return Glass(path=path, ref_index=n, partial_reflect=partial, name=name)
