"""The example scenes that questions are asked about, and what calls ask for."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from tests.core.lens.lenses import TRIPLET

from raybench.agent.questions.understanding import Understood
from raybench.files.document_file import load_document
from raybench.files.examples import named_examples
from raybench.lens.opening import lens_document
from raybench.scene.document import Document


@cache
def document(name: str) -> Document:
    if name == "triplet":
        return lens_document(TRIPLET, "Triplet")
    return load_document(Path(str(named_examples()[f"example:{name}"])))


def intent(found: Understood) -> str:
    """The tool of a call, or the measure."""
    if found.tool == "measure_xml":
        return str((found.arguments or {})["measures"]).partition("(")[0]
    return found.tool
