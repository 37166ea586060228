"""What other programs put on the clipboard."""

from __future__ import annotations

import json
from types import SimpleNamespace

import pytest
from prism_window import prism_document
from PySide6.QtCore import QMimeData
from PySide6.QtWidgets import QApplication

from raybench.analysis.measurements import evaluate_measurement
from raybench.files.plain_scene import plain_scene
from raybench.files.scene_json import scene_from_json
from raybench.kinds.decorations import Handle
from raybench.kinds.glasses import Glass
from raybench.scene.changes import (
    Add,
    Delete,
    Disable,
    Group,
    Hide,
    LabelEdge,
    LinkNumber,
    SetDocument,
    SetMaterial,
)
from raybench.scene.codec import object_to_json
from raybench.scene.document import Document
from raybench.scene.handles import with_handle_groups
from raybench.scene.materials import current_material
from raybench.scene.measurements import Measurement, pin_at_point
from raybench.shapes.point import Point
from raybench_workbench.clipboard import (
    EXTRAS_MIME_TYPE,
    copy_selection,
    cut_selection,
)
from raybench_workbench.files import open_file, paste_clipboard
from raybench_workbench.main_window import MainWindow
from raybench_workbench.measuring.mode import measurements_change

pytestmark = pytest.mark.one_window


MIRROR = {"type": "Mirror", "p1": {"x": 0, "y": 0}, "p2": {"x": 0, "y": 9}}


def test_an_unreadable_clipboard_is_an_empty_one(open_window, monkeypatch) -> None:
    window = open_window(prism_document())
    before, told = window.document.document, []
    window.document.failed.connect(told.append)
    monkeypatch.setattr(
        QApplication, "clipboard", lambda: SimpleNamespace(text=str, mimeData=lambda: None)
    )
    paste_clipboard(window)
    assert len(told) == 1
    assert window.document.document is before


def test_objects_of_a_file_ignore_the_clipboard(open_window, tmp_path) -> None:
    window = open_window(prism_document())
    prism = next(o for o in window.document.scene.objects if isinstance(o, Glass))
    window.document.change([SetMaterial([prism.key], "N-SF11")])
    window.selection.set([prism.key])
    copy_selection(window)
    path = tmp_path / "glass.txt"
    fitted = next(o for o in window.document.scene.objects if o.key == prism.key)
    path.write_text(json.dumps([object_to_json(fitted)]))
    open_file(window, path)
    assert current_material(window.document.scene.objects[-1]) is None
    paste_clipboard(window)
    pasted = current_material(window.document.scene.objects[-1])
    assert pasted is not None
    assert pasted.material.name == "N-SF11"


def test_cut_and_pasted_objects_keep_their_notes(open_window) -> None:
    window = open_window(prism_document())
    document = window.document
    document.change(
        [
            Disable("Main Prism"),
            Hide("Screen"),
            LabelEdge("Main Prism", "S", "Base"),
            Group(["Main Prism", "Screen"], "Spectrum"),
        ]
    )
    before = document.document
    window.selection.set(before.groups["Spectrum"])
    cut_selection(window)
    assert not plain_scene(document.document).left_out
    for name in ("Spectrum", "Spectrum 2"):
        paste_clipboard(window)
        prism, screen = (o.key for o in document.scene.objects[-2:])
        assert window.selection.keys == document.document.groups[name] == {prism, screen}
        assert document.document.edge_labels[prism] == next(iter(before.edge_labels.values()))
        assert prism in document.document.disabled
        assert screen in document.document.hidden
    assert document.session.history.undo_text == "2 objects pasted"


def test_measurements_are_copied_with_their_objects(open_window) -> None:
    window = open_window(prism_document())
    document, scene = window.document, window.document.scene
    screen, mirror = scene.objects[2:]
    ends = (
        ((scene.objects[1], Point(200, 100)), (screen, screen.p1)),
        ((screen, screen.p1), (mirror, mirror.p1)),
    )
    both = {
        n: Measurement("distance", tuple(pin_at_point(scene, at, o.key) for o, at in e))
        for n, e in zip(("gap", "far"), ends, strict=True)
    }
    document.change(measurements_change(document.document, both))
    before = document.document
    window.selection.set(o.key for o in scene.objects[1:3])
    copy_selection(window)
    paste_clipboard(window)
    assert list(document.document.measurements) == ["gap", "far", "gap 2"]
    assert {p.key for p in document.document.measurements["gap 2"].pins} == set(
        window.selection.keys
    )
    assert (
        evaluate_measurement(document.document, None, document.document.measurements["gap 2"]).text
        == "200 mm"
    )
    document.undo()
    assert document.document is before
    window.selection.set(o.key for o in scene.objects[1:3])
    cut_selection(window)
    assert list(document.document.measurements) == ["far"], "its places are on the clipboard"
    paste_clipboard(window)
    assert list(document.document.measurements) == ["far", "gap"]
    document.undo()
    document.undo()
    assert document.document is before


