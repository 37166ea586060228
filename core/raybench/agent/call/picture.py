"""A picture as the result of a tool."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, eq=False)
class Picture:
    """A picture, as the bytes of a PNG file. ``about`` says in JSON values what it shows, for those
    who cannot see it.
    """

    png: bytes
    about: Mapping[str, Any]
