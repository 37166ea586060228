"""Project folders of any content: nothing of theirs runs before it is trusted, and each file is a
tool or a problem in a short line.
"""

from __future__ import annotations

import builtins
import json
import os
import random
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from tests.grammars import WORKER, grown

from raybench.agent.catalogue.default_tools import agent_tools
from raybench.agent.catalogue.project_code import read_project_code
from raybench.agent.catalogue.registry import ToolRegistry
from raybench.agent.tools.tool import Tool
from raybench.errors import HIDDEN, RaybenchError

COUNT = 2_000 if os.environ.get("RAYBENCH_LONG") else 8
SLOWEST = 3.0
"""Seconds of the processor that one folder may take."""
MOST_WORDS = 3_000
SECRET = b"# of another folder\nVALUE = 666\n"
RAN = "raybench_test_ran"
"""A name in `builtins` that code of a project sets when it runs."""
MARK = f"import builtins\nbuiltins.{RAN} = getattr(builtins, '{RAN}', 0) + 1\n"

NAMES = (
    *(
        "main",
        "judge",
        "find_rays",
        "find-rays",
        "a b",
        "-x",
        "é",
        "x" * 64,
        "x" * 240,
        "x\ny",
        "\x1b[2J",
        "\u202ex",
        "\udcff",
        "class",
    ),
    *(
        "__init__",
        "_private",
        ".hidden",
        "run_program",
        "stray_light_auditor",
        "stray-light-auditor",
        "a.b",
        "%s{0}",
        "main.py",
        "NUL",
    ),
)
FOLDERS = (
    "",
    "",
    "",
    "",
    "part",
    "part/inner",
    "judge",
    "judge",
    "main",
    "a.b",
    "__pycache__",
    ".git",
    "é",
    "x" * 200,
    "\udcff",
    "\x1b[2J",
)
"""Folders within a project, beside which others have the same name."""
STATEMENTS = (
    "from __future__ import annotations",
    (
        "from dataclasses import dataclass, field\n\n@dataclass\nclass Limits:\n    low: float ="
        " 0.0\n\nLIMITS = Limits()\nMORE = [LIMITS]"
    ),
    (
        "import enum\n\nclass Colour(enum.Enum):\n    RED = 1\n\ndef coloured(colour: Colour ="
        " Colour.RED) -> str:\n    return colour.name"
    ),
    (
        "from raybench.agent.context import tool_context\n\n@tool_context(effect='read')\ndef"
        " looked(ctx, n: int = 1) -> int:\n    return n"
    ),
    (
        "from raybench.agent.context import tool_context\n\n@tool_context(param='other')\ndef"
        " wrong(ctx): ..."
    ),
    (
        "from raybench.agent.context import tool_options\n\n@tool_options(effect={v},"
        " timeout_s={v}, expose={v})\ndef f(): ..."
    ),
    (
        "from raybench.agent.tools.tool import Tool\n\nRECORD = Tool.new('recorded', (lambda a: a,"
        " '(a :int) -> :int'))\nAGAIN = RECORD"
    ),
    (
        "from raybench.agent.tools.tool import Tool\n\nNAMELESS = Tool('')\nODD = Tool({v}, print,"
        " {v}, {v})"
    ),
    (
        "from raybench.agent.workers.llm_tool import LLMTool\n\n"
        "ASKED = LLMTool('Say {{word}}', '(word :string) -> :string')\nBAD = LLMTool({v}, {v})"
    ),
    (
        "from raybench.agent.view_tools.state_tool import StateTool\n\n"
        "class Bare(StateTool):\n    def _run(self): ...\n    def apply_to_state(self, state): ..."
    ),
    (
        "from raybench.agent.view_tools.state_tool import StateTool\n\nclass Weak(StateTool):\n   "
        " name = {v}\n    description = {v}\n    def _run(self, power: {h} = {v}): ...\n    def"
        " apply_to_state(self, state, power: {h} = {v}): ...\n\nONE = Weak()"
    ),
    (
        "def {n}(a, b: {h} = {v}, *, c: {h} = {v}) -> {h}:\n    '''Does it.\n\n    Args:\n       "
        " a: {v}\n    '''\n    return a"
    ),
    "def {n}(*a: {h}, **b: {h}) -> {h}: ...",
    "def {n}(a: {h}, /, b: 'Nowhere' = {v}): ...",
    "async def {n}(question: str) -> list[{h}]:\n    return []",
    "def {n}():\n    yield {v}",
    "{n} = lambda *a: a",
    "{n} = {v}",
    (
        "import functools\n\ndef base(a: int, b: {h} = 1) -> int: ...\n\n{n} ="
        " functools.partial(base, b={v})\n{n}2 = functools.cache(base)"
    ),
    "class Callable:\n    def __call__(self, a: {h}) -> int: ...\n\n{n} = Callable()",
    (
        "class Odd:\n    __hash__ = None\n    def __eq__(self, other): raise ValueError('eq')\n   "
        " def __repr__(self): raise ValueError('repr')\n\n{n} = Odd()\n\ndef g(a: int = Odd()): ..."
    ),
    "class Sly:\n    def __getattr__(self, name): raise RuntimeError(name)\n\n{n} = Sly()",
    (
        "class Wide:\n    def __getattr__(self, name): return self\n"
        "    def __iter__(self): return self\n    def __next__(self): return self\n\n{n} = Wide()"
    ),
    (
        "def {n}(): ...\n\n{n}.__doc__ = {v}\n{n}.__annotations__ = {v}\n{n}.__name__ = 'x"
        " y'\n{n}.tool_options = {v}"
    ),
    "def {n}(a: \"globals().setdefault('late', 1) and int\") -> int: ...",
    "def __getattr__(name):\n    raise KeyError(name)",
    "__all__ = {v}\n__name__ = {v}\n__doc__ = {v}",
    "import part\nfrom part import *\nimport part.inner.deep",
    "import raybench_test_nowhere",
    "raise {e}",
    "class Mute(Exception):\n    def __str__(self): raise ValueError\n\nraise Mute",
    "import sys\nsys.exit({v})",
    "def broken(:",
    "x = " + "(" * 150 + ")" * 150,
    "\x00",
    "# -*- coding: {v} -*-",
    "x = 1\n" * 20_000,
)
VALUES = (
    *(
        "None",
        "True",
        "0",
        "-1",
        "1e400",
        "float('nan')",
        "10**5000",
        "''",
        "'read'",
        "'both'",
        "'x' * 100_000",
        "'\\x1b[2J\\ud800'",
        "b'x'",
    ),
    *(
        "[]",
        "{}",
        "[[]] * 9",
        "{'a': {}}",
        "print",
        "object()",
        "lambda: 1",
        "(i for i in [1])",
        "type",
        "...",
        "range(10**12)",
    ),
)
HINTS = (
    "int",
    "str",
    "float | None",
    "list[dict]",
    "dict[str, float]",
    "object",
    "'str | int'",
    "type",
    "print",
    "1 / 0",
    "'a b'",
    "Nowhere",
)
ERRORS = (
    "ValueError('x' * 100_000)",
    "KeyError('a\\nb\\x1b[2J')",
    "RuntimeError",
    "ExceptionGroup('g', [ValueError(1)])",
    "SyntaxError",
    "OSError(2)",
)


