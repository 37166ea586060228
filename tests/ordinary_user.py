"""What an ordinary user may do, also where the superuser runs the tests, who may write anywhere."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

NOBODY = 65534


@contextlib.contextmanager
def ordinary_user() -> Iterator[None]:
    """Run as an ordinary user."""
    superuser = os.geteuid() == 0
    if superuser:
        os.setegid(NOBODY)
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        if superuser:
            os.seteuid(0)
            os.setegid(0)


@contextlib.contextmanager
def folder_of_ordinary_user() -> Iterator[Path]:
    """A temporary folder that belongs to `ordinary_user`."""
    folder = Path(tempfile.mkdtemp())
    if os.geteuid() == 0:
        os.chown(folder, NOBODY, NOBODY)
    try:
        yield folder
    finally:
        folder.chmod(0o700)
        shutil.rmtree(folder)
