"""Light sources and their rays."""

import dataclasses
import math
import zlib
from abc import abstractmethod
from collections.abc import Collection, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from raybench.arrays import Floats
from raybench.kinds.aspects import outlines, sample
from raybench.kinds.aspects.emission import (
    Poll,
    RayBundle,
    RayRows,
    angular_step,
    check_ray_count,
    chunk_slices,
    density_for_brightness,
    equal_power_bundle,
    stepped_values,
    write_rays_from_point,
)
from raybench.kinds.aspects.outlines import (
    FIRST_ANGLE_MARGIN,
    IN_ONE_POINT,
    LAST_ANGLE_MARGIN,
    Edges,
)
from raybench.kinds.aspects.pieces import EMPTY_PIECE, Piece
from raybench.kinds.aspects.row import Row, Substitute, axis_across_own_line, axis_along_ray
from raybench.kinds.aspects.similarity import Similarity
from raybench.kinds.aspects.transform import transform_between_directed_ends, transform_fields
from raybench.kinds.fields import (
    LENGTH,
    Description,
    Field,
    choice_field,
    coordinate,
    described_field,
    flag,
    number,
    point,
    string,
)
from raybench.kinds.object import SceneObject, kind
from raybench.kinds.primitives import POLARIZES
from raybench.optics.colour import GREEN
from raybench.optics.polarization import double_angle
from raybench.phrase import Phrase
from raybench.shapes.point import Point
from raybench.shapes.shape import Line

if TYPE_CHECKING:
    from raybench.scene.settings import Settings


def wavelength_field() -> Any:
    """The dataclass field with a source's wavelength."""
    about = "Vacuum wavelength; used where the scene simulates colours."
    return number(GREEN, "Wavelength", unit="nm", low=1, help=about)


def coherence_length_field() -> Any:
    """The dataclass field with the coherence length of a source: infinite for monochromatic light."""
    about = (
        "Difference of path at which the contrast of fringes has fallen to 1/e; empty for no limit."
    )
    return described_field(
        "limit", math.inf, "Coherence length", unit=LENGTH, low=0, scales=False, help=about
    )


def coherence_group_field() -> Any:
    """The dataclass field with the coherence group of a source. Sources of the same group are
    coherent.
    """
    about = "Sources with the same text here are coherent with each other, as two slits are."
    return string("", "Coherence group", help=about)


def polarization_field() -> Any:
    """The dataclass field with the polarization of a source's light."""
    return choice_field(
        "unpolarized", "Polarization", ("unpolarized", "linear", "right circular", "left circular"),
        titles=("Unpolarized", "Linear", "Right circular", "Left circular"),
        help="Circular light turns clockwise (right) for somebody into whose eye it falls.",
    )  # fmt: skip


def polarization_angle_field() -> Any:
    """The dataclass field with the azimuth of the polarization of a source's light."""
    return number(
        0.0, "Azimuth", unit="deg",
        help="Of linear light: 0 is perpendicular to the drawing (s), 90 in it (p);"
        " counter-clockwise, looking into the light.",
    )  # fmt: skip


def polarization_degree_field() -> Any:
    """The dataclass field with the degree of polarization of a source's light."""
    return number(
        1.0, "Degree of polarization", low=0, high=1,
        help="The polarized fraction of the power; the rest is unpolarized.",
    )  # fmt: skip


PER_CIRCLE = 500.0
"""The brightness of a point is a part of this of its power to the full circle."""
TOTAL = "Of all rays together; sets the power or power density above."


@kind
class Source(SceneObject):
    """An object that emits rays.

    ``power`` is the total power of all its rays: ``brightness`` times `power_of_one`. It can be set
    in place of the brightness.
    """

    has_edge_table = False
    powers: ClassVar[tuple[Field, ...]] = (
        Field("power", "power", None, Description("number", "Total power", TOTAL, low=0)),
    )

    if TYPE_CHECKING:
        brightness: float

    @property
    @abstractmethod
    def power_of_one(self) -> float:
        """The total power of all rays for a brightness of 1."""

    @property
    def power(self) -> float:
        """The total power of all rays."""
        return self.brightness * self.power_of_one

    def with_fields(self, values: Mapping[str, Any], *, simulate_colors: bool = False) -> Self:
        new = super().with_fields(
            {k: v for k, v in values.items() if k != "power"}, simulate_colors=simulate_colors
        )
        if "power" not in values:
            return new
        if not new.power_of_one > 0:
            raise self.invalid_error(
                "power", "cannot be set: it emits nothing, for it has no extent"
            )
        return dataclasses.replace(new, brightness=values["power"] / new.power_of_one)


