"""Actions with modules: make one of the selection, break instances up, place an instance."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QMenu

from raybench.kinds.module_instance import ModuleObj
from raybench.scene.changes import Expand, MakeModule
from raybench.scene.creation import part_of_module
from raybench_workbench.dialogs.name_dialog import NameDialog
from raybench_workbench.words.plain_text import label_text, tool_tip

if TYPE_CHECKING:
    from raybench_workbench.main_window import MainWindow


def ask_make(window: MainWindow) -> None:
    """Ask for a name and make the selected objects a module, with an instance in their place, which
    is then selected.
    """
    keys = window.selection.keys

    def make(name: str) -> str:
        made = MakeModule(keys, name)
        refused = window.document.attempt(made)
        if not refused:
            window.selection.set({made.instance})
        return refused

    modules = window.document.scene.modules
    free = next(name for i in range(1, len(modules) + 2) if (name := f"Module {i}") not in modules)
    NameDialog("Make module", "Name of the module", free, make, window).open()


def instances(window: MainWindow) -> list[ModuleObj]:
    """The selected instances of modules."""
    return [
        o
        for o in window.document.scene.objects
        if o.key in window.selection.keys and isinstance(o, ModuleObj)
    ]


def expand(window: MainWindow) -> None:
    """Replace the selected instances by their parts, and select these."""
    chosen = instances(window)
    parts = [p.key for o in chosen for p in window.document.scene.parts_of(o)]
    if window.document.change(Expand(o.key for o in chosen)):
        window.selection.set(parts)


def list_modules(window: MainWindow, menu: QMenu) -> None:
    """Fill a menu with the modules that the scene defines."""
    menu.clear()
    for name, module in window.document.scene.modules.items():
        action = menu.addAction(label_text(name), partial(window.draw, part_of_module(name)))
        action.setEnabled(not module.trouble)
        action.setToolTip(tool_tip(module.trouble))
    if menu.isEmpty():
        menu.addAction("The scene defines none").setEnabled(False)
    menu.addSeparator()
    menu.addAction(window.actions_by_id["file.import_modules"])
