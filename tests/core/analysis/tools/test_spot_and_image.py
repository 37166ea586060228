"""Spots and images: fans, thin and thick lenses and a plano-convex lens by their closed forms."""

from __future__ import annotations

import math
import re
from dataclasses import replace

import numpy as np
import pytest
from asking import ask, block, number, traced

from raybench.analysis import agentic_tools as tools
from raybench.analysis.context import override_context
from raybench.analysis.measures.bound import measure_values
from raybench.analysis.profiles import rms_through_focus
from raybench.analysis.rays.detector_light import light_at_detector
from raybench.analysis.tools.light.imaging import image
from raybench.analysis.tools.light.spot import spot
from raybench.analysis.tools.rays.find_rays import find_rays
from raybench.errors import RaybenchError
from raybench.kinds.detectors import Detector
from raybench.kinds.glasses import CircleGlass, Glass
from raybench.kinds.gratings import DiffractionGrating
from raybench.kinds.grin import GrinGlass
from raybench.kinds.lenses import IdealLens, SphericalLens
from raybench.kinds.mirrors import ArcMirror, Mirror, ParabolicMirror
from raybench.kinds.sources import AngleSource, Beam, PointSource, SingleRay
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.shapes.point import Point, Vertex
from raybench.trace.codes import Interaction
from raybench.trace.trace import trace

LENS = IdealLens(p1=Point(0, -30), p2=Point(0, 30), focal_length=40, name="Lens")
SCREEN = Detector(p1=Point(100, -50), p2=Point(100, 50), name="Screen")


def fan(distance: float, angle: float = 10.0, y: float = 0.0) -> AngleSource:
    return AngleSource(p1=Point(-distance, y), p2=Point(0, y), emis_angle=angle, name="Fan")


def test_a_fan_has_the_rms_of_its_rays() -> None:
    slopes = (-0.2, -0.1, 0.0, 0.1, 0.3)
    rays = [
        SingleRay(p1=Point(0, 0), p2=Point(1, m), name=f"Ray {k}") for k, m in enumerate(slopes)
    ]
    found = ask(traced(*rays, SCREEN), tools.spot_xml, "Screen")
    spot = found[0]
    heights = [100 * m for m in slopes]
    mean = sum(heights) / 5
    assert number(spot, "centroid") == pytest.approx(50 + mean)
    assert number(spot, "rms") == pytest.approx(
        math.sqrt(sum((h - mean) ** 2 for h in heights) / 5)
    )
    assert number(spot, "width") == pytest.approx(50)
    assert number(spot, "share") == pytest.approx(1)
    # all come from one point: the spot would be smallest there, 100 before the screen along the
    # mean ray
    axis = sum(1 / math.hypot(1, m) for m in slopes), sum(m / math.hypot(1, m) for m in slopes)
    assert number(spot, "defocus") == pytest.approx(-math.hypot(100, 100 * axis[1] / axis[0]))
    assert (
        number(spot, "least_rms"),
        number(spot, "least_x"),
        number(spot, "least_y"),
    ) == pytest.approx((0, 0, 0), abs=1e-9)
    assert len(found) == 6  # all light, then each source
    assert [s.attrib["source"] for s in found[1:]] == [r.name for r in rays]


