"""Programs in the sandbox: what they can do, and that nothing else can be done."""

from __future__ import annotations

import asyncio
import atexit
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from raybench.agent.programs.program import ProgramError, ProgramLimits, ProgramResult, run_code

calls: list[tuple[Any, ...]] = []


async def add(a: float, b: float = 1) -> float:
    calls.append((a, b))
    return a + b


async def fail() -> None:
    raise ValueError("No object named 'X'.")


async def table() -> list[dict[str, Any]]:
    return [{"id": f"r1-{i}", "power": i / 10} for i in range(5)]


async def late(seconds: float) -> str:
    await asyncio.sleep(seconds)
    return "late"


FUNCTIONS = {"add": add, "fail": fail, "table": table, "late": late}


def run(code: str, **limits: Any) -> ProgramResult:
    return asyncio.run(run_code(code, FUNCTIONS, ProgramLimits(**limits)))


def test_a_program_composes_tools() -> None:
    result = run(
        "strong = [r['id'] for r in table() if r['power'] > 0.25]\nprint(len(strong),"
        " 'found')\nstrong"
    )
    assert result == ProgramResult("2 found\n", '["r1-3", "r1-4"]', 1)
    assert str(result) == '2 found\n["r1-3", "r1-4"]'


def test_arguments_by_place_and_name_and_a_call_that_is_awaited() -> None:
    assert run("add(1) + add(1, b=2) + await add(1, 3)").value == "9"
    assert run("f = add\nf(2, 2)").value == "4"


def test_an_error_of_a_tool_can_be_caught_and_otherwise_names_the_line() -> None:
    assert (
        run("try:\n  fail()\nexcept ValueError as e:\n  print('so:', e)").printed
        == "so: No object named 'X'.\n"
    )
    with pytest.raises(
        ProgramError, match=r"before\nThe program failed. Line 2: ValueError: No object named 'X'"
    ):
        run("print('before')\nfail()")
    with pytest.raises(ProgramError, match=r"before\nThe program"):
        run("print('before')\nwhile True:\n  try: add(1)\n  except RuntimeError: pass")
    with pytest.raises(ProgramError, match="Line 1: TypeError"):
        run("add()")


def test_a_name_that_is_not_there_is_reported_with_those_near() -> None:
    with pytest.raises(ProgramError, match=r"name 'addd' is not defined. Did you mean add\?"):
        run("addd(1)")
    with pytest.raises(ProgramError, match="Line 1: NameError"):
        run("nothing + 1")


def test_a_text_that_is_no_program_is_reported_with_its_line() -> None:
    with pytest.raises(ProgramError, match=r"cannot be read\. Line 2: SyntaxError"):
        run("x = 1\nif if")


@pytest.mark.parametrize(
    ("code", "error"),
    [
        (
            "while True: pass",
            "TimeoutError|took too long",
        ),  # by the sandbox, or on a busy machine by who waits for it
        ("[0] * 10**9", "MemoryError"),
        ("x = []\nwhile True: x.append('a' * 1000)", "MemoryError"),
        ("2 ** 10 ** 9", "MemoryError"),
        ("def f(): return f()\nf()", "RecursionError"),
        ("for i in range(99): add(i)", "at most 5 tools"),
        ("while True:\n  try: add(1)\n  except RuntimeError: pass", "limit"),
    ],
)
@pytest.mark.security
def test_limits_of_time_memory_and_calls_cannot_be_caught_for_ever(code: str, error: str) -> None:
    begun = time.perf_counter()
    with pytest.raises(ProgramError, match=error):
        run(
            code,
            seconds=20.0 if error.endswith(("Error", "tools")) else 0.3,
            memory=16_000_000,
            calls=5,
        )
    assert time.perf_counter() - begun < 20


def test_the_time_of_calls_is_not_the_programs() -> None:
    assert run("late(0.3)", seconds=0.1).value == "late"


def test_prints_and_the_last_value_are_capped() -> None:
    result = run("print('x' * 500)\nprint('y' * 500)\n'z' * 500", characters=100)
    assert result.printed == "x" * 100 + "\n[cut after 100 characters: print less]"
    assert result.value == "z" * 100 + "\n[cut after 100 characters: print less]"


NESTED = "a = [0] * 10\nfor i in range(40): a = [a, a]\n"
"""A few lists in the sandbox, and ten million million numbers when they are written out."""


@pytest.mark.parametrize("last", ["a", "{'a': a}", "(a, {1})", "[a, add]"])
def test_a_value_that_is_small_there_and_huge_here_is_reported_within_the_limit(last: str) -> None:
    begun = time.perf_counter()
    assert len(run(NESTED + last, characters=200).value) < 300
    assert (
        run("a = []\nfor i in range(50000): a = [a]\na").value
        == "(a list that is too large: print parts of it)"
    )
    assert time.perf_counter() - begun < 20


@pytest.mark.parametrize("call", ["add(a)", "add(a=[{'a': (a,)}])", "add(['x' * 100000] * 10000)"])
def test_what_is_small_there_and_huge_here_is_given_to_no_tool(call: str) -> None:
    calls.clear()
    with pytest.raises(ProgramError, match=r"ValueError: add\(\) was given too much"):
        run(f"{NESTED}{call}", memory=16_000_000)
    with pytest.raises(ProgramError, match="nest it less deeply"):
        run("a = []\nfor i in range(500): a = [a]\nadd(a)")
    assert calls == []


