"""Opening scenes from files, links, and text files with a link or pasted JSON."""

from __future__ import annotations

from pathlib import Path

import pytest

from raybench.errors import SceneFileError
from raybench.files.document_file import save_document
from raybench.files.examples import EXAMPLES
from raybench.files.shared import link_from_scene, read_shared
from raybench.kinds.sources import SingleRay
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.session import Session
from raybench.shapes.point import Point

SCENE = Scene.of([SingleRay(p1=Point(0, 0), p2=Point(1, 2))], name="Two mirrors / a lamp")


def test_a_file_a_link_and_texts_give_the_same_scene(tmp_path: Path) -> None:
    plain, linked, fenced = tmp_path / "a.json", tmp_path / "b.link", tmp_path / "c.txt"
    save_document(Document(scene=SCENE), plain)
    link = link_from_scene(SCENE)
    linked.write_text(f"<{link[:60]}\n{link[60:]}>\n")
    fenced.write_text(f"A scene:\n```json\n{plain.read_text()} // all of it\n```\nEnjoy")
    for source in (plain, str(plain), linked, fenced, link):
        assert read_shared(source).document.scene == SCENE


def test_an_example_is_opened_by_its_name_and_is_nobody_s_file() -> None:
    for example in EXAMPLES:
        assert read_shared(example.name).document.scene.objects, example.name
    session = Session.open("example:prism")
    assert "Main Prism" in {o.name for o in session.document.scene.objects}
    assert (session.path, session.modified) == (None, False)
    with pytest.raises(
        SceneFileError,
        match=(
            r"example:rainbo: there is no such example\. There are example:prism, example:rainbow, "
        ),
    ):
        read_shared("example:rainbo")


def test_a_file_that_is_called_like_an_example_is_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("example:rainbow").write_text(link_from_scene(SCENE))
    assert read_shared("example:rainbow").document.scene == SCENE


def test_saving_goes_back_to_a_scene_file_but_never_over_a_link_or_a_text(tmp_path: Path) -> None:
    plain, linked = tmp_path / "a.json", tmp_path / "b.txt"
    save_document(Document(scene=SCENE), plain)
    linked.write_text(link_from_scene(SCENE))
    session = Session.open(plain)
    assert (session.path, session.modified) == (plain, False)
    for source in (linked, linked.read_text()):
        session = Session.open(source)
        assert (session.path, session.modified) == (None, True)


def test_a_shared_document_is_named_by_its_file_or_by_the_scene_in_the_link(tmp_path: Path) -> None:
    linked = tmp_path / "my scene.link"
    linked.write_text(link_from_scene(SCENE))
    assert read_shared(linked).name == "my scene"
    assert read_shared(linked.read_text()).name == "Two-mirrors-a-lamp"
    assert read_shared(link_from_scene(Scene())).name == "link"


def test_objects_in_a_text_open_as_a_new_document(tmp_path: Path) -> None:
    text = tmp_path / "ray.txt"
    text.write_text('{"type": "SingleRay", "p1": {"x": 0, "y": 0}, "p2": {"x": 1, "y": 2},}')
    shared = read_shared(text)
    assert not isinstance(shared.what, Document)
    assert shared.document.scene.objects == SCENE.objects


def test_a_file_whose_name_looks_like_a_link_is_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    save_document(Document(scene=SCENE), Path("XQAAscene"))
    assert read_shared("XQAAscene").document.scene == SCENE


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        (
            "a.link",
            "https://phydemo.app/ray-optics/simulator/#telescope",
            "a.link: this link contains no scene",
        ),
        ("a.txt", "hello", "a.txt: this is not JSON"),
        ("a.md", " \n", "a.md: there is no text"),
        ("a.json", "{}", "a.json: this JSON is not a scene"),
        ("a.txt", '{"version": 5,\n "objs": 1}', "a.txt: 'objs' must be a list"),
    ],
)
def test_files_without_a_scene_are_refused_by_name(
    name: str, content: str, message: str, tmp_path: Path
) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(SceneFileError) as error:
        read_shared(tmp_path / name)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_an_address_without_a_scene_is_refused_as_a_link_not_as_a_file() -> None:
    with pytest.raises(SceneFileError, match="Copy the whole address"):
        read_shared("https://phydemo.app/ray-optics/gallery/telescope")
