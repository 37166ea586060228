"""Compiled kernels are found again, never after an edit of what they are made of, and do not pile
up.
"""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

import raybench
from raybench.trace.compilation import kernel_cache
from raybench.trace.compilation.kernel_cache import (
    KEPT_FOLDERS,
    READY,
    STALE,
    kernel_sources,
    record_folder_use,
)

EDITS = """
import sys
from raybench.trace.compilation.kernel_cache import kernel_folder, kernel_sources
print(kernel_folder().name)
for source in kernel_sources():
    text = source.read_bytes()
    source.write_bytes(text + b"\\n# edited\\n")
    print(kernel_folder.__wrapped__().name)
    source.write_bytes(text)
print(kernel_folder.__wrapped__().name)
"""


def run(code: str, folder: Path, **environment: str) -> list[str]:
    command = [sys.executable, "-c", code]
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder), **environment},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_edited_sources_have_another_folder(tmp_path: Path) -> None:
    shutil.copytree(
        Path(raybench.__path__[0]),
        tmp_path / "raybench",
        ignore=shutil.ignore_patterns("__pycache__"),
    )
    first, *edited, last = run(EDITS, tmp_path, RAYBENCH_CACHE_DIR=str(tmp_path / "cache"))
    assert first == last
    assert len(edited) == len(kernel_sources()) > 20
    assert len({first, *edited}) == len(edited) + 1


CALLED = """
import sys
from numba.core.registry import CPUDispatcher
from raybench.trace.compilation.kernel_cache import kernel_sources
from raybench.trace.kernels import kernel, loop

sources = {str(path) for path in kernel_sources()}
for name, module in list(sys.modules.items()):
    for value in list(vars(module).values()) if name.startswith("raybench.") else ():
        if isinstance(value, CPUDispatcher):
            home = sys.modules[value.py_func.__module__]
            assert value.py_func.__code__.co_filename in sources, (name, value)
            assert home.__file__ in sources
            for used in value.py_func.__code__.co_names:
                if isinstance(other := getattr(home, used, None), CPUDispatcher):
                    assert other.py_func.__code__.co_filename in sources, (name, used)
            print(value.py_func.__name__)
"""


def test_what_kernels_call_is_a_source(tmp_path: Path) -> None:
    """Seen from the functions in a process that compiles: where each was written, and the modules
    it takes its constants from.
    """
    seen = run(
        CALLED,
        Path(raybench.__path__[0]).parent,
        RAYBENCH_COMPILING="1",
        RAYBENCH_CACHE_DIR=str(tmp_path),
    )
    assert len(set(seen)) > 40


def test_what_only_python_runs_is_no_kernel_source() -> None:
    names = {path.name for path in kernel_sources()}
    assert {
        "kernel.py",
        "intersect.py",
        "surfaces.py",
        "bvh.py",
        "tables.py",
        "primitives.py",
        "laws.py",
        "interpreter.py",
    } <= names
    assert (
        not {"result.py", "trace.py", "generations.py", "emission.py", "scene.py", "pieces.py"}
        & names
    )
    assert {name for name in names if (Path(raybench.__path__[0]) / "formula" / name).exists()} == {
        "interpreter.py", "operations.py"
    }  # fmt: skip


def test_sources_import_only_sources() -> None:
    """So no constant of another file can become part of a kernel unnoticed."""
    sources = set(kernel_sources())
    imported = set()
    for source in sources:
        for node in ast.parse(
            source.read_text(encoding="utf-8")
        ).body:  # not those for type checkers alone
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("raybench"):
                imported.add((source.name, str(node.module)))
                imported.update(
                    (source.name, f"{node.module}.{alias.name}") for alias in node.names
                )
            elif isinstance(node, ast.Import):
                imported.update(
                    (source.name, alias.name)
                    for alias in node.names
                    if alias.name.startswith("raybench")
                )
    homes = {(name, module): kernel_cache._module_source_file(module) for name, module in imported}
    strangers = {
        key
        for key, home in homes.items()
        if home is not None and home.name != "__init__.py" and home not in sources
    }
    # types of arrays, and exceptions that no kernel raises
    assert {module for _, module in strangers} == {"raybench.arrays", "raybench.errors"}


def test_a_temporary_folder_serves_without_cache(tmp_path: Path) -> None:
    blocked = tmp_path / "no-folder"
    blocked.write_text("a file in the place of the folder")
    code = (
        "from raybench.trace.compilation.kernel_cache import kernel_folder; print(kernel_folder(),"
        " kernel_folder().is_dir())"
    )
    folder, there = run(
        code,
        Path(raybench.__path__[0]).parent,
        RAYBENCH_CACHE_DIR=str(blocked),
        TMPDIR=str(tmp_path),
    )
    assert there == "True"
    assert Path(folder).is_relative_to(tmp_path)


def test_kernels_unused_for_long_are_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    current = tmp_path / "kernels-current"
    monkeypatch.setattr(kernel_cache, "kernel_folder", lambda: current)
    monkeypatch.setattr(kernel_cache, "_problem", "")
    ages = {
        "kernels-current": 0.0,
        "kernels-yesterday": 86_400.0,
        "other": 9 * STALE,
        "kernels-never-ready": 3 * STALE,
    }
    ages |= {f"kernels-{i}": STALE * (0.5 + 0.4 * i) for i in range(9)}
    for name, age in ages.items():
        (tmp_path / name).mkdir()
        then = time.time() - age
        if name != "kernels-never-ready":
            (tmp_path / name / READY).touch()
            os.utime(tmp_path / name / READY, (then, then))
        os.utime(tmp_path / name, (then, then))
    record_folder_use()
    left = {p.name for p in tmp_path.iterdir()}
    assert {"kernels-current", "kernels-yesterday", "other", "kernels-0", "kernels-1"} <= left
    assert len([name for name in left if name.startswith("kernels-")]) == KEPT_FOLDERS
    assert "kernels-8" not in left
    assert "kernels-never-ready" not in left
    assert time.time() - (current / READY).stat().st_mtime < 60
