"""A ``.worker`` file in a folder that nobody trusted is read in bounded time, memory and text."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from raybench.agent.catalogue.registry import ToolRegistry
from raybench.agent.workers.worker_file import MOST_FILE_BYTES, WorkerFileError, read_worker
from raybench.errors import HIDDEN
from raybench.system.process import child_environment

SECONDS = 60
BOMB = "\n".join(
    [
        "a0: &a0 [x, x, x, x, x, x, x, x, x]",
        *(f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 9)),
    ]
)
READ = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
from pathlib import Path
from raybench.agent.workers.worker_file import WorkerFileError, read_worker
for path in sys.argv[1:]:
    try:
        read_worker(Path(path))
    except WorkerFileError as error:
        print(error)
"""


def read_in_bounds(*paths: Path) -> list[str]:
    """The errors of reading workers in a process of its own, which must end, within 2 GB."""
    command = [sys.executable, "-c", READ, *map(str, paths)]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=SECONDS, env=child_environment()
    )
    assert done.returncode == 0, done.stderr
    errors = done.stdout.splitlines()
    assert all(error.startswith(str(path)) for error, path in zip(errors, paths, strict=True))
    return errors


@pytest.mark.skipif(os.name != "posix", reason="limits of POSIX")
@pytest.mark.security
def test_yaml_aliases_are_refused(tmp_path: Path) -> None:
    uses = ("tools: *a8", "description: *a8", "max_steps: *a8", "attachments: *a8", "*a8 : x",
            "signature: *a8", "")  # fmt: skip
    paths = [tmp_path / f"bomb{i}.worker" for i in range(len(uses))]
    for path, use in zip(paths, uses, strict=True):
        path.write_text(f"---\n{BOMB}\n{use}\n---\nDo it.\n")
    assert read_in_bounds(*paths) == [
        f"{path}, line 3: the front matter is not valid YAML (aliases are not supported)."
        for path in paths
    ]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with names are POSIX's")
@pytest.mark.security
def test_a_pipe_that_is_named_like_a_worker_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "x.worker")
    (error,) = read_in_bounds(tmp_path / "x.worker")
    assert "not a regular file). A worker is a text file" in error
    with pytest.raises(WorkerFileError, match="not a regular file"):
        ToolRegistry((), tmp_path).find_tool("x")


def test_a_folder_or_a_device_that_is_named_like_a_worker_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.worker").mkdir()
    (tmp_path / "y.worker").symlink_to("/dev/zero")
    for name in ("x.worker", "y.worker"):
        with pytest.raises(WorkerFileError, match=r"not a regular file|cannot be read"):
            read_worker(tmp_path / name)


@pytest.mark.security
def test_a_file_or_a_front_matter_that_is_too_long_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "long.worker"
    path.write_text("---\n---\n" + "x" * MOST_FILE_BYTES)
    with pytest.raises(
        WorkerFileError,
        match=r"larger than 1,000,000 bytes\)\. A worker is a text file of at most 1 MB",
    ):
        read_worker(path)
    path.write_text("---\n" + "# x\n" * 10_000 + "---\nDo it.")
    with pytest.raises(
        WorkerFileError, match="the front matter has 40000 characters; at most 20000 are read"
    ):
        read_worker(path)


@pytest.mark.parametrize(
    "front",
    [
        "x" * 10_000 + ": 1",
        "\n".join(f"key{i}: 1" for i in range(1_000)),
        "name: " + "y" * 10_000,
        'name: "a\\e[2J\\u2028b"',
        '"a\\e[2Jb": 1',
        "effects: [" + ", ".join("z" * 50 for _ in range(200)) + "]",
        "tools: {" + ", ".join(f"t{i}: 1" for i in range(1_000)) + "}",
        "max_steps: " + "1:" * 5_000 + "1",
        "max_steps: " + "9" * 4_000,
        "timeout_s: 0x" + "f" * 9_000,
        "description: [" + "[" * 300 + "]" * 300 + "]",
        "signature: '(" + "a" * 9_000 + " :strin) -> :string'",
        "signature: '(a " + "[" * 9_000 + "'",
        "attachments: {" + ", ".join(f"t{i}: 1" for i in range(1_000)) + "}",
        "attachments: " + "w" * 9_000,
        "{" * 10_000,
        "? [a, b]\n: 1",
        "timeout_s: 1:" + ":".join(["59"] * 300) + ".5",
        "max_steps: !!int ''",
        "timeout_s: !!float ''",
        "cache: !!bool x",
        "model: !!timestamp x",
        "description: !!python/object/apply:os.system [true]",
        "model: 2026-99-99",
        "- " * 9_000,
    ],
)
def test_what_an_error_says_of_a_worker_is_one_short_line(tmp_path: Path, front: str) -> None:
    path = tmp_path / "bad.worker"
    path.write_text(f"---\n{front}\n---\nDo it.\n")
    with pytest.raises(WorkerFileError) as caught:
        read_worker(path)
    message = str(caught.value)
    assert message.startswith(str(path))
    assert len(message) <= WorkerFileError.LONGEST + 1
    assert not HIDDEN.search(message)
