"""Parses ``.worker`` files: options in YAML front matter, then instructions."""

import dataclasses
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from raybench.agent.workers.worker import DEFAULT_SIGNATURE, Worker
from raybench.errors import ForeignError, elide_text
from raybench.schema.signature import SignatureError, parse_signature
from raybench.schema.values import fault_sentences
from raybench.system.files import read_bounded

MOST_FILE_BYTES = 1_000_000
"""Maximum size of a worker file, bytes."""
MOST_FRONT_MATTER_CHARACTERS = 20_000
"""Maximum length of its front matter, characters."""
_OWN = ("name", "instructions", "limited")
"""The fields of a worker that are no options of the front matter."""


class WorkerFileError(ForeignError):
    """A worker file is invalid. The message names the file, the line if known, and the remedy."""


def read_worker(path: Path, name: str = "") -> Worker:
    """Read a worker file. ``name`` is by default the file name without suffix. Raises
    WorkerFileError if the file is invalid.
    """
    name = name or path.stem
    try:
        text = read_bounded(path, MOST_FILE_BYTES).decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise WorkerFileError(
            f"{path}: this cannot be read ({getattr(error, 'strerror', None) or error}). A worker"
            " is a text file of at most 1 MB."
        ) from None
    return parse_worker(text, name, str(path))


def parse_worker(text: str, name: str, where: str) -> Worker:
    """Parse the text of a worker file. Raises WorkerFileError if it is invalid; its message begins
    with ``where``.
    """
    text = text.removeprefix("\ufeff")
    found = re.match(r"---[ \t]*\r?\n(.*?)^---[ \t]*\r?$\n?", text, re.DOTALL | re.MULTILINE)
    if not found:
        raise WorkerFileError(
            f"{where}: a worker begins with front matter between two lines of ---, then come its"
            " instructions."
        )
    given = dict(_front_matter(found[1], where))
    keys = ["name", *(f.name for f in dataclasses.fields(Worker) if f.name not in _OWN)]
    if unknown := [str(k) for k in given if k not in keys]:
        raise WorkerFileError(
            f"{where}: the front matter has {elide_text(', '.join(unknown))}. It may have"
            f" {', '.join(keys)}."
        )
    if (said := given.pop("name", name)) != name:
        raise WorkerFileError(
            f"{where}: the front matter says name: {elide_text(str(said), 80)}, the file says {name}."
            " Make them one."
        )
    instructions = text[found.end() :].strip()
    if not instructions:
        raise WorkerFileError(
            f"{where}: there are no instructions after the front matter. Say what the worker is"
            " to do."
        )
    given = {key: _convert_option(key, value) for key, value in given.items() if value is not None}
    given.setdefault("description", instructions.partition("\n")[0].lstrip("# "))
    try:
        signature = parse_signature(given.pop("signature", DEFAULT_SIGNATURE))
    except SignatureError as error:
        raise WorkerFileError(f"{where}: signature: {elide_text(str(error), 300)}") from None
    limited = "timeout_s" in given
    fields = {**given, "name": name, "instructions": instructions, "limited": limited}
    return dataclasses.replace(_validate_worker(fields, where), signature=signature)


def _convert_option(key: str, value: Any) -> Any:
    """Convert an option to the type of the worker's field. Several names may be a list, or a text
    separated by commas or blanks. Attachments may be ``none``.
    """
    if key in ("tools", "effects", "suffixes"):
        return value.replace(",", " ").split() if isinstance(value, str) else value
    if key == "attachments":
        if value in (False, "none"):
            return {"max_count": 0}
        if isinstance(value, dict):
            return {name: _convert_option(str(name), limit) for name, limit in value.items()}
    return value


def _validate_worker(fields: Mapping[str, Any], where: str) -> Worker:
    """Make a worker from the options of a file. Raises WorkerFileError for the first option of a
    wrong type.
    """
    from pydantic import ConfigDict, TypeAdapter, ValidationError, with_config

    strict = with_config(ConfigDict(strict=True, extra="forbid"))
    try:
        return TypeAdapter(strict(Worker)).validate_json(json.dumps(fields, default=str))
    except ValidationError as error:
        (_, text), *_ = fault_sentences(error.errors(include_url=False), fields)
    except (TypeError, ValueError, RecursionError) as error:
        text = f"the front matter cannot be read ({error})."
    raise WorkerFileError(f"{where}: {elide_text(text, 300)}")


def _front_matter(text: str, where: str) -> Mapping[str, Any]:
    import yaml

    class Loader(yaml.SafeLoader):
        """A YAML loader that rejects tags such as ``!!int``, and aliases, by which a few lines can
        expand to millions of items.
        """

        def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
            event = self.peek_event()  # type: ignore[no-untyped-call]
            mark = event.start_mark
            if isinstance(event, yaml.AliasEvent):
                raise yaml.composer.ComposerError(
                    problem="aliases are not supported", problem_mark=mark
                )
            if getattr(event, "tag", None) is not None:
                raise yaml.composer.ComposerError(
                    problem=f"tags such as {event.tag!r:.60} are not supported", problem_mark=mark
                )
            return super().compose_node(parent, index)

    if len(text) > MOST_FRONT_MATTER_CHARACTERS:
        raise WorkerFileError(
            f"{where}: the front matter has {len(text)} characters; at most"
            f" {MOST_FRONT_MATTER_CHARACTERS} are read. Shorten it."
        )
    try:
        given = yaml.load(text, Loader)
    except yaml.MarkedYAMLError as error:
        line = (
            error.problem_mark.line + 2 if error.problem_mark else 1
        )  # after the first line of ---, counted from 1
        raise WorkerFileError(
            f"{where}, line {line}: the front matter is not valid YAML ({error.problem})."
        ) from None
    except (
        yaml.YAMLError,
        ValueError,
        OverflowError,
        RecursionError,
    ) as error:  # such as an invalid date or number
        raise WorkerFileError(
            f"{where}: the front matter is not valid YAML ({' '.join(str(error).split())[:200]})."
        ) from None
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise WorkerFileError(
            f"{where}: the front matter is {type(given).__name__}. Write lines such as description:"
            " what it does."
        )
    return given
