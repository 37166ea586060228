"""The kinds of objects, as a model reads how to add one."""

from __future__ import annotations

from core.agent.scene_tools.change_scene import change_scene
from core.agent.scene_tools.object_kinds import object_kinds
from core.kinds.kinds import ROWS
from core.session import Session
from tests.core.agent.scene_tools.test_scene_tools import call


def test_the_example_of_every_kind_can_be_added() -> None:
    listed = [about["type"] for about in call(Session(), "object_kinds").value]
    assert listed == [row.kind.__name__ for row in ROWS if row.family]
    for about in call(Session(), "object_kinds", kinds=listed).value:
        session = Session()
        assert call(session, "change_scene", changes=about["example"]).ok, about["type"]
        (added,) = session.document.scene.objects
        assert added.type == about["type"]
        given = set(about["example"]["add"]) - {"type"}
        assert given <= set(about["fields"])


def test_a_field_tells_its_unit_choices_and_default() -> None:
    (lens,) = call(Session(), "object_kinds", kinds=["IdealLens"]).value
    assert lens["fields"]["focalLength"].startswith("Focal length; mm; ")
    (made,) = call(Session(), "object_kinds", kinds=["SphericalLens"]).value
    assert "DR1R2 or DFfdBfd" in made["fields"]["defBy"]
    assert "There is no kind 'Lens'" in call(Session(), "object_kinds", kinds=["Lens"]).text


def test_what_is_missing_from_an_added_object_is_told_with_an_example() -> None:
    refused = call(Session(), "change_scene", changes={"add": {"type": "SphericalLens", "name": "L1"}})
    assert 'Such as {"type": "SphericalLens", "p1"' in refused.text
    assert "The new Detector needs p1, p2. Such as" in call(Session(), "change_scene", changes={"add": {"type": "Detector"}}).text
    assert "object_kinds" in (change_scene.__doc__ or "")
    assert object_kinds.__doc__