def test_a_spot_with_partial_reflections() -> None:
    # a tilted plate shifts its ghost sideways; by Fresnel's equations that has R**2 of what goes in
    plate = Glass(
        path=(Vertex(30, -40), Vertex(40, -40), Vertex(60, 40), Vertex(50, 40)),
        ref_index=1.5,
        name="Plate",
    )
    laser = Beam(p1=Point(0, -1), p2=Point(0, 1), name="Laser")
    context = traced(laser, plate, SCREEN, density=10)
    clear = traced(laser, replace(plate, partial_reflect=False), SCREEN, density=10)
    found = ask(context, tools.spot_xml, "Screen")
    (spot,) = found
    main = number(ask(clear, tools.spot_xml, "Screen")[0], "rms")
    assert number(spot, "rms") == pytest.approx(main, rel=1e-9)
    told = re.fullmatch(
        r"of ([\d.]+) % of the light; the rest: [\d.]+ % by Laser → Plate:W \(refract\) → .* → Screen;"
        r" of all light rms\(Screen, Laser\) ([\d.]+) mm, width\(Screen, Laser\) [\d.]+ mm",
        spot.attrib["note"],
    )
    assert told is not None, spot.attrib["note"]
    result = context.result
    rows = np.flatnonzero(result.hit == [o.title for o in context.scene.optical].index("Screen"))
    reflected = np.array(
        [Interaction.REFLECT in result.interaction[result.lineage.path(int(row))] for row in rows]
    )
    power = result.total_power[rows]
    assert float(told[1]) == pytest.approx(100 * power[~reflected].sum() / power.sum(), abs=0.05)
    assert float(told[2]) > 1.02 * main
    (value,) = ask(context, tools.measure_xml, "rms(Screen, all)")
    assert number(value, "value") == pytest.approx(float(told[2]), rel=1e-4)
    assert "note" not in value.attrib
    assert "note" not in ask(clear, tools.spot_xml, "Screen")[0].attrib
    (value,) = ask(context, tools.measure_xml, "rms(Screen)")
    assert value.attrib["note"].endswith(f"of all light it is {told[2]} mm")
    (value,) = ask(context, tools.measure_xml, "rms(Screen)", unit="cm")
    assert value.attrib["note"].endswith(f"of all light it is {float(told[2]) / 10:.6g} cm")
    assert ask(context, tools.detector_xml, "Screen")[0].attrib["note"] == spot.attrib[
        "note"
    ].replace(", Laser", "")


def test_other_beams_in_the_asked_unit() -> None:
    context = traced(fan(100), replace(fan(150), name="Second"), LENS)
    notes = [
        ask(context, tools.measure_xml, "focus(Lens)", unit=unit)[0].attrib["note"]
        for unit in ("mm", "cm")
    ]
    values = [re.search(r"it is ([\d.]+) (\w+)", note) for note in notes]
    assert [v[2] for v in values if v] == ["mm", "cm"]
    assert float(values[0][1]) == pytest.approx(10 * float(values[1][1]), rel=1e-5)  # type: ignore[index]


def test_light_that_starts_inside_does_not_arrive() -> None:
    inside = Detector(p1=Point(5, -3), p2=Point(5, 3), name="Inner")
    ball = CircleGlass(
        p1=Point(0, 0), p2=Point(20, 0), ref_index=1.5, partial_reflect=False, name="Ball"
    )
    lamp = AngleSource(p1=Point(0, 0), p2=Point(1, 0), emis_angle=20, name="Fan")
    context = traced(lamp, inside, ball)
    assert len(ask(context, tools.image_xml, "Ball")) == 1
    assert (
        "starts inside"
        in ask(context, tools.measure_xml, "object_distance(Ball)")[0].attrib["reason"]
    )


def test_a_screen_out_of_focus() -> None:
    screen = Detector(p1=Point(60, -50), p2=Point(60, 50), name="Screen")
    (spot,) = ask(traced(fan(100), LENS, screen, density=10), tools.spot_xml, "Screen")
    seen = 1 / (1 / 40 - 1 / 100)
    assert number(spot, "defocus") == pytest.approx(seen - 60, rel=1e-4)
    assert number(spot, "least_rms") == pytest.approx(0, abs=1e-9)
    (after,) = ask(traced(fan(100), LENS, screen, density=10), tools.spot_xml, "Lens")
    assert number(after, "beam_width") == pytest.approx(
        2 * 100 * math.tan(math.radians(5)), rel=0.01
    )
    # the same focus, counted from the lens
    assert number(spot, "least_x") == pytest.approx(number(after, "focus"))


def test_focus_of_most_light_at_a_line() -> None:
    screen = Detector(p1=Point(60, -50), p2=Point(60, 50), name="Screen")
    plate = Glass(
        path=(Vertex(90, -40), Vertex(95, -40), Vertex(95, 40), Vertex(90, 40)),
        ref_index=1.5,
        name="Plate",
    )
    scene = Scene.of([fan(100), LENS, screen, plate], Settings(ray_mode_density=10))
    seen = 1 / (1 / 40 - 1 / 100)
    result = trace(scene)
    found = measure_values(
        "defocus(Screen); least_x(Screen); least_rms(Screen)", Document(scene=scene), result
    )
    assert [m.value for m in found] == pytest.approx([seen - 60, seen, 0], abs=1e-4)
    curve = rms_through_focus(result, screen, light_at_detector(result, 2, screen))
    assert curve is not None
    assert curve.best == pytest.approx(found[0].value)


