"""Made by ``python -m raybench.library.stub``."""

from collections.abc import Sequence
from typing import Any

import raybench.kinds.blockers
import raybench.kinds.curved_glasses
import raybench.kinds.custom_surfaces
import raybench.kinds.decorations
import raybench.kinds.detectors
import raybench.kinds.glasses
import raybench.kinds.gratings
import raybench.kinds.grin
import raybench.kinds.lenses
import raybench.kinds.mirrors
import raybench.kinds.module_instance
import raybench.kinds.polarizing_elements
import raybench.kinds.sources
from raybench.analysis.measures.measure import Measured as Measured
from raybench.errors import RaybenchError as RaybenchError
from raybench.library.asking import AskedQuestion as AskedQuestion
from raybench.library.coating import Coating as Coating
from raybench.library.lens_system import LensSystem as LensSystem
from raybench.library.light import DetectorView as DetectorView
from raybench.library.light import FringePattern as FringePattern
from raybench.library.light import Light as Light
from raybench.library.light import Rays as Rays
from raybench.library.objects import InvalidArgument as InvalidArgument
from raybench.library.objects import Lens as Lens
from raybench.library.scene import Scene as Scene
from raybench.library.studies import OptimisationResult as OptimisationResult
from raybench.library.studies import StudyTable as StudyTable
from raybench.library.studies import ToleranceResult as ToleranceResult
from raybench.library.tools import ToolAnswer as ToolAnswer
from raybench.scene.changes.presets import AddPreset
from raybench.scene.document import Document as Document
from raybench.trace.results.result import Ledger as Ledger
from raybench.trace.results.result import TraceResult as TraceResult

PLACES: dict[str, str]

def Beam(
    name: str = "",
    *,
    at: tuple[float, float] = ...,
    angle: float = 0.0,
    width: float = ...,
    p1: tuple[float, float] = ...,
    p2: tuple[float, float] = ...,
    brightness: float = 0.5,
    wavelength: float = 540.0,
    emis_angle: float = 0.0,
    lambert: bool = False,
    random: bool = False,
    polarization: str = "unpolarized",
    polarization_angle: float = 0.0,
    polarization_degree: float = 1.0,
    coherence_length: Any = ...,
    coherence_group: str = "",
    power: float = ...,
) -> raybench.kinds.sources.Beam:
    """Parallel or diverging rays emitted perpendicular to a line; with ``p1`` above ``p2`` they go
    to the right.

    Args:
        name: Its name; without one it gets one when it is added to a scene.
        at: Where its middle is, x to the right and y down.
        angle: Degrees by which it is turned, counter-clockwise as seen.
        width: Its size, in scene units.
        p1: One end of the emitting line. (length)
        p2: The other end; with the first end above it the beam goes right. (length)
        brightness: Power per unit of length of the line.
        wavelength: Vacuum wavelength; used where the scene simulates colours. (nm)
        emis_angle: Full angle into which each point emits. (deg)
        lambert: Power falls with the cosine of the angle from the axis.
        random: Positions and angles drawn at random from the scene's seed.
        polarization: Circular light turns clockwise (right) for somebody into whose eye it falls.
        polarization_angle: Of linear light: 0 is perpendicular to the drawing (s), 90 in it (p); counter-clockwise, looking into the light. (deg)
        polarization_degree: The polarized fraction of the power; the rest is unpolarized.
        coherence_length: Difference of path at which the contrast of fringes has fallen to 1/e; empty for no limit. (length)
        coherence_group: Sources with the same text here are coherent with each other, as two slits are.
        power: Of all rays together; sets the power or power density above.
    """

def SingleRay(
    name: str = "",
    *,
    at: tuple[float, float] = ...,
    angle: float = 0.0,
    p1: tuple[float, float] = ...,
    p2: tuple[float, float] = ...,
    brightness: float = 1.0,
    wavelength: float = 540.0,
    polarization: str = "unpolarized",
    polarization_angle: float = 0.0,
    polarization_degree: float = 1.0,
    power: float = ...,
) -> raybench.kinds.sources.SingleRay:
    """One ray from ``p1`` through ``p2``.

    Args:
        name: Its name; without one it gets one when it is added to a scene.
        at: Where its middle is, x to the right and y down.
        angle: Degrees by which it is turned, counter-clockwise as seen.
        p1: Where the ray starts. (length)
        p2: Any other point on the ray. (length)
        brightness: Power carried by the ray.
        wavelength: Vacuum wavelength; used where the scene simulates colours. (nm)
        polarization: Circular light turns clockwise (right) for somebody into whose eye it falls.
        polarization_angle: Of linear light: 0 is perpendicular to the drawing (s), 90 in it (p); counter-clockwise, looking into the light. (deg)
        polarization_degree: The polarized fraction of the power; the rest is unpolarized.
        power: Of all rays together; sets the power or power density above.
    """

def PointSource(
    name: str = "",
    *,
    at: tuple[float, float] = ...,
    angle: float = 0.0,
    x: float = ...,
    y: float = ...,
    brightness: float = 0.5,
    wavelength: float = 540.0,
    polarization: str = "unpolarized",
    polarization_angle: float = 0.0,
    polarization_degree: float = 1.0,
    coherence_length: Any = ...,
    coherence_group: str = "",
    power: float = ...,
) -> raybench.kinds.sources.PointSource:
    """A point that emits evenly in all directions.

    Args:
        name: Its name; without one it gets one when it is added to a scene.
        at: Where its origin goes, x to the right and y down.
        angle: Degrees by which it is turned, counter-clockwise as seen.
        x: Position, to the right. (length)
        y: Position, downwards. (length)
        brightness: Emitted power: 500 of these to the full circle.
        wavelength: Vacuum wavelength; used where the scene simulates colours. (nm)
        polarization: Circular light turns clockwise (right) for somebody into whose eye it falls.
        polarization_angle: Of linear light: 0 is perpendicular to the drawing (s), 90 in it (p); counter-clockwise, looking into the light. (deg)
        polarization_degree: The polarized fraction of the power; the rest is unpolarized.
        coherence_length: Difference of path at which the contrast of fringes has fallen to 1/e; empty for no limit. (length)
        coherence_group: Sources with the same text here are coherent with each other, as two slits are.
        power: Of all rays together; sets the power or power density above.
    """

def AngleSource(
    name: str = "",
    *,
    at: tuple[float, float] = ...,
    angle: float = 0.0,
    p1: tuple[float, float] = ...,
    p2: tuple[float, float] = ...,
    brightness: float = 0.5,
    wavelength: float = 540.0,
    emis_angle: float = 36.001,
    symmetric: bool = True,
    polarization: str = "unpolarized",
    polarization_angle: float = 0.0,
    polarization_degree: float = 1.0,
    coherence_length: Any = ...,
    coherence_group: str = "",
    power: float = ...,
) -> raybench.kinds.sources.AngleSource:
    """A point that emits into an angle about the direction from ``p1`` to ``p2``.

    Args:
        name: Its name; without one it gets one when it is added to a scene.
        at: Where its middle is, x to the right and y down.
        angle: Degrees by which it is turned, counter-clockwise as seen.
        p1: Where the rays start. (length)
        p2: Gives the direction; its distance has no effect. (length)
        brightness: Emitted power: 500 of these to the full circle.
        wavelength: Vacuum wavelength; used where the scene simulates colours. (nm)
        emis_angle: Full angle of the fan. (deg)
        symmetric: The fan lies on both sides of the direction rather than on one.
        polarization: Circular light turns clockwise (right) for somebody into whose eye it falls.
        polarization_angle: Of linear light: 0 is perpendicular to the drawing (s), 90 in it (p); counter-clockwise, looking into the light. (deg)
        polarization_degree: The polarized fraction of the power; the rest is unpolarized.
        coherence_length: Difference of path at which the contrast of fringes has fallen to 1/e; empty for no limit. (length)
        coherence_group: Sources with the same text here are coherent with each other, as two slits are.
        power: Of all rays together; sets the power or power density above.
    """

