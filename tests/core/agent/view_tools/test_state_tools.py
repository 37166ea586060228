"""Tools that change what is shown."""

from __future__ import annotations

import asyncio
import dataclasses
import inspect
import threading
import time
from typing import Any, get_type_hints

import numpy as np
import pytest
from tests.open_prism import prism_session

from raybench.agent.call.context import ToolContext
from raybench.agent.call.open_document import OpenDocument
from raybench.agent.catalogue.registry import ToolRegistry
from raybench.agent.view_tools.ray_filter_tools import (
    ClearFilterTool,
    RangeFilterTool,
    RayPickTool,
    SourceFilterTool,
)
from raybench.agent.view_tools.state_tool import StateTool, ViewDraft, merge_filter
from raybench.analysis.rays.ray_facts import UnknownRay, row_of_ray
from raybench.analysis.rays.ray_filter import InvalidFilter, RayFilter
from raybench.scene.names import UnknownName
from raybench.scene.scene import Scene
from raybench.schema.parameters import describe_function
from raybench.trace.results.ray_set import RaySet
from raybench.trace.results.result import TraceResult
from raybench.view import View

POWER = {"must": [{"key": "power", "range": {"gte": 0.1}}]}


def scene() -> Scene:
    return prism_session().document.scene


def result() -> TraceResult:
    found = prism_session().result
    assert found is not None
    return found


class NearTool(StateTool):
    """A tool that somebody else wrote."""

    name = "near"
    description = "Show rays near something.\n\nArgs:\n    depth: How near."

    def _run(self, depth: int) -> dict[str, Any]:
        return {"must": [{"key": "depth", "range": {"lte": depth}}]}

    def apply_to_state(self, state: Any, depth: int, label: str = "near") -> str:
        merge_filter(state, self._run(depth))
        return f"{label}: {depth}"


def test_a_state_tool_needs_both_of_its_parts() -> None:
    class Half(StateTool):
        def _run(self) -> None:
            pass

    with pytest.raises(TypeError, match="apply_to_state"):
        Half()  # type: ignore[abstract]


def test_run_has_no_effect_and_apply_to_state_has() -> None:
    state = ViewDraft()
    assert RangeFilterTool()._run("power", at_least=0.1) == POWER
    assert state == ViewDraft()
    message = RangeFilterTool().apply_to_state(state, "power", at_least=0.1)
    assert state.ray_filter == RayFilter.from_json(POWER)
    assert message == "Applied range filter: power ≥ 0.1."


def test_the_callable_has_the_tools_name_docstring_and_parameters_and_works_on_the_state() -> None:
    state = ViewDraft()
    call = NearTool().as_agent_callable(state)
    assert call.__name__ == "near"
    assert call.__doc__ == NearTool.description
    assert list(inspect.signature(call).parameters) == ["depth", "label"]
    assert call(depth=2) == "near: 2"
    assert state.ray_filter.to_json() == {"must": [{"key": "depth", "range": {"lte": 2}}]}


def test_a_dict_stands_for_the_state_in_a_test_of_a_tool_alone() -> None:
    state: dict[str, Any] = {}
    assert NearTool().apply_to_state(state, depth=2) == "near: 2"
    assert NearTool().as_agent_callable(state)(3) == "near: 3"
    bounds = [condition["range"] for condition in state["dynamic_query"]["must"]]
    assert bounds == [{"lte": 2}, {"lte": 3}]


def test_annotations_are_those_of_the_parameters_and_defaults_are_kept() -> None:
    call = NearTool().as_agent_callable(ViewDraft())
    assert get_type_hints(call) == {"depth": int, "label": str}
    assert inspect.signature(call).return_annotation is str
    assert inspect.signature(call).parameters["label"].default == "near"


def test_corrected_arguments_may_be_given_as_the_signature_says_and_the_state_never() -> None:
    call = NearTool().as_agent_callable(ViewDraft())
    assert call(3, "x") == "x: 3"
    for wrong in ({"depth": 1, "state": ViewDraft()}, {"depth": 1, "nope": 2}, {}):
        with pytest.raises(TypeError):
            call(**wrong)


