"""Files of other programs get a sentence that names them, and nothing of them is opened."""

from pathlib import Path

import pytest

from raybench.errors import SceneFileError
from raybench.files.shared import read_shared
from raybench.lens.opening import read_lens_file

FILES = {
    "a.zmx": (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "a PNG picture"),
    "b.json": (b'{"version": 1.0, "surface_group": {"radius": Infinity}}', "a lens of optiland"),
    "c.roa": (b'{"optical_model": {"seq_model": {}}}', "a model of ray-optics"),
    "d.txt": (b"ISO-10303-21;\nHEADER;\n", "a STEP model"),
    "e.zar": (b"\xee\x03\0\0L\0E\0N\0S\0", "an archive of Zemax"),
    "f.seq": (b"<!DOCTYPE html><html>", "a web page"),
    "g.len": (b"%PDF-1.7\n%\xe2\xe3\n", "a PDF document"),
    "h.agf": (b"CC x\nNM N-BK7 2 517642 1.5168 64.17 0 1 -1\nED 1\nCD 1.04 0.006\n", "a glass cat"),
    "i.docx": (b"PK\x03\x04" + b"\0" * 30, "a ZIP archive"),
    "j.lens": (b"lens { radius 5 }", "a lens of another program"),
}


@pytest.mark.parametrize("name", FILES)
def test_file_of_another_program_is_named(name: str, tmp_path: Path) -> None:
    data, what = FILES[name]
    path = tmp_path / name
    path.write_bytes(data)
    for read in (read_shared, read_lens_file):
        with pytest.raises(SceneFileError, match=f"{name}: this is {what}") as caught:
            read(path)
        assert "\n" not in str(caught.value)


def test_lens_with_the_ending_of_a_scene_is_named(tmp_path: Path) -> None:
    texts = {
        ".zmx": "VERS 1\nSURF 0\n  CURV 0\n",
        ".seq": "RDM;LEN\nEPD 5\nSO 0.0 1e13\n",
        ".len": 'LEN NEW "a" 1 2\nTH 1e20\n',
    }
    for ending, text in texts.items():
        path = tmp_path / "lens.txt"
        path.write_text(text)
        with pytest.raises(
            SceneFileError, match=f"text of a lens. Give its file the ending {ending}"
        ):
            read_shared(path)
