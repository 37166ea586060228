"""The widgets of one turn of a conversation: its text, its tool cards, and the notes below its
answer.
"""

from __future__ import annotations

import dataclasses

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget

from raybench.agent.call.approval import Decision
from raybench.agent.call.events import (
    AnswerSentBack,
    ToolFinished,
    ToolProgress,
    ToolStarted,
    TurnEvent,
    TurnFinished,
    sent_back_line,
    unsupported_line,
)
from raybench.agent.call.outcome import GONE_REVISION, ToolOutcome
from raybench.agent.models.protocol import RetryNotice, TextDelta
from raybench.agent.turn.history import AttachedPicture
from raybench.agent.turn.transcript import Exchange, last_revision_read
from raybench.analysis.answers.words import capitalize_first
from raybench.session import HistoryStep
from raybench.view import View
from raybench_workbench import theme
from raybench_workbench.agent.agent import Question
from raybench_workbench.chat.answer_text import AnswerText
from raybench_workbench.chat.cards import ApprovalCard, ToolCard
from raybench_workbench.chat.chips import mark_checked_parts
from raybench_workbench.chat.message_list import MessageList
from raybench_workbench.document import Selection, WorkDocument
from raybench_workbench.translation import tr, translate_phrase
from raybench_workbench.widgets import WrappedLabel, column_layout, push_button, row_layout

OUTDATED_TEXT = tr("About an earlier state of the scene: undo, or ask again.")
LOST_TEXT = tr("About another state of the scene, or by another version of Raybench: ask again.")


class StaleNote(WrappedLabel):
    """A note that the scene has changed since an answer. It is visible while the document's
    revision differs from ``revision``, so that undo hides it.
    """

    def __init__(
        self, revision: int, document: WorkDocument, parent: QWidget | None = None
    ) -> None:
        super().__init__(
            LOST_TEXT if revision == GONE_REVISION else OUTDATED_TEXT, parent, role="warning"
        )
        self._revision, self._document = revision, document
        document.changed.connect(self.update_visibility)

    def update_visibility(self, *_: object) -> None:
        self.setVisible(self._revision != self._document.document.revision)


UNANSWERED_DECISION = Decision(False, reason="the person did not answer")
TEXT_BUFFER_MS = 40
"""Time for which streamed text is buffered before it is shown, in milliseconds."""


