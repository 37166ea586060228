"""Packages that add to Raybench: the template is installed and used, and a broken one is left out."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib.resources import as_file, files
from pathlib import Path

import pytest

from raybench.system.process import child_environment

USE = """
import sys
from pathlib import Path
import raybench as rb

lamp = rb.Beam("Lamp", width=4, wavelength=500)
grey = rb.GreyFilter("Grey", height=10, at=(10, 0), transmittance=0.3)
scene = rb.Scene(lamp, grey, rb.Detector("Screen", height=10, at=(20, 0)))
power = scene.measure("power(Screen) / power(Grey)").value
assert abs(power - 0.3) < 1e-12, power
assert abs(scene.measure("lit_length(Screen)").value - 3) < 1e-9
(line,) = scene.tools.wavelengths("Screen")["wavelength"]
assert line["nm"] == 500
assert "wavelengths_xml" in scene.ask("Which spectral lines reach Screen?", offline=True).tools_used
Path("two.points").write_text("0 0\\n10 5\\n")
assert len(rb.Scene.open("two.points")) == 2
Path("bad.points").write_text("0 zero\\n")
try:
    rb.Scene.open("bad.points")
except rb.RaybenchError as error:
    assert "bad.points: line 1 is '0 zero'" in str(error), error
else:
    raise AssertionError("a bad file was read")
scene.save("scene.raybench")
assert rb.Scene.open("scene.raybench")["Grey"].transmittance == 0.3
"""
WINDOW = """
from raybench_workbench.app import make_application
from raybench_workbench.document import WorkDocument
from raybench_workbench.main_window import MainWindow
from raybench_workbench.preferences.settings import Settings
from raybench_workbench.actions import diagnostics_text

app = make_application("light")
window = MainWindow(WorkDocument(), Settings())
window.actions_by_id["view.added.Counter"].trigger()
assert window.added_docks["Counter"].panel.text() == "No rays yet"
assert "Added: kinds grey-filter of raybench-addition 0.1.0" in diagnostics_text(window)
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the template as it is installed."""
    folder = tmp_path_factory.mktemp("addition")
    with as_file(files("raybench_resources") / "addition") as template:
        shutil.copytree(template, folder / "source")
    pip = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-build-isolation"]
    subprocess.run([*pip, "--target", "site", "./source"], cwd=folder, check=True)
    return folder / "site"


def run(code: str, site: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    environment = child_environment() | {"PYTHONPATH": os.fspath(site)}
    environment |= {"QT_QPA_PLATFORM": "offscreen"}
    return subprocess.run(
        [sys.executable, "-c", code], cwd=folder, env=environment, capture_output=True, text=True
    )


@pytest.mark.parametrize("code", [USE, WINDOW], ids=["library", "window"])
def test_what_the_template_adds_is_used(code: str, site: Path, tmp_path: Path) -> None:
    ran = run(code, site, tmp_path)
    assert ran.returncode == 0, ran.stderr


def test_a_broken_package_is_left_out(site: Path, tmp_path: Path) -> None:
    broken = tmp_path / "site"
    shutil.copytree(site, broken)
    (broken / "raybench_addition" / "grey_filter.py").write_text("ROWS = (1,)\n")
    ran = run("import raybench as rb; rb.Scene(rb.Beam(width=1)).trace()", broken, tmp_path)
    assert ran.returncode == 0, ran.stderr
    assert "kinds grey-filter of raybench-addition 0.1.0, left out: " in ran.stderr
