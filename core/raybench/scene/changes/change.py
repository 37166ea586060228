"""The base classes of changes, and the resolution of their targets to objects."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self, dataclass_transform

from raybench.errors import RaybenchError, elide_text, in_quotes
from raybench.kinds.fields import described_fields
from raybench.kinds.object import InvalidObject, SceneObject
from raybench.phrase import Phrase
from raybench.scene.changes.values import InvalidValue, suggest_similar_names
from raybench.scene.document import EDGE_ANNOTATIONS, Document
from raybench.scene.labels import update_edge_annotations
from raybench.scene.names import UnknownName, object_named
from raybench.scene.scene import Scene

Target = int | str
"""An object's key, an object's name or alias, or the name of a group, meaning its members."""
Targets = Target | Iterable[Target]


class ChangeRefused(RaybenchError):
    """A list of changes could not be applied, so none of them was applied. ``index`` is the number
    of the change that failed, counted from 1.
    """

    def __init__(self, text: str, index: int = 1) -> None:
        super().__init__(text)
        self.index = index


class NoChanges(ChangeRefused):
    """A list of changes is empty. The message begins with the action that was not performed."""

    def __init__(self, refused: str) -> None:
        super().__init__(
            f'{refused}: the list holds no changes. Give one, such as [{{"move": "Lens", "dx":'
            " 5}]."
        )


class IncompleteChange(TypeError):
    """A class of changes is incompletely defined; the message names it and what is missing. Raised
    when the class is defined.
    """


CHANGE_TYPES: dict[str, type[Change]] = {}
"""All kinds of changes, by the key that names them in JSON: each enters itself."""


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class Change:
    """A change of a document, as a value. Each subclass is a frozen dataclass whose parameters are
    described fields (`raybench.kinds.fields`).
    """

    __dataclass_fields__: ClassVar[dict[str, dataclasses.Field[Any]]]
    verb: ClassVar[str]
    """The key that names the change in JSON; a base class has none."""
    needs: ClassVar[tuple[str, ...]] = ()
    """The parameters of which JSON must give at least one, or the change would do nothing."""
    example: ClassVar[Mapping[str, Any]] = {}
    """Values of needed parameters, as an example."""
    subject: ClassVar[str] = ""
    """The attribute whose value JSON has at the verb; without one it has the parameters there."""
    takes: ClassVar[str] = ""
    """What JSON has at the verb, in words."""
    follow: ClassVar[str] = ""
    """The attribute with fields of an object or a preset, which JSON has beside the parameters."""

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True, repr=False)(cls)
        verb = vars(cls).get("verb")
        if verb and CHANGE_TYPES.setdefault(verb, cls) is not cls:
            raise IncompleteChange(
                f"{cls.__name__} and {CHANGE_TYPES[verb].__name__} have the same verb '{verb}'."
                " Change one."
            )

    @classmethod
    def subject_from_json(cls, written: Any, unit: str) -> Any:
        """Decode the JSON value of the key that names the kind of change, such as the targets.
        ``unit`` is the document's length unit. Raises InvalidValue.
        """
        raise NotImplementedError

    def subject_to_json(self) -> Any:
        """The JSON value for the key that names the kind of change. Targets must be given by
        names.
        """
        return getattr(self, self.subject)

    def apply(self, document: Document) -> Document:
        """Return the document with this change applied. Raises a RaybenchError if it cannot be
        applied.
        """
        raise NotImplementedError

    def replace_names_by_keys(self, document: Document) -> Self:
        """The same change with the names of objects replaced by their keys in this document. Raises
        UnknownName.
        """
        return self

    def replace_keys_by_names(self, document: Document) -> Self:
        """The same change with the keys of objects replaced by their names in this document. Raises
        UnknownName if a name is ambiguous.
        """
        return self

    def describe(self, before: Document, after: Document) -> str:
        """Describe the change in words. If ``after`` is ``before``, the change has not been applied
        yet; the text then is an instruction.
        """
        raise NotImplementedError

    def merge_consecutive(self, after: Change) -> Change | None:
        """A single change with the effect of this change followed by ``after``; None if there is
        none.
        """
        return None

    def __repr__(self) -> str:
        arguments = [repr(self.subject_to_json())] if self.subject else []
        if self.follow and (values := getattr(self, self.follow)):
            arguments.append(repr(dict(values)))
        for f in described_fields(type(self)):
            if (value := getattr(self, f.name)) != f.default:
                arguments.append(f"{f.name}={value!r}")
        return f"{type(self).__name__}({', '.join(arguments)})"


Changes = Change | Iterable[Change]


class TargetedChange(Change):
    """A change that applies to objects."""

    subject = "targets"
    takes = "an object's name or a list of names"

    targets: Targets

    def __post_init__(self) -> None:
        given = self.targets
        object.__setattr__(
            self, "targets", (given,) if isinstance(given, int | str) else tuple(given)
        )

    @property
    def target_tuple(self) -> tuple[Target, ...]:
        """The targets as a tuple."""
        assert isinstance(self.targets, tuple)
        return self.targets

    def keys(self, document: Document) -> tuple[int, ...]:
        """The keys of the target objects (see `target_keys`)."""
        return target_keys(document, self.target_tuple)

    def objects(self, document: Document) -> list[SceneObject]:
        """The target objects, see `target_objects`."""
        return target_objects(document, self.target_tuple)

    def describe_targets(self, document: Document) -> str:
        """The target objects in words, see `describe_target_objects`."""
        return describe_target_objects(document, self.target_tuple)

    def replace_names_by_keys(self, document: Document) -> Self:
        return dataclasses.replace(self, targets=self.keys(document))

    def replace_keys_by_names(self, document: Document) -> Self:
        return dataclasses.replace(self, targets=object_titles(document.scene, self.keys(document)))

    @classmethod
    def subject_from_json(cls, written: Any, unit: str) -> tuple[Target, ...]:
        names = [written] if isinstance(written, str) else written
        if (
            not isinstance(names, list | tuple)
            or not names
            or not all(isinstance(name, str) and name for name in names)
        ):
            raise InvalidValue(f"'{cls.verb}' takes {cls.takes}.")
        return tuple(names)

    def subject_to_json(self) -> Any:
        return self.target_tuple[0] if len(self.target_tuple) == 1 else list(self.target_tuple)


class NamedChange(Change):
    """A change of a named entry of a document, such as a group."""

    subject = "name"

    name: str

    @classmethod
    def subject_from_json(cls, written: Any, unit: str) -> str:
        if not isinstance(written, str):
            raise InvalidValue(f"'{cls.verb}' takes {cls.takes}.")
        return written

    def check_name_known(self, noun: str, names: Collection[str]) -> None:
        """Raise InvalidValue if the name of the change is not among ``names``. ``noun`` is the word
        for the named entries in the message.
        """
        if self.name not in names:
            raise InvalidValue(
                f"There is no {noun} '{elide_text(self.name, 60)}'. {suggest_similar_names(self.name, names)}"
            )


class ValuedChange(Change):
    """A change that sets values by the names of their fields."""

    subject = "values"
    takes = "an object with the values to change"

    values: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def subject_from_json(cls, written: Any, unit: str) -> dict[str, Any]:
        if not isinstance(written, Mapping) or not written:
            raise InvalidValue(f"'{cls.verb}' takes {cls.takes}.")
        return dict(written)


def target_keys(document: Document, targets: Iterable[Target]) -> tuple[int, ...]:
    """The keys of the objects that ``targets`` name, in the given order, without duplicates.

    Raises UnknownName, or InvalidObject for an object that no longer exists.
    """
    keys = tuple(dict.fromkeys(k for target in targets for k in _keys_of_target(document, target)))
    if not keys:
        raise UnknownName("No object is named. Give a name, or a list of names.")
    return keys


def _keys_of_target(document: Document, target: Target) -> Iterable[int]:
    scene = document.scene
    if isinstance(target, int):
        if scene.get(target) is not None:
            return (target,)
        part = next((o for o in scene.expanded_objects if o.key == target), None)
        if part is None:
            raise InvalidObject("The object is no longer in the scene. Undo its deletion first.")
        target = part.title
    members = [k for k in document.groups.get(target, ()) if scene.get(k) is not None]
    if members and all(o.title != target for o in scene.objects):
        return sorted(members, key=scene.index_of)
    obj = object_named(scene, target)
    owner = scene.get(scene.instance_key_of(obj.key))
    if owner is not None and owner.key != obj.key:
        raise InvalidObject(
            f"{in_quotes(target)} is a part of {in_quotes(owner.title)} and read-only. Change the"
            " points or parameters of the instance, or expand it, after which its parts are"
            f' objects: {{"expand": {json.dumps(owner.title, ensure_ascii=False)}}}.'
        )
    return (obj.key,)


def object_titles(scene: Scene, keys: Iterable[int]) -> tuple[str, ...]:
    """The titles of the objects with these keys. Raises UnknownName if a title is ambiguous."""
    objects = [o for k in keys if (o := scene.get(k)) is not None]
    return tuple(object_named(scene, o.title).title for o in objects)


def with_changed_objects(document: Document, changed: dict[int, SceneObject]) -> Document:
    """The document with some objects changed, given by key. The same document if all are equal to
    the present objects.
    """
    if all(document.scene.get(key) in (None, obj) for key, obj in changed.items()):
        return document
    return with_objects_replaced(document, changed)


def with_objects_replaced(document: Document, new: Mapping[int, SceneObject]) -> Document:
    """The document in which the objects with some keys are replaced by new ones. Labels, coatings
    and finishes of edges are kept if the new objects still have the edges.
    """
    scene = document.scene
    new = _with_free_aliases(scene, new)
    annotations = {
        name: {
            key: (
                update_edge_annotations(old, new[key], own)
                if key in new and (old := scene.get(key)) is not None
                else own
            )
            for key, own in held.items()
        }
        for name in EDGE_ANNOTATIONS
        if (held := getattr(document, name))
    }
    after = document.with_scene(scene.with_replaced_objects(new))
    if not annotations:
        return after
    return after.with_annotations(
        **{
            name: {key: own for key, own in held.items() if own}
            for name, held in annotations.items()
        }
    )


def _with_free_aliases(scene: Scene, new: Mapping[int, SceneObject]) -> Mapping[int, SceneObject]:
    """The changed objects, by key, with new aliases where necessary: an object that lost its name
    needs a new alias if another object now has its alias as its name.
    """
    bare = [
        o
        for o in new.values()
        if not o.name and o.alias and (old := scene.get(o.key)) is not None and old.name
    ]
    if not bare:
        return new
    names = {new.get(o.key, o).name for o in scene.objects}
    return {**new, **{o.key: dataclasses.replace(o, alias="") for o in bare if o.alias in names}}


def target_objects(document: Document, targets: Iterable[Target]) -> list[SceneObject]:
    """The objects that ``targets`` name, in the given order, without duplicates."""
    return [o for k in target_keys(document, targets) if (o := document.scene.get(k)) is not None]


def describe_target_objects(document: Document, targets: Sequence[Target]) -> str:
    """The targets in words: the name of the only object, the name of the group that they form, or
    the number of objects.
    """
    if len(targets) == 1 and isinstance(targets[0], str) and targets[0] in document.groups:
        return elide_text(targets[0], 60)
    try:
        objects = target_objects(document, targets)
    except RaybenchError:
        return ", ".join(elide_text(str(t), 60) for t in targets[:3])
    if len(objects) == 1:
        return elide_text(objects[0].title, 60)
    return elide_text(document.name_of_group(o.key for o in objects), 60) or Phrase(
        "{count} objects", count=len(objects)
    )
