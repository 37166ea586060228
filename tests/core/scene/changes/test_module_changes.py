"""Objects made a module, instances broken up, and definitions removed, as changes."""

from __future__ import annotations

import pytest
from tests.open_prism import prism_session

from raybench.kinds.module_instance import ModuleObj
from raybench.scene.changes import (
    ChangeRefused,
    Define,
    Disable,
    Duplicate,
    Expand,
    Group,
    Hide,
    MakeModule,
    Move,
    Replace,
    Set,
    SetMaterial,
    Undefine,
    apply_changes,
    changes_from_json,
    changes_to_json,
)
from raybench.trace.trace import trace


@pytest.fixture
def session():
    return prism_session()


def points(session):
    return {o.key: trace_free(o) for o in session.document.scene.expanded_objects}


def trace_free(obj):
    """What of an object is seen: all but its name, and what was computed from it."""
    return {
        k: v for k, v in vars(obj).items() if k not in ("name", "alias", "read", "derived_values")
    }


def segments(session):
    result = trace(session.document.scene)
    return result.p1.round(6).tolist(), result.p2.round(6).tolist()


def test_a_module_of_objects_lights_the_scene_as_the_objects_did_and_moves_with_its_point(session):
    before, lit = points(session), segments(session)
    keys = [o.key for o in session.document.scene.objects]
    session.apply(MakeModule(keys, "Bench"))
    (instance,) = session.document.scene.objects
    assert session.history.done[-1].text.endswith(f" made the module Bench, here {instance.title}")
    assert isinstance(instance, ModuleObj)
    assert instance.module == "Bench"
    assert segments(session) == lit
    assert points(session) == before  # the parts have the keys of the objects they were
    session.apply(Move(instance.key, dx=40))
    moved = points(session)
    assert moved[keys[0]]["path"][0].x == before[keys[0]]["path"][0].x + 40


def test_points_at_their_defaults_which_a_file_leaves_out_move_with_the_module_too(session):
    corners = [{"x": x, "y": y, "arc": False} for x, y in ((0, 0), (50, 0), (50, 50))]
    session.apply(
        changes_from_json([{"add": {"type": "GrinGlass", "path": corners}}], session.document)
    )
    glass = session.document.scene.objects[-1]
    assert glass.origin == (0, 0)
    session.apply(MakeModule([glass.key], "Body"))
    instance = session.document.scene.objects[-1]
    assert [o.origin for o in session.document.scene.expanded_objects if o.type == "GrinGlass"] == [
        (0, 0)
    ]
    session.apply(Move(instance.key, dx=40))
    assert [o.origin for o in session.document.scene.expanded_objects if o.type == "GrinGlass"] == [
        (40, 0)
    ]


def test_an_expanded_instance_is_its_parts_again(session):
    names, before = [o.title for o in session.document.scene.objects], points(session)
    session.apply(MakeModule([o.key for o in session.document.scene.objects], "Bench"))
    session.apply(Expand(session.document.scene.objects[0].key))
    assert points(session) == before
    assert [o.title for o in session.document.scene.objects] == names
    session.apply(Undefine("Bench"))
    assert not session.document.scene.modules
    while session.undo():
        pass
    assert [o.title for o in session.document.scene.objects] == names


def test_a_definition_in_use_is_not_removed(session):
    session.apply(MakeModule("Main Prism", "Wedge"))
    with pytest.raises(ChangeRefused, match="is used by"):
        session.apply(Undefine("Wedge"))


def test_a_definition_that_another_one_uses_is_not_removed(session):
    inner = {"type": "ModuleObj", "module": "Inner", "points": []}
    session.apply(
        Define(
            {
                "Inner": {"numPoints": 0, "objs": [{**inner, "if": "0"}]},
                "Outer": {"numPoints": 0, "objs": [inner]},
            }
        )
    )
    with pytest.raises(ChangeRefused, match="'Inner' is used by the module 'Outer'"):
        session.apply(Undefine("Inner"))
    session.apply([Undefine("Outer"), Undefine("Inner")])
    assert not session.document.scene.modules


def test_of_definitions_that_use_each_other_one_can_be_removed(session):
    one, other = (
        {"numPoints": 0, "objs": [{"type": "ModuleObj", "module": name, "points": [], "if": "0"}]}
        for name in ("Other", "One")
    )
    session.apply([Define({"One": one, "Other": other}), Undefine("One"), Undefine("Other")])
    assert not session.document.scene.modules


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda: MakeModule("Main Prism", " "), "needs a name"),
        (lambda: Expand("Main Prism"), "is not an instance of a module"),
        (lambda: Undefine("Comb"), "There is no module 'Comb'"),
    ],
)
def test_what_cannot_be_done_is_refused_and_changes_nothing(session, change, why):
    before = session.document
    with pytest.raises(ChangeRefused, match=why):
        session.apply(change())
    assert session.document is before


