"""Problems of a scene: what is kept in the file but has no effect, what is physically wrong or probably not meant, and the remedies."""

from core.scene.problems.problem import Problem, Remedy
from core.scene.problems.table import CHECKS, problems_of

__all__ = ["CHECKS", "Problem", "Remedy", "problems_of"]
