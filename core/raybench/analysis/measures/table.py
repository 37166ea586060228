"""The table of all measures, and its documentation: the list for the command line, and the help
page ``measures.md``. To add a measure, add a decorated function to a module in `families/` (see
README.md).
"""

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from types import MappingProxyType
from typing import Any

from raybench.analysis.measures.families import (
    aberration,
    beam,
    detector,
    dimension,
    element,
    image,
    interference,
    lens,
    path,
    polarization,
    power,
    pupil,
    reflection,
    spot,
)
from raybench.analysis.measures.grammar import InvalidMeasure
from raybench.analysis.measures.measure import Family, IncompleteMeasure, Measure, Role, Unit
from raybench.errors import elide_text, list_first_texts
from raybench.system.plugins import load_plugins

_families: dict[str, Sequence[Measure]] = {
    family.title: family.measures
    for family in (
        detector.ARRIVING,
        polarization.POLARIZATION,
        spot.SPOT,
        spot.IRRADIANCE,
        interference.INTERFERENCE,
        power.BALANCE,
        path.AT_EDGES,
        detector.OPENINGS,
        dimension.SIZES,
        dimension.PLACES,
        beam.ANGLES,
        beam.ARRIVING_ANGLES,
        beam.SIZES,
        beam.CROSSINGS,
        power.RETURNING,
        element.ELEMENTS,
        lens.FOCUS,
        image.IMAGE,
        aberration.ABERRATIONS,
        pupil.PUPILS,
        reflection.REFLECTIONS,
        reflection.INTERFACE,
        path.PATHS,
    )
}


def _add_families(name: str, module: Any) -> None:
    """Add the families that a module of another package defines to the table of measures."""
    families = [value for value in vars(module).values() if isinstance(value, Family)]
    known = {measure.name for measures in _families.values() for measure in measures}
    for family in families:
        if _families.get(family.title) is family.measures:
            continue  # one that is imported, to which it adds a measure
        if family.title in _families:
            raise IncompleteMeasure(f"there is a family {family.title!r} already")
        if taken := [m.name for m in family.measures if m.name in known]:
            raise IncompleteMeasure(f"there is a measure {taken[0]} already")
        _families[family.title] = family.measures


load_plugins("measures", _add_families)
FAMILIES: Mapping[str, Sequence[Measure]] = MappingProxyType(_families)
"""The measures by family."""
MEASURES: Mapping[str, Measure] = MappingProxyType(
    {measure.name: measure for family in FAMILIES.values() for measure in family}
)
"""All measures by name, in the order of the table."""
if len(MEASURES) < sum(map(len, FAMILIES.values())):
    raise IncompleteMeasure("Two measures have one name.")

MOST_LISTED = 40
"""Names of measures in an error."""


def find_measure(name: str) -> Measure:
    """The measure with a name. Raises InvalidMeasure, which suggests similar names."""
    if name in MEASURES:
        return MEASURES[name]
    near = [MEASURES[n].usage for n in get_close_matches(name.lower(), MEASURES, n=3)]
    every = f"There are {list_first_texts(list(MEASURES), MOST_LISTED)}; Help and search_help explain all."
    known = f"Nearest: {', '.join(near)}." if near else every
    raise InvalidMeasure(f"There is no measure '{elide_text(name, 60)}'. {known}")


_HEAD = """\
# Measures

## How a measure is written

A measure is a quantity with a unit that is evaluated on a trace, such as `power(Screen)`, `rms(Screen)`, `power(Screen, Laser)` or
`path_power("Lamp > * > Screen")`. `raybench tool SCENE measure "power(Screen); rms(Screen)"` prints several, one per line, and
`raybench tool measure --list` the table below. Measures are separated by `;`. Arguments with a question mark are optional; a diffraction
order is given with its sign, also where no source is: `direction(Grating, Laser, -1)`, `direction(Grating, 1)`.
A name that contains a comma, a parenthesis or a quotation mark must be written in quotation marks.

## Units and definitions of measures

Powers are in the document's unit, or else relative to the brightness of the scene's sources. Lengths and positions are in the document's length unit, angles in degrees,
counter-clockwise on screen; numbers and ratios have no unit. Power that arrives is that at the end of a ray, after what a medium absorbed
on its way. A length, an angle or a difference of powers below the rounding error is 0. A measure without a value, such as the centroid
where no light arrives, is undefined, with the reason.

A bundle consists of the rays of one source that met the same surfaces in the same order; each order of a grating is a separate bundle. The
strongest bundle is the one with most power; where others have another value, the answer names it and reports theirs. An interface that two
bodies share belongs to both: light meets either, and a total reflection there is one of either. A group of objects, or an instance of a
module, can be named in place of an object where its light as a whole is meant: light arrives at it once, and leaves it where it does not go
straight on to another of its objects. Positions along a line are measured from its first end. A width is the full width between the
outermost rays, which stand half a step inside the ends of their source. So both ends of a beam, the edges of its cone and those of a fan are
traced besides, and count where they come by the path of what is measured: a stop cuts them. Angles of divergence, numerical apertures and
f-numbers reach to these rims too. An RMS is weighted by power: it is the σ of which ISO 11146 takes four for a beam's width.

## The principal path

An angle, a length, a count, a width or a focus is that of the light on the principal path: of the paths by which light comes there, the
one that carries most power. A path is the sequence of surfaces and of what happens at each; neither the source nor the colour belongs to it,
nor does a detector on the way. Where it carries less than all of the light, the answer says how much, by what else light arrives, and
the value of all of it. The word `all` as the last argument asks for that: `incidence(Prism, all)`, `rms(Screen, Laser, all)`; of a bundle,
as in `divergence(Lens, all)`, it takes all bundles as one. Powers and parts of a power, and numbers of rays, are of all light. An object
that is called all is written in quotation marks.
"""


def help_page() -> str:
    """The help page about measures, as Markdown."""
    sections = [_HEAD]
    for family, measures in FAMILIES.items():
        sections.append(f"\n## {family}\n\n" + "\n".join(map(_measure_item, measures)) + "\n")
    return "".join(sections)


def measure_listing() -> str:
    """The list of all measures as text: parameters, unit and help of each, and then the meaning of
    the parameters.
    """
    lines: list[str] = []
    for family, measures in FAMILIES.items():
        lines.append(f"{family}:")
        for m in measures:
            lines += [f"  {m.usage}  [{_measure_unit(m)}]", f"      {m.help}"]
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


def _measure_item(measure: Measure) -> str:
    return f"- `{measure.usage}` [{_measure_unit(measure)}]: {measure.help}"


def _measure_unit(measure: Measure) -> str:
    return {Unit.LENGTH: "length", Unit.ONE: "number"}.get(measure.unit, measure.unit.value)