@kind
class SingleRay(Source):
    """One ray from ``p1`` through ``p2``."""

    label = "Single ray"

    p1: Point = point("Start", help="Where the ray starts.")
    p2: Point = point("Direction point", help="Any other point on the ray.")
    brightness: float = number(1.0, "Power", low=0, help="Power carried by the ray.")
    wavelength: float = wavelength_field()
    polarization: str = polarization_field()
    polarization_angle: float = polarization_angle_field()
    polarization_degree: float = polarization_degree_field()

    @property
    def power_of_one(self) -> float:
        return 1.0


@kind
class Beam(Source):
    """Parallel or diverging rays emitted perpendicular to a line; with ``p1`` above ``p2`` they go
    to the right.
    """

    label = "Beam"

    p1: Point = point("First end", help="One end of the emitting line.")
    p2: Point = point(
        "Second end", help="The other end; with the first end above it the beam goes right."
    )
    brightness: float = number(
        0.5, "Power density", low=0, help="Power per unit of length of the line."
    )
    wavelength: float = wavelength_field()
    emis_angle: float = number(
        0.0,
        "Divergence",
        unit="deg",
        low=0,
        high=180,
        help="Full angle into which each point emits.",
    )
    lambert: bool = flag(
        False, "Lambertian", help="Power falls with the cosine of the angle from the axis."
    )
    random: bool = flag(
        False, "Random", help="Positions and angles drawn at random from the scene's seed."
    )
    polarization: str = polarization_field()
    polarization_angle: float = polarization_angle_field()
    polarization_degree: float = polarization_degree_field()
    coherence_length: float = coherence_length_field()
    coherence_group: str = coherence_group_field()

    @property
    def power_of_one(self) -> float:
        half = math.radians(self.emis_angle) / 2
        falling = math.sin(half) / half if self.lambert and half else 1.0
        return math.dist(self.p1, self.p2) * falling


@kind
class PointSource(Source):
    """A point that emits evenly in all directions."""

    label = "Point source"

    x: float = coordinate("X", help="Position, to the right.")
    y: float = coordinate("Y", help="Position, downwards.")
    brightness: float = number(
        0.5, "Power density", low=0, help="Emitted power: 500 of these to the full circle."
    )
    wavelength: float = wavelength_field()
    polarization: str = polarization_field()
    polarization_angle: float = polarization_angle_field()
    polarization_degree: float = polarization_degree_field()
    coherence_length: float = coherence_length_field()
    coherence_group: str = coherence_group_field()

    @property
    def power_of_one(self) -> float:
        return PER_CIRCLE


@kind
class AngleSource(Source):
    """A point that emits into an angle about the direction from ``p1`` to ``p2``."""

    label = "Angle source"

    p1: Point = point("Position", help="Where the rays start.")
    p2: Point = point("Direction point", help="Gives the direction; its distance has no effect.")
    brightness: float = number(
        0.5, "Power density", low=0, help="Emitted power: 500 of these to the full circle."
    )
    wavelength: float = wavelength_field()
    emis_angle: float = number(
        36.001,
        "Emission angle",
        unit="deg",
        low=0,
        high=360,
        help="Full angle of the fan.",
        words=("cone angle", "opening angle", "fan angle", "beam angle", "cone"),
    )
    symmetric: bool = flag(
        True, "Symmetric", help="The fan lies on both sides of the direction rather than on one."
    )
    polarization: str = polarization_field()
    polarization_angle: float = polarization_angle_field()
    polarization_degree: float = polarization_degree_field()
    coherence_length: float = coherence_length_field()
    coherence_group: str = coherence_group_field()

    @property
    def power_of_one(self) -> float:
        return PER_CIRCLE * self.emis_angle / 360


AnySource = SingleRay | Beam | PointSource | AngleSource
UNPOLARIZED = 0.0, 0.0, 0.0


def source_polarization(obj: SceneObject) -> tuple[float, float, float]:
    """The Stokes parameters S1, S2 and S3 of the light of a source, divided by its power."""
    if not isinstance(obj, AnySource) or obj.polarization == "unpolarized":
        return UNPOLARIZED
    degree = min(max(obj.polarization_degree, 0.0), 1.0)
    if obj.polarization == "linear":
        c, s = double_angle(obj.polarization_angle)
        return degree * c, degree * s, 0.0
    return 0.0, 0.0, degree if obj.polarization == "right circular" else -degree


def _source_piece(source: AnySource, edges: Edges) -> Piece:
    _, second, third = source_polarization(source)
    return EMPTY_PIECE._replace(flags=POLARIZES) if second or third else EMPTY_PIECE