def test_links_among_what_is_copied_are_pasted_and_others_are_numbers(open_window) -> None:
    window = open_window(prism_document())
    beam, prism, *_ = window.document.scene.objects
    links = {
        f"{prism.title}.refIndex": f"{beam.title}.p1.y / 100",
        f"{beam.title}.brightness": "2 * settings.rayModeDensity",
    }
    window.document.change([LinkNumber(place, text) for place, text in links.items()])
    window.selection.set([beam.key, prism.key])
    copy_selection(window)
    for _ in range(2):
        paste_clipboard(window)
    titles = [o.title for o in window.document.scene.objects]
    new = [(titles[i], titles[i + 1]) for i in (len(titles) - 4, len(titles) - 2)]
    assert [link.text for link in window.document.document.links][2:] == [
        f"{copy}.refIndex = {source}.p1.y / 100" for source, copy in new
    ]


def test_a_group_is_pasted_beside_its_namesake(open_window) -> None:
    window = open_window(prism_document())
    window.document.change(Group(["Main Prism", "Mirror 1"], "Mirror 2"))
    window.selection.set(window.document.document.groups["Mirror 2"])
    cut_selection(window)
    paste_clipboard(window)  # the mirror is anew the first without a name
    other = open_window(prism_document())
    paste_clipboard(other)  # here the second
    for document in (window.document.document, other.document.document):
        ((name, held),) = document.groups.items()
        assert held == {o.key for o in document.scene.objects[-2:]}
        assert name not in {o.title for o in document.scene.objects}


@pytest.mark.parametrize("take", [copy_selection, cut_selection])
def test_a_handle_pasted_alone_holds_the_same(open_window, take) -> None:
    window = open_window(prism_document())
    document = window.document
    held = {"targetObjIndex": 4, "newPoint": {"x": 60, "y": 380}, "dragContext": {"part": 1}}
    document.change(
        Add(
            Handle(
                p1=Point(0, 0),
                p2=Point(9, 9),
                obj_indices=(2, 3),
                control_points=(held,),
                name="Grip",
            ),
            at=0,
        )
    )
    grip, _, prism, screen, mirror = document.scene.objects
    window.selection.set([grip.key, screen.key])
    take(window)
    document.change(Delete("Lamp"))  # the indices are others
    paste_clipboard(window)
    scene = document.scene
    pasted, screen = scene.objects[-2:]
    moved = with_handle_groups(scene, [pasted])
    assert {o.key for o in moved.objects} == {
        pasted.key,
        prism.key,
        screen.key,
    }, "the copy of the screen"
    assert [c.at for c in moved.points[mirror.key]] == [Point(60, 380)]


def test_a_handle_of_another_run_holds_copies(
    open_window,
) -> None:
    window = open_window(prism_document())
    window.document.change(
        Add(Handle(p1=Point(0, 0), p2=Point(9, 9), obj_indices=(1, 2), name="Grip"))
    )
    window.selection.set([window.document.scene.objects[-1].key])
    copy_selection(window)
    mime = QMimeData()
    noted = json.loads(bytes(QApplication.clipboard().mimeData().data(EXTRAS_MIME_TYPE).data()))
    mime.setText(QApplication.clipboard().text())
    noted["held"]["run"] = "another"
    mime.setData(EXTRAS_MIME_TYPE, json.dumps(noted).encode())
    QApplication.clipboard().setMimeData(mime)
    paste_clipboard(window)
    assert window.document.scene.objects[-1].target_indices == frozenset()


def paste_with(window: MainWindow, what: str, data: bytes) -> list[str]:
    """Paste a mirror that another program copied with some data; returns what is told."""
    told: list[str] = []
    window.document.failed.connect(told.append)
    mime = QMimeData()
    mime.setText(json.dumps([MIRROR]))
    mime.setData(EXTRAS_MIME_TYPE, b'{"%s": %s}' % (what.encode(), data))
    QApplication.clipboard().setMimeData(mime)
    paste_clipboard(window)
    return told


