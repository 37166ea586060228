"""Measures bound to the objects of a scene. They are parsed once; then they can be evaluated on any
number of traces.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Protocol

import numpy as np

from raybench.analysis.context import TracedScene
from raybench.analysis.geometry.straight import Rows
from raybench.analysis.measures.grammar import (
    ALL,
    Expression,
    InvalidMeasure,
    Operation,
    read_measures,
)
from raybench.analysis.measures.light import Bundle, Light
from raybench.analysis.measures.measure import (
    Measure,
    Measured,
    Parameter,
    Role,
    RowsNeeded,
    Undefined,
    Unit,
    select_no_rays,
    wrap_difference,
)
from raybench.analysis.measures.selections import ObjectBeam, find_named_edge
from raybench.analysis.measures.table import MEASURES, find_measure
from raybench.analysis.paths.path_pattern import InvalidPattern
from raybench.analysis.paths.principal import LightByPath
from raybench.analysis.rays.bundle import NoFocus
from raybench.analysis.rays.incidence import Bodies
from raybench.analysis.scene.objects import (
    System,
    box_as_traced,
    object_or_system_named,
    system_of_joined_objects,
    systems_in_scene,
)
from raybench.errors import elide_text, list_possible_names
from raybench.kinds.blockers import Aperture
from raybench.kinds.detectors import Detector
from raybench.kinds.glasses import GlassBody
from raybench.kinds.object import Filtered, SceneObject
from raybench.kinds.outline import object_edges
from raybench.kinds.sources import Source
from raybench.lens.in_document import lens_systems
from raybench.lens.prescription import InvalidPrescription, Prescription
from raybench.lens.seidel import SEIDEL_SUMS
from raybench.materials.catalogue import UnknownMaterial
from raybench.materials.dispersion import OutsideRange
from raybench.scene.document import Document, EdgeLabels, Groups
from raybench.scene.labels import UnknownEdge
from raybench.scene.names import UnknownName
from raybench.scene.scene import Scene
from raybench.shapes.shape import Line
from raybench.trace.keep import Keep
from raybench.trace.results.result import TraceResult
from raybench.trace.tolerances import ON_SURFACE

COMPARABLE = 0.1
"""Share of the strongest bundle's power from which another bundle is reported."""
MOST_COMPARED = 100
"""Maximum number of bundles that are compared with the strongest."""
EQUAL_VALUES = 1e-6
"""Relative difference below which two values of a measure count as equal."""
OPERATORS: Mapping[str, Callable[[float, float], float]] = MappingProxyType(
    {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv}
)
EXPONENTS: Mapping[Unit, tuple[int, int, int, int, int]] = MappingProxyType(
    {
        Unit.POWER: (1, 0, 0, 0, 0), Unit.LENGTH: (0, 1, 0, 0, 0), Unit.VERGENCE: (0, -1, 0, 0, 0),
        Unit.ANGLE: (0, 0, 1, 0, 0), Unit.TIME: (0, 0, 0, 1, 0), Unit.ONE: (0, 0, 0, 0, 0),
        Unit.IRRADIANCE: (1, -1, 0, 0, 0), Unit.DISPERSION: (0, 1, 0, 0, -1),
    }
)  # fmt: skip
"""Exponents of power, length, angle, time and wavelength in each unit."""
_ORDER = re.compile(r"[-+−]?\d{1,4}", re.ASCII)
_REASONS = (
    *(Undefined, NoFocus, UnknownEdge, InvalidPattern),
    *(InvalidPrescription, OutsideRange, UnknownMaterial),
)
"""Errors that say why a measure has no value."""
_PLACE_ROLES = (Role.SURFACE, Role.SYSTEM, Role.OBJECT, Role.LINE, Role.DETECTOR, Role.APERTURE)
"""Roles of arguments at which light can arrive."""
_TEXT_ROLES = (Role.PATTERN, Role.EDGE, Role.ORDER, Role.LENS, Role.NUMBER, Role.SEIDEL)
"""Roles of arguments that name no object."""


