"""Foreign modules beside a scene run in no child process, and not where the program itself is
started from their folder.
"""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from raybench.system.process import child_environment

ROOT = Path(__file__).parents[3]
FOREIGN = (
    "random.py",
    "json.py",
    "argparse.py",
    "pkgutil.py",
    "numpy.py",
    "raybench/__init__.py",
    "raybench_workbench/__init__.py",
    "sitecustomize.py",
)


@pytest.fixture
def foreign(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A current folder of modules that leave a mark when they run; returns where the mark would be."""
    mark = tmp_path / "ran"
    folder = tmp_path / "downloads"
    for name in FOREIGN:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"open({str(mark)!r}, 'a').write({name!r})\nraise SystemExit(9)\n")
    monkeypatch.chdir(folder)
    return mark


@pytest.mark.security
def test_foreign_modules_do_not_run_when_kernels_are_compiled(
    foreign: Path, tmp_path: Path
) -> None:
    code = (
        "from raybench.trace.compilation import loading\n"
        "messages = []\n"
        "loading.compile_in_child_process(lambda text, share: messages.append(text))\n"
        "print(messages[-1])"
    )
    environment = child_environment(
        RAYBENCH_CACHE_DIR=str(tmp_path / "cache"), NUMBA_DISABLE_JIT="1"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", code],
        capture_output=True,
        text=True,
        env=environment,
        timeout=300,
    )
    assert not foreign.exists(), foreign.read_text()
    assert done.stdout.strip() == "Kernels are ready", done.stderr


@pytest.mark.parametrize(
    "command", [["-P", "-m", "raybench_workbench"], ["-m", "raybench_workbench"]]
)
@pytest.mark.security
def test_foreign_modules_do_not_run_in_the_command_line_program(
    tmp_path: Path, command: list[str]
) -> None:
    """Without ``-P`` Python itself searches the current folder until the program is found; from
    then on it is not searched.
    """
    mark = tmp_path / "ran"
    (tmp_path / "downloads").mkdir()
    for name in (
        "random.py",
        "json.py",
        "argparse.py",
        "difflib.py",
        "numpy.py",
        "platformdirs.py",
    ):
        (tmp_path / "downloads" / name).write_text(f"open({str(mark)!r}, 'a').write({name!r})\n")
    environment = {**os.environ}
    done = subprocess.run(
        [sys.executable, *command, "tool", "--list"],
        cwd=tmp_path / "downloads",
        capture_output=True,
        text=True,
        env=environment,
        timeout=120,
    )
    assert not mark.exists(), mark.read_text()
    assert "find_rays_inside_glass_xml" in done.stdout, done.stderr


def test_a_child_finds_what_its_parent_finds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "beside.py").write_text("print('found')")
    monkeypatch.setattr(sys, "path", ["", *sys.path, str(tmp_path)])
    found = subprocess.run(
        [sys.executable, "-c", "import beside, core"],
        capture_output=True,
        text=True,
        env=child_environment(),
    )
    assert found.stdout == "found\n", found.stderr
    monkeypatch.chdir(tmp_path)
    gone = subprocess.run(
        [sys.executable, "-c", "import beside"],
        capture_output=True,
        text=True,
        env=child_environment(),
    )
    assert "No module named 'beside'" in gone.stderr


NOT_PYTHON = ("desktop.py",)
"""Modules that name the interpreter in a file, and start other programs."""


def test_every_child_process_of_python_has_that_environment() -> None:
    calls = 0
    for path in [*ROOT.glob("core/**/*.py"), *ROOT.glob("workbench/**/*.py")]:
        source = path.read_text(encoding="utf-8")
        if (
            not {"sys.executable", "loading.COMMAND"} & set(re.findall(r"[\w.]+", source))
            or path.name in NOT_PYTHON
        ):
            continue
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in (
                "subprocess.run",
                "subprocess.Popen",
            ):
                calls += 1
                given = {keyword.arg: ast.unparse(keyword.value) for keyword in node.keywords}
                assert "environment" in given.get("env", ""), f"{path}, line {node.lineno}"
        assert re.search("child_environment|compiler_environment", source), path
    assert calls >= 2