@pytest.mark.parametrize(
    "tool",
    [
        RangeFilterTool(),
        SourceFilterTool(scene()),
        RayPickTool(result(), {}),
        ClearFilterTool(),
        NearTool(),
    ],
)
def test_the_callable_has_a_schema_without_the_state(tool: StateTool) -> None:
    signature = describe_function(tool.as_agent_callable(ViewDraft())).parameters
    assert signature.tool == tool.name
    assert "state" not in signature.schema["properties"]
    assert all(
        about.get("description")
        for name, about in signature.schema["properties"].items()
        if name != "label"
    )


def test_other_frameworks_take_the_callable() -> None:
    anthropic = pytest.importorskip("anthropic")
    tool = anthropic.beta_tool(RangeFilterTool().as_agent_callable(ViewDraft()))
    assert set(tool.to_dict()["input_schema"]["properties"]) == {
        "quantity",
        "at_least",
        "at_most",
        "above",
        "below",
        "exclude",
    }


def test_each_turn_has_callables_of_its_own() -> None:
    one, other = ViewDraft(), ViewDraft()
    tool = RangeFilterTool()
    tool.as_agent_callable(one)(quantity="power", at_least=0.1)
    assert one.ray_filter
    assert not other.ray_filter
    assert tool.as_agent_callable(other) is not tool.as_agent_callable(other)


@pytest.mark.parametrize("nothing", [None, {}, RayFilter()])
def test_an_empty_filter_changes_nothing(nothing: Any) -> None:
    state = ViewDraft()
    merge_filter(state, nothing)
    assert state == ViewDraft()


def test_conditions_accumulate_and_are_never_replaced() -> None:
    state = ViewDraft()
    source = {"should": [{"key": "source", "match": {"any": [7]}}]}
    merge_filter(state, POWER)
    merge_filter(state, source)
    merge_filter(
        state,
        {
            "must": [{"key": "depth", "range": {"lt": 3}}],
            "should": [{"key": "object", "match": {"any": [8]}}],
        },
    )
    assert [c.key for c in state.ray_filter.must] == ["power", "depth"]
    assert [c.key for c in state.ray_filter.should] == ["source", "object"]


def test_corrected_must_not_is_merged_and_an_unknown_clause_is_refused() -> None:
    state = ViewDraft()
    merge_filter(state, {"must_not": POWER["must"]})
    assert len(state.ray_filter.must_not) == 1
    with pytest.raises(InvalidFilter, match="must_nott"):
        merge_filter(state, {"must_nott": POWER["must"]})


def test_a_filter_that_was_merged_is_not_shared() -> None:
    state, mine = ViewDraft(), {"must": [{"key": "power", "range": {"gte": 0.1}}]}
    merge_filter(state, mine)
    mine["must"][0]["range"] = {"gte": 99}
    mine["must"].clear()
    assert state.ray_filter == RayFilter.from_json(POWER)


def test_a_range_without_bounds_is_no_filter() -> None:
    state = ViewDraft()
    assert RangeFilterTool()._run("power") == {}
    assert RangeFilterTool().apply_to_state(state, "power").startswith("No range filter applied")
    assert state == ViewDraft()


@pytest.mark.parametrize(
    ("given", "bounds", "words"),
    [
        ({"at_least": 1.0}, {"gte": 1.0}, "length ≥ 1 µm"),
        ({"at_most": 2.0}, {"lte": 2.0}, "length ≤ 2 µm"),
        ({"at_least": 1.0, "at_most": 2.0}, {"gte": 1.0, "lte": 2.0}, "length 1 to 2 µm"),
        ({"above": 1.0, "below": 2.0}, {"gt": 1.0, "lt": 2.0}, "length > 1 µm and < 2 µm"),
    ],
)
def test_ranges_open_and_closed_and_a_message_of_the_bounds_that_were_given(
    given: dict[str, float], bounds: dict[str, float], words: str
) -> None:
    tool, state = RangeFilterTool("µm"), ViewDraft()
    assert tool._run("length", **given) == {"must": [{"key": "length", "range": bounds}]}
    assert tool.apply_to_state(state, "length", **given) == f"Applied range filter: {words}."


