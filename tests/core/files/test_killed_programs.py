"""Programs killed at random times while saving and editing: files are intact, and no saved or
recovery data is lost.
"""

from __future__ import annotations

import json
import os
import random
from pathlib import Path

import pytest
from killed_program import killed

from raybench.files.document_file import document_to_json, load_document
from raybench.files.recovery import claim_leftovers
from raybench.scene.document import Document

KILLS = 50 if os.environ.get("RAYBENCH_LONG") else 3
MOST_KILLS = 60
"""Of programs killed until one of them saved and one left something to recover: on a slow machine
most die before that.
"""
LONGEST = 0.5
"""Maximum seconds of work after which a program is killed."""
pytestmark = pytest.mark.long

PROGRAM = """
import sys
from pathlib import Path
from raybench.kinds.blockers import Blocker
from raybench.scene.changes import Move
from raybench.scene.document import Document
from raybench.shapes.point import Point
from raybench.scene.scene import Scene
from raybench.session import Session

path, folder, first = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])

def version(n):
    return Document(scene=Scene.of([Blocker(p1=Point(n, i), p2=Point(n, i + 1)) for i in range(300)]), unit="cm")

def number(document):
    return int(document.scene.objects[0].p1.x)

writer = recovery.RecoveryWriter(folder, say, 0.001, 0.002)
session = Session(version(first), path)
say("ready")
for n in range(first + 1, first + 100_000):
    session.apply(Move([o.key for o in session.document.scene.objects], 1, 0))
    writer.put_draft(recovery.Draft(session.document, session.path))
    if n % 20 == 0:
        session.save()
        say(n)
        writer.discard_draft()
"""


def version_of(document: Document) -> int:
    """The number of a version, all of whose objects have it."""
    (objects,) = ({obj["p1"]["x"] for obj in document_to_json(document)["scene"]["objs"]},)
    assert len(objects) == 1, "parts of several versions"
    assert len(document.scene.objects) == 300
    return int(objects.pop())


def test_saved_and_recovery_files_are_intact_after_a_kill(tmp_path: Path) -> None:
    path, folder = tmp_path / "bench.raybench", tmp_path / "recovery"
    chance = random.Random(7)
    recovered, last = 0, 0
    for kill in range(MOST_KILLS):
        if kill >= KILLS and path.exists() and recovered:
            break
        announced = killed(
            PROGRAM, [str(path), str(folder), str(last)], chance.uniform(0.0, LONGEST)
        )
        there = [
            version_of(load_document(file))
            for file in (path, path.with_name("bench.raybench~"))
            if file.exists()
        ]
        for leftover in claim_leftovers(folder):
            assert leftover.draft is not None, leftover.fault
            there.append(version_of(leftover.draft.document))
            recovered += leftover.draft.path == path
            leftover.slot.remove()
        assert max([*there, last]) >= max([*announced, last])
        last = max([*there, last])
        assert list(folder.glob("*.raybench")) == []
    assert last > 0
    assert recovered, "nothing was ever recovered"
    assert json.loads(path.read_text())["unit"] == "cm"
