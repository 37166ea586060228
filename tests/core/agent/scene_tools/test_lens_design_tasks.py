"""Ten tasks of lens design, each in a few calls of a model through the real SDK."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from tests.messages_server import MessagesServer, Reply, say

from raybench.agent.call.open_document import OpenDocument
from raybench.agent.models.anthropic import AnthropicBackend
from raybench.agent.turn.conversation import Conversation
from raybench.lens.in_document import lens_design
from raybench.lens.paraxial import first_order
from raybench.lens.prescription import Prescription
from raybench.lens.report import report_lens
from raybench.lens.seidel import seidel_sums
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.session import Session

Call = tuple[str, dict[str, Any]]
DOUBLET: list[list[Any]] = [[60, 6, "N-BK7"], [-45, 3, "N-SF5"], [-130, 97]]
FREE = {"semi": None}


@dataclass(frozen=True)
class Task:
    """What is asked, the calls of the model, whether the lens and what was told are right, and an answer
    whose numbers were told.
    """

    asks: str
    calls: tuple[Call, ...]
    is_right: Callable[[Prescription, str], bool]
    empty: bool = False
    answer: str = "Done."


def focal(system: Prescription) -> float:
    return first_order(system).focal_length


def spots(system: Prescription) -> list[float]:
    return [f.rms_spot for f in report_lens(system).fields]


def is_best_bent(system: Prescription) -> bool:
    """Whether the third-order spherical aberration is smallest among bendings of the same power."""
    sums = []
    for by in (-1e-3, 0, 1e-3):
        one, other = (
            system.with_surface(i, radius=1 / (s.curvature + by))
            for i, s in enumerate(system.surfaces)
        )
        both = one.with_surface(1, radius=other.surfaces[1].radius)
        sums.append(abs(seidel_sums(both.scaled(100 / focal(both))).spherical.sum()))
    return sums[1] < min(sums[0], sums[2])


def relay_is_symmetric(system: Prescription, told: str) -> bool:
    radii = [s.radius for s in system.surfaces if abs(s.radius) < 1e9]
    magnification = first_order(system).magnification
    return radii == [-r for r in radii[::-1]] and abs(magnification + 1) < 0.01


ACHROMAT: Call = (
    "edit_lens",
    {"lens": "Achromat", "rows": DOUBLET, "aperture": "F/5", "fields": [0, 1], "links": ["t3 = focus"]},
)  # fmt: skip
RELAY: Call = (
    "edit_lens",
    {
        "rows": [
            [60, 4, "N-BK7"], [-60, 2, "N-SF5"], [-200, 10], [None, 10],
            [200, 2, "N-SF5"], [60, 4, "N-BK7"], [-60, 90],
        ],
        "stop": 4, "aperture": "NA 0.08", "object_distance": 100, "fields": [0, 3, 5], "field_kind": "object height",
        "links": ["r5 = -r3", "r6 = -r2", "r7 = -r1", "t4 = t3", "t5 = t2", "t6 = t1", "t7 = focus"],
    },
)  # fmt: skip
SINGLET: Call = (
    "edit_lens",
    {
        "rows": [[100, 5, "N-BK7"], [-100, 97]], "aperture": "F/10", "wavelengths": [587.56],
        "links": ["c2 = focal length 100", "t2 = focus"],
    },
)  # fmt: skip
TASKS = (
    Task(
        "Make it an achromat of 100 mm, F/5, of N-BK7 and N-SF5.",
        (ACHROMAT, ("improve_lens", {"want": ["focal length = 100"]})),
        lambda s, _: abs(focal(s) - 100) < 0.01 and max(spots(s)) < 0.003,
        empty=True,
    ),
    Task(
        "Scale Objective to f = 75 mm.",
        (("edit_lens", {"focal_length": 75}),),
        lambda s, _: abs(focal(s) - 75) < 1e-6 and abs(first_order(s).f_number - 4.5) < 1e-6,
    ),
    Task(
        "Make Objective F/2.8, as sharp as its curvatures allow.",
        (
            ("edit_lens", {"aperture": "F/2.8", "values": FREE}),
            ("improve_lens", {"vary": ["curvatures"]}),
        ),
        lambda s, _: abs(first_order(s).f_number - 2.8) < 1e-6 and max(spots(s)) < 0.06,
    ),
    Task(
        "Turn Objective round.",
        (("edit_lens", {"reverse": True, "links": ["t6 = focus"]}),),
        lambda s, _: [round(x.radius, 2) for x in s.surfaces][:2] == [20.15, -79.63],
    ),
    Task(
        "Make a 100 mm singlet of N-BK7 at F/10, bent for the least spherical aberration.",
        (SINGLET, ("improve_lens", {"want": ["spherical = 0"], "vary": ["c1"]})),
        lambda s, _: abs(focal(s) - 100) < 1e-6 and is_best_bent(s),
        empty=True,
    ),
    Task(
        "Add a field of 18°.",
        (("edit_lens", {"fields": [0, 10, 14, 18], "values": FREE}),),
        lambda s, _: report_lens(s).fields[3].open_pupil == 1,
    ),
    Task(
        "Choose better glasses for the achromat: N-K5, N-F2 or N-SF5.",
        (
            ACHROMAT,
            ("improve_lens", {"glasses": ["N-K5", "N-F2", "N-SF5"], "vary": ["c1", "c2", "c3"]}),
        ),
        lambda s, _: {x.glass for x in s.surfaces} <= {"N-K5", "N-F2", "N-SF5", "AIR"},
        empty=True,
    ),
    Task(
        "Make a symmetric 1:1 relay of two achromats.",
        (RELAY, ("improve_lens", {"want": ["magnification = -1 weight 10"], "seconds": 20})),
        relay_is_symmetric,
        empty=True,
    ),
    Task(
        "Use Objective for an object 500 mm away, and keep it in focus.",
        (("edit_lens", {"object_distance": 500}),),
        lambda s, _: abs(s.surfaces[5].thickness - first_order(s).image) < 1e-9,
    ),
    Task(
        "Report the distortion and the colour of Objective.",
        (("read_lens_xml", {"show": "aberrations"}),),
        lambda s, told: "-0.595 %" in told and "axial colour 0.06652 mm" in told,
        answer="Objective (50.0 mm, f/4.5) has an axial colour of 66.5 µm; at 14° its distortion is"
        " −0.59 % and its lateral colour 18 µm.",
    ),
    Task(
        "Make the triplet diffraction-limited at F/0.5.",
        (("edit_lens", {"aperture": "F/0.5", "values": FREE}), ("undo_edits", {})),
        lambda s, told: "no image in air is sharp" in told and first_order(s).f_number > 4.4,
    ),
)


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.asks)
def test_a_model_does_it_in_a_few_calls(task: Task) -> None:
    session = Session(Document(scene=Scene())) if task.empty else Session.open("example:triplet")
    replies = [
        Reply(({"type": "tool_use", "id": f"toolu_{i}", "name": "call_tool", "input": call},))
        for i, call in enumerate({"name": n, "arguments": given} for n, given in task.calls)
    ]
    with MessagesServer([*replies, say(task.answer)]) as server:

        async def go() -> None:
            backend = AnthropicBackend("m", server.url, "key")
            talk = Conversation(OpenDocument(session), backend)
            turn = await talk.say(task.asks, profile="auto")
            await talk.close()
            assert not turn.unsupported_parts

        asyncio.run(go())
        told = json.dumps(server.requests[-1]["messages"], ensure_ascii=False)
        assert len(server.requests) == len(task.calls) + 1
    assert '"is_error": true' not in told, told
    assert task.is_right(lens_design(session.document).system, told)