def test_a_name_with_a_backtick_is_no_formula(session):
    session.apply(Set("Main Prism", {"name": "`x_1`"}))
    with pytest.raises(ChangeRefused, match="backtick"):
        session.apply(MakeModule("`x_1`", "Wedge"))


def test_an_object_with_a_material_is_refused_until_the_material_is_removed(session):
    session.apply(SetMaterial("Main Prism", "N-BK7"))
    with pytest.raises(
        ChangeRefused, match=r"'Main Prism' .*has the material N-BK7.* Remove the material"
    ):
        session.apply(MakeModule("Main Prism", "Wedge"))
    session.apply([SetMaterial("Main Prism"), MakeModule("Main Prism", "Wedge")])
    assert "Wedge" in session.document.scene.modules


def test_the_parts_of_an_expanded_instance_are_disabled_hidden_and_grouped_as_it_was(session):
    keys = {o.key for o in session.document.scene.objects}
    make = MakeModule(keys, "Bench")
    session.apply(
        [make, Disable("Bench 1"), Hide("Bench 1"), Group("Bench 1", "All"), Expand("Bench 1")]
    )
    assert (session.document.disabled, session.document.hidden, session.document.groups) == (
        keys,
        keys,
        {"All": keys},
    )


def test_an_instance_is_disabled_hidden_and_grouped_as_its_objects_were(session):
    prism, other = (o.key for o in session.document.scene.objects[:2])
    session.apply(
        [Group([prism, other], "Pair"), Disable(prism), Hide(prism), MakeModule(prism, "Wedge")]
    )
    document, instance = (
        session.document,
        next(o.key for o in session.document.scene.objects if isinstance(o, ModuleObj)),
    )
    assert (document.disabled, document.hidden, document.groups) == (
        {instance},
        {instance},
        {"Pair": {instance, other}},
    )
    session.apply([Disable("Wedge 1", on=False), Hide("Wedge 1", on=False), Expand("Wedge 1")])
    assert (session.document.disabled, session.document.hidden, session.document.groups) == (
        set(),
        set(),
        {"Pair": {prism, other}},
    )


@pytest.mark.parametrize(("change", "remedy"), [(Disable, "Enable it"), (Hide, "Show it")])
def test_objects_of_which_only_some_are_disabled_or_hidden_make_no_module(session, change, remedy):
    session.apply(change("Main Prism"))
    with pytest.raises(ChangeRefused, match=rf"'Main Prism' .* {remedy}, or leave it out"):
        session.apply(MakeModule([o.key for o in session.document.scene.objects], "Bench"))


def test_a_second_module_of_the_same_name_is_refused(session):
    session.apply(Define({"Wedge": {"numPoints": 1, "objs": []}}))
    with pytest.raises(ChangeRefused, match="already"):
        session.apply(MakeModule("Main Prism", "Wedge"))


def test_in_json_they_read_back(session):
    changes = [MakeModule("Main Prism", "Wedge"), Expand("Wedge 1"), Undefine("Wedge")]
    written = changes_to_json(changes, session.document)
    assert written == [
        {"module": "Main Prism", "as": "Wedge"},
        {"expand": "Wedge 1"},
        {"undefine": "Wedge"},
    ]
    session.apply(changes_from_json(written, session.document))
    assert "Main Prism" in [o.title for o in session.document.scene.objects]


def test_applied_again_they_make_the_same_parts(session):
    """A list of changes is applied again to be written with names, while later changes of the list
    mean parts by key.
    """
    first = session.document
    make = MakeModule([o.key for o in first.scene.objects], "Bench")
    copy, (ruler, *_) = Duplicate(make.instance, 0, 500), [o.key for o in first.scene.objects]
    instead = Replace(ruler, {"type": "ModuleObj", "module": "Bench", "points": [{"x": 9, "y": 9}]})
    for changes in (
        [make, copy, Expand("Bench 2")],
        [make, Expand(make.instance), instead, Expand(ruler)],
    ):
        objects = apply_changes(changes, first).scene.objects
        assert [o.key for o in apply_changes(changes, first).scene.objects] == [
            o.key for o in objects
        ]
        moves = [Move(o.key, dx=1) for o in objects]
        read = changes_from_json(changes_to_json([*changes, *moves], first), first)
        assert apply_changes(read, first).scene == apply_changes([*changes, *moves], first).scene
