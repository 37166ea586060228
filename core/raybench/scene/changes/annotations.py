"""Changes of a document's annotations: groups, edge labels, hidden and disabled objects."""

from typing import ClassVar

from raybench.errors import elide_text
from raybench.kinds.fields import flag, string
from raybench.phrase import Phrase
from raybench.scene.changes.change import NamedChange, TargetedChange
from raybench.scene.changes.values import InvalidValue
from raybench.scene.document import Document
from raybench.scene.labels import find_edge_by_label


class _MarkChange(TargetedChange):
    """A change that sets or removes a mark of objects, such as hidden or disabled."""

    mark: ClassVar[str]
    """The attribute of the document with the keys of the marked objects."""
    words: ClassVar[tuple[str, str]]
    """What is said of ``objects`` that get the mark, and of those that lose it."""

    on: bool = True

    def apply(self, document: Document) -> Document:
        keys, marked = frozenset(self.keys(document)), getattr(document, self.mark)
        return document.with_annotations(**{self.mark: marked | keys if self.on else marked - keys})

    def describe(self, before: Document, after: Document) -> str:
        return Phrase(self.words[0 if self.on else 1], objects=self.describe_targets(before))


class Hide(_MarkChange):
    """Hide objects on the canvas, or show them again. Hidden objects still affect light."""

    verb = "hide"
    mark = "hidden"
    words = "{objects} hidden", "{objects} shown"

    on: bool = flag(True, "Hidden", help="False shows them again.")


class Disable(_MarkChange):
    """Disable objects, so that light ignores them, or enable them again."""

    verb = "disable"
    mark = "disabled"
    words = "{objects} disabled: light passes", "{objects} enabled"

    on: bool = flag(True, "Disabled", help="False enables them again.")


class LabelEdge(TargetedChange):
    """Set the user's label of an edge; an empty label removes it."""

    verb = "label"

    edge: str = string(
        "", "Edge", help="Its index as a text, or its label, such as N or North Edge."
    )
    as_: str = string("", "Label", help="The new label; empty for none.")

    def apply(self, document: Document) -> Document:
        if self.as_.strip().isdecimal():
            raise InvalidValue(
                f"'{elide_text(self.as_, 60)}' would be read as the index of an edge. Give a label with"
                " a letter."
            )
        labels = dict(document.edge_labels)
        for obj in self.objects(document):
            own = labels.get(obj.key, {})
            own = {**own, find_edge_by_label(obj, self.edge, own).index: self.as_}
            labels[obj.key] = {i: text for i, text in own.items() if text}
        return document.with_annotations(
            edge_labels={key: own for key, own in labels.items() if own}
        )

    def describe(self, before: Document, after: Document) -> str:
        words = {
            "objects": self.describe_targets(before),
            "edge": elide_text(self.edge, 40),
            "label": elide_text(self.as_, 40),
        }
        if not self.as_:
            return Phrase("{objects}: edge {edge} without a label", **words)
        return Phrase("{objects}: edge {edge} labelled {label}", **words)


class Group(TargetedChange):
    """Create a group of objects with a name. An object may belong to several groups."""

    verb = "group"

    as_: str = string("", "Name", help="The group's name.")

    def apply(self, document: Document) -> Document:
        name, scene = self.as_.strip(), document.scene
        if not name:
            raise InvalidValue("A group needs a name. Give one in 'as'.")
        if any(o.title == name for o in (*scene.objects, *scene.expanded_objects)):
            raise InvalidValue(
                f"'{elide_text(name, 60)}' is the name of an object. Give the group another name."
            )
        if name in document.groups:
            raise InvalidValue(
                f"There is a group '{elide_text(name, 60)}' already. Ungroup it first, or give another"
                " name."
            )
        return document.with_annotations(
            groups={**document.groups, name: frozenset(self.keys(document))}
        )

    def describe(self, before: Document, after: Document) -> str:
        name = elide_text(self.as_.strip(), 60)
        return Phrase(
            "{objects} grouped as {name}", objects=self.describe_targets(before), name=name
        )


class Ungroup(NamedChange):
    """Dissolve a group. Its objects stay."""

    verb = "ungroup"
    takes = "the name of a group"

    def apply(self, document: Document) -> Document:
        self.check_name_known("group", document.groups)
        groups = {name: keys for name, keys in document.groups.items() if name != self.name}
        return document.with_annotations(groups=groups)

    def describe(self, before: Document, after: Document) -> str:
        return Phrase("{objects} ungrouped", objects=elide_text(self.name, 60))
