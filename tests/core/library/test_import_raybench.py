"""``import raybench as rb``: scenes, light, frames, pictures, tools and questions."""

import asyncio
import subprocess
import sys
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

import raybench as rb
from raybench.library import stub
from raybench.library.objects import MAKER_NAMES
from raybench.library.picture import ray_lines, wavelength_colors

FOCAL_LENGTH = 50.0


def collimated(**settings: object) -> rb.Scene:
    """A beam through an ideal lens onto a film in its focus."""
    return rb.Scene(
        rb.Beam("Sun", width=10, at=(-40, 0), wavelength=587.6),
        rb.IdealLens("Lens", diameter=20, focal_length=FOCAL_LENGTH),
        rb.Detector("Film", height=30, at=(FOCAL_LENGTH, 0)),
        **settings,
    )


def test_importing_it_loads_nothing() -> None:
    code = (
        "import sys; before = set(sys.modules); import raybench as rb;"
        " print(*{n.partition('.')[0] for n in set(sys.modules) - before})"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "numpy" not in ran.stdout
    assert "PySide6" not in ran.stdout


@pytest.mark.parametrize("name", MAKER_NAMES)
def test_every_name_has_a_signature_and_documentation(name: str) -> None:
    maker = getattr(rb, name)
    assert maker.__name__ == name
    for parameter in maker.__signature__.parameters:
        assert parameter in maker.__doc__ or parameter in ("p1", "p2"), parameter


def test_the_stub_holds_what_is_there() -> None:
    assert rb.__file__ is not None
    assert Path(rb.__file__).with_suffix(".pyi").read_text("utf-8") == formatted(stub.stub_text())


def formatted(text: str) -> str:
    ran = subprocess.run(
        [sys.executable, "-m", "ruff", "format", "-", "--stdin-filename", "x.pyi"],
        input=text,
        capture_output=True,
        text=True,
        check=True,
    )
    return ran.stdout


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: rb.Beam("Sun"), "Beam 'Sun' needs width, or its ends p1 and p2."),
        (lambda: rb.Beam("Sun", width=-1), "width is -1; give a length above 0."),
        (lambda: rb.Beam("Sun", width=1, wavelength="green"), "wavelength must be a number"),
        (lambda: rb.Beam("Sun", width=1, wavelength=-5), "wavelength must be at least 1"),
        (lambda: rb.Beam("Sun", width=1, wavelenght=5), "Did you mean wavelength?"),
        (lambda: rb.Mirror(p1=(0, 1, 2), p2=(0, 0)), "p1 is (0, 1, 2); give a pair of numbers"),
        (lambda: rb.Mirror(height=1, at=5), "at is 5; give a pair of numbers"),
        (lambda: rb.Glass("G", path=[(0, 0), (1, 0)]), "an outline needs at least 3"),
        (lambda: rb.Achromat(focal_lenght=5), "Did you mean focal_length"),
        (
            lambda: rb.Lens("L", r=(3, None), thickness=1, glass="N-BK7", diameter=10),
            "radius 1 of 3 is less than half the diameter of 10",
        ),
        (
            lambda: rb.Lens("L", r=(float("nan"), 9), thickness=1, glass="N-BK7", diameter=10),
            "give two radii",
        ),
    ],
)
def test_a_value_is_refused_where_it_is_given(make, says) -> None:
    with pytest.raises(rb.RaybenchError) as caught:
        make()
    assert says in str(caught.value)


def test_a_lens_by_its_prescription_has_its_focal_length() -> None:
    """The thick lens, Hecht, 6.1."""
    n, r1, r2, d = 1.5168000345, 60.0, -80.0, 6.0
    scene = rb.Scene(
        rb.Beam("Sun", width=0.1, at=(-40, 0), wavelength=587.56),
        rb.Lens("L", r=(r1, r2), thickness=d, glass="N-BK7", diameter=20),
        ray_mode_density=100,
    )
    power = (n - 1) * (1 / r1 - 1 / r2 + (n - 1) * d / (n * r1 * r2))
    assert scene.measure("focal_length(L)").value == pytest.approx(1 / power, rel=1e-5)


