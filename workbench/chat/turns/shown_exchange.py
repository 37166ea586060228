"""A question and its answer in the list of messages: of an earlier run, and how one that has just run ended."""

from __future__ import annotations

from core.agent.call.events import ToolStarted
from core.agent.turn.loop import sources
from core.agent.turn.transcript import Exchange
from workbench.chat.cards import ToolCard
from workbench.chat.talk import Talk
from workbench.chat.turns.stale_note import StaleNote
from workbench.document import WorkDocument
from workbench.selection import Selection


def show_exchange(exchange: Exchange, talk: Talk, document: WorkDocument, selection: Selection) -> None:
    """Show an exchange of an earlier run, or one that is not shown any more; its rays have their names again."""
    talk.add_user_message(exchange.question)
    for part in exchange.parts:
        if isinstance(part, str):
            talk.append_answer(part)
            continue
        outcome = part.outcome
        started = ToolStarted("", outcome.tool, outcome.arguments, outcome.sentence, "earlier" if part.within else "")
        card = ToolCard(started, document, selection, talk)
        card.finish(outcome)
        talk.add(card)
        if outcome.rays is not None:
            document.session.answers.setdefault(outcome.rays.name, outcome.rays)
    show_end(exchange, talk, document)


def show_end(exchange: Exchange, talk: Talk, document: WorkDocument) -> None:
    """Show how the turn ended, and what its answer rests on."""
    turn = exchange.turn
    talk.finish_answer()
    if turn.stopped:
        talk.add_line("Stopped.", "warning")
    if turn.error:
        talk.add_line(turn.error, "error")
    if used := sources(turn.outcomes):
        talk.add_line(f"Sources: {', '.join(used)}", "dim")
    if exchange.revision is not None:
        note = StaleNote(exchange.revision, document, talk)
        talk.add(note)
        note.refresh()
