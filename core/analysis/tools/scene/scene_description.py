"""What is in the scene?"""

from __future__ import annotations

from core.analysis.answers.answer import Answer
from core.analysis.context import require_context
from core.analysis.scene.describe import describe_scene as scene_answer
from core.analysis.tools.tool import NO_PHRASES, AnalysisTool


def describe_scene(wavelength: float = 540.0, tolerance: float = 0.0) -> Answer:
    """
    Describe the scene: its settings, every object with its properties, size and refractive index, and which bodies touch.

    Start here: the names in the answer are those that the other tools take.

    Args:
        wavelength: Wavelength in nm that refractive indices are given for; it matters only where the scene simulates colours.
        tolerance: How far apart, in scene units, surfaces may lie and still count as touching; 0 for as near as a trace takes for one.

    Returns:
        Root scene.

    Raises:
        RuntimeError: If set_context() has not been called.
        ValueError: If the wavelength or the tolerance is none.
    """
    return scene_answer(require_context(), wavelength, tolerance)


TOOL = AnalysisTool(function=describe_scene, asks="what is in the scene", phrases=NO_PHRASES)
