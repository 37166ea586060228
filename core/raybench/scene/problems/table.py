"""The table of checks and the problems that they find in a scene. Also the objects that have no
effect on light.
"""

import dataclasses
from collections.abc import Collection, Iterable, Iterator

from raybench.errors import elide_text, in_quotes, one_line
from raybench.kinds.module_instance import ModuleObj
from raybench.kinds.object import SceneObject
from raybench.kinds.outline import object_fault
from raybench.kinds.unread import UnreadObject
from raybench.phrase import Phrase
from raybench.scene.changes import Define, Delete, SetDocument, SetSettings
from raybench.scene.changes.setting import unknown_scene_entries
from raybench.scene.document import NO_ANNOTATIONS, EdgeLabels
from raybench.scene.modules.expansion import Expansion
from raybench.scene.modules.module import MODULE_KEYS
from raybench.scene.numerical_tolerances import tolerance_faults
from raybench.scene.problems import objects, pairs
from raybench.scene.problems.problem import Problem, ProblemCheck, Remedy
from raybench.scene.scene import Scene

MAX_PARTS = 3
"""Maximum number of problems reported for the parts of one instance."""
BACKGROUND_ENTRY = "backgroundImage"
"""The entry of a scene's file that the format's own programs know, kept without a problem."""


def find_unknown_settings(scene: Scene) -> Iterator[Problem]:
    kept = unknown_scene_entries(scene)
    for k in kept:
        if k != BACKGROUND_ENTRY:
            rest = {name: value for name, value in kept.items() if name != k}
            yield Problem(
                None,
                Phrase("Unknown setting {name} is kept but has no effect.", name=in_quotes(k)),
                Remedy(Phrase("Remove it"), (SetDocument(kept=rest),)),
            )


def find_invalid_tolerances(scene: Scene) -> Iterator[Problem]:
    for text in tolerance_faults(scene.settings.numerical_tolerances):
        yield Problem(None, text)


def find_invalid_depth(scene: Scene) -> Iterator[Problem]:
    given = scene.settings.max_ray_depth
    if given < 0:
        text = Phrase(
            "The largest depth (maxRayDepth) is {given:g}: as with 0, rays end where they first"
            " meet something.",
            given=given,
        )
        yield Problem(
            None, text, Remedy(Phrase("Remove the limit"), (SetSettings({"maxRayDepth": None}),))
        )


def find_faulty_module_definitions(scene: Scene) -> Iterator[Problem]:
    for module in scene.modules.values():
        if module.trouble:
            yield Problem(
                None,
                Phrase(
                    "Module {name} is kept but cannot be used: {trouble}.",
                    name=in_quotes(module.name),
                    trouble=module.trouble,
                ),
            )
            continue
        for k in module.read:
            if k not in MODULE_KEYS:
                rest = {name: value for name, value in module.read.items() if name != k}
                text = Phrase(
                    "Module {name}: unknown property {property} is kept but has no effect.",
                    name=in_quotes(module.name),
                    property=in_quotes(k),
                )
                yield Problem(
                    None, text, Remedy(Phrase("Remove it"), (Define({module.name: rest}),))
                )


CHECKS = (
    ProblemCheck("settings of the file that have no meaning", of_scene=find_unknown_settings),
    ProblemCheck("a largest depth below zero", of_scene=find_invalid_depth),
    ProblemCheck("tolerances that cannot be used", of_scene=find_invalid_tolerances),
    ProblemCheck(
        "modules that cannot be used, and what in them has no meaning",
        of_scene=find_faulty_module_definitions,
    ),
    ProblemCheck("two objects with one name", of_scene=pairs.find_same_names),
    ProblemCheck("two edges with one label", of_labels=objects.find_duplicate_labels),
    ProblemCheck("objects that cannot be read", of_object=objects.find_unreadable_object),
    ProblemCheck("objects without an effect", of_object=objects.find_object_without_effect),
    ProblemCheck("what is not physical", of_object=objects.find_unphysical_values),
    ProblemCheck("a body that crosses itself", of_object=objects.find_self_crossing_outline),
    ProblemCheck("numbers out of their range", of_object=objects.find_values_out_of_range),
    ProblemCheck("a source without power", of_object=objects.find_source_without_power),
    ProblemCheck(
        "properties of the file that have no meaning", of_object=objects.find_unknown_properties
    ),
    ProblemCheck("the same object twice", together=pairs.find_identical_objects),
    ProblemCheck("surfaces on each other", together=pairs.find_coinciding_surfaces),
    ProblemCheck("a glass less dense than vacuum", together=pairs.find_index_below_vacuum),
)
"""All checks in the order of their problems: of the scene first, then of each object, then of
objects together.
"""


