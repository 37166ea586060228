"""The change of the finishes of edges."""

from collections.abc import Mapping
from dataclasses import field, replace
from typing import Any, ClassVar, Self

from raybench.errors import elide_text, in_quotes
from raybench.kinds.fields import described_field
from raybench.kinds.object import SceneObject
from raybench.kinds.primitives import Surface
from raybench.phrase import Phrase
from raybench.scene.changes.change import Targets
from raybench.scene.changes.treating import TreatmentChange, surface_of_object
from raybench.scene.changes.values import InvalidValue
from raybench.scene.document import Document
from raybench.scene.finishes import Finish, InvalidFinish, finish_catalogue, finish_from_json
from raybench.scene.names import object_named
from raybench.scene.treatments import FINISH, EdgeTreatment, treatment_with_target

EXCLUSIVE_VALUES = {"total", "roughness"}
"""Values of which a finish has one: a new one replaces the other."""


class FinishEdge(TreatmentChange):
    """Give edges of glass bodies, mirrors and blockers a finish: they scatter light, or are
    painted. ``values`` are values of a finish as JSON, such as ``{"reflectance": 0.05}``, which
    replace the values of the named finish, or of the present finish if no name is given.
    """

    verb = "finish"
    example: ClassVar = {"edge": "N", "with": "Aeroglaze Z306 black paint"}
    follow = "values"
    treatment = FINISH
    surfaces = (Surface.REFLECT, Surface.ABSORB)
    treatable = "bodies of glass, mirrors and blockers"
    invalid = InvalidFinish

    values: Mapping[str, Any] = field(default_factory=dict)
    with_: str | Mapping[str, Any] | None = described_field(
        "finish",
        None,
        "Finish",
        help="A name of the catalogue, or a finish as JSON; none removes the finish.",
    )

    @classmethod
    def from_treatment(cls, targets: Targets, edge: str, given: Any) -> Self:
        return cls(targets, edge, with_=given)

    def apply(self, document: Document) -> Document:
        if self.with_ is None and not self.values:
            raise InvalidValue(
                "'finish' needs with, or a value. Write it as"
                ' {"finish": "Tube", "with": "Aeroglaze Z306 black paint"} or {"finish": "Box",'
                ' "reflectance": 0.9}; none as with removes the finish.'
            )
        if "name" in self.values:
            raise InvalidValue(
                "'finish' takes no name beside its values. Give the name of the catalogue as with:"
                ' {"finish": "Box", "with": "White wall paint"}; or name a finish of your own:'
                ' {"finish": "Box", "with": {"name": "My white", "reflectance": 0.9}}.'
            )
        return super().apply(document)

    @property
    def removes_treatment(self) -> bool:
        return self.with_ is not None and not self.with_ and not self.values

    def new_treatment(
        self, now: EdgeTreatment | None, obj: SceneObject, document: Document
    ) -> Finish:
        def target_key(target: Any) -> Any:
            return object_named(document.scene, target).key if isinstance(target, str) else target

        new = now if isinstance(now, Finish) else Finish()
        if self.with_:
            new = finish_from_json(treatment_with_target(self.with_, target_key))
            known, _ = finish_catalogue().get(new.name, (new, ""))
            if replace(new, rays=known.rays, towards=None) != replace(known, towards=None):
                raise InvalidFinish(
                    f"{in_quotes(new.name)} of the catalogue has other values. Give the finish"
                    " another name."
                )
        if self.values:
            data = new.to_json() | treatment_with_target(self.values, target_key)
            replaced = {"name"}
            if data["scatter"] != new.profile.name:
                replaced |= new.profile.keys.keys()
            if self.values.keys() & EXCLUSIVE_VALUES:
                replaced |= EXCLUSIVE_VALUES
            replaced -= self.values.keys()
            new = finish_from_json(
                {k: v for k, v in data.items() if v is not None and k not in replaced}
            )
        if surface_of_object(obj) == Surface.ABSORB and not new.is_paint:
            raise InvalidFinish(
                'it absorbs all light. Give a reflectance too, such as {"reflectance": 0.05}.'
            )
        return new

    def describe(self, before: Document, after: Document) -> str:
        if self.removes_treatment:
            return Phrase("{edges} without a finish", edges=self.describe_edges(before))
        given = self.with_.items() if isinstance(self.with_, Mapping) else ()
        words = [self.with_] if isinstance(self.with_, str) and self.with_ else []
        words += [f"{key} {value}" for key, value in (*given, *self.values.items())]
        finish = elide_text(", ".join(words), 80)
        return Phrase(
            "{edges} finished: {finish}", edges=self.describe_edges(before), finish=finish
        )