def Mirror(
    name: str = "",
    *,
    at: tuple[float, float] = ...,
    angle: float = 0.0,
    height: float = ...,
    filter: bool = False,
    invert: bool = False,
    wavelength: float = 540.0,
    bandwidth: float = 10.0,
    p1: tuple[float, float] = ...,
    p2: tuple[float, float] = ...,
) -> raybench.kinds.mirrors.Mirror:
    """A flat mirror that reflects without loss on both sides.

    Args:
        name: Its name; without one it gets one when it is added to a scene.
        at: Where its middle is, x to the right and y down.
        angle: Degrees by which it is turned, counter-clockwise as seen.
        height: Its size, in scene units.
        filter: Act only on wavelengths within the band.
        invert: Act on wavelengths outside the band instead.
        wavelength: Centre of the filter's band. (nm)
        bandwidth: Half the width of the filter's band. (nm)
        p1: One end of the mirror. (length)
        p2: The other end of the mirror. (length)
    """

def ArcMirror(
    name: str = "",
    *,
    at: tuple[float, float] = ...,
    angle: float = 0.0,
    filter: bool = False,
    invert: bool = False,
    wavelength: float = 540.0,
    bandwidth: float = 10.0,
    p1: tuple[float, float] = ...,
    p2: tuple[float, float] = ...,
    p3: tuple[float, float] = ...,
) -> raybench.kinds.mirrors.ArcMirror:
    """A mirror in the form of a circular arc.

    Args:
        name: Its name; without one it gets one when it is added to a scene.
        at: Where its origin goes, x to the right and y down.
        angle: Degrees by which it is turned, counter-clockwise as seen.
        filter: Act only on wavelengths within the band.
        invert: Act on wavelengths outside the band instead.
        wavelength: Centre of the filter's band. (nm)
        bandwidth: Half the width of the filter's band. (nm)
        p1: One end of the mirror. (length)
        p2: The other end of the mirror. (length)
        p3: A point on the arc, between its ends. (length)
    """

def ParabolicMirror(
    name: str = "",
    *,
    at: tuple[float, float] = ...,
    angle: float = 0.0,
    filter: bool = False,
    invert: bool = False,
    wavelength: float = 540.0,
    bandwidth: float = 10.0,
    p1: tuple[float, float] = ...,
    p2: tuple[float, float] = ...,
    p3: tuple[float, float] = ...,
) -> raybench.kinds.mirrors.ParabolicMirror:
    """A parabolic mirror whose axis is perpendicular to the line between its ends.

    Args:
        name: Its name; without one it gets one when it is added to a scene.
        at: Where its origin goes, x to the right and y down.
        angle: Degrees by which it is turned, counter-clockwise as seen.
        filter: Act only on wavelengths within the band.
        invert: Act on wavelengths outside the band instead.
        wavelength: Centre of the filter's band. (nm)
        bandwidth: Half the width of the filter's band. (nm)
        p1: One end of the mirror. (length)
        p2: The other end of the mirror. (length)
        p3: The vertex of the parabola. (length)
    """

def CurveMirror(
    name: str = "",
    *,
    at: tuple[float, float] = ...,
    angle: float = 0.0,
    filter: bool = False,
    invert: bool = False,
    wavelength: float = 540.0,
    bandwidth: float = 10.0,
    points: Any = ...,
    is_closed: bool = True,
) -> raybench.kinds.mirrors.CurveMirror:
    """A mirror in the form of a chain of cubic Bezier curves.

    Args:
        name: Its name; without one it gets one when it is added to a scene.
        at: Where its origin goes, x to the right and y down.
        angle: Degrees by which it is turned, counter-clockwise as seen.
        filter: Act only on wavelengths within the band.
        invert: Act on wavelengths outside the band instead.
        wavelength: Centre of the filter's band. (nm)
        bandwidth: Half the width of the filter's band. (nm)
        points: Nodes and control points in order. (length)
        is_closed: Join the last node to the first.
    """

def CustomMirror(
    name: str = "",
    *,
    at: tuple[float, float] = ...,
    angle: float = 0.0,
    height: float = ...,
    filter: bool = False,
    invert: bool = False,
    wavelength: float = 540.0,
    bandwidth: float = 10.0,
    p1: tuple[float, float] = ...,
    p2: tuple[float, float] = ...,
    eqn: str = "0.5\\cdot\\sqrt{1-x^2}",
    curve_step_size: float = 0.1000001,
    curve_type: str = "smoothNormal",
) -> raybench.kinds.mirrors.CustomMirror:
    """A mirror in the form of a graph y = f(x), whose ends are at x = -1 and x = 1.

    Args:
        name: Its name; without one it gets one when it is added to a scene.
        at: Where its middle is, x to the right and y down.
        angle: Degrees by which it is turned, counter-clockwise as seen.
        height: Its size, in scene units.
        filter: Act only on wavelengths within the band.
        invert: Act on wavelengths outside the band instead.
        wavelength: Centre of the filter's band. (nm)
        bandwidth: Half the width of the filter's band. (nm)
        p1: One end of the mirror. (length)
        p2: The other end of the mirror. (length)
        eqn: LaTeX; y is up for ends from left to right, in half distances.
        curve_step_size: Distance of the corners of a polygonal graph, in its line's direction, whatever the length scale of the scene. (length)
        curve_type: Polygonal: straight from step to step. The others are followed exactly.
    """

def ParamMirror(
    name: str = "",
    *,
    at: tuple[float, float] = ...,
    angle: float = 0.0,
    filter: bool = False,
    invert: bool = False,
    wavelength: float = 540.0,
    bandwidth: float = 10.0,
    origin: tuple[float, float] = ...,
    pieces: Any = ...,
    curve_type: str = "smoothNormal",
) -> raybench.kinds.mirrors.ParamMirror:
    """A mirror in the form of parametric curves x(t), y(t).

    Args:
        name: Its name; without one it gets one when it is added to a scene.
        at: Where its origin goes, x to the right and y down.
        angle: Degrees by which it is turned, counter-clockwise as seen.
        filter: Act only on wavelengths within the band.
        invert: Act on wavelengths outside the band instead.
        wavelength: Centre of the filter's band. (nm)
        bandwidth: Half the width of the filter's band. (nm)
        origin: Added to every point of the curves. (length)
        pieces: eqnX, eqnY, tMin, tMax and tStep of each curve.
        curve_type: Polygonal: straight from step to step. The others are followed exactly.
    """

