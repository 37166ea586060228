"""What measures state that they need of a trace: with only the rows that they read, values are those
with all rows.
"""

import contextlib
import math
from itertools import product
from random import Random

import pytest
from tests.core.analysis.random_measures import every_measure
from tests.core.study.random_studies import random_document

from raybench.analysis.measures.bound import BoundMeasure, bind_measures, required_rows
from raybench.analysis.measures.light import Light
from raybench.analysis.measures.measure import RowsNeeded
from raybench.analysis.measures.table import MEASURES
from raybench.errors import RaybenchError
from raybench.kinds.blockers import Aperture, Blocker
from raybench.kinds.detectors import Detector
from raybench.kinds.glasses import CircleGlass
from raybench.kinds.gratings import DiffractionGrating
from raybench.kinds.grin import CircleGrinGlass
from raybench.kinds.mirrors import BeamSplitter, Mirror
from raybench.kinds.polarizing_elements import Polarizer
from raybench.kinds.sources import AngleSource, Beam
from raybench.scene.changes import Coat, FinishEdge, apply_changes
from raybench.scene.coatings import coating_catalogue
from raybench.scene.document import Document
from raybench.scene.finishes import finish_catalogue
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.shapes.point import Point
from raybench.trace.keep import Keep, RowsNotKept
from raybench.trace.trace import trace

MOST = 1_500


def treated_document(seed: int) -> Document:
    """A room with coated, painted, graded and polarizing things, two colours, and two detectors."""
    chance = Random(seed)

    def line(x: float, half: float) -> dict[str, Point]:
        tilt = chance.uniform(-8, 8)
        return {"p1": Point(x - tilt, -half), "p2": Point(x + tilt, half)}

    x, y = chance.uniform(-90, -70), chance.uniform(-5, 5)
    far = chance.choice((Mirror, BeamSplitter, DiffractionGrating))
    objects = [
        Beam(name="Beam", **line(-120, 9), wavelength=480.0, polarization="linear", brightness=0.4),
        AngleSource(
            name="Fan", p1=Point(-120, y), p2=Point(-80, y), emis_angle=9.0, wavelength=633.0,
            brightness=0.4, polarization="right circular",
        ),
        Polarizer(name="Polarizer", **line(-100, 20)),
        CircleGlass(name="Ball", p1=Point(x, y), p2=Point(x, y + 12)),
        Aperture(name="Stop", p1=Point(-52, -30), p2=Point(-52, 30), p3=Point(-52, -9), p4=Point(-52, 9)),
        Detector(name="Gate", **line(-45, 20), irrad_map=True),
        CircleGrinGlass(name="Luneburg", p1=Point(-20, 0), p2=Point(-20, 10)),
        Detector(name="Screen", **line(20, 25)),
        far(name="Far", **line(40, 30)),
        Blocker(name="Wall", p1=Point(-150, 60), p2=Point(60, 60)),
    ]  # fmt: skip
    scene = Scene.of(
        objects,
        Settings(simulate_colors=True, ray_mode_density=0.5, color_mode="linear", max_ray_depth=9),
    )
    changes = [
        Coat("Ball", coating=chance.choice(sorted(coating_catalogue()))),
        FinishEdge("Wall", with_=chance.choice(sorted(finish_catalogue()))),
    ]
    document = apply_changes(changes, Document(scene=scene))
    group = {o.key for o in scene.objects if o.name in ("Ball", "Gate", "Luneburg")}
    return document.with_annotations(groups={"Optics": frozenset(group)})


def measures_of_each_object(document: Document) -> list[BoundMeasure]:
    """Each measure of each object of which it can be, of the principal path and of all light."""
    bound: list[BoundMeasure] = []
    for measure in MEASURES.values():
        if sum(not p.optional for p in measure.parameters) == 1:
            titles = [*(o.title for o in document.scene.optical), *document.groups]
            for title, of in product(titles, ("", ", all")):
                with contextlib.suppress(RaybenchError):  # it is not of such an object
                    bound += bind_measures(f"{measure.name}({title}{of})", document)  # type: ignore[arg-type]
    return bound


@pytest.mark.parametrize("seed", range(6))
def test_values_with_the_rows_that_are_read_are_those_with_all_rows(seed):
    document = random_document(seed) if seed % 3 else treated_document(seed)
    bounds = every_measure(document, Random(seed))
    bounds += [] if seed % 3 else measures_of_each_object(document)
    whole = Light.from_document(document, trace(document, threads=1, max_segments=MOST))
    lights = dict[Keep, Light]()
    compared = refused = 0
    for bound in bounds:
        keep = required_rows([bound], document)
        if keep is None:
            continue
        if keep not in lights:
            traced = trace(document, threads=1, max_segments=MOST, keep=keep)
            assert traced.kept is not None or len(traced.counted)
            lights[keep] = Light.from_document(document, traced)
        try:
            mine = bound.evaluate(lights[keep])
        except RowsNotKept:  # which rows are behind a leaving beam is known only when it is traced
            assert bound.measure.needs is RowsNeeded.LEAVING, bound.expression
            refused += 1
            continue
        theirs = bound.evaluate(whole)
        assert mine.reason == theirs.reason, bound.expression
        assert math.isclose(mine.value, theirs.value, rel_tol=1e-9, abs_tol=1e-9) or (
            not mine.defined and not theirs.defined
        ), bound.expression
        assert mine.share == pytest.approx(theirs.share, rel=1e-9), bound.expression
        assert (mine.not_followed, mine.note) == (theirs.not_followed, theirs.note)
        compared += lights[keep].result.kept is not None
    assert compared > max(30, 20 * refused)
