"""How measures are written: names of any characters come through, and whatever else is typed is one
clear error.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from raybench.analysis.measures.bound import bind_measures
from raybench.analysis.measures.grammar import Expression, InvalidMeasure, read_measures
from raybench.analysis.measures.table import MEASURES
from raybench.analysis.paths.path_pattern import InvalidPattern
from raybench.kinds.decorations import TextLabel
from raybench.kinds.detectors import Detector
from raybench.kinds.glasses import Glass
from raybench.kinds.sources import SingleRay
from raybench.scene.document import Document
from raybench.scene.names import UnknownName
from raybench.scene.scene import Scene
from raybench.shapes.point import Point, Vertex

SCENE = Scene.of(
    [
        Detector(p1=Point(0, 0), p2=Point(0, 10), name="Screen"),
        SingleRay(p1=Point(-10, 5), p2=Point(0, 5), name="Laser"),
        Glass(path=(Vertex(3, 0), Vertex(5, 0), Vertex(4, 3)), name="Prism"),
        TextLabel(x=0, y=0, name="Note"),
    ]
)
SPECIAL = st.sampled_from(list(" ,;()\"'\\>|*?:\n\tµé→a1_"))
NAMES = st.text(st.one_of(SPECIAL, st.characters()), max_size=12)


@given(
    st.lists(
        st.builds(Expression, st.sampled_from([*MEASURES]), st.lists(NAMES, max_size=3).map(tuple)),
        min_size=1,
        max_size=4,
    )
)
def test_what_is_written_reads_as_it_was(expressions: list[Expression]) -> None:
    text = " ; ".join(map(str, expressions))
    assert read_measures(text) == tuple(expressions)
    assert read_measures([str(e) for e in expressions]) == tuple(expressions)


@given(NAMES)
def test_an_object_with_any_name(name: str) -> None:
    detector = Detector(p1=Point(0, 0), p2=Point(0, 10), name=name)
    scene = Scene.of([detector])
    (found,) = bind_measures(
        str(Expression("power", (scene.objects[0].title,))), Document(scene=scene)
    )
    assert found.arguments == (scene.objects[0].key, None)


PIECES = st.sampled_from(
    [
        *MEASURES,
        "powr",
        "Screen",
        "Laser",
        "Prism",
        "Note",
        "(",
        ")",
        ",",
        ";",
        '"',
        "'",
        "\\",
        ">",
        "*",
        " ",
        "1",
        "é",
    ]
)


@given(st.one_of(st.text(max_size=30), st.lists(PIECES, max_size=10).map("".join)))
def test_typed_text_is_bound_or_refused(text: str) -> None:
    message = ""
    try:
        bind_measures(text, Document(scene=SCENE))
    except (InvalidMeasure, UnknownName, InvalidPattern) as error:
        message = str(error)
    assert len(message.splitlines()) <= 1


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("powr(Screen)", r"no measure 'powr'. Nearest: power\(object, source\?\)"),
        ("Power(Screen)", r"Nearest: power\(object, source\?\)"),
        ("xyzzy(Screen)", r"There are power, ghost_power[\w, ]{,900} and \d+ more; Help"),
        (
            "power(Scren)",
            (
                r"No object named 'Scren'. Named objects: \['Screen', 'Laser', 'Prism', 'Note'\]"
                r" Did you mean 'Screen'\?"
            ),
        ),
        (
            "power(Laser)",
            r"'Laser' \(single ray\) is not an object that light meets.* There are: Screen, Prism",
        ),
        ("power(Note)", r"'Note' \(text\) is not an object that light meets"),
        ("power(Screen, Prism)", r"'Prism' \(glass\) is not a source. There are: Laser"),
        (
            "rms(Prism)",
            r"'Prism' \(glass\) is not an object that is one straight line.*There are: Screen",
        ),
        ("power()", r"power\(\) has no arguments; write power\(object, source\?\)"),
        ("segments(Screen)", r"has 1 arguments; write segments\(\)"),
        ("power", r"character 6: expected '\('"),
        ("power(Screen", r"character 13: expected '\)' or ','"),
        ("power(Screen))", "character 14"),
        ('power("Screen)', "the quotation mark is not closed"),
        ("power(Screen, )", "character 15: expected a name"),
        ("power(Screen) rms(Screen)", r"character 15.*expected ';'"),
        ("", "no measure to evaluate"),
        ("path_power(Lasr > Screen)", r"nothing is named 'Lasr'; known names: \['Laser'"),
        ("path_power(Laser > )", "the pattern ends too early"),
    ],
)
def test_refusals_say_what_to_write(text: str, says: str) -> None:
    with pytest.raises((InvalidMeasure, UnknownName, InvalidPattern), match=says):
        bind_measures(text, Document(scene=SCENE))


def test_several_measures_stand_in_one_text_or_in_several() -> None:
    assert read_measures("power(Screen); rms(Screen);") == read_measures(
        ["power(Screen)", " rms( Screen )"]
    )
    assert read_measures("path_power(Laser > * > Screen)") == read_measures(
        "path_power('Laser > * > Screen')"
    )
    with pytest.raises(InvalidMeasure, match="not 3"):
        read_measures(3)  # type: ignore[arg-type]