def test_light_is_arrays_names_and_frames() -> None:
    light = collimated().trace()
    rays = light.rays
    assert len(rays) == len(light.result)
    assert rays.power.sum() == pytest.approx(light.result.total_power.sum())
    assert rays.object[0] == "Lens"
    arriving = rays.where(object="Film")
    assert len(arriving) == len(light.at("Film").y) > 5
    assert light.at("Film").y == pytest.approx(np.zeros(len(arriving)), abs=1e-9)
    assert len(light.paths("Sun > Lens > Film")) == 2 * len(arriving)
    for frame in (rays.to_pandas(), rays.to_polars()):
        assert [x if isinstance(x, str) else None for x in frame["object"]] == rays.object
        assert np.array(frame["power"]) == pytest.approx(rays.power)
    assert "opl" not in rays.columns
    assert arriving.opl == pytest.approx(arriving.to_polars(["opl"])["opl"].to_numpy())
    assert len(rays.where(f"optical path > {arriving.opl.min() - 1}", object="Film")) == len(
        arriving
    )
    with pytest.raises(KeyError, match="Did you mean opl"):
        rays.frame(columns=["oplx"])
    lens = rays.where(interaction="lens")
    assert len(lens) == rays.interaction.count("lens") > 5
    with pytest.raises(rb.InvalidArgument, match="There is no interaction 'lense'"):
        rays.where(interaction="lense")
    with pytest.raises(AttributeError, match="There are"):
        _ = rays.pover
    with pytest.raises(ImportError, match="no_such is not installed"):
        rays.frame("no_such")


def test_a_change_is_a_step_and_is_traced_anew() -> None:
    scene = collimated()
    before = scene.trace()
    assert scene.trace() is before
    scene.set("Lens", focal_length=100)
    assert scene.measure("focus(Lens)").value == pytest.approx(100)
    scene.set("Film", p1=(100, -15), p2=(100, 15))
    assert scene["Film"].p1 == (100, -15)
    assert scene.undo()
    assert scene.undo()
    assert scene.measure("focus(Lens)").value == pytest.approx(FOCAL_LENGTH)
    assert len(scene.add(rb.Achromat("A", focal_length=100, diameter=20, at=(200, 0)))) == 2
    scene.move("A", 5)
    scene.delete("A")
    assert scene.names == ["Sun", "Lens", "Film"]


def test_a_number_follows_others() -> None:
    lenses = (
        rb.IdealLens(name, focal_length=50, diameter=20, at=(x, 0))
        for name, x in (("A", 0), ("B", 90))
    )
    scene = rb.Scene(*lenses)
    scene.link("B.focalLength", "2 * A.f")
    scene.set("A", focal_length=30)
    assert (scene["B"].focal_length, dict(scene.links)) == (60, {"B.focalLength": "2 * A.f"})
    scene.link("B.focalLength")
    assert not scene.links


def test_studies_take_texts_and_functions() -> None:
    scene = collimated()
    scene.move("Film", 7)

    def spread(light: rb.Light) -> float:
        return float(light.at("Film").y.std())

    for goal in ("least rms(Film)", spread):
        found = scene.optimise({"Film.x": (-20, 20)}, goal)
        assert found.values["Film.x"] == pytest.approx(-7, abs=1e-3)
        assert scene.measure("rms(Film)").value > 0.1, "the scene is as it was"
    found.apply()
    assert scene.measure("rms(Film)").value == pytest.approx(0, abs=1e-3)
    table = scene.sweep({"Lens.focal_length": (40, 50, 60)}, ["focus(Lens)", spread])
    assert table["focus(Lens)"] == pytest.approx([40, 50, 60])
    assert table["spread"][1] == min(table["spread"])
    assert list(table.frame("pandas").columns) == ["Lens.focal_length", "focus(Lens)", "spread"]
    assert "spread" in table._repr_html_()


def test_a_glass_is_chosen_by_its_name() -> None:
    scene = rb.Scene(
        rb.Beam("Sun", width=2, at=(-40, 0), wavelength=587.56),
        rb.Lens("L", r=(50, None), thickness=2, glass="N-BK7", diameter=10),
        ray_mode_density=10,
    )
    found = scene.optimise({"L.material": ("N-BK7", "N-SF11")}, "least focal_length(L)")
    assert found.values == {"L.material": "N-SF11"}
    table = scene.sweep({"L.r1": (50, 100)}, "focal_length(L)")
    assert table["focal_length(L)"][1] == pytest.approx(2 * table["focal_length(L)"][0], rel=1e-3)
    with pytest.raises(rb.InvalidArgument, match="give its bounds as a pair"):
        scene.optimise({"L.r1": 5}, "least focal_length(L)")


