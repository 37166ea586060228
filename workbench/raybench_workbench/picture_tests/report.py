"""The record of failed comparisons: their pictures, and one self-contained page that shows them."""

from __future__ import annotations

import base64
import html
import json
from collections.abc import Sequence
from pathlib import Path

from raybench_workbench.export.picture_files import save_picture
from raybench_workbench.picture_tests.comparison import Difference

PAGE = "index.html"
KINDS = ("expected", "actual", "diff")
RECORD = ".difference.json"
_STYLE = """
body { font: 14px/1.5 system-ui, sans-serif; margin: 24px; background: #f4f5f6; color: #1e2329; }
h1 { font-size: 20px } h2 { font-size: 16px; margin: 0 }
section { background: #fff; border: 1px solid #d8dcdf; border-radius: 4px; padding: 16px; margin: 16px 0; }
.pictures { display: flex; flex-wrap: wrap; gap: 16px; margin-top: 8px; }
figure { margin: 0; flex: 1 1 300px; } img { max-width: 100%; border: 1px solid #d8dcdf; image-rendering: pixelated; }
figcaption { color: #5c6670; } li { font-family: ui-monospace, monospace; font-size: 12px; }
.blink { position: relative; } .blink img + img { position: absolute; left: 0; top: 0; visibility: hidden; }
.blink:hover img + img { visibility: visible; }
"""


def clear(folder: Path) -> None:
    """Remove the records of an earlier run from a folder; other files stay."""
    for record in folder.rglob(f"*{RECORD}"):
        for kind in KINDS:
            record.with_name(record.name.removesuffix(RECORD) + f"-{kind}.png").unlink(
                missing_ok=True
            )
        record.unlink()
    (folder / PAGE).unlink(missing_ok=True)


def keep(folder: Path, name: str, difference: Difference, widgets: Sequence[str]) -> None:
    """Write the pictures of a failed comparison and its description into a folder."""
    out = folder / name
    out.parent.mkdir(parents=True, exist_ok=True)
    for kind, image in zip(
        KINDS, (difference.expected, difference.actual, difference.marked), strict=True
    ):
        if image is not None:
            save_picture(image, out.with_name(f"{out.name}-{kind}.png"))
    record = {"name": name, "text": difference.text, "widgets": list(widgets)}
    out.with_name(out.name + RECORD).write_text(
        json.dumps(record, ensure_ascii=False, indent=1), encoding="utf-8"
    )


def write_page(folder: Path) -> Path | None:
    """Write the page of all failed comparisons of a folder; None if there are none."""
    records = sorted(folder.rglob(f"*{RECORD}")) if folder.exists() else []
    if not records:
        return None
    sections = "".join(_section(path) for path in records)
    page = folder / PAGE
    text = (
        "<!doctype html><html lang='en'><meta charset='utf-8'><title>Pictures that"
        f" differ</title><style>{_STYLE}</style>"
    )
    text += (
        f"<h1>{len(records)} picture{'s' * (len(records) > 1)} that"
        f" differ{'s' * (len(records) == 1)}</h1>"
    )
    text += (
        "<p>Hold the pointer on a picture that was painted to see the expected one in its"
        " place.</p>"
    )
    page.write_text(text + sections + "</html>\n", encoding="utf-8")
    return page


def _section(path: Path) -> str:
    record = json.loads(path.read_text(encoding="utf-8"))
    stem = path.name.removesuffix(RECORD)
    shown = {kind: _image(path.with_name(f"{stem}-{kind}.png")) for kind in KINDS}
    painted = f"<div class='blink'>{shown['actual']}{shown['expected']}</div>"
    columns = [
        ("expected", shown["expected"] or "<p>No expected picture.</p>"),
        ("painted", painted),
        ("difference", shown["diff"]),
    ]
    figures = "".join(
        f"<figure>{picture}<figcaption>{title}</figcaption></figure>"
        for title, picture in columns
        if picture
    )
    widgets = "".join(f"<li>{html.escape(line)}</li>" for line in record["widgets"])
    details = f"<ul>{widgets}</ul>" if widgets else ""
    heading = f"<h2>{html.escape(record['name'])}</h2><p>It {html.escape(record['text'])}.</p>"
    return f"<section>{heading}{details}<div class='pictures'>{figures}</div></section>"


def _image(path: Path) -> str:
    if not path.exists():
        return ""
    return (
        f"<img alt='{html.escape(path.stem)}'"
        f" src='data:image/png;base64,{base64.b64encode(path.read_bytes()).decode()}'>"
    )
