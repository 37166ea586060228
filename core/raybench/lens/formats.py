"""The formats of lens files: which one reads a file, and which one writes it."""

import re
from pathlib import PurePath

from raybench.errors import in_quotes
from raybench.lens import code_v, oslo, zemax
from raybench.lens.lens_file import LensFile, LensFileError, lens_text
from raybench.lens.prescription import Prescription


def read_lens(data: bytes, name: str) -> LensFile:
    """Read a lens file by the ending of its name, or by its text if that is another. Raises
    LensFileError.
    """
    text = lens_text(data)
    ending = PurePath(name).suffix.lower()
    if ending == ".zmx" or re.search(r"^SURF 0\b", text, re.MULTILINE):
        return zemax.read_zemax(text)
    if re.search(r"^\s*(LEN\s+NEW|NXT\b)", text, re.MULTILINE | re.IGNORECASE):
        return oslo.read_oslo(text)
    if ending == ".seq" or re.search(r"^\s*(RDM|LEN)\b.*?^\s*SO\b", text, re.M | re.S | re.I):
        return code_v.read_code_v(text)
    if ending == ".len":
        return oslo.read_oslo(text)
    raise LensFileError(
        f"{in_quotes(name, 80)} is no lens file of Zemax (.zmx), CODE V (.seq) or OSLO (.len)."
    )


def write_lens(system: Prescription, name: str) -> tuple[bytes, tuple[str, ...]]:
    """The lens file of a prescription in the format of the ending of ``name``, and what it leaves out,
    a sentence each. Raises LensFileError for another ending.
    """
    writers = {".zmx": zemax.write_zemax, ".seq": code_v.write_code_v, ".len": oslo.write_oslo}
    ending = PurePath(name).suffix.lower()
    if ending not in writers:
        raise LensFileError(
            f"{in_quotes(name, 80)} has no ending of a lens file. Use .zmx, .seq or .len."
        )
    text, omitted = writers[ending](system)
    return text.encode("utf-8"), omitted
