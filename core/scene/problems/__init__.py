"""Problems of a scene, with remedies: entries of the file without effect, and what is unphysical or probably unintended."""

from core.scene.problems.problem import Problem, Remedy
from core.scene.problems.table import CHECKS, problems_of

__all__ = ["CHECKS", "Problem", "Remedy", "problems_of"]
