"""Copies of objects with their annotations."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace

from raybench.errors import elide_text
from raybench.kinds.aspects.similarity import Similarity
from raybench.kinds.fields import LENGTH, described_field, number
from raybench.kinds.kinds import kind_row_of
from raybench.kinds.module_instance import ModuleObj
from raybench.kinds.object import SceneObject
from raybench.kinds.unread import UnreadObject
from raybench.phrase import Phrase
from raybench.scene.changes.change import TargetedChange, with_changed_objects
from raybench.scene.changes.objects import check_object_count, with_objects_checked
from raybench.scene.changes.values import InvalidValue
from raybench.scene.document import EDGE_ANNOTATIONS, Document, annotations_with_new_targets
from raybench.scene.free_names import free_name, free_names, name_without_number
from raybench.scene.handles import retarget_copies
from raybench.scene.measurements import copy_measurements
from raybench.scene.parameters.following import rename_in_links, with_link

MAX_COPIES = 1000
"""Copies of an object that one change makes."""


class Duplicate(TargetedChange):
    """Add copies of objects, each shifted relative to the copy before. A copy of "Prism" is named
    "Prism 2" unless a name is given. The default shift is one grid step.

    Copies have the edge labels, coatings and finishes of their originals, and are disabled or
    hidden if the originals are. If all objects of a group are copied, the copies form a group. If
    all points of a measurement are on copied objects, the measurement is copied too.
    """

    verb = "duplicate"

    dx: float | None = described_field(
        "number", None, "dx", unit=LENGTH, help="To the right; without dx and dy, one grid step."
    )
    dy: float | None = described_field("number", None, "dy", unit=LENGTH, help="Downwards.")
    count: float = number(
        1,
        "Copies",
        low=1,
        high=MAX_COPIES,
        help="How many copies of each object, each shifted from the one before.",
    )
    as_: str = described_field(
        "text",
        "",
        "Name",
        help="The name of the copy, or of a group of the copies where they are several.",
    )
    made: dict[tuple[int, int], SceneObject] = field(default_factory=dict, compare=False)
    """The first copies made, by their number and the originals' keys: each time this change is
    applied the copies have their keys.
    """

    @property
    def copies(self) -> list[int]:
        """The keys of the copies. Empty before the change is applied."""
        return [copy.key for copy in self.made.values()]

    def apply(self, document: Document) -> Document:
        if self.count not in range(1, MAX_COPIES + 1):
            raise InvalidValue(
                f"The count of copies must be a whole number from 1 to {MAX_COPIES}; {self.count:g}"
                " is not."
            )
        step = document.scene.settings.grid_size
        unshifted = self.dx is None and self.dy is None
        dx, dy = (step, step) if unshifted else (self.dx or 0.0, self.dy or 0.0)
        originals, there = self.objects(document), document.scene.objects
        name = self.as_.strip()
        if name and (name in document.groups or any(o.title == name for o in there)):
            raise InvalidValue(
                f"There is a '{elide_text(name, 60)}' already. Give the copy another name."
            )
        shifts = [(dx * k, dy * k) for k in range(1, int(self.count) + 1)]
        check_object_count(len(there) + len(originals) * len(shifts))
        same, new, rounds = {i: i for i in range(len(there))}, list[SceneObject](), []
        held = document.groups_within({o.key for o in originals})
        treated = _keys_in_edge_annotations(document)
        for k, copies in enumerate(shifted_object_copies(document, originals, shifts, held)):
            made = [
                c.with_key_of(self.made.setdefault((k, o.key), c))
                for o, c in zip(originals, copies, strict=True)
            ]
            rounds.append(_copied_keys(originals, made, treated))
            at = {
                document.scene.index_of(o.key): i
                for i, o in enumerate(originals, len(there) + len(new))
            }
            new += retarget_copies(originals, made, at, same)
        if name and len(new) == 1:
            new = [replace(new[0], name=name)]
        doubled = with_objects_checked(document, (*there, *new))
        groups = [
            (group, [copied[k] for k in keys])
            for copied in rounds
            for group, keys in document.groups_within(copied).items()
            if not (name and len(keys) == len(new))
        ]
        grouped = groups_for_copies(doubled, groups)
        if name and len(new) > 1:
            grouped[name] = frozenset(o.key for o in new)
        measurements = dict(doubled.measurements)
        for copied in rounds:
            measurements |= copy_measurements(doubled.measurements, copied, measurements)
        pairs = [pair for copied in rounds for pair in copied.items()]
        moves = [{old: (copy,) for old, copy in copied.items()} for copied in rounds]
        of_edges = {name: dict(getattr(doubled, name)) for name in EDGE_ANNOTATIONS}
        parts = [
            moved.with_new_keys(new_keys)
            for copied, new_keys, shift in zip(rounds, moves, shifts, strict=True)
            for part in doubled.parts
            if part.present_objects.keys() <= copied.keys()
            and (moved := part.moved(Similarity.shift(*shift))) is not None
        ]
        after = doubled.with_annotations(
            **{
                name: held
                | {
                    copy: annotations_with_new_targets(held[old], new_keys)
                    for copied, new_keys in zip(rounds, moves, strict=True)
                    for old, copy in copied.items()
                    if old in held
                }
                for name, held in of_edges.items()
            },
            disabled=doubled.disabled.union(copy for old, copy in pairs if old in doubled.disabled),
            hidden=doubled.hidden.union(copy for old, copy in pairs if old in doubled.hidden),
            groups={**doubled.groups, **grouped},
            measurements=measurements,
            parts=(*doubled.parts, *parts),
        )
        # at their part's place exactly: far away the shifted objects have lost digits
        exact = {k: o for part in parts for k, o in part.objects(after.scene).items()}
        after = with_changed_objects(after, exact)
        for copied in rounds if document.links else ():
            for link in links_for_copies(document, after, copied):
                after = with_link(after, *link)
        return after

    def describe(self, before: Document, after: Document) -> str:
        made = [after.scene.get(key) for key in self.copies if before.scene.get(key) is None]
        named = self.as_.strip() or ", ".join(copy.title for copy in made if copy is not None)
        done: str = Phrase("{objects} duplicated", objects=self.describe_targets(before))
        if self.count > 1:
            done = Phrase("{done} {count:g} times", done=done, count=self.count)
        return Phrase("{done} as {name}", done=done, name=elide_text(named, 60)) if named else done


def links_for_copies(
    document: Document, after: Document, copied: Mapping[int, int]
) -> Iterator[tuple[str, str]]:
    """The places and expressions of links between copied objects, rewritten for their copies.
    ``copied`` maps the keys of the originals in ``document`` to the keys of the copies in
    ``after``.
    """
    names = {
        obj.title: copy.title
        for key, new in copied.items()
        if (obj := document.scene.get(key)) is not None
        and (copy := after.scene.get(new)) is not None
    }
    for name, keys in document.groups_within(copied).items():
        names[name] = after.name_of_group(copied[key] for key in keys)
    inner = [o for o in document.links if o.refers_only_to(copied.keys())]
    return rename_in_links([(o.parameter.text, o.expression) for o in inner], names)


def _keys_in_edge_annotations(document: Document) -> set[int]:
    """The keys of the objects and parts with annotated edges, and of the targets of finishes."""
    aims = (f.towards for own in document.finishes.values() for f in own.values())
    keys = {key for name in EDGE_ANNOTATIONS for key in getattr(document, name)}
    return keys.union(aim for aim in aims if aim is not None)


def _copied_keys(
    originals: Sequence[SceneObject], copies: Sequence[SceneObject], annotated: Collection[int]
) -> dict[int, int]:
    """A mapping from the keys of originals to the keys of their copies, including the annotated
    parts of instances.
    """
    keys: dict[int, int] = {}
    for original, copy in zip(originals, copies, strict=True):
        keys[original.key] = copy.key
        if isinstance(original, ModuleObj) and isinstance(copy, ModuleObj):
            parts = original.part_keys.items()
            keys |= {key: copy.part_keys[at] for at, key in parts if key in annotated}
    return keys


def shifted_object_copies(
    document: Document,
    objects: Sequence[SceneObject],
    shifts: Iterable[tuple[float, float]],
    groups: Mapping[str, Collection[int]],
) -> Iterator[list[SceneObject]]:
    """Yield copies of the objects for each shift. Copies get new keys, and names that are unique in
    the document. ``groups`` are groups of the objects, as keys by name: if the name of an object
    begins with the name of its group, the name of the copy begins with the name that
    `groups_for_copies` gives to the copy of the group.
    """
    taken = {o.title for o in document.scene.objects} | set(document.groups)
    numbered: dict[str, Iterator[str]] = {}
    for shift in shifts:
        renamed = []
        for group, keys in groups.items():
            renamed.append((group, free_name(group, taken), keys))
            taken.add(renamed[-1][1])
        copies = []
        for original in objects:
            copy = original.with_new_key()
            for group, name, keys in renamed:
                if original.key in keys and copy.name.startswith(f"{group} "):
                    copy = replace(copy, name=name + copy.name.removeprefix(group))
            if not isinstance(original, UnreadObject):
                copy = kind_row_of(copy).transformed(copy, Similarity.shift(*shift))
            if copy.name in taken:
                stem = name_without_number(copy.name)
                copy = replace(
                    copy, name=next(numbered.setdefault(stem, free_names(stem, taken, 2)))
                )
            if copy.name:
                taken.add(copy.name)
            copies.append(copy)
        yield copies


def groups_for_copies(
    document: Document, groups: Iterable[tuple[str, Iterable[int]]]
) -> dict[str, frozenset[int]]:
    """The groups for copies of objects, as sets of keys by name. The names are not used by any
    object or group of the document, which already contains the copies.
    """
    taken = {o.title for o in document.scene.objects} | set(document.groups)
    new: dict[str, frozenset[int]] = {}
    for name, keys in groups:
        free = free_name(name, taken)
        taken.add(free)
        new[free] = frozenset(keys)
    return new
