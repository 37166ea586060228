"""Renaming of objects, groups and edges: the names that a change replaces, and the update of texts
that contain parameters.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Self

from raybench.kinds.object import SceneObject
from raybench.kinds.outline import object_edges
from raybench.scene.document import Document
from raybench.scene.labels import duplicate_labels, labelled_edges
from raybench.scene.names import changed_names
from raybench.scene.parameters.link import replace_names_in_formula
from raybench.scene.parameters.parameter import parameter_owner_names


@dataclass(frozen=True)
class Renaming:
    """The names that a change of the document ``before`` replaces. ``new`` maps old to new names of
    objects, parts and groups. ``labels`` maps an object's old name and an edge's old label to the
    new label.
    """

    before: Document
    new: Mapping[str, str]
    labels: Mapping[tuple[str, str], str] = field(default_factory=dict)

    @classmethod
    def between(cls, before: Document, after: Document) -> Self | None:
        """The renaming between two states of a document; None if nothing is renamed."""
        new = changed_names(before, after)
        labels = (
            dict(_replaced_edge_labels(before, after))
            if before.edge_labels != after.edge_labels
            else {}
        )
        return cls(before, new, labels) if new or labels else None

    def __call__(self, name: str) -> str:
        """The current name for an old name."""
        return self.new.get(name, name)

    def rename_in_parameters(self, text: str) -> str:
        """Replace old names by current ones in a text with parameters, such as a range or a link."""
        names = self._names_before_change
        return replace_names_in_formula(text, names, self, self.edge_label)

    @cached_property
    def _names_before_change(self) -> list[str]:
        return parameter_owner_names(self.before)

    def edge_label(self, name: str, label: str) -> str:
        """The current label of an edge for its old label."""
        folded = {(of, old.casefold()): new for (of, old), new in self.labels.items()}
        return self.labels.get((name, label)) or folded.get((name, label.casefold()), label)


def _replaced_edge_labels(
    before: Document, after: Document
) -> Iterator[tuple[tuple[str, str], str]]:
    """Yield the user's edge labels that a change replaces: a pair of the object's old name and the
    old label, and the new label.
    """
    objects = _objects_by_key(after)
    for key, old in _objects_by_key(before).items():
        labels, now = (d.edge_labels.get(key, {}) for d in (before, after))
        if labels == now or key not in objects:
            continue
        edges = labelled_edges(objects[key], now)
        if len(edges) == len(object_edges(old)):  # else labels have moved with their edges
            twice = duplicate_labels(labels)
            yield from (
                ((old.title, label), edges[index].title)
                for index, label in labels.items()
                if index < len(edges) and edges[index].title != label and label not in twice
            )


def _objects_by_key(document: Document) -> dict[int, SceneObject]:
    """All objects and all parts of instances, by key."""
    return {
        o.key: o for outer in document.scene.objects for o in document.scene.with_parts_of(outer)
    }