@dataclass(frozen=True)
class BoundMeasure:
    """A measure with its arguments: keys of objects or systems, path patterns, or None for omitted
    arguments. Keys stay valid when the objects are edited. ``all_light`` says that the measure uses
    all light, not only the light on the principal path.
    """

    measure: Measure = field(repr=False)
    arguments: tuple[int | str | None, ...] = field(repr=False)
    expression: str
    all_light: bool = field(default=False, repr=False)

    @property
    def unit(self) -> Unit:
        """The unit of the measure's values."""
        return self.measure.unit

    @property
    def is_power(self) -> bool:
        """Whether the measure's values are powers or parts of powers."""
        return self.measure.is_power

    @property
    def period(self) -> float:
        """The period of the measure's values, such as 360 for directions; 0 if they are not
        periodic.
        """
        return self.measure.period

    @property
    def signed(self) -> bool:
        """Whether the sign of a value only tells a side or a sense of rotation. Such values are
        compared by magnitude.
        """
        return self.measure.signed

    def evaluate(self, light: Light) -> Measured:
        """Evaluate the measure on a trace. Raises UnknownName if an object was deleted from the
        scene.
        """
        share, note = 1.0, ""

        def compute_value() -> float:
            nonlocal share, note
            selected = self._select_light(light)
            share = self._share_of_light(light, selected)
            taken = self._part_on_principal_path(selected)
            value = self.measure.function(*taken)
            note = self.measure.note(*taken) if self.measure.note is not None else ""
            return value

        found = _value_or_reason(light, self.unit, compute_value)
        return _evaluate_bound(self, light, *found, note=note, share=share)

    def _share_of_light(self, light: Light, selected: tuple[Any, ...]) -> float:
        """The share of the selected light from which the value is computed."""
        measure = self.measure
        if measure.takes is not None and not self.all_light:
            index, *of = self.argument_indices(light)
            return light.bundle_share(measure.takes, index, *of)  # type: ignore[arg-type]
        return min((group.share for group in self._group_by_path(selected)), default=1.0)

    def light_by_path(self, light: Light) -> tuple[LightByPath, ...]:
        """The measured light grouped by path, the principal path first. A measure that compares two
        selections of light has two groupings. Empty if the measure uses all light or a bundle.
        """
        try:
            return self._group_by_path(self._select_light(light))
        except _REASONS:
            return ()

    def _select_light(self, light: Light) -> tuple[Any, ...]:
        return self.measure.select_light(
            light, *self.argument_indices(light), all_light=self.all_light
        )

    def _group_by_path(self, selected: tuple[Any, ...]) -> tuple[LightByPath, ...]:
        return () if self.all_light else self.measure.paths_of_selection(selected)

    def _part_on_principal_path(self, selected: tuple[Any, ...]) -> tuple[Any, ...]:
        return selected if self.all_light else self.measure.part_on_principal_path(selected)

    def measured_rows(self, light: Light) -> Rows | None:
        """The segments from which the value is computed, in any order; None if the measure does not
        use rays.
        """
        try:
            return self.measure.rows(light, *self.argument_indices(light), all_light=self.all_light)
        except (Undefined, NoFocus):
            return np.empty(0, np.int64)

    def quantity(self, light: Light) -> str:
        """The name of the measured quantity and the names of its objects, such as ``power that
        arrives at Screen``.
        """
        words = self.measure.quantity_text(
            {
                p.name: str(a) if p.role in _TEXT_ROLES else light.measurable_objects[int(a)].title
                for p, a in zip(self.measure.parameters, self.argument_indices(light), strict=True)
                if a is not None
            }
        )
        return f"{words}, of all light," if self.all_light else words

    @property
    def with_all_light(self) -> BoundMeasure:
        """The same measure for all light instead of the principal path; unchanged for a measure of
        a bundle.
        """
        return replace(self, all_light=self.measure.takes is None)

    def bundles_with_other_values(
        self, light: Light
    ) -> tuple[Bundle, list[tuple[Bundle, Measured]]] | None:
        """The measured bundle, and other bundles with their values if these differ. None if the
        measure uses no bundle, or if no value differs. For powers, bundles of equal power are
        included.

        The other bundles are those with at least `COMPARABLE` of the power of the measured bundle,
        and the strongest bundle of each other source, wavelength and diffraction order.
        """
        measure = self.measure
        if measure.takes is None or self.all_light:
            return None
        index, *of = self.argument_indices(light)
        bundles = sorted(light.candidate_bundles(measure.takes, index, *of), key=lambda b: -b.power)  # type: ignore[arg-type]
        kinds: set[tuple[int, float, int]] = set()
        values: list[tuple[Bundle, Measured]] = []
        for bundle in bundles[:MOST_COMPARED]:
            row = int(bundle.rows[0])
            kind = (
                int(light.result.source[row]),
                float(np.nan_to_num(light.result.wavelength[row])),
                int(light.result.order[row]),
            )
            if bundle.power >= COMPARABLE * bundles[0].power or kind not in kinds:
                beam = ObjectBeam(light, index, bundle)  # type: ignore[arg-type]
                found = _value_or_reason(light, measure.unit, measure.function, beam)
                values.append((bundle, _evaluate_bound(self, light, *found)))
            kinds.add(kind)
        if not values:
            return None
        (taken, first), *others = values
        differing = [
            (b, m)
            for b, m in others
            if measure.unit is Unit.POWER
            or not _equal_values(
                first.value + wrap_difference(m.value - first.value, self.period), first.value
            )
        ]
        return (taken, differing) if differing else None

    def required_rows(self, names: NameScope, *, paths: bool = False) -> Keep | None:
        """Which rows a trace must keep so that the measure can be evaluated
        (`raybench.analysis.measures.measure.RowsNeeded`); None for all rows. With ``paths``, also
        its `measured_rows`, and what the light of each row has met before.
        """
        needs = self.measure.needs
        link_to_rays = paths and self.measure.rays is not select_no_rays
        if needs is RowsNeeded.NONE and not link_to_rays:
            return Keep()
        if (
            needs in (RowsNeeded.SUMS, RowsNeeded.ESCAPING)
            and not link_to_rays
            and set(self.arguments) <= {None}
        ):
            return Keep()
        if needs is RowsNeeded.ESCAPING:
            return Keep((-1,), paths=paths)
        if needs in (RowsNeeded.ROWS, RowsNeeded.SUMS, RowsNeeded.NONE):
            return None
        paths = (
            paths
            or needs in (RowsNeeded.ARRIVING_PATHS, RowsNeeded.FIRST_ARRIVING)
            or self.measure.takes is not None
            or (self.measure.groups_by_path and not self.all_light)
        )
        keep = Keep(paths=paths)
        for parameter, argument in zip(self.measure.parameters, self.arguments, strict=True):
            if parameter.role is Role.EDGE:
                keep |= _rows_at_edge(names, str(argument))
            elif parameter.role in _PLACE_ROLES and argument is not None:
                here = self._required_rows_at(names, argument)
                if here is None:
                    return None
                keep |= here
        return keep

    def _required_rows_at(self, names: NameScope, key: int | str) -> Keep | None:
        """The rows of a trace that a measure reads about the light at the object or system
        ``key``.
        """
        needs, scene = self.measure.needs, names.scene
        members = _optical_members(names, key)
        objects = [scene.optical[i] for i in members]
        leaving = needs is RowsNeeded.LEAVING
        if isinstance(objects[0], Source):
            return Keep((), members) if leaving else Keep()
        if (leaving or self.measure.takes is not None) and any(
            isinstance(o, Aperture) or (isinstance(o, Filtered) and o.filter) for o in objects
        ):
            return None  # light may pass it without meeting it
        glass = [i for i in members if isinstance(scene.optical[i], GlassBody)]
        if glass and needs is RowsNeeded.FIRST_ARRIVING:
            return None  # the light of a source inside comes out before it arrives
        bodies = Bodies.from_scene(scene) if glass else None
        met = {*members}
        for i in glass:
            met.update(bodies.bodies_in_contact(i, scene))  # type: ignore[union-attr]
        if len(members) > 1:  # light may pass detectors between them
            leaving = True
            met.update(i for i, o in enumerate(scene.optical) if isinstance(o, Detector))
        found = tuple(sorted(met))
        return Keep(found, found if leaving else ())

    def argument_indices(self, light: Light) -> list[int | str | None]:
        """The arguments of the measure, with object keys replaced by the indices of the objects in
        ``light``.
        """
        indices: list[int | str | None] = []
        for parameter, argument in zip(self.measure.parameters, self.arguments, strict=True):
            if argument is None or parameter.role in _TEXT_ROLES:
                indices.append(argument)
            elif (index := light.index_of(argument)) is not None:
                indices.append(index)
            else:
                raise UnknownName(
                    f"{self.expression} refers to an object that is no longer in the scene."
                )
        return indices