def IdealMirror(
    name: str = "",
    *,
    at: tuple[float, float] = ...,
    angle: float = 0.0,
    height: float = ...,
    filter: bool = False,
    invert: bool = False,
    wavelength: float = 540.0,
    bandwidth: float = 10.0,
    p1: tuple[float, float] = ...,
    p2: tuple[float, float] = ...,
    focal_length: float = 100.0,
) -> raybench.kinds.mirrors.IdealMirror:
    """A flat element that reflects and images perfectly: 1/s + 1/s' = 1/f for every ray (Hecht,
    section 5.4.3).

    Args:
        name: Its name; without one it gets one when it is added to a scene.
        at: Where its middle is, x to the right and y down.
        angle: Degrees by which it is turned, counter-clockwise as seen.
        height: Its size, in scene units.
        filter: Act only on wavelengths within the band.
        invert: Act on wavelengths outside the band instead.
        wavelength: Centre of the filter's band. (nm)
        bandwidth: Half the width of the filter's band. (nm)
        p1: One end of the mirror. (length)
        p2: The other end of the mirror. (length)
        focal_length: Positive for a converging mirror. (length)
    """

def BeamSplitter(
    name: str = "",
    *,
    at: tuple[float, float] = ...,
    angle: float = 0.0,
    height: float = ...,
    filter: bool = False,
    invert: bool = False,
    wavelength: float = 540.0,
    bandwidth: float = 10.0,
    p1: tuple[float, float] = ...,
    p2: tuple[float, float] = ...,
    trans_ratio: float = 0.5,
) -> raybench.kinds.mirrors.BeamSplitter:
    """A flat mirror that transmits a fraction of the power.

    Args:
        name: Its name; without one it gets one when it is added to a scene.
        at: Where its middle is, x to the right and y down.
        angle: Degrees by which it is turned, counter-clockwise as seen.
        height: Its size, in scene units.
        filter: Act only on wavelengths within the band.
        invert: Act on wavelengths outside the band instead.
        wavelength: Centre of the filter's band. (nm)
        bandwidth: Half the width of the filter's band. (nm)
        p1: One end of the mirror. (length)
        p2: The other end of the mirror. (length)
        trans_ratio: The fraction of the power that is transmitted.
    """

def Glass(
    name: str = "",
    *,
    at: tuple[float, float] = ...,
    angle: float = 0.0,
    glass: str = ...,
    ref_index: float = 1.5,
    cauchy_b: float = 0.004,
    partial_reflect: bool = True,
    path: Sequence[tuple[float, ...]] = ...,
) -> raybench.kinds.glasses.Glass:
    """A body with a closed outline of straight edges and circular arcs.

    Args:
        name: Its name; without one it gets one when it is added to a scene.
        at: Where its origin goes, x to the right and y down.
        angle: Degrees by which it is turned, counter-clockwise as seen.
        glass: A name of the catalogue of materials, such as N-BK7.
        ref_index: Index, or Cauchy's A where colours are simulated.
        cauchy_b: Dispersion: n = A + B/λ², where colours are simulated. (µm²)
        partial_reflect: Split rays by Fresnel's equations instead of transmitting all.
        path: Corners in order; a vertex marked arc bends the side between its neighbours. (length)
    """

def CircleGlass(
    name: str = "",
    *,
    at: tuple[float, float] = ...,
    angle: float = 0.0,
    diameter: float = ...,
    glass: str = ...,
    ref_index: float = 1.5,
    cauchy_b: float = 0.004,
    partial_reflect: bool = True,
    p1: tuple[float, float] = ...,
    p2: tuple[float, float] = ...,
) -> raybench.kinds.glasses.CircleGlass:
    """A circular body.

    Args:
        name: Its name; without one it gets one when it is added to a scene.
        at: Where its middle is, x to the right and y down.
        angle: Degrees by which it is turned, counter-clockwise as seen.
        diameter: Its size, in scene units.
        glass: A name of the catalogue of materials, such as N-BK7.
        ref_index: Index, or Cauchy's A where colours are simulated.
        cauchy_b: Dispersion: n = A + B/λ², where colours are simulated. (µm²)
        partial_reflect: Split rays by Fresnel's equations instead of transmitting all.
        p1: Centre of the circle. (length)
        p2: A point on the circle. (length)
    """

def PlaneGlass(
    name: str = "",
    *,
    at: tuple[float, float] = ...,
    angle: float = 0.0,
    height: float = ...,
    glass: str = ...,
    ref_index: float = 1.5,
    cauchy_b: float = 0.004,
    partial_reflect: bool = True,
    p1: tuple[float, float] = ...,
    p2: tuple[float, float] = ...,
) -> raybench.kinds.glasses.PlaneGlass:
    """A half-plane of glass on one side of a line: below the line if its first point is to the left
    of its second.

    Args:
        name: Its name; without one it gets one when it is added to a scene.
        at: Where its middle is, x to the right and y down.
        angle: Degrees by which it is turned, counter-clockwise as seen.
        height: Its size, in scene units.
        glass: A name of the catalogue of materials, such as N-BK7.
        ref_index: Index, or Cauchy's A where colours are simulated.
        cauchy_b: Dispersion: n = A + B/λ², where colours are simulated. (µm²)
        partial_reflect: Split rays by Fresnel's equations instead of transmitting all.
        p1: A point on the boundary. (length)
        p2: Another point on the boundary. (length)
    """

def SphericalLens(
    name: str = "",
    *,
    at: tuple[float, float] = ...,
    angle: float = 0.0,
    glass: str = ...,
    ref_index: float = 1.5,
    cauchy_b: float = 0.004,
    partial_reflect: bool = True,
    def_by: str = "DR1R2",
    path: Sequence[tuple[float, ...]] = ...,
    p1: tuple[float, float] = ...,
    p2: tuple[float, float] = ...,
    params: Any = ...,
) -> raybench.kinds.lenses.SphericalLens:
    """A lens with two spherical surfaces, given by its outline or by its rim and optical data.

    Args:
        name: Its name; without one it gets one when it is added to a scene.
        at: Where its origin goes, x to the right and y down.
        angle: Degrees by which it is turned, counter-clockwise as seen.
        glass: A name of the catalogue of materials, such as N-BK7.
        ref_index: Index, or Cauchy's A where colours are simulated.
        cauchy_b: Dispersion: n = A + B/λ², where colours are simulated. (µm²)
        partial_reflect: Split rays by Fresnel's equations instead of transmitting all.
        def_by: Radii, or front and back focal distances.
        path: Six points: rim, arc, rim, arc. (length)
        p1: Middle of the edge at one rim. (length)
        p2: Middle of the edge at the other rim. (length)
        params: d, r1, r2: thickness and radii, r1 > 0 > r2 is biconvex, null is flat; or d, ffd, bfd: focal distances. (length)
    """

def IdealLens(
    name: str = "",
    *,
    at: tuple[float, float] = ...,
    angle: float = 0.0,
    diameter: float = ...,
    p1: tuple[float, float] = ...,
    p2: tuple[float, float] = ...,
    focal_length: float = 100.0,
) -> raybench.kinds.lenses.IdealLens:
    """A thin lens that images perfectly: 1/s + 1/s' = 1/f for every ray (Hecht, section 5.2.3).

    Args:
        name: Its name; without one it gets one when it is added to a scene.
        at: Where its middle is, x to the right and y down.
        angle: Degrees by which it is turned, counter-clockwise as seen.
        diameter: Its size, in scene units.
        p1: One end of the lens. (length)
        p2: The other end of the lens. (length)
        focal_length: Positive for a converging lens. (length)
    """

