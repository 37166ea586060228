"""Finding tools, and whose code may run."""

from __future__ import annotations

import dataclasses
import sys
from pathlib import Path

import pytest
from tests.core.agent.project import context, registry, run, worker, write

from raybench.agent.call.context import ToolFailed
from raybench.agent.catalogue.default_tools import agent_tools
from raybench.agent.catalogue.project_code import (
    InvalidProject,
    ProjectCode,
    ToolsFileError,
    TrustedFolders,
    read_project_code,
)
from raybench.agent.catalogue.registry import AmbiguousTools, ToolRegistry
from raybench.agent.tools.tool import ToolNotFound
from raybench.agent.workers.worker import Worker
from raybench.agent.workers.worker_file import WorkerFileError

MAIN = "def main(input: str) -> str:\n    return input\n"


def test_a_tool_is_found_with_its_place(tmp_path: Path) -> None:
    write(tmp_path, tools=MAIN, auditor=worker(description="Audits."))
    found = registry(tmp_path)
    code, work = found.find_tool("main"), found.find_tool("auditor")
    assert (code.kind, code.source_path, code.place) == (
        "code",
        tmp_path / "tools.py",
        "tools.py::main",
    )
    assert callable(code.handler)
    assert (work.kind, work.source_path, work.place) == (
        "worker",
        tmp_path / "auditor.worker",
        "auditor.worker",
    )
    assert isinstance(work.handler, Worker)
    with pytest.raises(dataclasses.FrozenInstanceError):
        code.name = "other"  # type: ignore[misc]


def test_code_tools_are_found_without_any_worker(tmp_path: Path) -> None:
    assert registry(write(tmp_path, tools=MAIN)).find_tool("main").kind == "code"


def test_without_a_file_only_builtin_tools_exist(tmp_path: Path) -> None:
    assert {f.kind for f in registry(tmp_path).tools_by_name.values() if f.source_path} == set()
    assert registry(tmp_path).find_tool("scale").kind == "builtin"


def test_only_public_functions_of_the_module_are_tools(tmp_path: Path) -> None:
    write(
        tmp_path,
        tools="""
        from math import sqrt
        from textwrap import dedent
        from dataclasses import dataclass

        @dataclass
        class Thing:
            x: int

        class Caller:
            def __call__(self): return 1

        caller = Caller()

        def _hidden(): return 1

        def area(width: float, height: float = 1.0) -> float:
            '''Multiply.'''
            return width * height
        """,
    )
    assert [f.name for f in registry(tmp_path).tools_by_name.values() if f.kind == "code"] == [
        "area"
    ]


def test_workers_are_files_or_folders(tmp_path: Path) -> None:
    write(tmp_path, one=worker())
    (tmp_path / "two").mkdir()
    write(tmp_path / "two", worker=worker())
    found = registry(tmp_path)
    assert found.find_tool("one").place == "one.worker"
    assert found.find_tool("two").place == "two/worker.worker"
    assert found.find_tool("stray_light_auditor").kind == "worker"


def test_ambiguous_names_are_always_an_error(
    tmp_path: Path,
) -> None:
    write(
        tmp_path,
        tools=MAIN + "def area() -> int:\n    return 1\n",
        main=worker(),
        area=worker(),
        scale=worker(),
    )
    for name in ("main", "something"):
        with pytest.raises(AmbiguousTools) as error:
            registry(tmp_path).find_tool(name)
        assert str(error.value).startswith(
            "Ambiguous tools: tools.py::area and area.worker; tools.py::main and main.worker; scale"
            " (built in)"
        )
        assert str(error.value).endswith("Rename one of each; a built-in tool keeps its name.")


def test_an_unknown_name_is_reported_with_hints(
    tmp_path: Path,
) -> None:
    found = registry(write(tmp_path, tools=MAIN))
    with pytest.raises(
        ToolNotFound,
        match=(
            r"Tool not found: mian\. There is no tools\.py::mian and no mian\.worker in .*Did you"
            r" mean main"
        ),
    ):
        found.find_tool("mian")
    with pytest.raises(FileNotFoundError):
        found.find_tool("zzz")


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("x = 1\ny = nothing\n", 2, "NameError: name 'nothing' is not defined"),
        ("x = 1\n\nif x\n", 3, "SyntaxError"),
        ("import not_there\n", 1, "ModuleNotFoundError"),
        ("import sys\nsys.exit(3)\n", 2, "SystemExit: 3"),
        ("import json\njson.loads('{')\n", 2, "JSONDecodeError"),
    ],
)
def test_an_error_on_import_names_the_line(tmp_path: Path, text: str, line: int, what: str) -> None:
    write(tmp_path, tools=text)
    with pytest.raises(ToolsFileError, match=what) as error:
        registry(tmp_path).find_tool("scale")
    assert str(error.value).startswith(f"{tmp_path / 'tools.py'}, line {line}: ")
    assert "\n" not in str(error.value)


