"""The formats of lens files, and the choice of the reader and writer by file name ending."""

import re
from pathlib import PurePath

from raybench.errors import in_quotes
from raybench.lens import code_v, oslo, zemax
from raybench.lens.lens_file import LensFile, LensFileError, decode_lens_text
from raybench.lens.prescription import Prescription


def read_lens(data: bytes, name: str) -> LensFile:
    """Read a lens file in the format of its file name ending, or in the format of its text if the
    two differ. Raises LensFileError.
    """
    text = decode_lens_text(data)
    ending = PurePath(name).suffix.lower()
    readers = {".zmx": zemax.read_zemax, ".seq": code_v.read_code_v, ".len": oslo.read_oslo}
    patterns = {
        ".zmx": r"^SURF\s+0\b",
        ".len": r"^\s*(LEN\s+NEW|NXT\b)",
        ".seq": r"^\s*(RDM|LEN)\b.*?^\s*SO\b",
    }
    flags = re.MULTILINE | re.DOTALL | re.IGNORECASE
    fitting = [e for e, pattern in patterns.items() if re.search(pattern, text, flags)]
    if ending not in fitting and fitting:
        ending = fitting[0]
    if ending in readers:
        return readers[ending](text)
    raise LensFileError(
        f"{in_quotes(name, 80)} is no lens file of Zemax (.zmx), CODE V (.seq) or OSLO (.len)."
    )


def write_lens(system: Prescription, name: str) -> tuple[bytes, tuple[str, ...]]:
    """The lens file of a prescription, in the format of the ending of ``name``, and a sentence for
    each omitted content. Raises LensFileError for an unknown ending.
    """
    writers = {".zmx": zemax.write_zemax, ".seq": code_v.write_code_v, ".len": oslo.write_oslo}
    ending = PurePath(name).suffix.lower()
    if ending not in writers:
        raise LensFileError(
            f"{in_quotes(name, 80)} has no ending of a lens file. Use .zmx, .seq or .len."
        )
    text, omitted = writers[ending](system)
    return text.encode("utf-8"), omitted