def CurveGlass(
    name: str = "",
    *,
    at: tuple[float, float] = ...,
    angle: float = 0.0,
    glass: str = ...,
    ref_index: float = 1.5,
    cauchy_b: float = 0.004,
    partial_reflect: bool = True,
    points: Any = ...,
) -> raybench.kinds.curved_glasses.CurveGlass:
    """A body bounded by a closed chain of cubic Bezier curves.

    Args:
        name: Its name; without one it gets one when it is added to a scene.
        at: Where its origin goes, x to the right and y down.
        angle: Degrees by which it is turned, counter-clockwise as seen.
        glass: A name of the catalogue of materials, such as N-BK7.
        ref_index: Index, or Cauchy's A where colours are simulated.
        cauchy_b: Dispersion: n = A + B/λ², where colours are simulated. (µm²)
        partial_reflect: Split rays by Fresnel's equations instead of transmitting all.
        points: Nodes and control points in order; the last is joined to the first. (length)
    """

def CustomGlass(
    name: str = "",
    *,
    at: tuple[float, float] = ...,
    angle: float = 0.0,
    height: float = ...,
    glass: str = ...,
    ref_index: float = 1.5,
    cauchy_b: float = 0.004,
    partial_reflect: bool = True,
    p1: tuple[float, float] = ...,
    p2: tuple[float, float] = ...,
    eqn1: str = "0",
    eqn2: str = "0.5\\cdot\\sqrt{1-x^2}",
    curve_step_size: float = 0.1000001,
    curve_type: str = "smoothNormal",
) -> raybench.kinds.curved_glasses.CustomGlass:
    """A body between two graphs, f(x) < y < g(x), where p1 is at x = -1 and p2 at x = 1.

    Args:
        name: Its name; without one it gets one when it is added to a scene.
        at: Where its middle is, x to the right and y down.
        angle: Degrees by which it is turned, counter-clockwise as seen.
        height: Its size, in scene units.
        glass: A name of the catalogue of materials, such as N-BK7.
        ref_index: Index, or Cauchy's A where colours are simulated.
        cauchy_b: Dispersion: n = A + B/λ², where colours are simulated. (µm²)
        partial_reflect: Split rays by Fresnel's equations instead of transmitting all.
        p1: Where x is -1 and y is 0. (length)
        p2: Where x is 1 and y is 0; y is up for ends from left to right. (length)
        eqn1: The lower bound, in LaTeX, in half distances of the ends.
        eqn2: The upper bound.
        curve_step_size: Distance of the corners of a polygonal graph, in its line's direction, whatever the length scale of the scene. (length)
        curve_type: Polygonal: straight from step to step. The others are followed exactly.
    """

def ParamGlass(
    name: str = "",
    *,
    at: tuple[float, float] = ...,
    angle: float = 0.0,
    glass: str = ...,
    ref_index: float = 1.5,
    cauchy_b: float = 0.004,
    partial_reflect: bool = True,
    origin: tuple[float, float] = ...,
    pieces: Any = ...,
    curve_type: str = "smoothNormal",
) -> raybench.kinds.curved_glasses.ParamGlass:
    """A body bounded by closed parametric curves x(t), y(t).

    Args:
        name: Its name; without one it gets one when it is added to a scene.
        at: Where its origin goes, x to the right and y down.
        angle: Degrees by which it is turned, counter-clockwise as seen.
        glass: A name of the catalogue of materials, such as N-BK7.
        ref_index: Index, or Cauchy's A where colours are simulated.
        cauchy_b: Dispersion: n = A + B/λ², where colours are simulated. (µm²)
        partial_reflect: Split rays by Fresnel's equations instead of transmitting all.
        origin: Added to every point of the curves. (length)
        pieces: eqnX, eqnY, tMin, tMax and tStep of each curve.
        curve_type: Polygonal: straight from step to step. The others are followed exactly.
    """

def CircleGrinGlass(
    name: str = "",
    *,
    at: tuple[float, float] = ...,
    angle: float = 0.0,
    diameter: float = ...,
    ref_index_fn: str = "1+e^{-\\frac{x^2+y^2}{50^2}}",
    absorption_fn: str = "0",
    origin: tuple[float, float] = ...,
    partial_reflect: bool = True,
    p1: tuple[float, float] = ...,
    p2: tuple[float, float] = ...,
) -> raybench.kinds.grin.CircleGrinGlass:
    """A round gradient-index body, such as a Luneburg lens.

    Args:
        name: Its name; without one it gets one when it is added to a scene.
        at: Where its middle is, x to the right and y down.
        angle: Degrees by which it is turned, counter-clockwise as seen.
        diameter: Its size, in scene units.
        ref_index_fn: n of x and y (from the origin) and λ (nm; 540 without colours), in LaTeX.
        absorption_fn: Absorption coefficient of the power, a formula like that of the index. (1/length)
        origin: Where x and y of the formulas are 0. (length)
        partial_reflect: Split rays by Fresnel's equations instead of transmitting all.
        p1: Centre of the circle. (length)
        p2: A point on the circle. (length)
    """

def GrinGlass(
    name: str = "",
    *,
    at: tuple[float, float] = ...,
    angle: float = 0.0,
    ref_index_fn: str = "1.1+0.1\\cdot\\cos\\left(0.1\\cdot y\\right)",
    absorption_fn: str = "0",
    origin: tuple[float, float] = ...,
    partial_reflect: bool = True,
    path: Sequence[tuple[float, ...]] = ...,
) -> raybench.kinds.grin.GrinGlass:
    """A gradient-index body bounded by straight edges and circular arcs, such as a GRIN rod.

    Args:
        name: Its name; without one it gets one when it is added to a scene.
        at: Where its origin goes, x to the right and y down.
        angle: Degrees by which it is turned, counter-clockwise as seen.
        ref_index_fn: n of x and y (from the origin) and λ (nm; 540 without colours), in LaTeX.
        absorption_fn: Absorption coefficient of the power, a formula like that of the index. (1/length)
        origin: Where x and y of the formulas are 0. (length)
        partial_reflect: Split rays by Fresnel's equations instead of transmitting all.
        path: Corners in order; a vertex marked arc bends the side between its neighbours. (length)
    """

def CurveGrinGlass(
    name: str = "",
    *,
    at: tuple[float, float] = ...,
    angle: float = 0.0,
    ref_index_fn: str = "1.1+0.1\\cdot\\cos\\left(0.1\\cdot y\\right)",
    absorption_fn: str = "0",
    origin: tuple[float, float] = ...,
    partial_reflect: bool = True,
    points: Any = ...,
) -> raybench.kinds.grin.CurveGrinGlass:
    """A gradient-index body bounded by a closed chain of cubic Bezier curves.

    Args:
        name: Its name; without one it gets one when it is added to a scene.
        at: Where its origin goes, x to the right and y down.
        angle: Degrees by which it is turned, counter-clockwise as seen.
        ref_index_fn: n of x and y (from the origin) and λ (nm; 540 without colours), in LaTeX.
        absorption_fn: Absorption coefficient of the power, a formula like that of the index. (1/length)
        origin: Where x and y of the formulas are 0. (length)
        partial_reflect: Split rays by Fresnel's equations instead of transmitting all.
        points: Nodes and control points in order; the last is joined to the first. (length)
    """

