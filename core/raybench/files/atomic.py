"""Writes files atomically, with a backup of the previous version.

After a kill, a power cut or a full disk, a file has either its old or its new contents, never a
part. The new contents are written to a temporary file in the same folder, which is then renamed.
Hard links to the old file keep its contents.
"""

import contextlib
import errno
import hashlib
import os
import re
import secrets
import shutil
import stat
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from raybench.errors import RaybenchError, one_line
from raybench.system.files import NO_NAME
from raybench.system.interrupt import unfinished

TEMPORARY_SUFFIX = ".tmp"
ABANDONED_SECONDS = 600.0
"""Age in seconds, since the last write, after which a temporary file counts as left behind by a
killed program.
"""
_REMEDIES = {
    errno.ENOSPC: "Free some space on this disk, or choose another one.",
    errno.EDQUOT: "Free some space in your quota, or choose another disk.",
    errno.EFBIG: "Choose a disk that supports files of this size.",
    errno.EROFS: "Choose a disk that is not read-only.",
    errno.EACCES: "Allow writing to the file and its folder, or choose another one.",
    errno.EPERM: "Allow writing to the file and its folder, or choose another one.",
    errno.ENOENT: "Create the folder, or choose another one.",
    errno.ENOTDIR: "Choose a path whose parents are folders.",
    errno.EISDIR: "Add a file name to this folder.",
    errno.ENAMETOOLONG: "Choose a shorter name.",
    errno.EILSEQ: "Choose another name.",
    errno.ELOOP: "Choose a path without a loop of symbolic links.",
}


class FileWriteError(RaybenchError):
    """A file could not be written, and the old file is unchanged. The message names the file and
    the remedy.
    """

    def __init__(self, path: Path | str, error: OSError) -> None:
        remedy = _REMEDIES.get(error.errno or 0, "Choose another folder.")
        super().__init__(
            one_line(
                f"{path}: cannot be written: {error.strerror or error}. {remedy} Nothing was"
                " changed."
            )
        )


def write_bytes(
    path: Path | str, content: bytes, *, mode: int | None = None, follow_links: bool = True
) -> None:
    """Replace the contents of a file atomically. Arguments and errors are as for `replace_file`."""
    with replace_file(path, mode=mode, follow_links=follow_links) as file:
        file.write(content)


def write_text(path: Path | str, text: str, *, mode: int | None = None) -> None:
    """Replace the contents of a file by UTF-8 text, where unpaired surrogates are escaped.
    Arguments and errors are as for `replace_file`.
    """
    write_bytes(path, text.encode("utf-8", "backslashreplace"), mode=mode)


def check_writable(path: Path | str) -> None:
    """Raise FileWriteError if it is already certain that a file cannot be written. Call it before
    contents that take long to compute.
    """
    try:
        target = _target_path(path, follow_links=True)
        if not stat.S_ISDIR(os.stat(target.parent).st_mode):
            raise OSError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
        if not os.access(
            target.parent, os.W_OK, effective_ids=os.access in os.supports_effective_ids
        ):
            raise OSError(errno.EACCES, os.strerror(errno.EACCES))
        _check_replaceable(target, follow_links=True)
    except OSError as error:
        raise FileWriteError(path, error) from None


@contextlib.contextmanager
def replace_file(
    path: Path | str, *, mode: int | None = None, follow_links: bool = True
) -> Iterator[BinaryIO]:
    """A context manager for a file that atomically replaces ``path`` when the block ends without an
    exception.

    ``mode`` are the permissions, such as 0o600; the default is those of the old file, or the umask
    for a new file. If ``path`` is a symbolic link, its target is replaced, or with
    ``follow_links=False`` the link itself. Raises FileWriteError if the file cannot be written;
    ``path`` is then unchanged.
    """
    try:
        target = _target_path(path, follow_links)
        earlier = _check_replaceable(target, follow_links)
        _remove_abandoned_files(target)
        temporary = target.with_name(
            f".{target.name[:48]}.{secrets.token_hex(8)}{TEMPORARY_SUFFIX}"
        )
        unfinished.add(str(temporary))  # it does not stay where a signal ends the process
        try:
            # private until its final permissions are set
            private = 0o666 if earlier is None and mode is None else 0o600
            descriptor = os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, private)
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
        finally:
            unfinished.discard(str(temporary))
    except OSError as error:
        raise FileWriteError(path, error) from None
    sync_folder(target.parent)


