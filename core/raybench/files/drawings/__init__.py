"""Drawings, SVG and DXF, as objects of a scene. The libraries that read them are the extra
`import`, loaded when needed.
"""

SUFFIXES = (".svg", ".dxf")
KINDS = ("glass", "mirror", "blocker", "optics", "drawing")
"""What a drawing, or a layer of one, may become; the first is the default."""
DEFAULT_TOLERANCE = 0.05
"""Default largest distance of flattened curves from the drawing, in the unit of the scene."""