@dataclass(frozen=True)
class Combination:
    """A number computed from two values by an operator, such as ``power(Screen) /
    power(Mirror)``.
    """

    operator: str
    left: Bound | float
    right: Bound | float
    unit: Unit
    expression: str

    @property
    def parts(self) -> list[Bound]:
        """The operands that are measures or combinations, not plain numbers."""
        return [value for value in (self.left, self.right) if not isinstance(value, float)]

    @property
    def is_power(self) -> bool:
        """Whether the value is computed from powers or parts of powers."""
        return any(part.is_power for part in self.parts)

    @property
    def period(self) -> float:
        """The period of the measures that are added or subtracted; 0 if they are not periodic."""
        return max(part.period for part in self.parts) if self.operator in "+-" else 0.0

    @property
    def signed(self) -> bool:
        """False, since the sign of a computed value counts in comparisons."""
        return False

    def required_rows(self, names: NameScope, *, paths: bool = False) -> Keep | None:
        """The rows of a trace that the operands read; None stands for all rows."""
        return required_rows(self.parts, names, paths=paths)

    def measured_rows(self, light: Light) -> Rows | None:
        """The segments from which the operands are computed, in any order; None if no operand uses
        rays.
        """
        rows = [r for part in self.parts if (r := part.measured_rows(light)) is not None]
        return np.concatenate(rows) if rows else None

    def evaluate(self, light: Light) -> Measured:
        """Evaluate the combination on a trace. The value is undefined if an operand is, or if the
        divisor is 0.
        """
        operands = [
            Measured(value, "", "") if isinstance(value, float) else value.evaluate(light)
            for value in (self.left, self.right)
        ]
        for operand in operands:
            if not operand.defined:
                return _evaluate_bound(
                    self, light, math.nan, f"{operand.expression}: {operand.reason}"
                )
        left, right = operands
        try:
            value = OPERATORS[self.operator](left.value, right.value)
        except ZeroDivisionError:
            return _evaluate_bound(
                self, light, math.nan, f"{right.expression or 'The divisor'} is 0."
            )
        notes = dict.fromkeys(operand.note for operand in operands if operand.note)
        return _evaluate_bound(self, light, value, note="; ".join(notes))


