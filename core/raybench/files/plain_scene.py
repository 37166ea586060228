"""The plain scene of a document: what the web program can hold, with light as near to that of the
document as it allows, and what it leaves out.
"""

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from raybench.errors import elide_text, list_first_texts, name_in_sentence
from raybench.kinds.aspects.row import Substitute
from raybench.kinds.custom_surfaces import (
    CustomArcSurface,
    CustomCurveSurface,
    CustomParamSurface,
    CustomSurface,
    CustomSurfaceBase,
    OutRay,
)
from raybench.kinds.glasses import GlassBody, HomogeneousGlass
from raybench.kinds.kinds import kind_row_of
from raybench.kinds.mirrors import ArcMirror, CurveMirror, Mirror, ParamMirror
from raybench.kinds.module_instance import ModuleObj
from raybench.kinds.object import Filtered, SceneObject
from raybench.kinds.primitives import Surface
from raybench.kinds.sources import Source
from raybench.materials.dispersion import fit_cauchy_formula
from raybench.scene.changes.treating import surface_of_object
from raybench.scene.coatings import SUBSTRATE, Coating, InvalidCoating, coating_wavelength
from raybench.scene.document import Document
from raybench.scene.finishes import Finish
from raybench.scene.labels import labelled_edges
from raybench.scene.materials import (
    current_material,
    source_wavelengths,
    wavelengths_for_cauchy_fit,
)
from raybench.scene.scene import Scene
from raybench.trace.run.emission import strongest_ray_power

OBLIQUE = np.cos(np.radians(np.linspace(0.0, 60.0, 13)))
"""Cosines of the angles of incidence for which the error of a constant reflectance is stated."""
MOST_NAMES = 12
"""Names that one sentence lists."""


class PlainScene(NamedTuple):
    """The scene of a plain file, and sentences that say what it leaves out of a document."""

    scene: Scene
    left_out: tuple[str, ...]


def plain_scene(document: Document) -> PlainScene:
    """The scene that stands for a document in a plain file or a link.

    Disabled objects are not in it, materials become Cauchy's formula, Raybench's own kinds and
    annotations become what is nearest to them (`Row.in_plain_scene`, `SUBSTITUTES`).
    """
    left_out: list[str] = []
    objects: list[SceneObject] = []
    for obj in document.scene.objects:
        title = name_in_sentence(obj.title)
        if obj.key in document.disabled:
            left_out.append(f"{title} is disabled, so it is left out.")
            continue
        stand = [obj]
        for substitute in _SUBSTITUTED:
            if len(stand) == 1 and (found := substitute(stand[0], document)) is not None:
                stand = [o.with_key_of(obj) for o in found.objects[:1]] + list(found.objects[1:])
                left_out.append(f"{title} {found.words}")
        objects += stand
    scene = document.scene.with_objects(objects) if left_out else document.scene
    scene, power = _with_relative_powers(scene, document)
    return PlainScene(scene, (*left_out, *_annotations_without_light(document), *power))


def _with_relative_powers(scene: Scene, document: Document) -> tuple[Scene, tuple[str, ...]]:
    """The scene with sources whose strongest ray has the power 1, if the document has a unit of
    power: a ray of the web program carries no more. Powers stay as they are if parts of modules are
    sources, since their templates may state them by formulas.
    """
    unit = document.source_unit
    full = strongest_ray_power(scene) if unit else 0.0
    if not full > 0:
        return scene, ("The unit of power is left out.",) if unit else ()
    with_sources = [
        name_in_sentence(o.title)
        for o in scene.objects
        if isinstance(o, ModuleObj) and any(isinstance(p, Source) for p in scene.parts_of(o))
    ]
    if with_sources:
        names = list_first_texts(with_sources, MOST_NAMES)
        said = "The unit of power is left out, but powers are as before, not relative"
        return scene, (f"{said}, for parts of modules are sources: {names}.",)
    objects = [
        dataclasses.replace(o, brightness=o.brightness / full) if isinstance(o, Source) else o
        for o in scene.objects
    ]
    said = f"Powers are relative: 1 is {full:.6g} {unit}."
    return scene.with_objects(objects), (said,)


