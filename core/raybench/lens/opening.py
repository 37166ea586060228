"""Opens a lens file as a document, and states in sentences how the document differs from the
file.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from raybench.errors import SceneFileError, in_quotes, list_choices
from raybench.lens.agf import read_glass_catalogue
from raybench.lens.bodies import conversion_notes
from raybench.lens.design import LensDesign
from raybench.lens.formats import read_lens
from raybench.lens.glass import Glass, ModelGlass, catalogue_glass, glass_material, glass_name
from raybench.lens.lens_file import MOST_FILE_BYTES, LensFile, LensFileError
from raybench.lens.prescription import InvalidPrescription, Prescription
from raybench.materials.dispersion import OutsideRange
from raybench.presets.centred_lens import CentredLens
from raybench.presets.preset import InvalidPreset
from raybench.scene.document import Document
from raybench.scene.free_names import free_name
from raybench.scene.parts import Part
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.system.files import read_bounded
from raybench.system.known_formats import describe_format


def read_lens_file(
    path: Path, glasses: Mapping[str, Glass] | None = None
) -> tuple[Prescription, tuple[str, ...]]:
    """Read the prescription of a lens file. Also returns sentences that say how it differs from the
    file. ``glasses`` maps names that are not in the catalogue to glasses; for a name that is not in
    ``glasses``, the index and Abbe number in the file are used, and a sentence says so. Case is
    ignored in names.

    Raises SceneFileError with the name of the file and, for a glass without data, the most similar
    glasses of the catalogue.
    """
    file = _load_lens(path)
    given = {name.casefold(): glass for name, glass in (glasses or {}).items()}
    own = {n: given[n.casefold()] for n in file.unmatched if n.casefold() in given}
    try:
        return _with_stated_glasses(file.with_glasses(own))
    except LensFileError as error:
        raise SceneFileError(f"{path}: {error}") from None


def _load_lens(path: Path) -> LensFile:
    """Read a lens file. Raises SceneFileError with the name of the file."""
    try:
        return read_lens(read_bounded(path, MOST_FILE_BYTES), path.name)
    except OSError as error:
        raise SceneFileError(f"{path}: {error.strerror}") from None
    except LensFileError as error:
        raise SceneFileError(f"{path}: {describe_format(path) or error}") from None


@dataclass(frozen=True)
class MissingGlass:
    """A glass of a lens file that is not in the catalogue.

    Attributes:
        name: Its name in the file.
        where: The surfaces with this glass, as text.
        choices: The possible replacements, by label: the index and Abbe number in the file, if
            stated, and the most similar glasses of the catalogue.
        is_stated: Whether the file states its index and Abbe number.
    """

    name: str
    where: str
    choices: Mapping[str, Glass]
    is_stated: bool


def missing_glasses(path: Path) -> tuple[MissingGlass, ...]:
    """The glasses of a lens file that are not in the catalogue. Raises SceneFileError with the name
    of the file.
    """
    file, missing = _load_lens(path), []
    for name, match in file.unmatched.items():
        choices: dict[str, Glass] = {}
        if name in file.stated:
            choices[f"As the file states: {file.stated[name]}"] = file.stated[name]
        choices |= {glass_label(near): catalogue_glass(near) for near in match.similar_names}
        where = _surfaces_with(file, name)
        missing.append(MissingGlass(name, where, choices, name in file.stated))
    return tuple(missing)


def glass_label(glass: Glass) -> str:
    """The name of a glass with its index and Abbe number."""
    material = glass_material(glass)
    if material.n_d is None or material.v_d is None:
        return glass_name(glass)
    return f"{glass_name(glass)}: {ModelGlass(material.n_d, material.v_d)}"


def _surfaces_with(file: LensFile, name: str) -> str:
    """The surfaces with a glass behind them, such as ``surfaces 3 and 8``."""
    at = [str(i) for i, s in enumerate(file.system.surfaces, 1) if s.glass == name] or ["0"]
    return f"surface{'s' * (len(at) > 1)} {list_choices(at, 'and')}"


def open_lens(
    path: Path, glasses: Mapping[str, Glass] | None = None
) -> tuple[Document, tuple[str, ...]]:
    """Open a lens file as a document. Also returns sentences that say how the document differs from
    the file, see `read_lens_file`. Raises SceneFileError, also if surfaces cross or do not reach
    their rims.
    """
    system, notes = read_lens_file(path, glasses)
    try:
        return lens_document(system, path.stem), (*notes, *conversion_notes(system))
    except (InvalidPrescription, InvalidPreset, OutsideRange) as error:
        raise SceneFileError(f"{path}: {error}") from None


def _with_stated_glasses(file: LensFile) -> tuple[Prescription, tuple[str, ...]]:
    notes = list(file.omitted)
    for name, match in file.unmatched.items():
        near = f" Near are {', '.join(match.similar_names)}." if match.similar_names else ""
        where, stated = _surfaces_with(file, name), file.stated.get(name)
        if stated is None:
            raise LensFileError(
                f"The catalogue has no glass {in_quotes(name, 40)} ({where}).{near} Choose one:"
                f" raybench import FILE --glass {name}={(*match.similar_names, 'N-BK7')[0]}, or the"
                " index and Abbe number, such as 1.6204/60.3."
            )
        notes.append(
            f"The catalogue has no glass {in_quotes(name, 40)} ({where}); the file's index"
            f" {stated.n_d:g} and Abbe number {stated.v_d:g} are used.{near}"
        )
    used = {name: file.stated[name] for name in file.unmatched}
    return file.with_glasses(used).system, tuple(notes)


def read_glasses(path: Path) -> tuple[dict[str, Glass], tuple[str, ...]]:
    """Read a glass catalogue file (.agf). Returns its glasses by name, and a sentence for each
    glass that could not be read. Raises SceneFileError with the name of the file.
    """
    try:
        glasses, problems = read_glass_catalogue(read_bounded(path, MOST_FILE_BYTES), path.name)
    except OSError as error:
        raise SceneFileError(f"{path}: {error.strerror}") from None
    except LensFileError as error:
        raise SceneFileError(f"{path}: {error}") from None
    return {glass.name: glass for glass in glasses}, problems


def lens_document(system: Prescription, name: str) -> Document:
    """A document with a lens, sources for its fields, and a detector at its image."""
    preset = CentredLens.from_design(LensDesign(system))
    settings = Settings(**preset.scene_settings)
    scene = Scene.of(preset.objects(), settings, name=system.title or name)
    keys = tuple(o.key for o in scene.objects)
    group = free_name(scene.name, {o.title for o in scene.objects})
    return Document(
        scene=scene,
        unit=system.unit,
        groups={group: frozenset(keys)},
        parts=(Part(preset, keys),),
    )