def ParamGrinGlass(
    name: str = "",
    *,
    at: tuple[float, float] = ...,
    angle: float = 0.0,
    ref_index_fn: str = "1+e^{-\\frac{x^2+y^2}{50^2}}",
    absorption_fn: str = "0",
    origin: tuple[float, float] = ...,
    partial_reflect: bool = True,
    pieces: Any = ...,
    curve_type: str = "smoothNormal",
) -> raybench.kinds.grin.ParamGrinGlass:
    """A gradient-index body bounded by parametric curves, which are shifted by the field
    ``origin``.

    Args:
        name: Its name; without one it gets one when it is added to a scene.
        at: Where its origin goes, x to the right and y down.
        angle: Degrees by which it is turned, counter-clockwise as seen.
        ref_index_fn: n of x and y (from the origin) and λ (nm; 540 without colours), in LaTeX.
        absorption_fn: Absorption coefficient of the power, a formula like that of the index. (1/length)
        origin: Where x and y of the formulas are 0. (length)
        partial_reflect: Split rays by Fresnel's equations instead of transmitting all.
        pieces: eqnX, eqnY, tMin, tMax and tStep of each curve.
        curve_type: Polygonal: straight from step to step. The others are followed exactly.
    """

def Polarizer(
    name: str = "",
    *,
    at: tuple[float, float] = ...,
    angle: float = 0.0,
    height: float = ...,
    p1: tuple[float, float] = ...,
    p2: tuple[float, float] = ...,
    axis: float = 0.0,
    transmittance: float = 1.0,
    leakage: float = 0.0,
) -> raybench.kinds.polarizing_elements.Polarizer:
    """A film or sheet that transmits light of one linear polarization, and absorbs the other.

    Args:
        name: Its name; without one it gets one when it is added to a scene.
        at: Where its middle is, x to the right and y down.
        angle: Degrees by which it is turned, counter-clockwise as seen.
        height: Its size, in scene units.
        p1: One end of the element. (length)
        p2: The other end of the element. (length)
        axis: Azimuth of the transmitted light. 0 is perpendicular to the drawing (s), 90 in it (p); counter-clockwise, looking into the light of a beam with the same ends. (deg)
        transmittance: Transmitted fraction of light along the axis.
        leakage: Transmitted fraction of light across the axis: the transmittance over the extinction ratio.
    """

def WavePlate(
    name: str = "",
    *,
    at: tuple[float, float] = ...,
    angle: float = 0.0,
    height: float = ...,
    p1: tuple[float, float] = ...,
    p2: tuple[float, float] = ...,
    retardance: float = 0.25,
    fast_axis: float = 0.0,
    wavelength: float = 540.0,
    achromatic: bool = False,
) -> raybench.kinds.polarizing_elements.WavePlate:
    """A plate that delays light polarized across its fast axis: a quarter-wave plate at 45 degrees
    makes linear light circular, a half-wave plate rotates linear light.

    Args:
        name: Its name; without one it gets one when it is added to a scene.
        at: Where its middle is, x to the right and y down.
        angle: Degrees by which it is turned, counter-clockwise as seen.
        height: Its size, in scene units.
        p1: One end of the element. (length)
        p2: The other end of the element. (length)
        retardance: Delay across the fast axis: 0.25 of a quarter-wave plate. (waves)
        fast_axis: Azimuth of the fast axis. 0 is perpendicular to the drawing (s), 90 in it (p); counter-clockwise, looking into the light of a beam with the same ends. (deg)
        wavelength: Vacuum wavelength that has the retardance. (nm)
        achromatic: The same retardance in waves for all wavelengths.
    """

def Rotator(
    name: str = "",
    *,
    at: tuple[float, float] = ...,
    angle: float = 0.0,
    height: float = ...,
    p1: tuple[float, float] = ...,
    p2: tuple[float, float] = ...,
    rotation: float = 45.0,
    faraday: bool = False,
) -> raybench.kinds.polarizing_elements.Rotator:
    """A plate that rotates the polarization of light: quartz, or a Faraday rotator.

    Args:
        name: Its name; without one it gets one when it is added to a scene.
        at: Where its middle is, x to the right and y down.
        angle: Degrees by which it is turned, counter-clockwise as seen.
        height: Its size, in scene units.
        p1: One end of the element. (length)
        p2: The other end of the element. (length)
        rotation: Counter-clockwise, looking into the light. (deg)
        faraday: Light on its way back is turned further, not back, as in an isolator.
    """

def PolarizingSplitter(
    name: str = "",
    *,
    at: tuple[float, float] = ...,
    angle: float = 0.0,
    height: float = ...,
    p1: tuple[float, float] = ...,
    p2: tuple[float, float] = ...,
    leakage: float = 0.0,
) -> raybench.kinds.polarizing_elements.PolarizingSplitter:
    """A beam splitter that reflects s and transmits p.

    Args:
        name: Its name; without one it gets one when it is added to a scene.
        at: Where its middle is, x to the right and y down.
        angle: Degrees by which it is turned, counter-clockwise as seen.
        height: Its size, in scene units.
        p1: One end of the element. (length)
        p2: The other end of the element. (length)
        leakage: Fraction of s that is transmitted, and of p that is reflected.
    """

def Blocker(
    name: str = "",
    *,
    at: tuple[float, float] = ...,
    angle: float = 0.0,
    height: float = ...,
    filter: bool = False,
    invert: bool = False,
    wavelength: float = 540.0,
    bandwidth: float = 10.0,
    p1: tuple[float, float] = ...,
    p2: tuple[float, float] = ...,
) -> raybench.kinds.blockers.Blocker:
    """A line that absorbs incident light.

    Args:
        name: Its name; without one it gets one when it is added to a scene.
        at: Where its middle is, x to the right and y down.
        angle: Degrees by which it is turned, counter-clockwise as seen.
        height: Its size, in scene units.
        filter: Act only on wavelengths within the band.
        invert: Act on wavelengths outside the band instead.
        wavelength: Centre of the filter's band. (nm)
        bandwidth: Half the width of the filter's band. (nm)
        p1: One end of the blocker. (length)
        p2: The other end of the blocker. (length)
    """

def CircleBlocker(
    name: str = "",
    *,
    at: tuple[float, float] = ...,
    angle: float = 0.0,
    diameter: float = ...,
    filter: bool = False,
    invert: bool = False,
    wavelength: float = 540.0,
    bandwidth: float = 10.0,
    p1: tuple[float, float] = ...,
    p2: tuple[float, float] = ...,
) -> raybench.kinds.blockers.CircleBlocker:
    """A circle whose rim absorbs incident light.

    Args:
        name: Its name; without one it gets one when it is added to a scene.
        at: Where its middle is, x to the right and y down.
        angle: Degrees by which it is turned, counter-clockwise as seen.
        diameter: Its size, in scene units.
        filter: Act only on wavelengths within the band.
        invert: Act on wavelengths outside the band instead.
        wavelength: Centre of the filter's band. (nm)
        bandwidth: Half the width of the filter's band. (nm)
        p1: Centre of the circle. (length)
        p2: A point on the circle. (length)
    """

def Aperture(
    name: str = "",
    *,
    at: tuple[float, float] = ...,
    angle: float = 0.0,
    filter: bool = False,
    invert: bool = False,
    wavelength: float = 540.0,
    bandwidth: float = 10.0,
    p1: tuple[float, float] = ...,
    p2: tuple[float, float] = ...,
    p3: tuple[float, float] = ...,
    p4: tuple[float, float] = ...,
) -> raybench.kinds.blockers.Aperture:
    """A screen with an opening: it absorbs between each outer end and the corresponding end of the
    opening.

    Args:
        name: Its name; without one it gets one when it is added to a scene.
        at: Where its origin goes, x to the right and y down.
        angle: Degrees by which it is turned, counter-clockwise as seen.
        filter: Act only on wavelengths within the band.
        invert: Act on wavelengths outside the band instead.
        wavelength: Centre of the filter's band. (nm)
        bandwidth: Half the width of the filter's band. (nm)
        p1: Where the screen begins. (length)
        p2: Where the screen ends. (length)
        p3: The end of the opening that faces the first outer end. (length)
        p4: The end of the opening that faces the second outer end. (length)
    """

