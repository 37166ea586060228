"""The treatments of edges (coatings and finishes) as annotations of a document, by object key and
edge index.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

from raybench.scene.coatings import COATING_FORMS as COATING_FORMS
from raybench.scene.coatings import Coatings, coating_catalogue, coating_from_json
from raybench.scene.finishes import FINISH_FORMS as FINISH_FORMS
from raybench.scene.finishes import Finishes, finish_catalogue, finish_from_json
from raybench.scene.scene import Scene


class EdgeTreatment(Protocol):
    """A coating or a finish of an edge."""

    @property
    def name(self) -> str: ...
    @property
    def title(self) -> str: ...
    def to_json(self) -> dict[str, Any]: ...


@dataclass(frozen=True)
class TreatmentType:
    """A type of treatment: coating or finish. ``attribute`` is the attribute of a document with
    these treatments, which is also their key in its file.
    """

    noun: str
    attribute: str
    from_json: Callable[[Any], EdgeTreatment]
    catalogue: Callable[[], Mapping[str, tuple[EdgeTreatment, str]]]
    forms: str


COATING = TreatmentType("coating", "coatings", coating_from_json, coating_catalogue, COATING_FORMS)
FINISH = TreatmentType("finish", "finishes", finish_from_json, finish_catalogue, FINISH_FORMS)
TREATMENTS = COATING, FINISH
NO_TREATMENT = "none"
"""How it is written that an edge has no treatment."""
TARGET_KEY = "towards"
"""The key in JSON of another object that a treatment refers to."""


class EdgeTreatments(NamedTuple):
    """All treatments of the edges of a scene."""

    coatings: Coatings = MappingProxyType({})
    finishes: Finishes = MappingProxyType({})

    @property
    def by_type(
        self,
    ) -> tuple[tuple[TreatmentType, Mapping[int, Mapping[int, EdgeTreatment]]], ...]:
        """Each type of treatment, with its treatments by object key and edge index."""
        return (COATING, self.coatings), (FINISH, self.finishes)

    def at_edge(self, key: int, edge: int) -> dict[str, EdgeTreatment]:
        """The treatments of an edge of the object ``key``, by the noun of their type."""
        return {sort.noun: own[key][edge] for sort, own in self.by_type if edge in own.get(key, {})}


NO_TREATMENTS = EdgeTreatments()


def treatment_with_target(data: Any, address: Callable[[Any], Any]) -> Any:
    """The JSON of a treatment with another address of its target, which ``address`` returns;
    without a target if ``address`` returns None.
    """
    if not isinstance(data, Mapping) or TARGET_KEY not in data:
        return data
    target = address(data[TARGET_KEY])
    rest = {key: value for key, value in data.items() if key != TARGET_KEY}
    return rest if target is None else {**rest, TARGET_KEY: target}


def name_of_object(scene: Scene, key: int) -> str | None:
    """The name of the object with a key; None if it does not exist."""
    found = scene.get(key)
    return None if found is None else found.title


def treatments_to_json(
    treatments: Mapping[int, Mapping[int, EdgeTreatment]], address: Mapping[int, Any]
) -> dict[str, dict[str, Any]]:
    """The treatments of objects as JSON. ``address`` maps the keys of the objects to their
    addresses.
    """
    return {
        str(address[key]): {
            str(edge): treatment_with_target(each.to_json(), address.get)
            for edge, each in own.items()
        }
        for key, own in treatments.items()
        if key in address
    }


def treatments_from_json(
    data: Mapping[str, Any], sort: TreatmentType, address: Callable[[Any], Any]
) -> dict[int, EdgeTreatment]:
    """Decode the treatments of an object's edges. ``address`` converts the addresses of targets to
    keys. Raises the error type of the treatments.
    """
    return {
        int(edge): sort.from_json(treatment_with_target(each, address))
        for edge, each in data.items()
    }
