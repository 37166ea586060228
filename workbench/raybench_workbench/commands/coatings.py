"""The command on coatings: ``raybench coating``."""

import argparse
import json

import numpy as np

from raybench.analysis.coated_face import COLUMNS, CoatedFace
from raybench.arrays import Floats
from raybench.errors import RaybenchError
from raybench.optics.interface import check_angle
from raybench.scene.coatings import coating_catalogue, coating_from_json
from raybench_workbench.commands.lenses import write_figure

TABLE_ROWS = 13
"""Rows of a table."""


def report_on_coating(options: argparse.Namespace) -> None:
    """Print what a coating reflects, transmits and absorbs, or write the plot of it; without a
    coating, print the catalogue. Raises RaybenchError.
    """
    if options.coating is None:
        for name, (coating, source) in coating_catalogue().items():
            print(f"{name}: {coating.description}. {source}")
        return
    text = options.coating.strip()
    try:
        written = json.loads(text) if text.startswith("{") else text
    except ValueError as error:
        raise RaybenchError(f"{text[:60]} is no JSON: {error}.") from None
    check_angle(options.angle)
    face = CoatedFace(coating_from_json(written), options.outside, options.index, options.from_body)
    if options.out is not None:
        write_figure(face.figure(options.angle, options.wavelength), "", options)
        return
    wavelength = options.wavelength or face.design_wavelength
    low, high = face.plotted_wavelengths(wavelength)
    waves, angles = np.linspace(low, high, TABLE_ROWS), np.linspace(0.0, 84.0, TABLE_ROWS + 2)
    print(f"{face.coating.title}: {face.coating.description}")
    print(f"index {face.n_out:g} outside, {face.n_in:g} in the body; fractions of power")
    print(f"\nat {options.angle:g}°")
    _print_fractions("nm", waves, face.fractions(waves, np.array([options.angle]))[:, 0])
    print(f"\nat {wavelength:g} nm")
    _print_fractions("°", angles, face.fractions(np.array([wavelength]), angles)[0])


def _print_fractions(unit: str, places: Floats, fractions: Floats) -> None:
    print("".join(f"{title:>9}" for title in (unit, *COLUMNS)))
    for place, row in zip(places.tolist(), fractions.tolist(), strict=True):
        print("".join([f"{place:9.4g}", *(f"{value:9.5f}" for value in row)]))
