"""Shows recorded exchanges in the message list, and the end of one that has just run."""

from __future__ import annotations

from raybench.agent.call.events import ToolStarted
from raybench.agent.turn.loop import sources
from raybench.agent.turn.transcript import Exchange
from raybench_workbench.chat.cards import ToolCard
from raybench_workbench.chat.message_list import MessageList
from raybench_workbench.chat.turns.stale_note import StaleNote
from raybench_workbench.document import WorkDocument
from raybench_workbench.selection import Selection


def show_exchange(
    exchange: Exchange, messages: MessageList, document: WorkDocument, selection: Selection
) -> None:
    """Show a recorded exchange, and restore the names of its ray sets."""
    messages.add_user_message(exchange.question)
    for part in exchange.parts:
        if isinstance(part, str):
            messages.append_answer(part)
            continue
        outcome = part.outcome
        started = ToolStarted(
            "", outcome.tool, outcome.arguments, outcome.sentence, "earlier" if part.within else ""
        )
        card = ToolCard(started, document, selection, messages)
        card.finish(outcome)
        messages.add(card)
        if outcome.rays is not None:
            document.session.answers.setdefault(outcome.rays.name, outcome.rays)
    show_end(exchange, messages, document)


def show_end(exchange: Exchange, messages: MessageList, document: WorkDocument) -> None:
    """Show how the turn ended, and the sources of its answer."""
    turn = exchange.turn
    messages.finish_answer()
    if turn.choices:
        messages.offer(turn.choices)
    if turn.stopped:
        messages.add_line("Stopped.", "warning")
    if turn.error:
        messages.add_line(turn.error, "error")
    if used := sources(turn.outcomes):
        messages.add_line(f"Sources: {', '.join(used)}", "dim")
    if exchange.revision is not None:
        note = StaleNote(exchange.revision, document, messages)
        messages.add(note)
        note.refresh()
