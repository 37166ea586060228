"""What sentences mean without a model: they run if they are an example, and nothing else does."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest
from tests.core.agent.questions.scenes import document, intent
from tests.open_prism import open_prism

from raybench.agent.questions.limits import find_stated_limit
from raybench.agent.questions.starters import starter_questions
from raybench.agent.questions.understanding import (
    complete_sentence,
    is_example,
    questions_completing_text,
    understand_sentence,
)
from raybench.files.scene_json import scene_from_json
from raybench.kinds.blockers import Aperture, Blocker
from raybench.kinds.decorations import LineArrow, TextLabel
from raybench.kinds.glasses import CircleGlass, Glass
from raybench.kinds.lenses import IdealLens
from raybench.kinds.mirrors import ArcMirror, Mirror
from raybench.kinds.object import SceneObject
from raybench.kinds.sources import Beam, PointSource, SingleRay
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.shapes.point import Point, Vertex

TRIANGLE = (Vertex(-30, 20), Vertex(30, 20), Vertex(0, -20))
LIT = SingleRay(p1=Point(-200, 0), p2=Point(0, 0))


def glasses(*names: str) -> Document:
    return Document(scene=Scene.of([Glass(name=n, path=TRIANGLE) for n in names] + [LIT]))


@pytest.mark.parametrize(
    ("text", "tool", "arguments"),
    [
        ("which rays are inside the prism?", "find_rays_inside_glass_xml", {"glass_name": "Main Prism"}),
        ("pls show me rays within MAIN PRISM", "find_rays_inside_glass_xml", {"glass_name": "Main Prism"}),
        ("wich rays are insde the main prsim", "find_rays_inside_glass_xml", {"glass_name": "Main Prism"}),
        ("rays inside main prism stronger than 0,2", "find_rays_xml", {"inside": "Main Prism", "min_power": math.nextafter(0.2, 1)}),
        ("Which rays cross edge NE of Main Prism?", "find_rays_crossing_edge_xml", {"glass_name": "Main Prism", "edge_label": "NE"}),
        ("which rays do not reach the screen", "find_rays_xml", {"misses": "Screen"}),
        ("rays from Lamp that hit the screen", "find_rays_xml", {"hits": "Screen", "source": "Lamp"}),
        ("whats the focal length", "measure_xml", {"measures": "focal_length(Focusing Lens)"}),
        ("how many rays hit the screen", "measure_xml", {"measures": "rays(Screen)"}),
        ("rms spot radius on screen in µm", "measure_xml", {"measures": "rms(Screen)", "unit": "µm"}),
        ("power(Screen) / power(Main Prism)", "measure_xml", {"measures": "power(Screen) / power(Main Prism)"}),
        ("where's the focus", "focus_xml", {"object_name": "Focusing Lens"}),
        ("where do the rays end up", "losses_xml", {}),
        ("Which rays follow Lamp > * > Screen?", "find_paths_xml", {"pattern": "Lamp > * > Screen"}),
        ("select count(*) from rays", "query_rays_xml", {"sql": "select count(*) from rays"}),
        ("How do I export a picture?", "search_help", {"query": "How do I export a picture?"}),
        ("what is the refractive index of the prism at 500 nm", "refractive_index_xml", {"glass_name": "Main Prism", "wavelength": 500.0}),
        ("Show only rays with a power above 0.1", "range_filter", {"quantity": "power", "above": 0.1, "exclude": False}),
        ("hide rays weaker than 0.05", "range_filter", {"quantity": "power", "below": 0.05, "exclude": True}),
        ("Only show wavelengths between 500 and 600 nm", "range_filter", {"quantity": "wavelength", "at_least": 500.0, "at_most": 600.0, "exclude": False}),
        ("show only rays of depth at most 3", "range_filter", {"quantity": "depth", "at_most": 3.0, "exclude": False}),
        ("Show only the rays from Lamp", "source_filter", {"sources": ["Lamp"], "exclude": False}),
        ("show me all the rays again.", "clear_filter", {}),
    ],
)  # fmt: skip
def test_sentences_that_are_an_example_run(text: str, tool: str, arguments: dict[str, Any]) -> None:
    found = understand_sentence(text, document("prism"))
    assert (found.tool, found.arguments) == (tool, arguments), found.text


@pytest.mark.parametrize(
    ("text", "changes"),
    [
        ("turn the prism 5 degrees clockwise", [{"rotate": "Main Prism", "by": -5.0}]),
        ("rotate Main Prism by 0,5°", [{"rotate": "Main Prism", "by": 0.5}]),
        ("nudge the focusing lens 2,5 mm to the left pls", [{"move": "Focusing Lens", "dx": -2.5, "dy": 0.0}]),
        ("move Screen by 5 mm up", [{"move": "Screen", "dx": 0.0, "dy": -5.0}]),
        ("tilt the screen by 3°", [{"rotate": "Screen", "by": 3.0}]),
        ("move Screen to x = 600", [{"move": "Screen", "dx": -30.0, "dy": 0.0}]),
        ("move Screen to 600, 500", [{"move": "Screen", "to": {"x": 600.0, "y": 500.0}}]),
        ("set the refractive index of Main Prism to 1.7", [{"set": "Main Prism", "refIndex": 1.7}]),
        ("change the index of the prism to 1,7", [{"set": "Main Prism", "refIndex": 1.7}]),
        ("increase the index of the prism by 10 %", [{"set": "Main Prism", "refIndex": 1.65}]),
        ("set Lamp to 546 nm", [{"set": "Lamp", "wavelength": 546.0}]),
        ("make the prism of N-BK7", [{"material": "Main Prism", "name": "N-BK7"}]),
        ("delete the screen", [{"delete": "Screen"}]),
        ("duplicate Screen 3 times by 20 mm down", [{"duplicate": "Screen", "dx": 0.0, "dy": 20.0, "count": 3}]),
        ("group Collimator and Main Prism as front", [{"group": ["Collimator", "Main Prism"], "as": "Front"}]),
        ("switch the lamp off", [{"disable": "Lamp"}]),
        ("switch off the lamp", [{"disable": "Lamp"}]),
        ("turn on the lamp", [{"disable": "Lamp", "on": False}]),
        ("switch on Lamp", [{"disable": "Lamp", "on": False}]),
        ("hide the lamp", [{"hide": "Lamp"}]),
        ("rename Screen to Camera 2", [{"set": "Screen", "name": "Camera 2"}]),
        ("set the ray density to 0.2", [{"settings": {"rayModeDensity": 0.2}}]),
        ("make the lamp twice as bright", [{"set": "Lamp", "brightness": 4.0}]),
        ("add a mirror at 200, 100", [{"add": {"type": "Mirror", "p1": {"x": 200, "y": 0}, "p2": {"x": 200, "y": 200}}}]),
        ("insert a beam with a wavelength of 500 nm and a brightness of 2 at 0, 0 called Pilot",
         [{"add": {"type": "Beam", "p1": {"x": 0, "y": -100}, "p2": {"x": 0, "y": 100}, "brightness": 2, "wavelength": 500, "name": "Pilot"}}]),
    ],
)  # fmt: skip
def test_edits_have_slots_of_their_own(text: str, changes: list[dict[str, Any]]) -> None:
    found = understand_sentence(text, document("prism"))
    assert found.tool == "change_scene", found
    for made, wanted in zip((found.arguments or {})["changes"], changes, strict=True):
        assert {
            k: pytest.approx(v, abs=1e-3) if isinstance(v, float) else v for k, v in wanted.items()
        } == made


@pytest.mark.parametrize(
    ("scene", "text", "change"),
    [
        ("best-form", "set the thickness of Lens to 6 mm", {"set": "Lens", "params.d": 6.0}),
        ("best-form", "set the first radius of the lens to 80", {"set": "Lens", "params.r1": 80.0}),
        ("baffled-telescope", "delete the baffles", {"delete": ["Baffle 1 top", "Baffle 1 bottom", "Baffle 2 top", "Baffle 2 bottom"]}),
        ("baffled-telescope", "paint Tube top black", {"finish": "Tube top", "with": "Aeroglaze Z306 black paint"}),
        ("periscope", "rotate the second mirror by 2 degrees", {"rotate": "Lower", "by": 2.0}),
        ("baffled-telescope", "paint the tube walls black", {"finish": ["Tube top", "Tube bottom"], "with": "Aeroglaze Z306 black paint"}),
        ("coated-lens", "put an antireflection coating on the front lens", {"coat": "Front", "coating": "MgF2 quarter wave 550"}),
        ("coated-lens", "take the sensor away", {"delete": "Sensor"}),
        ("coated-lens", "remove the coatings of the front lens", {"coat": "Front", "coating": ""}),
        ("spectrometer", "use 300 lines per mm for the grating", {"set": "Grating", "lineDensity": 300.0}),
        ("ghosts", "switch off the reflections of the rear lens", {"set": "Rear", "partialReflect": False}),
        ("ghosts", "increase the distance from Front to Rear by 5 mm", {"move": "Rear", "dx": 5.0, "dy": 0.0}),
        ("telescope", "use a 40 mm eyepiece instead", {"set": "Eyepiece", "focalLength": 40.0}),
        ("bent-guide", "open the LED to 60°", {"set": "LED", "emisAngle": 60.0}),
        ("achromat", "swap the crown glass for fused silica", {"material": "Crown", "name": "Fused silica"}),
    ],
)  # fmt: skip
def test_edits_of_an_optical_designer(scene: str, text: str, change: dict[str, Any]) -> None:
    found = understand_sentence(text, document(scene))
    if not found.tool:
        found = understand_sentence(found.choices[0], document(scene))
    assert (found.tool, found.arguments) == ("change_scene", {"changes": [change]})


@pytest.mark.parametrize(
    ("text", "tool"),
    [("undo", "undo_edits"), ("undo my last change", "undo_edits"), ("redo", "redo_edits"), ("move the screen to the best focus", "move_to_focus")],
)  # fmt: skip
def test_edits_by_other_tools(text: str, tool: str) -> None:
    assert understand_sentence(text, document("prism")).tool == tool


@pytest.mark.parametrize(
    ("text", "tool", "arguments"),
    [
        ("Which angle of Main Prism gives the least deviation of the prism?", "optimise",
         {"vary": ["Main Prism.angle=-30..30"], "goals": ["least deviation(Main Prism)"], "whole_range": True}),
        ("minimise the RMS radius on Screen by changing the x of Focusing Lens from -5 to 5", "optimise",
         {"vary": ["Focusing Lens.x=-5..5"], "goals": ["least rms(Screen)"], "whole_range": True}),
        ("How does the power at Screen depend on the prism angle?", "sweep", {"axes": ["Main Prism.angle=-30..30"], "measures": "power(Screen)"}),
        ("sweep Main Prism.angle from -20 to 20 in steps of 5 and plot power(Screen)", "sweep",
         {"axes": ["Main Prism.angle=-20..20:9"], "measures": "power(Screen)"}),
        ("How sensitive is the power at Screen to the angle of Main Prism within 0,2 deg?", "tolerance",
         {"vary": ["Main Prism.angle±0.2"], "measures": ["power(Screen)"]}),
        ("what happens to the power at Screen if Main Prism is turned by 2° clockwise?", "what_if",
         {"changes": [{"rotate": "Main Prism", "by": -2.0}], "measures": "power(Screen)"}),
        ("What is the power at Screen without Main Prism?", "what_if", {"changes": [{"disable": "Main Prism"}], "measures": "power(Screen)"}),
        ("if I delete the prism, how much power gets to the screen", "what_if", {"changes": [{"delete": "Main Prism"}], "measures": "power(Screen)"}),
        ("has the power at Screen converged?", "convergence_xml", {"measures": "power(Screen)"}),
        ("what has changed since revision 3", "compare", {"revision": 3}),
        ("which glass has an index of 1,62 and an Abbe number of 36", "find_glass", {"n_d": 1.62, "v_d": 36.0}),
    ],
)  # fmt: skip
def test_studies_hold_measures_and_edits(text: str, tool: str, arguments: dict[str, Any]) -> None:
    found = understand_sentence(text, document("prism"))
    assert (found.tool, found.arguments) == (tool, arguments), found


@pytest.mark.parametrize(
    "text",
    [
        "Hello there!", "rays", "", "why is the screen dark", "which rays reach the screen twice", "which rays reach Screen and Main Prism",
        "how many rays do not reach the screen", "power at the screen except from Lamp", "what is the power behind the moon",
        "is Main Prism rotated by 5 deg?", "should I delete the screen?", "which rays reach Nonexistent", "focal length of Screen 10 times",
        "which rays reach the screen and what is their power",
        "bring the focus to 90 mm by changing the index",
        "move Screen", "rotate it", "what if", "the best lens ever",
    ],
)  # fmt: skip
def test_what_no_example_explains_runs_nothing(text: str) -> None:
    found = understand_sentence(text, document("prism"))
    assert not found.tool, (found.tool, found.arguments)
    assert found.text
    assert all(is_example(choice, document("prism")) for choice in found.choices)


@pytest.mark.parametrize(
    ("scene", "text", "wanted"),
    [
        ("prism", "make the beam collimated", {"optimise", "divergence"}),
        ("prism", "how much light is lost at the lens", {"losses_xml", "absorbed", "transmittance"}),
        ("prism", "why is the screen dark", {"power", "find_rays_xml", "losses_xml"}),
        ("prism", "how bright is the spot on the screen", {"power", "peak_irradiance", "strongest_ray"}),
        ("prism", "what is the best position for the screen", {"move_to_focus", "focus_xml"}),
        ("prism", "energy balance", {"check_energy_conservation_xml", "losses_xml"}),
        ("prism", "plot spot size vs prism angle", {"sweep"}),
        ("prism", "how sensitive is the spot to the prism tilt", {"tolerance"}),
        ("prism", "dispersion of the prism", {"refractive_index_xml", "deviation"}),
        ("prism", "what if the prism was made of glue", {"what_if"}),
        ("prism", "optimise the prism angle for maximum power on the screen", {"optimise"}),
        ("prism", "peak intensity on screen", {"peak_irradiance"}),
        ("ghosts", "are there any ghosts", {"find_ghosts_xml"}),
        ("spectrometer", "how far apart are the red and blue lines on the sensor", {"separation"}),
        ("spectrometer", "does the stop clip the beam", {"throughput", "aperture_throughput_xml"}),
        ("newton-telescope", "how much light is blocked by the diagonal", {"blocked_light_xml", "blocked"}),
        ("bent-guide", "is light leaking out of the guide", {"leaks_xml", "escaped"}),
        ("coin-in-water", "apparent depth of the coin", {"image_xml"}),
        ("light-guide", "do I have enough rays", {"convergence_xml"}),
        ("interferometer", "how is the light split at the entrance", {"splitting_ratio", "beams_xml"}),
    ],
)  # fmt: skip
def test_an_acceptable_question_is_among_three(scene: str, text: str, wanted: set[str]) -> None:
    found = understand_sentence(text, document(scene))
    got = [intent(understand_sentence(choice, document(scene))) for choice in found.choices]
    assert intent(found) in wanted or (len(got) == 3 and set(got) & wanted), found


def test_a_clarification_remembers_what_it_asked() -> None:
    scene = glasses("A1", "B1")
    asked = understand_sentence("which rays are inside the glass?", scene)
    assert asked.text == "Which glass?"
    assert asked.choices == ("Which rays are inside A1?", "Which rays are inside B1?")
    for answer in ("2", "B1", "b1", "Which rays are inside B1?"):
        assert complete_sentence(answer, asked, scene) == asked.choices[1]
    assert complete_sentence("Which rays escape?", asked, scene) == "Which rays escape?"
    turned = understand_sentence("rotate A1", scene)
    assert not turned.tool
    assert understand_sentence(complete_sentence("5", turned, scene), scene).arguments == {
        "changes": [{"rotate": "A1", "by": 5.0}]
    }
    added = understand_sentence("add a mirror behind the focusing lens", document("prism"))
    assert (added.text, added.tool) == ("How far, such as 10 mm?", "")
    full = complete_sentence("20 mm", added, document("prism"))
    assert full == "Add a mirror 20 mm behind Focusing Lens."
    edge = understand_sentence("which rays cross an edge of A1?", scene)
    assert edge.text == "Which edge of A1?"
    assert (
        understand_sentence(complete_sentence("NE", edge, scene), scene).tool
        == "find_rays_crossing_edge_xml"
    )


def test_limits_are_answers_unless_an_object_has_the_word_in_its_name() -> None:
    for text in (
        "show the speckle",
        "how hot does the screen get",
        "add fluorescence",
        "3D view",
        "play a sound",
        "put a calcite plate into the beam",
        "where is the beam waist",
        "what is the price of the lens",
        "what if it were immersed in oil",
        "use a white light source",
        "what current does the lamp need",
        "how long must I expose the film",
        "is it safe to look into the beam",
    ):
        found = understand_sentence(text, document("prism"))
        assert found.beyond
        assert found.text.startswith("It is not possible")
    assert not find_stated_limit("where does the light go")
    assert understand_sentence("How much power reaches Diffuser?", document("dichroic")).tool
    assert not understand_sentence("tilt the wavefront by 1 deg", document("lens-array")).beyond


@pytest.mark.parametrize(
    "name",
    ["I", "inside", "edge", "E", "of", "rays", "Left\nprism", "Left  prism", 'the "x" (2)', "prism?", "Ball (left) [2] 45°", "It's “N” edge"],
)  # fmt: skip
def test_an_object_of_any_name_is_asked_about(name: str) -> None:
    scene = glasses(name, "Other")
    title = next(o.title for o in scene.scene.objects)
    for text in (f"Which rays are inside {name}?", f"Which rays cross edge 0 of {name}?"):
        found = understand_sentence(text, scene)
        assert title in (found.arguments or {}).values(), (text, found)


@pytest.mark.parametrize(
    "scene",
    [
        Scene(),
        Scene.of([Mirror(p1=Point(0, 0), p2=Point(1, 0))]),
        Scene.of([Glass(path=TRIANGLE)]),
        Scene.of([CircleGlass(name="Ball", p1=Point(0, 0), p2=Point(5, 0))]),
        open_prism().document.scene,
    ],
)
def test_the_three_questions_about_any_scene_run(scene: Scene) -> None:
    there = Document(scene=scene)
    assert all(is_example(question, there) for question in starter_questions(there))


def test_the_longest_name_wins() -> None:
    found = understand_sentence("rays inside Prism 10", glasses("Prism 1", "Prism 10", "Prism"))
    assert found.arguments == {"glass_name": "Prism 10"}


def test_questions_that_fit_are_offered_while_one_types() -> None:
    scene = document("prism")
    assert "Where is the focus of Focusing Lens?" in questions_completing_text(
        "where is the foc", scene
    )
    assert "Which rays are inside Main Prism?" in questions_completing_text("rays ins", scene)
    assert not questions_completing_text("xyzzy", scene)


@pytest.mark.parametrize(
    ("scene", "text", "first"),
    [
        ("prism", "rotate the prism 5 degrees and tell me how much power reaches the screen",
         "What if I rotate Main Prism by 5°: how much power reaches Screen?"),
        ("newton-telescope", "tilt the diagonal by 1 deg, where does the spot on the field go?",
         "What if I rotate Diagonal by 1°: what is the position of the spot on Field?"),
        ("spectrometer", "does the spot of green get any better if the grating is turned by 2 deg",
         "What if I rotate Grating by 2°: what is the RMS radius of the spot at the focus of Camera from Green?"),
        ("telescope", "magnification of this telescope", "What is the angular magnification of Objective + Eyepiece?"),
        ("achromat", "what's the focal length of the whole doublet", "What is the focal length of Crown + Flint?"),
        ("prism", "what happens to the power on the screen if the prism is rotated from -5 to 5 degrees",
         "How does the power that reaches Screen depend on the angle of Main Prism from -5 deg to 5 deg?"),
        ("prism", "what would change on the screen if i removed the collimator", "What if I delete Collimator: how much power reaches Screen?"),
        ("achromat", "where does the blue beam focus", "Where is the focus of Crown + Flint from Blue?"),
        ("interferometer", "how much power in port a compared to port b", "How much power reaches Port A?"),
        ("interferometer", "light travel time from the laser to port B", "How long does light take along Laser > * > Port B?"),
        ("prism", "at what angle of the prism does light stop reaching the screen",
         "How does the power at Screen depend on the angle of Main Prism?"),
    ],
)  # fmt: skip
def test_casual_and_compound_sentences_are_offered_in_other_words(
    scene: str, text: str, first: str
) -> None:
    found = understand_sentence(text, document(scene))
    assert not found.tool
    assert first in found.choices, found
    assert all(is_example(choice, document(scene)) for choice in found.choices)


@pytest.mark.parametrize(
    ("scene", "text", "first"),
    [
        ("light-guide", "where must the lens sit so that the most light gets into the guide",
         "Maximise the power that reaches Guide by changing the x of Lens from -64 to 200."),
        ("telescope", "shift the eyepiece to where the light is best collimated",
         "Minimise the divergence of the light after Objective + Eyepiece by changing the x of Eyepiece from -180 to 96."),
        ("best-form", "which second radius makes the spot smallest",
         "Minimise the RMS radius of the spot at the focus of Lens by changing the second radius of Lens."),
        ("bent-guide", "what is the widest opening angle of the LED before light leaks out",
         "How does the power that escapes depend on the opening angle of LED?"),
        ("best-form", "put the focus at 90 mm by changing the index",
         "Which index of Lens makes the distance of the focus from Lens 90 mm?"),
        ("spectrometer", "which line density brings the green line to the centre of the sensor",
         "Which line density of Grating makes the position of the spot on Sensor from Green 40?"),
        ("achromat", "how precisely must the angle of the flint be set for its chromatic shift",
         "How sensitive is the chromatic shift of Crown + Flint to the angle of Flint?"),
        ("best-form", "does the focus move when the wavelength goes from 500 to 600 nm",
         "How does the distance of the focus from Lens depend on the wavelength of Star from 500 nm to 600 nm?"),
    ],
)  # fmt: skip
def test_a_goal_and_what_is_varied_are_offered_as_a_study(
    scene: str, text: str, first: str
) -> None:
    found = understand_sentence(text, document(scene))
    assert not found.tool
    assert found.choices[0] == first, found
    assert understand_sentence(first, document(scene)).tool in ("optimise", "sweep", "tolerance")


@pytest.mark.parametrize(
    ("scene", "text", "change", "measure"),
    [
        ("newton-telescope", "spot diameter on field when the star is 0,2 deg off axis", {"rotate": "Star", "by": 0.2}, "width(Field)"),
        ("solar-trough", "how much power reaches the pipe at 2 deg misalignment", {"rotate": "Sun", "by": 2.0}, "power(Pipe)"),
        ("best-form", "focal length with n = 1,7", {"set": "Lens", "refIndex": 1.7}, "focal_length(Lens)"),
        ("best-form", "back focal length at 450 nm", {"set": "Star", "wavelength": 450.0}, "back_focal_length(Lens, Star)"),
        ("bent-guide", "if the LED is opened to 60°, how much is lost", {"set": "LED", "emisAngle": 60.0}, "escaped(LED)"),
        ("periscope", "once Upper is moved by 2 mm, how far does the spot on the eye move", {"move": "Upper", "dx": 2.0, "dy": 0.0}, "centroid(Eye)"),
    ],
)  # fmt: skip
def test_a_condition_and_a_question_are_offered_as_one(
    scene: str, text: str, change: dict[str, Any], measure: str
) -> None:
    found = understand_sentence(text, document(scene))
    assert not found.tool
    offered = understand_sentence(found.choices[0], document(scene))
    assert (offered.tool, offered.arguments) == (
        "what_if",
        {"changes": [change], "measures": measure},
    )


@pytest.mark.parametrize(
    ("scene", "text", "measure"),
    [
        ("ghosts", "focal length of both lenses together", "focal_length(Front + Rear)"),
        ("telescope", "what is the f-number of the whole system", "f_number(Objective + Eyepiece)"),
        ("spectrometer", "what is the beam diameter at the grating", "arriving_width(Grating)"),
        ("triplet", "how much astigmatism does the lens have", "read_lens_xml"),
        ("coated-lens", "transmission of the whole lens", "transmittance(Front + Rear)"),
        ("triplet", "what is the f-number of the lens", "f_number(Triplet)"),
        ("triplet", "I need f/4 instead, how far do I close the stop", "f_number(Triplet)"),
        ("coated-lens", "what is the angle of incidence on the back face of the rear lens", "edge_incidence(Rear:E)"),
        ("telescope", "what is the focal length of the objective and of the eyepiece", "focal_length(Eyepiece)"),
        ("ghosts", "which of the two lenses is the stronger one", "focal_length(Front)"),
        ("periscope", "what is the angle between the two mirrors", "angle_between(Upper, Lower)"),
        ("prism", "how collimated is the beam after the collimator", "divergence(Collimator)"),
        ("interferometer", "how long does the light take to port b", "transit_time(Laser > * > Port B)"),
        ("newton-telescope", "how much does the diagonal shade", "blocked_light_xml"),
        ("telescope", "where do the rays meet between the objective and the eyepiece", "focus_xml"),
        ("interferometer", "how long is the path by the arm of Lower", "path_length(Laser > * > Lower > * > Port A)"),
        ("rainbow", "in which direction does the red light come to the eye", "arriving_direction(Eye, Red)"),
    ],
)  # fmt: skip
def test_objects_are_asked_about_as_they_are_meant(scene: str, text: str, measure: str) -> None:
    found = understand_sentence(text, document(scene))
    offered = [found, *(understand_sentence(q, document(scene)) for q in found.choices)]
    assert measure in [(o.arguments or {}).get("measures", o.tool) for o in offered], found


def test_what_drops_a_name_or_a_number_comes_last() -> None:
    found = understand_sentence(
        "how large is the spot on field if the star is 0.3 deg off axis",
        document("newton-telescope"),
    )
    assert all(q.startswith("What if I rotate Star by 0.3°:") for q in found.choices[:2])
    asked = understand_sentence("can it resolve 589,0 and 589,6 nm", document("spectrometer"))
    assert asked.choices[0] == "What is the resolving power of Grating?"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("where is the focus of the second ideal lens", "Ideal lens 2"),
        ("where is the focus of the eyepiece", "Ideal lens 2"),
        ("where is the focus of the left lens", "Ideal lens 1"),
    ],
)
def test_objects_without_names_are_told_by_number_role_and_place(text: str, wanted: str) -> None:
    lenses = [
        IdealLens(p1=Point(100 * i, -20), p2=Point(100 * i, 20), focal_length=50) for i in (0, 1)
    ]
    found = understand_sentence(text, Document(scene=Scene.of([LIT, *lenses])))
    assert wanted in str(found.arguments), found


def test_systems_side_by_side_are_told_by_place() -> None:
    lenses = [
        IdealLens(p1=Point(x, y - 20), p2=Point(x, y + 20), focal_length=50)
        for y in (0, 100)
        for x in (0, 150)
    ]
    found = understand_sentence(
        "what is the expansion ratio of the lower expander?",
        Document(scene=Scene.of([LIT, *lenses])),
    )
    assert "What is the angular magnification of Ideal lens 3 + Ideal lens 4?" in found.choices


def test_a_glass_that_is_not_known_is_said_so() -> None:
    found = understand_sentence("swap the crown for SF5", document("achromat"))
    assert found.text.startswith("SF5 is not among the glasses; near: N-SF5,")
    assert found.choices[0] == "Change Crown to N-SF5."


def test_offered_edits_keep_their_object_and_value() -> None:
    found = understand_sentence(
        "tilt the diagonal by 1 deg, where is the spot on the field", document("newton-telescope")
    )
    edits = [
        c
        for c in found.choices
        if understand_sentence(c, document("newton-telescope")).tool == "change_scene"
    ]
    assert edits == ["Rotate Diagonal by 1°."]


def test_texts_of_the_drawing_name_what_they_stand_at_or_point_to() -> None:
    lenses = [
        IdealLens(p1=Point(x, y - 20), p2=Point(x, y + 20), focal_length=f)
        for y, last in ((0, 50), (100, -25))
        for x, f in ((0, 50), (150, last))
    ]
    drawn = [
        TextLabel(x=-60, y=0, text="Keplerian expander", font_size=5),
        TextLabel(x=-60, y=100, text="{{galileanexpander}}", font_size=5),
        TextLabel(x=60, y=60, text="field lens", font_size=5),
        LineArrow(p1=Point(60, 63), p2=Point(148, 82), arrow=True),
    ]
    scene = Document(scene=Scene.of([LIT, *lenses, *drawn]))
    for text, offered in (
        ("is the output of the galilean one collimated", "after Ideal lens 3 + Ideal lens 4"),
        ("what does the keplerian expander magnify", "Ideal lens 1 + Ideal lens 2"),
    ):
        found = understand_sentence(text, scene)
        assert not found.tool
        assert offered in found.choices[0], found
    moved = understand_sentence("what is the focal length of the field lens", scene)
    assert moved.arguments == {"measures": "focal_length(Ideal lens 4)"}
    last = understand_sentence("move the last positive lens 10 mm to the right", scene)
    assert last.arguments == {"changes": [{"move": "Ideal lens 2", "dx": 10.0, "dy": 0.0}]}


@pytest.mark.parametrize(
    ("scene", "text", "tool", "arguments"),
    [
        ("telescope", "angular magnification of Objective and Eyepiece together", "measure_xml", {"measures": "angular_magnification(Objective + Eyepiece)"}),
        ("ghosts", "combined focal length of Front and Rear", "measure_xml", {"measures": "focal_length(Front + Rear)"}),
        ("spectrometer", "How much of the light gets through the stop?", "measure_xml", {"measures": "transmitted(Stop)"}),
        ("spectrometer", "how far apart are Green and Red on the sensor", "measure_xml", {"measures": "separation(Sensor, Green, Red)"}),
        ("spectrometer", "how wide is the stop", "measure_xml", {"measures": "diameter(Stop)"}),
        ("achromat", "where does Crown focus the light of Blue", "focus_xml", {"object_name": "Crown", "source_name": "Blue"}),
        ("achromat", "which colours leave Flint", "beams_xml", {"object_name": "Flint"}),
        ("achromat", "is the 656.3 nm light parallel after Flint", "measure_xml", {"measures": "divergence(Flint, Red)"}),
        ("achromat", "what is the efl of Crown", "measure_xml", {"measures": "focal_length(Crown)"}),
        ("prism", "what is the current focal length of Focusing Lens", "measure_xml", {"measures": "focal_length(Focusing Lens)"}),
        ("spectrometer", "what power from each source reaches the sensor", "measure_xml",
         {"measures": "power(Sensor, Blue); power(Sensor, Green); power(Sensor, Red)", "order": "largest first"}),
        ("prism", "make Screen 30 mm wide", "change_scene", {"changes": [{"set": "Screen", "p1": {"x": 645, "y": 840}, "p2": {"x": 615, "y": 840}}], "measures": "diameter(Screen)"}),
        ("prism", "lower the lamp by 5 mm", "change_scene", {"changes": [{"move": "Lamp", "dx": 0.0, "dy": 5.0}]}),
    ],
)  # fmt: skip
def test_ordinary_questions_run(
    scene: str, text: str, tool: str, arguments: dict[str, Any]
) -> None:
    found = understand_sentence(text, document(scene))
    assert (found.tool, found.arguments) == (tool, arguments), found


@pytest.mark.parametrize(
    ("scene", "text", "offered"),
    [
        ("achromat", "which colour comes to a focus farthest behind the lens", "How far behind Flint is the focus from each source?"),
        ("spectrometer", "which wavelength is the weakest on the sensor", "How much power reaches Sensor from each source?"),
        ("spectrometer", "which of the three sources makes the widest beam after the camera", "How wide is the beam after Camera from each source?"),
        ("achromat", "which lens has the shorter focal length", "What is the focal length of Flint?"),
        ("achromat", "do both lenses have the same focal length", "What is the focal length of Crown?"),
        ("achromat", "where does Blue come to a focus", "Where is the focus of Flint from Blue?"),
        ("prism", "what would reach the screen without Main Prism", "What if I switch off Main Prism: how much power reaches Screen?"),
        ("ghosts", "how much goes through the lens Front and how much goes down", "How much power goes through Front?"),
        ("dichroic", "what colour is the light on Diffuser", "Which beams arrive at Diffuser?"),
        ("spectrometer", "close the stop to 2 mm", "Set the diameter of Stop to 2 mm."),
        ("telescope", "how far in front of Eyepiece is Objective", "What is the distance from Eyepiece to Objective?"),
        ("ghosts", "does Front make the beam wider", "How wide is the beam after Front?"),
    ],
)  # fmt: skip
def test_ordinary_questions_are_offered_in_other_words(scene: str, text: str, offered: str) -> None:
    found = understand_sentence(text, document(scene))
    assert not found.tool
    assert offered in found.choices, found


@pytest.mark.parametrize("noun", ["eye", "observer", "retina"])
def test_what_says_too_little_about_an_object_is_offered(noun: str) -> None:
    wall = Blocker(p1=Point(50, -9), p2=Point(50, 9))
    text = f"how much light reaches the {noun}?"
    found = understand_sentence(text, Document(scene=Scene.of([LIT, wall])))
    assert (found.tool, found.choices) == ("", ("How much power reaches Blocker 1?",))
    named = Document(scene=Scene.of([LIT, replace(wall, name=noun.capitalize())]))
    assert understand_sentence(text, named).tool == "measure_xml"


def test_texts_that_several_objects_share_are_told_by_place() -> None:
    walls = [Blocker(p1=Point(80, y - 9), p2=Point(80, y + 9)) for y in (0, 60, 120)]
    texts = [TextLabel(x=80, y=y + 18, text="screen", font_size=10) for y in (0, 120)]
    scene = Document(scene=Scene.of([LIT, *walls, *texts]))
    for place, wall in (("upper", "Blocker 1"), ("lower", "Blocker 3")):
        found = understand_sentence(f"how much light reaches the {place} screen", scene)
        assert found.arguments == {"measures": f"power({wall})"}, found


def test_a_module_is_one_object_with_parameters() -> None:
    cube = {"type": "BeamSplitter", "p1": {"x": -5, "y": -5}, "p2": {"x": 5, "y": 5}, "transRatio": "`splitRatio`"}  # fmt: skip
    data = {
        "version": 5,
        "modules": {"SplitCube": {"params": ["splitRatio=0:0.01:1:0.3"], "objs": [cube]}},
        "objs": [{"type": "ModuleObj", "module": "SplitCube", "points": [], "params": {"splitRatio": 0.3}}],
    }  # fmt: skip
    scene = scene_from_json(data)
    there = Document(scene=Scene.of([*scene.objects, LIT], scene.settings, modules=scene.modules))
    for text, tool, arguments in (
        ("what share of the light does the cube reflect", "measure_xml", {"measures": "reflectance(SplitCube 1)"}),
        ("set the split ratio of SplitCube 1 to 0.6", "change_scene", {"changes": [{"set": "SplitCube 1", "params.splitRatio": 0.6}]}),
        ("make it a 50/50 cube", "change_scene", {"changes": [{"set": "SplitCube 1", "params.splitRatio": 0.5}]}),
    ):  # fmt: skip
        found = understand_sentence(text, there)
        assert (found.tool, found.arguments) == (tool, arguments), found


_CAVITIES = [
    *(Mirror(p1=Point(x, -20), p2=Point(x, 20)) for x in (50, 250)),
    *(ArcMirror(p1=Point(x, -20), p2=Point(x, 20), p3=Point(x - 3, 0)) for x in (0, 200)),
    *(TextLabel(x=x, y=0, text=text, font_size=10) for x, text in ((-60, "ring"), (270, "unstable cavity"))),
]  # fmt: skip
_LAMPS = [
    PointSource(x=0, y=0),
    Beam(p1=Point(0, 30), p2=Point(0, 50)),
    Blocker(p1=Point(90, -9), p2=Point(90, 9)),
    Aperture(p1=Point(60, -20), p2=Point(60, 20), p3=Point(60, -4), p4=Point(60, 0)),
]
_ROW = [IdealLens(p1=Point(x, -20), p2=Point(x, 20), focal_length=50) for x in (0, 150)]


@pytest.mark.parametrize(
    ("held", "text", "tool", "wanted"),
    [
        (_CAVITIES, "turn the plane mirror of the unstable cavity by 3 degrees", "", ["Rotate Mirror 2 by 3°."]),
        (_CAVITIES, "delete the mirror of the unstable cavity", "", ["Delete Mirror 2."]),
        (_CAVITIES, "turn the curved mirror on the right by 3 degrees", "change_scene", ["'rotate': 'Arc mirror 2'"]),
        (_CAVITIES, "what if I move the plane mirror on the left 5 mm closer", "", ["I move Mirror 1 5 mm toward Arc mirror 1"]),
        (_CAVITIES, "what if I move the plane mirror 5 mm up", "", ["What if I move Mirror 1 by 5 mm up?"]),
        (_CAVITIES, "move the plane mirror 5 mm up", "", ["Move Mirror 1 by 5 mm up."]),
        (_CAVITIES, "how many times does the ray hit Mirror 2", "", ["How many rays reach Mirror 2?"]),
        (_LAMPS, "what share of the light of the point source lands on the blocker", "measure_xml", ["share(Blocker 1, Point source 1)"]),
        (_LAMPS, "what if Beam 1 sat 4 mm further to the left", "", ["What if I move Beam 1 by 4 mm to the left?"]),
        (_LAMPS, "make the slit 2 mm wide", "change_scene", ["'p3': {'x': 60.0, 'y': -3.0}, 'p4': {'x': 60.0, 'y': -1.0}", "diameter(Aperture 1)"]),
        (_LAMPS, "make Beam 1 10 mm wide", "change_scene", ["'p1': {'x': 0.0, 'y': 35.0}"]),
        (_LAMPS, "compare the path lengths of Point source 1 and Beam 1 to the blocker", "",
         ["How long is the path Point source 1 > * > Blocker 1?", "How long is the path Beam 1 > * > Blocker 1?"]),
        (_ROW, "where does the light come to a focus", "", ["Ideal lens 1", "Ideal lens 2"]),
        (_ROW, "put a screen where the rays come together", "", ["Where is the focus of Ideal lens 1?", "Where is the focus of Ideal lens 2?"]),
    ],
)  # fmt: skip
def test_one_object_is_told_by_side_owner_or_kind(
    held: list[SceneObject], text: str, tool: str, wanted: list[str]
) -> None:
    found = understand_sentence(text, Document(scene=Scene.of([LIT, *held])))
    told = f"{found.arguments} {found.choices}"
    assert found.tool == tool, found
    assert all(w in told for w in wanted), found
