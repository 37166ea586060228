"""Questions about what rays carry and what happened to them, as functions from a result to the rows that answer."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.analysis.geometry.straight import Mask
from core.analysis.rays.ranges import check_range
from core.analysis.rays.ray_filter import ROUNDING
from core.errors import RaybenchError, in_quotes
from core.optics.polarization import degree_of_polarization as degree_of_polarization
from core.optics.polarization import polarization_ratio as polarization_ratio
from core.trace.codes import Flag, Interaction, Status, Word
from core.trace.results.result import RaySet, TraceResult


class UnknownWord(RaybenchError):
    """A word that names no interaction or no status."""


def all_rays(result: TraceResult) -> RaySet:
    """Every segment."""
    return RaySet(np.arange(len(result)), "all rays", result.revision)


def rays_by_polarization(result: TraceResult, low: float, high: float) -> RaySet:
    """The segments whose degree of polarisation lies between two bounds, both included."""
    check_range(low, high, ("min_dop", "max_dop"), "degree of polarisation", most=1.0)
    dop = degree_of_polarization(result.power)
    return _answer(result, (dop >= low) & (dop <= high), f"rays with a degree of polarisation from {low:g} to {high:g}")


def rays_by_polarization_ratio(result: TraceResult, low: float, high: float = math.inf) -> RaySet:
    """The segments whose ratio of p to s power lies between two bounds, both included; it is infinite where there is no s power."""
    check_range(low, high, ("min_ratio", "max_ratio"), "p over s power")
    ratio = polarization_ratio(result.power)
    return _answer(result, (ratio >= low) & (ratio <= high), f"rays with p over s power from {low:g} to {high:g}")


def rays_by_power(result: TraceResult, low: float, high: float = math.inf) -> RaySet:
    """The segments that start with a power, of both polarisations together, between two bounds, both included."""
    check_range(low, high, ("min_power", "max_power"), "power, relative to the brightness of sources")
    power = result.total_power
    return _answer(result, (power >= low) & (power <= high), f"rays with a power from {low:g} to {high:g}")


def rays_by_wavelength(result: TraceResult, low: float, high: float) -> RaySet:
    """The segments whose wavelength lies between two bounds in nm, both included; none in a scene without colours."""
    check_range(low, high, ("min_wavelength", "max_wavelength"), "nm")
    nm = result.wavelength
    room = ROUNDING * np.nan_to_num(nm)
    return _answer(result, (nm >= low - room) & (nm <= high + room), f"rays of {low:g} nm to {high:g} nm")


def rays_by_length(result: TraceResult, low: float, high: float = math.inf) -> RaySet:
    """The segments whose length in scene units, along the path, lies between two bounds, both included; escaping rays are endless."""
    check_range(low, high, ("min_length", "max_length"), "scene units")
    return _answer(result, (result.length >= low) & (result.length <= high), f"rays with a length from {low:g} to {high:g}")


def rays_by_depth(result: TraceResult, low: int, high: float = math.inf) -> RaySet:
    """The segments that come after a number of interactions between two bounds, both included; rays from sources come after none."""
    check_range(low, high, ("min_depth", "max_depth"), "interactions before the ray")
    return _answer(result, (result.depth >= low) & (result.depth <= high), f"rays after {low:g} to {high:g} interactions")


def rays_by_interaction(result: TraceResult, *words: str) -> RaySet:
    """The segments that came to be in one of the ways named, such as ``tir``; see `core.trace.codes.Interaction`."""
    return _answer(result, _coded(result.interaction, Interaction, words, "interaction"), f"rays from {' or '.join(words)}")


def rays_by_status(result: TraceResult, *words: str) -> RaySet:
    """The segments that ended in one of the ways named, such as ``escaped``; see `core.trace.codes.Status`."""
    return _answer(result, _coded(result.status, Status, words, "status"), f"rays that end {' or '.join(words)}")


def rays_from_source(result: TraceResult, source: int, title: str = "") -> RaySet:
    """All segments of the light of a source, given by its index among the optical objects."""
    return _answer(result, result.source == source, f"rays from {in_quotes(title or _name(result, source))}")


def rays_hitting(result: TraceResult, obj: int, edge: int | None = None, title: str = "") -> RaySet:
    """The segments that end on an optical object, given by its index, or on one of its edges. What a detector counts are those that hit
    it and were not cut there."""
    mask = result.hit == obj
    if edge is not None:
        mask &= result.edge == edge
    return _answer(
        result, mask, f"rays hitting {in_quotes(title or _name(result, obj))}" + (f" at edge {edge}" if edge is not None else "")
    )


def totally_reflected(result: TraceResult) -> RaySet:
    """The segments that start with a total reflection."""
    return _answer(result, result.interaction == Interaction.TIR, "totally reflected rays")


def meeting_total_reflection(result: TraceResult) -> RaySet:
    """The segments that are totally reflected at their end."""
    return _answer(result, (result.flags & Flag.CAUSES_TIR) != 0, "rays that are totally reflected at their end")


def meeting_grazing(result: TraceResult) -> RaySet:
    """The segments that meet a surface within 5° of its critical angle, or of 90° where it has none.

    `core.analysis.rays.incidence` takes other widths.
    """
    return _answer(result, (result.flags & Flag.CAUSES_GRAZING) != 0, "rays that meet a surface at grazing incidence")


def word_of(code: Word) -> str:
    """A code's word, such as ``ill_defined``."""
    return code.word


def _coded(column: NDArray[np.uint8], kind: type[Word], words: Sequence[str], what: str) -> Mask:
    codes = [kind.parse(word) for word in words]
    unknown = [word for word, code in zip(words, codes, strict=True) if code is None]
    if unknown or not words:
        raise UnknownWord((f"No {what} {unknown[0]!r}. " if unknown else "") + f"Give one or more of {list(kind.words())}.")
    return np.isin(column, np.array(codes, np.uint8))


def _name(result: TraceResult, index: int) -> str:
    return result.object_names[index] if 0 <= index < len(result.object_names) else str(index)


def _answer(result: TraceResult, mask: Mask, question: str) -> RaySet:
    return RaySet(np.flatnonzero(mask), question, result.revision)
