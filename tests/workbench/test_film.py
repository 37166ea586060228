"""Films of studies: each frame shows its row in one view, and files are what their names say."""

from __future__ import annotations

import io
import os
import stat
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from PySide6.QtWidgets import QApplication
from tests.core.study.scenes import lens_scene, prism_scene

from raybench.errors import RaybenchError
from raybench.study.sweep import Sweep
from raybench.study.table import build_table
from raybench.view import View
from raybench_workbench import film as films
from raybench_workbench.cli import main
from raybench_workbench.film import Film, film_pictures, film_writer
from raybench_workbench.theme import DARK

SIZE = (300, 240)


@pytest.fixture
def film(raybench_app: QApplication) -> Film:
    """A prism that turns by 30° in three frames, above the curve of its deviation."""
    sweep = Sweep.build(prism_scene(), ["Prism.angle=-20..10:3"], ["deviation(Prism)"])
    rows = [(point.values, point.measures) for point in sweep.run(threads=1)]
    table = build_table(sweep.experiment, rows)
    values = [values for values, _ in rows]
    return Film(sweep.experiment, values, table, 1, DARK, SIZE, View(), 20, returns=True)


def pixels(data: bytes) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(data)).convert("RGB")).astype(int)


def test_frames_show_their_rows_in_one_view(film: Film) -> None:
    done: list[float] = []
    first, second, third = map(pixels, film_pictures(film, done.append))
    assert first.shape == (SIZE[1], SIZE[0], 3)
    assert done == sorted(done)
    assert done[-1] < 1
    scene, below = slice(0, film.scene_height), slice(film.scene_height, None)
    for one, other in ((first, second), (second, third)):
        assert (one[scene] != other[scene]).any()
        assert (one[below] != other[below]).any()  # the numbers and the mark
    left = slice(0, 20)  # the beam before the prism does not move
    assert (first[scene, left] == third[scene, left]).all()


def test_a_gif_goes_there_and_back(film: Film, tmp_path: Path) -> None:
    (out,) = film_writer(film, tmp_path / "film.gif")(lambda done: None)
    with Image.open(out) as gif:
        assert gif.n_frames == 4
        assert gif.info["duration"] == 50
        assert gif.info["loop"] == 0


def test_rows_that_cannot_be_traced_are_left_out(film: Film) -> None:
    refused = Sweep.build(lens_scene(), ["settings.rayModeDensity=1,1e9"], ["power(Screen)"])
    rows = [(point.values, point.measures) for point in refused.run(threads=1)]
    table = build_table(refused.experiment, rows)
    values = [values for values, _ in rows]
    some = Film(refused.experiment, values, table, 1, DARK, SIZE, View(), 20)
    assert len(list(film_pictures(some, lambda done: None))) == 1


def test_mp4_is_made_by_ffmpeg_and_says_where_it_is_missing(
    film: Film, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(RaybenchError, match=r"ffmpeg, which is not found. Install it, or .*\.gif"):
        film_writer(film, tmp_path / "film.mp4")
    program = tmp_path / films.FFMPEG
    program.write_text('#!/bin/sh\nfor out; do :; done\n/bin/cat > "$out"\n')
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    (out,) = film_writer(film, tmp_path / "film.mp4")(lambda done: None)
    assert out.read_bytes().count(b"\x89PNG") == 4
    program.write_text("#!/bin/sh\necho no such encoder >&2; exit 1\n")
    with pytest.raises(RaybenchError, match="ffmpeg made no film: no such encoder"):
        film_writer(film, tmp_path / "film.mp4")(lambda done: None)


def test_the_command_writes_numbered_frames(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "turn.png"
    arguments = ["Main Prism.angle=-5..5:2", "--size", "200x160", "--theme", "dark"]
    assert main(["film", "example:prism", str(out), *arguments]) == 0
    assert sorted(os.listdir(tmp_path)) == ["turn-1.png", "turn-2.png"]
    assert "turn-1.png to" in capsys.readouterr().out
    assert main(["film", "example:prism", str(tmp_path / "a.avi"), *arguments]) == 1
    assert "a film is not written as '.avi'" in capsys.readouterr().err
