"""Detectors: objects that measure the light crossing them."""

import math
from collections.abc import Iterator

from raybench.kinds.aspects import outlines, sample
from raybench.kinds.aspects.outlines import Edges
from raybench.kinds.aspects.pieces import lines_geometry, piece_on_edges
from raybench.kinds.aspects.row import Row
from raybench.kinds.aspects.transform import transform_between_directed_ends
from raybench.kinds.fields import LENGTH, flag, number, point
from raybench.kinds.object import SceneObject, kind
from raybench.kinds.primitives import COUNTS, ONE_SIDED, Surface
from raybench.phrase import Phrase
from raybench.shapes.point import Point

OLD_READINGS = frozenset({"power", "normal", "shear", "binData"})
"""Entries of files of older programs: what a detector had read, which is measured anew."""
MAX_BINS = 1_000_000
"""Maximum number of bins of an irradiance map."""


@kind
class Detector(SceneObject):
    """A line that measures the power of the light that crosses it. The light passes unchanged."""

    label = "Detector"
    has_edge_table = True

    p1: Point = point(
        "First end",
        help=(
            "Bins count from here; with it above the second end, light going right counts as"
            " positive."
        ),
    )
    p2: Point = point("Second end", help="The other end of the detector.")
    two_sided: bool = flag(
        True, "Two-sided", help="Also count light from the other side, as negative."
    )
    irrad_map: bool = flag(
        False, "Irradiance map", help="Measure power along the line, bin by bin."
    )
    bin_size: float = number(
        1.0, "Bin size", unit=LENGTH, low=1e-9, help="Width of a bin of the irradiance map."
    )

    @property
    def map_bin_count(self) -> int:
        """The number of bins of the detector's irradiance map; 0 without a map, or if the bin size
        does not give 1 to `MAX_BINS` bins.
        """
        if not self.irrad_map or not self.bin_size > 0:
            return 0
        bins = math.dist(self.p1, self.p2) / self.bin_size
        return math.ceil(bins) if bins <= MAX_BINS else 0

    @property
    def irradiance_map_fault(self) -> str:
        """The reason why the detector has no bins although an irradiance map is switched on; empty
        otherwise.
        """
        if not self.irrad_map or self.map_bin_count or self.p1 == self.p2:
            return ""
        return Phrase(
            "has no irradiance map: binSize is {bin_size:g}, which does not give 1 to"
            " {most:,} bins",
            bin_size=self.bin_size,
            most=MAX_BINS,
        )


def _detector_remarks(obj: Detector, edges: Edges) -> Iterator[str]:
    if obj.irradiance_map_fault:
        yield Phrase("{fault}.", fault=obj.irradiance_map_fault)


ROWS = (
    Row(
        Detector, family="Measure", edges=outlines.line_edges,
        piece=lambda obj, edges: piece_on_edges(
            edges, Surface.DETECT, COUNTS if obj.two_sided else COUNTS | ONE_SIDED
        ),
        ends_geometry=lines_geometry, remarks=_detector_remarks, sample=sample.ENDS, transformed=transform_between_directed_ends,
        painter="detector", icon=sample.numbered_points_fields(10, 3, 10, 17),
    ),
)  # fmt: skip
