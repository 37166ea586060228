"""The length units of scenes."""

from __future__ import annotations

UNITS = ("nm", "µm", "mm", "cm", "m", "in")
