"""The check of answers: what nothing supports is marked, and true answers are not."""

from __future__ import annotations

import asyncio
import threading
import time
from functools import cache

import pytest
from tests.core.agent.answer_check.checked_answers import ALL, Asked

from raybench.agent.answer_check import check as check_module
from raybench.agent.answer_check.check import check_answer
from raybench.agent.answer_check.claims import CheckedPart, number_claims, unsupported_parts
from raybench.agent.answer_check.evidence import Evidence
from raybench.agent.by_hand.command_line import Reply, ask_question
from raybench.agent.call.events import TurnFinished
from raybench.agent.call.open_document import OpenDocument
from raybench.agent.models.scripted import ScriptedBackend, call
from raybench.agent.turn.conversation import Conversation
from raybench.agent.turn.transcript import Exchange, Transcript
from raybench.scene.changes import Set, SetDocument
from raybench.session import Session


@cache
def asked(scene: str) -> tuple[Session, Reply]:
    """The calls of the answers about a scene, made once."""
    about = next(a for a in ALL if a.scene == scene)
    session = Session.open(scene)
    calls = [call(name, f"call_{i}", **given) for i, (name, given) in enumerate(about.calls)]
    reply = ask_question(session, about.question, ScriptedBackend([calls, "Done."]))
    assert all(outcome.ok for outcome in reply.turn.outcomes)
    return session, reply


def check(about: Asked, answer: str) -> tuple[CheckedPart, ...]:
    session, reply = asked(about.scene)
    evidence = Evidence()
    evidence.add_scene(session.document)
    evidence.add_text(about.question)
    evidence.add_outcomes(reply.turn.outcomes)
    return unsupported_parts(check_answer(answer, evidence))


@pytest.mark.parametrize("about", ALL, ids=lambda about: about.scene.removeprefix("example:"))
def test_true_answers_pass_and_each_wrong_part_is_marked(about: Asked) -> None:
    assert {answer: check(about, answer) for answer in about.true} == dict.fromkeys(about.true, ())
    for answer, wrong in about.wrong:
        marked = [c.text for c in check(about, answer)]
        assert any(wrong in text or text in wrong for text in marked), (answer, marked)


def test_powers_have_the_unit_of_the_document() -> None:
    session = Session.open("example:prism")
    session.apply([SetDocument(power_unit="mW"), Set("Lamp", {"power": 5})])
    calls = [[call("measure_xml", "m", measures="emitted()")], "Done."]
    reply = ask_question(session, "How much is emitted?", ScriptedBackend(calls))
    evidence = Evidence()
    evidence.add_scene(session.document)
    evidence.add_outcomes(reply.turn.outcomes)
    answers = ("The lamp emits 5 mW.", "It emits 0.005 W.", "It emits 5 W.", "It emits 5 lm.")
    marked = [len(unsupported_parts(check_answer(answer, evidence))) for answer in answers]
    assert marked == [0, 0, 1, 1]


def test_fields_have_the_units_beside_them() -> None:
    session = Session.open("example:dichroic")
    calls = [[call("read_objects", "r", names=["Dichroic"])], "Done."]
    evidence = Evidence()
    evidence.add_scene(session.document)
    evidence.add_outcomes(ask_question(session, "How wide?", ScriptedBackend(calls)).turn.outcomes)
    answer = "Dichroic reflects 650 nm with a bandwidth of 60 nm."
    assert unsupported_parts(check_answer(answer, evidence)) == ()


def test_a_number_knows_its_call_and_ray_set() -> None:
    session, reply = asked("example:prism")
    evidence = Evidence()
    evidence.add_scene(session.document)
    evidence.add_outcomes(reply.turn.outcomes)
    number, rays, no_rays = check_answer("Screen gets 37.57 (R1), not R9.", evidence)
    assert number.call is not None
    assert number.call.tool in ("losses_xml", "measure_xml")
    assert rays.call is not None
    assert (rays.call.tool, rays.call.rays) == ("measure_xml", "R1")
    assert (no_rays.text, no_rays.reason) == ("R9", "R9 does not exist")


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("1,064 nm and 12 000 rays", [1.064, 12000]),
        ("1.2·10⁻⁵, 1.2e-5, 1.2×10^-5", [1.2e-5] * 3),
        ("−3.5° or -3,5°", [-3.5, -3.5]),
        ("BK7 is in two lenses; R7, r1-654 and 2024-05-01 are names", [2]),
        ("one part in 20, in radians it is 0.5", [0.05, 0.5]),
        ("sixteen rays, 2,5-mal", [16, 2.5]),
        ("1. first\n2. second\n\n```\nx = 5\n```", []),
        ("three quarters, twice as much, half of it", [0.75, 2, 0.5]),
        ("1e999 and " + "9" * 400, []),
    ],
)
def test_numbers_are_read_as_people_write_them(text: str, read: list[float]) -> None:
    assert [claim.values[0][0] for claim in number_claims(text)] == pytest.approx(read)


