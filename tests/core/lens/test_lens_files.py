import dataclasses
import math
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.core.lens.lenses import MIXED, RELAY, TRIPLET

from raybench.lens.agf import read_glass_catalogue
from raybench.lens.clearance import clear_semi_diameters
from raybench.lens.formats import read_lens, write_lens
from raybench.lens.glass import ModelGlass
from raybench.lens.lens_file import LensFileError
from raybench.lens.paraxial import first_order
from raybench.lens.prescription import Prescription, Surface, Wavelength

ENDINGS = (".zmx", ".seq", ".len")
SYSTEMS = {"triplet": TRIPLET, "mixed": MIXED, "relay": RELAY}


@pytest.mark.parametrize("name", SYSTEMS)
def test_zemax_file_holds_everything(name: str) -> None:
    data, omitted = write_lens(SYSTEMS[name], "a.zmx")
    assert omitted == ()
    assert read_lens(data, "a.zmx").system == SYSTEMS[name]


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("name", SYSTEMS)
def test_lens_comes_back_with_its_light(name: str, ending: str) -> None:
    system = SYSTEMS[name]
    file = read_lens(write_lens(system, "a" + ending)[0], "a" + ending)
    before, after = first_order(system), first_order(file.system)
    assert after.focal_length == pytest.approx(before.focal_length, rel=1e-8)
    assert after.entrance_diameter == pytest.approx(before.entrance_diameter, rel=1e-8)
    shapes = [(s.radius, s.thickness, s.semi_diameter, s.aspheric) for s in file.system.surfaces]
    assert shapes == [(s.radius, s.thickness, s.semi_diameter, s.aspheric) for s in system.surfaces]
    assert file.system.stop == system.stop
    assert file.unmatched == {}


def test_what_a_format_cannot_hold_is_told() -> None:
    _, omitted = write_lens(MIXED, "a.len")
    assert omitted == ("Weights and vignetting factors of fields.",)
    with pytest.raises(LensFileError, match="Surface 1 has a term of y²"):
        write_lens(TRIPLET.with_surface(0, aspheric=(1e-4,)), "a.seq")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-8-sig", "latin-1"])
def test_encodings_of_zemax_files_are_read(encoding: str) -> None:
    text = write_lens(dataclasses.replace(TRIPLET, title="Objektiv für 1 µm"), "a.zmx")[0].decode()
    file = read_lens(text.encode(encoding), "a.zmx")
    assert file.system.title == "Objektiv für 1 µm"


def test_unknown_glass_is_kept_with_similar_names_until_one_is_chosen() -> None:
    text = write_lens(TRIPLET, "a.zmx")[0].decode()
    text = text.replace("___BLANK 1 0 1.62004 36.37", "H-F2X 0 0 1.62004 36.37")
    file = read_lens(text.encode(), "a.zmx")
    assert file.system.surfaces[2].glass == "H-F2X"
    assert "F2" in file.unmatched["H-F2X"].similar_names
    assert file.stated["H-F2X"] == ModelGlass(1.62004, 36.37)
    chosen = file.with_glasses({"H-F2X": "F2"})
    assert chosen.system.surfaces[2].glass == "F2"
    assert chosen.unmatched == {}


def test_other_programs_words_are_listed_or_refused() -> None:
    text = write_lens(TRIPLET, "a.zmx")[0].decode()
    odd = text.replace("TYPE STANDARD", "TYPE TOROIDAL", 2).replace("DISZ 6", "COAT AR\n  DISZ 6")
    assert read_lens(odd.encode(), "a.zmx").omitted == (
        "Surface 2: a coating.",
        "Surface 1: its shape 'TOROIDAL'; it is read as a sphere or conic of its radius.",
    )
    tilted = text.replace("TYPE STANDARD", "TYPE COORDBRK\n  PARM 3 12").replace(
        "TYPE COORDBRK\n  PARM 3 12", "TYPE STANDARD", 1
    )
    with pytest.raises(LensFileError, match="tilts or decentres"):
        read_lens(tilted.encode(), "a.zmx")
    with pytest.raises(LensFileError, match="non-sequential"):
        read_lens(b"MODE NSC\nSURF 0\n", "a.zmx")


