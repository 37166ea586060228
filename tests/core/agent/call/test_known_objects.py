"""An object that a person has changed since the model was told of it is not changed without
telling.
"""

from __future__ import annotations

from typing import Any

import pytest

from raybench.agent.call.open_document import ChangedByHand, KnownObjects
from raybench.files.scene_json import scene_from_json
from raybench.scene.changes import Group, Move, Set, convert_to_changes
from raybench.scene.changes.change import CHANGE_TYPES, TargetedChange
from raybench.scene.document import Document
from raybench.session import Session

LINE = {"p1": {"x": 0, "y": -20}, "p2": {"x": 0, "y": 20}}
WEDGE = [{"x": x, "y": y, "arc": False} for x, y in ((0, 0), (40, 0), (40, 30))]
OBJECTS = [
    {"type": "Glass", "name": "Wedge", "path": WEDGE},
    {"type": "Mirror", "name": "Fold", **LINE},
    {"type": "Mirror", "name": "Back", **LINE},
]
MORE: dict[str, dict[str, Any]] = {
    "set": {"refIndex": 1.7},
    "move": {"dx": 1},
    "rotate": {"by": 1},
    "scale": {"by": 2},
    "reorder": {"to": 2},
    "group": {"as": "Two"},
    "label": {"edge": "N", "as": "Entrance"},
    "material": {"name": "N-BK7"},
    "replace": {"with": {"type": "Mirror", "name": "Wedge", **LINE}},
    "module": {"as": "Bench"},
    "coat": {"coating": "Silver"},
    "finish": {"reflectance": 0.5},
}
TARGETED = [
    verb
    for verb, kind in CHANGE_TYPES.items()
    if issubclass(kind, TargetedChange) and verb not in {"expand", "part"}
]  # these take instances of modules, and objects that a preset has made


@pytest.fixture
def session() -> Session:
    return Session(Document(scene=scene_from_json({"version": 5, "objs": OBJECTS})))


@pytest.mark.parametrize("verb", TARGETED)
@pytest.mark.parametrize("target", ["Wedge", ["Fold", "Wedge"], "Pair"])
def test_every_change_of_it_is_an_error_once(session: Session, verb: str, target: Any) -> None:
    if verb in ("set", "label", "material", "replace") and target != "Wedge":
        pytest.skip("these take one glass")
    session.apply(Group(["Wedge", "Fold"], as_="Pair"))
    known = KnownObjects()
    known.record_objects(session.document.scene.objects)
    session.apply(Set("Wedge", {"refIndex": 1.6}))
    changes = convert_to_changes({verb: target, **MORE.get(verb, {})}, session.document)
    with pytest.raises(ChangedByHand, match=r"refractive index 1\.5 -> 1\.6"):
        known.check_unchanged(changes, session.document)
    known.check_unchanged(changes, session.document)  # reported now


def test_what_a_hand_did_to_others_is_no_error(session: Session) -> None:
    known = KnownObjects()
    known.record_objects(session.document.scene.objects)
    session.apply(Move("Back", dx=5))
    for verb in TARGETED:
        known.check_unchanged(
            convert_to_changes({verb: "Wedge", **MORE.get(verb, {})}, session.document),
            session.document,
        )