def text_of_tools(chance: random.Random) -> bytes:
    """A ``tools.py`` of statements that are right, odd or wrong."""
    parts = [MARK]
    for _ in range(chance.choice((0, 1, 1, 2, 3, 6))):
        text = chance.choice(STATEMENTS)
        for mark, ways in (
            ("{v}", VALUES),
            ("{h}", HINTS),
            ("{n}", ("main", "judge", "find_rays", "é", "f")),
            ("{e}", ERRORS),
        ):
            while mark in text:
                text = text.replace(mark, chance.choice(ways), 1)
        parts.append(text)
    data = "\n\n".join(parts).encode(
        chance.choice(("utf-8",) * 6 + ("utf-8-sig", "latin-1", "utf-16")), "replace"
    )
    return data if chance.random() < 0.9 else bytes(b ^ (chance.random() < 0.01) for b in data)


def plant(folder: Path, outside: Path, chance: random.Random) -> None:
    """Put one thing, of any name and kind, somewhere into a folder."""
    here = folder / chance.choice(FOLDERS)
    try:
        here.mkdir(parents=True, exist_ok=True)
    except FileExistsError:  # something else has its name
        return
    name = chance.choice(NAMES)
    path = here / chance.choice(
        (
            f"{name}.worker",
            f"{name}.worker",
            "worker.worker",
            "tools.py",
            f"{name}.py",
            f"{name}.pyw",
            f"{name}.pyc",
            f"{name}.so",
            name,
        )
    )
    if os.path.lexists(path):
        return
    match chance.randrange(12):
        case 0:
            path.mkdir()
        case 1:
            path.symlink_to(
                chance.choice(
                    (
                        path.name,
                        ".",
                        "..",
                        "/",
                        "nowhere",
                        "/dev/zero",
                        "/dev/stdin",
                        str(outside),
                        str(outside / "a.py"),
                    )
                )
            )
        case 2:
            os.mkfifo(path)
        case 3:
            with path.open("wb") as file:
                file.truncate(chance.choice((1 << 20, 1 << 40)))
        case 4:
            path.write_bytes(chance.randbytes(chance.choice((0, 1, 300))))
        case _:
            path.write_bytes(
                grown(WORKER, chance).encode("utf-8", "replace")
                if path.suffix == ".worker"
                else text_of_tools(chance)
            )
    if chance.random() < 0.05 and not path.is_symlink():
        path.chmod(chance.choice((0, 0o222, 0o444)))