def test_code_v_sequence_as_that_program_writes_it() -> None:
    text = """RDM;LEN       "VERSION: 11.3"       "LENS VERSION: 51"
TITLE 'Doublet; cemented'
EPD   20.0 ; DIM   M ! mm
WL    656.27 587.56 486.13
REF   2
WTW   1 2 1
XAN   0.0 0.0
YAN   0.0 1.5
SO    0.0 0.1e14
S     61.47 &
      6.0 NBK7_SCHOTT
  STO
  CIR S1 12.7
S     -44.64 2.5 SF2X_SCHOTT
S     -129.94 95.9; PIM
SI    0.0 0.0
GO
"""
    file = read_lens(text.encode(), "doublet.seq")
    assert file.system.title == "Doublet; cemented"
    assert file.system.surfaces[0].semi_diameter == 12.7
    assert file.system.surfaces[0].glass == "N-BK7"
    assert list(file.unmatched) == ["SF2X"]
    assert file.system.primary_wavelength == 587.56


SEQUENCE = """RDM;LEN
TITLE 'Lens! f/2; fast'
! a remark
EPD 10
WL 656.3 587.6 486.1
YAN 0 5
SO 0 1e13
S 50 5 NBK7_SCHOTT
  STO
S -50 46
SI 0 -1.5
GO
"""


def test_sequence_commands_act_on_the_surface_that_they_name() -> None:
    tail = "GO\nSTO S2\nCIR S1 6\nCIR S1 EDG 8\nK S1 -1\nGLA S1 N-SF11\nPIK CUY S2 S1 -0.5\nEPD 8\n"
    file = read_lens(SEQUENCE.replace("GO\n", tail).encode(), "a.seq")
    first, second = file.system.surfaces
    assert (first.semi_diameter, first.conic, first.glass) == (6.0, -1.0, "N-SF11")
    assert (second.radius, second.thickness) == (-100.0, 44.5)
    assert (file.system.stop, file.system.aperture.value) == (1, 8.0)
    assert (file.system.title, file.system.notes) == ("Lens! f/2; fast", ("a remark",))
    assert file.omitted == ()
    focused = read_lens(SEQUENCE.replace("S -50 46", "S -50 46\n PIM").encode(), "a.seq").system
    assert len(focused.surfaces) == 2
    assert focused.vertices[-1] - 5 == pytest.approx(first_order(focused).image - 1.5)


@pytest.mark.parametrize(
    ("ending", "old", "new", "sentence"),
    [
        (".seq", "STO\n", "STO\n CYL\n", "Surface 1: CYL, read as a sphere"),
        (".seq", "GO\n", "ZOO 3\n", "Zoom positions"),
        (".seq", "YAN", "XAN 0 3\nYAN", "The x of fields"),
        (".seq", "GO\n", "K -1\n", "The image surface is read as a sphere"),
        (".len", "AST\n", "AST\nCVX 0.03\n", "Surface 4: CVX 0.03, which is not read"),
        (".len", "END", "CFG 2\nTH 60\nEND", "Further configurations"),
        (".zmx", "STOP\n", "STOP\n  QUIRK 5\n", "Surface 4: 'QUIRK', which is not read"),
        (".zmx", "FTYP 0 0", "FTYP 0 1", "Object space is not kept telecentric"),
        (".zmx", "FTYP 0 0", "FTYP 4 0", "Theodolite angles"),
        (".zmx", "FTYP 0 0", "RAIM 0 2 1 1\nFTYP 0 0", "Rays are not aimed at the stop"),
        (".zmx", "SURF 0\n", "SURF 0\n  STOP\n", "The stop at the object"),
        (".zmx", "  STOP\n", "  STOP\n  CLAP 1 4 0\n", "a hole in its aperture of the radius 1"),
    ],
)
def test_what_a_prescription_cannot_hold_is_said(
    ending: str, old: str, new: str, sentence: str
) -> None:
    text = write_lens(TRIPLET, "a" + ending)[0].decode().replace("\r", "")
    text = SEQUENCE if ending == ".seq" else text
    assert old in text
    omitted = read_lens(text.replace(old, new, 1).encode(), "a" + ending).omitted
    assert any(sentence in each for each in omitted), omitted


