"""Upgrading scenes of older versions of the format to version 5.

Files of 2011 to 2014 have no version and abbreviated keys; versions 1 and 2 followed; 3 and 4 were
never released. Properties without an equivalent in version 5 are kept under their old name, so that
they are reported as problems; only internal data of old programs is removed.
"""

import json
from collections.abc import Mapping
from typing import Any

from raybench.errors import SceneFileError, elide_text
from raybench.kinds.fields import described_fields
from raybench.kinds.kinds import KINDS
from raybench.scene.settings import Settings

VERSION = 5

SHORT_WORDS: Mapping[str, Any] = {
    "point": 1, "xxa": 1, "aH": 1, "circle": 5, "xxf": 5,
    "k": "objs", "L": "p1", "G": "p2", "F": "p3", "bA": "exist", "av": "notDone", "bP": "lightAlpha",
    "aa": "parallel", "ba": "mirror", "bv": "lens",
    "ab": "observer", "observed_light": "observer", "observed_images": "observer",
}  # fmt: skip
"""Abbreviations in files without a version, used as keys and as texts, with their later names; for
shapes these are numbers.
"""

RENAMED_SETTINGS = {
    "rayDensity_light": "rayModeDensity",
    "rayDensity_images": "imageModeDensity",
    "grid": "snapToGrid",
    "lockobjs": "lockObjs",
    "colorMode": "simulateColors",
    "symbolicGrin": "symbolicBodyMerging",
}
RENAMED_MODES = {"light": "rays", "extended_light": "extended"}

_FILTER = {"isDichroic": "filter", "isDichroicFilter": "invert"}
_GLASS = {"p": "refIndex", "cauchyCoeff": "cauchyB"}
_GRIN = {"p_tex": "refIndexFn", "step_size": "stepSize", "eps": "intersectTol"}
_TEXT = {
    "p": "text",
    "fontName": "font",
    "fontAlignment": "alignment",
    "fontSmallCaps": "smallCaps",
    "fontAngle": "angle",
}

OLD_KINDS: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "laser": ("SingleRay", {"p": "brightness"}),
    "parallel": ("Beam", {"p": "brightness", "divergence": "emisAngle"}),
    "radiant": ("PointSource", {"p": "brightness"}),
    "led": ("AngleSource", {"p": "emisAngle"}),
    "mirror": ("Mirror", _FILTER),
    "arcmirror": ("ArcMirror", _FILTER),
    "parabolicmirror": ("ParabolicMirror", _FILTER),
    "curvedmirror": ("CustomMirror", _FILTER | {"p": "eqn"}),
    "idealmirror": ("IdealMirror", _FILTER | {"p": "focalLength"}),
    "beamsplitter": ("BeamSplitter", _FILTER | {"p": "transRatio"}),
    "halfplane": ("PlaneGlass", _GLASS),
    "circlelens": ("CircleGlass", _GLASS),
    "refractor": ("Glass", _GLASS),
    "curvedglass": ("CustomGlass", _GLASS),
    "sphericallens": ("SphericalLens", _GLASS | {"definedBy": "defBy"}),
    "lens": ("IdealLens", {"p": "focalLength"}),
    "grin_circlelens": ("CircleGrinGlass", _GRIN),
    "grin_refractor": ("GrinGlass", _GRIN),
    "blackline": ("Blocker", _FILTER),
    "blackcircle": ("CircleBlocker", _FILTER),
    "aperture": ("Aperture", _FILTER),
    "diffractiongrating": (
        "DiffractionGrating",
        {"line_density": "lineDensity", "slit_ratio": "slitRatio"},
    ),
    "ruler": ("Ruler", {"p": "scaleInterval"}),
    "protractor": ("Protractor", {}),
    "power": ("Detector", {"irradianceMap": "irradMap"}),
    "text": ("TextLabel", _TEXT),
    "line": ("LineArrow", {"arrow1": "arrow", "arrow2": "backArrow"}),
    "drawing": ("Drawing", {"points": "strokes"}),
    "handle": ("Handle", {}),
    "cropbox": ("CropBox", {}),
}
"""Kinds of versions 1 and 2: the current name of each, and the current names of renamed properties.
"""

_INNER = {"targetObj_index": "targetObjIndex", "mousePart": "dragContext"}
_INTERNAL = frozenset({"exist", "byHandle"})
"""Keys of internal data of the old programs."""


