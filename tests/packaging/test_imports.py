"""What may be imported where: core and two commands work on a machine without Qt and without the
model's SDK.
"""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

BLOCKED = """
import sys
class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("PySide6", "shiboken6", "pyqtgraph", "anthropic", "openai", "httpx2"):
            raise ModuleNotFoundError(f"{name} is blocked", name=name)
sys.meta_path.insert(0, Blocker())
"""
SCENE = {
    "version": 5,
    "objs": [
        {"type": "SingleRay", "p1": {"x": -9, "y": 3}, "p2": {"x": 0, "y": 3}},
        {
            "type": "Glass",
            "name": "P",
            "path": [{"x": 0, "y": 0}, {"x": 9, "y": 0}, {"x": 0, "y": 9}],
        },
    ],
}


def run_blocked(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", BLOCKED + code, *arguments],
        capture_output=True,
        text=True,
        timeout=300,
    )


@pytest.fixture
def scene(tmp_path: Path) -> Path:
    path = tmp_path / "scene.json"
    path.write_text(json.dumps(SCENE))
    return path


def test_core_imports_completely_without_qt_and_network_clients() -> None:
    code = """
import importlib, pkgutil, raybench
names = [m.name for m in pkgutil.walk_packages(raybench.__path__, "raybench.")]
for name in names:
    importlib.import_module(name)
print(len(names))
"""
    done = run_blocked(code)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 40


def test_the_blocker_blocks() -> None:
    assert run_blocked("import PySide6").returncode != 0
    assert run_blocked("import anthropic").returncode != 0


def test_trace_runs_without_qt(scene: Path, tmp_path: Path) -> None:
    done = run_blocked(
        "from raybench_workbench.cli import main; sys.exit(main(sys.argv[1:]))",
        "trace",
        str(scene),
        "--out",
        str(tmp_path),
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("scene: ")
    assert "complete" in done.stdout
    assert (tmp_path / "scene.npz").exists()


def test_tool_runs_without_qt(scene: Path) -> None:
    arguments = ("tool", str(scene), "find_rays_inside_glass_xml", "P")
    done = run_blocked(
        "from raybench_workbench.cli import main; sys.exit(main(sys.argv[1:]))", *arguments
    )
    assert done.returncode == 0, done.stderr
    assert "<rays count=" in done.stdout


def loaded_by(code: str, *names: str) -> list[str]:
    """Which of some modules a process has imported after it has run code."""
    code = f"import sys\n{code}\nprint([m for m in {names!r} if m in sys.modules])"
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=300, env=environment
    )
    assert done.returncode == 0, done.stderr
    return list(ast.literal_eval(done.stdout))


def test_the_command_line_imports_no_qt_and_nothing_heavy() -> None:
    assert (
        loaded_by(
            "import raybench_workbench.cli",
            "PySide6",
            "numba",
            "llvmlite",
            "pyqtgraph",
            "anthropic",
            "openai",
            "numpy",
            "asyncio",
        )
        == []
    )


def test_a_trace_imports_no_compiler() -> None:
    code = """
from tests.benchmarks.scenes import prism
from raybench.trace.trace import load_kernels, trace
load_kernels()
assert len(trace(prism(10))) > 10
"""
    assert loaded_by(code, "numba", "scipy", "shapely", "lark", "llvmlite.binding") == [
        "llvmlite.binding"
    ]


def test_the_window_is_there_before_anything_heavy() -> None:
    code = """
from PySide6.QtWidgets import QApplication
from raybench_workbench.app import make_application, open_example
from raybench_workbench.document import WorkDocument
from raybench_workbench.main_window import MainWindow

make_application()
document = WorkDocument()
open_example(document)
window = MainWindow(document)
window.show()
window.grab()
"""
    heavy = (
        "numba",
        "scipy",
        "shapely",
        "pyqtgraph",
        "pydantic",
        "anthropic",
        "openai",
        "lark",
        "mcp",
        "yaml",
        "raybench.study",
        "raybench.verify",
    )
    tools = ("raybench.analysis.agentic_tools", "raybench.agent.catalogue.default_tools")
    assert loaded_by(code, *heavy, *tools) == []


def test_an_edit_of_a_document_with_studies_imports_the_measures_only_where_names_change() -> None:
    code = """
from raybench.kinds.sources import SingleRay
from raybench.scene.changes import Add, Delete, Move, Set, SetDocument
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.session import Session
from raybench.shapes.point import Point
def made(name):
    return SingleRay(name=name, p1=Point(0, 0), p2=Point(9, 0))
session = Session(Document(scene=Scene.of([made("A"), made("B")])))
session.apply(SetDocument(studies={"Study": {"kind": "sweep", "measures": ["power(A)"]}}))
added = made("C")
session.apply([Move("A", 5, 0), Set("B", {"brightness": 0.7}), Add((added,))])
session.apply(Delete([added.key]))
session.undo()
"""
    assert loaded_by(code, "raybench.analysis.measures.table", "raybench.study") == []
    named = (
        code + "session.apply(Set('A', {'name': 'Z'}))\nassert"
        " session.document.studies['Study']['measures'] == ['power(Z)']"
    )
    assert loaded_by(named, "raybench.analysis.measures.table") == [
        "raybench.analysis.measures.table"
    ]


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="None is immortal from Python 3.12 on")
def test_qt_calls_leave_none_alone() -> None:
    code = """
import sys
from PySide6.QtGui import QColor, QPen
pen, colour = QPen(), QColor("red")
before = sys.getrefcount(None)
for _ in range(1000):
    pen.setColor(colour)
print(sys.getrefcount(None) - before)
"""
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, env=environment
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > -50


def run_beside(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTEST_")}
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, timeout=300, env=environment
    )


def test_pytest_elsewhere_imports_the_plugin_alone(tmp_path: Path) -> None:
    code = (
        "import sys, pytest; pytest.main(['-q']); "
        "print(*sorted(name for name in sys.modules if name.startswith('raybench')))"
    )
    done = run_beside(tmp_path, sys.executable, "-c", code)
    assert done.stdout.splitlines()[-1] == "raybench_workbench raybench_workbench.testing"


def test_a_project_with_a_package_named_core(tmp_path: Path) -> None:
    (tmp_path / "core").mkdir()
    (tmp_path / "core" / "__init__.py").touch()
    (tmp_path / "core" / "own.py").write_text("x = 1\n")
    (tmp_path / "test_own.py").write_text(
        "from core import own\n\ndef test_own(): assert own.x == 1\n"
    )
    (tmp_path / "main.py").write_text("from core import own\nprint(own.x)\n")
    script = "import sys, pytest; del sys.path[0]; sys.exit(pytest.console_main())"
    for command in (
        (sys.executable, "-c", script),  # as the script `pytest`
        (sys.executable, "-m", "pytest"),
        (sys.executable, "main.py"),
        (sys.executable, "-m", "raybench_workbench", "--version"),
    ):
        done = run_beside(tmp_path, *command)
        assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"


def test_the_program_ignores_modules_of_the_current_folder(tmp_path: Path) -> None:
    (tmp_path / "random.py").write_text("raise SystemExit('imported')\n")
    done = run_beside(tmp_path, sys.executable, "-m", "raybench_workbench", "--version")
    assert done.returncode == 0, done.stderr
