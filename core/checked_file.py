"""Files that carry a checksum, so that damage is found before their content is used."""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from pathlib import Path

SIZE = hashlib.sha256().digest_size


class DamagedFile(ValueError):
    """The content of a file is not what was written to it."""


def write_checked(path: Path, content: bytes) -> None:
    """Write a file with the checksum of its content, whole or not at all; OSError if that fails."""
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
    """The content of a file from `write_checked`; DamagedFile if it was changed since, OSError if it cannot be read."""
    read = path.read_bytes()
    if hashlib.sha256(read[SIZE:]).digest() != read[:SIZE]:
        raise DamagedFile(f"{path}: the content is not what was written.")
    return read[SIZE:]
