"""Lenses as their designers and makers published them, in files as lens programs write them: what is
read has the focal length and the back focus that the source states.
"""

import json
from dataclasses import dataclass
from pathlib import Path

import pytest

from raybench.lens.formats import read_lens, write_lens
from raybench.lens.lens_file import LensFileError
from raybench.lens.opening import open_lens, read_lens_file
from raybench.lens.paraxial import first_order
from raybench.lens.prescription import Prescription
from raybench_workbench.cli import main

FOLDER = Path(__file__).parent / "published"


@dataclass(frozen=True)
class Published:
    """What the source of a lens states.

    Attributes:
        source: The patent, paper or catalogue.
        focal_length, back_focus, f_number: As stated there, scaled to the file; None where it is not.
        digits: Relative error that the digits of the source's table allow.
    """

    source: str
    focal_length: float
    digits: float
    back_focus: float | None = None
    f_number: float | None = None


LENSES = {
    "triplet_rear_stop.seq": Published(
        "K. Ohshita, JP patent publication H06-235857 (1994), example 2", 100.0, 1e-4, None, 3.54
    ),
    "tessar.len": Published("P. Rudolph, US patent 721,240 (1903)", 100.0, 0.01, None, 5.5),
    "heliar.seq": Published("H. Harting, US patent 716,035 (1902)", 100.0, 2e-3),
    "tronnier_double_gauss.zmx": Published(
        "A. W. Tronnier, US patent 2,673,491 (1954)", 50.0, 3e-4, 50 * 0.71436, 2.0
    ),
    "planar.seq": Published(
        "K.-H. Behrens and E. Glatzel, US patent 3,874,771 (1975), example 5",
        50.0,
        5e-5,
        50 * 0.70993,
        1.4,
    ),
    "sonnar.len": Published(
        "L. Bertele, US patent 1,998,704 (1935), example I", 100.0, 5e-4, None, 2.0
    ),
    "petzval.len": Published("W. Schade, US patent 2,500,046 (1950)", 100.0, 5e-4, 56.5),
    "telephoto.seq": Published(
        "M. H. Kreitzer, US patent 4,359,272 (1982)", 100.0, 3e-3, 18.96, 5.6
    ),
    "skoparex.seq": Published(
        "F. Determann, US patent 2,927,506 (1960), example 1", 35.0, 1e-4, 35 * 1.0493, 3.4
    ),
    "inverted_telephoto.zmx": Published(
        "M. Laikin, Lens Design, table 8.1", 1.181, 2e-3, 2.2253, 3.5
    ),
    "ricoh_gr.zmx": Published(
        "A. Kawamura, US patent 5,760,973 (1998), example 1", 28.1, 5e-4, None, 2.86
    ),
    "hubble.zmx": Published(
        "C. J. Burrows et al., Astrophysical Journal 369, L21 (1991)", 57600.0, 1e-5, 6406.2, 24.0
    ),
    "schmidt.len": Published("Lambda Research, OSLO example schmidt.len", 100.0, 1e-3, None, 1.25),
    "achromat_100.zmx": Published("Thorlabs, catalogue, AC254-100-A", 100.1, 2e-3, 97.1),
    "asphere_100.zmx": Published("Thorlabs, catalogue, AL50100J", 100.0, 1e-4),
}
NOTES = {
    "achromat_100.zmx": ("Surface 1: a coating.", "Surface 3: a coating."),
    "hubble.zmx": (
        "Surface 1: a circular obscuration.",
        "Surface 2: a coating.",
        "Surface 2: a hole in its aperture of the radius 300.",
        "Surface 3: a coating.",
    ),
    "tronnier_double_gauss.zmx": (
        "Rays are not aimed at the stop, as the file asks, but at the paraxial entrance pupil.",
    ),
}
"""What is not read of a file."""


@pytest.mark.parametrize("name", LENSES)
def test_lens_has_the_published_focal_length(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    stated = LENSES[name]
    assert main(["lens", str(FOLDER / name), "--json"]) == 0
    first = json.loads(capsys.readouterr().out)["first_order"]
    assert first["focal_length"] == pytest.approx(stated.focal_length, rel=stated.digits)
    if stated.back_focus is not None:
        assert first["back_focus"] == pytest.approx(stated.back_focus, rel=stated.digits)
    if stated.f_number is not None:
        assert first["f_number"] == pytest.approx(stated.f_number, rel=max(stated.digits, 5e-3))
    file = read_lens((FOLDER / name).read_bytes(), name)
    assert file.omitted == NOTES.get(name, ())


@pytest.mark.parametrize("name", ["tronnier_double_gauss.zmx", "planar.seq", "tessar.len"])
def test_encodings_line_ends_and_endings_give_one_lens(name: str) -> None:
    text = (FOLDER / name).read_text()
    for encoding in ("utf-16", "utf-16-le", "utf-16-be", "utf-8-sig"):
        for end in ("\r\n", "\r"):
            data = text.replace("\n", end).encode(encoding)
            assert read_lens(data, name) == read_lens(text.encode(), name), (encoding, end)
    for other in ("a.zmx", "a.seq", "a.len", "a.txt"):
        assert read_lens(text.encode(), other) == read_lens(text.encode(), name)


@pytest.mark.parametrize("name", LENSES)
def test_cut_file_is_no_shorter_lens(name: str) -> None:
    text = (FOLDER / name).read_text()
    whole = read_lens(text.encode(), name).system
    for end in range(0, len(text), 7):
        try:
            cut = read_lens(text[:end].encode(), name).system
        except LensFileError:
            continue
        assert cut.vertices == whole.vertices, text[end - 60 : end]


@pytest.mark.parametrize("name", LENSES)
def test_lens_opens_on_the_bench(name: str) -> None:
    document, _ = open_lens(FOLDER / name)
    assert document.scene.objects[-1].name == "Image"


@pytest.mark.parametrize("name", LENSES)
def test_other_formats_and_back_lose_nothing_that_is_not_named(name: str) -> None:
    system = read_lens_file(FOLDER / name)[0]
    for ending in (".zmx", ".seq", ".len"):
        data, omitted = write_lens(system, f"lens{ending}")
        file = read_lens(data, f"lens{ending}")
        back = file.with_glasses({n: file.stated[n] for n in file.unmatched}).system
        assert _shapes(back) == _shapes(system)
        assert (back.stop, back.image_radius, back.unit) == (
            system.stop,
            system.image_radius,
            system.unit,
        )
        assert back.primary_wavelength == system.primary_wavelength
        assert file.omitted == ()
        told = " ".join(omitted)
        waves = [w.value for w in system.wavelengths]
        if "Abbe number" not in told:
            for wave in waves:
                assert back.indices(wave) == pytest.approx(system.indices(wave), rel=1e-11)
            before, after = first_order(system), first_order(back)
            assert after.focal_length == pytest.approx(before.focal_length, rel=1e-10), ending
            assert after.entrance_diameter == pytest.approx(before.entrance_diameter, rel=1e-10)
        assert sorted(w.value for w in back.wavelengths) == sorted(waves)
        assert set(system.fields) <= set(back.fields) or "ield" in told, ending
        assert back.title == system.title or "title" in told
        assert back.notes == system.notes or "Remarks" in told


def _shapes(system: Prescription) -> list[tuple[object, ...]]:
    return [
        (s.radius, s.thickness, s.conic, s.aspheric, s.semi_diameter, s.is_mirror, s.comment)
        for s in system.surfaces
    ]
