"""The example scenes of the program, each with questions and the commands that answer them, and the
help page ``examples.md``.

Commands take ``example:rainbow`` for the scene ``rainbow.json``.
"""

import json
import re
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import PurePosixPath

RESOURCES = files("raybench_resources")
EXAMPLES_FOLDER = RESOURCES.joinpath("examples")
FIRST_SCENE = RESOURCES.joinpath("scenes", "prism.json")
"""The scene of the first window, and of the tour."""
EXAMPLE_PREFIX = "example:"


EXAMPLE_PROJECT = (f"{EXAMPLE_PREFIX}project", EXAMPLES_FOLDER.joinpath("project"))
"""The example project: its short name, and its folder."""


@dataclass(frozen=True)
class Question:
    """A question about an example scene: the command that answers the question, in which ``SCENE``
    stands for the scene file, and the answer.
    """

    command: tuple[str, ...]
    answer: str


@dataclass(frozen=True)
class Example:
    """An example scene: its file below `EXAMPLES_FOLDER`, its title, and questions about it."""

    file: str
    title: str
    questions: tuple[Question, ...]

    @property
    def path(self) -> Traversable:
        return EXAMPLES_FOLDER.joinpath(*self.file.split("/"))

    @property
    def name(self) -> str:
        """The name by which commands refer to the example."""
        return f"{EXAMPLE_PREFIX}{PurePosixPath(self.file).stem}"


def _read_examples() -> tuple[Example, ...]:
    rows = json.loads(RESOURCES.joinpath("examples.json").read_text(encoding="utf-8"))
    return tuple(
        Example(
            row["file"],
            row["title"],
            tuple(Question(tuple(q["command"]), q["answer"]) for q in row["questions"]),
        )
        for row in rows
    )


EXAMPLES = _read_examples()
"""All examples, in the order of the menu, as ``examples.json`` of the resources lists them."""

_PLAIN = re.compile(r"[\w./=:-]*")
"""A word that a shell takes without quotes."""
_HEAD = """\
# Examples

## Open an example

The scenes are in “Open example” in the menu File, and with pictures in “Welcome” in the menu Help. Commands take their names, such as
`example:rainbow`. A question after `raybench ask` can be typed into the chat, a tool's name after a slash.
"""


def named_examples() -> dict[str, Traversable]:
    """The example scenes by the names that commands use. ``example:prism`` is the scene that the
    first window shows.
    """
    return {
        f"{EXAMPLE_PREFIX}prism": FIRST_SCENE,
        **{example.name: example.path for example in EXAMPLES},
    }


def help_page() -> str:
    """The help page about the example scenes, as Markdown."""
    parts = [_HEAD]
    for example in EXAMPLES:
        parts.append(f"\n## {example.title}\n\n")
        parts += [f"- `{question_command(example, q)}`: {q.answer}\n" for q in example.questions]
    return "".join(parts)


def question_command(example: Example, question: Question) -> str:
    """The command that answers a question about an example, as a person would type it."""
    words = (example.name if word == "SCENE" else word for word in question.command)
    return " ".join(["raybench", *(w if _PLAIN.fullmatch(w) else f"'{w}'" for w in words)])
