"""A lens design: a prescription with its links, its configurations, and the operands and variables
of its optimisation, as a document stores it.

The prescription of a design always satisfies its links: they are applied whenever a value changes.
"""

import dataclasses
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar

from raybench.errors import in_quotes, list_first_texts
from raybench.kinds.fields import camel_case
from raybench.lens.clearance import edge_thicknesses
from raybench.lens.glass import AIR, glass_name
from raybench.lens.operands import Operand
from raybench.lens.parameters import (
    Value,
    checked_value,
    parameter_label,
    parameter_names,
    parameter_place,
    parameter_unit,
    parameter_value,
    with_values,
)
from raybench.lens.paraxial import (
    first_order,
    marginal_and_chief_rays,
    ray_matrix,
    signed_indices,
)
from raybench.lens.prescription import InvalidPrescription, Prescription
from raybench.phrase import Phrase

if TYPE_CHECKING:
    from pydantic import TypeAdapter

MOST_ROUNDS = 50
"""Rounds of a solve whose aim depends on what it solves, such as an edge at the height of the rays.
"""
MOST_DIFFERENCES = 6
"""The maximum number of differences of designs that are described."""


@dataclass(frozen=True)
class Pickup:
    """A link that sets a parameter to ``factor`` times the ``source`` parameter plus ``offset``. A
    glass is copied.
    """

    parameter: str
    source: str
    factor: float = 1.0
    offset: float = 0.0


class SolveKind(Enum):
    """The quantity that a solve keeps at its value."""

    FOCUS = "paraxial focus"
    """The last distance puts the image ``value`` behind the paraxial image."""
    EDGE = "edge thickness"
    """A distance makes the edges of its two surfaces ``value`` apart: 0 for contact."""
    FOCAL_LENGTH = "focal length"
    """A curvature gives the lens the focal length ``value``."""
    SLOPE = "marginal slope"
    """A curvature gives the marginal ray the slope ``value`` behind its surface: -1/(2 N) behind
    the last for the f-number N of a far object.
    """


@dataclass(frozen=True)
class Solve:
    """A link that computes a distance ``t`` or a curvature ``c`` such that a quantity keeps its
    value.
    """

    parameter: str
    kind: SolveKind
    value: float = 0.0


@dataclass(frozen=True)
class Configuration:
    """A state of a lens with several states, such as a zoom lens: the values of the parameters that
    differ, as pairs of name and value.
    """

    values: tuple[tuple[str, float], ...]
    name: str = ""
    weight: float = 1.0


@dataclass(frozen=True)
class Variable:
    """A parameter that an optimisation may change, with bounds; ``t3_2`` is t3 in configuration 2.
    The curvature ``c1`` stands for the radius, which is infinite for a plane. A ``glass`` has no
    bounds.
    """

    parameter: str
    low: float = -math.inf
    high: float = math.inf


@dataclass(frozen=True)
class LensDesign:
    """A lens design: a prescription with its links and configurations, and the operands and
    variables of its optimisation.

    Pickups are applied in order, then solves in order. Without configurations the prescription is
    the only state.

    Raises InvalidPrescription if a parameter has two links, if a link refers to a parameter that is
    linked later, or if the lens does not have a parameter.
    """

    system: Prescription
    pickups: tuple[Pickup, ...] = ()
    solves: tuple[Solve, ...] = ()
    configurations: tuple[Configuration, ...] = ()
    operands: tuple[Operand, ...] = ()
    variables: tuple[Variable, ...] = ()

    __pydantic_config__: ClassVar[Mapping[str, Any]] = {
        "alias_generator": camel_case,
        "extra": "forbid",
    }

    def __post_init__(self) -> None:
        _check_links(self)
        _check_configurations(self)
        _check_variables(self)
        object.__setattr__(self, "system", self._with_links(self.system, self.solves))

    @property
    def systems(self) -> tuple[Prescription, ...]:
        """The prescription of each configuration; the only prescription if there are no
        configurations.
        """
        return self.systems_for_values(
            self.system, [dict(each.values) for each in self.configurations]
        )

    def systems_for_values(
        self, system: Prescription, states: Sequence[Mapping[str, Value]]
    ) -> tuple[Prescription, ...]:
        """The prescriptions of configurations, given by the values ``states``, of another
        ``system`` with the links of this design; a single prescription without configurations.
        Curvatures are solved in the system, distances in each configuration.
        """
        base = self._with_links(system, self.solves)
        distances = [each for each in self.solves if each.parameter.startswith("t")]
        return tuple(self._with_links(with_values(base, state), distances) for state in states) or (
            base,
        )

    def _with_links(self, system: Prescription, solves: Sequence[Solve]) -> Prescription:
        for link in self.pickups:
            value = parameter_value(system, link.source)
            if isinstance(value, float):
                value = link.factor * value + link.offset
            system = with_values(system, {link.parameter: value})
        for solve in solves:
            system = _apply_solve(system, solve)
        return system


