"""Problems of a scene, with remedies: file entries without effect, and unphysical or probably
unintended values.
"""

from raybench.scene.problems.problem import Problem, Remedy
from raybench.scene.problems.table import CHECKS, find_scene_problems

__all__ = ["CHECKS", "Problem", "Remedy", "find_scene_problems"]
