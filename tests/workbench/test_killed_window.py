"""A real window that is killed at any instant while it is edited and saved: its file is whole, and
the next window offers the rest.
"""

from __future__ import annotations

import json
import os
import random
from pathlib import Path

import pytest
from killed_program import killed
from prism_window import prism_document

from raybench.agent.turn.transcript_files import TranscriptFiles
from raybench.files.document_file import load_document, save_document
from raybench.files.recovery import claim_leftovers
from raybench.kinds.aspects.outlines import edges_bounding_box
from raybench.kinds.outline import object_edges
from raybench.scene.document import Document

KILLS = 50 if os.environ.get("RAYBENCH_LONG") else 2
MOST_KILLS = 60
LONGEST = 1.0
pytestmark = pytest.mark.long

PROGRAM = """
import sys
from pathlib import Path
from PySide6.QtCore import QTimer
from raybench.scene.changes import Move
from raybench.session import Session
from raybench_workbench import app, saving
from raybench_workbench.document import WorkDocument
from raybench_workbench.main_window import MainWindow
from raybench_workbench.preferences.settings import Settings

path, folder = Path(sys.argv[1]), Path(sys.argv[2])
recovery.RecoveryWriter.__init__.__defaults__ = (0.02, 0.05)

def number(document):
    return round(document.scene.objects[0].p1.x)

application = app.make_application()
document = WorkDocument(Session.open(path))
window = MainWindow(document, Settings(folder / "settings.json"), folder)
window.show()

def edit():
    keys = {o.key for o in document.scene.objects}
    assert document.change(Move(keys, 1, 0))
    if number(document.document) % 17 == 0:
        assert saving.save_document(window)
        say(number(document.document))

timer = QTimer(interval=5)
timer.timeout.connect(edit)
timer.start()
QTimer.singleShot(200, lambda: say("ready"))
application.exec()
"""


START = 20
"""Where the first object of the scene is when it is opened."""


def version_of(document: Document) -> int:
    """Where the first object is; all of them were moved as far."""
    objects = zip(document.scene.objects, prism_document().scene.objects, strict=True)
    (moved,) = {
        round(edges_bounding_box(object_edges(now))[0] - edges_bounding_box(object_edges(then))[0])
        for now, then in objects
    }
    return START + moved


def test_a_killed_window_leaves_a_whole_file_and_the_next_one_offers_the_rest(
    open_window, tmp_path: Path, qtbot
) -> None:
    path, folder = tmp_path / "bench.json", tmp_path / "recovery"
    folder.mkdir()
    chance = random.Random(3)
    recovered = 0
    for kill in range(MOST_KILLS):
        if kill >= KILLS and recovered:
            break
        save_document(prism_document(), path)
        announced = killed(PROGRAM, [str(path), str(folder)], chance.uniform(0.0, LONGEST))
        latest = version_of(load_document(path))
        window = open_window()
        (left,) = [*folder.glob("*.raybench")] or [None]
        if left is not None:
            window.recovery.search_leftovers()
            qtbot.waitUntil(window.recovery_offer.isVisible)
            (row,) = window.recovery_offer.rows.values()
            assert row.leftover.draft.path == path
            row.recover.click()
            assert window.isWindowModified()
            latest = max(latest, version_of(window.document.document))
            recovered += 1
        assert latest >= max([*announced, START])
        window.document.session.discard()
        assert window.close()
        assert list(folder.glob("*.raybench")) == []
    assert recovered, "nothing was ever recovered"


TALKING = """
import sys
from pathlib import Path
from PySide6.QtCore import QTimer
from raybench.agent.models.scripted import ScriptedBackend, call
from raybench.agent.turn.transcript_files import TranscriptFiles
from raybench.session import Session
from raybench.study.request import StudyRequest
from raybench.study.table import build_table
from raybench.study.table import save_table
from raybench_workbench import app
from raybench_workbench.document import WorkDocument
from raybench_workbench.main_window import MainWindow
from raybench_workbench.preferences.settings import Settings
from raybench_workbench.studies.runner import StudyRunner

path, folder, conversations, table = map(Path, sys.argv[1:])
recovery.RecoveryWriter.__init__.__defaults__ = (0.02, 0.05)

def number(document):
    return round(document.scene.objects[0].p1.x)

application = app.make_application()
document = WorkDocument(Session.open(path))
window = MainWindow(document, Settings(folder / "settings.json"), folder, conversations)
window.show()
names = [o.title for o in document.scene.objects]
move = [{"move": name, "dx": 1, "dy": 0} for name in names]
turn = [["So. ", call("change_scene", "c1", changes=move)], [call("measure_xml", "c2", measures="power(Screen)")], "Done."]
dock = window.chat_dock
runner = StudyRunner(window)
study = StudyRequest("sweep", ("Main Prism.angle=0..5:5",), ("power(Screen)",))

def finished(progress):
    save_table(build_table(progress.experiment, progress.rows), table)
    runner.start(study, document.document)

def work():
    if dock.agent.registry is None or dock.busy:
        return
    if not runner.busy:
        dock.connect_model(ScriptedBackend(turn * 1000))
        dock.composer.profile.setCurrentIndex(dock.composer.profile.findData("auto"))
        runner.start(study, document.document)
        say("ready")
    dock.ask("Move it on")

runner.finished.connect(finished)
timer = QTimer(interval=5)
timer.timeout.connect(work)
timer.start()
application.exec()
"""


def test_a_window_that_is_killed_in_turns_and_studies_leaves_readable_conversations_and_whole_tables(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path, folder, conversations, table = (
        tmp_path / name for name in ("bench.json", "recovery", "conversations", "table.json")
    )
    folder.mkdir()
    chance = random.Random(f"talking {os.environ.get('RAYBENCH_SEED', '')}")
    exchanges, tables, recovered = 0, 0, 0
    for kill in range(MOST_KILLS):
        if kill >= KILLS and min(exchanges, tables, recovered) > 0:
            break
        save_document(prism_document(), path)
        announced = killed(
            TALKING,
            [str(path), str(folder), str(conversations), str(table)],
            chance.uniform(0.2, 2 * LONGEST),
        )
        files = TranscriptFiles(conversations)
        document = load_document(path)
        saved = files.list_transcripts(path, document)
        exchanges += sum(len(t.read(document).exchanges) for t in saved)
        files.close()
        if table.exists():
            assert len(json.loads(table.read_text())["rows"]) == 5
            tables += 1
        left = claim_leftovers(folder)
        for each in left:
            assert each.draft is not None, each.fault
            assert each.draft.path == path
            assert version_of(each.draft.document) >= max([*announced, START])
            recovered += 1
            each.slot.remove()
        assert left or not announced
        table.unlink(missing_ok=True)
    assert not caplog.records
    assert min(exchanges, tables, recovered) > 0
