"""The one table of object kinds. Adding a kind is one row here and one dataclass."""

from __future__ import annotations

from core.scene.blockers import Aperture, Blocker, CircleBlocker
from core.scene.custom_surfaces import CustomArcSurface, CustomCurveSurface, CustomParamSurface, CustomSurface
from core.scene.decorations import CropBox, Drawing, Handle, LineArrow, Protractor, Ruler, TextLabel
from core.scene.detectors import Detector
from core.scene.glasses import CircleGlass, CurveGlass, CustomGlass, Glass, ParamGlass, PlaneGlass, SphericalLens
from core.scene.gratings import ConcaveDiffractionGrating, DiffractionGrating
from core.scene.grin import CircleGrinGlass, CurveGrinGlass, GrinGlass, ParamGrinGlass
from core.scene.lenses import IdealLens
from core.scene.mirrors import ArcMirror, BeamSplitter, CurveMirror, CustomMirror, IdealMirror, Mirror, ParabolicMirror, ParamMirror
from core.scene.modules import ModuleObj
from core.scene.object import SceneObject
from core.scene.sources import AngleSource, Beam, PointSource, SingleRay

KINDS: dict[str, type[SceneObject]] = {
    kind.__name__: kind
    for kind in (
        SingleRay, Beam, PointSource, AngleSource,
        Mirror, ArcMirror, ParabolicMirror, CustomMirror, ParamMirror, CurveMirror, IdealMirror, BeamSplitter, ConcaveDiffractionGrating,
        Glass, CircleGlass, PlaneGlass, SphericalLens, CustomGlass, ParamGlass, CurveGlass, IdealLens,
        Blocker, CircleBlocker, Aperture, DiffractionGrating,
        CircleGrinGlass, GrinGlass, CurveGrinGlass, ParamGrinGlass,
        CustomSurface, CustomArcSurface, CustomParamSurface, CustomCurveSurface,
        Detector, ModuleObj,
        Ruler, Protractor, TextLabel, LineArrow, Drawing, CropBox, Handle,
    )
}  # fmt: skip
