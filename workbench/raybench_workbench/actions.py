"""The table of all user actions: menus, tool bar and shortcuts are made from it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QKeySequence

from raybench.raster.coloring import COLORINGS
from raybench.scene.alignment import SIDES, Side
from raybench.scene.creation import ALL_FAMILIES, title_of
from raybench.scene.measurements import KINDS as MEASUREMENTS
from raybench.scene.measurements import Kind as MeasurementKind
from raybench.scene.snapping.targets import GRID, SNAPS, SnapKind
from raybench_workbench import clipboard, editing, files, help_windows, project, saving, templates
from raybench_workbench.canvas.modes.keyboard import KEYS
from raybench_workbench.chat.conversation_bar import EXPORTS, Export
from raybench_workbench.help_windows import Palette
from raybench_workbench.mcp import address
from raybench_workbench.panels import document_lists, modules
from raybench_workbench.preferences.choices import THEME
from raybench_workbench.theme import THEMES
from raybench_workbench.window import layout
from raybench_workbench.window.layout import reset_layout

if TYPE_CHECKING:
    from PySide6.QtGui import QAction
    from PySide6.QtWidgets import QDockWidget, QMenu

    from raybench_workbench.main_window import MainWindow


@dataclass(frozen=True)
class Condition:
    """Whether an action can be used; ``otherwise`` says why not, and what helps."""

    holds: Callable[[MainWindow], bool]
    otherwise: str = ""

    def __call__(self, w: MainWindow) -> bool:
        return self.holds(w)


ALWAYS = Condition(lambda w: True)
OBJECTS = Condition(lambda w: bool(w.document.scene.objects), "The scene has no objects.")
SELECTED = Condition(lambda w: bool(w.selection.keys), "Select an object first.")
ONE_SELECTED = Condition(lambda w: len(w.selection.keys) == 1, "Select one object first.")
EDGES_SELECTED = Condition(
    lambda w: _has_edges(w), "Select one object with edges, such as a glass, first."
)
SEVERAL_SELECTED = Condition(
    lambda w: len(w.selection.keys) > 1, "Select two objects or more first."
)
THREE_SELECTED = Condition(
    lambda w: len(w.selection.keys) > 2, "Select three objects or more first."
)
DELETABLE = Condition(
    lambda w: bool(w.selection.keys or w.selection.measurements),
    "Select an object or a measurement first.",
)
GROUPED = Condition(lambda w: bool(editing.groups_of(w)), "Select an object of a group first.")
ONE_GROUP = Condition(
    lambda w: len(editing.groups_of(w)) == 1, "Select objects of one group first."
)
INSTANCE = Condition(
    lambda w: bool(modules.selected_instances(w)), "Select an instance of a module first."
)
HIDDEN = Condition(lambda w: bool(w.document.document.hidden), "No object is hidden.")
DONE = Condition(
    lambda w: bool(w.document.session.history.done) and w.document.gesture is None,
    "Nothing has been changed.",
)
UNDONE = Condition(
    lambda w: bool(w.document.session.history.undone) and w.document.gesture is None,
    "Nothing has been undone.",
)
RAYS_CHOSEN = Condition(
    lambda w: w.document.session.view.highlight is not None or w.document.session.view.filtered,
    "All rays are shown.",
)
SEEN_BEFORE = Condition(
    lambda w: bool(w.document.session.views.earlier), "Nothing else has been shown."
)
SEEN_AFTER = Condition(
    lambda w: bool(w.document.session.views.later), "No view has been taken back."
)
TRACING = Condition(lambda w: w.service.busy, "Nothing is being traced.")
HAS_CONVERSATION = Condition(lambda w: bool(w.chat_dock.exchanges), "Nothing has been asked yet.")
ANSWERING = Condition(lambda w: w.chat_dock.busy, "No question is being answered.")
PROGRAMS_ALLOWED = Condition(
    lambda w: w.chat_dock.programs.address is not None, "Let programs connect first."
)


def _has_edges(w: MainWindow) -> bool:
    """Whether the selection is one object whose edges can be labelled."""
    obj = w.document.scene.get(next(iter(w.selection.keys))) if len(w.selection.keys) == 1 else None
    return obj is not None and obj.has_edge_table


ShortcutScope = Literal["canvas", "tree"]
CANVAS: tuple[ShortcutScope, ...] = ("canvas",)
CANVAS_AND_TREE: tuple[ShortcutScope, ...] = ("canvas", "tree")
Shortcut = str | QKeySequence.StandardKey | None
Standard = QKeySequence.StandardKey
_ALIGNED: dict[Side, str] = {
    "left": "Left sides",
    "centre": "Centres, on a vertical line",
    "right": "Right sides",
    "top": "Top sides",
    "middle": "Centres, on a horizontal line",
    "bottom": "Bottom sides",
}


class InvalidAction(ValueError):
    """A row of the table cannot be shown: its menu or its id is wrong."""


@dataclass(frozen=True)
class Action:
    """One action. ``category`` is its menu, ``icon`` the name of its icon in
    `raybench_workbench.canvas.icons`; ``checked`` makes it a toggle.

    ``title`` may be a function if it depends on the document. The shortcut of an action with
    ``shortcut_scopes`` works only while one of these widgets has the focus, because it has another
    meaning while text is edited. ``separated`` puts a separator before it.
    """

    id: str
    title: str | Callable[[MainWindow], str]
    category: str
    shortcut: Shortcut
    run: Callable[[MainWindow], object]
    enabled: Condition = ALWAYS
    icon: str = ""
    checked: Callable[[MainWindow], bool] | None = None
    shortcut_scopes: tuple[ShortcutScope, ...] = ()
    separated: bool = False
    also: tuple[str, ...] = ()
    """Further shortcuts, habits from other programs."""
    agent: bool = False
    """Whether the agent may run it: it only shows something. It changes no document, file,
    clipboard or preference, opens no dialog, and leaves the keyboard where it is, for the person
    may be typing.
    """


@dataclass(frozen=True)
class Submenu:
    """A submenu of the menu ``category``; its rows have its title as category. ``fill`` is called
    each time before it is shown.
    """

    title: str
    category: str
    fill: Callable[[MainWindow, QMenu], None] | None = None
    separated: bool = False


@dataclass(frozen=True)
class Lazy:
    """A function of a module of `workbench` that is imported at the first call, since the first
    window does not need it.
    """

    module: str
    name: str

    def __call__(self, w: MainWindow) -> object:
        return self.function(w)

    @property
    def function(self) -> Callable[[MainWindow], object]:
        function: Callable[[MainWindow], object] = getattr(
            import_module(f"raybench_workbench.{self.module}"), self.name
        )
        return function


def _export_conversation(export: Export, w: MainWindow) -> None:
    export(w.chat_dock.conversation, w.document, w)


def _titled_actions(w: MainWindow) -> list[tuple[str, QAction]]:
    return [(row.category, w.actions_by_id[row.id]) for row in ACTIONS]


def _findable_actions(w: MainWindow) -> list[tuple[str, QAction]]:
    """Those of the table, and the entries of submenus that are filled when they are shown, such as
    saved views.
    """
    found = _titled_actions(w)
    for row in ROWS:
        if isinstance(row, Submenu) and row.fill is not None:
            row.fill(w, menu := w.menus[row.title])
            own = [
                a
                for a in menu.actions()
                if a.isEnabled() and not (a.isSeparator() or a.menu() or a.objectName())
            ]
            found += [(row.title, action) for action in own]
    return found


def _diagnostics_text(w: MainWindow) -> str:
    scene, result = w.document.scene, w.document.result
    traced = f"{len(result)} segments" if result is not None else "not traced"
    return help_windows.diagnostics_report(
        f"{len(scene.objects)} objects, {scene.settings.mode}, {traced}"
    )


def _undo_title(w: MainWindow) -> str:
    return _action_title("Undo", w.document.session.history.undo_text)


def _redo_title(w: MainWindow) -> str:
    return _action_title("Redo", w.document.session.history.redo_text)


def _action_title(verb: str, step: str) -> str:
    return f"{verb}: {step}" if step else verb


def _theme_action(name: str) -> Action:
    return Action(
        f"theme.{name}",
        name.capitalize(),
        "Theme",
        None,
        lambda w: w.preferences.choose(THEME, name),
        checked=lambda w: w.theme_name == name,
    )


def _coloring_action(name: str, title: str) -> Action:
    return Action(
        f"coloring.{name or 'scene'}",
        title,
        "Colour rays by",
        None,
        lambda w: w.color_rays(name),
        checked=lambda w: w.document.session.view.coloring == name,
        agent=True,
    )


def _insert_action(family: str, kind: str) -> Action:
    return Action(
        f"insert.{kind}",
        title_of(kind),
        family,
        None,
        lambda w: w.draw(kind),
        checked=lambda w: w.canvas.kind == kind,
    )


def _dock_action(
    name: str,
    title: str,
    shortcut: str,
    dock: Callable[[MainWindow], QDockWidget],
    icon: str = "",
    agent: bool = True,
) -> Action:
    return Action(
        f"view.{name}",
        title,
        "Window",
        shortcut,
        lambda w: layout.toggle_dock(dock(w)),
        icon=icon,
        checked=lambda w: layout.is_in_front(dock(w)),
        agent=agent,
    )


def _measure_action(row: MeasurementKind) -> Action:
    return Action(
        f"measure.{row.id}",
        row.title,
        "Measure",
        row.key,
        lambda w: w.measure(row.id),
        OBJECTS,
        checked=lambda w: w.canvas.measurement == row.id,
        shortcut_scopes=CANVAS if row.key else (),
        separated=row.id == "distance",
    )


def _align_action(side: Side) -> Action:
    title = _ALIGNED[side]
    return Action(
        f"arrange.align_{side}",
        title,
        "Align",
        None,
        lambda w: editing.align(w, side, title),
        SEVERAL_SELECTED,
        separated=side == "top",
    )


def _snap_action(row: SnapKind) -> Action:
    on, toggle = (
        lambda w: row.id in w.canvas.snapper.on,
        lambda w: editing.toggle_snapping(w, row.id),
    )
    return Action(
        f"snap.{row.id}", row.title, "Snap to", None, toggle, checked=on, separated=row.id == GRID
    )


ROWS: tuple[Action | Submenu, ...] = (
    Action("file.new", "New", "File", Standard.New, files.new_document),
    Submenu("New from template", "File", templates.list_templates),
    Action("file.open", "Open…", "File", Standard.Open, files.ask_open, icon="open"),
    Action("file.open_link", "Open link…", "File", "Ctrl+Shift+O", files.ask_link),
    Action("file.open_project", "Open project folder…", "File", None, project.ask_project),
    Action(
        "file.import",
        "Import drawing…",
        "File",
        "Ctrl+I",
        Lazy("panels.drawing_import", "ask_drawing"),
    ),
    Action("file.import_modules", "Import modules…", "File", None, modules.ask_modules),
    Submenu("Open recent", "File", files.list_recent),
    Submenu("Open example", "File", files.list_examples),
    Action(
        "file.save",
        "Save",
        "File",
        Standard.Save,
        saving.save_document,
        icon="save",
        separated=True,
    ),
    Action("file.save_as", "Save as…", "File", "Ctrl+Shift+S", saving.save_as),
    Action("file.save_template", "Save as template…", "File", None, templates.ask_save, OBJECTS),
    Action(
        "file.compare", "Compare with file…", "File", None, Lazy("compare", "ask_compare"), OBJECTS
    ),
    Action("file.copy_link", "Copy link to the scene", "File", None, files.copy_link, OBJECTS),
    Action(
        "file.export",
        "Export figure…",
        "File",
        "Ctrl+E",
        Lazy("export.dialog", "ask_export"),
        OBJECTS,
    ),
    Action(
        "file.print",
        "Print…",
        "File",
        Standard.Print,
        Lazy("export.printing", "ask_print"),
        OBJECTS,
    ),
    Submenu("Model Context Protocol", "File"),
    Action(
        "mcp.allow",
        "Let programs connect",
        "Model Context Protocol",
        None,
        address.toggle_programs,
        checked=lambda w: w.chat_dock.programs.allowed,
    ),
    Action(
        "mcp.copy",
        "Copy a client's configuration",
        "Model Context Protocol",
        None,
        address.copy_bridge_configuration,
    ),
    Action(
        "mcp.copy_address",
        "Copy a configuration with this run's token",
        "Model Context Protocol",
        None,
        address.copy_window_configuration,
        PROGRAMS_ALLOWED,
    ),
    Action(
        "file.quit", "Quit", "File", "Ctrl+Q", lambda w: w.close(), separated=True, also=("Ctrl+W",)
    ),
    Action("edit.undo", _undo_title, "Edit", Standard.Undo, editing.undo, DONE, icon="undo"),
    Action(
        "edit.redo",
        _redo_title,
        "Edit",
        "Ctrl+Shift+Z",
        editing.redo,
        UNDONE,
        icon="redo",
        also=("Ctrl+Y",),
    ),
    Action(
        "edit.cut",
        "Cut",
        "Edit",
        Standard.Cut,
        clipboard.cut_selection,
        SELECTED,
        shortcut_scopes=CANVAS_AND_TREE,
        separated=True,
    ),
    Action(
        "edit.copy",
        "Copy",
        "Edit",
        Standard.Copy,
        clipboard.copy_selection,
        SELECTED,
        shortcut_scopes=CANVAS_AND_TREE,
    ),
    Action(
        "edit.copy_picture",
        "Copy picture",
        "Edit",
        "Ctrl+Shift+C",
        Lazy("export.printing", "copy_picture"),
        OBJECTS,
    ),
    Action(
        "edit.paste",
        "Paste",
        "Edit",
        Standard.Paste,
        files.paste_clipboard,
        shortcut_scopes=CANVAS_AND_TREE,
    ),
    Action("edit.duplicate", "Duplicate", "Edit", "Ctrl+D", editing.duplicate, SELECTED),
    Action(
        "edit.rename",
        "Rename",
        "Edit",
        "F2",
        layout.rename_object,
        ONE_SELECTED,
        shortcut_scopes=CANVAS,
    ),  # the tree handles F2 itself
    Action(
        "edit.label_edges",
        "Label edges…",
        "Edit",
        None,
        Lazy("dialogs", "ask_edge_labels"),
        EDGES_SELECTED,
    ),
    Action(
        "edit.delete",
        "Delete",
        "Edit",
        "Del",
        editing.delete,
        DELETABLE,
        shortcut_scopes=CANVAS_AND_TREE,
        also=("Backspace",),
    ),
    Action(
        "edit.arrow",
        "Select and move",
        "Edit",
        "V",
        lambda w: w.canvas.choose_kind(None),
        icon="arrow",
        checked=lambda w: not w.canvas.kind and not w.canvas.measurement,
        shortcut_scopes=CANVAS_AND_TREE,
        separated=True,
    ),
    Action(
        "edit.select_all",
        "Select all",
        "Edit",
        "Ctrl+A",
        editing.select_all,
        OBJECTS,
        shortcut_scopes=CANVAS,
        agent=True,
    ),  # the tree handles Ctrl+A itself
    Action(
        "edit.select_none",
        "Select none",
        "Edit",
        "Ctrl+Shift+A",
        lambda w: w.selection.clear(),
        SELECTED,
        agent=True,
    ),
    Action("edit.find", "Find an object", "Edit", Standard.Find, layout.find_object, OBJECTS),
    Action(
        "edit.settings",
        "Settings of the scene",
        "Edit",
        "Ctrl+;",
        layout.show_settings,
        separated=True,
    ),
    Action(
        "edit.preferences",
        "Preferences…",
        "Edit",
        "Ctrl+,",
        Lazy("preferences.dialog", "show_preferences"),
    ),
    Action("arrange.rotate", "Rotate…", "Arrange", "Ctrl+R", editing.ask_rotate, SELECTED),
    Action(
        "arrange.rotate_left",
        "Rotate by 1° counter-clockwise",
        "Arrange",
        "+",
        lambda w: editing.rotate(w, editing.STEP),
        SELECTED,
        shortcut_scopes=CANVAS,
    ),
    Action(
        "arrange.rotate_right",
        "Rotate by 1° clockwise",
        "Arrange",
        "-",
        lambda w: editing.rotate(w, -editing.STEP),
        SELECTED,
        shortcut_scopes=CANVAS,
    ),
    Action("arrange.scale", "Scale…", "Arrange", None, editing.ask_scale, SELECTED),
    Action(
        "arrange.mirror_across",
        "Mirror left to right",
        "Arrange",
        "Ctrl+M",
        lambda w: editing.mirror(w, editing.VERTICAL),
        SELECTED,
        separated=True,
    ),
    Action(
        "arrange.mirror_down",
        "Mirror top to bottom",
        "Arrange",
        "Ctrl+Shift+M",
        lambda w: editing.mirror(w, editing.HORIZONTAL),
        SELECTED,
    ),
    Submenu("Align", "Arrange", separated=True),
    *(_align_action(side) for side in SIDES),
    Action(
        "arrange.distribute_x",
        "Distribute horizontally",
        "Align",
        None,
        lambda w: editing.distribute(w, "x"),
        THREE_SELECTED,
        separated=True,
    ),
    Action(
        "arrange.distribute_y",
        "Distribute vertically",
        "Align",
        None,
        lambda w: editing.distribute(w, "y"),
        THREE_SELECTED,
    ),
    Action(
        "arrange.focus",
        "Move to best focus",
        "Arrange",
        None,
        editing.move_to_focus,
        ONE_SELECTED,
        separated=True,
    ),
    Action(
        "arrange.group",
        "Group",
        "Arrange",
        "Ctrl+Shift+G",
        editing.group,
        SEVERAL_SELECTED,
        separated=True,
    ),
    Action(
        "arrange.rename_group", "Rename group…", "Arrange", None, editing.ask_group_name, ONE_GROUP
    ),
    Action("arrange.ungroup", "Ungroup", "Arrange", "Ctrl+Shift+U", editing.ungroup, GROUPED),
    Action(
        "arrange.make_module",
        "Make module…",
        "Arrange",
        None,
        modules.ask_make,
        SELECTED,
        separated=True,
    ),
    Action(
        "arrange.expand", "Break module up", "Arrange", None, modules.expand_instances, INSTANCE
    ),
    Action(
        "arrange.front",
        "Bring to front",
        "Arrange",
        "Ctrl+Shift+]",
        lambda w: editing.reorder(w, forward=True, far=True),
        SELECTED,
        separated=True,
    ),
    Action(
        "arrange.forward",
        "Bring forward",
        "Arrange",
        "Ctrl+]",
        lambda w: editing.reorder(w, forward=True),
        SELECTED,
    ),
    Action(
        "arrange.backward",
        "Send backward",
        "Arrange",
        "Ctrl+[",
        lambda w: editing.reorder(w, forward=False),
        SELECTED,
    ),
    Action(
        "arrange.back",
        "Send to back",
        "Arrange",
        "Ctrl+Shift+[",
        lambda w: editing.reorder(w, forward=False, far=True),
        SELECTED,
    ),
    Action(
        "arrange.lock",
        "Lock",
        "Arrange",
        "L",
        editing.toggle_locked,
        SELECTED,
        checked=editing.all_locked,
        shortcut_scopes=CANVAS,
        separated=True,
    ),
    Action(
        "arrange.hide",
        "Hide",
        "Arrange",
        "H",
        editing.toggle_hidden,
        SELECTED,
        checked=editing.all_hidden,
        shortcut_scopes=CANVAS,
    ),
    Action(
        "arrange.show",
        "Show hidden objects",
        "Arrange",
        "Shift+H",
        editing.show_hidden,
        HIDDEN,
        shortcut_scopes=CANVAS,
    ),
    Action(
        "arrange.disable",
        "Let light pass",
        "Arrange",
        "D",
        editing.toggle_disabled,
        SELECTED,
        checked=editing.all_disabled,
        shortcut_scopes=CANVAS,
    ),
    Action(
        "view.fit",
        "Fit scene",
        "View",
        "F",
        lambda w: w.canvas.navigation.fit(),
        icon="fit",
        shortcut_scopes=CANVAS,
        agent=True,
    ),
    Action(
        "view.fit_selection",
        "Fit selection",
        "View",
        "Shift+F",
        lambda w: w.canvas.navigation.fit_selection(),
        SELECTED,
        shortcut_scopes=CANVAS,
        agent=True,
    ),
    Action(
        "view.zoom_in",
        "Zoom in",
        "View",
        Standard.ZoomIn,
        lambda w: w.canvas.navigation.zoom(1.25),
        icon="zoom_in",
        agent=True,
    ),
    Action(
        "view.zoom_out",
        "Zoom out",
        "View",
        Standard.ZoomOut,
        lambda w: w.canvas.navigation.zoom(0.8),
        icon="zoom_out",
        agent=True,
    ),
    Action(
        "view.actual",
        "Actual size",
        "View",
        "Ctrl+0",
        lambda w: w.canvas.navigation.actual_size(),
        agent=True,
    ),
    Action(
        "view.back",
        "Previous view",
        "View",
        "Alt+Left",
        lambda w: w.document.view_back(),
        SEEN_BEFORE,
        agent=True,
    ),
    Action(
        "view.forward",
        "Next view",
        "View",
        "Alt+Right",
        lambda w: w.document.view_forward(),
        SEEN_AFTER,
        agent=True,
    ),
    Submenu("Saved views", "View", document_lists.list_views),
    Action(
        "view.grid",
        "Grid",
        "View",
        "Ctrl+G",
        lambda w: editing.toggle_setting(w, "show_grid"),
        icon="grid",
        checked=lambda w: w.document.scene.settings.show_grid,
        separated=True,
    ),
    Submenu("Snap to", "View"),
    Action(
        "snap.all",
        "Snapping",
        "Snap to",
        "S",
        editing.toggle_all_snapping,
        checked=editing.snaps,
        shortcut_scopes=CANVAS,
    ),
    *(_snap_action(row) for row in SNAPS.values()),
    Action(
        "view.clear",
        "Show all rays",
        "View",
        "Ctrl+Shift+L",
        lambda w: w.document.show_all_rays(),
        RAYS_CHOSEN,
        agent=True,
    ),
    Submenu("Colour rays by", "View"),
    _coloring_action("", "The scene's colour mode"),
    *(_coloring_action(c.name, c.title) for c in COLORINGS.values()),
    Action(
        "view.background",
        "Background picture…",
        "View",
        None,
        Lazy("background_dialog", "ask_background"),
    ),
    Action(
        "view.arrows",
        "Ray arrows",
        "View",
        None,
        lambda w: editing.toggle_setting(w, "show_ray_arrows"),
        checked=lambda w: w.document.scene.settings.show_ray_arrows,
    ),
    _dock_action("scene", "Scene and properties", "Ctrl+1", lambda w: w.scene_dock),
    _dock_action("rays", "Ray table", "Ctrl+2", lambda w: w.rays_dock, icon="rays"),
    _dock_action("chat", "Chat", "Ctrl+3", lambda w: w.chat_dock, icon="chat", agent=False),
    _dock_action("study", "Study panel", "Ctrl+4", lambda w: w.study_dock),
    _dock_action("inspector", "Inspector", "Ctrl+5", lambda w: w.inspector_dock),
    _dock_action("plots", "Plots", "Ctrl+6", lambda w: w.plots_dock),
    _dock_action("json", "Scene as JSON", "Ctrl+7", lambda w: w.json_dock),
    Action("view.history", "History", "Window", "Ctrl+8", layout.show_history),
    Action(
        "chat.ask",
        "Ask about the light",
        "Window",
        "Ctrl+L",
        lambda w: w.chat_dock.focus_composer(),
        separated=True,
    ),
    Submenu("Conversation", "Window"),
    Action(
        "chat.new",
        "New conversation",
        "Conversation",
        None,
        lambda w: w.chat_dock.start_over(),
        HAS_CONVERSATION,
    ),
    Submenu(
        "Earlier conversations",
        "Conversation",
        lambda w, menu: w.chat_dock.conversations.fill_list(menu),
    ),
    *(
        Action(
            f"chat.{id}",
            title,
            "Conversation",
            None,
            partial(_export_conversation, export),
            HAS_CONVERSATION,
            separated=i == 0,
        )
        for i, (id, (title, export)) in enumerate(EXPORTS.items())
    ),
    Action(
        "chat.connect",
        "Connect a model…",
        "Conversation",
        None,
        lambda w: w.chat_dock.ask_model(),
        separated=True,
    ),
    Action(
        "chat.stop", "Stop the agent", "Conversation", None, lambda w: w.chat_dock.stop(), ANSWERING
    ),
    Action("window.reset", "Reset the layout", "Window", None, reset_layout),
    Action(
        "insert.library",
        "Library…",
        "Insert",
        "A",
        layout.toggle_library,
        shortcut_scopes=CANVAS_AND_TREE,
        also=("Ins",),
        icon="library",
        checked=layout.is_library_visible,
    ),
    *(
        Submenu(family, "Insert", separated=family in ("Light", "Lenses"))
        for family in ALL_FAMILIES
    ),
    *(_insert_action(family, kind) for family, kinds in ALL_FAMILIES.items() for kind in kinds),
    *(_measure_action(row) for row in MEASUREMENTS.values()),
    Submenu("Module", "Insert", modules.list_modules, separated=True),
    Action(
        "insert.keep",
        "Keep the tool after drawing",
        "Insert",
        "K",
        lambda w: w.toggle_keep(),
        checked=lambda w: w.canvas.keeps_tool,
        shortcut_scopes=CANVAS,
        separated=True,
    ),
    Submenu("Theme", "View", separated=True),
    Action(
        "view.full_screen",
        "Full screen",
        "View",
        "F11",
        lambda w: w.setWindowState(w.windowState() ^ Qt.WindowState.WindowFullScreen),
        checked=lambda w: w.isFullScreen(),
    ),
    *(_theme_action(name) for name in THEMES),
    Action(
        "study.sweep", "Sweep…", "Study", None, lambda w: layout.show_study(w, "sweep"), OBJECTS
    ),
    Action(
        "study.optimise",
        "Optimise…",
        "Study",
        None,
        lambda w: layout.show_study(w, "optimise"),
        OBJECTS,
    ),
    Action(
        "study.tolerance",
        "Tolerance…",
        "Study",
        None,
        lambda w: layout.show_study(w, "tolerance"),
        OBJECTS,
    ),
    Action("trace.again", "Trace again", "Trace", "F5", lambda w: w.service.start(), agent=True),
    Action("trace.stop", "Stop tracing", "Trace", "Ctrl+.", lambda w: w.service.stop(), TRACING),
    Action("help.welcome", "Welcome", "Help", None, files.show_welcome),
    Action("help.guides", "Guides", "Help", Standard.HelpContents, help_windows.show_guides),
    Action(
        "help.keys",
        "Keys",
        "Help",
        "Ctrl+/",
        lambda w: help_windows.show_keys(w, _titled_actions(w), KEYS),
    ),
    Action(
        "help.palette",
        "Find an action…",
        "Help",
        "Ctrl+K",
        lambda w: Palette(_findable_actions(w), w).open_over(w),
        also=("Ctrl+Shift+P",),
    ),
    Action(
        "help.diagnostics",
        "Copy diagnostics",
        "Help",
        None,
        lambda w: QGuiApplication.clipboard().setText(_diagnostics_text(w)),
        separated=True,
    ),
    Action(
        "help.about",
        "About Raybench",
        "Help",
        None,
        lambda w: help_windows.show_about(w, _diagnostics_text(w)),
    ),
)
"""All menus, from top to bottom."""
ACTIONS = tuple(row for row in ROWS if isinstance(row, Action))
MENUS = ("File", "Edit", "Insert", "Arrange", "View", "Study", "Trace", "Window", "Help")
"""The menu bar."""
CONTEXT = (
    ("edit.rename", "edit.cut", "edit.copy", "edit.duplicate", "edit.delete"),
    ("arrange.hide", "arrange.disable", "arrange.lock"),
    ("arrange.group", "arrange.rename_group", "arrange.ungroup"),
    ("Arrange",),
    ("view.fit_selection", "study.sweep"),
)
"""The context menu of objects on the canvas and in the tree, in groups: actions by id, and menus by
name.
"""
CONTEXT_EMPTY = (
    ("Insert",),
    ("edit.paste", "edit.select_all"),
    ("arrange.show",),
    ("view.fit", "view.grid"),
)
"""The context menu where there is no object."""
TOOLS = (
    ("file.open", "file.save"),
    ("edit.undo", "edit.redo"),
    ("view.fit", "view.zoom_in", "view.zoom_out", "view.grid"),
    ("view.rays", "view.chat"),
)
"""The tool bar, in groups."""


def check_rows(rows: Sequence[Action | Submenu]) -> None:
    """Raise InvalidAction for a menu or submenu that does not exist where a row needs it, and for
    an id that two actions have.
    """
    menus, ids = {*MENUS}, set[str]()
    for row in rows:
        name = row.id if isinstance(row, Action) else row.title
        if row.category not in menus:
            raise InvalidAction(
                f"'{name}' is in the menu '{row.category}'; add it to MENUS, or a Submenu of this"
                " title before the row."
            )
        if name in (ids if isinstance(row, Action) else menus):
            raise InvalidAction(f"There are two rows '{name}' in the table of actions.")
        (ids if isinstance(row, Action) else menus).add(name)
    named = (
        name for groups in (CONTEXT, CONTEXT_EMPTY, TOOLS) for group in groups for name in group
    )
    if unknown := [name for name in named if name not in ids | menus]:
        raise InvalidAction(
            f"The tool bar or a context menu names '{unknown[0]}', which is neither an action nor a"
            " menu."
        )


check_rows(ROWS)
