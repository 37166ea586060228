"""Links: parameters that a formula computes from other parameters, such as ``Lens 2.x = Lens 1.x +
40``.

Numbers are in the parameters' units: scene units and degrees; a length may have another unit, as in
``+ 5 mm``. The formula has the syntax of math.js.
"""

import graphlib
import math
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from raybench.errors import RaybenchError, in_quotes
from raybench.formula.evaluate import Scope, evaluate_formula
from raybench.formula.reading import FormulaError
from raybench.phrase import Phrase
from raybench.scene.changes.quantity import replace_lengths
from raybench.scene.document import Document
from raybench.scene.parameters.parameter import (
    MAX_LENGTH,
    Parameter,
    parameter_owner_names,
    parameter_text,
    read_parameter,
)
from raybench.scene.scene import Scene

_PLACE = (
    r"(?::(?P<edge>[^:.=\"']+)(?=\.(?:coating|finish)))?\.[A-Za-z]\w*(?:\[\d{1,9}\]|\.[A-Za-z]\w*)*"
)

_UNKNOWN = re.compile(r"[^\W\d]\w*(?: \w+)*\.[^\W\d]\w*")
"""What is left in a formula of a parameter whose object there is not."""


class InvalidLink(RaybenchError):
    """A link cannot be read, or it contradicts another link or a varied parameter."""


@dataclass(frozen=True)
class Link:
    """A linked parameter, the ``expression`` of its value as the user wrote it, and this expression
    as a formula with a mapping from its variables to parameters.
    """

    parameter: Parameter
    expression: str
    formula: str
    uses: tuple[tuple[str, Parameter], ...]

    @property
    def text(self) -> str:
        """The link as the user wrote it."""
        return f"{self.parameter.text} = {self.expression}"

    def refers_only_to_objects_of(self, scene: Scene) -> bool:
        """Whether the scene has all objects to which the link refers."""
        return all(scene.get(key) is not None for p in self.parameters for key in p.keys)

    def refers_only_to(self, keys: Collection[int]) -> bool:
        """Whether the link refers only to numbers of the objects with these keys."""
        return all(p.keys and set(p.keys) <= set(keys) for p in self.parameters)

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """The linked parameter, and the parameters in its expression."""
        return self.parameter, *(used for _, used in self.uses)

    def with_new_keys(self, keys: Mapping[int, Collection[int]]) -> "Link | None":
        """The link with other keys of its objects; None if an object was removed."""
        parameter, *used = (p.with_new_keys(keys) for p in self.parameters)
        if parameter is None or None in used:
            return None
        uses = zip((name for name, _ in self.uses), used, strict=True)
        return replace(self, parameter=parameter, uses=tuple((n, p) for n, p in uses if p))

    def value(self, values: Mapping[object, float]) -> float:
        """The value of the linked parameter. ``values`` are the values of the other parameters
        minus their origins, by `Parameter.identity`. Raises InvalidLink if the value is not finite.
        """
        try:
            scope = Scope({name: values[p.identity] + p.origin for name, p in self.uses})
            number = evaluate_formula(self.formula, scope)
        except FormulaError as error:
            raise InvalidLink(f"{self.text}: {error}") from None
        if not math.isfinite(number):
            remedy = (
                "Choose a smaller range, within which it is finite"
                if self.uses
                else "Write a formula that gives a finite number"
            )
            raise InvalidLink(f"{self.text} gives {number}. {remedy}.")
        return number