def _annotations_without_light(document: Document) -> Iterator[str]:
    """Sentences about the annotations of a document that do not change its light."""
    scene, unit = document.scene, document.unit

    def titles(keys: Iterable[int]) -> list[str]:
        held = set(keys)
        return [name_in_sentence(o.title) for o in scene.objects if o.key in held]

    inner = [
        name_in_sentence(p.title)
        for o in scene.objects
        if isinstance(o, ModuleObj)
        for p in scene.parts_of(o)
        if p.key in document.disabled or any(s(p, document) for s in _SUBSTITUTED)
    ]
    if inner:
        yield f"Parts of modules lose what is not in the module: {list_first_texts(inner, MOST_NAMES)}."
    parts = [name_in_sentence(document.part_name(part)) for part in document.parts]
    sorts = {
        "Labels of edges are left out": titles(document.edge_labels),
        "Groups are left out": list(map(name_in_sentence, document.groups)),
        "Hidden objects are shown": titles(document.hidden),
        "Measurements are left out": list(map(name_in_sentence, document.measurements)),
        "Saved views are left out": list(map(name_in_sentence, document.views)),
        "Objects stay without the data of their preset or lens": parts,
        "Studies are left out": list(map(name_in_sentence, document.studies)),
        "Unknown entries of the document's file are left out": list(
            map(name_in_sentence, document.kept)
        ),
    }
    for words, names in sorts.items():
        if names:
            yield f"{words}: {list_first_texts(names, MOST_NAMES)}."
    if document.background is not None:
        yield "The background picture is left out."
    if unit != "mm":
        yield f"The unit of length {unit} is left out."


def _fitted(obj: SceneObject, document: Document) -> Substitute | None:
    """A body with a material becomes one with the best fit of Cauchy's formula at the wavelengths of
    the light; where the data cover none of them, one with its last fit.
    """
    own = current_material(obj)
    if own is None:
        return None
    assert isinstance(obj, HomogeneousGlass)
    plain = dataclasses.replace(obj, assigned=None)
    words = f"has Cauchy's formula in place of {own.material.name},"
    waves = [w for w in wavelengths_for_cauchy_fit(document.scene) if own.covers_wavelength(w)]
    if not waves:
        return Substitute((plain,), f"{words} beyond the range of its data.")
    fit = fit_cauchy_formula(own.material.dispersion, waves)
    plain = dataclasses.replace(plain, ref_index=fit.a, cauchy_b=fit.b)
    if fit.error < 1e-9:
        return Substitute((plain,), f"{words} exact at the wavelengths of the light.")
    error = f"in error by up to {fit.error:.2g} in the index (at {fit.worst:g} nm)"
    return Substitute((plain,), f"{words} {error}.")


def _coated(obj: SceneObject, own: Mapping[int, Coating], document: Document) -> Substitute:
    """A coated mirror becomes a surface of constant reflectance; glass whose coatings reflect less
    than it does itself becomes glass that reflects nothing.
    """
    edges = labelled_edges(obj, document.edge_labels.get(obj.key, {}))
    coatings = list(dict.fromkeys(own.values()))
    names = list_first_texts([elide_text(c.title, 60) for c in coatings])
    where = list_first_texts([e.reference for e in edges if e.index in own])
    lost = f"loses its coating{'s' * (len(coatings) > 1)} on {where} ({names})"
    waves = source_wavelengths(document.scene) or (None,)
    is_whole = own.keys() >= {e.index for e in edges}
    is_filter = isinstance(obj, Filtered) and obj.filter and document.scene.settings.simulate_colors
    try:
        if isinstance(obj, GlassBody):
            if is_whole and isinstance(obj, HomogeneousGlass) and _reflects_less(obj, own, waves):
                plain = dataclasses.replace(obj, partial_reflect=False)
                return Substitute((plain,), f"{lost}: it reflects nothing but total reflections.")
            return Substitute((obj,), f"{lost}: it reflects as bare glass.")
        if is_whole and not is_filter and len(coatings) == 1:
            share, error = _mirror_reflectance(coatings[0], waves)
            rays = (OutRay(r"\pi-\theta_0", rf"{share:.6g}\cdot P_0"),)
            if (surface := _custom_surface(obj, rays)) is not None:
                so = f"{lost}: it becomes a surface that reflects {share:.3g} of the light"
                off = f", in error by up to {error:.2g} below 60°" if error > 1e-6 else ""
                return Substitute((surface,), f"{so}{off}.")
    except InvalidCoating:
        pass  # it has no values for the light
    return Substitute((obj,), f"{lost}: it reflects all of the light.")