class RunningTurn(QObject):
    """The text and the tool calls of the running turn, which started with its question. With
    ``offline``, the answer is one sentence and the cards show its values. A retried turn continues
    the exchange ``failed``.
    """

    called = Signal(object)
    """A call has ended, with its `ToolOutcome`."""
    finished = Signal(object)
    """The turn has ended, with a `TurnFinished`."""

    def __init__(
        self,
        question: str,
        messages: MessageList,
        cards: TurnCards,
        document: WorkDocument,
        *,
        offline: bool,
        pictures: tuple[AttachedPicture, ...] = (),
        failed: Exchange | None = None,
    ) -> None:
        super().__init__()  # without a parent: it is deleted after the turn
        self.question, self.cards, self.offline = question, cards, offline
        self.pictures = pictures
        self.shown: QWidget | None = None
        """The question in the conversation."""
        self.number: int | None = None
        """The agent's number of the turn; None until it has begun."""
        self._messages, self._document = messages, document
        self._before = failed.before if failed is not None else document.document
        self._parts: list[str | ToolOutcome] = [*failed.parts] if failed is not None else []
        self._pending = ""
        self._returned: tuple[str, AnswerText | None] = ("", None)
        """The answer that was sent back to the model, and its hidden widget."""
        self._flush_timer = QTimer(self, singleShot=True, interval=TEXT_BUFFER_MS)
        self._flush_timer.timeout.connect(self.show_buffered_text)
        self.countdown: Countdown | None = None
        """The line about a request that will be sent again."""

    @property
    def text(self) -> str:
        """The agent's text so far."""
        return "".join(part for part in self._parts if isinstance(part, str)) + self._pending

    def show_event(self, event: TurnEvent) -> None:
        """Show an event of the turn, such as new text or a tool call."""
        self._remove_countdown()
        if isinstance(event, TextDelta):
            self._pending += event.text
            if not self._flush_timer.isActive():
                self._flush_timer.start()
            return
        if isinstance(event, ToolProgress):
            self.cards.show_call_event(event)
            return
        self.show_buffered_text()
        if isinstance(event, ToolStarted | ToolFinished):
            self.cards.show_call_event(event)
            if isinstance(event, ToolFinished):
                card = self.cards.calls.get(event.id)
                if card is not None:
                    if self.offline:
                        card.show_answer()
                    self._parts.append(event.outcome)
                    self.called.emit(event.outcome)
        elif isinstance(event, RetryNotice):
            self.countdown = Countdown(event, self._messages)
            self._messages.add_widget(self.countdown)
        elif isinstance(event, AnswerSentBack):
            self._hide_returned_answer(event.reason)
        else:
            self._show_returned_answer(event)
            self.finished.emit(event)

    def _hide_returned_answer(self, reason: str) -> None:
        """Hide an answer that the program sent back to the model for correction."""
        text = self._parts.pop() if self._parts and isinstance(self._parts[-1], str) else ""
        shown = self._messages.finish_answer()
        if isinstance(text, str) and shown is not None:
            shown.hide()
            self._returned = text, shown
        self._messages.add_status_line(sent_back_line(reason), "dim")

    def _show_returned_answer(self, turn: TurnFinished) -> None:
        """Show an answer that was sent back to the model, if the model gave no other."""
        text, shown = self._returned
        if shown is not None and turn.answer == text.strip():
            shown.show()
            self._parts.append(text)

    def _remove_countdown(self) -> None:
        if self.countdown is not None:
            self.countdown.hide()
            self.countdown.deleteLater()
            self.countdown = None

    def show_question(self, question: Question) -> None:
        """Show a question to the user."""
        self.show_buffered_text()
        self.cards.show_question(question)

    def show_buffered_text(self) -> None:
        """Show the text that was received but not yet shown."""
        self._flush_timer.stop()
        if self._pending:
            self._messages.append_answer(self._pending)
            if self._parts and isinstance(self._parts[-1], str):
                self._parts[-1] += self._pending
            else:
                self._parts.append(self._pending)
            self._pending = ""

    def stopped_turn(self, key: str) -> TurnFinished:
        """The record of the turn so far, marked as stopped. ``key`` is the merge key of the turn's
        edits.
        """
        self._remove_countdown()
        self.show_buffered_text()
        outcomes = tuple(part for part in self._parts if not isinstance(part, str))
        return TurnFinished(self.text, outcomes=outcomes, stopped=True, key=key)

    def recorded_exchange(self, turn: TurnFinished) -> Exchange:
        """The user's question together with the turn that answered it, for the transcript."""
        return Exchange(
            self.question,
            turn,
            tuple(self._parts),
            self._before,
            self._document.document,
            last_revision_read(turn.outcomes),
            pictures=self.pictures,
        )


class Countdown(WrappedLabel):
    """A line with the number of seconds until a request is sent again."""

    def __init__(self, event: RetryNotice, parent: QWidget | None = None) -> None:
        super().__init__("", parent, role="warning")
        self._event = event
        self.timer = QTimer(self, interval=1000)
        self.timer.timeout.connect(self._count_second)
        self.timer.start()
        self._show_seconds()

    def _count_second(self) -> None:
        self._event = dataclasses.replace(self._event, seconds=self._event.seconds - 1)
        self._show_seconds()

    def _show_seconds(self) -> None:
        waiting = self._event.seconds > 0
        self.setText(
            capitalize_first(f"{self._event} …")
            if waiting
            else tr("Trying again ({reason}) …", reason=self._event.reason)
        )
        if not waiting:
            self.timer.stop()


def show_exchange(
    exchange: Exchange, messages: MessageList, document: WorkDocument, selection: Selection
) -> None:
    """Show a recorded exchange of a question and its answer, and restore the names of its ray sets."""
    show_exchange_so_far(exchange, messages, document, selection)
    if exchange.turn.returned:
        messages.add_status_line(sent_back_line(exchange.turn.returned), "dim")
    show_turn_end(exchange, messages, document)


