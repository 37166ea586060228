"""One normalised record (the numbered behaviours SEED1), in a project's folder and on the command
line.
"""

from __future__ import annotations

import json

import pytest
from tests.core.agent.project import worker
from tests.workbench.numbered.conftest import Commands

FORMS = '''
def first(count: int = 5) -> list[int]:
    """The first numbers.

    Told whole.

    Args:
        count: How many.
    """
    return list(range(count))


stated = Tool.new("stated", (first, "(count :int?) -> [:string]"))
unchecked = Tool.new("unchecked", (first, "skip"))
colon = Tool.new("colon", (first, {"signature": ":skip", "effect": "read"}))
twice = Tool.new("twice", (lambda x: 2 * x, {"signature": "(x :int) -> :int", "effect": "read"}))
bare = Tool.new("bare", lambda x: x)
mine = Tool.new("mine", (first, {"description": "Mine.", "effect": "read", "visibility": "private", "colour": "red"}))
another = Tool.new("another", Tool.new("ready", (first, {"effect": "read"})))
name_it = LLMTool("Name this: {{about}}", "(about :string) -> {name :string}", "Name a lens.")


def loose(count: int = 5) -> list[int]:
    """Loose numbers."""
    return list(range(count))


@tool_context(effect="read", calls=["mine"])
async def through(ctx, count: int) -> str:
    """Call what is private."""
    return str(await ctx.call_tool("mine", {"count": count}))
'''


def test_seed1_1_to_8_what_the_list_tells_of_each_form(commands: Commands) -> None:
    commands.project(FORMS)
    listed = commands.listed()
    assert "loose(count :int?) -> [:int]\n    [tools.py::loose, external] Loose numbers." in listed
    assert (
        "stated(count :int?) -> [:string]\n    [tools.py::stated, external]\n" in listed
    )  # an explicit signature: no docstring
    assert "unchecked\n    [tools.py::unchecked, external]" in listed
    assert "colon\n    [tools.py::colon, read]" in listed
    assert "bare\n    [tools.py::bare, external]" in listed
    assert "mine(count :int?) -> [:int]\n    [tools.py::mine, read, private] Mine." in listed
    assert "tools.py::mine: there is no option 'colour'. Options: signature, description" in listed
    assert "No effect is stated for bare, loose, stated, unchecked: each call by a model" in listed
    assert "Told whole." in commands.schemas()["ready"]["description"]
    assert (
        json.loads(commands.tool("unchecked"))
        == json.loads(commands.tool("loose"))
        == [0, 1, 2, 3, 4]
    )


def test_seed1_10_to_12_a_ready_made_record_a_prompt_and_a_worker_are_tools_of_the_project(
    commands: Commands,
) -> None:
    commands.project(FORMS, judge=worker(description="Judges.", cache="true", visibility="private"))
    listed = commands.listed()
    assert (
        "ready(count :int?) -> [:int]\n    [tools.py::ready, read]" in listed
    )  # its own name, not another
    assert "another" not in listed
    assert (
        "name_it(about :string) -> {name :string}\n    [tools.py::name_it, read, asks a model] Name"
        " a lens." in listed
    )
    assert "judge(input :string)\n    [judge.worker, read, asks a model, private] Judges." in listed


def test_seed1_3_a_private_tool_is_called_by_other_tools_alone(commands: Commands) -> None:
    commands.project(FORMS)
    assert "mine" not in commands.schemas()
    calls = [{"call": "mine", "arguments": {}}, {"call": "through", "arguments": {"count": 2}}]
    told = commands.asked(calls, "Done.")
    assert [(c["tool"], c["ok"]) for c in told["tool_calls"]] == [
        ("mine", False),
        ("mine", True),
        ("through", True),
    ]
    assert told["tool_calls"][2]["result"] == "[0, 1]"


@pytest.mark.parametrize(
    ("made", "message"),
    [
        (
            "Tool.new('x', 5)",
            (
                "tools.py, line 11: InvalidTool: x: 5 cannot be a tool. A tool is a function;"
                " (function, "
            ),
        ),
        ("Tool.new('x', 'grip')", "x: 'grip' cannot be a tool."),
        (
            "Tool.new(5, len)",
            "TypeError: a tool's name is a string, not 5. Correct it and try again.",
        ),
        ("Tool.new('x', (len, 5))", "x: 5 is neither a signature nor a mapping of options."),
        ("Tool.new('x', (f, {'visibility': 'hidden'}))", "hidden"),
    ],
)
def test_seed1_2_9_and_15_what_cannot_be_made_a_tool_is_told_with_its_line(
    made: str, message: str, commands: Commands
) -> None:
    commands.project(f"f = lambda: 1\nx = {made}\n", main=worker(description="A worker."))
    status, _, told = commands("tool", "--list")
    assert status == 1
    assert message in told
    assert ".." not in told


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("{'expose': 'nowhere'}", "nowhere"),
        ("{'cache': True, 'native_result': {'preview': 'rows'}}", "both"),
    ],
)
def test_seed1_45_and_46_an_exposure_that_cannot_be_is_told_and_hinders_no_other(
    options: str, message: str, commands: Commands
) -> None:
    commands.project(
        f"x = Tool.new('x', (lambda: 1, {options}))\n\ndef fine() -> int:\n    return 1\n"
    )
    _, refused = commands.listed().split("Not usable:")
    assert message in refused
    assert commands.tool("fine") == "1"


