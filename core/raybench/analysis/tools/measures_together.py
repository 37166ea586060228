"""Phrases that ask for several measures of the same objects: the spot on the screen, is the beam
collimated.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

TOGETHER: Mapping[tuple[str, ...], tuple[str, ...]] = MappingProxyType(
    {
        ("splitting_ratio", "transmittance", "reflectance"): (
            "(splitting|split|splitter) ratio of {object}",
            "how does {object} (split|divide) [the] (light|power|beam)",
        ),
        ("crossing_x", "crossing_y"): (
            (
                "where do [the] [(beams|rays|light)] [(of|from|leaving)] {first} and {second}"
                " (cross|intersect|meet)"
            ),
            "where does {first} (cross|intersect) {second}",
            (
                "(crossing point|intersection|intersection point|point of intersection|crossing)"
                " (of|between) [the] [(beams|rays|light)] [(of|from|leaving)] {first} and {second}"
            ),
            "do [the] [(beams|rays)] [(of|from|leaving)] {first} and {second} (cross|intersect)",
        ),
        ("beam_x", "beam_y"): (
            (
                "where does [the] (light|beam|ray|{source}) (leave|exit|emerge from|come out of|get"
                " out of) {object}"
            ),
            (
                "(at|in) (which|what) (point|place|position) does [the] (light|beam|ray|{source})"
                " (leave|exit|come out of) {object}"
            ),
            "(exit point|point of exit) (of|from|at) {object}",
        ),
        ("centroid", "diameter"): (
            (
                "is [the] (spot|beam|light|{source}) (centred|centered|in the"
                " (middle|centre|center)) (on|of|at) {line}"
            ),
            "does [the] (light|beam|ray|{source}) hit the (middle|centre|center) of {line}",
            "how far is [the] (spot|beam|light|{source}) from the (middle|centre|center) of {line}",
            (
                "how far from the (middle|centre|center) of {line} (is|does) [the]"
                " (spot|beam|light|{source}) [hit]"
            ),
        ),
        ("horizontal_size", "vertical_size"): (
            "how (large|big) is {object}",
            "(size|dimensions|extent|width) of {object}",
        ),
        ("power", "share"): (
            "how much power <reaches> {object}",
            "<how much> <reaches> {object}",
            "<light> [that] <reaches> {object}",
            "how much <light> (is|is there|arrives) (at|on) {object}",
            "how much <light> does {object} (get|receive|collect|see)",
            "does all [<light>] [(of|from)] {source} <reaches> {object}",
            "does all <light> <reaches> {object}",
        ),
        ("transmitted", "transmittance"): (
            (
                "<share> of {source} (that passes|passes|gets through|goes through|passes"
                " through|is transmitted by) {object}"
            ),
        ),
        ("nominal_focal_length", "focal_length"): (
            "[effective] focal (length|distance) <of> {object}",
            "efl <of> {object}",
            (
                "is {object} (converging|diverging|positive|negative) [or"
                " (converging|diverging|positive|negative)]"
            ),
            "does {object} (converge|diverge) [the] [(light|rays|beam)]",
        ),
        ("front_principal_plane", "rear_principal_plane"): (
            "where are the principal (planes|points) <of> {object}",
            "principal (planes|points) <of> {object}",
        ),
        ("object_distance", "focus"): ("[free] working distance <of> {object}",),
        ("front_focal_length", "back_focal_length"): (
            "where are the focal points <of> {object}",
            "focal points <of> {object}",
            "front and back focal (lengths|distances) <of> {object}",
        ),
        (
            "nominal_focal_length",
            "front_focal_length",
            "back_focal_length",
            "front_principal_plane",
            "rear_principal_plane",
        ): ("(cardinal points|cardinal planes|gaussian data|first-order data) <of> {object}",),
        ("arriving_width", "beam_width"): (
            "(beam width|width of the beam|beam diameter) before and (after|behind) {object}",
        ),
        ("rms", "width"): ("(spot|spot size|size of the (spot|light)) (at|on|of) {line}",),
        ("spot_rms", "spot_width", "focus"): (
            "(spot|spot size|size of the (spot|light)) (behind|after|from) {object}",
            "(spot|spot size) (in|at) the [best] (focus|focal point) [<of> {object}]",
            (
                "how (wide|large|big|small) is the (spot|beam|light) (in|at) the [best]"
                " (focus|focal point) [<of> {object}]"
            ),
        ),
        ("focus", "focus_x", "focus_y", "spot_rms"): (
            (
                "where (does|do|is) [light (of|from)] {source} [come to a] (focus|focused|converge)"
                " [(behind|after|by|of) {object}]"
            ),
            (
                "(where is|where|how far is|how far) [the] [best] focus (of|behind|after|from|for)"
                " {object}"
            ),
            "best focus [(of|behind|after|from|for) {object}]",
            "focus (of|behind|after|from|for) {object}",
            "focal (point|spot) [<of> {object}]",
        ),
        ("vergence", "divergence"): (
            "is the (light|beam) (leaving|after|behind|from) {object} (collimated|parallel)",
            "is the (light|beam) (collimated|parallel) (leaving|after|behind) {object}",
            (
                "how (well|far) [is] [the] (light|beam) (leaving|after|behind|from) {object} [is]"
                " (collimated|parallel)"
            ),
            (
                "(is|are) the (outgoing|outcoming|exiting|emerging|output) (light|beam|rays)"
                " (collimated|parallel) [(after|behind|of|from) {object}]"
            ),
            (
                "is the (outgoing|outcoming|exiting|emerging|output) (light|beam)"
                " (of|after|behind|from) {object} (collimated|parallel)"
            ),
            "(is|are) [the] (light|beam|rays) (collimated|parallel) [after {object}]",
            (
                "is the (light|beam) (leaving|after|behind|from) {object}"
                " (converging|diverging|convergent|divergent) [or"
                " (converging|diverging|convergent|divergent|parallel)]"
            ),
            "does the (light|beam) (converge|diverge) (after|behind) {object}",
            "does {object} (collimate|focus) [the] [light|beam|rays]",
            "(is|are) [the] (light|beam|rays) collimated by {object}",
        ),
        ("absorbed", "reflected"): (
            "[power] loss[es] (in|at|by|of) {object}",
            "<how much> (is|gets) lost (in|at|by|on|inside) {object}",
        ),
        (
            "absorbed",
            "reflected",
            "transmitted",
        ): (  # a mirror absorbs nothing, and stops light all the same
            "<how much> (is|gets) (stopped|blocked) (by|in|at|on|inside) {object}",
            "<how much> does {object} (stop|block)",
        ),
        ("absorbed", "share"): (
            "<share> of the <light> (is|gets) (stopped|blocked|absorbed) (by|in|at|on) {object}",
            "<share> of the <light> does {object} (stop|block|absorb)",
        ),
        ("incidence", "largest_incidence"): (
            (
                "(is|are) [the] (light|beam|rays|it|{source}) [incident] (at|under)"
                " (normal|perpendicular) incidence (on|at|to) {object}"
            ),
            (
                "(does|do) [the] (light|beam|rays|it|{source}) (hit|meet|reach|strike|enter|arrive"
                " at|fall on) {object} (at|under) (normal|perpendicular) incidence"
            ),
            "is {object} [hit] (at|under) (normal|perpendicular) incidence",
            "(is|are) [the] (light|beam|rays) (normal|perpendicular) (to|on) {object}",
        ),
        ("deviation", "minimum_deviation"): ("is {object} at [the] [angle of] minimum deviation",),
        ("centre_x", "centre_y"): (
            "where is [the] [(centre|center|middle) of] {object}",
            "(place|position|coordinates|location) of [the] [(centre|center|middle) of] {object}",
        ),
        ("distance", "gap"): (
            "how far is {first} from {second}",
            "how far [away] (is|are) {first} [away] from {second}",
            "how far apart (are|is) {first} and {second}",
            "how (close|near) is {first} to {second}",
            "(distance|separation|spacing) (between|of) {first} and {second}",
            "distance (from|of) {first} (to|from) {second}",
        ),
        ("escaped_between", "escaped_share"): (
            "how much power escapes between {first} and {second}",
            "<how much> (escapes|leaks|gets) [out] between {first} and {second}",
            "what (escapes|leaks|gets out) between {first} and {second}",
        ),
        ("emitted", "escaped", "absorbed", "truncated"): (
            "<light> (balance|budget)",
            "<share> (is|gets) lost",
        ),
        ("reflections", "most_reflections"): (
            (
                "how (many times|often) (is|gets) (light|it|a ray|a single ray|one ray|each ray)"
                " [(of|from) {source}] reflected"
            ),
            "how (many times|often) (is|gets) {source} reflected",
        ),
        ("total_reflections", "most_total_reflections"): (
            (
                "how (many times|often) is (light|it|a ray|a single ray|one ray|each ray) totally"
                " [internally] reflected [<in> {object}]"
            ),
        ),
        ("inner_reflections", "most_inner_reflections"): (
            (
                "how (many times|often) (does|do|is|are) (light|it|a ray|rays|ray)"
                " (bounce|bounced|reflect|reflected) (in|inside|within) {object}"
            ),
            (
                "how (many times|often) (does|is) {source} (bounce|bounced|reflect|reflected)"
                " (in|inside|within) {object}"
            ),
            (
                "how many [internal] (bounces|reflections) (does|do) (light|it|a"
                " ray|rays|ray|{source}) (make|have|undergo|suffer) (in|inside|within) {object}"
            ),
        ),
    }
)
"""The phrases by measures."""
