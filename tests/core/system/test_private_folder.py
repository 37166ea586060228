"""A folder is believed only where nobody else could have changed what is in it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from raybench.system.private_folder import NotPrivate, is_private_file, private_folder

pytestmark = pytest.mark.skipif(os.name != "posix", reason="owners and modes of POSIX")


def test_a_private_folder_is_made_for_its_user_alone(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        made = private_folder(tmp_path / "outer/cache")
    finally:
        os.umask(before)
    assert made == (tmp_path / "outer/cache").resolve()
    assert made.stat().st_mode & 0o777 == made.parent.stat().st_mode & 0o777 == 0o700
    assert private_folder(made) == made


def test_a_link_in_the_place_of_a_private_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "theirs").mkdir()
    (tmp_path / "cache").symlink_to(tmp_path / "theirs")
    with pytest.raises(NotPrivate, match="is a link"):
        private_folder(tmp_path / "cache")


@pytest.mark.parametrize("mode", [0o777, 0o775, 0o1777])
def test_a_folder_that_others_can_write_is_refused(tmp_path: Path, mode: int) -> None:
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache").chmod(mode)
    with pytest.raises(NotPrivate, match="can be written by other users"):
        private_folder(tmp_path / "cache")


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


def test_a_folder_high_above_that_anybody_can_write_is_refused(tmp_path: Path) -> None:
    (tmp_path / "open").mkdir()
    (tmp_path / "open").chmod(0o777)
    with pytest.raises(NotPrivate, match="open can be written by other users"):
        private_folder(tmp_path / "open/mine/cache")


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give a folder away"
)
@pytest.mark.parametrize("given", ["shared/cache", "shared"])
def test_a_folder_of_another_user_is_refused(tmp_path: Path, given: str) -> None:
    (tmp_path / "shared/cache").mkdir(parents=True, mode=0o700)
    os.chown(tmp_path / given, 65534, 65534)
    with pytest.raises(NotPrivate, match="belongs to another user"):
        private_folder(tmp_path / "shared/cache")


def test_a_private_file_is_a_regular_one_that_others_cannot_write(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    (tmp_path / "file").chmod(0o644)
    assert is_private_file(tmp_path / "file")
    (tmp_path / "link").symlink_to(tmp_path / "file")
    assert not is_private_file(tmp_path / "link")
    (tmp_path / "file").chmod(0o664)
    assert not is_private_file(tmp_path / "file")
