"""Presets: lenses, prisms and small systems that are made as objects of a scene from a few numbers,
such as a focal length. See README.md.
"""

from raybench.presets import centred_lens, lenses, prisms, systems
from raybench.presets.preset import FAMILIES, PRESETS, IncompletePreset, InvalidPreset, Preset

__all__ = [
    "FAMILIES",
    "PRESETS",
    "IncompletePreset",
    "InvalidPreset",
    "Preset",
    "centred_lens",
    "lenses",
    "prisms",
    "systems",
]