def test_a_spot_after_a_body() -> None:
    n, r1, r2, d = 1.5, 120.0, -180.0, 30.0
    lens = SphericalLens(
        p1=Point(0, -30),
        p2=Point(0, 30),
        params={"d": d, "r1": r1, "r2": r2},
        ref_index=n,
        name="Thick",
    )
    beam = Beam(p1=Point(-90, -1), p2=Point(-90, 1), brightness=1, name="Laser")
    (spot,) = ask(traced(beam, lens, density=10), tools.spot_xml, "Thick")
    f = 1 / ((n - 1) * (1 / r1 - 1 / r2 + (n - 1) * d / (n * r1 * r2)))
    assert number(spot, "focus") == pytest.approx(f * (1 - (n - 1) * d / (n * r1)), rel=1e-4)
    assert number(spot, "focus_x") == pytest.approx(d / 2 + number(spot, "focus"))
    assert number(spot, "beam_width") == pytest.approx(2 * number(spot, "focus") / f, rel=1e-3)
    parallel = ask(traced(beam, block(0, -20, 30, 20)), tools.spot_xml, "Block")[0]
    assert "focus" not in parallel.attrib
    assert "parallel" in parallel.attrib["reason"]


def test_a_spot_on_a_flat_mirror() -> None:
    rays = [SingleRay(p1=Point(0, y), p2=Point(1, y), name=f"Ray {y}") for y in (-10, 10)]
    with override_context(traced(*rays, Mirror(p1=Point(50, -50), p2=Point(150, 50), name="Fold"))):
        found = spot("Fold")
    facts = found.values["spot"][0]
    assert (facts["rms"], facts["width"]) == pytest.approx((10 * math.sqrt(2), 20 * math.sqrt(2)))
    assert found.sentence.startswith(
        "RMS 14.1421 mm, full width 28.2843 mm on Fold; no smallest spot after Fold: "
    )


@pytest.mark.parametrize("distance", [60.0, 100.0, 25.0])
def test_a_thin_lens_images_by_its_equation(distance: float) -> None:
    found = ask(traced(fan(distance), LENS, density=20), tools.image_xml, "Lens")
    (image,) = found
    seen = 1 / (1 / 40 - 1 / distance)
    for name in ("image_distance", "principal_image_distance", "marginal_focus"):
        assert number(image, name) == pytest.approx(seen, rel=1e-6)
    assert number(image, "object_distance") == pytest.approx(distance, rel=1e-6)
    assert number(image, "magnification") == pytest.approx(-seen / distance, rel=1e-4)
    assert (image.attrib["kind"], image.attrib["orientation"]) == (
        ("real", "inverted") if distance > 40 else ("virtual", "upright")
    )
    assert number(image, "spherical_aberration") == pytest.approx(0, abs=1e-6)
    assert number(found, "nominal_focal_length") == pytest.approx(40)


def test_distances_along_the_axis() -> None:
    (image,) = ask(
        traced(PointSource(x=-120, y=-35, name="Lamp"), LENS, density=20), tools.image_xml, "Lens"
    )
    assert number(image, "object_distance") == pytest.approx(120)
    assert number(image, "image_distance") == pytest.approx(60)
    assert number(image, "magnification") == pytest.approx(-0.5)
    assert (number(image, "focus_x"), number(image, "focus_y")) == pytest.approx((60, 17.5))