def without_links_and_variables(design: LensDesign) -> LensDesign:
    """The design without links and variables; the linked parameters keep their present values in
    all configurations.
    """
    held = [p.parameter for p in design.pickups] + [s.parameter for s in design.solves]
    configurations = []
    for configuration, system in zip(design.configurations, design.systems, strict=False):
        values = dict(configuration.values)
        for name in held:
            value = parameter_value(system, name)
            if isinstance(value, float) and value != parameter_value(design.system, name):
                values[name] = value
        configurations.append(dataclasses.replace(configuration, values=tuple(values.items())))
    return dataclasses.replace(
        design, pickups=(), solves=(), configurations=tuple(configurations), variables=()
    )


@dataclass(frozen=True)
class LensParameter:
    """A parameter of a design: its label, its unit in terms of `LENGTH` (empty without a unit), its
    value, and a sentence about its link (empty if it has none).
    """

    name: str
    label: str
    unit: str
    value: Value
    link: str = ""


def design_parameters(design: LensDesign) -> Mapping[str, LensParameter]:
    """All parameters of a design by name, including the values of configurations, such as
    ``t3_2``.
    """
    system, links = design.system, _links_by_parameter(design)
    found = {
        name: LensParameter(
            name,
            parameter_label(system, name),
            parameter_unit(system, name),
            parameter_value(system, name),
            links.get(canonical_parameter(name), ""),
        )
        for name in parameter_names(system)
    }
    for k, configuration in enumerate(design.configurations, 1):
        for name, value in configuration.values:
            label = Phrase(
                "{first}, {then}",
                first=parameter_label(system, name),
                then=configuration.name or Phrase("configuration {index}", index=k),
            )
            unit = parameter_unit(system, name)
            found[f"{name}_{k}"] = LensParameter(f"{name}_{k}", label, unit, value)
    return found


def with_parameter(design: LensDesign, name: str, value: Value) -> LensDesign:
    """The design with another value of a parameter; linked parameters are updated. Raises
    InvalidPrescription for a linked parameter, and the errors of `with_values`.
    """
    return with_parameters(design, {name: value})


def with_parameters(design: LensDesign, values: Mapping[str, Value]) -> LensDesign:
    """The design with other values of parameters, see `with_parameter`."""
    links = _links_by_parameter(design)
    states = [dict(each.values) for each in design.configurations]
    base = {}
    for name, value in values.items():
        if link := links.get(canonical_parameter(name)):
            raise InvalidPrescription(f"{link} Change what it follows, or remove the link.")
        own, state = split_configuration(design, name)
        if state is None:
            base[own] = value
        elif isinstance(number := checked_value(own, value), float):
            states[state][own] = number
        else:
            raise InvalidPrescription(f"{name} is a number, not {in_quotes(str(value), 40)}.")
    configurations = tuple(
        dataclasses.replace(each, values=tuple(state.items()))
        for each, state in zip(design.configurations, states, strict=True)
    )
    system = with_values(design.system, base) if base else design.system
    return dataclasses.replace(design, system=system, configurations=configurations)


