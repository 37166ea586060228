"""Parses ``.worker`` files: YAML front matter with options, followed by instructions."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_args

from raybench.agent.tools.tool import Effect, Visibility
from raybench.agent.workers.worker import MOST_STEPS, TIMEOUT, AttachmentPolicy, Worker
from raybench.errors import ForeignError, elided, short_repr
from raybench.schema.signature import SignatureError, parse_signature
from raybench.system.files import read_bounded

LARGEST = 1_000_000
"""Maximum size of a worker file, bytes."""
LONGEST_FRONT = 20_000
"""Maximum length of its front matter, characters."""
_KEYS = (
    "name",
    "description",
    "model",
    "tools",
    "effects",
    "signature",
    "attachments",
    "max_steps",
    "timeout_s",
    "cache",
    "visibility",
)
_ATTACHMENT_KEYS = ("max_count", "max_bytes", "suffixes")
_ATTACHMENTS = "{max_count: 2, max_bytes: 100000, suffixes: [.txt, .csv]}"
_EFFECTS: tuple[Effect, ...] = get_args(Effect)


class WorkerFileError(ForeignError):
    """A worker file is invalid; the message names file, line if known, and remedy."""


def read_worker(path: Path, name: str = "") -> Worker:
    """Read a worker file; WorkerFileError if it is invalid. ``name`` defaults to the stem of the
    file.
    """
    name = name or path.stem
    try:
        text = read_bounded(path, LARGEST).decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise WorkerFileError(
            f"{path}: this cannot be read ({getattr(error, 'strerror', None) or error}). A worker"
            " is a text file of at most 1 MB."
        ) from None
    return parse_worker(text, name, str(path))


def parse_worker(text: str, name: str, where: str) -> Worker:
    """Parse the text of a worker file; WorkerFileError, beginning with ``where``, if it is
    invalid.
    """
    found = re.match(
        r"---[ \t]*\r?\n(.*?)^---[ \t]*\r?$\n?",
        text.removeprefix("\ufeff"),
        re.DOTALL | re.MULTILINE,
    )
    if not found:
        raise WorkerFileError(
            f"{where}: a worker begins with front matter between two lines of ---, then come its"
            " instructions."
        )
    given = _front_matter(found[1], where)
    if unknown := [str(k) for k in given if k not in _KEYS]:
        raise WorkerFileError(
            f"{where}: the front matter has {elided(', '.join(unknown))}. It may have"
            f" {', '.join(_KEYS)}."
        )
    if given.get("name", name) != name:
        raise WorkerFileError(
            f"{where}: the front matter says name: {_value_for_error(given['name'])}, the file says {name}."
            " Make them one."
        )
    instructions = text.removeprefix("\ufeff")[found.end() :].strip()
    if not instructions:
        raise WorkerFileError(
            f"{where}: there are no instructions after the front matter. Say what the worker is"
            " to do."
        )

    def texts(key: str, value: Any) -> tuple[str, ...]:
        if value is None:
            return ()
        if isinstance(value, str):
            return tuple(value.replace(",", " ").split())
        if not isinstance(value, list) or not all(isinstance(v, str) for v in value):
            raise WorkerFileError(f"{where}: {key} is {short_repr(value)}. Give a list of names.")
        return tuple(value)

    def number(key: str, value: Any, least: float, whole: bool) -> Any:
        if (
            isinstance(value, bool)
            or not isinstance(value, int if whole else int | float)
            or not least <= value < 1e12
        ):
            raise WorkerFileError(
                f"{where}: {key} is {short_repr(value)}. Give a {'whole ' if whole else ''}number"
                f" from {least:g}."
            )
        return value

    def attachments(value: Any) -> AttachmentPolicy:
        if value in (None, False, "none"):
            return AttachmentPolicy(max_count=0)
        if not isinstance(value, Mapping) or (
            unknown := [str(k) for k in value if k not in _ATTACHMENT_KEYS]
        ):
            what = (
                f"has {elided(', '.join(unknown))}"
                if isinstance(value, Mapping)
                else f"is {short_repr(value)}"
            )
            raise WorkerFileError(
                f"{where}: attachments {what}. Write none, or such as {_ATTACHMENTS}."
            )
        policy = AttachmentPolicy()
        return AttachmentPolicy(
            number("max_count", value.get("max_count", policy.max_count), 0, True),
            number("max_bytes", value.get("max_bytes", policy.max_bytes), 0, True),
            tuple(f".{s.lower().lstrip('.')}" for s in texts("suffixes", value.get("suffixes"))),
        )

    for key in ("description", "model"):
        if not isinstance(given.get(key, ""), str | None):
            raise WorkerFileError(f"{where}: {key} is {short_repr(given[key])}. Give a text.")
    effects = texts("effects", given.get("effects", "read"))
    if wrong := [e for e in effects if e not in _EFFECTS]:
        raise WorkerFileError(
            f"{where}: effects has {elided(', '.join(wrong))}. Effects are {', '.join(_EFFECTS)}."
        )
    if not isinstance(given.get("cache", False), bool):
        raise WorkerFileError(
            f"{where}: cache is {short_repr(given['cache'])}. Write true or false."
        )
    if given.get("visibility", "public") not in get_args(Visibility):
        raise WorkerFileError(
            f"{where}: visibility is {short_repr(given['visibility'])}. Write"
            f" {' or '.join(get_args(Visibility))}."
        )
    try:
        signature = parse_signature(given.get("signature") or "(input :string) -> :string")
    except SignatureError as error:
        raise WorkerFileError(f"{where}: signature: {elided(str(error), 300)}") from None
    return Worker(
        name,
        given.get("description") or instructions.partition("\n")[0].lstrip("# "),
        instructions,
        given.get("model") or "",
        texts("tools", given.get("tools")),
        tuple(e for e in _EFFECTS if e in effects),
        signature,
        attachments(given["attachments"]) if "attachments" in given else AttachmentPolicy(),
        number("max_steps", given.get("max_steps", MOST_STEPS), 1, True),
        float(number("timeout_s", given.get("timeout_s", TIMEOUT), 0.001, False)),
        "timeout_s" in given,
        given.get("cache", False),
        given.get("visibility", "public"),
    )


def _value_for_error(value: Any) -> str:
    """An invalid value for an error message: in one line, truncated, text without quotes."""
    return elided(value, 80) if isinstance(value, str) else short_repr(value)


def _front_matter(text: str, where: str) -> Mapping[str, Any]:
    import yaml

    class Loader(yaml.SafeLoader):
        """Rejects aliases, with which a few lines can expand to millions of items, and tags such as
        ``!!int``.
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

    if len(text) > LONGEST_FRONT:
        raise WorkerFileError(
            f"{where}: the front matter has {len(text)} characters; at most {LONGEST_FRONT} are"
            " read. Shorten it."
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
