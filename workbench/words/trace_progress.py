"""How far a trace is, in words: what is known of its end."""

from __future__ import annotations

from core.trace.run.progress import Progress
from workbench.words.counts import counted

STOP = "Stop tracing and keep the rays traced so far."
"""What a click on a trace that runs does."""
FAINTEST = 1e-4
"""The least part of the power that is told."""


def progress_words(progress: Progress) -> str:
    """The segments so far and the light that is still to be followed, which may go round for long; the limit where it is nearer."""
    segments = counted(progress.segments)
    if progress.segments / max(progress.limit, 1) > 1.0 - progress.alive:
        segments += f" of at most {counted(progress.limit)}"
    return f"{segments} segments, {_percent(progress.alive)} of the light on its way"


def _percent(part: float) -> str:
    """A part in per cent with two digits."""
    if 0.0 < part < FAINTEST:
        return f"below {100 * FAINTEST:g} %"
    return f"{100 * part:.0f} %" if part >= 0.0995 else f"{100 * part:.2g} %"
