"""The expected pictures: one set, and where another version of Qt paints differently, that
version's own beside it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from PySide6.QtGui import QImage

from raybench.errors import RaybenchError
from raybench_workbench.export.picture_files import save_picture
from raybench_workbench.picture_tests.comparison import compare
from raybench_workbench.picture_tests.widget_tree import WidgetRecord, read_tree, write_tree

MADE_WITH = "made-with.json"
"""The file in the folder of the expected pictures that records the versions with which they are
made.
"""
QT = ("PySide6", "PySide6-Essentials")
"""The distributions of Qt, of which one is installed."""


def versions(painters: Iterable[str]) -> dict[str, str]:
    """The installed versions of the distributions that paint; Qt's is under ``PySide6``. Those that
    are not installed are left out.
    """
    found: dict[str, str] = {}
    for name in (*QT, *painters):
        try:
            found["PySide6" if name in QT else name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found


@dataclass(frozen=True)
class Baselines:
    """The expected pictures in a ``folder``, for the installed versions of what paints."""

    folder: Path
    installed: Mapping[str, str]

    @property
    def made_with(self) -> dict[str, str]:
        """The versions with which the pictures are made; the installed ones if there are no
        pictures yet.
        """
        path = self.folder / MADE_WITH
        try:
            return (
                dict(json.loads(path.read_text(encoding="utf-8")))
                if path.exists()
                else dict(self.installed)
            )
        except ValueError:
            raise RaybenchError(
                f"{path} is no table of versions. Write it as in an earlier commit."
            ) from None

    @property
    def own(self) -> Path:
        """The folder of pictures that this version of Qt paints differently; the common folder if
        the pictures are made with it.
        """
        qt = self.installed.get("PySide6", "")
        return self.folder if self.made_with.get("PySide6") == qt else self.folder / f"PySide6-{qt}"

    def path(self, name: str) -> Path:
        """The expected picture of a name: this version's own, else the common one, which may not
        exist.
        """
        own = self.own / f"{name}.png"
        return own if own.exists() else self.folder / f"{name}.png"

    def tree(self, name: str) -> list[WidgetRecord] | None:
        """The widgets of the expected picture."""
        return read_tree(self.path(name).with_suffix(".widgets.json"))

    def keep(self, name: str, image: QImage, tree: list[WidgetRecord]) -> None:
        """Make a picture the expected one: of all versions, or where those that there are were made
        with another, of this one.
        """
        path = self.path(name)
        wanted = QImage(str(path)) if path.exists() else None
        if wanted is None or compare(image, wanted) is not None:
            path = self.own / f"{name}.png"
            path.parent.mkdir(parents=True, exist_ok=True)
            save_picture(image, path)
        if read_tree(path.with_suffix(".widgets.json")) != tree:
            write_tree(tree, path.with_suffix(".widgets.json"))
        if not (self.folder / MADE_WITH).exists():
            (self.folder / MADE_WITH).write_text(
                json.dumps(dict(self.installed), indent=1) + "\n", encoding="utf-8"
            )

    @property
    def versions_words(self) -> str:
        """Which versions differ from those that the pictures are made with; empty for none."""
        made = self.made_with
        parts = [
            f"{n} is {v}, they are made with {made[n]}"
            for n, v in self.installed.items()
            if made.get(n, v) != v
        ]
        return "; ".join(parts)
