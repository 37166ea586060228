"""The files of drawings, what they may become, and how closely curves are followed."""

from __future__ import annotations

SUFFIXES = (".svg", ".dxf")
KINDS = ("glass", "mirror", "blocker", "drawing")
"""What a drawing may become; the first is the default."""
TOLERANCE = 0.05
"""Default largest distance of flattened curves from the drawing, in the unit of the scene."""
