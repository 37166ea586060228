"""The result of a call as a conversation keeps it: the first elements of its lists, without the trace they were read from."""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass
from typing import Any, Self

from core.schema.jsonable import jsonable

ROWS = 200
"""The most elements of each list of an answer that are kept, shown on a card and written into a transcript."""


@dataclass(frozen=True)
class KeptResult:
    """JSON values, compressed: as objects the rows of a table take fifty times the memory."""

    packed: bytes

    @classmethod
    def of(cls, values: Any) -> Self:
        return cls(zlib.compress(json.dumps(jsonable(values)).encode(), 1))

    @property
    def values(self) -> Any:
        return json.loads(zlib.decompress(self.packed))
