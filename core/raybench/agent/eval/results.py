"""Attempts stored in a file, summarised in a table by theme, and compared with another run."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from raybench.agent.eval.attempt import Attempt
from raybench.errors import RaybenchError
from raybench.files.atomic import write_text
from raybench.schema.json_values import json_document

UNKNOWN = "—"


class InvalidResults(RaybenchError):
    """A file holds no results of `raybench eval`, or results of another model."""


@dataclass(frozen=True)
class Score:
    """Totals over some attempts. ``cost`` is None if the cost of one attempt is unknown."""

    asked: int
    right: int
    calls: int
    tokens_in: int
    tokens_out: int
    seconds: float
    cost: float | None

    @property
    def fraction(self) -> str:
        """The number of correct attempts and of all attempts, such as ``3/4``."""
        return f"{self.right}/{self.asked}"

    @classmethod
    def from_attempts(cls, attempts: Sequence[Attempt]) -> Score:
        costs = [a.cost for a in attempts if a.cost is not None]
        return cls(
            len(attempts),
            sum(a.is_right for a in attempts),
            sum(a.calls for a in attempts),
            sum(a.tokens_in for a in attempts),
            sum(a.tokens_out for a in attempts),
            round(sum(a.seconds for a in attempts), 3),
            round(sum(costs), 6) if len(costs) == len(attempts) else None,
        )


Key = Callable[[Attempt], str]
GROUP_KEYS: Mapping[str, Key] = {
    "themes": lambda a: a.theme,
    "kinds": lambda a: a.kind,
    "total": lambda a: "all",
}
"""What the rows of a table are about."""


def scores_by_key(attempts: Sequence[Attempt], by: Key) -> dict[str, Score]:
    """The scores of groups of attempts. ``by`` returns the key of the group of an attempt."""
    names = dict.fromkeys(map(by, attempts))
    return {name: Score.from_attempts([a for a in attempts if by(a) == name]) for name in names}


def score_table(attempts: Sequence[Attempt]) -> str:
    """The scores as a text table: calls, tokens and seconds for each task, and the total cost."""
    lines = [f"{'':14}right   calls  tokens in    out  seconds     cost"]
    for by in GROUP_KEYS.values():
        lines += [
            f"{name:12}{row.fraction:>7}{row.calls / row.asked:8.1f}{row.tokens_in / row.asked:11.0f}"
            f"{row.tokens_out / row.asked:7.0f}{row.seconds / row.asked:9.1f}"
            f"{UNKNOWN if row.cost is None else f'${row.cost:.3f}':>9}"
            for name, row in scores_by_key(attempts, by).items()
        ]
        lines.append("")
    return "\n".join(lines[:-1])


def results_json(model: str, attempts: Sequence[Attempt]) -> dict[str, Any]:
    """The results as JSON values: the scores, and each attempt."""
    return {
        "model": model,
        **{
            of: {name: asdict(row) for name, row in scores_by_key(attempts, by).items()}
            for of, by in GROUP_KEYS.items()
        },
        "attempts": [{**asdict(a), "right": a.is_right} for a in attempts],
    }


def save_attempts(path: Path, model: str, attempts: Sequence[Attempt]) -> None:
    """Write the results to a file, and replace its content."""
    write_text(path, json_document(results_json(model, attempts)))


def read_attempts(path: Path) -> list[Attempt]:
    """Read the attempts from a file of results. Raises InvalidResults."""
    names = [field.name for field in fields(Attempt)]
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))["attempts"]
        return [
            Attempt(**{name: row[name] for name in names} | {"faults": tuple(row["faults"])})
            for row in rows
        ]
    except OSError as error:
        raise InvalidResults(f"{path}: this cannot be read ({error.strerror}).") from None
    except (ValueError, TypeError, LookupError):
        raise InvalidResults(
            f"{path}: this is no file of results. raybench eval --out FILE writes one."
        ) from None


def comparison_table(first: Sequence[Attempt], second: Sequence[Attempt]) -> str:
    """Two runs side by side, as text: correct attempts by theme, and the tasks with different
    results. Only tasks in both runs count.
    """
    both = {a.task for a in first} & {a.task for a in second}
    runs = [[a for a in run if a.task in both] for run in (first, second)]
    if not both:
        raise InvalidResults("The two runs have no task in common.")
    width = max(12, *(len(run[0].model) for run in runs)) + 2
    rows = [("", *(run[0].model for run in runs))]
    for by in (*GROUP_KEYS.values(), lambda a: a.task):
        one, other = (scores_by_key(run, by) for run in runs)
        rows += [
            (name, one[name].fraction, other[name].fraction)
            for name in one
            if name not in both or one[name].right != other[name].right
        ]
    return "\n".join(f"{name:26}{a:>{width}}{b:>{width}}" for name, a, b in rows)
