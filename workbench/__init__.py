"""The Qt application and the command line."""

import os
import sys
from pathlib import Path

if sys.argv[:1] == ["-m"] and not sys.flags.safe_path and Path(sys.path[0]) != Path(__path__[0]).parent and sys.path[0] == os.getcwd():
    # ``python -m workbench.cli``: what lies beside a scene in the current folder, such as a random.py, is not to be imported
    del sys.path[0]
