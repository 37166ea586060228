"""Computing the cases: each scene is loaded, traced and measured like any other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from pathlib import Path

from raybench.analysis.measures.bound import measured
from raybench.errors import elided
from raybench.files.atomic import write_text
from raybench.files.scene_json import parse, scene_from_json
from raybench.scene.document import Document
from raybench.trace.trace import trace
from raybench.verify.case import Case, NoSuchCase, Outcome
from raybench.verify.cases import CASES


def outcomes(cases: Iterable[Case] = CASES) -> Iterator[Outcome]:
    """The outcomes of cases, in order, as they are computed."""
    for case in cases:
        document = Document(scene=parse(case.path.read_text(encoding="utf-8"), scene_from_json))
        result = trace(document)
        (value,) = measured(case.measure, document, result)
        yield Outcome(case, value.value, value.unit, len(result), value.reason)


def cases_of(scenes: Sequence[str]) -> tuple[Case, ...]:
    """The cases of the named scenes, all without a name. Raises NoSuchCase."""
    known = {case.scene for case in CASES}
    for name in scenes:
        if name not in known:
            near = ", ".join(get_close_matches(name, known, 3, 0.3))
            hint = f"Nearest: {near}." if near else f"There are {', '.join(sorted(known))}."
            raise NoSuchCase(f"There is no case '{elided(name, 60)}'. {hint}")
    return tuple(case for case in CASES if not scenes or case.scene in scenes)


def save_scenes(folder: Path, cases: Iterable[Case] = CASES) -> int:
    """Write the scenes of cases into a folder, and return how many. Raises FileWriteError."""
    texts = {case.scene: case.path.read_text(encoding="utf-8") for case in cases}
    for name, text in texts.items():
        write_text(folder / f"{name}.json", text)
    return len(texts)