def _finished(obj: SceneObject, own: Mapping[int, Finish], document: Document) -> Substitute:
    """An object with finishes scatters no light: it becomes bare glass, a black wall or a mirror."""
    edges = labelled_edges(obj, document.edge_labels.get(obj.key, {}))
    names = list_first_texts([elide_text(f.title, 60) for f in dict.fromkeys(own.values())])
    where = list_first_texts([e.reference for e in edges if e.index in own])
    lost = f"loses its finish{'es' * (len(own) > 1)} on {where} ({names})"
    left = {
        Surface.ABSORB: "it absorbs all of the light",
        Surface.REFLECT: "it reflects light in one direction",
    }
    what = left.get(surface_of_object(obj), "its faces are smooth and bare")  # type: ignore[call-overload]
    return Substitute((obj,), f"{lost}: {what}.")


def _reflects_less(
    body: HomogeneousGlass, own: Mapping[int, Coating], waves: Iterable[float | None]
) -> bool:
    """Whether the coatings of a body reflect less than half as much as bare glass does, at normal
    incidence in air.
    """
    bare, coated = 0.0, 0.0
    for w in waves:
        n = abs(body.uniform_index(w))
        bare += ((n - 1) / (n + 1)) ** 2 * len(own)
        for coating in own.values():
            values = coating.fractions(coating_wavelength(w), 1.0, n, np.ones(1), False)
            coated += float(values[0, :2].mean())
    return coated < bare / 2


def _mirror_reflectance(coating: Coating, waves: Iterable[float | None]) -> tuple[float, float]:
    """The mean reflectance of a mirror at normal incidence, and by how much it differs from that up
    to 60°.
    """
    values = np.array(
        [
            coating.fractions(coating_wavelength(w), 1.0, SUBSTRATE, OBLIQUE, False)[:, :2]
            for w in waves
        ]
    )
    share = float(values[:, 0].mean())
    return share, float(np.abs(values - share).max())


def _custom_surface(mirror: SceneObject, rays: tuple[OutRay, ...]) -> CustomSurfaceBase | None:
    """The surface with these outgoing rays in place of a mirror; None where the web program has no
    such surface.
    """
    about: dict[str, Any] = {
        "name": mirror.name,
        "locked": mirror.locked,
        "out_rays": rays,
        "two_sided": True,
    }
    match mirror:
        case Mirror():
            return CustomSurface(p1=mirror.p1, p2=mirror.p2, **about)
        case ArcMirror():
            return CustomArcSurface(p1=mirror.p1, p2=mirror.p2, p3=mirror.p3, **about)
        case CurveMirror():
            return CustomCurveSurface(points=mirror.points, is_closed=mirror.is_closed, **about)
        case ParamMirror(origin=origin, pieces=pieces, curve_type=curve_type):
            return CustomParamSurface(origin=origin, pieces=pieces, curve_type=curve_type, **about)
    return None


SUBSTITUTES: Mapping[
    str, Callable[[SceneObject, Mapping[int, Any], Document], Substitute | None]
] = {"coatings": _coated, "finishes": _finished}
"""What stands for an object with annotations of its edges, by the attribute of the document with
these annotations. The functions take the object, its annotations by the index of the edge, and the
document; None where nothing is lost.
"""


def _of_edges(name: str) -> Callable[[SceneObject, Document], Substitute | None]:
    def substitute(obj: SceneObject, document: Document) -> Substitute | None:
        own = getattr(document, name).get(obj.key)
        return SUBSTITUTES[name](obj, own, document) if own else None

    return substitute


_SUBSTITUTED = (
    _fitted,
    lambda obj, document: kind_row_of(obj).in_plain_scene(obj),
    *map(_of_edges, SUBSTITUTES),
)
