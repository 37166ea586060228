"""Answers that a reader could take for another quantity say what they are about."""

from __future__ import annotations

from asking import traced

from raybench.analysis.answers.answer import Answer
from raybench.analysis.context import override_context
from raybench.analysis.tools.light.beams import beams
from raybench.analysis.tools.light.illumination import aperture_throughput, who_lights_what
from raybench.analysis.tools.light.imaging import focus, image
from raybench.kinds.blockers import Aperture
from raybench.kinds.glasses import CircleGlass
from raybench.kinds.lenses import IdealLens
from raybench.kinds.sources import Beam, PointSource, SingleRay
from raybench.shapes.point import Point

LENS = IdealLens(p1=Point(150, -60), p2=Point(150, 60), focal_length=100, name="Lens")


def single_rays(*places: tuple[float, float]) -> list[SingleRay]:
    return [SingleRay(p1=Point(0, y), p2=Point(100, to), name=f"{y} to {to}") for y, to in places]


def test_rays_in_several_directions_that_meet_nowhere_are_no_parallel_beam() -> None:
    with override_context(traced(*single_rays((0, 8), (0, -8), (-20, -20), (20, 20)), LENS)):
        (beam,) = beams("Lens").values["leaving"]["beam"]
    assert beam["divergence"] > 1
    assert beam["form"] != "parallel"


def test_single_rays_form_an_image_together() -> None:
    with override_context(traced(*single_rays((0, 8), (0, 16), (0, -8)), LENS)):
        (found,) = image("Lens").values["image"]
    assert (found["kind"], round(found["image_distance"], 6)) == ("real", 300)


def test_the_distance_of_a_focus_along_a_slanted_beam_says_so() -> None:
    def sentence(*places: tuple[float, float]) -> str:
        with override_context(traced(*single_rays(*places), LENS)):
            return focus("Lens").sentence

    assert "along the beam, which goes towards" in sentence((0, 0), (0, 20))
    assert "along the beam" not in sentence((0, 10), (0, -10))


def test_what_an_aperture_stops_is_called_so() -> None:
    iris = Aperture(
        p1=Point(100, -60), p2=Point(100, 60), p3=Point(100, -9), p4=Point(100, 9), name="Iris"
    )
    with override_context(traced(Beam(p1=Point(0, -17), p2=Point(0, 17)), iris)):
        answer: Answer = aperture_throughput("Iris")
    (found,) = answer.values["aperture"]
    assert found["passing_rays"] + found["stopped_rays"] > 2
    assert found["throughput"] == found["passing"] / (found["passing"] + found["stopped"])
    assert "is stopped" in answer.sentence


def test_light_from_a_lamp_inside_is_not_denied() -> None:
    water = CircleGlass(p1=Point(0, 0), p2=Point(100, 0), ref_index=1.33, name="Water")
    with override_context(traced(PointSource(x=20, y=0), water)):
        sentence = who_lights_what("Water").sentence
    assert sentence.startswith("No light reaches Water from outside; ")
    assert sentence.endswith(" rays meet it from inside")