def DiffractionGrating(
    name: str = "",
    *,
    at: tuple[float, float] = ...,
    angle: float = 0.0,
    height: float = ...,
    p1: tuple[float, float] = ...,
    p2: tuple[float, float] = ...,
    line_density: float = 1000.0,
    custom_brightness: bool = False,
    brightnesses: Any = ...,
    slit_ratio: float = 0.5,
    mirrored: bool = False,
) -> raybench.kinds.gratings.DiffractionGrating:
    """A flat transmission or reflection grating.

    Args:
        name: Its name; without one it gets one when it is added to a scene.
        at: Where its middle is, x to the right and y down.
        angle: Degrees by which it is turned, counter-clockwise as seen.
        height: Its size, in scene units.
        p1: One end of the grating. (length)
        p2: The other end of the grating. (length)
        line_density: Lines in a millimetre. (1/mm)
        custom_brightness: Give the power of each order instead of a slit width.
        brightnesses: Fractions of the power in the orders 0, 1, -1, 2, -2 and so on.
        slit_ratio: Slit width over line spacing.
        mirrored: Reflect the orders instead of transmitting them.
    """

def ConcaveDiffractionGrating(
    name: str = "",
    *,
    at: tuple[float, float] = ...,
    angle: float = 0.0,
    p1: tuple[float, float] = ...,
    p2: tuple[float, float] = ...,
    line_density: float = 1000.0,
    custom_brightness: bool = False,
    brightnesses: Any = ...,
    slit_ratio: float = 0.5,
    p3: tuple[float, float] = ...,
) -> raybench.kinds.gratings.ConcaveDiffractionGrating:
    """A reflecting grating in the form of a circular arc, as in a Rowland spectrograph.

    Args:
        name: Its name; without one it gets one when it is added to a scene.
        at: Where its origin goes, x to the right and y down.
        angle: Degrees by which it is turned, counter-clockwise as seen.
        p1: One end of the grating. (length)
        p2: The other end of the grating. (length)
        line_density: Lines in a millimetre. (1/mm)
        custom_brightness: Give the power of each order instead of a slit width.
        brightnesses: Fractions of the power in the orders 0, 1, -1, 2, -2 and so on.
        slit_ratio: Slit width over line spacing.
        p3: A point on the arc, between its ends. (length)
    """

def CustomSurface(
    name: str = "",
    *,
    at: tuple[float, float] = ...,
    angle: float = 0.0,
    height: float = ...,
    out_rays: Any = ...,
    two_sided: bool = False,
    p1: tuple[float, float] = ...,
    p2: tuple[float, float] = ...,
) -> raybench.kinds.custom_surfaces.CustomSurface:
    """A straight custom surface; t runs from -1 at p1 to 1 at p2.

    Args:
        name: Its name; without one it gets one when it is added to a scene.
        at: Where its middle is, x to the right and y down.
        angle: Degrees by which it is turned, counter-clockwise as seen.
        height: Its size, in scene units.
        out_rays: Angle and power of each, as formulas.
        two_sided: Act on light from both sides, not only on what crosses from the right of p1-p2.
        p1: One end of the surface. (length)
        p2: The other end of the surface. (length)
    """

def CustomArcSurface(
    name: str = "",
    *,
    at: tuple[float, float] = ...,
    angle: float = 0.0,
    out_rays: Any = ...,
    two_sided: bool = False,
    p1: tuple[float, float] = ...,
    p2: tuple[float, float] = ...,
    p3: tuple[float, float] = ...,
) -> raybench.kinds.custom_surfaces.CustomArcSurface:
    """A custom surface in the form of a circular arc; t runs from -1 at p1 to 1 at p2, linearly in
    the angle.

    Args:
        name: Its name; without one it gets one when it is added to a scene.
        at: Where its origin goes, x to the right and y down.
        angle: Degrees by which it is turned, counter-clockwise as seen.
        out_rays: Angle and power of each, as formulas.
        two_sided: Act on light from both sides, not only on what crosses from the right of p1-p2.
        p1: One end of the arc. (length)
        p2: The other end of the arc. (length)
        p3: A point on the arc, between its ends. (length)
    """

def CustomCurveSurface(
    name: str = "",
    *,
    at: tuple[float, float] = ...,
    angle: float = 0.0,
    out_rays: Any = ...,
    two_sided: bool = False,
    points: Any = ...,
    is_closed: bool = True,
) -> raybench.kinds.custom_surfaces.CustomCurveSurface:
    """A custom surface in the form of a chain of cubic Bezier curves; t is the index of the curve
    plus its own parameter.

    Args:
        name: Its name; without one it gets one when it is added to a scene.
        at: Where its origin goes, x to the right and y down.
        angle: Degrees by which it is turned, counter-clockwise as seen.
        out_rays: Angle and power of each, as formulas.
        two_sided: Act on light from both sides, not only on what crosses from the right of p1-p2.
        points: Nodes and control points in order. (length)
        is_closed: Join the last node to the first.
    """

def CustomParamSurface(
    name: str = "",
    *,
    at: tuple[float, float] = ...,
    angle: float = 0.0,
    out_rays: Any = ...,
    two_sided: bool = False,
    origin: tuple[float, float] = ...,
    pieces: Any = ...,
    curve_type: str = "smoothNormal",
) -> raybench.kinds.custom_surfaces.CustomParamSurface:
    """A custom surface in the form of parametric curves x(t), y(t); t is the curves' parameter. A
    one-sided surface acts on light that crosses it from the right, seen along increasing t.

    Args:
        name: Its name; without one it gets one when it is added to a scene.
        at: Where its origin goes, x to the right and y down.
        angle: Degrees by which it is turned, counter-clockwise as seen.
        out_rays: Angle and power of each, as formulas.
        two_sided: Act on light from both sides, not only on what crosses from the right of p1-p2.
        origin: Added to every point of the curves. (length)
        pieces: eqnX, eqnY, tMin, tMax and tStep of each curve.
        curve_type: Polygonal: straight from step to step. The others are followed exactly.
    """

def Detector(
    name: str = "",
    *,
    at: tuple[float, float] = ...,
    angle: float = 0.0,
    height: float = ...,
    p1: tuple[float, float] = ...,
    p2: tuple[float, float] = ...,
    two_sided: bool = True,
    irrad_map: bool = False,
    bin_size: float = 1.0,
) -> raybench.kinds.detectors.Detector:
    """A line that measures the power of the light that crosses it. The light passes unchanged.

    Args:
        name: Its name; without one it gets one when it is added to a scene.
        at: Where its middle is, x to the right and y down.
        angle: Degrees by which it is turned, counter-clockwise as seen.
        height: Its size, in scene units.
        p1: Bins count from here; with it above the second end, light going right counts as positive. (length)
        p2: The other end of the detector. (length)
        two_sided: Also count light from the other side, as negative.
        irrad_map: Measure power along the line, bin by bin.
        bin_size: Width of a bin of the irradiance map. (length)
    """