def test_older_and_rarer_heads_of_zemax_files_are_read() -> None:
    text = write_lens(RELAY, "a.zmx")[0].decode()
    waves = "".join(line for line in text.splitlines(True) if line.startswith("WAVM"))
    old = text.replace(waves, "WAVN 0.4861 0.5876 0.6563\nWWGN 1 2 1\n").replace(
        "  CURV ", "\tCURV\t"
    )
    assert [w.weight for w in read_lens(old.encode(), "a.zmx").system.wavelengths] == [1, 2, 1]
    cone = read_lens(text.replace("OBNA 0.03 0", "OBNA 5 1").encode(), "a.zmx").system
    assert cone.aperture.value == pytest.approx(math.sin(math.radians(5)))
    near = read_lens(text.replace("OBNA 0.03 0", "FNUM 5 0").encode(), "a.zmx")
    assert first_order(near.system).f_number == pytest.approx(5)
    assert "f-number with an object nearby" in near.omitted[0]
    floating = re.sub(r"DIAM \S+ \d", "DIAM 4 0", text.replace("OBNA 0.03 0", "FLOA"))
    assert read_lens(floating.encode(), "a.zmx").system.surfaces[3].semi_diameter == 4


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.zmx", "FTYP INFINITY 0\nSURF 0\nSURF 1\nSURF 2\n"),
        ("a.zmx", "SURF 0\nSURF 1\n  CURV 1e200\nSURF 2\n"),
        ("a.zmx", "SURF 0\nSURF 1\n  CURV INFINITY\nSURF 2\n"),
        ("a.zmx", "SURF 0\nSURF 1\n  TYPE DGRATING\nSURF 2\n"),
        ("a.seq", SEQUENCE.replace("EPD 10", "NA 0")),
        ("a.seq", SEQUENCE.replace("STO", "DIF GRT")),
        ("a.len", "LEN NEW\nNXT\nPK GLA\nNXT\nEND\n"),
        ("a.seq", "RDM N\nSO 0 1e13\nS INFINITY 5\nS 0 9\nPIK CUY S2 S1\nSI 0 0\n"),
        ("a.seq", SEQUENCE.replace("SO 0", "PRV\n'X' LAU\nEND\nSO 0")),
    ],
)
def test_impossible_words_are_refused(name: str, text: str) -> None:
    with pytest.raises(LensFileError):
        read_lens(text.encode(), name)


def test_oslo_file_with_solves_and_pickups() -> None:
    text = """// OSLO 5.00 31567 0 0
LEN NEW "Two lenses" 60 5
EBR 15.0
ANG 0.0000572957795
UNI 1.0
AIR
TH 1.0e+20
AP 9.9999999977e+13
NXT
GLA N-BK7
RD 100.0
TH 5.0
NXT
AIR
TH 1.0
NXT
PK GLA -2
RD 50.0
TH 5.0
NXT
AIR
PU -0.25
PY 0.0
NXT
AIR
TH -0.5
WV 0.6328
WW 1.0
END 5
"""
    file = read_lens(text.encode(), "doublet.len")
    first = first_order(file.system)
    assert first.f_number == pytest.approx(1 / (2 * 0.25))
    assert file.system.surfaces[-1].thickness == pytest.approx(first.back_focus - 0.5)
    assert file.system.surfaces[2].glass == "N-BK7"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "empty"),
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "binary"),
        (b"SURF 0\n  DISZ INFINITY\n", "cut off"),
        (b"SURF 0\nSURF 1\n  CURV\n", "cut off"),
        (b"SURF 0\nSURF 1\n  CURV zero 0\nSURF 2\n", "'zero' is not a number"),
        (b'{"version": 5}', "no lens file"),
    ],
)
def test_damaged_files_are_refused_in_one_line(data: bytes, message: str) -> None:
    with pytest.raises(LensFileError, match=message) as caught:
        read_lens(data, "a.dat")
    assert "\n" not in str(caught.value)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(ENDINGS), st.integers(0, 4000), st.integers(0, 40), st.binary(max_size=12))
