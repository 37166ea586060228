"""The change of the coatings of edges."""

from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np

from raybench.errors import elide_text
from raybench.kinds.fields import described_field, number
from raybench.kinds.object import SceneObject
from raybench.kinds.primitives import Surface
from raybench.phrase import Phrase, join_with_commas
from raybench.scene.changes.change import Targets
from raybench.scene.changes.treating import TreatmentChange
from raybench.scene.coatings import (
    SUBSTRATE_INDEX,
    Coating,
    FilmStack,
    InvalidCoating,
    coating_from_json,
    coating_wavelength,
)
from raybench.scene.document import Document
from raybench.scene.materials import source_wavelengths
from raybench.scene.treatments import COATING, EdgeTreatment


class Coat(TreatmentChange):
    """Coat edges of glass bodies, mirrors and beam splitters. The coating's reflectance and
    transmittance replace those of bare glass, or of the ideal element.
    """

    verb = "coat"
    needs = ("coating", "thickness")
    example: ClassVar = {"edge": "W", "coating": "MgF2 quarter wave 550"}
    treatment = COATING
    surfaces = (Surface.REFLECT, Surface.SPLIT)
    treatable = "bodies of glass, mirrors and beam splitters"
    invalid = InvalidCoating

    coating: str | Mapping[str, Any] = described_field(
        "coating",
        "",
        "Coating",
        help="A name of the catalogue, or a coating as JSON; none removes the coating.",
    )
    thickness: float | None = number(
        None, "Thickness", unit="nm", low=0, help="A new thickness of one of the coating's films."
    )
    film: float = number(
        0, "Film", low=0, help="The index of this film, counted from the surroundings."
    )

    @classmethod
    def from_treatment(cls, targets: Targets, edge: str, given: Any) -> Self:
        return cls(targets, edge, given)

    @property
    def removes_treatment(self) -> bool:
        return not self.coating and self.thickness is None

    def new_treatment(
        self, now: EdgeTreatment | None, obj: SceneObject, document: Document
    ) -> Coating:
        new = coating_from_json(self.coating) if self.coating else now
        if self.thickness is not None:
            if not isinstance(new, FilmStack) or not int(self.film) < len(new.films):
                films = len(new.films) if isinstance(new, FilmStack) else 0
                raise InvalidCoating(
                    f"its coating has {films} films, so none with the index {self.film:g} to be as"
                    " thick as stated."
                )
            new = new.with_thickness(self.thickness, int(self.film))
        assert isinstance(new, Coating)
        return checked_coating(new, source_wavelengths(document.scene) or (None,))

    def describe(self, before: Document, after: Document) -> str:
        edges, parts = self.describe_edges(before), list[str]()
        if self.coating:
            name = elide_text(coating_from_json(self.coating).title, 60)
            parts.append(Phrase("{edges} coated with {name}", edges=edges, name=name))
        if self.thickness is not None:
            film = Phrase(
                "film {film:g} {thickness:g} nm thick", film=self.film, thickness=self.thickness
            )
            parts.append(film if parts else Phrase("{edges} {film}", edges=edges, film=film))
        return join_with_commas(parts) or Phrase("{edges} without a coating", edges=edges)


def checked_coating(coating: Coating, wavelengths: tuple[float | None, ...]) -> Coating:
    """Return the coating, after a check that it has values at these wavelengths (nm; None for light
    without a wavelength). Raises InvalidCoating.
    """
    for wavelength in wavelengths:
        try:
            coating.fractions(
                coating_wavelength(wavelength), 1.0, SUBSTRATE_INDEX, np.ones(1), False
            )
        except InvalidCoating as error:
            light = f"{wavelength:g} nm" if wavelength else "light without a wavelength, 587.56 nm"
            raise InvalidCoating(f"it has no values for {light}. {error}") from None
    return coating