def test_corrected_the_file_runs_once_for_a_registry(tmp_path: Path) -> None:
    write(
        tmp_path,
        tools=(
            "from pathlib import Path\nlog ="
            " Path(__file__).with_name('log')\nlog.open('a').write('x')\n"
        )
        + MAIN,
    )
    found = registry(tmp_path)
    for _ in range(3):
        found.find_tool("main")
        assert found.tools
    assert (tmp_path / "log").read_text() == "x"


def test_the_file_is_read_as_it_is_written(tmp_path: Path) -> None:
    write(tmp_path, tools="def area(width: float) -> float:\n    return width\n")
    area = registry(tmp_path).find_tool("area").handler
    assert area.__annotations__ == {"width": float, "return": float}


def test_files_beside_it_can_be_imported(tmp_path: Path) -> None:
    (tmp_path / "raybench_test_sibling.py").write_text("FACTOR = 3\n")
    write(
        tmp_path,
        tools="""
        from raybench_test_sibling import FACTOR

        def triple(x: int) -> int:
            return FACTOR * x

        def late() -> int:
            import raybench_test_later
            return raybench_test_later.VALUE
        """,
    )
    (tmp_path / "raybench_test_later.py").write_text("VALUE = 5\n")
    found = registry(tmp_path)
    triple, late = found.find_tool("triple").handler, found.find_tool("late").handler
    assert callable(triple)
    assert callable(late)
    assert (triple(2), late()) == (6, 5)


def test_each_project_imports_its_own_files(tmp_path: Path) -> None:
    def value(folder: Path) -> int:
        read = registry(folder).find_tool("value").handler
        assert callable(read)
        return int(read())

    for name, number in (("one", 1), ("two", 2)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "raybench_test_beside.py").write_text(f"VALUE = {number}\n")
        write(
            tmp_path / name,
            tools=(
                "from raybench_test_beside import VALUE\n\ndef value() -> int:\n    return VALUE\n"
            ),
        )
    assert [value(tmp_path / "one"), value(tmp_path / "two"), value(tmp_path / "one")] == [1, 2, 1]
    (tmp_path / "one" / "raybench_test_beside.py").write_text("VALUE = 1000\n")
    assert value(tmp_path / "one") == 1000
    assert not [path for path in sys.path if path.startswith(str(tmp_path))]


def test_a_failed_file_runs_again_once_changed(tmp_path: Path) -> None:
    log = "from pathlib import Path\nPath(__file__).with_name('log').open('a').write('x')\n"
    write(tmp_path, tools=log + "1 / 0\n")
    found = registry(tmp_path)
    for _ in range(3):
        with pytest.raises(ToolsFileError, match=r"tools\.py, line 3: ZeroDivisionError"):
            found.find_tool("main")
    assert (tmp_path / "log").read_text() == "x"
    write(tmp_path, tools=log + MAIN)
    assert found.find_tool("main").kind == "code"
    assert (tmp_path / "log").read_text() == "xx"


def test_names_that_no_model_could_call_are_reported(tmp_path: Path) -> None:
    write(
        tmp_path,
        tools=(
            "def größe() -> int:\n    return 1\n\ndef weigh(größe: int) -> int:\n    return größe\n"
        )
        + MAIN,
    )
    found = registry(tmp_path)
    assert "'größe' cannot be a tool's name" in found.find_tool("größe").problem
    assert "models take no name such as 'größe'" in found.find_tool("weigh").problem
    assert {"größe", "weigh"} & {tool.name for tool in found.tools} == set()
    assert "main" in {tool.name for tool in found.tools}
    (tmp_path / "my worker.worker").write_text(worker(description="Works."))
    found = registry(tmp_path)
    assert found.find_tool("main").tool is not None
    assert any(
        "my worker.worker: 'my worker' cannot be a tool's name" in p and "Rename the file" in p
        for p in found.problems
    )
    with pytest.raises(WorkerFileError, match="Rename the file"):
        found.find_tool("my worker")


def test_code_can_call_what_no_model_can(tmp_path: Path) -> None:
    write(tmp_path, tools="def gather(*things):\n    return things\n" + MAIN)
    found = registry(tmp_path)
    assert found.find_tool("gather").tool is None
    assert "cannot be given by name" in found.find_tool("gather").problem
    assert "gather" not in {tool.name for tool in found.tools}
    assert "main" in {tool.name for tool in found.tools}


