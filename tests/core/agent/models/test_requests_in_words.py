"""What an engineer asks to be changed, in ordinary words, and undone."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from raybench.agent.call.open_document import OpenDocument
from raybench.agent.models.keywords import understand
from raybench.agent.turn.conversation import Conversation
from raybench.kinds.glasses import Glass
from raybench.kinds.gratings import DiffractionGrating
from raybench.kinds.lenses import IdealLens
from raybench.kinds.sources import Beam
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.session import Session
from raybench.shapes.point import Point, Vertex

DOCUMENT = Document(
    scene=Scene.of(
        [
            Beam(name="Laser", p1=Point(-100, -5), p2=Point(-100, 5)),
            IdealLens(name="Lens", p1=Point(0, -20), p2=Point(0, 20), focal_length=80),
            Glass(name="Prism", path=(Vertex(300, -20), Vertex(320, 20), Vertex(280, 20))),
            DiffractionGrating(name="Ruled", p1=Point(400, -20), p2=Point(400, 20)),
        ]
    )
)


@pytest.mark.parametrize(
    ("request_", "change"),
    [
        ("turn the prism by 7 degrees", {"rotate": "Prism", "by": 7.0}),
        ("swap the glass for SF10", {"material": "Prism", "name": "SF10"}),
        ("replace the glass of Prism by SF10", {"material": "Prism", "name": "SF10"}),
        ("change the material of the prism to SF10", {"material": "Prism", "name": "SF10"}),
        ("use SF10 for the prism", {"material": "Prism", "name": "SF10"}),
        ("double the focal length of Lens", {"set": "Lens", "focalLength": 160.0}),
        ("halve the focal length of Lens", {"set": "Lens", "focalLength": 40.0}),
        ("increase the focal length by 10 %", {"set": "Lens", "focalLength": 88.0}),
        ("make the laser three times as bright", {"set": "Laser", "brightness": 1.5}),
        ("make Laser 0.5 times as bright", {"set": "Laser", "brightness": 0.25}),
        ("make the laser half as bright", {"set": "Laser", "brightness": 0.25}),
        ("set the focal length to 120", {"set": "Lens", "focalLength": 120.0}),
        ("move Lens by 2 mm to the left and 3 cm up", {"move": "Lens", "dx": -2.0, "dy": -30.0}),
        ("switch the laser off", {"disable": "Laser"}),
        ("turn the laser on", {"disable": "Laser", "on": False}),
        ("enlarge Prism by 20 %", {"scale": "Prism", "by": 1.2}),
        ("make Prism 20 % smaller", {"scale": "Prism", "by": 0.8}),
        ("make Prism smaller by 20 %", {"scale": "Prism", "by": 0.8}),
        ("make Prism twice as big", {"scale": "Prism", "by": 2.0}),
        ("hide Prism", {"hide": "Prism"}),
        ("flip Prism left to right", {"mirror": "Prism", "axis": 90.0}),
        ("mirror Prism left to right", {"mirror": "Prism", "axis": 90.0}),
        ("please mirror the prism vertically", {"mirror": "Prism", "axis": 0.0}),
        ("set Ruled to 300 lines per mm", {"set": "Ruled", "lineDensity": 300.0}),
        ("set Ruled to 1 line per mm", {"set": "Ruled", "lineDensity": 1.0}),
        ("make the grating 300 grooves/mm", {"set": "Ruled", "lineDensity": 300.0}),
        ("change the line density to 300 lines per mm", {"set": "Ruled", "lineDensity": 300.0}),
        (
            "increase the line density of Ruled by 100 lines/mm",
            {"set": "Ruled", "lineDensity": 1100.0},
        ),
        ("unhide Prism", {"hide": "Prism", "on": False}),
    ],
)
def test_a_request_is_understood(request_: str, change: dict[str, Any]) -> None:
    found = understand(request_, DOCUMENT)
    assert found.tool == "change_scene", found.problem
    assert (found.arguments or {})["changes"] == [change]


@pytest.mark.parametrize(
    ("request_", "changes"),
    [
        ("move the prism 5 mm left and turn it by 7 degrees", [{"move": "Prism", "dx": -5.0, "dy": 0.0}, {"rotate": "Prism", "by": 7.0}]),
        ("turn Prism by 7 degrees, then hide it", [{"rotate": "Prism", "by": 7.0}, {"hide": "Prism"}]),
        ("turn Prism by 7 degrees and set its index to 1.6", [{"rotate": "Prism", "by": 7.0}, {"set": "Prism", "refIndex": 1.6}]),
        ("what if i turn Lens by 7° and move it 2 mm up", [{"rotate": "Lens", "by": 7.0}, {"move": "Lens", "dx": 0.0, "dy": -2.0}]),
        (
            "turn Prism by 7 degrees and move Lens and Laser 3 mm up and turn them by 2 degrees",
            [{"rotate": "Prism", "by": 7.0}, {"move": ["Lens", "Laser"], "dx": 0.0, "dy": -3.0}, {"rotate": ["Lens", "Laser"], "by": 2.0}],
        ),
    ],
)  # fmt: skip
def test_a_pronoun_stands_for_the_objects_of_the_change_before(
    request_: str, changes: list[dict[str, Any]]
) -> None:
    assert (understand(request_, DOCUMENT).arguments or {}).get("changes") == changes


@pytest.mark.parametrize(
    "request_", ["duplicate Prism and move it 5 mm left", "delete Prism and move it 5 mm left"]
)
def test_after_a_copy_or_a_deletion_a_pronoun_is_not_guessed(request_: str) -> None:
    assert "“move it 5 mm left”" in understand(request_, DOCUMENT).problem


@pytest.mark.parametrize(("how", "focal"), [("stronger", 80 / 1.1), ("weaker", 80 / 0.9)])
def test_a_stronger_lens_has_more_power(how: str, focal: float) -> None:
    (change,) = (understand(f"make the lens 10 % {how}", DOCUMENT).arguments or {})["changes"]
    assert change == {"set": "Lens", "focalLength": pytest.approx(focal)}
    assert "no power" in understand("make the lens 100 % weaker", DOCUMENT).problem
    assert "no size" in understand("make the lens 100 % smaller", DOCUMENT).problem


@pytest.mark.parametrize(
    ("request_", "says"),
    [
        ("move the prism 10 mm towards Prism", "have the same centre"),
        ("move Laser and Lens to a distance of 10 mm from Prism", "Only one object"),
        ("move Lens 10 mm towards both sources", "Which source"),
    ],
)
def test_a_move_towards_something_is_asked_back(request_: str, says: str) -> None:
    lamp = Beam(name="Lamp", p1=Point(-90, -5), p2=Point(-90, 5))
    assert (
        says
        in understand(request_, Document(scene=Scene.of([*DOCUMENT.scene.objects, lamp]))).problem
    )


def test_a_move_without_a_direction_is_asked_back() -> None:
    assert (
        understand("move the prism by 5 mm", DOCUMENT).problem
        == "Which way? Such as: move Prism by 5 mm to the right."
    )
    assert understand("what if Lens is moved by 5 mm?", DOCUMENT).problem.startswith("Which way?")


def test_a_field_of_several_objects_is_asked_back() -> None:
    two = Document(
        scene=Scene.of(
            [*DOCUMENT.scene.objects, IdealLens(name="Other", p1=Point(50, -20), p2=Point(50, 20))]
        )
    )
    assert (
        understand("increase the focal length by 10 %", two).problem
        == "Whose focal length? There are: Lens, Other."
    )


def test_what_was_asked_for_is_undone_and_redone() -> None:
    session = Session(DOCUMENT)

    async def said(*texts: str) -> list[float]:
        conversation, focal = Conversation(OpenDocument(session, 10_000)), []
        for text in texts:
            await conversation.say(text, lambda event: None, profile="auto")
            focal.append(
                next(
                    o.focal_length
                    for o in session.document.scene.objects
                    if isinstance(o, IdealLens)
                )
            )
        await conversation.close()
        return focal

    assert asyncio.run(
        said("set the focal length to 120", "undo that", "redo", "undo my last change")
    ) == [120, 80, 120, 80]