def test_changed_files_open_or_are_refused(ending: str, at: int, gone: int, new: bytes) -> None:
    data = write_lens(MIXED, "a" + ending)[0]
    changed = data[: at % len(data)] + new + data[at % len(data) + gone :]
    try:
        assert isinstance(read_lens(changed, "a" + ending).system, Prescription)
    except LensFileError as error:
        assert "\n" not in str(error)  # noqa: PT017


def test_pickups_of_an_oslo_file_reach_the_image() -> None:
    text = write_lens(TRIPLET, "a.len")[0].decode()
    text = text.replace("NXT // SRF 7\nAIR\n", "NXT // SRF 7\nAIR\nPK CVM 1\nPK TH 3 -0.5\nPY 0\n")
    text = text.replace("TH 42.20778", "TH 42.20778\nPK AP 1").replace(
        "RD 22.01359", "RD 22.01359\nAP 9.5"
    )
    file = read_lens(text.encode(), "a.len")
    assert file.system.image_radius == -22.01359
    assert file.system.surfaces[-1].thickness == pytest.approx(42.20778 + 0.99997 - 0.5)
    assert file.system.surfaces[-1].semi_diameter == 9.5
    assert file.omitted == ("Surface 7: the solve PY of the image.",)


def test_indices_that_a_file_states_are_those_of_the_glass() -> None:
    stated = {656.3: 1.61, 587.6: 1.615, 486.1: 1.627}
    private = (
        f"PRV\nPWL {' '.join(map(str, stated))}\n'MINE' {' '.join(map(str, stated.values()))}\n"
    )
    text = SEQUENCE.replace("SO", f"{private}END\nSO", 1).replace("NBK7_SCHOTT", "'MINE'")
    system = read_lens(text.encode(), "a.seq").system
    for ending in (".seq", ".len"):
        data, omitted = write_lens(system, "a" + ending)
        back = read_lens(data, "a" + ending).system
        for wave, index in stated.items():
            assert back.indices(wave)[1] == pytest.approx(index, abs=1e-11)
        assert not any("MINE" in sentence for sentence in omitted)
    assert "MINE is written as its index" in write_lens(system, "a.zmx")[1][0]


def test_placeholder_of_a_zemax_glass_states_no_index() -> None:
    text = write_lens(TRIPLET, "a.zmx")[0].decode()
    text = text.replace("___BLANK 1 0 1.62004 36.37", "H-F2X 0 0 1.5 40.0")
    assert read_lens(text.encode(), "a.zmx").stated == {}


def test_infinite_apertures_are_none() -> None:
    text = write_lens(TRIPLET, "a.zmx")[0].decode().replace("  STOP", "  STOP\n  CLAP 0 INF", 1)
    assert read_lens(text.encode(), "a.zmx").system == TRIPLET


def test_one_wavelength_of_an_oslo_file_holds_no_dispersion() -> None:
    red = dataclasses.replace(TRIPLET, wavelengths=(Wavelength(632.8),))
    _, omitted = write_lens(red, "a.len")
    assert "Surface 3: the dispersion of 1.62004/36.37; the file has one wavelength." in omitted


@pytest.mark.parametrize(
    ("ending", "old", "new"), [(".seq", "REF 1", "REF 9"), (".zmx", "PWAV 1", "PWAV 9")]
)
def test_reference_wavelength_beyond_the_list_is_told(ending: str, old: str, new: str) -> None:
    one = dataclasses.replace(TRIPLET, wavelengths=(Wavelength(632.8),))
    text = write_lens(one, "a" + ending)[0].decode()
    assert old in text
    told = read_lens(text.replace(old, new).encode(), "a" + ending).omitted
    assert told == ("The reference wavelength 9 of 1; the first one is used.",)


