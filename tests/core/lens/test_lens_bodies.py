import dataclasses
from pathlib import Path

import numpy as np
import pytest
from tests.core.lens.lenses import MIXED, RELAY, TRIPLET

from raybench.errors import SceneFileError
from raybench.files.shared import read_shared
from raybench.kinds.blockers import Aperture as Screen
from raybench.kinds.glasses import Glass
from raybench.kinds.sources import Beam, SingleRay
from raybench.lens.bodies import conversion_notes, field_sources, lens_objects
from raybench.lens.formats import write_lens
from raybench.lens.glass import AIR, ModelGlass
from raybench.lens.opening import lens_document, read_lens_file
from raybench.lens.paraxial import chief_slope, first_order
from raybench.lens.prescription import (
    Aperture,
    ApertureKind,
    Field,
    FieldKind,
    InvalidPrescription,
    Prescription,
    Surface,
    Wavelength,
)
from raybench.lens.sequential import trace_fan
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.shapes.point import Point
from raybench.trace.trace import trace


@pytest.mark.parametrize(
    ("system", "field", "pupil"),
    [(TRIPLET, TRIPLET.fields[1], 0.8), (MIXED, MIXED.fields[1], 0.9), (MIXED, Field(1.0), -0.7)],
)
def test_ray_through_the_bodies_is_that_of_the_prescription(
    system: Prescription, field: Field, pupil: float
) -> None:
    fan = trace_fan(system, field, system.primary_wavelength, np.array([pupil]))
    slope = chief_slope(system, first_order(system), field.value)
    start = Point(-5.0, -float(fan.y[0, 0] - slope * (fan.x[0, 0] + 5.0)))
    ray = SingleRay(
        p1=start,
        p2=Point(start.x + 1, start.y - slope),
        wavelength=system.primary_wavelength,
    )
    bodies = [
        dataclasses.replace(o, partial_reflect=False) if hasattr(o, "partial_reflect") else o
        for o in lens_objects(system)
    ]
    light = trace(Scene.of((*bodies, ray), Settings(simulate_colors=True)))
    expected = np.stack([fan.x[:-1, 0], -fan.y[:-1, 0]], axis=1)
    assert light.p2[: len(expected)] == pytest.approx(expected, abs=1e-7)


def test_light_of_the_fields_reaches_the_image_at_the_chief_rays() -> None:
    for system in (TRIPLET, RELAY.with_surface(5, thickness=first_order(RELAY).image)):
        document = lens_document(system, "lens")
        light = trace(document)
        image = next(o for o in document.scene.objects if o.name == "Image")
        arrived = light.p2[light.hit == document.scene.index_of(image.key)]
        for field in system.fields:
            fan = trace_fan(system, field, system.primary_wavelength, np.zeros(1))
            assert np.abs(arrived[:, 1] + fan.y[-1, 0]).min() < 0.2


CROWN = ModelGlass(1.5)
WATER = ModelGlass(1.33)
ONE = {"wavelengths": (Wavelength(587.56),), "aperture": Aperture(ApertureKind.PUPIL, 10.0)}
NEAR = ONE | {
    "aperture": Aperture(ApertureKind.OBJECT_NA, 0.05),
    "field_kind": FieldKind.OBJECT_HEIGHT,
    "fields": (Field(1.0),),
}
TURNED = (Surface(thickness=1.5, glass=CROWN), Surface(-50.0, 100.0), Surface(thickness=95.0))
UNUSUAL = {
    "image in glass": Prescription((Surface(50.0, 140.0, CROWN),), **ONE),
    "object in water": Prescription(
        (Surface(thickness=3.0, glass=CROWN), Surface(-20.0, 200.0)),
        object_distance=30.0,
        object_glass=WATER,
        **NEAR,
    ),
    "Mangin mirror": Prescription(
        (
            Surface(-100.0, 5.0, CROWN),
            Surface(-150.0, -5.0, CROWN, is_mirror=True),
            Surface(-100.0, -88.0),
        ),
        **ONE,
    ),
    "Cassegrain": Prescription(
        (
            Surface(-200.0, -70.0, semi_diameter=20.0, is_mirror=True),
            Surface(-90.0, 90.0, semi_diameter=7.0, is_mirror=True),
        ),
        **ONE | {"aperture": Aperture(ApertureKind.PUPIL, 38.0)},
    ),
    "deep front": Prescription(
        (Surface(-10.5, 2.0, CROWN, 10.0), Surface(-14.0, 20.0, AIR, 12.0)),
        **ONE | {"aperture": Aperture(ApertureKind.PUPIL, 18.0)},
    ),
    "pupil before the object": Prescription(TURNED, stop=2, object_distance=180.0, **NEAR),
    "telecentric": Prescription(TURNED, stop=2, object_distance=99.0, **NEAR),
}


