"""The result of a call as a conversation stores it: the first elements of its lists, without a
reference to the trace.
"""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass
from typing import Any, Self

from raybench.schema.jsonable import jsonable

ROWS = 200
"""Maximum number of elements of each list of an answer that is stored, shown on a card or written
into a transcript.
"""


@dataclass(frozen=True)
class KeptResult:
    """JSON values, compressed, since the rows of a table take fifty times as much memory as
    objects.
    """

    packed: bytes

    @classmethod
    def of(cls, values: Any) -> Self:
        return cls(zlib.compress(json.dumps(jsonable(values)).encode(), 1))

    @property
    def values(self) -> Any:
        return json.loads(zlib.decompress(self.packed))