def Ruler(
    name: str = "",
    *,
    at: tuple[float, float] = ...,
    angle: float = 0.0,
    height: float = ...,
    p1: tuple[float, float] = ...,
    p2: tuple[float, float] = ...,
    scale_interval: float = 10.0,
) -> raybench.kinds.decorations.Ruler:
    """A scale with divisions.

    Args:
        name: Its name; without one it gets one when it is added to a scene.
        at: Where its middle is, x to the right and y down.
        angle: Degrees by which it is turned, counter-clockwise as seen.
        height: Its size, in scene units.
        p1: Zero. (length)
        p2: End. (length)
        scale_interval: Division. (length)
    """

def Protractor(
    name: str = "",
    *,
    at: tuple[float, float] = ...,
    angle: float = 0.0,
    height: float = ...,
    p1: tuple[float, float] = ...,
    p2: tuple[float, float] = ...,
) -> raybench.kinds.decorations.Protractor:
    """A circle with divisions of angle.

    Args:
        name: Its name; without one it gets one when it is added to a scene.
        at: Where its middle is, x to the right and y down.
        angle: Degrees by which it is turned, counter-clockwise as seen.
        height: Its size, in scene units.
        p1: Centre. (length)
        p2: Zero direction. (length)
    """

def TextLabel(
    name: str = "",
    *,
    at: tuple[float, float] = ...,
    angle: float = 0.0,
    x: float = ...,
    y: float = ...,
    text: str = "",
    font_size: float = 24.0,
    font: str = "Serif",
    font_style: str = "Normal",
    alignment: str = "left",
    small_caps: bool = False,
    fill_style: Any = ...,
) -> raybench.kinds.decorations.TextLabel:
    """A line of text.

    Args:
        name: Its name; without one it gets one when it is added to a scene.
        at: Where its origin goes, x to the right and y down.
        angle: Degrees by which it is turned, counter-clockwise as seen.
        x: Anchor, to the right. (length)
        y: Anchor, downwards: the text's base line. (length)
        text: Text.
        font_size: Size. (length)
        font: A family, or several in order; the program's own font is used where none is installed.
        font_style: Style.
        alignment: Alignment.
        small_caps: Small capitals.
        fill_style: Red, green, blue and opacity from 0 to 1, such as {"color": {"r": 1, "g": 0.5, "b": 0, "a": 1}}.
    """

def LineArrow(
    name: str = "",
    *,
    at: tuple[float, float] = ...,
    angle: float = 0.0,
    height: float = ...,
    p1: tuple[float, float] = ...,
    p2: tuple[float, float] = ...,
    arrow: bool = False,
    back_arrow: bool = False,
    line_style: Any = ...,
) -> raybench.kinds.decorations.LineArrow:
    """A line with or without arrow heads.

    Args:
        name: Its name; without one it gets one when it is added to a scene.
        at: Where its middle is, x to the right and y down.
        angle: Degrees by which it is turned, counter-clockwise as seen.
        height: Its size, in scene units.
        p1: Start. (length)
        p2: End. (length)
        arrow: Arrow at the end.
        back_arrow: Arrow at the start.
        line_style: Red, green, blue and opacity from 0 to 1, such as {"color": {"r": 1, "g": 0.5, "b": 0, "a": 1}, "width": 2, "dash": [6, 4]}; width and dashes are in pixels.
    """

def CropBox(
    name: str = "",
    *,
    at: tuple[float, float] = ...,
    angle: float = 0.0,
    p1: tuple[float, float] = ...,
    p4: tuple[float, float] = ...,
    format: str = "png",
    width: float = 1920.0,
    ray_count_limit: Any = ...,
    transparent: bool = False,
) -> raybench.kinds.decorations.CropBox:
    """The frame of an exported picture. The frame may also limit the number of traced rays.

    Args:
        name: Its name; without one it gets one when it is added to a scene.
        at: Where its origin goes, x to the right and y down.
        angle: Degrees by which it is turned, counter-clockwise as seen.
        p1: Top left corner. (length)
        p4: Bottom right corner. (length)
        format: Format.
        width: Width. (px)
        ray_count_limit: Tracing stops after this many segments; empty or 0 for no limit.
        transparent: Transparent.
    """

def Drawing(
    name: str = "",
    *,
    at: tuple[float, float] = ...,
    angle: float = 0.0,
    strokes: Any = ...,
    is_drawing: bool = False,
    line_style: Any = ...,
) -> raybench.kinds.decorations.Drawing:
    """Freehand strokes, each stored as a flat list x, y, x, y ...

    Args:
        name: Its name; without one it gets one when it is added to a scene.
        at: Where its origin goes, x to the right and y down.
        angle: Degrees by which it is turned, counter-clockwise as seen.
        strokes: Strokes.
        is_drawing: Unfinished.
        line_style: Red, green, blue and opacity from 0 to 1, such as {"color": {"r": 1, "g": 0.5, "b": 0, "a": 1}, "width": 2, "dash": [6, 4]}; width and dashes are in pixels.
    """

def ModuleObj(
    name: str = "",
    *,
    at: tuple[float, float] = ...,
    angle: float = 0.0,
    module: str = ...,
    points: Sequence[tuple[float, ...]] = ...,
    params: Any = ...,
) -> raybench.kinds.module_instance.ModuleObj:
    """An instance of a module: users see a single object, which is expanded to its parts for
    tracing.

    Args:
        name: Its name; without one it gets one when it is added to a scene.
        at: Where its origin goes, x to the right and y down.
        angle: Degrees by which it is turned, counter-clockwise as seen.
        module: The definition in this scene that the parts are made from.
        points: The points from which the module positions its parts. (length)
        params: The value of each of the module's parameters.
    """

def CentredLens(
    name: str = "",
    *,
    at: tuple[float, float] = ...,
    angle: float = 0.0,
    design: Any = ...,
    sources: bool = True,
    mounts: bool = False,
) -> AddPreset:
    """A lens system by its prescription.

    Args:
        name: Its name; without one it gets one when it is added to a scene.
        at: Where its middle is, x to the right and y down.
        angle: Degrees by which it is turned, counter-clockwise as seen.
        design: Its surfaces, stop, fields and links; without it, a triplet.
        sources: A source for each field and wavelength.
        mounts: Block light that passes beside the glasses, beyond their rims.
    """

def PlanoConvexLens(
    name: str = "",
    *,
    at: tuple[float, float] = ...,
    angle: float = 0.0,
    focal_length: float = 200.0,
    diameter: float = 80.0,
    thickness: float = 12.0,
    material: str = "N-BK7",
) -> AddPreset:
    """A lens with one flat side.

    Args:
        name: Its name; without one it gets one when it is added to a scene.
        at: Where its middle is, x to the right and y down.
        angle: Degrees by which it is turned, counter-clockwise as seen.
        focal_length: From the principal plane, at 587.56 nm; negative for a diverging lens. (length)
        diameter: From rim to rim. (length)
        thickness: On the axis. (length)
        material: A name of the catalogue of materials, such as N-BK7.
    """

def BiconvexLens(
    name: str = "",
    *,
    at: tuple[float, float] = ...,
    angle: float = 0.0,
    focal_length: float = 200.0,
    diameter: float = 80.0,
    thickness: float = 12.0,
    material: str = "N-BK7",
) -> AddPreset:
    """A lens with two equal radii.

    Args:
        name: Its name; without one it gets one when it is added to a scene.
        at: Where its middle is, x to the right and y down.
        angle: Degrees by which it is turned, counter-clockwise as seen.
        focal_length: From the principal plane, at 587.56 nm; negative for a diverging lens. (length)
        diameter: From rim to rim. (length)
        thickness: On the axis. (length)
        material: A name of the catalogue of materials, such as N-BK7.
    """