@dataclass(frozen=True)
class FunctionMeasure:
    """A number that a Python function computes from the traced light, such as a function from a
    user's program.
    """

    function: Callable[[Light], float] = field(repr=False)
    expression: str
    """Its name in tables and messages."""
    unit: Unit = Unit.ONE
    is_power: bool = False
    period: float = 0.0
    signed: bool = False

    @property
    def parts(self) -> list[Bound]:
        """An empty list, since a function has no measures as operands."""
        return []

    def required_rows(self, names: NameScope, *, paths: bool = False) -> Keep | None:
        """None, which stands for all rows: the function may read any of them."""
        return None

    def measured_rows(self, light: Light) -> Rows | None:
        """None, since the rays that the function uses are unknown."""
        return None

    def evaluate(self, light: Light) -> Measured:
        """Evaluate the function on a trace. Exceptions of the function are not caught."""
        value = float(self.function(light))
        reason = "" if math.isfinite(value) else "It is not finite."
        return _evaluate_bound(self, light, math.nan if reason else value, reason)


Bound = BoundMeasure | Combination | FunctionMeasure
"""A measure, a number computed from measures, with names resolved in a scene, or a function."""


def _equal_values(one: float, other: float) -> bool:
    return math.isclose(one, other, rel_tol=EQUAL_VALUES, abs_tol=EQUAL_VALUES) or (
        math.isnan(one) and math.isnan(other)
    )


