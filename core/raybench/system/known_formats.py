"""Recognises the format of files that the program cannot open, by their first bytes and their
ending.
"""

import re
from pathlib import Path

HEAD_BYTES = 20_000
"""Bytes that are looked at."""
_LENS = "Write the lens there as .zmx, .seq or .len."
_SECTION = "Import a drawing of its section instead, as .svg or .dxf."
_SIGNATURES = {
    b"%PDF": "this is a PDF document.",
    b"\x89PNG": "this is a PNG picture.",
    b"\xff\xd8\xff": "this is a JPEG picture.",
    b"GIF8": "this is a GIF picture.",
    b"II*\0": "this is a TIFF picture.",
    b"MM\0*": "this is a TIFF picture.",
}
_ARCHIVES = {
    b"PK\x03\x04": "this is a ZIP archive. Unpack it first.",
    b"\x1f\x8b": "this is a gzip archive. Unpack it first.",
}
_TEXTS = {
    r'"surface_group"\s*:': f"this is a lens of optiland. {_LENS}",
    r'"rayoptics\.|"optical_model"\s*:': f"this is a model of ray-optics. {_LENS}",
    r"\A\s*ISO-10303-21": f"this is a STEP model. {_SECTION}",
    r"(?i)\A\s*<(!doctype html|html)": "this is a web page. Save the file that it links to.",
    r"(?m)^NM \S+ [\d.]+ .*\n(?:.*\n){0,4}CD ": "this is a glass catalogue. Choose it for a lens whose"
    " glasses it has: in the window, or by --catalogue.",
}
_ENDINGS = {
    **dict.fromkeys((".zar", ".zos", ".zda", ".zprj"), f"this is an archive of Zemax. {_LENS}"),
    ".zmf": f"this is a lens catalogue of Zemax. {_LENS}",
    ".roa": f"this is a model of ray-optics. {_LENS}",
    ".otx": f"this is a lens of OpTaliX. {_LENS}",
    ".opt": f"this is a lens of BEAM FOUR. {_LENS}",
    ".lens": f"this is a lens of another program. {_LENS}",
    **dict.fromkeys(
        (".step", ".stp", ".iges", ".igs", ".stl"), f"this is a solid model. {_SECTION}"
    ),
}
_LENS_TEXTS = {
    r"(?m)^SURF\s+0\b": ".zmx",
    r"(?im)^\s*LEN\s+NEW\b": ".len",
    r"(?im)^\s*(RDM|LEN)\b[^\0]*?^\s*SO\s+[\d.]": ".seq",
}


def describe_lens_text(path: Path) -> str:
    """A sentence, in lower case, about a lens file with the suffix of another format; empty for
    other files.
    """
    text = _read_first_bytes(path).decode("utf-8", errors="replace")
    found = [ending for pattern, ending in _LENS_TEXTS.items() if re.search(pattern, text)]
    if not found or path.suffix.lower() in _LENS_TEXTS.values():
        return ""
    return f"this is the text of a lens. Give its file the ending {found[0]}."


def _read_first_bytes(path: Path) -> bytes:
    """The first bytes of a file; empty if it cannot be read."""
    try:
        if path.is_file():  # a pipe would wait
            with path.open("rb") as file:
                return file.read(HEAD_BYTES)
    except OSError:
        pass
    return b""


def describe_format(path: Path) -> str:
    """A sentence, in lower case, about the format of a file and how to convert it; empty if the
    format is unknown or the file cannot be read.
    """
    head = _read_first_bytes(path)
    if not head:
        return ""
    text, ending = head.decode("utf-8", errors="replace"), path.suffix.lower()
    found = [
        *(sentence for start, sentence in _SIGNATURES.items() if head.startswith(start)),
        *(sentence for pattern, sentence in _TEXTS.items() if re.search(pattern, text)),
        *(sentence for known, sentence in _ENDINGS.items() if ending == known),
        *(sentence for start, sentence in _ARCHIVES.items() if head.startswith(start)),
    ]
    return found[0] if found else ""