def test_conjugates_from_principal_planes() -> None:
    n, r1, r2, d = 1.5, 120.0, -180.0, 30.0
    lens = SphericalLens(
        p1=Point(0, -30),
        p2=Point(0, 30),
        params={"d": d, "r1": r1, "r2": r2},
        ref_index=n,
        name="Lens",
    )
    f = 1 / ((n - 1) * (1 / r1 - 1 / r2 + (n - 1) * d / (n * r1 * r2)))
    h1, h2 = (
        -f * (n - 1) * d / (n * r2),
        -f * (n - 1) * d / (n * r1),
    )  # of the principal planes from the vertices (Hecht, 6.1)
    source = AngleSource(p1=Point(-d / 2 - 400, 0), p2=Point(0, 0), emis_angle=2.0, name="Fan")
    found = ask(traced(source, lens, density=30), tools.image_xml, "Lens")
    (image,) = found
    assert number(found, "nominal_focal_length") == pytest.approx(f, rel=1e-6)
    s = number(image, "principal_object_distance")
    assert s == pytest.approx(400 + h1, rel=1e-5)
    assert number(image, "principal_image_distance") == pytest.approx(1 / (1 / f - 1 / s), rel=1e-4)
    assert number(image, "image_distance") == pytest.approx(1 / (1 / f - 1 / s) + h2, rel=1e-4)
    assert number(image, "magnification") == pytest.approx(f / (f - s), rel=1e-4)
    # a point off the axis is as far away, along the axis
    aside = AngleSource(p1=Point(-d / 2 - 400, -60), p2=Point(0, 0), emis_angle=2.0, name="Fan")
    (image,) = ask(traced(aside, lens, density=30), tools.image_xml, "Lens")
    assert number(image, "object_distance") == pytest.approx(400, rel=1e-5)
    assert number(image, "magnification") == pytest.approx(
        f / (f - s), rel=0.1
    )  # its image is nearer, by the curvature of the field


def test_spherical_aberration_of_a_plano_convex_lens() -> None:
    n, r, top = 1.5, 100.0, 40.0
    sagitta = r - math.sqrt(r**2 - top**2)
    # flat to the light, which meets only the curved side at an angle
    path = (
        Vertex(0, top),
        Vertex(0, -top),
        Vertex(10, -top),
        Vertex(10 + sagitta, 0, True),
        Vertex(10, top),
    )
    lens = Glass(path=path, ref_index=n, partial_reflect=False, name="Lens")
    beam = Beam(p1=Point(-50, -25), p2=Point(-50, 25), brightness=1, name="Laser")
    found = ask(traced(beam, lens, density=1), tools.image_xml, "Lens")
    (image,) = found
    h = 25  # at the rim, outside of the outermost ray
    inside, outside = math.asin(h / r), math.asin(n * h / r)
    marginal = h / math.tan(outside - inside) - (r - math.sqrt(r**2 - h**2))
    assert number(image, "marginal_focus") == pytest.approx(marginal, rel=1e-8)
    paraxial = r / (n - 1)
    assert number(image, "image_distance") == pytest.approx(paraxial, rel=1e-6)
    assert number(image, "spherical_aberration") == pytest.approx(marginal - paraxial, rel=1e-5)
    assert number(found, "nominal_focal_length") == pytest.approx(paraxial, rel=1e-6)
    assert marginal < number(image, "focus") < paraxial


def test_mirrors_form_images() -> None:
    x = 60 * math.cos(math.asin(20 / 60)) - 60
    hollow = ArcMirror(p1=Point(x, -20), p2=Point(x, 20), p3=Point(0, 0), name="Mirror")
    found = ask(traced(fan(50, 2.0), hollow, density=50), tools.image_xml, "Mirror")
    (image,) = found
    assert number(found, "nominal_focal_length") == pytest.approx(30, rel=1e-6)
    assert number(image, "image_distance") == pytest.approx(75, rel=1e-4)
    assert number(image, "principal_image_distance") == pytest.approx(75, rel=1e-4)
    assert (image.attrib["kind"], image.attrib["orientation"]) == ("real", "inverted")
    flat = ask(
        traced(fan(50), Mirror(p1=Point(0, -20), p2=Point(0, 20), name="Mirror")),
        tools.image_xml,
        "Mirror",
    )
    assert (flat[0].attrib["kind"], flat[0].attrib["orientation"]) == ("virtual", "upright")
    assert "nominal_focal_length" not in flat.attrib


def test_nominal_focal_length_without_light() -> None:
    diverging = Beam(p1=Point(-90, -5), p2=Point(-90, 5), emis_angle=4, brightness=1, name="Laser")
    found = ask(traced(diverging, LENS, density=3), tools.focus_xml, "Lens")
    assert number(found, "nominal_focal_length") == pytest.approx(40)
    assert "Use a beam" not in found.find("bundle/focal_length").attrib["reason"]  # type: ignore[union-attr]
    dark = ask(traced(LENS), tools.image_xml, "Lens")
    assert (len(dark), number(dark, "nominal_focal_length")) == (0, 40)


