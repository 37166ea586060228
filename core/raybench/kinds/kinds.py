"""The table of object kinds, collected from the modules of the families. See
`core/raybench/kinds/README.md` for adding a kind.
"""

import inspect
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeVar

from raybench.kinds import (
    blockers,
    curved_glasses,
    custom_surfaces,
    decorations,
    detectors,
    glasses,
    gratings,
    grin,
    lenses,
    mirrors,
    module_instance,
    polarizing_elements,
    sources,
    unread,
)
from raybench.kinds.aspects.row import FAMILIES, IncompleteKind, Row
from raybench.kinds.aspects.sample import Sample
from raybench.kinds.fields import described_fields
from raybench.kinds.object import SceneObject
from raybench.system.plugins import load_plugins

T = TypeVar("T")


def check_kind_rows(
    rows: Iterable[Row], kinds: Iterable[type[SceneObject]] = ()
) -> tuple[Row, ...]:
    """Return the rows of the table of kinds in order. Raises IncompleteKind if a row is incomplete,
    if two rows have the same kind, or if a kind in ``kinds`` has no row.
    """
    table: dict[type[SceneObject], Row] = {}
    for row in rows:
        for fault in _row_faults(row):
            raise _incomplete_kind(row.kind, fault)
        if table.setdefault(row.kind, row) is not row:
            raise _incomplete_kind(row.kind, "has two rows")
    for kind in kinds:
        if kind not in table:
            raise _incomplete_kind(kind, "has no row: add one to ROWS of its module")
    return tuple(table.values())


def _incomplete_kind(kind: type[SceneObject], fault: str) -> IncompleteKind:
    return IncompleteKind(
        f"{kind.__name__} ({kind.__module__}) {fault}. See core/raybench/kinds/README.md."
    )


def _row_faults(row: Row) -> Iterator[str]:
    """Yield the faults of a row, as parts of sentences that begin with the kind's name."""
    if row.family and "label" not in vars(row.kind):
        yield "has no label"
    if row.family and row.family not in FAMILIES:
        yield f"is of the family '{row.family}', which is not one of {', '.join(FAMILIES)}"
    if row.family and row.sample is None:
        yield "has no sample: its row does not define how users create one"
    if not hasattr(row.kind, "has_edge_table"):
        yield "does not say whether it has an edge table: give it a class variable has_edge_table"
    for name in dir(row.kind):
        if getattr(getattr(row.kind, name), "__isabstractmethod__", False):
            yield f"has no {name}, which its base class asks for"
    fields = described_fields(row.kind)
    if row.centre and row.centre not in {f.name for f in fields if f.about.kind == "point"}:
        yield f"has the centre '{row.centre}', which is not a point among its fields"
    missing = {f.name for f in fields if f.is_required} - set(row.icon)
    if missing:
        yield f"has an icon without {' and '.join(sorted(missing))}"
    if unknown := set(row.icon) - {f.name for f in fields}:
        yield f"has an icon with {' and '.join(sorted(unknown))}, which are not its fields"


def labelled_subclasses(kind: type[T]) -> Iterator[type[T]]:
    """Yield the subclasses of ``kind`` that define their own label. The labelled subclasses of
    `SceneObject` are the kinds of objects.
    """
    for derived in kind.__subclasses__():
        if "label" in vars(derived):
            yield derived
        yield from labelled_subclasses(derived)


_OWN = check_kind_rows(
    (
        *sources.ROWS,
        *mirrors.ROWS,
        *glasses.ROWS,
        *lenses.ROWS,
        *curved_glasses.ROWS,
        *grin.ROWS,
        *polarizing_elements.ROWS,
        *blockers.ROWS,
        *gratings.ROWS,
        *custom_surfaces.ROWS,
        *detectors.ROWS,
        *decorations.ROWS,
        *module_instance.ROWS,
        *unread.ROWS,
    ),
    (kind for kind in labelled_subclasses(SceneObject) if kind.__module__.startswith("raybench.")),
)
_ADDED: list[Row] = []


def _add_module_rows(name: str, module: Any) -> None:
    """Add the rows that a module of another package defines."""
    rows = check_kind_rows(module.ROWS)
    names = {row.kind.__name__ for row in (*_OWN, *_ADDED)}
    if taken := [row.kind.__name__ for row in rows if row.kind.__name__ in names]:
        raise IncompleteKind(f"there is a kind {taken[0]} already")
    _ADDED.extend(rows)


load_plugins("kinds", _add_module_rows)
ROWS = (*_OWN, *_ADDED)
_BY_KIND = {row.kind: row for row in ROWS}

KINDS: Mapping[str, type[SceneObject]] = {
    kind.__name__: kind for kind in _BY_KIND if not issubclass(kind, unread.UnreadObject)
}
"""The classes of all kinds, by their type name in files."""
SAMPLES: Mapping[str, Sample] = {
    row.kind.__name__: row.sample for row in ROWS if row.sample is not None
}
"""How users create objects, by kind; only of the kinds that they can add."""


def kind_summary(kind: type[SceneObject]) -> str:
    """The first paragraph about a kind, as one line."""
    return " ".join((inspect.getdoc(kind) or kind.label).partition("\n\n")[0].split())


def kind_row_of(obj: SceneObject) -> Row:
    """The row of an object's kind."""
    return _BY_KIND[type(obj)]
