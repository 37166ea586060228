"""Usual settings for the optimisation of a lens: operands, and variables with bounds that suit the
size of the lens.
"""

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from raybench.lens.clearance import clear_semi_diameters
from raybench.lens.design import (
    LensDesign,
    Variable,
    design_parameters,
    parameter_number,
    split_configuration,
)
from raybench.lens.glass import AIR
from raybench.lens.operands import OPERANDS, Operand, trace_lenses
from raybench.lens.parameters import parameter_place
from raybench.lens.paraxial import first_order, signed_indices
from raybench.lens.prescription import Prescription

LEAST_GLASS, MOST_GLASS, LEAST_AIR = 0.05, 0.6, 0.005
"""Bounds of thicknesses of glass and air, relative to the largest diameter."""
LEAST_RADIUS = 0.6
"""The smallest radius, relative to the largest diameter."""
CHOSEN = frozenset(
    {"focal length", "power", "back focus", "f-number", "magnification", "entrance pupil", "exit pupil", "image distance", "total length", "semi-diameter", "chief height"}
)  # fmt: skip
"""The quantities that are no aberrations."""
FREQUENCY = 20.0
"""The frequency of a modulation at first."""
LIMIT = 0.01
"""By how much lengths may differ in a tolerance, relatively."""
LARGEST_GROWTH = 2.0
"""The upper bound of a distance, relative to the distance or to the largest diameter."""


def usual_operands(design: LensDesign, image: str = "ray heights") -> tuple[Operand, ...]:
    """The operands of a usual merit: the quality of the ``image`` of all fields (``ray heights`` or
    ``path differences``); the present focal length, or the magnification of a near object; and
    bounds on the central and edge thicknesses of glasses and on all edges. Raises
    InvalidPrescription.
    """
    system = design.system
    first, size = first_order(system), _largest_clear_diameter(system)
    found = [Operand(image)]
    if math.isfinite(system.object_distance):
        found.append(Operand("magnification", _round_to_digits(first.magnification, 4)))
    elif math.isfinite(first.focal_length):
        found.append(Operand("focal length", _round_to_digits(first.focal_length, 4)))
    least, most = _round_to_digits(LEAST_GLASS * size), _round_to_digits(MOST_GLASS * size)
    for i in _glass_surface_numbers(system):
        found.append(Operand("centre thickness", at=i, least=least, most=most))
        found.append(Operand("edge thickness", at=i, least=least))
    if len(system.surfaces) > 1:
        found.append(Operand("edge thickness", least=_round_to_digits(LEAST_AIR * size)))
    return tuple(found)


def usual_operand(design: LensDesign, quantity: str) -> Operand:
    """An operand of a quantity with a usual target: the present value for a quantity that designers
    choose, such as a length; a lower bound for a thickness; 0 for an aberration. Raises
    InvalidMerit or InvalidPrescription.
    """
    if quantity in {"centre thickness", "edge thickness"}:
        return Operand(
            quantity, least=_round_to_digits(LEAST_AIR * _largest_clear_diameter(design.system))
        )
    if quantity == "mtf":
        return Operand(quantity, 1.0, frequency=FREQUENCY)
    if quantity not in CHOSEN:
        return Operand(quantity)
    (lens,) = trace_lenses([design.system])
    values = Operand(quantity).values(lens)
    if quantity == "semi-diameter":
        return Operand(quantity, most=_round_to_digits(float(values.max()), 4))
    target = _round_to_digits(float(values[-1]), 4) if math.isfinite(values[-1]) else 0.0
    return Operand(quantity, target, at=len(values) if OPERANDS[quantity].selects else None)


def usual_limit(design: LensDesign, quantity: str) -> Operand:
    """An operand of a quantity with usual tolerance bounds about its present value: a modulation
    may decrease by a tenth, a length may differ by 1 %, an aberration may be half as large again.
    Raises the errors of `usual_operand`.
    """
    operand = usual_operand(design, quantity)
    if math.isfinite(operand.least) or math.isfinite(operand.most):
        return operand
    (lens,) = trace_lenses([design.system])
    values = operand.values(lens)
    low, high = float(np.nanmin(values)), float(np.nanmax(values))
    if quantity == "mtf":
        return replace(operand, target=0.0, least=_round_to_digits(0.9 * low))
    if quantity in CHOSEN:
        off = LIMIT * abs(operand.target)
        return replace(operand, target=0.0, least=operand.target - off, most=operand.target + off)
    most = _round_to_digits(1.5 * max(abs(low), abs(high)))
    return replace(operand, most=most, least=-most if low < 0 else -math.inf)


def with_usual_variables(design: LensDesign, kind: str) -> LensDesign:
    """The design in which all free parameters of a kind are variables: ``c`` for curvatures, ``t``
    for distances, ``glass`` for glasses. Existing variables keep their bounds.
    """
    known = {v.parameter for v in design.variables}
    new = [usual_variable(design, name) for name in free_parameters(design, kind)]
    return replace(
        design, variables=(*design.variables, *(v for v in new if v.parameter not in known))
    )


def free_parameters(design: LensDesign, kind: str = "") -> Sequence[str]:
    """The names of the parameters of a kind, or of all kinds, that can be variables: they have no
    link, and no values in configurations. The curvature of a surface that does not refract, such as
    a stop, is left out.
    """
    n = signed_indices(design.system, design.system.primary_wavelength)
    idle = {f"c{i}" for i, (one, other) in enumerate(pairwise(n), 1) if one == other}
    of_states = {name for each in design.configurations for name, _ in each.values}
    found = []
    for name, parameter in design_parameters(design).items():
        own, state = split_configuration(design, name)
        head, value = own.rstrip("0123456789"), parameter.value
        is_other = head in {"r", "n"} or (kind and head != kind)
        if is_other or own in idle or parameter.link or (state is None and own in of_states):
            continue
        if math.isfinite(value) if isinstance(value, float) else value not in (None, AIR):
            found.append(name)
    return found


def usual_variable(design: LensDesign, name: str) -> Variable:
    """A variable for a parameter, with bounds that contain its present value. Raises
    InvalidPrescription.
    """
    own, _ = split_configuration(design, name)
    place, size = parameter_place(own), _largest_clear_diameter(design.system)
    if place is None or place.kind not in {"c", "t"}:
        return Variable(name)
    value = parameter_number(design, name)
    if place.kind == "c":
        most = max(_round_to_digits(1 / (LEAST_RADIUS * size)), _round_to_digits(1.5 * abs(value)))
        return Variable(name, -most, most)
    low, high = LEAST_AIR * size, LARGEST_GROWTH * max(size / 2, abs(value))
    if place.index + 1 in _glass_surface_numbers(design.system):
        low, high = LEAST_GLASS * size, MOST_GLASS * size
    low, high = min(_round_to_digits(low), abs(value)), max(_round_to_digits(high), abs(value))
    return Variable(name, -high, -low) if value < 0 else Variable(name, low, high)


def _largest_clear_diameter(system: Prescription) -> float:
    return 2 * max(clear_semi_diameters(system))


def _glass_surface_numbers(system: Prescription) -> list[int]:
    """The numbers (from 1) of the surfaces that are followed by glass."""
    return [
        i
        for i, surface in enumerate(system.surfaces[:-1], 1)
        if surface.glass != AIR and not surface.is_mirror
    ]


def _round_to_digits(value: float, digits: int = 2) -> float:
    return float(f"{value:.{digits}g}")
