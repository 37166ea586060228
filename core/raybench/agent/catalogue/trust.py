"""Trusted project folders, which may run their code as long as it does not change."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from raybench.agent.catalogue.project_code import ProjectCode
from raybench.errors import RaybenchError
from raybench.files.atomic import write_text
from raybench.system.private_folder import is_private_file
from raybench.system.user_folders import user_folder

Trust = Callable[[ProjectCode], bool]
"""Asks whether the code of a folder may run."""


class TrustedFolders:
    """The trusted folders, stored by path and content in a file of the user's: after an edit of the
    code the person is asked again.
    """

    def __init__(self, file: Path | None = None) -> None:
        self._file = file

    @property
    def file(self) -> Path:
        if self._file is None:
            self._file = user_folder("config") / "trusted-folders.json"
        return self._file

    def __contains__(self, code: ProjectCode) -> bool:
        return self._read().get(str(code.folder)) == code.digest

    def add(self, code: ProjectCode) -> None:
        """Remember that a folder is trusted with this code; RaybenchError if that cannot be
        written.
        """
        self._write(self._read() | {str(code.folder): code.digest})

    def remove(self, folder: Path) -> None:
        """Forget a folder."""
        self._write(
            {path: digest for path, digest in self._read().items() if path != str(folder.resolve())}
        )

    def trust(self, ask: Trust) -> Trust:
        """Whether code is trusted: it was before, or ``ask`` says so now, which is remembered."""

        def trusted(code: ProjectCode) -> bool:
            if code in self:
                return True
            if not ask(code):
                return False
            self.add(code)
            return True

        return trusted

    def _read(self) -> dict[str, str]:
        try:
            read = (
                json.loads(self.file.read_text(encoding="utf-8"))
                if is_private_file(self.file)
                else None
            )
        except (OSError, ValueError, RecursionError):
            # nothing is trusted by a file that is not there, or that others could have written
            return {}
        return (
            {k: v for k, v in read.items() if isinstance(v, str)} if isinstance(read, dict) else {}
        )

    def _write(self, folders: dict[str, str]) -> None:
        try:
            self.file.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise RaybenchError(
                f"{self.file}: the trusted folder cannot be remembered ({error.strerror})."
                " RAYBENCH_CONFIG_DIR can name another folder."
            ) from None
        write_text(self.file, json.dumps(folders, indent=2), mode=0o600)
