"""The tools as a script or a framework uses them."""

from __future__ import annotations

import inspect
import json
import threading
import xml.etree.ElementTree as ET

import pytest

from raybench.analysis import agentic_tools as tools
from raybench.analysis.context import TracedScene, override_context, require_context
from raybench.analysis.tool_registry import get_agentic_tools, list_available_tools
from raybench.errors import RaybenchError
from raybench.kinds.glasses import Glass
from raybench.kinds.mirrors import Mirror
from raybench.kinds.sources import PointSource, SingleRay
from raybench.scene.changes import Delete
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.session import Session
from raybench.shapes.point import Point, Vertex
from raybench.trace.results.result import TraceResult
from raybench.trace.trace import trace

pytestmark = pytest.mark.quick


@pytest.fixture
def scene() -> Scene:
    prism = Glass(
        path=(Vertex(100, 200), Vertex(200, 200), Vertex(150, 113.397)), name="Main Prism"
    )
    return Scene.of(
        [prism, PointSource(x=99, y=75), Mirror(p1=Point(0, 400), p2=Point(300, 400), name="Fold")]
    )


@pytest.fixture
def result(scene: Scene) -> TraceResult:
    found = trace(scene, revision=41)
    tools.set_context_from_result(scene=scene, result=found)
    return found


def rays(xml: str) -> list[ET.Element]:
    root = ET.fromstring(xml)
    assert root.tag == "rays"
    assert int(root.attrib["count"]) == len(root)
    return list(root)


def test_every_tool_needs_a_context() -> None:
    text = (
        "No context set. Call set_context() or set_context_from_result() before using agentic"
        " tools."
    )
    for call in (
        lambda: tools.find_rays_inside_glass_xml("x"),
        lambda: tools.find_rays_crossing_edge_xml("x", "N"),
        lambda: tools.find_rays_by_angle_to_edge_xml("x", "N"),
        lambda: tools.find_rays_by_polarization_xml(),
    ):
        with pytest.raises(RuntimeError) as caught:
            call()
        assert str(caught.value) == text


def test_the_context_holds_the_three_keys(scene: Scene, result: TraceResult) -> None:
    context = tools.get_context()
    assert list(context) == ["scene", "segments", "lineage"]
    assert context["scene"] is scene
    assert len(context["segments"]) == len(result)
    context.clear()
    assert tools.get_context()
    tools.clear_context()
    assert tools.get_context() == {}


def test_a_failed_set_context_changes_nothing(scene: Scene, result: TraceResult) -> None:
    with pytest.raises(RaybenchError, match="Segment 0"):
        tools.set_context(scene, [{"p1": (0, 0)}])
    with pytest.raises(TypeError, match="Scene"):
        tools.set_context("scene", [])  # type: ignore[arg-type]
    assert require_context().result is result


@pytest.mark.parametrize("wrong", [None, 5, "rays", {"p1": [0, 0]}])
def test_what_is_no_segments_is_reported_with_what_is(
    scene: Scene, result: TraceResult, wrong: object
) -> None:
    with pytest.raises(TypeError, match=r"such as result\.segments"):
        tools.set_context(scene, wrong)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"such as result\.segments"):
        tools.set_context(scene, result)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="needs a TraceResult"):
        tools.set_context_from_result(scene, wrong)  # type: ignore[arg-type]
    assert require_context().result is result


def test_a_foreign_lineage_is_refused(scene: Scene, result: TraceResult) -> None:
    with pytest.raises(TypeError, match="'parent'"):
        tools.set_context(scene, result.segments, {0: [1, 2]})  # type: ignore[arg-type]
    assert require_context().result is result
    tools.set_context(scene, result.segments, result.lineage)
    assert tools.get_context()["lineage"] is result.lineage


def test_plain_segments_can_be_registered(scene: Scene) -> None:
    segment = {"p1": (150, 150), "p2": {"x": 151, "y": 180}, "brightness_s": 1, "brightness_p": 0}
    tools.set_context(scene, [segment])
    (ray,) = rays(tools.find_rays_inside_glass_xml("Main Prism"))
    assert ray.findtext("degree_of_polarization") == "1.000000"


def test_the_context_is_seen_from_every_thread(result: TraceResult) -> None:
    answers: list[str] = []
    thread = threading.Thread(target=lambda: answers.append(tools.find_rays_by_polarization_xml()))
    thread.start()
    thread.join()
    assert len(rays(answers[0])) == len(result)