def test_a_long_answer_about_large_results_is_checked_in_a_second_of_processor_time() -> None:
    evidence = Evidence()
    evidence.add_text(" ".join(f"{i / 7:.5f} mm" for i in range(20_000)))
    start = time.process_time()
    check_answer("It is 0.123 mm and 4.5 mm more than 7.25 mm. " * 50, evidence)
    assert time.process_time() - start < 5


def test_a_long_table_about_a_pasted_one_is_checked_in_seconds_of_processor_time() -> None:
    evidence = Evidence()
    evidence.add_text("\n".join(f"{i / 7:.3f} {i / 11:.3f} {i / 13:.3f}" for i in range(800)))
    rows = [f"| Ray {i} | {i * 1.37:.2f} mm | {i * 2.11:.1f} % |" for i in range(320)]
    start = time.process_time()
    assert len(check_answer("\n".join(rows), evidence)) == 3 * len(rows)
    assert time.process_time() - start < 6


def test_stop_ends_the_wait_for_a_check(monkeypatch: pytest.MonkeyPatch) -> None:
    begun, go_on = threading.Event(), threading.Event()

    def wait(answer: str, evidence: Evidence) -> list[CheckedPart]:
        begun.set()
        assert go_on.wait(10)
        return []

    async def stop_in_check() -> TurnFinished:
        monkeypatch.setattr(check_module, "check_answer", wait)
        saying = asyncio.ensure_future(
            Conversation(
                OpenDocument(asked("example:prism")[0]), ScriptedBackend(["67 rays."])
            ).say("How many?")
        )
        assert await asyncio.to_thread(begun.wait, 10)
        saying.cancel()
        return await saying

    finished = asyncio.run(stop_in_check())
    assert not go_on.is_set()
    go_on.set()
    assert (finished.stopped, finished.answer, finished.checked) == (True, "67 rays.", ())


def test_an_answer_whose_check_fails_stands_unmarked(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(answer: str, evidence: Evidence) -> list[CheckedPart]:
        raise ZeroDivisionError

    monkeypatch.setattr(check_module, "check_answer", fail)
    turn = ask_question(asked("example:prism")[0], "How many?", ScriptedBackend(["76 rays."])).turn
    assert (turn.answer, turn.error, turn.checked) == ("76 rays.", "", ())
    assert "could not be checked" in caplog.text


def test_an_answer_is_sent_back_once_with_what_no_tool_said() -> None:
    session, found = Session.open("example:prism"), call("find_rays_xml", hits="Screen")
    wrong, right = "76 rays hit Screen (R9).", "67 rays hit Screen (R1)."
    backend = ScriptedBackend([[found], wrong, right])
    turn = ask_question(session, "How many?", backend).turn
    assert (turn.answer, turn.unsupported_parts, turn.error) == (right, (), "")
    assert turn.returned == "no tool said 76; R9 does not exist"
    note = backend.requests[2][-1]["content"][0]["text"]
    assert turn.returned in note
    assert "whole answer again" in note
    backend = ScriptedBackend([[found], wrong, wrong, right])
    turn = ask_question(session, "How many?", backend).turn
    assert turn.answer == wrong
    assert [c.text for c in turn.unsupported_parts] == ["76", "R9"]


def test_a_correction_that_fails_leaves_the_first_answer() -> None:
    wrong = "76 rays hit Screen."
    turn = ask_question(asked("example:prism")[0], "How many?", ScriptedBackend([wrong])).turn
    assert (turn.answer, turn.error) == (wrong, "")
    assert [c.text for c in turn.unsupported_parts] == ["76"]


def test_results_of_an_earlier_run_are_sources() -> None:
    session, reply = asked("example:prism")
    opened = OpenDocument(session)
    later = Conversation(opened, ScriptedBackend(["Screen received 37.57 of 44 (R1)."]))
    later.continue_from(Transcript((Exchange("q", reply.turn, reply.turn.outcomes),)))
    finished = asyncio.run(later.say("And before?"))
    assert (finished.returned, finished.unsupported_parts) == ("", ())
