"""Programs that save and edit documents, and are killed meanwhile. They report the number of each
version that they have written.
"""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Sequence

REPORTING = """
import os
from raybench.files import recovery

def say(what):
    os.write(1, f"{what}\\n".encode())  # in one piece, whatever thread says it

class Slot(recovery.RecoverySlot):
    def write(self, draft):
        super().write(draft)
        say(number(draft.document))

recovery.RecoverySlot = Slot
recovery.MIN_INTERVAL_RATIO = 0.0
"""
"""The beginning of a program: it reports the recovery files that it writes. The program defines
`number`, and says when it is ready.
"""


def killed(program: str, arguments: Sequence[str], after: float) -> list[int]:
    """Run a program until it is killed ``after`` some seconds of work; the versions that it
    reported.
    """
    with subprocess.Popen(
        [sys.executable, "-c", REPORTING + program, *arguments], stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            for line in process.stdout:
                if line == "ready\n":
                    break
            time.sleep(after)
        finally:
            process.send_signal(signal.SIGKILL)
        return [
            int(line)
            for line in process.stdout.read().splitlines(keepends=True)
            if line.endswith("\n")
        ]
