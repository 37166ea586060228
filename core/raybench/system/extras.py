"""Optional packages (the extras of ``pyproject.toml``), and the remedies where one is missing or
damaged.
"""

import sys
from importlib import metadata

FROZEN = bool(getattr(sys, "frozen", False))
"""Whether this is the folder that starts without Python, made by ``.ci/freeze``: nothing can be
installed into it.
"""


def missing_package_text(what: str, package: str, extra: str) -> str:
    """Two parts of a sentence: what needs which package, and how to get that one. ``what`` ends in
    its verb: "Drawings need".
    """
    if FROZEN:
        return (
            f"{what} the package {package}, which is not in this folder. A Raybench installed in"
            f" Python can have it: its extra '{extra}'"
        )
    return f"{what} the package {package}: pip install 'raybench[{extra}]'"


def package_version(package: str) -> str:
    """The installed version of a package; "missing" if it is not installed."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "missing"


def reinstall_remedy(again: str) -> str:
    """The remedy for a required package that is missing or damaged. ``again`` says what to install,
    such as "numba again".
    """
    return "Copy the whole folder of Raybench again." if FROZEN else f"Install {again}."