def test_a_bound_context_wins(scene: Scene, result: TraceResult) -> None:
    with override_context(TracedScene.from_document(Document(), TraceResult.from_segments([]))):
        assert rays(tools.find_rays_by_polarization_xml()) == []
    assert len(rays(tools.find_rays_by_polarization_xml())) == len(result)


def test_elements_of_a_ray_in_order(result: TraceResult) -> None:
    ray = rays(tools.find_rays_inside_glass_xml("Main Prism"))[0]
    assert [e.tag for e in ray][:8] == [
        "p1", "p2", "length", "brightness_s", "brightness_p", "brightness_total", "polarization_ratio", "degree_of_polarization",
    ]  # fmt: skip
    assert set(ray.attrib) >= {
        "index",
        "id",
        "parent",
        "interaction",
        "source",
        "object",
        "edge",
        "status",
    }
    assert ray.attrib["id"].startswith("r41-")
    assert ray.attrib["source"] == "Point source 1"
    assert ray.attrib["object"] == "Main Prism"
    assert ray.attrib["edge"] in ("S", "E", "W")
    assert [len(ray.find("p1").attrib[k].split(".")[1]) for k in "xy"] == [4, 4]  # type: ignore[union-attr]


def test_the_root_carries_revision_and_units(result: TraceResult) -> None:
    root = ET.fromstring(tools.find_rays_by_polarization_xml())
    assert (root.attrib["revision"], root.attrib["unit"], root.attrib["wavelength_unit"]) == (
        "41",
        "mm",
        "nm",
    )


def test_an_empty_answer_is_still_a_document(result: TraceResult) -> None:
    xml = tools.find_rays_by_angle_to_edge_xml("Main Prism", "S", 89.99, 90)
    assert xml.startswith('<?xml version="1.0" encoding="UTF-8"?>\n<rays count="0"')
    assert xml.endswith(">\n</rays>")


def test_an_escaping_ray_says_that_its_length_is_infinite(result: TraceResult) -> None:
    escaped = [
        r for r in rays(tools.find_rays_by_polarization_xml()) if r.attrib["status"] == "escaped"
    ]
    assert escaped
    assert {r.findtext("length") for r in escaped} == {"inf"}


def test_picked_segments_keep_their_ids(
    result: TraceResult,
) -> None:
    picked = [r for r in result.segments if result.parent[r.row] >= 0 and result.hit[r.row] == 0]
    root = ET.fromstring(tools.rays_to_xml(reversed(picked)))
    assert (root.attrib["revision"], root.attrib["count"]) == ("41", str(len(picked)))
    assert len(picked) > 3
    context = require_context()
    for ray, segment in zip(root, reversed(picked), strict=True):
        assert ray.attrib["id"] == f"r41-{segment.row}"
        assert ray.attrib["parent"] == f"r41-{result.parent[segment.row]}"
        assert (
            ray.attrib["edge"]
            == context.edge_title(0, int(result.edge[segment.row]))
            in ("S", "E", "W")
        )


def test_total_reflection_is_a_block_with_its_facts(result: TraceResult) -> None:
    found = rays(tools.find_rays_by_polarization_xml())
    reflected = [r for r in found if r.attrib["interaction"] == "tir"]
    assert reflected
    for ray in reflected:
        assert ray.findtext("tir/is_tir_result") == "true"
        assert int(ray.findtext("tir/tir_count") or 0) >= 1
    causes = {r.attrib["parent"] for r in reflected}
    assert {r.attrib["id"] for r in found if r.findtext("tir/caused_tir") == "true"} == causes


