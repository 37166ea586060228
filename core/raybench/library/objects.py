"""Functions that create the objects of a scene: one for each kind and each preset. They check their
arguments.
"""

import inspect
import math
from collections.abc import Callable, Mapping, Sequence
from functools import cache, wraps
from numbers import Real
from typing import Any, ParamSpec, TypeVar

from raybench.errors import RaybenchError
from raybench.kinds.aspects.similarity import Similarity
from raybench.kinds.fields import Field, camel_case, described_fields, settable_fields
from raybench.kinds.glasses import HomogeneousGlass
from raybench.kinds.kinds import KINDS, kind_row_of
from raybench.kinds.lenses import SphericalLens
from raybench.kinds.object import SceneObject
from raybench.presets import PRESETS
from raybench.presets.preset import body_fields_of_material, transparent_material_named
from raybench.scene.changes.objects import read_object
from raybench.scene.changes.presets import AddPreset, preset_with_values
from raybench.scene.changes.values import suggest_similar_names
from raybench.shapes.point import Point

Given = ParamSpec("Given")
Made = TypeVar("Made")
Pair = tuple[float, float]
EXTENTS: Mapping[str, tuple[str, Pair, Pair]] = {
    "Beam": ("width", (0.0, -0.5), (0.0, 0.5)),
    "CircleGlass": ("diameter", (0.0, 0.0), (0.5, 0.0)),
    "CircleGrinGlass": ("diameter", (0.0, 0.0), (0.5, 0.0)),
    "CircleBlocker": ("diameter", (0.0, 0.0), (0.5, 0.0)),
    "IdealLens": ("diameter", (0.0, -0.5), (0.0, 0.5)),
    "SingleRay": ("", (0.0, 0.0), (1.0, 0.0)),
    "AngleSource": ("", (0.0, 0.0), (1.0, 0.0)),
}  # fmt: skip
"""Of the kinds that are given by two points: the word for their size, and the points for a size of
1 about the origin, for light along the x axis. Any other is a line, whose size is its height.
"""
LINE = "height", (0.0, -0.5), (0.0, 0.5)
_PAIRS = ("path", "points")
CROSSING = 1e-9
"""Rounding error of the thickness of a lens at its rim, relative to that on the axis."""


class InvalidArgument(RaybenchError, TypeError):
    """An argument of a Python function has a wrong type; the message names the argument and the
    expected type.
    """


def read_number_pair(value: Any, name: str) -> Pair:
    """Read a point that is given as a pair of numbers. Raises InvalidArgument."""
    try:
        x, y = map(float, value)
    except (TypeError, ValueError):
        raise InvalidArgument(f"{name} is {value!r}; give a pair of numbers (x, y).") from None
    if not (math.isfinite(x) and math.isfinite(y)):
        raise InvalidArgument(f"{name} is {value!r}; give finite numbers.")
    return x, y


def _default_end_points(kind: str) -> tuple[str, Pair, Pair] | None:
    required = {f.name for f in described_fields(KINDS[kind]) if f.is_required}
    return EXTENTS.get(kind, LINE) if required == {"p1", "p2"} else None


@cache
def object_maker(kind: str) -> Callable[..., SceneObject]:
    """Make the function that creates objects of a kind."""
    fields = {f.name: f for f in settable_fields(KINDS[kind])}
    extents = _default_end_points(kind)
    size = extents[0] if extents else ""
    of_glass = issubclass(KINDS[kind], HomogeneousGlass)

    def make(
        name: str = "", *, at: Pair = (0.0, 0.0), angle: float = 0.0, **values: Any
    ) -> SceneObject:
        owner = f"{kind} '{name}'" if name else kind
        _refuse_unknown(values, [*fields, *filter(None, [size]), *["glass"] * of_glass], owner)
        data: dict[str, Any] = {"type": kind, "name": name}
        material = values.pop("glass", None) if of_glass else None
        if extents and not {"p1", "p2"} & values.keys():
            extent = values.pop(size, None) if size else 1.0
            if extent is None:
                raise InvalidArgument(f"{owner} needs {size}, or its ends p1 and p2.")
            if not _is_number(extent) or not 0 < float(extent) < math.inf:
                raise InvalidArgument(f"{owner}: {size} is {extent!r}; give a length above 0.")
            extent = float(extent)
            for end, (x, y) in zip(("p1", "p2"), extents[1:], strict=True):
                data[end] = {"x": x * extent, "y": y * extent}
        elif "x" in fields and "y" in fields:
            data |= {"x": 0.0, "y": 0.0}
        for given, value in values.items():
            f = fields.get(given)
            data[camel_case(given)] = value if f is None else field_as_json(f, value, owner)
        place = Point(*read_number_pair(at, f"{owner}: at"))
        made = read_object(data, owner=owner)
        if material is not None:
            made = made.with_fields(_glass_body_fields(material, owner))
        by = Similarity.rotation_then_shift(finite_number(angle, "angle", owner), place)
        return made if by == Similarity() else kind_row_of(made).transformed(made, by)

    return _add_documentation(make, kind, KINDS[kind], list(fields.values()), size, of_glass)


