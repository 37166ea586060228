"""Documentation generated from the table of measures: the command line's list, and the help page
``measures.md``.
"""

from __future__ import annotations

from raybench.analysis.measures.measure import Measure, Role, Unit
from raybench.analysis.measures.table import FAMILIES

_HEAD = """\
# Measures

## How a measure is written

A measure is a quantity with a unit that is evaluated on a trace, such as `power(Screen)`, `rms(Screen)`, `power(Screen, Laser)` or
`path_power("Lamp > * > Screen")`. `raybench tool SCENE measure "power(Screen); rms(Screen)"` prints several, one per line, and
`raybench tool measure --list` the table below. Measures are separated by `;`. Arguments with a question mark are optional; a diffraction
order is given with its sign, also where no source is: `direction(Grating, Laser, -1)`, `direction(Grating, 1)`.
A name that contains a comma, a parenthesis or a quotation mark must be written in quotation marks.

## Units and definitions of measures

Powers are relative to the brightness of the scene's sources. Lengths and positions are in the document's length unit, angles in degrees,
counter-clockwise on screen; numbers and ratios have no unit. Power that arrives is that at the end of a ray, after what a medium absorbed
on its way. A length, an angle or a difference of powers below the rounding error is 0. A measure without a value, such as the centroid
where no light arrives, is undefined, with the reason.

A bundle consists of the rays of one source that met the same surfaces in the same order; each order of a grating is a separate bundle. The
strongest bundle is the one with most power; where others have another value, the answer names it and reports theirs. An interface that two
bodies share belongs to both: light meets either, and a total reflection there is one of either. A group of objects, or an instance of a
module, can be named in place of an object where its light as a whole is meant: light arrives at it once, and leaves it where it does not go
straight on to another of its objects. Positions along a line are measured from its first end. A width is the full width between the
outermost rays. An RMS is weighted by power: it is the σ of which ISO 11146 takes four for a beam's width.
The focus near a line is that of most of its light: what runs against that, such as reflections from behind, does not count.
"""


def guide() -> str:
    """The help page as Markdown."""
    sections = [_HEAD]
    for family, measures in FAMILIES.items():
        sections.append(f"\n## {family}\n\n" + "\n".join(map(_item, measures)) + "\n")
    return "".join(sections)


def listing() -> str:
    """The table as text: each measure with its parameters, unit and help, then the meaning of the
    parameters.
    """
    lines: list[str] = []
    for family, measures in FAMILIES.items():
        lines.append(f"{family}:")
        for m in measures:
            lines += [f"  {m.usage}  [{_unit(m)}]", f"      {m.help}"]
    roles = {
        p.name: p.role
        for measures in FAMILIES.values()
        for m in measures
        for p in m.parameters
        if p.role is not Role.SURFACE
    }
    lines.append("Parameters (those with a question mark are optional):")
    lines.append(
        f"  object  {Role.SURFACE.value}; for direction and the beam's width and divergence also a"
        " source"
    )
    lines += [f"  {name}  {role.value}" for name, role in roles.items() if name != "object"]
    return "\n".join(lines)


def _item(measure: Measure) -> str:
    return f"- `{measure.usage}` [{_unit(measure)}]: {measure.help}"


def _unit(measure: Measure) -> str:
    return {Unit.LENGTH: "length", Unit.ONE: "number"}.get(measure.unit, measure.unit.value)