class CountingBar:
    """A progress bar with the face of tqdm's."""

    shown: ClassVar[dict[str, int | None]] = {}

    def __init__(self, total: int | None) -> None:
        self.shown |= {"total": total, "points": 0, "closed": False}

    def update(self, n: int) -> None:
        self.shown["points"] = (self.shown["points"] or 0) + n

    def close(self) -> None:
        self.shown["closed"] = True


def test_studies_show_their_progress() -> None:
    scene = collimated()
    scene.sweep({"Film.x": (0, 1, 2)}, "rms(Film)", progress=CountingBar)
    assert CountingBar.shown == {"total": 3, "points": 3, "closed": True}
    scene.optimise({"Film.x": (-5, 5)}, "least rms(Film)", progress=CountingBar)
    assert CountingBar.shown["total"] is None
    assert (CountingBar.shown["points"] or 0) > 5


def test_functions_choose_among_glasses_and_fail_aloud() -> None:
    scene = rb.Scene(
        rb.Beam("Sun", width=2, at=(-40, 0), wavelength=587.56),
        rb.Lens("L", r=(50, None), thickness=2, glass="N-BK7", diameter=10),
        ray_mode_density=10,
    )

    def focal_length(light: rb.Light) -> float:
        return light.measure("focal_length(L)").value

    found = scene.optimise({"L.material": ("N-BK7", "N-SF11")}, [focal_length])
    assert found.values == {"L.material": "N-SF11"}
    assert found.after["least focal_length"] == pytest.approx(50 / (1.78472 - 1), rel=1e-3)

    def wrong(light: rb.Light) -> float:
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        scene.optimise({"L.r1": (40, 60)}, wrong)


def test_tolerances_have_tables() -> None:
    found = collimated().tolerance(
        ["Film.x±0.5"], "centroid_x(Film)", limits=["centroid_x(Film) < 50.1"], samples=100
    )
    assert found.sensitivities["parameter"].tolist() == ["Film.x"]
    assert found.sensitivities["centroid_x(Film) upper"] == pytest.approx([0.5])
    assert found.spread["standard deviation"] == pytest.approx([0.5 / 3**0.5], rel=0.2)
    assert found.yields["share"] == pytest.approx([0.6], abs=0.1)
    assert len(found.samples) == 100
    assert "Film.x" in found._repr_html_()


def test_scenes_are_read_and_written(tmp_path: Path) -> None:
    scene = collimated(unit="cm")
    scene.save(tmp_path / "scene.raybench")
    again = rb.Scene.open(tmp_path / "scene.raybench")
    assert again.unit == "cm"
    assert again.names == scene.names


def test_tools_have_values_and_schemas() -> None:
    scene, other = collimated(), rb.Scene.open("example:prism")
    answer = scene.tools.losses()
    assert answer["emitted"] == pytest.approx(5)
    assert answer.xml.startswith("<?xml")
    assert len(other.tools.find_rays_inside_glass("Main Prism").rays) > 10
    assert scene.tools.losses()["emitted"] == answer["emitted"], "each scene has its own"
    for style, key in (("anthropic", "input_schema"), ("mcp", "inputSchema")):
        assert all(key in tool for tool in scene.tools(style))
    assert all("parameters" in tool["function"] for tool in scene.tools("openai"))
    with pytest.raises(AttributeError, match="find_ghosts_xml"):
        _ = scene.tools.find_ghost


def test_a_question_is_answered_with_and_without_await() -> None:
    scene = rb.Scene.open("example:prism")
    question = "Which rays are inside Main Prism?"
    at_once = scene.ask(question, offline=True)

    async def ask() -> rb.AskedQuestion:
        assert scene.ask(question, offline=True).understood
        assert scene.tools.losses()["emitted"] > 0, "in a running loop"
        return await scene.ask(question, offline=True)

    for asked in (at_once, asyncio.run(ask())):
        assert "inside Main Prism" in asked.text
        assert len(asked.answers[0].rays) > 10
    other = scene.ask("xyzzy frobnicate", offline=True)
    assert not other.understood


def test_values_show_themselves_in_a_notebook() -> None:
    scene = collimated()
    light = scene.trace()
    for shown in (scene, light, light.rays, scene.tools.losses(), scene.ask("xyzzy", offline=True)):
        assert "<" in shown._repr_html_()
    assert "Film" in light.svg()
    axes = light.plot()
    assert axes.get_ylim()[0] > axes.get_ylim()[1], "y is down"
    assert light.at("Film").plot().get_xlabel().startswith("distance")


