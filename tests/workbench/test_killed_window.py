"""Real windows that are killed at any instant while scenes are edited and saved: files are whole,
and the next window offers the rest.
"""

from __future__ import annotations

import json
import os
import random
from dataclasses import replace
from pathlib import Path

import pytest
from killed_program import killed
from prism_window import prism_document

from raybench.agent.questions.starters import starter_questions
from raybench.agent.turn.transcript_files import TranscriptFiles
from raybench.files.document_file import load_document, save_document
from raybench.files.recovery import claim_leftovers
from raybench.kinds.aspects.outlines import edges_bounding_box
from raybench.kinds.outline import object_edges
from raybench.scene.document import Document
from raybench_workbench.document import WorkDocument
from raybench_workbench.main_window import MainWindow
from raybench_workbench.preferences.settings import Settings
from raybench_workbench.testing import discard_edits
from raybench_workbench.window import tabs

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
from raybench.agent.turn.transcript_files import TRANSCRIPT_SUFFIX, TranscriptFiles
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

ready = False

def work():
    global ready
    if dock.agent.registry is None or dock.busy:
        return
    if not runner.busy:
        dock.connect_model(ScriptedBackend(turn * 1000))
        dock.composer.profile.setCurrentIndex(dock.composer.profile.findData("auto"))
        runner.start(study, document.document)
    if not ready and table.exists() and any(conversations.glob(f"*/*{TRANSCRIPT_SUFFIX}")):
        ready = True
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
            chance.uniform(0, LONGEST),
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


THREE_TABS = """
import dataclasses
import json
import sys
from pathlib import Path
from PySide6.QtCore import QTimer
from prism_window import prism_document
from raybench.agent.questions.starters import starter_questions
from raybench.scene.changes import Move
from raybench.session import Session
from raybench_workbench import app
from raybench_workbench.document import WorkDocument
from raybench_workbench.main_window import MainWindow
from raybench_workbench.preferences.settings import Settings
from raybench_workbench.window import tabs

folder, *paths = map(Path, sys.argv[1:])
recovery.RecoveryWriter.__init__.__defaults__ = (0.02, 0.05)
settings = Settings(folder / "settings.json")

def number(document):  # of all scenes, told apart by their names
    return 100_000 * int(document.scene.name) + round(document.scene.objects[0].p1.x)

def make_page():
    return MainWindow(WorkDocument(), settings, folder / "recovery", folder / "conversations")

application = app.make_application()
page = tabs.open_window(make_page)
tabs.start_storing_open_files(settings)
for path in paths:
    tabs.open_file_in_tab(page, path)
unnamed = tabs.open_tab(page)  # a scene without a file
scene = dataclasses.replace(prism_document().scene, name="2")
unnamed.document.replace_session(Session(dataclasses.replace(prism_document(), scene=scene)))
questions = starter_questions(prism_document())
ready = False

def work():
    global ready
    pages = tabs.open_pages()
    for page, question in zip(pages, questions):
        document, dock = page.document, page.chat_dock
        assert document.change(Move({o.key for o in document.scene.objects}, 1, 0))
        if dock.agent.registry is not None and not dock.busy and not dock.exchanges:
            dock.ask(question)
    if not ready and all(page.chat_dock.exchanges for page in pages):
        kept = [json.loads(f.read_text())["recovery"] for f in (folder / "recovery").glob("*.raybench")]
        if {k["conversation"] for k in kept} == {p.chat_dock.conversation.id for p in pages}:
            ready = True
            say("ready")

timer = QTimer(interval=5)
timer.timeout.connect(work)
timer.start()
application.exec()
"""


def test_three_scenes_that_are_killed_come_back_with_their_conversations(
    tab_page: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, qtbot
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent))
    monkeypatch.setattr(tabs, "_settings", None)  # as while the program starts
    chance = random.Random(5)
    questions = starter_questions(prism_document())
    for kill in range(KILLS // 2):
        folder = tmp_path / str(kill)
        folder.mkdir()
        paths = [folder / f"{i}.raybench" for i in range(2)]
        for i, path in enumerate(paths):
            scene = replace(prism_document().scene, name=str(i))
            save_document(replace(prism_document(), scene=scene), path)
        announced = killed(THREE_TABS, [str(folder), *map(str, paths)], chance.uniform(0, LONGEST))
        settings = Settings(folder / "settings.json")
        page = tabs.open_window(
            lambda folder=folder, settings=settings: MainWindow(
                WorkDocument(), settings, folder / "recovery", folder / "conversations"
            )
        )
        (stored,) = settings.open_files
        assert stored.files == paths
        tabs.open_files_again(page, stored)
        page.recovery.search_leftovers()
        qtbot.waitUntil(page.recovery_offer.isVisible)
        page.recovery_offer.all.click()
        window = page.window()
        qtbot.waitUntil(lambda window=window: all(p.chat_dock.exchanges for p in window.pages))
        pages = {p.document.scene.name: p for p in window.pages}
        assert set(pages) == {"0", "1", "2"}
        for i, recovered in enumerate(pages[name] for name in sorted(pages)):
            told = [n % 100_000 for n in announced if n // 100_000 == i]
            assert version_of(recovered.document.document) >= max(told, default=START)
            assert recovered.document.session.path == dict(enumerate(paths)).get(i)
            assert recovered.isWindowModified()
            assert [e.question for e in recovered.chat_dock.exchanges] == [questions[i]]
            discard_edits(recovered)
        assert window.close()