def check_text(text: str, what: object) -> None:
    assert text, what
    assert len(text) < MOST_WORDS, (text[:400], what)
    assert not HIDDEN.search(text), (text[:400], what)


def told(ask: Callable[[], object], what: object) -> bool:
    """Whether there is an answer; else there is an error in a short line."""
    try:
        ask()
    except RaybenchError as error:
        check_text(str(error), what)
        return False
    return True


def check_tools(registry: ToolRegistry, what: object) -> None:
    """Each tool says where it is and what a model would call; each problem is a short line."""

    def ask() -> None:
        for found in registry.tools_by_name.values():
            check_text(found.place, what)
            if found.tool is not None:
                json.dumps(found.tool.definition, allow_nan=False)
                assert found.tool.usage, what
        for problem in registry.problems:
            check_text(problem, what)

    told(ask, what)
    for name in ("main", "judge", "nothing\n", "x" * 300):
        told(lambda name=name: registry.find_tool(name), what)  # type: ignore[misc]


def listed(folder: Path) -> list[str]:
    return sorted(
        str(Path(at) / name)
        for at, folders, files in os.walk(folder)
        for name in (*folders, *files)
    )


def attacked(own: Path, builtin: Sequence[Tool], chance: random.Random) -> tuple[bool, bool]:
    """Whether a folder with anything in it was read whole, and its code run once it was trusted."""
    outside = own / "outside"
    outside.mkdir()
    for file in ("a.py", "__init__.py", "tools.py"):
        (outside / file).write_bytes(SECRET)
    folder = own / chance.choice(("project", "project", "a b", "\x1b[2J", "\udcff"))
    folder.mkdir()
    if chance.random() < 0.8:
        (folder / "tools.py").write_bytes(text_of_tools(chance))
    for _ in range(chance.choice((0, 1, 2, 4, 12))):
        plant(folder, outside, chance)
    before, begun = listed(folder), time.process_time()
    vars(builtins)[RAN] = 0
    check_tools(ToolRegistry(builtin, folder), before)
    assert vars(builtins)[RAN] == 0, before

    def read() -> None:
        code = read_project_code(folder)
        assert SECRET not in code.files.values(), before
        assert not any((code.folder / part).is_symlink() for part in code.files), before
        assert code.modules is not None

    whole = told(read, before)
    if whole:
        check_tools(ToolRegistry(builtin, folder, lambda code: True), (folder / "tools.py", before))
    assert time.process_time() - begun < SLOWEST, before
    assert listed(folder) == before
    return whole, vars(builtins).pop(RAN) > 0


@pytest.mark.long
@pytest.mark.security
def test_a_folder_of_any_content_is_read_or_refused_in_short_lines_and_runs_nothing_untrusted() -> (
    None
):
    chance = random.Random(f"project {os.environ.get('RAYBENCH_SEED', '')}")
    builtin = agent_tools()
    whole = ran = 0
    for _ in range(COUNT):
        with tempfile.TemporaryDirectory() as name:
            read, run = attacked(Path(name), builtin, chance)
        whole, ran = whole + read, ran + run
    assert whole > COUNT / 4
    assert ran > COUNT / 8
