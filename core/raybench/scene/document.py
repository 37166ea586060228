"""A document: a scene, with annotations that the scene format cannot store, a revision and units of
length and power.
"""

import dataclasses
import itertools
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Protocol, Self
from weakref import WeakValueDictionary

from raybench.kinds.object import SceneObject
from raybench.scene import RELATIVE
from raybench.scene.background import Background
from raybench.scene.coatings import Coatings
from raybench.scene.finishes import Finish, Finishes
from raybench.scene.measurements import Measurement, Pin, update_measurements
from raybench.scene.parts import Part, Parts, remaining_parts
from raybench.scene.saved_view import SavedView
from raybench.scene.scene import Scene
from raybench.scene.sheet import Sheet
from raybench.scene.slider_range import SliderRange
from raybench.scene.treatments import TREATMENTS, EdgeTreatments

if TYPE_CHECKING:
    from raybench.scene.parameters.link import Link


class HasRevision(Protocol):
    """A value with a revision number, such as a `raybench.scene.document.Document`."""

    @property
    def revision(self) -> int: ...


_revisions, _trial_revisions = itertools.count(1), itertools.count(-1, -1)
_trying: ContextVar[bool] = ContextVar("trying", default=False)
_states: WeakValueDictionary[int, HasRevision] = WeakValueDictionary()
"""The states that sessions have gone through and that still exist: in a history, or held by a
context.
"""
_superseded: WeakValueDictionary[int, HasRevision] = WeakValueDictionary()
"""Those of them that are not current."""


def next_revision() -> int:
    """A new revision number, which is unique in this process. It is below 0 within
    `use_negative_revisions`.
    """
    return next(_trial_revisions if are_revisions_negative() else _revisions)


def are_revisions_negative() -> bool:
    """Whether the current code runs within `use_negative_revisions`."""
    return _trying.get()


@contextmanager
def use_negative_revisions() -> Iterator[None]:
    """A context in which new documents get revision numbers below 0. It is used for temporary
    documents, so that the numbers of an open document continue without a gap.
    """
    token = _trying.set(True)
    try:
        yield
    finally:
        _trying.reset(token)


def record_new_state(before: HasRevision, after: HasRevision) -> None:
    """Record that an edit or an undo changed the document of a session from the state ``before`` to
    ``after``.

    The record exists as long as the states do, so that the thousands of intermediate states of a
    drag take no memory.
    """
    _states[before.revision], _states[after.revision] = before, after
    _superseded[before.revision] = before
    _superseded.pop(after.revision, None)


def state_of_revision(revision: int) -> HasRevision | None:
    """The document state with this revision. None if no session has changed it, or if it no longer
    exists.

    Keep a reference to the state as long as `is_superseded` is called for it.
    """
    return _states.get(revision)


def is_superseded(revision: int) -> bool:
    """Whether the document with this revision has been changed since. The state with this revision
    must still exist.
    """
    return revision in _superseded


EdgeLabels = Mapping[int, Mapping[int, str]]
"""The user's labels of edges, by the key of the object and the index of the edge."""
EDGE_ANNOTATIONS = "edge_labels", *(sort.attribute for sort in TREATMENTS)
"""The attributes of a document with annotations of edges, by the key of the object and the index of
the edge.
"""
Groups = Mapping[str, frozenset[int]]
"""Keys of objects, by the names of groups."""
NO_ANNOTATIONS: Mapping[Any, Any] = MappingProxyType({})
"""No annotations of a sort."""


