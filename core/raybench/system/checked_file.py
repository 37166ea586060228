"""Files with a checksum, so that damage is detected before their content is used."""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from pathlib import Path

SIZE = hashlib.sha256().digest_size


class DamagedFile(ValueError):
    """The content of a file does not match its checksum."""


def write_checked(path: Path, content: bytes) -> None:
    """Write a file with the checksum of its content, atomically. Raises OSError."""
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
    """Read the content of a file written by `write_checked`. Raises DamagedFile if it was changed
    since, OSError if it cannot be read.
    """
    read = path.read_bytes()
    if hashlib.sha256(read[SIZE:]).digest() != read[:SIZE]:
        raise DamagedFile(f"{path}: the content does not match its checksum.")
    return read[SIZE:]
