"""Optional packages (the extras of ``pyproject.toml``), and what to do if a package is missing or
damaged.
"""

import sys

FROZEN = bool(getattr(sys, "frozen", False))
"""Whether this is the folder that starts without Python, made by ``.ci/freeze``: nothing can be
installed into it.
"""


def missing_package_text(what: str, package: str, extra: str) -> str:
    """Two parts of an error message: the feature that needs a package, and the command to install
    it. ``what`` ends with its verb: "Drawings need".
    """
    if FROZEN:
        return (
            f"{what} the package {package}, which is not in this folder. A Raybench installed in"
            f" Python can have it: its extra '{extra}'"
        )
    return f"{what} the package {package}: pip install 'raybench[{extra}]'"


def package_version(package: str) -> str:
    """The installed version of a package, or "missing" if it is not installed."""
    from importlib import metadata  # a sixth of the time of ``raybench --help``

    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "missing"


def reinstall_remedy(again: str) -> str:
    """What to do if a required package is missing or damaged. ``again`` says what to install, such
    as "numba again".
    """
    return "Copy the whole folder of Raybench again." if FROZEN else f"Install {again}."