def test_a_tool_takes_several_objects_as_one() -> None:
    scene = rb.Scene.open("example:achromat")
    assert "Crown + Flint" in scene.tools.focus("Crown + Flint").text


def test_rays_of_another_state_are_not_shown() -> None:
    scene = rb.Scene.open("example:prism")
    asked = scene.ask("Which rays are inside Main Prism?", offline=True)
    assert asked.answers[0].rays is not None
    scene.move("Main Prism", 5)
    assert asked.answers[0].rays is None


def test_numbers_and_arrays_of_numpy_are_numbers() -> None:
    lens = rb.Lens(
        r=(np.float32(50), None), thickness=np.float32(3), glass="N-BK7", diameter=np.int64(9)
    )
    assert lens.params["d"] == 3
    assert rb.Mirror(height=np.int64(4), angle=np.float32(90)).p1 == pytest.approx((-2, 0))
    corners = np.array([[0, 0], [4, 0], [4, 3]])
    assert rb.Glass(path=corners).path == rb.Glass(path=[(0, 0), (4, 0), (4, 3)]).path


def test_a_lens_is_changed_by_its_data() -> None:
    scene = rb.Scene(rb.Lens("L", r=(50, -50), thickness=3, glass="N-BK7", diameter=10))
    scene.set("L", r1=30, thickness=4)
    assert scene["L"].params == {"d": 4, "r1": 30, "r2": -50}
    with pytest.raises(rb.InvalidArgument, match="L takes no 'refindex'"):
        scene.set("L", refindex=2)
    with pytest.raises(rb.InvalidArgument, match="Did you mean ray_mode_density"):
        scene.set_settings(ray_mode_densty=2)
    with pytest.raises(rb.InvalidArgument, match="move: dx is '3'; give a finite number"):
        scene.move("L", "3")  # type: ignore[arg-type]


def test_ghosts_can_be_left_out() -> None:
    scene = rb.Scene(
        rb.SingleRay("Laser", at=(-10, 0)),
        rb.Glass("P", path=[(0, -5), (2, -5), (2, 5), (0, 5)], ref_index=1.5, angle=5),
        rb.Mirror("Fold", height=20, at=(20, 0), angle=45),
        rb.Detector("Film", height=40, at=(20, 15), angle=90),
        color_mode="linear",
    )
    light = scene.trace()
    everything, direct = light.at("Film"), light.at("Film", ghosts=False)
    assert len(everything.y) > 1
    assert len(direct.y) == len(light.rays.where(object="Film", ghosts=False)) == 1
    assert direct.power[0] == everything.power.max()


def test_a_detector_is_plotted_as_its_places_are_counted() -> None:
    scene = rb.Scene(
        rb.Beam("Sun", width=2, at=(0, -3)), rb.Detector("Film", height=10, at=(10, 0))
    )
    film = scene.trace().at("Film", bins=10)
    (steps,) = film.plot().patches
    values, edges, _ = steps.get_data()
    assert (film.y > 0).all()
    assert edges[values.argmax()] >= 2
    assert values.sum() == pytest.approx(film.power.sum())


def test_names_of_objects_stand_in_the_plot() -> None:
    scene = collimated()
    scene.add(rb.Beam("Moon", width=10, at=(-40, 0), wavelength=500))
    texts = {text.get_text() for text in scene.trace().plot(names=True).texts}
    assert texts == {"Sun +1", "Lens", "Film"}


def test_rays_that_run_together_have_one_colour() -> None:
    beams = [rb.Beam(str(nm), width=3, wavelength=nm) for nm in (450, 540, 650, 720)]
    colours = {lines.color for lines in ray_lines(rb.Scene(*beams).trace().result)}
    assert len(colours) == 1
    red, far = wavelength_colors(np.array([680.0, 720.0]))
    assert (red == far).all()
    assert red.max() == 1


def test_deviations_are_given_by_name() -> None:
    told = collimated().tolerance(
        {"Lens.focal_length": 1.0}, "focus(Lens)", limits="focus(Lens) < 50.5", samples=50
    )
    assert told.sensitivities["parameter"].tolist() == ["Lens.focal_length"]
    assert told.samples["Lens.focal_length"] == pytest.approx(told.samples["focus(Lens)"])
    assert "50 samples" in repr(told)
    with pytest.raises(KeyError, match="There is no 'focus'"):
        told.samples["focus"]