@pytest.mark.parametrize(
    ("signature", "shown"),
    [
        ("(id :int) -> :bool", "x(id :int) -> :bool"),
        (":string?", "x() -> :string?"),
        (
            "( a :bool?,\n  user-id :int ) -> [ {x :float, ok :bool} ]",
            "x(a :bool?, user-id :int) -> [{x :float, ok :bool}]",
        ),
        ("(rows [:int]?, at {x :float}?) -> {}", "x(rows [:int]?, at {x :float}?) -> {}"),
        (
            "(_k :keyword, d :datetime, m :map) -> :int",
            "x(_k :keyword, d :datetime, m :map) -> :int",
        ),
    ],
)
def test_seed1_18_to_24_and_27_a_signature_is_listed_as_it_reads(
    signature: str, shown: str, commands: Commands
) -> None:
    commands.project(
        f"x = Tool.new('x', (lambda **given: 1, {{'signature': {signature!r}, 'effect':"
        " 'read'}))\n"
    )
    assert f" {shown} [tools.py::x, read]" in " ".join(commands.listed().split())


@pytest.mark.parametrize(
    ("signature", "message"),
    [
        ("(id :)", "line 1, column"),
        ("(id :int", "line 1, column"),
        ("prose", "line 1, column"),
        ("(id :unknown) -> :int", "line 1, column"),
        ("(id [])", "line 1, column"),
        ("(9x :int)", "line 1, column"),
    ],
)
def test_seed1_25_26_and_36_a_call_of_what_has_no_readable_signature_says_where(
    signature: str, message: str, commands: Commands
) -> None:
    commands.project(
        f"x = Tool.new('x', (lambda: 1, {{'signature': {signature!r}, 'effect': 'read'}}))\n"
    )
    told = commands.asked([{"call": "x", "arguments": {}}], "Done.")["tool_calls"][0]
    assert not told["ok"]
    assert message in told["result"]
    assert message in commands.listed()
    assert commands.schemas()["x"]["input_schema"]["properties"] == {}


def test_seed1_28_35_and_36_what_a_model_is_given_of_type_hints(commands: Commands) -> None:
    commands.project(
        "@tool_options(effect='read')\ndef of_all(\n    n: int, f: float, b: bool, t: str, l:"
        " list[int], d: dict[str, int], o: str | None = None\n) -> list[str]:\n    return []\n"
    )
    schema = commands.schemas()["of_all"]["input_schema"]
    assert {k: v.get("type") for k, v in schema["properties"].items() if k != "o"} == {
        "n": "integer", "f": "number", "b": "boolean", "t": "string", "l": "array", "d": "object",
    }  # fmt: skip
    assert schema["required"] == ["n", "f", "b", "t", "l", "d"]
    assert schema["additionalProperties"] is False
    assert (
        "of_all(n :int, f :float, b :bool, t :string, l [:int], d :map, o :string?) -> [:string]"
        in commands.listed()
    )


RESULTS = """
@tool_options(effect="read")
def hinted(kind: str = "") -> list[int]:
    return [1.5, "x"]


def _rows(extra: bool = False) -> list:
    return [{"id": 1, "more": 2}, {"id": None if extra else 2}]


stated = Tool.new("stated", (_rows, {"signature": "(extra :bool?) -> [{id :int}]", "effect": "read"}))
warned = Tool.new("warned", (_rows, {"signature": "(extra :bool?) -> [{id :int}]", "effect": "read", "check": "warn_only"}))
strict = Tool.new("strict", (_rows, {"signature": "(extra :bool?) -> [{id :int}]", "effect": "read", "check": "strict"}))
skipped = Tool.new("skipped", (_rows, {"signature": "(extra :bool?) -> [{id :int}]", "effect": "read", "check": "disabled"}))
"""


