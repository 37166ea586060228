"""Where light is lost: all losses together are what was emitted, and what is more or less is told."""

import pytest

from raybench.analysis.agentic_tools import set_context, set_context_from_result
from raybench.analysis.tools.power.losses import losses
from raybench.files.shared import read_shared
from raybench.trace.trace import trace


def test_losses_tell_resampled_light() -> None:
    scene = read_shared("example:prism").document.scene
    result = trace(scene)
    set_context_from_result(scene=scene, result=result)
    answer = losses()
    root = answer.root.attributes
    (listing,) = answer.root.children
    total = sum(loss.attributes["power"] for loss in listing)
    assert root["resampled"] == result.ledger.resampled > 0.4
    assert total == pytest.approx(root["emitted"] + root["resampled"], rel=1e-6)
    assert (
        "0.430685 (0.979 %) more than was emitted, for one weak reflection may stand for several"
        in answer.full_sentence()
    )
    assert "resampled" not in losses("Lamp").root.attributes


def test_light_of_unknown_origin() -> None:
    """Segments of another program, of which neither the source nor the object that they met before
    is in the scene.
    """
    scene = read_shared("example:prism").document.scene
    first = {"p1": (5000, 5000), "p2": (6000, 5000), "brightness_s": 1.0, "brightness_p": 0.0}
    after = {
        "p1": (6000, 5000),
        "p2": (7000, 6000),
        "brightness_s": 1.0,
        "brightness_p": 0.0,
        "parent": 0,
    }
    for segments, sentence in (
        ([first], "escapes straight from an unknown object"),
        ([first, after], "escapes after an unknown object"),
    ):
        set_context(scene, segments)
        assert sentence in losses().full_sentence()