class NameScope(Protocol):
    """The scope in which names in measures are resolved: a scene with its groups, and the user's
    edge labels. A document or a `TracedScene` provides this.
    """

    @property
    def scene(self) -> Scene: ...
    @property
    def edge_labels(self) -> EdgeLabels: ...
    @property
    def groups(self) -> Groups: ...


def bind_measures(
    text: str | Sequence[str | FunctionMeasure], names: NameScope
) -> tuple[Bound, ...]:
    """Parse measures from one or several texts (`raybench.analysis.measures.grammar`) and resolve
    their names. Functions in the list are kept.

    Raises InvalidMeasure, UnknownName or InvalidPattern with a one-line message that suggests
    similar names. InvalidMeasure is also raised if numbers of different units are added, or if the
    result has a unit that is not in `Unit`.
    """
    if (
        isinstance(text, str)
        or not isinstance(text, Sequence)
        or not any(isinstance(t, FunctionMeasure) for t in text)
    ):
        return tuple(_bind_value(value, names) for value in read_measures(text))  # type: ignore[arg-type]
    return tuple(
        bound
        for given in text
        for bound in (
            (given,) if isinstance(given, FunctionMeasure) else bind_measures(given, names)
        )
    )


def required_rows(bounds: Sequence[Bound], names: NameScope, *, paths: bool = False) -> Keep | None:
    """The rows of a trace that some measures read; with ``paths`` also the rows that they measure.
    Other rows do not change their values. None stands for all rows.
    """
    keep = Keep()
    for bound in bounds:
        own = bound.required_rows(names, paths=paths)
        if own is None:
            return None
        keep = own if keep == Keep() else keep | own
    return keep


def _optical_members(names: NameScope, key: int | str) -> tuple[int, ...]:
    """The optical-object indices of the members of the object or system ``key``. Raises
    UnknownName.
    """
    scene = names.scene
    found = [i for i, o in enumerate(scene.optical) if o.key == key]
    if not found:
        systems = systems_in_scene(scene, names.groups)
        system = next((s for s in systems if s.key == key), None)
        system = system or system_of_joined_objects(scene, names.groups, str(key))
        if system is None:
            raise UnknownName("A measure refers to an object that is no longer in the scene.")
        found = list(system.members)
    return tuple(found)


def _rows_at_edge(names: NameScope, edge: str) -> Keep:
    """The rows that may end on an edge: all rows that end on objects whose bounding boxes meet that
    of the edge's body. The edge is named as in `find_named_edge`.
    """
    scene = names.scene
    try:
        body, _ = find_named_edge(scene, edge, names.edge_labels)
    except UnknownEdge:  # the value is undefined
        return Keep()
    margin = ON_SURFACE * scene.settings.length_scale
    left, top, right, bottom = box_as_traced(body, scene)
    boxes = ((i, box_as_traced(o, scene)) for i, o in enumerate(scene.optical))
    return Keep(
        tuple(
            i
            for i, (x1, y1, x2, y2) in boxes
            if x1 <= right + margin
            and x2 >= left - margin
            and y1 <= bottom + margin
            and y2 >= top - margin
        )
    )


def measure_values(
    text: str | Sequence[str], document: Document, result: TraceResult
) -> tuple[Measured, ...]:
    """Evaluate measures for a document and its trace. Raises the same errors as `bind_measures`."""
    light = Light.from_document(document, result)
    return tuple(b.evaluate(light) for b in bind_measures(text, document))


def _evaluate_bound(
    bound: Bound,
    light: Light,
    value: float,
    reason: str = "",
    *,
    note: str = "",
    share: float = 1.0,
) -> Measured:
    """Make a `Measured` from the value of a bound measure, with its unit, source text and untraced
    light.
    """
    return Measured(
        value,
        bound.unit.symbol(light.length_unit, light.power_unit),
        bound.expression,
        reason,
        note,
        light.not_followed(bound.unit, of_power=bound.is_power),
        bound.period,
        share,
    )


