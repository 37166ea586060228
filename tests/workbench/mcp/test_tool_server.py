"""The server without a window, driven by the protocol's official client, in both generations of the
protocol.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from mcp.client import Client
from mcp.client._memory import InMemoryTransport
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.shared.exceptions import MCPError
from mcp_types import (
    CallToolResult,
    CancelledNotification,
    CancelledNotificationParams,
    ElicitRequestParams,
    ElicitResult,
    ErrorData,
    ImageContent,
    InputRequiredResult,
)
from tests.open_prism import broken, prism_session
from tests.workbench.prism_window import prism_document

from raybench.agent.call.context import ToolContext, tool_context
from raybench.agent.call.open_document import OpenDocument
from raybench.agent.call.outcome import ToolOutcome
from raybench.agent.catalogue.default_tools import agent_tools
from raybench.agent.catalogue.registry import ToolRegistry
from raybench.agent.tools.exposure import exposed_tools
from raybench.agent.tools.tool import Tool
from raybench.agent.turn.conversation import ClientCalls
from raybench.files.document_file import document_from_json, save_document
from raybench.scene.names import object_named
from raybench.session import Session
from raybench_workbench.mcp.resources import GUIDES_URI, PICTURE_URI, SCENE_URI, TEXT_URI
from raybench_workbench.mcp.server import RunningCall, ToolServer

MODES = pytest.mark.parametrize("mode", ["auto", "legacy"])
"""The generation of the protocol: calls that stand alone, or a session with a handshake."""
ROOT = str(Path(__file__).parents[3])
SET = [{"set": "Main Prism", "refIndex": 1.7}]
Work = Callable[[Client], Awaitable[Any]]
ended: list[str] = []


@tool_context
async def endless(ctx: ToolContext) -> str:
    """Never end."""
    try:
        while not ctx.cancelled:
            await asyncio.sleep(0.01)
    finally:
        ended.append("endless")
    return "never"


def post(text: str) -> str:
    """Post a text."""
    return f"posted {text}"


def talk(
    work: Work, mode: str, profile: Any = "ask", session: Session | None = None, **options: Any
) -> Session:
    """Let a client work with a server about the prism; returns the session."""
    session = session or prism_session()
    own = (
        Tool.new("endless", (endless, {"effect": "read", "timeout_s": 60})),
        Tool.new("broken", (broken, {"effect": "read"})),
        Tool.new("post", (post, {"effect": "external"})),
    )

    async def main() -> None:
        registry = ToolRegistry((*agent_tools(), *own))
        opened = OpenDocument(session, paint=lambda *_: b"\x89PNG")
        calls = ClientCalls(opened, lambda: registry)

        async def run(call: RunningCall) -> ToolOutcome:
            return await calls.call(
                call.tool,
                call.arguments,
                profile=profile,
                ask=call.ask,
                emit=call.record_event,
            )

        server = ToolServer(lambda: calls.tools, run, "about", opened)
        async with Client(server.protocol, mode=mode, **options) as client:
            await work(client)

    asyncio.run(main())
    return session


def answering(**answer: Any) -> tuple[list[str], Any]:
    """A person who answers every question so, and the questions."""
    asked: list[str] = []

    async def elicit(context: Any, params: ElicitRequestParams) -> ElicitResult | ErrorData:
        asked.append(params.message)
        return ElicitResult(**answer)

    return asked, elicit


def text(result: CallToolResult) -> str:
    return getattr(result.content[0], "text", "")


def index(session: Session) -> float:
    return object_named(session.document.scene, "Main Prism").ref_index  # type: ignore[attr-defined, no-any-return]


@MODES
def test_tools_are_listed_with_schemas_and_effects(mode: str) -> None:
    async def work(client: Client) -> None:
        listed = (await client.list_tools()).tools
        assert (
            len(json.dumps([tool.model_dump(mode="json", exclude_none=True) for tool in listed]))
            <= 24_000
        )
        tools = {tool.name: tool for tool in listed}
        wanted = exposed_tools(agent_tools(), "native")
        assert {tool.name for tool in wanted if tool.offered in ("always", "usually")} <= set(tools)
        about = tools["call_tool"].description or ""
        assert all(tool.name in about for tool in wanted if tool.offered == "on demand")
        given = {"name": "pupils_xml", "arguments": {"object_name": "Main Prism"}}
        assert (await client.call_tool("call_tool", given)).structured_content
        assert "grep" not in tools
        assert tools["measure_xml"].input_schema["required"] == ["measures"]
        hints = {name: tools[name].annotations for name in ("measure_xml", "change_scene", "post")}
        assert [h.read_only_hint for h in hints.values() if h] == [True, False, False]
        assert [h.open_world_hint for h in hints.values() if h] == [False, False, True]
        assert [h.destructive_hint for h in hints.values() if h] == [False, False, False]
        assert "all changes or none" in (tools["change_scene"].description or "").lower()
        assert client.instructions == "about"

    talk(work, mode)


@MODES
def test_scene_picture_and_guides_are_resources(mode: str) -> None:
    async def work(client: Client) -> None:
        listed = {str(r.uri) for r in (await client.list_resources()).resources}
        assert {SCENE_URI, TEXT_URI, PICTURE_URI, GUIDES_URI + "light.md"} <= listed
        read = {uri: (await client.read_resource(uri)).contents[0] for uri in listed}
        assert "Main Prism" in read[TEXT_URI].text  # type: ignore[union-attr]
        scene = json.loads(read[SCENE_URI].text)  # type: ignore[union-attr]
        assert document_from_json(scene).scene.objects
        assert base64.b64decode(read[PICTURE_URI].blob) == b"\x89PNG"  # type: ignore[union-attr]
        assert read[GUIDES_URI + "light.md"].text.startswith("# ")  # type: ignore[union-attr]
        with pytest.raises(MCPError, match="no resource 'raybench://other'"):
            await client.read_resource("raybench://other")

    talk(work, mode)


@MODES
def test_prompts_begin_usual_tasks(mode: str) -> None:
    async def work(client: Client) -> None:
        prompts = {p.name: p for p in (await client.list_prompts()).prompts}
        assert [a.name for a in prompts["design"].arguments or ()] == ["aim"]
        given = await client.get_prompt("design", {"aim": "f = 80 mm"})
        assert "so that: f = 80 mm" in given.messages[0].content.text  # type: ignore[union-attr]
        with pytest.raises(MCPError, match="needs 'detector'"):
            await client.get_prompt("stray_light")

    talk(work, mode)


@MODES
def test_a_client_hears_of_other_tools(mode: str) -> None:
    tools = [Tool.new("post", (post, {"effect": "external"}))]
    told: list[Any] = []

    async def hear(message: Any) -> None:
        told.append(message)

    async def main() -> None:
        async def run(call: RunningCall) -> ToolOutcome:
            raise AssertionError

        server = ToolServer(lambda: tuple(tools), run, "about", OpenDocument(prism_session()))
        async with Client(server.protocol, mode=mode, message_handler=hear) as client:
            assert client.server_capabilities.tools.list_changed
            assert len((await client.list_tools()).tools) == 1
            async with contextlib.AsyncExitStack() as stack:
                if mode != "legacy":
                    await stack.enter_async_context(client.listen(tools_list_changed=True))
                tools.append(Tool.new("broken", (broken, {"effect": "read"})))
                await server.notify_tools_changed()
                async with asyncio.timeout(5):
                    while not told:
                        await asyncio.sleep(0.01)
            assert told[0].method == "notifications/tools/list_changed"
            assert len((await client.list_tools()).tools) == 2

    asyncio.run(main())


def test_an_optimisation_reports_its_progress() -> None:
    received: list[str] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        assert total is None, "nobody knows how often it will try"
        received.append(message or "")

    async def work(client: Client) -> None:
        search = {
            "vary": ["Main Prism.angle=-20..20"],
            "goals": ["least escaped()"],
            "whole_range": True,
        }
        result = await client.call_tool("optimise", search, progress_callback=hear)
        assert not result.is_error, text(result)

    talk(work, "auto")
    tried = [
        int(found[1])
        for words in received
        if (found := re.search(r": (\d+) tried, merit [\d.e+-]+$", words))
    ]
    assert len(tried) >= 2, received
    assert tried == sorted(tried)
    assert tried[-1] > tried[0]


def test_progress_is_the_fraction_done() -> None:
    received: list[tuple[float, float | None]] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        received.append((progress, total))

    async def work(client: Client) -> None:
        axes = {"axes": ["Main Prism.angle=-20..20:2001"], "measures": "escaped()"}
        result = await client.call_tool("sweep", axes, progress_callback=hear)
        assert not result.is_error, text(result)

    talk(work, "auto")
    seconds = [progress for progress, _ in received]
    assert seconds == sorted(set(seconds)), "progress only grows"
    fractions = [progress / total for progress, total in received if total]
    assert len(fractions) >= 2
    assert 0 < fractions[0] < fractions[-1] <= 1.001


@MODES
def test_a_result_has_a_text_and_the_values(mode: str) -> None:
    async def work(client: Client) -> None:
        result = await client.call_tool("find_rays_inside_glass_xml", {"glass_name": "Main Prism"})
        assert not result.is_error
        assert text(result).startswith("2 rays are inside Main Prism (R1).\n<?xml")
        assert result.structured_content["rays"]["name"] == "R1"
        assert [
            ray["id"].rpartition("-")[2] for ray in result.structured_content["result"]["ray"]
        ] == ["2", "4"]

    talk(work, mode)


@MODES
def test_errors_are_results_with_a_remedy(mode: str) -> None:
    async def work(client: Client) -> None:
        for name, arguments, told in (
            ("find_rays_inside_glass_xml", {"glass_name": "Prisma"}, "Main Prism"),
            ("find_rays_inside_glass_xml", {"glas": 1}, "glass_name"),
            ("find_rays", {}, "Unknown tool 'find_rays'. Tools: "),
            ("broken", {}, "missing"),
            ("change_scene", {"changes": [{"set": "Nobody", "refIndex": 2}]}, "Nobody"),
        ):
            result = await client.call_tool(name, arguments)
            assert result.is_error, name
            assert told in text(result)
            assert result.structured_content is None

    session = talk(work, mode, "auto")
    assert not session.history.done


@MODES
def test_a_running_call_reports_and_is_cancelled(mode: str) -> None:
    ended.clear()
    told: list[tuple[float, str | None]] = []

    async def progress(progress: float, total: float | None, message: str | None) -> None:
        told.append((progress, message))

    async def work(client: Client) -> None:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(1.5):
                await client.call_tool("endless", {}, progress_callback=progress)
        for _ in range(100):
            if ended:
                break
            await asyncio.sleep(0.02)
        assert ended == ["endless"]
        assert (await client.call_tool("read_objects", {"names": ["Laser"]})).is_error is False

    talk(work, mode)
    times = [time for time, _ in told]
    assert len(times) >= 2
    assert times == sorted(set(times))
    assert {message for _, message in told} == {"Endless"}


@MODES
def test_an_edit_is_asked_about_and_undone(mode: str) -> None:
    asked, elicit = answering(action="accept", content={"answer": "allow once"})
    told: list[str | None] = []

    async def progress(progress: float, total: float | None, message: str | None) -> None:
        told.append(message)

    async def work(client: Client) -> None:
        done = await client.call_tool("change_scene", {"changes": SET}, progress_callback=progress)
        assert not done.is_error, text(done)
        assert index(session) == 1.7
        assert len(session.history.done) == 1
        assert not (await client.call_tool("undo_edits", {})).is_error
        assert index(session) == 1.5

    session = prism_session()
    talk(work, mode, session=session, elicitation_callback=elicit)
    assert [question.splitlines()[0] for question in asked] == ["Change the scene?"] * 2
    assert "refractive index 1.5 -> 1.7" in asked[0]
    assert "Undo: " in asked[1]
    assert "refractive index 1.7 -> 1.5" in asked[1]
    assert any((message or "").startswith("Waits for approval: ") for message in told)


@MODES
@pytest.mark.parametrize(
    ("answer", "done"),
    [
        ({"action": "accept", "content": {"answer": "allow once"}}, True),
        ({"action": "accept", "content": {"answer": "allow until the client disconnects"}}, True),
        ({"action": "accept", "content": {"answer": "decline", "reason": "keep the glass"}}, False),
        ({"action": "accept", "content": {}}, False),
        ({"action": "decline"}, False),
        ({"action": "decline", "content": {"answer": "allow once"}}, False),
        ({"action": "cancel"}, False),
        ({"action": "cancel", "content": {"answer": "allow once"}}, False),
    ],
)
@pytest.mark.security
def test_only_a_clear_yes_allows(mode: str, answer: dict[str, Any], done: bool) -> None:
    asked, elicit = answering(**answer)

    async def work(client: Client) -> None:
        for _ in range(2):
            result = await client.call_tool("post", {"text": "it"})
            assert result.is_error is not done
            if "reason" in answer.get("content", {}):
                assert "keep the glass" in text(result)

    talk(work, mode, elicitation_callback=elicit)
    assert len(asked) == (1 if "until" in str(answer) else 2)
    assert asked[0].splitlines() == ["Run post (external)?", "  text = it"]


@MODES
@pytest.mark.security
def test_a_client_that_cannot_ask_is_refused(mode: str) -> None:
    async def work(client: Client) -> None:
        result = await client.call_tool("change_scene", {"changes": SET})
        assert result.is_error
        assert "this run has no way to ask for it" in text(result)

    assert index(talk(work, mode)) == 1.5


@MODES
@pytest.mark.parametrize(("profile", "done"), [("read-only", False), ("auto", True)])
def test_the_profile_holds_without_asking(mode: str, profile: str, done: bool) -> None:
    asked, elicit = answering(action="accept", content={"answer": "allow once"})

    async def work(client: Client) -> None:
        result = await client.call_tool("change_scene", {"changes": SET})
        assert result.is_error is not done

    assert index(talk(work, mode, profile, elicitation_callback=elicit)) == (1.7 if done else 1.5)
    assert asked == []


def test_an_answer_to_no_question_runs_nothing() -> None:
    async def work(client: Client) -> None:
        result = await client.session.call_tool(
            "change_scene", {"changes": SET}, request_state="guessed"
        )
        assert result.is_error
        assert "answer came too late" in text(result)

    assert index(talk(work, "auto", "auto")) == 1.5


@pytest.mark.parametrize("abandoned", ["cancelled", "closed"])
def test_an_abandoned_edit_holds_up_no_other(
    abandoned: str,
) -> None:
    session = prism_session()

    async def elicit(context: Any, params: ElicitRequestParams) -> ElicitResult:
        return ElicitResult(action="accept", content={"answer": "allow once"})

    async def main() -> None:
        opened = OpenDocument(session)
        calls = ClientCalls(opened, lambda: ToolRegistry(agent_tools()))

        async def run(call: RunningCall) -> ToolOutcome:
            return await calls.call(
                call.tool,
                call.arguments,
                profile="ask",
                ask=call.ask,
                emit=call.record_event,
            )

        protocol = ToolServer(lambda: calls.tools, run, "about", opened).protocol

        def connected() -> Client:
            return Client(InMemoryTransport(protocol), mode="auto", elicitation_callback=elicit)

        async def edit(client: Client) -> None:
            async with asyncio.timeout(10):
                done = await client.call_tool(
                    "change_scene", {"changes": [{"move": "Laser", "dy": 5}]}
                )
            assert not done.is_error, text(done)

        async with connected() as client:
            asked = await client.session.call_tool(
                "change_scene", {"changes": SET}, allow_input_required=True
            )
            assert isinstance(asked, InputRequiredResult)
            if abandoned == "cancelled":
                for number in range(100):  # whichever number the client gave the request
                    await client.session.send_notification(
                        CancelledNotification(params=CancelledNotificationParams(request_id=number))
                    )
                await edit(client)
                late = await client.session.call_tool(
                    "change_scene", {"changes": SET}, request_state=asked.request_state
                )
                assert late.is_error
                assert "answer came too late" in text(late)
        async with connected() as client:
            await edit(client)

    asyncio.run(main())
    assert index(session) == 1.5


# --- the command


@pytest.fixture
def scene(tmp_path: Path) -> Path:
    path = tmp_path / "prism.json"
    save_document(prism_document(), path)
    return path


def command(work: Work, *arguments: object, errors: Any = sys.__stderr__, **options: Any) -> None:
    """Let a client start `raybench mcp` and work with it."""
    environment = {**os.environ, "PYTHONUNBUFFERED": ""}  # as clients start it
    parameters = StdioServerParameters(
        command=sys.executable,
        args=["-m", "raybench_workbench", "mcp", *map(str, arguments)],
        env=environment,
    )

    async def main() -> None:
        async with Client(
            stdio_client(parameters, errlog=errors), mode="auto", **options
        ) as client:
            await work(client)

    asyncio.run(main())


def test_the_command_saves_after_a_change(scene: Path, tmp_path: Path) -> None:
    saved = tmp_path / "changed.json"

    async def work(client: Client) -> None:
        measured = await client.call_tool("measure_xml", {"measures": "power(Screen)"})
        before = measured.structured_content["result"]["measure"][0]["value"]
        tried = await client.call_tool(
            "what_if", {"changes": [{"move": "Screen", "dy": -3000}], "measures": "power(Screen)"}
        )
        (row,) = tried.structured_content["result"]["measure"]
        assert row["before"] == pytest.approx(before)
        assert row["after"] == 0
        assert not saved.exists()
        done = await client.call_tool(
            "change_scene", {"changes": [{"move": "Screen", "dy": -3000}]}
        )
        assert not done.is_error, text(done)
        assert json.loads(saved.read_text())["objs"][2]["p1"] == {"x": 400, "y": -2900}
        measured = await client.call_tool("measure_xml", {"measures": "power(Screen)"})
        assert measured.structured_content["result"]["measure"][0]["value"] == 0

    before = scene.read_text()
    command(work, scene, "--profile", "auto", "--save", saved)
    assert scene.read_text() == before


def test_the_first_content_stays_as_a_backup(scene: Path) -> None:
    first, theirs = scene.read_bytes(), b'{"version": 5, "name": "theirs"}'
    kept = scene.with_name(f"{scene.name}~")

    async def work(client: Client) -> None:
        for index in (1.6, 1.7, 1.8):
            assert not (
                await client.call_tool(
                    "change_scene", {"changes": [{"set": "Main Prism", "refIndex": index}]}
                )
            ).is_error
            assert kept.read_bytes() == first
        scene.write_bytes(theirs)
        for index in (1.6, 1.7):
            assert not (
                await client.call_tool(
                    "change_scene", {"changes": [{"set": "Main Prism", "refIndex": index}]}
                )
            ).is_error
            assert kept.read_bytes() == theirs

    command(work, scene, "--profile", "auto", "--save", scene)


def test_a_failed_save_is_told_with_the_result(scene: Path, tmp_path: Path) -> None:
    folder = tmp_path / "nowhere"
    folder.mkdir()

    async def work(client: Client) -> None:
        folder.rmdir()
        done = await client.call_tool("change_scene", {"changes": SET})
        assert not done.is_error
        assert "The change was made, but" in text(done)
        assert "nowhere" in text(done)
        assert "Done: " in text(done)

    command(work, scene, "--profile", "auto", "--save", folder / "changed.json")


def test_printing_does_not_disturb_the_protocol(
    scene: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAYBENCH_CONFIG_DIR", str(tmp_path / "config"))
    project = tmp_path / "project"
    project.mkdir()
    (project / "tools.py").write_text(
        "import os\nfrom raybench.agent.context import tool_options\nprint('loaded')\n\n"
        "@tool_options(effect='read')\ndef noisy(word: str) -> str:\n    '''Be noisy.'''\n"
        "    print('noise ' + word)\n    os.system('echo child')\n    return word.upper()\n"
    )

    async def work(client: Client) -> None:
        assert text(await client.call_tool("noisy", {"word": "hush"})).endswith("HUSH")

    with (tmp_path / "errors").open("w+") as errors:
        command(work, scene, "--project", project, "--trust", errors=errors)
        errors.seek(0)
        assert {"loaded", "noise hush", "child"} <= set(errors.read().splitlines())


def test_an_empty_scene_can_be_built_and_its_canvas_is_a_picture() -> None:
    async def work(client: Client) -> None:
        laser = {
            "type": "SingleRay",
            "name": "Laser",
            "p1": {"x": 0, "y": 0},
            "p2": {"x": 9, "y": 0},
        }
        assert not (await client.call_tool("change_scene", {"changes": [{"add": laser}]})).is_error
        counted = await client.call_tool("measure_xml", {"measures": "escaped()"})
        assert counted.structured_content["result"]["measure"][0]["value"] == pytest.approx(1)
        result = await client.call_tool("look_at_canvas", {"width": 200})
        (picture,) = [part for part in result.content if isinstance(part, ImageContent)]
        assert picture.mime_type == "image/png"
        assert len(picture.data) > 500
        assert result.structured_content["result"]["visible"] == "the whole scene"

    start = time.monotonic()
    command(work, "--profile", "auto")
    assert time.monotonic() - start < 60


def test_ctrl_c_ends_the_command_at_once() -> None:
    request = {"jsonrpc": "2.0", "id": 1, "method": "server/discover", "params": {}}
    with subprocess.Popen(
        [sys.executable, "-m", "raybench_workbench", "mcp"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ},
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps(request) + "\n")
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["id"] == 1
        process.send_signal(signal.SIGINT)
        try:
            assert process.wait(5) == 130
        finally:
            process.kill()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["nowhere.json"], "nowhere.json"),
        (["--allow", "nothing"], "--allow nothing: there is no tool of this name"),
        (["--project", "nowhere"], "there is no such folder"),
        (["--attach", "scene.json"], "leave out scene"),
    ],
)
def test_what_cannot_be_served_is_an_error(
    arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    from raybench_workbench.cli import main

    assert main(["mcp", *arguments]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert told in err
    assert err.count("\n") == 1


def test_without_the_package_the_remedy_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from raybench_workbench.cli import main

    monkeypatch.setitem(sys.modules, "mcp", None)
    assert main(["mcp"]) == 1
    assert "pip install 'raybench[mcp]'" in capsys.readouterr().err
