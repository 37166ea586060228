"""The principal path of a measure: the path of the light that its value is computed from. Values of
two traces are only comparable if the principal path is the same.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from raybench.analysis.geometry.straight import Rows
from raybench.analysis.measures.bound import Bound, BoundMeasure
from raybench.analysis.measures.light import Light
from raybench.analysis.measures.measure import Undefined
from raybench.analysis.measures.selections import ObjectBeam
from raybench.trace.codes import Interaction
from raybench.trace.results.branches import splitter_and_grating_branches_of

END = -1
"""What stands for the interaction at the end of a path."""
_BRANCHING = frozenset({Interaction.SPLIT, Interaction.DIFFRACT})
Step = tuple[int | str, int, int, int]
"""The key of an object, the index of the edge, the interaction there (a code of `Interaction`;
`END` at the end of the path), and the order of a grating, or 1 and 2 of what a beam splitter
transmits and reflects.
"""


@dataclass(frozen=True)
class PrincipalPath:
    """The principal path of the light of a measure, and the ``share`` of the light on it. Two paths
    are equal if they have the same ``steps``: the same interactions at the same edges of the same
    objects, in the same order.
    """

    steps: tuple[Step, ...]
    share: float = field(compare=False)
    _write_pattern: Callable[[], str] = field(compare=False, repr=False)

    @property
    def pattern(self) -> str:
        """The path as a path pattern, such as ``Lamp → Prism:W (refract) → Prism:E (refract) →
        Screen``.
        """
        return self._write_pattern()


def principal_paths(light: Light, bound: Bound) -> tuple[PrincipalPath | None, ...]:
    """The principal path of each measure in a bound value; None for a measure whose light is empty.
    Measures that do not use light are left out; a measure that compares two selections of light has
    two paths.
    """
    if not isinstance(bound, BoundMeasure):
        return tuple(path for part in bound.parts for path in principal_paths(light, part))
    return tuple(
        common_path_of_segments(light, rows, share, to_start=to_start)
        for rows, share, to_start in principal_rows(light, bound)
    )


def principal_rows(light: Light, bound: BoundMeasure) -> list[tuple[Rows, float, bool]]:
    """For each of the `principal_paths`: the segments on it, its share of the light, and whether
    the path ends at the starts of these segments.
    """
    measure, arguments = bound.measure, bound.argument_indices(light)
    if measure.select is None:
        return []
    try:
        (found,) = measure.select_light(light, *arguments)
    except Undefined:
        return [(np.empty(0, np.int64), 1.0, False)]
    out: list[tuple[Rows, float, bool]] = []
    for part in found if isinstance(found, tuple | list) else (found,):
        if isinstance(part, ObjectBeam):
            share = 1.0 if measure.takes is None else light.bundle_share(measure.takes, *arguments)  # type: ignore[arg-type]
            out.append((part.rows, share, part.is_leaving))
        elif hasattr(part, "light_by_path"):
            out.append((part.light_by_path.principal_rows, part.light_by_path.share, False))
    return out


def common_path_of_segments(
    light: Light, rows: Rows, share: float, *, to_start: bool = False
) -> PrincipalPath | None:
    """The path that all segments ``rows`` have in common, up to their ends or, with ``to_start``,
    up to their starts; None without segments.
    """
    if not len(rows):
        return None
    result, row = light.result, int(rows[0])
    path = np.array(result.lineage.path(row), np.int64)
    met, made = path[:-1], path[1:]
    ways = result.interaction[made].tolist()
    branches = (
        [0] * len(ways)
        if _BRANCHING.isdisjoint(ways)
        else splitter_and_grating_branches_of(result, made).tolist()
    )
    if not to_start and result.hit[row] >= 0:
        met, ways, branches = path, [*ways, END], [*branches, 0]
    keys = [light.measurable_objects[i].key for i in result.hit[met].tolist()]
    steps = tuple(
        step
        for step in zip(keys, result.edge[met].tolist(), ways, branches, strict=True)
        if step[2] != Interaction.DETECT
    )

    def write() -> str:
        sources = set(result.source[rows].tolist())
        return light.path_writer.path_pattern(row, sources, to_start=to_start)

    return PrincipalPath(steps, share, write)
