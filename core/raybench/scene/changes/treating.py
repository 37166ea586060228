"""The base class of changes that set the treatment of edges: a coating or a finish."""

from abc import abstractmethod
from collections.abc import Collection
from typing import Any, ClassVar, Self

from raybench.errors import RaybenchError, elide_text
from raybench.kinds.fields import string
from raybench.kinds.glasses import GlassBody
from raybench.kinds.kinds import kind_row_of
from raybench.kinds.object import SceneObject
from raybench.kinds.outline import object_edges, object_fault
from raybench.kinds.primitives import Surface
from raybench.phrase import Phrase
from raybench.scene.changes.change import TargetedChange, Targets
from raybench.scene.changes.values import InvalidValue
from raybench.scene.document import Document
from raybench.scene.labels import find_edge_by_label, labelled_edges
from raybench.scene.treatments import EdgeTreatment, TreatmentType


class TreatmentChange(TargetedChange):
    """A change of the treatment of edges, a coating or a finish."""

    treatment: ClassVar[TreatmentType]
    surfaces: ClassVar[Collection[Surface]]
    """The interactions of the objects whose edges can be treated."""
    treatable: ClassVar[str]
    """These objects in words."""
    invalid: ClassVar[type[RaybenchError]]

    edge: str = string(
        "", "Edge", help="Its index as a text, or its label, such as N; empty for all edges."
    )

    @property
    @abstractmethod
    def removes_treatment(self) -> bool:
        """Whether the change removes the treatment."""

    @abstractmethod
    def new_treatment(
        self, now: EdgeTreatment | None, obj: SceneObject, document: Document
    ) -> EdgeTreatment:
        """The treatment that replaces the treatment ``now`` of an edge. Raises a RaybenchError of
        the type ``invalid``.
        """

    @classmethod
    @abstractmethod
    def from_treatment(cls, targets: Targets, edge: str, given: Any) -> Self:
        """The change that gives an edge the treatment ``given``: a name of the catalogue or JSON,
        or an empty text to remove the treatment.
        """

    @classmethod
    def can_treat(cls, obj: SceneObject) -> bool:
        """Whether the edges of an object can be treated."""
        return isinstance(obj, GlassBody) or surface_of_object(obj) in cls.surfaces

    def apply(self, document: Document) -> Document:
        name = self.treatment.attribute
        treated = dict(getattr(document, name))
        for obj in self.objects(document):
            if not self.removes_treatment and not self.can_treat(obj):
                raise InvalidValue(
                    f"{obj.reference} cannot have {name}: only {self.treatable} can."
                )
            labels = document.edge_labels.get(obj.key, {})
            own = dict(treated.get(obj.key, {}))
            edges = (
                (find_edge_by_label(obj, self.edge, labels),)
                if self.edge
                else labelled_edges(obj, labels)
            )
            for edge in edges:
                if self.removes_treatment:
                    own.pop(edge.index, None)
                    continue
                try:
                    own[edge.index] = self.new_treatment(own.get(edge.index), obj, document)
                except self.invalid as error:
                    where = f"{obj.reference}, edge {edge.reference}"
                    raise InvalidValue(f"{where}: {error}") from None
            treated[obj.key] = own
        return document.with_annotations(**{name: {k: own for k, own in treated.items() if own}})

    def describe_edges(self, document: Document) -> str:
        """The treated edges in words."""
        objects = self.describe_targets(document)
        if not self.edge:
            return Phrase("{objects}: all edges", objects=objects)
        return Phrase("{objects}: edge {edge}", objects=objects, edge=elide_text(self.edge, 40))


def surface_of_object(obj: SceneObject) -> int:
    """The effect of an object on light, a `Surface`."""
    if object_fault(obj):
        return Surface.NONE
    return kind_row_of(obj).piece(obj, object_edges(obj)).surface