def test_names_survive_in_xml_whatever_they_hold() -> None:
    name = "<a> & \"b\" 'c' ]]> \x01\x1f 😀 " + "x" * 10_000
    prism = Glass(path=(Vertex(0, 0), Vertex(10, 0), Vertex(0, 10)), name=name)
    scene = Scene.of([prism, SingleRay(p1=Point(-5, 2), p2=Point(0, 2.5), name="\x00")])
    tools.set_context_from_result(scene, trace(scene))
    found = rays(tools.find_rays_inside_glass_xml(name))
    shown = name.replace("\x01", "\\u0001").replace("\x1f", "\\u001f")
    assert found[0].attrib["object"] == shown
    assert found[0].attrib["source"] == "\\u0000"


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (
            ("find_rays_inside_glass_xml", ["Nonexistent"]),
            "No object named 'Nonexistent'. Named objects: ['Main Prism', 'Fold']",
        ),
        (("find_rays_inside_glass_xml", ["Fold"]), "'Fold' is a mirror, not a glass"),
        (
            ("find_rays_crossing_edge_xml", ["Main Prism", "Z"]),
            "No edge matching 'Z'. Available labels: ['S', 'E', 'W']",
        ),
        (("find_rays_by_angle_to_edge_xml", ["Main Prism", "S", 50, 20]), "min_angle 50 is larger"),
        (("find_rays_by_angle_to_edge_xml", ["Main Prism", "S", 0, 120]), "max_angle is 120"),
        (("find_rays_by_polarization_xml", [-0.5]), "min_dop is -0.5"),
    ],
)
def test_wrong_arguments_are_answered_with_what_exists(
    result: TraceResult, call: tuple[str, list[object]], words: str
) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - the text is checked below
        getattr(tools, call[0])(*call[1])
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_query_leaves_its_rays_in_the_context(result: TraceResult) -> None:
    tools.find_rays_inside_glass_xml("Main Prism")
    tools.find_rays_by_polarization_xml(0.9, 1)
    inside, polarised = require_context().answers
    assert inside.question == "rays inside Main Prism"
    assert len(inside) > 0
    assert polarised.revision == 41


def test_the_registry_describes_the_functions_themselves() -> None:
    entries = get_agentic_tools()
    names = [e["name"] for e in entries]
    assert names[:4] == [
        "find_rays_inside_glass_xml",
        "find_rays_crossing_edge_xml",
        "find_rays_by_angle_to_edge_xml",
        "find_rays_by_polarization_xml",
    ]
    assert len(set(names)) == len(names)
    assert all(
        getattr(tools, name) is entry["function"]
        for name, entry in zip(names, entries, strict=True)
    )
    for entry in entries:
        function = entry["function"]
        assert callable(function)
        assert function.__name__ == entry["name"]
        assert entry["description"] in " ".join(inspect.getdoc(function).split())
        schema = entry["input_schema"]
        json.dumps(schema)
        signature = inspect.signature(function)
        assert list(schema["properties"]) == list(entry["parameters"]) == list(signature.parameters)
        required = [n for n, p in signature.parameters.items() if p.default is p.empty]
        assert schema.get("required", []) == required
        assert schema["additionalProperties"] is False
        assert all(
            about["description"] and about["type"] in ("string", "number", "integer")
            for about in entry["parameters"].values()
        )


def test_changing_an_entry_does_not_change_the_catalogue() -> None:
    get_agentic_tools()[0]["input_schema"]["properties"].clear()
    assert get_agentic_tools()[0]["input_schema"]["properties"]


def test_the_catalogue_lists_tools_and_what_scripts_use() -> None:
    entries = list_available_tools("dict")
    assert isinstance(entries, list)
    kinds = {e["name"]: e["kind"] for e in entries}
    assert {name for name, kind in kinds.items() if kind == "tool"} == {
        t["name"] for t in get_agentic_tools()
    }
    assert {*tools.__all__, "get_agentic_tools", "list_available_tools"} == set(kinds)
    assert all(
        set(e) == {"module", "name", "kind", "signature", "description"} and all(e.values())
        for e in entries
    )
    text = list_available_tools()
    assert all(e["signature"] in text and e["description"] in text for e in entries)
    with pytest.raises(RaybenchError, match="'xml'"):
        list_available_tools("xml")  # type: ignore[arg-type]


def test_an_answer_is_stale_until_undone(
    scene: Scene,
) -> None:
    session = Session(Document(scene=scene))
    tools.set_context_from_result(scene, trace(scene, revision=session.document.revision))

    def root() -> ET.Element:
        return ET.fromstring(tools.find_rays_by_polarization_xml())

    assert "stale" not in root().attrib
    session.apply(Delete(o.key for o in session.document.scene.objects[1:]))
    assert root().attrib["stale"] == "true"
    assert "edited" in root().attrib["note"]
    assert len(root()) > 0
    session.undo()
    assert "stale" not in root().attrib


def test_an_old_trace_with_a_new_scene(scene: Scene, result: TraceResult) -> None:
    edited = scene.with_objects(scene.objects[:2])
    with pytest.raises(RaybenchError, match="Trace this scene"):
        tools.set_context_from_result(edited, result)
    assert require_context().scene is scene
    tools.set_context_from_result(Scene.of(scene.objects), result)  # the same scene, made anew
