"""Files of others are read in bounds: no pipe is waited for, no device read without end."""

from __future__ import annotations

import os
import threading
import tracemalloc
from pathlib import Path

import pytest

from raybench.errors import SceneFileError
from raybench.files.shared import read_shared
from raybench.system.bounded_file import read_bounded

posix = pytest.mark.skipif(os.name != "posix", reason="pipes with names, and devices")


@pytest.mark.security
def test_a_file_is_read_up_to_its_limit(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"12345")
    assert read_bounded(tmp_path / "a", 5) == b"12345"
    with pytest.raises(OSError, match="larger than 4 bytes"):
        read_bounded(tmp_path / "a", 4)
    with pytest.raises(IsADirectoryError):
        read_bounded(tmp_path, 4)


def test_a_small_file_takes_little_memory_however_large_it_might_be(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(bytes(3_000_000))
    tracemalloc.start()
    try:
        assert len(read_bounded(tmp_path / "a", 256_000_000)) == 3_000_000
        assert tracemalloc.get_traced_memory()[1] < 20_000_000
    finally:
        tracemalloc.stop()


@posix
def test_a_pipe_with_a_name_is_read_only_where_pipes_are_taken(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="not a regular file"):
        read_bounded(tmp_path / "pipe", 9)
    threading.Thread(target=(tmp_path / "pipe").write_bytes, args=(b"text",), daemon=True).start()
    assert read_bounded(tmp_path / "pipe", 9, pipes=True) == b"text"


@posix
@pytest.mark.parametrize("suffix", [".json", ".raybench"])
@pytest.mark.security
def test_what_is_named_like_a_scene_and_is_none_is_refused_at_once(
    tmp_path: Path, suffix: str
) -> None:
    os.mkfifo(tmp_path / f"pipe{suffix}")
    (tmp_path / f"device{suffix}").symlink_to("/dev/zero")
    for name in ("pipe", "device"):
        with pytest.raises(SceneFileError, match="cannot be read: not a regular file"):
            read_shared(tmp_path / f"{name}{suffix}")
    with pytest.raises(SceneFileError, match="not a regular file"):
        read_shared(Path("/dev/zero"))


def test_a_name_that_no_file_can_have_is_refused() -> None:
    for name in ("a\0b.json", "a\0b.txt"):
        with pytest.raises(SceneFileError, match="cannot be read: no file can have this name"):
            read_shared(Path(name))


@posix
def test_a_scene_comes_through_a_pipe(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    text = (
        '{"version": 5, "objs": [{"type": "SingleRay", "p1": {"x": 0, "y": 0}, "p2": {"x": 1, "y":'
        " 0}}]}"
    )
    threading.Thread(target=(tmp_path / "pipe").write_text, args=(text,), daemon=True).start()
    assert len(read_shared(tmp_path / "pipe").document.scene.objects) == 1