@dataclass(frozen=True, kw_only=True)
class Document:
    """An immutable document. ``revision`` identifies its state: undo restores an earlier document
    with its earlier revision.

    ``edge_labels``, ``coatings`` and ``finishes`` map an object's key to labels, coatings and
    finishes by edge index. ``disabled`` holds the keys of objects that do not affect light,
    ``hidden`` those of objects that are not drawn. ``groups`` maps group names to object keys.
    ``studies`` maps names to studies as JSON (`raybench.study.request`). ``background`` is a
    picture behind the scene; ``measurements`` are drawn over the scene, by name. ``views`` are
    saved views by name, ``sheet`` is the page on which figures of the scene are drawn. ``parts``
    are the data from which objects were made, as long as the objects match them
    (`raybench.scene.parts`). ``links`` are the linked numbers, each after the links that it depends
    on (`raybench.scene.parameters.following`). ``sliders`` maps names of numbers to the ranges of
    their sliders. ``unit`` is the length unit of the scene, ``power_unit`` the unit of powers
    (`raybench.scene.POWER_UNITS`). ``kept`` are unknown entries of the file, which are written
    back.
    """

    scene: Scene = Scene()
    edge_labels: EdgeLabels = field(default_factory=lambda: NO_ANNOTATIONS)
    coatings: Coatings = field(default_factory=lambda: NO_ANNOTATIONS)
    finishes: Finishes = field(default_factory=lambda: NO_ANNOTATIONS)
    disabled: frozenset[int] = frozenset()
    hidden: frozenset[int] = frozenset()
    groups: Groups = field(default_factory=lambda: NO_ANNOTATIONS)
    unit: str = "mm"
    power_unit: str = RELATIVE
    studies: Mapping[str, Mapping[str, Any]] = field(default_factory=lambda: NO_ANNOTATIONS)
    background: Background | None = None
    measurements: Mapping[str, Measurement] = field(default_factory=lambda: NO_ANNOTATIONS)
    views: Mapping[str, SavedView] = field(default_factory=lambda: NO_ANNOTATIONS)
    sheet: Sheet | None = None
    parts: Parts = ()
    links: "tuple[Link, ...]" = ()
    sliders: Mapping[str, SliderRange] = field(default_factory=lambda: NO_ANNOTATIONS)
    kept: Mapping[str, Any] = field(
        default_factory=lambda: NO_ANNOTATIONS, compare=False, repr=False
    )
    revision: int = field(default_factory=next_revision, compare=False)

    def with_more_rays(self, times: float) -> Self:
        """The document with about ``times`` as many rays, but the same revision, for traces that
        are only measured. See `Scene.with_more_rays`. Raises InvalidDensity.
        """
        if times == 1:
            return self
        return dataclasses.replace(self, scene=self.scene.with_more_rays(times))

    def with_scene(self, scene: Scene) -> Self:
        """The document with another scene and a new revision. The same document if the scene is
        equal.
        """
        if scene is self.scene:
            return self
        return dataclasses.replace(
            self,
            scene=scene,
            measurements=update_measurements(self.measurements, self.scene, scene),
            parts=remaining_parts(self.parts, self.scene, scene),
            revision=next_revision(),
        )

    def with_annotations(self, **changes: Any) -> Self:
        """The document with other annotations and a new revision. The same document if nothing
        changes.
        """
        new = dataclasses.replace(self, **changes)
        return self if new == self else dataclasses.replace(new, revision=next_revision())

    def with_new_keys(self, keys: Mapping[int, Collection[int]]) -> Self:
        """The document with other keys in its annotations. Each key is replaced by the keys to
        which ``keys`` maps it, possibly none. A group without objects is removed. Points of a
        measurement stay attached to an object that has exactly one new key. Links of removed
        objects are removed.
        """

        def replaced_keys(held: Iterable[int]) -> frozenset[int]:
            return frozenset(new for key in held for new in keys.get(key, (key,)))

        def move_pin(pin: Pin) -> Pin:
            new = keys.get(-1 if pin.key is None else pin.key, ())
            return dataclasses.replace(pin, key=next(iter(new))) if len(new) == 1 else pin

        groups = {name: replaced_keys(held) for name, held in self.groups.items()}
        return self.with_annotations(
            parts=tuple(part.with_new_keys(keys) for part in self.parts),
            **{
                name: {
                    new: annotations_with_new_targets(own, keys)
                    for k, own in getattr(self, name).items()
                    for new in replaced_keys((k,))
                }
                for name in EDGE_ANNOTATIONS
            },
            disabled=replaced_keys(self.disabled),
            hidden=replaced_keys(self.hidden),
            groups={name: held for name, held in groups.items() if held},
            links=tuple(moved for link in self.links if (moved := link.with_new_keys(keys))),
            measurements={
                name: dataclasses.replace(m, pins=tuple(map(move_pin, m.pins)))
                for name, m in self.measurements.items()
            },
        )

    @property
    def treatments(self) -> EdgeTreatments:
        """The coatings and finishes of the document's edges."""
        return EdgeTreatments(self.coatings, self.finishes)

    def has_same_light_as(self, other: Self) -> bool:
        """Whether another state of the document has the same rays with the same powers, for example
        if only labels differ.
        """
        return (
            self.scene is other.scene
            and self.disabled == other.disabled
            and self.power_unit == other.power_unit
            and self.treatments == other.treatments
        )

    @property
    def source_unit(self) -> str:
        """The unit of the powers of sources; empty if powers are relative."""
        return {RELATIVE: "", "lm": "W"}.get(self.power_unit, self.power_unit)

    @property
    def drawn_objects(self) -> tuple[SceneObject, ...]:
        """The objects that are drawn: all objects of the scene, and the parts of instances of
        modules.
        """
        if not self.hidden:
            return self.scene.expanded_objects
        return tuple(
            p
            for o in self.scene.objects
            if o.key not in self.hidden
            for p in self.scene.parts_of(o)
        )

    def name_of_group(self, keys: Iterable[int]) -> str:
        """The name of the group that consists of exactly these objects; empty if there is none."""
        objects = frozenset(keys)
        return next(
            (
                name
                for name, held in self.groups.items()
                if {k for k in held if self.scene.get(k) is not None} == objects
            ),
            "",
        )

    def part_of_objects(self, keys: Iterable[int]) -> Part | None:
        """The part that consists of the objects with these keys: exactly its objects, or a group
        that contains the whole part and no other part.
        """
        chosen = frozenset(keys)
        held = [p for p in self.parts if p.present_objects.keys() <= chosen]
        is_whole = len(held) == 1 and (
            held[0].present_objects.keys() == chosen or bool(self.name_of_group(chosen))
        )
        return held[0] if is_whole else None

    def part_of_object(self, key: int) -> Part | None:
        """The part that an object belongs to."""
        return next((p for p in self.parts if key in p.keys), None)

    def part_name(self, part: Part) -> str:
        """The name of a part: the name of its only object or of the smallest group that holds all
        its objects, or else of its preset.
        """
        keys = part.present_objects.keys()
        if len(keys) == 1 and (only := self.scene.get(next(iter(keys)))) is not None:
            return only.title
        groups = [(len(held), name) for name, held in self.groups.items() if keys <= held]
        return min(groups)[1] if groups else part.preset.label

    def groups_within(self, keys: Collection[int]) -> dict[str, frozenset[int]]:
        """The groups whose objects all have keys in ``keys``, by name."""
        groups = {
            name: frozenset(k for k in held if self.scene.get(k) is not None)
            for name, held in self.groups.items()
        }
        return {name: held for name, held in groups.items() if held and held.issubset(keys)}

    def keys_grouped_with(self, key: int) -> frozenset[int]:
        """The key of an object, and the keys of all objects in the same groups."""
        held = (keys for keys in self.groups.values() if key in keys)
        return frozenset(k for keys in held for k in keys if self.scene.get(k) is not None) | {key}


def annotations_with_new_targets(
    own: Mapping[int, Any], keys: Mapping[int, Collection[int]]
) -> dict[int, Any]:
    """The annotations of an object's edges after objects got other keys. A finish keeps its target
    if the target has exactly one new key.
    """

    def aim_at_new_key(annotation: Any) -> Any:
        if not isinstance(annotation, Finish) or annotation.towards is None:
            return annotation
        new = keys.get(annotation.towards, (annotation.towards,))
        return dataclasses.replace(annotation, towards=next(iter(new)) if len(new) == 1 else None)

    return {edge: aim_at_new_key(each) for edge, each in own.items()}
