"""The time limit of a study. When it is reached, the study returns the results so far."""

from time import monotonic

from raybench.agent.call.context import ToolContext
from raybench.errors import RaybenchError

STUDY_SECONDS = 300.0
"""Time limit of a call of a study, after which it has no result."""
SECONDS, MOST_SECONDS = 120.0, 280.0
"""Time after which a study ends with what there is: the usual, and the longest."""


class TimeLimit:
    """The time limit of a study, which starts when this object is made."""

    def __init__(self, ctx: ToolContext, seconds: float) -> None:
        if not 0 < seconds <= MOST_SECONDS:
            raise RaybenchError(
                f"seconds is {seconds:g}; give a number above 0 and at most {MOST_SECONDS:g}."
            )
        self._ctx, self._seconds, self._begun = ctx, seconds, monotonic()

    def is_over(self) -> bool:
        """Whether the study must end: its time is over, or the caller stopped it."""
        return self._ctx.cancelled or monotonic() - self._begun > self._seconds

    def note(self, done: int, of: int, what: str) -> str:
        """A note, without a full stop, on a study that ended early, with the time that the whole
        study would take; empty after a complete study.
        """
        if done >= of:
            return ""
        took = monotonic() - self._begun
        return (
            f"It ended after {took:.0f} s with {done} of {of} {what}; all would take about"
            f" {took * of / max(done, 1):.0f} s: give more seconds, or ask for fewer"
        )
