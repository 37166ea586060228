"""The choice of glasses for a lens: variable glasses are replaced, one after the other, by
neighbours on the glass map, and the lens is optimised with each.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from raybench.errors import list_first_texts
from raybench.lens.design import LensDesign, with_parameter
from raybench.lens.glass import Glass, ModelGlass, glass_material
from raybench.lens.merit import ImprovedLens, Progress, Stop, improve, merit_value
from raybench.lens.operands import InvalidMerit
from raybench.lens.parameters import parameter_value
from raybench.lens.prescription import InvalidPrescription
from raybench.materials.catalogue import nearest_materials
from raybench.materials.dispersion import OutsideRange
from raybench.materials.material import Material

SCOUT, PROMISING = 15, 1.3
"""Steps of the first improvement with a new glass; and where the merit is then below so many times
the best, the improvement goes on.
"""
LEAST_GAIN = 1e-3
"""The relative gain below which a glass is not replaced."""


def choose_glasses(
    design: LensDesign,
    catalogue: Sequence[Material] | None = None,
    *,
    nearest: int = 6,
    stop: Stop = lambda: False,
    progress: Progress = lambda found: None,
) -> ImprovedLens:
    """Improve a lens by its variables, including variable glasses. Each glass is replaced in turn
    by its ``nearest`` neighbours in (n_d, V_d) of a ``catalogue`` (by default the built-in
    glasses), and the best one is kept, until no replacement helps or ``stop`` returns True
    (coordinate search). A model glass is first replaced by the nearest glass.

    Raises InvalidMerit if no glass varies, and the errors of `improve`.
    """
    names = [v.parameter for v in design.variables if v.parameter.startswith("glass")]
    if not names:
        raise InvalidMerit("No glass varies. Let one, such as glass1.")
    before = merit_value(design)
    for name in names:
        glass = _glass_of_parameter(design, name)
        if isinstance(glass, ModelGlass):
            (real,) = nearest_glasses(glass, catalogue, 1)
            design = with_parameter(design, name, real)
    best = improve(design, stop=stop, progress=progress)
    evaluations, history = best.evaluations, [before, *best.history[1:]]
    tried, is_better = {_glasses_of_parameters(best.design, names)}, True
    while is_better and not stop():
        is_better = False
        for name in names:
            for glass in nearest_glasses(
                _glass_of_parameter(best.design, name), catalogue, nearest
            ):
                trial = with_parameter(best.design, name, glass)
                if _glasses_of_parameters(trial, names) in tried or stop():
                    continue
                tried.add(_glasses_of_parameters(trial, names))
                for found in _improvements(trial, stop):
                    evaluations += found.evaluations
                    if found.merit > PROMISING * best.merit:
                        break
                    if found.merit < best.merit * (1 - LEAST_GAIN):
                        best, is_better = found, True
                        history.append(best.merit)
                        progress(replace(best, evaluations=evaluations, history=tuple(history)))
    return replace(best, evaluations=evaluations, history=tuple(history))


def _improvements(trial: LensDesign, stop: Stop) -> Iterator[ImprovedLens]:
    """Yield a lens after a few steps of improvement, then after many steps. Nothing if the lens
    cannot be traced.
    """
    try:
        found = improve(trial, steps=SCOUT, stop=stop)
        yield found
        yield improve(found.design, stop=stop)
    except (InvalidMerit, InvalidPrescription, OutsideRange):
        return


def _glass_of_parameter(design: LensDesign, name: str) -> Glass:
    glass = parameter_value(design.system, name)
    assert isinstance(glass, Glass)
    return glass


def _glasses_of_parameters(design: LensDesign, names: Sequence[str]) -> tuple[Glass, ...]:
    return tuple(_glass_of_parameter(design, name) for name in names)


def nearest_glasses(
    glass: Glass, catalogue: Sequence[Material] | None, count: int
) -> tuple[Glass, ...]:
    """The nearest glasses of a catalogue, or of the built-in glasses, which are given by name.
    Raises InvalidMerit if there are none.
    """
    material = glass_material(glass)
    if material.n_d is None:
        raise InvalidMerit(f"{material.name} has no index at the d line. Choose its glass by hand.")
    if catalogue is None:
        return tuple(m.name for m in nearest_materials(material.n_d, material.v_d, most=count))
    families = {m.family for m in catalogue}
    found = nearest_materials(material.n_d, material.v_d, catalogue, most=count, families=families)
    if not found:
        raise InvalidMerit(
            f"None of {list_first_texts([m.name for m in catalogue], 8)} has an index and an Abbe"
            " number at the d line. Choose among other glasses."
        )
    return found
