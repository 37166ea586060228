"""Detectors: power is positive, signs and rounding noise mislead nobody; every way to a number
gives the same digits.
"""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from asking import ask, number, traced

from raybench.analysis import agentic_tools as tools
from raybench.analysis.context import TracedScene
from raybench.kinds.blockers import Blocker
from raybench.kinds.detectors import Detector
from raybench.kinds.grin import GrinGlass
from raybench.kinds.lenses import IdealLens
from raybench.kinds.mirrors import BeamSplitter
from raybench.kinds.sources import AngleSource, Beam, SingleRay
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.shapes.point import Point, Vertex
from raybench.trace.trace import trace

LASER = Beam(p1=Point(-80, -10), p2=Point(-80, 10), brightness=0.4, name="Laser")
BACK = Beam(p1=Point(150, 10), p2=Point(150, -10), brightness=0.1, name="Back")
SCREEN = Detector(p1=Point(100, -50), p2=Point(100, 50), name="Screen")


def test_a_detector_lit_from_behind() -> None:
    turned = replace(SCREEN, p1=SCREEN.p2, p2=SCREEN.p1)
    (read,) = ask(traced(LASER, turned), tools.detector_xml)
    assert (
        number(read, "power"),
        number(read, "share"),
        number(read, "signed_power"),
    ) == pytest.approx((8, 1, -8))
    for of in ("spectrum", "angles"):
        (only,) = read.find(of)  # type: ignore[misc]
        assert (number(only, "power"), number(only, "signed_power")) == pytest.approx((8, -8))
    (ahead,) = ask(traced(LASER, SCREEN), tools.detector_xml)
    assert not any(
        "signed_power" in e.attrib
        for of in ("spectrum", "angles", "irradiance")
        for e in ahead.find(of) or ()
    )


def test_light_from_both_sides() -> None:
    (read,) = ask(
        traced(LASER, replace(BACK, p1=BACK.p2, p2=BACK.p1, brightness=0.4), SCREEN),
        tools.detector_xml,
    )
    assert number(read, "power") == pytest.approx(8)  # the other beam runs away from the screen
    (read,) = ask(traced(LASER, replace(BACK, brightness=0.4), SCREEN), tools.detector_xml)
    assert (number(read, "power"), number(read, "signed_power")) == (pytest.approx(16), 0)
    (line,) = read.find("spectrum")  # type: ignore[misc]
    assert (number(line, "power"), number(line, "signed_power")) == (pytest.approx(16), 0)


def test_noise_of_rounding_is_nothing() -> None:
    # a beam and a detector that stand at the same odd angle: force and angle are 1e-15 or so, of
    # either sign
    c, s = math.cos(0.3), math.sin(0.3)
    beam = Beam(p1=Point(20 * s, -20 * c), p2=Point(-20 * s, 20 * c), brightness=1.0, name="Laser")
    tilted = Detector(
        p1=Point(90 * c + 50 * s, 90 * s - 50 * c),
        p2=Point(90 * c - 50 * s, 90 * s + 50 * c),
        name="Screen",
    )
    (read,) = ask(traced(beam, tilted), tools.detector_xml)
    assert read.attrib["shear_force"] == "0"
    (angle,) = read.find("angles")  # type: ignore[misc]
    assert (angle.attrib["from"], angle.attrib["to"]) == ("0", "10")
    # rays that stand on the borders of bins are all in the bin after
    rays = [
        SingleRay(p1=Point(0, 0.1 + 0.1 * k), p2=Point(1, 0.1 + 0.1 * k), name=f"Ray {k}")
        for k in range(1, 10)
    ]
    short = Detector(p1=Point(100, 0.1), p2=Point(100, 1.1), name="Screen")
    (read,) = ask(traced(*rays, short), tools.detector_xml, "Screen", 10)
    assert [b.attrib["rays"] for b in read.find("irradiance") or ()] == ["1"] * 9