def _value_or_reason(
    light: Light, unit: Unit, function: Callable[..., float], *arguments: Any
) -> tuple[float, str]:
    """The value of a function and an empty text. Values below the rounding error of the unit become
    0. If the function raises Undefined, NaN and the reason; also if a rotated body has no edge on
    the named side.
    """
    try:
        value = float(
            function(*arguments)
        )  # some compute with numpy, whose numbers warn where Python raises
    except _REASONS as error:
        return math.nan, str(error)
    if not math.isfinite(value):
        return math.nan, "It is not finite."
    return value if unit is Unit.POWER else light.remove_rounding_noise(value, unit), ""


def beam_value(beam: ObjectBeam, name: str) -> float | None:
    """The value of the measure ``name`` for a bundle; None if it is undefined."""
    measure = MEASURES[name]
    value, reason = _value_or_reason(beam.light, measure.unit, measure.function, beam)
    return None if reason else value


def values_by_measure(
    light: Light, names: Sequence[str], *objects: SceneObject | System | None
) -> dict[str, Any]:
    """The values of several measures for the same objects, by measure name; None for an undefined
    value.
    """
    return {name: measured_value(light, name, *objects).value_or_none for name in names}


def measured_value(light: Light, name: str, *objects: SceneObject | System | None) -> Measured:
    """The value of the measure ``name`` for some objects; None stands for an omitted object. The
    result is that of the measure written as text with the names of the objects.
    """
    return bind_measure(name, *objects).evaluate(light)


def bind_measure(name: str, *objects: SceneObject | System | None) -> BoundMeasure:
    """Bind the measure ``name`` to some objects; None stands for an omitted object."""
    measure = MEASURES[name]
    keys = tuple(None if o is None else o.key for o in objects)
    named = Expression(name, tuple(o.title for o in objects if o is not None))
    return BoundMeasure(measure, keys + (None,) * (len(measure.parameters) - len(keys)), str(named))


def _bind_value(value: Expression | Operation, names: NameScope) -> Bound:
    if isinstance(value, Expression):
        return _bind_expression(value, names)
    left, right = (
        v if isinstance(v, float) else _bind_value(v, names) for v in (value.left, value.right)
    )
    unit = _unit_of_operation(
        value.operator, *(Unit.ONE if isinstance(v, float) else v.unit for v in (left, right))
    )
    if unit is None:
        units = " and ".join(
            "a number" if isinstance(v, float) else f"{v.expression} in {v.unit.value}"
            for v in (left, right)
        )
        raise InvalidMeasure(
            f"{elide_text(str(value), 80)} has no unit: {units}. Add what has one unit; divide lengths"
            " or powers by each other."
        )
    return Combination(value.operator, left, right, unit, str(value))


def _unit_of_operation(sign: str, left: Unit, right: Unit) -> Unit | None:
    """The unit of the result of an operation on values with the units ``left`` and ``right``; None
    if the units cannot be combined.
    """
    if sign in "+-":
        return left if left is right else None
    power = 1 if sign == "*" else -1
    exponents = tuple(a + power * b for a, b in zip(EXPONENTS[left], EXPONENTS[right], strict=True))
    return next((unit for unit, those in EXPONENTS.items() if those == exponents), None)


def _bind_expression(expression: Expression, names: NameScope) -> BoundMeasure:
    measure = find_measure(expression.name)
    given, least = len(expression.arguments), sum(not p.optional for p in measure.parameters)
    if not least <= given <= len(measure.parameters):
        raise InvalidMeasure(
            f"{elide_text(str(expression), 80)} has {given or 'no'} arguments; write {measure.usage}."
            f" {measure.help}"
        )
    if expression.all_light and not measure.by_path:
        raise InvalidMeasure(
            f"{measure.name} is not of the light on one path: leave {ALL} out of"
            f" {elide_text(str(expression), 80)}, or quote it if it is a name."
        )
    parameters = [*measure.parameters[:given]]
    if (
        1 < given < len(measure.parameters)
        and measure.parameters[-1].role is Role.ORDER
        and (
            re.fullmatch(_ORDER, expression.arguments[-1]) is not None
            and all(o.title != expression.arguments[-1] for o in names.scene.optical)
        )
    ):
        parameters[-1] = measure.parameters[-1]  # the source before it is left out
    arguments = {
        p.name: _bind_argument(p, text, names)
        for p, text in zip(parameters, expression.arguments, strict=True)
    }
    return BoundMeasure(
        measure,
        tuple(arguments.get(p.name) for p in measure.parameters),
        str(expression),
        expression.all_light,
    )


