"""Export of a lens system of the document to a lens file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from raybench.errors import RaybenchError
from raybench.files.atomic import write_bytes
from raybench.files.shared import LENS_SUFFIXES
from raybench.lens.in_document import lens_parts, write_lens_part
from raybench_workbench.dialogs import ask_save_name, show_notes
from raybench_workbench.translation import tr

if TYPE_CHECKING:
    from raybench_workbench.main_window import MainWindow

FILTERS = tr("Zemax lens (*.zmx);;CODE V lens (*.seq);;OSLO lens (*.len)")


def ask_lens_export(window: MainWindow) -> None:
    """Ask for a file and write the selected lens system, or the only one, to it. Then show what the
    file leaves out.
    """
    document = window.document.document
    parts, selected = lens_parts(document), window.selection.keys
    chosen = [name for name, part in parts.items() if selected & part.present_objects.keys()]
    name, *others = chosen or parts
    if others:
        window.document.failed.emit(tr("There are several lens systems. Select one first."))
        return
    suggested = (window.document.folder or Path()) / f"{name}.zmx"
    out = ask_save_name(window, tr("Export {name}", name=name), suggested, FILTERS, LENS_SUFFIXES)
    if out is None:
        return
    try:
        data, omitted = write_lens_part(document, name, out.name)
        write_bytes(out, data)
    except RaybenchError as error:
        window.document.failed.emit(str(error))
        return
    show_notes(window, tr("{name} was written", name=out.name), omitted, tr("The file leaves out:"))
