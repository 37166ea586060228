"""Refraction by a prism (Hecht, section 5.5.1; Born & Wolf, section 4.7.2). All angles in degrees."""

from __future__ import annotations

import math

from core.optics.interface import InvalidOptics, check_angle, check_index


def deviation(n: float, apex: float, angle: float) -> float:
    """The deviation by a prism of relative index ``n`` and apex angle ``apex`` of a ray incident on its first face at ``angle``.

    The angle is from the face's normal, positive on the side away from the apex, from -90 to 90. Raises InvalidOptics if the ray is
    totally reflected at the second face, or at the first one (n below 1).
    """
    _check_prism(n, apex)
    check_angle("angle", abs(angle) if isinstance(angle, int | float) else angle)
    inner = math.sin(math.radians(angle)) / n
    if abs(inner) > 1:
        raise InvalidOptics(f"angle is {angle:g}°: a ray is totally reflected at the first face. Use a smaller angle.")
    leaving = n * math.sin(math.radians(apex) - math.asin(inner))
    if abs(leaving) > 1:
        raise InvalidOptics(f"angle is {angle:g}°: a ray is totally reflected at the second face of a {apex:g}° prism. Use another angle.")
    return angle + math.degrees(math.asin(leaving)) - apex


def minimum_deviation(n: float, apex: float) -> float:
    """The minimum deviation by a prism, that of symmetric passage. Raises InvalidOptics if no ray passes symmetrically."""
    _check_prism(n, apex)
    sine = n * math.sin(math.radians(apex / 2))
    if sine > 1:
        raise InvalidOptics(f"No ray passes a prism of {apex:g}° and index {n:g} symmetrically. Use a smaller apex angle or index.")
    return 2 * math.degrees(math.asin(sine)) - apex


def index_from_deviation(apex: float, least: float) -> float:
    """The relative index of a prism from its apex angle and its minimum deviation ``least``."""
    _check_prism(1.0, apex)
    check_angle("least", least, 180 - apex)
    return math.sin(math.radians((apex + least) / 2)) / math.sin(math.radians(apex / 2))


def _check_prism(n: float, apex: float) -> None:
    check_index("n", n)
    if n < 0:
        raise InvalidOptics(f"n is {n:g}; a prism's index is above 0.")
    check_angle("apex", apex, 180.0)
    if apex in (0, 180):
        raise InvalidOptics(f"apex is {apex:g}; an apex angle is between 0 and 180 degrees.")
