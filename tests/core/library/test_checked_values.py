"""Objects, values and names that Python functions take, or refuse with a remedy."""

from typing import Any

import numpy as np
import pytest

import raybench as rb
from raybench.library.picture import ray_lines
from raybench.scene.names import UnknownName


def a_lens(**settings: object) -> rb.Scene:
    """A beam through a lens of glass onto a film."""
    return rb.Scene(
        rb.Beam("Sun", width=10, at=(-40, 0), wavelength=587.56),
        rb.Lens("L1", r=(50, -50), thickness=6, glass="N-BK7", diameter=20),
        rb.Detector("Film", height=10, at=(45, 0)),
        **settings,
    )


def test_an_object_from_before_is_changed_as_it_is() -> None:
    scene = a_lens()
    lens = scene["L1"]
    scene.set(lens, r1=40)
    scene.set(lens, r2=-40)
    assert (scene["L1"].params["r1"], scene["L1"].params["r2"]) == (40, -40)
    scene.delete("L1")
    with pytest.raises(rb.RaybenchError, match="no longer in the scene"):
        scene.set(lens, r1=30)


def test_dense_light_is_drawn_to_its_end() -> None:
    result = a_lens(ray_mode_density=250).trace().result
    ends = np.concatenate([lines.end for lines in ray_lines(result)])
    assert (np.abs(ends[:, 0] - 45) < 1e-6).sum() > 100, "rays on the film"


def test_functions_of_one_name_have_a_column_each() -> None:
    scene = a_lens()
    values = scene.sweep({"Film.x": (0, 1)}, [lambda _: 1.0, lambda _: 2.0])
    assert list(values.columns) == ["Film.x", "<lambda>", "<lambda> 2"]
    assert values["<lambda>"].tolist() == [1, 1]
    found = scene.optimise({"Film.x": (0, 1)}, [lambda _: 1.0, lambda _: 2.0])
    assert found.before == {"least <lambda>": 1, "least <lambda> 2": 2}


def test_a_measure_is_of_all_light_of_any_name() -> None:
    for name in ("all", '"F"', "'F'", " F ", "F, G"):
        scene = rb.Scene(rb.Beam("Sun", width=4), rb.Detector(name, height=10, at=(10, 0)))
        film = scene.trace().at(scene.names[-1])
        assert film.measure("width").value == pytest.approx(4)
    with pytest.raises(rb.InvalidArgument, match="Leave out ghosts=False"):
        scene.trace().at(name, ghosts=False).measure("width")


def test_rays_are_of_objects_modules_and_groups() -> None:
    scene = a_lens()
    scene.group("All", "Sun", "L1", "Film")
    scene.add(rb.TextLabel("Text 1", text="a"))
    rays, light = scene.trace().rays, scene.trace()
    assert len(rays.where(object="All")) == sum(o in ("L1", "Film") for o in rays.object)
    assert len(rays.where(source="All")) == len(rays)
    for ask in (
        lambda: rays.where(object="Text 1"),
        lambda: light.at("Text 1"),
        lambda: rays.where(object=rb.Mirror("M", height=3)),
        lambda: rays.where(object="Sun"),
    ):
        with pytest.raises(UnknownName, match=r"Name one of: L1, Film\."):
            ask()
    with pytest.raises(UnknownName, match=r"'Film' is no source. Name one of: Sun\."):
        rays.where(source="Film")


def test_set_takes_what_an_object_is_made_with() -> None:
    scene = a_lens()
    scene.set("L1", name="Front", r1=float("inf"), r2=np.float64(-60))
    assert scene["Front"].params["r1"] is None
    scene.set("Film", p1=np.array([50.0, -5.0]), p2=[50, np.int64(5)])
    assert scene["Film"].p2 == (50, 5)
    body = scene.add(rb.Glass("Body", path=[(0, 0), (4, 0), (4, 3)]))
    scene.set(body, path=[(0, 0), (5, 0), (4, 3)])
    assert scene["Body"].path[1].x == 5


def test_sources_are_made_and_set_with_a_power() -> None:
    scene = rb.Scene(rb.Beam("Sun", width=4, power=5), power_unit="W")
    assert scene["Sun"].power == 5
    scene.set("Sun", power="7 mW")
    assert scene["Sun"].power == pytest.approx(0.007)
    scene.set_settings(power_unit="mW", ray_mode_density=3)
    assert (scene.document.power_unit, scene.settings.ray_mode_density) == ("mW", 3)
    with pytest.raises(rb.RaybenchError, match=r'\{"document": \{"powerUnit": "W"\}\}'):
        scene.change({"settings": {"powerUnit": "W"}})
    with pytest.raises(rb.InvalidArgument, match="Mirror takes no 'power'"):
        rb.Mirror(height=3, power=5)


def test_a_picture_shows_what_is_far_away() -> None:
    assert "<svg" in rb.Scene(rb.Beam("Sun", width=10, at=(2e6, 0))).svg()
    for width in (0, -5):
        with pytest.raises(rb.InvalidArgument, match="give at least 1 pixel"):
            a_lens().svg(width)


def test_studies_take_one_choice_and_names_of_numpy() -> None:
    scene = a_lens()
    one = scene.sweep({"L1.material": ["N-BK7"]}, "focal_length(L1)")
    assert one["L1.material"].tolist() == ["N-BK7"]
    glasses = np.array(["N-BK7", "N-SF11"])
    found = scene.optimise({"L1.glass": glasses}, "least focal_length(L1)")
    assert found.values == {"L1.glass": "N-SF11"}


@pytest.mark.parametrize(
    ("ask", "says"),
    [
        (lambda s: s.sweep({"Film.x": (0, 1)}, lambda light: light.rays.x1), "return a number"),
        (lambda s: s.sweep({"Film.x": (0, 1)}, [5]), "5 is no measure"),
        (lambda s: s.optimise({"Film.x": (0, 1)}, 5), "5 is no measure"),
        (lambda s: s.tolerance({"Film.x": 0.1}, len), "a tolerance takes texts"),
        (lambda s: s.sweep({"Film.x": [None]}, "rms(Film)"), "Film.x holds None"),
        (lambda s: s.save(), "Give a path"),
        (lambda s: s.set(5, x=1), "5 is no object"),
        (lambda s: s.trace().at(5), "5 is no object"),
        (lambda s: s.trace(max_segments=0), "give a number of at least 1"),
    ],
)
def test_a_wrong_value_is_refused_with_the_remedy(ask, says) -> None:
    with pytest.raises(rb.RaybenchError) as caught:
        ask(a_lens())
    assert says in str(caught.value)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"diamter": 20}, "Lens takes no 'diamter'. Did you mean diameter"),
        ({}, "Lens needs diameter"),
        ({"diameter": 20, "glass": 1.5}, "glass is 1.5; give a name"),
        ({"diameter": 20, "thickness": 1}, "surfaces cross before the rim.*at least 2.02"),
    ],
)
def test_a_lens_says_what_is_wrong(values: dict[str, Any], message: str) -> None:
    given: dict[str, Any] = {"r": (50, -50), "thickness": 4, "glass": "N-BK7"} | values
    with pytest.raises(rb.InvalidArgument, match=message):
        rb.Lens(**given)
    rb.Lens(r=(50, -50), thickness=2 * (50 - 2400**0.5), glass="N-BK7", diameter=20)


def test_editing_a_copy_leaves_the_light_of_the_first() -> None:
    scene = rb.Scene(rb.Beam("Sun", width=4, at=(-20, 0)), rb.Detector("Film", height=10))
    scene.copy().set("Film", name="Other")
    assert "stale" not in scene.tools.measure("power(Film)").xml