def test_a_function_states_its_options(tmp_path: Path) -> None:
    write(
        tmp_path,
        tools="""
        from raybench.agent.call.context import tool_options

        @tool_options(effect="read", timeout_s=60)
        def area(width: float) -> float:
            '''Multiply.

            Args:
                width: How wide.
            '''
            return width

        def post(text: str) -> str:
            return text
        """,
    )
    area, post = (registry(tmp_path).find_tool(name).tool for name in ("area", "post"))
    assert area is not None
    assert post is not None
    assert (area.effect, area.timeout_s, area.signature) == ("read", 60, "(width :float) -> :float")
    assert area.description == "Multiply."
    assert post.effect == "external"


TYPED = """
from __future__ import annotations
from typing import TYPE_CHECKING

from raybench.agent.context import tool_context, tool_options

if TYPE_CHECKING:
    from fractions import Fraction
    from raybench.agent.context import ToolContext

"""


def test_the_contexts_hint_needs_no_import(tmp_path: Path) -> None:
    write(
        tmp_path,
        tools=TYPED
        + """
@tool_options(effect="read")
@tool_context
def main(ctx: ToolContext, input: str) -> Fraction:
    return f"{input} at depth {ctx.depth}"
""",
    )
    ctx, _ = context(tmp_path)
    tool = ctx.registry.find_tool("main").tool
    assert tool is not None
    assert tool.signature == "(input :string) -> :any"
    assert run(ctx.call_tool("main", "x")) == "x at depth 0"


def test_an_unresolved_hint_names_its_parameter(tmp_path: Path) -> None:
    write(
        tmp_path,
        tools=TYPED + MAIN + "\ndef half(share: Fraction) -> str:\n    return str(share)\n",
    )
    found = registry(tmp_path)
    assert found.find_tool("main").tool is not None
    assert found.find_tool("half").tool is None
    (problem,) = found.problems
    assert problem.startswith(
        f"{tmp_path / 'tools.py'}: half cannot be a tool: the type hint of 'share', Fraction,"
        " cannot be resolved"
    )
    assert "outside `if TYPE_CHECKING:`" in problem


def test_an_unmarked_context_names_the_decorator(
    tmp_path: Path,
) -> None:
    tools = (
        "def main(input: str, ctx: ToolContext) -> str:\n    return input\n\ndef other(c:"
        " 'ToolContext') -> int:\n    return 1\n"
    )
    write(tmp_path, tools=TYPED + tools)
    ctx, _ = context(tmp_path)
    first, second = ctx.registry.problems
    assert first.endswith("main takes a ToolContext as 'ctx'. Write @tool_context above it.")
    assert second.endswith(
        "other takes a ToolContext as 'c'. Write @tool_context(param=\"c\") above it."
    )
    with pytest.raises(ToolFailed, match="Write @tool_context above it"):
        run(ctx.call_tool("main", "x"))


def test_a_projects_own_grep_wins(tmp_path: Path) -> None:
    write(
        tmp_path,
        tools=(
            "def grep(what: str) -> str:\n    return f'own {what}'\n\ndef llm_query(x: str) ->"
            " str:\n    return x\n"
        ),
    )
    ctx, _ = context(tmp_path, builtin=agent_tools())
    assert run(ctx.call_tool("grep", "x")) == "own x"
    assert ctx.registry.find_tool("llm_query").kind == "code"
    names = [tool.name for tool in ctx.registry.tools]
    assert names.count("grep") == 1
    assert {"grep-n", "llm_query"} <= set(names)
    assert "llm-query" not in names


def test_missing_tools_of_a_worker_are_reported(tmp_path: Path) -> None:
    tools = (
        "def post(text: str) -> str:\n    return text\n\ndef area(x: float) -> float:\n   "
        " return x\n"
    )
    write(
        tmp_path,
        tools=tools,
        one=worker(tools="scael, find_*, nothing_*, self, post", description="One."),
    )
    assert registry(tmp_path).problems == (
        "one.worker: it lists the tool scael, which does not exist. Did you mean scale?",
        (
            "one.worker: it lists the tool post, whose effect is external, but allows read. Write"
            " effects: read, external. Its effect is not stated: if it only reads, write"
            ' @tool_options(effect="read").'
        ),
    )
    write(tmp_path, one=worker(tools="scale, post", effects="read, external", description="One."))
    assert registry(tmp_path).problems == ()


@pytest.mark.security
def test_untrusted_code_does_not_run(tmp_path: Path) -> None:
    write(tmp_path, tools="raise SystemError('ran')", auditor=worker())
    found = ToolRegistry((), tmp_path)
    assert found.find_tool("auditor").kind == "worker"
    with pytest.raises(
        ToolNotFound,
        match=r"tools\.py was not run, for the folder is not trusted\. .* or give --trust",
    ):
        found.find_tool("main")