def split_configuration(design: LensDesign, name: str) -> tuple[str, int | None]:
    """Split a name such as ``t3_2`` into the parameter and the index of its configuration; None for
    a parameter of the prescription. Raises InvalidPrescription if no configuration has a value of
    this parameter.
    """
    if parameter_place(name) is not None:
        return name, None
    own, _, number = name.rpartition("_")
    if parameter_place(own) is None or not number.isdecimal():
        parameter_value(design.system, name)  # raises, with the names that there are
    for k, configuration in enumerate(design.configurations, 1):
        if str(k) == number and own in dict(configuration.values):
            return own, k - 1
    raise InvalidPrescription(
        f"No configuration {in_quotes(number, 10)} gives {own} a value of its own. Add it there"
        " first."
    )


def parameter_number(design: LensDesign, name: str) -> float:
    """The number of a parameter, of the prescription or of a configuration. Raises
    InvalidPrescription if the design does not have the parameter, or if it is not a number.
    """
    own, state = split_configuration(design, name)
    if state is not None:
        return dict(design.configurations[state].values)[own]
    value = parameter_value(design.system, own)
    if not isinstance(value, float):
        raise InvalidPrescription(f"{name} is no number. Choose a radius, a distance or an index.")
    return value


def describe_differences(before: LensDesign, after: LensDesign) -> str:
    """The differences between two designs in words, such as ``r1 61 -> 60.2, links``; empty for
    equal designs.
    """
    was, now = design_parameters(before), design_parameters(after)
    texts, count = list[str](), (len(before.system.surfaces), len(after.system.surfaces))
    if count[0] != count[1]:
        texts.append(Phrase("{before} -> {after} surfaces", before=count[0], after=count[1]))
    else:
        for name in [n for n in now if n.rstrip("0123456789") not in {"c", "n"}]:
            place, new = parameter_place(name), now[name].value
            is_term = place is not None and place.kind == "a"  # which is 0 before it is there
            old = was[name].value if name in was else 0.0 if is_term else new
            if old != new:
                texts.append(
                    Phrase(
                        "{label} {before} -> {after}",
                        label=name,
                        before=_value_text(old),
                        after=_value_text(new),
                    )
                )
        surfaces = zip(before.system.surfaces, after.system.surfaces, strict=True)
        texts += [
            Phrase("surface {row} a mirror", row=i)
            if other.is_mirror
            else Phrase("surface {row} no mirror", row=i)
            for i, (one, other) in enumerate(surfaces, 1)
            if one.is_mirror != other.is_mirror
        ]
    names = [f.name for f in dataclasses.fields(Prescription) if f.name not in {"surfaces", "unit"}]
    for name in names:
        plain = {"aperture": "aperture", "object_distance": "objectDistance", "fields": "field"}
        told = any(t.startswith(plain.get(name, "-")) for t in texts)
        if getattr(before.system, name) != getattr(after.system, name) and not told:
            texts.append(Phrase(name.replace("_", " ")))
    if (before.pickups, before.solves) != (after.pickups, after.solves):
        texts.append(Phrase("links"))
    if (before.operands, before.variables) != (after.operands, after.variables):
        texts.append(Phrase("merit"))
    if before.configurations != after.configurations:
        texts.append(Phrase("configurations"))
    return list_first_texts(texts, MOST_DIFFERENCES)


def _value_text(value: Value) -> str:
    if value is None:
        return Phrase("as needed")
    return Phrase("{value:.6g}", value=value) if isinstance(value, float) else glass_name(value)


def canonical_parameter(name: str) -> str:
    """The name that stands for all names of a parameter: radius and curvature are one parameter,
    and so are a glass and its index.
    """
    head = name.rstrip("0123456789")
    return {"r": "c", "n": "glass"}.get(head, head) + name[len(head) :]


def _links_by_parameter(design: LensDesign) -> dict[str, str]:
    """A sentence about the link of each linked parameter."""
    links = {}
    for pickup in design.pickups:
        links[canonical_parameter(pickup.parameter)] = (
            f"{pickup.parameter} is {pickup_text(pickup)} by a pickup."
        )
    for solve in design.solves:
        value = f" of {solve.value:g}" if solve.value or solve.kind is not SolveKind.FOCUS else ""
        links[canonical_parameter(solve.parameter)] = (
            f"{solve.parameter} is solved for a {solve.kind.value}{value}."
        )
    return links


