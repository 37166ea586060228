"""Problems of a scene, with remedies: entries of the file without effect, and what is unphysical or
probably unintended.
"""

from raybench.scene.problems.problem import Problem, Remedy
from raybench.scene.problems.table import CHECKS, find_scene_problems

__all__ = ["CHECKS", "Problem", "Remedy", "find_scene_problems"]
