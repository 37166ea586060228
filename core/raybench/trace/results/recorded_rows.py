"""Conversion of segments recorded by other programs into the columns of a trace."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from raybench.errors import RaybenchError
from raybench.trace.codes import Flag, Interaction, Status
from raybench.trace.columns import empty_rows


def read_rows(rows: Sequence[Any]) -> dict[str, NDArray[Any]]:
    """The columns of rows that are mappings or objects. Raises RaybenchError with the row and what
    is wrong with it.
    """
    n = len(rows)
    out = empty_rows(n)
    for i, row in enumerate(rows):
        try:
            out["p1"][i], out["p2"][i] = _pair(_get(row, "p1")), _pair(_get(row, "p2"))
            out["power"][i] = _get(row, "brightness_s"), _get(row, "brightness_p")
            wavelength, parent = _get(row, "wavelength", None), _get(row, "parent", None)
            out["wavelength"][i] = np.nan if wavelength is None else wavelength
            out["parent"][i] = -1 if parent is None else int(parent)
            name = _get(row, "interaction", None) or ("source" if parent is None else "reflect")
            code = Interaction.parse(str(name))
            if code is None:
                raise ValueError(
                    f"its interaction {name!r} is not one of {', '.join(Interaction.words())}"
                )
            out["interaction"][i] = code
            gap, new = _get(row, "gap", False), _get(row, "is_new", False)
            out["flags"][i] = (Flag.GAP if gap else 0) | (Flag.NEW if new else 0)
            out["status"][i] = Status.ESCAPED if _get(row, "escaped", False) else Status.ALIVE
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
            what = f"it has no {error}" if isinstance(error, KeyError) else str(error)
            raise RaybenchError(
                f"Segment {i} cannot be read: {what}. It needs p1, p2, brightness_s and"
                " brightness_p."
            ) from None
    numbers = np.hstack([out["p1"], out["p2"], out["power"]])
    wrong = np.flatnonzero(~np.isfinite(numbers).all(axis=1) | (out["power"] < 0).any(axis=1))
    if len(wrong):
        raise RaybenchError(
            f"Segment {wrong[0]} has a position or a power that is not a finite number, or a"
            " negative power. Correct it."
        )
    parent_column = out["parent"]
    if ((parent_column >= np.arange(n)) | (parent_column < -1)).any():
        bad = int(np.flatnonzero((parent_column >= np.arange(n)) | (parent_column < -1))[0])
        raise RaybenchError(
            f"Segment {bad} has parent {parent_column[bad]}, which does not precede it. Order"
            " parents first."
        )
    has_child = np.zeros(n, bool)
    has_child[parent_column[parent_column >= 0]] = True
    out["status"][has_child] = Status.CONTINUED
    out["end_power"] = out["power"]
    tir = out["interaction"] == Interaction.TIR
    out["flags"][tir] |= np.uint8(Flag.TIR)
    out["flags"][parent_column[tir & (parent_column >= 0)]] |= np.uint8(Flag.CAUSES_TIR)
    roots = parent_column < 0
    out["source_ray"][roots] = np.arange(roots.sum())
    for i in np.flatnonzero(~roots).tolist():
        out["source_ray"][i] = out["source_ray"][parent_column[i]]
        out["depth"][i] = out["depth"][parent_column[i]] + 1
    return out


_REQUIRED = object()


def _get(row: Any, name: str, default: Any = _REQUIRED) -> Any:
    if isinstance(row, Mapping):
        return row[name] if default is _REQUIRED else row.get(name, default)
    return getattr(row, name) if default is _REQUIRED else getattr(row, name, default)


def _pair(p: Any) -> tuple[float, float]:
    if isinstance(p, Mapping):
        return float(p["x"]), float(p["y"])
    if hasattr(p, "x"):
        return float(p.x), float(p.y)
    x, y = p
    return float(x), float(y)
