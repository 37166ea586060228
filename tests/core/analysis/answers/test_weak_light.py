"""Answers about power say how much light was too weak to follow."""

from __future__ import annotations

import pytest

from raybench.agent.questions.understanding import understand_sentence
from raybench.analysis.context import TracedScene, override_context
from raybench.analysis.tools.light.measure import measure
from raybench.kinds.blockers import Blocker
from raybench.kinds.detectors import Detector
from raybench.kinds.mirrors import BeamSplitter
from raybench.kinds.sources import Beam, SingleRay
from raybench.scene.changes.setting import Set
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.shapes.point import Point
from raybench.study.notebook import optimise, sweep
from raybench.study.what_if import what_if
from raybench.trace.results.result import Ledger
from raybench.trace.results.warnings import omitted_light_text
from raybench.trace.trace import trace

# two mirrors that pass a tenth: a tenth of a tenth is too weak in the default colour mode; without
# phases T / (2 - T) passes both
MIRRORS = [
    BeamSplitter(p1=Point(x, -20), p2=Point(x, 20), trans_ratio=0.1, name=f"M{x}") for x in (0, 100)
]
RAY = SingleRay(p1=Point(-50, 0), p2=Point(0, 0), name="In")
SCREEN = Detector(p1=Point(200, -20), p2=Point(200, 20), name="Out")
NOTE = (
    "Rays too weak to follow carried 10 % of the power; the colour mode linear follows weaker ones"
)


def traced(color_mode: str = "default") -> TracedScene:
    document = Document(scene=Scene.of([RAY, *MIRRORS, SCREEN], Settings(color_mode=color_mode)))
    return TracedScene.from_document(document, trace(document))


def test_power_0_notes_weak_light() -> None:
    with override_context(traced()):
        answer = measure("power(Out)")
    assert answer.values["measure"][0]["value"] == 0
    assert answer.note == NOTE
    assert answer.full_sentence() == f"The power that arrives at Out is 0 (relative power). {NOTE}."
    assert answer.values["truncated_share"] == pytest.approx(0.1, rel=0.02)


def test_nothing_is_said_where_weak_light_is_negligible() -> None:
    with override_context(traced("linear")):
        answer = measure("power(Out)")
    assert answer.values["measure"][0]["value"] == pytest.approx(0.1 / 1.9, rel=1e-3)
    assert answer.note == ""
    assert "truncated_share" not in answer.values


@pytest.mark.parametrize(
    "asked", ["share(Out)", "power(M0) / power(M100)", "rays(Out); escaped()", "transmittance(M0)"]
)
def test_shares_and_ratios_of_powers_say_it_too(asked: str) -> None:
    with override_context(traced()):
        assert measure(asked).note == NOTE


def test_numbers_that_are_no_powers_do_not_say_it() -> None:
    with override_context(traced()):
        assert measure("rays(M0); segments()").note == ""


def test_the_share_is_of_all_power_that_was_followed() -> None:
    # weak reflections that stand for several bring in power that the sources did not emit
    assert Ledger(
        emitted=4.0, resampled=6.0, escaped=1.0, truncated=9.0
    ).truncated_share == pytest.approx(0.9)
    assert Ledger().truncated_share == 0, "without light there is no weak light either"


@pytest.mark.parametrize(
    "question",
    [
        "how much light is too weak to follow",
        "how much power is truncated",
    ],
)
def test_the_agent_without_a_model_is_asked_for_it(question: str) -> None:
    meant = understand_sentence(question, Document(scene=Scene.of([RAY, *MIRRORS, SCREEN])))
    assert (getattr(meant, "tool", None), getattr(meant, "arguments", None)) == (
        "measure_xml",
        {"measures": "truncated()"},
    )


def test_depth_limit_is_not_weak_light() -> None:
    document = Document(
        scene=Scene.of([RAY, *MIRRORS, SCREEN], Settings(color_mode="linear", max_ray_depth=0))
    )
    with override_context(TracedScene.from_document(document, trace(document))):
        assert (
            measure("power(Out)").note
            == "Rays cut at the largest depth carried 100 % of the power; a larger one follows them"
        )


def bright(power: float, density: float = 0.1) -> Document:
    lamp = Beam(p1=Point(0, -10), p2=Point(0, 10), brightness=power, name="Lamp")
    return Document(scene=Scene.of([lamp, SCREEN], Settings(ray_mode_density=density)))


def test_a_sweep_notes_capped_powers() -> None:
    # a ray for every 10 units: of 0.1 per unit all is sent, of 0.4 a quarter
    table = sweep(bright(0.1), ["Lamp.brightness=0.1,0.4"], ["power(Out)"])
    assert table.rows[0, 1] == pytest.approx(table.rows[1, 1]), "as the format defines it"
    assert (
        table.note
        == "Rays carry a power of at most 1 each, so that sources send from 25 to 100 % of theirs,"
        " and powers do not compare; the colour mode linear sends all"
    )


def test_what_if_says_so_too() -> None:
    document = bright(0.1)
    (difference,) = what_if(
        document, trace(document), (Set("Lamp", {"brightness": 0.2}),), "power(Out)"
    ).differences
    note = omitted_light_text(
        document.scene, (difference.before.not_followed, difference.after.not_followed)
    )
    assert note.startswith(
        "Rays carry a power of at most 1 each, so that sources send from 50 to 100 %"
    )


@pytest.mark.parametrize("asked", ["share(Out)", "power(Out) / emitted()", "rms(Out)"])
def test_parts_of_what_is_sent_compare(asked: str) -> None:
    assert sweep(bright(0.1), ["Lamp.brightness=0.1,0.4"], [asked]).note == ""


def test_powers_compare_with_a_constant_part() -> None:
    assert sweep(bright(0.4), ["Out.x=0..10:2"], ["power(Out)", "share(Out)"]).note == ""


def test_an_optimisation_says_that_more_rays_send_more_power() -> None:
    # 0.4 per unit and a ray for every 10 units: four times as many rays send all of it
    stop = Blocker(p1=Point(100, -30), p2=Point(100, -3), name="Stop")
    document = bright(0.4).with_scene(
        Scene.of([*bright(0.4).scene.objects, stop], Settings(ray_mode_density=0.1))
    )
    notes = " ".join(optimise(document, ["Stop.y=-10..10"], ["most power(Out)"]).notes)
    assert "depends on the number of rays" in notes
    assert "sources send from 25 to 100 % of theirs, and powers do not compare" in notes
