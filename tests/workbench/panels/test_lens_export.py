"""A lens system of the document is written for another lens program."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QFileDialog, QMessageBox

from raybench.files.document_file import load_document
from raybench.files.examples import named_examples
from raybench.lens.opening import read_lens_file
from raybench.lens.paraxial import first_order


def test_lens_is_exported_and_what_is_left_out_is_told(
    open_window, qtbot, tmp_path: Path, monkeypatch
) -> None:
    window = open_window(load_document(Path(str(named_examples()["example:triplet"]))))
    out = tmp_path / "objective.seq"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(out), ""))
    window.actions_by_id["file.export_lens"].trigger()
    box = QApplication.activeModalWidget()
    assert isinstance(box, QMessageBox)
    assert "t6 = focus: written as the number" in box.informativeText()
    box.close()
    system, _ = read_lens_file(out)
    assert first_order(system).focal_length == pytest.approx(50.0017, abs=1e-4)
