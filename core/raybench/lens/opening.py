"""Opens a lens file as a document of the bench, with sentences on what is not as in the file."""

from dataclasses import dataclass
from pathlib import Path

from raybench.errors import SceneFileError, in_quotes
from raybench.kinds.sources import AngleSource
from raybench.lens.bodies import field_sources, lens_objects
from raybench.lens.formats import read_lens
from raybench.lens.glass import AIR, Glass
from raybench.lens.lens_file import LARGEST, LensFile, LensFileError
from raybench.lens.paraxial import first_order
from raybench.lens.prescription import InvalidPrescription, Prescription
from raybench.materials.dispersion import OutsideRange
from raybench.presets.preset import InvalidPreset
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.system.files import read_bounded

RAYS = 21
"""Rays of each field and wavelength, about."""


@dataclass(frozen=True)
class OpenedLens:
    """A lens file as a document, its prescription, and what is not as in the file, a sentence each."""

    document: Document
    system: Prescription
    notes: tuple[str, ...]


def open_lens(path: Path, glasses: dict[str, Glass] | None = None) -> OpenedLens:
    """Open a lens file with the ``glasses`` chosen for names that the catalogue does not have. Where
    none is chosen, the index and Abbe number that the file states are used, and a note says so.

    Raises SceneFileError, which names the file, and for a glass without data those of the catalogue
    that are near.
    """
    try:
        data = read_bounded(path, LARGEST)
    except OSError as error:
        raise SceneFileError(f"{path}: {error.strerror}") from None
    try:
        file = read_lens(data, path.name).with_glasses(glasses or {})
        file, notes = _with_stated_glasses(file)
        return OpenedLens(lens_document(file.system, path.stem), file.system, notes)
    except (LensFileError, InvalidPrescription, InvalidPreset, OutsideRange) as error:
        raise SceneFileError(f"{path}: {error}") from None


def _with_stated_glasses(file: LensFile) -> tuple[LensFile, tuple[str, ...]]:
    notes = list(file.omitted)
    for name, match in file.unmatched.items():
        at = [str(i) for i, s in enumerate(file.system.surfaces, 1) if s.glass == name]
        near = f" Near are {', '.join(match.near)}." if match.near else ""
        where = f"surface{'s' * (len(at) > 1)} {', '.join(at) or '0'}"
        stated = file.stated.get(name)
        if stated is None:
            raise LensFileError(
                f"The catalogue has no glass {in_quotes(name, 40)} ({where}).{near} Choose one:"
                f" raybench import FILE --glass {name}={(*match.near, 'N-BK7')[0]}, or the index and"
                " Abbe number, such as 1.6204/60.3."
            )
        notes.append(
            f"The catalogue has no glass {in_quotes(name, 40)} ({where}); the file's index"
            f" {stated.n_d:g} and Abbe number {stated.v_d:g} are used.{near}"
        )
    return file.with_glasses(dict(file.stated)), tuple(notes)


def lens_document(system: Prescription, name: str) -> Document:
    """A document with a lens, the light of its fields, and a detector at its image."""
    colours = len(system.wavelengths) > 1 or any(s.glass != AIR for s in system.surfaces)
    sources = field_sources(system)
    fans = [s.emis_angle for s in sources if isinstance(s, AngleSource)]
    # a fan has 500 rays to the full circle, a beam one to the unit of length, times the density
    per_density = max(fans) / 360 * 500 if fans else first_order(system).entrance_diameter
    settings = Settings(simulate_colors=colours, ray_mode_density=RAYS / per_density)
    scene = Scene.of((*sources, *lens_objects(system)), settings, name=system.title or name)
    return Document(scene=scene, unit=system.unit)