@pytest.mark.parametrize("name", UNUSUAL)
def test_light_of_unusual_lenses_arrives_as_in_the_prescription(name: str) -> None:
    system = UNUSUAL[name]
    scene = lens_document(system, name).scene
    bodies = [
        dataclasses.replace(o, partial_reflect=False) if hasattr(o, "partial_reflect") else o
        for o in scene.objects
    ]
    light = trace(Scene.of(bodies, scene.settings))
    arrived = -light.p2[light.hit == len(bodies) - 1, 1]
    fan = trace_fan(system, system.fields[0], 587.56, np.linspace(-1, 1, 41))
    assert len(arrived) >= 13
    assert (
        np.nanmin(fan.y[-1]) - 1e-6 <= arrived.min() <= arrived.max() <= np.nanmax(fan.y[-1]) + 1e-6
    )
    assert np.ptp(arrived) > 0.75 * np.ptp(fan.y[-1][fan.is_clear])


def test_what_the_bench_does_otherwise_is_said() -> None:
    assert "surface 2 stands in the light" in conversion_notes(UNUSUAL["Cassegrain"])[0]
    assert "detector is flat" in conversion_notes(MIXED)[0]
    virtual = dataclasses.replace(RELAY, object_distance=-40.0)
    with pytest.raises(InvalidPrescription, match="virtual"):
        field_sources(virtual)


def test_stop_in_air_is_a_screen() -> None:
    surfaces = (*TRIPLET.surfaces[:4], Surface(thickness=0.0), *TRIPLET.surfaces[4:])
    with_stop = dataclasses.replace(TRIPLET, surfaces=surfaces, stop=4)
    (screen,) = (o for o in lens_objects(with_stop) if isinstance(o, Screen))
    assert screen.p4.y == pytest.approx(first_order(with_stop).stop_semi_diameter)


def test_surfaces_that_cross_are_refused() -> None:
    thin = TRIPLET.with_surface(0, thickness=0.1, semi_diameter=6.0)
    thin = thin.with_surface(1, semi_diameter=6.0)
    with pytest.raises(InvalidPrescription, match="'Surfaces 1 and 2' cross"):
        lens_objects(thin)
    steep = TRIPLET.with_surface(0, semi_diameter=30.0)
    with pytest.raises(InvalidPrescription, match="does not reach a height of 30"):
        lens_objects(steep)


def test_rims_without_a_semi_diameter_end_with_the_glass() -> None:
    thin = TRIPLET.with_surface(0, thickness=0.5)
    front = next(o for o in lens_objects(thin) if o.name == "Surfaces 1 and 2")
    assert isinstance(front, Glass)
    rims = {round(v.x, 6): abs(v.y) for v in front.path if not v.arc}
    assert min(rims) < max(rims) < 0.5
    assert max(rims.values()) < 5.0
    assert conversion_notes(thin) == (
        "The glass ends before the outermost light at surfaces 1 and 2, and cuts it off.",
    )


def test_rays_have_the_same_power_however_small_the_lens() -> None:
    for system in (TRIPLET, TRIPLET.scaled(0.01)):
        document = lens_document(system, "lens")
        beam = next(o for o in document.scene.objects if isinstance(o, Beam))
        density = document.scene.settings.ray_mode_density
        assert beam.brightness / density == pytest.approx(0.5)


def test_sources_fill_the_pupil() -> None:
    beam = field_sources(TRIPLET, (Field(0.0),))[0]
    assert abs(beam.p1.y - beam.p2.y) == pytest.approx(10.0)


def test_lens_file_opens_as_a_scene_with_notes(tmp_path: Path) -> None:
    path = tmp_path / "triplet.zmx"
    text = write_lens(TRIPLET, path.name)[0].decode()
    path.write_text(text.replace("___BLANK 1 0 1.62004 36.37", "H-F2X 0 0 1.62004 36.37"))
    shared = read_shared(path)
    assert shared.path is None
    assert [o.name for o in shared.document.scene.objects][-1] == "Image"
    assert "no glass 'H-F2X' (surface 3)" in shared.notes[0]
    path.write_text(text.replace("___BLANK 1 0 1.62041 60.32", "N-BK7 0 0 1.6 60"))
    assert read_lens_file(path)[0].surfaces[0].glass == "N-BK7"
    path.write_text("SURF 0")
    with pytest.raises(SceneFileError, match="cut off"):
        read_shared(path)


def test_glass_without_data_names_the_way_to_choose_one(tmp_path: Path) -> None:
    path = tmp_path / "doublet.len"
    system = TRIPLET.with_surface(0, glass="N-BK7")
    text = write_lens(system, path.name)[0].decode().replace("GLA N-BK7", "GLA UNKNOWN9")
    path.write_text(text)
    with pytest.raises(SceneFileError, match=r"--glass UNKNOWN9="):
        read_shared(path)
