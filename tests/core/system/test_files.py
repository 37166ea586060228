"""Files of others are read in bounds: no pipe is waited for, no device read without end. A folder is
believed only where nobody else could have changed what is in it.
"""

from __future__ import annotations

import os
import threading
import tracemalloc
from pathlib import Path

import pytest

from raybench.errors import SceneFileError
from raybench.files.shared import read_shared
from raybench.system.files import NotPrivate, is_private_file, private_folder, read_bounded

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


@posix
def test_a_private_folder_is_made_for_its_user_alone(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        made = private_folder(tmp_path / "outer/cache")
    finally:
        os.umask(before)
    assert made == (tmp_path / "outer/cache").resolve()
    assert made.stat().st_mode & 0o777 == made.parent.stat().st_mode & 0o777 == 0o700
    assert private_folder(made) == made


@posix
def test_a_link_in_the_place_of_a_private_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "theirs").mkdir()
    (tmp_path / "cache").symlink_to(tmp_path / "theirs")
    with pytest.raises(NotPrivate, match="is a link"):
        private_folder(tmp_path / "cache")


@posix
@pytest.mark.parametrize("mode", [0o777, 0o775, 0o1777])
def test_a_folder_that_others_can_write_is_refused(tmp_path: Path, mode: int) -> None:
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache").chmod(mode)
    with pytest.raises(NotPrivate, match="can be written by other users"):
        private_folder(tmp_path / "cache")


@posix
@pytest.mark.parametrize("mode", [0o777, 0o775])
def test_a_private_folder_in_one_where_others_could_replace_it_is_refused(
    tmp_path: Path, mode: int
) -> None:
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared").chmod(mode)
    with pytest.raises(NotPrivate, match="shared can be written by other users"):
        private_folder(tmp_path / "shared/cache")
    (tmp_path / "shared").chmod(mode | 0o1000)
    assert private_folder(tmp_path / "shared/cache").is_dir()


@posix
def test_a_folder_high_above_that_anybody_can_write_is_refused(tmp_path: Path) -> None:
    (tmp_path / "open").mkdir()
    (tmp_path / "open").chmod(0o777)
    with pytest.raises(NotPrivate, match="open can be written by other users"):
        private_folder(tmp_path / "open/mine/cache")


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give a folder away"
)
@posix
@pytest.mark.parametrize("given", ["shared/cache", "shared"])
def test_a_folder_of_another_user_is_refused(tmp_path: Path, given: str) -> None:
    (tmp_path / "shared/cache").mkdir(parents=True, mode=0o700)
    os.chown(tmp_path / given, 65534, 65534)
    with pytest.raises(NotPrivate, match="belongs to another user"):
        private_folder(tmp_path / "shared/cache")


@posix
def test_a_private_file_is_a_regular_one_that_others_cannot_write(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    (tmp_path / "file").chmod(0o644)
    assert is_private_file(tmp_path / "file")
    (tmp_path / "link").symlink_to(tmp_path / "file")
    assert not is_private_file(tmp_path / "link")
    (tmp_path / "file").chmod(0o664)
    assert not is_private_file(tmp_path / "file")