@pytest.mark.parametrize("labels", [b'{"0": "2"}', b'{"0": "In", "1": "In"}'])
def test_a_refused_edge_label_stops_no_paste(open_window, labels: bytes) -> None:
    """Files of older versions may have labels of digits, and one label for several edges."""
    window = open_window(prism_document())
    before = len(window.document.scene.objects)
    assert not paste_with(window, "notes", b'{"labels": {"0": %s}, "disabled": [0]}' % labels)
    assert len(window.document.scene.objects) == before + 1
    assert window.document.scene.objects[-1].key in window.document.document.disabled


def test_objects_are_pasted_bare_where_their_coating_has_no_values(open_window) -> None:
    window = open_window(prism_document())
    table = b'{"table": {"angles": [0], "wavelengths": [%d, 9000], "Rs": [[0.1], [0.1]]}}'
    for low, told, coated in ((300, "", 1), (2000, "Pasted without a coating: 'Mirror", 0)):
        before = window.document.document.coatings
        notes = b'{"coatings": {"0": {"0": %s}}}' % (table % low)
        heard = "".join(paste_with(window, "notes", notes))
        assert heard.startswith(told)
        assert bool(heard) == bool(told)
        assert len(window.document.document.coatings) == len(before) + coated
        assert window.document.scene.objects[-1].type == "Mirror"


NOTES = (b"{", b"[]", b'{"disabled": [7]}', b'{"labels": {"x": {"0": "a"}}}', b'{"groups": {"": [0]}}', b'{"measurements": {"a": 7}}',
         b'{"measurements": {"a": {"kind": "angle", "pins": [{"x": 1%s}]}}}' % (400 * b"0"))  # fmt: skip


def test_foreign_notes_are_refused_in_words(open_window) -> None:
    window = open_window(prism_document())
    before = window.document.document
    for data in NOTES:
        assert len(paste_with(window, "notes", data)) == 1, data
        assert window.document.document is before


@pytest.mark.parametrize("what", ["materials", "modules"])
def test_foreign_materials_and_modules_are_refused_in_words(open_window, what: str) -> None:
    window = open_window(prism_document())
    before = window.document.document
    for data in (b"{", b"[]", b'{"0": 3}', b'{"x": {}}', b"[" * 100_000, b"\xff\xfe"):
        told = paste_with(window, what, data)
        if told:
            assert told == [
                "The clipboard holds materials, modules or notes in a form that cannot be read."
                " Copy the objects again."
            ]
            assert window.document.document is before
        else:
            assert what == "modules", "of which only those that objects use are read"
            assert len(window.document.scene.objects) == len(before.scene.objects) + 1
            window.document.undo()


def test_a_pasted_instance_keeps_its_parts(
    open_window,
) -> None:
    inner = {"type": "ModuleObj", "module": "Tooth", "points": []}
    instance = {"type": "ModuleObj", "module": "Comb", "points": [], "name": "Comb"}

    def window_with(kind: str) -> MainWindow:
        modules = {"Comb": {"objs": [inner]}, "Tooth": {"objs": [{**MIRROR, "type": kind}]}}
        return open_window(
            Document(scene=scene_from_json({"version": 5, "modules": modules, "objs": [instance]}))
        )

    first, other = window_with("Mirror"), window_with("Blocker")
    first.selection.set([first.document.scene.objects[0].key])
    copy_selection(first)
    for _ in range(3):
        paste_clipboard(other)
    scene = other.document.scene
    assert [p.type for o in scene.objects for p in scene.parts_of(o)] == [
        "Blocker",
        *["Mirror"] * 3,
    ]
    assert list(scene.modules) == [
        "Comb",
        "Tooth",
        "Comb 2",
        "Tooth 2",
    ], "equal ones are used again"
    other.document.undo()
    paste_clipboard(first)
    assert list(first.document.scene.modules) == ["Comb", "Tooth"]


def test_objects_in_another_unit_keep_their_numbers(
    open_window,
) -> None:
    first, other = open_window(prism_document()), open_window(prism_document())
    first.document.change(SetDocument(unit="cm"))
    first.selection.set([first.document.scene.objects[1].key])
    copy_selection(first)
    paste_clipboard(first)
    assert not first.status.currentMessage()
    paste_clipboard(other)
    assert (
        other.status.currentMessage()
        == "1 cm was pasted as 1 mm. Arrange → Scale… by 10 gives the sizes that were copied."
    )
    assert other.document.scene.objects[-1].path == first.document.scene.objects[-1].path
