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
import raybench.kinds.sources
from raybench.errors import RaybenchError as RaybenchError
from raybench.library.asking import Asked as Asked
from raybench.library.light import DetectorView as DetectorView
from raybench.library.light import Light as Light
from raybench.library.light import Rays as Rays
from raybench.library.objects import InvalidArgument as InvalidArgument
from raybench.library.objects import Lens as Lens
from raybench.library.scene import Scene as Scene
from raybench.library.studies import Found as Found
from raybench.library.studies import StudyTable as StudyTable
from raybench.library.studies import Tolerated as Tolerated
from raybench.library.tools import ToolAnswer as ToolAnswer
from raybench.scene.changes.presets import AddPreset
from raybench.scene.document import Document as Document
from raybench.trace.results.result import TraceResult as TraceResult

PLACES: dict[str, str]

def Beam(
    name: str = ...,
    *,
    at: tuple[float, float] = ...,
    angle: float = ...,
    width: float = ...,
    p1: tuple[float, float] = ...,
    p2: tuple[float, float] = ...,
    brightness: float = ...,
    wavelength: float = ...,
    emis_angle: float = ...,
    lambert: bool = ...,
    random: bool = ...,
) -> raybench.kinds.sources.Beam: ...
def SingleRay(
    name: str = ...,
    *,
    at: tuple[float, float] = ...,
    angle: float = ...,
    p1: tuple[float, float] = ...,
    p2: tuple[float, float] = ...,
    brightness: float = ...,
    wavelength: float = ...,
) -> raybench.kinds.sources.SingleRay: ...
def PointSource(
    name: str = ...,
    *,
    at: tuple[float, float] = ...,
    angle: float = ...,
    x: float = ...,
    y: float = ...,
    brightness: float = ...,
    wavelength: float = ...,
) -> raybench.kinds.sources.PointSource: ...
def AngleSource(
    name: str = ...,
    *,
    at: tuple[float, float] = ...,
    angle: float = ...,
    p1: tuple[float, float] = ...,
    p2: tuple[float, float] = ...,
    brightness: float = ...,
    wavelength: float = ...,
    emis_angle: float = ...,
    symmetric: bool = ...,
) -> raybench.kinds.sources.AngleSource: ...
def Mirror(
    name: str = ...,
    *,
    at: tuple[float, float] = ...,
    angle: float = ...,
    height: float = ...,
    filter: bool = ...,
    invert: bool = ...,
    wavelength: float = ...,
    bandwidth: float = ...,
    p1: tuple[float, float] = ...,
    p2: tuple[float, float] = ...,
) -> raybench.kinds.mirrors.Mirror: ...
def ArcMirror(
    name: str = ...,
    *,
    at: tuple[float, float] = ...,
    angle: float = ...,
    filter: bool = ...,
    invert: bool = ...,
    wavelength: float = ...,
    bandwidth: float = ...,
    p1: tuple[float, float] = ...,
    p2: tuple[float, float] = ...,
    p3: tuple[float, float] = ...,
) -> raybench.kinds.mirrors.ArcMirror: ...
def ParabolicMirror(
    name: str = ...,
    *,
    at: tuple[float, float] = ...,
    angle: float = ...,
    filter: bool = ...,
    invert: bool = ...,
    wavelength: float = ...,
    bandwidth: float = ...,
    p1: tuple[float, float] = ...,
    p2: tuple[float, float] = ...,
    p3: tuple[float, float] = ...,
) -> raybench.kinds.mirrors.ParabolicMirror: ...
def CurveMirror(
    name: str = ...,
    *,
    at: tuple[float, float] = ...,
    angle: float = ...,
    filter: bool = ...,
    invert: bool = ...,
    wavelength: float = ...,
    bandwidth: float = ...,
    points: Any = ...,
    is_closed: bool = ...,
) -> raybench.kinds.mirrors.CurveMirror: ...
def CustomMirror(
    name: str = ...,
    *,
    at: tuple[float, float] = ...,
    angle: float = ...,
    height: float = ...,
    filter: bool = ...,
    invert: bool = ...,
    wavelength: float = ...,
    bandwidth: float = ...,
    p1: tuple[float, float] = ...,
    p2: tuple[float, float] = ...,
    eqn: str = ...,
    curve_step_size: float = ...,
    curve_type: str = ...,
) -> raybench.kinds.mirrors.CustomMirror: ...
def ParamMirror(
    name: str = ...,
    *,
    at: tuple[float, float] = ...,
    angle: float = ...,
    filter: bool = ...,
    invert: bool = ...,
    wavelength: float = ...,
    bandwidth: float = ...,
    origin: tuple[float, float] = ...,
    pieces: Any = ...,
    curve_type: str = ...,
) -> raybench.kinds.mirrors.ParamMirror: ...
def IdealMirror(
    name: str = ...,
    *,
    at: tuple[float, float] = ...,
    angle: float = ...,
    height: float = ...,
    filter: bool = ...,
    invert: bool = ...,
    wavelength: float = ...,
    bandwidth: float = ...,
    p1: tuple[float, float] = ...,
    p2: tuple[float, float] = ...,
    focal_length: float = ...,
) -> raybench.kinds.mirrors.IdealMirror: ...
def BeamSplitter(
    name: str = ...,
    *,
    at: tuple[float, float] = ...,
    angle: float = ...,
    height: float = ...,
    filter: bool = ...,
    invert: bool = ...,
    wavelength: float = ...,
    bandwidth: float = ...,
    p1: tuple[float, float] = ...,
    p2: tuple[float, float] = ...,
    trans_ratio: float = ...,
) -> raybench.kinds.mirrors.BeamSplitter: ...
def Glass(
    name: str = ...,
    *,
    at: tuple[float, float] = ...,
    angle: float = ...,
    glass: str = ...,
    ref_index: float = ...,
    cauchy_b: float = ...,
    partial_reflect: bool = ...,
    path: Sequence[tuple[float, ...]] = ...,
) -> raybench.kinds.glasses.Glass: ...
def CircleGlass(
    name: str = ...,
    *,
    at: tuple[float, float] = ...,
    angle: float = ...,
    diameter: float = ...,
    glass: str = ...,
    ref_index: float = ...,
    cauchy_b: float = ...,
    partial_reflect: bool = ...,
    p1: tuple[float, float] = ...,
    p2: tuple[float, float] = ...,
) -> raybench.kinds.glasses.CircleGlass: ...
def PlaneGlass(
    name: str = ...,
    *,
    at: tuple[float, float] = ...,
    angle: float = ...,
    height: float = ...,
    glass: str = ...,
    ref_index: float = ...,
    cauchy_b: float = ...,
    partial_reflect: bool = ...,
    p1: tuple[float, float] = ...,
    p2: tuple[float, float] = ...,
) -> raybench.kinds.glasses.PlaneGlass: ...
def SphericalLens(
    name: str = ...,
    *,
    at: tuple[float, float] = ...,
    angle: float = ...,
    glass: str = ...,
    ref_index: float = ...,
    cauchy_b: float = ...,
    partial_reflect: bool = ...,
    def_by: str = ...,
    path: Sequence[tuple[float, ...]] = ...,
    p1: tuple[float, float] = ...,
    p2: tuple[float, float] = ...,
    params: Any = ...,
) -> raybench.kinds.lenses.SphericalLens: ...
def IdealLens(
    name: str = ...,
    *,
    at: tuple[float, float] = ...,
    angle: float = ...,
    diameter: float = ...,
    p1: tuple[float, float] = ...,
    p2: tuple[float, float] = ...,
    focal_length: float = ...,
) -> raybench.kinds.lenses.IdealLens: ...
def CurveGlass(
    name: str = ...,
    *,
    at: tuple[float, float] = ...,
    angle: float = ...,
    glass: str = ...,
    ref_index: float = ...,
    cauchy_b: float = ...,
    partial_reflect: bool = ...,
    points: Any = ...,
) -> raybench.kinds.curved_glasses.CurveGlass: ...
def CustomGlass(
    name: str = ...,
    *,
    at: tuple[float, float] = ...,
    angle: float = ...,
    height: float = ...,
    glass: str = ...,
    ref_index: float = ...,
    cauchy_b: float = ...,
    partial_reflect: bool = ...,
    p1: tuple[float, float] = ...,
    p2: tuple[float, float] = ...,
    eqn1: str = ...,
    eqn2: str = ...,
    curve_step_size: float = ...,
    curve_type: str = ...,
) -> raybench.kinds.curved_glasses.CustomGlass: ...
def ParamGlass(
    name: str = ...,
    *,
    at: tuple[float, float] = ...,
    angle: float = ...,
    glass: str = ...,
    ref_index: float = ...,
    cauchy_b: float = ...,
    partial_reflect: bool = ...,
    origin: tuple[float, float] = ...,
    pieces: Any = ...,
    curve_type: str = ...,
) -> raybench.kinds.curved_glasses.ParamGlass: ...
def CircleGrinGlass(
    name: str = ...,
    *,
    at: tuple[float, float] = ...,
    angle: float = ...,
    diameter: float = ...,
    ref_index_fn: str = ...,
    absorption_fn: str = ...,
    origin: tuple[float, float] = ...,
    partial_reflect: bool = ...,
    p1: tuple[float, float] = ...,
    p2: tuple[float, float] = ...,
) -> raybench.kinds.grin.CircleGrinGlass: ...
def GrinGlass(
    name: str = ...,
    *,
    at: tuple[float, float] = ...,
    angle: float = ...,
    ref_index_fn: str = ...,
    absorption_fn: str = ...,
    origin: tuple[float, float] = ...,
    partial_reflect: bool = ...,
    path: Sequence[tuple[float, ...]] = ...,
) -> raybench.kinds.grin.GrinGlass: ...
def CurveGrinGlass(
    name: str = ...,
    *,
    at: tuple[float, float] = ...,
    angle: float = ...,
    ref_index_fn: str = ...,
    absorption_fn: str = ...,
    origin: tuple[float, float] = ...,
    partial_reflect: bool = ...,
    points: Any = ...,
) -> raybench.kinds.grin.CurveGrinGlass: ...
def ParamGrinGlass(
    name: str = ...,
    *,
    at: tuple[float, float] = ...,
    angle: float = ...,
    ref_index_fn: str = ...,
    absorption_fn: str = ...,
    origin: tuple[float, float] = ...,
    partial_reflect: bool = ...,
    pieces: Any = ...,
    curve_type: str = ...,
) -> raybench.kinds.grin.ParamGrinGlass: ...
def Blocker(
    name: str = ...,
    *,
    at: tuple[float, float] = ...,
    angle: float = ...,
    height: float = ...,
    filter: bool = ...,
    invert: bool = ...,
    wavelength: float = ...,
    bandwidth: float = ...,
    p1: tuple[float, float] = ...,
    p2: tuple[float, float] = ...,
) -> raybench.kinds.blockers.Blocker: ...
def CircleBlocker(
    name: str = ...,
    *,
    at: tuple[float, float] = ...,
    angle: float = ...,
    diameter: float = ...,
    filter: bool = ...,
    invert: bool = ...,
    wavelength: float = ...,
    bandwidth: float = ...,
    p1: tuple[float, float] = ...,
    p2: tuple[float, float] = ...,
) -> raybench.kinds.blockers.CircleBlocker: ...
def Aperture(
    name: str = ...,
    *,
    at: tuple[float, float] = ...,
    angle: float = ...,
    filter: bool = ...,
    invert: bool = ...,
    wavelength: float = ...,
    bandwidth: float = ...,
    p1: tuple[float, float] = ...,
    p2: tuple[float, float] = ...,
    p3: tuple[float, float] = ...,
    p4: tuple[float, float] = ...,
) -> raybench.kinds.blockers.Aperture: ...
def DiffractionGrating(
    name: str = ...,
    *,
    at: tuple[float, float] = ...,
    angle: float = ...,
    height: float = ...,
    p1: tuple[float, float] = ...,
    p2: tuple[float, float] = ...,
    line_density: float = ...,
    custom_brightness: bool = ...,
    brightnesses: Any = ...,
    slit_ratio: float = ...,
    mirrored: bool = ...,
) -> raybench.kinds.gratings.DiffractionGrating: ...
def ConcaveDiffractionGrating(
    name: str = ...,
    *,
    at: tuple[float, float] = ...,
    angle: float = ...,
    p1: tuple[float, float] = ...,
    p2: tuple[float, float] = ...,
    line_density: float = ...,
    custom_brightness: bool = ...,
    brightnesses: Any = ...,
    slit_ratio: float = ...,
    p3: tuple[float, float] = ...,
) -> raybench.kinds.gratings.ConcaveDiffractionGrating: ...
def CustomSurface(
    name: str = ...,
    *,
    at: tuple[float, float] = ...,
    angle: float = ...,
    height: float = ...,
    out_rays: Any = ...,
    two_sided: bool = ...,
    p1: tuple[float, float] = ...,
    p2: tuple[float, float] = ...,
) -> raybench.kinds.custom_surfaces.CustomSurface: ...
def CustomArcSurface(
    name: str = ...,
    *,
    at: tuple[float, float] = ...,
    angle: float = ...,
    out_rays: Any = ...,
    two_sided: bool = ...,
    p1: tuple[float, float] = ...,
    p2: tuple[float, float] = ...,
    p3: tuple[float, float] = ...,
) -> raybench.kinds.custom_surfaces.CustomArcSurface: ...
def CustomCurveSurface(
    name: str = ...,
    *,
    at: tuple[float, float] = ...,
    angle: float = ...,
    out_rays: Any = ...,
    two_sided: bool = ...,
    points: Any = ...,
    is_closed: bool = ...,
) -> raybench.kinds.custom_surfaces.CustomCurveSurface: ...
def CustomParamSurface(
    name: str = ...,
    *,
    at: tuple[float, float] = ...,
    angle: float = ...,
    out_rays: Any = ...,
    two_sided: bool = ...,
    origin: tuple[float, float] = ...,
    pieces: Any = ...,
    curve_type: str = ...,
) -> raybench.kinds.custom_surfaces.CustomParamSurface: ...
def Detector(
    name: str = ...,
    *,
    at: tuple[float, float] = ...,
    angle: float = ...,
    height: float = ...,
    p1: tuple[float, float] = ...,
    p2: tuple[float, float] = ...,
    two_sided: bool = ...,
    irrad_map: bool = ...,
    bin_size: float = ...,
) -> raybench.kinds.detectors.Detector: ...
def Ruler(
    name: str = ...,
    *,
    at: tuple[float, float] = ...,
    angle: float = ...,
    height: float = ...,
    p1: tuple[float, float] = ...,
    p2: tuple[float, float] = ...,
    scale_interval: float = ...,
) -> raybench.kinds.decorations.Ruler: ...
def Protractor(
    name: str = ...,
    *,
    at: tuple[float, float] = ...,
    angle: float = ...,
    height: float = ...,
    p1: tuple[float, float] = ...,
    p2: tuple[float, float] = ...,
) -> raybench.kinds.decorations.Protractor: ...
def TextLabel(
    name: str = ...,
    *,
    at: tuple[float, float] = ...,
    angle: float = ...,
    x: float = ...,
    y: float = ...,
    text: str = ...,
    font_size: float = ...,
    font: str = ...,
    font_style: str = ...,
    alignment: str = ...,
    small_caps: bool = ...,
    fill_style: Any = ...,
) -> raybench.kinds.decorations.TextLabel: ...
def LineArrow(
    name: str = ...,
    *,
    at: tuple[float, float] = ...,
    angle: float = ...,
    height: float = ...,
    p1: tuple[float, float] = ...,
    p2: tuple[float, float] = ...,
    arrow: bool = ...,
    back_arrow: bool = ...,
    line_style: Any = ...,
) -> raybench.kinds.decorations.LineArrow: ...
def CropBox(
    name: str = ...,
    *,
    at: tuple[float, float] = ...,
    angle: float = ...,
    p1: tuple[float, float] = ...,
    p4: tuple[float, float] = ...,
    format: str = ...,
    width: float = ...,
    ray_count_limit: Any = ...,
    transparent: bool = ...,
) -> raybench.kinds.decorations.CropBox: ...
def Drawing(
    name: str = ...,
    *,
    at: tuple[float, float] = ...,
    angle: float = ...,
    strokes: Any = ...,
    is_drawing: bool = ...,
    line_style: Any = ...,
) -> raybench.kinds.decorations.Drawing: ...
def ModuleObj(
    name: str = ...,
    *,
    at: tuple[float, float] = ...,
    angle: float = ...,
    module: str = ...,
    points: Sequence[tuple[float, ...]] = ...,
    params: Any = ...,
) -> raybench.kinds.module_instance.ModuleObj: ...
def PlanoConvexLens(
    name: str = ...,
    *,
    at: tuple[float, float] = ...,
    angle: float = ...,
    focal_length: float = ...,
    diameter: float = ...,
    thickness: float = ...,
    material: str = ...,
) -> AddPreset: ...
def BiconvexLens(
    name: str = ...,
    *,
    at: tuple[float, float] = ...,
    angle: float = ...,
    focal_length: float = ...,
    diameter: float = ...,
    thickness: float = ...,
    material: str = ...,
) -> AddPreset: ...
def MeniscusLens(
    name: str = ...,
    *,
    at: tuple[float, float] = ...,
    angle: float = ...,
    focal_length: float = ...,
    diameter: float = ...,
    thickness: float = ...,
    shape: float = ...,
    material: str = ...,
) -> AddPreset: ...
def Achromat(
    name: str = ...,
    *,
    at: tuple[float, float] = ...,
    angle: float = ...,
    focal_length: float = ...,
    diameter: float = ...,
    crown_thickness: float = ...,
    flint_thickness: float = ...,
    crown: str = ...,
    flint: str = ...,
) -> AddPreset: ...
def BallLens(
    name: str = ...,
    *,
    at: tuple[float, float] = ...,
    angle: float = ...,
    diameter: float = ...,
    material: str = ...,
) -> AddPreset: ...
def EquilateralPrism(
    name: str = ...,
    *,
    at: tuple[float, float] = ...,
    angle: float = ...,
    side: float = ...,
    material: str = ...,
) -> AddPreset: ...
def RightAnglePrism(
    name: str = ...,
    *,
    at: tuple[float, float] = ...,
    angle: float = ...,
    leg: float = ...,
    material: str = ...,
) -> AddPreset: ...
def DovePrism(
    name: str = ...,
    *,
    at: tuple[float, float] = ...,
    angle: float = ...,
    height: float = ...,
    base_angle: float = ...,
    material: str = ...,
) -> AddPreset: ...
def PentaPrism(
    name: str = ...,
    *,
    at: tuple[float, float] = ...,
    angle: float = ...,
    aperture: float = ...,
    material: str = ...,
) -> AddPreset: ...
def WedgePrism(
    name: str = ...,
    *,
    at: tuple[float, float] = ...,
    angle: float = ...,
    height: float = ...,
    thickness: float = ...,
    wedge_angle: float = ...,
    material: str = ...,
) -> AddPreset: ...
def CornerCube(
    name: str = ...,
    *,
    at: tuple[float, float] = ...,
    angle: float = ...,
    aperture: float = ...,
    form: str = ...,
    material: str = ...,
) -> AddPreset: ...
def BeamExpander(
    name: str = ...,
    *,
    at: tuple[float, float] = ...,
    angle: float = ...,
    magnification: float = ...,
    beam: float = ...,
    focal_length: float = ...,
    form: str = ...,
    material: str = ...,
) -> AddPreset: ...
def LightGuide(
    name: str = ...,
    *,
    at: tuple[float, float] = ...,
    angle: float = ...,
    length: float = ...,
    width: float = ...,
    bend: float = ...,
    material: str = ...,
) -> AddPreset: ...