def read_link(text: str, document: Document) -> Link:
    """Read a link from a text. Raises InvalidLink, InvalidParameter or UnknownName."""
    references = _name_references(parameter_owner_names(document))
    named = (
        references.match(text, len(text) - len(text.lstrip())) if len(text) <= MAX_LENGTH else None
    )
    start = named.end() if named else 0  # a name may contain an equals sign
    between, equals, right = text[start:].partition("=")
    left = text[:start] + between
    if not equals or not right.strip() or len(text) > MAX_LENGTH:
        raise InvalidLink(
            Phrase(
                "{text} is not a link. Write a parameter and a formula, such as Lens 2.x ="
                " Lens 1.x + 40.",
                text=in_quotes(text, 80),
            )
        )
    uses: dict[str, Parameter] = {}
    stem = "p"
    while stem in right:  # no word of the formula may be taken for a parameter
        stem += "p"

    def variable_for_reference(found: re.Match[str]) -> str:
        parameter = read_parameter(found[0], document)
        for name, known in uses.items():
            if (known.identity, known.origin) == (parameter.identity, parameter.origin):
                return f" {name} "
        uses[name := f"{stem}{len(uses)}"] = parameter
        return f" {name} "

    parameter = read_parameter(left, document)
    named_by_variables = references.sub(variable_for_reference, right)
    formula = replace_lengths(named_by_variables, parameter.unit, document.unit)
    link = Link(parameter, right.strip(), formula, tuple(uses.items()))
    if (unknown := _UNKNOWN.search(formula)) is not None:
        read_parameter(unknown[0], document)  # raises with the names that there are
    if not uses:
        link.value({})
    try:
        evaluate_formula(
            formula, Scope({name: p.value_in_document(document) for name, p in uses.items()})
        )
    except FormulaError as error:
        message = str(error)
        for name, parameter in reversed(uses.items()):
            message = message.replace(name, parameter.text)
        raise InvalidLink(f"{in_quotes(text, 80)}: {message}") from None
    return link


def order_links(links: Sequence[Link], varied: Sequence[Parameter]) -> tuple[Link, ...]:
    """The links in an order in which each comes after the links that it depends on.

    Raises InvalidLink if they form a cycle, or if a parameter is linked twice, or is both varied
    and linked.
    """
    by_place: dict[object, Link] = {}
    for link in links:
        if link.parameter.identity in by_place:
            other = by_place[link.parameter.identity].text
            raise InvalidLink(
                Phrase(
                    "{name} is linked twice: '{other}' and '{link}'. Keep one of the two.",
                    name=link.parameter.text,
                    other=other,
                    link=link.text,
                )
            )
        if any(p.identity == link.parameter.identity for p in varied):
            raise InvalidLink(
                Phrase(
                    "{name} is varied and linked ('{link}'). Keep one of the two.",
                    name=link.parameter.text,
                    link=link.text,
                )
            )
        by_place[link.parameter.identity] = link
    needs = {where: [p.identity for _, p in link.uses] for where, link in by_place.items()}
    try:
        places = tuple(graphlib.TopologicalSorter(needs).static_order())
    except graphlib.CycleError as error:
        circle = " -> ".join(by_place[w].parameter.text for w in error.args[1])
        raise InvalidLink(
            Phrase("The links form a circle: {circle}. Remove one of them.", circle=circle)
        ) from None
    return tuple(by_place[where] for where in places if where in by_place)


def replace_names_in_formula(
    text: str, names: Sequence[str], new: Callable[[str], str], label: Callable[[str, str], str]
) -> str:
    """Replace the names of parameters in a formula. ``names`` are the possible names of objects,
    the longest first; ``new`` returns the new name of an object, and ``label`` the new label of an
    edge from the old name of its object and the old label.
    """

    def replace_reference(found: re.Match[str]) -> str:
        mark = found[0][0] if found["bare"] is None else ""
        name = found[0][len(mark) : found.start("place") - found.start() - len(mark)]
        other = new(name)
        if (edge := found["edge"]) is not None:
            where = found["place"][1 + len(edge) :]
            return f"{mark}{other}{mark}:{label(name, edge)}{where}"
        if other == name:
            return found[0]
        if not mark or mark in other:
            return parameter_text(other, found["place"][1:])
        return f"{mark}{other}{mark}{found['place']}"

    return _name_references(names).sub(replace_reference, text)


def _name_references(names: Iterable[str]) -> re.Pattern[str]:
    """A pattern that finds the references to parameters in a formula. Each is a name, bare or in
    quotation marks, followed by a place.
    """
    bare = "|".join(re.escape(name) for name in names)
    return re.compile(rf"(?:\"[^\"]*\"|'[^']*'|(?<![\w.])(?P<bare>{bare}))(?P<place>{_PLACE})")
