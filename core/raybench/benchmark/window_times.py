"""Times of the window's thread, measured in a process of their own."""

from __future__ import annotations

import json
import subprocess
import sys

from raybench.system.child_process import child_environment


def window_times(module: str, *arguments: object) -> dict[str, float]:
    """What a module of `raybench_workbench.timing` prints, by its keys; if it fails nothing, and
    its last line is passed on to stderr.
    """
    command = [sys.executable, "-m", f"raybench_workbench.timing.{module}", *map(str, arguments)]
    done = subprocess.run(
        command, capture_output=True, text=True, env=child_environment(QT_QPA_PLATFORM="offscreen")
    )
    if done.returncode:
        reason = (done.stderr.strip() or f"it ended with {done.returncode}").splitlines()[-1]
        print(f"The times of '{module}' were not measured: {reason}", file=sys.stderr)
        return {}
    return {key: float(value) for key, value in json.loads(done.stdout.splitlines()[-1]).items()}
