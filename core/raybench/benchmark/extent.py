"""The extent of the benchmarks: complete, or a quick run that only checks that they work."""

from __future__ import annotations

from dataclasses import dataclass

from raybench.benchmark.scenes import SYNTHETIC


@dataclass(frozen=True)
class Extent:
    """The sizes of all measurements. ``repeats`` is the number of runs, of which the best counts."""

    repeats: int
    scenes: tuple[str, ...]
    most_segments: int
    objects: tuple[int, ...]
    """Numbers of glasses in the room scenes."""
    growth_segments: int
    waves: int
    """Terms of the index of a gradient-index medium."""
    rays: tuple[int, ...]
    edited_segments: tuple[int, ...]
    module_parts: int
    compared_segments: int
    """Number of segments for the plain kernel, whose time is proportional to the number of
    primitives.
    """
    memory_segments: int
    asked_segments: int
    listed_rays: tuple[int, ...]
    stopped_rays: int
    evaluations: int
    """Number of points of the study."""
    sensitive: int
    """Number of objects whose positions deviate."""
    cold: bool
    """Whether to measure the compilation of all kernels, which takes a minute."""
    window: bool


FULL = Extent(
    repeats=7,
    scenes=tuple(SYNTHETIC),
    most_segments=10_000_000,
    objects=(50, 500, 5_000, 50_000),
    growth_segments=400_000,
    waves=60,
    rays=(1_000, 10_000, 100_000, 1_000_000),
    edited_segments=(1_000, 10_000, 100_000),
    module_parts=3_000,
    compared_segments=200_000,
    memory_segments=5_000_000,
    asked_segments=100_000,
    listed_rays=(1_000, 100_000),
    stopped_rays=1_000_000,
    evaluations=1_000,
    sensitive=50,
    cold=True,
    window=True,
)
QUICK = Extent(
    repeats=1,
    scenes=("a_prism_1k", "b_room20_100"),
    most_segments=5_000,
    objects=(20, 100),
    growth_segments=2_000,
    waves=4,
    rays=(100, 1_000),
    edited_segments=(1_000,),
    module_parts=20,
    compared_segments=1_000,
    memory_segments=20_000,
    asked_segments=1_000,
    listed_rays=(100,),
    stopped_rays=20_000,
    evaluations=10,
    sensitive=3,
    cold=False,
    window=False,
)
