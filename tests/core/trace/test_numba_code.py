"""What this program uses of numba that numba does not document: in one module, and there in the
installed version.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import raybench
from raybench.system.process import child_environment

DOCUMENTED = {"numba", "numba.extending", "numba.core.cgutils", "llvmlite", "llvmlite.binding"}
"""What any module may import: the public interface, and what its documentation uses of the rest."""
COMPILATION = Path(raybench.__path__[0]) / "trace/compilation"
CHECK = """
import inspect
import numba, numpy as np
from numba import types
from numba.core.codegen import JITCodeLibrary
from numba.core.registry import cpu_target
from raybench.trace.compilation import numba_code

source = inspect.getsource(JITCodeLibrary._finalize_final_module)
codegen = cpu_target.target_context.codegen()
function = numba_code.dispatcher_for(lambda a: a[0] + 1.0, _nrt=False)
function.compile((types.float64[::1],))
(code,) = function.overloads.values()
(text,) = function.inspect_llvm().values()
allocates = numba_code.dispatcher_for(lambda n: np.zeros(n).sum())
allocates.compile((types.int64,))
(calls,) = allocates.inspect_llvm().values()
name = code.fndesc.llvm_func_name
define = next(line for line in text.splitlines() if line.startswith("define") and name in line)
from numba.core.runtime.nrtdynmod import _meminfo_struct_type
module = numba_code.llvm.parse_assembly(
    "define i64 @called(i64 %read, i64 %unread, i64 %same) noinline {"
    " %sum = add i64 %read, %same ret i64 %sum }"
    "define i64 @caller(i64 %read, i64 %unread) {"
    " %result = call i64 @called(i64 %read, i64 %unread, i64 3) ret i64 %result }"
)
numba_code.remove_unused_arguments(module, {"caller"})
alone = str(module)
print({
    "an option": function.targetoptions["_nrt"] is False,
    "the configuration": numba.config._config_fname == "" and numba.config.DISABLE_JIT == 0,
    "a library": isinstance(code.library, numba_code.KernelLibrary) and hasattr(code.library, "_shared_module"),
    "its steps": "_finalize_dynamic_globals" in source and "_finalized = True" in source,
    "it is optimised": callable(JITCodeLibrary._optimize_final_module),
    "the code generator": all(hasattr(codegen, n) for n in ("_library_class", "_engine", "set_env", "_tm")),
    "calls": define.count("ptr") >= 3 and "i32 @" in define,
    "memory": "@NRT_MemInfo_alloc_aligned(i64" in calls and "@NRT_MemInfo_call_dtor(ptr" in calls,
    "what calls pass": "caller(i64 %read, i64 %unread)" in alone and "called(i64 %read)" in alone,
    "its layout": str(_meminfo_struct_type) in ("{i64, ptr, ptr, ptr, i64}", "{i64, i8*, i8*, i8*, i64}"),
})
"""


def test_private_parts_of_numba_are_used_by_one_module() -> None:
    users: dict[str, set[str]] = {}
    for path in Path(raybench.__path__[0]).rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if "numba" not in text and "llvmlite" not in text:
            continue
        for node in ast.walk(ast.parse(text)):
            names: list[str] = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and not node.level:
                names = [str(node.module)]
                if node.module == "numba.core":
                    names = [f"numba.core.{alias.name}" for alias in node.names]
            for name in names:
                if name.partition(".")[0] == "numba" and name not in DOCUMENTED:
                    users.setdefault(path.name, set()).add(name)
    assert users == {
        "numba_code.py": {"numba.core.codegen", "numba.core.registry", "numba.np.numpy_support"}
    }


def test_the_private_parts_are_there(tmp_path: Path) -> None:
    """A version of numba is in the range of `pyproject.toml` if this and the tests of kernels pass
    with it.
    """
    done = subprocess.run(
        [sys.executable, "-c", CHECK],
        capture_output=True,
        text=True,
        env=child_environment(RAYBENCH_COMPILING="1", RAYBENCH_CACHE_DIR=str(tmp_path)),
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    found = ast.literal_eval(done.stdout)
    assert [what for what, there in found.items() if not there] == []
