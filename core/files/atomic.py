"""Replacing a file in one step: after a kill, a power cut or a full disk it holds the old contents or the new ones, never a part.

The new contents go to a temporary file in the same folder, which is then renamed. A hard link to the earlier file keeps the old contents.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import secrets
import stat
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from core.errors import RaybenchError, one_line

ENDING = ".tmp"
ABANDONED = 600.0
"""Seconds without a write after which a temporary file is one that a killed program left behind."""
_REMEDIES = {
    errno.ENOSPC: "Free some space on this disk, or choose another one.",
    errno.EDQUOT: "Free some space in your quota, or choose another disk.",
    errno.EFBIG: "Choose a disk that takes files of this size.",
    errno.EROFS: "Choose a disk that is not read-only.",
    errno.EACCES: "Allow writing to the file and its folder, or choose another one.",
    errno.EPERM: "Allow writing to the file and its folder, or choose another one.",
    errno.ENOENT: "Create the folder, or choose another one.",
    errno.ENOTDIR: "Choose a path whose parents are folders.",
    errno.EISDIR: "Add a file name to this folder.",
    errno.ENAMETOOLONG: "Choose a shorter name.",
    errno.ELOOP: "Choose a path that is not a loop of links.",
}


class FileWriteError(RaybenchError):
    """A file could not be written; the text names it and the remedy. The earlier file is whole."""

    def __init__(self, path: Path | str, error: OSError) -> None:
        remedy = _REMEDIES.get(error.errno or 0, "Choose another folder.")
        super().__init__(one_line(f"{path}: cannot be written: {error.strerror or error}. {remedy} Nothing was changed."))


def write_bytes(path: Path | str, content: bytes, *, mode: int | None = None, follow_links: bool = True) -> None:
    """Make a file hold ``content``; the arguments and errors are those of `replacing`."""
    with replacing(path, mode=mode, follow_links=follow_links) as file:
        file.write(content)


def write_text(path: Path | str, text: str, *, mode: int | None = None) -> None:
    """Make a file hold a text in UTF-8, in which half of a surrogate pair is written as its escape."""
    write_bytes(path, text.encode("utf-8", "backslashreplace"), mode=mode)


@contextlib.contextmanager
def replacing(path: Path | str, *, mode: int | None = None, follow_links: bool = True) -> Iterator[BinaryIO]:
    """A file to write to, which takes the place of ``path`` when the block ends without an exception.

    ``mode`` are the permissions, such as 0o600; without it they stay those of the earlier file, and a new file has them by the umask.
    Of a symbolic link the target is replaced, or with ``follow_links=False`` the link itself.
    Raises FileWriteError where the system refuses; then ``path`` is as it was.
    """
    try:
        target = Path(os.path.realpath(path) if follow_links else os.path.abspath(path))
        earlier = _replaceable(target, follow_links)
        _remove_abandoned(target)
        temporary = target.with_name(f".{target.name[:48]}.{secrets.token_hex(8)}{ENDING}")
        # until it has its final permissions it is the owner's alone
        descriptor = os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666 if earlier is None and mode is None else 0o600)
        try:
            try:
                _set_permissions(descriptor, earlier, mode)
                with open(descriptor, "wb", closefd=False) as file:
                    yield file
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
            os.replace(temporary, target)
        except BaseException:
            with contextlib.suppress(OSError):
                temporary.unlink()
            raise
    except OSError as error:
        raise FileWriteError(path, error) from None
    sync_folder(target.parent)


def _replaceable(target: Path, follow_links: bool) -> os.stat_result | None:
    """What is at ``target`` now, None for nothing; OSError where that must not be replaced."""
    try:
        earlier = os.stat(target, follow_symlinks=follow_links)
    except FileNotFoundError:
        return None
    if stat.S_ISLNK(earlier.st_mode):
        return None
    if stat.S_ISDIR(earlier.st_mode):
        raise OSError(errno.EISDIR, "this is a folder")
    if not stat.S_ISREG(earlier.st_mode):
        raise OSError(errno.EINVAL, "this is a device or a pipe, not a file")
    # a rename asks for permission to the folder only: ask for the file's too
    os.close(os.open(target, os.O_WRONLY))
    return earlier


def _set_permissions(descriptor: int, earlier: os.stat_result | None, mode: int | None) -> None:
    """Give a temporary file the owner, group and permissions that the file is to have."""
    if sys.platform == "win32":
        return
    wanted = mode
    if earlier is not None:
        own = os.fstat(descriptor)
        if (own.st_uid, own.st_gid) != (earlier.st_uid, earlier.st_gid):
            with contextlib.suppress(OSError):  # only the superuser may, or a member of the group
                os.fchown(descriptor, earlier.st_uid, earlier.st_gid)
            own = os.fstat(descriptor)
        if wanted is None:
            wanted = stat.S_IMODE(earlier.st_mode) & 0o777
            if own.st_gid != earlier.st_gid:  # what one group may do is not granted to another
                wanted &= ~0o070
    if wanted is not None:
        os.fchmod(descriptor, wanted)


def _remove_abandoned(target: Path) -> None:
    """Remove temporary files of the same target that a killed program left."""
    name = re.compile(re.escape(f".{target.name[:48]}.") + r"[0-9a-f]{16}" + re.escape(ENDING))
    with contextlib.suppress(OSError), os.scandir(target.parent) as entries:
        for entry in entries:
            if name.fullmatch(entry.name) and time.time() - entry.stat(follow_symlinks=False).st_mtime > ABANDONED:
                os.unlink(entry.path)


def sync_folder(folder: Path) -> None:
    """Make renames in a folder last through a power cut, where the system can."""
    if sys.platform == "win32":
        return
    # the rename is done already: a file system that cannot sync folders changes nothing about that
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