def test_two_calls_are_two_conditions() -> None:
    state = ViewDraft()
    RangeFilterTool().apply_to_state(state, "power", at_least=0.1)
    RangeFilterTool().apply_to_state(state, "depth", at_most=4)
    assert len(state.ray_filter.must) == 2


def test_corrected_bounds_are_checked() -> None:
    state = ViewDraft()
    with pytest.raises(InvalidFilter, match="Swap its bounds"):
        RangeFilterTool().apply_to_state(state, "power", at_least=2.0, at_most=1.0)
    assert state == ViewDraft()


@pytest.mark.parametrize("nothing", [{}, {"sources": []}, {"sources": None, "objects": []}])
def test_no_source_is_no_filter(nothing: dict[str, Any]) -> None:
    state = ViewDraft()
    assert SourceFilterTool(scene())._run(**nothing) == {}
    assert (
        SourceFilterTool(scene())
        .apply_to_state(state, **nothing)
        .startswith("No source filter applied")
    )
    assert state == ViewDraft()


def test_sources_and_objects_are_a_condition_each_and_any_of_them_will_do() -> None:
    here = scene()
    laser = here.objects[1]
    tool, state = SourceFilterTool(here), ViewDraft()
    assert tool._run(["Laser"]) == {"should": [{"key": "source", "match": {"any": [laser.key]}}]}
    assert [c["key"] for c in tool._run(["Laser"], ["Main Prism"])["should"]] == [
        "source",
        "object",
    ]
    message = tool.apply_to_state(state, sources=["Laser"], objects=["Main Prism"])
    assert message == "Applied source filter: from Laser or at Main Prism."
    assert "must_not" in tool._run(objects=["Main Prism"], exclude=True)


def test_a_name_that_is_no_source_is_reported_with_those_there_are() -> None:
    with pytest.raises(UnknownName, match=r"'Main Prism' is a glass, not a source. Sources: Laser"):
        SourceFilterTool(scene())._run(["Main Prism"])
    with pytest.raises(UnknownName, match="No object named 'Lazer'"):
        SourceFilterTool(scene())._run(["Lazer"])


def test_rays_are_picked_by_id_and_by_set_and_picks_add_up() -> None:
    light = result()
    sets = {"R1": RaySet(np.array([2, 4]), "rays inside Main Prism", light.revision, "R1")}
    tool, state = RayPickTool(light, sets), ViewDraft()
    assert tool._run([light.segment_id(3), "R1"]) == [2, 3, 4]
    assert tool.apply_to_state(state, ["R1"]) == "Picked 2 rays: R1."
    assert (
        tool.apply_to_state(state, [light.segment_id(0)])
        == f"Picked 3 rays: R1, r{light.revision}-0."
    )
    assert state.specific_rays is not None
    assert state.specific_rays.rows.tolist() == [0, 2, 4]
    assert state.specific_rays.revision == light.revision


def test_nothing_picked_changes_nothing() -> None:
    state = ViewDraft()
    assert RayPickTool(result(), {})._run([]) == []
    assert RayPickTool(result(), {}).apply_to_state(state, []) == "No rays picked."
    assert state == ViewDraft()


def test_a_set_without_rays_is_a_set() -> None:
    light, state = result(), ViewDraft()
    tool = RayPickTool(
        light,
        {"R1": RaySet(np.array([], np.int64), "rays inside Main Prism", light.revision, "R1")},
    )
    assert tool._run(["R1"]) == []
    assert tool.apply_to_state(state, ["R1"]) == "No rays picked."
    assert tool._run(["R1", light.segment_id(3)]) == [3]


def test_an_old_id_is_never_another_ray() -> None:
    light = result()
    old = RaySet(np.array([0]), "rays inside Main Prism", light.revision - 1, "R1")
    tool = RayPickTool(light, {"R1": old})
    with pytest.raises(
        UnknownRay,
        match=rf"revision {light.revision - 1}; the active trace is of revision {light.revision}",
    ):
        tool._run([f"r{light.revision - 1}-0"])
    with pytest.raises(UnknownRay, match=r"R1 \(rays inside Main Prism\)"):
        tool._run(["R1"])
    for name in ("R9", "7", f"r{light.revision}-5", "r1-" + "9" * 40):
        with pytest.raises(UnknownRay, match="no ray"):
            tool._run([name])


