"""Figures of scenes with any text, and decorations of any form: a picture, a drawing that is XML, a
page that opens, the same each time.
"""

from __future__ import annotations

import os
import random
import time
import xml.etree.ElementTree as ET
from dataclasses import replace

import pypdfium2
import pytest
from lxml import etree
from PySide6.QtGui import QImage
from tests.edge_values import edge_object
from tests.grammars import NAME

from raybench.errors import RaybenchError
from raybench.kinds.aspects.emission import TooManyRays
from raybench.kinds.decorations import CropBox
from raybench.kinds.kinds import KINDS
from raybench.kinds.sources import SingleRay
from raybench.scene.codec import object_from_json
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.shapes.point import Point
from raybench.trace.trace import load_kernels, trace
from raybench_workbench.figure import FIGURE_ENCODERS, make_figure
from raybench_workbench.theme import DARK, PAPER

pytestmark = pytest.mark.usefixtures("raybench_app")
COUNT = 1_500 if os.environ.get("RAYBENCH_LONG") else 12
SLOWEST = 4.0
TEXTS = (
    *NAME,
    *(
        "a\x00b",
        "\x0b",
        "\x1b[2J",
        "\ufffe",
        "\ud800",
        "]]>",
        "<b>",
        "&lol;",
        "\u202e",
        "𝒳é中",
        "\r\n\t",
        "e\u0301" * 200,
        "\u200d🏳️‍🌈",
        "x\n" * 900,
    ),
    *(
        "%PDF-1.4\nendobj",
        "/ID [<00>]",
        "uuid:00000000-0000-0000-0000-000000000000",
        "(D:20261123220000Z)",
        "2026-11-23T22:00:00",
        "\\)(",
        "0",
    ),
    *(
        '"/>\n<path d="M0 0 1 1"/>',
        '<polyline fill="none" vector-effect="none" points="0 0 1 1 " />',
        "\uf8ff",
        "\ufeff",
        "  ",
        "-",
        "١٢٣",
    ),
)
FONTS = (
    "Open Sans",
    "Open Sans",
    "serif",
    "DejaVu Serif",
    "Nimbus Roman",
    "Droid Sans Fallback",
    "no such font",
)
SHOWN = (
    "TextLabel",
    "Ruler",
    "Protractor",
    "Detector",
    "CropBox",
    "Drawing",
    "LineArrow",
    "PolygonArrow",
    "Glass",
    "Mirror",
    "Beam",
)


def document_of(chance: random.Random) -> Document:
    objects = []
    for kind in chance.choices([k for k in SHOWN if k in KINDS], k=chance.choice((1, 2, 4))):
        right = {"type": kind, "p1": {"x": 3, "y": 4}, "p2": {"x": 60, "y": 30}, "x": 10, "y": 20}
        text = (
            {"text": chance.choice(TEXTS), "font": chance.choice(FONTS)}
            if kind == "TextLabel"
            else {}
        )
        made = edge_object(kind, right, chance) | text
        try:
            objects.append(object_from_json(made | {"name": chance.choice(TEXTS)}, 0))
        except RaybenchError:
            continue
    objects.append(SingleRay(p1=Point(0, 10), p2=Point(90, 13), name=chance.choice(TEXTS)))
    settings = Settings(show_grid=chance.random() < 0.3, simulate_colors=chance.random() < 0.3)
    document = Document(scene=Scene.of(objects, settings), unit=chance.choice(("mm", "cm", "µm")))
    labels = {
        o.key: {0: chance.choice(TEXTS)}
        for o in objects
        if chance.random() < 0.3 and o.type in ("Glass", "Mirror")
    }
    return replace(document, edge_labels=labels) if labels else document


@pytest.mark.long
@pytest.mark.filterwarnings("error::RuntimeWarning")
@pytest.mark.security
def test_a_figure_of_any_scene_opens_elsewhere_and_is_the_same_each_time() -> None:
    load_kernels()  # a picture that is made while they are compiled may differ by rounding
    chance = random.Random(f"figure {os.environ.get('RAYBENCH_SEED', '')}")
    for _ in range(COUNT):
        document = document_of(chance)
        try:
            result = trace(document.scene, max_segments=300)
        except TooManyRays:
            continue
        size = (
            (chance.choice((1, 37, 200, 900)), chance.choice((1, 120, 700)))
            if chance.random() < 0.7
            else None
        )
        area = chance.choice(("scene", "scene", "view", "crop"))
        theme, scale = chance.choice((PAPER, DARK)), chance.choice((0.5, 1.0, 2.0))
        begun = time.process_time()
        if area == "crop" and not any(isinstance(o, CropBox) for o in document.scene.objects):
            area = "view"
        figure = make_figure(
            document,
            result,
            theme,
            area=area,
            size=size or (320, 200),
            scale=scale,
            transparent=chance.random() < 0.2,
        )
        if figure.viewport.size[0] * figure.viewport.size[1] * scale**2 > 4e6:
            continue
        first = {suffix: FIGURE_ENCODERS[suffix](figure) for suffix in FIGURE_ENCODERS}
        assert time.process_time() - begun < SLOWEST, document
        picture = QImage()
        assert picture.loadFromData(first[".png"])
        root = etree.fromstring(first[".svg"])
        assert ET.fromstring(first[".svg"]).tag == root.tag
        assert not [
            e
            for e in root.iter()
            if isinstance(e.tag, str) and e.tag.endswith(("script", "image", "foreignObject", "a"))
        ]
        page = pypdfium2.PdfDocument(first[".pdf"])
        assert len(page) == 1
        assert page[0].get_size() == pytest.approx(
            [side * 0.75 for side in figure.viewport.size], abs=1
        )
        assert page[0].render(scale=0.2).to_numpy().size > 0
        assert {suffix: FIGURE_ENCODERS[suffix](figure) for suffix in FIGURE_ENCODERS} == first, (
            document
        )
