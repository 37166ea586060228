"""Materials as JSON, in the catalogue and in documents: wavelengths in µm, as in the literature."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from raybench.materials.assigned import AssignedMaterial
from raybench.materials.dispersion import Dispersion
from raybench.materials.material import Material

MICROMETRE = 1000.0
DIGITS = 12
"""Decimals of a wavelength in µm: enough to read back the same number of nm."""


def material_from_json(row: Mapping[str, Any]) -> Material:
    """Decode a material. Raises KeyError, TypeError or ValueError where its form is wrong,
    InvalidDispersion where its formula is.
    """
    low, high = (MICROMETRE * float(w) for w in row.get("range", (0.0, float("inf"))))
    coefficients = (
        [v for pair in row["index"] for v in pair]
        if row["formula"] == "tabulated"
        else row["coefficients"]
    )
    extinction = tuple((MICROMETRE * float(w), float(k)) for w, k in row.get("extinction", ()))
    name, family, source = (str(row[key]) for key in ("name", "family", "source"))
    return Material(
        name,
        family,
        source,
        Dispersion(row["formula"], tuple(map(float, coefficients)), low, high),
        extinction,
    )


def material_to_json(material: Material) -> dict[str, Any]:
    """Encode a material; `material_from_json` gives an equal one."""
    data = material.dispersion
    numbers = list(data.coefficients)
    out: dict[str, Any] = {
        "name": material.name,
        "family": material.family,
        "source": material.source,
        "formula": data.formula,
    }
    if data.formula == "tabulated":
        out["index"] = [list(pair) for pair in zip(numbers[::2], numbers[1::2], strict=True)]
    else:
        out["coefficients"] = numbers
    if data.high < float("inf"):
        out["range"] = [_micrometres(data.low), _micrometres(data.high)]
    if material.extinction:
        out["extinction"] = [[_micrometres(w), k] for w, k in material.extinction]
    return out


def assigned_from_json(row: Mapping[str, Any]) -> AssignedMaterial:
    """Decode a material with its fit. Raises as `material_from_json`."""
    return AssignedMaterial(material_from_json(row), float(row["refIndex"]), float(row["cauchyB"]))


def assigned_to_json(own: AssignedMaterial) -> dict[str, Any]:
    """Encode a material with its fit."""
    return {**material_to_json(own.material), "refIndex": own.a, "cauchyB": own.b}


def _micrometres(nm: float) -> float:
    return round(nm / MICROMETRE, DIGITS)