def find_scene_problems(
    scene: Scene,
    disabled: Collection[int] = (),
    edge_labels: EdgeLabels = NO_ANNOTATIONS,
    kept: Iterable[str] = (),
) -> tuple[Problem, ...]:
    """All problems of a scene: first those of its file, settings and modules, then those of single
    objects in order, then those of several objects together.

    ``disabled``: keys of disabled objects, which have no problems with others. ``edge_labels``: the
    user's edge labels. ``kept``: unknown entries of the document's file.
    """
    out = [
        Problem(
            None,
            Phrase(
                "Unknown entry {name} of the document's file is kept but has no effect.",
                name=in_quotes(k),
            ),
        )
        for k in kept
    ]
    out += [p for c in CHECKS if c.of_scene is not None for p in c.of_scene(scene)]
    labelled = [
        (o, labels) for key, labels in edge_labels.items() if (o := scene.get(key)) is not None
    ]
    for c in CHECKS:
        if c.of_labels is not None:
            out += [
                Problem(o.key, text, remedy)
                for o, labels in labelled
                for text, remedy in c.of_labels(o, labels)
            ]
    for o in scene.objects:
        if "problems" not in o.derived_values:
            o.derived_values["problems"] = tuple(_object_problems(o))
        out += o.derived_values["problems"]
        if isinstance(o, ModuleObj):
            out += _part_problems(o, scene.expansions[o.key])
    acting = (
        scene.with_objects(o for o in scene.objects if o.key not in disabled) if disabled else scene
    )
    return (*out, *(p for c in CHECKS if c.together is not None for p in c.together(acting)))


def _object_problems(o: SceneObject) -> Iterator[Problem]:
    for check in CHECKS:
        if check.of_object is not None:
            for text, remedy in check.of_object(o):
                yield Problem(o.key, text, remedy)


def _part_problems(instance: ModuleObj, expansion: Expansion) -> Iterator[Problem]:
    """Yield the problems of an instance: that it has no parts, or the problems of the first few
    parts that have any.
    """
    if text := no_parts_text(instance, expansion):
        yield Problem(instance.key, text, Remedy(Phrase("Delete it"), (Delete(instance.key),)))
    found = [problem for part in expansion.parts for problem in _object_problems(part)]
    yield from (
        dataclasses.replace(problem, key=instance.key, remedy=None) for problem in found[:MAX_PARTS]
    )
    if len(found) > MAX_PARTS:
        yield Problem(
            instance.key,
            Phrase(
                "{name}: {count} more problems of its parts.",
                name=in_quotes(instance.title),
                count=len(found) - MAX_PARTS,
            ),
        )


MAX_CHARACTERS = 300
"""Maximum characters about each object."""
MAX_LISTED_OBJECTS = 3
"""Maximum number of objects that are listed."""


def objects_without_effect_text(scene: Scene, disabled: Collection[int] = ()) -> str:
    """A line that lists the objects without an effect on light and the reasons. Empty if there are
    none. ``disabled`` objects (keys) are left out.
    """
    idle: list[str] = []
    for outer in scene.objects:
        if outer.key in disabled:
            continue
        if isinstance(outer, ModuleObj) and (
            text := no_parts_text(outer, scene.expansions[outer.key])
        ):
            idle.append(text)
        for obj in scene.with_parts_of(outer):
            if text := _no_effect_reason(obj):
                idle.append(text)
    more = len(idle) - MAX_LISTED_OBJECTS
    listed = " ".join(
        elide_text(one_line(text), MAX_CHARACTERS) for text in idle[:MAX_LISTED_OBJECTS]
    )
    return listed + (
        f" {more} more {'object has' if more == 1 else 'objects have'} no effect."
        if more > 0
        else ""
    )


def no_parts_text(instance: ModuleObj, expansion: Expansion) -> str:
    """The sentence that an instance of a module has no parts, with the reason. Empty if it has
    parts.
    """
    if expansion.trouble:
        return Phrase(
            "{reason}. It is kept but has no parts.", reason=expansion.trouble.rstrip(".")
        )
    if not expansion.parts:
        why = Phrase("its module makes none with these points and parameters")
        return Phrase(
            "{object} has no parts: {why}. Change them or the module, or delete it.",
            object=instance.reference,
            why=why,
        )
    return ""


def _no_effect_reason(obj: SceneObject) -> str:
    """Why an object has no effect on light, as a sentence. Empty if it has an effect."""
    if "without effect" not in obj.derived_values:
        fault = (
            Phrase("is kept but has no effect: {reason}", reason=obj.reason)
            if isinstance(obj, UnreadObject)
            else object_fault(obj)
        )
        obj.derived_values["without effect"] = f"{obj.reference} {fault}" if fault else ""
    return str(obj.derived_values["without effect"])
