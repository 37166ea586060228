"""The wheel works by itself: built, installed into a new environment, run from an empty folder."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

ROOT = Path(__file__).parents[2]


def run(*command: object, cwd: Path, **environment: str) -> str:
    kept = {
        k: v
        for k, v in os.environ.items()
        if not k.startswith(("PYTHON", "ANTHROPIC_", "DISPLAY", "WAYLAND_"))
    }
    done = subprocess.run(
        [str(c) for c in command],
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=700,
        env=kept | environment,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_wheel_tours_and_runs_the_example_project_from_an_empty_folder(tmp_path: Path) -> None:
    run(
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "-q",
        "--no-deps",
        "--no-build-isolation",
        "-w",
        tmp_path,
        ROOT,
        cwd=tmp_path,
    )
    (wheel,) = tmp_path.glob("raybench-*.whl")
    run(sys.executable, "-m", "venv", "--without-pip", tmp_path / "venv", cwd=tmp_path)
    python = tmp_path / "venv" / "bin" / "python"
    site = Path(
        run(
            python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=tmp_path
        ).strip()
    )
    run(
        sys.executable,
        "-m",
        "pip",
        "install",
        "-q",
        "--no-deps",
        "--no-index",
        "--target",
        site,
        wheel,
        cwd=tmp_path,
    )
    # what Raybench needs comes from here, for a test has no network; a .pth of that folder is not
    # followed, so the checkout stays out
    (site / "needs.pth").write_text(sysconfig.get_path("purelib") + "\n")
    empty = tmp_path / "empty"
    empty.mkdir()
    where = run(
        python,
        "-c",
        "import raybench, raybench_workbench; print(raybench.__file__,"
        " raybench_workbench.__file__)",
        cwd=empty,
    )
    assert str(ROOT) not in where
    printed = run(
        python,
        "-m",
        "raybench_workbench",
        "tour",
        cwd=empty,
        QT_QPA_PLATFORM="offscreen",
        RAYBENCH_CACHE_DIR=str(tmp_path / "cache"),
    )
    assert (empty / "tour.png").read_bytes().startswith(b"\x89PNG")
    transcript = (empty / "tour.md").read_text(encoding="utf-8")
    assert "find_rays" in transcript
    assert "tour.png" in printed
    where = run(
        python,
        "-c",
        "from importlib.resources import files; print(files('raybench_resources') / 'examples' /"
        " 'project')",
        cwd=empty,
    )
    project = Path(where.strip())
    kept = {
        "RAYBENCH_CACHE_DIR": str(tmp_path / "cache"),
        "RAYBENCH_CONFIG_DIR": str(tmp_path / "config"),
    }
    replies = f"scripted:{project / 'replies.json'}"
    printed = run(
        python,
        "-m",
        "raybench_workbench",
        "run",
        project,
        "--trust",
        "--model",
        replies,
        cwd=empty,
        **kept,
    )
    assert "Coat the faces of the prism." in printed
