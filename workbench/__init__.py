"""The Qt application and the command line."""

import os
import sys

if sys.argv[:1] == ["-m"] and not sys.flags.safe_path and sys.path[0] == os.getcwd() != os.path.dirname(__path__[0]):
    # ``python -m workbench``: what lies beside a scene in the current folder, such as a random.py, is not to be imported
    del sys.path[0]