def test_other_bins_than_a_detector_s_own_are_told() -> None:
    wrong = replace(SCREEN, irrad_map=True, bin_size=1e-9)
    (read,) = ask(traced(LASER, wrong), tools.detector_xml)
    fault = (
        "'Screen' has no irradiance map: binSize is 1e-09, which does not give 1 to 1,000,000 bins"
    )
    assert (read.find("irradiance") or read).attrib["note"] == f"20 equal bins: {fault}"
    (asked,) = ask(traced(LASER, wrong), tools.detector_xml, "Screen", 10)
    assert "note" not in (asked.find("irradiance") or read).attrib
    for name in ("peak_irradiance", "least_irradiance", "uniformity"):
        (measured,) = ask(traced(LASER, wrong), tools.measure_xml, f"{name}(Screen)")
        assert measured.attrib["reason"] == f"{fault}. Set another."


def test_only_bins_with_light() -> None:
    (read,) = ask(traced(LASER, replace(SCREEN, irrad_map=True, bin_size=0.5)), tools.detector_xml)
    places = read.find("irradiance")
    assert places is not None
    assert len(places) == 20 - int(places.attrib.get("left", "0"))
    assert all(int(b.attrib["rays"]) for b in places)
    assert "power_error" not in read.attrib
    random = replace(LASER, random=True, name="Random", p1=Point(-90, -10), p2=Point(-90, 10))
    away = Detector(p1=Point(100, 60), p2=Point(100, 160), name="Away")
    sent = replace(random, p1=Point(-90, 100), p2=Point(-90, 120))
    first, second = ask(traced(LASER, sent, SCREEN, away), tools.detector_xml)
    assert ("power_error" in first.attrib, "power_error" in second.attrib) == (False, True)


def test_power_of_light_too_weak_to_trace_is_told() -> None:
    mirrors = [
        BeamSplitter(p1=Point(x, -30), p2=Point(x, 30), trans_ratio=0.5, name=f"Splitter {x}")
        for x in (0, 20)
    ]
    context = traced(LASER, *mirrors, SCREEN)
    found = ask(context, tools.detector_xml)
    assert number(found, "truncated") == pytest.approx(context.result.ledger.truncated)
    assert number(found, "truncated") > 0


def test_several_detectors_are_told_by_their_headline_numbers() -> None:
    screens = [
        replace(SCREEN, p1=Point(100 + k, -50), p2=Point(100 + k, 50), name=f"Screen {k}")
        for k in range(30)
    ]
    found = ask(traced(LASER, *screens), tools.detector_xml)
    assert int(found.attrib["count"]) == 30 == len(found) + int(found.attrib["left"].split()[0])
    assert found.find("detector/irradiance") is None
    assert (
        ask(traced(LASER, *screens), tools.detector_xml, "Screen 7").find("detector/irradiance")
        is not None
    )


def test_every_way_to_a_number_gives_the_same_digits() -> None:
    """The tools, `measure` and SQL on a tilted detector behind a lens, lit from both sides, and on
    a wall.
    """
    lens = IdealLens(p1=Point(0, -30), p2=Point(0, 30), focal_length=70, name="Lens")
    fan = AngleSource(p1=Point(-120, 7), p2=Point(0, 3), emis_angle=14, brightness=0.7, name="Fan")
    screen = Detector(p1=Point(120, -40), p2=Point(90, 45), name="Screen")
    wall = Blocker(p1=Point(300, -500), p2=Point(300, 500), name="Wall")
    context = traced(LASER, fan, BACK, lens, screen, wall, density=2)

    def measured(*names: str, of: str = "Screen") -> list[str]:
        return [
            m.attrib["value"]
            for m in ask(context, tools.measure_xml, "; ".join(f"{name}({of})" for name in names))
        ]

    names = (
        "power",
        "share",
        "rays",
        "centroid",
        "rms",
        "width",
        "signed_power",
        "normal_force",
        "shear_force",
    )
    (read,) = ask(context, tools.detector_xml)
    assert [read.attrib[name] for name in names] == measured(*names)
    spots = ask(context, tools.spot_xml, "Screen")
    for source in ("", "Laser", "Fan", "Back"):
        spot = next(s for s in spots if s.attrib.get("source", "") == source)
        shared = [name for name in spot.attrib if name not in ("source", "reason", "note")]
        assert [spot.attrib[name] for name in shared] == measured(
            *shared, of=f"Screen, {source}" if source else "Screen"
        )
    lit = ask(context, tools.who_lights_what_xml)
    for obj in lit:
        assert [obj.attrib[name] for name in ("power", "share", "rays")] == measured(
            "power", "share", "rays", of=obj.attrib["name"]
        )
        for one in obj:
            where = f"{obj.attrib['name']}, {one.attrib['source']}"
            assert [one.attrib[name] for name in ("power", "share", "rays")] == measured(
                "power", "share", "rays", of=where
            )
    sql = "SELECT sum(power), count(*) FROM rays WHERE object = 'Screen' AND status <> 'depth'"
    cells = [c.text for c in ask(context, tools.query_rays_xml, sql).iter("cell")]
    assert cells == [read.attrib["power"], read.attrib["rays"]]
    statistics = ask(context, tools.ray_statistics_xml).find("objects/object[@name='Screen']")
    assert statistics is not None
    assert (statistics.attrib["power"], statistics.attrib["count"]) == (
        read.attrib["power"],
        read.attrib["rays"],
    )
    image = next(i for i in ask(context, tools.image_xml, "Lens") if i.attrib["source"] == "Fan")
    shared = [
        name for name in image.attrib if name not in ("source", "kind", "orientation", "reason")
    ]
    assert [image.attrib[name] for name in shared] == measured(*shared, of="Lens, Fan")
    beams = ask(context, tools.beams_xml, "Lens", "Fan")
    (arriving,), (leaving,) = beams.find("arriving"), beams.find("leaving")  # type: ignore[misc]
    told = [
        leaving.attrib[n]
        for n in (
            "direction",
            "deviation",
            "divergence",
            "vergence",
            "width",
            "x",
            "y",
            "power",
            "rays",
        )
    ]
    assert told == measured(
        "direction",
        "deviation",
        "divergence",
        "vergence",
        "beam_width",
        "beam_x",
        "beam_y",
        "beam_power",
        "beam_rays",
        of="Lens, Fan",
    )
    assert [arriving.attrib[n] for n in ("direction", "width")] == measured(
        "arriving_direction", "arriving_width", of="Lens, Fan"
    )