def _glass_body_fields(glass: Any, owner: str) -> dict[str, Any]:
    """The fields of a body that is made of a glass. Raises InvalidArgument if ``glass`` is not a
    name.
    """
    if not isinstance(glass, str):
        raise InvalidArgument(f"{owner}: glass is {glass!r}; give a name, such as N-BK7.")
    return body_fields_of_material(transparent_material_named(glass))


def _check_argument_names(make: Callable[Given, Made]) -> Callable[Given, Made]:
    """The function ``make``, which additionally raises InvalidArgument for an unknown or missing
    argument name.
    """
    parameters = inspect.signature(make).parameters
    needed = [p.name for p in parameters.values() if p.default is p.empty]

    @wraps(make)
    def checked(*args: Given.args, **kwargs: Given.kwargs) -> Made:
        _refuse_unknown(kwargs, list(parameters), make.__name__)
        if missing := [name for name in needed if name not in kwargs]:
            raise InvalidArgument(f"{make.__name__} needs {missing[0]}.")
        return make(*args, **kwargs)

    return checked


def _refuse_unknown(values: Mapping[str, Any], known: Sequence[str], owner: str) -> None:
    for name in values:
        if name not in known:
            raise InvalidArgument(
                f"{owner} takes no {name!r}. {suggest_similar_names(name, known)}"
            )


def values_by_file_name(
    values: Mapping[str, Any], fields: Sequence[Field], owner: str
) -> dict[str, Any]:
    """The values of fields, by the names of the fields in files. The given names are in snake case
    or spelled as in files. Raises InvalidArgument.
    """
    names = {f.name: camel_case(f.name) for f in fields}
    own = {name: value for name, value in values.items() if name not in names.values()}
    _refuse_unknown(own, list(names), owner)
    return {names.get(name, name): value for name, value in values.items()}


def _is_number(value: Any) -> bool:
    """Whether a value is a real number, of Python or of numpy."""
    return isinstance(value, Real) and not isinstance(value, bool)


def finite_number(value: Any, name: str, owner: str) -> float:
    """A finite number from a value of Python or numpy. Raises InvalidArgument."""
    if not _is_number(value) or not math.isfinite(value):
        raise InvalidArgument(f"{owner}: {name} is {value!r}; give a finite number.")
    return float(value)


def numpy_to_python_value(value: Any) -> Any:
    """A numpy number or array converted to a Python number or list; any other value is returned
    unchanged.
    """
    return value.tolist() if hasattr(value, "tolist") else value


def radius_or_none_if_flat(value: Any) -> Any:
    """A radius in the form of lens data, where a flat surface is None."""
    return None if _is_number(value) and math.isinf(value) else numpy_to_python_value(value)


def field_as_json(f: Field, value: Any, owner: str) -> Any:
    """The JSON of a field's Python or numpy value: a pair of numbers becomes a point."""
    value = numpy_to_python_value(value)
    if f.about.kind == "point":
        x, y = read_number_pair(value, f"{owner}: {f.name}")
        return {"x": x, "y": y}
    if f.about.kind in _PAIRS and isinstance(value, Sequence) and not isinstance(value, str):
        corners = []
        for i, corner in enumerate(value):
            if isinstance(corner, Mapping):
                corners.append(dict(corner))
                continue
            x, y = read_number_pair(tuple(corner)[:2], f"{owner}: {f.name}[{i}]")
            arc = f.about.kind == "path" and len(tuple(corner)) > 2 and bool(corner[2])
            corners.append({"x": x, "y": y} | ({"arc": arc} if f.about.kind == "path" else {}))
        return corners
    return value


@cache
def preset_maker(preset: str) -> Callable[..., AddPreset]:
    """Make the function that creates a preset."""
    fields = described_fields(PRESETS[preset])

    def make(
        name: str = "", *, at: Pair = (0.0, 0.0), angle: float = 0.0, **values: Any
    ) -> AddPreset:
        owner = f"{preset} '{name}'" if name else preset
        _refuse_unknown(values, [f.name for f in fields], owner)
        x, y = read_number_pair(at, f"{owner}: at")
        written = {
            camel_case(given): numpy_to_python_value(value) for given, value in values.items()
        }
        preset_with_values(preset, written).objects()
        turn = finite_number(angle, "angle", owner)
        return AddPreset(preset, values=written, at=Point(x, y), angle=turn, as_=name)

    return _add_documentation(make, preset, PRESETS[preset], list(fields), "", False)