def test_seed1_30_34_and_35_a_result_is_checked_as_its_tool_says(commands: Commands) -> None:
    commands.project(RESULTS)
    assert (
        "hinted returned a value that does not fit its signature (kind :string?) -> [:int]: 0:"
        " expected" in commands.tool("hinted")
    )
    assert "1: expected int" in commands.tool("hinted")
    assert json.loads(commands.tool("stated"))[0] == {"id": 1, "more": 2}
    assert "stated returned a value that does not fit its signature" in commands.tool(
        "stated", "true"
    )
    assert "1.id: expected" in commands.tool("stated", "true")
    assert json.loads(commands.tool("warned", "true"))[1] == {"id": None}
    assert "more" in commands.tool("strict")
    assert "strict returned a value that does not fit its signature" in commands.tool("strict")
    assert json.loads(commands.tool("skipped", "true"))[1] == {"id": None}


@pytest.mark.parametrize(
    ("typed", "result"),
    [
        (("n=42",), "42"),
        (("n=-0",), "0"),
        (("n=42.0",), "'n' must be an integer"),
        (("n=hello",), "'n' must be an integer"),
        (("n=1", "f=1e3"), "1000.0"),
        (("n=1", "f=3.5abc"), "'f' must be a number"),
        (("n=1", "b=true"), "True"),
        (("n=1", "b=yes"), "'b' must be"),
        (("n=1", "at=2026-01-01T12:00:00+02:00"), "2026-01-01"),
        (("n=1", "at=2026-01-01T12:00:00"), "'at'"),
    ],
)
def test_seed1_31_to_33_what_a_person_types_is_read_and_nothing_is_guessed(
    typed: tuple[str, ...], result: str, commands: Commands
) -> None:
    commands.project(
        "@tool_options(effect='read')\ndef told(n: int, f: float = 0.0, b: bool = False, at:"
        " datetime.datetime | None = None) -> str:\n    return str(at or b or f or n)\n"
    )
    assert result in commands.tool("told", *typed)


KEPT = """
_ran = []


def _note(x: float) -> list[dict]:
    _ran.append(x)
    if x < 0:
        raise ValueError("below zero")
    return [{"id": i, "ok": False} for i in range(30)]


kept = Tool.new("kept", (_note, {"effect": "read", "cache": True}))
fresh = Tool.new("fresh", (_note, {"effect": "read"}))
"""


def test_seed1_37_to_42_a_result_is_kept_for_calls_that_mean_the_same(commands: Commands) -> None:
    commands.project(KEPT)
    calls = [
        ("kept", 1),
        ("kept", 1.0),
        ("kept", 2),
        ("fresh", 1),
        ("fresh", 1),
        ("kept", -1),
        ("kept", -1),
    ]
    edit = {"call": "change_scene", "arguments": {"changes": [{"move": "Mirror", "dx": 1}]}}
    replies = [[{"call": name, "arguments": {"x": x}}] for name, x in calls] + [
        [edit],
        [{"call": "kept", "arguments": {"x": 1}}],
    ]
    told = commands.asked(*replies, "Done.", options=("--profile", "auto", "--max-steps", "20"))[
        "tool_calls"
    ]
    assert [c.get("cached", False) for c in told] == [
        False,
        True,
        False,
        False,
        False,
        False,
        False,
        False,
        False,
    ]
    assert [c["ok"] for c in told] == [True] * 5 + [False] * 2 + [True] * 2


EXPOSED = """
seen = Tool.new("seen", (lambda: 1, {"signature": "() -> :int", "effect": "read", "expose": "native"}))
coded = Tool.new("coded", (lambda: 2, {"signature": "() -> :int", "effect": "read", "expose": "ptc_lisp"}))
both = Tool.new("both", (lambda: 3, {"signature": "() -> :int", "effect": "read"}))
hidden = Tool.new("hidden", (lambda: 4, {"signature": "() -> :int", "effect": "read", "expose": "none"}))
dashed = Tool.new("dash-ed", (lambda: 5, {"signature": "() -> :int", "effect": "read"}))
"""


def test_seed1_36_43_and_44_a_model_sees_a_layer_and_programs_another(commands: Commands) -> None:
    commands.project(EXPOSED)
    own = [
        name
        for name in commands.schemas()
        if name in ("seen", "coded", "both", "hidden", "dash_ed")
    ]
    assert own == ["both", "dash_ed", "seen"]
    programs = [
        {"call": "run_program", "arguments": {"code": code}}
        for code in ("[coded(), both()]", "seen()", "hidden()")
    ]
    told = commands.asked(
        [*programs, {"call": "dash_ed", "arguments": {}}, {"call": "coded", "arguments": {}}],
        "Done.",
    )["tool_calls"]
    outer = [c for c in told if c["tool"] in ("run_program", "dash-ed") or not c["ok"]]
    assert [c["ok"] for c in outer] == [True, False, False, True, False]
    assert "[2, 3]" in outer[0]["result"]


