"""A display that does not answer is an error in one line, not the end of the process."""

import argparse
import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from raybench_workbench import display
from raybench_workbench.display import display_problem

SYSTEM = Path(__file__).parents[2] / ".ci" / "system"
pytestmark = pytest.mark.skipif(
    sys.platform in ("win32", "darwin"), reason="displays of X11 and Wayland"
)


@pytest.fixture
def environment(monkeypatch):
    for name in ("QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    return monkeypatch


@pytest.mark.parametrize(
    "where", [":4077", "unix:4077.0", "127.0.0.1:50077", "127.0.0.1:99999", "nonsense"]
)
def test_a_dead_display_is_told(environment, where):
    environment.setenv("DISPLAY", where)
    problem = display_problem()
    assert f"at DISPLAY={where}." in problem or "plugin cannot be loaded" in problem


def test_a_display_whose_port_there_is_not_is_no_other_program(environment):
    with socket.create_server(("127.0.0.1", 0)) as other:
        number = other.getsockname()[1] + 65536 - 6000
        environment.setenv("DISPLAY", f"127.0.0.1:{number}")
        problem = display_problem()
    assert f"at DISPLAY=127.0.0.1:{number}." in problem or "plugin cannot be loaded" in problem


def test_all_libraries_that_are_missing_are_named_at_once_with_their_packages(
    tmp_path, monkeypatch
):
    listed = tmp_path / "ldd"
    listed.write_text("#!/bin/sh\necho 'libxkbcommon-x11.so.0 => not found'\necho 'libxcb-shape.so.0 => not found'\n"
                      "echo 'libQt6Core.so.6 => not found'\necho 'libc.so.6 => /lib/libc.so.6 (0x7f)'\n")  # fmt: skip
    listed.chmod(0o755)
    monkeypatch.setattr(display.shutil, "which", lambda name: str(listed))
    error = "libxcb-shape.so.0: cannot open shared object file: No such file or directory"
    said = (
        "libxcb-shape.so.0, libxkbcommon-x11.so.0 are missing. On Debian and Ubuntu: apt install"
        " libxcb-shape0 libxkbcommon-x11-0"
    )
    assert display.explain_load_error(tmp_path, error) == said
    monkeypatch.setattr(display.shutil, "which", lambda name: None)
    assert (
        display.explain_load_error(tmp_path, error)
        == "libxcb-shape.so.0 is missing. On Debian and Ubuntu: apt install libxcb-shape0"
    )
    assert display.explain_load_error(tmp_path, "it is broken") == "it is broken"


@pytest.mark.skipif(not SYSTEM.exists(), reason=".ci/system is in the checkout alone")
def test_the_system_script_names_packages_by_the_same_rule():
    pairs = re.findall(r"(lib[\w.-]+\.so\.\d+):([\w.-]+)", SYSTEM.read_text())
    assert len(pairs) > 12
    assert all(display.debian_package(library) == package for library, package in pairs)


def test_a_server_that_listens_is_one(environment):
    with socket.create_server(("127.0.0.1", 0)) as server:
        assert display._is_display_reachable(f"127.0.0.1:{server.getsockname()[1] - 6000}")


def test_a_platform_that_needs_no_display_has_no_problem(environment):
    environment.setenv("QT_QPA_PLATFORM", "offscreen")
    environment.setenv("DISPLAY", ":4077")
    assert display_problem() == ""
    environment.setenv("QT_QPA_PLATFORM", "xcb;offscreen")
    assert display_problem() == ""


def test_an_unknown_platform_is_told(environment):
    environment.setenv("QT_QPA_PLATFORM", "nonsense")
    assert display_problem() == "Qt has no platform 'nonsense' here. Unset QT_QPA_PLATFORM."


def test_the_program_says_so_in_one_line_and_does_not_abort():
    variables = {
        k: v for k, v in os.environ.items() if k not in ("QT_QPA_PLATFORM", "WAYLAND_DISPLAY")
    } | {"DISPLAY": ":4077"}
    ended = subprocess.run(
        [sys.executable, "-P", "-m", "raybench_workbench"],
        env=variables,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert ended.returncode == 1
    (line,) = ended.stderr.splitlines()
    assert line.startswith("raybench: No window can be opened. ")
    assert line.endswith("raybench tour needs none.")


def test_a_library_that_the_window_system_lacks_is_told_with_its_package(monkeypatch, capsys):
    from raybench_workbench import cli

    def run(options):
        raise ImportError(
            "libEGL.so.1: cannot open shared object file: No such file or directory",
            name="PySide6.QtGui",
            path="/nowhere",
        )

    monkeypatch.setattr(
        cli, "read_arguments", lambda arguments: argparse.Namespace(run=run, debug=False)
    )
    assert cli.main([]) == 1
    said = (
        "raybench: the window system cannot be loaded: libEGL.so.1 is missing. On Debian and"
        " Ubuntu: apt install libegl1.\n"
    )
    assert capsys.readouterr().err == said


def test_any_other_library_that_cannot_be_loaded_is_named_in_one_line(monkeypatch, capsys):
    from raybench_workbench import cli

    def run(options):
        raise ImportError(
            "scipy/_sparsetools.so: failed to map\nsegment from shared object", name="scipy.sparse"
        )

    monkeypatch.setattr(
        cli, "read_arguments", lambda arguments: argparse.Namespace(run=run, debug=False)
    )
    assert cli.main([]) == 1
    said = (
        "raybench: a library cannot be loaded: scipy/_sparsetools.so: failed to map segment from"
        " shared object. "
    )
    assert (
        capsys.readouterr().err
        == f"{said}Install Raybench again, with the libraries that it needs.\n"
    )


def test_pictures_are_painted_without_a_display_though_the_environment_names_one(
    environment, tmp_path
):
    environment.setenv("QT_QPA_PLATFORM", "xcb")
    environment.setenv("DISPLAY", ":4077")
    done = subprocess.run(
        [sys.executable, "-m", "raybench_workbench", "tour"],
        capture_output=True,
        text=True,
        timeout=300,
        cwd=tmp_path,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert list(tmp_path.glob("*.png"))


def test_a_shot_at_a_scale_is_the_same_each_time_and_its_size_is_told(environment, tmp_path):
    environment.setenv("QT_QPA_PLATFORM", "xcb")
    environment.setenv("DISPLAY", ":4077")
    environment.setenv("QT_SCALE_FACTOR", "1.5")
    pictures = []
    for name in ("a.png", "b.png"):
        shot = [
            "shot",
            "example:prism",
            name,
            "--size",
            "1100x701",
            "--tool",
            'find_rays_inside_glass_xml "Main Prism"',
        ]
        done = subprocess.run(
            [sys.executable, "-m", "raybench_workbench", *shot],
            capture_output=True,
            text=True,
            timeout=300,
            cwd=tmp_path,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, "")
        assert f"{name}: 1650 x 1052 pixels" in done.stdout
        pictures.append((tmp_path / name).read_bytes())
    assert pictures[0] == pictures[1]
    assert (int.from_bytes(pictures[0][16:20]), int.from_bytes(pictures[0][20:24])) == (1650, 1052)
