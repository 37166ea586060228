"""Brings the translation files up to date: `python -m tests.translations`.

Qt's lupdate reads the texts of `tr` in the code of the workbench and the phrases of the core; those
of tables, which are translated where they are shown, are listed here. Translated texts stay, and new ones are marked as
unfinished. Qt's lrelease then makes the binary files that the window reads.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import PySide6

from raybench.analysis.measures.table import MEASURES
from raybench.files.examples import EXAMPLES
from raybench.kinds.aspects.row import FAMILIES
from raybench.kinds.fields import Field, described_fields, settable_fields
from raybench.kinds.kinds import KINDS, SAMPLES, kind_row_of, kind_summary
from raybench.lens.columns import (
    ASPHERIC,
    COMMENT,
    CONIC,
    CURVATURE,
    GLASS,
    RADIUS,
    SEMI_DIAMETER,
    THICKNESS,
)
from raybench.lens.curves import LENS_PLOTS
from raybench.lens.operands import OPERANDS
from raybench.lens.prescription import ApertureKind
from raybench.presets import FAMILIES as PRESET_FAMILIES
from raybench.presets import PRESETS
from raybench.raster.coloring import COLORINGS
from raybench.scene import POWER_UNITS
from raybench.scene.changes import Disable, Hide
from raybench.scene.creation import (
    ALL_FAMILIES,
    creatable_noun,
    is_drawn_as_path,
    object_from_drag,
    object_from_points,
)
from raybench.scene.measurements import DIRECTIONS
from raybench.scene.measurements import KINDS as MEASUREMENTS
from raybench.scene.pages import PAGES
from raybench.scene.place_numbers import placement_numbers
from raybench.scene.settings import Settings
from raybench.scene.snapping.targets import EDGE_END, SNAPS
from raybench.scene.treatments import TREATMENTS
from raybench.shapes.point import Point
from raybench.study.request import STUDY_KINDS as STUDIES
from raybench.trace.codes import Completion
from raybench_workbench.actions import MENU_TABLE, MENUS, Action, flatten_menu_rows
from raybench_workbench.chat.composer import PROFILES
from raybench_workbench.panels.ray_table import COLUMNS
from raybench_workbench.panels.rows import DASH_PATTERNS
from raybench_workbench.plots.light_plot import MEASURE_NAMES
from raybench_workbench.preferences.choices import PREFERENCES, THEME
from raybench_workbench.translation import ENGLISH, LANGUAGES, capitalized

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "resources" / "raybench_resources" / "translations"
CODE = ROOT / "workbench" / "raybench_workbench"
CORE = ROOT / "core" / "raybench"
DOCKS = ("Console", "JSON", "Lens data", "Lens merit", "Plots", "Rays", "Study")
"""Titles of docks that no other table has."""
IN_TERMINAL = ("commands", "mcp", "picture_tests")
"""Packages of the workbench whose texts no window shows."""


def texts_with_a_meaning() -> Iterator[tuple[str, str]]:
    """The texts of tables that mean something else elsewhere, each with the meaning it has here."""
    yield from ((name, "menu") for name in MENUS)
    yield from ((title, THEME.title) for title in THEME.choices.values())
    yield from ((quantity, "operand") for quantity in OPERANDS)


def table_texts() -> Iterator[str]:
    """The texts of tables that the window shows. Some occur more than once."""
    yield from MENUS
    for row in flatten_menu_rows(MENU_TABLE):
        if isinstance(row.title, str):
            yield row.title
        if isinstance(row, Action):
            yield row.enabled.otherwise
    for preference in PREFERENCES:
        yield from (preference.group, preference.title, preference.help)
        yield from (preference.unit, preference.zero, *preference.choices.values())
    yield from (*FAMILIES, *PRESET_FAMILIES, "Modules")
    for part in (name for family in ALL_FAMILIES.values() for name in family):
        yield creatable_noun(part)
    for kind in KINDS.values():
        yield from (kind.label, kind_summary(kind))
        yield from _texts_of_fields(settable_fields(kind))
    for preset in PRESETS.values():
        yield from (preset.label, preset.summary)
        yield from _texts_of_fields(described_fields(preset))
    yield from _texts_of_fields(described_fields(Settings))
    for kind in SAMPLES:
        corners = [Point(0.0, 0.0), Point(90.0, 10.0), Point(50.0, 60.0)]
        made = (
            object_from_points(kind, corners)
            if is_drawn_as_path(kind)
            else object_from_drag(kind, *corners[:2])
        )
        for number in (*placement_numbers([made]), *placement_numbers([made, replace(made)])):
            yield from (number.label, number.about)
        for about in kind_row_of(made).parameters(made).values():
            yield from (about.label, about.help)
    yield from (about for _, _, about in PROFILES)
    yield from (*DASH_PATTERNS, *POWER_UNITS, *(page.title for page in PAGES.values()))
    yield from DOCKS
    yield from (example.title for example in EXAMPLES)
    for cell in (COMMENT, CURVATURE, RADIUS, THICKNESS, GLASS, SEMI_DIAMETER, CONIC, *ASPHERIC):
        yield from (cell.title, cell.tip)
    yield from (ending.text for ending in Completion)
    yield from (MEASURES[name].help for name in MEASURE_NAMES)
    for column in COLUMNS:
        yield from (column.title, column.words)
    yield from (plot.title for plot in LENS_PLOTS.values())
    yield from (
        noun for treatment in TREATMENTS for noun in (treatment.noun, treatment.noun.capitalize())
    )
    yield from map(str.capitalize, STUDIES)
    yield from (words for mark in (Hide, Disable) for words in mark.words)
    for measurement in MEASUREMENTS.values():
        yield from (*measurement.clicks, measurement.placed)
    yield from (kind.value.capitalize() for kind in ApertureKind)
    yield from ("turn", "program")
    for snap in SNAPS.values():
        yield from (snap.word, f"{{word}} {snap.of} {{name}}")
    yield from (EDGE_END, *DIRECTIONS)
    for table in (COLORINGS, MEASUREMENTS, SNAPS):
        yield from (row.title for row in table.values())


def _texts_of_fields(fields: Iterable[Field]) -> Iterator[str]:
    for field in fields:
        yield from (field.about.label, field.about.help)
        yield from field.about.titles or field.about.choices


def update_files(folder: Path = FOLDER) -> None:
    """Write the translation files of all languages to a folder, with what they hold already."""
    texts = {(text, "") for text in table_texts()} | set(texts_with_a_meaning())
    texts = {
        (text, meaning)
        for text, meaning in texts
        if text == capitalized(text) or (capitalized(text), meaning) not in texts
    }
    with TemporaryDirectory() as temporary:
        tables = Path(temporary, "tables.py")
        tables.write_text(
            "".join(
                f"tr({_quoted(text)}, {_quoted(meaning)})\n"
                if meaning
                else f"tr({_quoted(text)})\n"
                for text, meaning in sorted(texts)
                if is_translated(text)
            )
        )
        code = [
            str(path)
            for path in sorted(CODE.rglob("*.py"))
            if path.relative_to(CODE).parts[0] not in IN_TERMINAL
        ]
        code += [str(path) for path in sorted(CORE.rglob("*.py")) if "Phrase(" in path.read_text()]
        for language in sorted(set(LANGUAGES) - {ENGLISH}):
            file = folder / f"raybench_{language}.ts"
            _run_tool(
                "lupdate", "-silent", "-tr-function-alias", "tr+=Phrase", "-no-obsolete", "-locations", "none",
                "-source-language", "en", "-target-language", language,
                *code, str(tables), "-ts", str(file),
            )  # fmt: skip
            _run_tool("lrelease", "-silent", str(file), "-qm", str(file.with_suffix(".qm")))


def is_translated(text: str) -> bool:
    """Whether a text differs between languages: it is neither a number nor the name of a language."""
    return any(map(str.isalpha, text)) and text not in LANGUAGES.values()


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def _run_tool(name: str, *arguments: str) -> None:
    subprocess.run([Path(PySide6.__file__).parent / name, *arguments], check=True)


if __name__ == "__main__":
    update_files(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
