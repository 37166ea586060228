"""Documents that were read one by one are compared object by object."""

from __future__ import annotations

import dataclasses

from raybench.files.document_file import document_from_json, document_to_json
from raybench.files.examples import EXAMPLES
from raybench.files.shared import read_shared
from raybench.kinds.lenses import IdealLens
from raybench.kinds.module_instance import ModuleObj
from raybench.scene.changes import Move, Set, apply_changes
from raybench.scene.changes.differences import document_differences, match_object_keys
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.shapes.point import Point


def lens(name: str, x: float) -> IdealLens:
    return IdealLens(name=name, p1=Point(x, -10), p2=Point(x, 10), focal_length=100)


def read_again(document: Document) -> Document:
    return document_from_json(document_to_json(document))


def test_a_document_that_is_read_twice_is_equal_to_itself_after_matching() -> None:
    for example in EXAMPLES:
        document = read_shared(example.name).document
        again = read_again(document)
        assert not {o.key for o in again.scene.objects} & {o.key for o in document.scene.objects}
        assert (
            document_differences(document, match_object_keys(again, document.scene.objects)) == ()
        ), example.name


def test_only_what_differs_is_told() -> None:
    before = Document(scene=Scene.of([lens("A", 0), lens("B", 50), lens("", 80), lens("", 90)]))
    after = read_again(
        apply_changes([Set("A", {"focalLength": 120}), Move("Ideal lens 2", dx=5, dy=0)], before)
    )
    after = after.with_scene(
        after.scene.with_objects([o for o in after.scene.objects if o.title != "B"])
    )
    assert [
        str(d) for d in document_differences(match_object_keys(before, after.scene.objects), after)
    ] == [
        "A: focal length 100 mm -> 120 mm",
        "Ideal lens 2: first end (90, -10) mm -> (95, -10) mm",
        "Ideal lens 2: second end (90, 10) mm -> (95, 10) mm",
        "B deleted",
    ]


def test_annotations_go_with_their_objects_and_parts() -> None:
    documents = (read_shared(example.name).document for example in EXAMPLES)
    document = next(d for d in documents if any(isinstance(o, ModuleObj) for o in d.scene.objects))
    instance = next(o for o in document.scene.objects if isinstance(o, ModuleObj))
    part = document.scene.parts_of(instance)[0]
    first = document.scene.objects[0]
    annotations = {
        "disabled": frozenset({part.key}),
        "hidden": frozenset({first.key}),
        "groups": {"All": frozenset({first.key})},
    }
    document = dataclasses.replace(document, **annotations)
    again = match_object_keys(read_again(document), document.scene.objects)
    assert (again.disabled, again.hidden, again.groups) == (
        document.disabled,
        document.hidden,
        document.groups,
    )
