"""The tool ``find_glass``, which finds materials of the catalogue, with the coefficients of their
refractive index.
"""

from collections.abc import Mapping
from typing import Any

from raybench.agent.call.context import ToolContext, tool_context
from raybench.analysis.answers.page import check_count
from raybench.analysis.answers.words import value_in_words
from raybench.errors import RaybenchError
from raybench.materials.catalogue import material_named, nearest_materials, search_materials
from raybench.materials.dispersion import OutsideRange, fit_cauchy_formula
from raybench.materials.material import Material
from raybench.scene.materials import wavelengths_for_cauchy_fit

MAX_RESULTS = 20


def _describe_call(arguments: Mapping[str, Any]) -> str:
    wanted = (
        [arguments["name"]]
        if arguments.get("name")
        else [
            f"{key} {value_in_words(arguments[key])}"
            for key in ("n_d", "v_d")
            if arguments.get(key) is not None
        ]
    )
    return (
        f"find glass {' and '.join([*wanted, *filter(None, [arguments.get('family')])])}".rstrip()
    )


@tool_context(
    offered="usually",
    brief=(
        "Find materials by the beginning of a name, near an index n_d and an Abbe number v_d, or of "
        "a family (glass, crystal, liquid, gas, plastic, metal)."
    ),
    effect="read",
    expose="both",
    asks=_describe_call,
    needs="nothing",
)
def find_glass(
    ctx: ToolContext,
    name: str = "",
    n_d: float | None = None,
    v_d: float | None = None,
    family: str = "",
    limit: int = 5,
    offset: int = 0,
) -> list[dict[str, Any]]:
    """
    Find glasses, crystals, liquids, plastics and metals by name, or by index and Abbe number.

    For each: n_d and v_d; refIndex and cauchyB, which give its index at the wavelengths of the
    scene's sources by n = A + B / λ², with the largest error; absorption per mm where it is known,
    which traced light loses; the range of its data in nm, and the source of the numbers. Give one
    to an object with change_scene: {"material": "Lens", "name": "N-BK7"}, which is exact at every
    wavelength, or {"material": "Lens", "nearest": true}.

    Args:
        name: All or the beginning of a name, such as N-BK7 or water.
        n_d: Refractive index at 587.6 nm to come near to; with v_d the nearest on the glass map.
        v_d: Abbe number to come near to.
        family: glass, crystal, liquid, gas, plastic or metal; all without it.
        limit: How many, at most 20.
        offset: How many of those found to skip.
    """
    check_count("limit", limit, most=MAX_RESULTS)
    check_count("offset", offset, least=0, most=None)
    most = offset + limit
    if (n_d is None) != (v_d is None):
        raise RaybenchError("Give both n_d and v_d, or neither.")
    if n_d is not None and v_d is not None:
        chosen = search_materials(name, family)
        found = nearest_materials(n_d, v_d, chosen, most=most, families={m.family for m in chosen})
    else:
        built_in = search_materials(name, family)
        named = any(m.name.casefold() == name.casefold() for m in built_in)
        found = built_in if named else search_materials(name, family, of_database=most)
    if not found and name and not family:
        found = (material_named(name),)  # raises with the nearest names
    waves = wavelengths_for_cauchy_fit(ctx.document.scene)
    return [_glass_record(material, waves) for material in found[offset:most]]


def _glass_record(material: Material, waves: tuple[float, ...]) -> dict[str, Any]:
    data = material.dispersion
    about: dict[str, Any] = {
        "name": material.name,
        "family": material.family,
        "n_d": material.n_d,
        "v_d": material.v_d,
    }
    try:
        fit = fit_cauchy_formula(data, waves)
        about |= {"refIndex": fit.a, "cauchyB": fit.b, "largest_error": fit.error}
    except OutsideRange as error:
        about["problem"] = str(error)
    if material.extinction:
        about["absorption_per_mm"] = float(material.absorption(waves[len(waves) // 2]))
    return about | {"from_nm": data.low, "to_nm": data.high, "source": material.source}
