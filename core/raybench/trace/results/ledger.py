"""The power ledger of a trace."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from raybench.trace.codes import Status


@dataclass(frozen=True)
class Ledger:
    """Where the power went: emitted + resampled + gained = escaped + absorbed + truncated + alive."""

    emitted: float = 0.0
    resampled: float = 0.0
    """Added when one weak reflection represents several."""
    gained: float = 0.0
    """Net power added by elements that do not conserve power."""
    escaped: float = 0.0
    absorbed: float = 0.0
    truncated: float = 0.0
    alive: float = 0.0
    unsent: float = 0.0
    """Power of the sources that is not emitted, for it would be more than 1 in a ray."""

    @property
    def supplied(self) -> float:
        """All power that was followed, to its end or until it was too weak."""
        return self.emitted + self.resampled + self.gained

    @property
    def truncated_share(self) -> float:
        """The part of all power that was in rays too weak to follow; 0 without light."""
        return self.truncated / self.supplied if self.supplied > 0 else 0.0

    @property
    def unsent_share(self) -> float:
        """The part of the sources' power that is not emitted; 0 without light."""
        return (
            1 - self.emitted / (self.emitted + self.unsent) if self.unsent > 0 else 0.0
        )  # the power unsent may be infinite

    @property
    def imbalance(self) -> float:
        return self.supplied - (self.escaped + self.absorbed + self.truncated + self.alive)

    @classmethod
    def of_rows(cls, c: Mapping[str, NDArray[Any]]) -> Ledger:
        """The ledger of stored columns alone: power lost at a branch counts as truncated, power
        gained there as resampled.
        """
        power, left = c["power"].sum(axis=1), c["end_power"].sum(axis=1)
        child = np.flatnonzero(c["parent"] >= 0)
        continued = np.bincount(c["parent"][child], power[child], minlength=len(power))
        branch = np.bincount(c["parent"][child], minlength=len(power)) > 0
        change = (continued - left)[branch]
        ended = {s: float(left[~branch & (c["status"] == s)].sum()) for s in Status}
        cut = ended[Status.TRUNCATED] + ended[Status.DEPTH]
        return cls(
            emitted=float(power[c["parent"] < 0].sum()),
            resampled=float(change[change > 0].sum()),
            escaped=ended[Status.ESCAPED],
            absorbed=ended[Status.ABSORBED]
            + ended[Status.ILL_DEFINED]
            + float((power - left).sum()),
            truncated=cut - float(change[change < 0].sum()),
            alive=ended[Status.ALIVE] + ended[Status.CONTINUED],
        )
