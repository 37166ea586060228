"""Foreign modules beside a scene run in no child process, and not where the program itself is
started from their folder.
"""

from __future__ import annotations

import ast
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import raybench
from raybench.system.child_process import child_environment, own_children

ROOT = Path(raybench.__path__[0]).parent
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


def test_foreign_modules_do_not_run_when_kernels_are_compiled(
    foreign: Path, tmp_path: Path
) -> None:
    code = (
        "from raybench.trace.compilation import loading\n"
        "messages = []\n"
        "loading.compile_in_child(lambda text, share: messages.append(text))\n"
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


def test_foreign_modules_do_not_run_in_the_benchmarks_children(foreign: Path) -> None:
    from tests.benchmarks.start_up import IMPORTS, VERSION, _output

    with own_children() as run:
        assert _output(run, {}, VERSION)
        _output(run, {}, IMPORTS)
    assert not foreign.exists(), foreign.read_text()


@pytest.mark.parametrize(
    "command", [["-P", "-m", "raybench_workbench"], ["-m", "raybench_workbench"]]
)
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
                calls += 1
                given = {keyword.arg: ast.unparse(keyword.value) for keyword in node.keywords}
                assert "environment" in given.get("env", ""), f"{path}, line {node.lineno}"
        assert re.search("child_environment|compiler_environment", source), path
    assert calls >= 4


WRITING = """
import subprocess, sys, time
from pathlib import Path
folder = Path(sys.argv[1])
if len(sys.argv) == 2:
    subprocess.Popen([sys.executable, __file__, str(folder), "started by the first"])
    print("begun", file=open(folder.parent / "begun", "w"))
while time.process_time() < 5:
    folder.mkdir(exist_ok=True)
    (folder / str(time.time())).touch()
    time.sleep(0.002)
"""
WAITING = """
import os, sys, time
from pathlib import Path
from raybench.system.child_process import own_children
from raybench.system.interrupt import end_at_once, handle
from raybench.system.temporary_folder import temporary_folder
handle(end_at_once)
with temporary_folder() as folder, own_children() as run:
    run([sys.executable, sys.argv[1], str(folder)], os.environ)
"""


@pytest.mark.skipif(os.name != "posix", reason="groups of processes are POSIX's")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_children_that_write_into_a_temporary_folder_end_before_it_is_removed_for_good(
    number: int, tmp_path: Path
) -> None:
    (tmp_path / "writing.py").write_text(WRITING)
    (place := tmp_path / "temporary").mkdir()
    environment = child_environment(TMPDIR=str(place))
    words = [sys.executable, "-c", WAITING, str(tmp_path / "writing.py")]
    with subprocess.Popen(words, env=environment, stderr=subprocess.DEVNULL) as running:
        for _ in range(500):
            if (place / "begun").exists() and len(list(place.glob("raybench-*/*"))) > 50:
                break
            time.sleep(0.02)
        running.send_signal(number)
        assert running.wait(20) == 128 + number
    time.sleep(0.1)
    assert [p.name for p in place.iterdir()] == ["begun"]
