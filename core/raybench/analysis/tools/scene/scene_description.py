"""What is in the scene?"""

from __future__ import annotations

from raybench.analysis.answers.answer import Answer
from raybench.analysis.context import require_context
from raybench.analysis.scene.describe import describe_scene as scene_answer
from raybench.analysis.tools.tool import AnalysisTool
from raybench.optics.colour import GREEN


def describe_scene(wavelength: float = GREEN, tolerance: float = 0.0) -> Answer:
    """Describe the scene: its settings, every object with its properties, size and refractive
    index, and which bodies touch.

    Start here: the other tools take the names in this answer.

    Args:
        wavelength: Wavelength in nm for refractive indices; used only if the scene simulates
            colours.
        tolerance: Maximum distance, in scene units, of surfaces that count as touching; 0 for the
            tolerance of the tracer.

    Returns:
        Root scene.

    Raises:
        RuntimeError: If set_context() has not been called.
        ValueError: If the wavelength or the tolerance is invalid.
    """
    return scene_answer(require_context(), wavelength, tolerance)


TOOL = AnalysisTool(
    function=describe_scene,
    asks="what is in the scene",
    questions=(
        "What is in the scene?",
        "Describe the scene [explain summarize].",
        "Which objects are there in the scene [exist]?",
    ),
    fits=True,
    needs_light=False,
    tells_trace=True,
)
