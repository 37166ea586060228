"""The table of presets, by the names under which changes and tools make them."""

from collections.abc import Iterable, Mapping, Sequence

from raybench.kinds.fields import fields_of
from raybench.kinds.kinds import labelled_subclasses
from raybench.presets.lenses import Achromat, BallLens, BiconvexLens, MeniscusLens, PlanoConvexLens
from raybench.presets.preset import Preset
from raybench.presets.prisms import (
    CornerCube,
    DovePrism,
    EquilateralPrism,
    PentaPrism,
    RightAnglePrism,
    WedgePrism,
)
from raybench.presets.systems import BeamExpander, LightGuide

FAMILIES = ("Lenses", "Prisms", "Systems")
"""The menus for adding presets, in order."""


class IncompletePreset(TypeError):
    """A preset is incompletely defined; the message names it and what is missing. Raised when this
    module is imported.
    """


def check_presets(
    classes: Sequence[type[Preset]], defined: Iterable[type[Preset]]
) -> dict[str, type[Preset]]:
    """The presets by name. Raises IncompletePreset for one without a label, a summary or a family,
    for a field without a default, and for one of the ``defined`` classes that is not among them.
    """
    for kind in classes:
        for entry in ("label", "family", "summary"):
            if not getattr(kind, entry, ""):
                raise IncompletePreset(
                    f"{kind.__name__} ({kind.__module__}) has no {entry}. See"
                    " core/raybench/presets/README.md."
                )
        if kind.family not in FAMILIES:
            raise IncompletePreset(
                f"{kind.__name__} has the family '{kind.family}', which is not one of"
                f" {', '.join(FAMILIES)}."
            )
        if required := [f.name for f in fields_of(kind) if f.required]:
            raise IncompletePreset(
                f"{kind.__name__} ({kind.__module__}) has no default for {', '.join(required)}."
            )
    for kind in defined:
        if kind not in classes:
            raise IncompletePreset(
                f"{kind.__name__} ({kind.__module__}) is not in PRESETS of"
                " core/raybench/presets/presets.py. Add it there."
            )
    return {kind.__name__: kind for kind in classes}


PRESETS: Mapping[str, type[Preset]] = check_presets(
    (
        PlanoConvexLens, BiconvexLens, MeniscusLens, Achromat, BallLens,
        EquilateralPrism, RightAnglePrism, DovePrism, PentaPrism, WedgePrism, CornerCube,
        BeamExpander, LightGuide,
    ),
    labelled_subclasses(Preset),
)  # fmt: skip
"""All presets, by name, in the order of menus."""
