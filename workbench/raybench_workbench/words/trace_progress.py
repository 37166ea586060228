"""The progress of a trace in words."""

from __future__ import annotations

from raybench.trace.run.progress import Progress
from raybench_workbench.words.counts import counted

STOP = "Stop tracing and keep the rays traced so far."
"""The tool tip of a running trace."""
FAINTEST = 1e-4
"""The smallest fraction of the power that is written as a number."""


def progress_words(progress: Progress) -> str:
    """The number of segments so far, the limit if it is closer than the end of the light, and the
    fraction of light still to be traced.
    """
    segments = counted(progress.segments)
    if progress.segments / max(progress.limit, 1) > 1.0 - progress.alive:
        segments += f" of at most {counted(progress.limit)}"
    return f"{segments} segments, {_percent(progress.alive)} of the light on its way"


def _percent(part: float) -> str:
    """A fraction in per cent with two digits."""
    if 0.0 < part < FAINTEST:
        return f"below {100 * FAINTEST:g} %"
    return f"{100 * part:.0f} %" if part >= 0.0995 else f"{100 * part:.2g} %"
