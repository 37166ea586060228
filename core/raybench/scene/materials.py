"""The materials of a scene's glass bodies, the wavelengths for which they are needed, and the fits
that replace them in a plain scene file.
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
    CauchyFit,
    abbe_number,
    fit_cauchy_formula,
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
    """The object with an assigned material. The material is used as long as the object's index has
    the numbers of its fit. The object is unchanged without a material, or if it is no glass.
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


def scene_with_cauchy_fits(scene: Scene) -> tuple[Scene, dict[str, CauchyFit]]:
    """The scene in the form that a plain file can store, and the Cauchy fits that replace its
    materials, by object title.

    Each body with a material has the best fit at the present wavelengths instead; where the data
    cover none of them, its last fit.
    """
    waves, fits = wavelengths_for_cauchy_fit(scene), {}
    objects: list[SceneObject] = []
    for o in scene.objects:
        own = current_material(o)
        if own is not None:
            assert isinstance(o, HomogeneousGlass)
            o = dataclasses.replace(o, assigned=None)
            if covered := [w for w in waves if own.covers_wavelength(w)]:
                fit = fits[o.title] = fit_cauchy_formula(own.material.dispersion, covered)
                o = dataclasses.replace(o, ref_index=fit.a, cauchy_b=fit.b)
        objects.append(o)
    return (scene.with_objects(objects) if has_materials(scene) else scene), fits


def cauchy_fit_loss_text(scene: Scene) -> str:
    """A sentence about the materials that a plain file would lose, with the largest error of the
    index. Empty without materials.
    """
    if not has_materials(scene):
        return ""
    fits = scene_with_cauchy_fits(scene)[1]
    if not fits:
        return "the materials are replaced by Cauchy's formula, beyond the range of their data"
    title, fit = max(fits.items(), key=lambda item: item[1].error)
    if fit.error < 1e-9:
        return (
            "the materials are replaced by Cauchy's formula, exact at the wavelengths of the light"
        )
    return (
        f"the materials are replaced by Cauchy's formula, in error by up to {fit.error:.2g} in the"
        f" index ({title}, {fit.worst:g} nm)"
    )
