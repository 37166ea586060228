"""Conversion of the powers of a trace to the power unit of its document."""

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from raybench.optics.photometry import LUMENS_PER_WATT, luminous_efficiency
from raybench.scene import RELATIVE
from raybench.trace.columns import STORED
from raybench.trace.results.result import Ledger, TraceResult

POWER_COLUMNS = tuple(name for name, column in STORED.items() if column.unit == RELATIVE)


def columns_in_unit(
    rows: Mapping[str, NDArray[Any]], full: float, unit: str
) -> tuple[dict[str, NDArray[Any]], float | None, float]:
    """The columns of a trace with powers in a unit (`raybench.scene.POWER_UNITS`). ``full`` is the
    power of the value 1 in W, or in the unit. Also returns the factor of the conversion (None if it
    depends on the wavelength) and the `TraceResult.full_power`.
    """
    factor: Any = full
    if unit == "lm":
        seen = LUMENS_PER_WATT * luminous_efficiency(rows["wavelength"])
        factor = full * (seen[0] if len(seen) and np.ptp(seen) == 0 else seen)
    by = np.expand_dims(factor, 1) if np.ndim(factor) else factor
    written = [name for name in POWER_COLUMNS if rows[name].strides[0]]  # the others are 0
    scaled = {id(rows[name]): rows[name] * by for name in written}  # two may be one array
    out = dict(rows) | {name: scaled[id(rows[name])] for name in written}
    strongest = float(np.abs(out["power"].sum(axis=1)).max(initial=0.0)) or 1.0
    return out, None if np.ndim(factor) else float(factor), strongest


def result_in_unit(part: TraceResult, full: float, unit: str) -> TraceResult:
    """A part of a trace, with its columns converted by `columns_in_unit`."""
    rows = {name: getattr(part, name) for name in (*POWER_COLUMNS, "wavelength")}
    rows, _, strongest = columns_in_unit(rows, full, unit)
    columns: dict[str, Any] = rows
    return replace(part, **columns, power_unit=unit, full_power=strongest)


def ledger_in_unit(
    result: TraceResult, factor: float | None, relative: Mapping[str, NDArray[Any]]
) -> Ledger:
    """The balance of power of a trace whose columns, but not its ledger, were converted by
    `columns_in_unit`. ``relative`` are the columns before the conversion.

    For several wavelengths it is computed from the columns. These do not distinguish light that
    edges absorb from light that was too weak to follow, so both get the same proportion as in
    relative power.
    """
    if factor is None:
        before = Ledger.from_columns(relative)
        at_edges = result.ledger.absorbed - before.absorbed
        share = min(max(at_edges / before.truncated, 0.0), 1.0) if before.truncated > 0 else 0.0
        after = Ledger.from_columns({name: getattr(result, name) for name in STORED})
        taken = share * after.truncated
        return replace(after, absorbed=after.absorbed + taken, truncated=after.truncated - taken)
    return replace(
        result.ledger, **{f.name: factor * getattr(result.ledger, f.name) for f in fields(Ledger)}
    )
