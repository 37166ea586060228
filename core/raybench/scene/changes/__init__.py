"""Changes of documents as values, used by forms, gestures, commands, tools, language models and
studies. See README.md.
"""

from raybench.scene.changes.annotations import Disable, Group, Hide, LabelEdge, Ungroup
from raybench.scene.changes.change import Change, ChangeRefused, Changes, NoChanges, Target
from raybench.scene.changes.coating import Coat
from raybench.scene.changes.duplicating import Duplicate
from raybench.scene.changes.finishing import FinishEdge
from raybench.scene.changes.linking import LinkNumber
from raybench.scene.changes.materials import SetMaterial
from raybench.scene.changes.modules import Define, Expand, MakeModule, Undefine
from raybench.scene.changes.objects import Add, Delete, Reorder
from raybench.scene.changes.placing import Mirror, Move, Rotate, Scale
from raybench.scene.changes.presets import AddPreset, MakePart
from raybench.scene.changes.replacing import Replace
from raybench.scene.changes.setting import Set, SetDocument, SetSettings
from raybench.scene.changes.transaction import (
    apply_changes,
    changes_as_tuple,
    describe_changes,
    documents_between_changes,
    merge_consecutive,
    replace_keys_by_names,
)
from raybench.scene.changes.values import InvalidValue
from raybench.scene.changes.written import changes_from_json, changes_to_json, convert_to_changes
from raybench.shapes.point import Point

TREATMENT_CHANGES = Coat, FinishEdge
"""The changes of treatments of edges, in the order of `raybench.scene.treatments.TREATMENTS`."""

__all__ = [
    "TREATMENT_CHANGES",
    "Add",
    "AddPreset",
    "Change",
    "ChangeRefused",
    "Changes",
    "Coat",
    "Define",
    "Delete",
    "Disable",
    "Duplicate",
    "Expand",
    "FinishEdge",
    "Group",
    "Hide",
    "InvalidValue",
    "LabelEdge",
    "LinkNumber",
    "MakeModule",
    "MakePart",
    "Mirror",
    "Move",
    "NoChanges",
    "Point",
    "Reorder",
    "Replace",
    "Rotate",
    "Scale",
    "Set",
    "SetDocument",
    "SetMaterial",
    "SetSettings",
    "Target",
    "Undefine",
    "Ungroup",
    "apply_changes",
    "changes_as_tuple",
    "changes_from_json",
    "changes_to_json",
    "convert_to_changes",
    "describe_changes",
    "documents_between_changes",
    "merge_consecutive",
    "replace_keys_by_names",
]
