"""Prescriptions that several tests use."""

import math

from raybench.lens.glass import ModelGlass
from raybench.lens.prescription import (
    Aperture,
    ApertureKind,
    Field,
    FieldKind,
    Prescription,
    Surface,
    Wavelength,
)

CROWN, FLINT = ModelGlass(1.62041, 60.32), ModelGlass(1.62004, 36.37)
TRIPLET = Prescription(
    (
        Surface(22.01359, 3.25896, CROWN),
        Surface(-435.76044, 6.00755),
        Surface(-22.21328, 0.99997, FLINT),
        Surface(20.29192, 4.75041),
        Surface(79.6836, 2.95208, CROWN),
        Surface(-18.39533, 42.20778),
    ),
    stop=3,
    aperture=Aperture(ApertureKind.PUPIL, 10.0),
    fields=(Field(0.0), Field(14.0), Field(20.0)),
    title="Triplet",
)
"""A triplet of two crowns and a flint, with the stop at the back of the flint."""

MIXED = Prescription(
    (
        Surface(50.0, 5.0, "N-BK7", 10.0, -1.2, (0.0, 1e-6, -2e-9), comment="front"),
        Surface(-80.0, 3.0, ModelGlass(1.72, 28.5), 9.5),
        Surface(math.inf, 40.0),
        Surface(-200.0, -100.0, conic=-1.0, is_mirror=True),
    ),
    stop=1,
    aperture=Aperture(ApertureKind.F_NUMBER, 8.0),
    fields=(Field(0.0), Field(3.0, 2.0, 0.125, 0.25)),
    wavelengths=(Wavelength(656.27), Wavelength(587.56, 2.0), Wavelength(486.13)),
    primary=1,
    image_radius=-50.0,
    title="Mixed",
)
"""An asphere, cement, a plane and a mirror: what a file of surfaces may hold."""

RELAY = Prescription(
    TRIPLET.surfaces,
    stop=3,
    aperture=Aperture(ApertureKind.OBJECT_NA, 0.03),
    object_distance=200.0,
    field_kind=FieldKind.OBJECT_HEIGHT,
    fields=(Field(0.0), Field(7.0), Field(10.0)),
    unit="cm",
)
"""The triplet with an object nearby."""