def test_convergence_with_twice_the_rays() -> None:
    n = 20
    context = traced(LASER, SCREEN)
    power, rms = ask(context, tools.convergence_xml, "power(Screen); rms(Screen)")
    assert (
        number(power, "value"),
        number(power, "again"),
        number(power, "moved"),
    ) == pytest.approx((8, 8, 0))
    one, two = (20 / math.sqrt(12) * math.sqrt(1 - 1 / k**2) for k in (n, 2 * n))
    assert (number(rms, "value"), number(rms, "again")) == pytest.approx((one, two))
    assert number(rms, "moved") == pytest.approx(two - one, rel=1e-5)
    assert number(rms, "relative") == pytest.approx((two - one) / two, rel=1e-5)
    found = ask(context, tools.convergence_xml, "centroid(Screen, Laser)")
    assert (found.attrib["rays"], found.attrib["rays_again"]) == ("20", "40")
    assert "reason" not in found.attrib
    assert "caution" not in found.attrib
    assert len(context.result) == 40  # the trace at hand stays as it is
    with pytest.raises(ValueError, match="Nearest: power"):
        ask(context, tools.convergence_xml, "powr(Screen)")


def test_convergence_notes_capped_powers() -> None:
    document = Document(
        scene=Scene.of([replace(LASER, brightness=1000.0), SCREEN], Settings(ray_mode_density=1.0))
    )
    found = ask(
        TracedScene.from_document(document, trace(document)),
        tools.convergence_xml,
        "power(Screen); share(Screen)",
    )
    power, share = found
    assert (number(power, "value"), number(power, "again")) == (20, 40)
    assert number(share, "moved") == pytest.approx(0)
    assert found.attrib["caution"].startswith(
        "more rays emit 40 instead of 20, for a ray carries a power of at most 1"
    )
    assert "share(Screen)" in found.attrib["caution"]


def test_convergence_of_a_direction_is_the_smaller_angle() -> None:
    toward = Point(
        -1000, -1000 * math.tan(math.radians(0.2))
    )  # the mean of more rays is on the other side of 180 degrees
    fan = AngleSource(p1=Point(0, 0), p2=toward, emis_angle=2, brightness=1.0, name="Fan")
    (found,) = ask(traced(fan), tools.convergence_xml, "direction(Fan)")
    assert (number(found, "value"), number(found, "again")) == pytest.approx((-179.92, 179.9))
    assert number(found, "moved") == pytest.approx(-0.18)


