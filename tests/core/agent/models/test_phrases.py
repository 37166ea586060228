"""Every tool and every measure is asked for in ordinary words, and what the words ask for is what the tool answers."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from core.agent.models.keywords import rows, understand, vocabulary
from core.analysis.measures.table import MEASURES
from core.analysis.phrase import Phrase
from core.analysis.tools.clauses import Meant
from core.analysis.tools.discovery import tools
from core.analysis.tools.measure_phrases import measures_asked
from core.analysis.tools.measure_phrases import phrases as measure_phrases
from core.analysis.tools.plain_question import PlainQuestion
from core.kinds.blockers import Aperture, Blocker
from core.kinds.detectors import Detector
from core.kinds.glasses import Glass
from core.kinds.gratings import DiffractionGrating
from core.kinds.lenses import IdealLens
from core.kinds.mirrors import Mirror
from core.kinds.sources import Beam, PointSource
from core.scene.document import Document
from core.scene.scene import Scene
from core.shapes.point import Point, Vertex

DOCUMENT = Document(
    scene=Scene.of(
        [
            Beam(name="Laser A", p1=Point(-90, 0), p2=Point(-90, 5)),
            PointSource(name="Lamp", x=0, y=-50),
            Aperture(name="Stop", p1=Point(-70, -30), p2=Point(-70, 30), p3=Point(-70, -10), p4=Point(-70, 10)),
            Glass(name="Wedge", path=(Vertex(-30, 20), Vertex(30, 20), Vertex(0, -20))),
            IdealLens(name="Relay", p1=Point(40, -20), p2=Point(40, 20)),
            DiffractionGrating(name="Ruling", p1=Point(70, 0), p2=Point(70, 9)),
            Detector(name="Screen", p1=Point(90, -20), p2=Point(90, 20)),
            Mirror(name="M1", p1=Point(5, 50), p2=Point(8, 53)),
            Blocker(name="Dump", p1=Point(120, -20), p2=Point(120, 20)),
        ]
    )
)
WORDS = {
    "object_name": "Relay", "glass_name": "Wedge", "detector_name": "Screen", "aperture_name": "Stop", "source_name": "Laser A",
    "object": "Relay", "line": "Screen", "detector": "Screen", "aperture": "Stop", "source": "Laser A", "first": "Wedge", "second": "M1",
    "path": "Laser A > * > Screen", "pattern": "Laser A > * > Screen", "edge": "S", "ray_id": "r1-0", "angle": "30°", "within": "3 deg",
    "x": "10", "y": "20", "width": "5 mm", "height": "6", "n1": "1.5", "n2": "1", "top_n": "5", "min_tir_count": "3",
}  # fmt: skip


def sentences(phrase: Phrase) -> Iterator[str]:
    """All wordings of a phrase that its examples cover, about the objects of the document."""
    for example in phrase.examples():
        yield example.format(**WORDS)


@pytest.mark.parametrize("name", [name for name, _ in rows() if name])
def test_every_wording_of_a_tool_asks_for_this_tool(name: str) -> None:
    row = dict(rows())[name]
    assert row.phrases
    for phrase in row.phrases:
        for sentence in sentences(phrase):
            found = understand(sentence, DOCUMENT)
            assert found.tool == name, (sentence, found)


@pytest.mark.parametrize("names", dict.fromkeys(names for names, _ in measure_phrases()), ids="+".join)
def test_every_wording_of_a_measure_asks_for_it(names: tuple[str, ...]) -> None:
    for phrase in (p for of, p in measure_phrases() if of == names):
        for sentence in sentences(phrase):
            found = understand(sentence, DOCUMENT)
            if "rms" in names or "spot_rms" in names:  # alone, a tool tells more of them
                assert found.tool in ("measure_xml", "spot_xml", "focus_xml"), (sentence, found)
            else:
                assert found.tool == "measure_xml", (sentence, found)
            meant = measures_asked(next(PlainQuestion.readings(sentence, DOCUMENT, vocabulary())).clauses())
            meant = meant if isinstance(meant, Meant) else found.arguments or {}
            assert tuple(re.findall(r"(\w+)\(", meant["measures"])) == names, sentence


def test_each_measure_and_each_tool_has_words() -> None:
    assert {name for names, _ in measure_phrases() for name in names} == set(MEASURES)
    assert tools().keys() <= dict(rows()).keys()