def test_glass_catalogue_gives_the_indices_of_its_formulas() -> None:
    text = """CC a catalogue
NM N-BK7 2 517642.251 1.5168 64.17 0 1 -1
ED 7.1 8.3 2.51 -0.0009 0
CD 1.03961212 0.00600069867 0.231792344 0.0200179144 1.01046945 103.560653 0 0 0 0
LD 0.31 2.5
IT 0.4 0.997 25
NM OLD 1 0 1.5 50 0 1
CD 2.2699804 -0.0099250412 0.011028458 0.00016016163 -7.2946112e-6 5.2938186e-7
LD 0.365 1.014
NM ODD 99 0 1.5 50 0 1
CD 1 2
LD 0.4 0.7
"""
    glasses, problems = read_glass_catalogue(text.encode(), "Test")
    assert [g.name for g in glasses] == ["N-BK7", "OLD"]
    assert problems == ("ODD: its dispersion formula 99 is not known",)
    assert glasses[0].n_d == pytest.approx(1.5168, abs=1e-5)
    assert glasses[0].v_d == pytest.approx(64.17, abs=0.01)
    w = 0.5875618
    schott = (
        (2.2699804 - 0.0099250412 * w**2 + 0.011028458 / w**2 + 0.00016016163 / w**4)
        - 7.2946112e-6 / w**6
        + 5.2938186e-7 / w**8
    )
    assert glasses[1].n_d == pytest.approx(math.sqrt(schott), abs=1e-9)
    assert math.exp(-float(glasses[0].absorption(400.0)) * 25) == pytest.approx(0.997)
    with pytest.raises(LensFileError, match="no glasses"):
        read_glass_catalogue(b"CC nothing\n", "Test")


def test_every_formula_number_of_catalogues_gives_an_index() -> None:
    rows = {
        2: "1.0396 0.006 0.2318 0.02 1.0105 103.56",
        3: "1.51 0.004 0 -0.003 0 0",
        4: "0.0 1.27 0.0096 1.0 100",
        5: "1.5 0.004 0.0005",
        6: "1.0396 0.006 0.2318 0.02 1.0105 103.56 0 1",
        7: "2.27 0.011 0.01 0.0095",
        8: "1.6 0.67 0.02 0.0095",
        9: "1.9 0.37 0.02 0.9 100",
        10: "2.27 -0.0099 0.011 0.00016 0 0 0 0",
        11: "1.0396 0.006 0.2318 0.02 1.0105 103.56 0 1 0 1",
        12: "2.27 -0.0099 0.011 0.00016 0 0 0 0",
        13: "2.27 -0.0099 0 0.011 0.00016 0 0 0 0",
    }
    text = "".join(f"NM G{k} {k} 0 1.5 60 0 1\nCD {c}\nLD 0.4 0.8\n" for k, c in rows.items())
    glasses, problems = read_glass_catalogue(text.encode(), "Test")
    assert problems == ()
    assert all(1.4 < (g.n_d or 0) < 1.7 for g in glasses), [(g.name, g.n_d) for g in glasses]


def test_surface_without_semi_diameter_floats() -> None:
    assert clear_semi_diameters(TRIPLET)[0] > 5.0
    assert Surface().semi_diameter is None


def test_indices_at_an_impossible_wavelength_are_refused() -> None:
    text = write_lens(TRIPLET, "a.len")[0].decode()
    waves = next(line for line in text.splitlines() if line.startswith("WV "))
    broken = text.replace(waves, "WV 1e-200 " + waves.partition(" ")[2].partition(" ")[2])
    with pytest.raises(LensFileError, match="wavelength from 1 nm"):
        read_lens(broken.encode(), "a.len")


def test_private_glasses_and_pickups_as_code_v_itself_writes_them() -> None:
    text = SEQUENCE.replace("NBK7_SCHOTT", "'E48'").replace(
        "SI 0 -1.5\n",
        "S 0 1\nSI 0 0\nPIK RDY S3 Z1 RDY S1 Z1\nPIK THI S2 Z1 THI S1 Z1 -1.0 50\n"
        "PRV\n  PWL 656.3 587.6&\n   486.1\n  'E48' 1.5286 1.5312&\n   1.5378\n"
        "  'NOA' LAU 2.36390625 0.0 0.025493134 -0.000580235\nEND\n",
    )
    file = read_lens(text.encode(), "a.seq")
    assert [s.radius for s in file.system.surfaces] == [50, -50, 50]
    assert [s.thickness for s in file.system.surfaces] == [5, 45, 1]
    assert file.system.indices(587.6)[1] == pytest.approx(1.5312, abs=1e-12)
    assert file.omitted == ()
    file = read_lens(text.replace("5 'E48'", "5 NOA").encode(), "a.seq")
    squared = 2.36390625 + 0.025493134 / 0.55**2 - 0.000580235 / 0.55**4
    assert file.system.indices(550)[1] == pytest.approx(squared**0.5, abs=1e-12)
    other = read_lens(text.replace("5 'E48'", "5 NOA").replace("LAU", "GMS").encode(), "a.seq")
    assert list(other.unmatched) == ["NOA"]
    assert "The formula GMS of the private glass NOA." in other.omitted


