"""A turn that edits: compared, undone and made again, and never over what a person changed
meanwhile.
"""

from __future__ import annotations

import asyncio
from typing import Any

from tests.open_prism import prism_session

from raybench.agent.call.approval import ApprovalRequest, Decision
from raybench.agent.call.context import ToolContext, tool_context
from raybench.agent.call.events import ToolFinished, TurnEvent, TurnFinished
from raybench.agent.call.open_document import OpenDocument
from raybench.agent.catalogue.default_tools import agent_tools
from raybench.agent.models.scripted import ScriptedBackend, call
from raybench.agent.tools.tool import Tool
from raybench.agent.turn.conversation import Conversation
from raybench.analysis.context import TracedScene
from raybench.kinds.mirrors import Mirror
from raybench.scene.changes import Set
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.session import Session
from raybench.shapes.point import Point

RAISE = [{"set": "Main Prism", "refIndex": 1.7}]


def say(
    replies: list[Any], *, by_hand: dict[int, Any] | None = None, session: Session | None = None
) -> tuple[TurnFinished, Session]:
    """One turn; ``by_hand`` are changes that a person makes after that many calls."""
    session = session or prism_session()
    calls = 0

    def hear(event: TurnEvent) -> None:
        nonlocal calls
        if isinstance(event, ToolFinished):
            calls += 1
            if by_hand and calls in by_hand:
                session.apply(by_hand[calls])

    conversation = Conversation(
        OpenDocument(session),
        ScriptedBackend([[r] if isinstance(r, dict) else r for r in replies]),
        agent_tools(),
    )
    return asyncio.run(conversation.say("Go.", hear, profile="auto")), session


def test_a_change_tells_the_revisions_and_compare_what_is_different() -> None:
    session = prism_session()
    revision = session.document.revision
    turn, _ = say(
        [
            call("change_scene", changes=RAISE),
            call("compare", revision=revision, measures="escaped()"),
            "Done.",
        ],
        session=session,
    )
    changed, compared = turn.outcomes
    assert (
        f"(revision {session.document.revision} now, {revision} before)." in changed.text
    )  # not as if it were so many edits
    assert compared.model_text.startswith(
        f"Since revision {revision}: Main Prism: refractive index 1.5 -> 1.7; escaped(): "
    )
    (row,) = compared.value["difference"]
    assert (row["of"], row["value"], row["before"], row["after"]) == (
        "Main Prism",
        "refractive index",
        "1.5",
        "1.7",
    )
    assert compared.value["measure"][0]["difference"] is not None


def test_an_unknown_revision_is_an_error_that_names_the_current_one() -> None:
    turn, session = say([call("compare", revision=10**9), "Sorry."])
    assert turn.outcomes[0].text.endswith(f"which is at revision {session.document.revision} now.")


def test_a_turn_undoes_its_own_edits_and_makes_them_again() -> None:
    session = prism_session()
    first = session.document
    change = call("change_scene", changes=RAISE)
    turn, _ = say([change, change | {"id": "x"}, call("undo_edits"), "Undone."], session=session)
    assert [o.ok for o in turn.outcomes] == [True, True, True]
    assert session.document is first
    turn, _ = say([change, call("undo_edits"), call("redo_edits"), "Again."], session=session)
    assert turn.outcomes[-1].text.startswith(
        "Made again: Main Prism: refractive index 1.5 -> 1.7 (revision "
    )
    assert len(session.history.done) == 1


def test_a_turn_undoes_nothing_that_is_not_its_own() -> None:
    session = prism_session()
    session.apply(Set("Main Prism", {"name": "Mine"}))
    turn, _ = say([call("undo_edits"), "Sorry."], session=session)
    assert turn.outcomes[0].text == "Nothing was undone, for this turn has made no changes."
    assert len(session.history.done) == 1
    rename = {1: Set("Laser", {"name": "Mine too"})}
    turn, _ = say(
        [
            call("change_scene", changes=[{"set": "Mine", "refIndex": 1.8}]),
            call("undo_edits"),
            "No.",
        ],
        by_hand=rename,
        session=session,
    )
    assert "the person has edited since (Laser renamed to Mine too)" in turn.outcomes[1].text


