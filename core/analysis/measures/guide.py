"""The table of measures in words: the list that the command line prints, and the page ``measures.md`` of the guides."""

from __future__ import annotations

from core.analysis.measures.measure import Measure, Role, Unit
from core.analysis.measures.table import FAMILIES

_HEAD = """\
# Measures

## How a measure is written

A measure is a number with a unit that a trace gives, such as `power(Screen)`, `rms(Screen)`, `power(Screen, Laser)` or
`path_power("Lamp > * > Screen")`. `raybench tool SCENE measure "power(Screen); rms(Screen)"` prints several, a line each, and
`raybench tool measure --list` the table below. Several are separated by `;`. An argument that carries a question mark may be left out.
Names are written as they are; one that holds a comma, a round bracket or a quotation mark stands in quotation marks.

## Units and definitions of measures

Powers are relative to the brightness that the scene gives its sources. Lengths and positions are in the document's length unit, angles in
degrees, counter-clockwise as seen, numbers and ratios plain. A power is that with which a ray starts. A length, an angle or a difference of
powers below the noise of rounding is 0. What is not defined, as the centroid of no light, is given as undefined with the reason.

A bundle is the rays of one source that met the same surfaces in the same order, each order of a grating by itself; the strongest is the one
with most power. Positions along a line count from its first end. A width is the full width from one outermost ray to the other. An RMS is
weighted by power: it is the σ of which ISO 11146 takes four for a beam's width.
"""


def guide() -> str:
    """The page of the guides."""
    sections = [_HEAD]
    for family, measures in FAMILIES.items():
        sections.append(f"\n## {family}\n\n" + "\n".join(map(_item, measures)) + "\n")
    return "".join(sections)


def listing() -> str:
    """The table for a terminal: each measure with its parameters and unit and, below, what it is, and what the parameters name."""
    lines: list[str] = []
    for family, measures in FAMILIES.items():
        lines.append(f"{family}:")
        for m in measures:
            lines += [f"  {m.usage}  [{_unit(m)}]", f"      {m.help}"]
    roles = {p.name: p.role for measures in FAMILIES.values() for m in measures for p in m.parameters if p.role is not Role.SURFACE}
    lines.append("Parameters, those with a question mark may be left out:")
    lines.append(f"  object  {Role.SURFACE.value}; for direction and the beam's width and spread also a source")
    lines += [f"  {name}  {role.value}" for name, role in roles.items() if name != "object"]
    return "\n".join(lines)


def _item(measure: Measure) -> str:
    return f"- `{measure.usage}` [{_unit(measure)}]: {measure.help}"


def _unit(measure: Measure) -> str:
    return {Unit.LENGTH: "length", Unit.ONE: "number"}.get(measure.unit, measure.unit.value)


if __name__ == "__main__":
    print(guide(), end="")
