"""Centred lens systems in Python: change, optimise, report and save a prescription."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from raybench.files.atomic import write_bytes
from raybench.lens.columns import InvalidCell, read_cell_glass
from raybench.lens.curves import lens_figure
from raybench.lens.design import (
    LensDesign,
    LensParameter,
    Variable,
    design_parameters,
    with_parameters,
)
from raybench.lens.figure import lens_svg
from raybench.lens.formats import write_lens
from raybench.lens.glass import AIR
from raybench.lens.glass_choice import choose_glasses
from raybench.lens.merit import Progress, Stop, improve, merit_value, search_widely
from raybench.lens.opening import lens_document, read_lens_file
from raybench.lens.operands import Operand
from raybench.lens.parameters import Value
from raybench.lens.paraxial import FirstOrder, first_order
from raybench.lens.prescription import (
    VISIBLE,
    Aperture,
    ApertureKind,
    Field,
    Prescription,
    Surface,
    Wavelength,
)
from raybench.lens.report import report_lens, report_text
from raybench.library.lens_plot import plot_figure
from raybench.library.objects import InvalidArgument

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from raybench.library.scene import Scene

Row = tuple[float | None, float] | tuple[float | None, float, str]
"""A surface: its radius (None for a plane), the distance behind it, and its glass, if it is not
air.
"""


class LensSystem:
    """A centred lens system, as an immutable value: methods that change it return a new one.

    Its parameters have names: ``r1`` the radius of the first surface, ``c1`` its curvature, ``t1``
    the distance behind it, ``k1`` its conic constant, ``a1_4`` its coefficient of y⁴, ``semi1`` its
    semi-diameter, ``glass1`` and ``n1`` the medium behind it and its index; ``field1``,
    ``aperture``, ``objectDistance``, ``imageRadius``.

    Args:
        rows: The surfaces: each a radius (None for a plane), the distance to the next surface, and
            the glass behind it unless this is air: a name, or an index and an Abbe number such as
            1.62/60.3.
        pupil: Diameter of the entrance pupil.
        fields: Angles of the fields, degrees.
        wavelengths: In nm, starting with the primary one; by default the lines d, F and C.
        stop: The number of the surface that is the stop, from 1.
        unit: The unit of length.

    Examples:
        >>> import raybench as rb
        >>> rows = [(60, 4, "N-BK7"), (-60, 2.5, "N-SF5"), (-200, 97)]
        >>> lens = rb.LensSystem(rows, pupil=20, fields=(0, 1))
        >>> lens
        <LensSystem of 3 surfaces, f = 107.18 mm, f/5.4>
        >>> lens.with_values(r3=-130)["r3"]
        -130.0
        >>> vary = {"c1": (-0.05, 0.05), "c2": (-0.05, 0.05), "c3": (-0.05, 0.05), "t3": (90, 110)}
        >>> better = lens.improve(vary, {"focal length": 100, "ray heights": 0})
        >>> better
        <LensSystem of 3 surfaces, f = 100 mm, f/5>
        >>> better.merit < lens.with_aims({"ray heights": 0}).merit / 100
        True
    """

    def __init__(
        self,
        rows: Sequence[Row],
        *,
        pupil: float,
        fields: Sequence[float] = (0.0,),
        wavelengths: Sequence[float] = (),
        stop: int = 1,
        unit: str = "mm",
    ) -> None:
        surfaces = tuple(_read_surface_row(i, row) for i, row in enumerate(rows, 1))
        system = Prescription(
            surfaces,
            stop=stop - 1,
            aperture=Aperture(ApertureKind.PUPIL, float(pupil)),
            fields=tuple(Field(float(f)) for f in fields),
            wavelengths=tuple(Wavelength(float(w)) for w in wavelengths) or VISIBLE,
            unit=unit,
        )
        self.design = LensDesign(system)
        self.notes: tuple[str, ...] = ()

    @classmethod
    def open(cls, path: str | Path, glasses: Mapping[str, str] | None = None) -> LensSystem:
        """Read a lens file of Zemax, CODE V or OSLO. ``glasses`` maps names that are not in the
        catalogue to other glasses. `notes` say how the lens differs from the file. Raises
        SceneFileError.
        """
        system, notes = read_lens_file(Path(path), glasses)
        return cls.of(LensDesign(system), notes)

    @classmethod
    def of(cls, design: LensDesign | Prescription, notes: Sequence[str] = ()) -> LensSystem:
        """The lens of a design or a prescription of `raybench.lens`."""
        made = cls.__new__(cls)
        made.design = LensDesign(design) if isinstance(design, Prescription) else design
        made.notes = tuple(notes)
        return made

    def write(self, path: str | Path) -> tuple[str, ...]:
        """Write a lens file in the format of the ending (.zmx, .seq or .len). Returns a sentence
        for each omitted content. Raises LensFileError or FileWriteError.
        """
        data, omitted = write_lens(self.design.system, Path(path).name)
        write_bytes(path, data)
        return omitted

    # --- values

    @property
    def parameters(self) -> Mapping[str, LensParameter]:
        """All parameters by name, with their labels, units and links."""
        return design_parameters(self.design)

    def __getitem__(self, name: str) -> Value:
        if name not in self.parameters:
            raise KeyError(name)
        return self.parameters[name].value

    def with_values(self, **values: Value) -> LensSystem:
        """The lens with other values of parameters; linked parameters are updated."""
        return LensSystem.of(with_parameters(self.design, values), self.notes)

    def with_aims(self, aims: Mapping[str, float] | Sequence[Operand]) -> LensSystem:
        """The lens with aims for `improve`: target values of quantities, such as ``{"focal length":
        100, "ray heights": 0}``, or operands of `raybench.lens.operands` with weights and bounds.
        """
        given = (
            [Operand(q, float(v)) for q, v in aims.items()] if isinstance(aims, Mapping) else aims
        )
        return LensSystem.of(replace(self.design, operands=tuple(given)), self.notes)

    # --- what it does

    @cached_property
    def first_order(self) -> FirstOrder:
        """Focal length, principal planes, pupils and image at the primary wavelength."""
        return first_order(self.design.system)

    @property
    def merit(self) -> float:
        """The merit for the aims of the lens: 0 if they are met exactly."""
        return merit_value(self.design)

    def improve(
        self,
        vary: Mapping[str, tuple[float, float] | None],
        aims: Mapping[str, float] | Sequence[Operand] = (),
        *,
        widely: int = 0,
        seed: int = 0,
        stop: Stop = lambda: False,
        progress: Progress = lambda found: None,
    ) -> LensSystem:
        """The best lens that a search finds for its aims.

        Args:
            vary: Parameters with their bounds, None without bounds; glasses, such as ``glass1``,
                are replaced by similar glasses of the catalogue.
            aims: See `with_aims`; by default the aims of the lens.
            widely: Rounds of a search within the whole bounds, which can leave a local optimum.
            seed: Random seed of this search: the same seed finds the same lens.
            stop: Polled during the search; if it returns True, the best lens so far is returned.
            progress: Called with the result so far after each step that improves the lens.
        """
        variables = tuple(Variable(n, *(bounds or ())) for n, bounds in vary.items())
        start = (self.with_aims(aims) if aims else self).design
        design = replace(start, variables=variables)
        if widely:
            design = search_widely(
                design, rounds=widely, seed=seed, stop=stop, progress=progress
            ).design
        has_glasses = any(name.startswith("glass") for name in vary)
        search = choose_glasses if has_glasses else improve
        return LensSystem.of(search(design, stop=stop, progress=progress).design, self.notes)

    def report(self, frequency: float = math.nan) -> str:
        """The prescription, first order, aberrations by field and Seidel sums as tables; with
        modulations at a ``frequency`` in lines per unit of length.
        """
        return report_text(self.design.system, report_lens(self.design.system, frequency))

    def svg(self, plot: str = "overview") -> str:
        """A plot of the aberrations as SVG. ``plot`` is ``ray fan``, ``field curvature``, ``mtf``
        or another name in `raybench.lens.curves.LENS_PLOTS`. Raises NoCurves.
        """
        return lens_svg(self.design.system, plot)

    def plot(self, plot: str = "overview") -> tuple[Axes, ...]:
        """Draw a plot of the aberrations, as in `svg`, with matplotlib. Returns the axes of its
        panels.
        """
        return plot_figure(lens_figure(self.design.system, plot), self.design.system.title)

    def scene(self, name: str = "Lens") -> Scene:
        """A scene with the lens, sources for its fields and a detector at its image."""
        from raybench.library.scene import Scene

        return Scene.of(lens_document(self.design.system, name))

    def __repr__(self) -> str:
        first, system = self.first_order, self.design.system
        ratio = f", f/{first.f_number:.2g}" if first.f_number else ""
        return (
            f"<LensSystem of {len(system.surfaces)} surfaces, f = {first.focal_length:.5g}"
            f" {system.unit}{ratio}>"
        )

    def _repr_html_(self) -> str:
        return self.svg()


def _read_surface_row(number: int, row: Any) -> Surface:
    try:
        radius, thickness, *glass = row
        medium = read_cell_glass(*glass) if glass else AIR
        return Surface(math.inf if radius is None else float(radius), float(thickness), medium)
    except InvalidCell as error:
        raise InvalidArgument(f"Row {number}: {error}") from None
    except (TypeError, ValueError, AttributeError):
        raise InvalidArgument(
            f"Row {number} is {row!r}; give a radius, a distance and perhaps a glass, such as"
            ' (62.8, 4.0, "N-BK7").'
        ) from None
