"""Studies follow the names of the objects and groups that their texts name, and the labels of
edges.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Self

from raybench.analysis.measures.grammar import with_arguments
from raybench.analysis.measures.measure import Role
from raybench.analysis.measures.table import MEASURES
from raybench.analysis.paths.path_pattern import InvalidPattern
from raybench.analysis.paths.path_pattern import with_names as with_names_of_pattern
from raybench.kinds.object import SceneObject
from raybench.kinds.outline import edges_of
from raybench.scene.document import Document
from raybench.scene.labels import labelled_edges, same_labels
from raybench.scene.names import new_names
from raybench.study.request import StudyRequest
from raybench.study.terms.link import with_names
from raybench.study.terms.parameter import names_in


@dataclass(frozen=True)
class Renaming:
    """The names of objects, their parts and groups that are others after a change: ``new`` by the
    old ones. ``before`` is the document before it. ``labels`` are the labels of edges that are
    others, by the object's old name and the old label.
    """

    before: Document
    new: Mapping[str, str]
    labels: Mapping[tuple[str, str], str] = field(default_factory=dict)

    @classmethod
    def between(cls, before: Document, after: Document) -> Self | None:
        """The names that a change has changed; None if it has changed none."""
        new = new_names(before, after)
        labels = dict(_new_labels(before, after)) if before.edge_labels != after.edge_labels else {}
        return cls(before, new, labels) if new or labels else None

    def __call__(self, name: str) -> str:
        """What a name is now."""
        return self.new.get(name, name)

    def of_parameters(self, text: str) -> str:
        """A text with parameters, such as a range or a link, with the names that are now."""
        return with_names(text, self._names, self)

    def of_measures(self, text: str) -> str:
        """A text with measures, such as a goal, with the names that are now."""
        return with_arguments(text, self._argument)

    @cached_property
    def _names(self) -> list[str]:
        return names_in(self.before)

    def _argument(self, measure: str, number: int, argument: str) -> str:
        parameters = MEASURES[measure].parameters if measure in MEASURES else ()
        if number >= len(parameters):
            return argument
        match parameters[number].role:
            case Role.PATTERN | Role.EDGE:
                try:
                    return with_names_of_pattern(argument, self, self._edge)
                except InvalidPattern:
                    return argument
            case Role.ORDER:
                return argument
            case _:
                return self(argument)

    def _edge(self, name: str, label: str) -> str:
        """What the label of an edge is now."""
        if not self.labels:
            return label
        exactly = self.labels.get((name, label))
        return exactly or next(
            (
                new
                for old, new in self.labels.items()
                if (old[0], old[1].casefold()) == (name, label.casefold())
            ),
            label,
        )


def _new_labels(before: Document, after: Document) -> Iterator[tuple[tuple[str, str], str]]:
    """The labels of the user that an edge has no more, by the object's old name and the label, with
    what the edge is called instead.
    """
    objects = _objects(after)
    for key, old in _objects(before).items():
        labels, now = (d.edge_labels.get(key, {}) for d in (before, after))
        if labels == now or key not in objects:
            continue
        edges = labelled_edges(objects[key], now)
        if len(edges) == len(edges_of(old)):  # else labels have moved with their edges
            twice = same_labels(labels)
            yield from (
                ((old.title, label), edges[index].title)
                for index, label in labels.items()
                if index < len(edges) and edges[index].title != label and label not in twice
            )


def _objects(document: Document) -> dict[int, SceneObject]:
    """The objects and the parts of instances, by key."""
    return {
        o.key: o for outer in document.scene.objects for o in document.scene.with_parts_of(outer)
    }


_TEXTS: Mapping[str, Callable[[Renaming, str], str]] = {
    "vary": Renaming.of_parameters,
    "adjust": Renaming.of_parameters,
    "links": Renaming.of_parameters,
    "measures": Renaming.of_measures,
    "goals": Renaming.of_measures,
    "limits": Renaming.of_measures,
}
"""How the texts of each field of a request follow."""


def request_renamed(request: StudyRequest, renaming: Renaming) -> StudyRequest:
    """A study with the names that are now."""
    texts: dict[str, Any] = {
        name: tuple(follow(renaming, text) for text in getattr(request, name))
        for name, follow in _TEXTS.items()
    }
    return dataclasses.replace(request, **texts)


def studies_renamed(before: Document, after: Document) -> Document:
    """``after`` with saved studies that name what they named in ``before``; those that the change
    itself has changed stay.
    """
    if not after.studies or (renaming := Renaming.between(before, after)) is None:
        return after
    follows = {
        name: study for name, study in after.studies.items() if study == before.studies.get(name)
    }
    return after.annotated_with(
        studies={
            **after.studies,
            **{name: _study_renamed(study, renaming) for name, study in follows.items()},
        }
    )


def _study_renamed(study: Mapping[str, Any], renaming: Renaming) -> dict[str, Any]:
    """The JSON of a study; what in it is no list of texts stays, as another version of the program
    may have written it.
    """

    def followed(name: str, value: Any) -> Any:
        if name not in _TEXTS or isinstance(value, str) or not isinstance(value, Sequence):
            return value
        return [_TEXTS[name](renaming, text) if isinstance(text, str) else text for text in value]

    return {name: followed(name, value) for name, value in study.items()}