def test_trust_is_remembered_by_path_and_content(tmp_path: Path) -> None:
    folder = tmp_path / "project"
    folder.mkdir()
    write(folder, tools=MAIN)
    asked: list[Path] = []

    def ask(code: ProjectCode) -> bool:
        asked.append(code.folder)
        return True

    trusted = TrustedFolders(tmp_path / "config" / "trusted.json")
    assert ToolRegistry((), folder, trusted.trust(ask)).find_tool("main")
    assert ToolRegistry((), folder, TrustedFolders(trusted.file).trust(ask)).find_tool("main")
    assert asked == [folder]
    (folder / "more.py").write_text("x = 1")
    assert read_project_code(folder) not in trusted
    assert ToolRegistry((), folder, trusted.trust(ask)).find_tool("main")
    assert len(asked) == 2
    trusted.forget_folder(folder)
    assert read_project_code(folder) not in trusted


def test_a_refusal_is_not_remembered_as_trust(tmp_path: Path) -> None:
    write(tmp_path, tools=MAIN)
    trusted = TrustedFolders(tmp_path / "trusted.json")
    with pytest.raises(ToolNotFound):
        ToolRegistry((), tmp_path, trusted.trust(lambda code: False)).find_tool("main")
    assert read_project_code(tmp_path) not in trusted


@pytest.mark.parametrize("text", ["", "[]", "{", '{"/": 3}', "null"])
def test_a_damaged_trust_file_trusts_nothing(tmp_path: Path, text: str) -> None:
    (tmp_path / "trusted.json").write_text(text)
    assert read_project_code(tmp_path) not in TrustedFolders(tmp_path / "trusted.json")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Do it.", "begins with front matter"),
        ("---\ntools: [a\n---\nDo it.", "line 3: the front matter is not valid YAML"),
        ("---\n- a\n---\nDo it.", "the front matter is list"),
        ("---\nmodle: x\n---\nDo it.", "has modle. It may have name, description, model"),
        ("---\nname: other\n---\nDo it.", "says name: other, the file says bad"),
        ("---\ndescription: x\n---\n  \n", "no instructions"),
        (
            "---\neffects: [read, fly]\n---\nDo it.",
            "'effects.1' must be 'read', 'edit', 'destructive' or 'external', got \"fly\"",
        ),
        (
            "---\nsignature: '(a :strin) -> :string'\n---\nDo it.",
            "signature: parse error at line 1, column 4",
        ),
        ("---\nmax_steps: 0\n---\nDo it.", "'max_steps' must be greater than or equal to 1, got 0"),
        ("---\ntimeout_s: true\n---\nDo it.", "'timeout_s' must be a number, got true"),
        ("---\ntools: 3\n---\nDo it.", "'tools' must be an array, got 3"),
        (
            "---\nattachments: {max: 3}\n---\nDo it.",
            "'attachments.max' does not fit",
        ),
        ("---\nmodel: [a]\n---\nDo it.", "'model' must be a string"),
    ],
)
def test_an_invalid_worker_names_file_and_fault(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "bad.worker").write_text(text)
    with pytest.raises(WorkerFileError) as error:
        registry(tmp_path).find_tool("bad")
    assert str(error.value).startswith(str(tmp_path / "bad.worker"))
    assert message in str(error.value)


def test_a_worker_as_it_is_written(tmp_path: Path) -> None:
    text = worker(
        "Look.\n\n---\nand look again.",
        description="Looks.",
        model="claude-haiku-5-5",
        tools="[find_*, scale]",
        effects="read, edit",
        signature="'(glass :string, limit :int?) -> {count :int}'",
        attachments="{max_count: 1, suffixes: [csv]}",
        max_steps=3,
        timeout_s=20,
    )
    found = registry(write(tmp_path, looker=text)).find_tool("looker")
    made = found.handler
    assert isinstance(made, Worker)
    assert made.instructions == "Look.\n\n---\nand look again."
    assert (made.model, made.tools, made.effects, made.max_steps) == (
        "claude-haiku-5-5",
        ("find_*", "scale"),
        ("read", "edit"),
        3,
    )
    assert (made.attachments.max_count, made.attachments.max_bytes, made.attachments.suffixes) == (
        1,
        10_000_000,
        ("csv",),
    )
    assert found.tool is not None
    assert (found.tool.type, found.tool.effect, found.tool.timeout_s) == ("subagent", "read", 20)
    assert found.tool.signature == "(glass :string, limit :int?) -> {count :int}"
    assert found.tool.description == "Looks."


@pytest.mark.security
def test_a_folder_with_many_workers_is_refused(tmp_path: Path) -> None:
    for i in range(201):
        (tmp_path / f"w{i}.worker").write_text("no worker")
    with pytest.raises(InvalidProject, match="holds 201 workers; at most 200 are read"):
        _ = registry(tmp_path).tools_by_name
