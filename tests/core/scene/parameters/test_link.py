"""Links: formulas that give parameters from others, in any order, without contradictions."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.study.scenes import lens_scene

from raybench.errors import RaybenchError
from raybench.files.scene_json import scene_from_json
from raybench.scene.changes import Set, apply_changes
from raybench.scene.document import Document
from raybench.scene.names import UnknownName
from raybench.scene.parameters.link import InvalidLink, read_link
from raybench.scene.parameters.parameter import read_parameter
from raybench.study.experiment import Experiment


def experiment(*links: str) -> Experiment:
    doc = lens_scene()
    return Experiment.build(doc, [read_parameter("Lens.x", doc)], "rms(Screen)", links)


def moved(found: Experiment, value: float) -> tuple[float, float]:
    scene = found.document_with_values((value,)).scene
    lens, screen = (next(o for o in scene.objects if o.name == name) for name in ("Lens", "Screen"))
    return lens.p1.x - 100, screen.p1.x - 180  # type: ignore[attr-defined]


def test_a_link_uses_a_field_as_a_motion_of_its_object_has_left_it() -> None:
    found = experiment("Screen.p1.x = Lens.p1.x + 100", "Screen.p2.x = Screen.p1.x")
    screen = found.document_with_values((30.0,)).scene.objects[2]
    assert (screen.p1.x, screen.p2.x) == (230, 230)  # type: ignore[attr-defined]


def test_a_module_parameter_at_its_default_is_a_parameter() -> None:
    module = {
        "numPoints": 0,
        "params": ["d=0:1:40:7"],
        "objs": [{"type": "Mirror", "p1": {"x": "`d`", "y": 0}, "p2": {"x": 0, "y": 9}}],
    }
    instance = {"type": "ModuleObj", "name": "Shifted", "module": "M", "points": []}
    document = Document(
        scene=scene_from_json({"version": 5, "modules": {"M": module}, "objs": [instance]})
    )
    assert read_parameter("Shifted.params.d", document).value_in_document(document) == 7


def test_a_linked_parameter_follows() -> None:
    assert moved(experiment("Screen.x = Lens.x + 40"), 7) == (7, 47)
    assert moved(experiment("'Screen'.x = -2*Lens.x"), 7) == (7, -14)


def test_links_may_refer_to_fields_that_stand_as_they_are() -> None:
    assert moved(experiment("Screen.x = Lens.x + Lens.focalLength / 10"), 7) == (7, 17)


@pytest.mark.parametrize(
    "link", ["n=1.5.x = Lens.x + 40", "'n=1.5'.x = Lens.x + 40", " n=1.5.x = Lens.x + 40 "]
)
def test_a_name_in_a_link_may_contain_an_equals_sign(link: str) -> None:
    doc = apply_changes(Set("Screen", {"name": "n=1.5"}), lens_scene())
    found = Experiment.build(
        doc,
        [read_parameter("Lens.x", doc)],
        "rms('n=1.5')",
        [link, "Lens.focalLength = n=1.5.p1.x"],
    )
    screen, lens = (
        next(o for o in found.document_with_values((7.0,)).scene.objects if o.name == name)
        for name in ("n=1.5", "Lens")
    )
    assert (screen.p1.x - 180, lens.focal_length) == (47, 227)  # type: ignore[attr-defined]


def test_names_in_a_formula_are_matched_exactly() -> None:
    with pytest.raises(UnknownName, match=r"No object named 'LENS'.*Did you mean 'Lens'"):
        experiment("Screen.x = Lens.x + LENS.focalLength / 10")
    doc = apply_changes(Set("Screen", {"name": "lens"}), lens_scene())
    link = read_link("Lamp.x = Lens.p1.x + 2 * lens.p1.x", doc)
    assert [p.value_in_document(doc) for _, p in link.uses] == [100, 180]


def test_links_are_evaluated_in_the_order_of_their_needs() -> None:
    found = experiment(
        "Screen.x = Lens.focalLength / 10", "Lens.focalLength = 200 + Lens.x"
    ).document_with_values((30,))
    screen = next(o for o in found.scene.objects if o.name == "Screen")
    assert screen.p1.x - 180 == 23  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("links", "says"),
    [
        (("Lens.x = 3",), "varied and linked"),
        (("Screen.x = 3", "Screen.x = 4"), "linked twice"),
        (("Screen.x = Screen.y", "Screen.y = Screen.x"), "circle"),
        (("Screen.x = Screen.x + 1",), "circle"),
        (("Screen.x",), "is not a link"),
        (("Screen.x = ",), "is not a link"),
        (("Screen.x = Lens.x +",), "Lens.x +"),
        (("Screen.x = nonsense(3)",), "nonsense"),
        (("Screen.x = 1/0",), "gives inf. Write a formula that gives a finite number."),
        (("Screen.x = p0 + Lens.x",), "Unknown variable 'p0': there are Lens.x"),
    ],
)
def test_links_that_contradict_or_cannot_be_read_are_refused_in_one_line(
    links: tuple[str, ...], says: str
) -> None:
    with pytest.raises(InvalidLink, match=says.replace("+", r"\+")) as raised:
        experiment(*links)
    assert "\n" not in str(raised.value)


def test_unknown_names_are_told() -> None:
    with pytest.raises(UnknownName, match="No object named 'Scren'"):
        experiment("Scren.x = 3")
    with pytest.raises(UnknownName, match="No object named 'Lense'"):
        experiment("Screen.x = 2 * Lense.x + Lens.x")


def test_a_value_that_is_not_finite_leaves_the_measures_undefined() -> None:
    found = experiment("Screen.x = 1/Lens.x").evaluate((0.0,))
    assert not found[0].defined
    assert "Screen.x = 1/Lens.x gives inf" in found[0].reason


@given(st.text(max_size=40))
def test_any_text_is_a_link_or_a_specific_error(text: str) -> None:
    doc = lens_scene()
    for written in (text, f"Screen.x = {text}", f"Screen.x = Lens.x {text}"):
        with contextlib.suppress(RaybenchError):
            read_link(written, doc)