def _add_documentation(
    make: Callable[..., Any], name: str, cls: type, fields: list[Field], size: str, of_glass: bool
) -> Callable[..., Any]:
    """The maker function with the name, signature and documentation of its class."""
    keyword = inspect.Parameter.KEYWORD_ONLY
    taken = ("name", "angle", "locked", size)
    own = [f for f in fields if f.name not in taken and not f.about.unused]
    by_extent = name in KINDS and _default_end_points(name) is not None
    first = list(inspect.signature(make).parameters.values())[:3]
    more = [inspect.Parameter(size, keyword, annotation=float)] if size else []
    more += [inspect.Parameter("glass", keyword, default=None, annotation=str)] if of_glass else []
    more += [
        inspect.Parameter(
            f.name,
            keyword,
            default=None if f.is_required else f.default,
            annotation=_TYPES.get(f.about.kind, Any),
        )
        for f in own
    ]
    lines = [inspect.getdoc(cls) or "", "", "Args:"]
    lines += ["    name: Its name; without one it gets one when it is added to a scene."]
    middle = "its middle is" if by_extent or name in PRESETS else "its origin goes"
    lines += [f"    at: Where {middle}, x to the right and y down."]
    lines += ["    angle: Degrees by which it is turned, counter-clockwise as seen."]
    lines += [f"    {size}: Its size, in scene units."] if size else []
    lines += ["    glass: A name of the catalogue of materials, such as N-BK7."] if of_glass else []
    for f in own:
        unit = f" ({f.about.unit})" if f.about.unit else ""
        lines.append(f"    {f.name}: {f.about.help or f.about.label + '.'}{unit}")
    make.__name__ = make.__qualname__ = name
    make.__doc__ = "\n".join(lines)
    make.__signature__ = inspect.Signature([*first, *more])  # type: ignore[attr-defined]
    return make


_TYPES: Mapping[str, Any] = {
    "number": float,
    "coordinate": float,
    "flag": bool,
    "text": str,
    "choice": str,
    "point": Pair,
    "path": Sequence[Pair],
    "points": Sequence[Pair],
    "material": str,
}


@_check_argument_names
def Lens(
    name: str = "",
    *,
    r: tuple[float | None, float | None],
    thickness: float,
    glass: str,
    diameter: float,
    at: Pair = (0.0, 0.0),
    angle: float = 0.0,
) -> SphericalLens:
    """A lens that is given by two radii, thickness, glass and diameter.

    Args:
        name: Name of the lens.
        r: Radii of the first and the second surface, in scene units; positive where the centre of
            curvature lies behind the surface, None or infinity for a flat one.
        thickness: Thickness on the axis, in scene units.
        glass: Name of a catalogue material, such as N-BK7.
        diameter: Diameter from rim to rim, in scene units.
        at: Middle of the lens on its axis, x to the right and y down.
        angle: Rotation in degrees, counter-clockwise as seen.

    Examples:
        >>> import raybench as rb
        >>> lens = rb.Lens("L1", r=(51.5, None), thickness=4, glass="N-BK7", diameter=25)
        >>> lens.title, lens.params["r1"]
        ('L1', 51.5)
    """
    owner = f"Lens '{name}'" if name else "Lens"
    x, y = read_number_pair(at, f"{owner}: at")
    try:
        radii = [None if one is None or math.isinf(one) else float(one) for one in r]
        first, second = radii
        if any(radius is not None and math.isnan(radius) for radius in radii):
            raise ValueError
    except (TypeError, ValueError):
        raise InvalidArgument(
            f"{owner}: r is {r!r}; give two radii, such as r=(50.0, -50.0), None for a flat one."
        ) from None
    lengths = {"thickness": thickness, "diameter": diameter}
    for word, value in lengths.items():
        if finite_number(value, word, owner) <= 0:
            raise InvalidArgument(f"{owner}: {word} is {value!r}; give a length above 0.")
    for which, radius in enumerate(radii, 1):
        if radius is not None and abs(radius) < diameter / 2:
            raise InvalidArgument(
                f"{owner}: radius {which} of {radius:g} is less than half the diameter of"
                f" {diameter:g}. Give a larger radius or a smaller diameter."
            )
    first_sag, second_sag = (
        0.0 if one is None else one - math.copysign(math.sqrt(one**2 - diameter**2 / 4), one)
        for one in radii
    )
    if (edge := thickness + second_sag - first_sag) < -CROSSING * thickness:
        raise InvalidArgument(
            f"{owner}: its surfaces cross before the rim, where it would be {edge:.4g} thick. Give a"
            f" thickness of at least {thickness - edge:.4g}, or a smaller diameter."
        )
    made = SphericalLens(
        name=name,
        p1=Point(0.0, -diameter / 2),
        p2=Point(0.0, diameter / 2),
        params={"d": float(thickness), "r1": first, "r2": second},
        **_glass_body_fields(glass, owner),
    )
    by = Similarity.rotation_then_shift(finite_number(angle, "angle", owner), Point(x, y))
    placed = kind_row_of(made).transformed(made, by)
    assert isinstance(placed, SphericalLens)
    return placed


MAKER_NAMES = tuple(name for name in (*KINDS, *PRESETS) if name != "Handle")
"""The names of kinds and presets that objects are made of."""


def maker_named(name: str) -> Callable[..., Any]:
    """The function with this name that creates objects of a kind or a preset. Raises AttributeError
    for an unknown name.
    """
    if name not in MAKER_NAMES:
        raise AttributeError(
            f"module 'raybench' has no {name!r}. {suggest_similar_names(name, MAKER_NAMES)}"
        )
    return object_maker(name) if name in KINDS else preset_maker(name)