def _source_substitute(source: AnySource) -> Substitute | None:
    plain, words = source, []
    if source_polarization(source) != UNPOLARIZED:
        plain = dataclasses.replace(plain, polarization="unpolarized")
        words.append("emits unpolarized light")
    if not isinstance(plain, SingleRay) and (
        plain.coherence_group or math.isfinite(plain.coherence_length)
    ):
        plain = dataclasses.replace(plain, coherence_group="", coherence_length=math.inf)
        words.append("loses its coherence length and group")
    return Substitute((plain,), f"{' and '.join(words)}.") if words else None


def _source_fields_without_effect(source: AnySource) -> Collection[str]:
    match source.polarization:
        case "unpolarized":
            return "polarization_angle", "polarization_degree"
        case "linear":
            return ()
    return ("polarization_angle",)


def _negative_angle_fault(source: AngleSource | Beam, edges: Edges) -> str:
    return (
        Phrase(
            "emits nothing: emisAngle is {emis_angle:g}. Give an angle of 0° or more.",
            emis_angle=source.emis_angle,
        )
        if source.emis_angle < 0
        else ""
    )


def _source_remarks(source: AnySource, edges: Edges) -> Iterator[str]:
    if source.brightness < 0:
        yield Phrase(
            "emits negative power: brightness is {brightness:g}.", brightness=source.brightness
        )
    if not source.wavelength > 0:
        yield (
            Phrase(
                "has no colour: wavelength is {wavelength:g} nm, which must be above 0 where colours"
                " are simulated.",
                wavelength=source.wavelength,
            )
        )
    if isinstance(source, AngleSource) and source.p1 == source.p2:
        yield Phrase("has no direction, since its points coincide; it emits to the right.")
    if isinstance(source, AngleSource | Beam) and source.emis_angle > 360:
        yield (
            Phrase(
                "emits in some directions more than once: emisAngle is {emis_angle:g}°, more than a"
                " full turn.",
                emis_angle=source.emis_angle,
            )
        )


def _distance_from_axis(source: SingleRay | AngleSource, at: Point) -> float:
    """The distance of the point ``at`` from the line through the two points of a source."""
    return math.dist(at, Line(source.p1, source.p2).nearest(at))


def _single_ray_bundle(
    source: SingleRay, settings: "Settings", index: int, poll: Poll
) -> RayBundle:
    dx, dy = source.p2.x - source.p1.x, source.p2.y - source.p1.y
    if dx == 0 and dy == 0:
        return RayBundle(0)
    norm = math.hypot(dx, dy)

    def write_rays(chunk: slice, rows: RayRows) -> None:
        rows.start[:], rows.direction[:], rows.gap[:] = source.p1, (dx / norm, dy / norm), True

    return RayBundle(1, source.brightness, write_rays)


def _point_source_bundle(
    source: PointSource, settings: "Settings", index: int, poll: Poll
) -> RayBundle:
    density = density_for_brightness(settings, lambda d: source.brightness / d, poll)
    check_ray_count(source, 500 * density)
    step = angular_step(density)
    first = -2 * step + FIRST_ANGLE_MARGIN if settings.mode == "observer" else 0.0
    angles = stepped_values(first, step, 2 * math.pi - LAST_ANGLE_MARGIN, poll)

    def write_rays(chunk: slice, rows: RayRows) -> None:
        write_rays_from_point(
            rows, Point(source.x, source.y), np.sin(angles[chunk]), np.cos(angles[chunk])
        )
        rows.gap[:] = angles[chunk] == first

    return equal_power_bundle(len(angles), source.brightness / density, write_rays)


def _angle_bundle(source: AngleSource, settings: "Settings", index: int, poll: Poll) -> RayBundle:
    density = density_for_brightness(settings, lambda d: source.brightness / d, poll)
    step, width = angular_step(density), source.emis_angle / 180 * math.pi
    zero = -2 * step + FIRST_ANGLE_MARGIN if settings.mode == "observer" else 0.0
    first, last = (
        (zero - width / 2, zero + width / 2 - LAST_ANGLE_MARGIN)
        if source.symmetric
        else (zero, zero + width - LAST_ANGLE_MARGIN)
    )
    check_ray_count(source, (last - first) / step)
    offsets = stepped_values(first, step, last, poll)
    axis = math.atan2(source.p2.y - source.p1.y, source.p2.x - source.p1.x)

    def write_rays(chunk: slice, rows: RayRows) -> None:
        angles = offsets[chunk] + axis
        write_rays_from_point(rows, source.p1, np.cos(angles), np.sin(angles))
        rows.gap[:] = offsets[chunk] == zero

    return equal_power_bundle(len(offsets), source.brightness / density, write_rays)


