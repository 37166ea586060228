"""Changes of a document's annotations: groups, edge labels, hidden and disabled objects."""

from dataclasses import dataclass

from raybench.errors import elided
from raybench.kinds.fields import described, flag
from raybench.scene.changes.change import Named, Targeted, keys_of, objects_of, targets_text
from raybench.scene.changes.values import InvalidValue, suggest_names
from raybench.scene.document import Document
from raybench.scene.labels import edge_labelled


@dataclass(frozen=True, repr=False)
class Hide(Targeted):
    """Hide objects on the canvas, or show them again. Hidden objects still affect light."""

    verb = "hide"

    on: bool = flag(True, "Hidden", help="False shows them again.")

    def apply(self, document: Document) -> Document:
        keys = frozenset(keys_of(document, self.listed))
        return document.annotated_with(
            hidden=document.hidden | keys if self.on else document.hidden - keys
        )

    def describe(self, before: Document, after: Document) -> str:
        return f"{targets_text(before, self.listed)} {'hidden' if self.on else 'shown'}"


@dataclass(frozen=True, repr=False)
class Disable(Targeted):
    """Disable objects, so that light ignores them, or enable them again."""

    verb = "disable"

    on: bool = flag(True, "Disabled", help="False enables them again.")

    def apply(self, document: Document) -> Document:
        keys = frozenset(keys_of(document, self.listed))
        return document.annotated_with(
            disabled=document.disabled | keys if self.on else document.disabled - keys
        )

    def describe(self, before: Document, after: Document) -> str:
        return (
            f"{targets_text(before, self.listed)}"
            f" {'disabled: light passes' if self.on else 'enabled'}"
        )


@dataclass(frozen=True, repr=False)
class LabelEdge(Targeted):
    """Set the user label of an edge; an empty one removes it."""

    verb = "label"

    edge: str = described(
        "text", "", "Edge", help="Its index as a text, or its label, such as N or North Edge."
    )
    as_: str = described("text", "", "Label", help="The new label; empty for none.")

    def apply(self, document: Document) -> Document:
        if self.as_.strip().isdecimal():
            raise InvalidValue(
                f"'{elided(self.as_, 60)}' would be read as the index of an edge. Give a label with"
                " a letter."
            )
        labels = dict(document.edge_labels)
        for obj in objects_of(document, self.listed):
            own = dict(labels.get(obj.key, {}))
            index = edge_labelled(obj, self.edge, own).index
            own[index] = self.as_
            labels[obj.key] = {i: text for i, text in own.items() if text}
            if not labels[obj.key]:
                del labels[obj.key]
        return document.annotated_with(edge_labels=labels)

    def describe(self, before: Document, after: Document) -> str:
        edge = f"{targets_text(before, self.listed)}: edge {elided(self.edge, 40)}"
        return f"{edge} labelled {elided(self.as_, 40)}" if self.as_ else f"{edge} without a label"


@dataclass(frozen=True, repr=False)
class Group(Targeted):
    """Name a group of objects; an object may be in several groups."""

    verb = "group"

    as_: str = described("text", "", "Name", help="The group's name.")

    def apply(self, document: Document) -> Document:
        name = self.as_.strip()
        if not name:
            raise InvalidValue("A group needs a name. Give one in 'as'.")
        if any(o.title == name for o in (*document.scene.objects, *document.scene.expanded)):
            raise InvalidValue(
                f"'{elided(name, 60)}' is the name of an object. Give the group another name."
            )
        if name in document.groups:
            raise InvalidValue(
                f"There is a group '{elided(name, 60)}' already. Ungroup it first, or give another"
                " name."
            )
        return document.annotated_with(
            groups={**document.groups, name: frozenset(keys_of(document, self.listed))}
        )

    def describe(self, before: Document, after: Document) -> str:
        return f"{targets_text(before, self.listed)} grouped as {elided(self.as_.strip(), 60)}"


@dataclass(frozen=True, repr=False)
class Ungroup(Named):
    """Remove a group; its objects stay."""

    verb = "ungroup"
    takes = "the name of a group"

    def apply(self, document: Document) -> Document:
        if self.name not in document.groups:
            known = (
                suggest_names(self.name, list(document.groups))
                if document.groups
                else "There are no groups."
            )
            raise InvalidValue(f"There is no group '{elided(self.name, 60)}'. {known}")
        return document.annotated_with(
            groups={n: keys for n, keys in document.groups.items() if n != self.name}
        )

    def describe(self, before: Document, after: Document) -> str:
        return f"{elided(self.name, 60)} ungrouped"