@pytest.mark.parametrize("degrees", [0.0, -5.0, 17.0])
def test_axis_of_an_arc(
    degrees: float,
) -> None:
    """A spherical mirror has f = R / 2, positive where light falls into its hollow side; the object
    at 90 is imaged at 45.
    """

    def rim(angle: float) -> Point:
        return Point(60 * math.cos(math.radians(angle)), 60 * math.sin(math.radians(angle)))

    mirror = ArcMirror(p1=rim(-20), p2=rim(20), p3=rim(degrees), name="Mirror")
    assert number(
        ask(traced(mirror), tools.image_xml, "Mirror"), "nominal_focal_length"
    ) == pytest.approx(30)
    lamp = AngleSource(p1=Point(-30, 0), p2=Point(0, 0), emis_angle=2, brightness=0.5, name="Lamp")
    names = ("nominal_focal_length", "object_distance", "image_distance", "magnification")
    values = [
        number(m, "value")
        for m in ask(
            traced(lamp, mirror, density=5),
            tools.measure_xml,
            "; ".join(f"{n}(Mirror)" for n in names),
        )
    ]
    assert values == pytest.approx([30, 90, 45, -0.5], rel=1e-5)
    outside = AngleSource(
        p1=Point(150, 0), p2=Point(0, 0), emis_angle=2, brightness=0.5, name="Lamp"
    )
    assert number(
        ask(traced(outside, mirror), tools.image_xml, "Mirror"), "nominal_focal_length"
    ) == pytest.approx(-30)


@pytest.mark.parametrize("y", [-20.0, -16.0])
def test_axis_of_a_parabola(y: float) -> None:
    """y² = 4 f x about the vertex."""
    dish = ParabolicMirror(p1=Point(-4, y), p2=Point(-4, 20), p3=Point(0, 0), name="Dish")
    assert number(
        ask(traced(dish), tools.image_xml, "Dish"), "nominal_focal_length"
    ) == pytest.approx(y * y / 16)


def test_a_real_image_on_a_screen() -> None:
    seen = 1 / (1 / 40 - 1 / 100)
    for x in (seen - 5, seen, seen + 5):
        screen = Detector(p1=Point(x, -50), p2=Point(x, 50), name="Screen")
        best = ask(traced(fan(100), LENS, screen, density=10), tools.focus_xml, "Screen").find(
            "bundle/best_focus"
        )
        assert best is not None
        assert best.attrib["virtual"] == "false"
        assert number(best, "distance") == pytest.approx(seen - x, abs=0.01)
    behind = Detector(p1=Point(50, -50), p2=Point(50, 50), name="Screen")
    best = ask(traced(fan(30), LENS, behind, density=10), tools.focus_xml, "Screen").find(
        "bundle/best_focus"
    )
    assert best is not None
    assert best.attrib["virtual"] == "true"


def test_orders_have_no_common_focus() -> None:
    beam = Beam(p1=Point(-80, -5), p2=Point(-80, 5), brightness=0.4, name="Laser")
    grating = DiffractionGrating(
        p1=Point(0, -30), p2=Point(0, 30), line_density=500, name="Grating"
    )
    found = ask(traced(beam, grating), tools.focus_xml, "Grating")
    assert len({b.attrib["order"] for b in found}) == len(found) > 1
    for bundle in found:
        assert "parallel" in bundle.find("best_focus").attrib["reason"]  # type: ignore[union-attr]
    rays = [
        SingleRay(p1=Point(-50, y), p2=Point(-40, y), name=name)
        for y, name in ((-4, "Upper"), (4, "Lower"))
    ]
    (both,) = ask(traced(*rays, LENS), tools.focus_xml, "Lens")
    assert both.attrib["source"] == "Upper, Lower"
    assert both.attrib["surfaces"].startswith("* → Lens")


