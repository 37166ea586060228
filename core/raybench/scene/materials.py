"""The materials of a scene's glass bodies, and the wavelengths at which their indices are
needed.
"""

import dataclasses
import math

from raybench.kinds.glasses import HomogeneousGlass
from raybench.kinds.object import SceneObject
from raybench.kinds.sources import Source
from raybench.materials.dispersion import (
    LINE_C,
    LINE_D,
    LINE_F,
    abbe_number,
)
from raybench.materials.material import AssignedMaterial
from raybench.scene.scene import Scene


def source_wavelengths(scene: Scene) -> tuple[float, ...]:
    """The wavelengths of all sources (nm), ascending. Empty if the scene does not simulate colours."""
    if not scene.settings.simulate_colors:
        return ()
    return tuple(
        sorted(
            {
                float(getattr(o, "wavelength", LINE_D))
                for o in scene.optical
                if isinstance(o, Source)
            }
        )
    )


def wavelengths_for_cauchy_fit(scene: Scene) -> tuple[float, ...]:
    """The wavelengths (nm) at which a fit of Cauchy's formula must be accurate: those of the
    sources, or else the d line.
    """
    return source_wavelengths(scene) or (LINE_D,)


def current_material(obj: SceneObject) -> AssignedMaterial | None:
    """The material that determines the index of an object; None without one."""
    return obj.material if isinstance(obj, HomogeneousGlass) else None


def with_assigned_material(obj: SceneObject, own: AssignedMaterial | None) -> SceneObject:
    """The object with an assigned material. The material is used as long as the numbers of the
    object's index are those of the fit. Without a material, or if the object is no glass, the
    object is unchanged.
    """
    return (
        dataclasses.replace(obj, assigned=own)
        if own is not None and isinstance(obj, HomogeneousGlass)
        else obj
    )


def current_index_and_abbe(body: HomogeneousGlass, scene: Scene) -> tuple[float, float | None]:
    """The present index of a body at the d line, and its Abbe number. The Abbe number is None
    without dispersion or without simulated colours.
    """
    if not scene.settings.simulate_colors:
        return body.uniform_index(None), None
    d, f, c = (body.uniform_index(line) for line in (LINE_D, LINE_F, LINE_C))
    number = abbe_number(d, f, c)
    return d, number if math.isfinite(number) else None


def has_materials(scene: Scene) -> bool:
    """Whether any object has a material, which a plain scene file cannot store."""
    return any(current_material(o) is not None for o in scene.objects)
