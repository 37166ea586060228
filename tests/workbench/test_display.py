"""A display that does not answer is an error in one line, not the end of the process."""

import os
import socket
import subprocess
import sys

import pytest

from workbench.commands import display
from workbench.commands.display import display_problem

pytestmark = pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="displays of X11 and Wayland")


@pytest.fixture
def environment(monkeypatch):
    for name in ("QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    return monkeypatch


@pytest.mark.parametrize("where", [":4077", "unix:4077.0", "127.0.0.1:50077", "127.0.0.1:99999", "nonsense"])
def test_a_dead_display_is_told(environment, where):
    environment.setenv("DISPLAY", where)
    problem = display_problem()
    assert f"at DISPLAY={where}." in problem or "plugin cannot be loaded" in problem


def test_a_server_that_listens_is_one(environment):
    with socket.create_server(("127.0.0.1", 0)) as server:
        assert display._answers(f"127.0.0.1:{server.getsockname()[1] - 6000}")


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
    variables = {k: v for k, v in os.environ.items() if k not in ("QT_QPA_PLATFORM", "WAYLAND_DISPLAY")} | {"DISPLAY": ":4077"}
    ended = subprocess.run([sys.executable, "-P", "-m", "workbench"], env=variables, capture_output=True, text=True, timeout=120)
    assert ended.returncode == 1
    (line,) = ended.stderr.splitlines()
    assert line.startswith("raybench: No window can be opened. ")
    assert line.endswith("raybench tour needs none.")
