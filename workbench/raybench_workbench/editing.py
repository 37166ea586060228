"""Actions on the selection: copying, deleting, rotating, aligning, grouping, hiding and reordering
objects. Also undo and redo.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial
from itertools import takewhile
from typing import TYPE_CHECKING

from raybench.errors import elide_text, in_quotes
from raybench.kinds.fields import described_fields
from raybench.phrase import Phrase
from raybench.scene.alignment import (
    Axis,
    Side,
    TooFewObjects,
    moves_to_align_objects,
    moves_to_distribute_objects,
)
from raybench.scene.changes import (
    Changes,
    Delete,
    Disable,
    Duplicate,
    Group,
    Hide,
    Mirror,
    Move,
    Reorder,
    Rotate,
    Scale,
    Set,
    SetSettings,
    Ungroup,
)
from raybench.scene.changes.change import describe_target_objects
from raybench.scene.changes.placing import SCALE_FACTOR_RANGE
from raybench.scene.free_names import free_names
from raybench.scene.locks import is_locked, unlocked_keys
from raybench.scene.snapping.targets import GRID, SNAPS
from raybench_workbench.dialogs import NameDialog, NumberDialog
from raybench_workbench.measuring.panel import delete_measurements
from raybench_workbench.preferences.choices import SNAPS_OFF
from raybench_workbench.threads import error_reason, run_in_background
from raybench_workbench.translation import tr

if TYPE_CHECKING:
    from raybench_workbench.main_window import MainWindow


def change_unlocked_selection(
    window: MainWindow,
    make_changes: Callable[[frozenset[int]], Changes],
    error_verb: str,
    undo_predicate: str = "",
) -> bool:
    """Apply the changes that ``make_changes`` returns for the selected objects that are not locked;
    returns whether that succeeded. If all are locked, or too few are left (`TooFewObjects`), the
    document reports an error; ``error_verb`` says in it what cannot be done.

    ``undo_predicate`` says in the undo step what was done to the objects, see `step_description`.
    """
    keys = unlocked_keys(window.document.scene, window.selection.keys)
    try:
        if keys:
            return window.document.change(
                make_changes(keys), text=step_description(window, keys, undo_predicate)
            )
        problem = tr(
            "The selection is locked. Unlock it in its properties to {verb} it.", verb=error_verb
        )
    except TooFewObjects as error:
        problem = str(error)
    window.document.failed.emit(problem)
    return False


def step_description(window: MainWindow, keys: Collection[int], predicate: str) -> str:
    """The description of an undo step: the names of the objects, followed by ``predicate``, which
    says what was done to them; empty if ``predicate`` is empty.
    """
    if not predicate:
        return ""
    objects = describe_target_objects(window.document.document, sorted(keys))
    return Phrase("{objects} {done}", objects=objects, done=predicate)


def rotate_selection(window: MainWindow, degrees: float) -> bool:
    """Rotate the selection about its centre, or the chosen pivot, counter-clockwise as seen."""
    return change_unlocked_selection(
        window, lambda keys: Rotate(keys, degrees, window.canvas.pivot), "rotate"
    )


def mirror_selection(window: MainWindow, axis: float) -> bool:
    """Reflect the selection at a line in the direction ``axis``, in degrees, through its centre or
    the chosen pivot.
    """
    return change_unlocked_selection(
        window, lambda keys: Mirror(keys, axis, window.canvas.pivot), "mirror"
    )


def scale_selection(window: MainWindow, factor: float) -> bool:
    """Scale the selection about its centre, or the chosen pivot."""
    return change_unlocked_selection(
        window, lambda keys: Scale(keys, factor, window.canvas.pivot), "scale"
    )


def align_selection(window: MainWindow, side: Side, title: str) -> bool:
    """Align the selected objects and groups at one side or at their centres. ``title`` describes
    the step in the history.
    """
    document = window.document.document
    return change_unlocked_selection(
        window,
        lambda keys: moves_to_align_objects(document, keys, side),
        "align",
        tr("aligned: {name}", name=title.lower()),
    )


def distribute_selection(window: MainWindow, axis: Axis) -> bool:
    """Space the selected objects and groups along ``axis`` with equal gaps."""
    document = window.document.document
    done = tr("distributed horizontally") if axis == "x" else tr("distributed vertically")
    return change_unlocked_selection(
        window, lambda keys: moves_to_distribute_objects(document, keys, axis), "distribute", done
    )


def ask_rotation_angle(window: MainWindow) -> None:
    """Ask for an angle and rotate the selection by it."""
    label = tr("Angle, counter-clockwise as seen, such as 7 or 0.1 rad:")
    act, unit = partial(rotate_selection, window), window.document.document.unit
    NumberDialog(tr("Rotate"), label, 15.0, "deg", unit, act, window).open()


def ask_scale_factor(window: MainWindow) -> None:
    """Ask for a factor and scale the selection by it."""
    label, act = tr("Factor, such as 2 or 1/3:"), partial(scale_selection, window)
    unit = window.document.document.unit
    NumberDialog(tr("Scale"), label, 2.0, "", unit, act, window, SCALE_FACTOR_RANGE).open()


def toggle_selection_hidden(window: MainWindow) -> None:
    """Hide the selected objects, which still act on light. If all of them are hidden, show them."""
    on = not is_selection_hidden(window)
    if window.document.change(Hide(window.selection.keys, on=on)) and on:
        window.selection.clear()


def is_selection_hidden(window: MainWindow) -> bool:
    """Whether all selected objects are hidden."""
    return frozenset() < window.selection.keys <= window.document.document.hidden


def show_hidden_objects(window: MainWindow) -> None:
    """Show all hidden objects, and select them."""
    hidden = window.document.document.hidden & {o.key for o in window.document.scene.objects}
    if window.document.change(Hide(hidden, on=False)):
        window.selection.select_and_show(hidden)


def toggle_selection_disabled(window: MainWindow) -> None:
    """Disable the selected objects, so that light passes through them. If all of them are disabled,
    enable them.
    """
    window.document.change(Disable(window.selection.keys, on=not is_selection_disabled(window)))


def is_selection_disabled(window: MainWindow) -> bool:
    """Whether all selected objects are disabled, so that light passes through them."""
    return frozenset() < window.selection.keys <= window.document.document.disabled


def toggle_selection_locked(window: MainWindow) -> None:
    """Lock the selected objects. If all of them are locked, unlock them."""
    free = "unlocked" if window.document.scene.settings.lock_objs else "default"
    locked = free if is_selection_locked(window) else "locked"
    window.document.change(Set(window.selection.keys, {"locked": locked}))


def is_selection_locked(window: MainWindow) -> bool:
    """Whether all selected objects are locked."""
    scene = window.document.scene
    objects = [o for o in scene.objects if o.key in window.selection.keys]
    return bool(objects) and all(is_locked(scene, o) for o in objects)


def group_selection(window: MainWindow) -> None:
    """Group the selected objects under the next free name. A click on one of them then selects the
    whole group.
    """
    document = window.document.document
    taken = {o.title for o in document.scene.objects} | set(document.groups)
    window.document.change(Group(window.selection.keys, next(free_names("Group", taken))))


def ungroup_selection(window: MainWindow) -> None:
    """Dissolve all groups that contain selected objects."""
    window.document.change([Ungroup(name) for name in selected_group_names(window)])


def ask_group_name(window: MainWindow) -> None:
    """Ask for a new name for the group of the selected objects, by which questions and tools refer
    to it.
    """
    (old,) = selected_group_names(window)

    def rename_group(name: str) -> str:
        groups = window.document.document.groups
        if old not in groups or name.strip() == old:
            return ""
        if name.strip() in groups:
            return tr(
                "There is a group {name} already. Give another name.",
                name=in_quotes(name.strip()),
            )
        text = tr(
            "{name} renamed to {other}",
            name=elide_text(old, 60),
            other=elide_text(name.strip(), 60),
        )
        return window.document.apply_or_refuse([Ungroup(old), Group(groups[old], name)], text=text)

    NameDialog(tr("Rename group"), tr("Name of the group"), old, rename_group, window).open()


def selected_group_names(window: MainWindow) -> list[str]:
    """The names of the groups that contain selected objects."""
    groups = window.document.document.groups
    return [name for name, keys in groups.items() if keys & window.selection.keys]


def reorder_selection(window: MainWindow, *, forward: bool, far: bool = False) -> None:
    """Move the selection one place in the drawing order, or all the way if ``far``; ``forward``
    moves it towards the front.
    """
    order = [o.key for o in window.document.scene.objects]
    # those at the end are there already
    at_end = takewhile(window.selection.keys.__contains__, reversed(order) if forward else order)
    keys = window.selection.keys.difference(at_end)
    places = [i for i, k in enumerate(order) if k in keys]
    if not places:
        return
    front, back = (places[0], places[-1]) if far else (places[-1], places[0])
    passed = order[front + 1 :] if forward else order[:back]
    others = [k for k in passed if k not in window.selection.keys]
    if not others:
        return
    anchor = others[-1 if far == forward else 0]
    if forward:
        change, done = (
            Reorder(keys, after=anchor),
            tr("brought to front") if far else tr("brought forward"),
        )
    else:
        change, done = (
            Reorder(keys, before=anchor),
            tr("sent to back") if far else tr("sent backward"),
        )
    window.document.change(change, text=step_description(window, keys, done))


def move_selection_to_focus(window: MainWindow) -> None:
    """Move the selected detector, or another straight line, along its light to the place where the
    light's spot is smallest.
    """
    (key,) = window.selection.keys
    document, result = window.document.document, window.document.session.fresh_result
    obj = document.scene.get(key)
    if obj is None or result is None:
        window.document.failed.emit(
            tr("The scene is still being traced. Choose it again when it is complete.")
        )
        return
    if is_locked(document.scene, obj):
        window.document.failed.emit(
            tr(
                "{name} is locked. Unlock it in its properties to move it.",
                name=in_quotes(elide_text(obj.title)),
            )
        )
        return

    def compute() -> Move:
        from raybench.agent.scene_tools.move_to_focus import focusing_move
        from raybench.analysis.context import TracedScene
        from raybench.analysis.measures.light import Light

        context = TracedScene.from_document(document, result)
        return focusing_move(context, Light.from_context(context), obj)[0]

    def move(change: Move) -> None:
        if window.document.document is document:
            window.document.change(
                change, text=step_description(window, [key], tr("moved to the best focus"))
            )

    def fail(error: Exception) -> None:
        window.document.failed.emit(error_reason(error, tr("Moving to the best focus")))

    run_in_background(window, compute, move, fail)


def undo_step(window: MainWindow) -> None:
    """Undo the last step."""
    _step_in_history(window, window.document.undo)


def redo_step(window: MainWindow) -> None:
    """Redo the step that was undone last."""
    _step_in_history(window, window.document.redo)


def _step_in_history(window: MainWindow, step: Callable[[], None]) -> None:
    """Undo or redo one step, and select the objects that reappeared."""
    before = set(_visible_keys(window))
    step()
    now = _visible_keys(window)
    came = [key for key in now if key not in before]
    # not where all objects are others, as after a reload
    if came and not (before and len(came) == len(now)):
        window.selection.select_and_show(came)


def _visible_keys(window: MainWindow) -> list[int]:
    """The keys of the objects that are not hidden."""
    hidden = window.document.document.hidden
    return [o.key for o in window.document.scene.objects if o.key not in hidden]


def select_all_visible(window: MainWindow) -> None:
    """Select all visible objects."""
    window.selection.set(_visible_keys(window))


def delete_selection(window: MainWindow) -> None:
    """Delete the selected measurements, else the selected objects."""
    if window.selection.measurements:
        delete_measurements(window.document, window.selection)
    else:
        change_unlocked_selection(window, Delete, "delete")


def duplicate_selection(window: MainWindow) -> None:
    """Duplicate the selected objects, and select the copies."""
    step, scene = window.canvas.navigation.copy_offset, window.document.scene
    keys = [o.key for o in scene.objects if o.key in window.selection.keys]
    doubled = Duplicate(keys, step, step)
    if window.document.change(doubled):
        window.selection.select_and_show(doubled.copies)


def toggle_setting(window: MainWindow, name: str) -> None:
    """Switch a flag of the scene's settings on or off; ``name`` is the name of the setting."""
    settings = window.document.scene.settings
    json_name = next(f.json_name for f in described_fields(type(settings)) if f.name == name)
    window.document.change(SetSettings({json_name: not getattr(settings, name)}))


def snaps_to_objects(window: MainWindow) -> bool:
    """Whether the pointer snaps to any target other than the grid."""
    return bool(window.canvas.snapper.enabled_kinds - {GRID})


def toggle_all_snapping(window: MainWindow) -> None:
    """Switch off all snapping except to the grid, or restore it as it was."""
    snapper = window.canvas.snapper
    if snaps_to_objects(window):
        snapper.off_before = snapper.off
        _switch_off_snapping(window, frozenset(SNAPS))
    else:
        _switch_off_snapping(window, snapper.off_before)


def toggle_snapping(window: MainWindow, kind: str) -> None:
    """Switch a kind of snapping on or off."""
    if kind == GRID:
        toggle_setting(window, "snap_to_grid")
    else:
        _switch_off_snapping(window, window.canvas.snapper.off ^ {kind})


def _switch_off_snapping(window: MainWindow, kinds: frozenset[str]) -> None:
    window.preferences.choose_value(SNAPS_OFF, kinds - {GRID})
