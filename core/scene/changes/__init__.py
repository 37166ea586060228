"""Changes of documents as values, used by forms, gestures, commands, tools, models and studies alike. See README.md."""

from core.scene.changes.annotations import Disable, Group, Hide, LabelEdge, Ungroup
from core.scene.changes.change import Change, ChangeRefused, NoChanges, Target
from core.scene.changes.materials import SetMaterial
from core.scene.changes.modules import Define, Expand, MakeModule, Undefine
from core.scene.changes.objects import Add, Delete, Duplicate, Reorder
from core.scene.changes.placing import Mirror, Move, Rotate, Scale
from core.scene.changes.presets import AddPreset
from core.scene.changes.replacing import Replace
from core.scene.changes.setting import Set, SetDocument, SetSettings
from core.scene.changes.transaction import Changes, applied, listed, merged, named, stages, words
from core.scene.changes.values import InvalidValue
from core.scene.changes.written import as_changes, changes_from_json, changes_to_json
from core.shapes.point import Point

__all__ = [
    "Add",
    "AddPreset",
    "Change",
    "ChangeRefused",
    "Changes",
    "Define",
    "Delete",
    "Disable",
    "Duplicate",
    "Expand",
    "Group",
    "Hide",
    "InvalidValue",
    "LabelEdge",
    "MakeModule",
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
    "applied",
    "as_changes",
    "changes_from_json",
    "changes_to_json",
    "listed",
    "merged",
    "named",
    "stages",
    "words",
]
