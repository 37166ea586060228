"""Objects of a file that cannot be read. They are kept, reported as problems, and written back
unchanged.
"""

from dataclasses import field
from typing import Any

from raybench.errors import elide_text, in_quotes
from raybench.kinds.aspects import outlines
from raybench.kinds.aspects.pieces import no_piece
from raybench.kinds.aspects.row import Row
from raybench.kinds.aspects.similarity import Similarity
from raybench.kinds.object import SceneObject, kind
from raybench.phrase import Phrase

MAX_TYPE_LENGTH = 60


@kind
class UnreadObject(SceneObject):
    """An object that is unfinished or has an invalid property, kept as JSON in ``read``. It does
    not affect light.

    ``place`` is its position in the list of objects of the file, counted from 1; 0 without a file.
    """

    label = "Unread object"
    has_edge_table = False

    reason: str = ""
    place: int = field(default=0, compare=False)

    @property
    def type(self) -> str:
        """The type name in the file, in one line and shortened."""
        return elide_text(str(self.read.get("type", "no type")), MAX_TYPE_LENGTH)

    @property
    def noun(self) -> str:
        return self.type

    @property
    def reference(self) -> str:
        if not self.place:
            return super().reference
        return Phrase(
            "{name} ({noun}, object {place} of the file)",
            name=in_quotes(self.title),
            noun=self.type,
            place=self.place,
        )


@kind
class UnreadDecoration(UnreadObject):
    """A decoration that cannot be read, or an object of an unknown kind. In contrast to
    `UnreadObject`, it does not count as an optical object.
    """

    optical = False


@kind
class UnreadEntry(UnreadDecoration):
    """An entry of the list of objects in a file that is not a JSON object, such as a number.
    ``entry`` is its value.
    """

    entry: Any = field(default=None, compare=False)

    @property
    def type(self) -> str:
        """The JSON type of the entry, such as "text"."""
        return json_type_words(self.entry)


def json_type_words(value: Any) -> str:
    """The type of a JSON value, in words."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int() | float():
            return "a number"
        case str():
            return "text"
        case list():
            return "a list"
        case _:
            return "an object"


def _refuse_transformation(obj: UnreadObject, by: Similarity) -> SceneObject:
    raise obj.invalid_error(
        "its position", f"is unknown, since it cannot be read: {obj.reason} Leave it out"
    )


ROWS = tuple(
    Row(
        kind,
        family="",
        edges=outlines.no_edges,
        piece=no_piece,
        transformed=_refuse_transformation,
        painter="unread",
        icon={},
    )
    for kind in (UnreadObject, UnreadDecoration, UnreadEntry)
)
