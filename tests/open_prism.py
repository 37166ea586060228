"""A prism with a few recorded rays, and small tools about it, for tests of the agent."""

from __future__ import annotations

import time

from raybench.agent.call.open_document import OpenDocument
from raybench.agent.catalogue.default_tools import agent_tools
from raybench.agent.tools.tool import Tool
from raybench.kinds.glasses import Glass
from raybench.kinds.sources import SingleRay
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.session import Session
from raybench.shapes.point import Point, Vertex
from raybench.trace.results.result import TraceResult

SEGMENTS = [
    {"p1": (-60, 10), "p2": (-15, 0), "brightness_s": 0.5, "brightness_p": 0.5, "is_new": True},
    {
        "p1": (-15, 0),
        "p2": (-60, -20),
        "brightness_s": 0.04,
        "brightness_p": 0.01,
        "parent": 0,
        "interaction": "reflect",
    },
    {
        "p1": (-15, 0),
        "p2": (15.75, 1),
        "brightness_s": 0.46,
        "brightness_p": 0.49,
        "parent": 0,
        "interaction": "refract",
    },
    {
        "p1": (15.75, 1),
        "p2": (60, 20),
        "brightness_s": 0.44,
        "brightness_p": 0.48,
        "parent": 2,
        "interaction": "refract",
        "escaped": True,
    },
    {
        "p1": (15.75, 1),
        "p2": (0, 20),
        "brightness_s": 0.02,
        "brightness_p": 0.01,
        "parent": 2,
        "interaction": "reflect",
    },
]


def prism_session() -> Session:
    """A session on a prism called Main Prism, a laser, and the recorded rays as its full trace."""
    prism = Glass(name="Main Prism", path=(Vertex(-30, 20), Vertex(30, 20), Vertex(0, -20)))
    laser = SingleRay(name="Laser", p1=Point(-60, 10), p2=Point(-50, 8))
    session = Session(Document(scene=Scene.of([prism, laser])))
    session.result = TraceResult.from_segments(SEGMENTS, revision=session.document.revision)
    return session


def open_prism() -> OpenDocument:
    return OpenDocument(prism_session())


def scale(factor: float, count: int = 1, label: str = "x") -> str:
    """Multiply.

    Args:
        factor: What to multiply by.
        count: How often.
        label: What to call it.
    """
    return f"{label}={factor * count:g}"


def slow(seconds: float) -> str:
    """Take a while."""
    time.sleep(seconds)
    return "slept"


def broken() -> str:
    """Fail as no tool should."""
    raise KeyError("missing")


def long_answer(rays: int) -> str:
    """Answer at length."""
    return (
        "<rays>\n"
        + "\n".join(f'<ray index="{i}">{"x" * 90}</ray>' for i in range(rays))
        + "\n</rays>"
    )


FIND_INSIDE = next(tool for tool in agent_tools() if tool.name == "find_rays_inside_glass_xml")
TOOLS = (
    FIND_INSIDE,
    *(Tool.new(f.__name__, (f, {"effect": "read"})) for f in (scale, slow, broken, long_answer)),
)
