"""The one table of object kinds. Adding a kind is one row here and one dataclass."""

from __future__ import annotations

from core.kinds.blockers import Aperture, Blocker, CircleBlocker
from core.kinds.custom_surfaces import CustomArcSurface, CustomCurveSurface, CustomParamSurface, CustomSurface
from core.kinds.decorations import CropBox, Drawing, Handle, LineArrow, Protractor, Ruler, TextLabel
from core.kinds.detectors import Detector
from core.kinds.glasses import CircleGlass, CurveGlass, CustomGlass, Glass, ParamGlass, PlaneGlass, SphericalLens
from core.kinds.gratings import ConcaveDiffractionGrating, DiffractionGrating
from core.kinds.grin import CircleGrinGlass, CurveGrinGlass, GrinGlass, ParamGrinGlass
from core.kinds.lenses import IdealLens
from core.kinds.mirrors import ArcMirror, BeamSplitter, CurveMirror, CustomMirror, IdealMirror, Mirror, ParabolicMirror, ParamMirror
from core.kinds.object import SceneObject
from core.kinds.sources import AngleSource, Beam, PointSource, SingleRay
from core.scene.modules.module import ModuleObj

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
