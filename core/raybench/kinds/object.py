"""The base classes of scene objects, with the key, name and lock of an object and the JSON from
which it was read; and the base class of wavelength filters.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Self, TypeVar, dataclass_transform

from raybench.errors import RaybenchError, in_quotes, one_line
from raybench.kinds.fields import (
    Field,
    choice_field,
    described_fields,
    flag,
    label_in_sentence,
    number,
    string,
)
from raybench.optics.colour import GREEN
from raybench.phrase import Phrase

_keys = itertools.count(1)


def next_object_key() -> int:
    """A new key, unique within this run of the program."""
    return next(_keys)


MAX_NUMBER = 1e50
"""The largest number allowed in a scene: products of a few of them stay finite."""


def has_usable_numbers(value: Any) -> bool:
    """Whether a number is finite and at most `MAX_NUMBER` in magnitude. For nested tuples, whether
    every number in them is.
    """
    if isinstance(value, tuple):
        return all(map(has_usable_numbers, value))
    return value is None or abs(value) <= MAX_NUMBER


_CHECKED_KINDS = ("number", "coordinate", "point", "numbers", "curve", "path", "points")


def _checked_fields(kind: type[Any]) -> tuple[Field, ...]:
    """The fields of a kind whose values are checked when an object is created. The result is
    cached, since dragging a large selection creates thousands of objects.
    """
    if kind not in _checked:
        _checked[kind] = tuple(f for f in described_fields(kind) if f.about.kind in _CHECKED_KINDS)
    return _checked[kind]


_checked: dict[type[Any], tuple[Field, ...]] = {}


class InvalidObject(RaybenchError):
    """An invalid value of an object's field; the message names the object, the field and the
    remedy.
    """

    def __init__(self, text: str) -> None:
        super().__init__(one_line(text))


T = TypeVar("T")


@dataclass_transform(frozen_default=True, kw_only_default=True)
def kind(cls: type[T]) -> type[T]:
    """Class decorator that makes a class a kind of scene object: an immutable dataclass with
    keyword-only fields.
    """
    return dataclass(frozen=True, kw_only=True)(cls)


@dataclass(frozen=True, kw_only=True)
class SceneObject:
    """An object of a scene. Subclasses add described fields (`raybench.kinds.fields`).

    ``key`` identifies the object within a run of the program: kept through edits and undo, never
    saved, never reused. ``alias`` is a name that the scene assigns once to an object without a
    name. ``read`` is the JSON object it was read from.
    """

    label: ClassVar[str] = "Object"
    """The displayed name of the kind."""
    optical: ClassVar[bool] = True
    """Whether it is in the list of optical objects, which ``hit`` indexes."""
    merges_with_glass: ClassVar[bool] = False
    """Whether it may lie on a glass surface, as a coating does."""
    has_edge_table: ClassVar[bool]
    """Whether light can meet its edges, which questions on edges then list."""

    name: str = string("", "Name", help="The name used by tools and people; it should be unique.")
    locked: str = choice_field(
        "default", "Lock", ("default", "locked", "unlocked"), titles=("Default", "Locked", "Unlocked"),
        help="A locked object cannot be dragged. By default it is as the scene says.",
    )  # fmt: skip
    key: int = field(default_factory=lambda: next(_keys), compare=False)
    alias: str = field(default="", compare=False)
    read: Mapping[str, Any] = field(default_factory=dict, compare=False, repr=False)

    def __post_init__(self) -> None:
        for f in _checked_fields(type(self)):
            value = getattr(self, f.name)
            if not has_usable_numbers(value):
                self._refuse_unusable_numbers(f, value)
            if f.about.kind == "path" and value is not None:
                self._check_outline(f, value)

    def _refuse_unusable_numbers(self, f: Field, value: Any) -> None:
        """Raise InvalidObject if a field contains a number that is not usable. The error names the
        part of the field with this number.
        """
        if not isinstance(value, tuple):
            why = f"is {value}; it must be a number of at most {MAX_NUMBER:g}"
            raise self.invalid_error(f.json_name, why)
        where = f.json_name
        if f.about.kind != "point":
            where += f"[{next(i for i, part in enumerate(value) if not has_usable_numbers(part))}]"
        raise self.invalid_error(where, f"holds a number that is not one of at most {MAX_NUMBER:g}")

    def _check_outline(self, f: Field, path: Sequence[Any]) -> None:
        if len(path) < 3:
            raise self.invalid_error(
                f.json_name, f"has {len(path)} points; an outline needs at least 3"
            )
        for i, v in enumerate(path):
            if v.arc and path[(i + 1) % len(path)].arc:
                raise self.invalid_error(
                    f"{f.json_name}[{i}]",
                    "and the point after it are both arc points; an arc needs a corner on each side",
                )

    @cached_property
    def derived_values(self) -> dict[str, Any]:
        """A cache, by name, of values computed from this object alone, such as its outline. The
        cache is kept as long as the object, which is immutable.
        """
        return {}

    def __getstate__(self) -> dict[str, Any]:
        """The state to pickle, without `derived_values`."""
        return {name: value for name, value in vars(self).items() if name != "derived_values"}

    @property
    def type(self) -> str:
        """The kind's name in the file format."""
        return type(self).__name__

    @property
    def noun(self) -> str:
        """The kind's name within a sentence, such as ``spherical lens``."""
        return label_in_sentence(self.label)

    @property
    def title(self) -> str:
        """The displayed name: the object's name or, without one, its alias."""
        return self.name or self.alias or self.label

    @property
    def reference(self) -> str:
        """The text by which messages refer to the object: its name in quotes, and its kind."""
        return Phrase("{name} ({noun})", name=in_quotes(self.title), noun=Phrase(self.noun))

    @property
    def stem(self) -> str:
        """The stem of names for new objects of this kind: ``Lens`` in Lens 2."""
        return self.label

    def invalid_error(self, where: str, why: str) -> InvalidObject:
        """The error for an invalid value of the field ``where``. The reason ``why`` completes a
        sentence that begins with the name of the field.
        """
        return InvalidObject(f"{self.reference}: {where} {why}.")

    def with_fields(self, values: Mapping[str, Any], *, simulate_colors: bool = False) -> Self:
        """The object with new values of fields. A kind overrides this method if a change of one
        field changes others.
        """
        return dataclasses.replace(self, **values)

    def with_new_key(self) -> Self:
        """A copy with a new key and without an alias. It counts as a different object."""
        return dataclasses.replace(self, key=next(_keys), alias="")

    def with_key_of(self, other: SceneObject) -> Self:
        """This object with the key of ``other``. It counts as a new state of the object ``other``."""
        return dataclasses.replace(self, key=other.key)


@kind
class Filtered(SceneObject):
    """An object that can be restricted to a band of wavelengths, in scenes that simulate
    colours.
    """

    filter: bool = flag(False, "Filter", help="Act only on wavelengths within the band.")
    invert: bool = flag(False, "Invert", help="Act on wavelengths outside the band instead.")
    wavelength: float = number(
        GREEN, "Band centre", unit="nm", low=1, help="Centre of the filter's band."
    )
    bandwidth: float = number(
        10.0, "Half width", unit="nm", low=0, help="Half the width of the filter's band."
    )


Kind = TypeVar("Kind", bound=SceneObject)


def objects_of_kind(objects: Sequence[SceneObject], kind: type[Kind]) -> list[tuple[int, Kind]]:
    """The objects of a kind with their indices. It takes a glance to find that there are none."""
    kinds = {each for each in set(map(type, objects)) if issubclass(each, kind)}
    if not kinds:
        return []
    return [(i, o) for i, o in enumerate(objects) if isinstance(o, kind)]
