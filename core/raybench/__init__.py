"""Raybench: two-dimensional ray optics, as a library.

``import raybench as rb`` gives scenes (`rb.Scene`), every kind of object and every preset under its
name (`rb.Beam`, `rb.Achromat`), lenses by their prescription (`rb.Lens`) and what comes of them. A
name is imported when it is first used. Nothing here imports Qt or a network client.
"""

PLACES = {
    "Scene": "library.scene",
    "Lens": "library.objects",
    "InvalidArgument": "library.objects",
    "LensSystem": "library.lens_system",
    "Coating": "library.coating",
    "Light": "library.light",
    "Rays": "library.light",
    "DetectorView": "library.light",
    "FringePattern": "library.light",
    "Measured": "analysis.measures.measure",
    "Ledger": "trace.results.result",
    "StudyTable": "library.studies",
    "OptimisationResult": "library.studies",
    "ToleranceResult": "library.studies",
    "ToolAnswer": "library.tools",
    "AskedQuestion": "library.asking",
    "Document": "scene.document",
    "TraceResult": "trace.results.result",
    "RaybenchError": "errors",
}
"""Where names are defined, but those of kinds and presets."""


def __getattr__(name: str) -> object:
    from importlib import import_module  # the start imports next to nothing

    value: object
    if name in PLACES:
        value = getattr(import_module(f"raybench.{PLACES[name]}"), name)
    elif name.startswith("_") or not name[0].isupper():
        raise AttributeError(f"module 'raybench' has no attribute {name!r}")
    else:
        from raybench.library.objects import maker_named

        value = maker_named(name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    from raybench.library.objects import MAKER_NAMES

    return sorted({*globals(), *PLACES, *MAKER_NAMES})
