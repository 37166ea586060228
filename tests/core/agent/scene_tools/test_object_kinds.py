"""The kinds of objects, as a model reads how to add one."""

from __future__ import annotations

import pytest
from tests.core.agent.scene_tools.called_tool import call

from raybench.agent.scene_tools.change_scene import change_scene
from raybench.agent.scene_tools.object_kinds import object_kinds
from raybench.kinds.kinds import ROWS
from raybench.presets import PRESETS
from raybench.session import Session


def test_the_example_of_every_kind_can_be_added() -> None:
    listed = [kind for family in call(Session(), "object_kinds").value.values() for kind in family]
    assert sorted(listed) == sorted(row.kind.__name__ for row in ROWS if row.family)
    for kind, about in call(Session(), "object_kinds", kinds=listed).value.items():
        session = Session()
        assert call(session, "change_scene", changes=about["example"]).ok, kind
        (added,) = session.document.scene.objects
        assert added.type == kind
        given = set(about["example"]["add"]) - {"type"}
        assert given <= set(about["fields"])


@pytest.mark.parametrize(
    ("tool", "names"),
    [
        ("object_kinds", [r.kind.__name__ for r in ROWS if r.family]),
        ("list_presets", list(PRESETS)),
    ],
)
def test_a_model_reads_of_all_kinds_and_all_presets(tool: str, names: list[str]) -> None:
    read = call(Session(), tool).text
    assert [name for name in names if f'"{name}"' not in read] == []
    assert read.endswith(("}", "]"))


def test_a_field_tells_its_unit_choices_and_default() -> None:
    told = call(
        Session(), "object_kinds", kinds=["IdealLens", "SphericalLens", "Aperture", "GrinGlass"]
    ).value
    assert told["IdealLens"]["fields"]["focalLength"].startswith("Focal length; mm; ")
    assert "DR1R2 or DFfdBfd" in told["SphericalLens"]["fields"]["defBy"]
    assert told["Aperture"]["fields"]["invert"].endswith("default false")
    assert told["GrinGlass"]["fields"]["absorptionFn"].startswith("Absorption; 1/mm; ")
    assert "There is no kind 'Lens'" in call(Session(), "object_kinds", kinds=["Lens"]).text
    assert len(call(Session(), "object_kinds", kinds=["9" * 5_000]).text) < 1_500


def test_what_is_missing_from_an_added_object_is_told_with_an_example() -> None:
    refused = call(
        Session(), "change_scene", changes={"add": {"type": "SphericalLens", "name": "L1"}}
    )
    assert 'Such as {"type": "SphericalLens", "p1"' in refused.text
    assert (
        "The new Detector needs p1, p2. Such as"
        in call(Session(), "change_scene", changes={"add": {"type": "Detector"}}).text
    )
    assert "object_kinds" in (change_scene.__doc__ or "")
    assert object_kinds.__doc__