def test_an_id_is_read_here_as_by_the_other_tools() -> None:
    light = result()
    for written in (f" R{light.revision}-3 ", f"r{light.revision}-3"):
        assert RayPickTool(light, {})._run([written]) == [row_of_ray(light, written)] == [3]


def test_clear_filter_shows_everything_again() -> None:
    state = ViewDraft(RayFilter.from_json(POWER), RaySet(np.array([1]), "", 1, "R1"))
    assert ClearFilterTool().apply_to_state(state) == "All rays are shown again."
    assert state == ViewDraft()
    assert ClearFilterTool().apply_to_state(state) == "No filter was set: all rays are shown."


def test_the_draft_is_taken_up_whole_and_leaves_the_rest_of_the_view() -> None:
    state = ViewDraft.from_view(View(ray_filter=RayFilter.from_json(POWER)))
    RangeFilterTool().apply_to_state(state, "depth", at_most=2)
    moved = View(camera=(0.0, 0.0, 1.0, 1.0))
    assert state.apply_to_view(moved).camera == moved.camera
    assert len(state.apply_to_view(moved).ray_filter.must) == 2


def test_of_very_many_ray_sets_an_error_names_the_latest() -> None:
    found = result()
    sets = {f"R{n}": RaySet(np.array([0]), "q", found.revision, f"R{n}") for n in range(1, 5_001)}
    with pytest.raises(
        UnknownRay, match=r"ray sets: R4989, .*, R5000 and 4988 earlier ones\.$"
    ) as caught:
        RayPickTool(found, sets)._run(["nothing"])
    assert len(str(caught.value)) < 300


def test_a_sentence_without_an_end_gets_one_before_what_is_shown() -> None:
    class AllTool(StateTool):
        name = "show_all"
        description = "Show all."

        def _run(self) -> None:
            return None

        def apply_to_state(self, state: ViewDraft) -> str:
            return "Nothing is hidden"

    registry = ToolRegistry((AllTool().as_tool("show_all"),))
    outcome = asyncio.run(
        ToolContext(OpenDocument(prism_session()), registry).run(registry.tools[0], {})
    )
    assert outcome.text.startswith("Nothing is hidden. 5 rays are shown.")


@pytest.mark.parametrize("ends", ["fails", "is late", "succeeds"])
def test_only_a_call_that_succeeds_changes_the_view(ends: str) -> None:
    merged = threading.Event()

    class EndingTool(StateTool):
        name = "ending"
        description = "Show strong rays."

        def _run(self) -> dict[str, Any]:
            return POWER

        def apply_to_state(self, state: ViewDraft) -> str:
            if ends == "is late":
                time.sleep(0.3)
            merge_filter(state, self._run())
            merged.set()
            if ends == "fails":
                raise ValueError("broken")
            return "Done."

    tool = dataclasses.replace(EndingTool().as_tool("ending"), timeout_s=0.1)
    tool = tool if ends == "is late" else dataclasses.replace(tool, timeout_s=60.0)
    context = ToolContext(OpenDocument(prism_session()), ToolRegistry((tool,)))
    outcome = asyncio.run(context.run(tool, {}))
    assert merged.wait(5)
    assert outcome.ok is (ends == "succeeds")
    assert bool(context.state.ray_filter.must) is (ends == "succeeds")


def test_a_callable_that_fails_leaves_its_state() -> None:
    class BreakingTool(NearTool):
        def apply_to_state(self, state: ViewDraft, depth: int, label: str = "near") -> str:
            super().apply_to_state(state, depth, label)
            raise ValueError("broken")

    state = ViewDraft()
    with pytest.raises(ValueError, match="broken"):
        BreakingTool().as_agent_callable(state)(depth=1)
    assert state == ViewDraft()
