"""What all changes share: their targets, their parameters, and how they are written in Python."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from core.errors import RaybenchError, elided, in_quotes
from core.kinds.fields import fields_of
from core.kinds.object import InvalidObject, SceneObject
from core.scene.document import Document
from core.scene.names import UnknownName, object_named
from core.scene.scene import Scene

Target = int | str
"""An object by its key, or by a name: its own, the one it was given, or a group's, which stands for its members."""
Targets = Target | Iterable[Target]


class ChangeRefused(RaybenchError):
    """A list of changes was not made, none of them; ``index`` is that of the change at fault, counted from 1."""

    def __init__(self, text: str, index: int = 1) -> None:
        super().__init__(text)
        self.index = index


@dataclass(frozen=True, repr=False)
class Change:
    """A change of a document, as a value. Parameters are described fields (`core.kinds.fields`), as those of objects are."""

    verb: ClassVar[str]
    """The key that names the change in JSON."""
    summary: ClassVar[str]
    """What it does, for a model's schema."""

    def apply(self, document: Document) -> Document:
        """The document with this change; raises a RaybenchError where it cannot be made."""
        raise NotImplementedError

    def bound(self, document: Document) -> Self:
        """The same change with keys for names, as they are in this document; raises UnknownName."""
        return self

    def named(self, document: Document) -> Self:
        """The same change with names for keys, as they are in this document; raises UnknownName where a name stands for several."""
        return self

    def words(self, before: Document, after: Document) -> str:
        """What it did, for the history; with ``before`` for both what it is to do."""
        raise NotImplementedError

    def merged(self, after: Change) -> Change | None:
        """The one change that does what this and the next one do; None where there is no such."""
        return None

    def __repr__(self) -> str:
        named = (f"{f.name}={getattr(self, f.name)!r}" for f in fields_of(type(self)) if getattr(self, f.name) != f.default)
        return f"{type(self).__name__}({', '.join([*map(repr, self._leading()), *named])})"

    def _leading(self) -> Sequence[Any]:
        """The arguments of the constructor that go without a name."""
        return ()


@dataclass(frozen=True, repr=False)
class Targeted(Change):
    """A change of some objects."""

    targets: Targets

    def __post_init__(self) -> None:
        given = self.targets
        object.__setattr__(self, "targets", (given,) if isinstance(given, int | str) else tuple(given))

    @property
    def listed(self) -> tuple[Target, ...]:
        """The targets as a tuple."""
        assert isinstance(self.targets, tuple)
        return self.targets

    def bound(self, document: Document) -> Self:
        return dataclasses.replace(self, targets=keys_of(document, self.listed))

    def named(self, document: Document) -> Self:
        return dataclasses.replace(self, targets=names_of(document.scene, keys_of(document, self.listed)))

    def _leading(self) -> Sequence[Any]:
        return (self.listed[0] if len(self.listed) == 1 else list(self.listed),)


def keys_of(document: Document, targets: Iterable[Target]) -> tuple[int, ...]:
    """The keys of the objects that some targets stand for, each once, in the order given.

    Raises UnknownName, or InvalidObject for an object that is not there any more.
    """
    found: dict[int, None] = {}
    for target in targets:
        if isinstance(target, int):
            if document.scene.get(target) is None:
                raise InvalidObject("The object is not in the scene any more. Undo its deletion first.")
            found[target] = None
        else:
            found |= dict.fromkeys(_keys_named(document, target))
    if not found:
        raise UnknownName("No object is named. Give a name, or a list of names.")
    return tuple(found)


def _keys_named(document: Document, name: str) -> Iterable[int]:
    scene = document.scene
    try:
        obj = object_named(scene, name)
    except UnknownName:
        members = [k for k in document.groups.get(name, ()) if scene.get(k) is not None]
        if not members:
            raise
        return sorted(members, key=scene.index_of)
    owner = scene.get(scene.owner_of(obj.key))
    if owner is not None and owner is not obj and owner.key != obj.key:
        raise InvalidObject(
            f"{in_quotes(name)} is a part of {in_quotes(owner.title)} and read only. Change the points or parameters of that."
        )
    return (obj.key,)


def names_of(scene: Scene, keys: Iterable[int]) -> tuple[str, ...]:
    """The names that some objects answer to. Raises UnknownName where one answers to no name of its own."""
    objects = [o for k in keys if (o := scene.get(k)) is not None]
    return tuple(object_named(scene, o.title).title for o in objects)


def with_changed(document: Document, changed: dict[int, SceneObject]) -> Document:
    """The document with other values of some objects, by key; itself where all are the same."""
    objects = document.scene.objects
    if all(o.key not in changed or changed[o.key] == o for o in objects):
        return document
    return document.with_scene(document.scene.with_objects(changed.get(o.key, o) for o in objects))


def objects_of(document: Document, targets: Iterable[Target]) -> list[SceneObject]:
    """The objects that some targets stand for."""
    return [o for k in keys_of(document, targets) if (o := document.scene.get(k)) is not None]


def whom(document: Document, targets: Sequence[Target]) -> str:
    """Some objects in words: the name of the one or of the group, or how many there are."""
    if len(targets) == 1 and isinstance(targets[0], str) and targets[0] in document.groups:
        return elided(targets[0], 60)
    try:
        objects = objects_of(document, targets)
    except RaybenchError:
        return ", ".join(elided(str(t), 60) for t in targets[:3])
    return elided(objects[0].title, 60) if len(objects) == 1 else f"{len(objects)} objects"
