"""What has changed, in plain words: ``what has changed since revision 3``, ``compare with revision
3: power(Screen)``.
"""

from __future__ import annotations

from raybench.analysis.tools.clauses import Meant
from raybench.analysis.tools.measure_phrases import measures_asked
from raybench.analysis.tools.phrases import Phrases, Understanding
from raybench.analysis.tools.plain_question import PlainQuestion

_REVISION = r"(?:since|with|to|from|against) revision (?P<revision>\d{1,9})"
_SAVED = (
    r"(?:since|with|to|from|against) (?:(?:it|scene|file) was (?:last )?(?:saved|opened)|(?:last"
    r" )?saved (?:scene|file|version|state)"
    r"|file|(?:last )?(?:saving|opening)|(?:how )?it was(?: before)?|before)|since i (?:last"
    r" )?(?:saved|opened)(?: it| scene| file)?"
)
_ASKED = (
    r"what (?:has|have|had|did|is|are|was|were|i|we)(?: (?:i|we|you|has|been))?"
    r" (?:changed?|different|edited|done)"
    r"(?: here| now| so far| in scene)?"
    r"|what changed|what are changes|(?:list|show) (?:all )?(?:changes|differences)|compare(?: it|"
    r" this| scene)?"
)


def _compared(question: PlainQuestion) -> Understanding:
    """Whether a text asks what has changed since a revision, or since the scene was saved or
    opened.
    """
    clauses = question.clauses()
    at = clauses.take(_REVISION) or clauses.take(_SAVED)
    if clauses.take(_ASKED) is None or (at is None and clauses.rest):
        return None
    arguments = (
        {"revision": int(at["revision"])}
        if at is not None and at.groupdict().get("revision")
        else {}
    )
    clauses.remainder = " ".join(clauses.remainder.replace("|", " ").split())
    if not clauses.rest:
        return clauses.whole(arguments)
    found = measures_asked(clauses)
    return (
        Meant({**arguments, **found}, found.spare)
        if isinstance(found, Meant)
        else found or clauses.whole(arguments)
    )


COMPARE = Phrases(
    "what has changed since the scene was saved",
    "what has changed since revision 3",
    "compare with revision 3",
    understood=_compared,
)