PREVIEWS = """
def _rows() -> list[dict]:
    return [{"id": i, "ok": False, "at": datetime.datetime(2026, 1, 1, tzinfo=datetime.timezone.utc)} for i in range(30)]


def _wide() -> dict:
    return {f"k{i:02}": i for i in range(25)}


def _made(function, preview) -> Tool:
    return Tool.new("x", (function, {"effect": "read", "cache": True, "expose": "both", "native_result": preview}))


import dataclasses

meta = dataclasses.replace(_made(_rows, {"preview": "metadata"}), name="meta")
rows = dataclasses.replace(_made(_rows, {"preview": "rows", "limit": 2}), name="rows")
own = dataclasses.replace(_made(_rows, {"preview": lambda rows: {"first": rows[0]["id"], "status": "mine"}}), name="own")
worse = dataclasses.replace(_made(_rows, {"preview": lambda rows: 1 / 0}), name="worse")
wide = dataclasses.replace(_made(_wide, {}), name="wide")
"""


def test_seed1_46_to_52_what_a_model_reads_of_a_result_that_is_kept(commands: Commands) -> None:
    commands.project(PREVIEWS)
    read = {
        name: json.loads(commands.tool(name, "--preview").splitlines()[-1])
        for name in ("meta", "rows", "own", "worse", "wide")
    }
    for preview in read.values():
        assert preview["status"] == "ok"
        assert preview["full_result_cached"] is True
        assert "in a program returns it without running again" in preview["cache_hint"]
    item = read["meta"]["schema"]["items"]["properties"]
    assert (item["ok"]["type"], item["id"]["type"], item["at"]["type"]) == (
        "boolean",
        "integer",
        "string",
    )
    assert (read["meta"]["result_count"], read["meta"]["sample_keys"]) == (30, ["at", "id", "ok"])
    assert read["rows"]["rows"] == [
        {"id": i, "ok": False, "at": "2026-01-01T00:00:00Z"} for i in range(2)
    ]
    assert (read["rows"]["result_count"], read["own"]["first"]) == (30, 0)
    assert read["worse"]["schema"] == read["meta"]["schema"]
    assert len(read["wide"]["schema"]["properties"]) == 20
    assert read["wide"]["schema"]["truncated"] is True
    assert len(json.loads(commands.tool("meta"))) == 30  # a person reads all of it


def test_seed1_47_a_program_has_the_whole_of_what_was_previewed(commands: Commands) -> None:
    commands.project(PREVIEWS)
    told = commands.asked(
        [{"call": "rows", "arguments": {}}],
        [{"call": "run_program", "arguments": {"code": "len(rows())"}}],
        "Done.",
    )
    assert [c["cached"] for c in told["tool_calls"]] == [False, True, False]
    assert "30" in told["tool_calls"][2]["result"]


def test_seed1_53_a_wrong_argument_is_told_with_what_was_given_and_what_is_taken(
    commands: Commands,
) -> None:
    commands.project(FORMS)
    told = commands.asked(
        [{"call": "ready", "arguments": {"count": "x"}}, {"call": "reedy", "arguments": {}}],
        "Done.",
    )["tool_calls"]
    assert (
        told[0]["result"]
        == "ready: 'count' must be an integer, got \"x\". Parameters: count: integer = 5."
    )
    assert "reedy" in told[1]["result"]
    assert "ready" in told[1]["result"].replace("reedy", "")


def test_seed1_13_16_and_17_programs_search_text_and_a_projects_own_grep_wins(
    commands: Commands,
) -> None:
    commands.project()
    code = (
        "[grep('B|c', 'a\\nb\\nC'), grep('', 'a\\nb'), [r['line'] for r in grep_n('b',"
        " 'a\\nb\\nc\\nd', 1)]]"
    )
    told = commands.asked([{"call": "run_program", "arguments": {"code": code}}], "Done.")[
        "tool_calls"
    ]
    assert [c["values"] for c in told[:2]] == [["b", "C"], ["a", "b"]]
    assert [(row["line"], row["match"]) for row in told[2]["values"]] == [
        (1, False),
        (2, True),
        (3, False),
    ]
    commands.project(
        "@tool_options(effect='read')\ndef grep(pattern: str, text: str) -> str:\n    return"
        " 'mine'\n"
    )
    told = commands.asked(
        [{"call": "run_program", "arguments": {"code": "grep('a', 'b')"}}], "Done."
    )["tool_calls"]
    assert told[0]["result"] == "mine"


def test_seed1_14_a_worker_that_lists_itself_is_stopped_where_it_is_too_deep(
    commands: Commands,
) -> None:
    commands.project(main=worker(description="Again.", tools="self"))
    again = [{"call": "self", "arguments": {"input": "deeper"}}]
    status, out, err = commands(
        "run", str(commands.folder), "go", *commands.scripted(*[again] * 12, *["up"] * 12), "--json"
    )
    assert status == 0, err
    calls = json.loads(out)["tool_calls"]
    assert any("depth" in str(c["result"]) for c in calls if not c["ok"])
