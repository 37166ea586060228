"""A tool that lists the wavelengths of the light that reaches an object."""

from collections.abc import Sequence

import numpy as np

from raybench.analysis.answers.answer import Answer
from raybench.analysis.answers.record import Record, Root
from raybench.analysis.answers.words import rays_found_sentence
from raybench.analysis.context import require_context
from raybench.analysis.tools.tool import AnalysisTool
from raybench.scene.names import object_named


class ArrivingWavelength(Record):
    nm: float
    power: float


class Wavelengths(Root, tag="wavelengths"):
    wavelength: Sequence[ArrivingWavelength]
    object: str


def wavelengths(object_name: str) -> Answer:
    """List the wavelengths of the light that ends on an object, with their power.

    Args:
        object_name: Name of the object.

    Returns:
        Root wavelengths: each in nm, with its power.

    Raises:
        RuntimeError: If set_context() has not been called.
        ValueError: If no object has the name.
    """
    context = require_context()
    obj = object_named(context.scene, object_name)
    index = next(i for i, o in enumerate(context.scene.optical) if o.key == obj.key)
    result = context.result
    rows = np.flatnonzero(result.hit == index)
    lines, which = np.unique(result.wavelength[rows], return_inverse=True)
    power = np.bincount(which, result.total_arriving_power[rows], minlength=len(lines))
    listed = [
        ArrivingWavelength(nm=float(nm), power=float(p)) for nm, p in zip(lines, power, strict=True)
    ]
    rays = result.ray_set(rows)
    return Answer(
        Wavelengths(wavelength=listed, object=obj.title),
        rays_found_sentence(len(rays), "reaches it", "reach it"),
        rays,
    )


TOOL = AnalysisTool(
    function=wavelengths,
    asks="wavelengths at {object_name}",
    questions=("Which spectral lines reach {object_name}?",),
)
