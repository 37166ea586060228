"""Whatever is typed or sent: a sentence or one of our own errors, nothing else."""

from __future__ import annotations

from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.open_prism import TOOLS, scale

from raybench.agent.by_hand.slash import InvalidCommand, parse_command
from raybench.agent.catalogue.default_tools import agent_tools
from raybench.agent.questions.starters import starter_questions
from raybench.agent.questions.understanding import understand_sentence
from raybench.analysis.answers.preview import truncate_text
from raybench.kinds.glasses import Glass
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.schema.parameters import InvalidArguments
from raybench.shapes.point import Vertex

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda x: st.lists(x) | st.dictionaries(st.text(), x),
    max_leaves=8,
)
WORDS = st.lists(
    st.sampled_from(
        [
            "rays",
            "inside",
            "edge",
            "N",
            "-1",
            "0",
            "45°",
            "between",
            "and",
            "%",
            "polarized",
            "dop",
            "above",
            "1e9",
            ".",
            "Prism",
        ]
    )
)
TRIANGLE = (Vertex(-30, 20), Vertex(30, 20), Vertex(0, -20))


def beside_a_prism(name: str) -> Document:
    """Two glasses, the first with a name."""
    return Document(
        scene=Scene.of([Glass(name=name, path=TRIANGLE), Glass(name="Prism", path=TRIANGLE)])
    )


TOOL = next(t for t in TOOLS if t.function is scale)


@given(JSON | st.fixed_dictionaries({"factor": JSON, "count": JSON, "label": JSON}))
@settings(max_examples=60, deadline=None)
@example({"factor": 1e999})
@example({"factor": 10**400})
@example({"factor": 1, "label": "\ud800"})
def test_arguments_are_right_or_refused(arguments: object) -> None:
    try:
        values = TOOL.parameters.check(arguments).values
    except InvalidArguments:
        return
    assert type(values["factor"]) is float
    assert type(values["count"]) is int
    assert type(values["label"]) is str


@given(st.text() | st.text().map(lambda t: f"/scale {t}") | st.text().map(lambda t: f"/{t}"))
@settings(max_examples=40, deadline=None)
def test_a_command_is_read_or_refused(text: str) -> None:
    try:
        tool, arguments = parse_command(text, TOOLS)
    except InvalidCommand:
        return
    assert set(arguments) <= set(tool.input_schema["properties"])


@example("", "I")
@given(st.text() | WORDS.map(" ".join), st.text(max_size=12))
@settings(max_examples=100, deadline=None)
def test_a_question_is_understood_or_not(text: str, name: str) -> None:
    document = beside_a_prism(name)
    found = understand_sentence(text, document)
    if found is not None and found.tool:
        tool = next(t for t in agent_tools() if t.name == found.tool)
        assert tool.parameters.check(found.arguments).dropped == ()


@given(st.text(max_size=12))
@settings(max_examples=15, deadline=None)
def test_starters_are_understood_whatever_the_name(name: str) -> None:
    document = beside_a_prism(name)
    assert all(understand_sentence(q, document) for q in starter_questions(document))


@given(st.text(max_size=400), st.integers(min_value=10, max_value=200))
@settings(max_examples=100, deadline=None)
def test_a_preview_is_never_much_longer_than_its_cap(text: str, cap: int) -> None:
    assert len(truncate_text(text, cap)) <= max(cap, len(text) if len(text) <= cap else cap) + 120
