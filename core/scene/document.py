"""A document: the scene and what its file format cannot hold."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Self

from core.revision import next_revision
from core.scene.scene import Scene

UNITS = ("nm", "µm", "mm", "cm", "m", "in")
_NONE: Mapping[int, Mapping[int, str]] = MappingProxyType({})
_NO_GROUPS: Mapping[str, frozenset[int]] = MappingProxyType({})


@dataclass(frozen=True, kw_only=True)
class Document:
    """An immutable document. ``revision`` belongs to the value: going back to a document goes back to its revision.

    ``edge_labels`` maps an object's key to its edges' labels by index; ``disabled`` and ``hidden`` are keys of objects that light and
    eyes pass; ``groups`` maps names to the keys of objects that belong together; ``unit`` is what one scene unit is called. ``read`` is
    the JSON of the file it came from, beside the scene.
    """

    scene: Scene = Scene()
    edge_labels: Mapping[int, Mapping[int, str]] = field(default_factory=lambda: _NONE)
    disabled: frozenset[int] = frozenset()
    hidden: frozenset[int] = frozenset()
    groups: Mapping[str, frozenset[int]] = field(default_factory=lambda: _NO_GROUPS)
    unit: str = "mm"
    read: Mapping[str, Any] = field(default_factory=dict, compare=False, repr=False)
    revision: int = field(default_factory=next_revision, compare=False)

    def with_scene(self, scene: Scene) -> Self:
        """The document with another scene, under a new revision; itself if nothing changed."""
        return self if scene is self.scene else dataclasses.replace(self, scene=scene, revision=next_revision())

    def annotated_with(self, **changes: Any) -> Self:
        """The document with other annotations, under a new revision; itself if nothing changed."""
        new = dataclasses.replace(self, **changes)
        return self if new == self else dataclasses.replace(new, revision=next_revision())

    @property
    def annotated(self) -> bool:
        """Whether a plain scene file would drop something."""
        return bool(self.edge_labels or self.disabled or self.hidden or self.groups) or self.unit != "mm"
