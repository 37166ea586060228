"""The change of materials: by name, by nearest, refused, undone, written as JSON, told."""

from __future__ import annotations

import numpy as np
import pytest

from raybench.analysis.context import TracedScene, override_context
from raybench.analysis.rays.incidence import refractive_index_along_rows
from raybench.analysis.sql.ray_database import fill_tables_for, trace_database
from raybench.analysis.tools.scene.description import describe_scene
from raybench.files.plain_scene import plain_scene
from raybench.kinds.glasses import CircleGlass
from raybench.kinds.mirrors import Mirror
from raybench.kinds.sources import SingleRay
from raybench.materials.catalogue import material_named
from raybench.materials.dispersion import LINE_D
from raybench.scene.changes import (
    ChangeRefused,
    Set,
    SetMaterial,
    apply_changes,
    changes_from_json,
    changes_to_json,
    describe_changes,
)
from raybench.scene.changes.differences import document_differences
from raybench.scene.document import Document
from raybench.scene.materials import current_material
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.session import Session
from raybench.shapes.point import Point
from raybench.trace.trace import trace


def bench(*waves: float, colours: bool = True) -> Document:
    rays = [
        SingleRay(p1=Point(-100, i), p2=Point(-90, i), wavelength=w) for i, w in enumerate(waves)
    ]
    ball = CircleGlass(name="Ball", p1=Point(0, 0), p2=Point(30, 0))
    fold = Mirror(name="Fold", p1=Point(80, -20), p2=Point(80, 20))
    return Document(
        scene=Scene.of(
            [*rays, ball, CircleGlass(name="Drop", p1=Point(0, 99), p2=Point(9, 99)), fold],
            Settings(simulate_colors=colours),
        )
    )


def ball_of(document: Document) -> CircleGlass:
    found = next(o for o in document.scene.objects if o.name == "Ball")
    assert isinstance(found, CircleGlass)
    return found


def test_a_material_is_exact_and_its_fit_stands_in_the_fields() -> None:
    waves = (450.0, 550.0, 650.0)
    ball = ball_of(apply_changes(SetMaterial("Ball", "n-bk 7"), bench(*waves)))
    material = material_named("N-BK7")
    assert current_material(ball) is not None
    for nm in waves:
        assert ball.uniform_index(nm) == pytest.approx(float(material.index(nm)), abs=1e-15)
        assert ball.ref_index + ball.cauchy_b / (nm * 1e-3) ** 2 == pytest.approx(
            float(material.index(nm)), abs=2e-4
        )
    assert ball.uniform_index(None) == material.n_d
    flat = ball_of(apply_changes(SetMaterial("Ball", "N-BK7"), bench(450.0, colours=False)))
    assert (flat.ref_index, flat.cauchy_b) == (material.n_d, 0.0)


def test_it_is_one_step_that_undo_takes_back() -> None:
    session = Session(bench(450.0, 650.0))
    session.apply([SetMaterial(["Ball", "Drop"], "SF11")])
    assert session.history.done[-1].text == "2 objects: material SF11"
    assert current_material(ball_of(session.document)) is not None
    session.undo()
    assert (current_material(ball_of(session.document)), ball_of(session.document).ref_index) == (
        None,
        1.5,
    )
    session.redo()
    assert ball_of(session.document).uniform_index(LINE_D) == pytest.approx(
        material_named("SF11").n_d
    )


def test_an_index_set_by_hand_ends_it_and_no_name_removes_it() -> None:
    made = apply_changes(SetMaterial("Ball", "SF11"), bench(450.0, 650.0))
    edited = ball_of(apply_changes(Set("Ball", {"refIndex": 1.6}), made))
    assert current_material(edited) is None
    assert edited.uniform_index(None) == 1.6
    removed = apply_changes(SetMaterial("Ball"), made)
    assert current_material(ball_of(removed)) is None
    assert ball_of(removed).ref_index == ball_of(made).ref_index
    assert [str(d) for d in document_differences(made, removed)] == ["Ball: material SF11 -> none"]
    assert describe_changes([SetMaterial("Ball")], [made, removed]) == "Ball without a material"