def _beam_bundle(source: Beam, settings: "Settings", index: int, poll: Poll) -> RayBundle:
    dx, dy = source.p2.x - source.p1.x, source.p2.y - source.p1.y
    length = math.hypot(dx, dy)
    half = source.emis_angle / 180 * math.pi / 2
    scale = settings.length_scale
    if length == 0:
        return RayBundle(0)

    def power_per_ray(density: float) -> float:
        return (
            source.brightness * scale / density / (1 + 2 * math.floor(half / angular_step(density)))
        )

    density = density_for_brightness(settings, power_per_ray, poll)
    step, n = angular_step(density), length * density / scale
    check_ray_count(source, n * (1 + 2 * math.floor(half / step)))
    normal = math.atan2(dx, dy) + math.pi / 2
    wanted = power_per_ray(density)
    power, fraction = min(wanted, 1.0), 1.0 / max(wanted, 1.0)
    if not source.random and n < 0.5:  # no ray, however many directions each would have
        return RayBundle(0, power, fraction=fraction)

    def write_starts(start: Floats, along: Floats) -> None:
        np.add(source.p1.x, along * dx, out=start[:, 0])
        np.add(source.p1.y, along * dy, out=start[:, 1])

    def write_directions(direction: Floats, powers: Floats, offsets: Floats) -> None:
        # the direction along the axis is set exactly, without rounding from sine and cosine
        axis = offsets == 0
        direction[:, 0] = np.where(axis, dy / length, np.sin(normal + offsets))
        direction[:, 1] = np.where(axis, -dx / length, np.cos(normal + offsets))
        if source.lambert:
            np.multiply(power, np.cos(offsets), out=powers)

    if source.random:
        count = math.ceil(n * (1 + 2 * math.floor(half / step)))
        generator = np.random.default_rng(
            [zlib.crc32(str(settings.random_seed).encode("utf-8", "surrogatepass")), index]
        )

        def write_rays(chunk: slice, rows: RayRows) -> None:
            numbers = generator.random((len(rows.power), 2))
            write_starts(rows.start, numbers[:, 0])
            write_directions(rows.direction, rows.power, (2 * numbers[:, 1] - 1) * half)
            rows.gap[0] = chunk.start == 0

    else:
        side = stepped_values(step, step, half, poll)
        offsets = np.concatenate([[0.0], np.column_stack([side, -side]).ravel()])
        rays = len(offsets)
        count = math.floor(n + 0.5) * rays
        directions = np.empty((rays, 2))
        powers = np.full(rays, power)
        for chunk in chunk_slices(rays, poll):
            write_directions(directions[chunk], powers[chunk], offsets[chunk])

        def write_rays(chunk: slice, rows: RayRows) -> None:
            ray = np.arange(chunk.start, chunk.stop, chunk.step)
            point = ray // rays
            of_fan = ray - point * rays
            write_starts(rows.start, (point + 0.5) / n)
            rows.direction[:], rows.power[:] = directions.take(of_fan, axis=0), powers.take(of_fan)

    return RayBundle(count, power, write_rays, fraction)


def _with_fan_reflected(obj: AngleSource, by: Similarity) -> AngleSource:
    new: AngleSource = transform_fields(obj, by)
    if not by.is_mirrored or obj.symmetric:
        return new
    # the fan lies clockwise of its direction, so the reflected fan starts at the image of its end
    return dataclasses.replace(new, p2=Similarity.rotation(obj.emis_angle, new.p1).point(new.p2))


source_row = partial(
    Row, family="Light", piece=_source_piece, remarks=_source_remarks,
    not_shown=_source_fields_without_effect, in_plain_scene=_source_substitute,
)  # fmt: skip
ROWS = (
    source_row(
        Beam, edges=outlines.line_edges, fault=_negative_angle_fault, emits=_beam_bundle, sample=sample.ENDS,
        axis=axis_across_own_line, transformed=transform_between_directed_ends, painter="beam",
        icon=sample.numbered_points_fields(8, 3, 8, 17),
    ),
    source_row(
        SingleRay, edges=outlines.no_edges,
        fault=lambda obj, edges: IN_ONE_POINT if obj.p1 == obj.p2 else "",
        emits=_single_ray_bundle, sample=sample.ENDS, axis=axis_along_ray, centre="p1",
        distance=_distance_from_axis, painter="ray", icon=sample.numbered_points_fields(5, 14, 17, 5),
    ),
    source_row(
        PointSource, edges=outlines.no_edges, emits=_point_source_bundle, sample=sample.AT_XY, painter="point",
        icon={"x": 10, "y": 10},
    ),
    source_row(
        AngleSource, edges=outlines.no_edges, fault=_negative_angle_fault, emits=_angle_bundle, sample=sample.ENDS,
        axis=axis_along_ray, centre="p1", transformed=_with_fan_reflected, distance=_distance_from_axis,
        painter="fan", icon=sample.numbered_points_fields(5, 10, 17, 10),
    ),
)  # fmt: skip
