"""The change of the coatings of edges."""

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from raybench.errors import elide_text
from raybench.kinds.fields import described_field, number, string
from raybench.kinds.glasses import GlassBody
from raybench.kinds.kinds import kind_row_of
from raybench.kinds.object import SceneObject
from raybench.kinds.outline import object_edges, object_fault
from raybench.kinds.primitives import Surface
from raybench.scene.changes.change import Targeted
from raybench.scene.changes.values import InvalidValue
from raybench.scene.coatings import (
    SUBSTRATE,
    Coating,
    FilmStack,
    InvalidCoating,
    coating_from_json,
    coating_wavelength,
)
from raybench.scene.document import Document
from raybench.scene.labels import LabelledEdge, find_edge_by_label, labelled_edges
from raybench.scene.materials import source_wavelengths


class Coat(Targeted):
    """Coat edges of glass bodies, mirrors and beam splitters. Light then sees the coating's
    reflectance and transmittance instead of those of bare glass, or of the ideal element.
    """

    verb = "coat"
    needs = ("coating", "thickness")
    example: ClassVar = {"edge": "W", "coating": "MgF2 quarter wave 550"}

    edge: str = string(
        "", "Edge", help="Its index as a text, or its label, such as N; empty for all edges."
    )
    coating: str | Mapping[str, Any] = described_field(
        "coating",
        "",
        "Coating",
        help="A name of the catalogue, or a coating as JSON; empty removes the coating.",
    )
    thickness: float | None = number(
        None, "Thickness", unit="nm", low=0, help="A new thickness of one of the coating's films."
    )
    film: float = number(
        0, "Film", low=0, help="The index of this film, counted from the surroundings."
    )

    def apply(self, document: Document) -> Document:
        coatings = dict(document.coatings)
        waves = source_wavelengths(document.scene) or (None,)
        for obj in self.objects(document):
            if (self.coating or self.thickness is not None) and not is_coatable(obj):
                raise InvalidValue(
                    f"{obj.reference} cannot have coatings: only bodies of glass, mirrors and beam"
                    " splitters can."
                )
            own = dict(coatings.get(obj.key, {}))
            for edge in self._edges_of(obj, document):
                if not self.coating and self.thickness is None:
                    own.pop(edge.index, None)
                    continue
                try:
                    own[edge.index] = checked_coating(self._new_coating(own.get(edge.index)), waves)
                except InvalidCoating as error:
                    where = f"{obj.reference}, edge {edge.reference}"
                    raise InvalidValue(f"{where}: {error}") from None
            coatings[obj.key] = own
        return document.with_annotations(coatings={k: own for k, own in coatings.items() if own})

    def _new_coating(self, now: Coating | None) -> Coating:
        """The coating that an edge with the coating ``now`` gets. Raises InvalidCoating."""
        new = coating_from_json(self.coating) if self.coating else now
        if self.thickness is None and new is not None:
            return new
        if not isinstance(new, FilmStack) or not int(self.film) < len(new.films):
            films = len(new.films) if isinstance(new, FilmStack) else 0
            raise InvalidCoating(
                f"its coating has {films} films, so none with the index {self.film:g} to be as thick"
                " as stated."
            )
        return new.with_thickness(self.thickness or 0.0, int(self.film))

    def _edges_of(self, obj: SceneObject, document: Document) -> tuple[LabelledEdge, ...]:
        labels = document.edge_labels.get(obj.key, {})
        if self.edge:
            return (find_edge_by_label(obj, self.edge, labels),)
        return labelled_edges(obj, labels)

    def describe(self, before: Document, after: Document) -> str:
        where = f"edge {elide_text(self.edge, 40)}" if self.edge else "all edges"
        what = "without a coating"
        if self.coating:
            what = f"coated with {elide_text(coating_from_json(self.coating).title, 60)}"
        if self.thickness is not None:
            with_it = f"{what}, " if self.coating else ""
            what = f"{with_it}film {self.film:g} {self.thickness:g} nm thick"
        return f"{self.describe_targets(before)}: {where} {what}"


def is_coatable(obj: SceneObject) -> bool:
    """Whether the edges of an object can have coatings: whether it refracts, is a mirror or splits
    beams.
    """
    if isinstance(obj, GlassBody):
        return True
    return not object_fault(obj) and kind_row_of(obj).piece(obj, object_edges(obj)).surface in (
        Surface.REFLECT,
        Surface.SPLIT,
    )


def checked_coating(coating: Coating, wavelengths: tuple[float | None, ...]) -> Coating:
    """The coating, if it has values at these wavelengths (nm; None for light without one). Raises
    InvalidCoating.
    """
    for wavelength in wavelengths:
        try:
            coating.fractions(coating_wavelength(wavelength), 1.0, SUBSTRATE, np.ones(1), False)
        except InvalidCoating as error:
            light = f"{wavelength:g} nm" if wavelength else "light without a wavelength, 587.56 nm"
            raise InvalidCoating(f"it has no values for {light}. {error}") from None
    return coating
