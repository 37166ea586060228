"""The tool ``find_coating``, which finds coatings of the catalogue by what they reflect or
transmit.
"""

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from raybench.agent.call.context import ToolContext, tool_context
from raybench.analysis.answers.page import check_count
from raybench.analysis.answers.words import value_in_words
from raybench.errors import RaybenchError
from raybench.optics.interface import check_angle
from raybench.scene.coatings import SUBSTRATE_INDEX, coating_catalogue

Order = Literal["least reflected", "most reflected", "least absorbed", "most transmitted"]
MAX_RESULTS = 30


def _describe_call(arguments: Mapping[str, Any]) -> str:
    at = f" at {value_in_words(arguments['wavelength'])} nm" if arguments.get("wavelength") else ""
    return (
        f"find coating {arguments.get('name') or arguments.get('order') or 'least reflected'}{at}"
    )


@tool_context(
    offered="on demand", effect="read", expose="both", asks=_describe_call, needs="nothing"
)
def find_coating(
    ctx: ToolContext,
    name: str = "",
    wavelength: float = 550.0,
    angle: float = 0.0,
    index: float = SUBSTRATE_INDEX,
    order: Order = "least reflected",
    limit: int = 8,
    offset: int = 0,
) -> list[dict[str, Any]]:
    """
    Find coatings of the catalogue by what they reflect, transmit and absorb.

    For each: R_s, R_p, T_s, T_p (fractions of power), the absorbed fraction of unpolarized light,
    what it is made of and its source. change_scene gives one to an edge: {"coat": "Lens", "edge":
    "W", "coating": "V-coat 633"}; edge_light says what edges of the scene reflect.

    Args:
        name: A part of its name, such as antireflection; empty for all.
        wavelength: In nm.
        angle: Angle of incidence outside, degrees.
        index: Index of the body that is coated; air is outside.
        order: What comes first.
        limit: How many, at most 30.
        offset: How many of those found to skip.
    """
    from raybench.analysis.coated_face import CoatedFace

    check_count("limit", limit, most=MAX_RESULTS)
    check_count("offset", offset, least=0, most=None)
    check_angle(angle)
    if not (index > 0 and wavelength > 0):
        raise RaybenchError("index and wavelength are numbers above 0.")
    found = []
    for known, (coating, source) in coating_catalogue().items():
        if name.casefold() not in known.casefold():
            continue
        face = CoatedFace(coating, n_in=index)
        values = face.fractions(np.array([wavelength]), np.array([angle]))[0, 0]
        if np.isfinite(values).all():
            r_s, r_p, t_s, t_p, lost = values.tolist()
            about = {
                "name": known,
                "R_s": r_s,
                "R_p": r_p,
                "T_s": t_s,
                "T_p": t_p,
                "absorbed": lost,
            }
            found.append(about | {"made of": coating.description, "source": source})
    if not found:
        names = ", ".join(coating_catalogue())
        raise RaybenchError(f"No coating has {name!r} in its name and values there: {names}.")
    keys = {
        "least reflected": lambda c: c["R_s"] + c["R_p"],
        "most reflected": lambda c: -c["R_s"] - c["R_p"],
        "least absorbed": lambda c: c["absorbed"],
        "most transmitted": lambda c: -c["T_s"] - c["T_p"],
    }
    return sorted(found, key=keys[order])[offset : offset + limit]
