"""Saving and loading traces as npz files, which other programs can read too."""

import json
import zipfile
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from raybench.errors import ForeignError
from raybench.files.atomic import replace_file
from raybench.scene import POWER_UNITS, RELATIVE
from raybench.trace.codes import Completion, Interaction, Status
from raybench.trace.columns import STORED, default_rows
from raybench.trace.results.detectors import NONE_COUNTED
from raybench.trace.results.result import Ledger, TraceResult, TraceWarning

RELATIVE_POWER = "relative to the brightness of sources"
REQUIRED_ARRAYS = (
    "p1",
    "p2",
    "escaped",
    "power",
    "wavelength",
    "parent",
    "source_ray",
    "depth",
    "hit",
    "meta",
)
"""Required arrays; other programs write these too."""


class TraceFileError(ForeignError):
    """A file is not a trace, or is damaged."""


def save_npz(result: TraceResult, path: Path | str, unit: str = "mm") -> None:
    """Write a trace: arrays with one row per segment, and ``meta``, a JSON text with detector
    readings, truncation, status and warnings.

    Lengths are in ``unit``. `load_npz` restores everything except the scene and the
    readings, which rows and the scene tell. Raises FileWriteError.
    """
    meta = {
        "detectors": [asdict(d) for d in result.detectors],
        "truncation": result.ledger.truncated,
        "status": result.completion.text,
        "warnings": [w.text for w in result.warnings],
        "warning_objects": [w.index for w in result.warnings],
        "ledger": asdict(result.ledger),
        "milliseconds": result.milliseconds,
        "preparing_ms": result.preparing_ms,
        "revision": result.revision,
        "object_names": list(result.object_names),
        "interactions": list(Interaction.words()),
        "statuses": list(Status.words()),
        "units": {
            "length": unit,
            "power": RELATIVE_POWER if result.power_unit == RELATIVE else result.power_unit,
            "wavelength": "nm",
        },
        "full_power": result.full_power,
    }
    arrays: dict[str, NDArray[Any]] = {
        name: getattr(result, name) for name, c in STORED.items() if not (c.curved or c.polarized)
    }
    arrays["escaped"] = result.escaped
    if result.is_polarized:
        arrays |= {name: getattr(result, name) for name, c in STORED.items() if c.polarized}
    if len(result.counted):
        arrays["counted"] = result.counted
    arrays["wavelength"] = result.wavelength.astype(np.float32)
    if (arrays["wavelength"] != result.wavelength)[~np.isnan(result.wavelength)].any():
        arrays["wavelength_exact"] = result.wavelength
    if len(result.polyline) or not np.array_equal(result.end_power, result.power):
        arrays |= {name: getattr(result, name) for name, c in STORED.items() if c.curved} | {
            "polyline": result.polyline
        }
    with replace_file(path) as file:
        np.savez(file, meta=np.array(json.dumps(meta)), **arrays)  # type: ignore[arg-type]


def load_npz(path: Path | str) -> TraceResult:
    """Read a trace. Missing optional arrays get default values; the statuses, interactions and
    objects of the trace are then estimates.

    Raises TraceFileError with the file and the reason.
    """
    try:
        with Path(path).open("rb") as bytes_of_file:
            if not zipfile.is_zipfile(bytes_of_file):
                raise ValueError("it is not an npz file, or is truncated")
        with np.load(path, allow_pickle=False) as file:
            data = {name: file[name] for name in file.files}
    except (
        Exception
    ) as error:  # of the readers of zip and npy files, which raise many kinds where a byte is wrong
        raise TraceFileError(
            f"{path}: this cannot be read as a trace ({error}). Give an npz file that raybench"
            " trace wrote."
        ) from None
    missing = [name for name in REQUIRED_ARRAYS if name not in data]
    if missing:
        raise TraceFileError(
            f"{path}: this is not a trace, it has no {missing[0]}. Give an npz file that raybench"
            " trace wrote."
        )
    try:
        with np.errstate(invalid="raise", over="ignore"):  # NaN where an integer is expected
            return _result_from_arrays(data)
    except (
        TypeError,
        ValueError,
        LookupError,
        AttributeError,
        ArithmeticError,
        RecursionError,
    ) as error:
        raise TraceFileError(
            f"{path}: the trace is damaged: {error}. Trace the scene again."
        ) from None


