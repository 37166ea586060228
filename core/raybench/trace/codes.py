"""The integer codes in the columns of a trace. Each has a word that represents it in files, tables
and answers.
"""

from enum import IntEnum, IntFlag
from typing import Self


class Word(IntEnum):
    """An integer code with a word, which is its name in lower case, such as ``ill_defined``."""

    @property
    def word(self) -> str:
        return self.name.lower()

    @classmethod
    def words(cls) -> tuple[str, ...]:
        """The words of all codes, in the order of the codes."""
        return tuple(code.word for code in cls)

    @classmethod
    def parse(cls, text: str) -> Self | None:
        """The code with this word, or None if there is none. Case is ignored; hyphens and spaces
        count as underscores.
        """
        spelled = text.strip().lower().replace("-", "_").replace(" ", "_")
        return next((code for code in cls if code.word == spelled), None)


class Interaction(Word):
    """The interaction at which a segment begins."""

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
    SCATTER = 10
    POLARIZE = 11
    """It passed through a polarizer, a wave plate or a rotator."""


class Status(Word):
    """What happens at the end of a segment."""

    CONTINUED = 0
    """It hit an object and continued in one or more segments."""
    ESCAPED = 1
    """It hit nothing."""
    ABSORBED = 2
    """It was absorbed by a blocker."""
    TRUNCATED = 3
    """All rays that would have continued were too weak to follow."""
    DEPTH = 4
    """It reached the scene's maximum depth."""
    ILL_DEFINED = 5
    """It hit a corner or conflicting surfaces, where no interaction is defined, and was stopped
    there.
    """
    ALIVE = 6
    """Tracing ended before it was continued."""


class Flag(IntFlag):
    """Properties of a segment, or of the interaction at its end."""

    TIR = 1
    """The segment was totally reflected at its start."""
    CAUSES_TIR = 2
    """It is totally reflected at its end."""
    GRAZING = 4
    """It starts at a surface that was hit at grazing incidence."""
    CAUSES_GRAZING = 8
    """It hits a surface at grazing incidence: within 5° of the critical angle, or of 90° where
    there is none.
    """
    RESAMPLED = 16
    """It represents several weak reflections, and carries their power."""
    GAP = 32
    """The neighbouring ray of its bundle took another path, so that the two form no image."""
    NEW = 64
    """It comes straight from a source."""
    COUNTED = 128
    """Detectors that lie on the object at its end count it, too: see
    `raybench.trace.results.detectors`.
    """
    FIRST = 256
    """It is the first of a sweep over the queue: the preceding row is not a neighbour."""


class Met(IntFlag):
    """What the light of a kept row has met (`raybench.trace.keep.Kept.met`), beside objects."""

    REFLECTED = 1 << 61
    """It was partially reflected at glass."""
    ODD = 1 << 62
    """That happened an odd number of times."""
    SCATTERED = 1 << 63
    """It was scattered."""


NO_ORDER = -(2**31)
"""The order of a segment whose light has met no grating; 0 is the zeroth order of one."""


class Completion(IntEnum):
    """How a trace ended."""

    COMPLETE = 0
    SEGMENT_LIMIT = 1
    MEMORY_LIMIT = 2
    CANCELLED = 3
    """Stopped by the user: the rows are valid, but partial."""
    REDUCED = 4
    """Only part of the rays were traced, to keep a drag responsive or to show light early."""

    @property
    def text(self) -> str:
        return ("complete", "segment limit", "memory limit", "cancelled", "reduced")[self]
