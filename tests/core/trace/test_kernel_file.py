"""Compiled kernels come from a private folder or from nowhere; damaged ones are compiled again, and
a full disk stops no tracing.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from raybench.system.files import DamagedFile, read_checked, write_checked
from raybench.system.process import child_environment

USE = """
import json, sys, small_kernels
from raybench.trace.compilation import kernel_cache, loading
{before}
ready = kernel_cache.are_kernels_stored()
before = small_kernels.results()
loading.use_machine_code()
assert "numba" not in sys.modules
print(json.dumps([ready, before, small_kernels.results(), loading.is_machine_code_loaded(), str(kernel_cache.kernel_folder() or ""),
                  kernel_cache.kernel_problem()]))
"""
TOTALS = (2 * (3.0 + 2 * 12.0 + 11.0) * 10.0 + 6.0, (3.0 + 2 * 12.0 + 11.0) * 0.5 + 6.0)
RESULTS = [*TOTALS, 24, True, False, [0, 7], [0, 1, 0, 0]]
"""What the kernels return and write. They are imported in other processes only, for here they would
count among the program's own.
"""


class Used(NamedTuple):
    """How kernels were used in a process: whether they were there, whether they run as machine
    code, from which folder, and why none.
    """

    ready: bool
    compiled: bool
    folder: Path
    problem: str


def use(cache: Path, before: str = "", **environment: str) -> Used:
    """Run kernels as Python and, if they could be compiled, as machine code in a process of its
    own; the results must be the same.
    """
    given = child_environment(RAYBENCH_CACHE_DIR=str(cache), **environment)
    done = subprocess.run(
        [sys.executable, "-c", USE.format(before=before)],
        capture_output=True,
        text=True,
        env=given,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    ready, first, then, compiled, folder, problem = json.loads(done.stdout)
    assert first == then == RESULTS
    return Used(ready, compiled, Path(folder), problem)


def the_code(cache: Path) -> Path:
    (path,) = cache.glob("kernels-*/machine-code")
    return path


LOOK = """
import json, small_kernels
from raybench.trace.compilation import kernel_cache
print(json.dumps([kernel_cache.are_kernels_stored(), False, str(kernel_cache.kernel_folder() or ""), kernel_cache.kernel_problem()]))
"""


def look(cache: Path, **environment: str) -> Used:
    """Whether kernels are there for another process, which compiles none."""
    given = child_environment(RAYBENCH_CACHE_DIR=str(cache), **environment)
    done = subprocess.run(
        [sys.executable, "-c", LOOK], capture_output=True, text=True, env=given, timeout=120
    )
    assert done.returncode == 0, done.stderr
    ready, compiled, folder, problem = json.loads(done.stdout)
    return Used(ready, compiled, Path(folder), problem)


@pytest.fixture(scope="module")
def compiled_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache with machine code, to be copied."""
    cache = tmp_path_factory.mktemp("compiled") / "cache"
    used = use(cache)
    assert used == Used(False, True, used.folder, "")
    assert used.folder.parent == cache.resolve()
    return cache


@pytest.fixture
def cache(compiled_once: Path, tmp_path: Path) -> Path:
    """A cache with machine code, of the test's own."""
    return shutil.copytree(compiled_once, tmp_path / "cache")


def test_kernels_are_compiled_once_and_nothing_else_stays(cache: Path) -> None:
    used = use(cache)
    assert used == Used(True, True, the_code(cache).parent.resolve(), "")
    assert {p.name for p in used.folder.iterdir()} == {"machine-code"}


def test_machine_code_loaded_while_python_exits_is_left_alone(cache: Path) -> None:
    code = """
import atexit, threading, time, small_kernels
from raybench.trace.compilation import loading, machine_code
threading.Thread(target=lambda kept: time.sleep(9), args=(machine_code,), daemon=True).start()
atexit.register(lambda: (loading.use_machine_code(), print(loading.is_machine_code_loaded())))
"""
    given = child_environment(RAYBENCH_CACHE_DIR=str(cache))
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=given, timeout=120
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "True\n", "")