def pickup_text(pickup: Pickup) -> str:
    """The expression of a pickup, such as ``-r1`` or ``2 t1 + 5``."""
    factor = {1.0: "", -1.0: "-"}.get(pickup.factor, f"{pickup.factor:g} ")
    offset = f" {'+' if pickup.offset > 0 else '-'} {abs(pickup.offset):g}" if pickup.offset else ""
    return f"{factor}{pickup.source}{offset}"


def _check_links(design: LensDesign) -> None:
    for link in design.pickups:
        if not (math.isfinite(link.factor) and math.isfinite(link.offset)):
            raise InvalidPrescription(f"The pickup of {link.parameter} has no finite numbers.")
    order = [(link.parameter, link.source) for link in design.pickups]
    order += [(solve.parameter, "") for solve in design.solves]
    held = [canonical_parameter(name) for name, _ in order]
    for i, (name, source) in enumerate(order):
        value = parameter_value(design.system, name)
        if held.index(held[i]) < i:
            raise InvalidPrescription(f"{name} has two links. Remove one.")
        if source and canonical_parameter(source) in held[i:]:
            raise InvalidPrescription(
                f"{name} follows {source}, which is linked later. Put that link first."
            )
        if source and isinstance(value, float) != isinstance(
            parameter_value(design.system, source), float
        ):
            raise InvalidPrescription(f"{name} cannot follow {source}: one is no number.")
    last = len(design.system.surfaces)
    for solve in design.solves:
        place = parameter_place(solve.parameter)
        assert place is not None
        wanted = "t" if solve.kind in (SolveKind.FOCUS, SolveKind.EDGE) else "c"
        is_last = place.index == last - 1
        if place.kind != wanted or (wanted == "t" and is_last != (solve.kind is SolveKind.FOCUS)):
            which = {
                SolveKind.FOCUS: f"the last distance, t{last}",
                SolveKind.EDGE: "a distance between two surfaces, such as t1",
            }.get(solve.kind, "a curvature, such as c1")
            raise InvalidPrescription(
                f"A {solve.kind.value} is solved by {which}, not by {solve.parameter}."
            )
        if not math.isfinite(solve.value) or (
            solve.kind is SolveKind.FOCAL_LENGTH and not solve.value
        ):
            raise InvalidPrescription(
                f"A {solve.kind.value} of {solve.value:g} cannot be held by {solve.parameter}."
            )


def _check_configurations(design: LensDesign) -> None:
    links = _links_by_parameter(design)
    for k, configuration in enumerate(design.configurations, 1):
        if not 0 <= configuration.weight < math.inf:
            raise InvalidPrescription(
                f"Configuration {k} has the weight {configuration.weight:g}. Give 0 or more."
            )
        for name, value in configuration.values:
            if not isinstance(parameter_value(design.system, name), float):
                raise InvalidPrescription(f"{name} is no number, and the same in all states.")
            if math.isnan(value):
                raise InvalidPrescription(f"{name} of configuration {k} has no value.")
            if link := links.get(canonical_parameter(name)):
                raise InvalidPrescription(f"{link} It has no value in configuration {k}.")


def _check_variables(design: LensDesign) -> None:
    links = _links_by_parameter(design)
    for variable in design.variables:
        name = variable.parameter
        own, state = split_configuration(design, name)
        if own.startswith("r"):
            raise InvalidPrescription(
                f"{name} has no end at a plane. Let c{name[1:]} vary instead."
            )
        value = parameter_value(design.system, own)
        if not own.startswith("glass") and not (isinstance(value, float) and math.isfinite(value)):
            raise InvalidPrescription(f"{name} is not finite. Give it a number, or keep it.")
        if value == AIR:
            raise InvalidPrescription(f"{name} is air. Choose the glass of a lens.")
        if link := links.get(canonical_parameter(name)):
            raise InvalidPrescription(f"{link} It cannot vary as well.")
        if state is None and any(own in dict(each.values) for each in design.configurations):
            raise InvalidPrescription(
                f"{name} has a value in each configuration. Let {name}_1 and so on vary."
            )
        if not variable.low <= variable.high:
            raise InvalidPrescription(f"The lower bound of {name} is above its upper bound.")


