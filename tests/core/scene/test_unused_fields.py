"""Unused fields, which are kept for other programs."""

from __future__ import annotations

from raybench.analysis.answers.xml_answer import to_xml
from raybench.analysis.context import TracedScene, override_context
from raybench.analysis.tools.scene.description import describe_scene
from raybench.kinds.fields import described_fields
from raybench.kinds.kinds import KINDS
from raybench.scene.creation import object_from_drag
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.shapes.point import Point
from raybench.trace.results.result import TraceResult


def test_fields_kept_for_other_programs_are_marked_unused() -> None:
    fields = [
        (kind.__name__, f.name, f.about) for kind in KINDS.values() for f in described_fields(kind)
    ]
    assert [
        (kind, name)
        for kind, name, about in fields
        if about.help.startswith("Kept for") is not about.unused
    ] == []
    assert sum(about.unused for _, _, about in fields) > 10


def test_a_description_of_the_scene_omits_unused_fields() -> None:
    document = Document(
        scene=Scene.of([object_from_drag("CircleGrinGlass", Point(0, 0), Point(10, 0))])
    )
    result = TraceResult.from_segments((), revision=document.revision)
    with override_context(TracedScene.from_document(document, result)):
        xml = to_xml(describe_scene())
    assert 'name="refIndexFn"' in xml
    assert "stepSize" not in xml
    assert "intersectTol" not in xml