def test_convergence_of_unchanged_rays() -> None:
    context = traced(SingleRay(p1=Point(0, 0), p2=Point(1, 0)), SCREEN)
    found = ask(context, tools.convergence_xml, "power(Screen)")
    assert found.attrib["rays"] == found.attrib["rays_again"] == "1"
    assert found.attrib["reason"] == "not comparable: twice the rays are no more than these here"


def test_power_after_an_absorbing_medium() -> None:
    path = (Vertex(0, -20), Vertex(10, -20), Vertex(10, 20), Vertex(0, 20))
    plate = GrinGlass(
        path=path, ref_index_fn="1.5", absorption_fn="0.05", partial_reflect=False, name="Plate"
    )
    beam = Beam(p1=Point(-50, -5), p2=Point(-50, 5), brightness=0.2, name="Laser")
    inside = Detector(p1=Point(5, -20), p2=Point(5, 20), name="Inside")
    dump = Blocker(p1=Point(8, -20), p2=Point(8, 20), name="Dump")
    context = traced(beam, plate, inside, dump)
    names = (
        "power(Inside); signed_power(Inside); power(Dump); absorbed(Dump); absorbed(Plate);"
        " absorbed()"
    )
    values = [number(m, "value") for m in ask(context, tools.measure_xml, names)]
    left, ended = 2 * math.exp(-0.05 * 5), 2 * math.exp(-0.05 * 8)
    assert values == pytest.approx([left, left, ended, ended, 2 - ended, 2])
    (reading,) = ask(context, tools.detector_xml, "Inside")
    assert [number(reading, name) for name in ("power", "signed_power")] == pytest.approx(
        [left, left]
    )
    assert sum(
        number(b, "power") for b in reading.iter("bin") if "power" in b.attrib
    ) == pytest.approx(left)
    rows = ask(
        context,
        tools.query_rays_xml,
        "SELECT object, sum(received) FROM rays GROUP BY object ORDER BY object",
    )
    assert [float(row[1].text or "nan") for row in rows.findall("row")] == pytest.approx(
        [ended, left, 2]
    )
    lit = {o.attrib["name"]: number(o, "power") for o in ask(context, tools.who_lights_what_xml)}
    assert lit == pytest.approx({"Inside": left, "Dump": ended, "Plate": 2})


def test_overlapping_media_share_what_they_absorb() -> None:
    path = (Vertex(0, -20), Vertex(10, -20), Vertex(10, 20), Vertex(0, 20))
    bodies = [
        GrinGlass(path=path, ref_index_fn="1.2", absorption_fn=a, partial_reflect=False, name=name)
        for name, a in (("A", "0.01"), ("B", "0.03"))
    ]
    context = traced(
        Beam(p1=Point(-50, -5), p2=Point(-50, 5), brightness=0.2, name="Laser"), *bodies
    )
    values = [
        number(m, "value")
        for m in ask(context, tools.measure_xml, "absorbed(A); absorbed(B); absorbed()")
    ]
    lost = 2 - 2 * math.exp(-0.4)
    assert values == pytest.approx([lost / 4, 3 * lost / 4, lost])


def test_interference_is_read_in_bins() -> None:
    tilt = math.radians(0.005)
    beams = [
        replace(LASER, coherence_group="one"),
        Beam(
            p1=Point(-80 + 10 * math.sin(tilt), -10 * math.cos(tilt)),
            p2=Point(-80 - 10 * math.sin(tilt), 10 * math.cos(tilt)),
            brightness=0.4,
            coherence_group="one",
        ),
    ]
    scene = traced(*beams, SCREEN)
    (read,) = ask(scene, tools.detector_xml, "Screen", 400, irradiance="coherent")
    (fringes,) = read.findall("fringes")
    assert number(fringes, "spacing") == pytest.approx(540e-6 / math.sin(tilt), rel=1e-5)
    assert number(fringes, "contrast") == pytest.approx(1, abs=1e-5)
    bins = [number(b, "irradiance") for b in read.find("irradiance") or ()]
    assert max(bins) == pytest.approx(1.6, rel=1e-2)
    assert sum(bins) / 4 == pytest.approx(number(fringes, "power"), rel=1e-3)
    with pytest.raises(ValueError, match="read at one detector"):
        ask(
            traced(*beams, SCREEN, replace(SCREEN, name="Other")),
            tools.detector_xml,
            irradiance="coherent",
        )
