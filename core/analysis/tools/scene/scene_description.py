"""What is in the scene?"""

from __future__ import annotations

from core.analysis.answers.answer import Answer
from core.analysis.context import require_context
from core.analysis.scene.describe import describe_scene as scene_answer
from core.analysis.tools.plain_question import PlainQuestion
from core.analysis.tools.tool import AnalysisTool, Understanding


def describe_scene(wavelength: float = 540.0, tolerance: float = 0.0) -> Answer:
    """
    Describe the scene: its settings, every object with its properties, size and refractive index, and which bodies touch.

    Start here: the other tools take the names in this answer.

    Args:
        wavelength: Wavelength in nm for refractive indices; used only if the scene simulates colours.
        tolerance: Maximum distance, in scene units, of surfaces that count as touching; 0 for the tolerance of the tracer.

    Returns:
        Root scene.

    Raises:
        RuntimeError: If set_context() has not been called.
        ValueError: If the wavelength or the tolerance is invalid.
    """
    return scene_answer(require_context(), wavelength, tolerance)


def _understood(question: PlainQuestion) -> Understanding:
    said = question.clauses()
    scene = r"(?:what is in|describe|what does) (?:this )?(?:scene|bench)(?: contain| hold)?"
    objects = r"(?:which|what) objects (?:are there|exist|are in scene)|list (?:all )?objects"
    return said.whole({}) if said.take(f"{scene}|{objects}") else None


TOOL = AnalysisTool(function=describe_scene, asks="what is in the scene", phrases=_understood)
