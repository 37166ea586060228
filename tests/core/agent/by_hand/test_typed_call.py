"""Tools that a person calls without a window and without a model."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.open_prism import prism_session

from raybench.agent.by_hand.command_line import (
    UnknownTool,
    list_signatures,
    parse_json_arguments,
    run_typed_call,
    tool_without_model,
    tools_without_model,
)
from raybench.agent.by_hand.slash import InvalidCommand, parse_command
from raybench.agent.catalogue.default_tools import agent_tools
from raybench.errors import RaybenchError
from raybench.schema.signature import parse_signature
from raybench.session import Session
from raybench.trace.results.result import TraceResult


def call(
    name: str, *words: str, named: dict[str, Any] | None = None, session: Session | None = None
) -> Any:
    return run_typed_call(
        session or prism_session(),
        tool_without_model(name),
        [(word, False) for word in words],
        named,
    ).value


def test_every_tool_that_a_model_may_call_is_at_hand_but_for_tasks_for_a_model() -> None:
    names = {tool.name for tool in tools_without_model()}
    programs_alone = {"grep", "grep-n", "llm-query"}
    assert names == {tool.name for tool in agent_tools()} - programs_alone
    assert {
        "run_program",
        "range_filter",
        "search_help",
        "system_stats",
        "find_rays_inside_glass_xml",
    } <= names


def test_the_limit_of_segments_holds_for_traces_after_an_edit_and_of_earlier_revisions() -> None:
    session = prism_session()
    code = (
        "change_scene([{'set': 'Main Prism', 'refIndex': 1.6}])\n[system_stats()['segments'],"
        " compare(measures='escaped()')['measure']]"
    )
    outcome = run_typed_call(
        session, tool_without_model("run_program"), [(code, True)], max_segments=5
    )
    segments, (escaped,) = json.loads(outcome.text)
    assert segments == 5
    assert escaped["before"] < call("measure_xml", "escaped()")["measure"][0]["value"]


def test_the_list_is_of_signatures_that_read_back() -> None:
    lines = list_signatures().splitlines()
    for tool, head, summary in zip(tools_without_model(), lines[::2], lines[1::2], strict=True):
        assert head.startswith(f"{tool.name}(")
        signature = head.removeprefix(tool.name)
        assert not signature.endswith(
            "-> :string"
        )  # which would say nothing: every answer is text here
        read = parse_signature(signature if "->" in signature else f"{signature} -> :string")
        assert str(read) == str(tool.parsed_signature)
        assert summary == f"    {tool.summary}"
        assert tool.summary.endswith(".")
    assert "fresnel_xml(n1 :float, n2 :float, angle :float)" in lines


def test_words_stand_in_order_or_by_name_and_named_arguments_beside_them() -> None:
    assert (
        call("run_program", "code=1 + 1")
        == call("run_program", "1 + 1")
        == call("run_program", named={"code": "1 + 1"})
        == "2"
    )
    message = call("range_filter", "power", "at_least=0.5", named={"below": 0.9})
    assert message == "Applied range filter: power ≥ 0.5 and < 0.9. 0 of 5 rays are shown."


def test_arguments_as_a_model_writes_them_are_understood() -> None:
    tools = agent_tools()
    change = {"set": "Main Prism", "refIndex": 1.6}
    assert parse_command(f"/change_scene {json.dumps({'changes': [change]})}", tools)[1] == {
        "changes": [change]
    }
    assert parse_command(f"/change_scene {json.dumps(change)}", tools)[1] == {"changes": [change]}
    assert parse_command('/measure_xml {"measures": "escaped()"}', tools)[1] == {
        "measures": "escaped()"
    }


def test_measures_are_a_text_a_list_or_the_json_of_one_for_every_tool_that_takes_them() -> None:
    session = prism_session()
    text, several = "power(Main Prism); escaped()", ["power(Main Prism)", "escaped()"]
    change = '{"move": "Main Prism", "dx": 1, "dy": 0}'
    for name, words in (
        ("measure_xml", ()), ("convergence_xml", ()), ("what_if", (change,)), ("sweep", ("Main Prism.x=0..1:2",)),
    ):  # fmt: skip
        written = call(name, *words, named={"measures": text}, session=session)
        assert "escaped()" in json.dumps(written)
        assert call(name, *words, named={"measures": several}, session=session) == written
        assert call(name, *words, json.dumps(several), session=session) == written
        assert (
            tool_without_model(name).parameters.schema["properties"]["measures"]["type"] == "string"
        )
    with pytest.raises(RaybenchError, match="easure"):
        call("measure_xml", '["power(Main Prism)", 3]')


def test_a_filter_is_the_sessions_afterwards_and_counts_what_it_leaves() -> None:
    session = prism_session()
    assert call("range_filter", "power", "at_least=0.9", session=session).endswith(
        "3 of 5 rays are shown."
    )
    rows = session.view.visible_rows(session.result)  # type: ignore[arg-type]
    assert rows is not None
    assert rows.tolist() == [0, 2, 3]
    assert call("clear_filter", session=session) == "All rays are shown again. 5 rays are shown."


def test_both_counts_of_a_filter_are_written_alike() -> None:
    session = prism_session()
    many = [
        {"p1": (0, i), "p2": (1, i), "brightness_s": 1.0, "brightness_p": 0.0} for i in range(1234)
    ]
    session.result = TraceResult.from_segments(many, revision=session.document.revision)
    assert call("range_filter", "length", "at_most=2", session=session).endswith(
        " 1 234 of 1 234 rays are shown."
    )


def test_the_rays_that_were_found_are_named() -> None:
    session = prism_session()
    outcome = run_typed_call(
        session, tool_without_model("find_rays_inside_glass_xml"), [("Main Prism", False)]
    )
    assert outcome.rays is session.answers["R1"]


@pytest.mark.parametrize(
    ("name", "words", "named", "message"),
    [
        ("find_rays_inside_glass_xml", ("Main", "Prism"), None, "One argument too many: 'Prism'."),
        ("find_rays_inside_glass_xml", ("Nowhere",), None, "No object named 'Nowhere'."),
        (
            "find_rays_inside_glass_xml",
            (),
            None,
            "find_rays_inside_glass_xml: 'glass_name' is missing.",
        ),
        (
            "find_rays_inside_glass_xml",
            (),
            {"glass": "x"},
            "find_rays_inside_glass_xml has no parameter 'glass'. Parameters: glass_name",
        ),
        (
            "find_rays_inside_glass_xml",
            ("x",),
            {"glass_name": "x"},
            "'glass_name' is given twice. Usage: find_rays_inside_glass_xml <glass",
        ),
        ("fresnel_xml", ("much", "1", "0"), None, "fresnel_xml: 'n1' must be a number"),
        ("run_program", ("1/0",), None, "The program failed."),
    ],
)
def test_what_is_wrong_with_a_call_is_reported(
    name: str, words: tuple[str, ...], named: dict[str, Any] | None, message: str
) -> None:
    with pytest.raises(RaybenchError) as caught:
        call(name, *words, named=named)
    assert str(caught.value).startswith(message)
    assert "/find" not in str(caught.value)
    assert isinstance(caught.value, InvalidCommand) == ("too many" in message)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (
            "find_rays_inside_glas",
            "There is no tool 'find_rays_inside_glas'. Did you mean find_rays_inside_glass_xml",
        ),
        ("xyzzy", "There is no tool 'xyzzy'. raybench tool --list lists them."),
        ("grep-n", "grep-n is called from programs: raybench tool SCENE run_program 'grep_n(…)'."),
        (
            "stray_light_auditor",
            (
                "stray_light_auditor is a task for a model. Connect one and ask: raybench ask SCENE"
                " '/stray_light_auditor'."
            ),
        ),
    ],
)
def test_a_name_that_cannot_be_called_is_reported_with_what_can(name: str, message: str) -> None:
    with pytest.raises(UnknownTool) as caught:
        tool_without_model(name)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("text", "message"),
    [("{", "are not JSON"), ("[1]", "are a list, not an object"), ("[" * 99_999, "are not JSON")],
)
def test_arguments_by_name_are_an_object_in_json(text: str, message: str) -> None:
    with pytest.raises(RaybenchError, match=message):
        parse_json_arguments(text)
    assert parse_json_arguments('{"a": 1}') == {"a": 1}


@pytest.mark.parametrize(
    "command",
    [
        "/" + "x" * 50_000,
        '/find_rays_inside_glass_xml "' + "x" * 50_000,
        "/find_rays_inside_glass_xml a " + "x" * 50_000,
    ],
)
def test_a_long_command_is_refused_in_few_words(command: str) -> None:
    with pytest.raises(InvalidCommand) as caught:
        parse_command(command, tools_without_model())
    assert len(str(caught.value)) < 500
