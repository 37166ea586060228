"""Conversion of a document to a plain scene, the format of the web program. The light of the plain
scene is as similar as that format allows, and sentences say which contents are lost.
"""

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from raybench.arrays import Floats
from raybench.errors import elide_text, list_first_texts, name_in_sentence
from raybench.kinds.aspects.row import Substitute
from raybench.kinds.blockers import Blocker, CircleBlocker
from raybench.kinds.custom_surfaces import (
    CustomArcSurface,
    CustomCurveSurface,
    CustomParamSurface,
    CustomSurface,
    CustomSurfaceBase,
    OutRayFormulas,
)
from raybench.kinds.glasses import GlassBody, HomogeneousGlass
from raybench.kinds.kinds import kind_row_of
from raybench.kinds.mirrors import ArcMirror, BeamSplitter, CurveMirror, Mirror, ParamMirror
from raybench.kinds.module_instance import ModuleObj
from raybench.kinds.object import Filtered, SceneObject
from raybench.kinds.primitives import Surface
from raybench.kinds.sources import Source
from raybench.materials.dispersion import fit_cauchy_formula
from raybench.phrase import Phrase
from raybench.scene.changes.treating import surface_of_object
from raybench.scene.coatings import SUBSTRATE_INDEX, Coating, InvalidCoating, coating_wavelength
from raybench.scene.document import Document
from raybench.scene.finishes import Finish
from raybench.scene.handles import with_handle_indices_updated
from raybench.scene.labels import labelled_edges
from raybench.scene.materials import (
    current_material,
    source_wavelengths,
    wavelengths_for_cauchy_fit,
)
from raybench.scene.scene import Scene
from raybench.shapes.bezier import Bezier, CurveNode
from raybench.shapes.shape import Arc, Line, Shape
from raybench.trace.run.emission import strongest_ray_power

OBLIQUE_COSINES = np.cos(np.radians(np.linspace(0.0, 60.0, 13)))
"""Cosines of the angles of incidence for which the error of a constant reflectance is stated."""
INDEX_OF_45_DEG = 9
"""The index of 45° among these."""
NEGLIGIBLE_ABSORPTION = 1e-8
"""The imaginary part of an index below which absorption is not mentioned: a centimetre of glass
absorbs less than a part in 400 of visible light.
"""
MOST_NAMES = 12
"""Names that one sentence lists."""


class PlainScene(NamedTuple):
    """A plain scene, and sentences that say which contents of the document it lacks."""

    scene: Scene
    left_out: tuple[str, ...]


def plain_scene(document: Document) -> PlainScene:
    """Convert a document to the scene for a plain file or a link.

    Disabled objects are omitted. Materials are replaced by Cauchy's formula, objects of Raybench's
    own kinds and annotations by the nearest equivalents (`Row.in_plain_scene`, `SUBSTITUTES`).
    """
    left_out: list[str] = []
    objects: list[SceneObject] = []
    for obj in document.scene.objects:
        title = name_in_sentence(obj.title)
        if obj.key in document.disabled:
            left_out.append(Phrase("{name} is disabled, so it is left out.", name=title))
            continue
        stand = [obj]
        for substitute in _SUBSTITUTED:
            if len(stand) == 1 and (found := substitute(stand[0], document)) is not None:
                stand = [o.with_key_of(obj) for o in found.objects[:1]] + list(found.objects[1:])
                left_out.append(f"{title} {found.words}")
        objects += stand
    scene = document.scene
    if left_out:
        scene = scene.with_objects(with_handle_indices_updated(scene.objects, objects))
    scene, power = _with_relative_powers(scene, document)
    return PlainScene(scene, (*left_out, *_annotations_without_light(document), *power))


def _with_relative_powers(scene: Scene, document: Document) -> tuple[Scene, tuple[str, ...]]:
    """The scene with relative powers if the document has a unit of power: the strongest ray of the
    sources gets the power 1, the limit of the web program. Powers stay unchanged if parts of
    modules are sources, since their templates may compute powers by formulas. The sentences say
    what was changed.
    """
    unit = document.source_unit
    full = strongest_ray_power(scene) if unit else 0.0
    if not full > 0:
        return scene, (Phrase("The unit of power is left out."),) if unit else ()
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
    said = Phrase("Powers are relative: 1 is {full:.6g} {unit}.", full=full, unit=unit)
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
        yield Phrase(
            "Parts of modules lose what is not in the module: {names}.",
            names=list_first_texts(inner, MOST_NAMES),
        )
    parts = [name_in_sentence(document.part_name(part)) for part in document.parts]
    sorts = {
        Phrase("Labels of edges are left out"): titles(document.edge_labels),
        Phrase("Groups are left out"): list(map(name_in_sentence, document.groups)),
        Phrase("Hidden objects are shown"): titles(document.hidden),
        Phrase("Measurements are left out"): list(map(name_in_sentence, document.measurements)),
        Phrase("Saved views are left out"): list(map(name_in_sentence, document.views)),
        Phrase("Objects stay without the data of their preset or lens"): parts,
        Phrase("Links of numbers are left out"): [link.parameter.text for link in document.links],
        Phrase("Sliders are left out"): list(document.sliders),
        Phrase("Studies are left out"): list(map(name_in_sentence, document.studies)),
        Phrase("Unknown entries of the document's file are left out"): list(
            map(name_in_sentence, document.kept)
        ),
    }
    for words, names in sorts.items():
        if names:
            told = list_first_texts(names, MOST_NAMES)
            yield Phrase("{words}: {names}.", words=words, names=told)
    if document.background is not None:
        yield Phrase("The background picture is left out.")
    if document.sheet is not None:
        yield Phrase("The sheet of figures is left out.")
    if unit != "mm":
        yield Phrase("The unit of length {unit} is left out.", unit=unit)


