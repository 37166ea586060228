"""The page of objects in Help, made from the table of kinds."""

from __future__ import annotations

from importlib.resources import files

from raybench.kinds.fields import fields_of
from raybench.kinds.guide import guide
from raybench.kinds.kinds import ROWS


def test_the_page_that_ships_is_made_from_the_table() -> None:
    """Where it is not current: ``python -m raybench.kinds.guide >
    resources/raybench_resources/help/objects.md``.
    """
    assert (
        files("raybench_resources").joinpath("help", "objects.md").read_text(encoding="utf-8")
        == guide()
    )


def test_every_kind_that_can_be_added_is_described_with_all_its_fields() -> None:
    sections = {section.partition("\n")[0]: section for section in guide().split("\n## ")[1:]}
    for row in ROWS:
        if row.family:
            text = sections[row.kind.label]
            assert all(
                f"`{field.json_name}`" in text
                for field in fields_of(row.kind)
                if field.name not in ("name", "locked")
            )
