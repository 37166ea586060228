"""The line at the foot of the window."""

from __future__ import annotations

import dataclasses

from prism_window import prism_document

from raybench.trace.results.result import Ledger


def test_the_truncated_share_is_of_all_power_that_was_followed(open_window) -> None:
    window = open_window(prism_document())
    result = window.document.session.result
    # weak reflections that stand for several bring in power that the sources did not emit
    ledger = Ledger(emitted=4.0, resampled=6.0, escaped=1.0, truncated=9.0)
    window.document.show_result(dataclasses.replace(result, ledger=ledger))
    assert window.status.truncated.text() == "90 % too weak to follow"
    assert "the colour mode linear follows weaker ones" in window.status.truncated.toolTip()
    nearly = dataclasses.replace(
        ledger, emitted=9.0, escaped=14.995, truncated=0.005, resampled=6.0
    )
    window.document.show_result(dataclasses.replace(result, ledger=nearly))
    assert window.status.truncated.text() == "", "too little to change what is read"