def _apply_solve(system: Prescription, solve: Solve) -> Prescription:
    """The system with the parameter of a solve set such that the solve is satisfied. If the
    condition depends on the parameter itself, it is approached by iteration. Raises
    InvalidPrescription if there is no solution.
    """
    for _ in range(MOST_ROUNDS):
        old = parameter_value(system, solve.parameter)
        assert isinstance(old, float)
        try:
            new = _solved_value(system, solve)
        except ArithmeticError:
            new = math.nan
        if not math.isfinite(new):
            raise InvalidPrescription(
                f"There is no {solve.parameter} for a {solve.kind.value} of {solve.value:g}. Remove"
                " the solve, or change the surfaces."
            )
        if abs(new - old) <= 1e-12 * max(abs(new), abs(old)):
            return system
        system = with_values(system, {solve.parameter: new})
        if solve.kind is SolveKind.FOCUS:
            return system
    raise InvalidPrescription(
        f"The solve of {solve.parameter} for a {solve.kind.value} does not settle. Give the surfaces"
        " semi-diameters, or remove the solve."
    )


def _solved_value(system: Prescription, solve: Solve) -> float:
    """The value of the solved parameter, computed in closed form for the present system."""
    place = parameter_place(solve.parameter)
    assert place is not None
    i = place.index
    if solve.kind is SolveKind.FOCUS:
        return first_order(system).image + solve.value
    if solve.kind is SolveKind.EDGE:
        # behind a mirror light goes towards -x, and thicknesses are negative
        mirrors = sum(s.is_mirror for s in system.surfaces[: i + 1])
        short = solve.value - edge_thicknesses(system)[i]
        return system.surfaces[i].thickness + (-short if mirrors % 2 else short)
    wave = system.primary_wavelength
    n = signed_indices(system, wave)
    if solve.kind is SolveKind.SLOPE:
        ray = marginal_and_chief_rays(system)[0]
        bent = n[i] * float(ray.u[i]) - n[i + 1] * solve.value
        power = float(ray.y[i]) * (n[i + 1] - n[i])
        vertex = bent / power if power else math.inf
        return vertex - (system.surfaces[i].vertex_curvature - system.surfaces[i].curvature)
    # the power of a system is linear in each of its curvatures
    without, one = (
        ray_matrix(with_values(system, {solve.parameter: c}), wave, 0, len(system.surfaces)).c
        for c in (0.0, 1.0)
    )
    return (-abs(n[-1]) / solve.value - without) / (one - without) if one != without else math.inf


def design_to_json(design: LensDesign) -> dict[str, Any]:
    """The JSON of a design, without default values. Infinity is written as text."""

    def with_texts(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: with_texts(each) for key, each in value.items()}
        if isinstance(value, list):
            return [with_texts(each) for each in value]
        is_infinite = isinstance(value, float) and math.isinf(value)
        return ("Infinity" if value > 0 else "-Infinity") if is_infinite else value

    data = _design_type_adapter().dump_python(
        design, mode="json", by_alias=True, exclude_defaults=True
    )
    found: dict[str, Any] = with_texts(data)
    return found


def design_from_json(data: object) -> LensDesign:
    """The design in a JSON value. Raises InvalidPrescription with the place of an unknown or
    invalid entry.
    """
    from pydantic import ValidationError

    from raybench.schema.values import fault_sentences

    try:
        return _design_type_adapter().validate_python(data)
    except ValidationError as error:
        sentence = fault_sentences(error.errors(include_url=False), data)[0][1]
        raise InvalidPrescription(f"Lens: {sentence}") from None
    except UnicodeError:
        raise InvalidPrescription("Lens: a text has half a character. Write it again.") from None


@lru_cache(1)
def _design_type_adapter() -> "TypeAdapter[LensDesign]":
    from pydantic import TypeAdapter

    return TypeAdapter(LensDesign)
