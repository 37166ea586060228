"""What every test may rely on: no display, no proxy, and no key from the machine it runs on."""

from __future__ import annotations

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
for _name in list(os.environ):
    if _name.startswith("ANTHROPIC_") or _name.lower() in ("http_proxy", "https_proxy", "all_proxy"):
        del os.environ[_name]
