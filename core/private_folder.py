"""Folders that nobody else can write to: what is loaded as code, or believed, must come from such a one."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from core.errors import RaybenchError

OTHERS = stat.S_IWGRP | stat.S_IWOTH


class NotPrivate(RaybenchError):
    """Somebody else could change what is in a folder; the text says why, and what to do."""


def private_folder(path: Path) -> Path:
    """Create a folder for this user alone (mode 0700), or check one that is there; its path with all links resolved.

    Raises NotPrivate where it is a link or no folder, where it or the folder around it belongs to somebody else or can be written by
    others, and OSError where it cannot be created. On Windows only links are looked for: a user's folders are private there.
    """
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = path.parent.resolve() / path.name
        path.mkdir(mode=0o700, exist_ok=True)
    except (FileExistsError, NotADirectoryError) as error:
        raise NotPrivate(f"{error.filename} is no folder") from None
    here = path.lstat()
    if not stat.S_ISDIR(here.st_mode):
        raise NotPrivate(f"{path} is a link. Remove it")
    if os.name == "posix":
        _check_owned(path, here, (os.geteuid(),))
        if here.st_mode & OTHERS:
            raise NotPrivate(f"{path} can be written by other users. Remove it, or run chmod go-w on it")
        _check_renaming(path.parent)
    return path


def is_private_file(path: Path) -> bool:
    """Whether a file belongs to this user, or to root, and nobody else may write it; OSError where there is none."""
    here = path.lstat()
    return stat.S_ISREG(here.st_mode) and (os.name != "posix" or (here.st_uid in (os.geteuid(), 0) and not here.st_mode & OTHERS))


def _check_renaming(outer: Path) -> None:
    """Nobody else may put another folder in the place of the one that was checked. Where anybody may write, a sticky bit prevents it."""
    around = outer.stat()
    _check_owned(outer, around, (os.geteuid(), 0))
    for folder, writers in ((outer, OTHERS), *((above, stat.S_IWOTH) for above in outer.parents)):
        mode = folder.stat().st_mode
        if mode & writers and not mode & stat.S_ISVTX:
            raise NotPrivate(f"{folder} can be written by other users. Run chmod go-w on it")


def _check_owned(path: Path, found: os.stat_result, owners: tuple[int, ...]) -> None:
    if found.st_uid not in owners:
        raise NotPrivate(f"{path} belongs to another user")