@pytest.mark.parametrize("size", [1e-3, 1.0, 1e6])
def test_image_of_an_object_beyond_the_focus(size: float) -> None:
    """1/s' = 1/f - 1/s with two rays, too few for a fit; f = 40 and s = 40.4 in units of ``size``
    give 4040, magnified by -100.
    """
    lens = IdealLens(
        p1=Point(0, -50 * size), p2=Point(0, 50 * size), focal_length=40 * size, name="Lens"
    )
    rays = [
        SingleRay(p1=Point(-40.4 * size, 0), p2=Point(0, y * size), name=f"Ray {y}")
        for y in (-2, 2)
    ]
    names = ("object_distance", "image_distance", "magnification")
    values = [
        number(m, "value")
        for m in ask(traced(*rays, lens), tools.measure_xml, "; ".join(f"{n}(Lens)" for n in names))
    ]
    assert values == pytest.approx([40.4 * size, 4040 * size, -100], rel=1e-6)


def test_a_lens_of_arcs_with_a_one_sided_fan() -> None:
    radius, thickness, half, n = 50.0, 10.0, 15.0, 1.5
    sag = radius - math.sqrt(radius**2 - half**2)
    left = (Vertex(sag, -half), Vertex(0, 0, True), Vertex(sag, half))
    right = (
        Vertex(thickness - sag, half),
        Vertex(thickness, 0, True),
        Vertex(thickness - sag, -half),
    )
    lens = Glass(path=left + right, ref_index=n, partial_reflect=False, name="Thick")
    lamp = AngleSource(
        p1=Point(-100, 0), p2=Point(-90, 0), emis_angle=4, brightness=0.5, name="Lamp"
    )
    context = traced(lamp, lens, density=3)
    # the lensmaker's equation of a thick lens; its principal planes are f (n - 1) d / (n R) inside
    focal = 1 / ((n - 1) * (2 / radius - (n - 1) * thickness / (n * radius**2)))
    inside = focal * (n - 1) * thickness / (n * radius)
    image = 1 / (1 / focal - 1 / (100 + inside))
    names = (
        "nominal_focal_length",
        "object_distance",
        "image_distance",
        "principal_image_distance",
        "magnification",
    )
    values = [
        number(m, "value")
        for m in ask(context, tools.measure_xml, "; ".join(f"{name}(Thick)" for name in names))
    ]
    assert values == pytest.approx(
        [focal, 100, image - inside, image, -image / (100 + inside)], rel=1e-6
    )


def test_a_graded_rod_with_few_rays() -> None:
    path = (Vertex(0, -15), Vertex(30, -15), Vertex(30, 15), Vertex(0, 15))
    rod = GrinGlass(
        path=path, ref_index_fn=r"1.6-0.001\cdot y^2", partial_reflect=False, name="Rod"
    )
    context = traced(
        Beam(p1=Point(-20, -1), p2=Point(-20, 1), brightness=0.5, name="Laser"), rod, density=4
    )
    g = math.sqrt(2 * 0.001 / 1.6)
    exact = [1 / (1.6 * g * math.sin(30 * g)), 1 / (1.6 * g * math.tan(30 * g))]
    values = [
        number(m, "value")
        for m in ask(context, tools.measure_xml, "focal_length(Rod); back_focal_length(Rod)")
    ]
    assert values == pytest.approx(exact, rel=1e-6)


THICK = SphericalLens(
    p1=Point(0, -25),
    p2=Point(0, 25),
    def_by="DR1R2",
    params={"r1": 60.0, "r2": -90.0, "d": 15.0},
    ref_index=1.6,
    name="Optics",
)
CONCAVE = ArcMirror(p1=Point(50, -30), p2=Point(50, 30), p3=Point(60, 0), name="Optics")
CONVEX = ArcMirror(p1=Point(60, -30), p2=Point(60, 30), p3=Point(50, 0), name="Optics")


