"""The change of the material of glass bodies."""

import dataclasses

from raybench.errors import elide_text, in_quotes
from raybench.kinds.fields import flag, string
from raybench.kinds.glasses import HomogeneousGlass
from raybench.kinds.object import SceneObject
from raybench.materials.catalogue import material_named, nearest_materials
from raybench.materials.dispersion import OutsideRange
from raybench.materials.material import AssignedMaterial, Material
from raybench.phrase import Phrase
from raybench.scene.changes.change import TargetedChange, with_changed_objects
from raybench.scene.changes.values import InvalidValue
from raybench.scene.document import Document
from raybench.scene.materials import (
    current_index_and_abbe,
    current_material,
    wavelengths_for_cauchy_fit,
)


class SetMaterial(TargetedChange):
    """Give glass bodies a material of the catalogue. Light is then refracted with the exact index;
    the fields refIndex and cauchyB get the best Cauchy fit.
    """

    verb = "material"

    name: str = string(
        "",
        "Name",
        help="A name of the catalogue, such as N-BK7; empty removes the material, its fit stays.",
    )
    nearest: bool = flag(
        False,
        "Nearest",
        help="True: the catalogue's glass nearest to the body's present index and Abbe number.",
    )

    def apply(self, document: Document) -> Document:
        if self.name and self.nearest:
            raise InvalidValue("'material' takes a name or nearest, not both.")
        waves = wavelengths_for_cauchy_fit(document.scene)
        changed: dict[int, SceneObject] = {}
        for obj in self.objects(document):
            if not isinstance(obj, HomogeneousGlass):
                raise InvalidValue(
                    f"{obj.reference} has no material: only bodies of glass with one index have."
                )
            if self.nearest:
                (chosen,) = nearest_materials(*current_index_and_abbe(obj, document.scene), most=1)
                changed[obj.key] = body_with_material(obj, chosen, waves)
            elif self.name:
                changed[obj.key] = body_with_material(obj, material_named(self.name), waves)
            else:
                changed[obj.key] = dataclasses.replace(obj, assigned=None)
        return with_changed_objects(document, changed)

    def describe(self, before: Document, after: Document) -> str:
        objects = self.describe_targets(before)
        if not self.name and not self.nearest:
            return Phrase("{objects} without a material", objects=objects)
        owned = map(current_material, self.objects(after))
        names = {own.material.name for own in owned if own is not None}
        name = Phrase("nearest glasses") if self.nearest else elide_text(self.name, 60)
        return Phrase(
            "{objects}: material {name}",
            objects=objects,
            name=names.pop() if len(names) == 1 else name,
        )


def body_with_material(
    obj: HomogeneousGlass, material: Material, waves: tuple[float, ...]
) -> HomogeneousGlass:
    """A copy of a glass body that is made of a material. The Cauchy fit is for the wavelengths
    ``waves`` (nm). Raises InvalidValue.
    """
    if material.is_opaque(waves):
        raise InvalidValue(
            f"{material.name} is opaque: light gets less than 1 µm into it. Use a mirror or a"
            f" blocker for {in_quotes(obj.title)}."
        )
    try:
        own = AssignedMaterial.with_best_fit(material, waves)
    except OutsideRange as error:
        raise InvalidValue(
            f"{error} Choose another material, or another wavelength of the source."
        ) from None
    return dataclasses.replace(obj, assigned=own, ref_index=own.a, cauchy_b=own.b)