def test_machine_code_checks_arrays(cache: Path) -> None:
    code = """
import numpy as np, small_kernels
from raybench.errors import RaybenchError
from raybench.trace.compilation.loading import use_machine_code
use_machine_code()
for wrong in (np.zeros(8), np.zeros((2, 2), np.int64), np.zeros(8, np.int64)[::2]):
    try:
        small_kernels.count(wrong)
    except (TypeError, RaybenchError) as error:
        print(error)
try:
    small_kernels.sum_of_doubled(np.ones((4, 3)), 1 << 60)
except RaybenchError as error:
    print(error)
"""
    environment = child_environment(RAYBENCH_CACHE_DIR=str(cache))
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment, timeout=120
    )
    types, dimensions, strides, memory = done.stdout.splitlines()
    assert types == "a kernel takes an array of int64, not of float64"
    assert (
        dimensions
        == strides
        == "A kernel was called with an array of other dimensions, or that is not contiguous."
    )
    assert memory.startswith("The memory for tracing is used up.")


@pytest.mark.security
def test_damaged_machine_code_is_compiled_again(cache: Path) -> None:
    path = the_code(cache)
    whole = path.read_bytes()
    inside = bytearray(whole)
    inside[len(whole) // 2] ^= 1
    path.write_bytes(whole[:31])
    assert not look(cache).ready
    path.write_bytes(bytes(inside))
    assert not look(cache).ready
    path.unlink()
    os.mkfifo(path)
    assert use(cache)[:2] == (False, True)
    assert look(cache).ready, "a file of the user's own is in its place"


def test_unusable_machine_code_is_compiled_again(cache: Path) -> None:
    path = the_code(cache)
    head, _, code = read_checked(path).partition(b"\n")
    about: dict[str, Any] = json.loads(head)
    of_another = {**about, "machine": [*about["machine"][:2], "+features-of-another"]}
    for wrong in (of_another, {**about, "kernels": {}}):
        write_checked(path, json.dumps(wrong).encode() + b"\n" + code)
        assert use(cache)[:2] == (True, True)
        assert read_checked(path).startswith(head)


@pytest.mark.parametrize("threat", ["a link", "world-writable", "a file", "of another user"])
@pytest.mark.security
def test_kernels_of_others_are_not_loaded(cache: Path, tmp_path: Path, threat: str) -> None:
    folder = the_code(cache).parent
    if threat == "a link":
        folder.rename(tmp_path / "theirs")
        folder.symlink_to(tmp_path / "theirs")
    elif threat == "world-writable":
        folder.chmod(0o777)
    elif threat == "a file":
        folder.rename(tmp_path / "theirs")
        folder.write_text("in the place of the folder")
    elif os.geteuid() == 0:
        os.chown(folder, 65534, 65534)
    else:
        pytest.skip("only root can give a folder away")
    compiles = threat == "a link"  # the others are found in the same way
    ready, compiled, used, problem = (use if compiles else look)(cache, TMPDIR=str(tmp_path))
    assert (ready, compiled) == (False, compiles)
    assert used.parent.parent == tmp_path.resolve()
    assert not used.exists(), "a temporary folder is removed at exit"
    assert problem.startswith("Compiled kernels cannot be kept, so every start compiles them: ")
    assert str(folder) in problem
    assert "\n" not in problem


@pytest.mark.parametrize("threat", ["a link", "world-writable", "of another user", "a pipe"])
@pytest.mark.security
def test_a_kernel_file_of_others_is_not_loaded(cache: Path, tmp_path: Path, threat: str) -> None:
    code = the_code(cache)
    if threat == "a link":
        code.rename(tmp_path / "theirs")
        code.symlink_to(tmp_path / "theirs")
    elif threat == "world-writable":
        code.chmod(0o666)
    elif threat == "a pipe":
        code.unlink()
        os.mkfifo(code)
    elif os.geteuid() == 0:
        os.chown(code, 65534, 65534)
    else:
        pytest.skip("only root can give a file away")
    used = look(cache)
    assert (used.ready, used.problem) == (False, "")


def test_shared_temporary_folders_are_not_taken(cache: Path, tmp_path: Path) -> None:
    """Where the cache cannot be used, what somebody prepared in the temporary folder is not,
    either.
    """
    folder = the_code(cache).parent
    (tmp_path / "temporary/raybench-cache").mkdir(parents=True)
    cache.rename(tmp_path / "temporary/raybench-cache/cache")
    (tmp_path / "temporary/raybench-cache/cache" / folder.name).rename(
        tmp_path / "temporary/raybench-cache" / folder.name
    )
    cache.write_text("no folder")
    used = look(cache, TMPDIR=str(tmp_path / "temporary"))
    assert not used.ready
    assert "raybench-cache" not in used.folder.parts


@pytest.mark.skipif(os.name != "posix", reason="limits of POSIX")
@pytest.mark.parametrize("most", [0, 1_000, 9 << 20])
def test_with_a_full_disk_kernels_stay_python(tmp_path: Path, most: int) -> None:
    """Files may grow to no more than some bytes: too few for the code, or enough only until the
    probe has passed.
    """
    limit = f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, ({most}, {most}))"
    if most > 1_000:
        limit = f"kernel_cache.kernel_folder(); {limit.replace(str(most), '1000')}"
    ready, compiled, folder, problem = use(tmp_path / "cache", limit)
    assert (ready, compiled) == (False, False)
    assert str(folder) == "." or folder.is_relative_to(tmp_path)
    assert problem.startswith(
        "Compiled kernels cannot be kept, so they stay uncompiled, and tracing is slow: "
    )
    assert "File too large" in problem
    assert "\n" not in problem
    assert not list(tmp_path.glob("cache/kernels-*/*code")), "nothing half written stays"


