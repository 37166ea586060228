"""The Qt application and the command line."""

import os
import sys

if (
    sys.argv[:1] == ["-m"]
    and not sys.flags.safe_path
    and sys.path[0] == os.getcwd() != os.path.dirname(__path__[0])
):
    # ``python -m raybench_workbench``: do not import modules from the current folder, such as a
    # random.py beside a scene
    del sys.path[0]
