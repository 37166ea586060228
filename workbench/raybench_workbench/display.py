"""Checks whether a window can be opened, since Qt ends the program if it cannot."""

import os
import re
import shutil
import socket
import subprocess
import sys
from pathlib import Path

MISSING_LIBRARY = re.compile(
    r"[\w.+-]+\.so[.\d]*(?= => not found|: cannot open shared object file)"
)
ANSWER_S = 5.0
FIRST_PORT, LAST_PORT = 6000, 65535
"""The TCP port of display 0, and the largest there is."""


def paint_offscreen() -> None:
    """Make Qt paint into memory and not on the display that the environment names. Call this before
    Qt starts.
    """
    os.environ["QT_QPA_PLATFORM"] = "offscreen"


def display_problem() -> str:
    """The reason why no window can be opened, with the remedy; empty if one can be opened, or if
    only Qt can tell.
    """
    if sys.platform in ("win32", "darwin"):
        return ""
    platforms = os.environ.get("QT_QPA_PLATFORM", "").split(";")
    if platforms == [""]:
        platforms = [
            name
            for name, variable in (("wayland", "WAYLAND_DISPLAY"), ("xcb", "DISPLAY"))
            if os.environ.get(variable)
        ]
    problems = [_display_problem(name.partition(":")[0]) for name in platforms]
    return "" if "" in problems else " ".join(problems)


def _display_problem(platform: str) -> str:
    from PySide6.QtCore import QLibraryInfo, QPluginLoader

    folder = Path(QLibraryInfo.path(QLibraryInfo.LibraryPath.PluginsPath), "platforms")
    plugin = folder / f"libq{platform.removesuffix('-egl')}.so"
    if not plugin.exists():
        return f"Qt has no platform {platform!r} here. Unset QT_QPA_PLATFORM."
    loader = QPluginLoader(str(plugin))
    if not loader.load():
        return (
            f"Qt's {platform} plugin cannot be loaded:"
            f" {explain_load_error(plugin, loader.errorString())}."
        )
    display = os.environ.get("DISPLAY", "")
    if platform == "xcb" and not _is_display_reachable(display):
        return f"No X server answers at DISPLAY={display}. Correct or unset it."
    return ""


def explain_load_error(loaded: Path, error: str) -> str:
    """Why a plugin or module cannot be loaded: the missing libraries and the remedy, or ``error``
    itself if it names no library.
    """
    missing = set(MISSING_LIBRARY.findall(error))
    if missing and (ldd := shutil.which("ldd")):
        words = [ldd, str(loaded)]
        listed = subprocess.run(words, capture_output=True, text=True, check=False).stdout
        missing |= {
            name for name in MISSING_LIBRARY.findall(listed) if not name.startswith("libQt")
        }
    if not missing:
        return error
    names = sorted(missing)
    return (
        f"{', '.join(names)} {'are' if len(names) > 1 else 'is'} missing. On Debian and Ubuntu: apt"
        f" install {' '.join(map(debian_package, names))}"
    )


def debian_package(library: str) -> str:
    """The Debian package of a shared library, by the naming rule of Debian's policy (8.1):
    ``libGL.so.1`` is in ``libgl1``.
    """
    if re.match(r"libg(lib|thread|object|module|io)-2\.0\.so", library):
        return "libglib2.0-0"
    name, _, version = library.lower().partition(".so.")
    return f"{name}-{version}" if name[-1:].isdigit() else f"{name}{version}"


def _is_display_reachable(display: str) -> bool:
    """Whether a server listens for an X display, on a local socket or over TCP."""
    host, _, number = display.rpartition(":")
    screen = number.partition(".")[0]
    if not screen.isdecimal() or len(screen) > len(str(LAST_PORT)):
        return False
    if host not in ("", "unix"):
        port = FIRST_PORT + int(screen)
        # the C library takes larger numbers modulo 65536
        return port <= LAST_PORT and _is_server_listening((host.strip("[]"), port))
    return any(_is_server_listening(f"{start}/tmp/.X11-unix/X{screen}") for start in ("", "\0"))


def _is_server_listening(address: str | tuple[str, int]) -> bool:
    try:
        if isinstance(address, tuple):
            socket.create_connection(address, ANSWER_S).close()
        else:
            with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as there:
                there.settimeout(ANSWER_S)
                there.connect(address)
    except OSError:
        return False
    return True
