"""A problem of a scene, and the changes that fix it."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from raybench.errors import one_line
from raybench.kinds.object import SceneObject
from raybench.scene.changes import Change
from raybench.scene.scene import Scene


@dataclass(frozen=True)
class Remedy:
    """Changes that fix a problem; ``text`` is an instruction such as "Delete it"."""

    text: str
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem of a scene. ``key`` is the key of the object that has it, None for a problem of the
    scene itself.
    """

    key: int | None
    text: str
    remedy: Remedy | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", one_line(self.text))


Finding = tuple[str, Remedy | None]
"""A problem of an object, as a sentence with its name, and a remedy if there is one."""


@dataclass(frozen=True)
class ProblemCheck:
    """A row in the table of checks. It checks either each object by itself, the user's edge labels,
    the scene itself, or several objects together, in this case without disabled objects.
    """

    about: str
    of_object: Callable[[SceneObject], Iterator[Finding]] | None = None
    of_labels: Callable[[SceneObject, Mapping[int, str]], Iterator[Finding]] | None = None
    of_scene: Callable[[Scene], Iterator[Problem]] | None = None
    together: Callable[[Scene], Iterator[Problem]] | None = None