def _target_path(path: Path | str, follow_links: bool) -> Path:
    """The absolute path of the file to write. Raises OSError if no file can have this name, for
    example because of a null character.
    """
    try:
        real = os.path.realpath(path)
    except ValueError:
        raise OSError(errno.EILSEQ, NO_NAME) from None
    return Path(real if follow_links else os.path.abspath(path))


def _check_replaceable(target: Path, follow_links: bool) -> os.stat_result | None:
    """The file status of ``target``, or None if it does not exist. Raises OSError if the file must
    not be replaced.
    """
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
    # a rename only needs write permission for the folder, so check the file's permission too
    os.close(os.open(target, os.O_WRONLY))
    return earlier


def _set_permissions(descriptor: int, earlier: os.stat_result | None, mode: int | None) -> None:
    """Give a temporary file the owner, group and permissions that the final file should have."""
    if sys.platform == "win32":
        return
    wanted, own = mode, os.fstat(descriptor)
    if earlier is not None:
        if (own.st_uid, own.st_gid) != (earlier.st_uid, earlier.st_gid):
            with contextlib.suppress(
                OSError
            ):  # allowed only for the superuser or a member of the group
                os.fchown(descriptor, earlier.st_uid, earlier.st_gid)
            own = os.fstat(descriptor)
        if wanted is None:
            wanted = stat.S_IMODE(earlier.st_mode) & 0o777
            if own.st_gid != earlier.st_gid:  # do not grant one group's permissions to another
                wanted &= ~0o070
    if wanted is not None and wanted != stat.S_IMODE(
        own.st_mode
    ):  # a file system with the same for all files refuses to set them
        os.fchmod(descriptor, wanted)


def _remove_abandoned_files(target: Path) -> None:
    """Remove old temporary files for the same target, which processes that were killed have left."""
    name = re.compile(
        re.escape(f".{target.name[:48]}.") + r"[0-9a-f]{16}" + re.escape(TEMPORARY_SUFFIX)
    )
    with contextlib.suppress(OSError), os.scandir(target.parent) as entries:
        for entry in entries:
            if (
                name.fullmatch(entry.name)
                and time.time() - entry.stat(follow_symlinks=False).st_mtime > ABANDONED_SECONDS
            ):
                os.unlink(entry.path)


def sync_folder(folder: Path) -> None:
    """Flush the entries of a folder to disk, if the system supports it, so that renamed files
    survive a power cut.
    """
    if sys.platform == "win32":
        return
    # the rename is already done, so ignore file systems that cannot sync folders
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


BACKUP_SUFFIX = "~"
"""The suffix added to the name of a backup file."""


def content_digest(content: bytes) -> str:
    """A cryptographic hash of the contents of a file, as text."""
    return hashlib.sha256(content).hexdigest()


def digest_on_disk(path: Path) -> str | None:
    """The hash of a file's present contents; None if the file does not exist or cannot be read.

    Contents are compared rather than times: a file that was only touched is unchanged, and two
    writes within one clock tick differ.
    """
    try:
        if not path.is_file():
            return None
        with path.open("rb") as file:  # of any size
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None


def backup_path(path: Path) -> Path:
    """The path of a file's backup, ``NAME~`` in the same folder. For a symbolic link it is in the
    folder of the target.
    """
    real = Path(os.path.realpath(path))
    return real.with_name(real.name + BACKUP_SUFFIX)


def write_backup(path: Path, content: bytes) -> None:
    """Copy a file to its backup before ``content`` is written to it. A file that is missing or
    empty, or already has this content, is not copied.

    The copy has the file's permissions and, where the file system lets them be set, its times.
    Raises FileWriteError if it cannot be written.
    """
    backup = backup_path(path)
    try:
        if not path.is_file():
            return
        about = path.stat()
        if about.st_size == 0 or digest_on_disk(path) == content_digest(content):
            return
        earlier = path.open("rb")
    except OSError as error:
        raise FileWriteError(path, error) from None
    with (
        earlier,
        replace_file(backup, mode=stat.S_IMODE(about.st_mode) & 0o777, follow_links=False) as copy,
    ):
        shutil.copyfileobj(earlier, copy)
    with contextlib.suppress(OSError):  # a network drive may refuse it to who is not the owner
        os.utime(backup, ns=(about.st_atime_ns, about.st_mtime_ns))
