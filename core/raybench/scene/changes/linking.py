"""The change that links a number to others, and the conversion of expressions in the values of
fields to such changes.
"""

import dataclasses
from types import MappingProxyType

from raybench.errors import RaybenchError, elide_text
from raybench.kinds.fields import string
from raybench.phrase import Phrase
from raybench.scene.changes.change import Change, NamedChange
from raybench.scene.changes.setting import Set, SetSettings
from raybench.scene.document import Document
from raybench.scene.parameters.following import with_link
from raybench.scene.parameters.parameter import SETTINGS, parameter_text, read_parameter


class LinkNumber(NamedChange):
    """Link a number to an expression of others, such as ``Lens 2.focalLength`` to
    ``2*Lens.focalLength``. The number is updated after every change; an empty expression removes
    the link.
    """

    verb = "link"
    takes = "a number, such as Lens.focalLength or Lens.centre_x"
    needs = ("as",)
    example = MappingProxyType({"as": "2*Lens.focalLength"})

    as_: str = string("", "Expression", help="Numbers by their names; empty for none.")

    @property
    def expression(self) -> str:
        """The expression, without a leading equals sign."""
        return self.as_.strip().removeprefix("=").strip()

    def apply(self, document: Document) -> Document:
        return with_link(document, self.name.strip(), self.expression)

    def describe(self, before: Document, after: Document) -> str:
        name = elide_text(self.name.strip(), 60)
        if not self.expression:
            return Phrase("{name} unlinked", name=name)
        expression = elide_text(self.expression, 60)
        return Phrase("{name} linked: = {expression}", name=name, expression=expression)


def split_off_links(change: Change, document: Document) -> tuple[Change, ...]:
    """Split a change of fields: a change without the values that are expressions, such as
    ``=2*Lens.f``, and the changes that link the numbers to these expressions. A text field keeps a
    value with a leading equals sign.
    """
    if not isinstance(change, Set | SetSettings):
        return (change,)
    links: dict[str, list[Change]] = {}
    for path, value in change.values.items():
        if isinstance(value, str) and value.startswith("="):
            places = _places_of_field(change, path, document)
            if all(_is_number(place, document) for place in places):
                links[path] = [LinkNumber(place, value) for place in places]
    rest = {path: value for path, value in change.values.items() if path not in links}
    own = (dataclasses.replace(change, values=rest),) if rest or not links else ()
    # the links first: a name may be among the rest
    return *(link for several in links.values() for link in several), *own


def _places_of_field(change: Set | SetSettings, path: str, document: Document) -> list[str]:
    """The parameters that a change of a field sets: those of a part, or of each object."""
    if isinstance(change, SetSettings):
        return [f"{SETTINGS}.{path}"]
    part = document.part_of_objects(change.keys(document))
    whole = [] if part is None else [parameter_text(document.part_name(part), path)]
    if whole and _is_number(whole[0], document):
        return whole
    return [parameter_text(o.title, path) for o in change.objects(document)]


def _is_number(place: str, document: Document) -> bool:
    try:
        read_parameter(place, document)
    except RaybenchError:
        return False
    return True