def test_the_nearest_glass_is_that_of_index_and_dispersion() -> None:
    f2 = material_named("F2")
    assert f2.n_d is not None
    assert f2.v_d is not None
    b = (f2.n_d - 1) / f2.v_d / (0.4861327**-2 - 0.6562725**-2)
    near = apply_changes(
        [
            Set("Ball", {"refIndex": f2.n_d + 1e-4 - b / 0.5875618**2, "cauchyB": b}),
            SetMaterial("Ball", nearest=True),
        ],
        bench(500.0),
    )
    own = current_material(ball_of(near))
    assert own is not None
    assert own.material.name == "F2"
    without = apply_changes(
        [Set("Ball", {"refIndex": f2.n_d, "cauchyB": 0}), SetMaterial("Ball", nearest=True)],
        bench(500.0),
    )
    own = current_material(ball_of(without))
    assert own is not None
    assert own.material.n_d == pytest.approx(f2.n_d, abs=1e-3)


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (SetMaterial("Ball", "N-BK77"), "There is no material 'N-BK77'. Did you mean"),
        (SetMaterial("Fold", "N-BK7"), "'Fold' (mirror) has no material"),
        (SetMaterial("Ball", "Gold"), "is opaque"),
        (SetMaterial("Ball", "SF11", nearest=True), "a name or nearest"),
    ],
)
def test_what_cannot_be_is_refused(change: SetMaterial, text: str) -> None:
    with pytest.raises(ChangeRefused) as error:
        apply_changes(change, bench(500.0))
    assert text in str(error.value)


def test_a_material_without_data_for_the_light_is_refused() -> None:
    with pytest.raises(ChangeRefused, match=r"SF11: 200 nm is outside .* Choose another material"):
        apply_changes(SetMaterial("Ball", "SF11"), bench(200.0))


def test_it_is_written_as_json() -> None:
    document = bench(500.0)
    data = [{"material": "Ball", "name": "N-BK7"}, {"material": ["Ball", "Drop"], "nearest": True}]
    changes = changes_from_json(data, document)
    assert changes_to_json(changes, document) == data


def test_what_is_told_is_the_exact_index_and_the_name() -> None:
    made = apply_changes(SetMaterial("Ball", "SF11"), bench(400.0, 550.0, 700.0))
    context = TracedScene.from_document(made, trace(made.scene))
    with override_context(context):
        described = describe_scene(wavelength=550.0).values["object"]
    told = next(o for o in described if o["name"] == "Ball")
    assert told["material"] == "SF11"
    assert told["n"] == pytest.approx(float(material_named("SF11").index(550.0)), abs=1e-12)


def test_the_index_along_rays_and_in_sql_is_the_exact_one() -> None:
    made = apply_changes(SetMaterial("Ball", "SF11"), bench(400.0, 550.0, 700.0))
    result = trace(made.scene)
    rows = np.arange(len(result))
    inside = refractive_index_along_rows(result, made.scene, rows)
    exact = {w: float(material_named("SF11").index(w)) for w in (400.0, 550.0, 700.0)}
    for w, n in exact.items():
        of_colour = inside[result.wavelength == w]
        assert set(np.round(of_colour, 12)) == {1.0, round(n, 12)}
    context, sql = (
        TracedScene.from_document(made, result),
        "SELECT DISTINCT round(refractive_index, 9) FROM rays ORDER BY 1",
    )
    database = trace_database(context)
    fill_tables_for(sql, database, context)
    told = [n for (n,) in database.connection.execute(sql)]
    assert told == pytest.approx([1.0, *sorted(exact.values())], abs=2e-9)


def test_what_a_plain_file_loses_is_the_largest_error_of_the_fit_at_the_present_wavelengths() -> (
    None
):
    made = apply_changes(SetMaterial("Ball", "SF11"), bench(400.0, 550.0, 700.0))
    ball, material = ball_of(made), material_named("SF11")
    errors = [
        abs(ball.ref_index + ball.cauchy_b / (w * 1e-3) ** 2 - float(material.index(w)))
        for w in (400.0, 550.0, 700.0)
    ]
    (left_out,) = plain_scene(made).left_out
    assert left_out.startswith("Ball ")
    assert f"{max(errors):.2g} in the index" in left_out
    (left_out,) = plain_scene(apply_changes(SetMaterial("Ball", "SF11"), bench(550.0))).left_out
    assert "exact at the wavelengths of the light" in left_out
    assert not plain_scene(bench(500.0)).left_out
