"""Folders that other users cannot write to: required for files that are loaded as code or trusted."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from raybench.errors import RaybenchError

OTHERS = stat.S_IWGRP | stat.S_IWOTH


class NotPrivate(RaybenchError):
    """Another user could change the contents of a folder; the message says why, and the remedy."""


def private_folder(path: Path) -> Path:
    """Create a private folder (mode 0700), or check an existing one; returns its path with all
    symbolic links resolved.

    Raises NotPrivate if it is a symbolic link or not a folder, or if it or its parent belongs to
    another user or can be written by others, and OSError if it cannot be created. On Windows only
    links are checked, since a user's folders are private there.
    """
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = path.parent.resolve() / path.name
        path.mkdir(mode=0o700, exist_ok=True)
    except (FileExistsError, NotADirectoryError) as error:
        raise NotPrivate(f"{error.filename} is not a folder") from None
    here = path.lstat()
    if not stat.S_ISDIR(here.st_mode):
        raise NotPrivate(f"{path} is a link. Remove it")
    if os.name == "posix":
        _check_owned(path, here, (os.geteuid(),))
        if here.st_mode & OTHERS:
            raise NotPrivate(
                f"{path} can be written by other users. Remove it, or run chmod go-w on it"
            )
        _check_renaming(path.parent)
    return path


def is_private_file(path: Path) -> bool:
    """Whether a file belongs to this user or to root, and no other user can write to it. Raises
    OSError if it does not exist.
    """
    here = path.lstat()
    return stat.S_ISREG(here.st_mode) and (
        os.name != "posix" or (here.st_uid in (os.geteuid(), 0) and not here.st_mode & OTHERS)
    )


def _check_renaming(outer: Path) -> None:
    """Raise NotPrivate if another user could replace the checked folder: a parent is writable and
    has no sticky bit.
    """
    around = outer.stat()
    _check_owned(outer, around, (os.geteuid(), 0))
    for folder, writers in ((outer, OTHERS), *((above, stat.S_IWOTH) for above in outer.parents)):
        mode = folder.stat().st_mode
        if mode & writers and not mode & stat.S_ISVTX:
            raise NotPrivate(f"{folder} can be written by other users. Run chmod go-w on it")


def _check_owned(path: Path, status: os.stat_result, owners: tuple[int, ...]) -> None:
    if status.st_uid not in owners:
        raise NotPrivate(f"{path} belongs to another user")
