"""For every kind: the traced light of a transformed object is the transformed light of the object."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.core.scene.changes.same_light import assert_same_light
from tests.edited import edited

from raybench.kinds.aspects.similarity import Similarity
from raybench.kinds.blockers import Aperture, Blocker, CircleBlocker
from raybench.kinds.curved_glasses import CurveGlass, CustomGlass, ParamGlass
from raybench.kinds.custom_surfaces import (
    CustomArcSurface,
    CustomCurveSurface,
    CustomParamSurface,
    CustomSurface,
    OutRayFormulas,
)
from raybench.kinds.detectors import Detector
from raybench.kinds.glasses import CircleGlass, Glass, PlaneGlass
from raybench.kinds.gratings import ConcaveDiffractionGrating, DiffractionGrating
from raybench.kinds.grin import CircleGrinGlass, CurveGrinGlass, GrinGlass, ParamGrinGlass
from raybench.kinds.kinds import KINDS, ROWS
from raybench.kinds.lenses import IdealLens, SphericalLens
from raybench.kinds.mirrors import (
    ArcMirror,
    BeamSplitter,
    CurveMirror,
    CustomMirror,
    IdealMirror,
    Mirror,
    ParabolicMirror,
    ParamMirror,
)
from raybench.kinds.object import SceneObject
from raybench.kinds.sources import Beam, SingleRay
from raybench.scene.changes import Mirror as Reflect
from raybench.scene.changes import Rotate, Scale
from raybench.scene.changes.placing import _FixedPointChange
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.shapes.bezier import CurveNode
from raybench.shapes.point import Point, Vertex
from raybench.trace.trace import trace

P = Point
A, B, C, D = P(-20.0, -45.0), P(12.0, 48.0), P(14.0, -6.0), P(-30.0, 20.0)
BODY = (P(-25.0, -40.0), P(30.0, -30.0), P(25.0, 45.0), P(-20.0, 35.0))
CURVE = tuple(
    CurveNode(
        a,
        P(a.x + (b.x - a.x) / 3 + 5, a.y + (b.y - a.y) / 3 - 4),
        P(b.x - (b.x - a.x) / 3 + 2, b.y - (b.y - a.y) / 3 - 6),
    )
    for a, b in zip(BODY, BODY[1:] + BODY[:1], strict=True)
)
OPEN = (*CURVE[1:2], CurveNode(BODY[2]))
PIECES = (
    {"eqnX": r"-30+60\cdot t", "eqnY": r"-40+5\cdot\sin(3t)", "tMin": 0, "tMax": 1, "tStep": 0.01},
    {
        "eqnX": r"30-10\cdot t^2",
        "eqnY": r"-40+5\cdot\sin(3)+80\cdot t",
        "tMin": 0,
        "tMax": 1,
        "tStep": 0.01,
    },
    {
        "eqnX": r"20-50\cdot t",
        "eqnY": r"40+5\cdot\sin(3)-(80+5\cdot\sin(3))\cdot t^3",
        "tMin": 0,
        "tMax": 1,
        "tStep": 0.01,
    },
)
LOPSIDED = (
    OutRayFormulas(r"0.5\theta_0+0.2", r"0.6\cdot P_0\cdot(1.2+0.3\cdot\sin(t+\theta_0))"),
    OutRayFormulas(r"\pi-\theta_0-0.1\theta_1", "0.3P_0"),
)
INDEX, LOSS = r"1.4+0.05\cdot\sin(0.1x)+0.001\cdot y", r"0.001+0.00001\cdot(x+50)"

SAMPLES: tuple[SceneObject, ...] = (
    Mirror(p1=A, p2=B), ArcMirror(p1=A, p2=B, p3=C), ParabolicMirror(p1=A, p2=B, p3=C), IdealMirror(p1=A, p2=B, focal_length=70),
    BeamSplitter(p1=A, p2=B, trans_ratio=0.3), CurveMirror(points=OPEN, is_closed=False), CurveMirror(points=CURVE),
    CustomMirror(p1=A, p2=B, eqn=r"0.3\cdot x^3+0.2\cdot x"), CustomMirror(p1=A, p2=B), ParamMirror(pieces=PIECES, origin=P(3, 2)),
    ConcaveDiffractionGrating(p1=A, p2=B, p3=C, line_density=300, custom_brightness=True, brightnesses=(0.3, 0.5, 0.1, 0.05)),
    DiffractionGrating(p1=A, p2=B, line_density=300, custom_brightness=True, brightnesses=(0.3, 0.5, 0.1)),
    DiffractionGrating(p1=A, p2=B, line_density=300, mirrored=True, custom_brightness=True, brightnesses=(0.3, 0.6)),
    DiffractionGrating(p1=A, p2=B, line_density=500),
    Glass(path=tuple(Vertex(*p) for p in BODY)), Glass(path=tuple(Vertex(*p, i == 1) for i, p in enumerate((A, C, B, D)))),
    CircleGlass(p1=P(4, 3), p2=P(40, 9)), PlaneGlass(p1=A, p2=B), SphericalLens(p1=A, p2=B, params={"d": 20, "r1": 130, "r2": -85}),
    SphericalLens(p1=A, p2=B, def_by="DFfdBfd", params={"d": 20.0, "ffd": 90.0, "bfd": 80.0}),
    SphericalLens(path=SphericalLens(p1=A, p2=B, params={"d": 20, "r1": 130, "r2": -85}).outline()),
    CustomGlass(p1=A, p2=B, eqn1=r"-0.2+0.1\cdot x", eqn2=r"0.4-0.2\cdot x^2-0.1\cdot x^3"), CustomGlass(p1=A, p2=B),
    ParamGlass(pieces=PIECES, origin=P(3, 2)), CurveGlass(points=CURVE), IdealLens(p1=A, p2=B, focal_length=60),
    Blocker(p1=A, p2=B), CircleBlocker(p1=P(4, 3), p2=P(9, 9)), Aperture(p1=A, p2=B, p3=P(-12, -20), p4=P(4, 20)),
    CircleGrinGlass(p1=P(4, 3), p2=P(40, 9), ref_index_fn=INDEX, absorption_fn=LOSS, origin=P(2, 5)),
    CircleGrinGlass(p1=P(0, 0), p2=P(40, 9)),
    GrinGlass(path=tuple(Vertex(*p) for p in BODY), ref_index_fn=INDEX, absorption_fn=LOSS, origin=P(2, 5)),
    CurveGrinGlass(points=CURVE, ref_index_fn=INDEX, origin=P(2, 5)), ParamGrinGlass(pieces=PIECES, ref_index_fn=INDEX, origin=P(2, 5)),
    CustomSurface(p1=A, p2=B), CustomSurface(p1=A, p2=B, out_rays=LOPSIDED), CustomSurface(p1=B, p2=A, out_rays=LOPSIDED, two_sided=True),
    CustomArcSurface(p1=B, p2=A, p3=C, out_rays=LOPSIDED), CustomArcSurface(p1=A, p2=B, p3=C, out_rays=LOPSIDED, two_sided=True),
    CustomCurveSurface(points=CURVE, out_rays=LOPSIDED, two_sided=True), CustomCurveSurface(points=CURVE, out_rays=LOPSIDED),
    CustomCurveSurface(points=OPEN, is_closed=False, out_rays=LOPSIDED), CustomParamSurface(pieces=PIECES, out_rays=LOPSIDED),
    CustomParamSurface(pieces=PIECES, out_rays=LOPSIDED, two_sided=True), Detector(p1=A, p2=B), Detector(p1=A, p2=B, two_sided=False),
)  # fmt: skip
"""One or more objects of every optical kind, asymmetric if the kind allows it."""
LIGHT = [
    *(
        SingleRay(p1=P(-200, y), p2=P(-100, 0.6 * y + 2), brightness=0.6 + 0.1 * y / 30)
        for y in (-31.0, -13.0, 4.0, 23.0)
    ),
    *(SingleRay(p1=P(190, y), p2=P(100, 0.5 * y - 3), brightness=0.7) for y in (-25.0, 9.0, 33.0)),
    Beam(p1=P(-30, 160), p2=P(30, 150), brightness=0.02),
]
SAMPLES += tuple(
    row.transformed(
        row.transformed(row.kind(**row.icon), Similarity.shift(-10, -10)),
        Similarity.scaling(5.0, P(0, 0)),
    )
    for row in ROWS
    if row.kind.optical
    and row.family
    and row.emits is None
    and row.kind not in {type(o) for o in SAMPLES}
)
"""Kinds without a sample above are tested in the form of their icons."""
# in this colour mode hardly any ray is too weak to be traced; which of the weak are resampled
# depends on their order
SETTINGS = Settings(ray_mode_density=5 / math.hypot(60, 10), max_ray_depth=7, color_mode="linear")


@pytest.mark.parametrize("obj", SAMPLES, ids=lambda o: o.type)
@pytest.mark.parametrize("change", ["rotate", "mirror", "scale"])
def test_the_light_of_every_kind_is_transformed_with_it(obj: SceneObject, change: str) -> None:
    scene = Scene.of([*LIGHT, obj], SETTINGS)
    everything = [o.key for o in scene.objects]
    about = P(31.0, -17.0)
    if change == "rotate":
        assert_same_light(scene, Rotate(everything, 37.3, about), Similarity.rotation(37.3, about))
    elif change == "mirror":
        assert_same_light(
            scene, Reflect(everything, 64.0, about), Similarity.reflection(64.0, about)
        )
    else:
        # the rays of a beam are counted by length: half as many in each unit of twice the length
        lit = [o for o in LIGHT if isinstance(o, SingleRay)]
        scene = Scene.of([*lit, obj], SETTINGS)
        assert_same_light(
            scene, Scale([o.key for o in scene.objects], 1.7, about), Similarity.scaling(1.7, about)
        )


def test_every_optical_kind_is_among_the_samples() -> None:
    sources = {"SingleRay", "Beam", "PointSource", "AngleSource"}
    assert {o.type for o in SAMPLES} | sources | {"Handle", "ModuleObj"} == {
        n for n, k in KINDS.items() if k.optical
    }


@settings(max_examples=15, deadline=None)
@given(
    st.lists(st.sampled_from(range(len(SAMPLES))), min_size=2, max_size=4, unique=True),
    st.floats(-180, 180),
    st.booleans(),
    st.integers(0, 10_000),
)
def test_the_light_of_random_scenes_is_transformed_with_them(
    which: list[int], angle: float, mirrored: bool, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    placed = []
    for i in which:
        single = Scene.of([SAMPLES[i].with_new_key()])
        turned = edited(
            single,
            Rotate(single.objects[0].key, float(rng.uniform(0, 360))),
            Scale(single.objects[0].key, 0.6),
        )
        placed.append(turned.objects[0])
    scene = Scene.of([*LIGHT, *placed], SETTINGS)
    if len(trace(scene, max_segments=3000)) >= 3000:
        return  # which rays of many are traced depends on their order
    everything = [o.key for o in scene.objects]
    change: _FixedPointChange = (
        Reflect(everything, angle, P(5, 5)) if mirrored else Rotate(everything, angle, P(5, 5))
    )
    assert_same_light(scene, change, change.similarity(Document(scene=scene)))