def upgrade_scene(data: Any) -> Any:
    """Convert the JSON of a scene of any known version to version 5; a value that is not a scene is
    returned unchanged.

    A list of objects is converted as the objects of a scene, as in files of 2011. A scene without a
    version is read as version 5 if its objects have names of version 5, since it was written by
    hand. Raises SceneFileError if the version is unknown.
    """
    if isinstance(data, list) and any(isinstance(o, dict) for o in data):
        data = {"objs": data}
    if not isinstance(data, dict):
        return data
    version = data.get("version")
    # what has neither is of another program, which may write a version too
    if "objs" not in data and "k" not in data and not ("version" in data and data.keys() <= _OWN):
        raise SceneFileError(
            "this JSON is not a scene: it has no 'objs'. Name a scene, or put its objects into 'objs'."
        )
    if "version" not in data:
        objs = data.get("objs")
        types = (
            [o.get("type") for o in objs if isinstance(o, dict)] if isinstance(objs, list) else []
        )
        current = any(isinstance(each, str) and each in _CURRENT_KINDS for each in types)
        version = VERSION if current else 0
    elif (
        isinstance(version, bool)
        or not isinstance(version, int | float)
        or version not in range(1, VERSION + 1)
    ):
        raise SceneFileError(_unsupported_version_text(version))
    if version == VERSION:
        return data
    try:
        if version == 0:
            data = {
                "mode": "light",
                "rayDensity_light": 1,
                "rayDensity_images": 1,
                "scale": 1,
            } | _expand_short_words(data)
        if version <= 1:
            data = data | {"origin": {"x": 0, "y": 0}}
        # versions 3 and 4 are unknown, so treated as 2: current names are unchanged, and unknown
        # ones are reported as problems
        return _upgrade_from_version_2(data)
    except RecursionError:
        raise SceneFileError("this JSON is nested too deeply for a scene.") from None


_OWN = frozenset(
    {
        "version",
        "name",
        "modules",
        *RENAMED_SETTINGS,
        *(f.json_name for f in described_fields(Settings)),
    }
)
_CURRENT_KINDS = frozenset(KINDS) | {kind for kind, _ in OLD_KINDS.values()}


def _unsupported_version_text(version: Any) -> str:
    written = elide_text(json.dumps(version), 60)
    if isinstance(version, int | float) and version > VERSION:
        return (
            f"this scene has version {written}, newer than the version {VERSION} that can be"
            f" opened. Save it as version {VERSION}, or open it with a newer program."
        )
    return (
        f"this scene has version {written}; it must be a number from 1 to {VERSION}. Correct"
        " 'version'."
    )


def _expand_short_words(value: Any) -> Any:
    match value:
        case dict():
            return {str(SHORT_WORDS.get(k, k)): _expand_short_words(v) for k, v in value.items()}
        case list():
            return [_expand_short_words(v) for v in value]
        case str():
            return SHORT_WORDS.get(value, value)
        case _:
            return value


def _upgrade_from_version_2(data: Mapping[str, Any]) -> dict[str, Any]:
    out = _remove_internal_data({k: v for k, v in data.items() if k not in ("objs", "version")})
    # a text is not the old boolean, but the current setting of the same name
    out = _rename_keys(
        out,
        {
            k: v
            for k, v in RENAMED_SETTINGS.items()
            if k != "colorMode" or not isinstance(out.get(k), str)
        },
    )
    mode = out.get("mode")
    if isinstance(mode, str):
        out["mode"] = RENAMED_MODES.get(mode, mode)
    objs = data.get("objs", [])
    return {
        "version": VERSION,
        **out,
        "objs": [_upgrade_object(o) for o in objs] if isinstance(objs, list) else objs,
    }


def _upgrade_object(obj: Any) -> Any:
    if not isinstance(obj, dict) or "type" not in obj:
        return obj
    kind, names = (
        OLD_KINDS.get(obj["type"], (obj["type"], {}))
        if isinstance(obj["type"], str)
        else (obj["type"], {})
    )
    return {"type": kind} | _rename_keys(
        _remove_internal_data({k: v for k, v in obj.items() if k != "type"}), names
    )


def _remove_internal_data(value: Any) -> Any:
    """Return ``value`` without the internal data of old programs, at any depth. Inside handles, old
    kinds and keys get their current names.
    """
    match value:
        case dict():
            kept = {
                k: _remove_internal_data(v)
                for k, v in value.items()
                if k not in _INTERNAL and not (k == "type" and not isinstance(v, str))
            }
            return _rename_keys(kept, _INNER)
        case list():
            return [_remove_internal_data(v) for v in value]
        case _:
            return value


def _rename_keys(data: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """The mapping with its keys renamed. A key whose new name already exists is kept, so that it is
    reported as a problem.
    """
    return {k if names.get(k, k) in data else names[k]: v for k, v in data.items()}
