"""What the site takes from elsewhere: the guides of the help, a picture of the window, and the
first figure of each notebook for the gallery.
"""

import base64
import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

from raybench.agent.catalogue import default_tools
from raybench.agent.catalogue.help import guide_pages

PICTURE = Path(__file__).parents[2] / "tests/screenshots/window-chat-answer.png"


def on_files(files: Files, config: Any) -> Files:
    """Add the guides and the picture."""
    for name, text in (guide_pages() | {"tools.md": default_tools.help_page()}).items():
        files.append(File.generated(config, f"guides/{name}", content=text))
    files.append(File.generated(config, "window.png", abs_src_path=str(PICTURE)))
    return files


def on_post_build(config: Any) -> None:
    """Store the figures of the gallery."""
    for page in Path(config.site_dir, "gallery").glob("*/index.html"):
        figure = re.search(r'"data:image/png;base64,([^"]+)"', page.read_text("utf-8"))
        if figure is not None:
            page.parent.with_suffix(".png").write_bytes(base64.b64decode(figure[1]))