def _substitute_material(obj: SceneObject, document: Document) -> Substitute | None:
    """The substitute of a body with a material: a body with the best fit of Cauchy's formula at the
    wavelengths of the light, or with the present fit if the data of the material cover none of
    these wavelengths. None for a body without a material.
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
    lost = ""
    if own.material.extinction_at(waves).max() > NEGLIGIBLE_ABSORPTION:
        lost = ", and absorbs nothing"
    if fit.error < 1e-9:
        return Substitute((plain,), f"{words} exact at the wavelengths of the light{lost}.")
    error = f"in error by up to {fit.error:.2g} in the index (at {fit.worst_wavelength:g} nm)"
    return Substitute((plain,), f"{words} {error}{lost}.")


def _substitute_coatings(
    obj: SceneObject, own: Mapping[int, Coating], document: Document
) -> Substitute:
    """The substitute of a coated object: for a mirror a surface of constant reflectance, for a beam
    splitter one with the ratio of the coating, for glass with an antireflection coating glass
    without reflection.
    """
    edges = labelled_edges(obj, document.edge_labels.get(obj.key, {}))
    coatings = list(dict.fromkeys(own.values()))
    names = list_first_texts([elide_text(c.title, 60) for c in coatings])
    where = list_first_texts([e.reference for e in edges if e.index in own])
    lost = f"loses its coating{'s' * (len(coatings) > 1)} on {where} ({names})"
    waves = source_wavelengths(document.scene) or (None,)
    is_whole = own.keys() >= {e.index for e in edges}
    try:
        if isinstance(obj, GlassBody):
            if is_whole and isinstance(obj, HomogeneousGlass) and _reflects_less(obj, own, waves):
                plain = dataclasses.replace(obj, partial_reflect=False)
                return Substitute((plain,), f"{lost}: it reflects nothing but total reflections.")
            return Substitute((obj,), f"{lost}: it reflects as bare glass.")
        if isinstance(obj, BeamSplitter):
            share, error = _splitter_transmission(coatings[0], waves)
            splitter = dataclasses.replace(obj, trans_ratio=share)
            so = f"{lost}: it transmits {share:.3g} of the light, as at 45°, and reflects the rest"
            return Substitute((splitter,), f"{so}{_describe_error(error)}.")
        if is_whole and not _acts_as_filter(obj, document) and len(coatings) == 1:
            share, error = _mirror_reflectance(coatings[0], waves)
            if (surface := _reflecting_surface(obj, share)) is not None:
                so = f"{lost}: it becomes a surface that reflects {share:.3g} of the light"
                return Substitute((surface,), f"{so}{_describe_error(error)}.")
    except InvalidCoating:
        pass  # it has no values for the light
    left = "keeps its own ratio" if isinstance(obj, BeamSplitter) else "reflects all of the light"
    return Substitute((obj,), f"{lost}: it {left}.")


def _substitute_finishes(
    obj: SceneObject, own: Mapping[int, Finish], document: Document
) -> Substitute:
    """The substitute of an object with finishes, which scatters no light: glass with blockers on
    its painted edges, or for a mirror that is painted all over a surface with the mean reflectance
    of the paints.
    """
    edges = labelled_edges(obj, document.edge_labels.get(obj.key, {}))
    names = list_first_texts([elide_text(f.title, 60) for f in dict.fromkeys(own.values())])
    where = list_first_texts([e.reference for e in edges if e.index in own])
    lost = f"loses its finish{'es' * (len(own) > 1)} on {where} ({names})"
    if isinstance(obj, GlassBody):
        painted = [e for e in edges if e.index in own and own[e.index].is_paint]
        walls = {e.reference: _absorber_along(e.edge.shape) for e in painted}
        blockers = {reference: wall for reference, wall in walls.items() if wall is not None}
        said = []
        if blockers:
            said.append(f"blockers on {list_first_texts([*blockers])} absorb all of the light")
        if passed := [reference for reference in walls if reference not in blockers]:
            said.append(f"light passes the paint on {list_first_texts(passed)}")
        if len(painted) < len(edges) or not edges:
            said.append(f"its {'other ' * bool(walls)}faces are smooth and bare")
        return Substitute((obj, *blockers.values()), f"{lost}: {', '.join(said)}.")
    if surface_of_object(obj) == Surface.ABSORB:
        return Substitute((obj,), f"{lost}: it absorbs all of the light.")
    paints = [f.reflectance for f in own.values() if f.reflectance is not None]
    if len(paints) == len(edges) > 0 and not _acts_as_filter(obj, document):
        share = float(np.mean(paints))
        if (surface := _reflecting_surface(obj, share)) is not None:
            so = f"it becomes a surface that reflects {share:.3g} of the light in one direction"
            return Substitute((surface,), f"{lost}: {so}.")
    how = "all of the light " if isinstance(obj, Filtered) else ""
    return Substitute((obj,), f"{lost}: it reflects {how}in one direction.")


def _absorber_along(shape: Shape) -> SceneObject | None:
    """The object that absorbs light along an edge; None if the web program has no such object."""
    match shape:
        case Line(a, b):
            return Blocker(p1=a, p2=b)
        case Arc() if shape.is_full_circle:
            return CircleBlocker(p1=shape.centre, p2=shape.a)
        case Arc():
            a, b, middle = shape.a, shape.b, shape.midpoint
            return CustomArcSurface(p1=a, p2=b, p3=middle, out_rays=(), two_sided=True)
        case Bezier(a, c1, c2, b):
            nodes = (CurveNode(a, c1, c2), CurveNode(b))
            return CustomCurveSurface(points=nodes, is_closed=False, out_rays=(), two_sided=True)
    return None


def _acts_as_filter(obj: SceneObject, document: Document) -> bool:
    """Whether an object acts only on a band of wavelengths."""
    simulated = document.scene.settings.simulate_colors
    return isinstance(obj, Filtered) and obj.filter and simulated


def _describe_error(error: float) -> str:
    """The words that state the error of a constant reflectance or transmittance; empty for an exact
    value.
    """
    return f", in error by up to {error:.2g} below 60°" if error > 1e-6 else ""


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
    """The mean reflectance of a mirror at normal incidence, and the largest deviation from this
    mean at angles up to 60°.
    """
    reflected = _oblique_fractions(coating, waves)[..., :2]
    share = float(reflected[:, 0].mean())
    return share, float(np.abs(reflected - share).max())


def _splitter_transmission(coating: Coating, waves: Iterable[float | None]) -> tuple[float, float]:
    """The mean transmittance of a beam splitter for s and p at 45°; and the largest deviation of
    its transmittances and reflectances, at angles up to 60°, from an ideal splitter with this
    transmittance.
    """
    values = _oblique_fractions(coating, waves)
    share = float(values[:, INDEX_OF_45_DEG, 2:].mean())
    return share, float(np.abs(values - [1 - share, 1 - share, share, share]).max())


def _oblique_fractions(coating: Coating, waves: Iterable[float | None]) -> Floats:
    """R_s, R_p, T_s, T_p (wavelengths, angles, 4) of a mirror at the angles `OBLIQUE_COSINES`."""
    return np.array(
        [
            coating.fractions(coating_wavelength(w), 1.0, SUBSTRATE_INDEX, OBLIQUE_COSINES, False)
            for w in waves
        ]
    )


def _reflecting_surface(mirror: SceneObject, share: float) -> CustomSurfaceBase | None:
    """The surface that replaces a mirror and reflects a constant fraction ``share`` of the power;
    None if the web program has no such surface.
    """
    about: dict[str, Any] = {
        "name": mirror.name,
        "locked": mirror.locked,
        "out_rays": (OutRayFormulas(r"\pi-\theta_0", rf"{share:.6f}\cdot P_0"),),
        "two_sided": True,
    }
    match mirror:
        case CustomSurfaceBase():  # in place of a coated mirror
            return dataclasses.replace(mirror, out_rays=about["out_rays"])
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
] = {"coatings": _substitute_coatings, "finishes": _substitute_finishes}
"""What stands for an object with annotations of its edges, by the attribute of the document with
these annotations. The functions take the object, its annotations by the index of the edge, and the
document; None where nothing is lost.
"""


def _edge_substitute_function(name: str) -> Callable[[SceneObject, Document], Substitute | None]:
    def substitute(obj: SceneObject, document: Document) -> Substitute | None:
        own = getattr(document, name).get(obj.key)
        return SUBSTITUTES[name](obj, own, document) if own else None

    return substitute


_SUBSTITUTED = (
    _substitute_material,
    lambda obj, document: kind_row_of(obj).in_plain_scene(obj),
    *map(_edge_substitute_function, SUBSTITUTES),
)
