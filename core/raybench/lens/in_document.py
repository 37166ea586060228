"""The lens systems of a document."""

from dataclasses import fields, replace
from typing import Any

from raybench.errors import in_quotes, list_first_texts, short_repr
from raybench.lens.design import LensDesign, design_to_json
from raybench.lens.formats import write_lens
from raybench.lens.prescription import Prescription
from raybench.lens.written import link_texts
from raybench.presets.centred_lens import CentredLens
from raybench.scene.changes import Set
from raybench.scene.changes.values import suggest_similar_names
from raybench.scene.document import Document
from raybench.scene.names import UnknownName
from raybench.scene.parts import Part


def lens_parts(document: Document) -> dict[str, Part]:
    """The parts of a document that are lens systems, by name."""
    return {
        document.part_name(part): part
        for part in document.parts
        if isinstance(part.preset, CentredLens)
    }


def lens_part(document: Document, name: str = "") -> Part:
    """The lens system with this name, the lens system of the object with this name or, without a
    name, the only lens system. Raises UnknownName.
    """
    found = lens_parts(document)
    if not isinstance(name, str):
        raise UnknownName(f"A lens system is named by a text, not by {short_repr(name)}.")
    if name in found:
        return found[name]
    if len(found) == 1 and not name:
        return next(iter(found.values()))
    for part in found.values():
        if any(
            o is not None and o.title == name for o in map(document.scene.get, part.present_objects)
        ):
            return part
    if not found:
        raise UnknownName(
            "The scene has no lens system. Insert one from Lenses, or open a lens file."
        )
    which = suggest_similar_names(name, found)
    if not name:
        raise UnknownName(f"The scene has several lens systems; name one. {which}")
    raise UnknownName(f"There is no lens system {in_quotes(name, 60)}. {which}")


def lens_design(document: Document, name: str = "") -> LensDesign:
    """The design of a lens system, see `lens_part`, in the length unit of the scene. Raises
    UnknownName.
    """
    preset = lens_part(document, name).preset
    assert isinstance(preset, CentredLens)
    design = preset.lens_design
    if design.system.unit == document.unit:
        return design
    return replace(design, system=replace(design.system, unit=document.unit))


def lens_systems(document: Document) -> dict[str, Prescription]:
    """The prescriptions of the lens systems of a document by name, which becomes their title. Their
    unit is the length unit of the scene.
    """
    return {
        name: replace(lens_design(document, name).system, title=name)
        for name in lens_parts(document)
    }


def write_lens_part(document: Document, name: str, file: str) -> tuple[bytes, tuple[str, ...]]:
    """The lens file of a lens system, in the format of the ending of ``file``, and a sentence for
    each omitted content: quantities unknown to the format, links, and the rest of the scene. Raises
    UnknownName or LensFileError.
    """
    part, design = lens_part(document, name), lens_design(document, name)
    title = document.part_name(part)
    data, omitted = write_lens(replace(design.system, title=title), file)
    links = [f"{link}: written as the number that it gives now." for link in link_texts(design)]
    if design.configurations:
        links.append("The configurations are not written: the lens is in the state of the bench.")
    if design.operands:
        links.append("The operands of the merit are not written.")
    others = [o.title for o in document.scene.objects if o.key not in part.keys]
    rest = (
        f"Objects beside the lens are not written: {list_first_texts(others, 8)}." if others else ""
    )
    return data, (*omitted, *links, *filter(None, [rest]))


def set_design(document: Document, name: str, design: LensDesign) -> Set:
    """The change that sets the design of a lens system. Raises UnknownName."""
    # JSON that is set keeps what it does not name: links that are gone are named
    none: dict[str, Any] = {f.name: [] for f in fields(LensDesign) if f.name != "system"}
    keys = list(lens_part(document, name).present_objects)
    return Set(keys, {"design": {**none, **design_to_json(design)}})
