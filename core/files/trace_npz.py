"""Traces on disk as npz, for other programs to read."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from core.trace.result import TraceResult


def save_npz(result: TraceResult, path: Path) -> None:
    """Write a trace: one row a segment, and ``meta`` as JSON text with detectors, truncation, status and warnings."""
    meta = {
        "detectors": [
            {"power": d.power, "normal": d.normal, "shear": d.shear, "bins": None if d.bins is None else list(d.bins)}
            for d in result.detectors
        ],
        "truncation": result.ledger.truncated,
        "status": result.completion.text,
        "warnings": [w.text for w in result.warnings],
    }
    with path.open("wb") as file:
        np.savez(
            file,
            p1=result.p1,
            p2=result.p2,
            escaped=result.escaped,
            power=result.power,
            wavelength=result.wavelength.astype(np.float32),
            hit=result.hit,
            parent=result.parent,
            depth=result.depth,
            source_ray=result.source_ray,
            meta=np.array(json.dumps(meta)),
        )