def show_exchange_so_far(
    exchange: Exchange, messages: MessageList, document: WorkDocument, selection: Selection
) -> QWidget:
    """Show the question, the texts and the calls of a recorded exchange, without its end. Returns
    the widget of the question.
    """
    shown = messages.add_user_message(exchange.question, exchange.pictures)
    for outcome in exchange.parts:
        if isinstance(outcome, str):
            messages.append_answer(outcome)
            continue
        started = ToolStarted(
            "",
            outcome.tool,
            outcome.arguments,
            outcome.sentence,
            "earlier" if outcome.within else "",
        )
        card = ToolCard(started, document, selection, messages)
        card.show_outcome(outcome)
        messages.add_widget(card)
        if outcome.rays is not None:
            document.session.answers.setdefault(outcome.rays.name, outcome.rays)
    return shown


def show_turn_end(exchange: Exchange, messages: MessageList, document: WorkDocument) -> None:
    """Show how the turn ended, and the sources of its answer."""
    turn = exchange.turn
    answer = messages.finish_answer()
    if answer is not None and turn.checked:
        mark_checked_parts(answer, turn.checked, document.session.answers)
    if turn.choices:
        messages.offer_questions(turn.choices)
    if turn.stopped:
        messages.add_status_line(tr("Stopped."), "warning")
    if turn.error:
        messages.add_status_line(turn.error, "error")
    if turn.unsupported_parts:
        messages.add_status_line(unsupported_line(turn), "warning")
    if used := turn.sources:
        messages.add_status_line(tr("Sources: {names}", names=", ".join(used)), "dim")
    if exchange.revision is not None:
        note = StaleNote(exchange.revision, document, messages)
        messages.add_widget(note)
        note.update_visibility()


class TurnCards(QObject):
    """The cards of one turn, by the agent or by another program. The rays of results are
    highlighted, and edits that await approval are previewed.
    """

    waitingChanged = Signal(bool)
    """Whether the turn waits for the person."""

    def __init__(self, document: WorkDocument, selection: Selection, messages: MessageList) -> None:
        # without a parent: it is deleted after the turn and holds no references to the cards
        super().__init__()
        self._document, self._selection, self._messages = document, selection, messages
        self._view_before = document.session.view
        self._approvals: list[tuple[ApprovalCard, Question]] = []
        self.calls: dict[str, ToolCard] = {}
        document.changed.connect(self._update_previews)
        document.gestureChanged.connect(self._update_previews)

    def show_call_event(self, event: ToolStarted | ToolProgress | ToolFinished) -> None:
        """Show that a call started, advanced or ended."""
        if isinstance(event, ToolProgress):
            if event.id in self.calls:
                self.calls[event.id].show_progress(event)
            return
        if isinstance(event, ToolStarted):
            card = self.calls[event.id] = ToolCard(
                event, self._document, self._selection, self._messages
            )
            self._messages.add_widget(card)
            self._messages.protect_group(card)
            return
        if event.id in self.calls:
            self.calls[event.id].show_outcome(event.outcome)
            self._messages.release_group(self.calls[event.id])
        rays = event.outcome.rays
        if rays is not None and rays.revision == self._document.document.revision:
            self._document.highlight(rays if len(rays) else None)

    def show_question(self, question: Question) -> None:
        """Show a card that asks for approval, and preview the edit on the canvas."""
        card = ApprovalCard(question.request, self._messages)
        card.decided.connect(
            lambda decision: question.answer(decision)
        )  # Qt would not keep the question of a bound method
        card.decided.connect(self._show_proposal)
        self._approvals.append((card, question))
        self._messages.add_widget(card)
        self._messages.protect_group(card)
        self._show_proposal()

    def close_approvals(self) -> None:
        """Close the unanswered approval cards and decline their requests."""
        for card, question in self._approvals:
            if card.open:
                card.close_with_outcome(tr("Not answered: {what}", what=card.what))
                question.answer(UNANSWERED_DECISION)
            self._messages.release_group(card)
        self._approvals = []
        self._show_proposal()

    def close_cards(self) -> None:
        """Close the open approvals and mark calls without an outcome as stopped, because the turn
        has ended.
        """
        self.close_approvals()
        for card in self.calls.values():
            card.mark_stopped()
            self._messages.release_group(card)

    def show_edits(self, key: str, what: str = "turn") -> TurnEdits | None:
        """Show the changes with the merge key ``key``, and a button that reverts them. ``what`` is
        the word for the turn or call on this button. None if there are no changes.
        """
        edits = TurnEdits(
            key,
            self._view_before,
            self._document.session.view,
            self._document,
            self._messages,
            what,
        )
        if not edits.words:
            edits.deleteLater()
            return None
        self._messages.add_widget(edits)
        return edits

    def _update_previews(self, *_: object) -> None:
        """Update the previews of proposed edits to the current document, once a drag has ended."""
        if self._document.gesture is None and (waiting := self._unanswered_approval_cards):
            for card in waiting:
                card.preview_edit(self._document.document)
            self._show_proposal()

    @property
    def _unanswered_approval_cards(self) -> list[ApprovalCard]:
        return [card for card, _ in self._approvals if card.open]

    def _show_proposal(self, *_: object) -> None:
        """Preview on the canvas the edit that the last unanswered approval card asks about."""
        waiting = self._unanswered_approval_cards
        edits = [card.edit for card in waiting if card.edit is not None]
        self._selection.propose_edit(self, edits[-1] if edits else None)
        self.waitingChanged.emit(bool(waiting))


