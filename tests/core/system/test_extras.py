"""What is told where a package is missing: what pip installs; in the folder without Python, which
has no pip, that it is not there.
"""

import ast
import sys
from importlib import metadata
from pathlib import Path

import pytest

from raybench.files.drawings.conversion import DrawingError, read_drawing
from raybench.study.cluster import ClusterError, connect_cluster
from raybench.system import extras
from raybench.trace.compilation.kernel_cache import kernel_folder

ROOT = Path(__file__).parents[3]


def test_pip_installs_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with (
        pytest.raises(
            ClusterError,
            match=r"needs the package distributed: pip install 'raybench\[cluster\]'\.$",
        ),
        connect_cluster("tcp://x:1"),
    ):
        pass
    monkeypatch.setitem(sys.modules, "svgelements", None)
    monkeypatch.delitem(sys.modules, "raybench.files.drawings.svg", raising=False)
    drawing = tmp_path / "a.svg"
    drawing.write_text("<svg/>")
    with pytest.raises(
        DrawingError,
        match=r"a\.svg: drawings need the package svgelements: pip install 'raybench\[import\]'\.$",
    ):
        read_drawing(drawing)


def test_in_the_folder_without_python_nothing_is_said_of_pip(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(extras, "FROZEN", True)
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ClusterError) as error, connect_cluster("tcp://x:1"):
        pass
    assert (
        str(error.value)
        == "Computing on a cluster needs the package distributed, which is not in this folder. "
        "A Raybench installed in Python can have it: its extra 'cluster'."
    )
    assert extras.reinstall_remedy("numba again") == "Copy the whole folder of Raybench again."


def test_without_the_compiler_s_package_kernels_have_a_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The machine code in it is not made then, and tracing says why; a folder of kernels that were
    compiled with numba is not this one.
    """
    monkeypatch.setenv("RAYBENCH_CACHE_DIR", str(tmp_path))
    with_numba = kernel_folder.__wrapped__()
    version = metadata.version

    def without_numba(package: str) -> str:
        if package == "numba":
            raise metadata.PackageNotFoundError(package)
        return version(package)

    monkeypatch.setattr(metadata, "version", without_numba)
    assert extras.package_version("numba") == "missing"
    assert extras.package_version("numpy") == version("numpy")
    folder = kernel_folder.__wrapped__()
    assert folder is not None
    assert folder.parent == tmp_path
    assert folder != with_numba


def test_pip_is_named_in_one_place_and_extras_are_those_of_the_project() -> None:
    extras_there = set(metadata.metadata("raybench").get_all("Provides-Extra") or ())
    named = 0
    for path in [*ROOT.glob("core/**/*.py"), *ROOT.glob("workbench/**/*.py")]:
        text = path.read_text(encoding="utf-8")
        if "pip install" not in text and "missing_package_text" not in text:
            continue
        for node in ast.walk(ast.parse(text)):
            if (
                isinstance(node, ast.Constant)
                and isinstance(node.value, str)
                and path.name != "extras.py"
            ):
                assert "pip install" not in node.value, f"{path}, line {node.lineno}"
            if (
                isinstance(node, ast.Call)
                and ast.unparse(node.func) == "missing_package_text"
                and len(node.args) == 3
            ):
                named += 1
                assert ast.literal_eval(node.args[2]) in extras_there, f"{path}, line {node.lineno}"
    assert named == 5
