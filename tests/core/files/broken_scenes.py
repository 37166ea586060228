"""Broken scene files, each with the message expected for it.

A row is the file's text and a part of the message. Where it opens, that is a problem of the scene
or a warning of its trace; "" where there is nothing to tell, since the scene is unusual but sound.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any


@dataclass(frozen=True)
class Broken:
    """One file: how it is broken, what is in it, part of the message, and whether it is refused
    rather than opened.
    """

    how: str
    content: bytes
    message: str = ""
    refused: bool = False


def p(x: Any, y: Any) -> dict[str, Any]:
    return {"x": x, "y": y}


RAYS: list[dict[str, Any]] = [
    {"type": "SingleRay", "p1": p(-100, 3), "p2": p(0, 2.5)},
    {"type": "Beam", "p1": p(-50, -20), "p2": p(-50, 20), "emisAngle": 5},
    {"type": "PointSource", "x": -30.5, "y": 0.25},
]
"""Rays towards the origin."""
ENDLESS = 10**400
"""A whole number that no float holds."""
CORNERS = [p(-10, -10), p(10, -10), p(10, 10), p(-10, 10)]


def a(kind: str, **more: Any) -> dict[str, Any]:
    """A valid object of a kind near the origin, with the given properties replaced."""
    line = {"p1": p(0, -10), "p2": p(0, 10)}
    own: dict[str, Any] = {
        "Glass": {"path": CORNERS},
        "GrinGlass": {"path": CORNERS},
        "CircleGlass": {"p1": p(0, 0), "p2": p(10, 0)},
        "CircleGrinGlass": {"p1": p(0, 0), "p2": p(50, 0)},
        "CircleBlocker": {"p1": p(0, 0), "p2": p(10, 0)},
        "SphericalLens": line | {"params": {"d": 5, "r1": 30, "r2": -30}},
        "PointSource": p(-30.5, 0.25),
        "TextLabel": p(0, 0),
        "Drawing": {"strokes": [[0, 0, 1, 1]]},
        "CropBox": {"p1": p(0, 0), "p4": p(10, 10)},
        "Aperture": {"p1": p(0, -10), "p2": p(0, 10), "p3": p(0, -2), "p4": p(0, 2)},
        "ArcMirror": line | {"p3": p(3, 0)},
        "ParabolicMirror": line | {"p3": p(3, 0)},
        "ConcaveDiffractionGrating": line | {"p3": p(3, 0)},
        "CustomArcSurface": line | {"p3": p(3, 0)},
        "CustomGlass": {"p1": p(-10, 0), "p2": p(10, 0)},
        "CustomMirror": {"p1": p(-10, 0), "p2": p(10, 0)},
        "CurveGlass": {"points": nodes()},
        "CurveMirror": {"points": nodes()},
        "CustomCurveSurface": {"points": nodes()},
        "CurveGrinGlass": {"points": nodes()},
    }
    none = ("ParamGlass", "ParamMirror", "ParamGrinGlass", "CustomParamSurface", "ModuleObj")
    return {"type": kind, "name": "It"} | ({} if kind in none else own.get(kind, line)) | more


def nodes() -> list[dict[str, Any]]:
    """A closed curve of four pieces."""
    ends = [p(-10, 0), p(0, -10), p(10, 0), p(0, 10)]
    bends = [((-10, -5), (-5, -10)), ((5, -10), (10, -5)), ((10, 5), (5, 10)), ((-5, 10), (-10, 5))]
    return [{"a1": e, "c1": p(*b), "c2": p(*c)} for e, (b, c) in zip(ends, bends, strict=True)]


def scene(how: str, message: str, *objs: Any, refused: bool = False, **more: Any) -> Broken:
    """A scene of version 5 with some objects in the light of `RAYS`."""
    return Broken(
        how, json.dumps({"version": 5, "objs": [*objs, *RAYS], **more}).encode(), message, refused
    )


def text(how: str, content: str | bytes, message: str, *, refused: bool = True) -> Broken:
    return Broken(
        how, content if isinstance(content, bytes) else content.encode(), message, refused
    )


def no(how: str, message: str, *objs: Any, **more: Any) -> Broken:
    """A scene that is refused."""
    return scene(how, message, *objs, refused=True, **more)


def module(how: str, message: str, definition: Any, instance: Any = None, **more: Any) -> Broken:
    """A scene with an instance of a module."""
    return scene(
        how,
        message,
        a("ModuleObj", **{"module": "M", "points": [], **(instance or {})}),
        modules={"M": definition, **more},
    )


def piece(
    x: Any = r"9\cos(t)",
    y: Any = r"9\sin(t)",
    first: Any = 0,
    last: Any = 6.283185307179586,
    step: Any = 0.1,
) -> list[dict[str, Any]]:
    return [{"eqnX": x, "eqnY": y, "tMin": first, "tMax": last, "tStep": step}]


def deep(depth: int, opening: str, closing: str, core: str = "0") -> str:
    return opening * depth + core + closing * depth


def out(theta: Any, power: Any) -> list[dict[str, Any]]:
    return [{"eqnTheta": theta, "eqnP": power}]


def broken_scenes() -> Iterator[Broken]:
    yield from _texts()
    yield from _tops()
    yield from _types()
    yield from _coordinates()
    yield from _degenerate()
    yield from _outlines()
    yield from _numbers()
    yield from _lights()
    yield from _formulas()
    yield from _graded()
    yield from _surfaces()
    yield from _modules()
    yield from _kept()


def _texts() -> Iterator[Broken]:
    yield text("an empty file", "", "is not JSON")
    yield text("white space alone", " \n\t ", "is not JSON")
    yield text(
        "cut in the middle", '{"version": 5, "objs": [{"type": "Mirror", "p1": {"x": 0', "line 1"
    )
    yield text("cut within a text", '{"version": 5, "objs": [{"type": "Mir', "line 1")
    yield text("cut within a number", '{"version": 5, "rayModeDensity": 1e', "line 1")
    yield text("a comma too many", '{"version": 5,\n "objs": [],}', "line 2")
    yield text("no comma", '{"version": 5\n "objs": []}', "line 2")
    yield text("single quotes", "{'version': 5, 'objs': []}", "line 1")
    yield text("a comment", '{"version": 5, // five\n"objs": []}', "line 1")
    yield text(
        "two scenes in one file",
        '{"version": 5, "objs": []}{"version": 5, "objs": []}',
        "column 27",
    )
    yield text("a page of the web", "<!DOCTYPE html><html></html>", "is not JSON")
    yield text("UTF-16", '{"version": 5, "objs": []}'.encode("utf-16"), "UTF-8")
    yield text(
        "Latin-1", '{"version": 5, "name": "Prüfung", "objs": []}'.encode("latin-1"), "UTF-8"
    )
    yield text("a picture", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "UTF-8")
    yield text(
        "a byte order mark", '{"version": 5, "objs": []}'.encode("utf-8-sig"), "", refused=False
    )
    yield text("bytes of nothing", b"\0" * 1000, "is not JSON")
    yield text("NaN", '{"version": 5, "objs": [], "rayModeDensity": NaN}', "finite")
    yield text("NaN where nothing reads it", '{"version": 5, "objs": [], "mine": [NaN]}', "NaN")
    yield text(
        "Infinity as a length",
        '{"version": 5, "objs": [{"type": "Mirror", "p1": {"x": Infinity, "y": 0}, "p2": {"x": 1,'
        ' "y": 0}}]}',
        "finite",
        refused=False,
    )
    yield text(
        "NaN in a module",
        '{"version": 5, "objs": [], "modules": {"M": {"numPoints": NaN, "objs": []}}}',
        "NaN",
    )
    yield text(
        "-Infinity in a theme", '{"version": 5, "objs": [], "theme": {"a": -Infinity}}', "-Infinity"
    )
    yield text(
        "a number too long to count",
        '{"version": 5, "objs": [], "gridSize": ' + "9" * 5000 + "}",
        "too many digits",
    )
    yield text(
        "a version too long to count",
        '{"version": ' + "5" * 5000 + ', "objs": []}',
        "too many digits",
    )
    yield text("lists nested too deeply", deep(100_000, "[", "]"), "nested too deeply")
    yield text("objects nested too deeply", deep(100_000, '{"a":', "}"), "nested too deeply")
    yield text(
        "unknown things nested deeply",
        '{"version": 5, "objs": [], "mine": ' + deep(150, "[", "]") + "}",
        "'mine'",
        refused=False,
    )
    yield text(
        "version 2 nested deeply",
        '{"version": 2, "objs": [], "mine": ' + deep(900, "[", "]") + "}",
        "nested too deeply",
    )
    yield text(
        "a key twice",
        '{"version": 5, "objs": [], "gridSize": 10, "gridSize": 30}',
        '"gridSize" occurs twice',
    )
    yield text(
        "a key twice in an object",
        '{"version": 5, "objs": [{"type": "PointSource", "x": 1, "y": 2, "x": 3}]}',
        '"x" occurs twice',
    )
    yield text(
        "half of a character", '{"version": 5, "name": "\\ud83d", "objs": []}', "", refused=False
    )
    yield text(
        "zero bytes in a name", '{"version": 5, "name": "a\\u0000b", "objs": []}', "", refused=False
    )


def _tops() -> Iterator[Broken]:
    for what in ("null", "true", "5", '"scene"'):
        yield text(f"{what} alone", what, "a scene is a JSON object")
    yield text("an object without anything", "{}", "it has no 'objs'")
    yield text("another program's file", '{"version": 1, "lens": []}', "it has no 'objs'")
    yield text("a list of numbers", "[1, 2]", "a scene is a JSON object")
    yield text(
        "another program's JSON",
        '{"name": "left-pad", "dependencies": {}}',
        "it has no 'objs'",
    )
    yield text("version 6", '{"version": 6, "objs": []}', "newer")
    yield text(
        "version of 3,000 digits",
        f'{{"version": {"6" * 3000}, "objs": []}}',
        "666…66666666666666666666, newer",
    )
    yield text("version 0", '{"version": 0, "objs": []}', "from 1 to 5")
    yield text("version -1", '{"version": -1, "objs": []}', "from 1 to 5")
    yield text("version 2.5", '{"version": 2.5, "objs": []}', "from 1 to 5")
    yield text("version true", '{"version": true, "objs": []}', "from 1 to 5")
    yield text("version null", '{"version": null, "objs": []}', "from 1 to 5")
    yield text("version as a text", '{"version": "5", "objs": []}', "from 1 to 5")
    yield text("version as a list", '{"version": [5], "objs": []}', "from 1 to 5")
    yield text("objs null", '{"version": 5, "objs": null}', "'objs' must be a list")
    yield text("objs an object", '{"version": 5, "objs": {"0": {}}}', "'objs' must be a list")
    yield text("objs a text", '{"version": 5, "objs": "none"}', "'objs' must be a list")
    yield text("no objs", '{"version": 5}', "", refused=False)
    yield text(
        "objs of nulls", '{"version": 5, "objs": [null]}', "object 1 of the file", refused=False
    )
    yield text(
        "objs of lists", '{"version": 5, "objs": [[]]}', "object 1 of the file", refused=False
    )
    yield text(
        "old objs of numbers", '{"version": 1, "objs": [7]}', "object 1 of the file", refused=False
    )
    yield scene(
        "a text among the objects",
        "'Unread object 1' (text, object 2 of the file)",
        a("Mirror"),
        "a mirror",
    )
    yield scene("a truth among the objects", "(true, object 1 of the file)", True)
    yield no("modules as a list", "'modules'", modules=[1])
    yield no("a mode that is none", "'mode'", mode="wireframe")
    yield no("a mode as a number", "'mode'", mode=3)
    yield no("a mode as a list", "'mode'", mode=["rays"])
    yield no("a switch as a text", "'simulateColors'", simulateColors="yes")
    yield no("a switch as a number", "'showGrid'", showGrid=1)
    yield no("a density of zero", "'rayModeDensity'", rayModeDensity=0)
    yield no("a density below zero", "'rayModeDensity'", rayModeDensity=-3)
    yield no("a density as a list", "'rayModeDensity'", rayModeDensity=[0.1])
    yield no("a density as null", "'imageModeDensity'", imageModeDensity=None)
    yield scene("a density beyond measure", "Lower the ray density", rayModeDensity=1e40)
    yield scene("a density next to nothing", "", rayModeDensity=1e-300)
    yield no("a length scale of zero", "'lengthScale'", lengthScale=0)
    yield scene("a length scale beyond measure", "", a("Mirror"), lengthScale=1e40)
    yield scene("a length scale next to nothing", "", a("Glass"), lengthScale=1e-300)
    yield no("a grid size of zero", "'gridSize'", gridSize=0)
    yield no("a grid size below zero", "'gridSize'", gridSize=-20)
    yield no("an origin as a list", "'origin'", origin=[0, 0])
    yield no("an observer without a radius", "'observer'", observer={"c": p(0, 0)})
    yield no("an observer as a number", "'observer'", observer=5)
    yield scene("an observer of no size", "", mode="observer", observer={"c": p(0, 0), "r": 0})
    yield scene(
        "an observer turned inside out", "", mode="observer", observer={"c": p(0, 0), "r": -40}
    )
    yield scene("observer mode without an observer", "", mode="observer")
    yield scene("a depth below zero", "", a("Mirror"), maxRayDepth=-1)
    yield scene("a depth of a half", "", a("Mirror"), maxRayDepth=0.5)
    yield no("a depth as a text", "'maxRayDepth'", maxRayDepth="deep")
    yield scene("a seed as a number", "", a("Beam", random=True), randomSeed=7)
    yield scene(
        "red below violet", "", simulateColors=True, redWavelength=400, violetWavelength=700
    )
    yield scene(
        "red and violet the same", "", simulateColors=True, redWavelength=500, violetWavelength=500
    )
    yield scene("a theme as a number", "", theme=5)
    yield scene("a zoom of zero", "", scale=0)
    yield scene("a window of no size", "", width=0, height=-5)
    yield scene("a name as a number", "", name=5)
    yield scene("settings that nobody knows", "'glow'", glow=11)


def _types() -> Iterator[Broken]:
    yield scene("a kind that nobody knows", '"Hologram"', {"type": "Hologram", "p1": p(0, 0)})
    yield scene("a kind as a number", "5", {"type": 5})
    yield scene("a kind as null", "null", {"type": None})
    yield scene("a kind as a list", '["Mirror"]', {"type": ["Mirror"]})
    yield scene("an object without a kind", "it has no 'type'", p(0, 0))
    yield scene("an object of nothing", "it has no 'type'", {})
    yield scene("a kind in small letters", '"mirror"', a("Mirror") | {"type": "mirror"})
    yield scene(
        "the name of something inside the program", '"SceneObject"', {"type": "SceneObject"}
    )
    yield scene("an object's name as a number", "'name'", a("Mirror", name=7))
    yield scene("a name as a list", "'name'", a("Mirror", name=["x"]))
    yield scene("a very long name", "", a("Mirror", name="x" * 100_000))
    yield scene("a name with line breaks", "", a("Mirror", name="a\nb\r\u2028c"))
    yield scene("two of one name", "", a("Mirror"), a("Glass"))
    yield scene("a lock that is none", "'locked'", a("Mirror", locked="shut"))
    yield scene("a number as a list", "'refIndex'", a("Glass", refIndex=[1.5]))
    yield scene("a number as an object", "'refIndex'", a("Glass", refIndex={"n": 1.5}))
    yield scene("a number as null", "'refIndex'", a("Glass", refIndex=None))
    yield scene("a number as true", "'refIndex'", a("Glass", refIndex=True))
    yield scene("a number as words", "'refIndex'", a("Glass", refIndex="one and a half"))
    yield scene("a number as an empty text", "'refIndex'", a("Glass", refIndex=""))
    yield scene("a number as the text nan", "'refIndex'", a("Glass", refIndex="nan"))
    yield scene("a number as the text inf", "'brightness'", a("SingleRay", brightness="inf"))
    yield scene("a number of another country", "'refIndex'", a("Glass", refIndex="1,5"))
    yield scene("a number as a text", "", a("Glass", refIndex=" 1.5e0 "))
    yield scene("a switch as a word", "'partialReflect'", a("Glass", partialReflect="no"))
    yield scene("a choice that is none", "'alignment'", a("TextLabel", alignment="justify"))
    yield scene("a text as a number", "'text'", a("TextLabel", text=5))
    yield scene("orders as a number", "'brightnesses'", a("DiffractionGrating", brightnesses=1))
    yield scene("orders of texts", "'brightnesses'", a("DiffractionGrating", brightnesses=["much"]))
    yield scene("an end as a list", "'p1'", a("Mirror", p1=[0, 0]))
    yield scene("an end as a number", "'p1'", a("Mirror", p1=4))
    yield scene("an end without y", "'p1'", a("Mirror", p1={"x": 0}))
    yield scene("an end with a null", "'p1'", a("Mirror", p1=p(0, None)))
    yield scene("an end with a text", "'p1'", a("Mirror", p1=p("left", 0)))
    yield scene("an end that is not there yet", "'p2' is missing", a("Mirror", p2=None))
    yield scene("an object that is not finished", "not finished", a("Glass", notDone=True))
    yield scene("a path as an object", "'path'", a("Glass", path={"0": p(0, 0)}))
    yield scene("a path of lists", "'path'", a("Glass", path=[[0, 0], [1, 0], [0, 1]]))
    yield scene("a path of nulls", "'path'", a("Glass", path=[None, None, None]))
    yield scene("nodes of numbers", "'points'", a("CurveGlass", points=[1, 2, 3]))
    yield scene(
        "nodes without their place",
        "'points'",
        a("CurveGlass", points=[{"c1": p(0, 0)}, {"c2": p(0, 0)}]),
    )
    yield scene("outgoing rays as a text", "'outRays'", a("CustomSurface", outRays="all"))
    yield scene("outgoing rays of numbers", "'outRays'", a("CustomSurface", outRays=[1]))
    yield scene(
        "outgoing rays without a power",
        "'outRays'",
        a("CustomSurface", outRays=[{"eqnTheta": "0"}]),
    )
    yield scene("strokes as a number", "nothing to draw", a("Drawing", strokes=7))
    yield scene("strokes of texts", "nothing to draw", a("Drawing", strokes=[["a", None], "b", {}]))
    yield scene("a stroke of an odd count", "", a("Drawing", strokes=[[1, 2, 3]]))
    yield scene("a colour that is none", "", a("TextLabel", fillStyle={"color": "loud"}))
    yield scene(
        "a colour beyond white",
        "",
        a("TextLabel", text="hi", fillStyle={"color": {"r": 1e9, "g": -4, "b": "x"}}),
    )
    yield scene("a handle of nothing", "", a("Handle", objIndices="all", controlPoints=5))
    yield scene(
        "a handle of objects that are not there",
        "",
        a("Handle", objIndices=[99, -1], controlPoints=[{"targetObjIndex": 99}]),
    )
    held = {"targetObjIndex": 0, "newPoint": p(ENDLESS, -ENDLESS)}
    yield scene(
        "a handle of a point farther than numbers go", "", a("Handle", controlPoints=[held])
    )
    yield scene(
        "a lens thicker than numbers go",
        "no lens fits",
        a("SphericalLens", params={"d": ENDLESS, "r1": 30, "r2": -30}),
    )
    yield scene(
        "a curve longer than numbers go",
        "pieces[0] cannot be read",
        a("ParamMirror", pieces=piece(last=ENDLESS)),
    )
    yield scene("a limit of rays as a text", "", a("CropBox", rayCountLimit="many"))
    yield scene("a limit of rays below zero", "", a("CropBox", rayCountLimit=-5))
    yield scene("a property that nobody knows", "'colour'", a("Mirror", colour="red"))


def _coordinates() -> Iterator[Broken]:
    far = 1e308
    yield scene(
        "a mirror as long as numbers go", "at most 1e+50", a("Mirror", p1=p(0, -far), p2=p(0, far))
    )
    yield scene(
        "a glass as large as numbers go",
        "at most 1e+50",
        a("Glass", path=[p(-far, -far), p(far, -far), p(far, far), p(-far, far)]),
    )
    yield scene(
        "a circle as large as numbers go", "at most 1e+50", a("CircleGlass", p2=p(far, far))
    )
    yield scene(
        "a ray from the end of numbers",
        "at most 1e+50",
        a("SingleRay", p1=p(-far, far), p2=p(far, -far)),
    )
    yield scene(
        "a beam as long as numbers go", "at most 1e+50", a("Beam", p1=p(0, -far), p2=p(0, far))
    )
    yield scene(
        "a point source at the end of numbers", "at most 1e+50", a("PointSource", x=far, y=-far)
    )
    yield scene(
        "an arc as large as numbers go",
        "at most 1e+50",
        a("ArcMirror", p1=p(0, -far), p2=p(0, far), p3=p(far, 0)),
    )
    yield scene(
        "a parabola as large as numbers go",
        "at most 1e+50",
        a("ParabolicMirror", p1=p(0, -far), p2=p(0, far), p3=p(far, 0)),
    )
    yield scene(
        "a lens as large as numbers go",
        "at most 1e+50",
        a("SphericalLens", p1=p(0, -far), p2=p(0, far)),
    )
    yield scene(
        "a curve as large as numbers go",
        "at most 1e+50",
        a(
            "CurveMirror",
            points=[{"a1": p(0, 0), "c1": p(far, 0), "c2": p(0, far)}, {"a1": p(9, 9)}],
        ),
    )
    yield scene(
        "a half-plane through the end of numbers",
        "at most 1e+50",
        a("PlaneGlass", p1=p(-far, 0), p2=p(far, 1)),
    )
    yield scene(
        "a graph as wide as numbers go",
        "at most 1e+50",
        a("CustomGlass", p1=p(-far, 0), p2=p(far, 0)),
    )
    yield scene(
        "an origin at the end of numbers",
        "at most 1e+50",
        a("ParamGlass", origin=p(far, far), pieces=piece()),
    )
    yield scene(
        "a detector as long as numbers go",
        "at most 1e+50",
        a("Detector", p1=p(0, -far), p2=p(0, far), irradMap=True),
    )
    yield scene("a note at the end of numbers", "at most 1e+50", a("TextLabel", x=far, y=far))
    yield no(
        "an observer at the end of numbers",
        "'observer'",
        mode="observer",
        observer={"c": p(far, -far), "r": far},
    )
    yield scene(
        "a mirror a million kilometres away", "", a("Mirror", p1=p(1e12, -1e12), p2=p(1e12, 1e12))
    )
    yield scene("a mirror smaller than an atom", "", a("Mirror", p1=p(0, 0), p2=p(0, 1e-12)))
    yield scene("a circle smaller than an atom", "", a("CircleGlass", p1=p(0, 0), p2=p(0, 1e-300)))
    yield scene("the smallest number there is", "", a("Mirror", p1=p(0, 0), p2=p(5e-324, 0)))
    yield scene("a coordinate of 400 digits", "'p1'", a("Mirror", p1=p(10**400, 0)))


LINES = (
    "Mirror", "IdealMirror", "BeamSplitter", "Blocker", "IdealLens", "DiffractionGrating", "Detector", "CustomSurface", "PlaneGlass",
    "SphericalLens", "CustomGlass", "CustomMirror", "SingleRay", "Beam",
)  # fmt: skip


def _degenerate() -> Iterator[Broken]:
    for kind in LINES:
        yield scene(f"a {kind} of no length", "in one point", a(kind, p1=p(1, 2), p2=p(1, 2)))
    yield scene(
        "an AngleSource without a direction",
        "emits to the right",
        a("AngleSource", p1=p(1, 2), p2=p(1, 2)),
    )
    for kind in ("CircleGlass", "CircleBlocker", "CircleGrinGlass"):
        yield scene(f"a {kind} of no radius", "in one point", a(kind, p1=p(1, 2), p2=p(1, 2)))
    for kind in ("ArcMirror", "ConcaveDiffractionGrating", "CustomArcSurface", "ParabolicMirror"):
        yield scene(
            f"a {kind} of one point", "in one point", a(kind, p1=p(1, 2), p2=p(1, 2), p3=p(1, 2))
        )
        yield scene(f"a {kind} that is straight", "", a(kind, p3=p(0, 1)))
    yield scene(
        "an arc from a point to itself",
        "in one point",
        a("ArcMirror", p1=p(0, 0), p2=p(0, 0), p3=p(5, 5)),
    )
    yield scene("an arc whose third point is an end", "", a("ArcMirror", p3=p(0, 10)))
    yield scene("a parabola whose vertex is an end", "", a("ParabolicMirror", p3=p(0, 10)))
    yield scene("a glass of one point", "in one point", a("Glass", path=[p(1, 2)] * 4))
    yield scene(
        "a curve of one point",
        "in one point",
        a("CurveGlass", points=[{"a1": p(1, 1), "c1": p(1, 1), "c2": p(1, 1)}] * 3),
    )
    yield scene(
        "an aperture of one point",
        "in one point",
        a("Aperture", p1=p(0, 0), p2=p(0, 0), p3=p(0, 0), p4=p(0, 0)),
    )
    yield scene("an aperture without a hole", "", a("Aperture", p3=p(0, 0), p4=p(0, 0)))
    yield scene("an aperture with its sides crossed", "", a("Aperture", p3=p(0, 9), p4=p(0, -9)))
    yield scene("a ruler of no length", "", a("Ruler", p1=p(0, 0), p2=p(0, 0)))
    yield scene("a ruler without divisions", "", a("Ruler", scaleInterval=0))
    yield scene("a protractor of no size", "", a("Protractor", p1=p(0, 0), p2=p(0, 0)))
    yield scene("a frame of no size", "", a("CropBox", p4=p(0, 0)))


def _outlines() -> Iterator[Broken]:
    yield scene("an empty path", "'It'", a("Glass", path=[]))
    yield scene("a path of two points", "at least 3", a("Glass", path=CORNERS[:2]))
    yield scene(
        "two arc points together",
        "arc",
        a("Glass", path=[p(0, 0), p(1, 1) | {"arc": True}, p(2, 1) | {"arc": True}, p(3, 0)]),
    )
    yield scene("arc points alone", "arc", a("Glass", path=[c | {"arc": True} for c in CORNERS]))
    yield scene("a bow tie", "", a("Glass", path=[p(-10, -10), p(10, 10), p(10, -10), p(-10, 10)]))
    yield scene(
        "a star that crosses itself",
        "",
        a("Glass", path=[p(0, -10), p(6, 8), p(-9, -3), p(9, -3), p(-6, 8)]),
    )
    yield scene(
        "an outline without area", "no area", a("Glass", path=[p(0, -10), p(0, 0), p(0, 10)])
    )
    yield scene(
        "an outline there and back",
        "no area",
        a("Glass", path=[p(0, -10), p(9, 0), p(0, 10), p(9, 0)]),
    )
    yield scene("a corner twice", "", a("Glass", path=[CORNERS[0], *CORNERS]))
    yield scene(
        "a graded bow tie",
        "",
        a("GrinGlass", path=[p(-10, -10), p(10, 10), p(10, -10), p(-10, 10)]),
    )
    yield scene(
        "a graded outline without area",
        "no area",
        a("GrinGlass", path=[p(0, -10), p(0, 0), p(0, 10)]),
    )
    yield scene(
        "thousands of corners", "", a("Glass", path=[p(k % 30, k // 30) for k in range(900)])
    )
    yield scene("a curve of no nodes", "at least 2", a("CurveGlass", points=[]))
    yield scene("a curve of one node", "at least 2", a("CurveGlass", points=nodes()[:1]))
    yield scene("a mirror of no nodes", "no outline", a("CurveMirror", points=[]))
    yield scene(
        "a mirror of one open node",
        "no outline",
        a("CurveMirror", points=[{"a1": p(0, 0)}], isClosed=False),
    )
    yield scene(
        "a curve with a loop",
        "",
        a("CurveGlass", points=[n | {"c1": p(90, 90), "c2": p(-90, 90)} for n in nodes()]),
    )
    yield scene(
        "a lens that fits no definition",
        "no outline",
        a("SphericalLens", params={"d": 5, "r1": 1, "r2": -1}),
    )
    yield scene("a lens without parameters", "no outline", a("SphericalLens", params=None))
    yield scene(
        "a lens with words for parameters",
        "no outline",
        a("SphericalLens", params={"d": "thick", "r1": 30, "r2": 30}),
    )
    yield scene(
        "a lens with a list for parameters", "no outline", a("SphericalLens", params=[5, 30, 30])
    )
    yield scene(
        "a lens with radii of zero",
        "no outline",
        a("SphericalLens", params={"d": 5, "r1": 0, "r2": 0}),
    )
    yield scene(
        "a lens with focal distances of zero",
        "no outline",
        a("SphericalLens", defBy="DFfdBfd", params={"d": 0, "ffd": 0, "bfd": 0}),
    )
    yield scene(
        "a lens of no thickness", "", a("SphericalLens", params={"d": 0, "r1": 30, "r2": -30})
    )
    yield scene("a lens of five points", "6", a("SphericalLens", path=CORNERS + CORNERS[:1]))
    yield scene("a lens of nothing", "'It'", {"type": "SphericalLens", "name": "It"})


def _numbers() -> Iterator[Broken]:
    yield scene("an index of zero", "refIndex is 0", a("Glass", refIndex=0))
    yield scene("an index below zero", "", a("Glass", refIndex=-1.5))
    yield scene("an index beyond measure", "", a("Glass", refIndex=1e40))
    yield scene("an index as large as numbers go", "refIndex is 1e+308", a("Glass", refIndex=1e308))
    yield scene(
        "a power as large as numbers go", "brightness is 1e+308", a("SingleRay", brightness=1e308)
    )
    yield scene(
        "orders as large as numbers go",
        "brightnesses",
        a("DiffractionGrating", customBrightness=True, brightnesses=[1e308]),
    )
    yield no("a density as large as numbers go", "'rayModeDensity'", rayModeDensity=1e308)
    yield scene("an index next to nothing", "", a("Glass", refIndex=1e-300))
    yield scene(
        "a dispersion that cancels the index",
        "",
        a("Glass", refIndex=1, cauchyB=-0.2916),
        simulateColors=True,
    )
    yield scene("a focal length of zero", "focalLength is 0", a("IdealLens", focalLength=0))
    yield scene(
        "an ideal mirror of no focal length", "focalLength is 0", a("IdealMirror", focalLength=0)
    )
    yield scene("a focal length next to nothing", "", a("IdealLens", focalLength=1e-300))
    yield scene("a focal length beyond measure", "", a("IdealLens", focalLength=1e40))
    yield scene("a splitter that makes light", "transRatio", a("BeamSplitter", transRatio=7))
    yield scene(
        "a splitter that eats more than there is", "transRatio", a("BeamSplitter", transRatio=-1)
    )
    yield scene("a grating without lines", "lineDensity", a("DiffractionGrating", lineDensity=0))
    yield scene(
        "a grating of less than no lines", "lineDensity", a("DiffractionGrating", lineDensity=-100)
    )
    yield scene(
        "a grating of nearly no lines", "too many", a("DiffractionGrating", lineDensity=1e-300)
    )
    yield scene("a grating finer than light", "", a("DiffractionGrating", lineDensity=1e40))
    yield scene(
        "a concave grating without lines",
        "lineDensity",
        a("ConcaveDiffractionGrating", lineDensity=0),
    )
    yield scene(
        "slits wider than their distance", "slitRatio", a("DiffractionGrating", slitRatio=5)
    )
    yield scene("slits of less than no width", "slitRatio", a("DiffractionGrating", slitRatio=-1))
    yield scene(
        "orders without light", "", a("DiffractionGrating", customBrightness=True, brightnesses=[])
    )
    yield scene(
        "orders of less than no light",
        "brightnesses",
        a("DiffractionGrating", customBrightness=True, brightnesses=[-1, -2]),
    )
    yield scene(
        "orders of all light there is",
        "",
        a("DiffractionGrating", customBrightness=True, brightnesses=[1e40, 1e40]),
    )
    yield scene("a detector with bins of zero", "binSize", a("Detector", irradMap=True, binSize=0))
    yield scene(
        "a detector with bins below zero", "binSize", a("Detector", irradMap=True, binSize=-1)
    )
    yield scene(
        "a detector with more bins than memory",
        "binSize",
        a("Detector", irradMap=True, binSize=1e-300),
    )
    yield scene(
        "a filter of no width", "", a("Mirror", filter=True, bandwidth=0), simulateColors=True
    )
    yield scene(
        "a filter of less than no width",
        "",
        a("Mirror", filter=True, bandwidth=-10),
        simulateColors=True,
    )
    yield scene("letters of no size", "", a("TextLabel", text="a", fontSize=0))
    yield scene("letters beyond measure", "", a("TextLabel", text="a", fontSize=1e40))
    yield scene("a text turned a billion times", "", a("TextLabel", text="a", angle=3.6e11))
    yield scene("a picture of no width", "", a("CropBox", width=0))


def _lights() -> Iterator[Broken]:
    yield scene("a fan of a billion degrees", "emisAngle", a("AngleSource", emisAngle=1e9))
    yield scene("a fan of less than nothing", "emisAngle", a("AngleSource", emisAngle=-90))
    yield scene("a fan of nothing", "", a("AngleSource", emisAngle=0))
    yield scene(
        "a fan of 1e40 degrees", "emisAngle", a("AngleSource", emisAngle=1e40, symmetric=False)
    )
    yield scene("a beam that diverges a billion degrees", "emisAngle", a("Beam", emisAngle=1e9))
    yield scene("a beam that diverges less than nothing", "emisAngle", a("Beam", emisAngle=-90))
    yield scene(
        "a random beam of a billion degrees", "emisAngle", a("Beam", emisAngle=1e9, random=True)
    )
    yield scene("a beam longer than can be traced", "rays", a("Beam", p1=p(0, -1e9), p2=p(0, 1e9)))
    yield scene("light of no power", "", a("SingleRay", brightness=0))
    yield scene("light of less than no power", "brightness", a("SingleRay", brightness=-1))
    yield scene(
        "a point of less than no power",
        "brightness",
        a("PointSource", brightness=-1),
        colorMode="linear",
    )
    yield scene("light of all power", "", a("SingleRay", brightness=1e40), a("Glass"))
    yield scene(
        "a point of all power in true brightness",
        "rays",
        a("PointSource", brightness=1e40),
        colorMode="linear",
    )
    yield scene(
        "a beam of all power in true brightness",
        "",
        a("Beam", brightness=1e40),
        colorMode="reinhard",
    )
    yield scene(
        "light of no wavelength",
        "wavelength",
        a("SingleRay", wavelength=0),
        a("Glass"),
        simulateColors=True,
    )
    yield scene(
        "light of less than no wavelength",
        "wavelength",
        a("SingleRay", wavelength=-540),
        a("Glass"),
        simulateColors=True,
    )
    yield scene(
        "light of the shortest wave",
        "",
        a("SingleRay", wavelength=1e-300),
        a("Glass"),
        simulateColors=True,
    )
    yield scene(
        "light of the longest wave",
        "",
        a("SingleRay", wavelength=1e40),
        a("DiffractionGrating"),
        simulateColors=True,
    )
    yield scene(
        "light that never ends",
        "",
        a("Mirror", p1=p(-9, -99), p2=p(-9, 99)),
        a("Mirror", p1=p(9, -99), p2=p(9, 99)),
        a("SingleRay"),
    )
    yield scene(
        "light that splits without end",
        "",
        *(a("BeamSplitter", p1=p(x, -9), p2=p(x, 9)) for x in (-9, 0, 9)),
        colorMode="linear",
    )
    yield scene(
        "light in a box of glass",
        "",
        a("Glass"),
        *(a("Mirror", p1=c, p2=d) for c, d in pairwise(CORNERS)),
    )
    yield scene(
        "a surface that multiplies light",
        "",
        a("CustomSurface", twoSided=True, outRays=out("0", "P_0") * 12),
        a("Mirror", p1=p(5, -99), p2=p(5, 99)),
    )
    yield scene(
        "a surface that adds power without end",
        "",
        a("CustomSurface", twoSided=True, outRays=out(r"\pi-\theta_0", r"10^{99}P_0")),
        a("Mirror", p1=p(-60, -99), p2=p(-60, 99)),
    )


def _formulas() -> Iterator[Broken]:
    def graph(how: str, message: str, formula: Any) -> Broken:
        return scene(how, message, a("CustomGlass", eqn2=formula))

    yield graph("an empty formula", "eqn2", "")
    yield graph("a formula of blanks", "eqn2", "   ")
    yield graph("a bracket that is not closed", "character", r"\left(x")
    yield graph("a bracket too many", "character", "x)")
    yield graph(
        "a function that has no derivative", "factorial", r"\operatorname{gamma}\left(x\right)"
    )
    yield graph("a command that nobody knows", "foo", r"\foo{x}")
    yield graph("a letter that nobody knows", "'q'", "q+x")
    yield graph("a fraction of one half", "character", r"\frac{x}")
    yield graph("two operators", "character", "x+*2")
    yield graph("an operator at the end", "character", "x+")
    yield graph("a formula in words", "eqn2", "half a circle, please")
    yield graph("a formula in another language", "eqn2", "半圆")
    yield graph("a program", "eqn2", "__import__('os').system('true')")
    yield graph("a division by zero everywhere", "no value", "1/0")
    yield graph("a root of less than nothing", "no value", r"\sqrt{-1-x^2}")
    yield graph("a pole in the middle", "", r"\frac{0.01}{x}")
    yield graph("a formula beyond numbers", "", "10^{400}x")
    yield graph("powers of powers", "", "9^{9^{9^{9}}}x")
    yield graph("an upper bound below the lower", "lies above", "-0.5")
    yield graph("both bounds the same", "no area", "0")
    yield graph("a curve that shivers", "pieces", r"\sin\left(1000000x\right)")
    yield graph("a curve of steps", "", r"\operatorname{floor}\left(100x\right)/100+2")
    yield graph("brackets nested deeply", "", deep(500, "(", ")", "x"))
    yield graph("brackets without end", "200001 characters", deep(100_000, "(", ")", "x"))
    yield graph("roots without end", "140001 characters", deep(20_000, r"\sqrt{", "}", "x"))
    yield graph("signs without end", "", "-" * 20_001 + "x")
    yield graph("a sum of a hundred thousand", "199999 characters", "+".join(["x"] * 100_000))
    yield scene("a formula as a number", "'eqn2'", a("CustomGlass", eqn2=0.5))
    yield scene("a formula as null", "'eqn2'", a("CustomGlass", eqn2=None))
    yield scene("a mirror without a formula", "eqn", a("CustomMirror", eqn=""))
    yield scene("pieces as null", "pieces", a("ParamGlass", pieces=None))
    yield scene("pieces as a number", "pieces", a("ParamMirror", pieces=5))
    yield scene("pieces of numbers", "pieces[0]", a("ParamMirror", pieces=[5]))
    yield scene("no pieces", "no outline", a("ParamMirror", pieces=[]))
    yield scene(
        "a piece without a formula",
        "pieces[0]",
        a("ParamGlass", pieces=[{"eqnX": "t", "tMin": 0, "tMax": 1}]),
    )
    yield scene(
        "a piece with a broken formula", "pieces[0]", a("ParamGlass", pieces=piece(x="cos("))
    )
    yield scene(
        "a piece that runs backwards", "pieces[0]", a("ParamGlass", pieces=piece(first=5, last=1))
    )
    yield scene("a piece of no range", "pieces[0]", a("ParamGlass", pieces=piece(first=1, last=1)))
    yield scene(
        "a piece with words for its range", "pieces[0]", a("ParamGlass", pieces=piece(first="zero"))
    )
    yield scene(
        "a piece with a list for its range", "pieces[0]", a("ParamGlass", pieces=piece(last=[1]))
    )
    yield scene("a piece with a step of zero", "", a("ParamGlass", pieces=piece(step=0)))
    yield scene(
        "a piece of all numbers", "pieces", a("ParamMirror", pieces=piece(first=-1e308, last=1e40))
    )
    yield scene(
        "a piece that stands still", "in one point", a("ParamMirror", pieces=piece(x="1", y="2"))
    )
    yield scene("a body that does not close", "close", a("ParamGlass", pieces=piece(last=3)))
    yield scene(
        "a body of two parts that do not meet",
        "close",
        a("ParamGlass", pieces=piece(last=3) + piece(x="100+t", y="t")),
    )


def _graded() -> Iterator[Broken]:
    def body(
        how: str,
        message: str,
        index: Any,
        absorption: Any = "0",
        kind: str = "CircleGrinGlass",
        **more: Any,
    ) -> Broken:
        return scene(how, message, a(kind, refIndexFn=index, absorptionFn=absorption), **more)

    yield body("an index that is empty", "refIndexFn", "")
    yield body("an index of an unknown function", "refIndexFn", r"\operatorname{n}(x)")
    yield body("an index of an unknown letter", "refIndexFn", "1+z")
    yield body("a graded index of zero", "no value", "0")
    yield body("an index of zero on a line", "", "1+0.1x")
    yield body("a graded index below zero", "", "-1.5")
    yield body("an index divided by zero", "no value", r"\frac{1}{x-x}")
    yield body("an index divided by zero in the middle", "", r"1+\frac{1}{x^2+y^2}")
    yield body("an index divided by zero on a line", "", r"1.5+\frac{0.1}{x}")
    yield body("an index of the logarithm of less than nothing", "no value", r"\ln(-1-x^2)")
    yield body("an index that has a value on one side alone", "no value", r"1+\sqrt{x}")
    yield body("an index that jumps", "", r"1.5+0.2\operatorname{sign}(y)")
    yield body("an index that shivers", "", r"1.5+0.1\sin(900x)")
    yield body("a graded index beyond measure", "", "10^{200}+x")
    yield body("an index that grows beyond measure", "", r"e^{100x}")
    yield body("an absorption below zero", "", "1.5", "-1")
    yield body("an absorption beyond measure", "", "1.5", "10^{300}")
    yield body("an absorption without a value", "", "1.5", r"\frac{1}{x-x}")
    yield body("an absorption that is broken", "absorptionFn", "1.5", "((")
    yield body("an index of brackets without end", "100001 characters", deep(50_000, "(", ")", "x"))
    yield body("an index in a bow", "", "1.2+0.01y", kind="GrinGlass")
    yield body("an index with a well", "", r"1+\frac{50}{0.001+x^2+y^2}")
    yield scene(
        "a graded circle within another a thousandth smaller",
        "",
        a("CircleGrinGlass", p2=p(9, 0)),
        a("CircleGrinGlass", p2=p(8.999, 0)),
    )
    yield scene("a graded body of itself twice", "", a("GrinGlass"), a("GrinGlass"))
    yield scene("a graded body with a step of zero", "", a("GrinGlass", stepSize=0, intersectTol=0))
    yield scene("an index as a number", "'refIndexFn'", a("CircleGrinGlass", refIndexFn=1.5))


def _surfaces() -> Iterator[Broken]:
    def surface(
        how: str, message: str, rays: Any, kind: str = "CustomSurface", **more: Any
    ) -> Broken:
        return scene(how, message, a(kind, outRays=rays, twoSided=True, **more))

    yield surface("an angle that is empty", "outRays[0].eqnTheta", out("", "P_0"))
    yield surface("a power that is empty", "outRays[0].eqnP", out("0", ""))
    yield surface("an angle without a value", "", out(r"\arcsin(2)", "P_0"))
    yield surface("a power without a value", "", out("0", r"\frac{P_0}{0}"))
    yield surface("an angle of a ray to come", "theta_2", out(r"\theta_2", "P_0"))
    yield surface("a power of itself", "P_1", out("0", "P_1"))
    yield surface("two hundred rays", "", out("0", "0.01P_0") * 200)
    yield surface("two hundred and one rays", "201", out("0", "0") * 201)
    yield surface("an angle of a billion turns", "", out("10^{10}", "P_0"))
    yield surface("formulas as numbers", "", out(0, 1))
    yield scene("formulas as nulls", "'outRays'", a("CustomSurface", outRays=out(None, None)))
    yield surface(
        "a parametric one without pieces",
        "no outline",
        out("0", "P_0"),
        "CustomParamSurface",
        pieces=[],
    )
    yield surface(
        "a parametric one with pieces of nothing",
        "pieces",
        out("0", "P_0"),
        "CustomParamSurface",
        pieces=[{}],
    )
    yield surface(
        "a parametric one of two faults",
        "pieces[0]",
        out("(", "P_0"),
        "CustomParamSurface",
        pieces=[{}],
    )
    yield surface(
        "a curve without nodes", "no outline", out("0", "P_0"), "CustomCurveSurface", points=[]
    )


def _modules() -> Iterator[Broken]:
    mirror = a("Mirror")
    inner = {"type": "ModuleObj", "module": "M", "points": [], "params": {}}
    yield module("a definition as a number", "'M'", 5)
    yield module("a definition as null", "'M'", None)
    yield module("a definition of nothing", "", {})
    yield module("no such module", "no such module", {}, {"module": "N"})
    yield module("a module as a number", "no such module", {}, {"module": "5"})
    yield module("a module that contains itself", "contain itself", {"objs": [inner]})
    yield module("a module that contains itself twice", "contain itself", {"objs": [inner, inner]})
    yield module(
        "two modules in a circle",
        "contain itself",
        {"objs": [inner | {"module": "N"}]},
        None,
        N={"objs": [inner]},
    )
    yield module("a loop without end", "step is 0", {"objs": [mirror | {"for": "i=1:0:9"}]})
    yield module(
        "a loop of a million turns", "more than 1000", {"objs": [mirror | {"for": "i=1:1:1000000"}]}
    )
    yield module("a loop of nothing at all", "", {"objs": [mirror | {"for": "i=9:1:1"}]})
    yield module("a loop of infinite turns", "finite", {"objs": [mirror | {"for": "i=1:1:1/0"}]})
    yield module(
        "loops within loops within loops",
        "too many steps",
        {"objs": [mirror | {"for": ["i=1:1:900", "j=1:1:900", "k=1:1:900"]}]},
    )
    yield module(
        "a loop with leave to run for ever",
        "too many steps",
        {"maxLoopLength": 10**14, "objs": [mirror | {"for": "i=1:1:10^12"}]},
    )
    yield module("a loop as a number", "for", {"objs": [mirror | {"for": 5}]})
    yield module("a loop that is no loop", "for", {"objs": [mirror | {"for": "while true"}]})
    yield module("a condition that is none", "if", {"objs": [mirror | {"if": "i >"}]})
    yield module("a condition as a list", "if", {"objs": [mirror | {"if": []}]})
    yield module(
        "a function that calls itself",
        "within itself",
        {"vars": ["f(x)=f(x)"], "objs": [mirror | {"p1": p("`f(1)`", 0)}]},
    )
    yield module(
        "a function that calls itself twice",
        "",
        {"vars": ["f(x)=f(x-1)+f(x-2)", "y=f(90)"], "objs": [mirror]},
    )
    yield module(
        "a variable of a variable that is not there", "'b'", {"vars": ["a=b+1"], "objs": [mirror]}
    )
    yield module(
        "a variable that is a program", "vars[0]", {"vars": ["import('fs')"], "objs": [mirror]}
    )
    yield module("variables as a text", "'vars'", {"vars": "a=1", "objs": []})
    yield module("variables of numbers", "'vars'", {"vars": [1], "objs": []})
    yield module("parameters as a text", "'params'", {"params": "a", "objs": []})
    yield module(
        "a parameter without a range", "name=start:step:end", {"params": ["a"], "objs": []}
    )
    yield module("a parameter twice", "'a'", {"params": ["a=1:1:9", "a=1:1:9"], "objs": []})
    yield module(
        "a parameter that is not given", "'a'", {"params": ["a=1:1:9"], "objs": []}, {"params": {}}
    )
    yield module(
        "a parameter as a list", "'a'", {"params": ["a=1:1:9"], "objs": []}, {"params": {"a": [1]}}
    )
    yield module(
        "parameters as a number", "params", {"params": ["a=1:1:9"], "objs": []}, {"params": 5}
    )
    yield module("too few points", "points", {"numPoints": 2, "objs": []})
    yield module("half a point", "numPoints", {"numPoints": 0.5, "objs": []})
    yield module("a billion points", "points", {"numPoints": 10**9, "objs": []})
    yield module("objs as a number", "'objs'", {"objs": 5})
    yield module("templates of nulls", "object 1", {"objs": [None]})
    yield module("a part that cannot be", "object 1", {"objs": [mirror | {"p1": 5}]})
    yield module(
        "a part at a place that is no number",
        "object 1",
        {"objs": [mirror | {"p1": p("`0/0`", 0)}]},
    )
    yield module(
        "a formula in backticks that is broken",
        "objs[0].p1.x",
        {"objs": [mirror | {"p1": p("`1+`", 0)}]},
    )
    yield module("a backtick without its pair", "object 1", {"objs": [mirror | {"p1": p("`1", 0)}]})
    yield module(
        "a template nested too deeply", "nested", {"objs": [json.loads(deep(60, '{"a":', "}"))]}
    )
    yield module(
        "a definition with more than is known", "'colour'", {"objs": [mirror], "colour": "red"}
    )
    yield scene(
        "an instance with points of nothing",
        "'points'",
        a("ModuleObj", module="M", points=[None], params={}),
        modules={"M": {}},
    )
    yield scene(
        "an instance that is not finished",
        "0 points instead of 2",
        a("ModuleObj", module="M"),
        modules={"M": {"numPoints": 2}},
    )
    yield scene(
        "the name of a module as a number",
        "'module'",
        a("ModuleObj", module=5, points=[]),
        modules={},
    )


def _kept() -> Iterator[Broken]:
    yield text(
        "a mirror of 2011", '[{"type": "aH", "L": {"type": 1, "x": 0, "y": 0}}]', "", refused=False
    )
    yield text(
        "an old scene of an unknown kind",
        '{"version": 2, "objs": [{"type": "hologram", "p": 5}]}',
        "hologram",
        refused=False,
    )
    yield text(
        "an old object without a kind",
        '{"version": 2, "objs": [{"p": 5}]}',
        "it has no 'type'",
        refused=False,
    )
    yield text(
        "an old lens of no focal length",
        '{"version": 2, "objs": [{"type": "lens", "p1": {"x": 0, "y": 0}, "p2": {"x": 0, "y": 9},'
        ' "p": 0}]}',
        "focalLength is 0",
        refused=False,
    )
    yield text("an old mode that is none", '{"version": 1, "mode": "lights", "objs": []}', "'mode'")
    yield text(
        "an old density of zero",
        '{"version": 2, "rayDensity_light": 0, "objs": []}',
        "'rayModeDensity'",
    )
