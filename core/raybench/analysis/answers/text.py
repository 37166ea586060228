"""The values of an answer as plain text for users: one line per element, or a table for uniform
lists.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from raybench.analysis.answers.answer import Answer, Element, Leaf, Listed
from raybench.analysis.answers.words import PROVENANCE, rounded_number, with_spaces
from raybench.analysis.answers.xml_answer import formatted_value
from raybench.errors import one_line

ROWS = 100
"""Maximum number of elements rendered per list."""
_NAMES = ("name", "label", "first")
"""Attributes that identify an element; the first one present is written before the others."""
_LENGTHS = frozenset(
    {
        "length", "perimeter", "radius", "left", "top", "right", "bottom",
        "x1", "y1", "x2", "y2", "mid_x", "mid_y", "centre_x", "centre_y",
    }
)  # fmt: skip


def answer_text(answer: Answer, rows: int = ROWS) -> str:
    """The values of an answer, line by line, with units."""
    return "\n".join(_node_lines(answer.root, str(answer.root.attributes.get("unit", "")), 0, rows))


def _node_lines(node: Element | Leaf, unit: str, depth: int, rows: int) -> Iterator[str]:
    indent = "  " * depth
    if isinstance(node, Leaf):
        yield f"{indent}{with_spaces(node.tag)}: {_cell_text(node)}"
        return
    about = {
        name: value
        for name, value in node.attributes.items()
        if value is not None and not (depth == 0 and name in PROVENANCE)
    }
    if node.tag == "property":
        own = f" {about['unit']}" if "unit" in about else ""
        yield f"{indent}{about.get('label') or about['name']}: {_value_line(about['value'])}{own}"
        return
    title = next((n for n in _NAMES if n in about), "")
    facts = [_attribute_text(name, value, unit) for name, value in about.items() if name != title]
    head = f"{with_spaces(node.tag)} {_value_line(about.get(title, ''))}".rstrip()
    yield indent + head + (f": {', '.join(facts)}" if facts else "")
    header: list[str] = []
    for child in node.children:
        if not isinstance(child, Element | Leaf):
            yield from _listing_lines(child, header, unit, depth + 1, rows)
        elif isinstance(child, Element) and child.tag == "columns":
            header = [
                _cell_text(leaf) for leaf in _row_leaves(child)
            ]  # column headings of the following rows
        else:
            yield from _node_lines(child, unit, depth + 1, rows)


def _listing_lines(
    listing: Listed, header: list[str], unit: str, depth: int, rows: int
) -> Iterator[str]:
    items = list(listing.part(0, rows))
    flat = [item for item in items if isinstance(item, Element) and _is_row(item)]
    if items and all(isinstance(item, Leaf) for item in items):
        yield "  " * depth + ", ".join(_cell_text(item) for item in items if isinstance(item, Leaf))
    elif header or (len(flat) == len(items) > 1 and listing.tag != "property"):
        yield from ("  " * depth + line for line in _table_lines(flat, header))
    else:
        for item in items:
            yield from _node_lines(item, unit, depth, rows)
    if len(listing) > len(items):
        yield f"{'  ' * depth}… {len(listing) - len(items)} more of {len(listing)}"


def _is_row(item: Element) -> bool:
    """Whether an element is a table row: only attributes, or only one list of leaves."""
    return not item.children or (
        not item.attributes
        and len(item.children) == 1
        and next(_row_leaves(item), None) is not None
    )


def _table_lines(rows: Sequence[Element], header: list[str]) -> Iterator[str]:
    """Rows as aligned columns, numbers right-aligned; attributes that no row has are omitted."""
    if header:
        lines = [header, *([_cell_text(leaf) for leaf in _row_leaves(row)] for row in rows)]
    else:
        every = dict.fromkeys(name for row in rows for name in row.attributes)
        names = [n for n in every if any(row.attributes.get(n) is not None for row in rows)]
        lines = [
            [with_spaces(n) for n in names],
            *([_blank_or_value(row.attributes.get(n)) for n in names] for row in rows),
        ]
    numeric = [all(_is_number(cell) for cell in column[1:]) for column in zip(*lines, strict=True)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        cells = (
            c.rjust(w) if right else c.ljust(w)
            for c, w, right in zip(line, widths, numeric, strict=True)
        )
        yield "  ".join(cells).rstrip()


def _row_leaves(row: Element) -> Iterator[Leaf]:
    for child in row.children:
        if isinstance(child, Listed):
            yield from (item for item in child.items if isinstance(item, Leaf))


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return not text
    return True


def _attribute_text(name: str, value: Any, unit: str) -> str:
    """An attribute as text, with its unit."""
    words = with_spaces(name)
    if formatted_value(value) in ("true", "false"):
        return words if formatted_value(value) == "true" else f"not {words}"
    if name in _LENGTHS and not isinstance(
        value, str
    ):  # left of a page is a text, left of a box a length
        return f"{words} {_round_value(value)} {unit}".rstrip()
    if name == "area":
        return f"{words} {_round_value(value)} {unit}²"
    if "angle" in name.split("_"):
        return f"{words} {_round_value(value)}°"
    if name.startswith("wavelength"):
        return f"{words} {_round_value(value)} nm"
    return f"{words} {_round_value(value)}"


def _cell_text(leaf: Leaf) -> str:
    return (leaf.missing or "–") if leaf.value is None else _round_value(leaf.value)


def _blank_or_value(value: Any) -> str:
    return "" if value is None else _round_value(value)


def _round_value(value: Any) -> str:
    """A value as a person reads it; floats with six significant digits."""
    return rounded_number(value) if isinstance(value, float) else _value_line(value)


def _value_line(value: Any) -> str:
    """A value on one line."""
    return one_line(" ".join(formatted_value(value).split()))
