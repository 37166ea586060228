"""The table of all user actions, from which menus, tool bar and shortcuts are made."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QKeySequence

from raybench.presets.centred_lens import CentredLens
from raybench.raster.coloring import COLORINGS
from raybench.scene.alignment import Side
from raybench.scene.creation import ALL_FAMILIES, creatable_title
from raybench.scene.measurements import KINDS as MEASUREMENTS
from raybench.scene.snapping.targets import GRID, SNAPS
from raybench_workbench import clipboard, editing, files, help_windows, project, saving, templates
from raybench_workbench.background import document_background
from raybench_workbench.canvas.modes.keyboard import CANVAS_KEYS
from raybench_workbench.chat.conversation_bar import EXPORTS
from raybench_workbench.mcp.address import bridge_configuration
from raybench_workbench.panels import document_lists, modules
from raybench_workbench.preferences.choices import THEME
from raybench_workbench.translation import tr
from raybench_workbench.window import layout, presentation, tabs
from raybench_workbench.window.added_panels import PANELS

if TYPE_CHECKING:
    from PySide6.QtGui import QAction
    from PySide6.QtWidgets import QDockWidget, QMenu

    from raybench_workbench.main_window import MainWindow


@dataclass(frozen=True)
class Condition:
    """A condition for the use of an action. ``otherwise`` is the text shown if it does not hold:
    why the action is disabled, and the remedy.
    """

    holds: Callable[[MainWindow], object]
    otherwise: str = ""

    def __call__(self, w: MainWindow) -> bool:
        return bool(self.holds(w))


def _selection_condition(least: int, most: float, otherwise: str) -> Condition:
    """The condition that at least ``least`` and at most ``most`` objects are selected."""
    return Condition(lambda w: least <= len(w.selection.keys) <= most, otherwise)


def _selection_has_edges(window: MainWindow) -> bool:
    """Whether exactly one object is selected, and its edges can be labelled."""
    objects = [window.document.scene.get(key) for key in window.selection.keys]
    return len(objects) == 1 and objects[0] is not None and objects[0].has_edge_table


ALWAYS = Condition(lambda w: True)
HAS_OBJECTS = Condition(lambda w: w.document.scene.objects, "The scene has no objects.")
LENS_SYSTEM = Condition(
    lambda w: any(isinstance(p.preset, CentredLens) for p in w.document.document.parts),
    "The scene has no lens system.",
)
SELECTED = _selection_condition(1, float("inf"), "Select an object first.")
ONE_SELECTED = _selection_condition(1, 1, "Select one object first.")
SEVERAL_SELECTED = _selection_condition(2, float("inf"), "Select two objects or more first.")
THREE_SELECTED = _selection_condition(3, float("inf"), "Select three objects or more first.")
EDGES_SELECTED = Condition(
    _selection_has_edges, "Select one object with edges, such as a glass, first."
)
DELETABLE = Condition(
    lambda w: w.selection.keys or w.selection.measurements,
    "Select an object or a measurement first.",
)
GROUPED = Condition(lambda w: editing.selected_group_names(w), "Select an object of a group first.")
ONE_GROUP = Condition(
    lambda w: len(editing.selected_group_names(w)) == 1, "Select objects of one group first."
)
INSTANCE = Condition(
    lambda w: modules.selected_instances(w), "Select an instance of a module first."
)
HAS_HIDDEN = Condition(lambda w: w.document.document.hidden, "No object is hidden.")
HAS_BACKGROUND = Condition(
    lambda w: document_background(w.document.document), "The scene has no background picture."
)
CAN_UNDO = Condition(
    lambda w: w.document.session.history.done and w.document.gesture is None,
    "Nothing has been changed.",
)
CAN_REDO = Condition(
    lambda w: w.document.session.history.undone and w.document.gesture is None,
    "Nothing has been undone.",
)
RAYS_CHOSEN = Condition(
    lambda w: (
        w.document.session.view.highlight is not None or w.document.session.view.has_ray_filter
    ),
    "All rays are shown.",
)
HAS_PREVIOUS_VIEW = Condition(
    lambda w: w.document.session.views.earlier, "Nothing else has been shown."
)
HAS_NEXT_VIEW = Condition(lambda w: w.document.session.views.later, "No view has been taken back.")
TRACING = Condition(lambda w: w.service.busy or w.refinement.is_running, "Nothing is being traced.")
HAS_CONVERSATION = Condition(lambda w: w.chat_dock.exchanges, "Nothing has been asked yet.")
ANSWERING = Condition(lambda w: w.chat_dock.busy, "No question is being answered.")
HAS_MODEL = Condition(
    lambda w: w.chat_dock.agent.backend is not None, "Only a model looks at pictures."
)
CAN_RETRY = Condition(
    lambda w: w.chat_dock.can_retry,
    "Only a question whose answer ended with an error goes on, with a model.",
)
SEVERAL_TABS = Condition(
    lambda w: (window := tabs.find_tab_window(w)) is not None and window.count() > 1,
    "The window has one tab.",
)
PROGRAMS_ALLOWED = Condition(
    lambda w: w.chat_dock.programs.address is not None, "Let programs connect first."
)

Scope = Literal["canvas", "tree"]
CANVAS: tuple[Scope, ...] = ("canvas",)
CANVAS_AND_TREE: tuple[Scope, ...] = ("canvas", "tree")
Standard = QKeySequence.StandardKey


class InvalidAction(ValueError):
    """The table of actions is invalid: an id occurs twice, or a tool bar names an action that does
    not exist.
    """


@dataclass(frozen=True)
class Action:
    """A user action. ``icon`` is the name of its icon in `raybench_workbench.canvas.icons`. With
    ``checked`` it can be switched on and off.

    ``title`` may be a function if it depends on the document. The shortcut of an action with
    ``scopes`` works only while one of these widgets has the focus, because it has another meaning
    while text is edited.
    """

    id: str
    title: str | Callable[[MainWindow], str]
    run: Callable[[MainWindow], object]
    shortcut: str | QKeySequence.StandardKey | None = None
    enabled: Condition = ALWAYS
    icon: str = ""
    checked: Callable[[MainWindow], bool] | None = None
    scopes: tuple[Scope, ...] = ()
    also: tuple[str, ...] = ()
    """Further shortcuts, habits from other programs."""
    agent: bool = False
    """Whether the agent may run it: it only shows something. It changes no document, file,
    clipboard or preference, opens no dialog, and leaves the keyboard where it is, for the person
    may be typing.
    """
    category: str = ""
    """The title of its menu, which sets it."""


SEPARATOR = None
"""A separator in a menu."""


class Menu:
    """A menu with its rows from top to bottom. ``fill`` is called to update the rows each time
    before the menu is shown.
    """

    def __init__(
        self,
        title: str,
        *rows: Action | Menu | None,
        fill: Callable[[MainWindow, QMenu], object] | None = None,
    ) -> None:
        self.title, self.fill = title, fill
        self.rows = [
            dataclasses.replace(row, category=title) if isinstance(row, Action) else row
            for row in rows
        ]


def flatten_menu_rows(rows: Iterable[Action | Menu | None]) -> Iterator[Action | Menu]:
    """Yield the actions and menus among rows, and those inside the menus. A menu comes before its
    own rows.
    """
    for row in rows:
        if row is not None:
            yield row
        if isinstance(row, Menu):
            yield from flatten_menu_rows(row.rows)


@dataclass(frozen=True)
class LazyFunction:
    """A function of a workbench module. The module is imported at the first call, since the first
    window does not need it.
    """

    module: str
    name: str

    def __call__(self, w: MainWindow, *more: object) -> object:
        return getattr(import_module(f"raybench_workbench.{self.module}"), self.name)(w, *more)


def _choice_action(
    id: str,
    title: str,
    value: str,
    choose: Callable[[MainWindow, str], object],
    chosen: Callable[[MainWindow], str],
    **more: Any,
) -> Action:
    """An action that selects one of several values. It is checked while this value is selected."""
    return Action(
        id, title, lambda w: choose(w, value), checked=lambda w: chosen(w) == value, **more
    )


def _setting_action(
    id: str, title: str, name: str, shortcut: str | None = None, icon: str = ""
) -> Action:
    """An action that switches a setting of the scene on or off."""
    return Action(
        id,
        title,
        lambda w: editing.toggle_setting(w, name),
        shortcut,
        icon=icon,
        checked=lambda w: getattr(w.document.scene.settings, name),
    )


def _coloring_action(name: str, title: str) -> Action:
    return _choice_action(
        f"coloring.{name or 'scene'}",
        title,
        name,
        lambda w, name: w.color_rays(name),
        lambda w: w.document.session.view.coloring,
        agent=True,
    )


def _dock_action(
    name: str,
    title: str,
    shortcut: str | None,
    dock: Callable[[MainWindow], QDockWidget],
    icon: str = "",
    agent: bool = True,
) -> Action:
    return Action(
        f"view.{name}",
        title,
        lambda w: layout.toggle_dock(dock(w)),
        shortcut,
        icon=icon,
        checked=lambda w: layout.is_in_front(dock(w)),
        agent=agent,
    )


def _dock_function(title: str) -> Callable[[MainWindow], QDockWidget]:
    return lambda w: w.added_docks[title]


def _family_menu(name: str, kinds: Iterable[str]) -> Menu:
    """The menu of a family of objects. The menu of the family of measurements also contains
    measurements that are not objects.
    """
    inserted = [
        _choice_action(
            f"insert.{kind}",
            creatable_title(kind),
            kind,
            lambda w, kind: w.activate_drawing_tool(kind),
            lambda w: w.canvas.drawn_kind,
        )
        for kind in kinds
    ]
    measured = [
        _choice_action(
            f"measure.{row.id}",
            row.title,
            row.id,
            lambda w, kind: w.activate_measuring_tool(kind),
            lambda w: w.canvas.measurement_kind,
            shortcut=row.key,
            enabled=HAS_OBJECTS,
            scopes=CANVAS if row.key else (),
        )
        for row in MEASUREMENTS.values()
        if row.clicks
    ]
    return Menu(name, *inserted, *([SEPARATOR, *measured] if name == "Measure" else []))


def _align_action(side: Side, title: str) -> Action:
    aligned = partial(editing.align_selection, side=side, title=title)
    return Action(f"arrange.align_{side}", title, aligned, None, SEVERAL_SELECTED)


def _snap_action(kind: str) -> Action:
    return Action(
        f"snap.{kind}",
        SNAPS[kind].title,
        lambda w: editing.toggle_snapping(w, kind),
        checked=lambda w: kind in w.canvas.snapper.enabled_kinds,
    )


def _history_step_title(verb: str, step: str) -> str:
    return f"{verb}: {tr(step)}" if step else verb


def _actions_with_titles(window: MainWindow) -> list[tuple[str, QAction]]:
    return [(tr(row.category), window.actions_by_id[row.id]) for row in ACTIONS]


def _findable_actions(window: MainWindow) -> list[tuple[str, QAction]]:
    """The actions that can be found by title: those of the table, and entries of submenus that are
    filled when shown, such as saved views.
    """
    found = _actions_with_titles(window)
    for row in flatten_menu_rows(MENU_TABLE):
        if isinstance(row, Menu) and row.fill is not None:
            row.fill(window, menu := window.menus[row.title])
            found += [
                (tr(row.title), a)
                for a in menu.actions()
                if a.isEnabled() and not (a.isSeparator() or a.menu() or a.objectName())
            ]
    return found


def _copy_text(text: str) -> None:
    QGuiApplication.clipboard().setText(text)


def _copy_window_configuration(window: MainWindow) -> None:
    address = window.chat_dock.programs.address
    if address is not None:
        _copy_text(address.configuration())


def diagnostics_text(window: MainWindow) -> str:
    scene, result = window.document.scene, window.document.result
    traced = f"{len(result)} segments" if result is not None else "not traced"
    return help_windows.diagnostics_report(
        f"{len(scene.objects)} objects, {scene.settings.mode}, {traced}"
    )


MENU_TABLE = (
    Menu(
        "File",
        Action("file.new", "New", files.new_document, Standard.New),
        Action("file.new_tab", "New tab", tabs.open_new_tab, "Ctrl+T"),
        Action("file.new_window", "New window", tabs.open_new_window, "Ctrl+Shift+N"),
        Menu("New from template", fill=templates.fill_templates_menu),
        Action("file.open", "Open…", files.ask_open_file, Standard.Open, icon="open"),
        Action("file.open_tab", "Open in a new tab…", tabs.ask_open_in_tab),
        Action("file.open_link", "Open link…", files.ask_open_link, "Ctrl+Shift+O"),
        Action("file.open_project", "Open project folder…", project.ask_open_project),
        Action(
            "file.import",
            "Import drawing…",
            LazyFunction("panels.drawing_import", "ask_drawing_file"),
            "Ctrl+I",
        ),
        Action(
            "file.import_lens", "Import lens…", LazyFunction("panels.lens_import", "ask_lens_file")
        ),
        Action("file.import_modules", "Import modules…", modules.ask_import_modules),
        Menu("Open recent", fill=files.fill_recent_files_menu),
        Menu("Open example", fill=files.fill_examples_menu),
        SEPARATOR,
        Action("file.save", "Save", saving.save_document, Standard.Save, icon="save"),
        Action("file.save_as", "Save as…", saving.save_document_as, "Ctrl+Shift+S"),
        Action(
            "file.save_template",
            "Save as template…",
            templates.ask_save_template,
            enabled=HAS_OBJECTS,
        ),
        Action(
            "file.compare",
            "Compare with file…",
            LazyFunction("compare", "ask_file_to_compare"),
            enabled=HAS_OBJECTS,
        ),
        Menu("Compare with an open scene", fill=LazyFunction("compare", "fill_scenes_menu")),
        Action("file.copy_link", "Copy link to the scene", files.copy_link, enabled=HAS_OBJECTS),
        Action(
            "file.export",
            "Export figure…",
            LazyFunction("export.dialog", "ask_export"),
            "Ctrl+E",
            HAS_OBJECTS,
        ),
        Action(
            "file.export_lens",
            "Export lens…",
            LazyFunction("export.lens_file", "ask_lens_export"),
            enabled=LENS_SYSTEM,
        ),
        Action(
            "file.print",
            "Print…",
            LazyFunction("export.printing", "ask_print"),
            Standard.Print,
            HAS_OBJECTS,
        ),
        Menu(
            "Model Context Protocol",
            Action(
                "mcp.allow",
                "Let programs connect",
                lambda w: w.chat_dock.programs.allow_connections(not w.chat_dock.programs.allowed),
                checked=lambda w: w.chat_dock.programs.allowed,
            ),
            Action(
                "mcp.copy",
                "Copy a client's configuration",
                lambda w: _copy_text(bridge_configuration()),
            ),
            Action(
                "mcp.copy_address",
                "Copy a configuration with this run's token",
                _copy_window_configuration,
                enabled=PROGRAMS_ALLOWED,
            ),
        ),
        SEPARATOR,
        Action("file.close", "Close", lambda w: w.close(), "Ctrl+W"),
        Action("file.quit", "Quit", tabs.quit_program, "Ctrl+Q"),
    ),
    Menu(
        "Edit",
        Action(
            "edit.undo",
            lambda w: _history_step_title(tr("Undo"), w.document.session.history.undo_text),
            editing.undo_step,
            Standard.Undo,
            CAN_UNDO,
            icon="undo",
        ),
        Action(
            "edit.redo",
            lambda w: _history_step_title(tr("Redo"), w.document.session.history.redo_text),
            editing.redo_step,
            "Ctrl+Shift+Z",
            CAN_REDO,
            icon="redo",
            also=("Ctrl+Y",),
        ),
        SEPARATOR,
        Action(
            "edit.cut",
            "Cut",
            clipboard.cut_selection,
            Standard.Cut,
            SELECTED,
            scopes=CANVAS_AND_TREE,
        ),
        Action(
            "edit.copy",
            "Copy",
            clipboard.copy_selection,
            Standard.Copy,
            SELECTED,
            scopes=CANVAS_AND_TREE,
        ),
        Action(
            "edit.copy_picture",
            "Copy picture",
            LazyFunction("export.printing", "copy_picture"),
            "Ctrl+Shift+C",
            HAS_OBJECTS,
        ),
        Action(
            "edit.paste", "Paste", files.paste_clipboard, Standard.Paste, scopes=CANVAS_AND_TREE
        ),
        Action("edit.duplicate", "Duplicate", editing.duplicate_selection, "Ctrl+D", SELECTED),
        # the tree handles F2 and Ctrl+A itself
        Action("edit.rename", "Rename", layout.edit_object_name, "F2", ONE_SELECTED, scopes=CANVAS),
        Action(
            "edit.label_edges",
            "Label edges…",
            LazyFunction("dialogs", "ask_edge_labels"),
            enabled=EDGES_SELECTED,
        ),
        Action(
            "edit.delete",
            "Delete",
            editing.delete_selection,
            "Del",
            DELETABLE,
            scopes=CANVAS_AND_TREE,
            also=("Backspace",),
        ),
        SEPARATOR,
        Action(
            "edit.arrow",
            "Select and move",
            lambda w: w.canvas.activate_drawing_mode(None),
            "V",
            icon="arrow",
            checked=lambda w: not w.canvas.drawn_kind and not w.canvas.measurement_kind,
            scopes=CANVAS_AND_TREE,
        ),
        Action(
            "edit.select_all",
            "Select all",
            editing.select_all_visible,
            "Ctrl+A",
            HAS_OBJECTS,
            scopes=CANVAS,
            agent=True,
        ),
        Action(
            "edit.select_none",
            "Select none",
            lambda w: w.selection.clear(),
            "Ctrl+Shift+A",
            SELECTED,
            agent=True,
        ),
        Action(
            "edit.find", "Find an object", layout.focus_object_search, Standard.Find, HAS_OBJECTS
        ),
        SEPARATOR,
        Action("edit.settings", "Settings of the scene", layout.show_settings, "Ctrl+;"),
        Action(
            "edit.preferences",
            "Preferences…",
            LazyFunction("preferences.dialog", "show_preferences"),
            "Ctrl+,",
        ),
    ),
    Menu(
        "Arrange",
        Action("arrange.rotate", "Rotate…", editing.ask_rotation_angle, "Ctrl+R", SELECTED),
        Action(
            "arrange.rotate_left",
            "Rotate by 1° counter-clockwise",
            partial(editing.rotate_selection, degrees=1.0),
            "+",
            SELECTED,
            scopes=CANVAS,
        ),
        Action(
            "arrange.rotate_right",
            "Rotate by 1° clockwise",
            partial(editing.rotate_selection, degrees=-1.0),
            "-",
            SELECTED,
            scopes=CANVAS,
        ),
        Action("arrange.scale", "Scale…", editing.ask_scale_factor, enabled=SELECTED),
        SEPARATOR,
        Action(
            "arrange.mirror_across",
            "Mirror left to right",
            partial(editing.mirror_selection, axis=90.0),
            "Ctrl+M",
            SELECTED,
        ),
        Action(
            "arrange.mirror_down",
            "Mirror top to bottom",
            partial(editing.mirror_selection, axis=0.0),
            "Ctrl+Shift+M",
            SELECTED,
        ),
        SEPARATOR,
        Menu(
            "Align",
            _align_action("left", "Left sides"),
            _align_action("centre", "Centres, on a vertical line"),
            _align_action("right", "Right sides"),
            SEPARATOR,
            _align_action("top", "Top sides"),
            _align_action("middle", "Centres, on a horizontal line"),
            _align_action("bottom", "Bottom sides"),
            SEPARATOR,
            Action(
                "arrange.distribute_x",
                "Distribute horizontally",
                partial(editing.distribute_selection, axis="x"),
                enabled=THREE_SELECTED,
            ),
            Action(
                "arrange.distribute_y",
                "Distribute vertically",
                partial(editing.distribute_selection, axis="y"),
                enabled=THREE_SELECTED,
            ),
        ),
        SEPARATOR,
        Action(
            "arrange.focus",
            "Move to best focus",
            editing.move_selection_to_focus,
            enabled=ONE_SELECTED,
        ),
        SEPARATOR,
        Action("arrange.group", "Group", editing.group_selection, "Ctrl+Shift+G", SEVERAL_SELECTED),
        Action("arrange.rename_group", "Rename group…", editing.ask_group_name, enabled=ONE_GROUP),
        Action("arrange.ungroup", "Ungroup", editing.ungroup_selection, "Ctrl+Shift+U", GROUPED),
        SEPARATOR,
        Action("arrange.make_module", "Make module…", modules.ask_make_module, enabled=SELECTED),
        Action("arrange.expand", "Break module up", modules.expand_instances, enabled=INSTANCE),
        SEPARATOR,
        Action(
            "arrange.front",
            "Bring to front",
            partial(editing.reorder_selection, forward=True, far=True),
            "Ctrl+Shift+]",
            SELECTED,
        ),
        Action(
            "arrange.forward",
            "Bring forward",
            partial(editing.reorder_selection, forward=True),
            "Ctrl+]",
            SELECTED,
        ),
        Action(
            "arrange.backward",
            "Send backward",
            partial(editing.reorder_selection, forward=False),
            "Ctrl+[",
            SELECTED,
        ),
        Action(
            "arrange.back",
            "Send to back",
            partial(editing.reorder_selection, forward=False, far=True),
            "Ctrl+Shift+[",
            SELECTED,
        ),
        SEPARATOR,
        Action(
            "arrange.lock",
            "Lock",
            editing.toggle_selection_locked,
            "L",
            SELECTED,
            checked=editing.is_selection_locked,
            scopes=CANVAS,
        ),
        Action(
            "arrange.hide",
            "Hide",
            editing.toggle_selection_hidden,
            "H",
            SELECTED,
            checked=editing.is_selection_hidden,
            scopes=CANVAS,
        ),
        Action(
            "arrange.show",
            "Show hidden objects",
            editing.show_hidden_objects,
            "Shift+H",
            HAS_HIDDEN,
            scopes=CANVAS,
        ),
        Action(
            "arrange.disable",
            "Let light pass",
            editing.toggle_selection_disabled,
            "D",
            SELECTED,
            checked=editing.is_selection_disabled,
            scopes=CANVAS,
        ),
    ),
    Menu(
        "View",
        Action(
            "view.fit",
            "Fit scene",
            lambda w: w.canvas.navigation.fit_scene(),
            "F",
            icon="fit",
            scopes=CANVAS,
            agent=True,
        ),
        Action(
            "view.fit_selection",
            "Fit selection",
            lambda w: w.canvas.navigation.fit_selection(),
            "Shift+F",
            SELECTED,
            scopes=CANVAS,
            agent=True,
        ),
        Action(
            "view.zoom_in",
            "Zoom in",
            lambda w: w.canvas.navigation.zoom(1.25),
            Standard.ZoomIn,
            icon="zoom_in",
            agent=True,
        ),
        Action(
            "view.zoom_out",
            "Zoom out",
            lambda w: w.canvas.navigation.zoom(0.8),
            Standard.ZoomOut,
            icon="zoom_out",
            agent=True,
        ),
        Action(
            "view.actual",
            "Actual size",
            lambda w: w.canvas.navigation.show_actual_size(),
            "Ctrl+0",
            agent=True,
        ),
        Action(
            "view.back",
            "Previous view",
            lambda w: w.document.go_to_previous_view(),
            "Alt+Left",
            HAS_PREVIOUS_VIEW,
            agent=True,
        ),
        Action(
            "view.forward",
            "Next view",
            lambda w: w.document.go_to_next_view(),
            "Alt+Right",
            HAS_NEXT_VIEW,
            agent=True,
        ),
        Menu("Saved views", fill=document_lists.fill_views_menu),
        SEPARATOR,
        _setting_action("view.grid", "Grid", "show_grid", "Ctrl+G", icon="grid"),
        Menu(
            "Snap to",
            Action(
                "snap.all",
                "Snapping",
                editing.toggle_all_snapping,
                "S",
                checked=editing.snaps_to_objects,
                scopes=CANVAS,
            ),
            *(_snap_action(kind) for kind in SNAPS if kind != GRID),
            SEPARATOR,
            _snap_action(GRID),
        ),
        Action(
            "view.clear",
            "Show all rays",
            lambda w: w.document.show_all_rays(),
            "Ctrl+Shift+L",
            RAYS_CHOSEN,
            agent=True,
        ),
        Menu(
            "Colour rays by",
            _coloring_action("", "The scene's colour mode"),
            *(_coloring_action(c.name, c.title) for c in COLORINGS.values()),
        ),
        Action(
            "view.background",
            "Background picture…",
            LazyFunction("background_dialog", "ask_background"),
        ),
        Action(
            "view.scale_background",
            "Scale background picture by two points…",
            LazyFunction("background_dialog", "ask_two_points"),
            enabled=HAS_BACKGROUND,
        ),
        _setting_action("view.arrows", "Ray arrows", "show_ray_arrows"),
        SEPARATOR,
        Menu(
            "Theme",
            *(
                _choice_action(
                    f"theme.{name}",
                    name.capitalize(),
                    name,
                    lambda w, name: w.preferences.choose_value(THEME, name),
                    lambda w: w.settings.get(THEME),
                )
                for name in THEME.choices
            ),
        ),
        Action(
            "view.full_screen",
            "Full screen",
            lambda w: w.window().setWindowState(
                w.window().windowState() ^ Qt.WindowState.WindowFullScreen
            ),
            "F11",
            checked=lambda w: w.window().isFullScreen(),
        ),
        Action(
            "view.present",
            "Present",
            presentation.toggle_presentation,
            "Shift+F11",
            checked=presentation.is_presenting,
        ),
    ),
    Menu(
        "Window",
        _dock_action("scene", "Scene and properties", "Ctrl+1", lambda w: w.scene_dock),
        _dock_action("rays", "Ray table", "Ctrl+2", lambda w: w.rays_dock, icon="rays"),
        _dock_action("chat", "Chat", "Ctrl+3", lambda w: w.chat_dock, icon="chat", agent=False),
        _dock_action("study", "Study panel", "Ctrl+4", lambda w: w.study_dock),
        _dock_action("inspector", "Inspector", "Ctrl+5", lambda w: w.inspector_dock),
        _dock_action("plots", "Plots", "Ctrl+6", lambda w: w.plots_dock),
        _dock_action("json", "Scene as JSON", "Ctrl+7", lambda w: w.json_dock),
        Action("view.history", "History", layout.show_history, "Ctrl+8"),
        _dock_action("lens", "Lens data", "Ctrl+9", lambda w: w.lens_dock),
        _dock_action("merit", "Lens merit", "Ctrl+Shift+9", lambda w: w.merit_dock),
        _dock_action("parameters", "Parameters", "Ctrl+Shift+4", lambda w: w.parameter_dock),
        _dock_action("console", "Python console", None, lambda w: w.console_dock, agent=False),
        *(_dock_action(f"added.{title}", title, None, _dock_function(title)) for title in PANELS),
        SEPARATOR,
        Action("chat.ask", "Ask about the light", lambda w: w.chat_dock.focus_composer(), "Ctrl+L"),
        Menu(
            "Conversation",
            Action(
                "chat.new",
                "New conversation",
                lambda w: w.chat_dock.start_over(),
                enabled=HAS_CONVERSATION,
            ),
            Menu(
                "Earlier conversations",
                fill=lambda w, menu: w.chat_dock.conversations.fill_conversation_menu(menu),
            ),
            SEPARATOR,
            *(
                Action(
                    f"chat.{id}",
                    title,
                    lambda w, run=run: run(w.chat_dock.conversation, w.document, w),  # type: ignore[misc]
                    enabled=HAS_CONVERSATION,
                )
                for id, (title, run) in EXPORTS.items()
            ),
            SEPARATOR,
            Action("chat.connect", "Connect a model…", lambda w: w.chat_dock.open_model_form()),
            Action(
                "chat.attach",
                "Attach pictures…",
                lambda w: w.chat_dock.composer.choose_pictures(),
                enabled=HAS_MODEL,
            ),
            Action("chat.retry", "Retry", lambda w: w.chat_dock.retry(), enabled=CAN_RETRY),
            Action("chat.stop", "Stop the agent", lambda w: w.chat_dock.stop(), enabled=ANSWERING),
        ),
        SEPARATOR,
        Action(
            "tab.next",
            "Next tab",
            tabs.show_next_tab,
            "Ctrl+Tab",
            SEVERAL_TABS,
            also=("Ctrl+PgDown",),
        ),
        Action(
            "tab.previous",
            "Previous tab",
            partial(tabs.show_next_tab, step=-1),
            "Ctrl+Shift+Tab",
            SEVERAL_TABS,
            also=("Ctrl+PgUp",),
        ),
        Action("tab.detach", "Move to a new window", tabs.detach_tab, enabled=SEVERAL_TABS),
        Action("window.reset", "Reset the layout", layout.reset_layout),
    ),
    Menu(
        "Insert",
        Action(
            "insert.library",
            "Library…",
            layout.toggle_library,
            "A",
            icon="library",
            checked=layout.is_library_visible,
            scopes=CANVAS_AND_TREE,
            also=("Ins",),
        ),
        *(
            row
            for family, kinds in ALL_FAMILIES.items()
            for row in ([SEPARATOR] if family in ("Light", "Lenses") else [])
            + [_family_menu(family, kinds)]
        ),
        SEPARATOR,
        Menu("Module", fill=modules.fill_modules_menu),
        SEPARATOR,
        Action(
            "insert.keep",
            "Keep the tool after drawing",
            lambda w: w.toggle_keep_tool(),
            "K",
            checked=lambda w: w.canvas.keeps_tool,
            scopes=CANVAS,
        ),
    ),
    Menu(
        "Study",
        *(
            Action(
                f"study.{kind}",
                f"{kind.capitalize()}…",
                partial(layout.show_study, kind=kind),
                enabled=HAS_OBJECTS,
            )
            for kind in ("sweep", "optimise", "tolerance")
        ),
        SEPARATOR,
        Action("study.play", "Play…", layout.play_study, enabled=HAS_OBJECTS),
    ),
    Menu(
        "Trace",
        Action("trace.again", "Trace again", lambda w: w.service.start(), "F5", agent=True),
        Action(
            "trace.stop",
            "Stop tracing",
            lambda w: w.stop_tracing(),
            "Ctrl+.",
            TRACING,
        ),
    ),
    Menu(
        "Help",
        Action("help.welcome", "Welcome", lambda w: help_windows.WelcomePage(w).show()),
        Action(
            "help.guides",
            "Guides",
            lambda w: help_windows.GuidesDialog(w).show(),
            Standard.HelpContents,
        ),
        Action(
            "help.keys",
            "Keys",
            lambda w: help_windows.show_shortcut_sheet(w, _actions_with_titles(w), CANVAS_KEYS),
            "Ctrl+/",
        ),
        Action(
            "help.palette",
            "Find an action…",
            lambda w: help_windows.CommandPalette(_findable_actions(w), w).open_over(w),
            "Ctrl+K",
            also=("Ctrl+Shift+P",),
        ),
        SEPARATOR,
        Action(
            "help.diagnostics",
            "Copy diagnostics",
            lambda w: _copy_text(diagnostics_text(w)),
        ),
        Action(
            "help.about",
            "About Raybench",
            lambda w: help_windows.show_about(w, diagnostics_text(w)),
        ),
    ),
)
"""All menus."""
ACTIONS = tuple(row for row in flatten_menu_rows(MENU_TABLE) if isinstance(row, Action))
MENUS = ("File", "Edit", "Insert", "Arrange", "View", "Study", "Trace", "Window", "Help")
"""The menu bar."""
CONTEXT_MENU = (
    ("edit.rename", "edit.cut", "edit.copy", "edit.duplicate", "edit.delete"),
    ("arrange.hide", "arrange.disable", "arrange.lock"),
    ("arrange.group", "arrange.rename_group", "arrange.ungroup"),
    ("Arrange",),
    ("view.fit_selection", "study.sweep"),
)
"""The context menu of objects on the canvas and in the tree, in groups: actions by id, and menus by
name.
"""
EMPTY_CONTEXT_MENU = (
    ("Insert",),
    ("edit.paste", "edit.select_all"),
    ("arrange.show",),
    ("view.fit", "view.grid"),
)
"""The context menu where there is no object."""
TOOL_BAR = (
    ("file.open", "file.save"),
    ("edit.undo", "edit.redo"),
    ("view.fit", "view.zoom_in", "view.zoom_out", "view.grid"),
    ("view.rays", "view.chat"),
)
"""The tool bar, in groups."""


def check_action_table(table: Iterable[Menu]) -> None:
    """Raise InvalidAction if two rows have the same id, or if a tool bar names an action that no
    row has.
    """
    names = [row.id if isinstance(row, Action) else row.title for row in flatten_menu_rows(table)]
    if twice := [name for i, name in enumerate(names) if name in names[:i]]:
        raise InvalidAction(f"There are two rows '{twice[0]}' in the table of actions.")
    for group in (*CONTEXT_MENU, *EMPTY_CONTEXT_MENU, *TOOL_BAR, MENUS):
        for name in group:
            if name not in names:
                raise InvalidAction(
                    f"The tool bar or a menu names '{name}', which is neither an action nor a menu."
                )


check_action_table(MENU_TABLE)