def test_what_the_person_undid_is_not_done_again_and_nothing_is_undone_without_asking() -> None:
    session = prism_session()
    asked: list[list[str]] = []

    async def decline(request: ApprovalRequest) -> Decision:
        assert request.edit is not None
        asked.append(request.edit.lines)
        return Decision(len(asked) == 1, reason="It stays.")

    @tool_context(effect="read")
    async def sly(ctx: ToolContext) -> str:
        """Undo, as a tool that only reads."""
        return await ctx.undo()

    async def turns() -> TurnFinished:
        replies = [
            [call("change_scene", changes=RAISE)],
            "Done.",
            [call("undo_edits")],
            "No.",
            [call("redo_edits")],
            "No.",
        ]
        backend = ScriptedBackend([*replies, [call("sly")], "No."])
        talk = Conversation(OpenDocument(session), backend, (*agent_tools(), Tool.new("sly", sly)))
        await talk.say("Change it.", profile="ask", ask=decline)
        raised = session.document
        undone = await talk.say("Undo?", profile="ask", ask=decline)
        assert "the user declined. The reason given: It stays." in undone.outcomes[0].text
        assert session.document is raised
        session.undo()
        await talk.say("Redo?", profile="ask", ask=decline)
        session.redo()
        assert session.document is raised
        return await talk.say("Sly?", profile="read-only")

    sly_turn = asyncio.run(turns())
    assert "this turn is read-only" in sly_turn.outcomes[0].text
    change = "Main Prism: refractive index 1.5 -> 1.7"
    assert [lines[0] for lines in asked] == [change, f"Undo: {change}", f"Redo: {change}"]
    assert asked[1][1] == "  Main Prism: refractive index 1.7 -> 1.5"


def test_an_undo_that_a_hand_overtakes_while_it_is_asked_about_is_refused() -> None:
    session = prism_session()

    async def rename(request: ApprovalRequest) -> Decision:
        session.apply(Set("Laser", {"name": "Lamp"}))
        return Decision(True)

    async def turns() -> TurnFinished:
        talk = Conversation(
            OpenDocument(session),
            ScriptedBackend(
                [[call("change_scene", changes=RAISE)], "Done.", [call("undo_edits")], "No."]
            ),
        )
        await talk.say("Change it.", profile="auto")
        return await talk.say("Undo?", profile="ask", ask=rename)

    assert (
        asyncio.run(turns()).outcomes[0].text
        == "Nothing was undone, for the person has edited meanwhile."
    )
    assert session.history.undo_text == "Laser renamed to Lamp"


def test_a_change_does_not_wait_for_the_trace_of_the_scene_that_it_corrects() -> None:
    class Endless(OpenDocument):
        async def context(self) -> TracedScene:
            await asyncio.Event().wait()
            raise AssertionError

    session = prism_session()
    session.result = None
    talk = Conversation(
        Endless(session),
        ScriptedBackend([[call("change_scene", changes=RAISE), call("undo_edits")], "Done."]),
    )
    turn = asyncio.run(asyncio.wait_for(talk.say("Go.", profile="auto"), 10))
    assert [outcome.ok for outcome in turn.outcomes] == [True, True]
    assert [outcome.notes for outcome in turn.outcomes] == ["", ""]


def test_a_change_is_not_told_with_what_it_has_just_corrected() -> None:
    mirror = Mirror(name="Point", p1=Point(5, 5), p2=Point(5, 5))
    session = Session(Document(scene=Scene.of([mirror])))
    corrected = [
        {"delete": "Point"},
        {"add": {"type": "SingleRay", "p1": {"x": 0, "y": 0}, "p2": {"x": 1, "y": 0}}},
    ]
    turn, _ = say(
        [call("describe_scene_xml"), call("change_scene", id="b", changes=corrected), "Done."],
        session=session,
    )
    before, changed = turn.outcomes
    assert "'Point' (mirror) has no effect" in before.notes
    assert "There is no light in this scene." in before.notes
    assert changed.notes == ""


def test_objects_without_effect_are_told_once_and_again_when_there_are_others() -> None:
    session = Session(
        Document(
            scene=Scene.of(
                [
                    Mirror(name=name, p1=Point(5, 5), p2=Point(at, 5))
                    for name, at in (("A", 5), ("B", 9))
                ]
            )
        )
    )
    backend = ScriptedBackend(
        [[call("describe_scene_xml")], [call("describe_edges_xml", id="b")], "Done."] * 2
    )

    async def turns() -> list[str]:
        talk = Conversation(OpenDocument(session), backend)
        first = await talk.say("Go.")
        session.apply(Set("B", {"p2": {"x": 5}}))
        second = await talk.say("And now?")
        return [outcome.notes for outcome in (*first.outcomes, *second.outcomes)]

    told = asyncio.run(turns())
    assert ["'A' (mirror) has no effect" in notes for notes in told] == [True, False, True, False]
    assert "'B' (mirror) has no effect" in told[2]


