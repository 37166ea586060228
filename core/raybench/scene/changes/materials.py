"""The change of the material of glass bodies."""

import dataclasses
from dataclasses import dataclass

from raybench.errors import elided, in_quotes
from raybench.kinds.fields import described, flag
from raybench.kinds.glasses import HomogeneousGlass
from raybench.kinds.object import SceneObject
from raybench.materials.catalogue import material_named, nearest_materials
from raybench.materials.dispersion import OutsideRange
from raybench.materials.material import AssignedMaterial, Material
from raybench.scene.changes.change import Targeted, keys_of, objects_of, targets_text, with_changed
from raybench.scene.changes.values import InvalidValue
from raybench.scene.document import Document
from raybench.scene.materials import fit_wavelengths, material_of, present_glass


@dataclass(frozen=True, repr=False)
class SetMaterial(Targeted):
    """Give bodies a material of the catalogue: its exact index for light, its best Cauchy fit in
    refIndex and cauchyB.
    """

    verb = "material"

    name: str = described(
        "text",
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
        waves = fit_wavelengths(document.scene)
        changed: dict[int, SceneObject] = {}
        for obj in objects_of(document, keys_of(document, self.listed)):
            if not isinstance(obj, HomogeneousGlass):
                raise InvalidValue(
                    f"{obj.reference} has no material: only bodies of glass with one index have."
                )
            chosen = material_named(self.name) if self.name else None
            if self.nearest:
                chosen = nearest_materials(*present_glass(obj, document.scene), most=1)[0]
            changed[obj.key] = (
                made_of(obj, chosen, waves)
                if chosen is not None
                else dataclasses.replace(obj, assigned=None)
            )
        return with_changed(document, changed)

    def describe(self, before: Document, after: Document) -> str:
        who = targets_text(before, self.listed)
        if not self.name and not self.nearest:
            return f"{who} without a material"
        own = {
            m.material.name
            for o in objects_of(after, self.listed)
            if (m := material_of(o)) is not None
        }
        name = (
            own.pop()
            if len(own) == 1
            else "nearest glasses"
            if self.nearest
            else elided(self.name, 60)
        )
        return f"{who}: material {name}"


def made_of(
    obj: HomogeneousGlass, material: Material, waves: tuple[float, ...]
) -> HomogeneousGlass:
    """A body of a material, with the Cauchy fit at some wavelengths (nm). Raises InvalidValue."""
    if material.is_opaque(waves):
        raise InvalidValue(
            f"{material.name} is opaque: light gets less than 1 µm into it. Use a mirror or a"
            f" blocker for {in_quotes(obj.title)}."
        )
    try:
        own = AssignedMaterial.fitted(material, waves)
    except OutsideRange as error:
        raise InvalidValue(
            f"{error} Choose another material, or another wavelength of the source."
        ) from None
    return dataclasses.replace(obj, assigned=own, ref_index=own.a, cauchy_b=own.b)
