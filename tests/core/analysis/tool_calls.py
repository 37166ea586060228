"""Scenes that between them show everything that an answer can hold, and calls of every tool that
suit all of them.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from dataclasses import replace

from tests.core.lens.lenses import TRIPLET

from raybench.analysis import agentic_tools as tools
from raybench.analysis.context import TracedScene
from raybench.kinds.blockers import Aperture, CircleBlocker
from raybench.kinds.detectors import Detector
from raybench.kinds.glasses import CircleGlass, Glass, PlaneGlass
from raybench.kinds.grin import CircleGrinGlass
from raybench.kinds.lenses import IdealLens, SphericalLens
from raybench.kinds.mirrors import ArcMirror, BeamSplitter, Mirror, ParabolicMirror
from raybench.kinds.sources import Beam, PointSource
from raybench.lens.opening import lens_document
from raybench.scene.document import Document, record_new_state
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.shapes.point import Point, Vertex
from raybench.trace.trace import trace

STRANGE = "<a> & \"b\" 'c' ]]> \x01\t\r\n\x1f \ud800 \ufffe 😀 " + "é" * 10_000
PRISM = Glass(path=(Vertex(100, 200), Vertex(200, 200), Vertex(150, 113.397)), name="Prism")


def contexts() -> Iterator[tuple[str, TracedScene]]:
    """Scenes that between them show everything that an answer can hold; in each, the glass is
    'Prism' and the detector 'Screen'.
    """
    screen = Detector(
        p1=Point(0, 260), p2=Point(300, 260), name="Screen", irrad_map=True, bin_size=7
    )
    neighbour = Glass(
        path=(Vertex(200, 200), Vertex(150, 113.397), Vertex(250, 113.397)),
        name="Neighbour",
        ref_index=1.7,
    )
    lamp = PointSource(x=99, y=75, name="Lamp")
    yield "plain", context(Scene.of([PRISM, lamp, screen]))
    coating = Mirror(p1=Point(110, 200), p2=Point(150, 200), name="Coating")
    more = [
        neighbour,
        coating,
        CircleBlocker(p1=Point(0, 0), p2=Point(5, 0)),
        Detector(p1=Point(7, 7), p2=Point(7, 7), name="Dot"),
    ]
    curved = [
        CircleGlass(p1=Point(30, 130), p2=Point(30, 150)),
        CircleGrinGlass(p1=Point(300, 130), p2=Point(300, 160)),
        SphericalLens(p1=Point(60, 60), p2=Point(60, 100), params={"d": 12, "r1": 80, "r2": -80}),
        PlaneGlass(p1=Point(0, 300), p2=Point(10, 300)),
        ArcMirror(p1=Point(-50, 0), p2=Point(-50, 100), p3=Point(-60, 50)),
        ParabolicMirror(p1=Point(400, 0), p2=Point(400, 100), p3=Point(420, 50)),
        IdealLens(p1=Point(260, 50), p2=Point(260, 90), focal_length=50),
        Aperture(
            p1=Point(90, 40), p2=Point(90, 100), p3=Point(90, 60), p4=Point(90, 80), name="Iris"
        ),
        CircleGlass(p1=Point(30, 130), p2=Point(30, 136), name="Core"),
        Beam(p1=Point(-20, 70), p2=Point(-20, 90), wavelength=450),
    ]
    colours = Settings(simulate_colors=True, max_ray_depth=6)
    document = Document(
        scene=Scene.of([PRISM, lamp, screen, *more, *curved], colours, name="Everything"),
        edge_labels={PRISM.key: {0: STRANGE}},
    )
    yield "everything", context(document.scene, document)
    names = Scene.of(
        [
            PRISM,
            screen,
            *(
                Mirror(p1=Point(0, 20 * k), p2=Point(90, 20 * k), name=n)
                for k, n in enumerate((STRANGE, "\0", "]]>"))
            ),
        ]
    )
    yield (
        "strange names",
        context(names.with_objects([*names.objects, PointSource(x=10, y=90, name=STRANGE)])),
    )
    splitters = [
        BeamSplitter(p1=Point(x, 230), p2=Point(x, 250), trans_ratio=0.05, name=f"Splitter {x}")
        for x in (60, 160)
    ]
    stop = Aperture(
        p1=Point(20, 150), p2=Point(20, 350), p3=Point(20, 230), p4=Point(20, 250), name="Iris"
    )
    yield (
        "weak",
        context(
            Scene.of(
                [PRISM, Beam(p1=Point(0, 235), p2=Point(0, 245)), lamp, stop, *splitters, screen]
            )
        ),
    )
    others = [
        replace(lamp.with_new_key(), x=90, name="Other lamp"),
        *(replace(stop.with_new_key(), name=f"Iris {k}") for k in range(3)),
    ]
    yield "several", context(Scene.of([PRISM, lamp, screen, *others]))
    yield "dark", context(Scene.of([PRISM, screen]))
    old = Document(scene=Scene.of([PRISM, lamp, screen]))
    record_new_state(old, Document(scene=old.scene))
    yield "stale", context(old.scene, old)
    lens = lens_document(TRIPLET, "Triplet")
    lens = lens.with_scene(lens.scene.with_objects([PRISM, lamp, screen, *lens.scene.objects]))
    yield "lens", context(lens.scene, lens)


def context(scene: Scene, document: Document | None = None) -> TracedScene:
    document = document or Document(scene=scene)
    return TracedScene.from_document(
        document, trace(scene, revision=document.revision, max_segments=1500)
    )


CALLS: dict[Callable[..., str], list[dict[str, object]]] = {
    tools.read_lens_xml: [{"lens_name": "Triplet"}, {"show": "seidel"}],
    tools.find_rays_inside_glass_xml: [{"glass_name": "Prism"}],
    tools.edge_light_xml: [{}, {"object_name": "Prism"}],
    tools.find_rays_crossing_edge_xml: [
        {"glass_name": "Prism", "edge_label": "0"},
        {"glass_name": "Prism", "edge_label": "0", "direction": "leaving"},
    ],
    tools.find_rays_near_critical_angle_xml: [{}, {"within": 30.0}],
    tools.find_rays_through_region_xml: [{"x": 0.0, "y": 0.0, "width": 100.0, "height": 50.0}],
    tools.find_nearest_ray_xml: [{"x": 10.0, "y": 20.0}],
    tools.find_rays_by_angle_to_edge_xml: [
        {"glass_name": "Prism", "edge_label": "1", "min_angle": 10.0}
    ],
    tools.find_rays_by_polarization_xml: [{}, {"min_dop": 1.0}],
    tools.find_rays_xml: [
        {},
        {"crosses": "Prism", "edge": "1", "min_power": 0.1},
        {"inside": "Prism", "interaction": "tir"},
    ],
    tools.describe_scene_xml: [{}, {"wavelength": 450.0}],
    tools.describe_edges_xml: [{}, {"object_name": "Prism"}],
    tools.refractive_index_xml: [
        {"glass_name": "Prism"},
        {"glass_name": "Prism", "wavelength": 486.0},
    ],
    tools.fresnel_xml: [{"n1": 1.5, "n2": 1.0, "angle": a} for a in (0.0, 33.0, 60.0, 90.0)],
    tools.tir_analysis_xml: [
        {},
        {"glass_name": "Prism"},
        {"glass_name": "Prism", "edge_label": "1", "angle": 20.0},
    ],
    tools.focus_xml: [{"object_name": "Prism"}],
    tools.measure_xml: [
        {
            "measures": (
                "power(Screen); centroid(Screen); deviation(Prism); share(Screen); path_power('* >"
                " Screen'); rms(Screen)"
            )
        },
        {"measures": "power(Screen)", "offset": 1},
    ],
    tools.detector_xml: [{}, {"detector_name": "Screen", "bins": 3}],
    tools.query_rays_xml: [
        {},
        {"sql": "SELECT id, source, object, length, parent FROM rays"},
        {"sql": "SELECT * FROM objects"},
    ],
    tools.rank_paths_by_energy_xml: [{}, {"max_paths": 0}, {"top_n": 200}],
    tools.find_paths_xml: [
        {"pattern": p}
        for p in ("*", "* > Prism:* (refract) > * > Screen", "Screen (detect) > escape")
    ],
    tools.find_bright_paths_through_edge_xml: [
        {"glass_name": "Prism", "edge_label": "1", "min_energy": 0.01}
    ],
    tools.find_ghosts_xml: [{"object_name": "Screen"}],
    tools.blocked_light_xml: [{"object_name": "Prism"}, {"object_name": "Screen", "limit": 1}],
    tools.beams_xml: [{"object_name": "Prism"}, {"object_name": "Screen", "limit": 1}],
    tools.who_lights_what_xml: [{}, {"object_name": "Screen"}, {"limit": 1, "offset": 1}],
    tools.spot_xml: [{"object_name": "Screen"}, {"object_name": "Prism"}],
    tools.image_xml: [{"object_name": "Prism"}],
    tools.pupils_xml: [{"object_name": "Prism"}, {"object_name": "Screen"}],
    tools.aperture_throughput_xml: [{}],
    tools.leaks_xml: [{}],
    tools.nested_bodies_xml: [{}],
    tools.convergence_xml: [
        {"measures": "power(Screen); rms(Screen)"},
        {"measures": "power(Screen)", "offset": 1},
    ],
    tools.ray_path_xml: [{"ray_id": 0}, {"ray_id": 300}],
    tools.check_energy_conservation_xml: [{}],
    tools.detect_tir_traps_xml: [{"min_tir_count": 1}],
    tools.ray_statistics_xml: [{}],
}
"""Arguments to call each tool with in every one of the scenes; a tool that is not here is called
without any.
"""


_contexts: list[tuple[str, TracedScene]] = []


def every_context() -> list[tuple[str, TracedScene]]:
    if not _contexts:
        _contexts.extend(contexts())
    return _contexts


def every_call(tool: Callable[..., str]) -> Iterator[tuple[str, TracedScene, dict[str, object]]]:
    """The calls of a tool on each of the scenes, with their names."""
    calls = CALLS.get(tool) or [{}] * all(
        p.default is not p.empty for p in inspect.signature(tool).parameters.values()
    )
    assert calls, (
        f"{tool.__name__} is not in CALLS of {__file__}: add a line with arguments that suit the"
        " scenes of contexts()."
    )
    for name, about in every_context():
        for arguments in calls:
            if tool is tools.read_lens_xml and not about.lenses:
                continue
            if "ray_id" in arguments:  # a ray of this trace, by its row
                row = int(str(arguments["ray_id"]))
                if row >= len(about.result):
                    continue
                arguments = {"ray_id": about.result.segment_id(row)}
            yield name, about, arguments
