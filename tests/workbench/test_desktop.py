"""The menu entry of a Linux desktop: what is written, and that it goes away again."""

from __future__ import annotations

import configparser
import os
import re
import shlex
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from raybench.errors import RaybenchError
from raybench_workbench.cli import main, read_arguments
from raybench_workbench.commands.desktop import (
    ENTRY_PATH,
    ICON_PATH,
    MIME_PATH,
    MIME_TYPE,
    _quote_exec_word,
    install_files,
    quote_command,
    remove_empty_folders,
    remove_files,
)

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="for Linux desktops")


def test_installing_writes_an_entry_an_icon_and_a_file_type_and_removing_takes_them_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert main(["desktop", "--install"]) == 0
    entry = configparser.ConfigParser(interpolation=None)
    entry.read(tmp_path / ENTRY_PATH, encoding="utf-8")
    about = entry["Desktop Entry"]
    assert (about["Type"], about["MimeType"]) == ("Application", f"{MIME_TYPE};")
    assert about["Exec"].endswith("open %F")
    assert ET.parse(tmp_path / ICON_PATH).getroot().tag.endswith("svg")
    mime = ET.parse(tmp_path / MIME_PATH).getroot()
    assert [glob.get("pattern") for glob in mime.findall(".//{*}glob")] == ["*.raybench"]
    assert main(["desktop", "--remove"]) == 0
    assert [p for p in tmp_path.rglob("*") if p.is_file() and b"raybench" in p.read_bytes()] == []
    assert not (tmp_path / ICON_PATH).parents[3].exists()
    assert main(["desktop", "--remove"]) == 0
    assert "no entry" in capsys.readouterr().out


def test_the_command_of_the_entry_opens_the_file_that_was_clicked_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert main(["desktop", "--install"]) == 0
    (line,) = [
        line
        for line in (tmp_path / ENTRY_PATH).read_text().splitlines()
        if line.startswith("Exec=")
    ]
    words = shlex.split(line.removeprefix("Exec="))
    given = words[
        next(i for i, word in enumerate(words) if word.endswith(("raybench", "workbench"))) + 1 :
    ]
    assert given[-1] == "%F"
    for files in ([], ["/my scenes/prism.raybench", "lens.json"]):
        options = read_arguments([*given[:-1], *files])
        assert (options.command, options.files) == ("open", files)


def test_removing_leaves_what_other_programs_have_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    other = tmp_path / "applications" / "other.desktop"
    other.parent.mkdir()
    other.write_text("[Desktop Entry]\n")
    assert main(["desktop", "--install"]) == 0
    assert main(["desktop", "--remove"]) == 0
    assert other.exists()
    assert not (tmp_path / "icons").exists()


UPDATE = """\
#!/bin/sh
# what update-desktop-database and update-mime-database leave behind
case $0 in *desktop*) echo > "$1/mimeinfo.cache";; *) mkdir -p "$1/application"; echo > "$1/globs2"; echo > "$1/mime.cache";; esac
"""


@pytest.mark.parametrize("others", [False, True])
def test_removing_leaves_no_caches_unless_others_have_entries(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, others: bool
) -> None:
    for name in ("update-desktop-database", "update-mime-database"):
        (program := tmp_path / "bin" / name).parent.mkdir(exist_ok=True)
        program.write_text(UPDATE)
        program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    data = tmp_path / "share"
    monkeypatch.setenv("XDG_DATA_HOME", str(data))
    assert main(["desktop", "--install"]) == 0
    made = [data / "applications/mimeinfo.cache", data / "mime/globs2", data / "mime/mime.cache"]
    assert all(path.exists() for path in made)
    if others:
        (data / "applications/other.desktop").write_text("[Desktop Entry]\n")
        (data / "mime/packages/other.xml").write_text("<mime-info/>")
    assert main(["desktop", "--remove"]) == 0
    assert all(path.exists() == others for path in made)
    assert others or list(data.iterdir()) == []


def test_a_folder_that_cannot_be_written_is_an_error_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "file"))
    assert main(["desktop", "--install"]) == 1
    assert "XDG_DATA_HOME" in capsys.readouterr().err


def test_words_of_the_command_are_quoted_as_desktop_entries_want_it() -> None:
    assert _quote_exec_word("/opt/raybench") == "/opt/raybench"
    assert _quote_exec_word("/my tools/100%/ray`bench") == '"/my tools/100%%/ray\\\\`bench"'
    assert _quote_exec_word("/a\\b/$HOME") == r'"/a\\\\b/\\$HOME"', (
        "a value is unescaped before its words are"
    )


ODD = ("my tools", "100%", "%f", "$HOME", "`id`", '"', "\\", "\\n", "a;b", "é", "a\nb", "\t", "~")
LETTERS = st.characters(exclude_characters="/\0", exclude_categories=["Cs"])
PATHS = st.lists(
    st.one_of(st.sampled_from(ODD), st.text(LETTERS, min_size=1, max_size=12)), max_size=4
)


def words_of(value: str) -> list[str]:
    """The words of an Exec line as a desktop reads them: escapes of any value, then quotation
    marks, then codes such as %f.
    """
    escapes = {"s": " ", "n": "\n", "t": "\t", "r": "\r", "\\": "\\"}
    value = re.sub(r"\\(.)", lambda m: escapes[m[1]], value)
    words = re.findall(r'"(?:[^"\\`$]|\\["`$\\])*"|[^ \t\n"\'\\><~|&;$*?#()`]+', value)
    assert " ".join(words) == value
    plain = [
        re.sub(r"\\(.)", r"\1", word[1:-1]) if word.startswith('"') else word for word in words
    ]
    assert not any(re.search(r"%[^%fF]", word.replace("%%", "")) for word in plain)
    return [word.replace("%%", "%") for word in plain]


@pytest.mark.long
@settings(max_examples=10_000 if os.environ.get("RAYBENCH_LONG") else 25, deadline=None)
@given(PATHS, PATHS)
def test_an_entry_starts_the_command_wherever_it_lies(parts: list[str], folders: list[str]) -> None:
    command = "/" + "/".join([*(p for p in parts if p not in (".", "..")), "raybench"])
    if re.search(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]", command):
        with pytest.raises(RaybenchError, match="no desktop entry can hold"):
            quote_command([command])
        return
    with TemporaryDirectory() as name:
        folder = Path(name, *(f for f in folders if f not in (".", "..")))
        for path in install_files(folder, quote_command([command, "-m", "raybench_workbench"])):
            assert path.is_relative_to(folder)
        entry = (folder / ENTRY_PATH).read_text(encoding="utf-8")
        assert ET.parse(folder / MIME_PATH).getroot() is not None
        assert len(list(remove_files(folder))) == 3
        remove_empty_folders(folder)
        assert list(folder.iterdir()) == []
    line = next(line for line in entry.split("\n") if line.startswith("Exec="))
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f]", entry)
    assert words_of(line.removeprefix("Exec=")) == [
        command,
        "-m",
        "raybench_workbench",
        "open",
        "%F",
    ]
