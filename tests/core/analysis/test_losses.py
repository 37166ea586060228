"""Where light is lost: all losses together are what was emitted, and what is more or less is told."""

import pytest

from core.analysis.agentic_tools import set_context_from_result
from core.analysis.tools.power.losses import losses
from core.files.shared import read_shared
from core.trace.trace import trace


def test_what_weak_reflections_stand_for_is_told_beside_the_losses() -> None:
    scene = read_shared("example:prism").document.scene
    result = trace(scene)
    set_context_from_result(scene=scene, result=result)
    answer = losses()
    root = answer.root.attributes
    (listing,) = answer.root.children
    total = sum(loss.attributes["power"] for loss in listing)
    assert root["resampled"] == result.ledger.resampled > 0.4
    assert total == pytest.approx(root["emitted"] + root["resampled"], rel=1e-6)
    assert "0.430685 (0.979 %) more than was emitted, for one weak reflection may stand for several" in answer.full_sentence()
    assert "resampled" not in losses("Lamp").root.attributes
