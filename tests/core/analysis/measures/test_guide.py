"""The page of the guides about measures, made from their table."""

from __future__ import annotations

from importlib.resources import files

from raybench.analysis.measures.guide import guide, listing
from raybench.analysis.measures.table import MEASURES


def test_the_page_that_ships_is_made_from_the_table() -> None:
    """Where it is not current: ``python -m raybench.analysis.measures.guide >
    resources/raybench_resources/help/measures.md``.
    """
    assert (
        files("raybench_resources").joinpath("help", "measures.md").read_text(encoding="utf-8")
        == guide()
    )


def test_the_list_has_every_measure_with_its_parameters_unit_and_help() -> None:
    text = listing()
    for measure in MEASURES.values():
        assert f"  {measure.usage}  [" in text
        assert measure.help in text
    assert "[deg]" in text
    assert "source  a source" in text