def _bind_argument(parameter: Parameter, text: str, names: NameScope) -> int | str:
    """Resolve an argument to the key of an object or system; a path pattern or an edge is checked
    and returned as text. Raises UnknownName, UnknownEdge or InvalidPattern.
    """
    if parameter.role is Role.EDGE:
        find_named_edge(names.scene, text, names.edge_labels)
        return text
    if parameter.role is Role.ORDER:
        if re.fullmatch(_ORDER, text) is None:
            raise InvalidMeasure(f"{elide_text(text, 60)!r} is not {Role.ORDER.value}.")
        return int(text.replace("−", "-"))
    if parameter.role is Role.LENS:
        lenses = lens_systems_by_name(names)
        if text not in lenses:
            raise UnknownName(
                f"'{elide_text(text, 60)}' is not {Role.LENS.value}."
                f" {list_possible_names([*lenses] or ['none'])}"
            )
        return text
    if parameter.role is Role.NUMBER:
        try:
            return f"{float(text.removesuffix('°')):.12g}"
        except ValueError:
            raise InvalidMeasure(f"{elide_text(text, 60)!r} is not {Role.NUMBER.value}.") from None
    if parameter.role is Role.SEIDEL:
        if text not in SEIDEL_SUMS:
            raise InvalidMeasure(f"{elide_text(text, 60)!r} is not {Role.SEIDEL.value}.")
        return text
    if parameter.role is Role.PATTERN:
        # raises if the pattern is invalid or a name is unknown
        Light(
            names.scene, TraceResult.from_segments([], revision=0), edge_labels=names.edge_labels
        ).path_matches(text)
        return text
    obj = object_or_system_named(names.scene, names.groups, text)
    if not can_be_argument(obj, parameter.role) or not (
        isinstance(obj, System) or any(o is obj for o in names.scene.optical)
    ):
        what = f"'{elide_text(text, 60)}' ({obj.noun}) is not {parameter.role.value}."
        raise UnknownName(
            f"{what} {list_possible_names(titles_for_role(parameter.role, names) or ['none'])}"
        )
    return obj.key


def lens_systems_by_name(names: NameScope) -> Mapping[str, Prescription]:
    if isinstance(names, Document):
        return lens_systems(names)
    return names.lenses if isinstance(names, TracedScene) else {}


def titles_for_role(role: Role, names: NameScope) -> list[str]:
    """The titles of the objects and systems that are valid arguments for a role; empty for roles
    that take no object, such as a path pattern.
    """
    if role is Role.LENS:
        return [*lens_systems_by_name(names)]
    if role in _TEXT_ROLES:
        return []
    things: list[SceneObject | System] = [
        *names.scene.optical,
        *systems_in_scene(names.scene, names.groups),
    ]
    return [thing.title for thing in things if can_be_argument(thing, role)]


def can_be_argument(obj: SceneObject | System, role: Role) -> bool:
    """Whether an object or a system is a valid argument for a role."""
    if isinstance(obj, System):
        return role in (Role.SYSTEM, Role.OBJECT)
    if role is Role.SOURCE or isinstance(obj, Source):
        return isinstance(obj, Source) and role in (Role.SOURCE, Role.OBJECT)
    if role in (Role.DETECTOR, Role.APERTURE):
        return isinstance(obj, Detector if role is Role.DETECTOR else Aperture)
    shapes = [
        e.shape for e in object_edges(obj)
    ]  # light does not meet objects without edges, such as handles
    if role is Role.LINE:
        return len(shapes) == 1 and isinstance(shapes[0], Line) and shapes[0].a != shapes[0].b
    return bool(shapes)
