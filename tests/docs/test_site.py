"""The site: its notebooks run, and its reference holds every public name."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import raybench as rb

DOCS = Path(__file__).parents[2] / "resources" / "docs"
NOTEBOOKS = sorted((DOCS / "pages" / "gallery").glob("*.py"))
OWN_KERNEL = "own_kind"
"""The notebook that installs a package before Raybench is imported."""


@pytest.fixture(scope="module")
def kernel() -> Iterator[Any]:
    """A kernel in which notebooks run one after the other."""
    manager = pytest.importorskip("jupyter_client", reason="no jupyter_client").KernelManager()
    manager.start_kernel()
    yield manager
    manager.shutdown_kernel(now=True)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_cell_of_a_notebook_runs(path: Path, kernel: Any, tmp_path: Path) -> None:
    jupytext = pytest.importorskip("jupytext", reason="jupytext is not installed")
    nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed")
    nbformat = pytest.importorskip("nbformat", reason="nbformat is not installed")
    pytest.importorskip("ipykernel", reason="ipykernel is not installed")
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    notebook = jupytext.read(path)
    assert "assert" in path.read_text("utf-8"), "it checks nothing"
    notebook.cells.insert(0, nbformat.v4.new_code_cell("%reset -f"))
    own = {} if path.stem == OWN_KERNEL else {"km": kernel}
    client = nbclient.NotebookClient(
        notebook, timeout=300, resources={"metadata": {"path": str(tmp_path)}}, **own
    )
    client.execute()


def test_the_site_lists_every_notebook() -> None:
    nav = (DOCS / "mkdocs.yml").read_text("utf-8")
    gallery = (DOCS / "pages" / "gallery" / "index.md").read_text("utf-8")
    for path in NOTEBOOKS:
        assert f"gallery/{path.name}" in nav
        assert f"({path.name})" in gallery


def test_the_reference_holds_every_public_name() -> None:
    pages = "\n".join(p.read_text("utf-8") for p in (DOCS / "pages" / "reference").glob("*.md"))
    public = [name for name in dir(rb) if name[0].isupper() and name != "PLACES"]
    assert [name for name in public if f"::: raybench.{name}\n" not in pages] == []
