"""The configurations of a lens design as a table with a column for each configuration, and a row
for each parameter that differs between configurations. Changes of the table also update variables
and operands.
"""

from collections.abc import Sequence
from dataclasses import replace

from raybench.lens.design import (
    Configuration,
    LensDesign,
    parameter_number,
    split_configuration,
    with_parameter,
)
from raybench.lens.parameters import with_values


def configured_parameters(design: LensDesign) -> Sequence[str]:
    """The names of the parameters that have a value in at least one configuration, in order."""
    return list(dict.fromkeys(name for each in design.configurations for name, _ in each.values))


def configured_value(design: LensDesign, name: str, index: int) -> float:
    """The value of a parameter in a configuration or, if the configuration has no value for it, in
    the prescription. Raises InvalidPrescription if the parameter is not a number.
    """
    own = dict(design.configurations[index].values)
    return own[name] if name in own else parameter_number(design, name)


def with_added_configuration(design: LensDesign) -> LensDesign:
    """The design with one more configuration, a copy of the last. A design without configurations
    gets two.
    """
    present = design.configurations or (Configuration(()),)
    return replace(design, configurations=(*present, replace(present[-1], name="")))


def without_configuration(design: LensDesign, index: int) -> LensDesign:
    """The design without a configuration, the variables in this configuration and its operands."""
    now = {
        old: i for i, old in enumerate(i for i in range(len(design.configurations)) if i != index)
    }
    variables = []
    for variable in design.variables:
        own, state = split_configuration(design, variable.parameter)
        if state is None:
            variables.append(variable)
        elif state in now:
            variables.append(replace(variable, parameter=f"{own}_{now[state] + 1}"))
    return replace(
        design,
        configurations=tuple(design.configurations[old] for old in now),
        variables=tuple(variables),
        operands=tuple(
            o if o.configuration is None else replace(o, configuration=now[o.configuration - 1] + 1)
            for o in design.operands
            if o.configuration is None or o.configuration - 1 in now
        ),
    )


def with_configured_parameter(design: LensDesign, name: str) -> LensDesign:
    """The design in which a parameter has a value in each configuration, initially the value in the
    prescription. A variable becomes one variable in each configuration. Raises InvalidPrescription.
    """
    value, count = parameter_number(design, name), len(design.configurations)
    return replace(
        design,
        configurations=tuple(
            each
            if name in dict(each.values)
            else replace(each, values=(*each.values, (name, value)))
            for each in design.configurations
        ),
        variables=tuple(
            replace(v, parameter=own)
            for v in design.variables
            for own in (
                [f"{name}_{k + 1}" for k in range(count)] if v.parameter == name else [v.parameter]
            )
        ),
    )


def without_configured_parameter(design: LensDesign, name: str) -> LensDesign:
    """The design in which a parameter has the value of the prescription in all configurations. It
    is no longer a variable.
    """
    return replace(
        design,
        configurations=tuple(
            replace(each, values=tuple(pair for pair in each.values if pair[0] != name))
            for each in design.configurations
        ),
        variables=tuple(
            v
            for v in design.variables
            if (place := split_configuration(design, v.parameter))[1] is None or place[0] != name
        ),
    )


def with_configured_value(design: LensDesign, name: str, index: int, value: float) -> LensDesign:
    """The design with another value of a parameter in a configuration. The prescription changes too
    if it shows this configuration. Raises InvalidPrescription.
    """
    shown = shown_configuration(design)
    changed = with_parameter(design, f"{name}_{index + 1}", value)
    return with_shown_configuration(changed, index) if shown == index else changed


def shown_configuration(design: LensDesign) -> int | None:
    """The index of the first configuration whose values equal those of the prescription; None
    without such a configuration.
    """
    for index, configuration in enumerate(design.configurations):
        if all(parameter_number(design, name) == value for name, value in configuration.values):
            return index
    return None


def with_shown_configuration(design: LensDesign, index: int) -> LensDesign:
    """The design whose prescription has the values of the configuration ``index``."""
    values = dict(design.configurations[index].values)
    return replace(design, system=with_values(design.system, values))
