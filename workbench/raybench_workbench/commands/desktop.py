"""``raybench desktop``: a menu entry, an icon, and the file type of documents on a Linux desktop
(freedesktop.org).
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from importlib.resources import files
from pathlib import Path, PurePath

from raybench.errors import RaybenchError
from raybench.files.atomic import write_text

MIME_TYPE = "application/x-raybench"
ENTRY_PATH, ICON_PATH, MIME_PATH = (
    "applications/raybench.desktop",
    "icons/hicolor/scalable/apps/raybench.svg",
    "mime/packages/raybench.xml",
)
"""Where the files go below the user's data folder."""
_DESKTOP_ENTRY = """\
[Desktop Entry]
Type=Application
Name=Raybench
GenericName=Ray optics workbench
Comment=Draw and trace two-dimensional scenes of lenses, mirrors and sources, and ask about their light
Exec={command} open %F
Icon=raybench
Terminal=false
Categories=Science;Physics;
MimeType={mime_type};
StartupWMClass=raybench
"""
_MIME_PACKAGE = """\
<?xml version="1.0" encoding="UTF-8"?>
<mime-info xmlns="http://www.freedesktop.org/standards/shared-mime-info">
  <mime-type type="{mime_type}">
    <comment>Raybench document</comment>
    <sub-class-of type="application/json"/>
    <glob pattern="*.raybench"/>
    <icon name="raybench"/>
  </mime-type>
</mime-info>
"""
_NOT_IN_ENTRIES = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
"""Control characters without an escape of their own, and bytes that are no UTF-8."""
_UPDATES = (("update-mime-database", "mime"), ("update-desktop-database", "applications"))
"""Programs that read the new files, with the folder that they are given; menus work without them,
after the next login.
"""
_CACHES = {
    "applications": {"mimeinfo.cache"},
    "mime": {
        "XMLnamespaces",
        "aliases",
        "generic-icons",
        "globs",
        "globs2",
        "icons",
        "magic",
        "mime.cache",
        "subclasses",
        "treemagic",
        "types",
        "version",
    },
}
"""What those programs write into the folders, and leave there when the last entry is gone."""


def change_desktop_entry(options: argparse.Namespace) -> None:
    """Install or remove the menu entry, and print the files. Raises RaybenchError on other systems
    or if the files cannot be written.
    """
    if not sys.platform.startswith("linux"):
        raise RaybenchError(
            "Menu entries are for Linux desktops. Here, make a shortcut to the command raybench."
        )
    folder = user_data_folder()
    try:
        changed = list(
            install_files(folder, launch_command()) if options.install else remove_files(folder)
        )
    except OSError as error:
        why = (
            f"the entry cannot be written ({error.strerror}). Set XDG_DATA_HOME to a folder that"
            " can be written to."
        )
        raise RaybenchError(f"{folder}: {why}") from None
    for path in changed:
        print(f"{'wrote' if options.install else 'removed'} {path}")
    if not changed:
        print("There is no entry to remove.")
    for program, below in _UPDATES:
        if shutil.which(program) and (folder / below).is_dir():
            subprocess.run([program, str(folder / below)], check=False, capture_output=True)
    if options.remove:
        remove_caches(folder)
        remove_empty_folders(folder)


def user_data_folder() -> Path:
    """The user's data folder, by the XDG base directory specification."""
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")


def launch_command() -> str:
    """The command that starts this installation, quoted as in a desktop entry."""
    program = Path(sys.argv[0])
    installed = (
        str(program.resolve())
        if program.name == "raybench" and program.is_file()
        else shutil.which("raybench")
    )
    return quote_command([installed] if installed else [sys.executable, "-m", "raybench_workbench"])


def quote_command(words: Sequence[str]) -> str:
    """The words of a command quoted for a desktop entry. Raises RaybenchError for characters that
    are not allowed there.
    """
    for word in words:
        if _NOT_IN_ENTRIES.search(word):
            raise RaybenchError(
                f"{word}: no desktop entry can hold this name. Install Raybench in a folder with an"
                " ordinary name."
            )
    return " ".join(map(_quote_exec_word, words))


def install_files(folder: Path, command: str) -> Iterator[Path]:
    """Write the desktop files below a data folder; yields each file. Raises OSError."""
    texts = {
        ENTRY_PATH: _DESKTOP_ENTRY.format(command=command, mime_type=MIME_TYPE),
        ICON_PATH: (
            files("raybench_resources")
            .joinpath("icons", "raybench.svg")
            .read_text(encoding="utf-8")
        ),
        MIME_PATH: _MIME_PACKAGE.format(mime_type=MIME_TYPE),
    }
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        write_text(path, text)
        yield path


def remove_files(folder: Path) -> Iterator[Path]:
    """Remove the desktop files; yields those that existed. Raises OSError."""
    for path in (folder / name for name in (ENTRY_PATH, ICON_PATH, MIME_PATH)):
        if path.exists():
            path.unlink()
            yield path


def remove_caches(folder: Path) -> None:
    """Remove cache files that were made from the desktop files, in folders that hold nothing else."""
    for below, names in _CACHES.items():
        there = [p for p in (folder / below).rglob("*") if p.is_symlink() or not p.is_dir()]
        if all(p.parent == folder / below and p.name in names for p in there):
            for path in there:
                with suppress(OSError):
                    path.unlink()


def remove_empty_folders(folder: Path) -> None:
    """Remove the folders of the desktop files if they are empty."""
    for name in (ENTRY_PATH, ICON_PATH, f"mime/{MIME_TYPE}", MIME_PATH):
        for above in PurePath(name).parents[:-1]:
            with suppress(OSError):  # missing, or other programs have files in it
                (folder / above).rmdir()


def _quote_exec_word(word: str) -> str:
    """A word quoted for the Exec line of a desktop entry: reserved characters are quoted, a per
    cent sign is doubled, and backslashes are escaped as in any value.
    """
    escaped = re.sub(r'(["`$\\])', r"\\\1", word).replace("%", "%%")
    quoted = f'"{escaped}"' if any(c in " \t\n\"'\\><~|&;$*?#()`" for c in word) else escaped
    return (
        quoted.replace("\\", "\\\\").replace("\n", "\\n").replace("\t", "\\t").replace("\r", "\\r")
    )
