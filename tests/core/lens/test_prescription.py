import dataclasses
import math

import pytest
from tests.core.lens.lenses import CROWN, MIXED, TRIPLET

from raybench.lens.clearance import edge_thicknesses
from raybench.lens.glass import AIR, ModelGlass, UnmatchedGlass, glass_from_code, match_glass
from raybench.lens.paraxial import first_order
from raybench.lens.prescription import (
    Aperture,
    ApertureKind,
    Field,
    FieldKind,
    InvalidPrescription,
    Prescription,
    Surface,
)
from raybench.materials import database
from raybench.materials.catalogue import UnknownMaterial


def test_scaled_lens_has_scaled_focal_length_and_the_same_angles() -> None:
    double, before = first_order(MIXED.scaled(2.0)), first_order(MIXED)
    assert double.focal_length == pytest.approx(2 * before.focal_length)
    assert double.f_number == pytest.approx(before.f_number)
    front, scaled = MIXED.surfaces[0], MIXED.scaled(2.0).surfaces[0]
    assert scaled.sag(8.0) == pytest.approx(2 * front.sag(4.0))


def test_reversed_lens_keeps_focal_length_and_swaps_its_focal_distances() -> None:
    turned = TRIPLET.reversed(0, 5)
    assert first_order(turned).focal_length == pytest.approx(first_order(TRIPLET).focal_length)
    assert first_order(turned).back_focus == pytest.approx(-first_order(TRIPLET).front_focus)
    assert turned.stop == 2
    assert turned.reversed(0, 5) == TRIPLET


def test_split_cement_is_two_surfaces_with_air() -> None:
    split = MIXED.with_split_cement(1, 0.5)
    assert [s.glass for s in split.surfaces[:3]] == ["N-BK7", AIR, ModelGlass(1.72, 28.5)]
    assert split.surfaces[1].thickness == 0.5
    with pytest.raises(InvalidPrescription, match="no glass on both sides"):
        TRIPLET.with_split_cement(0, 1.0)


def test_edge_thickness_is_what_the_sags_leave() -> None:
    lens = Prescription(
        (Surface(50.0, 6.0, CROWN, 15.0), Surface(-50.0, 40.0, AIR, 12.0)),
        aperture=Aperture(ApertureKind.PUPIL, 10.0),
    )
    sag = 50 - math.sqrt(50**2 - 15**2)
    assert edge_thicknesses(lens) == pytest.approx((6 - 2 * sag,))


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"surfaces": ()}, "at least one surface"),
        ({"surfaces": (Surface(0.0),)}, "infinite radius"),
        ({"surfaces": (Surface(5.0, math.nan),)}, "thickness nan"),
        ({"surfaces": (Surface(semi_diameter=-1.0),)}, "semi-diameter"),
        ({"stop": 9}, "there are 6"),
        ({"fields": (Field(95.0),)}, "Stay below 90"),
        ({"field_kind": FieldKind.OBJECT_HEIGHT}, "no height"),
        ({"aperture": Aperture(ApertureKind.OBJECT_NA, 0.1)}, "no numerical aperture"),
        ({"aperture": Aperture(ApertureKind.STOP)}, "no semi-diameter"),
        ({"primary": 5}, "primary"),
    ],
)
def test_impossible_values_are_refused_with_their_place(
    values: dict[str, object], message: str
) -> None:
    with pytest.raises(InvalidPrescription, match=message):
        dataclasses.replace(TRIPLET, **values)


def test_glass_is_matched_or_its_neighbours_are_offered() -> None:
    assert match_glass("nbk7") == "N-BK7"
    unknown = match_glass("S-BSL7X", ModelGlass(1.51633, 64.14))
    assert isinstance(unknown, UnmatchedGlass)
    assert "N-BK7" in unknown.similar_names
    with pytest.raises(UnknownMaterial):
        TRIPLET.with_surface(0, glass="S-BSL7X").indices(587.6)


@pytest.mark.skipif(not database.is_database_installed(), reason="needs the extra materials")
def test_glass_of_a_maker_is_matched_by_its_name_alone() -> None:
    assert match_glass("N-LAK21") == "SCHOTT-optical/N-LAK21"
    assert match_glass("NLAK21", ModelGlass(1.6405, 60.1)) == "SCHOTT-optical/N-LAK21"
    assert isinstance(match_glass("N-LAK21", ModelGlass(1.7, 60.1)), UnmatchedGlass)
    several = match_glass("F5")
    assert isinstance(several, UnmatchedGlass)
    assert {"CDGM-optical/F5", "SCHOTT-optical/F5"} <= set(several.similar_names)
    assert match_glass("F5", makers=["SCHOTT"]) == "SCHOTT-optical/F5"


def test_glass_code_is_a_model_glass() -> None:
    assert glass_from_code("517642") == ModelGlass(1.517, 64.2)
    assert glass_from_code("516800.641672") == ModelGlass(1.5168, 64.1672)
    assert glass_from_code("SK16") is None
