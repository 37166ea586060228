"""What the site takes from elsewhere: the guides of the help, and a picture of the window."""

from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

from raybench.agent.catalogue import default_tools
from raybench.agent.catalogue.help import guide_pages

PICTURE = Path(__file__).parents[2] / "tests/screenshots/window-chat-answer.png"


def on_files(files: Files, config: Any) -> Files:
    """Add the guides and the picture."""
    for name, text in (guide_pages() | {"tools.md": default_tools.guide()}).items():
        files.append(File.generated(config, f"guides/{name}", content=text))
    files.append(File.generated(config, "window.png", abs_src_path=str(PICTURE)))
    return files
