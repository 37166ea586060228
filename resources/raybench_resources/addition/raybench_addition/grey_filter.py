"""A kind of object: a line that lets a part of the light through and absorbs the rest."""

from raybench.kinds.aspects import outlines, sample
from raybench.kinds.aspects.row import Row
from raybench.kinds.custom_surfaces import OutRayFormulas, formula_piece
from raybench.kinds.fields import number, point
from raybench.kinds.object import SceneObject, kind
from raybench.shapes.point import Point


@kind
class GreyFilter(SceneObject):
    """A line that transmits a part of the power, whatever the wavelength."""

    label = "Grey filter"
    has_edge_table = True

    p1: Point = point("First end", help="One end of the filter.")
    p2: Point = point("Second end", help="The other end of the filter.")
    transmittance: float = number(
        0.5, "Transmittance", low=0, high=1, help="The part of the power that is transmitted."
    )


ROWS = (
    Row(
        GreyFilter,
        family="Blockers",
        edges=outlines.line_edges,
        piece=lambda obj, edges: formula_piece(
            edges,
            (OutRayFormulas(r"\theta_0", rf"{obj.transmittance:.17f}\cdot P_0"),),
            two_sided=True,
        ),
        painter="splitter",
        sample=sample.ENDS,
        icon=sample.numbered_points_fields(5, 16, 15, 4),
    ),
)
