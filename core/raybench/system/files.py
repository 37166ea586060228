"""Files and folders of the user: private folders that no other user can change, reading of files up
to a size limit, and files with a checksum.
"""

import contextlib
import errno
import hashlib
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from raybench.errors import RaybenchError
from raybench.system.interrupt import unfinished

Kind = Literal["cache", "config", "data", "state"]
FOLDER_VARIABLES: dict[Kind, str] = {
    "cache": "RAYBENCH_CACHE_DIR",
    "config": "RAYBENCH_CONFIG_DIR",
    "data": "RAYBENCH_STATE_DIR",
    "state": "RAYBENCH_STATE_DIR",
}


def user_folder(kind: Kind) -> Path:
    """The folder that an environment variable names, otherwise the system's default folder for this
    user. It may not exist.
    """
    import platformdirs

    named = os.environ.get(FOLDER_VARIABLES[kind])
    return Path(named or getattr(platformdirs, f"user_{kind}_dir")("raybench", appauthor=False))


WRITABLE_BY_OTHERS = stat.S_IWGRP | stat.S_IWOTH


class NotPrivate(RaybenchError):
    """Another user could change the contents of a folder. The message gives the reason and the
    remedy.
    """


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
        _check_file_owner(path, here, (os.geteuid(),))
        if here.st_mode & WRITABLE_BY_OTHERS:
            raise NotPrivate(
                f"{path} can be written by other users. Remove it, or run chmod go-w on it"
            )
        _check_not_replaceable(path.parent)
    return path


def is_private_file(path: Path) -> bool:
    """Whether a file belongs to this user or to root, and no other user can write to it. Raises
    OSError if it does not exist.
    """
    here = path.lstat()
    return stat.S_ISREG(here.st_mode) and (
        os.name != "posix"
        or (here.st_uid in (os.geteuid(), 0) and not here.st_mode & WRITABLE_BY_OTHERS)
    )


def _check_not_replaceable(outer: Path) -> None:
    """Raise NotPrivate if another user could replace the checked folder, because one of its parent
    folders is writable and has no sticky bit.
    """
    around = outer.stat()
    _check_file_owner(outer, around, (os.geteuid(), 0))
    for folder, writers in (
        (outer, WRITABLE_BY_OTHERS),
        *((above, stat.S_IWOTH) for above in outer.parents),
    ):
        mode = folder.stat().st_mode
        if mode & writers and not mode & stat.S_ISVTX:
            raise NotPrivate(f"{folder} can be written by other users. Run chmod go-w on it")


def _check_file_owner(path: Path, status: os.stat_result, owners: tuple[int, ...]) -> None:
    if status.st_uid not in owners:
        raise NotPrivate(f"{path} belongs to another user")


@contextlib.contextmanager
def temporary_folder() -> Iterator[Path]:
    """A context with a new private folder. The folder is removed with its contents at the end; on
    Windows, files that are open elsewhere may remain.
    """
    folder = tempfile.mkdtemp(prefix="raybench-")
    unfinished.add(folder)
    try:
        yield Path(folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        unfinished.discard(folder)


BYTES_PER_READ = 1 << 20
"""Bytes per read; each read allocates as many."""
NO_NAME = "no file can have this name"


def read_bounded(path: Path, most: int, *, pipes: bool = False) -> bytes:
    """The contents of a regular file of at most ``most`` bytes. With ``pipes`` the file may be a
    pipe, which is read until it is closed.

    Raises OSError, with the reason as its ``strerror``, if the file cannot be read, is not a
    regular file or is larger.
    """
    content = read_start(path, most + 1, pipes=pipes)
    if len(content) > most:
        raise OSError(errno.EFBIG, f"larger than {most:,} bytes", str(path))
    return content


def read_start(path: Path, most: int, *, pipes: bool = False) -> bytes:
    """The first ``most`` bytes of a regular file, or all of a smaller one. ``pipes`` and errors are
    as in `read_bounded`.
    """
    waiting = 0 if pipes else getattr(os, "O_NONBLOCK", 0)  # opening a pipe waits for a writer
    try:
        descriptor = os.open(path, os.O_RDONLY | waiting | getattr(os, "O_BINARY", 0))
    except ValueError:
        raise OSError(errno.EILSEQ, NO_NAME, str(path)) from None
    try:
        mode = os.fstat(descriptor).st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        if not stat.S_ISREG(mode) and not (pipes and stat.S_ISFIFO(mode)):
            raise OSError(errno.EINVAL, "not a regular file", str(path))
        content = bytearray()
        with os.fdopen(descriptor, "rb", closefd=False) as file:
            while len(content) < most and (
                piece := file.read(min(BYTES_PER_READ, most - len(content)))
            ):
                content += piece
    finally:
        os.close(descriptor)
    return bytes(content)


DIGEST_SIZE = hashlib.sha256().digest_size


class DamagedFile(ValueError):
    """The contents of a file do not match its checksum, or other users could have written it."""


def write_checked(path: Path, content: bytes) -> None:
    """Write a file together with the checksum of its contents, atomically. Raises OSError."""
    handle, name = tempfile.mkstemp(prefix=f"{path.name}.", suffix=".new", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(hashlib.sha256(content).digest() + content)
        os.replace(name, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise


def read_checked(path: Path) -> bytes:
    """Read a file that `write_checked` has written, and check it. Raises DamagedFile if it was
    changed since or is not private, OSError if it cannot be read.
    """
    if not is_private_file(path):  # a pipe, too, at which reading would wait
        raise DamagedFile(f"{path}: this is no regular file, or other users can write it.")
    read = path.read_bytes()
    if hashlib.sha256(read[DIGEST_SIZE:]).digest() != read[:DIGEST_SIZE]:
        raise DamagedFile(f"{path}: the content does not match its checksum.")
    return read[DIGEST_SIZE:]