def MeniscusLens(
    name: str = "",
    *,
    at: tuple[float, float] = ...,
    angle: float = 0.0,
    focal_length: float = 200.0,
    diameter: float = 80.0,
    thickness: float = 12.0,
    shape: float = 2.5,
    material: str = "N-BK7",
) -> AddPreset:
    """A lens that is bent to one side.

    Args:
        name: Its name; without one it gets one when it is added to a scene.
        at: Where its middle is, x to the right and y down.
        angle: Degrees by which it is turned, counter-clockwise as seen.
        focal_length: From the principal plane, at 587.56 nm; negative for a diverging lens. (length)
        diameter: From rim to rim. (length)
        thickness: On the axis. (length)
        shape: (R2 + R1)/(R2 - R1): a meniscus beyond 1, with the steeper surface in front, and beyond -1, behind.
        material: A name of the catalogue of materials, such as N-BK7.
    """

def Achromat(
    name: str = "",
    *,
    at: tuple[float, float] = ...,
    angle: float = 0.0,
    focal_length: float = 200.0,
    diameter: float = 60.0,
    crown_thickness: float = 14.0,
    flint_thickness: float = 7.0,
    crown: str = "N-BK7",
    flint: str = "N-SF5",
) -> AddPreset:
    """A cemented doublet of two glasses.

    Args:
        name: Its name; without one it gets one when it is added to a scene.
        at: Where its middle is, x to the right and y down.
        angle: Degrees by which it is turned, counter-clockwise as seen.
        focal_length: From the principal plane, at 587.56 nm; negative for a diverging lens. (length)
        diameter: From rim to rim. (length)
        crown_thickness: On the axis. (length)
        flint_thickness: On the axis. (length)
        crown: The glass in front, of low dispersion.
        flint: The glass behind, of high dispersion.
    """

def BallLens(
    name: str = "",
    *,
    at: tuple[float, float] = ...,
    angle: float = 0.0,
    diameter: float = 100.0,
    material: str = "N-BK7",
) -> AddPreset:
    """A sphere of glass.

    Args:
        name: Its name; without one it gets one when it is added to a scene.
        at: Where its middle is, x to the right and y down.
        angle: Degrees by which it is turned, counter-clockwise as seen.
        diameter: From rim to rim. (length)
        material: A name of the catalogue of materials, such as N-BK7.
    """

def EquilateralPrism(
    name: str = "",
    *,
    at: tuple[float, float] = ...,
    angle: float = 0.0,
    side: float = 120.0,
    material: str = "N-F2",
) -> AddPreset:
    """A prism of three equal sides.

    Args:
        name: Its name; without one it gets one when it is added to a scene.
        at: Where its middle is, x to the right and y down.
        angle: Degrees by which it is turned, counter-clockwise as seen.
        side: Of each of the three faces. (length)
        material: A name of the catalogue of materials, such as N-BK7.
    """

def RightAnglePrism(
    name: str = "",
    *,
    at: tuple[float, float] = ...,
    angle: float = 0.0,
    leg: float = 80.0,
    material: str = "N-BK7",
) -> AddPreset:
    """A prism with angles of 45°, 90° and 45°. Light enters through one of the short faces.

    Args:
        name: Its name; without one it gets one when it is added to a scene.
        at: Where its middle is, x to the right and y down.
        angle: Degrees by which it is turned, counter-clockwise as seen.
        leg: Of each of the two short faces. (length)
        material: A name of the catalogue of materials, such as N-BK7.
    """

def DovePrism(
    name: str = "",
    *,
    at: tuple[float, float] = ...,
    angle: float = 0.0,
    height: float = 50.0,
    base_angle: float = 45.0,
    material: str = "N-BK7",
) -> AddPreset:
    """A truncated right-angle prism, long enough for a beam of its full height.

    Args:
        name: Its name; without one it gets one when it is added to a scene.
        at: Where its middle is, x to the right and y down.
        angle: Degrees by which it is turned, counter-clockwise as seen.
        height: Of the beam that gets through. (length)
        base_angle: Between the base and each of the inclined faces. (deg)
        material: A name of the catalogue of materials, such as N-BK7.
    """

def PentaPrism(
    name: str = "",
    *,
    at: tuple[float, float] = ...,
    angle: float = 0.0,
    aperture: float = 70.0,
    material: str = "N-BK7",
) -> AddPreset:
    """A prism with five sides, two of which are mirrors at 45° to each other.

    Args:
        name: Its name; without one it gets one when it is added to a scene.
        at: Where its middle is, x to the right and y down.
        angle: Degrees by which it is turned, counter-clockwise as seen.
        aperture: Of the faces where light comes in and goes out. (length)
        material: A name of the catalogue of materials, such as N-BK7.
    """

def WedgePrism(
    name: str = "",
    *,
    at: tuple[float, float] = ...,
    angle: float = 0.0,
    height: float = 80.0,
    thickness: float = 5.0,
    wedge_angle: float = 10.0,
    material: str = "N-BK7",
) -> AddPreset:
    """A prism with a small angle.

    Args:
        name: Its name; without one it gets one when it is added to a scene.
        at: Where its middle is, x to the right and y down.
        angle: Degrees by which it is turned, counter-clockwise as seen.
        height: Of the face where light comes in. (length)
        thickness: Thickness at the upper edge. (length)
        wedge_angle: Between its faces. (deg)
        material: A name of the catalogue of materials, such as N-BK7.
    """

def CornerCube(
    name: str = "",
    *,
    at: tuple[float, float] = ...,
    angle: float = 0.0,
    aperture: float = 120.0,
    form: str = "solid",
    material: str = "N-BK7",
) -> AddPreset:
    """Two reflecting faces at right angles, the section of a corner cube.

    Args:
        name: Its name; without one it gets one when it is added to a scene.
        at: Where its middle is, x to the right and y down.
        angle: Degrees by which it is turned, counter-clockwise as seen.
        aperture: The width that light enters through. (length)
        form: A prism, or two mirrors.
        material: Of the solid form.
    """

def BeamExpander(
    name: str = "",
    *,
    at: tuple[float, float] = ...,
    angle: float = 0.0,
    magnification: float = 3.0,
    beam: float = 30.0,
    focal_length: float = 300.0,
    form: str = "galilean",
    material: str = "N-BK7",
) -> AddPreset:
    """Two plano-convex or plano-concave lenses with a common focus.

    Args:
        name: Its name; without one it gets one when it is added to a scene.
        at: Where its middle is, x to the right and y down.
        angle: Degrees by which it is turned, counter-clockwise as seen.
        magnification: Width of the beam behind it, in widths of the beam before it.
        beam: Width of the beam that comes in. (length)
        focal_length: Of the second lens. (length)
        form: Without or with a focus inside.
        material: A name of the catalogue of materials, such as N-BK7.
    """

def LightGuide(
    name: str = "",
    *,
    at: tuple[float, float] = ...,
    angle: float = 0.0,
    length: float = 300.0,
    width: float = 30.0,
    bend: float = 0.0,
    material: str = "PMMA",
) -> AddPreset:
    """A glass plate in which light is guided by total reflection.

    Args:
        name: Its name; without one it gets one when it is added to a scene.
        at: Where its middle is, x to the right and y down.
        angle: Degrees by which it is turned, counter-clockwise as seen.
        length: Along its middle line. (length)
        width: Across it. (length)
        bend: By which it turns, upwards where it is positive; 0 is straight. (deg)
        material: A name of the catalogue of materials, such as N-BK7.
    """
