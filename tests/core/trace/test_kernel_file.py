"""Compiled kernels come from a private folder or from nowhere; damaged ones are compiled again, and a full disk stops no tracing."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from core.checked_file import DamagedFile, read_checked, write_checked
from core.child_process import child_environment

SUM = """
import json, sys
from core.trace.compilation import kernel_cache
{before}
from core.trace.compilation.jit import entry

@entry
def total(a):
    s = 0.0
    for x in a:
        s += x
    return s

import numpy as np
ready = kernel_cache.kernels_ready()
total(np.arange(4.0))
kernel_cache.note_use()
print(json.dumps([ready, total(np.arange(5.0)), sum(total._cache_hits.values()), str(kernel_cache.kernel_folder() or ""),
                  kernel_cache.cache_problem()]))
"""


def total(cache: Path, before: str = "", **environment: str) -> tuple[bool, float, bool, Path, str]:
    """A kernel of one line in a process of its own: whether kernels were ready, its answer, whether it was loaded, from which folder,
    and why it cannot be kept."""
    code = SUM.format(before=before)
    given = child_environment(RAYBENCH_CACHE_DIR=str(cache), **environment)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=given, timeout=120)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    ready, answer, loaded, folder, problem = json.loads(done.stdout)
    return ready, answer, bool(loaded), Path(folder), problem


def the_kernel(cache: Path) -> Path:
    (path,) = cache.glob("kernels-*/*.kernel")
    return path


def test_a_kernel_is_compiled_once(tmp_path: Path) -> None:
    ready, answer, loaded, folder, problem = total(tmp_path / "cache")
    assert (ready, answer, loaded, problem) == (False, 10.0, False, "")
    assert folder.parent == (tmp_path / "cache").resolve()
    assert total(tmp_path / "cache")[:3] == (True, 10.0, True)
    assert {p.name for p in folder.iterdir()} == {"ready", "__main__.total.kernel"}


def test_a_damaged_kernel_is_deleted_and_compiled_again(tmp_path: Path) -> None:
    total(tmp_path)
    path = the_kernel(tmp_path)
    whole = path.read_bytes()
    inside = bytearray(whole)
    inside[len(whole) // 2] ^= 1
    for damaged in (bytes(inside), b"", whole[:-1], whole[:31], b"\0" * len(whole), whole + b"x"):
        path.write_bytes(damaged)
        assert total(tmp_path)[:3] == (False, 10.0, False)
        assert total(tmp_path)[:3] == (True, 10.0, True)


def test_a_kernel_that_cannot_be_loaded_is_compiled_again(tmp_path: Path) -> None:
    total(tmp_path)
    path = the_kernel(tmp_path)
    version, kept = pickle.loads(read_checked(path))
    for wrong in (
        b"no pickle",
        pickle.dumps((version, {})),
        pickle.dumps(("0.1", kept)),
        pickle.dumps((version, dict.fromkeys(kept, b"?"))),
    ):
        write_checked(path, wrong)
        assert total(tmp_path)[1:3] == (10.0, False)
        assert total(tmp_path)[1:3] == (10.0, True)


def test_a_damaged_list_of_kernels_is_written_anew(tmp_path: Path) -> None:
    folder = total(tmp_path)[3]
    for damaged in (b"", b"ready?", (folder / "ready").read_bytes()[:-3]):
        (folder / "ready").write_bytes(damaged)
        assert total(tmp_path)[:3] == (False, 10.0, True)
        assert total(tmp_path)[0]
    the_kernel(tmp_path).unlink()
    assert total(tmp_path)[:3] == (False, 10.0, False)


@pytest.mark.parametrize("threat", ["a link", "world-writable", "a file", "of another user"])
def test_kernels_are_taken_from_no_folder_that_others_could_have_filled(tmp_path: Path, threat: str) -> None:
    """The kernel that lies there would answer 10, as the right one does; that it is not loaded shows that it is not believed."""
    folder = total(tmp_path / "cache")[3]
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
    ready, answer, loaded, used, problem = total(tmp_path / "cache", TMPDIR=str(tmp_path))
    assert (ready, answer, loaded) == (False, 10.0, False)
    assert used.parent.parent == tmp_path.resolve()
    assert not used.exists(), "a temporary folder is removed at exit"
    assert problem.startswith("Compiled kernels cannot be kept, so every start compiles them: ")
    assert str(folder) in problem
    assert "\n" not in problem


def test_a_folder_in_the_shared_temporary_one_is_never_taken_by_its_name(tmp_path: Path) -> None:
    """Where the cache cannot be used, what somebody prepared in the temporary folder is not, either."""
    folder = total(tmp_path / "cache")[3]
    (tmp_path / "temporary/raybench-cache").mkdir(parents=True)
    (tmp_path / "cache").rename(tmp_path / "temporary/raybench-cache/cache")
    (tmp_path / "temporary/raybench-cache/cache" / folder.name).rename(tmp_path / "temporary/raybench-cache" / folder.name)
    (tmp_path / "cache").write_text("no folder")
    ready, _, loaded, used, _ = total(tmp_path / "cache", TMPDIR=str(tmp_path / "temporary"))
    assert (ready, loaded) == (False, False)
    assert "raybench-cache" not in used.parts


@pytest.mark.skipif(os.name != "posix", reason="limits of POSIX")
@pytest.mark.parametrize("most", [0, 1_000, 9 << 20])
def test_with_a_full_disk_kernels_are_compiled_in_memory(tmp_path: Path, most: int) -> None:
    """Files may grow to no more than some bytes: too few for a kernel, or enough only until the probe has passed."""
    limit = f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, ({most}, {most}))"
    if most > 1_000:
        limit = f"kernel_cache.kernel_folder(); {limit.replace(str(most), '1000')}"
    for _ in range(2):
        ready, answer, loaded, folder, problem = total(tmp_path / "cache", limit)
        assert (ready, answer, loaded) == (False, 10.0, False)
        assert str(folder) == "." or folder.is_relative_to(tmp_path)
        assert "File too large" in problem
        assert "\n" not in problem
    assert not list(tmp_path.glob("cache/kernels-*/*")), "nothing half written stays"


def test_a_full_cache_folder_is_reported_in_one_line_by_commands(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("no folder")
    (tmp_path / "scene.json").write_text('{"version": 5, "objs": []}')
    environment = child_environment(RAYBENCH_CACHE_DIR=str(tmp_path / "cache"), NUMBA_DISABLE_JIT="1", PYTHONWARNINGS="ignore")
    command = [sys.executable, "-m", "workbench.cli", "trace", str(tmp_path / "scene.json"), "--out", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=120)
    assert done.returncode == 0, done.stderr
    (line,) = done.stderr.splitlines()
    assert line.startswith("Compiled kernels cannot be kept, so every start compiles them: ")
    assert str(tmp_path / "cache") in line


def test_a_configuration_of_the_compiler_beside_a_scene_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".numba_config.yaml").write_text("disable_jit: 1\nboundscheck: 1\n")
    monkeypatch.chdir(tmp_path)
    assert total(tmp_path / "cache")[1] == 10.0
    assert the_kernel(tmp_path / "cache").exists()
    code = "import core.trace.compilation.jit, numba; print(numba.config.DISABLE_JIT, numba.config.BOUNDSCHECK)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=child_environment())
    assert done.stdout == "0 None\n"


def test_without_the_compiler_no_list_of_kernels_is_written(tmp_path: Path) -> None:
    code = "from core.trace.trace import load_kernels; load_kernels()"
    environment = child_environment(RAYBENCH_CACHE_DIR=str(tmp_path), NUMBA_DISABLE_JIT="1")
    subprocess.run([sys.executable, "-c", code], env=environment, check=True, timeout=120)
    assert not list(tmp_path.glob("*/ready"))


def test_a_checked_file_is_whole_or_reported_as_damaged(tmp_path: Path) -> None:
    write_checked(tmp_path / "a", b"content")
    assert read_checked(tmp_path / "a") == b"content"
    whole = (tmp_path / "a").read_bytes()
    for i in range(len(whole)):
        (tmp_path / "a").write_bytes(whole[:i] + bytes([whole[i] ^ 128]) + whole[i + 1 :])
        with pytest.raises(DamagedFile):
            read_checked(tmp_path / "a")