@pytest.mark.parametrize(
    ("program", "told", "seconds"),
    [
        ("add(1)", "2", 20.0),
        ("raise ValueError('no')", "ValueError: no", 20.0),
        ("'a' * 6 * 10**7", "MemoryError", 20.0),
        ("while True: pass", "TimeoutError", 0.2),
    ],
)
def test_no_thread_of_a_sandbox_is_at_work_when_the_interpreter_ends(
    program: str, told: str, seconds: float
) -> None:
    """Python aborts the process (SIGABRT) if a thread that it did not start enters the interpreter
    while it is finalised. Here whoever wakes the event loop takes half a second for it, and
    finalisation takes a second.
    """
    code = f"""
import asyncio, time
from raybench.agent.programs.program import ProgramLimits, ProgramError, run_code

class SlowToWake(asyncio.SelectorEventLoop):
    def _write_to_self(self):
        super()._write_to_self()
        time.sleep(0.5)

class SlowToDie:
    sleep = staticmethod(time.sleep)
    def __del__(self):
        self.sleep(1.0)

last = SlowToDie()

async def add(a):
    return a + 1

loop = SlowToWake()
try:
    print(loop.run_until_complete(run_code({program!r}, {{"add": add}}, ProgramLimits(seconds={seconds}))))
except ProgramError as error:
    print(error)
"""
    ended = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False
    )
    assert ended.returncode == 0, ended.stderr
    assert told in ended.stdout


def test_a_cancelled_program_leaves_no_process() -> None:
    async def go() -> None:
        task = asyncio.create_task(run_code("while True: pass", {}, ProgramLimits(seconds=30)))
        await asyncio.sleep(0.5)
        assert _children() > before
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    before = _children()
    asyncio.run(go())
    ends = time.monotonic() + 30
    while _children() > before and time.monotonic() < ends:
        time.sleep(0.02)
    assert _children() == before


def _children() -> int:
    return sum(len(task.read_text().split()) for task in Path("/proc/self/task").glob("*/children"))


def test_an_error_is_capped() -> None:
    with pytest.raises(ProgramError) as error:
        run("raise ValueError('x' * 100000)", characters=100)
    assert len(str(error.value)) < 200


def test_a_program_sleeps_no_host_time() -> None:
    begun = time.perf_counter()
    run("import time\ntime.sleep(1000)")
    assert time.perf_counter() - begun < 20


def test_cancelling_ends_a_program_at_once() -> None:
    async def go() -> None:
        task = asyncio.create_task(run_code("while True: pass", {}, ProgramLimits(seconds=30)))
        await asyncio.sleep(0.3)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    begun = time.perf_counter()
    asyncio.run(go())
    assert time.perf_counter() - begun < 20


FOLDER = Path(tempfile.mkdtemp())
SECRET = FOLDER / "secret.txt"
SECRET.write_text("do not tell")
atexit.register(shutil.rmtree, FOLDER)
seen: list[str] = []
watching = False


@pytest.mark.parametrize(
    "code",
    [
        "os.environ",
        "os.getenv('RAYBENCH_SECRET')",
        "str(os.environ)",
        "open('/proc/self/environ').read()",
        "os.getcwd()",
    ],
)
@pytest.mark.security
def test_a_program_sees_nothing_of_the_environment(
    code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAYBENCH_SECRET", "sk-secret")
    try:
        said = str(run(f"import os\n{code}"))
    except ProgramError as error:
        said = str(error)
    assert "sk-secret" not in said
    assert str(Path.cwd()) not in said


def audit(event: str, args: tuple[Any, ...]) -> None:
    if watching and (
        event.startswith(("socket.connect", "subprocess", "os.system"))
        or (event == "open" and str(FOLDER) in str(args[0]))
    ):
        seen.append(f"{event} {args[:1]}")


sys.addaudithook(audit)
PIECES = st.sampled_from(
    """open('FILE', 'w').write('x')
open('FILE').read()
from pathlib import Path
Path('FILE').write_text('x')
Path('FILE').read_text()
import os
import socket
import subprocess
import ctypes
import sys
os.system('touch FILE2')
os.listdir('/')
os.environ
__import__('os')
eval('1')
exec("open('FILE','w')")
x = add
add.__globals__
().__class__.__base__.__subclasses__()
[0] * 10**8
'a' * 10**9
add(1)
while True: pass
print('x')
print('x' * 10**6)
socket.create_connection(('127.0.0.1', 9))
class A: pass
fail()
def f(): return add(2)
f()
sys.exit()
raise SystemExit
await add(1)
lambda: 0
{}[0]
breakpoint()
input()
globals()
type(add)
yield 1""".splitlines()
)


@given(st.text(max_size=60) | st.lists(PIECES | st.text(max_size=8), max_size=5).map("\n".join))
@settings(max_examples=80, deadline=None)
@pytest.mark.security
def test_any_text_as_a_program_touches_no_file_no_socket_and_no_more_memory_than_it_may(
    text: str,
) -> None:
    global watching
    code = text.replace("FILE", str(SECRET))
    seen.clear()
    before, watching = _resident(), True
    try:
        message = str(run(code, seconds=0.1, memory=8_000_000, calls=5))
    except ProgramError as error:
        message = str(error)
    finally:
        watching = False
    assert seen == []
    assert message
    assert len(message) < 14_000
    assert SECRET.read_text() == "do not tell"
    assert "do not tell" not in message
    assert list(FOLDER.iterdir()) == [SECRET]
    assert _resident() - before < 50_000_000


def _resident() -> int:
    """Bytes of memory that this process holds."""
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