def _result_from_arrays(data: dict[str, NDArray[Any]]) -> TraceResult:
    n = len(data["p1"])
    shapes = {"escaped": (n,)} | {k: (n, c.width) if c.width else (n,) for k, c in STORED.items()}
    for name in [name for name in shapes if name in data]:
        if data[name].shape != shapes[name]:
            raise ValueError(f"{name} has the shape {data[name].shape}, for {n} segments")
        if data[name].dtype.kind not in "biuf":
            raise ValueError(f"{name} does not hold real numbers")
    for name, column in STORED.items():
        if name in data and np.issubdtype(column.dtype, np.integer):
            ends = np.iinfo(column.dtype)
            if ((data[name] < ends.min) | (data[name] > ends.max)).any():
                raise ValueError(f"{name} has a number that is none of {ends.min} to {ends.max}")
    has_child = np.zeros(n + 1, bool)
    has_child[np.clip(data["parent"], -1, n - 1).astype(np.int64)] = True
    ended = np.where(
        data["escaped"], Status.ESCAPED, np.where(has_child[:n], Status.CONTINUED, Status.ALIVE)
    )
    defaults: dict[str, Any] = default_rows(n) | {
        "interaction": np.where(data["parent"] < 0, Interaction.SOURCE, Interaction.REFLECT),
        "status": ended,
        "end_power": data["power"],
    }
    data = data | ({"wavelength": data["wavelength_exact"]} if "wavelength_exact" in data else {})
    columns: dict[str, Any] = {
        name: np.asarray(data.get(name, defaults[name])).astype(c.dtype)
        for name, c in STORED.items()
    }
    polyline = np.asarray(data.get("polyline", np.zeros((0, 2))), np.float64)
    if ((columns["parent"] >= np.arange(n)) | (columns["parent"] < -1)).any():
        raise ValueError("a segment comes before its parent")
    first, count = columns["points"].astype(np.int64).T
    if (
        polyline.ndim != 2
        or polyline.shape[1] != 2
        or ((count > 0) & ((first < 0) | (first + count > len(polyline)))).any()
    ):
        raise ValueError("curved segments refer to missing points")
    for name, column in STORED.items():
        if column.vocabulary is not None and (columns[name] >= len(column.vocabulary)).any():
            raise ValueError(
                f"a code in {name} is not one of {', '.join(column.vocabulary.words())}"
            )
    counted = np.asarray(data.get("counted", NONE_COUNTED), np.int64)
    if (
        counted.ndim != 2
        or counted.shape[1] != 2
        or (counted[:, 0] >= n).any()
        or (counted < 0).any()
    ):
        raise ValueError("detectors count segments that do not exist")
    fields = _trace_fields_from_meta(json.loads(str(data["meta"][()])))
    return TraceResult(**columns, polyline=polyline, counted=counted, **fields)


def _trace_fields_from_meta(meta: dict[str, Any]) -> dict[str, Any]:
    """The fields of a `TraceResult` that are stored in the JSON object ``meta``."""
    texts = meta.get("warnings", [])
    power_unit = meta.get("units", {}).get("power")
    return {
        "warnings": tuple(
            TraceWarning(i, t)
            for i, t in zip(meta.get("warning_objects", [-1] * len(texts)), texts, strict=True)
        ),
        "ledger": Ledger(**meta.get("ledger", {"truncated": float(meta.get("truncation", 0.0))})),
        "completion": next(
            (c for c in Completion if c.text == meta.get("status")), Completion.COMPLETE
        ),
        "milliseconds": float(meta.get("milliseconds", 0.0)),
        "preparing_ms": float(meta.get("preparing_ms", 0.0)),
        "revision": int(meta.get("revision", 0)),
        "object_names": tuple(map(str, meta.get("object_names", ()))),
        "power_unit": power_unit if power_unit in POWER_UNITS else RELATIVE,
        "full_power": float(meta.get("full_power", 1.0)),
    }