@pytest.mark.parametrize(
    "optics", [THICK, CONCAVE, CONVEX], ids=["lens", "concave mirror", "convex mirror"]
)
@pytest.mark.parametrize(
    "start",
    [(-200.0, 0.0), (-20.0, 0.0), (-200.0, 1.5), None],
    ids=["on the axis", "inside the focus", "off the axis", "parallel"],
)
@pytest.mark.parametrize("rays", [2, 3])
def test_two_wide_rays_image_paraxially(
    optics: object, start: tuple[float, float] | None, rays: int
) -> None:
    def light(reach: float, count: int) -> list[SingleRay]:
        heights = np.linspace(-reach, reach, count)
        if start is None:
            return [
                SingleRay(p1=Point(-40, y), p2=Point(-39, y + 0.01), name="Fan")
                for y in heights.tolist()
            ]
        x, y = start
        return [SingleRay(p1=Point(x, y), p2=Point(50, h), name="Fan") for h in heights.tolist()]

    names = ["image_distance", "principal_image_distance"] + (
        ["magnification"] if start else ["back_focal_length", "focal_length"]
    )
    measures = "; ".join(f"{name}(Optics)" for name in names)

    def values(reach: float, count: int) -> list[float]:
        return [
            number(m, "value")
            for m in ask(traced(*light(reach, count), optics), tools.measure_xml, measures)
        ]

    assert values(12, rays) == pytest.approx(values(0.2, 15), rel=5e-3)


def test_rays_of_an_image() -> None:
    context = traced(fan(200), replace(THICK, partial_reflect=True), density=3)
    with override_context(context):
        answer = image("Optics")
    assert answer.rays is not None
    found, result = answer.rays.rows, context.result
    assert len(found) > 5
    assert (result.p2[found, 0] > result.p1[found, 0]).all()
    assert set(result.source[found].tolist()) == {0}
    paths = {tuple(result.interaction[result.lineage.path(row)].tolist()) for row in found.tolist()}
    assert len(paths) == 1


def test_the_sentence_tells_the_magnification() -> None:
    with override_context(traced(PointSource(x=-120, y=-35, name="Lamp"), LENS, density=20)):
        assert "inverted, magnification -0.5" in image("Lens").sentence


def test_only_sources_are_accepted() -> None:
    with (
        override_context(traced(PointSource(x=-120, y=-35, name="Lamp"), LENS)),
        pytest.raises(RaybenchError, match=r"Sources: Lamp$"),
    ):
        find_rays(source="Lens")


def test_a_spot_of_one_ray() -> None:
    laser = Beam(p1=Point(0, -5), p2=Point(0, 5), brightness=0.05, name="Laser")
    thin, dense = traced(laser, SCREEN, density=0.1), traced(laser, SCREEN, density=1)
    for tool, arguments in (
        (tools.spot_xml, ("Screen",)),
        (tools.measure_xml, ("width(Screen)",)),
        (tools.detector_xml, ()),
    ):
        (one,), (many,) = ask(thin, tool, *arguments), ask(dense, tool, *arguments)
        why = one.attrib["note" if tool is tools.detector_xml else "reason"]
        assert why.startswith("The light at 'Screen' is a single ray, which has no width. Use a hi")
        assert "note" not in many.attrib
    (centroid,) = ask(thin, tools.measure_xml, "centroid(Screen)")
    assert "note" not in centroid.attrib
    lens = replace(LENS, p1=Point(50, -30), p2=Point(50, 30))
    (arriving,) = ask(traced(laser, lens, density=0.1), tools.measure_xml, "arriving_width(Lens)")
    assert arriving.attrib["reason"].startswith(
        "The strongest bundle that arrives at 'Lens' is a single ray."
    )
    with override_context(thin):
        assert spot("Screen").sentence.startswith("The light at 'Screen' is a single ray")


@pytest.mark.parametrize("n", [1.333, 1.5])
def test_apparent_depth_of_a_grazing_lamp(
    n: float,
) -> None:
    """d / n (Hecht, section 4.4): the light of all angles up to the critical one leaves in one
    bundle, whose outermost rays graze.
    """
    water = Glass(
        name="Water",
        path=(Vertex(-200, 0), Vertex(200, 0), Vertex(200, 120), Vertex(-200, 120)),
        ref_index=n,
    )
    fish = PointSource(name="Fish", x=0, y=60, brightness=1)
    document = Document(
        scene=Scene.of([fish, water], Settings(ray_mode_density=10, max_ray_depth=30))
    )
    (found,) = measure_values("image_distance(Water, Fish)", document, trace(document, threads=1))
    assert found.value == pytest.approx(-60 / n, abs=2e-3)