def test_commands_report_a_full_cache_folder(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("no folder")
    (tmp_path / "scene.json").write_text('{"version": 5, "objs": []}')
    environment = child_environment(
        RAYBENCH_CACHE_DIR=str(tmp_path / "cache"), NUMBA_DISABLE_JIT="1", PYTHONWARNINGS="ignore"
    )
    command = [
        sys.executable,
        "-m",
        "raybench_workbench",
        "trace",
        str(tmp_path / "scene.json"),
        "--out",
        str(tmp_path),
    ]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=120)
    assert done.returncode == 0, done.stderr
    (line,) = done.stderr.splitlines()
    assert line.startswith("Compiled kernels cannot be kept, so every start compiles them: ")
    assert str(tmp_path / "cache") in line


SCENE = {
    "version": 5,
    "objs": [{"type": "SingleRay", "p1": {"x": 0, "y": 0}, "p2": {"x": 1, "y": 0}}],
}
TRACE = """
import sys
from raybench.files.scene_json import load_scene
from raybench.trace.compilation.loading import compile_in_background
from raybench.trace.trace import trace
scene = load_scene(sys.argv[1])
print(len(trace(scene)))
if (compiling := compile_in_background()) is not None:
    compiling.join()
print(len(trace(scene)), len(trace(scene)))
"""


