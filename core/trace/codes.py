"""The vocabularies of a trace's columns: small integers, each with the one word that stands for it in files, tables and answers."""

from __future__ import annotations

from enum import IntEnum, IntFlag
from typing import Self


class Word(IntEnum):
    """A code with a word: its name in lower case, such as ``ill_defined``."""

    @property
    def word(self) -> str:
        return self.name.lower()

    @classmethod
    def words(cls) -> tuple[str, ...]:
        """The words of all codes, in order of the codes."""
        return tuple(code.word for code in cls)

    @classmethod
    def parse(cls, text: str) -> Self | None:
        """The code with a word, None for an unknown one. Case does not matter, a hyphen or a space may be written for an underscore."""
        spelled = text.strip().lower().replace("-", "_").replace(" ", "_")
        return next((code for code in cls if code.word == spelled), None)


class Interaction(Word):
    """How a segment came to be."""

    SOURCE = 0
    REFLECT = 1
    REFRACT = 2
    TIR = 3
    LENS = 4
    SPLIT = 5
    DIFFRACT = 6
    DETECT = 7
    GRIN = 8
    CUSTOM = 9


class Status(Word):
    """What became of a segment at its end."""

    CONTINUED = 0
    """It met an object and its light went on, in one or more segments."""
    ESCAPED = 1
    """It met nothing."""
    ABSORBED = 2
    """A blocker took it."""
    TRUNCATED = 3
    """All that would have gone on was too weak to follow."""
    DEPTH = 4
    """It reached the scene's largest depth."""
    ILL_DEFINED = 5
    """It met a corner, or surfaces that contradict each other, and was stopped there."""
    ALIVE = 6
    """Tracing ended before its light went on."""


class Flag(IntFlag):
    """Facts about a segment, or about what happens at its end."""

    TIR = 1
    """The segment was totally reflected at its start."""
    CAUSES_TIR = 2
    """It is totally reflected at its end."""
    GRAZING = 4
    """It leaves a surface that was met at grazing incidence."""
    CAUSES_GRAZING = 8
    """It meets a surface at grazing incidence: within 5° of the critical angle, or of 90° where there is none."""
    RESAMPLED = 16
    """It stands for several weak reflections of its kind, and carries their power."""
    GAP = 32
    """The neighbouring ray of its bundle took another way, so that the two form no image."""
    NEW = 64
    """It comes straight from a source."""
    FIRST = 128
    """It is the first of a sweep: the row before is not its neighbour."""


class Completion(IntEnum):
    """How a trace ended."""

    COMPLETE = 0
    SEGMENT_LIMIT = 1
    MEMORY_LIMIT = 2
    CANCELLED = 3
    """Stopped by a person: what is there is valid, but partial."""
    REDUCED = 4
    """Only part of the rays were traced, to keep up with a drag."""

    @property
    def text(self) -> str:
        return ("complete", "segment limit", "memory limit", "cancelled", "reduced")[self]
