"""The numerical tolerances that a scene file may set (``numericalTolerances``). Each is checked
separately; an invalid tolerance is replaced by its default.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from raybench.errors import elide_text, in_quotes
from raybench.kinds.fields import as_number, described_fields, number

ENTRY_NAME = "numericalTolerances"


@dataclass(frozen=True, kw_only=True)
class NumericalTolerances:
    """Numerical tolerances of a trace. Distances are relative to the scene's length scale. The
    defaults are those of the file format.
    """

    curve_endpoint: float = number(
        0.0,
        "Curve ends",
        low=0.0,
        high=1.0,
        help="How far lines and arcs are extended at their ends.",
    )
    interaction_merging: float = number(
        1e-6, "Merging", low=0.0, high=1.0, help="Surfaces closer than this act on a ray together."
    )
    interaction_normal: float = number(
        1e-6,
        "Normals",
        unit="rad",
        low=0.0,
        high=math.pi,
        help="Kept for other programs; surfaces merge at any angle.",
        unused=True,
    )
    forward_distance: float = number(
        1e-6, "Shortest segment", low=1e-12, high=1.0,
        help="A ray does not hit the surface that it starts on again within this distance, nor within that of merging.",
    )  # fmt: skip
    ray_power_cutoff: float = number(
        1e-6,
        "Least power",
        low=0.0,
        help="Weaker rays are not followed in colour modes other than default; 0 follows all.",
    )


def read_tolerances(given: Any) -> NumericalTolerances:
    """Read the tolerances from the JSON of a scene. A missing or invalid tolerance gets its
    default.
    """
    if not isinstance(given, Mapping):
        return NumericalTolerances()
    usable = (
        (f, as_number(given[f.json_name]))
        for f in described_fields(NumericalTolerances)
        if f.json_name in given
    )
    return NumericalTolerances(
        **{
            f.name: value
            for f, value in usable
            if value is not None and _is_tolerance_in_range(f.about, value)
        }
    )


def tolerance_faults(given: Any) -> Iterator[str]:
    """Yield a sentence for each invalid entry in the JSON of a scene's tolerances."""
    if given is None:
        return
    if not isinstance(given, Mapping):
        yield (
            f"Setting '{ENTRY_NAME}' must be a JSON object such as {{\"rayPowerCutoff\": 1e-6}}; it"
            " is kept but has no effect."
        )
        return
    fields = {f.json_name: f for f in described_fields(NumericalTolerances)}
    for name, value in given.items():
        f = fields.get(name)
        if f is None:
            yield f"Unknown setting {in_quotes(f'{ENTRY_NAME}.{name}')} is kept but has no effect."
            continue
        low, high, number_given = f.about.low, f.about.high, as_number(value)
        if number_given is None or not _is_tolerance_in_range(f.about, number_given):
            limits = f"from {low:g} to {high:g}" if high is not None else f"of at least {low:g}"
            yield (
                f"Setting '{ENTRY_NAME}.{name}' must be a number {limits};"
                f" {elide_text(str(value), 40)} is kept but has no effect. Give such a number, or"
                f" remove it for {f.default:g}."
            )


def _is_tolerance_in_range(about: Any, value: float) -> bool:
    return (about.low is None or value >= about.low) and (about.high is None or value <= about.high)


def tolerances_with_defaults(given: Any) -> dict[str, Any]:
    """The JSON of tolerances with all defaults added, so that each tolerance can be set
    separately.
    """
    return {f.json_name: f.default for f in described_fields(NumericalTolerances)} | dict(
        given if isinstance(given, Mapping) else {}
    )


def tolerances_without_defaults(whole: Any, given: Any) -> Any:
    """The JSON of tolerances without default values, except those stated in ``given``. None if
    nothing remains.
    """
    if not isinstance(whole, Mapping):
        return whole
    stated, defaults = given if isinstance(given, Mapping) else {}, tolerances_with_defaults(None)
    return {
        k: v for k, v in whole.items() if k in stated or k not in defaults or v != defaults[k]
    } or None