def test_a_failed_compiler_leaves_python_and_a_line(tmp_path: Path) -> None:
    (tmp_path / "numba").mkdir()
    (tmp_path / "numba/__init__.py").write_text("raise ImportError('undefined symbol')")
    (tmp_path / "scene.json").write_text(json.dumps(SCENE))
    environment = child_environment(RAYBENCH_CACHE_DIR=str(tmp_path / "cache"))
    environment["PYTHONPATH"] = f"{tmp_path}{os.pathsep}{environment['PYTHONPATH']}"
    scene = str(tmp_path / "scene.json")
    shot = [
        "-m",
        "raybench_workbench",
        "export",
        scene,
        str(tmp_path / "scene.png"),
    ]  # waits for the kernels that paint
    for arguments in (["-c", TRACE, scene], shot):
        done = subprocess.run(
            [sys.executable, *arguments],
            capture_output=True,
            text=True,
            env=environment,
            timeout=120,
        )
        assert done.returncode == 0, done.stderr
        assert "1" in done.stdout
        said = [
            line.removeprefix("raybench: ")
            for line in done.stderr.splitlines()
            if "undefined symbol" in line
        ]
        assert said == [said[0]], "once"
        assert said[0].startswith(
            "Tracing is about a hundred times slower, because its kernels cannot be compiled:"
            " ImportError: undefined symbol."
        )
        assert said[0].endswith(
            "Install Raybench again, with the numba and llvmlite that it needs."
        )


def test_a_missing_compiler_leaves_python_and_a_line(
    tmp_path: Path,
) -> None:
    (tmp_path / "scene.json").write_text(json.dumps(SCENE))
    code = (
        "from raybench.trace.compilation import loading; loading.COMMAND = ('/no/python',)\n"
        + TRACE
    )
    environment = child_environment(RAYBENCH_CACHE_DIR=str(tmp_path / "cache"))
    command = [sys.executable, "-c", code, str(tmp_path / "scene.json")]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=120)
    assert (done.returncode, done.stdout.split()) == (0, ["1"] * 3), done.stderr
    (line,) = done.stderr.splitlines()
    assert line.startswith(
        "Tracing is about a hundred times slower, because its kernels cannot be compiled: [Errno 2]"
        " No such file"
    )
    assert line.endswith("Close other programs, and start again.")


def test_without_llvm_python_traces(cache: Path, tmp_path: Path) -> None:
    (tmp_path / "llvmlite").mkdir()
    (tmp_path / "llvmlite/__init__.py").write_text(
        "raise OSError('libLLVM.so: cannot open shared object file')"
    )
    code = f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n" + USE.format(before="")
    environment = child_environment(RAYBENCH_CACHE_DIR=str(cache))
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment, timeout=120
    )
    assert done.returncode == 0, done.stderr
    ready, first, then, compiled, _, problem = json.loads(done.stdout)
    assert (ready, first, then, compiled) == (True, RESULTS, RESULTS, False)
    (line,) = done.stderr.splitlines()
    assert line.startswith(
        "Tracing is about a hundred times slower, because its kernels cannot be loaded: libLLVM.so:"
        " cannot open shared object file."
    )
    assert line.endswith("Install Raybench again, with the numba and llvmlite that it needs.")
    assert problem == line
    assert the_code(cache).exists()


@pytest.mark.security
def test_configurations_beside_scenes_are_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".numba_config.yaml").write_text("disable_jit: 1\nboundscheck: 1\n")
    monkeypatch.chdir(tmp_path)
    code = (
        "import raybench.trace.compilation.jit, numba; print(numba.config.DISABLE_JIT,"
        " numba.config.BOUNDSCHECK)"
    )
    environment = child_environment(RAYBENCH_COMPILING="1")
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment
    )
    assert done.stdout == "0 None\n"


def test_disabled_numba_compiles_nothing(tmp_path: Path) -> None:
    used = use(tmp_path, NUMBA_DISABLE_JIT="1")
    assert not used.compiled
    assert not list(tmp_path.glob("*/*"))


def test_checked_files_are_whole_or_damaged(tmp_path: Path) -> None:
    write_checked(tmp_path / "a", b"content")
    assert read_checked(tmp_path / "a") == b"content"
    whole = (tmp_path / "a").read_bytes()
    for i in range(len(whole)):
        (tmp_path / "a").write_bytes(whole[:i] + bytes([whole[i] ^ 128]) + whole[i + 1 :])
        with pytest.raises(DamagedFile):
            read_checked(tmp_path / "a")