def test_a_sequence_without_radius_mode_states_curvatures() -> None:
    text = "tit 'Landscape'\ndim m\nso 0 1e10\ns 0 1.6\nstop\ns -0.2 0.2 NBK7_SCHOTT ! a\ns 0 9\nsi 0 0\nepd 1; wl 550\n"
    file = read_lens(text.encode(), "a.seq")
    assert (file.system.surfaces[1].radius, file.system.stop) == (-5, 0)
    assert file.omitted == ("The file states no RDM; its surfaces are read by their curvatures.",)


def test_media_and_apertures_as_oslo_itself_writes_them() -> None:
    text = """// OSLO 6.6 58447     0     0
LEN NEW "No name" 100 4
EBR 5.0
ANG 1.0
DES "OSLO"
UNI 1.0
AIR
TH 1.0e+20
NXT  // SRF 1
WV 0.58756 0.48613 0.65627
GLA MOD MODEL1      1.6201 1.6272360458395 1.6169694895481
RD 200.0
TH 10.0
AP CHK 0.0
TCE 236.0
NXT  // SRF 2
GLA 1.5
RD -100
TH 4
AST
NXT  // SRF 3
AIR
TH 90
NXT
AIR
WV 0.58756 0.48613 0.65627
WW 1.0 1.0 1.0
END  4
"""
    file = read_lens(text.encode(), "a.len")
    first, second, _ = file.system.surfaces
    assert file.omitted == ()
    assert first.semi_diameter is None
    assert file.system.indices(486.13)[1:3] == pytest.approx([1.6272360458395, 1.5], abs=1e-12)
    assert second.glass == ModelGlass(1.5)
    abbe = text.replace("MODEL1      1.6201 1.6272360458395 1.6169694895481", "MODEL1 1.62 60.3")
    assert read_lens(abbe.encode(), "a.len").system.surfaces[0].glass == ModelGlass(1.62, 60.3)
    with pytest.raises(LensFileError, match="surface 1 is a perfect lens"):
        read_lens(text.replace("TCE 236.0", "PFL 100").encode(), "a.len")


def test_the_merit_function_behind_the_surfaces_is_one_sentence() -> None:
    text = write_lens(TRIPLET, "a.zmx")[0].decode().rstrip() + "\nEFLY 1 12 0\nTRAC 0 1 0\n"
    omitted = read_lens(text.encode(), "a.zmx").omitted
    assert [each for each in omitted if "Surface" in each] == []
    assert "The merit function and what else follows the surfaces." in omitted


def test_oslo_holds_a_general_asphere_that_its_standard_one_does_not() -> None:
    terms = (1e-4, 2e-6, 0.0, 4e-10, 5e-12, 6e-14, 7e-16)
    data, omitted = write_lens(TRIPLET.with_surface(0, aspheric=terms), "a.len")
    assert "\nASP ASR 7\nAS1 0.0001\nAS2 2e-06\nAS3 0" in data.decode()
    assert omitted == ()
    file = read_lens(data, "a.len")
    assert file.system.surfaces[0].aspheric == terms
    assert file.omitted == ()
    other = read_lens(data.replace(b"ASP ASR", b"ASP ARA"), "a.len")
    assert "Surface 1: the aspheric type ARA 7." in other.omitted
    assert other.system.surfaces[0].aspheric == ()


def test_a_wavelength_that_is_stated_twice_gives_one_index() -> None:
    text = SEQUENCE.replace("SO 0", "PRV\nPWL 500 500 600\n'X' 1.6 1.6 1.59\nEND\nSO 0")
    system = read_lens(text.replace("NBK7_SCHOTT", "'X'").encode(), "a.seq").system
    assert system.indices(500)[1] == pytest.approx(1.6, abs=1e-9)