class TurnEdits(QWidget):
    """The widget with the changes that a turn made to the document: the history steps with the
    merge key ``key``, and a button that reverts them.

    ``reverted`` is emitted with a sentence for the model. ``before`` and ``after`` are the views
    before and after the turn; ``what`` is the word for the turn on the button.
    """

    reverted = Signal(str)

    def __init__(
        self,
        key: str,
        before: View,
        after: View,
        document: WorkDocument,
        parent: QWidget | None = None,
        what: str = "turn",
    ) -> None:
        super().__init__(parent)
        self._key, self._views, self._document = key, (before, after), document
        self._by_undo = False
        """Whether the turn was reverted by an undo."""
        self._kept = ""
        """What the revert left, in words."""
        self._reverting: HistoryStep | None = None
        """The step of the history by which the turn was reverted otherwise."""
        self.words = "; ".join(step.text for step in self._turn_steps)
        self._shown = "; ".join(translate_phrase(step.text) for step in self._turn_steps)
        """The same in the language of the window."""
        self.text = WrappedLabel(tr("Changed: {words}", words=self._shown), self, role="dim")
        self.button = push_button(
            tr("Revert this {what}", what=tr(what)),
            self._revert_turn,
            tip=tr(
                "Take back what this {what} changed, except what was changed since", what=tr(what)
            ),
            role="",
        )
        line = row_layout(self.button, 1)
        column_layout(self.text, line, on=self, margins=0, spacing=theme.HALF)
        document.changed.connect(self._update_revert_button)

    @property
    def _turn_steps(self) -> list[HistoryStep]:
        return [step for step in self._document.session.history.done if step.merge_key == self._key]

    def _update_revert_button(self, *_: object) -> None:
        """Update the button after an undo or redo, which may have reverted or repeated the changes
        of the turn.
        """
        undone = not self._turn_steps
        self._by_undo = self._by_undo and undone
        reverted = self._by_undo or any(
            step is self._reverting for step in self._document.session.history.done
        )
        self.button.setVisible(not reverted)
        self.button.setEnabled(not undone)
        state = tr("Reverted") if reverted else tr("Undone") if undone else tr("Changed")
        self.text.setText(
            f"{state}: {self._shown}" + (f".{self._kept}" if reverted or self._kept else "")
        )

    def _revert_turn(self) -> None:
        steps = len(self._document.session.history.done)
        skipped = self._document.revert(self._key)
        done = self._document.session.history.done
        self._by_undo, self._reverting = len(done) < steps, done[-1] if len(done) > steps else None
        self._kept = (
            tr(" Not reverted, since changed in the meantime: {names}.", names=", ".join(skipped))
            if skipped
            else ""
        )
        before, after = self._views
        now = self._document.session.view
        same = {
            name: getattr(before, name)
            for name in ("camera", "ray_filter", "specific_rays")
            if getattr(now, name) == getattr(after, name)
        }
        self._document.set_view(dataclasses.replace(now, **same))
        self._update_revert_button()
        self.reverted.emit(f"[The person took back what you changed: {self.words}.{self._kept}]")
