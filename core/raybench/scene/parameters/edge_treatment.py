"""Treatments of edges as parameters of studies: ``Lens:W.coating`` and
``Lens:W.coating.thickness``, ``Baffle:N.finish`` and ``Baffle:N.finish.reflectance``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from raybench.errors import RaybenchError
from raybench.kinds.object import SceneObject
from raybench.scene.changes.change import Change
from raybench.scene.changes.coating import Coat
from raybench.scene.changes.finishing import FinishEdge
from raybench.scene.coatings import FilmStack
from raybench.scene.document import Document
from raybench.scene.finishes import Finish
from raybench.scene.labels import find_edge_by_label, labelled_edges
from raybench.scene.names import object_named
from raybench.scene.treatments import COATING, FINISH, NO_TREATMENT, TREATMENTS, TreatmentType

_VALUES = r"(?:films\[(\d{1,3})\]\.)?(thickness)|(reflectance|total|roughness|deviation|A|B|g|rays)"
_WRITTEN = re.compile(rf"(.+):([^:.]+)\.(coating|finish)(?:\.({_VALUES}))?")
_PLACE = re.compile(rf"edges\[(\d+)\]\.(coating|finish)(?:\.({_VALUES}))?")
"""How a treatment of an edge, or a value of it, is written, and its place."""


class NoSuchTreatment(RaybenchError):
    """An edge has no treatment, or its treatment has no such value."""


class EdgePlace(NamedTuple):
    """A parameter of an edge: its treatment or, with a ``value``, a number of the treatment. This
    is the thickness in nm of a ``film`` of a coating, or a JSON value of a finish.
    """

    edge: int
    treatment_type: TreatmentType
    value: str = ""
    film: int = 0

    @property
    def path(self) -> str:
        """The place as text, which `edge_place_at` reads."""
        where = f"edges[{self.edge}].{self.treatment_type.noun}"
        if self.value == "thickness":
            return f"{where}.films[{self.film}].thickness"
        return f"{where}.{self.value}" if self.value else where

    @property
    def unit(self) -> str:
        """The unit of the number; for a treatment without ``value``, the unit that stands for
        choices.
        """
        units = {"": "text", "thickness": "nm", "roughness": "nm", "deviation": "deg"}
        return units.get(self.value, "")

    def change(self, target: Any, value: Any) -> Change:
        """The change that gives the edge of the object ``target`` a catalogue treatment, or sets
        its number.
        """
        edge = str(self.edge)
        if not self.value:
            chosen = "" if value == NO_TREATMENT else value
            treat = next(t for t in (Coat, FinishEdge) if t.treatment is self.treatment_type)
            return treat.from_treatment(target, edge, chosen)
        if self.treatment_type is COATING:
            return Coat(target, edge, thickness=value, film=float(self.film))
        return FinishEdge(target, edge, values={self.value: value})

    def text_in_document(self, document: Document, key: int) -> str:
        """The name of the present treatment of the edge; ``key`` is the object's key."""
        now = document.treatments.at_edge(key, self.edge).get(self.treatment_type.noun)
        return NO_TREATMENT if now is None else now.title

    def number_in_document(self, document: Document, key: int) -> float:
        """The present number of the treatment; ``key`` is the object's key. Raises
        NoSuchTreatment.
        """
        now = document.treatments.at_edge(key, self.edge).get(self.treatment_type.noun)
        if isinstance(now, FilmStack) and self.film < len(now.films):
            return now.films[self.film].nm
        if isinstance(now, Finish):
            found = now.to_json().get(self.value)
            if found is None and self.value == "total" and now.roughness is None:
                found = now.scattered_fraction(1.0, 1.0, reflected=now.scatters != "transmitted")
            if found is not None:
                return float(found)
        if self.treatment_type is FINISH:
            raise NoSuchTreatment(
                f"The edge has no finish with a value {self.value}. Give it such a finish first."
            )
        raise NoSuchTreatment("The edge has no coating with such a film. Coat it with films first.")


def edge_place_at(path: str) -> EdgePlace | None:
    """The place for a path; None if the path is not a treatment of an edge."""
    found = _PLACE.fullmatch(path)
    return _place_from_match(int(found[1]), found) if found else None


def read_edge_place(text: str, document: Document) -> tuple[int, EdgePlace] | None:
    """The object's key and the place for a text such as ``Lens:W.coating``; None if the text names
    no treatment of an edge. Raises UnknownName or UnknownEdge.
    """
    found = _WRITTEN.fullmatch(text.strip())
    if found is None:
        return None
    values = found[6] or found[7]
    if values and (values == "thickness") != (found[3] == COATING.noun):
        return None
    obj = object_named(document.scene, found[1].strip())
    edge = find_edge_by_label(obj, found[2].strip(), document.edge_labels.get(obj.key, {}))
    return obj.key, _place_from_match(edge.index, found, first=3)


def _place_from_match(edge: int, found: re.Match[str], first: int = 2) -> EdgePlace:
    sort = next(sort for sort in TREATMENTS if sort.noun == found[first])
    value = found[first + 3] or found[first + 4] or ""
    return EdgePlace(edge, sort, value, int(found[first + 2] or 0))


def edge_places(document: Document) -> Iterator[tuple[SceneObject, str, EdgePlace]]:
    """Yield the numbers of the treatments of a document's edges: the object, the text of the
    number, and its place.
    """
    for sort, treatments in document.treatments.by_type:
        for key, own in treatments.items():
            obj = document.scene.get(key)
            if obj is None:
                continue
            for edge in labelled_edges(obj, document.edge_labels.get(key, {})):
                where = f"{obj.title}:{edge.title}.{sort.noun}"
                now = own.get(edge.index)
                if isinstance(now, FilmStack):
                    yield obj, f"{where}.thickness", EdgePlace(edge.index, sort, "thickness")
                elif isinstance(now, Finish):
                    values = now.to_json()
                    for name in (k for k, v in values.items() if isinstance(v, float)):
                        yield obj, f"{where}.{name}", EdgePlace(edge.index, sort, name)
