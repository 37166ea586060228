"""Instances of modules. An instance is a single object of a scene; rays are traced through the
objects that its module generates.
"""

import dataclasses
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import field
from typing import Any, Self

from raybench.kinds.aspects import outlines
from raybench.kinds.aspects.pieces import no_piece
from raybench.kinds.aspects.row import Row
from raybench.kinds.fields import data, described_field, points
from raybench.kinds.object import SceneObject, kind, next_object_key
from raybench.shapes.point import Point


@kind
class ModuleObj(SceneObject):
    """An instance of a module: users see a single object, which is expanded to its parts for
    tracing.
    """

    label = "Module"
    has_edge_table = False

    module: str = described_field(
        "text",
        dataclasses.MISSING,
        "Module",
        help="The definition in this scene that the parts are made from.",
    )
    points: tuple[Point, ...] = points(
        "Points", help="The points from which the module positions its parts."
    )
    params: Mapping[str, Any] | None = data(
        None, "Parameters", help="The value of each of the module's parameters."
    )
    part_keys: dict[tuple[int, ...], int] = field(
        default_factory=lambda: defaultdict(next_object_key), compare=False, repr=False
    )
    """Keys of the parts by their address in the templates: kept through edits, so that a part keeps
    its identity.
    """
    expanded: list[Any] = field(default_factory=list, init=False, compare=False, repr=False)
    """Cache: at most one pair (inputs, expansion), see `raybench.scene.modules.expansion`."""

    @property
    def stem(self) -> str:
        return self.module

    def with_new_key(self) -> Self:
        return dataclasses.replace(super().with_new_key(), part_keys=defaultdict(next_object_key))

    def with_key_of(self, other: SceneObject) -> Self:
        same = super().with_key_of(other)
        return (
            dataclasses.replace(same, part_keys=other.part_keys)
            if isinstance(other, ModuleObj)
            else same
        )


ROWS = (
    Row(
        ModuleObj,
        family="",
        edges=outlines.no_edges,
        piece=no_piece,
        painter="module",
        icon={"module": "", "points": ()},
    ),
)
