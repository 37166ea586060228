"""The tools about the program itself: help from its guides, and how it is doing."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest
from tests.core.agent.project import context, run, write
from tests.open_prism import prism_session

import raybench.agent.catalogue.default_tools as stats
from raybench.agent.by_hand.command_line import ask_question
from raybench.agent.catalogue.default_tools import agent_tools
from raybench.agent.catalogue.help import (
    Passage,
    best_passages,
    guide_sections,
    searchable_passages,
    stemmed_words,
    tool_help_passage,
)
from raybench.agent.catalogue.registry import ToolRegistry
from raybench.agent.tools.exposure import exposed_tools
from raybench.agent.tools.tool import Tool, tool_named
from raybench.analysis.answers.preview import PREVIEW_CHARACTERS
from raybench.analysis.measures.table import MEASURES
from raybench.scene.changes import Delete

TOOLS = agent_tools()


def called(name: str, folder: Path | None = None, /, **arguments: object) -> str:
    """What a tool answers, the error too."""
    ctx, _ = context(folder, builtin=TOOLS)
    tool = tool_named(ctx.registry.tools, name)
    assert tool is not None
    return run(ctx.run(tool, arguments)).text


def titles(text: str) -> list[str]:
    return re.findall(r"^\*\*([^*]+)\*\*$", text, re.MULTILINE)


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("How do I zoom?", "Window: Zoom and pan"),
        ("undo a mistake", "Window: Undo and redo"),
        ("How do I rotate an object?", "Window: Turn, scale, mirror, hide and disable"),
        ("how do I change the refractive index", "Window: Numbers, names and formulas"),
        ("how do I move the lens", "Window: Select, move and edit"),
        ("Can I trace in 3D?", "Not possible: Three dimensions"),
        (
            "how do I add a polarizer",
            "Light: Polarizers, wave plates and polarized light",
        ),
        ("does it simulate interference", "Measures: Interference"),
        (
            "recover my work after a crash",
            "Window: Backups, crash recovery and files changed on disk",
        ),
        ("is y up or down", "Light: Units, axes and angles"),
        ("syntax of a path pattern", "Light: Path patterns"),
        ("SQL tables", "Light: SQL over rays"),
        ("connecting a model", "Asking: Connect a model"),
        ("write a worker", "Projects: Write a worker"),
        ("why is my trace partial", "Window: Why is the trace stale, reduced or partial?"),
        ("what is magnification", "Measures: Image"),
        ("how is a measure written", "Measures: How a measure is written"),
        ("find_rays_inside_glass_xml", "Tool: find_rays_inside_glass_xml"),
        ("clear filters", "Tool: clear_filter"),
    ],
)
def test_help_on_a_question_begins_with_the_passage_about_it(query: str, first: str) -> None:
    assert titles(called("search_help", query=query))[0] == first


def test_help_has_as_many_passages_as_asked_for_and_no_other_numbers_are_taken() -> None:
    assert len(titles(called("search_help", query="rays"))) == 3
    assert len(titles(called("search_help", query="rays", limit=10))) == 10
    for wrong in (0, -1, 11):
        assert (
            called("search_help", query="rays", limit=wrong)
            == f"limit is {wrong}; give a whole number from 1 to 10."
        )


def test_a_query_without_a_match_lists_the_sections_of_the_guides() -> None:
    message = called("search_help", query="quantum chromodynamics")
    assert message.startswith("No guide mentions “quantum chromodynamics”. Sections: Asking: ")
    assert called("search_help", query=" ").startswith("query is empty.")


def test_words_that_no_guide_and_no_tool_mentions_are_named() -> None:
    told = called("search_help", query="How do I import a Blender file?")
    assert told.startswith("No guide and no tool has the word “blender”; the nearest:\n\n**")
    assert "has the word" not in called("search_help", query="How do I zoom?")
    assert called("search_help", query="What is a beam splitter?").startswith(
        "**Objects: Beam splitter**"
    )
    assert called("search_help", query="How do I add a parabolic mirror?").startswith(
        "**Window: Draw and add objects**"
    )


def test_help_finds_the_tools_of_a_project_and_no_private_ones(tmp_path: Path) -> None:
    write(
        tmp_path,
        tools='''
        from raybench.agent.call.context import tool_options

        def bevel(angle: float) -> float:
            """Grind a chamfer."""
            return angle

        @tool_options(visibility="private")
        def hidden(angle: float) -> float:
            """Polish a chamfer."""
            return angle
        ''',
    )
    message = called("search_help", tmp_path, query="chamfer")
    assert titles(message) == ["Tool: bevel"]
    assert "`/bevel <angle>`" in message


def test_a_rare_word_counts_more_than_a_frequent_one_and_endings_count_nothing() -> None:
    passages = [
        Passage("A", "light light light"),
        Passage("B", "light prism"),
        Passage("C", "light mirror"),
    ]
    assert best_passages("light of prisms", passages, 2)[0].title == "B"
    assert best_passages("lens", passages, 3) == ()
    assert stemmed_words("Filtering the filters, filtered") == ["filter", "filter", "filter"]


def test_guides_are_short_sections_and_name_only_tools_that_there_are() -> None:
    prose = re.sub(
        r"```.*?```", "", " ".join(p.text for p in searchable_passages()), flags=re.DOTALL
    )
    named = set(re.findall(r"\b[a-z]+(?:_[a-z]+)+\b", prose)) - {
        "tool_options",
        "tool_context",
        "get_agentic_tools",
        "list_available_tools",
    }
    fields = {
        *("call_tool", "focal_length", "in_order", "max_bytes", "max_count", "max_steps"),
        *("must_not", "native_result", "timeout_s", "warn_only", "web_search"),
    }
    in_code = {"apply_to_state", "merge_filter"}
    parameters = {p.name for measure in MEASURES.values() for p in measure.parameters}
    assert named - fields - in_code <= {tool.name for tool in TOOLS} | set(MEASURES) | parameters
    assert len({p.title for p in guide_sections()}) == len(guide_sections())
    assert not [
        p.title
        for p in guide_sections()
        if re.search(r"\w  +\w", re.sub(r"```.*?```", "", p.text, flags=re.DOTALL))
    ], "lines are joined"
    assert all("\n" not in p.title for p in guide_sections()), (
        "a guide has no text before its first section"
    )
    assert all(3 * len(p.text) < PREVIEW_CHARACTERS for p in searchable_passages())


def test_both_tools_are_for_models_and_programs_and_never_ask() -> None:
    registered = ToolRegistry(TOOLS).tools
    for name in ("search_help", "system_stats"):
        tool = tool_named(registered, name)
        assert tool is not None
        assert tool.effect == "read"
        assert tool in exposed_tools(registered, "native")
        assert tool in exposed_tools(registered, "program")


def test_a_tool_that_is_named_is_defined_first() -> None:
    for name in ("edit_lens", "tolerance_lens"):
        found = ask_question(
            prism_session(), f"/search_help 'how does {name} work' tools_only=true"
        )
        assert found.text.startswith(f"**Tool: {name}**")


def test_a_program_can_compute_with_the_stats() -> None:
    assert called("run_program", code="s = system_stats()\ns['segments'] * 2") == "10"


def test_the_stats_are_those_of_the_present_trace() -> None:
    session = prism_session()
    report = json.loads(ask_question(session, "/system_stats").turn.outcomes[0].text)
    assert (report["revision"], report["segments"], report["trace"]) == (
        session.document.revision,
        5,
        "complete",
    )
    assert report["threads"] == os.cpu_count()
    assert 1 < report["memory_mb"] < 1e6
    assert 0 < report["trace_mb"] < 0.1
    session.apply(Delete(o.key for o in session.document.scene.objects))
    report = json.loads(ask_question(session, "/system_stats").turn.outcomes[0].text)
    assert (report["revision"], report["segments"]) == (session.document.revision, 0)


def test_stats_are_null_where_the_system_does_not_report_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(stats, "resident_bytes", lambda: 0)
    monkeypatch.setattr(stats, "are_kernels_ready", lambda: False)
    report = json.loads(called("system_stats"))
    assert (report["memory_mb"], report["kernels"]) == (None, "not compiled yet")


@pytest.mark.parametrize(
    ("question", "tool"),
    [
        ("How do I undo?", "search_help"),
        ("How can I turn the prism by 7 degrees?", "search_help"),
        ("how do I move the screen 5 mm to the right", "search_help"),
        ("Where can I find the settings?", "search_help"),
        ("help me with workers", "search_help"),
        ("How long did the trace take?", "system_stats"),
    ],
)
def test_without_a_model_questions_about_the_program_are_answered(question: str, tool: str) -> None:
    assert ask_question(prism_session(), question).tools_used == (tool,)


def test_an_answer_in_several_lines_keeps_them() -> None:
    answer = ask_question(prism_session(), "How do I undo?")
    assert answer.text.startswith(
        "**Window: Undo and redo**\n\nEverything that changes the document can be undone, "
    )
    assert "\n\n\n" not in answer.text


def test_a_record_is_listed_field_by_field_and_one_that_holds_others_as_it_is() -> None:
    answer = ask_question(prism_session(), "How long did the trace take?").text
    assert "- segments: 5\n- trace: complete\n" in answer
    session = prism_session()
    assert ask_question(session, "/run_program '{\"a\": [1]}'").text.startswith('{"a": [1]}')


def test_questions_about_light_and_named_objects_are_not_taken_for_ones_about_the_program() -> None:
    assert ask_question(prism_session(), "How are rays polarized?").tools_used == (
        "find_rays_by_polarization_xml",
    )
    assert ask_question(prism_session(), "What is the Laser?").tools_used == ()


def test_a_tool_without_a_description_has_no_passage_that_says_none() -> None:
    assert "None" not in tool_help_passage(Tool.new("quiet", (lambda: 1, {"effect": "read"}))).text