def test_what_a_hand_changes_during_a_turn_is_told_with_the_next_question() -> None:
    session = prism_session()
    backend = ScriptedBackend([[call("change_scene", changes=RAISE)], "Done.", "Yes."])

    def hear(event: TurnEvent) -> None:
        if isinstance(event, ToolFinished):
            session.apply(Set("Laser", {"name": "Lamp"}))

    async def turns() -> None:
        talk = Conversation(OpenDocument(session), backend)
        await talk.say("Go.", hear, profile="auto")
        await talk.say("And?")

    asyncio.run(turns())
    told = [block["text"] for block in backend.requests[-1][-1]["content"]]
    assert told[0].startswith(
        "[Changed since your last answer, not by you: Lamp: name Laser -> Lamp."
    )


def test_an_object_that_was_changed_since_it_was_read_is_not_changed_until_the_model_knows() -> (
    None
):
    look, change = call("read_objects", names=["Main Prism"]), call("change_scene", changes=RAISE)
    hand = {1: Set("Main Prism", {"refIndex": 1.6})}
    turn, session = say([look, change, change | {"id": "again"}, "Done."], by_hand=hand)
    _, refused, done = turn.outcomes
    assert not refused.ok
    assert refused.text.startswith(
        "Nothing was changed: the person has edited these objects since you last read them: 'Main"
        " Prism' refractive index 1.5 -> 1.6."
    )
    assert done.ok
    assert session.history.undo_text == "Main Prism: refractive index 1.6 -> 1.7"


def test_what_the_model_itself_changed_or_read_again_is_known_to_it() -> None:
    look, change = call("read_objects", names=["Main Prism"]), call("change_scene", changes=RAISE)
    turn, _ = say([change, change | {"id": "b"}, "Done."])
    assert [o.ok for o in turn.outcomes] == [True, True]
    turn, _ = say(
        [look, look | {"id": "b"}, change, "Done."],
        by_hand={1: Set("Main Prism", {"refIndex": 1.6})},
    )
    assert [o.ok for o in turn.outcomes] == [True, True, True]
    turn, _ = say([look, change, "Done."], by_hand={1: Set("Laser", {"name": "Lamp"})})
    assert [o.ok for o in turn.outcomes] == [True, True]


def test_what_the_person_changed_between_turns_is_told_with_the_question() -> None:
    session = prism_session()
    backend = ScriptedBackend(["Yes.", "I see."])
    conversation = Conversation(OpenDocument(session), backend, agent_tools())
    asyncio.run(conversation.say("Hello?"))
    session.apply(Set("Main Prism", {"refIndex": 1.6}))
    asyncio.run(conversation.say("What now?"))
    told = backend.requests[1][-1]["content"]
    assert told[0]["text"].startswith(
        "[Changed since your last answer, not by you: Main Prism: refractive index 1.5 -> 1.6."
    )
    assert "refractive index 1.6" in told[1]["text"]


def test_results_that_are_kept_outlive_the_turn() -> None:
    from raybench.agent.tools.tool import Tool

    runs: list[int] = []

    def rows() -> list[int]:
        """Rows."""
        runs.append(1)
        return [1, 2, 3]

    tool = Tool.new("rows", (rows, {"effect": "read", "cache": True, "expose": "both"}))
    conversation = Conversation(
        OpenDocument(prism_session()),
        ScriptedBackend([[call("rows")], "One.", [call("rows", "b")], "Two."]),
        (tool,),
    )
    first = asyncio.run(conversation.say("Rows?"))
    second = asyncio.run(conversation.say("And again?"))
    assert (first.outcomes[0].cached, second.outcomes[0].cached) == (False, True)
    assert len(runs) == 1


def test_a_person_who_calls_a_tool_sees_its_whole_result() -> None:
    from raybench.agent.tools.tool import Tool

    def rows(count: int) -> list[dict[str, int]]:
        """Rows."""
        return [{"id": i} for i in range(count)]

    options = {
        "effect": "read",
        "cache": True,
        "expose": "both",
        "native_result": {"preview": "rows", "limit": 1},
    }
    conversation = Conversation(
        OpenDocument(prism_session()), None, (Tool.new("rows", (rows, options)),)
    )
    answer = asyncio.run(conversation.say("/rows 3")).answer
    assert answer.count('"id"') == 3
    assert "full_result_cached" not in answer


def test_a_list_without_changes_is_refused() -> None:
    turn, session = say([call("change_scene", changes=[]), "Done."])
    assert (
        turn.outcomes[0].text
        == 'Nothing was changed: the list holds no changes. Give one, such as [{"move": "Lens",'
        ' "dx": 5}].'
    )
    assert not session.history.done
